/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of models that fall into parts: ramps and falling bodies side by side, with every event known by hand.
 * Each part has its own steps; reports of the run are about the whole, in order of time. */
#include "api/run_fixture_impl.h"

/* A ramp of `slope` units a second, with actions where it passes two levels; `when` may add more. */
#define RAMP(x, slope, one, two)                                                                             \
    "state " x " = 0 : der = " slope "/(1 [s]);\n"                                                           \
    "automaton at_" x " { off low -> middle when " x " > " one "; on middle -> high when " x " > " two       \
    "; off high; }\n"

#define RAMPS(more)                                                                                          \
    "model Ramps {\n" RAMP("x", "1", "0.3", "0.7") RAMP("y", "2", "1", "1.8") more                           \
        "experiment e { stop 1 [s]; record x, y; } }\n"

typedef struct {
    double t, value[4];
} row;

typedef struct {
    row rows[4000];
    int count;
    json_t *events[200];
    int event_count;
    json_t *told;
} course;

static void read_rows(course *of, const char *path, int columns) {
    char *text = file_text(path), *line = strchr(text, '\n');
    of->count = 0;
    while (line && line[1] && of->count < 4000) {
        row *to = &of->rows[of->count++];
        char *end = line + 1;
        to->t = strtod(end, &end);
        for (int i = 0; i < columns; i++) to->value[i] = strtod(end + 1, &end);
        line = strchr(end, '\n');
    }
    free(text);
}

static void read_events(course *of, const char *path) {
    char *text = file_text(path);
    of->event_count = 0;
    for (char *line = text, *end; *line && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        assert_true(of->event_count < 200);
        json_t *event = json_loadb(line, (size_t)(end - line), 0, NULL);
        assert_non_null(event);
        of->events[of->event_count++] = event;
    }
    free(text);
}

static void follow(course *of, const char *text, const char *every, int columns, hbg_run_end expected) {
    static const char *const files[] = {"rows.csv"};
    hbg_load_options load = {.every = every};
    run_fixture f = fixture_load(text, &load);
    hbg_run_options options = hbg_run_options_default();
    options.files = files;
    options.file_count = 1;
    options.events = "events.jsonl";
    of->told = run_json(&f, options, expected);
    bool finished = expected == HBG_RUN_FINISHED;
    read_rows(of, finished ? "rows.csv" : "rows.csv.partial", columns);
    read_events(of, finished ? "events.jsonl" : "events.jsonl.partial");
    fixture_free(&f);
}

static void forget(course *of) {
    for (int i = 0; i < of->event_count; i++) json_decref(of->events[i]);
    json_decref(of->told);
}

static const char *why(const course *of) {
    return json_string_value(json_object_get(json_object_get(of->told, "solver"), "why"));
}

/* ---- order --------------------------------------------------------------------------------------------- */

static void instants_of_all_parts_come_in_order_of_time(void **state) {
    static course of;
    static const double times[] = {0, 0.3, 0.5, 0.7, 0.9};
    static const char *const changed[] = {NULL, "at_x", "at_y", "at_x", "at_y"};
    (void)state;
    follow(&of, RAMPS(""), NULL, 2, HBG_RUN_FINISHED);
    assert_int_equal(of.event_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_near(number_of(of.events[i], "t"), times[i], 1e-12);
        const json_t *trace = json_object_get(of.events[i], "trace");
        if (!changed[i]) continue;
        const json_t *moved = json_object_get(json_array_get(trace, 0), "changed");
        assert_int_equal(json_object_size(moved), 1);
        assert_non_null(json_object_get(moved, changed[i]));
    }
    for (int i = 0; i < of.count; i++) { // all parts are there, whichever made the step
        if (i > 0) assert_true(of.rows[i].t >= of.rows[i - 1].t);
        assert_near(of.rows[i].value[0], of.rows[i].t, 1e-13);
        assert_near(of.rows[i].value[1], 2 * of.rows[i].t, 2e-13);
    }
    assert_true(of.rows[of.count - 1].t == 1);
    double steps = number_of(json_object_get(of.told, "statistics"), "steps"), apart = 0;
    for (int i = 1; i < of.count; i++) apart = fmax(apart, of.rows[i].t - of.rows[i - 1].t);
    assert_true(steps > 200 && of.count < 150); // each part has a hundred of its own: one row for both
    assert_true(apart < 2 * 0.01001);           // and none without one
    forget(&of);
}

static void rows_with_a_pace_of_their_own_keep_it(void **state) {
    static course of;
    (void)state;
    follow(&of, RAMPS(""), "0.125 [s]", 2, HBG_RUN_FINISHED);
    assert_int_equal(of.count, 9);
    for (int i = 0; i < 9; i++) {
        assert_true(of.rows[i].t == 0.125 * i);
        assert_near(of.rows[i].value[0], 0.125 * i, 1e-14);
        assert_near(of.rows[i].value[1], 0.25 * i, 1e-14);
    }
    forget(&of);
}

static void a_verdict_ends_all_parts_where_it_falls(void **state) {
    static course of;
    (void)state;
    /* z never comes to rest at 0.6 s, as soon as it has left equality there */
    follow(&of,
           RAMPS("state z = 0 : der = 1/(1 [s]); automaton flip { off a -> b when z > 0.6; on b -> a when z "
                 "> 0.6; }\n"),
           "0.25 [s]", 2, HBG_RUN_NOT_FINISHED);
    assert_int_equal(of.count, 4); // 0, 0.25, 0.5, and the end
    assert_near(of.rows[3].t, 0.6, 1e-9);
    assert_near(of.rows[3].value[0], 0.6, 1e-9);
    assert_near(of.rows[3].value[1], 1.2, 1e-9);
    assert_string_equal(json_string_value(json_object_get(of.told, "verdict")), "divergence");
    assert_int_equal(of.event_count, 5); // the start, 0.3, 0.5, 0.6, the verdict; none of 0.7
    assert_near(number_of(of.events[4], "t"), 0.6, 1e-9);
    assert_string_equal(json_string_value(json_object_get(of.events[4], "verdict")), "divergence");
    forget(&of);
}

/* ---- at one moment ------------------------------------------------------------------------------------- */

static void what_happens_in_several_parts_at_one_moment_is_one_event(void **state) {
    static course of;
    (void)state;
    /* both at 0.5 s; one stops at once, the other continues from the mode it enters: the first waits for
     * it */
    follow(
        &of,
        "model Both { state x = 0 : der = 1/(1 [s]); automaton a { off low -> high when x > 0.5; on high; }\n"
        "state y = 0 : der = 2/(1 [s]); automaton b { off one -> two when y > 1; on two -> three when y > 1; "
        "off three; }\n"
        "experiment e { stop 1 [s]; record x, y; } }\n",
        NULL, 2, HBG_RUN_FINISHED);
    assert_int_equal(of.event_count, 2);
    const json_t *event = of.events[1], *trace = json_object_get(event, "trace");
    assert_near(number_of(event, "t"), 0.5, 1e-12);
    assert_int_equal(json_array_size(json_object_get(event, "cause")), 2);
    assert_int_equal(json_array_size(trace), 2);
    char *told = json_dumps(trace, JSON_SORT_KEYS | JSON_COMPACT);
    assert_string_equal(
        told,
        "[{\"changed\":{\"a\":\"high\",\"b\":\"two\"},\"impulses\":{},\"jump\":{},\"kind\":\"mythical\"},"
        "{\"changed\":{\"b\":\"three\"},\"impulses\":{},\"jump\":{},\"kind\":\"continuous\"}]");
    free(told);
    forget(&of);
}

static void an_input_acts_on_all_parts_that_read_it(void **state) {
    static course of;
    (void)state;
    follow(&of,
           "model Two { input real u = 1; input event go;\n"
           "state x = 0 : der = u/(1 [s]); automaton a { off low -> high when x > 0.75; on high -> low when "
           "go; }\n"
           "state y = 0 : der = -u/(1 [s]); automaton b { off one -> two when go; on two; }\n"
           "experiment e { stop 1 [s]; at 0.5 [s]: u = 3; at 0.75 [s]: go; record x, y; } }\n",
           NULL, 2, HBG_RUN_FINISHED);
    assert_int_equal(of.event_count, 4); // the start, u, x > 0.75 at 7/12, go
    assert_near(number_of(of.events[2], "t"), 0.5 + 0.25 / 3, 1e-12);
    char *told = json_dumps(json_object_get(of.events[1], "cause"), JSON_COMPACT);
    assert_string_equal(told, "[\"u = 3\"]");
    free(told);
    const json_t *last = of.events[3],
                 *moved = json_object_get(json_array_get(json_object_get(last, "trace"), 0), "changed");
    assert_string_equal(json_string_value(json_object_get(moved, "a")), "low");
    assert_string_equal(json_string_value(json_object_get(moved, "b")), "two");
    assert_near(of.rows[of.count - 1].value[0], 0.5 + 1.5, 1e-12);
    assert_near(of.rows[of.count - 1].value[1], -2, 1e-12);
    forget(&of);
}

/* Two balls that fall on separate floors, with restitution: from 1.25 m and 5 m at 10 m/s², so at 0.5 s and 1
 * s first. */
#define BALL(x, height, epsilon)                                                                             \
    "Se weight_" x "(-10 [N]); I mass_" x "(1 [kg]); 1 ball_" x "; weight_" x " -> ball_" x " -> mass_" x    \
    ";\n"                                                                                                    \
    "Sf floor_" x "(0 [m/s]); 0 hit_" x " when touch_" x " restitution " epsilon "; ball_" x " -> hit_" x    \
    " -> floor_" x ";\n"                                                                                     \
    "state " x " = " height " [m] : der = ball_" x ".f;\n"                                                   \
    "automaton touch_" x " { off away -> there when " x " <= 0 && ball_" x                                   \
    ".f < 0; on there -> away when ball_" x ".f > 0; }\n"

static void a_collision_in_one_part_writes_rows_of_all(void **state) {
    static course of;
    (void)state;
    follow(&of,
           "model Balls {\n" BALL("a", "1.25", "0.5")
               BALL("b", "5", "1") "experiment e { stop 1.4 [s]; record ball_a.f, ball_b.f; } }\n",
           "0.7 [s]", 2, HBG_RUN_FINISHED);
    /* 0; a hits at 0.5 and 1 (and leaves with 2.5, to be back 0.25 s later …), b at 1: both at once */
    row first = {0}, second = {0}; // after each
    for (int i = 0; i < of.count; i++) {
        if (fabs(of.rows[i].t - 0.5) < 1e-9) first = of.rows[i];
        if (fabs(of.rows[i].t - 1) < 1e-9) second = of.rows[i];
    }
    assert_near(first.value[0], 2.5, 1e-9);
    assert_near(first.value[1], -5, 1e-9);
    assert_near(second.value[0], 1.25, 1e-9);
    assert_near(second.value[1], 10, 1e-9);
    const json_t *ledger = json_object_get(of.told, "ledger");
    /* a loses 12.5 − 3.125 J, 3.125 − 0.78125 J, and so on; b nothing */
    double lost = 12.5 - 12.5 / 16;
    for (double e = 12.5 / 16, t = 1.25; t < 1.4; e /= 4, t += 0.125) lost += e - e / 4;
    assert_near(number_of(ledger, "lost_in_jumps"), lost, 1e-6);
    forget(&of);
}

static void what_comes_to_rest_in_one_part_does_not_stop_another(void **state) {
    (void)state;
    run_fixture f = fixture_load("model Rest {\n" BALL("a", "1.25", "0.5")
                                     BALL("b", "80", "1") "experiment e { stop 4.5 [s]; record a, b; } }\n",
                                 NULL);
    hbg_run_options options = hbg_run_options_default();
    options.zeno_rest = true;
    json_t *told = run_json(&f, options, HBG_RUN_FINISHED);
    assert_near(final_value(told, "a"), 0, 1e-6); // at rest from 1.5 s on
    assert_near(final_value(told, "b"), 80 - 5 * 3.5 * 3.5 + 0 - 0,
                60.1); // down at 4 s with 40 m/s, up again for 0.5 s
    assert_near(final_value(told, "b"), 40 * 0.5 - 5 * 0.25, 1e-6);
    json_decref(told);
    options.zeno_rest = false;
    told = run_json(&f, options, HBG_RUN_NOT_FINISHED);
    assert_string_equal(json_string_value(json_object_get(told, "verdict")), "zeno");
    json_decref(told);
    fixture_free(&f);
}

static void a_fault_is_for_the_parts_it_concerns(void **state) {
    static course of;
    (void)state;
    follow(&of,
           "model Faulty { param k = 1;\n"
           "state x = 0 : der = k/(1 [s]); automaton a { off low -> high when x > 0.8; on high; }\n"
           "state y = 0 : der = 1/(1 [s]); automaton b { off one -> two when y > 0.7; on two; }\n"
           "experiment e { stop 1 [s]; fault at 0.5 [s]: k abrupt 1;\n"
           "fault at 0.6 [s] until 0.9 [s]: b stuck one; record x, y; } }\n",
           "0.25 [s]", 2, HBG_RUN_FINISHED);
    static const double times[] = {0, 0.5, 0.6, 0.65, 0.9};
    assert_int_equal(of.event_count, 5); // x passes 0.8 at 0.65; b is released at 0.9 and moves at once
    for (int i = 0; i < 5; i++) assert_near(number_of(of.events[i], "t"), times[i], 1e-12);
    assert_near(of.rows[of.count - 1].value[0], 1.5, 1e-12);
    assert_near(of.rows[of.count - 1].value[1], 1, 1e-12);
    forget(&of);
}

/* ---- methods ------------------------------------------------------------------------------------------- */

static void each_part_has_the_method_it_needs(void **state) {
    static course of;
    (void)state;
    /* z follows a sine by a millionth of a second */
    follow(&of,
           RAMPS("state z = 0 : der = 1e6*(sin(time/(1 [s])) - z)/(1 [s]); automaton c { off d -> e when z > "
                 "0.5; on e; }\n"),
           "0.5 [s]", 2, HBG_RUN_FINISHED);
    const char *reason = why(&of);
    if (!strstr(reason, "3 independent parts") || !strstr(reason, "stiff")) fail_msg("%s", reason);
    const char *name = json_string_value(json_object_get(json_object_get(of.told, "solver"), "name"));
    if (!strstr(name, "(2 of 3 parts)") || !strstr(name, "bdf")) fail_msg("%s", name);
    assert_near(number_of(of.events[3], "t"), asin(0.5), 1e-4);
    forget(&of);
}

static void fixed_steps_and_single_parts_are_as_before(void **state) {
    static course of;
    (void)state;
    follow(&of,
           "model One {\n" RAMP(
               "x", "1", "0.3",
               "0.7") "state y = 0 : der = 1/(1 [s]); experiment e { stop 1 [s]; record x, y; } }\n",
           NULL, 2, HBG_RUN_FINISHED);
    assert_null(strstr(why(&of), "independent")); // only one of the two switches
    forget(&of);
    run_fixture f = fixture_load(
        "model Ramps {\n" RAMP("x", "1", "0.3", "0.7") RAMP(
            "y", "2", "1", "1.8") "experiment e { stop 1 [s]; solver rk4 step 0.01 [s]; record x, y; } }\n",
        NULL);
    of.told = run_json(&f, hbg_run_options_default(), HBG_RUN_FINISHED);
    assert_null(strstr(why(&of), "independent"));
    json_decref(of.told);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_of_all_parts_come_in_order_of_time),
        cmocka_unit_test(rows_with_a_pace_of_their_own_keep_it),
        cmocka_unit_test(a_verdict_ends_all_parts_where_it_falls),
        cmocka_unit_test(what_happens_in_several_parts_at_one_moment_is_one_event),
        cmocka_unit_test(an_input_acts_on_all_parts_that_read_it),
        cmocka_unit_test(a_collision_in_one_part_writes_rows_of_all),
        cmocka_unit_test(what_comes_to_rest_in_one_part_does_not_stop_another),
        cmocka_unit_test(a_fault_is_for_the_parts_it_concerns),
        cmocka_unit_test(each_part_has_the_method_it_needs),
        cmocka_unit_test(fixed_steps_and_single_parts_are_as_before),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
