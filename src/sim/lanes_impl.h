/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs that one thread makes side by side (lanes.c). */
#ifndef HBG_SIM_LANES_IMPL_H
#define HBG_SIM_LANES_IMPL_H

#include "rt/native.h"
#include "sim/sim_impl.h"

typedef struct hbg_sim_gang hbg_sim_gang;

/* For `count` lanes, whose runs all have the compiled code of this table. Either the code takes several at
 * once, or there is a device; it may be NULL. */
hbg_sim_gang *hbg_sim_gang_new(hbg_arena *arena, const hbg_rt_native_table *table, hbg_sim_device *device,
                               int32_t count);
hbg_sim_lane *hbg_sim_gang_lane(hbg_sim_gang *gang, int32_t number);
/* Calls `work` for each lane with its context, as if each had a thread; returns when all have returned.
 * `rest` is called when all wait. False: there was no memory for stacks, and nothing was done. */
bool hbg_sim_gang_run(hbg_sim_gang *gang, void (*work)(void *context), void *const *contexts,
                      void (*rest)(void *context), void *context);
void hbg_sim_gang_end(hbg_sim_gang *gang); /* gives back its part of a device */
/* In `work`: lets the others proceed before it checks its condition again. */
void hbg_sim_lane_wait(hbg_sim_lane *lane);

/* device.c: room for `count` lanes, or as many as fit into memory; NULL: for none, and the device has the
 * reason. One thread uses it. */
typedef struct hbg_sim_bank hbg_sim_bank;
hbg_sim_bank *hbg_sim_bank_new(hbg_arena *arena, hbg_sim_device *device, int32_t lanes);
void hbg_sim_bank_free(hbg_sim_bank *bank); /* may be NULL */
int32_t hbg_sim_bank_lanes(const hbg_sim_bank *bank);
/* In order: whether a run fits the bank; puts one that fits into this lane, for so many steps without rows; a
 * launch, which makes some of them in the first lanes (false: it failed, and the contents of the lanes are
 * lost); whether a lane has no more steps to make there; gets the results of a lane with their number and
 * whether the next step has to be made elsewhere, and frees the lane. */
bool hbg_sim_bank_fits(hbg_sim_bank *bank, const double *r, const hbg_rt_native_stride *asked);
void hbg_sim_bank_put(hbg_sim_bank *bank, int32_t lane, const double *r, const hbg_rt_native_stride *asked,
                      int64_t steps);
bool hbg_sim_bank_take(hbg_sim_bank *bank, int32_t count);
bool hbg_sim_bank_rests(const hbg_sim_bank *bank, int32_t lane);
int64_t hbg_sim_bank_get(hbg_sim_bank *bank, int32_t lane, hbg_rt_native_stride *asked, bool *odd);
void hbg_sim_bank_made(hbg_sim_bank *bank, int64_t steps);

#endif
