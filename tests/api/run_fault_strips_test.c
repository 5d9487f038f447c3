/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults have strips in the plot of a run. */
#include "api/run_fixture_impl.h"

/* The plot of 50 ms with these faults; for the caller to free. */
static char *plot_with(const char *const *faults, int count) {
    hbg_load_options load = {.faults = faults, .fault_count = count};
    run_fixture f = fixture_load(CHARGING, &load);
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    options.plot = "run_fault_strips_test.svg";
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &text), HBG_OK);
    assert_int_equal(end, HBG_RUN_FINISHED);
    hbg_text_free(f.session, &text);
    fixture_free(&f);
    FILE *file = fopen(options.plot, "rb");
    assert_non_null(file);
    char *picture = calloc(1, 200000);
    assert_true(fread(picture, 1, 199999, file) > 0);
    fclose(file);
    remove(options.plot);
    return picture;
}

static void each_fault_has_a_strip_with_its_sentence(void **state) {
    (void)state;
    const char *faults[] = {"at 10 [ms]: R1 abrupt 50 [%]", "at 20 [ms] until 30 [ms]: V stuck 3 [V]"};
    char *svg = plot_with(faults, 2);
    assert_non_null(strstr(svg, ">R1 abrupt 50 [%]<"));
    assert_non_null(strstr(svg, ">V stuck 3 [V]<"));
    assert_non_null(strstr(svg, ">fault<"));
    free(svg);
}

static void a_run_without_faults_has_none(void **state) {
    (void)state;
    char *svg = plot_with(NULL, 0);
    assert_null(strstr(svg, ">fault<"));
    free(svg);
}

static void long_sentences_are_cut_between_characters(void **state) {
    (void)state;
    // of the bytes that have room the last is the first half of the Ω
    const char *faults[] = {"at 10 [ms]: R1 abrupt 500.000000000000000 [Ω]"};
    char *svg = plot_with(faults, 1);
    assert_non_null(strstr(svg, ">R1 abrupt 500.000000000000000 […<"));
    free(svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_has_a_strip_with_its_sentence),
        cmocka_unit_test(a_run_without_faults_has_none),
        cmocka_unit_test(long_sentences_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
