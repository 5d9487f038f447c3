/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A component that no file read so far declares: which file of the search folders does. Needed only for a
 * message, so texts are searched without parsing. */
#include "lang/elaborate_impl.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FILES_LIMIT = 200, NAMES_LIMIT = 256 };
#define FILE_LIMIT ((size_t)1 << 20)

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

static size_t name_size(const char *text) {
    size_t size = 0;
    while (isalnum((unsigned char)text[size]) || text[size] == '_') size++;
    return size;
}

/* The name as it is declared, `component NAME` at the start of a line; NULL if it is not. */
static const char *find_declared(hbg_elaborator *elaborator, const char *text, const char *name) {
    static const char word[] = "component ";
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if (at > text && at[-1] != '\n') continue;
        const char *declared = at + strlen(word) + strspn(at + strlen(word), " ");
        size_t size = name_size(declared);
        if (size == strlen(name) && strncasecmp(declared, name, size) == 0)
            return hbg_base_arena_copy(elaborator->arena, declared, size);
    }
    return NULL;
}

bool hbg_lang_elaborate_find_component_file(hbg_elaborator *elaborator, const char *name,
                                            const char **declared, const char **file) {
    folder_files *files = HBG_NEW(elaborator->arena, folder_files);
    for (int i = 0; i < elaborator->lang->search_count; i++) {
        const char *folder = elaborator->lang->search[i], *reason;
        list_folder(folder, files);
        for (int k = 0; k < files->count; k++) {
            char *text;
            size_t size;
            const char *path = hbg_base_arena_print(elaborator->arena, "%s/%s", folder, files->names[k]);
            if (hbg_base_file_read(elaborator->arena, path, FILE_LIMIT, &text, &size, &reason) != HBG_OK)
                continue;
            *declared = find_declared(elaborator, text, name);
            *file = files->names[k];
            if (*declared) return true;
        }
    }
    return false;
}
