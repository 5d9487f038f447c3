/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The code of the unbounded parts of an island in a local mode (semantics, section 3a): those of values that
 * guards read, with the first two time derivatives, and those of everything in conflict, which show whether a
 * mode is shorted, and which a verdict names. */
#include "code/code_impl.h"

static void add_registers(hbg_code_stage *stage, hbg_arena *arena, const limit_part *part, int32_map *into) {
    for (int k = 0; k < LIMIT_ORDERS; k++) {
        bool none = part->order[k] == HBG_NONE;
        int32_t reg = part->usual ? HBG_RT_USUAL
                      : none      ? HBG_NONE
                                  : hbg_code_stage_term(stage, part->order[k]);
        HBG_PUSH(arena, *into, reg);
    }
}

void hbg_code_limit(hbg_code *code, const island *of, int32_map *temps, equations *all, hbg_rt_event *made) {
    hbg_arena *scratch = &code->eqn->scratch;
    int32_map far = {0}, conflicts = {0};
    limit_parts parts;
    sorted_equations sorted;
    made->limit = HBG_NONE;
    made->far = made->conflicts = (hbg_rt_range){0, 0};
    if (!hbg_eqn_limit_parts(of, &of->facts.places, all, &parts, &sorted)) return;
    hbg_code_stage *stage = hbg_code_stage_new(scratch, code, temps, false);
    hbg_code_stage_add(stage, all, &sorted);
    for (int32_t i = 0; i < parts.asked.count; i++)
        add_registers(stage, scratch, &parts.asked.items[i], &far);
    for (int32_t i = 0; i < parts.conflicts.count; i++) {
        HBG_PUSH(scratch, conflicts, parts.conflicts.items[i].of);
        HBG_PUSH(scratch, conflicts, parts.conflicts.items[i].effort);
        add_registers(stage, scratch, &parts.conflicts.items[i], &conflicts);
    }
    made->limit = hbg_code_stage_program(stage);
    made->far = (hbg_rt_range){hbg_code_add_ints(code, far.items, far.count), far.count};
    made->conflicts =
        (hbg_rt_range){hbg_code_add_ints(code, conflicts.items, conflicts.count), conflicts.count};
    hbg_code_stage_end(stage);
}
