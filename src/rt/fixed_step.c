/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-step methods: euler (order 1), heun (2), ode3 (3, the formula of Bogacki and Shampine), rk4 (4, the
 * classical one), trapezoidal (2, implicit, in trapezoidal.c). The rates at the start of a step are those
 * from the end of the one before, so that interpolation costs nothing. */
#include <string.h>

#include "rt/rt_impl.h"

static const hbg_rt_tableau tableaux[] = {
    [HBG_RT_EULER] = {1, {0}, {1}},
    [HBG_RT_HEUN] = {2, {0, 1}, {0.5, 0.5}},
    [HBG_RT_ODE3] = {3, {0, 0.5, 0.75}, {2.0 / 9, 1.0 / 3, 4.0 / 9}},
    [HBG_RT_RK4] = {4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
};

const hbg_rt_tableau *hbg_rt_method_tableau(hbg_rt_method method) {
    return method == HBG_RT_TRAPEZOIDAL ? NULL : &tableaux[method];
}

size_t hbg_rt_step_scratch(const hbg_rt_stepper *stepper) {
    if (stepper->method == HBG_RT_TRAPEZOIDAL) return hbg_rt_trapezoidal_scratch(stepper);
    return 3 * (size_t)stepper->system->state_count + (size_t)stepper->system->power_count;
}

/* y = x + h·k */
static void advance(int32_t n, const double *x, double h, const double *k, double *y) {
    for (int32_t i = 0; i < n; i++) y[i] = x[i] + h * k[i];
}

/* Work of a stage, with its weight. */
static hbg_rt_status book(const hbg_rt_stepper *stepper, double t, const double *x, double weight) {
    const hbg_rt_description *system = stepper->system;
    double *power = stepper->scratch + 3 * (size_t)system->state_count;
    if (!stepper->work || system->power_count == 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_powers(stepper->instance, t, x, power);
    for (int32_t k = 0; k < system->power_count && status == HBG_RT_OK; k++)
        stepper->work[k] += weight * power[k];
    return status;
}

/* Each stage is added to the sum at once: no stage is kept. */
hbg_rt_status hbg_rt_explicit_stages(const hbg_rt_stepper *stepper, double t, double t_end, const double *x,
                                     const double *dx) {
    const hbg_rt_description *system = stepper->system;
    const hbg_rt_tableau *method = &tableaux[stepper->method];
    int32_t n = system->state_count;
    double *sum = stepper->scratch, *place = sum + n, *rate = place + n;
    double h = t_end - t;
    const double *last = dx;
    for (int32_t k = 0; k < system->power_count && stepper->work; k++) stepper->work[k] = 0;
    advance(n, x, h * method->weight[0], dx, sum);
    hbg_rt_status status = book(stepper, t, x, h * method->weight[0]);
    for (int32_t stage = 1; stage < method->stage_count && status == HBG_RT_OK; stage++) {
        double through = method->through[stage], weight = h * method->weight[stage];
        advance(n, x, h * through, last, place);
        double when = through == 1 ? t_end : t + h * through;
        status = hbg_rt_rates(stepper->instance, when, place, rate);
        if (status == HBG_RT_OK) status = book(stepper, when, place, weight);
        advance(n, sum, weight, rate, sum);
        last = rate;
    }
    return status;
}

static hbg_rt_status explicit_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x,
                                   double *dx) {
    hbg_rt_status status = hbg_rt_explicit_stages(stepper, t, t_end, x, dx);
    if (status == HBG_RT_OK) status = hbg_rt_rates(stepper->instance, t_end, stepper->scratch, dx);
    if (status == HBG_RT_OK) memcpy(x, stepper->scratch, (size_t)stepper->system->state_count * sizeof *x);
    return status;
}

hbg_rt_status hbg_rt_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x, double *dx) {
    bool implicit = stepper->method == HBG_RT_TRAPEZOIDAL;
    if (stepper->system->state_count == 0 && implicit) return HBG_RT_OK; // there is nothing to solve for
    if (implicit) return hbg_rt_trapezoidal_step(stepper, t, t_end, x, dx);
    return explicit_step(stepper, t, t_end, x, dx);
}
