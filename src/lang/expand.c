/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loops, conditions and arrays, before any part is made: a definition that has them is written out for one
 * instance, with the values that its parameters have there. `R r[i]` in a loop becomes `r[1]`, `r[2]`, …,
 * names like any other; variables of loops become numbers. Later passes see plain declarations only. Trees
 * are copied where something in them changes, and shared elsewhere. */
#include "lang/elaborate_impl.h"

#include <string.h>

typedef struct {
    hbg_elaborator *elaborator;
    int32_t scope;
    const hbg_loop *loop; /* the innermost */
    syntax_definition *made;
    bool failed;
} expansion;

static void expand_all(expansion *x, const syntax_declarations *declarations);

/* ---- names -------------------------------------------------------------------------------------------------- */

static bool read_index(expansion *x, const syntax_expr *expr, int32_t *index) {
    int64_t value;
    if (!hbg_lang_elaborate_whole(x->elaborator, x->scope, x->loop, expr, "an index", &value)) return false;
    *index = (int32_t)value;
    if (value >= 0 && value <= HBG_LANG_OBJECT_LIMIT) return true;
    hbg_base_report(x->elaborator->lang->diagnostics, HBG_E_VALUE, expr->span,
                    "this index is %lld: they are counted from 0 or 1 on", (long long)value);
    return false;
}

/* All but the last become part of the name; the last may turn out to be the number of a port. */
static bool read_indices(expansion *x, const syntax_indices *indices, hbg_name *name, int32_t *last) {
    for (int32_t i = 0; i < indices->count; i++) {
        if (!read_index(x, indices->items[i], last)) return false;
        if (i + 1 < indices->count) *name = hbg_lang_elaborate_indexed(x->elaborator, *name, *last);
    }
    return true;
}

/* ---- expressions -------------------------------------------------------------------------------------------- */

static syntax_expr *expand_expr(expansion *x, syntax_expr *expr);

static bool is_same(const syntax_path *path) {
    for (int32_t i = 0; i < path->count; i++)
        if (path->segments[i].indices) return false;
    return true;
}

static syntax_path expand_path(expansion *x, const syntax_path *path) {
    if (is_same(path)) return *path;
    syntax_path result = {HBG_NEW_ARRAY(x->elaborator->arena, syntax_segment, path->count), path->count};
    for (int32_t i = 0; i < path->count; i++) {
        syntax_segment *segment = &result.segments[i];
        *segment = path->segments[i];
        if (!segment->indices) continue;
        if (!read_indices(x, segment->indices, &segment->name, &segment->index)) x->failed = true;
        segment->indices = NULL;
    }
    return result;
}

static syntax_expr *copy_of(expansion *x, const syntax_expr *expr) {
    syntax_expr *copy = HBG_NEW(x->elaborator->arena, syntax_expr);
    *copy = *expr;
    return copy;
}

/* A variable of a loop is a number from now on; other names keep their meaning, with indices that are
 * numbers. */
static syntax_expr *expand_name(expansion *x, syntax_expr *expr) {
    const syntax_segment *first = &expr->path.segments[0];
    bool alone = expr->path.count == 1 && first->index == HBG_NONE && !first->indices;
    for (const hbg_loop *loop = x->loop; loop && alone; loop = loop->outer) {
        if (loop->name != first->name) continue;
        syntax_expr *number = HBG_NEW(x->elaborator->arena, syntax_expr);
        number->kind = SYNTAX_INTEGER;
        number->span = expr->span;
        number->integer = (int64_t)loop->value;
        return number;
    }
    if (is_same(&expr->path)) return expr;
    syntax_expr *copy = copy_of(x, expr);
    copy->path = expand_path(x, &expr->path);
    return copy;
}

/* With another argument in one place; the first change makes the copy. */
static syntax_expr *with_argument(expansion *x, syntax_expr *expr, const syntax_expr *original, int32_t i,
                                  syntax_expr *argument) {
    if (original->arguments[i] == argument) return expr;
    if (expr == original) {
        expr = copy_of(x, original);
        expr->arguments = HBG_NEW_ARRAY(x->elaborator->arena, syntax_expr *, original->argument_count);
        memcpy(expr->arguments, original->arguments,
               (size_t)original->argument_count * sizeof *expr->arguments);
    }
    expr->arguments[i] = argument;
    return expr;
}

/* Long sums lean to the left: their spine is walked in a loop. */
static syntax_expr *expand_operator(expansion *x, syntax_expr *expr) {
    HBG_VEC(syntax_expr *) spine = {0};
    while (expr->kind == SYNTAX_OPERATOR) {
        HBG_PUSH(x->elaborator->arena, spine, expr);
        expr = expr->arguments[0];
    }
    syntax_expr *left = expand_expr(x, expr);
    for (int32_t i = spine.count - 1; i >= 0; i--) {
        syntax_expr *original = spine.items[i], *made = with_argument(x, original, original, 0, left);
        for (int32_t k = 1; k < original->argument_count; k++)
            made = with_argument(x, made, original, k, expand_expr(x, original->arguments[k]));
        left = made;
    }
    return left;
}

static syntax_expr *expand_expr(expansion *x, syntax_expr *expr) {
    if (!expr) return NULL;
    switch (expr->kind) {
    case SYNTAX_PATH: return expand_name(x, expr);
    case SYNTAX_OPERATOR: return expand_operator(x, expr);
    case SYNTAX_CALL: {
        syntax_expr *made = expr;
        for (int32_t i = 0; i < expr->argument_count; i++)
            made = with_argument(x, made, expr, i, expand_expr(x, expr->arguments[i]));
        return made;
    }
    default: return expr;
    }
}

static syntax_arguments expand_arguments(expansion *x, const syntax_arguments *arguments) {
    syntax_arguments made = {0};
    for (int32_t i = 0; i < arguments->count; i++) {
        syntax_argument argument = arguments->items[i];
        argument.value = expand_expr(x, argument.value);
        HBG_PUSH(x->elaborator->arena, made, argument);
    }
    return made;
}

/* ---- declarations ------------------------------------------------------------------------------------------- */

#define COPY(type, of) ((type *)memcpy(HBG_NEW(x->elaborator->arena, type), (of), sizeof(type)))

static void expand_element(expansion *x, syntax_declaration *declaration) {
    syntax_element *element = COPY(syntax_element, declaration->element);
    declaration->element = element;
    element->arguments = expand_arguments(x, &element->arguments);
    element->laws = expand_arguments(x, &element->laws);
    if (element->matrix) {
        syntax_matrix *matrix = COPY(syntax_matrix, element->matrix);
        int32_t count = matrix->rows * matrix->columns;
        if (!matrix->ragged) {
            matrix->entries = HBG_NEW_ARRAY(x->elaborator->arena, syntax_expr *, count);
            for (int32_t i = 0; i < count; i++)
                matrix->entries[i] = expand_expr(x, element->matrix->entries[i]);
        }
        element->matrix = matrix;
    }
    if (!element->port_count) return;
    int64_t ports;
    if (!hbg_lang_elaborate_whole(x->elaborator, x->scope, x->loop, element->port_count,
                                  "the number of ports", &ports)) {
        x->failed = true;
    } else if (ports < 1 || ports > HBG_LANG_FIELD_PORTS) {
        hbg_base_report(x->elaborator->lang->diagnostics, HBG_E_PORT, element->port_count->span,
                        "a field has 1 to %d ports, not %lld", HBG_LANG_FIELD_PORTS, (long long)ports);
        x->failed = true;
    } else {
        element->ports = (int32_t)ports;
    }
    element->port_count = NULL;
}

static void expand_automaton(expansion *x, syntax_declaration *declaration) {
    syntax_automaton *automaton = COPY(syntax_automaton, declaration->automaton);
    syntax_state *states = HBG_NEW_ARRAY(x->elaborator->arena, syntax_state, automaton->states.count + 1);
    for (int32_t i = 0; i < automaton->states.count; i++) {
        states[i] = automaton->states.items[i];
        int32_t count = states[i].transitions.count;
        syntax_transition *transitions = HBG_NEW_ARRAY(x->elaborator->arena, syntax_transition, count + 1);
        for (int32_t k = 0; k < count; k++) {
            transitions[k] = states[i].transitions.items[k];
            transitions[k].guard = expand_expr(x, transitions[k].guard);
            transitions[k].after = expand_expr(x, transitions[k].after);
        }
        states[i].transitions.items = transitions;
    }
    automaton->states.items = states;
    automaton->every = expand_expr(x, automaton->every);
    declaration->automaton = automaton;
}

static void expand_signal(expansion *x, syntax_declaration *declaration) {
    syntax_signal *signal = COPY(syntax_signal, declaration->signal);
    declaration->signal = signal;
    syntax_expr **parts[] = {&signal->value, &signal->initial, &signal->every, &signal->noise_mean,
                             &signal->noise_variance};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] = expand_expr(x, *parts[i]);
}

static void expand_chain(expansion *x, syntax_declaration *declaration) {
    syntax_chain *chain = COPY(syntax_chain, declaration->chain);
    chain->ends = HBG_NEW_ARRAY(x->elaborator->arena, syntax_path, chain->count);
    for (int32_t i = 0; i < chain->count; i++) chain->ends[i] = expand_path(x, &declaration->chain->ends[i]);
    declaration->chain = chain;
}

static syntax_interval *expand_interval(expansion *x, const syntax_interval *of) {
    if (!of) return NULL;
    syntax_interval *interval = COPY(syntax_interval, of);
    interval->low = expand_expr(x, interval->low);
    interval->high = expand_expr(x, interval->high);
    interval->automaton = expand_expr(x, interval->automaton);
    interval->middle = expand_expr(x, interval->middle);
    return interval;
}

static void expand_parts(expansion *x, syntax_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARE_PARAM:
        declaration->param = expand_expr(x, declaration->param);
        declaration->chosen = expand_interval(x, declaration->chosen);
        break;
    case DECLARE_ELEMENT: expand_element(x, declaration); break;
    case DECLARE_JUNCTION: {
        syntax_junction *junction = COPY(syntax_junction, declaration->junction);
        junction->control = expand_expr(x, junction->control);
        junction->restitution = expand_expr(x, junction->restitution);
        junction->chosen = expand_interval(x, junction->chosen);
        declaration->junction = junction;
        break;
    }
    case DECLARE_CHAIN: expand_chain(x, declaration); break;
    case DECLARE_AUTOMATON: expand_automaton(x, declaration); break;
    case DECLARE_SIGNAL: expand_signal(x, declaration); break;
    case DECLARE_INSTANCE: {
        syntax_instance *instance = COPY(syntax_instance, declaration->instance);
        instance->arguments = expand_arguments(x, &instance->arguments);
        instance->count = NULL;
        declaration->instance = instance;
        break;
    }
    default: break;
    }
}

/* ---- repetition --------------------------------------------------------------------------------------------- */

/* Room for so many more declarations; false with one report. */
static bool has_room(expansion *x, int64_t count, hbg_span span) {
    hbg_elaborator *elaborator = x->elaborator;
    if (elaborator->too_large) return false;
    if (elaborator->expanded + count <= HBG_LANG_OBJECT_LIMIT) return true;
    elaborator->too_large = true;
    hbg_diagnostic *report = hbg_base_report(elaborator->lang->diagnostics, HBG_E_TOO_LARGE, span,
                                             "this makes more than %d parts", HBG_LANG_OBJECT_LIMIT);
    hbg_base_report_fix(elaborator->lang->diagnostics, report, "repeat it less often");
    return false;
}

static void put(expansion *x, const syntax_declaration *declaration) {
    x->elaborator->expanded++;
    HBG_PUSH(x->elaborator->arena, x->made->declarations, *declaration);
}

/* `Resistor r[n](…)`: n instances, each given the same. */
static void expand_array(expansion *x, const syntax_declaration *declaration, const syntax_expr *size) {
    int64_t count;
    hbg_elaborator *elaborator = x->elaborator;
    if (!hbg_lang_elaborate_whole(elaborator, x->scope, x->loop, size, "the size of an array", &count))
        return;
    if (count < 1) {
        hbg_diagnostic *report = hbg_base_report(
            elaborator->lang->diagnostics, HBG_E_VALUE, size->span, "array `%s` has the size %lld",
            hbg_base_names_get(elaborator->lang->names, declaration->name), (long long)count);
        hbg_base_report_fix(
            elaborator->lang->diagnostics, report,
            "an array has at least one member; write `if n > 0 { … }` around one that may be missing");
        x->failed = true;
        return;
    }
    if (!has_room(x, count, size->span)) return;
    for (int64_t i = 1; i <= count; i++) {
        syntax_declaration member = *declaration;
        member.name = hbg_lang_elaborate_indexed(elaborator, declaration->name, (int32_t)i);
        put(x, &member);
    }
}

static void expand_for(expansion *x, const syntax_declaration *declaration) {
    const syntax_block *block = declaration->block;
    int64_t low, high;
    if (!hbg_lang_elaborate_whole(x->elaborator, x->scope, x->loop, block->low, "the first value of a loop",
                                  &low) ||
        !hbg_lang_elaborate_whole(x->elaborator, x->scope, x->loop, block->high, "the last value of a loop",
                                  &high)) {
        x->failed = true;
        return;
    }
    if (!has_room(x, high - low + 1, declaration->span)) return;
    const hbg_loop *outer = x->loop;
    for (int64_t i = low; i <= high && !x->elaborator->too_large; i++) {
        hbg_loop loop = {block->variable, (double)i, outer};
        x->loop = &loop;
        x->elaborator->expanded++; // an empty body also takes time
        expand_all(x, &block->body);
    }
    x->loop = outer;
}

static void expand_if(expansion *x, const syntax_block *block) {
    double holds;
    if (!hbg_lang_elaborate_structural(x->elaborator, x->scope, x->loop, block->condition,
                                       "the condition of `if`", &holds)) {
        x->failed = true;
        return;
    }
    expand_all(x, holds != 0 ? &block->body : &block->otherwise);
}

static void expand_one(expansion *x, const syntax_declaration *original) {
    if (original->kind == DECLARE_FOR || original->kind == DECLARE_IF) {
        if (original->kind == DECLARE_FOR)
            expand_for(x, original);
        else
            expand_if(x, original->block);
        return;
    }
    syntax_declaration declaration = *original;
    expand_parts(x, &declaration);
    if (original->indices) {
        int32_t last = HBG_NONE;
        if (!read_indices(x, original->indices, &declaration.name, &last)) {
            x->failed = true;
            return;
        }
        declaration.name = hbg_lang_elaborate_indexed(x->elaborator, declaration.name, last);
        declaration.indices = NULL;
    }
    if (original->kind == DECLARE_INSTANCE && original->instance->count)
        expand_array(x, &declaration, original->instance->count);
    else if (has_room(x, 1, original->span))
        put(x, &declaration);
}

static void expand_all(expansion *x, const syntax_declarations *declarations) {
    for (int32_t i = 0; i < declarations->count && !x->elaborator->too_large; i++)
        expand_one(x, &declarations->items[i]);
}

/* Indices in sentences of experiments: `record cell[n].v`. */
static void expand_experiment(expansion *x, syntax_experiment *experiment) {
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        syntax_setting *setting = &experiment->settings.items[i];
        setting->target = expand_path(x, &setting->target);
        setting->value = expand_expr(x, setting->value);
    }
    for (int32_t i = 0; i < experiment->actions.count; i++) {
        syntax_action *action = &experiment->actions.items[i];
        action->target = expand_path(x, &action->target);
        action->value = expand_expr(x, action->value);
    }
    for (int32_t i = 0; i < experiment->faults.count; i++)
        experiment->faults.items[i].target = expand_path(x, &experiment->faults.items[i].target);
    for (int32_t i = 0; i < experiment->records.count; i++)
        experiment->records.items[i] = expand_expr(x, experiment->records.items[i]);
    for (int32_t i = 0; i < experiment->plots.count; i++)
        experiment->plots.items[i] = expand_expr(x, experiment->plots.items[i]);
}

/* Components without loops count where loops repeat them; size.c has seen only one of each. */
static void count_plain(hbg_elaborator *elaborator, const syntax_definition *definition) {
    expansion x = {.elaborator = elaborator};
    if (has_room(&x, definition->declarations.count, definition->span))
        elaborator->expanded += definition->declarations.count;
}

syntax_definition *hbg_lang_elaborate_expand(hbg_elaborator *elaborator, int32_t scope) {
    syntax_definition *definition = elaborator->instances.items[scope].definition;
    if (!definition->structural) {
        if (elaborator->expansions > 0) count_plain(elaborator, definition);
        return definition;
    }
    syntax_definition *made = HBG_NEW(elaborator->arena, syntax_definition);
    *made = *definition;
    made->declarations = (syntax_declarations){0};
    expansion x = {.elaborator = elaborator, .scope = scope, .made = made};
    expand_all(&x, &definition->declarations);
    // a model is made once, so its sentences may change in place
    for (int32_t i = 0; i < made->experiments.count && scope == 0; i++)
        expand_experiment(&x, &made->experiments.items[i]);
    for (int32_t i = 0; i < made->ranges.count && scope == 0; i++)
        made->ranges.items[i].value = expand_expr(&x, made->ranges.items[i].value);
    for (int32_t i = 0; i < made->assumptions.count && scope == 0; i++)
        made->assumptions.items[i] = expand_expr(&x, made->assumptions.items[i]);
    for (int32_t i = 0; i < made->always.count && scope == 0; i++) {
        syntax_always *always = &made->always.items[i];
        always->value = expand_expr(&x, always->value);
        if (always->lost) always->lost = expand_expr(&x, always->lost);
    }
    if (x.failed) elaborator->too_large = true; // reported; the missing object is missed everywhere
    made->taking = HBG_LANG_EXPANSIONS + elaborator->expansions++;
    for (int32_t i = 0; i < made->declarations.count; i++)
        if (hbg_lang_elaborate_takes_argument(made, i))
            hbg_base_pair_map_add(&elaborator->arguments, made->taking, made->declarations.items[i].name, i);
    return made;
}
