/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Exact derivatives of terms: of each operator by its arguments, and gradients by reverse accumulation, whose cost is that of
 * the term itself. Where an operator has a kink the derivative is that of the branch taken; what only switches
 * (relations, sign, floor) has none. */
#include <string.h>

#include "term/term.h"

static hbg_term one_argument(hbg_terms *terms, hbg_operator op, hbg_term a) {
    return hbg_term_make(terms, op, a, HBG_NONE, HBG_NONE);
}

static hbg_term square(hbg_terms *terms, hbg_term a) {
    return hbg_term_multiply(terms, a, a);
}

/* ∂/∂a and ∂/∂b of a^b. */
static hbg_term power_partial(hbg_terms *terms, hbg_term term, int argument) {
    term_node node = terms->nodes.items[term];
    hbg_term one = hbg_term_integer(terms, 1);
    if (argument == 0) {
        hbg_term lower = hbg_term_subtract(terms, node.b, one);
        const term_node *exponent = &terms->nodes.items[node.b];
        if (exponent->op == HBG_OP_NUMBER) { // the exponent less one is a literal again
            hbg_decimal less;
            hbg_decimal minus_one = {"1", 0, true};
            if (hbg_decimal_add(terms->arena, terms->numbers.items[exponent->a], minus_one, &less))
                lower = hbg_term_number(terms, less);
        }
        return hbg_term_multiply(terms, node.b,
                                 hbg_term_make(terms, HBG_OP_POWER_OF, node.a, lower, HBG_NONE));
    }
    return hbg_term_multiply(terms, term, one_argument(terms, HBG_OP_LOG, node.a));
}

static hbg_term function_partial(hbg_terms *terms, hbg_term term, int argument) {
    term_node node = terms->nodes.items[term];
    hbg_term a = node.a, b = node.b, one = hbg_term_integer(terms, 1);
    switch (node.op) {
    case HBG_OP_SIN: return one_argument(terms, HBG_OP_COS, a);
    case HBG_OP_COS: return hbg_term_negate(terms, one_argument(terms, HBG_OP_SIN, a));
    case HBG_OP_TAN: return hbg_term_add(terms, one, square(terms, term));
    case HBG_OP_ASIN:
    case HBG_OP_ACOS: {
        hbg_term root = one_argument(terms, HBG_OP_SQRT, hbg_term_subtract(terms, one, square(terms, a)));
        hbg_term partial = hbg_term_divide(terms, one, root);
        return node.op == HBG_OP_ASIN ? partial : hbg_term_negate(terms, partial);
    }
    case HBG_OP_ATAN: return hbg_term_divide(terms, one, hbg_term_add(terms, one, square(terms, a)));
    case HBG_OP_ATAN2: {
        hbg_term size = hbg_term_add(terms, square(terms, a), square(terms, b));
        return argument == 0 ? hbg_term_divide(terms, b, size)
                             : hbg_term_negate(terms, hbg_term_divide(terms, a, size));
    }
    case HBG_OP_SINH: return one_argument(terms, HBG_OP_COSH, a);
    case HBG_OP_COSH: return one_argument(terms, HBG_OP_SINH, a);
    case HBG_OP_TANH: return hbg_term_subtract(terms, one, square(terms, term));
    case HBG_OP_EXP: return term;
    case HBG_OP_LOG: return hbg_term_divide(terms, one, a);
    case HBG_OP_LOG10:
        return hbg_term_divide(
            terms, one,
            hbg_term_multiply(terms, a, one_argument(terms, HBG_OP_LOG, hbg_term_integer(terms, 10))));
    case HBG_OP_SQRT:
        return hbg_term_divide(terms, one, hbg_term_multiply(terms, hbg_term_integer(terms, 2), term));
    case HBG_OP_CBRT:
        return hbg_term_divide(terms, one,
                               hbg_term_multiply(terms, hbg_term_integer(terms, 3), square(terms, term)));
    case HBG_OP_HYPOT: return hbg_term_divide(terms, argument == 0 ? a : b, term);
    default: return HBG_NONE;
    }
}

/* Operators with branches. */
static hbg_term branch_partial(hbg_terms *terms, hbg_term term, int argument) {
    term_node node = terms->nodes.items[term];
    hbg_term one = hbg_term_integer(terms, 1), zero = hbg_term_integer(terms, 0);
    switch (node.op) {
    case HBG_OP_ABS: {
        hbg_term up = hbg_term_make(terms, HBG_OP_GREATER_EQUAL, node.a, zero, HBG_NONE);
        return hbg_term_make(terms, HBG_OP_SELECT, up, one, hbg_term_integer(terms, -1));
    }
    case HBG_OP_MIN:
    case HBG_OP_MAX: {
        hbg_term first = hbg_term_make(terms, node.op == HBG_OP_MIN ? HBG_OP_LESS : HBG_OP_GREATER, node.a,
                                       node.b, HBG_NONE);
        return argument == 0 ? hbg_term_make(terms, HBG_OP_SELECT, first, one, zero)
                             : hbg_term_make(terms, HBG_OP_SELECT, first, zero, one);
    }
    case HBG_OP_SELECT:
        if (argument == 0) return zero;
        return argument == 1 ? hbg_term_make(terms, HBG_OP_SELECT, node.a, one, zero)
                             : hbg_term_make(terms, HBG_OP_SELECT, node.a, zero, one);
    case HBG_OP_REMAINDER: // a − b·trunc(a/b): b counts only through the whole number
        if (argument == 0) return one;
        return hbg_term_divide(terms, hbg_term_subtract(terms, term, node.a), node.b);
    case TERM_CHARGE: return terms->law_of_element(terms->owner, node.b);
    case HBG_OP_TABLE: return hbg_term_make(terms, TERM_SLOPE, node.a, node.b, HBG_NONE);
    default: return zero; // relations, booleans, sign, floor, ceil, slope
    }
}

hbg_term hbg_term_partial(hbg_terms *terms, hbg_term term, int argument) {
    term_node node = terms->nodes.items[term];
    hbg_term one = hbg_term_integer(terms, 1);
    switch (node.op) {
    case HBG_OP_FINITE: return terms->stop_at_finite ? hbg_term_integer(terms, 0) : one;
    case TERM_RATE:
    case HBG_OP_ADD: return one;
    case HBG_OP_SUBTRACT: return argument == 0 ? one : hbg_term_integer(terms, -1);
    case HBG_OP_NEGATE: return hbg_term_integer(terms, -1);
    case HBG_OP_MULTIPLY: return argument == 0 ? node.b : node.a;
    case HBG_OP_DIVIDE:
        return argument == 0 ? hbg_term_divide(terms, one, node.b)
                             : hbg_term_negate(terms, hbg_term_divide(terms, term, node.b));
    case HBG_OP_POWER_OF: return power_partial(terms, term, argument);
    default: break;
    }
    hbg_term partial = function_partial(terms, term, argument);
    return partial != HBG_NONE ? partial : branch_partial(terms, term, argument);
}

/* ---- gradients ---------------------------------------------------------------------------------------- */

/* a · b, where 0 times what was not chosen is 0 even if that is infinite: the factor goes into the branch of a select. */
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

/* Down to terms of a level; those of the level `whole` are not looked into. */
static void go_down(hbg_terms *terms, hbg_arena *scratch, hbg_term root, int lowest, int whole,
                    gradient *result) {
    hbg_terms_walk(terms, root);
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
    hbg_arena_release(scratch, walk, (size_t)count * sizeof *walk);
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
