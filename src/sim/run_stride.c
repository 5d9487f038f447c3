/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-step runs in long strides: between two planned instants, and up to the next row, steps are left to rt, which also
 * moves what needs no search. An instant that has to be searched, and the last step before a planned instant, are done one
 * by one, as in any run. Who wants the story of every instant, or a picture of every step, gets no strides. */
#include <math.h>
#include <string.h>

#include "sim/run_impl.h"

enum { LONGEST = 1 << 16 }; /* steps of a stride: between two looks at whether to go on */

void hbg_sim_stride_prepare(hbg_sim_engine *engine) {
    const hbg_sim_options *options = engine->options;
    const hbg_rt_system *system = engine->system;
    const hbg_rt_stepper *stepper = hbg_sim_fixed_method(engine->stepper);
    bool told = (options->event && !options->verdicts_only) || options->look ||
                (options->row && !(options->record_every > 0));
    bool calm = !system->has_events ||
                (system->look && system->keeps_outputs && system->keeps_outputs(engine->instance));
    engine->strides = stepper && calm && !told && system->state_count > 0;
    if (!engine->strides) return;
    engine->stride = (hbg_rt_stride){.stepper = stepper, .step = options->step};
    if (stepper->work) engine->stride.work = HBG_NEW_ARRAY(engine->arena, double, system->power_count);
}

/* How many of `count` steps from number `first` on end before the time, or there if `there`. */
static double steps_to(const hbg_sim_engine *engine, double first, double time, bool there) {
    double step = engine->options->step, most = floor(time / step) + 1 - first;
    double count = most < LONGEST ? most : LONGEST;
    while (count > 0) {
        double end = (first + count) * step;
        bool same = hbg_sim_same_instant(end, time);
        if (same ? there : end < time) break;
        count--;
    }
    return count;
}

/* Steps from number `first` on that end before the next planned instant. The next row is at the end of the last, or inside of it:
 * then that step is to be drawn through. */
static int64_t steps_ahead(const hbg_sim_engine *engine, double first, bool *drawn) {
    const hbg_sim_options *options = engine->options;
    double row = options->row ? engine->record_next * options->record_every : INFINITY;
    double to_limit = steps_to(engine, first, engine->limit, false);
    double to_row = options->row ? steps_to(engine, first, row, true) : LONGEST;
    bool inside = to_row < LONGEST && !hbg_sim_same_instant((first + to_row) * options->step, row);
    double count = to_limit < to_row + inside ? to_limit : to_row + inside;
    if (options->step_end && count > 1) count = 1; // every step is told
    double left = (double)(options->step_limit - engine->result->steps);
    if (options->step_limit > 0 && left < count) count = left;
    *drawn = inside && count == to_row + 1;
    return count > 0 ? (int64_t)count : 0;
}

/* What needed a closer look: an instant, if a relation has been crossed. */
static hbg_rt_status look_closely(hbg_sim_engine *engine) {
    hbg_sim_roots *roots = &engine->roots;
    hbg_rt_status status =
        hbg_sim_refused(engine, hbg_sim_roots_sample(roots, &engine->field, engine->t, engine->x));
    engine->unlooked = false;
    engine->crossed = status == HBG_RT_OK && roots->crossed_count > 0;
    if (!engine->crossed && status == HBG_RT_OK && engine->system->accept)
        status = hbg_sim_refused(engine, engine->system->accept(engine->instance, engine->t, engine->x));
    if (!engine->crossed) return status;
    engine->stale = engine->is_instant = true;
    engine->field.instants++;
    return hbg_sim_instant(engine);
}

/* Guards where a stride has ended: most looks need no search here either. */
static hbg_rt_status look_at_guards(hbg_sim_engine *engine) {
    hbg_rt_look look = {.states = engine->search.states};
    hbg_rt_status status =
        hbg_sim_refused(engine, engine->system->look(engine->instance, engine->t, engine->x, &look));
    if (status != HBG_RT_OK) return status;
    if (look.end == HBG_RT_LOOK_SEARCH) return look_closely(engine);
    engine->result->commits += look.end == HBG_RT_LOOK_MOVED;
    engine->result->crossings += look.moves;
    engine->stale = true;
    return HBG_RT_OK;
}

static void book(hbg_sim_engine *engine) {
    const hbg_rt_stride *stride = &engine->stride;
    hbg_sim_result *result = engine->result;
    engine->t = (stride->first + (double)stride->done) * stride->step;
    engine->stale = true;
    engine->is_instant = engine->crossed = false;
    result->steps += stride->done;
    result->commits += stride->commits;
    result->crossings += stride->moves;
    engine->field.rates += stride->done * hbg_sim_fixed_rates(stride->stepper->method);
    if (stride->work) hbg_sim_ledger_book(&engine->ledger, &engine->field, stride->work);
    hbg_sim_size_update(&engine->field, engine->x);
}

/* What stays to be done one step at a time begins with guards that have been looked at, and with rates of the mode. */
static hbg_rt_status hand_over(hbg_sim_engine *engine) {
    hbg_rt_status status = HBG_RT_OK;
    if (engine->unlooked && engine->system->has_events) status = look_at_guards(engine);
    if (status == HBG_RT_OK && engine->ends) return HBG_RT_VERDICT;
    if (status == HBG_RT_OK && engine->stale)
        status = engine->stepper->begin(engine->stepper, engine->t, engine->x);
    engine->stale = engine->unlooked = false;
    return status;
}

/* Rows inside of the last step. */
static hbg_rt_status draw_rows(hbg_sim_engine *engine) {
    engine->field.rates++;
    hbg_sim_fixed_take(engine->stepper, &engine->stride);
    return hbg_sim_record_inside(engine, engine->t);
}

hbg_rt_status hbg_sim_stride(hbg_sim_engine *engine, bool *strode) {
    hbg_rt_stride *stride = &engine->stride;
    bool written, drawn = false;
    *strode = false;
    if (!engine->strides) return HBG_RT_OK;
    stride->first = nearbyint(engine->t / stride->step);
    stride->count =
        stride->first * stride->step == engine->t ? steps_ahead(engine, stride->first, &drawn) : 0;
    if (stride->count == 0) return hand_over(engine);
    stride->x0 = stride->dx0 = stride->dx1 = NULL;
    if (drawn) hbg_sim_fixed_lend(engine->stepper, stride);
    stride->looked = !engine->unlooked;
    stride->x = engine->x;
    stride->states = engine->search.states;
    hbg_rt_status status = hbg_rt_stride_run(stride);
    book(engine);
    engine->unlooked = stride->end == HBG_RT_STRIDE_DONE;
    if (status != HBG_RT_OK) return hbg_sim_refused(engine, status);
    if (stride->end == HBG_RT_STRIDE_FAILED) return hand_over(engine);
    *strode = true;
    if (drawn && stride->done == stride->count) status = draw_rows(engine);
    if (status == HBG_RT_OK && stride->done > 0) status = hbg_sim_record_end(engine, &written);
    if (status == HBG_RT_OK && stride->end == HBG_RT_STRIDE_SEARCH) status = look_closely(engine);
    return status == HBG_RT_OK && engine->ends ? HBG_RT_VERDICT : status;
}
