/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a fault acts on, by its path. Faults are often named after a component, `fan_relay stuck on`, or after
 * their meaning, `bulb.R`: then the report lists the parts of the component that can have such a fault. */
#include "lang/elaborate_impl.h"

#include <string.h>

enum { MOST_TOLD = 4 };

typedef struct {
    hbg_elaborator *elaborator;
    const syntax_fault *fault;
    int32_t scope;
    bool deep;            /* in components of the component too */
    hbg_nearest *nearest; /* up to the name that does not exist, or NULL */
    hbg_buffer list;
    int told;
    bool more;
} search;

static const char *name_text(const hbg_elaborator *elaborator, hbg_name name) {
    return hbg_base_names_get(elaborator->lang->names, name);
}

static bool is_inside(const search *s, int32_t scope) {
    const hbg_model *model = s->elaborator->model;
    while (s->deep && scope != s->scope && scope != 0) scope = model->scopes.items[scope].id.scope;
    return scope == s->scope;
}

static void tell(search *s, hbg_object object) {
    const hbg_identity *id = hbg_model_identity(s->elaborator->model, object);
    if (!id || id->name == 0 || !is_inside(s, id->scope)) return;
    if (s->nearest) hbg_base_nearest_offer(s->nearest, name_text(s->elaborator, id->name));
    if (s->told == MOST_TOLD) {
        s->more = true;
        return;
    }
    hbg_base_buffer_text(&s->list, s->told++ > 0 ? ", `" : "`");
    hbg_model_path(s->elaborator->model, object, &s->list);
    hbg_base_buffer_text(&s->list, "`");
}

/* `stuck on`, or stuck in something that looks like a state. */
static bool is_of_automaton(const syntax_fault *fault) {
    return hbg_model_fault_info_get(fault->kind)->on_automaton && fault->value &&
           fault->value->kind == SYNTAX_PATH;
}

static bool is_of_value(const syntax_fault *fault) {
    return hbg_model_fault_info_get(fault->kind)->on_value;
}

static void tell_fitting(search *s) {
    const hbg_model *model = s->elaborator->model;
    bool automata = is_of_automaton(s->fault), values = !automata && is_of_value(s->fault);
    for (int32_t i = 0; i < model->automata.count && automata; i++)
        tell(s, (hbg_object){HBG_OBJECT_AUTOMATON, i});
    for (int32_t i = 0; i < model->params.count && values; i++) tell(s, (hbg_object){HBG_OBJECT_PARAM, i});
    for (int32_t i = 0; i < model->elements.count && values; i++)
        if (model->elements.items[i].ports > 0 && model->elements.items[i].value_count == 1)
            tell(s, (hbg_object){HBG_OBJECT_ELEMENT, i});
    for (int32_t i = 0; i < model->signals.count && !automata; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_SENSOR) tell(s, (hbg_object){HBG_OBJECT_SIGNAL, i});
}

/* "did you mean `relay.armature`?", or a list of what it could be. */
static const char *fitting(hbg_elaborator *elaborator, const syntax_fault *fault, int32_t scope,
                           hbg_nearest *nearest) {
    search s = {.elaborator = elaborator, .fault = fault, .scope = scope, .nearest = nearest};
    const char *name = hbg_lang_elaborate_name_of(elaborator, (hbg_object){HBG_OBJECT_SCOPE, scope});
    hbg_base_buffer_init(&s.list, elaborator->arena);
    tell_fitting(&s);
    if (nearest && nearest->best)
        return hbg_base_arena_print(elaborator->arena, "did you mean `%s.%s`?", name, nearest->best);
    if (s.told == 0) {
        s.nearest = NULL;
        s.deep = true;
        tell_fitting(&s);
    }
    if (s.told == 0)
        return hbg_base_arena_print(elaborator->arena, "nothing in `%s` can have such a fault", name);
    if (s.told == 1) return hbg_base_arena_print(elaborator->arena, "did you mean %s?", s.list.data);
    return hbg_base_arena_print(elaborator->arena, "in `%s` such a fault can be of %s%s", name, s.list.data,
                                s.more ? ", …" : "");
}

static void help(hbg_elaborator *elaborator, hbg_diagnostic *report, const syntax_fault *fault, int32_t scope,
                 hbg_nearest *nearest) {
    const hbg_model *model = elaborator->model;
    int64_t candidates = (int64_t)model->params.count + model->elements.count + model->automata.count;
    if (!hbg_base_report_wanted(elaborator->lang->diagnostics, HBG_ERROR) ||
        !hbg_lang_elaborate_may_suggest(elaborator, candidates))
        return;
    hbg_base_report_fix(elaborator->lang->diagnostics, report, "%s",
                        fitting(elaborator, fault, scope, nearest));
}

/* A component itself, not a part of it. */
static bool refuse_component(hbg_elaborator *elaborator, const syntax_fault *fault, int32_t scope) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_EXPERIMENT, hbg_lang_path_span(&fault->target),
                        "`%s` is a component: a fault is of a part of it",
                        hbg_lang_elaborate_path_text(elaborator, &fault->target));
    help(elaborator, report, fault, scope, NULL);
    return false;
}

static bool refuse_member(hbg_elaborator *elaborator, const syntax_fault *fault, int32_t scope,
                          const syntax_segment *segment) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_UNKNOWN, segment->span, "nothing is called `%s` in `%s`",
                        name_text(elaborator, segment->name),
                        hbg_lang_elaborate_name_of(elaborator, (hbg_object){HBG_OBJECT_SCOPE, scope}));
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, name_text(elaborator, segment->name));
    help(elaborator, report, fault, scope, &nearest);
    return false;
}

bool hbg_lang_elaborate_fault_target(hbg_elaborator *elaborator, const syntax_fault *fault,
                                     hbg_resolved *found) {
    const syntax_path *path = &fault->target;
    int32_t scope = 0;
    for (int32_t i = 0; i < path->count; i++) {
        int32_t index;
        hbg_object object = hbg_lang_elaborate_find(elaborator, scope, &path->segments[i], &index);
        if (object.kind == HBG_OBJECT_NONE && scope != 0 && i + 1 == path->count)
            return refuse_member(elaborator, fault, scope, &path->segments[i]);
        if (object.kind != HBG_OBJECT_SCOPE || index != HBG_NONE) break;
        if (i + 1 == path->count) return refuse_component(elaborator, fault, object.index);
        scope = object.index;
    }
    return hbg_lang_elaborate_resolve(elaborator, 0, path, found);
}
