/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a region is met at the exit of a real mode. Time has advanced in a discrete state: its energies fit
 * it and no guard held a moment ago; now one does, or an input has changed, and the region is there now or,
 * since a strict relation fires when it is crossed, a moment later. What led to the energies in that mode is
 * not asked, but a run could begin in it and flow there: reached means that this is certain. */
#include <math.h>

#include "verify/paths_impl.h"
#include "verify/shift_impl.h"

formula *hbg_verify_paths_rates(group_proof *proof, const int32_t *states, const exact_past *past) {
    int32_t count = 0, total = proof->system->state_count;
    int32_t *wanted = HBG_NEW_ARRAY(proof->arena, int32_t, total + 1);
    formula *rates = HBG_NEW_ARRAY(proof->arena, formula, total + 1);
    for (int32_t i = 0; i < total; i++)
        if (hbg_eqn_exact_belongs(proof->eqn, proof->number, hbg_eqn_exact_rate(proof->eqn, i)))
            wanted[count++] = i;
    exact_state field = {.states = (int32_t *)states};
    field.mode = hbg_eqn_exact_field(proof->eqn, proof->arena, states, wanted, count);
    hbg_base_pair_map_init(&field.place, proof->arena);
    for (int32_t i = 0; i < field.mode.count; i++)
        hbg_base_pair_map_add(&field.place, field.mode.equations[i].variable, 0, i);
    exact_values *values = hbg_verify_group_values(proof, &field, past);
    for (int32_t i = 0; i < count && values; i++) {
        hbg_exact_variable of =
            hbg_eqn_exact_variable(proof->eqn, hbg_eqn_exact_state(proof->eqn, wanted[i]));
        const exact_value *found = hbg_verify_values_find(values, of.rate);
        hbg_verify_values_require(proof, values, of.rate);
        if (found) rates[wanted[i]] = found->fin;
    }
    return rates;
}

/* No guard of the state held a moment ago, or holds now (`earlier` is NULL). A wait or a tick may have kept
 * one from being taken. */
static formula was_quiet(group_proof *proof, const int32_t *states, const exact_values *values,
                         const exact_past *past, time_shift *earlier) {
    formulas *f = &proof->f;
    formula quiet = f->yes;
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, past, true);
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        const hbg_automaton *of = &proof->model->automata.items[automaton];
        const hbg_automaton_state *state = &proof->model->states.items[of->first_state + states[automaton]];
        if (proof->timing.tick[automaton]) continue;
        for (int32_t k = 0; k < state->transition_count; k++) {
            hbg_exact_guard guard = hbg_eqn_exact_guard(proof->eqn, state->first_transition + k);
            if (guard.condition == HBG_NONE || !isnan(guard.after)) continue;
            formula holds = hbg_verify_value_truth(proof, hbg_verify_scope_evaluate(&scope, guard.condition));
            if (earlier) holds = hbg_verify_shift_truth(earlier, holds);
            quiet = hbg_verify_formula_and(f, quiet, hbg_verify_formula_not(f, holds));
        }
    }
    return quiet;
}

/* Something from outside ends the flow: an input changes, a clock ticks, a wait is over. */
static formula is_disturbed(group_proof *proof) {
    formulas *f = &proof->f;
    formula any = f->no;
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        for (int kind = 0; kind < 2; kind++) {
            exact_value *const *of = kind ? proof->signals.held : proof->signals.input;
            if (!of[0][i].fin) continue;
            bool event = proof->model->signals.items[i].type == HBG_TYPE_EVENT;
            formula was = event ? f->no : of[1][i].fin ? of[1][i].fin : NULL;
            formula changed =
                was ? hbg_verify_formula_not(f, hbg_verify_formula_equal(f, was, of[0][i].fin)) : f->yes;
            any = hbg_verify_formula_or(f, any, changed);
        }
    for (int32_t i = 0; i < proof->timing.clocks.count; i++)
        any = hbg_verify_formula_or(f, any, proof->timing.clocks.items[i].ticks);
    for (int32_t i = 0; i < proof->model->transitions.count; i++)
        if (proof->timing.waited[i]) any = hbg_verify_formula_or(f, any, proof->timing.waited[i]);
    return any;
}

/* A mode may be entered exactly where a guard is about to hold: then no time passes in it, and there was no
 * moment before. */
static verify_answer reach_edge(group_proof *proof, const path_region *region, const exact_values *values,
                                const exact_past *past, formula there) {
    formulas *f = &proof->f;
    hbg_verify_formulas_push(f);
    hbg_verify_formulas_assert(f, was_quiet(proof, region->start, values, past, NULL));
    verify_answer answer = hbg_verify_formulas_check(f, there);
    hbg_verify_formulas_pop(f);
    if (answer == ANSWER_FOUND)
        f->account.why = "only from a mode that is entered exactly on the edge of a guard";
    return answer == ANSWER_NONE ? ANSWER_NONE : ANSWER_UNKNOWN;
}

/* Whether the region is about results of a loop of equations: found here, it is found without them. */
static bool rests_on_loop(group_proof *proof, const path_region *region) {
    for (int32_t i = 0; i < proof->unknowns.count; i++)
        if (hbg_verify_formula_reads(&proof->f, region->condition, &proof->unknowns.items[i].symbol, 1))
            return true;
    return false;
}

/* Whether a number that a law holds since `pre` was recorded takes part: in the region, or in the energies
 * that fit the mode. */
static bool is_held_by_pre(group_proof *proof, const path_region *region) {
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        if (hbg_verify_formula_reads(&proof->f, region->condition, &proof->law_pre[proof->of.pres[i]], 1))
            return true;
    return proof->instant.held_by_pre;
}

static const char *const held_from_before =
    "only from a mode that is held by what `pre` was when it was entered";

/* It exists also for a mode that a run begins in: how a mode held by an earlier number was entered is not
 * asked. */
static formula from_start(group_proof *proof, formula there) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        there = hbg_verify_formula_and(
            f, there, hbg_verify_formula_equal(f, proof->law_pre[proof->of.pres[i]], f->zero));
    return there;
}

static verify_answer confirm(group_proof *proof, formula found) {
    if (hbg_verify_group_confirm(proof, found) == ANSWER_FOUND) return ANSWER_FOUND;
    proof->f.account.why = hbg_verify_group_hangs_on(proof, found);
    return ANSWER_UNKNOWN;
}

/* What was found is within reach only if bounds of a function and loops of unknown solution leave no
 * doubt. */
static verify_answer be_certain(group_proof *proof, const path_region *region, formula there) {
    formulas *f = &proof->f;
    formula all = f->yes, pieces;
    for (int32_t i = 0; i < f->levels.asserted.count; i++)
        all = hbg_verify_formula_and(f, all, f->levels.asserted.items[i]);
    if (hbg_verify_formulas_check(f, there) != ANSWER_FOUND) {
        f->account.why = "how the energies move at the edge of it is not known well enough";
        return ANSWER_UNKNOWN;
    }
    const char *unclear = hbg_verify_paths_unclear(f, (path_region){all, there, region->start, all}, &pieces);
    if (unclear) f->account.why = hbg_base_arena_print(f->arena, "only bounds are known of `%s`", unclear);
    const char *doubt = hbg_verify_clocks_doubt(proof, region->condition);
    if (!unclear && doubt) f->account.why = doubt;
    if (unclear || doubt) return ANSWER_UNKNOWN;
    formula taken = hbg_verify_clocks_taken(proof, region->condition);
    there = hbg_verify_formula_and(f, there, taken);
    if (is_held_by_pre(proof, region)) there = from_start(proof, there);
    if (taken != f->yes && hbg_verify_formulas_check(f, there) != ANSWER_FOUND)
        f->account.why = "only with what a sample holds from an earlier tick";
    else if (rests_on_loop(proof, region))
        f->account.why = "it is about the solution of a loop of equations that is not linear";
    else if (is_held_by_pre(proof, region) && hbg_verify_formulas_check(f, there) != ANSWER_FOUND)
        f->account.why = held_from_before;
    else
        return confirm(proof, hbg_verify_formula_and(f, all, there));
    return ANSWER_UNKNOWN;
}

/* ---- an example --------------------------------------------------------------------------------------------- */

static double number_found(formulas *f, exact_value value) {
    formula found = value.fin ? hbg_verify_formula_in_model(f, value.fin) : NULL;
    if (!found) return 0;
    return value.is_truth ? Z3_get_bool_value(f->z3, found) == Z3_L_TRUE
                          : hbg_verify_formula_to_double(f, found);
}

/* An angle that is known only by its sine and cosine is the angle they belong to. */
static void read_angles(group_proof *proof, hbg_reach_witness *made) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i + 1 < f->symbols.count; i++) {
        const exact_symbol *sine = &f->symbols.items[i], *cosine = sine + 1;
        if (sine->op != HBG_OP_SIN || sine->constant) continue;
        double s = number_found(f, (exact_value){.fin = sine->symbol}),
               c = number_found(f, (exact_value){.fin = cosine->symbol});
        for (int32_t k = 0; k < proof->system->state_count; k++)
            if (proof->x[k] == sine->argument &&
                fabs(sin(made->states[k]) - s) + fabs(cos(made->states[k]) - c) > 1e-9)
                made->states[k] = atan2(s, c);
    }
}

/* The values found last, as numbers. */
static const hbg_reach_witness *read_exit(group_proof *proof, const int32_t *start) {
    formulas *f = &proof->f;
    hbg_reach_witness *made = HBG_NEW(proof->arena, hbg_reach_witness);
    made->start = start;
    made->states = HBG_NEW_ARRAY(proof->arena, double, proof->system->state_count + 1);
    made->params = HBG_NEW_ARRAY(proof->arena, double, proof->model->params.count + 1);
    made->signals_before = HBG_NEW_ARRAY(proof->arena, double, proof->model->signals.count + 1);
    made->signals = HBG_NEW_ARRAY(proof->arena, double, proof->model->signals.count + 1);
    for (int32_t i = 0; i < proof->system->state_count; i++)
        made->states[i] = number_found(f, (exact_value){.fin = proof->x[i]});
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (proof->params.open[i]) made->params[i] = number_found(f, proof->params.value[i]);
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        for (int before = 0; before < 2; before++) {
            double *to = before ? made->signals_before : made->signals;
            exact_value input = proof->signals.input[before][i];
            to[i] = number_found(f, input.fin ? input : proof->signals.held[before][i]);
        }
    read_angles(proof, made);
    if (proof->time) made->time = number_found(f, (exact_value){.fin = proof->time});
    return made;
}

static verify_answer reach_one(group_proof *proof, const path_region *region,
                               const hbg_reach_witness **from) {
    formulas *f = &proof->f;
    exact_past past = {.before = false};
    verify_answer answer = ANSWER_NONE;
    hbg_verify_formulas_push(f);
    exact_values *values = hbg_verify_paths_open(proof, region->start, &past);
    if (values) {
        formula *x_plus = HBG_NEW_ARRAY(proof->arena, formula, proof->system->state_count + 1);
        hbg_verify_values_energies(proof, values, &past, x_plus);
        for (int32_t i = 0; i < proof->of.state_count; i++) {
            int32_t state = proof->of.states[i];
            hbg_verify_formulas_assert(f, hbg_verify_formula_equal(f, x_plus[state], past.x[state]));
        }
        if (values->far) hbg_verify_formulas_assert(f, values->far->agree); // shorted: no time passes
        past.before = true;
        past.first_pass = false;
        hbg_verify_paths_ins(proof, region->start, &past, NULL);
        const formula *rates = hbg_verify_paths_rates(proof, region->start, &past);
        time_shift earlier, later;
        hbg_verify_shift_init(&earlier, proof, false, rates);
        hbg_verify_shift_init(&later, proof, true, rates);
        formula behind = hbg_verify_shift_truth(&later, region->condition);
        formula there = hbg_verify_formula_or(f, region->condition, behind);
        hbg_verify_formulas_push(f);
        hbg_verify_formulas_assert(f, was_quiet(proof, region->start, values, &past, &earlier));
        answer = hbg_verify_formulas_check(f, there);
        // a region whose edge is only touched at one instant does not count for a run
        formula certain =
            hbg_verify_formula_or(f, hbg_verify_formula_and(f, behind, later.certain),
                                  hbg_verify_formula_and(f, region->condition, is_disturbed(proof)));
        certain = hbg_verify_formula_and(f, earlier.certain, certain);
        if (answer == ANSWER_FOUND) answer = be_certain(proof, region, certain);
        if (answer == ANSWER_FOUND && values->far && values->far->drifts) {
            f->account.why = "only from a mode in which sources in conflict have agreed so far";
            answer = ANSWER_UNKNOWN;
        }
        if (answer == ANSWER_FOUND) *from = read_exit(proof, region->start);
        hbg_verify_formulas_pop(f);
        if (answer == ANSWER_NONE) answer = reach_edge(proof, region, values, &past, there);
    }
    hbg_verify_formulas_pop(f);
    return answer;
}

/* A start may still meet what no exit leads to, but nothing in which a law has held another number before. */
static verify_answer starts_there(group_proof *proof, const path_region *region) {
    formulas *f = &proof->f;
    exact_past past = {.before = false};
    verify_answer answer = ANSWER_NONE;
    hbg_verify_formulas_push(f);
    if (hbg_verify_paths_open(proof, region->start, &past))
        answer =
            hbg_verify_formulas_check(f, hbg_verify_formula_and(f, proof->instant.starts, region->condition));
    hbg_verify_formulas_pop(f);
    return answer;
}

verify_answer hbg_verify_paths_reach(group_proof *proof, const path_region *regions, int32_t count,
                                     const hbg_reach_witness **from) {
    verify_answer answer = ANSWER_NONE;
    for (int32_t i = 0; i < count; i++) {
        verify_answer one = reach_one(proof, &regions[i], from);
        if (one == ANSWER_FOUND) return one;
        if (one == ANSWER_NONE && is_held_by_pre(proof, &regions[i]) &&
            starts_there(proof, &regions[i]) != ANSWER_FOUND) {
            proof->f.account.why = held_from_before;
            one = ANSWER_UNKNOWN;
        }
        if (one == ANSWER_UNKNOWN) answer = one;
    }
    return answer;
}
