/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs a system over time: the engine of rt, with integrators and solvers of other libraries around it; and
 * the files for results. Knows systems (rt/rt.h) and nothing of models. */
#ifndef HBG_SIM_H
#define HBG_SIM_H

#include <stdatomic.h>

#include "base/base.h"
#include "rt/engine.h"
#include "rt/native.h"
#include "rt/rows.h"

/* ---- runs --------------------------------------------------------------------------------------------- */

typedef enum {
    HBG_SIM_AUTO,
    HBG_SIM_BDF,
    HBG_SIM_ADAMS,
    HBG_SIM_ERK,
    HBG_SIM_EULER,
    HBG_SIM_HEUN,
    HBG_SIM_ODE3,
    HBG_SIM_RK4,
    HBG_SIM_TRAPEZOIDAL
} hbg_sim_solver;

/* Actions on a run, and the report of an instant: see rt/engine.h. */
typedef hbg_rt_action hbg_sim_action;
typedef hbg_rt_override hbg_sim_override;
typedef hbg_rt_override_kind hbg_sim_override_kind;
typedef hbg_rt_story_visit hbg_sim_visit;
typedef hbg_rt_story hbg_sim_event;

/* loss.c: a loss of energy in a jump below this, in J, is rounding; 0: not known. Energies by storage: before
 * the jump, after it, and with the states as large as they have been. */
double hbg_sim_loss_rounding(int32_t count, const double *before, const double *after, const double *largest);

/* The summary of a run whose rows are not kept (rt/rows.h), for `count` outputs. */
void hbg_sim_summary_init(hbg_arena *arena, hbg_rt_summary *summary, int32_t count);

typedef struct {
    hbg_sim_solver solver;
    double stop;                   /* s */
    double step;                   /* s, of fixed-step methods; largest step of the others; 0: its own */
    HBG_RUN_POLICY;                /* rtol, atol, ledger, strict, zeno_rest, slides */
    int64_t step_limit;            /* 0: none */
    const hbg_sim_action *actions; /* in order of time */
    int32_t action_count;
    const hbg_sim_override *overrides; /* in order of time; they act after the actions of their instant */
    int32_t override_count;
    /* Called now and then; false ends the run (HBG_RT_INTERRUPTED). May be NULL. */
    bool (*progress)(void *context, double t, double stop);
    HBG_RT_ROW_OPTIONS; /* rows, looks, ends of steps, instants */
} hbg_sim_options;

typedef hbg_rt_result hbg_sim_result;

hbg_sim_options hbg_sim_options_default(void);

/* Runs an instance that was made and given its parameters and inputs; everything the result points to is in
 * the arena. */
hbg_rt_status hbg_sim_run(hbg_arena *arena, const hbg_rt_description *system, hbg_rt_instance *instance,
                          const hbg_sim_options *options, hbg_sim_result *result);

/* A part of a system that is independent of the others, as a separate system, and the indices of its objects
 * in the whole. */
typedef struct {
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    const int32_t *states, *outputs, *inputs, *params, *clocks, *powers, *storages, *bonds, *automata;
} hbg_sim_part;

/* The same for a system that falls into parts, with a method of variable step: each has its own steps, so an
 * event in one costs the others nothing. Instants come in order of time, those of one moment together;
 * options and result are in terms of the whole, of which only names and sizes are used. Roots of events are
 * those of the parts, one part after the other. Rows without a given interval are written so that every step
 * of a part with outputs has one; `step_end` gets no rows inside of steps. */
hbg_rt_status hbg_sim_run_parts(hbg_arena *arena, const hbg_rt_description *whole, const hbg_sim_part *parts,
                                int32_t count, const hbg_sim_options *options, hbg_sim_result *result);

/* KLU for the large loops of a system. hbg_sim_run lends it automatically; other callers of a system lend it,
 * and end it when the system does not have it any more. */
typedef struct hbg_sim_lent hbg_sim_lent;
hbg_sim_lent *hbg_sim_lent_new(hbg_arena *arena);
const hbg_rt_solver *hbg_sim_lent_solver(const hbg_sim_lent *lent);
void hbg_sim_lent_end(hbg_sim_lent *lent);

/* ---- many runs ---------------------------------------------------------------------------------------- */

/* One of several runs that a thread makes side by side: its instance gets the strides of the lane
 * (hbg_rt_lend_strider). */
typedef struct hbg_sim_lane hbg_sim_lane;
hbg_rt_strider hbg_sim_lane_strider(hbg_sim_lane *lane);
/* Zeroed memory for one run after the other, as long as the lane runs; or NULL. */
void *hbg_sim_lane_room(hbg_sim_lane *lane, size_t *size);

/* A device that makes strides of many runs at once, begun with; it and what it is made from outlive the runs.
 * NULL: it cannot be made. */
typedef struct hbg_sim_device hbg_sim_device;
hbg_sim_device *hbg_sim_device_new(hbg_arena *arena, const hbg_rt_native_device *table);
void hbg_sim_device_free(hbg_sim_device *device);                 /* may be NULL */
const char *hbg_sim_device_trouble(const hbg_sim_device *device); /* why it failed during runs, or NULL */
int64_t hbg_sim_device_steps(const hbg_sim_device *device);       /* made there */

/* Runs that do not depend on one another, on threads. Their results are delivered in order, whatever the
 * number of threads; a run begins at most the number of slots ahead of the last one delivered, so memory does
 * not grow. */
typedef struct hbg_sim_ensemble {
    int64_t first, count;             /* runs from the first on, up to the number of all */
    int32_t threads;                  /* 1 or more */
    int32_t slots;                    /* places for results that wait; at least as many as workers */
    int32_t lanes;                    /* runs that a thread makes side by side: 0 or 1: one after the other */
    const hbg_rt_native_table *table; /* of compiled code that takes as many runs; NULL without lanes */
    hbg_sim_device *device;           /* makes their strides instead; or NULL */
    hbg_sim_lane **lane;              /* by worker, out, before its first run */
    /* Makes a run on a worker (one for each thread, or for each lane of each thread) and leaves its result in
     * the slot; checks `stop` now and then, and ends if it is set. False: no further run is made. */
    bool (*work)(void *context, int32_t worker, int32_t slot, int64_t run, const atomic_bool *stop);
    /* Takes a result: in the order of the runs, one at a time, in any of the threads. False: no further run
     * is made. */
    bool (*deliver)(void *context, int32_t slot, int64_t run);
    /* Called now and then in the calling thread; false: no further run is made. May be NULL. */
    bool (*progress)(void *context, int64_t delivered);
    void *context;
} hbg_sim_ensemble;

/* The number delivered, including those before the first; -1 if no thread could be made. */
int64_t hbg_sim_ensemble_run(hbg_arena *arena, const hbg_sim_ensemble *ensemble);

/* ---- analysis ----------------------------------------------------------------------------------------- */

/* Eigenvalues of a dense n×n matrix by rows (LAPACK), which is overwritten. False if they were not found. */
bool hbg_sim_eigenvalues(hbg_arena *arena, int32_t n, double *matrix, double *real, double *imaginary);

/* A variable that can be set by hand: an input or a parameter, and its value. */
typedef struct {
    bool is_param;
    int32_t index;
    double value;
} hbg_sim_knob;

/* x' = A·x + B·u, y = C·x + D·u around a point, over the independent states; matrices dense, by rows. */
typedef struct {
    int32_t state_count, knob_count, output_count;
    int32_t *states; /* indices in the system */
    double *a, *b, *c, *d;
    double error; /* of B, C and D, found by differences: the largest, relative to its row */
} hbg_sim_linear;

/* A is exact. Afterwards the knobs are back at their values. */
hbg_rt_status hbg_sim_linearize(hbg_arena *arena, const hbg_rt_description *system, hbg_rt_instance *instance,
                                double t, const double *x, const hbg_sim_knob *knobs, int32_t knob_count,
                                hbg_sim_linear *linear);
/* C·(jω − A)⁻¹·B + D from a knob to an output at angular frequencies, rad/s; NaN at a pole. False if there is
 * no answer. */
bool hbg_sim_frequency_response(hbg_arena *arena, const hbg_sim_linear *linear, int32_t knob, int32_t output,
                                const double *omega, int32_t count, double *real, double *imaginary);

/* States where nothing moves: rates are 0, found from x by damped Newton, then by letting time advance. x in and out. */
hbg_rt_status hbg_sim_steady(hbg_arena *arena, const hbg_rt_description *system, hbg_rt_instance *instance,
                             double t, double *x, char *failure, size_t failure_size);

/* ---- results files ------------------------------------------------------------------------------------ */

/* One column; the first is always time. */
typedef struct {
    const char *name; /* "coil.p" */
    const char *unit; /* "Wb", "", or NULL */
    bool in_name;     /* CSV, which has no place for units, writes it after the name: `T [degC]` */
} hbg_sim_column;

/* The format of a file follows from its name: .csv, .h5 or .hdf5, .mat. Rows go to FILE.partial; close
 * renames it. */
typedef struct hbg_sim_writer hbg_sim_writer;

/* NULL on failure; *reason says why in words, which may lie in the arena. The arena outlives the writer. Path
 * "-" is CSV to the standard output. If a pipe or terminal accepts nothing, writing waits as long as patience
 * (may be NULL) lasts; then nothing more can be written. */
hbg_sim_writer *hbg_sim_writer_open(hbg_arena *arena, const char *path, const hbg_patience *patience,
                                    const hbg_sim_column *columns, int32_t count, const char *title,
                                    const char **reason);
bool hbg_sim_writer_row(hbg_sim_writer *writer,
                        const double *values); /* time first; count values. Never jumps */
/* Complete: the file gets its name. Not complete: FILE.partial stays, readable, with the rows so far. Ends
 * the writer. */
bool hbg_sim_writer_close(hbg_sim_writer *writer, bool complete, const char **reason);

/* A column in the first line of CSV, character by character. */
void hbg_sim_csv_head(const hbg_sim_column *column, void (*put)(void *context, char c), void *context);

/* A text file, line by line, that appears only when complete, like results: FILE.partial, then FILE. Path "-"
 * is the standard output. NULL on failure; *reason says why. Nothing here jumps out. */
typedef struct hbg_sim_lines hbg_sim_lines;
hbg_sim_lines *hbg_sim_lines_open(hbg_memory *memory, const char *path, const hbg_patience *patience,
                                  const char **reason);
/* Continues the FILE.partial that an earlier run left: its first line is `head`, including its line end, and
 * the others begin with their number, counted from the given *count, and a comma. A last line without its end
 * is dropped. *count becomes the number of the next line, or -1 if even the head is not whole: the file is
 * empty then. */
hbg_sim_lines *hbg_sim_lines_resume(hbg_memory *memory, const char *path, const char *head, int64_t *count,
                                    const char **reason);
bool hbg_sim_lines_flush(hbg_sim_lines *lines); /* what was written is in the file */
bool hbg_sim_lines_write(hbg_sim_lines *lines, const char *text, size_t size);
/* As hbg_sim_writer_close. */
bool hbg_sim_lines_close(hbg_sim_lines *lines, bool complete, const char **reason);

/* Results in memory, for plots. */
typedef struct {
    hbg_sim_column *columns;
    int32_t column_count;
    int64_t row_count;
    double **values;     /* by column, then row */
    bool sweep;          /* the table of a sweep: its columns fault, verdict and reason hold words */
    const char **faults; /* of a sweep: by row; NULL without such a column */
    bool *finished;      /* of a sweep: by row, whether the run reached its end */
} hbg_sim_table;

/* Reads a CSV file as written above (or by others: header, numbers; `name [unit]` is understood). */
hbg_status hbg_sim_table_read(hbg_arena *arena, const char *path, hbg_sim_table *table, const char **reason);

#endif
