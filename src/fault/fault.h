/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults of a run. A fault is an override that the run owns: what a fault can act on gets its place in the model before that is
 * compiled, and while time advances only parameters, automata and sensors of the instance are set; nothing is compiled again.
 *
 * A value v that can be faulty, of a parameter, an element or a sensor that is not sampled, is replaced wherever it has an effect
 * while time advances by
 *
 *     v·scale + bias
 *
 * with as many of these parts as the faults need. Scale and bias are further parameters, 1 and 0 without a
 * fault. For a growing fault the run moves them linearly in time (hbg_rt_set_line): every value, derivative
 * and work follows them, and no formula contains the fault, so one compiled model serves all incipient
 * faults. */
#ifndef HBG_FAULT_H
#define HBG_FAULT_H

#include "model/model.h"
#include "sim/sim.h"

typedef struct { /* an element with values of more than parameters, or nonlinear in time; see watch.c */
    int32_t element;
    bool judged; /* a fault, `-p` or a sweep acts on it */
} hbg_fault_watched;

/* Further faults that a plan has places for, so that runs with other faults can use its code. */
typedef struct {
    bool jumps, creeps; /* abrupt faults of any element or sensor; incipient ones, too */
    bool params;        /* any fault of a parameter */
    bool sampled;       /* with jumps: sampled sensors have places, too, for users that set only parameters */
    bool watches;       /* elements are watched that a fault or parameter could make invalid */
} hbg_fault_ready;

typedef struct {
    hbg_model *model;  /* sorted: the one given, or a copy with places for faults */
    hbg_fault *faults; /* of the experiments, in order; objects are those of the model */
    int32_t fault_count;
    int32_t *places; /* by fault, HBG_FAULT_PLACES each: parameters of its target value, or HBG_NONE */
    bool holds;      /* some faults hold automata */
    bool lines;      /* a fault is incipient: the run moves parameters */
    struct hbg_fault_judge *judge; /* what depends on the places; see judge.c */
    bool on_object;                /* some faults are on elements or sensors, not on parameters */
    hbg_fault_watched *watched;    /* all elements that may be judged, if some are judged in the run */
    int32_t watched_count;
    int32_t *nominal; /* by parameter, if elements are watched: a parameter with its nominal value */
    hbg_fault_ready ready;
} hbg_fault_plan;

#define HBG_FAULT_PLACES 2 /* scale, bias */

/* Makes places for the faults of the listed experiments in a sorted model of the caller; HBG_NONE in the list
 * is skipped. Settings of these experiments count as made. */
hbg_fault_plan *hbg_fault_plan_new(hbg_arena *arena, hbg_model *sorted, const int32_t *experiments,
                                   int32_t count);
/* Likewise with room for others. */
hbg_fault_plan *hbg_fault_plan_ready(hbg_arena *arena, hbg_model *sorted, const int32_t *experiments,
                                     int32_t count, hbg_fault_ready ready);

typedef struct {
    const hbg_sim_override *overrides; /* in order of time; cause: see hbg_fault_of_cause, or HBG_NONE */
    int32_t override_count;
    bool has_noise; /* the seed matters */
} hbg_fault_schedule;

typedef struct { /* faults of a plan, in order */
    const int32_t *faults;
    int32_t count;
} hbg_fault_choice;

/* The overrides of a run up to `stop`; noise in the declaration of a sensor begins at 0. Only the chosen
 * faults of the plan occur (NULL: all), so runs with different faults share one compiled model; the others
 * cost nothing. The plan is only read. */
hbg_fault_schedule hbg_fault_schedule_new(hbg_arena *arena, const hbg_fault_plan *plan, double stop,
                                          uint64_t seed, const hbg_fault_choice *choice);

typedef struct {
    int32_t fault; /* of the plan: the last that began before; or HBG_NONE */
    hbg_lost lost;
    double time; /* s, the first */
} hbg_fault_finding;

/* Searches for an element that the faults of a schedule, with the present values of the plan's model, would
 * make invalid before `stop` (hbg_model_passive_lost). False if there is none. */
bool hbg_fault_find_refused(hbg_arena *arena, const hbg_fault_plan *plan, const hbg_fault_schedule *schedule,
                            double stop, hbg_fault_finding *found);

/* The fault of an override, and whether the override begins or ends it. */
static inline int32_t hbg_fault_of_cause(int32_t cause) {
    return cause / 2;
}
static inline bool hbg_fault_ends(int32_t cause) {
    return cause % 2 == 1;
}

#endif
