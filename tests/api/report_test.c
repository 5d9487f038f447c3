/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The tree of a report: what people read of it, what programs read of it, and that neither reads what is for the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "api/report_impl.h"

/* jansson takes its memory here; the call with this number fails, 0 is none */
static int64_t json_calls, json_fail_at;

static void *json_alloc(size_t size) {
    return ++json_calls == json_fail_at ? NULL : malloc(size);
}

static hbg_session *new_session(int64_t fail_at) {
    hbg_session *session = NULL;
    hbg_session_options options = hbg_session_options_default();
    assert_int_equal(hbg_session_new(&options, &session), HBG_OK);
    if (fail_at > 0) session->memory.fail_at = session->memory.calls + fail_at;
    return session;
}

/* Everything a report can hold. */
static void fill(hbg_api_report *report) {
    static const char *const texts[] = {"a", "b"};
    static const double numbers[] = {0.1, NAN, -2};
    hbg_api_say(report, "%s has %d parts\n", "it", 2);
    hbg_api_text(report, "text", "\"quoted\"");
    hbg_api_text(report, "no_text", NULL);
    hbg_api_number(report, "number", 0.1);
    hbg_api_number(report, "whole", 3);
    hbg_api_number(report, "no_number", INFINITY);
    hbg_api_count(report, "count", 3);
    hbg_api_flag(report, "flag", true);
    hbg_api_json(report, "json", "{\"t\":0.5}");
    hbg_api_json(report, "no_json", NULL);
    hbg_api_report *list = hbg_api_list(report, "list");
    hbg_api_report *inner = hbg_api_object(list, NULL);
    hbg_api_say(report, "after the list\n");
    hbg_api_say(inner, "inside, ");
    hbg_api_say(list, "in the list\n");
    hbg_api_texts(inner, "texts", texts, 2);
    hbg_api_lines(inner, "lines", "one\ntwo");
    hbg_api_numbers(list, NULL, numbers, 3);
    hbg_api_list(report, "empty");
}

static const char expected_text[] = "it has 2 parts\ninside, in the list\nafter the list\n";
static const char expected_json[] = "{\n"
                                    "  \"text\": \"\\\"quoted\\\"\",\n"
                                    "  \"no_text\": null,\n"
                                    "  \"number\": 0.1,\n"
                                    "  \"whole\": 3.0,\n"
                                    "  \"no_number\": null,\n"
                                    "  \"count\": 3,\n"
                                    "  \"flag\": true,\n"
                                    "  \"json\": {\n"
                                    "    \"t\": 0.5\n"
                                    "  },\n"
                                    "  \"no_json\": null,\n"
                                    "  \"list\": [\n"
                                    "    {\n"
                                    "      \"texts\": [\n"
                                    "        \"a\",\n"
                                    "        \"b\"\n"
                                    "      ],\n"
                                    "      \"lines\": [\n"
                                    "        \"one\",\n"
                                    "        \"two\"\n"
                                    "      ]\n"
                                    "    },\n"
                                    "    [\n"
                                    "      0.1,\n"
                                    "      null,\n"
                                    "      -2.0\n"
                                    "    ]\n"
                                    "  ],\n"
                                    "  \"empty\": []\n"
                                    "}\n";

static hbg_status print(hbg_session *session, bool json, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_api_report *report = hbg_api_report_new(session);
    fill(report);
    return hbg_api_session_leave(session, hbg_api_report_print(report, json, text));
}

static void check(bool json, const char *expected) {
    hbg_session *session = new_session(0);
    hbg_text text;
    assert_int_equal(print(session, json, &text), HBG_OK);
    assert_string_equal(text.data, expected);
    assert_int_equal(text.size, strlen(expected));
    hbg_text_free(session, &text);
    hbg_session_free(session);
}

static void people_read_the_words_in_the_order_of_the_tree(void **state) {
    (void)state;
    check(false, expected_text);
}

static void programs_read_the_fields_without_the_words(void **state) {
    (void)state;
    check(true, expected_json);
}

static const char expected_line[] =
    "{\"text\":\"\\\"quoted\\\"\",\"no_text\":null,\"number\":0.1,\"whole\":3,\"no_number\":null,"
    "\"count\":3,\"flag\":true,\"json\":{\"t\":0.5},\"no_json\":null,\"list\":[{\"texts\":[\"a\",\"b\"],"
    "\"lines\":[\"one\",\"two\"]},[0.1,null,-2]],\"empty\":[]}";

/* In an arena of its own, which ends before the session does. */
static void a_line_of_a_log_has_the_same_fields(void **state) {
    (void)state;
    hbg_session *session = new_session(0);
    hbg_arena arena;
    hbg_buffer line, words;
    hbg_base_arena_init(&arena, &session->memory);
    hbg_api_report *report = hbg_api_report_begin(session, &arena);
    fill(report);
    hbg_base_buffer_init(&line, &arena);
    hbg_base_buffer_init(&words, &arena);
    hbg_api_report_put_line(report, &line);
    hbg_api_report_put_words(report, &words);
    assert_string_equal(line.data, expected_line);
    assert_string_equal(words.data, expected_text);
    hbg_base_arena_fini(&arena);
    hbg_session_free(session);
}

static void texts_that_are_no_utf8_are_text_in_json(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"plain", "plain"}, {"", ""},      {"\xC3\xA4", "\xC3\xA4"},
                                           {"a\xFFz", "a?z"},  {"\xC3", "?"}, {"\xE2\x82z", "??z"}};
    hbg_session *session = new_session(0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char expected[64];
        hbg_text text;
        hbg_api_report *report = hbg_api_report_new(session);
        hbg_api_text(report, "key", pairs[i][0]);
        assert_int_equal(hbg_api_report_print(report, true, &text), HBG_OK);
        snprintf(expected, sizeof expected, "{\n  \"key\": \"%s\"\n}\n", pairs[i][1]);
        assert_string_equal(text.data, expected);
        hbg_text_free(session, &text);
    }
    hbg_session_free(session);
}

static void memory_that_runs_out_half_way_is_a_status(void **state) {
    (void)state;
    for (int json = 0; json < 2; json++) {
        int failures = 0;
        for (int64_t fail_at = 1;; fail_at++) {
            hbg_session *session = new_session(fail_at);
            hbg_text text;
            hbg_status status = print(session, json, &text);
            assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
            assert_int_equal(status == HBG_OK, text.data != NULL);
            failures += status != HBG_OK;
            hbg_text_free(session, &text);
            hbg_session_free(session);
            if (status == HBG_OK) break;
        }
        assert_true(failures > 0);
    }
}

static void every_allocation_of_jansson_may_fail(void **state) {
    (void)state;
    json_calls = 0;
    check(true, expected_json);
    int64_t calls = json_calls;
    assert_true(calls > 20);
    for (int64_t i = 1; i <= calls; i++) {
        hbg_session *session = new_session(0);
        hbg_text text;
        json_calls = 0;
        json_fail_at = i;
        hbg_status status = print(session, true, &text);
        json_fail_at = 0;
        assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
        if (status == HBG_OK) hbg_text_free(session, &text);
        hbg_session_free(session);
    }
}

int main(void) {
    json_set_alloc_funcs(json_alloc, free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_read_the_words_in_the_order_of_the_tree),
        cmocka_unit_test(programs_read_the_fields_without_the_words),
        cmocka_unit_test(a_line_of_a_log_has_the_same_fields),
        cmocka_unit_test(texts_that_are_no_utf8_are_text_in_json),
        cmocka_unit_test(memory_that_runs_out_half_way_is_a_status),
        cmocka_unit_test(every_allocation_of_jansson_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
