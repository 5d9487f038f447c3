/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: components of the search folders that a document could import, and the palette of
 * everything that can be added to a model. */
#include "lang/service_complete_impl.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FILES_LIMIT 200 /* of all folders */
#define NAMES_LIMIT 256 /* bytes of the name of a file */
#define FILE_LIMIT  ((size_t)1 << 20)

typedef struct {
    char names[FILES_LIMIT][NAMES_LIMIT];
    int count;
} folder_files;

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Nothing is allocated while the folder is open: running out of memory would leave it open. */
static void list_folder(const char *folder, folder_files *files) {
    files->count = 0;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && files->count < FILES_LIMIT && (entry = readdir(entries)) != NULL) {
        size_t size = strlen(entry->d_name);
        if (size <= 4 || size >= NAMES_LIMIT || strcmp(entry->d_name + size - 4, ".hbg") != 0) continue;
        memcpy(files->names[files->count++], entry->d_name, size + 1);
    }
    if (entries) closedir(entries);
    qsort(files->names, (size_t)files->count, sizeof files->names[0], by_name);
}

static bool is_loaded(const hbg_lang_reading *reading, const char *path) {
    char real[PATH_MAX];
    if (!realpath(path, real)) return true; // nothing to offer
    for (int32_t i = 0; i < reading->elaborator.files.count; i++)
        if (strcmp(reading->elaborator.files.items[i].real, real) == 0) return true;
    return false;
}

static void add_file(const hbg_lang_reading *reading, hbg_arena *arena, const char *path, const char *name,
                     service_library *items) {
    char *text;
    size_t size;
    const char *reason;
    if (is_loaded(reading, path) ||
        hbg_base_file_read(arena, path, FILE_LIMIT, &text, &size, &reason) != HBG_OK)
        return;
    const hbg_lang_reading *file = hbg_lang_reading_new(arena, reading->workspace, path, text, size, false);
    uint32_t end = file->source->base + file->source->size;
    for (int32_t i = 0; i < file->symbols.count; i++) {
        const service_symbol *symbol = &file->symbols.items[i];
        if (symbol->kind != HBG_SERVICE_COMPONENT || symbol->name == 0 || symbol->span.start > end) continue;
        if (hbg_lang_service_find(reading, HBG_NONE, hbg_lang_service_name_of(file, i)) != HBG_NONE) continue;
        service_library_item item = {file, i, hbg_base_arena_copy(arena, name, strlen(name))};
        HBG_PUSH(arena, *items, item);
    }
}

void hbg_lang_service_library(const hbg_lang_reading *reading, hbg_arena *arena, service_library *items) {
    folder_files *files = HBG_NEW(arena, folder_files);
    for (int i = 0; i < reading->workspace->search_count; i++) {
        const char *folder = reading->workspace->search[i];
        list_folder(folder, files);
        for (int k = 0; k < files->count; k++)
            add_file(reading, arena, hbg_base_arena_print(arena, "%s/%s", folder, files->names[k]),
                     files->names[k], items);
    }
}

hbg_service_edit hbg_lang_service_import(const hbg_lang_reading *reading, hbg_arena *arena,
                                         const char *file) {
    const syntax_file *syntax = reading->file;
    if (syntax->imports.count > 0) { // behind the others
        hbg_span last = syntax->imports.items[syntax->imports.count - 1].statement;
        return (hbg_service_edit){hbg_lang_service_place(reading, (hbg_span){last.end, last.end}),
                                  hbg_base_arena_print(arena, "\nimport \"%s\";", file)};
    }
    // before anything that is not a comment
    uint32_t at = syntax->tokens.count > 0 ? syntax->tokens.items[0].span.start
                                           : reading->source->base + reading->source->size;
    return (hbg_service_edit){hbg_lang_service_place(reading, (hbg_span){at, at}),
                              hbg_base_arena_print(arena, "import \"%s\";\n\n", file)};
}

/* ---- palette ------------------------------------------------------------------------------------------- */

void hbg_lang_service_palette(const hbg_lang_reading *reading, hbg_arena *arena, hbg_service_pieces *pieces) {
    HBG_VEC(hbg_service_piece) found = {0};
    for (int form = 0; form < HBG_KIND_COUNT; form++) {
        const hbg_element_info *info = hbg_model_element_info_get(form);
        const char *ports = info->ports == 0 ? "any number" : info->ports == 1 ? "1" : "1, 2";
        hbg_service_piece piece = {HBG_SERVICE_KIND, info->text, info->name, "", ports};
        HBG_PUSH(arena, found, piece);
    }
    hbg_service_piece sw = {HBG_SERVICE_KIND, "Sw", "switch", "", "any number"};
    HBG_PUSH(arena, found, sw);
    for (int32_t i = 0; i < reading->symbols.count; i++) {
        const service_symbol *symbol = &reading->symbols.items[i];
        if (symbol->kind != HBG_SERVICE_COMPONENT || symbol->name == 0) continue;
        const char *path = hbg_lang_service_place(reading, symbol->span).path, *slash = strrchr(path, '/');
        bool own = strcmp(path, reading->path) == 0;
        hbg_service_piece piece = {HBG_SERVICE_COMPONENT, hbg_lang_service_name_of(reading, i),
                                   hbg_lang_service_doc(reading, i),
                                   own     ? ""
                                   : slash ? slash + 1
                                           : path,
                                   hbg_lang_service_ports(reading, arena, i)};
        HBG_PUSH(arena, found, piece);
    }
    service_library library = {0};
    hbg_lang_service_library(reading, arena, &library);
    for (int32_t i = 0; i < library.count; i++) {
        const service_library_item *item = &library.items[i];
        hbg_service_piece piece = {HBG_SERVICE_COMPONENT,
                                   hbg_lang_service_name_of(item->reading, item->symbol),
                                   hbg_lang_service_doc(item->reading, item->symbol), item->file,
                                   hbg_lang_service_ports(item->reading, arena, item->symbol)};
        HBG_PUSH(arena, found, piece);
    }
    *pieces = (hbg_service_pieces){found.items, found.count};
}
