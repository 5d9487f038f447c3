/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The trapezoidal rule: y = x + h/2·(f(t, x) + f(t_end, y)), solved for y by Newton's method with the exact
 * Jacobian. The factors are reused as long as the iteration contracts well; else the matrix is factored again
 * at the present iterate.
 *
 * It ends when a correction is below 1e-12 of each state's size (its value or its change in the step,
 * whichever is larger), or when corrections stagnate at the level of rounding. The rates at the accepted y
 * are those of the last residual, so a linear system costs two of them, one factorisation and two
 * solutions. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "rt/bands.h"
#include "rt/rt_impl.h"

enum { ITERATIONS = 40, STILL = 3 };

typedef struct {
    const hbg_rt_stepper *stepper;
    int32_t n;
    double t, t_end, h;
    const double *x, *dx; /* at the start */
    double *y, *dy;       /* at the end: iterate and its rates */
    double *correction;
    double *matrix, *values; /* dense: factors, Jacobian values */
    int32_t *pivot;
} step;

size_t hbg_rt_trapezoidal_scratch(const hbg_rt_stepper *stepper) {
    size_t n = (size_t)stepper->system->state_count;
    return stepper->linear != NULL ? 3 * n : 4 * n + 2 * n * n;
}

static void lay_out(step *s, double *scratch) {
    size_t n = (size_t)s->n;
    s->y = scratch;
    s->dy = s->y + n;
    s->correction = s->dy + n;
    if (s->stepper->linear != NULL) return;
    s->pivot = (int32_t *)(s->correction + n);
    s->matrix = s->correction + 2 * n;
    s->values = s->matrix + n * n;
}

/* I − h/2·J, from the sparse columns into dense rows, factored. */
static hbg_rt_status factor_dense(step *s) {
    const hbg_rt_stepper *stepper = s->stepper;
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(stepper->instance);
    hbg_rt_status status = hbg_rt_jacobian(stepper->instance, s->t_end, s->y, s->values);
    if (status != HBG_RT_OK) return status;
    size_t n = (size_t)s->n;
    memset(s->matrix, 0, n * n * sizeof *s->matrix);
    for (int32_t j = 0; j < s->n; j++) {
        for (int32_t k = pattern.start[j]; k < pattern.start[j + 1]; k++)
            s->matrix[(size_t)pattern.row[k] * n + (size_t)j] = -s->h / 2 * s->values[k];
        s->matrix[(size_t)j * n + (size_t)j] += 1;
    }
    return hbg_rt_lu_factor(s->n, s->matrix, s->pivot, NULL) ? HBG_RT_OK : HBG_RT_SINGULAR;
}

static hbg_rt_status factor(step *s) {
    const hbg_rt_linear *linear = s->stepper->linear;
    if (linear != NULL) return linear->factor(linear->context, s->t_end, s->y, s->h / 2);
    return factor_dense(s);
}

/* The rates at y and the correction from them. */
static hbg_rt_status correct(step *s) {
    const hbg_rt_linear *linear = s->stepper->linear;
    hbg_rt_status status = hbg_rt_rates(s->stepper->instance, s->t_end, s->y, s->dy);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < s->n; i++)
        s->correction[i] = s->x[i] - s->y[i] + s->h / 2 * (s->dx[i] + s->dy[i]);
    if (linear != NULL)
        linear->solve(linear->context, s->correction);
    else
        hbg_rt_lu_solve(s->n, s->matrix, s->pivot, s->correction);
    return HBG_RT_OK;
}

/* The largest correction relative to its state's size; `still`: whether a large one is rounding relative to
 * the largest state. */
static double measure(const step *s, bool *still) {
    double largest = 0, most = 0;
    for (int32_t i = 0; i < s->n; i++) most = fmax(most, fabs(s->y[i]));
    *still = true;
    for (int32_t i = 0; i < s->n; i++) {
        double size =
            fmax(fmax(fabs(s->x[i]), fabs(s->y[i])), fabs(s->h) * fmax(fabs(s->dx[i]), fabs(s->dy[i])));
        double change = fabs(s->correction[i]);
        if (!isfinite(change)) return INFINITY;
        if (change == 0) continue;
        double ratio = size > 0 ? change / size : 1;
        if (ratio > HBG_RT_NEWTON_STILL && change > HBG_RT_ROUNDING * most) *still = false;
        largest = fmax(largest, ratio);
    }
    return largest;
}

static hbg_rt_status iterate(step *s) {
    double before = INFINITY;
    int standing = 0; /* corrections in a row no smaller than the one before */
    for (int i = 0; i < ITERATIONS; i++) {
        hbg_rt_status status = correct(s);
        if (status != HBG_RT_OK) return status;
        bool still;
        double size = measure(s, &still);
        if (size <= HBG_RT_NEWTON) return HBG_RT_OK;
        if (size == INFINITY) return HBG_RT_NOT_FINITE;
        standing = size > 0.5 * before ? standing + 1 : 0;
        if (standing >= STILL && still) return HBG_RT_OK;
        for (int32_t k = 0; k < s->n; k++) s->y[k] += s->correction[k];
        if (size > 0.2 * before && (status = factor(s)) != HBG_RT_OK) return status;
        before = size;
    }
    return HBG_RT_NO_CONVERGENCE;
}

hbg_rt_status hbg_rt_trapezoidal_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x,
                                      double *dx) {
    step s = {.stepper = stepper,
              .n = stepper->system->state_count,
              .t = t,
              .t_end = t_end,
              .h = t_end - t,
              .x = x,
              .dx = dx};
    lay_out(&s, stepper->scratch);
    /* a stiff step is best started from its beginning: an explicit guess would be far off */
    memcpy(s.y, x, (size_t)s.n * sizeof *x);
    hbg_rt_status status = factor(&s);
    if (status == HBG_RT_OK) status = iterate(&s);
    if (status != HBG_RT_OK) return status;
    memcpy(x, s.y, (size_t)s.n * sizeof *x);
    memcpy(dx, s.dy, (size_t)s.n * sizeof *dx);
    return HBG_RT_OK;
}
