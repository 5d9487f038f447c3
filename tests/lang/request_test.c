/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a run is asked for on the command line: expressions of the model, with the marks errors get in a file. */
#include "lang/fixture_impl.h"

#define CIRCUIT                                                                                              \
    "model M { param tau = 2 [ms]; Se s(1 [V]); R r(1 [Ohm]); C c(1 [F]); 1 j; s -> j -> r; j -> c;\n"       \
    "  output o = c.e; experiment e { stop tau; record o; } }\n"

static void the_request_is_an_experiment_without_a_name_behind_the_others(void **state) {
    fixture *f = *state;
    hbg_lang_options options = {.records = "o, max(c.e, 2*r.e) ,c.q", .stop = "5*tau", .every = "1 [us]"};
    hbg_model *m = read_with(f, CIRCUIT, &options);
    assert_non_null(m);
    assert_int_equal(m->experiments.count, 2);
    const hbg_experiment *request = &m->experiments.items[1];
    assert_int_equal(request->name, 0);
    assert_int_equal(request->records.count, 3);
    assert_string_equal(request->records.items[1].label, "max(c.e, 2*r.e)");
    assert_string_equal(request->records.items[2].label, "c.q");
    double stop, every;
    assert_true(hbg_model_constant(m, request->stop, &stop));
    assert_true(stop == 0.01);
    assert_true(hbg_model_constant(m, request->record_every, &every));
    assert_true(every == 1e-6);
    assert_int_equal(request->step, HBG_NONE);
}

static void nothing_asked_for_adds_nothing(void **state) {
    fixture *f = *state;
    hbg_lang_options options = {0};
    assert_int_equal(read_with(f, CIRCUIT, &options)->experiments.count, 1);
}

static void a_unit_may_stand_without_brackets(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"600us", 600e-6}, {"1.5 ms", 1.5e-3}, {"2e-3s", 2e-3}, {"3", 3},
                 {"4e2", 400},      {"1 h", 3600},      {"2*tau", 4e-3}, {"tau", 2e-3},
                 {"2 [ks]", 2e3},   {"1e1min", 600},    {"1/2", 0.5},    {"1 h/2", 1800}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hbg_lang_options options = {.stop = cases[i].text};
        hbg_model *m = read_with(f, CIRCUIT, &options);
        if (!m) fail_msg("%s is refused", cases[i].text);
        double stop;
        assert_true(hbg_model_constant(m, m->experiments.items[1].stop, &stop));
        if (stop != cases[i].value) fail_msg("%s is %.17g", cases[i].text, stop);
    }
}

static void a_stop_asked_for_serves_an_experiment_without_one(void **state) {
    fixture *f = *state;
    static const char text[] = "model M { Se s(1 [V]); R r(1 [Ohm]); s -> r; output i = r.f;\n"
                               "experiment a { record i; } experiment b { stop 3 [s]; } }";
    hbg_lang_options options = {.stop = "2 [s]"};
    hbg_model *m = read_with(f, text, &options);
    assert_non_null(m);
    double stop;
    assert_true(hbg_model_constant(m, m->experiments.items[0].stop, &stop) && stop == 2);
    assert_true(hbg_model_constant(m, m->experiments.items[1].stop, &stop) && stop == 3);
    hbg_lang_options other = {.every = "2 [s]"};
    assert_null(read_with(f, text, &other));
    assert_diagnostic(f, "E0508", 2, "does not say when it stops");
    hbg_lang_options wrong = {.stop = "2 [V]"};
    assert_null(read_with(f, text, &wrong));
    assert_diagnostic(f, "E0403", 1, "in V");
}

static void what_the_lexer_refuses_is_told_once(void **state) {
    fixture *f = *state;
    static const hbg_lang_options cases[] = {{.records = "2x"}, {.stop = "2x+1"}, {.every = "4k"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t errors = f->diagnostics.errors;
        assert_null(read_with(f, CIRCUIT, &cases[i]));
        assert_int_equal(f->diagnostics.errors, errors + 1);
    }
    assert_diagnostic(f, "E0102", 1, "neither a number nor a name");
}

static void mistakes_are_told_like_those_of_a_file(void **state) {
    fixture *f = *state;
    static const struct {
        hbg_lang_options options;
        const char *code, *words;
    } cases[] = {
        {{.records = "o, cc.e"}, "E0301", "did you mean `c`"},
        {{.records = ""}, "E0201", "the end of it"},
        {{.records = "o,"}, "E0201", "the end of it"},
        {{.records = "o o"}, "E0201", "a comma or the end"},
        {{.records = "o\xFF"}, "E0105", "0xFF"},
        {{.stop = "1, 2"}, "E0201", "one time is expected, not 2"},
        {{.stop = "1 [V]"}, "E0403", "the stop time of the run"},
        {{.stop = "-1"}, "E0406", "the stop time of the run is -1, but has to be 0 or more"},
        {{.stop = "c.e"}, "E0405", "constant"},
        {{.stop = "5 furlong"}, "E0403", "is in m"},
        {{.stop = "5 foo"}, "E0402", "foo"},
        {{.step = "0"}, "E0406", "the step of the run is 0, but has to be positive"},
        {{.every = "0 [s]"}, "E0406", "the record period of the run"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(read_with(f, CIRCUIT, &cases[i].options));
        assert_diagnostic(f, cases[i].code, 1, cases[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_request_is_an_experiment_without_a_name_behind_the_others),
        TEST(nothing_asked_for_adds_nothing),
        TEST(a_unit_may_stand_without_brackets),
        TEST(a_stop_asked_for_serves_an_experiment_without_one),
        TEST(what_the_lexer_refuses_is_told_once),
        TEST(mistakes_are_told_like_those_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
