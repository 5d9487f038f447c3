/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A failure in words: time, reason, state with value and rate, the system's own words; and never more than
 * fits. */
#include "rt/field_bench_impl.h"

static void halve(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0] / 2;
    dx[1] = 0;
}

static const recipe halving = {.n = 2, .start = {4, 1}, .rates = halve};

static void time_reason_state_and_rate_are_told(void **state) {
    (void)state;
    field_bench b;
    hbg_sim_result result = {.solver = ""};
    field_bench_init(&b, &halving, 0, 1, 0);
    b.field.worst = 0;
    b.field.reason = "the error stayed too large";
    hbg_sim_explain(&b.field, HBG_RT_STEP_TOO_SMALL, "erk", 0.125, halving.start, &result);
    assert_string_equal(result.failure,
                        "at t = 0.125 s: the step became too small (erk: the error stayed too large); "
                        "hardest for store0.q = 4 C, changing by -2 C/s");
    field_bench_fini(&b);
}

static void the_system_has_its_say(void **state) {
    (void)state;
    field_bench b;
    hbg_sim_result result = {.solver = ""};
    recipe refusing = halving;
    refusing.fails_after = 0.1;
    field_bench_init(&b, &refusing, 0, 1, 0);
    double dx[2];
    assert_int_equal(hbg_rt_field_rates(&b.field, 0.5, refusing.start, dx), HBG_RT_SINGULAR);
    hbg_sim_explain(&b.field, HBG_RT_STEP_TOO_SMALL, "rk4", 0.5, refusing.start, &result);
    assert_string_equal(result.failure,
                        "at t = 0.5 s: the step became too small (rk4); the loop of bridge.e cannot be "
                        "solved");
    field_bench_fini(&b);
}

static void long_words_are_cut(void **state) {
    (void)state;
    field_bench b;
    hbg_sim_result result = {.solver = ""};
    char words[2000];
    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    field_bench_init(&b, &halving, 0, 1, 0);
    b.field.reason = words;
    b.field.worst = 1;
    hbg_sim_explain(&b.field, HBG_RT_STEP_TOO_SMALL, "erk", 1, halving.start, &result);
    assert_int_equal(strlen(result.failure), sizeof result.failure - 1);
    field_bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_reason_state_and_rate_are_told),
        cmocka_unit_test(the_system_has_its_say),
        cmocka_unit_test(long_words_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
