/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event log of a run: what is prepared for it, what of an instant matters, and where it goes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/results_impl.h"
#include "api/run_events_impl.h"
#include "rt/bands.h"

#define LOOKS 2000 /* of points in a plot, in the time it shows: more than it has columns of pixels */

/* ---- preparation -------------------------------------------------------------------------------------- */

static void prepare_guards(hbg_session *session, hbg_run_events *events) {
    const hbg_model *model = events->state->model;
    events->guards = HBG_NEW_ARRAY(&session->scratch, const char *, model->transitions.count + 1);
    for (int32_t i = 0; i < model->transitions.count; i++) {
        const hbg_transition *of = &model->transitions.items[i];
        const char *guard = of->guard == HBG_NONE ? "" : hbg_api_text_expr(session, model, of->guard);
        events->guards[i] = guard;
        double wait;
        if (of->after == HBG_NONE || !hbg_model_constant(model, of->after, &wait)) continue;
        hbg_buffer text;
        hbg_base_buffer_init(&text, &session->scratch);
        hbg_base_buffer_print(&text, "%s%safter ", guard, guard[0] ? " " : "");
        hbg_api_run_put_quantity(&text, wait, "s");
        events->guards[i] = text.data;
    }
}

static void prepare_inputs(hbg_session *session, hbg_run_events *events) {
    const hbg_model *model = events->state->model;
    bool *is_event = HBG_NEW_ARRAY(&session->scratch, bool, model->signals.count + 1);
    double *start = HBG_NEW_ARRAY(&session->scratch, double, model->signals.count + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *of = &model->signals.items[i];
        if (of->kind != HBG_SIGNAL_INPUT) continue;
        if (of->value == HBG_NONE || !hbg_model_constant(model, of->value, &start[count])) start[count] = NAN;
        is_event[count++] = of->type == HBG_TYPE_EVENT;
    }
    events->input_is_event = is_event;
    events->input_start = start;
}

typedef HBG_VEC(const char *) unit_list;

static int32_t find_unit(const unit_list *units, const char *unit) {
    if (!unit) unit = ""; // of a state whose domain is not known, like an area of that domain
    for (int32_t i = 0; i < units->count; i++)
        if (strcmp(units->items[i], unit) == 0) return i;
    return HBG_NONE;
}

/* An area of effort is a momentum, one of flow a displacement: sizes of pulses and of states with one unit
 * are compared. */
static void prepare_sizes(hbg_session *session, hbg_run_events *events) {
    hbg_arena *arena = &session->scratch;
    const hbg_model *model = events->state->model;
    const hbg_rt_description *system = events->state->system;
    unit_list units = {0};
    for (int side = 0; side < 2; side++) {
        events->area_unit[side] = HBG_NEW_ARRAY(arena, const char *, system->bond_count + 1);
        events->area_group[side] = HBG_NEW_ARRAY(arena, int32_t, system->bond_count + 1);
        for (int32_t i = 0; i < system->bond_count; i++) {
            int32_t net = model->bonds.items[i].net;
            hbg_domain domain = net < 0 ? HBG_DOMAIN_ANY : model->net_domain[net];
            const char *unit =
                hbg_api_text_unit(session, hbg_model_domain_dimension(domain, side ? HBG_VARIABLE_DISPLACEMENT
                                                                                   : HBG_VARIABLE_MOMENTUM));
            int32_t group = find_unit(&units, unit);
            if (group == HBG_NONE) {
                group = units.count;
                HBG_PUSH(arena, units, unit);
            }
            events->area_unit[side][i] = unit;
            events->area_group[side][i] = group;
        }
    }
    events->energy = HBG_NEW_ARRAY(arena, double, 3 * system->storage_count + 1);
    events->area_size = HBG_NEW_ARRAY(arena, double, units.count + 1);
    events->state_size = HBG_NEW_ARRAY(arena, double, system->state_count + 1);
    events->state_group = HBG_NEW_ARRAY(arena, int32_t, system->state_count + 1);
    for (int32_t i = 0; i < system->state_count; i++)
        events->state_group[i] = find_unit(&units, system->states[i].unit);
}

void hbg_api_run_events_init(hbg_session *session, hbg_run_story *story) {
    const hbg_run_options *options = story->options;
    hbg_run_state *state = story->state;
    if (story->results) story->sim.event = hbg_api_run_event;
    const hbg_run_listener *listener =
        options->listener && options->listener->event ? options->listener : NULL;
    if (!options->events && options->explain == 0 && !options->plot && !options->json && !listener) return;
    hbg_run_events *events = HBG_NEW(&session->scratch, hbg_run_events);
    events->state = state;
    events->sim = &story->sim;
    events->path = options->events;
    events->explain = options->explain;
    events->listener = listener;
    events->session = session;
    hbg_base_arena_init(&events->instant, &session->memory);
    hbg_base_arena_init(&events->kept, &session->memory);
    events->bands.memory = &session->memory;
    state->events = events; // its contents are freed with the run from here on
    hbg_base_buffer_init(&events->story, &events->kept);
    hbg_base_buffer_init(&events->verdict, &events->kept);
    prepare_guards(session, events);
    prepare_inputs(session, events);
    prepare_sizes(session, events);
    hbg_api_run_events_prepare_names(session, events);
    hbg_api_run_events_prepare_courses(session, events);
    if (options->events || options->explain != 0 || listener) hbg_api_run_outcomes_init(session, state);
    story->rows.events = events;
    story->sim.event = hbg_api_run_event;
    story->sim.verdicts_only =
        !options->events && options->explain == 0 && !options->plot && !story->results && !listener;
    if (!options->plot) return;
    hbg_api_run_bands_init(session, &events->bands);
    story->sim.look = hbg_api_run_look;
    story->sim.look_from = fmax(story->rows.look.from, 0);
    story->sim.look_to = fmin(story->rows.look.to, story->sim.stop);
    story->sim.look_every = fmax(story->sim.look_to - story->sim.look_from, 0) / LOOKS;
    story->sim.look_at = state->plots;
    story->sim.look_count = state->plot_count;
}

/* ---- what matters ------------------------------------------------------------------------------------- */

bool hbg_api_run_event_matters(double difference, double size) {
    return fabs(difference) > HBG_RT_BAND * size;
}

static void grow(double *size, double value) {
    double found = fabs(value);
    if (found > *size && isfinite(found)) *size = found;
}

static void take_sizes(hbg_run_events *events, const hbg_sim_event *event) {
    const hbg_rt_description *system = events->state->system;
    for (int32_t i = 0; i < system->state_count && event->sizes; i++)
        grow(&events->state_size[i], event->sizes[i]); // the value between events counts
    for (int32_t i = 0; i < system->state_count && event->contributions; i++)
        grow(&events->state_size[i], event->contributions[i]);
    for (int32_t k = 0; k < event->visit_count; k++) {
        const hbg_sim_visit *visit = &event->visits[k];
        for (int32_t i = 0; i < system->state_count; i++) {
            grow(&events->state_size[i], visit->x[i]);
            grow(&events->state_size[i], visit->x_plus[i]);
            if (events->state_group[i] != HBG_NONE)
                grow(&events->area_size[events->state_group[i]], events->state_size[i]);
        }
        for (int32_t n = 0; n < (visit->bonds ? visit->bond_count : system->bond_count); n++) {
            int32_t i = visit->bonds ? visit->bonds[n] : n;
            grow(&events->area_size[events->area_group[0][i]], visit->effort[i]);
            grow(&events->area_size[events->area_group[1][i]], visit->flow[i]);
        }
    }
}

bool hbg_api_run_event_jumped(const hbg_run_events *events, const hbg_sim_visit *visit, int32_t state) {
    return hbg_api_run_event_matters(visit->x_plus[state] - visit->x[state], events->state_size[state]);
}

bool hbg_api_run_event_pulsed(const hbg_run_events *events, const hbg_sim_visit *visit, int side,
                              int32_t bond) {
    double area = side ? visit->flow[bond] : visit->effort[bond];
    return hbg_api_run_event_matters(area, events->area_size[events->area_group[side][bond]]);
}

const int32_t *hbg_api_run_event_before(const hbg_sim_event *event, int32_t visit) {
    return visit == 0 ? event->visits[0].before : event->visits[visit - 1].states;
}

/* The rounding part of a loss; the system is between two steps and may be queried. */
static double doubt_of(hbg_run_events *events, const hbg_sim_visit *visit, double t) {
    const hbg_run_state *state = events->state;
    const double *states[] = {visit->x, visit->x_plus, events->state_size};
    int32_t count = state->system->storage_count;
    double *energy = events->energy;
    for (int i = 0; i < 3; i++)
        if (hbg_rt_energies(state->instance, t, states[i], energy + i * count) != HBG_RT_OK) return 0;
    return hbg_sim_loss_rounding(count, energy, energy + count, energy + 2 * (ptrdiff_t)count);
}

double hbg_api_run_event_lost(hbg_run_events *events, const hbg_sim_visit *visit, double t) {
    if (visit->lost == 0) return 0;
    double doubt = visit->doubt > 0 ? visit->doubt : doubt_of(events, visit, t); // a part was queried
    return fabs(visit->lost) > doubt ? visit->lost : 0;
}

void hbg_api_run_event_guard(const hbg_run_events *events, hbg_buffer *out, int32_t automaton, int32_t from,
                             int32_t to) {
    const hbg_model *model = events->state->model;
    const hbg_automaton_state *state =
        &model->states.items[model->automata.items[automaton].first_state + from];
    int count = 0;
    for (int32_t i = state->first_transition; i < state->first_transition + state->transition_count; i++) {
        if (model->transitions.items[i].target != to) continue;
        if (count++ > 0) hbg_base_buffer_text(out, " or ");
        hbg_base_buffer_text(out, events->guards[i]);
    }
}

static bool is_of_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

/* Whether a text contains a word, and not only as a part of another word. */
static bool has_word(const char *text, size_t size, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        bool begins = i == 0 || !is_of_word(text[i - 1]);
        bool ends = i + length == size || !is_of_word(text[i + length]);
        if (begins && ends && memcmp(text + i, word, length) == 0) return true;
    }
    return false;
}

/* A fault that begins or ends here says enough about the automaton it holds. */
static bool is_let_go(const hbg_run_events *events, const hbg_sim_event *event, int32_t automaton) {
    const hbg_sim_override *overrides = events->sim->overrides + event->first_override;
    for (int32_t i = 0; i < event->override_count; i++)
        if (overrides[i].kind == HBG_RT_HOLD && overrides[i].index == automaton) return true;
    return false;
}

bool hbg_api_run_event_unexplained(hbg_run_events *events, const hbg_sim_event *event, int32_t automaton) {
    const hbg_rt_description *system = events->state->system;
    if (event->visit_count == 0 || !event->planned || events->count == 0) return false;
    int32_t from = event->visits[0].before[automaton], to = event->visits[0].states[automaton];
    if (from == to || is_let_go(events, event, automaton)) return false;
    hbg_buffer guard;
    hbg_base_buffer_init(&guard, &events->instant);
    hbg_api_run_event_guard(events, &guard, automaton, from, to);
    // a guard that compares nothing and waits for nothing follows inputs, whatever signals are between
    bool compares = has_word(guard.data, guard.size, "after");
    for (size_t i = 0; i < guard.size; i++) compares = compares || strchr("<>=", guard.data[i]);
    bool explained = event->input_count > 0 && !compares;
    for (int32_t i = 0; i < event->input_count && !explained && guard.size > 0; i++)
        explained = has_word(guard.data, guard.size, system->inputs[event->inputs[i]].name);
    return !explained;
}

double hbg_api_run_event_input(const hbg_run_events *events, int32_t input, double t) {
    double value = NAN;
    for (int32_t i = 0; i < events->sim->action_count; i++) {
        const hbg_sim_action *action = &events->sim->actions[i];
        if (action->time > t + HBG_RT_TOLD_INSTANT * fabs(t)) break;
        if (action->input == input) value = action->value;
    }
    return value;
}

bool hbg_api_run_event_input_changes(const hbg_run_events *events, int32_t input, double t) {
    double before = events->input_start[input];
    for (int32_t i = 0; i < events->sim->action_count; i++) {
        const hbg_sim_action *action = &events->sim->actions[i];
        if (action->time >= t - HBG_RT_TOLD_INSTANT * fabs(t)) break;
        if (action->input == input) before = action->value;
    }
    return events->input_is_event[input] || !(hbg_api_run_event_input(events, input, t) == before);
}

int32_t hbg_api_run_event_cause(const hbg_run_events *events, const hbg_sim_event *event, int32_t number) {
    const hbg_sim_override *overrides = events->sim->overrides + event->first_override;
    int32_t cause = overrides[number].cause;
    return number > 0 && overrides[number - 1].cause == cause ? HBG_NONE : cause;
}

void hbg_api_run_event_fault(const hbg_run_events *events, hbg_buffer *out, int32_t cause) {
    const hbg_fault *fault = &events->state->plan->faults[hbg_fault_of_cause(cause)];
    hbg_base_buffer_text(out, hbg_fault_ends(cause) ? "end of fault: " : "fault: ");
    hbg_base_buffer_text(out, fault->text ? fault->text : hbg_model_fault_kind_text(fault->kind));
}

bool hbg_api_run_event_held(const hbg_run_events *events, int32_t automaton, double t) {
    bool held = false;
    for (int32_t i = 0; i < events->sim->override_count; i++) {
        const hbg_sim_override *of = &events->sim->overrides[i];
        if (of->time > t + HBG_RT_TOLD_INSTANT * fabs(t)) break;
        if (of->kind == HBG_RT_HOLD && of->index == automaton) held = of->state != HBG_RT_HOLD_NOT;
    }
    return held;
}

/* ---- the run ------------------------------------------------------------------------------------------ */

/* Prints the report of an instant to the event log, and as words if requested. */
static void tell(hbg_run_events *events, const hbg_sim_event *event) {
    const hbg_run_listener *listener = events->listener;
    bool verdict = event->verdict != HBG_RT_FINE, fields = events->file || verdict || listener;
    bool words = events->explain < 0 || events->count < events->explain;
    if (!fields && !words) return;
    const hbg_api_report *report = hbg_api_run_explain(events, event, fields, words || listener);
    if (words) hbg_api_report_put_words(report, &events->story);
    if (!fields) return;
    hbg_buffer line;
    hbg_base_buffer_init(&line, &events->instant);
    hbg_api_report_put_line(report, &line);
    if (listener) {
        hbg_buffer told;
        hbg_base_buffer_init(&told, &events->instant);
        hbg_api_report_put_words(report, &told);
        listener->event(listener->context, line.data, told.data);
    }
    hbg_base_buffer_char(&line, '\n');
    if (events->file && !hbg_sim_lines_write(events->file, line.data, line.size)) events->cannot_write = true;
    if (!verdict) return;
    events->verdict.size = 0;
    hbg_base_buffer_add(&events->verdict, line.data, line.size);
}

static void take(hbg_run_events *events, const hbg_sim_event *event) {
    hbg_memory *memory = &events->session->memory;
    jmp_buf guard, *outer = memory->exhausted;
    take_sizes(events, event);
    if (events->failed || HBG_GUARD(memory, guard))
        events->failed = true;
    else
        tell(events, event);
    memory->exhausted = outer;
    hbg_base_arena_fini(&events->instant);
    hbg_base_arena_init(&events->instant, memory);
    hbg_api_run_outcomes_read(events);
    if (events->bands.now) hbg_api_run_bands_take(events, event);
    events->count++;
}

void hbg_api_run_event(void *context, const hbg_sim_event *event) {
    const hbg_run_rows *rows = context;
    hbg_sim_event told = *event;
    told.t = hbg_api_run_tidy(rows, event->t); // as in rows
    if (rows->results) hbg_api_results_event(rows->results, &told);
    if (rows->events) take(rows->events, &told);
}

bool hbg_api_run_events_fine(const hbg_run_events *events) {
    return !events->cannot_write && !hbg_api_run_events_lack_memory(events);
}

bool hbg_api_run_events_lack_memory(const hbg_run_events *events) {
    return events->failed || events->bands.failed;
}

hbg_status hbg_api_run_events_open(hbg_session *session, hbg_run_story *story) {
    hbg_run_events *events = story->rows.events;
    const char *reason;
    if (!events || !events->path) return HBG_OK;
    for (int i = 0; i < story->options->file_count; i++)
        if (strcmp(story->options->files[i], events->path) == 0)
            return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                        "results and events are both to go to `%s`", events->path);
    events->file = hbg_sim_lines_open(&session->memory, events->path, &story->state->patience, &reason);
    if (events->file) return HBG_OK;
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "events cannot be written to `%s`: %s",
                                events->path, reason);
}

/* A system without events reports none: the start is made up of what is known about it. */
static void tell_start(hbg_run_story *story) {
    hbg_run_events *events = story->rows.events;
    const hbg_rt_description *system = story->state->system;
    if (events->count > 0 || story->result.t < 0) return;
    hbg_sim_visit visit = {
        .kind = HBG_RT_CONTINUOUS, .before = system->start_states, .states = system->start_states};
    visit.x = story->declared;
    visit.x_plus = story->started;
    visit.effort = story->start_effort;
    visit.flow = story->start_flow;
    visit.why = "";
    hbg_sim_event event = {.words = "", .visits = &visit, .visit_count = story->declared ? 1 : 0};
    visit.lost = story->declared && isfinite(story->lost_at_start) ? story->lost_at_start : 0;
    take(events, &event);
}

void hbg_api_run_events_start(hbg_run_story *story) {
    const hbg_run_events *events = story->rows.events;
    if (events && !story->state->system->has_events) tell_start(story);
}

hbg_status hbg_api_run_events_close(hbg_session *session, hbg_run_story *story) {
    hbg_run_events *events = story->rows.events;
    const char *reason;
    if (!events) return HBG_OK;
    tell_start(story);
    if (hbg_api_run_events_lack_memory(events)) return HBG_NO_MEMORY;
    if (!events->file) return HBG_OK;
    hbg_sim_lines *file = events->file;
    events->file = NULL;
    if (hbg_sim_lines_close(file, story->end == HBG_RUN_FINISHED, &reason)) return HBG_OK;
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "events cannot be written to `%s`: %s",
                                events->path, reason);
}

const char *hbg_api_run_events_verdict(hbg_session *session, const hbg_run_story *story) {
    const hbg_run_events *events = story->rows.events;
    if (!events || events->verdict.size == 0) return NULL;
    return hbg_base_arena_copy(&session->scratch, events->verdict.data, events->verdict.size);
}

void hbg_api_run_events_discard(hbg_session *session, hbg_run_state *state) {
    hbg_run_events *events = state->events;
    const char *ignored;
    if (!events || !events->file) return;
    hbg_sim_lines *file = events->file;
    events->file = NULL;
    if (hbg_sim_lines_close(file, false, &ignored) && strcmp(events->path, "-") != 0)
        remove(hbg_base_arena_print(&session->scratch, "%s.partial", events->path));
}

void hbg_api_run_events_release(hbg_run_state *state) {
    hbg_run_events *events = state->events;
    const char *ignored;
    if (!events) return;
    hbg_base_arena_fini(&events->instant);
    hbg_base_arena_fini(&events->kept);
    hbg_api_run_bands_free(&events->bands);
    if (events->file) (void)hbg_sim_lines_close(events->file, false, &ignored);
    events->file = NULL;
}
