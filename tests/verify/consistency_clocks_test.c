/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Clocks that tick together, and samples that are taken where guards look at them: on small models whose answer is known by hand. */
#include "consistency_impl.h"

/* The first goes to and fro at its ticks, unless the second, which follows it, ticks as well. */
#define FOLLOWED(first, second)                                                                              \
    "C c(1); R r(1); 0 n; n -> c; 1 j when a; n -> j -> r; C d(1); R s(1); 0 m; 1 l when b; m -> d;\n"       \
    "m -> l -> s; param T = 1;\n"                                                                            \
    "automaton a every " first " { off o -> x when n.e > 0; on x -> o when n.e > 0 && b.o; }\n"              \
    "automaton b every " second " { off o -> x when a.x; on x; }\n"

static void clocks_tick_at_multiples_of_their_periods(void **state) {
    static const struct {
        const char *text;
        hbg_verdict verdict;
    } cases[] = {{FOLLOWED("1", "1"), HBG_VERDICT_PROVED},
                 {FOLLOWED("1", "0.5"), HBG_VERDICT_PROVED},
                 {FOLLOWED("0.3", "0.1"), HBG_VERDICT_PROVED}, // whatever binary fractions say
                 {FOLLOWED("2 [ms]", "500 [us]"), HBG_VERDICT_PROVED},
                 {FOLLOWED("T/3", "T/6"), HBG_VERDICT_PROVED},
                 {FOLLOWED("0.5", "1"), HBG_VERDICT_WITNESS},
                 {FOLLOWED("1", "0.7"), HBG_VERDICT_WITNESS},
                 {FOLLOWED("2*T", "2*T") "verify { range T in [1, 2]; }", HBG_VERDICT_PROVED},
                 {FOLLOWED("2*T", "2") "verify { range T in [1, 2]; }", HBG_VERDICT_UNDECIDED}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture t;
        const hbg_group_result *group = examine(&t, cases[i].text);
        if (group->verdict != cases[i].verdict) fail_msg("%s", cases[i].text);
        end(&t);
    }
}

/* Every 2 and every 3 s: both at multiples of 6 s, where a clock of 6 or 1.5 s ticks and one of 4 s need not. */
static void two_clocks_together_make_others_tick(void **state) {
    static const struct {
        const char *every;
        hbg_verdict verdict;
    } cases[] = {{"6", HBG_VERDICT_PROVED}, {"1.5", HBG_VERDICT_PROVED}, {"4", HBG_VERDICT_WITNESS}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[640];
        fixture t;
        snprintf(text, sizeof text,
                 "C c(1); R r(1); 0 n; n -> c; 1 j when a; n -> j -> r;\n"
                 "automaton a every 2 { off o -> x when n.e > 0;\n"
                 "                      on x -> o when n.e > 0 && b.o && e.x && pre(e.o); }\n"
                 "automaton b every %s { off o -> x when a.x; on x; }\n"
                 "automaton e every 3 { off o -> x when n.e > 0; on x; }\n",
                 cases[i].every);
        const hbg_group_result *group = examine(&t, text);
        if (group->verdict != cases[i].verdict) fail_msg("%s", cases[i].every);
        end(&t);
    }
}

/* On above 0.5 of what is sampled, off below 0.4 of what is there: in the overlap only a sample that is older than the tick leads. */
#define SAMPLED(sample, guard)                                                                               \
    "C c(1); R r(1); 0 n; n -> c; 1 j when a; n -> j -> r; input real in0 = 0;\n" sample "\n"                \
    "automaton a every 1 { off o -> x when " guard " > 0.5; on x -> o when n.e < 0.4; }\n"

static void a_sample_that_ticks_is_what_is_there(void **state) {
    static const struct {
        const char *text;
        hbg_verdict verdict;
    } cases[] = {
        {SAMPLED("sample u every 1 = n.e;", "u"), HBG_VERDICT_PROVED},
        {SAMPLED("sample u every 0.5 = 2*n.e - 0.5;", "u"), HBG_VERDICT_PROVED},
        {SAMPLED("sensor u = n.e every 1;", "u"), HBG_VERDICT_PROVED},
        {SAMPLED("sample u every 1 = pre(n.e);", "u"), HBG_VERDICT_PROVED},
        {SAMPLED("sample v every 1 = u; sample u every 0.25 = n.e;", "v"), HBG_VERDICT_PROVED},
        {SAMPLED("sample u every 1 = a.x ? 0 : n.e;", "u"), HBG_VERDICT_PROVED},
        {SAMPLED("sample u every 1 = n.e + 0.11;", "u"), HBG_VERDICT_WITNESS},
        {SAMPLED("sample u every 2 = n.e;", "u"), HBG_VERDICT_WITNESS},
        {SAMPLED("sample v every 1 = u; sample u every 2 = n.e;", "v"), HBG_VERDICT_WITNESS},
        {SAMPLED("sensor u = n.e every 1 noise(0, 0.01);", "u"), HBG_VERDICT_WITNESS},
        {SAMPLED("sample u every 1 = n.e + in0;", "u - in0"), HBG_VERDICT_PROVED}, // as inputs are by now
        {SAMPLED("sample u every 1 = n.e + pre(in0);", "u - in0"), HBG_VERDICT_WITNESS}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture t;
        const hbg_group_result *group = examine(&t, cases[i].text);
        if (group->verdict != cases[i].verdict) fail_msg("%s", cases[i].text);
        end(&t);
    }
}

/* What a sample holds from an earlier tick is any number: whether it comes to that is not known. */
static void what_is_held_from_earlier_is_not_certain(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, SAMPLED("sample u every 2 = n.e;", "u"));
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_UNDECIDED);
    end(&t);
    group = examine(&t, SAMPLED("sample u every 1 = n.e + 0.11;", "u"));
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(clocks_tick_at_multiples_of_their_periods),
                                       cmocka_unit_test(two_clocks_together_make_others_tick),
                                       cmocka_unit_test(a_sample_that_ticks_is_what_is_there),
                                       cmocka_unit_test(what_is_held_from_earlier_is_not_certain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
