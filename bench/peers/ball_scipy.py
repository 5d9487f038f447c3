# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# ball_scipy.py RTOL: the bouncing ball with scipy: a terminal event ends a flight, the next starts with the velocity
# turned round. Prints `event TIME` per bounce, and `cpu SECONDS` of the flights alone.
import sys
import time

from scipy.integrate import solve_ivp

GRAVITY, HEIGHT, RESTITUTION, STOP = 9.8, 1.0, 0.99, 80.0


def field(_, state):
    return (state[1], -GRAVITY)


def floor(_, state):
    return state[0]


floor.terminal = True
floor.direction = -1


def bounces(rtol):
    t, state, found = 0.0, (HEIGHT, 0.0), []
    while t < STOP:
        flight = solve_ivp(field, (t, STOP), state, method="RK45", rtol=rtol, atol=rtol, events=floor)
        if flight.status != 1:
            break
        t = flight.t[-1]
        found.append(t)
        state = (0.0, -RESTITUTION * flight.y[1, -1])
    return found


start = time.process_time()
found = bounces(float(sys.argv[1]))
print("cpu", time.process_time() - start)
for t in found:
    print("event", repr(float(t)))
