/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Block diagrams of the examples, computed by an evaluator that knows the format alone, beside runs with the same method and step. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbg/export.h"
#include "hbg/simulation.h"
#include "support/block_diagram.h"

enum { PATH_SIZE = 512, STEPS = 397 };

typedef enum { AGREES, REFUSED, NOT_RUN, DIFFERS } outcome;

typedef struct {
    outcome how;
    char words[600];
    double off; /* the largest difference, as a share of the largest value of its column */
    int64_t rows;
    int switchings;
} comparison;

/* ---- an example --------------------------------------------------------------------------------------- */

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (file) text[fread(text, 1, (1 << 16) - 1, file)] = 0;
    if (file) fclose(file);
    return text;
}

/* The step that the first experiment, or the one named, has; else a share of its time. */
static void step_of(const char *text, const char *experiment, char *step, size_t size) {
    char head[100], stop[200] = "";
    snprintf(head, sizeof head, "experiment %s", experiment ? experiment : "");
    const char *at = strstr(text, head), *end = at ? strstr(at, "\n    }") : NULL;
    const char *fixed = at ? strstr(at, "solver ode3 step ") : NULL, *until = at ? strstr(at, "stop ") : NULL;
    step[0] = 0;
    if (fixed && end && fixed < end) return;
    if (until) sscanf(until + 5, "%199[^;]", stop);
    bool at_once = strncmp(stop, "0 ", 2) == 0; // only the start
    if (at_once) snprintf(step, size, "1 [ms]");
    if (!at_once) snprintf(step, size, "(%s)/%d", stop, (int)STEPS);
}

static hbg_session *load(const char *name, const char *experiment, const char *stop, hbg_model **model,
                         bool *own) {
    static char path[PATH_SIZE], step[300];
    hbg_session *session = NULL;
    static const char *const library = HBG_SOURCE_DIR "/lib";
    hbg_session_options with = {.search = &library, .search_count = 1};
    assert_int_equal(hbg_session_new(&with, &session), HBG_OK);
    snprintf(path, sizeof path, "%s/examples/%s/%s.hbg", HBG_SOURCE_DIR, name, name);
    char *text = read_text(path);
    step_of(text, experiment, step, sizeof step);
    free(text);
    *own = step[0] == 0;
    hbg_load_options options = {
        .experiment = experiment, .stop = stop, .step = *own ? NULL : step, .every = *own ? NULL : step};
    if (hbg_load_file(session, path, &options, model) == HBG_OK) return session;
    hbg_session_free(session);
    return NULL;
}

/* ---- a comparison ------------------------------------------------------------------------------------- */

static void compare_rows(comparison *c, const hbg_results *results, const hbg_test_rows *rows) {
    double *sizes = calloc((size_t)results->column_count, sizeof *sizes);
    double *row = calloc((size_t)results->column_count, sizeof *row), far = 0;
    for (int32_t i = 0; i < results->column_count; i++)
        for (int64_t k = 0; k < results->row_count; k++)
            sizes[i] = fmax(sizes[i], fabs(results->columns[i].values[k]));
    // what is 0 throughout, as a virtual earth, may be what rounding of others leaves
    for (int32_t i = 0; i < results->column_count; i++)
        sizes[i] = sizes[i] == 0 ? 1e-5 : fmax(sizes[i], 1e-12);
    for (int64_t k = 0; k < results->row_count; k++) {
        for (int32_t i = 0; i < results->column_count; i++) row[i] = results->columns[i].values[k];
        if (k == 0 && results->row_count > 1 && results->columns[0].values[1] == 0) continue; // as declared
        far = fmax(far, hbg_test_rows_off(rows, row, sizes, 1e-9 * sizes[0]));
    }
    c->off = far;
    c->rows = results->row_count;
    free(sizes);
    free(row);
}

static void run_both(comparison *c, hbg_session *session, const hbg_model *model, const char *json,
                     const hbg_run_options *options) {
    const hbg_results *results = NULL;
    hbg_test_rows rows = {0};
    hbg_test_diagram *diagram = hbg_test_diagram_read(json, c->words, sizeof c->words);
    c->how = DIFFERS;
    if (!diagram) return;
    const char *wrong = hbg_test_diagram_run(diagram, &rows);
    c->switchings = hbg_test_diagram_switchings(diagram);
    hbg_status status = hbg_run_results(session, model, options, &results);
    if (status != HBG_OK || results->end != HBG_RUN_FINISHED) {
        c->how = NOT_RUN;
        snprintf(c->words, sizeof c->words, "%s",
                 status == HBG_OK ? results->reason : hbg_session_reason(session));
    } else if (wrong) {
        snprintf(c->words, sizeof c->words, "%s", wrong);
    } else {
        compare_rows(c, results, &rows);
        c->how = AGREES;
    }
    hbg_results_free(session, results);
    hbg_test_diagram_free(diagram);
    free(rows.values);
}

/* `spoil` may change the JSON first. */
static comparison compare(const char *name, const char *experiment, const char *stop,
                          void (*spoil)(char *json)) {
    comparison c = {.how = NOT_RUN};
    hbg_model *model;
    bool own;
    hbg_session *session = load(name, experiment, stop, &model, &own);
    if (!session) return c;
    hbg_run_options options = hbg_run_options_default();
    hbg_export_blocks_options how = {.file = "-", .to = "json", .name = "diagram"};
    hbg_text text;
    options.experiment = experiment;
    options.solver = own ? NULL : "rk4";
    options.ledger = false;
    hbg_status status = hbg_export_blocks(session, model, &options, &how, &text);
    if (status == HBG_OK) {
        char *json = calloc(1, text.size + 1);
        memcpy(json, text.data, text.size);
        if (spoil) spoil(json);
        run_both(&c, session, model, json, &options);
        free(json);
        hbg_text_free(session, &text);
    } else {
        c.how = REFUSED;
        snprintf(c.words, sizeof c.words, "%s", hbg_session_reason(session));
    }
    hbg_session_free(session);
    return c;
}

/* Rounding, over a few thousand steps; where modes follow each other at kilohertz nothing but that may differ either. */
static const double bound = 1e-10;

static void expect(const char *name, const char *experiment, int least_switchings) {
    comparison c = compare(name, experiment, NULL, NULL);
    if (c.how != AGREES) fail_msg("%s %s: %s", name, experiment ? experiment : "", c.words);
    if (!(c.off < bound)) fail_msg("%s %s is off by %g", name, experiment ? experiment : "", c.off);
    if (c.switchings < least_switchings) fail_msg("%s switches %d times only", name, c.switchings);
    print_message("%s: off by %.2g in %ld rows with %d mode changes\n", name, c.off, (long)c.rows,
                  c.switchings);
}

/* ---- the models that have to agree -------------------------------------------------------------------- */

/* Both junctions on, either off, and both off, where two inductors are dependent and their fluxes jump. */
static void the_running_circuit_agrees_in_all_its_modes(void **state) {
    (void)state;
    expect("running-circuit", "trip_and_reset", 5);
    expect("running-circuit", "both_open", 1);
    expect("running-circuit", "with_capacitors_charged", 0);
}

static void a_thermostat_and_a_converter_agree(void **state) {
    (void)state;
    expect("thermostat-oven", NULL, 10);
    expect("boost-buck-inverter", NULL, 1000);
}

static void adapt_agrees(void **state) {
    (void)state;
    expect("adapt-experiment-1", NULL, 1000);
}

/* ---- all examples ------------------------------------------------------------------------------------- */

static const char *const reasons[] = {"pulses, and a guard reads it",
                                      "has restitution",
                                      "sources are in conflict",
                                      "`pre`",
                                      "faults or noise",
                                      "sampled",
                                      "at samples only",
                                      "energy of a storage",
                                      "local modes",
                                      "solver of a fixed step"};
enum { REASONS = sizeof reasons / sizeof *reasons };

static int reason_of(const comparison *c) {
    for (int i = 0; i < REASONS; i++)
        if (strstr(c->words, reasons[i])) return i;
    fail_msg("refused for a reason of no kind: %s", c->words);
    return 0;
}

/* What is accepted agrees with a run, whatever it is; what is refused says why. */
static void every_example_agrees_or_is_refused_with_a_reason(void **state) {
    (void)state;
    struct dirent **list;
    int count = scandir(HBG_SOURCE_DIR "/examples", &list, NULL, alphasort), agree = 0, refused = 0,
        not_run = 0;
    int by_reason[REASONS] = {0};
    for (int i = 0; i < count; i++) {
        const char *name = list[i]->d_name;
        comparison c = {.how = NOT_RUN};
        bool is_example = !strchr(name, '.') && strncmp(name, "adapt", 5) != 0;
        if (is_example) c = compare(name, NULL, NULL, NULL);
        if (c.how == DIFFERS || (c.how == AGREES && !(c.off < bound)))
            fail_msg("%s: off by %g; %s", name, c.off, c.words);
        agree += c.how == AGREES;
        refused += c.how == REFUSED;
        not_run += is_example && c.how == NOT_RUN;
        if (c.how == REFUSED) by_reason[reason_of(&c)]++;
        free(list[i]);
    }
    free(list);
    print_message("%d examples agree, %d are refused, %d do not run with this step\n", agree, refused,
                  not_run);
    for (int i = 0; i < REASONS; i++) print_message("  %d refused: %s\n", by_reason[i], reasons[i]);
    assert_true(agree >= 45 && refused > 0);
}

/* ---- what the evaluator notices ----------------------------------------------------------------------- */

static void replace(char *json, const char *from, const char *to) {
    char *at = strstr(json, from);
    if (!at || strlen(from) != strlen(to)) fail_msg("`%s` cannot be put in place of `%s`", to, from);
    memcpy(at, to, strlen(to));
}

/* At the block of this name. */
static char *block_named(char *json, const char *name) {
    char *at = strstr(json, name);
    if (!at) fail_msg("there is no `%s`", name);
    return at;
}

static void turn_a_sign(char *json) {
    replace(block_named(json, "\"kind\": \"sum\""), "\"signs\": \"+", "\"signs\": \"-");
}
static void swap_the_cases_of_a_switch(char *json) {
    replace(json, "\"cases\": [6, 4]", "\"cases\": [4, 6]");
}
static void change_a_lookup(char *json) {
    replace(json, "\"table\": [6, 6, 4, 4]", "\"table\": [6, 4, 4, 4]");
}
static void change_a_gain(char *json) {
    replace(block_named(json, "\"factor\": 100"), "100", "101");
}
static void change_a_start(char *json) {
    replace(block_named(json, "\"inductor_2.p\", \"initial\""), "\"initial\": 0", "\"initial\": 1");
}
static void take_another_transition(char *json) {
    replace(json, "{\"from\": 0, \"to\": 1, \"guard\"", "{\"from\": 1, \"to\": 1, \"guard\"");
}
static void take_the_jump_away(char *json) {
    replace(json, "\"cases\": [0, 1]", "\"cases\": [0, 2]");
}
static void use_an_unknown_function(char *json) {
    replace(json, "\"tanh\"", "\"tank\"");
}
static void read_what_is_not_there(char *json) {
    replace(json, "\"kind\": \"gain\"", "\"kind\": \"pain\"");
}

static void broken_diagrams_are_noticed(void **state) {
    (void)state;
    void (*const all[])(char *json) = {
        turn_a_sign,           swap_the_cases_of_a_switch, change_a_lookup,    change_a_gain,
        change_a_start,        take_another_transition,    take_the_jump_away, use_an_unknown_function,
        read_what_is_not_there};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        comparison c = compare("running-circuit", "trip_and_reset", NULL, all[i]);
        if (c.how == AGREES && c.off < 1e-6) fail_msg("broken diagram %zu is off by %g only", i, c.off);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_running_circuit_agrees_in_all_its_modes),
        cmocka_unit_test(a_thermostat_and_a_converter_agree),
        cmocka_unit_test(adapt_agrees),
        cmocka_unit_test(every_example_agrees_or_is_refused_with_a_reason),
        cmocka_unit_test(broken_diagrams_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
