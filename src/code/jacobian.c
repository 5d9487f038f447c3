/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The exact, sparse Jacobian of the field: tangent code after the field, run once for each colour. Columns
 * that share no row have one colour (Curtis, Powell and Reid), so a ladder of any length needs only a handful
 * of runs. */
#include <string.h>

#include "code/code_impl.h"

/* ---- which states a rate depends on -------------------------------------------------------------------- */

typedef struct {
    int32_t *items;
    int32_t count;
    int32_t number; /* component it was found for: sets with the same number are the same */
} state_set;

typedef struct {
    hbg_code *code;
    hbg_arena *arena;
    equations all; /* in any mode: the pattern holds in all modes */
    sorted_equations sorted;
    state_set *sets; /* by component */
    int32_t *seen;   /* by state: 1 + last component that has it */
    int32_map found;
} dependence;

static void add_state(dependence *all, int32_t state, int32_t component) {
    if (all->seen[state] == component + 1) return;
    all->seen[state] = component + 1;
    HBG_PUSH(all->arena, all->found, state);
}

/* Finds the set of a component: everything its members read, and a state that may be known, itself. A
 * component that adds nothing to the set of something it reads shares that set. */
static void find_component(dependence *all, int32_t number) {
    const sorted_block *block = &all->sorted.blocks[number];
    const hbg_eqn *eqn = all->code->eqn;
    int32_t widest = number;
    all->found.count = 0;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        int32_t state = all->sorted.variables[i] - eqn->first[VARIABLE_STATE];
        if (state >= 0 && state < eqn->state_count && eqn->varies.may_integral[state])
            add_state(all, state, number);
        for (int32_t k = all->sorted.start[i]; k < all->sorted.start[i + 1]; k++) {
            int32_t read = all->sorted.component[all->sorted.heads[k]];
            if (read == number) continue;
            if (widest == number || all->sets[read].count > all->sets[widest].count) widest = read;
            for (int32_t m = 0; m < all->sets[read].count; m++)
                add_state(all, all->sets[read].items[m], number);
        }
    }
    if (widest != number && all->sets[widest].count == all->found.count) {
        all->sets[number] = all->sets[widest];
        return;
    }
    state_set set = {HBG_NEW_ARRAY(all->arena, int32_t, all->found.count + 1), all->found.count, number};
    if (set.count > 0) memcpy(set.items, all->found.items, (size_t)set.count * sizeof *set.items);
    all->sets[number] = set;
}

static void find_dependence(dependence *all) {
    hbg_eqn *eqn = all->code->eqn;
    int32_t *targets = HBG_NEW_ARRAY(all->arena, int32_t, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++)
        targets[i] = LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + i;
    hbg_eqn_equations_sort(&all->all, targets, eqn->state_count, NULL, &all->sorted);
    all->sets = HBG_NEW_ARRAY(all->arena, state_set, all->sorted.block_count + 1);
    all->seen = HBG_NEW_ARRAY(all->arena, int32_t, eqn->state_count + 1);
    for (int32_t i = 0; i < all->sorted.block_count; i++) find_component(all, i);
}

/* Returns, by state, the set of its rate. */
static state_set *sets_of_rates(dependence *all) {
    hbg_eqn *eqn = all->code->eqn;
    state_set *rates = HBG_NEW_ARRAY(all->arena, state_set, eqn->state_count + 1);
    int32_t first = LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE];
    for (int32_t i = 0; i < all->sorted.variable_count; i++) {
        int32_t state = all->sorted.variables[i] - first;
        if (state >= 0 && state < eqn->state_count) rates[state] = all->sets[all->sorted.component[i]];
    }
    return rates;
}

/* ---- pattern and colours ------------------------------------------------------------------------------ */

/* The colouring under construction. */
typedef struct {
    hbg_arena *arena;
    int32_t count, colour_count;
    int32_t *start, *row;
    int32_t *colour; /* by column */
    int32_t *column_start, *columns;
} colouring;

static void fill_pattern(const state_set *rates, colouring *plan) {
    int32_t n = plan->count;
    plan->start = HBG_NEW_ARRAY(plan->arena, int32_t, n + 2);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < rates[i].count; k++) plan->start[rates[i].items[k] + 2]++;
    for (int32_t j = 0; j < n; j++) plan->start[j + 2] += plan->start[j + 1];
    plan->row = HBG_NEW_ARRAY(plan->arena, int32_t, plan->start[n + 1] + 1);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < rates[i].count; k++) plan->row[plan->start[rates[i].items[k] + 1]++] = i;
}

/* Colours the columns. Rows with the same set are visited once per column: where everything may be connected,
 * all rows have the same set. */
static void colour_columns(const state_set *rates, int32_t components, colouring *plan) {
    hbg_arena *scratch = plan->arena;
    int32_t n = plan->count;
    int32_t *looked = HBG_NEW_ARRAY(scratch, int32_t, components + 1); // by number of a set: 1 + last column
    int32_t *taken =
        HBG_NEW_ARRAY(scratch, int32_t, n + 1); // by colour: 1 + last column that must not have it
    plan->colour = HBG_NEW_ARRAY(plan->arena, int32_t, n + 1);
    for (int32_t j = 0; j < n; j++) plan->colour[j] = HBG_NONE;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t k = plan->start[j]; k < plan->start[j + 1]; k++) {
            const state_set *row = &rates[plan->row[k]];
            if (looked[row->number] == j + 1) continue;
            looked[row->number] = j + 1;
            for (int32_t m = 0; m < row->count; m++)
                if (plan->colour[row->items[m]] != HBG_NONE) taken[plan->colour[row->items[m]]] = j + 1;
        }
        int32_t colour = 0;
        while (taken[colour] == j + 1) colour++;
        plan->colour[j] = colour;
        if (colour >= plan->colour_count) plan->colour_count = colour + 1;
    }
    plan->column_start = HBG_NEW_ARRAY(plan->arena, int32_t, plan->colour_count + 2);
    plan->columns = HBG_NEW_ARRAY(plan->arena, int32_t, n + 1);
    for (int32_t j = 0; j < n; j++) plan->column_start[plan->colour[j] + 2]++;
    for (int32_t c = 0; c < plan->colour_count; c++) plan->column_start[c + 2] += plan->column_start[c + 1];
    for (int32_t j = 0; j < n; j++) plan->columns[plan->column_start[plan->colour[j] + 1]++] = j;
}

/* ---- tangents ----------------------------------------------------------------------------------------- */

/* Marks variables that depend on no state: they have no tangent, and equations that read them omit it. */
static void mark_still(const dependence *all, bool *is_still) {
    int32_t shift = LAYER_TANGENT * all->code->eqn->base_count;
    for (int32_t i = 0; i < all->sorted.variable_count; i++)
        if (all->sets[all->sorted.component[i]].count == 0) is_still[all->sorted.variables[i] + shift] = true;
    for (int32_t i = 0; i < shift; i++)
        is_still[LAYER_COUNT * all->code->eqn->base_count + i] = true; // of areas
}

/* Makes tangents of steady segments, after their field; those of blocks are in their homes. */
static void make_tangents(hbg_code *code, equations *all) {
    int32_t shift = LAYER_TANGENT * code->eqn->base_count;
    hbg_code_stage_mark(code->steady);
    code->steady->locate = false;
    for (int32_t s = 0; s < code->segments.count; s++) {
        segment *of = &code->segments.items[s];
        int32_map targets = {0};
        sorted_equations sorted;
        for (int32_t i = 0; i < of->exports[READ_FIELD].count; i++) {
            int32_t tangent = of->exports[READ_FIELD].items[i] + shift;
            if (all->is_still[tangent]) continue;
            code->where[tangent] = hbg_code_home(code, tangent);
            hbg_code_stage_set(code->steady, tangent, code->where[tangent]);
        }
        for (int32_t i = 0; i < of->wanted.count; i++)
            if (!all->is_still[of->wanted.items[i] + shift])
                HBG_PUSH(all->arena, targets, of->wanted.items[i] + shift);
        if (of->varies) continue;
        hbg_eqn_equations_sort(all, targets.items, targets.count, code->steady->var_register, &sorted);
        hbg_code_stage_add(code->steady, all, &sorted);
        for (int32_t i = 0; i < targets.count; i++)
            code->where[targets.items[i]] = code->steady->var_register[targets.items[i]];
        HBG_RT_AT(code->image.pool.blocks, s)->code[READ_TANGENT] = hbg_code_stage_program(code->steady);
        code->steady->instructions.count = 0;
    }
}

static int32_t *tangents_of_rates(const hbg_code *code, hbg_arena *arena) {
    const hbg_eqn *eqn = code->eqn;
    int32_t first = LAYER_TANGENT_RATE * eqn->base_count + eqn->first[VARIABLE_STATE];
    int32_t *reg = HBG_NEW_ARRAY(arena, int32_t, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) reg[i] = code->steady->var_register[first + i];
    return reg;
}

void hbg_code_make_jacobian(hbg_code *code, const hbg_causal_assignment *assignment) {
    hbg_eqn *eqn = code->eqn;
    hbg_arena *scratch = &eqn->scratch;
    int32_t n = eqn->state_count;
    colouring plan = {.arena = scratch, .count = n};
    dependence all = {.code = code, .arena = scratch};
    hbg_code_begin_work(code);
    hbg_eqn_equations_init(&all.all, scratch, eqn, assignment, PURPOSE_FIELD);
    all.all.in_any_mode = eqn->varies.any;
    find_dependence(&all);
    const state_set *rates = sets_of_rates(&all);
    fill_pattern(rates, &plan);
    colour_columns(rates, all.sorted.block_count, &plan);
    code->is_still = HBG_NEW_ARRAY(code->arena, bool, (size_t)eqn->base_count *(LAYER_COUNT + LAYER_TANGENT));
    mark_still(&all, code->is_still);
    all.all.in_any_mode = false;
    all.all.is_still = code->is_still;
    make_tangents(code, &all.all);
    code->image.code.colours =
        (hbg_rt_colours){.count = n,
                         .colour_count = plan.colour_count,
                         .start = hbg_code_add_ints(code, plan.start, n + 1),
                         .row = hbg_code_add_ints(code, plan.row, plan.start[n]),
                         .column_start = hbg_code_add_ints(code, plan.column_start, plan.colour_count + 1),
                         .columns = hbg_code_add_ints(code, plan.columns, n),
                         .reg = hbg_code_add_ints(code, tangents_of_rates(code, scratch), n),
                         .mark = hbg_code_mark(code)};
    hbg_eqn_equations_end(&all.all);
    atomic_store_explicit(&code->image.has_colours, true, memory_order_release);
    hbg_code_end_work(code);
}
