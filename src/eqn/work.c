/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Working memory of compiling: arrays over all variables of the model that are made once and left clear by
 * each user, so that compiling a part costs as much as the part. */
#include <string.h>

#include "eqn/eqn_impl.h"

void hbg_eqn_clear(hbg_eqn *eqn) {
    hbg_memory *memory = eqn->scratch.memory;
    hbg_base_arena_fini(&eqn->scratch);
    hbg_base_arena_init(&eqn->scratch, memory);
}

static void forget(hbg_eqn *eqn) {
    hbg_memory *memory = eqn->scratch.memory;
    hbg_base_arena_fini(&eqn->work.arena);
    memset(&eqn->work, 0, sizeof eqn->work);
    hbg_base_arena_init(&eqn->work.arena, memory);
}

static void make(hbg_eqn *eqn) {
    size_t count = (size_t)eqn->base_count * LAYER_COUNT;
    working_memory *work = &eqn->work;
    forget(eqn); // a caller that ran out of memory did not clear it
    hbg_arena *arena = &work->arena;
    work->number = HBG_NEW_ARRAY(arena, int32_t, count);
    work->local = HBG_NEW_ARRAY(arena, int32_t, count);
    work->may_pulse = HBG_NEW_ARRAY(arena, bool, eqn->base_count + 1);
}

equation *hbg_eqn_work_equations(hbg_eqn *eqn, purpose purpose) {
    size_t count = (size_t)eqn->base_count * LAYER_COUNT;
    equation **own = &eqn->work.equations[purpose];
    if (!*own) *own = HBG_NEW_ARRAY(&eqn->work.arena, equation, count);
    return *own;
}

void hbg_eqn_begin_work(hbg_eqn *eqn) {
    if (!eqn->work.number || eqn->work.busy) make(eqn);
    eqn->work.busy = true;
}

/* A model that does not switch is compiled once. */
void hbg_eqn_end_work(hbg_eqn *eqn) {
    eqn->work.busy = false;
    if (!eqn->has_events) forget(eqn);
    hbg_eqn_clear(eqn);
}
