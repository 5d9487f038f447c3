/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Times of experiments, of their actions and faults: each before the end, each fault's end after its
 * beginning. They are checked when a model is read, and again before runs in which parameters have other
 * values: what an experiment sets, what a sweep varies. Both checks are the same. */
#include "model/model_impl.h"

static bool value_of(const hbg_check *check, hbg_expr expr, double *value) {
    return hbg_model_constant(check->model, expr, value);
}

bool hbg_model_check_concerns(const hbg_check *check, const hbg_experiment *experiment) {
    const hbg_model *model = check->model;
    if (model->chosen < 0 || !check->asked || experiment->name == 0) return true;
    return experiment == &model->experiments.items[model->chosen];
}

/* An added part of an experiment stops with it, unless it says otherwise. */
hbg_expr hbg_model_check_stop_of(const hbg_check *check, const hbg_experiment *experiment) {
    int32_t other = experiment->name == 0 && experiment->stop < 0 ? experiment->added_to : HBG_NONE;
    if (other < 0 || other >= check->model->experiments.count) return experiment->stop;
    return check->model->experiments.items[other].stop;
}

/* An experiment without a stop time, for which the command line gives one. */
static bool borrows_stop(const hbg_check *check, const hbg_experiment *experiment) {
    const hbg_model *model = check->model;
    const hbg_experiment *last = &model->experiments.items[model->experiments.count - 1];
    return experiment->name != 0 && last->name == 0 && last->stop >= 0 && experiment->stop == last->stop;
}

/* Whether something that depends on a sweep, or belongs to another experiment than the one to be run, is not
 * to be judged now. */
static bool is_later(const hbg_check *check, const hbg_experiment *experiment, hbg_expr one, hbg_expr other) {
    if (!hbg_model_check_concerns(check, experiment)) return true;
    return check->swept && ((one >= 0 && check->swept[one]) || (other >= 0 && check->swept[other]));
}

void hbg_model_check_before_stop(hbg_check *check, const hbg_experiment *experiment, hbg_expr time,
                                 hbg_span span, const char *what) {
    double at, stop;
    hbg_expr end = hbg_model_check_stop_of(check, experiment);
    if (borrows_stop(check, experiment)) return; // what comes later is not reached
    if (is_later(check, experiment, time, end)) return;
    if (!value_of(check, time, &at) || !value_of(check, end, &stop)) return;
    hbg_span place = hbg_model_check_span(check, time, span);
    if (at <= stop || !hbg_model_check_first(check, HBG_E_EXPERIMENT, place)) return;
    char at_text[HBG_DOUBLE_TEXT], stop_text[HBG_DOUBLE_TEXT];
    hbg_base_double_print(at_text, at);
    hbg_base_double_print(stop_text, stop);
    const char *name = hbg_base_names_get(check->model->names, experiment->name);
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_EXPERIMENT, place, "%s at %s s comes after %s%s%s stopped, at %s s", what,
        at_text, name[0] ? "experiment `" : "the run has", name, name[0] ? "` has" : "", stop_text);
    hbg_base_report_note(check->diagnostics, report, hbg_model_check_span(check, end, experiment->span),
                         "it stops here");
}

void hbg_model_check_fault_times(hbg_check *check, const hbg_experiment *experiment, const hbg_fault *fault) {
    double at, until;
    hbg_model_check_before_stop(check, experiment, fault->at, fault->span, "a fault");
    if (is_later(check, experiment, fault->at, fault->until)) return;
    if (!value_of(check, fault->at, &at) || !value_of(check, fault->until, &until)) return;
    hbg_span span = hbg_model_check_span(check, fault->until, fault->span);
    if (until > at || !hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_VALUE, span, "this fault ends before it begins: `%s` is not after `%s`",
        hbg_model_check_expr(check, fault->until), hbg_model_check_expr(check, fault->at));
    hbg_base_report_note(check->diagnostics, report, hbg_model_check_span(check, fault->at, fault->span),
                         "it begins here");
}

/* ---- once more, before a run --------------------------------------------------------------------------- */

struct hbg_recheck {
    int32_t experiments[2];
    HBG_VEC(hbg_site) sites; /* except those of faults, of which a run has only some */
};

/* Who lists the sites. */
typedef struct {
    hbg_check check; /* first: the visitor knows of nothing else */
    hbg_arena *arena;
    hbg_recheck *made;
    const bool *moved;
} listing;

static void list_site(hbg_check *check, const hbg_site *site) {
    listing *l = (listing *)check;
    bool inside = site->experiment != HBG_NONE, wanted = hbg_model_site_info_get(site->kind)->constant;
    if (l->moved && !l->moved[site->expr]) return;
    if (inside && site->experiment != l->made->experiments[0] && site->experiment != l->made->experiments[1])
        return;
    switch (site->kind) {
    case HBG_SITE_PARAM:
    case HBG_SITE_SPREAD:
    case HBG_SITE_FAULT_AT:
    case HBG_SITE_FAULT_UNTIL:
    case HBG_SITE_FAULT_VALUE:
    case HBG_SITE_FAULT_VARIANCE:
    case HBG_SITE_RANGE_BOUND: wanted = false; break;
    case HBG_SITE_SETTING: // in a request these are the numbers of a sweep
        wanted = check->model->experiments.items[site->experiment].name != 0;
        break;
    default: break;
    }
    if (wanted) HBG_PUSH(l->arena, l->made->sites, *site);
}

hbg_recheck *hbg_model_recheck_new(hbg_arena *arena, hbg_model *model, const int32_t experiments[2],
                                   const bool *moved) {
    listing l = {.arena = arena, .made = HBG_NEW(arena, hbg_recheck), .moved = moved};
    l.made->experiments[0] = experiments[0];
    l.made->experiments[1] = experiments[1];
    hbg_model_check_init(&l.check, model, model->diagnostics, arena);
    hbg_model_sites_each(&l.check, list_site);
    return l.made;
}

static void recheck_fault(hbg_check *check, int32_t experiment, const hbg_fault *fault) {
    const struct {
        hbg_site_kind kind;
        hbg_expr expr;
    } parts[] = {{HBG_SITE_FAULT_AT, fault->at},
                 {HBG_SITE_FAULT_UNTIL, fault->until},
                 {HBG_SITE_FAULT_VALUE, fault->value},
                 {HBG_SITE_FAULT_VARIANCE, fault->value2}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        hbg_site site = {.kind = parts[i].kind,
                         .owner = {HBG_OBJECT_NONE, HBG_NONE},
                         .experiment = experiment,
                         .expr = parts[i].expr,
                         .span = fault->span};
        if (site.expr >= 0) hbg_model_check_site_value(check, &site);
    }
    hbg_model_check_fault_times(check, &check->model->experiments.items[experiment], fault);
}

bool hbg_model_recheck_fits(const hbg_recheck *recheck, hbg_model *model, const int32_t *chosen,
                            int32_t count, hbg_arena *scratch, hbg_diagnostics *diagnostics) {
    hbg_check check;
    int64_t errors = diagnostics->errors;
    hbg_model_check_init(&check, model, diagnostics, scratch);
    for (int32_t i = 0; i < recheck->sites.count; i++)
        hbg_model_check_site_value(&check, &recheck->sites.items[i]);
    int32_t before = 0, next = 0;
    for (int k = 0; k < 2; k++) {
        if (recheck->experiments[k] == HBG_NONE) continue;
        const hbg_experiment *experiment = &model->experiments.items[recheck->experiments[k]];
        for (int32_t i = 0; i < experiment->actions.count; i++) {
            const hbg_action *action = &experiment->actions.items[i];
            hbg_model_check_before_stop(&check, experiment, action->time, action->span, "an action");
        }
        int32_t end = before + experiment->faults.count;
        for (int32_t i = before; !chosen && i < end; i++)
            recheck_fault(&check, recheck->experiments[k], &experiment->faults.items[i - before]);
        for (; chosen && next < count && chosen[next] < end; next++)
            recheck_fault(&check, recheck->experiments[k], &experiment->faults.items[chosen[next] - before]);
        before = end;
    }
    return diagnostics->errors == errors;
}
