/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * States, alternation, and things nobody uses. */
#include "fixture_impl.h"

static hbg_expr truth(fixture *f) {
    return op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE);
}

static void an_automaton_without_states_is_an_error(void **state) {
    fixture *f = *state;
    follow(f, automaton(f, "a", ""));
    assert_error(f, HBG_E_AUTOMATON);
}

static void a_state_nothing_leads_to_is_a_warning(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "0101");
    transition(f, a, 0, 1, truth(f));
    transition(f, a, 1, 0, truth(f));
    transition(f, a, 2, 3, truth(f)); // an island: s3 is reached from nowhere that is reached
    follow(f, a);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_UNREACHABLE), 2);
    assert_says(f, HBG_W_UNREACHABLE, "`s2` of `a`");
}

static void the_start_state_is_reached(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "01");
    f->model->automata.items[a].start = 1;
    transition(f, a, 1, 0, truth(f));
    follow(f, a);
    assert_clean(f);
}

static void experiments_reach_states(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "010");
    transition(f, a, 1, 2, truth(f));
    follow(f, a);
    int32_t e = experiment(f, "e", number(f, 1));
    hbg_setting setting = {.target = {HBG_OBJECT_AUTOMATON, a}, .state = 1, .value = HBG_NONE};
    HBG_PUSH(&f->arena, f->model->experiments.items[e].settings, setting);
    assert_clean(f);
}

/* An automaton off, off, on in a circle, and something that looks at it. */
static int32_t not_alternating(fixture *f) {
    int32_t a = automaton(f, "a", "001");
    transition(f, a, 0, 1, truth(f));
    transition(f, a, 1, 2, truth(f));
    transition(f, a, 2, 0, truth(f));
    return a;
}

static void on_and_off_alternate_where_a_junction_follows(void **state) {
    fixture *f = *state;
    int32_t a = not_alternating(f);
    switched(f, HBG_KIND_ONE, "j", op(f, HBG_OP_NOT, follow(f, a), HBG_NONE));
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_ALTERNATE), 1);
    assert_says(f, HBG_W_ALTERNATE, "`s0` and `s1` of `a` are both off");
}

static void on_and_off_need_not_alternate_otherwise(void **state) {
    fixture *f = *state;
    int32_t a = not_alternating(f);
    switched(f, HBG_KIND_ONE, "j", op(f, HBG_OP_ACTIVE, a, 2));
    assert_clean(f);
}

static void an_automaton_nobody_asks_is_a_warning(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "lost", "0"), b = automaton(f, "read", "0"), c = automaton(f, "assumed", "0");
    signal(f, HBG_SIGNAL_SIGNAL, "x", op(f, HBG_OP_ACTIVE, b, 0));
    signal(f, HBG_SIGNAL_SIGNAL, "y", op3(f, HBG_OP_IN, number(f, 1), c, 0));
    (void)a;
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_UNUSED_AUTOMATON), 1);
    assert_says(f, HBG_W_UNUSED_AUTOMATON, "`lost`");
}

static void a_parameter_nobody_uses_is_a_warning(void **state) {
    fixture *f = *state;
    param(f, "lost", number(f, 1));
    use(f, param(f, "read", number(f, 1)));
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_W_UNUSED_PARAMETER), 1);
    assert_says(f, HBG_W_UNUSED_PARAMETER, "`lost`");
}

static void unused_things_are_not_looked_for_after_errors(void **state) {
    fixture *f = *state;
    param(f, "lost", number(f, 1));
    hbg_base_report(&f->diagnostics, HBG_E_UNKNOWN, place(f), "before");
    hbg_model_check(f->model);
    assert_int_equal(f->diagnostics.warnings, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_automaton_without_states_is_an_error),
        TEST(a_state_nothing_leads_to_is_a_warning),
        TEST(the_start_state_is_reached),
        TEST(experiments_reach_states),
        TEST(on_and_off_alternate_where_a_junction_follows),
        TEST(on_and_off_need_not_alternate_otherwise),
        TEST(an_automaton_nobody_asks_is_a_warning),
        TEST(a_parameter_nobody_uses_is_a_warning),
        TEST(unused_things_are_not_looked_for_after_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
