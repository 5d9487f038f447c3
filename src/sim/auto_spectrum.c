/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How fast the linearized field moves: all eigenvalues of the exact Jacobian for up to 200 states, beyond
 * that those of its projection on a Krylov space (Arnoldi), whose outermost ones are close to the true ones.
 * The inner ones are not: the slowest decay is an outermost eigenvalue of the inverse, and is computed only
 * for messages that report it. States are scaled first so that rows and columns balance: otherwise the
 * projection would see only the largest unit. */
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

enum { DENSE = 200, KRYLOV = 40 };

typedef struct {
    hbg_rt_field *field;
    double *basis; /* KRYLOV + 1 vectors */
    double *hessenberg;
    double *scale;        /* of each state */
    int32_t *start, *row; /* the Jacobian without zeros, which fill most of a pattern for all modes */
    double *value;
    int32_t count;           /* of the vectors that could be made */
    hbg_sim_sparse *inverse; /* the factors to solve with; NULL: multiplied with the Jacobian itself */
} arnoldi;

/* Leaves out zeros, which changes no sum. */
static void compress(arnoldi *a, hbg_arena *arena) {
    const hbg_rt_jacobian_matrix *jacobian = &a->field->jacobian;
    int32_t count = 0;
    for (int32_t k = 0; k < jacobian->nonzeros; k++) count += jacobian->values[k] != 0;
    a->start = HBG_NEW_ARRAY(arena, int32_t, jacobian->n + 1);
    a->row = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    a->value = HBG_NEW_ARRAY(arena, double, count + 1);
    count = 0;
    for (int32_t j = 0; j < jacobian->n; j++) {
        for (int32_t k = jacobian->start[j]; k < jacobian->start[j + 1]; k++) {
            if (jacobian->values[k] == 0) continue;
            a->row[count] = jacobian->row[k];
            a->value[count++] = jacobian->values[k];
        }
        a->start[j + 1] = count;
    }
}

/* Scales that make the rows and columns of a matrix equally large (Osborne), in a few sweeps, ignoring the
 * diagonal. */
static void balance(arnoldi *a) {
    int32_t n = a->field->n;
    double *in = a->basis, *out = a->basis + n;
    for (int32_t i = 0; i < n; i++) a->scale[i] = 1;
    for (int sweep = 0; sweep < 12; sweep++) {
        memset(in, 0, 2 * (size_t)n * sizeof *in);
        for (int32_t j = 0; j < n; j++) {
            for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
                int32_t i = a->row[k];
                double entry = i == j ? 0 : fabs(a->value[k]) * a->scale[j] / a->scale[i];
                in[i] += entry;
                out[j] += entry;
            }
        }
        for (int32_t i = 0; i < n; i++)
            if (in[i] > 0 && out[i] > 0) a->scale[i] *= sqrt(sqrt(in[i] / out[i]));
    }
}

/* w = D⁻¹·J⁻¹·D·v */
static void solve(const arnoldi *a, const double *v, double *w) {
    for (int32_t i = 0; i < a->field->n; i++) w[i] = v[i] * a->scale[i];
    hbg_sim_sparse_solve(a->inverse, w);
    for (int32_t i = 0; i < a->field->n; i++) w[i] /= a->scale[i];
}

/* w = D⁻¹·J·D·v */
static void multiply(const arnoldi *a, const double *v, double *w) {
    const hbg_rt_jacobian_matrix *jacobian = &a->field->jacobian;
    if (a->inverse) {
        solve(a, v, w);
        return;
    }
    memset(w, 0, (size_t)jacobian->n * sizeof *w);
    for (int32_t j = 0; j < jacobian->n; j++) {
        double value = v[j] * a->scale[j];
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) w[a->row[k]] += a->value[k] * value;
    }
    for (int32_t i = 0; i < jacobian->n; i++) w[i] /= a->scale[i];
}

static double dot(int32_t n, const double *u, const double *v) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++) sum += u[i] * v[i];
    return sum;
}

static void start_vector(const arnoldi *a) {
    int32_t n = a->field->n;
    uint32_t random = 12345;
    for (int32_t i = 0; i < n; i++) {
        random = random * 1664525u + 1013904223u;
        a->basis[i] = (double)(random >> 8) / (1 << 24) - 0.5;
    }
    double length = sqrt(dot(n, a->basis, a->basis));
    for (int32_t i = 0; i < n; i++) a->basis[i] /= length;
}

/* Rows of the projection, by modified Gram–Schmidt. */
static void build(arnoldi *a) {
    int32_t n = a->field->n;
    start_vector(a);
    for (int32_t j = 0; j < KRYLOV; j++) {
        double *w = a->basis + (size_t)(j + 1) * n;
        multiply(a, a->basis + (size_t)j * n, w);
        double whole = sqrt(dot(n, w, w));
        for (int32_t i = 0; i <= j; i++) {
            const double *v = a->basis + (size_t)i * n;
            double share = dot(n, v, w);
            a->hessenberg[i * KRYLOV + j] = share;
            for (int32_t k = 0; k < n; k++) w[k] -= share * v[k];
        }
        a->count = j + 1;
        double length = sqrt(dot(n, w, w));
        if (!(length > HBG_RT_EIGEN * whole) || !isfinite(length) || j + 1 == KRYLOV) return;
        a->hessenberg[(j + 1) * KRYLOV + j] = length;
        for (int32_t k = 0; k < n; k++) w[k] /= length;
    }
}

/* The matrix for the eigenvalue problem, by rows; its size in *n. */
static double *projection(hbg_arena *arena, hbg_rt_field *field, hbg_sim_sparse *inverse, int32_t *n) {
    arnoldi a = {.field = field, .inverse = inverse};
    a.basis = HBG_NEW_ARRAY(arena, double, (size_t)(KRYLOV + 1) * (size_t)field->n);
    a.hessenberg = HBG_NEW_ARRAY(arena, double, KRYLOV *KRYLOV);
    a.scale = HBG_NEW_ARRAY(arena, double, field->n);
    compress(&a, arena);
    balance(&a);
    build(&a);
    hbg_base_arena_release(arena, a.basis, (size_t)(KRYLOV + 1) * (size_t)field->n * sizeof(double));
    for (int32_t i = 0; i < a.count; i++)
        memmove(a.hessenberg + (size_t)i * a.count, a.hessenberg + (size_t)i * KRYLOV,
                (size_t)a.count * sizeof(double));
    *n = a.count;
    return a.hessenberg;
}

static double *whole(hbg_arena *arena, const hbg_rt_field *field) {
    const hbg_rt_jacobian_matrix *jacobian = &field->jacobian;
    double *matrix = HBG_NEW_ARRAY(arena, double, (size_t)field->n *(size_t)field->n);
    for (int32_t j = 0; j < field->n; j++)
        for (int32_t k = jacobian->start[j]; k < jacobian->start[j + 1]; k++)
            matrix[(size_t)jacobian->row[k] * field->n + j] = jacobian->values[k];
    return matrix;
}

hbg_rt_status hbg_sim_spectrum_at(hbg_arena *arena, hbg_rt_field *field, double t, const double *x,
                                  hbg_sim_spectrum *spectrum) {
    *spectrum = (hbg_sim_spectrum){0};
    hbg_rt_status status = hbg_rt_jacobian_at(field, t, x, field->jacobian.values);
    if (status != HBG_RT_OK) return status;
    int32_t n = field->n;
    double *matrix = n <= DENSE ? whole(arena, field) : projection(arena, field, NULL, &n);
    double *real = HBG_NEW_ARRAY(arena, double, n), *imaginary = HBG_NEW_ARRAY(arena, double, n);
    if (!hbg_sim_eigenvalues(arena, n, matrix, real, imaginary)) return HBG_RT_OK;
    for (int32_t i = 0; i < n; i++) spectrum->fastest = fmax(spectrum->fastest, hypot(real[i], imaginary[i]));
    for (int32_t i = 0; i < n; i++) {
        double decay = -real[i];
        if (!(decay > HBG_RT_EIGEN * spectrum->fastest)) continue;
        spectrum->fastest_decay = fmax(spectrum->fastest_decay, decay);
        if (field->n > DENSE) continue; // only the outermost of a projection can be trusted
        bool first = spectrum->slowest_decay == 0;
        spectrum->slowest_decay = first ? decay : fmin(spectrum->slowest_decay, decay);
    }
    return HBG_RT_OK;
}

/* The slowest eigenvalue is the largest of the inverse. */
static double slowest_of(hbg_arena *arena, hbg_rt_field *field, hbg_sim_sparse *inverse, double fastest) {
    int32_t n;
    double slowest = 0;
    double *matrix = projection(arena, field, inverse, &n);
    double *real = HBG_NEW_ARRAY(arena, double, n), *imaginary = HBG_NEW_ARRAY(arena, double, n);
    if (!hbg_sim_eigenvalues(arena, n, matrix, real, imaginary)) return 0;
    for (int32_t i = 0; i < n; i++) {
        double size = hypot(real[i], imaginary[i]), decay = -real[i] / (size * size);
        if (!(decay > HBG_RT_EIGEN * fastest) || !isfinite(decay)) continue;
        slowest = slowest == 0 ? decay : fmin(slowest, decay);
    }
    return slowest;
}

double hbg_sim_spectrum_slowest(hbg_arena *arena, hbg_rt_field *field, double t, const double *x,
                                const hbg_sim_spectrum *spectrum) {
    if (field->n <= DENSE) return spectrum->slowest_decay;
    hbg_sim_sparse *inverse = hbg_sim_sparse_new(arena, field);
    if (!inverse) return 0;
    bool regular = hbg_sim_sparse_factor(inverse, t, x, 0, -1) == HBG_RT_OK;
    double slowest = regular ? slowest_of(arena, field, inverse, spectrum->fastest) : 0;
    hbg_sim_sparse_end(inverse);
    return slowest;
}
