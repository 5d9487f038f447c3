// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The boost converter with LSODAR, a run for every position of the switch; within it roots turn the diode on and off.
// RTOL in the environment is the tolerance.

function dx = closed(t, x)
    dx = [100 / 1d-3; -x(2) / (20 * 100d-6)];
endfunction

function dx = conducting(t, x)
    dx = [(100 - x(2)) / 1d-3; (x(1) - x(2) / 20) / 100d-6];
endfunction

function dx = blocking(t, x)
    dx = [0; -x(2) / (20 * 100d-6)];
endfunction

function value = current(t, x)
    value = x(1);
endfunction

function value = forward(t, x)
    value = 100 - x(2);
endfunction

tolerance = strtod(getenv("RTOL"));
timer();
x = [0; 0];
for k = 0:399
    t = k * 25d-6;
    last = (k + 1) * 25d-6;
    if modulo(k, 2) == 0 then
        x = ode(x, t, last, tolerance, tolerance, closed);
        continue;
    end
    diode = x(1) > 0 | x(2) < 100;
    while %t
        if diode then
            [states, root] = ode("root", x, t, last, tolerance, tolerance, conducting, 1, current);
        else
            [states, root] = ode("root", x, t, last, tolerance, tolerance, blocking, 1, forward);
        end
        x = states(:, $);
        if isempty(root) then
            break;
        end
        t = root(1);
        if diode then
            x(1) = 0;
        end
        diode = ~diode;
    end
end
mprintf("cpu %.17g\nfinal %.17g %.17g\n", timer(), x(1), x(2));
exit(0);
