/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values of instants as arrays: variables that are read get dense numbers, and so do the terms that are evaluated. */
#include "code/image_impl.h"

/* ---- cells -------------------------------------------------------------------------------------------- */

static hbg_rt_cell_kind kind_of(variable_kind kind, hbg_rt_view view) {
    switch (kind) {
    case VARIABLE_EFFORT:
    case VARIABLE_FLOW:
    case VARIABLE_STATE:
    case VARIABLE_SIGNAL:
    case VARIABLE_DER: return HBG_RT_CELL_PHYSICAL;
    case VARIABLE_PRE: return view == HBG_RT_VIEW_VALUE ? HBG_RT_CELL_PRE : HBG_RT_CELL_OTHER;
    case VARIABLE_IN: return HBG_RT_CELL_IN;
    case VARIABLE_PARAM: return HBG_RT_CELL_PARAM;
    case VARIABLE_UNDEFINED: return HBG_RT_CELL_UNDEFINED;
    default: return HBG_RT_CELL_OTHER;
    }
}

/* Homes of what is known from outside are given before anything is built; nothing else is read there. */
int32_t hbg_code_image_cell(image_maker *maker, int32_t variable) {
    const hbg_code *code = maker->code;
    const hbg_eqn *eqn = code->eqn;
    if (maker->cell_of[variable] != HBG_NONE) return maker->cell_of[variable];
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    int32_t layer = variable / eqn->base_count, index = variable % eqn->base_count - eqn->first[kind];
    hbg_rt_view view = layer == LAYER_VALUE  ? HBG_RT_VIEW_VALUE
                       : layer == LAYER_AREA ? HBG_RT_VIEW_AREA
                                             : HBG_RT_VIEW_RATE;
    if (kind == VARIABLE_UNDEFINED) index = eqn->structure->element_place[index];
    hbg_rt_cell made = {.kind = (uint8_t)kind_of(kind, view),
                        .view = (uint8_t)view,
                        .home = code->registers.home[variable],
                        .area = HBG_NONE,
                        .index = index,
                        .left = HBG_NONE,
                        .name = variable};
    maker->cell_of[variable] = maker->cells.count;
    HBG_PUSH(code->arena, maker->cells, made);
    return maker->cell_of[variable];
}

static void make_cells(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    size_t variables = (size_t)eqn->base_count * LAYER_COUNT;
    maker->cell_of = HBG_NEW_ARRAY(&eqn->scratch, int32_t, variables);
    for (size_t i = 0; i < variables; i++) maker->cell_of[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->instants.variables.count; i++) {
        int32_t cell = hbg_code_image_cell(maker, eqn->instants.variables.items[i]);
        maker->cells.items[cell].left = i;
    }
    for (int32_t n = 0; n < eqn->islands.count; n++) {
        const int32_map *asked = &eqn->islands.items[n].asked;
        for (int32_t i = 0; i < asked->count; i++) hbg_code_image_cell(maker, asked->items[i]);
    }
}

/* Areas nothing is asked for are 0. */
static void find_areas(image_maker *maker) {
    int32_t base = maker->code->eqn->base_count;
    for (int32_t i = 0; i < maker->cells.count; i++) {
        hbg_rt_cell *cell = &maker->cells.items[i];
        if (cell->view == HBG_RT_VIEW_VALUE) cell->area = maker->cell_of[cell->name + LAYER_AREA * base];
    }
}

/* ---- nodes -------------------------------------------------------------------------------------------- */

static void mark_walk(image_maker *maker, const hbg_term *terms, int32_t count) {
    for (int32_t i = 0; i < count; i++) maker->node_of[terms[i]] = 0;
}

static void mark_terms(image_maker *maker) {
    const hbg_eqn *eqn = maker->code->eqn;
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        mark_walk(maker, eqn->guards[i].walk, eqn->guards[i].walk_count);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++)
        mark_walk(maker, eqn->pres.walks[i].terms, eqn->pres.walks[i].count);
    for (int32_t i = 0; i < eqn->in.list.count; i++)
        mark_walk(maker, eqn->in.walks[i].terms, eqn->in.walks[i].count);
    for (int32_t i = 0; i < eqn->instants.restitution.count; i++) {
        const term_walk *walk = &eqn->instants.restitution_walks[eqn->instants.restitution.items[i]];
        mark_walk(maker, walk->terms, walk->count);
    }
    for (int32_t i = 0; i < eqn->relations.count; i++) {
        const relation_info *of = &eqn->relations.items[i];
        const term_node *node = &eqn->terms.nodes.items[of->term];
        mark_walk(maker, of->walk, of->walk_count);
        if (of->place != HBG_NONE) mark_walk(maker, (const hbg_term[]){node->a, node->b, of->term}, 3);
    }
}

static void mark_plans(image_maker *maker) {
    const hbg_eqn *eqn = maker->code->eqn;
    for (int32_t i = 0; i < eqn->instants.plans.count; i++)
        mark_walk(maker, eqn->instants.plans.items[i].walk.terms, eqn->instants.plans.items[i].walk.count);
}

static bool compares_states(const hbg_eqn *eqn, const term_node *node) {
    if (node->op < HBG_OP_EQUAL || node->op > HBG_OP_GREATER_EQUAL) return false;
    const term_node *left = &eqn->terms.nodes.items[node->a];
    return left->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, left->a) == VARIABLE_AUTOMATON;
}

static hbg_rt_node node_of(image_maker *maker, hbg_term term) {
    const hbg_eqn *eqn = maker->code->eqn;
    const term_node *node = &eqn->terms.nodes.items[term];
    bool relation = term < eqn->instants.relation_of_term.count;
    bool table = node->op == HBG_OP_TABLE || node->op == TERM_SLOPE;
    int arity = hbg_term_arity(node);
    hbg_rt_node made = {.op = node->op,
                        .arity = (uint8_t)arity,
                        .a = arity > 0 ? maker->node_of[node->a] : HBG_NONE,
                        .b = arity > 1 ? maker->node_of[node->b] : HBG_NONE,
                        .c = arity > 2 ? maker->node_of[node->c] : HBG_NONE,
                        .cell = HBG_NONE,
                        .relation = relation ? eqn->instants.relation_of_term.items[term] : HBG_NONE,
                        .term = term};
    if (table) made.b = node->b;
    if (node->op == HBG_OP_NUMBER)
        made.number = hbg_base_decimal_to_double(eqn->terms.numbers.items[node->a]);
    if (node->op == TERM_VARIABLE) made.cell = hbg_code_image_cell(maker, node->a);
    if (hbg_eqn_is_threshold(eqn, term)) made.flags |= HBG_RT_NODE_TIMED;
    if (compares_states(eqn, node)) made.flags |= HBG_RT_NODE_STATES;
    if (hbg_eqn_has_cells(node->op)) made.flags |= HBG_RT_NODE_BORDERS;
    if (node->level < LEVEL_RUN && eqn->limits.clusters.count > 0) made.flags |= HBG_RT_NODE_CONSTANT;
    return made;
}

/* Arguments have smaller numbers as terms, and as nodes. */
static void make_nodes(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    maker->node_of = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->instants.term_count + 1);
    for (int32_t i = 0; i < eqn->instants.term_count; i++) maker->node_of[i] = HBG_NONE;
    mark_terms(maker);
    mark_plans(maker);
    for (int32_t i = 0; i < eqn->instants.term_count; i++) {
        if (maker->node_of[i] == HBG_NONE) continue;
        hbg_rt_node made = node_of(maker, i);
        maker->node_of[i] = maker->nodes.count;
        HBG_PUSH(eqn->arena, maker->nodes, made);
    }
}

hbg_rt_range hbg_code_image_walk(image_maker *maker, const hbg_term *terms, int32_t count) {
    hbg_rt_range range = {maker->walks.count, count};
    for (int32_t i = 0; i < count; i++) HBG_PUSH(maker->code->arena, maker->walks, maker->node_of[terms[i]]);
    return range;
}

void hbg_code_image_make_values(image_maker *maker) {
    make_cells(maker);
    make_nodes(maker);
    find_areas(maker);
}

void hbg_code_image_make_plans(image_maker *maker) {
    const hbg_eqn *eqn = maker->code->eqn;
    hbg_rt_range plans = {maker->ints.count, 3 * eqn->instants.plans.count};
    for (int32_t i = 0; i < eqn->instants.plans.count; i++) {
        const term_plan *of = &eqn->instants.plans.items[i];
        hbg_rt_range walk = hbg_code_image_walk(maker, of->walk.terms, of->walk.count);
        HBG_PUSH(maker->code->arena, maker->ints, of->term);
        HBG_PUSH(maker->code->arena, maker->ints, walk.first);
        HBG_PUSH(maker->code->arena, maker->ints, walk.count);
    }
    maker->to->plans = plans;
}

void hbg_code_image_end_values(image_maker *maker) {
    maker->to->values = (hbg_rt_values){.nodes = maker->nodes.items,
                                        .walks = maker->walks.items,
                                        .cells = maker->cells.items,
                                        .node_count = maker->nodes.count,
                                        .cell_count = maker->cells.count,
                                        .left_count = maker->code->eqn->instants.variables.count};
}
