/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"

static void begin_ladder(fixture *f, int sections) {
    char *text = malloc(200 * (size_t)sections + 200);
    assert_non_null(text);
    int size = sprintf(text, "model M { Se s(1); 1 a00000; s -> a00000; ");
    for (int i = 0; i < sections; i++)
        size += sprintf(text + size,
                        "R r%05d(2); a%05d -> r%05d; 0 n%05d; a%05d -> n%05d; C c%05d(1); n%05d -> c%05d; 1 "
                        "a%05d; n%05d -> a%05d; ",
                        i, i, i, i, i, i, i, i, i, i + 1, i, i + 1);
    sprintf(text + size, "R last(1); a%05d -> last; }", sections);
    fixture_begin(f, text);
    free(text);
}

/* q' of a section reads its own charge and those beside it. */
static void a_ladder_is_tridiagonal_and_needs_three_colours(void **state) {
    fixture f;
    (void)state;
    begin_ladder(&f, 200);
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(f.run);
    assert_int_equal(pattern.count, 200);
    assert_int_equal(pattern.start[200], 3 * 200 - 2);
    for (int32_t j = 0; j < 200; j++)
        for (int32_t k = pattern.start[j]; k < pattern.start[j + 1]; k++) {
            assert_in_range(pattern.row[k], j > 0 ? j - 1 : 0, j + 1);
            assert_true(k == pattern.start[j] || pattern.row[k] > pattern.row[k - 1]);
        }
    assert_int_equal(f.code->image.code.colours.colour_count, 3);
    const double *dense = jacobian_of(&f, 0);
    assert_close(dense[0], -1); // 1/2 on either side
    assert_close(dense[1], 0.5);
    assert_close(dense[200], 0.5);
    assert_close(dense[199 * 200 + 199], -0.5 - 1);
    fixture_close(&f);
}

static void entries_are_those_by_hand(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { Se s(12); R r(3); C c(0.5, q = 2); I l(4, p = 6); 1 j; s -> j; j -> r; j -> c; j -> l; }");
    assert_exact(jacobian_entry_of(&f, "c.q", "l.p"), 0.25);
    assert_exact(jacobian_entry_of(&f, "c.q", "c.q"), 0);
    assert_exact(jacobian_entry_of(&f, "l.p", "c.q"), -2);
    assert_exact(jacobian_entry_of(&f, "l.p", "l.p"), -0.75);
    fixture_close(&f);
}

/* An inertia of 1: its flow is its momentum, the tangent of the rate is the seed itself. */
static void a_rate_that_is_a_state_has_slope_1(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { I l(1, p = 6); C c(1); 1 j; j -> l; j -> c; }");
    assert_exact(jacobian_entry_of(&f, "c.q", "l.p"), 1);
    fixture_close(&f);
}

/* One model for each thing a rate can depend through. */
static void entries_are_central_differences(void **state) {
    static const char *const texts[] = {
        // a nonlinear spring, friction with a law, a pump curve
        "model M { C c(q = 0.7) : e = 2*q + 3*q^3; I m(f = 0.4) : f = tanh(p); R r : e = f*abs(f) + "
        "0.1*sin(f); 1 j; j -> c; j -> m; j -> r; }",
        // a nonlinear loop
        "model M { Se s(3); R d : f = 1e-3*(exp(2*e) - 1); R r(2); C c(1, q = 0.3); 1 j; s -> j; j -> d; j "
        "-> r; 0 n; j -> n; n -> c; I l(3, p = 0.2); n -> l; }",
        // dependent masses behind moduli that move
        "model M { I J(0.5, f = 2); I mx(1.5); I my(1.5); Se weight(-14.7); state angle = 0.7 : der = J.f;"
        "TF tx(3*cos(angle)); TF ty(2*sin(angle)); 1 turn; 1 x; 1 y; turn -> J; turn -> tx -> x; x -> mx; "
        "turn -> ty -> y; y -> my; weight -> y; }",
        // fields, one with laws that couple
        "model M { I w[2]([[2, 0.5], [0.5, 3]], p[1] = 1, p[2] = 2); C c[2](q[1] = 0.2, q[2] = 0.3) : e[1] = "
        "q[1] + q[1]*q[2]^2, e[2] = 2*q[2] + q[1]^2*q[2];"
        "R r[2]([[1, 0.3], [0.1, 2]]); 1 j; 1 k; j -> w[1]; j -> c[1]; j -> r[1]; k -> w[2]; k -> c[2]; k -> "
        "r[2]; }",
        // modulation by signals, a loop through them, integrators
        "model M { signal u = 2*tanh(x) - 0.3*r.f; state x = 0.4 : der = r.f - x^2; Se s(u); R r(2 + "
        "sin(c.q)); C c(1 + 0.1*x^2, q = 0.8); 1 j; s -> j; j -> r; j -> c; }",
        // dependent nonlinear storages
        "model M { C a(q = 1.1) : e = q + q^3; C b(q = 0.2) : e = 2*q + q^5; R r(1); I m(2, p = 0.4); 0 n; n "
        "-> a; n -> b; n -> r; n -> m; }",
        // the derivative of what the run computes
        "model M { C c(1, q = 0.5); R r : e = f + f^3; I m(2, p = 1); 1 j; j -> c; j -> r; j -> m; state z = "
        "0 : der = der(r.e)*m.f; }",
        // a field of four ports, solved in the loop
        "model M { C c[4]([[4,1,0,1],[1,5,1,0],[0,1,3,1],[1,0,1,4]], q[1] = 1, q[2] = -1, q[3] = 0.5, q[4] = "
        "2); R a : f = e + e^3; R b(1); R d(2); R g(3); c[1] -> a; c[2] -> b; c[3] -> d; c[4] -> g; }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture f;
        fixture_begin(&f, texts[i]);
        assert_jacobian_is_slope(&f, 0.3, 1e-5, 1e-7);
        fixture_close(&f);
    }
}

static void columns_of_dependent_states_are_empty(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { C a(1, q = 6); C b(2); R r(4); 0 n; n -> a; n -> b; n -> r; }");
    hbg_rt_pattern pattern = hbg_rt_jacobian_pattern(f.run);
    int32_t dependent =
        hbg_causal_is_derivative(hbg_code_assign_mode(f.code, f.run->on), f.eqn->states[0].element, 1) ? 0
                                                                                                       : 1;
    assert_int_equal(pattern.start[dependent], pattern.start[dependent + 1]);
    // e' = −e/(R·(C1 + C2)) and q = C·e of the independent one
    const double *dense = jacobian_of(&f, 0);
    double own = dependent == 0 ? 2 : 1, other = 3 - own;
    int32_t i = 1 - dependent;
    assert_close(dense[i * 2 + i], -1.0 / 12);
    assert_close(dense[dependent * 2 + i], -1.0 / 12 * other / own);
    fixture_close(&f);
}

/* A relation reads x without a slope: its place in the pattern holds 0. */
static void what_only_switches_has_no_slope(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f,
                  "model M { state x = 1 : der = floor(y) + (y > 0 ? 2 : 3); state y = 0.5 : der = -y; }");
    assert_exact(jacobian_entry_of(&f, "x", "y"), 0);
    assert_exact(jacobian_entry_of(&f, "y", "y"), -1);
    fixture_close(&f);
}

/* Beyond the border the field goes on as it was frozen, and so does its slope. */
static void a_frozen_field_has_the_slope_of_its_branch(void **state) {
    static const struct {
        const char *law;
        double inside, beyond, slope;
    } cases[] = {
        {"abs(x)", 1, -0.5, 1},     {"abs(x)", -1, 0.5, -1},  {"min(3*x, 6)", 1, 2.5, 3},
        {"max(3*x, 6)", 1, 2.5, 0}, {"max(6, 3*x)", 3, 1, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        fixture f;
        snprintf(text, sizeof text, "model M { state x = %g : der = %s; }", cases[i].inside, cases[i].law);
        fixture_begin(&f, text);
        assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
        set_state(&f, "x", cases[i].beyond);
        assert_exact(jacobian_entry_of(&f, "x", "x"), cases[i].slope);
        hbg_rt_thaw(f.run);
        assert_jacobian_is_slope(&f, 0, 1e-5, 1e-9);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ladder_is_tridiagonal_and_needs_three_colours),
        cmocka_unit_test(entries_are_those_by_hand),
        cmocka_unit_test(a_rate_that_is_a_state_has_slope_1),
        cmocka_unit_test(entries_are_central_differences),
        cmocka_unit_test(columns_of_dependent_states_are_empty),
        cmocka_unit_test(what_only_switches_has_no_slope),
        cmocka_unit_test(a_frozen_field_has_the_slope_of_its_branch),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
