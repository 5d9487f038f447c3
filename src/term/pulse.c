/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finite part and area of a term as two terms. What compares them is decided by areas first (semantics,
 * sections 2 and 5), so that both parts are watched. The same rules on values, at instants, are in eqn/value.c. */
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

static pair apply(hbg_terms *terms, term_node node, const pair *a) {
    const pair zero = {hbg_term_integer(terms, 0), HBG_NONE};
    pair plain = {make(terms, node.op, a[0].fin, a[1].fin, a[2].fin), HBG_NONE};
    switch (node.op) {
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT: return linear(terms, node.op, a[0], a[1]);
    case HBG_OP_NEGATE: return negated(terms, a[0]);
    case HBG_OP_MULTIPLY: return product(terms, a[0], a[1]);
    case HBG_OP_DIVIDE:
        if (a[0].area != HBG_NONE) plain.area = hbg_term_divide(terms, a[0].area, a[1].fin);
        return plain;
    case HBG_OP_ABS:
        if (a[0].area == HBG_NONE) return plain;
        return select(terms, compare(terms, HBG_OP_LESS, a[0], zero), negated(terms, a[0]), a[0]);
    case HBG_OP_MIN:
    case HBG_OP_MAX: {
        int first = node.op == HBG_OP_MIN ? HBG_OP_LESS_EQUAL : HBG_OP_GREATER_EQUAL;
        if (a[0].area == HBG_NONE && a[1].area == HBG_NONE) return plain;
        return select(terms, compare(terms, first, a[0], a[1]), a[0], a[1]);
    }
    case HBG_OP_SIGN: {
        if (a[0].area == HBG_NONE) return plain;
        hbg_term by_area = make(terms, HBG_OP_SIGN, a[0].area, HBG_NONE, HBG_NONE);
        hbg_term none = make(terms, HBG_OP_EQUAL, a[0].area, zero.fin, HBG_NONE);
        return (pair){make(terms, HBG_OP_SELECT, none, plain.fin, by_area), HBG_NONE};
    }
    case HBG_OP_SELECT: return select(terms, a[0].fin, a[1], a[2]);
    case HBG_OP_EQUAL:
    case HBG_OP_NOT_EQUAL:
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return (pair){compare(terms, node.op, a[0], a[1]), HBG_NONE};
    default: return plain; // of finite parts: what is not linear in a pulse is refused at instants
    }
}

static bool may_pulse(hbg_terms *terms, hbg_term_pulses pulses, hbg_term term) {
    hbg_terms_walk(terms, term);
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
