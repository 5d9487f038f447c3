/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Choices of a mode: answers are found again, also by threads that look while another one answers. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <pthread.h>

#include "code/choices_impl.h"

enum { MODES = 3000, PLACES = 12, READERS = 3 };

/* The places of a choice are spread over two words, and others lie between them. */
static int32_t open_spread(hbg_code *code, hbg_arena *arena) {
    int32_t places[PLACES];
    for (int i = 0; i < PLACES; i++) places[i] = 10 * i + 1;
    return open_choice(code, arena, places, PLACES);
}

/* `others`: places that do not matter are on. */
static void make_mode(int32_t number, bool others, uint64_t mode[2]) {
    mode[0] = mode[1] = others ? ~UINT64_C(0) : 0;
    for (int i = 0; i < PLACES; i++) {
        int32_t place = 10 * i + 1;
        uint64_t bit = UINT64_C(1) << (place & 63);
        mode[place >> 6] = (mode[place >> 6] & ~bit) | (number >> i & 1 ? bit : 0);
    }
}

static void what_was_answered_is_found_and_nothing_else(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    static hbg_code code;
    uint64_t mode[2], key[CHOICE_WORDS];
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    int32_t choice = open_spread(&code, &arena);
    for (int32_t i = 0; i < MODES; i++) {
        make_mode(i, false, mode);
        assert_int_equal(hbg_rt_choose(&code.image, choice, mode, key), -1);
        hbg_code_choice_answer(&code, choice, mode, 5 * i);
    }
    for (int32_t i = 0; i < 1 << PLACES; i++) {
        make_mode(i, i % 2, mode);
        assert_int_equal(hbg_rt_choose(&code.image, choice, mode, key), i < MODES ? 5 * i : -1);
    }
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
}

/* Without places there is one answer, whatever the mode. */
static void no_places_are_a_key_too(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    static hbg_code code;
    uint64_t mode[2] = {3, 4}, key[CHOICE_WORDS];
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    int32_t choice = open_choice(&code, &arena, NULL, 0);
    assert_int_equal(hbg_rt_choose(&code.image, choice, mode, key), -1);
    hbg_code_choice_answer(&code, choice, mode, 7);
    mode[0] = 0;
    assert_int_equal(hbg_rt_choose(&code.image, choice, mode, key), 7);
    hbg_base_arena_fini(&arena);
}

typedef struct {
    const hbg_rt_image *image;
    int32_t choice;
    const int32_t *things;
    bool wrong;
} reader;

/* An answer that is found is complete: its contents were written before. */
static void *look(void *context) {
    reader *of = context;
    uint64_t mode[2], key[CHOICE_WORDS];
    int32_t found = 0;
    while (found < MODES && !of->wrong) {
        make_mode(found, true, mode);
        int32_t thing = hbg_rt_choose(of->image, of->choice, mode, key);
        if (thing == -1) continue;
        of->wrong = thing != found || of->things[thing] != found;
        found++;
    }
    return NULL;
}

static void threads_may_look_while_one_answers(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    static hbg_code code;
    static int32_t things[MODES];
    reader readers[READERS];
    pthread_t threads[READERS];
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    int32_t choice = open_spread(&code, &arena);
    for (int i = 0; i < READERS; i++) {
        readers[i] = (reader){&code.image, choice, things, false};
        assert_int_equal(pthread_create(&threads[i], NULL, look, &readers[i]), 0);
    }
    for (int32_t i = 0; i < MODES; i++) {
        uint64_t mode[2];
        make_mode(i, false, mode);
        things[i] = i;
        hbg_code_choice_answer(&code, choice, mode, i);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(readers[i].wrong);
    }
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_answered_is_found_and_nothing_else),
        cmocka_unit_test(no_places_are_a_key_too),
        cmocka_unit_test(threads_may_look_while_one_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
