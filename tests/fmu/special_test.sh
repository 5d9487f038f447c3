#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What is special about hybrid models, seen through an FMU: verdicts and events that accumulate end it with their text in the log, automata can be
# held, and what a fault changes is a parameter that can be tuned. Both ways to run it agree with `hbg run`.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"

# last COLUMN: of found.csv
last() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } { value = $column } END { print value }' found.csv
}

# ends NAME TEXT [STOP]: the FMU ends where the run does, with these words
ends() {
    exported 3 "$1" ${3:+--stop "$3"} || { fail "$1 is not exported"; return 0; }
    for way in cs 'me --solver cvode --tolerance 1e-8'; do
        code=0
        # shellcheck disable=SC2086
        timeout 60 "$importer" run "$1.fmu" --interface $way >found.csv 2>told || code=$?
        [ "$code" != 0 ] || fail "$1, $way: the FMU does not end"
        grep -q "$2" told || { fail "$1, $way: no \`$2\`"; cat told >&2; }
    done
}

ends ball-printed-guards 'the switching never settles at this instant' # a verdict
ends ball-restitution 'events accumulate (Zeno)' '8 [s]'

cat >tank.hbg <<'END'
model Tank {
    param high = 6000 [Pa], low = 4000 [Pa], resistance = 1e4 [Pa.s/m^3];
    Sf inflow(0.5 [m^3/s]);
    C tank(2e-4 [m^3/Pa]);
    R drain(resistance);
    0 bottom;
    1 outlet when valve;
    inflow -> bottom -> tank;
    bottom -> outlet -> drain;
    automaton valve {
        off shut -> open when bottom.e > high;
        on open -> shut when bottom.e < low;
    }
    experiment filling { stop 6 [s]; solver erk; record bottom.e; }
}
END
"$HBG" export fmu tank.hbg -q -o tank.fmu
for way in 'cs --step 0.5' 'me --solver cvode --tolerance 1e-8 --step 0.1'; do
    # held shut it rises by 0.5/2e-4 = 2500 Pa/s, for 6 s; free it opens at 6000 Pa, after 2.4 s
    # shellcheck disable=SC2086
    "$importer" run tank.fmu --interface $way --set hold_valve=1 >found.csv 2>told || fail "held, $way"
    awk -v level="$(last bottom_e)" 'BEGIN { exit !((level - 15000)^2 < 1e-4) }' || fail "held, $way: $(last bottom_e)"
    [ "$(last events.modes)" = 0 ] || fail "held, $way: $(last events.modes) modes"
    # a drain that is clogged: 2.4 s to 6000 Pa, then towards 0.5·2e4 Pa with a time constant of 2e4·2e-4 = 4 s
    # shellcheck disable=SC2086
    "$importer" run tank.fmu --interface $way --set resistance=2e4 >found.csv 2>told || fail "clogged, $way"
    awk -v level="$(last bottom_e)" 'BEGIN { wanted = 10000 - 4000*exp(-3.6/4); exit !((level - wanted)^2 < 1) }' || fail "clogged, $way: $(last bottom_e)"
    [ "$(last events.modes)" = 1 ] || fail "clogged, $way: $(last events.modes) modes"
done
exit "$failed"
