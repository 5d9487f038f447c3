/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * CVODE: published stiff problems, time constants over nine decades, sparse against dense, chains at rest,
 * limits. */
#include "rt/field_bench_impl.h"

/* ---- Robertson's kinetics ----------------------------------------------------------------------------- */

static void robertson(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    dx[2] = 3e7 * x[1] * x[1];
    dx[1] = -dx[0] - dx[2];
}

static void robertson_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t;
    dense[0] = -0.04;
    dense[1] = 1e4 * x[2];
    dense[2] = 1e4 * x[1];
    dense[7] = 6e7 * x[1];
    for (int i = 0; i < 3; i++) dense[3 + i] = -dense[i] - dense[6 + i];
}

/* Values at 40 s: Hairer and Wanner, Solving Ordinary Differential Equations II, and the test set for initial
 * value problems; at 4e5 and 4e10 s: the tables that come with CVODE's example of this problem, four
 * digits. */
static void robertson_meets_published_values(void **state) {
    (void)state;
    const recipe r = {.n = 3, .start = {1, 0, 0}, .rates = robertson, .jacobian = robertson_jacobian};
    const struct {
        double stop, value[3], error;
    } points[] = {{40, {0.7158270687193941, 9.185534764557338e-6, 0.2841637457458413}, 1e-6},
                  {4e5, {4.9383e-3, 1.9850e-8, 0.99506}, 2e-4},
                  {4e10, {5.2083e-8, 2.0833e-13, 1}, 1e-3}};
    for (int i = 0; i < 3; i++) {
        trial t;
        trial_init(&t, &r, HBG_SIM_BDF, points[i].stop);
        t.options.rtol = 1e-8;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        for (int k = 0; k < 3; k++) assert_near(t.result.state[k] / points[i].value[k], 1, points[i].error);
        assert_near(t.result.state[0] + t.result.state[1] + t.result.state[2], 1, 1e-9);
        trial_fini(&t);
    }
}

/* ---- Van der Pol -------------------------------------------------------------------------------------- */

static void van_der_pol(hand *h, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = x[1];
    dx[1] = h->r->parameter[0] * (1 - x[0] * x[0]) * x[1] - x[0];
}

static void van_der_pol_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)t;
    dense[1] = 1;
    dense[2] = -2 * h->r->parameter[0] * x[0] * x[1] - 1;
    dense[3] = h->r->parameter[0] * (1 - x[0] * x[0]);
}

/* mu = 1000, at t = 2000 from (2, 0): the value of the test set for initial value problems */
static void stiff_van_der_pol_meets_the_published_value(void **state) {
    (void)state;
    const recipe r = {
        .n = 2, .start = {2, 0}, .rates = van_der_pol, .jacobian = van_der_pol_jacobian, .parameter = {1000}};
    trial t;
    trial_init(&t, &r, HBG_SIM_BDF, 2000);
    t.options.rtol = 1e-9;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    assert_near(t.result.state[0], 1.706167732170483, 2e-6);
    assert_near(t.result.state[1], -0.8928097010247975e-3, 2e-9);
    trial_fini(&t);
}

/* ---- nine decades ------------------------------------------------------------------------------------- */

enum { DECADES = 10 };

/* Independent modes of the rates 1e-3 … 1e6 seen through a chain: x_k' = −λ_k·(x_k − x_{k−1}), x_{−1} = 1 */
static void ladder_of_rates(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    for (int k = 0; k < DECADES; k++) dx[k] = -pow(10, 6 - k) * (x[k] - (k > 0 ? x[k - 1] : 1));
}

static void ladder_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    for (int k = 0; k < DECADES; k++) {
        dense[k * DECADES + k] = -pow(10, 6 - k);
        if (k > 0) dense[k * DECADES + k - 1] = pow(10, 6 - k);
    }
}

/* 1 − Σ c_k·exp(−λ_k·t), c_k = Π λ_j/(λ_j − λ_k) */
static double ladder_exact(int last, double t) {
    double sum = 1;
    for (int k = 0; k <= last; k++) {
        double product = 1, rate = pow(10, 6 - k);
        for (int j = 0; j <= last; j++)
            if (j != k) product *= pow(10, 6 - j) / (pow(10, 6 - j) - rate);
        sum -= product * exp(-rate * t);
    }
    return sum;
}

static void time_constants_from_a_microsecond_to_an_hour_are_followed(void **state) {
    (void)state;
    const recipe r = {.n = DECADES, .rates = ladder_of_rates, .jacobian = ladder_jacobian};
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_BDF; solver++)
        for (double stop = 1e-3; stop < 1e4; stop *= 1e3) {
            trial t;
            trial_init(&t, &r, (hbg_sim_solver)solver, stop);
            t.options.row = NULL;
            trial_run(&t);
            assert_int_equal(t.status, HBG_RT_OK);
            assert_true(t.result.steps < 3000);
            for (int k = 0; k < DECADES; k++)
                assert_near(t.result.state[k], ladder_exact(k, stop),
                            1e-4 * fmax(ladder_exact(k, stop), 1e-3));
            trial_fini(&t);
        }
}

/* ---- sparse ------------------------------------------------------------------------------------------- */

enum { CELLS = 60 };

/* x_i' = x_{i−1} − 2·x_i + x_{i+1}, 1 at the left end, 0 at the right */
static void diffuse(hand *h, double t, const double *x, double *dx) {
    int n = h->r->n;
    (void)t;
    for (int i = 0; i < n; i++) dx[i] = (i > 0 ? x[i - 1] : 1) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0);
}

static void diffuse_values(hand *h, double t, const double *x, double *values) {
    const hbg_rt_pattern *p = &h->r->pattern;
    (void)t, (void)x;
    for (int32_t j = 0; j < p->count; j++)
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) values[k] = p->row[k] == j ? -2 : 1;
}

static void at_rest(hand *h, double *x) {
    memset(x, 0, (size_t)h->r->n * sizeof *x);
}

static void tridiagonal(int32_t n, int32_t *start, int32_t *row) {
    int32_t k = 0;
    for (int32_t j = 0; j < n; j++) {
        start[j] = k;
        for (int32_t i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < n) row[k++] = i;
    }
    start[n] = k;
}

/* The slowest mode decays with 4·sin²(π/2/61): at 1e5 the profile is a straight line. */
static void a_sparse_chain_comes_to_its_line(void **state) {
    (void)state;
    int32_t start[CELLS + 1], row[3 * CELLS];
    tridiagonal(CELLS, start, row);
    const recipe r = {.n = CELLS,
                      .start_at = at_rest,
                      .rates = diffuse,
                      .jacobian_values = diffuse_values,
                      .pattern = {CELLS, start, row}};
    trial t;
    trial_init(&t, &r, HBG_SIM_BDF, 1e5);
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    assert_string_equal(t.result.solver, "bdf, sparse");
    assert_true(t.result.steps < 2000);
    for (int i = 0; i < CELLS; i++) assert_near(t.result.state[i], 1 - (i + 1) / (CELLS + 1.0), 1e-5);
    trial_fini(&t);
}

static void twenty_thousand_cells_at_rest_do_not_stall(void **state) {
    (void)state;
    enum { MANY = 20000 };
    int32_t *start = malloc((MANY + 1) * sizeof *start), *row = malloc(3 * MANY * sizeof *row);
    assert_non_null(start);
    assert_non_null(row);
    tridiagonal(MANY, start, row);
    const recipe r = {.n = MANY,
                      .start_at = at_rest,
                      .rates = diffuse,
                      .jacobian_values = diffuse_values,
                      .pattern = {MANY, start, row}};
    trial t;
    trial_init(&t, &r, HBG_SIM_BDF, 1);
    t.options.rtol = 1e-4;
    trial_run(&t);
    assert_int_equal(t.status, HBG_RT_OK);
    assert_true(t.result.steps < 1000);
    /* a quantity that diffuses into an empty half line: x_0(1) = 1 − e⁻²·(I_0(2) + I_1(2)), from the series
     * of I */
    double zeroth = 0, first = 0, term = 1;
    for (int k = 0; k < 20; k++) {
        zeroth += term;
        first += term / (k + 1);
        term /= (k + 1.0) * (k + 1.0);
    }
    assert_near(t.result.state[0], 1 - exp(-2) * (zeroth + first), 1e-3);
    assert_true(t.result.state[MANY - 1] == 0);
    trial_fini(&t);
    free(start);
    free(row);
}

/* Rate 1 + 10⁶·t, slow at the start: fixed-point iteration converges only in ever shorter steps. */
static void harden(hand *h, double t, const double *x, double *dx) {
    (void)h;
    dx[0] = -(1 + 1e6 * t) * (x[0] - cos(t));
}

static void adams_notices_what_turns_stiff(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {1}, .rates = harden};
    field_bench b;
    field_bench_init(&b, &r, 1e-6, 10, 0);
    hbg_rt_field_size_update(&b.field, r.start);
    hbg_rt_integrator *stepper = hbg_sim_cvode_new(&b.arena, &b.field, true);
    assert_non_null(stepper);
    assert_int_equal(stepper->begin(stepper, 0, r.start), HBG_RT_OK);
    int steps = 0;
    while (!stepper->stiff && steps++ < 5000) assert_int_equal(stepper->step(stepper, 10), HBG_RT_OK);
    assert_true(stepper->stiff);
    assert_true(stepper->t1 > 1e-4); /* not before it is: 10 s are 3300 time constants from t = 0.33 ms on */
    stepper->end(stepper);
    field_bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adams_notices_what_turns_stiff),
        cmocka_unit_test(robertson_meets_published_values),
        cmocka_unit_test(stiff_van_der_pol_meets_the_published_value),
        cmocka_unit_test(time_constants_from_a_microsecond_to_an_hour_are_followed),
        cmocka_unit_test(a_sparse_chain_comes_to_its_line),
        cmocka_unit_test(twenty_thousand_cells_at_rest_do_not_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
