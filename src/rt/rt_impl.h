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

#endif
