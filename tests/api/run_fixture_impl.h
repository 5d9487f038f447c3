/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sessions with small models whose behaviour is known, for the tests of runs through the public header; answers as
 * JSON, read back. */
#ifndef HBG_TESTS_API_RUN_FIXTURE_IMPL_H
#define HBG_TESTS_API_RUN_FIXTURE_IMPL_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hbg/hbg.h"

/* A capacitor charged over a resistor, time constant 10 ms. */
#define CHARGING                                                                                             \
    "model Rc { param V = 10 [V], R1 = 1 [kOhm], C1 = 10 [uF];\n"                                            \
    "  Se supply(V); R series(R1); C cap(C1); 1 loop; supply -> loop -> series; loop -> cap;\n"              \
    "  output v = cap.e, i = loop.f;\n"                                                                      \
    "  experiment charge { stop 50 [ms]; }\n"                                                                \
    "  experiment slow { stop 5*R1*C1; set C1 = 20 [uF], cap.e = 1 [V]; record cap.q; plot v, cap.q; } }\n"

/* Two capacitors side by side, declared with charges that do not fit. */
#define SHARING                                                                                              \
    "model Two { C a(1 [mF], q = 1 [mC]); C b(1 [mF]); R load(1 [kOhm]); 0 node;\n"                          \
    "  node -> a; node -> b; node -> load; }\n"

/* An integrator of an input. */
#define INTEGRATOR                                                                                           \
    "model Sum { input real u = 1; input bool up = true; state x = 0 : der = up ? u : -u;\n"                 \
    "  output y = 2*x; experiment e { stop 4 [s];\n"                                                         \
    "    at 3 [s]: u = 9; at 1 [s]: u = 5; at 1 [s]: u = 2; at 2 [s]: up = false; } }\n"

/* x' = x²/s: x = 1/(1 - t), no further than 1 s. */
#define EXPLODING                                                                                            \
    "model Boom { state x = 1 : der = x*x/(1 [s]); output y = x; experiment e { stop 2 [s]; } }\n"

typedef struct {
    hbg_session *session;
    hbg_model *model;
} run_fixture;

static inline run_fixture fixture_load(const char *text, const hbg_load_options *options) {
    run_fixture fixture;
    assert_int_equal(hbg_session_new(NULL, &fixture.session), HBG_OK);
    hbg_status status =
        hbg_load_text(fixture.session, "model.hbg", text, strlen(text), options, &fixture.model);
    if (status == HBG_BAD_MODEL) {
        hbg_text words;
        assert_int_equal(hbg_diagnostics_text(fixture.session, false, &words), HBG_OK);
        fail_msg("%s", words.data);
    }
    assert_int_equal(status, HBG_OK);
    return fixture;
}

static inline void fixture_free(run_fixture *fixture) {
    hbg_session_free(fixture->session);
}

static inline json_t *read_json(run_fixture *fixture, hbg_text *text) {
    json_error_t error;
    json_t *json = json_loads(text->data, 0, &error);
    if (!json) fail_msg("line %d: %s", error.line, error.text);
    hbg_text_free(fixture->session, text);
    return json;
}

/* What became of a run that is to end so, as JSON. */
static inline json_t *run_json(run_fixture *fixture, hbg_run_options options, hbg_run_end expected) {
    hbg_text text;
    hbg_run_end end;
    options.json = true;
    hbg_status status = hbg_run(fixture->session, fixture->model, &options, &end, &text);
    if (status != HBG_OK || end != expected) fail_msg("%d: %s", end, hbg_session_reason(fixture->session));
    return read_json(fixture, &text);
}

/* The object of that name in a list. */
static inline const json_t *named(const json_t *list, const char *name) {
    size_t index;
    const json_t *object;
    json_array_foreach(list, index, object) {
        const char *own = json_string_value(json_object_get(object, "name"));
        if (own && strcmp(own, name) == 0) return object;
    }
    fail_msg("no %s", name);
    return NULL;
}

static inline double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) fail_msg("no number %s", key);
    return json_number_value(value);
}

static inline double final_value(const json_t *json, const char *name) {
    return number_of(named(json_object_get(json, "final"), name), "value");
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, not %.17g", value, expected);
}

/* A run that cannot be made: for which reason. */
static inline void expect_refusal(run_fixture *fixture, const hbg_run_options *options, hbg_status expected,
                                  const char *words) {
    hbg_text text;
    hbg_run_end end;
    assert_int_equal(hbg_run(fixture->session, fixture->model, options, &end, &text), expected);
    assert_null(text.data);
    assert_int_equal(end, HBG_RUN_NOT_FINISHED);
    const char *reason = hbg_session_reason(fixture->session);
    if (!strstr(reason, words)) fail_msg("%s", reason);
}

static inline char *file_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("there is no %s", path);
    char *text = calloc(1, 1 << 20);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    (void)size;
    fclose(file);
    return text;
}

static inline double final_of(json_t *json, const char *name) {
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(json, "final"), i, value) {
        if (strcmp(json_string_value(json_object_get(value, "name")), name) != 0) continue;
        return json_number_value(json_object_get(value, "value"));
    }
    fail_msg("nothing is called %s", name);
    return NAN;
}

static inline double ledger_of(json_t *json, const char *key) {
    return json_number_value(json_object_get(json_object_get(json, "ledger"), key));
}

#endif
