/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Places for faults in a model: what reads a value that can be faulty is written anew, constants are not. */
#include "lang/fixture_impl.h"

#include <math.h>

#include "fault/fault.h"

#define CIRCUIT                                                                                              \
    "model M { param R1 = 2 [Ohm], R2 = 3*R1, T = R1*(1 [s/Ohm]); Se s(1 [V]); R r(R2); R other(4 [Ohm]);\n" \
    "  C c(1 [F], e = 1 [V]); 1 j; s -> j -> r; j -> c; j -> other; R third(2*R1); j -> third; sensor "      \
    "still = c.e*R1;\n"                                                                                      \
    "  sample tick every T = R1; output o = c.e;\n"                                                          \
    "  experiment e { stop 10 [s]; %s record r.e*R1, other.f; } }\n"

static hbg_fault_plan *plan_text(fixture *f, const char *text) {
    hbg_model *sorted = hbg_model_sorted(&f->arena, read_good(f, text));
    const int32_t experiments[] = {0, HBG_NONE};
    return hbg_fault_plan_new(&f->arena, sorted, experiments, 2);
}

static hbg_fault_plan *plan_of(fixture *f, const char *sentences) {
    return plan_text(f, hbg_base_arena_print(&f->arena, CIRCUIT, sentences));
}

static hbg_object find(fixture *f, const hbg_model *m, const char *name) {
    return hbg_model_find(m, 0, hbg_base_names_add(&f->names, name, strlen(name)));
}

static const char *value_text(fixture *f, const hbg_model *m, const char *element) {
    const hbg_element *of = &m->elements.items[find(f, m, element).index];
    return expr_of(f, m, m->entries.items[of->first_value]);
}

/* Expressions are told by the names of the parameters they stand for: from here on by what is computed. */
static void show_formulas(const hbg_model *m) {
    for (int32_t i = 0; i < m->exprs.count; i++) m->exprs.items[i].written = 0;
}

static double param_value(fixture *f, const hbg_model *m, const char *name) {
    hbg_object param = find(f, m, name);
    return param.kind == HBG_OBJECT_PARAM ? m->param_values[param.index] : NAN;
}

static void without_faults_a_model_stays_what_it_is(void **state) {
    fixture *f = *state;
    const char *text = hbg_base_arena_print(&f->arena, CIRCUIT, "");
    hbg_model *sorted = hbg_model_sorted(&f->arena, read_good(f, text));
    const int32_t experiments[] = {0};
    hbg_fault_plan *plan = hbg_fault_plan_new(&f->arena, sorted, experiments, 1);
    assert_ptr_equal(plan->model, sorted);
    assert_int_equal(plan->fault_count, 0);
    assert_false(plan->holds);
}

static void the_literal_of_an_element_gets_places(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: other.R abrupt -30 [%];");
    assert_string_equal(value_text(f, plan->model, "other"), "4*other*scale + other*bias");
    assert_true(param_value(f, plan->model, "other*scale") == 1);
    assert_true(param_value(f, plan->model, "other*bias") == 0);
    plan = plan_of(f, "fault at 1 [s]: other.R incipient 1 [Ohm/s]; fault at 2 [s]: other stuck 5;");
    assert_string_equal(value_text(f, plan->model, "other"), "4*other*scale + other*bias");
    assert_true(param_value(f, plan->model, "other*bias") == 0);
}

/* So that one compiled text serves all of them. */
static void where_one_element_has_places_all_have(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: other.R abrupt -30 [%];");
    assert_true(plan->on_object);
    assert_string_equal(value_text(f, plan->model, "r"), "R2*r*scale + r*bias");
    assert_string_equal(value_text(f, plan->model, "c"), "1*c*scale + c*bias");
    plan = plan_of(f, "fault at 1 [s]: R2 abrupt -30 [%];");
    assert_false(plan->on_object);
    assert_string_equal(value_text(f, plan->model, "other"), "4");
    plan = plan_of(f, "fault at 1 [s]: R2 incipient -3 [%/s];"); // one text for all that creep
    assert_string_equal(value_text(f, plan->model, "other"), "4*other*scale + other*bias");
}

/* A value that may be faulty is still a constant to the model: the run moves it. */
static void places_leave_the_value_nominal(void **state) {
    fixture *f = *state;
    double value;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: R1 abrupt 1 [Ohm]; fault at 2 [s]: other stuck 5;");
    const hbg_model *m = plan->model;
    static const struct {
        const char *name;
        double value;
    } cases[] = {{"r", 6}, {"other", 4}};
    for (int i = 0; i < 2; i++) {
        const hbg_element *of = &m->elements.items[find(f, m, cases[i].name).index];
        assert_true(hbg_model_constant(m, m->entries.items[of->first_value], &value));
        assert_true(value == cases[i].value);
    }
    plan = plan_of(f, "fault at 1 [s]: R1 incipient 1 [Ohm/s];");
    static const char *const drifting[] = {"r", "third"};
    for (int i = 0; i < 2; i++) {
        const hbg_element *of = &plan->model->elements.items[find(f, plan->model, drifting[i]).index];
        assert_true(hbg_model_constant(plan->model, plan->model->entries.items[of->first_value], &value));
    }
}

static void what_follows_a_parameter_is_replaced_by_its_definition(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: R1 abrupt 1 [Ohm];");
    const hbg_model *m = plan->model;
    assert_string_equal(value_text(f, m, "r"), "R2");
    assert_string_equal(expr_of(f, m, m->experiments.items[0].records.items[0].value), "r.e*R1");
    show_formulas(m);
    assert_string_equal(value_text(f, m, "r"), "3*(R1 + R1*bias) + R2*bias");
    assert_string_equal(expr_of(f, m, m->experiments.items[0].records.items[0].value), "r.e*(R1 + R1*bias)");
    const hbg_signal *still = &m->signals.items[find(f, m, "still").index];
    assert_string_equal(expr_of(f, m, still->value), "c.e*(R1 + R1*bias)");
    plan = plan_of(f, "set R2 = 5 [Ohm]; fault at 1 [s]: R1 abrupt 1 [Ohm];");
    assert_string_equal(value_text(f, plan->model, "r"), "R2");
}

/* Its own place keeps a definition from being seen by what reads it; one that is told by others does not move. */
static void what_follows_a_parameter_has_a_bias_that_stays_none(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: R1 abrupt -30 [%];");
    show_formulas(plan->model);
    assert_string_equal(value_text(f, plan->model, "r"), "3*(R1*R1*scale) + R2*bias");
    assert_true(param_value(f, plan->model, "R2*bias") == 0);
    assert_true(isnan(param_value(f, plan->model, "R2*scale")));
    for (int i = 0; i < HBG_FAULT_PLACES; i++)
        assert_int_not_equal(plan->places[i], find(f, plan->model, "R2*bias").index); // no fault acts on it
    plan = plan_of(f, "set R2 = 5 [Ohm]; fault at 1 [s]: R1 abrupt -30 [%];");
    assert_true(isnan(param_value(f, plan->model, "R2*bias")));
    plan = plan_of(f, "fault at 1 [s]: R2 abrupt -30 [%];"); // nothing follows it
    assert_true(isnan(param_value(f, plan->model, "R2*bias")));
}

/* A period, and the parameters themselves, keep what they are when the run begins. */
static void constants_stay_as_they_are(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: R1 abrupt 1 [Ohm];");
    const hbg_model *m = plan->model;
    const hbg_signal *tick = &m->signals.items[find(f, m, "tick").index];
    double period;
    assert_string_equal(expr_of(f, m, tick->every), "T");
    assert_true(hbg_model_constant(m, tick->every, &period));
    assert_true(period == 2);
    assert_string_equal(expr_of(f, m, m->params.items[find(f, m, "R2").index].value), "3*R1");
}

static void a_sensor_without_samples_gets_places(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: still bias 1;");
    const hbg_signal *still = &plan->model->signals.items[find(f, plan->model, "still").index];
    assert_string_equal(expr_of(f, plan->model, still->value), "c.e*R1*still*scale + still*bias");
}

static void faults_are_those_of_the_new_model(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: R2 abrupt 1 [Ohm]; fault at 2 [s]: other stuck 5;");
    assert_int_equal(plan->fault_count, 2);
    assert_int_equal(plan->faults[0].target.index, find(f, plan->model, "R2").index);
    assert_int_equal(plan->faults[1].target.index, find(f, plan->model, "other").index);
}

/* The run moves it: its formula is that of what jumps, whatever hangs on it, and all objects have places, whichever creeps. */
static void what_creeps_is_left_to_the_run(void **state) {
    static const char *const shape =
        "model M { param a = 2, b = 3, limit = 1; Se s(a); R r(max(b, limit)); C c(1); I m(2*b); 1 j; s -> j "
        "-> r; j -> c;\n"
        "  R other(4); R by_signal(g); C held(h); signal g = a + c.q, h = 1 + a*c.q^2; j -> other; j -> "
        "by_signal; j -> m; j -> held;\n"
        "  sensor seen = c.e; output o = seen; experiment e { stop 10 [s]; fault at 1 [s]: %s; } }\n";
    static const struct {
        const char *fault;
        bool creeps;
    } cases[] = {
        {"other incipient 1 [1/s]", true}, {"s incipient 1 [%/s]", true},
        {"seen drift 1 [1/s]", true},      {"other abrupt 1", false}, // nothing creeps
        {"c incipient 1 [%/s]", true},     {"b incipient 1 [%/s]", true},
        {"limit incipient 1 [%/s]", true}, {"a incipient 1 [%/s]", true},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hbg_fault_plan *plan = plan_text(f, hbg_base_arena_print(&f->arena, shape, cases[i].fault));
        if (plan->lines != cases[i].creeps) fail_msg("%s", cases[i].fault);
        assert_string_equal(value_text(f, plan->model, "other"), "4*other*scale + other*bias");
        for (int32_t k = 0; k < plan->model->exprs.count; k++)
            assert_int_not_equal(plan->model->exprs.items[k].op, HBG_OP_TIME);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(without_faults_a_model_stays_what_it_is),
        TEST(the_literal_of_an_element_gets_places),
        TEST(where_one_element_has_places_all_have),
        TEST(places_leave_the_value_nominal),
        TEST(what_follows_a_parameter_is_replaced_by_its_definition),
        TEST(what_follows_a_parameter_has_a_bias_that_stays_none),
        TEST(constants_stay_as_they_are),
        TEST(a_sensor_without_samples_gets_places),
        TEST(faults_are_those_of_the_new_model),
        TEST(what_creeps_is_left_to_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
