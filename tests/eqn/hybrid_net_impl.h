/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random hybrid bond graphs: a net of the tests of equations whose junctions are driven by automata, with guards on whatever
 * a guard may read, inputs that are acted on, and collisions. Every junction that is no contact has a storage or a resistor of
 * its own and unlike junctions alternate, so that nearly every mode has a causal assignment: little has to be thrown away. */
#ifndef HBG_TESTS_EQN_HYBRID_NET_IMPL_H
#define HBG_TESTS_EQN_HYBRID_NET_IMPL_H

#include "net_impl.h"

enum {
    HYBRID_OWN = 3,                   /* automata of a graph, at most */
    HYBRID_AUTOMATA = 2 * HYBRID_OWN, /* two graphs side by side */
    HYBRID_STATES = 3,
    HYBRID_TRANSITIONS = 2,
    HYBRID_RELATIONS = 2,
    HYBRID_ATOMS = 8,
    HYBRID_ACTIONS = 4
};

/* Inputs every graph has: two levels, an event, a number that one source may follow. */
enum { INPUT_G0, INPUT_G1, INPUT_KICK, INPUT_LEVEL, HYBRID_INPUTS };
static const char *const hybrid_input_names[HYBRID_INPUTS] = {"g0", "g1", "kick", "level"};

typedef enum { ATOM_EFFORT, ATOM_FLOW, ATOM_ENERGY, ATOM_COMMON, ATOM_BOND, ATOM_TIME, ATOM_LEVEL } atom_kind;
typedef enum { VIEW_PLAIN, VIEW_PRE, VIEW_IMPULSE, VIEW_FINITE, VIEW_IN } atom_view;

typedef struct {
    atom_kind kind;
    atom_view view;
    double factor;
    int node, port; /* of efforts, flows, energies; the junction of a common variable */
    int bond;    /* its summed variable is meant: of the flow at a 0-junction, the effort at a 1-junction */
    bool effort; /* of a bond */
    int automaton, state; /* in which of its states, of VIEW_IN */
} hybrid_atom;

typedef enum { REL_LESS, REL_LESS_EQUAL, REL_GREATER, REL_GREATER_EQUAL } relation_kind;

typedef struct { /* Σ factor·atom, compared with the bound */
    hybrid_atom atoms[HYBRID_ATOMS];
    int atom_count;
    relation_kind kind;
    double bound;
} hybrid_relation;

typedef struct {
    int target;
    int input; /* a boolean or the event that has to be true as well, or -1 */
    bool negated;
    int automaton, state;     /* which has to be in this state as well, or -1 */
    int second, second_state; /* or this one, or -1 */
    double after;             /* s; 0: none */
    hybrid_relation relations[HYBRID_RELATIONS];
    int relation_count;
    bool either; /* of two relations */
} hybrid_transition;

typedef struct {
    bool on;
    hybrid_transition transitions[HYBRID_TRANSITIONS];
    int transition_count;
} hybrid_state;

typedef struct {
    hybrid_state states[HYBRID_STATES];
    int state_count;
    double every; /* s: its guards are looked at only then; 0: always */
} hybrid_automaton;

typedef struct {
    double time;
    int input;
    double value;
} hybrid_action;

typedef struct {
    net n;
    int automaton[NET_NODES]; /* by junction; -1: not controlled */
    bool inverted[NET_NODES], dual[NET_NODES];
    double restitution[NET_NODES]; /* -1: none */
    bool follows[NET_NODES];       /* a source whose value is the input `level` */
    int reads[NET_NODES];     /* a source: factor times the co-energy variable of this storage; -1: of none */
    double factor[NET_NODES]; /* of that */
    double swing[NET_NODES];  /* a resistor, transformer or gyrator: value + swing·time */
    hybrid_automaton automata[HYBRID_AUTOMATA];
    int automaton_count;
    double input_start[HYBRID_INPUTS];
    hybrid_action actions[HYBRID_ACTIONS];
    int action_count;
    double stop;
} hybrid;

/* What random graphs are to have, in per cent. */
typedef struct {
    int junctions; /* at most */
    int sources, cubes, fields, collisions, duals;
    int modulated; /* resistors, transformers, gyrators by time, sources by storages */
    int sampled;   /* automata that look at their guards now and then */
    int chains;    /* like junctions are joined by transformers: zeros of off ones are repeated there */
} hybrid_plan;

/* ---- structure ---------------------------------------------------------------------------------------- */

static const net_plan hybrid_numbers = {.signs = 20};

static inline int hybrid_add(hybrid *h, test_random *random, const char *kind, int ports) {
    int node = net_add(&h->n, random, &hybrid_numbers, kind, ports);
    h->automaton[node] = -1;
    h->inverted[node] = h->dual[node] = h->follows[node] = false;
    h->restitution[node] = h->reads[node] = -1;
    h->swing[node] = h->factor[node] = 0;
    return node;
}

/* A bond, or two with a transformer or gyrator between; 'T', 'G' or 0. */
static inline void hybrid_link(hybrid *h, test_random *random, net_end from, net_end to, char through) {
    if (!through) {
        net_join(&h->n, from, to);
    } else {
        int node = hybrid_add(h, random, through == 'T' ? "TF" : "GY", 2);
        net_join(&h->n, from, (net_end){node, 1});
        net_join(&h->n, (net_end){node, 2}, to);
    }
}

static inline void hybrid_hang(hybrid *h, test_random *random, net_end own, int junction) {
    bool source = node_is_source(&h->n.nodes[own.node]), towards = source != random_chance(random, 20);
    net_end other = {junction, 0};
    net_join(&h->n, towards ? own : other, towards ? other : own);
}

/* A storage or resistor; some storages become a further port of a field. */
static inline void hybrid_element(hybrid *h, test_random *random, const hybrid_plan *plan, int junction) {
    bool zero = node_is(&h->n.nodes[junction], "0"), natural = random_chance(random, 80);
    const char *kind = random_chance(random, 25) ? "R" : zero == natural ? "C" : "I";
    bool field = kind[0] != 'R' && random_chance(random, plan->fields);
    for (int i = 0; i < h->n.node_count && field; i++)
        if (node_is(&h->n.nodes[i], kind) && h->n.nodes[i].ports < 2 && h->n.nodes[i].cube == 0) {
            hybrid_hang(h, random, (net_end){i, net_widen(&h->n.nodes[i], random)}, junction);
            return;
        }
    int node = hybrid_add(h, random, kind, 1);
    if (kind[0] != 'R' &&
        random_chance(random, plan->cubes)) // a pulse through a resistor that is not linear has no meaning
        h->n.nodes[node].cube = random_eighths(random, 1, 6);
    hybrid_hang(h, random, (net_end){node, 1}, junction);
}

static inline void hybrid_source(hybrid *h, test_random *random, int junction) {
    bool zero = node_is(&h->n.nodes[junction], "0"), safe = random_chance(random, 80);
    int node = hybrid_add(h, random, zero == safe ? "Sf" : "Se", 1);
    if (random_chance(random, 60)) h->n.nodes[node].slope = 0;
    if (random_chance(random, 30)) {
        h->follows[node] = true;
        h->n.nodes[node].slope = 0;
    }
    hybrid_hang(h, random, (net_end){node, 1}, junction);
}

/* A junction of the tree: it hangs on an earlier one that is unlike, or behind a transformer or gyrator. */
static inline void hybrid_branch(hybrid *h, test_random *random, const hybrid_plan *plan, int junction) {
    const net_node *nodes = h->n.nodes;
    int parent = random_below(random, junction);
    bool unlike = strcmp(nodes[junction].kind, nodes[parent].kind) != 0, down = random_chance(random, 50);
    char through = random_chance(random, unlike ? 20 : 85) ? (unlike ? 'T' : 'G') : unlike ? 0 : 'T';
    if (plan->chains > 0 && !unlike) through = random_chance(random, plan->chains) ? 'T' : 'G';
    hybrid_link(h, random, (net_end){down ? parent : junction, 0}, (net_end){down ? junction : parent, 0},
                through);
}

/* A contact between two unlike junctions with storages that its balance makes dependent (collisions). */
static inline int hybrid_contact(hybrid *h, test_random *random, int a, int b) {
    bool zero = node_is(&h->n.nodes[a], "0");
    static const double coefficients[] = {0, 0.25, 0.5, 1};
    int contact = hybrid_add(h, random, zero ? "1" : "0", 0);
    h->restitution[contact] = coefficients[random_below(random, 4)];
    net_join(&h->n, (net_end){a, 0}, (net_end){contact, 0});
    net_join(&h->n, (net_end){contact, 0}, (net_end){b, 0});
    return contact;
}

/* ---- guards ------------------------------------------------------------------------------------------- */

static inline bool node_is_two_port(const net_node *node) {
    return node_is(node, "TF") || node_is(node, "GY");
}

/* Anything a guard may name; what depends on how a pulse splits between two-ports is left alone. */
static inline hybrid_atom random_atom(const hybrid *h, test_random *random) {
    hybrid_atom atom = {.kind = ATOM_TIME, .factor = random_eighths(random, 4, 16)};
    int draw = random_below(random, 100);
    if (draw < 8) return atom;
    atom.kind = ATOM_LEVEL;
    if (draw < 12) return atom;
    do {
        atom.node = random_below(random, h->n.node_count);
    } while (node_is_two_port(&h->n.nodes[atom.node]) ||
             (h->n.nodes[atom.node].ports == 0 && h->dual[atom.node]));
    const net_node *node = &h->n.nodes[atom.node];
    atom.port = node->ports > 0 ? 1 + random_below(random, node->ports) : 0;
    bool energy = node_is_storage(node) && random_chance(random, 40);
    atom.kind = node->ports == 0            ? ATOM_COMMON
                : energy                    ? ATOM_ENERGY
                : random_chance(random, 50) ? ATOM_EFFORT
                                            : ATOM_FLOW;
    draw = random_below(random, 100);
    bool pulses = atom.kind != ATOM_ENERGY;
    if (draw < 15) atom.view = VIEW_PRE;
    if (draw >= 15 && draw < 22 && pulses) atom.view = VIEW_IMPULSE;
    if (draw >= 22 && draw < 29 && pulses) atom.view = VIEW_FINITE;
    if (draw >= 29 && draw < 37 && h->automaton_count > 0) { // states that every automaton has
        atom.view = VIEW_IN;
        atom.automaton = random_below(random, h->automaton_count);
        atom.state = random_below(random, 2);
    }
    return atom;
}

static inline hybrid_relation random_relation(const hybrid *h, test_random *random) {
    hybrid_relation relation = {.atom_count = random_chance(random, 75) ? 1 : 2};
    for (int i = 0; i < relation.atom_count; i++) {
        relation.atoms[i] = random_atom(h, random);
        if (random_chance(random, 40)) relation.atoms[i].factor = -relation.atoms[i].factor;
    }
    relation.kind = (relation_kind)random_below(random, 4);
    relation.bound = random_eighths(random, -16, 16);
    return relation;
}

static inline hybrid_transition random_transition(const hybrid *h, test_random *random, int own, int target) {
    hybrid_transition made = {.target = target, .input = -1, .automaton = -1, .second = -1};
    int draw = random_below(random, 100);
    if (draw < 35) made.input = random_below(random, 3);
    if (draw >= 95) made.after = random_eighths(random, 1, 6);
    made.negated = made.input >= 0 && made.input != INPUT_KICK && random_chance(random, 40);
    made.relation_count = draw >= 95 || draw < 15 ? 0 : random_chance(random, 80) ? 1 : 2;
    made.either = random_chance(random, 50);
    for (int i = 0; i < made.relation_count; i++) made.relations[i] = random_relation(h, random);
    if (random_chance(random, 10)) {
        made.automaton = random_below(random, h->automaton_count);
        made.state = random_below(random, 2);
        if (made.automaton == own) made.automaton = -1;
        if (made.automaton >= 0 && random_chance(random, 40)) {
            made.second = random_below(random, h->automaton_count);
            made.second_state = random_below(random, 2);
        }
    }
    return made;
}

/* What the junction sums: Σ > 0 would drive its common variable up, were it on. */
static inline hybrid_relation balance_relation(const hybrid *h, int junction, relation_kind kind,
                                               double bound) {
    hybrid_relation relation = {.kind = kind, .bound = bound};
    for (int b = 0; b < h->n.bond_count && relation.atom_count < HYBRID_ATOMS; b++) {
        bool in = h->n.bonds[b].to.node == junction, out = h->n.bonds[b].from.node == junction;
        if (!in && !out) continue;
        relation.atoms[relation.atom_count++] = (hybrid_atom){.kind = ATOM_BOND,
                                                              .factor = in ? 1 : -1,
                                                              .bond = b,
                                                              .effort = node_is(&h->n.nodes[junction], "1")};
    }
    return relation;
}

static inline hybrid_relation common_relation(int junction, relation_kind kind, double bound) {
    return (hybrid_relation){.atoms = {{.kind = ATOM_COMMON, .factor = 1, .node = junction}},
                             .atom_count = 1,
                             .kind = kind,
                             .bound = bound};
}

/* A diode: off while its balance is negative, on while its common variable is positive. */
static inline void make_diode(hybrid *h, test_random *random, hybrid_automaton *made, int junction) {
    double threshold = random_chance(random, 70) ? 0 : random_eighths(random, -4, 4);
    made->state_count = 2;
    for (int i = 0; i < 2; i++) {
        hybrid_transition *way = &made->states[i].transitions[0];
        *way = (hybrid_transition){
            .target = 1 - i, .input = -1, .automaton = -1, .second = -1, .relation_count = 1};
        made->states[i].on = i == 1;
        made->states[i].transition_count = 1;
        way->relations[0] =
            i == 0 ? balance_relation(h, junction,
                                      random_chance(random, 80) ? REL_GREATER : REL_GREATER_EQUAL, threshold)
                   : common_relation(junction, random_chance(random, 80) ? REL_LESS : REL_LESS_EQUAL, 0);
    }
}

/* A relay with hysteresis: it moves back only after the value has come down by more than rounding. */
static inline void make_relay(const hybrid *h, test_random *random, hybrid_automaton *made) {
    hybrid_relation relation = {.atom_count = 1, .bound = random_eighths(random, -12, 12)};
    relation.atoms[0] = random_atom(h, random);
    made->state_count = 2;
    for (int i = 0; i < 2; i++) {
        hybrid_transition *way = &made->states[i].transitions[0];
        *way = (hybrid_transition){
            .target = 1 - i, .input = -1, .automaton = -1, .second = -1, .relation_count = 1};
        made->states[i].on = i == 1;
        made->states[i].transition_count = 1;
        way->relations[0] = relation;
        way->relations[0].kind = i == 0 ? REL_GREATER_EQUAL : REL_LESS;
        if (i == 1) way->relations[0].bound -= random_eighths(random, 1, 8);
    }
}

/* Contact: entered while something approaches, left while it parts; a and b are the junctions it joins. */
static inline void make_contact(test_random *random, hybrid_automaton *made, int a, int b) {
    static const double bounds[10] = {0.5, 0.5, -8}; // the last keeps what should be a point
    made->state_count = 2;
    for (int i = 0; i < 2; i++) {
        hybrid_transition *way = &made->states[i].transitions[0];
        *way = (hybrid_transition){.target = 1 - i,
                                   .input = i == 0 ? INPUT_G0 : -1,
                                   .automaton = -1,
                                   .second = -1,
                                   .relation_count = 1};
        made->states[i].on = i == 1;
        made->states[i].transition_count = 1;
        way->relations[0] = common_relation(a, i == 0 ? REL_GREATER : REL_LESS,
                                            i == 0 ? 0 : bounds[random_below(random, 10)]);
        way->relations[0].atoms[1] = (hybrid_atom){.kind = ATOM_COMMON, .factor = -1, .node = b};
        way->relations[0].atom_count = 2;
    }
}

static inline void make_automaton(const hybrid *h, test_random *random, hybrid_automaton *made, int own) {
    if (random_chance(random, 45)) {
        make_relay(h, random, made);
        return;
    }
    made->state_count = random_chance(random, 70) ? 2 : 3;
    for (int i = 0; i < made->state_count; i++) {
        hybrid_state *state = &made->states[i];
        state->on = i == 1 || (i == 2 && random_chance(random, 50));
        state->transition_count = random_chance(random, 75) ? 1 : 2;
        for (int k = 0; k < state->transition_count; k++)
            state->transitions[k] = random_transition(
                h, random, own, (i + 1 + random_below(random, made->state_count - 1)) % made->state_count);
    }
    if (random_chance(random, 50)) { // a start that is on
        bool first = made->states[0].on;
        for (int i = 0; i < made->state_count; i++) made->states[i].on ^= !first;
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

/* Whether a contact hangs on the junction. */
static inline bool is_touched(const hybrid *h, int junction) {
    for (int b = 0; b < h->n.bond_count; b++) {
        const net_bond *bond = &h->n.bonds[b];
        int other = bond->from.node == junction ? bond->to.node : bond->from.node;
        bool there = bond->from.node == junction || bond->to.node == junction;
        if (there && h->restitution[other] >= 0) return true;
    }
    return false;
}

/* Which junctions the automata drive. */
static inline void hybrid_control(hybrid *h, test_random *random, const hybrid_plan *plan, int junctions) {
    int wanted = 1 + random_below(random, HYBRID_OWN);
    while (h->automaton_count < wanted) {
        int own = h->automaton_count++, junction = random_below(random, junctions);
        bool taken = h->automaton[junction] >= 0;
        memset(&h->automata[own], 0, sizeof h->automata[own]);
        if (!taken) h->automaton[junction] = own;
        if (!taken && random_chance(random, 45)) {
            make_diode(h, random, &h->automata[own], junction);
            continue;
        }
        if (!taken &&
            !is_touched(h, junction)) // off the other way it has no common variable for the contact to read
            h->dual[junction] = random_chance(random, plan->duals);
        h->inverted[junction] ^= !taken && random_chance(random, 15);
        int second = random_below(random, junctions);
        if (h->automaton[second] < 0 && random_chance(random, 30)) { // shared, perhaps inverted
            h->automaton[second] = own;
            h->inverted[second] = random_chance(random, 40);
        }
    }
    for (int i = 0; i < h->automaton_count; i++) // guards read all that is there by now
        if (h->automata[i].state_count == 0) make_automaton(h, random, &h->automata[i], i);
}

/* A storage that a contact can make dependent. */
static inline void hybrid_body(hybrid *h, test_random *random, int junction) {
    int node = hybrid_add(h, random, node_is(&h->n.nodes[junction], "1") ? "I" : "C", 1);
    hybrid_hang(h, random, (net_end){node, 1}, junction);
}

/* A body of the graph meets one that is free, and that sometimes a third. */
static inline void hybrid_collide(hybrid *h, test_random *random, int junctions) {
    int a = random_below(random, junctions), contacts = random_chance(random, 70) ? 1 : 2;
    hybrid_body(h, random, a);
    for (int i = 0; i < contacts; i++) {
        int b = hybrid_add(h, random, h->n.nodes[a].kind, 0);
        hybrid_body(h, random, b);
        int contact = hybrid_contact(h, random, a, b), own = h->automaton_count++;
        h->automaton[contact] = own;
        memset(&h->automata[own], 0, sizeof h->automata[own]);
        make_contact(random, &h->automata[own], a, b);
        a = b;
    }
}

static inline void hybrid_act(hybrid *h, test_random *random) {
    double time = 0;
    h->input_start[INPUT_G0] = random_chance(random, 60);
    h->input_start[INPUT_G1] = random_chance(random, 50);
    h->input_start[INPUT_KICK] = 0;
    h->input_start[INPUT_LEVEL] = random_eighths(random, -16, 16);
    h->action_count = random_below(random, HYBRID_ACTIONS + 1);
    h->stop = 1.5;
    for (int i = 0; i < h->action_count; i++) {
        hybrid_action *action = &h->actions[i];
        time += random_eighths(random, i == 0 || random_chance(random, 25) ? 0 : 1, 3);
        *action = (hybrid_action){time, random_below(random, HYBRID_INPUTS), random_chance(random, 60)};
        if (action->input == INPUT_LEVEL) action->value = random_eighths(random, -16, 16);
        if (action->input == INPUT_KICK) action->value = 1;
    }
}

/* Moduli grow with time, by half of what they are in a second; some sources become proportional to a storage's own effort or flow. */
static inline void hybrid_modulate(hybrid *h, test_random *random, const hybrid_plan *plan) {
    for (int i = 0; i < h->n.node_count; i++) {
        const net_node *node = &h->n.nodes[i];
        bool plain = node_is_two_port(node) || (node_is(node, "R") && node->ports == 1);
        if (plain && random_chance(random, plan->modulated)) h->swing[i] = node->value[0] / 2;
        if (!node_is_source(node) || h->follows[i] || !random_chance(random, plan->modulated)) continue;
        int of = random_below(random, h->n.node_count);
        if (!node_is_storage(&h->n.nodes[of]) || h->n.nodes[of].ports > 1) continue;
        h->reads[i] = of;
        h->factor[i] = random_eighths(random, 1, 8) * (random_chance(random, 50) ? 1 : -1);
    }
}

static inline void random_hybrid(hybrid *h, test_random *random, const hybrid_plan *plan) {
    int junctions = 2 + random_below(random, plan->junctions - 1);
    h->n.node_count = h->n.bond_count = h->automaton_count = 0;
    h->n.has_sources = false;
    for (int i = 0; i < junctions; i++) hybrid_add(h, random, random_chance(random, 50) ? "0" : "1", 0);
    for (int i = 1; i < junctions; i++) hybrid_branch(h, random, plan, i);
    for (int i = 0; i < junctions; i++) {
        hybrid_element(h, random, plan, i);
        if (random_chance(random, 40)) hybrid_element(h, random, plan, i);
        if (random_chance(random, plan->sources)) hybrid_source(h, random, i);
    }
    if (random_chance(random, plan->collisions)) hybrid_collide(h, random, junctions);
    hybrid_control(h, random, plan, junctions);
    if (plan->modulated > 0) hybrid_modulate(h, random, plan);
    for (int i = 0; i < h->automaton_count; i++)
        h->automata[i].every =
            plan->sampled > 0 && random_chance(random, plan->sampled) ? random_eighths(random, 1, 4) / 2 : 0;
    hybrid_act(h, random);
}

#endif
