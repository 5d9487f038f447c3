/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with units outside of models. */
#include "lang/lang.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, double value) {
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    hbg_units *units = hbg_lang_units_new();
    const char *reason;
    double read;
    hbg_dimension dimension;
    bool fine = hbg_lang_quantity(units, &arena, text, strlen(text), &read, &dimension, &reason);
    if (fine != !isnan(value) || (fine && read != value)) fail_msg("%s: %g, %s", text, read, reason);
    hbg_lang_units_free(units);
    hbg_base_arena_fini(&arena);
}

static void units_follow_at_once_or_in_brackets(void **state) {
    (void)state;
    expect("3ms", 3e-3);
    expect("3 [ms]", 3e-3);
    expect(" 7.5 us ", 7.5e-6);
    expect("-2", -2);
    expect("1e-3", 1e-3);
    expect("1e-3 h", 3.6);
    expect("0.5", 0.5);
}

static void what_is_no_number_with_a_unit_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "ms", "3 foo", "3 [", "1..2", "--1", "1e999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) expect(wrong[i], NAN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_follow_at_once_or_in_brackets),
        cmocka_unit_test(what_is_no_number_with_a_unit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
