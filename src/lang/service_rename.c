/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: where a symbol is named, in the document and, for members of components, in the other
 * files of the folder; and a new name in all these places. */
#include "lang/service_impl.h"

#include "lang/parser_impl.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILES_LIMIT  500 /* of the folder */
#define FOLDER_DEPTH 5   /* folders in folders */
#define FILE_LIMIT   ((size_t)4 << 20)
#define PATHS_ROOM   (FILES_LIMIT * 256)

/* ---- the other files ----------------------------------------------------------------------------------- */

typedef struct {
    char room[PATHS_ROOM]; /* paths one after the other */
    const char *paths[FILES_LIMIT];
    size_t used;
    int count;
} file_list;

/* Nothing is allocated while a folder is open. Links are not followed: a circle of them would never end. */
static void list_files(file_list *list, const char *folder, int depth) {
    DIR *entries = depth > FOLDER_DEPTH ? NULL : opendir(folder);
    struct dirent *entry;
    while (entries && list->count < FILES_LIMIT && (entry = readdir(entries)) != NULL) {
        char path[PATH_MAX];
        struct stat about;
        size_t size = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "node_modules") == 0) continue;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof path || lstat(path, &about) != 0) continue;
        if (S_ISDIR(about.st_mode)) list_files(list, path, depth + 1);
        if (!S_ISREG(about.st_mode) || size <= 4 || strcmp(entry->d_name + size - 4, ".hbg") != 0) continue;
        if (list->used + (size_t)length + 1 > PATHS_ROOM || list->count == FILES_LIMIT) continue;
        list->paths[list->count++] = memcpy(list->room + list->used, path, (size_t)length + 1);
        list->used += (size_t)length + 1;
    }
    if (entries) closedir(entries);
}

/* ---- places -------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_arena *arena;
    const char *name;
    const char *file; /* where it is declared, resolved, */
    size_t offset;    /* and at which byte */
    HBG_VEC(hbg_service_place) found;
    HBG_VEC(const char *) reals; /* their files, resolved */
} search;

static const char *real_of(hbg_arena *arena, const char *path) {
    char real[PATH_MAX];
    const char *found = realpath(path, real) ? real : path;
    return hbg_base_arena_copy(arena, found, strlen(found));
}

static void take(search *s, hbg_service_place place, const char *real) {
    for (int32_t i = 0; i < s->found.count; i++)
        if (s->found.items[i].start == place.start && strcmp(s->reals.items[i], real) == 0) return;
    HBG_PUSH(s->arena, s->found, place);
    HBG_PUSH(s->arena, s->reals, real);
}

static void search_reading(search *s, const hbg_lang_reading *reading, int32_t symbol) {
    const char *last_path = NULL, *last_real = NULL;
    for (int32_t i = 0; i < reading->occurrences.count; i++) {
        if (reading->occurrences.items[i].symbol != symbol) continue;
        hbg_service_place place = hbg_lang_service_place(reading, reading->occurrences.items[i].span);
        if (!last_real || place.path != last_path) last_real = real_of(s->arena, place.path);
        last_path = place.path;
        take(s, place, last_real);
    }
}

/* The same declaration as another reading sees it. */
static int32_t find_symbol(const search *s, const hbg_lang_reading *reading) {
    hbg_name name = hbg_base_names_find(&reading->names, s->name, strlen(s->name));
    for (int32_t i = 0; name > 0 && i < reading->symbols.count; i++) {
        if (reading->symbols.items[i].name != name) continue;
        hbg_service_place place = hbg_lang_service_place(reading, reading->symbols.items[i].span);
        if (place.start == s->offset && strcmp(real_of(s->arena, place.path), s->file) == 0) return i;
    }
    return HBG_NONE;
}

/* A text without the name need not be read. */
static void search_text(search *s, const hbg_lang_workspace *workspace, const char *path, const char *text,
                        size_t size) {
    if (!strstr(text, s->name)) return;
    const hbg_lang_reading *reading = hbg_lang_reading_new(s->arena, workspace, path, text, size, false);
    int32_t symbol = find_symbol(s, reading);
    if (symbol != HBG_NONE) search_reading(s, reading, symbol);
}

static void search_folder(search *s, const hbg_lang_reading *reading) {
    const hbg_lang_workspace *workspace = reading->workspace;
    const char *folder = workspace->folder, *slash = strrchr(reading->path, '/');
    if (!folder)
        folder = slash ? hbg_base_arena_copy(s->arena, reading->path, (size_t)(slash - reading->path)) : ".";
    file_list *list = HBG_NEW(s->arena, file_list);
    list_files(list, folder, 0);
    for (int i = 0; i < list->count; i++) {
        const char *real = real_of(s->arena, list->paths[i]);
        bool open = false;
        for (int32_t k = 0; k < workspace->overlay_count; k++)
            open = open || strcmp(workspace->overlays[k].real, real) == 0;
        char *text;
        size_t size;
        const char *reason;
        if (!open &&
            hbg_base_file_read(s->arena, list->paths[i], FILE_LIMIT, &text, &size, &reason) == HBG_OK)
            search_text(s, workspace, list->paths[i], text, size);
    }
    for (int32_t k = 0; k < workspace->overlay_count; k++)
        search_text(s, workspace, workspace->overlays[k].path, workspace->overlays[k].text,
                    workspace->overlays[k].size);
}

/* Whether another file can name it: every member of a component, and everything at the top except models. */
static bool is_shared(const hbg_lang_reading *reading, int32_t symbol) {
    const service_symbol *own = &reading->symbols.items[symbol];
    while (own->owner != HBG_NONE) own = &reading->symbols.items[own->owner];
    return own->kind != HBG_SERVICE_MODEL;
}

static void search_all(search *s, const hbg_lang_reading *reading, hbg_arena *arena, int32_t symbol) {
    hbg_service_place declared = hbg_lang_service_place(reading, reading->symbols.items[symbol].span);
    *s =
        (search){.arena = arena, .name = hbg_lang_service_name_of(reading, symbol), .offset = declared.start};
    s->file = real_of(arena, declared.path);
    search_reading(s, reading, symbol);
    if (is_shared(reading, symbol)) search_folder(s, reading);
}

bool hbg_lang_service_references(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                 hbg_service_places *places) {
    int32_t occurrence = hbg_lang_service_occurrence(reading, offset);
    if (occurrence == HBG_NONE) return false;
    search s;
    search_all(&s, reading, arena, reading->occurrences.items[occurrence].symbol);
    *places = (hbg_service_places){s.found.items, s.found.count};
    return true;
}

/* ---- a new name ---------------------------------------------------------------------------------------- */

hbg_status hbg_lang_service_can_rename(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                       hbg_service_place *word, const char **reason) {
    int32_t occurrence = hbg_lang_service_occurrence(reading, offset);
    *reason = "there is no name here that could be changed";
    if (occurrence == HBG_NONE) return HBG_NOT_FOUND;
    int32_t symbol = reading->occurrences.items[occurrence].symbol;
    service_editing editing = {.reading = reading, .arena = arena};
    if (!hbg_lang_edit_may(&editing, symbol)) {
        *reason = editing.reason;
        return HBG_BAD_ARGUMENT;
    }
    *word = hbg_lang_service_place(reading, reading->occurrences.items[occurrence].span);
    *reason = "";
    return HBG_OK;
}

static hbg_status refuse_name(const hbg_lang_reading *reading, hbg_arena *arena, int32_t symbol,
                              const char *name, const char **reason) {
    const service_symbol *own = &reading->symbols.items[symbol];
    if (!hbg_lang_edit_is_name(name)) {
        *reason = hbg_base_arena_print(arena,
                                       "`%.60s` cannot be a name: names are letters, digits and `_`, and no "
                                       "words of the language",
                                       name);
        return HBG_BAD_ARGUMENT;
    }
    int32_t other = hbg_lang_service_find(reading, own->owner, name);
    if (other == HBG_NONE || other == symbol || own->kind == HBG_SERVICE_EXPERIMENT) return HBG_OK;
    *reason = hbg_base_arena_print(arena, "there is already a %s called `%s`",
                                   hbg_lang_service_facts(reading, NULL, arena, other).what, name);
    return HBG_BAD_ARGUMENT;
}

static hbg_status rename_symbol(const hbg_lang_reading *reading, hbg_arena *arena, int32_t symbol,
                                const char *name, hbg_service_edits *edits, const char **reason) {
    service_editing editing = {.reading = reading, .arena = arena};
    if (!hbg_lang_edit_may(&editing, symbol)) {
        *reason = editing.reason;
        return HBG_BAD_ARGUMENT;
    }
    hbg_status status = refuse_name(reading, arena, symbol, name, reason);
    if (status != HBG_OK) return status;
    search s;
    search_all(&s, reading, arena, symbol);
    for (int32_t i = 0; i < s.found.count; i++) {
        hbg_service_edit edit = {s.found.items[i], name};
        HBG_PUSH(arena, editing.edits, edit);
    }
    hbg_lang_edit_sort(&editing);
    *edits = (hbg_service_edits){editing.edits.items, editing.edits.count, name};
    return HBG_OK;
}

hbg_status hbg_lang_service_rename(const hbg_lang_reading *reading, hbg_arena *arena, size_t offset,
                                   const char *name, hbg_service_edits *edits, const char **reason) {
    hbg_service_place word;
    hbg_status status = hbg_lang_service_can_rename(reading, arena, offset, &word, reason);
    if (status != HBG_OK) return status;
    int32_t occurrence = hbg_lang_service_occurrence(reading, offset);
    name = hbg_base_arena_copy(arena, name, strlen(name));
    return rename_symbol(reading, arena, reading->occurrences.items[occurrence].symbol, name, edits, reason);
}

/* ---- gestures ------------------------------------------------------------------------------------------ */

static void rename_object(service_editing *editing, int32_t definition, const hbg_gesture *gesture) {
    int32_t owner;
    int32_t symbol = hbg_lang_edit_find(editing, definition, gesture->object, &owner);
    if (symbol == HBG_NONE) return;
    hbg_service_edits edits = {0};
    const char *reason = "", *name = gesture->name ? gesture->name : "";
    name = hbg_base_arena_copy(editing->arena, name, strlen(name));
    hbg_status status = rename_symbol(editing->reading, editing->arena, symbol, name, &edits, &reason);
    if (status != HBG_OK) {
        hbg_lang_edit_refuse(editing, status, "%s", reason);
        return;
    }
    for (int32_t i = 0; i < edits.count; i++) HBG_PUSH(editing->arena, editing->edits, edits.items[i]);
    editing->name = name;
}

hbg_status hbg_lang_service_gesture(const hbg_lang_reading *reading, hbg_arena *arena,
                                    const hbg_gesture *gesture, hbg_service_edits *edits,
                                    const char **reason) {
    typedef void make(service_editing *, int32_t, const hbg_gesture *);
    static make *const makers[] = {
        [HBG_GESTURE_ADD] = hbg_lang_edit_add,        [HBG_GESTURE_CONNECT] = hbg_lang_edit_connect,
        [HBG_GESTURE_DELETE] = hbg_lang_edit_delete,  [HBG_GESTURE_REVERSE] = hbg_lang_edit_reverse,
        [HBG_GESTURE_RENAME] = rename_object,         [HBG_GESTURE_VALUE] = hbg_lang_edit_value,
        [HBG_GESTURE_PLACE] = hbg_lang_edit_place,    [HBG_GESTURE_WRAP] = hbg_lang_edit_wrap,
        [HBG_GESTURE_FAULT] = hbg_lang_edit_sentence, [HBG_GESTURE_EXPERIMENT] = hbg_lang_edit_sentence};
    service_editing editing = {.reading = reading, .arena = arena, .name = ""};
    *edits = (hbg_service_edits){.name = ""};
    int32_t definition = hbg_lang_service_definition(reading, gesture->model);
    if (gesture->kind < 0 || gesture->kind >= HBG_GESTURE_COUNT)
        hbg_lang_edit_refuse(&editing, HBG_BAD_ARGUMENT, "there is no such gesture");
    else if (definition == HBG_NONE && gesture->model)
        hbg_lang_edit_refuse(&editing, HBG_NOT_FOUND, "there is no model or component `%s` in this text",
                             gesture->model);
    else if (definition == HBG_NONE)
        hbg_lang_edit_refuse(&editing, HBG_NOT_FOUND,
                             "there is no model in this text: write `model NAME { … }`");
    else if (reading->symbols.items[definition].definition->body.end == 0)
        hbg_lang_edit_refuse(&editing, HBG_BAD_ARGUMENT, "the braces of the model are not complete");
    else
        makers[gesture->kind](&editing, definition, gesture);
    if (editing.reason) {
        *reason = editing.reason;
        return editing.status;
    }
    hbg_lang_edit_sort(&editing);
    *edits = (hbg_service_edits){editing.edits.items, editing.edits.count, editing.name};
    return HBG_OK;
}
