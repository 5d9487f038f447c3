/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What no machine can do is refused before the run, with what would work. Times out where it is tried instead. */
#include "run_fixture_impl.h"

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
        cmocka_unit_test(tolerances_finer_than_numbers_are_refused),
        cmocka_unit_test(steps_and_rows_without_end_are_refused_at_their_place),
        cmocka_unit_test(samples_without_end_are_refused_at_their_place),
        cmocka_unit_test(a_stop_of_nothing_has_room_for_any_step),
        cmocka_unit_test(what_is_asked_for_makes_good_what_the_experiment_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
