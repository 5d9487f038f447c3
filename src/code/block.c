/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block in a local mode: its equations, sorted for that mode, and code that leaves the results that others
 * read in their home registers. Made when the local mode is first entered, and kept. */
#include <string.h>

#include "code/piece_impl.h"

static void add_targets(hbg_code_stage *stage, equations *all, const int32_t *targets, int32_t count) {
    sorted_equations sorted;
    hbg_eqn_equations_sort(all, targets, count, stage->var_register, &sorted);
    hbg_code_stage_add(stage, all, &sorted);
    for (int32_t i = 0; i < count; i++) hbg_code_stage_export(stage, targets[i]);
}

hbg_code_stage *hbg_code_block_stage(hbg_code *code, const segment *of, equations *all, int32_map *temps,
                                     int32_map *located, reading_kind reading) {
    hbg_code_stage *stage = hbg_code_stage_new(all->arena, code, temps, (int)reading < HBG_RT_LOCATING);
    stage->reading = reading;
    stage->located = located;
    for (int32_t i = 0; i < of->imports.count; i++) {
        int32_t variable = of->imports.items[i];
        int32_t from = reading == READ_FIELD ? code->where[variable] : code->registers.home[variable];
        if (from != HBG_NONE) hbg_code_stage_set(stage, variable, from);
    }
    return stage;
}

/* Makes the code of a reading; code of tangents continues in the stage of the field. */
static hbg_code_stage *make_code(hbg_code *code, segment *of, equations *all, int32_map *located,
                                 reading_kind reading) {
    hbg_code_stage *stage = hbg_code_block_stage(code, of, all, &of->temps, located, reading);
    add_targets(stage, all, of->exports[reading].items, of->exports[reading].count);
    return stage;
}

void hbg_code_block_names(hbg_arena *arena, const hbg_code_stage *stage, int32_t first, int32_map *pairs) {
    for (int32_t i = first; i < stage->set_variables.count; i++) {
        int32_t variable = stage->set_variables.items[i];
        if (variable >= stage->code->eqn->base_count) continue;
        HBG_PUSH(arena, *pairs, variable);
        HBG_PUSH(arena, *pairs, stage->var_register[variable]);
    }
}

static hbg_rt_range keep_names(hbg_code *code, const hbg_code_stage *stage) {
    int32_map pairs = {0};
    hbg_code_block_names(&code->eqn->scratch, stage, 0, &pairs);
    return (hbg_rt_range){hbg_code_add_ints(code, pairs.items, pairs.count), pairs.count};
}

void hbg_code_block_begin(hbg_code *code, const hbg_causal_assignment *assignment, bool again,
                          equations *all) {
    hbg_eqn *eqn = code->eqn;
    eqn->is_doubted = again;
    hbg_eqn_equations_init(all, &eqn->scratch, eqn, assignment, PURPOSE_FIELD);
    eqn->is_doubted = false;
    all->may_be_unread = true;
}

/* Whether what was found about storages that read their own rates holds in this local mode: nothing else
 * decides it. */
static bool holds_here(hbg_code *code, segment *of, const equations *all) {
    const hbg_rt_image *image = &code->image;
    int32_t block = (int32_t)(of - code->segments.items);
    hbg_rt_range places =
        HBG_RT_AT(image->pool.choices, HBG_RT_AT(image->pool.blocks, block)->choice)->places;
    return hbg_eqn_ties_follow_from(all, hbg_rt_ints(image, places.first), places.count);
}

/* Fills in the code. Returns a part without equations, or NULL. */
static const char *fill(hbg_code *code, segment *of, const hbg_causal_assignment *assignment, bool again,
                        hbg_rt_variant *made) {
    int32_map located[HBG_RT_LOCATING] = {{0}};
    equations all;
    hbg_code_block_begin(code, assignment, again, &all);
    for (int r = READ_FIELD; r < READ_TANGENT; r++) {
        hbg_code_stage *stage = make_code(code, of, &all, located, (reading_kind)r);
        made->code[r] = hbg_code_stage_program(stage);
        if (r == READ_FIELD) made->names = keep_names(code, stage);
        hbg_code_stage_end(stage);
    }
    hbg_code_add_located(code, located, made->located);
    const char *refused = holds_here(code, of, &all) ? all.refused : "a third derivative";
    hbg_eqn_equations_end(&all);
    return refused;
}

/* Compiles the block; `refused` is set if some part has no equations. */
static int32_t compile(hbg_code *code, segment *of, const hbg_causal_assignment *assignment, bool *refused) {
    hbg_rt_pools *pool = &code->image.pool;
    (void)HBG_POOL_ROOM(code->arena, pool->variants, 1);
    int32_t number = HBG_POOL_LAST(pool->variants);
    hbg_rt_variant *made = HBG_RT_AT(pool->variants, number);
    atomic_init(&made->has_tangent, 0);
    atomic_init(&made->has_slopes, 0);
    made->code[READ_TANGENT] = made->code[READ_SLOPES] = HBG_NONE;
    hbg_code_begin_work(code);
    bool in_pieces = hbg_code_block_pieces(code, of, assignment, made);
    const char *why = in_pieces ? NULL : fill(code, of, assignment, false, made);
    *refused = why != NULL;
    if (why) why = fill(code, of, assignment, true, made);
    made->doubted = hbg_code_add_text(code, why ? why : code->doubted);
    made->mark = hbg_code_mark(code);
    hbg_code_end_work(code);
    code->compiled++;
    return number;
}

int32_t hbg_code_block(hbg_code *code, segment *of, const hbg_causal_assignment *assignment) {
    int32_t count = hbg_eqn_fact_count(&of->facts);
    bool refused;
    hbg_eqn_read_facts(assignment, &of->facts, code->mode.fact_key);
    int32_t found = hbg_code_variants_find(&of->variants, code->mode.fact_key, count);
    if (found != HBG_NONE) return found;
    found = compile(code, of, assignment, &refused);
    if (!refused) // otherwise its surroundings may matter
        hbg_code_variants_add(code->arena, &of->variants, code->mode.fact_key, count, found);
    return found;
}

/* ---- tangents ------------------------------------------------------------------------------------------ */

static void import_tangents(hbg_code *code, const segment *of, const tangent_plan *plan,
                            hbg_code_stage *stage) {
    int32_t shift = LAYER_TANGENT * code->eqn->base_count;
    bool field = plan->reading == READ_FIELD;
    for (int32_t i = 0; i < of->imports.count; i++) {
        int32_t value = of->imports.items[i], tangent = value + shift;
        if (plan->is_still[tangent] ||
            (field ? code->where[tangent] : code->registers.home[value]) == HBG_NONE)
            continue;
        hbg_code_stage_set(stage, tangent, field ? code->where[tangent] : hbg_code_home(code, tangent));
    }
}

void hbg_code_block_tangents(hbg_code_stage *stage, equations *all, const segment *of,
                             const tangent_plan *plan, const int32_map *values) {
    int32_t shift = LAYER_TANGENT * all->eqn->base_count;
    int32_map targets = {0};
    all->is_still = plan->is_still;
    all->along_time = plan->along_time;
    hbg_code_stage_mark(stage);
    stage->locate = false;
    import_tangents(stage->code, of, plan, stage);
    for (int32_t i = 0; i < values->count; i++)
        if (!all->is_still[values->items[i] + shift]) HBG_PUSH(all->arena, targets, values->items[i] + shift);
    add_targets(stage, all, targets.items, targets.count);
}

/* Makes tangents, after the values: the same code in the same registers as when these were compiled. */
static int32_t make_tangents(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                             const tangent_plan *plan) {
    int32_map located[HBG_RT_LOCATING] = {{0}};
    equations all;
    hbg_code_block_begin(code, assignment, false, &all);
    hbg_code_stage *stage = make_code(code, of, &all, located, plan->reading);
    if (all.refused) {
        hbg_code_stage_end(stage);
        hbg_eqn_equations_end(&all);
        hbg_code_block_begin(code, assignment, true, &all);
        stage = make_code(code, of, &all, located, plan->reading);
    }
    hbg_code_block_tangents(stage, &all, of, plan, &of->exports[plan->reading]);
    int32_t program = hbg_code_stage_program(stage);
    hbg_code_stage_end(stage);
    hbg_eqn_equations_end(&all);
    return program;
}

static int32_t compile_tangents(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                                const tangent_plan *plan) {
    int32_t program;
    hbg_code_begin_work(code);
    if (!hbg_code_tangent_pieces(code, of, assignment, plan, &program))
        program = make_tangents(code, of, assignment, plan);
    code->compiled++;
    hbg_code_end_work(code);
    return program;
}

void hbg_code_block_tangent(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                            int32_t number) {
    hbg_rt_variant *variant = HBG_RT_AT(code->image.pool.variants, number);
    tangent_plan plan = {.reading = READ_FIELD, .is_still = code->is_still};
    variant->code[READ_TANGENT] = compile_tangents(code, of, assignment, &plan);
    variant->tangent_mark = hbg_code_mark(code);
    atomic_store_explicit(&variant->has_tangent, 1, memory_order_release);
}

void hbg_code_block_slopes(hbg_code *code, segment *of, const hbg_causal_assignment *assignment,
                           int32_t number) {
    hbg_rt_variant *variant = HBG_RT_AT(code->image.pool.variants, number);
    tangent_plan plan = {.reading = READ_WATCH, .is_still = code->is_fixed, .along_time = true};
    variant->code[READ_SLOPES] = compile_tangents(code, of, assignment, &plan);
    variant->slopes_mark = hbg_code_mark(code);
    atomic_store_explicit(&variant->has_slopes, 1, memory_order_release);
}
