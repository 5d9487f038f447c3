/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Code by its facts: what was added is found, also by threads that look while one adds. */
#include <pthread.h>

#include "fixture_impl.h"

enum { KEYS = 3000, READERS = 3 };

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
    static int32_t things[KEYS];
    uint64_t key[3];
    (void)state;
    hbg_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    make_key(0, key);
    assert_null(hbg_variants_find(&table, key, 3));
    for (int32_t i = 0; i < KEYS; i++) {
        make_key(i, key);
        assert_null(hbg_variants_find(&table, key, 3));
        hbg_variants_add(&arena, &table, key, 3, &things[i]);
    }
    for (int32_t i = 0; i < KEYS; i++) {
        make_key(i, key);
        assert_ptr_equal(hbg_variants_find(&table, key, 3), &things[i]);
        assert_ptr_equal(table.variants.items[i], &things[i]); // in order
    }
    hbg_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
}

/* A block without facts has one variant. */
static void no_facts_are_a_key_too(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    variant_table table = {0};
    int32_t thing;
    uint64_t key[1] = {0};
    (void)state;
    hbg_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    hbg_variants_add(&arena, &table, key, 0, &thing);
    assert_ptr_equal(hbg_variants_find(&table, key, 0), &thing);
    hbg_arena_fini(&arena);
}

typedef struct {
    const variant_table *table;
    int32_t *things;
    bool wrong;
} reader;

/* Whoever finds something finds it whole: it says which number it is. */
static void *look(void *context) {
    reader *of = context;
    uint64_t key[3];
    int32_t found = 0;
    while (found < KEYS && !of->wrong) {
        make_key(found, key);
        const int32_t *thing = hbg_variants_find(of->table, key, 3);
        if (!thing) continue;
        of->wrong = thing != &of->things[found] || *thing != found;
        found++;
    }
    return NULL;
}

static void threads_may_look_while_one_adds(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    variant_table table = {0};
    static int32_t things[KEYS];
    reader readers[READERS];
    pthread_t threads[READERS];
    (void)state;
    hbg_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    for (int i = 0; i < READERS; i++) {
        readers[i] = (reader){&table, things, false};
        assert_int_equal(pthread_create(&threads[i], NULL, look, &readers[i]), 0);
    }
    for (int32_t i = 0; i < KEYS; i++) {
        uint64_t key[3];
        make_key(i, key);
        things[i] = i;
        hbg_variants_add(&arena, &table, key, 3, &things[i]);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(readers[i].wrong);
    }
    hbg_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_is_found_and_nothing_else),
        cmocka_unit_test(no_facts_are_a_key_too),
        cmocka_unit_test(threads_may_look_while_one_adds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
