/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards of equal parts that cross together, and guards of others that do not. For loops see
 * size_answer_test.c. */
#include "rt/known_roots_impl.h"

typedef struct {
    int instants, moves;
} tally;

static void take_tally(void *context, const hbg_sim_event *event) {
    tally *of = context;
    int before = of->moves;
    for (int32_t i = 0; i < event->visit_count; i++)
        for (int k = 0; k < 3; k++) of->moves += event->visits[i].before[k] != event->visits[i].states[k];
    of->instants += of->moves > before;
}

/* Three automata that wait for x, which is time, to pass 1, 1 + gap and 1 + 2*gap. */
static tally count(hbg_sim_solver solver, double rtol, double gap) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    tally told = {0, 0};
    char text[400];
    snprintf(
        text, sizeof text,
        "model M { " CLOCK " automaton a { off o -> n when x > %.17g; on n; }"
        "automaton b { off o -> n when x > 1; on n; } automaton c { off o -> n when x > %.17g; on n; } }",
        1 + gap, 1 + 2 * gap);
    fixture_open(&f, text);
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.rtol = rtol;
    options.stop = 3;
    options.event = take_tally;
    options.context = &told;
    hbg_base_arena_init(&arena, &f.memory);
    assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return told;
}

static void assert_instants(double gap, int instants) {
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            tally told = count(solvers[s], tolerances[r], gap);
            if (told.instants != instants || told.moves != 3)
                fail_msg("%d moves at %d instants, not %d, solver %d, rtol %g, gap %g", told.moves,
                         told.instants, instants, solvers[s], tolerances[r], gap);
        }
}

/* The band of equality is 1e-10 of what x has been, 3 at most. */
static void what_is_equal_where_another_crosses_crosses_with_it(void **state) {
    (void)state;
    assert_instants(0, 1);
    assert_instants(1e-15, 1);
    assert_instants(1e-12, 1);
    assert_instants(3e-11, 1);
}

static void what_is_farther_crosses_by_itself(void **state) {
    (void)state;
    assert_instants(1e-6, 3);
    assert_instants(1e-8, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_equal_where_another_crosses_crosses_with_it),
        cmocka_unit_test(what_is_farther_crosses_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
