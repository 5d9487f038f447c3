/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run from initialisation to its end. */
#include "fmu/course.h"

#include <stdlib.h>
#include <string.h>

static void reserve(fmu_course *course, fmu_unit *unit) {
    size_t x = (size_t)unit->states, z = (size_t)unit->indicators;
    course->x = fmu_allocate(4 * x + 2 * z, sizeof *course->x);
    course->rates = course->x + x;
    course->before = course->rates + x;
    course->nominals = course->before + x;
    course->z = course->nominals + x;
    course->z_before = course->z + z;
}

bool fmu_course_init(fmu_course *course, fmu_unit *unit, const fmu_plan *plan, fmu_trace *trace) {
    *course = (fmu_course){.unit = unit, .plan = plan, .trace = trace, .time = plan->start};
    reserve(course, unit);
    if (unit->mode == FMU_INSTANTIATED &&
        !fmu_must(unit, fmu_enter_initialization(unit, plan->start, plan->stop, plan->tolerance),
                  "EnterInitializationMode"))
        return false;
    if (!fmu_must(unit, fmu_exit_initialization(unit), "ExitInitializationMode")) return false;
    if (unit->mode == FMU_EVENT_MODE) {
        if (!fmu_handle_event(course)) return false;
        trace->events--; // the start is none
    }
    if (course->over) return true;
    if (plan->cvode && unit->settings.exchange) course->integrator = fmu_cvode_new(course);
    fmu_trace_add(trace, unit, course->time);
    return unit->mode != FMU_BROKEN;
}

void fmu_course_resume(fmu_course *course, const fmu_course *from, fmu_unit *unit) {
    *course = *from;
    course->unit = unit;
    course->integrator = NULL;
    reserve(course, unit);
    if (!unit->settings.exchange) return;
    (void)fmu_must(unit, fmu_get_states(unit, course->x), "GetContinuousStates");
    (void)fmu_must(unit, fmu_get_nominals(unit, course->nominals), "GetNominalsOfContinuousStates");
    (void)fmu_must(unit, fmu_get_indicators(unit, course->z), "GetEventIndicators");
    if (course->plan->cvode) course->integrator = fmu_cvode_new(course);
}

bool fmu_course_advance(fmu_course *course, double until) {
    return course->unit->settings.exchange ? fmu_exchange_advance(course, until)
                                           : fmu_cosimulation_advance(course, until);
}

void fmu_course_fini(fmu_course *course) {
    fmu_cvode_free(course->integrator);
    free(course->x);
}

bool fmu_course_run(const fmu_library *library, const fmu_description *description,
                    const fmu_settings *settings, const fmu_plan *plan, fmu_trace *trace,
                    fmu_report *report) {
    fmu_unit unit;
    fmu_course course;
    if (!fmu_unit_init(&unit, library, description, settings, report)) {
        fmu_violated(report, FMU_MACHINE, "there is no instance for %s%s%s",
                     settings->exchange ? "model exchange" : "co-simulation",
                     unit.last_message[0] ? ": " : "", unit.last_message);
        return false;
    }
    bool good = fmu_course_init(&course, &unit, plan, trace) && fmu_course_advance(&course, plan->stop);
    if (good && unit.mode != FMU_TERMINATED) good = fmu_must(&unit, fmu_terminate(&unit), "Terminate");
    fmu_course_fini(&course);
    fmu_unit_fini(&unit);
    return good;
}
