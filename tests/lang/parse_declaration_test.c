/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declarations: which statement is which, and that all its parts arrive in the syntax tree. */
#include "lang/fixture_impl.h"

/* The declarations of a model with this body. */
static const syntax_declaration *body_of(fixture *f, const char *body, int32_t count) {
    const syntax_file *file = parse(f, hbg_base_arena_print(&f->arena, "model M {\n%s\n}", body));
    if (f->diagnostics.errors > 0) show_diagnostics(f);
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(file->definitions.items[0]->declarations.count, count);
    return file->definitions.items[0]->declarations.items;
}

static void the_first_words_decide_what_a_statement_is(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text;
        syntax_declaration_kind kind;
    } cases[] = {
        {"param a = 1;", DECLARE_PARAM},
        {"R r(1);", DECLARE_ELEMENT},
        {"R R(1);", DECLARE_ELEMENT},
        {"R -> node;", DECLARE_CHAIN},
        {"a -> b -> c;", DECLARE_CHAIN},
        {"b1: a -> b;", DECLARE_CHAIN},
        {"gear[1] -> b;", DECLARE_CHAIN},
        {"d.a -> b;", DECLARE_CHAIN},
        {"0 node;", DECLARE_JUNCTION},
        {"1 loop when a;", DECLARE_JUNCTION},
        {"Sw s when a;", DECLARE_JUNCTION},
        {"Sw -> s;", DECLARE_CHAIN},
        {"Diode d1;", DECLARE_INSTANCE},
        {"Diode d1(Vd = 1);", DECLARE_INSTANCE},
        {"signal s = 1;", DECLARE_SIGNAL},
        {"state s = 0 : der = 1;", DECLARE_SIGNAL},
        {"sample s every 1 = 2;", DECLARE_SIGNAL},
        {"input real s;", DECLARE_SIGNAL},
        {"sensor s = 1;", DECLARE_SIGNAL},
        {"output s = 1;", DECLARE_SIGNAL},
        {"port in s : bool;", DECLARE_SIGNAL},
        {"port out s = 1;", DECLARE_SIGNAL},
        {"port s : any;", DECLARE_PORT},
        {"port out : any;", DECLARE_PORT},
        {"automaton s { off a; }", DECLARE_AUTOMATON},
        {"function s(x) = x;", DECLARE_FUNCTION},
        {"solver -> step;", DECLARE_CHAIN},
        {"start start;", DECLARE_INSTANCE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(body_of(f, cases[i].text, 1)->kind, cases[i].kind);
}

static void elements_have_value_initials_laws_and_ports(void **state) {
    fixture *f = *state;
    const syntax_declaration *d = body_of(f,
                                          "C tank(0.2 [m3/Pa], q = 1.5, e = 2) \"a tank\";\n"
                                          "R both : e = 2*f, f = e/2;\n"
                                          "I winding[2]([[1, 2], [3, 4]], p[1] = 5, f[2] = 6);\n"
                                          "C pair[2] : e[1] = q[1], e[2] = q[2];\n"
                                          "R named(x[2]);",
                                          5);
    assert_string_equal(d[0].doc, "a tank");
    assert_int_equal(d[0].element->arguments.count, 3);
    assert_int_equal(d[0].element->arguments.items[0].name, 0);
    assert_string_equal(name_of(f, d[0].element->arguments.items[1].name), "q");
    assert_int_equal(d[0].element->ports, 1);
    assert_int_equal(d[1].element->laws.count, 2);
    assert_string_equal(name_of(f, d[1].element->laws.items[1].name), "f");
    const syntax_matrix *matrix = d[2].element->matrix;
    assert_int_equal(matrix->rows, 2);
    assert_int_equal(matrix->columns, 2);
    assert_false(matrix->ragged);
    assert_int_equal(d[2].element->ports, 2);
    assert_int_equal(d[2].element->arguments.items[0].index, 1);
    assert_int_equal(d[2].element->arguments.items[1].index, 2);
    assert_int_equal(d[3].element->laws.items[1].index, 2);
    // an index without `=` belongs to the value
    assert_int_equal(d[4].element->arguments.items[0].name, 0);
    assert_int_equal(d[4].element->arguments.items[0].value->path.segments[0].index, 2);
}

static void a_matrix_with_unequal_rows_is_ragged(void **state) {
    fixture *f = *state;
    const syntax_declaration *d = body_of(f, "I a[2]([[1, 2], [3]]); I b[2]([[1], [2, 3]]);", 2);
    assert_true(d[0].element->matrix->ragged);
    assert_true(d[1].element->matrix->ragged);
}

static void junctions_have_control_off_and_restitution_in_any_order(void **state) {
    fixture *f = *state;
    const syntax_declaration *d = body_of(f,
                                          "0 a when k off flow restitution 0.5;\n"
                                          "1 b restitution 0.5 off effort when k;\n"
                                          "0 c off effort when k;\n"
                                          "1 d off flow when k;\n"
                                          "Sw e when !k \"a switch\";",
                                          5);
    assert_true(d[0].junction->dual_off && d[1].junction->dual_off);
    assert_false(d[2].junction->dual_off || d[3].junction->dual_off);
    for (int i = 0; i < 5; i++) assert_non_null(d[i].junction->control);
    assert_non_null(d[0].junction->restitution);
    assert_non_null(d[1].junction->restitution);
    assert_null(d[2].junction->restitution);
    assert_int_equal(d[0].junction->kind, HBG_KIND_ZERO);
    assert_int_equal(d[1].junction->kind, HBG_KIND_ONE);
    assert_true(d[4].junction->is_switch);
    assert_string_equal(d[4].doc, "a switch");
}

static void a_chain_keeps_its_ends_in_order(void **state) {
    fixture *f = *state;
    const syntax_declaration *d = body_of(f, "a -> b[2] -> c.d; b7: x -> y;", 2);
    assert_int_equal(d[0].name, 0);
    assert_int_equal(d[0].chain->count, 3);
    assert_int_equal(d[0].chain->ends[1].segments[0].index, 2);
    assert_int_equal(d[0].chain->ends[2].count, 2);
    assert_string_equal(name_of(f, d[1].name), "b7");
}

static void signals_have_their_parts(void **state) {
    fixture *f = *state;
    const syntax_declaration *d = body_of(f,
                                          "signal a = 1, b [V] = 2 \"second\";\n"
                                          "state c [m] = 3 : der = 4;\n"
                                          "sample d every 5 = 6;\n"
                                          "sensor e = 7 every 8 noise(9, 10);\n"
                                          "input event g, h;\n"
                                          "input bool = true;\n"
                                          "port in i : real [A] = 11;\n"
                                          "port out j [K] = 12;",
                                          10);
    assert_string_equal(d[1].doc, "second");
    assert_true(d[1].unit.end > 0 && d[0].unit.end == 0);
    assert_int_equal(d[2].signal->kind, HBG_SIGNAL_STATE);
    assert_non_null(d[2].signal->initial);
    assert_non_null(d[3].signal->every);
    assert_non_null(d[4].signal->noise_variance);
    assert_int_equal(d[5].signal->type, HBG_TYPE_EVENT);
    assert_int_equal(d[6].signal->type, HBG_TYPE_EVENT);
    assert_string_equal(name_of(f, d[7].name), "bool"); // an input without a type may be called so
    assert_int_equal(d[8].signal->direction, PORT_IN);
    assert_true(d[8].unit.end > 0);
    assert_int_equal(d[9].signal->direction, PORT_OUT);
}

static void parameters_and_functions_may_lack_a_value(void **state) {
    fixture *f = *state;
    const syntax_declaration *d =
        body_of(f, "param a, b [V] = 2 \"doc\"; function g(x); function h() = ;", 4);
    assert_null(d[0].param);
    assert_non_null(d[1].param);
    assert_string_equal(d[1].doc, "doc");
    assert_null(d[2].function->body);
    assert_null(d[3].function->body);
    assert_int_equal(d[3].function->parameters.count, 0);
}

static void arguments_may_end_with_a_comma(void **state) {
    fixture *f = *state;
    const syntax_declaration *d = body_of(f, "Diode d(a = 1, b = 2,);", 1);
    assert_int_equal(d[0].instance->arguments.count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_first_words_decide_what_a_statement_is),
        TEST(elements_have_value_initials_laws_and_ports),
        TEST(a_matrix_with_unequal_rows_is_ragged),
        TEST(junctions_have_control_off_and_restitution_in_any_order),
        TEST(a_chain_keeps_its_ends_in_order),
        TEST(signals_have_their_parts),
        TEST(parameters_and_functions_may_lack_a_value),
        TEST(arguments_may_end_with_a_comma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
