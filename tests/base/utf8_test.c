/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * UTF-8 against the table of well-formed sequences (Unicode, table 3-7), which is written out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/base.h"

/* Well formed by the table: the range of the second byte depends on the first. */
static size_t by_table(const unsigned char *b) {
    static const struct {
        unsigned char first, last, low, high;
        size_t length;
    } rows[] = {
        {0x00, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (b[0] < rows[i].first || b[0] > rows[i].last || b[1] < rows[i].low || b[1] > rows[i].high)
            continue;
        for (size_t k = 2; k < rows[i].length; k++)
            if (b[k] < 0x80 || b[k] > 0xBF) return 0;
        return rows[i].length;
    }
    return 0;
}

static void every_first_and_second_byte_is_judged_as_in_the_table(void **state) {
    (void)state;
    static const unsigned char tails[][2] = {
        {0x80, 0x80}, {0xBF, 0xBF}, {0x80, 0x7F}, {0x7F, 0x80}, {0x80, 0xC0}};
    for (int first = 0; first < 256; first++)
        for (int second = 0; second < 256; second++)
            for (size_t t = 0; t < sizeof tails / sizeof *tails; t++) {
                unsigned char bytes[] = {(unsigned char)first, (unsigned char)second, tails[t][0],
                                         tails[t][1]};
                assert_int_equal(hbg_base_utf8_length((const char *)bytes, 4), by_table(bytes));
            }
}

static void a_sequence_cut_short_is_none(void **state) {
    (void)state;
    const char *euro = "\xE2\x82\xAC", *clef = "\xF0\x9D\x84\x9E";
    for (size_t left = 0; left < 3; left++) assert_int_equal(hbg_base_utf8_length(euro, left), 0);
    assert_int_equal(hbg_base_utf8_length(euro, 3), 3);
    for (size_t left = 0; left < 4; left++) assert_int_equal(hbg_base_utf8_length(clef, left), 0);
    assert_int_equal(hbg_base_utf8_length(clef, 4), 4);
}

static void control_characters_are_found_in_both_ranges(void **state) {
    (void)state;
    assert_true(hbg_base_utf8_is_control("\033"));
    assert_true(hbg_base_utf8_is_control("\x7F"));
    assert_true(hbg_base_utf8_is_control("\xC2\x9B")); // CSI in one character
    assert_false(hbg_base_utf8_is_control("\xC2\xA0"));
    assert_false(hbg_base_utf8_is_control(" "));
    assert_false(hbg_base_utf8_is_control("\xC3\x9B"));
}

static void what_steers_a_terminal_becomes_question_marks(void **state) {
    (void)state;
    static const struct {
        const char *text, *line, *lines;
    } cases[] = {{"plain µ\u5B57", "plain µ\u5B57", "plain µ\u5B57"},
                 {"a\033[31mb", "a?[31mb", "a?[31mb"},
                 {"a\x9Bz", "a?z", "a?z"}, // no UTF-8
                 {"a\xC2\x9Bz", "a??z", "a??z"},
                 {"a\u202Eb\u2066c\u061C", "a???b???c??", "a???b???c??"},
                 {"one\ntwo\rthree", "one?two?three", "one\ntwo?three"},
                 {"\u05D0 \u0627", "\u05D0 \u0627", "\u05D0 \u0627"}, // letters that run from right to left
                 {"", "", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        strcpy(text, cases[i].text);
        assert_string_equal(hbg_base_utf8_clean(text, false), cases[i].line);
        strcpy(text, cases[i].text);
        assert_string_equal(hbg_base_utf8_clean(text, true), cases[i].lines);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_first_and_second_byte_is_judged_as_in_the_table),
        cmocka_unit_test(a_sequence_cut_short_is_none),
        cmocka_unit_test(control_characters_are_found_in_both_ranges),
        cmocka_unit_test(what_steers_a_terminal_becomes_question_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
