/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The contents of the library, and searching it by words. */
#include "api/report_impl.h"

#include <string.h>
#include <strings.h>

/* Whether the word occurs anywhere in the text, ignoring case. */
static bool mentions(const char *text, const char *word) {
    size_t size = strlen(word);
    for (; *text; text++)
        if (strncasecmp(text, word, size) == 0) return true;
    return size == 0;
}

static bool entries_mention(const hbg_lang_catalog_entry *entries, int32_t count, const char *word) {
    for (int32_t i = 0; i < count; i++)
        if (mentions(entries[i].name, word) || mentions(entries[i].what, word) ||
            mentions(entries[i].doc, word))
            return true;
    return false;
}

/* Whether a component matches every word: by its name, line, file, ports or parameters. */
static bool is_meant(const hbg_lang_catalog_item *item, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (!mentions(item->name, words[i]) && !mentions(item->doc, words[i]) &&
            !mentions(item->file, words[i]) && !entries_mention(item->ports, item->port_count, words[i]) &&
            !entries_mention(item->parameters, item->parameter_count, words[i]))
            return false;
    return true;
}

/* The rank of a match: 0 if the component has that name, 1 if its name contains the words, 2 otherwise. */
enum { NAMED, LIKE_NAMED, OTHERS, RANKS };

static int rank_of(const hbg_lang_catalog_item *item, const char *const *words, int count) {
    if (count == 1 && strcasecmp(item->name, words[0]) == 0) return NAMED;
    for (int i = 0; i < count; i++)
        if (!mentions(item->name, words[i])) return OTHERS;
    return LIKE_NAMED;
}

/* ---- for programs --------------------------------------------------------------------------------------- */

static void put_entries(hbg_api_report *in, const char *key, const hbg_lang_catalog_entry *entries,
                        int32_t count, bool ports) {
    hbg_api_report *list = hbg_api_list(in, key);
    for (int32_t i = 0; i < count; i++) {
        hbg_api_report *entry = hbg_api_object(list, NULL);
        hbg_api_text(entry, "name", entries[i].name);
        if (ports) hbg_api_text(entry, "kind", entries[i].what);
        hbg_api_text(entry, "unit", entries[i].unit);
        hbg_api_text(entry, "default", entries[i].value);
        hbg_api_text(entry, "doc", entries[i].doc);
    }
}

static void put_item(hbg_api_report *list, const hbg_lang_catalog_item *item) {
    hbg_api_report *part = hbg_api_object(list, NULL);
    hbg_api_text(part, "file", item->file);
    hbg_api_text(part, "name", item->name);
    hbg_api_text(part, "doc", item->doc);
    hbg_api_text(part, "equations", item->remark);
    put_entries(part, "ports", item->ports, item->port_count, true);
    put_entries(part, "parameters", item->parameters, item->parameter_count, false);
}

/* ---- for people ----------------------------------------------------------------------------------------- */

static void say_entry(hbg_api_report *report, const hbg_lang_catalog_entry *of, int wide) {
    hbg_buffer *out = hbg_api_words(report);
    hbg_base_buffer_print(out, "    %-*s  %s", wide, of->name, of->what);
    if (of->unit[0]) hbg_base_buffer_print(out, "%s[%s]", of->what[0] ? " " : "", of->unit);
    if (of->value[0]) hbg_base_buffer_print(out, "%s= %s", of->what[0] || of->unit[0] ? " " : "", of->value);
    if (of->doc[0]) hbg_base_buffer_print(out, "  %s", of->doc);
    hbg_base_buffer_char(out, '\n');
}

static void say_entries(hbg_api_report *report, const char *title, const hbg_lang_catalog_entry *entries,
                        int32_t count) {
    int wide = 0;
    for (int32_t i = 0; i < count; i++) {
        int size = (int)strlen(entries[i].name);
        wide = size > wide ? size : wide;
    }
    if (count > 0) hbg_api_say(report, "  %s\n", title);
    for (int32_t i = 0; i < count; i++) say_entry(report, &entries[i], wide);
}

static void say_whole(hbg_api_report *report, const hbg_lang_catalog_item *item) {
    hbg_api_say(report, "%s, %s: %s\n", item->name, item->file, item->doc);
    for (const char *line = item->remark; *line;) {
        size_t size = strcspn(line, "\n");
        hbg_api_say(report, "  | %.*s\n", (int)size, line);
        line += size + (line[size] == '\n');
    }
    say_entries(report, "ports", item->ports, item->port_count);
    say_entries(report, "parameters", item->parameters, item->parameter_count);
    hbg_api_say(report, "\n");
}

/* One line each, below the name of their file. */
static void say_lines(hbg_api_report *report, const hbg_lang_catalog *catalog) {
    const char *file = "";
    int wide = 0;
    for (int32_t i = 0; i < catalog->count; i++) {
        int size = (int)strlen(catalog->items[i].name);
        wide = size > wide ? size : wide;
    }
    for (int32_t i = 0; i < catalog->count; i++) {
        const hbg_lang_catalog_item *item = &catalog->items[i];
        if (strcmp(item->file, file) != 0) hbg_api_say(report, "%s%s\n", i > 0 ? "\n" : "", item->file);
        file = item->file;
        hbg_api_say(report, "  %-*s  %s\n", wide, item->name, item->doc);
    }
    hbg_api_say(report,
                "\n%d components; a word after `--library` shows those it fits, with ports and parameters\n",
                (int)catalog->count);
}

static hbg_status list_library(hbg_session *session, const char *const *words, int count, bool json,
                               hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_lang_workspace workspace = {.units = session->lang.units,
                                    .search = session->lang.search,
                                    .search_count = session->lang.search_count,
                                    .folder = "."};
    hbg_lang_catalog catalog = hbg_lang_catalog_read(&workspace, &session->scratch);
    hbg_api_report *report = hbg_api_report_new(session);
    hbg_api_report *list = hbg_api_list(report, "components");
    int32_t found = 0;
    for (int rank = NAMED; rank < RANKS; rank++)
        for (int32_t i = 0; i < catalog.count; i++) {
            const hbg_lang_catalog_item *item = &catalog.items[i];
            if (!is_meant(item, words, count) || rank_of(item, words, count) != rank) continue;
            put_item(list, item);
            if (count > 0) say_whole(report, item);
            found++;
        }
    if (count == 0) say_lines(report, &catalog);
    if (found == 0 && count > 0)
        return hbg_api_session_leave(
            session, hbg_api_session_fail(session, HBG_NOT_FOUND,
                                          "no component has to do with `%s`; `hbg list --library` names all",
                                          words[0]));
    return hbg_api_session_leave(session, hbg_api_report_print(report, json, text));
}

hbg_status hbg_library_text(hbg_session *session, const char *const *words, int count, hbg_text *text) {
    return list_library(session, words, count, false, text);
}

hbg_status hbg_library_json(hbg_session *session, const char *const *words, int count, hbg_text *text) {
    return list_library(session, words, count, true, text);
}
