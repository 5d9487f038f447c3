# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# ball_siconos.py STEP: the bouncing ball with Siconos, Moreau and Jean's time stepping with Newton's impact law: made for
# contacts, so events have no times, and a bounce is one of the step in which there is an impulse.
import sys
import time

import numpy
import siconos.kernel as sk

GRAVITY, RESTITUTION, STOP, MASS = 9.8, 0.99, 80.0, 1.0
step = float(sys.argv[1])

start = time.process_time()
ball = sk.LagrangianLinearTIDS([1.0], [0.0], numpy.eye(1) * MASS)
ball.setFExtPtr(numpy.array([-MASS * GRAVITY]))
contact = sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), sk.LagrangianLinearTIR(numpy.array([[1.0]])))
system = sk.NonSmoothDynamicalSystem(0.0, STOP)
system.insertDynamicalSystem(ball)
system.link(contact, ball)
stepping = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, step), sk.MoreauJeanOSI(0.5), sk.LCP())
found = []
pulse = contact.lambda_(1)
while stepping.hasNextEvent():
    stepping.computeOneStep()
    if pulse[0] > 1e-9:
        found.append(stepping.nextTime())
    stepping.nextStep()
print("cpu", time.process_time() - start)
for t in found:
    print("event", repr(t))
