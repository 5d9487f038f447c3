# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# ladder_error.py KIND SECTIONS FILE NODE...: the largest error of node voltages, in V, over all rows of a CSV file or
# of what ngspice writes, against the closed form of the ladder itself (not of the line it approximates), all elements 1 but for
# micro. RC: eigenvectors of the second difference. LC, before anything comes back from the far end: Bessel functions.
import sys

import numpy
from scipy.special import jv


def rc(n, node, times):
    angle = (2 * numpy.arange(1, n + 1) - 1) * numpy.pi / (2 * n + 1)
    weight = 2 / (2 * n + 1) / numpy.tan(angle / 2) * numpy.sin(node * angle)
    rate = 4e6 * numpy.sin(angle / 2) ** 2
    return numpy.array([1 - weight @ numpy.exp(-rate * t) for t in times])


def lc(_, node, times):
    z = 2e6 * times
    # orders beyond the argument fade faster than exponentially
    orders = numpy.arange(2 * node + 2, 2 * node + 2 + 2 * int(z.max() / 2 + 100), 2)
    return numpy.array([jv(2 * node, a) + 2 * jv(orders, a).sum() for a in z])


kind, n, path, nodes = sys.argv[1], int(sys.argv[2]), sys.argv[3], [int(a) for a in sys.argv[4:]]
if path.endswith(".csv"):
    rows = numpy.loadtxt(path, delimiter=",", skiprows=1)
else:
    rows = numpy.loadtxt(path, skiprows=1)
exact = rc if kind == "rc" else lc
print(max(numpy.abs(rows[:, k + 1] - exact(n, node, rows[:, 0])).max() for k, node in enumerate(nodes)))
