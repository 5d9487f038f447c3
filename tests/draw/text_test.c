/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text metrics: sums of advance widths, cutting and breaking at characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "draw/draw.h"

static void assert_width(const char *text, double size, bool bold, double expected) {
    double width = hbg_draw_text_width(text, size, bold);
    assert_true(width > expected - 1e-9 && width < expected + 1e-9);
}

/* DejaVu Sans: 0 has 0.636 em, i 0.278, M 0.863; bold 0 has 0.696. */
static void width_is_the_sum_of_advances(void **state) {
    (void)state;
    assert_width("", 10, false, 0);
    assert_width("000", 10, false, 19.08);
    assert_width("000", 10, true, 20.88);
    assert_width("iM", 100, false, 114.1);
}

static void a_character_outside_ascii_counts_as_one_em(void **state) {
    (void)state;
    assert_width("Ω", 10, false, 10);
    assert_width("→😀", 10, true, 20);
}

static void text_that_fits_is_kept(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    assert_string_equal(hbg_draw_text_fit(&arena, "000", 10, false, 19.1), "000");
    assert_string_equal(hbg_draw_text_fit(&arena, "a\nb\tc", 10, false, 100), "a b c");
    hbg_base_arena_fini(&arena);
}

static void text_that_does_not_fit_ends_in_an_ellipsis(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    /* 6.36 a digit, 10 for the ellipsis: 30 hold three digits and it, 29 two */
    assert_string_equal(hbg_draw_text_fit(&arena, "000000", 10, false, 30), "000…");
    assert_string_equal(hbg_draw_text_fit(&arena, "000000", 10, false, 29), "00…");
    assert_string_equal(hbg_draw_text_fit(&arena, "ΩΩΩΩ", 10, false, 35), "ΩΩ…");
    assert_string_equal(hbg_draw_text_fit(&arena, "000", 10, false, 0), "…");
    hbg_base_arena_fini(&arena);
}

static void lines_break_at_spaces(void **state) {
    (void)state;
    /* a has 6.13, a space 3.18: "aa aa" is 27.7 wide */
    assert_int_equal(hbg_draw_text_break("aa aa", 10, false, 28), 5);
    assert_int_equal(hbg_draw_text_break("aa aa", 10, false, 27), 2);
    assert_int_equal(hbg_draw_text_break("aa\naa", 10, false, 100), 2);
    assert_int_equal(hbg_draw_text_break("aaaaaa", 10, false, 19), 3);
}

static void every_break_makes_progress(void **state) {
    (void)state;
    assert_int_equal(hbg_draw_text_break("aaa", 10, false, 1), 1);
    assert_int_equal(hbg_draw_text_break("ΩΩ", 10, false, 1), 2);
    assert_int_equal(hbg_draw_text_break("\nx", 10, false, 50), 1);
    assert_int_equal(hbg_draw_text_break(" aaaaaa", 10, false, 5), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_is_the_sum_of_advances),
        cmocka_unit_test(a_character_outside_ascii_counts_as_one_em),
        cmocka_unit_test(text_that_fits_is_kept),
        cmocka_unit_test(text_that_does_not_fit_ends_in_an_ellipsis),
        cmocka_unit_test(lines_break_at_spaces),
        cmocka_unit_test(every_break_makes_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
