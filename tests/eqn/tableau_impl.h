/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The equations of a bond graph written down one by one, as docs/semantics.md says them, and solved all at once: no
 * causality, no order, no tearing. What the tests of equations compare with. Linear elements only.
 *
 * Rates: effort and flow of every bond, the rate of every energy, and the derivatives of efforts and flows are unknown; the
 * static laws hold for values and for derivatives. Dependent storages make some of these equations say the same
 * twice, and the derivatives of some flows undetermined, which elimination with full pivoting finds out.
 * Jumps: the areas of efforts and flows, the energies afterwards and the finite values there are unknown. */
#ifndef HBG_TESTS_EQN_TABLEAU_IMPL_H
#define HBG_TESTS_EQN_TABLEAU_IMPL_H

#include <math.h>

#include "net_impl.h"

#define TABLEAU_SIZE (4 * NET_BONDS + NET_BONDS)

typedef struct {
    const net *n;
    int rows, columns;
    long double (*matrix)[TABLEAU_SIZE + 1]; /* the last column of each row is its right side */
    bool consistent;
    bool determined[TABLEAU_SIZE];
    long double value[TABLEAU_SIZE];
} tableau;

static inline void tableau_begin(tableau *t, const net *n, int columns) {
    static long double memory[TABLEAU_SIZE + 16][TABLEAU_SIZE + 1];
    *t = (tableau){.n = n, .columns = columns, .matrix = memory};
}

static inline void tableau_row(tableau *t) {
    for (int i = 0; i <= t->columns; i++) t->matrix[t->rows][i] = 0;
    t->rows++;
}

static inline void tableau_add(tableau *t, int column, long double factor) {
    t->matrix[t->rows - 1][column] += factor;
}

static inline void tableau_right(tableau *t, long double value) {
    t->matrix[t->rows - 1][t->columns] += value;
}

/* ---- solving ------------------------------------------------------------------------------------------ */

/* Brings the largest entry of what is left to (rank, rank); false if all is 0. */
static inline bool tableau_pivot(tableau *t, int rank, int *name) {
    int row = rank, column = rank;
    for (int i = rank; i < t->rows; i++)
        for (int k = rank; k < t->columns; k++)
            if (fabsl(t->matrix[i][k]) > fabsl(t->matrix[row][column])) row = i, column = k;
    if (rank >= t->columns || fabsl(t->matrix[row][column]) < 1e-12L) return false;
    for (int k = 0; k <= t->columns; k++) {
        long double kept = t->matrix[rank][k];
        t->matrix[rank][k] = t->matrix[row][k];
        t->matrix[row][k] = kept;
    }
    for (int i = 0; i < t->rows; i++) {
        long double kept = t->matrix[i][rank];
        t->matrix[i][rank] = t->matrix[i][column];
        t->matrix[i][column] = kept;
    }
    int kept = name[rank];
    name[rank] = name[column];
    name[column] = kept;
    return true;
}

/* Gauss and Jordan with full pivoting. A variable is determined if its row reads no free one. */
static inline void tableau_solve(tableau *t) {
    int name[TABLEAU_SIZE], rank = 0;
    for (int i = 0; i < t->columns; i++) name[i] = i;
    for (; rank < t->rows && tableau_pivot(t, rank, name); rank++)
        for (int i = 0; i < t->rows; i++) {
            if (i == rank || t->matrix[i][rank] == 0) continue;
            long double factor = t->matrix[i][rank] / t->matrix[rank][rank];
            for (int k = rank; k <= t->columns; k++) t->matrix[i][k] -= factor * t->matrix[rank][k];
        }
    t->consistent = true;
    for (int i = rank; i < t->rows; i++) t->consistent &= fabsl(t->matrix[i][t->columns]) < 1e-9L;
    for (int i = 0; i < rank; i++) {
        bool alone = true;
        for (int k = rank; k < t->columns; k++) alone &= fabsl(t->matrix[i][k] / t->matrix[i][i]) < 1e-9L;
        t->determined[name[i]] = alone;
        t->value[name[i]] = t->matrix[i][t->columns] / t->matrix[i][i];
    }
}

/* ---- equations ---------------------------------------------------------------------------------------- */

typedef struct {
    int effort, flow;           /* columns, less where the block begins */
    int effort_sign, flow_sign; /* variable of the port = sign · variable of the bond */
    int bond;
} tableau_port;

static inline bool is_end(net_end end, int node, int port) {
    return end.node == node && end.port == port;
}

/* Into R, C, I and port 1, out of sources and port 2; the other way the junction's sum is negated, or the flow where there is no
 * junction (semantics, section 1). */
static inline tableau_port port_of(const net *n, int node, int port) {
    tableau_port found = {.effort_sign = 1, .flow_sign = 1, .bond = -1};
    const net_node *at = &n->nodes[node];
    bool two_port = node_is(at, "TF") || node_is(at, "GY");
    bool wants_in = two_port ? port == 1 : !node_is_source(at);
    for (int i = 0; i < n->bond_count; i++) {
        bool in = is_end(n->bonds[i].to, node, port), out = is_end(n->bonds[i].from, node, port);
        if (!in && !out) continue;
        found.bond = i;
        found.effort = 2 * i;
        found.flow = 2 * i + 1;
        if (in == wants_in) continue;
        const net_node *other = &n->nodes[in ? n->bonds[i].from.node : n->bonds[i].to.node];
        if (!two_port && node_is(other, "1"))
            found.effort_sign = -1;
        else
            found.flow_sign = -1;
    }
    return found;
}

/* Equal common variables and a balance, of the bonds at a junction; off, common variables that are 0. */
static inline void tableau_junction(tableau *t, int node, int block) {
    const net *n = t->n;
    bool zero = node_is(&n->nodes[node], "0"), off = n->nodes[node].off;
    int first = -1;
    for (int i = 0; i < n->bond_count; i++)
        for (int end = 0; end < 2; end++) {
            if ((end ? n->bonds[i].to.node : n->bonds[i].from.node) != node) continue;
            int common = block + 2 * i + (zero ? 0 : 1);
            if (first >= 0 || off) {
                tableau_row(t);
                tableau_add(t, common, 1);
                if (!off) tableau_add(t, first, -1);
            }
            first = common;
        }
    if (off) return;
    tableau_row(t);
    for (int i = 0; i < n->bond_count; i++) {
        int summed = block + 2 * i + (zero ? 1 : 0);
        if (n->bonds[i].to.node == node) tableau_add(t, summed, 1);
        if (n->bonds[i].from.node == node) tableau_add(t, summed, -1);
    }
}

/* left = modulus · right. */
static inline void tableau_proportion(tableau *t, int left, int left_sign, double modulus, int right,
                                      int right_sign) {
    tableau_row(t);
    tableau_add(t, left, left_sign);
    tableau_add(t, right, -modulus * right_sign);
}

static inline void tableau_two_port(tableau *t, int node, int block) {
    tableau_port a = port_of(t->n, node, 1), b = port_of(t->n, node, 2);
    double m = t->n->nodes[node].value[0];
    if (node_is(&t->n->nodes[node], "TF")) {
        tableau_proportion(t, block + a.effort, a.effort_sign, m, block + b.effort, b.effort_sign);
        tableau_proportion(t, block + b.flow, b.flow_sign, m, block + a.flow, a.flow_sign);
    } else {
        tableau_proportion(t, block + a.effort, a.effort_sign, m, block + b.flow, b.flow_sign);
        tableau_proportion(t, block + b.effort, b.effort_sign, m, block + a.flow, a.flow_sign);
    }
}

/* Resistors: e = R·f. */
static inline void tableau_resistor(tableau *t, int node, int block) {
    const net_node *at = &t->n->nodes[node];
    for (int i = 0; i < at->ports; i++) {
        tableau_port own = port_of(t->n, node, i + 1);
        tableau_row(t);
        tableau_add(t, block + own.effort, own.effort_sign);
        for (int k = 0; k < at->ports; k++) {
            tableau_port other = port_of(t->n, node, k + 1);
            tableau_add(t, block + other.flow, -at->value[i * at->ports + k] * other.flow_sign);
        }
    }
}

typedef enum { SOURCE_VALUE, SOURCE_RATE, SOURCE_AREA } source_view;

/* A source whose variable an off junction sets to 0, at its bond or behind transformers and gyrators, is cut. */
static inline bool is_cut_source(const net *n, int node) {
    bool effort = node_is(&n->nodes[node], "Se");
    net_end at = {node, 1};
    for (int steps = 0; steps < NET_NODES; steps++) {
        const net_bond *bond = &n->bonds[port_of(n, at.node, at.port).bond];
        at = is_end(bond->from, at.node, at.port) ? bond->to : bond->from;
        const net_node *there = &n->nodes[at.node];
        if (there->ports == 0) return there->off && node_is(there, "0") == effort;
        if (!node_is(there, "TF") && !node_is(there, "GY")) return false;
        effort ^= node_is(there, "GY");
        at.port = 3 - at.port;
    }
    return false;
}

static inline void tableau_source(tableau *t, int node, int block, source_view view, double time) {
    const net_node *at = &t->n->nodes[node];
    tableau_port own = port_of(t->n, node, 1);
    bool cut = is_cut_source(t->n, node),
         effort = node_is(at, "Se") != cut; // what it sets, or the other one to 0
    tableau_row(t);
    tableau_add(t, block + (effort ? own.effort : own.flow), effort ? own.effort_sign : own.flow_sign);
    if (view != SOURCE_AREA && !cut)
        tableau_right(t, view == SOURCE_VALUE ? at->value[0] + at->slope * time : at->slope);
}

/* Everything but storages, on the efforts and flows of the block. */
static inline void tableau_structure(tableau *t, int block, source_view view, double time) {
    for (int i = 0; i < t->n->node_count; i++) {
        const net_node *node = &t->n->nodes[i];
        if (node->ports == 0)
            tableau_junction(t, i, block);
        else if (node_is(node, "TF") || node_is(node, "GY"))
            tableau_two_port(t, i, block);
        else if (node_is(node, "R"))
            tableau_resistor(t, i, block);
        else if (node_is_source(node))
            tableau_source(t, i, block, view, time);
    }
}

/* Co-energy variable of a port (effort of a C, flow of an I), or its other variable. */
static inline void tableau_storage_term(tableau *t, int node, int port, bool output, int block,
                                        double factor) {
    tableau_port own = port_of(t->n, node, port);
    bool effort = node_is(&t->n->nodes[node], "C") == output;
    tableau_add(t, block + (effort ? own.effort : own.flow),
                factor * (effort ? own.effort_sign : own.flow_sign));
}

/* x = matrix · z, with x in columns from `energy` on, or on the right side where that is -1. */
static inline void tableau_law(tableau *t, int node, int block, int energy, const double *x) {
    const net_node *at = &t->n->nodes[node];
    for (int i = 0; i < at->ports; i++) {
        tableau_row(t);
        for (int k = 0; k < at->ports; k++)
            tableau_storage_term(t, node, k + 1, true, block, at->value[i * at->ports + k]);
        if (energy >= 0)
            tableau_add(t, energy + i, -1);
        else
            tableau_right(t, x[i]);
    }
}

static inline int net_state_count(const net *n) {
    int count = 0;
    for (int i = 0; i < n->node_count; i++) count += node_is_storage(&n->nodes[i]) ? n->nodes[i].ports : 0;
    return count;
}

/* The first of the node's states, in the order of nodes and ports. */
static inline int net_first_state(const net *n, int node) {
    int count = 0;
    for (int i = 0; i < node; i++) count += node_is_storage(&n->nodes[i]) ? n->nodes[i].ports : 0;
    return count;
}

/* Columns: efforts and flows, then the rates of energies, then the derivatives of efforts and flows. */
static inline void tableau_rates(tableau *t, const net *n, double time, const double *x) {
    int bonds = 2 * n->bond_count, states = net_state_count(n);
    tableau_begin(t, n, 2 * bonds + states);
    tableau_structure(t, 0, SOURCE_VALUE, time);
    tableau_structure(t, bonds + states, SOURCE_RATE, time);
    for (int i = 0; i < n->node_count; i++) {
        int first = net_first_state(n, i);
        if (!node_is_storage(&n->nodes[i])) continue;
        tableau_law(t, i, 0, -1, x + first);
        tableau_law(t, i, bonds + states, bonds + first, NULL);
        for (int port = 1; port <= n->nodes[i].ports; port++) {
            tableau_row(t);
            tableau_storage_term(t, i, port, false, 0, 1);
            tableau_add(t, bonds + first + port - 1, -1);
        }
    }
    tableau_solve(t);
}

/* Columns: areas of efforts and flows, then energies afterwards, then finite efforts and flows. */
static inline void tableau_jump(tableau *t, const net *n, double time, const double *x) {
    int bonds = 2 * n->bond_count, states = net_state_count(n);
    tableau_begin(t, n, 2 * bonds + states);
    tableau_structure(t, 0, SOURCE_AREA, time);
    tableau_structure(t, bonds + states, SOURCE_VALUE, time);
    for (int i = 0; i < n->node_count; i++) {
        int first = net_first_state(n, i);
        if (!node_is_storage(&n->nodes[i])) continue;
        tableau_law(t, i, bonds + states, bonds + first, NULL);
        for (int port = 1; port <= n->nodes[i].ports; port++) {
            tableau_row(t); // a co-energy variable has no pulse
            tableau_storage_term(t, i, port, true, 0, 1);
            tableau_row(t); // the energy grows by the area
            tableau_storage_term(t, i, port, false, 0, 1);
            tableau_add(t, bonds + first + port - 1, -1);
            tableau_right(t, -x[first + port - 1]);
        }
    }
    tableau_solve(t);
}

#endif
