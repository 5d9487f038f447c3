/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"

enum { CELLS = 8 };

/* Coils that a junction cuts off, which makes them dependent; each source reads the capacitor of the cell before. */
static void open_cells(fixture *f) {
    char text[6000] = "model M { ";
    size_t used = strlen(text);
    for (int i = 0; i < CELLS; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "Se s%d(5 + k%d.q); 1 j%d when c%d; I l%d(2, p = %d); C k%d(3, q = %d); R r%d(4);"
            "s%d -> j%d; j%d -> l%d; j%d -> k%d; j%d -> r%d;"
            "automaton c%d { on shut -> open when false; off open -> shut when false; } ",
            i, (i + CELLS - 1) % CELLS, i, i, i, i + 1, i, 2 * i + 1, i, i, i, i, i, i, i, i, i, i);
    snprintf(text + used, sizeof text - used, "}");
    fixture_open(f, text);
    assert_fine(f, hbg_rt_declare(f->run, f->x));
}

static void choose_mode(unsigned *random, int32_t *states) {
    for (int i = 0; i < CELLS; i++) {
        *random = *random * 1664525u + 1013904223u;
        states[i] = (int32_t)(*random >> 31);
    }
}

static int32_t count_variants(const fixture *f) {
    int32_t count = 0;
    for (int32_t i = 0; i < f->code->segments.count; i++)
        count += f->code->segments.items[i].variants.entries.count;
    return count;
}

/* 256 modes; a cell has two. */
static void blocks_are_compiled_by_local_mode(void **state) {
    fixture f;
    int32_t states[CELLS], blocks = 0;
    unsigned random = 1;
    (void)state;
    open_cells(&f);
    for (int i = 0; i < 200; i++) {
        choose_mode(&random, states);
        assert_fine(&f, hbg_rt_enter(f.run, states));
        assert_fine(&f, hbg_rt_jump(f.run, 0, f.x, f.dx));
    }
    for (int32_t i = 0; i < f.code->segments.count; i++) blocks += f.code->segments.items[i].varies;
    assert_true(blocks >= CELLS); // what they read of one another is what storages hold
    assert_true(count_variants(&f) <= 2 * blocks);
    assert_true(f.eqn->islands.count >= CELLS);
    for (int32_t i = 0; i < f.eqn->islands.count; i++)
        assert_true(f.code->island_code[i].variants.entries.count <= 2);
    fixture_close(&f);
}

/* Where a mode is reached from makes no difference. */
static void a_mode_is_the_same_however_it_was_entered(void **state) {
    fixture walked, fresh;
    int32_t states[CELLS];
    unsigned random = 7;
    (void)state;
    open_cells(&walked);
    for (int i = 0; i < 60; i++) {
        choose_mode(&random, states);
        open_cells(&fresh);
        assert_fine(&walked, hbg_rt_enter(walked.run, states));
        assert_fine(&fresh, hbg_rt_enter(fresh.run, states));
        assert_fine(&walked, hbg_rt_declare(walked.run, walked.x));
        assert_fine(&walked, hbg_rt_jump(walked.run, 0, walked.x, walked.x));
        assert_fine(&fresh, hbg_rt_jump(fresh.run, 0, fresh.x, fresh.x));
        assert_fine(&walked, hbg_rt_rates(walked.run, 0, walked.x, walked.dx));
        assert_fine(&fresh, hbg_rt_rates(fresh.run, 0, fresh.x, fresh.dx));
        for (int32_t k = 0; k < walked.system->state_count; k++) {
            assert_close(walked.x[k], fresh.x[k]);
            assert_close(walked.dx[k], fresh.dx[k]);
        }
        fixture_close(&fresh);
    }
    fixture_close(&walked);
}

/* What a mode change compiles does not grow with the model: terms and registers of a second cell are as many as of a first. */
static void a_known_local_mode_adds_nothing(void **state) {
    fixture f;
    int32_t states[CELLS] = {0};
    (void)state;
    open_cells(&f);
    for (int cell = 0; cell < CELLS; cell++)
        for (int which = 0; which < 2; which++) {
            states[cell] = which;
            assert_fine(&f, hbg_rt_enter(f.run, states));
        }
    int32_t variants = count_variants(&f), registers = f.code->image.code.mark.registers;
    unsigned random = 3;
    for (int i = 0; i < 100; i++) {
        choose_mode(&random, states);
        assert_fine(&f, hbg_rt_enter(f.run, states));
    }
    assert_int_equal(count_variants(&f), variants);
    assert_int_equal(f.code->image.code.mark.registers, registers);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_compiled_by_local_mode),
        cmocka_unit_test(a_mode_is_the_same_however_it_was_entered),
        cmocka_unit_test(a_known_local_mode_adds_nothing),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
