/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run of a system that falls into independent parts: each has its own steps, and its events end no step of
 * the others. The part whose last step ends first advances, so every other part is known from before that
 * time to after it: instants come in order of time, rows are interpolated in between, and where a verdict
 * ends the run no part has passed a later instant. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/parts_impl.h"

/* ---- the earliest part -------------------------------------------------------------------------------- */

static bool is_before(const hbg_sim_schedule *schedule, int32_t a, int32_t b) {
    double one = schedule->parts[a].engine->end, other = schedule->parts[b].engine->end;
    return one < other || (one == other && a < b);
}

static void push(hbg_sim_schedule *schedule, int32_t part) {
    int32_t *heap = schedule->heap, place = schedule->heap_count++;
    for (; place > 0 && is_before(schedule, part, heap[(place - 1) / 2]); place = (place - 1) / 2)
        heap[place] = heap[(place - 1) / 2];
    heap[place] = part;
}

static int32_t pop(hbg_sim_schedule *schedule) {
    int32_t *heap = schedule->heap, first = heap[0], last = heap[--schedule->heap_count], place = 0;
    for (;;) {
        int32_t next = 2 * place + 1;
        if (next >= schedule->heap_count) break;
        if (next + 1 < schedule->heap_count && is_before(schedule, heap[next + 1], heap[next])) next++;
        if (!is_before(schedule, heap[next], last)) break;
        heap[place] = heap[next];
        place = next;
    }
    heap[place] = last;
    return first;
}

/* ---- a part ------------------------------------------------------------------------------------------- */

static void note_warnings(hbg_sim_schedule *schedule, hbg_sim_part_run *part) {
    hbg_sim_result *result = schedule->whole.result;
    if (part->result.warnings == part->warnings) return;
    if (result->warnings == 0) {
        memcpy(result->warning, part->result.warning, sizeof result->warning);
        result->rests_first = part->result.rests_first;
    }
    if (part->result.rests > part->rests)
        hbg_rt_note_rest(result, part->engine->moment.rested, part->engine->t);
    result->warnings += part->result.warnings - part->warnings;
    part->warnings = part->result.warnings;
    part->rests = part->result.rests;
}

/* The next step of a part; a part that has arrived makes none. */
static hbg_rt_status advance(hbg_sim_schedule *schedule, hbg_sim_part_run *part) {
    hbg_sim_result *result = schedule->whole.result;
    const hbg_sim_options *options = schedule->options;
    hbg_rt_engine *engine = part->engine;
    bool is_rest = engine->moment.inside;
    schedule->current = part;
    if (engine->t >= options->stop || hbg_rt_same_instant(engine->t, options->stop)) return HBG_RT_OK;
    if (options->step_limit > 0 && result->steps >= options->step_limit) return HBG_RT_TOO_MANY_STEPS;
    hbg_rt_status status = hbg_rt_engine_step(engine);
    note_warnings(schedule, part);
    if (status != HBG_RT_OK) return status;
    result->steps += !is_rest;
    part->pending = true;
    push(schedule, (int32_t)(part - schedule->parts));
    return HBG_RT_OK;
}

static hbg_rt_status arrive(hbg_sim_schedule *schedule, hbg_sim_part_run *part) {
    hbg_rt_engine *engine = part->engine;
    schedule->current = part;
    hbg_rt_status status = hbg_rt_engine_book(engine, engine->end);
    if (status != HBG_RT_OK) return status;
    hbg_rt_engine_arrive(engine);
    part->pending = false;
    return HBG_RT_OK;
}

/* Lends log and commits, which serve one part at a time. */
static void lend(hbg_sim_schedule *schedule, hbg_sim_part_run *part) {
    schedule->current = part;
    if (schedule->log) {
        hbg_rt_log_bind(schedule->log, part->map->system, part->map->instance);
        hbg_rt_log_begin(schedule->log);
    }
    hbg_rt_commits_forget(&part->rows);
}

/* ---- a moment ----------------------------------------------------------------------------------------- */

static hbg_sim_part_run *participant(const hbg_sim_schedule *schedule, int32_t number) {
    return &schedule->parts[schedule->now[number]];
}

static bool is_recorded(const hbg_rt_engine *whole, double t) {
    const hbg_rt_grid *rows = &whole->rows;
    return rows->step > 0 && hbg_rt_same_instant(hbg_rt_grid_time(rows, whole->row_next), t);
}

/* All parts whose steps end at the earliest time, those with an instant first. The time is exactly the
 * planned one, or the recorded one. */
static void list_moment(hbg_sim_schedule *schedule) {
    hbg_rt_engine *whole = &schedule->whole;
    double t = schedule->parts[schedule->heap[0]].engine->end;
    int rank = -1; // of the earliest time so far
    schedule->now_count = schedule->step_count = 0;
    while (schedule->heap_count > 0) {
        const hbg_rt_engine *engine = schedule->parts[schedule->heap[0]].engine;
        bool planned = engine->end >= engine->schedule.limit;
        if (engine->end != t && !hbg_rt_same_instant(engine->end, t)) break;
        int own = planned ? 3 : is_recorded(whole, engine->end) ? 2 : engine->moment.crossed;
        if (own > rank) whole->t = engine->end;
        rank = own > rank ? own : rank;
        int32_t part = pop(schedule), place = schedule->now_count + schedule->step_count;
        if (engine->moment.crossed || planned) { // the parts after them move by one
            schedule->now[place] = schedule->now[schedule->now_count];
            schedule->now[schedule->now_count++] = part;
        } else {
            schedule->now[place] = part;
            schedule->step_count++;
        }
    }
}

/* Whether a step of a part with outputs ends here without a row inside: with many parts, not every step has
 * to end with a row. */
static bool is_unseen(const hbg_sim_schedule *schedule, const hbg_sim_part_run *part) {
    bool seen = schedule->rows.row_at > part->engine->t && !schedule->options->step_end;
    return part->map->system->output_count > 0 && !seen;
}

typedef enum { NO_ROWS, ROWS_IF_CHANGED, ROWS } row_wish;

/* Whether any consumer needs outputs at the present moment, in which all parts are where their steps began.
 * Parts without outputs change none. */
static row_wish wish_rows(const hbg_sim_schedule *schedule) {
    const hbg_sim_options *options = schedule->options;
    bool happens = false, unseen = false, paced = options->record_every > 0;
    if (is_recorded(&schedule->whole, schedule->whole.t)) return ROWS;
    for (int32_t i = 0; i < schedule->now_count; i++)
        happens = happens || participant(schedule, i)->map->system->output_count > 0;
    for (int32_t i = 0; i < schedule->step_count && !unseen; i++)
        unseen = is_unseen(schedule, participant(schedule, schedule->now_count + i));
    bool told = !paced || options->look || options->step_end;
    if (told && (happens || unseen)) return ROWS;
    return happens ? ROWS_IF_CHANGED : NO_ROWS;
}

/* Takes all parts of the moment to the ends of their steps; at instants, up to the left limits. */
static hbg_rt_status arrive_all(hbg_sim_schedule *schedule) {
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < schedule->now_count + schedule->step_count && status == HBG_RT_OK; i++) {
        hbg_sim_part_run *part = participant(schedule, i);
        status = arrive(schedule, part);
        if (status != HBG_RT_OK || i >= schedule->now_count) continue;
        hbg_rt_engine_count_instant(part->engine);
        status = hbg_rt_engine_open(part->engine);
    }
    return status;
}

/* Runs the instant of each part, and reports all of it as one event. A verdict on one does not concern the
 * others. */
static hbg_rt_status happen(hbg_sim_schedule *schedule) {
    hbg_rt_status worst = HBG_RT_OK;
    hbg_sim_part_run *culprit = schedule->current;
    if (schedule->merger) hbg_sim_merger_begin(schedule->merger, schedule->whole.t, false);
    for (int32_t i = 0; i < schedule->now_count && (worst == HBG_RT_OK || worst == HBG_RT_VERDICT); i++) {
        hbg_sim_part_run *part = participant(schedule, i);
        lend(schedule, part);
        hbg_rt_status status = hbg_rt_engine_pass(part->engine);
        if (schedule->no_memory) hbg_base_memory_exhausted(schedule->arena->memory);
        note_warnings(schedule, part);
        hbg_sim_gather_commits(schedule, part);
        if (status == HBG_RT_OK || worst == status) continue;
        worst = status;
        culprit = part;
    }
    schedule->current = culprit;
    if (schedule->merger) hbg_sim_merger_tell(schedule->merger);
    return worst;
}

/* The next steps. A verdict on a complete instant ends the run after it. */
static hbg_rt_status leave_moment(hbg_sim_schedule *schedule) {
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < schedule->now_count && status == HBG_RT_OK; i++) {
        schedule->current = participant(schedule, i);
        status = hbg_rt_engine_close(schedule->current->engine);
    }
    for (int32_t i = 0; i < schedule->now_count + schedule->step_count && status == HBG_RT_OK; i++) {
        schedule->current = participant(schedule, i);
        status = hbg_rt_engine_go_on(schedule->current->engine);
        if (status == HBG_RT_OK) status = advance(schedule, schedule->current);
    }
    return status;
}

/* Rows after an instant. */
static hbg_rt_status record_change(hbg_sim_schedule *schedule, row_wish wish) {
    bool changed = wish == ROWS;
    hbg_rt_status status = HBG_RT_OK;
    if (wish == ROWS_IF_CHANGED) status = hbg_sim_gather_change(schedule, &changed);
    if (status == HBG_RT_OK && changed) status = hbg_sim_complete_commits(schedule);
    if (status == HBG_RT_OK && changed) status = hbg_rt_rows_instant(&schedule->rows);
    return status;
}

static hbg_rt_status pass_moment(hbg_sim_schedule *schedule) {
    hbg_rt_engine *whole = &schedule->whole;
    hbg_rt_rows *rows = &schedule->rows;
    rows->written = false;
    schedule->current = &schedule->parts[schedule->heap[0]];
    hbg_rt_status status = hbg_rt_rows_inside(rows, schedule->current->engine->end);
    if (status != HBG_RT_OK) return status;
    list_moment(schedule);
    row_wish wish = wish_rows(schedule);
    whole->moment.is_instant = schedule->now_count > 0;
    status = arrive_all(schedule);
    if (status == HBG_RT_OK && wish == ROWS) {
        status = hbg_rt_rows_end(rows);
        schedule->has_gathered = status == HBG_RT_OK && (rows->written || whole->moment.is_instant);
    }
    if (status == HBG_RT_OK && wish == ROWS_IF_CHANGED) status = hbg_sim_gather_left(schedule);
    if (status == HBG_RT_OK && whole->moment.is_instant) status = happen(schedule);
    if (status == HBG_RT_OK && whole->moment.is_instant) status = record_change(schedule, wish);
    hbg_rt_commits_forget(rows);
    schedule->has_gathered = false;
    return status == HBG_RT_OK ? leave_moment(schedule) : status;
}

static hbg_rt_status flow(hbg_sim_schedule *schedule) {
    hbg_rt_status status = HBG_RT_OK;
    if (!hbg_sim_goes_on(&schedule->progress)) return HBG_RT_INTERRUPTED;
    for (int32_t i = 0; i < schedule->count && status == HBG_RT_OK; i++)
        status = advance(schedule, &schedule->parts[i]);
    while (schedule->heap_count > 0 && status == HBG_RT_OK) {
        status = pass_moment(schedule);
        if (status == HBG_RT_OK && !hbg_sim_goes_on(&schedule->progress)) status = HBG_RT_INTERRUPTED;
    }
    return status;
}

/* ---- the start ---------------------------------------------------------------------------------------- */

/* The events of a part are kept in memory that may be exhausted: that must not jump out of the engine that
 * reports them. */
static void take_story(void *context, const hbg_rt_story *story) {
    hbg_sim_schedule *schedule = ((hbg_rt_rows *)context)->options->context;
    hbg_memory *memory = schedule->arena->memory;
    jmp_buf guard, *outer = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        schedule->no_memory = true;
        return;
    }
    hbg_sim_merger_take(schedule, story);
    memory->exhausted = outer;
}

static hbg_rt_status make_part(hbg_sim_schedule *schedule, hbg_sim_part_run *part) {
    const hbg_sim_part *map = part->map;
    hbg_sim_result_init(schedule->arena, map->system, &part->result);
    hbg_sim_rows_init(schedule->arena, map->system, &part->options, &part->rows);
    part->rows.commits = schedule->commits;
    part->maker = (hbg_sim_maker){.arena = schedule->arena, .options = &part->options};
    part->setup = hbg_sim_setup(&part->maker);
    part->setup.shows = hbg_sim_setup(&(hbg_sim_maker){.options = schedule->options}).shows;
    hbg_rt_rows_watch_modes(&part->rows, &part->setup.observer);
    if (schedule->merger) part->setup.observer.story = take_story;
    part->setup.log = schedule->log;
    part->setup.tells_start = schedule->system->has_events;
    part->lent = hbg_sim_lent_new(schedule->arena);
    if (part->lent) part->setup.solver = hbg_sim_lent_solver(part->lent);
    hbg_rt_status status =
        hbg_rt_engine_new(map->system, map->instance, &part->setup, &part->result, &part->engine);
    part->rows.engine = part->engine;
    return status;
}

static hbg_rt_status start_part(hbg_sim_schedule *schedule, hbg_sim_part_run *part) {
    hbg_rt_status status = make_part(schedule, part);
    lend(schedule, part);
    if (status == HBG_RT_OK) status = hbg_rt_engine_declare(part->engine);
    if (status == HBG_RT_OK) status = hbg_rt_engine_pass_start(part->engine, &part->moved);
    if (schedule->no_memory) hbg_base_memory_exhausted(schedule->arena->memory);
    note_warnings(schedule, part);
    hbg_sim_gather_commits(schedule, part);
    return status;
}

static hbg_rt_status start(hbg_sim_schedule *schedule) {
    hbg_rt_status status = HBG_RT_OK;
    if (schedule->merger) hbg_sim_merger_begin(schedule->merger, 0, true);
    for (int32_t i = 0; i < schedule->count && status == HBG_RT_OK; i++) {
        schedule->now[schedule->now_count++] = i;
        status = start_part(schedule, &schedule->parts[i]);
    }
    if (schedule->merger) hbg_sim_merger_tell(schedule->merger);
    if (status == HBG_RT_OK) status = hbg_sim_gather_start(schedule);
    for (int32_t i = 0; i < schedule->count && status == HBG_RT_OK; i++) {
        schedule->current = &schedule->parts[i];
        status = hbg_rt_engine_close_start(schedule->current->engine);
    }
    for (int32_t i = 0; i < schedule->count && status == HBG_RT_OK; i++) {
        schedule->current = &schedule->parts[i];
        status = hbg_rt_engine_choose(schedule->current->engine);
    }
    if (status == HBG_RT_OK) hbg_sim_result_name_solvers(schedule);
    return status;
}

/* ---- the run ------------------------------------------------------------------------------------------ */

/* A description as large as the largest part in every respect, for allocating. */
static hbg_rt_description largest(const hbg_sim_schedule *schedule) {
    hbg_rt_description size = {0};
    for (int32_t i = 0; i < schedule->count; i++) {
        const hbg_rt_description *own = schedule->parts[i].map->system;
        const int32_t counts[] = {own->state_count,    own->output_count, own->input_count,
                                  own->storage_count,  own->power_count,  own->bond_count,
                                  own->automaton_count};
        int32_t *most[] = {&size.state_count, &size.output_count, &size.input_count,    &size.storage_count,
                           &size.power_count, &size.bond_count,   &size.automaton_count};
        for (int k = 0; k < 7; k++) *most[k] = counts[k] > *most[k] ? counts[k] : *most[k];
    }
    return size;
}

static void prepare(hbg_sim_schedule *schedule) {
    hbg_arena *arena = schedule->arena;
    const hbg_sim_options *options = schedule->options;
    hbg_rt_description size = largest(schedule);
    schedule->heap = HBG_NEW_ARRAY(arena, int32_t, schedule->count + 1);
    schedule->now = HBG_NEW_ARRAY(arena, int32_t, schedule->count + 1);
    schedule->states = HBG_NEW_ARRAY(arena, int32_t, schedule->system->automaton_count + 1);
    for (int32_t i = 0; i < schedule->system->automaton_count; i++)
        schedule->states[i] = schedule->system->start_states[i];
    hbg_sim_gather_prepare(schedule);
    if (options->event) {
        schedule->merger = hbg_sim_merger_new(schedule);
        schedule->log = hbg_rt_log_new(&schedule->room, &size, NULL);
        if (!schedule->log) hbg_base_memory_exhausted(arena->memory);
    }
    if (schedule->system->has_events && (options->row || options->look)) {
        schedule->commits = hbg_sim_commits_new(arena, &size);
        schedule->rows.commits = hbg_sim_commits_new(arena, &schedule->face);
    }
    hbg_sim_share_options(schedule, options);
    int32_t roots = 0;
    for (int32_t i = 0; i < schedule->count; i++) {
        hbg_sim_part_run *part = &schedule->parts[i];
        part->result = (hbg_sim_result){.solver = "", .why = ""};
        part->root_first = roots;
        roots += part->map->system->root_count;
    }
}

/* Frees what other libraries hold for the parts before the jump out. */
static void let_go(const hbg_sim_schedule *schedule) {
    for (int32_t i = 0; i < schedule->count; i++) {
        hbg_sim_part_run *part = &schedule->parts[i];
        if (part->engine && part->engine->stepper) part->engine->stepper->end(part->engine->stepper);
        if (!part->lent) continue;
        hbg_rt_lend(part->map->instance, NULL);
        hbg_sim_lent_end(part->lent);
    }
}

static hbg_rt_status run(hbg_sim_schedule *schedule) {
    prepare(schedule);
    hbg_rt_status status = start(schedule);
    if (status == HBG_RT_OK) {
        uint64_t before = schedule->whole.arithmetic = hbg_rt_subnormal_skip();
        for (int32_t i = 0; i < schedule->count; i++) schedule->parts[i].engine->arithmetic = before;
        status = flow(schedule);
        hbg_rt_subnormal_restore(before);
    }
    return hbg_sim_result_sum(schedule, status);
}

hbg_rt_status hbg_sim_run_parts(hbg_arena *arena, const hbg_rt_description *whole, const hbg_sim_part *parts,
                                int32_t count, const hbg_sim_options *options, hbg_sim_result *result) {
    hbg_sim_schedule *schedule = HBG_NEW(arena, hbg_sim_schedule);
    hbg_memory *memory = arena->memory;
    jmp_buf guard, *outer = memory->exhausted;
    *result = (hbg_sim_result){.solver = "", .why = ""};
    const char *fault = hbg_sim_options_fault(whole, options);
    if (!fault && options->solver >= HBG_SIM_EULER) fault = "parts need a method of variable step";
    if (fault != NULL) {
        (void)snprintf(result->failure, sizeof result->failure, "%s", fault);
        return HBG_RT_BAD_OPTION;
    }
    *schedule = (hbg_sim_schedule){.arena = arena, .system = whole, .count = count};
    schedule->whole = (hbg_rt_engine){.result = result, .rows = hbg_rt_grid_of(options->record_every)};
    schedule->options = options;
    schedule->progress = (hbg_sim_progress){.options = options, .engine = &schedule->whole};
    schedule->room.memory = hbg_sim_memory(arena);
    schedule->parts = HBG_NEW_ARRAY(arena, hbg_sim_part_run, count + 1);
    for (int32_t i = 0; i < count; i++) schedule->parts[i].map = &parts[i];
    uint64_t arithmetic = hbg_rt_subnormal_skip();
    hbg_rt_subnormal_restore(arithmetic);
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        hbg_rt_subnormal_restore(arithmetic);
        let_go(schedule);
        hbg_base_memory_exhausted(memory);
    }
    hbg_rt_status status = run(schedule);
    memory->exhausted = outer;
    return status;
}
