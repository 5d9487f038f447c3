/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every status has its text, every verdict its name. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "rt/search.h"

static void each_status_has_a_text_of_its_own(void **state) {
    (void)state;
    for (int a = 0; a < HBG_RT_STATUS_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(hbg_rt_status_text((hbg_rt_status)a),
                                    hbg_rt_status_text((hbg_rt_status)b));
    assert_string_equal(hbg_rt_status_text(HBG_RT_OK), "fine");
    assert_string_equal(hbg_rt_status_text(HBG_RT_VERDICT), "the switching of the model is not consistent");
}

static void what_is_no_status_is_called_unknown(void **state) {
    (void)state;
    assert_string_equal(hbg_rt_status_text(HBG_RT_STATUS_COUNT), "unknown status");
    assert_string_equal(hbg_rt_status_text((hbg_rt_status)-1), "unknown status");
}

static void each_verdict_has_a_name_of_its_own(void **state) {
    (void)state;
    for (int a = 0; a < HBG_RT_VERDICT_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(hbg_rt_verdict_name((hbg_rt_verdict)a),
                                    hbg_rt_verdict_name((hbg_rt_verdict)b));
    assert_string_equal(hbg_rt_verdict_name(HBG_RT_FINE), "none");
    assert_string_equal(hbg_rt_verdict_name(HBG_RT_TEMPORAL_EVOLUTION), "temporal-evolution");
    assert_string_equal(hbg_rt_verdict_name(HBG_RT_VERDICT_COUNT), "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status_has_a_text_of_its_own),
        cmocka_unit_test(what_is_no_status_is_called_unknown),
        cmocka_unit_test(each_verdict_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
