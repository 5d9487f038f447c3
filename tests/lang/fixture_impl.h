/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A language front end for each test, with memory that is checked to be empty afterwards, and short ways to
 * read a text, to look at what came of it, and to ask for the errors it should have. */
#ifndef HBG_LANG_FIXTURE_IMPL_H
#define HBG_LANG_FIXTURE_IMPL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/elaborate_impl.h"
#include "lang/front_end_impl.h"
#include "lang/parser_impl.h"

typedef struct {
    FRONT_END
} fixture;

static inline int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    front_end_open(f);
    *state = f;
    return f->lang.units ? 0 : -1;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    size_t left = front_end_close(f);
    free(f);
    return left == 0 ? 0 : -1;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* ---- reading ------------------------------------------------------------------------------------------ */

/* The model of the text, or NULL; nothing of the reading is left but what the model owns. */
static inline hbg_model *read_with(fixture *f, const char *text, const hbg_lang_options *options) {
    hbg_model *model = hbg_lang_read_text(&f->lang, "test.hbg", text, strlen(text), options);
    hbg_base_arena_fini(&f->scratch);
    hbg_base_arena_init(&f->scratch, &f->memory);
    if (model) model->scratch = &f->arena;
    return model;
}

static inline hbg_model *read_any(fixture *f, const char *text) {
    return read_with(f, text, NULL);
}

static inline void show_diagnostics(fixture *f) {
    for (int32_t i = 0; i < f->diagnostics.items.count; i++) {
        const hbg_diagnostic *item = &f->diagnostics.items.items[i];
        hbg_place place = {0};
        hbg_base_sources_place(&f->sources, item->span, &place);
        print_error("%d:%d %s %s\n", place.line, place.column, hbg_base_diagnostic_kind_get(item->id)->code,
                    item->text);
    }
}

/* The model of a text that has to be without any diagnostic. */
static inline hbg_model *read_good(fixture *f, const char *text) {
    hbg_model *model = read_any(f, text);
    if (!model || f->diagnostics.items.count > 0) {
        show_diagnostics(f);
        fail_msg("the text is no model");
    }
    return model;
}

/* The syntax tree of a text, which stays in the scratch arena. */
static inline syntax_file *parse(fixture *f, const char *text) {
    int32_t source = hbg_base_sources_add(&f->sources, "test.hbg", text, strlen(text));
    assert_true(source >= 0);
    return hbg_lang_parser_parse(&f->lang, source, false);
}

/* ---- looking ------------------------------------------------------------------------------------------ */

static inline const char *name_of(fixture *f, hbg_name name) {
    return hbg_base_names_get(&f->names, name);
}

static inline const char *dump_of(fixture *f, const hbg_model *model) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_dump(model, &buffer);
    return buffer.data;
}

static inline const char *expr_of(fixture *f, const hbg_model *model, hbg_expr expr) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_print_expr(model, expr, &buffer);
    return buffer.data;
}

/* Whether the dump has this line, blanks at its ends not counted. */
static inline bool has_line(const char *dump, const char *line) {
    size_t size = strlen(line);
    for (const char *at = dump; (at = strstr(at, line)) != NULL; at++) {
        const char *start = at, *end = at + size;
        while (start > dump && start[-1] == ' ') start--;
        while (*end == ' ') end++;
        if ((start == dump || start[-1] == '\n') && (*end == '\n' || *end == 0)) return true;
    }
    return false;
}

#define assert_line(dump, line)                                                                              \
    do {                                                                                                     \
        if (!has_line(dump, line)) fail_msg("no line `%s` in\n%s", line, dump);                              \
    } while (0)

static inline int32_t find_param(fixture *f, const hbg_model *model, const char *name) {
    for (int32_t i = 0; i < model->params.count; i++)
        if (strcmp(name_of(f, model->params.items[i].id.name), name) == 0) return i;
    fail_msg("no parameter %s", name);
    return -1;
}

static inline double value_of(fixture *f, const hbg_model *model, const char *name) {
    return model->param_values[find_param(f, model, name)];
}

/* ---- errors ------------------------------------------------------------------------------------------- */

/* The first diagnostic of this code on this line (0: any), whose text, notes or fix hold the words. */
static inline const hbg_diagnostic *find_diagnostic(fixture *f, const char *code, int line,
                                                    const char *words) {
    for (int32_t i = 0; i < f->diagnostics.items.count; i++) {
        const hbg_diagnostic *item = &f->diagnostics.items.items[i];
        hbg_place place = {0};
        hbg_base_sources_place(&f->sources, item->span, &place);
        bool found = strstr(item->text, words) || (item->fix && strstr(item->fix, words));
        for (int32_t n = 0; n < item->notes.count; n++)
            found = found || strstr(item->notes.items[n].text, words);
        bool right = strcmp(hbg_base_diagnostic_kind_get(item->id)->code, code) == 0;
        if (found && right && (line == 0 || place.line == line)) return item;
    }
    return NULL;
}

#define assert_diagnostic(f, code, line, words)                                                              \
    do {                                                                                                     \
        if (!find_diagnostic(f, code, line, words)) {                                                        \
            show_diagnostics(f);                                                                             \
            fail_msg("no %s on line %d with `%s`", code, line, words);                                       \
        }                                                                                                    \
    } while (0)

#endif
