/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Registers of the intervals at which waves of time repeat (eqn/wave.c). */
#include "code/code_impl.h"

void hbg_code_find_waves(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_map waves = {0};
    hbg_code_begin_work(code);
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, code, &code->registers.start_temps, false);
    stage->side = SIDE_PARAM;
    int32_t count = eqn->terms.nodes.count;
    const bool *is_read = hbg_eqn_read_but_by_guards(eqn, count);
    for (int32_t i = 0; i < count; i++) {
        hbg_term wave = is_read[i] ? hbg_eqn_wave(eqn, i) : HBG_NONE;
        if (wave == HBG_NONE) continue;
        int32_t reg = hbg_code_stage_term(stage, wave);
        HBG_PUSH(&eqn->scratch, waves, reg);
    }
    code->image.code.waves = (hbg_rt_range){hbg_code_add_ints(code, waves.items, waves.count), waves.count};
    hbg_code_stage_end(stage);
    hbg_code_end_work(code);
}
