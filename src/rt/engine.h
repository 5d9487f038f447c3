/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The engine: runs a system over time. It integrates, locates relations, passes instants, keeps the ledger. Rows, words and files are no
 * business of its: an observer is called where there is something to see. The caller lends memory, a solver of large loops and, if it
 * has one, an integrator of its own.
 *
 * Order of calls: new → start → advance → finish → free. Calls that fail say so by their status. Memory is taken when a run is made, and
 * where a mode is visited for the first time. */
#ifndef HBG_RT_ENGINE_H
#define HBG_RT_ENGINE_H

#include "rt/field.h"
#include "rt/search.h"
#include "rt/stride.h"

typedef struct hbg_rt_engine hbg_rt_engine;
typedef struct hbg_rt_log hbg_rt_log;

/* ---- what happens to a run ---------------------------------------------------------------------------- */

typedef struct { /* from `time` on the input has the value */
    double time;
    int32_t input;
    double value;
} hbg_rt_action;

typedef enum { HBG_RT_SET_PARAM, HBG_RT_HOLD, HBG_RT_SENSE } hbg_rt_override_kind;

/* From `time` on something is not as the model says, or is again: part of a fault. */
typedef struct {
    double time;
    hbg_rt_override_kind kind;
    int32_t index;               /* parameter, automaton or clock */
    double value;                /* of a parameter */
    int32_t state;               /* of an automaton, as hbg_rt_hold_automaton has it */
    const hbg_rt_sensor *sensor; /* of a clock; NULL: the truth */
    int32_t cause;               /* for who listens to events */
    bool is_line;                /* a parameter is value + slope·time from now on (hbg_rt_set_line) */
    double slope;
} hbg_rt_override;

/* ---- the story of an instant -------------------------------------------------------------------------- */

/* A mode on the way through an instant. */
typedef struct {
    hbg_rt_mode_kind kind;
    const int32_t *before, *states; /* by automaton: the mode it came from, and this one */
    const double *x, *x_plus;       /* energies it was entered with, and behind its jump */
    const double *effort, *flow;    /* by bond: areas */
    double lost;                    /* J */
    const char *why; /* transitions taken into it and the values that decided, as describe_move tells them */
    const int32_t *bonds; /* those that may have areas; NULL: all */
    int32_t bond_count;
    int32_t order; /* which mode of the instant it was */
    double doubt;  /* J: a loss that is less is rounding; 0: the system can be asked */
} hbg_rt_story_visit;

/* An instant at which something happened; the first is t = 0. Serves during the call only. */
typedef struct {
    double t;
    const int32_t *roots; /* crossed: hbg_rt_indicator_name says which */
    int32_t root_count;
    const int32_t *inputs; /* acted on */
    int32_t input_count;
    int32_t first_override, override_count; /* of the options: those that came into force */
    bool planned;                           /* known in advance: an action, a tick, the end of a wait */
    const hbg_rt_story_visit *visits;
    int32_t visit_count;
    double lost;
    hbg_rt_verdict verdict;
    const char *words; /* of the verdict */
    const char *
        rest; /* events would accumulate here, and contacts rest from now on: what led to it, in words; or NULL */
    const char *slide;           /* the run begins or ends to slide along a surface, in words; or NULL */
    const double *sizes;         /* by state, the largest so far; NULL: nobody knows */
    const double *contributions; /* likewise, of what contributed to it at instants */
} hbg_rt_story;

/* Where stories are put together. One serves many systems, one at a time, that are no larger than the one it is made for. NULL: no
 * memory. */
hbg_rt_log *hbg_rt_log_new(hbg_rt_room *room, const hbg_rt_description *system, hbg_rt_instance *instance);
/* Another system, and nothing of the last. */
void hbg_rt_log_bind(hbg_rt_log *log, const hbg_rt_description *system, hbg_rt_instance *instance);
void hbg_rt_log_begin(hbg_rt_log *log);

/* ---- who looks on ------------------------------------------------------------------------------------- */

/* Called where there is something to see; what is NULL is not called. A status other than HBG_RT_OK ends the run. Nothing here jumps
 * out. */
typedef struct {
    void *context;
    /* Declared energies have jumped to these: outputs there, before guards are looked at. */
    void (*declared)(void *context, const double *x_plus);
    /* The start is over; `moved`: something has, since energies were declared. */
    hbg_rt_status (*started)(void *context, bool moved);
    /* A step was made from where the run is, and the run goes to its end now: states in between can be asked of its integrator. */
    hbg_rt_status (*inside)(void *context, double end);
    /* The end of a step; where it is an instant, its left side. */
    hbg_rt_status (*ended)(void *context);
    /* The right side of an instant. */
    hbg_rt_status (*passed)(void *context);
    /* A mode of the event iteration; and its end, while branches are as they were. */
    void (*visit)(void *context, const hbg_rt_visit *visit);
    hbg_rt_status (*searched)(void *context);
    /* What happened at an instant. */
    void (*story)(void *context, const hbg_rt_story *story);
    /* Asked after every step and every stride; false: HBG_RT_INTERRUPTED. */
    bool (*goes_on)(void *context);

    /* Fixed steps are done in strides unless every step, or every instant, has to be seen. */
    bool no_strides;
    bool no_long_strides;        /* each is one step long */
    bool rows;                   /* a stride has rows at the recorded instants within it */
    double rows_every;           /* s between recorded instants; 0: the end of every step is one */
    const hbg_rt_extent *extent; /* what strides keep up, or NULL */
    /* Whether that was told of the present state: a stride may begin. */
    bool (*keeps_up)(void *context);
    /* A stride has ended (engine->strides.stride), with this status: what it answers is taken instead. */
    hbg_rt_status (*strode)(void *context, hbg_rt_status status);
} hbg_rt_observer;

/* ---- how to run --------------------------------------------------------------------------------------- */

/* What an integrator is wanted for: the start; a field that turned out to be stiff; a Jacobian with more entries. */
typedef enum { HBG_RT_FIRST, HBG_RT_STIFF, HBG_RT_WIDER } hbg_rt_wish;

typedef struct {
    hbg_rt_memory memory;
    hbg_rt_demand demand;
    bool fixed; /* a fixed-step method; not: the embedded pair of Runge and Kutta */
    hbg_rt_stiffness stiffness;
    hbg_rt_method method; /* which */
    /* Makes another integrator than these. NULL: there is none. */
    hbg_rt_status (*make)(void *context, hbg_rt_engine *engine, hbg_rt_wish wish, hbg_rt_integrator **made);
    void *make_context;
    bool changes_over;           /* it makes one for what turns out to be stiff */
    const hbg_rt_solver *solver; /* lent to the system; may be NULL */
    hbg_rt_log *log;             /* lent to the run; NULL: it makes its own where somebody listens */
    int64_t step_limit;          /* 0: none */
    bool ledger;
    bool strict;      /* warnings end the run */
    bool zeno_rest;   /* where events accumulate contacts come to rest, instead of ending the run */
    bool slides;      /* a run that chatters across a surface goes on along it */
    bool tells_start; /* the jump of the start is part of a story, even if nothing can switch */
    const hbg_rt_action *actions; /* in order of time */
    int32_t action_count;
    const hbg_rt_override *overrides; /* in order of time; they act behind the actions of their instant */
    int32_t override_count;
    hbg_rt_observer observer;
} hbg_rt_setup;

/* What is wrong with it, or NULL. */
const char *hbg_rt_setup_fault(const hbg_rt_description *system, const hbg_rt_setup *setup);

/* ---- what became of it -------------------------------------------------------------------------------- */

typedef struct {
    const char *solver; /* "bdf, sparse" */
    const char *why;    /* one line, for `auto`: "stiff: time constants from 1 µs to 1 ks"; "" otherwise */
    int64_t steps, rejected, rates, jacobians;
    int64_t
        crossings; /* of located relations; with fixed steps, automata moved by guards that were looked at */
    int64_t commits; /* modes that became real */
    hbg_rt_verdict verdict;
    int64_t warnings;                /* verdicts that did not end the run */
    char warning[HBG_RT_WORDS + 60]; /* the first of them, with its instant, in words */
    int64_t rests;                   /* of them: contacts came to rest */
    bool rests_first;                /* the first one is of this kind */
    char rested
        [HBG_RT_WORDS]; /* which contacts, those behind the first instant with the time: "`a`, `b`; `c` from t = 2 s on" */
    double t; /* where the run ended */

    /* Arrays are the caller's, one entry for each power line, storage, state or automaton of the system. The ledger, J: */
    double *work;            /* by power: integral over the run */
    double *stored_at_start; /* by storage: before the first jump */
    double *stored_at_end;
    double lost_in_jumps; /* J */
    double by_parameters; /* J: work of parameters that jumped, into storages */
    double residual;      /* J: what the balance lacks */
    double scale;         /* J: largest energy that took part, to judge the residual by */

    double *state;   /* at the end */
    double *outputs; /* there, of a run in parts; NULL: the system can be asked */
    int32_t *modes;  /* by automaton: the state it is in there; NULL: a run in parts */
    char failure[HBG_RT_WORDS +
                 260]; /* in words, where the run did not finish: when, where, with which values */
} hbg_rt_result;

/* Contacts came to rest at t: noted in `rested`. */
void hbg_rt_note_rest(hbg_rt_result *result, const char *contacts, double t);

/* ---- a run -------------------------------------------------------------------------------------------- */

/* Instants known in advance. */
typedef struct {
    double limit; /* the next of them, or where the caller pauses */
    bool pauses;  /* nothing but a pause is there */
    double
        given; /* the next but for relations that time alone decides: these are crossed, the rest is asked anew */
    double turn;    /* the next of those */
    double horizon; /* as far as they are known */
    double next_break;
    int32_t action;           /* the next */
    int32_t override;         /* likewise */
    int32_t overrides_before; /* the next when this instant began */
    hbg_rt_grid *ticks;       /* by clock */
    double *tick_next;        /* by clock: number of the next tick */
    int32_t *ticking;         /* clocks at this instant */
    double *tick_rates;       /* before what happens at a tick */
    bool is_compared;         /* they are those of this instant */
    int tick_changes;         /* ticks in a row that changed rates; and how many are not asked next */
    int tick_wait;
} hbg_rt_schedule;

/* The end of the last step, and what happens there. */
typedef struct {
    bool is_instant;   /* the last step ended at one */
    bool crossed;      /* it ended at located relations */
    bool turned;       /* it ended where time alone changes some */
    bool cut;          /* it ended inside of the step that was made, and nothing happens there */
    bool planned;      /* the present instant was known in advance */
    bool new_mode;     /* the last instant ended in another mode than it began in */
    bool taken_back;   /* the last instant found no end: the run is where it was before */
    bool ends;         /* a verdict ends the run behind the instant it is in */
    bool returned;     /* a guard was crossed there as soon as it had left equality */
    bool rests;        /* contacts come to rest there: what `words` say led to it */
    char rested[200];  /* which, last */
    int64_t close;     /* events that follow one another without progress */
    double last_event; /* s */
} hbg_rt_moment;

/* Long strides of fixed-step runs. */
typedef struct {
    bool on;
    bool unlooked; /* guards have not been looked at where the run is */
    bool stale;    /* the stepper does not know where the run is */
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
    struct hbg_rt_slide *slide;   /* NULL: chattering is told, and no more */
    hbg_rt_search search;         /* the event iteration, and the discrete state it works on */
    int32_t *states_before;       /* an instant: the discrete state */
    hbg_rt_log *log;              /* NULL: nobody listens */
    bool other_jacobian;          /* the mode is not the one the Jacobian was laid out for */
    bool wider_jacobian;          /* it was laid out anew, with more entries, since the stepper was made */
    bool hurry_told;              /* that a guard is too fast */
    bool unanswered_told;         /* a relation between no numbers has been told of */

    double t, *x;    /* where the run is */
    double end;      /* of the step that was made from there */
    double pause;    /* s: the time at which the present call of advance returns */
    double *x_other; /* a state before or after a jump, or inside a step */

    hbg_rt_grid steps, rows; /* of a fixed-step run; of recorded instants */
    double row_next;         /* number of the next recorded instant */
    hbg_rt_schedule schedule;
    hbg_rt_moment moment;
    hbg_rt_strides strides;

    uint64_t arithmetic; /* as it was before time flowed */
    char words[400];
};

/* Runs an instance that was made and given its parameters and inputs. Setup and result, with its arrays, outlive the engine. */
hbg_rt_status hbg_rt_engine_new(const hbg_rt_description *system, hbg_rt_instance *instance,
                                const hbg_rt_setup *setup, hbg_rt_result *result, hbg_rt_engine **made);
/* From declared energies to the first moment after t = 0, and to an integrator that is ready to step. */
hbg_rt_status hbg_rt_engine_start(hbg_rt_engine *engine);
/* From there to the stop, or to where it is to pause: that is an instant, and the run goes on from there when it is asked to. */
void hbg_rt_engine_pause_at(hbg_rt_engine *engine, double t);
hbg_rt_status hbg_rt_engine_advance(hbg_rt_engine *engine);
/* Also of a run that did not get to its stop, which ended with this status: what it has is given. */
hbg_rt_status hbg_rt_engine_finish(hbg_rt_engine *engine, hbg_rt_status status);
void hbg_rt_engine_free(hbg_rt_engine *engine); /* NULL is nothing */

/* ---- a run in pieces: several of them side by side ---------------------------------------------------- */

/* Declared energies in the start mode, before the first instant. Then what happens at the start, and what comes next. Behind it the
 * integrator, ready to step. */
hbg_rt_status hbg_rt_engine_declare(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_pass_start(hbg_rt_engine *engine, bool *moved);
hbg_rt_status hbg_rt_engine_close_start(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_choose(hbg_rt_engine *engine);
/* Makes a step, cut at `end` where a relation changes; the run is still where it was. */
hbg_rt_status hbg_rt_engine_step(hbg_rt_engine *engine);
/* The state at its end. */
void hbg_rt_engine_state_at_end(const hbg_rt_engine *engine, double *x);
/* Books the step that was made, up to a time in it; and goes to its end. */
hbg_rt_status hbg_rt_engine_book(hbg_rt_engine *engine, double end);
void hbg_rt_engine_arrive(hbg_rt_engine *engine);
/* A pause at the end of a step of a fixed length is nothing to the model: the next step goes on as if there had been none. */
bool hbg_rt_engine_only_pauses(const hbg_rt_engine *engine, double t);
/* An instant: the left limits, then what happens, then what comes next. */
hbg_rt_status hbg_rt_engine_open(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_pass(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_close(hbg_rt_engine *engine);
void hbg_rt_engine_count_instant(hbg_rt_engine *engine);
/* Behind the end of a step and its instant: the integrator is ready for the next step, or is another one. */
hbg_rt_status hbg_rt_engine_go_on(hbg_rt_engine *engine);

/* The number of instants the run will have, as far as it is known. */
double hbg_rt_engine_instant_count(const hbg_rt_engine *engine);
/* A time that is the same as one on the grid is that one. */
double hbg_rt_on_grid(const hbg_rt_grid *grid, double t);
/* Whether a planned time has come at t. */
static inline bool hbg_rt_is_due(double time, double t) {
    return time <= t || hbg_rt_same_instant(time, t);
}

#endif
