/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_explore: a tree of runs over what a model leaves open (docs/processes.md). First the run without
 * decisions; then, choice by choice, every run so far is repeated with each other way from that choice on. So
 * all sequences of ways over the first choices occur once, those that change early first. Results are merged
 * in the order of the runs. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/explore_impl.h"
#include "api/image_impl.h"
#include "rt/bands.h"

hbg_explore_options hbg_explore_options_default(void) {
    return (hbg_explore_options){.run = hbg_run_options_default(), .points = -1};
}

static void release(hbg_session *session) {
    hbg_explore_state *state = session->explore;
    session->explore = NULL;
    if (state) hbg_api_sweep_crew_free(&state->crew);
}

static hbg_status exhausted(hbg_session *session) {
    release(session);
    return hbg_api_session_exhausted(session);
}

/* ---- ways of choosing ----------------------------------------------------------------------------------- */

int32_t hbg_api_explore_way(const hbg_explore_state *state, int32_t run, int32_t position) {
    const hbg_explore_run *of = &state->runs.items[run];
    while (of->position > position) of = &state->runs.items[of->from];
    return of->way;
}

double hbg_api_explore_value(const hbg_explore_state *state, const hbg_run_choice *choice, int32_t way,
                             int32_t number) {
    static const hbg_rt_choosing words[] = {HBG_RT_CHOOSE_DEFAULT, HBG_RT_CHOOSE_LEAST,
                                            HBG_RT_CHOOSE_GREATEST};
    hbg_rt_rebound how = choice->how;
    how.then = way < HBG_EXPLORE_RANDOM ? words[way] : HBG_RT_CHOOSE_RANDOM;
    how.seed = state->options->run.seed + (uint64_t)(way - HBG_EXPLORE_RANDOM);
    return hbg_rt_rebound_value(&how, number, choice->usual);
}

static void put_values(void *context, int64_t run, double *values) {
    const hbg_explore_state *state = context;
    for (int32_t i = 0; i < state->list.axis_count; i++) {
        const hbg_run_choice *choice = &state->choices->items[state->params[i]];
        values[i] = hbg_api_explore_value(state, choice, hbg_api_explore_way(state, (int32_t)run, i), 0);
    }
}

/* The choices of a junction: one after the other up to the change, then as the change says. Until then the
 * run equals the one it was changed from, and so does the order in which junctions choose. */
static void decide(const hbg_explore_state *state, hbg_session *context, int32_t run, hbg_run_choice *made) {
    const hbg_explore_run *of = &state->runs.items[run];
    int32_t first = state->list.axis_count;
    double *values = HBG_NEW_ARRAY(&context->scratch, double, of->position + 3);
    if (made->anew) { // what it begins with is an axis
        int32_t axis = 0;
        while (state->choices->items[state->params[axis]].param != made->param) axis++;
        values[0] = hbg_api_explore_value(state, made, hbg_api_explore_way(state, run, axis), 0);
        made->how.count = 1;
    }
    for (int32_t p = first; p <= of->position; p++) {
        if (state->runs.items[of->from].order[p - first] != made->number) continue;
        values[made->how.count] =
            hbg_api_explore_value(state, made, hbg_api_explore_way(state, run, p), made->how.count);
        made->how.count++;
    }
    made->how.values = values;
    made->how.then = of->way == HBG_EXPLORE_LEAST      ? HBG_RT_CHOOSE_LEAST
                     : of->way == HBG_EXPLORE_GREATEST ? HBG_RT_CHOOSE_GREATEST
                     : of->way >= HBG_EXPLORE_RANDOM   ? HBG_RT_CHOOSE_RANDOM
                                                       : HBG_RT_CHOOSE_DEFAULT;
    made->how.seed = state->options->run.seed + (uint64_t)(of->way - HBG_EXPLORE_RANDOM);
}

static void clear(hbg_explore_slot *slot) {
    slot->instants = 0;
    slot->hash = 1469598103934665603u; // FNV-1a
    slot->text_size = 0;
    slot->text[0] = 0;
}

static hbg_status choose(hbg_sweep_worker *worker, int64_t run, hbg_sweep_slot *slot) {
    const hbg_explore_state *state = worker->guide->context;
    hbg_session *context = &worker->context;
    hbg_explore_slot *into = (hbg_explore_slot *)slot;
    hbg_run_choices *made = HBG_NEW(&context->scratch, hbg_run_choices);
    made->items = HBG_NEW_ARRAY(&context->scratch, hbg_run_choice, state->choices->count);
    for (int32_t i = 0; i < state->choices->count; i++) {
        if (state->choices->items[i].number == HBG_NONE) continue;
        made->items[made->count] = state->choices->items[i];
        decide(state, context, (int32_t)run, &made->items[made->count++]);
    }
    made->engine.order = into->order;
    made->engine.order_room = state->options->depth + 1;
    clear(into);
    into->begun = true;
    worker->state.choices = made;
    return hbg_api_run_decide(context, &worker->state, NULL);
}

/* ---- what a run tells ----------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void add_text(hbg_explore_slot *slot, const char *format, ...) {
    va_list arguments;
    size_t room = sizeof slot->text - slot->text_size;
    va_start(arguments, format);
    int size = vsnprintf(slot->text + slot->text_size, room, format, arguments);
    va_end(arguments);
    if (size > 0) slot->text_size += (size_t)size < room ? (size_t)size : room - 1;
}

static void mix(uint64_t *hash, uint64_t value) {
    *hash = (*hash ^ value) * 1099511628211u;
}

/* A mode that became real: which automata moved, and to which states. */
static void add_mode(const hbg_rt_description *system, hbg_explore_slot *slot, const hbg_sim_visit *visit,
                     bool first) {
    bool any = false;
    for (int32_t i = 0; i < system->automaton_count; i++) {
        mix(&slot->hash, (uint64_t)visit->states[i]);
        if (visit->states[i] == visit->before[i]) continue;
        const char *lead = any ? ", " : first ? (slot->text_size > 0 ? "; " : "") : " -> ";
        add_text(slot, "%s", lead);
        if (system->automaton_count > 1) add_text(slot, "%s ", system->automata[i].name);
        add_text(slot, "%s", system->automata[i].states[visit->states[i]]);
        any = true;
    }
}

static void take_event(hbg_sweep_worker *worker, hbg_sweep_slot *slot, const hbg_sim_event *event) {
    const hbg_explore_state *state = worker->guide->context;
    const hbg_run_state *run = &worker->state;
    hbg_explore_slot *into = (hbg_explore_slot *)slot;
    const double *x = NULL;
    bool first = true;
    for (int32_t i = 0; i < event->visit_count; i++) {
        const hbg_sim_visit *visit = &event->visits[i];
        if (visit->kind == HBG_RT_MYTHICAL) continue;
        add_mode(run->system, into, visit, first);
        mix(&into->hash, first ? 1000003 : 1000033);
        first = false;
        x = visit->x_plus;
    }
    if (!x) return;
    int64_t number = into->instants++;
    if (number >= HBG_EXPLORE_INSTANTS) return;
    double *values = into->values + number * state->columns;
    values[0] = event->t;
    bool fine = event->verdict == HBG_RT_FINE || event->verdict == HBG_RT_TEMPORAL_EVOLUTION;
    fine = fine && hbg_rt_outputs(run->instance, event->t, x, into->outputs) == HBG_RT_OK;
    for (int32_t i = 1; i < state->columns; i++) values[i] = fine ? into->outputs[i - 1] : NAN;
}

static void end_run(hbg_sweep_worker *worker, const hbg_sweep_outcome *of, hbg_sweep_slot *slot) {
    const hbg_explore_state *state = worker->guide->context;
    hbg_explore_slot *into = (hbg_explore_slot *)slot;
    const hbg_rt_summary *summary = &worker->summary;
    const hbg_run_choices *made = into->begun ? worker->state.choices : NULL;
    if (!into->begun) clear(into); // the entry there belongs to another run
    into->made = state->list.axis_count + (made ? made->engine.order_count : 0);
    into->verdict = of->verdict;
    for (const char *c = of->verdict; *c; c++) mix(&into->hash, (uint64_t)(unsigned char)*c);
    for (int32_t i = 0; i < state->columns - 1; i++) {
        into->low[i] = into->begun ? summary->low[i] : NAN;
        into->high[i] = into->begun ? summary->high[i] : NAN;
    }
    into->begun = false;
}

/* ---- all runs together ---------------------------------------------------------------------------------- */

/* Of ends that rounding alone tells apart the first run has it. */
static void widen(hbg_explore_range *range, double low, double high, int32_t run) {
    hbg_explore_end *least = &range->least, *greatest = &range->greatest;
    double size = fmax(least->run == HBG_NONE ? 0 : fabs(least->value),
                       greatest->run == HBG_NONE ? 0 : fabs(greatest->value));
    double rounding = HBG_RT_ALIKE * size;
    if (isfinite(low) && (least->run == HBG_NONE || low < least->value - rounding))
        *least = (hbg_explore_end){low, run};
    if (isfinite(high) && (greatest->run == HBG_NONE || high > greatest->value + rounding))
        *greatest = (hbg_explore_end){high, run};
}

static void count_story(hbg_explore_state *state, const hbg_explore_slot *slot, int32_t run) {
    for (int32_t i = 0; i < state->story_count; i++) {
        if (state->stories[i].hash != slot->hash) continue;
        state->stories[i].count++;
        return;
    }
    if (state->story_count == HBG_EXPLORE_STORIES) {
        state->other_stories++;
        return;
    }
    hbg_explore_story *story = &state->stories[state->story_count++];
    char *text = story->text;
    memcpy(text, slot->text, sizeof slot->text);
    *story = (hbg_explore_story){slot->hash, 1, run, slot->instants, slot->verdict, text};
}

static bool deliver(void *context, int32_t number, int64_t run) {
    hbg_explore_state *state = context;
    const hbg_explore_slot *slot = &state->slots[number];
    hbg_explore_run *of = &state->runs.items[run];
    of->made = slot->made;
    for (int32_t i = 0; i < slot->made - state->list.axis_count; i++) of->order[i] = slot->order[i];
    state->unfinished += !slot->slot.finished;
    for (int64_t k = 0; k < slot->instants && k < HBG_EXPLORE_INSTANTS; k++) {
        state->reached[k]++;
        for (int32_t i = 0; i < state->columns; i++) {
            double value = slot->values[k * state->columns + i];
            widen(&state->after[k * state->columns + i], value, value, (int32_t)run);
        }
    }
    for (int32_t i = 0; i < state->columns - 1; i++)
        widen(&state->overall[i], slot->low[i], slot->high[i], (int32_t)run);
    count_story(state, slot, (int32_t)run);
    return true;
}

static bool work(void *context, int32_t worker, int32_t slot, int64_t run, const atomic_bool *stop) {
    hbg_explore_state *state = context;
    bool interrupted;
    state->crew.failed[worker] = hbg_api_sweep_worker_run(&state->crew.workers[worker], run, stop,
                                                          &state->slots[slot].slot, &interrupted);
    return state->crew.failed[worker] == HBG_OK && !interrupted;
}

static bool progress(void *context, int64_t done) {
    hbg_explore_state *state = context;
    const hbg_explore_options *options = state->options;
    if (options->progress && !options->progress(options->context, done, state->most))
        state->interrupted = true;
    return !state->interrupted;
}

/* Makes the listed runs that are not made yet. */
static hbg_status make_runs(hbg_session *session, hbg_explore_state *state, int32_t first) {
    hbg_sim_ensemble ensemble = {.first = first,
                                 .count = state->runs.count,
                                 .threads = state->crew.count,
                                 .slots = HBG_SWEEP_SLOTS * state->crew.count,
                                 .work = work,
                                 .deliver = deliver,
                                 .progress = progress,
                                 .context = state};
    int64_t done = hbg_sim_ensemble_run(&session->scratch, &ensemble);
    return hbg_api_sweep_crew_failure(session, &state->crew, done);
}

static void add_run(hbg_session *session, hbg_explore_state *state, int32_t from, int32_t position,
                    int32_t way) {
    if (state->runs.count >= state->most) {
        state->left_out++;
        return;
    }
    hbg_explore_run run = {.from = from, .position = position, .way = way};
    run.order = HBG_NEW_ARRAY(&session->scratch, int32_t, state->options->depth + 1);
    HBG_PUSH(&session->scratch, state->runs, run);
}

/* Choice by choice: the runs so far, changed there. */
static hbg_status explore(hbg_session *session, hbg_explore_state *state) {
    add_run(session, state, HBG_NONE, -1, HBG_EXPLORE_DEFAULT);
    HBG_TRY(make_runs(session, state, 0));
    for (int32_t position = 0; position < state->options->depth && !state->interrupted; position++) {
        int32_t before = state->runs.count;
        for (int32_t i = 0; i < before; i++)
            for (int32_t way = 0; way < state->ways && state->runs.items[i].made > position; way++)
                if (way != state->runs.items[i].way) add_run(session, state, i, position, way);
        if (state->runs.count == before) break;
        HBG_TRY(make_runs(session, state, before));
        if (state->left_out > 0) break;
    }
    for (int32_t i = 0; i < state->runs.count; i++)
        state->deeper = state->deeper || state->runs.items[i].made > state->options->depth;
    return HBG_OK;
}

/* ---- before it begins ----------------------------------------------------------------------------------- */

static hbg_status list_choices(hbg_session *session, hbg_explore_state *state) {
    hbg_run_state *compiled = state->crew.compiled->run;
    hbg_api_run_list_choices(session, compiled, NULL, 0);
    state->choices = compiled->choices;
    compiled->choices = NULL;
    if (!state->choices)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "`--explore`: this run has nothing to choose; a model leaves something open with "
            "`restitution 0.5 .. 0.9`, `choice k in 1 .. 2` or `param k in 1 .. 2`");
    int32_t count = state->choices->count;
    state->params = HBG_NEW_ARRAY(&session->scratch, int32_t, count);
    state->list.axes = HBG_NEW_ARRAY(&session->scratch, hbg_sweep_axis, count);
    for (int32_t i = 0; i < count; i++) {
        if (state->choices->items[i].param == HBG_NONE) continue;
        state->params[state->list.axis_count] = i;
        state->list.axes[state->list.axis_count++].name = state->choices->items[i].name;
    }
    return HBG_OK;
}

static void make_room(hbg_session *session, hbg_explore_state *state) {
    hbg_arena *arena = &session->scratch;
    int32_t slots = HBG_SWEEP_SLOTS * state->crew.count;
    state->columns = state->crew.workers[0].state.record_count + 1;
    size_t cells = (size_t)HBG_EXPLORE_INSTANTS * (size_t)state->columns;
    state->slots = HBG_NEW_ARRAY(arena, hbg_explore_slot, slots);
    for (int32_t i = 0; i < slots; i++) {
        state->slots[i].order = HBG_NEW_ARRAY(arena, int32_t, state->options->depth + 1);
        state->slots[i].values = HBG_NEW_ARRAY(arena, double, cells);
        state->slots[i].outputs =
            HBG_NEW_ARRAY(arena, double, state->crew.workers[0].state.system->output_count + 1);
        state->slots[i].low = HBG_NEW_ARRAY(arena, double, state->columns);
        state->slots[i].high = HBG_NEW_ARRAY(arena, double, state->columns);
    }
    hbg_explore_range nothing = {{NAN, HBG_NONE}, {NAN, HBG_NONE}};
    state->reached = HBG_NEW_ARRAY(arena, int64_t, HBG_EXPLORE_INSTANTS);
    state->after = HBG_NEW_ARRAY(arena, hbg_explore_range, cells);
    state->overall = HBG_NEW_ARRAY(arena, hbg_explore_range, state->columns);
    for (size_t i = 0; i < cells; i++) state->after[i] = nothing;
    for (int32_t i = 0; i < state->columns; i++) state->overall[i] = nothing;
    state->stories = HBG_NEW_ARRAY(arena, hbg_explore_story, HBG_EXPLORE_STORIES);
    for (int32_t i = 0; i < HBG_EXPLORE_STORIES; i++)
        state->stories[i].text = HBG_NEW_ARRAY(arena, char, HBG_EXPLORE_STORY);
}

static hbg_status prepare(hbg_session *session, const hbg_model *model, hbg_explore_state *state) {
    const hbg_explore_options *options = state->options;
    if (options->run.choose_count > 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "`--choose %s` and --explore contradict each other: exploring decides "
                                    "all that is left open; `-p` gives a parameter a value",
                                    options->run.choose[0]);
    state->sweep = (hbg_sweep_options){.run = options->run, .threads = options->threads};
    state->guide = (hbg_sweep_guide){state, put_values, choose, take_event, end_run};
    state->crew = (hbg_sweep_crew){.options = &state->sweep, .list = &state->list, .guide = &state->guide};
    HBG_TRY(hbg_api_sweep_crew_compile(session, model, &state->crew));
    HBG_TRY(list_choices(session, state));
    state->list.faults = HBG_NEW_ARRAY(&session->scratch, int32_t, 1);
    state->list.faults[0] = HBG_NONE;
    state->list.case_count = 1;
    state->list.samples = state->list.group = 1;
    state->list.runs = state->list.end = state->most;
    state->list.seed = options->run.seed;
    state->ways = HBG_EXPLORE_RANDOM + options->points;
    HBG_TRY(hbg_api_sweep_crew_make(session, &state->crew, state->most));
    make_room(session, state);
    add_run(session, state, HBG_NONE, -1, HBG_EXPLORE_DEFAULT); // whose values the compiler sees
    hbg_sweep_code code = {0};
    HBG_TRY(hbg_api_sweep_worker_native(session, &state->crew.workers[0], &code));
    state->interrupted = code.interrupted;
    state->runs.count = 0;
    return HBG_OK;
}

hbg_status hbg_explore(hbg_session *session, const hbg_model *model, const hbg_explore_options *options,
                       hbg_run_end *end, hbg_text *text) {
    hbg_explore_options used = options ? *options : hbg_explore_options_default();
    *text = (hbg_text){0};
    *end = HBG_RUN_NOT_FINISHED;
    HBG_ENTER_OR(session, exhausted);
    if (used.depth <= 0) used.depth = HBG_EXPLORE_DEPTH;
    if (used.points < 0) used.points = HBG_EXPLORE_POINTS;
    used.run = hbg_api_run_options(session, model, &used.run);
    hbg_explore_state *state = HBG_NEW(&session->scratch, hbg_explore_state);
    state->options = &used;
    state->most = used.runs <= 0 ? HBG_EXPLORE_RUNS : used.runs < INT32_MAX ? used.runs : INT32_MAX;
    session->explore = state;
    hbg_status status = prepare(session, model, state);
    if (status == HBG_OK && !state->interrupted) status = explore(session, state);
    if (status == HBG_OK && !state->interrupted) {
        *end = state->unfinished > 0 ? HBG_RUN_NOT_FINISHED : HBG_RUN_FINISHED;
        status = hbg_api_report_print(hbg_api_explore_report(session, state), used.run.json, text);
    } else if (status == HBG_OK) {
        *end = HBG_RUN_INTERRUPTED;
        session->reason = "interrupted";
    }
    release(session);
    return hbg_api_session_leave(session, status);
}
