/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a mode means as the limit of small parasitics (semantics, section 3a), in exact fractions and without any causality: the
 * laws of all elements and junctions as (A0 + eta*A1)*w = b, w the effort and flow of every bond. The null spaces of A0 give the
 * unbounded part and the equations that close the rest; jump (semantics, section 4) and rates follow on the same rows. */
#ifndef HBG_TESTS_EQN_LIMIT_IMPL_H
#define HBG_TESTS_EQN_LIMIT_IMPL_H

#include "rational_impl.h"

enum { LIMIT_BONDS = 32, LIMIT_NODES = 40, LIMIT_WIDTH = 2 * LIMIT_BONDS };

typedef enum {
    LIMIT_ZERO,
    LIMIT_ONE,
    LIMIT_SE,
    LIMIT_SF,
    LIMIT_R,
    LIMIT_C,
    LIMIT_I,
    LIMIT_TF,
    LIMIT_GY
} limit_kind;

typedef struct {
    limit_kind kind;
    rational value;        /* R, C, I; modulus of TF, GY */
    rational u[3];         /* sources: value and its first two derivatives */
    rational x;            /* storages: q or p before the jump */
    bool controlled, dual; /* junctions; dual: types 0/F and 1/E */
    bool off;
} limit_node;

/* Bonds point into R, C and I and out of sources; the one that points into a TF or GY is its port 1. */
typedef struct {
    int from, to;
} limit_bond;

typedef struct {
    limit_node nodes[LIMIT_NODES];
    limit_bond bonds[LIMIT_BONDS];
    int node_count, bond_count;
} limit_net;

/* ---- nets --------------------------------------------------------------------------------------------- */

static inline bool limit_is_junction(const limit_node *node) {
    return node->kind == LIMIT_ZERO || node->kind == LIMIT_ONE;
}

static inline bool limit_is_storage(const limit_node *node) {
    return node->kind == LIMIT_C || node->kind == LIMIT_I;
}

static inline bool limit_is_source(const limit_node *node) {
    return node->kind == LIMIT_SE || node->kind == LIMIT_SF;
}

static inline int limit_add(limit_net *n, limit_node node) {
    HBG_ASSERT(n->node_count < LIMIT_NODES);
    for (int i = 0; i < 3; i++)
        if (node.u[i].down == 0) node.u[i] = rational_number(0);
    if (node.value.down == 0) node.value = rational_number(1);
    if (node.x.down == 0) node.x = rational_number(0);
    n->nodes[n->node_count] = node;
    return n->node_count++;
}

static inline int limit_join(limit_net *n, int from, int to) {
    HBG_ASSERT(n->bond_count < LIMIT_BONDS);
    n->bonds[n->bond_count] = (limit_bond){from, to};
    return n->bond_count++;
}

/* The bond of a one-port; the bond into, or out of, a two-port. */
static inline int limit_bond_of(const limit_net *n, int node, bool into) {
    for (int b = 0; b < n->bond_count; b++)
        if ((into ? n->bonds[b].to : n->bonds[b].from) == node) return b;
    return -1;
}

/* +1: the bond points into the node, -1: out of it, 0: it is not there. */
static inline int limit_sign(const limit_net *n, int bond, int node) {
    return n->bonds[bond].to == node ? 1 : n->bonds[bond].from == node ? -1 : 0;
}

/* Which variable an off junction sets to 0. */
static inline bool limit_off_effort(const limit_node *junction) {
    return (junction->kind == LIMIT_ZERO) != junction->dual;
}

/* The bond by which a source meets an off junction that sets its own variable to 0, directly or through TF and GY; else -1. */
static inline int limit_cut_bond(const limit_net *n, int source) {
    bool effort = n->nodes[source].kind == LIMIT_SE;
    int bond = limit_bond_of(n, source, false), at = source;
    while (bond >= 0) {
        at = n->bonds[bond].from == at ? n->bonds[bond].to : n->bonds[bond].from;
        const limit_node *node = &n->nodes[at];
        if (limit_is_junction(node)) return node->off && limit_off_effort(node) == effort ? bond : -1;
        if (node->kind != LIMIT_TF && node->kind != LIMIT_GY) return -1;
        effort ^= node->kind == LIMIT_GY;
        bond = limit_bond_of(n, at, bond == limit_bond_of(n, at, false));
    }
    return -1;
}

/* ---- laws --------------------------------------------------------------------------------------------- */

/* One row for each law; the row of a storage is that of a resistance of 1 in its place. */
typedef struct {
    int rows, columns;
    rational a0[LIMIT_WIDTH][LIMIT_WIDTH], a1[LIMIT_WIDTH][LIMIT_WIDTH];
    rational b[3][LIMIT_WIDTH]; /* right side, and its derivatives */
    int storage[LIMIT_WIDTH];   /* the storage whose law it is; -1: another one */
    bool is_cut[LIMIT_BONDS];   /* at its junction */
} limit_laws;

static inline int limit_law(limit_laws *l) {
    HBG_ASSERT(l->rows < l->columns);
    l->storage[l->rows] = -1;
    return l->rows++;
}

static inline void limit_put(rational *row, int column, int value) {
    row[column] = rational_add(row[column], rational_number(value));
}

/* Balance and common variable of a junction: one of them is eta times the other. */
static inline void limit_junction(limit_laws *l, const limit_net *n, int node) {
    const limit_node *at = &n->nodes[node];
    int own = at->kind == LIMIT_ZERO ? 0 : 1, first = -1, count = 0;
    for (int b = 0; b < n->bond_count; b++) {
        int sign = l->is_cut[b] ? 0 : limit_sign(n, b, node);
        if (sign == 0) continue;
        count++;
        if (at->off && at->dual) { // each bond for itself, both variables counted into the junction
            int row = limit_law(l);
            limit_put(l->a0[row], 2 * b + 1 - own, sign);
            limit_put(l->a1[row], 2 * b + own, -1);
            continue;
        }
        if (first >= 0) {
            int row = limit_law(l);
            limit_put(l->a0[row], 2 * b + own, 1);
            limit_put(l->a0[row], 2 * first + own, -1);
        } else {
            first = b;
        }
    }
    if ((at->off && at->dual) || count == 0) return;
    int row = limit_law(l);
    rational *sum = at->off ? l->a1[row] : l->a0[row], *common = at->off ? l->a0[row] : l->a1[row];
    for (int b = 0; b < n->bond_count; b++)
        if (!l->is_cut[b]) limit_put(sum, 2 * b + 1 - own, limit_sign(n, b, node));
    if (at->controlled) limit_put(common, 2 * first + own, -1);
}

/* a = m·b between columns */
static inline void limit_proportion(limit_laws *l, int a, rational m, int b) {
    int row = limit_law(l);
    limit_put(l->a0[row], a, 1);
    l->a0[row][b] = rational_subtract(l->a0[row][b], m);
}

static inline void limit_element(limit_laws *l, const limit_net *n, int node) {
    const limit_node *at = &n->nodes[node];
    int in = limit_bond_of(n, node, true), out = limit_bond_of(n, node, false), row;
    switch (at->kind) {
    case LIMIT_R: limit_proportion(l, 2 * in, at->value, 2 * in + 1); break;
    case LIMIT_C:
    case LIMIT_I:
        limit_proportion(l, 2 * in, rational_number(1), 2 * in + 1);
        l->storage[l->rows - 1] = node;
        break;
    case LIMIT_TF:
        limit_proportion(l, 2 * in, at->value, 2 * out);
        limit_proportion(l, 2 * out + 1, at->value, 2 * in + 1);
        break;
    case LIMIT_GY:
        limit_proportion(l, 2 * in, at->value, 2 * out + 1);
        limit_proportion(l, 2 * out, at->value, 2 * in + 1);
        break;
    default: // a source; one that is cut carries nothing, where the junction let go of it
        row = limit_cut_bond(n, node);
        if (row >= 0) {
            limit_put(l->a0[limit_law(l)], 2 * row, 1);
            limit_put(l->a0[limit_law(l)], 2 * row + 1, 1);
            break;
        }
        row = limit_law(l);
        limit_put(l->a0[row], 2 * out + (at->kind == LIMIT_SE ? 0 : 1), 1);
        for (int i = 0; i < 3; i++) l->b[i][row] = at->u[i];
    }
}

static inline void limit_build(limit_laws *l, const limit_net *n) {
    l->rows = 0;
    l->columns = 2 * n->bond_count;
    for (int i = 0; i < l->columns; i++) {
        for (int k = 0; k < l->columns; k++) l->a0[i][k] = l->a1[i][k] = rational_number(0);
        for (int k = 0; k < 3; k++) l->b[k][i] = rational_number(0);
    }
    memset(l->is_cut, 0, sizeof l->is_cut);
    for (int i = 0; i < n->node_count; i++)
        if (limit_is_source(&n->nodes[i]) && limit_cut_bond(n, i) >= 0)
            l->is_cut[limit_cut_bond(n, i)] = true;
    for (int i = 0; i < n->node_count; i++)
        if (limit_is_junction(&n->nodes[i]))
            limit_junction(l, n, i);
        else
            limit_element(l, n, i);
}

/* ---- the unbounded part ------------------------------------------------------------------------------- */

typedef struct {
    bool unique;  /* for eta > 0 the mode has one solution */
    int floating; /* dimension of null(A0) */
    bool shorted; /* the unbounded part or its germ is not 0 somewhere */
    rational unb[3][LIMIT_WIDTH];
    rational area[LIMIT_WIDTH], fin[LIMIT_WIDTH];
    rational x_plus[LIMIT_NODES], rate[LIMIT_NODES]; /* by node */
    bool determined;                                 /* every one of these */
    /* closing rows, M'*A1 */
    rational closing[LIMIT_WIDTH][LIMIT_WIDTH];
} limit_values;

static rational_system limit_system; /* too large for a stack */

/* null(A0), or the left one */
static inline int limit_null(const limit_laws *l, bool left, rational vectors[][RATIONAL_COLUMNS]) {
    rational_begin(&limit_system, l->columns);
    for (int i = 0; i < l->columns; i++) {
        rational_row(&limit_system);
        for (int k = 0; k < l->columns; k++) limit_system.at[i][k] = left ? l->a0[k][i] : l->a0[i][k];
    }
    rational_solve(&limit_system);
    return rational_null(&limit_system, vectors);
}

/* Σ a1[row][·]·w */
static inline rational limit_times(const rational *row, const rational *w, int columns) {
    rational sum = rational_number(0);
    for (int k = 0; k < columns; k++)
        if (row[k].up != 0 && w[k].up != 0) sum = rational_add(sum, rational_multiply(row[k], w[k]));
    return sum;
}

/* unb = N·K⁻¹·M'·b for b and its derivatives, K = M'·A1·N; false: K has no inverse. */
static inline bool limit_unbounded(const limit_laws *l, limit_values *v) {
    static rational right[LIMIT_WIDTH][RATIONAL_COLUMNS], left[LIMIT_WIDTH][RATIONAL_COLUMNS];
    int count = v->floating = limit_null(l, false, right);
    memset(v->unb, 0, sizeof v->unb);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < l->columns; k++) v->unb[i][k] = rational_number(0);
    if (count == 0) return true;
    HBG_ASSERT(limit_null(l, true, left) == count || rational_overflow);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < l->columns; k++) {
            v->closing[i][k] = rational_number(0);
            for (int row = 0; row < l->rows; row++)
                v->closing[i][k] =
                    rational_add(v->closing[i][k], rational_multiply(left[i][row], l->a1[row][k]));
        }
    for (int order = 0; order < 3; order++) {
        rational_begin(&limit_system, count);
        for (int i = 0; i < count; i++) {
            rational_row(&limit_system);
            for (int k = 0; k < count; k++)
                rational_term(&limit_system, k, limit_times(v->closing[i], right[k], l->columns));
            rational_term(&limit_system, count, limit_times(left[i], l->b[order], l->rows));
        }
        rational_solve(&limit_system);
        for (int k = 0; k < count; k++) {
            if (limit_system.pivot_row[k] < 0) return false;
            for (int i = 0; i < l->columns; i++)
                v->unb[order][i] =
                    rational_add(v->unb[order][i], rational_multiply(right[k][i], limit_system.value[k]));
        }
    }
    return true;
}

/* ---- jump and rates ----------------------------------------------------------------------------------- */

/* Laws that are no storage's on a block of columns: homogeneous ones (order -1), or of values (0) and of their derivatives (1). */
static inline void limit_block(const limit_laws *l, const limit_values *v, int block, int order) {
    rational_system *s = &limit_system;
    for (int row = 0; row < l->rows; row++) {
        if (l->storage[row] >= 0) continue;
        rational_row(s);
        for (int k = 0; k < l->columns; k++)
            if (l->a0[row][k].up != 0) rational_term(s, block + k, l->a0[row][k]);
        if (order < 0) continue;
        rational shift = limit_times(l->a1[row], v->unb[order], l->columns);
        rational_term(s, s->columns, rational_subtract(l->b[order][row], shift));
    }
    for (int i = 0; i < v->floating; i++) {
        rational_row(s);
        for (int k = 0; k < l->columns; k++)
            if (v->closing[i][k].up != 0) rational_term(s, block + k, v->closing[i][k]);
    }
}

/* a·w[column] + b·w[other] = right, as one more row; a column below 0 is left out */
static inline void limit_equation(int column, int other, rational factor, rational right) {
    rational_row(&limit_system);
    rational_term(&limit_system, column, rational_number(1));
    if (other >= 0) rational_term(&limit_system, other, factor);
    rational_term(&limit_system, limit_system.columns, right);
}

/* The co-energy variable of a storage and the one its energy integrates, as places among efforts and flows. */
static inline int limit_co_energy(const limit_net *n, int node) {
    return 2 * limit_bond_of(n, node, true) + (n->nodes[node].kind == LIMIT_C ? 0 : 1);
}

static inline int limit_input(const limit_net *n, int node) {
    return 2 * limit_bond_of(n, node, true) + (n->nodes[node].kind == LIMIT_C ? 1 : 0);
}

/* Columns: areas, energies afterwards by node, values there. */
static inline void limit_jump(const limit_net *n, const limit_laws *l, limit_values *v) {
    int width = l->columns, energies = width, values = width + n->node_count;
    rational none = rational_number(0), minus = rational_number(-1);
    rational_begin(&limit_system, values + width);
    limit_block(l, v, 0, -1);
    limit_block(l, v, values, 0);
    for (int i = 0; i < n->node_count; i++) {
        const limit_node *at = &n->nodes[i];
        if (!limit_is_storage(at)) {
            limit_equation(energies + i, -1, none, none);
            continue;
        }
        limit_equation(limit_co_energy(n, i), -1, none, none);
        limit_equation(limit_input(n, i), energies + i, minus, rational_negate(at->x));
        limit_equation(values + limit_co_energy(n, i), energies + i,
                       rational_negate(rational_invert(at->value)), none);
    }
    rational_solve(&limit_system);
    v->determined = limit_system.consistent;
    for (int k = 0; k < values; k++) v->determined &= limit_system.determined[k];
    for (int k = 0; k < width; k++) v->area[k] = limit_system.value[k];
    for (int i = 0; i < n->node_count; i++) v->x_plus[i] = limit_system.value[energies + i];
}

/* Columns: values, rates of energies by node, derivatives of values. */
static inline void limit_rates(const limit_net *n, const limit_laws *l, limit_values *v) {
    int width = l->columns, rates = width, slopes = width + n->node_count;
    rational none = rational_number(0), minus = rational_number(-1);
    rational_begin(&limit_system, slopes + width);
    limit_block(l, v, 0, 0);
    limit_block(l, v, slopes, 1);
    for (int i = 0; i < n->node_count; i++) {
        const limit_node *at = &n->nodes[i];
        if (!limit_is_storage(at)) {
            limit_equation(rates + i, -1, none, none);
            continue;
        }
        limit_equation(limit_co_energy(n, i), -1, none, rational_divide(v->x_plus[i], at->value));
        limit_equation(limit_input(n, i), rates + i, minus, none);
        limit_equation(slopes + limit_co_energy(n, i), rates + i, rational_negate(rational_invert(at->value)),
                       none);
    }
    rational_solve(&limit_system);
    v->determined &= limit_system.consistent;
    for (int k = 0; k < slopes; k++) v->determined &= limit_system.determined[k];
    for (int k = 0; k < width; k++) v->fin[k] = limit_system.value[k];
    for (int i = 0; i < n->node_count; i++) v->rate[i] = limit_system.value[rates + i];
}

/* All there is to know of the mode the net is in, entered with its energies. */
static inline void limit_consider(const limit_net *n, limit_values *v) {
    static limit_laws laws;
    limit_build(&laws, n);
    memset(v, 0, sizeof *v);
    v->unique = laws.rows == laws.columns && limit_unbounded(&laws, v);
    if (!v->unique) return;
    for (int order = 0; order < 3; order++)
        for (int k = 0; k < laws.columns; k++) v->shorted |= v->unb[order][k].up != 0;
    limit_jump(n, &laws, v);
    limit_rates(n, &laws, v);
}

#endif
