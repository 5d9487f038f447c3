#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg run --choose: a restitution that is an interval takes a value at each collision, a parameter one for the run.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

# From 1.25 m at 10 m/s² a ball is down after 0.5 s, at 5 m/s; with e it is up again e·0.5 s later, at e²·1.25 m, and down at twice that.
ball() { # RESTITUTION
    cat <<END
model Ball {
    param g in 5 .. 20 [m/s2] = 10 [m/s2], end = 1 [s];
    1 ball;
    I mass(1 [kg], p = 0 [N.s]);
    Se gravity(-1 [kg]*g);
    Sf floor(0 [m/s]);
    0 contact when touch restitution $1;
    gravity -> ball -> mass;
    floor -> contact -> ball;
    state x = 1.25 [m] : der = ball.f;
    automaton touch {
        off flying -> bouncing when x <= 0 && mass.p < 0;
        on bouncing -> flying when mass.p > 0;
    }
    experiment drop { stop end; record x, ball.f; }
}
END
}
ball '0.5 .. 0.9' >ball.hbg

# ends HEIGHT VELOCITY OPTION...: the run ends so
ends() {
    local height=$1 velocity=$2
    shift 2
    run 0 run "${model:-ball.hbg}" --json "$@"
    python3 - "$height" "$velocity" <<'END' || fail "the ball is not at $height m with $velocity m/s: $*"
import json, sys
values = [value["value"] for value in json.load(open("out"))["final"]]
wanted = [float(word) for word in sys.argv[1:]]
sys.exit(any(abs(a - b) > 1e-6 for a, b in zip(values, wanted)) or len(values) != 2)
END
}
ends 0.6125 0 -p end=0.85                     # the middle, 0.7: 0.49·1.25
ends 0.3125 0 -p end=0.75 --choose contact=least
ends 1.0125 0 -p end=0.95 --choose contact=greatest
ends 1.0125 0 -p end=0.95 --choose contact=0.9,0.5
ends 0.8 0 -p end=0.9 --choose contact=0.8
# up with 4.5, then with 2.25 m/s: down at 1.4 s, up at 1.625 s
ends 0.253125 0 -p end=1.625 --choose contact=0.9,0.5
ends 0.253125 0 -p end=1.625 --choose contact=0.9,least
# after the list the middle counts again: 4.5, then 3.15 m/s, up at 1.715 s
ends 0.496125 0 -p end=1.715 --choose contact=0.9
# g = 20: down after sqrt(0.125) s; at 0.2 s it has fallen 0.4 m
ends 0.85 -4 -p end=0.2 --choose g=greatest
ends 1.15 -1 -p end=0.2 --choose g=least

# a loss of 19 to 75 % is a restitution of 0.5 to 0.9, and its middle, 47 %, one of sqrt(0.53)
ball 'loss 19 .. 75 [%]' >loss.hbg
model=loss.hbg
ends 0.3125 0 -p end=0.75 --choose contact=least
ends 1.0125 0 -p end=0.95 --choose contact=greatest
ends 0.6625 0 -p end=0.8640054944640259
model=

# at random: the same for a seed, in the interval, and reported so that it can be chosen again
run 0 run ball.hbg --choose random --seed 7 -p end=1.2 -q -o a.csv
run 0 run ball.hbg --choose random --seed 7 -p end=1.2 -q -o b.csv
run 0 run ball.hbg --choose random --seed 8 -p end=1.2 -q -o c.csv
cmp -s a.csv b.csv || fail 'one seed gives two runs'
! cmp -s a.csv c.csv || fail 'two seeds give one run'
run 0 run ball.hbg --choose random --seed 7 -p end=1.2
contact=$(sed -n 's/^    contact=//p' out)
g=$(sed -n 's/^    g=//p' out)
run 0 run ball.hbg --choose "contact=$contact" --choose "g=$g" -p end=1.2 -q -o d.csv
cmp -s a.csv d.csv || fail "the choices that were told, $contact and $g, give another run"
run 0 run ball.hbg --choose random --seed 7 -p end=1.2 --solver bdf --engine native
[ "$(sed -n 's/^    contact=//p' out)" = "$contact" ] || fail 'another solver chooses otherwise'

# without a decision the run says so; proofs claim nothing else
run 0 run ball.hbg
says out 'chosen, nothing else being asked for'
says out 'contact=0.7'
run 0 verify ball.hbg
says out 'whatever is chosen for `g`, `contact`'
# it is shown as an open choice
run 0 list ball.hbg
says out 'restitution 0.5 .. 0.9'
run 0 draw ball.hbg -o ball.svg
says ball.svg 'restitution 0.5 .. 0.9'
# a given value is a decision
run 0 run ball.hbg -p g=10 --json
! grep -q '"g"' out || fail '-p leaves g to be chosen'
run 2 run ball.hbg -p g=10 --choose g=11
says err 'nothing called `g` is to be chosen'

# an image chooses like the model
run 0 compile ball.hbg -o ball.hbi
run 0 run ball.hbi --choose contact=0.9,0.5 -q -o image.csv
run 0 run ball.hbg --choose contact=0.9,0.5 -q -o text.csv
cmp -s image.csv text.csv || fail 'an image chooses otherwise'

# many runs: at random each has its own, in any thread; the seed of a run is that of the sweep plus its number
run 0 sweep ball.hbg --choose random --runs 12 -p end=0.95 -j 1 -q -o one.csv
run 0 sweep ball.hbg --choose random --runs 12 -p end=0.95 -j 3 -q -o three.csv
cmp -s one.csv three.csv || fail 'threads choose otherwise'
[ "$(tail -n +2 one.csv | cut -d, -f3-4 | sort -u | wc -l)" -eq 12 ] || fail 'runs of a sweep choose alike'
run 0 sweep ball.hbg --choose random --runs 12 -p end=0.95 -j 2 -q -o kept.csv --trace 5
run 0 run ball.hbg --choose random --seed 6 -p end=0.95 -q -o again.csv
cmp -s again.csv kept-traces/run-000005.csv || fail 'a run of a sweep cannot be made again'
# open parameters are chosen too, unless they are swept
run 0 sweep ball.hbg --choose greatest -p end=0.2 -q -o greatest.csv
run 0 run ball.hbg --choose greatest -p end=0.2 --json
python3 - <<'END' || fail 'a sweep keeps a parameter that is left open at its default'
import csv, json
row = next(csv.DictReader(open("greatest.csv")))
value = next(v["value"] for v in json.load(open("out"))["final"] if v["name"] == "ball.f")
assert any(abs(float(text) - value) < 1e-9 for text in row.values() if text.replace(".", "").replace("-", "").isdigit()), (row, value)
END
run 0 sweep ball.hbg --choose greatest -p 'g=9,11' -p end=0.2 -q -o swept.csv
[ "$(wc -l <swept.csv)" -eq 3 ] || fail 'what is swept is chosen'
# an interval that the parameters of a sweep reverse is invalid
sed 's/param g/param least = 0.5, g/; s/restitution 0.5/restitution least/' ball.hbg >ends.hbg
run 2 sweep ends.hbg -p least=0.6,0.95 -p end=0.2 -o ends.csv
says err '`contact` cannot be chosen from 0.95 .. 0.9: there is nothing in this interval'
# a witness of the second random sequence needs no other seed
run 0 run ball.hbg --choose random:2 --seed 7 -p end=1.2 -q -o second.csv
! cmp -s a.csv second.csv || fail 'two sequences are one'
run 0 run ball.hbg --choose random --seed 8 -p end=1.2 -q -o c2.csv
cmp -s second.csv c2.csv || fail 'the second sequence of a seed is not the first of the next'
run 2 sweep ball.hbg --choose contct=random --runs 2
says err 'did you mean `contact`?'

for wrong in contact=0.95 contact=-1 contact=least,2; do
    run 2 run ball.hbg --choose "$wrong"
    says err 'it is from 0.5 to 0.9'
done
for wrong in contact= 'contact=0.5,' contact=x; do
    run 2 run ball.hbg --choose "$wrong"
    says err 'default, least, greatest or random'
done
run 2 run ball.hbg --choose contct=0.5
says err 'did you mean `contact`?'
run 2 run ball.hbg --choose g=10,11
says err 'is chosen once for a run'
ball 0.8 | sed 's/ in 5 .. 20 \[m.s2\]//' >fixed.hbg
run 2 run fixed.hbg --choose least
says err 'this run has nothing to choose'
finish
