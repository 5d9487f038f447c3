/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What elements would have for values if a parameter had another one: settings, faults and sweeps are judged by that, through any
 * formulas between the parameter and the element. Of a parameter the expressions that hang on it are found once; after that a
 * value costs as much as they do, so that a table of very many faults is no matter. What an experiment sets stands as it is set. */
#include <math.h>
#include <string.h>

#include "model/model_impl.h"

/* ---- what hangs on a parameter ------------------------------------------------------------------------- */

bool *hbg_check_hanging(hbg_check *check, int32_t param, const bool *is_set) {
    const hbg_model *model = check->model;
    bool *params = HBG_NEW_ARRAY(check->scratch, bool, model->params.count + 1);
    bool *exprs = HBG_NEW_ARRAY(check->scratch, bool, model->exprs.count + 1);
    params[param] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < model->exprs.count; i++) { // parts stand before what they are part of
            const hbg_expr_node *node = &model->exprs.items[i];
            if (node->op == HBG_OP_PARAM) exprs[i] = node->a >= 0 && params[node->a];
            for (int k = 0; k < hbg_expr_arity(node) && !exprs[i]; k++) {
                hbg_expr argument = hbg_expr_argument(node, k);
                exprs[i] = argument >= 0 && exprs[argument];
            }
        }
        for (int32_t i = 0; i < model->params.count; i++) {
            hbg_expr value = model->params.items[i].value;
            if (params[i] || value < 0 || !exprs[value] || (is_set && is_set[i])) continue;
            params[i] = more = true;
        }
    }
    return exprs;
}

/* Whether a fault of what hangs shows while time flows; see the places of src/fault. */
static bool has_effect(const hbg_model *model, const bool *hanging) {
#define HANGS(expr) ((expr) >= 0 && hanging[expr])
    for (int32_t i = 0; i < model->entries.count; i++)
        if (HANGS(model->entries.items[i])) return true;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (HANGS(element->restitution)) return true;
        for (int32_t k = 0; k < element->law_count; k++)
            if (HANGS(model->bindings.items[element->first_law + k].value)) return true;
    }
    for (int32_t i = 0; i < model->transitions.count; i++)
        if (HANGS(model->transitions.items[i].guard)) return true;
    for (int32_t i = 0; i < model->signals.count; i++)
        if (HANGS(model->signals.items[i].value)) return true;
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        for (int32_t k = 0; k < experiment->records.count; k++)
            if (HANGS(experiment->records.items[k].value)) return true;
        for (int32_t k = 0; k < experiment->plots.count; k++)
            if (HANGS(experiment->plots.items[k].value)) return true;
    }
    return false;
#undef HANGS
}

static bool can_mind(const hbg_element *element) {
    hbg_element_kind kind = element->kind;
    return element->value_count == 1 && (kind == HBG_KIND_C || kind == HBG_KIND_I || kind == HBG_KIND_R);
}

static void find_group(hbg_what_if *w, int32_t param, hbg_what_if_group *group) {
    hbg_check *check = w->check;
    const hbg_model *model = check->model;
    const bool *hanging = hbg_check_hanging(check, param, w->is_set);
    group->has_effect = has_effect(model, hanging);
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (hanging[i] && !isnan(model->expr_values[i])) HBG_PUSH(check->scratch, group->exprs, i);
    for (int32_t i = 0; i < model->params.count; i++) {
        hbg_expr value = model->params.items[i].value;
        if (i != param && value >= 0 && hanging[value] && !w->is_set[i])
            HBG_PUSH(check->scratch, group->params, i);
    }
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        hbg_expr entry = can_mind(element) ? model->entries.items[element->first_value] : HBG_NONE;
        if (entry >= 0 && hanging[entry] && !isnan(model->expr_values[entry]))
            HBG_PUSH(check->scratch, group->elements, i);
    }
}

static const hbg_what_if_group *group_of(hbg_what_if *w, int32_t param) {
    int32_t fresh = w->groups.count, number = hbg_pair_map_add(&w->numbers, 0, param, fresh);
    if (number == fresh) {
        hbg_what_if_group made = {0};
        find_group(w, param, &made);
        HBG_PUSH(w->check->scratch, w->groups, made);
    }
    return &w->groups.items[number];
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* Expressions stand behind their parts, parameters do not: as many rounds as they hang on one another. */
static void evaluate(hbg_what_if *w, const hbg_what_if_group *group) {
    const hbg_model *model = w->check->model;
    bool moved = true;
    for (int32_t round = 0; moved && round <= group->params.count; round++) {
        moved = false;
        for (int32_t i = 0; i < group->exprs.count; i++) {
            hbg_expr expr = group->exprs.items[i];
            w->exprs[expr] =
                hbg_model_value_again(&model->exprs.items[expr], w->exprs, w->params, w->exprs[expr]);
        }
        for (int32_t i = 0; i < group->params.count; i++) {
            int32_t param = group->params.items[i];
            double value = w->exprs[model->params.items[param].value];
            moved = moved || !(w->params[param] == value);
            w->params[param] = value;
        }
    }
}

static void set(hbg_what_if *w, int32_t param, double value) {
    w->params[param] = value;
    evaluate(w, group_of(w, param));
}

static void mark_settings(hbg_what_if *w, const hbg_experiment *experiment) {
    const hbg_model *model = w->check->model;
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        int32_t param = setting->target.index;
        if (setting->target.kind == HBG_OBJECT_PARAM && param >= 0 && !model->params.items[param].asked)
            w->is_set[param] = true;
    }
}

static void apply_settings(hbg_what_if *w, const hbg_experiment *experiment) {
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        double value;
        if (setting->target.kind != HBG_OBJECT_PARAM || setting->target.index < 0) continue;
        if (w->is_set[setting->target.index] && hbg_model_constant(w->check->model, setting->value, &value))
            set(w, setting->target.index, value);
    }
}

void hbg_what_if_init(hbg_what_if *w, hbg_check *check, const hbg_experiment *experiment) {
    const hbg_model *model = check->model;
    size_t params = (size_t)model->params.count, exprs = (size_t)model->exprs.count;
    *w = (hbg_what_if){.check = check};
    w->is_set = HBG_NEW_ARRAY(check->scratch, bool, params + 1);
    w->params = HBG_NEW_ARRAY(check->scratch, double, params + 1);
    w->exprs = HBG_NEW_ARRAY(check->scratch, double, exprs + 1);
    hbg_pair_map_init(&w->numbers, check->scratch);
    if (params > 0) memcpy(w->params, model->param_values, params * sizeof *w->params);
    if (exprs > 0) memcpy(w->exprs, model->expr_values, exprs * sizeof *w->exprs);
    if (!experiment) return;
    // of what was asked for on the command line the settings are the numbers of its axes
    const hbg_experiment *sets =
        experiment->name != 0 ? experiment
        : experiment->added_to < 0 || experiment->added_to >= model->experiments.count
            ? NULL
            : &model->experiments.items[experiment->added_to];
    if (!sets || sets->settings.count == 0) return;
    mark_settings(w, sets);
    apply_settings(w, sets);
}

double hbg_what_if_nominal(const hbg_what_if *w, int32_t param) {
    return w->params[param];
}

bool hbg_what_if_has_effect(hbg_what_if *w, int32_t param) {
    return group_of(w, param)->has_effect;
}

static void mark_faulty(hbg_what_if *w, const hbg_experiment *experiment) {
    for (int32_t i = 0; i < experiment->faults.count; i++) {
        const hbg_fault *fault = &experiment->faults.items[i];
        bool alone = experiment->faults_apart && fault->from_table;
        if (fault->target.kind == HBG_OBJECT_PARAM && fault->target.index >= 0 && !alone)
            w->faulty[fault->target.index] = true;
    }
}

static bool follows(hbg_what_if *w, int32_t param, int32_t other) {
    const hbg_what_if_group *group = group_of(w, other);
    for (int32_t i = 0; i < group->params.count; i++)
        if (group->params.items[i] == param) return true;
    return false;
}

bool hbg_what_if_meets(hbg_what_if *w, int32_t param, const hbg_experiment *experiment) {
    const hbg_model *model = w->check->model;
    if (!w->faulty) {
        w->faulty = HBG_NEW_ARRAY(w->check->scratch, bool, model->params.count + 1);
        mark_faulty(w, experiment);
        if (experiment->name == 0 && experiment->added_to >= 0)
            mark_faulty(w, &model->experiments.items[experiment->added_to]);
    }
    bool meets = false;
    if (group_of(w, param)->asked) return group_of(w, param)->meets;
    for (int32_t i = 0; i < model->params.count && !meets; i++)
        if (w->faulty[i] && i != param) meets = follows(w, param, i) || follows(w, i, param);
    hbg_what_if_group *group = &w->groups.items[group_of(w, param) - w->groups.items];
    group->asked = true;
    group->meets = meets;
    return meets;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

bool hbg_element_minds(const hbg_model *model, int32_t element, double nominal, double value) {
    hbg_element_kind kind = model->elements.items[element].kind;
    bool storage = kind == HBG_KIND_C || kind == HBG_KIND_I;
    double rounding = isfinite(nominal) ? 1e-12 * fabs(nominal) : 0;
    if (!isfinite(value)) return storage || kind == HBG_KIND_R;
    return storage ? value <= rounding : kind == HBG_KIND_R && !(nominal < 0) && value < -rounding;
}

static int32_t find_minding(const hbg_what_if *w, const hbg_what_if_group *group, double *value) {
    const hbg_model *model = w->check->model;
    for (int32_t i = 0; i < group->elements.count; i++) {
        int32_t element = group->elements.items[i];
        hbg_expr entry = model->entries.items[model->elements.items[element].first_value];
        *value = w->exprs[entry];
        if (hbg_element_minds(model, element, w->nominal[i], *value)) return element;
    }
    return HBG_NONE;
}

static void keep_nominal(hbg_what_if *w, const hbg_what_if_group *group) {
    const hbg_model *model = w->check->model;
    w->nominal = group->nominal;
    for (int32_t i = 0; i < group->elements.count; i++)
        w->nominal[i] =
            w->exprs[model->entries.items[model->elements.items[group->elements.items[i]].first_value]];
}

int32_t hbg_what_if_param(hbg_what_if *w, int32_t param, double value, double *element_value) {
    hbg_what_if_group *group = &w->groups.items[group_of(w, param) - w->groups.items];
    double nominal = w->params[param];
    if (group->elements.count == 0 || !isfinite(value)) return HBG_NONE;
    if (!group->nominal) {
        group->nominal = HBG_NEW_ARRAY(w->check->scratch, double, group->elements.count);
        keep_nominal(w, group);
    }
    w->nominal = group->nominal;
    set(w, param, value);
    int32_t found = find_minding(w, group, element_value);
    set(w, param, nominal);
    return found;
}

int32_t hbg_what_if_as_it_is(hbg_what_if *w, int32_t param, bool declared, double *element_value) {
    const hbg_model *model = w->check->model;
    const hbg_what_if_group *group = group_of(w, param);
    for (int32_t i = 0; i < group->elements.count; i++) {
        int32_t element = group->elements.items[i];
        hbg_expr entry = model->entries.items[model->elements.items[element].first_value];
        *element_value = w->exprs[entry];
        if (hbg_element_minds(model, element, declared ? model->expr_values[entry] : 0, *element_value))
            return element;
    }
    return HBG_NONE;
}

void hbg_what_if_report(hbg_what_if *w, int32_t param, int32_t element, double value, hbg_span span) {
    hbg_check *check = w->check;
    const hbg_model *model = check->model;
    const hbg_element *of = &model->elements.items[element];
    hbg_expr entry = model->entries.items[of->first_value];
    char text[HBG_DOUBLE_TEXT];
    hbg_diagnostic *report;
    if (!hbg_check_first(check, HBG_E_VALUE, span)) return;
    hbg_double_print(text, value);
    const char *path = hbg_check_path(check, HBG_OBJECT_ELEMENT, element);
    if (of->kind == HBG_KIND_R && isfinite(value))
        report = hbg_report(check->diagnostics, HBG_E_VALUE, span,
                            "this makes the resistance of `%s` negative: %s", path, text);
    else
        report = hbg_report(check->diagnostics, HBG_E_VALUE, span, "this makes the value of `%s` %s: %s",
                            path, isfinite(value) ? text : "infinite, or no number",
                            of->kind == HBG_KIND_R   ? "a resistor needs a number"
                            : of->kind == HBG_KIND_I ? "an inertia stores energy and needs a positive one"
                                                     : "a capacitor stores energy and needs a positive one");
    if (model->exprs.items[entry].op == HBG_OP_PARAM && model->exprs.items[entry].a == param) return;
    hbg_report_note(check->diagnostics, report, hbg_check_span(check, entry, of->id.span),
                    "`%s` is `%s`, which hangs on `%s`", path, hbg_check_expr(check, entry),
                    hbg_check_path(check, HBG_OBJECT_PARAM, param));
}
