/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The solution of a clause: linearly implicit Euler steps, extrapolated, which suits stiff clauses as well. A
 * stretch on which that does not converge is halved. */
#include <math.h>
#include <string.h>

#include "verify/process_check_impl.h"

#define ROWS   8  /* of the extrapolation */
#define HALVES 14 /* of a stretch */

typedef struct {
    process_scope *scope;
    const hbg_process_clause *clause;
    int32_t count, *which;                                  /* variables that move, the time among them */
    double *values;                                         /* by variable */
    double *jacobian, *matrix, *rate, *moved, *start, *end; /* end: by row of the extrapolation */
    double share;
} flowing;

static bool find_rates(flowing *f, const double *x, double *rates) {
    for (int32_t i = 0; i < f->count; i++) f->values[f->which[i]] = x[i];
    hbg_verify_check_begin(f->scope, f->values, f->values);
    for (int32_t i = 0; i < f->count; i++) {
        rates[i] = hbg_verify_check_value(f->scope, f->clause->rates[f->which[i]]).value;
        if (!isfinite(rates[i])) return false;
    }
    return true;
}

static bool find_jacobian(flowing *f, const double *x) {
    double *there = f->moved;
    if (!find_rates(f, x, f->rate)) return false;
    for (int32_t k = 0; k < f->count; k++) {
        double step = 1e-7 * fmax(f->scope->sizes[f->which[k]], 1e-9);
        memcpy(there, x, (size_t)f->count * sizeof *x);
        there[k] += step;
        double *column = f->matrix;
        if (!find_rates(f, there, column)) return false;
        for (int32_t i = 0; i < f->count; i++)
            f->jacobian[i * f->count + k] = (column[i] - f->rate[i]) / step;
    }
    return true;
}

/* Solves (1 - h·J)·d = h·rate in place, with pivots. */
static bool solve(flowing *f, double h, double *d) {
    int32_t n = f->count;
    double *a = f->matrix;
    for (int32_t i = 0; i < n * n; i++) a[i] = (i % (n + 1) == 0) - h * f->jacobian[i];
    for (int32_t i = 0; i < n; i++) d[i] *= h;
    for (int32_t k = 0; k < n; k++) {
        int32_t pivot = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
        if (!(fabs(a[pivot * n + k]) > 0)) return false;
        for (int32_t m = 0; m < n && pivot != k; m++) {
            double other = a[k * n + m];
            a[k * n + m] = a[pivot * n + m];
            a[pivot * n + m] = other;
        }
        double right = d[k];
        d[k] = d[pivot];
        d[pivot] = right;
        for (int32_t i = k + 1; i < n; i++) {
            double by = a[i * n + k] / a[k * n + k];
            if (by == 0) continue;
            for (int32_t m = k; m < n; m++) a[i * n + m] -= by * a[k * n + m];
            d[i] -= by * d[k];
        }
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t m = i + 1; m < n; m++) d[i] -= a[i * n + m] * d[m];
        d[i] /= a[i * n + i];
    }
    return true;
}

/* Steps of equal length over the stretch. */
static bool go(flowing *f, double time, int steps, double *x) {
    memcpy(x, f->start, (size_t)f->count * sizeof *x);
    for (int i = 0; i < steps; i++) {
        if (!find_rates(f, x, f->rate) || !solve(f, time / steps, f->rate)) return false;
        for (int32_t k = 0; k < f->count; k++) x[k] += f->rate[k];
    }
    return true;
}

/* From start on; x becomes the end. False: it does not converge. */
static bool extrapolate(flowing *f, double time, double *x) {
    if (!find_jacobian(f, f->start)) return false;
    for (int row = 0; row < ROWS; row++) {
        double *own = f->end + row * f->count, worst = 0;
        if (!go(f, time, row + 1, own)) return false;
        // by Aitken and Neville, from the longest steps to the shortest: row k becomes its extrapolation with all below
        for (int k = row - 1; k >= 0; k--) {
            double *other = f->end + k * f->count;
            worst = 0;
            for (int32_t i = 0; i < f->count; i++) {
                double better = f->end[(k + 1) * f->count + i] +
                                (f->end[(k + 1) * f->count + i] - other[i]) * (k + 1) / (double)(row - k);
                worst = fmax(worst, fabs(better - other[i]) / fmax(f->scope->sizes[f->which[i]], 1e-300));
                other[i] = better;
            }
        }
        if (row < 2 || !(worst <= f->share)) continue;
        memcpy(x, f->end, (size_t)f->count * sizeof *x);
        return true;
    }
    return false;
}

static bool cross(flowing *f, double time, int halves, double *x) {
    memcpy(f->start, x, (size_t)f->count * sizeof *x);
    if (extrapolate(f, time, x)) return true;
    if (halves == 0) return false;
    return cross(f, time / 2, halves - 1, x) && cross(f, time / 2, halves - 1, x);
}

bool hbg_verify_check_flow(process_scope *scope, const hbg_process_clause *clause, double time, double share,
                           double *values) {
    hbg_arena *arena = scope->arena;
    int32_t count = scope->of->variables.count;
    flowing f = {.scope = scope, .clause = clause, .values = values, .share = share};
    f.which = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++)
        if (scope->of->variables.items[i].role != HBG_PROCESS_HIDDEN && clause->rates[i] != HBG_NONE)
            f.which[f.count++] = i;
    size_t square = (size_t)f.count * (size_t)f.count + (size_t)f.count;
    f.jacobian = HBG_NEW_ARRAY(arena, double, square + 1);
    f.matrix = HBG_NEW_ARRAY(arena, double, square + 1);
    f.rate = HBG_NEW_ARRAY(arena, double, f.count + 1);
    f.moved = HBG_NEW_ARRAY(arena, double, f.count + 1);
    f.start = HBG_NEW_ARRAY(arena, double, f.count + 1);
    f.end = HBG_NEW_ARRAY(arena, double, (size_t)ROWS *(size_t)f.count + 1);
    double *x = HBG_NEW_ARRAY(arena, double, f.count + 1);
    for (int32_t i = 0; i < f.count; i++) x[i] = values[f.which[i]];
    bool found = time <= 0 || cross(&f, time, HALVES, x);
    for (int32_t i = 0; i < f.count; i++) values[f.which[i]] = x[i];
    return found;
}
