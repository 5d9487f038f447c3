/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arenas give zeroed, aligned, separate space, and give all of it back. */
#include "fixture_impl.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#endif
#if defined(POISONS)
#include <sanitizer/asan_interface.h>
#endif

static bool filled_with(const unsigned char *place, size_t size, unsigned char byte) {
    for (size_t i = 0; i < size; i++)
        if (place[i] != byte) return false;
    return true;
}

static void objects_are_zeroed_aligned_and_apart(void **state) {
    fixture *f = *state;
    enum { COUNT = 3000 };
    static unsigned char *places[COUNT];
    static size_t sizes[COUNT];
    for (int i = 0; i < COUNT; i++) {
        sizes[i] = (size_t)random_below(f, i % 100 == 0 ? 100000 : 200);
        places[i] = hbg_base_arena_alloc(&f->arena, sizes[i]);
        assert_int_equal((uintptr_t)places[i] % _Alignof(max_align_t), 0);
        assert_true(filled_with(places[i], sizes[i], 0));
        memset(places[i], i % 251 + 1, sizes[i]);
    }
    /* what was written into one has not reached another */
    for (int i = 0; i < COUNT; i++)
        assert_true(filled_with(places[i], sizes[i], (unsigned char)(i % 251 + 1)));
}

static void a_million_small_objects_take_few_blocks(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 1000000; i++) hbg_base_arena_alloc(&f->arena, 16);
    /* 16 bytes each (32 with the gaps of sanitized builds): blocks of 4 KiB up to 32 KiB, then an eighth more
     * each time up to 8 MiB, then 8 to 24 of 1 MiB */
    assert_true(f->memory.calls < 8 + 48 + 24 + 5);
    assert_true(f->memory.used < (size_t)35 << 20);
}

static void a_large_object_leaves_the_block_in_use(void **state) {
    fixture *f = *state;
    char *before = hbg_base_arena_alloc(&f->arena, 16);
    hbg_base_arena_alloc(&f->arena, (size_t)5 << 20);
    char *after = hbg_base_arena_alloc(&f->arena, 16);
    assert_true(after - before <= 64);
    assert_int_equal(f->memory.calls, 2);
}

static void an_ended_arena_can_be_used_again(void **state) {
    fixture *f = *state;
    hbg_base_arena_alloc(&f->arena, 10000);
    hbg_base_arena_fini(&f->arena);
    assert_int_equal(f->memory.used, 0);
    char *text = hbg_base_arena_copy(&f->arena, "again", 5);
    assert_string_equal(text, "again");
}

static void a_released_large_object_gives_its_memory_back(void **state) {
    fixture *f = *state;
    hbg_base_arena_alloc(&f->arena, 16);
    char *first = hbg_base_arena_alloc(&f->arena, 5000);
    size_t used = f->memory.used;
    char *second = hbg_base_arena_alloc(&f->arena, 1 << 20);
    char *third = hbg_base_arena_alloc(&f->arena, 70000);
    memset(third, 7, 70000);
    /* from the middle, then from both ends of what was made */
    hbg_base_arena_release(&f->arena, second, 1 << 20);
    assert_true(filled_with((unsigned char *)third, 70000, 7));
    hbg_base_arena_release(&f->arena, third, 70000);
    assert_int_equal(f->memory.used, used);
    hbg_base_arena_release(&f->arena, first, 5000);
    assert_true(f->memory.used < used);
    hbg_base_arena_release(&f->arena, NULL, 5000);
}

static void a_released_small_object_is_never_handed_out_again(void **state) {
    fixture *f = *state;
    unsigned char *gone = hbg_base_arena_alloc(&f->arena, 100);
    memset(gone, 9, 100);
    hbg_base_arena_release(&f->arena, gone, 100);
    for (int i = 0; i < 1000; i++) {
        unsigned char *place = hbg_base_arena_alloc(&f->arena, 100);
        assert_true(place != gone);
        assert_true(filled_with(place, 100, 0));
    }
}

static void copies_end_in_nul(void **state) {
    fixture *f = *state;
    assert_string_equal(hbg_base_arena_copy(&f->arena, "resistor", 3), "res");
    assert_string_equal(hbg_base_arena_copy(&f->arena, NULL, 0), "");
    assert_memory_equal(hbg_base_arena_copy(&f->arena, "a\0b", 3), "a\0b", 4);
}

static void printed_texts_of_any_length_are_whole(void **state) {
    fixture *f = *state;
    assert_string_equal(hbg_base_arena_print(&f->arena, "%s-%d", "bond", 7), "bond-7");
    assert_string_equal(hbg_base_arena_print(&f->arena, "%s", ""), "");
    /* around the size at which a text is formatted a second time */
    for (int width = 500; width < 530; width++) {
        char *text = hbg_base_arena_print(&f->arena, "%*d", width, 1);
        assert_int_equal(strlen(text), width);
        assert_int_equal(text[width - 1], '1');
    }
}

static void a_size_beyond_all_memory_is_exhaustion(void **state) {
    fixture *f = *state;
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 2, (size_t)1 << 60};
    volatile int jumps = 0;
    for (volatile int i = 0; i < 4; i++) {
        jmp_buf guard;
        if (HBG_GUARD(&f->memory, guard))
            jumps++;
        else
            hbg_base_arena_alloc_array(&f->arena, counts[i], 8);
    }
    assert_int_equal(jumps, 4);
    assert_int_equal(f->memory.used, 0);
}

static void space_not_handed_out_is_poisoned(void **state) {
#if defined(POISONS)
    fixture *f = *state;
    for (size_t size = 1; size < 100; size++) {
        char *place = hbg_base_arena_alloc(&f->arena, size);
        assert_false(__asan_address_is_poisoned(place));
        assert_false(__asan_address_is_poisoned(place + size - 1));
        assert_true(__asan_address_is_poisoned(place + size));
    }
#else
    (void)state;
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(objects_are_zeroed_aligned_and_apart),
        TEST(a_million_small_objects_take_few_blocks),
        TEST(a_large_object_leaves_the_block_in_use),
        TEST(an_ended_arena_can_be_used_again),
        TEST(a_released_large_object_gives_its_memory_back),
        TEST(a_released_small_object_is_never_handed_out_again),
        TEST(copies_end_in_nul),
        TEST(printed_texts_of_any_length_are_whole),
        TEST(a_size_beyond_all_memory_is_exhaustion),
        TEST(space_not_handed_out_is_poisoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
