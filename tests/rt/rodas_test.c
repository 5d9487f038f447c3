/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The implicit method: errors follow the tolerance, it is of order four, dense output of order three, fast
 * components are damped in one step; the explicit pair switches to it if the system is stiff, and is saved
 * with it. */
#include "rt/field_bench_impl.h"
#include "support/linear_fields.h"

typedef struct {
    field_bench field_bench;
    hbg_rt_integrator *of;
} bench;

static void bench_init(bench *b, const recipe *r, double rtol, double largest, bool pair) {
    field_bench_init(&b->field_bench, r, rtol, 100, largest);
    hbg_rt_field *field = &b->field_bench.field;
    assert_int_equal(hbg_rt_field_size_start(field, 0, r->start), HBG_RT_OK);
    b->of = pair ? hbg_rt_pair_new(&b->field_bench.room, field, false)
                 : hbg_rt_rodas_new(&b->field_bench.room, field);
    assert_int_equal(b->of->begin(b->of, 0, r->start), HBG_RT_OK);
}

static void bench_fini(bench *b) {
    b->of->end(b->of);
    field_bench_fini(&b->field_bench);
}

/* x' = −1000·(x − y), y' = −y/10: x follows y within milliseconds, and y = exp(−t/10). */
static void chase(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -1000 * (x[0] - x[1]);
    dx[1] = -x[1] / 10;
}

static void chase_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = -1000;
    dense[1] = 1000;
    dense[3] = -0.1;
}

static const recipe chasing = {.n = 2, .start = {0, 1}, .rates = chase, .jacobian = chase_jacobian};

/* From (1, 0) a swing of frequency 1 is (cos t, −sin t). */
static double swing_error(const bench *b) {
    return hypot(b->of->x1[0] - cos(b->of->t1), b->of->x1[1] + sin(b->of->t1));
}

static void errors_follow_the_tolerance(void **state) {
    (void)state;
    double before = INFINITY;
    for (int digits = 3; digits <= 9; digits += 2) {
        bench b;
        bench_init(&b, &swinging, pow(10, -digits), 0, false);
        while (b.of->t1 < 10) assert_int_equal(b.of->step(b.of, 10), HBG_RT_OK);
        double error = swing_error(&b);
        assert_true(error <= 100 * pow(10, -digits));
        assert_true(error <= before / 10);
        before = error;
        bench_fini(&b);
    }
}

/* The error of steps of this length up to t = 2. */
static double error_of(double h) {
    bench b;
    bench_init(&b, &swinging, 0.1, h, false);
    for (int i = 1; h * i < 2 + h / 2; i++)
        while (b.of->t1 < h * i) assert_int_equal(b.of->step(b.of, h * i), HBG_RT_OK);
    double error = swing_error(&b);
    bench_fini(&b);
    return error;
}

/* The largest error inside one step of this length, sampled, against the exact solution from its start. */
static double inside_error(double h) {
    bench b;
    double largest = 0, from[2], x[2];
    bench_init(&b, &swinging, 0.1, h, false);
    do {
        memcpy(from, b.of->x1, sizeof from);
        assert_int_equal(b.of->step(b.of, 100), HBG_RT_OK);
    } while (b.of->t1 - b.of->t0 < 0.999 * h);
    for (int i = 1; i < 10; i++) {
        double s = h * i / 10;
        b.of->dense(b.of, b.of->t0 + s, x);
        largest = fmax(largest, hypot(from[0] * cos(s) + from[1] * sin(s) - x[0],
                                      from[1] * cos(s) - from[0] * sin(s) - x[1]));
    }
    bench_fini(&b);
    return largest;
}

/* Halving steps divides their error by 2⁴, and also the error inside one. */
static void orders_are_four_and_three(void **state) {
    (void)state;
    assert_near(log2(error_of(0.1) / error_of(0.05)), 4, 0.3);
    assert_near(log2(inside_error(0.1) / inside_error(0.05)), 4, 0.4);
}

static void the_pair_changes_over(void **state) {
    (void)state;
    bench b;
    int steps = 0;
    bench_init(&b, &chasing, 1e-6, 0, true);
    for (; b.of->t1 < 100; steps++) assert_int_equal(b.of->step(b.of, 100), HBG_RT_OK);
    assert_true(steps <
                500); // the explicit one alone takes a step for each of 3.3 fast time constants: 30000
    assert_near(b.of->x1[1], exp(-10), 1e-8);
    assert_near(b.of->x1[0], exp(-10) * 1000 / 999.9, 1e-8);
    assert_false(b.of->stiff); // no other method has to switch
    bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_follow_the_tolerance),
                                       cmocka_unit_test(orders_are_four_and_three),
                                       cmocka_unit_test(the_pair_changes_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
