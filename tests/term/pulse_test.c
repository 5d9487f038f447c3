/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values in other states while time flows, in(…): where the other state would make a pulse, areas are compared first, and what
 * compares them is found where the areas cross. A body of mass 2 goes with 3 - 2·t; a brake would stop it with a pulse of
 * -m·v = -6 + 4·t and hold it with a finite force of 4, whatever its speed. */
#include "eqn/fixture_impl.h"
#include "sim/moves_impl.h"

#define BODY                                                                                                 \
    "I mass(2, f = 3); Se push(-4); Sf wall(0); 1 body; 0 grip when brake; input bool stop = false;"         \
    "push -> body -> mass; wall -> grip -> body;"                                                            \
    "automaton brake { off free -> stuck when stop; on stuck -> free when !stop; }"
#define TO_AND_FRO(there, back) "automaton a { off o -> n when " there "; off n -> o when " back "; }"

static void assert_times(const char *text, const double *times, int count) {
    static const hbg_sim_solver solvers[] = {HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        fixture f;
        moves told = {.count = 0};
        hbg_arena arena;
        hbg_sim_result result;
        hbg_sim_options options = hbg_sim_options_default();
        fixture_open(&f, text);
        options.solver = solvers[s];
        options.stop = 4;
        options.rtol = 1e-10;
        options.event = take_moves;
        options.context = &told;
        hbg_base_arena_init(&arena, &f.memory);
        if (hbg_sim_run(&arena, f.system, f.run, &options, &result) != HBG_RT_OK)
            fail_msg("%s", result.failure);
        if (told.count != count) fail_msg("%d moves, not %d, of\n%s", told.count, count, text);
        for (int i = 0; i < count; i++) assert_near(told.times[i], times[i], 1e-10);
        hbg_base_arena_fini(&arena);
        fixture_close(&f);
    }
}

/* The finite force alone is positive all the time. */
static void an_area_that_changes_its_sign_is_found(void **state) {
    const double once[] = {1.5};
    (void)state;
    assert_times(
        "model M {" BODY TO_AND_FRO("in(brake.stuck, grip.e) > 0", "in(brake.stuck, grip.e) < 0") "}", once,
        1);
    assert_times(
        "model M {" BODY TO_AND_FRO("in(brake.stuck, grip.e >= 0)", "in(brake.stuck, grip.e) < -9") "}", once,
        1);
    assert_times("model M {" BODY TO_AND_FRO("-2*in(brake.stuck, grip.e)/3 <= 7", "time > 9") "}", once, 1);
}

/* Finite parts do not count beside areas, however large they are. */
static void finite_parts_do_not_count_beside_an_area(void **state) {
    const double once[] = {1.5};
    (void)state;
    assert_times("model M {" BODY TO_AND_FRO("in(brake.stuck, grip.e) > 1000", "time > 9") "}", once, 1);
    assert_times("model M {" BODY TO_AND_FRO("finite(in(brake.stuck, grip.e)) > 4.5", "time > 9") "}", NULL,
                 0);
}

/* 6 - 4·t is 3 at 0.75, -3 at 2.25. */
static void two_areas_are_compared_with_each_other(void **state) {
    const double both[] = {0.75, 2.25}, first[] = {0.75};
    (void)state;
    assert_times("model M {" BODY TO_AND_FRO("abs(impulse(in(brake.stuck, grip.e))) < 3",
                                             "abs(impulse(in(brake.stuck, grip.e))) > 3") "}",
                 both, 2);
    // another body, of mass 1, with a constant velocity: a pulse of -3 for ever
    assert_times("model M {" BODY "I other(1, f = 3); 1 second; 0 grip_2 when brake; second -> other;"
                 "Sf wall_2(0); wall_2 -> grip_2 -> second;" TO_AND_FRO(
                     "in(brake.stuck, abs(grip.e)) < in(brake.stuck, abs(grip_2.e))",
                     "abs(in(brake.stuck, grip.e)) > abs(in(brake.stuck, grip_2.e))") "}",
                 both, 2);
    assert_times("model M {" BODY "I other(1, f = 3); 1 second; 0 grip_2 when brake; second -> other;"
                 "Sf wall_2(0); wall_2 -> grip_2 -> second;" TO_AND_FRO(
                     "max(in(brake.stuck, grip.e), in(brake.stuck, grip_2.e)) > in(brake.stuck, grip_2.e)",
                     "min(in(brake.stuck, grip.e), 0) >= 1") "}",
                 first, 1);
}

/* Where the other state makes no pulse, finite parts decide as ever: the brake is on already. */
static void without_a_pulse_finite_parts_decide(void **state) {
    const double both[] = {0.5, 2.5};
    (void)state;
    assert_times(
        "model M { I mass(2, f = 0); Se push(4*time - 6); Sf wall(0); 1 body; 0 grip when brake;"
        "push -> body -> mass; wall -> grip -> body; automaton brake { on stuck -> free when time > 9;"
        "off free -> stuck when time < 0; }" // force 6 - 4·t
        TO_AND_FRO("abs(in(brake.stuck, grip.e)) < 4", "abs(in(brake.stuck, grip.e)) > 4") "}",
        both, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_area_that_changes_its_sign_is_found),
        cmocka_unit_test(finite_parts_do_not_count_beside_an_area),
        cmocka_unit_test(two_areas_are_compared_with_each_other),
        cmocka_unit_test(without_a_pulse_finite_parts_decide),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
