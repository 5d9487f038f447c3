/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model linearized at a point of a run. */
#ifndef HBG_API_LINEARIZE_IMPL_H
#define HBG_API_LINEARIZE_IMPL_H

#include "api/steady_impl.h"

#define HBG_LINEARIZE_STATES 2000 /* more are too many for dense matrices */

typedef struct {
    hbg_run_state *state;
    double t;
    bool steady;              /* nothing moves there */
    const char *mode;         /* "": the model has only one */
    hbg_steady_exits exits;   /* guards by which a run would leave the requested mode */
    bool switched;            /* at this very instant: the report is about the time after it */
    const double *x;          /* all states of the system there */
    double *y;                /* outputs there, then the inputs */
    hbg_sim_knob *knobs;      /* inputs, then parameters */
    hbg_rt_variable *names;   /* of the knobs */
    int32_t output_count;     /* without the inputs */
    hbg_sim_linear linear;    /* all its outputs, but only the first are reported */
    double *real, *imaginary; /* eigenvalues, 1/s, slowest first */
} hbg_linear_model;

/* Runs to the point and linearizes; of the parameters only the one named becomes a knob (NULL: none). */
HBG_MUST_CHECK hbg_status hbg_api_linearize_at(hbg_session *session, const hbg_model *model,
                                               const hbg_linearize_options *options, const char *parameter,
                                               hbg_linear_model *result);

/* linearize_report.c: "Buck at 0.001 s, in mode pwm=on", in scratch memory. */
const char *hbg_api_linearize_title(hbg_session *session, const hbg_linear_model *linear);
/* Which clock of the system holds a sampled value; NULL: this one only makes an automaton check its
 * guards. */
const char *hbg_api_linearize_held(const hbg_linear_model *linear, int32_t clock);

#endif
