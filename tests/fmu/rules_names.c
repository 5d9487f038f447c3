/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names and units: names are unique and of the structured grammar, ports have no dots, every unit is defined. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/rules.h"

static const char *skip_digits(const char *at) {
    while (isdigit((unsigned char)*at)) at++;
    return at;
}

// B-name or 'quoted name'; NULL: neither
static const char *skip_word(const char *at) {
    if (*at == '\'') {
        for (at++; *at && *at != '\''; at++)
            if (*at == '\\' && !*++at) return NULL;
        return *at ? at + 1 : NULL;
    }
    if (!isalpha((unsigned char)*at) && *at != '_') return NULL;
    while (isalnum((unsigned char)*at) || *at == '_') at++;
    return at;
}

// [3,4]; NULL: not closed
static const char *skip_indices(const char *at) {
    if (*at != '[') return at;
    do {
        const char *end = skip_digits(at + 1);
        if (end == at + 1) return NULL;
        at = end;
    } while (*at == ',');
    return *at == ']' ? at + 1 : NULL;
}

static const char *skip_identifier(const char *at) {
    for (;;) {
        at = skip_word(at);
        if (at) at = skip_indices(at);
        if (!at || *at != '.') return at;
        at++;
    }
}

static bool structured(const char *name) {
    if (strncmp(name, "der(", 4) != 0) {
        const char *end = skip_identifier(name);
        return end && *end == '\0';
    }
    const char *end = skip_identifier(name + 4);
    if (end && *end == ',') end = skip_digits(end + 1);
    return end && strcmp(end, ")") == 0;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_unique(const fmu_description *d, fmu_report *report) {
    const char **names = fmu_allocate((size_t)d->variable_count, sizeof *names);
    int count = 0;
    for (int i = 0; i < d->variable_count; i++)
        if (d->variables[i].name) names[count++] = d->variables[i].name;
    qsort(names, (size_t)count, sizeof *names, by_text);
    for (int i = 1; i < count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            fmu_violated(report, FMU_NAMES, "the name `%s` is there twice", names[i]);
    free(names);
}

void fmu_check_names(const fmu_description *description, fmu_report *report) {
    bool by_grammar = description->naming && strcmp(description->naming, "structured") == 0;
    check_unique(description, report);
    for (int i = 0; i < description->variable_count; i++) {
        const fmu_variable *v = &description->variables[i];
        bool port = v->causality == FMU_INPUT || v->causality == FMU_OUTPUT;
        if (!v->name) continue;
        if (port && strchr(v->name, '.'))
            fmu_violated(report, FMU_NAMES, "the port `%s` has a dot: some importers make a bus of it",
                         v->name);
        if (by_grammar && !structured(v->name))
            fmu_violated(report, FMU_NAMES, "`%s` is not of the structured naming convention", v->name);
    }
}

static const fmu_unit_definition *unit_named(const fmu_description *d, const char *name) {
    for (int i = 0; i < d->unit_count; i++)
        if (d->units[i].name && strcmp(d->units[i].name, name) == 0) return &d->units[i];
    return NULL;
}

static const char *unit_of(const fmu_description *d, const fmu_variable *v) {
    for (int i = 0; !v->unit && v->declared_type && i < d->type_count; i++)
        if (d->types[i].name && strcmp(d->types[i].name, v->declared_type) == 0) return d->types[i].unit;
    return v->unit;
}

static void check_display(const fmu_variable *v, const fmu_unit_definition *unit, fmu_report *report) {
    if (!v->display_unit) return;
    for (int i = 0; unit && i < unit->display_count; i++)
        if (unit->displays[i] && strcmp(unit->displays[i], v->display_unit) == 0) return;
    fmu_violated(report, FMU_UNITS, "`%s`: the display unit `%s` is not defined for its unit", v->name,
                 v->display_unit);
}

void fmu_check_units(const fmu_description *description, fmu_report *report) {
    for (int i = 0; i < description->unit_count; i++) {
        const fmu_unit_definition *unit = &description->units[i];
        if (!unit->name || unit_named(description, unit->name) != unit)
            fmu_violated(report, FMU_UNITS, "the unit `%s` is defined twice", unit->name ? unit->name : "");
        if (!unit->has_base)
            fmu_violated(report, FMU_UNITS, "the unit `%s` has no base units", unit->name ? unit->name : "");
    }
    for (int i = 0; i < description->type_count; i++)
        if (description->types[i].unit && !unit_named(description, description->types[i].unit))
            fmu_violated(report, FMU_UNITS, "the unit `%s` of the type `%s` is not defined",
                         description->types[i].unit, description->types[i].name);
    for (int i = 0; i < description->variable_count; i++) {
        const fmu_variable *v = &description->variables[i];
        const char *name = unit_of(description, v);
        const fmu_unit_definition *unit = name ? unit_named(description, name) : NULL;
        if (name && !unit)
            fmu_violated(report, FMU_UNITS, "`%s`: the unit `%s` is not defined", v->name, name);
        check_display(v, unit, report);
    }
}
