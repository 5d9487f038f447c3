/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"

static void two_runs_do_not_notice_each_other(void **state) {
    fixture f;
    double dx[2], x[2] = {0};
    (void)state;
    fixture_begin(&f, "model M { param a = 2; input real u = 3; state x = 1 : der = a*x + u; sample h every "
                      "1 = x; state y = 0 : der = h; }");
    hbg_rt_instance *other = hbg_code_run(f.code);
    assert_non_null(other);
    assert_int_equal(hbg_rt_declare(other, x), HBG_RT_OK);
    assert_int_equal(hbg_rt_enter(other, NULL), HBG_RT_OK);
    set_param(&f, "a", 10);
    set_input(&f, "u", -1);
    assert_exact(rate_of(&f, "x"), 9);
    assert_int_equal(hbg_rt_rates(other, 0, x, dx), HBG_RT_OK);
    assert_exact(dx[0], 5);
    hbg_rt_free(other);
    fixture_close(&f);
}

static void an_input_has_its_default_until_it_is_set(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { input real u = 3 + 1*time; input bool b; state x = 0 : der = u + (b ? 100 : 0); }");
    assert_exact(rate_at(&f, "x", 2), 5);
    set_input(&f, "u", 7);
    assert_exact(rate_at(&f, "x", 2), 7);
    set_input(&f, "b", 1);
    assert_exact(rate_at(&f, "x", 2), 107);
    fixture_close(&f);
}

/* Both clocks tick at once: b takes the value that a takes, and holds it while a ticks alone. */
static void samples_take_their_values_together_and_hold_them(void **state) {
    fixture f;
    const int32_t both[] = {0, 1}, first[] = {0};
    (void)state;
    fixture_begin(&f, "model M { sample a every 1 = 1*time; sample b every 1 = a; state x = 0 "
                      ": der = 10*a + b; }");
    assert_exact(rate_of(&f, "x"), 0);
    assert_fine(&f, hbg_rt_tick(f.run, 3, f.x, both, 2));
    assert_exact(rate_of(&f, "x"), 33);
    assert_fine(&f, hbg_rt_tick(f.run, 4, f.x, both, 2));
    assert_exact(rate_of(&f, "x"), 44);
    assert_fine(&f, hbg_rt_tick(f.run, 5, f.x, first, 1));
    assert_exact(rate_of(&f, "x"), 54);
    fixture_close(&f);
}

static void tables_over_time_break_at_their_points(void **state) {
    fixture f;
    FILE *file = fopen("breaks.csv", "w");
    (void)state;
    assert_non_null(file);
    fputs("t,v\n0,1\n1,3\n1,10\n2.5,12\n", file);
    fclose(file);
    fixture_begin(&f, "model M { state x = 0 : der = table(\"breaks.csv\", \"v\"); }");
    assert_exact(hbg_rt_next_break(f.run, -1), 0);
    assert_exact(hbg_rt_next_break(f.run, 0), 1);
    assert_exact(hbg_rt_next_break(f.run, 1), 2.5);
    assert_true(isinf(hbg_rt_next_break(f.run, 2.5)));
    fixture_close(&f);
}

static void a_value_that_is_no_number_is_named(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(1, q = -4); R r : f = sqrt(e); 0 n; n -> c; n -> r; }");
    assert_int_equal(hbg_rt_rates(f.run, 0.25, f.x, f.dx), HBG_RT_NOT_FINITE);
    const hbg_rt_failure *failure = hbg_rt_failed(f.run);
    assert_int_equal(failure->status, HBG_RT_NOT_FINITE);
    assert_exact(failure->time, 0.25);
    assert_words(failure->text, "`r.f`");
    assert_words(failure->text, "sqrt(c.e = -4)");
    fixture_close(&f);
}

static void roots_have_names(void **state) {
    fixture f;
    char name[100];
    (void)state;
    fixture_begin(&f, "model M { state x = 1 : der = abs(x); }");
    hbg_rt_indicator_name(f.run, 0, name, sizeof name);
    assert_words(name, "abs");
    fixture_close(&f);
}

/* Each allocation of making a run and entering its mode fails once: that gives a status, and no leak. */
static void exhausted_memory_comes_back_as_a_status(void **state) {
    fixture f;
    (void)state;
    for (int n = 1; n < 200; n++) {
        fixture_open(&f, "model M { Se s(3); R d : e = f + f^3; R r(2); C c(1); 1 j; s -> j; j -> d; j -> r; "
                         "0 n; j -> n; n -> c; I l(3); n -> l; }");
        f.memory.fail_at = f.memory.calls + n;
        hbg_rt_instance *run = hbg_code_run(f.code);
        hbg_rt_status status = run ? hbg_rt_enter(run, NULL) : HBG_RT_NO_MEMORY;
        if (status == HBG_RT_OK && hbg_rt_jacobian_pattern(run).count != 2) status = HBG_RT_NO_MEMORY;
        bool reached = f.memory.calls >= f.memory.fail_at;
        f.memory.fail_at = 0;
        assert_int_equal(status, reached ? HBG_RT_NO_MEMORY : HBG_RT_OK);
        hbg_rt_free(run);
        fixture_close(&f);
        if (!reached) return;
    }
    fail_msg("it never ends");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_do_not_notice_each_other),
        cmocka_unit_test(an_input_has_its_default_until_it_is_set),
        cmocka_unit_test(samples_take_their_values_together_and_hold_them),
        cmocka_unit_test(tables_over_time_break_at_their_points),
        cmocka_unit_test(a_value_that_is_no_number_is_named),
        cmocka_unit_test(roots_have_names),
        cmocka_unit_test(exhausted_memory_comes_back_as_a_status),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
