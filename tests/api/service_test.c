/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service as a library: documents that change, places as editors count them, and memory that runs out at every call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hbg/service.h"

static const char text[] = "model M {\n    Se s(5 [V]); R r(1);\n    1 j;\n    s -> j -> r;\n}\n";

static hbg_service *open_service(void) {
    hbg_service *service;
    assert_int_equal(hbg_service_new(NULL, &service), HBG_OK);
    assert_int_equal(hbg_service_open(service, "m.hbg", text, sizeof text - 1), HBG_OK);
    return service;
}

static void a_change_is_seen(void **state) {
    (void)state;
    hbg_service *service = open_service();
    hbg_service_diagnostics found;
    size_t size, at = (size_t)(strstr(text, "j -> r") - text);
    assert_int_equal(hbg_service_diagnose(service, "m.hbg", &found), HBG_OK);
    assert_int_equal(found.count, 0);
    assert_int_equal(hbg_service_change(service, "m.hbg", at, at + 1, "jj", 2), HBG_OK);
    assert_non_null(strstr(hbg_service_text(service, "m.hbg", &size), "s -> jj -> r;"));
    assert_int_equal(hbg_service_diagnose(service, "m.hbg", &found), HBG_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].place.start, at);
    assert_string_equal(found.items[0].edit->text, "j");
    assert_int_equal(hbg_service_change(service, "m.hbg", 5, 1000, "", 0), HBG_BAD_ARGUMENT);
    assert_int_equal(hbg_service_change(service, "x.hbg", 0, 0, "", 0), HBG_NOT_FOUND);
    hbg_service_close(service, "m.hbg");
    assert_int_equal(hbg_service_diagnose(service, "m.hbg", &found), HBG_NOT_FOUND);
    hbg_service_free(service);
}

static void an_open_document_stands_for_its_file(void **state) {
    (void)state;
    static const char part[] = "component Part { port a : any; R r(1); a -> r; }",
                      user[] = "import \"part.hbg\";\nmodel M { Part p; Se s(1); s -> p.a; }";
    hbg_service *service = open_service();
    hbg_service_diagnostics found;
    FILE *file = fopen("part.hbg", "w"); // what is saved has nothing
    assert_non_null(file);
    fclose(file);
    assert_int_equal(hbg_service_open(service, "user.hbg", user, sizeof user - 1), HBG_OK);
    assert_int_equal(hbg_service_diagnose(service, "user.hbg", &found), HBG_OK);
    assert_true(found.count > 0);
    assert_int_equal(hbg_service_open(service, "part.hbg", part, sizeof part - 1), HBG_OK);
    assert_int_equal(hbg_service_diagnose(service, "user.hbg", &found), HBG_OK);
    assert_int_equal(found.count, 0);
    hbg_service_free(service);
    remove("part.hbg");
}

/* ä has two bytes and one unit, the clef four bytes and two units, and a line may end as DOS has it. */
static void places_are_lines_and_units_of_utf_16(void **state) {
    (void)state;
    static const char words[] = "a\xC3\xA4\xF0\x9D\x84\x9E b\r\nc\n";
    static const struct {
        size_t offset;
        uint32_t line, column;
    } places[] = {{0, 0, 0}, {1, 0, 1}, {3, 0, 2}, {7, 0, 4}, {9, 0, 6}, {11, 1, 0}, {12, 1, 1}, {13, 2, 0}};
    hbg_service *service = open_service();
    assert_int_equal(hbg_service_open(service, "u.hbg", words, sizeof words - 1), HBG_OK);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t line, column;
        size_t offset;
        assert_int_equal(hbg_service_position(service, "u.hbg", places[i].offset, &line, &column), HBG_OK);
        assert_int_equal(line, places[i].line);
        assert_int_equal(column, places[i].column);
        assert_int_equal(hbg_service_offset(service, "u.hbg", line, column, &offset), HBG_OK);
        assert_int_equal(offset, places[i].offset);
    }
    size_t offset;
    assert_int_equal(hbg_service_offset(service, "u.hbg", 0, 1000, &offset), HBG_OK);
    assert_int_equal(offset, 9); // before \r
    assert_int_equal(hbg_service_offset(service, "u.hbg", 1000, 1000, &offset), HBG_OK);
    assert_int_equal(offset, sizeof words - 1);
    assert_int_equal(hbg_service_offset(service, "nowhere.hbg", 0, 0, &offset), HBG_CANNOT_READ);
    hbg_service_free(service);
}

static void the_canonical_form_is_one_edit(void **state) {
    (void)state;
    hbg_service *service = open_service();
    hbg_service_edits edits;
    assert_int_equal(hbg_service_format(service, "m.hbg", &edits), HBG_OK);
    assert_int_equal(edits.count, 1);
    assert_string_equal(edits.items[0].text, "    Se s(5 [V]);\n    R r(1);\n");
    assert_int_equal(edits.items[0].place.start, strlen("model M {\n"));
    hbg_service_free(service);
}

static void strokes_stand_where_the_effort_arrives(void **state) {
    (void)state;
    hbg_service *service = open_service();
    hbg_service_hints hints;
    int strokes = 0;
    assert_int_equal(hbg_service_hints_of(service, "m.hbg", &hints), HBG_OK);
    for (int32_t i = 0; i < hints.count; i++) {
        if (strcmp(hints.items[i].text, "|") != 0) continue;
        // the source gives its effort to the junction, and the junction sums the efforts: it gives one to the resistor
        size_t first = (size_t)(strstr(text, "j -> r") - text);
        assert_int_equal(hints.items[i].offset, strokes++ == 0 ? first : first + strlen("j -> "));
    }
    assert_int_equal(strokes, 2);
    hbg_service_free(service);
}

/* Two loads of one component have their bonds in one place, and one mark for both. */
static void instances_share_their_strokes(void **state) {
    (void)state;
    static const char words[] =
        "component Load { port p : electrical; R r(1 [Ohm]); 1 l; p -> l -> r; }\n"
        "model M { Se s(1 [V]); Sf i(1 [A]); Load a; Load b; 0 n; s -> n -> a.p; i -> b.p; }\n";
    hbg_service *service = open_service();
    hbg_service_hints hints;
    int before_r = 0, after_r = 0;
    assert_int_equal(hbg_service_open(service, "two.hbg", words, sizeof words - 1), HBG_OK);
    assert_int_equal(hbg_service_hints_of(service, "two.hbg", &hints), HBG_OK);
    size_t junction = (size_t)(strstr(words, "l -> r") - words) + 1, resistor = junction + strlen(" -> ");
    for (int32_t i = 0; i < hints.count; i++) {
        if (strcmp(hints.items[i].text, "|") != 0) continue;
        // behind a source of effort the resistor takes the effort, behind one of flow it gives it
        before_r += (size_t)hints.items[i].offset == junction;
        after_r += (size_t)hints.items[i].offset == resistor;
        if ((size_t)hints.items[i].offset == resistor)
            assert_non_null(strstr(hints.items[i].document, "some instances"));
    }
    assert_int_equal(before_r, 1);
    assert_int_equal(after_r, 1);
    hbg_service_free(service);
}

/* Every allocation fails once: each question is answered or says that memory is out, and the next one is answered. */
static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    bool reached = true;
    for (int64_t fail_at = 1; reached && fail_at < 400; fail_at += 1 + fail_at / 16) {
        hbg_service_options options = hbg_service_options_default();
        options.fail_at = fail_at;
        hbg_service *service;
        hbg_service_diagnostics found;
        hbg_service_completions completions;
        hbg_service_edits edits;
        if (hbg_service_new(&options, &service) != HBG_OK) continue;
        hbg_status status = hbg_service_open(service, "m.hbg", text, sizeof text - 1);
        if (status == HBG_OK) status = hbg_service_diagnose(service, "m.hbg", &found);
        if (status == HBG_OK) status = hbg_service_complete(service, "m.hbg", 30, &completions);
        hbg_gesture gesture = {.kind = HBG_GESTURE_ADD, .what = "R"};
        if (status == HBG_OK) status = hbg_service_gesture(service, "m.hbg", &gesture, &edits);
        assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
        reached = status == HBG_NO_MEMORY;
        if (reached) { // it was one failure
            assert_int_equal(hbg_service_open(service, "m.hbg", text, sizeof text - 1), HBG_OK);
            assert_int_equal(hbg_service_diagnose(service, "m.hbg", &found), HBG_OK);
            assert_int_equal(found.count, 0);
        }
        hbg_service_free(service);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_seen),
        cmocka_unit_test(an_open_document_stands_for_its_file),
        cmocka_unit_test(places_are_lines_and_units_of_utf_16),
        cmocka_unit_test(the_canonical_form_is_one_edit),
        cmocka_unit_test(strokes_stand_where_the_effort_arrives),
        cmocka_unit_test(instances_share_their_strokes),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
