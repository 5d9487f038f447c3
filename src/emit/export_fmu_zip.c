/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files as a zip archive, by libzip. Times and attributes are fixed, so that the same files give the same bytes anywhere. */
#include <string.h>
#include <zip.h>

#include "emit/emit.h"

enum { FIRST_DAY = (1 << 5) | 1 }; /* 1980-01-01, the earliest a zip can tell */

static bool add(zip_t *archive, const hbg_emit_file *file) {
    zip_source_t *source = zip_source_buffer(archive, file->text, file->size, 0);
    if (!source) return false;
    zip_int64_t index = zip_file_add(archive, file->name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) zip_source_free(source);
    return index >= 0 && zip_file_set_dostime(archive, (zip_uint64_t)index, 0, FIRST_DAY, 0) == 0 &&
           zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_DEFLATE, 9) == 0 &&
           zip_file_set_external_attributes(archive, (zip_uint64_t)index, 0, ZIP_OPSYS_UNIX,
                                            0100644u << 16) == 0;
}

/* What was written into memory. */
static hbg_status read_back(hbg_arena *arena, zip_source_t *target, const char **bytes, size_t *size) {
    zip_stat_t found;
    if (zip_source_stat(target, &found) != 0 || zip_source_open(target) != 0) return HBG_CANNOT_WRITE;
    char *made = HBG_NEW_ARRAY(arena, char, found.size + 1);
    zip_int64_t count = zip_source_read(target, made, found.size);
    (void)zip_source_close(target);
    *bytes = made;
    *size = (size_t)found.size;
    return count >= 0 && (zip_uint64_t)count == found.size ? HBG_OK : HBG_CANNOT_WRITE;
}

hbg_status hbg_emit_zip(hbg_arena *arena, const hbg_emit_files *files, const char **bytes, size_t *size,
                        const char **reason) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *target = zip_source_buffer_create(NULL, 0, 0, &error);
    *reason = "there is not enough memory for the archive";
    if (!target) return HBG_NO_MEMORY;
    zip_source_keep(target);
    zip_t *archive = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error);
    bool done = archive != NULL;
    for (int32_t i = 0; i < files->count && done; i++) done = add(archive, &files->items[i]);
    if (archive && (!done || zip_close(archive) != 0)) {
        zip_discard(archive);
        done = false;
    }
    hbg_status status = done ? read_back(arena, target, bytes, size) : HBG_CANNOT_WRITE;
    zip_source_free(target);
    zip_error_fini(&error);
    if (status != HBG_OK) *reason = "the archive cannot be made";
    return status;
}
