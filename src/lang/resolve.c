/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names: a path is followed through instances to an object. What cannot be found is reported with the nearest
 * name that can. */
#include "lang/elaborate_impl.h"

#include <string.h>

static const char *name_text(const hbg_elaborator *elaborator, hbg_name name) {
    return hbg_names_get(elaborator->lang->names, name);
}

const char *hbg_elaborate_path_text(hbg_elaborator *elaborator, const syntax_path *path) {
    hbg_buffer buffer;
    hbg_buffer_init(&buffer, elaborator->arena);
    for (int32_t i = 0; i < path->count; i++) {
        hbg_buffer_print(&buffer, "%s%s", i ? "." : "", name_text(elaborator, path->segments[i].name));
        if (path->segments[i].index != HBG_NONE) hbg_buffer_print(&buffer, "[%d]", path->segments[i].index);
    }
    return buffer.data;
}

const char *hbg_elaborate_name_of(hbg_elaborator *elaborator, hbg_object object) {
    hbg_buffer buffer;
    hbg_buffer_init(&buffer, elaborator->arena);
    hbg_model_path(elaborator->model, object, &buffer);
    return buffer.data;
}

/* Everything that has a name in the instance. */
static void offer_members(hbg_elaborator *elaborator, int32_t scope, hbg_nearest *nearest) {
    const syntax_definition *definition = elaborator->instances.items[scope].definition;
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const syntax_declaration *declaration = &definition->declarations.items[i];
        if (declaration->name != 0 && declaration->kind != DECLARE_FUNCTION)
            hbg_nearest_offer(nearest, name_text(elaborator, declaration->name));
    }
}

static void report_unknown(hbg_elaborator *elaborator, int32_t scope, const syntax_segment *segment) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    bool wanted = hbg_report_wanted(diagnostics, HBG_ERROR);
    const char *text = name_text(elaborator, segment->name);
    const char *inside =
        scope == 0 || !wanted ? "" : hbg_elaborate_name_of(elaborator, (hbg_object){HBG_OBJECT_SCOPE, scope});
    hbg_diagnostic *report = hbg_report(
        diagnostics, HBG_E_UNKNOWN, segment->span,
        scope == 0 ? "nothing here is called `%s`%s" : "nothing is called `%s` in `%s`", text, inside);
    if (!wanted) return;
    hbg_nearest nearest;
    hbg_nearest_init(&nearest, text);
    offer_members(elaborator, scope, &nearest);
    if (nearest.best) hbg_report_fix(diagnostics, report, "did you mean `%s`?", nearest.best);
}

bool hbg_elaborate_resolve(hbg_elaborator *elaborator, int32_t scope, const syntax_path *path,
                           hbg_resolved *result) {
    for (int32_t i = 0; i < path->count; i++) {
        const syntax_segment *segment = &path->segments[i];
        hbg_object object = hbg_model_find(elaborator->model, scope, segment->name);
        if (object.kind == HBG_OBJECT_NONE) {
            report_unknown(elaborator, scope, segment);
            return false;
        }
        *result = (hbg_resolved){object, i + 1, segment->index};
        if (object.kind != HBG_OBJECT_SCOPE) return true;
        if (segment->index != HBG_NONE) {
            hbg_report(elaborator->lang->diagnostics, HBG_E_NOT_A, segment->span,
                       "`%s` is a component and has no numbered ports", name_text(elaborator, segment->name));
            return false;
        }
        scope = object.index;
    }
    return true;
}

int32_t hbg_elaborate_find_state(hbg_elaborator *elaborator, int32_t automaton, hbg_name name,
                                 hbg_span span) {
    const hbg_model *model = elaborator->model;
    const hbg_automaton *found = &model->automata.items[automaton];
    int32_t state = hbg_pair_map_find(&elaborator->state_names, automaton, name);
    if (state >= 0) return state;
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    if (!hbg_report_wanted(diagnostics, HBG_ERROR)) {
        hbg_report(diagnostics, HBG_E_UNKNOWN, span, "no such state");
        return HBG_NONE;
    }
    hbg_nearest nearest;
    hbg_nearest_init(&nearest, name_text(elaborator, name));
    for (int32_t i = 0; i < found->state_count; i++)
        hbg_nearest_offer(&nearest, name_text(elaborator, model->states.items[found->first_state + i].name));
    hbg_diagnostic *report = hbg_report(diagnostics, HBG_E_UNKNOWN, span, "automaton `%s` has no state `%s`",
                                        name_text(elaborator, found->id.name), name_text(elaborator, name));
    hbg_report_note(diagnostics, report, found->id.span, "the automaton is declared here");
    if (nearest.best) hbg_report_fix(diagnostics, report, "did you mean `%s`?", nearest.best);
    return HBG_NONE;
}

hbg_variable hbg_elaborate_variable(const hbg_elaborator *elaborator, hbg_name name) {
    static const char *const letters[] = {
#define X(id, text) text,
        HBG_VARIABLE_LIST(X)
#undef X
    };
    const char *text = name_text(elaborator, name);
    for (int i = 0; i < HBG_VARIABLE_COUNT; i++)
        if (strcmp(letters[i], text) == 0) return i;
    return HBG_VARIABLE_COUNT;
}

/* The source a position lies in: they are laid end to end in order. */
static const hbg_source *source_of(const hbg_elaborator *elaborator, uint32_t position) {
    const hbg_sources *sources = elaborator->lang->sources;
    int32_t low = 0, high = sources->items.count - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (sources->items.items[middle].base <= position)
            low = middle;
        else
            high = middle - 1;
    }
    return &sources->items.items[low];
}

const char *hbg_elaborate_text(hbg_elaborator *elaborator, hbg_span span) {
    const hbg_source *source = source_of(elaborator, span.start);
    return hbg_arena_copy(elaborator->arena, source->text + (span.start - source->base),
                          span.end - span.start);
}

const char *hbg_elaborate_file_of(hbg_elaborator *elaborator, hbg_span span) {
    return source_of(elaborator, span.start)->path;
}

bool hbg_elaborate_room(hbg_elaborator *elaborator, hbg_span span) {
    const hbg_model *model = elaborator->model;
    int64_t objects = (int64_t)model->scopes.count + model->params.count + model->elements.count +
                      model->automata.count + model->signals.count + model->ports.count +
                      model->exprs.count / 8;
    if (objects < HBG_LANG_OBJECT_LIMIT) return true;
    if (!elaborator->too_large)
        hbg_report(elaborator->lang->diagnostics, HBG_E_TOO_LARGE, span,
                   "the model grows beyond %d objects: components or functions multiply here",
                   HBG_LANG_OBJECT_LIMIT);
    elaborator->too_large = true;
    return false;
}
