/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is known where an instant begins: energies, left limits, pre, values in other states, assumptions; and
 * that either time has advanced in the state, or a run begins there. */
#include "verify/paths_impl.h"

formula hbg_verify_paths_same(group_proof *proof, const formula *a, const formula *b) {
    formula same = proof->f.yes;
    for (int32_t i = 0; i < proof->of.state_count; i++) {
        int32_t state = proof->of.states[i];
        same =
            hbg_verify_formula_and(&proof->f, same, hbg_verify_formula_equal(&proof->f, a[state], b[state]));
    }
    return same;
}

/* Before the instant: states as they are, all else the finite values after the jump there (semantics, section
 * 6). */
static exact_value past_variable(exact_scope *scope, int32_t variable) {
    hbg_exact_variable of = hbg_eqn_exact_variable(scope->proof->eqn, variable);
    if (of.role == HBG_EXACT_STATE && of.view == HBG_EXACT_VALUE)
        return (exact_value){.fin = scope->past->x[of.index]};
    if (of.view == HBG_EXACT_AREA) return (exact_value){.fin = scope->proof->f.zero};
    const exact_value *found = hbg_verify_values_find(scope->values, variable);
    if (found) return (exact_value){.fin = found->fin, .is_truth = found->is_truth};
    exact_value known = hbg_verify_known_value(scope->proof, scope->past, scope->values->of, variable);
    return known.fin ? (exact_value){.fin = known.fin, .is_truth = known.is_truth}
                     : (exact_value){.fin = scope->proof->f.zero};
}

void hbg_verify_paths_past(group_proof *proof, exact_past *past) {
    hbg_arena *arena = proof->arena;
    int32_t pres = 0, ins = hbg_verify_paths_in_room(proof);
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        pres = proof->of.pres[i] >= pres ? proof->of.pres[i] + 1 : pres;
    past->pre = HBG_NEW_ARRAY(arena, exact_value, pres + 1);
    past->in = HBG_NEW_ARRAY(arena, exact_value, ins);
    past->in_defined = HBG_NEW_ARRAY(arena, formula, ins);
    past->in_undefined = HBG_NEW_ARRAY(arena, const char *, ins);
    past->left = HBG_NEW_ARRAY(arena, exact_value, proof->of.variable_count + 1);
    past->left_defined = HBG_NEW_ARRAY(arena, formula, proof->of.variable_count + 1);
    past->left_undefined = HBG_NEW_ARRAY(arena, const char *, proof->of.variable_count + 1);
    past->bounce = HBG_NEW_ARRAY(arena, formula, proof->of.restitution_count + 1);
    past->x = HBG_NEW_ARRAY(arena, formula, proof->system->state_count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++) past->bounce[i] = proof->f.zero;
    for (int32_t i = 0; i < pres; i++) past->pre[i] = (exact_value){.fin = proof->f.zero};
    for (int32_t i = 0; i < ins; i++) past->in[i] = (exact_value){.fin = proof->f.zero};
}

/* Other symbols in place of energies, inputs and the time: their values at another instant. */
static formula at_another_instant(group_proof *proof, formula a) {
    formulas *f = &proof->f;
    int32_t states = proof->system->state_count, signals = proof->model->signals.count, count = 0;
    int32_t most = states + 2 * signals + proof->model->params.count + 1;
    formula *from = HBG_NEW_ARRAY(proof->arena, formula, most);
    formula *to = HBG_NEW_ARRAY(proof->arena, formula, most);
    for (int32_t i = 0; proof->params.drawn && i < proof->model->params.count; i++)
        if (proof->params.drawn[i] && proof->params.open[i])
            from[count++] = proof->params.before[i] ? proof->params.before[i] : proof->params.value[i].fin;
    for (int32_t i = 0; i < states; i++)
        if (!hbg_verify_formula_is_number(f, proof->x[i])) from[count++] = proof->x[i];
    if (proof->time) from[count++] = proof->time;
    for (int32_t i = 0; i < signals; i++)
        for (int kind = 0; kind < 2; kind++) {
            exact_value was = kind ? proof->signals.held[1][i] : proof->signals.input[1][i];
            if (was.fin) from[count++] = was.fin;
        }
    for (int32_t i = 0; i < count; i++) {
        const char *name = hbg_base_arena_print(proof->arena, "earlier'%d", (int)f->fresh++);
        bool truth = Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, from[i])) == Z3_BOOL_SORT;
        to[i] = truth ? hbg_verify_formula_truth(f, name) : hbg_verify_formula_real(f, name);
    }
    return hbg_verify_formula_replace(f, a, count, from, to);
}

/* A law that reads `pre` holds a number for as long as the mode lasts. Either nothing had been recorded, at a
 * start; or the mode was entered at some instant with this number, and stayed: what was recorded then would
 * not have moved the energies again, else it would have been lost at once (semantics, section 6). */
static formula was_entered(group_proof *proof, formula fits, const exact_value *recorded) {
    formulas *f = &proof->f;
    int32_t total = proof->of.pre_count;
    formula *from = HBG_NEW_ARRAY(proof->arena, formula, total + 1),
            *to = HBG_NEW_ARRAY(proof->arena, formula, total + 1), none = f->yes;
    for (int32_t i = 0; i < total; i++) {
        int32_t pre = proof->of.pres[i];
        from[i] = proof->law_pre[pre];
        to[i] = hbg_verify_value_number(proof, recorded[pre]);
        none = hbg_verify_formula_and(f, none, hbg_verify_formula_equal(f, from[i], f->zero));
    }
    if (!hbg_verify_formula_reads(f, fits, from, total)) return f->yes;
    formula stays = hbg_verify_formula_and(f, fits, hbg_verify_formula_replace(f, fits, total, from, to));
    return hbg_verify_formula_or(f, none, at_another_instant(proof, stays));
}

/* An instant begins where time has advanced, so that the energies fit the mode; or the run begins, with any
 * energies, and no input has changed. */
static formula begins(group_proof *proof, const exact_values *values, const exact_past *past,
                      const exact_value *recorded) {
    formulas *f = &proof->f;
    formula *x_plus = HBG_NEW_ARRAY(proof->arena, formula, proof->system->state_count + 1);
    formula starts = f->yes;
    hbg_verify_values_energies(proof, values, past, x_plus);
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        starts = hbg_verify_formula_and(
            f, starts, hbg_verify_formula_equal(f, past->pre[proof->of.pres[i]].fin, f->zero));
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        for (int kind = 0; kind < 2; kind++) {
            exact_value *was = kind ? proof->signals.held[1] : proof->signals.input[1];
            if (!was[i].fin) continue;
            exact_value now = hbg_verify_group_outside(proof, kind, false, i);
            starts = hbg_verify_formula_and(f, starts, hbg_verify_formula_equal(f, was[i].fin, now.fin));
        }
    for (int32_t i = 0; i < proof->model->transitions.count; i++) // nothing has waited when a run begins
        if (proof->timing.waited[i])
            starts = hbg_verify_formula_and(f, starts, hbg_verify_formula_not(f, proof->timing.waited[i]));
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) // all clocks tick then
        starts = hbg_verify_formula_and(f, starts, proof->timing.clocks.items[i].ticks);
    if (proof->instant.never_starts) starts = f->no;
    proof->instant.starts = starts;
    proof->instant.flowed = hbg_verify_paths_same(proof, x_plus, past->x);
    if (values->far) // no time passes in a shorted mode
        proof->instant.flowed = hbg_verify_formula_and(f, proof->instant.flowed, values->far->agree);
    formula entered =
        proof->instant.never_starts ? f->yes : was_entered(proof, proof->instant.flowed, recorded);
    proof->instant.held_by_pre = entered != f->yes;
    return hbg_verify_formula_or(f, starts, hbg_verify_formula_and(f, proof->instant.flowed, entered));
}

/* ---- what is assumed --------------------------------------------------------------------------------------- */

typedef struct {
    bool input;    /* it is about an input itself */
    bool computed; /* it needs values that equations give */
} condition_reads;

static condition_reads find_reads(group_proof *proof, hbg_exact_term root) {
    condition_reads reads = {false, false};
    exact_terms terms = hbg_verify_terms_below(proof, root);
    for (int32_t i = 0; i < terms.count; i++) {
        hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, terms.items[i]);
        if (node.op != HBG_EXACT_VARIABLE) continue;
        hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, node.a);
        bool input = of.role == HBG_EXACT_INPUT || of.role == HBG_EXACT_GIVEN;
        bool given = input || of.role == HBG_EXACT_PARAM || of.role == HBG_EXACT_STATE;
        reads.input |= input;
        reads.computed |= !given || of.view != HBG_EXACT_VALUE;
    }
    return reads;
}

bool hbg_verify_paths_assume_computed(group_proof *proof) {
    for (int32_t i = 0; i < proof->assumption_count; i++)
        if (find_reads(proof, proof->assumptions[i]).computed) return true;
    return false;
}

static exact_value given_variable(exact_scope *scope, int32_t variable) {
    return hbg_verify_known_value(scope->proof, scope->past, scope->values->of, variable);
}

/* Conditions on energies, inputs and parameters alone hold before anything is computed from them: what they
 * rule out, such as a divisor 0, does not exist rather than being left out. */
static void assume_given(group_proof *proof, const exact_state *state, const exact_past *past) {
    exact_values none = {.of = state};
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, &none, past, false);
    scope.variable = given_variable;
    for (int32_t i = 0; i < proof->assumption_count; i++) {
        condition_reads reads = find_reads(proof, proof->assumptions[i]);
        if (reads.computed || (!past->before && !reads.input)) continue;
        exact_value value = hbg_verify_scope_evaluate(&scope, proof->assumptions[i]);
        hbg_verify_formulas_assert(&proof->f, hbg_verify_value_truth(proof, value));
    }
}

static void assume_computed(group_proof *proof, exact_scope *scope, bool of_inputs) {
    for (int32_t i = 0; i < proof->assumption_count; i++) {
        condition_reads reads = find_reads(proof, proof->assumptions[i]);
        if (!reads.computed || (of_inputs && !reads.input)) continue;
        exact_value value = hbg_verify_scope_evaluate(scope, proof->assumptions[i]);
        hbg_verify_formulas_assert(&proof->f, hbg_verify_value_truth(proof, value));
    }
}

/* An input that is bounded stays so when it changes: the same conditions, in the same mode, with inputs as
 * they are now. */
static void assume_of_inputs(group_proof *proof, const exact_state *state, const exact_past *past) {
    bool any = false;
    for (int32_t i = 0; i < proof->assumption_count; i++) {
        condition_reads reads = find_reads(proof, proof->assumptions[i]);
        any = any || (reads.input && reads.computed);
    }
    if (!any) return;
    exact_past now = *past;
    now.first_pass = false;
    const exact_values *values = hbg_verify_group_values(proof, state, &now);
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, &now, false);
    scope.variable = past_variable;
    assume_computed(proof, &scope, true);
}

/* The rebound in other states is that of the present: it is recorded for them where they exist. */
static void record_present(group_proof *proof, const exact_state *state, exact_past *before) {
    if (proof->of.in_count == 0 || proof->of.restitution_count == 0) return;
    const exact_values *values = hbg_verify_group_values(proof, state, before);
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, before, false);
    scope.variable = past_variable;
    for (int32_t i = 0; i < proof->of.variable_count; i++)
        hbg_verify_past_take(before, i, &scope, proof->of.variables[i]);
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

exact_values *hbg_verify_paths_open(group_proof *proof, const int32_t *states, exact_past *past) {
    exact_past before = {.before = true};
    hbg_verify_paths_past(proof, &before);
    for (int32_t i = 0; i < proof->system->state_count; i++) before.x[i] = proof->x[i];
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        before.pre[proof->of.pres[i]] = (exact_value){.fin = proof->law_pre[proof->of.pres[i]]};
    const exact_state *state = hbg_verify_group_state(proof, states);
    if (!state->mode.valid) return NULL;
    exact_past now = before;
    now.before = false;
    assume_given(proof, state, &before);
    assume_given(proof, state, &now);
    record_present(proof, state, &before);
    hbg_verify_paths_ins(proof, states, &before, NULL);
    exact_values *values = hbg_verify_group_values(proof, state, &before);
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, &before, false);
    scope.variable = past_variable;
    hbg_verify_paths_past(proof, past);
    past->before = false;
    past->first_pass = true;
    memcpy(past->x, before.x, (size_t)proof->system->state_count * sizeof *past->x);
    for (int32_t i = 0; i < proof->of.variable_count; i++)
        hbg_verify_past_take(past, i, &scope, proof->of.variables[i]);
    for (int32_t i = 0; i < proof->of.pre_count; i++) {
        exact_value value =
            hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_pre(proof->eqn, proof->of.pres[i]));
        past->pre[proof->of.pres[i]] = (exact_value){.fin = value.fin, .is_truth = value.is_truth};
    }
    assume_computed(proof, &scope, false);
    assume_of_inputs(proof, state, past);
    proof->instant.begins = begins(proof, values, &before, past->pre);
    hbg_verify_clocks_take(proof, values, &before, &scope);
    hbg_verify_formulas_assert(&proof->f, proof->instant.begins);
    return values;
}
