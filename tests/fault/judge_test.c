/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the faults of a run make of its elements, with the values of that run. */
#include "lang/fixture_impl.h"

#include <math.h>

#include "fault/fault.h"

/* Faults that are fine each by itself, and with the values as declared. */
#define CIRCUIT                                                                                              \
    "model M { param R1 = 4 [Ohm], k = 1; Se s(1 [V]); R r(R1*k); C c(2 [F]); 1 j; s -> j -> r; j -> c;\n"   \
    "  output o = c.e; experiment e { stop 10 [s]; %s } }\n"

/* A ball that comes back with 0.8·k of its velocity. */
#define BALL                                                                                                 \
    "model M { param eps = 0.8, k = 1; I m(1 [kg]); Se g(-9.81 [N]); 1 v; Sf floor(0 [m/s]); g -> v -> m;\n" \
    "  0 contact when touch restitution eps*k; floor -> contact -> v; state x = 1 [m] : der = v.f;\n"        \
    "  automaton touch { off up -> down when x <= 0 && v.f < 0; on down -> up when v.f > 0; }\n"             \
    "  output o = x; experiment e { stop 10 [s]; %s } }\n"

static const char *shape = CIRCUIT;

static bool judged(fixture *f, const char *sentences, double k, hbg_fault_finding *found) {
    const char *text = hbg_base_arena_print(&f->arena, shape, sentences);
    hbg_model *sorted = hbg_model_sorted(&f->arena, read_good(f, text));
    const int32_t experiments[] = {0};
    hbg_fault_plan *plan = hbg_fault_plan_new(&f->arena, sorted, experiments, 1);
    int32_t param = find_param(f, plan->model, "k");
    plan->model->param_values[param] = k;
    for (int32_t i = 0; i < plan->model->exprs.count; i++) // as a sweep has it
        plan->model->expr_values[i] =
            hbg_model_value_again(&plan->model->exprs.items[i], plan->model->expr_values,
                                  plan->model->param_values, plan->model->expr_values[i]);
    hbg_fault_schedule schedule = hbg_fault_schedule_new(&f->arena, plan, 10, 1, NULL);
    return hbg_fault_find_refused(&f->arena, plan, &schedule, 10, found);
}

static void without_faults_of_values_nothing_is_refused(void **state) {
    hbg_fault_finding found;
    assert_false(judged(*state, "", 1, &found));
    assert_false(judged(*state, "fault at 1 [s]: R1 abrupt 50 [%];", 1, &found));
}

/* r is (4 − 3)·k: negative for no k above 0; 4·k − (t − 1) is 0 at 3 s for a half. */
static void values_are_those_of_the_run(void **state) {
    fixture *f = *state;
    hbg_fault_finding found;
    assert_false(judged(f, "fault at 1 [s]: r abrupt -3 [Ohm];", 1, &found));
    assert_true(judged(f, "fault at 1 [s]: r abrupt -3 [Ohm];", 0.5, &found)); // 2 − 3
    assert_true(found.time == 1 && found.lost.value == -1 && found.fault == 0);
    assert_false(judged(f, "fault at 1 [s] until 4 [s]: r incipient -1 [Ohm/s];", 1, &found));
    assert_true(judged(f, "fault at 1 [s] until 4 [s]: r incipient -1 [Ohm/s];", 0.5, &found));
    assert_true(fabs(found.time - 3) < 1e-9);
    assert_true(found.lost.value < 0);
}

/* Each of them alone is fine: 4·k − 3 and 4·k·0.5. */
static void faults_add_up(void **state) {
    fixture *f = *state;
    hbg_fault_finding found;
    const char *both = "fault at 1 [s] until 2 [s]: r abrupt -3 [Ohm]; fault at 3 [s]: R1 abrupt -50 [%];";
    assert_false(judged(f, both, 1, &found));
    const char *overlap = "fault at 1 [s]: r abrupt -1.5 [Ohm]; fault at 3 [s]: R1 abrupt -70 [%];";
    assert_true(judged(f, overlap, 1, &found));
    assert_true(found.time == 3 && found.fault == 1);
    assert_true(fabs(found.lost.value - (4 * 0.3 - 1.5)) < 1e-12);
}

/* 0.8·1.2 is below 1, and so is 0.8·1.2·k for k = 1; 0.96·1.1 is not. */
static void a_restitution_stays_between_0_and_1(void **state) {
    fixture *f = *state;
    hbg_fault_finding found;
    shape = BALL;
    const char *two = "fault at 1 [s]: eps abrupt 20 [%]; fault at 3 [s]: k abrupt 10 [%];";
    assert_true(judged(f, two, 1, &found));
    assert_true(found.lost.kind == HBG_LOST_BOUNCE && found.time == 3 && found.fault == 1);
    assert_true(fabs(found.lost.value - 1.056) < 1e-12);
    assert_false(judged(f, two, 0.9, &found));
    assert_false(judged(f, "fault at 1 [s] until 2 [s]: eps abrupt 20 [%]; fault at 3 [s]: k abrupt 10 [%];",
                        1, &found));
    /* 0.96·(1 + 0.01·(t − 3)) is 1 at 7.1667 s */
    assert_true(
        judged(f, "fault at 1 [s]: eps abrupt 20 [%]; fault at 3 [s]: k incipient 1 [%/s];", 1, &found));
    assert_true(fabs(found.time - (3 + (1 / 0.96 - 1) / 0.01)) < 1e-6);
    assert_false(judged(f, two, 1.3, &found)); // it was beyond by itself
    shape = CIRCUIT;
}

/* (x - 1.53)² - d with x = 1 + t: from 0.53 - √d on, however little that is; a maximum of two lines is least where they cross. */
static void a_value_that_bends_is_looked_at_closely(void **state) {
    fixture *f = *state;
    hbg_fault_finding found;
    char text[400];
    for (int i = 0; i < 3; i++) {
        const double dips[] = {1e-4, 1e-12, -1e-12};
        snprintf(text, sizeof text,
                 "model M { param x = 1, k = 1; Se s(1); R r(k*((x - 1.53)^2 - %g)); s -> r; output o = r.f;"
                 "  experiment e { stop 10 [s]; fault at 0 [s]: x incipient 1 [1/s]; %%s } }",
                 dips[i]);
        shape = text;
        assert_true(judged(f, "", 1, &found) == (i < 2));
        if (i < 2 && fabs(found.time - (0.53 - sqrt(dips[i]))) > 3e-7) fail_msg("%.12g", found.time);
    }
    shape =
        "model M { param a = 1, b = 1, k = 5; Se s(1); R r(max(1 - a, b - 5.3) + k); s -> r; output o = r.f;"
        "  experiment e { stop 10 [s]; fault at 0 [s]: a incipient 1 [1/s]; fault at 0 [s]: b incipient 1 "
        "[1/s]; %s } }"; // max(-t, t - 4.3) is -2.15 at 2.15 s
    assert_true(judged(f, "", 2.1, &found));
    assert_true(fabs(found.time - 2.1) < 1e-8);
    assert_true(judged(f, "", 2.15 - 1e-9, &found));
    assert_false(judged(f, "", 2.15 + 1e-9, &found));
    shape = CIRCUIT;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_faults_of_values_nothing_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(values_are_those_of_the_run, setup, teardown),
        cmocka_unit_test_setup_teardown(faults_add_up, setup, teardown),
        cmocka_unit_test_setup_teardown(a_restitution_stays_between_0_and_1, setup, teardown),
        cmocka_unit_test_setup_teardown(a_value_that_bends_is_looked_at_closely, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
