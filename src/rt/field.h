/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The field of a run as an integrator sees it: rates and Jacobian with their counts, and how exact states have to be. Integrators are
 * behind one small table: those of this folder, or one of somebody else (CVODE). */
#ifndef HBG_RT_FIELD_H
#define HBG_RT_FIELD_H

#include <math.h>

#include "rt/bands.h"
#include "rt/instance.h"
#include "rt/room.h"
#include "rt/step.h"

/* Whether instants are the same. */
static inline bool hbg_rt_same_instant(double a, double b) {
    double x = fabs(a), y = fabs(b);
    return fabs(a - b) <= HBG_RT_SAME_INSTANT * (x < y ? x : y);
}

/* What a restart of an implicit method after an instant costs, in shortest time constants an explicit one passes meanwhile. */
#define HBG_RT_RESTART 70

typedef struct hbg_rt_integrator hbg_rt_integrator;
typedef struct hbg_rt_archive hbg_rt_archive;

/* ---- the field ---------------------------------------------------------------------------------------- */

/* What is asked of the integration. */
typedef struct {
    double stop; /* s */
    double step; /* s, of fixed-step methods; largest step of the others; 0: its own */
    double rtol,
        atol; /* 0: HBG_RT_RTOL, and HBG_RT_ATOL_SHARE of rtol times the size the state has had so far */
} hbg_rt_demand;

typedef struct {
    int32_t n, nonzeros;
    int32_t capacity;     /* of the arrays by entry */
    int32_t *start, *row; /* by columns, the diagonal always there */
    int32_t *diagonal;    /* its place in each column */
    int32_t *place;       /* of each value the system gives */
    double *given;        /* those values */
    int32_t given_count;
    double *values; /* in the pattern, for whoever asks last */
} hbg_rt_jacobian_matrix;

/* What rounding brings to each state (rounding.c). */
typedef struct {
    double *rate;   /* in a second, while it is not forgotten */
    double *memory; /* s, until it is */
    double *size;   /* of which it is a share */
    double *then;   /* sizes of the states when that was found */
    double step;    /* s, likewise */
    int32_t steps;  /* since somebody looked */
} hbg_rt_rounding;

typedef struct {
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    int32_t n;
    double stop, max_step;
    bool books;        /* somebody wants works of steps */
    double rtol, atol; /* atol 0: by size */
    double *size;      /* largest magnitude each state has had */
    double stiff_from; /* more of the shortest time constants in the run than this are stiff */
    double instants;   /* that were found on the way so far */
    double floor;      /* no size counts as less */
    double step;       /* s, whose errors are judged */
    hbg_rt_rounding rounding;
    int64_t rates, jacobians, rejected;
    hbg_rt_status status; /* of the last call of the system that failed */
    double when;          /* and at which time */
    char words[200];      /* on it, where the system has none; "": it has */
    const char *reason;   /* the integrator's own words on why a step failed */
    int32_t worst;        /* the state whose error was largest in it; -1: not known */
    hbg_rt_jacobian_matrix jacobian;
    double *work[3]; /* states at hand for the moment */
    double *aside;   /* states as far beside those of a step as these may be wrong */
} hbg_rt_field;

/* Of no use where the room is exhausted behind it. */
void hbg_rt_field_init(hbg_rt_field *field, hbg_rt_room *room, const hbg_rt_description *system,
                       hbg_rt_instance *instance, const hbg_rt_demand *demand);
/* Rates, counted; a value that is not finite is a failure. */
hbg_rt_status hbg_rt_field_rates(hbg_rt_field *field, double t, const double *x, double *dx);
/* Remembers how a call of the system ended, and fails where it did or where a value is not finite: then `what` and the name of
 * the value are told. */
hbg_rt_status hbg_rt_field_checked(hbg_rt_field *field, hbg_rt_status status, double t, int32_t count,
                                   const double *values, const hbg_rt_variable *names, const char *what);
/* Sizes from a state and, where that is nothing, from what the next moments bring. */
hbg_rt_status hbg_rt_field_size_start(hbg_rt_field *field, double t, const double *x);
void hbg_rt_field_size_update(hbg_rt_field *field, const double *x);
/* Whether there is a state that has none to speak of. */
bool hbg_rt_field_has_no_size(const hbg_rt_field *field);
/* Whether a rate of 1/s is so fast that an implicit method pays, although it starts again after every instant. */
bool hbg_rt_field_is_stiff(const hbg_rt_field *field, double t, double rate);
/* States changed by a share of their sizes, to one side or the other. The shares differ, so that contributions do not cancel. */
void hbg_rt_field_shake(const hbg_rt_field *field, const double *x, const double *size, uint32_t seed,
                        double by, double *shaken);
/* A step ended at t and x: looks now and then at what rounding brings. */
void hbg_rt_rounding_note(hbg_rt_field *field, const hbg_rt_integrator *stepper, double t, const double *x);
/* What it brings to a state in the step that is judged. */
static inline double hbg_rt_rounding_of(const hbg_rt_field *field, int32_t i) {
    const hbg_rt_rounding *of = &field->rounding;
    return of->rate[i] * (field->step < of->memory[i] ? field->step : of->memory[i]);
}
/* The error a state of this magnitude may have in a step. */
static inline double hbg_rt_field_tolerance(const hbg_rt_field *field, int32_t i, double magnitude) {
    double size = field->size[i] > field->floor ? field->size[i] : field->floor;
    double asked =
        field->rtol * (field->atol > 0 ? magnitude : magnitude + HBG_RT_ATOL_SHARE * size) + field->atol;
    double brought = hbg_rt_rounding_of(field, i);
    return asked > brought ? asked : brought;
}

/* A pattern that holds the one there is (none in a zeroed struct) and the one given, which is taken. Without memory for it the one there
 * is stays. */
hbg_rt_status hbg_rt_jacobian_widen(hbg_rt_jacobian_matrix *jacobian, hbg_rt_room *room,
                                    hbg_rt_pattern pattern);
/* Values come in this pattern from now on; false, and of no use, if there is no place for some. Allocates nothing. */
bool hbg_rt_jacobian_take(hbg_rt_jacobian_matrix *jacobian, hbg_rt_pattern pattern);
/* Values in the pattern with diagonal. */
hbg_rt_status hbg_rt_jacobian_at(hbg_rt_field *field, double t, const double *x, double *values);
/* The same for Newton's iteration: where there is no slope, as of √x at 0, the one as far beside as states may be wrong. */
hbg_rt_status hbg_rt_jacobian_near(hbg_rt_field *field, double t, const double *x, double *values);
/* The spectral radius from below, whatever the units of the states: diagonal entries and pairs of states. `each`, unless it is
 * NULL: the largest that each state is part of. */
double hbg_rt_jacobian_pace(const hbg_rt_jacobian_matrix *jacobian, const double *values, double *each);

/* Numbers below 1e-308 count as 0 from here on to the restoration. */
uint64_t hbg_rt_subnormal_skip(void);
void hbg_rt_subnormal_restore(uint64_t before);

/* ---- integrators -------------------------------------------------------------------------------------- */

struct hbg_rt_integrator {
    const char *name;
    bool fixed;       /* a fixed-step method: relations are not located */
    bool implicit;    /* works with the Jacobian of the mode */
    bool remembers;   /* goes by the steps before the last */
    double t0, t1;    /* the last step */
    const double *x1; /* the state at its end */
    bool stiff;       /* noticed on the way */
    const double
        *work; /* by power line: J of the last step, by the method itself; NULL: it has no such sums */
    /* Starts at a point where the field may have changed. */
    hbg_rt_status (*begin)(hbg_rt_integrator *stepper, double t, const double *x);
    /* One accepted step that ends at the limit or before. */
    hbg_rt_status (*step)(hbg_rt_integrator *stepper, double limit);
    /* The state inside the last step. */
    void (*dense)(hbg_rt_integrator *stepper, double t, double *x);
    /* And how fast it goes there. NULL: nothing is located in its steps. */
    void (*slope)(hbg_rt_integrator *stepper, double t, double *dx);
    /* Takes a state of `dense` to where the field says what the polynomial does of fast components. NULL: no need to. */
    void (*polish)(hbg_rt_integrator *stepper, double t, double *x);
    void (*end)(hbg_rt_integrator *stepper);
    /* Writes all that changes in it between two steps, or reads it. NULL: it cannot be saved. */
    void (*keep)(hbg_rt_integrator *stepper, hbg_rt_archive *archive);
};

/* Up to this many states matrices are dense. */
#define HBG_RT_DENSE_STATES 16

/* NULL: no memory. */
hbg_rt_integrator *hbg_rt_erk_new(hbg_rt_room *room, hbg_rt_field *field);
/* rodas.c: an implicit method with dense matrices; and the explicit pair with that one in its place from where it notices that the system is
 * stiff, or from the beginning. */
hbg_rt_integrator *hbg_rt_rodas_new(hbg_rt_room *room, hbg_rt_field *field);
hbg_rt_integrator *hbg_rt_pair_new(hbg_rt_room *room, hbg_rt_field *field, bool is_stiff);
/* `linear` is lent to the trapezoidal method until the integrator ends, or is NULL: its matrices are dense. */
hbg_rt_integrator *hbg_rt_fixed_new(hbg_rt_room *room, hbg_rt_field *field, hbg_rt_method method, double step,
                                    const hbg_rt_linear *linear);
/* The explicit method behind a stepper, with scratch for strides; NULL if it is none. */
const hbg_rt_stepper *hbg_rt_fixed_method(const hbg_rt_integrator *stepper);
int64_t hbg_rt_fixed_rates(hbg_rt_method method); /* in a step */

#endif
