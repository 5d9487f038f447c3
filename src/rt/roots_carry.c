/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations that read a value that jumped because another relation was crossed: floor(time/d) % 2, or s >= 2
 * where s is a step. They do not cross at a time of their own: each chooses its branch again by the present
 * values, then so do those that read it, until all agree. A relation that jumped onto its threshold is at
 * equality, and holds if its relation holds there: it may stay there for ever. */
#include <string.h>

#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };

/* Lists the relations that have jumped and are not clear of 0 on their side. */
static int32_t list_jumped(hbg_rt_roots *roots, const double *before, const double *g) {
    int32_t count = 0;
    for (int32_t k = 0; k < roots->guard_first; k++) {
        hbg_rt_root_take_size(roots, k, g[k]);
        double band = hbg_rt_root_band(roots, k);
        if (!(fabs(g[k] - before[k]) > band) || roots->side[k] * g[k] > band) continue;
        roots->carried[count++] = fabs(g[k]) <= band ? ~k : k;
    }
    return count;
}

static void take_sides(hbg_rt_roots *roots, int32_t count, const double *g) {
    for (int32_t i = 0; i < count; i++) {
        int32_t k = roots->carried[i] < 0 ? ~roots->carried[i] : roots->carried[i];
        double band = hbg_rt_root_band(roots, k);
        roots->armed[k] = roots->side[k] * g[k] > band;
        roots->begun[k] = false;
        roots->clear[k] = 0;
    }
}

hbg_rt_status hbg_rt_roots_take_aside(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    double *g = roots->sample[LAST];
    int32_t count = 0;
    for (int32_t k = 0; k < roots->guard_first; k++)
        if (hbg_rt_is_aside(field->instance, k)) roots->carried[count++] = k;
    if (count == 0) return HBG_RT_OK;
    hbg_rt_status status = hbg_rt_freeze_anew(field->instance, t, x, roots->carried, count, roots->side);
    if (status == HBG_RT_OK) status = hbg_rt_indicators(field->instance, t, x, g);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < count; i++) hbg_rt_root_take_size(roots, roots->carried[i], g[roots->carried[i]]);
    take_sides(roots, count, g);
    return HBG_RT_OK;
}

/* A relation that reads itself may never agree: for all others, as many rounds as there are relations
 * suffice. */
hbg_rt_status hbg_rt_roots_carry(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x) {
    double *before = roots->now, *g = roots->sample[LAST];
    for (int32_t turn = 0; turn <= 2 * roots->guard_first; turn++) {
        int32_t count = list_jumped(roots, before, g);
        if (count == 0) return HBG_RT_OK;
        memcpy(before, g, (size_t)roots->guard_first * sizeof *g);
        hbg_rt_status status = hbg_rt_freeze_anew(field->instance, t, x, roots->carried, count, roots->side);
        if (status == HBG_RT_OK) status = hbg_rt_indicators(field->instance, t, x, g);
        if (status != HBG_RT_OK) return status;
        take_sides(roots, count, g);
    }
    return HBG_RT_OK;
}
