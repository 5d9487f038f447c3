/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Processes as text, as LaTeX and for programs: what stands there is what the equations of the model say, and brackets close. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hbg/hbg.h"

static const char *const library = HBG_SOURCE_DIR "/lib";

/* An example, written; the caller frees it. */
static char *written(const char *name, hbg_process_format format) {
    char path[1000];
    hbg_session *session;
    hbg_model *model;
    hbg_text text;
    hbg_hypa_options options = {.format = format, .form = "exact"};
    hbg_session_options how = hbg_session_options_default();
    how.search = &library;
    how.search_count = 1;
    assert_int_equal(hbg_session_new(&how, &session), HBG_OK);
    snprintf(path, sizeof path, HBG_SOURCE_DIR "/examples/%s/%s.hbg", name, name);
    assert_int_equal(hbg_load_file(session, path, NULL, &model), HBG_OK);
    assert_int_equal(hbg_hypa(session, model, &options, &text), HBG_OK);
    char *copy = strdup(text.data);
    hbg_text_free(session, &text);
    hbg_session_free(session);
    return copy;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("there is no `%s` in\n%s", part, text);
}

static int count(const char *text, const char *part) {
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) found++;
    return found;
}

static void closes(const char *text) {
    int depth[3] = {0};
    for (const char *at = text; *at; at++) {
        if (at > text && at[-1] == '\\') continue;
        if (at[0] == '/' && at[1] == '/') at += strcspn(at, "\n");
        depth[0] += (*at == '{') - (*at == '}');
        depth[1] += (*at == '(') - (*at == ')');
        depth[2] += (*at == '[') - (*at == ']');
        assert_true(depth[0] >= 0);
    }
    assert_int_equal(depth[0], 0);
    assert_int_equal(depth[1], 0);
    assert_int_equal(depth[2], 0);
}

/* p' = V - R*p/L with 10 V, 330 ohms and 5 mH: 66000 of them to the second; V*L/R is 1/6600. */
static void the_circuit_reads_as_its_equations(void **state) {
    (void)state;
    char *text = written("switch-and-diode", HBG_PROCESS_TEXT);
    has(text, "SwitchAndDiode_c2 : { diode.blocking; switch.shut;\n"
              "        der(coil.p) == 10 - 66000*coil.p;\n"
              "        coil.p <= 0.00015151515151515152; closed } .\n");
    has(text, "SwitchAndDiode_c1 : { diode.blocking; switch.open;\n"
              "        der(coil.p) == 0;\n        coil.p == 0;\n        !closed } .\n");
    has(text, "    [ old(diode.blocking); old(switch.shut);\n        !new(closed); old(coil.p) <= 0;\n"
              "        new(coil.p) == 0;\n"
              "        new(diode.blocking); new(switch.open) ] >> SwitchAndDiode_c1\n");
    has(text, ") |> SwitchAndDiode .\n");
    assert_int_equal(count(text, ">> SwitchAndDiode_c"), 17); // and four of them are stays
    assert_int_equal(count(text, "nothing moves"), 4);
    closes(text);
    free(text);
}

/* Where the search of the impact module comes back to where it was there is no alternative: a_s < a_p in `together` means
 * mass_p.p + mass_s.p + 300*support.q + 1.5 < 0, as `hbg verify` has it. */
static void where_there_is_no_end_it_says_delta(void **state) {
    (void)state;
    char *text = written("impact-module", HBG_PROCESS_TEXT);
    assert_int_equal(count(text, ">> delta"), 2);
    has(text, "// touch=apart: a search comes back to a state it has been in\n");
    has(text, "old(mass_s.p) > 0.5*old(mass_p.p)");
    has(text, "new(mass_s.p) == 0.3333333333333333*old(mass_p.p) + 0.3333333333333333*old(mass_s.p)");
    has(text, "2*mass_s.p == mass_p.p");
    closes(text);
    free(text);
}

/* The time an automaton has waited is a variable, which runs and is set to 0 by a move. */
static void waits_are_times(void **state) {
    (void)state;
    char *text = written("construct-after", HBG_PROCESS_TEXT);
    has(text, "== 1"); // der(wait_…)
    assert_true(count(text, "der(wait_") >= 2);
    assert_true(count(text, "== 0") >= 1);
    closes(text);
    free(text);
}

static void latex_has_the_symbols_of_the_paper(void **state) {
    (void)state;
    char *text = written("switch-and-diode", HBG_PROCESS_LATEX);
    has(text, "\\begin{document}");
    has(text, "\\blacktriangleright");
    has(text, "\\oplus");
    has(text, "\\dot{p}_{\\mathrm{coil}} = 10 - 66000 \\, {p}_{\\mathrm{coil}} \\\\\n"
              "{p}_{\\mathrm{coil}} \\le 0.000151515 \\\\\n{\\mathit{closed}} \\\\\n");
    has(text, "{p}_{\\mathrm{coil}}^{+} = 0 \\\\\n");
    assert_int_equal(count(text, "\\left("), count(text, "\\right)"));
    assert_int_equal(count(text, "\\left["), count(text, "\\right]"));
    assert_int_equal(count(text, "\\begin{"), count(text, "\\end{"));
    has(text, "\\end{document}\n");
    free(text);
}

static void programs_get_counts(void **state) {
    (void)state;
    char *text = written("switch-and-diode", HBG_PROCESS_JSON);
    has(text, "\"form\": \"exact\"");
    has(text, "\"in_reach\": 6,\n");
    has(text, "\"not_decided\": 1,\n");
    has(text, "\"by_start\": 6,\n");
    has(text, "\"der(coil.p) == 10 - 66000*coil.p\"");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_circuit_reads_as_its_equations),
        cmocka_unit_test(where_there_is_no_end_it_says_delta),
        cmocka_unit_test(waits_are_times),
        cmocka_unit_test(latex_has_the_symbols_of_the_paper),
        cmocka_unit_test(programs_get_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
