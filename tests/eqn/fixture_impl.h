/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A compiled model from text, one run of it, and its states, rates and outputs by name. What a test records is what the
 * first experiment of the text records. Memory is checked to be empty afterwards. */
#ifndef HBG_TESTS_EQN_FIXTURE_IMPL_H
#define HBG_TESTS_EQN_FIXTURE_IMPL_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_impl.h"
#include "eqn/eqn_impl.h"
#include "lang/front_end_impl.h"
#include "rt/run_impl.h"

typedef struct {
    FRONT_END
    hbg_model *model; /* sorted */
    hbg_code *code;
    hbg_eqn *eqn; /* what it was compiled from */
    const hbg_rt_description *system;
    hbg_rt_instance *run;
    double *x, *dx, *y; /* states, rates, outputs of the last calls */
} fixture;

/* ---- reading ------------------------------------------------------------------------------------------ */

static inline void fixture_init(fixture *f) {
    memset(f, 0, sizeof *f);
    front_end_open(f);
    assert_non_null(f->lang.units);
}

static inline hbg_model *fixture_read(fixture *f, const char *text) {
    hbg_model *model = hbg_lang_read_text(&f->lang, "test.hbg", text, strlen(text), NULL);
    for (int32_t i = 0; i < f->diagnostics.items.count && !model; i++)
        print_error("%s\n", f->diagnostics.items.items[i].text);
    if (!model) fail_msg("no model:\n%s", text);
    hbg_base_arena_fini(&f->scratch);
    hbg_base_arena_init(&f->scratch, &f->memory);
    model->scratch = &f->arena;
    return model;
}

/* Compiles the model; no mode is entered yet. */
static inline void fixture_open_as(fixture *f, const char *text, bool may_move) {
    fixture_init(f);
    f->model = hbg_model_sorted(&f->arena, fixture_read(f, text));
    const hbg_experiment *experiment = f->model->experiments.count > 0 ? f->model->experiments.items : NULL;
    hbg_eqn_options options = {experiment ? 0 : HBG_NONE, experiment ? experiment->records.items : NULL,
                               experiment ? experiment->records.count : 0, false, may_move};
    f->code = hbg_code_new(&f->arena, f->model, &options);
    f->eqn = hbg_code_equations(f->code);
    f->system = hbg_code_system(f->code);
    f->run = hbg_code_run(f->code);
    assert_non_null(f->run);
    f->x = HBG_NEW_ARRAY(&f->arena, double, f->system->state_count + 1);
    f->dx = HBG_NEW_ARRAY(&f->arena, double, f->system->state_count + 1);
    f->y = HBG_NEW_ARRAY(&f->arena, double, f->system->output_count + 1);
}

static inline void fixture_open(fixture *f, const char *text) {
    fixture_open_as(f, text, false);
}

static inline void fixture_close(fixture *f) {
    if (f->run) hbg_rt_free(f->run);
    hbg_code_free(f->code);
    hbg_lang_units_free(f->lang.units);
    hbg_base_arena_fini(&f->scratch);
    hbg_base_arena_fini(&f->arena);
    assert_int_equal(f->memory.used, 0);
}

/* ---- running ------------------------------------------------------------------------------------------ */

#define assert_fine(f, call)                                                                                 \
    do {                                                                                                     \
        if ((call) != HBG_RT_OK) fail_msg("%s: %s", #call, hbg_rt_failed((f)->run)->text);                   \
    } while (0)

/* Declared energies, the start mode, the jump into it. */
static inline void fixture_start(fixture *f) {
    assert_fine(f, hbg_rt_declare(f->run, f->x));
    assert_fine(f, hbg_rt_enter(f->run, NULL));
    assert_fine(f, hbg_rt_jump(f->run, 0, f->x, f->x));
}

static inline void fixture_begin(fixture *f, const char *text) {
    fixture_open(f, text);
    fixture_start(f);
}

static inline int32_t find_state(const fixture *f, const char *name) {
    for (int32_t i = 0; i < f->system->state_count; i++)
        if (strcmp(f->system->states[i].name, name) == 0) return i;
    fail_msg("no state %s", name);
    return -1;
}

static inline double state_of(const fixture *f, const char *name) {
    return f->x[find_state(f, name)];
}

static inline void set_state(fixture *f, const char *name, double value) {
    f->x[find_state(f, name)] = value;
}

static inline double rate_at(fixture *f, const char *name, double t) {
    assert_fine(f, hbg_rt_rates(f->run, t, f->x, f->dx));
    return f->dx[find_state(f, name)];
}

static inline double rate_of(fixture *f, const char *name) {
    return rate_at(f, name, 0);
}

static inline double output_at(fixture *f, const char *name, double t) {
    assert_fine(f, hbg_rt_outputs(f->run, t, f->x, f->y));
    for (int32_t i = 0; i < f->system->output_count; i++)
        if (strcmp(f->system->outputs[i].name, name) == 0) return f->y[i];
    fail_msg("no output %s", name);
    return NAN;
}

static inline double output_of(fixture *f, const char *name) {
    return output_at(f, name, 0);
}

static inline void set_param(fixture *f, const char *name, double value) {
    for (int32_t i = 0; i < f->system->param_count; i++)
        if (strcmp(f->system->params[i].name, name) == 0) {
            assert_fine(f, hbg_rt_set_param(f->run, i, value));
            return;
        }
    fail_msg("no parameter %s", name);
}

static inline void set_input(fixture *f, const char *name, double value) {
    for (int32_t i = 0; i < f->system->input_count; i++)
        if (strcmp(f->system->inputs[i].name, name) == 0) {
            assert_fine(f, hbg_rt_set_input(f->run, i, value));
            return;
        }
    fail_msg("no input %s", name);
}

/* ---- comparing ---------------------------------------------------------------------------------------- */

static inline bool is_near(double a, double b, double relative) {
    return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

#define assert_near(found, expected, relative)                                                               \
    do {                                                                                                     \
        double found_ = (found), expected_ = (expected);                                                     \
        if (!is_near(found_, expected_, relative))                                                           \
            fail_msg("%s is %.17g, not %.17g", #found, found_, expected_);                                   \
    } while (0)

/* Equal but for the last digits. */
#define assert_close(found, expected) assert_near(found, expected, 1e-13)
#define assert_exact(found, expected) assert_near(found, expected, 0)
#define assert_tiny(found, bound)                                                                            \
    do {                                                                                                     \
        double found_ = (found);                                                                             \
        if (!(fabs(found_) <= (bound))) fail_msg("%s is %.17g, not 0", #found, found_);                      \
    } while (0)
#define assert_words(text, words)                                                                            \
    do {                                                                                                     \
        if (!strstr(text, words)) fail_msg("no `%s` in: %s", words, text);                                   \
    } while (0)

/* ---- the Jacobian ------------------------------------------------------------------------------------- */

/* Dense, by rows; what is not in the pattern is 0. */
static inline double *jacobian_of(fixture *f, double t) {
    int32_t n = f->system->state_count;
    double *dense = HBG_NEW_ARRAY(&f->arena, double, (size_t)n *(size_t)n + 1);
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(f->run);
    assert_int_equal(pattern.count, n);
    double *values = HBG_NEW_ARRAY(&f->arena, double, pattern.start[n] + 1);
    assert_fine(f, hbg_rt_jacobian(f->run, t, f->x, values));
    for (int32_t j = 0; j < n; j++)
        for (int32_t k = pattern.start[j]; k < pattern.start[j + 1]; k++)
            dense[(size_t)pattern.row[k] * (size_t)n + (size_t)j] = values[k];
    return dense;
}

static inline double jacobian_entry_of(fixture *f, const char *row, const char *column) {
    const double *dense = jacobian_of(f, 0);
    return dense[find_state(f, row) * f->system->state_count + find_state(f, column)];
}

/* Every entry against central differences of the rates, with a step of `step` times the size of the state or 1. */
static inline void assert_jacobian_is_slope(fixture *f, double t, double step, double tolerance) {
    int32_t n = f->system->state_count;
    const double *dense = jacobian_of(f, t);
    double *up = HBG_NEW_ARRAY(&f->arena, double, n + 1), *down = HBG_NEW_ARRAY(&f->arena, double, n + 1);
    for (int32_t j = 0; j < n; j++) {
        double kept = f->x[j], h = step * fmax(1, fabs(kept));
        f->x[j] = kept + h;
        assert_fine(f, hbg_rt_rates(f->run, t, f->x, up));
        f->x[j] = kept - h;
        assert_fine(f, hbg_rt_rates(f->run, t, f->x, down));
        f->x[j] = kept;
        for (int32_t i = 0; i < n; i++) {
            double slope = (up[i] - down[i]) / (2 * h), exact = dense[i * n + j];
            if (fabs(slope - exact) > tolerance * fmax(1, fabs(exact)))
                fail_msg("d%s'/d%s is %.12g, differences give %.12g", f->system->states[i].name,
                         f->system->states[j].name, exact, slope);
        }
    }
}

/* Whether a line of the text is this one, blanks at its beginning not counted. */
static inline bool has_line(const char *text, const char *line) {
    size_t size = strlen(line);
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++) {
        const char *start = at;
        while (start > text && start[-1] == ' ') start--;
        if ((start == text || start[-1] == '\n') && (at[size] == '\n' || at[size] == 0)) return true;
    }
    return false;
}

#define assert_line(text, line)                                                                              \
    do {                                                                                                     \
        if (!has_line(text, line)) fail_msg("no line `%s` in\n%s", line, text);                              \
    } while (0)

static inline const char *equations_of(fixture *f) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    assert_true(hbg_eqn_print(f->eqn, NULL, &out));
    return out.data;
}

#endif
