/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of registers: each is given once, and those of code that runs while time flows do not depend on how many parameters
 * there are. */
#include "compiled_impl.h"

enum { MANY = 5000 };

static void take(hbg_code *code, register_side side, int count, int32_t *out) {
    for (int i = 0; i < count; i++) out[i] = hbg_code_new_register(code, side);
}

static void no_number_is_given_twice_and_few_are_left_out(void **state) {
    (void)state;
    static hbg_code code;
    static int32_t flow[MANY], param[MANY];
    static bool seen[8 * MANY];
    for (int i = 0; i < MANY; i += 100) { // the two take turns
        take(&code, SIDE_FLOW, 100, flow + i);
        take(&code, SIDE_PARAM, 100, param + i);
    }
    for (int i = 0; i < 2 * MANY; i++) {
        int32_t reg = i < MANY ? flow[i] : param[i - MANY];
        assert_in_range(reg, 0, code.image.code.mark.registers - 1);
        assert_false(seen[reg]);
        seen[reg] = true;
    }
    assert_true(code.image.code.mark.registers <= 5 * MANY + 300);
}

static void parameters_do_not_move_the_registers_of_code(void **state) {
    (void)state;
    static hbg_code with, without;
    static int32_t a[MANY], b[MANY], params[700];
    take(&with, SIDE_PARAM, 700, params);
    take(&with, SIDE_FLOW, MANY, a);
    take(&without, SIDE_FLOW, MANY, b);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(a[i], b[i]);
        assert_int_equal(hbg_rt_flow_number(a[i]), i);
    }
    for (int i = 0; i < 700; i++) assert_int_equal(hbg_rt_flow_number(params[i]), HBG_NONE);
}

/* The text that is compiled does not say how many parameters a model has, nor what they are computed from. */
static void a_further_parameter_leaves_the_compiled_text_as_it_is(void **state) {
    (void)state;
    static const char *const models[] = {
        "model M { param a = 2; Se s(1); R r(a); C c(3, e = 1); 1 j; s -> j; j -> r; j -> c; output o = c.e;"
        "experiment e { stop 1; record o; } }",
        "model M { param a = 2, b = 3, d = 1/3; Se s(1); R r(a*b/(d + 7)); C c(3, e = b*d); 1 j; s -> j;"
        "j -> r; j -> c; output o = c.e; experiment e { stop 1; record o; } }"};
    fixture f[2];
    const char *text[2];
    for (int i = 0; i < 2; i++) {
        fixture_begin(&f[i], models[i]);
        text[i] = native_text(&f[i], (hbg_rt_native_options){.strides = true, .method = HBG_RT_RK4});
    }
    assert_string_equal(text[0], text[1]);
    assert_non_null(strstr(text[0], "stride("));
    for (int i = 0; i < 2; i++) fixture_close(&f[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_is_given_twice_and_few_are_left_out),
        cmocka_unit_test(parameters_do_not_move_the_registers_of_code),
        cmocka_unit_test(a_further_parameter_leaves_the_compiled_text_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
