# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# octave-cli converter_octave.m STEP: the boost converter with ode45, a run for every position of the switch; within it
# terminal events turn the diode on and off. STEP is the largest step, which decides how exact events are.
1;

function dx = closed (t, x)
  dx = [100 / 1e-3; -x(2) / (20 * 100e-6)];
end

function dx = conducting (t, x)
  dx = [(100 - x(2)) / 1e-3; (x(1) - x(2) / 20) / 100e-6];
end

function dx = blocking (t, x)
  dx = [0; -x(2) / (20 * 100e-6)];
end

function [value, terminal, direction] = current (t, x)
  value = x(1);
  terminal = 1;
  direction = -1;
end

function [value, terminal, direction] = forward (t, x)
  value = 100 - x(2);
  terminal = 1;
  direction = 1;
end

largest = str2double (argv (){end});
warning ("off", "all");
common = {"RelTol", 1e-8, "AbsTol", 1e-8, "MaxStep", largest, "InitialStep", largest};
plain = odeset (common{:});
off = odeset (common{:}, "Events", @current);
on = odeset (common{:}, "Events", @forward);
start = cputime ();
x = [0; 0];
for k = 0:399
  t = k * 25e-6;
  last = (k + 1) * 25e-6;
  if (mod (k, 2) == 0)
    [times, states] = ode45 (@closed, [t, last], x, plain);
    x = states(end, :)';
    continue;
  end
  diode = x(1) > 0 || x(2) < 100;
  while (true)
    if (diode)
      [times, states, te, xe] = ode45 (@conducting, [t, last], x, off);
    else
      [times, states, te, xe] = ode45 (@blocking, [t, last], x, on);
    end
    if (isempty (te))
      x = states(end, :)';
      break;
    end
    t = te(end);
    x = xe(end, :)';
    if (diode)
      x(1) = 0;
    end
    diode = ! diode;
  end
end
printf ("cpu %.17g\nfinal %.17g %.17g\n", cputime () - start, x(1), x(2));
