/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The engine's door: what runs a compiled model has to know, and no more. This folder needs the C library and nothing else, so that it
 * can be shipped with emitted code. Other headers of the folder are for those who compile models, or bring solvers of their own.
 *
 * Order of calls: read an image → new → set → start → advance, set, read, save, restore … → free. An integrator of the caller's own asks
 * for rates, Jacobian and indicators instead of advancing, and calls `instant` where an indicator changes its sign. A run belongs to one
 * thread at a time; runs of one image may go on side by side. */
#ifndef HBG_RT_H
#define HBG_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/description.h"

/* ---- status ------------------------------------------------------------------------------------------- */

/* identifier, text */
#define HBG_RT_STATUS_LIST(X)                                                                                \
    X(OK, "fine")                                                                                            \
    X(NOT_FINITE, "a value is not a finite number")                                                          \
    X(SINGULAR, "a linear loop has no unique solution")                                                      \
    X(NO_CONVERGENCE, "a nonlinear loop was not solved")                                                     \
    X(NO_CAUSALITY, "the mode has no valid causal assignment")                                               \
    X(UNDEFINED, "a value that has no meaning is read")                                                      \
    X(STEP_TOO_SMALL, "the step became too small")                                                           \
    X(TOO_MANY_STEPS, "too many steps")                                                                      \
    X(INTERRUPTED, "interrupted")                                                                            \
    X(CANNOT_WRITE, "results cannot be written")                                                             \
    X(NO_MEMORY, "out of memory")                                                                            \
    X(BAD_OPTION, "an option is out of its range")                                                           \
    X(VERDICT, "the switching of the model is not consistent")                                               \
    X(NOT_THERE, "the image has no code for this mode: compile the model with what is asked for here")       \
    X(BAD_IMAGE, "the bytes are no image that can be run")

typedef enum {
#define X(id, text) HBG_RT_##id,
    HBG_RT_STATUS_LIST(X)
#undef X
        HBG_RT_STATUS_COUNT
} hbg_rt_status;

const char *hbg_rt_status_text(hbg_rt_status status);

/* Where and why the last call on an instance failed. */
typedef struct {
    hbg_rt_status status;
    double time;
    char text[480]; /* in words: block, variables and their values */
    /* of a mode without causality: what would help, or NULL; and the states of its automata */
    const char *way_out;
    const int32_t *states;
    /* of a run: the number of the verdict that ended it, 0: none; how many did not end it, and the first of these in words */
    int32_t verdict;
    int64_t warnings;
    const char *warning;
} hbg_rt_failure;

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Two functions of the caller. What is allocated is zeroed and aligned for any object; NULL: there is none left. They are called when
 * something is made, and when a mode is visited for the first time. */
typedef struct {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
} hbg_rt_memory;

/* ---- images ------------------------------------------------------------------------------------------- */

typedef struct hbg_rt_loaded hbg_rt_loaded; /* a compiled model in memory */

/* Reads a file that `hbg compile` has written, of the whole model; the bytes are copied. HBG_RT_BAD_IMAGE: they are no image that can be run, and `reason` says why.
 * Released by hbg_rt_loaded_free, after its runs. */
hbg_rt_status hbg_rt_image_read(const void *bytes, size_t size, hbg_rt_memory memory, hbg_rt_loaded **loaded,
                                char *reason, size_t reason_size);
void hbg_rt_loaded_free(hbg_rt_loaded *loaded); /* NULL is nothing */
/* Names and counts of all that is read and set below. */
const hbg_rt_description *hbg_rt_loaded_description(const hbg_rt_loaded *loaded);

/* ---- runs --------------------------------------------------------------------------------------------- */

typedef struct hbg_rt_run hbg_rt_run;

typedef enum { HBG_RT_EULER, HBG_RT_HEUN, HBG_RT_ODE3, HBG_RT_RK4, HBG_RT_TRAPEZOIDAL } hbg_rt_method;

/* Whether an implicit method, of order 4 with steps of its own, takes the place of the embedded pair. */
typedef enum { HBG_RT_EXPLICIT, HBG_RT_WHERE_STIFF, HBG_RT_IMPLICIT } hbg_rt_stiffness;

typedef struct {
    hbg_rt_memory memory;
    double stop;                /* s: a run goes no further */
    bool fixed;                 /* a fixed-step method; not: the embedded pair of Runge and Kutta */
    hbg_rt_stiffness stiffness; /* of what has no fixed step */
    hbg_rt_method method;       /* which */
    double step;                /* s, of a fixed-step method; the longest of the pair; 0: its own */
    double rtol, atol;          /* 0: as the engine likes */
    bool ledger;                /* works are summed up (HBG_RT_READ_WORK) */
    bool strict;                /* what is a warning otherwise ends the run */
    bool zeno_rest;             /* where events accumulate contacts come to rest, instead of ending the run */
    bool slides;                /* a run that chatters across one surface goes on along it */
    bool tries;    /* what is asked at points of the caller's leaves no trace, but where they are accepted */
    bool reserves; /* all memory is taken before the start is over, whatever may be set later */
    /* Rows of outputs, as `hbg run` writes them: every `every` seconds, or 0: at the end of every step; and where something jumps. False
     * ends the run (HBG_RT_CANNOT_WRITE). NULL: there are none. */
    bool (*row)(void *context, double t, const double *outputs);
    void *row_context;
    double every;
} hbg_rt_options;

/* The image outlives the run. HBG_RT_BAD_OPTION, HBG_RT_NO_MEMORY: there is none. */
hbg_rt_status hbg_rt_run_new(const hbg_rt_loaded *loaded, const hbg_rt_options *options, hbg_rt_run **run);
void hbg_rt_run_free(hbg_rt_run *run); /* NULL is nothing */

/* Instead of a state that an automaton is held in: none, the state it is in if that is on (off), else the nearest one that is. */
enum { HBG_RT_HOLD_NOT = -1, HBG_RT_HOLD_ON = -2, HBG_RT_HOLD_OFF = -3 };

typedef enum {
    HBG_RT_INPUT,
    HBG_RT_PARAM,
    HBG_RT_LINE,
    HBG_RT_AUTOMATON,
    HBG_RT_SENSOR,
    HBG_RT_STOP
} hbg_rt_set_kind;

/* What a sensor makes of the truth y at t: y·(scale + scale_rate·t) + bias + bias_rate·t + noise, or what it is stuck at. */
typedef struct {
    double scale, scale_rate, bias, bias_rate; /* 1, 0, 0, 0: the truth */
    double mean, deviation;                    /* of white Gaussian noise */
    bool is_stuck;
    double stuck;
    uint64_t seed, key; /* of the noise: of the run, of the sensor */
} hbg_rt_sensor;

typedef struct {
    hbg_rt_set_kind kind;
    int32_t index;               /* of an input, a parameter, an automaton or a clock */
    double value;                /* of an input or a parameter; of a line at t = 0; s, of the stop */
    double slope;                /* of a line: a parameter is value + slope·time from now on */
    int32_t state;               /* of an automaton that is held */
    const hbg_rt_sensor *sensor; /* what a clock reads through, borrowed; NULL: the truth */
} hbg_rt_set;

/* Before the start it holds from the start on. Later it happens at the time the run is at, with all others that are set there, as soon as
 * anything else is asked for: what was read before are the left limits. A stop that is later than the run's own takes its place at once,
 * and nothing happens. */
hbg_rt_status hbg_rt_run_set(hbg_rt_run *run, const hbg_rt_set *what);
/* From declared energies to the first moment after t = 0. */
hbg_rt_status hbg_rt_run_start(hbg_rt_run *run);
/* To t, or to the stop if that comes before; events on the way are found. The run is at its right side then. */
hbg_rt_status hbg_rt_run_advance(hbg_rt_run *run, double t);

/* After the last advance, which ended with this status: books are closed and the last row is written. Then a run is only read. */
hbg_rt_status hbg_rt_run_finish(hbg_rt_run *run, hbg_rt_status status);

typedef enum {
    HBG_RT_READ_TIME, /* s, one number */
    HBG_RT_READ_NEXT, /* s: the next instant that is known in advance; that at which the run is to pause, if it comes before */
    HBG_RT_READ_STATES,   /* by state */
    HBG_RT_READ_RATES,    /* by state */
    HBG_RT_READ_OUTPUTS,  /* by output */
    HBG_RT_READ_POWERS,   /* by power line, W */
    HBG_RT_READ_ENERGIES, /* by storage, J */
    HBG_RT_READ_WORK,     /* by power line, J, since the start */
    HBG_RT_READ_MODES,    /* by automaton: the number of its state */
    HBG_RT_READ_COMMITS,  /* one number: how many modes have become real since the start */
    HBG_RT_READ_PARAMS,   /* by parameter, also before the start */
    HBG_RT_READ_KNOWN, /* s: as far as instants are known in advance; nothing that is planned comes unheard before */
    HBG_RT_READ_SIZES, /* by state: the largest it has been, of which errors are shares; 0: not known */
    HBG_RT_READ_INDICATORS /* by root of the description, elsewhere only: where one changes its sign something happens */
} hbg_rt_what;
/* What a run has where it is. */
hbg_rt_status hbg_rt_run_read(hbg_rt_run *run, hbg_rt_what what, double *values);

/* ---- for an integrator of the caller's own ------------------------------------------------------------ */

/* A sparse matrix by columns: rows of column j are row[start[j]] … row[start[j+1]-1], increasing. */
typedef struct {
    int32_t count; /* rows and columns */
    const int32_t *start, *row;
} hbg_rt_pattern;

/* What a run would have at t with the energies x: rates, outputs, indicators, or states, which are x with the energies of dependent storages
 * from those of independent ones (`values` may be x). */
hbg_rt_status hbg_rt_run_at(hbg_rt_run *run, hbg_rt_what what, double t, const double *x, double *values);
/* ∂rates/∂x in the present mode, exact. The pattern stands until the mode changes; `values` NULL: the pattern only. */
hbg_rt_status hbg_rt_run_jacobian(hbg_rt_run *run, double t, const double *x, hbg_rt_pattern *pattern,
                                  double *values);
/* By indicator, as they stand since the last instant: the sign it has on the branch taken, 0: it is at 0 and stays there; its size, more
 * than 0; and the share of that within which it counts as 0. */
void hbg_rt_run_branches(const hbg_rt_run *run, int8_t *sides, double *sizes, double *bands);
/* A step of the caller's ended at (t, x), and no indicator has changed its sign: guards that were at equality count again. */
hbg_rt_status hbg_rt_run_accept(hbg_rt_run *run, double t, const double *x);
/* Passes the instant at t: modes and energies x, in and out, until time flows on. `crossed`: indicators that changed their sign here.
 * Inputs that were set happen in it. With `one_commit` it returns after each commit; while that is true then, it is called again, and what
 * was crossed does not count any more. NULL: it is passed at once. A run with a fixed step looks at its guards itself, and `crossed` is empty:
 * its caller comes at the end of each step. HBG_RT_VERDICT: hbg_rt_run_failed says what is wrong with the switching. */
hbg_rt_status hbg_rt_run_instant(hbg_rt_run *run, double t, double *x, const int32_t *crossed, int32_t count,
                                 bool *one_commit);

/* ---- saved runs --------------------------------------------------------------------------------------- */

/* All that changes in a run, as bytes; how many they are. No more than `size` are written. 0: the run has not been started, or its
 * integrator cannot be saved. */
size_t hbg_rt_run_save(const hbg_rt_run *run, void *bytes, size_t size);
/* The run goes on from where it was saved, to the bit. It may be another one, made of the same image with the same options; what was set
 * by pointer, sensors, is set anew by the caller. HBG_RT_BAD_OPTION: the bytes are of another model, or of other options. */
hbg_rt_status hbg_rt_run_restore(hbg_rt_run *run, const void *bytes, size_t size);

/* Where and why the last call failed, and what was wrong with the switching so far. */
const hbg_rt_failure *hbg_rt_run_failed(const hbg_rt_run *run);

#endif
