#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every property that the tests of equations claim is shown to catch a broken build.
set -euo pipefail
. "$HBG_SOURCE_DIR/tests/mutation.sh"
mutated_share=12
mutated_folder=eqn
flags+=(-isystem /usr/include/suitesparse) # of one of the files that are broken

# name, broken file, test that has to notice; the pattern; what stands there instead. Two lists, run side by side
properties() {
    # rates and bond variables are those of the tableau
    mutate transformers equation.c random:rates_and_* 'effort == (port == 1)' 'effort == (port == 2)'
    mutate fields law.c random:rates_and_* 'entry(eqn, element, port - 1, k)' 'entry(eqn, element, k, port - 1)'
    mutate slopes equation.c random:rates_and_* 'if (variable == eqn->first\[VARIABLE_TIME\] && goes_with_time(all, layer))' 'if (false)'
    # jumps
    mutate areas equation.c random:jumps_are_* 'hbg_term_add(&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area)' \
        'hbg_term_subtract(\&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area)'
    mutate gains equation.c random:energy_* 'hbg_term_add(&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area)' \
        'hbg_term_subtract(\&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area)'
    mutate off causal/gates.c random:rates_in_* '!= of->odd' '!= false'
    # conservation
    mutate balance equation.c random:junctions_* 'sign_at(model, junction, other) == own' 'false'
    mutate ledger describe.c random:stored_* 'port <= eqn->model->elements.items\[element\].ports' 'port <= 1'
    # the Jacobian
    mutate colours code/jacobian.c random:the_jacobian_* 'while (taken\[colour\] == j + 1) colour++;' ''
    mutate seeds equation.c random:the_jacobian_* 'is_state && layer == LAYER_TANGENT' 'is_state \&\& layer == LAYER_COUNT'
    # loops
    mutate newton rt/solve.c random:nonlinear_* 'size < HBG_RT_SOLVED ||' 'size < 1e-1 ||'
    mutate drift equation.c random:along_* 'if (variable == eqn->first\[VARIABLE_TIME\] && goes_with_time(all, layer))' 'if (false)'
    # the same graph written otherwise
    mutate order code/loop.c random:the_order_* 'product <= most' \
        'product <= most - (tear->all->eqn->model->bonds.items[0].id.span.start \& 1)'
    mutate turned variable.c random:bonds_* 'one_port && other->kind == HBG_KIND_ONE' 'false'
}

parts() {
    mutate differences term/term.c term:what_changes_* 'if (a == b) return hbg_term_integer(terms, 0);' ''
    mutate rounded term/term.c term:simplified_* 'hbg_term_is_zero(terms, a) || hbg_term_is_one(terms, b)' 'a == b || hbg_term_is_one(terms, b)'
    mutate cosine term/derivative.c derivative 'hbg_term_negate(s.terms, one_argument(s.terms, HBG_OP_SIN, s.a))' 'one_argument(s.terms, HBG_OP_SIN, s.a)'
    # parameters that the run moves
    mutate creeping rate.c rate:derivatives_* 'hbg_term_multiply(terms, of->partial, rate)' 'of->partial'
    mutate follows rate.c rate:dependent_* 'if (eqn->may_move)' 'if (false)'
    mutate numbers rate.c rate:what_stays_* 'hbg_term_make(terms, HBG_OP_SELECT, moves, hbg_term_multiply(terms, share, rate), zero)' \
        'hbg_term_multiply(terms, share, rate)'
    mutate told rate.c rate:the_text_* 'return hbg_term_make(terms, TERM_RATE, sum, part, HBG_NONE);' 'return sum;'
    mutate halves describe.c rate:work_* 'hbg_term_double(&eqn->terms, -0.5)' 'hbg_term_double(\&eqn->terms, -1)'
    mutate integrals describe.c rate:work_* 'hbg_term_is_zero(terms, rate) ? rate :' 'true ? hbg_term_integer(terms, 0) :'
    mutate unseen code/stage.c rate:a_branch_* 'made.located = number_in_prologue(code, term);' ''
    mutate remembered rt/line.c rate:a_branch_* 'lines->use == run->located && run->located != LOCATED_RECORD' 'true'
    mutate pruned rt/line.c line:every_* 'of->moves\[code->d\] = true;' ''
    mutate kinks term/derivative.c derivative:at_a_kink_* 'HBG_OP_GREATER_EQUAL' 'HBG_OP_GREATER'
    mutate weights translate.c translate:laws_* '0.05061426814518813}' '0.0506}'
    mutate late_laws translate.c translate:an_energy_* 'HBG_PUSH(&eqn->scratch, \*stack, need(needs, i));' 'continue;'
    mutate inverse law.c law 'hbg_term_divide(terms, y, value)' 'hbg_term_multiply(terms, y, value)'
    mutate pivots law.c translate:fields_* 'for (int32_t i = p + 1; i < n; i++) {' 'for (int32_t i = p + 1; i < n - 1; i++) {'
    mutate mixed start.c start:a_field_* 'if (!is_given_by_output(eqn, eqn->element_state\[element\] + k)) return false;' ''
    mutate alone sort.c sort:loops_* 'of->kind == EQUATION_IMPLICIT || reads_itself(sort, node)' 'of->kind == EQUATION_IMPLICIT'
    mutate branches code/stage.c jacobian:a_frozen_* 'case BRANCH_GREATER: return hbg_term_make' 'case BRANCH_GREATER: return term; return hbg_term_make'
    mutate switching code/loop.c loop:a_relation_* 'if (!smooth) return true;' ''
    mutate back rt/interpret.c interpret:a_frozen_table_* 'high - at > at - low ? -1 : 1' '1'
    mutate whole rt/interpret.c interpret:a_frozen_operator_* 'branch < 0 ? branch + 1 : branch' 'branch'
    mutate guesses rt/solve.c solve:laws_* 'k <= sizeof guesses' '1 > sizeof guesses'
    mutate within rt/solve.c solve:what_only_* 'of->count == 1 &&' 'of->count == -1 \&\&'
    mutate brackets term/print.c print:expressions_* 'right ? own : own + 1' 'own'
    mutate modulated describe.c describe:modulating_* 'modulated |= entry != HBG_NONE' 'modulated |= false'
    mutate names variable.c variable:a_bond_* 'if (hbg_eqn_sign(model, ends\[i\]->element, ends\[i\]->port, variable) < 0) continue;' ''
    mutate select equation.c equation:sources_* 'cutting == HBG_NONE ? given : selected(all, cutting, given)' 'given'
    mutate shorts equation.c equation:sources_* 'if (is_cut(all, link)) return assign_zero(all);' ''
    mutate hidden defined.c defined:an_output_* 'if (is_undefined(eqn, &node)) return integer(eqn, 0);' ''
    mutate lazy defined.c defined:what_nobody_* 'hbg_term alone = either(eqn, both(eqn, left, a), both(eqn, right, b));' \
        'hbg_term alone = integer(eqn, 0);'
    # blocks, islands, selects
    mutate stale rt/mode.c block:a_mode_* 'i < of->blocks.count' 'i < 0'
    mutate nearby code/choice.c choice:on_and_off_decide_in_random_graphs 'i < facts->places.count' 'i < facts->places.count \&\& i < 1'
    mutate split island_map.c island:a_guard_* 'hbg_eqn_island_look_at_term(map, eqn->guards\[i\].condition);' ''
    mutate formulas guard.c instant:the_pulse_* 'if (area != HBG_NONE) eqn->signal_area\[open.items\[i\]\] = area + 1;' ''
    mutate asleep rt/instant.c island:an_event_* 'if (at_start || run->outside.inputs_changed || hbg_rt_draws(run))' 'if (true)'
    mutate linear vary.c vary:all_others_* 'element->ports == 1 \&\& hbg_eqn_is_linear(element)' 'true'
    mutate covered reads.c vary:possible_* 'if (i != (asked == HBG_VARIABLE_EFFORT ? 1 - stroke : stroke)) continue;' 'if (i == 0) continue;'
}

# hybrid graphs: instants, invariance, agreement
hybrids() {
    # energies behind a jump
    mutate kept rt/instant.c hybrid:energies_* 'x_plus\[i\] = run->r\[reg\];' ''
    mutate rebound rt/instant_values.c hybrid:energies_* 'return coefficient \* hbg_rt_bounce_sum' 'return -coefficient * hbg_rt_bounce_sum'
    mutate rebounds rt/instant_values.c hybrid_steps:bodies_with_a_stiff_* 'return coefficient \* hbg_rt_bounce_sum' 'return -coefficient * hbg_rt_bounce_sum'
    mutate twice equation.c hybrid:every_* 'if (!is_open(all, by->element, link, asked))' 'if (true)'
    mutate cuts equation.c hybrid:while_* 'if (is_cut(all, link)) return assign_zero(all);' ''
    # conservation, laws on areas
    mutate transposed equation.c hybrid:sums_* 'hbg_term_add(&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area)' \
        'hbg_term_subtract(\&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area)'
    mutate sums equation.c hybrid:areas_* 'sign_at(model, junction, other) == own' 'false'
    # energy
    mutate booked rt/search.c hybrid:energy_* 'before - after + supplied' 'before - after'
    # moves
    mutate pulses rt/judge.c hybrid:automata_* 'area = a->area - b->area, fin' 'area = 0, fin'
    mutate early rt/instant.c hybrid:automata_* 'run->at.a_priori = run->at.resumed = false;' 'run->at.resumed = false; hbg_rt_record_values(run);'
    mutate late rt/instant_values.c hybrid:automata_* 'run->pre_next\[pres\[i\]\] = hbg_rt_record_pre(.*);' ';'
    mutate single rt/instant_move.c hybrid:automata_* 'else if (looks_now(run, automaton))' \
        'else if (looks_now(run, automaton) \&\& memcmp(next, states, (size_t)run->image->instants.counts.automata * sizeof *next) == 0)'
    mutate last rt/instant_move.c hybrid:every_* '^        return;$' ''
    mutate again rt/search.c hybrid:automata_* 'bool counts = .*;' 'bool counts = false;'
    # verdicts and kinds
    mutate ends rt/search.c hybrid:verdicts_* 'bool returns = work->order >' 'bool returns = 0 >'
    mutate kinds rt/search.c hybrid:verdicts_* 'last->moves ? HBG_RT_PINNACLE' '!last->moves ? HBG_RT_PINNACLE'
    mutate stays rt/search.c hybrid:every_* 'if (last->waiting && last->moves) {' 'if (false) {'
    # while time flows
    mutate unwatched rt/instant_flow.c hybrid:while_* 'm < relations.first + relations.count; m++' 'm < relations.first + relations.count - 1; m++'
    mutate weighed rt/instant_values.c pulse:an_area_* 'if (fabs(value.area) <= HBG_RT_ROUNDING \* \*size) value.area = 0;' 'value.area = 0;'
    mutate ratio equation.c hybrid:while_* 'effort == (port == 1)' 'effort == (port == 2)'
    # relations that others carry along, equality, the borders of cells, states that come back
    mutate carried rt/roots_carry.c roots_carry:what_jumps_* 'roots->side\[k\] \* g\[k\] > band' 'roots->side[k] * g[k] >= -band'
    mutate rounding rt/interpret.c roots_carry:rounding_* 'double whole = nearbyint(' 'double whole = floor('
    mutate sided rt/instant_flow.c guard_equality:equality_is_left_* 'if (in_band && equality)' 'if (false)'
    mutate returning rt/visited.c visited:a_circle_* 'if (find(of, &state, now)) return true;' ''
    # the same graph written otherwise; other ways to run it
    mutate shuffled equation.c hybrid_order:the_order_* 'hbg_term_add(&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area)' \
        'hbg_term_add(\&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), eqn->model->bonds.items[0].id.span.start \& 1 ? area : hbg_term_multiply(\&eqn->terms, area, hbg_term_double(\&eqn->terms, 1 + 1e-15)))'
    mutate sides variable.c hybrid_order:bonds_* 'one_port && other->kind == HBG_KIND_ONE' 'false'
    mutate neighbours rt/instant_move.c hybrid_side:two_* 'at->bouncing\[run->active\[n\]\]' 'at->bouncing[run->active[0]]'
    mutate shifted sim/cvode.c hybrid_circuits:a_relation_* 'double left = .*;' 'double left = 0;'
    mutate unsized rt/field.c hybrid_circuits:what_rises_* '^    look_further(field, t, x, reach);' ''
    mutate woken rt/advance_instant.c hybrid_circuits:what_is_woken_* 'status = find_sizes(engine, moved);' 'status = HBG_RT_OK;'
    mutate believed rt/roots_confirm.c hybrid_circuits:what_comes_* 'if (roots->touched) return HBG_RT_OK;' 'return HBG_RT_OK;'
    mutate poles rt/judge.c hybrid_circuits:rounding_* 'of->compared\[0\] == HBG_RT_NONE || ' 'true || '
    mutate sampled rt/advance.c hybrid_steps:fixed_* 'engine->moment.crossed = engine->roots->crossed_count > 0;' ''
}

for test in random translate law start sort print describe variable equation \
    hybrid hybrid_order hybrid_side island vary defined rate; do
    test_of "eqn/$test"
done
test_of code/jacobian code/loop code/block code/choice
test_of rt/interpret rt/solve rt/instant rt/line
test_of term/term term/derivative term/pulse sim/hybrid_steps sim/hybrid_circuits rt/roots_carry rt/guard_equality rt/visited
unchanged 'random:rates_and_*'
grep -q '1 test(s) run' unchanged_random.log
properties &
first=$!
hybrids &
second=$!
parts
wait "$first"
wait "$second"
