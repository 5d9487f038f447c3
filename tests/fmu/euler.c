/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Forward Euler as an importer's integrator. By itself it sees a crossing at the end of the step that went past it. With `located` it
 * halves the step until it ends right after the first crossing: states are linear in time within a step, so no step has to be made anew. */
#include <string.h>

#include "fmu/course.h"

// the point at a time within the step that begins where `before` and `rates` are
static void point_at(fmu_course *course, double begin, double time) {
    for (int i = 0; i < course->unit->states; i++)
        course->x[i] = course->before[i] + (time - begin) * course->rates[i];
    course->time = time;
}

static bool crosses(fmu_course *course, double begin, double time) {
    fmu_unit *unit = course->unit;
    point_at(course, begin, time);
    (void)fmu_must(unit, fmu_set_time(unit, course->time), "SetTime");
    (void)fmu_must(unit, fmu_set_states(unit, course->x), "SetContinuousStates");
    (void)fmu_must(unit, fmu_get_indicators(unit, course->z), "GetEventIndicators");
    return fmu_crossed(course);
}

static void locate(fmu_course *course, double begin, double end) {
    double without = begin, with = end;
    if (!crosses(course, begin, end)) return;
    for (double middle = begin; (middle = without + (with - without) / 2) > without && middle < with;)
        *(crosses(course, begin, middle) ? &with : &without) = middle;
    point_at(course, begin, with);
}

bool fmu_euler_step(fmu_course *course, double limit) {
    fmu_unit *unit = course->unit;
    double begin = course->time;
    if (!fmu_must(unit, fmu_get_rates(unit, course->rates), "GetDerivatives")) return false;
    memcpy(course->before, course->x, (size_t)unit->states * sizeof *course->x);
    point_at(course, begin, limit);
    if (course->plan->located) locate(course, begin, limit);
    return unit->mode != FMU_BROKEN;
}
