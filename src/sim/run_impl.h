/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run on its way, for the files run*.c. */
#ifndef HBG_SIM_RUN_IMPL_H
#define HBG_SIM_RUN_IMPL_H

#include "sim/sim_impl.h"

/* ---- the story of an instant -------------------------------------------------------------------------- */

typedef struct hbg_sim_log hbg_sim_log;
hbg_sim_log *hbg_sim_log_new(hbg_arena *arena, const hbg_rt_system *system, hbg_rt_instance *instance);
/* Another system, no larger than the one it was made for, and nothing of the last. */
void hbg_sim_log_bind(hbg_sim_log *log, const hbg_rt_system *system, hbg_rt_instance *instance);
void hbg_sim_log_begin(hbg_sim_log *log);
void hbg_sim_log_input(hbg_sim_log *log, int32_t input);
/* For the callbacks of the event iteration; the context is the log. */
void hbg_sim_log_considered(void *context);
void hbg_sim_log_committed(void *context);
void hbg_sim_log_visit(void *context, const hbg_rt_visit *visit);
/* Where no automaton moves an instant is one jump, which the instance has just made. */
void hbg_sim_log_jump(hbg_sim_log *log, double t, const int32_t *states, const double *x,
                      const double *x_plus);
void hbg_sim_log_fill(const hbg_sim_log *log, hbg_sim_event *event);

typedef struct hbg_sim_commits hbg_sim_commits;

/* ---- event times that accumulate ---------------------------------------------------------------------- */

enum { HBG_SIM_ZENO_TIMES = 8 };

typedef struct {
    /* of the last crossings of a relation that changed the mode, newest last */
    double times[HBG_SIM_ZENO_TIMES];
    int count;
    double begin;         /* intervals shrink from here on */
    double end, interval; /* where they lead to, and the last one when that was reckoned; 0: it was not */
    double sure;          /* the earliest end that was near when it was reckoned; 0: none was */
    int past;             /* collisions behind it */
    struct {
        double count, x, y, xx, xy; /* sums over intervals and those behind them */
    } fit;                          /* of a fixed-step run: since they shrink little by little */
    int small; /* collisions in a row before which the relation was no farther away than states are exact */
} hbg_sim_zeno;

typedef struct {
    const hbg_rt_system *system;
    hbg_rt_instance *instance;
    const hbg_sim_options *options;
    hbg_sim_result *result;
    hbg_arena *arena;
    hbg_sim_field field;
    hbg_sim_stepper *stepper; /* NULL before there is one */
    hbg_sim_roots roots;
    hbg_sim_ledger ledger;
    hbg_rt_search search; /* the event iteration, and the discrete state it works on */
    int32_t *states_before;
    hbg_sim_lent *lent;
    hbg_sim_log *log;         /* NULL: nobody listens */
    hbg_sim_commits *commits; /* NULL: no rows wanted, or no events */
    hbg_sim_zeno *zenos;      /* by root of a guard */
    bool other_jacobian;      /* the mode is not the one the Jacobian was laid out for */
    bool wider_jacobian;      /* it was laid out anew, with more entries, since the stepper was made */
    int64_t close_events;     /* that follow one another without progress */
    double last_event;
    bool hurry_told;      /* that a guard is too fast */
    bool unanswered_told; /* a relation between no numbers has been told of */
    bool returned;        /* a guard was crossed there as soon as it had left equality */
    bool rests;           /* contacts come to rest there: what `words` say led to it */
    char rested[200];     /* which, last */
    bool ends;            /* a verdict ends the run behind the instant it is in */
    bool taken_back;      /* the last instant found no end: the run is where it was before */
    bool new_mode;        /* the last instant ended in another mode than it began in */
    bool planned;         /* the present one was known in advance */
    bool logs_start;      /* others have events: the jump of the start is told as theirs are */

    double t, *x;    /* where the run is */
    double end;      /* of the step that was made from there */
    double *x_other; /* a state before or after a jump, or inside a step */

    /* times on grids */
    hbg_rt_grid steps, records, looks; /* of a fixed-step run; of rows; of looks between them */
    hbg_rt_grid *ticks;                /* by clock */

    /* rows */
    double *y, *y_after, *y_size;
    double record_next; /* number of the next recorded instant */
    double look_next;   /* and of the next that is looked at between them */
    bool has_declared;  /* y is the row before the first jump */
    double row_at;      /* when the last one was written at the end of a step */

    /* instants known in advance */
    double limit; /* the next of them */
    double next_break;
    int32_t action;           /* the next */
    int32_t override;         /* likewise */
    int32_t overrides_before; /* the next when this instant began */
    double *tick_next;        /* by clock: number of the next tick */
    int32_t *ticking;         /* clocks at this instant */
    double *tick_rates;       /* before what happens at a tick */
    bool is_compared;         /* they are those of this instant */
    int tick_changes;         /* ticks in a row that changed rates; and how many are not asked next */
    int tick_wait;
    bool is_instant; /* the last step ended at one */
    bool crossed;    /* it ended at located relations */
    bool cut;        /* it ended inside of the step that was made, and nothing happens there */
    int64_t cuts;    /* how often */

    /* long strides of fixed-step runs */
    bool strides;
    bool unlooked; /* guards have not been looked at where the run is */
    bool stale;    /* the stepper does not know where the run is */
    hbg_rt_stride stride;
    hbg_rt_row *rows; /* of the stride */
    int32_t row_room; /* how many there may be */
    hbg_rt_extent extent;

    int64_t progress_at; /* ns, when it was last called */
    int64_t asked;       /* how often it was asked whether to go on */
    uint64_t arithmetic; /* as it was before time flowed */
    char words[400];
} hbg_sim_engine;

/* run_zeno.c: takes note of the roots crossed at this instant; true if they accumulate, *end is where. Begins anew. */
bool hbg_sim_zeno_add(hbg_sim_engine *engine, double *end);
void hbg_sim_zeno_rest(hbg_sim_engine *engine);
void hbg_sim_note_rest(hbg_sim_result *result, const char *contacts, double t);
/* Of the roots crossed at this instant that which is crossed again and again. */
int32_t hbg_sim_zeno_root(const hbg_sim_engine *engine);

/* Whether a planned time has come. */
static inline bool hbg_sim_is_due(const hbg_sim_engine *engine, double time) {
    return time <= engine->t || hbg_sim_same_instant(time, engine->t);
}

/* A time that is the same as one on the grid is that one. */
double hbg_sim_on_grid(const hbg_rt_grid *grid, double t);
/* Those of steps and rows, by the options. */
void hbg_sim_lay_grids(hbg_sim_engine *engine);

#define HBG_SIM_JUMP 1e-10 /* of a state's size: less is rounding */

/* Fails where the system refuses, and remembers that it did. */
hbg_rt_status hbg_sim_refused(hbg_sim_engine *engine, hbg_rt_status status);

/* Lays the Jacobian out for the mode the run is in. */
void hbg_sim_lay_out_jacobian(hbg_sim_engine *engine);

/* ---- a run in pieces ---------------------------------------------------------------------------------- */

/* What is wrong with the options, or NULL. */
const char *hbg_sim_options_fault(const hbg_rt_system *system, const hbg_sim_options *options);
void hbg_sim_prepare(hbg_sim_engine *engine);
/* Declared energies in the start mode, before the first instant. */
hbg_rt_status hbg_sim_start(hbg_sim_engine *engine);
/* Behind it: the method, ready to step. */
hbg_rt_status hbg_sim_choose_stepper(hbg_sim_engine *engine);
/* Makes a step, cut at `end` where a relation changes; the run is still where it was. */
hbg_rt_status hbg_sim_advance(hbg_sim_engine *engine);
/* The state at its end; and goes there. */
void hbg_sim_state_at_end(const hbg_sim_engine *engine, double *x);
void hbg_sim_arrive(hbg_sim_engine *engine);
void hbg_sim_count_instant(hbg_sim_engine *engine);
/* Behind the end of a step and its instant: the method is ready for the next step, or is another one. */
hbg_rt_status hbg_sim_go_on(hbg_sim_engine *engine);
/* Asks every 50 ms or so whether to go on. */
bool hbg_sim_goes_on(hbg_sim_engine *engine);
/* Also of a run that did not get to its stop: what it has is given. */
hbg_rt_status hbg_sim_finish(hbg_sim_engine *engine, hbg_rt_status status);

/* ---- rows --------------------------------------------------------------------------------------------- */

/* Rows at the recorded instants of the last step before the time given. */
hbg_rt_status hbg_sim_record_inside(hbg_sim_engine *engine, double end);
/* The middle of the last step, for who wants to know about steps; `end` is where it was cut. */
hbg_rt_status hbg_sim_record_middle(hbg_sim_engine *engine, double end);
/* A row at the present time if it is a recorded one. `*written` tells whether, and the outputs are in y. */
hbg_rt_status hbg_sim_record_end(hbg_sim_engine *engine, bool *written);
/* What the end of a step that was done in a stride tells those who want to know of every step. */
hbg_rt_status hbg_sim_record_told(hbg_sim_engine *engine);
/* Rows around an instant: that before (in y) if it is not `written`, one for each mode that became real, and where there is
 * none that after if it differs. Where rows have a pace of their own, only if something jumped or a mode did not last. */
hbg_rt_status hbg_sim_record_instant(hbg_sim_engine *engine, bool written);
/* The row before the first jump: energies as declared (they are in result->state), all else as it is at the state given. It is
 * kept in y; the start writes it, and makes it where it has not been made yet. */
void hbg_sim_record_declared(hbg_sim_engine *engine, const double *x_plus);
hbg_rt_status hbg_sim_record_start(hbg_sim_engine *engine);
/* Whether an output that has been so large is another one and not only rounded otherwise. */
bool hbg_sim_has_jumped(double before, double after, double size);
/* Also looked at; `for_an_instant`: a mode that did not last. */
hbg_rt_status hbg_sim_record_row(hbg_sim_engine *engine, double t, const double *y, bool for_an_instant);

/* run_commits.c: what the search tells on its way goes to the log and, of modes that became real, to the rows. */
void hbg_sim_listen(hbg_sim_engine *engine);
/* Outputs of all modes committed at this instant but the last, before branches are frozen again. */
hbg_rt_status hbg_sim_commits_look(hbg_sim_engine *engine);
int32_t hbg_sim_commits_count(const hbg_sim_engine *engine);
/* Their rows. */
hbg_rt_status hbg_sim_commits_record(hbg_sim_engine *engine);
void hbg_sim_commits_forget(hbg_sim_engine *engine);
/* Room for those of a system of this size. A log or commits that an engine has before hbg_sim_listen are kept. */
hbg_sim_commits *hbg_sim_commits_new(hbg_arena *arena, const hbg_rt_system *system);
/* Outputs of one that did not last, or NULL; and those of one that is not made by a search, NaN at first. NULL: no room. One that is
 * dropped has no row. */
const double *hbg_sim_commits_outputs(const hbg_sim_commits *commits, int32_t commit);
double *hbg_sim_commits_add(hbg_sim_commits *commits, int32_t commit, int32_t outputs);
void hbg_sim_commits_drop(hbg_sim_commits *commits, int32_t commit);

/* ---- instants ----------------------------------------------------------------------------------------- */

/* From declared energies to the first moment after t = 0, with its rows; what happens there, without them, and what comes next. */
hbg_rt_status hbg_sim_instant_start(hbg_sim_engine *engine);
hbg_rt_status hbg_sim_instant_pass_start(hbg_sim_engine *engine, bool *moved);
hbg_rt_status hbg_sim_instant_close_start(hbg_sim_engine *engine);
/* What happens at the present time: actions, ticks, breaks, crossings. With its rows; and without: the left limits, then what happens,
 * then what comes next. */
hbg_rt_status hbg_sim_instant(hbg_sim_engine *engine);
hbg_rt_status hbg_sim_instant_open(hbg_sim_engine *engine);
hbg_rt_status hbg_sim_instant_pass(hbg_sim_engine *engine);
hbg_rt_status hbg_sim_instant_close(hbg_sim_engine *engine);
/* The number of instants the run will have, as far as it is known. */
double hbg_sim_instant_count(const hbg_sim_engine *engine);

/* run_ticks.c: around what happens at an instant; behind it, whether the method may go on as if there had been none. */
void hbg_sim_tick_opens(hbg_sim_engine *engine);
bool hbg_sim_tick_closes(hbg_sim_engine *engine);

/* ---- strides ------------------------------------------------------------------------------------------ */

/* Once there is a stepper. */
void hbg_sim_stride_prepare(hbg_sim_engine *engine);
/* What strides have added up by now goes to the ledger. */
void hbg_sim_stride_book(hbg_sim_engine *engine);
/* Many steps in one go; not *strode: the next one has to be done by itself. */
hbg_rt_status hbg_sim_stride(hbg_sim_engine *engine, bool *strode);

#endif
