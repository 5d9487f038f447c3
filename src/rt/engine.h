/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The engine: runs a system over time. It integrates, locates relations, passes instants, keeps the ledger.
 * It knows nothing of rows, words and files: it calls an observer. The caller lends memory, a solver of large
 * loops and, if it has one, an integrator.
 *
 * Order of calls: new → start → advance → finish → free. Calls that fail return a status. Memory is allocated
 * when a run is made, and where a mode is visited for the first time. */
#ifndef HBG_RT_ENGINE_H
#define HBG_RT_ENGINE_H

#include "rt/field.h"
#include "rt/search.h"
#include "rt/stride.h"

typedef struct hbg_rt_engine hbg_rt_engine;
typedef struct hbg_rt_log hbg_rt_log;

/* ---- what happens to a run ---------------------------------------------------------------------------- */

typedef struct { /* the input has this value from `time` on */
    double time;
    int32_t input;
    double value;
} hbg_rt_action;

typedef enum { HBG_RT_SET_PARAM, HBG_RT_HOLD, HBG_RT_SENSE } hbg_rt_override_kind;

/* From `time` on something differs from the model, or no longer does: part of a fault. */
typedef struct {
    double time;
    hbg_rt_override_kind kind;
    int32_t index;               /* parameter, automaton or clock */
    double value;                /* value of a parameter */
    int32_t state;               /* of an automaton, as in hbg_rt_hold_automaton */
    const hbg_rt_sensor *sensor; /* of a clock; NULL: the true value */
    int32_t cause;               /* for listeners to events */
    bool is_line;                /* from then on a parameter is value + slope·time (hbg_rt_set_line) */
    double slope;
} hbg_rt_override;

/* ---- the story of an instant -------------------------------------------------------------------------- */

typedef struct hbg_rt_why hbg_rt_why;

/* A mode that occurs during an instant. */
typedef struct {
    hbg_rt_mode_kind kind;
    const int32_t *before, *states; /* by automaton: the mode it came from, and this one */
    const double *x, *x_plus;       /* energies on entry, and after its jump */
    const double *effort, *flow;    /* by bond: areas */
    double lost;                    /* J */
    const char *why;                /* these in words; NULL: hbg_rt_visit_why makes them */
    hbg_rt_why *taken;              /* the transitions taken into it, for hbg_rt_visit_why */
    const int32_t *bonds;           /* bonds that have areas; NULL: any may */
    int32_t bond_count;
    int32_t order; /* number of the mode in the instant */
    double doubt;  /* J: a smaller loss is rounding; 0: the system can compute it */
} hbg_rt_story_visit;

/* The transitions taken into it and the values that decided, in words. */
const char *hbg_rt_visit_why(const hbg_rt_story_visit *visit);

/* An instant at which something happened; the first is t = 0. Valid during the call only. */
typedef struct {
    double t;
    const int32_t *roots; /* crossed: hbg_rt_indicator_name names them */
    int32_t root_count;
    const int32_t *inputs; /* acted on */
    int32_t input_count;
    int32_t first_override, override_count; /* of the options: those that came into force */
    bool planned;                           /* known in advance: an action, a tick, the end of a wait */
    const hbg_rt_story_visit *visits;
    int32_t visit_count;
    double lost;
    hbg_rt_verdict verdict;
    const char *words;           /* of the verdict */
    const char *rest;            /* why events would accumulate here and contacts rest from now on; or NULL */
    const char *slide;           /* the run begins or ends to slide along a surface, in words; or NULL */
    const double *sizes;         /* by state, the largest so far; NULL: unknown */
    const double *contributions; /* likewise, of contributions to it at instants */
} hbg_rt_story;

/* A log, in which stories are recorded. One serves many systems, one at a time, no larger than the one it is
 * made for. NULL: out of memory. */
hbg_rt_log *hbg_rt_log_new(hbg_rt_room *room, const hbg_rt_description *system, hbg_rt_instance *instance);
/* Binds it to another system, and clears what it holds of the last one. */
void hbg_rt_log_bind(hbg_rt_log *log, const hbg_rt_description *system, hbg_rt_instance *instance);
void hbg_rt_log_begin(hbg_rt_log *log);

/* ---- observers ---------------------------------------------------------------------------------------- */

/* Callbacks during a run; those that are NULL are not called. A status other than HBG_RT_OK ends the run. No
 * callback may jump out. */
typedef struct {
    void *context;
    /* Declared energies have jumped to these: outputs there, before guards are evaluated. */
    void (*declared)(void *context, const double *x_plus);
    /* The start is over; `moved`: something moved after energies were declared. */
    hbg_rt_status (*started)(void *context, bool moved);
    /* A step was made from the present time to `end`: states in between can be computed by its integrator. */
    hbg_rt_status (*inside)(void *context, double end);
    /* The end of a step; at an instant, its left side. */
    hbg_rt_status (*ended)(void *context);
    /* The right side of an instant. */
    hbg_rt_status (*passed)(void *context);
    /* A mode of the event iteration; and the end of a search, while branches are unchanged. */
    void (*visit)(void *context, const hbg_rt_visit *visit);
    hbg_rt_status (*searched)(void *context);
    /* What happened at an instant. */
    void (*story)(void *context, const hbg_rt_story *story);
    /* Called after every step and every stride; false: HBG_RT_INTERRUPTED. */
    bool (*goes_on)(void *context);

    /* Fixed steps are done in strides unless every step, or every instant, has to be observed. */
    bool no_strides;
    bool no_long_strides;        /* each is one step long */
    bool rows;                   /* a stride takes rows at the recorded instants within it */
    double rows_every;           /* s between recorded instants; 0: the end of every step is one */
    const hbg_rt_extent *extent; /* what strides update, or NULL */
    /* Whether it has been updated to the present state: a stride may begin. */
    bool (*keeps_up)(void *context);
    /* A stride has ended (engine->strides.stride), with this status: the status returned replaces it. */
    hbg_rt_status (*strode)(void *context, hbg_rt_status status);
} hbg_rt_observer;

/* ---- how to run --------------------------------------------------------------------------------------- */

/* What an integrator is needed for: the start; a field that turned out to be stiff; a Jacobian with more
 * entries. */
typedef enum { HBG_RT_FIRST, HBG_RT_STIFF, HBG_RT_WIDER } hbg_rt_wish;

typedef struct {
    hbg_rt_memory memory;
    hbg_rt_demand demand;
    bool fixed; /* a fixed-step method; else the embedded Runge-Kutta pair */
    hbg_rt_stiffness stiffness;
    hbg_rt_method method; /* which */
    /* Makes another integrator than these. NULL: not available. */
    hbg_rt_status (*make)(void *context, hbg_rt_engine *engine, hbg_rt_wish wish, hbg_rt_integrator **made);
    void *make_context;
    bool changes_over;           /* it makes one for problems that turn out to be stiff */
    const hbg_rt_solver *solver; /* lent to the system; may be NULL */
    hbg_rt_log *log;             /* lent to the run; NULL: the run makes one if there is a listener */
    int64_t step_limit;          /* 0: none */
    bool ledger;
    bool strict;      /* warnings end the run */
    bool zeno_rest;   /* where events accumulate contacts come to rest, and the run does not end */
    bool slides;      /* a run that chatters across a surface continues along it */
    bool shows;       /* outputs are read all the way: where they jump or have a kink is located */
    bool tells_start; /* the jump of the start is part of a story, even if nothing can switch */
    const hbg_rt_action *actions; /* in order of time */
    int32_t action_count;
    const hbg_rt_override *overrides; /* in order of time; they act after the actions of their instant */
    int32_t override_count;
    hbg_rt_observer observer;
} hbg_rt_setup;

/* What is wrong with the setup, or NULL. */
const char *hbg_rt_setup_fault(const hbg_rt_description *system, const hbg_rt_setup *setup);

/* ---- the result --------------------------------------------------------------------------------------- */

typedef struct {
    const char *solver; /* "bdf, sparse" */
    const char *why;    /* one line, for `auto`: "stiff: time constants from 1 µs to 1 ks"; "" otherwise */
    int64_t steps, rejected, rates, jacobians;
    int64_t crossings; /* of relations located; with fixed steps, moves of automata by guards */
    int64_t commits;   /* modes that were committed */
    hbg_rt_verdict verdict;
    int64_t warnings;                /* verdicts that did not end the run */
    char warning[HBG_RT_WORDS + 60]; /* the first of them, with its instant, in words */
    int64_t rests;                   /* of them: contacts came to rest */
    bool rests_first;                /* the first one is of this kind */
    char rested[HBG_RT_WORDS];       /* which ones, with times after the first: "`a`; `b` from t = 2 s on" */
    double t;                        /* where the run ended */

    /* Arrays of the caller, one entry for each power line, storage, state or automaton of the system. The
     * ledger, J: */
    double *work;            /* by power: integral over the run */
    double *stored_at_start; /* by storage: before the first jump */
    double *stored_at_end;
    double lost_in_jumps; /* J */
    double by_parameters; /* J: work of parameters that jumped, into storages */
    double residual;      /* J: what the balance lacks */
    double scale;         /* J: largest energy involved, as a reference for the residual */

    double *state;   /* at the end */
    double *outputs; /* outputs at the end, of a run in parts; NULL: the system computes them */
    int32_t *modes;  /* by automaton: its state there; NULL: a run in parts */
    char failure[HBG_RT_WORDS + 260]; /* why the run did not finish: when, where, which values */
} hbg_rt_result;

/* Contacts came to rest at t: recorded in `rested`. */
void hbg_rt_note_rest(hbg_rt_result *result, const char *contacts, double t);

/* ---- a run -------------------------------------------------------------------------------------------- */

/* Instants known in advance. */
typedef struct {
    double limit;   /* the next of them, or where the caller pauses */
    bool pauses;    /* only a pause is there */
    double given;   /* the next except `turn`, where only relations of time alone are crossed */
    double turn;    /* the next of those */
    double flip;    /* when time alone changes relations aside next: no step ends there */
    double horizon; /* all instants before it are known */
    double next_break;
    int32_t action;           /* the next */
    int32_t override;         /* likewise */
    int32_t overrides_before; /* the next when this instant began */
    hbg_rt_grid *ticks;       /* by clock */
    double *tick_next;        /* by clock: number of the next tick */
    int32_t *ticking;         /* clocks at this instant */
    double *tick_rates;       /* before the events of a tick */
    bool is_compared;         /* they belong to this instant */
    int tick_changes;         /* ticks in a row that changed rates; and how many to skip next */
    int tick_wait;
} hbg_rt_schedule;

/* The end of the last step, and what happens there. */
typedef struct {
    bool is_instant;   /* the last step ended at one */
    bool crossed;      /* it ended at relations located */
    bool turned;       /* it ended where time alone changes relations */
    bool aside;        /* only relations aside have changed there: for the model it is no instant */
    bool inside;       /* the step that was made goes on from there */
    bool cut;          /* it ended inside the step that was made, at no event */
    bool planned;      /* the present instant was known in advance */
    bool new_mode;     /* the last instant ended in another mode than it began in */
    bool taken_back;   /* the last instant did not end: the run is where it was before */
    bool ends;         /* a verdict ends the run after this instant */
    bool returned;     /* a guard was crossed there as soon as it had left equality */
    bool rests;        /* contacts come to rest there: `words` say why */
    char rested[200];  /* which, last */
    int64_t close;     /* events in a row without progress */
    double last_event; /* s */
} hbg_rt_moment;

/* Long strides of fixed-step runs. */
typedef struct {
    bool on;
    bool unlooked; /* guards have not been evaluated at the present time */
    bool stale;    /* the stepper is not at the present time */
    hbg_rt_stride stride;
    hbg_rt_row *rows; /* of the stride */
    int32_t row_room; /* how many there may be */
} hbg_rt_strides;

struct hbg_rt_engine {
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    const hbg_rt_setup *setup;
    hbg_rt_result *result;
    hbg_rt_room room;
    hbg_rt_field field;
    hbg_rt_integrator *stepper;   /* NULL before there is one */
    struct hbg_rt_roots *roots;   /* located relations */
    struct hbg_rt_ledger *ledger; /* the balance of energy */
    struct hbg_rt_zeno *zenos;    /* by root of a guard: event times that accumulate */
    struct hbg_rt_slide *slide;   /* NULL: chattering is reported only */
    hbg_rt_search search;         /* the event iteration, and the discrete state it works on */
    int32_t *states_before;       /* the discrete state before an instant */
    hbg_rt_log *log;              /* NULL: no listener */
    bool other_jacobian;          /* the Jacobian was laid out for another mode */
    bool wider_jacobian;          /* it was laid out again, with more entries, since the stepper was made */
    bool hurry_told;              /* a guard that is too fast has been reported */
    bool unanswered_told;         /* a relation with a value that is not a number has been reported */

    double t, *x;    /* where the run is now */
    double end;      /* of the step that was made from there */
    double pause;    /* s: the time at which the present call of advance returns */
    double *x_other; /* a state before or after a jump, or inside a step */

    hbg_rt_grid steps, rows; /* of a fixed-step run; of recorded instants */
    double row_next;         /* number of the next recorded instant */
    hbg_rt_schedule schedule;
    hbg_rt_moment moment;
    hbg_rt_strides strides;

    uint64_t arithmetic; /* as it was before time advanced */
    char words[400];
};

/* Runs an instance that has its parameters and inputs. Setup and result, with its arrays, outlive the
 * engine. */
hbg_rt_status hbg_rt_engine_new(const hbg_rt_description *system, hbg_rt_instance *instance,
                                const hbg_rt_setup *setup, hbg_rt_result *result, hbg_rt_engine **made);
/* From declared energies to the first moment after t = 0, and to an integrator that is ready to step. */
hbg_rt_status hbg_rt_engine_start(hbg_rt_engine *engine);
/* From there to the stop, or to a pause: that is an instant, and the next call continues from there. */
void hbg_rt_engine_pause_at(hbg_rt_engine *engine, double t);
hbg_rt_status hbg_rt_engine_advance(hbg_rt_engine *engine);
/* Also for a run that did not reach its stop and ended with this status: it gets the results so far. */
hbg_rt_status hbg_rt_engine_finish(hbg_rt_engine *engine, hbg_rt_status status);
void hbg_rt_engine_free(hbg_rt_engine *engine); /* NULL does nothing */

/* ---- a run in pieces: several of them side by side ---------------------------------------------------- */

/* Declared energies in the start mode, before the first instant. Then the events at the start, and the
 * preparation after them. Finally the integrator, ready to step. */
hbg_rt_status hbg_rt_engine_declare(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_pass_start(hbg_rt_engine *engine, bool *moved);
hbg_rt_status hbg_rt_engine_close_start(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_choose(hbg_rt_engine *engine);
/* Makes a step, or goes on with the last, cut at `end` where a relation changes; the run is still where it was. */
hbg_rt_status hbg_rt_engine_step(hbg_rt_engine *engine);
/* The state at its end. */
void hbg_rt_engine_state_at_end(const hbg_rt_engine *engine, double *x);
/* Books the step that was made, up to a time in it; and moves the run to its end. */
hbg_rt_status hbg_rt_engine_book(hbg_rt_engine *engine, double end);
void hbg_rt_engine_arrive(hbg_rt_engine *engine);
/* A pause at the end of a step of fixed length is invisible to the model: the next step continues as if there
 * had been none. */
bool hbg_rt_engine_only_pauses(const hbg_rt_engine *engine, double t);
/* An instant: the left limits, then its events, then the preparation after them. */
hbg_rt_status hbg_rt_engine_open(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_pass(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_close(hbg_rt_engine *engine);
void hbg_rt_engine_count_instant(hbg_rt_engine *engine);
/* After the end of a step and its instant: the integrator is ready for the next step, or is replaced. */
hbg_rt_status hbg_rt_engine_go_on(hbg_rt_engine *engine);

/* The number of instants the run will have, as far as known. */
double hbg_rt_engine_instant_count(const hbg_rt_engine *engine);
/* A time that counts as the same as one on the grid is moved onto it. */
double hbg_rt_on_grid(const hbg_rt_grid *grid, double t);
/* Whether a planned time is reached at t. */
static inline bool hbg_rt_is_due(double time, double t) {
    return time <= t || hbg_rt_same_instant(time, t);
}

#endif
