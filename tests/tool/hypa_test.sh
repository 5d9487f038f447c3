#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg hypa: the destination and form of the process, and refusals.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
diode=$HBG_SOURCE_DIR/examples/switch-and-diode/switch-and-diode.hbg

run 0 hypa "$diode" --form exact
says out 'SwitchAndDiode : ('
run 0 hypa "$diode" --form exact -o out.tex
says out 'wrote out.tex'
grep -q blacktriangleright out.tex || fail "out.tex is no LaTeX"
run 0 hypa "$diode" --form exact --json
says out '"form": "exact"'
run 0 hypa "$diode" --form exact -p 'V=20 [V]'
says out 'der(coil.p) == 20 - 66000*coil.p'

# the composition of 003, which is written by default
run 0 hypa "$diode"
says out 'SwitchAndDiode : coil || loop || node || series || source .'
says out '4 clauses, 16 alternatives out of 25 products, 3 jumps, 2 on energies alone'
says out 'c2 is c4 with coil.p == 0: it may be read either way'
says out '3 clauses and 12 alternatives are enough'
says out 'D8  loop'
run 0 hypa "$diode" --only composition
says out 'new(coil.p)^2 - old(coil.p)^2)/(2*L)'
! grep -q 'linear form' out || fail "the composition has a linear form"
run 0 hypa "$diode" --only linear --keep b3
says out 'impulse(b3.e) == new(coil.p) - old(coil.p)'
! grep -q 'impulse(b4' out || fail "b4 was kept"
run 0 hypa "$diode" --reading printed --json
says out '"reading": "printed"'
says out '"distinct": 1'
run 0 hypa "$diode" --limit 3
says out 'what the start mode leads to'
run 0 hypa "$diode" -o paper.tex
grep -q 'hat{e}_{.mathrm{b3}}' paper.tex || fail "paper.tex has no hats"
grep -qF '^{+}}^{2}' paper.tex || fail "paper.tex has no square"
grep -qF '^{+}^{' paper.tex && fail "paper.tex has two superscripts in a row"
run 0 hypa "$diode" --compare
says out 'every jump of form exact is one of form paper'
run 1 hypa "$diode" --compare --reading printed --json
says out '"allowed": "no"'
run 2 hypa "$diode" --form other
says err 'paper or exact'
run 2 hypa "$diode" --reading other
says err 'settled, printed or loose'
run 2 hypa "$diode" --only other
says err 'composition or linear'
run 2 hypa "$diode" --form exact --keep b3
says err 'are of form paper'
run 2 hypa "$diode" --keep b33
says err 'there is no bond `b33`'
for name in x.pdf x.svg x.png; do
    run 2 hypa "$diode" -o "$name"
    says err 'a process is not a picture'
    [ ! -e "$name" ] || fail "$name was written"
done
run 0 hypa "$diode" -o x.json
grep -q '"form": "paper"' x.json || fail "x.json is no JSON"
run 2 hypa "$diode" --compare --check
says err 'ask one'
run 2 hypa "$diode" --compare -o out.txt
says err 'write no file'

# values without a decision in form paper, and functions that the prover does not know
cat >open.hbg <<'END'
model Open { param k in 900 .. 1100 [N/m] = 1000 [N/m]; choice mu in 0.1 .. 0.3; Se drive(1 [N]*sin(time*1 [rad/s]));
    1 body; I mass(1 [kg]); C spring(1/k); R rub(mu*1 [N.s/m]); drive -> body; body -> mass; body -> spring; body -> rub;
    automaton a { on slow -> fast when mass.f > 1 .. 2 [m/s]; off fast -> slow when mass.f < 0.5 [m/s]; }
    experiment e { stop 1 [s]; record mass.f; } }
END
run 0 hypa open.hbg
says out '`k` is left open from 900 to 1100: here it is 1000'
says out '`mu` is left open from 0.1 to 0.3: here it is 0.2'
says out '`a.to_fast` is left open from 1 to 2: here it is 1.5'
says out '`sin` is no polynomial'
says out 'der(mass.p) == sin(time) - 1000*spring.q - 0.2*mass.p' # it is as written in the model
run 0 list open.hbg
says out 'k          900 .. 1100 N/m  once for a run'
says out 'mu         0.1 .. 0.3       anew whenever an automaton moves'
says out 'a.to_fast  1 .. 2 m/s       anew whenever a moves'
says out '2 parameters'
run 0 sweep open.hbg -p 'k=900:1200:100'
says err 'W0719'
run 0 sweep open.hbg -p 'k=900:1100:150'
! grep -q W0719 err || fail "a step is taken for a value"

# ratios that are not polynomials
run 0 hypa "$HBG_SOURCE_DIR/examples/pendulum/pendulum.hbg" --only composition
says out 'cos('

# independent parts are processes side by side
cat >two.hbg <<'END'
component Tank(high = 1 [Pa]) { C tank(1 [m^3/Pa], e = 3 [Pa]); R drain(2 [Pa.s/m^3]); 0 bottom; 1 outlet when valve;
    bottom -> tank; bottom -> outlet -> drain;
    automaton valve { on open -> shut when bottom.e < high; off shut -> open after 2 [s]; } }
model Two { Tank first(high = 2 [Pa]); Tank second(high = 1 [Pa]); experiment e { stop 9 [s]; record first.bottom.e; } }
END
run 0 hypa --form exact two.hbg
says out 'Two : Two_first_valve || Two_second_valve .'

# reading a process and writing it again gives the same text, except comments, blanks and redundant brackets
optimised # the reader is tried with sanitizers in emit/process_read
for written in switch-and-diode impact-module construct-after construct-pre-impulse-in cam-valve nonlinear-charge-sharing pendulum rate-feedback; do
    for form in paper exact; do
        run 0 hypa "$HBG_SOURCE_DIR/examples/$written/$written.hbg" --form "$form"
        cp out written
        run 0 hypa --parse written
        cp out again
        run 0 hypa --parse again -o twice
        cmp -s again twice || fail "$written, form $form: read twice it is another process"
        sed 's|//.*||' written | tr -d ' \n()' >bare
        tr -d ' \n()' <again | cmp -s - bare || fail "$written, form $form: what is read is not what was written"
    done
done
# compared with each of those before it a variable would take 10 s here; found by its name, 0.1
awk 'BEGIN { printf "X : {"; for (i = 0; i < 40000; i++) printf "%s x%d > 0", i ? ";" : "", i; print " } ." }' >many
# shellcheck disable=SC3045 # dash has it
(ulimit -t 5 && "$hbg" hypa --parse many >again) || fail "40 000 variables take longer than 5 s"
cmp -s again many || fail "40 000 variables are not what was written"
sanitized
run 0 hypa "$diode" -o x.tex
run 2 hypa --parse x.tex
says err 'expected the name of a process'
run 2 hypa --parse missing
for said in '--form exact' '--json' '-p V=20' '-m Two' '-I .' '-x negative' '--timeout 1' '--check' '--compare' '--limit 3' '-W error'; do
    # shellcheck disable=SC2086 # two words
    run 2 hypa --parse written $said
    says err '--parse reads a text, not a model, and writes it again: --'
    says err 'does nothing beside it'
done
for name in x.tex x.json; do
    rm -f "$name"
    run 2 hypa --parse written -o "$name"
    says err '--parse writes the text again: LaTeX and JSON are made of a model'
    [ ! -e "$name" ] || fail "$name was written"
done
run 2 hypa --parse written -o x.svg
says err 'a process is not a picture'

# two bonds without a name between the same junctions have one with a number
cat >twice.hbg <<'END'
model Twice { 1 a; 0 b; Se s(1); I m(1); R r(1); s -> a; a -> b; a -> b; b -> r; b -> m; experiment e { stop 1; record m.p; } }
END
run 0 hypa twice.hbg --keep all
says out 'work(a>b) == -work(a>b#2)'
cp out written
run 0 hypa --parse written
says out 'work(a>b) == -work(a>b#2)'
says out 'a>b#2.e == 0.5'

run 0 hypa --check "$diode" -x negative
says out 'SwitchAndDiode: accepted'
# an aborted run is reported with its difference, and processes have no faults
run 4 hypa --check "$HBG_SOURCE_DIR/examples/inelastic-collapse/inelastic-collapse.hbg"
says out 'D15: 003: '
run 2 hypa --check "$HBG_SOURCE_DIR/examples/construct-faults/construct-faults.hbg" -x parameter_faults
says err '(D17)'
run 2 hypa --check "$diode" -x nowhere
says err 'there is no experiment `nowhere`'
run 2 hypa --check "$diode" -o out.txt
says err 'write no file'
run 2 hypa "$diode" -x negative
says err 'an experiment is for --check'
run 2 hypa missing.hbg
run 2 hypa "$diode" -o missing/out.txt
run 2 hypa "$HBG_SOURCE_DIR/examples/falling-rod/falling-rod.hbg" --form exact --timeout 0.1
says err 'it cannot be written as a process: the effort for this group is used up'
run 2 hypa "$diode" --stop 1
says err 'hbg help hypa'
# samples that read several of their earlier values, without switching
cat >cart.hbg <<'END'
model Cart {
    I cart(1 [kg]);
    Se drive(held);
    1 motion;
    drive -> motion -> cart;
    state x = 0 [m] : der = motion.f;
    sample now every 0.1 [s] = 1 [m] - x;
    sample ticks every 0.1 [s] = pre(ticks) + 1;
    sample sum every 0.1 [s] = pre(sum) + 0.1*now;
    sample push every 0.1 [s] = 2 [N/m]*(now + sum) + (ticks > 1 ? 3 [N/m]*(now - pre(now)) : 0 [N/m]*now);
    sample held every 0.1 [s] = push;
    output where = x;
    experiment once { stop 1 [s]; record where; }
}
END
run 0 hypa --check cart.hbg
says out 'Cart: accepted'

finish
