/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loops at a trial point. Newton begins where it ended last, so the last bits of its result depend on where
 * it has been. A caller that computes rates or outputs has to get the same values for the same point,
 * whatever was computed before: so the starting point of a search is restored to that of the last accepted
 * point. */
#include "rt/run_impl.h"

void hbg_rt_trial_begin(hbg_rt_instance *run) {
    run->loops.trial++;
    run->loops.tries = true;
    run->loops.tried_count = 0;
}

void hbg_rt_trial_note(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    run_loops *loops = &run->loops;
    if (!loops->tries) return;
    for (int32_t i = 0; i < of->count; i++) {
        int32_t reg = of->reg[i];
        if (loops->noted[reg] == loops->trial) continue;
        loops->noted[reg] = loops->trial;
        loops->tried[loops->tried_count++] = reg;
        loops->begun[reg] = run->r[reg];
        loops->reached[reg] = loops->reach[reg];
    }
}

void hbg_rt_trial_end(hbg_rt_instance *run) {
    run_loops *loops = &run->loops;
    for (int32_t i = 0; i < loops->tried_count; i++) {
        int32_t reg = loops->tried[i];
        run->r[reg] = loops->begun[reg];
        loops->reach[reg] = loops->reached[reg];
    }
    loops->tries = false;
}
