/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which elements can be judged, and which constants they hang on. */
#include "lang/fixture_impl.h"

#include "model/model_impl.h"

#define MANY                                                                                                 \
    "model M { param a = 1, b = 2, d = 3; signal s = b*c.e; signal t = u + 1, u = t*2 + c.e;\n"              \
    "  Se v(a); R r(a*finite(s)); R law : e = d*f*abs(f); C c(1); R loop(2 + t); 1 j;\n"                     \
    "  v -> j -> r; j -> law; j -> c; j -> loop; output o = c.e; }\n"

typedef struct {
    hbg_model *model;
    hbg_passives all;
} question;

static question ask(fixture *f, const char *text) {
    question q = {.model = read_any(f, text)};
    assert_non_null(q.model);
    q.all = hbg_model_passives_new(&f->arena, q.model, false);
    return q;
}

static int32_t element(const question *q, const char *name) {
    for (int32_t i = 0; i < q->model->elements.count; i++)
        if (strcmp(hbg_base_names_get(q->model->names, q->model->elements.items[i].id.name), name) == 0)
            return i;
    fail_msg("no element %s", name);
    return 0;
}

static bool hangs_on(fixture *f, const question *q, const char *of, const char *param) {
    hbg_check check = {.model = q->model, .diagnostics = &f->diagnostics, .scratch = &f->arena};
    const bool *hanging = hbg_model_check_hanging(&check, find_param(f, q->model, param), NULL);
    return hbg_model_passive_hangs(&q->all, element(q, of), hanging);
}

static void elements_hang_on_parameters_through_signals_and_laws(void **state) {
    fixture *f = *state;
    question q = ask(f, MANY);
    assert_true(hangs_on(f, &q, "r", "a") && hangs_on(f, &q, "r", "b") && !hangs_on(f, &q, "r", "d"));
    assert_true(hangs_on(f, &q, "law", "d") && !hangs_on(f, &q, "law", "a"));
    assert_false(hangs_on(f, &q, "c", "a"));
    assert_true(hbg_model_passive_is_modulated(&q.all, element(&q, "r")));
    assert_false(hbg_model_passive_is_modulated(&q.all, element(&q, "law")));
}

/* t and u read each other: there is no order in which to work them out. */
static void signals_that_read_each_other_are_left_to_the_run(void **state) {
    question q = ask(*state, MANY);
    assert_null(q.all.of[element(&q, "loop")]);
    assert_null(q.all.of[element(&q, "v")]);
    assert_non_null(q.all.of[element(&q, "r")]);
}

/* Wider than what is looked at. */
static void a_law_without_end_is_left_to_the_run(void **state) {
    fixture *f = *state;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_print(&text, "model M { param a = 1; Se v(1); R r : e = f");
    for (int i = 0; i < 600; i++) hbg_base_buffer_print(&text, " + a*f*%d", i);
    hbg_base_buffer_print(&text, "; 1 j; v -> j -> r; output o = r.f; }");
    question q = ask(f, text.data);
    assert_null(q.all.of[element(&q, "r")]);
    assert_true(hbg_model_passive_room(&q.all) >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elements_hang_on_parameters_through_signals_and_laws, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(signals_that_read_each_other_are_left_to_the_run, setup, teardown),
        cmocka_unit_test_setup_teardown(a_law_without_end_is_left_to_the_run, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
