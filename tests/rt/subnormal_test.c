/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tiny numbers count as 0 between skip and restore, and nowhere else: not after a run. */
#include <float.h>

#include "rt/field_bench_impl.h"
#include "support/linear_fields.h"

static bool are_kept(void) {
    volatile double small = DBL_MIN, factor = 0.5;
    volatile double product = small * factor;
    return product > 0;
}

static void what_is_skipped_is_restored(void **state) {
    (void)state;
    assert_true(are_kept());
    uint64_t before = hbg_rt_subnormal_skip();
#if defined(__SSE2__) || defined(__aarch64__)
    assert_false(are_kept());
#endif
    hbg_rt_subnormal_restore(before);
    assert_true(are_kept());
}

static void arithmetic_is_as_before_after_a_run(void **state) {
    (void)state;
    recipe r = decaying;
    r.fails_after = 0.5;
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_TRAPEZOIDAL; solver++) {
        trial t;
        trial_init(&t, &r, (hbg_sim_solver)solver, 1);
        t.options.step = 0.01;
        trial_run(&t);
        assert_true(t.status != HBG_RT_OK);
        assert_true(are_kept());
        trial_fini(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_skipped_is_restored),
        cmocka_unit_test(arithmetic_is_as_before_after_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
