/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a matrix is positive definite, which the matrix of a storage has to be: any other one would hold
 * negative energy for some efforts or flows. Of a resistive field the symmetric part decides the power, which
 * must not be negative. Ports may have different units, so rows and columns are scaled to a diagonal of ones
 * first. */
#include <math.h>

#include "model/model_impl.h"
#include "rt/bands.h"

/* The symmetric part, scaled; a diagonal that is not positive stays as it is. */
static void scale(double *m, int32_t n) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < i; k++) m[i * n + k] = m[k * n + i] = m[i * n + k] / 2 + m[k * n + i] / 2;
    for (int32_t i = 0; i < n; i++) {
        double own = m[i * n + i];
        if (!(own > 0)) continue;
        double root = sqrt(own);
        for (int32_t k = 0; k < n; k++) {
            m[i * n + k] /= root;
            m[k * n + i] /= root;
        }
        m[i * n + i] = 1;
    }
}

static void swap(double *m, int32_t n, int32_t a, int32_t b) {
    if (a == b) return;
    for (int32_t k = 0; k < n; k++) {
        double kept = m[a * n + k];
        m[a * n + k] = m[b * n + k];
        m[b * n + k] = kept;
    }
    for (int32_t k = 0; k < n; k++) {
        double kept = m[k * n + a];
        m[k * n + a] = m[k * n + b];
        m[k * n + b] = kept;
    }
}

/* What is left when the largest pivot is not positive: any entry beside it makes the rest indefinite. */
static double rest(const double *m, int32_t n, int32_t from) {
    double least = 0;
    for (int32_t i = from; i < n; i++)
        for (int32_t k = from; k < n; k++) least = fmin(least, i == k ? m[i * n + k] : -fabs(m[i * n + k]));
    return least < -HBG_RT_DEFINITE * n ? least : 0;
}

double hbg_model_matrix_least(double *m, int32_t n) {
    double least = INFINITY;
    for (int32_t i = 0; i < n * n; i++)
        if (!isfinite(m[i])) return NAN;
    scale(m, n);
    for (int32_t p = 0; p < n; p++) {
        int32_t largest = p;
        for (int32_t i = p + 1; i < n; i++)
            if (m[i * n + i] > m[largest * n + largest]) largest = i;
        swap(m, n, p, largest);
        double pivot = m[p * n + p];
        if (!(pivot > HBG_RT_DEFINITE * n)) return rest(m, n, p);
        least = fmin(least, pivot);
        for (int32_t i = p + 1; i < n; i++)
            for (int32_t k = p + 1; k < n; k++) m[i * n + k] -= m[i * n + p] / pivot * m[p * n + k];
    }
    return least;
}

bool hbg_model_matrix_asymmetry(const double *m, int32_t n, int32_t *row, int32_t *column) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < i; k++) {
            double a = m[i * n + k], b = m[k * n + i];
            *row = i;
            *column = k;
            if (fabs(a - b) > HBG_RT_MEANT * fmax(fabs(a), fabs(b))) return true;
        }
    return false;
}

/* Entries alone, or two by two, explain most cases. */
bool hbg_model_matrix_culprit(const double *m, int32_t n, int32_t *row, int32_t *column, double *limit) {
    for (int32_t i = 0; i < n; i++) {
        *row = *column = i;
        *limit = 0;
        if (!(m[i * n + i] > 0)) return true;
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = i + 1; k < n; k++) {
            *row = i;
            *column = k;
            *limit = sqrt(m[i * n + i]) * sqrt(m[k * n + k]);
            if (!(fabs(m[i * n + k] / 2 + m[k * n + i] / 2) < *limit)) return true;
        }
    return false;
}
