/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The interface for callers: runs that advance piece by piece and are acted on, and the same with an
 * integrator of the test. */
#include <math.h>

#include "rt/image_impl.h"

typedef struct {
    heap heap;
    hbg_rt_loaded *loaded;
    const hbg_rt_description *system;
    hbg_rt_run *run;
} bench;

static void open_bench(bench *b, const char *text, hbg_rt_options options) {
    memset(b, 0, sizeof *b);
    compile_text(text, "model.hbi");
    b->loaded = read_image("model.hbi", &b->heap);
    b->system = hbg_rt_loaded_description(b->loaded);
    options.memory = heap_memory(&b->heap);
    if (hbg_rt_run_new(b->loaded, &options, &b->run) != HBG_RT_OK) fail_msg("no run of %s", text);
}

static void close_bench(bench *b) {
    hbg_rt_run_free(b->run);
    hbg_rt_loaded_free(b->loaded);
    assert_int_equal(b->heap.used, 0);
}

static double read_one(bench *b, hbg_rt_what what) {
    double values[16];
    if (hbg_rt_run_read(b->run, what, values) != HBG_RT_OK) fail_msg("%s", hbg_rt_run_failed(b->run)->text);
    return values[0];
}

#define assert_close(a, b, error) assert_true(fabs((a) - (b)) <= (error))

/* A capacitor of C farad that a source u charges over 1 ohm. */
#define CHARGER                                                                                              \
    "model M { param C = 1 [F]; input real u = 0 [V]; Se s(u); 1 j; R r(1 [ohm]); C c(C, q = 0 [C]);"        \
    " s -> j; j -> r; j -> c; experiment main { stop 10 [s]; record c.e; } }"

/* u = 1 from t = 1 on, C doubles at t = 2: q goes to u·C with the time constant C, from its present value. */
static void inputs_and_parameters_are_set_on_the_way(void **state) {
    bench b;
    (void)state;
    open_bench(&b, CHARGER, (hbg_rt_options){.stop = 10, .rtol = 1e-9, .ledger = true});
    assert_int_equal(hbg_rt_run_advance(b.run, 1), HBG_RT_BAD_OPTION); // before its start
    assert_int_equal(hbg_rt_run_start(b.run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_advance(b.run, 1), HBG_RT_OK);
    assert_true(read_one(&b, HBG_RT_READ_TIME) == 1 && read_one(&b, HBG_RT_READ_STATES) == 0);
    assert_int_equal(hbg_rt_run_set(b.run, &(hbg_rt_set){.kind = HBG_RT_INPUT, .value = 7}), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_set(b.run, &(hbg_rt_set){.kind = HBG_RT_INPUT, .value = 1}), HBG_RT_OK);
    assert_close(read_one(&b, HBG_RT_READ_RATES), 1, 1e-12);
    assert_int_equal(hbg_rt_run_advance(b.run, 2), HBG_RT_OK);
    double q = 1 - exp(-1);
    assert_close(read_one(&b, HBG_RT_READ_STATES), q, 1e-8);
    assert_close(read_one(&b, HBG_RT_READ_ENERGIES), q * q / 2, 1e-8);
    assert_int_equal(hbg_rt_run_set(b.run, &(hbg_rt_set){.kind = HBG_RT_PARAM, .value = 2}), HBG_RT_OK);
    assert_close(read_one(&b, HBG_RT_READ_OUTPUTS), q / 2, 1e-8);
    assert_int_equal(hbg_rt_run_advance(b.run, 4), HBG_RT_OK);
    assert_close(read_one(&b, HBG_RT_READ_STATES), 2 - (2 - q) * exp(-1), 1e-8);
    assert_int_equal(hbg_rt_run_advance(b.run, 3), HBG_RT_BAD_OPTION);
    assert_non_null(strstr(hbg_rt_run_failed(b.run)->text, "does not go back"));
    assert_int_equal(hbg_rt_run_advance(b.run, 100), HBG_RT_OK);
    assert_true(read_one(&b, HBG_RT_READ_TIME) == 10); // its stop
    double work[4], supplied = 0, q_end = read_one(&b, HBG_RT_READ_STATES);
    assert_int_equal(hbg_rt_run_read(b.run, HBG_RT_READ_WORK, work), HBG_RT_OK);
    for (int32_t k = 0; k < b.system->power_count; k++)
        supplied += b.system->powers[k].kind == HBG_RT_SUPPLIED ? work[k] : 0;
    assert_close(supplied, q_end, 1e-7); // u = 1: the charge that has passed
    close_bench(&b);
}

static void what_is_not_there_cannot_be_set(void **state) {
    bench b;
    (void)state;
    open_bench(&b, CHARGER, (hbg_rt_options){.stop = 1});
    const hbg_rt_set wrong[] = {{.kind = HBG_RT_INPUT, .index = 1},
                                {.kind = HBG_RT_INPUT, .index = -1},
                                {.kind = HBG_RT_PARAM, .index = 1},
                                {.kind = HBG_RT_AUTOMATON},
                                {.kind = HBG_RT_SENSOR},
                                {.kind = HBG_RT_INPUT, .value = NAN}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(hbg_rt_run_set(b.run, &wrong[i]), HBG_RT_BAD_OPTION);
        assert_true(hbg_rt_run_failed(b.run)->text[0] != 0);
    }
    close_bench(&b);
}

/* x falls from 1 with 1/s and at 0 starts to rise again. */
#define FALL                                                                                                 \
    "model M { 1 a; I m(1 [kg], f = -1 [m/s]); Sf wall(0 [m/s]); 0 c when touch restitution 1;"              \
    " a -> m; wall -> c -> a; state x = 1 [m] : der = a.f;"                                                  \
    " automaton touch { off i -> o when x <= 0 [m] && a.f < 0 [m/s]; on o -> i when a.f > 0 [m/s]; }"        \
    " experiment main { stop 3 [s]; record x; } }"

static int32_t state_called(const bench *b, const char *name) {
    for (int32_t i = 0; i < b->system->state_count; i++)
        if (strcmp(b->system->states[i].name, name) == 0) return i;
    fail_msg("there is no state %s", name);
    return -1;
}

/* Rates are constant, so one step of Euler's method is exact, and the indicator is linear. */
static void an_integrator_of_the_caller_s_own_finds_the_same(void **state) {
    bench b;
    double x[4], dx[4], before[8], after[8];
    (void)state;
    open_bench(&b, FALL, (hbg_rt_options){.stop = 3});
    int32_t position = state_called(&b, "x"), momentum = 1 - position, roots = b.system->root_count,
            crossed = -1;
    assert_true(b.system->state_count == 2 && roots <= 8);
    assert_int_equal(hbg_rt_run_start(b.run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_read(b.run, HBG_RT_READ_STATES, x), HBG_RT_OK);
    assert_true(x[position] == 1 && x[momentum] == -1);
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_INDICATORS, 0, x, before), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_RATES, 0, x, dx), HBG_RT_OK);
    for (int i = 0; i < 2; i++) x[i] += 1.5 * dx[i];
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_INDICATORS, 1.5, x, after), HBG_RT_OK);
    for (int32_t k = 0; k < roots; k++)
        if (before[k] > 0 && after[k] < 0) crossed = k;
    assert_true(crossed >= 0);
    double t = 1.5 * before[crossed] / (before[crossed] - after[crossed]);
    assert_close(t, 1, 1e-12);
    for (int i = 0; i < 2; i++) x[i] -= (1.5 - t) * dx[i];
    bool goes_on = true;
    int calls = 0;
    while (goes_on) { // the collision, then the contact is left
        assert_int_equal(hbg_rt_run_instant(b.run, t, x, &crossed, 1, &goes_on), HBG_RT_OK);
        assert_close(x[momentum], 1, 1e-12);
        if (goes_on) assert_int_equal(hbg_rt_run_read(b.run, HBG_RT_READ_TIME, before), HBG_RT_BAD_OPTION);
        calls++;
    }
    assert_true(calls >= 2);
    assert_true(read_one(&b, HBG_RT_READ_MODES) == 0);
    assert_close(x[momentum], 1, 1e-12);
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_RATES, t, x, dx), HBG_RT_OK);
    assert_close(dx[position], 1, 1e-12);
    for (int i = 0; i < 2; i++) x[i] += 2 * dx[i];
    assert_int_equal(hbg_rt_run_accept(b.run, 3, x), HBG_RT_OK);
    assert_close(x[position], 2, 1e-12);
    crossed = roots;
    assert_int_equal(hbg_rt_run_instant(b.run, 3, x, &crossed, 1, NULL), HBG_RT_BAD_OPTION);

    assert_int_equal(hbg_rt_run_accept(b.run, 3, x), HBG_RT_OK);
    hbg_rt_run *whole; // the engine's own integrator
    hbg_rt_options options = {.memory = heap_memory(&b.heap), .stop = 3};
    assert_int_equal(hbg_rt_run_new(b.loaded, &options, &whole), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(whole), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_advance(whole, 3), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_read(whole, HBG_RT_READ_STATES, before), HBG_RT_OK);
    for (int i = 0; i < 2; i++) assert_close(before[i], x[i], 1e-6);
    hbg_rt_run_free(whole);
    close_bench(&b);
}

static void the_jacobian_is_that_of_the_rates(void **state) {
    bench b;
    double x[] = {0.25}, values[1] = {0};
    hbg_rt_pattern pattern;
    (void)state;
    open_bench(&b, CHARGER, (hbg_rt_options){.stop = 1});
    assert_int_equal(hbg_rt_run_set(b.run, &(hbg_rt_set){.kind = HBG_RT_PARAM, .value = 4}), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_start(b.run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_jacobian(b.run, 0, x, &pattern, NULL), HBG_RT_OK);
    assert_int_equal(pattern.start[1], 1);
    assert_int_equal(hbg_rt_run_jacobian(b.run, 0, x, &pattern, values), HBG_RT_OK);
    assert_close(values[0], -0.25, 1e-15); // q' = u − q/(R·C)
    close_bench(&b);
}

static void a_run_reads_at_another_state_what_follows_from_it(void **state) {
    bench b;
    double x[] = {0.25}, rates[1], outputs[8], settled[1];
    (void)state;
    open_bench(&b, CHARGER, (hbg_rt_options){.stop = 1});
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_RATES, 0, x, rates), HBG_RT_BAD_OPTION); // not started
    assert_int_equal(hbg_rt_run_start(b.run), HBG_RT_OK);
    assert_true(b.system->output_count <= 8);
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_OUTPUTS, 0, x, outputs), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_STATES, 0, x, settled), HBG_RT_OK);
    assert_true(settled[0] == 0.25); // it is independent
    assert_int_equal(hbg_rt_run_at(b.run, HBG_RT_READ_WORK, 0, x, outputs),
                     HBG_RT_BAD_OPTION); // of a run, not of a state
    close_bench(&b);
}

static void a_later_stop_takes_the_place_of_the_run_s_own(void **state) {
    bench b;
    (void)state;
    open_bench(&b, CHARGER, (hbg_rt_options){.stop = 1});
    assert_int_equal(hbg_rt_run_start(b.run), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_set(b.run, &(hbg_rt_set){.kind = HBG_RT_STOP, .value = 0.5}),
                     HBG_RT_OK); // earlier: nothing
    assert_int_equal(hbg_rt_run_advance(b.run, 3), HBG_RT_OK);
    assert_true(read_one(&b, HBG_RT_READ_TIME) == 1);
    assert_int_equal(hbg_rt_run_set(b.run, &(hbg_rt_set){.kind = HBG_RT_STOP, .value = 2}), HBG_RT_OK);
    assert_int_equal(hbg_rt_run_advance(b.run, 3), HBG_RT_OK);
    assert_true(read_one(&b, HBG_RT_READ_TIME) == 2);
    assert_int_equal(hbg_rt_run_set(b.run, &(hbg_rt_set){.kind = HBG_RT_STOP, .value = NAN}),
                     HBG_RT_BAD_OPTION);
    close_bench(&b);
}

static void a_run_that_cannot_be_made_takes_nothing(void **state) {
    bench b;
    (void)state;
    open_bench(&b, FALL, (hbg_rt_options){.stop = 1});
    for (int64_t n = 1;; n++) {
        heap h = {.fail_at = n};
        hbg_rt_options options = {.memory = heap_memory(&h), .stop = 1};
        hbg_rt_run *run;
        hbg_rt_status status = hbg_rt_run_new(b.loaded, &options, &run);
        assert_int_equal(status == HBG_RT_OK, h.calls < n);
        hbg_rt_run_free(run);
        assert_int_equal(h.used, 0);
        if (status == HBG_RT_OK) break;
        assert_int_equal(status, HBG_RT_NO_MEMORY);
    }
    hbg_rt_options options = {.memory = heap_memory(&b.heap), .stop = -1};
    hbg_rt_run *run;
    assert_int_equal(hbg_rt_run_new(b.loaded, &options, &run), HBG_RT_BAD_OPTION);
    assert_null(run);
    close_bench(&b);
}

/* A relation of time alone has no indicator: its instants are known in advance. */
static void an_integrator_of_the_caller_s_own_is_told_of_times(void **state) {
    bench b;
    double x[1];
    (void)state;
    open_bench(&b,
               "model M { state x = 0 : der = 1; automaton a { off o -> n when time > 1; on n; }"
               " experiment main { stop 3 [s]; record x; } }",
               (hbg_rt_options){.stop = 3});
    assert_int_equal(hbg_rt_run_start(b.run), HBG_RT_OK);
    assert_true(read_one(&b, HBG_RT_READ_NEXT) == 1);
    x[0] = 1;
    assert_int_equal(hbg_rt_run_instant(b.run, 1, x, NULL, 0, NULL), HBG_RT_OK);
    assert_true(read_one(&b, HBG_RT_READ_MODES) == 1);
    assert_true(read_one(&b, HBG_RT_READ_NEXT) == 3);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_and_parameters_are_set_on_the_way),
        cmocka_unit_test(what_is_not_there_cannot_be_set),
        cmocka_unit_test(an_integrator_of_the_caller_s_own_finds_the_same),
        cmocka_unit_test(an_integrator_of_the_caller_s_own_is_told_of_times),
        cmocka_unit_test(the_jacobian_is_that_of_the_rates),
        cmocka_unit_test(a_run_reads_at_another_state_what_follows_from_it),
        cmocka_unit_test(a_later_stop_takes_the_place_of_the_run_s_own),
        cmocka_unit_test(a_run_that_cannot_be_made_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
