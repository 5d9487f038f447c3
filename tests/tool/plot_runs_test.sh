#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Pictures of all runs of a sweep: bars as high as their runs, a point for each run, a line through the axes, colours by the last one.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >table.csv <<'END'
run,R,C,seed,v final,v max,verdict,reason
0,1,4,1,1,10,finished,
1,2,3,2,2,20,finished,
2,3,2,3,2,30,finished,
3,4,1,4,3,40,finished,
4,9,9,5,99,99,divergence,it never settles
END

# Freedman and Diaconis: quartiles 1.75 and 2.25, width 2·0.5/∛4 = 0.63, so 4 bars from 1 to 3 with 1, 0, 2, 1 runs
run 0 plot table.csv --as histogram --columns v.final -o bars.svg
awk -F'"' '/<rect class="bar"/ { print $10 }' bars.svg >heights
awk 'NR == 1 { one = $1 } { runs = $1/one; printf "%s%.3f", (NR > 1 ? " " : ""), runs } END { print "" }' heights >ratios
[ "$(cat ratios)" = '1.000 2.000 1.000' ] || fail "the bars have heights $(cat ratios)"
grep -q '5, 50, 95 %: 1.15, 2, 2.85' bars.svg || fail 'the quantiles are not 1.15, 2 and 2.85'
grep -q 99 bars.svg && fail 'a run that did not get to its end is in the picture'

# a map for each result, last, least, greatest or mean
run 0 plot table.csv --as histogram -o all.svg
[ "$(grep -c 'class="map"' all.svg)" = 2 ] || fail 'there are not 2 maps'

# results over parameters: with one point a run, and rank correlations 0.949 (one tie), -0.949
run 0 plot table.csv --as scatter -o points.svg
[ "$(grep -c 'class="map"' points.svg)" = 2 ] || fail 'there are not 2 maps'
[ "$(grep -o 'h0' points.svg | wc -l)" = 8 ] || fail 'there are not 8 points'
grep -q 'rank correlation 0.949' points.svg && grep -q 'rank correlation -0.949' points.svg || fail 'rank correlation'
run 0 plot table.csv --as scatter --over 'v final' --columns 'v max' -o one.svg
grep -q '<title>v max over v final</title>' one.svg || fail 'what is over what'

# R, C and two results: 3 gaps of 4 pieces; the least run ends in the lowest fifth, the greatest in the highest
run 0 plot table.csv --as parallel --columns 'v.final,v.max' -o lines.svg
[ "$(grep -c 'class="coordinate"' lines.svg)" = 4 ] || fail 'there are not 4 axes'
[ "$(grep 'class="run ' lines.svg | grep -o 'M' | wc -l)" = 12 ] || fail 'there are not 12 pieces'
for colour in 0 1 3 4; do grep -q "run run$colour " lines.svg || fail "no line in colour $colour"; done
grep -q 'run run2 ' lines.svg && fail 'a line in the middle colour'

# many runs do not make a large document, and equal ones are drawn once
awk 'BEGIN { print "run,R,seed,v final,verdict,reason"
    for (i = 0; i < 20000; i++) printf "%d,%d,%d,%d,finished,\n", i, i%300, i, (i*7)%1000 }' >many.csv
for kind in histogram scatter parallel; do
    run 0 plot many.csv --as $kind -o many.svg
    [ "$(wc -c <many.svg)" -lt 1000000 ] || fail "$kind of many runs is a large file"
done
run 0 plot table.csv --as parallel -o lines.png
run 0 plot table.csv --as histogram -o bars.pdf

# a caption without room has fewer digits, but no cut number: the median of -1.2345e-105*(1, 1.25, 1.5, 1.75, 2) is -1.85e-105
awk 'BEGIN { print "run,R,seed,a final,b final,c final,d final,verdict,reason"
    for (i = 0; i < 5; i++) { v = -1.2345e-105*(1 + i/4); printf "%d,%d,%d,%.9g,%.9g,%.9g,%.9g,finished,\n", i, i, i, v, v, v, v } }' >long.csv
run 0 plot long.csv --as histogram -o long.svg
grep 'class="note"' long.svg >notes
grep -q '…' notes && fail "a caption is cut: $(cat notes)"
grep -q -- '-1.9e-105' notes || fail "the captions do not have the median: $(cat notes)"

# a single value, and NaN
printf 'run,R,seed,v final,verdict,reason\n0,1,1,5,finished,\n1,1,2,5,finished,\n' >same.csv
for kind in histogram scatter parallel; do run 0 plot same.csv --as $kind -o same.svg; done
printf 'run,R,seed,v final,verdict,reason\n0,1,1,nan,finished,\n1,1,2,inf,finished,\n' >none.csv
for kind in histogram scatter parallel; do run 0 plot none.csv --as $kind -o none.svg; done

# impossible requests
run 2 plot table.csv --as pie -o x.svg
says err 'histogram, scatter or parallel'
run 2 plot table.csv --as histogram --columns w.final -o x.svg
says err 'there is no column `w.final`'
run 2 plot table.csv table.csv --as histogram -o x.svg
says err 'draws one table'
run 2 plot table.csv --as scatter --log x -o x.svg
says err 'neither --window nor --log'
printf 'time,v\n0,1\n1,2\n' >run.csv
run 2 plot run.csv --as histogram -o x.svg
says err 'no table of a sweep'
run 2 plot table.csv --as histogram --over R -o x.svg
says err 'takes no --over'
[ ! -e x.svg ] || fail 'a picture was written all the same'
finish
