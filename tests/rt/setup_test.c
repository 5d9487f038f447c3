/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arguments that an engine refuses. */
#include "rt/engine_bench_impl.h"

static const recipe still = {.n = 1, .input_count = 1, .clock_count = 1, .clocks = {{"clock", 1}}};

static const hbg_rt_action late_first[] = {{2, 0, 1}, {1, 0, 1}}, elsewhere[] = {{1, 1, 1}};
static const hbg_rt_override wrong[] = {{.time = 1, .kind = HBG_RT_HOLD, .index = 0}},
                             late[] = {{.time = 2, .kind = HBG_RT_SENSE}, {.time = 1}};

static void spoil(hbg_rt_setup *setup, int how) {
    switch (how) {
    case 0: setup->demand.stop = -1; break;
    case 1: setup->demand.stop = NAN; break;
    case 2: setup->demand.step = INFINITY; break;
    case 3: setup->fixed = true; break;
    case 4: setup->demand.rtol = 1; break;
    case 5: setup->demand.atol = -1e-9; break;
    case 6: setup->observer.rows_every = NAN; break;
    case 7: setup->step_limit = -1; break;
    case 8: setup->actions = late_first, setup->action_count = 2; break;
    case 9: setup->actions = elsewhere, setup->action_count = 1; break;
    case 10: setup->overrides = wrong, setup->override_count = 1; break;
    case 11: setup->overrides = late, setup->override_count = 2; break;
    default: setup->fixed = true, setup->demand.step = 1, setup->method = (hbg_rt_method)9; break;
    }
}

static void what_cannot_be_run_is_refused_in_words(void **state) {
    (void)state;
    for (int how = 0; how <= 12; how++) {
        engine_bench b;
        engine_bench_init(&b, &still, 1);
        assert_null(hbg_rt_setup_fault(&b.h.system, &b.setup));
        spoil(&b.setup, how);
        const char *fault = hbg_rt_setup_fault(&b.h.system, &b.setup);
        assert_non_null(fault);
        assert_int_equal(engine_bench_run(&b), HBG_RT_BAD_OPTION);
        assert_string_equal(b.result.failure, fault);
        assert_int_equal(b.heap.calls, 0);
        engine_bench_fini(&b);
    }
}

static void a_clock_needs_a_period(void **state) {
    (void)state;
    recipe stopped = still;
    stopped.clocks[0].period = 0;
    engine_bench b;
    engine_bench_init(&b, &stopped, 1);
    assert_non_null(hbg_rt_setup_fault(&b.h.system, &b.setup));
    engine_bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_run_is_refused_in_words),
        cmocka_unit_test(a_clock_needs_a_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
