/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a run: at multiples of record_every, exactly, on the integrator's polynomial; or at the end of every step. At an
 * instant where outputs jump one row before and one after, same time. */
#include <math.h>
#include <string.h>

#include "sim/run_impl.h"

/* An output that moves less than this, relative to the largest it has been, has not jumped. */
static const double jump_share = 1e-10;

static hbg_rt_status outputs(hbg_sim_engine *engine, double t, const double *x, double *y) {
    if (engine->system->output_count == 0) return HBG_RT_OK;
    return hbg_sim_refused(engine, engine->system->outputs_at(engine->instance, t, x, y));
}

hbg_rt_status hbg_sim_record_row(hbg_sim_engine *engine, double t, const double *y) {
    for (int32_t i = 0; i < engine->system->output_count; i++)
        engine->y_size[i] = fmax(engine->y_size[i], fabs(y[i]));
    if (engine->options->row == NULL || engine->options->row(engine->options->context, t, y))
        return HBG_RT_OK;
    return HBG_RT_CANNOT_WRITE;
}

hbg_rt_status hbg_sim_record_inside(hbg_sim_engine *engine, double end) {
    double every = engine->options->record_every;
    if (!(every > 0)) return HBG_RT_OK;
    for (;;) {
        double t = engine->record_next * every;
        if (t >= end || hbg_sim_same_instant(t, end)) return HBG_RT_OK;
        engine->stepper->dense(engine->stepper, t, engine->x_other);
        hbg_rt_status status = outputs(engine, t, engine->x_other, engine->y_after);
        if (status == HBG_RT_OK) status = hbg_sim_record_row(engine, t, engine->y_after);
        if (status != HBG_RT_OK) return status;
        engine->record_next++;
    }
}

hbg_rt_status hbg_sim_record_end(hbg_sim_engine *engine, bool *written) {
    double every = engine->options->record_every, t = engine->t;
    *written = !(every > 0) || hbg_sim_same_instant(engine->record_next * every, t);
    if (!*written && !engine->is_instant) return HBG_RT_OK;
    hbg_rt_status status = outputs(engine, t, engine->x, engine->y);
    if (status != HBG_RT_OK || !*written) return status;
    if (every > 0) t = engine->record_next++ * every;
    return hbg_sim_record_row(engine, t, engine->y);
}

static bool has_jumped(const hbg_sim_engine *engine) {
    for (int32_t i = 0; i < engine->system->output_count; i++) {
        double size = fmax(engine->y_size[i], fmax(fabs(engine->y[i]), fabs(engine->y_after[i])));
        if (fabs(engine->y_after[i] - engine->y[i]) > jump_share * size) return true;
    }
    return false;
}

hbg_rt_status hbg_sim_record_instant(hbg_sim_engine *engine, bool written) {
    hbg_rt_status status = outputs(engine, engine->t, engine->x, engine->y_after);
    if (status != HBG_RT_OK || !has_jumped(engine)) return status;
    if (!written) status = hbg_sim_record_row(engine, engine->t, engine->y);
    if (status == HBG_RT_OK) status = hbg_sim_record_row(engine, engine->t, engine->y_after);
    return status;
}
