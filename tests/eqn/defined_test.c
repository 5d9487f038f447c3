/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The common variable of an off 0/F or 1/E junction has no value (semantics, section 1): an error where it is read, and only
 * there. A 0-junction lets its two sides go at 1 s. */
#include "fixture_impl.h"
#include "sim/sim.h"

#define MODEL(guard, output, law)                                                                            \
    "model M { C a(1, e = 3); C b(2, e = 1); R ra(1); R rb(1); 0 n when valve off flow; 1 ja; 1 jb; 0 na;"   \
    "0 nb; na -> a; nb -> b; na -> ja; left: ja -> n; n -> jb -> nb; ja -> ra; jb -> rb;"                    \
    "automaton valve { on open -> shut when time >= 1; off shut -> open when time < 0; }"                    \
    "automaton watch { off low -> high when " guard "; off high -> low when time < 0; }"                     \
    "signal v = n.e; Se s(" law "); R rs(1); 1 j; s -> j -> rs; experiment e { stop 2; record " output       \
    "; } }"

static bool keep_on(void *context, double t, const double *outputs) {
    (void)context, (void)t, (void)outputs;
    return true;
}

/* Runs for 2 s; what failed is in `words`, and it did so at 1 s, or at the start. */
static hbg_rt_status run_text(const char *text, char *words, size_t size, double when) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    fixture_open(&f, text);
    options.stop = 2;
    options.row = keep_on;
    hbg_base_arena_init(&arena, &f.memory);
    hbg_rt_status status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
    snprintf(words, size, "%s", result.failure);
    if (status != HBG_RT_OK) assert_near(result.t, when, 1e-9);
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return status;
}

static void assert_runs(const char *text) {
    char words[640];
    if (run_text(text, words, sizeof words, 0) != HBG_RT_OK) fail_msg("%s, of\n%s", words, text);
}

static void assert_refused(const char *text, double when, const char *reader) {
    char words[640], mode[] = "in mode valve=shut,watch=low junction `n` is off";
    if (run_text(text, words, sizeof words, when) != HBG_RT_UNDEFINED) fail_msg("%s, of\n%s", words, text);
    if (!strstr(words, "`n.e` has no value") || !strstr(words, reader)) fail_msg("%s", words);
    if (when > 0 && !strstr(words, mode)) fail_msg("%s", words);
    assert_non_null(strstr(words, "read it only while the junction is on"));
}

static void what_nobody_reads_is_no_error(void **state) {
    (void)state;
    assert_runs(MODEL("time > 9", "a.q", "1"));
    assert_runs(MODEL("valve.open && n.e > 9", "a.q", "1"));
    assert_runs(MODEL("!(valve.shut || v < 9)", "a.q", "1"));
    assert_runs(MODEL("(valve.open ? v : 0) > 9", "valve.open ? n.e : 0", "valve.open ? v : 2"));
    assert_runs(MODEL("in(valve.open, v) > 9", "a.q", "1"));
    assert_runs(MODEL("left.e > 9", "left.e, left.f", "left.e")); // each bond has one of its own
}

static void a_guard_that_reads_it_is_told(void **state) {
    (void)state;
    assert_refused(MODEL("n.e > 9", "a.q", "1"), 1, "a guard of `watch` in `low`");
    assert_refused(MODEL("v < 9 && v > 9", "a.q", "1"), 1, "a guard of `watch` in `low`");
    assert_refused(MODEL("valve.shut && pre(v) > 9", "a.q", "1"), 1, "a guard of `watch` in `low`");
    assert_refused(MODEL("in(valve.shut, abs(v)) > 9", "a.q", "1"), 0, "with the state that `in` looks at");
}

static void an_output_that_reads_it_is_told(void **state) {
    (void)state;
    assert_refused(MODEL("time > 9", "n.e", "1"), 1, "and `n.e` reads it");
    assert_refused(MODEL("time > 9", "v > 1", "1"), 1, "and `v > 1` reads it");
}

static void a_law_that_reads_it_is_told(void **state) {
    (void)state;
    assert_refused(MODEL("time > 9", "rs.f", "v"), 1, "and `");
    assert_refused(MODEL("time > 9", "rs.f", "min(v, 1) > 0 ? 1 : 2"), 1, "and `");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_reads_is_no_error),
        cmocka_unit_test(a_guard_that_reads_it_is_told),
        cmocka_unit_test(an_output_that_reads_it_is_told),
        cmocka_unit_test(a_law_that_reads_it_is_told),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
