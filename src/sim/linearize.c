/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linearization around a point. A is the exact Jacobian of the rates, without the rows and columns of
 * dependent storages: those follow the others. Inputs, parameters and outputs have no tangents in a system;
 * their columns are central differences, each with two widths whose results have to agree; the widths shrink
 * until they do. */
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

typedef struct {
    hbg_arena *arena;
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    double t;
    const double *x;
    double *y;           /* a state nearby */
    double *rates, *out; /* at it */
    hbg_sim_linear *linear;
} linearizer;

/* ---- independent states ------------------------------------------------------------------------------- */

/* Every state is displaced; a state that settling restores is dependent. */
static hbg_rt_status find_independent(linearizer *at) {
    int32_t n = at->system->state_count;
    for (int32_t i = 0; i < n; i++)
        at->y[i] =
            at->x[i] + (HBG_RT_PUSH + HBG_RT_PUSH_MORE * (i % 97)) * fmax(fabs(at->x[i]), HBG_RT_PUSH_LEAST);
    memcpy(at->rates, at->y, (size_t)n * sizeof *at->y);
    hbg_rt_status status = hbg_rt_settle(at->instance, at->t, at->y);
    if (status != HBG_RT_OK) return status;
    at->linear->states = HBG_NEW_ARRAY(at->arena, int32_t, n + 1);
    for (int32_t i = 0; i < n; i++)
        if (at->y[i] == at->rates[i]) at->linear->states[at->linear->state_count++] = i;
    return HBG_RT_OK;
}

/* ---- A ------------------------------------------------------------------------------------------------ */

static hbg_rt_status fill_a(linearizer *at) {
    hbg_sim_linear *linear = at->linear;
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(at->instance);
    int32_t n = linear->state_count, all = at->system->state_count;
    if (pattern.count < 0) return HBG_RT_NO_MEMORY;
    double *values = HBG_NEW_ARRAY(at->arena, double, all > 0 ? pattern.start[all] + 1 : 1);
    int32_t *row = HBG_NEW_ARRAY(at->arena, int32_t, all + 1);
    for (int32_t i = 0; i < all; i++) row[i] = -1;
    for (int32_t i = 0; i < n; i++) row[linear->states[i]] = i;
    hbg_rt_status status = all > 0 ? hbg_rt_jacobian(at->instance, at->t, at->x, values) : HBG_RT_OK;
    if (status != HBG_RT_OK) return status;
    for (int32_t j = 0; j < n; j++) {
        int32_t column = linear->states[j];
        for (int32_t k = pattern.start[column]; k < pattern.start[column + 1]; k++)
            if (row[pattern.row[k]] >= 0) linear->a[(size_t)row[pattern.row[k]] * n + j] = values[k];
    }
    return HBG_RT_OK;
}

/* ---- columns by differences --------------------------------------------------------------------------- */

/* The variable that is varied: a state (by its index among the independent ones), or a knob. */
typedef struct {
    int32_t state;
    const hbg_sim_knob *knob; /* NULL: the state */
    double origin;
} mover;

static hbg_rt_status move(linearizer *at, const mover *what, double value) {
    memcpy(at->y, at->x, (size_t)at->system->state_count * sizeof *at->y);
    if (!what->knob) {
        at->y[what->state] = value;
        return HBG_RT_OK;
    }
    return what->knob->is_param ? hbg_rt_set_param(at->instance, what->knob->index, value)
                                : hbg_rt_set_input(at->instance, what->knob->index, value);
}

/* Rates of the independent states, then outputs, with one variable varied. */
static hbg_rt_status evaluate(linearizer *at, const mover *what, double value, double *result) {
    const hbg_sim_linear *linear = at->linear;
    hbg_rt_status status = move(at, what, value);
    if (status == HBG_RT_OK) status = hbg_rt_settle(at->instance, at->t, at->y);
    if (status == HBG_RT_OK) status = hbg_rt_rates(at->instance, at->t, at->y, at->rates);
    if (status == HBG_RT_OK && linear->output_count > 0)
        status = hbg_rt_outputs(at->instance, at->t, at->y, at->out);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < linear->state_count; i++) result[i] = at->rates[linear->states[i]];
    for (int32_t i = 0; i < linear->output_count; i++) result[linear->state_count + i] = at->out[i];
    return HBG_RT_OK;
}

static hbg_rt_status difference(linearizer *at, const mover *what, double width, double *work,
                                double *column) {
    int32_t count = at->linear->state_count + at->linear->output_count;
    double low = what->origin - width, high = what->origin + width;
    hbg_rt_status status = evaluate(at, what, high, column);
    if (status == HBG_RT_OK) status = evaluate(at, what, low, work);
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++) {
        column[i] = (column[i] - work[i]) / (high - low);
        if (!isfinite(column[i])) status = HBG_RT_NOT_FINITE;
    }
    return status;
}

static double disagreement(const double *a, const double *b, int32_t count) {
    double worst = 0;
    for (int32_t i = 0; i < count; i++) {
        double size = fmax(fabs(a[i]), fabs(b[i]));
        if (size > 0) worst = fmax(worst, fabs(a[i] - b[i]) / size);
    }
    return worst;
}

enum { TRIALS = 9 };

/* The column at the widths that agree best: a power of two of the present value, or from 1 downwards. */
static hbg_rt_status find_column(linearizer *at, const mover *what, double *column) {
    int32_t count = at->linear->state_count + at->linear->output_count;
    double *wide = HBG_NEW_ARRAY(at->arena, double, count + 1),
           *narrow = HBG_NEW_ARRAY(at->arena, double, count + 1);
    double *work = HBG_NEW_ARRAY(at->arena, double, count + 1);
    double size = fabs(what->origin) > 0 ? fabs(what->origin) : 1, best = INFINITY;
    hbg_rt_status status = HBG_RT_OK;
    for (int trial = 0; trial < TRIALS && best > HBG_RT_AGREES; trial++) {
        double width = ldexp(exp2(round(log2(size))), -6 - 4 * trial);
        status = difference(at, what, width, work, wide);
        if (status == HBG_RT_OK) status = difference(at, what, width / 2, work, narrow);
        if (status != HBG_RT_OK) continue;
        double between = disagreement(wide, narrow, count);
        if (!(between < best)) continue;
        best = between;
        memcpy(column, narrow, (size_t)count * sizeof *column);
    }
    at->linear->error = isfinite(best) ? fmax(at->linear->error, best) : at->linear->error;
    hbg_rt_status restored = move(at, what, what->origin);
    return isfinite(best) ? restored : status;
}

static hbg_rt_status fill_columns(linearizer *at, const hbg_sim_knob *knobs) {
    hbg_sim_linear *linear = at->linear;
    int32_t n = linear->state_count, m = linear->knob_count;
    double *column = HBG_NEW_ARRAY(at->arena, double, n + linear->output_count + 1);
    for (int32_t j = 0; j < n && linear->output_count > 0; j++) {
        mover what = {linear->states[j], NULL, at->x[linear->states[j]]};
        hbg_rt_status status = find_column(at, &what, column);
        if (status != HBG_RT_OK) return status;
        for (int32_t i = 0; i < linear->output_count; i++) linear->c[(size_t)i * n + j] = column[n + i];
    }
    for (int32_t j = 0; j < m; j++) {
        mover what = {-1, &knobs[j], knobs[j].value};
        hbg_rt_status status = find_column(at, &what, column);
        if (status != HBG_RT_OK) return status;
        for (int32_t i = 0; i < n; i++) linear->b[(size_t)i * m + j] = column[i];
        for (int32_t i = 0; i < linear->output_count; i++) linear->d[(size_t)i * m + j] = column[n + i];
    }
    return HBG_RT_OK;
}

hbg_rt_status hbg_sim_linearize(hbg_arena *arena, const hbg_rt_description *system, hbg_rt_instance *instance,
                                double t, const double *x, const hbg_sim_knob *knobs, int32_t knob_count,
                                hbg_sim_linear *linear) {
    size_t all = (size_t)system->state_count, m = (size_t)knob_count, outputs = (size_t)system->output_count;
    linearizer at = {arena, system, instance, t, x, NULL, NULL, NULL, linear};
    *linear = (hbg_sim_linear){.knob_count = knob_count, .output_count = system->output_count};
    at.y = HBG_NEW_ARRAY(arena, double, all + 1);
    at.rates = HBG_NEW_ARRAY(arena, double, all + 1);
    at.out = HBG_NEW_ARRAY(arena, double, outputs + 1);
    hbg_rt_thaw(instance);
    hbg_rt_status status = find_independent(&at);
    if (status != HBG_RT_OK) return status;
    size_t n = (size_t)linear->state_count;
    linear->a = HBG_NEW_ARRAY(arena, double, n *n + 1);
    linear->b = HBG_NEW_ARRAY(arena, double, n *m + 1);
    linear->c = HBG_NEW_ARRAY(arena, double, outputs *n + 1);
    linear->d = HBG_NEW_ARRAY(arena, double, outputs *m + 1);
    status = fill_a(&at);
    return status == HBG_RT_OK ? fill_columns(&at, knobs) : status;
}
