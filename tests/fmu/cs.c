/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Co-simulation: communication steps of one length or of several, events handled by the importer where the FMU offers event mode, and steps
 * that return early. */
#include <math.h>

#include "fmu/course.h"

// the next communication point, by number and not by adding up; varied ones cycle through lengths that make up three steps: two whole ones where
// the FMU names its step, else three odd ones
static double next_point(const fmu_course *course, double until) {
    static const double odd[] = {0.25, 2.125, 3}, whole[] = {1, 3, 3};
    const fmu_plan *plan = course->plan;
    const double *part = course->unit->description->step > 0 ? whole : odd;
    long k = course->steps;
    double in_steps = plan->vary ? (double)(k / 3 * 3) + part[k % 3] : (double)(k + 1);
    double point = plan->start + in_steps * plan->step;
    return point > until - 1e-9 * plan->step ? until : point;
}

static bool check_result(fmu_course *course, double target, const fmu_step *result) {
    fmu_unit *unit = course->unit;
    double span = target - course->time;
    if (result->early && !unit->settings.early)
        fmu_violated(unit->report, FMU_CAPABILITIES, "at %.9g s a step returns early, which is not allowed",
                     course->time);
    if (result->event && !unit->settings.event_mode)
        fmu_violated(unit->report, FMU_CAPABILITIES, "at %.9g s an event is announced without event mode",
                     course->time);
    if (!result->early && !result->terminate &&
        fabs(result->reached - target) > 1e-6 * span + 1e-15 * fabs(target))
        fmu_violated(unit->report, FMU_POINTS, "a step to %.9g s ends at %.9g s", target, result->reached);
    if (result->early && !(result->reached >= course->time && result->reached <= target))
        fmu_violated(unit->report, FMU_POINTS, "a step from %.9g to %.9g s returns early at %.9g s",
                     course->time, target, result->reached);
    return unit->mode != FMU_BROKEN;
}

// a step that returns early again and again where it began would never end
static bool stands_still(fmu_course *course, double from, long *still) {
    *still = course->time > from ? 0 : *still + 1;
    if (*still < 100) return false;
    fmu_violated(course->unit->report, FMU_POINTS, "steps from %.9g s do not get anywhere", from);
    course->unit->mode = FMU_BROKEN;
    return true;
}

bool fmu_cosimulation_advance(fmu_course *course, double until) {
    fmu_unit *unit = course->unit;
    long still = 0;
    while (course->time < until && !course->over) {
        double target = next_point(course, until), from = course->time;
        if (target <= from) {
            course->steps++;
            continue;
        }
        // some importers hand in points that they added up
        if (course->plan->rounded && course->steps)
            from = nextafter(from, course->steps % 2 ? INFINITY : -INFINITY);
        fmu_step result;
        unit->early_at = unit->settings.early ? from + 0.5 * (target - from) : INFINITY;
        int status = fmu_do_step(unit, from, target - from, &result);
        if (status != FMU_OK && course->plan->until_ends) {
            course->over = true;
            break;
        }
        if (status != FMU_OK && course->plan->rounded)
            fmu_violated(unit->report, FMU_POINTS, "a step from a rounded point, %.17g s, gives %d", from,
                         status);
        if (!fmu_must(unit, status, "DoStep") || !check_result(course, target, &result)) return false;
        course->over = result.terminate;
        course->trace->earlies += result.early;
        course->time = result.early ? result.reached : target;
        if (course->time >= target) course->steps++;
        if (stands_still(course, from, &still)) return false;
        if (result.event && !course->over &&
            (!fmu_must(unit, fmu_enter_event_mode(unit), "EnterEventMode") || !fmu_handle_event(course)))
            return false;
        if (!course->over && (course->time >= target || result.event))
            fmu_trace_add(course->trace, unit, course->time);
    }
    return unit->mode != FMU_BROKEN;
}
