/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Working memory of compiling: spare stages, whose maps are as long as there are variables and terms and are
 * left clear, so that compiling a part costs as much as the part. */
#include <string.h>

#include "code/code_impl.h"

static void forget(hbg_code *code) {
    hbg_memory *memory = code->work.arena.memory;
    hbg_base_arena_fini(&code->work.arena);
    memset(&code->work, 0, sizeof code->work);
    hbg_base_arena_init(&code->work.arena, memory);
}

void hbg_code_begin_work(hbg_code *code) {
    hbg_eqn_begin_work(code->eqn);
    if (code->work.busy) forget(code); // a caller that ran out of memory did not clear it
    code->work.busy = true;
}

/* A model that does not switch is compiled once. */
void hbg_code_end_work(hbg_code *code) {
    code->work.busy = false;
    if (!code->eqn->has_events) forget(code);
    hbg_eqn_end_work(code->eqn);
}
