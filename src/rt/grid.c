/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Multiples of a step as they are written: the fifth of 1e-6 s is 5e-6 s to the last bit, unlike five times
 * the nearest number to 1e-6. A step is taken for the decimal with the fewest places that rounds to it, or
 * for one over a whole number; its multiples are then rounded once. */
#include <math.h>

#include "rt/grid.h"

static const double exact = 0x1p53; /* whole numbers up to here are exact */

static double common_divisor(double a, double b) {
    while (b > 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* The quotient as the step, if it rounds to the step. */
static bool take(hbg_rt_grid *grid, double numerator, double denominator) {
    if (!(numerator >= 1 && numerator < exact && denominator >= 1 && denominator < exact)) return false;
    if (numerator / denominator != grid->step) return false;
    double common = common_divisor(numerator, denominator);
    grid->numerator = numerator / common;
    grid->denominator = denominator / common;
    grid->most = floor(exact / grid->numerator);
    return true;
}

hbg_rt_grid hbg_rt_grid_of(double step) {
    const double figures = 1e15; /* with more digits no decimal is certain */
    hbg_rt_grid grid = {step, step, 1, INFINITY};
    for (double power = 1; power < exact && step * power < figures; power *= 10)
        if (take(&grid, nearbyint(step * power), power)) return grid;
    (void)take(&grid, 1, nearbyint(1 / step));
    return grid;
}
