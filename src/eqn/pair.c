/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finite part and area of a term as two terms. While time flows only values in other states, in(…), have areas; what compares
 * them is decided by areas first there too (semantics, sections 2 and 5), so that both parts are watched. The same rules on
 * values, at instants, are in value.c. */
#include "eqn/eqn_impl.h"

typedef struct {
    hbg_term fin, area; /* area HBG_NONE: none */
} pair;

static bool is_in(const hbg_eqn *eqn, const term_node *node) {
    return node->op == TERM_VARIABLE && node->a < eqn->base_count &&
           hbg_eqn_kind_of(eqn, node->a) == VARIABLE_IN;
}

static hbg_term make(hbg_eqn *eqn, int op, hbg_term a, hbg_term b, hbg_term c) {
    return hbg_term_make(&eqn->terms, op, a, b, c);
}

static hbg_term area_of(hbg_eqn *eqn, pair of) {
    return of.area == HBG_NONE ? hbg_term_integer(&eqn->terms, 0) : of.area;
}

static pair select(hbg_eqn *eqn, hbg_term condition, pair a, pair b) {
    pair made = {make(eqn, HBG_OP_SELECT, condition, a.fin, b.fin), HBG_NONE};
    if (a.area != HBG_NONE || b.area != HBG_NONE)
        made.area = make(eqn, HBG_OP_SELECT, condition, area_of(eqn, a), area_of(eqn, b));
    return made;
}

static pair linear(hbg_eqn *eqn, int op, pair a, pair b) {
    pair made = {make(eqn, op, a.fin, b.fin, HBG_NONE), HBG_NONE};
    if (a.area != HBG_NONE || b.area != HBG_NONE)
        made.area = make(eqn, op, area_of(eqn, a), area_of(eqn, b), HBG_NONE);
    return made;
}

static pair negated(hbg_eqn *eqn, pair a) {
    return (pair){hbg_term_negate(&eqn->terms, a.fin),
                  a.area == HBG_NONE ? HBG_NONE : hbg_term_negate(&eqn->terms, a.area)};
}

/* Areas decide, finite parts where they are equal. */
static hbg_term compare(hbg_eqn *eqn, int op, pair a, pair b) {
    hbg_term by_fin = make(eqn, op, a.fin, b.fin, HBG_NONE);
    if (a.area == HBG_NONE && b.area == HBG_NONE) return by_fin;
    hbg_term left = area_of(eqn, a), right = area_of(eqn, b);
    hbg_term equal = make(eqn, HBG_OP_EQUAL, left, right, HBG_NONE);
    return make(eqn, HBG_OP_SELECT, equal, by_fin, make(eqn, op, left, right, HBG_NONE));
}

static pair product(hbg_eqn *eqn, pair a, pair b) {
    hbg_terms *terms = &eqn->terms;
    pair made = {hbg_term_multiply(terms, a.fin, b.fin), HBG_NONE};
    if (a.area != HBG_NONE) made.area = hbg_term_multiply(terms, a.area, b.fin);
    if (b.area == HBG_NONE) return made;
    hbg_term other = hbg_term_multiply(terms, a.fin, b.area);
    made.area = made.area == HBG_NONE ? other : hbg_term_add(terms, made.area, other);
    return made;
}

static pair apply(hbg_eqn *eqn, term_node node, const pair *a) {
    const pair zero = {hbg_term_integer(&eqn->terms, 0), HBG_NONE};
    pair plain = {make(eqn, node.op, a[0].fin, a[1].fin, a[2].fin), HBG_NONE};
    switch (node.op) {
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT: return linear(eqn, node.op, a[0], a[1]);
    case HBG_OP_NEGATE: return negated(eqn, a[0]);
    case HBG_OP_MULTIPLY: return product(eqn, a[0], a[1]);
    case HBG_OP_DIVIDE:
        if (a[0].area != HBG_NONE) plain.area = hbg_term_divide(&eqn->terms, a[0].area, a[1].fin);
        return plain;
    case HBG_OP_ABS:
        if (a[0].area == HBG_NONE) return plain;
        return select(eqn, compare(eqn, HBG_OP_LESS, a[0], zero), negated(eqn, a[0]), a[0]);
    case HBG_OP_MIN:
    case HBG_OP_MAX: {
        int first = node.op == HBG_OP_MIN ? HBG_OP_LESS_EQUAL : HBG_OP_GREATER_EQUAL;
        if (a[0].area == HBG_NONE && a[1].area == HBG_NONE) return plain;
        return select(eqn, compare(eqn, first, a[0], a[1]), a[0], a[1]);
    }
    case HBG_OP_SIGN: {
        if (a[0].area == HBG_NONE) return plain;
        hbg_term by_area = make(eqn, HBG_OP_SIGN, a[0].area, HBG_NONE, HBG_NONE);
        hbg_term none = make(eqn, HBG_OP_EQUAL, a[0].area, zero.fin, HBG_NONE);
        return (pair){make(eqn, HBG_OP_SELECT, none, plain.fin, by_area), HBG_NONE};
    }
    case HBG_OP_SELECT: return select(eqn, a[0].fin, a[1], a[2]);
    case HBG_OP_EQUAL:
    case HBG_OP_NOT_EQUAL:
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return (pair){compare(eqn, node.op, a[0], a[1]), HBG_NONE};
    default: return plain; // of finite parts: what is not linear in a pulse is refused at instants
    }
}

static bool reads_in(hbg_eqn *eqn, hbg_term term) {
    hbg_terms_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++)
        if (is_in(eqn, &eqn->terms.nodes.items[eqn->terms.walk.items[i]])) return true;
    return false;
}

hbg_term hbg_eqn_parts(hbg_eqn *eqn, hbg_term term, hbg_term *area) {
    *area = HBG_NONE;
    if (!reads_in(eqn, term)) return term;
    int32_t count = eqn->terms.walk.count;
    hbg_term *walk = HBG_NEW_ARRAY(&eqn->scratch, hbg_term, count + 1);
    pair *made = HBG_NEW_ARRAY(&eqn->scratch, pair, eqn->terms.nodes.count + 1); // by term below this one
    for (int32_t i = 0; i < count; i++) walk[i] = eqn->terms.walk.items[i];
    for (int32_t i = 0; i < count; i++) {
        term_node node = eqn->terms.nodes.items[walk[i]];
        pair a[3] = {{node.a, HBG_NONE}, {node.b, HBG_NONE}, {node.c, HBG_NONE}}; // b of a table is the table
        pair *to = &made[walk[i]];
        int arity = hbg_term_arity(&node);
        bool pulses = is_in(eqn, &node);
        for (int k = 0; k < arity; k++) {
            hbg_term part = hbg_term_argument(&node, k);
            a[k] = made[part];
            pulses |= a[k].area != HBG_NONE || a[k].fin != part;
        }
        *to = (pair){walk[i], HBG_NONE};
        if (!pulses) continue;
        if (arity > 0)
            *to = apply(eqn, node, a);
        else
            to->area = hbg_term_variable(&eqn->terms, node.a + LAYER_AREA * eqn->base_count);
    }
    *area = made[term].area;
    return made[term].fin;
}
