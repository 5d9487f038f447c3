/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What runs do not find: the compiler is asked for it, with the mode as bits. It owns one assignment, led from mode to mode as
 * it is asked, and recognises code that it has compiled for other bits by its facts. */
#include <stdio.h>
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- the assignment ------------------------------------------------------------------------------------- */

static void begin_assignment(hbg_eqn *eqn) {
    int32_t places = eqn->structure->place_count;
    bool *on = HBG_NEW_ARRAY(eqn->arena, bool, places + 1);
    hbg_causal_assignment *made = hbg_causal_assignment_new(eqn->arena, eqn->structure);
    for (int32_t i = 0; i < places; i++)
        on[i] = eqn->varies.select[i] || hbg_causal_place_mode(eqn->structure, i, eqn->start_state);
    hbg_causal_begin(made, on);
    if (!eqn->switching) eqn->switching = HBG_NEW_ARRAY(eqn->arena, int32_t, places + 1);
    eqn->assigned = HBG_NEW_ARRAY(eqn->arena, uint64_t, eqn->mode_words + 1);
    for (int32_t i = 0; i < places; i++) eqn->assigned[i >> 6] |= (uint64_t)on[i] << (i & 63);
    eqn->assignment = made;
}

const hbg_causal_assignment *hbg_code_assign_mode(hbg_eqn *eqn, const uint64_t *on) {
    int32_t count = 0;
    if (!eqn->assignment) begin_assignment(eqn);
    hbg_causal_assignment *assignment = eqn->assignment;
    for (int32_t i = 0; i < eqn->mode_words; i++)
        for (uint64_t differ = on[i] ^ eqn->assigned[i]; differ != 0; differ &= differ - 1)
            eqn->switching[count++] = 64 * i + __builtin_ctzll(differ);
    if (count == 0) return assignment;
    eqn->assignment = NULL; // where memory runs out on the way it is of no use any more
    hbg_causal_enter(assignment, eqn->switching, count);
    memcpy(eqn->assigned, on, (size_t)eqn->mode_words * sizeof *on);
    return eqn->assignment = assignment;
}

/* ---- what is asked for ---------------------------------------------------------------------------------- */

/* Variables that are in one register whatever the mode, for messages. */
static void list_names(hbg_eqn *eqn) {
    int32_map pairs = {0};
    for (int32_t v = 0; v < eqn->base_count; v++) {
        int32_t reg = eqn->steady->var_register[v];
        if (reg == HBG_NONE && hbg_eqn_kind_of(eqn, v) == VARIABLE_PARAM) reg = eqn->home[v];
        if (reg == HBG_NONE) continue;
        HBG_PUSH(&eqn->scratch, pairs, v);
        HBG_PUSH(&eqn->scratch, pairs, reg);
    }
    eqn->image.layout.names = (hbg_rt_range){hbg_code_add_ints(eqn, pairs.items, pairs.count), pairs.count};
}

static void list_dependents(hbg_eqn *eqn) {
    int32_t count = 2 * eqn->dependents.count;
    hbg_rt_range *range = &eqn->image.modes.dependent;
    *range = (hbg_rt_range){HBG_POOL_ROOM(eqn->arena, eqn->image.pool.ints, count), count};
    int32_t *pairs = HBG_RT_AT(eqn->image.pool.ints, range->first);
    for (int32_t i = 0; i < eqn->dependents.count; i++) {
        pairs[2 * i] = eqn->dependents.items[i];
        pairs[2 * i + 1] = eqn->where[eqn->first[VARIABLE_STATE] + eqn->dependents.items[i]];
    }
}

/* Segments and islands hold in all modes; any that is valid serves to make them. */
static void build(hbg_eqn *eqn, const hbg_causal_assignment *assignment) {
    if (atomic_load_explicit(&eqn->image.is_built, memory_order_relaxed)) return; // for another run
    hbg_eqn_begin_work(eqn);
    hbg_code_make_segments(eqn, assignment);
    if (!eqn->has_islands) hbg_eqn_make_islands(eqn, assignment);
    hbg_code_choose_islands(eqn);
    eqn->island_code = HBG_NEW_ARRAY(eqn->arena, island_code, eqn->islands.count + 1);
    hbg_code_find_calm(eqn);
    hbg_code_image_instants(eqn);
    eqn->image.code.located_always = eqn->image.pool.located.count;
    hbg_code_list_regions(eqn);
    list_dependents(eqn);
    list_names(eqn);
    eqn->image.modes.refused = hbg_code_add_text(eqn, eqn->refused);
    eqn->image.modes.built = hbg_code_mark(eqn);
    atomic_store_explicit(&eqn->image.is_built, true, memory_order_release);
    hbg_eqn_end_work(eqn);
}

/* Of all regions that have no choice at once, with what has no junction at all. */
static hbg_rt_validity judge_rest(const hbg_eqn *eqn, const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = eqn->structure;
    hbg_rt_validity rest = {1, 0};
    for (int32_t region = 0; region <= structure->region_count; region++) {
        if (eqn->has_choice[region]) continue;
        rest.valid = rest.valid && hbg_causal_region_valid(assignment, region);
        rest.dependent += hbg_causal_region_derivatives(assignment, region);
    }
    return rest;
}

static int32_t judge(hbg_eqn *eqn, region_choice *of, const hbg_causal_assignment *assignment) {
    hbg_rt_pools *pool = &eqn->image.pool;
    hbg_rt_validity now = of->region == HBG_NONE
                              ? judge_rest(eqn, assignment)
                              : (hbg_rt_validity){hbg_causal_region_valid(assignment, of->region),
                                                  hbg_causal_region_derivatives(assignment, of->region)};
    for (int32_t i = 0; i < of->answers.count; i++) {
        const hbg_rt_validity *known = HBG_RT_AT(pool->validities, of->answers.items[i]);
        if (known->valid == now.valid && known->dependent == now.dependent) return of->answers.items[i];
    }
    HBG_POOL_ADD(eqn->arena, pool->validities, now);
    HBG_PUSH(eqn->arena, of->answers, HBG_POOL_LAST(pool->validities));
    return HBG_POOL_LAST(pool->validities);
}

/* Somebody else may have asked for the same meanwhile. */
static int32_t answer(hbg_eqn *eqn, hbg_rt_need what, int32_t number, int32_t choice, const uint64_t *on) {
    int32_t found = hbg_rt_choose(&eqn->image, choice, on, eqn->choice_key);
    if (found != HBG_NONE) return found;
    const hbg_causal_assignment *assignment = hbg_code_assign_mode(eqn, on);
    if (what == HBG_RT_NEED_REGION)
        found = judge(eqn, &eqn->regions.items[number], assignment);
    else if (what == HBG_RT_NEED_BLOCK)
        found = hbg_code_block(eqn, &eqn->segments.items[number], assignment);
    else
        found = hbg_code_event(eqn, number, assignment);
    hbg_code_choice_answer(eqn, choice, on, found);
    return found;
}

static void provide(hbg_eqn *eqn, hbg_rt_need what, int32_t number, const uint64_t *on, int32_t *found) {
    const hbg_rt_image *image = &eqn->image;
    const hbg_causal_assignment *assignment;
    switch (what) {
    case HBG_RT_NEED_START:
        assignment = hbg_code_assign_mode(eqn, on);
        if (hbg_causal_valid(assignment)) build(eqn, assignment);
        break;
    case HBG_RT_NEED_REGION: *found = answer(eqn, what, number, eqn->regions.items[number].choice, on); break;
    case HBG_RT_NEED_BLOCK:
        *found = answer(eqn, what, number, HBG_RT_AT(image->pool.blocks, number)->choice, on);
        break;
    case HBG_RT_NEED_EVENT:
        *found = answer(eqn, what, number, hbg_rt_ints(image, image->modes.islands.first)[number], on);
        break;
    case HBG_RT_NEED_COLOURS:
        assignment = hbg_code_assign_mode(eqn, on);
        if (!atomic_load_explicit(&image->has_colours, memory_order_relaxed))
            hbg_code_make_jacobian(eqn, assignment);
        break;
    case HBG_RT_NEED_TANGENT:
        if (*found == HBG_NONE) // of a choice with too many answers to keep
            *found =
                answer(eqn, HBG_RT_NEED_BLOCK, number, HBG_RT_AT(image->pool.blocks, number)->choice, on);
        if (atomic_load_explicit(&HBG_RT_AT(image->pool.variants, *found)->has_tangent, memory_order_relaxed))
            break;
        assignment = hbg_code_assign_mode(eqn, on);
        hbg_code_block_tangent(eqn, &eqn->segments.items[number], assignment, *found);
        break;
    }
}

/* Exhaustion comes back as a status; an outer guard stays what it was. */
static hbg_rt_status need(void *context, hbg_rt_need what, int32_t number, const uint64_t *on,
                          int32_t *found) {
    hbg_eqn *eqn = context;
    hbg_memory *memory = eqn->arena->memory;
    jmp_buf guard;
    hbg_code_lock(eqn);
    jmp_buf *outer = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        hbg_code_unlock(eqn);
        return HBG_RT_NO_MEMORY;
    }
    provide(eqn, what, number, on, found);
    memory->exhausted = outer;
    hbg_code_unlock(eqn);
    return HBG_RT_OK;
}

/* ---- why a mode is refused ------------------------------------------------------------------------------ */

static bool explain(void *context, const int32_t *states, char *text, size_t size) {
    const hbg_eqn *eqn = context;
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    bool *floats = &(bool){false}; // kept across the guard
    hbg_arena_init(&arena, &memory);
    if (!HBG_GUARD(&memory, guard)) {
        hbg_buffer words;
        bool *on = HBG_NEW_ARRAY(&arena, bool, eqn->structure->place_count + 1);
        for (int32_t i = 0; i < eqn->structure->place_count; i++)
            on[i] = hbg_causal_place_mode(eqn->structure, i, states);
        hbg_buffer_init(&words, &arena);
        *floats = hbg_eqn_explain_conflict(eqn, &arena, on, &words);
        snprintf(text, size, "%s", words.data);
    }
    hbg_arena_fini(&arena);
    return *floats;
}

hbg_rt_provider hbg_code_provider(hbg_eqn *eqn) {
    return (hbg_rt_provider){.context = eqn, .need = need, .tell = hbg_code_tell, .explain = explain};
}
