/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What an equation reads: the variables it reads in a mode, or, if it varies, all it may read in some mode.
 * The latter graph has the blocks of the model as its strong components (segment.c), so it may have
 * superfluous arcs but must never miss one. */
#include "eqn/eqn_impl.h"

void hbg_eqn_equations_read_term(equations *all, hbg_term term, int32_map *reads) {
    hbg_terms *terms = &all->eqn->terms;
    hbg_term_walk_variables(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++)
        HBG_PUSH(all->arena, *reads, terms->nodes.items[terms->walk.items[i]].a);
}

/* ---- values ------------------------------------------------------------------------------------------- */

static void add_junction(equations *all, int32_t junction, int32_t bond, hbg_variable asked,
                         int32_map *reads) {
    hbg_eqn *eqn = all->eqn;
    const hbg_model *model = eqn->model;
    int32_t place = eqn->structure->element_place[junction];
    if (eqn->varies.place_steady[place]) {
        hbg_eqn_equations_read_term(all, hbg_eqn_equations_junction(all, junction, bond, asked).term, reads);
        return;
    }
    variable_kind kind = asked == HBG_VARIABLE_EFFORT ? VARIABLE_EFFORT : VARIABLE_FLOW;
    for (int32_t i = model->incidence_start[junction]; i < model->incidence_start[junction + 1]; i++)
        if (model->incidence[i] != bond) HBG_PUSH(all->arena, *reads, eqn->first[kind] + model->incidence[i]);
    if (eqn->limits.cluster_of[place] != HBG_NONE) hbg_eqn_limit_reads(all, kind, place, reads);
    if (model->elements.items[junction].restitution != HBG_NONE && all->purpose == PURPOSE_JUMP)
        HBG_PUSH(all->arena, *reads, eqn->first[VARIABLE_BOUNCE] + junction);
}

static void add_element(equations *all, const hbg_bond_end *end, hbg_variable asked, int32_map *reads) {
    hbg_eqn *eqn = all->eqn;
    int32_t state = eqn->element_state[end->element];
    if (state == HBG_NONE) {
        hbg_eqn_equations_read_term(all, hbg_eqn_equations_element(all, end->element, end->port, asked).term,
                                    reads);
        return;
    }
    bool capacitor = eqn->model->elements.items[end->element].kind == HBG_KIND_C;
    int32_t port = end->port > 0 ? end->port : 1;
    if (asked == (capacitor ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW)) {
        hbg_eqn_equations_read_term(all, hbg_eqn_storage_output(eqn, end->element, port, true).term, reads);
        hbg_eqn_equations_read_term(all, hbg_eqn_storage_output(eqn, end->element, port, false).term, reads);
    } else {
        HBG_PUSH(all->arena, *reads,
                 LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + state + port - 1);
    }
}

/* Either end may define the variable, unless the causality of the link is fixed. */
static void add_bond(equations *all, int32_t bond, hbg_variable asked, int32_map *reads) {
    const hbg_causal_structure *structure = all->eqn->structure;
    const hbg_bond *of = &all->eqn->model->bonds.items[bond];
    const hbg_bond_end *ends[] = {&of->from, &of->to};
    int8_t fixed = all->eqn->varies.link_value[structure->bond_link[bond]];
    for (int i = 0; i < 2; i++) {
        if (fixed != HBG_NONE) {
            int stroke = hbg_causal_stroke_of(structure, bond, fixed);
            if (i != (asked == HBG_VARIABLE_EFFORT ? 1 - stroke : stroke)) continue;
        }
        if (structure->element_place[ends[i]->element] != HBG_NONE)
            add_junction(all, ends[i]->element, bond, asked, reads);
        else
            add_element(all, ends[i], asked, reads);
    }
}

/* ---- layers ------------------------------------------------------------------------------------------- */

/* v = g(w) gives v' from w and w'. */
static void add_rates(equations *all, int32_t from, int32_map *reads) {
    int32_t base_count = all->eqn->base_count, count = reads->count;
    for (int32_t i = from; i < count; i++) {
        variable_kind kind = hbg_eqn_kind_of(all->eqn, reads->items[i]);
        bool moves = kind == VARIABLE_EFFORT || kind == VARIABLE_FLOW || kind == VARIABLE_STATE ||
                     kind == VARIABLE_SIGNAL || kind == VARIABLE_DER || kind == VARIABLE_PARASITE ||
                     kind == VARIABLE_CONFLICT;
        if (moves && reads->items[i] / base_count < LAYER_RATE2)
            HBG_PUSH(all->arena, *reads, reads->items[i] + base_count);
    }
}

static void add_state(equations *all, int32_t state, int32_t layer, int32_map *reads) {
    hbg_eqn *eqn = all->eqn;
    const state_info *info = &eqn->states[state];
    int32_t from = reads->count;
    if (layer > 0 && eqn->varies.may_integral[state]) {
        hbg_eqn_equations_read_term(all, hbg_eqn_equations_rate_term(all, state), reads);
        for (int32_t i = 1; i < layer; i++) add_rates(all, from, reads);
    }
    if (!eqn->varies.may_dependent[state]) return;
    from = reads->count;
    hbg_eqn_equations_read_term(all, hbg_eqn_storage_state(eqn, info->element, info->port).term, reads);
    for (int32_t i = 0; i < layer; i++) add_rates(all, from, reads);
}

static void add_possible(equations *all, int32_t variable, int32_map *reads) {
    hbg_eqn *eqn = all->eqn;
    int32_t base = variable % eqn->base_count, layer = variable / eqn->base_count;
    variable_kind kind = hbg_eqn_kind_of(eqn, base);
    int32_t index = base - eqn->first[kind], from = reads->count;
    if (kind == VARIABLE_STATE) {
        add_state(all, index, layer, reads);
        return;
    }
    if (kind == VARIABLE_PARASITE || kind == VARIABLE_CONFLICT)
        hbg_eqn_limit_reads(all, kind, index, reads);
    else
        add_bond(all, index, kind == VARIABLE_EFFORT ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW, reads);
    for (int32_t i = 0; i < layer; i++) add_rates(all, from, reads);
}

void hbg_eqn_equations_reads(equations *all, int32_t variable, int32_map *reads) {
    if (all->in_any_mode && hbg_eqn_varies(all->eqn, variable)) {
        add_possible(all, variable, reads);
        return;
    }
    equation of = *hbg_eqn_equations_get(all, variable);
    if (of.kind == EQUATION_ASSIGN || of.kind == EQUATION_IMPLICIT)
        hbg_eqn_equations_read_term(all, of.term, reads);
}
