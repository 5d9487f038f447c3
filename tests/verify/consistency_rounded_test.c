/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constants that are no fractions: what is found has to be so for them, and not for the fraction that stands for them. */
#include "consistency_impl.h"

/* q > √2 and q² < 2 exclude each other: between a fraction below √2 and √2 there is no flaw. Where the edges are met it is one, at a point
 * that no fraction is. */
static void a_fraction_next_to_a_root_is_no_flaw(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("store.q > sqrt(2)", "store.q^2 < 2 && store.q > 0"));
    assert_int_not_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_not_equal(group->real_mode, HBG_VERDICT_WITNESS);
    assert_int_equal(group->finding_count, 0);
    end(&t);
    group = examine(&t, RELAY("store.q >= sqrt(2)", "store.q^2 <= 2 && store.q > 0"));
    assert_int_equal(group->verdict, HBG_VERDICT_UNDECIDED);
    assert_non_null(strstr(group->reason, "sqrt(2)"));
    end(&t);
    group = examine(&t, RELAY("store.q > -cbrt(2)", "store.q^3 < -2"));
    assert_int_not_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
}

/* A proof that holds with the fraction below only is none: the flaw is at the constant itself, or just above it. */
static void a_proof_holds_on_both_sides_of_a_constant(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, RELAY("store.q <= sqrt(2) && store.q > 0", "store.q^2 >= 2 && store.q > 0"));
    assert_int_not_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
    group = examine(&t, RELAY("store.q > pi", "store.q < 3.1"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_int_equal(group->rounded_count, 1);
    assert_string_equal(group->rounded[0], "pi");
    end(&t);
}

/* What is wide is a flaw, whatever stands for the constant; and a root that is a fraction is that. */
static void a_wide_region_is_a_flaw_next_to_a_constant_too(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("store.q > sqrt(2)", "store.q < pi"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_string_equal(group->findings[0].region[0], "1.41421 < store.q < 3.14159");
    assert_int_equal(group->real_mode, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS);
    end(&t);
    group = examine(&t, RELAY("store.q >= sqrt(1.44)", "store.q <= 1.2"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS); // at 1.2
    assert_int_equal(group->rounded_count, 0);
    end(&t);
    group = examine(
        &t, RELAY("store.q > 1e-9*sqrt(2)", "store.q < 1e-9*pi")); // small, but as wide as it is large
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fraction_next_to_a_root_is_no_flaw),
                                       cmocka_unit_test(a_proof_holds_on_both_sides_of_a_constant),
                                       cmocka_unit_test(a_wide_region_is_a_flaw_next_to_a_constant_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
