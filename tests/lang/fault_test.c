/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fault sentences of the command line and tables of faults, with the marks errors get in a file. */
#include "lang/fixture_impl.h"

#define CIRCUIT                                                                                              \
    "component Lamp(R0 = 5 [Ohm]) { port a : electrical; R filament(R0); a -> filament; }\n"                 \
    "model M { param tau = 2 [ms]; Se s(1 [V]); R r(1 [Ohm]); C c(1 [F]); 1 j when key; s -> j -> r;\n"      \
    "  Lamp bulb; j -> c; j -> bulb.a; sensor m = c.e every tau;\n"                                          \
    "  automaton key { on shut -> open when c.e > 1 [V]; off open -> shut when c.e < 0 [V]; }\n"             \
    "  experiment e { stop 10 [s]; } experiment longer { stop 20 [s]; } }\n"

static const hbg_experiment *request_of(const hbg_model *m) {
    return &m->experiments.items[m->experiments.count - 1];
}

static double number_at(const hbg_model *m, hbg_expr expr) {
    double value;
    assert_true(hbg_model_constant(m, expr, &value));
    return value;
}

/* ---- sentences ---------------------------------------------------------------------------------------- */

static void sentences_become_faults_of_the_request(void **state) {
    fixture *f = *state;
    static const char *const faults[] = {"at 3 [s]: bulb.R0 abrupt -30 [%]",
                                         "fault at 2*tau until 1 [min]/12: c.C incipient 2 [mF/s];",
                                         "at 1: bulb.filament.R incipient 5 [%/s]",
                                         "at 1: m noise(1 [V], 4 [V2])",
                                         "at 1: key stuck open",
                                         "at 1: r stuck 2"};
    hbg_lang_options options = {.faults = faults, .fault_count = 6};
    hbg_model *m = read_with(f, CIRCUIT, &options);
    if (!m) show_diagnostics(f);
    assert_non_null(m);
    assert_int_equal(m->experiments.items[0].faults.count, 0);
    const hbg_experiment *request = request_of(m);
    assert_int_equal(request->added_to, 0);
    assert_int_equal(request->faults.count, 6);
    const hbg_fault *first = &request->faults.items[0], *second = first + 1, *third = first + 2;
    assert_int_equal(first->target.kind, HBG_OBJECT_PARAM);
    assert_true(first->relative);
    assert_string_equal(first->text, "bulb.R0 abrupt -30 [%]");
    assert_int_equal(second->target.kind, HBG_OBJECT_ELEMENT);
    assert_string_equal(name_of(f, m->elements.items[second->target.index].id.name), "c");
    assert_false(second->relative);
    assert_true(number_at(m, second->at) == 0.004 && number_at(m, second->until) == 5);
    assert_true(third->relative && number_at(m, third->value) == 0.05);
    assert_string_equal(name_of(f, m->elements.items[third->target.index].id.name), "filament");
    assert_true(number_at(m, first[3].value2) == 4);
    assert_int_equal(first[4].state, 1);
    assert_int_equal(first[5].kind, HBG_FAULT_STUCK);
}

static void percent_is_plain_where_nothing_is_added(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "model M { param n = 2; Se s(n*1 [V]); R r(1 [Ohm]); s -> r;\n"
                                "  experiment e { stop 1 [s]; fault at 0: n stuck 50 [%]; } }");
    assert_false(m->experiments.items[0].faults.items[0].relative);
    assert_true(number_at(m, m->experiments.items[0].faults.items[0].value) == 0.5);
}

static void faults_go_with_the_experiment_named(void **state) {
    fixture *f = *state;
    static const char *const faults[] = {"at 15 [s]: r abrupt 1"};
    hbg_lang_options options = {.faults = faults, .fault_count = 1, .experiment = "longer"};
    hbg_model *m = read_with(f, CIRCUIT, &options);
    assert_non_null(m);
    assert_int_equal(request_of(m)->added_to, 1);
    options.experiment = NULL;
    assert_null(read_with(f, CIRCUIT, &options));
    options.stop = "16 [s]";
    assert_non_null(read_with(f, CIRCUIT, &options));
}

typedef struct {
    const char *text, *code, *words;
    int line, column;
} wrong;

static void assert_told(fixture *f, const wrong *expected, int64_t errors) {
    if (f->diagnostics.errors != errors) {
        show_diagnostics(f);
        fail_msg("%s: %lld errors", expected->text, (long long)f->diagnostics.errors);
    }
    const hbg_diagnostic *last = &f->diagnostics.items.items[f->diagnostics.items.count - 1];
    hbg_place place = {0};
    assert_true(hbg_base_sources_place(&f->sources, last->span, &place));
    bool said = strstr(last->text, expected->words) || (last->fix && strstr(last->fix, expected->words));
    bool there = place.line == expected->line && place.column == expected->column;
    if (!said || !there || strcmp(hbg_base_diagnostic_kind_get(last->id)->code, expected->code) != 0)
        fail_msg("%s: %d:%d %s", expected->text, place.line, place.column, last->text);
}

static void a_wrong_sentence_is_marked_where_it_is_wrong(void **state) {
    fixture *f = *state;
    static const wrong cases[] = {
        {"at 3 [s]: lamp.R abrupt 1", "E0301", "nothing here is called `lamp`", 1, 11},
        {"at 3 [s]: bulp.R0 abrupt 1", "E0301", "did you mean `bulb`", 1, 11},
        {"at 3 [s]: bulb.R9 abrupt 1", "E0301", "did you mean `bulb.R0`", 1, 16},
        {"at 3 [V]: r abrupt 1", "E0403", "is in s, but", 1, 4},
        {"at 3 [s]: r abrupt 1 [V]", "E0403", "is in Ohm, but", 1, 20},
        {"at 30 [s]: r abrupt 1", "E0508", "comes after the run has stopped", 1, 4},
        {"at 3 [s] until 2 [s]: r abrupt 1", "E0406", "ends before it begins", 1, 16},
        {"at -3 [s]: r abrupt 1", "E0406", "has to be 0 or more", 1, 4},
        {"at 3 [s]: r abrupt -2", "E0406", "negative: -1", 1, 20},
        {"at 3 [s]: r incipient -20 [%]", "E0406", "negative: -0.4", 1, 23},
        {"at 3 [s]: c stuck 0", "E0406", "needs a positive one", 1, 19},
        {"at 3 [s]: r brupt 1", "E0201", "did you mean `abrupt`", 1, 13},
        {"at 3 [s]: m abrupt 1", "E0508", "`bias`", 1, 13},
        {"at 3 [s]: key drift 1", "E0508", "`stuck on`", 1, 15},
        {"at 3 [s]: r stuck off", "E0508", "the value of an element, and no automaton", 1, 13},
        {"at 3 [s]: key stuck opn", "E0301", "did you mean `open`", 1, 21},
        {"at 3 [s]: r abrupt 1 2", "E0201", "the end of the fault", 1, 22},
        {"at 3 [s]: m noise(1)", "E0201", "between mean and variance", 1, 20},
        {"when 3 [s]: m noise(1)", "E0201", "`at` and the time", 1, 1},
        {"", "E0201", "`at` and the time", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const faults[] = {cases[i].text};
        hbg_lang_options options = {.faults = faults, .fault_count = 1};
        assert_null(read_with(f, CIRCUIT, &options));
        assert_told(f, &cases[i], (int64_t)i + 1);
    }
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static hbg_model *read_table(fixture *f, const char *table) {
    FILE *file = fopen("faults.csv", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(table, 1, strlen(table), file), strlen(table));
    assert_int_equal(fclose(file), 0);
    hbg_lang_options options = {.fault_table = "faults.csv"};
    hbg_model *m = read_with(f, CIRCUIT, &options);
    remove("faults.csv");
    return m;
}

static void a_table_has_a_fault_a_row(void **state) {
    fixture *f = *state;
    hbg_model *m = read_table(f, "\xEF\xBB\xBF"
                                 "at,until,target,kind,value\r\n"
                                 "# a comment\r\n"
                                 "3 [s],,bulb.R0,abrupt,-30 [%]\r\n"
                                 "\r\n"
                                 "  1 , 2*tau + 2 , key , stuck , off \r\n"
                                 "1,,m,noise,\"0 [V], 4 [V2]\"\r\n"
                                 "1,,\"m\",noise,\"(0, 4)\"");
    if (!m) show_diagnostics(f);
    assert_non_null(m);
    const hbg_experiment *request = request_of(m);
    assert_int_equal(request->faults.count, 4);
    const hbg_fault *faults = request->faults.items;
    assert_true(faults[0].relative && number_at(m, faults[0].value) == -0.3);
    assert_int_equal(faults[0].until, HBG_NONE);
    assert_string_equal(faults[0].text, "bulb.R0 abrupt -30 [%]");
    assert_true(number_at(m, faults[1].until) == 2.004);
    assert_false(faults[1].on);
    for (int i = 2; i < 4; i++) assert_true(number_at(m, faults[i].value2) == 4);
    assert_string_equal(faults[2].text, "m noise(0 [V], 4 [V2])"); // as --fault takes it
    assert_string_equal(faults[3].text, "m noise (0, 4)");
}

static void columns_of_a_table_may_stand_in_any_order(void **state) {
    fixture *f = *state;
    hbg_model *m = read_table(f, "kind,target,value,at\nstuck,r,2,4\n");
    assert_non_null(m);
    assert_true(number_at(m, request_of(m)->faults.items[0].at) == 4);
}

static void a_wrong_row_is_marked_where_it_is_wrong(void **state) {
    fixture *f = *state;
    static const wrong cases[] = {
        {"at,until,target,kind,value\n3,,r,abrupt,1\n3,,q,abrupt,1\n", "E0301", "called `q`", 3, 4},
        {"at,until,target,kind,value\n3 [V],,r,abrupt,1\n", "E0403", "is in s, but", 2, 1},
        {"at,until,target,kind,value\n3,2,r,abrupt,1\n", "E0406", "ends before it begins", 2, 3},
        {"at,until,target,kind,value\n3,,r,abrubt,1\n", "E0201", "did you mean `abrupt`", 2, 6},
        {"at,until,target,kind,value\n3,,r,abrupt,1 [V]\n", "E0403", "is in Ohm", 2, 13},
        {"at,until,target,kind,value\n\n3,,r,abrupt,-4\n", "E0406", "negative: -3", 3, 13},
        {"at,until,target,kind,value\n30,,r,abrupt,1\n", "E0508", "has stopped", 2, 1},
        {"at,until,target,kind,value\n3,,r,abrupt\n", "E0003", "lacks its `value`", 2, 1},
        {"at,until,target,kind,value\n3,,r r,abrupt,1\n", "E0201", "the end of the cell", 2, 6},
        {"at,until,target,kind,value\n3,,m,noise,1\n", "E0201", "between mean and variance", 2, 13},
        {"at,until,target,kind,value\n3,,r,abrupt,\"1\n", "E0003", "no closing quote", 2, 13},
        {"at,until,target,kind,value\n3,,r,abrupt,-10,5\n", "E0003", "more cells than the table has columns",
         2, 17},
        {"at,until,target,knd,value\n", "E0003", "did you mean `kind`", 1, 17},
        {"at,at,target,kind,value\n", "E0003", "two columns `at`", 1, 4},
        {"", "E0003", "empty", 1, 1},
    };
    int64_t errors = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->diagnostics.items.count = 0;
        assert_null(read_table(f, cases[i].text));
        errors = f->diagnostics.errors - errors; // a wrong header lacks a column too
        const hbg_diagnostic *first = &f->diagnostics.items.items[0];
        hbg_place place = {0};
        assert_true(errors >= 1 && hbg_base_sources_place(&f->sources, first->span, &place));
        assert_string_equal(place.path, "faults.csv");
        bool said = strstr(first->text, cases[i].words) || (first->fix && strstr(first->fix, cases[i].words));
        if (!said || place.line != cases[i].line || place.column != cases[i].column ||
            strcmp(hbg_base_diagnostic_kind_get(first->id)->code, cases[i].code) != 0)
            fail_msg("case %zu: %d:%d %s", i, place.line, place.column, first->text);
        errors = f->diagnostics.errors;
    }
}

static void a_table_that_is_not_there_is_told(void **state) {
    fixture *f = *state;
    hbg_lang_options options = {.fault_table = "no/such/table.csv"};
    assert_null(read_with(f, CIRCUIT, &options));
    assert_int_equal(f->diagnostics.items.items[0].id, HBG_E_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(sentences_become_faults_of_the_request),
        TEST(percent_is_plain_where_nothing_is_added),
        TEST(faults_go_with_the_experiment_named),
        TEST(a_wrong_sentence_is_marked_where_it_is_wrong),
        TEST(a_table_has_a_fault_a_row),
        TEST(columns_of_a_table_may_stand_in_any_order),
        TEST(a_wrong_row_is_marked_where_it_is_wrong),
        TEST(a_table_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
