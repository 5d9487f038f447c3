/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finite part and area of a term as two terms. What compares them is decided by areas first (semantics,
 * sections 2 and 5), so that both parts are watched. The same rules on values, at instants, are in rt/judge.c. */
#include "term/term.h"

typedef struct {
    hbg_term fin, area; /* area HBG_NONE: none */
} pair;

/* The variable that is its area; HBG_NONE: it has none, or is no variable. */
static int32_t area_variable(hbg_term_pulses pulses, const term_node *node) {
    return node->op == TERM_VARIABLE ? pulses.area_of(pulses.owner, node->a) : HBG_NONE;
}

static hbg_term make(hbg_terms *terms, int op, hbg_term a, hbg_term b, hbg_term c) {
    return hbg_term_make(terms, op, a, b, c);
}

static hbg_term area_of(hbg_terms *terms, pair of) {
    return of.area == HBG_NONE ? hbg_term_integer(terms, 0) : of.area;
}

static pair select(hbg_terms *terms, hbg_term condition, pair a, pair b) {
    pair made = {make(terms, HBG_OP_SELECT, condition, a.fin, b.fin), HBG_NONE};
    if (a.area != HBG_NONE || b.area != HBG_NONE)
        made.area = make(terms, HBG_OP_SELECT, condition, area_of(terms, a), area_of(terms, b));
    return made;
}

static pair linear(hbg_terms *terms, int op, pair a, pair b) {
    pair made = {make(terms, op, a.fin, b.fin, HBG_NONE), HBG_NONE};
    if (a.area != HBG_NONE || b.area != HBG_NONE)
        made.area = make(terms, op, area_of(terms, a), area_of(terms, b), HBG_NONE);
    return made;
}

static pair negated(hbg_terms *terms, pair a) {
    return (pair){hbg_term_negate(terms, a.fin),
                  a.area == HBG_NONE ? HBG_NONE : hbg_term_negate(terms, a.area)};
}

/* Areas decide, finite parts where they are equal. */
static hbg_term compare(hbg_terms *terms, int op, pair a, pair b) {
    hbg_term by_fin = make(terms, op, a.fin, b.fin, HBG_NONE);
    if (a.area == HBG_NONE && b.area == HBG_NONE) return by_fin;
    hbg_term left = area_of(terms, a), right = area_of(terms, b);
    hbg_term equal = make(terms, HBG_OP_EQUAL, left, right, HBG_NONE);
    return make(terms, HBG_OP_SELECT, equal, by_fin, make(terms, op, left, right, HBG_NONE));
}

static pair product(hbg_terms *terms, pair a, pair b) {
    pair made = {hbg_term_multiply(terms, a.fin, b.fin), HBG_NONE};
    if (a.area != HBG_NONE) made.area = hbg_term_multiply(terms, a.area, b.fin);
    if (b.area == HBG_NONE) return made;
    hbg_term other = hbg_term_multiply(terms, a.fin, b.area);
    made.area = made.area == HBG_NONE ? other : hbg_term_add(terms, made.area, other);
    return made;
}

/* ---- operators ---------------------------------------------------------------------------------------- */

/* The column `pulse` of the list of operators: parts_… gives both parts of a term by those of its arguments. */
typedef struct {
    hbg_terms *terms;
    int op;
    const pair *a;
    pair zero;
    pair plain; /* the operator on finite parts */
} operands;

static pair parts_none(operands of) {
    HBG_ASSERT(!"an operator of terms");
    return of.plain;
}

static pair parts_number(operands of) {
    return of.plain;
}

static pair parts_sum(operands of) {
    return linear(of.terms, of.op, of.a[0], of.a[1]);
}

static pair parts_difference(operands of) {
    return linear(of.terms, of.op, of.a[0], of.a[1]);
}

static pair parts_opposite(operands of) {
    return negated(of.terms, of.a[0]);
}

static pair parts_product(operands of) {
    return product(of.terms, of.a[0], of.a[1]);
}

static pair parts_quotient(operands of) {
    if (of.a[0].area != HBG_NONE) of.plain.area = hbg_term_divide(of.terms, of.a[0].area, of.a[1].fin);
    return of.plain;
}

static pair parts_absolute(operands of) {
    if (of.a[0].area == HBG_NONE) return of.plain;
    hbg_term below = compare(of.terms, HBG_OP_LESS, of.a[0], of.zero);
    return select(of.terms, below, negated(of.terms, of.a[0]), of.a[0]);
}

static pair first_if(operands of, int order) {
    if (of.a[0].area == HBG_NONE && of.a[1].area == HBG_NONE) return of.plain;
    return select(of.terms, compare(of.terms, order, of.a[0], of.a[1]), of.a[0], of.a[1]);
}

static pair parts_lesser(operands of) {
    return first_if(of, HBG_OP_LESS_EQUAL);
}

static pair parts_greater(operands of) {
    return first_if(of, HBG_OP_GREATER_EQUAL);
}

static pair parts_sign(operands of) {
    if (of.a[0].area == HBG_NONE) return of.plain;
    hbg_term by_area = make(of.terms, HBG_OP_SIGN, of.a[0].area, HBG_NONE, HBG_NONE);
    hbg_term none = make(of.terms, HBG_OP_EQUAL, of.a[0].area, of.zero.fin, HBG_NONE);
    return (pair){make(of.terms, HBG_OP_SELECT, none, of.plain.fin, by_area), HBG_NONE};
}

static pair parts_select(operands of) {
    return select(of.terms, of.a[0].fin, of.a[1], of.a[2]);
}

static pair parts_relation(operands of) {
    return (pair){compare(of.terms, of.op, of.a[0], of.a[1]), HBG_NONE};
}

static pair parts_both(operands of) {
    return of.plain;
}

static pair parts_either(operands of) {
    return of.plain;
}

static pair parts_negation(operands of) {
    return of.plain;
}

static pair parts_finite(operands of) {
    return of.plain;
}

/* Of finite parts: what is not linear in a pulse is refused at instants. */
static pair parts_refuse(operands of) {
    return of.plain;
}

static pair apply(hbg_terms *terms, term_node node, const pair *a) {
    const pair zero = {hbg_term_integer(terms, 0), HBG_NONE};
    const pair plain = {make(terms, node.op, a[0].fin, a[1].fin, a[2].fin), HBG_NONE};
    const operands of = {terms, node.op, a, zero, plain};
    switch (node.op) {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    case HBG_OP_##id: return parts_##pulse(of);
        HBG_OPERATOR_LIST(X)
#undef X
    case TERM_SLOPE:
    case TERM_CHARGE:
    case TERM_RATE: return parts_refuse(of);
    default: return parts_none(of);
    }
}

enum { /* by the same column: whether the order of values decides the area */
       ORDERS_none = false,
       ORDERS_number = false,
       ORDERS_sum = false,
       ORDERS_difference = false,
       ORDERS_opposite = false,
       ORDERS_product = false,
       ORDERS_quotient = false,
       ORDERS_absolute = true,
       ORDERS_lesser = true,
       ORDERS_greater = true,
       ORDERS_sign = false,
       ORDERS_select = false,
       ORDERS_relation = false,
       ORDERS_both = false,
       ORDERS_either = false,
       ORDERS_negation = false,
       ORDERS_finite = false,
       ORDERS_refuse = false
};

bool hbg_term_orders(int op) {
    static const bool orders[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = ORDERS_##pulse,
        HBG_OPERATOR_LIST(X)
#undef X
    };
    return op < HBG_OP_COUNT && orders[op];
}

static bool may_pulse(hbg_terms *terms, hbg_term_pulses pulses, hbg_term term) {
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++)
        if (area_variable(pulses, &terms->nodes.items[terms->walk.items[i]]) != HBG_NONE) return true;
    return false;
}

hbg_term hbg_term_parts(hbg_terms *terms, hbg_arena *scratch, hbg_term_pulses pulses, hbg_term term,
                        hbg_term *area) {
    *area = HBG_NONE;
    if (!may_pulse(terms, pulses, term)) return term;
    int32_t count = terms->walk.count;
    hbg_term *walk = HBG_NEW_ARRAY(scratch, hbg_term, count + 1);
    pair *made = HBG_NEW_ARRAY(scratch, pair, terms->nodes.count + 1); // by term below this one
    for (int32_t i = 0; i < count; i++) walk[i] = terms->walk.items[i];
    for (int32_t i = 0; i < count; i++) {
        term_node node = terms->nodes.items[walk[i]];
        pair a[3] = {{node.a, HBG_NONE}, {node.b, HBG_NONE}, {node.c, HBG_NONE}}; // b of a table is the table
        pair *to = &made[walk[i]];
        int arity = hbg_term_arity(&node);
        int32_t own = area_variable(pulses, &node);
        bool pulsing = false;
        for (int k = 0; k < arity; k++) {
            hbg_term part = hbg_term_argument(&node, k);
            a[k] = made[part];
            pulsing |= a[k].area != HBG_NONE || a[k].fin != part;
        }
        *to = (pair){walk[i], HBG_NONE};
        if (own != HBG_NONE)
            to->area = hbg_term_variable(terms, own);
        else if (pulsing)
            *to = apply(terms, node, a);
    }
    *area = made[term].area;
    return made[term].fin;
}
