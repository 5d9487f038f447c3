/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of models that switch: a mode entered before allocates nothing, also with implicit methods; a run that
 * a verdict ends has its last row, state and ledger at one instant. The models are written in the language,
 * since systems by hand have no modes. */
#include "eqn/fixture_impl.h"
#include "sim/moves_impl.h"

/* A sine that charges a capacitor through a diode and a resistor; a load. 50 Hz. */
static const char rectifier[] =
    "model Rectifier { Se s(10*sin(314.15926535897932*time/1[s])); R r(0.1); C c(1e-3); R load(100);\n"
    "  1 j when diode; 0 n; s -> j -> n; j -> r; n -> c; n -> load;\n"
    "  automaton diode { off blocking -> conducting when s.e > c.e; on conducting -> blocking when j.f < 0; "
    "}\n"
    "  experiment e { stop 1; record c.e; } }";

/* A ball of 1 kg from 1 m, g = 8 m/s², that keeps half of its speed in each bounce: the first at ½ s with 4
 * m/s, all of them before ½ + ½·2·(½ + ¼ + …) = 1.5 s. */
static const char ball[] =
    "model Ball { 1 ball; I mass(1, p = 0); Se gravity(-8); Sf floor(0); 0 contact when touch restitution "
    "0.5;\n"
    "  gravity -> ball -> mass; floor -> contact -> ball; state x = 1 : der = ball.f;\n"
    "  automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when mass.p "
    "> 0; }\n"
    "  experiment e { stop 1; record mass.p; } }";

typedef struct {
    double t, y;
    int count;
} last_row;

static bool take_row(void *context, double t, const double *y) {
    last_row *row = context;
    *row = (last_row){t, y[0], row->count + 1};
    return true;
}

typedef struct {
    hbg_sim_result result;
    hbg_rt_status status;
    int64_t calls; /* of the memory, while it ran */
} outcome;

static outcome run_model(fixture *f, hbg_sim_solver solver, double stop, double step) {
    outcome end;
    hbg_arena arena;
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.stop = stop;
    options.step = step;
    options.rtol = 1e-8;
    hbg_base_arena_init(&arena, &f->memory);
    int64_t calls = f->memory.calls;
    end.status = hbg_sim_run(&arena, f->system, f->run, &options, &end.result);
    end.calls = f->memory.calls - calls;
    end.result.state = NULL; /* goes with the arena */
    hbg_base_arena_fini(&arena);
    return end;
}

static void a_mode_met_before_costs_no_memory(void **state) {
    const hbg_sim_solver solvers[] = {HBG_SIM_BDF, HBG_SIM_TRAPEZOIDAL, HBG_SIM_ERK};
    (void)state;
    for (int s = 0; s < 3; s++) {
        fixture f;
        double step = solvers[s] == HBG_SIM_TRAPEZOIDAL ? 1e-4 : 0;
        fixture_open(&f, rectifier);
        (void)run_model(&f, solvers[s], 0.1, step); // both modes are compiled
        outcome few = run_model(&f, solvers[s], 0.1, step), many = run_model(&f, solvers[s], 2, step);
        assert_int_equal(few.status, HBG_RT_OK);
        assert_int_equal(many.status, HBG_RT_OK);
        // on and off once in each of 5 and of 100 periods
        assert_true(few.result.commits >= 9 && few.result.commits <= 10);
        assert_true(many.result.commits >= 199 && many.result.commits <= 200);
        assert_int_equal(many.calls, few.calls);
        fixture_close(&f);
    }
}

/* If the run ends with a verdict, and if the ball comes to rest instead. */
static void the_last_row_and_the_ledger_are_of_one_instant(void **state) {
    (void)state;
    for (int rest = 0; rest < 2; rest++)
        for (int s = HBG_SIM_BDF; s <= HBG_SIM_ERK; s++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            last_row row = {0};
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = (hbg_sim_solver)s;
            options.stop = 2;
            options.rtol = 1e-10;
            options.zeno_rest = rest;
            options.row = take_row;
            options.context = &row;
            fixture_open(&f, ball);
            hbg_base_arena_init(&arena, &f.memory);
            hbg_rt_status status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
            assert_int_equal(status, rest ? HBG_RT_OK : HBG_RT_VERDICT);
            assert_int_equal(result.verdict, rest ? HBG_RT_FINE : HBG_RT_ZENO);
            assert_near(result.t, rest ? 2 : 1.5, 1e-3);
            assert_exact(row.t, result.t);
            assert_exact(row.y, result.state[find_state(&f, "mass.p")]);
            assert_near(result.stored_at_end[0], row.y * row.y / 2, 1e-12);
            assert_true(rest ? row.y == 0 : row.y > 0); /* after the last bounce */
            assert_near(result.lost_in_jumps, 8, 1e-5); /* all the energy from gravity */
            assert_tiny(result.residual, 1e-6);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

/* Two guards that undo each other at once, from 0.25 s on: the run ends with the instant undone, at the left
 * limit. */
static void a_search_without_end_leaves_the_state_before_it(void **state) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    last_row row = {0};
    hbg_sim_options options = hbg_sim_options_default();
    (void)state;
    options.row = take_row;
    options.context = &row;
    fixture_open(&f,
                 "model M { C a(1, q = 1); C b(1, q = 0); R r(1); 0 n; 0 m; 1 j when sw; n -> a; n -> r; n "
                 "-> j -> m -> b;"
                 "state t = 0 : der = 1; automaton sw { off o -> c when t >= 0.25; on c -> o when b.q > -1; }"
                 "experiment e { stop 1; record a.q; } }");
    hbg_base_arena_init(&arena, &f.memory);
    assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_VERDICT);
    assert_int_equal(result.verdict, HBG_RT_DIVERGENCE);
    assert_near(result.t, 0.25, 1e-12);
    assert_near(row.y, exp(-0.25), 1e-6);
    assert_exact(result.state[find_state(&f, "a.q")], row.y);
    assert_exact(result.state[find_state(&f, "b.q")], 0);
    assert_near(result.stored_at_end[0] + result.stored_at_end[1], row.y * row.y / 2, 1e-12);
    assert_tiny(result.residual, 1e-7);
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
}

/* 32.5 V at 50 Hz, 50 µΩ, 1 mF, 100 Ω: a time constant of 50 ns, and a current that is 20000 times an error of
 * the voltage. The diode leads from the start until C·v' + v/R is 0 on the slow solution of
 * (s − v)/r = C·v' + v/R,
 *     v = Re(−i·V·e^{iωt}/(r·(G + iωC))), G = 1/r + 1/R: tan(ωt) = −(ωC/r)/(G/R + ω²C²);
 * then the capacitor discharges with 0.1 s until the source is above it. */
static const char stiff_rectifier[] =
    "model Rectifier { Se s(32.5*sin(2*pi*50*time/1[s])); R r(50e-6); C c(1e-3); R load(100);\n"
    "  1 j when diode; 0 n; s -> j -> n; j -> r; n -> c; n -> load;\n"
    "  automaton diode { off blocking -> conducting when s.e > c.e; on conducting -> blocking when j.f < 0; "
    "}\n"
    "  experiment e { stop 1; record c.e; } }";

static double end_of_conduction(void) {
    double w = 100 * acos(-1), c = 1e-3, r = 50e-6, load = 100, g = 1 / r + 1 / load;
    return (acos(-1) - atan(w * c / r / (g / load + w * w * c * c))) / w;
}

/* In the second period, by bisection; the voltage at the end of conduction is that of the source there. */
static double next_conduction(double off) {
    double w = 100 * acos(-1), low = 0.02, high = 0.025;
    for (int i = 0; i < 60; i++) {
        double t = (low + high) / 2;
        bool above = sin(w * t) > sin(w * off) * exp((off - t) / 0.1);
        *(above ? &high : &low) = t;
    }
    return low;
}

static void a_stiff_rectifier_switches_twice_a_period_at_any_tolerance(void **state) {
    const double tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    (void)state;
    for (int k = 0; k < 5; k++)
        for (int s = 0; s < 2; s++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            moves told = {.count = 0};
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = s == 0 ? HBG_SIM_BDF : HBG_SIM_AUTO;
            options.stop = 0.2;
            options.rtol = tolerances[k];
            options.event = take_moves;
            options.context = &told;
            fixture_open(&f, stiff_rectifier);
            hbg_base_arena_init(&arena, &f.memory);
            assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
            assert_int_equal(told.count, 20);
            double off = end_of_conduction(), on = next_conduction(off), error = 10 * tolerances[k];
            assert_near(told.times[1], off, error);
            assert_near(told.times[2], on, error);
            assert_near(told.times[19], 0.18 + off, error);
            assert_tiny(result.residual, 1000 * tolerances[k] * result.scale);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_met_before_costs_no_memory),
        cmocka_unit_test(the_last_row_and_the_ledger_are_of_one_instant),
        cmocka_unit_test(a_stiff_rectifier_switches_twice_a_period_at_any_tolerance),
        cmocka_unit_test(a_search_without_end_leaves_the_state_before_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
