/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What stands around the engine of a run, for the files run*.c: the memory and the integrators lent to it, and the rows that are made of
 * what it shows. */
#ifndef HBG_SIM_RUN_IMPL_H
#define HBG_SIM_RUN_IMPL_H

#include "sim/sim_impl.h"

/* ---- what is lent ------------------------------------------------------------------------------------- */

/* What the engine of a run is made with, beside its observer. */
typedef struct {
    hbg_arena *arena;
    const hbg_sim_options *options;
    hbg_sim_solver solver; /* of the integrator made last */
} hbg_sim_maker;

/* As hbg_rt_setup.make; the context is a maker. */
hbg_rt_status hbg_sim_make(void *context, hbg_rt_engine *engine, hbg_rt_wish wish, hbg_rt_integrator **made);
/* What is wrong with the options, or NULL. */
const char *hbg_sim_options_fault(const hbg_rt_description *system, const hbg_sim_options *options);
/* Arrays of the result, one entry for each thing of the system. */
void hbg_sim_result_init(hbg_arena *arena, const hbg_rt_description *system, hbg_sim_result *result);
/* As the options and the maker want it, without an observer. */
hbg_rt_setup hbg_sim_setup(hbg_sim_maker *maker);
/* Ends a run that came to an end with this status, and says why where it failed. */
hbg_rt_status hbg_sim_finish(hbg_rt_engine *engine, hbg_rt_status status);

/* ---- rows --------------------------------------------------------------------------------------------- */

typedef struct hbg_sim_commits hbg_sim_commits;
typedef struct hbg_sim_declared hbg_sim_declared;

typedef struct {
    hbg_rt_engine *engine; /* whose rows they are */
    const hbg_sim_options *options;
    double *y, *y_after, *y_size;
    hbg_sim_declared *energies; /* by state, to find them by name */
    bool has_declared;          /* y is the row before the first jump */
    bool written;               /* the row before an instant is */
    double row_at;              /* when the last one was written at the end of a step */
    hbg_rt_grid looks;          /* between rows */
    double look_next;           /* number of the next */
    hbg_sim_commits *commits;   /* NULL: no rows wanted, or no events */
    hbg_rt_extent extent;       /* of the summary, for strides */
    int64_t progress_at;        /* ns, when it was last called */
    int64_t asked;              /* how often it was asked whether to go on */
} hbg_sim_rows;

/* Of a system of this size. */
void hbg_sim_rows_init(hbg_arena *arena, const hbg_rt_description *system, const hbg_sim_options *options,
                       hbg_sim_rows *rows);
/* All that rows need to be shown of a run. The context is the rows. */
hbg_rt_observer hbg_sim_rows_observer(hbg_sim_rows *rows);
/* Of it: modes that become real, and the first row. */
void hbg_sim_rows_watch_modes(hbg_sim_rows *rows, hbg_rt_observer *observer);
/* Asks every 50 ms or so whether to go on. */
bool hbg_sim_goes_on(hbg_sim_rows *rows);

hbg_sim_declared *hbg_sim_declared_new(hbg_arena *arena, const hbg_rt_description *system);
/* The middle of the last step, for who wants to know about steps; `end` is where it was cut. */
hbg_rt_status hbg_sim_record_middle(hbg_sim_rows *rows, double end);
/* What the end of a step that was done in a stride tells those who want to know of every step. */
hbg_rt_status hbg_sim_record_told(hbg_sim_rows *rows);
/* Rows at the recorded instants of the last step before the time given. */
hbg_rt_status hbg_sim_record_inside(hbg_sim_rows *rows, double end);
/* A row at the present time if it is a recorded one. `written` tells whether, and the outputs are in y. */
hbg_rt_status hbg_sim_record_end(hbg_sim_rows *rows);
/* Rows around an instant: that before (in y) if it is not `written`, one for each mode that became real, and where there is
 * none that after if it differs. Where rows have a pace of their own, only if something jumped or a mode did not last. */
hbg_rt_status hbg_sim_record_instant(hbg_sim_rows *rows);
/* The row before the first jump: energies as declared (they are in result->state), all else as it is at the state given. It is
 * kept in y; the start writes it, and makes it where it has not been made yet. */
void hbg_sim_record_declared(hbg_sim_rows *rows, const double *x_plus);
hbg_rt_status hbg_sim_record_start(hbg_sim_rows *rows);
/* Whether an output that has been so large is another one and not only rounded otherwise. */
bool hbg_sim_has_jumped(double before, double after, double size);
/* Also looked at; `for_an_instant`: a mode that did not last. */
hbg_rt_status hbg_sim_record_row(hbg_sim_rows *rows, double t, const double *y, bool for_an_instant);

/* ---- modes that became real --------------------------------------------------------------------------- */

/* What the search tells on its way. */
void hbg_sim_commits_visit(hbg_sim_rows *rows, const hbg_rt_visit *visit);
/* Outputs of all modes committed at this instant but the last, before branches are frozen again. */
hbg_rt_status hbg_sim_commits_look(hbg_sim_rows *rows);
int32_t hbg_sim_commits_count(const hbg_sim_rows *rows);
/* Their rows. */
hbg_rt_status hbg_sim_commits_record(hbg_sim_rows *rows);
void hbg_sim_commits_forget(hbg_sim_rows *rows);
/* Room for those of a system of this size. */
hbg_sim_commits *hbg_sim_commits_new(hbg_arena *arena, const hbg_rt_description *system);
/* Outputs of one that did not last, or NULL; and those of one that is not made by a search, NaN at first. NULL: no room. One that is
 * dropped has no row. */
const double *hbg_sim_commits_outputs(const hbg_sim_commits *commits, int32_t commit);
double *hbg_sim_commits_add(hbg_sim_commits *commits, int32_t commit, int32_t outputs);
void hbg_sim_commits_drop(hbg_sim_commits *commits, int32_t commit);

#endif
