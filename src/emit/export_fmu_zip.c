/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files as a zip archive, by libzip. Times and attributes are fixed, so the same files give the same bytes
 * everywhere. */
#include <string.h>
#include <zip.h>

#include "emit/emit.h"

#define ZIP_LIST(X)                                                                                          \
    X(zip_close)                                                                                             \
    X(zip_discard)                                                                                           \
    X(zip_error_fini)                                                                                        \
    X(zip_error_init)                                                                                        \
    X(zip_file_add)                                                                                          \
    X(zip_file_set_dostime)                                                                                  \
    X(zip_file_set_external_attributes)                                                                      \
    X(zip_open_from_source)                                                                                  \
    X(zip_set_file_compression)                                                                              \
    X(zip_source_buffer)                                                                                     \
    X(zip_source_buffer_create)                                                                              \
    X(zip_source_close)                                                                                      \
    X(zip_source_free)                                                                                       \
    X(zip_source_keep)                                                                                       \
    X(zip_source_open)                                                                                       \
    X(zip_source_read)                                                                                       \
    X(zip_source_stat)

typedef struct {
    ZIP_LIST(HBG_LIBRARY_POINTER)
} zip_functions; /* of the library, which is loaded when an archive is made */

enum {
    FIRST_DAY = (1 << 5) | 1, /* 1980-01-01, the earliest date of a zip */
    EFFORT = 6                /* of 1 to 9: twice the time of this makes an archive smaller by a 250th */
};

static bool add(const zip_functions *zip, zip_t *archive, const hbg_emit_file *file) {
    zip_source_t *source = zip->zip_source_buffer(archive, file->text, file->size, 0);
    if (!source) return false;
    zip_int64_t index = zip->zip_file_add(archive, file->name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) zip->zip_source_free(source);
    return index >= 0 && zip->zip_file_set_dostime(archive, (zip_uint64_t)index, 0, FIRST_DAY, 0) == 0 &&
           zip->zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_DEFLATE, EFFORT) == 0 &&
           zip->zip_file_set_external_attributes(archive, (zip_uint64_t)index, 0, ZIP_OPSYS_UNIX,
                                                 0100644u << 16) == 0;
}

/* Reads back what was written into memory. */
static hbg_status read_back(const zip_functions *zip, hbg_arena *arena, zip_source_t *target,
                            const char **bytes, size_t *size) {
    zip_stat_t found;
    if (zip->zip_source_stat(target, &found) != 0 || zip->zip_source_open(target) != 0)
        return HBG_CANNOT_WRITE;
    char *made = HBG_NEW_ARRAY(arena, char, found.size + 1);
    zip_int64_t count = zip->zip_source_read(target, made, found.size);
    (void)zip->zip_source_close(target);
    *bytes = made;
    *size = (size_t)found.size;
    return count >= 0 && (zip_uint64_t)count == found.size ? HBG_OK : HBG_CANNOT_WRITE;
}

static hbg_status pack(const zip_functions *zip, hbg_arena *arena, const hbg_emit_files *files,
                       const char **bytes, size_t *size, const char **reason) {
    zip_error_t error;
    zip->zip_error_init(&error);
    zip_source_t *target = zip->zip_source_buffer_create(NULL, 0, 0, &error);
    *reason = "there is not enough memory for the archive";
    if (!target) return HBG_NO_MEMORY;
    zip->zip_source_keep(target);
    zip_t *archive = zip->zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error);
    bool done = archive != NULL;
    for (int32_t i = 0; i < files->count && done; i++) done = add(zip, archive, &files->items[i]);
    if (archive && (!done || zip->zip_close(archive) != 0)) {
        zip->zip_discard(archive);
        done = false;
    }
    hbg_status status = done ? read_back(zip, arena, target, bytes, size) : HBG_CANNOT_WRITE;
    zip->zip_source_free(target);
    zip->zip_error_fini(&error);
    if (status != HBG_OK) *reason = "the archive cannot be made";
    return status;
}

hbg_status hbg_emit_zip(hbg_arena *arena, const hbg_emit_files *files, const char **bytes, size_t *size,
                        const char **reason) {
    static const char *const names[] = {ZIP_LIST(HBG_LIBRARY_NAME)};
    static const hbg_base_library library = {.file = HBG_LIBRARY_zip,
                                             .package = "libzip-dev",
                                             .names = names,
                                             .count = sizeof names / sizeof *names};
    zip_functions zip;
    if (!hbg_base_library_load(arena, &library, &zip, reason)) return HBG_CANNOT_WRITE;
    return pack(&zip, arena, files, bytes, size, reason);
}
