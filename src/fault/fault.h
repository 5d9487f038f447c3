/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults of a run. A fault is an override that the run owns: what a fault can act on gets its place in the model before that is
 * compiled, and while time flows only parameters, automata and sensors of the instance are set; nothing is compiled again.
 *
 * A value v that can be faulty, of a parameter, an element or a sensor that is not sampled, is replaced wherever it has an effect
 * while time flows by
 *
 *     v·scale + bias
 *
 * with as much of it as the faults need. Scale and bias are further parameters, 1 and 0 while nothing is wrong. Where a fault grows the
 * run moves them along straight lines in time (hbg_rt_set_line): every value, derivative and work follows them, and no formula
 * has the fault in it, so that one compiled model serves whatever creeps. */
#ifndef HBG_FAULT_H
#define HBG_FAULT_H

#include "model/model.h"
#include "sim/sim.h"

typedef struct { /* an element whose values read more than parameters, or bend with time; see watch.c */
    int32_t element;
    bool judged; /* a fault, `-p` or a sweep acts on it */
} hbg_fault_watched;

/* What a plan has room for beyond the faults that are listed, so that runs with others can use its code. */
typedef struct {
    bool jumps, creeps; /* any fault of an element or a sensor; those that grow with time too */
    bool params;        /* any fault of a parameter */
    bool
        sampled; /* with jumps: sensors that are sampled have places, too, for who sets nothing but parameters */
    bool watches; /* elements are watched that some fault or parameter could spoil */
} hbg_fault_ready;

typedef struct {
    hbg_model *model;  /* sorted: the one given, or a copy with places for faults */
    hbg_fault *faults; /* of the experiments, in order; objects are those of the model */
    int32_t fault_count;
    int32_t *
        places; /* by fault, HBG_FAULT_PLACES of them each: parameters of the value it acts on, or HBG_NONE */
    bool holds; /* some of them hold automata */
    bool lines; /* something creeps: the run moves parameters */
    struct hbg_fault_judge *judge; /* what hangs on the places; see judge.c */
    bool on_object;                /* some of them are on elements or sensors, not on parameters */
    hbg_fault_watched *watched;    /* if there is something to judge in the run: all that could be */
    int32_t watched_count;
    int32_t *nominal; /* by parameter, where something is watched: one with the value without all that */
    hbg_fault_ready ready;
} hbg_fault_plan;

#define HBG_FAULT_PLACES 2 /* scale, bias */

/* Makes places in a sorted model of the caller's own for the faults of the experiments listed; HBG_NONE among them is passed
 * over. What these experiments set is taken to be set. */
hbg_fault_plan *hbg_fault_plan_new(hbg_arena *arena, hbg_model *sorted, const int32_t *experiments,
                                   int32_t count);
/* Likewise with room for others. */
hbg_fault_plan *hbg_fault_plan_ready(hbg_arena *arena, hbg_model *sorted, const int32_t *experiments,
                                     int32_t count, hbg_fault_ready ready);

typedef struct {
    const hbg_sim_override *overrides; /* in order of time; cause: see hbg_fault_of_cause, or HBG_NONE */
    int32_t override_count;
    bool has_noise; /* so that the seed matters */
} hbg_fault_schedule;

typedef struct { /* faults of a plan, in order */
    const int32_t *faults;
    int32_t count;
} hbg_fault_choice;

/* What is to be set when in a run up to `stop`; noise that sensors have by themselves begins at 0. Of the faults of the plan there
 * are those of the choice (NULL: all), so that runs with different faults share one compiled model; the others cost nothing. The
 * plan is only read. */
hbg_fault_schedule hbg_fault_schedule_new(hbg_arena *arena, const hbg_fault_plan *plan, double stop,
                                          uint64_t seed, const hbg_fault_choice *choice);

typedef struct {
    int32_t fault; /* of the plan: the last that began before; HBG_NONE: none did */
    hbg_lost lost;
    double time; /* s, the first */
} hbg_fault_finding;

/* Looks for an element that the faults of a schedule, with the values the plan's model has now, would make before `stop` into what
 * it cannot be (hbg_model_passive_lost). False if there is none. */
bool hbg_fault_find_refused(hbg_arena *arena, const hbg_fault_plan *plan, const hbg_fault_schedule *schedule,
                            double stop, hbg_fault_finding *found);

/* The fault an override belongs to, and whether that begins or ends by it. */
static inline int32_t hbg_fault_of_cause(int32_t cause) {
    return cause / 2;
}
static inline bool hbg_fault_ends(int32_t cause) {
    return cause % 2 == 1;
}

#endif
