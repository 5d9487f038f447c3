/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads modelDescription.xml with libxml2. Words that are not legal are kept as such for the rules to report. */
#include "fmu/description.h"

#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

static bool is(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *child(const xmlNode *node, const char *name) {
    for (const xmlNode *at = node ? node->children : NULL; at; at = at->next)
        if (is(at, name)) return at;
    return NULL;
}

static int count_elements(const xmlNode *node) {
    int count = 0;
    for (const xmlNode *at = node ? node->children : NULL; at; at = at->next)
        count += at->type == XML_ELEMENT_NODE;
    return count;
}

static const char *text(fmu_description *d, const xmlNode *node, const char *name) {
    char *value = (char *)xmlGetProp(node, (const xmlChar *)name);
    if (!value) return NULL;
    if (d->text_count == d->text_room) {
        d->text_room = d->text_room ? 2 * d->text_room : 256;
        d->texts = realloc(d->texts, (size_t)d->text_room * sizeof *d->texts);
        if (!d->texts) exit(2);
    }
    return d->texts[d->text_count++] = value;
}

static bool truth(fmu_description *d, const xmlNode *node, const char *name) {
    const char *value = text(d, node, name);
    return value && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

static double number(fmu_description *d, const xmlNode *node, const char *name) {
    const char *value = text(d, node, name);
    return value ? strtod(value, NULL) : 0;
}

// the place of a word in a list, `absent` where there is none, the length of the list for a strange one
static int choice(const char *word, int absent, const char *const *words, int count) {
    if (!word) return absent;
    int at = 0;
    while (at < count && strcmp(word, words[at]) != 0) at++;
    return at;
}

static fmu_type type_of(const char *element, int version) {
#define FMU_TYPE_WORDS(name, two, three) {two, three},
    static const char *const words[][2] = {FMU_TYPES(FMU_TYPE_WORDS)};
#undef FMU_TYPE_WORDS
    for (int i = 0; i < FMU_TYPE_COUNT; i++) {
        const char *word = words[i][version - 2];
        if (word && strcmp(word, element) == 0) return (fmu_type)i;
    }
    return FMU_TYPE_COUNT;
}

static void read_interface(fmu_description *d, const xmlNode *root, const char *name, fmu_interface *into) {
    const xmlNode *node = child(root, name);
    if (!node) return;
    const char *small = d->version == 2 ? "state" : "State";
    char flag[64];
    into->there = true;
    into->identifier = text(d, node, "modelIdentifier");
    snprintf(flag, sizeof flag, "canGetAndSetFMU%s", small);
    into->states = truth(d, node, flag);
    snprintf(flag, sizeof flag, "canSerializeFMU%s", small);
    into->serialized = truth(d, node, flag);
    into->directional =
        truth(d, node, d->version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
    into->adjoint = truth(d, node, "providesAdjointDerivatives");
    into->variable_steps = truth(d, node, "canHandleVariableCommunicationStepSize");
    into->once = truth(d, node, "canBeInstantiatedOnlyOncePerProcess");
    into->tool = truth(d, node, "needsExecutionTool");
    into->event_mode = truth(d, node, "hasEventMode");
    into->intermediate = truth(d, node, "providesIntermediateUpdate");
    into->early = truth(d, node, "canReturnEarlyAfterIntermediateUpdate");
    into->may_early = truth(d, node, "mightReturnEarlyFromDoStep");
    into->no_memory = truth(d, node, "canNotUseMemoryManagementFunctions");
    into->step_not_needed =
        truth(d, node, d->version == 2 ? "completedIntegratorStepNotNeeded" : "needsCompletedIntegratorStep");
    if (d->version == 3)
        into->step_not_needed = !into->step_not_needed && text(d, node, "needsCompletedIntegratorStep");
    into->output_derivatives = (int)number(d, node, "maxOutputDerivativeOrder");
    into->fixed_step = number(d, node, "fixedInternalStepSize");
    const xmlNode *files = child(node, "SourceFiles");
    for (const xmlNode *at = files ? files->children : NULL; at; at = at->next)
        if (is(at, "File") && into->source_count < 512)
            into->sources[into->source_count++] = text(d, at, "name");
}

static void read_units(fmu_description *d, const xmlNode *node) {
    d->units = fmu_allocate((size_t)count_elements(node), sizeof *d->units);
    for (const xmlNode *at = node ? node->children : NULL; at; at = at->next) {
        if (!is(at, "Unit")) continue;
        fmu_unit_definition *unit = &d->units[d->unit_count++];
        unit->name = text(d, at, "name");
        unit->has_base = child(at, "BaseUnit") != NULL;
        for (const xmlNode *shown = at->children; shown; shown = shown->next)
            if (is(shown, "DisplayUnit") && unit->display_count < 16)
                unit->displays[unit->display_count++] = text(d, shown, "name");
    }
}

static void read_items(fmu_description *d, const xmlNode *node, fmu_type_definition *type) {
    for (const xmlNode *at = node->children; at; at = at->next) {
        if (!is(at, "Item")) continue;
        long value = (long)number(d, at, "value");
        if (type->items == 0 || value < type->item_min) type->item_min = value;
        if (type->items == 0 || value > type->item_max) type->item_max = value;
        type->items++;
    }
}

static void read_types(fmu_description *d, const xmlNode *node) {
    d->types = fmu_allocate((size_t)count_elements(node), sizeof *d->types);
    for (const xmlNode *at = node ? node->children : NULL; at; at = at->next) {
        if (at->type != XML_ELEMENT_NODE) continue;
        fmu_type_definition *type = &d->types[d->type_count++];
        type->name = text(d, at, "name");
        const xmlNode *inner = at;
        char element[32];
        snprintf(element, sizeof element, "%s", (const char *)at->name);
        if (d->version == 2) {
            for (inner = at->children; inner && inner->type != XML_ELEMENT_NODE;) inner = inner->next;
            if (!inner) continue;
            snprintf(element, sizeof element, "%s", (const char *)inner->name);
        } else if (strlen(element) > 4) {
            element[strlen(element) - 4] = '\0'; // Float64Type
        }
        type->type = type_of(element, d->version);
        type->unit = text(d, inner, "unit");
        read_items(d, inner, type);
    }
}

// the default of `initial` by causality and variability, and FMU_NO_INITIAL where it has to be left out
static fmu_initial default_initial(fmu_causality causality, fmu_variability variability) {
    switch (causality) {
    case FMU_PARAMETER:
    case FMU_STRUCTURAL: return FMU_EXACT;
    case FMU_CALCULATED_PARAMETER: return FMU_CALCULATED;
    case FMU_OUTPUT:
    case FMU_LOCAL: return variability == FMU_CONSTANT ? FMU_EXACT : FMU_CALCULATED;
    default: return FMU_NO_INITIAL;
    }
}

static void read_kinds(fmu_description *d, const xmlNode *at, fmu_variable *v) {
    static const char *const causalities[] = {
        "parameter", "calculatedParameter", "input", "output", "local", "independent", "structuralParameter"};
    static const char *const variabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
    static const char *const initials[] = {"exact", "approx", "calculated"};
    bool real = v->type == FMU_REAL || v->type == FMU_FLOAT32;
    v->causality = (fmu_causality)choice(text(d, at, "causality"), FMU_LOCAL, causalities, 7);
    int usual = real ? FMU_CONTINUOUS : FMU_DISCRETE;
    if (d->version == 3 && (v->causality <= FMU_CALCULATED_PARAMETER || v->causality == FMU_STRUCTURAL))
        usual = FMU_FIXED;
    v->variability = (fmu_variability)choice(text(d, at, "variability"), usual, variabilities, 5);
    v->initial_word = text(d, at, "initial");
    v->initial =
        (fmu_initial)choice(v->initial_word, (int)default_initial(v->causality, v->variability), initials, 3);
}

static void read_variable(fmu_description *d, const xmlNode *at) {
    fmu_variable *v = &d->variables[d->variable_count++];
    const xmlNode *inner = at;
    if (d->version == 2)
        for (inner = at->children; inner && type_of((const char *)inner->name, 2) == FMU_TYPE_COUNT;)
            inner = inner->next;
    v->line = (int)xmlGetLineNo(at);
    v->name = text(d, at, "name");
    v->reference = (unsigned)number(d, at, "valueReference");
    v->type = inner ? type_of((const char *)inner->name, d->version) : FMU_TYPE_COUNT;
    read_kinds(d, at, v);
    v->derivative_of = -1;
    if (!inner) return;
    v->start = text(d, inner, "start");
    const xmlNode *start = child(inner, "Start"); // strings and binaries of FMI 3
    if (!v->start && start) v->start = text(d, start, "value");
    v->unit = text(d, inner, "unit");
    v->display_unit = text(d, inner, "displayUnit");
    v->declared_type = text(d, inner, "declaredType");
    v->min = text(d, inner, "min");
    v->max = text(d, inner, "max");
    v->reinit = truth(d, inner, "reinit");
    v->array = child(inner, "Dimension") != NULL;
    v->clocked = text(d, inner, "clocks") != NULL;
    const char *derivative = text(d, inner, "derivative");
    if (derivative) v->derivative_of = -2 - (int)strtol(derivative, NULL, 10); // resolved when all are there
}

int fmu_find_name(const fmu_description *description, const char *name) {
    for (int i = 0; i < description->variable_count; i++)
        if (description->variables[i].name && strcmp(description->variables[i].name, name) == 0) return i;
    return -1;
}

int fmu_find_reference(const fmu_description *description, unsigned reference) {
    // often a variable's reference is its place
    if (reference < (unsigned)description->variable_count &&
        description->variables[reference].reference == reference)
        return (int)reference;
    for (int i = 0; i < description->variable_count; i++)
        if (description->variables[i].reference == reference) return i;
    return -1;
}

// FMI 2 counts variables from 1, FMI 3 names them by their references
static int variable_at(const fmu_description *d, long number) {
    if (d->version == 2) return number >= 1 && number <= d->variable_count ? (int)number - 1 : -1;
    return number < 0 ? -1 : fmu_find_reference(d, (unsigned)number);
}

static void read_variables(fmu_description *d, const xmlNode *node) {
    d->variables = fmu_allocate((size_t)count_elements(node), sizeof *d->variables);
    for (const xmlNode *at = node ? node->children : NULL; at; at = at->next)
        if (at->type == XML_ELEMENT_NODE) read_variable(d, at);
    for (int i = 0; i < d->variable_count; i++) {
        int *derivative = &d->variables[i].derivative_of;
        if (*derivative == -1) continue;
        int state = variable_at(d, -2 - (long)*derivative);
        *derivative = state < 0 ? -2 : state;
    }
}

// which dependencies are said to be by a factor that only events and parameters change
static void read_straight(const char *kinds, fmu_unknown *unknown) {
    static const char *const linear[] = {"constant", "fixed", "tunable", "discrete"};
    const char *at = kinds;
    unknown->straight = fmu_allocate((size_t)unknown->dependency_count + 1, sizeof *unknown->straight);
    for (int i = 0; at && i < unknown->dependency_count && *at; i++) {
        size_t size = strcspn(at, " ");
        for (int k = 0; k < 4; k++)
            unknown->straight[i] |= strlen(linear[k]) == size && strncmp(at, linear[k], size) == 0;
        at += size + strspn(at + size, " ");
    }
}

static void read_unknown(fmu_description *d, const xmlNode *at, fmu_unknown *unknown) {
    const char *own = text(d, at, d->version == 2 ? "index" : "valueReference");
    const char *list = text(d, at, "dependencies"), *kinds = text(d, at, "dependenciesKind");
    unknown->variable = own ? variable_at(d, strtol(own, NULL, 10)) : -1;
    unknown->line = (int)xmlGetLineNo(at);
    unknown->kind_count = kinds ? 0 : -1;
    for (const char *c = kinds; c && *c; c++) unknown->kind_count += *c != ' ' && (c[1] == ' ' || !c[1]);
    if (!list) return;
    unknown->dependent = true;
    unknown->dependencies = fmu_allocate(strlen(list) / 2 + 1, sizeof *unknown->dependencies);
    for (char *rest = (char *)list;;) {
        char *begin = rest;
        long value = strtol(begin, &rest, 10);
        if (rest == begin) break;
        unknown->dependencies[unknown->dependency_count++] = variable_at(d, value);
    }
    read_straight(kinds, unknown);
}

static void read_list(fmu_description *d, const xmlNode *structure, const char *name, fmu_list *list) {
    // FMI 2 has a list of unknowns, FMI 3 the elements themselves
    const xmlNode *node = d->version == 2 ? child(structure, name) : structure;
    const char *element = d->version == 2 ? "Unknown" : name;
    list->items = fmu_allocate((size_t)count_elements(node), sizeof *list->items);
    for (const xmlNode *at = node ? node->children : NULL; at; at = at->next)
        if (is(at, element)) read_unknown(d, at, &list->items[list->count++]);
}

static void read_structure(fmu_description *d, const xmlNode *node) {
    static const char *const names[2][FMU_LISTS] = {
        {"Outputs", "Derivatives", "InitialUnknowns", "none", "none"},
        {"Output", "ContinuousStateDerivative", "InitialUnknown", "EventIndicator", "ClockedState"}};
    for (int kind = 0; kind < FMU_LISTS; kind++)
        read_list(d, node, names[d->version - 2][kind], &d->lists[kind]);
}

static void read_root(fmu_description *d, const xmlNode *root) {
    const xmlNode *experiment = child(root, "DefaultExperiment");
    d->model_name = text(d, root, "modelName");
    d->token = text(d, root, d->version == 2 ? "guid" : "instantiationToken");
    d->naming = text(d, root, "variableNamingConvention");
    d->generation = text(d, root, "generationDateAndTime");
    read_interface(d, root, "ModelExchange", &d->exchange);
    read_interface(d, root, "CoSimulation", &d->cosimulation);
    read_units(d, child(root, "UnitDefinitions"));
    read_types(d, child(root, "TypeDefinitions"));
    read_variables(d, child(root, "ModelVariables"));
    read_structure(d, child(root, "ModelStructure"));
    d->indicators =
        d->version == 2 ? (int)number(d, root, "numberOfEventIndicators") : d->lists[FMU_CROSSINGS].count;
    d->experiment = experiment != NULL;
    if (!experiment) return;
    d->start = number(d, experiment, "startTime");
    d->stop = number(d, experiment, "stopTime");
    d->step = number(d, experiment, "stepSize");
    d->tolerance = number(d, experiment, "tolerance");
}

bool fmu_description_init(fmu_description *description, const char *path, fmu_report *report) {
    memset(description, 0, sizeof *description);
    xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    description->document = document;
    if (!root || !is(root, "fmiModelDescription")) {
        fmu_violated(report, FMU_ARCHIVE, "modelDescription.xml is missing or not well-formed");
        return false;
    }
    const char *version = text(description, root, "fmiVersion");
    description->version = version && strcmp(version, "2.0") == 0       ? 2
                           : version && strncmp(version, "3.0", 3) == 0 ? 3
                                                                        : 0;
    if (!description->version) {
        fmu_violated(report, FMU_ARCHIVE, "fmiVersion is `%s`, not 2.0 or 3.0", version ? version : "");
        return false;
    }
    read_root(description, root);
    return true;
}

void fmu_description_fini(fmu_description *description) {
    for (int kind = 0; kind < FMU_LISTS; kind++) {
        fmu_list *list = &description->lists[kind];
        for (int i = 0; i < list->count; i++) {
            free(list->items[i].dependencies);
            free(list->items[i].straight);
        }
        free(list->items);
    }
    for (int i = 0; i < description->text_count; i++) xmlFree(description->texts[i]);
    free(description->texts);
    free(description->variables);
    free(description->units);
    free(description->types);
    xmlFreeDoc(description->document);
    xmlCleanupParser();
}
