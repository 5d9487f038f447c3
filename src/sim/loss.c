/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How much of an energy lost in a jump is rounding. Only storages whose energy changes count: energy stored
 * elsewhere, or earlier, does not make a loss smaller. An error of a share r of the size s of a state makes
 * the energy x²/2C wrong by x·r·s/C = 2·r·√(E(x)·E(s)), and by r²·E(s) where x is 0. */
#include <float.h>
#include <math.h>

#include "sim/sim.h"

static double doubt_of(double energy, double largest) {
    double size = fmax(energy, largest);
    return 2 * HBG_RT_JUMP * sqrt(energy * size) + HBG_RT_JUMP * HBG_RT_JUMP * size;
}

double hbg_sim_loss_rounding(int32_t count, const double *before, const double *after,
                             const double *largest) {
    double doubt = 0, all = 0;
    for (int32_t i = 0; i < count; i++) {
        double energy = fmax(fabs(before[i]), fabs(after[i]));
        all += energy;
        if (before[i] != after[i]) doubt += doubt_of(energy, fabs(largest[i]));
    }
    return isfinite(doubt) ? doubt + 4 * DBL_EPSILON * all : 0;
}
