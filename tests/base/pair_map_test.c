/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The map from pairs of numbers to numbers. */
#include "fixture_impl.h"

static void an_empty_map_holds_nothing(void **state) {
    fixture *f = *state;
    hbg_pair_map map;
    hbg_base_pair_map_init(&map, &f->arena);
    assert_int_equal(hbg_base_pair_map_find(&map, 0, 0), -1);
    assert_int_equal(f->memory.calls, 0);
}

static void the_first_value_of_a_key_stays(void **state) {
    fixture *f = *state;
    hbg_pair_map map;
    hbg_base_pair_map_init(&map, &f->arena);
    assert_int_equal(hbg_base_pair_map_add(&map, 3, 4, 10), 10);
    assert_int_equal(hbg_base_pair_map_add(&map, 3, 4, 11), 10);
    assert_int_equal(hbg_base_pair_map_find(&map, 3, 4), 10);
    assert_int_equal(hbg_base_pair_map_find(&map, 4, 3), -1);
    assert_int_equal(map.count, 1);
}

static void extreme_keys_are_keys(void **state) {
    fixture *f = *state;
    hbg_pair_map map;
    hbg_base_pair_map_init(&map, &f->arena);
    static const int32_t ends[] = {INT32_MIN, -1, 0, 1, INT32_MAX};
    for (int i = 0; i < 25; i++) hbg_base_pair_map_add(&map, ends[i / 5], ends[i % 5], i);
    for (int i = 0; i < 25; i++) assert_int_equal(hbg_base_pair_map_find(&map, ends[i / 5], ends[i % 5]), i);
}

static void a_grid_of_keys_is_found_again(void **state) {
    fixture *f = *state;
    hbg_pair_map map;
    hbg_base_pair_map_init(&map, &f->arena);
    for (int32_t i = 0; i < 300; i++)
        for (int32_t j = 0; j < 300; j++)
            assert_int_equal(hbg_base_pair_map_add(&map, i, j, i * 300 + j), i * 300 + j);
    assert_int_equal(map.count, 90000);
    for (int32_t i = 0; i < 300; i++)
        for (int32_t j = 0; j < 300; j++) assert_int_equal(hbg_base_pair_map_find(&map, i, j), i * 300 + j);
    assert_int_equal(hbg_base_pair_map_find(&map, 300, 0), -1);
    assert_int_equal(hbg_base_pair_map_find(&map, 0, 300), -1);
}

/* Dense keys must not pile up: the longest run of used slots stays short. */
static void dense_keys_do_not_cluster(void **state) {
    fixture *f = *state;
    hbg_pair_map map;
    hbg_base_pair_map_init(&map, &f->arena);
    for (int32_t i = 0; i < 40000; i++) hbg_base_pair_map_add(&map, i % 4, i, i);
    int run = 0, longest = 0;
    for (int32_t i = 0; i < map.slot_count; i++) {
        run = map.slots[i].next != 0 ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    assert_true(longest < 120);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_empty_map_holds_nothing), TEST(the_first_value_of_a_key_stays),
        TEST(extreme_keys_are_keys),      TEST(a_grid_of_keys_is_found_again),
        TEST(dense_keys_do_not_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
