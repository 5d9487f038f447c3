#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The recipe for a kind of fault, followed for `offset`, which values and sensors can have: sentences, tables and runs know it,
# an automaton is refused, and formatting keeps its sign.
. "$HBG_SOURCE_DIR/tests/arch/recipe.sh"

begin
insert src/model/kinds_impl.h 'X(DRIFT, "drift"' '    X(OFFSET, "offset", ADDS, true, false, true) '"\\"
replace src/lang/fault.c '"`abrupt`, `incipient` or `stuck`"' '"`abrupt`, `offset`, `incipient` or `stuck`"'
replace src/lang/fault.c '"`bias`, `drift`, `stuck` or' '"`bias`, `offset`, `drift`, `stuck` or'
replace src/model/check_faults.c 'can be `abrupt`,' 'can be `abrupt`, `offset`,'
replace tests/model/check_faults_test.c 'bias, drift, noise */' 'bias, drift, offset, noise */'
replace tests/model/check_faults_test.c '{HBG_OBJECT_PARAM, "111000"}, {HBG_OBJECT_AUTOMATON, "001000"}, {HBG_OBJECT_SIGNAL, "001111"}' \
    '{HBG_OBJECT_PARAM, "1110010"}, {HBG_OBJECT_AUTOMATON, "0010000"}, {HBG_OBJECT_SIGNAL, "0011111"}'
replace docs/language.md '`abrupt x` adds x, or x percent' '`abrupt x`, like `offset x`, adds x, or x percent'
replace docs/language.md '"bias" | "drift" )' '"bias" | "drift" | "offset" )'
insert docs/faults.md '| | `stuck x` | x |' '| | `offset x` | as `abrupt`; also of sensors |'
follows 'Add a kind of fault.'
rebuild 'HBG_FAULT_|hbg_fault_info'
make_hbg
passes model/check_faults

# 12 V across 4 Ω, then 6 Ω; a sensor that shows 0.5 V more, 12.5 V
cat >model.hbg <<'END'
model M {
    param R1 = 4 [Ohm]; Se s(12 [V]); R r(R1); 1 j when relay; s -> j -> r; sensor v = s.e; input bool cmd = true;
    automaton relay { on closed -> open when !cmd; off open -> closed when cmd; }
    experiment e {
        stop 2 [s];
        fault at 1 [s]: R1 offset 2 [Ohm];
        fault at 1 [s]: v offset -0.5 [V];
        record r.f, v;
    }
}
END
"$hbg" run model.hbg -q -o values.csv
near 'the current before' "$(sed -n 2p values.csv | cut -d , -f 2)" 3 1e-12
near 'the current after' "$(tail -n 1 values.csv | cut -d , -f 2)" 2 1e-12
near 'what the sensor shows' "$(tail -n 1 values.csv | cut -d , -f 3)" 11.5 1e-12
"$hbg" run model.hbg -q --fault 'at 1.5 [s]: R1 offset 50 [%]' -o values.csv
near 'the current of both' "$(tail -n 1 values.csv | cut -d , -f 2)" 1.5 1e-12
printf 'at,until,target,kind,value\n1.5 [s],,R1,offset,2 [Ohm]\n' >table.csv
"$hbg" run model.hbg -q --faults table.csv -o values.csv
near 'the current by a table' "$(tail -n 1 values.csv | cut -d , -f 2)" 1.5 1e-12
"$hbg" fmt model.hbg -o - 2>/dev/null | grep -q 'v offset -0.5 \[V\]' || fail "formatting takes the minus for a difference"
code=0
"$hbg" run model.hbg -q --fault 'at 1 [s]: relay offset 1' >out 2>&1 || code=$?
[ $code = 2 ] && grep -q 'it cannot have this fault' out || fail "an automaton has the fault"

# a column that is left out or misspelt
for line in 'X(OFFSET, "offset", ADDS, true, false)' 'X(OFFSET, "offset", , true, false, true)' 'X(OFFSET, "offset", ADD, true, false, true)'; do
    sed "s/X(OFFSET.*)/$line/" "$tree/src/model/kinds_impl.h" >edited
    ! cmp -s edited "$tree/src/model/kinds_impl.h" || fail "the line was not changed"
    cp "$tree/src/model/kinds_impl.h" good
    cp edited "$tree/src/model/kinds_impl.h"
    if gcc "${strict[@]}" "${flags[@]}" -fsyntax-only "$tree/src/model/kinds.c" 2>log; then fail "$line compiles"; fi
    cp good "$tree/src/model/kinds_impl.h"
done
