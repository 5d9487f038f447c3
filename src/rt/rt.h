/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The engine's public header: everything a program that runs a compiled model needs to know. This folder
 * needs only the C library, so it can be shipped with emitted code. Other headers of the folder are for
 * programs that compile models, or bring other solvers.
 *
 * Order of calls: read an image → new → set → start → advance, set, read, save, restore … → free. A caller
 * with its own integrator computes rates, Jacobian and indicators instead of advancing, and calls `instant`
 * where an indicator changes its sign. A run belongs to one thread at a time; runs of one image may proceed
 * in parallel. */
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
    X(BAD_IMAGE, "the bytes are not an image that can be run")

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
    /* of a run: the verdict that ended it, 0: none; how many others there were, and the first in words */
    int32_t verdict;
    int64_t warnings;
    const char *warning;
} hbg_rt_failure;

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Two functions of the caller. Allocated memory is zeroed and aligned for any object; NULL: out of memory.
 * They are called when something is made, and when a mode is visited for the first time. */
typedef struct {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
} hbg_rt_memory;

/* ---- images ------------------------------------------------------------------------------------------- */

typedef struct hbg_rt_loaded hbg_rt_loaded; /* a compiled model in memory */

/* Reads a file that `hbg compile` has written, of the whole model; the bytes are copied. HBG_RT_BAD_IMAGE:
 * it cannot be run; `reason` says why. Freed by hbg_rt_loaded_free, after its runs. */
hbg_rt_status hbg_rt_image_read(const void *bytes, size_t size, hbg_rt_memory memory, hbg_rt_loaded **loaded,
                                char *reason, size_t reason_size);
void hbg_rt_loaded_free(hbg_rt_loaded *loaded); /* NULL does nothing */
/* Names and counts of everything that is read and set below. */
const hbg_rt_description *hbg_rt_loaded_description(const hbg_rt_loaded *loaded);

/* ---- runs --------------------------------------------------------------------------------------------- */

typedef struct hbg_rt_run hbg_rt_run;

typedef enum { HBG_RT_EULER, HBG_RT_HEUN, HBG_RT_ODE3, HBG_RT_RK4, HBG_RT_TRAPEZOIDAL } hbg_rt_method;

/* Whether an implicit method, of order 4 with its own steps, replaces the embedded pair. */
typedef enum { HBG_RT_EXPLICIT, HBG_RT_WHERE_STIFF, HBG_RT_IMPLICIT } hbg_rt_stiffness;

typedef struct {
    hbg_rt_memory memory;
    double stop;                /* s: the end of a run */
    bool fixed;                 /* a fixed-step method; else the embedded Runge-Kutta pair */
    hbg_rt_stiffness stiffness; /* without a fixed step */
    hbg_rt_method method;       /* which */
    double step;                /* s, of a fixed-step method; the longest of the pair; 0: chosen */
    double rtol, atol;          /* 0: chosen by the engine */
    bool ledger;                /* works are summed (HBG_RT_READ_WORK) */
    bool strict;                /* warnings end the run */
    bool zeno_rest;             /* where events accumulate contacts come to rest, and the run does not end */
    bool slides;                /* a run that chatters across one surface continues along it */
    bool tries;    /* evaluations at the caller's points have no effect, unless they are accepted */
    bool reserves; /* all memory is allocated before the start ends, whatever is set later */
    /* Rows of outputs, as `hbg run` writes them: every `every` seconds, or 0: at the end of every step; and
     * where something jumps. False ends the run (HBG_RT_CANNOT_WRITE). NULL: no rows. */
    bool (*row)(void *context, double t, const double *outputs);
    void *row_context;
    double every;
} hbg_rt_options;

/* The image outlives the run. HBG_RT_BAD_OPTION, HBG_RT_NO_MEMORY: no run is made. */
hbg_rt_status hbg_rt_run_new(const hbg_rt_loaded *loaded, const hbg_rt_options *options, hbg_rt_run **run);
void hbg_rt_run_free(hbg_rt_run *run); /* NULL does nothing */

/* Instead of a state in which an automaton is held: none, its present state if that is on (off), else the
 * nearest one that is. */
enum { HBG_RT_HOLD_NOT = -1, HBG_RT_HOLD_ON = -2, HBG_RT_HOLD_OFF = -3 };

typedef enum {
    HBG_RT_INPUT,
    HBG_RT_PARAM,
    HBG_RT_LINE,
    HBG_RT_AUTOMATON,
    HBG_RT_SENSOR,
    HBG_RT_STOP
} hbg_rt_set_kind;

/* The reading of a sensor for the true value y at t: y·(scale + scale_rate·t) + bias + bias_rate·t + noise,
 * or the value it is stuck at. */
typedef struct {
    double scale, scale_rate, bias, bias_rate; /* 1, 0, 0, 0: the true value */
    double mean, deviation;                    /* of white Gaussian noise */
    bool is_stuck;
    double stuck;
    uint64_t seed, key; /* of the noise: of the run, of the sensor */
} hbg_rt_sensor;

typedef struct {
    hbg_rt_set_kind kind;
    int32_t index;               /* of an input, a parameter, an automaton or a clock */
    double value;                /* of an input or a parameter; of a line at t = 0; s, of the stop */
    double slope;                /* of a line: from then on a parameter is value + slope·time */
    int32_t state;               /* of an automaton that is held */
    const hbg_rt_sensor *sensor; /* what a clock reads through, borrowed; NULL: the true value */
} hbg_rt_set;

/* Before the start it holds from the start on. Later it takes effect at the present time of the run, together
 * with all others set there, at the next call of another kind: values read before are the left limits. A stop
 * later than the run's own replaces it at once, and nothing else happens. */
hbg_rt_status hbg_rt_run_set(hbg_rt_run *run, const hbg_rt_set *what);
/* From declared energies to the first moment after t = 0. */
hbg_rt_status hbg_rt_run_start(hbg_rt_run *run);
/* To t, or to an earlier stop; events before it are located. The run is then at its right side. */
hbg_rt_status hbg_rt_run_advance(hbg_rt_run *run, double t);

/* After the last advance, which ended with this status: the ledger is closed and the last row written. Then
 * the run can only be read. */
hbg_rt_status hbg_rt_run_finish(hbg_rt_run *run, hbg_rt_status status);

typedef enum {
    HBG_RT_READ_TIME,      /* s, one number */
    HBG_RT_READ_NEXT,      /* s: the next planned instant, or an earlier pause */
    HBG_RT_READ_STATES,    /* by state */
    HBG_RT_READ_RATES,     /* by state */
    HBG_RT_READ_OUTPUTS,   /* by output */
    HBG_RT_READ_POWERS,    /* by power line, W */
    HBG_RT_READ_ENERGIES,  /* by storage, J */
    HBG_RT_READ_WORK,      /* by power line, J, since the start */
    HBG_RT_READ_MODES,     /* by automaton: the number of its state */
    HBG_RT_READ_COMMITS,   /* one number: how many modes have been committed since the start */
    HBG_RT_READ_PARAMS,    /* by parameter, also before the start */
    HBG_RT_READ_KNOWN,     /* s: up to here all planned instants are known */
    HBG_RT_READ_SIZES,     /* by state: the largest magnitude, of which errors are shares; 0: unknown */
    HBG_RT_READ_INDICATORS /* by root, hbg_rt_run_at only: a change of sign is an event */
} hbg_rt_what;
/* Values at the present time of the run. */
hbg_rt_status hbg_rt_run_read(hbg_rt_run *run, hbg_rt_what what, double *values);

/* ---- for an integrator of the caller's own ------------------------------------------------------------ */

/* A sparse matrix by columns: rows of column j are row[start[j]] … row[start[j+1]-1], increasing. */
typedef struct {
    int32_t count; /* rows and columns */
    const int32_t *start, *row;
} hbg_rt_pattern;

/* Values of a run at t with the energies x: rates, outputs, indicators, or states, which are x with the
 * energies of dependent storages computed from those of independent ones (`values` may be x). */
hbg_rt_status hbg_rt_run_at(hbg_rt_run *run, hbg_rt_what what, double t, const double *x, double *values);
/* ∂rates/∂x in the present mode, exact. The pattern is valid in that mode; `values` NULL: pattern only. */
hbg_rt_status hbg_rt_run_jacobian(hbg_rt_run *run, double t, const double *x, hbg_rt_pattern *pattern,
                                  double *values);
/* By indicator, since the last instant: the sign it has on the branch taken, 0: it is at 0 and stays there;
 * its size, positive; and the share of that within which it counts as 0. */
void hbg_rt_run_branches(const hbg_rt_run *run, int8_t *sides, double *sizes, double *bands);
/* A step of the caller ended at (t, x) without a change of sign: guards that were at equality count again. */
hbg_rt_status hbg_rt_run_accept(hbg_rt_run *run, double t, const double *x);
/* Passes the instant at t: modes and energies x, in and out, until time advances. `crossed`: indicators that changed their sign here.
 * Inputs that were set happen in it. With `one_commit` it returns after each commit; while that is true then, it is called again, and what
 * was crossed does not count any more. NULL: it is passed at once. A run with a fixed step looks at its guards itself, and `crossed` is empty:
 * its caller comes at the end of each step. HBG_RT_VERDICT: hbg_rt_run_failed says what is wrong with the switching. */
hbg_rt_status hbg_rt_run_instant(hbg_rt_run *run, double t, double *x, const int32_t *crossed, int32_t count,
                                 bool *one_commit);

/* ---- saved runs --------------------------------------------------------------------------------------- */

/* Everything that changes in a run, as bytes; returns how many. At most `size` are written. 0: the run has
 * not been started, or its integrator cannot be saved. */
size_t hbg_rt_run_save(const hbg_rt_run *run, void *bytes, size_t size);
/* The run continues from where it was saved, to the bit. It may be another run, made of the same image with
 * the same options; the caller sets what was set by pointer, the sensors, again. HBG_RT_BAD_OPTION: the bytes
 * belong to another model, or to other options. */
hbg_rt_status hbg_rt_run_restore(hbg_rt_run *run, const void *bytes, size_t size);

/* Where and why the last call failed, and the findings about switching so far. */
const hbg_rt_failure *hbg_rt_run_failed(const hbg_rt_run *run);

#endif
