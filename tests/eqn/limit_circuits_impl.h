/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Small switched circuits by hand, for the oracle of the limit: nodes are 0-junctions, everything else lies between two of them. */
#ifndef HBG_TESTS_EQN_LIMIT_CIRCUITS_IMPL_H
#define HBG_TESTS_EQN_LIMIT_CIRCUITS_IMPL_H

#include "limit_impl.h"

static inline int circuit_node(limit_net *n) {
    return limit_add(n, (limit_node){.kind = LIMIT_ZERO});
}

/* A one-port from a to k behind a 1-junction, which is the answer; power flows from a to k. */
static inline int circuit_between(limit_net *n, int a, int k, limit_node element) {
    int loop = limit_add(n, (limit_node){.kind = LIMIT_ONE});
    limit_join(n, a, loop);
    limit_join(n, loop, k);
    int own = limit_add(n, element);
    if (limit_is_source(&element))
        limit_join(n, own, loop);
    else
        limit_join(n, loop, own);
    return own;
}

/* Current i(t) or voltage v(t) between two nodes: u, u', u''. */
static inline int circuit_source(limit_net *n, limit_kind kind, int from, int to, int u, int rate) {
    limit_node source = {.kind = kind, .u = {rational_number(u), rational_number(rate)}};
    return circuit_between(n, from, to, source);
}

static inline int circuit_element(limit_net *n, limit_kind kind, int a, int k, int value, int x) {
    limit_node element = {.kind = kind, .value = rational_number(value), .x = rational_number(x)};
    return circuit_between(n, a, k, element);
}

/* An ideal switch from a to k: the controlled 1-junction. Its first bond comes from a. */
static inline int circuit_switch(limit_net *n, int a, int k, bool closed) {
    int contact = limit_add(n, (limit_node){.kind = LIMIT_ONE, .controlled = true, .off = !closed});
    limit_join(n, a, contact);
    limit_join(n, contact, k);
    return contact;
}

static inline int circuit_earth(limit_net *n) {
    int earth = circuit_node(n), potential = limit_add(n, (limit_node){.kind = LIMIT_SE});
    limit_join(n, potential, earth);
    return earth;
}

/* Places among efforts and flows: what flows through a switch, and the potential of a node. */
static inline int flow_through(const limit_net *n, int junction) {
    return 2 * limit_bond_of(n, junction, true) + 1;
}

static inline int potential_of(const limit_net *n, int node) {
    int in = limit_bond_of(n, node, true);
    return 2 * (in >= 0 ? in : limit_bond_of(n, node, false));
}

#endif
