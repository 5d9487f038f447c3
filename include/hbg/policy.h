/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How exact and how strict a run is: what the caller of the library asks for is what the simulation is given. */
#ifndef HBG_POLICY_H
#define HBG_POLICY_H

#include <stdbool.h>

/* relative tolerances */
#define HBG_RTOL_LEAST 1e-14 /* a double has 16 digits, and some are lost on the way */
#define HBG_RTOL_MOST  1
#define HBG_RTOL_USUAL 1e-6

#define HBG_RUN_POLICY_FIELDS                                                                                \
    double rtol, atol; /* 0: HBG_RTOL_USUAL, and what suits the size of each state */                        \
    bool ledger;       /* keep the energy balance and tell it */                                             \
    bool strict;       /* what is a warning otherwise ends the run */                                        \
    bool zeno_rest;    /* where events accumulate contacts come to rest, instead of ending the run */        \
    bool slides        /* a run that chatters across one surface goes on along it (Filippov) */

typedef struct {
    HBG_RUN_POLICY_FIELDS;
} hbg_run_policy;

/* Fields of options that have them by their own names, and all together as `policy`. */
#define HBG_RUN_POLICY                                                                                       \
    union {                                                                                                  \
        hbg_run_policy policy;                                                                               \
        struct {                                                                                             \
            HBG_RUN_POLICY_FIELDS;                                                                           \
        };                                                                                                   \
    }

#endif
