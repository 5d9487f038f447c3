/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A second opinion on a mode that knows nothing of causality: the equations themselves. Junction laws,
 * resistors, transformers, sources and storages of the mode are linear equations in the efforts and flows of
 * the bonds; parameters are random numbers of a large prime field, so that a rank is the generic rank and no
 * rounding blurs it. A mode is fine by semantics, section 3, if
 *
 *   - whatever the sources and storages say, a solution exists (a cut source carries nothing);
 *   - the storages' efforts and flows are unique;
 *   - what is not unique runs through off junctions: repeated zeros and floating parts;
 *   - where the common variable of an on junction is not unique, all the on junctions joined to it can read 0
 *     without that restricting any source or storage.
 *
 * How many storages are dependent is how many of their values the equations do not leave free. */
#ifndef HBG_TESTS_CAUSAL_ORACLE_IMPL_H
#define HBG_TESTS_CAUSAL_ORACLE_IMPL_H

#include <string.h>

#include "causal/causal.h"
#include "graph_impl.h"

/* ---- linear algebra modulo 2^61 - 1 ------------------------------------------------------------------- */

#define ORACLE_PRIME    (((uint64_t)1 << 61) - 1)
#define ORACLE_COLUMNS  240
#define ORACLE_ROWS     320
#define ORACLE_ELEMENTS 256

static inline uint64_t oracle_multiply(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = (uint64_t)(product & ORACLE_PRIME) + (uint64_t)(product >> 61);
    return sum >= ORACLE_PRIME ? sum - ORACLE_PRIME : sum;
}

static inline uint64_t oracle_subtract(uint64_t a, uint64_t b) {
    return a >= b ? a - b : a + ORACLE_PRIME - b;
}

static inline uint64_t oracle_invert(uint64_t a) { /* a^(p-2) */
    uint64_t result = 1;
    for (uint64_t power = ORACLE_PRIME - 2; power > 0; power >>= 1) {
        if (power & 1) result = oracle_multiply(result, a);
        a = oracle_multiply(a, a);
    }
    return result;
}

typedef struct {
    int rows, columns;
    uint64_t at[ORACLE_ROWS][ORACLE_COLUMNS];
    int pivot[ORACLE_COLUMNS]; /* by column: its row after elimination, or -1 */
} oracle_matrix;

/* Brings the matrix into reduced echelon form, looking for pivots in the first `width` columns; returns the
 * rank of those. */
static inline int oracle_reduce(oracle_matrix *m, int width) {
    int rank = 0;
    for (int column = 0; column < m->columns; column++) m->pivot[column] = -1;
    for (int column = 0; column < width; column++) {
        int row = rank;
        while (row < m->rows && m->at[row][column] == 0) row++;
        if (row == m->rows) continue;
        for (int k = 0; k < m->columns; k++) {
            uint64_t swap = m->at[row][k];
            m->at[row][k] = m->at[rank][k];
            m->at[rank][k] = swap;
        }
        uint64_t inverse = oracle_invert(m->at[rank][column]);
        for (int k = column; k < m->columns; k++) m->at[rank][k] = oracle_multiply(m->at[rank][k], inverse);
        for (int i = 0; i < m->rows; i++) {
            uint64_t factor = m->at[i][column];
            if (i == rank || factor == 0) continue;
            for (int k = column; k < m->columns; k++)
                if (m->at[rank][k])
                    m->at[i][k] = oracle_subtract(m->at[i][k], oracle_multiply(factor, m->at[rank][k]));
        }
        m->pivot[column] = rank++;
    }
    return rank;
}

/* After elimination: the variable has one value in all solutions. */
static inline bool oracle_is_unique(const oracle_matrix *m, int column, int width) {
    if (m->pivot[column] < 0) return false;
    for (int k = 0; k < width; k++)
        if (k != column && m->pivot[k] < 0 && m->at[m->pivot[column]][k] != 0) return false;
    return true;
}

/* ---- equations ---------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_model *model;
    const bool *on;      /* by element, for junctions */
    const bool *dropped; /* by bond: cut through, a resistor at each end; NULL for none */
    uint64_t seed;
    oracle_matrix *matrix;

    bool whole;    /* storages relate effort and flow at one frequency; else see oracle_write_levels */
    int level;     /* 0: values, 1: their derivatives */
    int variables; /* efforts and flows of one level */
    int unknowns;  /* columns before the inputs */
    int storages, sources; /* how many there are */
    int storage, source;   /* how many were met so far */
    int second[128];       /* by bond: where the variables of its `to` end begin */
    test_random random;
} oracle;

enum { ORACLE_EFFORT = 0, ORACLE_FLOW = 1 };

static inline uint64_t oracle_random(oracle *o) {
    return ((uint64_t)random_next(&o->random) << 28 ^ random_next(&o->random)) % (ORACLE_PRIME - 1) + 1;
}

static inline int oracle_variable(const oracle *o, int32_t bond, int end, int what) {
    return o->level * o->variables + (end ? o->second[bond] : 2 * bond) + what;
}

static inline uint64_t *oracle_row(oracle *o) {
    HBG_ASSERT(o->matrix->rows < ORACLE_ROWS);
    uint64_t *row = o->matrix->at[o->matrix->rows++];
    memset(row, 0, sizeof o->matrix->at[0]);
    return row;
}

/* Adds ±1 times a variable; the flow (or effort) counts as running into the element at this end. */
static inline void oracle_add(uint64_t *row, int column, bool negative) {
    row[column] = negative ? oracle_subtract(row[column], 1) : oracle_subtract(row[column], ORACLE_PRIME - 1);
}

static inline int32_t oracle_element_at(const oracle *o, int32_t bond, int end) {
    const hbg_bond *b = &o->model->bonds.items[bond];
    return end ? b->to.element : b->from.element;
}

static inline bool oracle_is_junction(const oracle *o, int32_t element) {
    hbg_element_kind kind = o->model->elements.items[element].kind;
    return kind == HBG_KIND_ZERO || kind == HBG_KIND_ONE;
}

static inline bool oracle_is_dropped(const oracle *o, int32_t bond) {
    return o->dropped && o->dropped[bond];
}

/* On: all share one variable, the others sum to zero. Off: each is zero. */
static inline void oracle_junction(oracle *o, int32_t element) {
    const hbg_element *junction = &o->model->elements.items[element];
    int common = junction->kind == HBG_KIND_ZERO ? ORACLE_EFFORT : ORACLE_FLOW, first = -1;
    int zeroed = junction->dual_off ? 1 - common : common;
    uint64_t *sum = o->on[element] ? oracle_row(o) : NULL;
    for (int32_t bond = 0; bond < o->model->bonds.count; bond++)
        for (int end = 0; end < 2; end++) {
            if (oracle_element_at(o, bond, end) != element) continue;
            if (!sum) {
                oracle_add(oracle_row(o), oracle_variable(o, bond, end, zeroed), false);
                continue;
            }
            int variable = oracle_variable(o, bond, end, common);
            oracle_add(sum, oracle_variable(o, bond, end, 1 - common), end == 0);
            if (first >= 0) {
                uint64_t *equal = oracle_row(o);
                oracle_add(equal, first, false);
                oracle_add(equal, variable, true);
            }
            first = variable;
        }
}

/* The off junction at the end of the chain sets the source's own variable to zero. */
static inline bool oracle_is_cut(const oracle *o, int32_t bond, int end, int what) {
    const hbg_model *model = o->model;
    for (;;) {
        if (oracle_is_dropped(o, bond)) return false;
        end = 1 - end;
        int32_t element = oracle_element_at(o, bond, end);
        const hbg_element *at = &model->elements.items[element];
        if (oracle_is_junction(o, element)) {
            int zeroed = (at->kind == HBG_KIND_ZERO) != at->dual_off ? ORACLE_EFFORT : ORACLE_FLOW;
            return !o->on[element] && zeroed == what;
        }
        if (at->kind != HBG_KIND_TF && at->kind != HBG_KIND_GY) return false;
        if (at->kind == HBG_KIND_GY) what = 1 - what;
        const int32_t *bonds = model->incidence + model->incidence_start[element];
        bond = bonds[0] == bond ? bonds[1] : bonds[0];
        end = oracle_element_at(o, bond, 0) == element ? 0 : 1;
    }
}

static inline void oracle_resistor(oracle *o, int32_t bond, int end) {
    uint64_t *row = oracle_row(o);
    row[oracle_variable(o, bond, end, ORACLE_EFFORT)] = 1;
    row[oracle_variable(o, bond, end, ORACLE_FLOW)] = oracle_random(o); // any sign: the number is random
}

static inline void oracle_source(oracle *o, int32_t bond, int end, int what) {
    uint64_t *row = oracle_row(o);
    if (oracle_is_cut(o, bond, end, what)) {
        oracle_add(row, oracle_variable(o, bond, end, 1 - what), false);
        return;
    }
    oracle_add(row, oracle_variable(o, bond, end, what), false);
    int column = o->unknowns + o->storages + o->level * o->sources + o->source++;
    row[o->whole ? o->unknowns : column] = oracle_random(o);
}

static inline void oracle_storage(oracle *o, int32_t bond, int end, int what) {
    uint64_t *row = oracle_row(o), stiffness = oracle_random(o), rate = oracle_random(o);
    oracle_add(row, oracle_variable(o, bond, end, what), false);
    int index = o->storage++, derivative = 2 * o->variables + index;
    if (o->whole) {
        row[oracle_variable(o, bond, end, 1 - what)] = stiffness;
        row[o->unknowns] = rate;
        return;
    }
    row[o->level == 0 ? o->unknowns + index : derivative] = stiffness;
    if (o->level > 0) return;
    row = oracle_row(o);
    row[oracle_variable(o, bond, end, 1 - what)] = 1;
    row[derivative] = rate;
}

static inline void oracle_one_port(oracle *o, int32_t element) {
    const hbg_element *at = &o->model->elements.items[element];
    int32_t bond = o->model->incidence[o->model->incidence_start[element]];
    int end = oracle_element_at(o, bond, 0) == element ? 0 : 1;
    switch (at->kind) {
    case HBG_KIND_SE: oracle_source(o, bond, end, ORACLE_EFFORT); break;
    case HBG_KIND_SF: oracle_source(o, bond, end, ORACLE_FLOW); break;
    case HBG_KIND_C: oracle_storage(o, bond, end, ORACLE_EFFORT); break;
    case HBG_KIND_I: oracle_storage(o, bond, end, ORACLE_FLOW); break;
    default: oracle_resistor(o, bond, end); break;
    }
}

/* Power in on one side is power out on the other. */
static inline void oracle_two_port(oracle *o, int32_t element) {
    const int32_t *bonds = o->model->incidence + o->model->incidence_start[element];
    bool gyrator = o->model->elements.items[element].kind == HBG_KIND_GY;
    uint64_t modulus = oracle_random(o), minus = oracle_subtract(0, modulus);
    int e[2], f[2];
    bool away[2];
    for (int i = 0; i < 2; i++) {
        int end = oracle_element_at(o, bonds[i], 0) == element ? 0 : 1;
        e[i] = oracle_variable(o, bonds[i], end, ORACLE_EFFORT);
        f[i] = oracle_variable(o, bonds[i], end, ORACLE_FLOW);
        away[i] = end == 0;
    }
    uint64_t *first = oracle_row(o), *second = oracle_row(o);
    first[e[0]] = 1;
    if (gyrator) { // e1 = -r f2, e2 = r f1, flows counted inwards
        first[f[1]] = away[1] ? minus : modulus;
        second[e[1]] = 1;
        second[f[0]] = away[0] ? modulus : minus;
    } else { // e1 = n e2, f2 = -n f1
        first[e[1]] = minus;
        second[f[1]] = away[1] ? ORACLE_PRIME - 1 : 1;
        second[f[0]] = away[0] ? minus : modulus;
    }
}

/* Numbers the columns. */
static inline void oracle_count(oracle *o) {
    const hbg_model *model = o->model;
    o->variables = 2 * model->bonds.count;
    for (int32_t bond = 0; bond < model->bonds.count; bond++) {
        o->second[bond] = oracle_is_dropped(o, bond) ? o->variables : 2 * bond;
        if (oracle_is_dropped(o, bond)) o->variables += 2;
    }
    o->storages = o->sources = 0;
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_element_kind kind = model->elements.items[i].kind;
        o->storages += kind == HBG_KIND_C || kind == HBG_KIND_I;
        o->sources += kind == HBG_KIND_SE || kind == HBG_KIND_SF;
    }
}

/* The equations of one level; the same parameters every time. */
static inline void oracle_write_level(oracle *o) {
    const hbg_model *model = o->model;
    o->random.state = o->seed;
    o->storage = o->source = 0;
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_element_kind kind = model->elements.items[i].kind;
        if (oracle_is_junction(o, i))
            oracle_junction(o, i);
        else if (kind == HBG_KIND_TF || kind == HBG_KIND_GY)
            oracle_two_port(o, i);
        else
            oracle_one_port(o, i);
    }
    for (int32_t bond = 0; bond < model->bonds.count; bond++)
        for (int end = 0; oracle_is_dropped(o, bond) && end < 2; end++) oracle_resistor(o, bond, end);
}

/* The mode at one frequency: what sources and storages say is one column of random numbers. */
static inline void oracle_write_whole(oracle *o) {
    o->whole = true;
    o->level = 0;
    o->unknowns = o->variables;
    o->matrix->rows = 0;
    o->matrix->columns = o->unknowns + 1;
    oracle_write_level(o);
    HBG_ASSERT(o->matrix->columns <= ORACLE_COLUMNS);
}

/* The mode at one instant. Unknown are efforts and flows, their derivatives, and the derivatives of the
 * storages; inputs are the storages, the sources and their derivatives. */
static inline void oracle_write_levels(oracle *o) {
    o->whole = false;
    o->unknowns = 2 * o->variables + o->storages;
    o->matrix->rows = 0;
    o->matrix->columns = o->unknowns + o->storages + 2 * o->sources;
    for (o->level = 0; o->level < 2; o->level++) oracle_write_level(o);
    o->level = 0;
    HBG_ASSERT(o->matrix->columns <= ORACLE_COLUMNS);
}

/* ---- the verdict -------------------------------------------------------------------------------------- */

typedef struct {
    bool consistent; /* a solution exists whatever sources and storages say */
    bool definite;   /* storages' efforts and flows are unique */
    bool singular;   /* something is not unique that no off junction has to do with */
    bool dead;       /* parts that are not unique have no source and no independent storage */
    bool readable;   /* they can read 0, which is milder */
    int dependent;   /* storages */
    bool accepted;
} oracle_verdict;

/* Which values of the first so many inputs the equations allow, as a dimension, the others being zero. */
static inline int oracle_freedom(oracle *o, oracle_matrix *scratch, int count) {
    *scratch = *o->matrix;
    scratch->columns = o->unknowns + count;
    int without = oracle_reduce(scratch, o->unknowns);
    // the rows below restrict the inputs alone
    memmove(scratch->at[0], scratch->at[without], (size_t)(scratch->rows - without) * sizeof scratch->at[0]);
    scratch->rows -= without;
    return count - oracle_reduce(scratch, scratch->columns);
}

/* Marks the on junctions joined to one by bonds and chains of transformers, through on junctions only. */
static inline void oracle_spread(const oracle *o, int32_t start, bool *joined) {
    bool changed = true;
    joined[start] = true;
    while (changed) {
        changed = false;
        for (int32_t bond = 0; bond < o->model->bonds.count; bond++) {
            if (oracle_is_dropped(o, bond)) continue;
            int32_t a = oracle_element_at(o, bond, 0), b = oracle_element_at(o, bond, 1);
            bool ends_here = !o->on[a] || !o->on[b] || joined[a] == joined[b];
            if (ends_here) continue;
            joined[a] = joined[b] = changed = true;
        }
    }
}

/* Sets the common variables of the junctions marked to zero. */
static inline void oracle_hold(oracle *o, const bool *joined) {
    for (int32_t bond = 0; bond < o->model->bonds.count; bond++)
        for (int end = 0; end < 2; end++) {
            int32_t element = oracle_element_at(o, bond, end);
            if (!joined[element] || !oracle_is_junction(o, element)) continue;
            bool zero = o->model->elements.items[element].kind == HBG_KIND_ZERO;
            int what = zero ? ORACLE_EFFORT : ORACLE_FLOW;
            oracle_add(oracle_row(o), oracle_variable(o, bond, end, what), false);
        }
}

/* The part can read 0: that leaves sources and storages all the freedom they have. */
static inline bool oracle_reads_zero(oracle *o, oracle_matrix *scratch, const bool *joined) {
    oracle_write_levels(o);
    int inputs = o->storages + 2 * o->sources, before = oracle_freedom(o, scratch, inputs);
    for (o->level = 0; o->level < 2; o->level++) oracle_hold(o, joined);
    o->level = 0;
    return oracle_freedom(o, scratch, inputs) == before;
}

/* Nothing in the part has a say: no source, and every storage is held at zero by the equations anyway. */
static inline bool oracle_is_dead(oracle *o, oracle_matrix *scratch, const bool *joined) {
    oracle_write_levels(o);
    int inputs = o->storages + 2 * o->sources, before = oracle_freedom(o, scratch, inputs), storage = 0;
    for (int32_t i = 0; i < o->model->elements.count; i++) {
        hbg_element_kind kind = o->model->elements.items[i].kind;
        if (joined[i] && (kind == HBG_KIND_SE || kind == HBG_KIND_SF)) return false;
        if (kind != HBG_KIND_C && kind != HBG_KIND_I) continue;
        if (joined[i]) oracle_add(oracle_row(o), o->unknowns + storage, false);
        storage++;
    }
    return oracle_freedom(o, scratch, inputs) == before;
}

/* Whether all values at an element's ports, or a junction's common variable, are unique. */
static inline bool oracle_is_definite(const oracle *o, const oracle_matrix *reduced, int32_t element) {
    hbg_element_kind kind = o->model->elements.items[element].kind;
    for (int32_t bond = 0; bond < o->model->bonds.count; bond++)
        for (int end = 0; end < 2; end++) {
            if (oracle_element_at(o, bond, end) != element) continue;
            int e = oracle_variable(o, bond, end, ORACLE_EFFORT);
            int f = oracle_variable(o, bond, end, ORACLE_FLOW);
            if (kind != HBG_KIND_ONE && !oracle_is_unique(reduced, e, o->variables)) return false;
            if (kind != HBG_KIND_ZERO && !oracle_is_unique(reduced, f, o->variables)) return false;
        }
    return true;
}

/* Something is not unique although every bond at an off junction and in parts that read 0 is held. */
static inline bool oracle_is_singular(oracle *o, oracle_matrix *scratch, const bool *dead) {
    oracle_write_whole(o);
    for (int32_t bond = 0; bond < o->model->bonds.count; bond++)
        for (int end = 0; end < 2; end++) {
            int32_t element = oracle_element_at(o, bond, end);
            if (!oracle_is_junction(o, element) || (o->on[element] && !dead[element])) continue;
            oracle_add(oracle_row(o), oracle_variable(o, bond, end, ORACLE_EFFORT), false);
            oracle_add(oracle_row(o), oracle_variable(o, bond, end, ORACLE_FLOW), false);
        }
    *scratch = *o->matrix;
    return oracle_reduce(scratch, o->variables) < o->variables;
}

/* Looks at the parts in which the common variable of a junction is not unique, and marks those that are
 * dead. */
static inline void oracle_look_at_parts(oracle *o, oracle_matrix *reduced, oracle_matrix *scratch, bool *dead,
                                        oracle_verdict *v) {
    bool joined[ORACLE_ELEMENTS], undefined[ORACLE_ELEMENTS] = {0};
    for (int32_t i = 0; i < o->model->elements.count; i++)
        undefined[i] = oracle_is_junction(o, i) && o->on[i] && !oracle_is_definite(o, reduced, i);
    for (int32_t i = 0; i < o->model->elements.count; i++) {
        if (!undefined[i]) continue;
        memset(joined, 0, sizeof joined);
        oracle_spread(o, i, joined);
        bool is_dead = oracle_is_dead(o, scratch, joined);
        v->dead = v->dead && is_dead;
        v->readable = v->readable && oracle_reads_zero(o, scratch, joined);
        for (int32_t k = 0; k < o->model->elements.count; k++) {
            dead[k] = dead[k] || (is_dead && joined[k]);
            undefined[k] = undefined[k] && !joined[k];
        }
    }
}

/* Judges a mode. `on` is by element and true for all that are no junctions. */
static inline oracle_verdict oracle_judge(const hbg_model *model, const bool *on, const bool *dropped,
                                          uint64_t seed) {
    static oracle_matrix matrix, reduced, scratch;
    oracle o = {.model = model, .on = on, .dropped = dropped, .seed = seed, .matrix = &matrix};
    oracle_verdict v = {.consistent = true, .definite = true, .dead = true, .readable = true};
    bool dead[ORACLE_ELEMENTS] = {0};
    HBG_ASSERT(model->elements.count <= ORACLE_ELEMENTS);
    oracle_count(&o);
    oracle_write_whole(&o);
    reduced = matrix;
    int rank = oracle_reduce(&reduced, o.variables);
    for (int row = rank; row < reduced.rows; row++) v.consistent &= reduced.at[row][o.variables] == 0;
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_element_kind kind = model->elements.items[i].kind;
        if (kind == HBG_KIND_C || kind == HBG_KIND_I)
            v.definite = v.definite && oracle_is_definite(&o, &reduced, i);
    }
    if (rank < o.variables) {
        oracle_look_at_parts(&o, &reduced, &scratch, dead, &v);
        v.singular = oracle_is_singular(&o, &scratch, dead);
    }
    oracle_write_levels(&o);
    v.dependent = o.storages - oracle_freedom(&o, &scratch, o.storages);
    v.accepted = v.consistent && v.definite && !v.singular && v.dead;
    return v;
}

#endif
