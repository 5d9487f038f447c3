/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Interned names. */
#include "fixture_impl.h"

#include <stdio.h>

static void name_zero_is_empty(void **state) {
    fixture *f = *state;
    hbg_names names;
    hbg_base_names_init(&names, &f->arena);
    assert_int_equal(hbg_base_names_add(&names, "", 0), 0);
    assert_int_equal(hbg_base_names_find(&names, NULL, 0), 0);
    assert_string_equal(hbg_base_names_get(&names, 0), "");
}

static void equal_texts_are_one_name(void **state) {
    fixture *f = *state;
    hbg_names names;
    hbg_base_names_init(&names, &f->arena);
    char text[] = "coil";
    hbg_name coil = hbg_base_names_add(&names, text, 4);
    text[0] = 'f';
    hbg_name foil = hbg_base_names_add(&names, text, 4);
    assert_int_not_equal(coil, foil);
    assert_int_equal(hbg_base_names_add(&names, "coil spring", 4), coil);
    assert_int_equal(hbg_base_names_find(&names, "foil", 4), foil);
    assert_string_equal(hbg_base_names_get(&names, coil), "coil");
    assert_int_equal(hbg_base_names_find(&names, "Coil", 4), -1);
    assert_int_equal(hbg_base_names_find(&names, "coi", 3), -1);
}

static void texts_that_differ_behind_a_nul_are_two_names(void **state) {
    fixture *f = *state;
    hbg_names names;
    hbg_base_names_init(&names, &f->arena);
    hbg_name a = hbg_base_names_add(&names, "a", 1);
    hbg_name b = hbg_base_names_add(&names, "a\0b", 3);
    hbg_name c = hbg_base_names_add(&names, "a\0c", 3);
    hbg_name nul = hbg_base_names_add(&names, "a\0", 2);
    assert_true(a != b && a != c && b != c && nul != a && nul != b && nul != c);
    assert_int_equal(hbg_base_names_find(&names, "a\0c", 3), c);
}

static void a_hundred_thousand_names_are_found_again(void **state) {
    fixture *f = *state;
    hbg_names names;
    hbg_base_names_init(&names, &f->arena);
    char text[32];
    for (int i = 1; i <= 100000; i++) {
        int size = snprintf(text, sizeof text, "stage%d.r", i);
        assert_int_equal(hbg_base_names_add(&names, text, (size_t)size), i);
    }
    for (int i = 1; i <= 100000; i++) {
        int size = snprintf(text, sizeof text, "stage%d.r", i);
        assert_int_equal(hbg_base_names_find(&names, text, (size_t)size), i);
        assert_string_equal(hbg_base_names_get(&names, i), text);
    }
}

/* How far the search for each name has to go, on average, tells a good hash from a bad one without a clock.
 */
static void names_that_count_up_spread_over_the_index(void **state) {
    fixture *f = *state;
    hbg_names names;
    hbg_base_names_init(&names, &f->arena);
    char text[32];
    for (int i = 0; i < 30000; i++)
        hbg_base_names_add(&names, text,
                           (size_t)snprintf(text, sizeof text, "%s%d", i % 2 ? "x" : "node", i / 2));
    int64_t steps = 0;
    uint32_t mask = (uint32_t)names.slot_count - 1;
    for (int32_t slot = 0; slot < names.slot_count; slot++)
        if (names.slots[slot] >= 0) steps += ((uint32_t)slot - names.hashes.items[names.slots[slot]]) & mask;
    /* linear probing of a table half full takes half a step beyond the first if the hash is good */
    assert_true(steps < names.texts.count * 3 / 4);
}

static void exhaustion_while_adding_leaves_the_names_whole(void **state) {
    fixture *f = *state;
    for (volatile int64_t n = 2; n < 12; n++) {
        static hbg_names names;
        hbg_base_arena_fini(&f->arena);
        f->memory = (hbg_memory){.fail_at = n};
        jmp_buf guard;
        char text[300];
        memset(text, 'x', sizeof text);
        if (!HBG_GUARD(&f->memory, guard)) {
            hbg_base_names_init(&names, &f->arena);
            for (int i = 0;; i++) {
                snprintf(text, sizeof text, "%04d", i);
                text[4] = 'x';
                hbg_base_names_add(&names, text, sizeof text);
            }
        }
        /* the interrupted name can be added now, and is the next in number */
        int32_t count = names.texts.count;
        assert_int_equal(hbg_base_names_add(&names, "later", 5), count);
        assert_int_equal(hbg_base_names_find(&names, "later", 5), count);
        assert_int_equal(names.hashes.count, names.texts.count);
        snprintf(text, sizeof text, "%04d", count - 2);
        text[4] = 'x';
        assert_int_equal(hbg_base_names_find(&names, text, sizeof text), count == 1 ? -1 : count - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(name_zero_is_empty),
        TEST(equal_texts_are_one_name),
        TEST(texts_that_differ_behind_a_nul_are_two_names),
        TEST(a_hundred_thousand_names_are_found_again),
        TEST(names_that_count_up_spread_over_the_index),
        TEST(exhaustion_while_adding_leaves_the_names_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
