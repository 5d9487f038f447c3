/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pools of an image: what is in them stays where it is, and a range never crosses a border of chunks. */
#include "eqn/fixture_impl.h"

enum { RANGES = 400 };

/* Lengths from 0 to 210, so that borders are met at any place. */
static int32_t length_of(int32_t range) {
    return range * 37 % 211;
}

static void items_stay_where_they_are_and_ranges_lie_together(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    static hbg_code code;
    int32_t first[RANGES], items[211];
    const int32_t *place[RANGES];
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    code = (hbg_code){.arena = &arena};
    for (int32_t i = 0; i < RANGES; i++) {
        for (int32_t k = 0; k < length_of(i); k++) items[k] = 1000 * i + k;
        int32_t before = code.image.pool.ints.count;
        first[i] = hbg_code_add_ints(&code, items, length_of(i));
        assert_true(first[i] >= before);
        assert_int_equal(code.image.pool.ints.count, first[i] + length_of(i));
        place[i] = hbg_rt_ints(&code.image, first[i]);
    }
    for (int32_t i = 0; i < RANGES; i++) {
        assert_ptr_equal(hbg_rt_ints(&code.image, first[i]), place[i]);
        for (int32_t k = 0; k < length_of(i); k++) {
            assert_int_equal(place[i][k], 1000 * i + k);
            assert_ptr_equal(hbg_rt_ints(&code.image, first[i] + k), place[i] + k);
        }
    }
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
}

/* Runs walk from the first item to the last. */
static void single_items_leave_no_gap(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    static hbg_code code;
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    code = (hbg_code){.arena = &arena};
    for (int32_t i = 0; i < 3000; i++) {
        hbg_rt_constant made = {.value = i, .reg = 7 * i};
        HBG_POOL_ADD(&arena, code.image.pool.constants, made);
        assert_int_equal(HBG_POOL_LAST(code.image.pool.constants), i);
    }
    for (int32_t i = 0; i < 3000; i++) {
        assert_exact(HBG_RT_AT(code.image.pool.constants, i)->value, i);
        assert_int_equal(HBG_RT_AT(code.image.pool.constants, i)->reg, 7 * i);
    }
    hbg_base_arena_fini(&arena);
}

static void programs_and_texts_come_back_whole(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    static hbg_code code;
    const hbg_rt_instruction instructions[2] = {{HBG_OP_ADD, -1, 4, {1, 2, 0}},
                                                {HBG_OP_SIN, -1, 5, {4, 0, 0}}};
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    code = (hbg_code){.arena = &arena};
    int32_t whole = hbg_code_add_program(&code, instructions, 2),
            empty = hbg_code_add_program(&code, NULL, 0);
    hbg_rt_program found = hbg_rt_program_at(&code.image, whole);
    assert_int_equal(found.count, 2);
    assert_memory_equal(found.code, instructions, sizeof instructions);
    assert_int_equal(hbg_rt_program_at(&code.image, empty).count, 0);
    assert_int_equal(hbg_rt_program_at(&code.image, HBG_NONE).count, 0);
    int32_t text = hbg_code_add_text(&code, "why");
    assert_string_equal(HBG_RT_AT(code.image.pool.texts, text), "why");
    assert_int_equal(hbg_code_add_text(&code, NULL), HBG_NONE);
    hbg_base_arena_fini(&arena);
}

static void equal_programs_are_one_program(void **state) {
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    static hbg_code code;
    hbg_rt_instruction two[2] = {{HBG_OP_ADD, -1, 5, {1, 2, 0}}, {HBG_OP_SUBTRACT, -1, 6, {5, 1, 0}}};
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    code = (hbg_code){.arena = &arena};
    int32_t none = hbg_code_add_program(&code, two, 0), one = hbg_code_add_program(&code, two, 1);
    int32_t both = hbg_code_add_program(&code, two, 2), kept = code.image.pool.instructions.count;
    assert_true(none != one && one != both && none != both);
    assert_int_equal(hbg_code_add_program(&code, two, 2), both);
    assert_int_equal(hbg_code_add_program(&code, two, 1), one);
    assert_int_equal(hbg_code_add_program(&code, two, 0), none);
    assert_int_equal(code.image.pool.instructions.count, kept);
    two[1].argument[1] = 3;
    assert_int_not_equal(hbg_code_add_program(&code, two, 2), both);
    hbg_base_arena_fini(&arena);
    assert_int_equal(memory.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_where_they_are_and_ranges_lie_together),
        cmocka_unit_test(single_items_leave_no_gap),
        cmocka_unit_test(equal_programs_are_one_program),
        cmocka_unit_test(programs_and_texts_come_back_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
