/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model leaves open (docs/processes.md), as symbols: a parameter has one value, a restitution another one at each commit of an
 * instant. What follows is proved for all of them. */
#include "verify/group_impl.h"

static formula constant(group_proof *proof, hbg_expr expr) {
    exact_past none = {.before = false};
    exact_values nothing = {.of = NULL};
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, &nothing, &none, false);
    return hbg_verify_value_number(
        proof, hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_expression(proof->eqn, expr)));
}

static void state(group_proof *proof, formula fact) {
    HBG_PUSH(proof->f.arena, proof->f.axioms.all, fact);
}

/* Between its ends; of a loss λ it is sqrt(1 - λ), which is said without a root. */
static void bound(group_proof *proof, const hbg_choice *choice, formula symbol) {
    formulas *f = &proof->f;
    formula low = constant(proof, choice->low), high = constant(proof, choice->high);
    if (!choice->loss) {
        state(proof, hbg_verify_formula_less_equal(f, low, symbol));
        state(proof, hbg_verify_formula_less_equal(f, symbol, high));
        return;
    }
    formula square = hbg_verify_formula_multiply(f, symbol, symbol);
    state(proof, hbg_verify_formula_less_equal(f, f->zero, symbol));
    state(proof, hbg_verify_formula_less_equal(f, hbg_verify_formula_subtract(f, f->one, high), square));
    state(proof, hbg_verify_formula_less_equal(f, square, hbg_verify_formula_subtract(f, f->one, low)));
}

void hbg_verify_choices_of_params(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *choice = &model->choices.items[i];
        int32_t param = choice->target.index;
        if (choice->target.kind != HBG_OBJECT_PARAM || model->params.items[param].asked) continue;
        proof->params.open[param] = true;
        proof->params.value[param] =
            (exact_value){.fin = hbg_verify_formula_real(&proof->f, proof->system->params[param].name)};
        bound(proof, choice, proof->params.value[param].fin);
    }
}

formula hbg_verify_choices_coefficient(group_proof *proof, int32_t junction, int32_t commit) {
    const hbg_choice *choice = hbg_model_choice_of(proof->model, (hbg_object){HBG_OBJECT_ELEMENT, junction});
    if (!proof->chooses || !choice) return NULL;
    for (int32_t i = 0; i < proof->chosen.count; i++)
        if (proof->chosen.items[i].junction == junction && proof->chosen.items[i].commit == commit)
            return proof->chosen.items[i].symbol;
    hbg_buffer name;
    hbg_base_buffer_init(&name, proof->arena);
    hbg_model_path(proof->model, choice->target, &name);
    if (commit > 0) hbg_base_buffer_print(&name, "'%d", (int)commit + 1);
    exact_choice made = {junction, commit, hbg_verify_formula_real(&proof->f, name.data), name.data};
    HBG_PUSH(proof->arena, proof->chosen, made);
    bound(proof, choice, made.symbol);
    return made.symbol;
}

formula hbg_verify_choices_default(group_proof *proof, formula a) {
    int32_t count = proof->chosen.count;
    if (count == 0) return a;
    formula *from = HBG_NEW_ARRAY(proof->arena, formula, count),
            *to = HBG_NEW_ARRAY(proof->arena, formula, count);
    for (int32_t i = 0; i < count; i++) {
        const exact_choice *at = &proof->chosen.items[i];
        from[i] = at->symbol;
        to[i] = constant(proof, proof->model->elements.items[at->junction].restitution);
    }
    return hbg_verify_formula_replace(&proof->f, a, count, from, to);
}
