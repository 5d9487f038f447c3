/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of an instance, by model exchange or co-simulation, and what was recorded on the way. A course can be stopped anywhere and continued,
 * also by another instance that was given the state. */
#ifndef TESTS_FMU_COURSE_H
#define TESTS_FMU_COURSE_H

#include "fmu/unit.h"

typedef struct {
    int *variables; // indexes of what is recorded
    int columns;
    double *rows; // time, then a value for each variable
    int count, room;
    int events;  // visits of event mode
    int updates; // iterations in all of them
    int changes; // visits that changed a discrete variable
    int earlies; // steps that returned early
} fmu_trace;

typedef struct {
    double start, stop, step, tolerance;
    bool cvode;   // model exchange: CVODE, otherwise forward Euler
    bool located; // forward Euler whose steps end where an indicator crosses
    bool
        sparing; // which looks beyond events, and begins anew only where states or nominal values have changed
    bool vary;   // co-simulation: communication steps of different lengths
    bool rounded;       // co-simulation: communication points off by a rounding error
    bool checked;       // look at purity, continuity, dependencies on the way
    bool until_ends;    // a verdict ends the run; it is not a violation
    const char *except; // a variable that runs with other steps may have otherwise; NULL: none
} fmu_plan;

// where a run stands beside the FMU's own state
typedef struct {
    fmu_unit *unit;
    const fmu_plan *plan;
    fmu_trace *trace;
    double time;
    long steps; // communication steps, or steps of the integrator, done
    fmu_update update;
    double *x, *rates, *before, *z, *z_before, *nominals;
    bool over; // the FMU asked to end
    void *integrator;
    long checks;
    int changes; // of the trace, when a point was looked at last
} fmu_course;

// outputs, states and discrete variables; all: every number
void fmu_trace_init(fmu_trace *trace, const fmu_description *description, bool all);
void fmu_trace_fini(fmu_trace *trace);
void fmu_trace_clear(fmu_trace *trace);
void fmu_trace_add(fmu_trace *trace, fmu_unit *unit, double time);
// -1: equal in every bit; otherwise the first row that differs
int fmu_trace_differs(const fmu_trace *a, const fmu_trace *b);
// the largest difference of the last rows, by the size of the column; discrete reals are left out: an impulse that is none is of the size
// of rounding
double fmu_trace_apart(const fmu_trace *a, const fmu_trace *b, const fmu_description *description,
                       const char *except, int *column);

// initialises the instance; false: it cannot be
bool fmu_course_init(fmu_course *course, fmu_unit *unit, const fmu_plan *plan, fmu_trace *trace);
// the same for an instance whose state was restored: nothing is called but what reads
void fmu_course_resume(fmu_course *course, const fmu_course *from, fmu_unit *unit);
// false: something failed, which is reported
bool fmu_course_advance(fmu_course *course, double until);
void fmu_course_fini(fmu_course *course);

// one whole run of a new instance, terminated and freed; false: it could not end
bool fmu_course_run(const fmu_library *library, const fmu_description *description,
                    const fmu_settings *settings, const fmu_plan *plan, fmu_trace *trace, fmu_report *report);

// parts of it
bool fmu_exchange_advance(fmu_course *course, double until);
bool fmu_cosimulation_advance(fmu_course *course, double until);
bool fmu_handle_event(fmu_course *course);
// whether an indicator has another sign than at the end of the step before
bool fmu_crossed(const fmu_course *course);
// one step up to `limit`, or to the first crossing; sets time and x of the course
bool fmu_euler_step(fmu_course *course, double limit);
void *fmu_cvode_new(fmu_course *course);
void fmu_cvode_free(void *integrator);
// one step towards `limit`; sets time and x of the course. False: the integrator gives up.
bool fmu_cvode_step(fmu_course *course, double limit, bool *root);
void fmu_cvode_restart(fmu_course *course);

#endif
