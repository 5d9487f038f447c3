#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every property that the tests of causality claim is shown to catch a broken build.
set -euo pipefail
. "$HBG_SOURCE_DIR/tests/mutation.sh"
mutated_share=12

# name, broken file, test that has to notice; the pattern; what stands there instead. Two lists, run side by side
mutations() {
    # as many integral storages as the best of all assignments, and above that as an assignment from nothing
    mutate keep_derivative causal/repair.c random:plain_* 'if (assignment->tally.derivative_total > 0) improve' 'if (false) improve'
    mutate keep_eight causal/repair.c random:graphs_of_eight_* 'if (assignment->tally.derivative_total > 0) improve' 'if (false) improve'
    mutate keep_large causal/repair.c random:large_trees_* 'if (assignment->tally.derivative_total > 0) improve' 'if (false) improve'
    mutate keep_nets causal/repair.c random:large_nets_are_* 'if (assignment->tally.derivative_total > 0) improve' 'if (false) improve'
    # the rules of junctions: an off junction sets its own variable
    mutate wrong_zero causal/hybrid.c random 'uint8_t mark = structure->dual_off\[place\]' 'uint8_t mark = 0'
    # a mode is rejected where no assignment exists, and nowhere else
    mutate accept_all causal/repair.c random:plain_* 'if (!good) set_bad(assignment, place);' '(void)good;'
    mutate reject_more causal/repair.c random:plain_* '^    supply_all(assignment);' ''
    # incremental is as good as from nothing
    mutate stay_bad causal/hybrid.c random 'if (assignment->tally.bad_in\[region\] == 0) continue;' 'continue;'
    mutate stay_large causal/hybrid.c random:large_* 'if (assignment->tally.bad_in\[region\] == 0) continue;' 'continue;'
    # cycles with an odd number of gyrators
    mutate no_blossoms causal/blossom.c blossom 'draw_together(search, from, to, slot);' '(void)slot;'
    mutate search_again causal/blossom.c blossom 'return assignment->search.closing \&\& ' 'return false \&\& '
    # forced causality
    mutate forget_far_end causal/forced.c forced '\&\& balance(assignment, there)' ''
    mutate force_more causal/forced.c forced:forced_is_what_all_assignments_share 'size\[component\[i\]\] > 1' 'false'
    mutate trust_cycles causal/forced.c forced '(odd \&\& !has_another(trial, place))' 'false'
    mutate part_ends causal/forced.c forced 'arc(graph, giving_way(graph), left);' '(void)left;'
    # fixed and constrained causality
    mutate fix_all_storages causal/fixed.c fixed 'return always_determines(structure, place, slot);' 'return true;'
    mutate fix_floating causal/fixed.c fixed 'if (!s->alive\[place\]) return;' ''
    mutate constrain_more causal/fixed.c fixed 'degree > 2 && out >= 1 && out <= degree - 2' 'degree > 2'
    mutate choose_less causal/fixed.c fixed 'fixed_mark(structure, slot) != 0) return true;' 'fixed_mark(structure, slot) > 0) return true;'
    # junctions that never need a reassignment
    mutate never_reassign causal/fixed.c fixed 'causal_partner(structure, slot, 1) == 1 &&$' 'true || '
    # conflicts
    mutate name_all_bonds causal/conflict.c conflict '^    reduce(&search);' \
        '    for (int32_t i = 0; i < search.count; i++) search.kept[search.row[i]] = true;'
    # the verdict over all modes
    mutate never_reached verify/modes.c causality 'modes->always.can_be\[state\] ? hbg_verify_variable(clauses) : LITERAL_FALSE' \
        'hbg_verify_variable(clauses)'
    mutate no_exchange verify/dependence.c dependence 'if (derivatives == 0) return false;' 'return false;'
}

more_mutations() {
    # parts that float, zeros that are repeated, storages that are shorted
    mutate float_live_parts causal/repair.c oracle 'speaks(assignment, slot)) return false;' 'false) return false;'
    mutate no_zeros causal/zeros.c oracle 'if (assignment->is_grounded\[place\]) return false;' 'return false;'
    mutate allow_short causal/repair.c oracle 'if (!structure->options.integral) return false;' 'return false;'
    mutate sleep_on causal/repair.c repair 'if (place == HBG_NONE || !assignment->dead\[place\]) return;' 'return;'
    # the same graph written otherwise: a letter of a name that decides, an order, an end of a bond, a chain
    mutate names_decide causal/structure.c invariance:names_* 'at->kind == HBG_KIND_I;' \
        'at->kind == HBG_KIND_I || hbg_base_names_get(structure->model->names, at->id.name)[0] == 122;'
    mutate first_come causal/repair.c invariance:the_order_* '^    relieve_all(assignment);' ''
    mutate one_end causal/blossom.c invariance:bonds_* 'if (assignment->rigid\[slot >> 1\]) return GAIN_NONE;' \
        'if (assignment->rigid[slot >> 1] || (slot \& 1)) return GAIN_NONE;'
    mutate transformers_turn causal/structure.c invariance:transformers_* 'if (next->kind == HBG_KIND_GY) link.odd' 'link.odd'
    # algebraic loops
    mutate lose_sums causal/loops.c loops 'arc(graph, slot, determining ^ 1);' ''
    mutate part_fields causal/loops.c loops 'elements.items\[end->element\].ports == 1' 'elements.count > 0'
    mutate merge_components graph/strong_components.c strong_components 'if (t->low\[node\] < t->low\[parent\])' 'if (false)'
    # causal paths
    mutate sum_everywhere causal/paths.c paths 'if (slot != determining) {' 'if (false) {'
    mutate pass_off causal/paths.c paths ' || !assignment->on\[place\] || assignment->count\[place\] != 1' ''
    mutate no_turns causal/paths.c paths 'value != ((entry & 2) != 0)' 'value'
    # the cache
    mutate forget_the_mode causal/cache.c cache 'if (cache->keyed) cache->key' 'if (false) cache->key'
    mutate trust_floats causal/cache.c cache 'if (byte .. assignment->floating\[-1 - slot\])' 'if (false)'
    mutate lag_behind causal/cache.c cache '^    cache->current = entry;' ''
    mutate skip_words causal/cache.c cache 'if (a == b) continue;' 'continue;'
    # modes without a history
    mutate keep_the_past causal/enter.c enter '^        hbg_causal_write(assignment, slot, assignment->home.mark\[slot\]);' ''
    mutate trust_the_bad causal/enter.c enter 'if (assignment->home.bad\[region\])' 'if (false)'
    # which storage is integral where not all can be
    mutate wrong_way causal/preference.c preference 'from_first ? height - step : height + step' 'from_first ? height + step : height - step'
    mutate no_turn causal/preference.c preference:a_gyrator_* 'return step - height;' 'return height - step;'
    mutate same_sign causal/preference.c preference:effort_* 'end->wants_effort ? at : -at' 'at'
    mutate any_loser causal/blossom.c preference:preference_* 'return gain == GAIN_LOSS \&\& search->best_gain' 'return false \&\& search->best_gain'
    mutate close_more causal/blossom.c preference 'closed_limit\[vertex\] >= assignment->worth_limit' 'closed_limit[vertex] >= INT32_MIN'
    mutate stay_worse causal/alternate.c preference:large_* 'turn_integral(assignment, slot, GAIN_LOSS)' 'turn_integral(assignment, slot, GAIN_ZERO)'
    # what a mode change can touch
    mutate part_bundles causal/regions.c regions 'maker->wide < \*filled; maker->wide++' 'false; maker->wide++'
    # the paper's case 4
    mutate no_case_4 causal/fixed.c paper 'return causal_partner(structure, v->last_open, 1) == 1 ? other : HBG_NONE;' 'return HBG_NONE;'
}

test_of causal/random causal/blossom causal/forced causal/fixed causal/conflict causal/oracle causal/repair \
    causal/invariance causal/loops causal/paths causal/cache causal/enter causal/regions causal/paper causal/preference \
    verify/causality verify/dependence graph/strong_components
unchanged loops
unchanged 'random:large_nets_are_*'
grep -q '1 test(s) run' unchanged_random.log
mutations &
first=$!
more_mutations
wait "$first"
