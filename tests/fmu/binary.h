/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The binary of an FMU as a file: which names it shows and which libraries it needs. Rules 7 and 9. */
#ifndef TESTS_FMU_BINARY_H
#define TESTS_FMU_BINARY_H

#include "fmu/report.h"

// the functions of FMI VERSION are there and nothing else is visible; libc and libm are all it needs, and of a glibc that is not newer than
// 2.MINOR
void fmu_check_binary(const char *path, int version, int minor, fmu_report *report);

#endif
