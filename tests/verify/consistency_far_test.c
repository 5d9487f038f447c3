/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sources in conflict (semantics, section 3a): ideal converters are proved, since a diode in the way of a fight blocks; where nothing lets
 * go the finding is a short circuit, or a flow source that is left open. */
#include "consistency_impl.h"

/* A switch closes onto a diode that conducts; `leave` lets go of it. */
#define BUCK(leave)                                                                                          \
    "input bool closed = false; Se supply(24); Se earth(0); 0 node; 1 sw when lever; 1 d when diode;\n"      \
    "supply -> sw -> node; earth -> d -> node; 1 out; I coil(1); C store(1); node -> out; out -> coil;\n"    \
    "out -> store;\n"                                                                                        \
    "automaton lever { off open -> shut when closed; on shut -> open when !closed; }\n"                      \
    "automaton diode { off blocking -> conducting when node.e < 0; on conducting -> blocking when " leave    \
    "; }\n"

static hbg_verdict verdict_of(const char *declarations, hbg_finding_kind *kind) {
    fixture t;
    const hbg_group_result *group = examine(&t, declarations);
    hbg_verdict verdict = group->verdict;
    *kind = group->finding_count > 0 ? group->findings[0].kind : HBG_FINDING_COUNT;
    assert_int_equal(t.result.causality.verdict, HBG_VERDICT_PROVED); // all modes can be passed through
    end(&t);
    return verdict;
}

static void a_diode_in_the_way_of_a_fight_blocks(void **state) {
    (void)state;
    hbg_finding_kind kind;
    assert_int_equal(verdict_of(BUCK("d.f < 0"), &kind), HBG_VERDICT_PROVED);
    // what is unbounded is below any number
    assert_int_equal(verdict_of(BUCK("d.f < 0 && d.f < -1e9 || d.f < 0 && !lever.shut"), &kind),
                     HBG_VERDICT_PROVED);
}

static void what_never_lets_go_is_a_short_circuit(void **state) {
    (void)state;
    hbg_finding_kind kind;
    assert_int_equal(verdict_of(BUCK("coil.p < 0 && finite(d.f) < 0"), &kind), HBG_VERDICT_WITNESS);
    assert_int_equal(kind, HBG_FINDING_SHORT_CIRCUIT);
    assert_int_equal(verdict_of(BUCK("d.f > 0 && lever.shut || d.f < 0 && lever.open"), &kind),
                     HBG_VERDICT_WITNESS);
    assert_int_equal(kind, HBG_FINDING_SHORT_CIRCUIT);
}

/* A flow source whose only way a contact opens, and a diode beside it that takes over. */
#define CURRENT                                                                                              \
    "input bool closed = true; Sf s(2); 0 n; 1 j when k; R r(1); s -> n; n -> j -> r;\n"                     \
    "automaton k { on c -> o when !closed; off o -> c when closed; }\n"

static void a_flow_needs_somewhere_to_go(void **state) {
    (void)state;
    hbg_finding_kind kind;
    assert_int_equal(verdict_of(CURRENT, &kind), HBG_VERDICT_WITNESS);
    assert_int_equal(kind, HBG_FINDING_OPEN_FLOW_SOURCE);
    assert_int_equal(verdict_of(CURRENT "1 l when d; Se z(5); n -> l -> z;\n"
                                        "automaton d { off o -> c when n.e > 5; on c -> o when l.f < 0; }\n",
                                &kind),
                     HBG_VERDICT_PROVED);
}

/* Two phases take turns to feed a coil; where they are equal only their rates tell them apart. */
#define PHASES                                                                                               \
    "Se u(sin(time)); Se v(sin(time + 2*pi/3)); 0 n; 1 a when da; 1 b when db; u -> a -> n; v -> b -> n;\n"  \
    "1 out; I coil(1); n -> out; out -> coil; R r(1); out -> r;\n"

static void phases_are_told_apart_by_their_rates(void **state) {
    (void)state;
    hbg_finding_kind kind;
    assert_int_equal(verdict_of(PHASES
                                "automaton da { on x -> o when a.f < 0; off o -> x when u.e > n.e; }\n"
                                "automaton db { on x -> o when b.f < 0; off o -> x when v.e > n.e; }\n",
                                &kind),
                     HBG_VERDICT_PROVED);
    // one that stays on fights the other
    assert_int_equal(verdict_of(PHASES "automaton da { on x; off o -> x when u.e > n.e; }\n"
                                       "automaton db { on x; off o -> x when v.e > n.e; }\n",
                                &kind),
                     HBG_VERDICT_WITNESS);
    assert_int_equal(kind, HBG_FINDING_SHORT_CIRCUIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diode_in_the_way_of_a_fight_blocks),
        cmocka_unit_test(what_never_lets_go_is_a_short_circuit),
        cmocka_unit_test(a_flow_needs_somewhere_to_go),
        cmocka_unit_test(phases_are_told_apart_by_their_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
