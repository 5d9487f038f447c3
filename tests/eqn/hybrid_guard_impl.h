/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards judged on the oracle's values: pairs of finite part and area, compared by areas first (semantics, section 2). Three
 * answers: where a value is near equality, or undefined, the oracle does not decide. */
#ifndef HBG_TESTS_EQN_HYBRID_GUARD_IMPL_H
#define HBG_TESTS_EQN_HYBRID_GUARD_IMPL_H

#include "hybrid_oracle_impl.h"

typedef enum { TRUTH_NO, TRUTH_OPEN, TRUTH_YES } truth;

/* What guards read at one point of a search. */
typedef struct {
    const hybrid *h;
    const oracle_values *cur, *pre;
    bool a_priori; /* a collision: the finite parts of plain names are pre, pulses are those of cur */
    double time;
    const double *inputs;
    const int *states;     /* under consideration */
    const double *entered; /* when, by automaton */
    const double *x,
        *balance; /* energies in(…) starts from, and what junctions sum to that would bounce if they came on */
    const bool *off; /* by junction: it would bounce if it came on */
} guard_view;

typedef struct {
    long double fin, area;
    bool known;
} pair;

/* Nearer than this share of the size the oracle does not judge; areas below the second share are none. */
static const long double near_share = 1e-7L, none_share = 1e-17L;

static inline truth truth_and(truth a, truth b) {
    return a < b ? a : b;
}

static inline truth truth_or(truth a, truth b) {
    return a > b ? a : b;
}

/* Column of the variable in the tableau, with its sign. */
static inline int atom_column(const hybrid *h, const hybrid_atom *atom, int *sign) {
    *sign = 1;
    if (atom->kind == ATOM_BOND) return 2 * atom->bond + (atom->effort ? 0 : 1);
    if (atom->kind == ATOM_COMMON) {
        int bond = 0;
        while (h->n.bonds[bond].from.node != atom->node && h->n.bonds[bond].to.node != atom->node) bond++;
        return 2 * bond + (node_is(&h->n.nodes[atom->node], "0") ? 0 : 1);
    }
    tableau_port at = port_of(&h->n, atom->node, atom->port);
    *sign = atom->kind == ATOM_EFFORT ? at.effort_sign : at.flow_sign;
    return atom->kind == ATOM_EFFORT ? at.effort : at.flow;
}

/* Everything as it would be in another state of an automaton, from the same energies; *collides: something bounces there. */
static inline const oracle_values *values_in(const guard_view *view, const hybrid_atom *atom,
                                             bool *collides) {
    static oracle_values other;
    hybrid *h = (hybrid *)view->h; // the net is left in the mode it is in
    int states[HYBRID_AUTOMATA];
    memcpy(states, view->states, (size_t)h->automaton_count * sizeof *states);
    states[atom->automaton] = atom->state;
    oracle_enter(h, states);
    oracle_place place = {h, view->time, view->inputs, view->balance};
    oracle_consider(&other, &place, view->x);
    for (int i = 0; i < h->n.node_count; i++)
        *collides |= h->restitution[i] >= 0 && view->off[i] && !h->n.nodes[i].off;
    oracle_enter(h, view->states);
    return &other;
}

static inline pair atom_pair(const guard_view *view, const hybrid_atom *atom) {
    const hybrid *h = view->h;
    bool in = atom->view == VIEW_IN, pre = atom->view == VIEW_PRE, collides = view->a_priori && !in;
    bool varies = atom->kind != ATOM_TIME && atom->kind != ATOM_LEVEL;
    const oracle_values *now = in && varies ? values_in(view, atom, &collides) : view->cur;
    const oracle_values *from = pre || collides ? view->pre : now;
    pair value = {.known = !in || !varies || (now->solved && now->scale < 1e5)};
    if (atom->kind == ATOM_TIME || atom->kind == ATOM_LEVEL) {
        value.fin = atom->kind == ATOM_TIME ? view->time : view->inputs[INPUT_LEVEL];
    } else if (atom->kind == ATOM_ENERGY) {
        value.fin = from->x_plus[net_first_state(&h->n, atom->node) + atom->port - 1];
    } else {
        int sign, column = atom_column(h, atom, &sign);
        value.fin = sign * from->fin[column];
        value.area = pre ? 0 : sign * now->area[column];
        value.known &= from->fin_known[column] && (pre || now->area_known[column]);
    }
    if (atom->view == VIEW_IMPULSE) value.fin = value.area;
    if (atom->view == VIEW_IMPULSE || atom->view == VIEW_FINITE) value.area = 0;
    value.fin *= atom->factor;
    value.area *= atom->factor;
    return value;
}

static inline truth judge_difference(relation_kind kind, long double difference) {
    bool less = kind == REL_LESS || kind == REL_LESS_EQUAL;
    return (less ? difference < 0 : difference > 0) ? TRUTH_YES : TRUTH_NO;
}

/* *by_fin: finite parts decide, as far as can be told. */
static inline truth judge_relation(const guard_view *view, const hybrid_relation *relation, truth *by_fin) {
    pair sum = {.fin = -relation->bound, .known = true};
    long double size = view->cur->scale + view->pre->scale + fabs(relation->bound),
                area_size = view->cur->area_scale;
    for (int i = 0; i < relation->atom_count; i++) {
        pair value = atom_pair(view, &relation->atoms[i]);
        sum.fin += value.fin;
        sum.area += value.area;
        sum.known &= value.known;
    }
    *by_fin = TRUTH_OPEN;
    if (!sum.known) return TRUTH_OPEN;
    if (fabsl(sum.area) > near_share * area_size) {
        *by_fin = TRUTH_NO;
        return judge_difference(relation->kind, sum.area);
    }
    if (fabsl(sum.area) > none_share * area_size) return TRUTH_OPEN;
    *by_fin = TRUTH_YES;
    if (fabsl(sum.fin) > near_share * size) return judge_difference(relation->kind, sum.fin);
    return TRUTH_OPEN;
}

static inline truth judge_wait(const guard_view *view, int automaton, double after) {
    double left = view->entered[automaton] + after - view->time;
    return left > 1e-9 ? TRUTH_NO : left > -1e-9 && left != 0 ? TRUTH_OPEN : TRUTH_YES;
}

static inline truth judge_transition(const guard_view *view, int automaton, const hybrid_transition *way) {
    truth found = TRUTH_YES, relations = TRUTH_YES, by_fin;
    if (way->after > 0) return judge_wait(view, automaton, way->after);
    for (int i = 0; i < way->relation_count; i++) {
        truth one = judge_relation(view, &way->relations[i], &by_fin);
        relations = i == 0 ? one : way->either ? truth_or(relations, one) : truth_and(relations, one);
    }
    found = relations;
    bool any = way->relation_count > 0;
    if (way->input >= 0) {
        found = truth_and(found, (view->inputs[way->input] != 0) != way->negated ? TRUTH_YES : TRUTH_NO);
        any = true;
    }
    if (way->automaton >= 0) {
        bool there = view->states[way->automaton] == way->state;
        there |= way->second >= 0 && view->states[way->second] == way->second_state;
        found = truth_and(found, there ? TRUTH_YES : TRUTH_NO);
        any = true;
    }
    return any ? found : TRUTH_NO; // it reads `false`
}

/* Where an automaton may go, as bits of states; the first transition that holds wins. */
static inline int possible_targets(const guard_view *view, int automaton) {
    double every = view->h->automata[automaton].every, ticks = every > 0 ? view->time / every : 0;
    if (fabs(ticks - round(ticks)) > 1e-9) return 1 << view->states[automaton]; // it does not look now
    const hybrid_state *state = &view->h->automata[automaton].states[view->states[automaton]];
    int bits = 0;
    for (int k = 0; k < state->transition_count; k++) {
        truth holds = judge_transition(view, automaton, &state->transitions[k]);
        if (holds != TRUTH_NO) bits |= 1 << state->transitions[k].target;
        if (holds == TRUTH_YES) return bits;
    }
    return bits | 1 << view->states[automaton];
}

/* ---- what a guard may not read ------------------------------------------------------------------------ */

/* Whether the atom names the energy, or the co-energy variable, of a port of a storage: TRUTH_OPEN where it names the same
 * variable by another name. */
static inline truth atom_names(const hybrid *h, const hybrid_atom *atom, int node, int port) {
    const net *n = &h->n;
    bool capacitor = node_is(&n->nodes[node], "C");
    if (atom->view == VIEW_PRE || atom->view == VIEW_IMPULSE || atom->kind >= ATOM_TIME) return TRUTH_NO;
    if (atom->view == VIEW_IN) return TRUTH_OPEN; // of another state: whether that is forbidden is left open
    truth sure = atom->view == VIEW_FINITE ? TRUTH_OPEN : TRUTH_YES;
    const net_bond *bond = &n->bonds[port_of(n, node, port).bond];
    int junction = bond->from.node == node ? bond->to.node : bond->from.node;
    bool common = n->nodes[junction].ports == 0 && node_is(&n->nodes[junction], "0") == capacitor;
    if (atom->kind == ATOM_ENERGY) return atom->node == node && atom->port == port ? sure : TRUTH_NO;
    if (atom->kind == ATOM_COMMON) return atom->node == junction && common ? sure : TRUTH_NO;
    bool effort = atom->kind == ATOM_BOND ? atom->effort : atom->kind == ATOM_EFFORT;
    if (effort != capacitor) return TRUTH_NO;
    if (atom->kind != ATOM_BOND && atom->node == node && atom->port == port) return sure;
    int read = atom->kind == ATOM_BOND ? atom->bond : port_of(n, atom->node, atom->port).bond;
    bool there = n->bonds[read].from.node == junction || n->bonds[read].to.node == junction;
    return (common && there) || port_of(n, node, port).bond == read ? TRUTH_OPEN : TRUTH_NO;
}

/* A transition is taken: which states its relations, decided by finite parts, named. `named` by state; it only grows, to
 * `most` at most. */
static inline void note_named(const guard_view *view, const hybrid_transition *way, truth most,
                              truth *named) {
    const net *n = &view->h->n;
    if (way->either && way->relation_count > 1)
        most = truth_and(most, TRUTH_OPEN); // the other one may have decided
    for (int r = 0; r < way->relation_count && !view->a_priori; r++) {
        truth by_fin;
        judge_relation(view, &way->relations[r], &by_fin);
        by_fin = truth_and(by_fin, most);
        for (int i = 0; i < n->node_count; i++)
            for (int port = 1; node_is_storage(&n->nodes[i]) && port <= n->nodes[i].ports; port++)
                for (int k = 0; k < way->relations[r].atom_count; k++) {
                    truth names = atom_names(view->h, &way->relations[r].atoms[k], i, port);
                    truth *at = &named[net_first_state(n, i) + port - 1];
                    *at = truth_or(*at, truth_and(names, by_fin));
                }
    }
}

#endif
