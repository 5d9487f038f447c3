#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The facts of examples, the conservation in their jumps and the roots of guards are shown to catch a broken build.
set -euo pipefail
. "$HBG_SOURCE_DIR/tests/mutation.sh"
mutated_limit=300
export HBG_FACTS="two-capacitors diode-inductor bullet-and-block ball-restitution three-masses-bouncing inconsistent-relay capacitor-on-source bang-bang-oven"

# facts are judged by a script that runs the command
objects_of() {
    objects=("$1.o")
    [ "$1" != facts ] || objects=(command/*.o)
}
command_of() {
    command=("../$1")
    [ "$2" != facts ] || command=(env HBG="$PWD/$1" sh "$HBG_SOURCE_DIR/tests/examples/run_facts_test.sh")
}

mkdir -p command
for file in "$HBG_SOURCE_DIR"/src/tool/*.c; do
    gcc "${flags[@]}" -c "$file" -o "command/$(basename "$file" .c).o"
done
test_of rt/guard_roots rt/roots_touch rt/roots_loose rt/rounding rt/advance_zeno api/run_conservation
for test in facts run_conservation guard_roots roots_touch roots_loose rounding advance_zeno; do unchanged "$test"; done

# facts: energies behind a jump, rebounds, modes, verdicts, times
mutate kept rt/instant.c facts 'x_plus\[i\] = run->r\[reg\];' '' 'two-capacitors'
mutate rebound rt/instant_values.c facts 'return coefficient \* sum;' 'return -coefficient * sum;' 'ball-restitution'
mutate finite rt/judge.c facts 'area = a->area - b->area, fin' 'area = 0, fin' 'diode-inductor: .* modes'
mutate allowed rt/search.c facts 'return end_with(search, HBG_RT_FORBIDDEN_GUARD);' '{}' 'inconsistent-relay: .* verdict'
mutate late rt/roots_locate.c facts 'double least = fmax(HBG_RT_LOCATED' 'double least = 1e-6 + fmax(HBG_RT_LOCATED' 'event'

# and that events accumulate, or make no headway
mutate endless rt/advance_instant.c facts 'if (changed \&\& accumulates(engine)) status = HBG_RT_VERDICT;' '' 'ball-restitution: .* verdict'
mutate settled rt/advance_zeno.c facts '> HBG_RT_ZENO_NEAR \*' '> 1 *' 'ball-restitution'
mutate muddled rt/advance_instant.c facts 'search->verdict = HBG_RT_CHATTERING;' 'search->verdict = HBG_RT_ZENO;' 'bang-bang-oven: .* verdict'

# conservation: areas that are not what was gained, energy that is not what is missing
mutate halved rt/instant.c run_conservation '\*flow = active ? area_of(run, of->flow) : 0;' \
    '*flow = active ? area_of(run, of->flow) / 2 : 0;' 'with a pulse of'
mutate unbalanced rt/instant.c run_conservation '\*effort = active ? area_of(run, of->effort) : 0;' \
    '*effort = active \&\& bond % 2 == 0 ? area_of(run, of->effort) : 0;' 'areas at junction'
mutate forgotten rt/search.c run_conservation 'before - after + supplied' 'before - after' 'Failure!'
mutate doubled rt/search.c run_conservation 'before - after + supplied' '2 * (before - after + supplied)' 'J are lost'

# roots: not late, not passed over, not missed where they only touch
mutate coarse rt/roots_locate.c guard_roots 'double least = fmax(HBG_RT_LOCATED' 'double least = 1e-3 + fmax(HBG_RT_LOCATED' 'move .* at'
mutate passed rt/roots_dip.c guard_roots '^\(hbg_rt_status hbg_rt_roots_dip(.*) {\)$' '\1 return HBG_RT_OK;' 'moves, not'
mutate untouched rt/roots.c guard_roots '^static void list_touching(hbg_rt_roots \*roots, int32_t first) {' \
    'static void list_touching(hbg_rt_roots *roots, int32_t first) { roots->crossed_count = 0; return;' 'Failure!'
mutate blurred rt/roots_touch.c guard_roots 'near \&\& status == HBG_RT_OK \&\& after <= fmax(before, band)' 'false' 'move .* at'
mutate alone rt/roots.c guard_roots 'if (roots->beside\[k\]) roots->crossed' 'if (false) roots->crossed' 'Failure!'
mutate held_up rt/roots.c guard_roots:a_sample_* 'roots->begun\[k\] = has_come(roots, k, g\[k\]);' 'roots->begun[k] = false;' 'move .* at'

# what rests does so, and what jumps does not
mutate restless rt/roots_loose.c roots_loose:vessels_* 'if (\*rests) settle(' 'if (*rests = false) settle(' 'solver'
mutate stuck rt/roots_loose.c roots_loose:where_* 'return part_away(.*) < vanishes \* part_away(.*);' 'return true;' 'Failure!'

# what is nothing but rounding is not followed, and nothing else is left to itself
mutate noisy rt/rounding.c rounding:what_* 'HBG_RT_VALUE_ROUNDING \* fabs' '0 * fabs' 'solver'
mutate loose rt/rounding.c rounding:small_* 'HBG_RT_VALUE_ROUNDING \* fabs' '1e9 * HBG_RT_VALUE_ROUNDING * fabs' 'Failure!'
mutate deaf rt/rounding.c rounding:rounding_* 'more = hand_on(field);' 'more = false;' 'Failure!'

# long hops of fixed steps
mutate lively rt/advance_zeno.c advance_zeno:long_* 'fits \&\& zeno->sure > 0' 'false' 'Failure!'
mutate shaken rt/advance_zeno.c advance_zeno:hops_that_something_* 'double gained = 3;' 'double gained = 1000;' 'Failure!'
