/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The engine alone: its own methods, memory of the heap, an observer that counts. tests/sim/run_test.c tests
 * it as used by sim. */
#include "rt/engine_bench_impl.h"

/* A block on a spring with dry friction: x'' = −x − f·sign(x'); and its energy. */
static double force(hand *h, double t, const double *x) {
    return holds(h, 0, t, x) ? h->r->parameter[0] : -h->r->parameter[0];
}

static void swing(hand *h, double t, const double *x, double *dx) {
    dx[0] = x[1];
    dx[1] = -x[0] - force(h, t, x);
}

static void swing_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[1] = 1;
    dense[2] = -1;
}

static void moves_right(hand *h, double t, const double *x, double *g) {
    (void)h, (void)t;
    g[0] = x[1];
}

static void friction(hand *h, double t, const double *x, double *power) {
    power[0] = x[1] * force(h, t, x);
}

static void energy(hand *h, double t, const double *x, double *energy) {
    (void)h, (void)t;
    energy[0] = (x[0] * x[0] + x[1] * x[1]) / 2;
}

static const recipe rubbing = {.n = 2,
                               .start = {1, 0},
                               .rates = swing,
                               .jacobian = swing_jacobian,
                               .relation_count = 1,
                               .relations = moves_right,
                               .power_count = 1,
                               .powers = {{"friction", HBG_RT_DISSIPATED}},
                               .power = friction,
                               .storage_count = 1,
                               .energy = energy,
                               .parameter = {0.1}};

/* Half a swing takes π and leads from 1 to −(1 − 2f); half of the next, about −f, leads there with a speed of
 * 1 − 3f. */
static const double stop = 4.71238898038469;

static void every_method_runs_without_any_library(void **state) {
    (void)state;
    for (int method = -1; method <= HBG_RT_TRAPEZOIDAL; method++) {
        engine_bench b;
        recipe r = rubbing;
        if (method == HBG_RT_TRAPEZOIDAL) r.parameter[0] = 0; // an equation with a jump has no solution there
        double f = r.parameter[0];
        engine_bench_init(&b, &r, stop);
        b.setup.fixed = method >= 0;
        b.setup.method = method >= 0 ? (hbg_rt_method)method : HBG_RT_EULER;
        b.setup.demand.step = method >= 0 ? 1e-4 : 0;
        assert_int_equal(engine_bench_run(&b), HBG_RT_OK);
        double error = method < 0 ? 1e-5 : method == HBG_RT_EULER ? 3e-3 : 1e-4;
        assert_near(b.state[0], -f, error);
        assert_near(b.state[1], 1 - 3 * f, error);
        assert_near(b.work[0], f * (3 - 5 * f), 2 * error);
        assert_near(b.result.residual, 0, 2 * error);
        assert_true(b.result.t == stop);
        if (method < 0) assert_int_equal(b.result.crossings, 1);
        engine_bench_fini(&b);
    }
}

/* ---- what is seen ------------------------------------------------------------------------------------- */

typedef struct {
    engine_bench *bench;
    int64_t inside, ended, passed, asked;
    bool started, moved;
    double last; /* end of a step */
    int64_t stops_at;
    hbg_rt_status answer;
} witness;

static hbg_rt_status see_start(void *context, bool moved) {
    witness *w = context;
    w->started = true;
    w->moved = moved;
    return HBG_RT_OK;
}

static hbg_rt_status see_inside(void *context, double end) {
    witness *w = context;
    assert_true(end > w->bench->engine->t);
    w->inside++;
    w->last = end;
    return HBG_RT_OK;
}

static hbg_rt_status see_end(void *context) {
    witness *w = context;
    assert_true(w->bench->engine->t == w->last);
    w->ended++;
    return w->ended == 5 ? w->answer : HBG_RT_OK;
}

static hbg_rt_status see_instant(void *context) {
    witness *w = context;
    assert_true(w->bench->engine->moment.is_instant);
    w->passed++;
    return HBG_RT_OK;
}

static bool go_on(void *context) {
    witness *w = context;
    return ++w->asked != w->stops_at;
}

static void watch(engine_bench *b, witness *w) {
    *w = (witness){.bench = b};
    b->setup.observer = (hbg_rt_observer){.context = w,
                                          .started = see_start,
                                          .inside = see_inside,
                                          .ended = see_end,
                                          .passed = see_instant,
                                          .goes_on = go_on};
}

static void an_observer_sees_every_step_and_every_instant(void **state) {
    (void)state;
    engine_bench b;
    witness w;
    engine_bench_init(&b, &rubbing, stop);
    watch(&b, &w);
    assert_int_equal(engine_bench_run(&b), HBG_RT_OK);
    assert_true(w.started && !w.moved);
    assert_int_equal(w.inside, b.result.steps);
    assert_int_equal(w.ended, b.result.steps);
    assert_int_equal(w.passed, 2); // the turning point, and the stop
    assert_int_equal(w.asked, b.result.steps + 1);
    engine_bench_fini(&b);
}

static void an_observer_ends_a_run(void **state) {
    (void)state;
    engine_bench b;
    witness w;
    engine_bench_init(&b, &rubbing, stop);
    watch(&b, &w);
    w.answer = HBG_RT_CANNOT_WRITE;
    assert_int_equal(engine_bench_run(&b), HBG_RT_CANNOT_WRITE);
    assert_int_equal(b.result.steps, 5);
    assert_true(b.result.t == w.last);
    watch(&b, &w);
    b.result.steps = 0;
    w.stops_at = 3;
    assert_int_equal(engine_bench_run(&b), HBG_RT_INTERRUPTED);
    assert_int_equal(b.result.steps, 2);
    engine_bench_fini(&b);
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static void every_lack_of_memory_is_a_status(void **state) {
    (void)state;
    for (int method = -1; method <= HBG_RT_TRAPEZOIDAL; method++) {
        hbg_rt_status status;
        int64_t fail_at = 0;
        do {
            engine_bench b;
            engine_bench_init(&b, &rubbing, 1);
            b.heap.fail_at = ++fail_at;
            b.setup.fixed = method >= 0;
            b.setup.method = method >= 0 ? (hbg_rt_method)method : HBG_RT_EULER;
            b.setup.demand.step = method >= 0 ? 0.01 : 0;
            status = engine_bench_run(&b);
            assert_int_equal(status, b.heap.calls >= fail_at ? HBG_RT_NO_MEMORY : HBG_RT_OK);
            engine_bench_fini(&b);
        } while (status != HBG_RT_OK);
        assert_true(fail_at > 30);
    }
}

static void steps_and_instants_take_no_memory(void **state) {
    (void)state;
    engine_bench b;
    engine_bench_init(&b, &rubbing, stop);
    assert_int_equal(hbg_rt_engine_new(&b.h.system, hand_instance(&b.h), &b.setup, &b.result, &b.engine),
                     HBG_RT_OK);
    assert_int_equal(hbg_rt_engine_start(b.engine), HBG_RT_OK);
    int64_t calls = b.heap.calls;
    assert_int_equal(hbg_rt_engine_advance(b.engine), HBG_RT_OK);
    assert_int_equal(b.heap.calls, calls);
    assert_int_equal(b.result.crossings, 1);
    assert_int_equal(hbg_rt_engine_finish(b.engine, HBG_RT_OK), HBG_RT_OK);
    hbg_rt_engine_free(b.engine);
    hbg_rt_engine_free(NULL);
    engine_bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_runs_without_any_library),
        cmocka_unit_test(an_observer_sees_every_step_and_every_instant),
        cmocka_unit_test(an_observer_ends_a_run),
        cmocka_unit_test(every_lack_of_memory_is_a_status),
        cmocka_unit_test(steps_and_instants_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
