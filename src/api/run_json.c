/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What became of a run, for programs. */
#include <math.h>

#include "api/run_impl.h"

json_t *hbg_run_json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *hbg_run_json_unit(hbg_session *session, const char *unit) {
    return unit ? hbg_json_text(session, unit) : json_null();
}

typedef struct {
    hbg_session *session;
    const hbg_run_story *story;
} writer;

static void set(writer *w, json_t *object, const char *key, json_t *value) {
    hbg_json_set(w->session, object, key, value);
}

static void set_text(writer *w, json_t *object, const char *key, const char *text) {
    set(w, object, key, hbg_json_text(w->session, text));
}

static void set_number(writer *w, json_t *object, const char *key, double value) {
    set(w, object, key, hbg_run_json_number(value));
}

static json_t *set_new(writer *w, json_t *object, const char *key, json_t *value) {
    set(w, object, key, value);
    return value;
}

static json_t *append_object(writer *w, json_t *array) {
    json_t *object = json_object();
    hbg_json_append(w->session, array, object);
    return object;
}

static void put_solver(writer *w, json_t *root) {
    const hbg_sim_result *result = &w->story->result;
    json_t *solver = set_new(w, root, "solver", json_object());
    set_text(w, solver, "name", result->solver);
    set_text(w, solver, "why", result->why);
    set_text(w, solver, "engine", hbg_run_is_native(w->story->state) ? "native" : "interpreter");
    json_t *statistics = set_new(w, root, "statistics", json_object());
    set(w, statistics, "steps", json_integer(result->steps));
    set(w, statistics, "rejected", json_integer(result->rejected));
    set(w, statistics, "rates", json_integer(result->rates));
    set(w, statistics, "jacobians", json_integer(result->jacobians));
    set(w, statistics, "crossings", json_integer(result->crossings));
    set(w, statistics, "commits", json_integer(result->commits));
    set(w, statistics, "rows", json_integer(w->story->rows.count));
}

static void put_faults(writer *w, json_t *root) {
    const hbg_fault_plan *plan = w->story->state->plan;
    set(w, root, "seed", json_integer((json_int_t)w->story->options->seed));
    json_t *faults = set_new(w, root, "faults", json_array());
    for (int32_t i = 0; i < plan->fault_count; i++) {
        const hbg_fault *fault = &plan->faults[i];
        double at = NAN, until = NAN;
        json_t *object = append_object(w, faults);
        hbg_model_constant(plan->model, fault->at, &at);
        if (fault->until != HBG_NONE) hbg_model_constant(plan->model, fault->until, &until);
        set_number(w, object, "at", at);
        set_number(w, object, "until", until);
        set_text(w, object, "target", hbg_text_path(w->session, plan->model, fault->target));
        set_text(w, object, "kind", hbg_fault_kind_text(fault->kind));
        set_text(w, object, "text", fault->text ? fault->text : "");
    }
}

static void put_start(writer *w, json_t *root) {
    const hbg_run_story *story = w->story;
    const hbg_rt_system *system = story->state->system;
    json_t *initial = set_new(w, root, "initial", json_object());
    json_t *changed = set_new(w, initial, "changed", json_array());
    for (int32_t i = 0; i < system->state_count; i++) {
        if (!hbg_run_started_otherwise(story, i)) continue;
        json_t *object = append_object(w, changed);
        set_text(w, object, "name", system->states[i].name);
        set(w, object, "unit", hbg_run_json_unit(w->session, system->states[i].unit));
        set_number(w, object, "from", story->declared[i]);
        set_number(w, object, "to", story->started[i]);
    }
    set_number(w, initial, "lost", story->lost_at_start);
}

static void put_values(writer *w, json_t *root) {
    const hbg_run_story *story = w->story;
    const hbg_rt_variable *outputs = story->state->system->outputs;
    json_t *final = set_new(w, root, "final", json_array());
    for (int32_t i = 0; story->rows.count > 0 && i < story->state->record_count; i++) {
        json_t *object = append_object(w, final);
        double value = story->rows.last[i];
        set_text(w, object, "name", outputs[i].name);
        set(w, object, "unit", hbg_run_json_unit(w->session, outputs[i].unit));
        set(w, object, "value", outputs[i].is_bool ? json_boolean(value != 0) : hbg_run_json_number(value));
    }
}

static void put_ledger(writer *w, json_t *root) {
    static const char *const kinds[] = {
        [HBG_RT_SUPPLIED] = "supplied", [HBG_RT_DISSIPATED] = "dissipated", [HBG_RT_MODULATED] = "modulated"};
    const hbg_sim_result *result = &w->story->result;
    const hbg_rt_system *system = w->story->state->system;
    if (!w->story->sim.ledger || !result->work) {
        set(w, root, "ledger", json_null());
        return;
    }
    json_t *ledger = set_new(w, root, "ledger", json_object());
    json_t *stored = set_new(w, ledger, "stored", json_array());
    for (int32_t i = 0; i < system->storage_count; i++) {
        json_t *object = append_object(w, stored);
        set_text(w, object, "name", system->storages[i].name);
        set_number(w, object, "before", result->stored_at_start[i]);
        set_number(w, object, "after", result->stored_at_end[i]);
    }
    json_t *work = set_new(w, ledger, "work", json_array());
    for (int32_t i = 0; i < system->power_count; i++) {
        json_t *object = append_object(w, work);
        set_text(w, object, "name", system->powers[i].name);
        set_text(w, object, "kind", kinds[system->powers[i].kind]);
        set_number(w, object, "work", result->work[i]);
    }
    set_number(w, ledger, "lost_in_jumps", result->lost_in_jumps);
    set_number(w, ledger, "by_parameters", result->by_parameters);
    set_number(w, ledger, "residual", result->residual);
    set_number(w, ledger, "scale", result->scale);
}

/* The verdict that ended the run, and what it was warned of; the instant is the last that had a verdict at all. */
static void put_verdict(writer *w, json_t *root) {
    const hbg_sim_result *result = &w->story->result;
    bool ended = result->verdict != HBG_RT_FINE;
    set(w, root, "verdict",
        ended ? hbg_json_text(w->session, hbg_rt_verdict_name(result->verdict)) : json_null());
    set(w, root, "instant", hbg_run_events_verdict(w->story));
    json_t *warnings = set_new(w, root, "warnings", json_object());
    set(w, warnings, "count", json_integer(result->warnings));
    set(w, warnings, "first",
        result->warnings > 0 ? hbg_json_text(w->session, hbg_run_first_warning(w->session, result))
                             : json_null());
    if (w->story->options->explain == 0) return;
    hbg_buffer text;
    hbg_buffer_init(&text, &w->session->scratch);
    hbg_run_put_story(w->story, &text);
    set_text(w, root, "story", text.data);
}

void hbg_run_json(hbg_session *session, const hbg_run_story *story) {
    static const char *const ends[] = {[HBG_RUN_FINISHED] = "finished",
                                       [HBG_RUN_NOT_FINISHED] = "not finished",
                                       [HBG_RUN_INTERRUPTED] = "interrupted"};
    const hbg_model *model = story->state->model;
    int32_t experiment = story->state->experiment;
    writer w = {session, story};
    json_t *root = session->json = hbg_json_new(session, json_object());
    set_text(&w, root, "model", hbg_names_get(model->names, model->name));
    set(&w, root, "experiment",
        experiment == HBG_NONE
            ? json_null()
            : hbg_json_text(session, hbg_names_get(model->names, model->experiments.items[experiment].name)));
    set_text(&w, root, "end", ends[story->end]);
    set_number(&w, root, "stop", story->sim.stop);
    set_number(&w, root, "time", story->result.t);
    put_solver(&w, root);
    put_faults(&w, root);
    put_start(&w, root);
    put_values(&w, root);
    put_ledger(&w, root);
    put_verdict(&w, root);
    bool failed = story->end != HBG_RUN_FINISHED && story->failure[0];
    set(&w, root, "failure", failed ? hbg_json_text(session, story->failure) : json_null());
}
