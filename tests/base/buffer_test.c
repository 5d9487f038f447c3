/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text under construction. */
#include "fixture_impl.h"

static void a_new_buffer_is_the_empty_text(void **state) {
    fixture *f = *state;
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    assert_string_equal(buffer.data, "");
    hbg_base_buffer_text(&buffer, "");
    hbg_base_buffer_add(&buffer, NULL, 0);
    assert_string_equal(buffer.data, "");
    assert_int_equal(buffer.size, 0);
}

static void pieces_follow_one_another(void **state) {
    fixture *f = *state;
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    hbg_base_buffer_text(&buffer, "C c(");
    hbg_base_buffer_print(&buffer, "%d [%s]", 5, "mF");
    hbg_base_buffer_char(&buffer, ')');
    hbg_base_buffer_add(&buffer, ";\0x", 2);
    assert_int_equal(buffer.size, 13);
    assert_memory_equal(buffer.data, "C c(5 [mF]);\0", 14);
}

static void the_end_is_nul_at_every_size(void **state) {
    fixture *f = *state;
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    for (size_t i = 0; i < 5000; i++) {
        hbg_base_buffer_char(&buffer, (char)('a' + i % 26));
        assert_int_equal(buffer.data[i + 1], '\0');
        assert_int_equal(buffer.size, i + 1);
        /* something in between keeps it from widening in place */
        if (i % 3 == 0) hbg_base_arena_alloc(&f->arena, 1);
    }
    for (size_t i = 0; i < 5000; i++) assert_int_equal(buffer.data[i], 'a' + i % 26);
}

static void a_long_print_is_whole(void **state) {
    fixture *f = *state;
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &f->arena);
    size_t total = 0;
    for (int width = 1; width < 700; width++) {
        hbg_base_buffer_print(&buffer, "%*d", width, 9);
        total += (size_t)width;
        assert_int_equal(buffer.size, total);
        assert_int_equal(strlen(buffer.data), total);
        assert_int_equal(buffer.data[total - 1], '9');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_new_buffer_is_the_empty_text),
        TEST(pieces_follow_one_another),
        TEST(the_end_is_nul_at_every_size),
        TEST(a_long_print_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
