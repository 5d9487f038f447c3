/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

static void a_circuit_reads_as_one_would_write_it(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { param L = 4; Se s(12); R r(3); C c(0.5); I coil(L); 1 j; s -> j; j -> r; j "
                     "-> c; j -> coil; }");
    assert_string_equal(equations_of(&f), "coil.f = coil.p/L\n"
                                          "c.f = coil.f\n"
                                          "der(c.q) = c.f\n"
                                          "c.e = c.q/0.5\n"
                                          "r.f = coil.f\n"
                                          "r.e = 3*r.f\n"
                                          "s.e = 12\n"
                                          "coil.e = -c.e - r.e + s.e\n"
                                          "der(coil.p) = coil.e\n");
    fixture_close(&f);
}

static void a_loop_is_announced_and_indented(void **state) {
    fixture f;
    (void)state;
    fixture_open(
        &f,
        "model M { Se s(10); R a(2); R b : f = e^3; 1 j; s -> j; j -> a; j -> b; state x = 0 : der = j.f; }");
    const char *text = equations_of(&f);
    assert_words(text, "solve for ");
    assert_line(text, "s.e = 10");
    assert_words(text, "\n    ");
    fixture_close(&f);
    fixture_open(&f, "model M { Se s(10); R b : e = f^3; s -> b; state x = 0 : der = b.f; }");
    assert_line(equations_of(&f), "solve for s.f:");
    assert_line(equations_of(&f), "0 = s.f^3 - s.e");
    fixture_close(&f);
}

/* Brackets stand where precedence asks for them and nowhere else. */
static void expressions_are_read_back_as_they_were_written(void **state) {
    static const char *const laws[] = {
        "x + 2*x",
        "(x + 2)*x",
        "x - (x - 2)",
        "3 - x - 2",
        "x/(2*x)",
        "x/2*x",
        "-x^2",
        "(-x)^2",
        "x^(-2)",
        "2^x^3",
        "(2^x)^3",
        "-(x + 2)",
        "2*(-3)",
        "sin(x)*cos(2*x)",
        "min(x, max(2, 3*x))",
        "x > 2 ? x : -x",
        "(x > 2 ? x : 3)*2",
        "x % 2 + pi",
        "x > 2 && !(x < 5) || x == 3 ? 1 : 0",
        "atan2(x, 2*x)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        char text[300], line[200];
        fixture f;
        snprintf(text, sizeof text, "model M { state x = 0 : der = %s; }", laws[i]);
        snprintf(line, sizeof line, "der(x) = %s", laws[i]);
        fixture_open(&f, text);
        assert_line(equations_of(&f), line);
        fixture_close(&f);
    }
}

static void dependent_storages_show_the_rates_they_need(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f, "model M { Se s(5 + 2*time); C c(3); s -> c; }");
    const char *text = equations_of(&f);
    assert_line(text, "der(s.e) = 2");
    assert_line(text, "der(c.q) = 3*der(s.e)");
    assert_line(text, "c.q = 3*s.e");
    fixture_close(&f);
}

/* What a rate of something else is made of is said, what it is called is not. */
static void a_rate_that_is_read_is_not_said_to_be_itself(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f,
                 "model M { Se s(5 + 2*time); R r(3); s -> r; state x = 0 : der = der(s.e) + der(r.f^2); }");
    const char *text = equations_of(&f);
    assert_line(text, "der(s.e) = 2");
    assert_line(text, "der(r.f^2) = 2*s.f*der(s.f)");
    assert_line(text, "der(x) = der(s.e) + der(r.f^2)");
    assert_null(strstr(text, "der(s.e) = der(s.e)"));
    fixture_close(&f);
}

static void each_mode_has_its_own_text(void **state) {
    fixture f;
    hbg_buffer on, off;
    (void)state;
    fixture_open(&f, "model M { Se s(1); R r(2); 1 j when a; s -> j; j -> r; state x = 0 : der = r.f;"
                     "automaton a { on joined -> cut when false; off cut -> joined when false; } }");
    hbg_base_buffer_init(&on, &f.arena);
    hbg_base_buffer_init(&off, &f.arena);
    assert_true(hbg_eqn_print(f.eqn, (const int32_t[]){0}, &on));
    assert_true(hbg_eqn_print(f.eqn, (const int32_t[]){1}, &off));
    assert_line(on.data, "r.f = r.e/2");
    assert_line(off.data, "r.f = 0");
    fixture_close(&f);
}

static void a_mode_without_causality_says_why(void **state) {
    fixture f;
    hbg_buffer out;
    (void)state;
    fixture_open(&f, "model M { Se s(10); Se t(5); 0 n; left: s -> n; right: t -> n; }");
    hbg_base_buffer_init(&out, &f.arena);
    assert_false(hbg_eqn_print(f.eqn, NULL, &out));
    assert_words(out.data, "`left`");
    fixture_close(&f);
}

/* A term with 2^50 leaves, and a sum over a thousand bonds. */
static void what_nobody_can_read_is_cut(void **state) {
    char law[1000] = "x";
    char *text = malloc(100000);
    fixture f;
    (void)state;
    for (int i = 0; i < 50; i++) {
        char inner[1000];
        memcpy(inner, law, sizeof inner);
        snprintf(law, sizeof law, "f(%.900s)", inner);
    }
    assert_non_null(text);
    snprintf(text, 100000, "model M { function f(u) = u*u + 0.1; state x = 0 : der = %s; }", law);
    fixture_open(&f, text);
    assert_words(equations_of(&f), "…");
    assert_true(strlen(equations_of(&f)) < 10000);
    fixture_close(&f);
    int size = sprintf(text, "model M { I m(1); 1 j; j -> m; ");
    for (int i = 0; i < 1000; i++) size += sprintf(text + size, "R r%d(1); j -> r%d; ", i, i);
    sprintf(text + size, "}");
    fixture_open(&f, text);
    assert_words(equations_of(&f), "…");
    fixture_close(&f);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circuit_reads_as_one_would_write_it),
        cmocka_unit_test(a_loop_is_announced_and_indented),
        cmocka_unit_test(expressions_are_read_back_as_they_were_written),
        cmocka_unit_test(dependent_storages_show_the_rates_they_need),
        cmocka_unit_test(a_rate_that_is_read_is_not_said_to_be_itself),
        cmocka_unit_test(each_mode_has_its_own_text),
        cmocka_unit_test(a_mode_without_causality_says_why),
        cmocka_unit_test(what_nobody_can_read_is_cut),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
