#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What a plot shows: a window, logarithmic axes, one column over another, several files, chosen strips, PDF.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >rc.hbg <<'END'
model Rc {
    param tau = 1 [ms];
    Se s(1 [V]);
    R r(1 [kOhm]);
    C c(tau/(1 [kOhm]));
    1 j;
    s -> j -> r;
    j -> c;
    automaton low { on below -> above when c.e > 0.5 [V]; off above; }
    automaton clock { on tick -> tock after 1 [ms]; off tock -> tick after 1 [ms]; }
    output v = c.e, i = r.f;
    experiment go { stop 5 [ms]; record v, i; }
}
END
run 0 run rc.hbg -q -o a.csv
run 0 run rc.hbg -q -p 'tau=2 [ms]' -o b.csv

# several files in one panel, told apart by their names
run 0 plot a.csv b.csv --columns v -o both.svg
grep -q '>v (a)<' both.svg && grep -q '>v (b)<' both.svg || fail 'the files have no names in the plot'

# the axis ends where the window does
run 0 plot a.csv --window 1ms:3ms -o window.svg
grep -q '>3.0<' window.svg || fail 'the window does not go to 3 ms'
grep -q '>3.5<\|>0.5<' window.svg && fail 'the plot goes beyond its window'
run 0 run rc.hbg -q --plot window.svg --window 1ms:3ms
grep -q '>3.5<' window.svg && fail 'the plot of the run goes beyond its window'

# strips that are chosen, or none
grep -q '>clock<' window.svg && grep -q '>low<' window.svg || fail 'the strips are not there'
run 0 run rc.hbg -q --plot strips.svg --strips low
grep -q '>clock<' strips.svg && fail 'a strip is there that was not asked for'
grep -q '>low<' strips.svg || fail 'the strip that was asked for is not there'
run 0 run rc.hbg -q --plot strips.svg --strips none
grep -q '>clock<\|>low<' strips.svg && fail 'there are strips'

# current over voltage is a straight line, from (0 V, 1 mA) to the end
run 0 plot a.csv --over v --columns i -o xy.svg
grep -q '>v<' xy.svg || fail 'the x axis is not the voltage'
run 0 plot a.csv --log xy -o log.svg
run 0 plot a.csv -o plot.pdf
head -c 5 plot.pdf | grep -q '%PDF-' || fail 'this is no PDF'
run 0 run rc.hbg -q --plot run.pdf
head -c 5 run.pdf | grep -q '%PDF-' || fail 'the plot of a run is no PDF'

# what cannot be
run 2 plot rc.hbg -o x.svg
says err 'hbg run rc.hbg --plot plot.svg'
run 2 plot rc.hbg
says err 'hbg run rc.hbg --plot plot.svg'
run 0 plot a.csv --over time -o time.svg
run 2 plot a.csv --window 3ms:1ms -o x.svg
says err 'ends before it begins'
run 2 plot a.csv --window 3ms -o x.svg
says err '1ms:3ms'
run 2 plot a.csv --window 1foo: -o x.svg
says err 'no unit `foo`'
run 2 plot a.csv --window 6ms: -o x.svg
says err 'no rows in the window'
run 2 run rc.hbg --plot x.svg --window 6ms:
says err 'it ends at 0.005 s'
run 2 plot a.csv --log z -o x.svg
says err '`x`, `y` or `xy`'
run 2 plot a.csv --over w -o x.svg
says err 'no column `w`'
run 2 plot a.csv missing.csv -o x.svg
says err 'missing.csv'
run 2 run rc.hbg --plot x.svg --strips lov
says err 'did you mean `low`'
[ ! -e x.svg ] || fail 'a picture is left'
finish
