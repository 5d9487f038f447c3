/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Frequency response of a linear system: A is balanced and brought to Hessenberg form once (LAPACK), so that
 * each frequency costs n² operations (Laub 1981). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "sim/sim_impl.h"

typedef struct {
    int32_t n;
    double *h;                  /* Hessenberg, by columns */
    double *b, *c;              /* in its coordinates */
    double complex *matrix, *z; /* jω − H by rows, and the solution */
} response;

static double *copy_transposed(hbg_arena *arena, const double *matrix, int32_t n) {
    double *copy = HBG_NEW_ARRAY(arena, double, (size_t)n *n + 1);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) copy[(size_t)j * n + i] = matrix[(size_t)i * n + j];
    return copy;
}

/* A = S·Q·H·Qᵀ·S⁻¹ with S diagonal: b becomes Qᵀ·S⁻¹·b, c becomes c·S·Q. */
static bool reduce(hbg_arena *arena, response *r) {
    lapack_int n = r->n, low = 1, high = n;
    double *scale = HBG_NEW_ARRAY(arena, double, n), *tau = HBG_NEW_ARRAY(arena, double, n), wanted = 0;
    if (LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'S', n, r->h, n, &low, &high, scale) != 0) return false;
    for (int32_t i = 0; i < n; i++) {
        r->b[i] /= scale[i];
        r->c[i] *= scale[i];
    }
    if (LAPACKE_dgehrd_work(LAPACK_COL_MAJOR, n, low, high, r->h, n, tau, &wanted, -1) != 0) return false;
    lapack_int size = (lapack_int)fmax(wanted, n);
    double *work = HBG_NEW_ARRAY(arena, double, size);
    if (LAPACKE_dgehrd_work(LAPACK_COL_MAJOR, n, low, high, r->h, n, tau, work, size) != 0) return false;
    bool fine = LAPACKE_dormhr_work(LAPACK_COL_MAJOR, 'L', 'T', n, 1, low, high, r->h, n, tau, r->b, n, work,
                                    size) == 0;
    fine = fine && LAPACKE_dormhr_work(LAPACK_COL_MAJOR, 'R', 'N', 1, n, low, high, r->h, n, tau, r->c, 1,
                                       work, size) == 0;
    for (int32_t j = 0; j < n; j++) // below the subdiagonal are the reflectors
        for (int32_t i = j + 2; i < n; i++) r->h[(size_t)j * n + i] = 0;
    return fine;
}

static void swap(double complex *a, double complex *b) {
    double complex kept = *a;
    *a = *b;
    *b = kept;
}

/* One entry below the diagonal to remove in each column, with the larger of two rows as the pivot. */
static double complex solve(const response *r, double omega) {
    int32_t n = r->n;
    double complex *m = r->matrix, *z = r->z, sum = 0;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) m[(size_t)i * n + j] = -r->h[(size_t)j * n + i];
        m[(size_t)i * n + i] += I * omega;
        z[i] = r->b[i];
    }
    for (int32_t k = 0; k + 1 < n; k++) {
        double complex *top = m + (size_t)k * n, *below = top + n;
        if (cabs(below[k]) > cabs(top[k])) {
            for (int32_t j = k; j < n; j++) swap(&top[j], &below[j]);
            swap(&z[k], &z[k + 1]);
        }
        if (below[k] == 0) continue;
        double complex factor = below[k] / top[k];
        for (int32_t j = k; j < n; j++) below[j] -= factor * top[j];
        z[k + 1] -= factor * z[k];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++) z[i] -= m[(size_t)i * n + j] * z[j];
        if (m[(size_t)i * n + i] == 0) return NAN;
        z[i] /= m[(size_t)i * n + i];
        sum += r->c[i] * z[i];
    }
    return sum;
}

bool hbg_sim_frequency_response(hbg_arena *arena, const hbg_sim_linear *linear, int32_t knob, int32_t output,
                                const double *omega, int32_t count, double *real, double *imaginary) {
    int32_t n = linear->state_count;
    response r = {.n = n};
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        if (!isfinite(linear->a[i])) return false;
    r.h = copy_transposed(arena, linear->a, n);
    r.b = HBG_NEW_ARRAY(arena, double, n + 1);
    r.c = HBG_NEW_ARRAY(arena, double, n + 1);
    r.matrix = HBG_NEW_ARRAY(arena, double complex, (size_t)n *n + 1);
    r.z = HBG_NEW_ARRAY(arena, double complex, n + 1);
    for (int32_t i = 0; i < n; i++) {
        r.b[i] = linear->b[(size_t)i * linear->knob_count + knob];
        r.c[i] = linear->c[(size_t)output * n + i];
    }
    if (n > 0 && !reduce(arena, &r)) return false;
    for (int32_t i = 0; i < count; i++) {
        double complex value = solve(&r, omega[i]) + linear->d[(size_t)output * linear->knob_count + knob];
        real[i] = creal(value);
        imaginary[i] = cimag(value);
    }
    return true;
}
