/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names: a path is followed through instances to an object. A name that is not found is reported with the
 * nearest existing one. */
#include "lang/elaborate_impl.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *name_text(const hbg_elaborator *elaborator, hbg_name name) {
    return hbg_base_names_get(elaborator->lang->names, name);
}

const char *hbg_lang_elaborate_path_text(hbg_elaborator *elaborator, const syntax_path *path) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, elaborator->arena);
    for (int32_t i = 0; i < path->count; i++) {
        hbg_base_buffer_print(&buffer, "%s%s", i ? "." : "", name_text(elaborator, path->segments[i].name));
        if (path->segments[i].index != HBG_NONE)
            hbg_base_buffer_print(&buffer, "[%d]", path->segments[i].index);
    }
    return buffer.data;
}

const char *hbg_lang_elaborate_name_of(hbg_elaborator *elaborator, hbg_object object) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, elaborator->arena);
    hbg_model_path(elaborator->model, object, &buffer);
    return buffer.data;
}

/* What a name may mean; a member is a value of something. */
typedef enum { MEANT_ANY, MEANT_VALUE, MEANT_MEMBER, MEANT_COMPONENT, MEANT_PARAMETER } meant;

static bool can_be_meant(const syntax_declaration *declaration, meant meant) {
    if (declaration->name == 0) return false;
    if (meant == MEANT_COMPONENT) return declaration->kind == DECLARE_INSTANCE;
    if (meant == MEANT_PARAMETER) return declaration->kind == DECLARE_PARAM;
    return declaration->kind != DECLARE_FUNCTION && declaration->kind != DECLARE_TEXT;
}

static void offer_members(hbg_elaborator *elaborator, int32_t scope, meant meant, hbg_nearest *nearest) {
    const syntax_definition *definition = elaborator->instances.items[scope].definition;
    for (int32_t i = 0; i < definition->declarations.count; i++)
        if (can_be_meant(&definition->declarations.items[i], meant))
            hbg_base_nearest_offer(nearest, name_text(elaborator, definition->declarations.items[i].name));
    if (meant <= MEANT_VALUE) hbg_base_nearest_offer(nearest, "time");
}

const char *hbg_lang_elaborate_article(const char *noun) {
    return strchr("aeiou", noun[0]) ? "an" : "a";
}

const char *hbg_lang_elaborate_fresh(hbg_arena *arena, const char *stem,
                                     bool (*is_taken)(const void *context, const char *name),
                                     const void *context) {
    const char *name = stem;
    for (int number = 2; is_taken(context, name); number++)
        name = hbg_base_arena_print(arena, "%s%d", stem, number);
    return name;
}

bool hbg_lang_elaborate_may_suggest(hbg_elaborator *elaborator, int64_t candidates) {
    if (elaborator->suggestions_left < candidates) return false;
    elaborator->suggestions_left -= candidates;
    return true;
}

void hbg_lang_elaborate_list(hbg_elaborator *elaborator, const syntax_definition *definition,
                             hbg_elaborate_choice *fits, hbg_diagnostic *report) {
    enum { SHOWN = 6 };
    const char *list = "";
    int32_t count = 0;
    for (int32_t i = 0; i < definition->declarations.count && count <= SHOWN; i++) {
        if (!fits(definition, i) || ++count > SHOWN) continue;
        list = hbg_base_arena_print(elaborator->arena, "%s%s`%s`", list, count > 1 ? ", " : "",
                                    name_text(elaborator, definition->declarations.items[i].name));
    }
    if (count > 0)
        hbg_base_report_fix(elaborator->lang->diagnostics, report, "it has %s%s", list,
                            count > SHOWN ? ", …" : "");
}

/* Ports of either kind: the visible part of a component. */
static bool is_port(const syntax_definition *definition, int32_t index) {
    const syntax_declaration *declaration = &definition->declarations.items[index];
    return declaration->kind == DECLARE_PORT ||
           (declaration->kind == DECLARE_SIGNAL && declaration->signal->direction != PORT_NOT);
}

static bool is_bond_name(hbg_elaborator *elaborator, int32_t scope, hbg_name name) {
    const syntax_definition *definition = elaborator->instances.items[scope].definition;
    for (int32_t i = 0; i < definition->declarations.count; i++)
        if (definition->declarations.items[i].kind == DECLARE_CHAIN &&
            definition->declarations.items[i].name == name)
            return true;
    return false;
}

/* A named bond that is missing: not made yet, or because it leads nowhere, which is reported as an error or
 * will be as a warning. */
static void report_bond(hbg_elaborator *elaborator, const syntax_segment *segment) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const char *text = name_text(elaborator, segment->name);
    if (!elaborator->bonds_made)
        hbg_base_report(diagnostics, HBG_E_BOND, segment->span, "`%s` is a bond: it cannot take a bond",
                        text);
    else if (diagnostics->errors == elaborator->model->before.errors)
        hbg_base_report(diagnostics, HBG_E_UNBONDED, segment->span,
                        "bond `%s` leads to an open port: it has no effort or flow", text);
}

/* A component that could not be made, which is reported where it is declared: its uses are not wrong. */
static bool is_failed_instance(const hbg_elaborator *elaborator, int32_t scope, hbg_name name) {
    const syntax_definition *definition = elaborator->instances.items[scope].definition;
    for (int32_t i = 0; i < definition->declarations.count; i++)
        if (definition->declarations.items[i].name == name &&
            definition->declarations.items[i].kind == DECLARE_INSTANCE)
            return true;
    return false;
}

/* Without the brackets of an index. */
static hbg_span name_span(const syntax_segment *segment, const char *text) {
    return (hbg_span){segment->span.start, segment->span.start + (uint32_t)strlen(text)};
}

int32_t hbg_lang_elaborate_members(const hbg_elaborator *elaborator, int32_t scope, hbg_name name, int *first,
                                   int *last) {
    const syntax_definition *definition = elaborator->instances.items[scope].definition;
    const char *text = name_text(elaborator, name);
    size_t size = strlen(text);
    int32_t count = 0;
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const char *other = name_text(elaborator, definition->declarations.items[i].name);
        int index;
        if (strncmp(other, text, size) != 0 || sscanf(other + size, "[%d]", &index) != 1) continue;
        if (count++ == 0) *first = *last = index;
        if (index < *first) *first = index;
        if (index > *last) *last = index;
    }
    return count;
}

/* A member that an array lacks, or an array where one of its members is needed. */
static bool report_member(hbg_elaborator *elaborator, int32_t scope, const syntax_segment *segment) {
    int first, last;
    if (hbg_lang_elaborate_members(elaborator, scope, segment->name, &first, &last) == 0) return false;
    const char *text = name_text(elaborator, segment->name);
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_diagnostic *report = segment->index == HBG_NONE
                                 ? hbg_base_report(diagnostics, HBG_E_UNKNOWN, segment->span,
                                                   "`%s` is an array: say which member is meant", text)
                                 : hbg_base_report(diagnostics, HBG_E_UNKNOWN, segment->span,
                                                   "array `%s` has no member %d", text, segment->index);
    if (first == last)
        hbg_base_report_fix(diagnostics, report, "there is `%s[%d]` alone", text, first);
    else
        hbg_base_report_fix(diagnostics, report, "there are `%s[%d]` to `%s[%d]`", text, first, text, last);
    return true;
}

/* The intended name, or word of this language, for one that is not known. */
static void advise_unknown(hbg_elaborator *elaborator, int32_t scope, const syntax_segment *segment,
                           meant meant, hbg_diagnostic *report) {
    const char *text = name_text(elaborator, segment->name);
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, text);
    offer_members(elaborator, scope, meant, &nearest);
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const char *advice = meant == MEANT_VALUE ? hbg_lang_foreign_value(text) : NULL;
    const char *near = nearest.best && strcmp(nearest.best, text) != 0 ? nearest.best : NULL;
    if (advice && near && strcasecmp(near, text) == 0 && strcmp(near, "time") != 0)
        hbg_base_report_fix(diagnostics, report, "did you mean `%s`? Or else: %s", near, advice);
    else if (advice)
        hbg_base_report_fix(diagnostics, report, "%s", advice);
    else if (near) // `time` can be read, but not everywhere
        hbg_base_report_meant(diagnostics, report, name_span(segment, text), near);
    else if (scope != 0)
        hbg_lang_elaborate_list(elaborator, elaborator->instances.items[scope].definition,
                                meant == MEANT_PARAMETER ? hbg_lang_elaborate_takes_argument : is_port,
                                report);
    else if (meant == MEANT_VALUE)
        hbg_base_report_fix(
            diagnostics, report,
            "declare it, as `param %s = 1;` if it is constant, `input %s = 1;` if it is given from "
            "outside, or `signal %s = …;`",
            text, text, text);
}

static void report_unknown(hbg_elaborator *elaborator, int32_t scope, const syntax_segment *segment,
                           meant meant) {
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    bool wanted = hbg_base_report_wanted(diagnostics, HBG_ERROR);
    if (wanted && is_failed_instance(elaborator, scope, segment->name)) return;
    if (wanted && report_member(elaborator, scope, segment)) return;
    const char *text = name_text(elaborator, segment->name);
    if (wanted && is_bond_name(elaborator, scope, segment->name)) {
        report_bond(elaborator, segment);
        return;
    }
    if (wanted && hbg_lang_elaborate_is_text(elaborator, scope, segment->name)) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_TYPE, segment->span,
                            "`%s` is a text: it can only name a file or column of `table`", text);
        hbg_base_report_fix(diagnostics, report,
                            "an instance is given it in quotes, or the command line: `-p '%s=\"…\"'`", text);
        return;
    }
    const char *inside = scope == 0 || !wanted
                             ? ""
                             : hbg_lang_elaborate_name_of(elaborator, (hbg_object){HBG_OBJECT_SCOPE, scope});
    hbg_diagnostic *report = hbg_base_report(
        diagnostics, HBG_E_UNKNOWN, segment->span,
        scope == 0 ? "nothing here is called `%s`%s" : "nothing is called `%s` in `%s`", text, inside);
    int64_t candidates = elaborator->instances.items[scope].definition->declarations.count;
    if (!wanted || !hbg_lang_elaborate_may_suggest(elaborator, candidates)) return;
    advise_unknown(elaborator, scope, segment, meant, report);
}

hbg_name hbg_lang_elaborate_indexed(hbg_elaborator *elaborator, hbg_name name, int32_t index) {
    if (index == HBG_NONE) return name;
    hbg_names *names = elaborator->lang->names;
    const char *text =
        hbg_base_arena_print(elaborator->arena, "%s[%d]", hbg_base_names_get(names, name), index);
    return hbg_base_names_add(names, text, strlen(text));
}

hbg_object hbg_lang_elaborate_find(hbg_elaborator *elaborator, int32_t scope, const syntax_segment *segment,
                                   int32_t *index) {
    *index = HBG_NONE;
    if (segment->index != HBG_NONE) {
        hbg_name member = hbg_lang_elaborate_indexed(elaborator, segment->name, segment->index);
        hbg_object object = hbg_model_find(elaborator->model, scope, member);
        if (object.kind != HBG_OBJECT_NONE) return object;
        *index = segment->index;
    }
    return hbg_model_find(elaborator->model, scope, segment->name);
}

/* What the segment of a path may mean, if its last is this. */
static meant meant_at(const syntax_path *path, int32_t segment, meant last) {
    if (segment + 1 < path->count) return last == MEANT_PARAMETER ? MEANT_COMPONENT : MEANT_ANY;
    return segment > 0 && last == MEANT_VALUE ? MEANT_MEMBER : last;
}

static bool resolve(hbg_elaborator *elaborator, int32_t scope, const syntax_path *path, meant last,
                    hbg_resolved *result) {
    for (int32_t i = 0; i < path->count; i++) {
        const syntax_segment *segment = &path->segments[i];
        int32_t index;
        hbg_object object = hbg_lang_elaborate_find(elaborator, scope, segment, &index);
        if (object.kind == HBG_OBJECT_NONE) {
            report_unknown(elaborator, scope, segment, meant_at(path, i, last));
            return false;
        }
        *result = (hbg_resolved){object, i + 1, index};
        if (index == 0) {
            hbg_base_report(elaborator->lang->diagnostics, HBG_E_PORT, segment->span,
                            "ports are counted from 1");
            return false;
        }
        if (object.kind != HBG_OBJECT_SCOPE) return true;
        if (index != HBG_NONE) {
            hbg_base_report(elaborator->lang->diagnostics, HBG_E_NOT_A, segment->span,
                            "`%s` is a component and has no numbered ports",
                            name_text(elaborator, segment->name));
            return false;
        }
        scope = object.index;
    }
    return true;
}

bool hbg_lang_elaborate_resolve(hbg_elaborator *elaborator, int32_t scope, const syntax_path *path,
                                hbg_resolved *result) {
    return resolve(elaborator, scope, path, MEANT_ANY, result);
}

bool hbg_lang_elaborate_resolve_value(hbg_elaborator *elaborator, int32_t scope, const syntax_path *path,
                                      hbg_resolved *result) {
    return resolve(elaborator, scope, path, MEANT_VALUE, result);
}

bool hbg_lang_elaborate_resolve_parameter(hbg_elaborator *elaborator, const syntax_path *path,
                                          hbg_resolved *result) {
    return resolve(elaborator, 0, path, MEANT_PARAMETER, result);
}

/* The parameter beside it whose name differs only in case, or else where to look. */
void hbg_lang_elaborate_advise_parameter(hbg_elaborator *elaborator, hbg_diagnostic *report,
                                         const syntax_path *path) {
    const char *text = name_text(elaborator, path->segments[path->count - 1].name);
    const hbg_model *model = elaborator->model;
    for (int32_t i = 0; i < model->params.count && path->count == 1; i++) {
        const hbg_identity *id = &model->params.items[i].id;
        if (id->scope != 0 || strcasecmp(name_text(elaborator, id->name), text) != 0) continue;
        hbg_base_report_fix(elaborator->lang->diagnostics, report, "did you mean the parameter `%s`?",
                            name_text(elaborator, id->name));
        return;
    }
    hbg_base_report_fix(elaborator->lang->diagnostics, report, "`hbg list` shows the parameters of a model");
}

int32_t hbg_lang_elaborate_find_state(hbg_elaborator *elaborator, int32_t automaton, hbg_name name,
                                      hbg_span span) {
    const hbg_model *model = elaborator->model;
    const hbg_automaton *found = &model->automata.items[automaton];
    int32_t state = hbg_base_pair_map_find(&elaborator->state_names, automaton, name);
    if (state >= 0) return state;
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    if (!hbg_base_report_wanted(diagnostics, HBG_ERROR)) {
        hbg_base_report(diagnostics, HBG_E_UNKNOWN, span, "no such state");
        return HBG_NONE;
    }
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, name_text(elaborator, name));
    bool suggest = hbg_lang_elaborate_may_suggest(elaborator, found->state_count);
    for (int32_t i = 0; i < found->state_count && suggest; i++)
        hbg_base_nearest_offer(&nearest,
                               name_text(elaborator, model->states.items[found->first_state + i].name));
    hbg_diagnostic *report =
        hbg_base_report(diagnostics, HBG_E_UNKNOWN, span, "automaton `%s` has no state `%s`",
                        name_text(elaborator, found->id.name), name_text(elaborator, name));
    hbg_base_report_note(diagnostics, report, found->id.span, "the automaton is declared here");
    if (nearest.best) hbg_base_report_meant(diagnostics, report, span, nearest.best);
    return HBG_NONE;
}

/* The intended state: `closed` and `shut` stand for each other where an automaton has only one of them. */
static hbg_name meant_state(const hbg_elaborator *elaborator, int32_t automaton, hbg_name name) {
    static const char *const words[] = {"closed", "shut"};
    if (hbg_base_pair_map_find(&elaborator->state_names, automaton, name) >= 0) return name;
    for (int i = 0; i < 2; i++) {
        if (strcmp(name_text(elaborator, name), words[i]) != 0) continue;
        hbg_name other = hbg_base_names_find(elaborator->lang->names, words[1 - i], strlen(words[1 - i]));
        if (hbg_base_pair_map_find(&elaborator->state_names, automaton, other) >= 0) return other;
    }
    return name;
}

bool hbg_lang_elaborate_state(hbg_elaborator *elaborator, const syntax_expr *value, int32_t automaton,
                              int32_t *state) {
    if (value->kind != SYNTAX_PATH || value->path.count != 1) {
        hbg_diagnostic *report = hbg_base_report(elaborator->lang->diagnostics, HBG_E_EXPERIMENT, value->span,
                                                 "an automaton is given a state, by name");
        const hbg_automaton *named = &elaborator->model->automata.items[automaton];
        if (named->state_count > 0)
            hbg_base_report_fix(elaborator->lang->diagnostics, report, "such as `%s`",
                                hbg_base_names_get(elaborator->lang->names,
                                                   elaborator->model->states.items[named->first_state].name));
        return false;
    }
    hbg_name name = meant_state(elaborator, automaton, value->path.segments[0].name);
    *state = hbg_lang_elaborate_find_state(elaborator, automaton, name, value->span);
    return *state != HBG_NONE;
}

hbg_variable hbg_lang_elaborate_variable(const hbg_elaborator *elaborator, hbg_name name) {
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

/* The source of a position: sources are laid end to end in order. */
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

const char *hbg_lang_elaborate_text_at(hbg_elaborator *elaborator, uint32_t position) {
    const hbg_source *source = source_of(elaborator, position);
    return source->text + (position - source->base);
}

const char *hbg_lang_elaborate_text(hbg_elaborator *elaborator, hbg_span span) {
    return hbg_base_arena_copy(elaborator->arena, hbg_lang_elaborate_text_at(elaborator, span.start),
                               span.end - span.start);
}

const char *hbg_lang_elaborate_file_of(hbg_elaborator *elaborator, hbg_span span) {
    return source_of(elaborator, span.start)->path;
}
