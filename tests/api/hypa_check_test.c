/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of examples are behaviours of their processes: every flow by its clause, every instant by an alternative. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hbg/hbg.h"
#include "support/soak.h"

static const char *const library = HBG_SOURCE_DIR "/lib";

static hbg_answer judged(const char *name, const char *experiment, char *said, size_t size) {
    char path[1000];
    hbg_session *session;
    hbg_model *model;
    hbg_text text;
    hbg_answer answer;
    hbg_run_options options = hbg_run_options_default();
    hbg_session_options how = hbg_session_options_default();
    how.search = &library;
    how.search_count = 1;
    options.experiment = experiment;
    assert_int_equal(hbg_session_new(&how, &session), HBG_OK);
    snprintf(path, sizeof path, HBG_SOURCE_DIR "/examples/%s/%s.hbg", name, name);
    assert_int_equal(hbg_load_file(session, path, NULL, &model), HBG_OK);
    assert_int_equal(hbg_hypa_check(session, model, &options, 0, false, &answer, &text), HBG_OK);
    snprintf(said, size, "%s", text.data);
    hbg_text_free(session, &text);
    hbg_session_free(session);
    return answer;
}

/* Collisions, dependent storages, pinnacles, sources in conflict, sensors, laws that are no straight lines, parts; the last ones outside
 * `make test`. */
static void runs_of_examples_are_accepted(void **state) {
    (void)state;
    static const char *const names[] = {"impact-module",
                                        "collision-detailed",
                                        "ball-restitution",
                                        "three-masses-sticking",
                                        "charge-sharing",
                                        "construct-after",
                                        "diode-inductor",
                                        "cam-valve",
                                        "bullet-and-block",
                                        "construct-every",
                                        "boost",
                                        "bridge-rl",
                                        "dog-clutch",
                                        "pendulum",
                                        "pile",
                                        "water-tower",
                                        "inelastic-collapse",
                                        "two-capacitors",
                                        "voltage-doubler",
                                        "h-bridge"};
    char said[4000];
    for (int i = 0; i < trials(6, sizeof names / sizeof *names); i++)
        if (judged(names[i], NULL, said, sizeof said) == HBG_VIOLATED) fail_msg("%s: %s", names[i], said);
}

/* A current that the diode cannot carry is lost: the one alternative with a jump. */
static void what_was_used_is_told(void **state) {
    (void)state;
    char said[4000];
    assert_int_equal(judged("switch-and-diode", "negative", said, sizeof said), HBG_PROVED);
    assert_non_null(strstr(said, "SwitchAndDiode: accepted"));
    assert_non_null(
        strstr(said, "1 times diode=blocking,switch=shut -> diode=blocking,switch=open, with a jump\n"));
    assert_int_equal(judged("switch-and-diode", "positive", said, sizeof said), HBG_PROVED);
    assert_null(strstr(said, "with a jump"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_examples_are_accepted),
        cmocka_unit_test(what_was_used_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
