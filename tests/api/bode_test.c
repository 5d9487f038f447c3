/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bode plots through the public header. The numbers behind them are those of frequency_test.c. */
#include "api/run_fixture_impl.h"

#define LOW_PASS                                                                                             \
    "model Lp { param R1 = 1 [kOhm]; input real u [V] = 1 [V]; Se s(u); R r(R1); C c(1 [uF]); 1 j;\n"        \
    "  s -> j -> r; j -> c; output v = c.e; }\n"

static hbg_status draw(const char *input, hbg_draw_format format, hbg_text *picture, run_fixture *f) {
    hbg_load_options load = {.records = "c.e"};
    hbg_linearize_options options = {0};
    *f = fixture_load(LOW_PASS, &load);
    return hbg_bode(f->session, f->model, &options, input, format, picture);
}

static void magnitude_and_phase_are_drawn_over_frequency(void **state) {
    (void)state;
    const char *const words[] = {"Lp at 0 s", "magnitude", "phase", "frequency", "Hz", "dB", "c.e / u"};
    run_fixture f;
    hbg_text picture;
    assert_int_equal(draw("u", HBG_DRAW_SVG, &picture, &f), HBG_OK);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(picture.data, words[i])) fail_msg("no %s", words[i]);
    hbg_text_free(f.session, &picture);
    fixture_free(&f);
}

static void a_parameter_can_be_what_moves(void **state) {
    (void)state;
    run_fixture f;
    hbg_text picture;
    assert_int_equal(draw("R1", HBG_DRAW_PNG, &picture, &f), HBG_OK);
    assert_memory_equal(picture.data, "\x89PNG", 4);
    hbg_text_free(f.session, &picture);
    fixture_free(&f);
}

static void what_is_no_input_is_told(void **state) {
    (void)state;
    run_fixture f;
    hbg_text picture;
    assert_int_equal(draw("R2", HBG_DRAW_SVG, &picture, &f), HBG_NOT_FOUND);
    assert_non_null(
        strstr(hbg_session_reason(f.session), "there is no input or parameter `R2`; did you mean `R1`?"));
    fixture_free(&f);
}

/* The voltage of a capacitor that nothing joins to the source. */
static void an_output_that_does_not_answer_is_told(void **state) {
    (void)state;
    hbg_load_options load = {.records = "alone.e"};
    hbg_linearize_options options = {0};
    hbg_text picture;
    run_fixture f = fixture_load(
        "model Two { input real u [V] = 1 [V]; Se s(u); R r(1 [kOhm]); C c(1 [uF]); 1 j;\n"
        "  s -> j -> r; j -> c; C alone(1 [uF], e = 1 [V]); R leak(1 [kOhm]); leak -> alone; }\n",
        &load);
    assert_int_equal(hbg_bode(f.session, f.model, &options, "u", HBG_DRAW_SVG, &picture), HBG_BAD_ARGUMENT);
    assert_non_null(
        strstr(hbg_session_reason(f.session), "`alone.e` does not answer to `u` at any frequency"));
    assert_null(picture.data);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(magnitude_and_phase_are_drawn_over_frequency),
        cmocka_unit_test(a_parameter_can_be_what_moves),
        cmocka_unit_test(what_is_no_input_is_told),
        cmocka_unit_test(an_output_that_does_not_answer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
