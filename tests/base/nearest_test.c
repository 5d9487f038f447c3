/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * "Did you mean". */
#include "fixture_impl.h"

static const char *nearest(const char *text, const char *const *candidates) {
    hbg_nearest search;
    hbg_base_nearest_init(&search, text);
    for (; *candidates != NULL; candidates++) hbg_base_nearest_offer(&search, *candidates);
    return search.best;
}
#define NEAREST(text, ...) nearest(text, (const char *const[]){__VA_ARGS__, NULL})

static void one_slip_of_each_kind_is_forgiven(void **state) {
    (void)state;
    assert_string_equal(NEAREST("volage", "current", "voltage"), "voltage");
    assert_string_equal(NEAREST("volttage", "current", "voltage"), "voltage");
    assert_string_equal(NEAREST("vultage", "current", "voltage"), "voltage");
    assert_string_equal(NEAREST("votlage", "current", "voltage"), "voltage");
    assert_string_equal(NEAREST("rc", "cr"), "cr");
}

static void a_swap_counts_once(void **state) {
    (void)state;
    /* "diode" to "idoed": two swaps would be 2 slips, beyond the one that five letters allow */
    assert_null(NEAREST("idoed", "diode"));
    assert_string_equal(NEAREST("idode", "diode"), "diode");
}

static void the_nearest_wins_and_among_equals_the_first(void **state) {
    (void)state;
    assert_string_equal(NEAREST("capacior", "capacity", "capacitor", "capac"), "capacitor");
    assert_string_equal(NEAREST("r3", "r1", "r2"), "r1");
    assert_string_equal(NEAREST("r2", "r1", "r2"), "r2");
}

static void a_third_of_the_letters_may_be_wrong_and_no_more(void **state) {
    (void)state;
    assert_string_equal(NEAREST("xxcdef", "abcdef"), "abcdef");
    assert_null(NEAREST("xxxdef", "abcdef"));
    assert_string_equal(NEAREST("xxxdefghi", "abcdefghi"), "abcdefghi");
    assert_null(NEAREST("xxxxefghi", "abcdefghi"));
    assert_null(NEAREST("spring", "resistor", "mass"));
}

static void case_alone_is_one_slip(void **state) {
    (void)state;
    assert_string_equal(NEAREST("RESISTOR", "transistor", "resistor"), "resistor");
    assert_string_equal(NEAREST("r", "R"), "R");
    hbg_nearest search;
    hbg_base_nearest_init(&search, "OHM");
    hbg_base_nearest_offer(&search, "Ohm");
    assert_int_equal(search.distance, 1);
}

static void another_word_altogether_is_no_slip(void **state) {
    (void)state;
    assert_null(NEAREST("r", "c", "l"));
    assert_string_equal(NEAREST("r", "c", "r1"), "r1");
    assert_null(NEAREST("", "a"));
    assert_null(NEAREST("a", ""));
}

static void words_of_any_length_are_survived(void **state) {
    fixture *f = *state;
    static char a[100002], b[100002];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    assert_null(NEAREST(a, b, "a", ""));
    assert_null(NEAREST("a", b));
    memset(b, 'A', sizeof b - 1);
    assert_ptr_equal(NEAREST(a, b), b);
    for (int size = 60; size < 70; size++) {
        char *left = hbg_base_arena_copy(&f->arena, a, (size_t)size);
        char *right = hbg_base_arena_copy(&f->arena, a, (size_t)size);
        right[30] = 'x';
        const char *best = NEAREST(left, right);
        assert_true(size > 64 ? best == NULL : best == right);
    }
}

/* The full table without bounds or early ends, straight from the definition. */
static int plain_distance(const char *a, const char *b) {
    int d[16][16];
    int m = (int)strlen(a), n = (int)strlen(b);
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[m][n];
}

static void bounded_search_agrees_with_the_plain_definition(void **state) {
    fixture *f = *state;
    for (int round = 0; round < 20000; round++) {
        char words[2][16] = {{0}};
        for (int k = 0; k < 2; k++)
            for (int i = random_below(f, 13); i >= 0; i--) words[k][i] = (char)('a' + random_below(f, 3));
        hbg_nearest search;
        hbg_base_nearest_init(&search, words[0]);
        hbg_base_nearest_offer(&search, words[1]);
        int m = (int)strlen(words[0]), n = (int)strlen(words[1]);
        int distance = plain_distance(words[0], words[1]);
        bool near = distance <= (m / 3 > 1 ? m / 3 : 1) && (distance == 0 || distance < (m > n ? m : n));
        assert_int_equal(search.best != NULL, near);
        if (near) assert_int_equal(search.distance, distance);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_slip_of_each_kind_is_forgiven),
        TEST(a_swap_counts_once),
        TEST(the_nearest_wins_and_among_equals_the_first),
        TEST(a_third_of_the_letters_may_be_wrong_and_no_more),
        TEST(case_alone_is_one_slip),
        TEST(another_word_altogether_is_no_slip),
        TEST(words_of_any_length_are_survived),
        TEST(bounded_search_agrees_with_the_plain_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
