/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Unpacks an FMU with libzip. Entries have relative paths with forward slashes, each once, stored or deflated: other compressions are not
 * allowed in FMUs. */
#include "fmu/archive.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

static bool plain_path(const char *name) {
    return name[0] && name[0] != '/' && !strchr(name, '\\') && strncmp(name, "../", 3) != 0 &&
           !strstr(name, "/../") && !strchr(name, ':');
}

// makes the folders above a file
static void make_folders(char *path, size_t from) {
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
}

// what a run takes; of the rest only the names are looked at, and the sums of the bytes
static bool is_taken(const char *name) {
    return strncmp(name, "sources/", strlen("sources/")) != 0 &&
           strncmp(name, "documentation/", strlen("documentation/")) != 0;
}

static bool write_entry(zip_t *zip, zip_uint64_t index, const char *path) {
    char block[65536];
    zip_file_t *in = zip_fopen_index(zip, index, 0);
    FILE *out = in ? fopen(path, "wb") : NULL;
    zip_int64_t got = -1;
    while (out && (got = zip_fread(in, block, sizeof block)) > 0)
        if (fwrite(block, 1, (size_t)got, out) != (size_t)got) break;
    bool whole = out && got == 0;
    if (out && fclose(out) != 0) whole = false;
    if (in && zip_fclose(in) != 0) whole = false; // the sum of its bytes is wrong
    return whole;
}

static void unpack(fmu_archive *archive, zip_t *zip, zip_uint64_t index, fmu_report *report) {
    zip_stat_t about;
    if (zip_stat_index(zip, index, 0, &about) != 0) {
        fmu_violated(report, FMU_ARCHIVE, "entry %d cannot be read", (int)index);
        return;
    }
    if (!plain_path(about.name)) {
        fmu_violated(report, FMU_ARCHIVE, "the path `%s` is not plain and relative", about.name);
        return;
    }
    if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE)
        fmu_violated(report, FMU_ARCHIVE, "`%s` is compressed by method %d", about.name, about.comp_method);
    if (fmu_archive_has(archive, about.name))
        fmu_violated(report, FMU_ARCHIVE, "`%s` is there twice", about.name);
    char *path =
        is_taken(about.name) ? fmu_format("%s/%s", archive->folder, about.name) : fmu_format("/dev/null");
    if (is_taken(about.name)) make_folders(path, strlen(archive->folder) + 1);
    if (about.name[strlen(about.name) - 1] != '/') {
        if (!write_entry(zip, index, path)) fmu_violated(report, FMU_ARCHIVE, "`%s` is damaged", about.name);
        archive->names[archive->count++] = fmu_format("%s", about.name);
    }
    free(path);
}

bool fmu_archive_init(fmu_archive *archive, const char *path, fmu_report *report) {
    memset(archive, 0, sizeof *archive);
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
    if (!zip) {
        fmu_violated(report, FMU_ARCHIVE, "%s is not a sound zip archive (libzip: %d)", path, code);
        return false;
    }
    archive->folder = fmu_format("fmu.XXXXXX");
    if (!mkdtemp(archive->folder)) {
        fputs("importer: no folder can be made here\n", stderr);
        exit(2);
    }
    zip_int64_t count = zip_get_num_entries(zip, 0);
    archive->names = fmu_allocate((size_t)count, sizeof *archive->names);
    for (zip_int64_t i = 0; i < count; i++) unpack(archive, zip, (zip_uint64_t)i, report);
    zip_discard(zip);
    return true;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk) {
    (void)about, (void)kind, (void)walk;
    return remove(path);
}

void fmu_archive_fini(fmu_archive *archive) {
    if (archive->folder) (void)nftw(archive->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    for (int i = 0; i < archive->count; i++) free(archive->names[i]);
    free(archive->names);
    free(archive->folder);
}

bool fmu_archive_has(const fmu_archive *archive, const char *name) {
    for (int i = 0; i < archive->count; i++)
        if (strcmp(archive->names[i], name) == 0) return true;
    return false;
}

char *fmu_archive_binary(const fmu_archive *archive, int version, const char *identifier) {
    const char *platform = version == 2 ? "linux64" : "x86_64-linux";
    return fmu_format("%s/binaries/%s/%s.so", archive->folder, platform, identifier);
}

void fmu_archive_check(const fmu_archive *archive, int version, const char *identifier, fmu_report *report) {
    static const char *const tops[] = {"binaries",  "documentation", "extra",
                                       "resources", "sources",       "terminalsAndIcons"};
    char *binary = fmu_archive_binary(archive, version, identifier);
    const char *inside = binary + strlen(archive->folder) + 1;
    if (!fmu_archive_has(archive, inside))
        fmu_violated(report, FMU_ARCHIVE, "there is no `%s`: the binary has the name of modelIdentifier",
                     inside);
    free(binary);
    for (int i = 0; i < archive->count; i++) {
        const char *name = archive->names[i], *slash = strchr(name, '/');
        bool known = !slash && (strcmp(name, "modelDescription.xml") == 0 ||
                                (version == 2 && strcmp(name, "model.png") == 0));
        for (size_t k = 0; slash && k < sizeof tops / sizeof *tops; k++)
            known = known || (strncmp(name, tops[k], (size_t)(slash - name)) == 0 && !tops[k][slash - name]);
        if (!known) fmu_violated(report, FMU_ARCHIVE, "`%s` has no place in an FMU", name);
    }
}
