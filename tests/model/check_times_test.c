/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Times of experiments: with the values there are when a model is read, and with others before a run. */
#include "fixture_impl.h"

/* Experiment `e` of 10 s with a fault of a parameter from `at` to `until`, and an action; each of the times is a parameter. */
typedef struct {
    int32_t at, until, stop, variance, acts;
} times;

static times five_times(fixture *f) {
    times t = {.at = param(f, "at", quantity(f, 1, SECOND)),
               .until = param(f, "until", quantity(f, 2, SECOND)),
               .stop = param(f, "stop", quantity(f, 10, SECOND)),
               .variance = param(f, "variance", number(f, 1)),
               .acts = param(f, "acts", quantity(f, 3, SECOND))};
    int32_t p = param(f, "p", number(f, 1));
    (void)signal(f, HBG_SIGNAL_OUTPUT, "shown", use(f, p));
    int32_t u = signal(f, HBG_SIGNAL_INPUT, "u", number(f, 0));
    int32_t meter = signal(f, HBG_SIGNAL_SENSOR, "meter", number(f, 1));
    f->model->signals.items[meter].every = quantity(f, 1, SECOND);
    f->model->signals.items[meter].noise_mean = number(f, 0);
    f->model->signals.items[meter].noise_variance = use(f, t.variance);
    int32_t index = experiment(f, "e", use(f, t.stop));
    hbg_experiment *e = &f->model->experiments.items[index];
    hbg_fault fault = {.target = {HBG_OBJECT_PARAM, p}, .state = HBG_NONE, .span = place(f)};
    fault.kind = HBG_FAULT_ABRUPT;
    fault.at = use(f, t.at);
    fault.until = use(f, t.until);
    fault.value = number(f, 1);
    fault.value2 = HBG_NONE;
    HBG_PUSH(&f->arena, e->faults, fault);
    hbg_action action = {.time = use(f, t.acts), .signal = u, .value = number(f, 1), .span = place(f)};
    HBG_PUSH(&f->arena, e->actions, action);
    return t;
}

/* What the recheck says of one other value, or "" where it fits. */
static const char *with(fixture *f, int32_t moved, double value, bool has_fault) {
    hbg_model *model = f->model;
    bool *exprs = HBG_NEW_ARRAY(&f->arena, bool, model->exprs.count);
    const int32_t experiments[] = {0, HBG_NONE}, none[] = {HBG_NONE};
    double old = model->param_values[moved];
    model->param_values[moved] = value;
    for (int32_t i = 0; i < model->exprs.count; i++) {
        exprs[i] = model->exprs.items[i].op == HBG_OP_PARAM && model->exprs.items[i].a == moved;
        if (exprs[i]) model->expr_values[i] = value;
    }
    hbg_diagnostics told;
    hbg_base_diagnostics_init(&told, &f->arena);
    hbg_recheck *recheck = hbg_model_recheck_new(&f->arena, model, experiments, exprs);
    bool fits = hbg_model_recheck_fits(recheck, model, has_fault ? NULL : none, 0, &f->arena, &told);
    assert_int_equal(fits, told.errors == 0);
    model->param_values[moved] = old;
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (exprs[i]) model->expr_values[i] = old;
    return fits ? "" : told.items.items[0].text;
}

#define assert_has(text, part)                                                                               \
    do {                                                                                                     \
        if (!strstr(text, part)) fail_msg("no \"%s\" in \"%s\"", part, text);                                \
    } while (0)

static void values_of_a_run_are_judged_as_those_of_the_model(void **state) {
    fixture *f = *state;
    times t = five_times(f);
    hbg_model_check(f->model);
    assert_int_equal(f->diagnostics.errors, 0);
    assert_string_equal(with(f, t.at, 1.5, true), "");
    assert_has(with(f, t.at, -1, true), "the time of a fault in experiment `e` is -1");
    assert_has(with(f, t.at, 2, true), "ends before it begins");
    assert_has(with(f, t.at, 11, true), "a fault at 11 s comes after experiment `e` has stopped, at 10 s");
    assert_has(with(f, t.until, 0.5, true), "ends before it begins");
    assert_has(with(f, t.stop, 2.5, true),
               "an action at 3 s comes after experiment `e` has stopped, at 2.5 s");
    assert_has(with(f, t.stop, -1, true), "the stop time of experiment `e` is -1");
    assert_has(with(f, t.acts, -0.5, true), "the time of an action in experiment `e` is -0.5");
    assert_has(with(f, t.variance, -4, true), "the noise variance of `meter` is -4");
    assert_has(with(f, t.variance, INFINITY, true), "is not a finite number");
    assert_string_equal(with(f, t.variance, 0, true), "");
}

static void faults_that_a_run_does_not_have_are_not_judged(void **state) {
    fixture *f = *state;
    times t = five_times(f);
    hbg_model_check(f->model);
    assert_string_equal(with(f, t.at, -1, false), "");
    assert_string_equal(with(f, t.until, 0.5, false), "");
    assert_has(with(f, t.acts, 11, false), "an action at 11 s comes after");
}

/* What is swept is judged in its runs: here a declared value that could not be. */
static void what_hangs_on_a_sweep_is_left_to_its_runs(void **state) {
    fixture *f = *state;
    times t = five_times(f);
    f->model->params.items[t.at].value = quantity(f, -1, SECOND);
    hbg_experiment request = {.name = 0, .added_to = 0, .stop = HBG_NONE, .step = HBG_NONE};
    request.record_every = HBG_NONE;
    hbg_setting one = {.target = {HBG_OBJECT_PARAM, t.at}, .state = HBG_NONE, .span = place(f)};
    one.value = quantity(f, 1, SECOND);
    HBG_PUSH(&f->arena, request.settings, one);
    hbg_axis axis = {.kind = HBG_AXIS_LIST, .param = t.at, .count = 1, .spread = HBG_NONE};
    HBG_PUSH(&f->arena, request.axes, axis);
    HBG_PUSH(&f->arena, f->model->experiments, request);
    hbg_model_check(f->model);
    assert_int_equal(f->diagnostics.errors, 0);
    assert_has(with(f, t.at, -1, true), "the time of a fault in experiment `e` is -1");
}

/* `-p` makes one of two experiments impossible: a matter only where that one may be run. */
static int64_t errors_of_two(int32_t chosen, bool asked) {
    fixture f;
    fixture_init(&f);
    times t = five_times(&f);
    (void)experiment(&f, "other", quantity(&f, 20, SECOND));
    f.model->params.items[t.at].value = quantity(&f, 12, SECOND);
    f.model->params.items[t.until].value = quantity(&f, 13, SECOND);
    f.model->params.items[t.at].declared = quantity(&f, 1, SECOND);
    f.model->params.items[t.at].asked = asked;
    f.model->chosen = chosen;
    hbg_model_check(f.model);
    int64_t errors = f.diagnostics.errors;
    assert_int_equal(count_of(&f, HBG_E_EXPERIMENT), errors);
    hbg_base_arena_fini(&f.arena);
    return errors;
}

static void parameters_are_given_for_the_chosen_experiment(void **state) {
    (void)state;
    assert_int_equal(errors_of_two(HBG_NONE, true), 1);
    assert_int_equal(errors_of_two(0, true), 1);
    assert_int_equal(errors_of_two(1, true), 0);
    assert_int_equal(errors_of_two(1, false), 1); // a model that is wrong as it is written
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(values_of_a_run_are_judged_as_those_of_the_model),
        TEST(faults_that_a_run_does_not_have_are_not_judged),
        TEST(what_hangs_on_a_sweep_is_left_to_its_runs),
        cmocka_unit_test(parameters_are_given_for_the_chosen_experiment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
