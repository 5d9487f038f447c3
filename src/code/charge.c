/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The energy of a storage whose law is not a polynomial: the law as code for the integral (rt/charge.c).
 * Polynomials are integrated exactly as terms (translate.c). */
#include "code/code_impl.h"

/* Makes the law in a stage of its own, in which the state is a register that the integral varies. */
int32_t hbg_code_charge_law(hbg_code *code, int32_t number) {
    hbg_eqn *eqn = code->eqn;
    int32_t count = eqn->model->elements.count;
    if (!code->charge_of) {
        code->charge_of = HBG_NEW_ARRAY(code->arena, int32_t, 2 * (size_t)count + 1);
        for (int32_t i = 0; i < 2 * count; i++) code->charge_of[i] = HBG_NONE;
    }
    if (code->charge_of[number] == HBG_NONE) {
        int32_t state = eqn->first[VARIABLE_STATE] + eqn->element_state[number % count];
        hbg_rt_charge made = {.state_reg = hbg_code_new_register(code, SIDE_FLOW),
                              .is_slope = number >= count};
        int32_map own = {0};
        hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, code, &own, false);
        stage->direct = true;
        hbg_code_stage_set(stage, state, made.state_reg);
        made.law_reg = hbg_code_stage_term(stage, hbg_eqn_charged(eqn, number));
        made.code = hbg_code_stage_program(stage);
        hbg_code_stage_end(stage);
        code->charge_of[number] = code->image.pool.charges.count;
        HBG_POOL_ADD(code->arena, code->image.pool.charges, made);
    }
    return code->charge_of[number];
}
