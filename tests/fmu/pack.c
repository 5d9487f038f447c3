/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Makes an archive of files under any names, also ones no FMU may have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zip.h>

#include "fmu/archive.h"

bool fmu_archive_pack(const char *path, int count, char *const *pairs) {
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    bool good = zip != NULL;
    for (int i = 0; good && i < count; i++) {
        const char *equals = strchr(pairs[i], '=');
        char *name = fmu_format("%.*s", (int)(equals ? equals - pairs[i] : 0), pairs[i]);
        zip_source_t *source = equals ? zip_source_file(zip, equals + 1, 0, -1) : NULL;
        good = source && zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8) >= 0;
        free(name);
    }
    return good && zip_close(zip) == 0;
}
