/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Outputs of compiled strides: rows inside of steps and at their ends, and what is kept of all steps, have the bits of strides that
 * are interpreted; outputs that have no text are left to the interpreter, and the steps between them are not. */
#include "strider_impl.h"

/* Every 0.37 ms, many steps apart or several to a step, and now and then at the end of one. */
static void plan_rows(strider *s, int64_t count, int64_t pace) {
    int32_t rows = 0;
    for (int64_t step = 2; step < count && rows + 3 <= ROWS; step += pace) {
        double begin = hbg_rt_grid_time(&s->stride.grid, s->stride.first + (double)(s->stride.done + step));
        double end = hbg_rt_grid_time(&s->stride.grid, s->stride.first + (double)(s->stride.done + step + 1));
        s->rows[rows++] = (hbg_rt_row){step, begin + 0.3 * (end - begin)};
        if (step % 2 == 0) s->rows[rows++] = (hbg_rt_row){step, begin + 0.7 * (end - begin)};
        if (step % 3 == 0) s->rows[rows++] = (hbg_rt_row){step, end};
    }
    s->stride.rows = s->rows;
    s->stride.row_count = rows;
}

static void rows_have_the_bits_of_interpreted_ones(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        strider native, plain, *both[] = {&native, &plain};
        open_strider(&native, CONVERTER_OF("y, z", "output z = coil.f*time;"), (hbg_rt_method)(i / 2), i % 2,
                     true);
        open_strider(&plain, CONVERTER_OF("y, z", "output z = coil.f*time;"), (hbg_rt_method)(i / 2), i % 2,
                     false);
        assert_true(has_stride(&native) && native.f.code->native.table->outputs);
        for (int part = 0; part < 6; part++) {
            int64_t count =
                part == 4 ? 6000 : 1 + 97 * part; // more looks than between two measurements of sizes
            for (int k = 0; k < 2; k++) {
                plan_rows(both[k], count, part == 4 ? 211 : 13);
                (void)stride_on(both[k], count, part % 3 == 0);
            }
            assert_same(&native, &plain);
            assert_int_equal(native.stride.row_done, native.stride.row_count);
            assert_true(part == 0 || native.stride.row_count > 8);
        }
        close_strider(&native);
        close_strider(&plain);
    }
}

static void extents_have_the_bits_of_interpreted_ones(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        strider native, plain, *both[] = {&native, &plain};
        for (int k = 0; k < 2; k++) {
            open_strider(both[k], CONVERTER_OF("y, z", "output z = coil.f*time;"), (hbg_rt_method)(i / 2),
                         i % 2, k == 0);
            keep_extent(both[k], 1 + i % 2); // the first, or both
            for (int part = 0; part < 3; part++) {
                int64_t count = part == 1 ? 6000 : 500;
                plan_rows(both[k], count, 401);
                (void)stride_on(both[k], count, false);
            }
        }
        assert_same(&native, &plain);
        assert_true(native.extent.high[0] > 4.9 && native.extent.area[0] > 1);
        close_strider(&native);
        close_strider(&plain);
    }
}

/* A pole in what is shown, not in what flows. */
static void a_step_with_an_output_that_is_not_finite_is_not_done(void **state) {
    static const char *const text = "model M { state z = 1 : der = -z; output y = 1/max(0.05035 - time, 0); "
                                    "experiment e { stop 1; record y; } }";
    (void)state;
    for (int i = 0; i < 2; i++) {
        strider native, plain, *both[] = {&native, &plain};
        for (int k = 0; k < 2; k++) {
            open_strider(both[k], text, HBG_RT_HEUN, true, k == 0);
            if (i == 1) keep_extent(both[k], 1);
            if (i == 0) plan_rows(both[k], 2000, 20);
            assert_int_equal(stride_on(both[k], 2000, false), HBG_RT_STRIDE_FAILED);
        }
        assert_same(&native, &plain);
        assert_int_equal(native.stride.done,
                         i == 1 ? 503 : 522); // the first to end there, or with a row behind it
        close_strider(&native);
        close_strider(&plain);
    }
}

/* A table that only an output reads: rows and extents are left to the interpreter. */
static void outputs_without_text_do_not_keep_a_model_from_strides(void **state) {
    static const char *const more = "output z = table(\"shown.csv\", \"v\", c.e);";
    FILE *file = fopen("shown.csv", "w");
    (void)state;
    assert_non_null(file);
    fprintf(file, "time,v\n0,0\n4.5,2\n10,2.5\n");
    assert_int_equal(fclose(file), 0);
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    const char *text = hbg_base_arena_print(&arena, CONVERTER_OF("y, z", "%s"), more);
    for (int extent = 0; extent < 2; extent++) {
        strider native, plain, *both[] = {&native, &plain};
        for (int k = 0; k < 2; k++) {
            open_strider(both[k], text, HBG_RT_ODE3, true, k == 0);
            if (extent) keep_extent(both[k], 2);
            plan_rows(both[k], 3000, 200);
            (void)stride_on(both[k], 3000, false);
        }
        assert_true(has_stride(&native) && !native.f.code->native.table->outputs);
        assert_same(&native, &plain);
        assert_true(native.stride.row_done > 15);
        close_strider(&native);
        close_strider(&plain);
    }
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_the_bits_of_interpreted_ones),
        cmocka_unit_test(extents_have_the_bits_of_interpreted_ones),
        cmocka_unit_test(a_step_with_an_output_that_is_not_finite_is_not_done),
        cmocka_unit_test(outputs_without_text_do_not_keep_a_model_from_strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
