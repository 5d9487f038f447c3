/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The explicit pair: errors follow the tolerance, dense output is of order four, a restart is cheap, no step
 * exceeds a limit, stiffness is noticed. */
#include "rt/field_bench_impl.h"
#include "support/linear_fields.h"

static void errors_follow_the_tolerance(void **state) {
    (void)state;
    double before = INFINITY;
    for (int digits = 4; digits <= 10; digits += 2) {
        trial t;
        trial_init(&t, &swinging, HBG_SIM_ERK, 20 * acos(-1));
        t.options.rtol = pow(10, -digits);
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        double error = hypot(t.result.state[0] - 1, t.result.state[1]);
        assert_true(error <= 100 * t.options.rtol);
        assert_true(error <= before / 20);
        before = error;
        trial_fini(&t);
    }
}

typedef struct {
    field_bench field_bench;
    hbg_rt_integrator *erk;
} bench;

static void bench_init(bench *b, const recipe *r, double rtol, double largest) {
    field_bench_init(&b->field_bench, r, rtol, 100, largest);
    hbg_rt_field *field = &b->field_bench.field;
    assert_int_equal(hbg_rt_field_size_start(field, 0, r->start), HBG_RT_OK);
    b->erk = hbg_rt_erk_new(&b->field_bench.room, field);
    assert_int_equal(b->erk->begin(b->erk, 0, r->start), HBG_RT_OK);
}

static void bench_fini(bench *b) {
    b->erk->end(b->erk);
    field_bench_fini(&b->field_bench);
}

/* The largest error inside one step of this length, sampled, against the exact solution from its start. */
static double inside_error(double h) {
    bench b;
    double largest = 0, from[2], x[2];
    bench_init(&b, &swinging, 0.1, h);
    do {
        memcpy(from, b.erk->x1, sizeof from);
        assert_int_equal(b.erk->step(b.erk, 100), HBG_RT_OK);
    } while (b.erk->t1 - b.erk->t0 < 0.999 * h);
    for (int i = 1; i < 10; i++) {
        double s = h * i / 10;
        b.erk->dense(b.erk, b.erk->t0 + s, x);
        double off[2] = {from[0] * cos(s) + from[1] * sin(s) - x[0],
                         from[1] * cos(s) - from[0] * sin(s) - x[1]};
        largest = fmax(largest, hypot(off[0], off[1]));
    }
    bench_fini(&b);
    return largest;
}

/* Halving a step divides the error inside by 2⁵. */
static void dense_output_is_of_order_four(void **state) {
    (void)state;
    for (double h = 0.4; h > 0.06; h /= 2) assert_near(log2(inside_error(h) / inside_error(h / 2)), 5, 0.2);
}

static void dense_output_meets_the_ends(void **state) {
    (void)state;
    bench b;
    double x[2];
    bench_init(&b, &swinging, 1e-6, 0);
    assert_int_equal(b.erk->step(b.erk, 100), HBG_RT_OK);
    b.erk->dense(b.erk, 0, x);
    assert_near(x[0], 1, 1e-15);
    assert_near(x[1], 0, 1e-15);
    b.erk->dense(b.erk, b.erk->t1, x);
    assert_near(x[0], b.erk->x1[0], 1e-15);
    assert_near(x[1], b.erk->x1[1], 1e-15);
    bench_fini(&b);
}

static void the_field_is_never_asked_beyond_a_limit(void **state) {
    (void)state;
    recipe walled = swinging;
    walled.fails_after = 0.75;
    bench b;
    bench_init(&b, &walled, 1e-6, 0);
    while (b.erk->t1 < 0.75) assert_int_equal(b.erk->step(b.erk, 0.75), HBG_RT_OK);
    assert_true(b.erk->t1 == 0.75);
    assert_near(b.erk->x1[0], cos(0.75), 1e-6);
    assert_int_equal(b.field_bench.field.rejected, 0);
    bench_fini(&b);
}

static void a_restart_keeps_the_step_and_costs_one_evaluation(void **state) {
    (void)state;
    bench b;
    double x[2];
    bench_init(&b, &swinging, 1e-6, 0);
    for (int i = 0; i < 10; i++) assert_int_equal(b.erk->step(b.erk, 100), HBG_RT_OK);
    double usual = b.erk->t1 - b.erk->t0;
    memcpy(x, b.erk->x1, sizeof x);
    int64_t before = b.field_bench.h.calls;
    assert_int_equal(b.erk->begin(b.erk, b.erk->t1, x), HBG_RT_OK);
    assert_int_equal(b.field_bench.h.calls - before, 1);
    assert_int_equal(b.erk->step(b.erk, 100), HBG_RT_OK);
    assert_true(b.erk->t1 - b.erk->t0 > 0.5 * usual);
    bench_fini(&b);
}

static void stiff(hand *h, double t, const double *x, double *dx) {
    (void)h;
    dx[0] = -1000 * (x[0] - cos(t));
}

static void stiff_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1000;
}

static void stiffness_is_noticed_and_swinging_is_not_it(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {1}, .rates = stiff, .jacobian = stiff_jacobian};
    bench b;
    bench_init(&b, &r, 1e-6, 0);
    for (int i = 0; i < 200 && !b.erk->stiff; i++) assert_int_equal(b.erk->step(b.erk, 100), HBG_RT_OK);
    assert_true(b.erk->stiff);
    bench_fini(&b);
    bench_init(&b, &swinging, 1e-6, 0);
    for (int i = 0; i < 500; i++) assert_int_equal(b.erk->step(b.erk, 1000), HBG_RT_OK);
    assert_false(b.erk->stiff);
    bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(dense_output_is_of_order_four),
        cmocka_unit_test(dense_output_meets_the_ends),
        cmocka_unit_test(the_field_is_never_asked_beyond_a_limit),
        cmocka_unit_test(a_restart_keeps_the_step_and_costs_one_evaluation),
        cmocka_unit_test(stiffness_is_noticed_and_swinging_is_not_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
