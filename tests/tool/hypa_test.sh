#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg hypa: where the process goes, as what, and what is refused.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
diode=$HBG_SOURCE_DIR/examples/switch-and-diode/switch-and-diode.hbg

run 0 hypa "$diode"
says out 'SwitchAndDiode : ('
run 0 hypa "$diode" -o out.tex
says out 'wrote out.tex'
grep -q blacktriangleright out.tex || fail "out.tex is no LaTeX"
run 0 hypa "$diode" --json
says out '"form": "exact"'
run 0 hypa "$diode" -p 'V=20 [V]'
says out 'der(coil.p) == 20 - 66000*coil.p'

# parts that have nothing to do with one another are processes side by side
cat >two.hbg <<'END'
component Tank(high = 1 [Pa]) { C tank(1 [m^3/Pa], e = 3 [Pa]); R drain(2 [Pa.s/m^3]); 0 bottom; 1 outlet when valve;
    bottom -> tank; bottom -> outlet -> drain;
    automaton valve { on open -> shut when bottom.e < high; off shut -> open after 2 [s]; } }
model Two { Tank first(high = 2 [Pa]); Tank second(high = 1 [Pa]); experiment e { stop 9 [s]; record first.bottom.e; } }
END
run 0 hypa two.hbg
says out 'Two : Two_first_valve || Two_second_valve .'

run 0 hypa --check "$diode" -x negative
says out 'SwitchAndDiode: accepted'
run 2 hypa --check "$diode" -x nowhere
says err 'there is no experiment `nowhere`'
run 2 hypa --check "$diode" -o out.txt
says err 'it writes no file'
run 2 hypa "$diode" -x negative
says err 'an experiment is for --check'
run 2 hypa missing.hbg
run 2 hypa "$diode" -o missing/out.txt
run 2 hypa "$HBG_SOURCE_DIR/examples/falling-rod/falling-rod.hbg" --timeout 1
says err 'it cannot be written as a process: the effort for this group is used up'
run 2 hypa "$diode" --stop 1
says err 'hbg help hypa'
finish
