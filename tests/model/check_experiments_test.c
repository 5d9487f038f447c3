/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Settings and actions. */
#include "fixture_impl.h"

/* An experiment of 10 s with these parts. */
static hbg_experiment *ten_seconds(fixture *f) {
    int32_t index = experiment(f, "e", number(f, 10));
    return &f->model->experiments.items[index];
}

static int32_t input(fixture *f, const char *text, hbg_type type) {
    return hbg_model_add_signal(f->model, id(f, text), HBG_SIGNAL_INPUT, type);
}

static void an_experiment_says_when_it_stops(void **state) {
    fixture *f = *state;
    experiment(f, "endless", HBG_NONE);
    assert_error(f, HBG_E_EXPERIMENT);
    assert_says(f, HBG_E_EXPERIMENT, "`endless`");
}

static void actions_change_inputs_only(void **state) {
    fixture *f = *state;
    int32_t good = input(f, "u", HBG_TYPE_REAL), bad = signal(f, HBG_SIGNAL_SIGNAL, "y", number(f, 1));
    hbg_experiment *e = ten_seconds(f);
    hbg_action actions[] = {{number(f, 1), good, number(f, 2), place(f)},
                            {number(f, 1), bad, number(f, 2), place(f)}};
    for (int i = 0; i < 2; i++) HBG_PUSH(&f->arena, e->actions, actions[i]);
    assert_error(f, HBG_E_EXPERIMENT);
    assert_says(f, HBG_E_EXPERIMENT, "`y` is a signal");
}

static void events_take_no_value_and_inputs_need_one(void **state) {
    fixture *f = *state;
    int32_t event = input(f, "reset", HBG_TYPE_EVENT), real = input(f, "u", HBG_TYPE_REAL);
    hbg_expr truth = op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE);
    hbg_experiment *e = ten_seconds(f);
    hbg_action actions[] = {{number(f, 1), event, HBG_NONE, place(f)},
                            {number(f, 1), event, truth, place(f)},
                            {number(f, 1), real, HBG_NONE, place(f)}};
    for (int i = 0; i < 3; i++) HBG_PUSH(&f->arena, e->actions, actions[i]);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_EXPERIMENT), 2);
    assert_int_equal(f->diagnostics.errors, 2);
}

static void actions_come_before_the_end(void **state) {
    fixture *f = *state;
    int32_t u = input(f, "u", HBG_TYPE_REAL);
    hbg_experiment *e = ten_seconds(f);
    const double times[] = {0, 10, 10.5};
    for (int i = 0; i < 3; i++) {
        hbg_action action = {number(f, times[i]), u, number(f, 2), place(f)};
        HBG_PUSH(&f->arena, e->actions, action);
    }
    assert_error(f, HBG_E_EXPERIMENT);
    assert_says(f, HBG_E_EXPERIMENT, "an action at 10.5 s");
}

static void an_action_before_the_start_is_a_value_error(void **state) {
    fixture *f = *state;
    int32_t u = input(f, "u", HBG_TYPE_REAL);
    hbg_experiment *e = ten_seconds(f);
    hbg_action action = {number(f, -1), u, number(f, 2), place(f)};
    HBG_PUSH(&f->arena, e->actions, action);
    assert_error(f, HBG_E_VALUE);
}

static void settings_are_for_parameters_initial_values_and_automata(void **state) {
    fixture *f = *state;
    int32_t p = param(f, "p", number(f, 1)), a = automaton(f, "a", "01");
    transition(f, a, 0, 1, op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE));
    follow(f, a);
    int32_t c = element(f, HBG_KIND_C, "c", use(f, p)), s = signal(f, HBG_SIGNAL_SIGNAL, "s", number(f, 1));
    bond(f, c, element(f, HBG_KIND_R, "r", number(f, 1)));
    hbg_experiment *e = ten_seconds(f);
    hbg_setting settings[] = {
        {.target = {HBG_OBJECT_PARAM, p}, .value = number(f, 2), .span = place(f)},
        {.target = {HBG_OBJECT_ELEMENT, c},
         .variable = HBG_VARIABLE_EFFORT,
         .port = 1,
         .value = number(f, 2)},
        {.target = {HBG_OBJECT_AUTOMATON, a}, .state = 1, .value = HBG_NONE, .span = place(f)},
        {.target = {HBG_OBJECT_SIGNAL, s}, .value = number(f, 2), .span = place(f)},
        {.target = {HBG_OBJECT_ELEMENT, c}, .variable = HBG_VARIABLE_FLOW, .port = 1, .value = number(f, 2)}};
    for (int i = 0; i < 5; i++) HBG_PUSH(&f->arena, e->settings, settings[i]);
    hbg_model_check(f->model);
    assert_int_equal(count_of(f, HBG_E_EXPERIMENT), 2);
    assert_int_equal(f->diagnostics.errors, 2);
}

static void a_setting_keeps_storages_positive(void **state) {
    fixture *f = *state;
    int32_t p = param(f, "p", number(f, 1));
    bond(f, element(f, HBG_KIND_C, "c", use(f, p)), element(f, HBG_KIND_R, "r", number(f, 1)));
    hbg_experiment *e = ten_seconds(f);
    hbg_setting setting = {.target = {HBG_OBJECT_PARAM, p}, .value = number(f, 0), .span = place(f)};
    HBG_PUSH(&f->arena, e->settings, setting);
    assert_error(f, HBG_E_VALUE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_experiment_says_when_it_stops),
        TEST(actions_change_inputs_only),
        TEST(events_take_no_value_and_inputs_need_one),
        TEST(actions_come_before_the_end),
        TEST(an_action_before_the_start_is_a_value_error),
        TEST(settings_are_for_parameters_initial_values_and_automata),
        TEST(a_setting_keeps_storages_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
