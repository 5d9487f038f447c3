/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Systems written by hand: functions that a table lacks are not called, relations keep their branches while
 * they are frozen, and automata run through the whole engine. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <string.h>

#include "rt/by_hand.h"
#include "rt/engine.h"
#include "rt/heap_impl.h"

static void a_table_without_functions_has_nothing(void **state) {
    static const hbg_rt_description described = {.state_count = 2, .power_count = 1, .automaton_count = 1};
    static const hbg_rt_by_hand nothing = {.description = &described};
    static const hbg_rt_sensor sensor = {.scale = 1};
    (void)state;
    heap h = {0};
    hbg_rt_instance *run = hbg_rt_by_hand_new(&nothing, heap_memory(&h));
    double x[2] = {3, 4}, x_plus[2] = {0}, work[1] = {5}, g[1] = {7};
    assert_int_equal(hbg_rt_declare(run, x), HBG_RT_OK);
    assert_true(x[0] == 0 && x[1] == 0);
    x[0] = 3, x[1] = 4;
    assert_int_equal(hbg_rt_enter(run, NULL), HBG_RT_OK);
    assert_int_equal(hbg_rt_jump(run, 0, x, x_plus), HBG_RT_OK);
    assert_true(x_plus[0] == 3 && x_plus[1] == 4);
    assert_int_equal(hbg_rt_jump_work(run, work), HBG_RT_OK);
    assert_true(work[0] == 0);
    assert_int_equal(hbg_rt_indicators(run, 0, x, g), HBG_RT_OK);
    assert_true(g[0] == 7 && hbg_rt_next_break(run, 0) == INFINITY);
    int32_t from[1] = {2}, to[1] = {0};
    assert_int_equal(hbg_rt_move(run, from, to, NULL), HBG_RT_OK);
    assert_int_equal(to[0], 2);
    assert_true(hbg_rt_same_states(run, x, x_plus) && hbg_rt_state_sizes(run) == NULL);
    assert_int_equal(hbg_rt_failed(run)->status, HBG_RT_OK);
    assert_false(hbg_rt_loosens(run));
    assert_int_equal(hbg_rt_set_line(run, 0, 0, 1, 1), HBG_RT_BAD_OPTION);
    assert_int_equal(hbg_rt_hold_automaton(run, 0, 0), HBG_RT_BAD_OPTION);
    assert_int_equal(hbg_rt_set_sensor(run, 0, &sensor), HBG_RT_BAD_OPTION);
    hbg_rt_free(run);
    assert_int_equal(h.used, 0);
}

/* x > 0 and x > 1 */
static hbg_rt_status two_borders(void *self, double t, const double *x, double *g) {
    (void)self, (void)t;
    g[0] = x[0];
    g[1] = x[0] - 1;
    return HBG_RT_OK;
}

static void relations_keep_their_branches_while_they_are_frozen(void **state) {
    static const hbg_rt_description described = {.state_count = 1, .root_count = 2};
    static const hbg_rt_by_hand table = {.description = &described, .relations = two_borders};
    (void)state;
    heap h = {0};
    hbg_rt_instance *run = hbg_rt_by_hand_new(&table, heap_memory(&h));
    const double low[] = {-1}, middle[] = {0.5}, high[] = {2};
    const int32_t first[] = {0}, both[] = {0, ~1};
    int8_t sides[2] = {0};
    assert_true(hbg_rt_by_hand_holds(run, 0, 0, middle) && !hbg_rt_by_hand_holds(run, 1, 0, middle));
    assert_int_equal(hbg_rt_freeze(run, 0, middle, NULL, 0), HBG_RT_OK);
    assert_true(hbg_rt_by_hand_holds(run, 0, 0, low) && !hbg_rt_by_hand_holds(run, 1, 0, high));
    assert_int_equal(hbg_rt_freeze(run, 0, middle, first, 1), HBG_RT_OK); // past its root
    assert_true(!hbg_rt_by_hand_holds(run, 0, 0, middle) && !hbg_rt_by_hand_holds(run, 1, 0, middle));
    assert_int_equal(hbg_rt_freeze_anew(run, 0, high, both, 2, sides), HBG_RT_OK);
    assert_true(hbg_rt_by_hand_holds(run, 0, 0, low) && !hbg_rt_by_hand_holds(run, 1, 0, high));
    assert_true(sides[0] == 1 && sides[1] == -1);
    hbg_rt_thaw(run);
    assert_true(!hbg_rt_by_hand_holds(run, 0, 0, low) && hbg_rt_by_hand_holds(run, 1, 0, high));
    hbg_rt_free(run);
    assert_int_equal(h.used, 0);
}

static void without_memory_there_is_no_instance(void **state) {
    static const hbg_rt_description described = {.root_count = 1};
    static const hbg_rt_by_hand table = {.description = &described};
    (void)state;
    for (int64_t n = 1;; n++) {
        heap h = {.fail_at = n};
        hbg_rt_instance *run = hbg_rt_by_hand_new(&table, heap_memory(&h));
        bool failed = h.calls >= n;
        assert_int_equal(run == NULL, failed);
        hbg_rt_free(run);
        assert_int_equal(h.used, 0);
        if (!failed) break;
        assert_true(n < 100);
    }
}

/* x rises with 1/s up to 0.5, loses half of it there, and then falls with 1/s. */
typedef struct {
    int32_t state;
    double x;
} tank;

static hbg_rt_status rates(void *self, double t, const double *x, double *dx) {
    const tank *of = self;
    (void)t, (void)x;
    dx[0] = of->state == 0 ? 1 : -1;
    return HBG_RT_OK;
}

static hbg_rt_status energies(void *self, double t, const double *x, double *energy) {
    (void)self, (void)t;
    energy[0] = x[0] * x[0] / 2;
    return HBG_RT_OK;
}

static hbg_rt_status is_full(void *self, double t, const double *x, double *g) {
    const tank *of = self;
    (void)t;
    g[0] = of->state == 0 ? 0.5 - x[0] : 1;
    return HBG_RT_OK;
}

static hbg_rt_status consider(void *self, const int32_t *states, double t, const double *x, double *x_plus) {
    tank *of = self;
    (void)t;
    of->x = x[0];
    x_plus[0] = states[0] == 1 && of->state == 0 ? x[0] / 2 : x[0];
    return HBG_RT_OK;
}

static hbg_rt_status move(void *self, const int32_t *states, bool committed, int32_t *next) {
    const tank *of = self;
    if (!committed && states[0] == 0 && of->x > 0.5 - 1e-6) next[0] = 1;
    return HBG_RT_OK;
}

static void commit(void *self, const int32_t *states, const double *x_plus) {
    tank *of = self;
    (void)x_plus;
    of->state = states[0];
}

static void automata_run_through_the_engine(void **state) {
    static const char *const names[] = {"fills", "leaks"};
    static const hbg_rt_automaton automata[] = {{"valve", names, 2, 0}};
    static const hbg_rt_variable level = {.name = "tank.q", .unit = "m3"};
    static const int32_t start[] = {0};
    static const hbg_rt_description described = {.name = "tank",
                                                 .state_count = 1,
                                                 .states = &level,
                                                 .root_count = 1,
                                                 .storage_count = 1,
                                                 .storages = &level,
                                                 .automaton_count = 1,
                                                 .automata = automata,
                                                 .start_states = start,
                                                 .has_events = true};
    static const hbg_rt_by_hand_events events = {.consider = consider, .move = move, .commit = commit};
    (void)state;
    heap h = {0};
    tank of = {0};
    const hbg_rt_by_hand table = {.description = &described,
                                  .self = &of,
                                  .rates = rates,
                                  .energies = energies,
                                  .relations = is_full,
                                  .events = &events};
    hbg_rt_instance *run = hbg_rt_by_hand_new(&table, heap_memory(&h));
    double x[1], stored[2];
    int32_t modes[1] = {0};
    hbg_rt_result result = {
        .state = x, .stored_at_start = stored, .stored_at_end = stored + 1, .modes = modes};
    const hbg_rt_setup setup = {
        .memory = heap_memory(&h), .demand = {.stop = 0.7, .rtol = 1e-6}, .ledger = true};
    hbg_rt_engine *engine;
    assert_int_equal(hbg_rt_engine_new(&described, run, &setup, &result, &engine), HBG_RT_OK);
    hbg_rt_status status = hbg_rt_engine_start(engine);
    if (status == HBG_RT_OK) status = hbg_rt_engine_advance(engine);
    assert_int_equal(hbg_rt_engine_finish(engine, status), HBG_RT_OK);
    hbg_rt_engine_free(engine);
    hbg_rt_free(run);
    assert_int_equal(h.used, 0);
    assert_int_equal(modes[0], 1);
    assert_int_equal(result.commits, 1);
    assert_true(fabs(x[0] - 0.05) < 1e-6);                              // 0.5/2 − 0.2
    assert_true(fabs(result.lost_in_jumps - (0.125 - 0.03125)) < 1e-6); // 0.5²/2 − 0.25²/2
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_without_functions_has_nothing),
        cmocka_unit_test(relations_keep_their_branches_while_they_are_frozen),
        cmocka_unit_test(without_memory_there_is_no_instance),
        cmocka_unit_test(automata_run_through_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
