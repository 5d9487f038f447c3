/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strides as one compiled function: states, works, modes and counts have the bits of strides that are interpreted, for every
 * method, through thousands of looks; they end at the same places; and who has no such function says so. */
#include "strider_impl.h"
#include "support/model_text.h"

static void compiled_strides_have_the_bits_of_interpreted_ones(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        strider native, plain;
        hbg_rt_method method = (hbg_rt_method)(i / 2);
        int64_t moves = 0;
        open_strider(&native, CONVERTER(""), method, i % 2, true);
        open_strider(&plain, CONVERTER(""), method, i % 2, false);
        assert_true(has_stride(&native));
        for (int part = 0; part < 12; part++) { // more looks than between two measurements of sizes
            int64_t count = part == 4 ? 6000 : 1 + 97 * part;
            (void)stride_on(&native, count, part % 3 == 0);
            (void)stride_on(&plain, count, part % 3 == 0);
            assert_same(&native, &plain);
            assert_int_equal(native.stride.end, HBG_RT_STRIDE_DONE);
            moves += native.stride.moves;
        }
        assert_true(moves > 100);
        close_strider(&native);
        close_strider(&plain);
    }
}

/* An automaton that is not calm, with a guard on time: its relation ends the stride. */
#define THIRD                                                                                                \
    "Se s3(1); R q3(9); 1 h3 when d; s3 -> h3; h3 -> q3; h3 -> n;"                                           \
    "automaton d { on up -> down when time > 0.4; off down -> up after 1; }"

static void they_end_at_the_same_search(void **state) {
    strider native, plain;
    (void)state;
    open_strider(&native, CONVERTER(THIRD), HBG_RT_ODE3, true, true);
    open_strider(&plain, CONVERTER(THIRD), HBG_RT_ODE3, true, false);
    assert_true(has_stride(&native));
    assert_int_equal(stride_on(&native, 20000, false), HBG_RT_STRIDE_SEARCH);
    assert_int_equal(stride_on(&plain, 20000, false), HBG_RT_STRIDE_SEARCH);
    assert_int_equal(native.stride.done, 4000);
    assert_same(&native, &plain);
    close_strider(&native);
    close_strider(&plain);
}

static void they_end_before_what_is_not_finite(void **state) {
    static const char *const text = "model M { state z = 1 : der = 1000*z^3; state y = 0 : der = z; }";
    strider native, plain;
    (void)state;
    for (int i = 0; i < 4; i++) {
        open_strider(&native, text, (hbg_rt_method)i, true, true);
        open_strider(&plain, text, (hbg_rt_method)i, true, false);
        assert_true(has_stride(&native));
        assert_int_equal(stride_on(&native, 20000, false), HBG_RT_STRIDE_FAILED);
        assert_int_equal(stride_on(&plain, 20000, false), HBG_RT_STRIDE_FAILED);
        assert_same(&native, &plain);
        assert_true(native.stride.done > 3 && isfinite(native.f.x[0]));
        close_strider(&native);
        close_strider(&plain);
    }
}

/* Between two strides the run may do anything else: parameters, other evaluations, a mode that was entered. */
static void runs_may_change_between_strides(void **state) {
    strider native, plain, *both[] = {&native, &plain};
    (void)state;
    for (int i = 0; i < 2; i++) {
        open_strider(both[i], CONVERTER("param unused = 1; signal extra = unused;"), HBG_RT_HEUN, false,
                     i == 0);
        (void)stride_on(both[i], 500, false);
        set_param(&both[i]->f, "unused", 2);
        (void)output_at(&both[i]->f, "y", 0.3);
        assert_fine(&both[i]->f, hbg_rt_hold_automaton(both[i]->f.run, 0, 0)); // interpreted meanwhile
        (void)stride_on(both[i], 500, false);
        assert_fine(&both[i]->f, hbg_rt_hold_automaton(both[i]->f.run, 0, HBG_RT_HOLD_NOT));
        (void)stride_on(both[i], 500, false);
    }
    assert_same(&native, &plain);
    close_strider(&native);
    close_strider(&plain);
}

/* Made for one method, with works or without: another stride is interpreted. */
static void a_stride_of_another_kind_is_interpreted(void **state) {
    strider native, plain;
    (void)state;
    open_strider(&native, CONVERTER(""), HBG_RT_ODE3, true, true);
    open_strider(&plain, CONVERTER(""), HBG_RT_EULER, true, false);
    native.stepper.method = HBG_RT_EULER;
    (void)stride_on(&native, 1000, false);
    (void)stride_on(&plain, 1000, false);
    assert_same(&native, &plain);
    native.stepper.method = plain.stepper.method = HBG_RT_ODE3;
    native.stride.work = plain.stride.work = NULL;
    (void)stride_on(&native, 1000, false);
    (void)stride_on(&plain, 1000, false);
    assert_same(&native, &plain);
    close_strider(&native);
    close_strider(&plain);
}

#define LOOP                                                                                                 \
    "model M { Se s(10); R a : e = f^3 + f; R b(3); R d(5); C c(2); 1 j; 0 n; 1 k; s -> j; j -> a; j -> n;"  \
    "n -> b; n -> k; k -> d; k -> c; }"
#define TABLE "model M { C c : e = table(\"bends.csv\", \"v\", q); R r(1); 0 n; n -> c; n -> r; }"
#define BLOCK                                                                                                \
    "model M { Se s(10); I m(5); C c(1); R r(2); 1 j when x; s -> j; j -> m; j -> r; j -> c;"                \
    "automaton x { on shut -> open when c.q > 100; off open -> shut when c.q < -100; } }"

static void models_with_loops_tables_or_blocks_have_none_and_stride_all_the_same(void **state) {
    static const char *const texts[] = {LOOP, TABLE, BLOCK};
    FILE *file = fopen("bends.csv", "w");
    (void)state;
    assert_non_null(file);
    fprintf(file, "time,v\n0,0\n1,2\n1,2.5\n4,3\n");
    assert_int_equal(fclose(file), 0);
    for (int i = 0; i < 3; i++) {
        strider native, plain;
        open_strider(&native, texts[i], HBG_RT_ODE3, true, true);
        open_strider(&plain, texts[i], HBG_RT_ODE3, true, false);
        assert_false(has_stride(&native));
        (void)stride_on(&native, 300, false);
        (void)stride_on(&plain, 300, false);
        assert_int_equal(native.stride.done, 300);
        assert_same(&native, &plain);
        close_strider(&native);
        close_strider(&plain);
    }
}

/* What a compiler would choke on is left to programs in parts. */
static void very_large_models_have_none(void **state) {
    fixture f;
    model_text model;
    (void)state;
    model_text_begin(&model, "model Many { ");
    for (int i = 0; i < 1200; i++)
        hbg_base_buffer_print(&model.text, "state z%d = 1 : der = sin(z%d) - 2*z%d; ", i, (i + 1) % 1200, i);
    hbg_base_buffer_text(&model.text, "}");
    fixture_begin(&f, model.text.data);
    hbg_rt_native_options options = {.strides = true, .method = HBG_RT_EULER};
    assert_null(strstr(native_text(&f, options), "static void stride("));
    fixture_close(&f);
    model_text_end(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_strides_have_the_bits_of_interpreted_ones),
        cmocka_unit_test(they_end_at_the_same_search),
        cmocka_unit_test(they_end_before_what_is_not_finite),
        cmocka_unit_test(runs_may_change_between_strides),
        cmocka_unit_test(a_stride_of_another_kind_is_interpreted),
        cmocka_unit_test(models_with_loops_tables_or_blocks_have_none_and_stride_all_the_same),
        cmocka_unit_test(very_large_models_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
