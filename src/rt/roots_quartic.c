/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The quartic through the five samples of a root, in Newton's form. Places are in quarters of the
 * interval. */
#include "rt/roots_impl.h"

enum { LAST = HBG_RT_SAMPLES - 1 };

#define NODE_1 0.95
#define NODE_2 2.07
#define NODE_3 3.12
const double hbg_rt_root_nodes[HBG_RT_SAMPLES] = {0, NODE_1, NODE_2, NODE_3, LAST};

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
        if (fabs(step) < HBG_RT_QUARTIC) break; // accurate enough
        at -= step;
        if (!(at > a && at < b)) at = a + (b - a) / 2;
    }
    return at;
}

/* Newton's divided differences of the samples, times the gaps between nodes. For a root that samples describe
 * they decrease from order to order; the fourth, and the third relative to the second, measure what samples
 * miss. */
double hbg_rt_root_error(const double *f) {
    static const double factor[LAST][LAST] = {
        {1 / NODE_1, 1 / (NODE_2 - NODE_1), 1 / (NODE_3 - NODE_2), 1 / (LAST - NODE_3)},
        {1 / NODE_2, 1 / (NODE_3 - NODE_1), 1 / (LAST - NODE_2)},
        {1 / NODE_3, 1 / (LAST - NODE_1)},
        {1.0 / LAST}};
    double difference[HBG_RT_SAMPLES], largest[LAST] = {0};
    for (int i = 0; i <= LAST; i++) difference[i] = f[i];
    for (int order = 0; order < LAST; order++)
        for (int i = 0; i < LAST - order; i++) {
            difference[i] = (difference[i + 1] - difference[i]) * factor[order][i];
            double size = fabs(difference[i]);
            largest[order] = size > largest[order] ? size : largest[order];
        }
    double share = largest[1] > largest[2] ? largest[2] / largest[1] : 1;
    return 4 * largest[3] + 2 * largest[2] * share;
}
