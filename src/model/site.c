/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sites: every place of a model where an expression stands, and what may stand there. The passes walk the
 * sites instead of the tables, so that no pass forgets a place. */
#include "model/model_impl.h"

static const hbg_site_info infos[HBG_SITE_COUNT] = {
#define X(id, text, type, constant, time, bound)                                                             \
    [HBG_SITE_##id] = {text, HBG_WANT_##type, constant, time, HBG_BOUND_##bound},
    HBG_SITE_LIST(X)
#undef X
};

const hbg_site_info *hbg_model_site_info_get(hbg_site_kind kind) {
    return &infos[kind];
}

typedef struct {
    hbg_check *check;
    void (*visit)(hbg_check *check, const hbg_site *site);
    hbg_site site; /* owner, experiment and span of what is being walked */
} walker;

static void site(walker *w, hbg_site_kind kind, int32_t item, hbg_expr expr) {
    if (expr < 0) return;
    w->site.kind = kind;
    w->site.item = item;
    w->site.expr = expr;
    w->visit(w->check, &w->site);
}

static void own(walker *w, hbg_object_kind kind, int32_t index, hbg_span span) {
    w->site = (hbg_site){.owner = {kind, index}, .experiment = HBG_NONE, .span = span};
}

static void walk_element(walker *w, int32_t index) {
    const hbg_model *model = w->check->model;
    const hbg_element *element = &model->elements.items[index];
    own(w, HBG_OBJECT_ELEMENT, index, element->id.span);
    for (int32_t i = 0; i < element->value_count; i++)
        site(w, HBG_SITE_VALUE, i, model->entries.items[element->first_value + i]);
    for (int32_t i = 0; i < element->law_count; i++)
        site(w, HBG_SITE_LAW, i, model->bindings.items[element->first_law + i].value);
    for (int32_t i = 0; i < element->initial_count; i++)
        site(w, HBG_SITE_INITIAL, i, model->bindings.items[element->first_initial + i].value);
    site(w, HBG_SITE_CONTROL, 0, element->control);
    site(w, HBG_SITE_RESTITUTION, 0, element->restitution);
}

static void walk_automaton(walker *w, int32_t index) {
    const hbg_model *model = w->check->model;
    const hbg_automaton *automaton = &model->automata.items[index];
    own(w, HBG_OBJECT_AUTOMATON, index, automaton->id.span);
    site(w, HBG_SITE_AUTOMATON_EVERY, 0, automaton->every);
    for (int32_t s = 0; s < automaton->state_count; s++) {
        const hbg_automaton_state *state = &model->states.items[automaton->first_state + s];
        for (int32_t t = 0; t < state->transition_count; t++) {
            int32_t transition = state->first_transition + t;
            w->site.span = model->transitions.items[transition].span;
            site(w, HBG_SITE_GUARD, transition, model->transitions.items[transition].guard);
            site(w, HBG_SITE_AFTER, transition, model->transitions.items[transition].after);
        }
    }
}

static void walk_signal(walker *w, int32_t index) {
    const hbg_signal *signal = &w->check->model->signals.items[index];
    own(w, HBG_OBJECT_SIGNAL, index, signal->id.span);
    site(w, HBG_SITE_SIGNAL, 0, signal->value);
    site(w, HBG_SITE_STATE_INITIAL, 0, signal->initial);
    site(w, HBG_SITE_SIGNAL_EVERY, 0, signal->every);
    site(w, HBG_SITE_NOISE_MEAN, 0, signal->noise_mean);
    site(w, HBG_SITE_NOISE_VARIANCE, 0, signal->noise_variance);
}

static void walk_changes(walker *w, const hbg_experiment *experiment) {
    hbg_site outer = w->site;
    for (int32_t i = 0; i < experiment->settings.count; i++) {
        const hbg_setting *setting = &experiment->settings.items[i];
        w->site.owner = setting->target;
        w->site.span = setting->span;
        site(w, HBG_SITE_SETTING, i, setting->value);
    }
    for (int32_t i = 0; i < experiment->actions.count; i++) {
        const hbg_action *action = &experiment->actions.items[i];
        w->site = outer;
        w->site.span = action->span;
        site(w, HBG_SITE_ACTION_TIME, i, action->time);
        w->site.owner = (hbg_object){HBG_OBJECT_SIGNAL, action->signal};
        site(w, HBG_SITE_ACTION_VALUE, i, action->value);
    }
    w->site = outer;
    for (int32_t i = 0; i < experiment->faults.count; i++) {
        const hbg_fault *fault = &experiment->faults.items[i];
        w->site.span = fault->span;
        site(w, HBG_SITE_FAULT_AT, i, fault->at);
        site(w, HBG_SITE_FAULT_UNTIL, i, fault->until);
        site(w, HBG_SITE_FAULT_VALUE, i, fault->value);
        site(w, HBG_SITE_FAULT_VARIANCE, i, fault->value2);
    }
    w->site = outer;
}

static void walk_experiment(walker *w, int32_t index) {
    const hbg_experiment *experiment = &w->check->model->experiments.items[index];
    own(w, HBG_OBJECT_NONE, HBG_NONE, experiment->span);
    w->site.experiment = index;
    site(w, HBG_SITE_STOP, 0, experiment->stop);
    site(w, HBG_SITE_STEP, 0, experiment->step);
    site(w, HBG_SITE_RECORD_EVERY, 0, experiment->record_every);
    walk_changes(w, experiment);
    for (int32_t i = 0; i < experiment->axes.count; i++)
        site(w, HBG_SITE_SPREAD, i, experiment->axes.items[i].spread);
    for (int32_t i = 0; i < experiment->records.count; i++)
        site(w, HBG_SITE_RECORD, i, experiment->records.items[i].value);
    for (int32_t i = 0; i < experiment->plots.count; i++)
        site(w, HBG_SITE_RECORD, i, experiment->plots.items[i].value);
}

static void walk_verification(walker *w) {
    const hbg_model *model = w->check->model;
    own(w, HBG_OBJECT_SCOPE, 0, model->span);
    for (int32_t i = 0; i < model->ranges.count; i++) {
        const hbg_range *range = &model->ranges.items[i];
        w->site.span = range->span;
        site(w, HBG_SITE_RANGE_VALUE, i, range->value);
        site(w, HBG_SITE_RANGE_BOUND, i, range->low);
        site(w, HBG_SITE_RANGE_BOUND, i, range->high);
    }
    w->site.span = model->span;
    for (int32_t i = 0; i < model->assumptions.count; i++)
        site(w, HBG_SITE_ASSUMPTION, i, model->assumptions.items[i]);
    for (int32_t i = 0; i < model->always.count; i++) {
        const hbg_always *always = &model->always.items[i];
        w->site.span = always->span;
        site(w, always->junction == HBG_NONE ? HBG_SITE_ALWAYS : HBG_SITE_LOSS, i, always->value);
    }
}

static void walk_choice(walker *w, int32_t index) {
    const hbg_choice *choice = &w->check->model->choices.items[index];
    own(w, choice->target.kind, choice->target.index, choice->span);
    site(w, HBG_SITE_CHOICE, index, choice->low);
    site(w, HBG_SITE_CHOICE, index, choice->high);
}

void hbg_model_sites_each(hbg_check *check, void (*visit)(hbg_check *check, const hbg_site *site)) {
    const hbg_model *model = check->model;
    walker w = {.check = check, .visit = visit};
    for (int32_t i = 0; i < model->params.count; i++) {
        own(&w, HBG_OBJECT_PARAM, i, model->params.items[i].id.span);
        site(&w, HBG_SITE_PARAM, 0, model->params.items[i].value);
    }
    for (int32_t i = 0; i < model->elements.count; i++) walk_element(&w, i);
    for (int32_t i = 0; i < model->choices.count; i++) walk_choice(&w, i);
    for (int32_t i = 0; i < model->automata.count; i++) walk_automaton(&w, i);
    for (int32_t i = 0; i < model->signals.count; i++) walk_signal(&w, i);
    for (int32_t i = 0; i < model->experiments.count; i++) walk_experiment(&w, i);
    walk_verification(&w);
}

const char *hbg_model_site_text(hbg_check *check, const hbg_site *site) {
    hbg_buffer *text = hbg_model_check_text(check);
    hbg_base_buffer_text(text, infos[site->kind].text);
    if (site->owner.kind == HBG_OBJECT_NONE) {
        hbg_name name = check->model->experiments.items[site->experiment].name;
        if (name == 0)
            hbg_base_buffer_text(text, " the run");
        else
            hbg_base_buffer_print(text, " experiment `%s`", hbg_base_names_get(check->model->names, name));
    } else if (site->kind >= HBG_SITE_RANGE_VALUE && site->kind <= HBG_SITE_ASSUMPTION) {
        hbg_base_buffer_text(text, " `verify`");
    } else {
        hbg_base_buffer_text(text, " `");
        hbg_model_path(check->model, site->owner, text);
        hbg_base_buffer_char(text, '`');
    }
    return text->data;
}
