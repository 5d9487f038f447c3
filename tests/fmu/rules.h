/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a description has to say, and what it must not, beyond the schema: rules 2 to 6. */
#ifndef TESTS_FMU_RULES_H
#define TESTS_FMU_RULES_H

#include "fmu/description.h"

void fmu_check_variables(const fmu_description *description, fmu_report *report); // rule 4
void fmu_check_units(const fmu_description *description, fmu_report *report);     // rule 5
void fmu_check_names(const fmu_description *description, fmu_report *report);     // rule 6
void fmu_check_structure(const fmu_description *description, fmu_report *report); // rules 2 and 3
void fmu_check_interfaces(const fmu_description *description, fmu_report *report);

#endif
