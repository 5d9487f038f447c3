/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode of a run. Junctions that switch lead to a new assignment by Hybrid SCAP; blocks and islands that have a fact of
 * what changed are looked up by their facts, or compiled when they are met for the first time. What did not change is
 * not touched. */
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* The assignment is the run's own, in memory that may run out; an outer guard stays what it was. */
static hbg_rt_status guarded(hbg_rt_instance *run, void (*work)(hbg_rt_instance *run)) {
    hbg_memory *memory = run->memory;
    jmp_buf guard, *outer = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        return HBG_RT_NO_MEMORY;
    }
    work(run);
    memory->exhausted = outer;
    return HBG_RT_OK;
}

/* ---- what has changed --------------------------------------------------------------------------------- */

static void make_stale(hbg_rt_instance *run, int32_t place) {
    const hbg_eqn *eqn = run->eqn;
    const int32_map *segments = &eqn->place_segments[place], *islands = &eqn->place_islands[place];
    for (int32_t i = 0; i < segments->count; i++) {
        int32_t number = segments->items[i];
        if (run->variant[number]) run->stale[run->stale_count++] = number;
        run->variant[number] = NULL;
    }
    for (int32_t i = 0; i < islands->count; i++) run->event[islands->items[i]] = NULL;
}

bool hbg_eqn_is_on(const hbg_rt_instance *run, int32_t place) {
    return run->assignment && hbg_causal_is_on(run->assignment, place);
}

static void switch_places(hbg_rt_instance *run) {
    int32_t count;
    hbg_causal_switch(run->assignment, run->places, run->place_count);
    const int32_t *changed = hbg_causal_changed(run->assignment, &count);
    for (int32_t i = 0; i < count; i++) make_stale(run, changed[i]);
}

/* The first mode of a run: all of it. */
static void assign_first(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < eqn->structure->place_count; i++)
        run->on[i] = eqn->varies.select[i] || hbg_eqn_place_on(run, i, run->mode_states);
    if (!run->assignment) run->assignment = hbg_causal_assignment_new(&run->arena, eqn->structure);
    hbg_causal_assign(run->assignment, run->on);
}

/* Segments and islands hold in all modes; any that is valid serves to make them. */
static void build(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    if (eqn->built) return; // by another run
    hbg_eqn_begin_work(eqn);
    hbg_eqn_make_segments(eqn, run->assignment);
    hbg_eqn_make_islands(eqn, run->assignment);
    hbg_eqn_find_calm(eqn);
    hbg_eqn_image_instants(eqn);
    eqn->located_always = eqn->located.count;
    eqn->built = true;
    hbg_eqn_end_work(eqn);
}

static void set_place(hbg_rt_instance *run, int32_t place) {
    hbg_eqn *eqn = run->eqn;
    bool on = hbg_eqn_place_on(run, place, run->mode_states);
    *hbg_eqn_home_of(run, VARIABLE_ON, place) = on;
    if (eqn->varies.select[place] || on == hbg_causal_is_on(run->assignment, place)) return;
    for (int32_t i = 0; i < run->place_count; i++)
        if (run->places[i] == place) return; // two automata control it
    run->places[run->place_count++] = place;
}

static size_t name_mode(hbg_rt_instance *run) {
    const hbg_rt_system *system = &run->eqn->system;
    char *text = run->failure.text;
    size_t size = sizeof run->failure.text / 2;
    size_t used = (size_t)snprintf(text, size, "the mode");
    for (int32_t i = 0; i < system->automaton_count && used + 1 < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s`%s` %s", i ? ", " : " ",
                                 system->automata[i].name, system->automata[i].states[run->mode_states[i]]);
    if (used + 1 >= size) used = (size_t)snprintf(text, size, "the mode");
    return used +
           (size_t)snprintf(text + used, sizeof run->failure.text - used, " has no valid causal assignment");
}

static const char *const conflict_way_out =
    "what is between them in the real thing, like the resistance of a "
    "switch, in one of these bonds, or guards that do not lead here";
static const char *const floats_way_out = "what holds it in the real thing and is never off, like a large "
                                          "resistance beside one of these, or a small capacity";

static hbg_rt_status refuse_mode(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    size_t used = name_mode(run);
    run->failure.way_out = conflict_way_out;
    int32_t *refused = run->mode_states + eqn->model->automata.count;
    memcpy(refused, run->mode_states, (size_t)eqn->model->automata.count * sizeof *refused);
    run->failure.states = refused;
    hbg_arena_init(&arena, &memory);
    if (!HBG_GUARD(&memory, guard)) {
        hbg_buffer text;
        for (int32_t i = 0; i < eqn->structure->place_count; i++)
            run->on[i] = hbg_eqn_place_on(run, i, run->mode_states);
        hbg_buffer_init(&text, &arena);
        bool floats = hbg_eqn_explain_conflict(eqn, &arena, run->on, &text);
        if (floats) run->failure.way_out = floats_way_out;
        snprintf(run->failure.text + used, sizeof run->failure.text - used, "%s", text.data);
    }
    hbg_arena_fini(&arena);
    return run->failure.status = HBG_RT_NO_CAUSALITY;
}

/* ---- arrays that follow the number of segments and islands --------------------------------------------- */

hbg_rt_status hbg_eqn_mode_init(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    hbg_memory *memory = run->memory;
    int32_t facts = 0;
    for (int32_t i = 0; i < eqn->segments.count; i++) {
        int32_t count = hbg_eqn_fact_count(&eqn->segments.items[i].facts);
        facts = count > facts ? count : facts;
    }
    for (int32_t i = 0; i < eqn->islands.count; i++) {
        int32_t count = hbg_eqn_fact_count(&eqn->islands.items[i].facts);
        facts = count > facts ? count : facts;
    }
    run->segment_count = eqn->segments.count;
    run->island_count = eqn->islands.count;
    run->key_count = facts;
    run->variant = hbg_memory_alloc(memory, ((size_t)run->segment_count + 1) * sizeof *run->variant);
    run->stale = hbg_memory_alloc(memory, ((size_t)run->segment_count + 1) * sizeof *run->stale);
    run->taken = hbg_memory_alloc(memory, ((size_t)run->segment_count + 1) * sizeof *run->taken);
    run->event = hbg_memory_alloc(memory, ((size_t)run->island_count + 1) * sizeof *run->event);
    run->active = hbg_memory_alloc(memory, ((size_t)run->island_count + 1) * sizeof *run->active);
    run->is_active = hbg_memory_alloc(memory, (size_t)run->island_count + 1);
    run->at.bouncing = hbg_memory_alloc(memory, (size_t)run->island_count + 1);
    run->at.moved = hbg_memory_alloc(memory, (size_t)run->island_count + 1);
    run->throw_count = eqn->throw_count;
    run->at.throws = hbg_memory_alloc(memory, (size_t)run->throw_count + 1);
    if (!run->at.bouncing || !run->at.moved || !run->at.throws) return HBG_RT_NO_MEMORY;
    run->key = hbg_memory_alloc(memory, ((size_t)facts + 1) * sizeof *run->key);
    if (!run->variant || !run->stale || !run->taken || !run->event || !run->active || !run->is_active ||
        !run->key)
        return HBG_RT_NO_MEMORY;
    for (int32_t i = 0; i < run->segment_count; i++)
        if (eqn->segments.items[i].varies) run->stale[run->stale_count++] = i;
    return HBG_RT_OK;
}

void hbg_eqn_mode_fini(hbg_rt_instance *run) {
    hbg_memory *memory = run->memory;
    size_t segments = (size_t)run->segment_count + 1, islands = (size_t)run->island_count + 1;
    if (run->variant) hbg_memory_free(memory, run->variant, segments * sizeof *run->variant);
    if (run->stale) hbg_memory_free(memory, run->stale, segments * sizeof *run->stale);
    if (run->taken) hbg_memory_free(memory, run->taken, segments * sizeof *run->taken);
    if (run->event) hbg_memory_free(memory, run->event, islands * sizeof *run->event);
    if (run->active) hbg_memory_free(memory, run->active, islands * sizeof *run->active);
    if (run->is_active) hbg_memory_free(memory, run->is_active, islands);
    if (run->at.bouncing) hbg_memory_free(memory, run->at.bouncing, islands);
    if (run->at.moved) hbg_memory_free(memory, run->at.moved, islands);
    if (run->at.throws) hbg_memory_free(memory, run->at.throws, (size_t)run->throw_count + 1);
    if (run->key) hbg_memory_free(memory, run->key, ((size_t)run->key_count + 1) * sizeof *run->key);
}

/* ---- the mode ----------------------------------------------------------------------------------------- */

static hbg_rt_status first_mode(hbg_rt_instance *run, const int32_t *states) {
    hbg_eqn *eqn = run->eqn;
    memcpy(run->mode_states, states, (size_t)eqn->model->automata.count * sizeof *states);
    hbg_rt_status status = guarded(run, assign_first);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, i) = states[i];
    for (int32_t i = 0; i < eqn->structure->place_count; i++)
        *hbg_eqn_home_of(run, VARIABLE_ON, i) = hbg_eqn_place_on(run, i, states);
    if (!hbg_causal_valid(run->assignment)) return refuse_mode(run);
    status = eqn->built ? hbg_eqn_keep_up(run) : hbg_eqn_compile(run, build);
    if (status == HBG_RT_OK && !run->variant) status = hbg_eqn_mode_init(run);
    if (status == HBG_RT_OK) status = hbg_eqn_instant_fit(run);
    run->has_mode = status == HBG_RT_OK;
    return status;
}

/* Those in run->moved have other states. */
static hbg_rt_status follow_moved(hbg_rt_instance *run, int32_t count, const int32_t *states) {
    const hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < count; i++) {
        int32_t automaton = run->moved[i];
        run->mode_states[automaton] = states[automaton];
        *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, automaton) = states[automaton];
    }
    run->place_count = 0;
    for (int32_t i = 0; i < count; i++) { // conditions may join automata, so that all have moved by now
        const int32_map *places = &eqn->automaton_places[run->moved[i]];
        for (int32_t k = 0; k < places->count; k++) set_place(run, places->items[k]);
    }
    hbg_rt_status status = run->place_count > 0 ? guarded(run, switch_places) : HBG_RT_OK;
    if (status == HBG_RT_OK && !hbg_causal_valid(run->assignment)) return refuse_mode(run);
    return status;
}

static hbg_rt_status next_mode(hbg_rt_instance *run, const int32_t *states) {
    int32_t automata = run->eqn->model->automata.count, moved = 0;
    if (memcmp(run->mode_states, states, (size_t)automata * sizeof *states) == 0)
        return hbg_causal_valid(run->assignment) ? HBG_RT_OK : refuse_mode(run);
    for (int32_t i = 0; i < automata; i++)
        if (run->mode_states[i] != states[i]) run->moved[moved++] = i;
    return follow_moved(run, moved, states);
}

static hbg_rt_status refused(hbg_rt_instance *run) {
    const char *what = run->eqn->refused ? run->eqn->refused : run->refused;
    if (!what) return HBG_RT_OK;
    snprintf(run->failure.text, sizeof run->failure.text, "the model asks for %s, which hbg cannot compute",
             what);
    return run->failure.status = HBG_RT_UNDEFINED;
}

hbg_rt_status hbg_eqn_change_mode(hbg_rt_instance *run, const int32_t *moved, int32_t count,
                                  const int32_t *states) {
    memcpy(run->moved, moved, (size_t)count * sizeof *moved);
    hbg_rt_status status = follow_moved(run, count, states);
    return status == HBG_RT_OK ? refused(run) : status;
}

hbg_rt_status hbg_eqn_set_mode(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_status status = run->has_mode ? next_mode(run, states) : first_mode(run, states);
    return status == HBG_RT_OK ? refused(run) : status;
}

/* ---- code, found or compiled -------------------------------------------------------------------------- */

/* What the run needs of a block that it takes: it counts for the run from now on. The run has caught up with it. */
static void meet_block(hbg_rt_instance *run, const block_variant *block) {
    for (int32_t i = 0; i < block->located.count; i++) hbg_eqn_meet(run, block->located.items[i]);
    if (block->refused) run->refused = block->refused;
}

/* Takes blocks that somebody has compiled; the others stay stale. */
static void look_up_blocks(hbg_rt_instance *run) {
    int32_t left = 0;
    for (int32_t i = 0; i < run->stale_count; i++) {
        int32_t number = run->stale[i];
        run->variant[number] =
            hbg_eqn_find_block(&run->eqn->segments.items[number], run->assignment, run->key);
        if (!run->variant[number]) run->stale[left++] = number;
    }
    run->stale_count = left;
}

static void compile_blocks(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    while (run->stale_count > 0) {
        int32_t number = run->stale[run->stale_count - 1];
        run->variant[number] = hbg_eqn_block(eqn, &eqn->segments.items[number], run->assignment, run->key);
        run->stale_count--;
    }
}

hbg_rt_status hbg_eqn_ready(hbg_rt_instance *run) {
    if (run->stale_count == 0) return HBG_RT_OK;
    int32_t count = run->stale_count;
    memcpy(run->taken, run->stale, (size_t)count * sizeof *run->taken);
    look_up_blocks(run);
    hbg_rt_status status = run->stale_count > 0 ? hbg_eqn_compile(run, compile_blocks) : hbg_eqn_keep_up(run);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < count; i++) meet_block(run, run->variant[run->taken[i]]);
    return refused(run);
}

static bool look_up_events(hbg_rt_instance *run) {
    bool all = true;
    for (int32_t i = 0; i < run->active_count; i++) {
        int32_t number = run->active[i];
        if (!run->event[number])
            run->event[number] =
                hbg_eqn_find_event(&run->eqn->islands.items[number], run->assignment, run->key);
        all = all && run->event[number];
    }
    return all;
}

static void compile_events(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    for (int32_t i = 0; i < run->active_count; i++) {
        int32_t number = run->active[i];
        if (!run->event[number])
            run->event[number] = hbg_eqn_event(eqn, &eqn->islands.items[number], run->assignment, run->key);
    }
}

hbg_rt_status hbg_eqn_ready_events(hbg_rt_instance *run) {
    bool all = true;
    for (int32_t i = 0; i < run->active_count; i++) all = all && run->event[run->active[i]];
    if (all) return HBG_RT_OK;
    hbg_rt_status status = look_up_events(run) ? hbg_eqn_keep_up(run) : hbg_eqn_compile(run, compile_events);
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++) {
        const event_variant *event = run->event[run->active[i]];
        if (event->refused) run->refused = event->refused;
    }
    return status == HBG_RT_OK ? refused(run) : status;
}

/* ---- the Jacobian ------------------------------------------------------------------------------------- */

static bool has_tangents(const hbg_rt_instance *run) {
    bool all = atomic_load_explicit(&run->eqn->jacobian, memory_order_acquire) != NULL;
    for (int32_t i = 0; i < run->segment_count && all; i++)
        all = !run->variant[i] || atomic_load_explicit(&run->variant[i]->has_tangent, memory_order_acquire);
    return all;
}

static void compile_tangents(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    if (!atomic_load_explicit(&eqn->jacobian, memory_order_relaxed))
        hbg_eqn_make_jacobian(eqn, run->assignment);
    for (int32_t i = 0; i < run->segment_count; i++)
        if (run->variant[i] && !atomic_load_explicit(&run->variant[i]->has_tangent, memory_order_relaxed))
            hbg_eqn_block_tangent(eqn, &eqn->segments.items[i], run->assignment, run->variant[i]);
}

hbg_rt_status hbg_eqn_ready_tangents(hbg_rt_instance *run) {
    hbg_rt_status status = hbg_eqn_ready(run);
    if (status != HBG_RT_OK) return status;
    return has_tangents(run) ? hbg_eqn_keep_up(run) : hbg_eqn_compile(run, compile_tangents);
}
