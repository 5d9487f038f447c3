/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linearization through the public header, against matrices worked out by hand. */
#include "api/run_fixture_impl.h"

/* Resonant circuit: ω₀ = 1e4/s, damping R/2·√(C/L) = 0.1. */
#define RESONANT                                                                                             \
    "model Rlc { param L1 = 10 [mH], C1 = 1 [uF], R1 = 20 [Ohm]; input real u [V] = 5 [V]; input bool b = "  \
    "true;\n"                                                                                                \
    "  Se supply(u); R load(R1); C cap(C1); I coil(L1); 1 loop; supply -> loop -> load; loop -> cap;\n"      \
    "  loop -> coil; output v = cap.e; experiment e { stop 5 [ms]; at 1 [ms]: u = 7 [V]; } }\n"

/* A motor's inertia rigidly geared to a load: one of the two is dependent. Reduced to the motor the inertia is
 * 2 + 8/4² = 2.5 and friction 5, which gives a time constant of 0.5 s. */
#define GEARED                                                                                               \
    "model G { input real torque [N.m] = 0; Se drive(torque); I motor(2 [kg.m2]); TF gear(1/4); I wheel(8 "  \
    "[kg.m2]);\n"                                                                                            \
    "  R friction(5 [N.m.s]); 1 shaft; 1 out; drive -> shaft -> motor; shaft -> friction;\n"                 \
    "  shaft -> gear -> out -> wheel; output speed = motor.f; }\n"

static json_t *linearize(run_fixture *f) {
    hbg_linearize_options options = {.json = true};
    hbg_text text;
    hbg_status status = hbg_linearize(f->session, f->model, &options, &text);
    if (status != HBG_OK) fail_msg("%s", hbg_session_reason(f->session));
    return read_json(f, &text);
}

static double entry(const json_t *json, const char *matrix, size_t row, size_t column) {
    return json_number_value(json_array_get(json_array_get(json_object_get(json, matrix), row), column));
}

static void a_resonant_circuit_has_the_matrices_of_the_book(void **state) {
    (void)state;
    run_fixture f = fixture_load(RESONANT, NULL);
    json_t *json = linearize(&f);
    const json_t *states = json_object_get(json, "states");
    assert_int_equal(json_array_size(states), 2);
    size_t q =
        strcmp(json_string_value(json_object_get(json_array_get(states, 0), "name")), "cap.q") == 0 ? 0 : 1;
    size_t p = 1 - q;
    assert_near(entry(json, "A", q, p), 100, 1e-12); // 1/L
    assert_near(entry(json, "A", q, q), 0, 0);
    assert_near(entry(json, "A", p, q), -1e6, 1e-8);                       // -1/C
    assert_near(entry(json, "A", p, p), -2000, 1e-11);                     // -R/L
    assert_int_equal(json_array_size(json_object_get(json, "inputs")), 1); // a boolean cannot move a little
    assert_near(entry(json, "B", q, 0), 0, 1e-9);
    assert_near(entry(json, "B", p, 0), 1, 1e-9);
    assert_near(entry(json, "C", 0, q), 1e6, 1e-3);
    assert_near(entry(json, "C", 0, p), 0, 1e-6);
    assert_near(entry(json, "D", 0, 0), 0, 1e-9);
    const json_t *first = json_array_get(json_object_get(json, "eigenvalues"), 0);
    assert_near(number_of(first, "real"), -1000, 1e-8);
    assert_near(fabs(number_of(first, "imaginary")), 1e4 * sqrt(1 - 0.01), 1e-7);
    assert_near(number_of(first, "damping"), 0.1, 1e-12);
    assert_near(number_of(first, "time_constant"), 1e-3, 1e-14);
    json_decref(json);
    fixture_free(&f);
}

static void a_later_point_has_its_inputs_and_states(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "50 [ms]"};
    run_fixture f = fixture_load(RESONANT, &load);
    json_t *json = linearize(&f);
    assert_near(number_of(json, "time"), 0.05, 0);
    assert_near(number_of(named(json_object_get(json, "inputs"), "u"), "value"), 7, 0);
    assert_near(number_of(named(json_object_get(json, "states"), "cap.q"), "value"), 7e-6,
                1e-9); // has settled
    assert_near(number_of(named(json_object_get(json, "outputs"), "v"), "value"), 7, 1e-3);
    json_decref(json);
    fixture_free(&f);
}

static bool only_once(void *context, double t, double stop) {
    assert_true(t < stop && stop == 1e4);
    return ++*(int *)context < 1;
}

static void the_way_to_the_point_can_be_ended(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "1e4"}; // a milliard of radians
    run_fixture f =
        fixture_load("model Lc { C c(1, q = 1); I l(1e-10); 1 j; j -> c; j -> l; experiment e { } }", &load);
    int asked = 0;
    hbg_linearize_options options = {.progress = only_once, .context = &asked};
    hbg_text text;
    assert_int_equal(hbg_linearize(f.session, f.model, &options, &text), HBG_BAD_ARGUMENT);
    assert_string_equal(hbg_session_reason(f.session),
                        "the run does not get to this point: it was interrupted");
    assert_int_equal(asked, 1);
    fixture_free(&f);
}

static void dependent_storages_count_for_one(void **state) {
    (void)state;
    run_fixture f = fixture_load(GEARED, NULL);
    json_t *json = linearize(&f);
    assert_int_equal(json_array_size(json_object_get(json, "states")), 1);
    assert_near(entry(json, "A", 0, 0), -2, 1e-12);
    const json_t *first = json_array_get(json_object_get(json, "eigenvalues"), 0);
    assert_near(number_of(first, "time_constant"), 0.5, 1e-12);
    assert_near(entry(json, "B", 0, 0) * entry(json, "C", 0, 0), 1 / 2.5, 1e-9); // acceleration per torque
    json_decref(json);
    fixture_free(&f);
}

static void text_names_rows_and_columns_and_explains_eigenvalues(void **state) {
    (void)state;
    run_fixture f = fixture_load(RESONANT, NULL);
    hbg_linearize_options options = {0};
    hbg_text text;
    assert_int_equal(hbg_linearize(f.session, f.model, &options, &text), HBG_OK);
    const char *const words[] = {"Rlc at 0 s\n", "    coil.p              -1e+06         -2000\n",
                                 "-1000 ± 9949.87j 1/s: 1583.57 Hz, damping 0.1, time constant 0.001 s\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(text.data, words[i])) fail_msg("no \"%s\" in\n%s", words[i], text.data);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_point_no_run_gets_to_has_no_linearization(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "3 [s]"};
    run_fixture f = fixture_load(EXPLODING, &load);
    hbg_linearize_options options = {0};
    hbg_text text;
    assert_int_equal(hbg_linearize(f.session, f.model, &options, &text), HBG_BAD_ARGUMENT);
    assert_non_null(strstr(hbg_session_reason(f.session), "the run does not get to this point"));
    fixture_free(&f);
}

/* A tank fed by 2 and drained by 0.5·e²: it comes to rest at e = 2, where the rate falls by 2·0.5·2/4 = 0.5 per unit of charge. */
static void a_steady_point_is_found_before_it_is_linearized(void **state) {
    (void)state;
    run_fixture f = fixture_load("model Tank { Sf feed(2); C tank(4, e = 1); R drain : f = 0.5*e*e; 0 n;"
                                 " feed -> n -> tank; n -> drain; output level = tank.e; }",
                                 NULL);
    hbg_linearize_options options = {.json = true, .steady = true};
    hbg_text text;
    assert_int_equal(hbg_linearize(f.session, f.model, &options, &text), HBG_OK);
    json_t *json = read_json(&f, &text);
    const json_t *level = json_array_get(json_object_get(json, "outputs"), 0);
    assert_true(fabs(entry(json, "A", 0, 0) + 0.5) < 1e-6);
    assert_true(fabs(json_number_value(json_object_get(level, "value")) - 2) < 1e-6);
    assert_true(json_is_true(json_object_get(json, "steady")));
    json_decref(json);
    fixture_free(&f);
}

static void a_model_that_never_rests_has_no_steady_point(void **state) {
    (void)state;
    run_fixture f =
        fixture_load("model Ramp { Sf feed(2); C tank(4); feed -> tank; output level = tank.e; }", NULL);
    hbg_linearize_options options = {.steady = true};
    hbg_text text;
    assert_int_equal(hbg_linearize(f.session, f.model, &options, &text), HBG_BAD_ARGUMENT);
    assert_non_null(strstr(hbg_session_reason(f.session), "no point where nothing moves was found"));
    fixture_free(&f);
}

/* Conducts for 1 ms, then not. */
#define CHOPPED                                                                                              \
    "model Chop { C cap(1 [uF]); R r(1 [kOhm]); Se drive(u); 1 loop when a; drive -> loop -> r; loop -> "    \
    "cap;\n"                                                                                                 \
    "  automaton a { on shut -> open after 1 [ms]; off open; }\n"                                            \
    "  sample u every 1 [ms] = 10 [V] - cap.e; experiment e { stop 5 [ms]; } }\n"

static void mode_side_and_held_values_are_told(void **state) {
    (void)state;
    static const struct {
        const char *stop, *mode;
        bool switched;
    } points[] = {{"0.5 [ms]", "a=shut", false}, {"1 [ms]", "a=open", true}, {"1.5 [ms]", "a=open", false}};
    for (int i = 0; i < 3; i++) {
        hbg_load_options load = {.stop = points[i].stop};
        run_fixture f = fixture_load(CHOPPED, &load);
        json_t *json = linearize(&f);
        assert_string_equal(json_string_value(json_object_get(json, "mode")), points[i].mode);
        assert_int_equal(json_is_true(json_object_get(json, "just_switched")), points[i].switched);
        const json_t *held = json_object_get(json, "held");
        assert_int_equal(json_array_size(held), 1);
        assert_string_equal(json_string_value(json_array_get(held, 0)), "u");
        json_decref(json);
        fixture_free(&f);
    }
}

/* A capacitor of 1 µF that is charged by 10 V through 1 kΩ and a diode, and drained by 4 kΩ: 8 V, or 0 V where the diode blocks. */
#define CHARGER                                                                                              \
    "model Charger { param V = 10 [V]; Se source(V); R series(1 [kOhm]); C cap(1 [uF]); R load(4 [kOhm]);\n" \
    "  1 branch when diode; 0 node; source -> branch -> node; branch -> series; node -> cap; node -> "       \
    "load;\n"                                                                                                \
    "  automaton diode { off blocking -> conducting when V > node.e; on conducting -> blocking when "        \
    "branch.f < 0; }\n"                                                                                      \
    "  output v = node.e; }\n"

/* −1/(RC) of what drains the capacitor alone, or of both. */
static void a_mode_asked_for_is_held(void **state) {
    static const struct {
        const char *asked;
        double eigenvalue;
        int left;
    } points[] = {{NULL, -1250, 0}, {"diode=conducting", -1250, 0}, {"diode=blocking", -250, 1}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        run_fixture f = fixture_load(CHARGER, NULL);
        hbg_linearize_options options = {.mode = points[i].asked, .json = true};
        hbg_text text;
        assert_int_equal(hbg_linearize(f.session, f.model, &options, &text), HBG_OK);
        json_t *json = read_json(&f, &text);
        assert_near(entry(json, "A", 0, 0), points[i].eigenvalue, 1e-9);
        assert_int_equal(json_array_size(json_object_get(json, "left_by")), points[i].left);
        json_decref(json);
        options.json = false;
        assert_int_equal(hbg_linearize(f.session, f.model, &options, &text), HBG_OK);
        const char *told =
            strstr(text.data, "held in this mode; a run would leave it\n    `diode` goes from `blocking`");
        assert_int_equal(told != NULL, points[i].left);
        hbg_text_free(f.session, &text);
        fixture_free(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_side_and_held_values_are_told),
        cmocka_unit_test(a_mode_asked_for_is_held),
        cmocka_unit_test(a_resonant_circuit_has_the_matrices_of_the_book),
        cmocka_unit_test(a_later_point_has_its_inputs_and_states),
        cmocka_unit_test(the_way_to_the_point_can_be_ended),
        cmocka_unit_test(dependent_storages_count_for_one),
        cmocka_unit_test(text_names_rows_and_columns_and_explains_eigenvalues),
        cmocka_unit_test(a_point_no_run_gets_to_has_no_linearization),
        cmocka_unit_test(a_steady_point_is_found_before_it_is_linearized),
        cmocka_unit_test(a_model_that_never_rests_has_no_steady_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
