/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs that one thread makes side by side (lanes.c). */
#ifndef HBG_SIM_LANES_IMPL_H
#define HBG_SIM_LANES_IMPL_H

#include "rt/native.h"
#include "sim/sim_impl.h"

typedef struct hbg_sim_gang hbg_sim_gang;

/* For so many lanes, whose runs all have the compiled code of this table; it takes several at once, or there is a device, which may be
 * NULL. */
hbg_sim_gang *hbg_sim_gang_new(hbg_arena *arena, const hbg_rt_native_table *table, hbg_sim_device *device,
                               int32_t count);
hbg_sim_lane *hbg_sim_gang_lane(hbg_sim_gang *gang, int32_t number);
/* Calls `work` for each lane with its context, as if each had a thread; returns when all have returned. `rest` is called where all wait.
 * False: there are no stacks, and nothing was done. */
bool hbg_sim_gang_run(hbg_sim_gang *gang, void (*work)(void *context), void *const *contexts,
                      void (*rest)(void *context), void *context);
void hbg_sim_gang_end(hbg_sim_gang *gang); /* gives back what it has of a device */
/* In `work`: lets the others go on before it looks again at what it waits for. */
void hbg_sim_lane_wait(hbg_sim_lane *lane);

/* device.c: room for so many lanes, or as many as there is memory for; NULL: for none, and the device knows why. One thread uses it. */
typedef struct hbg_sim_bank hbg_sim_bank;
hbg_sim_bank *hbg_sim_bank_new(hbg_arena *arena, hbg_sim_device *device, int32_t lanes);
void hbg_sim_bank_free(hbg_sim_bank *bank); /* may be NULL */
int32_t hbg_sim_bank_lanes(const hbg_sim_bank *bank);
/* Whether a run can go there; one that can, in this lane, for so many steps without rows. A launch makes some of them in the first lanes; false:
 * it failed, and what is in them is worth nothing. Whether a lane has no more to do there; what has come of it, how many steps that
 * were, and whether the next one has to be made elsewhere: it is free then. */
bool hbg_sim_bank_fits(hbg_sim_bank *bank, const double *r, const hbg_rt_native_stride *asked);
void hbg_sim_bank_put(hbg_sim_bank *bank, int32_t lane, const double *r, const hbg_rt_native_stride *asked,
                      int64_t steps);
bool hbg_sim_bank_take(hbg_sim_bank *bank, int32_t count);
bool hbg_sim_bank_rests(const hbg_sim_bank *bank, int32_t lane);
int64_t hbg_sim_bank_get(hbg_sim_bank *bank, int32_t lane, hbg_rt_native_stride *asked, bool *odd);
void hbg_sim_bank_made(hbg_sim_bank *bank, int64_t steps);

#endif
