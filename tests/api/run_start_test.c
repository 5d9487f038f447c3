/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Initial values that do not fit are told, also where automata are; and a start without values of its inputs is none. */
#include "run_fixture_impl.h"

/* Two capacitors of 1 mF are joined for good, a third by a switch; charges in mC: 1, 3 and 0. */
#define SWITCHED                                                                                             \
    "model Share { input bool close = false; C left(1 [mF], q = 1 [mC]); C third(1 [mF], q = 3 [mC]);\n"     \
    "  C right(1 [mF]); R leak(1 [kOhm]); 0 a; 0 b; 1 s when sw;\n"                                          \
    "  a -> left; a -> third; a -> s -> b -> right; b -> leak;\n"                                            \
    "  automaton sw { off open -> closed when close; on closed -> open when !close; }\n"                     \
    "  output v = left.e;\n"                                                                                 \
    "  experiment closed { stop 0; at 0: close = true; } experiment open { stop 0; }\n"                      \
    "  experiment even { stop 0; set left.q = 2 [mC], third.q = 2 [mC]; } }\n"

static json_t *start_of(const char *experiment) {
    run_fixture f = fixture_load(SWITCHED, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.experiment = experiment;
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    json_t *initial = json_incref(json_object_get(json, "initial"));
    json_decref(json);
    fixture_free(&f);
    return initial;
}

/* (1 + 3) mC on 2 mF: 2 mC each; of 0.5 + 4.5 mJ are left 4 mJ. */
static void values_that_do_not_fit_the_start_mode_are_told(void **state) {
    (void)state;
    json_t *initial = start_of("open");
    const json_t *changed = json_object_get(initial, "changed");
    assert_int_equal(json_array_size(changed), 2);
    assert_near(number_of(named(changed, "left.q"), "from"), 1e-3, 0);
    assert_near(number_of(named(changed, "left.q"), "to"), 2e-3, 1e-15);
    assert_near(number_of(named(changed, "third.q"), "to"), 2e-3, 1e-15);
    assert_near(number_of(initial, "lost"), 1e-3, 1e-15);
    json_decref(initial);
}

/* The start mode is left at once, with the declared charges: 4 mC on 3 mF, (4 mC)²/(2·3 mF) = 8/3 mJ of 5 mJ. */
static void a_start_mode_left_at_once_changes_nothing(void **state) {
    (void)state;
    json_t *initial = start_of("closed");
    const json_t *changed = json_object_get(initial, "changed");
    assert_int_equal(json_array_size(changed), 3);
    assert_near(number_of(named(changed, "right.q"), "from"), 0, 0);
    assert_near(number_of(named(changed, "right.q"), "to"), 4e-3 / 3, 1e-15);
    assert_near(number_of(initial, "lost"), 7e-3 / 3, 1e-15);
    json_decref(initial);
}

static void values_that_fit_are_passed_over(void **state) {
    (void)state;
    json_t *initial = start_of("even");
    assert_int_equal(json_array_size(json_object_get(initial, "changed")), 0);
    assert_near(number_of(initial, "lost"), 0, 0);
    json_decref(initial);
    run_fixture f = fixture_load(SWITCHED, NULL);
    hbg_run_options options = hbg_run_options_default();
    hbg_text text;
    hbg_run_end end;
    options.experiment = "even";
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_null(strstr(text.data, "initial values"));
    hbg_text_free(f.session, &text);
    options.experiment = "open";
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_non_null(
        strstr(text.data, "became consistent: left.q 0.001 -> 0.002 C, third.q 0.003 -> 0.002 C; 0.001 J"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* ---- inputs ------------------------------------------------------------------------------------------- */

#define UNGIVEN                                                                                              \
    "model In {\n  input real u [V];\n  input bool b;\n  input event go;\n  input real w = 3;\n"             \
    "  Se supply(b ? u : 2*u);\n  R r(1 [Ohm]);\n  supply -> r;\n  output i = r.f;\n"                        \
    "  experiment late { stop 1 [s]; at 1 [ms]: u = 5 [V]; at 0: b = false; }\n"                             \
    "  experiment given { stop 1 [s]; at 0: u = 5 [V], b = true; }\n  experiment none { stop 1 [s]; } }\n"

static void inputs_without_a_value_are_told_before_the_run(void **state) {
    (void)state;
    static const struct {
        const char *experiment;
        int64_t errors;
        const char *words[4];
    } cases[] = {{"none",
                  2,
                  {"error[E0307]: input `u` has no value", "model.hbg:2:14",
                   "`u = 1 [V]`, or write `at 0: u = 1 [V];`", "error[E0307]: input `b` has no value"}},
                 {"late", 1, {"input `u`", "experiment `late`", "10 |   experiment late", "at 0: u"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_fixture f = fixture_load(UNGIVEN, NULL);
        const char *const files[] = {"run_ungiven.csv"};
        hbg_run_options options = hbg_run_options_default();
        hbg_text text;
        hbg_run_end end;
        options.experiment = cases[i].experiment;
        options.files = files;
        options.file_count = 1;
        assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_BAD_MODEL);
        assert_int_equal(hbg_error_count(f.session), cases[i].errors);
        assert_int_equal(access("run_ungiven.csv.partial", F_OK), -1);
        assert_int_equal(hbg_diagnostics_text(f.session, false, &text), HBG_OK);
        for (int k = 0; k < 4; k++)
            if (!strstr(text.data, cases[i].words[k]))
                fail_msg("no \"%s\" in\n%s", cases[i].words[k], text.data);
        hbg_text_free(f.session, &text);
        fixture_free(&f);
    }
}

static void an_input_may_get_its_value_at_the_start(void **state) {
    (void)state;
    run_fixture f = fixture_load(UNGIVEN, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.experiment = "given";
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_near(final_value(json, "i"), 5, 1e-12);
    json_decref(json);
    fixture_free(&f);
}

static void a_point_of_a_run_needs_its_inputs_too(void **state) {
    (void)state;
    run_fixture f = fixture_load(UNGIVEN, NULL);
    hbg_linearize_options linearize = {.experiment = "none"};
    hbg_text text;
    assert_int_equal(hbg_linearize(f.session, f.model, &linearize, &text), HBG_BAD_MODEL);
    hbg_equations_options equations = {0}; // which need no values
    bool valid;
    assert_int_equal(hbg_equations(f.session, f.model, &equations, &valid, &text), HBG_OK);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_do_not_fit_the_start_mode_are_told),
        cmocka_unit_test(a_start_mode_left_at_once_changes_nothing),
        cmocka_unit_test(values_that_fit_are_passed_over),
        cmocka_unit_test(inputs_without_a_value_are_told_before_the_run),
        cmocka_unit_test(an_input_may_get_its_value_at_the_start),
        cmocka_unit_test(a_point_of_a_run_needs_its_inputs_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
