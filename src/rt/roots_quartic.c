/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The quartic through the five samples of a root, in Newton's form. Places are in quarters of the interval. */
#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };

hbg_rt_quartic hbg_rt_quartic_through(const double *f) {
    hbg_rt_quartic of;
    for (int i = 0; i <= LAST; i++) of.difference[i] = f[i];
    for (int order = 1; order <= LAST; order++)
        for (int i = LAST; i >= order; i--)
            of.difference[i] = (of.difference[i] - of.difference[i - 1]) /
                               (hbg_rt_root_nodes[i] - hbg_rt_root_nodes[i - order]);
    return of;
}

double hbg_rt_quartic_at(const hbg_rt_quartic *of, double place) {
    double sum = of->difference[LAST];
    for (int i = LAST - 1; i >= 0; i--) sum = of->difference[i] + sum * (place - hbg_rt_root_nodes[i]);
    return sum;
}

double hbg_rt_quartic_slope(const hbg_rt_quartic *of, double place) {
    double sum = of->difference[LAST], slope = 0;
    for (int i = LAST - 1; i >= 0; i--) {
        slope = sum + slope * (place - hbg_rt_root_nodes[i]);
        sum = of->difference[i] + sum * (place - hbg_rt_root_nodes[i]);
    }
    return slope;
}

double hbg_rt_quartic_root(const hbg_rt_quartic *of, double a, double b) {
    double at = a + (b - a) / 2;
    for (int i = 0; i < 12; i++) {
        double f = hbg_rt_quartic_at(of, at), step = f / hbg_rt_quartic_slope(of, at);
        *(f < 0 ? &b : &a) = at;
        if (fabs(step) < HBG_RT_QUARTIC) break; // where it is told enough
        at -= step;
        if (!(at > a && at < b)) at = a + (b - a) / 2;
    }
    return at;
}
