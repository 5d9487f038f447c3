/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Exact derivatives of terms: of each operator by its arguments, and gradients by reverse accumulation, at
 * the cost of the term itself. Where an operator has a kink the derivative is that of the present branch;
 * operators that only switch (relations, sign, floor) have the derivative 0. */
#include <string.h>

#include "term/term.h"

static hbg_term one_argument(hbg_terms *terms, hbg_operator op, hbg_term a) {
    return hbg_term_make(terms, op, a, HBG_NONE, HBG_NONE);
}

static hbg_term square(hbg_terms *terms, hbg_term a) {
    return hbg_term_multiply(terms, a, a);
}

/* ---- operators ---------------------------------------------------------------------------------------- */

/* The column `slope` of the list of operators: slope_… gives the derivative of a term by its argument number
 * 0, 1 or 2. */
typedef struct {
    hbg_terms *terms;
    hbg_term term, a, b; /* and its first two arguments */
    int argument;
    hbg_term one;
} slope;

static hbg_term slope_none(slope s) {
    HBG_ASSERT(!"an operator of terms");
    return hbg_term_integer(s.terms, 0);
}

static hbg_term slope_zero(slope s) {
    return hbg_term_integer(s.terms, 0);
}

static hbg_term slope_one(slope s) {
    return s.one;
}

static hbg_term slope_minus_one(slope s) {
    return hbg_term_integer(s.terms, -1);
}

static hbg_term slope_finite(slope s) {
    return s.terms->stop_at_finite ? hbg_term_integer(s.terms, 0) : s.one;
}

static hbg_term slope_difference(slope s) {
    return s.argument == 0 ? s.one : hbg_term_integer(s.terms, -1);
}

static hbg_term slope_product(slope s) {
    return s.argument == 0 ? s.b : s.a;
}

static hbg_term slope_quotient(slope s) {
    return s.argument == 0 ? hbg_term_divide(s.terms, s.one, s.b)
                           : hbg_term_negate(s.terms, hbg_term_divide(s.terms, s.term, s.b));
}

static hbg_term slope_power(slope s) {
    hbg_terms *terms = s.terms;
    if (s.argument == 1) return hbg_term_multiply(terms, s.term, one_argument(terms, HBG_OP_LOG, s.a));
    hbg_term lower = hbg_term_subtract(terms, s.b, s.one);
    const term_node *exponent = &terms->nodes.items[s.b];
    if (exponent->op == HBG_OP_NUMBER) { // the exponent minus one is a literal again
        hbg_decimal less;
        hbg_decimal minus_one = {"1", 0, true};
        if (hbg_base_decimal_add(terms->arena, terms->numbers.items[exponent->a], minus_one, &less))
            lower = hbg_term_number(terms, less);
    }
    return hbg_term_multiply(terms, s.b, hbg_term_make(terms, HBG_OP_POWER_OF, s.a, lower, HBG_NONE));
}

/* a − b·trunc(a/b): b contributes only through the whole number. */
static hbg_term slope_remainder(slope s) {
    if (s.argument == 0) return s.one;
    return hbg_term_divide(s.terms, hbg_term_subtract(s.terms, s.term, s.a), s.b);
}

/* ---- functions ---------------------------------------------------------------------------------------- */

static hbg_term slope_sin(slope s) {
    return one_argument(s.terms, HBG_OP_COS, s.a);
}

static hbg_term slope_cos(slope s) {
    return hbg_term_negate(s.terms, one_argument(s.terms, HBG_OP_SIN, s.a));
}

static hbg_term slope_tan(slope s) {
    return hbg_term_add(s.terms, s.one, square(s.terms, s.term));
}

static hbg_term slope_asin(slope s) {
    hbg_term rest = hbg_term_subtract(s.terms, s.one, square(s.terms, s.a));
    return hbg_term_divide(s.terms, s.one, one_argument(s.terms, HBG_OP_SQRT, rest));
}

static hbg_term slope_acos(slope s) {
    return hbg_term_negate(s.terms, slope_asin(s));
}

static hbg_term slope_atan(slope s) {
    return hbg_term_divide(s.terms, s.one, hbg_term_add(s.terms, s.one, square(s.terms, s.a)));
}

static hbg_term slope_atan2(slope s) {
    hbg_term size = hbg_term_add(s.terms, square(s.terms, s.a), square(s.terms, s.b));
    return s.argument == 0 ? hbg_term_divide(s.terms, s.b, size)
                           : hbg_term_negate(s.terms, hbg_term_divide(s.terms, s.a, size));
}

static hbg_term slope_sinh(slope s) {
    return one_argument(s.terms, HBG_OP_COSH, s.a);
}

static hbg_term slope_cosh(slope s) {
    return one_argument(s.terms, HBG_OP_SINH, s.a);
}

static hbg_term slope_tanh(slope s) {
    return hbg_term_subtract(s.terms, s.one, square(s.terms, s.term));
}

static hbg_term slope_exp(slope s) {
    return s.term;
}

static hbg_term slope_log(slope s) {
    return hbg_term_divide(s.terms, s.one, s.a);
}

static hbg_term slope_log10(slope s) {
    hbg_term ten = one_argument(s.terms, HBG_OP_LOG, hbg_term_integer(s.terms, 10));
    return hbg_term_divide(s.terms, s.one, hbg_term_multiply(s.terms, s.a, ten));
}

static hbg_term slope_sqrt(slope s) {
    hbg_term twice = hbg_term_multiply(s.terms, hbg_term_integer(s.terms, 2), s.term);
    return hbg_term_divide(s.terms, s.one, twice);
}

static hbg_term slope_cbrt(slope s) {
    return hbg_term_divide(s.terms, s.one,
                           hbg_term_multiply(s.terms, hbg_term_integer(s.terms, 3), square(s.terms, s.term)));
}

static hbg_term slope_hypot(slope s) {
    return hbg_term_divide(s.terms, s.argument == 0 ? s.a : s.b, s.term);
}

static hbg_term slope_table(slope s) {
    return hbg_term_make(s.terms, TERM_SLOPE, s.a, s.b, HBG_NONE);
}

/* ---- operators with branches -------------------------------------------------------------------------- */

static hbg_term select(hbg_terms *terms, hbg_term condition, hbg_term yes, hbg_term no) {
    return hbg_term_make(terms, HBG_OP_SELECT, condition, yes, no);
}

static hbg_term slope_abs(slope s) {
    hbg_term zero = hbg_term_integer(s.terms, 0);
    hbg_term up = hbg_term_make(s.terms, HBG_OP_GREATER_EQUAL, s.a, zero, HBG_NONE);
    return select(s.terms, up, s.one, hbg_term_integer(s.terms, -1));
}

/* The derivative of one of the two: of the first where `first` selects it. */
static hbg_term slope_of_one(slope s, hbg_operator first) {
    hbg_term zero = hbg_term_integer(s.terms, 0);
    hbg_term condition = hbg_term_make(s.terms, first, s.a, s.b, HBG_NONE);
    return s.argument == 0 ? select(s.terms, condition, s.one, zero)
                           : select(s.terms, condition, zero, s.one);
}

static hbg_term slope_min(slope s) {
    return slope_of_one(s, HBG_OP_LESS);
}

static hbg_term slope_max(slope s) {
    return slope_of_one(s, HBG_OP_GREATER);
}

static hbg_term slope_select(slope s) {
    hbg_term zero = hbg_term_integer(s.terms, 0);
    if (s.argument == 0) return zero;
    return s.argument == 1 ? select(s.terms, s.a, s.one, zero) : select(s.terms, s.a, zero, s.one);
}

typedef hbg_term (*slope_function)(slope s);

static const slope_function slopes[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, derivative, pulse, size,         \
          enclosure, c)                                                                                      \
    [HBG_OP_##id] = slope_##derivative,
    HBG_OPERATOR_LIST(X)
#undef X
};

hbg_term hbg_term_partial(hbg_terms *terms, hbg_term term, int argument) {
    const term_node *node = &terms->nodes.items[term];
    slope s = {terms, term, node->a, node->b, argument, HBG_NONE};
    int op = node->op;
    s.one = hbg_term_integer(terms, 1);
    if (op < HBG_OP_COUNT) return slopes[op](s);
    switch (op) {
    case TERM_SLOPE: return slope_zero(s); // pieces of tables are straight
    case TERM_CHARGE: return terms->law_of_element(terms->owner, s.b);
    case TERM_RATE: return s.one;
    default: return slope_none(s);
    }
}

/* ---- gradients ---------------------------------------------------------------------------------------- */

/* a · b, where 0 times the branch not chosen is 0 even if that is infinite: the factor goes into the branch
 * of a select. */
static hbg_term product(hbg_terms *terms, hbg_term a, hbg_term b) {
    const hbg_term factors[] = {a, b};
    for (int i = 0; i < 2; i++) {
        term_node node = terms->nodes.items[factors[i]];
        if (node.op != HBG_OP_SELECT) continue;
        bool first = hbg_term_is_zero(terms, node.c), second = hbg_term_is_zero(terms, node.b);
        if (first == second) continue;
        hbg_term chosen = product(terms, first ? node.b : node.c, factors[1 - i]);
        return hbg_term_make(terms, HBG_OP_SELECT, node.a, first ? chosen : node.b, first ? node.c : chosen);
    }
    return hbg_term_multiply(terms, a, b);
}

static hbg_term quotient(hbg_terms *terms, hbg_term a, hbg_term b) {
    term_node node = terms->nodes.items[a];
    bool select = node.op == HBG_OP_SELECT;
    bool first = select && hbg_term_is_zero(terms, node.c),
         second = select && hbg_term_is_zero(terms, node.b);
    if (first == second) return hbg_term_divide(terms, a, b);
    hbg_term chosen = quotient(terms, first ? node.b : node.c, b);
    return hbg_term_make(terms, HBG_OP_SELECT, node.a, first ? chosen : node.b, first ? node.c : chosen);
}

/* Adds adjoint · ∂term/∂argument to the argument's adjoint. notes: the adjoint plus 1 */
static void hand_down(hbg_terms *terms, hbg_term term, int argument, hbg_term adjoint) {
    const term_node *node = &terms->nodes.items[term];
    hbg_term to = argument == 0 ? node->a : argument == 1 ? node->b : node->c;
    bool division = node->op == HBG_OP_DIVIDE && argument == 0;
    hbg_term share = division ? quotient(terms, adjoint, node->b) // rounds once, not twice
                              : product(terms, adjoint, hbg_term_partial(terms, term, argument));
    hbg_term sum =
        terms->notes.items[to] == 0 ? share : hbg_term_add(terms, terms->notes.items[to] - 1, share);
    terms->notes.items[to] = sum + 1;
}

/* Goes down to terms of a level; those of the level `whole` are not entered. */
static void go_down(hbg_terms *terms, hbg_arena *scratch, hbg_term root, int lowest, int whole,
                    gradient *result) {
    hbg_term_walk(terms, root);
    int32_t count = terms->walk.count;
    hbg_term *walk = HBG_NEW_ARRAY(scratch, hbg_term, count);
    memcpy(walk, terms->walk.items, (size_t)count * sizeof *walk);
    hbg_term one = hbg_term_integer(terms, 1);
    terms->notes.items[root] = one + 1;
    result->count = 0;
    for (int32_t i = count - 1; i >= 0; i--) {
        term_node node = terms->nodes.items[walk[i]];
        hbg_term adjoint = terms->notes.items[walk[i]] - 1;
        terms->notes.items[walk[i]] = 0;
        if (adjoint < 0 || node.level < lowest || hbg_term_is_zero(terms, adjoint)) continue;
        bool is_part = node.level == whole, is_variable = node.op == TERM_VARIABLE && !is_part;
        if (is_part || is_variable)
            HBG_PUSH(scratch, *result, (gradient_entry){is_variable ? node.a : HBG_NONE, walk[i], adjoint});
        for (int k = 0; k < hbg_term_arity(&node) && !is_part; k++) {
            hbg_term argument = hbg_term_argument(&node, k);
            if (terms->nodes.items[argument].level >= lowest) hand_down(terms, walk[i], k, adjoint);
        }
    }
    hbg_base_arena_release(scratch, walk, (size_t)count * sizeof *walk);
}

void hbg_term_gradient(hbg_terms *terms, hbg_arena *scratch, hbg_term root, gradient *result) {
    go_down(terms, scratch, root, LEVEL_RUN, HBG_NONE, result);
}

void hbg_term_gradient_of_parts(hbg_terms *terms, hbg_arena *scratch, hbg_term root, gradient *result) {
    go_down(terms, scratch, root, LEVEL_PARAM, LEVEL_PARAM, result);
}

void hbg_term_gradient_of_params(hbg_terms *terms, hbg_arena *scratch, hbg_term root, gradient *result) {
    go_down(terms, scratch, root, LEVEL_PARAM, HBG_NONE, result);
}
