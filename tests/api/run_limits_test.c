/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What no machine can do is refused before the run, with what would work. Times out where it is tried instead. */
#include "run_fixture_impl.h"

#include "rt/bands.h"

static void the_engine_has_the_tolerance_that_is_told(void **state) {
    (void)state;
    assert_true(HBG_RTOL_USUAL == HBG_RT_RTOL);
}

static char *diagnostics_of(run_fixture *f) {
    hbg_text text;
    assert_int_equal(hbg_diagnostics_text(f->session, false, &text), HBG_OK);
    char *copy = strdup(text.data);
    hbg_text_free(f->session, &text);
    return copy;
}

static void expect_diagnostic(const char *model, const hbg_load_options *load, const char *const *words,
                              int count) {
    run_fixture f = fixture_load(model, load);
    hbg_run_options options = hbg_run_options_default();
    hbg_text text;
    hbg_run_end end;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_BAD_MODEL);
    char *said = diagnostics_of(&f);
    for (int i = 0; i < count; i++)
        if (!strstr(said, words[i])) fail_msg("no \"%s\" in\n%s", words[i], said);
    free(said);
    fixture_free(&f);
}

static void tolerances_finer_than_numbers_are_refused(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    static const double too_fine[] = {1e-30, 9.9e-15, 5e-324};
    for (size_t i = 0; i < sizeof too_fine / sizeof *too_fine; i++) {
        options.rtol = too_fine[i];
        expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "1e-14 is the least");
    }
    static const double none[] = {NAN, INFINITY, -1, 1};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        options.rtol = none[i];
        options.atol = 0;
        expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "--rtol");
        if (i == 3) break;
        options.rtol = 0;
        options.atol = none[i];
        expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "--atol");
    }
    options.atol = 0;
    options.rtol = 1e-14;
    json_decref(run_json(&f, options, HBG_RUN_FINISHED));
    fixture_free(&f);
}

/* 50 ms: 5e-11 s is a thousand-millionth of it. */
static void steps_and_rows_without_end_are_refused_at_their_place(void **state) {
    (void)state;
    hbg_load_options every = {.every = "1e-30"}, step = {.step = "1e-30"};
    const char *const rows[] = {
        "E0406", "--every", "1e-30 s", "5e+28 rows", "the command line:1:1", "5e-11 s is the least"};
    expect_diagnostic(CHARGING, &every, rows, 6);
    const char *const steps[] = {"E0406", "--step", "5e+28 steps", "5e-11 s is the least"};
    expect_diagnostic(CHARGING, &step, steps, 4);
    const char *const own[] = {"model.hbg:2:31", "the time between rows is 1e-13 s", "model.hbg:2:54",
                               "the step of the solver is 1e-14 s", "3e-09 s is the least"};
    expect_diagnostic("model M { state x = 0 : der = 1; output y = x;\n"
                      "experiment e { record y every 1e-13; solver rk4 step 1e-14; stop 3 [s]; } }",
                      NULL, own, 5);
}

static void samples_without_end_are_refused_at_their_place(void **state) {
    (void)state;
    const char *const words[] = {"model.hbg:1:26", "the period of `u` is 1e-12 s", "model.hbg:2:19",
                                 "the period of `a` is 1e-11 s", "2e-09 s is the least"};
    expect_diagnostic("model M { sample u every 1e-12 = time; output y = u;\n"
                      "automaton a every 1e-11 { off no -> yes when u > 1; on yes -> no when u < 0; }\n"
                      "experiment e { stop 2 [s]; } }",
                      NULL, words, 5);
}

static const char *const wave_models[] = {
    "state x = 0 : der = sin(1e300*time) > 0 ? 1 : 2; output y = x;",
    "state x = 0 : der = sin(1e300*time); output y = x;",
    "param w = 1e16; signal late = sin(phase); signal phase = 10*w*time; output y = late;",
    "output y = (time % 1e-17) > 5e-18 ? 1 : 0;",
    "output y = floor(1e17*time);",
};

/* From one time to the next, 2^-53 s apart before 1 s, each of them goes through more than a period. */
static void waves_faster_than_time_are_refused_at_their_place(void **state) {
    (void)state;
    const char *const words[][3] = {
        {"`sin(1e+300*time)` repeats 1.59e+299 times in a run of 1 s", "model.hbg:1:", "2.83e-284 s"},
        {"`sin(1e+300*time)` repeats 1.59e+299 times", "would never end", "a lower frequency"},
        {"`sin(phase)` repeats 1.59e+16 times in a run of 1 s", "", ""},
        {"`time % 1e-17` repeats 1e+17 times in a run of 1 s", "a stop before 0.045 s", ""},
        {"`floor(1e+17*time)` repeats 1e+17 times", "", ""}};
    for (size_t i = 0; i < sizeof wave_models / sizeof *wave_models; i++) {
        char model[300];
        snprintf(model, sizeof model, "model M { %s experiment e { stop 1 [s]; } }", wave_models[i]);
        expect_diagnostic(model, NULL, words[i], 3);
    }
}

/* What takes no time or grows with something else is left alone, and so is what numbers can follow. */
static void other_waves_are_run(void **state) {
    (void)state;
    static const char *const models[] = {
        "output y = sin(1e15*time);",
        "state x = 0 : der = 1; output y = sin(1e300*x*0);",
        "param w = 1e300; output y = sin(w*1e-300*time);",
        "output y = sin(1e300*(time - time));",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char model[300];
        snprintf(model, sizeof model, "model M { %s experiment e { stop 1 [s]; solver rk4 step 0.5 [s]; } }",
                 models[i]);
        run_fixture f = fixture_load(model, NULL);
        hbg_run_options options = hbg_run_options_default();
        hbg_text text;
        hbg_run_end end;
        assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
        assert_int_equal(end, HBG_RUN_FINISHED);
        hbg_text_free(f.session, &text);
        fixture_free(&f);
    }
}

static void a_stop_of_nothing_has_room_for_any_step(void **state) {
    (void)state;
    hbg_load_options load = {.every = "1e-30", .step = "1e-30", .stop = "0"};
    run_fixture f = fixture_load(CHARGING, &load);
    json_decref(run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED));
    fixture_free(&f);
}

static void what_is_asked_for_makes_good_what_the_experiment_says(void **state) {
    (void)state;
    hbg_load_options load = {.every = "1 [s]", .step = "1 [s]"};
    run_fixture f =
        fixture_load("model M { state x = 0 : der = 1; output y = x;\n"
                     "experiment e { record y every 1e-13; solver rk4 step 1e-14; stop 3 [s]; } }",
                     &load);
    json_t *json = run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED);
    assert_near(final_value(json, "y"), 3, 1e-12);
    json_decref(json);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_has_the_tolerance_that_is_told),
        cmocka_unit_test(tolerances_finer_than_numbers_are_refused),
        cmocka_unit_test(steps_and_rows_without_end_are_refused_at_their_place),
        cmocka_unit_test(samples_without_end_are_refused_at_their_place),
        cmocka_unit_test(waves_faster_than_time_are_refused_at_their_place),
        cmocka_unit_test(other_waves_are_run),
        cmocka_unit_test(a_stop_of_nothing_has_room_for_any_step),
        cmocka_unit_test(what_is_asked_for_makes_good_what_the_experiment_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
