/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of registers. Code that runs while time advances is compiled once for a model, however its
 * parameters change: so its register numbers must not depend on the number of parameters, which is larger in
 * a run with faults. Its numbers, and those of parameters, of values computed from them and of the start, are
 * taken from alternating ranges, each twice as long as the one before of its kind; neither kind shifts the
 * other. Code that reads a parameter or a number reads a copy of its own, in the order of reading. */
#include "code/code_impl.h"

int32_t hbg_code_new_register(hbg_code *code, register_side side) {
    int32_t reg = hbg_rt_register(side == SIDE_FLOW, code->registers.count[side]++);
    if (code->image.code.mark.registers <= reg) code->image.code.mark.registers = reg + 1;
    return reg;
}

/* ---- what is known from outside ------------------------------------------------------------------------ */

int32_t hbg_code_home(hbg_code *code, int32_t variable) {
    if (code->registers.home[variable] == HBG_NONE) {
        variable_kind kind = hbg_eqn_kind_of(code->eqn, variable);
        bool param = kind == VARIABLE_PARAM || kind == VARIABLE_START;
        code->registers.home[variable] = hbg_code_new_register(code, param ? SIDE_PARAM : SIDE_FLOW);
    }
    return code->registers.home[variable];
}

void hbg_code_make_homes(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    for (int kind = VARIABLE_SIGNAL; kind < VARIABLE_KIND_COUNT; kind++)
        if (kind != VARIABLE_PARASITE && kind != VARIABLE_CONFLICT)
            for (int32_t v = eqn->first[kind]; v < eqn->first[kind + 1]; v++) hbg_code_home(code, v);
    for (int32_t i = 0; i < eqn->in.list.count; i++)
        hbg_code_home(code, eqn->first[VARIABLE_IN] + i + LAYER_AREA * eqn->base_count);
    for (int32_t i = 0; i < eqn->model->params.count && eqn->may_move; i++)
        hbg_code_home(code, eqn->first[VARIABLE_PARAM] + i + eqn->terms.to_rate);
}

/* ---- numbers, and copies of parameters ----------------------------------------------------------------- */

static int32_t *item(hbg_eqn *eqn, int32_map *map, int32_t index) {
    while (map->count <= index) HBG_PUSH(eqn->arena, *map, HBG_NONE);
    return &map->items[index];
}

int32_t hbg_code_number_register(hbg_code *code, register_side side, int32_t number_of_terms) {
    hbg_eqn *eqn = code->eqn;
    int32_t *reg = item(eqn, &code->registers.number[side], number_of_terms);
    if (*reg == HBG_NONE) {
        *reg = hbg_code_new_register(code, side);
        double value = hbg_base_decimal_to_double(eqn->terms.numbers.items[number_of_terms]);
        HBG_POOL_ADD(code->arena, code->image.pool.constants,
                     ((hbg_rt_constant){.value = value, .reg = *reg}));
    }
    return *reg;
}

int32_t hbg_code_copy_register(hbg_code *code, hbg_term term, int32_t from) {
    int32_t *reg = item(code->eqn, &code->registers.copy, term);
    if (*reg == HBG_NONE) {
        *reg = hbg_code_new_register(code, SIDE_FLOW);
        instruction copy = {CODE_COPY, HBG_NONE, *reg, {from, HBG_NONE, HBG_NONE}};
        HBG_POOL_ADD(code->arena, code->image.pool.prologue, copy);
    }
    return *reg;
}
