/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements that faults act on and the system modulates: what they become is told at the time. */
#include "run_fixture_impl.h"

/* `x` grows with the charge of `c`, which stays below 1: what a fault of k makes of it, only the run can tell. */
#define MODULATED                                                                                            \
    "model Mod { param k = 1; Se s(1); R r(1); C c(1); C x(k + c.q); 1 j; s -> j -> r; j -> c; j -> "        \
    "x;\n"                                                                                                   \
    "  output q = c.q; experiment e { stop 4 [s]; %s } }\n"

static const char *shape = MODULATED;

/* Ends so; what is said of it holds the words. */
static void ends(const char *sentence, hbg_run_end expected, const char *words) {
    char text[800];
    snprintf(text, sizeof text, shape, sentence);
    run_fixture f = fixture_load(text, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.ledger = false; // powers of what is infinite are not asked for
    hbg_run_end end;
    hbg_text out;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &out), HBG_OK);
    if (end != expected || !strstr(hbg_session_reason(f.session), words))
        fail_msg("%d: %s", end, hbg_session_reason(f.session));
    assert_null(strstr(out.data, "\n    x")); // what is watched is not recorded
    hbg_text_free(f.session, &out);
    fixture_free(&f);
}

static void a_modulated_value_that_becomes_impossible_ends_the_run(void **state) {
    (void)state;
    ends("fault at 1 [s]: k stuck -1;", HBG_RUN_NOT_FINISHED, "at t = 1 s: the value of `x` has become -0.");
    ends("fault at 1 [s]: k incipient -1 [1/s];", HBG_RUN_NOT_FINISHED, "with the faults of this run");
}

static void one_that_stays_possible_does_not(void **state) {
    (void)state;
    ends("", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s]: k abrupt 50 [%];", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s] until 2 [s]: k incipient -0.5 [1/s];", HBG_RUN_FINISHED, "");
}

/* `own` is 1 - 2·c.q, negative from the middle on by itself; `off` would be infinite as long as its branch is off, which is always. */
#define SEVERAL                                                                                              \
    "model Mod { param k = 1, m = 2; Se s(1); R r(1); C c(1); C x(k + c.q); R own(1 - m*c.q); R big(9); "    \
    "1 j; s -> j -> r; j -> c; j -> x; Se t(1); 1 o; t -> o -> own; o -> big; Se u(1); 1 l when door; "      \
    "R off(k/l.f); R a(1); u -> l -> off; l -> a; automaton door { off shut -> open when time > 9 [s]; "     \
    "on open -> shut when time > 10 [s]; } output q = c.q;\n"                                                \
    "  experiment e { stop 4 [s]; %s } }\n"

/* All are watched if one is. */
static void what_no_fault_acts_on_and_what_is_no_number_is_not_judged(void **state) {
    (void)state;
    shape = SEVERAL;
    ends("fault at 1 [s]: k abrupt 10 [%];", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s]: x abrupt 10 [%];", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s]: off abrupt 10 [%];", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s]: k stuck -1;", HBG_RUN_NOT_FINISHED, "at t = 1 s: the value of `x` has become -0.");
    shape = MODULATED;
}

/* Two coils whose coupling grows with the charge, which comes to about 0.9: with k = 2 beyond the root of 1·1 on its way. */
#define COUPLED                                                                                              \
    "model Coupled { param k = 0.5; Se s(1); R r(1); C c(1); 1 j; s -> j -> r; j -> c; Se t(1); R a(1); R "  \
    "b(1); 1 m; 1 n; t -> m; m -> a; n -> b; I coils[2]([[1, k*c.q], [k*c.q, 1]]); m -> coils[1]; n -> "     \
    "coils[2];\n"                                                                                            \
    "  output q = c.q; experiment e { stop 4 [s]; %s } }\n"
/* A field of resistors that takes power as long as the entries off its diagonal are smaller than 1. */
#define FIELD                                                                                                \
    "model Field { param k = 0.5; Se s(1); R r(1); C c(1); 1 j; s -> j -> r; j -> c; Se t(1); Se u(1); 1 "   \
    "m; 1 n; t -> m; u -> n; R both[2]([[1, k*c.q], [k*c.q, 1]]); m -> both[1]; n -> both[2];\n"             \
    "  output q = c.q; experiment e { stop 4 [s]; %s } }\n"

static void a_modulated_matrix_that_becomes_impossible_ends_the_run(void **state) {
    (void)state;
    shape = COUPLED;
    ends("", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s]: k abrupt 20 [%];", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s]: k stuck 1.2;", HBG_RUN_NOT_FINISHED,
         "the faults of this run make the matrix of `coils` no longer positive definite: its entry 1,2 is 1");
    shape = FIELD;
    ends("fault at 1 [s]: k abrupt 20 [%];", HBG_RUN_FINISHED, "");
    ends("fault at 1 [s]: k stuck 1.2;", HBG_RUN_NOT_FINISHED,
         "the faults of this run make the matrix of `both` no longer positive semidefinite");
    shape = MODULATED;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_modulated_value_that_becomes_impossible_ends_the_run),
        cmocka_unit_test(one_that_stays_possible_does_not),
        cmocka_unit_test(what_no_fault_acts_on_and_what_is_no_number_is_not_judged),
        cmocka_unit_test(a_modulated_matrix_that_becomes_impossible_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
