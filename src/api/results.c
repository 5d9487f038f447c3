/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of a run if rows, events and energies are requested as values. Columns grow one by one during
 * the run, so nothing is copied at its end. */
#include <math.h>
#include <string.h>

#include "api/results_impl.h"

struct hbg_results_keeper {
    hbg_results shown; /* first: the caller has its address */
    hbg_session *session;
    hbg_arena arena; /* names, events, energies */
    hbg_column *columns;
    double **values; /* by column */
    int32_t column_count;
    int64_t capacity; /* rows */
    HBG_VEC(hbg_event) events;
    int32_t automata;
    bool failed; /* no memory */
};

/* ---- names ---------------------------------------------------------------------------------------------- */

static const char *copy(hbg_arena *arena, const char *text) {
    return text ? hbg_base_arena_copy(arena, text, strlen(text)) : NULL;
}

hbg_value_info hbg_api_results_info(hbg_arena *arena, const hbg_rt_variable *of) {
    return (hbg_value_info){copy(arena, of->name), copy(arena, of->unit), of->is_bool};
}

const hbg_automaton_info *hbg_api_results_automata(hbg_arena *arena, const hbg_rt_description *system) {
    hbg_automaton_info *made = HBG_NEW_ARRAY(arena, hbg_automaton_info, system->automaton_count + 1);
    for (int32_t i = 0; i < system->automaton_count; i++) {
        const hbg_rt_automaton *of = &system->automata[i];
        const char **states = HBG_NEW_ARRAY(arena, const char *, of->state_count + 1);
        for (int32_t k = 0; k < of->state_count; k++) states[k] = copy(arena, of->states[k]);
        made[i] = (hbg_automaton_info){copy(arena, of->name), states, of->state_count};
    }
    return made;
}

void hbg_api_results_begin(const hbg_run_story *story) {
    static const hbg_rt_variable time = {"time", "s", false};
    hbg_results_keeper *keeper = story->results;
    const hbg_rt_description *system = story->state->system;
    hbg_arena *arena = &keeper->arena;
    int32_t records = story->state->record_count;
    keeper->columns = HBG_NEW_ARRAY(arena, hbg_column, records + 1);
    keeper->values = HBG_NEW_ARRAY(arena, double *, records + 1);
    keeper->column_count = records + 1;
    keeper->automata = system->automaton_count;
    for (int32_t i = 0; i <= records; i++)
        keeper->columns[i].of = hbg_api_results_info(arena, i == 0 ? &time : &system->outputs[i - 1]);
    hbg_value_info *inputs = HBG_NEW_ARRAY(arena, hbg_value_info, system->input_count + 1);
    for (int32_t i = 0; i < system->input_count; i++)
        inputs[i] = hbg_api_results_info(arena, &system->inputs[i]);
    keeper->shown.inputs = inputs;
    keeper->shown.input_count = system->input_count;
    keeper->shown.automata = hbg_api_results_automata(arena, system);
    keeper->shown.automaton_count = system->automaton_count;
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

static bool grow(hbg_results_keeper *keeper) {
    hbg_memory *memory = &keeper->session->memory;
    int64_t capacity = keeper->capacity == 0 ? 256 : 2 * keeper->capacity;
    size_t old = (size_t)keeper->capacity * sizeof(double), size = (size_t)capacity * sizeof(double);
    double **made = hbg_base_memory_alloc(memory, (size_t)keeper->column_count * sizeof *made);
    int32_t count = 0;
    while (made && count < keeper->column_count &&
           (made[count] = hbg_base_memory_alloc(memory, size)) != NULL)
        count++;
    bool fine = made && count == keeper->column_count;
    for (int32_t i = 0; i < count; i++) {
        double *other = fine ? keeper->values[i] : made[i];
        if (fine && old > 0) memcpy(made[i], keeper->values[i], old);
        if (fine) keeper->values[i] = made[i];
        if (other) hbg_base_memory_free(memory, other, fine ? old : size);
    }
    if (made) hbg_base_memory_free(memory, made, (size_t)keeper->column_count * sizeof *made);
    if (fine) keeper->capacity = capacity;
    return fine;
}

bool hbg_api_results_row(hbg_results_keeper *keeper, const double *row) {
    if (!keeper->failed && keeper->shown.row_count == keeper->capacity) keeper->failed = !grow(keeper);
    if (keeper->failed) return false;
    for (int32_t i = 0; i < keeper->column_count; i++) keeper->values[i][keeper->shown.row_count] = row[i];
    keeper->shown.row_count++;
    return true;
}

/* ---- events --------------------------------------------------------------------------------------------- */

hbg_event hbg_api_results_told(const hbg_sim_event *event, hbg_event_mode modes[HBG_RESULTS_MODES]) {
    int32_t count = event->visit_count < HBG_RESULTS_MODES ? event->visit_count : HBG_RESULTS_MODES;
    for (int32_t i = 0; i < count; i++) {
        const hbg_sim_visit *visit = &event->visits[event->visit_count - count + i]; // the last ones count
        modes[i] = (hbg_event_mode){(hbg_mode_kind)visit->kind, visit->states, visit->lost};
    }
    bool verdict = event->verdict != HBG_RT_FINE;
    return (hbg_event){.time = event->t,
                       .planned = event->planned,
                       .modes = modes,
                       .mode_count = count,
                       .inputs = event->inputs,
                       .input_count = event->input_count,
                       .lost = event->lost,
                       .verdict = verdict ? hbg_rt_verdict_name(event->verdict) : NULL,
                       .words = verdict && event->words ? event->words : ""};
}

_Static_assert((int)HBG_RT_CONTINUOUS == (int)HBG_MODE_CONTINUOUS &&
                   (int)HBG_RT_MYTHICAL == (int)HBG_MODE_MYTHICAL &&
                   (int)HBG_RT_PINNACLE == (int)HBG_MODE_PINNACLE &&
                   (int)HBG_RT_MODULATED == (int)HBG_WORK_MODULATED &&
                   (int)HBG_RT_SUPPLIED == (int)HBG_WORK_SUPPLIED,
               "the engine and the public header number alike");

static const int32_t *keep_ints(hbg_arena *arena, const int32_t *of, int32_t count) {
    int32_t *made = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    if (count > 0) memcpy(made, of, (size_t)count * sizeof *made);
    return made;
}

static void keep_event(hbg_results_keeper *keeper, const hbg_sim_event *event) {
    hbg_event_mode modes[HBG_RESULTS_MODES];
    hbg_event told = hbg_api_results_told(event, modes);
    hbg_event_mode *kept = HBG_NEW_ARRAY(&keeper->arena, hbg_event_mode, told.mode_count + 1);
    for (int32_t i = 0; i < told.mode_count; i++) {
        kept[i] = modes[i];
        kept[i].states = keep_ints(&keeper->arena, modes[i].states, keeper->automata);
    }
    told.modes = kept;
    told.inputs = keep_ints(&keeper->arena, told.inputs, told.input_count);
    told.words = copy(&keeper->arena, told.words);
    HBG_PUSH(&keeper->arena, keeper->events, told);
}

void hbg_api_results_event(hbg_results_keeper *keeper, const hbg_sim_event *event) {
    hbg_memory *memory = &keeper->session->memory;
    jmp_buf guard, *outer = memory->exhausted;
    if (!keeper->failed) {
        if (!HBG_GUARD(memory, guard))
            keep_event(keeper, event);
        else
            keeper->failed = true;
    }
    memory->exhausted = outer;
}

/* ---- energies ------------------------------------------------------------------------------------------- */

static const hbg_ledger *make_ledger(hbg_arena *arena, const hbg_rt_description *system,
                                     const hbg_sim_result *result) {
    hbg_ledger *made = HBG_NEW(arena, hbg_ledger);
    hbg_work_line *works = HBG_NEW_ARRAY(arena, hbg_work_line, system->power_count + 1);
    hbg_storage_line *storages = HBG_NEW_ARRAY(arena, hbg_storage_line, system->storage_count + 1);
    hbg_run_energy energy;
    hbg_api_run_balance(system, result, &energy);
    for (int32_t i = 0; i < system->power_count; i++)
        works[i] = (hbg_work_line){copy(arena, system->powers[i].name), (hbg_work_kind)system->powers[i].kind,
                                   result->work[i]};
    for (int32_t i = 0; i < system->storage_count; i++)
        storages[i] = (hbg_storage_line){copy(arena, system->storages[i].name), result->stored_at_start[i],
                                         result->stored_at_end[i]};
    *made = (hbg_ledger){.works = works,
                         .work_count = system->power_count,
                         .storages = storages,
                         .storage_count = system->storage_count,
                         .stored_before = energy.line[HBG_RUN_STORED_BEFORE],
                         .stored_after = energy.line[HBG_RUN_STORED_AFTER],
                         .supplied = energy.line[HBG_RUN_SUPPLIED],
                         .dissipated = energy.line[HBG_RUN_DISSIPATED],
                         .by_modulation = energy.line[HBG_RUN_BY_MODULATION],
                         .by_parameters = energy.line[HBG_RUN_BY_PARAMETERS],
                         .lost_in_jumps = energy.line[HBG_RUN_LOST_IN_JUMPS],
                         .residual = energy.line[HBG_RUN_RESIDUAL],
                         .scale = result->scale};
    return made;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static void drop(hbg_results_keeper *keeper) {
    hbg_memory *memory = &keeper->session->memory;
    for (int32_t i = 0; i < keeper->column_count && keeper->capacity > 0; i++)
        hbg_base_memory_free(memory, keeper->values[i], (size_t)keeper->capacity * sizeof(double));
    hbg_arena arena = keeper->arena;
    hbg_base_arena_fini(&arena);
    hbg_base_memory_free(memory, keeper, sizeof *keeper);
}

void hbg_results_free(hbg_session *session, const hbg_results *results) {
    (void)session; // it owns the memory
    if (results) drop((hbg_results_keeper *)(void *)results);
}

static void show(hbg_results_keeper *keeper, const hbg_run_story *story) {
    hbg_results *shown = &keeper->shown;
    const hbg_sim_result *result = &story->result;
    shown->end = story->end;
    shown->reason = copy(&keeper->arena, keeper->session->reason);
    shown->solver = copy(&keeper->arena, result->solver ? result->solver : "");
    shown->steps = result->steps;
    shown->rejected = result->rejected;
    shown->evaluations = result->rates;
    for (int32_t i = 0; i < keeper->column_count; i++) keeper->columns[i].values = keeper->values[i];
    shown->columns = keeper->columns;
    shown->column_count = keeper->column_count;
    shown->events = keeper->events.items;
    shown->event_count = keeper->events.count;
    if (story->sim.ledger) shown->ledger = make_ledger(&keeper->arena, story->state->system, result);
}

hbg_results_keeper *hbg_api_results_new(hbg_session *session) {
    hbg_results_keeper *keeper = hbg_base_memory_alloc(&session->memory, sizeof *keeper);
    if (!keeper) hbg_base_memory_exhausted(&session->memory);
    keeper->session = session;
    hbg_base_arena_init(&keeper->arena, &session->memory);
    return session->results = keeper;
}

void hbg_api_results_drop(hbg_session *session) {
    if (session->results) drop(session->results);
    session->results = NULL;
}

hbg_status hbg_api_results_end(hbg_session *session, const hbg_run_story *story, hbg_status status,
                               const hbg_results **results) {
    hbg_results_keeper *keeper = session->results;
    if (status == HBG_OK && keeper->failed) status = HBG_NO_MEMORY;
    if (status != HBG_OK) {
        hbg_api_results_drop(session);
        return status;
    }
    if (story->state) show(keeper, story);
    *results = &keeper->shown;
    session->results = NULL;
    return HBG_OK;
}

const hbg_column *hbg_results_find(const hbg_results *results, const char *name) {
    for (int32_t i = 0; i < results->column_count; i++)
        if (strcmp(results->columns[i].of.name, name) == 0) return &results->columns[i];
    return NULL;
}
