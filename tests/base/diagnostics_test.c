/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics are collected, capped, ordered. */
#include "fixture_impl.h"

static const hbg_span nowhere = {0, 0};

static void codes_are_unique_and_fit_their_severity(void **state) {
    (void)state;
    for (int i = 0; i < HBG_DIAGNOSTIC_COUNT; i++) {
        const hbg_diagnostic_kind *kind = hbg_base_diagnostic_kind_get((hbg_diagnostic_id)i);
        assert_int_equal(strlen(kind->code), 5);
        assert_int_equal(kind->code[0], "NWE"[kind->severity]);
        assert_int_equal(kind->name[0] == '\0', kind->severity != HBG_WARNING);
        assert_true(kind->summary[0] != '\0');
        for (int j = 0; j < i; j++)
            assert_string_not_equal(kind->code, hbg_base_diagnostic_kind_get((hbg_diagnostic_id)j)->code);
    }
}

static void every_warning_is_found_by_its_name(void **state) {
    (void)state;
    int warnings = 0;
    for (int i = 0; i < HBG_DIAGNOSTIC_COUNT; i++) {
        const hbg_diagnostic_kind *kind = hbg_base_diagnostic_kind_get((hbg_diagnostic_id)i);
        if (kind->severity != HBG_WARNING) continue;
        assert_int_equal(hbg_base_diagnostic_find_warning(kind->name), i);
        warnings++;
    }
    assert_true(warnings > 5);
    assert_int_equal(hbg_base_diagnostic_find_warning(""), HBG_DIAGNOSTIC_COUNT);
    assert_int_equal(hbg_base_diagnostic_find_warning("no-such-warning"), HBG_DIAGNOSTIC_COUNT);
}

static void a_report_keeps_text_notes_and_fix(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    hbg_diagnostic *report =
        hbg_base_report(&all, HBG_E_UNKNOWN, (hbg_span){5, 8}, "nothing is called '%s'", "rr");
    hbg_base_report_fix(&all, report, "did you mean '%s'?", "r");
    hbg_base_report_note(&all, report, (hbg_span){1, 2}, "in component %d", 1);
    hbg_base_report_note(&all, report, nowhere, "in component %d", 2);

    assert_int_equal(all.errors, 1);
    assert_int_equal(all.items.count, 1);
    report = &all.items.items[0];
    assert_int_equal(report->id, HBG_E_UNKNOWN);
    assert_int_equal(report->severity, HBG_ERROR);
    assert_int_equal(report->span.end, 8);
    assert_string_equal(report->text, "nothing is called 'rr'");
    assert_string_equal(report->fix, "did you mean 'r'?");
    assert_int_equal(report->notes.count, 2);
    assert_int_equal(report->notes.items[0].span.start, 1);
    assert_string_equal(report->notes.items[1].text, "in component 2");
}

static void the_first_thousand_are_kept_and_all_are_counted(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    for (uint32_t i = 1; i <= 1500; i++) {
        assert_int_equal(hbg_base_report_wanted(&all, HBG_ERROR), i <= 1000);
        hbg_base_report(&all, HBG_E_SYNTAX, (hbg_span){i, i + 1}, "error %u", i);
    }
    /* warnings have a cap of their own */
    for (uint32_t i = 1; i <= 1200; i++) {
        assert_int_equal(hbg_base_report_wanted(&all, HBG_WARNING), i <= 1000);
        hbg_base_report(&all, HBG_W_OPEN_PORT, (hbg_span){i, i + 1}, "warning %u", i);
    }
    assert_int_equal(all.errors, 1500);
    assert_int_equal(all.warnings, 1200);
    assert_int_equal(all.items.count, 2000);
    assert_string_equal(all.items.items[999].text, "error 1000");
    assert_string_equal(all.items.items[1999].text, "warning 1000");
}

static void a_note_is_kept_and_counts_as_nothing(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    all.warnings_are_errors = true;
    hbg_diagnostic *report = hbg_base_report(&all, HBG_N_START, (hbg_span){5, 8}, "as it should be");
    assert_int_equal(report->severity, HBG_NOTE);
    assert_int_equal(all.items.count, 1);
    assert_int_equal(all.errors, 0);
    assert_int_equal(all.warnings, 0);
}

static void errors_beyond_the_cap_cost_no_memory(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    for (uint32_t i = 1; i <= 1000; i++) hbg_base_report(&all, HBG_E_SYNTAX, (hbg_span){i, i + 1}, "error");
    const char *next = f->arena.next;
    int64_t calls = f->memory.calls;
    for (uint32_t i = 0; i < 1000000; i++) {
        hbg_diagnostic *report = hbg_base_report(&all, HBG_E_SYNTAX, (hbg_span){i, i + 1}, "error %u", i);
        assert_non_null(report);
        hbg_base_report_note(&all, report, nowhere, "note %u", i);
        hbg_base_report_fix(&all, report, "fix %u", i);
    }
    assert_int_equal(all.errors, 1001000);
    assert_int_equal(all.items.count, 1000);
    assert_ptr_equal(f->arena.next, next);
    assert_int_equal(f->memory.calls, calls);
    for (int i = 0; i < 1000; i++) assert_null(all.items.items[i].fix);
}

static void a_warning_turned_off_is_not_counted(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    all.disabled[HBG_W_OPEN_PORT] = true;
    all.warnings_are_errors = true;
    hbg_diagnostic *report = hbg_base_report(&all, HBG_W_OPEN_PORT, nowhere, "open");
    hbg_base_report_note(&all, report, nowhere, "here");
    assert_int_equal(all.items.count, 0);
    assert_int_equal(all.warnings + all.errors, 0);
    /* an error cannot be turned off */
    all.disabled[HBG_E_SYNTAX] = true;
    hbg_base_report(&all, HBG_E_SYNTAX, nowhere, "syntax");
    assert_int_equal(all.errors, 1);
}

static void warnings_become_errors_when_asked(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    hbg_base_report(&all, HBG_W_OPEN_PORT, (hbg_span){1, 2}, "open");
    assert_int_equal(all.items.items[0].severity, HBG_WARNING);
    all.warnings_are_errors = true;
    hbg_base_report(&all, HBG_W_OPEN_PORT, (hbg_span){2, 3}, "open");
    assert_int_equal(all.items.items[1].severity, HBG_ERROR);
    assert_int_equal(all.errors, 1);
    assert_int_equal(all.warnings, 1);
    assert_int_equal(all.kept_warnings, 1);
}

static void a_repetition_is_dropped_and_a_difference_is_not(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    hbg_diagnostic *first = hbg_base_report(&all, HBG_E_UNIT, (hbg_span){1, 2}, "units of %s", "a");
    hbg_diagnostic *again = hbg_base_report(&all, HBG_E_UNIT, (hbg_span){1, 2}, "units of %s", "a");
    assert_ptr_not_equal(first, again);
    hbg_base_report_note(&all, again, nowhere, "lost");
    assert_int_equal(all.errors, 1);
    assert_int_equal(all.items.items[0].notes.count, 0);

    hbg_base_report(&all, HBG_E_UNIT, (hbg_span){1, 2}, "units of %s", "b");
    hbg_base_report(&all, HBG_E_UNIT, (hbg_span){1, 2}, "units of %s", "bb");
    hbg_base_report(&all, HBG_E_UNIT, (hbg_span){1, 3}, "units of %s", "bb");
    hbg_base_report(&all, HBG_E_UNIT, (hbg_span){2, 3}, "units of %s", "bb");
    hbg_base_report(&all, HBG_E_TYPE, (hbg_span){2, 3}, "units of %s", "bb");
    assert_int_equal(all.errors, 6);
    assert_int_equal(all.items.count, 6);
}

static void long_texts_are_whole_and_compared(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    hbg_base_report(&all, HBG_E_UNIT, nowhere, "%5000d", 1);
    hbg_base_report(&all, HBG_E_UNIT, nowhere, "%5000d", 1);
    hbg_base_report(&all, HBG_E_UNIT, nowhere, "%5001d", 1);
    assert_int_equal(all.items.count, 2);
    assert_int_equal(strlen(all.items.items[0].text), 5000);
    assert_int_equal(strlen(all.items.items[1].text), 5001);
}

static void sorted_reports_follow_the_text_and_keep_their_order(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    static const uint32_t starts[] = {7, 0, 3, 7, UINT32_MAX - 1, 1, 0, 3};
    for (int i = 0; i < 8; i++)
        hbg_base_report(&all, i % 2 ? HBG_E_UNIT : HBG_W_OPEN_PORT, (hbg_span){starts[i], starts[i]}, "%d",
                        i);
    hbg_base_diagnostics_sort(&all);
    static const char *const order[] = {"5", "2", "7", "0", "3", "4", "1", "6"};
    for (int i = 0; i < 8; i++) assert_string_equal(all.items.items[i].text, order[i]);
}

static void nothing_to_sort_is_fine(void **state) {
    fixture *f = *state;
    hbg_diagnostics all;
    hbg_base_diagnostics_init(&all, &f->arena);
    hbg_base_diagnostics_sort(&all);
    assert_int_equal(all.items.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(codes_are_unique_and_fit_their_severity),
        TEST(every_warning_is_found_by_its_name),
        TEST(a_report_keeps_text_notes_and_fix),
        TEST(the_first_thousand_are_kept_and_all_are_counted),
        TEST(a_note_is_kept_and_counts_as_nothing),
        TEST(errors_beyond_the_cap_cost_no_memory),
        TEST(a_warning_turned_off_is_not_counted),
        TEST(warnings_become_errors_when_asked),
        TEST(a_repetition_is_dropped_and_a_difference_is_not),
        TEST(long_texts_are_whole_and_compared),
        TEST(sorted_reports_follow_the_text_and_keep_their_order),
        TEST(nothing_to_sort_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
