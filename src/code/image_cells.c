/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables that instants read, as arrays; each gets a dense number. */
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

/* Values given from outside have their homes before anything is built; no other variable is read in its
 * home. */
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

void hbg_code_image_make_cells(image_maker *maker) {
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

/* Areas that are not requested are 0. */
void hbg_code_image_find_areas(image_maker *maker) {
    int32_t base = maker->code->eqn->base_count;
    for (int32_t i = 0; i < maker->cells.count; i++) {
        hbg_rt_cell *cell = &maker->cells.items[i];
        if (cell->view == HBG_RT_VIEW_VALUE) cell->area = maker->cell_of[cell->name + LAYER_AREA * base];
    }
}
