/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Objects get their expressions: values of parameters by default, by instance and by command line, values and
 * laws of elements, and the messages about arguments that fit nothing. */
#include "lang/fixture_impl.h"

static const char loads[] = "component Load(R0 = 10 [Ohm], k = 2) {\n"
                            "    port a : electrical; port in gain = 1;\n"
                            "    param inner = R0*k;\n"
                            "    R r(inner*gain); a -> r;\n"
                            "}\n"
                            "model M {\n"
                            "    param R1 = 5 [Ohm];\n"
                            "    Se s(1 [V]); 0 n; s -> n;\n"
                            "    Load plain; Load given(R0 = 2*R1, gain = 3);\n"
                            "    n -> plain.a; n -> given.a;\n"
                            "}";

static double param_at(const hbg_model *m, int32_t index) {
    return m->param_values[index];
}

static void a_value_is_the_default_or_the_argument(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, loads);
    // R1, then R0 k inner of each load
    static const double values[] = {5, 10, 2, 20, 10, 2, 20};
    static const bool overridden[] = {false, false, false, false, true, false, false};
    for (int32_t i = 0; i < 7; i++) {
        assert_true(param_at(m, i) == values[i]);
        assert_int_equal(m->params.items[i].overridden, overridden[i]);
    }
    assert_string_equal(expr_of(f, m, m->params.items[4].value), "2*R1");
}

static void the_command_line_comes_before_everything(void **state) {
    fixture *f = *state;
    const char *const parameters[] = {"R1=7", "given.R0=R1 + 1 [Ohm]", "plain.inner=3"};
    hbg_lang_options options = {.parameters = parameters, .parameter_count = 3};
    hbg_model *m = read_with(f, loads, &options);
    assert_non_null(m);
    static const double values[] = {7, 10, 2, 3, 8, 2, 16};
    for (int32_t i = 0; i < 7; i++) assert_true(param_at(m, i) == values[i]);
    assert_true(m->params.items[3].overridden);
}

static void signal_ports_take_expressions_of_the_outer_scope(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, loads);
    assert_int_equal(m->signals.count, 2);
    assert_string_equal(expr_of(f, m, m->signals.items[0].value), "1");
    assert_string_equal(expr_of(f, m, m->signals.items[1].value), "3");
}

static void the_unit_of_the_default_holds_for_the_argument(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "component Load(R0 = 10 [Ohm]) { port a : electrical; R r(R0); a -> r; }\n"
                            "model M { Se s(1 [V]); s -> load.a;\n"
                            "Load load(R0 = 3 [V]); }"));
    assert_diagnostic(f, "E0403", 3, "Ohm");
}

static void a_bare_number_behind_a_scaled_unit_is_refused(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "model M { param L [mH] = 5;\n"
                            "param good [mH] = 5 [uH], zero [H] = 5, percent [%] = 3;\n"
                            "signal s = L + good + zero; signal t = percent; }"));
    assert_int_equal(f->diagnostics.errors, 2);
    assert_diagnostic(f, "E0403", 1, "`5 [mH]`");
    assert_diagnostic(f, "E0403", 2, "`3 [%]`");
}

static void elements_have_values_initials_and_laws(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, "model M { param L = 1 [H];\n"
                                "C c(2 [F], q = 3 [C]); I w[2]([[L, 0], [0, 2*L]], p[2] = 4 [Wb]);\n"
                                "R r : e = 5 [Ohm]*f, f = e/(5 [Ohm]); Se s(1 [V]); 0 n;\n"
                                "s -> n -> c; n -> w[1]; n -> w[2]; n -> r; }");
    const char *dump = dump_of(f, m);
    const hbg_element *c = &m->elements.items[0], *w = &m->elements.items[1], *r = &m->elements.items[2];
    assert_int_equal(c->value_count, 1);
    assert_int_equal(c->initial_count, 1);
    assert_int_equal(m->bindings.items[c->first_initial].variable, HBG_VARIABLE_DISPLACEMENT);
    assert_int_equal(w->value_count, 4);
    assert_string_equal(expr_of(f, m, m->entries.items[w->first_value + 3]), "2*L");
    assert_int_equal(m->bindings.items[w->first_initial].port, 2);
    assert_int_equal(r->law_count, 2);
    assert_string_equal(expr_of(f, m, m->bindings.items[r->first_law].value), "5*r.f");
    assert_non_null(strstr(dump, "element C c"));
}

static void junctions_have_control_restitution_and_off(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(
        f, "model M { Se s(1 [N]); I a(1 [kg]); I b(1 [kg]); 1 x; 1 y; 0 c when k restitution 0.5;\n"
           "s -> x -> a; y -> b; x -> c -> y; R r(1 [N*s/m]); 1 z when !k off effort; x -> z -> r;\n"
           "automaton k { off o -> p when a.f > b.f; on p -> o when a.f < b.f; } }");
    const hbg_element *c = &m->elements.items[5], *z = &m->elements.items[7];
    assert_string_equal(expr_of(f, m, c->control), "k");
    assert_string_equal(expr_of(f, m, c->restitution), "0.5");
    assert_false(c->dual_off);
    assert_string_equal(expr_of(f, m, z->control), "!k");
    assert_true(z->dual_off);
    assert_int_equal(z->restitution, HBG_NONE);
}

static void automata_start_where_they_are_told(void **state) {
    fixture *f = *state;
    hbg_model *m =
        read_good(f, "model M { automaton a every 2 [ms] { start y; off x -> y when time > 1 [s];\n"
                     "on y { -> x when time > 2 [s]; -> x after 3 [s]; } } signal s = a.y; }");
    assert_int_equal(m->automata.items[0].start, 1);
    double every;
    assert_true(hbg_model_constant(m, m->automata.items[0].every, &every));
    assert_true(every == 0.002);
    assert_int_equal(m->states.items[1].transition_count, 2);
    assert_int_equal(m->transitions.items[2].guard, HBG_NONE);
    assert_string_equal(expr_of(f, m, m->transitions.items[2].after), "3");
}

static void what_lacks_a_value_is_told_where_it_could_be_given(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "component Load(R0) {\nport in u : real; signal s = u*R0; }\n"
                            "model M { param p;\n"
                            "Load one(R0 = p);\n"
                            "Load two(u = 1);\n}"));
    assert_int_equal(f->diagnostics.errors, 3);
    assert_diagnostic(f, "E0307", 3, "`-p p=…`");
    assert_diagnostic(f, "E0307", 4, "`one(u = …)`");
    assert_diagnostic(f, "E0307", 5, "`two(R0 = …)`");
}

static void an_argument_that_fits_nothing_is_told_why(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "component Load(gain = 1) { param fixed = 2; port out y = gain*fixed; }\n"
                            "model M {\n"
                            "Load a(3);\n"
                            "Load b(gian = 3);\n"
                            "Load c(fixed = 3);\n"
                            "Load d(y = 3);\n"
                            "Load e(gain = 1, gain = 2);\n"
                            "}"));
    assert_int_equal(f->diagnostics.errors, 5);
    assert_diagnostic(f, "E0304", 3, "write `gain = …`");
    assert_diagnostic(f, "E0304", 4, "did you mean `gain`?");
    assert_diagnostic(f, "E0304", 5, "`component Load(fixed = …)`");
    assert_diagnostic(f, "E0304", 6, "no `port in`");
    assert_diagnostic(f, "E0204", 7, "given twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_value_is_the_default_or_the_argument),
        TEST(the_command_line_comes_before_everything),
        TEST(signal_ports_take_expressions_of_the_outer_scope),
        TEST(the_unit_of_the_default_holds_for_the_argument),
        TEST(a_bare_number_behind_a_scaled_unit_is_refused),
        TEST(elements_have_values_initials_and_laws),
        TEST(junctions_have_control_restitution_and_off),
        TEST(automata_start_where_they_are_told),
        TEST(what_lacks_a_value_is_told_where_it_could_be_given),
        TEST(an_argument_that_fits_nothing_is_told_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
