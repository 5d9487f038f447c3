/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration of experiments and verify blocks. All of them use paths from the top of the model. */
#include "hbg/policy.h"
#include "lang/elaborate_impl.h"

#include <string.h>

static hbg_expr lower(hbg_elaborator *elaborator, const syntax_expr *expr) {
    hbg_lowering lowering = {elaborator, 0, HBG_NONE, NULL};
    return hbg_lang_elaborate_lower(&lowering, expr);
}

static hbg_diagnostics *diagnostics_of(hbg_elaborator *elaborator) {
    return elaborator->lang->diagnostics;
}

/* ---- settings ----------------------------------------------------------------------------------------- */

/* `set coil.p = …`: an initial value of a storage. */
static bool read_initial(hbg_elaborator *elaborator, const syntax_path *path, hbg_resolved found,
                         hbg_setting *setting) {
    const hbg_element *element = &elaborator->model->elements.items[found.object.index];
    bool storage = element->kind == HBG_KIND_C || element->kind == HBG_KIND_I;
    const char *letters = hbg_model_element_info_get(element->form)->variables;
    const char *text = found.used + 1 == path->count
                           ? hbg_base_names_get(elaborator->lang->names, path->segments[found.used].name)
                           : "";
    if (!storage || strlen(text) != 1 || !strchr(letters, text[0])) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics_of(elaborator), HBG_E_EXPERIMENT, hbg_lang_path_span(path),
                            "`%s` cannot be set", hbg_lang_elaborate_path_text(elaborator, path));
        hbg_base_report_fix(
            diagnostics_of(elaborator), report,
            "set a parameter, an initial `q`, `p`, `e` or `f` of a storage, or the state of an automaton");
        return false;
    }
    setting->variable = hbg_lang_elaborate_variable(elaborator, path->segments[found.used].name);
    setting->port = found.index == HBG_NONE ? 1 : found.index;
    if (setting->port <= element->ports && (found.index != HBG_NONE || element->ports == 1)) return true;
    hbg_base_report(diagnostics_of(elaborator), HBG_E_PORT, hbg_lang_path_span(path),
                    "say which of the %d ports is meant", element->ports);
    return false;
}

static bool read_setting(hbg_elaborator *elaborator, const syntax_setting *syntax, hbg_setting *setting) {
    hbg_resolved found;
    const syntax_path *path = &syntax->target;
    if (!hbg_lang_elaborate_resolve(elaborator, 0, path, &found)) return false;
    *setting = (hbg_setting){
        .target = found.object, .state = HBG_NONE, .value = HBG_NONE, .span = hbg_lang_path_span(path)};
    if (found.object.kind == HBG_OBJECT_AUTOMATON && found.used == path->count)
        return hbg_lang_elaborate_state(elaborator, syntax->value, found.object.index, &setting->state);
    bool parameter = found.object.kind == HBG_OBJECT_PARAM && found.used == path->count;
    if (found.object.kind == HBG_OBJECT_ELEMENT) {
        if (!read_initial(elaborator, path, found, setting)) return false;
    } else if (!parameter) {
        hbg_base_report(diagnostics_of(elaborator), HBG_E_EXPERIMENT, hbg_lang_path_span(path),
                        "`%s` cannot be set: it is no parameter, initial value or automaton",
                        hbg_lang_elaborate_path_text(elaborator, path));
        return false;
    }
    if (parameter)
        hbg_lang_elaborate_check_bare(elaborator, hbg_lang_elaborate_path_text(elaborator, path),
                                      elaborator->model->params.items[found.object.index].unit,
                                      syntax->value);
    setting->value = lower(elaborator, syntax->value);
    return true;
}

/* ---- actions ------------------------------------------------------------------------------------------ */

static bool read_action(hbg_elaborator *elaborator, const syntax_action *syntax, hbg_action *action) {
    hbg_resolved found;
    hbg_diagnostics *diagnostics = diagnostics_of(elaborator);
    if (!hbg_lang_elaborate_resolve(elaborator, 0, &syntax->target, &found)) return false;
    const hbg_signal *signal =
        found.object.kind == HBG_OBJECT_SIGNAL ? &elaborator->model->signals.items[found.object.index] : NULL;
    const char *name = hbg_lang_elaborate_path_text(elaborator, &syntax->target);
    if (!signal || signal->kind != HBG_SIGNAL_INPUT || found.used < syntax->target.count) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_EXPERIMENT, hbg_lang_path_span(&syntax->target),
                            "`%s` is not an input, so an experiment cannot change it", name);
        hbg_base_report_fix(diagnostics, report,
                            "declare an input, such as `input bool sw = false;`, and let it act");
        return false;
    }
    bool event = signal->type == HBG_TYPE_EVENT;
    if (event != (syntax->value == NULL)) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_EXPERIMENT, hbg_lang_path_span(&syntax->target),
                            event ? "`%s` is an event and takes no value" : "input `%s` needs a value", name);
        hbg_base_report_fix(diagnostics, report, event ? "write `at …: %s;`" : "write `at …: %s = …;`", name);
        return false;
    }
    *action = (hbg_action){HBG_NONE, found.object.index, HBG_NONE, hbg_lang_path_span(&syntax->target)};
    action->time = lower(elaborator, syntax->time);
    action->value = lower(elaborator, syntax->value);
    return true;
}

/* ---- experiments -------------------------------------------------------------------------------------- */

/* One value, named as it is written; with its indices as numbers where it is a name. */
static hbg_record record_of(hbg_elaborator *elaborator, const syntax_expr *syntax) {
    hbg_expr value = lower(elaborator, syntax);
    const char *text = hbg_lang_elaborate_text(elaborator, syntax->span);
    const char *path =
        syntax->kind == SYNTAX_PATH ? hbg_lang_elaborate_path_text(elaborator, &syntax->path) : "";
    if (strchr(path, '[')) text = path;
    return (hbg_record){value, hbg_base_arena_copy(elaborator->model->arena, text, strlen(text)), NULL};
}

/* The first segment of the path that names an array and not a member, with the scope it is in; HBG_NONE if
 * there is none. */
static int32_t find_array(hbg_elaborator *elaborator, const syntax_path *path, int32_t *scope) {
    *scope = 0;
    for (int32_t i = 0; i < path->count; i++) {
        int32_t port;
        hbg_object object = hbg_lang_elaborate_find(elaborator, *scope, &path->segments[i], &port);
        if (object.kind == HBG_OBJECT_NONE) return path->segments[i].index == HBG_NONE ? i : HBG_NONE;
        if (object.kind != HBG_OBJECT_SCOPE) return HBG_NONE;
        *scope = object.index;
    }
    return HBG_NONE;
}

static void add_members(hbg_elaborator *elaborator, const syntax_expr *syntax, int depth,
                        hbg_records *records) {
    int32_t scope, at = syntax->kind == SYNTAX_PATH && depth < 8
                            ? find_array(elaborator, &syntax->path, &scope)
                            : HBG_NONE;
    int first, last;
    if (at == HBG_NONE ||
        hbg_lang_elaborate_members(elaborator, scope, syntax->path.segments[at].name, &first, &last) == 0) {
        HBG_PUSH(elaborator->model->arena, *records, record_of(elaborator, syntax));
        return;
    }
    for (int k = first; k <= last; k++) {
        syntax_expr *member = HBG_NEW(elaborator->arena, syntax_expr);
        *member = *syntax;
        member->path.segments = HBG_NEW_ARRAY(elaborator->arena, syntax_segment, syntax->path.count);
        memcpy(member->path.segments, syntax->path.segments,
               (size_t)syntax->path.count * sizeof(syntax_segment));
        member->path.segments[at].name =
            hbg_lang_elaborate_indexed(elaborator, syntax->path.segments[at].name, k);
        add_members(elaborator, member, depth + 1, records);
    }
}

void hbg_lang_elaborate_records(hbg_elaborator *elaborator, const syntax_expr *syntax, hbg_records *records) {
    add_members(elaborator, syntax, 0, records);
}

/* A relative tolerance, between machine precision and 1. */
static double read_tolerance(hbg_elaborator *elaborator, const syntax_expr *syntax) {
    double value = 0;
    hbg_expr number = lower(elaborator, syntax);
    if (number == HBG_NONE) return 0;
    bool constant = hbg_model_constant(elaborator->model, number, &value);
    if (constant && value >= HBG_RTOL_LEAST && value < HBG_RTOL_MOST) return value;
    hbg_diagnostic *report = constant
                                 ? hbg_base_report(diagnostics_of(elaborator), HBG_E_VALUE, syntax->span,
                                                   "the tolerance is relative: a number from %g to 1, not %g",
                                                   HBG_RTOL_LEAST, value)
                                 : hbg_base_report(diagnostics_of(elaborator), HBG_E_NOT_CONSTANT,
                                                   syntax->span, "the tolerance is a number");
    hbg_base_report_fix(diagnostics_of(elaborator), report, "write `tolerance 1e-9;`");
    return 0;
}

static void read_experiment(hbg_elaborator *elaborator, const syntax_experiment *syntax) {
    hbg_model *model = elaborator->model;
    hbg_experiment experiment = {
        .name = syntax->name, .added_to = HBG_NONE, .span = syntax->span, .doc = syntax->doc};
    experiment.stop = lower(elaborator, syntax->stop);
    experiment.solver = syntax->solver;
    experiment.step = lower(elaborator, syntax->step);
    experiment.record_every = lower(elaborator, syntax->record_every);
    experiment.tolerance = syntax->tolerance ? read_tolerance(elaborator, syntax->tolerance) : 0;
    for (int32_t i = 0; i < syntax->settings.count; i++) {
        hbg_setting setting;
        if (read_setting(elaborator, &syntax->settings.items[i], &setting))
            HBG_PUSH(model->arena, experiment.settings, setting);
    }
    for (int32_t i = 0; i < syntax->actions.count; i++) {
        hbg_action action;
        if (read_action(elaborator, &syntax->actions.items[i], &action))
            HBG_PUSH(model->arena, experiment.actions, action);
    }
    for (int32_t i = 0; i < syntax->faults.count; i++) {
        hbg_fault fault;
        if (hbg_lang_elaborate_fault(elaborator, &syntax->faults.items[i], &fault))
            HBG_PUSH(model->arena, experiment.faults, fault);
    }
    for (int32_t i = 0; i < syntax->records.count; i++)
        hbg_lang_elaborate_records(elaborator, syntax->records.items[i], &experiment.records);
    for (int32_t i = 0; i < syntax->plots.count; i++)
        hbg_lang_elaborate_records(elaborator, syntax->plots.items[i], &experiment.plots);
    HBG_PUSH(model->arena, model->experiments, experiment);
}

static void check_experiment_names(hbg_elaborator *elaborator) {
    hbg_pair_map names;
    hbg_base_pair_map_init(&names, elaborator->arena);
    for (int32_t i = 0; i < elaborator->model->experiments.count; i++) {
        const hbg_experiment *experiment = &elaborator->model->experiments.items[i];
        int32_t first = hbg_base_pair_map_add(&names, 0, experiment->name, i);
        if (first == i) continue;
        hbg_diagnostic *report =
            hbg_base_report(diagnostics_of(elaborator), HBG_E_DUPLICATE, experiment->span,
                            "there are two experiments called `%s`",
                            hbg_base_names_get(elaborator->lang->names, experiment->name));
        hbg_base_report_note(diagnostics_of(elaborator), report,
                             elaborator->model->experiments.items[first].span, "the first is declared here");
    }
}

/* The junction of a loss, which has to have restitution: losses of others are not followed. */
static bool read_lost(hbg_elaborator *elaborator, const syntax_always *syntax, hbg_always *always) {
    const syntax_path *path = &syntax->lost->path;
    hbg_model *model = elaborator->model;
    hbg_resolved found;
    if (syntax->lost->kind != SYNTAX_PATH || !hbg_lang_elaborate_resolve(elaborator, 0, path, &found))
        return false;
    const hbg_element *element = found.object.kind == HBG_OBJECT_ELEMENT && found.used == path->count
                                     ? &model->elements.items[found.object.index]
                                     : NULL;
    if (!element || element->ports > 0 || element->restitution == HBG_NONE) {
        hbg_diagnostic *report =
            hbg_base_report(diagnostics_of(elaborator), HBG_E_NOT_A, hbg_lang_path_span(path),
                            "`%s` is no junction with restitution: what it loses in a jump is not told apart",
                            hbg_lang_elaborate_path_text(elaborator, path));
        hbg_base_report_fix(diagnostics_of(elaborator), report,
                            "write `restitution` behind the condition of the junction that collides");
        return false;
    }
    hbg_span span = hbg_lang_path_span(path);
    hbg_operator leaf = element->kind == HBG_KIND_ZERO ? HBG_OP_EFFORT : HBG_OP_FLOW;
    hbg_expr pulsing = hbg_model_add_expr(model, leaf, found.object.index, 0, HBG_NONE, span);
    always->junction = found.object.index;
    always->pulse = hbg_model_add_expr(model, HBG_OP_IMPULSE, pulsing, HBG_NONE, HBG_NONE, span);
    return true;
}

static void read_always(hbg_elaborator *elaborator, const syntax_always *syntax) {
    hbg_always always = {
        .junction = HBG_NONE, .pulse = HBG_NONE, .strict = syntax->strict, .span = syntax->span};
    if (syntax->lost && !read_lost(elaborator, syntax, &always)) return;
    always.value = lower(elaborator, syntax->value);
    if (always.value != HBG_NONE) HBG_PUSH(elaborator->model->arena, elaborator->model->always, always);
}

void hbg_lang_elaborate_experiments(hbg_elaborator *elaborator) {
    hbg_model *model = elaborator->model;
    const syntax_definition *definition = elaborator->instances.items[0].definition;
    for (int32_t i = 0; i < definition->experiments.count; i++)
        read_experiment(elaborator, &definition->experiments.items[i]);
    check_experiment_names(elaborator);
    for (int32_t i = 0; i < definition->ranges.count; i++) {
        const syntax_range *syntax = &definition->ranges.items[i];
        hbg_range range = {.span = syntax->span};
        range.value = lower(elaborator, syntax->value);
        range.low = lower(elaborator, syntax->low);
        range.high = lower(elaborator, syntax->high);
        HBG_PUSH(model->arena, model->ranges, range);
    }
    for (int32_t i = 0; i < definition->assumptions.count; i++)
        HBG_PUSH(model->arena, model->assumptions, lower(elaborator, definition->assumptions.items[i]));
    for (int32_t i = 0; i < definition->always.count; i++)
        read_always(elaborator, &definition->always.items[i]);
}
