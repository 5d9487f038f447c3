/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A second way to the limit of limit_impl.h, which knows no null spaces, no jumps and no rates: an implicit step of length h, in which a
 * storage is a resistance with a source, solved for the powers of eta one by one. The coefficients of 1/eta and of 1 are
 * unb + h*unb' + h^2/2*unb'' and area/h + fin + …: one ordered field, eta far below h (semantics, section 3a). */
#ifndef HBG_TESTS_EQN_LIMIT_STEP_IMPL_H
#define HBG_TESTS_EQN_LIMIT_STEP_IMPL_H

#include <math.h>
#include <stdio.h>

#include "limit_impl.h"

enum { LIMIT_ORDERS = 4 }; /* eta^-2 to eta^1 */

typedef struct {
    bool unique;                               /* orders -2 to 0 are determined */
    rational order[LIMIT_ORDERS][LIMIT_WIDTH]; /* coefficients, lowest first */
} limit_step;

/* One law at one order: A0 for a step of h, a storage being a resistance there, and A1 on the order before. */
static inline void limit_step_row(const limit_net *n, const limit_laws *l, int row, int order, rational h) {
    rational_system *s = &limit_system;
    int node = l->storage[row], block = order * l->columns;
    rational_row(s);
    for (int k = 0; k < l->columns && order > 0; k++)
        if (l->a1[row][k].up != 0) rational_term(s, block - l->columns + k, l->a1[row][k]);
    for (int k = 0; k < l->columns && node < 0; k++)
        if (l->a0[row][k].up != 0) rational_term(s, block + k, l->a0[row][k]);
    rational right = rational_number(0), power = rational_number(1);
    if (node >= 0) {
        rational per = rational_invert(n->nodes[node].value);
        rational_term(s, block + limit_co_energy(n, node), rational_number(1));
        rational_term(s, block + limit_input(n, node), rational_negate(rational_multiply(h, per)));
        right = rational_multiply(n->nodes[node].x, per);
    }
    for (int i = 0; i < 3 && node < 0; i++) {
        right = rational_add(right, rational_multiply(power, l->b[i][row]));
        power = rational_divide(rational_multiply(power, h), rational_number(i + 1));
    }
    if (order == 2) rational_term(s, s->columns, right);
}

static inline void limit_step_of(const limit_net *n, rational h, limit_step *answer) {
    static limit_laws laws;
    limit_build(&laws, n);
    int width = laws.columns;
    rational_begin(&limit_system, LIMIT_ORDERS * width);
    for (int order = 0; order < LIMIT_ORDERS; order++)
        for (int row = 0; row < laws.rows; row++) limit_step_row(n, &laws, row, order, h);
    rational_solve(&limit_system);
    answer->unique = laws.rows == laws.columns && limit_system.consistent;
    for (int k = 0; k < 3 * width; k++) {
        answer->unique &= limit_system.determined[k];
        answer->order[k / width][k % width] = limit_system.value[k];
    }
}

/* One variable by both ways, from three steps of h, h/2 and h/4. */
static inline bool limit_step_agrees(const limit_step *steps, const limit_values *v, int k, double h) {
    double area[3];
    rational pole = v->unb[0][k], step = rational_of(1, (wide)(1 / h));
    pole = rational_add(pole, rational_multiply(step, v->unb[1][k]));
    step = rational_divide(rational_multiply(step, step), rational_number(2));
    pole = rational_add(pole, rational_multiply(step, v->unb[2][k]));
    for (int i = 0; i < 3; i++) // area + h·fin + O(h²), each
        area[i] = h / (1 << i) * rational_to_double(steps[i].order[2][k]);
    double fin = 2 * (area[1] - area[2]) / (h / 4) - (area[0] - area[1]) / (h / 2);
    double limit = (8 * area[2] - 6 * area[1] + area[0]) / 3;
    double scale = 1 + fabs(rational_to_double(v->fin[k])) + fabs(rational_to_double(v->area[k]));
    return steps[0].order[0][k].up == 0 && rational_equal(steps[0].order[1][k], pole) &&
           fabs(limit - rational_to_double(v->area[k])) <= 1e-3 * scale &&
           fabs(fin - rational_to_double(v->fin[k])) <= 1e-2 * scale;
}

/* Where the two ways differ; NULL: they agree, or a fraction did not fit. */
static inline const char *limit_step_differs(const limit_net *n, const limit_values *v) {
    static limit_step steps[3];
    static char text[120];
    int per = 4096;
    for (int i = 0; i < 3; i++) {
        limit_step_of(n, rational_of(1, per << i), &steps[i]);
        if (rational_overflow) return NULL;
        if (!steps[i].unique) return "the step has no unique solution";
    }
    for (int k = 0; k < 2 * n->bond_count; k++) {
        if (limit_step_agrees(steps, v, k, 1.0 / per)) continue;
        snprintf(text, sizeof text, "b%d.%c: pole %g, then %g; not %g, area %g, finite %g", k / 2,
                 k % 2 ? 'f' : 'e', rational_to_double(steps[0].order[1][k]),
                 rational_to_double(steps[0].order[2][k]), rational_to_double(v->unb[0][k]),
                 rational_to_double(v->area[k]), rational_to_double(v->fin[k]));
        return text;
    }
    return NULL;
}

#endif
