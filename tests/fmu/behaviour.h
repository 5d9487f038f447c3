/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What an FMU does, checked by doing it. */
#ifndef TESTS_FMU_BEHAVIOUR_H
#define TESTS_FMU_BEHAVIOUR_H

#include "fmu/archive.h"
#include "fmu/course.h"

typedef struct {
    const fmu_library *library;
    const fmu_description *description;
    const fmu_archive *archive;
    fmu_report *report;
    fmu_plan plan;
    char *resources; // as this version wants it
} fmu_subject;

// at a point of continuous time, with what a step towards `limit` would pass: purity, continuity of indicators, dependencies,
// directional derivatives. Points are chosen so that long runs stay short.
void fmu_check_point(fmu_course *course, double limit);

void fmu_check_machine(const fmu_subject *subject);      // calls out of place are refused
void fmu_check_runs(const fmu_subject *subject);         // all ways of running end, and near each other
void fmu_check_instances(const fmu_subject *subject);    // side by side, in threads
void fmu_check_resources(const fmu_subject *subject);    // locations of any form
void fmu_check_parameters(const fmu_subject *subject);   // before and during initialisation
void fmu_check_saved_states(const fmu_subject *subject); // got, set, serialized, in another process
void fmu_check_reset(const fmu_subject *subject);

// writes a state in the middle of a run to a file; what follows goes to the standard output, as exact numbers
int fmu_save(const fmu_subject *subject, bool exchange, const char *file);
// the same rows from that file, by another process
int fmu_continue(const fmu_subject *subject, const char *file);

// 0, 1: interfaces that are offered; settings for one of them
bool fmu_offers(const fmu_subject *subject, bool exchange);
fmu_settings fmu_usual(const fmu_subject *subject, bool exchange);

#endif
