/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What runs ask the compiler for: made once, found from then on, and still to be had after memory has run out. */
#include "eqn/fixture_impl.h"

enum { CELLS = 3 };

/* Coils that a junction cuts off, which makes them dependent: each in a region of its own. */
static void open_coils(fixture *f) {
    char text[2000] = "model M { ";
    size_t used = strlen(text);
    for (int i = 0; i < CELLS; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "Se s%d(5); 1 j%d when c%d; I l%d(2); C k%d(3); s%d -> j%d; j%d -> l%d; j%d -> k%d;"
            "automaton c%d { on shut -> open when false; off open -> shut when false; } ",
            i, i, i, i, i, i, i, i, i, i, i, i);
    snprintf(text + used, sizeof text - used, "}");
    fixture_open(f, text);
}

static hbg_rt_status visit(fixture *f, const int32_t *states) {
    hbg_rt_status status = hbg_rt_enter(f->run, states);
    if (status == HBG_RT_OK) status = hbg_rt_jump(f->run, 0, f->x, f->x);
    return status == HBG_RT_OK ? hbg_rt_rates(f->run, 0, f->x, f->dx) : status;
}

static void what_was_asked_for_is_found(void **state) {
    const int32_t open[CELLS] = {1, 0, 0};
    fixture f;
    (void)state;
    open_coils(&f);
    assert_fine(&f, visit(&f, open));
    int64_t compiled = hbg_code_compiled(f.code);
    const hbg_rt_pools *pool = &f.code->image.pool;
    hbg_rt_provider provider = hbg_code_provider(f.code);
    int varying = 0;
    for (int32_t i = 0; i < f.code->segments.count; i++) {
        int32_t found = HBG_NONE, choice = HBG_RT_AT(pool->blocks, i)->choice;
        if (!f.code->segments.items[i].varies) continue;
        int32_t known = hbg_rt_choose(&f.code->image, choice, f.run->on, f.run->variants.key);
        assert_int_not_equal(known, HBG_NONE);
        assert_ptr_equal(HBG_RT_AT(pool->variants, known), f.run->variants.variant[i]);
        assert_int_equal(provider.need(provider.context, HBG_RT_NEED_BLOCK, i, f.run->on, &found), HBG_RT_OK);
        assert_int_equal(found, known);
        varying++;
    }
    assert_int_equal(varying, CELLS);
    assert_int_equal(hbg_code_compiled(f.code), compiled);
    fixture_close(&f);
}

/* One cell's junction is no business of the others: their code is found by the bits that they had. */
static void other_regions_make_no_difference(void **state) {
    const int32_t modes[][CELLS] = {{1, 0, 0}, {0, 1, 1}}; // each cell in both of its own
    fixture f;
    (void)state;
    open_coils(&f);
    for (int i = 0; i < 2; i++) assert_fine(&f, visit(&f, modes[i]));
    int64_t compiled = hbg_code_compiled(f.code);
    for (int mode = 0; mode < 1 << CELLS; mode++) {
        const int32_t states[CELLS] = {mode & 1, mode >> 1 & 1, mode >> 2 & 1};
        assert_fine(&f, visit(&f, states));
        assert_int_equal(f.run->dependent_count, states[0] + states[1] + states[2]);
    }
    assert_int_equal(hbg_code_compiled(f.code), compiled);
    fixture_close(&f);
}

/* Memory runs out at every place in turn; asked again, with memory, the mode is what it always is. */
static void a_mode_is_right_after_memory_has_run_out(void **state) {
    const int32_t shut[CELLS] = {0}, open[CELLS] = {1, 0, 1};
    int failures = 0;
    (void)state;
    for (int64_t n = 1; n < 200; n++) {
        fixture f;
        open_coils(&f);
        assert_fine(&f, visit(&f, shut));
        f.memory.fail_at = f.memory.calls + n;
        hbg_rt_status status = visit(&f, open);
        f.memory.fail_at = 0;
        bool failed = status != HBG_RT_OK;
        failures += failed;
        if (failed) assert_int_equal(status, HBG_RT_NO_MEMORY);
        hbg_rt_free(f.run);
        f.run = hbg_code_run(f.code);
        assert_fine(&f, visit(&f, open));
        assert_int_equal(f.run->dependent_count, 2);
        fixture_close(&f);
        if (!failed) break;
    }
    assert_true(failures > 0 && failures < 199);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_asked_for_is_found),
        cmocka_unit_test(other_regions_make_no_difference),
        cmocka_unit_test(a_mode_is_right_after_memory_has_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
