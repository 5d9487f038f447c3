/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which storages a variable names: a state names its own; the effort of a C and the common effort of its
 * 0-junction name the C; the flow of an I and the common flow of its 1-junction name the I. A guard that
 * reads one of these after a jump, in a mode that turns out to be mythical, read something that never existed
 * (000, section 3.3.4). */
#include "eqn/eqn_impl.h"

typedef struct {
    hbg_eqn *eqn;
    int32_t variable;
    int32_t *count;  /* first pass: by variable */
    int32_t *filled; /* second pass */
} naming;

static void name_state(naming *of, int32_t state) {
    if (of->filled)
        of->eqn->named.states[of->filled[of->variable]++] = state;
    else
        of->count[of->variable]++;
}

/* Names the storages of a kind at an element: itself, or all at a junction of the matching type. */
static void name_at(naming *of, int32_t element, hbg_element_kind storage) {
    const hbg_eqn *eqn = of->eqn;
    const hbg_model *model = eqn->model;
    hbg_element_kind junction = storage == HBG_KIND_C ? HBG_KIND_ZERO : HBG_KIND_ONE;
    if (model->elements.items[element].kind == storage) {
        for (int32_t k = 0; k < model->elements.items[element].ports; k++)
            if (hbg_eqn_bond_of(model, element, k + 1) ==
                of->variable - eqn->first[storage == HBG_KIND_C ? VARIABLE_EFFORT : VARIABLE_FLOW])
                name_state(of, eqn->element_state[element] + k);
        return;
    }
    if (model->elements.items[element].kind != junction) return;
    for (int32_t i = model->incidence_start[element]; i < model->incidence_start[element + 1]; i++) {
        const hbg_bond *bond = &model->bonds.items[model->incidence[i]];
        const hbg_bond_end *end = bond->from.element == element ? &bond->to : &bond->from;
        if (model->elements.items[end->element].kind == storage)
            name_state(of, eqn->element_state[end->element] + (end->port > 0 ? end->port - 1 : 0));
    }
}

static void name_all(naming *of) {
    hbg_eqn *eqn = of->eqn;
    for (int32_t i = 0; i < eqn->model->bonds.count; i++) {
        const hbg_bond *bond = &eqn->model->bonds.items[i];
        of->variable = eqn->first[VARIABLE_EFFORT] + i;
        name_at(of, bond->from.element, HBG_KIND_C);
        name_at(of, bond->to.element, HBG_KIND_C);
        of->variable = eqn->first[VARIABLE_FLOW] + i;
        name_at(of, bond->from.element, HBG_KIND_I);
        name_at(of, bond->to.element, HBG_KIND_I);
    }
    for (int32_t i = 0; i < eqn->state_count; i++) {
        of->variable = eqn->first[VARIABLE_STATE] + i;
        if (eqn->states[i].element != HBG_NONE) name_state(of, i);
    }
}

void hbg_eqn_find_named(hbg_eqn *eqn) {
    naming of = {.eqn = eqn, .count = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->base_count + 1)};
    name_all(&of);
    eqn->named.start = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->base_count + 1);
    for (int32_t i = 0; i < eqn->base_count; i++) eqn->named.start[i + 1] = eqn->named.start[i] + of.count[i];
    eqn->named.states = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->named.start[eqn->base_count] + 1);
    of.filled = of.count;
    for (int32_t i = 0; i < eqn->base_count; i++) of.filled[i] = eqn->named.start[i];
    name_all(&of);
}
