/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Texts of the status codes, and what else hbg/status.h lists. */
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

static void an_answer_has_a_word_and_an_exit_code(void **state) {
    (void)state;
    assert_string_equal(hbg_answer_text(HBG_PROVED), "proved");
    assert_string_equal(hbg_answer_text(HBG_VIOLATED), "violated");
    assert_string_equal(hbg_answer_text(HBG_NOT_DECIDED), "not decided");
    assert_int_equal(hbg_answer_exit(HBG_PROVED), 0);
    assert_int_equal(hbg_answer_exit(HBG_VIOLATED), 1);
    assert_int_equal(hbg_answer_exit(HBG_NOT_DECIDED), 4);
}

static void the_end_of_a_run_has_a_word_and_an_exit_code(void **state) {
    (void)state;
    assert_string_equal(hbg_run_end_text(HBG_RUN_FINISHED), "finished");
    assert_string_equal(hbg_run_end_text(HBG_RUN_NOT_FINISHED), "not finished");
    assert_string_equal(hbg_run_end_text(HBG_RUN_INTERRUPTED), "interrupted");
    assert_int_equal(hbg_run_end_exit(HBG_RUN_FINISHED), 0);
    assert_int_equal(hbg_run_end_exit(HBG_RUN_NOT_FINISHED), 3);
    assert_int_equal(hbg_run_end_exit(HBG_RUN_INTERRUPTED), 130);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(a_number_that_is_no_status_has_a_text),
        cmocka_unit_test(an_answer_has_a_word_and_an_exit_code),
        cmocka_unit_test(the_end_of_a_run_has_a_word_and_an_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
