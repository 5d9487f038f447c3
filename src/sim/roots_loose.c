/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations inside laws that a run comes to rest at. A tank that runs empty through an orifice, −sign(h)·√|h|, ends at the border of both
 * its branches, and is led back to it from either side: to change from one to the other there again and again has no end, and
 * no use, since the field is the same on both. Such relations are left as they are, and errors are judged by the step as for any other
 * law. Where the field jumps, as with dry friction written with sign(f), there is nothing to go on with. */
#include "sim/roots_impl.h"

static const double same =
    1e-6; /* of the size of a state: what two rates may differ by in the longest step */

hbg_rt_status hbg_sim_roots_loosen(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x,
                                   bool *loose) {
    const hbg_rt_system *system = field->system;
    double *before = field->work[0], *beyond = field->work[1];
    *loose = false;
    if (!system->loosen) return HBG_RT_OK;
    hbg_rt_status status = hbg_sim_rates(field, t, x, before);
    if (status == HBG_RT_OK)
        status = system->freeze(field->instance, t, x, roots->crossed, roots->crossed_count);
    if (status == HBG_RT_OK) status = hbg_sim_rates(field, t, x, beyond);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < field->n; i++)
        if (fabs(beyond[i] - before[i]) * field->max_step > same * field->size[i]) return HBG_RT_OK;
    for (int32_t i = 0; i < roots->crossed_count; i++) {
        if (roots->crossed[i] >= roots->guard_first) continue;
        if (!system->loosen(field->instance, roots->crossed[i])) return HBG_RT_OK;
        roots->returns[roots->crossed[i]] = 0;
    }
    *loose = true;
    return HBG_RT_OK;
}
