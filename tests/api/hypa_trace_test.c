/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of examples that are behaviours of their processes are none any more when they are changed: momentum that is lost at an instant, energy that is
 * gained there, a mode that is not left, a switching that comes late, a value in a flow that is not where its clause leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "api/hypa_impl.h"
#include "support/soak.h"
#include "verify/process_check_impl.h"

static const char *const library = HBG_SOURCE_DIR "/lib";

typedef struct {
    hbg_arena *arena;
    const hbg_process *of;
    hbg_process_point *points; /* to be changed */
    int32_t count;
    double tolerance;
    double *sizes; /* by variable */
} course;

static hbg_process_judgement judge(const course *c) {
    return hbg_verify_process_check(c->arena, c->of, c->points, c->count, c->tolerance);
}

static course copy_of(hbg_arena *arena, const hypa_part_trace *part, double tolerance) {
    course c = {arena, part->of, NULL, part->points.count, tolerance, NULL};
    int32_t variables = part->of->variables.count;
    c.points = HBG_NEW_ARRAY(arena, hbg_process_point, c.count + 1);
    c.sizes = HBG_NEW_ARRAY(arena, double, variables + 1);
    for (int32_t i = 0; i < c.count; i++) {
        double *values = HBG_NEW_ARRAY(arena, double, variables + 1);
        c.points[i] = part->points.items[i];
        memcpy(values, c.points[i].values, (size_t)variables * sizeof *values);
        c.points[i].values = values;
        for (int32_t k = 0; k < variables; k++)
            if (isfinite(values[k])) c.sizes[k] = fmax(c.sizes[k], fabs(values[k]));
    }
    return c;
}

static bool jumps(const course *c, int32_t i) {
    for (int32_t k = 0; k < c->of->variables.count; k++)
        if (c->of->variables.items[k].role == HBG_PROCESS_ENERGY &&
            fabs(c->points[i].values[k] - c->points[i - 1].values[k]) > 1e-3 * c->sizes[k])
            return true;
    return false;
}

/* Another mode, or another energy. */
static bool moves(const course *c, int32_t i) {
    size_t size = (size_t)c->of->automaton_count * sizeof(int32_t);
    return i > 1 && c->points[i].is_instant &&
           (memcmp(c->points[i - 1].states, c->points[i].states, size) != 0 || jumps(c, i));
}

/* The first such point after the middle of the run, else before; or HBG_NONE. */
static int32_t find(const course *c, bool instant) {
    for (int32_t i = c->count / 2, tried = 1; tried < c->count; tried++, i = i % (c->count - 1) + 1)
        if (instant ? moves(c, i) : !c->points[i].is_instant && c->points[i].t > c->points[i - 1].t) return i;
    return HBG_NONE;
}

/* The energy that is the largest share of its size there, more than a hundredth; or HBG_NONE. */
static int32_t find_energy(const course *c, int32_t point) {
    int32_t best = HBG_NONE;
    double most = 0.01;
    for (int32_t k = 0; k < c->of->variables.count; k++) {
        double share = c->sizes[k] > 0 ? fabs(c->points[point].values[k]) / c->sizes[k] : 0;
        if (c->of->variables.items[k].role != HBG_PROCESS_ENERGY || !(share > most)) continue;
        most = share;
        best = k;
    }
    return best;
}

static void scale(course *c, int32_t point, double by) {
    int32_t energy = find_energy(c, point);
    if (energy != HBG_NONE) ((double *)c->points[point].values)[energy] *= by;
}

static void lose(course *c) {
    int32_t at = find(c, true);
    if (at != HBG_NONE) scale(c, at, 0.9);
}

static void gain(course *c) {
    int32_t at = find(c, true);
    if (at != HBG_NONE) scale(c, at, 1.05);
}

static void flow_otherwise(course *c) {
    int32_t at = find(c, false);
    if (at != HBG_NONE) scale(c, at, 1.01);
}

static void stay(course *c) {
    int32_t at = find(c, true);
    const int32_t *before = at != HBG_NONE ? c->points[at - 1].states : NULL;
    for (int32_t i = at; before && i < c->count && (i == at || !c->points[i].is_instant); i++)
        c->points[i].states = before;
}

/* Something from outside changed there, which may do so whenever it likes. */
static bool is_driven(const course *c, int32_t point) {
    for (int32_t k = 0; k < c->of->variables.count; k++)
        if (c->of->variables.items[k].role == HBG_PROCESS_INPUT &&
            c->points[point].values[k] != c->points[point - 1].values[k])
            return true;
    return false;
}

/* Time flows on by the clause that should have been left, for a tenth of what comes before the next instant or the end. */
static void come_late(course *c) {
    int32_t at = find(c, true), clause = 0, next = at + 1;
    if (at == HBG_NONE || at + 1 >= c->count || is_driven(c, at)) return;
    size_t size = (size_t)c->of->automaton_count * sizeof(int32_t);
    while (clause < c->of->clauses.count &&
           memcmp(c->of->clauses.items[clause].states, c->points[at - 1].states, size) != 0)
        clause++;
    if (clause == c->of->clauses.count) return;
    while (next + 1 < c->count && !c->points[next].is_instant) next++;
    double late = 0.1 * (c->points[next].t - c->points[at].t);
    if (late == 0) return;
    process_scope scope = {0};
    double *values = (double *)c->points[at - 1].values;
    hbg_verify_check_init(&scope, c->arena, c->of);
    memcpy(scope.sizes, c->sizes, (size_t)c->of->variables.count * sizeof *c->sizes);
    if (!hbg_verify_check_flow(&scope, &c->of->clauses.items[clause], late, 1e-9, values)) return;
    c->points[at - 1].t += late;
    c->points[at].t += late;
    c->count = at + 1;
}

static const struct {
    const char *what;
    void (*change)(course *c);
} changes[] = {{"momentum is lost", lose},
               {"energy is gained", gain},
               {"a mode is not left", stay},
               {"a switching comes late", come_late},
               {"it flows otherwise", flow_otherwise}};
enum { CHANGES = sizeof changes / sizeof *changes };

static bool differs(const course *a, const hypa_part_trace *b) {
    size_t size = (size_t)a->of->automaton_count * sizeof(int32_t),
           values = (size_t)a->of->variables.count * sizeof(double);
    for (int32_t i = 0; i < a->count; i++)
        if (memcmp(a->points[i].values, b->points.items[i].values, values) != 0 ||
            memcmp(a->points[i].states, b->points.items[i].states, size) != 0)
            return true;
    return false;
}

static int coded[HBG_DIFFERENCE_COUNT + 1]; /* how often this explained a refusal; the last: none */

/* How often a change was one, and was refused. */
static hbg_status change_parts(hypa_work *work, const char *name, const hypa_trace *trace, int *made) {
    for (int32_t i = 0; i < work->part_count; i++) {
        const hypa_part_trace *part = &trace->parts[i];
        course as_it_is = copy_of(&work->session->scratch, part, trace->tolerance);
        if (part->cut || judge(&as_it_is).verdict != HBG_VERDICT_PROVED) continue;
        for (int k = 0; k < CHANGES; k++) {
            course c = copy_of(&work->session->scratch, part, trace->tolerance);
            changes[k].change(&c);
            if (!differs(&c, part)) continue;
            hbg_process_judgement said = judge(&c);
            if (said.verdict != HBG_VERDICT_WITNESS)
                fail_msg("%s, part %s: %s, and it is accepted", name, work->names[i], changes[k].what);
            hbg_difference code = hbg_api_hypa_explain(work->models[i], &said);
            if (said.kind == HBG_REFUSED_FLOW && code != HBG_DIFFERENCE_COUNT)
                fail_msg("%s: %s is no difference between 003 and hbg", name, changes[k].what);
            coded[code]++;
            made[k]++;
        }
    }
    return HBG_OK;
}

static hbg_status change_run(hbg_session *session, const hbg_model *model, const char *name, int *made) {
    hbg_run_options options = hbg_run_options_default();
    HBG_RUN_ENTER(session);
    hypa_work *work = HBG_NEW(&session->scratch, hypa_work);
    hypa_trace *trace = HBG_NEW(&session->scratch, hypa_trace);
    work->session = session;
    hbg_status status = hbg_api_hypa_trace(work, model, &options, trace);
    if (status == HBG_OK) status = change_parts(work, name, trace, made);
    return hbg_api_run_leave(session, status);
}

static void change_example(const char *name, int *made) {
    char path[1000];
    hbg_session *session;
    hbg_model *model;
    hbg_session_options how = hbg_session_options_default();
    how.search = &library;
    how.search_count = 1;
    assert_int_equal(hbg_session_new(&how, &session), HBG_OK);
    snprintf(path, sizeof path, HBG_SOURCE_DIR "/examples/%s/%s.hbg", name, name);
    assert_int_equal(hbg_load_file(session, path, NULL, &model), HBG_OK);
    assert_int_equal(change_run(session, model, name, made), HBG_OK);
    hbg_session_free(session);
}

/* All that tests/tool/hypa_verdicts has as accepted in `make test`, a share of it outside soak; each change was made somewhere. */
static void changed_runs_of_examples_are_refused(void **state) {
    (void)state;
    int made[CHANGES] = {0}, number = 0, share = trials(6, 1);
    char line[300], name[100], verdict[30], when[10];
    FILE *list = fopen(HBG_SOURCE_DIR "/tests/tool/hypa_verdicts", "r");
    assert_non_null(list);
    change_example("uncertain-impact", made);
    while (fgets(line, sizeof line, list)) {
        if (line[0] == '#' || sscanf(line, "%99s %29s %9s", name, verdict, when) != 3) continue;
        if (strcmp(verdict, "accepted") != 0 || strcmp(when, "test") != 0 || number++ % share != 0) continue;
        change_example(name, made);
    }
    fclose(list);
    for (int k = 0; k < CHANGES; k++)
        if (made[k] < number / share / 4) fail_msg("%s: in %d runs only", changes[k].what, made[k]);
    // late: D5; rebounds with other energies: D8
    static const hbg_difference some[] = {HBG_DIFFERENCE_D5, HBG_DIFFERENCE_D8};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        if (coded[some[k]] == 0) fail_msg("%s explains nothing", hbg_verify_difference_code(some[k]));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changed_runs_of_examples_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
