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
    return (exact_value){.fin = fin};
}

static exact_value truth(formula fin) {
    return (exact_value){.fin = fin, .is_truth = true};
}

static formula area_of(group_proof *proof, exact_value value) {
    return value.area ? value.area : proof->f.zero;
}

/* Where either is open. */
static formula open_of(group_proof *proof, exact_value a, exact_value b) {
    if (!a.open || !b.open) return a.open ? a.open : b.open;
    return hbg_verify_formula_or(&proof->f, a.open, b.open);
}

/* ---- relations --------------------------------------------------------------------------------------------- */

/* a < b, or a <= b, or a == b: by areas, and by finite parts where these are equal. */
static formula compare_bounded(group_proof *proof, int op, exact_value a, exact_value b) {
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

/* Before that by unbounded parts. Where a side has nothing else and these are equal, it is open. */
static exact_value compare(group_proof *proof, int op, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    exact_value result = truth(compare_bounded(proof, op, a, b));
    formula open = open_of(proof, a, b);
    if (!open) return result;
    formula decides = hbg_verify_far_decides(proof, a, b), less = hbg_verify_far_less(proof, a, b);
    formula by_far = op == HBG_OP_EQUAL ? f->no : less;
    formula known = hbg_verify_formula_and(f, hbg_verify_formula_not(f, open), result.fin);
    result.fin = hbg_verify_formula_or(f, hbg_verify_formula_and(f, open, by_far), known);
    result.open = hbg_verify_formula_and(f, open, hbg_verify_formula_not(f, decides));
    return result;
}

static exact_value negated(group_proof *proof, exact_value a) {
    formulas *f = &proof->f;
    exact_value result = truth(hbg_verify_formula_not(f, hbg_verify_value_truth(proof, a)));
    if (!a.open) return result;
    result.fin = hbg_verify_formula_and(f, result.fin, hbg_verify_formula_not(f, a.open));
    result.open = a.open;
    return result;
}

static exact_value relation(group_proof *proof, int op, exact_value a, exact_value b) {
    switch (op) {
    case HBG_OP_GREATER: return compare(proof, HBG_OP_LESS, b, a);
    case HBG_OP_GREATER_EQUAL: return compare(proof, HBG_OP_LESS_EQUAL, b, a);
    case HBG_OP_NOT_EQUAL: return negated(proof, compare(proof, HBG_OP_EQUAL, a, b));
    default: return compare(proof, op, a, b);
    }
}

/* ---- arithmetic -------------------------------------------------------------------------------------------- */

static formula part(group_proof *proof, exact_value a, int order) {
    return a.far[order] ? a.far[order] : proof->f.zero;
}

static exact_value sum(group_proof *proof, exact_value a, exact_value b, bool minus) {
    formulas *f = &proof->f;
    formula left = hbg_verify_value_number(proof, a), right = hbg_verify_value_number(proof, b);
    exact_value result =
        number(minus ? hbg_verify_formula_subtract(f, left, right) : hbg_verify_formula_add(f, left, right));
    result.open = open_of(proof, a, b);
    for (int k = 0; k < FAR_ORDERS; k++) {
        formula x = part(proof, a, k), y = part(proof, b, k);
        if (a.far[k] || b.far[k])
            result.far[k] = minus ? hbg_verify_formula_subtract(f, x, y) : hbg_verify_formula_add(f, x, y);
    }
    if (!a.area && !b.area) return result;
    formula x = area_of(proof, a), y = area_of(proof, b);
    result.area = minus ? hbg_verify_formula_subtract(f, x, y) : hbg_verify_formula_add(f, x, y);
    return result;
}

static exact_value scaled(group_proof *proof, exact_value a, formula factor) {
    formulas *f = &proof->f;
    exact_value result = number(hbg_verify_formula_multiply(f, hbg_verify_value_number(proof, a), factor));
    if (a.area) result.area = hbg_verify_formula_multiply(f, a.area, factor);
    result.open = a.open;
    for (int k = 0; k < FAR_ORDERS; k++)
        if (a.far[k]) result.far[k] = hbg_verify_formula_multiply(f, a.far[k], factor);
    return result;
}

/* Whether a term is a parameter, or made of such: it stands still. */
static bool is_constant(group_proof *proof, hbg_exact_term root) {
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, root);
    const hbg_exact_term arguments[] = {node.a, node.b, node.c};
    assert(node.arity <= 3);
    if (node.op == HBG_EXACT_VARIABLE)
        return hbg_eqn_exact_variable(proof->eqn, node.a).role == HBG_EXACT_PARAM;
    for (int i = 0; i < node.arity; i++)
        if (!is_constant(proof, arguments[i])) return false;
    return true;
}

/* An unbounded value may be multiplied by a parameter only: of anything else of it nothing is known. */
static exact_value left_open(group_proof *proof, exact_value result, exact_value a, hbg_exact_term term) {
    formulas *f = &proof->f;
    if (!a.open) return result;
    hbg_verify_value_require(
        proof,
        hbg_verify_formula_not(f, hbg_verify_formula_and(f, a.open, hbg_verify_far_is_unbounded(proof, a))),
        "`%s` is no linear function of an unbounded value", term_text(proof, term));
    result.open = result.open ? hbg_verify_formula_or(f, result.open, a.open) : a.open;
    return result;
}

/* A product of two pulses has no meaning. */
static exact_value product(group_proof *proof, exact_value a, exact_value b, hbg_exact_term term) {
    formulas *f = &proof->f;
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, term);
    formula x = hbg_verify_value_number(proof, a), y = hbg_verify_value_number(proof, b);
    if (a.open && is_constant(proof, node.b)) return scaled(proof, a, y);
    if (b.open && is_constant(proof, node.a)) return scaled(proof, b, x);
    if (a.area && b.area)
        hbg_verify_value_require(proof,
                                 hbg_verify_formula_or(f, hbg_verify_formula_equal(f, a.area, f->zero),
                                                       hbg_verify_formula_equal(f, b.area, f->zero)),
                                 "`%s` is a product of two pulses", term_text(proof, term));
    exact_value result = number(hbg_verify_formula_multiply(f, x, y));
    if (a.area || b.area)
        result.area = hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, area_of(proof, a), y),
                                             hbg_verify_formula_multiply(f, area_of(proof, b), x));
    return left_open(proof, left_open(proof, result, a, term), b, term);
}

static void require_finite(group_proof *proof, exact_value a, hbg_exact_term term) {
    if (a.area)
        hbg_verify_value_require(proof, hbg_verify_formula_equal(&proof->f, a.area, proof->f.zero),
                                 "`%s` is no linear function of a pulse", term_text(proof, term));
}

static exact_value quotient(group_proof *proof, exact_value a, exact_value b, hbg_exact_term term) {
    formulas *f = &proof->f;
    require_finite(proof, b, term);
    bool keeps = a.open && is_constant(proof, hbg_eqn_exact_node(proof->eqn, term).b);
    formula divisor = hbg_verify_value_number(proof, b);
    if (!hbg_verify_formula_is_closed(f, divisor) || hbg_verify_formula_sign(f, divisor) == 0)
        hbg_verify_value_require(proof,
                                 hbg_verify_formula_not(f, hbg_verify_formula_equal(f, divisor, f->zero)),
                                 "`%s` divides by 0", term_text(proof, term));
    if (divisor == f->zero) return number(f->zero);
    exact_value result = number(hbg_verify_formula_divide(f, hbg_verify_value_number(proof, a), divisor));
    if (a.area) result.area = hbg_verify_formula_divide(f, a.area, divisor);
    if (!keeps) return left_open(proof, left_open(proof, result, a, term), b, term);
    result.open = a.open;
    for (int k = 0; k < FAR_ORDERS; k++)
        if (a.far[k]) result.far[k] = hbg_verify_formula_divide(f, a.far[k], divisor);
    return result;
}

/* What is settled by the condition of the way is no choice any more. */
formula hbg_verify_value_settled(group_proof *proof, formula condition) {
    formulas *f = &proof->f;
    if (condition == f->yes || condition == f->no) return condition;
    proof->evaluation.rests = true; // on other ways it may be otherwise
    if (f->levels.marks.count == 0 || proof->evaluation.keeps_choices) return condition;
    bool never = hbg_verify_formulas_try(f, condition) == ANSWER_NONE;
    if (!never && hbg_verify_formulas_try(f, hbg_verify_formula_not(f, condition)) != ANSWER_NONE)
        return condition;
    proof->evaluation.touched = true;
    return never ? f->no : f->yes;
}

static exact_value choose_between(group_proof *proof, formula condition, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    if (a.is_truth && b.is_truth) return truth(hbg_verify_formula_choose(f, condition, a.fin, b.fin));
    exact_value result = number(hbg_verify_formula_choose(f, condition, hbg_verify_value_number(proof, a),
                                                          hbg_verify_value_number(proof, b)));
    if (a.area || b.area)
        result.area = hbg_verify_formula_choose(f, condition, area_of(proof, a), area_of(proof, b));
    for (int k = 0; k < FAR_ORDERS; k++)
        if (a.far[k] || b.far[k])
            result.far[k] = hbg_verify_formula_choose(f, condition, part(proof, a, k), part(proof, b, k));
    return result;
}

/* Open where the branch taken is; where the condition is, neither is. */
static exact_value choose(group_proof *proof, exact_value by, exact_value a, exact_value b) {
    formulas *f = &proof->f;
    formula condition = hbg_verify_value_truth(proof, by);
    if (!by.open) condition = hbg_verify_value_settled(proof, condition);
    exact_value result = choose_between(proof, condition, a, b);
    if (a.open || b.open)
        result.open =
            hbg_verify_formula_choose(f, condition, a.open ? a.open : f->no, b.open ? b.open : f->no);
    if (!by.open) return result;
    result.open = result.open ? hbg_verify_formula_or(f, result.open, by.open) : by.open;
    if (result.is_truth)
        result.fin = hbg_verify_formula_and(f, result.fin, hbg_verify_formula_not(f, by.open));
    for (int k = 0; k < FAR_ORDERS; k++)
        if (result.far[k]) result.far[k] = hbg_verify_formula_choose(f, by.open, f->zero, result.far[k]);
    return result;
}

/* abs, min and max take what is not larger where neither is: one as good as the other. */
static exact_value by_order(exact_value order) {
    order.open = NULL;
    return order;
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
    exact_value result = hbg_verify_value_function(of.proof, of.node, of.a, of.term);
    for (int i = 0; i < of.node->arity; i++) result = left_open(of.proof, result, of.a[i], of.term);
    return result;
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
    exact_value below = by_order(compare(of.proof, HBG_OP_LESS, of.a[0], zero));
    return choose(of.proof, below, exact_opposite(of), of.a[0]);
}

static exact_value exact_lesser(operands of) {
    const exact_value *a = of.a;
    return choose(of.proof, by_order(compare(of.proof, HBG_OP_LESS_EQUAL, a[0], a[1])), a[0], a[1]);
}

static exact_value exact_greater(operands of) {
    const exact_value *a = of.a;
    return choose(of.proof, by_order(compare(of.proof, HBG_OP_LESS_EQUAL, a[1], a[0])), a[0], a[1]);
}

static exact_value exact_sign(operands of) {
    formulas *f = &of.proof->f;
    exact_value zero = number(f->zero);
    return choose(of.proof, compare(of.proof, HBG_OP_LESS, of.a[0], zero),
                  number(hbg_verify_formula_integer(f, -1)),
                  choose(of.proof, compare(of.proof, HBG_OP_LESS, zero, of.a[0]), number(f->one), zero));
}

static exact_value exact_select(operands of) {
    return choose(of.proof, of.a[0], of.a[1], of.a[2]);
}

static exact_value exact_finite(operands of) {
    exact_value value = of.a[0];
    return (exact_value){.fin = value.fin, .is_truth = value.is_truth, .open = value.open};
}

/* One that is known may decide alone. */
static exact_value joined(group_proof *proof, exact_value a, exact_value b, bool both) {
    formulas *f = &proof->f;
    formula left = hbg_verify_value_truth(proof, a), right = hbg_verify_value_truth(proof, b);
    exact_value result =
        truth(both ? hbg_verify_formula_and(f, left, right) : hbg_verify_formula_or(f, left, right));
    formula open = open_of(proof, a, b);
    if (!open) return result;
    formula decided =
        both ? hbg_verify_formula_or(f, negated(proof, a).fin, negated(proof, b).fin) : result.fin;
    result.open = hbg_verify_formula_and(f, open, hbg_verify_formula_not(f, decided));
    return result;
}

static exact_value exact_both(operands of) {
    return joined(of.proof, of.a[0], of.a[1], true);
}

static exact_value exact_either(operands of) {
    return joined(of.proof, of.a[0], of.a[1], false);
}

static exact_value exact_negation(operands of) {
    return negated(of.proof, of.a[0]);
}

static exact_value exact_relation(operands of) {
    return relation(of.proof, of.node->op, of.a[0], of.a[1]);
}

typedef exact_value (*exact_operator)(operands of);

static const exact_operator of_operators[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = exact_##pulse,
    HBG_OPERATOR_LIST(X)
#undef X
};

static exact_value apply(operands of) {
    bool plain = of.node->op < HBG_OP_COUNT;
    return plain ? of_operators[of.node->op](of) : exact_refuse(of); // slopes of tables, energies by laws
}

exact_value hbg_verify_value_apply(group_proof *proof, const hbg_exact_node *node, const exact_value *a,
                                   hbg_exact_term term) {
    return apply((operands){proof, node, a, term});
}
