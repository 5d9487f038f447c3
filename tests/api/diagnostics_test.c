/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics as people and programs read them. The expected texts were written by hand after the form at the
 * head of diagnostics.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "hbg/hbg.h"

/* What is told about the text; the caller frees it. */
static char *told_of(const char *path, const char *text, bool colour) {
    hbg_session *session;
    hbg_model *model;
    hbg_text told;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    hbg_status status = hbg_load_text(session, path, text, strlen(text), NULL, &model);
    assert_true(status == HBG_OK || status == HBG_BAD_MODEL);
    assert_int_equal(hbg_diagnostics_text(session, colour, &told), HBG_OK);
    assert_int_equal(strlen(told.data), told.size);
    char *copy = strdup(told.data);
    hbg_text_free(session, &told);
    hbg_session_free(session);
    return copy;
}

static void check(const char *text, const char *expected) {
    char *told = told_of("diode.hbg", text, false);
    assert_string_equal(told, expected);
    free(told);
}

static void an_error_shows_place_line_mark_and_help(void **state) {
    (void)state;
    check("model M {\n"
          "    Se s(1 [V]);\n"
          "    0 node;\n"
          "    s -> nod;\n"
          "}\n",
          "error[E0301]: nothing here is called `nod`\n"
          " --> diode.hbg:4:10\n"
          "4 |     s -> nod;\n"
          "  |          ^^^\n"
          "  = help: did you mean `node`?\n"
          "\n");
}

static void a_note_shows_the_other_place(void **state) {
    (void)state;
    check("model M {\n"
          "    param a = 1;\n"
          "\n\n\n\n\n\n\n"
          "    param a = 2;\n"
          "    signal s = a;\n"
          "}\n",
          "error[E0302]: `a` is declared twice\n"
          "  --> diode.hbg:10:11\n"
          "10 |     param a = 2;\n"
          "   |           ^\n"
          " 2 |     param a = 1;\n"
          "   |           - it was declared here before\n"
          "\n");
}

static void a_warning_shows_its_name(void **state) {
    (void)state;
    check("model M { param p = 1; }", "warning[W0704]: parameter `p` is never used [unused-parameter]\n"
                                      " --> diode.hbg:1:17\n"
                                      "1 | model M { param p = 1; }\n"
                                      "  |                 ^\n"
                                      "\n");
}

static void what_is_nowhere_has_no_place(void **state) {
    (void)state;
    check("", "error[E0306]: `diode.hbg` declares no model\n"
              "  = help: write `model NAME { … }`\n"
              "\n");
}

static void tabs_and_foreign_letters_keep_the_mark_in_place(void **state) {
    (void)state;
    check("model M {\n"
          "\tparam \xC3\xA4 = 1; /* \xE2\x82\xAC */ signal s = x;\n"
          "}\n",
          "error[E0101]: the language has no character `\xC3\xA4`\n"
          " --> diode.hbg:2:8\n"
          "2 |     param \xC3\xA4 = 1; /* \xE2\x82\xAC */ signal s = x;\n"
          "  |           ^\n"
          "  = help: names are made of ASCII letters, digits and `_`\n"
          "\n");
}

static void errors_come_in_the_order_of_the_text(void **state) {
    (void)state;
    char *told = told_of(
        "m.hbg",
        "model M {\n    signal a = x1;\n    Se s(x2);\n    signal b = x3;\n    R r(x4);\n    s -> r;\n}\n",
        false);
    const char *at = told;
    for (int line = 2; line <= 5; line++) {
        char place[20];
        snprintf(place, sizeof place, "m.hbg:%d:", line);
        const char *found = strstr(at, place);
        assert_non_null(found);
        at = found;
    }
    free(told);
}

static void control_characters_never_reach_the_terminal(void **state) {
    (void)state;
    char *told = told_of("bad\033[31m\xFF.hbg", "model M {\n    \033[31m \x7F \xC2\x9B x;\n}\n", false);
    for (const char *at = told; *at; at++) {
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        assert_false((unsigned char)at[0] == 0xC2 && (unsigned char)at[1] < 0xA0);
        assert_true((unsigned char)*at != 0xFF && *at != 0x7F);
    }
    free(told);
}

static void colour_is_all_that_differs(void **state) {
    (void)state;
    static const char text[] = "model M {\n    param a = 1;\n    param a = 2;\n    signal s = b;\n}\n";
    char *plain = told_of("m.hbg", text, false), *painted = told_of("m.hbg", text, true);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strchr(painted, '\033'));
    char *out = painted; // without its escapes it is the plain one
    for (const char *at = painted; *at; at++) {
        if (*at == '\033')
            at = strchr(at, 'm');
        else
            *out++ = *at;
    }
    *out = 0;
    assert_string_equal(painted, plain);
    free(plain);
    free(painted);
}

static void json_says_the_same(void **state) {
    (void)state;
    static const char text[] = "model M {\n    param a = 1;\n    param a = 2;\n    signal s = bb; /* "
                               "\xC3\xA4 */ signal t = bb;\n}\n";
    hbg_session *session;
    hbg_model *model;
    hbg_text told;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_load_text(session, "m.hbg", text, strlen(text), NULL, &model), HBG_BAD_MODEL);
    assert_int_equal(hbg_diagnostics_json(session, &told), HBG_OK);
    json_t *json = json_loads(told.data, 0, NULL);
    assert_non_null(json);
    assert_int_equal(json_integer_value(json_object_get(json, "errors")), 3);
    assert_int_equal(json_integer_value(json_object_get(json, "warnings")), 0);
    const json_t *list = json_object_get(json, "diagnostics");
    assert_int_equal(json_array_size(list), 3);
    const json_t *first = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_object_get(first, "code")), "E0302");
    assert_string_equal(json_string_value(json_object_get(first, "severity")), "error");
    assert_string_equal(json_string_value(json_object_get(first, "file")), "m.hbg");
    assert_int_equal(json_integer_value(json_object_get(first, "line")), 3);
    assert_int_equal(json_integer_value(json_object_get(first, "column")), 11);
    assert_int_equal(json_integer_value(json_object_get(first, "bytes")), 1);
    const json_t *note = json_array_get(json_object_get(first, "notes"), 0);
    assert_int_equal(json_integer_value(json_object_get(note, "line")), 2);
    // columns count characters
    const json_t *last = json_array_get(list, 2);
    assert_int_equal(json_integer_value(json_object_get(last, "column")), 39);
    json_decref(json);
    hbg_text_free(session, &told);
    hbg_session_free(session);
}

static void json_of_nothing_is_an_empty_list(void **state) {
    (void)state;
    hbg_session *session;
    hbg_text told;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_diagnostics_json(session, &told), HBG_OK);
    json_t *json = json_loads(told.data, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(json, "diagnostics")), 0);
    json_decref(json);
    hbg_text_free(session, &told);
    assert_int_equal(hbg_diagnostics_text(session, true, &told), HBG_OK);
    assert_int_equal(told.size, 0);
    assert_string_equal(told.data, "");
    hbg_text_free(session, &told);
    hbg_session_free(session);
}

static void what_is_beyond_the_limit_is_counted(void **state) {
    (void)state;
    static char text[60000];
    int size = snprintf(text, sizeof text, "model M {\n");
    for (int i = 0; i < 1500; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "signal s%d = x%d;\n", i, i);
    snprintf(text + size, sizeof text - (size_t)size, "}\n");
    char *told = told_of("m.hbg", text, false);
    assert_non_null(strstr(told, "… and 500 more errors\n"));
    free(told);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_shows_place_line_mark_and_help),
        cmocka_unit_test(a_note_shows_the_other_place),
        cmocka_unit_test(a_warning_shows_its_name),
        cmocka_unit_test(what_is_nowhere_has_no_place),
        cmocka_unit_test(tabs_and_foreign_letters_keep_the_mark_in_place),
        cmocka_unit_test(errors_come_in_the_order_of_the_text),
        cmocka_unit_test(control_characters_never_reach_the_terminal),
        cmocka_unit_test(colour_is_all_that_differs),
        cmocka_unit_test(json_says_the_same),
        cmocka_unit_test(json_of_nothing_is_an_empty_list),
        cmocka_unit_test(what_is_beyond_the_limit_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
