/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model structure: outputs, derivatives and initial unknowns are exactly those that follow from the variables. */
#include <stdlib.h>
#include <string.h>

#include "fmu/rules.h"

static const char *name_at(const fmu_description *d, int variable) {
    return variable >= 0 && d->variables[variable].name ? d->variables[variable].name : "?";
}

// what a list holds is exactly what is wanted; `maybe` marks what may be in it or not
static void check_list(const fmu_description *d, const fmu_list *list, const char *wanted, fmu_rule rule,
                       fmu_report *report) {
    char *seen = fmu_allocate((size_t)d->variable_count, 1);
    for (int i = 0; i < list->count; i++) {
        int variable = list->items[i].variable;
        if (variable < 0)
            fmu_violated(report, rule, "line %d names no variable", list->items[i].line);
        else if (seen[variable]++)
            fmu_violated(report, rule, "`%s` is listed twice", name_at(d, variable));
        else if (!wanted[variable])
            fmu_violated(report, rule, "`%s` is listed and should not be", name_at(d, variable));
    }
    for (int i = 0; i < d->variable_count; i++)
        if (wanted[i] == 1 && !seen[i]) fmu_violated(report, rule, "`%s` is not listed", name_at(d, i));
    free(seen);
}

static void check_dependencies(const fmu_description *d, const fmu_list *list, fmu_rule rule,
                               fmu_report *report) {
    for (int i = 0; i < list->count; i++) {
        const fmu_unknown *unknown = &list->items[i];
        if (unknown->kind_count >= 0 && unknown->kind_count != unknown->dependency_count)
            fmu_violated(report, rule, "`%s` has %d dependencies and %d kinds of them",
                         name_at(d, unknown->variable), unknown->dependency_count, unknown->kind_count);
        for (int k = 0; k < unknown->dependency_count; k++)
            if (unknown->dependencies[k] < 0)
                fmu_violated(report, rule, "`%s` depends on no variable", name_at(d, unknown->variable));
    }
}

// 1: has to be there; 2: may be there
static void want_initial(const fmu_description *d, char *wanted) {
    for (int i = 0; i < d->variable_count; i++) {
        const fmu_variable *v = &d->variables[i];
        bool unknown = v->initial == FMU_APPROX || v->initial == FMU_CALCULATED;
        if (v->clocked || v->type == FMU_CLOCK) continue;
        if ((v->causality == FMU_OUTPUT && unknown) || v->causality == FMU_CALCULATED_PARAMETER)
            wanted[i] = 1;
        if (v->derivative_of < 0) continue;
        fmu_initial state = d->variables[v->derivative_of].initial;
        char kind = d->exchange.there ? 1 : 2; // co-simulation alone need not show its states
        if (unknown && !wanted[i]) wanted[i] = kind;
        if ((state == FMU_APPROX || state == FMU_CALCULATED) && !wanted[v->derivative_of])
            wanted[v->derivative_of] = kind;
    }
    for (int i = 0; i < d->lists[FMU_CROSSINGS].count; i++) {
        int variable = d->lists[FMU_CROSSINGS].items[i].variable;
        if (variable >= 0 && !wanted[variable]) wanted[variable] = 2;
    }
}

static void check_order(const fmu_description *d, fmu_report *report) {
    const fmu_list *list = &d->lists[FMU_INITIALS];
    for (int i = 1; d->version == 2 && i < list->count; i++)
        if (list->items[i].variable < list->items[i - 1].variable)
            fmu_violated(report, FMU_INITIAL_UNKNOWNS, "`%s` is out of order",
                         name_at(d, list->items[i].variable));
}

void fmu_check_structure(const fmu_description *description, fmu_report *report) {
    const fmu_description *d = description;
    char *outputs = fmu_allocate((size_t)d->variable_count, 1),
         *rates = fmu_allocate((size_t)d->variable_count, 1),
         *initials = fmu_allocate((size_t)d->variable_count, 1);
    for (int i = 0; i < d->variable_count; i++) {
        outputs[i] = d->variables[i].causality == FMU_OUTPUT;
        rates[i] = d->variables[i].derivative_of == -1 ? 0 : d->exchange.there ? 1 : 2;
    }
    want_initial(d, initials);
    check_list(d, &d->lists[FMU_OUTPUTS], outputs, FMU_STRUCTURE, report);
    check_list(d, &d->lists[FMU_RATES], rates, FMU_STRUCTURE, report);
    check_list(d, &d->lists[FMU_INITIALS], initials, FMU_INITIAL_UNKNOWNS, report);
    check_order(d, report);
    for (int kind = 0; kind < FMU_LISTS; kind++)
        check_dependencies(d, &d->lists[kind], kind == FMU_INITIALS ? FMU_INITIAL_UNKNOWNS : FMU_STRUCTURE,
                           report);
    free(outputs);
    free(rates);
    free(initials);
}

static void check_interface(const fmu_interface *interface, const char *name, fmu_report *report) {
    if (!interface->there) return;
    if (!interface->identifier || !interface->identifier[0])
        fmu_violated(report, FMU_CAPABILITIES, "%s has no modelIdentifier", name);
    if (interface->serialized && !interface->states)
        fmu_violated(report, FMU_CAPABILITIES, "%s: a state that cannot be got cannot be serialized", name);
    if (interface->tool) fmu_violated(report, FMU_CAPABILITIES, "%s needs a tool", name);
    if (interface->once) fmu_violated(report, FMU_CAPABILITIES, "%s: one instance only", name);
}

void fmu_check_interfaces(const fmu_description *description, fmu_report *report) {
    const fmu_description *d = description;
    if (!d->token || !d->token[0])
        fmu_violated(report, FMU_CAPABILITIES, "there is no token to instantiate with");
    if (!d->model_name || !d->model_name[0]) fmu_violated(report, FMU_CAPABILITIES, "the model has no name");
    if (!d->exchange.there && !d->cosimulation.there)
        fmu_violated(report, FMU_CAPABILITIES, "neither model exchange nor co-simulation is offered");
    if (d->generation) { // 2026-01-31T12:00:00Z
        const char *at = d->generation;
        if (strlen(at) != 20 || at[4] != '-' || at[7] != '-' || at[10] != 'T' || at[13] != ':' ||
            at[16] != ':' || at[19] != 'Z')
            fmu_violated(report, FMU_SCHEMA, "generationDateAndTime=\"%s\" is no date and time in UTC", at);
    }
    check_interface(&d->exchange, "ModelExchange", report);
    check_interface(&d->cosimulation, "CoSimulation", report);
}
