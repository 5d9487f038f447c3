/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode of a run: which junctions are on. Those that switch make choices stale: whether their regions are valid is found at
 * once, by on and off alone; code of blocks and islands when it is needed. What is not there yet is asked for (provide.c). What no
 * junction that switched chooses is not touched. */
#include <stdio.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* ---- what has changed --------------------------------------------------------------------------------- */

static void switch_place(hbg_rt_instance *run, int32_t place) {
    int32_t region = run->eqn->structure->place_region[place];
    run->on[place >> 6] ^= (uint64_t)1 << (place & 63);
    if (run->is_switched[region]) return;
    run->is_switched[region] = true;
    run->switched[run->switched_count++] = region;
}

static void set_place(hbg_rt_instance *run, int32_t place) {
    hbg_eqn *eqn = run->eqn;
    bool on = hbg_causal_place_mode(eqn->structure, place, run->mode_states);
    *hbg_eqn_home_of(run, VARIABLE_ON, place) = on;
    if (!eqn->varies.select[place] && on != hbg_eqn_bit(run->on, place)) switch_place(run, place);
}

static void make_stale(hbg_rt_instance *run, int32_t region) {
    const hbg_eqn *eqn = run->eqn;
    const int32_map *segments = &eqn->region_segments[region], *islands = &eqn->region_islands[region];
    for (int32_t i = 0; i < segments->count; i++) {
        int32_t number = segments->items[i];
        if (run->variant[number]) run->stale[run->stale_count++] = number;
        run->variant[number] = NULL;
    }
    for (int32_t i = 0; i < islands->count; i++) run->event[islands->items[i]] = NULL;
}

bool hbg_eqn_is_on(const hbg_rt_instance *run, int32_t place) {
    return run->on && hbg_eqn_bit(run->on, place);
}

/* ---- whether it is valid -------------------------------------------------------------------------------- */

static void count_answer(hbg_rt_instance *run, int32_t number, int sign) {
    const region_answer *of = run->answer[number];
    if (!of) return;
    run->bad_count += of->valid ? 0 : sign;
    run->dependent_count += sign * of->dependent;
}

static hbg_rt_status judge_region(hbg_rt_instance *run, int32_t number) {
    count_answer(run, number, -1);
    void *found = hbg_choice_find(&run->eqn->regions.items[number].choice, run->on, run->key);
    hbg_rt_status status = found ? HBG_RT_OK : hbg_eqn_need(run->eqn, NEED_REGION, number, run->on, &found);
    run->answer[number] = found;
    count_answer(run, number, 1);
    return status;
}

/* Regions that switched, with all that looks at them. */
static hbg_rt_status follow_switched(hbg_rt_instance *run) {
    hbg_rt_status status = HBG_RT_OK;
    while (run->switched_count > 0) {
        int32_t region = run->switched[--run->switched_count];
        const int32_map *choices = &run->eqn->region_choices[region];
        run->is_switched[region] = false;
        make_stale(run, region);
        for (int32_t i = 0; i < choices->count && status == HBG_RT_OK; i++)
            status = judge_region(run, choices->items[i]);
    }
    return status;
}

static hbg_rt_status judge_all(hbg_rt_instance *run) {
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < run->eqn->regions.count && status == HBG_RT_OK; i++)
        status = judge_region(run, i);
    return status;
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
    size_t used = name_mode(run), size = sizeof run->failure.text;
    int32_t *refused = run->mode_states + eqn->model->automata.count;
    memcpy(refused, run->mode_states, (size_t)eqn->model->automata.count * sizeof *refused);
    run->failure.states = refused;
    bool floats = hbg_eqn_explain_mode(eqn, run->mode_states, run->failure.text + used, size - used);
    run->failure.way_out = floats ? floats_way_out : conflict_way_out;
    return run->failure.status = HBG_RT_NO_CAUSALITY;
}

/* ---- arrays that follow the number of segments and islands --------------------------------------------- */

/* What the mode itself takes; known as soon as the model is. */
static bool make_bits(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    hbg_memory *memory = run->memory;
    size_t words = (size_t)eqn->mode_words + 1, regions = (size_t)eqn->structure->region_count + 1;
    if (!run->on) run->on = hbg_memory_alloc(memory, words * sizeof *run->on);
    if (!run->key) run->key = hbg_memory_alloc(memory, words * sizeof *run->key);
    if (!run->switched) run->switched = hbg_memory_alloc(memory, regions * sizeof *run->switched);
    if (!run->is_switched) run->is_switched = hbg_memory_alloc(memory, regions);
    if (!run->answer)
        run->answer = hbg_memory_alloc(memory, (size_t)eqn->regions.count * sizeof *run->answer);
    return run->on && run->key && run->switched && run->is_switched && run->answer;
}

static void free_bits(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    hbg_memory *memory = run->memory;
    size_t words = (size_t)eqn->mode_words + 1, regions = (size_t)eqn->structure->region_count + 1;
    if (run->on) hbg_memory_free(memory, run->on, words * sizeof *run->on);
    if (run->key) hbg_memory_free(memory, run->key, words * sizeof *run->key);
    if (run->switched) hbg_memory_free(memory, run->switched, regions * sizeof *run->switched);
    if (run->is_switched) hbg_memory_free(memory, run->is_switched, regions);
    if (run->answer) hbg_memory_free(memory, run->answer, (size_t)eqn->regions.count * sizeof *run->answer);
}

hbg_rt_status hbg_eqn_mode_init(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    hbg_memory *memory = run->memory;
    run->segment_count = eqn->segments.count;
    run->island_count = eqn->islands.count;
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
    if (!run->variant || !run->stale || !run->taken || !run->event || !run->active || !run->is_active)
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
    free_bits(run);
}

/* ---- the mode ----------------------------------------------------------------------------------------- */

static void set_states(hbg_rt_instance *run, const int32_t *states) {
    const hbg_eqn *eqn = run->eqn;
    memcpy(run->mode_states, states, (size_t)eqn->model->automata.count * sizeof *states);
    memset(run->on, 0, (size_t)eqn->mode_words * sizeof *run->on);
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        *hbg_eqn_home_of(run, VARIABLE_AUTOMATON, i) = states[i];
    for (int32_t i = 0; i < eqn->structure->place_count; i++) {
        bool on = hbg_eqn_place_on(run, i, states);
        *hbg_eqn_home_of(run, VARIABLE_ON, i) = on;
        run->on[i >> 6] |= (uint64_t)(on || eqn->varies.select[i]) << (i & 63);
    }
}

static hbg_rt_status first_mode(hbg_rt_instance *run, const int32_t *states) {
    hbg_eqn *eqn = run->eqn;
    if (!make_bits(run)) return HBG_RT_NO_MEMORY;
    set_states(run, states);
    hbg_rt_status status = judge_all(run);
    if (status != HBG_RT_OK) return status;
    if (run->bad_count > 0) return refuse_mode(run);
    if (!eqn->built) status = hbg_eqn_need(eqn, NEED_START, 0, run->on, NULL);
    if (status == HBG_RT_OK) status = hbg_eqn_keep_up(run);
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
    for (int32_t i = 0; i < count; i++) { // conditions may join automata, so that all have moved by now
        const int32_map *places = &eqn->automaton_places[run->moved[i]];
        for (int32_t k = 0; k < places->count; k++) set_place(run, places->items[k]);
    }
    hbg_rt_status status = follow_switched(run);
    return status == HBG_RT_OK && run->bad_count > 0 ? refuse_mode(run) : status;
}

static hbg_rt_status next_mode(hbg_rt_instance *run, const int32_t *states) {
    int32_t automata = run->eqn->model->automata.count, moved = 0;
    if (memcmp(run->mode_states, states, (size_t)automata * sizeof *states) == 0)
        return run->bad_count == 0 ? HBG_RT_OK : refuse_mode(run);
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
        run->variant[number] = hbg_choice_find(&run->eqn->segments.items[number].choice, run->on, run->key);
        if (!run->variant[number]) run->stale[left++] = number;
    }
    run->stale_count = left;
}

static hbg_rt_status need_blocks(hbg_rt_instance *run) {
    while (run->stale_count > 0) {
        int32_t number = run->stale[run->stale_count - 1];
        void *found = NULL;
        hbg_rt_status status = hbg_eqn_need(run->eqn, NEED_BLOCK, number, run->on, &found);
        if (status != HBG_RT_OK) return status;
        run->variant[number] = found;
        run->stale_count--;
    }
    return HBG_RT_OK;
}

hbg_rt_status hbg_eqn_take_blocks(hbg_rt_instance *run) {
    int32_t count = run->stale_count;
    memcpy(run->taken, run->stale, (size_t)count * sizeof *run->taken);
    look_up_blocks(run);
    hbg_rt_status status = need_blocks(run);
    if (status == HBG_RT_OK) status = hbg_eqn_keep_up(run);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < count; i++) meet_block(run, run->variant[run->taken[i]]);
    return refused(run);
}

static hbg_rt_status find_event(hbg_rt_instance *run, int32_t number) {
    void *found = hbg_choice_find(&run->eqn->islands.items[number].choice, run->on, run->key);
    hbg_rt_status status = found ? HBG_RT_OK : hbg_eqn_need(run->eqn, NEED_EVENT, number, run->on, &found);
    run->event[number] = found;
    return status;
}

static hbg_rt_status take_events(hbg_rt_instance *run) {
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++)
        if (!run->event[run->active[i]]) status = find_event(run, run->active[i]);
    if (status == HBG_RT_OK) status = hbg_eqn_keep_up(run);
    for (int32_t i = 0; i < run->active_count && status == HBG_RT_OK; i++) {
        const event_variant *event = run->event[run->active[i]];
        if (event->refused) run->refused = event->refused;
    }
    return status == HBG_RT_OK ? refused(run) : status;
}

hbg_rt_status hbg_eqn_ready_events(hbg_rt_instance *run) {
    bool all = true;
    for (int32_t i = 0; i < run->active_count; i++) all = all && run->event[run->active[i]];
    return all ? HBG_RT_OK : take_events(run);
}

/* ---- the Jacobian ------------------------------------------------------------------------------------- */

static hbg_rt_status need_tangent(hbg_rt_instance *run, int32_t number) {
    void *variant = run->variant[number];
    if (!variant || atomic_load_explicit(&run->variant[number]->has_tangent, memory_order_acquire))
        return HBG_RT_OK;
    return hbg_eqn_need(run->eqn, NEED_TANGENT, number, run->on, &variant);
}

hbg_rt_status hbg_eqn_ready_tangents(hbg_rt_instance *run) {
    hbg_rt_status status = hbg_eqn_ready(run);
    if (status == HBG_RT_OK && !atomic_load_explicit(&run->image->has_colours, memory_order_acquire))
        status = hbg_eqn_need(run->eqn, NEED_PLAN, 0, run->on, NULL);
    for (int32_t i = 0; i < run->segment_count && status == HBG_RT_OK; i++) status = need_tangent(run, i);
    return status == HBG_RT_OK ? hbg_eqn_keep_up(run) : status;
}
