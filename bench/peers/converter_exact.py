# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The boost converter without an integrator: in each of its modes the exponential of a 2 x 2 matrix, and diode instants
# by bisection on it. Prints `final CURRENT VOLTAGE` and `diode COUNT`, times the diode stopped or started to conduct while
# the switch was open.
import math

VIN, L, C, R, HALF, COUNT = 100.0, 1e-3, 100e-6, 20.0, 25e-6, 400


def conducting(x, t):
    """Around the equilibrium i = V/R, v = V the circuit is a damped oscillation."""
    damping = 1 / (2 * R * C)
    omega = math.sqrt(1 / (L * C) - damping * damping)
    i, v = x[0] - VIN / R, x[1] - VIN
    di, dv = -v / L, i / C - v / (R * C)
    decay, c, s = math.exp(-damping * t), math.cos(omega * t), math.sin(omega * t) / omega
    return (VIN / R + decay * (i * c + (di + damping * i) * s), VIN + decay * (v * c + (dv + damping * v) * s))


def closed(x, t):
    return (x[0] + VIN / L * t, x[1] * math.exp(-t / (R * C)))


def blocking(x, t):
    return (0.0, x[1] * math.exp(-t / (R * C)))


def opened(x, left):
    changes = 0
    while True:
        diode = x[0] > 0 or x[1] < VIN
        mode, value = (conducting, lambda y: y[0]) if diode else (blocking, lambda y: y[1] - VIN)
        # within half a period a current that falls below 0 stays there
        if value(mode(x, left)) >= 0:
            return mode(x, left), changes
        low, high = 0.0, left
        while low < (low + high) / 2 < high:
            middle = (low + high) / 2
            low, high = (middle, high) if value(mode(x, middle)) >= 0 else (low, middle)
        x, left, changes = mode(x, high), left - high, changes + 1
        x = (0.0, x[1])


x, diode = (0.0, 0.0), 0
for k in range(COUNT):
    if k % 2 == 0:
        x = closed(x, HALF)
    else:
        x, changes = opened(x, HALF)
        diode += changes
print("final", repr(x[0]), repr(x[1]))
print("diode", diode)
