/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-step runs in long strides: between two planned instants stride.c makes the steps; it also moves
 * automata that need no search and takes rows along the way. An instant that needs a search, and the last
 * step before a planned instant, are done one by one, as in any run; a pause is not an instant, so the last
 * step before it belongs to a stride. An observer that needs the story of every instant, or a picture of
 * every step, gets no strides. */
#include <math.h>
#include <string.h>

#include "rt/advance_impl.h"

enum {
    LONGEST = 1 << 16,     /* steps of a stride: between two checks whether to continue, and two bookings */
    MOST_WORK = 1 << 22,   /* the same in states times steps */
    MOST_ROWS = 64,        /* that wait for its end */
    MOST_OUTPUTS = 1 << 14 /* the same in numbers */
};

static void prepare_rows(hbg_rt_engine *engine) {
    int32_t outputs = engine->system->output_count, most = MOST_OUTPUTS / (outputs + 1);
    if (!engine->setup->observer.rows) return;
    engine->strides.row_room = most > MOST_ROWS ? MOST_ROWS : most > 2 ? most : 2;
    engine->strides.rows = HBG_RT_TAKE(&engine->room, hbg_rt_row, engine->strides.row_room);
    engine->strides.stride.rows = engine->strides.rows;
    engine->strides.stride.outputs =
        HBG_RT_TAKE(&engine->room, double, (size_t)engine->strides.row_room *(size_t)outputs + 1);
}

hbg_rt_status hbg_rt_engine_stride_prepare(hbg_rt_engine *engine) {
    const hbg_rt_observer *observer = &engine->setup->observer;
    const hbg_rt_description *system = engine->system;
    const hbg_rt_stepper *stepper = hbg_rt_fixed_method(engine->stepper);
    bool calm = !system->has_events || hbg_rt_keeps_outputs(engine->instance);
    engine->strides.on = stepper && calm && !observer->no_strides && system->state_count > 0;
    if (!engine->strides.on) return HBG_RT_OK;
    engine->strides.stride = (hbg_rt_stride){.stepper = stepper, .grid = engine->steps};
    if (stepper->work) engine->strides.stride.work = HBG_RT_TAKE(&engine->room, double, system->power_count);
    prepare_rows(engine);
    engine->strides.stride.extent = observer->extent;
    return engine->room.is_exhausted ? HBG_RT_NO_MEMORY : HBG_RT_OK;
}

/* How many of at most `most` steps, from number `first` on, end before the time, or also at it if `there`. */
static int64_t steps_to(const hbg_rt_grid *grid, double first, int64_t most, double time, bool there) {
    double count = floor(time / grid->step) + 1 - first;
    if (!(count < (double)most)) count = (double)most;
    for (; count > 0; count--) {
        double end = hbg_rt_grid_time(grid, first + count);
        bool same = hbg_rt_same_instant(end, time);
        if (same ? there : end < time) break;
    }
    return count > 0 ? (int64_t)count : 0;
}

/* Steps from number `first` on that end before the next planned instant, or up to a pause. */
static int64_t steps_ahead(const hbg_rt_engine *engine, double first) {
    const hbg_rt_setup *setup = engine->setup;
    const hbg_rt_observer *observer = &setup->observer;
    int64_t most = MOST_WORK / engine->field.n, left = setup->step_limit - engine->result->steps;
    int64_t whole = LONGEST - (int64_t)fmod(first, LONGEST);
    if (most > whole) most = whole;
    if (most < 1 || observer->no_long_strides) most = 1; // every step is reported
    if (setup->step_limit > 0 && left < most) most = left;
    /* the summary of a stride begins with the state recorded last */
    if (observer->extent && !observer->keeps_up(observer->context)) return 0;
    double limit = engine->schedule.limit;
    bool there = hbg_rt_engine_only_pauses(engine, limit);
    return most > 0 ? steps_to(&engine->steps, first, most, limit, there) : 0;
}

/* Places rows within these steps and returns how many of the steps to take: fewer if rows do not fit, so that
 * none is left out. */
static int64_t plan_rows(hbg_rt_engine *engine, double first, int64_t count) {
    hbg_rt_stride *stride = &engine->strides.stride;
    int32_t rows = 0;
    stride->row_count = 0;
    if (!engine->setup->observer.rows) return count;
    for (int64_t from = 0; rows < engine->strides.row_room; rows++) {
        double time = hbg_rt_grid_time(&engine->rows, engine->row_next + rows), begin = first + (double)from;
        int64_t to = from + steps_to(&stride->grid, begin, count - from, time, true);
        double end = hbg_rt_grid_time(&stride->grid, first + (double)to);
        bool at_end = to > 0 && hbg_rt_same_instant(end, time);
        if (to == count && !at_end) break;
        engine->strides.rows[rows] = at_end ? (hbg_rt_row){to - 1, end} : (hbg_rt_row){to, time};
        from = to - at_end;
    }
    if (rows == engine->strides.row_room) count = engine->strides.rows[rows - 1].step; // it may hold more
    while (rows > 0 && engine->strides.rows[rows - 1].step >= count) rows--;
    stride->row_count = rows;
    return count;
}

/* A closer look was needed: there is an instant if a relation has been crossed. */
static hbg_rt_status look_closely(hbg_rt_engine *engine) {
    hbg_rt_roots *roots = engine->roots;
    hbg_rt_status status =
        hbg_rt_engine_refused(engine, hbg_rt_roots_sample(roots, &engine->field, engine->t, engine->x));
    engine->strides.unlooked = false;
    engine->moment.crossed = status == HBG_RT_OK && roots->crossed_count > 0;
    if (!engine->moment.crossed && status == HBG_RT_OK)
        status = hbg_rt_engine_refused(engine, hbg_rt_accept(engine->instance, engine->t, engine->x));
    if (!engine->moment.crossed) return status;
    engine->strides.stale = engine->moment.is_instant = true;
    engine->field.instants++;
    return hbg_rt_engine_instant(engine);
}

/* Guards at the end of a stride: most looks need no search here either. */
static hbg_rt_status look_at_guards(hbg_rt_engine *engine) {
    hbg_rt_look look = {.states = engine->search.states};
    hbg_rt_status status =
        hbg_rt_engine_refused(engine, hbg_rt_look_at_guards(engine->instance, engine->t, engine->x, &look));
    if (status != HBG_RT_OK) return status;
    if (look.end == HBG_RT_LOOK_SEARCH) return look_closely(engine);
    engine->result->commits += look.end == HBG_RT_LOOK_MOVED;
    engine->result->crossings += look.moves;
    engine->strides.stale = true;
    return HBG_RT_OK;
}

/* Work is summed from step to step and booked at places that do not depend on the length of strides, and so
 * not on rows: the sums have the same bits. */
void hbg_rt_engine_stride_book(hbg_rt_engine *engine) {
    double *work = engine->strides.on ? engine->strides.stride.work : NULL;
    if (!work) return;
    hbg_rt_ledger_book(engine->ledger, &engine->field, work);
    memset(work, 0, (size_t)engine->system->power_count * sizeof *work);
}

static void take(hbg_rt_engine *engine) {
    const hbg_rt_stride *stride = &engine->strides.stride;
    hbg_rt_result *result = engine->result;
    engine->t = hbg_rt_grid_time(&stride->grid, stride->first + (double)stride->done);
    engine->strides.stale = true;
    engine->moment.is_instant = engine->moment.crossed = false;
    result->steps += stride->done;
    result->commits += stride->commits;
    result->crossings += stride->moves;
    engine->field.rates += stride->done * hbg_rt_fixed_rates(stride->stepper->method);
    if (fmod(stride->first + (double)stride->done, LONGEST) == 0) hbg_rt_engine_stride_book(engine);
    hbg_rt_field_size_update(&engine->field, engine->x);
}

/* Before single steps the guards have to be checked and the rates of the mode computed. */
static hbg_rt_status hand_over(hbg_rt_engine *engine) {
    hbg_rt_status status = HBG_RT_OK;
    hbg_rt_engine_stride_book(engine);
    if (engine->strides.unlooked && engine->system->has_events) status = look_at_guards(engine);
    if (status == HBG_RT_OK && engine->moment.ends) return HBG_RT_VERDICT;
    if (status == HBG_RT_OK && engine->strides.stale)
        status = engine->stepper->begin(engine->stepper, engine->t, engine->x);
    engine->strides.stale = engine->strides.unlooked = false;
    return status;
}

hbg_rt_status hbg_rt_engine_stride(hbg_rt_engine *engine, bool *strode) {
    hbg_rt_stride *stride = &engine->strides.stride;
    const hbg_rt_observer *observer = &engine->setup->observer;
    *strode = false;
    if (!engine->strides.on) return HBG_RT_OK;
    double first = nearbyint(engine->t / stride->grid.step);
    stride->first = first;
    stride->count = hbg_rt_grid_time(&stride->grid, first) == engine->t ? steps_ahead(engine, first) : 0;
    stride->count = plan_rows(engine, first, stride->count);
    if (stride->count == 0) return hand_over(engine);
    stride->looked = !engine->strides.unlooked;
    stride->x = engine->x;
    stride->states = engine->search.states;
    hbg_rt_status status = hbg_rt_stride_run(stride);
    take(engine);
    engine->strides.unlooked = stride->end == HBG_RT_STRIDE_DONE;
    if (status != HBG_RT_OK) (void)hbg_rt_engine_refused(engine, status);
    if (observer->strode) status = observer->strode(observer->context, status);
    if (status != HBG_RT_OK) return status;
    if (stride->end == HBG_RT_STRIDE_FAILED) return hand_over(engine);
    *strode = true;
    if (stride->end == HBG_RT_STRIDE_SEARCH) status = look_closely(engine);
    if (status == HBG_RT_OK && engine->t >= engine->schedule.limit) return hand_over(engine); // a pause
    return status == HBG_RT_OK && engine->moment.ends ? HBG_RT_VERDICT : status;
}
