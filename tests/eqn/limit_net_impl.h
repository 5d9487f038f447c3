/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random switched networks for the oracle of the limit: a tree of junctions of all types, some with a link more, sources, resistances
 * and storages at them, transformers and gyrators between. Nothing keeps sources from fighting and parts from floating. Numbers are small
 * fractions, exact in text and in binary. A network can be written as a model whose automata stay where they are put. */
#ifndef HBG_TESTS_EQN_LIMIT_NET_IMPL_H
#define HBG_TESTS_EQN_LIMIT_NET_IMPL_H

#include "causal/graph_impl.h"
#include "limit_impl.h"

/* What random networks are to have, in per cent. */
typedef struct {
    int junctions, elements;  /* at most */
    int controlled, duals;    /* of the junctions, of the controlled ones */
    int sources, resistances; /* of the elements; the rest are storages */
    int two_ports;            /* of the links, and half as often before elements */
    int moving;               /* of the sources: derivatives are not 0 */
} limit_plan;

static inline rational random_fraction(test_random *random) {
    static const rational fractions[] = {{1, 1}, {2, 1}, {1, 2}, {3, 1}};
    return fractions[random_below(random, 4)];
}

static inline int random_between(test_random *random, int least, int most) {
    return least + random_below(random, most - least + 1);
}

/* A bond, or two with a transformer or gyrator between. */
static inline void limit_link(limit_net *n, test_random *random, int from, int to, int two_ports) {
    if (!random_chance(random, two_ports)) {
        limit_join(n, from, to);
        return;
    }
    limit_node between = {.kind = random_chance(random, 60) ? LIMIT_TF : LIMIT_GY,
                          .value = random_fraction(random)};
    if (random_chance(random, 30)) between.value = rational_negate(between.value);
    int node = limit_add(n, between);
    limit_join(n, from, node);
    limit_join(n, node, to);
}

static inline void random_limit_element(limit_net *n, test_random *random, const limit_plan *plan,
                                        int junction) {
    limit_node made = {.value = random_fraction(random)};
    int draw = random_below(random, 100);
    bool source = draw < plan->sources, first = random_chance(random, 50);
    made.kind = source                                     ? first ? LIMIT_SE : LIMIT_SF
                : draw < plan->sources + plan->resistances ? LIMIT_R
                : first                                    ? LIMIT_C
                                                           : LIMIT_I;
    made.u[0] = made.u[1] = made.u[2] = rational_number(0);
    made.x = rational_number(random_between(random, -6, 6));
    if (source) made.u[0] = rational_number(random_between(random, -6, 6));
    for (int i = 1; i < 3 && source && random_chance(random, plan->moving); i++)
        made.u[i] = rational_number(random_between(random, -3, 3));
    int node = limit_add(n, made);
    limit_link(n, random, source ? node : junction, source ? junction : node, plan->two_ports / 2);
}

static inline void random_limit_net(limit_net *n, test_random *random, const limit_plan *plan) {
    int junctions = random_between(random, 2, plan->junctions);
    memset(n, 0, sizeof *n);
    for (int i = 0; i < junctions; i++) {
        limit_node junction = {.kind = random_chance(random, 50) ? LIMIT_ZERO : LIMIT_ONE};
        junction.controlled = random_chance(random, plan->controlled);
        junction.dual = junction.controlled && random_chance(random, plan->duals);
        limit_add(n, junction);
    }
    for (int i = 1; i < junctions; i++) {
        int other = random_below(random, i);
        bool down = random_chance(random, 50);
        limit_link(n, random, down ? other : i, down ? i : other, plan->two_ports);
    }
    if (junctions > 2 && random_chance(random, 30)) limit_link(n, random, 0, junctions - 1, plan->two_ports);
    for (int i = 0, elements = random_between(random, 2, plan->elements); i < elements; i++)
        random_limit_element(n, random, plan, i < junctions ? i : random_below(random, junctions));
}

/* Another mode of it. */
static inline void random_limit_mode(limit_net *n, test_random *random) {
    for (int i = 0; i < n->node_count; i++)
        n->nodes[i].off = n->nodes[i].controlled && random_chance(random, 50);
}

/* ---- text --------------------------------------------------------------------------------------------- */

static inline void text_limit_node(graph_text *out, const limit_net *n, int index) {
    static const char *const kinds[] = {"0", "1", "Se", "Sf", "R", "C", "I", "TF", "GY"};
    const limit_node *node = &n->nodes[index];
    text_add(out, "%s n%d", kinds[node->kind], index);
    if (limit_is_junction(node)) {
        if (node->controlled) text_add(out, " when a%d", index);
        if (node->dual) text_add(out, " off %s", node->kind == LIMIT_ZERO ? "flow" : "effort");
    } else if (limit_is_source(node)) {
        text_add(out, "(%.17g + %.17g*time + %.17g*time^2/2)", rational_to_double(node->u[0]),
                 rational_to_double(node->u[1]), rational_to_double(node->u[2]));
    } else {
        text_add(out, "(%.17g", rational_to_double(node->value));
        if (limit_is_storage(node))
            text_add(out, ", %s = %.17g", node->kind == LIMIT_C ? "q" : "p", rational_to_double(node->x));
        text_add(out, ")");
    }
    text_add(out, ";\n");
}

/* The start of every automaton is its state in the mode the net is in. Guards of NULL: they stay there. */
static inline void text_limit_net(graph_text *out, const limit_net *n,
                                  void (*guards)(graph_text *out, const limit_net *n, int junction)) {
    out->size = 0;
    text_add(out, "model M {\n");
    for (int i = 0; i < n->node_count; i++) {
        text_limit_node(out, n, i);
        if (!n->nodes[i].controlled) continue;
        text_add(out, "automaton a%d { start %s; ", i, n->nodes[i].off ? "f" : "n");
        if (guards)
            guards(out, n, i);
        else
            text_add(out, "on n -> f when false; off f -> n when false;");
        text_add(out, " }\n");
    }
    for (int i = 0; i < n->bond_count; i++)
        text_add(out, "b%d: n%d -> n%d;\n", i, n->bonds[i].from, n->bonds[i].to);
    text_add(out, "experiment all { stop 1; record ");
    for (int i = 0; i < n->bond_count; i++) text_add(out, "%sb%d.e, b%d.f", i ? ", " : "", i, i);
    text_add(out, "; }\n}\n");
}

#endif
