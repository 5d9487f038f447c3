/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How exact and how strict a run is: the options of the library as the simulation gets them. */
#ifndef HBG_POLICY_H
#define HBG_POLICY_H

#include <stdbool.h>

/* relative tolerances */
#define HBG_RTOL_LEAST 1e-14 /* a double has 16 digits, and some are lost in computations */
#define HBG_RTOL_MOST  1
#define HBG_RTOL_USUAL 1e-6

#define HBG_RUN_POLICY_FIELDS                                                                                \
    double rtol, atol; /* 0: HBG_RTOL_USUAL, and one by the size of each state */                            \
    bool ledger;       /* keep and report the energy balance */                                              \
    bool strict;       /* warnings end the run */                                                            \
    bool zeno_rest;    /* where events accumulate contacts come to rest, and the run does not end */         \
    bool slides        /* a run that chatters across one surface continues along it (Filippov) */

typedef struct {
    HBG_RUN_POLICY_FIELDS;
} hbg_run_policy;

/* Options have these fields by their names, and all together as `policy`. */
#define HBG_RUN_POLICY                                                                                       \
    union {                                                                                                  \
        hbg_run_policy policy;                                                                               \
        struct {                                                                                             \
            HBG_RUN_POLICY_FIELDS;                                                                           \
        };                                                                                                   \
    }

#endif
