/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sessions: options, warnings, memory, and that two of them do not notice each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/api_impl.h"

static const char good[] = "model M { Se s(1 [V]); R r(1 [Ohm]); s -> r; }";
static const char warned[] = "model M { param unused = 1; }";
static const char wrong[] = "model M { Se s(unknown); }";

static hbg_session *new_session(const hbg_session_options *options) {
    hbg_session *session = NULL;
    assert_int_equal(hbg_session_new(options, &session), HBG_OK);
    return session;
}

static hbg_status load(hbg_session *session, const char *text) {
    hbg_model *model;
    hbg_status status = hbg_load_text(session, "test.hbg", text, strlen(text), NULL, &model);
    assert_int_equal(model != NULL, status == HBG_OK);
    return status;
}

static void the_version_is_that_of_the_header(void **state) {
    (void)state;
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", HBG_VERSION_MAJOR, HBG_VERSION_MINOR, HBG_VERSION_PATCH);
    assert_string_equal(hbg_version(), text);
}

static void a_session_can_be_freed_at_once(void **state) {
    (void)state;
    hbg_session_free(new_session(NULL));
    hbg_session_free(NULL);
}

static void a_warning_can_be_turned_off_by_name(void **state) {
    (void)state;
    hbg_session *session = new_session(NULL);
    assert_int_equal(hbg_session_disable_warning(session, "no-such-warning"), HBG_NOT_FOUND);
    assert_int_equal(hbg_session_disable_warning(session, ""), HBG_NOT_FOUND);
    assert_int_equal(load(session, warned), HBG_OK);
    assert_int_equal(hbg_warning_count(session), 1);
    assert_int_equal(hbg_session_disable_warning(session, "unused-parameter"), HBG_OK);
    assert_int_equal(load(session, warned), HBG_OK);
    assert_int_equal(hbg_warning_count(session), 1);
    hbg_session_free(session);
}

static void warnings_can_be_errors(void **state) {
    (void)state;
    hbg_session_options options = hbg_session_options_default();
    options.warnings_are_errors = true;
    hbg_session *session = new_session(&options);
    assert_int_equal(load(session, good), HBG_OK);
    assert_int_equal(load(session, warned), HBG_BAD_MODEL);
    assert_int_equal(hbg_error_count(session), 1);
    assert_int_equal(hbg_warning_count(session), 0);
    hbg_session_free(session);
}

static void all_warnings_have_a_name_and_a_meaning(void **state) {
    (void)state;
    hbg_session *session = new_session(NULL);
    const char *summary, *name;
    int count = 0;
    for (; (name = hbg_warning_name(count, &summary)) != NULL; count++) {
        assert_true(strlen(name) > 3 && strlen(summary) > 3);
        assert_int_equal(hbg_session_disable_warning(session, name), HBG_OK);
    }
    int warnings = 0;
    for (int id = 0; id < HBG_DIAGNOSTIC_COUNT; id++)
        warnings += hbg_base_diagnostic_kind_get(id)->severity == HBG_WARNING;
    assert_int_equal(count, warnings);
    assert_null(hbg_warning_name(1000, NULL));
    hbg_session_free(session);
}

static void the_memory_limit_is_kept(void **state) {
    (void)state;
    hbg_session_options options = hbg_session_options_default();
    options.memory_limit = 1 << 20;
    hbg_session *session = new_session(&options);
    static char text[400000];
    int size = snprintf(text, sizeof text, "model M {\n");
    for (int i = 0; i < 20000; i++) size += snprintf(text + size, sizeof text - (size_t)size, "0 n%d;\n", i);
    size += snprintf(text + size, sizeof text - (size_t)size, "}\n");
    assert_int_equal(load(session, text), HBG_NO_MEMORY);
    assert_true(hbg_session_peak_memory(session) <= (size_t)1 << 20);
    // the session is still of use
    assert_int_equal(load(session, good), HBG_OK);
    hbg_session_free(session);
}

static void a_session_too_small_for_itself_is_refused(void **state) {
    (void)state;
    hbg_session_options options = hbg_session_options_default();
    options.memory_limit = 100;
    hbg_session *session = (hbg_session *)&options;
    assert_int_equal(hbg_session_new(&options, &session), HBG_NO_MEMORY);
    assert_null(session);
}

static void two_sessions_do_not_notice_each_other(void **state) {
    (void)state;
    hbg_session *one = new_session(NULL), *two = new_session(NULL);
    assert_int_equal(load(one, wrong), HBG_BAD_MODEL);
    assert_int_equal(load(two, good), HBG_OK);
    assert_int_equal(hbg_error_count(two), 0);
    hbg_session_free(one);
    assert_int_equal(load(two, warned), HBG_OK);
    assert_int_equal(hbg_warning_count(two), 1);
    hbg_session_free(two);
}

static void the_search_list_may_be_forgotten(void **state) {
    (void)state;
    hbg_session *session;
    {
        char folder[] = HBG_SOURCE_DIR "/lib";
        const char *const search[] = {folder};
        hbg_session_options options = hbg_session_options_default();
        options.search = search;
        options.search_count = 1;
        session = new_session(&options);
        memset(folder, 'x', sizeof folder - 1);
    }
    assert_int_equal(
        load(session, "import \"electrical.hbg\"; model M { Se s(1 [V]); R r(1 [Ohm]); s -> r; }"), HBG_OK);
    hbg_session_free(session);
}

static void a_failed_call_has_a_reason_and_the_next_has_none(void **state) {
    (void)state;
    hbg_session *session = new_session(NULL);
    hbg_text text;
    assert_string_equal(hbg_session_reason(session), "");
    assert_int_equal(hbg_read_file(session, "no/such/file", &text), HBG_CANNOT_READ);
    assert_true(strlen(hbg_session_reason(session)) > 3);
    assert_int_equal(load(session, good), HBG_OK);
    assert_string_equal(hbg_session_reason(session), "");
    hbg_session_free(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(a_session_can_be_freed_at_once),
        cmocka_unit_test(a_warning_can_be_turned_off_by_name),
        cmocka_unit_test(warnings_can_be_errors),
        cmocka_unit_test(all_warnings_have_a_name_and_a_meaning),
        cmocka_unit_test(the_memory_limit_is_kept),
        cmocka_unit_test(a_session_too_small_for_itself_is_refused),
        cmocka_unit_test(two_sessions_do_not_notice_each_other),
        cmocka_unit_test(the_search_list_may_be_forgotten),
        cmocka_unit_test(a_failed_call_has_a_reason_and_the_next_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
