/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The quartic through five samples: a polynomial of degree 4 is its own, with its slope and its root. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rt/roots_impl.h"

/* (x − 1.3)·(x + 2)·(x² + 1): one root in the interval, downwards with the sign reversed. */
static double value(double x) {
    return -(x - 1.3) * (x + 2) * (x * x + 1);
}

static double slope(double x) {
    return -((x + 2) * (x * x + 1) + (x - 1.3) * (x * x + 1) + (x - 1.3) * (x + 2) * 2 * x);
}

static hbg_rt_quartic quartic(void) {
    double f[HBG_RT_SAMPLES];
    for (int i = 0; i < HBG_RT_SAMPLES; i++) f[i] = value(hbg_rt_root_nodes[i]);
    return hbg_rt_quartic_through(f);
}

static void a_polynomial_of_degree_four_is_its_own(void **state) {
    (void)state;
    hbg_rt_quartic of = quartic();
    for (double x = -1; x <= 5; x += 0.37) {
        assert_true(fabs(hbg_rt_quartic_at(&of, x) - value(x)) < 1e-11 * (1 + fabs(value(x))));
        assert_true(fabs(hbg_rt_quartic_slope(&of, x) - slope(x)) < 1e-11 * (1 + fabs(slope(x))));
    }
}

static void its_root_is_found_between_its_signs(void **state) {
    (void)state;
    hbg_rt_quartic of = quartic();
    assert_true(fabs(hbg_rt_quartic_root(&of, 0, 4) - 1.3) < 1e-9);
    assert_true(fabs(hbg_rt_quartic_root(&of, 1.2999, 1.3001) - 1.3) < 1e-9);
}

/* If the caller claims a change of sign where there is none, it still gets a time. */
static void without_a_root_it_stays_between(void **state) {
    (void)state;
    static const double flat[HBG_RT_SAMPLES] = {1, 1, 1, 1, 1}, none[HBG_RT_SAMPLES] = {0};
    hbg_rt_quartic level = hbg_rt_quartic_through(flat), zero = hbg_rt_quartic_through(none);
    double at[] = {hbg_rt_quartic_root(&level, 1, 2), hbg_rt_quartic_root(&zero, 1, 2)};
    for (int i = 0; i < 2; i++) assert_true(at[i] >= 1 && at[i] <= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polynomial_of_degree_four_is_its_own),
        cmocka_unit_test(its_root_is_found_between_its_signs),
        cmocka_unit_test(without_a_root_it_stays_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
