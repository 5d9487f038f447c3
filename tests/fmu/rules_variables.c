/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality, variability, initial and start of each variable, by the tables of the specification. */
#include <stdlib.h>
#include <string.h>

#include "fmu/rules.h"

#define BIT(x) (1u << (x))

// which variabilities a causality allows
static unsigned allowed_variabilities(fmu_causality causality) {
    switch (causality) {
    case FMU_PARAMETER:
    case FMU_CALCULATED_PARAMETER:
    case FMU_STRUCTURAL: return BIT(FMU_FIXED) | BIT(FMU_TUNABLE);
    case FMU_INPUT: return BIT(FMU_DISCRETE) | BIT(FMU_CONTINUOUS);
    case FMU_OUTPUT: return BIT(FMU_CONSTANT) | BIT(FMU_DISCRETE) | BIT(FMU_CONTINUOUS);
    case FMU_LOCAL: return BIT(FMU_NO_VARIABILITY) - 1;
    case FMU_INDEPENDENT: return BIT(FMU_CONTINUOUS);
    default: return 0;
    }
}

static unsigned allowed_initials(const fmu_variable *v, int version) {
    bool settled = v->variability == FMU_FIXED || v->variability == FMU_TUNABLE;
    switch (v->causality) {
    case FMU_PARAMETER:
    case FMU_STRUCTURAL: return BIT(FMU_EXACT);
    case FMU_CALCULATED_PARAMETER: return BIT(FMU_APPROX) | BIT(FMU_CALCULATED);
    case FMU_INPUT: return version == 3 ? BIT(FMU_EXACT) | BIT(FMU_NO_INITIAL) : BIT(FMU_NO_INITIAL);
    case FMU_OUTPUT:
    case FMU_LOCAL:
        if (v->variability == FMU_CONSTANT) return BIT(FMU_EXACT);
        return BIT(FMU_APPROX) | BIT(FMU_CALCULATED) | (settled ? 0 : BIT(FMU_EXACT));
    default: return BIT(FMU_NO_INITIAL);
    }
}

static void check_kinds(const fmu_variable *v, int version, fmu_report *report) {
    bool real = v->type == FMU_REAL || v->type == FMU_FLOAT32;
    if (v->type == FMU_TYPE_COUNT) fmu_violated(report, FMU_VARIABLES, "`%s` has no known type", v->name);
    if (v->causality == FMU_NO_CAUSALITY || v->variability == FMU_NO_VARIABILITY) {
        fmu_violated(report, FMU_VARIABLES, "`%s`: unknown causality or variability", v->name);
        return;
    }
    if (!(allowed_variabilities(v->causality) & BIT(v->variability)))
        fmu_violated(report, FMU_VARIABLES, "`%s`: its variability does not go with its causality", v->name);
    else if (!(allowed_initials(v, version) & BIT(v->initial)) ||
             (v->initial == FMU_NO_INITIAL && v->initial_word))
        fmu_violated(report, FMU_VARIABLES, "`%s`: initial=\"%s\" is not allowed here", v->name,
                     v->initial_word ? v->initial_word : "");
    if (v->variability == FMU_CONTINUOUS && !real)
        fmu_violated(report, FMU_VARIABLES, "`%s` is continuous and no real number", v->name);
}

static bool is_number(const char *text) {
    char *end;
    (void)strtod(text, &end);
    return end != text && *end == '\0';
}

static const fmu_type_definition *type_named(const fmu_description *d, const char *name) {
    for (int i = 0; name && i < d->type_count; i++)
        if (d->types[i].name && strcmp(d->types[i].name, name) == 0) return &d->types[i];
    return NULL;
}

static void check_start_value(const fmu_description *d, const fmu_variable *v, fmu_report *report) {
    if (v->type == FMU_STRING || v->type == FMU_BINARY || v->array) return;
    if (v->type == FMU_BOOLEAN) {
        const char *s = v->start;
        if (strcmp(s, "true") && strcmp(s, "false") && strcmp(s, "0") && strcmp(s, "1"))
            fmu_violated(report, FMU_VARIABLES, "`%s`: start=\"%s\" is no boolean", v->name, s);
        return;
    }
    double start = strtod(v->start, NULL);
    if (!is_number(v->start))
        fmu_violated(report, FMU_VARIABLES, "`%s`: start=\"%s\" is no number", v->name, v->start);
    else if ((v->min && start < strtod(v->min, NULL)) || (v->max && start > strtod(v->max, NULL)))
        fmu_violated(report, FMU_VARIABLES, "`%s`: start=\"%s\" is out of its range", v->name, v->start);
    const fmu_type_definition *type = type_named(d, v->declared_type);
    if (v->type == FMU_ENUMERATION && type && ((long)start < type->item_min || (long)start > type->item_max))
        fmu_violated(report, FMU_VARIABLES, "`%s`: start=\"%s\" is no item of `%s`", v->name, v->start,
                     type->name);
}

static void check_start(const fmu_description *d, const fmu_variable *v, fmu_report *report) {
    bool needed = v->initial == FMU_EXACT || v->initial == FMU_APPROX || v->causality == FMU_INPUT;
    bool refused = v->initial == FMU_CALCULATED || v->causality == FMU_INDEPENDENT;
    if (v->type == FMU_CLOCK) return;
    if (needed && !v->start) fmu_violated(report, FMU_VARIABLES, "`%s` needs a start value", v->name);
    if (refused && v->start) fmu_violated(report, FMU_VARIABLES, "`%s` must not have a start value", v->name);
    if (v->start) check_start_value(d, v, report);
}

static void check_type(const fmu_description *d, const fmu_variable *v, fmu_report *report) {
    const fmu_type_definition *type = type_named(d, v->declared_type);
    if (v->declared_type && !type)
        fmu_violated(report, FMU_VARIABLES, "`%s`: there is no type `%s`", v->name, v->declared_type);
    else if (type && type->type != v->type)
        fmu_violated(report, FMU_VARIABLES, "`%s`: the type `%s` is of another kind", v->name, type->name);
    else if (v->type == FMU_ENUMERATION && (!type || type->items == 0))
        fmu_violated(report, FMU_VARIABLES, "`%s`: an enumeration needs a declared type with items", v->name);
}

static void check_derivative(const fmu_description *d, const fmu_variable *v, fmu_report *report) {
    if (v->derivative_of == -1) return;
    if (v->derivative_of < 0) {
        fmu_violated(report, FMU_VARIABLES, "`%s` is the derivative of no variable", v->name);
        return;
    }
    const fmu_variable *state = &d->variables[v->derivative_of];
    if (v->variability != FMU_CONTINUOUS || state->variability != FMU_CONTINUOUS || state == v)
        fmu_violated(report, FMU_VARIABLES, "`%s` is no derivative of `%s`: both have to be continuous",
                     v->name, state->name);
}

static bool is_state(const fmu_description *d, int variable) {
    for (int i = 0; i < d->variable_count; i++)
        if (d->variables[i].derivative_of == variable) return true;
    return false;
}

static bool same_values(fmu_type a, fmu_type b) {
    return a == b ||
           (a <= FMU_ENUMERATION && b <= FMU_ENUMERATION && (a == FMU_INTEGER || a == FMU_ENUMERATION) &&
            (b == FMU_INTEGER || b == FMU_ENUMERATION));
}

// FMI 3: a reference is one variable. FMI 2: those of one reference and type are aliases, of which only one may be set.
static void check_references(const fmu_description *d, fmu_report *report) {
    for (int i = 0; i < d->variable_count; i++) {
        const fmu_variable *a = &d->variables[i];
        int first = fmu_find_reference(d, a->reference);
        if (d->version == 3 && first != i)
            fmu_violated(report, FMU_VARIABLES, "`%s` and `%s` have one value reference", a->name,
                         d->variables[first].name);
        for (int k = 0; d->version == 2 && k < i; k++) {
            const fmu_variable *b = &d->variables[k];
            if (a->reference != b->reference || !same_values(a->type, b->type)) continue;
            bool both = a->start && b->start && a->variability != FMU_CONSTANT;
            if (both || a->causality == FMU_INPUT || a->causality == FMU_PARAMETER)
                fmu_violated(report, FMU_VARIABLES, "the aliases `%s` and `%s` can both be set", b->name,
                             a->name);
        }
    }
}

void fmu_check_variables(const fmu_description *description, fmu_report *report) {
    int independent = 0;
    for (int i = 0; i < description->variable_count; i++) {
        const fmu_variable *v = &description->variables[i];
        if (!v->name || !v->name[0]) {
            fmu_violated(report, FMU_VARIABLES, "the variable of line %d has no name", v->line);
            continue;
        }
        check_kinds(v, description->version, report);
        check_start(description, v, report);
        check_type(description, v, report);
        check_derivative(description, v, report);
        if (v->reinit && (!description->exchange.there || !is_state(description, i)))
            fmu_violated(report, FMU_VARIABLES, "`%s` is marked reinit and is no state", v->name);
        independent += v->causality == FMU_INDEPENDENT;
    }
    if (independent != 1)
        fmu_violated(report, FMU_STRUCTURE, "there are %d independent variables, not one", independent);
    check_references(description, report);
}
