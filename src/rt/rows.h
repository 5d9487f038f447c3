/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a run: what an observer makes of what the engine shows. Results files, curves, sums over steps and shipped programs are told
 * of a run by it, so that all have the same rows. */
#ifndef HBG_RT_ROWS_H
#define HBG_RT_ROWS_H

#include "rt/engine.h"

/* ---- sums --------------------------------------------------------------------------------------------- */

/* What remains of the steps of a run, of each output. The mean is that over time: by Simpson's rule over steps with a middle, along
 * straight lines over others. */
typedef struct {
    int32_t count;                     /* outputs: the first of those of the system */
    double *final, *low, *high, *mean; /* NaN before the first step; the mean is there at the end */
    double *area;                      /* up to `time` */
    double *middle;                    /* of the step in progress, at `middle_time` */
    double begin, time, middle_time;   /* of the first, and of the last; NaN: there was no middle */
    bool any;
} hbg_rt_summary;

void hbg_rt_summary_begin(hbg_rt_summary *summary); /* of another run; arrays are the caller's */
/* As step_end below tells it. */
void hbg_rt_summary_step(hbg_rt_summary *summary, double t, const double *outputs, bool inside);
void hbg_rt_summary_end(hbg_rt_summary *summary);
/* What a stride keeps of it, and where it stands when a stride has. */
hbg_rt_extent hbg_rt_summary_extent(const hbg_rt_summary *summary);
void hbg_rt_summary_stand(hbg_rt_summary *summary, double t);

/* ---- who is told -------------------------------------------------------------------------------------- */

/* record_every: s; 0: every step.
 * row: a row of outputs; at an instant one before, and one for each mode that became real or, where there is none, one after if
 * something jumped. Where rows have a pace of their own, only if something jumped or a mode did not last. False ends the run
 * (HBG_RT_CANNOT_WRITE).
 * look: the same and more, for pictures: every row, the end of every step, and what is between at multiples of look_every (s; 0:
 * nothing) from look_from to look_to, and where one of the outputs look_at turns there. `for_an_instant`: outputs in a mode that
 * did not last.
 * step_end: what rows do not decide: outputs at the start, at the end of every step and on both sides of every instant, with every mode
 * that became real there; and `inside`, in the middle of steps whose method knows it. False ends the run, as for rows.
 * summary: gets to know the same, at less cost than one call for each step.
 * event: an instant with its modes. verdicts_only: nobody wants to be told of instants without a verdict: they may be left out.
 * Each of them may be NULL; none jumps out. */
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

/* Fields of options that have them by their own names, and all together as `of_rows`. */
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
    bool written;              /* the row before an instant is */
    double row_at;             /* when the last one was written at the end of a step */
    hbg_rt_grid looks;         /* between rows */
    double look_next;          /* number of the next */
    double look_last;          /* and of the last */
    hbg_rt_extremes *extremes; /* between looks; NULL: nobody looks */
    hbg_rt_commits *commits;   /* NULL: no rows wanted, or no events */
    hbg_rt_extent extent;      /* of the summary, for strides */
} hbg_rt_rows;

/* Of a system of this size. The room is exhausted where there is not enough memory. */
void hbg_rt_rows_init(hbg_rt_room *room, const hbg_rt_description *system, const hbg_rt_row_options *options,
                      hbg_rt_rows *rows);
/* All that rows need to be shown of a run, but for who says whether it goes on. The context is the rows. */
hbg_rt_observer hbg_rt_rows_observer(hbg_rt_rows *rows);
/* Of it: modes that become real, and the first row. */
void hbg_rt_rows_watch_modes(hbg_rt_rows *rows, hbg_rt_observer *observer);

hbg_rt_declared *hbg_rt_declared_new(hbg_rt_room *room, const hbg_rt_description *system);
/* The middle of the last step, for who wants to know about steps; `end` is where it was cut. */
hbg_rt_status hbg_rt_rows_middle(hbg_rt_rows *rows, double end);
/* What the end of a step that was done in a stride tells those who want to know of every step. */
hbg_rt_status hbg_rt_rows_told(hbg_rt_rows *rows);
/* Rows at the recorded instants of the last step before the time given. */
hbg_rt_status hbg_rt_rows_inside(hbg_rt_rows *rows, double end);
/* A row at the present time if it is a recorded one. `written` tells whether, and the outputs are in y. */
hbg_rt_status hbg_rt_rows_end(hbg_rt_rows *rows);
/* Rows around an instant: that before (in y) if it is not `written`, one for each mode that became real, and where there is
 * none that after if it differs. Where rows have a pace of their own, only if something jumped or a mode did not last. */
hbg_rt_status hbg_rt_rows_instant(hbg_rt_rows *rows);
/* The row before the first jump: energies as declared (they are in result->state), all else as it is at the state given. It is
 * kept in y; the start writes it, and makes it where it has not been made yet. */
void hbg_rt_rows_declared(hbg_rt_rows *rows, const double *x_plus);
hbg_rt_status hbg_rt_rows_start(hbg_rt_rows *rows);
/* Whether an output that has been so large is another one and not only rounded otherwise. */
bool hbg_rt_has_jumped(double before, double after, double size);
/* Also looked at; `for_an_instant`: a mode that did not last. */
hbg_rt_status hbg_rt_rows_row(hbg_rt_rows *rows, double t, const double *y, bool for_an_instant);

/* ---- extremes between rows ---------------------------------------------------------------------------- */

/* Of a system of this size; NULL where nobody looks, or the room is exhausted. */
hbg_rt_extremes *hbg_rt_extremes_new(hbg_rt_room *room, const hbg_rt_description *system,
                                     const hbg_rt_row_options *options);
/* Outputs that were looked at. */
void hbg_rt_extremes_note(hbg_rt_rows *rows, double t, const double *y);
/* The next time at which an output looked at turns in this stretch of the last step; INFINITY: there is none. It remains the next
 * until it is taken. */
double hbg_rt_extremes_next(hbg_rt_rows *rows, double begin, double end);
void hbg_rt_extremes_take(hbg_rt_rows *rows);

/* ---- modes that became real --------------------------------------------------------------------------- */

/* What the search tells on its way. */
void hbg_rt_commits_visit(hbg_rt_rows *rows, const hbg_rt_visit *visit);
/* Outputs of all modes committed at this instant but the last, before branches are frozen again. */
hbg_rt_status hbg_rt_commits_look(hbg_rt_rows *rows);
int32_t hbg_rt_commits_count(const hbg_rt_rows *rows);
/* Their rows. */
hbg_rt_status hbg_rt_commits_record(hbg_rt_rows *rows);
void hbg_rt_commits_forget(hbg_rt_rows *rows);
/* Room for those of a system of this size; NULL: there is none. */
hbg_rt_commits *hbg_rt_commits_new(hbg_rt_room *room, const hbg_rt_description *system);
/* Outputs of one that did not last, or NULL; and those of one that is not made by a search, NaN at first. NULL: no room. One that is
 * dropped has no row. */
const double *hbg_rt_commits_outputs(const hbg_rt_commits *commits, int32_t commit);
double *hbg_rt_commits_add(hbg_rt_commits *commits, int32_t commit, int32_t outputs);
void hbg_rt_commits_drop(hbg_rt_commits *commits, int32_t commit);

#endif
