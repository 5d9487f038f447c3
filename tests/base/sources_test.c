/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * From positions to file, line and column. */
#include "fixture_impl.h"

#include <stdio.h>

/* A source with its positions from 1 on, placed at bytes [start, end) of the text. */
static hbg_place place_in(fixture *f, const char *text, uint32_t start, uint32_t end) {
    hbg_sources sources;
    hbg_base_sources_init(&sources, &f->arena);
    assert_int_equal(hbg_base_sources_add(&sources, "model.hbg", text, strlen(text)), 0);
    hbg_place place;
    assert_true(hbg_base_sources_place(&sources, (hbg_span){start + 1, end + 1}, &place));
    return place;
}

#define CHECK_PLACE(place, line_, column_, text_, mark_, mark_size_)                                         \
    do {                                                                                                     \
        assert_int_equal((place).line, line_);                                                               \
        assert_int_equal((place).column, column_);                                                           \
        assert_int_equal((place).text_size, strlen(text_));                                                  \
        assert_memory_equal((place).text, text_, strlen(text_));                                             \
        assert_int_equal((place).mark, mark_);                                                               \
        assert_int_equal((place).mark_size, mark_size_);                                                     \
    } while (0)

static void a_word_is_placed_in_its_line(void **state) {
    fixture *f = *state;
    /* "model m {" has 9 bytes, so line 2 begins at byte 10 */
    const char *text = "model m {\n  R r(5);\n}\n";
    CHECK_PLACE(place_in(f, text, 0, 5), 1, 1, "model m {", 0, 5);
    CHECK_PLACE(place_in(f, text, 14, 15), 2, 5, "  R r(5);", 4, 1);
    CHECK_PLACE(place_in(f, text, 20, 21), 3, 1, "}", 0, 1);
    assert_string_equal(place_in(f, text, 0, 5).path, "model.hbg");
}

static void a_span_over_lines_is_marked_to_the_end_of_its_first(void **state) {
    fixture *f = *state;
    CHECK_PLACE(place_in(f, "ab cd\nef\n", 3, 8), 1, 4, "ab cd", 3, 2);
}

static void an_empty_span_marks_one_character(void **state) {
    fixture *f = *state;
    CHECK_PLACE(place_in(f, "abc\n", 1, 1), 1, 2, "abc", 1, 1);
    CHECK_PLACE(place_in(f, "a\xC3\xA9z\n", 1, 1), 1, 2, "a\xC3\xA9z", 1, 2);
    /* an end before the start is no end */
    CHECK_PLACE(place_in(f, "abc\n", 2, 0), 1, 3, "abc", 2, 1);
}

static void the_end_of_a_line_is_marked_behind_it(void **state) {
    fixture *f = *state;
    CHECK_PLACE(place_in(f, "abc\ndef", 3, 4), 1, 4, "abc", 3, 0);
    CHECK_PLACE(place_in(f, "abc\ndef", 7, 7), 2, 4, "def", 3, 0);
    CHECK_PLACE(place_in(f, "abc\n", 4, 4), 2, 1, "", 0, 0);
    CHECK_PLACE(place_in(f, "", 0, 0), 1, 1, "", 0, 0);
    CHECK_PLACE(place_in(f, "a\n\nb", 2, 3), 2, 1, "", 0, 0);
}

static void a_line_end_of_two_bytes_is_no_part_of_the_line(void **state) {
    fixture *f = *state;
    const char *text = "ab\r\ncd\r\n";
    CHECK_PLACE(place_in(f, text, 0, 3), 1, 1, "ab", 0, 2);
    CHECK_PLACE(place_in(f, text, 2, 3), 1, 3, "ab", 2, 0);
    CHECK_PLACE(place_in(f, text, 3, 4), 1, 3, "ab", 2, 0);
    CHECK_PLACE(place_in(f, text, 4, 6), 2, 1, "cd", 0, 2);
    CHECK_PLACE(place_in(f, "\r\nx", 2, 3), 2, 1, "x", 0, 1);
}

static void columns_count_characters(void **state) {
    fixture *f = *state;
    /* é is 2 bytes, Ω 2, € 3, the clef 𝄞 4 */
    const char *text = "\xC3\xA9\xCE\xA9\xE2\x82\xAC\xF0\x9D\x84\x9Ex";
    CHECK_PLACE(place_in(f, text, 2, 4), 1, 2, text, 2, 2);
    CHECK_PLACE(place_in(f, text, 4, 7), 1, 3, text, 4, 3);
    CHECK_PLACE(place_in(f, text, 7, 11), 1, 4, text, 7, 4);
    CHECK_PLACE(place_in(f, text, 11, 12), 1, 5, text, 11, 1);
    /* ends inside a character move outwards */
    CHECK_PLACE(place_in(f, text, 5, 8), 1, 3, text, 4, 7);
}

static void bytes_that_are_not_utf8_count_one_each(void **state) {
    fixture *f = *state;
    CHECK_PLACE(place_in(f, "\xFF\x80\xC3(x", 4, 5), 1, 5, "\xFF\x80\xC3(x", 4, 1);
    CHECK_PLACE(place_in(f, "\xE2\x82", 1, 2), 1, 2, "\xE2\x82", 1, 1);
}

static void a_byte_order_mark_takes_no_column(void **state) {
    fixture *f = *state;
    const char *text = "\xEF\xBB\xBFmodel\nx";
    CHECK_PLACE(place_in(f, text, 3, 8), 1, 1, "model", 0, 5);
    CHECK_PLACE(place_in(f, text, 0, 3), 1, 1, "model", 0, 1);
    CHECK_PLACE(place_in(f, text, 9, 10), 2, 1, "x", 0, 1);
}

static void sources_do_not_touch(void **state) {
    fixture *f = *state;
    hbg_sources sources;
    hbg_base_sources_init(&sources, &f->arena);
    assert_int_equal(hbg_base_sources_add(&sources, "a", "12", 2), 0);
    assert_int_equal(hbg_base_sources_add(&sources, "b", "", 0), 1);
    assert_int_equal(hbg_base_sources_add(&sources, "c", "x\ny", 3), 2);
    /* a at 1, 2, its end 3; b's end 4; c from 5 to its end at 8 */
    static const char *const paths[] = {"a", "a", "a", "b", "c", "c", "c", "c"};
    static const int lines[] = {1, 1, 1, 1, 1, 1, 2, 2};
    static const int columns[] = {1, 2, 3, 1, 1, 2, 1, 2};
    for (uint32_t i = 0; i < 8; i++) {
        hbg_place place;
        assert_true(hbg_base_sources_place(&sources, (hbg_span){i + 1, i + 2}, &place));
        assert_string_equal(place.path, paths[i]);
        assert_int_equal(place.line, lines[i]);
        assert_int_equal(place.column, columns[i]);
    }
}

static void nowhere_has_no_place(void **state) {
    fixture *f = *state;
    hbg_sources sources;
    hbg_base_sources_init(&sources, &f->arena);
    hbg_place place;
    assert_false(hbg_base_sources_place(&sources, (hbg_span){1, 2}, &place));
    hbg_base_sources_add(&sources, "a", "12", 2);
    assert_false(hbg_base_sources_place(&sources, (hbg_span){0, 0}, &place));
    assert_false(hbg_base_sources_place(&sources, (hbg_span){4, 5}, &place));
    assert_false(hbg_base_sources_place(&sources, (hbg_span){UINT32_MAX, UINT32_MAX}, &place));
}

static void positions_used_up_are_refused(void **state) {
    fixture *f = *state;
    hbg_sources sources;
    hbg_base_sources_init(&sources, &f->arena);
    assert_int_equal(hbg_base_sources_add(&sources, "a", "", UINT32_MAX), -1);
    assert_int_equal(hbg_base_sources_add(&sources, "a", "", SIZE_MAX), -1);
    assert_int_equal(hbg_base_sources_add(&sources, "a", "12", 2), 0);
    assert_int_equal(hbg_base_sources_add(&sources, "b", "", UINT32_MAX - 4), -1);
}

/* Places asked for in any order give what counting from the start of the text gives. */
static void order_of_questions_does_not_matter(void **state) {
    fixture *f = *state;
    char text[400];
    for (size_t i = 0; i < sizeof text; i++) text[i] = i % 61 == 60 ? '\n' : i % 7 == 3 ? '\x80' : 'a';
    hbg_sources sources;
    hbg_base_sources_init(&sources, &f->arena);
    hbg_base_sources_add(&sources, "a", text, sizeof text);
    hbg_base_sources_add(&sources, "b", text, sizeof text);
    for (int round = 0; round < 2000; round++) {
        uint32_t offset = (uint32_t)random_below(f, sizeof text);
        uint32_t base = sources.items.items[round % 2].base;
        hbg_place place;
        assert_true(hbg_base_sources_place(&sources, (hbg_span){base + offset, base + offset + 1}, &place));
        assert_int_equal(place.line, offset / 61 + 1);
        assert_int_equal(place.column, offset % 61 + 1);
        assert_string_equal(place.path, round % 2 == 0 ? "a" : "b");
    }
}

static void the_table_of_lines_is_made_once(void **state) {
    fixture *f = *state;
    hbg_sources sources;
    hbg_base_sources_init(&sources, &f->arena);
    char *text = hbg_base_arena_alloc(&f->arena, 100001);
    memset(text, '\n', 100000);
    hbg_base_sources_add(&sources, "a", text, 100000);
    assert_int_equal(sources.items.items[0].lines.count, 0);
    hbg_place place;
    hbg_base_sources_place(&sources, (hbg_span){5, 6}, &place);
    assert_int_equal(place.line, 5);
    int64_t calls = f->memory.calls;
    hbg_base_sources_place(&sources, (hbg_span){100001, 100001}, &place);
    assert_int_equal(place.line, 100001);
    assert_int_equal(f->memory.calls, calls);
}

static void joined_spans_reach_from_first_to_last(void **state) {
    (void)state;
    hbg_span joined = hbg_base_span_join((hbg_span){5, 9}, (hbg_span){2, 6});
    assert_int_equal(joined.start, 2);
    assert_int_equal(joined.end, 9);
    joined = hbg_base_span_join((hbg_span){0, 0}, (hbg_span){2, 6});
    assert_int_equal(joined.start, 2);
    joined = hbg_base_span_join((hbg_span){2, 6}, (hbg_span){0, 0});
    assert_int_equal(joined.start, 2);
    assert_int_equal(joined.end, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_word_is_placed_in_its_line),
        TEST(a_span_over_lines_is_marked_to_the_end_of_its_first),
        TEST(an_empty_span_marks_one_character),
        TEST(the_end_of_a_line_is_marked_behind_it),
        TEST(a_line_end_of_two_bytes_is_no_part_of_the_line),
        TEST(columns_count_characters),
        TEST(bytes_that_are_not_utf8_count_one_each),
        TEST(a_byte_order_mark_takes_no_column),
        TEST(sources_do_not_touch),
        TEST(nowhere_has_no_place),
        TEST(positions_used_up_are_refused),
        TEST(order_of_questions_does_not_matter),
        TEST(the_table_of_lines_is_made_once),
        TEST(joined_spans_reach_from_first_to_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
