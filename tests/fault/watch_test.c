/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the run looks at: which elements does not depend on which of them is faulty, which it judges does. */
#include "lang/fixture_impl.h"

#include "fault/fault.h"

/* warm and warmer are modulated, late bends with time, r and dull do neither; alone is modulated and reads no parameter. */
#define CIRCUIT                                                                                              \
    "model M { param a = 0.5, b = 0.2, k = 4 [Ohm], l = 1 [Ohm]; Se s(10 [V]); 1 j; C c(2 [F], e = 1 [V]);"  \
    "  R r(k); R warm(k*(1 + a*c.e/(1 [V]))); R warmer((5 [Ohm])*(1 + b*c.e/(1 [V])));"                      \
    "  R late(k + l*sin(time/(1 [s]))); R dull(2 [Ohm]); R alone((1 [Ohm])*(1 + c.e^2/(1 [V2])));"           \
    "  s -> j -> c; j -> r; j -> warm; j -> warmer; j -> late; j -> dull; j -> alone; output o = c.e;"       \
    "  experiment e { stop 10 [s]; %s } }\n"

static hbg_model *sorted_of(fixture *f, const char *sentences) {
    return hbg_model_sorted(&f->arena, read_good(f, hbg_base_arena_print(&f->arena, CIRCUIT, sentences)));
}

static hbg_fault_plan *plan_of(fixture *f, const char *sentences) {
    return hbg_fault_plan_new(&f->arena, sorted_of(f, sentences), (const int32_t[]){0}, 1);
}

/* Names of what is watched, in the order of the language's alphabet; those judged with a mark. */
static const char *watched(fixture *f, const hbg_fault_plan *plan) {
    static const char *const names[] = {"alone", "dull", "late", "r", "warm", "warmer"};
    const char *text = "";
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        hbg_name name = hbg_base_names_add(&f->names, names[n], strlen(names[n]));
        int32_t element = hbg_model_find(plan->model, 0, name).index;
        for (int32_t i = 0; i < plan->watched_count; i++)
            if (plan->watched[i].element == element)
                text = hbg_base_arena_print(&f->arena, "%s%s%s ", text, names[n],
                                            plan->watched[i].judged ? "!" : "");
    }
    return text;
}

static void what_is_known_before_the_run_is_not_watched(void **state) {
    fixture *f = *state;
    static const char *const sentences[] = {"", "fault at 1 [s]: r abrupt 10 [%];",
                                            "fault at 1 [s]: dull incipient 1 [Ohm/s];",
                                            "fault at 1 [s]: s abrupt 1 [V];"};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        assert_int_equal(plan_of(f, sentences[i])->watched_count, 0);
}

static void if_one_is_judged_all_that_could_be_are_watched(void **state) {
    fixture *f = *state;
    static const struct {
        const char *sentences, *watched;
    } cases[] = {
        {"fault at 1 [s]: a abrupt 10 [%];", "late warm! warmer "}, // no parameter acts on `alone`
        {"fault at 1 [s]: b abrupt 10 [%];", "late warm warmer! "},
        {"fault at 1 [s]: k stuck 5;", "late! warm! warmer "},
        {"fault at 1 [s]: warm abrupt 10 [%];", "alone late warm! warmer "},
        {"fault at 1 [s]: alone stuck 3;", "alone! late warm warmer "},
        {"fault at 1 [s]: late stuck 3; fault at 2 [s]: r stuck 3;", "alone late! warm warmer "},
        {"fault at 1 [s]: b incipient 10 [%/s];", "alone late warm warmer! "},
        {"fault at 1 [s]: l incipient 10 [%/s];", "alone late! warm warmer "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(watched(f, plan_of(f, cases[i].sentences)), cases[i].watched);
}

/* Each parameter they read has another beside it, which no fault moves. */
static void what_they_would_be_reads_parameters_of_its_own(void **state) {
    fixture *f = *state;
    hbg_fault_plan *plan = plan_of(f, "fault at 1 [s]: a abrupt 10 [%];");
    const hbg_model *m = plan->model;
    int32_t a = find_param(f, m, "a"), place = plan->places[0];
    assert_true(place != HBG_NONE); // the scale
    assert_int_equal(plan->nominal[a], find_param(f, m, "a*nominal"));
    assert_true(m->param_values[plan->nominal[a]] == 0.5);
    assert_int_not_equal(plan->nominal[place], place);
    assert_true(m->param_values[plan->nominal[place]] == 1);
    assert_int_equal(plan->nominal[plan->nominal[a]], plan->nominal[a]);
    assert_int_not_equal(plan->nominal[find_param(f, m, "b")], find_param(f, m, "b")); // faulty or not
}

/* As `-p a=7 -p b=0.2` has it: a differs from what is declared, and so would warm without. */
static void what_was_asked_for_counts_as_declared(void **state) {
    fixture *f = *state;
    hbg_model *m = sorted_of(f, "");
    int32_t a = find_param(f, m, "a"), k = find_param(f, m, "k");
    m->param_declared = HBG_NEW_ARRAY(&f->arena, double, m->params.count + 1);
    memcpy(m->param_declared, m->param_values, (size_t)m->params.count * sizeof *m->param_values);
    m->param_values[a] = 7;
    m->params.items[a].asked = true;
    m->param_values[k] = 9; // an experiment sets it
    hbg_fault_plan *plan = hbg_fault_plan_new(&f->arena, m, (const int32_t[]){0}, 1);
    assert_string_equal(watched(f, plan), "late warm! warmer ");
    assert_true(plan->model->param_values[plan->nominal[a]] == 0.5);
    assert_true(plan->model->param_values[plan->nominal[k]] == 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_known_before_the_run_is_not_watched, setup, teardown),
        cmocka_unit_test_setup_teardown(if_one_is_judged_all_that_could_be_are_watched, setup, teardown),
        cmocka_unit_test_setup_teardown(what_they_would_be_reads_parameters_of_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_asked_for_counts_as_declared, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
