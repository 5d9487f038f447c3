/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a run: what an observer makes of the run. Results files, curves, sums over steps and shipped
 * programs all use it, so that they have the same rows. */
#ifndef HBG_RT_ROWS_H
#define HBG_RT_ROWS_H

#include "rt/engine.h"

/* ---- sums --------------------------------------------------------------------------------------------- */

/* A summary of the steps of a run, for each output. The mean is over time: by Simpson's rule over steps with
 * a middle, by the trapezoidal rule over others. */
typedef struct {
    int32_t count;                     /* the first outputs of the system */
    double *final, *low, *high, *mean; /* NaN before the first step; the mean is set at the end */
    double *area;                      /* up to `time` */
    double *middle;                    /* of the step in progress, at `middle_time` */
    double begin, time, middle_time;   /* of the first, and of the last; NaN: no middle */
    bool any;
} hbg_rt_summary;

void hbg_rt_summary_begin(hbg_rt_summary *summary); /* for another run; arrays are the caller's */
/* Like step_end below. */
void hbg_rt_summary_step(hbg_rt_summary *summary, double t, const double *outputs, bool inside);
void hbg_rt_summary_end(hbg_rt_summary *summary);
/* The part of it that a stride updates, and its time after a stride. */
hbg_rt_extent hbg_rt_summary_extent(const hbg_rt_summary *summary);
void hbg_rt_summary_stand(hbg_rt_summary *summary, double t);

/* ---- options ------------------------------------------------------------------------------------------ */

/* record_every: s; 0: every step.
 * row: a row of outputs; at an instant one before, and one for each committed mode or, if there is none, one
 * after if something jumped. With record_every, only if something jumped or a mode did not last. False ends
 * the run (HBG_RT_CANNOT_WRITE).
 * look: the same and more, for pictures: every row, the end of every step, and times between at multiples of
 * look_every (s; 0: none) from look_from to look_to, and where one of the outputs look_at has an extremum
 * there. `for_an_instant`: outputs in a mode that did not last.
 * step_end: independent of rows, outputs at the start, at the end of every step and on both sides of every
 * instant, with every mode committed there; and `inside`, in the middle of steps if the method has it. False
 * ends the run, as for rows.
 * summary: gets the same, at less cost than one call for each step.
 * event: an instant with its modes.
 * verdicts_only: instants without a verdict need not be reported.
 * Each of them may be NULL; none may jump out. */
#define HBG_RT_ROW_OPTION_FIELDS                                                                             \
    double record_every;                                                                                     \
    bool (*row)(void *context, double t, const double *outputs);                                             \
    void (*look)(void *context, double t, const double *outputs, bool for_an_instant);                       \
    double look_every, look_from, look_to;                                                                   \
    const int32_t *look_at;                                                                                  \
    int32_t look_count;                                                                                      \
    bool (*step_end)(void *context, double t, const double *outputs, bool inside);                           \
    hbg_rt_summary *summary;                                                                                 \
    void (*event)(void *context, const hbg_rt_story *event);                                                 \
    bool verdicts_only;                                                                                      \
    void *context

typedef struct {
    HBG_RT_ROW_OPTION_FIELDS;
} hbg_rt_row_options;

/* Options have these fields by their names, and all together as `of_rows`. */
#define HBG_RT_ROW_OPTIONS                                                                                   \
    union {                                                                                                  \
        hbg_rt_row_options of_rows;                                                                          \
        struct {                                                                                             \
            HBG_RT_ROW_OPTION_FIELDS;                                                                        \
        };                                                                                                   \
    }

/* ---- rows --------------------------------------------------------------------------------------------- */

typedef struct hbg_rt_commits hbg_rt_commits;
typedef struct hbg_rt_declared hbg_rt_declared;
typedef struct hbg_rt_extremes hbg_rt_extremes;

typedef struct {
    hbg_rt_engine *engine; /* whose rows they are */
    const hbg_rt_row_options *options;
    double *y, *y_after, *y_size;
    hbg_rt_declared *energies; /* by state, to find them by name */
    bool has_declared;         /* y is the row before the first jump */
    bool written;              /* the row before an instant has been written */
    double row_at;             /* when the last one was written at the end of a step */
    hbg_rt_grid looks;         /* between rows */
    double look_next;          /* number of the next */
    double look_last;          /* and of the last one */
    hbg_rt_extremes *extremes; /* between looks; NULL: not needed */
    hbg_rt_commits *commits;   /* NULL: no rows wanted, or no events */
    hbg_rt_extent extent;      /* of the summary, for strides */
} hbg_rt_rows;

/* For a system of this size. If memory is exhausted, so is the room. */
void hbg_rt_rows_init(hbg_rt_room *room, const hbg_rt_description *system, const hbg_rt_row_options *options,
                      hbg_rt_rows *rows);
/* The callbacks that rows need, except the one that decides whether the run continues. The context is the
 * rows. */
hbg_rt_observer hbg_rt_rows_observer(hbg_rt_rows *rows);
/* Part of it: committed modes, and the first row. */
void hbg_rt_rows_watch_modes(hbg_rt_rows *rows, hbg_rt_observer *observer);

hbg_rt_declared *hbg_rt_declared_new(hbg_rt_room *room, const hbg_rt_description *system);
/* The middle of the last step, for observers of steps; `end` is where it was cut. */
hbg_rt_status hbg_rt_rows_middle(hbg_rt_rows *rows, double end);
/* The end of a step in a stride, for observers of every step. */
hbg_rt_status hbg_rt_rows_told(hbg_rt_rows *rows);
/* Rows at the recorded instants of the last step before the time given. */
hbg_rt_status hbg_rt_rows_inside(hbg_rt_rows *rows, double end);
/* A row at the present time if it is a recorded one. `written` is set if so, and the outputs are in y. */
hbg_rt_status hbg_rt_rows_end(hbg_rt_rows *rows);
/* Rows around an instant: the one before (in y) if it is not `written`, one for each committed mode, and if
 * there is none the one after if it differs. With record_every, only if something jumped or a mode did not
 * last. */
hbg_rt_status hbg_rt_rows_instant(hbg_rt_rows *rows);
/* The row before the first jump: energies as declared (in result->state), all else at the state given. It is
 * kept in y; the start writes it, and makes it if that has not been done. */
void hbg_rt_rows_declared(hbg_rt_rows *rows, const double *x_plus);
hbg_rt_status hbg_rt_rows_start(hbg_rt_rows *rows);
/* Whether an output with this largest magnitude has changed by more than rounding. */
bool hbg_rt_has_jumped(double before, double after, double size);
/* Also passed to `look`; `for_an_instant`: a mode that did not last. */
hbg_rt_status hbg_rt_rows_row(hbg_rt_rows *rows, double t, const double *y, bool for_an_instant);

/* ---- extremes between rows ---------------------------------------------------------------------------- */

/* For a system of this size; NULL if not needed, or if the room is exhausted. */
hbg_rt_extremes *hbg_rt_extremes_new(hbg_rt_room *room, const hbg_rt_description *system,
                                     const hbg_rt_row_options *options);
/* Outputs that were passed to `look`. */
void hbg_rt_extremes_note(hbg_rt_rows *rows, double t, const double *y);
/* The next extremum of an output of look_at in this part of the last step; INFINITY: there is none. It
 * remains the next until it is taken. */
double hbg_rt_extremes_next(hbg_rt_rows *rows, double begin, double end);
void hbg_rt_extremes_take(hbg_rt_rows *rows);

/* ---- committed modes ---------------------------------------------------------------------------------- */

/* A visit of the search. */
void hbg_rt_commits_visit(hbg_rt_rows *rows, const hbg_rt_visit *visit);
/* Outputs of all modes committed at this instant but the last, before branches are frozen again. */
hbg_rt_status hbg_rt_commits_look(hbg_rt_rows *rows);
int32_t hbg_rt_commits_count(const hbg_rt_rows *rows);
/* Their rows. */
hbg_rt_status hbg_rt_commits_record(hbg_rt_rows *rows);
void hbg_rt_commits_forget(hbg_rt_rows *rows);
/* Room for those of a system of this size; NULL: out of memory. */
hbg_rt_commits *hbg_rt_commits_new(hbg_rt_room *room, const hbg_rt_description *system);
/* Outputs of one that did not last, or NULL; and those of one that is committed without a search, NaN at
 * first. NULL: no room. One that is dropped has no row. */
const double *hbg_rt_commits_outputs(const hbg_rt_commits *commits, int32_t commit);
double *hbg_rt_commits_add(hbg_rt_commits *commits, int32_t commit, int32_t outputs);
void hbg_rt_commits_drop(hbg_rt_commits *commits, int32_t commit);

#endif
