/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a mode of a hybrid graph means, from its laws written down one by one and solved at once (tableau_impl.h): the jump
 * into it with all areas (semantics, section 4), values and rates behind it, the energy, and what the structure conserves. Off
 * junctions of both kinds, sources that are cut, restitution; storages may be cubic, by Newton on the same equations. */
#ifndef HBG_TESTS_EQN_HYBRID_ORACLE_IMPL_H
#define HBG_TESTS_EQN_HYBRID_ORACLE_IMPL_H

#include "hybrid_net_impl.h"
#include "tableau_impl.h"

/* Where an answer is asked for. */
typedef struct {
    hybrid *h;
    double time;
    const double *inputs;
    const double *balance; /* by node: what a junction that bounces sums to; else 0 */
} oracle_place;

/* Everything at an instant in a mode. */
typedef struct {
    bool solved; /* x⁺ is unique */
    double x_plus[NET_BONDS];
    long double fin[2 * NET_BONDS], area[2 * NET_BONDS], rate[NET_BONDS];
    bool fin_known[2 * NET_BONDS], area_known[2 * NET_BONDS];
    double scale;      /* of finite values and energies */
    double area_scale; /* of areas */
} oracle_values;

/* ---- solving ------------------------------------------------------------------------------------------ */

/* Largest entry of each row that has no pivot yet, in the columns that have none. */
typedef struct {
    int column[TABLEAU_SIZE + 16];
    bool row_done[TABLEAU_SIZE + 16], column_done[TABLEAU_SIZE];
} oracle_pivots;

static inline void oracle_find_largest(const tableau *t, oracle_pivots *p, int row) {
    int best = -1;
    for (int k = 0; k < t->columns; k++)
        if (!p->column_done[k] && (best < 0 || fabsl(t->matrix[row][k]) > fabsl(t->matrix[row][best])))
            best = k;
    p->column[row] = best;
}

static inline int oracle_pivot_row(const tableau *t, const oracle_pivots *p) {
    int row = -1;
    for (int i = 0; i < t->rows; i++) {
        if (p->row_done[i] || p->column[i] < 0) continue;
        if (row < 0 || fabsl(t->matrix[i][p->column[i]]) > fabsl(t->matrix[row][p->column[row]])) row = i;
    }
    return row >= 0 && fabsl(t->matrix[row][p->column[row]]) >= 1e-12L ? row : -1;
}

/* As tableau_solve, with full pivoting, and faster where most is 0. */
static inline void oracle_solve(tableau *t) {
    static oracle_pivots p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < t->rows; i++) oracle_find_largest(t, &p, i);
    for (int row; (row = oracle_pivot_row(t, &p)) >= 0;) {
        int column = p.column[row];
        const long double *from = t->matrix[row];
        p.row_done[row] = p.column_done[column] = true;
        for (int i = 0; i < t->rows; i++) {
            bool changed = i != row && t->matrix[i][column] != 0;
            long double factor = changed ? t->matrix[i][column] / from[column] : 0;
            for (int k = 0; k <= t->columns && changed; k++)
                if (from[k] != 0) t->matrix[i][k] -= factor * from[k];
            if (changed) t->matrix[i][column] = 0;
            if (!p.row_done[i] && (changed || p.column[i] == column)) oracle_find_largest(t, &p, i);
        }
    }
    t->consistent = true;
    for (int i = 0; i < t->rows; i++) {
        const long double *of = t->matrix[i];
        bool alone = true;
        if (!p.row_done[i]) t->consistent &= fabsl(of[t->columns]) < 1e-9L;
        for (int k = 0; k < t->columns && p.row_done[i]; k++)
            alone &= p.column_done[k] || fabsl(of[k] / of[p.column[i]]) < 1e-9L;
        if (!p.row_done[i]) continue;
        t->determined[p.column[i]] = alone;
        t->value[p.column[i]] = of[t->columns] / of[p.column[i]];
    }
}

/* ---- structure ---------------------------------------------------------------------------------------- */

static inline void oracle_enter(hybrid *h, const int *states) {
    for (int i = 0; i < h->n.node_count; i++) {
        int of = h->automaton[i];
        h->n.nodes[i].off = of >= 0 && h->automata[of].states[states[of]].on == h->inverted[i];
    }
}

/* Which variable an off junction sets to 0 on all its bonds. */
static inline bool off_effort(const hybrid *h, int node) {
    return node_is(&h->n.nodes[node], "0") != h->dual[node];
}

typedef enum { BLOCK_VALUE, BLOCK_RATE, BLOCK_AREA } oracle_block;

static inline void oracle_junction(tableau *t, const oracle_place *at, int node, int block,
                                   oracle_block kind) {
    const hybrid *h = at->h;
    const net *n = &h->n;
    bool zero = node_is(&n->nodes[node], "0"), off = n->nodes[node].off;
    bool effort = off ? off_effort(h, node) : zero;
    int first = -1;
    for (int i = 0; i < 2 * n->bond_count; i++) {
        const net_bond *bond = &n->bonds[i / 2];
        if ((i % 2 ? bond->to.node : bond->from.node) != node) continue;
        int column = block + i / 2 * 2 + (effort ? 0 : 1);
        if (off || first >= 0) {
            tableau_row(t);
            tableau_add(t, column, 1);
            if (!off) tableau_add(t, first, -1);
        }
        first = column;
    }
    if (off) return;
    tableau_row(t);
    if (kind == BLOCK_VALUE) tableau_right(t, at->balance ? at->balance[node] : 0);
    for (int i = 0; i < n->bond_count; i++) {
        int summed = block + 2 * i + (zero ? 1 : 0);
        if (n->bonds[i].to.node == node) tableau_add(t, summed, 1);
        if (n->bonds[i].from.node == node) tableau_add(t, summed, -1);
    }
}

/* A source whose own variable an off junction sets to 0, directly or behind transformers and gyrators. */
static inline bool oracle_is_cut(const hybrid *h, int node) {
    const net *n = &h->n;
    bool effort = node_is(&n->nodes[node], "Se");
    net_end at = {node, 1};
    for (int steps = 0; steps < NET_NODES; steps++) {
        const net_bond *bond = &n->bonds[port_of(n, at.node, at.port).bond];
        at = is_end(bond->from, at.node, at.port) ? bond->to : bond->from;
        if (n->nodes[at.node].ports == 0) return n->nodes[at.node].off && off_effort(h, at.node) == effort;
        if (!node_is_two_port(&n->nodes[at.node])) return false;
        effort ^= node_is(&n->nodes[at.node], "GY");
        at.port = 3 - at.port;
    }
    return false;
}

static inline double source_value(const oracle_place *at, int node) {
    const net_node *source = &at->h->n.nodes[node];
    return at->h->follows[node] ? at->inputs[INPUT_LEVEL] : source->value[0] + source->slope * at->time;
}

static inline void oracle_source(tableau *t, const oracle_place *at, int node, int block, oracle_block kind) {
    tableau_port own = port_of(&at->h->n, node, 1);
    bool cut = oracle_is_cut(at->h, node), effort = node_is(&at->h->n.nodes[node], "Se") != cut;
    tableau_row(t);
    tableau_add(t, block + (effort ? own.effort : own.flow), effort ? own.effort_sign : own.flow_sign);
    if (!cut && at->h->reads[node] >= 0) { // of values, rates and areas alike
        tableau_storage_term(t, at->h->reads[node], 1, true, block, -at->h->factor[node]);
        return;
    }
    if (kind == BLOCK_AREA || cut) return;
    tableau_right(t, kind == BLOCK_VALUE ? source_value(at, node) : at->h->n.nodes[node].slope);
}

typedef struct {
    int column, sign;
} oracle_side;

/* a = m·b in a block; of rates a' = m·b' + m'·b, with values in the block that begins at `values`. */
static inline void oracle_proportion(tableau *t, const oracle_place *at, int node, oracle_side a,
                                     oracle_side b, int block, oracle_block kind) {
    double m = at->h->n.nodes[node].value[0] + at->h->swing[node] * at->time;
    tableau_row(t);
    tableau_add(t, block + a.column, a.sign);
    tableau_add(t, block + b.column, -m * b.sign);
    if (kind == BLOCK_RATE) tableau_add(t, b.column, -at->h->swing[node] * b.sign); // values come first there
}

/* A resistor, transformer or gyrator that time modulates. */
static inline void oracle_modulated(tableau *t, const oracle_place *at, int node, int block,
                                    oracle_block kind) {
    const net *n = &at->h->n;
    tableau_port a = port_of(n, node, 1);
    if (node_is(&n->nodes[node], "R")) {
        oracle_proportion(t, at, node, (oracle_side){a.effort, a.effort_sign},
                          (oracle_side){a.flow, a.flow_sign}, block, kind);
        return;
    }
    tableau_port b = port_of(n, node, 2);
    if (node_is(&n->nodes[node], "TF")) {
        oracle_proportion(t, at, node, (oracle_side){a.effort, a.effort_sign},
                          (oracle_side){b.effort, b.effort_sign}, block, kind);
        oracle_proportion(t, at, node, (oracle_side){b.flow, b.flow_sign}, (oracle_side){a.flow, a.flow_sign},
                          block, kind);
    } else {
        oracle_proportion(t, at, node, (oracle_side){a.effort, a.effort_sign},
                          (oracle_side){b.flow, b.flow_sign}, block, kind);
        oracle_proportion(t, at, node, (oracle_side){b.effort, b.effort_sign},
                          (oracle_side){a.flow, a.flow_sign}, block, kind);
    }
}

static inline void oracle_structure(tableau *t, const oracle_place *at, int block, oracle_block kind) {
    for (int i = 0; i < at->h->n.node_count; i++) {
        const net_node *node = &at->h->n.nodes[i];
        if (node->ports == 0)
            oracle_junction(t, at, i, block, kind);
        else if (at->h->swing[i] != 0)
            oracle_modulated(t, at, i, block, kind);
        else if (node_is_two_port(node))
            tableau_two_port(t, i, block);
        else if (node_is(node, "R"))
            tableau_resistor(t, i, block);
        else if (node_is_source(node))
            oracle_source(t, at, i, block, kind);
    }
}

/* ---- storages ----------------------------------------------------------------------------------------- */

/* z = a·x + c·x³ around `near`: z − slope·x = rest; a linear one says x = matrix·z. */
static inline void oracle_law(tableau *t, const hybrid *h, int node, int block, int energy,
                              const double *near) {
    const net_node *at = &h->n.nodes[node];
    if (at->cube == 0) {
        tableau_law(t, node, block, energy, NULL);
        return;
    }
    long double x = near[0], slope = at->value[0] + 3 * at->cube * x * x;
    tableau_row(t);
    tableau_storage_term(t, node, 1, true, block, 1);
    tableau_add(t, energy, -slope);
    tableau_right(t, at->value[0] * x + at->cube * x * x * x - slope * x);
}

/* The co-energy variable belongs to x, which is given. */
static inline void oracle_law_at(tableau *t, const hybrid *h, int node, int block, const double *x) {
    const net_node *at = &h->n.nodes[node];
    if (at->cube == 0) {
        tableau_law(t, node, block, -1, x);
        return;
    }
    long double value = x[0];
    tableau_row(t);
    tableau_storage_term(t, node, 1, true, block, 1);
    tableau_right(t, at->value[0] * value + at->cube * value * value * value);
}

/* z' = slope·x', with x' in columns. */
static inline void oracle_law_rate(tableau *t, const hybrid *h, int node, int block, int rate,
                                   const double *x) {
    const net_node *at = &h->n.nodes[node];
    if (at->cube == 0) {
        tableau_law(t, node, block, rate, NULL);
        return;
    }
    long double value = x[0];
    tableau_row(t);
    tableau_storage_term(t, node, 1, true, block, 1);
    tableau_add(t, rate, -(at->value[0] + 3 * at->cube * value * value));
}

/* Columns: areas of efforts and flows, energies afterwards, finite efforts and flows there. */
static inline void oracle_jump_once(tableau *t, const oracle_place *at, const double *x, const double *near) {
    const net *n = &at->h->n;
    int bonds = 2 * n->bond_count, states = net_state_count(n);
    tableau_begin(t, n, 2 * bonds + states);
    oracle_structure(t, at, 0, BLOCK_AREA);
    oracle_structure(t, at, bonds + states, BLOCK_VALUE);
    for (int i = 0; i < n->node_count; i++) {
        int first = net_first_state(n, i);
        if (!node_is_storage(&n->nodes[i])) continue;
        oracle_law(t, at->h, i, bonds + states, bonds + first, near + first);
        for (int port = 1; port <= n->nodes[i].ports; port++) {
            tableau_row(t); // a co-energy variable has no pulse
            tableau_storage_term(t, i, port, true, 0, 1);
            tableau_row(t); // the energy grows by the area
            tableau_storage_term(t, i, port, false, 0, 1);
            tableau_add(t, bonds + first + port - 1, -1);
            tableau_right(t, -x[first + port - 1]);
        }
    }
    oracle_solve(t);
}

/* Columns: efforts and flows, rates of energies, derivatives of efforts and flows. */
static inline void oracle_rates(tableau *t, const oracle_place *at, const double *x) {
    const net *n = &at->h->n;
    int bonds = 2 * n->bond_count, states = net_state_count(n);
    tableau_begin(t, n, 2 * bonds + states);
    oracle_structure(t, at, 0, BLOCK_VALUE);
    oracle_structure(t, at, bonds + states, BLOCK_RATE);
    for (int i = 0; i < n->node_count; i++) {
        int first = net_first_state(n, i);
        if (!node_is_storage(&n->nodes[i])) continue;
        oracle_law_at(t, at->h, i, 0, x + first);
        oracle_law_rate(t, at->h, i, bonds + states, bonds + first, x + first);
        for (int port = 1; port <= n->nodes[i].ports; port++) {
            tableau_row(t);
            tableau_storage_term(t, i, port, false, 0, 1);
            tableau_add(t, bonds + first + port - 1, -1);
        }
    }
    oracle_solve(t);
}

/* ---- answers ------------------------------------------------------------------------------------------ */

static inline double largest(const long double *values, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs((double)values[i]));
    return most;
}

/* Finite values and rates at x, where energies of dependent storages agree. */
static inline void oracle_values_at(oracle_values *v, const oracle_place *at, const double *x) {
    static tableau all;
    int bonds = 2 * at->h->n.bond_count, states = net_state_count(&at->h->n);
    memset(v, 0, sizeof *v);
    oracle_rates(&all, at, x);
    v->solved = all.consistent;
    for (int i = 0; i < bonds; i++) {
        v->fin[i] = all.determined[i] ? all.value[i] : 0;
        v->fin_known[i] = all.determined[i];
        v->area_known[i] = true;
    }
    for (int i = 0; i < states; i++) {
        v->rate[i] = all.value[bonds + i];
        v->solved &= all.determined[bonds + i];
        v->x_plus[i] = x[i];
        v->scale = fmax(v->scale, fabs(x[i]));
    }
    v->scale = fmax(1, fmax(v->scale, largest(v->fin, bonds)));
    v->area_scale = 1;
}

/* x⁺ and the areas of the jump; false: there is no unique one. */
static inline bool oracle_jump(tableau *all, const oracle_place *at, const double *x, double *x_plus) {
    int bonds = 2 * at->h->n.bond_count, states = net_state_count(&at->h->n);
    bool linear = true;
    for (int i = 0; i < at->h->n.node_count; i++) linear &= at->h->n.nodes[i].cube == 0;
    memcpy(x_plus, x, (size_t)states * sizeof *x);
    for (int pass = 0; pass < 60; pass++) {
        double moved = 0, size = 1;
        oracle_jump_once(all, at, x, x_plus);
        if (!all->consistent) return false;
        for (int i = 0; i < states; i++) {
            double next = (double)all->value[bonds + i];
            if (!all->determined[bonds + i]) return false;
            moved = fmax(moved, fabs(next - x_plus[i]));
            size = fmax(size, fabs(next));
            x_plus[i] = next;
        }
        if (linear || moved <= 1e-15 * size) return true;
        if (moved <= 1e-12 * size && pass > 8) return true;
    }
    return false;
}

/* The mode the net is in, entered with x: areas, then finite values behind the jump. */
static inline void oracle_consider(oracle_values *v, const oracle_place *at, const double *x) {
    static tableau all;
    double x_plus[NET_BONDS];
    int bonds = 2 * at->h->n.bond_count;
    bool jumps = oracle_jump(&all, at, x, x_plus);
    long double area[2 * NET_BONDS] = {0};
    bool known[2 * NET_BONDS];
    for (int i = 0; i < bonds; i++) {
        known[i] = all.determined[i];
        area[i] = known[i] ? all.value[i] : 0;
    }
    oracle_values_at(v, at, x_plus);
    v->solved &= jumps;
    memcpy(v->area, area, sizeof area);
    memcpy(v->area_known, known, (size_t)bonds * sizeof *known);
    v->area_scale = fmax(1, largest(area, bonds));
}

/* ---- energy ------------------------------------------------------------------------------------------- */

/* ½ xᵀ M⁻¹ x of a linear storage of one or two ports. */
static inline double oracle_linear_energy(const net_node *node, const double *x) {
    const double *m = node->value;
    if (node->ports == 1) return x[0] * x[0] / (2 * m[0]);
    double determinant = m[0] * m[3] - m[1] * m[2];
    return (m[3] * x[0] * x[0] - (m[1] + m[2]) * x[0] * x[1] + m[0] * x[1] * x[1]) / (2 * determinant);
}

static inline double oracle_energy(const hybrid *h, const double *x) {
    double sum = 0;
    for (int i = 0; i < h->n.node_count; i++) {
        const net_node *node = &h->n.nodes[i];
        const double *own = x + net_first_state(&h->n, i);
        if (!node_is_storage(node)) continue;
        sum += node->cube == 0 ? oracle_linear_energy(node, own)
                               : node->value[0] * own[0] * own[0] / 2 + node->cube * pow(own[0], 4) / 4;
    }
    return sum;
}

/* Area times the value of its own, over all sources; the areas by bond. */
static inline double oracle_source_work(const oracle_place *at, const double *effort, const double *flow) {
    double sum = 0;
    for (int i = 0; i < at->h->n.node_count; i++) {
        const net_node *node = &at->h->n.nodes[i];
        if (!node_is_source(node) || oracle_is_cut(at->h, i) || at->h->reads[i] >= 0) continue;
        tableau_port own = port_of(&at->h->n, i, 1);
        sum += source_value(at, i) *
               (node_is(node, "Se") ? own.flow_sign * flow[own.bond] : own.effort_sign * effort[own.bond]);
    }
    return sum;
}

/* ---- conservation ------------------------------------------------------------------------------------- */

static inline void oracle_swap_rows(tableau *t, int a, int b) {
    for (int j = 0; j <= t->columns && a != b; j++) {
        long double swap = t->matrix[a][j];
        t->matrix[a][j] = t->matrix[b][j];
        t->matrix[b][j] = swap;
    }
}

/* Takes the column out of all rows below the row `rank`, which gets it; false: it is in none of them. */
static inline bool oracle_eliminate(tableau *t, int rank, int column) {
    int best = rank;
    for (int i = rank; i < t->rows; i++)
        if (fabsl(t->matrix[i][column]) > fabsl(t->matrix[best][column])) best = i;
    if (best >= t->rows || fabsl(t->matrix[best][column]) < 1e-12L) return false;
    oracle_swap_rows(t, rank, best);
    for (int i = rank + 1; i < t->rows; i++) {
        long double factor = t->matrix[i][column] / t->matrix[rank][column];
        for (int j = 0; j <= t->columns && factor != 0; j++) t->matrix[i][j] -= factor * t->matrix[rank][j];
    }
    return true;
}

/* Rows of the structure on areas, with the growth of energies, from which every area is eliminated that is no source's: what
 * is left are the sums of energies that the mode conserves but for what sources bring. Columns: areas, growths. The rows are
 * those from *first on, *count of them. */
static inline void oracle_conserved(tableau *t, const oracle_place *at, bool *kept, int *first, int *count) {
    const net *n = &at->h->n;
    int bonds = 2 * n->bond_count, states = net_state_count(n);
    tableau_begin(t, n, bonds + states);
    oracle_structure(t, at, 0, BLOCK_AREA);
    for (int i = 0; i < bonds; i++) kept[i] = false;
    for (int i = 0; i < n->node_count; i++) {
        if (node_is_source(&n->nodes[i])) kept[port_of(n, i, 1).effort] = kept[port_of(n, i, 1).flow] = true;
        for (int port = 1; node_is_storage(&n->nodes[i]) && port <= n->nodes[i].ports; port++) {
            tableau_row(t);
            tableau_storage_term(t, i, port, true, 0, 1);
            tableau_row(t);
            tableau_storage_term(t, i, port, false, 0, 1);
            tableau_add(t, bonds + net_first_state(n, i) + port - 1, -1);
        }
    }
    *first = *count = 0;
    for (int k = 0; k < bonds; k++) *first += !kept[k] && oracle_eliminate(t, *first, k);
    for (int k = 0; k < states; k++) *count += oracle_eliminate(t, *first + *count, bonds + k);
}

#endif
