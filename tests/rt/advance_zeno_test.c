/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Accumulating events are noticed with every solver and tolerance, at any time of the run, and with fixed
 * steps, too; events that only become more and more frequent do not accumulate. */
#include "eqn/fixture_impl.h"
#include "sim/sim.h"

/* A ball of 1 kg from 1 m, g = 8 m/s², that keeps half of its speed: first at ½ s, all bounces before ½ +
 * ½·2·(½ + ¼ + …) = 1.5 s after the instant it is released. A neighbour of 1 µs makes the model stiff. */
#define BALL_ON(floor, epsilon, start)                                                                       \
    "model Ball { 1 ball; I mass(1, p = 0); Se gravity(time < " start " ? 0 : -8); Sf floor(0);\n"           \
    "  0 contact when touch restitution " epsilon ";\n"                                                      \
    "  gravity -> ball -> mass; floor -> contact -> ball; state x = " floor " + 1 : der = ball.f;\n"         \
    "  automaton touch { off flying -> bouncing when x <= " floor " && mass.p < 0; on bouncing -> flying "   \
    "when mass.p > 0; }\n"
#define BALL(start) BALL_ON("0", "0.5", start)
#define STIFF       "  Se sv(1); R sr(1); C sc(1e-6); 1 sj; sv -> sj; sj -> sr; sj -> sc; C big(1); sj -> big;\n"

typedef struct {
    hbg_rt_status status;
    hbg_rt_verdict verdict;
    double t, momentum;
    int64_t crossings;
} outcome;

static outcome run_model(const char *text, const hbg_sim_options *options) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    fixture_open(&f, text);
    hbg_base_arena_init(&arena, &f.memory);
    outcome end = {.status = hbg_sim_run(&arena, f.system, f.run, options, &result)};
    end.verdict = result.verdict;
    end.t = result.t;
    end.crossings = result.crossings;
    for (int32_t i = 0; i < f.system->state_count; i++)
        if (strcmp(f.system->states[i].name, "mass.p") == 0) end.momentum = result.state[i];
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return end;
}

static void inexact_bounces_accumulate_all_the_same(void **state) {
    (void)state;
    for (int digits = 4; digits <= 10; digits++)
        for (int stiff = 0; stiff < 2; stiff++) {
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = HBG_SIM_BDF;
            options.rtol = pow(10, -digits);
            options.stop = 3;
            outcome end = run_model(stiff ? BALL("0") STIFF "}" : BALL("0") "}", &options);
            assert_int_equal(end.status, HBG_RT_VERDICT);
            assert_int_equal(end.verdict, HBG_RT_ZENO);
            assert_near(end.t, 1.5, 3e-3);
            assert_true(end.crossings < 60);
            options.zeno_rest = true;
            end = run_model(stiff ? BALL("0") STIFF "}" : BALL("0") "}", &options);
            assert_int_equal(end.status, HBG_RT_OK);
            assert_exact(end.momentum, 0);
        }
}

/* Stops at the Zeno verdict, close to the given instant; or comes to rest if it may. */
static void assert_accumulates(const char *text, hbg_sim_options options, double when, double tolerance) {
    options.zeno_rest = false;
    outcome end = run_model(text, &options);
    assert_int_equal(end.status, HBG_RT_VERDICT);
    assert_int_equal(end.verdict, HBG_RT_ZENO);
    assert_near(end.t, when, tolerance);
    options.zeno_rest = true;
    end = run_model(text, &options);
    assert_int_equal(end.status, HBG_RT_OK);
    assert_exact(end.t, options.stop);
    assert_near(end.momentum, 0, 1e-9);
}

/* High above the origin the last bounces are lower than the resolution of the position: a millimetre is 1e-10
 * of 1e7 m. */
static void where_the_origin_is_does_not_matter(void **state) {
    (void)state;
    hbg_sim_options options = hbg_sim_options_default();
    options.stop = 3;
    assert_accumulates(BALL_ON("100", "0.5", "0") "}", options, 1.5, 1e-3);
    assert_accumulates(BALL_ON("1e4", "0.5", "0") "}", options, 1.5, 1e-2);
    assert_accumulates(BALL_ON("-1e4", "0.5", "0") "}", options, 1.5, 1e-2);
}

/* With inexact states the last bounces do not become smaller any more: ½ + 0.9/0.1 = 9.5 s. */
static void bounces_that_the_solver_keeps_going_accumulate(void **state) {
    (void)state;
    for (int digits = 4; digits <= 6; digits++)
        for (int s = HBG_SIM_BDF; s <= HBG_SIM_ADAMS; s++) {
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = (hbg_sim_solver)s;
            options.rtol = pow(10, -digits);
            options.stop = 12;
            assert_accumulates(BALL_ON("0", "0.9", "0") "}", options, 9.5, 3e-2);
            options.stop = 1;
            if (s == HBG_SIM_ADAMS) continue; // takes a million steps
            assert_accumulates(BALL_ON("0", "0.1", "0") STIFF "}", options, 0.5 + 0.1 / 0.9, 3e-2);
        }
}

/* A solver with few exact digits makes the ball bounce again itself, by less than its error, endlessly. */
static void bounces_lower_than_states_are_exact_accumulate(void **state) {
    static const char *const models[] = {BALL_ON("0", "0.01", "0") "}", BALL_ON("0", "0.05", "0") "}",
                                         BALL_ON("0", "0.1", "0") "}"};
    static const double epsilon[] = {0.01, 0.05, 0.1};
    (void)state;
    for (int digits = 3; digits <= 4; digits++)
        for (int i = 0; i < 3; i++) {
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = HBG_SIM_BDF;
            options.rtol = pow(10, -digits);
            options.stop = 2;
            assert_accumulates(models[i], options, 0.5 + epsilon[i] / (1 - epsilon[i]), 1e-2);
        }
}

/* Half of the speed and nine tenths of it in turn: ½ + ½ + 0.45 of the first two, and 0.45 of that, …: ½ +
 * 0.95/(1 − 0.45). */
static void intervals_may_shrink_in_a_rhythm(void **state) {
    (void)state;
    hbg_sim_options options = hbg_sim_options_default();
    options.stop = 3;
    assert_accumulates("model Ball { 1 ball; I mass(1, p = 0); Se gravity(-8); Sf floor(0);\n"
                       "  0 contact when touch.b1 || touch.b2 restitution (touch.b1 ? 0.5 : 0.9);\n"
                       "  gravity -> ball -> mass; floor -> contact -> ball; state x = 1 : der = ball.f;\n"
                       "  automaton touch { off f1 -> b1 when x <= 0 && mass.p < 0; on b1 -> f2 when mass.p "
                       "> 0;\n"
                       "    off f2 -> b2 when x <= 0 && mass.p < 0; on b2 -> f1 when mass.p > 0; } }",
                       options, 0.5 + 0.95 / 0.55, 1e-3);
}

/* ½ s, and then ε s, ε² s, …: ½ + ε/(1 − ε). The fourth bounce of ε = 0.001 is slower than the speed that
 * counts as 0. */
static void few_bounces_accumulate_too(void **state) {
    (void)state;
    hbg_sim_options options = hbg_sim_options_default();
    options.stop = 3;
    assert_accumulates(BALL_ON("0", "1e-6", "0") "}", options, 0.5, 2e-6);
    assert_accumulates(BALL_ON("0", "0.001", "0") "}", options, 0.5 + 0.001 / 0.999, 2e-6);
    assert_accumulates(BALL_ON("0", "0.1", "0") "}", options, 0.5 + 0.1 / 0.9, 1e-4);
}

/* A body that does not bounce stays in place, and nothing accumulates; a body that keeps all its speed never
 * stays. */
static void a_contact_that_stays_is_no_accumulation(void **state) {
    (void)state;
    hbg_sim_options options = hbg_sim_options_default();
    options.stop = 3;
    outcome end = run_model(BALL_ON("0", "0", "0") "}", &options);
    assert_int_equal(end.status, HBG_RT_OK);
    assert_exact(end.momentum, 0);
    options.stop = 2.75; // falls from 0, 1, 2 s on, bounces ½ s later
    end = run_model(BALL_ON("0", "1", "0") "}", &options);
    assert_int_equal(end.status, HBG_RT_OK);
    assert_int_equal(end.crossings, 6);
}

/* Two leaking tanks, a hose of 0.75 for both: their content, 2, decreases by 0.25 a second, and neither may
 * run dry before 8 s. There is no contact that could rest. */
static void without_a_contact_nothing_comes_to_rest(void **state) {
    (void)state;
    for (int rest = 0; rest < 2; rest++) {
        hbg_sim_options options = hbg_sim_options_default();
        options.stop = 20;
        options.zeno_rest = rest;
        outcome end = run_model("model Tanks { state x1 = 1 : der = (hose.one ? 0.75 : 0) - 0.5;\n"
                                "  state x2 = 1 : der = (hose.one ? 0 : 0.75) - 0.5;\n"
                                "  automaton hose { on one -> two when x2 <= 0 && x1 > 0; off two -> one "
                                "when x1 <= 0 && x2 > 0; } }",
                                &options);
        assert_int_equal(end.status, HBG_RT_VERDICT);
        assert_int_equal(end.verdict, HBG_RT_ZENO);
        assert_near(end.t, 8, 1e-2);
    }
}

static void the_clock_has_no_say(void **state) {
    (void)state;
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = HBG_SIM_ERK;
    options.stop = 3;
    outcome first = run_model(BALL("0") "}", &options);
    options.stop = 1003;
    outcome late = run_model(BALL("1000") "}", &options);
    assert_int_equal(first.verdict, HBG_RT_ZENO);
    assert_int_equal(late.verdict, HBG_RT_ZENO);
    assert_near(late.t - 1000, first.t, 1e-9);
}

static void bounces_that_a_fixed_step_cannot_see_accumulate(void **state) {
    const double steps[] = {1e-2, 1e-3};
    (void)state;
    for (int s = HBG_SIM_HEUN; s <= HBG_SIM_TRAPEZOIDAL; s++)
        for (int k = 0; k < 2; k++) {
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = (hbg_sim_solver)s;
            options.step = steps[k];
            options.stop = 3;
            outcome end = run_model(BALL("0") "}", &options);
            assert_int_equal(end.verdict, HBG_RT_ZENO);
            assert_near(end.t, 1.5, 30 * steps[k]);
            options.zeno_rest = true;
            end = run_model(BALL("0") "}", &options);
            assert_int_equal(end.status, HBG_RT_OK);
            assert_exact(end.momentum, 0);
        }
}

/* A step of Euler's falls short by g·h²/2: a hop with v upwards ends with v + g·h, so a hop of ε/(1 − ε)·g·h
 * persists, and lasts 2ε/(1 − ε) + 1 steps: 9 if ε is 0.8, five times 9 of which are seen after ½ + 0.8/0.2 =
 * 4.5 s. */
static void hops_that_a_fixed_step_keeps_going_accumulate(void **state) {
    (void)state;
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = HBG_SIM_EULER;
    options.step = 1e-3;
    options.stop = 8;
    assert_accumulates(BALL_ON("0", "0.8", "0") "}", options, 4.9, 0.4);
    outcome end = run_model(BALL_ON("0", "1", "0") "}", &options); // rises higher and higher
    assert_int_equal(end.status, HBG_RT_OK);
}

/* The exact bounces end at ½ + ε/(1 − ε) s. Each flight is longer by at most two steps, so n bounces, after
 * which flights have shrunk to a third and to the two steps that persist, 2/(1 − ε), are later by n times
 * that. */
static void long_hops_that_a_fixed_step_keeps_going_accumulate(void **state) {
    static const char *const kept[] = {"0.9", "0.95", "0.97"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[800];
        double epsilon = strtod(kept[i], NULL), end = 0.5 + epsilon / (1 - epsilon);
        double hop = 2e-3 / (1 - epsilon), late = 2 * hop * log(hop) / log(epsilon);
        hbg_sim_options options = hbg_sim_options_default();
        options.solver = HBG_SIM_EULER;
        options.step = 1e-3;
        options.stop = 100;
        snprintf(text, sizeof text, BALL_ON("0", "%s", "0") "}", kept[i]);
        outcome found = run_model(text, &options);
        assert_int_equal(found.verdict, HBG_RT_ZENO);
        assert_true(found.t > end && found.t < end + late);
    }
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = HBG_SIM_HEUN;
    options.step = 1e-2;
    options.stop = 200;
    assert_int_equal(run_model(BALL_ON("0", "0.999", "0") "}", &options).status, HBG_RT_OK);
}

/* A shaking table keeps the ball going: its hops become shorter only until that. */
static void hops_that_something_keeps_going_do_not_accumulate(void **state) {
    static const char table[] =
        "model Table { 1 ball; I mass(1, p = 0); Se gravity(-8); Sf floor(0.06*cos(300*time));\n"
        "  0 contact when touch restitution 0.8;\n"
        "  gravity -> ball -> mass; floor -> contact -> ball; state x = 1 : der = ball.f - floor.f;\n"
        "  automaton touch { off flying -> bouncing when x <= 0 && ball.f - floor.f < 0; on bouncing -> "
        "flying when ball.f - floor.f > 0; } }";
    const hbg_sim_solver solvers[] = {HBG_SIM_AUTO, HBG_SIM_EULER, HBG_SIM_RK4};
    (void)state;
    for (int i = 0; i < 3; i++) {
        hbg_sim_options options = hbg_sim_options_default();
        options.solver = solvers[i];
        options.step = i > 0 ? 3e-4 : 0;
        options.stop = 6;
        outcome end = run_model(table, &options);
        assert_int_equal(end.status, HBG_RT_OK);
        assert_true(end.crossings > 25);
    }
}

/* x = e^t: sin x changes its sign more and more often, floor(e⁵/π) = 47 times before 5 s, and never
 * infinitely often. */
static void what_only_becomes_faster_does_not_accumulate(void **state) {
    (void)state;
    for (int digits = 4; digits <= 8; digits += 2)
        for (int s = HBG_SIM_BDF; s <= HBG_SIM_ERK; s++) {
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = (hbg_sim_solver)s;
            options.rtol = pow(10, -digits);
            options.stop = 5;
            outcome end =
                run_model("model M { state x = 1 : der = x; automaton a { off o -> n when sin(x) < 0; "
                          "on n -> o when sin(x) > 0; } }",
                          &options);
            assert_int_equal(end.status, HBG_RT_OK);
            assert_int_equal(end.crossings, 47);
        }
}

/* Two hundred bounces of a ball that keeps nearly all of its speed, and no end before 1000 s. */
static void a_lively_ball_goes_on(void **state) {
    (void)state;
    hbg_sim_options options = hbg_sim_options_default();
    options.stop = 200;
    outcome end = run_model(BALL_ON("0", "0.999", "0") "}", &options);
    assert_int_equal(end.status, HBG_RT_OK);
    assert_true(end.crossings >= 200);
    options.stop = 900; // a step might be as long as nine flights
    end = run_model(BALL_ON("0", "0.9999", "0") "}", &options);
    assert_int_equal(end.status, HBG_RT_OK);
    assert_true(end.crossings >= 900);
}

/* Two balls, one above the other: the reported relation is that of the guard, not the names of bonds at its
 * junctions. */
static void the_verdict_names_what_was_written(void **state) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    (void)state;
    options.stop = 4;
    fixture_open(&f, "model Stack { 1 a; 1 b; I ma(1); I mb(0.5); Se ga(-10); Se gb(-5); Sf fl(0);\n"
                     "  0 c1 when t1 restitution 0.5; 0 c2 when t2 restitution 0.5;\n"
                     "  ga -> a -> ma; gb -> b -> mb; fl -> c1 -> a; a -> c2 -> b;\n"
                     "  state x = 1 : der = a.f; state y = 1.5 : der = b.f;\n"
                     "  automaton t1 { off fly -> hit when x <= 0 && a.f < 0; on hit -> fly when a.f > 0; }\n"
                     "  automaton t2 { off fly -> hit when y - x <= 0 && a.f > b.f; on hit -> fly when a.f < "
                     "b.f; } }");
    hbg_base_arena_init(&arena, &f.memory);
    assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_VERDICT);
    assert_int_equal(result.verdict, HBG_RT_ZENO);
    assert_non_null(strstr(result.failure, "infinitely many of them"));
    assert_null(strstr(result.failure, "a>c2"));
    assert_true(strstr(result.failure, "at `x <= 0`") || strstr(result.failure, "at `a.f < 0`"));
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inexact_bounces_accumulate_all_the_same),
        cmocka_unit_test(a_lively_ball_goes_on),
        cmocka_unit_test(the_verdict_names_what_was_written),
        cmocka_unit_test(where_the_origin_is_does_not_matter),
        cmocka_unit_test(bounces_that_the_solver_keeps_going_accumulate),
        cmocka_unit_test(bounces_lower_than_states_are_exact_accumulate),
        cmocka_unit_test(intervals_may_shrink_in_a_rhythm),
        cmocka_unit_test(hops_that_a_fixed_step_keeps_going_accumulate),
        cmocka_unit_test(long_hops_that_a_fixed_step_keeps_going_accumulate),
        cmocka_unit_test(hops_that_something_keeps_going_do_not_accumulate),
        cmocka_unit_test(few_bounces_accumulate_too),
        cmocka_unit_test(a_contact_that_stays_is_no_accumulation),
        cmocka_unit_test(without_a_contact_nothing_comes_to_rest),
        cmocka_unit_test(the_clock_has_no_say),
        cmocka_unit_test(bounces_that_a_fixed_step_cannot_see_accumulate),
        cmocka_unit_test(what_only_becomes_faster_does_not_accumulate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
