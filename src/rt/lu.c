/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * LU factors of a small dense matrix by Gaussian elimination, matrix by rows. Pivots are chosen by their size
 * relative to the largest entry of their row, so that equations in volts and in microamperes compete fairly.
 *
 * Whether a pivot is more than rounding is judged by the terms subtracted from it: |a| against Σ |L_ij·U_jk|
 * in the same place. That test is insensitive to badly scaled columns, which mixed units produce. */
#include <math.h>

#include "rt/bands.h"
#include "rt/linear.h"

/* The index of the entry at (row, column); both count from 0. */
static inline size_t place(int32_t n, int32_t row, int32_t column) {
    return (size_t)row * (size_t)n + (size_t)column;
}

/* The exponents of the unused rows wait in pivot[k…n-1]: the array fills from the front. */
static void measure_rows(int32_t n, const double *matrix, int32_t *pivot) {
    for (int32_t i = 0; i < n; i++) {
        double largest = 0;
        for (int32_t j = 0; j < n; j++) largest = fmax(largest, fabs(matrix[place(n, i, j)]));
        int exponent = 0;
        (void)frexp(largest, &exponent);
        pivot[i] = exponent;
    }
}

/* Whether the entry at (row, k) is more than the rounding of an exact zero. */
static bool is_significant(int32_t n, const double *matrix, int32_t row, int32_t k) {
    double entry = fabs(matrix[place(n, row, k)]), terms = entry;
    for (int32_t j = 0; j < k; j++) terms += fabs(matrix[place(n, row, j)] * matrix[place(n, j, k)]);
    return isfinite(entry) && entry > HBG_RT_PIVOT_ROUNDING * n * terms * (k > 0);
}

/* The row from k on with the largest significant entry in column k, relative to its row; -1: none. */
static int32_t choose_pivot(int32_t n, const double *matrix, const int32_t *pivot, int32_t k) {
    int32_t best = -1;
    double best_size = 0;
    for (int32_t i = k; i < n; i++) {
        double size = ldexp(fabs(matrix[place(n, i, k)]), -pivot[i]);
        if (size > best_size && is_significant(n, matrix, i, k)) {
            best = i;
            best_size = size;
        }
    }
    return best;
}

static void swap_rows(int32_t n, double *matrix, int32_t a, int32_t b) {
    if (a == b) return;
    for (int32_t j = 0; j < n; j++) {
        double kept = matrix[place(n, a, j)];
        matrix[place(n, a, j)] = matrix[place(n, b, j)];
        matrix[place(n, b, j)] = kept;
    }
}

bool hbg_rt_lu_factor(int32_t n, double *matrix, int32_t *pivot, int32_t *column) {
    measure_rows(n, matrix, pivot);
    for (int32_t k = 0; k < n; k++) {
        int32_t chosen = choose_pivot(n, matrix, pivot, k);
        if (chosen < 0) {
            if (column != NULL) *column = k;
            return false;
        }
        swap_rows(n, matrix, k, chosen);
        pivot[chosen] = pivot[k];
        pivot[k] = chosen;
        const double *top = matrix + place(n, k, 0);
        for (int32_t i = k + 1; i < n; i++) {
            double *row = matrix + place(n, i, 0);
            if (row[k] == 0) continue;
            double factor = row[k] /= top[k];
            for (int32_t j = k + 1; j < n; j++) row[j] -= factor * top[j];
        }
    }
    return true;
}

void hbg_rt_lu_solve(int32_t n, const double *matrix, const int32_t *pivot, double *b) {
    for (int32_t i = 0; i < n; i++) {
        double kept = b[pivot[i]];
        b[pivot[i]] = b[i];
        b[i] = kept;
    }
    for (int32_t i = 1; i < n; i++) {
        const double *row = matrix + place(n, i, 0);
        double sum = b[i];
        for (int32_t j = 0; j < i; j++) sum -= row[j] * b[j];
        b[i] = sum;
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *row = matrix + place(n, i, 0);
        double sum = b[i];
        for (int32_t j = i + 1; j < n; j++) sum -= row[j] * b[j];
        b[i] = sum / row[i];
    }
}
