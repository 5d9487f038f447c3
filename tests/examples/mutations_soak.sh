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
test_of sim/guard_roots sim/roots_touch sim/roots_loose sim/rounding sim/run_zeno api/run_conservation
for test in facts run_conservation guard_roots roots_touch roots_loose rounding run_zeno; do unchanged "$test"; done

# facts: energies behind a jump, rebounds, modes, verdicts, times
mutate kept eqn/instant.c facts 'x_plus\[i\] = run->r\[reg\];' '' 'two-capacitors'
mutate rebound eqn/instant.c facts 'return coefficient \* sum;' 'return -coefficient * sum;' 'ball-restitution'
mutate finite eqn/value.c facts 'area = a.area - b.area, fin' 'area = 0, fin' 'diode-inductor: .* modes'
mutate allowed rt/search.c facts 'return end_with(search, HBG_RT_FORBIDDEN_GUARD);' '{}' 'inconsistent-relay: .* verdict'
mutate late sim/roots_locate.c facts 'double least = fmax(32 \* DBL_EPSILON' 'double least = 1e-6 + fmax(32 * DBL_EPSILON' 'event'

# and that events accumulate, or make no headway
mutate endless sim/run_instant.c facts 'if (changed \&\& accumulates(engine)) status = HBG_RT_VERDICT;' '' 'ball-restitution: .* verdict'
mutate settled sim/run_zeno.c facts 'double near = 1e-4;' 'double near = 1;' 'ball-restitution'
mutate muddled sim/run_instant.c facts 'search->verdict = HBG_RT_CHATTERING;' 'search->verdict = HBG_RT_ZENO;' 'bang-bang-oven: .* verdict'

# conservation: areas that are not what was gained, energy that is not what is missing
mutate halved eqn/instant.c run_conservation '\*flow = active ? area_of(run, of->flow) : 0;' \
    '*flow = active ? area_of(run, of->flow) / 2 : 0;' 'with a pulse of'
mutate unbalanced eqn/instant.c run_conservation '\*effort = active ? area_of(run, of->effort) : 0;' \
    '*effort = active \&\& bond % 2 == 0 ? area_of(run, of->effort) : 0;' 'areas at junction'
mutate forgotten rt/search.c run_conservation 'before - after + supplied' 'before - after' 'Failure!'
mutate doubled rt/search.c run_conservation 'before - after + supplied' '2 * (before - after + supplied)' 'J are lost'

# roots: not late, not passed over, not missed where they only touch
mutate coarse sim/roots_locate.c guard_roots 'double least = fmax(32 \* DBL_EPSILON' 'double least = 1e-3 + fmax(32 * DBL_EPSILON' 'move .* at'
mutate passed sim/roots_dip.c guard_roots '^\(hbg_rt_status hbg_sim_roots_dip(.*) {\)$' '\1 return HBG_RT_OK;' 'moves, not'
mutate untouched sim/roots.c guard_roots '^static void list_touching(hbg_sim_roots \*roots, int32_t first) {' \
    'static void list_touching(hbg_sim_roots *roots, int32_t first) { roots->crossed_count = 0; return;' 'Failure!'
mutate blurred sim/roots_touch.c guard_roots 'near \&\& status == HBG_RT_OK \&\& after <= fmax(before, band)' 'false' 'move .* at'
mutate alone sim/roots.c guard_roots 'if (roots->beside\[k\]) roots->crossed' 'if (false) roots->crossed' 'Failure!'
mutate held_up sim/roots.c guard_roots:a_sample_* 'roots->begun\[k\] = has_come(roots, k, g\[k\]);' 'roots->begun[k] = false;' 'move .* at'

# what rests does so, and what jumps does not
mutate restless sim/roots_loose.c roots_loose:vessels_* 'if (\*rests) settle(' 'if (*rests = false) settle(' 'solver'
mutate stuck sim/roots_loose.c roots_loose:where_* 'return part_away(.*) < vanishes \* part_away(.*);' 'return true;' 'Failure!'

# what is nothing but rounding is not followed, and nothing else is left to itself
mutate noisy sim/rounding.c rounding:what_* 'HBG_SIM_ROUNDING \* fabs' '0 * fabs' 'solver'
mutate loose sim/rounding.c rounding:small_* 'HBG_SIM_ROUNDING \* fabs' '1e9 * HBG_SIM_ROUNDING * fabs' 'Failure!'
mutate deaf sim/rounding.c rounding:rounding_* 'more = hand_on(field);' 'more = false;' 'Failure!'

# long hops of fixed steps
mutate lively sim/run_zeno.c run_zeno:long_* 'fits \&\& zeno->sure > 0' 'false' 'Failure!'
mutate shaken sim/run_zeno.c run_zeno:hops_that_something_* 'double gained = 3;' 'double gained = 1000;' 'Failure!'
