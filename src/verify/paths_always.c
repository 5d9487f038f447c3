/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What holds at every jump (docs/processes.md): conditions on the mode it leads to, pulses included; and
 * bounds on what a collision loses. */
#include "verify/paths_impl.h"

/* What a junction takes in a jump: the area of the common variable of its bonds, times the mean of the sum of
 * the others before it, Σ⁻, and after it, -ε·Σ⁻ (semantics, section 4). */
static formula loss_of(group_proof *proof, const hbg_always *of, const exact_values *values,
                       const exact_past *past) {
    formulas *f = &proof->f;
    exact_scope now, before;
    const exact_values none = {.of = values->of};
    formula bounce = f->zero;
    for (int32_t i = 0; i < proof->of.restitution_count; i++)
        if (proof->of.restitution[i] == of->junction) bounce = past->bounce[i];
    hbg_verify_scope_init(&now, proof, values, past, false);
    hbg_verify_scope_init(&before, proof, &none, past, true);
    hbg_exact_term pulsing = hbg_eqn_exact_expression(proof->eqn, of->pulse);
    formula pulse = hbg_verify_value_number(proof, hbg_verify_scope_evaluate(&now, pulsing));
    formula sum = hbg_verify_value_number(
        proof, hbg_verify_scope_evaluate(&before, hbg_eqn_exact_bounce(proof->eqn, of->junction).sum));
    formula mean = hbg_verify_formula_multiply(f, hbg_verify_formula_double(f, 0.5),
                                               hbg_verify_formula_subtract(f, sum, bounce));
    return hbg_verify_formula_multiply(f, pulse, mean);
}

static formula holds(group_proof *proof, const hbg_always *of, const exact_values *values,
                     const exact_past *past) {
    formulas *f = &proof->f;
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, past, false);
    exact_value value = hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_expression(proof->eqn, of->value));
    if (of->junction == HBG_NONE) return hbg_verify_value_truth(proof, value);
    formula bound = hbg_verify_value_number(proof, value), lost = loss_of(proof, of, values, past);
    return of->strict ? hbg_verify_formula_less(f, lost, bound)
                      : hbg_verify_formula_less_equal(f, lost, bound);
}

static const char *text_of(group_proof *proof, const hbg_always *of) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    if (of->junction != HBG_NONE) {
        hbg_base_buffer_text(&text, "lost(");
        hbg_model_path(proof->model, (hbg_object){HBG_OBJECT_ELEMENT, of->junction}, &text);
        hbg_base_buffer_text(&text, of->strict ? ") < " : ") <= ");
    }
    hbg_model_print_expr(proof->model, of->value, &text);
    return text.data;
}

void hbg_verify_paths_check_always(path_explorer *e, const path_search *search, const exact_values *values,
                                   const exact_past *past) {
    group_proof *proof = e->proof;
    for (int32_t i = 0; i < proof->always_count && !e->maps; i++) {
        const hbg_always *of = &proof->model->always.items[proof->always[i]];
        formula broken = hbg_verify_formula_not(&proof->f, holds(proof, of, values, past));
        hbg_verify_paths_report(e, HBG_FINDING_LIMIT, HBG_NONE, search->commits > 0, broken,
                                text_of(proof, of));
    }
}
