/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The energy ledger of a run. Works are integrals of powers over each accepted step, by three Gauss points on
 * the integrator's polynomial (explicit fixed-step methods: by the stages and weights of the method), in
 * compensated sums. At an instant the stored energy is compared before and after:
 *
 *     lost = stored before − stored after + Σ works of independent sources in the jump
 *
 * A parameter of a storage that jumps keeps the state and does work: the stored energy is compared around
 * that first. The balance of the run is
 *
 *     residual = (stored at the end − stored at the start) + dissipated + lost − supplied
 *                − work of modulating − work of jumping parameters
 *
 * and would be 0 without error. Nothing is booked to make it so: works come from powers, stored energies from
 * states. */
#include <math.h>
#include <string.h>

#include "rt/ledger_impl.h"

enum { POLISHED_STATES = 200 };

hbg_rt_ledger *hbg_rt_ledger_new(hbg_rt_room *room, const hbg_rt_field *field, bool on) {
    hbg_rt_ledger *ledger = HBG_RT_TAKE(room, hbg_rt_ledger, 1);
    if (ledger == NULL) return NULL;
    ledger->on = on;
    ledger->work = HBG_RT_TAKE(room, double, field->system->power_count);
    ledger->rest = HBG_RT_TAKE(room, double, field->system->power_count);
    ledger->power = HBG_RT_TAKE(room, double, field->system->power_count);
    ledger->energy = HBG_RT_TAKE(room, double, field->system->storage_count);
    ledger->x = HBG_RT_TAKE(room, double, field->n);
    return room->is_exhausted ? NULL : ledger;
}

/* Neumaier's sum: the part lost from the smaller term is kept in `rest`. */
static void add(double *sum, double *rest, double term) {
    double total = *sum + term;
    *rest += fabs(*sum) >= fabs(term) ? (*sum - total) + term : (term - total) + *sum;
    *sum = total;
}

/* A single power that is not finite, or its work, would make the whole balance meaningless. */
static hbg_rt_status check_powers(hbg_rt_field *field, double t, const double *power) {
    const hbg_rt_description *system = field->system;
    for (int32_t k = 0; k < system->power_count; k++) {
        hbg_rt_variable name = {.name = system->powers[k].name};
        if (isfinite(power[k])) continue;
        return hbg_rt_field_checked(field, HBG_RT_OK, t, 1, &power[k], &name, "the power of ");
    }
    return HBG_RT_OK;
}

static hbg_rt_status powers_at(const hbg_rt_ledger *ledger, hbg_rt_field *field, double t) {
    hbg_rt_status status = hbg_rt_powers(field->instance, t, ledger->x, ledger->power);
    if (status != HBG_RT_OK) return hbg_rt_field_checked(field, status, t, 0, NULL, NULL, "");
    return check_powers(field, t, ledger->power);
}

void hbg_rt_ledger_book(hbg_rt_ledger *ledger, const hbg_rt_field *field, const double *work) {
    for (int32_t k = 0; k < field->system->power_count && ledger->on; k++)
        add(&ledger->work[k], &ledger->rest[k], work[k]);
}

hbg_rt_status hbg_rt_ledger_step(hbg_rt_ledger *ledger, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                 double t0, double t1) {
    static const double at[3] = {-0.7745966692414834, 0, 0.7745966692414834};
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const hbg_rt_description *system = field->system;
    double h = t1 - t0;
    /* the power in a small resistance is only as exact as its fast state; polishing a large system would cost
     * too much */
    bool polishes = stepper->polish != NULL && field->n <= POLISHED_STATES;
    if (!ledger->on || system->power_count == 0) return HBG_RT_OK;
    if (stepper->work) {
        hbg_rt_status status = check_powers(field, t1, stepper->work);
        if (status == HBG_RT_OK) hbg_rt_ledger_book(ledger, field, stepper->work);
        return status;
    }
    for (int i = 0; i < 3; i++) {
        double t = t0 + h / 2 * (1 + at[i]);
        stepper->dense(stepper, t, ledger->x);
        if (polishes) stepper->polish(stepper, t, ledger->x);
        hbg_rt_status status = powers_at(ledger, field, t);
        if (status != HBG_RT_OK) return status;
        for (int32_t k = 0; k < system->power_count; k++)
            add(&ledger->work[k], &ledger->rest[k], weight[i] * h * ledger->power[k]);
    }
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_ledger_stored(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x,
                                   double *stored) {
    if (field->system->storage_count == 0) return HBG_RT_OK;
    const hbg_rt_description *system = field->system;
    hbg_rt_status status =
        hbg_rt_field_checked(field, hbg_rt_energies(field->instance, t, x, stored), t, system->storage_count,
                             stored, system->storages, "the energy of ");
    double sum = 0;
    for (int32_t i = 0; status == HBG_RT_OK && i < field->system->storage_count; i++) sum += fabs(stored[i]);
    ledger->scale = fmax(ledger->scale, sum);
    return status;
}

static hbg_rt_status total(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x,
                           double *sum) {
    hbg_rt_status status = hbg_rt_ledger_stored(ledger, field, t, x, ledger->energy);
    *sum = 0;
    for (int32_t i = 0; status == HBG_RT_OK && i < field->system->storage_count; i++)
        *sum += ledger->energy[i];
    return status;
}

hbg_rt_status hbg_rt_ledger_before(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x) {
    return ledger->on ? total(ledger, field, t, x, &ledger->before) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_ledger_moved(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x) {
    double before = ledger->before;
    if (!ledger->on) return HBG_RT_OK;
    hbg_rt_status status = total(ledger, field, t, x, &ledger->before);
    if (status == HBG_RT_OK) add(&ledger->given, &ledger->given_rest, ledger->before - before);
    return status;
}

/* Works done in the jump itself; returns the energy that sources supplied in it. */
static hbg_rt_status book_jump(hbg_rt_ledger *ledger, hbg_rt_field *field, double *brought) {
    const hbg_rt_description *system = field->system;
    *brought = 0;
    if (system->power_count == 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_jump_work(field->instance, ledger->power);
    for (int32_t k = 0; status == HBG_RT_OK && k < system->power_count; k++) {
        double sign = system->powers[k].kind == HBG_RT_DISSIPATED ? -1 : 1;
        *brought += sign * ledger->power[k];
        add(&ledger->work[k], &ledger->rest[k], ledger->power[k]);
    }
    return status;
}

hbg_rt_status hbg_rt_ledger_after(hbg_rt_ledger *ledger, hbg_rt_field *field, double t, const double *x,
                                  double given) {
    double after, brought = 0;
    if (!ledger->on) return HBG_RT_OK;
    hbg_rt_status status = total(ledger, field, t, x, &after);
    if (status == HBG_RT_OK) status = book_jump(ledger, field, &brought);
    if (!isfinite(given)) given = 0;
    add(&ledger->given, &ledger->given_rest, given);
    if (status == HBG_RT_OK) add(&ledger->lost, &ledger->lost_rest, ledger->before + given - after + brought);
    return status;
}

void hbg_rt_ledger_close(const hbg_rt_ledger *ledger, const hbg_rt_field *field, hbg_rt_result *result) {
    const hbg_rt_description *system = field->system;
    double sum = 0, rest = 0, by_kind[3] = {0};
    for (int32_t i = 0; i < system->storage_count; i++) {
        add(&sum, &rest, result->stored_at_end[i]);
        add(&sum, &rest, -result->stored_at_start[i]);
    }
    for (int32_t k = 0; k < system->power_count; k++) {
        result->work[k] = ledger->work[k] + ledger->rest[k];
        double sign = system->powers[k].kind == HBG_RT_DISSIPATED ? 1 : -1;
        add(&sum, &rest, sign * result->work[k]);
        by_kind[system->powers[k].kind] += fabs(result->work[k]);
    }
    result->lost_in_jumps = ledger->lost + ledger->lost_rest;
    add(&sum, &rest, result->lost_in_jumps);
    result->by_parameters = ledger->given + ledger->given_rest;
    add(&sum, &rest, -result->by_parameters);
    result->residual = sum + rest;
    result->scale = fmax(ledger->scale, fmax(fabs(result->lost_in_jumps), fabs(result->by_parameters)));
    for (int i = 0; i < 3; i++) result->scale = fmax(result->scale, by_kind[i]);
}
