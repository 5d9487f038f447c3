# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# converter_scipy.py RTOL: the boost converter with scipy, a run for every position of the switch; within it terminal
# events turn the diode on and off. Prints `final CURRENT VOLTAGE` and `cpu SECONDS` of the runs alone.
import sys
import time

from scipy.integrate import solve_ivp

VIN, L, C, R, HALF, COUNT = 100.0, 1e-3, 100e-6, 20.0, 25e-6, 400


def closed(_, x):
    return (VIN / L, -x[1] / (R * C))


def conducting(_, x):
    return ((VIN - x[1]) / L, (x[0] - x[1] / R) / C)


def blocking(_, x):
    return (0.0, -x[1] / (R * C))


def current(_, x):
    return x[0]


def forward(_, x):
    return VIN - x[1]


current.terminal = forward.terminal = True
current.direction, forward.direction = -1, 1


def opened(t, end, x, options):
    """The switch is open until `end`."""
    diode = x[0] > 0 or x[1] < VIN
    while True:
        part = solve_ivp(conducting if diode else blocking, (t, end), x, events=current if diode else forward, **options)
        x = part.y[:, -1]
        if part.status != 1:
            return x
        t = part.t[-1]
        if diode:
            x[0] = 0.0
        diode = not diode


def run(rtol):
    options = {"method": "RK45", "rtol": rtol, "atol": rtol}
    x = [0.0, 0.0]
    for k in range(COUNT):
        t, end = k * HALF, (k + 1) * HALF
        x = solve_ivp(closed, (t, end), x, **options).y[:, -1] if k % 2 == 0 else opened(t, end, x, options)
    return x


start = time.process_time()
x = run(float(sys.argv[1]))
print("cpu", time.process_time() - start)
print("final", repr(float(x[0])), repr(float(x[1])))
