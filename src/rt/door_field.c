/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The door for a caller with an integrator: values of the system at any time and state, and instants where
 * the caller located them. */
#include <math.h>
#include <string.h>

#include "rt/bands.h"
#include "rt/door_impl.h"
#include "rt/roots_impl.h"
#include "rt/run_impl.h"

/* An integrator evaluates trial points, and the same point has to give the same values again. */
static void begin_trial(hbg_rt_run *run) {
    if (run->options.tries) hbg_rt_trial_begin(run->instance);
}

static void end_trial(hbg_rt_run *run) {
    if (run->options.tries) hbg_rt_trial_end(run->instance);
}

hbg_rt_status hbg_rt_run_jacobian(hbg_rt_run *run, double t, const double *x, hbg_rt_pattern *pattern,
                                  double *values) {
    if (!run->is_started) return hbg_rt_run_refuse(run, "the run has not been started");
    *pattern = hbg_rt_jacobian_pattern(run->instance);
    if (pattern->count < 0) return hbg_rt_run_note(run, HBG_RT_NO_MEMORY);
    if (!values) return HBG_RT_OK;
    begin_trial(run);
    hbg_rt_status status = hbg_rt_jacobian(run->instance, t, x, values);
    end_trial(run);
    return hbg_rt_run_note(run, status);
}

static hbg_rt_status settle(hbg_rt_run *run, double t, const double *x, double *settled) {
    if (settled != x) memcpy(settled, x, (size_t)run->system->state_count * sizeof *x);
    return hbg_rt_settle(run->instance, t, settled);
}

hbg_rt_status hbg_rt_run_at(hbg_rt_run *run, hbg_rt_what what, double t, const double *x, double *values) {
    if (!run->is_started) return hbg_rt_run_refuse(run, "the run has not been started");
    hbg_rt_status status = HBG_RT_OK;
    if (what == HBG_RT_READ_STATES) return hbg_rt_run_note(run, settle(run, t, x, values));
    begin_trial(run);
    switch (what) {
    case HBG_RT_READ_RATES: status = hbg_rt_rates(run->instance, t, x, values); break;
    case HBG_RT_READ_OUTPUTS: status = hbg_rt_outputs(run->instance, t, x, values); break;
    case HBG_RT_READ_INDICATORS: status = hbg_rt_indicators(run->instance, t, x, values); break;
    default:
        end_trial(run);
        return hbg_rt_run_refuse(run, "there is nothing of this kind to read at another state");
    }
    end_trial(run);
    return hbg_rt_run_note(run, status);
}

void hbg_rt_run_branches(const hbg_rt_run *run, int8_t *sides, double *sizes, double *bands) {
    const hbg_rt_roots *roots = run->engine->roots;
    for (int32_t k = 0; k < roots->count; k++) {
        sides[k] = roots->side[k];
        sizes[k] = roots->size[k] > 0 ? roots->size[k] : 1;
        bands[k] = roots->side[k] == 0 ? fmax(HBG_RT_BAND, roots->rest[k] / sizes[k]) : HBG_RT_BAND;
    }
}

hbg_rt_status hbg_rt_run_accept(hbg_rt_run *run, double t, const double *x) {
    if (!run->is_started) return hbg_rt_run_refuse(run, "the run has not been started");
    run->engine->t = t;
    memcpy(run->engine->x, x, (size_t)run->engine->field.n * sizeof *x);
    hbg_rt_field_size_update(&run->engine->field, x);
    hbg_rt_status status = hbg_rt_accept(run->instance, t, x);
    hbg_rt_roots *roots = run->engine->roots;
    if (status == HBG_RT_OK && roots->count > 0) status = hbg_rt_indicators(run->instance, t, x, roots->now);
    if (status == HBG_RT_OK) hbg_rt_roots_arm(roots, roots->now);
    return hbg_rt_run_note(run, status);
}

/* The relations that the caller located, as if the engine had, and those that time alone decides, which have
 * no indicator. */
static void take_crossed(hbg_rt_engine *engine, double t, const int32_t *crossed, int32_t count) {
    hbg_rt_roots *roots = engine->roots;
    int32_t turned = hbg_rt_plan_due(engine->instance, t, roots->crossed), all = turned;
    for (int32_t i = 0; i < count && all < roots->count; i++) // one may be listed twice
        if (!hbg_rt_is_planned(engine->instance, crossed[i])) roots->crossed[all++] = crossed[i];
    roots->crossed_count = all;
    for (int32_t i = 0; i < all; i++) roots->beside[roots->crossed[i]] = false;
    roots->touched = false;
    engine->moment.crossed = all > 0;
    engine->moment.turned = turned > 0;
    engine->moment.cut = engine->moment.aside = false;
}

/* For a run with a fixed step: guards at the end of a step. It is not an instant: nothing is in its band, and
 * nothing is planned. */
static hbg_rt_status sample(hbg_rt_engine *engine) {
    hbg_rt_status status = HBG_RT_OK;
    engine->moment.crossed = engine->moment.turned = engine->moment.cut = engine->moment.aside = false;
    if (engine->system->has_events)
        status = hbg_rt_roots_sample(engine->roots, &engine->field, engine->t, engine->x);
    if (status != HBG_RT_OK) return status;
    engine->moment.crossed = engine->system->has_events && engine->roots->crossed_count > 0;
    engine->moment.is_instant = engine->moment.crossed || hbg_rt_is_due(engine->schedule.limit, engine->t);
    hbg_rt_field_size_update(&engine->field, engine->x);
    return engine->moment.is_instant ? HBG_RT_OK : hbg_rt_accept(engine->instance, engine->t, engine->x);
}

/* An instant that has begun continues from its last commit. */
hbg_rt_status hbg_rt_run_instant(hbg_rt_run *run, double t, double *x, const int32_t *crossed, int32_t count,
                                 bool *one_commit) {
    hbg_rt_engine *engine = run->engine;
    size_t size = (size_t)engine->field.n * sizeof *x;
    if (!run->is_started) return hbg_rt_run_refuse(run, "the run has not been started");
    for (int32_t i = 0; i < count; i++)
        if (crossed[i] < 0 || crossed[i] >= engine->roots->count || i >= engine->roots->count)
            return hbg_rt_run_refuse(run, "there is no such indicator");
    hbg_rt_status status = HBG_RT_OK;
    if (!engine->search.is_open) {
        engine->t = t;
        memcpy(engine->x, x, size);
        engine->moment.is_instant = true;
        if (run->actions_set > 0 || run->overrides_set > 0)
            engine->schedule.limit = engine->schedule.given = t;
        run->actions_set = run->overrides_set = 0;
        if (engine->stepper->fixed)
            status = sample(engine);
        else
            take_crossed(engine, t, crossed, count);
    }
    engine->search.one_commit = one_commit != NULL;
    if (status == HBG_RT_OK && engine->moment.is_instant) status = hbg_rt_engine_instant(engine);
    // laws that stay at a relation, or switch back and forth there
    if (status == HBG_RT_OK && !engine->search.is_open) status = hbg_rt_engine_go_on(engine);
    status = hbg_rt_run_note(run, status);
    bool looks = !engine->search.is_open && engine->t >= engine->schedule.horizon; // look farther ahead
    if (status == HBG_RT_OK && looks) hbg_rt_engine_pause_at(engine, engine->pause);
    engine->search.one_commit = false;
    if (one_commit) *one_commit = engine->search.is_open;
    memcpy(x, engine->x, size);
    return status;
}
