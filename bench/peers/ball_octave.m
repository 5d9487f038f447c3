# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# octave-cli ball_octave.m STEP: the bouncing ball with ode45 and a terminal event. Octave places an event on a straight
# line between two steps, so that the largest step, and not the tolerance, decides how exact bounces are.
1;

function dx = field (t, x)
  dx = [x(2); -9.8];
end

function [value, terminal, direction] = floor_hit (t, x)
  value = x(1);
  terminal = 1;
  direction = -1;
end

largest = str2double (argv (){end});
warning ("off", "all");
options = odeset ("RelTol", 1e-8, "AbsTol", 1e-8, "MaxStep", largest, "InitialStep", largest, "Events", @floor_hit);
start = cputime ();
t = 0;
x = [1; 0];
found = [];
while (t < 80 && numel (found) < 1000) # it may find one bounce again and again
  [times, states, te, xe] = ode45 (@field, [t, 80], x, options);
  if (isempty (te))
    break;
  end
  t = te(end);
  found(end + 1) = t;
  x = [0; -0.99 * xe(end, 2)];
end
printf ("cpu %.17g\n", cputime () - start);
printf ("event %.17g\n", found);
