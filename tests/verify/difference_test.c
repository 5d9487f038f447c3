/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every difference between 003's process and hbg has its code and its row in the manual. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <string.h>

#include "verify/verify.h"

static void every_difference_is_in_the_manual(void **state) {
    (void)state;
    static char text[200000];
    FILE *file = fopen(HBG_SOURCE_DIR "/docs/processes.md", "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size > 0 && size < sizeof text - 1);
    assert_int_equal(HBG_DIFFERENCE_COUNT, 17);
    for (int i = 0; i < HBG_DIFFERENCE_COUNT; i++) {
        char row[400];
        hbg_difference of = (hbg_difference)i;
        snprintf(row, sizeof row, "| D%d | %s | %s |", i + 1, hbg_verify_difference_paper(of),
                 hbg_verify_difference_own(of));
        if (!strstr(text, row)) fail_msg("there is no row %s", row);
        snprintf(row, sizeof row, "D%d", i + 1);
        assert_string_equal(hbg_verify_difference_code(of), row);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_difference_is_in_the_manual)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
