/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration (semantics, section 6) over the limit in exact fractions, for networks whose controlled junctions are switches that
 * follow a command and ideal diodes: which modes an instant visits, which of them it commits, and how it ends. Comparisons are
 * exact, without bands. */
#ifndef HBG_TESTS_EQN_LIMIT_SEARCH_IMPL_H
#define HBG_TESTS_EQN_LIMIT_SEARCH_IMPL_H

#include "limit_impl.h"

/* A diode turns on while what its junction balances is positive, and off while its common variable is negative. */
typedef enum { DEVICE_NONE, DEVICE_SWITCH, DEVICE_DIODE } limit_device;

typedef struct {
    limit_net n;
    limit_device device[LIMIT_NODES];
    bool command[LIMIT_NODES]; /* of a switch: closed */
} limit_circuit;

typedef enum { SEARCH_SETTLES, SEARCH_SHORTED, SEARCH_CYCLES, SEARCH_UNSOLVABLE, SEARCH_COMMITS } search_end;

enum { SEARCH_VISITS = 64 };

typedef struct {
    search_end end;
    uint32_t
        modes[SEARCH_VISITS]; /* by bit: junctions that are on; the first is the one the instant begins in */
    bool committed[SEARCH_VISITS];
    bool floats[SEARCH_VISITS]; /* something is unbounded, or decided by parasitics alone */
    int count;
    bool fell_back; /* one automaton at a time */
    int together;   /* visits before that */
    bool floating;  /* a mode of it had something that floats */
} limit_trace;

static inline uint64_t circuit_mode(const limit_circuit *c) {
    uint64_t mode = 0;
    for (int i = 0; i < c->n.node_count; i++)
        if (c->n.nodes[i].controlled && !c->n.nodes[i].off) mode |= UINT64_C(1) << i;
    return mode;
}

static inline void circuit_enter(limit_circuit *c, uint64_t mode) {
    for (int i = 0; i < c->n.node_count; i++)
        c->n.nodes[i].off = c->n.nodes[i].controlled && !(mode >> i & 1);
}

/* ---- guards ------------------------------------------------------------------------------------------- */

static inline int rational_sign(rational a) {
    return a.up > 0 ? 1 : a.up < 0 ? -1 : 0;
}

/* The balance of a junction, or its common variable, in one part of the values. */
static inline rational circuit_value(const limit_net *n, int junction, bool balance, const rational *w) {
    int own = n->nodes[junction].kind == LIMIT_ZERO ? 0 : 1;
    rational sum = rational_number(0);
    for (int b = 0; b < n->bond_count; b++) {
        int sign = limit_sign(n, b, junction);
        if (sign == 0) continue;
        if (!balance) return w[2 * b + own];
        sum = rational_add(sum, rational_multiply(rational_number(sign), w[2 * b + 1 - own]));
    }
    return sum;
}

/* The first part that is not 0 decides: unb, unb', unb'', area, finite; in a shorted mode only the first three do. */
static inline int circuit_sign(const limit_net *n, const limit_values *v, int junction, bool balance) {
    const rational *parts[] = {v->unb[0], v->unb[1], v->unb[2], v->area, v->fin};
    for (int i = 0; i < (v->shorted ? 3 : 5); i++) {
        int sign = rational_sign(circuit_value(n, junction, balance, parts[i]));
        if (sign != 0) return sign;
    }
    return 0;
}

static inline bool circuit_enabled(const limit_circuit *c, const limit_values *v, int junction) {
    bool off = c->n.nodes[junction].off;
    if (c->device[junction] == DEVICE_SWITCH) return off == c->command[junction];
    if (c->device[junction] != DEVICE_DIODE) return false;
    int sign = circuit_sign(&c->n, v, junction, off);
    return off ? sign > 0 : sign < 0;
}

/* ---- the iteration ------------------------------------------------------------------------------------ */

/* All that are enabled, or the first of them, change their states; 0: none is. */
static inline uint64_t circuit_moves(const limit_circuit *c, const limit_values *v, bool first) {
    uint32_t moves = 0;
    for (int i = 0; i < c->n.node_count && !(first && moves); i++)
        if (c->n.nodes[i].controlled && circuit_enabled(c, v, i)) moves |= UINT64_C(1) << i;
    return moves;
}

static inline bool circuit_visit(limit_circuit *c, limit_trace *t, limit_values *v) {
    HBG_ASSERT(t->count < SEARCH_VISITS);
    limit_consider(&c->n, v);
    t->modes[t->count] = circuit_mode(c);
    t->floats[t->count] = v->floating > 0;
    t->committed[t->count++] = false;
    t->floating |= v->floating > 0;
    return v->unique && !rational_overflow;
}

/* Searches the next mode that has no guard enabled; false: the instant ends here, and why. */
static inline bool circuit_search(limit_circuit *c, limit_trace *t, limit_values *v, bool begin_is_seen) {
    uint64_t seen[SEARCH_VISITS];
    int count = 0;
    bool one = false;
    if (begin_is_seen) seen[count++] = circuit_mode(c);
    for (uint32_t moves; (moves = circuit_moves(c, v, one)) != 0;) {
        uint64_t next = circuit_mode(c) ^ moves;
        bool again = false;
        for (int i = 0; i < count; i++) again |= seen[i] == next;
        if (again && one) {
            t->end = SEARCH_CYCLES;
            return false;
        }
        if (again) {
            one = t->fell_back = true;
            t->together = t->count;
            count = 0;
        }
        seen[count++] = next;
        circuit_enter(c, next);
        if (!circuit_visit(c, t, v)) {
            t->end = SEARCH_UNSOLVABLE;
            return false;
        }
    }
    if (v->shorted) t->end = SEARCH_SHORTED;
    return !v->shorted;
}

/* One instant, from the mode and energies the circuit has to those in which time advances. */
static inline void circuit_instant(limit_circuit *c, limit_trace *t, limit_values *v) {
    memset(t, 0, sizeof *t);
    if (!circuit_visit(c, t, v)) {
        t->end = SEARCH_UNSOLVABLE;
        return;
    }
    uint64_t mode = circuit_mode(c);
    for (int commits = 0; commits < 8; commits++) {
        if (!circuit_search(c, t, v, commits == 0)) return;
        bool same = circuit_mode(c) == mode;
        for (int i = 0; i < c->n.node_count; i++) {
            same &= !limit_is_storage(&c->n.nodes[i]) || rational_equal(c->n.nodes[i].x, v->x_plus[i]);
            c->n.nodes[i].x = v->x_plus[i];
        }
        t->committed[t->count - 1] = true;
        if (same) return;
        mode = circuit_mode(c);
        limit_consider(&c->n, v); // without the pulses that are over
    }
    t->end = SEARCH_COMMITS;
}

#endif
