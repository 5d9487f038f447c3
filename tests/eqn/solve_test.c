/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

#define LOOP(law, source, resistance)                                                                        \
    "model M { param u = " source "; Se s(u); R d : " law "; R r(" resistance                                \
    "); 1 j; s -> j; j -> d; j -> r;"                                                                        \
    "experiment e { stop 1; record d.e, d.f; } }"

/* The diode's current is that of its law and that of the resistor, from −10 V to 10 V and back, each from the one before. */
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

/* f³ + 2·f − 12 = 0 at 2; e = f·|f| + f. Neither law has a slope to speak of at 0. */
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

/* A bridge in balance: nothing flows across, and only rounding says so. */
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

static void a_singular_linear_loop_names_its_variables(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(1*r.e); R r(3); s -> r; C c(1); R w(1 + r.f); c -> w; }");
    assert_fine(&f, f.system->enter(f.run, NULL));
    assert_int_equal(f.system->rates(f.run, 0.5, f.x, f.dx), HBG_RT_SINGULAR);
    const hbg_rt_failure *failure = f.system->failure(f.run);
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
    assert_fine(&f, f.system->enter(f.run, NULL));
    assert_int_not_equal(f.system->rates(f.run, 0, f.x, f.dx), HBG_RT_OK);
    assert_words(f.system->failure(f.run)->text, "`s.f` = ");
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
    assert_fine(&f, f.system->enter(f.run, NULL));
    assert_int_equal(f.system->rates(f.run, 0, f.x, f.dx), HBG_RT_SINGULAR);
    assert_words(f.system->failure(f.run)->text, "`a.f` = 0, `b.f` = 0");
    assert_words(f.system->failure(f.run)->text, "and 2 more");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diode_is_solved_from_any_source_to_any_other),
        cmocka_unit_test(laws_that_are_flat_at_0_are_solved),
        cmocka_unit_test(a_law_with_a_border_is_solved_from_inside),
        cmocka_unit_test(unknowns_of_very_different_size_are_all_exact),
        cmocka_unit_test(an_unknown_that_is_0_does_not_keep_newton_busy),
        cmocka_unit_test(a_singular_linear_loop_names_its_variables),
        cmocka_unit_test(a_loop_without_a_solution_says_where_it_ended),
        cmocka_unit_test(a_long_loop_names_the_first_and_counts_the_rest),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
