/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations, arithmetic and choices of exact values: finite part plus pulse, compared lexicographically, areas first
 * (semantics, section 2). Functions are in consistency_functions.c. */
#include "verify/group_impl.h"

static const char *term_text(group_proof *proof, hbg_exact_term term) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    hbg_eqn_exact_print(proof->eqn, term, &text);
    return text.data;
}

static exact_value number(formula fin) {
    return (exact_value){fin, NULL, false};
}

static exact_value truth(formula fin) {
    return (exact_value){fin, NULL, true};
}

static formula area_of(group_proof *proof, exact_value value) {
    return value.area ? value.area : proof->f.zero;
}

/* ---- relations --------------------------------------------------------------------------------------------- */

/* a < b, or a <= b, or a == b: by areas, and by finite parts where these are equal. */
static formula compare(group_proof *proof, int op, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    formula left = hbg_verify_value_number(proof, a), right = hbg_verify_value_number(proof, b);
    formula fin = op == HBG_OP_LESS         ? hbg_verify_formula_less(f, left, right)
                  : op == HBG_OP_LESS_EQUAL ? hbg_verify_formula_less_equal(f, left, right)
                                            : hbg_verify_formula_equal(f, left, right);
    if (!a.area && !b.area) return fin;
    formula same = hbg_verify_formula_equal(f, area_of(proof, a), area_of(proof, b));
    formula decided = hbg_verify_formula_and(f, same, fin);
    if (op == HBG_OP_EQUAL) return decided;
    return hbg_verify_formula_or(f, hbg_verify_formula_less(f, area_of(proof, a), area_of(proof, b)),
                                 decided);
}

static formula relation(group_proof *proof, int op, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    switch (op) {
    case HBG_OP_GREATER: return compare(proof, HBG_OP_LESS, b, a);
    case HBG_OP_GREATER_EQUAL: return compare(proof, HBG_OP_LESS_EQUAL, b, a);
    case HBG_OP_NOT_EQUAL: return hbg_verify_formula_not(f, compare(proof, HBG_OP_EQUAL, a, b));
    default: return compare(proof, op, a, b);
    }
}

/* ---- arithmetic -------------------------------------------------------------------------------------------- */

static exact_value sum(group_proof *proof, exact_value a, exact_value b, bool minus) {
    formulas *f = &proof->f;
    formula left = hbg_verify_value_number(proof, a), right = hbg_verify_value_number(proof, b);
    exact_value result =
        number(minus ? hbg_verify_formula_subtract(f, left, right) : hbg_verify_formula_add(f, left, right));
    if (!a.area && !b.area) return result;
    formula x = area_of(proof, a), y = area_of(proof, b);
    result.area = minus ? hbg_verify_formula_subtract(f, x, y) : hbg_verify_formula_add(f, x, y);
    return result;
}

static exact_value scaled(group_proof *proof, exact_value a, formula factor) {
    formulas *f = &proof->f;
    exact_value result = number(hbg_verify_formula_multiply(f, hbg_verify_value_number(proof, a), factor));
    if (a.area) result.area = hbg_verify_formula_multiply(f, a.area, factor);
    return result;
}

/* A product of two pulses has no meaning. */
static exact_value product(group_proof *proof, exact_value a, exact_value b, hbg_exact_term term) {
    formulas *f = &proof->f;
    formula x = hbg_verify_value_number(proof, a), y = hbg_verify_value_number(proof, b);
    if (a.area && b.area)
        hbg_verify_value_require(proof,
                                 hbg_verify_formula_or(f, hbg_verify_formula_equal(f, a.area, f->zero),
                                                       hbg_verify_formula_equal(f, b.area, f->zero)),
                                 "`%s` is a product of two pulses", term_text(proof, term));
    exact_value result = number(hbg_verify_formula_multiply(f, x, y));
    if (a.area || b.area)
        result.area = hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, area_of(proof, a), y),
                                             hbg_verify_formula_multiply(f, area_of(proof, b), x));
    return result;
}

static void require_finite(group_proof *proof, exact_value a, hbg_exact_term term) {
    if (a.area)
        hbg_verify_value_require(proof, hbg_verify_formula_equal(&proof->f, a.area, proof->f.zero),
                                 "`%s` is no linear function of a pulse", term_text(proof, term));
}

static exact_value quotient(group_proof *proof, exact_value a, exact_value b, hbg_exact_term term) {
    formulas *f = &proof->f;
    require_finite(proof, b, term);
    formula divisor = hbg_verify_value_number(proof, b);
    if (!hbg_verify_formula_is_closed(f, divisor) || hbg_verify_formula_sign(f, divisor) == 0)
        hbg_verify_value_require(proof,
                                 hbg_verify_formula_not(f, hbg_verify_formula_equal(f, divisor, f->zero)),
                                 "`%s` divides by 0", term_text(proof, term));
    if (divisor == f->zero) return number(f->zero);
    exact_value result = number(hbg_verify_formula_divide(f, hbg_verify_value_number(proof, a), divisor));
    if (a.area) result.area = hbg_verify_formula_divide(f, a.area, divisor);
    return result;
}

/* What is settled by the condition of the way is no choice any more. */
formula hbg_verify_value_settled(group_proof *proof, formula condition) {
    formulas *f = &proof->f;
    if (condition == f->yes || condition == f->no || f->levels.marks.count == 0 ||
        proof->evaluation.keeps_choices)
        return condition;
    bool never = hbg_verify_formulas_check(f, condition) == ANSWER_NONE;
    if (!never && hbg_verify_formulas_check(f, hbg_verify_formula_not(f, condition)) != ANSWER_NONE)
        return condition;
    proof->evaluation.touched = true; // on other ways it may be otherwise
    return never ? f->no : f->yes;
}

static exact_value choose(group_proof *proof, formula condition, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    condition = hbg_verify_value_settled(proof, condition);
    if (a.is_truth && b.is_truth) return truth(hbg_verify_formula_choose(f, condition, a.fin, b.fin));
    exact_value result = number(hbg_verify_formula_choose(f, condition, hbg_verify_value_number(proof, a),
                                                          hbg_verify_value_number(proof, b)));
    if (a.area || b.area)
        result.area = hbg_verify_formula_choose(f, condition, area_of(proof, a), area_of(proof, b));
    return result;
}

/* ---- operators --------------------------------------------------------------------------------------------- */

/* The column `pulse` of the list of operators: exact_… is the value of a term by those of its arguments. */
typedef struct {
    group_proof *proof;
    const hbg_exact_node *node;
    const exact_value *a;
    hbg_exact_term term;
} operands;

static exact_value exact_refuse(operands of) {
    for (int i = 0; i < of.node->arity; i++) require_finite(of.proof, of.a[i], of.term);
    return hbg_verify_value_function(of.proof, of.node, of.a, of.term);
}

static exact_value exact_none(operands of) {
    HBG_ASSERT(!"an operator of terms");
    return exact_refuse(of);
}

static exact_value exact_number(operands of) {
    return number(hbg_verify_formula_decimal(&of.proof->f, of.node->number));
}

static exact_value exact_sum(operands of) {
    return sum(of.proof, of.a[0], of.a[1], false);
}

static exact_value exact_difference(operands of) {
    return sum(of.proof, of.a[0], of.a[1], true);
}

static exact_value exact_opposite(operands of) {
    return scaled(of.proof, of.a[0], hbg_verify_formula_integer(&of.proof->f, -1));
}

static exact_value exact_product(operands of) {
    return product(of.proof, of.a[0], of.a[1], of.term);
}

static exact_value exact_quotient(operands of) {
    return quotient(of.proof, of.a[0], of.a[1], of.term);
}

static exact_value exact_absolute(operands of) {
    exact_value zero = number(of.proof->f.zero);
    return choose(of.proof, compare(of.proof, HBG_OP_LESS, of.a[0], zero), exact_opposite(of), of.a[0]);
}

static exact_value exact_lesser(operands of) {
    const exact_value *a = of.a;
    return choose(of.proof, compare(of.proof, HBG_OP_LESS_EQUAL, a[0], a[1]), a[0], a[1]);
}

static exact_value exact_greater(operands of) {
    const exact_value *a = of.a;
    return choose(of.proof, compare(of.proof, HBG_OP_LESS_EQUAL, a[1], a[0]), a[0], a[1]);
}

static exact_value exact_sign(operands of) {
    formulas *f = &of.proof->f;
    exact_value zero = number(f->zero);
    return choose(of.proof, compare(of.proof, HBG_OP_LESS, of.a[0], zero),
                  number(hbg_verify_formula_integer(f, -1)),
                  choose(of.proof, compare(of.proof, HBG_OP_LESS, zero, of.a[0]), number(f->one), zero));
}

static exact_value exact_select(operands of) {
    return choose(of.proof, hbg_verify_value_truth(of.proof, of.a[0]), of.a[1], of.a[2]);
}

static exact_value exact_finite(operands of) {
    return (exact_value){of.a[0].fin, NULL, of.a[0].is_truth};
}

static exact_value exact_both(operands of) {
    group_proof *proof = of.proof;
    return truth(hbg_verify_formula_and(&proof->f, hbg_verify_value_truth(proof, of.a[0]),
                                        hbg_verify_value_truth(proof, of.a[1])));
}

static exact_value exact_either(operands of) {
    group_proof *proof = of.proof;
    return truth(hbg_verify_formula_or(&proof->f, hbg_verify_value_truth(proof, of.a[0]),
                                       hbg_verify_value_truth(proof, of.a[1])));
}

static exact_value exact_negation(operands of) {
    return truth(hbg_verify_formula_not(&of.proof->f, hbg_verify_value_truth(of.proof, of.a[0])));
}

static exact_value exact_relation(operands of) {
    return truth(relation(of.proof, of.node->op, of.a[0], of.a[1]));
}

static exact_value apply(operands of) {
    switch (of.node->op) {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    case HBG_OP_##id: return exact_##pulse(of);
        HBG_OPERATOR_LIST(X)
#undef X
    default: return exact_refuse(of); // slopes of tables, energies by laws
    }
}

exact_value hbg_verify_value_apply(group_proof *proof, const hbg_exact_node *node, const exact_value *a,
                                   hbg_exact_term term) {
    return apply((operands){proof, node, a, term});
}
