/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_export_spaceex: a model and one of its experiments as a hybrid automaton. The run goes through its
 * first instant, which gives the state where time begins to advance; from there on the ways that verify
 * follows are the transitions, part by part of the model. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "api/export_impl.h"
#include "verify/verify.h"

#define MOST_ELEMENTS 5000   /* of the model: an analysis of what can be reached takes far fewer */
#define PART_MS       300000 /* computing time for a part of the model */
#define QUESTION_MS   5000   /* for one question to the prover */
#define SETTINGS_MOST 100000 /* bytes of settings: they have a few hundred */

typedef struct {
    hbg_session *session;
    const hbg_export_options *how;
    const hbg_rt_description *system; /* of the whole model */
    hbg_run_state *state;
    hbg_sim_options sim;
    int32_t *start; /* where time begins to advance: by automaton of the whole model */
    double *states; /* by its state */
    hbg_emit_hybrid of;
    HBG_VEC(const char *) warnings;
    const char *settings; /* the other file */
} exporting;

static hbg_status refuse(const exporting *e, hbg_span place, const char *why) {
    hbg_base_report(&e->session->diagnostics, HBG_E_AFFINE, place,
                    "the model cannot be exported as a hybrid automaton: %s", why);
    return HBG_BAD_MODEL;
}

/* ---- where it begins ------------------------------------------------------------------------------------ */

static void listen(void *context, const hbg_sim_event *event) {
    exporting *e = context;
    if (event->visit_count == 0) return;
    const hbg_sim_visit *last = &event->visits[event->visit_count - 1];
    for (int32_t i = 0; i < e->system->automaton_count; i++) e->start[i] = last->states[i];
}

/* The instant at t = 0. */
static hbg_status find_start(exporting *e) {
    hbg_session *session = e->session;
    hbg_sim_result *result = HBG_NEW(&session->scratch, hbg_sim_result);
    hbg_sim_options sim = e->sim;
    e->start = HBG_NEW_ARRAY(&session->scratch, int32_t, e->system->automaton_count + 1);
    e->states = HBG_NEW_ARRAY(&session->scratch, double, e->system->state_count + 1);
    for (int32_t i = 0; i < e->system->automaton_count; i++) e->start[i] = e->system->start_states[i];
    sim.solver = HBG_SIM_ERK; // no other solver needs so little to begin with
    sim.stop = 0;
    sim.ledger = sim.strict = false;
    sim.event = listen;
    sim.context = e;
    hbg_rt_status status = hbg_sim_run(&session->scratch, e->system, e->state->instance, &sim, result);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK) return hbg_api_run_refuse(session, status, result);
    for (int32_t i = 0; i < e->system->state_count; i++) e->states[i] = result->state[i];
    return HBG_OK;
}

/* ---- phases --------------------------------------------------------------------------------------------- */

static const char *path_of(const exporting *e, const hbg_model *model, hbg_object_kind kind, int32_t index) {
    return hbg_api_text_path(e->session, model, (hbg_object){kind, index});
}

static int32_t find_input(const exporting *e, const char *name) {
    for (int32_t i = 0; i < e->system->input_count; i++)
        if (strcmp(e->system->inputs[i].name, name) == 0) return i;
    return HBG_NONE;
}

/* The value of an input that nothing sets. */
static double default_of(const hbg_model *model, const hbg_signal *signal, bool *fixed) {
    double value = 0;
    *fixed = signal->value == HBG_NONE || hbg_model_constant(model, signal->value, &value);
    if (signal->value == HBG_NONE) return 0;
    int op = model->exprs.items[signal->value].op;
    if (op == HBG_OP_TRUE || op == HBG_OP_FALSE) {
        *fixed = true;
        value = op == HBG_OP_TRUE;
    }
    return value;
}

typedef struct {
    double *inputs;
    bool *given, *fires;
} phase_values;

static phase_values copy_phase(hbg_arena *arena, const phase_values *of, int32_t count) {
    phase_values made = {HBG_NEW_ARRAY(arena, double, count + 1), HBG_NEW_ARRAY(arena, bool, count + 1),
                         HBG_NEW_ARRAY(arena, bool, count + 1)};
    if (of) memcpy(made.inputs, of->inputs, (size_t)count * sizeof *made.inputs);
    if (of) memcpy(made.given, of->given, (size_t)count * sizeof *made.given);
    return made;
}

/* An action of the run on an input of a part. */
static void act(const hbg_model *model, const int32_t *input_of, const hbg_sim_action *action,
                phase_values *now) {
    for (int32_t i = 0; i < model->signals.count; i++) {
        if (input_of[i] != action->input) continue;
        now->inputs[i] = action->value;
        now->given[i] = true;
        now->fires[i] = true;
    }
}

static void add_phase(hbg_hybrid_request *to, hbg_hybrid_phase *phases, double time, phase_values values) {
    phases[to->phase_count++] = (hbg_hybrid_phase){time, values.inputs, values.given, values.fires};
}

static bool concerns(const hbg_model *model, const int32_t *input_of, int32_t input) {
    for (int32_t i = 0; i < model->signals.count; i++)
        if (input_of[i] == input) return true;
    return false;
}

/* External values, from one change to the next. */
static void make_phases(const exporting *e, const hbg_model *model, hbg_hybrid_request *to) {
    hbg_arena *arena = &e->session->scratch;
    int32_t count = model->signals.count, *input_of = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    hbg_hybrid_phase *phases = HBG_NEW_ARRAY(arena, hbg_hybrid_phase, e->sim.action_count + 2);
    phase_values now = copy_phase(arena, NULL, count);
    double time = 0;
    for (int32_t i = 0; i < count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        bool input = signal->kind == HBG_SIGNAL_INPUT;
        input_of[i] = input ? find_input(e, path_of(e, model, HBG_OBJECT_SIGNAL, i)) : HBG_NONE;
        if (input) now.inputs[i] = default_of(model, signal, &now.given[i]);
    }
    for (int32_t i = 0; i < e->sim.action_count && e->sim.actions[i].time < e->sim.stop; i++) {
        const hbg_sim_action *action = &e->sim.actions[i];
        if (!concerns(model, input_of, action->input)) continue;
        if (action->time > time) {
            add_phase(to, phases, time, now);
            now = copy_phase(arena, &now, count);
            time = action->time;
        }
        act(model, input_of, action, &now);
    }
    add_phase(to, phases, time, now);
    to->phases = phases;
}

/* ---- parts ---------------------------------------------------------------------------------------------- */

/* Where time begins to advance, and the settings of the experiment, in terms of a part. */
static void make_request(const exporting *e, hbg_model *part, const hbg_eqn_outline *outline,
                         hbg_hybrid_request *to) {
    hbg_arena *arena = &e->session->scratch;
    const hbg_model *whole = e->state->model;
    int32_t *start = HBG_NEW_ARRAY(arena, int32_t, part->automata.count + 1);
    double *states = HBG_NEW_ARRAY(arena, double, outline->state_count + 1);
    bool *fixed = HBG_NEW_ARRAY(arena, bool, part->params.count + 1);
    for (int32_t i = 0; i < part->automata.count; i++)
        for (int32_t k = 0; k < e->system->automaton_count; k++)
            if (strcmp(outline->automata[i].name, e->system->automata[k].name) == 0) start[i] = e->start[k];
    for (int32_t i = 0; i < outline->state_count; i++)
        for (int32_t k = 0; k < e->system->state_count; k++)
            if (strcmp(outline->states[i].name, e->system->states[k].name) == 0) states[i] = e->states[k];
    for (int32_t k = 0; k < whole->params.count; k++) {
        if (!hbg_api_run_sets_param(e->state, k)) continue;
        const char *name = path_of(e, whole, HBG_OBJECT_PARAM, k);
        for (int32_t i = 0; i < part->params.count; i++) {
            if (strcmp(path_of(e, part, HBG_OBJECT_PARAM, i), name) != 0) continue;
            fixed[i] = true;
            part->param_values[i] = whole->param_values[k];
        }
    }
    *to = (hbg_hybrid_request){.stop = e->sim.stop, .start = start, .states = states, .fixed = fixed};
    make_phases(e, part, to);
}

/* The automaton of a part; its equations go with it. */
static hbg_status make_part(exporting *e, hbg_model *model, int32_t experiment, hbg_emit_component *made) {
    hbg_session *session = e->session;
    hbg_verify_options limits = hbg_verify_options_default();
    hbg_eqn_options options = {.experiment = experiment};
    hbg_hybrid *hybrid = HBG_NEW(&session->scratch, hbg_hybrid);
    hbg_hybrid_request request;
    hbg_eqn *eqn = hbg_eqn_new(&session->scratch, model, &options);
    e->state->eqn = eqn; // whatever the result, it is given back
    if (!eqn) return HBG_BAD_MODEL;
    limits.group_ms = PART_MS;
    limits.timeout_ms = QUESTION_MS;
    limits.bare = true;
    made->system = hbg_eqn_outline_of(eqn);
    made->model = model;
    made->of = hybrid;
    make_request(e, model, made->system, &request);
    *hybrid = hbg_verify_hybrid(&session->scratch, session->prover, eqn, model, &request, &limits);
    if (hybrid->reason) return refuse(e, hybrid->place, hybrid->reason);
    for (int32_t i = 0; i < hybrid->warnings.count; i++)
        HBG_PUSH(&session->scratch, e->warnings, hybrid->warnings.items[i]);
    return HBG_OK;
}

/* Independent parts are separate components. */
static hbg_status make_parts(exporting *e) {
    hbg_session *session = e->session;
    hbg_arena *arena = &session->scratch;
    hbg_model *model = e->state->model;
    hbg_parts parts = hbg_model_parts_find(arena, model, NULL, 0);
    bool split = parts.count > 1;
    hbg_part *models =
        split ? hbg_model_parts_copy(arena, model, &parts, e->state->experiment, NULL, 0) : NULL;
    int32_t experiment = e->state->experiment;
    hbg_emit_component *made = HBG_NEW_ARRAY(arena, hbg_emit_component, parts.count + 1);
    if (!session->prover) session->prover = hbg_verify_prover_new(&session->memory);
    if (!session->prover) return HBG_NO_MEMORY;
    e->of.parts = made;
    e->of.part_count = split ? parts.count : 1;
    for (int32_t i = 0; i < e->of.part_count; i++) {
        HBG_TRY(split ? make_part(e, models[i].model, experiment == HBG_NONE ? HBG_NONE : 0, &made[i])
                      : make_part(e, model, experiment, &made[i]));
        hbg_eqn_free(e->state->eqn); // its result stays
        e->state->eqn = NULL;
    }
    return HBG_OK;
}

/* ---- files ---------------------------------------------------------------------------------------------- */

/* x.xml has x.cfg beside it. */
static void name_files(exporting *e) {
    const char *file = e->how->folder, *slash = strrchr(file, '/');
    size_t size = strlen(file);
    bool xml = size > 4 && strcmp(file + size - 4, ".xml") == 0;
    e->settings = hbg_base_arena_print(&e->session->scratch, "%.*s.cfg", (int)(xml ? size - 4 : size), file);
    e->of.file = slash ? slash + 1 : file;
}

/* The settings file, whose name is derived, replaces only a file of its own kind. */
static hbg_status check_settings(const exporting *e, const hbg_model *model) {
    static const char kind[] = "# settings of SpaceEx"; // in the form the printer begins it
    char *text;
    size_t size;
    const char *reason;
    if (hbg_input_at(e->session, model, e->settings))
        return hbg_api_session_fail(e->session, HBG_BAD_ARGUMENT,
                                    "`%s`, beside `%s`, is read for this model, and would be lost: write to "
                                    "another file",
                                    e->settings, e->how->folder);
    if (access(e->settings, F_OK) != 0) return HBG_OK;
    hbg_status status =
        hbg_base_file_read(&e->session->scratch, e->settings, SETTINGS_MOST, &text, &size, &reason);
    if (status == HBG_NO_MEMORY) return status;
    if (status == HBG_OK && size >= sizeof kind - 1 && memcmp(text, kind, sizeof kind - 1) == 0)
        return HBG_OK;
    return hbg_api_session_fail(e->session, HBG_BAD_ARGUMENT,
                                "`%s`, which goes beside `%s`, is there and has no settings of SpaceEx: move "
                                "it, or write to another file",
                                e->settings, e->how->folder);
}

static hbg_status write_files(const exporting *e, const hbg_buffer *automaton, const hbg_buffer *settings) {
    const char *reason = "";
    hbg_status status = hbg_base_file_write(e->settings, settings->data, settings->size, NULL, &reason);
    const char *failed = e->settings;
    if (status == HBG_OK) {
        failed = e->how->folder;
        status = hbg_base_file_write(e->how->folder, automaton->data, automaton->size, NULL, &reason);
        if (status != HBG_OK) (void)unlink(e->settings);
    }
    if (status == HBG_OK || status == HBG_NO_MEMORY) return status;
    return hbg_api_session_fail(e->session, status, "the file `%s` cannot be written: %s", failed, reason);
}

static hbg_status report(const exporting *e, hbg_text *text) {
    hbg_api_report *to = hbg_api_report_new(e->session);
    int32_t locations = 0, transitions = 0, variables = 0;
    for (int32_t i = 0; i < e->of.part_count; i++) {
        locations += e->of.parts[i].of->locations.count;
        transitions += e->of.parts[i].of->transitions.count;
        variables += e->of.parts[i].of->variables.count;
    }
    hbg_api_text(to, "target", "spaceex");
    hbg_api_text(to, "file", e->how->folder);
    hbg_api_text(to, "settings", e->settings);
    hbg_api_text(to, "model", e->of.model);
    hbg_api_text(to, "experiment", e->of.experiment);
    hbg_api_number(to, "stop", e->of.stop);
    hbg_api_count(to, "components", e->of.part_count);
    hbg_api_count(to, "variables", variables);
    hbg_api_count(to, "locations", locations);
    hbg_api_count(to, "transitions", transitions);
    hbg_api_texts(to, "warnings", e->warnings.items, e->warnings.count);
    hbg_api_say(to, "wrote %s and %s\n", e->how->folder, e->settings);
    hbg_api_say(to, "components %d, variables %d, locations %d, transitions %d\n", (int)e->of.part_count,
                (int)variables, (int)locations, (int)transitions);
    for (int32_t i = 0; i < e->warnings.count; i++) hbg_api_say(to, "warning: %s\n", e->warnings.items[i]);
    return hbg_api_report_print(to, e->how->json, text);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* Refuses what is not affine, before anything is compiled. */
static hbg_status check_expressions(const exporting *e, const hbg_model *model) {
    hbg_arena *scratch = &e->session->scratch;
    hbg_span place;
    const char *why = hbg_verify_not_affine(scratch, hbg_model_sorted(scratch, model), &place);
    return why ? refuse(e, place, why) : HBG_OK;
}

static hbg_status check_size(const exporting *e, const hbg_model *model) {
    if (model->elements.count <= MOST_ELEMENTS) return HBG_OK;
    return refuse(e, model->span,
                  hbg_base_arena_print(&e->session->scratch,
                                       "it has %d elements, and an analysis of all that can be reached takes "
                                       "no more than %d",
                                       (int)model->elements.count, MOST_ELEMENTS));
}

static hbg_status check_faults(const exporting *e) {
    const hbg_fault_plan *plan = e->state->plan;
    if (!plan || plan->fault_count == 0) return HBG_OK;
    return refuse(e, plan->faults[0].span, "faults change the model while it runs, and are not exported");
}

static hbg_status export_spaceex(exporting *e, const hbg_model *model, const hbg_run_options *options,
                                 hbg_text *text) {
    hbg_session *session = e->session;
    hbg_run_wish wish = {.experiment = options->experiment, .time_flows = true};
    hbg_buffer automaton, settings;
    name_files(e);
    HBG_TRY(check_settings(e, model));
    HBG_TRY(check_size(e, model));
    HBG_TRY(check_expressions(e, model));
    HBG_TRY(hbg_api_run_prepare(session, model, &wish));
    e->state = session->run;
    e->system = e->state->system;
    HBG_TRY(hbg_api_run_sim_options(session, options, NAN, &e->sim));
    HBG_TRY(check_faults(e));
    HBG_TRY(find_start(e));
    e->of.model = hbg_base_names_get(model->names, model->name);
    e->of.version = hbg_version();
    e->of.stop = e->sim.stop;
    if (e->state->experiment != HBG_NONE)
        e->of.experiment =
            hbg_base_names_get(model->names, e->state->model->experiments.items[e->state->experiment].name);
    HBG_TRY(make_parts(e));
    if (model->choices.count > 0)
        HBG_PUSH(&session->scratch, e->warnings,
                 "what the model leaves open has its default in the file, and other outcomes are not in it: "
                 "`hbg verify` and `hbg run --explore` ask about all of them");
    e->of.warnings = e->warnings.items;
    e->of.warning_count = e->warnings.count;
    HBG_PUSH(&session->scratch, e->warnings,
             "strictness is lost: guards and invariants are closed, and a transition may be taken where a "
             "run has to");
    hbg_base_buffer_init(&automaton, &session->scratch);
    hbg_base_buffer_init(&settings, &session->scratch);
    hbg_emit_spaceex(&e->of, &automaton, &settings);
    HBG_TRY(write_files(e, &automaton, &settings));
    return report(e, text);
}

hbg_status hbg_export_spaceex(hbg_session *session, const hbg_model *model, const hbg_run_options *options,
                              const hbg_export_options *how, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_RUN_ENTER(session);
    exporting *e = HBG_NEW(&session->scratch, exporting);
    e->session = session;
    e->how = how;
    hbg_run_options used = hbg_api_run_options(session, model, options);
    hbg_status status = export_spaceex(e, model, &used, text);
    return hbg_api_run_leave(session, hbg_api_export_end(session, "spaceex", how->json, status, text));
}
