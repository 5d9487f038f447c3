/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How long an interval may be in which a root is looked at five times. An integrator takes steps as long as the states allow; a root may be
 * a fast function of slow states, like a comparator of the sine of an angle. What the cubic through four samples says of the
 * fifth tells how well samples describe a root: where they do not, and the root may well come to 0 meanwhile, a part of the
 * interval is sampled instead, and from there on intervals are as long as that, longer again as soon as they can be. Roots that vary
 * no faster than the states cost five products each for this. */
#include <math.h>

#include "sim/roots_impl.h"

enum { LAST = HBG_SIM_SAMPLES - 1, MIDDLE = LAST / 2 };
enum { MOST = 1 << 14, FEW = 64 }; /* intervals of a step; and of the others once one was not enough */

const double hbg_sim_root_nodes[HBG_SIM_SAMPLES] = {0, 0.95, 2.07, 3.12, 4};

static const double resolved = 0.02; /* of its range: an error that says samples tell how a root varies */
static const double safety = 8;      /* the error elsewhere beside that at the sample in the middle */
static const double noise =
    1e-3; /* of the tolerance of a root of its size: smaller errors are rather its own */
static const double slower = 5; /* intervals grow by this at most */

/* Factors of the samples in the error of the one in the middle: its fourth divided difference. */
static void find_weights(double *weight) {
    const double *node = hbg_sim_root_nodes;
    double at_middle = 1;
    for (int i = 0; i <= LAST; i++) {
        weight[i] = 1;
        for (int k = 0; k <= LAST; k++) weight[i] /= k == i ? 1 : node[i] - node[k];
        at_middle *= i == MIDDLE ? 1 : node[MIDDLE] - node[i];
    }
    for (int i = 0; i <= LAST; i++) weight[i] *= at_middle;
}

/* Of all roots, the largest error as a multiple of what it may be, and the same of those it matters for. */
typedef struct {
    double all, near;
    int32_t root; /* whose it is */
} excess;

static void add_excess(const hbg_sim_search *s, int32_t k, const double *weight, excess *most) {
    const hbg_sim_roots *roots = s->roots;
    double error = 0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= LAST; i++) {
        double f = roots->sample[i][k];
        error += weight[i] * f;
        low = fmin(low, f);
        high = fmax(high, f);
    }
    error = fabs(error);
    if (!(error > noise * s->field->rtol * roots->size[k])) return;
    double own = error / (resolved * (high - low));
    most->all = fmax(most->all, own);
    bool may_be_zero = fmax(low, -high) < safety * error;
    if (!may_be_zero || !(own > most->near)) return;
    most->near = own;
    most->root = k;
}

static excess find_excess(const hbg_sim_search *s) {
    double weight[HBG_SIM_SAMPLES];
    excess most = {.root = -1};
    find_weights(weight);
    for (int32_t k = 0; k < s->roots->count; k++) add_excess(s, k, weight, &most);
    return most;
}

/* What is known to be too fast is not followed any more. */
static bool may_divide(const hbg_sim_roots *roots) {
    return roots->intervals < (roots->hurried < 0 ? MOST : FEW);
}

bool hbg_sim_roots_resolved(hbg_sim_search *s) {
    hbg_sim_roots *roots = s->roots;
    double length = s->b - s->a, step = s->stepper->t1 - s->stepper->t0;
    excess most = find_excess(s);
    if (most.near <= 1) {
        double factor = fmin(fmax(0.9 / sqrt(sqrt(most.all)), 1), slower);
        roots->pace = length < 0.99 * roots->pace ? roots->pace : factor * length;
        return true;
    }
    if (roots->intervals >= MOST) roots->hurried = most.root;
    if (!may_divide(roots) || length * MOST < step) return true; // what jumps has no pace
    roots->intervals++;
    roots->pace = fmax(0.9 / sqrt(sqrt(most.near)), 0.1) * length;
    s->b = s->a + roots->pace;
    return false;
}

double hbg_sim_roots_ahead(const hbg_sim_search *s) {
    hbg_sim_roots *roots = s->roots;
    double left = s->stepper->t1 - s->a;
    if (!may_divide(roots) || left <= 1.1 * roots->pace) return s->stepper->t1;
    roots->intervals++;
    return s->a + fmin(roots->pace, left / 2);
}
