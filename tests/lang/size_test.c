/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The size of a model is counted before it is made. */
#include "lang/fixture_impl.h"

/* L0 with `leaf` inside, each further level with two of the one before. */
static const char *doubling(fixture *f, int levels, const char *leaf) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_print(&text, "component L0 { %s }\n", leaf);
    for (int i = 1; i <= levels; i++)
        hbg_base_buffer_print(&text, "component L%d { L%d x; L%d y; }\n", i, i - 1, i - 1);
    hbg_base_buffer_print(&text, "model M { L%d top; }\n", levels);
    return text.data;
}

static void doubling_sixty_times_is_refused_without_doubling(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, doubling(f, 60, "param p = 1;")));
    assert_int_equal(f->diagnostics.errors, 1);
    // L0 counts 2 (itself and its parameter), level n counts 3 and twice the level before: 5·2^n - 3
    assert_diagnostic(f, "E0004", 21, "`L20` would have 5242877 objects, more than 4000000");
    assert_true(f->memory.peak < (size_t)1 << 20);
}

static void what_fits_is_made(void **state) {
    fixture *f = *state;
    hbg_model *m = read_good(f, doubling(f, 10, "param p = 1; signal s = p;"));
    assert_int_equal(m->params.count, 1024);
    assert_int_equal(m->scopes.count, 2048);
}

static void a_component_that_contains_itself_is_counted_once(void **state) {
    fixture *f = *state;
    assert_null(read_any(f, "component A { B b; B c; }\ncomponent B { A a; A d; }\nmodel M { A a; }"));
    assert_null(find_diagnostic(f, "E0004", 0, ""));
    assert_diagnostic(f, "E0305", 2, "contains itself");
}

static void many_levels_need_no_stack(void **state) {
    fixture *f = *state;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "component L0 { }\n");
    for (int i = 1; i <= 30000; i++) hbg_base_buffer_print(&text, "component L%d { L%d x; }\n", i, i - 1);
    hbg_base_buffer_text(&text, "model M { L30000 top; }\n");
    assert_null(read_any(f, text.data));
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0202", 0, "nested deeper than 100");
}

static void what_the_model_does_not_use_is_not_counted(void **state) {
    fixture *f = *state;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &f->arena);
    hbg_base_buffer_text(&text, "model First { param p = 1; signal s = p; }\n");
    hbg_base_buffer_text(&text, doubling(f, 60, "param p = 1;"));
    read_good(f, text.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(doubling_sixty_times_is_refused_without_doubling), TEST(what_fits_is_made),
        TEST(a_component_that_contains_itself_is_counted_once), TEST(many_levels_need_no_stack),
        TEST(what_the_model_does_not_use_is_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
