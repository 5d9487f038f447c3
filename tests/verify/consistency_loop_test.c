/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loops that are not linear: laws with one solution, with a jump, with none or several; and divisors whose sign is known. */
#include "consistency_impl.h"

/* A capacitor over a resistance with a law, behind a relay that looks at the charge and at what flows. */
#define VALVE(law, on, off)                                                                                  \
    "C c(1); 0 n; n -> c; 1 j when a; R r : " law "; n -> j -> r;\n"                                         \
    "automaton a { off open -> closed when " on "; on closed -> open when " off "; }\n"

/* sign(f)·f² = q: f < 2 is q < 4. The sign jumps where the square is 0. */
static void a_sign_times_a_square_has_one_solution(void **state) {
    (void)state;
    static const char *const laws[] = {VALVE("e = sign(f)*f^2", "c.q > 1", "j.f < 2"),
                                       VALVE("e = f*abs(f)", "c.q > 1", "j.f < 2"),
                                       VALVE("e = 2*f*f*sign(f)*0.5", "c.q > 1", "j.f < 2")};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        fixture t;
        const hbg_group_result *group = examine(&t, laws[i]);
        assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
        assert_null(group->reason);
        assert_int_equal(group->findings[0].region_count, 1);
        assert_string_equal(group->findings[0].region[0], "1 < c.q < 4");
        end(&t);
    }
}

/* Where the law jumps, no flow belongs to what is between: nothing is proved, and nothing found. */
static void a_law_that_jumps_may_have_no_solution(void **state) {
    (void)state;
    static const char *const laws[] = {VALVE("e = f + sign(f)", "c.q > 1", "j.f < 2"),
                                       VALVE("e = sign(f)*(1 + f^2)", "c.q > 1", "j.f < 2"),
                                       VALVE("e = f^2", "c.q > 1", "j.f < -1")};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        fixture t;
        const hbg_group_result *group = examine(&t, laws[i]);
        assert_int_equal(group->verdict, HBG_VERDICT_UNDECIDED);
        assert_non_null(strstr(group->reason, "may have no solution, or several"));
        end(&t);
    }
}

/* Which of several solutions it is, no digit of a constant says. */
static void an_unknown_beside_a_constant_stays_unknown(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, VALVE("e = f^2", "c.q > exp(-1)", "j.f*c.q < sqrt(2)"));
    assert_int_equal(group->verdict, HBG_VERDICT_UNDECIDED);
    assert_int_equal(group->finding_count, 0);
    end(&t);
    group = examine(&t, VALVE("e = f^3", "c.q > exp(-1)", "j.f*c.q < sqrt(2)")); // q^(4/3) < √2: below 1.2968
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_true(group->findings[0].values[0].value > exp(-1) && group->findings[0].values[0].value < 1.2969);
    end(&t);
}

/* f³/e = q: at q = 1 the flow is e^(1/3), and its square e^(2/3), to the last digit: it moves with the constant, in its law as in the guard. */
static void an_unknown_moves_with_the_constants_in_its_law(void **state) {
    (void)state;
#define SQUARE "1e18*(j.f^2 - exp(2/3))"
    static const struct {
        const char *text;
        hbg_verdict verdict;
    } models[] = {
        {VALVE("e = exp(-1)*f^3", "c.q > 0.5", SQUARE " > 0.5"), HBG_VERDICT_PROVED},
        {VALVE("e = exp(-1)*f^3", "c.q > 0.5", SQUARE " < -0.5"), HBG_VERDICT_PROVED},
        {VALVE("e = f^3/exp(1)", "c.q > 0.5", SQUARE " > 0.5"), HBG_VERDICT_PROVED},
        {VALVE("e = exp(-1)*f^3", "c.q > 0.5", SQUARE " > -0.5"), HBG_VERDICT_WITNESS},
        {VALVE("e = f^3/exp(1)", "c.q > 0.5", "j.f^2 < 2"), HBG_VERDICT_WITNESS},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        fixture t;
        char text[1024];
        snprintf(text, sizeof text, "%s verify { range c.q in [1, 1]; }", models[i].text);
        const hbg_group_result *group = examine(&t, text);
        if (group->verdict != models[i].verdict) print_error("%s\n", text);
        assert_int_equal(group->verdict, models[i].verdict);
        end(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sign_times_a_square_has_one_solution),
                                       cmocka_unit_test(a_law_that_jumps_may_have_no_solution),
                                       cmocka_unit_test(an_unknown_beside_a_constant_stays_unknown),
                                       cmocka_unit_test(an_unknown_moves_with_the_constants_in_its_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
