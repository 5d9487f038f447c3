/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Located relations, over all integrators that locate: exact times, pairs of roots inside a step, touching,
 * roots at the start, roots that are 0 for a while, simultaneous ones, chattering, rounding. The present
 * branch is an output; rows are recorded only at the ends, so any other row is a crossing. */
#include "sim/systems_impl.h"

static const hbg_sim_solver locating[] = {HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS};

static void clock_state(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t, (void)x;
    dx[0] = 1;
}

static void show_branches(hand *h, double t, const double *x, double *y) {
    for (int32_t k = 0; k < h->r->relation_count; k++) y[k] = holds(h, k, t, x) ? 1 : 0;
}

typedef struct {
    double stop, step, rtol; /* 0: the default */
    hbg_rt_status status;    /* expected at the end */
} plan;

/* Runs it with every method that locates; rows only at the ends and at crossings. */
static void with_each(const recipe *r, plan of, void (*check)(const trial *t)) {
    for (int s = 0; s < 3; s++) {
        trial t;
        trial_init(&t, r, locating[s], of.stop);
        t.options.record_every = 1000;
        t.options.step = of.step;
        t.options.rtol = of.rtol;
        trial_run(&t);
        assert_int_equal(t.status, of.status);
        check(&t);
        trial_fini(&t);
    }
}

static void check_nothing_crossed(const trial *t) {
    assert_int_equal(t->result.crossings, 0);
}

static bool holds_at_end(const trial *t, int32_t relation) {
    return row_value(t, t->rows.count - 1, t->h.r->n + relation) == 1;
}

/* ---- where ------------------------------------------------------------------------------------------- */

static void three_levels(hand *h, double t, const double *x, double *g) {
    (void)h, (void)t;
    g[0] = x[0] - 0.3;
    g[1] = x[0] * x[0] * x[0] - 0.027;
    g[2] = 0.7 - x[0];
}

/* x = t: the first two relations change together at 0.3, the third at 0.7 */
static void check_levels(const trial *t) {
    assert_int_equal(t->result.crossings, 3);
    for (int32_t k = 0; k < 3; k++) assert_true(holds_at_end(t, k) == (k < 2));
    for (int32_t k = 1; k < t->rows.count; k++) {
        double wanted = t->rows.time[k] < 0.5 ? 0.3 : 0.7;
        assert_near(t->rows.time[k], wanted, 1e-14);
        assert_near(row_value(t, k, 0), wanted, 1e-12);
    }
}

static void crossings_are_found_to_the_resolution_of_time(void **state) {
    (void)state;
    const recipe r = {.n = 1,
                      .rates = clock_state,
                      .relations = three_levels,
                      .relation_count = 3,
                      .output = show_branches,
                      .output_count = 3};
    with_each(&r, (plan){.stop = 2}, check_levels);
}

static void dip(hand *h, double t, const double *x, double *g) {
    (void)t;
    g[0] = (x[0] - 1) * (x[0] - 1) - h->r->parameter[0];
}

static const recipe dipping = {.n = 1,
                               .rates = clock_state,
                               .relations = dip,
                               .relation_count = 1,
                               .output = show_branches,
                               .output_count = 1};

/* Below 0 between 1 − w and 1 + w, with w much smaller than a step. */
static void check_pair(const trial *t) {
    double w = sqrt(t->h.r->parameter[0]);
    assert_int_equal(t->result.crossings, 2);
    assert_int_equal(t->rows.count, 5);
    assert_near(t->rows.time[1], 1 - w, 1e-12 / w * 1e-2 + 1e-13);
    assert_near(t->rows.time[3], 1 + w, 1e-12 / w * 1e-2 + 1e-13);
}

static void a_pair_of_roots_inside_a_step_is_found(void **state) {
    (void)state;
    for (int digits = 1; digits <= 4; digits++) {
        recipe r = dipping;
        r.parameter[0] = pow(10, -2 * digits);
        with_each(&r, (plan){.stop = 2, .step = 0.77}, check_pair);
    }
}

static void check_touch(const trial *t) {
    assert_int_equal(t->result.crossings % 2, 0);
    assert_true(holds_at_end(t, 0));
}

static void touching_changes_no_branch(void **state) {
    (void)state;
    with_each(&dipping, (plan){.stop = 2, .step = 0.77}, check_touch);
}

/* ---- laws with kinks ---------------------------------------------------------------------------------- */

/* A spring four times as stiff when pressed: half swings of π and π/2 */
static void spring(hand *h, double t, const double *x, double *dx) {
    dx[0] = x[1];
    dx[1] = holds(h, 0, t, x) ? -x[0] : -4 * x[0];
}

static void spring_jacobian(hand *h, double t, const double *x, double *dense) {
    dense[1] = 1;
    dense[2] = holds(h, 0, t, x) ? -1 : -4;
}

static void first_state(hand *h, double t, const double *x, double *g) {
    (void)h, (void)t;
    g[0] = x[0];
}

static const double spring_period = 4.71238898038468985769; /* 3π/2 */

static void check_swings(const trial *t) {
    double error = strcmp(t->result.solver, "erk") == 0 ? 1e-6 : 2e-5;
    assert_int_equal(t->result.crossings, 40);
    assert_int_equal(t->rows.count, 81);
    for (int32_t k = 0; k < 20; k++) {
        assert_near(t->rows.time[1 + 4 * k], k * spring_period + spring_period / 3, error);
        assert_near(t->rows.time[3 + 4 * k], k * spring_period + 2 * spring_period / 3, error);
    }
    assert_near(t->result.state[0], 1, error);
}

static void each_swing_of_a_two_rate_spring_is_found_once(void **state) {
    (void)state;
    const recipe r = {.n = 2,
                      .start = {1, 0},
                      .rates = spring,
                      .jacobian = spring_jacobian,
                      .relations = first_state,
                      .relation_count = 1,
                      .output = show_branches,
                      .output_count = 1};
    with_each(&r, (plan){.stop = 20 * spring_period, .rtol = 1e-9}, check_swings);
}

/* ---- starts ------------------------------------------------------------------------------------------- */

static void slow_below_fast_above(hand *h, double t, const double *x, double *dx) {
    dx[0] = h->r->parameter[0] * (holds(h, 0, t, x) ? 2 : 1);
}

/* From 0 with x > 0 not yet true: upwards the rate is 2 from the first moment, downwards 1; nothing is
 * crossed. */
static void check_start(const trial *t) {
    check_nothing_crossed(t);
    assert_near(t->result.state[0], t->h.r->parameter[0] > 0 ? 2 : -1, 1e-9);
}

static void a_root_at_the_start_takes_the_side_it_moves_to(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const recipe r = {.n = 1,
                          .rates = slow_below_fast_above,
                          .relations = first_state,
                          .relation_count = 1,
                          .parameter = {sign}};
        with_each(&r, (plan){.stop = 1}, check_start);
    }
}

/* Stays at 0 until t = 1, then leaves it: x > 0 becomes true there. */
static void late_riser(hand *h, double t, const double *x, double *dx) {
    dx[0] = holds(h, 1, t, x) ? 1 : 0;
}

static void late_relations(hand *h, double t, const double *x, double *g) {
    (void)h;
    g[0] = x[0];
    g[1] = t - 1;
}

static void check_riser(const trial *t) {
    assert_near(t->result.state[0], 1, 1e-9);
    assert_true(holds_at_end(t, 0) && holds_at_end(t, 1));
    assert_near(t->rows.time[t->rows.count - 1], 1, 1e-6);
}

static void a_root_that_was_zero_for_a_while_is_not_lost(void **state) {
    (void)state;
    const recipe r = {.n = 1,
                      .rates = late_riser,
                      .relations = late_relations,
                      .relation_count = 2,
                      .output = show_branches,
                      .output_count = 2};
    with_each(&r, (plan){.stop = 2}, check_riser);
}

/* ---- what has no end ---------------------------------------------------------------------------------- */

static void slide(hand *h, double t, const double *x, double *dx) {
    dx[0] = holds(h, 0, t, x) ? -1 : 1;
}

static void check_slide(const trial *t) {
    assert_near(t->result.t, 0.5, 1e-6);
    assert_non_null(strstr(t->result.failure, "relation 0"));
}

static void sliding_is_a_verdict_that_names_the_relation(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {0.5}, .rates = slide, .relations = first_state, .relation_count = 1};
    with_each(&r, (plan){.stop = 10, .status = HBG_RT_VERDICT}, check_slide);
}

/* Two equal discharges whose difference is only rounding: its changes of sign are not crossings. */
static void equal_discharges(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = -x[0] / 3;
    dx[1] = -x[1] * (1.0 / 3);
}

static void equal_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[0] = dense[3] = -1.0 / 3;
}

static void difference(hand *h, double t, const double *x, double *g) {
    (void)h, (void)t;
    g[0] = x[0] - x[1];
}

static void rounding_of_a_balance_is_no_crossing(void **state) {
    (void)state;
    const recipe r = {.n = 2,
                      .start = {1, 1},
                      .rates = equal_discharges,
                      .jacobian = equal_jacobian,
                      .relations = difference,
                      .relation_count = 1};
    with_each(&r, (plan){.stop = 10}, check_nothing_crossed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings_are_found_to_the_resolution_of_time),
        cmocka_unit_test(a_pair_of_roots_inside_a_step_is_found),
        cmocka_unit_test(touching_changes_no_branch),
        cmocka_unit_test(each_swing_of_a_two_rate_spring_is_found_once),
        cmocka_unit_test(a_root_at_the_start_takes_the_side_it_moves_to),
        cmocka_unit_test(a_root_that_was_zero_for_a_while_is_not_lost),
        cmocka_unit_test(sliding_is_a_verdict_that_names_the_relation),
        cmocka_unit_test(rounding_of_a_balance_is_no_crossing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
