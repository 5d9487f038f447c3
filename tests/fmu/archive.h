/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The archive an FMU is: names of its entries, and their contents unpacked. */
#ifndef TESTS_FMU_ARCHIVE_H
#define TESTS_FMU_ARCHIVE_H

#include <stdbool.h>

#include "fmu/report.h"

typedef struct {
    char *folder; // where it lies unpacked; removed by fini
    char **names; // of its files, without folders
    int count;
} fmu_archive;

// unpacks the file into a new folder; false: it is no archive that can be read
bool fmu_archive_init(fmu_archive *archive, const char *path, fmu_report *report);
void fmu_archive_fini(fmu_archive *archive);

// one of its files has this name
bool fmu_archive_has(const fmu_archive *archive, const char *name);

// what has to be in an FMU of this FMI version, and what must not
void fmu_archive_check(const fmu_archive *archive, int version, const char *identifier, fmu_report *report);

// binaries/PLATFORM/IDENTIFIER.so of this machine, in the folder; to be freed
char *fmu_archive_binary(const fmu_archive *archive, int version, const char *identifier);

// an archive of NAME=FILE pairs; false: it cannot be written
bool fmu_archive_pack(const char *path, int count, char *const *pairs);

#endif
