/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constants that are no fractions: what is proved or found has to be so for them, and not for a fraction next to them. */
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
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_float_equal(group->findings[0].values[0].value, 1.4142135623730951, 1e-15);
    end(&t);
    group = examine(&t, RELAY("store.q >= sqrt(2)", "store.q <= sqrt(2)")); // at an edge that is a constant
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_float_equal(group->findings[0].values[0].value, 1.4142135623730951, 1e-9);
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
    end(&t);
    group = examine(
        &t, RELAY("store.q > 1e-9*sqrt(2)", "store.q < 1e-9*pi")); // small, but as wide as it is large
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
}

/* The digits behind those that cancel decide: 1e10·(cos(1) - 0.5403023058) is 0.68139717… (digits by hand from tables). */
static void digits_behind_those_that_cancel_decide(void **state) {
    (void)state;
    static const struct {
        const char *proved, *flawed;
    } pairs[] = {
#define AMPLIFIED(constant, below, above)                                                                    \
    {RELAY("store.q > " constant, "store.q < " below), RELAY("store.q > " constant, "store.q < " above)}
        AMPLIFIED("1e6*(cos(1) - 0.540302)", "0.30586", "0.30587"), // …3058681397
        AMPLIFIED("1e10*(cos(1) - 0.5403023058)", "0.681", "0.682"),
        AMPLIFIED("1e12*(sqrt(2) - 1.414213562373)", "0.095", "0.0951"), // …0950488
        AMPLIFIED("1e12*(exp(2) - 7.389056098930)", "0.650", "0.651"),   // …6502272
        AMPLIFIED("1e14*(pi - 3.14159265358979)", "0.323", "0.324"),     // …3238462
        AMPLIFIED("1e14*(log(2) - 0.69314718055994)", "0.530", "0.531"), // …5309417
        AMPLIFIED("1e30*(sqrt(exp(1)) - sqrt(exp(1)))", "0", "0.001"),
        AMPLIFIED("1e30*(sin(1)^2 + cos(1)^2 - 1)", "0", "0.001"),
        AMPLIFIED("1e30*(sin(5*pi/6) - 0.5)", "0", "0.001"),
        AMPLIFIED("1e30*(2*sin(3*pi/4)*cos(pi/4) - 1)", "0", "0.001"),
        AMPLIFIED("-1e30*(2*cos(3*pi/4)*sin(pi/4) + 1)", "0", "0.001"),
        AMPLIFIED("1e30*(pi*3/pi - 3)", "0", "0.001"),
        {RELAY("store.q > 0.651", "store.q < 1e12*(exp(2) - 7.389056098930)"), // from the other side
         RELAY("store.q > 0.650", "store.q < 1e12*(exp(2) - 7.389056098930)")},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        fixture t;
        hbg_verdict proved = examine(&t, pairs[i].proved)->verdict;
        end(&t);
        hbg_verdict flawed = examine(&t, pairs[i].flawed)->verdict;
        end(&t);
        if (proved != HBG_VERDICT_PROVED || flawed != HBG_VERDICT_WITNESS)
            print_error("%s: %d, %d\n", pairs[i].proved, (int)proved, (int)flawed);
        assert_int_equal(proved, HBG_VERDICT_PROVED);
        assert_int_equal(flawed, HBG_VERDICT_WITNESS);
    }
}

/* Sixty digits of a cosine are more than are known of it. */
static void what_hangs_on_digits_that_are_not_known_is_not_decided(void **state) {
    (void)state;
#define COSINE "1e60*(cos(1) - 0.540302305868139717400936607442976603732310420617922227670097)"
    static const char *const relays[] = {RELAY("store.q > " COSINE, "store.q < 0.3"),
                                         RELAY("store.q >= " COSINE, "store.q <= 0.3")};
    for (int i = 0; i < 2; i++) {
        fixture t;
        const hbg_group_result *group = examine(&t, relays[i]);
        assert_int_equal(group->verdict, HBG_VERDICT_UNDECIDED);
        assert_int_equal(group->finding_count, 0);
        assert_non_null(strstr(group->reason, "the last digits of `cos(1)`"));
        assert_int_not_equal(group->real_mode, HBG_VERDICT_WITNESS);
        end(&t);
    }
}

/* A constant is a factor like any other, whatever the sign of what it multiplies. */
static void constants_are_factors_and_divisors(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("pi*store.q < -3", "store.q > -2"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_string_equal(group->findings[0].region[0], "-2 < store.q < -0.95493");
    end(&t);
    group = examine(&t, RELAY("store.q/pi > 1", "store.q*exp(1) < 8.5"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED); // π·e is 8.5397
    end(&t);
    group = examine(&t, RELAY("store.q/pi > 1", "store.q*exp(1) < 8.6"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
}

/* What is told to mend it is proved as it stands there. */
static void a_repair_with_a_constant_is_proved_when_it_is_written_down(void **state) {
    (void)state;
    static const char *const guards[][2] = {{"store.q > pi", "store.q < pi + 1"},
                                            {"store.q^2 > 2", "store.q < sqrt(2) + 1e-6"},
                                            {"store.q > cos(1)", "store.q < 2*exp(1)"}};
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
        fixture t;
        char text[1024], mended[256];
        snprintf(text, sizeof text, RELAY("%s", "%s"), guards[i][0], guards[i][1]);
        const hbg_group_result *group = examine(&t, text);
        assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
        assert_int_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS);
        hbg_repair repair = group->findings[0].repair;
        assert_non_null(repair.condition);
        assert_null(strstr(repair.condition, "1*"));
        bool first = repair.transition == 0;
        snprintf(mended, sizeof mended, "%s && %s", guards[i][first ? 0 : 1], repair.condition);
        snprintf(text, sizeof text, RELAY("%s", "%s"), first ? mended : guards[i][0],
                 first ? guards[i][1] : mended);
        end(&t);
        assert_int_equal(examine(&t, text)->verdict, HBG_VERDICT_PROVED);
        end(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_behind_those_that_cancel_decide),
        cmocka_unit_test(what_hangs_on_digits_that_are_not_known_is_not_decided),
        cmocka_unit_test(constants_are_factors_and_divisors),
        cmocka_unit_test(a_repair_with_a_constant_is_proved_when_it_is_written_down),
        cmocka_unit_test(a_fraction_next_to_a_root_is_no_flaw),
        cmocka_unit_test(a_proof_holds_on_both_sides_of_a_constant),
        cmocka_unit_test(a_wide_region_is_a_flaw_next_to_a_constant_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
