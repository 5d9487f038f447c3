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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_story_tells_cause_modes_and_why_they_were_left),
        cmocka_unit_test(a_bounce_is_told_with_units_and_loss),
        cmocka_unit_test(a_verdict_is_part_of_the_story),
        cmocka_unit_test(a_long_story_is_cut_and_counted_unless_all_is_asked_for),
        cmocka_unit_test(the_story_follows_the_summary_and_goes_into_json),
        cmocka_unit_test(waits_and_samples_are_causes),
        cmocka_unit_test(a_guard_that_holds_at_a_planned_moment_is_the_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
