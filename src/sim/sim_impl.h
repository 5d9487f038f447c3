/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of a run share: the field with its tolerances and counts, the integrators behind one small interface, the
 * located relations, the ledger. Everything is allocated before the first step; an integrator that holds memory of
 * another library (SUNDIALS, KLU) takes it after its last allocation from the arena and gives it back in `end`, so that
 * exhaustion leaks nothing. */
#ifndef HBG_SIM_IMPL_H
#define HBG_SIM_IMPL_H

#include <math.h>

#include "sim/sim.h"

/* Instants nearer to each other than this, relative, are the same. */
#define HBG_SIM_SAME_INSTANT (8 * 2.220446049250313e-16)
static inline bool hbg_sim_same_instant(double a, double b) {
    double x = fabs(a), y = fabs(b);
    return fabs(a - b) <= HBG_SIM_SAME_INSTANT * (x < y ? x : y);
}

/* What a restart of an implicit method after an instant costs, in shortest time constants an explicit one passes meanwhile. */
#define HBG_SIM_RESTART 70

/* summary.c: what a stride keeps of it, and where it stands when a stride has. */
hbg_rt_extent hbg_sim_summary_extent(const hbg_sim_summary *summary);
void hbg_sim_summary_stand(hbg_sim_summary *summary, double t);

typedef struct hbg_sim_stepper hbg_sim_stepper;

#define HBG_SIM_ROUNDING                                                                                     \
    (16 * 2.220446049250313e-16) /* of what contributes to a value: rounding is not more */

/* ---- the field ---------------------------------------------------------------------------------------- */

typedef struct {
    int32_t n, nonzeros;
    int32_t capacity;     /* of the arrays by entry */
    int32_t *start, *row; /* by columns, the diagonal always there */
    int32_t *diagonal;    /* its place in each column */
    int32_t *place;       /* of each value the system gives */
    double *given;        /* those values */
    int32_t given_count;
    double *values; /* in the pattern, for whoever asks last */
} hbg_sim_jacobian;

/* What rounding brings to each state; rounding.c. */
typedef struct {
    double *rate;   /* in a second, while it is not forgotten */
    double *memory; /* s, until it is */
    double *size;   /* of which it is a share */
    double *then;   /* sizes of the states when that was found */
    double step;    /* s, likewise */
    int32_t steps;  /* since somebody looked */
} hbg_sim_rounding;

typedef struct {
    const hbg_rt_system *system;
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
    hbg_sim_rounding rounding;
    int64_t rates, jacobians, rejected;
    hbg_rt_status status; /* of the last call of the system that failed */
    double when;          /* and at which time */
    char words[200];      /* on it, where the system has none; "": it has */
    const char *reason;   /* the integrator's own words on why a step failed */
    int32_t worst;        /* the state whose error was largest in it; -1: not known */
    hbg_sim_jacobian jacobian;
    double *work[3]; /* states at hand for the moment */
    double *aside;   /* states as far beside those of a step as these may be wrong */
} hbg_sim_field;

void hbg_sim_field_init(hbg_sim_field *field, hbg_arena *arena, const hbg_rt_system *system,
                        hbg_rt_instance *instance, const hbg_sim_options *options);
/* Rates, counted; a value that is not finite is a failure. */
hbg_rt_status hbg_sim_rates(hbg_sim_field *field, double t, const double *x, double *dx);
/* Remembers how a call of the system ended, and fails where it did or where a value is not finite: then `what` and the name of
 * the value are told. */
hbg_rt_status hbg_sim_checked(hbg_sim_field *field, hbg_rt_status status, double t, int32_t count,
                              const double *values, const hbg_rt_variable *names, const char *what);
/* Sizes from a state and, where that is nothing, from what the next moments bring. */
hbg_rt_status hbg_sim_size_start(hbg_sim_field *field, double t, const double *x);
void hbg_sim_size_update(hbg_sim_field *field, const double *x);
/* Whether there is a state that has none to speak of. */
bool hbg_sim_has_no_size(const hbg_sim_field *field);
/* Whether a rate of 1/s is so fast that an implicit method pays, although it starts again after every instant. */
bool hbg_sim_is_stiff(const hbg_sim_field *field, double t, double rate);
/* States changed by a share of their sizes, to one side or the other. The shares differ, so that contributions do not cancel. */
void hbg_sim_shake(const hbg_sim_field *field, const double *x, const double *size, uint32_t seed, double by,
                   double *shaken);
/* A step ended at t and x: looks now and then at what rounding brings. */
void hbg_sim_rounding_note(hbg_sim_field *field, const hbg_sim_stepper *stepper, double t, const double *x);
/* What it brings to a state in the step that is judged. */
static inline double hbg_sim_rounding_of(const hbg_sim_field *field, int32_t i) {
    const hbg_sim_rounding *of = &field->rounding;
    return of->rate[i] * (field->step < of->memory[i] ? field->step : of->memory[i]);
}
/* The error a state of this magnitude may have in a step. */
static inline double hbg_sim_tolerance(const hbg_sim_field *field, int32_t i, double magnitude) {
    double size = field->size[i] > field->floor ? field->size[i] : field->floor;
    double asked = field->rtol * (field->atol > 0 ? magnitude : magnitude + 1e-3 * size) + field->atol;
    double brought = hbg_sim_rounding_of(field, i);
    return asked > brought ? asked : brought;
}

/* A pattern that holds the one there is (none in a zeroed struct) and the one given, which is taken. */
void hbg_sim_jacobian_widen(hbg_sim_jacobian *jacobian, hbg_arena *arena, hbg_rt_pattern pattern);
/* Values come in this pattern from now on; false, and of no use, if there is no place for some. Allocates nothing. */
bool hbg_sim_jacobian_take(hbg_sim_jacobian *jacobian, hbg_rt_pattern pattern);
/* Values in the pattern with diagonal. */
hbg_rt_status hbg_sim_jacobian_at(hbg_sim_field *field, double t, const double *x, double *values);
/* The same for Newton's iteration: where there is no slope, as of √x at 0, the one as far beside as states may be wrong. */
hbg_rt_status hbg_sim_jacobian_near(hbg_sim_field *field, double t, const double *x, double *values);
/* The spectral radius from below, whatever the units of the states: diagonal entries and pairs of states. `each`, unless it is
 * NULL: the largest that each state is part of. */
double hbg_sim_jacobian_pace(const hbg_sim_jacobian *jacobian, const double *values, double *each);

/* Numbers below 1e-308 count as 0 from here on to the restoration. */
uint64_t hbg_sim_subnormal_skip(void);
void hbg_sim_subnormal_restore(uint64_t before);

/* ---- integrators -------------------------------------------------------------------------------------- */

struct hbg_sim_stepper {
    const char *name;
    hbg_sim_solver solver;
    bool fixed;       /* a fixed-step method: relations are not located */
    bool implicit;    /* works with the Jacobian of the mode */
    bool remembers;   /* goes by the steps before the last */
    double t0, t1;    /* the last step */
    const double *x1; /* the state at its end */
    bool stiff;       /* noticed on the way */
    const double
        *work; /* by power line: J of the last step, by the method itself; NULL: it has no such sums */
    /* Starts at a point where the field may have changed. */
    hbg_rt_status (*begin)(hbg_sim_stepper *stepper, double t, const double *x);
    /* One accepted step that ends at the limit or before. */
    hbg_rt_status (*step)(hbg_sim_stepper *stepper, double limit);
    /* The state inside the last step. */
    void (*dense)(hbg_sim_stepper *stepper, double t, double *x);
    /* Takes a state of `dense` to where the field says what the polynomial does of fast components. NULL: no need to. */
    void (*polish)(hbg_sim_stepper *stepper, double t, double *x);
    void (*end)(hbg_sim_stepper *stepper);
};

/* NULL: no memory of the other library. */
hbg_sim_stepper *hbg_sim_erk_new(hbg_arena *arena, hbg_sim_field *field);
hbg_sim_stepper *hbg_sim_cvode_new(hbg_arena *arena, hbg_sim_field *field, bool adams);
hbg_sim_stepper *hbg_sim_fixed_new(hbg_arena *arena, hbg_sim_field *field, hbg_rt_method method, double step);
/* The explicit method behind a stepper, with scratch for strides; NULL if it is none. */
const hbg_rt_stepper *hbg_sim_fixed_method(const hbg_sim_stepper *stepper);
int64_t hbg_sim_fixed_rates(hbg_rt_method method); /* in a step */

/* KLU behind the interface rt lends solvers by: I − scale·J, refactored with kept analysis. */
typedef struct hbg_sim_sparse hbg_sim_sparse;
hbg_sim_sparse *hbg_sim_sparse_new(hbg_arena *arena, hbg_sim_field *field);
void hbg_sim_sparse_end(hbg_sim_sparse *sparse);
/* Factors identity·I − scale·J at t and x. */
hbg_rt_status hbg_sim_sparse_factor(hbg_sim_sparse *sparse, double t, const double *x, double identity,
                                    double scale);
void hbg_sim_sparse_solve(hbg_sim_sparse *sparse, double *b);

/* Up to this many states matrices are dense. */
#define HBG_SIM_DENSE_STATES 16

typedef struct {
    hbg_sim_solver solver;
    const char *why;
} hbg_sim_choice;
/* What `auto` takes, looking at the field at the start; `events`: instants known to come. */
hbg_rt_status hbg_sim_choose(hbg_arena *arena, hbg_sim_field *field, const double *x, double events,
                             hbg_sim_choice *choice);
/* Rates at which the linearized field decays, 1/s: the largest and the smallest that is not 0; 0 where none decays. */
typedef struct {
    double fastest_decay, slowest_decay;
    double fastest; /* largest magnitude of all eigenvalues */
} hbg_sim_spectrum;
hbg_rt_status hbg_sim_spectrum_at(hbg_arena *arena, hbg_sim_field *field, double t, const double *x,
                                  hbg_sim_spectrum *spectrum);
/* "12 ms", "1.5 ks" into text. */
void hbg_sim_duration_print(char *text, size_t size, double seconds);

/* ---- located relations -------------------------------------------------------------------------------- */

/* When the size of a root was last doubted. */
typedef struct {
    double value; /* magnitude it had then; 0: never */
    double size;  /* which was borne out */
    double apart; /* times that value, or a part of it, at which there is reason again: more each time */
} hbg_sim_doubt;

enum { HBG_SIM_SAMPLES = 5 }; /* of each interval that is searched, its ends included */

typedef struct {
    int32_t count;
    int32_t guard_first;             /* from here on guards: positive while nothing happens */
    double *sample[HBG_SIM_SAMPLES]; /* values at times of the interval, by root */
    double pace;          /* longest interval in which the samples tell how roots vary; 0: not known */
    bool nervous;         /* a root was faster than the steps, not long ago */
    int32_t calm;         /* intervals since then that told well how roots vary */
    int32_t intervals;    /* of this step so far */
    int32_t doubted;      /* times in a row that crossings were none */
    int32_t hurried;      /* a root that varies too fast to be followed; -1: none */
    double *now, *before; /* values at trial times */
    double *shaken;       /* likewise, at states changed a little */
    double *size;         /* largest magnitude so far */
    double *size_before;  /* where the interval began */
    double *reach;        /* by guard: how far it has been from 0 since it led to a collision last */
    double *clear;        /* how far since branches were taken last */
    double *sides, *told; /* size of what is compared: known; 0: not yet. And as told last */
    double *then;         /* by state: its size when that was asked */
    double asked;         /* when */
    bool has_asked;       /* in this interval */
    hbg_sim_doubt *doubt; /* by root, that it still counts */
    int8_t *side;         /* sign on the branch taken; 0: not known, the value is 0 */
    bool *armed;          /* has been clear of 0 on its side */
    bool *was_armed;      /* where the interval began */
    bool *begun;          /* guards: has been on its side by more than rounding */
    double *came; /* guards: its value near 0 where something planned happens; NAN: it has not come there */
    bool *beyond; /* its branch, where a crossing is looked for */
    int32_t *returns; /* times it came back without having been clear */
    int32_t *tries;   /* times it was crossed since somebody asked in vain whether it rests there */
    double *rest;     /* it rests, within so much of 0; 0: it does not; -1: it is left as it is */
    int32_t *crossed;
    int32_t *carried; /* roots beyond their branch because of what was crossed */
    int32_t crossed_count;
    bool touched;       /* they are guards that came to 0 and did not pass it */
    bool has_tips;      /* some of them have a cusp there, and count as at 0 */
    double *tip;        /* by guard: when; infinite: not */
    double *not_before; /* by guard: when it is asked again; infinite: at any time */
    bool *beside;       /* by guard crossed: came to 0 only, where others passed it */
    double *x, *dx;     /* trial states */
} hbg_sim_roots;

void hbg_sim_roots_init(hbg_sim_roots *roots, hbg_arena *arena, const hbg_sim_field *field);
/* Takes the branches that hold from t and x on. */
hbg_rt_status hbg_sim_roots_freeze(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x);
/* Likewise where something planned has happened: a guard that has come to 0 there and does not leave it crosses it behind the
 * instant, or turns. */
hbg_rt_status hbg_sim_roots_meet(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x);
/* The first crossing in the last step; *found tells whether there is one, then *t is where. */
hbg_rt_status hbg_sim_roots_find(hbg_sim_roots *roots, hbg_sim_field *field, hbg_sim_stepper *stepper,
                                 bool *found, double *t);
/* Whether guards found to cross at t do so by the field, too; those that do not are at equality there. */
hbg_rt_status hbg_sim_roots_confirm(hbg_sim_roots *roots, hbg_sim_field *field, hbg_sim_stepper *stepper,
                                    double t, bool *crosses);
/* Takes the branches beyond the roots found. */
hbg_rt_status hbg_sim_roots_cross(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x);
/* Takes the guards as they are from now on. */
hbg_rt_status hbg_sim_roots_refresh(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x);
/* Guards that have changed by now, for methods that look once a step. */
hbg_rt_status hbg_sim_roots_sample(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x);
/* A root that switches back and forth on the spot; -1 if none does. */
int32_t hbg_sim_roots_chattering(const hbg_sim_roots *roots);
/* Lets relations inside laws that the run has come to rest at be at 0 as long as they stay there; *rests tells. */
hbg_rt_status hbg_sim_roots_rest(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x,
                                 bool *rests);
/* Those that rest and have not left it do so with branches taken anew. */
void hbg_sim_roots_rest_again(hbg_sim_roots *roots, hbg_sim_field *field);
/* Lets the relations crossed be as they are from now on, if the field is the same on both their sides; *loose tells. */
hbg_rt_status hbg_sim_roots_loosen(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x,
                                   bool *loose);

/* ---- the ledger --------------------------------------------------------------------------------------- */

typedef struct {
    bool on;
    double *work, *rest; /* by power: sum and what rounding cut off */
    double *power, *energy;
    double *x;
    double lost, lost_rest;
    double given, given_rest; /* by parameters that jumped */
    double before;            /* stored before an instant */
    double scale;
} hbg_sim_ledger;

void hbg_sim_ledger_init(hbg_sim_ledger *ledger, hbg_arena *arena, const hbg_sim_field *field, bool on);
/* Adds the works over [t0, t1] of the last step. */
hbg_rt_status hbg_sim_ledger_step(hbg_sim_ledger *ledger, hbg_sim_field *field, hbg_sim_stepper *stepper,
                                  double t0, double t1);
/* Adds works that somebody else has summed. */
void hbg_sim_ledger_book(hbg_sim_ledger *ledger, const hbg_sim_field *field, const double *work);
/* Around an instant: what is stored before, and what was lost when x is the state after. */
hbg_rt_status hbg_sim_ledger_before(hbg_sim_ledger *ledger, hbg_sim_field *field, double t, const double *x);
/* Parameters have jumped since: what is stored is not what it was, with the same energies. */
hbg_rt_status hbg_sim_ledger_moved(hbg_sim_ledger *ledger, hbg_sim_field *field, double t, const double *x);
/* `given`: what parameters that jumped have done to storages. */
hbg_rt_status hbg_sim_ledger_after(hbg_sim_ledger *ledger, hbg_sim_field *field, double t, const double *x,
                                   double given);
hbg_rt_status hbg_sim_ledger_stored(hbg_sim_ledger *ledger, hbg_sim_field *field, double t, const double *x,
                                    double *stored);
/* Balance, once stored_at_start and stored_at_end are in the result. */
void hbg_sim_ledger_close(const hbg_sim_ledger *ledger, const hbg_sim_field *field, hbg_sim_result *result);

/* ---- words -------------------------------------------------------------------------------------------- */

/* Says in result->failure when, why and with which values a run could not go on. */
void hbg_sim_explain(hbg_sim_field *field, hbg_rt_status status, const char *solver, double t,
                     const double *x, hbg_sim_result *result);

#endif
