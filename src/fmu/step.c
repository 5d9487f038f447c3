/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Co-simulation: the engine steps by its own method from one communication point to the next, and loses no
 * event between them. Importers add up communication points: a point that misses a multiple of the method's
 * step, or the stop, only by rounding counts as that time. */
#include <math.h>

#include "fmu/fmu_impl.h"
#include "rt/bands.h"
#include "rt/grid.h"

static bool is_near(double a, double b, double scale) {
    return fabs(a - b) <= HBG_RT_COME * scale;
}

/* The intended time. */
static double target_of(const hbg_fmu_instance *instance, double t) {
    const hbg_rt_options *options = &instance->model->shipped.options;
    hbg_rt_grid grid = hbg_rt_grid_of(options->step);
    if (options->fixed) {
        double on_grid = hbg_rt_grid_time(&grid, nearbyint(t / options->step));
        if (is_near(on_grid, t, options->step)) return on_grid;
    }
    if (is_near(t, instance->stop, fabs(t))) return instance->stop;
    return is_near(t, options->stop, fabs(t)) ? options->stop : t;
}

bool hbg_fmu_do_step(hbg_fmu_instance *instance, double t, double step, hbg_fmu_step_end *end) {
    double target = target_of(instance, t + step), scale = fmax(fabs(t), step);
    *end = (hbg_fmu_step_end){.last = instance->at.t};
    if (!(step >= 0)) return hbg_fmu_fail(instance, "a step of %.9g s does not go forward", step);
    if (!is_near(t, instance->at.t, scale))
        return hbg_fmu_fail(instance, "the step begins at t = %.17g s, but the instance is at %.17g s", t,
                            instance->at.t);
    if (!hbg_fmu_hand_over(instance, false)) return false;
    target = fmax(target, instance->at.t);
    hbg_fmu_stop_at(instance, target);
    hbg_rt_status status = hbg_rt_run_read(instance->run, HBG_RT_READ_COMMITS, &instance->commits);
    if (status == HBG_RT_OK) status = hbg_rt_run_advance(instance->run, target);
    end->early = status == HBG_RT_INTERRUPTED;
    if (end->early) status = HBG_RT_OK;
    if (!hbg_fmu_check(instance, status) || !hbg_fmu_follow(instance)) return false;
    end->event = end->early;
    end->last = end->early ? fmin(instance->at.t, t + step) : t + step; // in the importer's digits
    return true;
}

bool hbg_fmu_enter_steps(hbg_fmu_instance *instance) {
    if (instance->set.waits)
        return hbg_fmu_fail(instance,
                            "time cannot go on: the discrete states have not been updated to the end");
    instance->phase = HBG_FMU_STEPPING;
    return true;
}
