/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instance of an FMU, for the files of this folder. */
#ifndef HBG_FMU_IMPL_H
#define HBG_FMU_IMPL_H

#include "fmu/fmu.h"
#include "rt/room.h"

/* What the importer has set; the run gets it when it happens. */
typedef struct {
    double *inputs, *params; /* by input, by parameter */
    int32_t *holds;          /* by automaton: its state, HBG_RT_HOLD_NOT */
    /* By all of these, one after another: 0: as the model says; 1: set; 2: set and not yet known to the run. */
    uint8_t *marks;
    int32_t mark_count;
    bool waits; /* some are not yet known to it */
} hbg_fmu_settings;

/* Branches of indicators since the last instant. */
typedef struct {
    int8_t *sides;
    double *sizes, *bands;
    bool *armed; /* has been clear of 0 since */
    double *values;
    int32_t *crossed;
} hbg_fmu_branches;

/* Where the importer is; what has been computed there. */
typedef struct {
    double t;
    double *x;
    double *before; /* a copy of x */
    double *outputs, *rates;
    bool has_outputs, has_rates;
} hbg_fmu_point;

struct hbg_fmu_instance {
    hbg_rt_room room; /* it is in it */
    const hbg_fmu_model *model;
    hbg_fmu_options options;
    const hbg_rt_description *system;
    hbg_fmu_layout layout;
    hbg_rt_loaded *loaded;
    hbg_rt_run *run;
    bool is_started; /* the run */
    hbg_fmu_phase phase;
    hbg_fmu_settings set;
    hbg_fmu_branches branches;
    hbg_fmu_point at;
    double *params;                        /* values of all parameters, where they were asked for */
    double *modes;                         /* by automaton */
    double *nominals;                      /* by state, as told last */
    double *rates_before;                  /* by state: up to the instant that was opened last */
    bool knows_before;                     /* there were some */
    double *sizes;                         /* by group of units: the largest state or area so far */
    double *areas;                         /* by bond: of efforts, then of flows */
    double rtol;                           /* as the importer says; 0: as the model does */
    double stop;                           /* s: as the importer says; INFINITY */
    double next;                           /* s: the next instant known in advance */
    bool opens;                            /* event mode begins: the instant has not been opened */
    bool is_open;                          /* the instant has not come to its end */
    bool drifted;                          /* it was asked for because energies had drifted */
    bool states_changed, nominals_changed; /* in this stay in event mode */
    int64_t warnings;                      /* told */
    double commits;                        /* where this step of co-simulation began */
};

/* instance.c: makes the run anew, with what was set; starts it; tells what it failed with. */
bool hbg_fmu_begin(hbg_fmu_instance *instance);
bool hbg_fmu_make_run(hbg_fmu_instance *instance);
void hbg_fmu_stop_at(hbg_fmu_instance *instance, double stop); /* at this time, if it is later than now */
void hbg_fmu_extend(hbg_fmu_instance *instance);               /* of a run that has begun: beyond its stop */
bool hbg_fmu_check(hbg_fmu_instance *instance, hbg_rt_status status);
void hbg_fmu_say(hbg_fmu_instance *instance, hbg_fmu_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The importer is where the run is; what was computed elsewhere is forgotten. */
bool hbg_fmu_follow(hbg_fmu_instance *instance);
void hbg_fmu_forget(hbg_fmu_instance *instance);

/* variables.c: what was set and is not yet known to the run; `all`: what has ever been set. */
bool hbg_fmu_hand_over(hbg_fmu_instance *instance, bool all);

/* exchange.c: branches as they are behind an instant, and times that are known from there on. */
bool hbg_fmu_take_branches(hbg_fmu_instance *instance);
/* Values of all indicators where the importer is; in co-simulation they stay 0. */
bool hbg_fmu_evaluate(hbg_fmu_instance *instance);

#endif
