/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values of elements if a parameter had another value: settings, faults and sweeps are judged by that,
 * through any formulas between the parameter and the element. The expressions that depend on a parameter are
 * found once; after that a value costs only their evaluation, so even a table of very many faults is cheap.
 * Values that an experiment sets stay as set. */
#include <math.h>
#include <string.h>

#include "model/model_impl.h"
#include "rt/bands.h"

/* ---- what hangs on a parameter ------------------------------------------------------------------------- */

bool *hbg_model_check_hanging(hbg_check *check, int32_t param, const bool *is_set) {
    const hbg_model *model = check->model;
    bool *params = HBG_NEW_ARRAY(check->scratch, bool, model->params.count + 1);
    bool *exprs = HBG_NEW_ARRAY(check->scratch, bool, model->exprs.count + 1);
    params[param] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < model->exprs.count; i++) { // parts come before what they are part of
            const hbg_expr_node *node = &model->exprs.items[i];
            if (node->op == HBG_OP_PARAM) exprs[i] = node->a >= 0 && params[node->a];
            for (int k = 0; k < hbg_model_expr_arity(node) && !exprs[i]; k++) {
                hbg_expr argument = hbg_model_expr_argument(node, k);
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

/* Whether a fault of the dependents has an effect while time advances; see the places of src/fault. */
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

static void open_passives(hbg_what_if *w) {
    if (w->room) return;
    w->passives = hbg_model_passives_new(w->check->scratch, w->check->model, false);
    w->room = HBG_NEW_ARRAY(w->check->scratch, double, hbg_model_passive_room(&w->passives));
}

static void find_group(hbg_what_if *w, int32_t param, hbg_what_if_group *group) {
    hbg_check *check = w->check;
    const hbg_model *model = check->model;
    const bool *hanging = hbg_model_check_hanging(check, param, w->is_set);
    open_passives(w);
    group->has_effect = has_effect(model, hanging);
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (hanging[i] && !isnan(model->expr_values[i])) HBG_PUSH(check->scratch, group->exprs, i);
    for (int32_t i = 0; i < model->params.count; i++) {
        hbg_expr value = model->params.items[i].value;
        if (i != param && value >= 0 && hanging[value] && !w->is_set[i])
            HBG_PUSH(check->scratch, group->params, i);
    }
    for (int32_t i = 0; i < model->elements.count; i++)
        if (hbg_model_passive_hangs(&w->passives, i, hanging)) HBG_PUSH(check->scratch, group->elements, i);
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_expr restitution = model->elements.items[i].restitution;
        if (restitution >= 0 && hanging[restitution]) HBG_PUSH(check->scratch, group->junctions, i);
    }
}

static const hbg_what_if_group *group_of(hbg_what_if *w, int32_t param) {
    int32_t fresh = w->groups.count, number = hbg_base_pair_map_add(&w->numbers, 0, param, fresh);
    if (number == fresh) {
        hbg_what_if_group made = {0};
        find_group(w, param, &made);
        HBG_PUSH(w->check->scratch, w->groups, made);
    }
    return &w->groups.items[number];
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* Expressions come after their parts, parameters do not: one round for each level of dependence. */
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

void hbg_model_what_if_set(hbg_what_if *w, int32_t param, double value) {
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

/* The whole model at once, however many settings there are. */
static void apply_settings(hbg_what_if *w, const hbg_experiment *experiment) {
    const hbg_model *model = w->check->model;
    hbg_what_if_group all = {0};
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        double value;
        if (setting->target.kind != HBG_OBJECT_PARAM || setting->target.index < 0) continue;
        if (w->is_set[setting->target.index] && hbg_model_constant(model, setting->value, &value))
            w->params[setting->target.index] = value;
    }
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (!isnan(model->expr_values[i])) HBG_PUSH(w->check->scratch, all.exprs, i);
    for (int32_t i = 0; i < model->params.count; i++)
        if (model->params.items[i].value >= 0 && !w->is_set[i]) HBG_PUSH(w->check->scratch, all.params, i);
    evaluate(w, &all);
}

void hbg_model_what_if_init(hbg_what_if *w, hbg_check *check, const hbg_experiment *experiment) {
    const hbg_model *model = check->model;
    size_t params = (size_t)model->params.count, exprs = (size_t)model->exprs.count;
    *w = (hbg_what_if){.check = check};
    w->is_set = HBG_NEW_ARRAY(check->scratch, bool, params + 1);
    w->params = HBG_NEW_ARRAY(check->scratch, double, params + 1);
    w->exprs = HBG_NEW_ARRAY(check->scratch, double, exprs + 1);
    hbg_base_pair_map_init(&w->numbers, check->scratch);
    if (params > 0) memcpy(w->params, model->param_values, params * sizeof *w->params);
    if (exprs > 0) memcpy(w->exprs, model->expr_values, exprs * sizeof *w->exprs);
    if (!experiment) return;
    // in the request of the command line the settings are the numbers of its axes
    const hbg_experiment *sets =
        experiment->name != 0 ? experiment
        : experiment->added_to < 0 || experiment->added_to >= model->experiments.count
            ? NULL
            : &model->experiments.items[experiment->added_to];
    if (!sets || sets->settings.count == 0) return;
    mark_settings(w, sets);
    apply_settings(w, sets);
}

double hbg_model_what_if_nominal(const hbg_what_if *w, int32_t param) {
    return w->params[param];
}

bool hbg_model_what_if_has_effect(hbg_what_if *w, int32_t param) {
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

bool hbg_model_what_if_meets(hbg_what_if *w, int32_t param, const hbg_experiment *experiment) {
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
    const hbg_what_if_group *of = group_of(w, param); // which may move them
    hbg_what_if_group *group = &w->groups.items[of - w->groups.items];
    group->asked = true;
    group->meets = meets;
    return meets;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static double *nominal_of(const hbg_what_if_group *group, int32_t number) {
    return group->nominal + (size_t)number * HBG_PASSIVE_DRAWS;
}

static bool find_lost(hbg_what_if *w, const hbg_what_if_group *group, hbg_lost *lost) {
    for (int32_t i = 0; i < group->elements.count; i++)
        if (hbg_model_passive_lost(&w->passives, group->elements.items[i], w->room, hbg_model_value_in_array,
                                   w->exprs, nominal_of(group, i), lost))
            return true;
    return false;
}

static void keep_nominal(hbg_what_if *w, const hbg_what_if_group *group, const double *exprs) {
    for (int32_t i = 0; i < group->elements.count; i++)
        hbg_model_passive_nominal(&w->passives, group->elements.items[i], w->room, hbg_model_value_in_array,
                                  exprs, nominal_of(group, i));
}

static double *new_nominal(hbg_what_if *w, const hbg_what_if_group *group) {
    return HBG_NEW_ARRAY(w->check->scratch, double, (size_t)group->elements.count *HBG_PASSIVE_DRAWS);
}

bool hbg_model_bounces(double restitution) {
    return restitution >= -HBG_RT_MEANT && restitution <= 1 + HBG_RT_MEANT;
}

bool hbg_model_bounces_by(const hbg_model *model, int32_t junction, double restitution) {
    return hbg_model_loses_energy(model, junction) ? restitution >= 0 : hbg_model_bounces(restitution);
}

static bool find_bounce(const hbg_what_if *w, const hbg_what_if_group *group, hbg_lost *lost) {
    for (int32_t i = 0; i < group->junctions.count; i++) {
        int32_t junction = group->junctions.items[i];
        hbg_expr restitution = w->check->model->elements.items[junction].restitution;
        double value = w->exprs[restitution];
        if (isnan(value) || hbg_model_bounces_by(w->check->model, junction, value)) continue;
        *lost = (hbg_lost){.kind = HBG_LOST_BOUNCE, .element = junction, .value = value, .row = HBG_NONE};
        return true;
    }
    return false;
}

/* Whether its dependents have a valid restitution without the change, computed on demand. */
static bool bounced(const hbg_what_if *w, const hbg_what_if_group *group) {
    for (int32_t i = 0; i < group->junctions.count; i++) {
        int32_t junction = group->junctions.items[i];
        double value = w->exprs[w->check->model->elements.items[junction].restitution];
        if (!isnan(value) && !hbg_model_bounces_by(w->check->model, junction, value)) return false;
    }
    return group->junctions.count > 0;
}

bool hbg_model_what_if_param(hbg_what_if *w, int32_t param, double value, hbg_lost *lost) {
    const hbg_what_if_group *of = group_of(w, param); // which may move them
    hbg_what_if_group *group = &w->groups.items[of - w->groups.items];
    double nominal = w->params[param];
    if (group->elements.count + group->junctions.count == 0 || !isfinite(value)) return false;
    bool fine = bounced(w, group);
    if (!group->nominal) {
        group->nominal = new_nominal(w, group);
        keep_nominal(w, group, w->exprs);
    }
    hbg_model_what_if_set(w, param, value);
    bool found = find_lost(w, group, lost) || (fine && find_bounce(w, group, lost));
    hbg_model_what_if_set(w, param, nominal);
    return found;
}

/* Whether there is an element at all that these values, beside the declared ones, make invalid. */
static bool is_any_lost(hbg_what_if *w, const double *declared) {
    const hbg_model *model = w->check->model;
    hbg_what_if_group all = {0};
    hbg_lost lost;
    open_passives(w);
    for (int32_t i = 0; i < model->elements.count; i++)
        if (w->passives.of[i]) HBG_PUSH(w->check->scratch, all.elements, i);
    all.nominal = new_nominal(w, &all);
    keep_nominal(w, &all, declared);
    return find_lost(w, &all, &lost);
}

bool hbg_model_what_if_as_it_is(hbg_what_if *w, int32_t param, const double *declared, hbg_lost *lost) {
    if (!w->looked) w->any_lost = is_any_lost(w, declared);
    w->looked = true;
    if (!w->any_lost) return false; // as nearly always: then the dependents of each parameter do not matter
    hbg_what_if_group group = *group_of(w, param);
    group.nominal = new_nominal(w, &group);
    keep_nominal(w, &group, declared);
    return find_lost(w, &group, lost);
}

/* Where an element gives its value, or the first of its laws. */
static hbg_expr own_expr(const hbg_model *model, int32_t element) {
    const hbg_element *of = &model->elements.items[element];
    if (of->law_count > 0) return model->bindings.items[of->first_law].value;
    return model->entries.items[of->first_value];
}

hbg_diagnostic *hbg_model_what_if_report(hbg_what_if *w, int32_t param, const hbg_lost *lost, hbg_span span) {
    hbg_check *check = w->check;
    const hbg_model *model = check->model;
    const hbg_element *of = &model->elements.items[lost->element];
    hbg_expr own = lost->kind == HBG_LOST_BOUNCE ? of->restitution : own_expr(model, lost->element);
    if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return NULL;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, lost->element);
    hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "this makes %s",
                                             hbg_model_lost_text(check->scratch, model, lost, path, ""));
    if (model->exprs.items[own].op == HBG_OP_PARAM && model->exprs.items[own].a == param) return report;
    hbg_span place = hbg_model_check_span(check, own, of->id.span);
    const char *name = hbg_model_check_path(check, HBG_OBJECT_PARAM, param);
    if (of->law_count > 0 || of->value_count > 1)
        hbg_base_report_note(check->diagnostics, report, of->law_count > 0 ? place : of->id.span,
                             "%s of `%s` hangs on `%s`", of->law_count > 0 ? "the law" : "the matrix", path,
                             name);
    else
        hbg_base_report_note(check->diagnostics, report, place, "`%s` is `%s`, which hangs on `%s`", path,
                             hbg_model_check_expr(check, own), name);
    return report;
}
