/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What an FMU violates: each finding names a rule by number and by a word. The first fifteen are the things importers stumble over. */
#ifndef TESTS_FMU_REPORT_H
#define TESTS_FMU_REPORT_H

#include <stddef.h>

// X(NUMBER, NAME, WORD)
#define FMU_RULES(X)                                                                                         \
    X(1, SCHEMA, "schema")                                                                                   \
    X(2, INITIAL_UNKNOWNS, "initial unknowns")                                                               \
    X(3, STRUCTURE, "model structure")                                                                       \
    X(4, VARIABLES, "variables")                                                                             \
    X(5, UNITS, "units")                                                                                     \
    X(6, NAMES, "names")                                                                                     \
    X(7, FUNCTIONS, "functions")                                                                             \
    X(8, SOURCES, "sources")                                                                                 \
    X(9, LIBRARIES, "libraries")                                                                             \
    X(10, INSTANCES, "instances")                                                                            \
    X(11, RESOURCES, "resources")                                                                            \
    X(12, INDICATORS, "indicators")                                                                          \
    X(13, CHANGED, "changed flag")                                                                           \
    X(14, STATES, "saved states")                                                                            \
    X(15, POINTS, "communication points")                                                                    \
    X(16, ARCHIVE, "archive")                                                                                \
    X(17, MACHINE, "state machine")                                                                          \
    X(18, PURITY, "purity")                                                                                  \
    X(19, CAPABILITIES, "capabilities")                                                                      \
    X(20, MEMORY, "memory")                                                                                  \
    X(21, DERIVATIVES, "directional derivatives")                                                            \
    X(22, RESET, "reset")                                                                                    \
    X(23, PARAMETERS, "parameters")                                                                          \
    X(24, AGREEMENT, "agreement")

#define FMU_RULE_NAME(number, name, word) FMU_##name = number,
typedef enum { FMU_RULES(FMU_RULE_NAME) } fmu_rule;
#undef FMU_RULE_NAME

typedef struct {
    int violations;
    int repeated;       // violations of the same rule in a row; only the first ones are printed
    int last;           // the rule of the last one
    unsigned long skip; // bit n: rule n is not reported
} fmu_report;

// reports that a rule is violated, in the words of printf
void fmu_violated(fmu_report *report, fmu_rule rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// says what was not looked at, and why
void fmu_skipped(fmu_rule rule, const char *format, ...) __attribute__((format(printf, 2, 3)));

// memory that is there, or the program ends
void *fmu_allocate(size_t count, size_t size);
char *fmu_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
