/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates all located relations at a time of a step, on the integrator's own polynomial. */
#include <math.h>

#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };

/* Also a little after the step: the polynomial is mirrored at its end. */
hbg_rt_status hbg_rt_root_values(hbg_rt_root_search *s, double t, double *g) {
    hbg_rt_field *field = s->field;
    double *x = s->roots->x, end = s->stepper->t1;
    s->stepper->dense(s->stepper, fmin(t, end - (t - end)), x);
    for (int32_t i = 0; i < field->n && t > end; i++) x[i] = 2 * s->stepper->x1[i] - x[i];
    if (s->polish && t <= end) s->stepper->polish(s->stepper, t, s->roots->x);
    hbg_rt_status status = hbg_rt_indicators(field->instance, t, s->roots->x, g);
    if (status != HBG_RT_OK) field->status = status;
    return status;
}

double hbg_rt_root_sample_time(const hbg_rt_root_search *s, int i) {
    return i == LAST ? s->b : s->a + (s->b - s->a) * hbg_rt_root_nodes[i] / LAST;
}

bool hbg_rt_root_is_crossed(const hbg_rt_roots *roots, int32_t k) {
    for (int32_t i = 0; i < roots->crossed_count; i++)
        if (roots->crossed[i] == k) return true;
    return false;
}
