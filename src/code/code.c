/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Makes a compiled model from a sorted one. */
#include <string.h>

#include "eqn/eqn_impl.h"

static void clear_homes(hbg_eqn *eqn) {
    size_t count = (size_t)eqn->base_count * LAYER_COUNT;
    eqn->home = HBG_NEW_ARRAY(eqn->arena, int32_t, count);
    for (size_t i = 0; i < count; i++) eqn->home[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->state_count; i++) // the first of all: see event.c
        hbg_code_home(eqn, eqn->first[VARIABLE_OLD] + i);
    eqn->param_done = HBG_NEW_ARRAY(eqn->arena, bool, 2 * (size_t)eqn->model->params.count + 1);
}

/* The declared energies: a program of its own, in the start mode. */
static void make_start(hbg_eqn *eqn) {
    bool *on = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->structure->place_count + 1);
    int32_t *states = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->model->automata.count + 1);
    int32_t *targets = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->state_count + 1);
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&eqn->scratch, eqn->structure);
    equations all;
    sorted_equations sorted;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) states[i] = eqn->start_state[i];
    hbg_causal_mode(&eqn->scratch, eqn->structure, states, on);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) on[i] |= eqn->varies.select[i];
    if (!hbg_causal_assign(assignment, on)) return; // entering the mode will say so
    hbg_eqn_begin_work(eqn);
    hbg_equations_init(&all, &eqn->scratch, eqn, assignment, PURPOSE_START);
    for (int32_t i = 0; i < eqn->state_count; i++) targets[i] = eqn->first[VARIABLE_START] + i;
    hbg_equations_sort(&all, targets, eqn->state_count, NULL, &sorted);
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, eqn, &eqn->start_temps, false);
    stage->side = SIDE_PARAM;
    hbg_code_stage_add(stage, &all, &sorted);
    eqn->image.code.start.code = hbg_code_stage_program(stage);
    for (int32_t i = 0; i < eqn->state_count; i++) targets[i] = stage->var_register[targets[i]];
    eqn->image.code.start.reg =
        (hbg_rt_range){hbg_code_add_ints(eqn, targets, eqn->state_count), eqn->state_count};
    hbg_code_stage_end(stage);
    hbg_equations_end(&all);
    hbg_eqn_end_work(eqn);
}

/* Which automata a junction follows. */
static void list_control(hbg_eqn *eqn, hbg_expr expr, int32_t place) {
    const hbg_expr_node *node = &eqn->model->exprs.items[expr];
    if (node->op == HBG_OP_ACTIVE || node->op == HBG_OP_AUTOMATON) {
        int32_map *places = &eqn->automaton_places[node->a];
        if (places->count == 0 || places->items[places->count - 1] != place)
            HBG_PUSH(eqn->arena, *places, place);
        return;
    }
    for (int i = 0; i < hbg_expr_arity(node); i++) list_control(eqn, hbg_expr_argument(node, i), place);
}

static void list_controls(hbg_eqn *eqn) {
    eqn->automaton_places = HBG_NEW_ARRAY(eqn->arena, int32_map, eqn->model->automata.count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) {
        hbg_expr control = eqn->model->elements.items[eqn->structure->place_element[i]].control;
        if (control != HBG_NONE) list_control(eqn, control, i);
    }
}

/* Points with one x are one border. */
static void copy_tables(hbg_eqn *eqn) {
    hbg_rt_pools *pool = &eqn->image.pool;
    for (int32_t i = 0; i < eqn->model->tables.count; i++) {
        const hbg_table *table = &eqn->model->tables.items[i];
        size_t size = (size_t)table->count * sizeof *table->x;
        hbg_rt_table made = {.count = table->count,
                             .x = HBG_POOL_ROOM(eqn->arena, pool->numbers, table->count),
                             .y = HBG_POOL_ROOM(eqn->arena, pool->numbers, table->count),
                             .turns = HBG_POOL_ROOM(eqn->arena, pool->ints, table->count + 1)};
        int32_t *turns = HBG_RT_AT(pool->ints, made.turns);
        memcpy(HBG_RT_AT(pool->numbers, made.x), table->x, size);
        memcpy(HBG_RT_AT(pool->numbers, made.y), table->y, size);
        for (int32_t k = 0; k < table->count; k++)
            turns[k + 1] = turns[k] != (k == 0 || table->x[k] != table->x[k - 1]);
        HBG_POOL_ADD(eqn->arena, pool->tables, made);
    }
}

static void mark_expr(hbg_eqn *eqn, hbg_expr expr, bool *used) {
    if (expr < 0 || eqn->expr_term[expr] == HBG_NONE || used[eqn->expr_term[expr]]) return;
    hbg_terms_walk(&eqn->terms, eqn->expr_term[expr]);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) used[eqn->terms.walk.items[i]] = true;
}

/* Terms that guards alone have are no part of a law: whatever is no guard, nor part of another expression, and what laws and signals
 * begin with, marks what it is made of. */
static bool *mark_laws(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    bool *used = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->terms.nodes.count + 1);
    bool *inner = HBG_NEW_ARRAY(&eqn->scratch, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        for (int k = 0; k < hbg_expr_arity(node); k++) {
            hbg_expr part = hbg_expr_argument(node, k);
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

/* Numbers of roots do not change while a run goes on: relations in laws come first, with room for those that derivatives in
 * modes not seen yet bring, then the relations of guards. Every step looks at all of them. */
static void count_roots(hbg_eqn *eqn) {
    int32_t branches = 0;
    const bool *used = mark_laws(eqn);
    for (int32_t i = 0; i < eqn->terms.nodes.count; i++) {
        int op = eqn->terms.nodes.items[i].op;
        bool bare = i < eqn->relation_of_term.count && eqn->relation_of_term.items[i] != HBG_NONE && !used[i];
        if (bare) continue;
        bool leaf = op == TERM_VARIABLE || op == HBG_OP_NUMBER;
        bool smooth =
            op == HBG_OP_ADD || op == HBG_OP_SUBTRACT || op == HBG_OP_MULTIPLY || op == HBG_OP_DIVIDE;
        if (leaf || smooth || !hbg_code_has_branch(op)) continue;
        bool params = eqn->may_move && eqn->terms.nodes.items[i].level == LEVEL_PARAM;
        if (params) HBG_PUSH(eqn->arena, eqn->param_branches, i);
        branches += params || eqn->terms.nodes.items[i].level == LEVEL_RUN;
    }
    int32_t own = room_for(branches - eqn->param_branches.count);
    eqn->image.code.located_limit = room_for(branches);
    eqn->system.idle_roots = eqn->image.code.located_limit - own;
    for (int32_t i = 0; i < eqn->relations.count && eqn->has_events; i++)
        eqn->system.idle_roots += eqn->terms.nodes.items[eqn->relations.items[i].term].level < LEVEL_RUN;
    eqn->system.guard_first = eqn->image.code.located_limit;
    eqn->system.root_count = eqn->image.code.located_limit + (eqn->has_events ? eqn->relations.count : 0);
}

hbg_eqn *hbg_eqn_new(hbg_arena *arena, const hbg_model *sorted, const hbg_eqn_options *options) {
    hbg_eqn *eqn = HBG_NEW(arena, hbg_eqn);
    eqn->arena = arena;
    eqn->model = sorted;
    hbg_memory *memory = arena->memory;
    jmp_buf guard, *outer = memory->exhausted;
    hbg_arena_init(&eqn->scratch, memory);
    hbg_arena_init(&eqn->work.arena, memory);
    pthread_mutex_init(&eqn->lock, NULL);
    if (HBG_GUARD(memory, guard)) { // nobody else could give the scratch memory back
        memory->exhausted = outer;
        pthread_mutex_destroy(&eqn->lock);
        hbg_arena_fini(&eqn->work.arena);
        hbg_arena_fini(&eqn->scratch);
        hbg_memory_exhausted(memory);
    }
    hbg_eqn_build(eqn, options);
    eqn->terms.is_shared = true;
    memory->exhausted = outer;
    return eqn;
}

static hbg_rt_range homes_of(hbg_eqn *eqn, variable_kind kind) {
    int32_t count = eqn->first[kind + 1] - eqn->first[kind];
    return (hbg_rt_range){hbg_code_add_ints(eqn, eqn->home + eqn->first[kind], count), count};
}

/* Where a run puts what it knows. */
static void lay_out(hbg_eqn *eqn) {
    hbg_rt_layout *layout = &eqn->image.layout;
    layout->state = homes_of(eqn, VARIABLE_STATE);
    layout->old = homes_of(eqn, VARIABLE_OLD);
    layout->seed = homes_of(eqn, VARIABLE_SEED);
    layout->time = eqn->home[eqn->first[VARIABLE_TIME]];
}

/* Nothing is compiled yet. */
static void clear_code(hbg_eqn *eqn) {
    hbg_rt_code *code = &eqn->image.code;
    for (int i = 0; i < READ_COUNT; i++) code->finals[i].code = HBG_NONE;
    code->start.code = code->energies.code = HBG_NONE;
    (void)HBG_POOL_ROOM(eqn->arena, eqn->image.pool.ints, 0);
}

/* What a run is told of the model. */
static void fill_system(hbg_eqn *eqn) {
    const hbg_eqn_outline *of = &eqn->outline;
    eqn->system = (hbg_rt_system){.self = eqn,
                                  .name = of->name,
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
                                  .start_states = eqn->start_state,
                                  .has_events = eqn->has_events};
}

void hbg_eqn_build(hbg_eqn *eqn, const hbg_eqn_options *options) {
    clear_code(eqn);
    eqn->structure = hbg_causal_structure_new(eqn->arena, eqn->model, NULL);
    list_controls(eqn);
    hbg_eqn_number_variables(eqn);
    hbg_eqn_find_variation(eqn);
    hbg_code_make_choices(eqn);
    hbg_terms_init(&eqn->terms, eqn->arena, eqn->first[VARIABLE_PARAM], eqn->first[VARIABLE_PARAM + 1]);
    eqn->may_move = options->may_move;
    eqn->terms.to_rate = eqn->may_move ? LAYER_RATE * eqn->base_count : 0;
    clear_homes(eqn);
    hbg_eqn_translate(eqn);
    hbg_eqn_check_laws(eqn);
    hbg_eqn_declare_start(eqn, options->experiment);
    hbg_eqn_find_guards(eqn);
    hbg_eqn_find_thresholds(eqn);
    eqn->has_events |= options->may_hold && eqn->model->automata.count > 0;
    hbg_eqn_describe(eqn, options);
    fill_system(eqn);
    copy_tables(eqn);
    count_roots(eqn);
    hbg_code_make_homes(eqn);
    hbg_code_locate_params(eqn);
    make_start(eqn);
    eqn->image.code.start_loops = eqn->image.pool.loops.count;
    hbg_code_find_waves(eqn);
    hbg_code_image_outside(eqn);
    lay_out(eqn);
    eqn->image.modes.first = hbg_code_mark(eqn);
    eqn->image.modes.refused = hbg_code_add_text(eqn, eqn->refused);
    hbg_code_fill_functions(eqn);
    hbg_eqn_clear(eqn);
}

void hbg_eqn_free(hbg_eqn *eqn) {
    if (!eqn) return;
    pthread_mutex_destroy(&eqn->lock);
    hbg_arena_fini(&eqn->work.arena);
    hbg_arena_fini(&eqn->scratch);
}

const hbg_rt_system *hbg_code_system(const hbg_eqn *eqn) {
    return &eqn->system;
}
