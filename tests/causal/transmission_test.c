/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What links do to efforts and flows. */
#include "fixture_impl.h"

/* Effort and flow that arrive at the C, of what leaves the junction. */
static void check(const char *link, const char *effort, const char *flow) {
    char text[512];
    fixture f;
    hbg_decimal number;
    const char *wanted[] = {effort, flow};
    snprintf(text, sizeof text, "model M { param n = 3; 0 a; C c(1); R r(1); a -> r; %s }", link);
    fixture_open(&f, text, false);
    int32_t slot = hbg_causal_slot_at(f.structure, fixture_element(&f, "c"), 1);
    for (int i = 0; i < 2; i++) {
        assert_true(hbg_base_decimal_parse(&f.arena, wanted[i], strlen(wanted[i]), &number));
        assert_int_equal(f.structure->transmission[2 * slot + i], hbg_base_modular_decimal(number));
    }
    fixture_close(&f);
}

static void transformers_and_gyrators_scale(void **state) {
    (void)state;
    check("a -> c;", "1", "1");
    check("TF t(2); a -> t -> c;", "0.5", "2");                    // e1 = n·e2, f2 = n·f1
    check("TF t(2); TF u(-4); a -> t -> u -> c;", "-0.125", "-8"); // one after the other
    check("TF t(2); c -> t -> a;", "2", "0.5");
    check("GY g(2); a -> g -> c;", "2", "0.5");                 // e2 = r·f1, f2 = e1/r
    check("GY g(2); GY h(5); a -> g -> h -> c;", "2.5", "0.4"); // of effort and flow again
    check("TF t(2); a -> t[1]; c -> t[2];", "0.5", "-2");       // a bond that points the other way
}

/* A modulus that is no number is one drawn by lot, the same for the same expression: n and then 1/n is 1. */
static void equal_expressions_cancel(void **state) {
    (void)state;
    check("TF t(n); TF u(n); a -> t -> u[2]; c -> u[1];", "1", "-1");
    fixture f;
    fixture_open(&f,
                 "model M { param n = 3; param m = 3; 0 a; C c(1); R r(1); TF t(n); TF u(m); a -> r; a -> t "
                 "-> u[2]; c -> u[1]; }",
                 false);
    int32_t slot = hbg_causal_slot_at(f.structure, fixture_element(&f, "c"), 1);
    assert_int_not_equal(f.structure->transmission[2 * slot], 1); // another value may be given to one of them
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformers_and_gyrators_scale),
        cmocka_unit_test(equal_expressions_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
