/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What other values make of elements. Each model has one that hangs on `a`, which is 1. */
#include "lang/fixture_impl.h"

#include <math.h>

#include "model/model_impl.h"

static bool loses(fixture *f, const char *element, double a, hbg_lost *lost) {
    const char *text = hbg_base_arena_print(&f->arena,
                                            "model M { param a = 1; Se v(1); %s 0 n; C c(1); R q(1); 1 j;\n"
                                            "  v -> j -> x; j -> c; j -> q; output o = c.e; }",
                                            element);
    hbg_check check = {.model = read_any(f, text), .diagnostics = &f->diagnostics, .scratch = &f->arena};
    hbg_what_if w;
    assert_non_null(check.model);
    hbg_model_what_if_init(&w, &check, NULL);
    return hbg_model_what_if_param(&w, find_param(f, check.model, "a"), a, lost);
}

static void a_resistor_by_law_may_not_give_power(void **state) {
    hbg_lost lost;
    assert_true(loses(*state, "R x : e = a*f*abs(f);", -1, &lost));
    assert_int_equal(lost.kind, HBG_LOST_POWER);
    assert_true(lost.argument == 'f' && lost.given == 'e' && lost.at == 1 && lost.value == -1);
    assert_false(loses(*state, "R x : e = a*f*abs(f);", 0, &lost)); // takes nothing, gives nothing
    assert_true(loses(*state, "R x : f = sinh(a*e);", -0.1, &lost));
    assert_true(loses(*state, "R x : e = f + a*f^3;", -1e-6, &lost)); // from f = 1000 on
    assert_true(lost.at * lost.value < 0 && fabs(lost.at) >= 1000);
}

/* A voltage drop in front of a resistance gives power at small currents the wrong way round: it is judged by its slope. */
static void a_law_that_gives_power_anyway_is_judged_by_its_slope(void **state) {
    hbg_lost lost;
    assert_false(loses(*state, "R x : e = 3 + a*f;", 0.1, &lost));
    assert_true(loses(*state, "R x : e = 3 + a*f;", -0.1, &lost));
    assert_int_equal(lost.kind, HBG_LOST_RISE);
    assert_false(loses(*state, "R x : e = sin(f) - a;", -0.1, &lost)); // it never did either
}

static void the_law_of_a_storage_may_not_fall(void **state) {
    hbg_lost lost;
    assert_true(loses(*state, "C x : e = 300 + q/a;", -2, &lost)); // a heat capacity
    assert_int_equal(lost.kind, HBG_LOST_RISE);
    assert_true(loses(*state, "I x : f = tanh(a*p);", -1, &lost));
    assert_false(loses(*state, "C x : e = a*q;", 0, &lost));       // a broken spring
    assert_false(loses(*state, "C x : e = sin(a*q);", -1, &lost)); // it fell before
}

static void a_law_without_numbers_is_refused(void **state) {
    hbg_lost lost;
    assert_true(loses(*state, "R x : e = sqrt(a)*f;", -1, &lost));
    assert_int_equal(lost.kind, HBG_LOST_NUMBER);
    assert_false(loses(*state, "C x : e = exp(a*q);", 2, &lost)); // too large for a double is not too large
}

/* The sign of a product follows its constant factor whatever the other is; that of a sum does not. */
static void what_is_decided_whatever_modulates_is_decided_before(void **state) {
    hbg_lost lost;
    assert_true(loses(*state, "R x(a*abs(c.e));", -1, &lost));
    assert_int_equal(lost.kind, HBG_LOST_SIGN);
    assert_true(loses(*state, "R x(a*exp(c.e)*(1 + time));", -1, &lost));
    assert_false(loses(*state, "R x(a + abs(c.e));", -1, &lost));
    assert_false(loses(*state, "R x(a*c.e);", 2, &lost));
    assert_true(loses(*state, "R x : e = a*(2 + sin(c.q))*f;", -1, &lost));
    assert_int_equal(lost.kind, HBG_LOST_POWER);
    assert_false(loses(*state, "R x : e = (a + abs(c.q))*f;", -1, &lost));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_resistor_by_law_may_not_give_power, setup, teardown),
        cmocka_unit_test_setup_teardown(a_law_that_gives_power_anyway_is_judged_by_its_slope, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_law_of_a_storage_may_not_fall, setup, teardown),
        cmocka_unit_test_setup_teardown(a_law_without_numbers_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_decided_whatever_modulates_is_decided_before, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
