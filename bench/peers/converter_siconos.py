# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# converter_siconos.py STEPS: the boost converter with Siconos, STEPS steps for a position of the switch. With it
# open the diode is the complementarity of its current and its reverse voltage; closed, the coil charges and the diode
# blocks. Time stepping of second order (theta 1/2); a simulation is made for every position.
import sys
import time

import numpy
import siconos.kernel as sk

VIN, L, C, R, HALF, COUNT = 100.0, 1e-3, 100e-6, 20.0, 25e-6, 400
steps = int(sys.argv[1])

CLOSED = numpy.array([[0.0, 0.0], [0.0, -1 / (R * C)]])
OPEN = numpy.array([[0.0, -1 / L], [1 / C, -1 / (R * C)]])
SUPPLY = numpy.array([VIN / L, 0.0])


def position(k, x):
    matrix = CLOSED if k % 2 == 0 else OPEN
    circuit = sk.FirstOrderLinearTIDS(x, matrix, SUPPLY)
    system = sk.NonSmoothDynamicalSystem(0.0, HALF)
    system.insertDynamicalSystem(circuit)
    if k % 2 == 1:
        law = sk.FirstOrderLinearTIR(numpy.array([[1.0, 0.0]]), numpy.array([[1 / L], [0.0]]))
        diode = sk.Interaction(sk.ComplementarityConditionNSL(1), law)
        system.link(diode, circuit)
    stepping = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, HALF / steps), sk.EulerMoreauOSI(0.5), sk.LCP())
    for _ in range(steps):
        stepping.computeOneStep()
        stepping.nextStep()
    return circuit.x().copy()


start = time.process_time()
x = numpy.array([0.0, 0.0])
for k in range(COUNT):
    x = position(k, x)
print("cpu", time.process_time() - start)
print("final", repr(float(x[0])), repr(float(x[1])))
