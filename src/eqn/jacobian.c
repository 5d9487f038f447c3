/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The exact, sparse Jacobian of the field: tangent code behind the field, run once for each colour. Columns that share no row
 * have one colour (Curtis, Powell and Reid), so that a ladder of any length needs a handful of runs. */
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- which states a rate depends on -------------------------------------------------------------------- */

typedef struct {
    int32_t *items;
    int32_t count;
} state_set;

typedef struct {
    field_code *field;
    hbg_arena *arena;
    state_set *sets; /* by variable of the value and rate layers */
    int32_t *seen;   /* by state: last block that has it */
    int32_map found;
} dependence;

static void add_set(dependence *all, const state_set *set, int32_t block) {
    for (int32_t i = 0; i < set->count; i++) {
        if (all->seen[set->items[i]] == block) continue;
        all->seen[set->items[i]] = block;
        HBG_PUSH(all->arena, all->found, set->items[i]);
    }
}

static void add_reads(dependence *all, int32_t variable, int32_t block) {
    hbg_eqn *eqn = all->field->all.eqn;
    equation of = *hbg_equations_get(&all->field->all, variable);
    if (of.kind == EQUATION_KNOWN) return;
    hbg_terms_walk(&eqn->terms, of.term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) add_set(all, &all->sets[node->a], block);
    }
}

/* A block depends on whatever its members read. */
static void find_block(dependence *all, int32_t number) {
    const sorted_block *block = &all->field->sorted.blocks[number];
    const int32_t *variables = all->field->sorted.variables + block->first;
    const hbg_eqn *eqn = all->field->all.eqn;
    all->found.count = 0;
    for (int32_t k = 0; k < block->count; k++) add_reads(all, variables[k], number + 1);
    int32_t state = variables[0] - eqn->first[VARIABLE_STATE];
    bool known_state = variables[0] < eqn->base_count &&
                       hbg_eqn_kind_of(eqn, variables[0]) == VARIABLE_STATE &&
                       !hbg_equations_is_dependent(&all->field->all, state);
    if (known_state) HBG_PUSH(all->arena, all->found, state);
    state_set set = {HBG_NEW_ARRAY(all->arena, int32_t, all->found.count + 1), all->found.count};
    if (set.count > 0) memcpy(set.items, all->found.items, (size_t)set.count * sizeof *set.items);
    for (int32_t k = 0; k < block->count; k++) all->sets[variables[k]] = set;
}

/* ---- pattern and colours ------------------------------------------------------------------------------ */

static void fill_pattern(hbg_eqn *eqn, const state_set *rates, jacobian_plan *plan) {
    int32_t n = plan->count;
    plan->start = HBG_NEW_ARRAY(eqn->arena, int32_t, n + 2);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < rates[i].count; k++) plan->start[rates[i].items[k] + 2]++;
    for (int32_t j = 0; j < n; j++) plan->start[j + 2] += plan->start[j + 1];
    plan->row = HBG_NEW_ARRAY(eqn->arena, int32_t, plan->start[n + 1] + 1);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < rates[i].count; k++) plan->row[plan->start[rates[i].items[k] + 1]++] = i;
}

static void colour_columns(hbg_eqn *eqn, hbg_arena *scratch, const state_set *rates, jacobian_plan *plan) {
    int32_t n = plan->count;
    int32_t *taken =
        HBG_NEW_ARRAY(scratch, int32_t, n + 1); // by colour: last column that must not have it, plus 1
    plan->colour = HBG_NEW_ARRAY(eqn->arena, int32_t, n + 1);
    for (int32_t j = 0; j < n; j++) plan->colour[j] = HBG_NONE;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t k = plan->start[j]; k < plan->start[j + 1]; k++) {
            const state_set *row = &rates[plan->row[k]];
            for (int32_t m = 0; m < row->count; m++)
                if (plan->colour[row->items[m]] != HBG_NONE) taken[plan->colour[row->items[m]]] = j + 1;
        }
        int32_t colour = 0;
        while (taken[colour] == j + 1) colour++;
        plan->colour[j] = colour;
        if (colour >= plan->colour_count) plan->colour_count = colour + 1;
    }
    plan->column_start = HBG_NEW_ARRAY(eqn->arena, int32_t, plan->colour_count + 2);
    plan->columns = HBG_NEW_ARRAY(eqn->arena, int32_t, n + 1);
    for (int32_t j = 0; j < n; j++) plan->column_start[plan->colour[j] + 2]++;
    for (int32_t c = 0; c < plan->colour_count; c++) plan->column_start[c + 2] += plan->column_start[c + 1];
    for (int32_t j = 0; j < n; j++) plan->columns[plan->column_start[plan->colour[j] + 1]++] = j;
}

/* ---- tangents ----------------------------------------------------------------------------------------- */

/* What does not depend on any state has no tangent: equations behind it are made without it. */
static void mark_still(const dependence *all, bool *is_still) {
    const hbg_eqn *eqn = all->field->all.eqn;
    const sorted_equations *sorted = &all->field->sorted;
    for (int32_t i = 0; i < sorted->variable_count; i++) {
        int32_t variable = sorted->variables[i];
        if (all->sets[variable].count == 0) is_still[variable + LAYER_TANGENT * eqn->base_count] = true;
    }
}

static void make_tangent(hbg_eqn *eqn, field_code *field, jacobian_plan *plan) {
    sorted_equations sorted;
    int32_t n = plan->count;
    int32_t *targets = HBG_NEW_ARRAY(field->all.arena, int32_t, n + 1);
    for (int32_t i = 0; i < n; i++)
        targets[i] = LAYER_TANGENT_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + i;
    hbg_stage_mark(field->stage);
    field->stage->locate = false;
    hbg_equations_sort(&field->all, targets, n, field->stage, &sorted);
    hbg_stage_add(field->stage, &field->all, &sorted);
    plan->tangent = (readout){hbg_stage_program(field->stage), HBG_NEW_ARRAY(eqn->arena, int32_t, n + 1), n};
    for (int32_t i = 0; i < n; i++) plan->tangent.reg[i] = field->stage->var_register[targets[i]];
}

jacobian_plan *hbg_eqn_jacobian(hbg_eqn *eqn, const compiled_mode *mode) {
    hbg_arena *scratch = &eqn->scratch;
    jacobian_plan *plan = HBG_NEW(eqn->arena, jacobian_plan);
    field_code field; // the same code in the same registers as when the mode was compiled
    hbg_eqn_field(eqn, scratch, mode->assignment, &field);
    dependence all = {.field = &field, .arena = scratch};
    all.sets = HBG_NEW_ARRAY(scratch, state_set, LAYER_TANGENT * (size_t)eqn->base_count);
    all.seen = HBG_NEW_ARRAY(scratch, int32_t, eqn->state_count + 1);
    for (int32_t i = 0; i < field.sorted.block_count; i++) find_block(&all, i);
    plan->count = eqn->state_count;
    const state_set *rates = all.sets + LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE];
    fill_pattern(eqn, rates, plan);
    colour_columns(eqn, scratch, rates, plan);
    field.all.is_still = HBG_NEW_ARRAY(scratch, bool, (size_t)eqn->base_count *LAYER_COUNT);
    mark_still(&all, field.all.is_still);
    make_tangent(eqn, &field, plan);
    hbg_eqn_clear(eqn);
    return plan;
}
