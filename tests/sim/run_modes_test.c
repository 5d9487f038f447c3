/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of models that switch, with implicit methods: a mode met before costs no memory, and the results are those of the
 * explicit method. The models are written in the language, since a mode is more than a system by hand has. */
#include "eqn/fixture_impl.h"
#include "sim/sim.h"

/* A sine that charges a capacitor through a diode and a resistor; a load. 50 Hz. */
static const char rectifier[] =
    "model Rectifier { Se s(10*sin(314.15926535897932*time/1[s])); R r(0.1); C c(1e-3); R load(100);\n"
    "  1 j when diode; 0 n; s -> j -> n; j -> r; n -> c; n -> load;\n"
    "  automaton diode { off blocking -> conducting when s.e > c.e; on conducting -> blocking when j.f < 0; "
    "}\n"
    "  experiment e { stop 1; record c.e; } }";

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
    hbg_arena_init(&arena, &f->memory);
    int64_t calls = f->memory.calls;
    end.status = hbg_sim_run(&arena, f->system, f->run, &options, &end.result);
    end.calls = f->memory.calls - calls;
    end.result.state = NULL; /* goes with the arena */
    hbg_arena_fini(&arena);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_mode_met_before_costs_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
