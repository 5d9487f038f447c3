/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every example that switches, its declarations shuffled: event log and results of every experiment are the same to the bit.
 * A look at the text is enough for that: a statement of a model ends with a semicolon, or with the brace of its own. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "causal/graph_impl.h"
#include "hbg/hbg.h"

enum { SIZE = 1 << 16, STATEMENTS = 200, NAME = 64 };

typedef struct {
    char text[SIZE];         /* without comments */
    size_t size, begin, end; /* of the body of the first model */
    size_t start[STATEMENTS + 1];
    int count;
    char experiments[16][NAME];
    int experiment_count;
} example;

/* ---- text --------------------------------------------------------------------------------------------- */

static void read_without_comments(example *e, const char *path) {
    FILE *file = fopen(path, "r");
    bool quoted = false;
    assert_non_null(file);
    e->size = 0;
    for (int c; (c = fgetc(file)) != EOF;) {
        int next = c == '/' && !quoted ? fgetc(file) : 0;
        if (next == '/') {
            while (c != '\n' && c != EOF) c = fgetc(file);
        } else if (next == '*') {
            for (int before = 0; c != EOF && !(before == '*' && c == '/'); before = c, c = fgetc(file))
                continue;
            c = ' ';
        } else if (next != 0) {
            ungetc(next, file);
        }
        quoted ^= c == '"';
        assert_true(e->size + 1 < sizeof e->text);
        e->text[e->size++] = (char)c;
    }
    e->text[e->size] = 0;
    fclose(file);
}

/* Where the statements of the first model begin. */
static bool split(example *e) {
    const char *model = strncmp(e->text, "model ", 6) == 0 ? e->text : strstr(e->text, "\nmodel ");
    int depth = 0;
    bool quoted = false;
    e->count = 0;
    if (!model) return false;
    size_t i = (size_t)(model - e->text);
    for (; e->text[i] && (quoted || e->text[i] != '{'); i++) quoted ^= e->text[i] == '"';
    e->begin = e->start[0] = ++i;
    for (; e->text[i] && (quoted || depth > 0 || e->text[i] != '}'); i++) {
        char c = e->text[i];
        quoted ^= c == '"';
        if (quoted) continue;
        depth += strchr("([{", c) != NULL ? 1 : strchr(")]}", c) != NULL ? -1 : 0;
        if (depth > 0 || (c != ';' && c != '}')) continue;
        assert_true(e->count < STATEMENTS);
        e->start[++e->count] = i + 1;
    }
    e->end = i;
    return true;
}

static void find_experiments(example *e) {
    e->experiment_count = 0;
    for (int i = 0; i < e->count; i++) {
        char name[NAME];
        if (sscanf(e->text + e->start[i], " experiment %63[A-Za-z0-9_]", name) != 1) continue;
        assert_true(e->experiment_count < 16);
        memcpy(e->experiments[e->experiment_count++], name, NAME);
    }
}

static void write_shuffled(const example *e, test_random *random, char *out) {
    int order[STATEMENTS];
    size_t size = e->begin;
    memcpy(out, e->text, size);
    for (int i = 0; i < e->count; i++) order[i] = i;
    for (int i = e->count - 1; i > 0; i--) {
        int k = random_below(random, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (int i = 0; i < e->count; i++) {
        size_t length = e->start[order[i] + 1] - e->start[order[i]];
        memcpy(out + size, e->text + e->start[order[i]], length);
        size += length;
    }
    strcpy(out + size, e->text + e->start[e->count]);
}

/* ---- runs --------------------------------------------------------------------------------------------- */

/* A run that did not finish leaves FILE.partial. */
static FILE *open_left(const char *path) {
    char partial[NAME];
    FILE *file = fopen(path, "r");
    snprintf(partial, sizeof partial, "%s.partial", path);
    return file ? file : fopen(partial, "r");
}

static void remove_left(const char *path) {
    char partial[NAME];
    snprintf(partial, sizeof partial, "%s.partial", path);
    remove(path);
    remove(partial);
}

/* What a run leaves behind: how it ended, and its files. */
static hbg_run_end run(const char *path, const char *text, const char *experiment, const char *events,
                       const char *rows, int *refused) {
    hbg_session *session;
    hbg_model *model;
    hbg_text told, words;
    hbg_run_end end = HBG_RUN_NOT_FINISHED;
    static const char *const search[] = {HBG_SOURCE_DIR "/lib"};
    hbg_session_options settings = hbg_session_options_default();
    settings.search = search;
    settings.search_count = 1;
    assert_int_equal(hbg_session_new(&settings, &session), HBG_OK);
    hbg_load_options load = {0};
    if (hbg_load_text(session, path, text, strlen(text), &load, &model) != HBG_OK) {
        assert_int_equal(hbg_diagnostics_text(session, false, &words), HBG_OK);
        fail_msg("%s", words.data);
    }
    hbg_run_options options = hbg_run_options_default();
    options.experiment = experiment;
    options.events = events;
    options.files = &rows;
    options.file_count = 1;
    remove_left(events);
    remove_left(rows);
    hbg_status status = hbg_run(session, model, &options, &end, &told);
    if (status != HBG_OK) *refused += 1;
    if (status == HBG_OK) hbg_text_free(session, &told);
    hbg_session_free(session);
    return end;
}

static void assert_same_files(const char *a, const char *b, const char *what) {
    FILE *first = open_left(a), *second = open_left(b);
    if (!first || !second) fail_msg("%s: nothing is left", what);
    for (int c = 0; first && c != EOF;) {
        c = fgetc(first);
        if (c != fgetc(second)) fail_msg("%s: %s and %s differ", what, a, b);
    }
    if (first) fclose(first);
    if (second) fclose(second);
}

static int compare_example(const char *path, test_random *random) {
    static example e;
    static char shuffled[SIZE + 1];
    read_without_comments(&e, path);
    if (!strstr(e.text, "automaton ") || !split(&e)) return 0;
    find_experiments(&e);
    int runs = 0;
    for (int i = 0; i < e.experiment_count; i++) {
        int refused = 0; // experiments with faults, for one
        write_shuffled(&e, random, shuffled);
        hbg_run_end end = run(path, e.text, e.experiments[i], "first.jsonl", "first.csv", &refused);
        assert_int_equal(run(path, shuffled, e.experiments[i], "second.jsonl", "second.csv", &refused), end);
        if (refused == 1) fail_msg("%s: refused in one order only", path);
        runs += refused == 0;
        if (refused > 0) continue;
        assert_same_files("first.jsonl", "second.jsonl", path);
        assert_same_files("first.csv", "second.csv", path);
    }
    return runs;
}

static void shuffled_examples_run_to_the_same_bits(void **state) {
    (void)state;
    test_random random = {1};
    glob_t found;
    int runs = 0;
    assert_int_equal(glob(HBG_SOURCE_DIR "/examples/*/*.hbg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) runs += compare_example(found.gl_pathv[i], &random);
    globfree(&found);
    print_message("%d experiments\n", runs);
    assert_true(runs > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffled_examples_run_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
