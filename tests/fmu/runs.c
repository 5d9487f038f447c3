/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whole runs in every way an FMU offers, side by side, with resources in any place, and after a reset. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu/behaviour.h"

static bool run(const fmu_subject *subject, const fmu_settings *settings, const fmu_plan *plan,
                fmu_trace *trace) {
    fmu_trace_clear(trace);
    return fmu_course_run(subject->library, subject->description, settings, plan, trace, subject->report);
}

static void must_be_same(const fmu_subject *subject, const fmu_trace *a, const fmu_trace *b, fmu_rule rule,
                         const char *what) {
    int row = fmu_trace_differs(a, b);
    if (row < 0) return;
    double time = row < a->count ? a->rows[(size_t)row * ((size_t)a->columns + 1)] : NAN;
    fmu_violated(subject->report, rule, "%s: other values from row %d on, at %.9g s", what, row, time);
}

static void must_be_near(const fmu_subject *subject, const fmu_trace *a, const fmu_trace *b, double bound,
                         fmu_rule rule, const char *what) {
    int column = -1;
    double apart = fmu_trace_apart(a, b, subject->description, subject->plan.except, &column);
    if (!(apart <= bound))
        fmu_violated(subject->report, rule, "%s: `%s` ends %g of its size away", what,
                     column < 0 ? "time" : subject->description->variables[a->variables[column]].name, apart);
}

static void run_exchange(const fmu_subject *subject) {
    fmu_settings settings = fmu_usual(subject, true);
    fmu_plan plan = subject->plan;
    fmu_trace first, second;
    fmu_trace_init(&first, subject->description, true);
    fmu_trace_init(&second, subject->description, true);
    plan.checked = true;
    if (run(subject, &settings, &plan, &first)) {
        plan.checked = false; // looking must not change anything
        if (run(subject, &settings, &plan, &second))
            must_be_same(subject, &first, &second, FMU_PURITY,
                         "the same run with and without looking closely");
    }
    plan.cvode = true;
    (void)run(subject, &settings, &plan, &first);
    fmu_trace_fini(&first);
    fmu_trace_fini(&second);
}

static void run_with_events(const fmu_subject *subject, const fmu_trace *fixed) {
    fmu_settings settings = fmu_usual(subject, false);
    const fmu_interface *offered = &subject->description->cosimulation;
    fmu_plan plan = subject->plan;
    fmu_trace other;
    fmu_trace_init(&other, subject->description, true);
    settings.event_mode = true;
    if (offered->event_mode && run(subject, &settings, &plan, &other))
        must_be_near(subject, fixed, &other, 1e-2, FMU_AGREEMENT, "with and without event mode");
    settings.early = true;
    if (offered->event_mode && run(subject, &settings, &plan, &other))
        must_be_near(subject, fixed, &other, 1e-2, FMU_AGREEMENT, "with event mode and early return");
    settings.event_mode = false;
    if (offered->early && run(subject, &settings, &plan, &other)) {
        must_be_near(subject, fixed, &other, 1e-2, FMU_AGREEMENT, "with early return");
        if (offered->intermediate && other.earlies == 0)
            fmu_violated(subject->report, FMU_CAPABILITIES,
                         "steps can return early, and none does when it is asked to");
    }
    fmu_trace_fini(&other);
}

static void run_cosimulation(const fmu_subject *subject) {
    fmu_settings settings = fmu_usual(subject, false);
    const fmu_interface *offered = &subject->description->cosimulation;
    fmu_plan plan = subject->plan;
    fmu_trace fixed, other;
    fmu_trace_init(&fixed, subject->description, true);
    fmu_trace_init(&other, subject->description, true);
    if (run(subject, &settings, &plan, &fixed)) {
        if (run(subject, &settings, &plan, &other))
            must_be_same(subject, &fixed, &other, FMU_PURITY, "the same run twice");
        plan.rounded = true;
        if (run(subject, &settings, &plan, &other))
            must_be_near(subject, &fixed, &other, 1e-9, FMU_POINTS, "rounded communication points");
        plan.rounded = false;
        plan.vary = true;
        if (offered->variable_steps && run(subject, &settings, &plan, &other))
            must_be_near(subject, &fixed, &other, 1e-2, FMU_AGREEMENT, "steps of several lengths");
        if (subject->library->version == 3) run_with_events(subject, &fixed);
    }
    fmu_trace_fini(&fixed);
    fmu_trace_fini(&other);
}

void fmu_check_runs(const fmu_subject *subject) {
    if (fmu_offers(subject, true)) run_exchange(subject);
    if (fmu_offers(subject, false)) run_cosimulation(subject);
}

// ---- side by side ---------------------------------------------------------------------------------------------------------------

enum { SIDES = 3, TURNS = 7 };

typedef struct {
    fmu_unit unit;
    fmu_course course;
    fmu_trace trace;
    bool good;
} side;

static double turn_end(const fmu_plan *plan, int turn) {
    return turn == TURNS ? plan->stop : plan->start + (plan->stop - plan->start) * turn / TURNS;
}

static void take_turns(const fmu_subject *subject, bool exchange, side *sides, int count) {
    static const char *const names[] = {"one", "two", "three"};
    fmu_settings settings = fmu_usual(subject, exchange);
    for (int i = 0; i < count; i++) {
        settings.name = names[i];
        fmu_trace_init(&sides[i].trace, subject->description, true);
        sides[i].good = fmu_unit_init(&sides[i].unit, subject->library, subject->description, &settings,
                                      subject->report) &&
                        fmu_course_init(&sides[i].course, &sides[i].unit, &subject->plan, &sides[i].trace);
    }
    for (int turn = 1; turn <= TURNS; turn++)
        for (int i = count - 1; i >= 0; i--)
            if (sides[i].good)
                sides[i].good = fmu_course_advance(&sides[i].course, turn_end(&subject->plan, turn));
    for (int i = 0; i < count; i++) {
        if (sides[i].unit.instance) fmu_course_fini(&sides[i].course);
        fmu_unit_fini(&sides[i].unit);
    }
}

typedef struct {
    const fmu_subject *subject;
    bool exchange;
    fmu_report report;
    fmu_trace trace;
} worker;

static void *work(void *data) {
    worker *of = data;
    fmu_settings settings = fmu_usual(of->subject, of->exchange);
    (void)fmu_course_run(of->subject->library, of->subject->description, &settings, &of->subject->plan,
                         &of->trace, &of->report);
    return NULL;
}

static void in_threads(const fmu_subject *subject, bool exchange) {
    worker workers[SIDES];
    pthread_t threads[SIDES];
    memset(workers, 0, sizeof workers);
    for (int i = 0; i < SIDES; i++) {
        workers[i].subject = subject;
        workers[i].exchange = exchange;
        fmu_trace_init(&workers[i].trace, subject->description, true);
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) exit(2);
    }
    for (int i = 0; i < SIDES; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < SIDES; i++) {
        subject->report->violations += workers[i].report.violations;
        must_be_same(subject, &workers[0].trace, &workers[i].trace, FMU_INSTANCES, "instances in threads");
    }
    for (int i = 0; i < SIDES; i++) fmu_trace_fini(&workers[i].trace);
}

void fmu_check_instances(const fmu_subject *subject) {
    for (int exchange = 0; exchange < 2; exchange++) {
        if (!fmu_offers(subject, exchange)) continue;
        side alone = {0}, beside[SIDES] = {0};
        take_turns(subject, exchange, &alone, 1);
        take_turns(subject, exchange, beside, SIDES);
        for (int i = 0; i < SIDES; i++)
            must_be_same(subject, &alone.trace, &beside[i].trace, FMU_INSTANCES,
                         "an instance alone and one of three");
        for (int i = 0; i < SIDES; i++) fmu_trace_fini(&beside[i].trace);
        fmu_trace_fini(&alone.trace);
        in_threads(subject, exchange);
    }
}

// ---- resources ------------------------------------------------------------------------------------------------------------------

void fmu_check_resources(const fmu_subject *subject) {
    bool exchange = !fmu_offers(subject, false);
    char *folder = realpath(subject->archive->folder, NULL), *spaced = fmu_format("%s with space", folder);
    (void)unlink(spaced);
    if (symlink(folder, spaced) != 0) exit(2);
    char *places[] = {NULL,
                      fmu_format("file://%s/resources", folder),
                      fmu_format("file:%s/resources", folder),
                      fmu_format("file://localhost%s/resources", folder),
                      fmu_format("%s/resources/", folder),
                      fmu_format("%s/resources", folder),
                      fmu_format("%s/resources/", spaced),
                      fmu_format("file://%s%%20with%%20space/resources", folder),
                      fmu_format("%s", "")};
    fmu_trace usual, other;
    fmu_settings settings = fmu_usual(subject, exchange);
    fmu_trace_init(&usual, subject->description, false);
    fmu_trace_init(&other, subject->description, false);
    if (run(subject, &settings, &subject->plan, &usual))
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            char *what = fmu_format("resources in `%s`", places[i] ? places[i] : "NULL");
            int before = subject->report->violations;
            settings.resources = places[i];
            (void)run(subject, &settings, &subject->plan, &other);
            must_be_same(subject, &usual, &other, FMU_RESOURCES, what);
            if (subject->report->violations > before) printf("with %s\n", what);
            free(what);
        }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) free(places[i]);
    fmu_trace_fini(&usual);
    fmu_trace_fini(&other);
    (void)unlink(spaced);
    free(spaced);
    free(folder);
}

// ---- reset ----------------------------------------------------------------------------------------------------------------------

static void run_half(const fmu_subject *subject, fmu_unit *unit, fmu_trace *trace, double until) {
    fmu_course course;
    fmu_trace_clear(trace);
    if (fmu_course_init(&course, unit, &subject->plan, trace)) (void)fmu_course_advance(&course, until);
    fmu_course_fini(&course);
}

void fmu_check_reset(const fmu_subject *subject) {
    for (int exchange = 0; exchange < 2; exchange++) {
        fmu_settings settings = fmu_usual(subject, exchange);
        fmu_trace fresh, again;
        fmu_unit unit;
        if (!fmu_offers(subject, exchange)) continue;
        fmu_trace_init(&fresh, subject->description, true);
        fmu_trace_init(&again, subject->description, true);
        if (run(subject, &settings, &subject->plan, &fresh) &&
            fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report)) {
            run_half(subject, &unit, &again, (subject->plan.start + subject->plan.stop) / 2);
            for (int k = 0; k < 2 && fmu_must(&unit, fmu_reset(&unit), "Reset"); k++) {
                run_half(subject, &unit, &again, subject->plan.stop);
                must_be_same(subject, &fresh, &again, FMU_RESET,
                             k ? "a run after a second reset" : "a run after a reset");
                if (unit.mode != FMU_BROKEN) (void)fmu_must(&unit, fmu_terminate(&unit), "Terminate");
            }
            fmu_unit_fini(&unit);
        }
        fmu_trace_fini(&fresh);
        fmu_trace_fini(&again);
    }
}
