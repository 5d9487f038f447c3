/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A table over time that jumps is the cause of the instant at which it does, by the name of the input it drives or as it is
 * written; not while somebody else sets that input, and not where it has a kink only. */
#include "api/run_events_fixture_impl.h"

static void write_table(void) {
    FILE *file = fopen("steps.csv", "w");
    assert_non_null(file);
    fputs("time [s], v [V]\n0,0\n1,1\n1,3\n2,3\n3,0\n", file);
    assert_int_equal(fclose(file), 0);
}

static const char *cause_of(const event_log *log, int line, size_t number) {
    assert_true(line < log->count);
    return json_string_value(json_array_get(json_object_get(log->lines[line], "cause"), number));
}

static event_log log_of(run_fixture *f, const char *experiment) {
    hbg_run_options options = hbg_run_options_default();
    options.experiment = experiment;
    options.events = "events.jsonl";
    options.explain = 50;
    options.no_summary = true;
    hbg_text text = run_words(f, options, HBG_RUN_FINISHED);
    if (strcmp(experiment, "plain") == 0)
        assert_says(text.data, "t = 1 s: table(\"steps.csv\", \"v\") becomes 3 V");
    hbg_text_free(f->session, &text);
    return read_log("events.jsonl");
}

static void a_table_that_jumps_is_a_cause(void **state) {
    (void)state;
    write_table();
    run_fixture f =
        fixture_load("model T { C c(2 [F]); Se s(table(\"steps.csv\", \"v\")); 0 n; s -> n -> c;\n"
                     "  automaton a { off l -> h when c.e >= 2; on h; }\n"
                     "  output o = a.h; experiment plain { stop 4 [s]; } }\n",
                     NULL);
    event_log log = log_of(&f, "plain");
    assert_int_equal(log.count, 2); // the start, and 1 s: at 2 and 3 s there are kinks only
    assert_string_equal(cause_of(&log, 1, 0), "table(\"steps.csv\", \"v\") = 3");
    free_log(&log);
    fixture_free(&f);
}

static void an_input_that_follows_a_table_gives_its_name(void **state) {
    (void)state;
    write_table();
    run_fixture f = fixture_load(
        "model T { input real v [V] = table(\"steps.csv\", \"v\"); C c(2 [F]); Se s(v); 0 n; s -> n -> c;\n"
        "  automaton a { off l -> h when c.e >= 2; on h; }\n"
        "  output o = a.h; experiment free { stop 4 [s]; }\n"
        "  experiment set { stop 4 [s]; at 0.5 [s]: v = 7 [V]; } }\n",
        NULL);
    event_log log = log_of(&f, "free");
    assert_string_equal(cause_of(&log, 1, 0), "v = 3");
    free_log(&log);
    log = log_of(&f, "set");
    assert_int_equal(log.count, 2);
    assert_string_equal(cause_of(&log, 1, 0), "v = 7");
    free_log(&log);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_jumps_is_a_cause),
        cmocka_unit_test(an_input_that_follows_a_table_gives_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
