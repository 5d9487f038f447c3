/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What ends a state of rest: guards, waits, samples, time. */
#include "api/run_fixture_impl.h"

/* A heater that would reach 100 K above its surroundings, and is switched as `automaton` says. */
#define HEATER(automaton)                                                                                    \
    "model Oven { C air(10 [J/K]); Sf heater(50 [W]); R loss(2 [K/W]); 0 node; 1 path when ctl;\n"           \
    "  heater -> path -> node; node -> air; node -> loss; " automaton " }\n"

/* The point of rest is found, and does not last. The caller frees the list of what ends it. */
static json_t *ends_of(const char *model) {
    run_fixture f = fixture_load(model, NULL);
    hbg_steady_options options = {.json = true};
    hbg_text text;
    bool found;
    assert_int_equal(hbg_steady(f.session, f.model, &options, &found, &text), HBG_OK);
    assert_true(found);
    json_t *json = read_json(&f, &text), *ends = json_incref(json_object_get(json, "ended_by"));
    assert_int_equal(json_is_true(json_object_get(json, "lasts")), json_array_size(ends) == 0);
    json_decref(json);
    fixture_free(&f);
    return ends;
}

static void expect(const char *model, const char *kind, const char *name, const char *words) {
    json_t *ends = ends_of(model);
    assert_int_equal(json_array_size(ends), 1);
    const json_t *first = json_array_get(ends, 0);
    assert_string_equal(json_string_value(json_object_get(first, "kind")), kind);
    assert_string_equal(json_string_value(json_object_get(first, "name")), name);
    if (!strstr(json_string_value(json_object_get(first, "text")), words))
        fail_msg("no \"%s\" in \"%s\"", words, json_string_value(json_object_get(first, "text")));
    json_decref(ends);
}

static void a_guard_that_holds_there_is_named(void **state) {
    (void)state;
    expect(
        HEATER(
            "automaton ctl { on heat -> idle when node.e > 80 [K]; off idle -> heat when node.e < 70 [K]; }"),
        "guard", "ctl", "`ctl` goes from `heat` to `idle`: node.e > 80 holds here");
    expect(HEATER("automaton ctl every 1 [s] { on heat -> idle when node.e > 80 [K]; off idle -> heat when "
                  "node.e < 70 [K]; }"),
           "guard", "ctl", "node.e > 80 holds here");
}

static void a_guard_that_does_not_hold_there_ends_nothing(void **state) {
    (void)state;
    json_t *ends = ends_of(HEATER(
        "automaton ctl { on heat -> idle when node.e > 120 [K]; off idle -> heat when node.e < 70 [K]; }"));
    assert_int_equal(json_array_size(ends), 0);
    json_decref(ends);
}

static void a_wait_is_named_with_its_length(void **state) {
    (void)state;
    expect(HEATER("automaton ctl { on heat -> idle after 3 [s]; off idle -> heat after 5 [s]; }"), "wait",
           "ctl", "`ctl` goes from `heat` to `idle` after 3 s");
    expect(HEATER("automaton ctl { on heat -> idle when node.e > 80 [K] after 3 [s]; off idle -> heat after "
                  "5 [s]; }"),
           "wait", "ctl", "after 3 s, since node.e > 80 holds here");
    json_t *ends = ends_of(HEATER("automaton ctl { on heat -> idle when node.e > 120 [K] after 3 [s]; off "
                                  "idle -> heat after 5 [s]; }"));
    assert_int_equal(json_array_size(ends), 0);
    json_decref(ends);
}

/* The first sample finds the capacitor empty and asks for 10 V; charged to these, it asks for none. */
static void a_sample_that_would_change_is_named(void **state) {
    (void)state;
    expect(
        "model Loop { C cap(1 [uF]); R r(1 [kOhm]); Se drive(u); 1 loop; drive -> loop -> r; loop -> cap;\n"
        "  sample u every 1 [ms] = 10 [V] - cap.e; sample n every 1 [ms] = pre(n) + 1; }\n",
        "sample", "u", "taken every 0.001 s");
    json_t *ends =
        ends_of("model Same { C cap(1 [uF]); R r(1 [kOhm]); Se drive(u); 1 loop; drive -> loop -> r;\n"
                "  loop -> cap; sample u every 1 [ms] = 10 [V]; }\n");
    assert_int_equal(json_array_size(ends), 0);
    json_decref(ends);
}

static void what_follows_time_goes_on(void **state) {
    (void)state;
    expect("model Wave { C cap(1 [uF]); R r(1 [kOhm]); Se drive(5 [V]*cos(300*time)); 1 loop; drive -> loop "
           "-> r;\n"
           "  loop -> cap; }\n",
           "time", "time", "time stands still at 0 s");
    expect("model Ramp { C cap(1 [uF], e = 1 [V]); R r(1 [kOhm]); 1 j when a; 0 node; node -> cap; node -> "
           "j; j -> r;\n"
           "  automaton a { off open -> shut when time > 2 [s]; on shut; } }\n",
           "time", "a", "time > 2 will hold as time goes on");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guard_that_holds_there_is_named),
        cmocka_unit_test(a_guard_that_does_not_hold_there_ends_nothing),
        cmocka_unit_test(a_wait_is_named_with_its_length),
        cmocka_unit_test(a_sample_that_would_change_is_named),
        cmocka_unit_test(what_follows_time_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
