/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the fixed-step methods share with the implicit one among them. */
#ifndef HBG_RT_IMPL_H
#define HBG_RT_IMPL_H

#include "rt/rt.h"

size_t hbg_rt_trapezoidal_scratch(const hbg_rt_stepper *stepper);
hbg_rt_status hbg_rt_trapezoidal_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x,
                                      double *dx);

/* An explicit step without its last rates: the end goes to the scratch, whose first state it is. `dx` are the rates at (t, x). */
hbg_rt_status hbg_rt_explicit_stages(const hbg_rt_stepper *stepper, double t, double t_end, const double *x,
                                     const double *dx);

#endif
