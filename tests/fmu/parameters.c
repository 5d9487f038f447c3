/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters and inputs: what is set is read back in every bit; set before or during initialisation, the run is the same; tunable ones can be
 * set in the run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/behaviour.h"

enum { MOST_PARAMETERS = 6, SOME_STEPS = 12 };

// a legal value near the start value, and another one than that
static double near_start(const fmu_variable *v) {
    double start = strtod(v->start, NULL), value = start == 0 ? 0x1p-40 : start * 1.0009765625;
    if (v->max && value > strtod(v->max, NULL)) value = start - fabs(start) / 1024;
    if (v->min && value < strtod(v->min, NULL)) value = start;
    if (v->max && value > strtod(v->max, NULL)) value = start;
    return value;
}

static bool set_and_read(fmu_unit *unit, const fmu_variable *v, double value) {
    double found = NAN;
    if (!fmu_must(unit, fmu_set_value(unit, v, value), v->name)) return false;
    if (unit->mode == FMU_INSTANTIATED) return true; // nothing can be read yet in FMI 2
    if (!fmu_must(unit, fmu_get_value(unit, v, &found), v->name)) return false;
    if (memcmp(&found, &value, sizeof value) != 0)
        fmu_violated(unit->report, FMU_PARAMETERS, "`%s` is set to %.17g and read as %.17g", v->name, value,
                     found);
    return true;
}

// a few steps with the value set before initialisation, or during it
static void run_with(const fmu_subject *subject, bool exchange, const fmu_variable *v, bool during,
                     fmu_trace *trace) {
    fmu_settings settings = fmu_usual(subject, exchange);
    fmu_plan plan = subject->plan;
    fmu_unit unit;
    fmu_course course = {0};
    double value = near_start(v), found = NAN;
    plan.stop = fmin(plan.stop, plan.start + SOME_STEPS * plan.step);
    fmu_trace_clear(trace);
    if (!fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report)) return;
    if (!during) (void)set_and_read(&unit, v, value);
    if (fmu_must(&unit, fmu_enter_initialization(&unit, plan.start, plan.stop, plan.tolerance),
                 "EnterInitializationMode") &&
        (!during || set_and_read(&unit, v, value)) && fmu_course_init(&course, &unit, &plan, trace)) {
        (void)fmu_course_advance(&course, plan.stop);
        if (unit.mode != FMU_BROKEN && fmu_must(&unit, fmu_get_value(&unit, v, &found), v->name) &&
            found != value)
            fmu_violated(subject->report, FMU_PARAMETERS, "`%s` was set to %.17g %s and is %.17g in the run",
                         v->name, value, during ? "during initialisation" : "before initialisation", found);
    }
    fmu_course_fini(&course);
    fmu_unit_fini(&unit);
}

static void compare_times(const fmu_subject *subject, bool exchange, const fmu_variable *v) {
    fmu_trace before, during;
    fmu_trace_init(&before, subject->description, false);
    fmu_trace_init(&during, subject->description, false);
    run_with(subject, exchange, v, false, &before);
    run_with(subject, exchange, v, true, &during);
    if (fmu_trace_differs(&before, &during) >= 0)
        fmu_violated(subject->report, FMU_PARAMETERS,
                     "`%s` set before and during initialisation gives two runs", v->name);
    fmu_trace_fini(&before);
    fmu_trace_fini(&during);
}

// inputs and tunable parameters, between two steps or in event mode
static void set_in_run(const fmu_subject *subject, bool exchange, const fmu_variable *v) {
    fmu_settings settings = fmu_usual(subject, exchange);
    fmu_plan plan = subject->plan;
    fmu_unit unit;
    fmu_course course = {0};
    fmu_trace trace;
    fmu_trace_init(&trace, subject->description, false);
    plan.stop = fmin(plan.stop, plan.start + SOME_STEPS * plan.step);
    if (fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report) &&
        fmu_course_init(&course, &unit, &plan, &trace) &&
        fmu_course_advance(&course, plan.start + (plan.stop - plan.start) / 3) && !course.over) {
        if (exchange) (void)fmu_must(&unit, fmu_enter_event_mode(&unit), "EnterEventMode");
        (void)set_and_read(&unit, v, near_start(v));
        if (exchange && unit.mode != FMU_BROKEN) (void)fmu_handle_event(&course);
        if (unit.mode != FMU_BROKEN) (void)fmu_course_advance(&course, plan.stop);
    }
    fmu_course_fini(&course);
    fmu_unit_fini(&unit);
    fmu_trace_fini(&trace);
}

void fmu_check_parameters(const fmu_subject *subject) {
    const fmu_description *d = subject->description;
    int left = MOST_PARAMETERS;
    for (int i = 0; i < d->variable_count && left > 0; i++) {
        const fmu_variable *v = &d->variables[i];
        bool parameter = v->causality == FMU_PARAMETER, input = v->causality == FMU_INPUT;
        if ((!parameter && !input) || v->type != FMU_REAL || v->array || v->clocked || !v->start) continue;
        left--;
        for (int exchange = 0; exchange < 2; exchange++) {
            if (!fmu_offers(subject, exchange)) continue;
            compare_times(subject, exchange, v);
            if (input || v->variability == FMU_TUNABLE) set_in_run(subject, exchange, v);
        }
    }
}
