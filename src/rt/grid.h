/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Times on a grid. */
#ifndef HBG_RT_GRID_H
#define HBG_RT_GRID_H

#include <stdbool.h>
#include <stdint.h>

/* Multiples of a step, each the nearest number to the exact value number·numerator/denominator, up to the
 * `most`-th. */
typedef struct {
    double step, numerator, denominator;
    double most;
} hbg_rt_grid;
hbg_rt_grid hbg_rt_grid_of(double step);
static inline double hbg_rt_grid_time(const hbg_rt_grid *grid, double number) {
    return number <= grid->most ? number * grid->numerator / grid->denominator : number * grid->step;
}

#endif
