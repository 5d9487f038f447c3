/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dependent storages whose rates would be read to find them: those that other storages tie, and those that are states all the same. */
#include "eqn/fixture_impl.h"

/* What the equations of the start mode make of the storage; the term of a tie is printed. */
static void check(const char *text, const char *storage, bool is_free, const char *tie) {
    fixture f;
    equations all;
    fixture_open(&f, text);
    hbg_eqn *eqn = f.eqn;
    const hbg_causal_structure *structure = eqn->structure;
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&f.arena, structure);
    bool *on = HBG_NEW_ARRAY(&f.arena, bool, structure->place_count + 1), doubted = eqn->is_doubted;
    for (int32_t i = 0; i < structure->place_count; i++) on[i] = true;
    assert_true(hbg_eqn_assign(eqn, assignment, on));
    eqn->is_doubted = true;
    hbg_eqn_begin_work(eqn);
    hbg_eqn_equations_init(&all, &eqn->scratch, eqn, assignment, PURPOSE_FIELD);
    assert_non_null(all.dependences);
    int32_t state = 0;
    while (strcmp(f.system->states[state].name, storage) != 0) state++;
    assert_int_equal(all.dependences[state].is_free, is_free);
    assert_int_equal(hbg_eqn_equations_is_dependent(&all, state), !is_free);
    if (tie) {
        hbg_buffer printed;
        hbg_base_buffer_init(&printed, &f.arena);
        hbg_eqn_print_term(eqn, all.dependences[state].tie, &printed);
        assert_string_equal(printed.data, tie);
    } else {
        assert_int_equal(all.dependences[state].tie, HBG_NONE);
    }
    hbg_eqn_equations_end(&all);
    hbg_eqn_end_work(eqn);
    eqn->is_doubted = doubted;
    fixture_close(&f);
}

static void a_source_that_its_own_flow_modulates_leaves_a_state(void **unused) {
    (void)unused;
    check("model M { Se s(0.25*j.f); C c(1); 1 j; s -> j -> c; }", "c.q", true, NULL);
    check("model M { Sf s(0.25*j.e); I m(1); 0 j; s -> j -> m; }", "m.p", true, NULL);
    check("model M { signal a = 2*b; signal b = c.f; Se s(a); C c(1); TF t(3); 1 j; s -> j -> t -> c; }",
          "c.q", true, NULL);
}

static void a_capacitor_is_tied_to_the_one_beside_it(void **unused) {
    (void)unused;
    check("model M { 0 a; 0 c; 1 b; 1 d; R r(1); R s(1); a -> r; c -> s; a -> b -> c; a -> d -> c; C x(1); C "
          "y(2); b -> x; d -> y; }",
          "x.q", false, "y.e");
    check("model M { 0 a; 0 c; 1 b; 1 d; R r(1); R s(1); a -> r; c -> s; a -> b -> c; c -> d -> a; C x(1); C "
          "y(2); b -> x; d -> y; }",
          "x.q", false, "-y.e");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_that_its_own_flow_modulates_leaves_a_state),
        cmocka_unit_test(a_capacitor_is_tied_to_the_one_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
