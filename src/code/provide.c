/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Provides what runs do not find in the image: the compiler is called with the mode as bits. It owns one
 * assignment, which it moves from mode to mode, and recognises by its facts code that it has compiled for
 * other bits. */
#include <stdio.h>
#include <string.h>

#include "code/code_impl.h"

/* ---- the assignment ------------------------------------------------------------------------------------ */

/* Reverses the places whose causality differs from whether they are on. */
static void reverse_places(hbg_code *code, hbg_causal_assignment *assignment, bool *on) {
    hbg_eqn *eqn = code->eqn;
    int32_t places = eqn->structure->place_count;
    if (eqn->limits.clusters.count == 0) return;
    bool *reversed = HBG_NEW_ARRAY(&eqn->scratch, bool, places + 1);
    hbg_eqn_reverse(eqn, on, reversed);
    for (int32_t i = 0; i < places; i++) {
        hbg_causal_set_reversed(assignment, i, reversed[i]);
        on[i] = on[i] != reversed[i];
    }
}

static void begin_assignment(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_t places = eqn->structure->place_count;
    bool *on = HBG_NEW_ARRAY(code->arena, bool, places + 1);
    hbg_causal_assignment *made = hbg_causal_assignment_new(code->arena, eqn->structure);
    for (int32_t i = 0; i < places; i++)
        on[i] = eqn->varies.select[i] || hbg_causal_place_mode(eqn->structure, i, eqn->start.state);
    reverse_places(code, made, on);
    hbg_causal_begin(made, on);
    if (!code->mode.switching) code->mode.switching = HBG_NEW_ARRAY(code->arena, int32_t, places + 1);
    code->mode.assigned = HBG_NEW_ARRAY(code->arena, uint64_t, code->mode.words + 1);
    for (int32_t i = 0; i < places; i++) code->mode.assigned[i >> 6] |= (uint64_t)on[i] << (i & 63);
    code->mode.assignment = made;
}

/* The same, as bits. */
static const uint64_t *causality_of(hbg_code *code, hbg_causal_assignment *assignment, const uint64_t *bits) {
    hbg_eqn *eqn = code->eqn;
    int32_t places = eqn->structure->place_count;
    if (eqn->limits.clusters.count == 0) return bits;
    bool *on = HBG_NEW_ARRAY(&eqn->scratch, bool, places + 1);
    uint64_t *causality = HBG_NEW_ARRAY(&eqn->scratch, uint64_t, code->mode.words + 1);
    for (int32_t i = 0; i < places; i++) on[i] = bits[i >> 6] >> (i & 63) & 1;
    reverse_places(code, assignment, on);
    for (int32_t i = 0; i < places; i++) causality[i >> 6] |= (uint64_t)on[i] << (i & 63);
    return causality;
}

const hbg_causal_assignment *hbg_code_assign_mode(hbg_code *code, const uint64_t *on) {
    int32_t count = 0;
    if (!code->mode.assignment) begin_assignment(code);
    hbg_causal_assignment *assignment = code->mode.assignment;
    const uint64_t *causality = causality_of(code, assignment, on);
    for (int32_t i = 0; i < code->mode.words; i++)
        for (uint64_t differ = causality[i] ^ code->mode.assigned[i]; differ != 0; differ &= differ - 1)
            code->mode.switching[count++] = 64 * i + __builtin_ctzll(differ);
    if (count == 0) return assignment;
    code->mode.assignment = NULL; // if memory runs out meanwhile, it is unusable
    hbg_causal_enter(assignment, code->mode.switching, count);
    memcpy(code->mode.assigned, causality, (size_t)code->mode.words * sizeof *on);
    return code->mode.assignment = assignment;
}

/* ---- requests ----------------------------------------------------------------------------------------- */

/* Lists the variables that have the same register in every mode, for messages. */
static void list_names(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_map pairs = {0};
    for (int32_t v = 0; v < eqn->base_count; v++) {
        int32_t reg = code->steady->var_register[v];
        if (reg == HBG_NONE && hbg_eqn_kind_of(eqn, v) == VARIABLE_PARAM) reg = code->registers.home[v];
        if (reg == HBG_NONE) continue;
        HBG_PUSH(&eqn->scratch, pairs, v);
        HBG_PUSH(&eqn->scratch, pairs, reg);
    }
    code->image.layout.names = (hbg_rt_range){hbg_code_add_ints(code, pairs.items, pairs.count), pairs.count};
}

static void list_dependents(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_t count = 2 * eqn->dependents.count;
    hbg_rt_range *range = &code->image.modes.dependent;
    *range = (hbg_rt_range){HBG_POOL_ROOM(code->arena, code->image.pool.ints, count), count};
    int32_t *pairs = HBG_RT_AT(code->image.pool.ints, range->first);
    for (int32_t i = 0; i < eqn->dependents.count; i++) {
        int32_t variable = eqn->first[VARIABLE_STATE] + eqn->dependents.items[i];
        bool known = code->where[variable] == HBG_NONE; // it is a state anyway (tie.c)
        pairs[2 * i] = eqn->dependents.items[i];
        pairs[2 * i + 1] = known ? hbg_code_home(code, variable) : code->where[variable];
    }
}

/* Builds segments and islands, which hold in all modes, from any valid one. */
static void build(hbg_code *code, const hbg_causal_assignment *assignment) {
    hbg_eqn *eqn = code->eqn;
    if (atomic_load_explicit(&code->image.is_built, memory_order_relaxed)) return; // another run built it
    hbg_code_begin_work(code);
    hbg_code_make_segments(code, assignment);
    if (!eqn->has_islands) hbg_eqn_make_islands(eqn, assignment);
    hbg_code_choose_islands(code);
    code->island_code = HBG_NEW_ARRAY(code->arena, island_code, eqn->islands.count + 1);
    hbg_code_find_calm(code);
    hbg_code_image_instants(code);
    hbg_code_add_located(code, code->located, code->image.code.located);
    hbg_code_list_regions(code);
    list_dependents(code);
    list_names(code);
    code->image.modes.refused = hbg_code_add_text(code, eqn->refused);
    code->image.modes.built = hbg_code_mark(code);
    atomic_store_explicit(&code->image.is_built, true, memory_order_release);
    hbg_code_end_work(code);
}

/* Judges all regions without a choice at once, and everything without a junction. */
static hbg_rt_validity judge_rest(const hbg_code *code, const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = code->eqn->structure;
    hbg_rt_validity rest = {1, 0};
    for (int32_t region = 0; region <= structure->region_count; region++) {
        if (code->regions.has_choice[region]) continue;
        rest.valid = rest.valid && hbg_causal_region_valid(assignment, region);
        rest.dependent += hbg_causal_region_derivatives(assignment, region);
    }
    return rest;
}

static int32_t judge(hbg_code *code, region_choice *of, const hbg_causal_assignment *assignment) {
    hbg_rt_pools *pool = &code->image.pool;
    hbg_rt_validity now = of->region == HBG_NONE
                              ? judge_rest(code, assignment)
                              : (hbg_rt_validity){hbg_causal_region_valid(assignment, of->region),
                                                  hbg_causal_region_derivatives(assignment, of->region)};
    for (int32_t i = 0; i < of->answers.count; i++) {
        const hbg_rt_validity *known = HBG_RT_AT(pool->validities, of->answers.items[i]);
        if (known->valid == now.valid && known->dependent == now.dependent) return of->answers.items[i];
    }
    HBG_POOL_ADD(code->arena, pool->validities, now);
    HBG_PUSH(code->arena, of->answers, HBG_POOL_LAST(pool->validities));
    return HBG_POOL_LAST(pool->validities);
}

/* Finds or makes an answer: another run may have made it meanwhile. */
static int32_t answer(hbg_code *code, hbg_rt_need what, int32_t number, int32_t choice, const uint64_t *on) {
    int32_t found = hbg_rt_choose(&code->image, choice, on, code->mode.choice_key);
    if (found != HBG_NONE) return found;
    const hbg_causal_assignment *assignment = hbg_code_assign_mode(code, on);
    if (what == HBG_RT_NEED_REGION)
        found = judge(code, &code->regions.judged.items[number], assignment);
    else if (what == HBG_RT_NEED_BLOCK)
        found = hbg_code_block(code, &code->segments.items[number], assignment);
    else
        found = hbg_code_event(code, number, assignment);
    hbg_code_choice_answer(code, choice, on, found);
    return found;
}

static void make_slopes(hbg_code *code, const uint64_t *on) {
    if (!atomic_load_explicit(&code->image.has_slopes, memory_order_relaxed))
        hbg_code_make_slopes(code, hbg_code_assign_mode(code, on));
}

static void provide(hbg_code *code, hbg_rt_need what, int32_t number, const uint64_t *on, int32_t *found) {
    const hbg_rt_image *image = &code->image;
    const hbg_causal_assignment *assignment;
    switch (what) {
    case HBG_RT_NEED_START:
        assignment = hbg_code_assign_mode(code, on);
        if (hbg_causal_valid(assignment)) build(code, assignment);
        break;
    case HBG_RT_NEED_REGION:
        *found = answer(code, what, number, code->regions.judged.items[number].choice, on);
        break;
    case HBG_RT_NEED_BLOCK:
        *found = answer(code, what, number, HBG_RT_AT(image->pool.blocks, number)->choice, on);
        break;
    case HBG_RT_NEED_EVENT:
        *found = answer(code, what, number, hbg_rt_ints(image, image->modes.islands.first)[number], on);
        break;
    case HBG_RT_NEED_COLOURS:
        assignment = hbg_code_assign_mode(code, on);
        if (!atomic_load_explicit(&image->has_colours, memory_order_relaxed))
            hbg_code_make_jacobian(code, assignment);
        break;
    case HBG_RT_NEED_TANGENT:
        if (*found == HBG_NONE) // the choice has too many answers to keep
            *found =
                answer(code, HBG_RT_NEED_BLOCK, number, HBG_RT_AT(image->pool.blocks, number)->choice, on);
        if (atomic_load_explicit(&HBG_RT_AT(image->pool.variants, *found)->has_tangent, memory_order_relaxed))
            break;
        assignment = hbg_code_assign_mode(code, on);
        hbg_code_block_tangent(code, &code->segments.items[number], assignment, *found);
        break;
    case HBG_RT_NEED_SLOPES: make_slopes(code, on); break;
    case HBG_RT_NEED_BLOCK_SLOPES:
        make_slopes(code, on);
        if (*found == HBG_NONE)
            *found =
                answer(code, HBG_RT_NEED_BLOCK, number, HBG_RT_AT(image->pool.blocks, number)->choice, on);
        if (atomic_load_explicit(&HBG_RT_AT(image->pool.variants, *found)->has_slopes, memory_order_relaxed))
            break;
        hbg_code_block_slopes(code, &code->segments.items[number], hbg_code_assign_mode(code, on), *found);
        break;
    }
}

/* Serves a request. Lack of memory is returned as a status; an outer guard is restored. */
static hbg_rt_status need(void *context, hbg_rt_need what, int32_t number, const uint64_t *on,
                          int32_t *found) {
    hbg_code *code = context;
    hbg_memory *memory = code->arena->memory;
    jmp_buf guard;
    hbg_code_lock(code);
    jmp_buf *outer = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        hbg_code_unlock(code);
        return HBG_RT_NO_MEMORY;
    }
    provide(code, what, number, on, found);
    memory->exhausted = outer;
    hbg_code_unlock(code);
    return HBG_RT_OK;
}

/* ---- why a mode is refused ----------------------------------------------------------------------------- */

static bool explain(void *context, const int32_t *states, char *text, size_t size) {
    const hbg_eqn *eqn = ((const hbg_code *)context)->eqn;
    return hbg_eqn_explain_mode(eqn->model, eqn->structure, states, text, size);
}

hbg_rt_provider hbg_code_provider(hbg_code *code) {
    if (code->loaded) return *hbg_rt_loaded_provider(code->loaded);
    return (hbg_rt_provider){.context = code, .need = need, .tell = hbg_code_tell, .explain = explain};
}
