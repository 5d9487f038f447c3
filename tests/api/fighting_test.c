/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sources that contradict each other around a ring are named by a check; where something lies between them nothing is said. */
#include <stdio.h>

#include "causality_fixture_impl.h"

/* Nodes a, b and c with a resistor to earth each, and what lies between. */
#define NODES                                                                                                \
    "0 a; 0 b; 0 c; 0 g; Se ground(0); g -> ground; 1 la; 1 lb; 1 lc; R ra(1); R rb(2); R rc(3); "           \
    "a -> la -> g; la -> ra; b -> lb -> g; lb -> rb; c -> lc -> g; lc -> rc; "
/* A voltage source from one node to the next, beside a junction of its own. */
#define SOURCE(name, value, from, to)                                                                        \
    "1 l" name "; Se " name "(" value "); " from " -> l" name " -> " to "; " name " -> l" name "; "

/* The error has these words; NULL: there is none. */
static void expect(const char *parts, const char *words) {
    char model[1500];
    hbg_text text;
    snprintf(model, sizeof model, "model M { param k = 2; %s output o = ra.f; }", parts);
    causality_fixture f = fixture_load(model);
    assert_int_equal(hbg_check_start_mode(f.session, f.model), words ? HBG_BAD_MODEL : HBG_OK);
    assert_int_equal(hbg_diagnostics_text(f.session, false, &text), HBG_OK);
    if (words && !strstr(text.data, words)) fail_msg("%s", text.data);
    hbg_text_free(f.session, &text);
    hbg_session_free(f.session);
}

static void sources_around_a_ring_are_named(void **state) {
    (void)state;
    expect(NODES SOURCE("v", "12", "a", "b") SOURCE("w", "24", "a", "b"),
           "error[E0601]: `v` and `w` contradict each other in every mode");
    expect(NODES SOURCE("v", "12", "a", "b") SOURCE("w", "k*sin(time)", "b", "c") SOURCE("x", "1", "c", "a"),
           "`v`, `w` and `x`");
    // through a transformer of 2, from c to earth and from a to b: 12 is not 2·24
    expect(NODES SOURCE("v", "12", "a", "b")
               SOURCE("w", "24", "c", "g") "TF t(2); 1 p; 1 q; a -> p -> b; p -> t -> q; c -> q -> g; ",
           "`v` and `w`");
}

static void signals_may_be_defined_by_each_other(void **state) {
    (void)state;
    expect(NODES SOURCE("v", "p", "a", "b") "signal p = 0.5*q + 1; signal q = p; ", NULL);
    expect(NODES SOURCE("v", "p", "a", "b")
               SOURCE("w", "24", "a", "b") "signal p = 0.5*q + 1; signal q = p; ",
           "`v` and `w` contradict");
    expect(NODES SOURCE("v", "p", "a", "b")
               SOURCE("w", "24", "a", "b") "signal p = 0.5*q + 1; signal q = p + rc.f; ",
           NULL);
}

static void nothing_is_said_where_something_lies_between(void **state) {
    (void)state;
    expect(NODES SOURCE("v", "12", "a", "b") SOURCE("w", "24", "b", "c"), NULL);
    expect(NODES SOURCE("v", "12", "a", "b") "1 j; Se w(24); R r(1); a -> j -> b; w -> j; j -> r; ", NULL);
    expect(NODES SOURCE("v", "12", "a", "b") "1 j; Se w(24 - j.f); a -> j -> b; w -> j; ",
           NULL); // a resistance, in fact
    expect(NODES SOURCE("v", "12", "a",
                        "b") "1 j when s; Se w(24); a -> j -> b; w -> j; "
                             "automaton s { off o -> c when time > 1; on c -> o when time > 2; } ",
           NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_around_a_ring_are_named),
        cmocka_unit_test(signals_may_be_defined_by_each_other),
        cmocka_unit_test(nothing_is_said_where_something_lies_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
