/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names, units and XML of FMUs: what models may call things never breaks what importers read. Whole FMUs: tests/tool/export_fmu_test.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emit/export_fmu_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
} bench;

static int set_up(void **state) {
    bench *b = calloc(1, sizeof *b);
    if (b) hbg_base_arena_init(&b->arena, &b->memory);
    *state = b;
    return b ? 0 : -1;
}

static int tear_down(void **state) {
    bench *b = *state;
    hbg_base_arena_fini(&b->arena);
    free(b);
    return 0;
}

static const char *escaped(bench *b, const char *text) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &b->arena);
    hbg_base_buffer_text(&out, "");
    hbg_emit_xml_text(&out, text);
    return out.data;
}

static void text_in_xml_is_escaped(void **state) {
    bench *b = *state;
    assert_string_equal(escaped(b, "a<b & \"c\" > 'd'"), "a&lt;b &amp; &quot;c&quot; &gt; 'd'");
    assert_string_equal(escaped(b, "]]>"), "]]&gt;");
    assert_string_equal(escaped(b, "a\nb\tc"), "a&#10;b&#9;c");
    assert_string_equal(escaped(b, "Größe Ω 😀"), "Größe Ω 😀");
}

/* Control characters, bytes that are no UTF-8, halves of pairs and what is longer than it has to be cannot stand in XML. */
static void what_xml_cannot_hold_is_a_question_mark(void **state) {
    bench *b = *state;
    assert_string_equal(escaped(b, "a\x01\x1f"), "a??");
    assert_string_equal(escaped(b, "\xff\xc3"), "??");
    assert_string_equal(escaped(b, "\xed\xa0\x80"), "???");
    assert_string_equal(escaped(b, "\xc0\xaf"), "??");
    assert_string_equal(escaped(b, "\xef\xbf\xbf"), "???");
    assert_string_equal(escaped(b, "\xf4\x90\x80\x80"), "????");
}

static void numbers_are_attributes_to_the_last_bit(void **state) {
    bench *b = *state;
    hbg_buffer out;
    hbg_base_buffer_init(&out, &b->arena);
    hbg_emit_xml_number(&out, "start", 0.1 + 0.2);
    hbg_emit_xml_flag(&out, "reinit", true);
    assert_string_equal(out.data, " start=\"0.30000000000000004\" reinit=\"true\"");
}

static void names_are_structured_or_quoted(void **state) {
    bench *b = *state;
    hbg_emit_naming naming;
    hbg_emit_naming_init(&naming, &b->arena);
    assert_string_equal(hbg_emit_name_structured(&naming, "motor.coil.p", "state"), "motor.coil.p");
    assert_string_equal(hbg_emit_name_structured(&naming, "a -> b", "bond"), "'a -> b'");
    assert_string_equal(hbg_emit_name_structured(&naming, "2*r.f", "x"), "'2*r.f'");
    assert_string_equal(hbg_emit_name_structured(&naming, "it's \\ \"so\"", "x"), "'it\\'s \\\\ \\\"so\\\"'");
    assert_string_equal(hbg_emit_name_structured(&naming, "a..b", "x"), "'a..b'");
    assert_string_equal(hbg_emit_name_structured(&naming, "a.", "x"), "'a.'");
    assert_string_equal(hbg_emit_name_structured(&naming, "µ", "x"), "'__'");
}

static void ports_have_no_dots(void **state) {
    bench *b = *state;
    hbg_emit_naming naming;
    hbg_emit_naming_init(&naming, &b->arena);
    assert_string_equal(hbg_emit_name_port(&naming, "coil.p", "output"), "coil_p");
    assert_string_equal(hbg_emit_name_port(&naming, "2*r.f", "output"), "_2_r_f");
}

static void no_two_names_are_the_same(void **state) {
    bench *b = *state;
    hbg_emit_naming naming;
    hbg_emit_naming_init(&naming, &b->arena);
    assert_string_equal(hbg_emit_name_port(&naming, "x", "output"), "x");
    assert_string_equal(hbg_emit_name_structured(&naming, "x", "state"), "state.x");
    assert_string_equal(hbg_emit_name_structured(&naming, "x", "state"), "state2.x");
    assert_string_equal(hbg_emit_name_port(&naming, "a.b", "output"), "a_b");
    assert_string_equal(hbg_emit_name_port(&naming, "a_b", "output"), "output_a_b");
}

/* Exponents of kg m s A K mol cd rad. */
static void assert_unit(const char *unit, const int expected[HBG_EMIT_BASE_UNITS]) {
    int found[HBG_EMIT_BASE_UNITS];
    if (!hbg_emit_unit_exponents(unit, found)) fail_msg("%s is not read", unit);
    for (int i = 0; i < HBG_EMIT_BASE_UNITS; i++)
        if (found[i] != expected[i]) fail_msg("%s has %s to %d", unit, hbg_emit_base_units[i], found[i]);
}

static void units_have_base_units(void **state) {
    (void)state;
    assert_unit("V", (const int[8]){1, 2, -3, -1});
    assert_unit("Wb/s", (const int[8]){1, 2, -3, -1}); // a volt
    assert_unit("Pa·s/m^3", (const int[8]){1, -4, -1});
    assert_unit("1/(N·m)", (const int[8]){-1, -2, 2});
    assert_unit("kg·m^2/(s^3·A)", (const int[8]){1, 2, -3, -1});
    assert_unit("N·m·s", (const int[8]){1, 2, -1});
    assert_unit("V·s/rad", (const int[8]){1, 2, -2, -1, 0, 0, 0, -1});
    assert_unit("m/s/s", (const int[8]){0, 1, -2});
    assert_unit("N/m·s", (const int[8]){1, 0, -1}); // from left to right
    assert_unit("(m/s^2)/s", (const int[8]){0, 1, -3});
    assert_unit("1/(m/(s·A))", (const int[8]){0, -1, 1, 1});
}

static void units_that_are_none_are_told(void **state) {
    int found[HBG_EMIT_BASE_UNITS];
    (void)state;
    assert_false(hbg_emit_unit_exponents("kg^(1/2)", found));
    assert_false(hbg_emit_unit_exponents("furlong", found));
    assert_false(hbg_emit_unit_exponents("m/", found));
    assert_false(hbg_emit_unit_exponents("(m", found));
    assert_false(hbg_emit_unit_exponents("m)", found));
    assert_false(hbg_emit_unit_exponents("((((((((m))))))))", found)); // nobody writes that
    assert_false(hbg_emit_unit_exponents("", found));
}

/* The same files are the same bytes, wherever and whenever they are packed. */
static void archives_are_the_same_bytes(void **state) {
    bench *b = *state;
    hbg_emit_files files = {0};
    const char *one, *two, *reason;
    size_t one_size, two_size;
    HBG_PUSH(&b->arena, files, ((hbg_emit_file){"a/b.txt", "hello hello hello", 17}));
    HBG_PUSH(&b->arena, files, ((hbg_emit_file){"empty", "", 0}));
    assert_int_equal(hbg_emit_zip(&b->arena, &files, &one, &one_size, &reason), HBG_OK);
    assert_int_equal(hbg_emit_zip(&b->arena, &files, &two, &two_size, &reason), HBG_OK);
    assert_int_equal(one_size, two_size);
    assert_memory_equal(one, two, one_size);
    assert_memory_equal(one, "PK\3\4", 4);
    assert_memory_equal(one + 10, "\0\0\x21\0", 4); // no hour, the first day of 1980
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text_in_xml_is_escaped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_xml_cannot_hold_is_a_question_mark, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_are_attributes_to_the_last_bit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_structured_or_quoted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ports_have_no_dots, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_two_names_are_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(units_have_base_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(units_that_are_none_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(archives_are_the_same_bytes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
