/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model holds, as text. */
#include "api/small_model_impl.h"

static void a_line_says_what_there_is(void **state) {
    small_model *small = *state;
    hbg_text text;
    assert_int_equal(hbg_summary_text(small->session, small->model, &text), HBG_OK);
    assert_string_equal(text.data, "Small: 10 elements (3 junctions, 2 controlled), 10 bonds, 1 automaton, "
                                   "4 parameters, 7 signals, 1 experiment\n");
    hbg_text_free(small->session, &text);
}

static void the_list_has_a_section_for_each_kind(void **state) {
    small_model *small = *state;
    hbg_text text;
    assert_int_equal(hbg_list_text(small->session, small->model, &text), HBG_OK);
    static const char *const lines[] = {
        "Small: 10 elements",
        "\nsomething of everything\n",
        "\nelements\n",
        "  Se  s        V + u\n",
        "  C   c        0.0001 F, initially q = 0.001\n",
        "  I   w[2]     [[1, 0], [0, 2]]\n",
        "  R   law      e = 2*1*law.f\n",
        "  TF  t        2\n",
        "  1   j        when k\n",
        "  0   n        when !k off flow\n",
        "  R   load.r   load.R0 = 20 Ohm\n",
        "\nbonds\n",
        "  b1  s -> j          electrical\n",
        "      n -> w[2]       electrical\n",
        "      t[2] -> far     electrical\n",
        "\nautomata\n",
        "  k every 0.001 s  off open            -> closed when sw\n",
        "                   on  closed (start)  -> open when !sw || reset\n",
        "                                       -> open after 2 s\n",
        "\nparameters\n",
        "supply\n",
        "  load.R0   20 Ohm\n",
        "\nsignals\n",
        "  input event  reset\n",
        "\nexperiments\n",
        "  first  stop 1 s  2 actions, 3 faults  the default\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text.data, lines[i])) fail_msg("no `%s` in\n%s", lines[i], text.data);
    hbg_text_free(small->session, &text);
}

static void no_line_ends_in_blanks(void **state) {
    small_model *small = *state;
    hbg_text text;
    assert_int_equal(hbg_list_text(small->session, small->model, &text), HBG_OK);
    assert_null(strstr(text.data, " \n"));
    assert_int_equal(text.data[text.size - 1], '\n');
    hbg_text_free(small->session, &text);
}

static void an_empty_model_has_no_sections(void **state) {
    small_model *small = *state;
    hbg_model *empty;
    hbg_text text;
    assert_int_equal(hbg_load_text(small->session, "e.hbg", "model Empty { }", 15, NULL, &empty), HBG_OK);
    assert_int_equal(hbg_list_text(small->session, empty, &text), HBG_OK);
    assert_null(strstr(text.data, "elements\n"));
    assert_non_null(strstr(text.data, "Empty"));
    hbg_text_free(small->session, &text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_line_says_what_there_is),
        TEST(the_list_has_a_section_for_each_kind),
        TEST(no_line_ends_in_blanks),
        TEST(an_empty_model_has_no_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
