/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Slopes of guards: tangent code after the watched values, along time and a direction of the states. Along
 * the rates of the field it gives the rate of a guard, along those of an integrator's polynomial its rate on
 * the polynomial. Values in other states, in(…), are found and not computed: a relation that reads one has no
 * slope here. */
#include "code/code_impl.h"

/* Dependences of the differences of relations, in any mode. */
typedef struct {
    hbg_code *code;
    equations all;
    sorted_equations sorted;
    bool *moves;     /* by component: with time or a state */
    bool *elsewhere; /* by component: reads in(…) */
} dependence;

static void list_variables(hbg_eqn *eqn, hbg_term term, int32_map *variables) {
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN)
            HBG_PUSH(&eqn->scratch, *variables, node->a);
    }
}

/* A component takes over the marks of everything its members read; if parameters may be moved, anything may
 * move. */
static void find_component(dependence *of, int32_t number) {
    const hbg_eqn *eqn = of->code->eqn;
    const sorted_equations *sorted = &of->sorted;
    const sorted_block *block = &sorted->blocks[number];
    of->moves[number] = eqn->may_move;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        int32_t variable = sorted->variables[i], state = variable - eqn->first[VARIABLE_STATE];
        bool is_state = state >= 0 && state < eqn->state_count && eqn->varies.may_integral[state];
        of->moves[number] |= is_state || variable == eqn->first[VARIABLE_TIME];
        of->elsewhere[number] |= hbg_eqn_kind_of(eqn, variable) == VARIABLE_IN;
        for (int32_t k = sorted->start[i]; k < sorted->start[i + 1]; k++) {
            int32_t read = sorted->component[sorted->heads[k]];
            of->moves[number] |= of->moves[read];
            of->elsewhere[number] |= of->elsewhere[read];
        }
    }
}

static void find_dependence(dependence *of) {
    hbg_eqn *eqn = of->code->eqn;
    int32_map targets = {0};
    for (int32_t i = 0; i < eqn->relations.count; i++)
        list_variables(eqn, eqn->relations.items[i].finite, &targets);
    hbg_eqn_equations_sort(&of->all, targets.items, targets.count, NULL, &of->sorted);
    of->moves = HBG_NEW_ARRAY(&eqn->scratch, bool, of->sorted.block_count + 1);
    of->elsewhere = HBG_NEW_ARRAY(&eqn->scratch, bool, of->sorted.block_count + 1);
    for (int32_t i = 0; i < of->sorted.block_count; i++) find_component(of, i);
}

static void mark_fixed(const dependence *of, bool *is_fixed) {
    int32_t shift = LAYER_TANGENT * of->code->eqn->base_count;
    for (int32_t i = 0; i < of->sorted.variable_count; i++)
        is_fixed[of->sorted.variables[i] + shift] = !of->moves[of->sorted.component[i]];
    for (int32_t i = 0; i < shift; i++)
        is_fixed[LAYER_COUNT * of->code->eqn->base_count + i] = true; // of areas
}

/* Returns, by number, whether a relation has no slope. */
static bool *find_lacking(const dependence *of) {
    hbg_eqn *eqn = of->code->eqn;
    bool *lacks = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->relations.count + 1);
    bool *found = HBG_NEW_ARRAY(&eqn->scratch, bool, (size_t)LAYER_COUNT *(size_t)eqn->base_count);
    for (int32_t i = 0; i < of->sorted.variable_count; i++)
        found[of->sorted.variables[i]] = of->elsewhere[of->sorted.component[i]];
    for (int32_t i = 0; i < eqn->relations.count; i++) {
        int32_map variables = {0};
        list_variables(eqn, eqn->relations.items[i].finite, &variables);
        for (int32_t k = 0; k < variables.count; k++) lacks[i] |= found[variables.items[k]];
    }
    return lacks;
}

static int32_t cut(hbg_code_stage *stage) {
    int32_t made = hbg_code_stage_program(stage);
    stage->instructions.count = 0;
    return made;
}

/* Makes tangents of steady segments that blocks read. Tangents of blocks are in their homes. */
static void make_segments(hbg_code *code, equations *all) {
    int32_t shift = LAYER_TANGENT * code->eqn->base_count;
    for (int32_t s = 0; s < code->segments.count; s++) {
        const segment *of = &code->segments.items[s];
        const int32_map *given = of->varies ? &of->exports[READ_WATCH] : &of->watched;
        int32_map targets = {0};
        sorted_equations sorted;
        for (int32_t i = 0; i < given->count; i++)
            if (!all->is_still[given->items[i] + shift])
                HBG_PUSH(all->arena, targets, given->items[i] + shift);
        for (int32_t i = 0; i < targets.count && of->varies; i++)
            hbg_code_stage_set(code->watching, targets.items[i], hbg_code_home(code, targets.items[i]));
        if (of->varies) continue;
        hbg_eqn_equations_sort(all, targets.items, targets.count, code->watching->var_register, &sorted);
        hbg_code_stage_add(code->watching, all, &sorted);
        for (int32_t i = 0; i < targets.count; i++) hbg_code_stage_export(code->watching, targets.items[i]);
        HBG_RT_AT(code->image.pool.blocks, s)->code[READ_SLOPES] = cut(code->watching);
    }
}

/* Makes the remaining values that slopes read, and the slopes. */
static hbg_rt_readout make_last(hbg_code *code, equations *all, const bool *lacks) {
    hbg_eqn *eqn = code->eqn;
    int32_t count = eqn->relations.count;
    hbg_rt_range reg = {HBG_POOL_ROOM(code->arena, code->image.pool.ints, count), count};
    hbg_term *slopes = HBG_NEW_ARRAY(all->arena, hbg_term, count + 1);
    int32_map targets = {0};
    sorted_equations sorted;
    for (int32_t i = 0; i < count; i++) {
        if (lacks[i]) continue;
        slopes[i] = hbg_eqn_equations_layer(all, eqn->relations.items[i].finite, LAYER_TANGENT);
        list_variables(eqn, slopes[i], &targets);
    }
    hbg_eqn_equations_sort(all, targets.items, targets.count, code->watching->var_register, &sorted);
    hbg_code_stage_add(code->watching, all, &sorted);
    for (int32_t i = 0; i < count; i++)
        *HBG_RT_AT(code->image.pool.ints, reg.first + i) =
            lacks[i] ? HBG_NONE : hbg_code_stage_term(code->watching, slopes[i]);
    return (hbg_rt_readout){cut(code->watching), reg};
}

void hbg_code_make_slopes(hbg_code *code, const hbg_causal_assignment *assignment) {
    hbg_eqn *eqn = code->eqn;
    dependence of = {.code = code};
    hbg_code_begin_work(code);
    hbg_eqn_equations_init(&of.all, &eqn->scratch, eqn, assignment, PURPOSE_FIELD);
    of.all.in_any_mode = of.all.may_be_unread = eqn->varies.any;
    find_dependence(&of);
    code->is_fixed = HBG_NEW_ARRAY(code->arena, bool, (size_t)eqn->base_count *(LAYER_COUNT + LAYER_TANGENT));
    mark_fixed(&of, code->is_fixed);
    of.all.in_any_mode = false;
    of.all.is_still = code->is_fixed;
    of.all.along_time = true;
    hbg_code_stage_mark(code->watching);
    make_segments(code, &of.all);
    code->image.code.finals[READ_SLOPES] = make_last(code, &of.all, find_lacking(&of));
    code->image.code.slopes = hbg_code_mark(code);
    hbg_eqn_equations_end(&of.all);
    atomic_store_explicit(&code->image.has_slopes, true, memory_order_release);
    hbg_code_end_work(code);
}
