/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables without a value: the common variable of an off 0/F or 1/E junction, whose bonds each have their
 * own (semantics, section 1). Reading it is an error, but only where it is actually read: a part that `?:`,
 * `&&` or `||` skips is not. The junction's name stands for the variable while the junction is on, and for
 * NaN while it is off. A whole expression that reads it is NaN, even through comparisons, which would hide
 * it. Guards, laws and outputs then report what they have read. */
#include "eqn/eqn_impl.h"

static hbg_term integer(hbg_eqn *eqn, int32_t value) {
    return hbg_term_integer(&eqn->terms, value);
}

hbg_term hbg_eqn_common(hbg_eqn *eqn, int32_t junction, hbg_variable asked, hbg_term on) {
    hbg_term value = hbg_eqn_port(eqn, junction, 1, asked);
    return hbg_term_make(&eqn->terms, HBG_OP_SELECT, on, value,
                         hbg_eqn_var(eqn, VARIABLE_UNDEFINED, junction));
}

static bool is_undefined(const hbg_eqn *eqn, const term_node *node) {
    return node->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, node->a) == VARIABLE_UNDEFINED;
}

/* ---- whether a term has a value ------------------------------------------------------------------------ */

static hbg_term both(hbg_eqn *eqn, hbg_term a, hbg_term b) {
    if (hbg_term_is_one(&eqn->terms, a) || hbg_term_is_zero(&eqn->terms, b) || a == b) return b;
    if (hbg_term_is_one(&eqn->terms, b) || hbg_term_is_zero(&eqn->terms, a)) return a;
    return hbg_term_make(&eqn->terms, HBG_OP_AND, a, b, HBG_NONE);
}

static hbg_term either(hbg_eqn *eqn, hbg_term a, hbg_term b) {
    if (hbg_term_is_zero(&eqn->terms, a) || hbg_term_is_one(&eqn->terms, b) || a == b) return b;
    if (hbg_term_is_zero(&eqn->terms, b) || hbg_term_is_one(&eqn->terms, a)) return a;
    return hbg_term_make(&eqn->terms, HBG_OP_OR, a, b, HBG_NONE);
}

/* One side alone decides an `&&` by being false, an `||` by being true. */
static hbg_term logical_has_value(hbg_eqn *eqn, const term_node *node, hbg_term left, hbg_term right) {
    hbg_term a = node->a, b = node->b;
    if (node->op == HBG_OP_AND) {
        a = hbg_term_make(&eqn->terms, HBG_OP_NOT, a, HBG_NONE, HBG_NONE);
        b = hbg_term_make(&eqn->terms, HBG_OP_NOT, b, HBG_NONE, HBG_NONE);
    }
    hbg_term alone = either(eqn, both(eqn, left, a), both(eqn, right, b));
    return either(eqn, both(eqn, left, right), alone);
}

/* The argument of pre(…), der(…) or in(…), or HBG_NONE. */
static hbg_term inside(const hbg_eqn *eqn, const term_node *node) {
    if (node->op != TERM_VARIABLE) return HBG_NONE;
    variable_kind kind = hbg_eqn_kind_of(eqn, node->a);
    int32_t index = node->a % eqn->base_count - eqn->first[kind];
    if (kind == VARIABLE_PRE || kind == VARIABLE_DER)
        return eqn->expr_term[eqn->model->exprs.items[eqn->pres.exprs.items[index]].a];
    return kind == VARIABLE_IN && index < eqn->in.list.count ? eqn->in.list.items[index].term : HBG_NONE;
}

/* In the other state, the state of its automaton is fixed. */
static hbg_term inside_has_value(hbg_eqn *eqn, const term_node *node) {
    hbg_term value = hbg_eqn_has_value(eqn, inside(eqn, node));
    if (hbg_eqn_kind_of(eqn, node->a) != VARIABLE_IN) return value;
    const in_info *in = &eqn->in.list.items[node->a % eqn->base_count - eqn->first[VARIABLE_IN]];
    hbg_replacement with = {eqn->first[VARIABLE_AUTOMATON] + in->automaton, integer(eqn, in->state)};
    return hbg_term_substitute(&eqn->terms, &eqn->scratch, value, hbg_term_replace_one, &with);
}

static hbg_term node_has_value(hbg_eqn *eqn, term_node node, const hbg_term *found) {
    hbg_term arguments[] = {node.a, node.b, node.c}, all = integer(eqn, 1);
    if (is_undefined(eqn, &node)) return integer(eqn, 0);
    if (inside(eqn, &node) != HBG_NONE) return inside_has_value(eqn, &node);
    for (int i = 0; i < hbg_term_arity(&node); i++) all = both(eqn, all, found[arguments[i]]);
    if (hbg_term_is_one(&eqn->terms, all)) return all;
    if (node.op == HBG_OP_SELECT) {
        hbg_term chosen = hbg_term_make(&eqn->terms, HBG_OP_SELECT, node.a, found[node.b], found[node.c]);
        bool plain =
            hbg_term_is_one(&eqn->terms, found[node.b]) && hbg_term_is_zero(&eqn->terms, found[node.c]);
        return both(eqn, found[node.a], plain ? node.a : chosen);
    }
    if (node.op == HBG_OP_AND || node.op == HBG_OP_OR)
        return logical_has_value(eqn, &node, found[node.a], found[node.b]);
    return all;
}

hbg_term hbg_eqn_has_value(hbg_eqn *eqn, hbg_term term) {
    hbg_term root = hbg_eqn_written_out(eqn, term);
    hbg_term_walk(&eqn->terms, root);
    int32_t count = eqn->terms.walk.count;
    hbg_term *walk = HBG_NEW_ARRAY(&eqn->scratch, hbg_term, count + 1);
    hbg_term *found = HBG_NEW_ARRAY(&eqn->scratch, hbg_term, root + 1); // arguments have smaller numbers
    for (int32_t i = 0; i < count; i++) walk[i] = eqn->terms.walk.items[i];
    for (int32_t i = 0; i < count; i++)
        found[walk[i]] = node_has_value(eqn, eqn->terms.nodes.items[walk[i]], found);
    return found[root];
}

/* ---- what is read -------------------------------------------------------------------------------------- */

/* The first junction whose common variable the term may read while it is off, or HBG_NONE. */
static int32_t junction_read(hbg_eqn *eqn, hbg_term term) {
    HBG_VEC(hbg_term) others = {0};
    hbg_term root = hbg_eqn_written_out(eqn, term);
    hbg_term_walk(&eqn->terms, root);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (is_undefined(eqn, node)) return node->a - eqn->first[VARIABLE_UNDEFINED];
        if (inside(eqn, node) != HBG_NONE) HBG_PUSH(&eqn->scratch, others, inside(eqn, node));
    }
    int32_t first = HBG_NONE;
    for (int32_t i = 0; i < others.count && first == HBG_NONE; i++)
        first = junction_read(eqn, others.items[i]);
    return first;
}

hbg_term hbg_eqn_checked(hbg_eqn *eqn, hbg_term term) {
    int32_t junction = eqn->has_undefined ? junction_read(eqn, term) : HBG_NONE;
    if (junction == HBG_NONE) return term;
    return hbg_term_make(&eqn->terms, HBG_OP_SELECT, hbg_eqn_has_value(eqn, term), term,
                         hbg_eqn_var(eqn, VARIABLE_UNDEFINED, junction));
}

/* The value of a term of automaton states if one automaton is in the given state: 0, 1, or HBG_NONE if others
 * decide. */
static int truth_in(const hbg_eqn *eqn, hbg_term term, int32_t automaton, int32_t state) {
    const term_node *node = &eqn->terms.nodes.items[term];
    if (hbg_term_is_one(&eqn->terms, term)) return 1;
    if (hbg_term_is_zero(&eqn->terms, term)) return 0;
    if (node->op == HBG_OP_EQUAL) {
        const term_node *left = &eqn->terms.nodes.items[node->a], *right = &eqn->terms.nodes.items[node->b];
        bool own = left->op == TERM_VARIABLE && left->a == eqn->first[VARIABLE_AUTOMATON] + automaton &&
                   right->op == HBG_OP_NUMBER;
        return own ? hbg_base_decimal_to_double(eqn->terms.numbers.items[right->a]) == state : HBG_NONE;
    }
    if (node->op == HBG_OP_NOT) {
        int inside = truth_in(eqn, node->a, automaton, state);
        return inside == HBG_NONE ? HBG_NONE : !inside;
    }
    if (node->op != HBG_OP_AND && node->op != HBG_OP_OR) return HBG_NONE;
    int alone = node->op == HBG_OP_OR; // a side with this value decides alone
    int left = truth_in(eqn, node->a, automaton, state), right = truth_in(eqn, node->b, automaton, state);
    return left == alone || right == alone         ? alone
           : left == HBG_NONE || right == HBG_NONE ? HBG_NONE
                                                   : !alone;
}

hbg_term hbg_eqn_checked_in(hbg_eqn *eqn, hbg_term term, int32_t automaton, int32_t state) {
    int32_t junction = eqn->has_undefined ? junction_read(eqn, term) : HBG_NONE;
    if (junction == HBG_NONE) return term;
    hbg_term value = hbg_eqn_has_value(eqn, term);
    if (truth_in(eqn, value, automaton, state) == 1) return term;
    return hbg_term_make(&eqn->terms, HBG_OP_SELECT, value, term,
                         hbg_eqn_var(eqn, VARIABLE_UNDEFINED, junction));
}

/* Checks laws, values, coefficients, rates of integrators and samples. Signals have no value of their own:
 * their readers are reported. */
void hbg_eqn_check_laws(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    if (!eqn->has_undefined) return;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        for (int32_t k = 0; k < element->value_count; k++) {
            hbg_term *own = &eqn->expr_term[model->entries.items[element->first_value + k]];
            *own = hbg_eqn_checked(eqn, *own);
        }
        for (int32_t k = 0; k < element->law_count; k++) {
            hbg_term *own = &eqn->expr_term[model->bindings.items[element->first_law + k].value];
            *own = hbg_eqn_checked(eqn, *own);
        }
        if (element->ports == 0 && element->restitution != HBG_NONE)
            eqn->expr_term[element->restitution] = hbg_eqn_checked(eqn, eqn->expr_term[element->restitution]);
    }
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        bool read = signal->kind == HBG_SIGNAL_STATE || signal->every != HBG_NONE;
        if (read && signal->value != HBG_NONE)
            eqn->expr_term[signal->value] = hbg_eqn_checked(eqn, eqn->expr_term[signal->value]);
    }
}
