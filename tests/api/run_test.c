/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs through the public header: results against formulas, what is recorded, settings, actions, files, ends. */
#include "api/run_fixture_impl.h"

static void a_capacitor_charges_as_the_formula_says(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.rtol = 1e-10;
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    double v = 10 * (1 - exp(-5));
    assert_near(final_value(json, "v"), v, 1e-8);
    assert_near(final_value(json, "i"), (10 - v) / 1000, 1e-11);
    assert_string_equal(
        json_string_value(json_object_get(named(json_object_get(json, "final"), "i"), "unit")), "A");
    assert_string_equal(json_string_value(json_object_get(json, "experiment")), "charge");
    assert_true(json_is_null(json_object_get(json, "failure")));
    const json_t *ledger = json_object_get(json, "ledger");
    double q = 1e-5 * v;
    assert_near(number_of(named(json_object_get(ledger, "work"), "supply"), "work"), 10 * q, 1e-12);
    assert_near(number_of(named(json_object_get(ledger, "stored"), "cap"), "after"), q * v / 2, 1e-12);
    assert_near(number_of(ledger, "residual"), 0, 1e-12);
    json_decref(json);
    fixture_free(&f);
}

static void every_solver_gets_there(void **state) {
    (void)state;
    const char *const solvers[] = {"auto", "bdf",  "adams", "erk",        "euler",
                                   "heun", "ode3", "rk4",   "trapezoidal"};
    hbg_load_options load = {.step = "10 [us]"};
    run_fixture f = fixture_load(CHARGING, &load);
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        hbg_run_options options = hbg_run_options_default();
        options.solver = solvers[i];
        json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
        assert_near(final_value(json, "v"), 10 * (1 - exp(-5)), 1e-3);
        json_decref(json);
    }
    fixture_free(&f);
}

static void an_experiment_sets_parameters_energies_and_what_follows_from_them(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.experiment = "slow";
    options.rtol = 1e-9;
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_near(number_of(json, "stop"), 0.1, 1e-15); // five of the new time constant
    assert_near(final_value(json, "cap.q"), 20e-6 * (10 - 9 * exp(-5)), 1e-12);
    json_decref(json);
    fixture_free(&f);
}

static void what_is_asked_for_wins_over_the_experiment(void **state) {
    (void)state;
    const char *const parameters[] = {"R1=2 [kOhm]"};
    hbg_load_options load = {.parameters = parameters, .parameter_count = 1};
    load.records = "cap.e, 3*cap.e";
    load.stop = "20 [ms]";
    run_fixture f = fixture_load(CHARGING, &load);
    hbg_run_options options = hbg_run_options_default();
    options.rtol = 1e-9;
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_int_equal(json_array_size(json_object_get(json, "final")), 2);
    assert_near(final_value(json, "3*cap.e"), 30 * (1 - exp(-1)), 1e-6);
    json_decref(json);
    fixture_free(&f);
}

/* The lists of a model are of the model. */
static void what_is_asked_for_is_no_experiment_of_the_model(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "1 [s]"};
    run_fixture f = fixture_load(CHARGING, &load);
    hbg_text text;
    assert_int_equal(hbg_summary_text(f.session, f.model, &text), HBG_OK);
    assert_non_null(strstr(text.data, ", 2 experiments"));
    hbg_text_free(f.session, &text);
    assert_int_equal(hbg_list_json(f.session, f.model, &text), HBG_OK);
    json_t *json = read_json(&f, &text);
    assert_int_equal(json_array_size(json_object_get(json, "experiments")), 2);
    json_decref(json);
    fixture_free(&f);
}

static void where_nothing_is_recorded_states_are(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "1 [s]"};
    run_fixture f = fixture_load(SHARING, &load);
    json_t *json = run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED);
    assert_int_equal(json_array_size(json_object_get(json, "final")), 2);
    assert_near(final_value(json, "a.q"), 0.5e-3 * exp(-0.5), 1e-8);
    assert_string_equal(
        json_string_value(json_object_get(named(json_object_get(json, "final"), "b.q"), "unit")), "C");
    assert_true(json_is_null(json_object_get(json, "experiment")));
    json_decref(json);
    fixture_free(&f);
}

static void initial_values_that_do_not_fit_are_told(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "0"};
    run_fixture f = fixture_load(SHARING, &load);
    json_t *json = run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED);
    const json_t *initial = json_object_get(json, "initial");
    const json_t *changed = json_object_get(initial, "changed");
    assert_int_equal(json_array_size(changed), 2);
    assert_near(number_of(named(changed, "a.q"), "from"), 1e-3, 0);
    assert_near(number_of(named(changed, "a.q"), "to"), 0.5e-3, 1e-15);
    assert_near(number_of(named(changed, "b.q"), "to"), 0.5e-3, 1e-15);
    assert_near(number_of(initial, "lost"), 0.25e-3, 1e-15); // 0.5 mJ become two times 0.125 mJ
    json_decref(json);
    hbg_run_options options = hbg_run_options_default();
    hbg_text text;
    hbg_run_end end;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_non_null(strstr(text.data,
                           "initial values do not fit and became consistent: a.q 0.001 -> 0.0005 C, "
                           "b.q 0 -> 0.0005 C; 0.00025 J lost"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* 1 until 1 s, then 2 (the later of two actions at one time), downwards from 2 s on, 9 from 3 s on. */
static void actions_happen_in_the_order_of_time(void **state) {
    (void)state;
    run_fixture f = fixture_load(INTEGRATOR, NULL);
    json_t *json = run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED);
    assert_near(final_value(json, "y"), 2 * (1 + 2 - 2 - 9), 1e-9);
    json_decref(json);
    fixture_free(&f);
    hbg_load_options load = {.stop = "1.5 [s]"};
    f = fixture_load(INTEGRATOR, &load);
    json = run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED);
    assert_near(final_value(json, "y"), 2 * (1 + 1), 1e-9);
    json_decref(json);
    fixture_free(&f);
}

static void text_has_values_and_the_balance(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    hbg_text text;
    hbg_run_end end;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    const char *const words[] = {
        "Rc, experiment charge: 0 to 0.05 s\n",        "solver: ", "\n    v             9.9326",
        "\n    stored after     cap       0.00049328", "residual", " steps"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(text.data, words[i])) fail_msg("no \"%s\" in\n%s", words[i], text.data);
    hbg_text_free(f.session, &text);
    options.ledger = false;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_null(strstr(text.data, "residual"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* Nine resistors are told as one sum, unless each is wanted. */
static void many_elements_are_summed_up(void **state) {
    (void)state;
    char model[1200] = "model Many { Se s(1 [V]); 1 j; s -> j;";
    for (int i = 0; i < 9; i++)
        snprintf(model + strlen(model), sizeof model - strlen(model), " R r%d(1 [Ohm]); j -> r%d;", i, i);
    strcat(model, " experiment e { stop 9 [s]; record j.f; } }\n");
    run_fixture f = fixture_load(model, NULL);
    hbg_run_options options = hbg_run_options_default();
    hbg_text text;
    hbg_run_end end;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_non_null(strstr(text.data, "dissipated                 1 J"));
    assert_null(strstr(text.data, "r3"));
    hbg_text_free(f.session, &text);
    options.every_element = true;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_non_null(strstr(text.data, "r3        0.111111 J"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void rows_go_to_files_and_the_end_is_among_them(void **state) {
    (void)state;
    hbg_load_options load = {.every = "20 [ms]", .records = "time, 2*time"};
    run_fixture f = fixture_load(CHARGING, &load);
    const char *const files[] = {"run_rows.csv"};
    hbg_run_options options = hbg_run_options_default();
    options.files = files;
    options.file_count = 1;
    json_decref(run_json(&f, options, HBG_RUN_FINISHED));
    char *text = file_text(files[0]);
    assert_string_equal(text, "time,time,2*time\n0,0,0\n0.02,0.02,0.04\n0.04,0.04,0.08\n0.05,0.05,0.1\n");
    free(text);
    remove(files[0]);
    fixture_free(&f);
}

static bool stop_soon(void *context, double t, double stop) {
    (void)t, (void)stop;
    return ++*(int *)context < 3;
}

/* A run is asked whether it goes on also inside of a step, which may have very many rows. */
static void rows_without_end_can_be_interrupted(void **state) {
    (void)state;
    hbg_load_options load = {.every = "5 [ns]"};
    run_fixture f = fixture_load(CHARGING, &load);
    int asked = 0;
    hbg_run_options options = hbg_run_options_default();
    options.progress = stop_soon;
    options.context = &asked;
    json_t *json = run_json(&f, options, HBG_RUN_INTERRUPTED);
    double rows = number_of(json_object_get(json, "statistics"), "rows");
    assert_true(rows >= 4096 && rows <= 3 * 4096);
    assert_near(number_of(json, "time"), (rows - 1) * 5e-9, 1e-15);
    assert_true(json_is_null(json_object_get(json, "ledger"))); // of a step that was not told to its end
    json_decref(json);
    fixture_free(&f);
}

static void an_interrupted_run_leaves_its_rows(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "1e5 [s]"};
    run_fixture f = fixture_load(INTEGRATOR, &load);
    const char *const files[] = {"run_interrupted.csv"};
    int asked = 0;
    hbg_run_options options = hbg_run_options_default();
    options.solver = "euler";
    fixture_free(&f);
    load.step = "1 [ms]";
    f = fixture_load(INTEGRATOR, &load);
    options.files = files;
    options.file_count = 1;
    options.progress = stop_soon;
    options.context = &asked;
    json_t *json = run_json(&f, options, HBG_RUN_INTERRUPTED);
    assert_int_equal(asked, 3);
    assert_non_null(
        strstr(hbg_session_reason(f.session), "the rows so far are in `run_interrupted.csv.partial`"));
    assert_string_equal(json_string_value(json_object_get(json, "end")), "interrupted");
    assert_int_equal(access("run_interrupted.csv", F_OK), -1);
    assert_int_equal(remove("run_interrupted.csv.partial"), 0);
    json_decref(json);
    fixture_free(&f);
}

static void a_run_that_cannot_go_on_says_when(void **state) {
    (void)state;
    run_fixture f = fixture_load(EXPLODING, NULL);
    json_t *json = run_json(&f, hbg_run_options_default(), HBG_RUN_NOT_FINISHED);
    assert_near(number_of(json, "time"), 1, 1e-3);
    const char *failure = json_string_value(json_object_get(json, "failure"));
    assert_non_null(failure);
    assert_non_null(strstr(failure, "at t = "));
    assert_string_equal(failure, hbg_session_reason(f.session));
    json_decref(json);
    fixture_free(&f);
}

static void what_makes_no_run_is_refused_with_the_reason(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.experiment = "chrge";
    expect_refusal(&f, &options, HBG_NOT_FOUND, "there is no experiment `chrge`; did you mean `charge`?");
    options.experiment = "anything";
    expect_refusal(&f, &options, HBG_NOT_FOUND, "the model has `charge`, `slow`");
    options.experiment = NULL;
    options.solver = "rk5";
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "there is no solver `rk5`; did you mean `rk4`?");
    options.solver = "rk4";
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "--step");
    options.solver = NULL;
    options.rtol = 1;
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "the relative tolerance, --rtol, is 1,");
    options.rtol = 0;
    options.atol = -1;
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "the absolute tolerance, --atol, is -1,");
    options.atol = 0;
    options.plot = "picture.jpeg";
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "`picture.jpeg` is no picture");
    options.plot = "no/such/folder/x.svg";
    expect_refusal(&f, &options, HBG_CANNOT_WRITE, "`no/such/folder/x.svg`: its folder does not exist");
    const char *const more[] = {"a.png", "b.svg", "a.png"};
    options.plot = "b.png";
    options.more_plots = more;
    options.more_plot_count = 3;
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "the picture is to go to `a.png` twice");
    options.plot = NULL;
    fixture_free(&f);
    f = fixture_load(SHARING, NULL);
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "no experiment that says when to stop; write `--stop");
    options.experiment = "e";
    expect_refusal(&f, &options, HBG_NOT_FOUND, "the model has none");
    fixture_free(&f);
}

static void nothing_is_left_of_files_where_one_cannot_be_opened(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    const char *const files[] = {"run_first.csv", "no/such/folder/x.csv"}, *const twice[] = {"a.csv",
                                                                                             "a.csv"};
    hbg_run_options options = hbg_run_options_default();
    options.files = files;
    options.file_count = 2;
    expect_refusal(&f, &options, HBG_CANNOT_WRITE, "`no/such/folder/x.csv`: its folder does not exist");
    assert_int_equal(access("run_first.csv", F_OK), -1);
    assert_int_equal(access("run_first.csv.partial", F_OK), -1);
    options.files = twice;
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "`a.csv` twice");
    assert_int_equal(access("a.csv.partial", F_OK), -1);
    fixture_free(&f);
}

/* The first column of the results. */
static void assert_times(const char *model, const hbg_load_options *load, const char *solver,
                         const char *expected) {
    run_fixture f = fixture_load(model, load);
    const char *const files[] = {"run_times.csv"};
    hbg_run_options options = hbg_run_options_default();
    char times[4000] = "";
    options.solver = solver;
    options.files = files;
    options.file_count = 1;
    json_decref(run_json(&f, options, HBG_RUN_FINISHED));
    char *text = file_text(files[0]), *rest = text;
    for (char *line = strsep(&rest, "\n"); line && line[0]; line = strsep(&rest, "\n"))
        snprintf(times + strlen(times), sizeof times - strlen(times), "%.*s ", (int)strcspn(line, ","), line);
    assert_string_equal(times, expected);
    free(text);
    remove(files[0]);
    fixture_free(&f);
}

/* The doubles next to 3·0.1 and 7·0.1 are not those next to 0.3 and 0.7. */
static void times_of_rows_are_as_one_would_write_them(void **state) {
    (void)state;
    static const char tenths[] = "time 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 ";
    hbg_load_options every = {.every = "0.1 [s]", .stop = "0.7 [s]"};
    hbg_load_options micro = {.every = "7.5 [us]", .stop = "45 [us]"};
    hbg_load_options step = {.step = "0.1 [s]", .stop = "0.7 [s]"};
    assert_times(CHARGING, &every, NULL, tenths);
    assert_times(CHARGING, &micro, NULL, "time 0 7.5e-06 1.5e-05 2.25e-05 3e-05 3.75e-05 4.5e-05 ");
    assert_times(CHARGING, &step, "trapezoidal", tenths);
    // before and after an action it is the same time
    hbg_load_options action = {.every = "0.1 [s]"};
    assert_times("model J { input real u = 0; output y = u;\n"
                 "  experiment e { stop 0.7 [s]; at 0.3 [s]: u = 1; } }",
                 &action, NULL, "time 0 0.1 0.2 0.3 0.3 0.4 0.5 0.6 0.7 ");
    hbg_load_options coarse = {.every = "0.7 [s]"};
    assert_times("model S { sample u every 0.1 [s] = time > 0.25 && time < 0.35 ? 1 : 0; output y = u;\n"
                 "  experiment e { stop 0.7 [s]; } }",
                 &coarse, NULL, "time 0 0.3 0.3 0.4 0.4 0.7 ");
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++) count++;
    return count;
}

/* What the experiment plots; the names of its curves stand in the picture, time and units too. */
static void a_plot_shows_what_the_experiment_says(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.experiment = "slow";
    options.plot = "run_plot.svg";
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_int_equal(json_array_size(json_object_get(json, "final")), 2); // what is plotted is recorded, too
    char *text = file_text(options.plot);
    assert_non_null(strstr(text, "Rc: slow"));
    assert_non_null(strstr(text, ">v<"));
    assert_non_null(strstr(text, ">cap.q<"));
    assert_non_null(strstr(text, "time"));
    free(text);
    json_decref(json);
    remove(options.plot);
    fixture_free(&f);
}

static void one_picture_goes_to_several_files(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    const char *const more[] = {"run_second.png", "run_third.svg"};
    options.plot = "run_first.svg";
    options.more_plots = more;
    options.more_plot_count = 2;
    json_decref(run_json(&f, options, HBG_RUN_FINISHED));
    char *first = file_text(options.plot), *second = file_text(more[0]), *third = file_text(more[1]);
    assert_non_null(strstr(first, "<svg"));
    assert_memory_equal(second, "\x89PNG", 4);
    assert_string_equal(first, third);
    free(first), free(second), free(third);
    remove(options.plot), remove(more[0]), remove(more[1]);
    fixture_free(&f);
}

static void pictures_of_a_run_that_failed_are_named(void **state) {
    (void)state;
    run_fixture f = fixture_load(EXPLODING, NULL);
    hbg_run_options options = hbg_run_options_default();
    const char *const more[] = {"run_boom.png"};
    options.plot = "run_boom.svg";
    options.more_plots = more;
    options.more_plot_count = 1;
    json_decref(run_json(&f, options, HBG_RUN_NOT_FINISHED));
    const char *reason = hbg_session_reason(f.session);
    if (!strstr(reason, "; the picture so far is in `run_boom.svg.partial`, `run_boom.png.partial`"))
        fail_msg("%s", reason);
    assert_int_equal(access("run_boom.svg", F_OK), -1);
    assert_int_equal(remove("run_boom.svg.partial"), 0);
    assert_int_equal(remove("run_boom.png.partial"), 0);
    fixture_free(&f);
}

/* Far more rows than points of a picture. */
static void a_long_run_makes_a_small_picture(void **state) {
    (void)state;
    hbg_load_options load = {.every = "0.1 [us]", .records = "sin(time*2e5)"};
    run_fixture f = fixture_load(CHARGING, &load);
    hbg_run_options options = hbg_run_options_default();
    options.plot = "run_long.svg";
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json, "statistics"), "rows")),
                     500001);
    char *text = file_text(options.plot);
    assert_true(strlen(text) < 200000);
    assert_true(count_of(text, "<svg") == 1);
    free(text);
    json_decref(json);
    remove(options.plot);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capacitor_charges_as_the_formula_says),
        cmocka_unit_test(every_solver_gets_there),
        cmocka_unit_test(an_experiment_sets_parameters_energies_and_what_follows_from_them),
        cmocka_unit_test(what_is_asked_for_wins_over_the_experiment),
        cmocka_unit_test(what_is_asked_for_is_no_experiment_of_the_model),
        cmocka_unit_test(where_nothing_is_recorded_states_are),
        cmocka_unit_test(initial_values_that_do_not_fit_are_told),
        cmocka_unit_test(actions_happen_in_the_order_of_time),
        cmocka_unit_test(text_has_values_and_the_balance),
        cmocka_unit_test(many_elements_are_summed_up),
        cmocka_unit_test(rows_go_to_files_and_the_end_is_among_them),
        cmocka_unit_test(times_of_rows_are_as_one_would_write_them),
        cmocka_unit_test(an_interrupted_run_leaves_its_rows),
        cmocka_unit_test(rows_without_end_can_be_interrupted),
        cmocka_unit_test(one_picture_goes_to_several_files),
        cmocka_unit_test(pictures_of_a_run_that_failed_are_named),
        cmocka_unit_test(a_run_that_cannot_go_on_says_when),
        cmocka_unit_test(what_makes_no_run_is_refused_with_the_reason),
        cmocka_unit_test(nothing_is_left_of_files_where_one_cannot_be_opened),
        cmocka_unit_test(a_plot_shows_what_the_experiment_says),
        cmocka_unit_test(a_long_run_makes_a_small_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
