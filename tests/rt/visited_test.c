/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Discrete states that a search has visited: cycles are found where they close, group by group, and long
 * paths are not cycles, whether or not all moves fit into memory. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdlib.h>
#include <string.h>

#include "rt/rt_impl.h"

enum { MANY = 20 };

typedef struct {
    hbg_rt_visited visited;
    void *scratch;
    int32_t now[MANY], next[MANY];
    bool back[MANY];
} way;

static void begin(way *w, int32_t automata, const int32_t *groups, bool start_counts) {
    memset(w, 0, sizeof *w);
    w->scratch = malloc(hbg_rt_visited_scratch(automata));
    assert_non_null(w->scratch);
    hbg_rt_visited_init(&w->visited, automata, w->scratch);
    hbg_rt_visited_begin(&w->visited, groups, start_counts);
}

/* Moves one automaton to a state; returns the group that has been there. */
static int32_t go(way *w, int32_t automaton, int32_t state) {
    memcpy(w->next, w->now, sizeof w->now);
    w->next[automaton] = state;
    int32_t group = hbg_rt_visited_add(&w->visited, w->now, w->next, w->back);
    memcpy(w->now, w->next, sizeof w->now);
    return group;
}

static void the_start_counts_where_it_does(void **state) {
    way w;
    (void)state;
    begin(&w, 1, NULL, true);
    assert_int_equal(go(&w, 0, 1), -1);
    assert_int_equal(go(&w, 0, 0), 0);
    free(w.scratch);
    begin(&w, 1, NULL, false);
    assert_int_equal(go(&w, 0, 1), -1);
    assert_int_equal(go(&w, 0, 0), -1);
    assert_int_equal(go(&w, 0, 1), 0);
    free(w.scratch);
}

/* Of a group that forgets, only its present state counts; the visits of the other group stay. */
static void a_group_forgets_where_it_has_been(void **state) {
    const int32_t groups[] = {0, 1};
    way w;
    (void)state;
    begin(&w, 2, groups, true);
    assert_int_equal(go(&w, 0, 1), -1);
    assert_int_equal(go(&w, 1, 1), -1);
    hbg_rt_visited_forget(&w.visited, 0, w.now);
    assert_int_equal(go(&w, 0, 0), -1); // the start, too
    assert_int_equal(go(&w, 0, 1), 0);  // where it was then
    assert_int_equal(go(&w, 1, 0), 1);
    assert_true(w.back[1] && !w.back[0]);
    free(w.scratch);
}

/* The second group closes its cycle while the first continues. */
static void a_group_has_its_own_circle(void **state) {
    const int32_t groups[] = {0, 1, 1};
    way w;
    (void)state;
    begin(&w, 3, groups, true);
    assert_int_equal(go(&w, 0, 1), -1);
    assert_int_equal(go(&w, 1, 1), -1);
    assert_int_equal(go(&w, 0, 2), -1);
    assert_int_equal(go(&w, 2, 1), -1);
    assert_int_equal(go(&w, 1, 0), -1);
    assert_int_equal(go(&w, 0, 3), -1);
    assert_int_equal(go(&w, 2, 0), 1);
    free(w.scratch);
}

/* A row of states, then back to one of them: short enough for a linear search, long enough for hashing, and
 * longer than the journal. */
static void a_circle_is_found_behind_any_row(void **state) {
    static const int32_t rows[] = {3, 31, 32, 33, 120, 200, 6000, 50000};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        way w;
        int32_t row = rows[r], found = -1;
        begin(&w, 1, NULL, true);
        for (int32_t i = 1; i <= row; i++) assert_int_equal(go(&w, 0, i), -1);
        int32_t passes = 0;
        for (int32_t i = row - 2; found == -1 && passes < 4 * row; i = i == row ? row - 2 : i + 1, passes++)
            found = go(&w, 0, i);
        assert_int_equal(found, 0);
        if (row <= 120) assert_int_equal(passes, 1);
        free(w.scratch);
    }
}

/* A counter of twenty binary digits goes through a million states, each once, until it starts again. */
static void a_counter_is_no_circle(void **state) {
    way w;
    (void)state;
    begin(&w, MANY, NULL, true);
    for (int32_t n = 1; n < 100000; n++) {
        for (int32_t i = 0; i < MANY; i++) w.next[i] = n >> i & 1;
        assert_int_equal(hbg_rt_visited_add(&w.visited, w.now, w.next, w.back), -1);
        memcpy(w.now, w.next, sizeof w.now);
    }
    free(w.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_counts_where_it_does), cmocka_unit_test(a_group_forgets_where_it_has_been),
        cmocka_unit_test(a_group_has_its_own_circle),     cmocka_unit_test(a_circle_is_found_behind_any_row),
        cmocka_unit_test(a_counter_is_no_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
