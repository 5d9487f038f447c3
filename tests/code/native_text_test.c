/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instructions as C: every operator gives the bits of the interpreter, also on what is no number or hardly one; constants do
 * not tempt the compiler; long programs come in parts; a model's words are no part of the text. */
#include "compiled_impl.h"
#include "support/model_text.h"

static const double values[] = {0,
                                -0.0,
                                1,
                                -1,
                                2,
                                0.5,
                                -2.5,
                                3.75,
                                1e-3,
                                -7.1,
                                1e16,
                                -1e16,
                                1e300,
                                -1e-300,
                                5e-324,
                                0.1,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                4.999999999999999,
                                1.0000000000000002};
enum { VALUES = sizeof values / sizeof *values };

typedef double (*operation)(double a, double b, double c);

static operation find_operation(const hbg_emit_library *library, const char *name) {
    const void *found = hbg_emit_symbol(library, name);
    operation result;
    assert_non_null(found);
    memcpy(&result, &found, sizeof result);
    return result;
}

static bool same_bits(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* By the interpreter, on the first registers of a run that is not needed otherwise. */
static double interpreted(fixture *f, int op, double a, double b, double c) {
    int arity = op == CODE_COPY ? 1 : hbg_model_operator_info_get((hbg_operator)op)->arity;
    instruction code = {(uint16_t)op,
                        HBG_NONE,
                        0,
                        {arity > 0 ? 1 : HBG_NONE, arity > 1 ? 2 : HBG_NONE, arity > 2 ? 3 : HBG_NONE}};
    assert_true(f->run->register_capacity >= 4);
    f->run->r[1] = a, f->run->r[2] = b, f->run->r[3] = c;
    assert_int_equal(hbg_rt_execute(f->run, &code, 1), HBG_RT_OK);
    return f->run->r[0];
}

static bool is_printed(int op) {
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_buffer out;
    instruction code = {(uint16_t)op, HBG_NONE, 0, {1, 2, 3}};
    hbg_base_arena_init(&arena, &memory);
    hbg_base_buffer_init(&out, &arena);
    bool printed = hbg_code_native_expression(&code, (operand_text){"a", "b", "c", false, false}, &out);
    hbg_base_arena_fini(&arena);
    return printed;
}

static void every_operator_has_the_bits_of_the_interpreter(void **state) {
    fixture f;
    hbg_buffer out;
    int operators = 0;
    (void)state;
    fixture_begin(&f,
                  "model M { C c(1, q = 1); R r(1); c -> r; state a = 0 : der = 1; state b = 0 : der = a; }");
    hbg_base_buffer_init(&out, &f.arena);
    hbg_code_native_declare(true, &out);
    if (hbg_rt_has_elementary()) hbg_code_native_elementary(&out);
    for (int op = 0; op < HBG_OP_COUNT; op++) {
        instruction code = {(uint16_t)op, HBG_NONE, 0, {1, 2, 3}};
        if (!is_printed(op)) continue;
        hbg_base_buffer_print(&out, "double op%d(double a, double b, double c) { return ", op);
        assert_true(hbg_code_native_expression(&code, (operand_text){"a", "b", "c", false, false}, &out));
        hbg_base_buffer_text(&out, "; }\n");
        operators++;
    }
    assert_true(operators >= 35);
    hbg_emit_library *library = load_text(&f.arena, out.data);
    for (int op = 0; op < HBG_OP_COUNT; op++) {
        if (!is_printed(op)) continue;
        operation compiled = find_operation(library, hbg_base_arena_print(&f.arena, "op%d", op));
        for (int i = 0; i < VALUES * VALUES; i++) {
            double a = values[i % VALUES], b = values[i / VALUES], c = values[(i * 7) % VALUES];
            double expected = interpreted(&f, op, a, b, c), found = compiled(a, b, c);
            if (!same_bits(found, expected))
                fail_msg("`%s` of %a, %a, %a is %a, not %a",
                         hbg_model_operator_info_get((hbg_operator)op)->text, a, b, c, found, expected);
        }
    }
    hbg_emit_unload(library);
    fixture_close(&f);
}

/* Compilers know that pow(x, 2) is nearly x·x, and pow(2, x) nearly exp2(x). */
static void powers_of_constants_are_those_of_any_number(void **state) {
    fixture f;
    hbg_buffer out;
    instruction power = {HBG_OP_POWER_OF, HBG_NONE, 0, {1, 2, HBG_NONE}};
    static const char *const constants[] = {"(0x1p+1)", "(0x1p-1)", "(0x1.8p+0)", "(-0x1p+0)", "(0x1.4p+3)"};
    static const double numbers[] = {2, 0.5, 1.5, -1, 10};
    (void)state;
    fixture_begin(&f,
                  "model M { C c(1, q = 1); R r(1); c -> r; state a = 0 : der = 1; state b = 0 : der = a; }");
    hbg_base_buffer_init(&out, &f.arena);
    hbg_code_native_declare(true, &out);
    if (hbg_rt_has_elementary()) hbg_code_native_elementary(&out);
    for (int i = 0; i < 5; i++) {
        hbg_base_buffer_print(&out, "double to%d(double a, double b, double c) { return ", i);
        (void)hbg_code_native_expression(&power, (operand_text){"a", constants[i], "c", false, false}, &out);
        hbg_base_buffer_print(&out, "; }\ndouble of%d(double a, double b, double c) { return ", i);
        (void)hbg_code_native_expression(&power, (operand_text){constants[i], "a", "c", false, false}, &out);
        hbg_base_buffer_text(&out, "; }\n");
    }
    hbg_emit_library *library = load_text(&f.arena, out.data);
    for (int i = 0; i < 5; i++) {
        operation to = find_operation(library, hbg_base_arena_print(&f.arena, "to%d", i));
        operation of = find_operation(library, hbg_base_arena_print(&f.arena, "of%d", i));
        for (int k = 0; k < 20000; k++) {
            double a = 1 + 1.37e-3 * k;
            if (!same_bits(to(a, 0, 0), interpreted(&f, HBG_OP_POWER_OF, a, numbers[i], 0)) ||
                !same_bits(of(a, 0, 0), interpreted(&f, HBG_OP_POWER_OF, numbers[i], a, 0)))
                fail_msg("%.17g with %g: not the bits of the interpreter", a, numbers[i]);
        }
    }
    hbg_emit_unload(library);
    fixture_close(&f);
}

/* A compiler may make one call of sine and cosine of one argument: not here, or with the same bits. */
static void sine_and_cosine_together_are_those_apart(void **state) {
    static const char *const text = "%svoid pair(double a, double *s, double *c) { *s = %s; *c = %s; }\n";
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_buffer word[2], functions;
    void (*pair)(double a, double *s, double *c);
    (void)state;
    hbg_base_arena_init(&arena, &memory);
    hbg_base_buffer_init(&functions, &arena);
    hbg_code_native_declare(false, &functions);
    if (hbg_rt_has_elementary()) hbg_code_native_elementary(&functions);
    for (int i = 0; i < 2; i++) {
        instruction code = {i ? HBG_OP_COS : HBG_OP_SIN, HBG_NONE, 0, {1, HBG_NONE, HBG_NONE}};
        hbg_base_buffer_init(&word[i], &arena);
        assert_true(hbg_code_native_expression(&code, (operand_text){"a", "b", "c", false, false}, &word[i]));
    }
    hbg_emit_library *library =
        load_text(&arena, hbg_base_arena_print(&arena, text, functions.data, word[0].data, word[1].data));
    const void *symbol = hbg_emit_symbol(library, "pair");
    assert_non_null(symbol);
    memcpy(&pair, &symbol, sizeof pair);
    for (int i = 0; i < 400000; i++) {
        double a = i % 4 == 0 ? 1e3 * (i - 2e5) : i % 4 == 1 ? 1e-5 * i : 0.85 + 4e-6 * i, s, c;
        pair(a, &s, &c);
        if (!same_bits(s, hbg_rt_evaluate(HBG_OP_SIN, a, 0, 0)) ||
            !same_bits(c, hbg_rt_evaluate(HBG_OP_COS, a, 0, 0)))
            fail_msg("sine and cosine of %a are not those apart", a);
    }
    hbg_emit_unload(library);
    hbg_base_arena_fini(&arena);
}

/* A chain of resistors and capacitors, long enough for a program in several functions. */
static void long_programs_come_in_parts(void **state) {
    enum { SECTIONS = 700 };
    fixture f;
    model_text model;
    (void)state;
    model_text_begin(&model, "model Chain { Se s(1); 0 n0; s -> n0; ");
    for (int i = 1; i <= SECTIONS; i++)
        hbg_base_buffer_print(
            &model.text, "1 j%d; R r%d(%d); 0 n%d; C c%d(%d); n%d -> j%d -> n%d; j%d -> r%d; n%d -> c%d; ", i,
            i, 1 + i % 7, i, i, 1 + i % 3, i - 1, i, i, i, i, i, i);
    hbg_base_buffer_text(&model.text, "}");
    fixture_begin(&f, model.text.data);
    const char *text = native_text(&f, (hbg_rt_native_options){0});
    assert_words(text, "static int p0_1(");
    hbg_emit_library *library = load_text(&f.arena, text);
    hbg_rt_native_options options = {0};
    assert_true(hbg_code_use_native(f.code, &options, hbg_emit_symbol(library, HBG_CODE_NATIVE)));
    double *compiled = HBG_NEW_ARRAY(&f.arena, double, f.system->state_count);
    for (int32_t i = 0; i < f.system->state_count; i++) f.x[i] = sin(i);
    assert_fine(&f, hbg_rt_rates(f.run, 0, f.x, compiled));
    assert_true(hbg_code_use_native(f.code, NULL, NULL));
    assert_fine(&f, hbg_rt_rates(f.run, 0, f.x, f.dx));
    assert_memory_equal(compiled, f.dx, (size_t)f.system->state_count * sizeof *compiled);
    hbg_emit_unload(library);
    fixture_close(&f);
    model_text_end(&model);
}

static void words_of_the_model_are_no_part_of_the_text(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model Zebra \"*/ #zebra %s\" { param zebra = 2; Se zebra_s(zebra); R zebra_r(3); C zebra_c(1);"
            "1 zebra_j when zebra_a; zebra_s -> zebra_j; zebra_j -> zebra_r; zebra_j -> zebra_c;"
            "automaton zebra_a { on zebra_1 -> zebra_2 when zebra_c.e > 1; off zebra_2 -> zebra_1 when "
            "zebra_c.e < 0.5; } output zebra_y = zebra_c.e; experiment e { stop 1; record zebra_y; } }");
    hbg_rt_native_options options = {.strides = true, .method = HBG_RT_ODE3, .books = true};
    const char *text = native_text(&f, options);
    assert_words(text, "static void stride(");
    assert_null(strstr(text, "ebra"));
    for (const char *at = text; *at; at++) assert_true(*at == '\n' || (*at >= ' ' && *at <= '~'));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_the_bits_of_the_interpreter),
        cmocka_unit_test(powers_of_constants_are_those_of_any_number),
        cmocka_unit_test(sine_and_cosine_together_are_those_apart),
        cmocka_unit_test(long_programs_come_in_parts),
        cmocka_unit_test(words_of_the_model_are_no_part_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
