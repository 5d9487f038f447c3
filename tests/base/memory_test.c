/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The door to the heap counts, obeys, fails on demand; and no failure, wherever it strikes, leaks memory or
 * an open file. */
#include "fixture_impl.h"

#include <fcntl.h>
#include <unistd.h>

static void memory_counts_what_is_held(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    void *a = hbg_base_memory_alloc(memory, 100);
    void *b = hbg_base_memory_alloc(memory, 50);
    assert_int_equal(memory->used, 150);
    hbg_base_memory_free(memory, a, 100);
    assert_int_equal(memory->used, 50);
    assert_int_equal(memory->peak, 150);
    assert_int_equal(memory->calls, 2);
    hbg_base_memory_free(memory, b, 50);
    hbg_base_memory_free(memory, NULL, 8);
    assert_int_equal(memory->used, 0);
}

static void memory_is_zeroed(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    for (int round = 0; round < 2; round++) {
        unsigned char *block = hbg_base_memory_alloc(memory, 64);
        for (int i = 0; i < 64; i++) assert_int_equal(block[i], 0);
        memset(block, 0xAA, 64);
        hbg_base_memory_free(memory, block, 64);
    }
}

static void a_longer_block_has_what_it_had_and_zeros_behind(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    unsigned char *block = hbg_base_memory_alloc(memory, 64);
    memset(block, 0xAA, 64);
    block = hbg_base_memory_extend(memory, block, 64, 5000);
    for (int i = 0; i < 5000; i++) assert_int_equal(block[i], i < 64 ? 0xAA : 0);
    assert_int_equal(memory->used, 5000);
    memory->limit = 6000;
    assert_null(hbg_base_memory_extend(memory, block, 5000, 6001)); // the old one stays
    assert_int_equal(block[0], 0xAA);
    hbg_base_memory_free(memory, block, 5000);
    assert_int_equal(memory->used, 0);
}

static void what_is_lent_is_taken_before_the_heap(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    static _Alignas(max_align_t) unsigned char place[256];
    hbg_base_memory_lend(memory, place, sizeof place);
    unsigned char *a = hbg_base_memory_alloc(memory, 20), *b = hbg_base_memory_alloc(memory, 20);
    assert_true(a == place && b == place + 32); // aligned for any object
    memset(a, 0xAA, 20);
    memset(b, 0xBB, 20);
    b = hbg_base_memory_extend(memory, b, 20, 100); // the newest grows where it is
    assert_true(b == place + 32 && b[19] == 0xBB && b[20] == 0 && b[99] == 0);
    a = hbg_base_memory_extend(memory, a, 20, 40); // another one moves
    assert_true(a > b && a + 40 <= place + sizeof place && a[19] == 0xAA && a[39] == 0);
    unsigned char *far = hbg_base_memory_alloc(memory, 200); // does not fit any more
    assert_true(far < place || far >= place + sizeof place);
    b = hbg_base_memory_extend(memory, b, 100, 300);
    assert_true(b < place || b >= place + sizeof place);
    assert_true(b[19] == 0xBB && b[299] == 0);
    assert_int_equal(memory->used, 540);
    hbg_base_memory_free(memory, a, 40);
    hbg_base_memory_free(memory, b, 300);
    hbg_base_memory_free(memory, far, 200);
    assert_int_equal(memory->used, 0);
    hbg_base_memory_take_back(memory);
    for (size_t i = 0; i < sizeof place; i++) assert_int_equal(place[i], 0);
}

static void memory_of_the_limit_is_given_and_not_a_byte_more(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    memory->limit = 100;
    void *all = hbg_base_memory_alloc(memory, 100);
    assert_non_null(all);
    assert_null(hbg_base_memory_alloc(memory, 1));
    hbg_base_memory_free(memory, all, 100);
    assert_null(hbg_base_memory_alloc(memory, 101));
    assert_null(hbg_base_memory_alloc(memory, SIZE_MAX));
    assert_int_equal(memory->used, 0);
}

static void memory_fails_at_the_call_asked_for(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    memory->fail_at = 2;
    void *first = hbg_base_memory_alloc(memory, 1);
    assert_non_null(first);
    assert_null(hbg_base_memory_alloc(memory, 1));
    void *third = hbg_base_memory_alloc(memory, 1);
    assert_non_null(third);
    hbg_base_memory_free(memory, first, 1);
    hbg_base_memory_free(memory, third, 1);
}

/* An arena for each part of the workload, so that more allocations can fail. */
enum { ARENAS = 6 };

/* Something of everything that allocates. */
static void workload(hbg_arena arenas[ARENAS]) {
    hbg_names names;
    hbg_base_names_init(&names, &arenas[0]);
    hbg_pair_map map;
    hbg_base_pair_map_init(&map, &arenas[1]);
    for (int i = 0; i < 2000; i++) {
        const char *text = hbg_base_arena_print(&arenas[2], "name_%d", i);
        hbg_base_pair_map_add(&map, i, hbg_base_names_add(&names, text, strlen(text)), i);
    }

    hbg_sources sources;
    hbg_arena *arena = &arenas[3];
    hbg_base_sources_init(&sources, arena);
    hbg_base_sources_add(&sources, "a.hbg", "one\ntwo\nthree\n", 14);
    hbg_diagnostics diagnostics;
    hbg_base_diagnostics_init(&diagnostics, &arenas[4]);
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &arenas[5]);
    for (uint32_t i = 1; i < 14; i++) {
        hbg_place place;
        hbg_diagnostic *report =
            hbg_base_report(&diagnostics, HBG_E_SYNTAX, (hbg_span){i, i + 1}, "at %u", i);
        hbg_base_report_note(&diagnostics, report, (hbg_span){0, 0}, "a note");
        hbg_base_report_fix(&diagnostics, report, "a fix");
        assert_true(hbg_base_sources_place(&sources, report->span, &place));
        hbg_base_buffer_print(&buffer, "%s:%d:%d\n", place.path, place.line, place.column);
    }

    hbg_decimal a, b = hbg_base_decimal_of_double(arena, 0.1);
    assert_true(hbg_base_decimal_parse(arena, "7.5e-6", 6, &a));
    assert_true(hbg_base_decimal_multiply(arena, a, b, &a));
    assert_true(hbg_base_decimal_add(arena, a, b, &a));
    hbg_base_decimal_print(&buffer, a);

    char *text;
    size_t size;
    assert_int_equal(hbg_base_file_read(arena, "/proc/self/status", 1 << 20, &text, &size, NULL), HBG_OK);
}

/* True if the workload came to its end. */
static bool guarded(hbg_memory *memory) {
    hbg_arena arenas[ARENAS];
    for (int i = 0; i < ARENAS; i++) hbg_base_arena_init(&arenas[i], memory);
    jmp_buf guard;
    volatile bool finished = false;
    if (!HBG_GUARD(memory, guard)) {
        workload(arenas);
        HBG_GUARD_END(memory);
        finished = true;
    }
    assert_null(memory->exhausted);
    for (int i = 0; i < ARENAS; i++) hbg_base_arena_fini(&arenas[i]);
    return finished;
}

static int next_descriptor(void) {
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(file);
    return file;
}

static void every_failing_allocation_is_survived_without_a_leak(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    assert_true(guarded(memory));
    int64_t calls = memory->calls;
    assert_true(calls > 12);
    int descriptor = next_descriptor();
    for (int64_t n = 1; n <= calls; n++) {
        *memory = (hbg_memory){.fail_at = n};
        assert_false(guarded(memory));
        assert_int_equal(memory->calls, n);
        assert_int_equal(memory->used, 0);
    }
    assert_int_equal(next_descriptor(), descriptor);
}

static void every_limit_is_survived_without_a_leak(void **state) {
    hbg_memory *memory = &((fixture *)*state)->memory;
    assert_true(guarded(memory));
    size_t peak = memory->peak;
    for (size_t limit = 1; limit < peak; limit += 4001) {
        *memory = (hbg_memory){.limit = limit};
        assert_false(guarded(memory));
        assert_int_equal(memory->used, 0);
        assert_true(memory->peak <= limit);
    }
    *memory = (hbg_memory){.limit = peak};
    assert_true(guarded(memory));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(memory_counts_what_is_held),
        TEST(memory_is_zeroed),
        TEST(a_longer_block_has_what_it_had_and_zeros_behind),
        TEST(what_is_lent_is_taken_before_the_heap),
        TEST(memory_of_the_limit_is_given_and_not_a_byte_more),
        TEST(memory_fails_at_the_call_asked_for),
        TEST(every_failing_allocation_is_survived_without_a_leak),
        TEST(every_limit_is_survived_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
