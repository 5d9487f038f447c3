/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs that one thread makes side by side (lanes.c). */
#ifndef HBG_SIM_LANES_IMPL_H
#define HBG_SIM_LANES_IMPL_H

#include "rt/native.h"
#include "sim/sim_impl.h"

typedef struct hbg_sim_gang hbg_sim_gang;

enum { HBG_SIM_MOST_LANES = 8 };

/* For so many lanes, whose runs all have the compiled code of this table; it takes several at once. */
hbg_sim_gang *hbg_sim_gang_new(hbg_arena *arena, const hbg_rt_native_table *table, int32_t count);
hbg_sim_lane *hbg_sim_gang_lane(hbg_sim_gang *gang, int32_t number);
/* Calls `work` for each lane with its context, as if each had a thread; returns when all have returned. `rest` is called where all wait.
 * False: there are no stacks, and nothing was done. */
bool hbg_sim_gang_run(hbg_sim_gang *gang, void (*work)(void *context), void *const *contexts,
                      void (*rest)(void *context), void *context);
/* In `work`: lets the others go on before it looks again at what it waits for. */
void hbg_sim_lane_wait(hbg_sim_lane *lane);

#endif
