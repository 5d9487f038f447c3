/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-step runs in long strides: between two planned instants steps are left to rt, which also moves what needs no search
 * and takes the rows on the way. An instant that has to be searched, and the last step before a planned instant, are done one
 * by one, as in any run. Who wants the story of every instant, or a picture of every step, gets no strides. */
#include <math.h>
#include <string.h>

#include "sim/run_impl.h"

enum {
    LONGEST = 1 << 16,     /* steps of a stride: between two looks at whether to go on, and two bookings */
    MOST_WORK = 1 << 22,   /* the same in states that are stepped */
    MOST_ROWS = 64,        /* that wait for its end */
    MOST_OUTPUTS = 1 << 14 /* the same in numbers */
};

static void prepare_rows(hbg_sim_engine *engine) {
    int32_t outputs = engine->system->output_count, most = MOST_OUTPUTS / (outputs + 1);
    if (!engine->options->row) return;
    engine->row_room = most > MOST_ROWS ? MOST_ROWS : most > 2 ? most : 2;
    engine->rows = HBG_NEW_ARRAY(engine->arena, hbg_rt_row, engine->row_room);
    engine->stride.rows = engine->rows;
    engine->stride.outputs =
        HBG_NEW_ARRAY(engine->arena, double, (size_t)engine->row_room *(size_t)outputs + 1);
}

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
    engine->stride = (hbg_rt_stride){.stepper = stepper, .grid = engine->steps};
    if (stepper->work) engine->stride.work = HBG_NEW_ARRAY(engine->arena, double, system->power_count);
    prepare_rows(engine);
    if (!options->summary) return;
    engine->extent = hbg_sim_summary_extent(options->summary);
    engine->stride.extent = &engine->extent;
}

/* How many steps from number `first` on, `most` of them, end before the time, or there if `there`. */
static int64_t steps_to(const hbg_rt_grid *grid, double first, int64_t most, double time, bool there) {
    double count = floor(time / grid->step) + 1 - first;
    if (!(count < (double)most)) count = (double)most;
    for (; count > 0; count--) {
        double end = hbg_rt_grid_time(grid, first + count);
        bool same = hbg_sim_same_instant(end, time);
        if (same ? there : end < time) break;
    }
    return count > 0 ? (int64_t)count : 0;
}

/* Steps from number `first` on that end before the next planned instant. */
static int64_t steps_ahead(const hbg_sim_engine *engine, double first) {
    const hbg_sim_options *options = engine->options;
    int64_t most = MOST_WORK / engine->field.n, left = options->step_limit - engine->result->steps;
    int64_t whole = LONGEST - (int64_t)fmod(first, LONGEST);
    if (most > whole) most = whole;
    if (most < 1 || options->step_end) most = 1; // every step is told
    if (options->step_limit > 0 && left < most) most = left;
    /* what remains of steps begins where the last one was taken note of */
    if (options->summary && !(options->summary->any && options->summary->time == engine->t)) return 0;
    return most > 0 ? steps_to(&engine->steps, first, most, engine->limit, false) : 0;
}

/* Rows within these steps, and how many of the steps they are; not so many as to leave one out. */
static int64_t plan_rows(hbg_sim_engine *engine, double first, int64_t count) {
    hbg_rt_stride *stride = &engine->stride;
    int32_t rows = 0;
    stride->row_count = 0;
    if (!engine->options->row) return count;
    for (int64_t from = 0; rows < engine->row_room; rows++) {
        double time = hbg_rt_grid_time(&engine->records, engine->record_next + rows),
               begin = first + (double)from;
        int64_t to = from + steps_to(&stride->grid, begin, count - from, time, true);
        double end = hbg_rt_grid_time(&stride->grid, first + (double)to);
        bool at_end = to > 0 && hbg_sim_same_instant(end, time);
        if (to == count && !at_end) break;
        engine->rows[rows] = at_end ? (hbg_rt_row){to - 1, end} : (hbg_rt_row){to, time};
        from = to - at_end;
    }
    if (rows == engine->row_room) count = engine->rows[rows - 1].step; // it may have more
    while (rows > 0 && engine->rows[rows - 1].step >= count) rows--;
    stride->row_count = rows;
    return count;
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

/* Works are added up from step to step and booked at places that do not depend on how long strides are, and so on rows: sums have
 * the same bits then. */
void hbg_sim_stride_book(hbg_sim_engine *engine) {
    double *work = engine->strides ? engine->stride.work : NULL;
    if (!work) return;
    hbg_sim_ledger_book(&engine->ledger, &engine->field, work);
    memset(work, 0, (size_t)engine->system->power_count * sizeof *work);
}

static void take(hbg_sim_engine *engine) {
    const hbg_rt_stride *stride = &engine->stride;
    hbg_sim_result *result = engine->result;
    engine->t = hbg_rt_grid_time(&stride->grid, stride->first + (double)stride->done);
    engine->stale = true;
    engine->is_instant = engine->crossed = false;
    result->steps += stride->done;
    result->commits += stride->commits;
    result->crossings += stride->moves;
    engine->field.rates += stride->done * hbg_sim_fixed_rates(stride->stepper->method);
    if (stride->extent && stride->done > 0) hbg_sim_summary_stand(engine->options->summary, engine->t);
    if (fmod(stride->first + (double)stride->done, LONGEST) == 0) hbg_sim_stride_book(engine);
    hbg_sim_size_update(&engine->field, engine->x);
}

/* What stays to be done one step at a time begins with guards that have been looked at, and with rates of the mode. */
static hbg_rt_status hand_over(hbg_sim_engine *engine) {
    hbg_rt_status status = HBG_RT_OK;
    hbg_sim_stride_book(engine);
    if (engine->unlooked && engine->system->has_events) status = look_at_guards(engine);
    if (status == HBG_RT_OK && engine->ends) return HBG_RT_VERDICT;
    if (status == HBG_RT_OK && engine->stale)
        status = engine->stepper->begin(engine->stepper, engine->t, engine->x);
    engine->stale = engine->unlooked = false;
    return status;
}

/* What the stride has brought; who wants to know of every step has made it one step long. */
static hbg_rt_status tell(hbg_sim_engine *engine) {
    const hbg_rt_stride *stride = &engine->stride;
    bool told = !engine->options->step_end || stride->done == 0;
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < stride->row_done && status == HBG_RT_OK; i++) {
        const double *outputs = stride->outputs + (size_t)i * (size_t)engine->system->output_count;
        bool at_end = stride->rows[i].time == engine->t;
        if (at_end && !told) status = hbg_sim_record_told(engine);
        told = told || at_end;
        if (at_end) engine->row_at = engine->t;
        double time = hbg_rt_grid_time(&engine->records, engine->record_next++);
        if (status == HBG_RT_OK) status = hbg_sim_record_row(engine, time, outputs, false);
    }
    return status == HBG_RT_OK && !told ? hbg_sim_record_told(engine) : status;
}

hbg_rt_status hbg_sim_stride(hbg_sim_engine *engine, bool *strode) {
    hbg_rt_stride *stride = &engine->stride;
    *strode = false;
    if (!engine->strides) return HBG_RT_OK;
    double first = nearbyint(engine->t / stride->grid.step);
    stride->first = first;
    stride->count = hbg_rt_grid_time(&stride->grid, first) == engine->t ? steps_ahead(engine, first) : 0;
    stride->count = plan_rows(engine, first, stride->count);
    if (stride->count == 0) return hand_over(engine);
    stride->looked = !engine->unlooked;
    stride->x = engine->x;
    stride->states = engine->search.states;
    hbg_rt_status status = hbg_rt_stride_run(stride);
    take(engine);
    engine->unlooked = stride->end == HBG_RT_STRIDE_DONE;
    if (status != HBG_RT_OK) return hbg_sim_refused(engine, status);
    status = tell(engine);
    if (status != HBG_RT_OK) return status;
    if (stride->end == HBG_RT_STRIDE_FAILED) return hand_over(engine);
    *strode = true;
    if (stride->end == HBG_RT_STRIDE_SEARCH) status = look_closely(engine);
    return status == HBG_RT_OK && engine->ends ? HBG_RT_VERDICT : status;
}
