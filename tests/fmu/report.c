/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Findings go to the standard output, one line each; of a rule that fails in many places the first few are told. */
#include "fmu/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOLD = 5 };

static const char *word_of(fmu_rule rule) {
    switch (rule) {
#define FMU_RULE_CASE(number, name, word)                                                                    \
    case FMU_##name: return word;
        FMU_RULES(FMU_RULE_CASE)
#undef FMU_RULE_CASE
    }
    return "?";
}

void fmu_violated(fmu_report *report, fmu_rule rule, const char *format, ...) {
    if (report->skip >> rule & 1) return;
    report->repeated = report->last == (int)rule ? report->repeated + 1 : 0;
    report->last = (int)rule;
    report->violations++;
    if (report->repeated == TOLD) printf("rule %d (%s): and more\n", (int)rule, word_of(rule));
    if (report->repeated >= TOLD) return;
    va_list arguments;
    va_start(arguments, format);
    printf("rule %d (%s): ", (int)rule, word_of(rule));
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    fflush(stdout); // what follows may crash
}

void fmu_skipped(fmu_rule rule, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("skipped rule %d (%s): ", (int)rule, word_of(rule));
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

void *fmu_allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("importer: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

char *fmu_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        fputs("importer: out of memory\n", stderr);
        exit(2);
    }
    va_end(arguments);
    return text;
}
