/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations that only outputs and powers read are located once, where a run asks for it, and are nobody else's. */
#include "rt/known_roots_impl.h"

static int32_t count_located(const char *text) {
    fixture f;
    fixture_begin(&f, text);
    int32_t count = hbg_code_image(f.code)->pool.located.count;
    fixture_close(&f);
    return count;
}

static void a_relation_is_located_once_and_only_where_it_is_read(void **state) {
    static const char *const head =
        "model M { state x = 1 : der = -x; signal y = x > 0.5 ? 1 : 0, z = x > 0.5 ? x : 0;";
    char text[400];
    (void)state;
    snprintf(text, sizeof text, "%s experiment e { stop 1; record y, z; } }", head);
    assert_int_equal(count_located(text), 1);
    snprintf(text, sizeof text, "%s experiment e { stop 1; record x; } }", head);
    assert_int_equal(count_located(text), 0);
}

/* A relation that a rate reads as well is the field's: there the run goes on with another law. */
static void what_a_rate_reads_is_not_aside(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { state x = 1 : der = x > 0.5 ? -1 : -2; signal y = x > 0.5 ? 1 : 0, z = x > 0.25 ? 1 : 0;"
        " experiment e { stop 1; record y, z; } }");
    assert_int_equal(hbg_code_image(f.code)->pool.located.count, 2);
    assert_false(hbg_rt_is_aside(f.run, 0));
    assert_true(hbg_rt_is_aside(f.run, 1));
    hbg_rt_locate_aside(f.run, false, false);
    assert_false(hbg_rt_locates(f.run, HBG_RT_OUTPUTS));
    hbg_rt_locate_aside(f.run, true, false);
    assert_true(hbg_rt_locates(f.run, HBG_RT_OUTPUTS));
    assert_false(hbg_rt_locates(f.run, HBG_RT_POWERS));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_relation_is_located_once_and_only_where_it_is_read),
        cmocka_unit_test(what_a_rate_reads_is_not_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
