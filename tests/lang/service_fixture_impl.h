/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Short ways to ask the language service about a text: the place asked about is marked by `|` in it. */
#ifndef HBG_LANG_SERVICE_FIXTURE_IMPL_H
#define HBG_LANG_SERVICE_FIXTURE_IMPL_H

#include "lang/fixture_impl.h"

#include "lang/service_impl.h"

static const char *const library_folder[] = {HBG_SOURCE_DIR "/lib"};

typedef struct {
    hbg_lang_workspace workspace;
    hbg_lang_reading *reading;
    const char *text;
    size_t offset;
} asked;

/* Reads a text without its mark; the place of the mark is asked about. */
static inline asked ask(fixture *f, const char *marked) {
    asked a = {
        .workspace = {.units = f->lang.units, .search = library_folder, .search_count = 1, .folder = "."}};
    const char *mark = strchr(marked, '|');
    a.offset = mark ? (size_t)(mark - marked) : 0;
    a.text = mark ? hbg_base_arena_print(&f->arena, "%.*s%s", (int)a.offset, marked, mark + 1)
                  : hbg_base_arena_copy(&f->arena, marked, strlen(marked));
    hbg_lang_workspace *workspace = HBG_NEW(&f->arena, hbg_lang_workspace);
    *workspace = a.workspace;
    a.reading = hbg_lang_reading_new(&f->arena, workspace, "test.hbg", a.text, strlen(a.text), true);
    return a;
}

static inline size_t place_in(const asked *a, const char *words) {
    const char *found = strstr(a->text, words);
    if (!found) fail_msg("no `%s` in the text", words);
    return (size_t)(found - a->text);
}

/* The text after the edits, which all have to be in it and in order. */
static inline const char *apply(fixture *f, const char *text, const hbg_service_edits *edits) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    size_t at = 0;
    for (int32_t i = 0; i < edits->count; i++) {
        const hbg_service_edit *edit = &edits->items[i];
        assert_string_equal(edit->place.path, "test.hbg");
        assert_true(edit->place.start >= at && edit->place.end >= edit->place.start &&
                    edit->place.end <= strlen(text));
        hbg_base_buffer_add(&out, text + at, edit->place.start - at);
        hbg_base_buffer_text(&out, edit->text);
        at = edit->place.end;
    }
    hbg_base_buffer_text(&out, text + at);
    return out.data ? out.data : "";
}

#endif
