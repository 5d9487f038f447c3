#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Contents of a plot: a window, logarithmic axes, one column over another, several files, chosen strips, PDF.
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
# curve FILE: the points of the curve that begins leftmost, which those of the legend do not, a line each; lines FILE: heights of its main grid lines
curve() {
    tr '>' '\n' <"$1" | sed -n 's/.*class="curve[^"]*" d="\([^"]*\)".*/\1/p' |
        awk -F'[M ]' 'NR == 1 || $2 + 0 < least { least = $2 + 0; best = $0 } END { print best }' | tr ML '\n' | sed '/^$/d'
}
lines() {
    tr '>' '\n' <"$1" | sed -n 's/.*class="grid" d="M67 \([0-9.]*\)L[0-9.]* \1".*/\1/p' | sort -n
}

run 0 run rc.hbg -q -o a.csv
run 0 run rc.hbg -q -p 'tau=2 [ms]' -o b.csv

# several files in one panel, distinguished by their names
run 0 plot a.csv b.csv --columns v -o both.svg
grep -q '>v (a)<' both.svg && grep -q '>v (b)<' both.svg || fail 'the files have no names in the plot'

# the axis ends where the window does
run 0 plot a.csv --window 1ms:3ms -o window.svg
grep -q '>3.0<' window.svg || fail 'the window does not go to 3 ms'
grep -q '>3.5<\|>0.5<' window.svg && fail 'the plot goes beyond its window'
run 0 run rc.hbg -q --plot window.svg --window 1ms:3ms
grep -q '>3.5<' window.svg && fail 'the plot of the run goes beyond its window'

# selected strips, or none
grep -q '>clock<' window.svg && grep -q '>low<' window.svg || fail 'the strips are not there'
run 0 run rc.hbg -q --plot strips.svg --strips low
grep -q '>clock<' strips.svg && fail 'a strip is there that was not asked for'
grep -q '>low<' strips.svg || fail 'the strip that was asked for is not there'
run 0 run rc.hbg -q --plot strips.svg --strips none
grep -q '>clock<\|>low<' strips.svg && fail 'there are strips'

# current over voltage is a straight line, from (0 V, 1 mA) to the end
run 0 plot a.csv --over v --columns i -o xy.svg
grep -q '>v<' xy.svg || fail 'the x axis is not the voltage'
run 0 plot a.csv --log y --columns i -o log.svg
# the current falls as exp(-t/tau): a straight line over a logarithmic axis, 5/ln 10 decades in five time constants; a decade has three
# lines, at 1, 2 and 5
decade=$(lines log.svg | awk '{ y[NR] = $1 } END { print y[4] - y[1] }')
curve log.svg | awk -v decade="$decade" '
    { x[NR] = $1; y[NR] = $2 }
    END {
        for (i = 1; i <= NR; i++) {
            line = y[1] + decade*5/log(10)*(x[i] - x[1])/(x[NR] - x[1])
            if ((y[i] - line)^2 > 0.25) exit 1
        }
        exit NR < 2 || decade < 50
    }' || fail "the logarithmic curve, decade $decade: $(curve log.svg)"
# over a logarithmic time the voltage has risen to 1 - 1/e at tau, two fifths of a decade and a bit before the end: log10(5) decades
run 0 plot a.csv --log x --window 0.05ms:5ms --columns v -o logx.svg
curve logx.svg | awk '{ x[NR] = $1; y[NR] = $2 }
    END {
        tau = x[NR] - (x[NR] - x[1])*log(5)/log(100)
        for (i = 1; x[i + 1] < tau; i++) continue
        at = y[i] + (y[i + 1] - y[i])*(tau - x[i])/(x[i + 1] - x[i])
        low = 1 - exp(-0.05)
        wanted = y[1] + (y[NR] - y[1])*(1 - exp(-1) - low)/(1 - exp(-5) - low)
        exit (at - wanted)^2 > 1
    }' || fail "the curve over a logarithmic time: $(curve logx.svg)"
run 0 plot a.csv -o plot.pdf
head -c 5 plot.pdf | grep -q '%PDF-' || fail 'this is no PDF'
run 0 run rc.hbg -q --plot run.pdf
head -c 5 run.pdf | grep -q '%PDF-' || fail 'the plot of a run is no PDF'

# impossible requests
run 2 plot rc.hbg -o x.svg
says err 'hbg run rc.hbg --plot plot.svg'
run 2 plot rc.hbg
says err 'hbg run rc.hbg --plot plot.svg'
run 0 plot a.csv --over time -o time.svg
run 2 plot a.csv --window 3ms:1ms -o x.svg
says err 'ends before it begins'
run 2 plot a.csv --window 3ms -o x.svg
says err '1ms:3ms'
run 2 plot a.csv --window 1V:3V -o x.svg
says err '`1V` is no time'
run 2 run rc.hbg --plot x.svg --window 1ms:3m
says err '`3m` is no time'
run 2 run rc.hbg -o x.csv --window 1ms:3ms
says err '--window does nothing without --plot'
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
