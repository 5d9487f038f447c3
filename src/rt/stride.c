/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many steps of a fixed-step method in one call. At the beginning of each step the guards are evaluated;
 * automata that can move without a search move (hbg_rt_look_at_guards), so that a mode change costs no more
 * than the look. The stride ends where a search is needed. Outputs that are needed at known times, or at the
 * end of every step, are taken along the way. A system with compiled code for all this does it itself, to the
 * same bits. */
#include <math.h>
#include <string.h>

#include "rt/rt_impl.h"

static bool is_finite(int32_t n, const double *x) {
    for (int32_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* ---- outputs ------------------------------------------------------------------------------------------ */

void hbg_rt_curve_at(const hbg_rt_curve *curve, int32_t count, double t, double *x) {
    double h = curve->end - curve->begin, s = h > 0 ? (t - curve->begin) / h : 0;
    double a = (1 + 2 * s) * (1 - s) * (1 - s), b = s * s * (3 - 2 * s);
    double c = h * s * (1 - s) * (1 - s), d = h * s * s * (s - 1);
    bool at_end = t == curve->end;
    for (int32_t i = 0; i < count; i++)
        x[i] = at_end ? curve->x1[i]
                      : a * curve->x0[i] + b * curve->x1[i] + c * curve->dx0[i] + d * curve->dx1[i];
}

void hbg_rt_extent_step(const hbg_rt_extent *extent, double width, const double *outputs) {
    for (int32_t i = 0; i < extent->count; i++) {
        extent->area[i] += width * (extent->last[i] + outputs[i]) / 2;
        extent->low[i] = outputs[i] < extent->low[i] ? outputs[i] : extent->low[i];
        extent->high[i] = outputs[i] > extent->high[i] ? outputs[i] : extent->high[i];
        extent->last[i] = outputs[i];
    }
}

static bool outputs_at(const hbg_rt_stride *stride, double t, const double *x, double *outputs) {
    const hbg_rt_stepper *stepper = stride->stepper;
    if (stepper->system->output_count == 0) return true;
    return hbg_rt_outputs(stepper->instance, t, x, outputs) == HBG_RT_OK &&
           is_finite(stepper->system->output_count, outputs);
}

/* Rows of the step just made that have not been taken yet. */
static bool draw(const hbg_rt_stride *stride, hbg_rt_curve curve, int32_t *row) {
    const hbg_rt_stepper *stepper = stride->stepper;
    int32_t n = stepper->system->state_count;
    double *rates = stepper->scratch + hbg_rt_step_scratch(stepper) + n, *place = rates + n;
    if (*row >= stride->row_count || stride->rows[*row].step != stride->done) return true;
    bool inside = stride->rows[*row].time != curve.end; // these rates are needed for nothing else
    if (inside && hbg_rt_rates(stepper->instance, curve.end, curve.x1, rates) != HBG_RT_OK) return false;
    if (inside && !is_finite(n, rates)) return false;
    curve.dx1 = rates;
    for (; *row < stride->row_count && stride->rows[*row].step == stride->done; ++*row) {
        double t = stride->rows[*row].time;
        double *outputs = stride->outputs + (size_t)*row * (size_t)stepper->system->output_count;
        hbg_rt_curve_at(&curve, n, t, place);
        if (!outputs_at(stride, t, place, outputs)) return false;
    }
    return true;
}

/* ---- steps -------------------------------------------------------------------------------------------- */

/* A step from the present point. After a failure the stride is still there: single steps find the reason. */
static bool advance(hbg_rt_stride *stride, double t, double t_end, double *rates) {
    const hbg_rt_stepper *stepper = stride->stepper;
    const hbg_rt_description *system = stepper->system;
    const hbg_rt_extent *extent = stride->extent;
    int32_t n = system->state_count, row = stride->row_done;
    double *end = stepper->scratch, *outputs = rates + 3 * (size_t)n;
    hbg_rt_status status = hbg_rt_rates(stepper->instance, t, stride->x, rates);
    if (status == HBG_RT_OK) status = hbg_rt_explicit_stages(stepper, t, t_end, stride->x, rates);
    bool books = stride->work && stepper->work;
    if (status != HBG_RT_OK || !is_finite(n, end)) return false;
    if (books && !is_finite(system->power_count, stepper->work)) return false;
    if (extent && !outputs_at(stride, t_end, end, outputs)) return false;
    if (!draw(stride, (hbg_rt_curve){t, t_end, stride->x, rates, end, NULL}, &row)) return false;
    stride->row_done = row;
    if (extent) hbg_rt_extent_step(extent, t_end - t, outputs);
    memcpy(stride->x, end, (size_t)n * sizeof *stride->x);
    for (int32_t k = 0; k < system->power_count && books; k++) stride->work[k] += stepper->work[k];
    return true;
}

static hbg_rt_status look_at_guards(hbg_rt_stride *stride, double t, bool *goes_on) {
    const hbg_rt_stepper *stepper = stride->stepper;
    hbg_rt_look look = {.states = stride->states};
    *goes_on = true;
    if (!stepper->system->has_events) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_look_at_guards(stepper->instance, t, stride->x, &look);
    if (status != HBG_RT_OK) return status;
    *goes_on = look.end != HBG_RT_LOOK_SEARCH;
    stride->commits += look.end == HBG_RT_LOOK_MOVED;
    stride->moves += look.moves;
    return HBG_RT_OK;
}

/* Rates at both ends, a state between them, outputs. */
size_t hbg_rt_stride_scratch(const hbg_rt_stepper *stepper) {
    return 3 * (size_t)stepper->system->state_count + (size_t)stepper->system->output_count;
}

/* One step, with the look before it. */
static hbg_rt_status go_on(hbg_rt_stride *stride) {
    const hbg_rt_stepper *stepper = stride->stepper;
    double *rates = stepper->scratch + hbg_rt_step_scratch(stepper);
    double number = stride->first + (double)stride->done;
    double t = hbg_rt_grid_time(&stride->grid, number), t_end = hbg_rt_grid_time(&stride->grid, number + 1);
    bool goes_on = true;
    hbg_rt_status status = HBG_RT_OK;
    if (stride->done > 0 || !stride->looked) status = look_at_guards(stride, t, &goes_on);
    if (status != HBG_RT_OK) return status;
    if (!goes_on) stride->end = HBG_RT_STRIDE_SEARCH;
    if (goes_on && !advance(stride, t, t_end, rates)) stride->end = HBG_RT_STRIDE_FAILED;
    stride->done += stride->end == HBG_RT_STRIDE_DONE;
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_stride_run(hbg_rt_stride *stride) {
    const hbg_rt_stepper *stepper = stride->stepper;
    hbg_rt_status status = HBG_RT_OK;
    stride->done = stride->commits = stride->moves = 0;
    stride->row_done = 0;
    stride->end = HBG_RT_STRIDE_DONE;
    while (status == HBG_RT_OK && stride->end == HBG_RT_STRIDE_DONE && stride->done < stride->count) {
        if (hbg_rt_stride_compiled(stepper->instance, stride, &status)) continue;
        status = go_on(stride);
    }
    return status;
}
