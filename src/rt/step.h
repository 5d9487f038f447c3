/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-step methods. */
#ifndef HBG_RT_STEP_H
#define HBG_RT_STEP_H

#include "rt/instance.h"

/* An explicit method, each stage of which starts from the one before: x + h·through·k at t + h·through. */
typedef struct {
    int32_t stage_count;
    double through[4]; /* of stage 1, 2, …; it is 0 for stage 0 */
    double weight[4];
} hbg_rt_tableau;
const hbg_rt_tableau *hbg_rt_method_tableau(hbg_rt_method method); /* NULL: not explicit */

/* A linear solver lent to the trapezoidal method where a dense matrix would be too large. */
typedef struct {
    void *context;
    /* Factors I − scale·∂rates/∂x at t and x. */
    hbg_rt_status (*factor)(void *context, double t, const double *x, double scale);
    void (*solve)(void *context, double *b); /* in place */
    void (*end)(void *context);              /* it is no longer lent. May be NULL */
} hbg_rt_linear;

typedef struct {
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    hbg_rt_method method;
    const hbg_rt_linear *linear; /* NULL: dense LU in the scratch */
    double *scratch;             /* hbg_rt_step_scratch doubles */
    double *work;                /* by power line: J of the last step, by the method's weights; NULL: none */
} hbg_rt_stepper;

/* Doubles of scratch the method needs; trapezoidal without a lent solver includes dense matrices. */
size_t hbg_rt_step_scratch(const hbg_rt_stepper *stepper);
/* One step from t to t_end, x in place. `dx` are the rates at (t, x) and then those at (t_end, x): after a
 * jump the caller computes them again. If it fails x is unchanged. */
hbg_rt_status hbg_rt_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x, double *dx);

#endif
