/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many steps of a fixed-step method in one go. Where a step begins the guards are looked at; automata that can move without a
 * search move (hbg_rt_system.look), so that a mode change costs no more than the look. The stride ends where a search
 * is needed. A system that has code of its own for all this does it itself, to the same bits. */
#include <math.h>
#include <string.h>

#include "rt/rt_impl.h"

static bool is_finite(int32_t n, const double *x) {
    for (int32_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* What a curve through the step needs. */
static bool take_ends(hbg_rt_stride *stride, double t_end, const double *rates) {
    const hbg_rt_stepper *stepper = stride->stepper;
    size_t size = (size_t)stepper->system->state_count * sizeof *rates;
    if (stepper->system->rates(stepper->instance, t_end, stepper->scratch, stride->dx1) != HBG_RT_OK)
        return false;
    memcpy(stride->x0, stride->x, size);
    memcpy(stride->dx0, rates, size);
    return is_finite(stepper->system->state_count, stride->dx1);
}

/* A step from where the stride stands. A failure leaves it there: who steps again gets to know why. */
static bool advance(hbg_rt_stride *stride, double t, double t_end, double *rates) {
    const hbg_rt_stepper *stepper = stride->stepper;
    const hbg_rt_system *system = stepper->system;
    int32_t n = system->state_count;
    hbg_rt_status status = system->rates(stepper->instance, t, stride->x, rates);
    if (status == HBG_RT_OK) status = hbg_rt_explicit_stages(stepper, t, t_end, stride->x, rates);
    bool books = stride->work && stepper->work;
    if (status != HBG_RT_OK || !is_finite(n, stepper->scratch)) return false;
    if (books && !is_finite(system->power_count, stepper->work)) return false;
    bool last = stride->done + 1 == stride->count;
    if (stride->x0 && last && !take_ends(stride, t_end, rates)) return false;
    memcpy(stride->x, stepper->scratch, (size_t)n * sizeof *stride->x);
    for (int32_t k = 0; k < system->power_count && books; k++) stride->work[k] += stepper->work[k];
    return true;
}

static hbg_rt_status look_at_guards(hbg_rt_stride *stride, double t, bool *goes_on) {
    const hbg_rt_stepper *stepper = stride->stepper;
    hbg_rt_look look = {.states = stride->states};
    *goes_on = true;
    if (!stepper->system->has_events) return HBG_RT_OK;
    hbg_rt_status status = stepper->system->look(stepper->instance, t, stride->x, &look);
    if (status != HBG_RT_OK) return status;
    *goes_on = look.end != HBG_RT_LOOK_SEARCH;
    stride->commits += look.end == HBG_RT_LOOK_MOVED;
    stride->moves += look.moves;
    return HBG_RT_OK;
}

size_t hbg_rt_stride_scratch(const hbg_rt_stepper *stepper) {
    return (size_t)stepper->system->state_count;
}

hbg_rt_status hbg_rt_stride_run(hbg_rt_stride *stride) {
    const hbg_rt_stepper *stepper = stride->stepper;
    double *rates = stepper->scratch + hbg_rt_step_scratch(stepper);
    hbg_rt_status status = HBG_RT_OK;
    stride->done = stride->commits = stride->moves = 0;
    stride->end = HBG_RT_STRIDE_DONE;
    for (int32_t k = 0; k < stepper->system->power_count && stride->work; k++) stride->work[k] = 0;
    if (stepper->system->stride && stepper->system->stride(stepper->instance, stride, &status)) return status;
    for (; stride->done < stride->count; stride->done++) {
        double number = stride->first + (double)stride->done;
        double t = number * stride->step, t_end = (number + 1) * stride->step;
        bool goes_on = true;
        if (stride->done > 0 || !stride->looked) status = look_at_guards(stride, t, &goes_on);
        if (status != HBG_RT_OK) return status;
        if (!goes_on) stride->end = HBG_RT_STRIDE_SEARCH;
        if (goes_on && !advance(stride, t, t_end, rates)) stride->end = HBG_RT_STRIDE_FAILED;
        if (stride->end != HBG_RT_STRIDE_DONE) return HBG_RT_OK;
    }
    return HBG_RT_OK;
}
