/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of the text become nodes of the model: literals with exact values, observables. */
#include "lang/fixture_impl.h"

static void literals_are_the_nearest_doubles(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, "model M { param a = 7.5 [us], b = 0.1, c = 36 [km/h], d = 5 [mH], e = 1 [kg/m3],\n"
                     "g = 25 [degC], h = 50 [%], i = 1 [h], j = 3.3 [kOhm], k = .5e-3;\n"
                     "signal s = a/i, t = b + h + k, u = c, v = d, w = e, x = g, y = j; }");
    assert_true(value_of(f, m, "a") == 7.5e-6);
    assert_true(value_of(f, m, "b") == 0.1);
    assert_true(value_of(f, m, "c") == 10);
    assert_true(value_of(f, m, "d") == 5e-3);
    assert_true(value_of(f, m, "e") == 1);
    assert_true(value_of(f, m, "g") == 298.15);
    assert_true(value_of(f, m, "h") == 0.5);
    assert_true(value_of(f, m, "i") == 3600);
    assert_true(value_of(f, m, "j") == 3300);
    assert_true(value_of(f, m, "k") == 5e-4);
}

static void literals_outlive_the_reading(void **state) {
    fixture *f = *state;
    // the digits of `1 [cm2]` are those of the unit itself
    hbg_model *m = read_good(f, "model M { param a = 1 [cm2], b = 2 [cm2]; signal s = a + b; }");
    assert_string_equal(expr_of(f, m, m->params.items[0].value), "0.0001");
    assert_string_equal(expr_of(f, m, m->params.items[1].value), "0.0002");
}

static void observables_are_leaves(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, "model M { Se s(1 [V]); C c(1 [F]); I i(1 [H]); TF t(2); 1 j when k; 0 n;\n"
                     "b: s -> j; j -> i; j -> t -> n -> c;\n"
                     "automaton k { off o -> p when time > 1 [s]; on p -> o when time > 2 [s]; }\n"
                     "signal x1 = c.e, x2 = c.q, x3 = c.energy, x4 = i.p, x5 = t[2].f, x6 = n.e, x7 = j.f;\n"
                     "signal y1 = b.e, y2 = b.power, y3 = t[1].power, y4 = k, y5 = k.o, y6 = pre(k.p); }");
    static const hbg_operator leaves[] = {
        HBG_OP_EFFORT,    HBG_OP_DISPLACEMENT, HBG_OP_ENERGY,      HBG_OP_MOMENTUM,   HBG_OP_FLOW,
        HBG_OP_EFFORT,    HBG_OP_FLOW,         HBG_OP_BOND_EFFORT, HBG_OP_BOND_POWER, HBG_OP_POWER,
        HBG_OP_AUTOMATON, HBG_OP_ACTIVE,       HBG_OP_PRE};
    for (int32_t i = 0; i < 13; i++)
        assert_int_equal(m->exprs.items[m->signals.items[i].value].op, leaves[i]);
    const hbg_expr_node *port = &m->exprs.items[m->signals.items[4].value];
    assert_int_equal(port->b, 2);
}

static void letters_of_a_law_are_the_element_s_own(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "model M { param q = 3 [Ohm]; Se s(1 [V]); R r : e = q*f; I w[2] : f[1] = "
                                "p[1]/(1 [H]), f[2] = p[2]/(2 [H]);\n"
                                "0 n; s -> n -> r; n -> w[1]; n -> w[2]; }");
    const hbg_element *r = &m->elements.items[1], *w = &m->elements.items[2];
    assert_string_equal(expr_of(f, m, m->bindings.items[r->first_law].value), "q*r.f"); // a resistor has no q
    assert_string_equal(expr_of(f, m, m->bindings.items[w->first_law + 1].value), "w[2].p/2");
}

static void a_letter_of_another_element_is_told(void **state) {
    fixture *f = *state;
    assert_null(
        read_any(f, "model M { Se s(1 [V]);\nI i : f = e;\nR r : e = p;\nC c[2] : e[1] = q, e[2] = q[3];\n"
                    "0 n; s -> n -> i; n -> r; n -> c[1]; n -> c[2]; }"));
    assert_diagnostic(f, "E0505", 2, "an inertia is about f and p: it cannot use `e`");
    assert_diagnostic(f, "E0505", 3, "a resistor is about e and f: it cannot use `p`");
    assert_diagnostic(f, "E0501", 4, "which of the 2 ports");
    assert_int_equal(f->diagnostics.errors, 4);
}

static void a_function_of_the_file_sees_no_model(void **state) {
    fixture *f = *state;
    read_good(f, "function g(x) = x*pi + time/(1 [s]); model M { signal s = g(2); }");
    assert_null(read_any(f, "function g(x) = x*outer;\nmodel M { param outer = 1; signal s = g(2); }"));
    assert_diagnostic(f, "E0301", 1, "knows only its arguments");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(literals_are_the_nearest_doubles),
        TEST(literals_outlive_the_reading),
        TEST(observables_are_leaves),
        TEST(letters_of_a_law_are_the_element_s_own),
        TEST(a_letter_of_another_element_is_told),
        TEST(a_function_of_the_file_sees_no_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
