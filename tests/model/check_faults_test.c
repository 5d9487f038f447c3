/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults: targets, times, values. */
#include "fixture_impl.h"

/* An experiment of 10 s with these parts. */
static hbg_experiment *ten_seconds(fixture *f) {
    int32_t index = experiment(f, "e", number(f, 10));
    return &f->model->experiments.items[index];
}

static hbg_fault fault_on(fixture *f, hbg_object_kind kind, int32_t index, hbg_fault_kind what,
                          double value) {
    hbg_fault fault = {.target = {kind, index}, .kind = what, .state = HBG_NONE, .span = place(f)};
    fault.at = number(f, 1);
    fault.until = fault.value2 = HBG_NONE;
    fault.value = kind == HBG_OBJECT_AUTOMATON ? HBG_NONE : number(f, value);
    return fault;
}

static void faults_fit_their_target(void **state) {
    (void)state;
    const struct {
        hbg_object_kind target;
        const char *kinds; /* by letter: abrupt, incipient, stuck, bias, drift, noise */
    } cases[] = {
        {HBG_OBJECT_PARAM, "111000"}, {HBG_OBJECT_AUTOMATON, "001000"}, {HBG_OBJECT_SIGNAL, "001111"}};
    for (int i = 0; i < 3; i++) {
        for (int kind = 0; kind < HBG_FAULT_COUNT; kind++) {
            fixture f;
            fixture_init(&f);
            (void)signal(&f, HBG_SIGNAL_OUTPUT, "shown", use(&f, param(&f, "p", number(&f, 1))));
            follow(&f, automaton(&f, "a", "0"));
            int32_t s = signal(&f, HBG_SIGNAL_SENSOR, "s", number(&f, 1));
            f.model->signals.items[s].every = number(&f, 1);
            hbg_experiment *e = ten_seconds(&f);
            HBG_PUSH(&f.arena, e->faults, fault_on(&f, cases[i].target, i == 2 ? s : 0, kind, 1));
            hbg_model_check(f.model);
            assert_int_equal(f.diagnostics.errors, cases[i].kinds[kind] == '0');
            assert_int_equal(count_of(&f, HBG_E_EXPERIMENT), cases[i].kinds[kind] == '0');
            hbg_base_arena_fini(&f.arena);
        }
    }
}

static void only_sensors_among_signals_can_be_faulted(void **state) {
    fixture *f = *state;
    int32_t s = signal(f, HBG_SIGNAL_SIGNAL, "s", number(f, 1));
    hbg_experiment *e = ten_seconds(f);
    HBG_PUSH(&f->arena, e->faults, fault_on(f, HBG_OBJECT_SIGNAL, s, HBG_FAULT_BIAS, 1));
    assert_error(f, HBG_E_EXPERIMENT);
}

static void a_fault_ends_after_it_begins(void **state) {
    fixture *f = *state;
    int32_t p = param(f, "p", number(f, 1));
    (void)signal(f, HBG_SIGNAL_OUTPUT, "shown", use(f, p));
    hbg_experiment *e = ten_seconds(f);
    hbg_fault fault = fault_on(f, HBG_OBJECT_PARAM, p, HBG_FAULT_ABRUPT, 1);
    fault.until = number(f, 1);
    HBG_PUSH(&f->arena, e->faults, fault);
    fault.until = number(f, 2);
    HBG_PUSH(&f->arena, e->faults, fault);
    assert_error(f, HBG_E_VALUE);
    assert_says(f, HBG_E_VALUE, "ends before it begins");
}

/* A parameter of nominal value 2 that is the whole value of an element, changed by a fault. */
static int64_t errors_of_fault(hbg_element_kind kind, hbg_fault_kind what, double value, bool relative) {
    fixture f;
    fixture_init(&f);
    int32_t p = param(&f, "p", number(&f, 2));
    bond(&f, element(&f, kind, "x", use(&f, p)), element(&f, HBG_KIND_SE, "s", number(&f, 1)));
    hbg_experiment *e = ten_seconds(&f);
    hbg_fault fault = fault_on(&f, HBG_OBJECT_PARAM, p, what, value);
    fault.relative = relative;
    HBG_PUSH(&f.arena, e->faults, fault);
    hbg_model_check(f.model);
    assert_int_equal(f.diagnostics.errors, count_of(&f, HBG_E_VALUE));
    int64_t errors = f.diagnostics.errors;
    hbg_base_arena_fini(&f.arena);
    return errors;
}

static void a_fault_leaves_the_element_possible(void **state) {
    (void)state;
    assert_int_equal(errors_of_fault(HBG_KIND_C, HBG_FAULT_ABRUPT, -2, false), 1);
    assert_int_equal(errors_of_fault(HBG_KIND_C, HBG_FAULT_ABRUPT, -1, false), 0);
    assert_int_equal(errors_of_fault(HBG_KIND_C, HBG_FAULT_ABRUPT, -1, true), 1);
    assert_int_equal(errors_of_fault(HBG_KIND_C, HBG_FAULT_ABRUPT, -0.3, true), 0);
    assert_int_equal(errors_of_fault(HBG_KIND_I, HBG_FAULT_STUCK, 0, false), 1);
    assert_int_equal(errors_of_fault(HBG_KIND_R, HBG_FAULT_STUCK, -1, false), 1);
    assert_int_equal(errors_of_fault(HBG_KIND_R, HBG_FAULT_STUCK, 1, false), 0);
    assert_int_equal(errors_of_fault(HBG_KIND_SE, HBG_FAULT_STUCK, -1, false), 0);
    // from 1 s to 10 s: 9 s
    assert_int_equal(errors_of_fault(HBG_KIND_C, HBG_FAULT_INCIPIENT, -0.3, false), 1);
    assert_int_equal(errors_of_fault(HBG_KIND_C, HBG_FAULT_INCIPIENT, -0.2, false), 0);
    assert_int_equal(errors_of_fault(HBG_KIND_R, HBG_FAULT_INCIPIENT, -0.12, true), 1);
    assert_int_equal(errors_of_fault(HBG_KIND_R, HBG_FAULT_INCIPIENT, -0.1, true), 0);
}

static void an_element_is_faulted_by_its_value(void **state) {
    (void)state;
    static const struct {
        hbg_element_kind kind;
        double value;
        int64_t errors;
    } cases[] = {{HBG_KIND_R, -1, 0}, {HBG_KIND_R, -3, 1}, {HBG_KIND_C, -2, 1}, {HBG_KIND_C, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        fixture_init(&f);
        int32_t x = element(&f, cases[i].kind, "x", number(&f, 2));
        bond(&f, x, element(&f, HBG_KIND_SE, "s", number(&f, 1)));
        hbg_experiment *e = ten_seconds(&f);
        HBG_PUSH(&f.arena, e->faults, fault_on(&f, HBG_OBJECT_ELEMENT, x, HBG_FAULT_ABRUPT, cases[i].value));
        hbg_model_check(f.model);
        assert_int_equal(f.diagnostics.errors, cases[i].errors);
        assert_int_equal(count_of(&f, HBG_E_VALUE), cases[i].errors);
        hbg_base_arena_fini(&f.arena);
    }
}

static void noise_needs_samples(void **state) {
    fixture *f = *state;
    int32_t s = signal(f, HBG_SIGNAL_SENSOR, "s", number(f, 1));
    hbg_experiment *e = ten_seconds(f);
    HBG_PUSH(&f->arena, e->faults, fault_on(f, HBG_OBJECT_SIGNAL, s, HBG_FAULT_NOISE, 1));
    assert_error(f, HBG_E_EXPERIMENT);
}

static void an_automaton_stuck_off_has_a_state_that_is_off(void **state) {
    fixture *f = *state;
    int32_t a = automaton(f, "a", "1");
    follow(f, a);
    hbg_experiment *e = ten_seconds(f);
    HBG_PUSH(&f->arena, e->faults, fault_on(f, HBG_OBJECT_AUTOMATON, a, HBG_FAULT_STUCK, 0));
    assert_error(f, HBG_E_EXPERIMENT);
    assert_says(f, HBG_E_EXPERIMENT, "cannot be stuck off");
}

/* What is asked for besides has no stop of its own: that of the experiment it goes with counts. */
static void added_faults_come_before_the_stop_of_their_experiment(void **state) {
    (void)state;
    for (int32_t with = 0; with < 2; with++) {
        fixture f;
        fixture_init(&f);
        int32_t p = param(&f, "p", number(&f, 1));
        (void)signal(&f, HBG_SIGNAL_OUTPUT, "shown", use(&f, p));
        experiment(&f, "short", number(&f, 0.5));
        experiment(&f, "long", number(&f, 10));
        int32_t added = experiment(&f, "", HBG_NONE);
        hbg_experiment *e = &f.model->experiments.items[added];
        e->name = 0;
        e->added_to = with;
        HBG_PUSH(&f.arena, e->faults, fault_on(&f, HBG_OBJECT_PARAM, p, HBG_FAULT_ABRUPT, 1));
        hbg_model_check(f.model);
        assert_int_equal(count_of(&f, HBG_E_EXPERIMENT), with == 0);
        if (with == 0) assert_says(&f, HBG_E_EXPERIMENT, "after the run has stopped, at 0.5 s");
        hbg_base_arena_fini(&f.arena);
    }
}

/* ---- together ----------------------------------------------------------------------------------------- */

/* A resistor of 10 that is the whole value of a parameter, with two faults; how many errors there are. */
static int64_t errors_of(double first, double until, double second_at, double second, hbg_fault_kind kind) {
    fixture f;
    fixture_init(&f);
    int32_t p = param(&f, "p", number(&f, 10));
    bond(&f, element(&f, HBG_KIND_SE, "s", number(&f, 1)), element(&f, HBG_KIND_R, "r", use(&f, p)));
    hbg_experiment *e = ten_seconds(&f);
    hbg_fault one = fault_on(&f, HBG_OBJECT_PARAM, p, HBG_FAULT_ABRUPT, first);
    hbg_fault other = fault_on(&f, HBG_OBJECT_PARAM, p, kind, second);
    if (until > 0) one.until = number(&f, until);
    other.at = number(&f, second_at);
    HBG_PUSH(&f.arena, e->faults, one);
    HBG_PUSH(&f.arena, e->faults, other);
    hbg_model_check(f.model);
    int64_t errors = f.diagnostics.errors;
    hbg_base_arena_fini(&f.arena);
    return errors;
}

static void faults_of_one_value_add_up(void **state) {
    (void)state;
    assert_int_equal(errors_of(-6, 0, 2, -3, HBG_FAULT_ABRUPT), 0);
    assert_int_equal(errors_of(-6, 0, 2, -6, HBG_FAULT_ABRUPT), 1);
    assert_int_equal(errors_of(-6, 2, 2, -6, HBG_FAULT_ABRUPT), 0); // the one ends where the other begins
    assert_int_equal(errors_of(-6, 3, 2, -6, HBG_FAULT_ABRUPT), 1);
    assert_int_equal(errors_of(-6, 0, 2, -0.4, HBG_FAULT_INCIPIENT), 0); // 10 - 6 - 0.4*8 at the end
    assert_int_equal(errors_of(-6, 0, 2, -0.6, HBG_FAULT_INCIPIENT), 1);
    assert_int_equal(errors_of(-6, 0, 2, 5, HBG_FAULT_STUCK), 0); // while it is held the other waits
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_one_value_add_up),
        TEST(faults_fit_their_target),
        TEST(only_sensors_among_signals_can_be_faulted),
        TEST(a_fault_ends_after_it_begins),
        TEST(a_fault_leaves_the_element_possible),
        TEST(an_element_is_faulted_by_its_value),
        TEST(noise_needs_samples),
        TEST(an_automaton_stuck_off_has_a_state_that_is_off),
        TEST(added_faults_come_before_the_stop_of_their_experiment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
