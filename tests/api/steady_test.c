/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operating points through the public header. */
#include <math.h>
#include <string.h>

#include "api/run_fixture_impl.h"

/* A tank that empties through a nozzle: what flows in, 2 kg/s as it were, flows out where k·√p = 2. */
#define TANK                                                                                                 \
    "model Tank { param k = 0.5; Sf inlet(2); C tank(3, e = 1); R nozzle : f = k*sqrt(e), e = (f/k)^2;\n"    \
    "  0 node; inlet -> node -> tank; node -> nozzle; output level = tank.q; }\n"

static json_t *find_steady(run_fixture *f, bool expected) {
    hbg_steady_options options = {.json = true};
    hbg_text text;
    bool found;
    hbg_status status = hbg_steady(f->session, f->model, &options, &found, &text);
    if (status != HBG_OK || found != expected) fail_msg("%s", hbg_session_reason(f->session));
    return read_json(f, &text);
}

static void a_charged_capacitor_stands_still(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    json_t *json = find_steady(&f, true);
    assert_near(number_of(named(json_object_get(json, "states"), "cap.q"), "value"), 1e-4, 1e-12);
    assert_near(number_of(named(json_object_get(json, "outputs"), "v"), "value"), 10, 1e-7);
    assert_near(number_of(named(json_object_get(json, "outputs"), "i"), "value"), 0, 1e-10);
    json_decref(json);
    fixture_free(&f);
}

static void a_nonlinear_outlet_finds_its_level(void **state) {
    (void)state;
    run_fixture f = fixture_load(TANK, NULL);
    json_t *json = find_steady(&f, true);
    assert_near(number_of(named(json_object_get(json, "outputs"), "level"), "value"), 3 * 16, 1e-4);
    json_decref(json);
    fixture_free(&f);
}

static void what_grows_for_ever_has_none(void **state) {
    (void)state;
    run_fixture f = fixture_load("model Up { state x = 0 : der = 1 [1/s]; output y = x; }\n", NULL);
    json_t *json = find_steady(&f, false);
    assert_true(json_is_string(json_object_get(json, "failure")));
    json_decref(json);
    hbg_steady_options options = {0};
    hbg_text text;
    bool found;
    assert_int_equal(hbg_steady(f.session, f.model, &options, &found, &text), HBG_OK);
    assert_false(found);
    assert_string_equal(text.data, "Up: no point was found where nothing moves\n");
    assert_true(hbg_session_reason(f.session)[0] != 0);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* An outlet that saturates throws Newton's method far away, where every change is small beside the state. The level at which
 * 1.2·tanh(e/0.4) = 0.9 is e = 0.4·artanh(0.75). */
#define SATURATING(inlet)                                                                                    \
    "model Tank { Sf inlet(" inlet "); C tank(2, e = 6); R outlet : f = 1.2*tanh(e/0.4); 0 node;\n"          \
    "  inlet -> node -> tank; node -> outlet; output level = node.e; }\n"

static void a_level_below_a_saturated_outlet_is_found(void **state) {
    (void)state;
    run_fixture f = fixture_load(SATURATING("0.9"), NULL);
    json_t *json = find_steady(&f, true);
    double level = number_of(named(json_object_get(json, "outputs"), "level"), "value");
    assert_near(level, 0.4 * atanh(0.75), 1e-9);
    json_decref(json);
    fixture_free(&f);
}

/* More flows in than can flow out: the level rises for ever, by 0.3 a second, wherever the search has been. */
static void a_tank_that_only_fills_has_no_point_of_rest(void **state) {
    (void)state;
    run_fixture f =
        fixture_load("model Tanks { Sf a(0.41); Sf b(1.68); C c(0.5, e = 0.29); C d(0.5, e = 4.4);\n"
                     "  R out : f = 1.92*sqrt(abs(e))*sign(e); R full : f = 0.18*e/(1.18 + abs(e));\n"
                     "  0 n; 0 m; 1 p; R weir : f = 0.5*max(0, e - 0.13)^1.5;\n"
                     "  a -> n -> c; n -> out; b -> m -> d; m -> full; n -> p -> m; p -> weir; }\n",
                     NULL);
    json_decref(find_steady(&f, false));
    fixture_free(&f);
}

/* Far from rest a law such as exp is some 1e46 times faster than near it: e = 0.05·ln(1 + 0.6/1.63). */
static void a_law_that_is_very_steep_at_the_start_is_followed_down(void **state) {
    (void)state;
    run_fixture f =
        fixture_load("model M { Sf inlet(0.6); C tank(2, e = 8); R outlet : f = 1.63*(exp(e/0.05) - 1);\n"
                     "  0 node; inlet -> node -> tank; node -> outlet; output level = node.e; }\n",
                     NULL);
    json_t *json = find_steady(&f, true);
    double level = number_of(named(json_object_get(json, "outputs"), "level"), "value");
    assert_near(level, 0.05 * log1p(0.6 / 1.63), 1e-9);
    json_decref(json);
    fixture_free(&f);
}

/* The start itself fails: the resistance is no number. What the run says of it outlives the run. */
static void a_start_that_fails_is_told_in_the_words_of_the_run(void **state) {
    (void)state;
    run_fixture f = fixture_load("model M { C c(1, q = 1); R r : e = log(-1 - c.q^2)*f; 1 j; c -> j -> r;\n"
                                 "  experiment e { stop 0; record c.q; } }\n",
                                 NULL);
    json_t *json = find_steady(&f, false);
    const char *told = json_string_value(json_object_get(json, "failure"));
    assert_non_null(strstr(told, "no unique solution"));
    assert_string_equal(hbg_session_reason(f.session), told);
    json_decref(json);
    fixture_free(&f);
}

static void text_lists_states_and_outputs(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_steady_options options = {0};
    hbg_text text;
    bool found;
    assert_int_equal(hbg_steady(f.session, f.model, &options, &found, &text), HBG_OK);
    assert_true(found);
    assert_non_null(strstr(text.data, "    cap.q         0.0001 C\n"));
    assert_non_null(strstr(text.data, "    v             10 V\n"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_state_of_rest_is_told_with_its_mode(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    json_t *json = find_steady(&f, true);
    assert_string_equal(json_string_value(json_object_get(json, "mode")), ""); // there is only one
    assert_true(json_is_true(json_object_get(json, "lasts")));
    json_decref(json);
    fixture_free(&f);
    f = fixture_load(
        "model Relay { input bool up = false; C cap(1 [uF], e = 1 [V]); R r(1 [kOhm]); cap -> r;\n"
        "  automaton a { off low -> high when up; on high -> low when !up; } }\n",
        NULL);
    hbg_steady_options options = {0};
    hbg_text text;
    bool found;
    assert_int_equal(hbg_steady(f.session, f.model, &options, &found, &text), HBG_OK);
    assert_non_null(strstr(text.data, "Relay: nothing moves here in mode a=low\n"));
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* A capacitor of 1 µF that is charged by 10 V through 1 kΩ and a diode, and drained by 4 kΩ: 8 V, or 0 V where the diode blocks. */
#define CHARGER                                                                                              \
    "model Charger { param V = 10 [V]; Se source(V); R series(1 [kOhm]); C cap(1 [uF]); R load(4 [kOhm]);\n" \
    "  1 branch when diode; 0 node; source -> branch -> node; branch -> series; node -> cap; node -> "       \
    "load;\n"                                                                                                \
    "  automaton diode { off blocking -> conducting when V > node.e; on conducting -> blocking when "        \
    "branch.f < 0; }\n"                                                                                      \
    "  output v = node.e; }\n"

/* A mode that was asked for is the one the point is in; what would leave it is told. */
static void a_mode_asked_for_is_held(void **state) {
    static const struct {
        const char *asked, *mode, *left;
        double v;
    } points[] = {{NULL, "diode=conducting", NULL, 8},
                  {"diode=conducting", "diode=conducting", NULL, 8},
                  {"diode=blocking", "diode=blocking",
                   "`diode` goes from `blocking` to `conducting`: V > node.e holds here", 0}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        run_fixture f = fixture_load(CHARGER, NULL);
        hbg_steady_options options = {.mode = points[i].asked, .json = true};
        hbg_text text;
        bool found;
        assert_int_equal(hbg_steady(f.session, f.model, &options, &found, &text), HBG_OK);
        json_t *json = read_json(&f, &text), *ends = json_object_get(json, "ended_by");
        assert_string_equal(json_string_value(json_object_get(json, "mode")), points[i].mode);
        assert_near(number_of(named(json_object_get(json, "outputs"), "v"), "value"), points[i].v, 1e-9);
        assert_int_equal(json_array_size(ends), points[i].left != NULL);
        if (points[i].left)
            assert_string_equal(json_string_value(json_object_get(json_array_get(ends, 0), "text")),
                                points[i].left);
        json_decref(json);
        fixture_free(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_charged_capacitor_stands_still),
        cmocka_unit_test(a_nonlinear_outlet_finds_its_level),
        cmocka_unit_test(what_grows_for_ever_has_none),
        cmocka_unit_test(a_level_below_a_saturated_outlet_is_found),
        cmocka_unit_test(a_tank_that_only_fills_has_no_point_of_rest),
        cmocka_unit_test(a_law_that_is_very_steep_at_the_start_is_followed_down),
        cmocka_unit_test(a_start_that_fails_is_told_in_the_words_of_the_run),
        cmocka_unit_test(text_lists_states_and_outputs),
        cmocka_unit_test(a_state_of_rest_is_told_with_its_mode),
        cmocka_unit_test(a_mode_asked_for_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
