/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sorting: from the targets back to known variables, every equation that is needed and no other, ordered so
 * that each is computed after the variables it reads. Strong components of more than one variable, and
 * implicit equations, are loops: solved together. */
#include <string.h>

#include "eqn/eqn_impl.h"

typedef struct {
    equations *all;
    hbg_arena *arena;
    int32_t *number;        /* by variable: 1 + its place in `list`; 0: not met */
    HBG_VEC(int32_t) list;  /* variables met */
    HBG_VEC(int32_t) start; /* where a variable's arcs begin in `heads` */
    HBG_VEC(int32_t) heads;
    int32_map reads;
    const int32_t *done; /* already computed; see hbg_eqn_equations_sort */
} sorting;

static bool is_there(const sorting *sort, int32_t variable) {
    return sort->done && sort->done[variable] != HBG_NONE;
}

static int32_t number_of(sorting *sort, int32_t variable) {
    if (sort->number[variable] == 0) {
        HBG_PUSH(sort->arena, sort->list, variable);
        sort->number[variable] = sort->list.count;
    }
    return sort->number[variable] - 1;
}

/* The variables an equation reads become the arcs of its node. */
static void visit(sorting *sort, int32_t node) {
    HBG_PUSH(sort->arena, sort->start, sort->heads.count);
    sort->reads.count = 0;
    hbg_eqn_equations_reads(sort->all, sort->list.items[node], &sort->reads);
    for (int32_t i = 0; i < sort->reads.count; i++)
        if (!is_there(sort, sort->reads.items[i]))
            HBG_PUSH(sort->arena, sort->heads, number_of(sort, sort->reads.items[i]));
}

static bool reads_itself(const sorting *sort, int32_t node) {
    for (int32_t i = sort->start.items[node]; i < sort->start.items[node + 1]; i++)
        if (sort->heads.items[i] == node) return true;
    return false;
}

/* Keeps the arcs, between places in the order found. */
static void keep_arcs(sorting *sort, const int32_t *component, const int32_t *nodes,
                      sorted_equations *sorted) {
    int32_t count = sort->list.count, arcs = 0;
    int32_t *place = HBG_NEW_ARRAY(sort->arena, int32_t, count + 1);
    sorted->component = HBG_NEW_ARRAY(sort->arena, int32_t, count + 1);
    sorted->start = HBG_NEW_ARRAY(sort->arena, int32_t, count + 2);
    sorted->heads = HBG_NEW_ARRAY(sort->arena, int32_t, sort->heads.count + 1);
    for (int32_t i = 0; i < count; i++) place[nodes[i]] = i;
    for (int32_t i = 0; i < count; i++) {
        sorted->component[i] = component[nodes[i]];
        sorted->start[i] = arcs;
        for (int32_t k = sort->start.items[nodes[i]]; k < sort->start.items[nodes[i] + 1]; k++)
            sorted->heads[arcs++] = place[sort->heads.items[k]];
    }
    sorted->start[count] = arcs;
}

/* Variables in the order of their components; the first of each begins a block. */
static void fill(sorting *sort, const int32_t *component, int32_t component_count, sorted_equations *sorted) {
    int32_t count = sort->list.count;
    int32_t *first = HBG_NEW_ARRAY(sort->arena, int32_t, component_count + 1);
    int32_t *nodes = HBG_NEW_ARRAY(sort->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) first[component[i]]++;
    for (int32_t i = 0, sum = 0; i <= component_count; i++) {
        int32_t size = i < component_count ? first[i] : 0;
        first[i] = sum;
        sum += size;
    }
    for (int32_t i = count - 1; i >= 0; i--)
        nodes[first[component[i] + 1] - 1 - sorted->blocks[component[i]].count++] = i;
    for (int32_t i = 0; i < component_count; i++) {
        sorted_block *block = &sorted->blocks[i];
        *block = (sorted_block){first[i], first[i + 1] - first[i], first[i + 1] - first[i] > 1};
        int32_t node = nodes[first[i]];
        bool varies = sort->all->in_any_mode && hbg_eqn_varies(sort->all->eqn, sort->list.items[node]);
        if (block->is_loop || varies) continue; // each mode divides a block of all modes
        const equation *of = hbg_eqn_equations_get(sort->all, sort->list.items[node]);
        if (of->kind == EQUATION_IMPLICIT || reads_itself(sort, node)) block->is_loop = true;
    }
    for (int32_t i = 0; i < count; i++) sorted->variables[i] = sort->list.items[nodes[i]];
    keep_arcs(sort, component, nodes, sorted);
}

void hbg_eqn_equations_sort(equations *all, const int32_t *targets, int32_t target_count, const int32_t *done,
                            sorted_equations *sorted) {
    hbg_arena *arena = all->arena;
    sorting sort = {.all = all, .arena = arena, .done = done};
    sort.number = all->eqn->work.number;
    for (int32_t i = 0; i < target_count; i++)
        if (!is_there(&sort, targets[i])) number_of(&sort, targets[i]);
    for (int32_t i = 0; i < sort.list.count; i++) visit(&sort, i);
    HBG_PUSH(arena, sort.start, sort.heads.count);
    int32_t *component = HBG_NEW_ARRAY(arena, int32_t, sort.list.count + 1);
    int32_t components =
        hbg_graph_strong_components(arena, sort.list.count, sort.start.items, sort.heads.items, component);
    for (int32_t i = 0; i < sort.list.count; i++) sort.number[sort.list.items[i]] = 0;
    sorted->variable_count = sort.list.count;
    sorted->variables = HBG_NEW_ARRAY(arena, int32_t, sort.list.count + 1);
    sorted->block_count = components;
    sorted->blocks = HBG_NEW_ARRAY(arena, sorted_block, components + 1);
    fill(&sort, component, components, sorted);
}
