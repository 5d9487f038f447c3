/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files and their imports. A file is looked for beside the file that imports it, then in the search folders;
 * it is read once, however often it is imported; a circle of imports is an error. What the files define is
 * collected under its name. */
#include "lang/elaborate_impl.h"
#include "lang/parser_impl.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IMPORT_DEPTH_LIMIT 64

static void load_imports(hbg_elaborator *elaborator, int32_t file, int depth);

/* ---- collecting --------------------------------------------------------------------------------------- */

bool hbg_lang_elaborate_takes_argument(const syntax_definition *definition, int32_t index) {
    const syntax_declaration *declaration = &definition->declarations.items[index];
    if (declaration->kind == DECLARE_PARAM || declaration->kind == DECLARE_TEXT)
        return index < definition->header_count;
    return declaration->kind == DECLARE_SIGNAL && declaration->signal->direction == PORT_IN;
}

static void report_again(hbg_elaborator *elaborator, hbg_name name, hbg_span again, hbg_span first,
                         const char *what) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_DUPLICATE, again, "there are two %s called `%s`", what,
                        hbg_base_names_get(elaborator->lang->names, name));
    hbg_base_report_note(diagnostics, report, first, "the first is declared here");
}

static void collect_function(hbg_elaborator *elaborator, int32_t owner, syntax_declaration *function) {
    const char *text = hbg_base_names_get(elaborator->lang->names, function->name);
    if (hbg_model_operator_find_function(text, strlen(text)) != HBG_OP_COUNT)
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_RESERVED, function->span,
                        "`%s` is a function of the language and cannot be defined again", text);
    int32_t fresh = elaborator->functions.count;
    int32_t index = hbg_base_pair_map_add(&elaborator->function_names, owner, function->name, fresh);
    if (index != fresh) {
        report_again(elaborator, function->name, function->span, elaborator->functions.items[index]->span,
                     "functions");
        return;
    }
    HBG_PUSH(elaborator->arena, elaborator->functions, function);
    if (function->function->body) return;
    hbg_diagnostic *report = hbg_base_report(elaborator->lang->diagnostics, HBG_W_EMPTY_FUNCTION,
                                             function->span, "function `%s` is empty: it counts as 0",
                                             hbg_base_names_get(elaborator->lang->names, function->name));
    hbg_base_report_fix(elaborator->lang->diagnostics, report, "give it a value: `= …;`");
}

static void collect_definition(hbg_elaborator *elaborator, syntax_definition *definition) {
    int32_t fresh = elaborator->definitions.count;
    int32_t index = hbg_base_pair_map_add(&elaborator->definition_names, 0, definition->name, fresh);
    if (index != fresh)
        report_again(elaborator, definition->name, definition->span,
                     elaborator->definitions.items[index]->span, "models or components");
    definition->number = definition->taking = fresh;
    HBG_PUSH(elaborator->arena, elaborator->definitions, definition);
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        syntax_declaration *declaration = &definition->declarations.items[i];
        if (declaration->kind == DECLARE_FUNCTION)
            collect_function(elaborator, fresh, declaration);
        else if (hbg_lang_elaborate_takes_argument(definition, i))
            hbg_base_pair_map_add(&elaborator->arguments, fresh, declaration->name, i);
    }
}

/* The file's own definitions come before those of its imports: its first model is the default. */
static void collect(hbg_elaborator *elaborator, syntax_file *file) {
    for (int32_t i = 0; i < file->definitions.count; i++)
        collect_definition(elaborator, file->definitions.items[i]);
    for (int32_t i = 0; i < file->functions.count; i++)
        collect_function(elaborator, -1, &file->functions.items[i]);
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static void parse_text(hbg_elaborator *elaborator, const char *path, const char *real, const char *text,
                       size_t size, int depth) {
    hbg_lang *lang = elaborator->lang;
    int32_t source = hbg_base_sources_add(lang->sources, path, text, size);
    if (source < 0) {
        hbg_base_report(lang->diagnostics, HBG_E_TOO_LARGE, (hbg_span){0, 0},
                        "`%s` and what it imports are too large", path);
        return;
    }
    elaborator->model->source_sum = hbg_base_text_sum(elaborator->model->source_sum, text, size);
    int32_t file = elaborator->files.count;
    hbg_loaded_file added = {path, real, true, NULL};
    HBG_PUSH(elaborator->arena, elaborator->files, added);
    if (hbg_lang_lexer_check_text(lang, &lang->sources->items.items[source])) {
        syntax_file *syntax = hbg_lang_parser_parse(lang, source, lang->tolerant);
        elaborator->files.items[file].syntax = syntax;
        collect(elaborator, syntax);
        load_imports(elaborator, file, depth);
    }
    elaborator->files.items[file].loading = false;
}

static const char *real_path(hbg_elaborator *elaborator, const char *path) {
    char resolved[PATH_MAX];
    const char *real = realpath(path, resolved) ? resolved : path;
    return hbg_base_arena_copy(elaborator->arena, real, strlen(real));
}

static int32_t find_loaded(const hbg_elaborator *elaborator, const char *real) {
    for (int32_t i = 0; i < elaborator->files.count; i++)
        if (strcmp(elaborator->files.items[i].real, real) == 0) return i;
    return HBG_NONE;
}

/* `examples/buck` is meant to be `examples/buck/buck.hbg`, and `buck` to be `buck.hbg`. */
static void report_unread(hbg_elaborator *elaborator, const char *path, hbg_span from, const char *reason) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_FILE, from, "cannot read `%s`: %s", path, reason);
    int size = (int)strlen(path);
    while (size > 1 && path[size - 1] == '/') size--;
    int first = size;
    while (first > 0 && path[first - 1] != '/') first--;
    const char *meant[] = {
        hbg_base_arena_print(elaborator->arena, "%.*s.hbg", size, path),
        hbg_base_arena_print(elaborator->arena, "%.*s/%.*s.hbg", size, path, size - first, path + first)};
    for (int i = 0; i < 2; i++) {
        if (access(meant[i], R_OK) != 0) continue;
        hbg_base_report_fix(diagnostics, report, "did you mean `%s`?", meant[i]);
        return;
    }
}

static void load_path(hbg_elaborator *elaborator, const char *path, hbg_span from, int depth) {
    hbg_lang *lang = elaborator->lang;
    const char *real = real_path(elaborator, path);
    int32_t loaded = find_loaded(elaborator, real);
    if (loaded != HBG_NONE) {
        if (!elaborator->files.items[loaded].loading) return;
        hbg_diagnostic *report =
            hbg_base_report(lang->diagnostics, HBG_E_IMPORT_CYCLE, from,
                            "`%s` is being read already: files import each other in a circle", path);
        hbg_base_report_fix(lang->diagnostics, report, "move what both need into a third file");
        return;
    }
    if (depth > IMPORT_DEPTH_LIMIT) {
        hbg_base_report(lang->diagnostics, HBG_E_NESTING, from, "imports are nested deeper than %d files",
                        IMPORT_DEPTH_LIMIT);
        return;
    }
    for (int32_t i = 0; i < lang->overlay_count; i++) {
        const hbg_lang_overlay *overlay = &lang->overlays[i];
        if (strcmp(overlay->real, real) != 0) continue;
        parse_text(elaborator, path, real, overlay->text, overlay->size, depth);
        return;
    }
    char *text;
    size_t size;
    const char *reason = "";
    if (hbg_base_file_read(elaborator->arena, path, HBG_LANG_FILE_LIMIT, &text, &size, &reason) != HBG_OK) {
        report_unread(elaborator, path, from, reason);
        return;
    }
    parse_text(elaborator, path, real, text, size, depth);
}

/* ---- imports ------------------------------------------------------------------------------------------ */

static const char *join(hbg_elaborator *elaborator, const char *folder, size_t folder_size,
                        const char *name) {
    if (folder_size == 0) return name;
    return hbg_base_arena_print(elaborator->arena, "%.*s/%s", (int)folder_size, folder, name);
}

/* Beside the importing file, then the search folders; NULL if it is nowhere. */
static const char *find_import(hbg_elaborator *elaborator, const char *importer, const char *name) {
    if (name[0] == '/') return access(name, F_OK) == 0 ? name : NULL;
    const char *slash = strrchr(importer, '/');
    const char *path = join(elaborator, importer, slash ? (size_t)(slash - importer) : 0, name);
    if (access(path, F_OK) == 0) return path;
    for (int i = 0; i < elaborator->lang->search_count; i++) {
        path = join(elaborator, elaborator->lang->search[i], strlen(elaborator->lang->search[i]), name);
        if (access(path, F_OK) == 0) return path;
    }
    return NULL;
}

enum { MOST_ENTRIES = 10000 }; /* names of a folder that are compared */

/* Nothing is allocated while the folder is open: running out of memory would leave it open. */
static void offer_files(const char *folder, hbg_nearest *nearest, char best[NAME_MAX + 1]) {
    DIR *entries = opendir(folder);
    struct dirent *entry;
    for (int i = 0; entries && i < MOST_ENTRIES && (entry = readdir(entries)) != NULL; i++) {
        size_t size = strlen(entry->d_name);
        if (size <= 4 || size > NAME_MAX || strcmp(entry->d_name + size - 4, ".hbg") != 0) continue;
        entry->d_name[size - 4] = '\0'; // an ending common to all makes no name similar
        hbg_base_nearest_offer(nearest, entry->d_name);
        if (nearest->best == entry->d_name) nearest->best = memcpy(best, entry->d_name, size - 3);
    }
    if (entries) closedir(entries);
}

/* A file beside the importing one or in the search folders with a similar name; without its ending. */
static const char *find_near(hbg_elaborator *elaborator, const char *importer, const char *name) {
    const char *slash = strrchr(importer, '/'), *dot = strrchr(name, '.');
    hbg_nearest nearest;
    if (strchr(name, '/')) return NULL;
    char *best = hbg_base_arena_alloc(elaborator->arena, NAME_MAX + 1);
    const char *own =
        slash ? hbg_base_arena_copy(elaborator->arena, importer, (size_t)(slash - importer) + 1) : ".";
    hbg_base_nearest_init(&nearest,
                          dot ? hbg_base_arena_copy(elaborator->arena, name, (size_t)(dot - name)) : name);
    offer_files(own, &nearest, best);
    for (int i = 0; i < elaborator->lang->search_count; i++)
        offer_files(elaborator->lang->search[i], &nearest, best);
    return nearest.best;
}

static void report_missing(hbg_elaborator *elaborator, const syntax_import *import, const char *importer) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_FILE, import->span,
                                             "there is no file `%s` to import", import->path);
    if (!hbg_base_report_wanted(diagnostics, HBG_ERROR)) return;
    hbg_buffer places;
    hbg_base_buffer_init(&places, elaborator->arena);
    hbg_base_buffer_print(&places, "looked beside `%s`", importer);
    for (int i = 0; i < elaborator->lang->search_count; i++)
        hbg_base_buffer_print(&places, ", in `%s`", elaborator->lang->search[i]);
    hbg_base_report_note(diagnostics, report, (hbg_span){0, 0}, "%s", places.data);
    const char *near = find_near(elaborator, importer, import->path);
    if (near) {
        hbg_base_report_fix(diagnostics, report, "did you mean `%s.hbg`?", near);
        hbg_base_report_edit(diagnostics, report, import->span, "\"%s.hbg\"", near);
    } else
        hbg_base_report_fix(diagnostics, report,
                            "correct the name, or say where it is: `-I FOLDER`, or HBG_PATH");
}

static void load_imports(hbg_elaborator *elaborator, int32_t file, int depth) {
    const char *importer = elaborator->files.items[file].path;
    const syntax_file *syntax = elaborator->files.items[file].syntax;
    for (int32_t i = 0; i < syntax->imports.count; i++) {
        const syntax_import *import = &syntax->imports.items[i];
        const char *path = find_import(elaborator, importer, import->path);
        if (path)
            load_path(elaborator, path, import->span, depth + 1);
        else
            report_missing(elaborator, import, importer);
    }
}

void hbg_lang_elaborate_load_file(hbg_elaborator *elaborator, const char *path) {
    load_path(elaborator, path, (hbg_span){0, 0}, 0);
}

void hbg_lang_elaborate_load_text(hbg_elaborator *elaborator, const char *path, const char *text,
                                  size_t size) {
    parse_text(elaborator, path, real_path(elaborator, path), text, size, 0);
}
