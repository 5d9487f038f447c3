/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"

#define LOOP(law, source, resistance)                                                                        \
    "model M { param u = " source "; Se s(u); R d : " law "; R r(" resistance                                \
    "); 1 j; s -> j; j -> d; j -> r;"                                                                        \
    "experiment e { stop 1; record d.e, d.f; } }"

/* The diode's current satisfies its law and that of the resistor, from −10 V to 10 V and back, each from the
 * one before. */
static void a_diode_is_solved_from_any_source_to_any_other(void **state) {
    static const double sources[] = {10, -10, 0, 0.3, 10, 0.01, -1, 1000, 1e-9, 10};
    fixture f;
    (void)state;
    fixture_begin(&f, LOOP("f = 1e-12*(exp(e/0.026) - 1)", "5", "330"));
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        set_param(&f, "u", sources[i]);
        double e = output_of(&f, "d.e"), current = output_of(&f, "d.f");
        assert_tiny(330 * current + e - sources[i], 1e-13 * fabs(sources[i]));
        assert_near(current, 1e-12 * (exp(e / 0.026) - 1), 1e-12);
    }
    fixture_close(&f);
}

/* f³ + 2·f − 12 = 0 at 2; e = f·|f| + f. Both laws are almost flat at 0. */
static void laws_that_are_flat_at_0_are_solved(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, LOOP("e = f^3", "12", "2"));
    assert_close(output_of(&f, "d.f"), 2);
    fixture_close(&f);
    fixture_begin(&f,
                  "model M { Se s(9); R d : e = f*abs(f); s -> d; experiment e { stop 1; record d.f; } }");
    assert_close(output_of(&f, "d.f"), 3);
    fixture_close(&f);
    fixture_begin(&f, "model M { Se s(-27); R d : e = f^3; s -> d; experiment e { stop 1; record d.f; } }");
    assert_close(output_of(&f, "d.f"), -3);
    fixture_close(&f);
    fixture_begin(&f, "model M { Se s(-12); R d : e = f*abs(f) + f^3; s -> d;"
                      "experiment e { stop 1; record d.f; } }"); // no formula: two powers
    assert_close(output_of(&f, "d.f"), -2);
    fixture_close(&f);
}

/* sqrt has no value below 0 and no slope at 0: 2 = sqrt(e)/4 has e = 64. */
static void a_law_with_a_border_is_solved_from_inside(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  "model M { Sf s(2); R d : f = sqrt(e)/4; s -> d; experiment e { stop 1; record d.e; } }");
    assert_close(output_of(&f, "d.e"), 64);
    fixture_close(&f);
}

/* Pressures of 1e7 and flows of 1e-9 in one loop; each is right in its own digits. */
static void unknowns_of_very_different_size_are_all_exact(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(2e7); R d : f = 1e-23*e^2; R t : e = 1e25*f^2; R r(1e15); 1 j; s -> j; "
                      "j -> d; j -> t; j -> r;"
                      "experiment e { stop 1; record d.e, d.f, t.e, r.e; } }");
    double flow = output_of(&f, "d.f"), e = output_of(&f, "d.e");
    assert_near(flow, 1e-23 * e * e, 1e-13);
    assert_near(output_of(&f, "t.e"), 1e25 * flow * flow, 1e-13);
    assert_near(e + output_of(&f, "t.e") + output_of(&f, "r.e"), 2e7, 1e-13);
    fixture_close(&f);
}

/* A balanced bridge: no current across, up to rounding. */
static void an_unknown_that_is_0_does_not_keep_newton_busy(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { Se s(7.3); R a : e = 0.1*f + f^3; R b : e = 0.1*f + f^3; R c : e = 0.1*f + f^3;"
        "R d : e = 0.1*f + f^3; R across : e = f + f^3; 0 u; 0 l; 0 r; 1 ja; 1 jb; 1 jc; 1 jd; 1 jx; s -> u;"
        "u -> ja -> l; ja -> a; u -> jb -> r; jb -> b; l -> jc; jc -> c; r -> jd; jd -> d; l -> jx -> r; jx "
        "-> across;"
        "experiment e { stop 1; record across.f, a.e; } }");
    assert_tiny(output_of(&f, "across.f"), 1e-15);
    assert_close(output_of(&f, "a.e"), 3.65);
    fixture_close(&f);
}

/* f + sign(e)·√|e| = s with e = 3·f + f³: f = 1 and e = 4 for s = 3; e = s² for a small s, up to a share of
 * s. The root has no slope at 0, where each search starts from the previous solution. */
#define ROOT_LOOP                                                                                            \
    "model M { param u = 3; Sf s(u); R r : e = 3*f + f^3; R d : f = sign(e)*sqrt(abs(e)); I i(1, p = 0); 0 " \
    "n;"                                                                                                     \
    "s -> n; n -> r; n -> d; n -> i; experiment e { stop 1; record r.f, d.e; } }"

static void a_law_without_a_slope_at_0_is_solved_there(void **state) {
    static const double sources[] = {3, 0, 1e-9, -3, 0, -1e-9, 1e-15, 3};
    fixture f;
    (void)state;
    fixture_begin(&f, ROOT_LOOP);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        double u = sources[i], small = u * fabs(u);
        set_param(&f, "u", u);
        double e = output_of(&f, "d.e");
        if (fabs(u) > 1)
            assert_close(e, u > 0 ? 4 : -4);
        else
            assert_near(e, small, 1e-8);
        assert_near(output_of(&f, "r.f"), fabs(u) > 1 ? u / 3 : small / 3, 1e-6);
    }
    fixture_close(&f);
}

/* On the branch of positive e the root has no value beyond 0: a trial there is solved on the other branch. */
static void a_trial_beyond_the_border_of_a_frozen_branch_is_solved(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, ROOT_LOOP);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    set_param(&f, "u", 1e-3);
    assert_true(output_of(&f, "d.e") > 0);
    set_param(&f, "u", -3);
    assert_close(output_of(&f, "d.e"), -4);
    fixture_close(&f);
}

/* On the branch f >= 0, f² + f³ = e has a second solution below 0 for small e, and a distant one for e < 0:
 * the unfrozen law has neither. f·|f| + f³ is ±0.011 for f = ±0.1. */
static void what_only_a_frozen_branch_has_is_no_solution(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C c(1, q = 12); 0 n; n -> c; n -> d; R d : e = f*abs(f) + f^3; }");
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    static const double efforts[] = {0.011, 0, 0.011, -0.011, 0.011, 0, 1e-6, 0, 1e-12, 0, -1e-6, 1e-6};
    for (size_t i = 0; i < sizeof efforts / sizeof *efforts; i++) {
        set_state(&f, "c.q", efforts[i]);
        double flow = -rate_of(&f, "c.q");
        assert_near(flow * fabs(flow) + flow * flow * flow, efforts[i], 1e-9);
        if (fabs(efforts[i]) == 0.011) assert_near(flow, efforts[i] / 0.11, 1e-9);
    }
    fixture_close(&f);
}

/* e = f³ − 2.5·f in all: f = −2 for −3 V, −1 for 1.5 V; at 1.521 V, where f is −0.913, the branch ends. */
#define FOLD                                                                                                 \
    "model M { C c(1, q = -3); 0 n; 1 j; R d : e = f^3 - 3*f; R r(0.5); n -> c; n -> j; j -> d; j -> r;"     \
    "experiment e { stop 1; record d.f; } }"

static void a_fold_is_not_passed_while_time_flows(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, FOLD);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    assert_close(output_of(&f, "d.f"), -2);
    set_state(&f, "c.q", 1.5);
    assert_close(output_of(&f, "d.f"), -1);
    set_state(&f, "c.q", 1.6);
    assert_int_equal(hbg_rt_rates(f.run, 0.75, f.x, f.dx), HBG_RT_NO_CONVERGENCE);
    const hbg_rt_failure *failure = hbg_rt_failed(f.run);
    assert_exact(failure->time, 0.75);
    assert_words(failure->text, "comes to a fold");
    assert_words(failure->text, "`d.f` = 1.83614");
    assert_words(failure->text, " from -1");
    set_state(&f, "c.q", 1.5);
    assert_close(output_of(&f, "d.f"), -1); // and the branch is kept
    set_state(&f, "c.q", 1.5214);
    assert_true(output_of(&f, "d.f") < -0.9129);
    fixture_close(&f);
}

/* At an instant anything may jump: the same loop goes to the other branch, 1.836 for 1.6 V. */
static void a_fold_is_passed_at_an_instant(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, FOLD);
    set_state(&f, "c.q", 1.6);
    double current = output_of(&f, "d.f");
    assert_close(current * current * current - 2.5 * current, 1.6);
    assert_true(current > 1);
    fixture_close(&f);
}

/* ½ = f + sign(f) has no solution: the signs of the residual change at a jump. */
static void a_jump_of_a_law_is_no_solution(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f,
                 "model M { Se s(0.5); R d : e = sign(f); R r(1); 1 j; s -> j; j -> d; j -> r; state x = 0 : "
                 "der = r.f; }");
    assert_fine(&f, hbg_rt_enter(f.run, NULL));
    assert_int_equal(hbg_rt_rates(f.run, 0, f.x, f.dx), HBG_RT_NO_CONVERGENCE);
    fixture_close(&f);
}

static void a_singular_linear_loop_names_its_variables(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(1*r.e); R r(3); s -> r; C c(1); R w(1 + r.f); c -> w; }");
    assert_fine(&f, hbg_rt_enter(f.run, NULL));
    assert_int_equal(hbg_rt_rates(f.run, 0.5, f.x, f.dx), HBG_RT_SINGULAR);
    const hbg_rt_failure *failure = hbg_rt_failed(f.run);
    assert_int_equal(failure->status, HBG_RT_SINGULAR);
    assert_exact(failure->time, 0.5);
    assert_words(failure->text, "no unique solution");
    assert_words(failure->text, "`s.e`");
    fixture_close(&f);
}

static void a_loop_without_a_solution_says_where_it_ended(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(-5); R d : e = exp(f); s -> d; state x = 0 : der = d.f; }");
    assert_fine(&f, hbg_rt_enter(f.run, NULL));
    assert_int_not_equal(hbg_rt_rates(f.run, 0, f.x, f.dx), HBG_RT_OK);
    assert_words(hbg_rt_failed(f.run)->text, "`s.f` = ");
    fixture_close(&f);
}

/* One with many unknowns names some of them and counts the others. */
static void a_long_loop_names_the_first_and_counts_the_rest(void **state) {
    fixture f;
    (void)state;
    fixture_open(
        &f, "model M { R "
            "r[6]([[1,1,1,1,1,1],[1,1,1,1,1,1],[1,1,1,1,1,1],[1,1,1,1,1,1],[1,1,1,1,1,1],[1,1,1,1,1,1]]);"
            "Se a(1); Se b(1); Se c(1); Se d(1); Se g(1); Se h(1); a -> r[1]; b -> r[2]; c -> r[3]; d -> "
            "r[4]; g -> r[5];"
            "h -> r[6]; state x = 0 : der = r[1].f; }");
    assert_fine(&f, hbg_rt_enter(f.run, NULL));
    assert_int_equal(hbg_rt_rates(f.run, 0, f.x, f.dx), HBG_RT_SINGULAR);
    assert_words(hbg_rt_failed(f.run)->text, "`a.f` = 0, `b.f` = 0");
    assert_words(hbg_rt_failed(f.run)->text, "and 2 more");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diode_is_solved_from_any_source_to_any_other),
        cmocka_unit_test(laws_that_are_flat_at_0_are_solved),
        cmocka_unit_test(a_law_with_a_border_is_solved_from_inside),
        cmocka_unit_test(unknowns_of_very_different_size_are_all_exact),
        cmocka_unit_test(an_unknown_that_is_0_does_not_keep_newton_busy),
        cmocka_unit_test(a_law_without_a_slope_at_0_is_solved_there),
        cmocka_unit_test(a_trial_beyond_the_border_of_a_frozen_branch_is_solved),
        cmocka_unit_test(what_only_a_frozen_branch_has_is_no_solution),
        cmocka_unit_test(a_fold_is_not_passed_while_time_flows),
        cmocka_unit_test(a_fold_is_passed_at_an_instant),
        cmocka_unit_test(a_jump_of_a_law_is_no_solution),
        cmocka_unit_test(a_singular_linear_loop_names_its_variables),
        cmocka_unit_test(a_loop_without_a_solution_says_where_it_ended),
        cmocka_unit_test(a_long_loop_names_the_first_and_counts_the_rest),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
