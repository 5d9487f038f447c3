/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lexer: tokens with their places, separators, and what it says about characters it does not know. */
#include "lang/fixture_impl.h"

static hbg_lexer lexer_of(fixture *f, const char *text) {
    int32_t source = hbg_base_sources_add(&f->sources, "test.hbg", text, strlen(text));
    hbg_lexer lexer;
    hbg_lang_lexer_init(&lexer, &f->lang, &f->sources.items.items[source]);
    return lexer;
}

/* The texts of all tokens with a bar between them. */
static const char *tokens_of(fixture *f, const char *text) {
    hbg_lexer lexer = lexer_of(f, text);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &f->arena);
    for (hbg_token token = hbg_lang_lexer_next(&lexer); token.kind != TOKEN_END;
         token = hbg_lang_lexer_next(&lexer)) {
        if (out.size > 0) hbg_base_buffer_char(&out, '|');
        hbg_base_buffer_add(&out, text + (token.span.start - lexer.base), token.span.end - token.span.start);
    }
    return out.data;
}

static void the_longer_punctuation_wins(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "a->b"), "a|->|b");
    assert_string_equal(tokens_of(f, "a- >b"), "a|-|>|b");
    assert_string_equal(tokens_of(f, "a<=b<c>=d>e==g!=!h=i"), "a|<=|b|<|c|>=|d|>|e|==|g|!=|!|h|=|i");
    assert_string_equal(tokens_of(f, "a&&b||c"), "a|&&|b||||c");
    assert_string_equal(tokens_of(f, "{[(,;:.+-*/%^?)]}"), "{|[|(|,|;|:|.|+|-|*|/|%|^|?|)|]|}");
    assert_int_equal(f->diagnostics.errors, 0);
}

static void numbers_end_where_they_end(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "12 1.5 .5 7. 7.5e-6 1E+3 0"), "12|1.5|.5|7.|7.5e-6|1E+3|0");
    assert_string_equal(tokens_of(f, "1-2"), "1|-|2");
    assert_string_equal(tokens_of(f, "1.2.3"), "1.2|.3");
    assert_string_equal(tokens_of(f, "a.b.c"), "a|.|b|.|c");
    assert_int_equal(f->diagnostics.errors, 0);
}

static void a_word_glued_to_a_number_is_one_mistake(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "5mH"), "5mH");
    assert_diagnostic(f, "E0102", 1, "`5 [mH]`");
    tokens_of(f, "0x1F");
    assert_diagnostic(f, "E0102", 1, "decimal");
    tokens_of(f, "2e");
    assert_diagnostic(f, "E0102", 1, "an exponent has digits");
    assert_int_equal(f->diagnostics.errors, 3);
}

static void separators_are_blanks_line_ends_and_comments(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "a\t\r\n\f\vb // c d\n/* e\n * f */g/**/h"), "a|b|g|h");
    assert_string_equal(tokens_of(f, "a / b // c"), "a|/|b");
    assert_string_equal(tokens_of(f, ""), "");
    assert_string_equal(tokens_of(f, "// only a comment"), "");
    assert_int_equal(f->diagnostics.errors, 0);
}

static void a_comment_without_end_is_told_once(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "a /* b\nc /* d"), "a");
    assert_diagnostic(f, "E0104", 1, "`*/`");
    assert_int_equal(f->diagnostics.errors, 1);
}

static void a_text_ends_on_its_line(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "\"a // b\" c"), "\"a // b\"|c");
    assert_string_equal(tokens_of(f, "\"a\nb"), "\"a|b");
    assert_diagnostic(f, "E0103", 1, "on the same line");
    assert_string_equal(tokens_of(f, "\""), "\"");
    assert_int_equal(f->diagnostics.errors, 2);
}

static void a_byte_order_mark_is_passed_over(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "\xEF\xBB\xBFmodel"), "model");
    assert_int_equal(f->diagnostics.errors, 0);
}

static void a_run_of_foreign_letters_is_one_mistake(void **state) {
    fixture *f = *state;
    assert_string_equal(tokens_of(f, "a \xC3\xA4\xC3\xB6\xC3\xBC b"), "a|b");
    assert_int_equal(f->diagnostics.errors, 1);
    assert_diagnostic(f, "E0101", 1, "`\xC3\xA4`");
    hbg_place place;
    assert_true(hbg_base_sources_place(&f->sources, f->diagnostics.items.items[0].span, &place));
    assert_int_equal(place.column, 3);
    assert_int_equal(place.mark_size, 6);
}

static void looking_ahead_says_nothing(void **state) {
    fixture *f = *state;
    hbg_lexer lexer = lexer_of(f, "$ 5x \"a");
    lexer.quiet = true;
    while (hbg_lang_lexer_next(&lexer).kind != TOKEN_END) continue;
    assert_int_equal(f->diagnostics.errors, 0);
    assert_int_equal(lexer.unknown, 0);
}

static void a_unit_is_read_to_its_bracket(void **state) {
    fixture *f = *state;
    hbg_lexer lexer = lexer_of(f, "[kg m-1/s^2 %] x [V; y");
    hbg_token unit = hbg_lang_lexer_unit(&lexer, hbg_lang_lexer_next(&lexer));
    assert_int_equal(unit.kind, TOKEN_UNIT);
    assert_int_equal(unit.span.end - unit.span.start, strlen("[kg m-1/s^2 %]"));
    assert_int_equal(hbg_lang_lexer_next(&lexer).kind, TOKEN_NAME);
    hbg_lang_lexer_unit(&lexer, hbg_lang_lexer_next(&lexer));
    assert_diagnostic(f, "E0201", 1, "no closing `]`");
    assert_int_equal(hbg_lang_lexer_next(&lexer).kind, TOKEN_SEMICOLON);
}

static void the_end_comes_again_and_again(void **state) {
    fixture *f = *state;
    hbg_lexer lexer = lexer_of(f, "a");
    hbg_lang_lexer_next(&lexer);
    for (int i = 0; i < 3; i++) assert_int_equal(hbg_lang_lexer_next(&lexer).kind, TOKEN_END);
}

static bool is_text(fixture *f, const char *text, size_t size) {
    int32_t source = hbg_base_sources_add(&f->sources, "test.hbg", text, size);
    return hbg_lang_lexer_check_text(&f->lang, &f->sources.items.items[source]);
}

static void bytes_that_are_no_text_are_named(void **state) {
    fixture *f = *state;
    assert_true(is_text(f, "a\xE2\x82\xAC", 4));
    assert_false(is_text(f, "ab\xE2\x82", 4));
    assert_diagnostic(f, "E0105", 1, "byte 3 of it is 0xE2");
    assert_false(is_text(f, "ab\ncd\0e", 7));
    assert_diagnostic(f, "E0105", 2, "byte 6 of it is 0x00");
}

static void every_token_kind_has_words(void **state) {
    (void)state;
    for (int kind = 0; kind < TOKEN_COUNT; kind++) assert_true(strlen(hbg_lang_token_text(kind)) > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_longer_punctuation_wins),
        TEST(numbers_end_where_they_end),
        TEST(a_word_glued_to_a_number_is_one_mistake),
        TEST(separators_are_blanks_line_ends_and_comments),
        TEST(a_comment_without_end_is_told_once),
        TEST(a_text_ends_on_its_line),
        TEST(a_byte_order_mark_is_passed_over),
        TEST(a_run_of_foreign_letters_is_one_mistake),
        TEST(looking_ahead_says_nothing),
        TEST(a_unit_is_read_to_its_bracket),
        TEST(the_end_comes_again_and_again),
        TEST(bytes_that_are_no_text_are_named),
        TEST(every_token_kind_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
