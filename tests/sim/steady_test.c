/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operating points: linear, nonlinear with two solutions, singular ones that only time decides, and fields
 * without an operating point. */
#include "sim/systems_impl.h"

static hbg_rt_status rest_of(const recipe *r, double *x, char *words, size_t size) {
    hbg_memory memory = {0};
    hbg_arena arena;
    hand h;
    hbg_base_arena_init(&arena, &memory);
    hand_init(&h, r);
    memcpy(x, r->start, (size_t)r->n * sizeof *x);
    hbg_rt_status status = hbg_sim_steady(&arena, &h.system, hand_instance(&h), 0, x, words, size);
    hand_fini(&h);
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
    return status;
}

static void mass_on_spring(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[1] / 2;
    dx[1] = 10 - 40 * x[0] - 0.1 * x[1];
}

static void mass_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[1] = 0.5;
    dense[2] = -40;
    dense[3] = -0.1;
}

static void a_mass_rests_where_its_spring_carries_it(void **state) {
    (void)state;
    const recipe r = {.n = 2, .rates = mass_on_spring, .jacobian = mass_jacobian};
    double x[2];
    char words[200];
    assert_int_equal(rest_of(&r, x, words, sizeof words), HBG_RT_OK);
    assert_near(x[0], 0.25, 1e-15);
    assert_near(x[1], 0, 1e-15);
    assert_string_equal(words, "");
}

/* x' = e^x − 2 has its rest at ln 2 and throws plain Newton far out from −10 */
static void exponential(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = 2 - exp(x[0]);
}

static void exponential_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t;
    dense[0] = -exp(x[0]);
}

static void damping_finds_what_a_full_step_overshoots(void **state) {
    (void)state;
    for (int start = -10; start <= 10; start += 5) {
        const recipe r = {.n = 1, .start = {start}, .rates = exponential, .jacobian = exponential_jacobian};
        double x;
        char words[200];
        assert_int_equal(rest_of(&r, &x, words, sizeof words), HBG_RT_OK);
        assert_near(x, log(2), 1e-12);
    }
}

/* Two tanks that level out: the sum is conserved, the Jacobian singular. */
static void tanks(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = x[1] - x[0];
    dx[1] = x[0] - x[1];
}

static void tanks_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = dense[3] = -1;
    dense[1] = dense[2] = 1;
}

static void what_is_conserved_decides_where_tanks_level_out(void **state) {
    (void)state;
    const recipe r = {.n = 2, .start = {3, 1}, .rates = tanks, .jacobian = tanks_jacobian};
    double x[2];
    char words[200];
    assert_int_equal(rest_of(&r, x, words, sizeof words), HBG_RT_OK);
    assert_near(x[0], 2, 1e-9);
    assert_near(x[1], 2, 1e-9);
}

/* A falling mass never rests. */
static void fall(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t, (void)x;
    dx[0] = 9.81;
}

static void what_falls_without_end_is_told(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {1}, .rates = fall};
    double x;
    char words[200];
    assert_int_equal(rest_of(&r, &x, words, sizeof words), HBG_RT_NO_CONVERGENCE);
    assert_non_null(strstr(words, "store0.q"));
    assert_non_null(strstr(words, "9.81 C/s"));
    assert_true(x == 1);
}

static void a_system_without_states_rests(void **state) {
    (void)state;
    const recipe r = {.n = 0};
    char words[200];
    double x;
    assert_int_equal(rest_of(&r, &x, words, sizeof words), HBG_RT_OK);
}

static void a_system_that_refuses_is_heard(void **state) {
    (void)state;
    recipe r = {.n = 1, .rates = fall, .fails_after = 1};
    hbg_memory memory = {0};
    hbg_arena arena;
    hand h;
    double x = 0;
    char words[200];
    hbg_base_arena_init(&arena, &memory);
    hand_init(&h, &r);
    assert_int_equal(hbg_sim_steady(&arena, &h.system, hand_instance(&h), 2, &x, words, sizeof words),
                     HBG_RT_SINGULAR);
    assert_string_equal(words, "the loop of bridge.e cannot be solved");
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_rests_where_its_spring_carries_it),
        cmocka_unit_test(damping_finds_what_a_full_step_overshoots),
        cmocka_unit_test(what_is_conserved_decides_where_tanks_level_out),
        cmocka_unit_test(what_falls_without_end_is_told),
        cmocka_unit_test(a_system_without_states_rests),
        cmocka_unit_test(a_system_that_refuses_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
