/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What events add to a plot: strips of the automata that switched, points of what was for an instant only. */
#include "api/run_events_fixture_impl.h"

static char *plot_of(run_fixture *f, const char *experiment) {
    hbg_run_options options = hbg_run_options_default();
    options.experiment = experiment;
    options.plot = "bands.svg";
    hbg_text text = run_words(f, options, HBG_RUN_FINISHED);
    hbg_text_free(f->session, &text);
    return file_text("bands.svg");
}

static int count_of(const char *text, const char *words) {
    int count = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

static void every_automaton_that_switched_has_a_strip(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, "class=\"strip\""), 2);
    assert_int_equal(count_of(picture, ">conducting<"), 1);
    assert_int_equal(count_of(picture, ">blocking<"), 2); // before, and from 4 s on
    free(picture);
    fixture_free(&f);
}

static void what_never_switched_has_none(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "0.5 [s]"};
    run_fixture f = fixture_load(FREEWHEELING, &load);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, "class=\"strip\""), 0);
    free(picture);
    fixture_free(&f);
}

static void a_start_mode_that_was_mythical_has_no_band(void **state) {
    (void)state;
    run_fixture f =
        fixture_load("model M { state x = 1 : der = -1;\n"
                     "automaton a { off wrong -> high when x > 0; on high -> low when x < 0; off low; }\n"
                     "output y = x; experiment opening { stop 2 [s]; plot y; } }\n",
                     NULL);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, ">high<"), 1);
    assert_int_equal(count_of(picture, ">wrong<"), 0);
    free(picture);
    fixture_free(&f);
}

static void a_state_has_a_point_at_a_pinnacle_and_an_expression_none(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    char *picture = plot_of(&f, "once");
    assert_int_equal(count_of(picture, ">bouncing<"), 1);
    assert_int_equal(count_of(picture, "<circle"),
                     1); // momentum is a state and jumps, height does not, speed is none
    free(picture);
    fixture_free(&f);
}

static void strips_that_are_left_out_are_counted_in_the_title(void **state) {
    (void)state;
    char text[2048] = "model Many { input event e;\n";
    for (int i = 0; i < 8; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "automaton a%d { off off_ -> on_ when e; on on_ -> off_ when e; }\n", i);
    strcat(text,
           "state x = 0 : der = 1; output y = x; experiment opening { stop 1 [s]; at 0.5 [s]: e; } }\n");
    run_fixture f = fixture_load(text, NULL);
    char *picture = plot_of(&f, "opening");
    assert_int_equal(count_of(picture, "class=\"strip\""), 6);
    assert_says(picture, "(2 more automata switch, not shown)");
    free(picture);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_automaton_that_switched_has_a_strip),
        cmocka_unit_test(what_never_switched_has_none),
        cmocka_unit_test(a_start_mode_that_was_mythical_has_no_band),
        cmocka_unit_test(a_state_has_a_point_at_a_pinnacle_and_an_expression_none),
        cmocka_unit_test(strips_that_are_left_out_are_counted_in_the_title),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
