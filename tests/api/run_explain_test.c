/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The story of a run in words. */
#include "api/run_events_fixture_impl.h"

static hbg_text story_of(run_fixture *f, const char *experiment, int64_t explain, hbg_run_end end) {
    hbg_run_options options = hbg_run_options_default();
    options.experiment = experiment;
    options.rtol = 1e-10;
    options.explain = explain;
    options.no_summary = true;
    return run_words(f, options, end);
}

static void the_story_tells_cause_modes_and_why_they_were_left(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    hbg_text text = story_of(&f, "opening", 50, HBG_RUN_FINISHED);
    const char *told =
        "t = 0 s: start with diode blocking, manual closed\n"
        "t = 1 s: sw becomes false\n"
        "    manual: closed -> open, when !sw\n"
        "        mythical: left again before anything happens; it would take coil.p from 12 Wb to 0 Wb, "
        "with a pulse of -12 Wb on coil\n"
        "    diode: blocking -> conducting, when node.e <= -4 (pulses -12 <= 0)\n"
        "        time flows on\n"
        "t = 2 s: tap happens\n"
        "    nothing switches\n"
        "t = 4 s: j_d.f < hold\n";
    assert_memory_equal(text.data, told, strlen(told));
    assert_says(text.data + strlen(told),
                "diode: conducting -> blocking, when j_d.f < hold (at 0)\n        time flows on\n");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_bounce_is_told_with_units_and_loss(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    hbg_text text = story_of(&f, "once", 50, HBG_RUN_FINISHED);
    assert_says(text.data, "t = 0.5 s: x <= 0\n");
    assert_says(text.data, "touch: flying -> bouncing, when x <= 0 && mass.p < 0 (at 0) (-10 < 0)\n");
    assert_says(text.data,
                "pinnacle: real, but for this instant only; it takes mass.p from -10 N·s to 5 N·s");
    assert_says(text.data, "; 18.75 J lost\n");
    assert_says(text.data, "touch: bouncing -> flying, when mass.p > 0 (5 > 0)\n        time flows on\n");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_verdict_is_part_of_the_story(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    hbg_text text = story_of(&f, "nowhere", 50, HBG_RUN_NOT_FINISHED);
    assert_says(text.data, "    verdict divergence: ");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void a_long_story_is_cut_and_counted_unless_all_is_asked_for(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    hbg_text text = story_of(&f, "opening", 2, HBG_RUN_FINISHED);
    assert_says(text.data, "t = 1 s: ");
    assert_says_not(text.data, "t = 2 s: ");
    assert_says(text.data, "… and 2 more; --explain=all tells them all\n");
    hbg_text_free(f.session, &text);
    text = story_of(&f, "opening", -1, HBG_RUN_FINISHED);
    assert_says(text.data, "t = 4 s: ");
    assert_says_not(text.data, "more");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void the_story_follows_the_summary_and_goes_into_json(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.explain = 50;
    hbg_text text = run_words(&f, options, HBG_RUN_FINISHED);
    const char *steps = strstr(text.data, " steps"), *start = strstr(text.data, "\n\nt = 0 s: start");
    assert_true(steps && start && steps < start);
    hbg_text_free(f.session, &text);
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_says(json_string_value(json_object_get(json, "story")), "pinnacle");
    json_decref(json);
    fixture_free(&f);
}

/* A lamp that goes out 30 s after it was lit, and a controller that looks every 0.2 s. */
static const char waiting[] =
    "model Lamp { input event press; input real u = 0; state x = 0 : der = u;\n"
    "  automaton timer { off dark -> lit when press; on lit -> dark after 30 [ms]; }\n"
    "  automaton watch every 200 [ms] { off low -> high when x > 0.1; on high -> low when x < 0; }\n"
    "  output y = x; experiment e { stop 1 [s]; at 50 [ms]: press; at 100 [ms]: u = 1; } }\n";

/* The end of the run is planned; that a guard comes to hold just there is no wait. */
static void a_guard_that_holds_at_a_planned_moment_is_the_cause(void **state) {
    (void)state;
    run_fixture f = fixture_load("model Clock { state x = 0 : der = 1/(1 [s]);\n"
                                 "  automaton a { off no -> yes when x >= 2; off yes -> no when x < 0; }\n"
                                 "  output y = x; experiment e { stop 2 [s]; } }\n",
                                 NULL);
    hbg_text text = story_of(&f, "e", -1, HBG_RUN_FINISHED);
    assert_says(text.data, "t = 2 s: x >= 2\n    a: no -> yes, when x >= 2 (at 2)\n");
    assert_says_not(text.data, "wait");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

static void waits_and_samples_are_causes(void **state) {
    (void)state;
    run_fixture f = fixture_load(waiting, NULL);
    hbg_text text = story_of(&f, "e", -1, HBG_RUN_FINISHED);
    assert_says(text.data, "t = 50 ms: press happens\n    timer: dark -> lit, when press\n");
    assert_says(text.data, "t = 80 ms: a wait is over\n    timer: lit -> dark, after 30 ms\n");
    assert_says(text.data, "t = 0.1 s: u becomes 1\n    nothing switches\n");
    assert_says(text.data, "t = 0.4 s: a sample is due\n    watch: low -> high, when x > 0.1 (0.3 > 0.1)\n");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* Of `||` the sides that hold decided, of `!(… || …)` both. */
static void only_what_decided_a_guard_is_told(void **state) {
    (void)state;
    run_fixture f =
        fixture_load("model M { state x = 0 : der = 1;\n"
                     "  automaton a { off l -> m when x > 5 || x >= 1; on m -> n when !(x < 2 || x < 1);\n"
                     "                off n -> p when x < 0 && x > 7 || x > 3 && x < 9; on p; }\n"
                     "  output o = a.m; experiment e { stop 3.5; } }\n",
                     NULL);
    hbg_text text = story_of(&f, "e", 50, HBG_RUN_FINISHED);
    assert_says(text.data, "when x > 5 || x >= 1 (at 1)\n");
    assert_says(text.data, "when !(x < 2 || x < 1) (at 2) (2 >= 1)\n");
    assert_says(text.data, "when x < 0 && x > 7 || x > 3 && x < 9 (at 3) (3 < 9)\n");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* Where a pulse is squared the words are the modeller's: `n.e*n.e`, not another name of that effort. */
static void a_square_of_a_pulse_is_named_as_it_is_written(void **state) {
    hbg_text text;
    (void)state;
    run_fixture f = fixture_load(
        "model Sq { I m(1, f = -1); 1 y; y -> m; Sf floor(0); 0 n when touch; floor -> n -> y;\n"
        "  state h = 1 : der = y.f; state E = 0 : der = n.e*n.e;\n"
        "  automaton touch { off no -> yes when h <= 0 && y.f < 0; on yes -> no when n.e < 0; }\n"
        "  output o = E; experiment a { stop 2; } }\n",
        NULL);
    text = run_words(&f, hbg_run_options_default(), HBG_RUN_NOT_FINISHED);
    assert_says(hbg_session_reason(f.session), "`n.e*n.e` has no meaning");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* A verdict on one contact names its automaton, not those of a circuit that has nothing to do with it. */
static void a_lost_pinnacle_names_its_group_only(void **state) {
    (void)state;
    run_fixture f = fixture_load(
        "model Two { 1 ball; I mass(0.2); Se gravity(-2); Sf floor(0); 0 contact when touch restitution "
        "0.8;\n"
        "  gravity -> ball -> mass; floor -> contact -> ball; state x = 1.25 : der = ball.f;\n"
        "  automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when x "
        "> 0.1; }\n"
        "  state y = 0 : der = 1; automaton other { off a -> b when y > 0.1; on b -> a when y > 50; }\n"
        "  C c(1, q = 1); R r(1); 1 k when other; k -> c; k -> r; experiment e { stop 1; } }\n",
        NULL);
    hbg_text text = run_words(&f, hbg_run_options_default(), HBG_RUN_NOT_FINISHED);
    assert_says(hbg_session_reason(f.session), "would persist: touch=bouncing; ");
    assert_says_not(hbg_session_reason(f.session), "other=");
    hbg_text_free(f.session, &text);
    fixture_free(&f);
}

/* Where contacts come to rest instead of ending the run the story says so, and so does the log. */
static void coming_to_rest_is_told(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.experiment = "always";
    options.explain = -1;
    options.zeno_rest = true;
    options.no_summary = true;
    options.events = "rest.jsonl";
    hbg_text text = run_words(&f, options, HBG_RUN_FINISHED);
    assert_says(text.data, "    what bounced rests from here on: events accumulate (Zeno)");
    hbg_text_free(f.session, &text);
    event_log log = read_log("rest.jsonl");
    int told = 0;
    for (int i = 0; i < log.count; i++) told += json_object_get(log.lines[i], "rest") != NULL;
    assert_int_equal(told, 1);
    free_log(&log);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_story_tells_cause_modes_and_why_they_were_left),
        cmocka_unit_test(only_what_decided_a_guard_is_told),
        cmocka_unit_test(a_square_of_a_pulse_is_named_as_it_is_written),
        cmocka_unit_test(a_lost_pinnacle_names_its_group_only),
        cmocka_unit_test(coming_to_rest_is_told),
        cmocka_unit_test(a_bounce_is_told_with_units_and_loss),
        cmocka_unit_test(a_verdict_is_part_of_the_story),
        cmocka_unit_test(a_long_story_is_cut_and_counted_unless_all_is_asked_for),
        cmocka_unit_test(the_story_follows_the_summary_and_goes_into_json),
        cmocka_unit_test(waits_and_samples_are_causes),
        cmocka_unit_test(a_guard_that_holds_at_a_planned_moment_is_the_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
