// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The bouncing ball with LSODAR, which finds roots: RTOL in the environment is the tolerance.

function dx = field(t, x)
    dx = [x(2); -9.8];
endfunction

function value = floor_hit(t, x)
    value = x(1);
endfunction

tolerance = strtod(getenv("RTOL"));
timer();
t = 0;
x = [1; 0];
found = [];
while t < 80
    [states, root] = ode("root", x, t, 80, tolerance, tolerance, field, 1, floor_hit);
    if isempty(root) then
        break;
    end
    t = root(1);
    found($ + 1) = t;
    // from just above the floor: a start at a root would be found as one
    x = [1d-14; -0.99 * states(2, $)];
end
mprintf("cpu %.17g\n", timer());
mprintf("event %.17g\n", found);
exit(0);
