/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Unbounded parts as formulas (semantics, section 3a): those of what guards read, with their first two derivatives in time, and where a
 * mode is shorted. There a relation of efforts, flows and energies is decided by these parts or not at all. */
#include "verify/group_impl.h"

exact_limit *hbg_verify_group_limit(group_proof *proof, const exact_state *of) {
    const hbg_exact_limit *from = of->mode.limit;
    if (!from) return NULL;
    exact_limit *made = HBG_NEW(proof->arena, exact_limit);
    made->equations.states = of->states;
    made->equations.mode = from->mode;
    hbg_base_pair_map_init(&made->equations.place, proof->arena);
    for (int32_t i = 0; i < from->mode.count; i++)
        hbg_base_pair_map_add(&made->equations.place, from->mode.equations[i].variable, 0, i);
    hbg_base_pair_map_init(&made->part, proof->arena);
    for (int32_t i = 0; i < from->asked_count; i++)
        hbg_base_pair_map_add(&made->part, from->asked[i].of, 0, i);
    return made;
}

/* The value of a part; if it is known as usual, or has no value, nothing. */
static exact_value evaluate_part(exact_scope *scope, const hbg_exact_part *part) {
    group_proof *proof = scope->proof;
    exact_value value = {.fin = proof->f.zero};
    for (int k = 0; k < FAR_ORDERS; k++) {
        if (part->usual || part->order[k] == HBG_NONE) continue;
        formula order = hbg_verify_value_number(proof, hbg_verify_scope_evaluate(scope, part->order[k]));
        if (order != proof->f.zero) value.far[k] = order;
    }
    return value;
}

/* What is 0 at this instant stays so until an event if only numbers and inputs decide it: these have events where they change. */
static bool drifts(group_proof *proof, formula part) {
    formulas *f = &proof->f;
    if (hbg_verify_formula_reads(f, part, proof->x, proof->system->state_count)) return true;
    if (proof->time && hbg_verify_formula_reads(f, part, &proof->time, 1)) return true;
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (!f->symbols.items[i].constant &&
            hbg_verify_formula_reads(f, part, &f->symbols.items[i].symbol, 1))
            return true;
    return false;
}

const far_values *hbg_verify_group_far(group_proof *proof, const exact_state *of, const exact_past *past) {
    const hbg_exact_limit *from = of->mode.limit;
    formulas *f = &proof->f;
    if (!of->limit) return NULL;
    far_values *made = HBG_NEW(proof->arena, far_values);
    const exact_values *values = hbg_verify_group_values(proof, &of->limit->equations, past);
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, past, false);
    scope.variable = hbg_verify_plain_value;
    made->parts = HBG_NEW_ARRAY(proof->arena, exact_value, from->asked_count + 1);
    for (int32_t i = 0; i < from->asked_count; i++) made->parts[i] = evaluate_part(&scope, &from->asked[i]);
    made->shorted = made->flows = f->no;
    made->agree = f->yes;
    for (int32_t i = 0; i < from->conflict_count; i++) {
        exact_value part = evaluate_part(&scope, &from->conflicts[i]);
        formula own = hbg_verify_far_is_unbounded(proof, part);
        made->shorted = hbg_verify_formula_or(f, made->shorted, own);
        if (!from->conflicts[i].effort) made->flows = hbg_verify_formula_or(f, made->flows, own);
        if (!part.far[0]) continue;
        made->agree =
            hbg_verify_formula_and(f, made->agree, hbg_verify_formula_equal(f, part.far[0], f->zero));
        made->drifts |= drifts(proof, part.far[0]);
    }
    return made->shorted == f->no ? NULL : made;
}

exact_value hbg_verify_far_value(const exact_scope *scope, int32_t variable, exact_value value) {
    const exact_state *of = scope->values->of;
    int32_t part = of->limit ? hbg_base_pair_map_find(&of->limit->part, variable, 0) : -1;
    if (part >= 0 && of->mode.limit->asked[part].usual) return value;
    value.open = scope->shorted;
    for (int k = 0; k < FAR_ORDERS && part >= 0; k++) value.far[k] = scope->values->far->parts[part].far[k];
    if (value.is_truth)
        value.fin = hbg_verify_formula_and(&scope->proof->f, value.fin,
                                           hbg_verify_formula_not(&scope->proof->f, value.open));
    return value;
}

formula hbg_verify_far_is_unbounded(group_proof *proof, exact_value value) {
    formulas *f = &proof->f;
    formula any = f->no;
    for (int k = 0; k < FAR_ORDERS; k++)
        if (value.far[k])
            any = hbg_verify_formula_or(
                f, any, hbg_verify_formula_not(f, hbg_verify_formula_equal(f, value.far[k], f->zero)));
    return any;
}

static formula difference(group_proof *proof, exact_value a, exact_value b, int order) {
    formula left = a.far[order] ? a.far[order] : proof->f.zero;
    return b.far[order] ? hbg_verify_formula_subtract(&proof->f, left, b.far[order]) : left;
}

formula hbg_verify_far_decides(group_proof *proof, exact_value a, exact_value b) {
    exact_value apart = {.fin = proof->f.zero};
    for (int k = 0; k < FAR_ORDERS; k++) apart.far[k] = difference(proof, a, b, k);
    return hbg_verify_far_is_unbounded(proof, apart);
}

formula hbg_verify_far_less(group_proof *proof, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    formula less = f->no;
    for (int k = FAR_ORDERS - 1; k >= 0; k--) {
        formula apart = difference(proof, a, b, k);
        formula same = hbg_verify_formula_equal(f, apart, f->zero);
        less = hbg_verify_formula_or(f, hbg_verify_formula_less(f, apart, f->zero),
                                     hbg_verify_formula_and(f, same, less));
    }
    return less;
}
