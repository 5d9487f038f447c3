/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: every place where something is named. Paths are followed from definition to definition;
 * a name means the same here as to the elaborator (resolve.c, lower.c) in every instance. Nothing is
 * reported. */
#include "lang/service_impl.h"

#include <string.h>

/* Where a name is looked up. */
typedef struct {
    hbg_lang_reading *reading;
    int32_t definition; /* HBG_NONE: at the top */
    int32_t function;   /* whose arguments are known, or HBG_NONE */
} scope;

static void walk(const scope *scope, const syntax_expr *expr);

static hbg_span name_span(const hbg_lang_reading *reading, const syntax_segment *segment) {
    uint32_t size = (uint32_t)strlen(hbg_lang_service_name(reading, segment->name));
    return (hbg_span){segment->span.start, segment->span.start + size};
}

static void occurs(const scope *scope, const syntax_segment *segment, int32_t symbol) {
    if (symbol != HBG_NONE)
        hbg_lang_service_occurs(scope->reading, name_span(scope->reading, segment), symbol, false);
}

static int32_t first_of(const scope *scope, hbg_name name) {
    int32_t found = HBG_NONE;
    if (scope->function != HBG_NONE) found = hbg_lang_service_member(scope->reading, scope->function, name);
    if (found == HBG_NONE && scope->definition != HBG_NONE)
        found = hbg_lang_service_member(scope->reading, scope->definition, name);
    return found;
}

static void walk_indices(const scope *scope, const syntax_indices *indices) {
    for (int32_t i = 0; indices && i < indices->count; i++) walk(scope, indices->items[i]);
}

/* The symbol of the longest part of the path that has one. */
static int32_t walk_path(const scope *scope, const syntax_path *path) {
    const hbg_lang_reading *reading = scope->reading;
    int32_t found = HBG_NONE;
    for (int32_t i = 0; i < path->count; i++) walk_indices(scope, path->segments[i].indices);
    for (int32_t i = 0; i < path->count; i++) {
        const syntax_segment *segment = &path->segments[i];
        int32_t next = HBG_NONE;
        if (i == 0) {
            next = first_of(scope, segment->name);
        } else if (reading->symbols.items[found].kind == HBG_SERVICE_INSTANCE) {
            int32_t component = hbg_lang_service_component(reading, found);
            if (component != HBG_NONE) next = hbg_lang_service_member(reading, component, segment->name);
        } else if (reading->symbols.items[found].kind == HBG_SERVICE_AUTOMATON) {
            next = hbg_lang_service_member(reading, found, segment->name);
        }
        if (next == HBG_NONE) return found;
        occurs(scope, segment, next);
        found = next;
    }
    return found;
}

static void walk_call(const scope *scope, const syntax_expr *call) {
    const hbg_lang_reading *reading = scope->reading;
    int32_t found = HBG_NONE;
    if (scope->definition != HBG_NONE)
        found = hbg_lang_service_member(reading, scope->definition, call->function->name);
    if (found == HBG_NONE || reading->symbols.items[found].kind != HBG_SERVICE_FUNCTION)
        found = hbg_lang_service_member(reading, HBG_NONE, call->function->name);
    if (found != HBG_NONE && reading->symbols.items[found].kind == HBG_SERVICE_FUNCTION)
        occurs(scope, call->function, found);
    for (int32_t i = 0; i < call->argument_count; i++) walk(scope, call->arguments[i]);
}

static void walk(const scope *scope, const syntax_expr *expr) {
    if (!expr) return;
    switch (expr->kind) {
    case SYNTAX_PATH: (void)walk_path(scope, &expr->path); break;
    case SYNTAX_CALL: walk_call(scope, expr); break;
    case SYNTAX_OPERATOR:
        for (int32_t i = 0; i < expr->argument_count; i++) walk(scope, expr->arguments[i]);
        break;
    case SYNTAX_NUMBER:
    case SYNTAX_INTEGER:
    case SYNTAX_BOOLEAN:
    case SYNTAX_STRING:
    case SYNTAX_BAD: break;
    }
}

/* A value that may be a state of the automaton that is the target. */
static void walk_value(const scope *scope, int32_t target, const syntax_expr *value) {
    const hbg_lang_reading *reading = scope->reading;
    if (value && value->kind == SYNTAX_PATH && value->path.count == 1 && target != HBG_NONE &&
        reading->symbols.items[target].kind == HBG_SERVICE_AUTOMATON)
        occurs(scope, value->path.segments,
               hbg_lang_service_member(reading, target, value->path.segments[0].name));
    else
        walk(scope, value);
}

/* ---- declarations ------------------------------------------------------------------------------------- */

static void walk_instance(const scope *scope, const syntax_instance *instance) {
    const hbg_lang_reading *reading = scope->reading;
    int32_t component = hbg_lang_service_member(reading, HBG_NONE, instance->component);
    if (component != HBG_NONE && !reading->symbols.items[component].definition) component = HBG_NONE;
    if (component != HBG_NONE)
        hbg_lang_service_occurs(scope->reading, instance->component_span, component, false);
    for (int32_t i = 0; i < instance->arguments.count; i++) {
        const syntax_argument *argument = &instance->arguments.items[i];
        syntax_segment name = {argument->name, HBG_NONE, argument->span, NULL};
        if (argument->name != 0 && component != HBG_NONE)
            occurs(scope, &name, hbg_lang_service_member(reading, component, argument->name));
        walk(scope, argument->value);
    }
    walk(scope, instance->count);
}

static void walk_element(const scope *scope, const syntax_element *element) {
    walk(scope, element->port_count);
    for (int32_t i = 0; i < element->arguments.count; i++) walk(scope, element->arguments.items[i].value);
    for (int32_t i = 0; i < element->laws.count; i++) walk(scope, element->laws.items[i].value);
    const syntax_matrix *matrix = element->matrix;
    if (!matrix || matrix->ragged) return;
    for (int32_t i = 0; i < matrix->rows * matrix->columns; i++) walk(scope, matrix->entries[i]);
}

static void walk_automaton(const scope *scope, const syntax_declaration *declaration) {
    const syntax_automaton *automaton = declaration->automaton;
    const hbg_lang_reading *reading = scope->reading;
    int32_t own = hbg_lang_service_member(reading, scope->definition, declaration->name);
    if (own == HBG_NONE || reading->symbols.items[own].declaration != declaration) return;
    walk(scope, automaton->every);
    syntax_segment start = {automaton->start, HBG_NONE, automaton->start_span, NULL};
    if (automaton->start != 0) occurs(scope, &start, hbg_lang_service_member(reading, own, start.name));
    for (int32_t i = 0; i < automaton->mentions.count; i++) {
        const syntax_segment *mention = &automaton->mentions.items[i];
        int32_t state = hbg_lang_service_member(reading, own, mention->name);
        if (state != HBG_NONE && reading->symbols.items[state].span.start != mention->span.start)
            occurs(scope, mention, state);
    }
    for (int32_t i = 0; i < automaton->states.count; i++)
        for (int32_t k = 0; k < automaton->states.items[i].transitions.count; k++) {
            const syntax_transition *transition = &automaton->states.items[i].transitions.items[k];
            syntax_segment target = {transition->target, HBG_NONE, transition->target_span, NULL};
            occurs(scope, &target, hbg_lang_service_member(reading, own, target.name));
            walk(scope, transition->guard);
            walk(scope, transition->held);
            walk(scope, transition->after);
        }
}

static void walk_function(const scope *outer, const syntax_declaration *declaration) {
    int32_t own = hbg_lang_service_member(outer->reading, outer->definition, declaration->name);
    if (own == HBG_NONE || outer->reading->symbols.items[own].declaration != declaration) return;
    scope inner = {outer->reading, outer->definition, own};
    walk(&inner, declaration->function->body);
}

static void walk_declaration(const scope *scope, const syntax_declaration *declaration);

static void walk_block(const scope *scope, const syntax_block *block) {
    walk(scope, block->low);
    walk(scope, block->high);
    walk(scope, block->condition);
    for (int32_t i = 0; i < block->body.count; i++) walk_declaration(scope, &block->body.items[i]);
    for (int32_t i = 0; i < block->otherwise.count; i++) walk_declaration(scope, &block->otherwise.items[i]);
}

/* True: the value is the middle of the interval, and not written. */
static bool walk_interval(const scope *scope, const syntax_interval *interval, const syntax_expr *value) {
    if (!interval) return false;
    walk(scope, interval->low);
    walk(scope, interval->high); // whose moves count is not written
    return value && value->span.start == interval->span.start;
}

static void walk_declaration(const scope *scope, const syntax_declaration *declaration) {
    walk_indices(scope, declaration->indices);
    switch (declaration->kind) {
    case DECLARE_PARAM:
        if (!walk_interval(scope, declaration->chosen, declaration->param)) walk(scope, declaration->param);
        break;
    case DECLARE_ELEMENT: walk_element(scope, declaration->element); break;
    case DECLARE_JUNCTION:
        walk(scope, declaration->junction->control);
        if (!walk_interval(scope, declaration->junction->chosen, declaration->junction->restitution))
            walk(scope, declaration->junction->restitution);
        break;
    case DECLARE_CHAIN:
        for (int32_t i = 0; i < declaration->chain->count; i++)
            (void)walk_path(scope, &declaration->chain->ends[i]);
        break;
    case DECLARE_AUTOMATON: walk_automaton(scope, declaration); break;
    case DECLARE_SIGNAL: {
        const syntax_signal *signal = declaration->signal;
        const syntax_expr *parts[] = {signal->value, signal->every, signal->noise_mean,
                                      signal->noise_variance,
                                      signal->initial == signal->value ? NULL : signal->initial};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) walk(scope, parts[i]);
        break;
    }
    case DECLARE_TEXT:
    case DECLARE_PORT: break;
    case DECLARE_INSTANCE: walk_instance(scope, declaration->instance); break;
    case DECLARE_FUNCTION: walk_function(scope, declaration); break;
    case DECLARE_FOR:
    case DECLARE_IF: walk_block(scope, declaration->block); break;
    }
}

static void walk_experiment(const scope *scope, const syntax_experiment *experiment) {
    walk(scope, experiment->stop);
    walk(scope, experiment->step);
    walk(scope, experiment->record_every);
    walk(scope, experiment->tolerance);
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        const syntax_setting *setting = &experiment->settings.items[i];
        walk_value(scope, walk_path(scope, &setting->target), setting->value);
    }
    for (int32_t i = 0; i < experiment->actions.count; i++) {
        const syntax_action *action = &experiment->actions.items[i];
        // several changes of one sentence share its time
        if (i == 0 || experiment->actions.items[i - 1].time != action->time) walk(scope, action->time);
        (void)walk_path(scope, &action->target);
        walk(scope, action->value);
    }
    for (int32_t i = 0; i < experiment->faults.count; i++) {
        const syntax_fault *fault = &experiment->faults.items[i];
        walk(scope, fault->at);
        walk(scope, fault->until);
        walk_value(scope, fault->target.count > 0 ? walk_path(scope, &fault->target) : HBG_NONE,
                   fault->value);
        walk(scope, fault->value2);
    }
    for (int32_t i = 0; i < experiment->records.count; i++) walk(scope, experiment->records.items[i]);
    for (int32_t i = 0; i < experiment->plots.count; i++) walk(scope, experiment->plots.items[i]);
}

static void walk_definition(hbg_lang_reading *reading, int32_t definition) {
    const syntax_definition *syntax = reading->symbols.items[definition].definition;
    scope scope = {reading, definition, HBG_NONE};
    for (int32_t i = 0; i < syntax->declarations.count; i++)
        walk_declaration(&scope, &syntax->declarations.items[i]);
    for (int32_t i = 0; i < syntax->experiments.count; i++)
        walk_experiment(&scope, &syntax->experiments.items[i]);
    for (int32_t i = 0; i < syntax->ranges.count; i++) {
        walk(&scope, syntax->ranges.items[i].value);
        walk(&scope, syntax->ranges.items[i].low);
        walk(&scope, syntax->ranges.items[i].high);
    }
    for (int32_t i = 0; i < syntax->assumptions.count; i++) walk(&scope, syntax->assumptions.items[i]);
    for (int32_t i = 0; i < syntax->always.count; i++) {
        if (syntax->always.items[i].lost) walk(&scope, syntax->always.items[i].lost);
        walk(&scope, syntax->always.items[i].value);
    }
}

void hbg_lang_service_walk(hbg_lang_reading *reading) {
    int32_t count = reading->symbols.count;
    scope top = {reading, HBG_NONE, HBG_NONE};
    for (int32_t i = 0; i < count; i++) {
        const service_symbol *symbol = &reading->symbols.items[i];
        if (symbol->definition)
            walk_definition(reading, i);
        else if (symbol->kind == HBG_SERVICE_FUNCTION && symbol->owner == HBG_NONE)
            walk_function(&top, symbol->declaration);
    }
}
