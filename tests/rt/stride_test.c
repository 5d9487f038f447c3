/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strides on a system by hand: a tank that a two-point controller fills and empties, x' = u·(1 − x) − x/2,
 * nonlinear in time so that the times of stages matter. A stride is repeated here by single calls of
 * hbg_rt_step. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <string.h>

#include "rt/bump_impl.h"
#include "rt/by_hand.h"
#include "rt/stride.h"

typedef struct {
    int32_t filling;
    double search_from; /* looks from here on require a search */
    double fails_from;  /* rates from here on are not finite */
    double look_fails_from;
    int looks;
    double wild;                     /* a power above it is refused */
    double broken;                   /* and above this it is infinite */
    double unseen_from, unread_from; /* outputs from here on are not finite, or refused */
} tank_state;

static hbg_rt_status rates(void *self, double t, const double *x, double *dx) {
    const tank_state *tank = self;
    if (t >= tank->fails_from) return HBG_RT_NOT_FINITE;
    dx[0] = tank->filling * (1 - x[0]) - x[0] / 2 + 0.01 * sin(3 * t);
    dx[1] = x[0];
    return HBG_RT_OK;
}

static hbg_rt_status powers_at(void *self, double t, const double *x, double *power) {
    const tank_state *tank = self;
    (void)t;
    power[0] = x[0] * x[0];
    if (power[0] > tank->broken) power[0] = INFINITY;
    return power[0] > tank->wild ? HBG_RT_NOT_FINITE : HBG_RT_OK;
}

static hbg_rt_status outputs_at(void *self, double t, const double *x, double *y) {
    const tank_state *tank = self;
    y[0] = x[0] - x[1] / 8 + t;
    y[1] = t >= tank->unseen_from ? INFINITY : x[0] * x[0];
    return t >= tank->unread_from ? HBG_RT_UNDEFINED : HBG_RT_OK;
}

static hbg_rt_status look(void *self, double t, const double *x, hbg_rt_look *look) {
    tank_state *tank = self;
    int32_t next = x[0] > 0.6 ? 0 : x[0] < 0.4 ? 1 : look->states[0];
    tank->looks++;
    if (t >= tank->look_fails_from) return HBG_RT_UNDEFINED;
    look->end = t >= tank->search_from    ? HBG_RT_LOOK_SEARCH
                : next != look->states[0] ? HBG_RT_LOOK_MOVED
                                          : HBG_RT_LOOK_QUIET;
    look->moves = look->end == HBG_RT_LOOK_MOVED;
    if (look->end == HBG_RT_LOOK_SEARCH) return HBG_RT_OK;
    look->states[0] = tank->filling = next;
    return HBG_RT_OK;
}

typedef struct {
    tank_state tank;
    hbg_rt_description system;
    hbg_rt_by_hand_events events;
    hbg_rt_by_hand by_hand;
    bump memory; /* of the instance */
    hbg_rt_stepper stepper;
    hbg_rt_stride stride;
    double scratch[32], step_work[1], work[1], x[2];
    int32_t states[1];
} bench;

static const tank_state quiet = {1, INFINITY, INFINITY, INFINITY, 0, INFINITY, INFINITY, INFINITY, INFINITY};

static void open_bench(bench *b, hbg_rt_method method, int64_t count) {
    memset(b, 0, sizeof *b);
    b->tank = quiet;
    b->system =
        (hbg_rt_description){.state_count = 2, .power_count = 1, .output_count = 2, .has_events = true};
    b->events.look = look;
    b->by_hand = (hbg_rt_by_hand){.description = &b->system,
                                  .self = &b->tank,
                                  .rates = rates,
                                  .outputs = outputs_at,
                                  .powers = powers_at,
                                  .events = &b->events};
    b->stepper = (hbg_rt_stepper){.system = &b->system,
                                  .instance = hbg_rt_by_hand_new(&b->by_hand, bump_memory(&b->memory)),
                                  .method = method,
                                  .scratch = b->scratch,
                                  .work = b->step_work};
    assert_true(hbg_rt_step_scratch(&b->stepper) + hbg_rt_stride_scratch(&b->stepper) <= 32);
    b->stride = (hbg_rt_stride){.stepper = &b->stepper,
                                .grid = hbg_rt_grid_of(0.1),
                                .first = 3,
                                .count = count,
                                .x = b->x,
                                .states = b->states,
                                .work = b->work};
    b->x[0] = 0.1;
    b->states[0] = 1;
}

/* The same by single steps, each with the rates of the mode it begins in. */
static void step_by_step(bench *b, int64_t count, bool looked, int64_t *moves) {
    double dx[2];
    *moves = 0;
    b->work[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        double number = 3 + (double)i;
        hbg_rt_look of = {.states = b->states};
        if (i > 0 || !looked) assert_int_equal(look(&b->tank, number / 10, b->x, &of), HBG_RT_OK);
        *moves += of.moves;
        assert_int_equal(rates(&b->tank, number / 10, b->x, dx), HBG_RT_OK);
        assert_int_equal(hbg_rt_step(&b->stepper, number / 10, (number + 1) / 10, b->x, dx), HBG_RT_OK);
        b->work[0] += b->step_work[0];
    }
}

static void a_stride_has_the_bits_of_single_steps(void **state) {
    (void)state;
    for (hbg_rt_method method = HBG_RT_EULER; method <= HBG_RT_RK4; method++)
        for (int looked = 0; looked < 2; looked++) {
            bench stride, steps;
            int64_t moves;
            open_bench(&stride, method, 200);
            open_bench(&steps, method, 200);
            stride.stride.looked = looked;
            assert_int_equal(hbg_rt_stride_run(&stride.stride), HBG_RT_OK);
            step_by_step(&steps, 200, looked, &moves);
            assert_int_equal(stride.stride.end, HBG_RT_STRIDE_DONE);
            assert_int_equal(stride.stride.done, 200);
            assert_memory_equal(stride.x, steps.x, sizeof stride.x);
            assert_memory_equal(stride.work, steps.work, sizeof stride.work);
            assert_int_equal(stride.states[0], steps.states[0]);
            assert_true(moves >= 4); // it goes back and forth
            assert_int_equal(stride.stride.moves, moves);
            assert_int_equal(stride.stride.commits, moves); // one automaton
            assert_int_equal(stride.tank.looks, looked ? 199 : 200);
        }
}

/* ---- outputs ------------------------------------------------------------------------------------------ */

/* Rows at 0.37, 0.44, at the end of that step, at 0.5 that way, and at 2.01. The tank is full and empty
 * meanwhile. */
static const hbg_rt_row rows[] = {{0, 0.37}, {1, 0.44}, {1, 5.0 / 10}, {17, 2.01}};

/* Cubics by Hermite's basis in another form, between single steps with rates of the mode of the step. */
static void expected_rows(hbg_rt_method method, double expected[4][2]) {
    bench b;
    double dx0[2], dx1[2], x0[2];
    open_bench(&b, method, 1);
    for (int64_t i = 0, row = 0; i < 18; i++) {
        double t = (3 + (double)i) / 10, end = (4 + (double)i) / 10;
        hbg_rt_look of = {.states = b.states};
        assert_int_equal(look(&b.tank, t, b.x, &of), HBG_RT_OK);
        memcpy(x0, b.x, sizeof x0);
        assert_int_equal(rates(&b.tank, t, b.x, dx0), HBG_RT_OK);
        memcpy(dx1, dx0, sizeof dx1);
        assert_int_equal(hbg_rt_step(&b.stepper, t, end, b.x, dx1), HBG_RT_OK);
        for (; row < 4 && rows[row].step == i; row++) {
            double h = end - t, s = (rows[row].time - t) / h, x[2];
            for (int k = 0; k < 2; k++) {
                double line = x0[k] + s * (b.x[k] - x0[k]), rise = (b.x[k] - x0[k]) / h;
                x[k] = line + s * (1 - s) * h * ((1 - s) * (dx0[k] - rise) - s * (dx1[k] - rise));
            }
            assert_int_equal(outputs_at(&b.tank, rows[row].time, x, expected[row]), HBG_RT_OK);
        }
    }
}

static void rows_are_on_the_cubics_of_their_steps(void **state) {
    (void)state;
    for (hbg_rt_method method = HBG_RT_EULER; method <= HBG_RT_RK4; method++) {
        bench b;
        double expected[4][2], found[4][2] = {{0}};
        expected_rows(method, expected);
        open_bench(&b, method, 40);
        b.stride.rows = rows;
        b.stride.row_count = 4;
        b.stride.outputs = &found[0][0];
        assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
        assert_int_equal(b.stride.done, 40);
        assert_int_equal(b.stride.row_done, 4);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 2; k++) assert_true(fabs(found[i][k] - expected[i][k]) < 1e-14);
    }
}

/* Bit by bit: -0 is not 0. */
static void the_end_of_a_curve_is_the_state_there(void **state) {
    (void)state;
    const double x0[] = {-3}, dx0[] = {1}, x1[] = {-0.0}, dx1[] = {7};
    double x[1];
    hbg_rt_curve_at(&(hbg_rt_curve){0.1, 0.3, x0, dx0, x1, dx1}, 1, 0.3, x);
    assert_true(x[0] == 0 && signbit(x[0]));
    hbg_rt_curve_at(&(hbg_rt_curve){0.1, 0.3, x0, dx0, x1, dx1}, 1, 0.1, x);
    assert_true(x[0] == -3);
    /* half way: the mean, and an eighth of what the rates differ by */
    hbg_rt_curve_at(&(hbg_rt_curve){0.1, 0.3, x0, dx0, x1, dx1}, 1, 0.2, x);
    assert_true(fabs(x[0] - (-1.5 + 0.2 / 8 * (1 - 7))) < 1e-14);
}

/* A step with a row that fails is not made, nor are its other rows. */
static void a_row_that_is_not_finite_is_no_row_of_the_stride(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        bench b;
        double found[4][2] = {{0}};
        open_bench(&b, HBG_RT_EULER, 40);
        b.stride.rows = rows;
        b.stride.row_count = 4;
        b.stride.outputs = &found[0][0];
        if (kind == 0) b.tank.unseen_from = 0.47; // between the two rows of the second step
        if (kind == 1) b.tank.unread_from = 0.47;
        if (kind == 2) b.tank.fails_from = 0.5; // rates at the end of that step
        assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
        assert_int_equal(b.stride.end, HBG_RT_STRIDE_FAILED);
        assert_int_equal(b.stride.done, 1);
        assert_int_equal(b.stride.row_done, 1);
    }
}

static void an_extent_has_every_step(void **state) {
    (void)state;
    bench b, steps;
    double last[2], low[2], high[2], area[2] = {0}, y[2], before[2], least[2], most[2], sum[2] = {0};
    open_bench(&b, HBG_RT_ODE3, 60);
    open_bench(&steps, HBG_RT_ODE3, 60);
    assert_int_equal(outputs_at(&b.tank, 3.0 / 10, b.x, last), HBG_RT_OK);
    memcpy(low, last, sizeof low), memcpy(high, last, sizeof high);
    memcpy(before, last, sizeof low), memcpy(least, last, sizeof low), memcpy(most, last, sizeof low);
    hbg_rt_extent extent = {2, last, low, high, area};
    b.stride.extent = &extent;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    for (int64_t i = 0; i < 60; i++) {
        double t = (3 + (double)i) / 10, end = (4 + (double)i) / 10, dx[2];
        hbg_rt_look of = {.states = steps.states};
        assert_int_equal(look(&steps.tank, t, steps.x, &of), HBG_RT_OK);
        assert_int_equal(rates(&steps.tank, t, steps.x, dx), HBG_RT_OK);
        assert_int_equal(hbg_rt_step(&steps.stepper, t, end, steps.x, dx), HBG_RT_OK);
        assert_int_equal(outputs_at(&steps.tank, end, steps.x, y), HBG_RT_OK);
        for (int k = 0; k < 2; k++) {
            sum[k] += (end - t) * (before[k] + y[k]) / 2;
            least[k] = fmin(least[k], y[k]), most[k] = fmax(most[k], y[k]), before[k] = y[k];
        }
    }
    assert_memory_equal(last, before, sizeof last);
    assert_memory_equal(low, least, sizeof low);
    assert_memory_equal(high, most, sizeof high);
    assert_memory_equal(area, sum, sizeof area);
    assert_true(high[1] > 0.3 && low[1] < 0.02);
}

/* A step that is not made leaves nothing. */
static void an_extent_ends_before_what_is_not_finite(void **state) {
    (void)state;
    bench b;
    double last[2] = {0}, low[2] = {0}, high[2] = {0}, area[2] = {0};
    open_bench(&b, HBG_RT_ODE3, 60);
    b.tank.unseen_from = 0.65;
    hbg_rt_extent extent = {2, last, low, high, area};
    b.stride.extent = &extent;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_FAILED);
    assert_int_equal(b.stride.done, 3); // the ends at 0.4, 0.5 and 0.6
    assert_true(isfinite(area[1]) && isfinite(high[1]) && last[0] > 0.6);
}

/* Euler by hand: x = 0.1 at t = 0.3, filling: x' = 0.9 − 0.05 + 0.01·sin 0.9. */
static void the_first_step_is_the_one_by_hand(void **state) {
    bench b;
    (void)state;
    open_bench(&b, HBG_RT_EULER, 1);
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_true(fabs(b.x[0] - (0.1 + 0.1 * (0.85 + 0.01 * sin(0.9)))) < 1e-15);
    assert_true(fabs(b.x[1] - 0.01) < 1e-17);
    assert_true(fabs(b.work[0] - 0.001) < 1e-17); // h·x²
}

static void it_ends_where_a_search_is_needed(void **state) {
    bench b, before;
    int64_t moves;
    (void)state;
    open_bench(&b, HBG_RT_ODE3, 100);
    open_bench(&before, HBG_RT_ODE3, 100);
    b.tank.search_from = 1.25; // the look at 1.3 is the first after it, ten steps later
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_SEARCH);
    assert_int_equal(b.stride.done, 10);
    step_by_step(&before, 10, false, &moves);
    assert_memory_equal(b.x, before.x, sizeof b.x);
    assert_int_equal(b.stride.moves, moves);

    open_bench(&b, HBG_RT_ODE3, 100);
    b.tank.search_from = 0;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_SEARCH);
    assert_int_equal(b.stride.done, 0);
    assert_true(b.x[0] == 0.1 && b.work[0] == 0);
    b.stride.looked = true; // after a look, one step is made
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.done, 1);
}

static void a_step_without_a_finite_end_is_not_done(void **state) {
    bench b, before;
    int64_t moves;
    (void)state;
    open_bench(&b, HBG_RT_RK4, 100);
    open_bench(&before, HBG_RT_RK4, 100);
    b.tank.fails_from = 0.86; // inside the step from 0.8
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_FAILED);
    assert_int_equal(b.stride.done, 5);
    step_by_step(&before, 5, false, &moves);
    assert_memory_equal(b.x, before.x, sizeof b.x);
    assert_memory_equal(b.work, before.work, sizeof b.work); // nor booked

    open_bench(&b, HBG_RT_EULER, 100);
    b.x[0] = 1e308;
    b.x[1] = 1.7e308; // the rates are finite, their sum with the state is not
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_FAILED);
    assert_int_equal(b.stride.done, 0);
    assert_true(b.x[1] == 1.7e308);

    open_bench(&b, HBG_RT_EULER, 100);
    b.tank.wild = 0.2;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_FAILED);
    assert_true(b.stride.done > 0 && b.x[0] * b.x[0] > 0.2); // the power at its beginning is refused

    open_bench(&b, HBG_RT_EULER, 100);
    b.tank.broken = 0.2; // it is not refused, but its work is not finite
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_FAILED);
    assert_true(b.stride.done > 0 && isfinite(b.work[0]));
}

static void a_look_that_fails_ends_it(void **state) {
    bench b;
    (void)state;
    open_bench(&b, HBG_RT_EULER, 100);
    b.tank.look_fails_from = 0.75;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_UNDEFINED);
    assert_int_equal(b.stride.done, 5);
}

static void without_events_nobody_looks_and_without_works_nobody_books(void **state) {
    bench b;
    (void)state;
    open_bench(&b, HBG_RT_EULER, 100);
    b.system.has_events = false;
    b.stepper.work = b.stride.work = NULL;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.done, 100);
    assert_int_equal(b.tank.looks, 0);
    assert_true(fabs(b.x[0] - 2.0 / 3) < 0.02); // it has filled up to 1 − x = x/2
}

/* A system with its own code is called first, and again after every step that it cannot make. */
static bool own_stride(void *self, hbg_rt_stride *stride, hbg_rt_status *status) {
    tank_state *tank = self;
    tank->looks += 1000;
    if (stride->done == 10) return false;
    stride->done = stride->done < 10 ? 10 : stride->count;
    *status = HBG_RT_OK;
    return true;
}

static void a_system_with_code_of_its_own_does_it(void **state) {
    bench b;
    (void)state;
    open_bench(&b, HBG_RT_EULER, 100);
    b.by_hand.stride = own_stride;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.tank.looks, 3001);
    assert_true(b.x[0] != 0.1 && fabs(b.x[1] - 0.01) < 1e-15); // one step was left
    assert_int_equal(b.stride.done, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stride_has_the_bits_of_single_steps),
        cmocka_unit_test(rows_are_on_the_cubics_of_their_steps),
        cmocka_unit_test(the_end_of_a_curve_is_the_state_there),
        cmocka_unit_test(a_row_that_is_not_finite_is_no_row_of_the_stride),
        cmocka_unit_test(an_extent_has_every_step),
        cmocka_unit_test(an_extent_ends_before_what_is_not_finite),
        cmocka_unit_test(the_first_step_is_the_one_by_hand),
        cmocka_unit_test(it_ends_where_a_search_is_needed),
        cmocka_unit_test(a_step_without_a_finite_end_is_not_done),
        cmocka_unit_test(a_look_that_fails_ends_it),
        cmocka_unit_test(without_events_nobody_looks_and_without_works_nobody_books),
        cmocka_unit_test(a_system_with_code_of_its_own_does_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
