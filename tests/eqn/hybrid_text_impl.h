/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A random hybrid graph as text, its declarations in any order. */
#ifndef HBG_TESTS_EQN_HYBRID_TEXT_IMPL_H
#define HBG_TESTS_EQN_HYBRID_TEXT_IMPL_H

#include "hybrid_net_impl.h"

/* ---- guards ------------------------------------------------------------------------------------------- */

static inline void text_port(graph_text *out, const hybrid *h, int node, int port, char letter) {
    text_add(out, "n%d", node);
    if (h->n.nodes[node].ports > 1) text_add(out, "[%d]", port);
    text_add(out, ".%c", letter);
}

static inline void text_atom(graph_text *out, const hybrid *h, const hybrid_atom *atom) {
    static const char *const views[] = {"(", "pre(", "impulse(", "finite(", "in("};
    text_add(out, "%.17g*%s", atom->factor, views[atom->view]);
    if (atom->view == VIEW_IN) text_add(out, "a%d.s%d, ", atom->automaton, atom->state);
    switch (atom->kind) {
    case ATOM_EFFORT: text_port(out, h, atom->node, atom->port, 'e'); break;
    case ATOM_FLOW: text_port(out, h, atom->node, atom->port, 'f'); break;
    case ATOM_ENERGY:
        text_port(out, h, atom->node, atom->port, node_is(&h->n.nodes[atom->node], "C") ? 'q' : 'p');
        break;
    case ATOM_COMMON:
        text_port(out, h, atom->node, 0, node_is(&h->n.nodes[atom->node], "0") ? 'e' : 'f');
        break;
    case ATOM_BOND: text_add(out, "b%d.%c", atom->bond, atom->effort ? 'e' : 'f'); break;
    case ATOM_TIME: text_add(out, "time"); break;
    case ATOM_LEVEL: text_add(out, "level"); break;
    }
    text_add(out, ")");
}

static inline void text_relation(graph_text *out, const hybrid *h, const hybrid_relation *relation) {
    static const char *const signs[] = {"<", "<=", ">", ">="};
    for (int i = 0; i < relation->atom_count; i++) {
        text_add(out, i ? " + " : "");
        text_atom(out, h, &relation->atoms[i]);
    }
    text_add(out, " %s %.17g", signs[relation->kind], relation->bound);
}

static inline void text_transition(graph_text *out, const hybrid *h, const hybrid_transition *way) {
    const char *joint = "";
    text_add(out, "-> s%d ", way->target);
    if (way->after > 0) {
        text_add(out, "after %.17g; ", way->after);
        return;
    }
    text_add(out, "when ");
    if (way->relation_count > 0) {
        text_add(out, "(");
        for (int i = 0; i < way->relation_count; i++) {
            text_add(out, i == 0 ? "" : way->either ? " || " : " && ");
            text_relation(out, h, &way->relations[i]);
        }
        text_add(out, ")");
        joint = " && ";
    }
    if (way->input >= 0) {
        text_add(out, "%s%s%s", joint, way->negated ? "!" : "", hybrid_input_names[way->input]);
        joint = " && ";
    }
    if (way->automaton >= 0) {
        text_add(out, "%s(a%d.s%d", joint, way->automaton, way->state);
        if (way->second >= 0) text_add(out, " || a%d.s%d", way->second, way->second_state);
        text_add(out, ")");
        joint = " && ";
    }
    if (!*joint) text_add(out, "false");
    text_add(out, "; ");
}

static inline void text_hybrid_automaton(graph_text *out, const hybrid *h, int index) {
    const hybrid_automaton *of = &h->automata[index];
    text_add(out, "automaton a%d ", index);
    if (of->every > 0) text_add(out, "every %.17g ", of->every);
    text_add(out, "{\n");
    for (int i = 0; i < of->state_count; i++) {
        text_add(out, "  %s s%d { ", of->states[i].on ? "on" : "off", i);
        for (int k = 0; k < of->states[i].transition_count; k++)
            text_transition(out, h, &of->states[i].transitions[k]);
        text_add(out, "}\n");
    }
    text_add(out, "}\n");
}

/* ---- the graph ---------------------------------------------------------------------------------------- */

static inline void text_hybrid_junction(graph_text *out, const hybrid *h, int node) {
    bool zero = node_is(&h->n.nodes[node], "0");
    text_add(out, "%s n%d", h->n.nodes[node].kind, node);
    if (h->automaton[node] >= 0)
        text_add(out, " when %sa%d", h->inverted[node] ? "!" : "", h->automaton[node]);
    if (h->dual[node]) text_add(out, " off %s", zero ? "flow" : "effort");
    if (h->restitution[node] >= 0) text_add(out, " restitution %.17g", h->restitution[node]);
    text_add(out, ";\n");
}

/* A storage that is not linear: z = a·x + c·x³. */
static inline void text_law(graph_text *out, const hybrid *h, int node) {
    const net_node *at = &h->n.nodes[node];
    char from = node_is(at, "C") ? 'q' : 'p', to = node_is(at, "C") ? 'e' : 'f';
    text_add(out, "%s n%d(%c = %.17g) : %c = %.17g*%c + %.17g*%c^3;\n", at->kind, node, from, at->initial[0],
             to, at->value[0], from, at->cube, from);
}

static inline void text_hybrid_node(graph_text *out, const hybrid *h, int node) {
    const net_node *at = &h->n.nodes[node];
    if (at->ports == 0)
        text_hybrid_junction(out, h, node);
    else if (h->follows[node])
        text_add(out, "%s n%d(level);\n", at->kind, node);
    else if (h->reads[node] >= 0)
        text_add(out, "%s n%d(%.17g*n%d.%c);\n", at->kind, node, h->factor[node], h->reads[node],
                 node_is(&h->n.nodes[h->reads[node]], "C") ? 'e' : 'f');
    else if (h->swing[node] != 0)
        text_add(out, "%s n%d(%.17g + %.17g*time);\n", at->kind, node, at->value[0], h->swing[node]);
    else if (at->cube != 0)
        text_law(out, h, node);
    else
        text_node(out, &h->n, node);
}

static inline void text_inputs(graph_text *out, const hybrid *h) {
    for (int i = 0; i < HYBRID_INPUTS; i++)
        if (i == INPUT_KICK)
            text_add(out, "input event kick;\n");
        else if (i == INPUT_LEVEL)
            text_add(out, "input real level = %.17g;\n", h->input_start[i]);
        else
            text_add(out, "input bool %s = %s;\n", hybrid_input_names[i],
                     h->input_start[i] != 0 ? "true" : "false");
}

/* The first storage, or -1: an integrator follows what flows into it, by areas where it jumps. */
static inline int first_storage(const hybrid *h) {
    for (int i = 0; i < h->n.node_count; i++)
        if (node_is_storage(&h->n.nodes[i]) && h->n.nodes[i].ports == 1) return i;
    return -1;
}

static inline void text_integrator(graph_text *out, const hybrid *h) {
    int node = first_storage(h);
    if (node >= 0)
        text_add(out, "state total = 0 : der = n%d.%c;\n", node, node_is(&h->n.nodes[node], "C") ? 'f' : 'e');
}

/* Energies, then effort and flow of one-ports and fields: those are always there, whatever is off. */
static inline void text_records(graph_text *out, const hybrid *h) {
    const char *joint = "";
    text_add(out, "experiment all { stop 1; record ");
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < h->n.node_count; i++) {
            const net_node *node = &h->n.nodes[i];
            for (int port = 1; port <= node->ports && !node_is_two_port(node); port++) {
                if (pass == 0 && !node_is_storage(node)) continue;
                text_add(out, "%s", joint);
                text_port(out, h, i, port, pass == 1 ? 'e' : node_is(node, "C") ? 'q' : 'p');
                joint = ", ";
                if (pass == 0) continue;
                text_add(out, ", ");
                text_port(out, h, i, port, 'f');
            }
        }
    text_add(out, "; }\n");
}

static inline void text_hybrid(graph_text *out, const hybrid *h, test_random *shuffle) {
    int order[NET_NODES + NET_BONDS + HYBRID_AUTOMATA + 1],
        bonds = h->n.node_count, automata = bonds + h->n.bond_count, count = automata + h->automaton_count;
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; shuffle && i > 0; i--) {
        int k = random_below(shuffle, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    // where all moving together cycles the order of automata counts (semantics, section 6)
    for (int i = 0, next = automata; i < count; i++)
        if (order[i] >= automata) order[i] = next++;
    out->size = 0;
    text_add(out, "model M {\n");
    if (!shuffle) text_inputs(out, h);
    for (int i = 0; i < count; i++)
        if (order[i] < bonds)
            text_hybrid_node(out, h, order[i]);
        else if (order[i] < automata)
            text_net_bond(out, &h->n, order[i] - bonds);
        else
            text_hybrid_automaton(out, h, order[i] - automata);
    if (shuffle) text_inputs(out, h);
    text_integrator(out, h);
    text_records(out, h);
    text_add(out, "}\n");
}

#endif
