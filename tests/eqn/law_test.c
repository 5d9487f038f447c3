/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

static double output_in(const char *text, const char *name) {
    fixture f;
    fixture_begin(&f, text);
    double found = output_of(&f, name);
    fixture_close(&f);
    return found;
}

#define RECORD(names) "experiment e { stop 1; record " names "; } }"

static void a_resistance_works_both_ways(void **state) {
    (void)state;
    assert_exact(output_in("model M { Se s(6); R r(3); s -> r; " RECORD("r.f"), "r.f"), 2);
    assert_exact(output_in("model M { Sf s(6); R r(3); s -> r; " RECORD("r.e"), "r.e"), 18);
}

/* One law is solved for the other variable; two are used as they are, even if they disagree. */
static void a_law_is_used_as_written_or_solved(void **state) {
    (void)state;
    assert_close(output_in("model M { Se s(10); R r : e = f + f^3; s -> r; " RECORD("r.f"), "r.f"), 2);
    assert_close(output_in("model M { Sf s(2); R r : e = f + f^3; s -> r; " RECORD("r.e"), "r.e"), 10);
    assert_close(output_in("model M { Sf s(2); R r : f = e/4; s -> r; " RECORD("r.e"), "r.e"), 8);
    assert_close(output_in("model M { Se s(8); R r : f = e/4; s -> r; " RECORD("r.f"), "r.f"), 2);
    assert_exact(output_in("model M { Se s(8); R r : e = 4*f, f = e/5; s -> r; " RECORD("r.f"), "r.f"), 1.6);
    assert_exact(output_in("model M { Sf s(2); R r : e = 4*f, f = e/5; s -> r; " RECORD("r.e"), "r.e"), 8);
}

/* A law also where the bond points out of the element. */
static void a_law_is_solved_for_a_turned_bond_too(void **state) {
    (void)state;
    assert_close(
        output_in("model M { Se s(10); R r : e = f + f^3; 1 j; s -> j; b: r -> j; " RECORD("r.f"), "r.f"), 2);
    assert_close(
        output_in("model M { Se s(10); R r : e = f + f^3; 0 n; s -> n; b: r -> n; " RECORD("b.f"), "b.f"),
        -2);
}

/* e1 = 2·f1 + f2, e2 = f1 + 3·f2. Port 1 takes effort 7, port 2 flow 3: f1 = 2, e2 = 11. */
static void ports_of_a_field_may_be_driven_differently(void **state) {
    static const char text[] =
        "model M { R r[2]([[2, 1], [1, 3]]); Se a(7); Sf b(3); a -> r[1]; b -> r[2]; " RECORD(
            "r[1].f, r[2].e");
    (void)state;
    assert_close(output_in(text, "r[1].f"), 2);
    assert_close(output_in(text, "r[2].e"), 11);
}

/* e1 of f1 and e2, f2 of f1 and e2. Driven by two efforts: 2 = f1 + f1³ has f1 = 1, then f2 = 2·4 + 1. */
static void laws_of_a_field_may_be_mixed(void **state) {
    static const char text[] =
        "model M { R r[2] : e[1] = f[1] + f[1]^3 + e[2], f[2] = 2*e[2] + f[1]; Se a(6); Se b(4);"
        "a -> r[1]; b -> r[2]; " RECORD("r[1].f, r[2].f");
    (void)state;
    assert_close(output_in(text, "r[1].f"), 1);
    assert_close(output_in(text, "r[2].f"), 9);
}

static void storages_have_the_effort_or_flow_of_their_law(void **state) {
    (void)state;
    assert_exact(output_in("model M { C c(4, q = 6); R r(1); c -> r; " RECORD("c.e"), "c.e"), 1.5);
    assert_close(output_in("model M { C c(q = 2) : e = q + q^3; R r(1); c -> r; " RECORD("c.e"), "c.e"), 10);
    assert_close(output_in("model M { I m(p = 2) : f = p + p^3; R r(1); m -> r; " RECORD("m.f"), "m.f"), 10);
}

/* M·e = q with e = 1, −2, 3 for M = [[4, 1, 0], [1, 5, 1], [0, 1, 3]]. */
static void a_field_of_three_ports_is_solved(void **state) {
    static const char text[] = "model M { C c[3]([[4, 1, 0], [1, 5, 1], [0, 1, 3]], q[1] = 2, q[2] = -6, "
                               "q[3] = 7); R a(1); R b(1); R d(1);"
                               "c[1] -> a; c[2] -> b; c[3] -> d; " RECORD("c[1].e, c[2].e, c[3].e");
    (void)state;
    assert_close(output_in(text, "c[1].e"), 1);
    assert_close(output_in(text, "c[2].e"), -2);
    assert_close(output_in(text, "c[3].e"), 3);
}

/* The matrix has a 0 in its corner and still an inverse: pivots are chosen where fields are solved. */
static void a_resistor_field_may_have_zeros_on_its_diagonal(void **state) {
    static const char text[] =
        "model M { R r[2]([[0, 2], [-2, 0]]); Se a(6); Se b(8); a -> r[1]; b -> r[2]; " RECORD(
            "r[1].f, r[2].f");
    (void)state;
    assert_close(output_in(text, "r[2].f"), 3);
    assert_close(output_in(text, "r[1].f"), -4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resistance_works_both_ways),
        cmocka_unit_test(a_law_is_used_as_written_or_solved),
        cmocka_unit_test(a_law_is_solved_for_a_turned_bond_too),
        cmocka_unit_test(ports_of_a_field_may_be_driven_differently),
        cmocka_unit_test(laws_of_a_field_may_be_mixed),
        cmocka_unit_test(storages_have_the_effort_or_flow_of_their_law),
        cmocka_unit_test(a_field_of_three_ports_is_solved),
        cmocka_unit_test(a_resistor_field_may_have_zeros_on_its_diagonal),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
