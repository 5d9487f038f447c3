/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inputs meant to hurt: a million errors, components and functions that multiply, bytes that are no text,
 * tables that are none, and tokens thrown together. */
#include <sys/stat.h>
#include <unistd.h>

#include "lang/hostile_impl.h"

/* ---- many --------------------------------------------------------------------------------------------- */

static void a_million_errors_are_counted_not_kept(void **state) {
    (void)state;
    static const char *const lines[] = {
        "$\n", "R r(;\n", "x -> y;\n", "5mH;\n", "signal s = unknown;\n", "R r(1 [Vv]);\n", "\"\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        growing text = begin();
        add(&text, "model M {\n");
        repeat(&text, lines[i], i == 0 ? 1000000 : scaled(100000));
        add(&text, "}\n");
        end(&text);
        outcome result = use(text.data, text.size, NULL);
        assert_int_equal(result.status, HBG_BAD_MODEL);
        assert_true(result.errors >= scaled(99000));
        assert_non_null(strstr(result.text, "more errors"));
        assert_true(strlen(result.text) < 2000000);
        assert_true(result.memory < text.size * 200 + (64 << 20));
        free(result.text);
        free(text.data);
    }
}

static void very_many_warnings_are_counted_not_kept(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "model M {\n");
    for (int i = 0; i < count; i++) add(&text, "    param p%d = 1;\n", i);
    add(&text, "}\n");
    end(&text);
    outcome result = use(text.data, text.size, NULL);
    assert_int_equal(result.status, HBG_OK);
    char words[32];
    snprintf(words, sizeof words, "%d more warnings", count - 1000);
    assert_non_null(strstr(result.text, words));
    free(result.text);
    free(text.data);
}

static void components_that_double_are_refused(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "component L0 { param p = 1; }\n");
    for (int i = 1; i <= 60; i++) add(&text, "component L%d { L%d x; L%d y; }\n", i, i - 1, i - 1);
    add(&text, "model M { L60 top; }\n");
    expect_refusal(&text, 1, "E0004");
}

static void functions_that_double_are_refused(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "function f0(x) = x + 1;\n");
    for (int i = 1; i <= 60; i++) add(&text, "function f%d(x) = f%d(x) + f%d(-x);\n", i, i - 1, i - 1);
    add(&text, "model M { signal s = f60(1); }\n");
    expect_refusal(&text, 1, "E0004");
}

static void functions_that_unfold_and_unfold_are_refused(void **state) {
    (void)state;
    if (!getenv("HBG_SOAK")) skip();
    // each call is below the limit of one call, all of them together are not
    growing text = begin();
    add(&text, "function f0(x) = x + 1;\n");
    for (int i = 1; i <= 17; i++) add(&text, "function f%d(x) = f%d(x) + f%d(-x);\n", i, i - 1, i - 1);
    add(&text, "model M {\n");
    for (int i = 0; i < 200; i++) add(&text, "    signal s%d = f17(%d);\n", i, i);
    add(&text, "}\n");
    expect_refusal(&text, 1, "unfold into more than 4000000 operations");
}

static void arguments_that_double_stay_shared(void **state) {
    (void)state;
    // the value has 2^60 terms when written out; as a graph it has 60
    growing text = begin();
    add(&text, "function twice(x) = x + x;\nmodel M {\n    input real u = 0;\n    signal s0 = u;\n");
    for (int i = 1; i <= 60; i++) add(&text, "    signal s%d = twice(s%d);\n", i, i - 1);
    add(&text, "    signal deep = ");
    for (int i = 0; i < 60; i++) add(&text, "twice(");
    add(&text, "u");
    repeat(&text, ")", 60);
    add(&text, ";\n}\n");
    expect_model(&text);
}

static void many_parameters_of_the_command_line_are_read(void **state) {
    (void)state;
    static char texts[10000][32];
    static const char *pointers[10000];
    int count = trials(1000, 10000);
    growing text = begin();
    add(&text, "model M {\n");
    for (int i = 0; i < count; i++) {
        add(&text, "    param p%d = 1; signal s%d = p%d;\n", i, i, i);
        snprintf(texts[i], sizeof texts[i], "p%d=%d", i, i);
        pointers[i] = texts[i];
    }
    add(&text, "}\n");
    end(&text);
    hbg_load_options options = {.parameters = pointers, .parameter_count = count};
    outcome result = use(text.data, text.size, &options);
    assert_int_equal(result.status, HBG_OK);
    free(result.text);
    free(text.data);
}

/* ---- no text ------------------------------------------------------------------------------------------ */

static void bytes_that_are_no_text_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *data;
        size_t size;
        const char *words;
    } cases[] = {
        {"", 0, "E0306"},
        {"\0", 1, "E0105"},
        {"model M {\0}", 11, "E0105"},
        {"\xFF\xFE"
         "m\0o\0",
         6, "E0105"},
        {"// \xC0\x80", 5, "E0105"},
        {"// \xED\xA0\x80", 6, "E0105"},
        {"\xEF\xBB\xBF", 3, "E0306"},
        {"//", 2, "E0306"},
        {"/*", 2, "E0104"},
        {"\"", 1, "E0103"},
        {"model M { param a = 3 [", 23, "E0201"},
        {"model M { R r(", 14, "E0201"},
        {"model", 5, "E0201"},
        {"model M", 7, "E0201"},
        {"import", 6, "E0201"},
        {"import \"", 8, "E0103"},
        {"function f(", 11, "E0201"},
        {"component A(", 12, "E0201"},
        {"model M { automaton a { off", 27, "E0201"},
        {"model M { experiment e { fault at", 33, "E0201"},
        {"model M { verify { range x in [", 31, "E0201"},
        {"model M { a -> ", 15, "E0201"},
        {"\r\r\r", 3, "E0306"},
        {"\v\f\t", 3, "E0306"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        // a copy of the exact size shows any byte read behind the end
        char *copy = malloc(cases[i].size + 1);
        memcpy(copy, cases[i].data, cases[i].size);
        copy = realloc(copy, cases[i].size ? cases[i].size : 1);
        outcome result = use(copy, cases[i].size, NULL);
        assert_int_equal(result.status, HBG_BAD_MODEL);
        if (!strstr(result.text, cases[i].words)) fail_msg("case %zu: %s", i, result.text);
        free(result.text);
        free(copy);
    }
}

static void every_prefix_of_a_model_is_refused_or_read(void **state) {
    (void)state;
    static const char text[] =
        "component A(x = 1 [V]) \"doc\" { port a : electrical; R r : e = f*(1 [Ohm]); a -> r; }\n"
        "function g(x) = x > 0 ? x^2 : -x; /* c */\n"
        "model M { Se s(g(1)*(1 [V])); 1 j when k off flow; A b(x = 2 [V]); s -> j; j -> b.a;\n"
        "automaton k every 1 [ms] { start o; off o -> p when s.f > 1 [A] after 2 [s]; on p { -> o after 1 "
        "[s]; } }\n"
        "experiment e { stop 1 [s]; solver rk4 step 1 [ms]; set b.x = 3 [V], k = p; fault at 0: k stuck "
        "off;\n"
        "record s.f every 1 [ms]; } verify { range s.f in [0, 1 [A]]; assume k.o; } }\n";
    for (size_t size = 0; size < sizeof text; size++) {
        hbg_session *session;
        hbg_model *model;
        assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
        char *copy = malloc(size + 1);
        memcpy(copy, text, size);
        copy = realloc(copy, size ? size : 1);
        hbg_status status = hbg_load_text(session, "prefix.hbg", copy, size, NULL, &model);
        bool whole = size + 2 >= sizeof text;
        assert_int_equal(status, whole ? HBG_OK : HBG_BAD_MODEL);
        free(copy);
        hbg_session_free(session);
    }
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static void put(const char *path, const char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static outcome use_table(void) {
    static const char text[] = "model M { signal s = table(\"hostile.csv\", \"y\"); }";
    return use(text, strlen(text), NULL);
}

static void a_table_of_very_many_rows_is_read(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "t [ms],y [mV]\n");
    for (int i = 0; i < scaled(1000000); i++) add(&text, "%d,%d.5\n", i, i);
    end(&text);
    put("hostile.csv", text.data, text.size);
    outcome result = use_table();
    assert_int_equal(result.status, HBG_OK);
    free(result.text);
    free(text.data);
}

static void a_table_of_a_million_columns_is_read(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "t");
    for (int i = 0; i < 1000000; i++) add(&text, ",x%d", i);
    add(&text, ",y\n0");
    repeat(&text, ",1", 1000001);
    add(&text, "\n");
    end(&text);
    put("hostile.csv", text.data, text.size);
    outcome result = use_table();
    assert_int_equal(result.status, HBG_OK);
    free(result.text);
    free(text.data);
}

static void tables_that_are_none_are_refused(void **state) {
    (void)state;
    growing blanks = begin(), commas = begin(), number = begin(), unit = begin();
    repeat(&blanks, "\n", 3000000);
    end(&blanks);
    repeat(&commas, ",", 3000000);
    end(&commas);
    add(&number, "t,y\n0,");
    repeat(&number, "9", 1000000);
    end(&number);
    add(&unit, "t,y [");
    repeat(&unit, "m.", 1000000);
    add(&unit, "m]\n0,1\n");
    end(&unit);
    growing *texts[] = {&blanks, &commas, &number, &unit};
    for (int i = 0; i < 4; i++) {
        put("hostile.csv", texts[i]->data, texts[i]->size);
        outcome result = use_table();
        assert_int_equal(result.status, HBG_BAD_MODEL);
        assert_non_null(strstr(result.text, "E0003"));
        free(result.text);
        free(texts[i]->data);
    }
    put("hostile.csv",
        "\x7F"
        "ELF\0\1\2\3",
        8);
    outcome result = use_table();
    assert_non_null(strstr(result.text, "E0003"));
    free(result.text);
    unlink("hostile.csv");
    assert_int_equal(mkfifo("hostile.csv", 0600), 0);
    result = use_table();
    assert_non_null(strstr(result.text, "E0001"));
    free(result.text);
    unlink("hostile.csv");
}

/* ---- random bytes ------------------------------------------------------------------------------------- */

static void random_tokens_never_hurt(void **state) {
    (void)state;
    static const char *const words[] = {
        "model",  "M",          "{",     "}",          "(",      ")",     "[",     "]",        ";",
        ",",      ":",          "=",     "->",         "R",      "C",     "Se",    "TF",       "0",
        "1",      "2.5",        "a",     "b",          ".",      "when",  "off",   "on",       "automaton",
        "start",  "every",      "after", "experiment", "stop",   "set",   "fault", "at",       "record",
        "verify", "range",      "in",    "param",      "signal", "state", "der",   "function", "component",
        "port",   "electrical", "-",     "+",          "*",      "^",     "?",     "&&",       "!",
        "<",      "\"t\"",      "[V]",   "//\n",       "/*",     "*/",    "\n",    "true"};
    uint64_t random = 88172645463325252U;
    for (int round = 0; round < 3000; round++) {
        char text[1500];
        size_t size = 0;
        size += (size_t)snprintf(text, sizeof text, round % 2 ? "model M { " : "");
        for (int i = 0; i < 60; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            const char *word = words[(random >> 20) % (sizeof words / sizeof *words)];
            size += (size_t)snprintf(text + size, sizeof text - size, "%s%s", word, random % 7 ? " " : "");
        }
        hbg_session *session;
        hbg_model *model;
        assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
        hbg_status status = hbg_load_text(session, "random.hbg", text, size, NULL, &model);
        assert_true(status == HBG_OK || (status == HBG_BAD_MODEL && hbg_error_count(session) > 0));
        hbg_session_free(session);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_errors_are_counted_not_kept),
        cmocka_unit_test(very_many_warnings_are_counted_not_kept),
        cmocka_unit_test(components_that_double_are_refused),
        cmocka_unit_test(functions_that_double_are_refused),
        cmocka_unit_test(functions_that_unfold_and_unfold_are_refused),
        cmocka_unit_test(arguments_that_double_stay_shared),
        cmocka_unit_test(many_parameters_of_the_command_line_are_read),
        cmocka_unit_test(bytes_that_are_no_text_are_refused),
        cmocka_unit_test(every_prefix_of_a_model_is_refused_or_read),
        cmocka_unit_test(a_table_of_very_many_rows_is_read),
        cmocka_unit_test(a_table_of_a_million_columns_is_read),
        cmocka_unit_test(tables_that_are_none_are_refused),
        cmocka_unit_test(random_tokens_never_hurt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
