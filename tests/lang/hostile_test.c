/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inputs meant to hurt: deep, long, wide, many, and no text at all. Each ends in a model or a clear error,
 * within seconds and with memory in proportion to the text, also with sanitizers on. */
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hbg/hbg.h"
#include "lang/fixture_impl.h"

#define SECONDS      8.0 /* of processor time that no case may take, on a slow machine with sanitizers */
#define MEMORY_LIMIT ((size_t)2 << 30)

/* Processor time: other work on the machine does not count. */
static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `full` in `make soak`, a fifth of it in `make test`. */
static int scaled(int full) {
    return getenv("HBG_SOAK") ? full : full / 5;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

typedef struct {
    char *data;
    size_t size;
    FILE *stream;
} growing;

static growing begin(void) {
    growing text = {0};
    return text;
}

static void add(growing *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(growing *text, const char *format, ...) {
    if (!text->stream) text->stream = open_memstream(&text->data, &text->size);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(text->stream, format, arguments);
    va_end(arguments);
}

static void repeat(growing *text, const char *piece, int count) {
    if (!text->stream) text->stream = open_memstream(&text->data, &text->size);
    for (int i = 0; i < count; i++) fputs(piece, text->stream);
}

static void end(growing *text) {
    add(text, "%s", "");
    fclose(text->stream);
}

/* ---- what comes of them ------------------------------------------------------------------------------- */

typedef struct {
    hbg_status status;
    int64_t errors;
    char *text;    /* the diagnostics */
    size_t memory; /* peak */
} outcome;

static void take(hbg_session *session, hbg_status status, hbg_text *text) {
    assert_int_equal(status, HBG_OK);
    hbg_text_free(session, text);
}

/* All that can be asked about a text: whether it is a model, what it holds, its canonical form. */
static outcome use(const char *data, size_t size, const hbg_load_options *options) {
    double start = seconds_now();
    hbg_session_options session_options = hbg_session_options_default();
    session_options.memory_limit = MEMORY_LIMIT;
    hbg_session *session;
    hbg_text text;
    assert_int_equal(hbg_session_new(&session_options, &session), HBG_OK);
    hbg_model *model;
    outcome result = {.status = hbg_load_text(session, "hostile.hbg", data, size, options, &model)};
    if (result.status == HBG_OK) {
        take(session, hbg_list_text(session, model, &text), &text);
        take(session, hbg_list_json(session, model, &text), &text);
        take(session, hbg_dump_text(session, model, &text), &text);
    }
    result.errors = hbg_error_count(session);
    take(session, hbg_diagnostics_json(session, &text), &text);
    assert_int_equal(hbg_diagnostics_text(session, true, &text), HBG_OK);
    result.text = strdup(text.data);
    hbg_text_free(session, &text);
    result.memory = hbg_session_peak_memory(session);
    if (hbg_format(session, "hostile.hbg", data, size, &text) == HBG_OK) hbg_text_free(session, &text);
    hbg_session_free(session);
    double seconds = seconds_now() - start;
    if (seconds > SECONDS) fail_msg("took %.1f s", seconds);
    return result;
}

static void expect_model(growing *text) {
    end(text);
    outcome result = use(text->data, text->size, NULL);
    if (result.status != HBG_OK) fail_msg("no model: %.300s", result.text);
    free(result.text);
    free(text->data);
}

/* The text is refused with `errors` errors (0: any number) and these words among what is told. */
static void expect_refusal(growing *text, int64_t errors, const char *words) {
    end(text);
    outcome result = use(text->data, text->size, NULL);
    if (result.status != HBG_BAD_MODEL) fail_msg("status %d", result.status);
    if (!strstr(result.text, words)) fail_msg("`%s` is not told, but: %.500s", words, result.text);
    if (errors > 0) assert_int_equal(result.errors, errors);
    free(result.text);
    free(text->data);
}

/* ---- deep --------------------------------------------------------------------------------------------- */

static void nested_expressions_are_refused(void **state) {
    (void)state;
    static const char *const shapes[][2] = {{"(", ")"},          {"-", ""},        {"!", ""},
                                            {"2^", ""},          {"sin(", ")"},    {"true ? 1 : ", ""},
                                            {"true ? ", " : 1"}, {"max(1, ", ")"}, {"1 + (", ")"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        growing text = begin();
        add(&text, "model M {\n    param x = ");
        repeat(&text, shapes[i][0], scaled(500000));
        add(&text, "1");
        repeat(&text, shapes[i][1], scaled(500000));
        add(&text, ";\n    signal s = x;\n}\n");
        expect_refusal(&text, 1, "E0202");
    }
}

static void nested_braces_are_refused(void **state) {
    (void)state;
    static const char *const shapes[] = {"{",  "model M {",     "automaton a { off x {", "component A(",
                                         "[[", "experiment e {"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        growing text = begin();
        add(&text, "model M {");
        repeat(&text, shapes[i], 100000);
        expect_refusal(&text, 0, "E0201");
    }
}

static void closing_braces_without_end_are_refused(void **state) {
    (void)state;
    growing text = begin();
    repeat(&text, "}", 300000);
    expect_refusal(&text, 0, "E0201");
}

/* ---- long --------------------------------------------------------------------------------------------- */

static void a_sum_of_a_million_terms_is_a_model(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    param a = 1;\n    signal s = a");
    repeat(&text, " + a", 1000000);
    add(&text, ";\n}\n");
    expect_model(&text);
}

static void a_chain_of_comparisons_and_products_is_a_model(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    param a = 1;\n    signal s = a");
    repeat(&text, "*a/a", scaled(100000));
    add(&text, ", t = true");
    repeat(&text, " && true || false", scaled(100000));
    add(&text, ";\n}\n");
    expect_model(&text);
}

static void a_long_name_is_refused(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    param ");
    repeat(&text, "n", 1000000);
    add(&text, " = 1;\n    signal s = ");
    repeat(&text, "n", 1000000);
    add(&text, ";\n}\n");
    expect_refusal(&text, 2, "this name has 1000000 characters");
    growing longest = begin();
    add(&longest, "model M {\n    param ");
    repeat(&longest, "n", 255);
    add(&longest, " = 1;\n    signal s = ");
    repeat(&longest, "n", 255);
    add(&longest, ";\n}\n");
    expect_model(&longest);
}

static void long_numbers_are_refused_or_read(void **state) {
    (void)state;
    growing digits = begin();
    add(&digits, "model M {\n    param x = ");
    repeat(&digits, "7", 100000);
    add(&digits, ";\n    signal s = x;\n}\n");
    expect_refusal(&digits, 0, "E0102");
    static const char *const numbers[] = {"1e999999", "1e99999999999999999999", "1e-999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        growing text = begin();
        add(&text, "model M { param x = %s; signal s = x; }", numbers[i]);
        expect_refusal(&text, 0, "E0102");
    }
    growing infinite = begin();
    add(&infinite, "model M { param x = 1e400; signal s = x; }");
    expect_refusal(&infinite, 0, "E0406");
    growing zeros = begin();
    add(&zeros, "model M { param x = 0.");
    repeat(&zeros, "0", 500);
    add(&zeros, "1; signal s = x; }");
    expect_model(&zeros);
}

static void a_line_of_a_million_characters_is_shown_in_part(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M { signal s = 1");
    repeat(&text, " + 1", scaled(500000));
    add(&text, " + unknown");
    repeat(&text, " + 1", scaled(500000));
    add(&text, "; }");
    end(&text);
    outcome result = use(text.data, text.size, NULL);
    assert_int_equal(result.status, HBG_BAD_MODEL);
    assert_true(strlen(result.text) < 2000);
    free(result.text);
    free(text.data);
}

static void calls_with_a_hundred_thousand_arguments_are_read(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n    signal s = max(1");
    repeat(&text, ", 2", 100000);
    add(&text, ");\n}\n");
    expect_model(&text);
}

static void a_chain_of_very_many_bonds_is_read(void **state) {
    (void)state;
    int count = scaled(50000);
    growing text = begin();
    add(&text, "model M {\n    Se s(1 [V]);\n    R r(1 [Ohm]);\n");
    for (int i = 0; i < count; i++) add(&text, "    0 a%d;\n    1 b%d;\n", i, i);
    add(&text, "    s");
    for (int i = 0; i < count; i++) add(&text, " -> a%d -> b%d", i, i);
    add(&text, " -> r;\n}\n");
    expect_model(&text);
}

/* ---- wide --------------------------------------------------------------------------------------------- */

static void very_many_parameters_and_arguments_are_read(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "component A(p0 = 0");
    for (int i = 1; i < count; i++) add(&text, ", p%d = %d", i, i);
    add(&text, ") {\n    signal s = p0");
    for (int i = 1; i < count; i++) add(&text, " + p%d", i);
    add(&text, ";\n}\nmodel M {\n    A a(p0 = 1");
    for (int i = 1; i < count; i++) add(&text, ", p%d = 1", i);
    add(&text, ");\n}\n");
    expect_model(&text);
}

static void very_many_wrong_arguments_are_counted(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "component A(p0 = 0");
    for (int i = 1; i < count; i++) add(&text, ", parameter%d = %d", i, i);
    add(&text, ") { }\nmodel M {\n    A a(p0 = 1");
    for (int i = 1; i < count; i++) add(&text, ", paramter%d = 1", i);
    add(&text, ");\n}\n");
    char words[32];
    snprintf(words, sizeof words, "%d more errors", count - 1001);
    expect_refusal(&text, count - 1, words);
}

static void an_automaton_of_very_many_states_is_read(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "model M {\n    signal s = a;\n    automaton a {\n");
    for (int i = 0; i < count; i++)
        add(&text, "        %s s%d -> s%d when time > %d [s];\n", i % 2 ? "on" : "off", i, (i + 1) % count,
            i);
    add(&text, "    }\n}\n");
    expect_model(&text);
}

static void one_state_of_very_many_transitions_is_read(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "model M {\n    signal s = a;\n    automaton a {\n        on y -> x when time > 0 [s];\n      "
               "  off x {\n");
    for (int i = 0; i < count; i++)
        add(&text, "            -> y when time < %d [s] && time > %d [s];\n", i, i);
    add(&text, "        }\n    }\n}\n");
    end(&text);
    outcome result = use(text.data, text.size, NULL);
    assert_true(result.status == HBG_OK);
    free(result.text);
    free(text.data);
}

static void very_many_wrong_states_are_counted(void **state) {
    (void)state;
    int count = scaled(100000);
    growing text = begin();
    add(&text, "model M {\n    automaton a {\n");
    for (int i = 0; i < count; i++) add(&text, "        off state%d -> stat%d when time > 1 [s];\n", i, i);
    add(&text, "    }\n}\n");
    char words[32];
    snprintf(words, sizeof words, "%d more errors", count - 1000);
    expect_refusal(&text, count, words);
}

static void ports_without_number_are_refused(void **state) {
    (void)state;
    static const char *const elements[] = {
        "I w[101]([[1]]);", "I w[99999999999](1);", "I w[4294967297](1);", "R w[2147483648] : e[1] = f[1];",
        "TF w[3](1);",      "I w[0](1);",           "I w[-1](1);"};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        growing text = begin();
        add(&text, "model M { %s }", elements[i]);
        expect_refusal(&text, 0, "error[E0");
    }
    growing good = begin();
    add(&good, "model M {\n    0 n;\n    Se s(1 [V]);\n    s -> n;\n    R w[100] : e[1] = f[1]*(1 [Ohm])");
    for (int i = 2; i <= 100; i++) add(&good, ", e[%d] = f[%d]*(1 [Ohm])", i, i);
    add(&good, ";\n");
    for (int i = 1; i <= 100; i++) add(&good, "    n -> w[%d];\n", i);
    add(&good, "}\n");
    expect_model(&good);
}

static void names_that_all_collide_are_told(void **state) {
    (void)state;
    growing text = begin();
    add(&text, "model M {\n");
    repeat(&text, "    param p = 1;\n", scaled(200000));
    add(&text, "}\n");
    expect_refusal(&text, scaled(200000) - 1, "declared twice");
}

/* ---- many --------------------------------------------------------------------------------------------- */

static void a_million_errors_are_counted_not_kept(void **state) {
    (void)state;
    static const char *const lines[] = {
        "@\n", "R r(;\n", "x -> y;\n", "5mH;\n", "signal s = unknown;\n", "R r(1 [Vv]);\n", "\"\n"};
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
    expect_refusal(&text, 1, "unfold into more than 10000000 operations");
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
    growing text = begin();
    add(&text, "model M {\n");
    for (int i = 0; i < 10000; i++) {
        add(&text, "    param p%d = 1; signal s%d = p%d;\n", i, i, i);
        snprintf(texts[i], sizeof texts[i], "p%d=%d", i, i);
        pointers[i] = texts[i];
    }
    add(&text, "}\n");
    end(&text);
    hbg_load_options options = {.parameters = pointers, .parameter_count = 10000};
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
        cmocka_unit_test(nested_expressions_are_refused),
        cmocka_unit_test(nested_braces_are_refused),
        cmocka_unit_test(closing_braces_without_end_are_refused),
        cmocka_unit_test(a_sum_of_a_million_terms_is_a_model),
        cmocka_unit_test(a_chain_of_comparisons_and_products_is_a_model),
        cmocka_unit_test(a_long_name_is_refused),
        cmocka_unit_test(long_numbers_are_refused_or_read),
        cmocka_unit_test(a_line_of_a_million_characters_is_shown_in_part),
        cmocka_unit_test(calls_with_a_hundred_thousand_arguments_are_read),
        cmocka_unit_test(a_chain_of_very_many_bonds_is_read),
        cmocka_unit_test(very_many_parameters_and_arguments_are_read),
        cmocka_unit_test(very_many_wrong_arguments_are_counted),
        cmocka_unit_test(an_automaton_of_very_many_states_is_read),
        cmocka_unit_test(one_state_of_very_many_transitions_is_read),
        cmocka_unit_test(very_many_wrong_states_are_counted),
        cmocka_unit_test(ports_without_number_are_refused),
        cmocka_unit_test(names_that_all_collide_are_told),
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
