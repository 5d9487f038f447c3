/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ticks of clocks in runs with multistep methods: a tick without a change costs a step, and no accuracy; a
 * tick with a change is followed. */
#include "eqn/fixture_impl.h"
#include "sim/sim.h"

#define SWING "state x = 1 : der = v; state v = 0 : der = -x;"

static const hbg_sim_solver methods[] = {HBG_SIM_BDF, HBG_SIM_ADAMS};
static const double tolerances[] = {1e-4, 1e-6, 1e-8};
enum { METHODS = 2, TOLERANCES = 3 };

typedef struct {
    double x; /* at the end */
    int64_t steps;
} outcome;

static outcome run_to(const char *text, hbg_sim_solver solver, double rtol, double stop) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.stop = stop;
    options.rtol = rtol;
    fixture_open(&f, text);
    hbg_base_arena_init(&arena, &f.memory);
    hbg_rt_status status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
    if (status != HBG_RT_OK) fail_msg("%s", result.failure);
    int32_t x = 0;
    while (strcmp(f.system->states[x].name, "x") != 0) x++;
    outcome end = {result.state[x], result.steps};
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return end;
}

/* A step from tick to tick, except some at the start, and the error of one run, not one for each tick. */
static void assert_idle(const char *text) {
    for (int m = 0; m < METHODS; m++)
        for (int r = 0; r < TOLERANCES; r++) {
            outcome end = run_to(text, methods[m], tolerances[r], 2);
            if (end.steps > 2100)
                fail_msg("%d steps, method %d, rtol %g", (int)end.steps, methods[m], tolerances[r]);
            if (!(fabs(end.x - cos(2)) <= 10 * tolerances[r]))
                fail_msg("error %g, method %d, rtol %g", end.x - cos(2), methods[m], tolerances[r]);
        }
}

static void an_automaton_that_is_asked_and_stays_costs_a_step(void **state) {
    (void)state;
    assert_idle("model M { " SWING " automaton k every 1 [ms] { off a -> b when x > 2; on b; } }");
}

static void a_sample_that_no_rate_reads_costs_a_step(void **state) {
    (void)state;
    assert_idle("model M { " SWING
                " sample y every 1 [ms] = x; automaton k { off a -> b when y > 2; on b; } }");
}

/* x' = −(x at the last tick): x is multiplied by 1 − 0.01 from tick to tick. Ticks of another clock in
 * between change nothing. */
static void a_sample_that_rates_read_is_followed(void **state) {
    const double exact = pow(0.99, 100);
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int r = 0; r < TOLERANCES; r++) {
            outcome end = run_to("model M { state x = 1 : der = -y; sample y every 10 [ms] = x;"
                                 " sample z every 1 [ms] = x; automaton k { off a -> b when z > 2; on b; } }",
                                 methods[m], tolerances[r], 1);
            if (!(fabs(end.x - exact) <= 10 * tolerances[r]))
                fail_msg("error %g, method %d, rtol %g", end.x - exact, methods[m], tolerances[r]);
        }
}

/* The sample becomes 1 at t = 1, where it is multiplied by v = 0: nothing differs at that tick, but
 * afterwards everything does. From then v is t − 1, and x its integral. */
static void what_differs_only_later_is_noticed(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int r = 0; r < TOLERANCES; r++) {
            outcome end = run_to("model M { state x = 0 : der = y*max(time - 1, 0);"
                                 " sample y every 0.25 = time >= 1 ? 1 : 0; }",
                                 methods[m], tolerances[r], 3);
            if (!(fabs(end.x - 2) <= 100 * tolerances[r]))
                fail_msg("error %g, method %d, rtol %g", end.x - 2, methods[m], tolerances[r]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_automaton_that_is_asked_and_stays_costs_a_step),
        cmocka_unit_test(a_sample_that_no_rate_reads_costs_a_step),
        cmocka_unit_test(a_sample_that_rates_read_is_followed),
        cmocka_unit_test(what_differs_only_later_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
