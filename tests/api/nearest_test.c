/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The word that was meant, through the public header. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "hbg/hbg.h"

static const char *const words[] = {"check", "causality", "draw", "fmt"};

static void slip_of_the_pen_finds_the_word(void **state) {
    (void)state;
    assert_string_equal(hbg_nearest_word("chekc", words, 4), "check");
    assert_string_equal(hbg_nearest_word("causalty", words, 4), "causality");
    assert_string_equal(hbg_nearest_word("Draw", words, 4), "draw");
}

static void another_word_finds_none(void **state) {
    (void)state;
    assert_null(hbg_nearest_word("simulate", words, 4));
    assert_null(hbg_nearest_word("", words, 4));
    assert_null(hbg_nearest_word("check", words, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slip_of_the_pen_finds_the_word),
        cmocka_unit_test(another_word_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
