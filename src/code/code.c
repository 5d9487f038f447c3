/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Makes a compiled model from a sorted one. */
#include <string.h>

#include "code/code_impl.h"

static void clear_homes(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    size_t count = (size_t)eqn->base_count * LAYER_COUNT;
    code->registers.home = HBG_NEW_ARRAY(code->arena, int32_t, count);
    for (size_t i = 0; i < count; i++) code->registers.home[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->state_count; i++) // the first registers: see event.c
        hbg_code_home(code, eqn->first[VARIABLE_OLD] + i);
    code->registers.param_done = HBG_NEW_ARRAY(code->arena, bool, 2 * (size_t)eqn->model->params.count + 1);
}

/* Makes the program of the declared energies, in the start mode. */
static void make_start(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    bool *on = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->structure->place_count + 1);
    int32_t *states = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->model->automata.count + 1);
    int32_t *targets = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->state_count + 1);
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&eqn->scratch, eqn->structure);
    equations all;
    sorted_equations sorted;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) states[i] = eqn->start.state[i];
    hbg_causal_mode(&eqn->scratch, eqn->structure, states, on);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) on[i] |= eqn->varies.select[i];
    if (!hbg_eqn_assign(eqn, assignment, on)) return; // entering the mode will report it
    hbg_code_begin_work(code);
    hbg_eqn_equations_init(&all, &eqn->scratch, eqn, assignment, PURPOSE_START);
    for (int32_t i = 0; i < eqn->state_count; i++) targets[i] = eqn->first[VARIABLE_START] + i;
    hbg_eqn_equations_sort(&all, targets, eqn->state_count, NULL, &sorted);
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, code, &code->registers.start_temps, false);
    stage->side = SIDE_PARAM;
    hbg_code_stage_add(stage, &all, &sorted);
    code->image.code.start.code = hbg_code_stage_program(stage);
    for (int32_t i = 0; i < eqn->state_count; i++) targets[i] = stage->var_register[targets[i]];
    code->image.code.start.reg =
        (hbg_rt_range){hbg_code_add_ints(code, targets, eqn->state_count), eqn->state_count};
    hbg_code_stage_end(stage);
    hbg_eqn_equations_end(&all);
    hbg_code_end_work(code);
}

/* Copies the tables; points with equal x are one border. */
static void copy_tables(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    hbg_rt_pools *pool = &code->image.pool;
    for (int32_t i = 0; i < eqn->model->tables.count; i++) {
        const hbg_table *table = &eqn->model->tables.items[i];
        size_t size = (size_t)table->count * sizeof *table->x;
        hbg_rt_table made = {.count = table->count,
                             .x = HBG_POOL_ROOM(code->arena, pool->numbers, table->count),
                             .y = HBG_POOL_ROOM(code->arena, pool->numbers, table->count),
                             .turns = HBG_POOL_ROOM(code->arena, pool->ints, table->count + 1)};
        int32_t *turns = HBG_RT_AT(pool->ints, made.turns);
        memcpy(HBG_RT_AT(pool->numbers, made.x), table->x, size);
        memcpy(HBG_RT_AT(pool->numbers, made.y), table->y, size);
        for (int32_t k = 0; k < table->count; k++)
            turns[k + 1] = turns[k] != (k == 0 || table->x[k] != table->x[k - 1]);
        HBG_POOL_ADD(code->arena, pool->tables, made);
    }
}

static void mark_expr(hbg_eqn *eqn, hbg_expr expr, bool *used) {
    if (expr < 0 || eqn->expr_term[expr] == HBG_NONE || used[eqn->expr_term[expr]]) return;
    hbg_term_walk(&eqn->terms, eqn->expr_term[expr]);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) used[eqn->terms.walk.items[i]] = true;
}

/* Marks the terms of laws: terms that only guards have do not count. Every expression that is neither a guard
 * nor part of another expression, and the values of entries, bindings and signals, mark all their terms. */
static bool *mark_laws(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    bool *used = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->terms.nodes.count + 1);
    bool *inner = HBG_NEW_ARRAY(&eqn->scratch, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            if (part >= 0) inner[part] = true;
        }
    }
    for (int32_t i = 0; i < model->transitions.count; i++)
        if (model->transitions.items[i].guard >= 0) inner[model->transitions.items[i].guard] = true;
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (!inner[i]) mark_expr(eqn, i, used);
    for (int32_t i = 0; i < model->entries.count; i++) mark_expr(eqn, model->entries.items[i], used);
    for (int32_t i = 0; i < model->bindings.count; i++) mark_expr(eqn, model->bindings.items[i].value, used);
    for (int32_t i = 0; i < model->signals.count; i++) mark_expr(eqn, model->signals.items[i].value, used);
    return used;
}

static int32_t room_for(int32_t branches) {
    return branches > 0 ? 2 * branches + 8 : 0;
}

/* Numbers the roots, which must not change during a run: relations in laws come first, with room for those of
 * derivatives in modes not yet seen, then the relations of guards. Every step evaluates all of them. */
static void count_roots(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_t branches = 0;
    const bool *used = mark_laws(eqn);
    for (int32_t i = 0; i < eqn->terms.nodes.count; i++) {
        int op = eqn->terms.nodes.items[i].op;
        bool bare = i < eqn->instants.relation_of_term.count &&
                    eqn->instants.relation_of_term.items[i] != HBG_NONE && !used[i];
        if (bare) continue;
        bool leaf = op == TERM_VARIABLE || op == HBG_OP_NUMBER;
        bool smooth =
            op == HBG_OP_ADD || op == HBG_OP_SUBTRACT || op == HBG_OP_MULTIPLY || op == HBG_OP_DIVIDE;
        if (leaf || smooth || !hbg_code_has_branch(op)) continue;
        bool params = eqn->may_move && eqn->terms.nodes.items[i].level == LEVEL_PARAM;
        if (params) HBG_PUSH(code->arena, code->param_branches, i);
        branches += params || eqn->terms.nodes.items[i].level == LEVEL_RUN;
    }
    int32_t own = room_for(branches - code->param_branches.count);
    code->image.code.located_limit = room_for(branches);
    code->system.idle_roots = code->image.code.located_limit - own;
    for (int32_t i = 0; i < eqn->relations.count && eqn->has_events; i++)
        code->system.idle_roots += eqn->terms.nodes.items[eqn->relations.items[i].term].level < LEVEL_RUN;
    code->system.guard_first = code->image.code.located_limit;
    code->system.root_count = code->image.code.located_limit + (eqn->has_events ? eqn->relations.count : 0);
}

static hbg_rt_range homes_of(hbg_code *code, variable_kind kind) {
    hbg_eqn *eqn = code->eqn;
    int32_t count = eqn->first[kind + 1] - eqn->first[kind];
    return (hbg_rt_range){hbg_code_add_ints(code, code->registers.home + eqn->first[kind], count), count};
}

/* The registers of known values. */
static void lay_out(hbg_code *code) {
    hbg_rt_layout *layout = &code->image.layout;
    layout->state = homes_of(code, VARIABLE_STATE);
    layout->old = homes_of(code, VARIABLE_OLD);
    layout->seed = homes_of(code, VARIABLE_SEED);
    layout->time = code->registers.home[code->eqn->first[VARIABLE_TIME]];
}

/* Nothing is compiled yet. */
static void clear_code(hbg_code *code) {
    hbg_rt_code *of = &code->image.code;
    for (int i = 0; i < READ_COUNT; i++) of->finals[i].code = HBG_NONE;
    of->start.code = of->energies.code = HBG_NONE;
    (void)HBG_POOL_ROOM(code->arena, code->image.pool.ints, 0);
}

/* Fills in the description of the model for runs. */
static void fill_system(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    const hbg_eqn_outline *of = &eqn->outline;
    code->system = (hbg_rt_description){.name = of->name,
                                        .state_count = of->state_count,
                                        .states = of->states,
                                        .output_count = of->output_count,
                                        .outputs = of->outputs,
                                        .input_count = of->input_count,
                                        .inputs = of->inputs,
                                        .param_count = of->param_count,
                                        .params = of->params,
                                        .clock_count = of->clock_count,
                                        .clocks = of->clocks,
                                        .power_count = of->power_count,
                                        .powers = of->powers,
                                        .storage_count = of->storage_count,
                                        .storages = of->storages,
                                        .bond_count = of->bond_count,
                                        .bonds = of->bonds,
                                        .automaton_count = of->automaton_count,
                                        .automata = of->automata,
                                        .start_states = eqn->start.state,
                                        .has_events = eqn->has_events};
}

static void build(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    clear_code(code);
    hbg_code_make_choices(code);
    clear_homes(code);
    fill_system(code);
    copy_tables(code);
    count_roots(code);
    hbg_code_make_homes(code);
    hbg_code_locate_params(code);
    make_start(code);
    code->image.code.start_loops = code->image.pool.loops.count;
    hbg_code_find_waves(code);
    hbg_code_image_outside(code);
    lay_out(code);
    code->image.modes.first = hbg_code_mark(code);
    code->image.modes.refused = hbg_code_add_text(code, eqn->refused);
    hbg_eqn_clear(eqn);
}

hbg_code *hbg_code_new(hbg_arena *arena, const hbg_model *sorted, const hbg_eqn_options *options) {
    hbg_code *code = HBG_NEW(arena, hbg_code);
    hbg_memory *memory = arena->memory;
    jmp_buf guard, *outer = memory->exhausted;
    code->arena = arena;
    code->fewest_links = HBG_CODE_FEWEST_LINKS;
    code->eqn = hbg_eqn_new(arena, sorted, options);
    hbg_base_arena_init(&code->work.arena, memory);
    pthread_mutex_init(&code->lock, NULL);
    if (HBG_GUARD(memory, guard)) { // only this function knows the scratch memory
        memory->exhausted = outer;
        hbg_code_free(code);
        hbg_base_memory_exhausted(memory);
    }
    build(code);
    code->eqn->terms.is_shared = true;
    memory->exhausted = outer;
    return code;
}

void hbg_code_free(hbg_code *code) {
    if (!code) return;
    pthread_mutex_destroy(&code->lock);
    hbg_base_arena_fini(&code->work.arena);
    if (code->eqn) hbg_eqn_free(code->eqn); // a model from a file has none
    hbg_rt_loaded_free(code->loaded);
}

const hbg_rt_description *hbg_code_system(const hbg_code *code) {
    return &code->system;
}

const hbg_rt_image *hbg_code_image(const hbg_code *code) {
    return &code->image;
}

hbg_eqn *hbg_code_equations(const hbg_code *code) {
    return code->eqn;
}
