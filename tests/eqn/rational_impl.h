/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Exact fractions and systems of linear equations over them, for oracles that must not round. A fraction whose parts do not fit in 128 bits
 * sets rational_overflow: the caller looks at it before it believes an answer. */
#ifndef HBG_TESTS_EQN_RATIONAL_IMPL_H
#define HBG_TESTS_EQN_RATIONAL_IMPL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"

__extension__ typedef __int128 wide;

typedef struct {
    wide up, down; /* down > 0, no common factor */
} rational;

static bool rational_overflow;

/* ---- fractions ---------------------------------------------------------------------------------------- */

static inline wide wide_size(wide a) {
    return a < 0 ? -a : a;
}

/* a >= 0, b >= 0 */
static inline wide wide_gcd(wide a, wide b) {
    while (b != 0 && (a > INT64_MAX || b > INT64_MAX)) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    uint64_t x = (uint64_t)a, y = (uint64_t)b; // the rest in one word, which is much faster
    if (b == 0) return a;
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return (wide)x;
}

static inline wide wide_multiply(wide a, wide b) {
    wide product;
    rational_overflow |= __builtin_mul_overflow(a, b, &product);
    return product;
}

static inline wide wide_add(wide a, wide b) {
    wide sum;
    rational_overflow |= __builtin_add_overflow(a, b, &sum);
    return sum;
}

/* up/down, down > 0 */
static inline rational rational_of(wide up, wide down) {
    if (rational_overflow || up == 0) return (rational){0, 1};
    if (down == 1) return (rational){up, 1};
    wide common = wide_gcd(wide_size(up), down);
    return (rational){up / common, down / common};
}

static inline rational rational_number(int up) {
    return (rational){up, 1};
}

/* Common factors go first, so that nothing between is larger than it has to be. */
static inline rational rational_add(rational a, rational b) {
    if (a.up == 0) return b;
    if (b.up == 0) return a;
    wide common = a.down == 1 || b.down == 1 ? 1 : wide_gcd(a.down, b.down);
    wide rest = a.down / common, other = b.down / common;
    return rational_of(wide_add(wide_multiply(a.up, other), wide_multiply(b.up, rest)),
                       wide_multiply(rest, b.down));
}

static inline rational rational_multiply(rational a, rational b) {
    if (a.up == 0 || b.up == 0) return rational_number(0);
    wide first = b.down == 1 ? 1 : wide_gcd(wide_size(a.up), b.down);
    wide second = a.down == 1 ? 1 : wide_gcd(wide_size(b.up), a.down);
    rational product = {wide_multiply(a.up / first, b.up / second),
                        wide_multiply(a.down / second, b.down / first)};
    return rational_overflow ? rational_number(0) : product;
}

static inline rational rational_negate(rational a) {
    return (rational){-a.up, a.down};
}

static inline rational rational_subtract(rational a, rational b) {
    return rational_add(a, rational_negate(b));
}

static inline rational rational_invert(rational a) {
    HBG_ASSERT(a.up != 0);
    return a.up > 0 ? (rational){a.down, a.up} : (rational){-a.down, -a.up};
}

static inline rational rational_divide(rational a, rational b) {
    return rational_multiply(a, rational_invert(b));
}

static inline bool rational_is(rational a, int64_t up, int64_t down) {
    return a.up == up && a.down == down;
}

static inline bool rational_equal(rational a, rational b) {
    return a.up == b.up && a.down == b.down;
}

static inline double rational_to_double(rational a) {
    return (double)a.up / (double)a.down;
}

/* ---- linear equations --------------------------------------------------------------------------------- */

enum { RATIONAL_COLUMNS = 256, RATIONAL_ROWS = 288 };

/* Rows of coefficients with the right side behind them; what is not written is 0. */
typedef struct {
    int rows, columns;
    rational at[RATIONAL_ROWS][RATIONAL_COLUMNS + 1];
    /* of rational_solve */
    int pivot_row[RATIONAL_COLUMNS];   /* by column; -1: it is free */
    bool consistent;                   /* some solution exists */
    bool determined[RATIONAL_COLUMNS]; /* this unknown is the same in every solution */
    rational value[RATIONAL_COLUMNS];  /* of those, and of one solution */
} rational_system;

static inline void rational_begin(rational_system *s, int columns) {
    HBG_ASSERT(columns <= RATIONAL_COLUMNS);
    s->rows = 0;
    s->columns = columns;
}

static inline void rational_row(rational_system *s) {
    HBG_ASSERT(s->rows < RATIONAL_ROWS);
    for (int k = 0; k <= s->columns; k++) s->at[s->rows][k] = rational_number(0);
    s->rows++;
}

/* Adds to a coefficient of the last row; column `columns` is the right side. */
static inline void rational_term(rational_system *s, int column, rational value) {
    rational *at = &s->at[s->rows - 1][column];
    *at = rational_add(*at, value);
}

/* row -= factor·other, from a column on that is known to be 0 in both before */
static inline void rational_reduce(rational_system *s, int row, int other, rational factor) {
    for (int k = 0; k <= s->columns; k++)
        if (s->at[other][k].up != 0)
            s->at[row][k] = rational_subtract(s->at[row][k], rational_multiply(factor, s->at[other][k]));
}

/* The row, of those that are left, that is shortest where it is not 0 in the column: others stay short then. */
static inline int rational_pivot(const rational_system *s, int column, const bool *used) {
    int best = -1, least = 0;
    for (int i = 0; i < s->rows; i++) {
        int terms = 0;
        if (used[i] || s->at[i][column].up == 0) continue;
        for (int k = 0; k <= s->columns; k++) terms += s->at[i][k].up != 0;
        if (best < 0 || terms < least) {
            best = i;
            least = terms;
        }
    }
    return best;
}

/* Reduced row echelon form, by elimination of Gauss and Jordan. */
static inline void rational_solve(rational_system *s) {
    bool used[RATIONAL_ROWS] = {false};
    for (int k = 0; k < s->columns; k++) {
        int row = s->pivot_row[k] = rational_pivot(s, k, used);
        if (row < 0) continue;
        used[row] = true;
        rational scale = rational_invert(s->at[row][k]);
        for (int i = 0; i <= s->columns; i++) s->at[row][i] = rational_multiply(s->at[row][i], scale);
        for (int i = 0; i < s->rows && !rational_overflow; i++)
            if (i != row && s->at[i][k].up != 0) rational_reduce(s, i, row, s->at[i][k]);
    }
    s->consistent = true;
    for (int i = 0; i < s->rows; i++)
        if (!used[i] && s->at[i][s->columns].up != 0) s->consistent = false;
    for (int k = 0; k < s->columns; k++) {
        int row = s->pivot_row[k];
        s->determined[k] = row >= 0;
        s->value[k] = row >= 0 ? s->at[row][s->columns] : rational_number(0);
        for (int i = 0; i < s->columns && row >= 0; i++)
            if (s->pivot_row[i] < 0 && s->at[row][i].up != 0) s->determined[k] = false;
    }
}

/* Vectors that a solved system maps to 0, one for each free column; how many. */
static inline int rational_null(const rational_system *s, rational vectors[][RATIONAL_COLUMNS]) {
    int count = 0;
    for (int k = 0; k < s->columns; k++) {
        if (s->pivot_row[k] >= 0) continue;
        for (int i = 0; i < s->columns; i++)
            vectors[count][i] = s->pivot_row[i] >= 0 ? rational_negate(s->at[s->pivot_row[i]][k])
                                                     : rational_number(i == k ? 1 : 0);
        count++;
    }
    return count;
}

#endif
