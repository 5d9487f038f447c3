/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One unknown between two signs of its residual. The nearest such pair around the last solution is sought
 * with ever longer strides; then the interval is bisected by the count of numbers in it and not by its
 * length, so that a root of 1e-20 is found as soon as one of 1. No slope is needed: laws such as sign(e)·√|e|
 * have none at 0. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

enum { STRIDES = 80, HALVINGS = 80 };

/* Doubles in order, as integers without gaps. */
static int64_t place_of(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double value_at(int64_t place) {
    int64_t bits = place < 0 ? INT64_MIN - place : place;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* NaN if the body cannot be run. */
static double residual_at(hbg_rt_instance *run, const hbg_rt_loop_view *of, double x) {
    run->r[of->reg[0]] = x;
    if (hbg_rt_run_program(run, of->body) != HBG_RT_OK) return NAN;
    return run->r[of->residual[0]];
}

typedef struct {
    double at[2], f[2]; /* the ends, and the residuals there */
} enclosure;

/* Strides in both directions from the start, each four times the last; one that leaves the domain of the law
 * ends its side. */
static bool enclose(hbg_rt_instance *run, const hbg_rt_loop_view *of, enclosure *in) {
    double start = run->loops.kept[of->reg[0]], size = fmax(fabs(start), run->loops.reach[of->reg[0]]);
    double stride = size > 0 ? HBG_RT_FIRST_STRIDE * size : HBG_RT_LEAST_STRIDE, near[2] = {start, start};
    double f = residual_at(run, of, start), near_f[2] = {f, f};
    bool open[2] = {true, true};
    for (int k = 0; k < STRIDES; k++, stride *= 4)
        for (int side = 0; side < 2; side++) {
            if (!open[side]) continue;
            double x = start + (side == 0 ? stride : -stride);
            if ((x < 0) != (near[side] < 0) && near[side] != 0) x = 0; // borders of laws
            double value = residual_at(run, of, x);
            open[side] = isfinite(value);
            if (!open[side]) continue;
            if (isfinite(near_f[side]) && (value < 0) != (near_f[side] < 0)) {
                *in = (enclosure){{near[side], x}, {near_f[side], value}};
                return true;
            }
            near[side] = x;
            near_f[side] = value;
        }
    return false;
}

/* The residual a little way off: a small share of it is the rounding of cancelling terms. */
static double usual_residual(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    double start = run->loops.kept[of->reg[0]], way = 0.01 * fmax(fabs(start), run->loops.reach[of->reg[0]]),
           most = 0;
    for (int side = -1; side <= 1; side += 2) {
        double f = fabs(residual_at(run, of, start + side * way));
        if (isfinite(f)) most = fmax(most, f);
    }
    return most;
}

bool hbg_rt_solve_bracket(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    enclosure in;
    if (!enclose(run, of, &in)) return false;
    double largest = fmax(fabs(in.f[0]), fabs(in.f[1])), usual = usual_residual(run, of);
    for (int k = 0; k < HALVINGS && in.f[0] != 0 && in.f[1] != 0; k++) {
        int64_t a = place_of(in.at[0]), b = place_of(in.at[1]);
        double middle = value_at((a & b) + ((a ^ b) >> 1)); // half of the sum, which might overflow
        if (middle == in.at[0] || middle == in.at[1]) break;
        double f = residual_at(run, of, middle);
        if (!isfinite(f)) return false;
        int end = (f < 0) == (in.f[0] < 0) ? 0 : 1;
        in.at[end] = middle;
        in.f[end] = f;
    }
    int best = fabs(in.f[0]) <= fabs(in.f[1]) ? 0 : 1;
    (void)residual_at(run, of, in.at[best]);
    return fabs(in.f[best]) <=
           fmax(HBG_RT_RESIDUAL * largest, HBG_RT_RESIDUAL_ROUNDING * usual); // else it is a jump
}
