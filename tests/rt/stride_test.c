/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strides on a system by hand: a tank that a two-point controller fills and empties, x' = u·(1 − x) − x/2, with a bend in time so
 * that the times of stages count. What a stride does is done again here, one hbg_rt_step after the other. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <string.h>

#include "rt/rt.h"

struct hbg_rt_instance {
    int32_t filling;
    double search_from; /* looks from here on want a search */
    double fails_from;  /* rates from here on are not finite */
    double look_fails_from;
    int looks;
    double wild;   /* a power beyond it is refused */
    double broken; /* and beyond this it is infinite */
};

static hbg_rt_status rates(hbg_rt_instance *tank, double t, const double *x, double *dx) {
    if (t >= tank->fails_from) return HBG_RT_NOT_FINITE;
    dx[0] = tank->filling * (1 - x[0]) - x[0] / 2 + 0.01 * sin(3 * t);
    dx[1] = x[0];
    return HBG_RT_OK;
}

static hbg_rt_status powers_at(hbg_rt_instance *tank, double t, const double *x, double *power) {
    (void)t;
    power[0] = x[0] * x[0];
    if (power[0] > tank->broken) power[0] = INFINITY;
    return power[0] > tank->wild ? HBG_RT_NOT_FINITE : HBG_RT_OK;
}

static hbg_rt_status look(hbg_rt_instance *tank, double t, const double *x, hbg_rt_look *look) {
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
    hbg_rt_instance tank;
    hbg_rt_system system;
    hbg_rt_stepper stepper;
    hbg_rt_stride stride;
    double scratch[32], step_work[1], work[1], x[2];
    int32_t states[1];
} bench;

static const hbg_rt_instance quiet = {1, INFINITY, INFINITY, INFINITY, 0, INFINITY, INFINITY};

static void open_bench(bench *b, hbg_rt_method method, int64_t count) {
    memset(b, 0, sizeof *b);
    b->tank = quiet;
    b->system = (hbg_rt_system){.state_count = 2,
                                .power_count = 1,
                                .has_events = true,
                                .rates = rates,
                                .powers_at = powers_at,
                                .look = look};
    b->stepper = (hbg_rt_stepper){.system = &b->system,
                                  .instance = &b->tank,
                                  .method = method,
                                  .scratch = b->scratch,
                                  .work = b->step_work};
    assert_true(hbg_rt_step_scratch(&b->stepper) + hbg_rt_stride_scratch(&b->stepper) <= 32);
    b->stride = (hbg_rt_stride){.stepper = &b->stepper,
                                .step = 0.1,
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
        if (i > 0 || !looked) assert_int_equal(look(&b->tank, number * 0.1, b->x, &of), HBG_RT_OK);
        *moves += of.moves;
        assert_int_equal(rates(&b->tank, number * 0.1, b->x, dx), HBG_RT_OK);
        assert_int_equal(hbg_rt_step(&b->stepper, number * 0.1, (number + 1) * 0.1, b->x, dx), HBG_RT_OK);
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

/* Who draws a curve through the last step gets its ends: one step fewer leads to its start; its rates at the end are those of
 * the mode it was done in. */
static void the_last_step_has_its_ends(void **state) {
    (void)state;
    for (hbg_rt_method method = HBG_RT_EULER; method <= HBG_RT_RK4; method++)
        for (int64_t count = 1; count < 40; count++) {
            bench stride, before;
            double x0[2], dx0[2], dx1[2], wanted[2];
            open_bench(&stride, method, count);
            open_bench(&before, method, count - 1);
            stride.stride.x0 = x0, stride.stride.dx0 = dx0, stride.stride.dx1 = dx1;
            assert_int_equal(hbg_rt_stride_run(&stride.stride), HBG_RT_OK);
            assert_int_equal(hbg_rt_stride_run(&before.stride), HBG_RT_OK);
            assert_int_equal(stride.stride.done, count);
            assert_memory_equal(x0, before.x, sizeof x0);
            double start = (2 + (double)count) * 0.1, end = (3 + (double)count) * 0.1;
            assert_int_equal(rates(&stride.tank, start, x0, wanted), HBG_RT_OK);
            assert_memory_equal(dx0, wanted, sizeof wanted);
            assert_int_equal(rates(&stride.tank, end, stride.x, wanted), HBG_RT_OK);
            assert_memory_equal(dx1, wanted, sizeof wanted);
        }
}

/* Without rates at its end the last step is not done: who does it alone gets to know why. */
static void a_last_step_without_rates_at_its_end_fails(void **state) {
    bench b;
    double x0[2], dx0[2], dx1[2];
    (void)state;
    open_bench(&b, HBG_RT_EULER, 2);
    b.tank.fails_from = 0.45; // the second step ends at 0.5
    b.stride.x0 = x0, b.stride.dx0 = dx0, b.stride.dx1 = dx1;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.stride.end, HBG_RT_STRIDE_FAILED);
    assert_int_equal(b.stride.done, 1);
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
    b.tank.search_from = 1.25; // the look at 1.3 is the first behind it, ten steps on
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
    b.stride.looked = true; // who has looked goes one step on
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
    b.tank.broken = 0.2; // nobody refuses it, but its work is no number
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
    assert_true(fabs(b.x[0] - 2.0 / 3) < 0.02); // it has filled to where 1 − x = x/2
}

/* A system with code of its own is asked first. */
static bool own_stride(hbg_rt_instance *tank, hbg_rt_stride *stride, hbg_rt_status *status) {
    tank->looks = 1000;
    stride->done = stride->count;
    *status = HBG_RT_OK;
    return true;
}

static void a_system_with_code_of_its_own_does_it(void **state) {
    bench b;
    (void)state;
    open_bench(&b, HBG_RT_EULER, 100);
    b.system.stride = own_stride;
    assert_int_equal(hbg_rt_stride_run(&b.stride), HBG_RT_OK);
    assert_int_equal(b.tank.looks, 1000);
    assert_true(b.x[0] == 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stride_has_the_bits_of_single_steps),
        cmocka_unit_test(the_last_step_has_its_ends),
        cmocka_unit_test(a_last_step_without_rates_at_its_end_fails),
        cmocka_unit_test(the_first_step_is_the_one_by_hand),
        cmocka_unit_test(it_ends_where_a_search_is_needed),
        cmocka_unit_test(a_step_without_a_finite_end_is_not_done),
        cmocka_unit_test(a_look_that_fails_ends_it),
        cmocka_unit_test(without_events_nobody_looks_and_without_works_nobody_books),
        cmocka_unit_test(a_system_with_code_of_its_own_does_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
