/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The two systems by hand that many tests run, with solutions known in closed form: x = cos t, v = −sin t, and x = exp(−t). */
#ifndef HBG_TEST_LINEAR_FIELDS_H
#define HBG_TEST_LINEAR_FIELDS_H

#include "sim/systems_impl.h"

/* x' = v, v' = −x */
static inline void swing(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[1];
    dx[1] = -x[0];
}

static inline void swing_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[1] = 1;
    dense[2] = -1;
}

static const recipe swinging = {.n = 2, .start = {1, 0}, .rates = swing, .jacobian = swing_jacobian};

/* x' = −x */
static inline void decay(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0];
}

static inline void decay_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1;
}

static const recipe decaying = {.n = 1, .start = {1}, .rates = decay, .jacobian = decay_jacobian};

#endif
