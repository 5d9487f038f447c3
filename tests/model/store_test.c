/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables of a model as bytes, and back. */
#include "fixture_impl.h"

/* A switched circuit with an input, an experiment and one that nobody asks for. */
static void fill(fixture *f) {
    int32_t p = param(f, "R1", quantity(f, 330, OHM));
    int32_t s = element(f, HBG_KIND_SE, "s", quantity(f, 10, VOLT));
    int32_t a = automaton(f, "sw", "01");
    int32_t u = hbg_model_add_signal(f->model, id(f, "u"), HBG_SIGNAL_INPUT, HBG_TYPE_BOOL);
    hbg_expr start = op(f, HBG_OP_FALSE, HBG_NONE, HBG_NONE);
    f->model->signals.items[u].value = start;
    transition(f, a, 0, 1, read_signal(f, u));
    transition(f, a, 1, 0, op(f, HBG_OP_NOT, read_signal(f, u), HBG_NONE));
    int32_t j = switched(f, HBG_KIND_ONE, "j", follow(f, a));
    bond(f, s, j);
    bond(f, j, element(f, HBG_KIND_R, "r", use(f, p)));
    int32_t c = element(f, HBG_KIND_C, "c", number(f, 1e-6));
    initial(f, c, HBG_VARIABLE_EFFORT, 1, number(f, 0));
    bond(f, j, c);
    signal(f, HBG_SIGNAL_OUTPUT, "i", op(f, HBG_OP_FLOW, j, 0));
    experiment(f, "other", quantity(f, 7, SECOND));
    int32_t e = experiment(f, "run", quantity(f, 1, SECOND));
    hbg_action action = {number(f, 0.5), u, op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE), place(f)};
    HBG_PUSH(&f->arena, f->model->experiments.items[e].actions, action);
    HBG_PUSH(&f->arena, f->model->experiments.items[e].records,
             (hbg_record){op(f, HBG_OP_FLOW, j, 0), "j.f", NULL});
    f->model->source_sum = 0x0123456789ABCDEFU;
    f->model->scopes.items[0].id.name = f->model->name;
}

static hbg_buffer stored(fixture *f, const hbg_model *model, int32_t experiment) {
    hbg_buffer bytes;
    hbg_base_buffer_init(&bytes, &f->arena);
    hbg_model_store(model, experiment, &bytes);
    return bytes;
}

static hbg_model *restore(fixture *f, const void *bytes, size_t size, const char **reason) {
    return hbg_model_restore(&f->arena, &f->names, &f->diagnostics, bytes, size, reason);
}

static const char *dump(fixture *f, const hbg_model *model) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_model_dump(model, &buffer);
    return buffer.data;
}

static void what_is_stored_is_restored(void **state) {
    fixture *f = *state;
    fill(f);
    assert_clean(f);
    const char *reason;
    hbg_buffer bytes = stored(f, f->model, 1);
    hbg_model *model = restore(f, bytes.data, bytes.size, &reason);
    assert_non_null(model);
    hbg_model_check(model);
    assert_int_equal(f->diagnostics.errors, 0);
    hbg_experiment kept[2];
    hbg_model view = hbg_model_for_run(f->model, 1, kept);
    assert_string_equal(dump(f, model), dump(f, &view));
    assert_true(model->source_sum == 0x0123456789ABCDEFU);
    assert_int_equal(hbg_model_find(model, 0, name(f, "c")).kind, HBG_OBJECT_ELEMENT);
    hbg_buffer again = stored(f, model, 0);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
}

static void experiments_that_are_not_asked_for_are_left_out(void **state) {
    fixture *f = *state;
    fill(f);
    assert_clean(f);
    const char *reason;
    hbg_buffer bytes = stored(f, f->model, HBG_NONE);
    hbg_model *model = restore(f, bytes.data, bytes.size, &reason);
    assert_non_null(model);
    assert_int_equal(model->experiments.count, 0);
    assert_int_equal(model->chosen, HBG_NONE);
}

/* What was found by the check is found again: only what was declared is stored. */
static void a_dimension_that_was_found_is_not_stored(void **state) {
    fixture *f = *state;
    fill(f);
    assert_clean(f);
    const hbg_signal *found = &f->model->signals.items[1];
    assert_true(found->inferred && found->dimension.known);
    const char *reason;
    hbg_buffer bytes = stored(f, f->model, HBG_NONE);
    hbg_model *model = restore(f, bytes.data, bytes.size, &reason);
    assert_non_null(model);
    assert_false(model->signals.items[1].dimension.known);
}

static void what_is_cut_off_or_has_grown_is_refused(void **state) {
    fixture *f = *state;
    fill(f);
    assert_clean(f);
    hbg_buffer bytes = stored(f, f->model, 1);
    for (size_t size = 0; size < bytes.size; size++) {
        const char *reason = NULL;
        assert_null(restore(f, bytes.data, size, &reason));
        assert_non_null(reason);
    }
    const char *reason;
    hbg_base_buffer_char(&bytes, 0);
    assert_null(restore(f, bytes.data, bytes.size, &reason));
    assert_string_equal(reason, "there is more after its tables");
}

/* Any number that is another one: it is refused, or what comes of it is checked like any model. */
static void what_is_changed_is_refused_or_a_model(void **state) {
    fixture *f = *state;
    static const int32_t others[] = {-2, -1, 0, 1, 2, 3, 7, 100, 1 << 20, INT32_MAX, INT32_MIN};
    fill(f);
    assert_clean(f);
    hbg_buffer bytes = stored(f, f->model, 1);
    int refused = 0, wrong = 0, fine = 0;
    for (size_t at = 0; at + 4 <= bytes.size; at++)
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            char kept[4];
            const char *reason;
            int64_t errors = f->diagnostics.errors;
            memcpy(kept, bytes.data + at, sizeof kept);
            memcpy(bytes.data + at, &others[k], sizeof kept);
            hbg_model *model = restore(f, bytes.data, bytes.size, &reason);
            if (model) hbg_model_check(model);
            refused += !model;
            wrong += model && f->diagnostics.errors > errors;
            fine += model && f->diagnostics.errors == errors;
            memcpy(bytes.data + at, kept, sizeof kept);
        }
    print_message("%d refused, %d with errors, %d fine\n", refused, wrong, fine);
    assert_true(refused > 1000 && wrong > 10 && fine > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_stored_is_restored),
        TEST(experiments_that_are_not_asked_for_are_left_out),
        TEST(a_dimension_that_was_found_is_not_stored),
        TEST(what_is_cut_off_or_has_grown_is_refused),
        TEST(what_is_changed_is_refused_or_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
