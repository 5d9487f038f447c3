/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Keys: what code follows from changes them, what a run can set does not. */
#include "lang/fixture_impl.h"

#define CIRCUIT                                                                                              \
    "model M { param R1 = %s [Ohm], wait = %s [s]; Se s(1 [V]); R r(%s); C c(1 [F], e = %s [V]); 1 j when "  \
    "a;\n"                                                                                                   \
    "  s -> j -> r; j -> c; automaton a { off x -> y when c.e > %s [V]; on y -> x after wait; }\n"           \
    "  output o = c.e; experiment e { stop 10 [s]; } }\n"

static uint64_t key_of(fixture *f, const char *value, const char *wait, const char *law, const char *energy,
                       const char *guard) {
    const char *text = hbg_base_arena_print(&f->arena, CIRCUIT, value, wait, law, energy, guard);
    hbg_model *sorted = hbg_model_sorted(&f->arena, read_good(f, text));
    return hbg_model_key(&f->arena, sorted, 0, hbg_model_expr_keys(&f->arena, sorted));
}

static void values_of_parameters_do_not_change_the_key(void **state) {
    fixture *f = *state;
    uint64_t key = key_of(f, "1", "2", "R1", "0", "0.5");
    assert_true(key == key_of(f, "1", "2", "R1", "0", "0.5"));
    assert_true(key == key_of(f, "3", "2", "R1", "0", "0.5"));
}

static void what_code_has_inside_it_changes_the_key(void **state) {
    fixture *f = *state;
    uint64_t key = key_of(f, "1", "2", "R1", "0", "0.5");
    assert_true(key != key_of(f, "1", "3", "R1", "0", "0.5"));
    assert_true(key != key_of(f, "1", "2", "2*R1", "0", "0.5"));
    assert_true(key != key_of(f, "1", "2", "R1 + 1 [Ohm]", "0", "0.5"));
    assert_true(key != key_of(f, "1", "2", "R1", "1", "0.5"));
    assert_true(key != key_of(f, "1", "2", "R1", "0", "0.6"));
}

/* The same expression behind another one, which gives it another number. */
static void an_expression_has_its_key_wherever_it_stands(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {
        "model A { state x = 1 : der = -x/(1 [s]); output o = 2*x + 1; experiment e { stop 1 [s]; } }\n",
        ("model A { param k = 3*4 + 1; state x = 1 : der = -x/(1 [s]); output o = 2*x + 1, z = k*x;\n"
         "  experiment e { stop 1 [s]; } }\n"),
        "model A { state x = 1 : der = -x/(1 [s]); output o = 3*x + 1; experiment e { stop 1 [s]; } }\n"};
    uint64_t keys[3];
    for (int i = 0; i < 3; i++) {
        hbg_model *sorted = hbg_model_sorted(&f->arena, read_good(f, texts[i]));
        hbg_object o = hbg_model_find(sorted, 0, hbg_base_names_add(&f->names, "o", 1));
        assert_int_equal(o.kind, HBG_OBJECT_SIGNAL);
        keys[i] = hbg_model_expr_keys(&f->arena, sorted)[sorted->signals.items[o.index].value];
    }
    assert_true(keys[0] == keys[1]);
    assert_false(keys[0] == keys[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_of_parameters_do_not_change_the_key, setup, teardown),
        cmocka_unit_test_setup_teardown(what_code_has_inside_it_changes_the_key, setup, teardown),
        cmocka_unit_test_setup_teardown(an_expression_has_its_key_wherever_it_stands, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
