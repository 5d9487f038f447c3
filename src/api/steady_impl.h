/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A point at which nothing moves in its mode, and what ends that. */
#ifndef HBG_API_STEADY_IMPL_H
#define HBG_API_STEADY_IMPL_H

#include "api/run_impl.h"

typedef enum { HBG_EXIT_GUARD, HBG_EXIT_WAIT, HBG_EXIT_SAMPLE, HBG_EXIT_TIME } hbg_steady_exit_kind;

typedef struct {
    hbg_steady_exit_kind kind;
    const char *what; /* the automaton, the sample or sensor; "time" */
    const char *text; /* in words */
} hbg_steady_exit;

typedef HBG_VEC(hbg_steady_exit) hbg_steady_exits;

/* What does not let the point last: guards that hold there, waits that end, samples that would take other
 * values, `time`. The states are those of the automata. The instance cannot be used for anything else
 * afterwards. */
HBG_MUST_CHECK hbg_status hbg_api_steady_find_exits(hbg_session *session, double t, const double *x,
                                                    const int32_t *states, hbg_steady_exits *exits);
typedef enum {
    HBG_STABILITY_UNKNOWN, /* no states, or too many for dense matrices */
    HBG_STABILITY_FADES,
    HBG_STABILITY_GROWS,
    HBG_STABILITY_NEITHER /* the largest real part of an eigenvalue is 0 */
} hbg_stability_kind;

typedef struct {
    hbg_stability_kind kind;
    double growth; /* largest real part of an eigenvalue, 1/s */
} hbg_steady_stability;

/* steady_stable.c: of a small deviation at a point where nothing moves, in the mode that the run holds. */
HBG_MUST_CHECK hbg_status hbg_api_steady_find_stability(hbg_session *session, double t, const double *x,
                                                        hbg_steady_stability *found);
void hbg_api_steady_put_stability(hbg_api_report *report, const hbg_steady_stability *found);
/* Moves the states from the end of a run to a point where nothing moves; `failure` says why there is no such
 * point, NULL: there is. */
HBG_MUST_CHECK hbg_status hbg_api_steady_settle(hbg_session *session, double t, double *x,
                                                const char **failure);
/* Only the guards that hold there. */
HBG_MUST_CHECK hbg_status hbg_api_steady_find_guards(hbg_session *session, double t, const double *x,
                                                     const int32_t *states, hbg_steady_exits *exits);

#endif
