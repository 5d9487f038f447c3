/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The causal structure of a model: junctions become places, bonds become links. A chain of transformers and
 * gyrators between two other elements is one link, since causality passes through it unchanged (TF) or
 * reversed (GY). */
#include "causal/causal_impl.h"

#include <string.h>

hbg_causal_options hbg_causal_options_default(void) {
    return (hbg_causal_options){.integral = false};
}

/* ---- places ------------------------------------------------------------------------------------------- */

static bool is_junction(const hbg_element *element) {
    return element->kind == HBG_KIND_ZERO || element->kind == HBG_KIND_ONE;
}

static bool is_two_port(const hbg_element *element) {
    return element->kind == HBG_KIND_TF || element->kind == HBG_KIND_GY;
}

static void make_places(hbg_arena *arena, hbg_causal_structure *structure) {
    const hbg_model *model = structure->model;
    structure->element_place = HBG_NEW_ARRAY(arena, int32_t, model->elements.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++)
        structure->element_place[i] =
            is_junction(&model->elements.items[i]) ? structure->place_count++ : HBG_NONE;
    int32_t count = structure->place_count + 1;
    structure->place_element = HBG_NEW_ARRAY(arena, int32_t, count);
    structure->is_zero = HBG_NEW_ARRAY(arena, bool, count);
    structure->controlled = HBG_NEW_ARRAY(arena, bool, count);
    structure->dual_off = HBG_NEW_ARRAY(arena, bool, count);
    structure->control_group = HBG_NEW_ARRAY(arena, int32_t, count);
    hbg_names controls;
    hbg_base_names_init(&controls, arena);
    for (int32_t i = 0; i < model->elements.count; i++) {
        int32_t place = structure->element_place[i];
        if (place == HBG_NONE) continue;
        const hbg_element *junction = &model->elements.items[i];
        structure->place_element[place] = i;
        structure->is_zero[place] = junction->kind == HBG_KIND_ZERO;
        structure->controlled[place] = junction->control != HBG_NONE;
        structure->dual_off[place] = junction->dual_off;
        structure->control_group[place] = HBG_NONE;
        if (junction->control == HBG_NONE) continue;
        // equal conditions have equal texts
        hbg_buffer text;
        hbg_base_buffer_init(&text, arena);
        hbg_model_print_expr(model, junction->control, &text);
        structure->control_group[place] = hbg_base_names_add(&controls, text.data, text.size);
    }
}

/* ---- links -------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_arena *arena;
    hbg_causal_structure *structure;
    HBG_VEC(hbg_causal_link) links;
    HBG_VEC(int32_t) chain;
} link_maker;

static hbg_causal_end make_end(const hbg_causal_structure *structure, int32_t element, int32_t port) {
    const hbg_element *at = &structure->model->elements.items[element];
    hbg_causal_end end = {structure->element_place[element], element, port, HBG_DEMAND_FREE, false, false};
    bool storage = at->kind == HBG_KIND_C || at->kind == HBG_KIND_I;
    bool source = at->kind == HBG_KIND_SE || at->kind == HBG_KIND_SF;
    if (source || (storage && structure->options.integral))
        end.demand = HBG_DEMAND_MUST;
    else if (storage)
        end.demand = HBG_DEMAND_PREFER;
    end.is_source = source;
    // integral: a C gives effort, an I gives flow and so takes effort
    end.wants_effort = at->kind == HBG_KIND_SF || at->kind == HBG_KIND_I;
    return end;
}

/* The other bond of a transformer or gyrator. */
static int32_t pass(const hbg_model *model, int32_t element, int32_t bond) {
    const int32_t *bonds = model->incidence + model->incidence_start[element];
    return bonds[0] == bond ? bonds[1] : bonds[0];
}

/* Follows a chain from an end of a bond. A chain entry is bond*4, +2 after an odd number of gyrators, +1 if
 * the bond's half arrow points back towards end 0. */
static void make_link(link_maker *maker, int32_t element, int32_t bond, bool leave_from) {
    hbg_causal_structure *structure = maker->structure;
    const hbg_model *model = structure->model;
    const hbg_bond *at = &model->bonds.items[bond];
    hbg_causal_link link = {.first_bond = maker->chain.count};
    link.end[0] = make_end(structure, element, leave_from ? at->from.port : at->to.port);
    for (;;) {
        at = &model->bonds.items[bond];
        const hbg_bond_end *far = leave_from ? &at->to : &at->from;
        structure->bond_entry[bond] = maker->chain.count;
        HBG_PUSH(maker->arena, maker->chain, bond * 4 + (link.odd ? 2 : 0) + (leave_from ? 0 : 1));
        structure->bond_link[bond] = maker->links.count;
        link.bond_count++;
        const hbg_element *next = &model->elements.items[far->element];
        if (!is_two_port(next)) {
            link.end[1] = make_end(structure, far->element, far->port);
            break;
        }
        if (next->kind == HBG_KIND_GY) link.odd = !link.odd;
        bond = pass(model, far->element, bond);
        leave_from = model->bonds.items[bond].from.element == (int32_t)(next - model->elements.items);
    }
    HBG_PUSH(maker->arena, maker->links, link);
}

static void make_links(hbg_arena *arena, hbg_causal_structure *structure) {
    const hbg_model *model = structure->model;
    link_maker maker = {.arena = arena, .structure = structure};
    // a bond is in at most one link, so neither list has to grow
    maker.links.capacity = maker.chain.capacity = model->bonds.count;
    maker.links.items = HBG_NEW_ARRAY(arena, hbg_causal_link, model->bonds.count + 1);
    maker.chain.items = HBG_NEW_ARRAY(arena, int32_t, model->bonds.count + 1);
    structure->bond_link = HBG_NEW_ARRAY(arena, int32_t, model->bonds.count + 1);
    structure->bond_entry = HBG_NEW_ARRAY(arena, int32_t, model->bonds.count + 1);
    for (int32_t i = 0; i < model->bonds.count; i++) structure->bond_link[i] = HBG_NONE;
    for (int32_t i = 0; i < model->bonds.count; i++) {
        const hbg_bond *bond = &model->bonds.items[i];
        if (structure->bond_link[i] != HBG_NONE) continue;
        if (!is_two_port(&model->elements.items[bond->from.element]))
            make_link(&maker, bond->from.element, i, true);
        else if (!is_two_port(&model->elements.items[bond->to.element]))
            make_link(&maker, bond->to.element, i, false);
    }
    structure->links = maker.links.items;
    structure->link_count = maker.links.count;
    structure->chain = maker.chain.items;
}

static void make_incidence(hbg_arena *arena, hbg_causal_structure *structure) {
    int32_t *start = structure->place_start = HBG_NEW_ARRAY(arena, int32_t, structure->place_count + 2);
    structure->place_links = HBG_NEW_ARRAY(arena, int32_t, 2 * structure->link_count + 1);
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        int32_t place = causal_place(structure, slot);
        if (place != HBG_NONE) start[place + 2]++;
    }
    for (int32_t i = 2; i <= structure->place_count + 1; i++) start[i] += start[i - 1];
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++) {
        int32_t place = causal_place(structure, slot);
        if (place != HBG_NONE) structure->place_links[start[place + 1]++] = slot;
    }
}

/* A link between two places determines both or none, or else exactly one of them; the latter take part in
 * searches like a place. */
static void make_vertices(hbg_arena *arena, hbg_causal_structure *structure) {
    structure->link_vertex = HBG_NEW_ARRAY(arena, int32_t, structure->link_count + 1);
    structure->vertex_count = structure->place_count;
    for (int32_t link = 0; link < structure->link_count; link++) {
        const hbg_causal_end *end = structure->links[link].end;
        bool own = end[0].place != HBG_NONE && end[1].place != HBG_NONE &&
                   causal_partner(structure, 2 * link, 1) == 0;
        structure->link_vertex[link] = own ? structure->vertex_count++ : HBG_NONE;
    }
    structure->vertex_link = HBG_NEW_ARRAY(arena, int32_t, structure->vertex_count + 1);
    for (int32_t link = 0; link < structure->link_count; link++)
        if (structure->link_vertex[link] != HBG_NONE)
            structure->vertex_link[structure->link_vertex[link]] = link;
}

hbg_causal_structure *hbg_causal_structure_new(hbg_arena *arena, const hbg_model *model,
                                               const hbg_causal_options *options) {
    HBG_ASSERT(model->frozen);
    hbg_causal_structure *structure = HBG_NEW(arena, hbg_causal_structure);
    structure->model = model;
    structure->options = options ? *options : hbg_causal_options_default();
    make_places(arena, structure);
    make_links(arena, structure);
    hbg_causal_make_gates(arena, structure);
    make_incidence(arena, structure);
    make_vertices(arena, structure);
    hbg_causal_find_transmission(arena, structure);
    hbg_causal_find_rings(arena, structure);
    hbg_causal_find_worth(arena, structure);
    hbg_causal_find_fixed(arena, structure);
    hbg_causal_find_regions(arena, structure);
    hbg_causal_find_never(arena, structure);
    return structure;
}

/* ---- modes -------------------------------------------------------------------------------------------- */

#define FEW_EXPRESSIONS                                                                                      \
    4096 /* so many are evaluated on the stack; more get a block that is released at once */

void hbg_causal_mode(hbg_arena *arena, const hbg_causal_structure *structure, const int32_t *states,
                     bool *on) {
    const hbg_model *model = structure->model;
    bool few[FEW_EXPRESSIONS], *value = few;
    size_t size = (size_t)model->exprs.count * sizeof *value;
    if (size > sizeof few) value = HBG_NEW_ARRAY(arena, bool, model->exprs.count);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        switch (node->op) {
        case HBG_OP_TRUE: value[i] = true; break;
        case HBG_OP_ACTIVE: value[i] = states[node->a] == node->b; break;
        case HBG_OP_AUTOMATON:
            value[i] = model->states.items[model->automata.items[node->a].first_state + states[node->a]].on;
            break;
        case HBG_OP_NOT: value[i] = !value[node->a]; break;
        case HBG_OP_AND: value[i] = value[node->a] && value[node->b]; break;
        case HBG_OP_OR: value[i] = value[node->a] || value[node->b]; break;
        default: value[i] = false; break; // not part of a condition on automata
        }
    }
    for (int32_t place = 0; place < structure->place_count; place++) {
        hbg_expr control = model->elements.items[structure->place_element[place]].control;
        on[place] = control == HBG_NONE || value[control];
    }
    if (value != few) hbg_base_arena_release(arena, value, size);
}

static bool holds(const hbg_model *model, hbg_expr expr, const int32_t *states) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    switch (node->op) {
    case HBG_OP_TRUE: return true;
    case HBG_OP_ACTIVE: return states[node->a] == node->b;
    case HBG_OP_AUTOMATON:
        return model->states.items[model->automata.items[node->a].first_state + states[node->a]].on;
    case HBG_OP_NOT: return !holds(model, node->a, states);
    case HBG_OP_AND: return holds(model, node->a, states) && holds(model, node->b, states);
    case HBG_OP_OR: return holds(model, node->a, states) || holds(model, node->b, states);
    default: return false; // not part of a condition on automata
    }
}

bool hbg_causal_place_mode(const hbg_causal_structure *structure, int32_t place, const int32_t *states) {
    hbg_expr control = structure->model->elements.items[structure->place_element[place]].control;
    return control == HBG_NONE || holds(structure->model, control, states);
}
