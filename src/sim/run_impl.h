/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The surroundings of a run's engine, for the files run*.c: the memory and the integrators lent to it, and
 * the caller's progress function. */
#ifndef HBG_SIM_RUN_IMPL_H
#define HBG_SIM_RUN_IMPL_H

#include "sim/sim_impl.h"

/* ---- lent memory and integrators ---------------------------------------------------------------------- */

/* What the engine of a run is made from, apart from its observer. */
typedef struct {
    hbg_arena *arena;
    const hbg_sim_options *options;
    hbg_sim_solver solver; /* of the integrator made last */
} hbg_sim_maker;

/* As hbg_rt_setup.make; the context is a maker. */
hbg_rt_status hbg_sim_make(void *context, hbg_rt_engine *engine, hbg_rt_wish wish, hbg_rt_integrator **made);
/* The error in the options, or NULL. */
const char *hbg_sim_options_fault(const hbg_rt_description *system, const hbg_sim_options *options);
/* Arrays of the result, one entry for each variable, automaton and so on of the system. */
void hbg_sim_result_init(hbg_arena *arena, const hbg_rt_description *system, hbg_sim_result *result);
/* As the options and the maker determine it, without an observer. */
hbg_rt_setup hbg_sim_setup(hbg_sim_maker *maker);
/* Ends a run that came to an end with this status, and says why if it failed. */
hbg_rt_status hbg_sim_finish(hbg_rt_engine *engine, hbg_rt_status status);

/* ---- rows --------------------------------------------------------------------------------------------- */

/* Whether a run goes on: the progress function is asked about every 50 ms. */
typedef struct {
    const hbg_sim_options *options;
    const hbg_rt_engine *engine;
    int64_t at;    /* ns, when it was last asked */
    int64_t asked; /* how often */
} hbg_sim_progress;
bool hbg_sim_goes_on(hbg_sim_progress *progress);

/* Memory of rows comes from the arena, which jumps if it is exhausted. */
void hbg_sim_rows_init(hbg_arena *arena, const hbg_rt_description *system, const hbg_sim_options *options,
                       hbg_rt_rows *rows);
hbg_rt_commits *hbg_sim_commits_new(hbg_arena *arena, const hbg_rt_description *system);

#endif
