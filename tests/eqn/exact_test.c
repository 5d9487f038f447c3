/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations of an instant as data: groups, jumps, guards, and the numbers in them. */
#include "hybrid_trial_impl.h"

typedef struct {
    hybrid_model m;
} fixture;

static void open_fixture(fixture *t, const char *declarations) {
    static char text[4096];
    snprintf(text, sizeof text, "model M {\n%s\nexperiment all { stop 1; record time; }\n}\n", declarations);
    model_open(&t->m, text);
    assert_true(hbg_eqn_exact_open(t->m.eqn, NULL));
}

#define COIL                                                                                                 \
    "param L = 2; I coil(L); Se drop(-0.1); 0 node; 1 j when d; node -> coil; drop -> j -> node;\n"          \
    "automaton d { off blocking -> conducting when node.e <= -0.1; on conducting -> blocking when j.f < 0; " \
    "}\n"

static const hbg_exact_equation *equation_of(const hbg_exact_mode *mode, int32_t variable) {
    for (int32_t i = 0; i < mode->count; i++)
        if (mode->equations[i].variable == variable) return &mode->equations[i];
    return NULL;
}

static void print(const hbg_eqn *eqn, hbg_arena *arena, hbg_exact_term term, const char *expected) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, arena);
    hbg_eqn_exact_print(eqn, term, &text);
    assert_string_equal(text.data, expected);
}

/* Blocking, the coil has no flow: its flux behind the jump is L·f = L·0. Conducting, it keeps what it had. */
static void a_jump_is_the_equations_of_its_state(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t, COIL);
    hbg_eqn *eqn = t.m.eqn;
    int32_t blocking = 0, conducting = 1, flux = hbg_eqn_exact_state(eqn, 0);
    hbg_exact_mode off = hbg_eqn_exact_jump(eqn, &t.m.arena, 0, &blocking, NULL, 0);
    hbg_exact_mode on = hbg_eqn_exact_jump(eqn, &t.m.arena, 0, &conducting, NULL, 0);
    assert_true(off.valid && on.valid);
    assert_non_null(equation_of(&off, flux));
    print(eqn, &t.m.arena, equation_of(&off, flux)->term, "L*coil.f");
    print(eqn, &t.m.arena, equation_of(&on, flux)->term, "pre(coil.p)");
    for (int32_t i = 0; i < off.block_count; i++) assert_true(off.blocks[i].count > 0);
    model_close(&t.m);
}

static void numbers_stay_the_decimals_that_were_written(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t, COIL);
    const hbg_eqn *eqn = t.m.eqn;
    hbg_exact_guard guard = hbg_eqn_exact_guard(eqn, 0);
    print(eqn, &t.m.arena, guard.condition, "j>node.e <= -0.1");
    hbg_exact_node relation = hbg_eqn_exact_node(eqn, guard.condition);
    assert_int_equal(relation.op, HBG_OP_LESS_EQUAL);
    assert_int_equal(relation.arity, 2);
    hbg_exact_node bound = hbg_eqn_exact_node(eqn, relation.b);
    if (bound.op == HBG_OP_NEGATE) bound = hbg_eqn_exact_node(eqn, bound.a);
    assert_int_equal(bound.op, HBG_OP_NUMBER);
    assert_string_equal(bound.number.digits, "1");
    assert_int_equal(bound.number.exponent, -1);
    assert_true(isnan(guard.after));
    model_close(&t.m);
}

static void variables_say_what_they_are(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t, COIL);
    const hbg_eqn *eqn = t.m.eqn;
    hbg_exact_variable flux = hbg_eqn_exact_variable(eqn, hbg_eqn_exact_state(eqn, 0));
    assert_int_equal(flux.role, HBG_EXACT_STATE);
    assert_int_equal(flux.view, HBG_EXACT_VALUE);
    assert_int_equal(flux.index, 0);
    assert_int_equal(hbg_eqn_exact_variable(eqn, flux.area).view, HBG_EXACT_AREA);
    assert_int_equal(hbg_eqn_exact_variable(eqn, flux.rate).view, HBG_EXACT_RATE);
    assert_int_equal(hbg_eqn_exact_variable(eqn, flux.rate).value, flux.value);
    assert_int_equal(hbg_eqn_exact_variable(eqn, hbg_eqn_exact_old(eqn, 0)).role, HBG_EXACT_OLD);
    const int32_t *named;
    assert_int_equal(hbg_eqn_exact_named(eqn, flux.value, &named), 1);
    assert_int_equal(named[0], 0);
    model_close(&t.m);
}

/* Two circuits on one source are two groups; the source does work in both and is nobody's. */
#define TWO                                                                                                  \
    "Se s(1); 0 bus; s -> bus; input bool g = false;\n"                                                      \
    "1 j when a; I l(1); bus -> j -> l; automaton a { off o -> x when g; on x -> o when !g; }\n"             \
    "1 k when b; I m(1); bus -> k -> m; automaton b { off o -> x when g; on x -> o when !g; }\n"

static void groups_are_apart_where_only_a_source_is_between(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t, TWO);
    hbg_eqn *eqn = t.m.eqn;
    assert_int_equal(hbg_eqn_exact_group_count(eqn), 2);
    for (int32_t i = 0; i < 2; i++) {
        hbg_exact_group group = hbg_eqn_exact_group(eqn, i);
        assert_int_equal(group.automaton_count, 1);
        assert_int_equal(group.state_count, 1);
        hbg_buffer reasons;
        hbg_base_buffer_init(&reasons, &t.m.arena);
        hbg_eqn_exact_reasons(eqn, i, &reasons);
        assert_string_equal(reasons.data, "");
        // the rate of its own coil belongs to the group, that of the other does not
        int32_t own = group.states[0];
        assert_true(hbg_eqn_exact_belongs(eqn, i, hbg_eqn_exact_rate(eqn, own)));
        assert_false(hbg_eqn_exact_belongs(eqn, i, hbg_eqn_exact_rate(eqn, 1 - own)));
    }
    model_close(&t.m);
}

static void a_mode_without_causality_has_no_equations(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t, "Se s(1); Se u(2); R r(1); 0 n when a; s -> n; u -> n; n -> r;\n"
                     "automaton a { off o -> x when time > 1; on x; }");
    int32_t states[] = {1};
    assert_false(hbg_eqn_exact_jump(t.m.eqn, &t.m.arena, 0, states, NULL, 0).valid);
    states[0] = 0;
    assert_true(hbg_eqn_exact_jump(t.m.eqn, &t.m.arena, 0, states, NULL, 0).valid);
    model_close(&t.m);
}

/* While time flows in the conducting state the flux falls with the drop. */
static void the_field_has_the_rates(void **state) {
    (void)state;
    fixture t;
    open_fixture(&t, COIL);
    hbg_eqn *eqn = t.m.eqn;
    int32_t conducting = 1, wanted = 0;
    hbg_exact_mode field = hbg_eqn_exact_field(eqn, &t.m.arena, &conducting, &wanted, 1);
    int32_t rate = hbg_eqn_exact_variable(eqn, hbg_eqn_exact_state(eqn, 0)).rate;
    assert_true(field.valid);
    assert_non_null(equation_of(&field, rate));
    print(eqn, &t.m.arena, equation_of(&field, rate)->term, "coil.e");
    model_close(&t.m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_jump_is_the_equations_of_its_state),
                                       cmocka_unit_test(numbers_stay_the_decimals_that_were_written),
                                       cmocka_unit_test(variables_say_what_they_are),
                                       cmocka_unit_test(groups_are_apart_where_only_a_source_is_between),
                                       cmocka_unit_test(a_mode_without_causality_has_no_equations),
                                       cmocka_unit_test(the_field_has_the_rates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
