/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What elements would have for values if a parameter had another one. Most of it is in tests/language/faults/through.hbg. */
#include "lang/fixture_impl.h"

#include <math.h>

#include "model/model_impl.h"

#define CHAIN                                                                                                \
    "model M { param a = 1, b = 2*a, d = b + 1; Se s(1); R r(d - 4); C c(a); R weak(-d); 1 j;\n"             \
    "  s -> j -> r; j -> c; j -> weak; output o = c.e; experiment e { stop 1 [s]; set b = 5; } }\n"

typedef struct {
    hbg_check check;
    hbg_what_if w;
} question;

static hbg_model *ask(fixture *f, question *q, const char *text, bool with_experiment) {
    hbg_model *model = read_any(f, text);
    assert_non_null(model);
    q->check = (hbg_check){.model = model, .diagnostics = &f->diagnostics, .scratch = &f->arena};
    hbg_model_what_if_init(&q->w, &q->check, with_experiment ? &model->experiments.items[0] : NULL);
    return model;
}

/* d = 2·a + 1; r has d − 4, which is −1 as declared and may stay so, c has a. */
static void values_follow_through_parameters(void **state) {
    fixture *f = *state;
    question q;
    hbg_lost lost;
    hbg_model *model = ask(f, &q, CHAIN, false);
    int32_t a = find_param(f, model, "a");
    assert_true(hbg_model_what_if_nominal(&q.w, a) == 1);
    assert_false(hbg_model_what_if_param(&q.w, a, 3, &lost));
    assert_true(hbg_model_what_if_param(&q.w, a, -2, &lost));
    assert_true(lost.value == -2);
    assert_int_equal(model->elements.items[lost.element].kind, HBG_KIND_C);
    // a question leaves no trace
    assert_true(hbg_model_what_if_nominal(&q.w, a) == 1);
    for (int32_t i = 0; i < model->exprs.count; i++)
        assert_true(q.w.exprs[i] == model->expr_values[i] || isnan(model->expr_values[i]));
}

/* With b = 5, d is 6 and r 2 whatever a is: only c minds. */
static void what_an_experiment_sets_does_not_follow(void **state) {
    fixture *f = *state;
    question q;
    hbg_lost lost;
    hbg_model *model = ask(f, &q, CHAIN, true);
    int32_t a = find_param(f, model, "a"), b = find_param(f, model, "b");
    assert_true(hbg_model_what_if_nominal(&q.w, find_param(f, model, "d")) == 6);
    assert_false(hbg_model_what_if_param(&q.w, a, 0.001, &lost));
    assert_true(hbg_model_what_if_param(&q.w, b, 2, &lost));
    assert_true(lost.value == -1);
    assert_int_equal(model->elements.items[lost.element].kind, HBG_KIND_R);
}

static void storages_need_more_than_nothing_and_resistors_keep_their_sign(void **state) {
    fixture *f = *state;
    question q;
    hbg_model *model = ask(f, &q, CHAIN, false);
    for (int32_t i = 0; i < model->elements.count; i++) {
        bool storage = model->elements.items[i].kind == HBG_KIND_C;
        bool resistor = model->elements.items[i].kind == HBG_KIND_R;
        assert_int_equal(hbg_model_element_minds(model, i, 1, 0), storage);
        assert_int_equal(hbg_model_element_minds(model, i, 1, -1), storage || resistor);
        assert_int_equal(hbg_model_element_minds(model, i, -1, -2), storage);
        assert_int_equal(hbg_model_element_minds(model, i, 1, INFINITY), storage || resistor);
        assert_false(hbg_model_element_minds(model, i, 1, 2));
    }
}

/* A formula that leads to no number is told as such. */
static void a_value_that_is_no_number_is_refused(void **state) {
    fixture *f = *state;
    question q;
    hbg_lost lost;
    hbg_model *model =
        ask(f, &q, "model M { param a = 1; Se s(1); R r(1/a); 1 j; s -> j -> r; output o = r.f; }", false);
    assert_true(hbg_model_what_if_param(&q.w, find_param(f, model, "a"), 0, &lost));
    assert_true(isinf(lost.value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_follow_through_parameters, setup, teardown),
        cmocka_unit_test_setup_teardown(what_an_experiment_sets_does_not_follow, setup, teardown),
        cmocka_unit_test_setup_teardown(storages_need_more_than_nothing_and_resistors_keep_their_sign, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_value_that_is_no_number_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
