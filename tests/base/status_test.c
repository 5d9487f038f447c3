/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Texts of the status codes. */
#include "fixture_impl.h"

static void every_status_has_a_text_of_its_own(void **state) {
    (void)state;
    static const hbg_status all[] = {
#define EACH(name, value, text) HBG_##name,
        HBG_STATUS_LIST(EACH)
#undef EACH
    };
    int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) {
        assert_true(hbg_status_text(all[i])[0] != '\0');
        for (int j = 0; j < i; j++) assert_string_not_equal(hbg_status_text(all[i]), hbg_status_text(all[j]));
    }
    assert_string_equal(hbg_status_text(HBG_OK), "fine");
}

static void a_number_that_is_no_status_has_a_text(void **state) {
    (void)state;
    assert_string_equal(hbg_status_text((hbg_status)-77), "unknown status");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(a_number_that_is_no_status_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
