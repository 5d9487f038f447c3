/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The field of a run as integrators use it: rates and Jacobian with their counts, and the accuracy required
 * of states. Integrators have one small table of functions, whether they are of this folder or the caller's
 * (CVODE). */
#ifndef HBG_RT_FIELD_H
#define HBG_RT_FIELD_H

#include <math.h>

#include "rt/bands.h"
#include "rt/instance.h"
#include "rt/room.h"
#include "rt/step.h"

/* Whether two instants are the same. */
static inline bool hbg_rt_same_instant(double a, double b) {
    double x = fabs(a), y = fabs(b);
    return fabs(a - b) <= HBG_RT_SAME_INSTANT * (x < y ? x : y);
}

/* The cost of restarting an implicit method after an instant, in shortest time constants that an explicit one
 * covers meanwhile. */
#define HBG_RT_RESTART 70

typedef struct hbg_rt_integrator hbg_rt_integrator;
typedef struct hbg_rt_archive hbg_rt_archive;

/* ---- the field ---------------------------------------------------------------------------------------- */

/* What the integration has to fulfil. */
typedef struct {
    double stop;       /* s */
    double step;       /* s, of fixed-step methods; largest step of the others; 0: its own */
    double rtol, atol; /* 0: HBG_RT_RTOL, and HBG_RT_ATOL_SHARE·rtol·(largest magnitude so far) */
} hbg_rt_demand;

typedef struct {
    int32_t n, nonzeros;
    int32_t capacity;     /* of the arrays that are by entry */
    int32_t *start, *row; /* by columns, always with the diagonal */
    int32_t *diagonal;    /* its place in each column */
    int32_t *place;       /* of each value the system gives */
    double *given;        /* those values */
    int32_t given_count;
    double *values; /* in the pattern, for the last reader */
} hbg_rt_jacobian_matrix;

/* The contribution of rounding to each state (rounding.c). */
typedef struct {
    double *rate;   /* per second, while it is remembered */
    double *memory; /* s, for how long */
    double *size;   /* rate is a share of it */
    double *then;   /* sizes of the states at that time */
    double step;    /* s, likewise */
    int32_t steps;  /* since the last look */
} hbg_rt_rounding;

typedef struct {
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    int32_t n;
    double stop, max_step;
    bool books;        /* works of steps are needed */
    double rtol, atol; /* atol 0: by size */
    double *size;      /* largest magnitude each state has had */
    double stiff_from; /* more shortest time constants than this in the run are stiff */
    double instants;   /* instants found so far that were not planned */
    double floor;      /* the least size */
    double step;       /* s, of which errors are judged */
    hbg_rt_rounding rounding;
    int64_t rates, jacobians, rejected;
    hbg_rt_status status; /* of the last call of the system that failed */
    double when;          /* and its time */
    char words[200];      /* on it, if the system has none; "": it has */
    const char *reason;   /* the integrator's reason for a failed step */
    int32_t worst;        /* the state with the largest error in it; -1: unknown */
    hbg_rt_jacobian_matrix jacobian;
    double *work[3]; /* scratch states */
    double *aside;   /* states that differ from those of a step by their tolerance */
} hbg_rt_field;

/* Unusable if the room is exhausted afterwards. */
void hbg_rt_field_init(hbg_rt_field *field, hbg_rt_room *room, const hbg_rt_description *system,
                       hbg_rt_instance *instance, const hbg_rt_demand *demand);
/* Rates, counted; a value that is not finite is a failure. */
hbg_rt_status hbg_rt_field_rates(hbg_rt_field *field, double t, const double *x, double *dx);
/* Records how a call of the system ended, and fails if it did or if a value is not finite: then the message
 * has `what` and the name of the value. */
hbg_rt_status hbg_rt_field_checked(hbg_rt_field *field, hbg_rt_status status, double t, int32_t count,
                                   const double *values, const hbg_rt_variable *names, const char *what);
/* Sizes from a state and, where it is 0, from its change in the next moments. */
hbg_rt_status hbg_rt_field_size_start(hbg_rt_field *field, double t, const double *x);
void hbg_rt_field_size_update(hbg_rt_field *field, const double *x);
/* Whether some state has no usable size. */
bool hbg_rt_field_has_no_size(const hbg_rt_field *field);
/* Whether a rate of 1/s is so fast that an implicit method pays, although it restarts after every instant. */
bool hbg_rt_field_is_stiff(const hbg_rt_field *field, double t, double rate);
/* Perturbs states by a share of their sizes, up or down. The shares differ, so that contributions do not
 * cancel. */
void hbg_rt_field_shake(const hbg_rt_field *field, const double *x, const double *size, uint32_t seed,
                        double by, double *shaken);
/* A step ended at t and x: now and then finds the contribution of rounding. */
void hbg_rt_rounding_note(hbg_rt_field *field, const hbg_rt_integrator *stepper, double t, const double *x);
/* Its contribution to a state in the step under judgement. */
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

/* A pattern that holds the present one (empty in a zeroed struct) and the one given, which values then have.
 * If memory is exhausted the present one stays. */
hbg_rt_status hbg_rt_jacobian_widen(hbg_rt_jacobian_matrix *jacobian, hbg_rt_room *room,
                                    hbg_rt_pattern pattern);
/* Values have this pattern from then on; false, and unusable, if some do not fit. Allocates nothing. */
bool hbg_rt_jacobian_take(hbg_rt_jacobian_matrix *jacobian, hbg_rt_pattern pattern);
/* Values in the pattern with diagonal. */
hbg_rt_status hbg_rt_jacobian_at(hbg_rt_field *field, double t, const double *x, double *values);
/* The same for Newton's iteration: where there is no slope, as for √x at 0, the one a tolerance away. */
hbg_rt_status hbg_rt_jacobian_near(hbg_rt_field *field, double t, const double *x, double *values);
/* A lower bound of the spectral radius, independent of the units of states: diagonal entries and pairs of
 * states. `each`, unless it is NULL: the largest that each state is part of. */
double hbg_rt_jacobian_pace(const hbg_rt_jacobian_matrix *jacobian, const double *values, double *each);

/* Numbers below 1e-308 count as 0 until they are restored. */
uint64_t hbg_rt_subnormal_skip(void);
void hbg_rt_subnormal_restore(uint64_t before);

/* ---- integrators -------------------------------------------------------------------------------------- */

struct hbg_rt_integrator {
    const char *name;
    bool fixed;         /* a fixed-step method: relations are not located */
    bool implicit;      /* uses the Jacobian of the mode */
    bool remembers;     /* a multistep method */
    double t0, t1;      /* the last step */
    const double *x1;   /* the state at its end */
    bool stiff;         /* found during the run */
    const double *work; /* by power line: J of the last step, by the method; NULL: no such sums */
    /* Starts at a point where the field may have changed. */
    hbg_rt_status (*begin)(hbg_rt_integrator *stepper, double t, const double *x);
    /* One accepted step that ends at the limit or earlier. */
    hbg_rt_status (*step)(hbg_rt_integrator *stepper, double limit);
    /* The state inside the last step. */
    void (*dense)(hbg_rt_integrator *stepper, double t, double *x);
    /* And its rates there. NULL: nothing is located in its steps. */
    void (*slope)(hbg_rt_integrator *stepper, double t, double *dx);
    /* Corrects fast components of a state from `dense` by the field. NULL: not needed. */
    void (*polish)(hbg_rt_integrator *stepper, double t, double *x);
    void (*end)(hbg_rt_integrator *stepper);
    /* Writes or reads all that changes in it between two steps. NULL: it cannot be saved. */
    void (*keep)(hbg_rt_integrator *stepper, hbg_rt_archive *archive);
};

/* Up to this many states matrices are dense. */
#define HBG_RT_DENSE_STATES 16

/* NULL: out of memory. */
hbg_rt_integrator *hbg_rt_erk_new(hbg_rt_room *room, hbg_rt_field *field);
/* rodas.c: an implicit method with dense matrices; and the explicit pair, replaced by that method once it
 * finds the system stiff, or from the beginning. */
hbg_rt_integrator *hbg_rt_rodas_new(hbg_rt_room *room, hbg_rt_field *field);
hbg_rt_integrator *hbg_rt_pair_new(hbg_rt_room *room, hbg_rt_field *field, bool is_stiff);
/* `linear` is lent to the trapezoidal method until the integrator ends; NULL: its matrices are dense. */
hbg_rt_integrator *hbg_rt_fixed_new(hbg_rt_room *room, hbg_rt_field *field, hbg_rt_method method, double step,
                                    const hbg_rt_linear *linear);
/* The explicit method of a stepper, with scratch for strides; NULL if it is not explicit. */
const hbg_rt_stepper *hbg_rt_fixed_method(const hbg_rt_integrator *stepper);
int64_t hbg_rt_fixed_rates(hbg_rt_method method); /* per step */

#endif
