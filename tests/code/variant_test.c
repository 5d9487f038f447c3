/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Code by its facts: what was added is found. */
#include "eqn/fixture_impl.h"

enum { KEYS = 3000 };

static void make_key(int32_t number, uint64_t key[3]) {
    key[0] = (uint64_t)number % 7;
    key[1] = (uint64_t)number / 7;
    key[2] = ~(uint64_t)number;
}

static void what_was_added_is_found_and_nothing_else(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    variant_table table = {0};
    uint64_t key[3];
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    make_key(0, key);
    assert_int_equal(hbg_code_variants_find(&table, key, 3), HBG_NONE);
    for (int32_t i = 0; i < KEYS; i++) {
        make_key(i, key);
        assert_int_equal(hbg_code_variants_find(&table, key, 3), HBG_NONE);
        hbg_code_variants_add(&arena, &table, key, 3, 5 * i);
    }
    for (int32_t i = 0; i < KEYS; i++) {
        make_key(i, key);
        assert_int_equal(hbg_code_variants_find(&table, key, 3), 5 * i);
        assert_int_equal(table.entries.items[i].value, 5 * i); // in order
    }
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
}

/* A block without facts has one variant. */
static void no_facts_are_a_key_too(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    variant_table table = {0};
    uint64_t key[1] = {0};
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    hbg_code_variants_add(&arena, &table, key, 0, 7);
    assert_int_equal(hbg_code_variants_find(&table, key, 0), 7);
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_is_found_and_nothing_else),
        cmocka_unit_test(no_facts_are_a_key_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
