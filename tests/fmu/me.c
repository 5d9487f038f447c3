/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Model exchange: the importer integrates, by forward Euler on a grid or by CVODE, stops at time events, and hands every event to the FMU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/behaviour.h"
#include "fmu/course.h"

enum { MOST_UPDATES = 10000 };

static bool bits_differ(const double *a, const double *b, int count) {
    return count && memcmp(a, b, (size_t)count * sizeof *a) != 0;
}

static void discrete_values(fmu_course *course, double *values) {
    const fmu_description *d = course->unit->description;
    for (int i = 0, n = 0; i < d->variable_count; i++) {
        const fmu_variable *v = &d->variables[i];
        if (v->variability != FMU_DISCRETE || v->causality == FMU_INPUT || v->array) continue;
        if (v->type == FMU_REAL || v->type == FMU_STRING || v->type == FMU_FLOAT32) continue;
        (void)fmu_get_value(course->unit, v, &values[n++]);
    }
}

// repeats the update until no more is needed; flags are joined over all of them
static bool iterate(fmu_course *course, fmu_update *joined) {
    fmu_unit *unit = course->unit;
    memset(joined, 0, sizeof *joined);
    for (int i = 0; i < MOST_UPDATES; i++) {
        fmu_update now;
        if (!fmu_must(unit, fmu_update_states(unit, &now), "the update of discrete states")) return false;
        course->trace->updates++;
        if (joined->values_changed && !now.values_changed && unit->settings.exchange)
            fmu_violated(unit->report, FMU_CHANGED,
                         "at %.9g s the flag goes down while events are still iterated", course->time);
        joined->values_changed |= now.values_changed;
        joined->nominals_changed |= now.nominals_changed;
        joined->terminate |= now.terminate;
        joined->next_defined = now.next_defined;
        joined->next = now.next;
        if (!now.again || now.terminate) return true;
    }
    fmu_violated(unit->report, FMU_CHANGED, "at %.9g s the event iteration does not end", course->time);
    unit->mode = FMU_BROKEN;
    return false;
}

static void check_flags(fmu_course *course, const fmu_update *joined, const double *before,
                        const double *nominals) {
    fmu_unit *unit = course->unit;
    if (!fmu_must(unit, fmu_get_states(unit, course->x), "GetContinuousStates")) return;
    if (!fmu_must(unit, fmu_get_nominals(unit, course->nominals), "GetNominalsOfContinuousStates")) return;
    bool changed = bits_differ(before, course->x, unit->states);
    if (joined->values_changed && !changed)
        fmu_violated(unit->report, FMU_CHANGED, "at %.9g s states are said to have changed and did not",
                     course->time);
    if (!joined->values_changed && changed)
        fmu_violated(unit->report, FMU_CHANGED, "at %.9g s states changed and it is not said", course->time);
    if (joined->nominals_changed != bits_differ(nominals, course->nominals, unit->states))
        fmu_violated(unit->report, FMU_CHANGED, "at %.9g s the flag of nominal values is wrong",
                     course->time);
    for (int i = 0; i < unit->states; i++)
        if (!(course->nominals[i] > 0) || isinf(course->nominals[i]))
            fmu_violated(unit->report, FMU_VARIABLES, "the nominal value of state %d is %g", i,
                         course->nominals[i]);
    if (joined->next_defined && !(joined->next > course->time - 1e-9 * fabs(course->time)))
        fmu_violated(unit->report, FMU_CHANGED, "at %.9g s the next event is at %.9g s", course->time,
                     joined->next);
}

static void check_indicators(fmu_course *course) {
    fmu_unit *unit = course->unit;
    if (!fmu_must(unit, fmu_get_indicators(unit, course->z), "GetEventIndicators")) return;
    for (int i = 0; i < unit->indicators; i++)
        if (!isfinite(course->z[i]) || course->z[i] == 0)
            fmu_violated(unit->report, FMU_INDICATORS, "at %.9g s indicator %d is %g after event mode",
                         course->time, i, course->z[i]);
}

bool fmu_handle_event(fmu_course *course) {
    fmu_unit *unit = course->unit;
    size_t count = (size_t)unit->states, discrete = (size_t)unit->description->variable_count;
    bool exchange = unit->settings.exchange;
    double *saved = fmu_allocate(2 * count + 2 * discrete, sizeof *saved);
    double *nominals = saved + count, *values = nominals + count, *after = values + discrete;
    if (exchange) {
        (void)fmu_must(unit, fmu_get_states(unit, saved), "GetContinuousStates");
        (void)fmu_must(unit, fmu_get_nominals(unit, nominals), "GetNominalsOfContinuousStates");
    }
    discrete_values(course, values);
    course->trace->events++;
    if (iterate(course, &course->update)) {
        if (exchange) check_flags(course, &course->update, saved, nominals);
        discrete_values(course, after);
        course->trace->changes += memcmp(values, after, discrete * sizeof *after) != 0;
        if (!course->update.terminate)
            (void)fmu_must(unit, exchange ? fmu_enter_continuous_mode(unit) : fmu_enter_step_mode(unit),
                           exchange ? "EnterContinuousTimeMode" : "EnterStepMode");
        if (exchange && unit->mode == FMU_CONTINUOUS_MODE) check_indicators(course);
    }
    course->over = course->over || course->update.terminate;
    free(saved);
    return unit->mode != FMU_BROKEN;
}

bool fmu_crossed(const fmu_course *course) {
    for (int i = 0; i < course->unit->indicators; i++)
        if ((course->z_before[i] > 0) != (course->z[i] > 0)) return true;
    return false;
}

// hands time and states to the FMU and sees whether an event is due
static bool settle(fmu_course *course, bool *event) {
    fmu_unit *unit = course->unit;
    bool asked = false, terminate = false;
    (void)fmu_must(unit, fmu_set_time(unit, course->time), "SetTime");
    (void)fmu_must(unit, fmu_set_states(unit, course->x), "SetContinuousStates");
    (void)fmu_must(unit, fmu_get_indicators(unit, course->z), "GetEventIndicators");
    if (!fmu_interface_of(unit)->step_not_needed)
        (void)fmu_must(unit, fmu_completed_step(unit, &asked, &terminate), "CompletedIntegratorStep");
    course->over = course->over || terminate;
    *event =
        asked || fmu_crossed(course) || (course->update.next_defined && course->time >= course->update.next);
    return unit->mode != FMU_BROKEN;
}

// the end of the next step: the grid, the end, or the next time event
static double next_limit(fmu_course *course, double until) {
    const fmu_plan *plan = course->plan;
    double limit = plan->start + (double)(course->steps + 1) * plan->step;
    if (limit <= course->time) limit = plan->start + (double)(++course->steps + 1) * plan->step;
    if (limit > until - 1e-9 * plan->step) limit = until;
    if (course->update.next_defined && course->update.next < limit) limit = course->update.next;
    return limit > course->time ? limit : nextafter(course->time, INFINITY);
}

bool fmu_exchange_advance(fmu_course *course, double until) {
    fmu_unit *unit = course->unit;
    while (course->time < until && !course->over) {
        bool root = false, event = false;
        double limit = next_limit(course, until);
        if (course->plan->checked) fmu_check_point(course, limit);
        memcpy(course->z_before, course->z, (size_t)unit->indicators * sizeof *course->z);
        if (course->plan->cvode ? !fmu_cvode_step(course, limit, &root) : !fmu_euler_step(course, limit))
            return false;
        if (!settle(course, &event)) return false;
        bool on_grid = course->time >= limit;
        if (event || root) {
            if (!fmu_must(unit, fmu_enter_event_mode(unit), "EnterEventMode") || !fmu_handle_event(course))
                return false;
            if (course->over) break;
            bool anew = course->update.values_changed || course->update.nominals_changed;
            if (course->plan->cvode && (anew || !course->plan->sparing)) fmu_cvode_restart(course);
        }
        if (on_grid || event || root) fmu_trace_add(course->trace, unit, course->time);
    }
    return unit->mode != FMU_BROKEN;
}
