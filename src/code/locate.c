/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Branches that parameters alone decide, as max(a, b) has: it is known beforehand which there are. They are located while a line
 * leads over them (eqn/rate.c), as branches of what the system decides are. */
#include "eqn/eqn_impl.h"

void hbg_code_locate_params(hbg_eqn *eqn) {
    if (eqn->param_branches.count == 0) return;
    hbg_eqn_begin_work(eqn);
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, eqn, &eqn->start_temps, false);
    stage->side = SIDE_PARAM;
    for (int32_t i = 0; i < eqn->param_branches.count; i++)
        hbg_code_stage_number_branch(stage, eqn->param_branches.items[i]);
    eqn->image.code.located_params = eqn->image.pool.located.count;
    for (int32_t i = 0; i < eqn->param_branches.count; i++)
        (void)hbg_code_stage_term(stage, eqn->param_branches.items[i]);
    hbg_code_stage_end(stage);
    hbg_eqn_end_work(eqn);
}
