/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Circles of samples and sensors at a tick. */
#include "fixture_impl.h"

static int32_t sampled(fixture *f, hbg_signal_kind kind, const char *text, hbg_expr value) {
    int32_t index = signal(f, kind, text, value);
    hbg_expr period = number(f, 1);
    f->model->signals.items[index].every = period;
    return index;
}

static void set_value(fixture *f, int32_t of, hbg_expr value) {
    f->model->signals.items[of].value = value;
}

static void expect(fixture *f, int circles) {
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_CYCLE), circles);
    assert_int_equal(f->diagnostics.errors, circles);
}

static void a_sample_that_reads_itself_is_told_of_pre(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    int32_t n = sampled(&f, HBG_SIGNAL_SAMPLE, "n", HBG_NONE);
    set_value(&f, n, op(&f, HBG_OP_ADD, read_signal(&f, n), number(&f, 1)));
    expect(&f, 1);
    assert_says(&f, HBG_E_CYCLE, "`pre(n)`");
    hbg_base_arena_fini(&f.arena);
}

static void what_was_before_the_tick_closes_no_circle(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    int32_t n = sampled(&f, HBG_SIGNAL_SAMPLE, "n", HBG_NONE);
    hbg_expr before = op(&f, HBG_OP_PRE, read_signal(&f, n), HBG_NONE);
    set_value(&f, n, op(&f, HBG_OP_ADD, before, number(&f, 1)));
    expect(&f, 0);
    hbg_base_arena_fini(&f.arena);
}

/* One circle is told once, with the others that are in it. */
static void a_circle_through_signals_and_sensors_is_found(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    int32_t a = sampled(&f, HBG_SIGNAL_SAMPLE, "a", HBG_NONE);
    int32_t s = signal(&f, HBG_SIGNAL_SIGNAL, "s", read_signal(&f, a));
    int32_t m = sampled(&f, HBG_SIGNAL_SENSOR, "m", read_signal(&f, s));
    set_value(&f, a, read_signal(&f, m));
    expect(&f, 1);
    assert_int_equal(first_of(&f, HBG_E_CYCLE)->notes.count, 2);
    assert_note_at(&f, HBG_E_CYCLE, f.model->signals.items[m].id.span);
    hbg_base_arena_fini(&f.arena);
}

/* The state reads the sample in its rate, and the sample reads the state. */
static void an_integrator_closes_no_circle(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    int32_t u = sampled(&f, HBG_SIGNAL_SAMPLE, "u", HBG_NONE);
    int32_t x = signal(&f, HBG_SIGNAL_STATE, "x", read_signal(&f, u));
    hbg_expr zero = number(&f, 0);
    f.model->signals.items[x].initial = zero;
    set_value(&f, u, op(&f, HBG_OP_NEGATE, read_signal(&f, x), HBG_NONE));
    hbg_model_check(f.model);
    assert_int_equal(count_of(&f, HBG_E_CYCLE), 0);
    hbg_base_arena_fini(&f.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_that_reads_itself_is_told_of_pre),
        cmocka_unit_test(what_was_before_the_tick_closes_no_circle),
        cmocka_unit_test(a_circle_through_signals_and_sensors_is_found),
        cmocka_unit_test(an_integrator_closes_no_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
