/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The fixed-step methods of rt as an integrator of runs: steps end on multiples of the step counted from 0,
 * and earlier where an instant lies between two of them. Inside a step the state is the cubic through the
 * states and rates at its ends. Large implicit systems use the solver that the caller lends. */
#include <math.h>
#include <string.h>

#include "rt/archive_impl.h"
#include "rt/stride.h"

typedef struct {
    hbg_rt_integrator stepper;
    hbg_rt_field *field;
    hbg_rt_stepper rt;
    hbg_rt_linear linear; /* lent, or nothing */
    hbg_rt_grid grid;
    double *x0, *dx0, *x1, *dx1;
} fixed;

static hbg_rt_status begin(hbg_rt_integrator *stepper, double t, const double *x) {
    fixed *f = (fixed *)stepper;
    stepper->t0 = stepper->t1 = t;
    memcpy(f->x1, x, (size_t)f->field->n * sizeof *x);
    return hbg_rt_field_rates(f->field, t, x, f->dx1);
}

/* The next multiple of the step after t, or the limit. */
static double next_end(const fixed *f, double t, double limit) {
    double k = floor(t / f->grid.step), end = hbg_rt_grid_time(&f->grid, k + 1);
    if (end <= t || hbg_rt_same_instant(end, t)) end = hbg_rt_grid_time(&f->grid, k + 2);
    return end >= limit || hbg_rt_same_instant(end, limit) ? limit : end;
}

int64_t hbg_rt_fixed_rates(hbg_rt_method method) {
    return method == HBG_RT_EULER ? 1 : method == HBG_RT_RK4 ? 4 : method == HBG_RT_ODE3 ? 3 : 2;
}

static hbg_rt_status step(hbg_rt_integrator *stepper, double limit) {
    fixed *f = (fixed *)stepper;
    size_t size = (size_t)f->field->n * sizeof *f->x0;
    double end = next_end(f, stepper->t1, limit);
    memcpy(f->x0, f->x1, size);
    memcpy(f->dx0, f->dx1, size);
    f->field->rates += hbg_rt_fixed_rates(f->rt.method);
    const hbg_rt_variable *names = f->field->system->states;
    hbg_rt_status status = hbg_rt_step(&f->rt, stepper->t1, end, f->x1, f->dx1);
    if (status == HBG_RT_NOT_FINITE && hbg_rt_field_rates(f->field, end, f->x0, f->dx1) != HBG_RT_OK)
        return HBG_RT_NOT_FINITE; // reported with its name
    status = hbg_rt_field_checked(f->field, status, end, f->field->n, f->dx1, names, "the rate of ");
    if (status == HBG_RT_OK)
        status = hbg_rt_field_checked(f->field, status, end, f->field->n, f->x1, names, "");
    if (status != HBG_RT_OK) {
        memcpy(f->x1, f->x0, size);
        return status;
    }
    stepper->t0 = stepper->t1;
    stepper->t1 = end;
    return HBG_RT_OK;
}

static void dense(hbg_rt_integrator *stepper, double t, double *x) {
    const fixed *f = (const fixed *)stepper;
    hbg_rt_curve curve = {stepper->t0, stepper->t1, f->x0, f->dx0, f->x1, f->dx1};
    hbg_rt_curve_at(&curve, f->field->n, t, x);
}

const hbg_rt_stepper *hbg_rt_fixed_method(const hbg_rt_integrator *stepper) {
    const fixed *f = (const fixed *)stepper;
    return stepper->fixed && f->rt.method != HBG_RT_TRAPEZOIDAL ? &f->rt : NULL;
}

static void end(hbg_rt_integrator *stepper) {
    fixed *f = (fixed *)stepper;
    if (f->linear.end) f->linear.end(f->linear.context);
}

static void keep(hbg_rt_integrator *stepper, hbg_rt_archive *archive) {
    fixed *f = (fixed *)stepper;
    HBG_RT_KEEP(archive, stepper->t0);
    HBG_RT_KEEP(archive, stepper->t1);
    HBG_RT_KEEP_ARRAY(archive, f->x0, f->field->n);
    HBG_RT_KEEP_ARRAY(archive, f->dx0, f->field->n);
    HBG_RT_KEEP_ARRAY(archive, f->x1, f->field->n);
    HBG_RT_KEEP_ARRAY(archive, f->dx1, f->field->n);
}

hbg_rt_integrator *hbg_rt_fixed_new(hbg_rt_room *room, hbg_rt_field *field, hbg_rt_method method,
                                    double step_size, const hbg_rt_linear *linear) {
    static const char *const names[] = {"euler", "heun", "ode3", "rk4", "trapezoidal"};
    fixed *f = HBG_RT_TAKE(room, fixed, 1);
    if (f == NULL) return NULL;
    f->stepper = (hbg_rt_integrator){.name = names[method],
                                     .fixed = true,
                                     .implicit = method == HBG_RT_TRAPEZOIDAL,
                                     .begin = begin,
                                     .step = step,
                                     .dense = dense,
                                     .end = end,
                                     .keep = keep};
    f->field = field;
    f->grid = hbg_rt_grid_of(step_size);
    f->x0 = HBG_RT_TAKE(room, double, field->n);
    f->dx0 = HBG_RT_TAKE(room, double, field->n);
    f->x1 = HBG_RT_TAKE(room, double, field->n);
    f->dx1 = HBG_RT_TAKE(room, double, field->n);
    f->stepper.x1 = f->x1;
    f->rt = (hbg_rt_stepper){.system = field->system, .instance = field->instance, .method = method};
    if (linear) f->linear = *linear;
    if (linear) f->rt.linear = &f->linear;
    f->rt.scratch = HBG_RT_TAKE(room, double, hbg_rt_step_scratch(&f->rt) + hbg_rt_stride_scratch(&f->rt));
    if (field->books && method != HBG_RT_TRAPEZOIDAL)
        f->stepper.work = f->rt.work = HBG_RT_TAKE(room, double, field->system->power_count + 1);
    return room->is_exhausted ? NULL : &f->stepper;
}
