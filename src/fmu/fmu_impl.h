/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instance of an FMU, for the files of this folder. */
#ifndef HBG_FMU_IMPL_H
#define HBG_FMU_IMPL_H

#include "fmu/fmu.h"
#include "rt/room.h"

/* Values that the importer has set; the run gets them when they take effect. */
typedef struct {
    double *inputs, *params; /* by input, by parameter */
    int32_t *holds;          /* by automaton: its state, HBG_RT_HOLD_NOT */
    /* By all of these, one after another: 0: as the model says; 1: set; 2: set and not yet passed to the
     * run. */
    uint8_t *marks;
    int32_t mark_count;
    bool waits; /* some are not yet passed to it */
} hbg_fmu_settings;

/* Branches of indicators since the last instant. */
typedef struct {
    int8_t *sides;
    double *sizes, *bands;
    bool *armed; /* has been clear of 0 since */
    double *values;
    int32_t *crossed;
} hbg_fmu_branches;

/* The importer's point, and results computed there. */
typedef struct {
    double t;
    double *x;
    double *before; /* a copy of x */
    double *outputs, *rates;
    bool has_outputs, has_rates;
} hbg_fmu_point;

struct hbg_fmu_instance {
    hbg_rt_room room; /* contains the instance */
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
    double *params;                        /* values of all parameters, if they were requested */
    double *modes;                         /* by automaton */
    double *nominals;                      /* by state, as reported last */
    double *rates_before;                  /* by state: up to the last opened instant */
    bool knows_before;                     /* these are known */
    double *sizes;                         /* by group of units: the largest state or area so far */
    double *areas;                         /* by bond: of efforts, then of flows */
    double rtol;                           /* from the importer; 0: from the model */
    double stop;                           /* s: from the importer; or INFINITY */
    double next;                           /* s: the next instant known in advance */
    bool opens;                            /* event mode begins: the instant has not been opened */
    bool is_open;                          /* the instant is not complete */
    bool drifted;                          /* it was requested because energies had drifted */
    bool states_changed, nominals_changed; /* in this stay in event mode */
    int64_t warnings;                      /* reported */
    double commits;                        /* at the start of this step of co-simulation */
};

/* instance.c: makes the run again, with all set values; starts it; reports its failure. */
bool hbg_fmu_begin(hbg_fmu_instance *instance);
bool hbg_fmu_make_run(hbg_fmu_instance *instance);
void hbg_fmu_stop_at(hbg_fmu_instance *instance, double stop); /* at this time, if it is later than now */
void hbg_fmu_extend(hbg_fmu_instance *instance);               /* lets a run in progress go past its stop */
bool hbg_fmu_check(hbg_fmu_instance *instance, hbg_rt_status status);
void hbg_fmu_say(hbg_fmu_instance *instance, hbg_fmu_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Moves the importer's point to the run; results computed elsewhere are forgotten. */
bool hbg_fmu_follow(hbg_fmu_instance *instance);
void hbg_fmu_forget(hbg_fmu_instance *instance);

/* variables.c: passes set values to the run that it does not have yet; `all`: all values ever set. */
bool hbg_fmu_hand_over(hbg_fmu_instance *instance, bool all);

/* exchange.c: branches after an instant, and times known from there on. */
bool hbg_fmu_take_branches(hbg_fmu_instance *instance);
/* Values of all indicators at the importer's point; in co-simulation they stay 0. */
bool hbg_fmu_evaluate(hbg_fmu_instance *instance);

#endif
