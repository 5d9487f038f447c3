/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Branches that parameters alone decide, as in max(a, b): all of them are known in advance. They are located
 * while a parameter follows a line across them (eqn/rate.c), like branches that the system decides. */
#include "code/code_impl.h"

void hbg_code_locate_params(hbg_code *code) {
    if (code->param_branches.count == 0) return;
    hbg_code_begin_work(code);
    hbg_code_stage *stage =
        hbg_code_stage_new(&code->eqn->scratch, code, &code->registers.start_temps, false);
    stage->side = SIDE_PARAM;
    for (int32_t i = 0; i < code->param_branches.count; i++)
        hbg_code_stage_number_branch(stage, code->param_branches.items[i]);
    code->image.code.located_params = code->image.pool.located.count;
    for (int32_t i = 0; i < code->param_branches.count; i++)
        (void)hbg_code_stage_term(stage, code->param_branches.items[i]);
    hbg_code_stage_end(stage);
    hbg_code_end_work(code);
}
