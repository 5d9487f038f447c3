/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random bond graphs with numbers: nodes and bonds in a list of their own, which can be written as a model in any order
 * and with the bonds of one-ports turned round. Structure comes from the random graphs of the tests of causality. */
#ifndef HBG_TESTS_EQN_NET_IMPL_H
#define HBG_TESTS_EQN_NET_IMPL_H

#include "causal/graph_impl.h"

#define NET_PORTS 3
#define NET_NODES 96
#define NET_BONDS 96

typedef struct {
    const char *kind;                    /* as in the language */
    int ports;                           /* 0 for junctions */
    double value[NET_PORTS * NET_PORTS]; /* parameter, or matrix by rows */
    double slope;                        /* sources: value + slope·time */
    double initial[NET_PORTS];           /* storages: q or p */
    double cube;                         /* resistors of one port: e = value·f + cube·f³ */
    bool controlled, off;                /* junctions */
} net_node;

typedef struct {
    int node, port; /* port from 1; 0 at a junction */
} net_end;

typedef struct {
    net_end from, to;
} net_bond;

typedef struct {
    net_node nodes[NET_NODES];
    int node_count;
    net_bond bonds[NET_BONDS];
    int bond_count;
    bool has_sources;
} net;

/* What random graphs are to have, in per cent; beyond what graph_shape says. */
typedef struct {
    graph_shape most; /* numbers of things lie between 1 and these */
    int fields;       /* of the storages and resistors that take further ports */
    int reversed;     /* of the bonds at transformers and gyrators that point the other way */
    int signs;        /* of the moduli that are negative */
    int cubes;        /* of the resistors that are not linear */
    int controlled;   /* of the junctions; half of them are off */
} net_plan;

/* ---- making ------------------------------------------------------------------------------------------- */

static inline bool node_is(const net_node *node, const char *kind) {
    return strcmp(node->kind, kind) == 0;
}

static inline bool node_is_storage(const net_node *node) {
    return node_is(node, "C") || node_is(node, "I");
}

static inline bool node_is_source(const net_node *node) {
    return node_is(node, "Se") || node_is(node, "Sf");
}

/* Multiples of 1/8: exact in text and in binary. */
static inline double random_eighths(test_random *random, int least, int most) {
    return (least + random_below(random, most - least + 1)) / 8.0;
}

static inline int net_add(net *n, test_random *random, const net_plan *plan, const char *kind, int ports) {
    net_node *node = &n->nodes[n->node_count];
    HBG_ASSERT(n->node_count < NET_NODES);
    *node = (net_node){.kind = kind, .ports = ports};
    for (int i = 0; i < NET_PORTS; i++) node->initial[i] = random_eighths(random, -24, 24);
    node->value[0] = random_eighths(random, 4, 24);
    if (node_is_source(node)) {
        node->value[0] = random_eighths(random, -24, 24);
        node->slope = random_eighths(random, -24, 24);
        n->has_sources = true;
    }
    if (ports == 2 && random_chance(random, plan->signs)) node->value[0] = -node->value[0];
    if (node_is(node, "R") && random_chance(random, plan->cubes)) node->cube = random_eighths(random, 1, 8);
    return n->node_count++;
}

/* One more port for a field; its matrix stays symmetric (of an R only nearly) and positive definite. */
static inline int net_widen(net_node *node, test_random *random) {
    double wider[NET_PORTS * NET_PORTS];
    int old = node->ports, ports = old + 1;
    for (int i = 0; i < ports; i++)
        for (int k = 0; k < ports; k++) {
            double fresh = i == k ? random_eighths(random, 24, 40) : random_eighths(random, -6, 6);
            wider[i * ports + k] = i < old && k < old ? node->value[i * old + k] : fresh;
        }
    for (int k = 0; k < old; k++) {
        double skew = node_is(node, "R") ? random_eighths(random, -4, 4) : 0;
        wider[old * ports + k] = wider[k * ports + old] + skew;
    }
    if (old == 1) wider[0] += 2;
    memcpy(node->value, wider, sizeof wider);
    node->ports = ports;
    return ports;
}

static inline void net_join(net *n, net_end from, net_end to) {
    HBG_ASSERT(n->bond_count < NET_BONDS);
    n->bonds[n->bond_count++] = (net_bond){from, to};
}

static inline void net_swap(net_bond *bond) {
    net_end kept = bond->from;
    bond->from = bond->to;
    bond->to = kept;
}

/* A bond, or two with a transformer or gyrator between. */
static inline void net_link(net *n, test_random *random, const net_plan *plan, net_end from, net_end to,
                            char through) {
    if (!through) {
        net_join(n, from, to);
        return;
    }
    int node = net_add(n, random, plan, through == 'T' ? "TF" : "GY", 2);
    net_join(n, from, (net_end){node, 1});
    if (random_chance(random, plan->reversed)) net_swap(&n->bonds[n->bond_count - 1]);
    net_join(n, (net_end){node, 2}, to);
    if (random_chance(random, plan->reversed)) net_swap(&n->bonds[n->bond_count - 1]);
}

/* The port a one-port of the graph becomes: a node of its own, or a further port of a field made before. */
static inline net_end net_element(net *n, test_random *random, const net_plan *plan, const char *kind,
                                  int first) {
    bool field = kind[0] != 'S' && random_chance(random, plan->fields);
    for (int i = first; i < n->node_count && field; i++)
        if (node_is(&n->nodes[i], kind) && n->nodes[i].ports < NET_PORTS && n->nodes[i].cube == 0)
            return (net_end){i, net_widen(&n->nodes[i], random)};
    return (net_end){net_add(n, random, plan, kind, 1), 1};
}

static inline void net_of_graph(net *n, const graph *g, test_random *random, const net_plan *plan) {
    n->node_count = n->bond_count = 0;
    n->has_sources = false;
    for (int i = 0; i < g->junction_count; i++) {
        int node = net_add(n, random, plan, g->junctions[i].kind == 0 ? "0" : "1", 0);
        n->nodes[node].controlled = random_chance(random, plan->controlled);
        n->nodes[node].off = n->nodes[node].controlled && random_chance(random, 50);
    }
    for (int i = 0; i < g->link_count; i++)
        net_link(n, random, plan, (net_end){g->links[i].from, 0}, (net_end){g->links[i].to, 0},
                 g->links[i].through);
    for (int i = 0; i < g->element_count; i++) {
        const graph_element *element = &g->elements[i];
        net_end own = net_element(n, random, plan, element->kind, g->junction_count),
                other = {element->link.to, 0};
        if (other.node < 0) other = net_element(n, random, plan, g->elements[++i].kind, n->node_count);
        net_link(n, random, plan, element->towards ? own : other, element->towards ? other : own,
                 element->link.through);
    }
}

static inline void random_net(net *n, test_random *random, const net_plan *plan) {
    static graph g;
    graph_shape shape = plan->most;
    shape.junctions = 1 + random_below(random, plan->most.junctions);
    shape.extra_links = random_below(random, plan->most.extra_links + 1);
    shape.elements = 1 + random_below(random, plan->most.elements);
    shape.bare = random_chance(random, 10) ? plan->most.bare : 0;
    shape.loops_scaled = random_chance(random, 70);
    random_graph(&g, random, &shape);
    net_of_graph(n, &g, random, plan);
}

/* ---- text --------------------------------------------------------------------------------------------- */

static inline void text_node(graph_text *out, const net *n, int index) {
    const net_node *node = &n->nodes[index];
    int ports = node->ports;
    bool two_port = node_is(node, "TF") || node_is(node, "GY");
    text_add(out, "%s n%d", node->kind, index);
    if (node->cube != 0) {
        text_add(out, " : e = %.17g*f + %.17g*f^3;\n", node->value[0], node->cube);
        return;
    }
    if (ports > 1 && !two_port) {
        text_add(out, "[%d]([", ports);
        for (int i = 0; i < ports; i++) {
            text_add(out, "%s[", i ? ", " : "");
            for (int k = 0; k < ports; k++)
                text_add(out, "%s%.17g", k ? ", " : "", node->value[i * ports + k]);
            text_add(out, "]");
        }
        text_add(out, "]");
    } else if (node_is_source(node)) {
        text_add(out, "(%.17g + %.17g*time", node->value[0], node->slope);
    } else if (ports > 0) {
        text_add(out, "(%.17g", node->value[0]);
    }
    for (int i = 0; i < ports && node_is_storage(node); i++) {
        text_add(out, ", %s", node_is(node, "C") ? "q" : "p");
        if (ports > 1) text_add(out, "[%d]", i + 1);
        text_add(out, " = %.17g", node->initial[i]);
    }
    if (node->controlled) text_add(out, " when a%d", index);
    text_add(out, ports > 0 ? ");\n" : ";\n");
    if (node->controlled)
        text_add(out, "automaton a%d { on n -> f when false; off f -> n when false; }\n", index);
}

static inline void text_end(graph_text *out, const net *n, net_end end) {
    text_add(out, "n%d", end.node);
    if (n->nodes[end.node].ports > 1) text_add(out, "[%d]", end.port);
}

static inline void text_net_bond(graph_text *out, const net *n, int index) {
    text_add(out, "b%d: ", index);
    text_end(out, n, n->bonds[index].from);
    text_add(out, " -> ");
    text_end(out, n, n->bonds[index].to);
    text_add(out, ";\n");
}

/* Records e and f of every bond. */
static inline void text_net(graph_text *out, const net *n, test_random *shuffle) {
    int order[NET_NODES + NET_BONDS], count = n->node_count + n->bond_count;
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; shuffle && i > 0; i--) {
        int k = random_below(shuffle, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    out->size = 0;
    text_add(out, "model M {\n");
    for (int i = 0; i < count; i++)
        if (order[i] < n->node_count)
            text_node(out, n, order[i]);
        else
            text_net_bond(out, n, order[i] - n->node_count);
    text_add(out, "experiment all { stop 1; record ");
    for (int i = 0; i < n->bond_count; i++) text_add(out, "%sb%d.e, b%d.f", i ? ", " : "", i, i);
    text_add(out, "; }\n}\n");
}

#endif
