/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The field of a run and how exact its states have to be.
 *
 * The rule of errors. In a step a state may be wrong by rtol·|x| + atol. Where no atol is given it is rtol/1000 times the
 * largest magnitude the state has had in this run: a state that swings through 0 is judged by its swing, one in
 * microcoulombs by microcoulombs. A state that starts at 0 has no magnitude yet. It gets what its rate, or the rate a
 * moment later, would bring in a tenth of the fastest pace of the system: too little rather than too much, since a size
 * only grows. No size counts as less than 1e-12 of the largest one: what a long chain passes on in the first
 * instants is of no concern to anybody, and demanding six digits of it would stall the run. The end of such a chain, which has less, moves
 * with a high power of time. No method follows that as long as it is nothing, and which side of 0 it is on is not to be asked
 * before: its size is what it is about to have a whole time constant later. Nor is what rounding
 * brings to a state of any concern: see rounding.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/field.h"

void hbg_rt_field_init(hbg_rt_field *field, hbg_rt_room *room, const hbg_rt_description *system,
                       hbg_rt_instance *instance, const hbg_rt_demand *demand) {
    int32_t n = system->state_count;
    *field = (hbg_rt_field){.system = system,
                            .instance = instance,
                            .n = n,
                            .stop = demand->stop,
                            .max_step = demand->step > 0 ? demand->step : demand->stop / 100,
                            .rtol = demand->rtol > 0 ? demand->rtol : HBG_RT_RTOL,
                            .atol = demand->atol,
                            .stiff_from = 3300,
                            .reason = "",
                            .worst = -1};
    if (demand->step == 0) field->max_step = fmin(field->max_step, hbg_rt_longest_step(instance));
    field->size = HBG_RT_TAKE(room, double, n);
    field->aside = HBG_RT_TAKE(room, double, n);
    field->rounding.rate = HBG_RT_TAKE(room, double, n);
    field->rounding.memory = HBG_RT_TAKE(room, double, n);
    field->rounding.size = HBG_RT_TAKE(room, double, n);
    field->rounding.then = HBG_RT_TAKE(room, double, n);
    for (int i = 0; i < 3; i++) field->work[i] = HBG_RT_TAKE(room, double, n);
}

/* Exponents all ones: infinite, or no number. Written on bits so that the compiler makes vectors of it. */
static bool is_finite(int32_t n, const double *values) {
    const uint64_t mask = UINT64_C(0x7ff0000000000000);
    uint64_t bad = 0;
    for (int32_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (bits & mask) == mask;
    }
    return bad == 0;
}

hbg_rt_status hbg_rt_field_checked(hbg_rt_field *field, hbg_rt_status status, double t, int32_t count,
                                   const double *values, const hbg_rt_variable *names, const char *what) {
    if (status == HBG_RT_OK && is_finite(count, values)) return HBG_RT_OK;
    field->words[0] = '\0';
    field->when = t;
    field->status = status == HBG_RT_OK ? HBG_RT_NOT_FINITE : status;
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++) {
        if (isfinite(values[i])) continue;
        (void)snprintf(field->words, sizeof field->words, "%s%s is %s", what, names[i].name,
                       isnan(values[i]) ? "not a number" : "infinite");
        break;
    }
    return field->status;
}

hbg_rt_status hbg_rt_field_rates(hbg_rt_field *field, double t, const double *x, double *dx) {
    field->rates++;
    hbg_rt_status status = hbg_rt_rates(field->instance, t, x, dx);
    return hbg_rt_field_checked(field, status, t, field->n, dx, field->system->states, "the rate of ");
}

bool hbg_rt_field_is_stiff(const hbg_rt_field *field, double t, double rate) {
    double expected = t > 0 ? field->instants * field->stop / t : 0; // as many again for each such time
    return rate * field->stop > field->stiff_from + HBG_RT_RESTART * expected;
}

void hbg_rt_field_size_update(hbg_rt_field *field, const double *x) {
    double *size = field->size, largest = 0;
    for (int32_t i = 0; i < field->n; i++) {
        double magnitude = fabs(x[i]);
        size[i] = magnitude > size[i] ? magnitude : size[i];
        largest = size[i] > largest ? size[i] : largest;
    }
    field->floor = largest > 0 ? HBG_RT_FLOOR * largest : 1;
}

bool hbg_rt_field_has_no_size(const hbg_rt_field *field) {
    for (int32_t i = 0; i < field->n; i++)
        if (field->size[i] < field->floor) return true;
    return false;
}

/* How fast things go; 0 where it cannot be told: laws such as √ have places without a slope. */
static double pace_at(hbg_rt_field *field, double t, const double *x) {
    hbg_rt_status before = field->status;
    hbg_rt_status status = hbg_rt_jacobian_at(field, t, x, field->jacobian.values);
    field->status = before;
    double pace =
        status == HBG_RT_OK ? hbg_rt_jacobian_pace(&field->jacobian, field->jacobian.values, NULL) : 0;
    return isfinite(pace) ? pace : 0;
}

/* Rates at a place reached by them, as far ahead as the pace there says they may be trusted; what was reached in *reach. */
static hbg_rt_status look_ahead(hbg_rt_field *field, double t, const double *x, double *reach) {
    double *dx = field->work[0], *place = field->work[1], *later = field->work[2];
    hbg_rt_status status = hbg_rt_field_rates(field, t, x, dx);
    if (status != HBG_RT_OK) return status;
    *reach = fmin(0.1 / pace_at(field, t, x), 0.01 * field->stop);
    for (int tries = 0; tries < 20; tries++) {
        for (int32_t i = 0; i < field->n; i++) place[i] = x[i] + *reach * dx[i];
        bool fine = hbg_rt_field_rates(field, t + *reach, place, later) == HBG_RT_OK;
        field->status = HBG_RT_OK;
        if (fine && pace_at(field, t + *reach, place) * *reach <= 0.2) return HBG_RT_OK;
        *reach *= 0.1;
    }
    /* what lies ahead says nothing */
    memcpy(later, dx, (size_t)field->n * sizeof *dx);
    return HBG_RT_OK;
}

enum { MOMENTS = 10 };

/* One moment behind another with the rates of each, for a time constant or as long as the pace stays what it was: what the fastest of
 * them brings to each state in a moment goes to field->aside. The rates of the first two are there, and what they bring. */
static void look_further(hbg_rt_field *field, double t, const double *x, double reach) {
    double *place = field->work[1], *rates = field->work[2], *change = field->aside;
    for (int32_t i = 0; i < field->n; i++) place[i] = x[i] + reach * field->work[0][i];
    for (int moment = 2; moment <= MOMENTS; moment++) {
        double then = t + moment * reach;
        for (int32_t i = 0; i < field->n; i++) place[i] += reach * rates[i];
        if (hbg_rt_field_rates(field, then, place, rates) != HBG_RT_OK) break;
        if (!(pace_at(field, then, place) * reach <= 0.2)) break;
        for (int32_t i = 0; i < field->n; i++) change[i] = fmax(change[i], reach * fabs(rates[i]));
    }
    field->status = HBG_RT_OK; // what lies ahead is not sure to come
}

/* What moments bring is the size of states that have none. */
static void take_sizes(hbg_rt_field *field, const double *x) {
    for (int32_t i = 0; i < field->n; i++) {
        double change = field->aside[i];
        if (field->size[i] < field->floor && isfinite(change)) field->size[i] = fmax(field->size[i], change);
    }
    hbg_rt_field_size_update(field, x);
}

hbg_rt_status hbg_rt_field_size_start(hbg_rt_field *field, double t, const double *x) {
    double reach = 0;
    hbg_rt_field_size_update(field, x);
    if (!hbg_rt_field_has_no_size(field)) return HBG_RT_OK;
    hbg_rt_status status = look_ahead(field, t, x, &reach);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < field->n; i++)
        field->aside[i] = reach * fmax(fabs(field->work[0][i]), fabs(field->work[2][i]));
    take_sizes(field, x);
    if (!hbg_rt_field_has_no_size(field)) return HBG_RT_OK;
    look_further(field, t, x, reach);
    take_sizes(field, x);
    return HBG_RT_OK;
}
