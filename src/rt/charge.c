/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Energy of a storage whose law is not a polynomial: the integral of the law from 0 to the state, by adaptive
 * Simpson quadrature, which resolves kinks and steep places by halving. */
#include <math.h>

#include "rt/run_impl.h"

static double law_at(hbg_rt_instance *run, const hbg_rt_charge *law, double state) {
    hbg_rt_program code = hbg_rt_program_at(run->image, law->code);
    run->r[law->state_reg] = state;
    if (hbg_rt_execute(run, code.code, code.count) != HBG_RT_OK) return NAN;
    return run->r[law->law_reg];
}

/* The law at state 0. */
static double law_at_begin(hbg_rt_instance *run, const hbg_rt_charge *law, double state) {
    double value = law_at(run, law, 0);
    return isfinite(value) || !law->is_slope ? value
           : state == 0                      ? 0
                                             : law_at(run, law, state * HBG_RT_CHARGE_BEGIN);
}

typedef struct { /* three points of an interval, and Simpson's sum over it */
    double a, b, fa, fm, fb, sum;
    int depth;
} stretch;

enum { DEPTH = 48 };

double hbg_rt_charge_up(hbg_rt_instance *run, int32_t charge, double state) {
    const hbg_rt_charge *law = HBG_RT_AT(run->image->pool.charges, charge);
    stretch stack[DEPTH + 2];
    int count = 1;
    double total = 0, fa = law_at_begin(run, law, state), fm = law_at(run, law, state / 2),
           fb = law_at(run, law, state);
    stack[0] = (stretch){0, state, fa, fm, fb, state / 6 * (fa + 4 * fm + fb), 0};
    double scale = fabs(state) * (fabs(fa) + fabs(fm) + fabs(fb));
    while (count > 0) {
        stretch at = stack[--count];
        double middle = at.a + (at.b - at.a) / 2, h = (at.b - at.a) / 12;
        double left = law_at(run, law, at.a + (at.b - at.a) / 4),
               right = law_at(run, law, at.b - (at.b - at.a) / 4);
        double sum_left = h * (at.fa + 4 * left + at.fm), sum_right = h * (at.fm + 4 * right + at.fb);
        double error = sum_left + sum_right - at.sum;
        if (!(fabs(error) > HBG_RT_CHARGE * scale) || at.depth >= DEPTH) {
            total += sum_left + sum_right + error / 15;
            continue;
        }
        stack[count++] = (stretch){middle, at.b, at.fm, right, at.fb, sum_right, at.depth + 1};
        stack[count++] = (stretch){at.a, middle, at.fa, left, at.fm, sum_left, at.depth + 1};
    }
    return total;
}
