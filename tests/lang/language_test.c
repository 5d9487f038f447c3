/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs the language programs below tests/language; its readme.md says how they are written. What is expected
 * stands on the offending line:
 *
 *     R r(5 [mH]);      // expect error E0403: Ohm // expect warning W0704
 *     // expect nowhere error E0306                   a diagnostic without a place
 *     // given R1=220   // expect error E0301          -p of the command line, and what is wrong with it
 *
 * Each diagnostic has to be expected on its line and each expectation has to be met. The words behind the
 * colon have to occur in the message, a note or the help. Folders called `parts` hold what others import. */
#define _GNU_SOURCE /* nftw, memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <ftw.h>
#include <jansson.h>

#include "base/base.h"
#include "hbg/hbg.h"

#define FOLDER         HBG_SOURCE_DIR "/tests/language"
#define PROGRAM_LIMIT  1000
#define EXPECTED_LIMIT 2000
#define GIVEN_LIMIT    16

typedef struct {
    char *file; /* as the diagnostics name it; NULL for one without a place */
    int line;
    char code[6];
    char *words; /* NULL: none asked for */
    bool met;
} expectation;

typedef struct {
    const char *path;
    expectation expected[EXPECTED_LIMIT];
    int expected_count;
    char *given[GIVEN_LIMIT];
    int given_lines[GIVEN_LIMIT];
    int given_count;
} program;

static struct {
    char *paths[PROGRAM_LIMIT];
    int count;
    bool seen[HBG_DIAGNOSTIC_COUNT];
} programs;

/* ---- reading expectations ----------------------------------------------------------------------------- */

static char *slice(const char *start, const char *end) {
    while (start < end && *start == ' ') start++;
    while (end > start && strchr(" \r", end[-1])) end--;
    return strndup(start, (size_t)(end - start));
}

static const char *find(const char *text, const char *end, const char *words) {
    return memmem(text, (size_t)(end - text), words, strlen(words));
}

static void mark_seen(const program *p, const char *code, const char *severity) {
    for (int id = 0; id < HBG_DIAGNOSTIC_COUNT; id++) {
        const hbg_diagnostic_kind *kind = hbg_base_diagnostic_kind_get(id);
        if (strcmp(kind->code, code) != 0) continue;
        bool warning = strncmp(severity, "warning", 7) == 0;
        if (warning != (kind->severity == HBG_WARNING))
            fail_msg("%s: %s has another severity", p->path, code);
        programs.seen[id] = true;
        return;
    }
    fail_msg("%s: there is no code %s", p->path, code);
}

/* One `// expect …` that ends at `end`; false if it is written wrongly. */
static bool read_expectation(program *p, const char *file, int line, const char *text, const char *end) {
    expectation e = {.file = strdup(file), .line = line};
    char *words = slice(text, end);
    const char *at = words;
    if (strncmp(at, "nowhere ", 8) == 0) {
        at += 8;
        free(e.file);
        e.file = NULL;
    }
    const char *severity = at;
    at += strncmp(at, "error ", 6) == 0 ? 6 : strncmp(at, "warning ", 8) == 0 ? 8 : 0;
    bool good = at > severity && strlen(at) >= 5 && (at[5] == 0 || at[5] == ':');
    if (good) {
        memcpy(e.code, at, 5);
        mark_seen(p, e.code, severity);
        if (at[5] == ':') e.words = strdup(at + 6 + strspn(at + 6, " "));
        p->expected[p->expected_count++] = e;
    } else {
        free(e.file);
    }
    free(words);
    return good && p->expected_count < EXPECTED_LIMIT;
}

static void read_line(program *p, const char *file, int line, const char *text, const char *end) {
    static const char mark[] = "// expect ", given[] = "// given ";
    const char *at = find(text, end, mark), *first = find(text, end, given);
    const char *source = file;
    if (first && p->given_count < GIVEN_LIMIT) {
        const char *stop = find(first + 3, end, "//");
        p->given[p->given_count++] = slice(first + sizeof given - 1, stop ? stop : end);
        source = "the command line";
    }
    while (at) {
        const char *next = find(at + 1, end, mark);
        if (!read_expectation(p, source, first ? 1 : line, at + sizeof mark - 1, next ? next : end))
            fail_msg("%s:%d: an expectation is written wrongly", file, line);
        at = next;
    }
}

static void read_expectations(program *p, const char *file) {
    FILE *stream = fopen(file, "rb");
    assert_non_null(stream);
    char *text = NULL;
    size_t capacity = 0;
    ssize_t size;
    for (int line = 1; (size = getline(&text, &capacity, stream)) >= 0; line++) {
        if (size > 0 && text[size - 1] == '\n') size--;
        read_line(p, file, line, text, text + size);
    }
    free(text);
    fclose(stream);
}

static void forget(program *p) {
    for (int i = 0; i < p->expected_count; i++) {
        free(p->expected[i].file);
        free(p->expected[i].words);
    }
    for (int i = 0; i < p->given_count; i++) free(p->given[i]);
    free(p);
}

/* ---- comparing ---------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Message, notes and help in one text. */
static char *words_of(const json_t *diagnostic) {
    char *words = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&words, &size);
    fprintf(out, "%s\n%s", text_of(diagnostic, "message"), text_of(diagnostic, "help"));
    size_t index;
    const json_t *note;
    json_array_foreach(json_object_get(diagnostic, "notes"), index, note)
        fprintf(out, "\n%s", text_of(note, "message"));
    fclose(out);
    return words;
}

static bool meets(const expectation *e, const json_t *diagnostic, const char *words) {
    const char *file = text_of(diagnostic, "file");
    bool placed = file[0] != 0;
    if (e->met || placed != (e->file != NULL) || strcmp(e->code, text_of(diagnostic, "code")) != 0)
        return false;
    if (placed && strcmp(e->file, file) != 0) return false;
    if (placed && e->line != json_integer_value(json_object_get(diagnostic, "line"))) return false;
    return !e->words || strstr(words, e->words);
}

/* False, after telling it, if nobody expects the diagnostic. */
static bool take(program *p, const json_t *diagnostic) {
    char *words = words_of(diagnostic);
    bool found = false;
    for (int i = 0; i < p->expected_count && !found; i++)
        if (meets(&p->expected[i], diagnostic, words)) found = p->expected[i].met = true;
    if (!found)
        print_error("%s:%d: not expected: %s %s: %s\n", text_of(diagnostic, "file"),
                    (int)json_integer_value(json_object_get(diagnostic, "line")),
                    text_of(diagnostic, "severity"), text_of(diagnostic, "code"), words);
    free(words);
    return found;
}

/* The expectations of another file that the diagnostics mention. */
static void read_mentioned(program *p, const json_t *diagnostics) {
    size_t index;
    const json_t *diagnostic;
    json_array_foreach(diagnostics, index, diagnostic) {
        const char *file = text_of(diagnostic, "file");
        bool known = file[0] != '/';
        for (int i = 0; i < p->expected_count && !known; i++)
            known = p->expected[i].file && strcmp(p->expected[i].file, file) == 0;
        if (!known && strcmp(file, p->path) != 0) read_expectations(p, file);
    }
}

static int compare(program *p, const json_t *diagnostics) {
    int wrong = 0;
    size_t index;
    const json_t *diagnostic;
    read_mentioned(p, diagnostics);
    json_array_foreach(diagnostics, index, diagnostic) wrong += !take(p, diagnostic);
    for (int i = 0; i < p->expected_count; i++) {
        const expectation *e = &p->expected[i];
        if (e->met) continue;
        print_error("%s:%d: expected and not reported: %s%s%s\n", e->file ? e->file : p->path, e->line,
                    e->code, e->words ? ": " : "", e->words ? e->words : "");
        wrong++;
    }
    return wrong;
}

static bool expects_error(const program *p) {
    for (int i = 0; i < p->expected_count; i++)
        if (p->expected[i].code[0] == 'E') return true;
    return false;
}

static void a_program_gives_the_diagnostics_it_expects(void **state) {
    static const char *const search[] = {HBG_SOURCE_DIR "/lib"};
    program *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->path = *state;
    read_expectations(p, p->path);
    hbg_session_options options = hbg_session_options_default();
    options.search = search;
    options.search_count = 1;
    hbg_session *session;
    assert_int_equal(hbg_session_new(&options, &session), HBG_OK);
    hbg_load_options load = {.parameters = (const char *const *)p->given, .parameter_count = p->given_count};
    hbg_model *model;
    hbg_status status = hbg_load_file(session, p->path, &load, &model);
    hbg_text text;
    assert_int_equal(hbg_diagnostics_json(session, &text), HBG_OK);
    json_t *json = json_loads(text.data, 0, NULL);
    assert_non_null(json);
    int wrong = compare(p, json_object_get(json, "diagnostics"));
    if (status != (expects_error(p) ? HBG_BAD_MODEL : HBG_OK)) wrong++;
    json_decref(json);
    hbg_text_free(session, &text);
    hbg_session_free(session);
    forget(p);
    if (wrong > 0) fail_msg("%d of the expectations do not hold, status %d", wrong, status);
}

/* What no program can show, with the reason. */
static const struct {
    const char *code, *reason;
} never_shown[] = {
    {"E0601", "told when causality is asked for, not when a model is loaded"},
    {"W0715", "likewise; docs/diagnostics.md has a program, which a test runs"},
    {"W0716", "likewise"},
    {"W0717", "likewise"},
    {"N0801", "likewise"},
    {"E0901", "told when a model is exported; docs/diagnostics.md has a program, which a test runs"},
};

static bool is_never_shown(const char *code) {
    for (size_t i = 0; i < sizeof never_shown / sizeof *never_shown; i++)
        if (strcmp(never_shown[i].code, code) == 0) return true;
    return false;
}

static void every_diagnostic_is_shown_by_a_program(void **state) {
    (void)state;
    int missing = 0;
    for (int id = 0; id < HBG_DIAGNOSTIC_COUNT; id++) {
        const char *code = hbg_base_diagnostic_kind_get(id)->code;
        if (programs.seen[id] && is_never_shown(code)) fail_msg("%s is shown by a program", code);
        if (programs.seen[id] || is_never_shown(code)) continue;
        print_error("no program expects %s (%s)\n", code, hbg_base_diagnostic_kind_get(id)->summary);
        missing++;
    }
    assert_int_equal(missing, 0);
}

/* ---- finding the programs ----------------------------------------------------------------------------- */

static int visit(const char *path, const struct stat *status, int type, struct FTW *ftw) {
    (void)status;
    (void)ftw;
    size_t size = strlen(path);
    bool is_program = type == FTW_F && size > 4 && strcmp(path + size - 4, ".hbg") == 0;
    if (is_program && !strstr(path, "/parts/") && programs.count < PROGRAM_LIMIT)
        programs.paths[programs.count++] = strdup(path);
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
    if (nftw(FOLDER, visit, 16, FTW_PHYS) != 0 || programs.count == 0) return 2;
    qsort(programs.paths, (size_t)programs.count, sizeof *programs.paths, by_name);
    struct CMUnitTest *tests = calloc((size_t)programs.count + 1, sizeof *tests);
    if (!tests) return 2;
    for (int i = 0; i < programs.count; i++)
        tests[i] = (struct CMUnitTest){.name = programs.paths[i] + sizeof FOLDER,
                                       .test_func = a_program_gives_the_diagnostics_it_expects,
                                       .initial_state = programs.paths[i]};
    tests[programs.count] = (struct CMUnitTest)cmocka_unit_test(every_diagnostic_is_shown_by_a_program);
    int failed = _cmocka_run_group_tests("language", tests, (size_t)programs.count + 1, NULL, NULL);
    for (int i = 0; i < programs.count; i++) free(programs.paths[i]);
    free(tests);
    return failed;
}
