# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# ball_siconos.py INTERVAL: the bouncing ball with Siconos, event-driven: LSODAR between events, Newton's impact law at
# them. Its time stepping is the wrong tool where times of bounces are asked for: an impact is only known to the step.
# INTERVAL is between the instants it stops at anyway. Prints `event TIME` per bounce, and `cpu SECONDS` of the run alone.
import sys
import time

import numpy
import siconos.kernel as sk

GRAVITY, RESTITUTION, STOP = 9.8, 0.99, 80.0
NONSMOOTH = 2  # type of event

start = time.process_time()
ball = sk.LagrangianLinearTIDS([1.0], [0.0], numpy.eye(1))
ball.setFExtPtr(numpy.array([-GRAVITY]))
contact = sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), sk.LagrangianLinearTIR(numpy.array([[1.0]])))
system = sk.NonSmoothDynamicalSystem(0.0, STOP)
system.insertDynamicalSystem(ball)
system.link(contact, ball)
simulation = sk.EventDriven(system, sk.TimeDiscretisation(0.0, float(sys.argv[1])))
integrator = sk.LsodarOSI()
simulation.insertIntegrator(integrator)
impact, acceleration = sk.LCP(), sk.LCP()
simulation.insertNonSmoothProblem(impact, sk.SICONOS_OSNSP_ED_IMPACT)
simulation.insertNonSmoothProblem(acceleration, sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
simulation.initialize()
found = []
while simulation.hasNextEvent():
    simulation.advanceToEvent()
    simulation.processEvents()
    if simulation.eventsManager().currentEvent().getType() == NONSMOOTH:
        found.append(simulation.startingTime())
print("cpu", time.process_time() - start)
for t in found:
    print("event", repr(t))
