/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Laws that are one odd power are turned round by a formula: through 0, where their slope is 0 or infinite, for either sign,
 * and in the Jacobian. Expected values are written by hand. */
#include "eqn/fixture_impl.h"

/* A source across a resistor whose law gives the effort by the flow. */
static void begin_law(fixture *f, const char *law) {
    char text[512];
    snprintf(text, sizeof text,
             "model M { param k = 4; input real u = 0; Se s(u); R r : %s; s -> r; C c(1); 1 j; Se t(u);"
             "R v : %s; t -> j; j -> v; j -> c; experiment e { stop 1; record r.f; } }",
             law, law);
    fixture_begin(f, text);
}

typedef struct {
    const char *law;
    double effort, flow;
} law_case;

static const law_case laws[] = {
    {"e = k*f*abs(f)", 1, 0.5},
    {"e = f*k*abs(f)", 16, 2},
    {"e = abs(k*f)*f", 1, 0.5},
    {"e = k*abs(f)*f + abs(f)*f*5", 9, 1},
    {"e = sign(f)*f^2", 9, 3},
    {"e = sign(f)*k*(f*f)", 1, 0.5},
    {"e = f^3", 27, 3},
    {"e = -(-f)^3/8", 1, 2},
    {"e = f*f*f", 8, 2},
    {"e = f*abs(f)/k + 0*time", 1, 2},
    {"e = sign(f)*sqrt(abs(f))", 3, 9},
    {"e = k*cbrt(f)", 8, 8},
    {"e = sign(f)*abs(f)^1.5", 8, 4},
    {"e = f*(f^2)^2", 32, 2},
    {"e = k*abs(f)*f - 4*f*abs(f) + 2*f^3", 16, 2}, /* what cancels is of another power: left to the solver */
};

static void odd_powers_are_turned_round_for_either_sign(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        fixture f;
        bool last = i == sizeof laws / sizeof *laws - 1;
        begin_law(&f, laws[i].law);
        if (!last && f.code->image.pool.loops.count > 0) fail_msg("%s is solved by a loop", laws[i].law);
        static const double signs[] = {1, -1, 0};
        for (int k = 0; k < 3; k++) {
            set_input(&f, "u", signs[k] * laws[i].effort);
            double found = output_of(&f, "r.f");
            if (!is_near(found, signs[k] * laws[i].flow, 1e-12))
                fail_msg("%s = %g: f = %.17g, not %g", laws[i].law, signs[k] * laws[i].effort, found,
                         signs[k] * laws[i].flow);
        }
        fixture_close(&f);
    }
}

/* Not odd, not one power, or not a power at all: solved as before. */
static void other_laws_stay_loops(void **state) {
    static const char *const others[] = {"e = f*abs(f) + f", "e = f^3 + f^5", "e = sinh(f)",
                                         "e = f + abs(f)/2", "e = f > 0 ? f^3 : 8*f^3"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        fixture f;
        begin_law(&f, others[i]);
        if (f.code->image.pool.loops.count == 0) fail_msg("%s is no loop", others[i]);
        fixture_close(&f);
    }
}

/* Two orifices and a bend in a row: (1 + 3 + 5)·f·|f| = e, with a linear part beside it none. */
static void powers_in_a_row_are_one_power(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { input real u = 36; Se s(u); R a : e = f*abs(f); R b : e = 3*f*abs(f);"
                      "R c : e = sign(f)*5*f^2; 1 j; s -> j; j -> a; j -> b; j -> c;"
                      "experiment e { stop 1; record a.f, b.e; } }");
    assert_int_equal(f.code->image.pool.loops.count, 0);
    assert_close(output_of(&f, "a.f"), 2);
    assert_close(output_of(&f, "b.e"), 12);
    set_input(&f, "u", -9);
    assert_close(output_of(&f, "a.f"), -1);
    set_input(&f, "u", 0);
    assert_exact(output_of(&f, "b.e"), 0);
    fixture_close(&f);
    fixture_begin(&f, "model M { Se s(6); R a : e = f*abs(f); R b(1); 1 j; s -> j; j -> a; j -> b;"
                      "experiment e { stop 1; record a.f; } }");
    assert_true(f.code->image.pool.loops.count > 0);
    assert_close(output_of(&f, "a.f"), 2);
    fixture_close(&f);
}

/* q' = f of (u − q) = 4·f·|f|: ∂f/∂q = −1/(8·|f|). */
static void the_jacobian_is_the_slope_of_the_formula(void **state) {
    fixture f;
    (void)state;
    begin_law(&f, "e = k*f*abs(f)");
    for (int sign = -1; sign <= 1; sign += 2) {
        set_input(&f, "u", 0);
        set_state(&f, "c.q", sign * 4.0);
        assert_close(rate_of(&f, "c.q"), -sign * 1.0);
        assert_close(jacobian_entry_of(&f, "c.q", "c.q"), -0.125);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_powers_are_turned_round_for_either_sign),
        cmocka_unit_test(other_laws_stay_loops),
        cmocka_unit_test(powers_in_a_row_are_one_power),
        cmocka_unit_test(the_jacobian_is_the_slope_of_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
