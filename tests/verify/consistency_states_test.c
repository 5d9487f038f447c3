/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many switches of which few combinations are ever met. */
#include "consistency_impl.h"

/* Relays that close one after the other, at one instant, and open together: of thirteen 8192 combinations, two of them reached. */
static const char *relay_chain(int relays, const char *last) {
    static char text[3072];
    size_t used =
        (size_t)snprintf(text, sizeof text,
                         "C store(1); R load(1); 0 node; 1 j when r0; node -> store; node -> j -> load;\n"
                         "automaton r0 { off o -> x when store.q > 1; on x -> o when store.q < 0; }\n");
    for (int i = 1; i < relays; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "automaton r%d { off o -> x when r%d.x && store.q > 1; on x -> o when %s; }\n",
                             i, i - 1, i == relays - 1 ? last : "store.q < 0");
    return text;
}

static void of_many_combinations_those_reached_are_begun_in(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, relay_chain(13, "store.q < 0"));
    assert_int_equal(group->of.automaton_count, 13);
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_int_equal(group->states, 2);
    end(&t);
    // where an experiment starts is begun in too, and what follows from there
    char text[4096];
    snprintf(text, sizeof text, "%s\nexperiment other { stop 1; set r3 = x; }\n",
             relay_chain(13, "store.q < 0"));
    group = examine(&t, text);
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_true(group->states > 2 && group->states < 20);
    end(&t);
    group = examine(&t, relay_chain(13, "store.q > 3")); // the last one chatters
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
    end(&t);
}

/* The verdict, with every way followed to its end or with what ways have in common looked at once. */
static hbg_verdict judge(const char *text, bool every, int32_t *ways) {
    fixture t;
    hbg_verify_options limits = hbg_verify_options_default();
    jmp_buf guard;
    begin(&t, text);
    limits.jumps = every;
    if (HBG_GUARD(&t.m.memory, guard)) fail();
    t.result = hbg_verify_consistency(&t.m.arena, t.prover, t.m.eqn, t.m.model, &limits);
    HBG_GUARD_END(&t.m.memory);
    hbg_verdict verdict = t.result.verdict;
    *ways = t.result.groups[0].ways;
    if (verdict == HBG_VERDICT_WITNESS)
        assert_int_equal(t.result.groups[0].findings[0].kind, HBG_FINDING_CYCLE);
    end(&t);
    return verdict;
}

#define PAIR                                                                                                 \
    "C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"                         \
    "automaton a { off o -> x when !b.x; on x -> o when b.x; }\n"                                            \
    "automaton b { off o -> x when !a.x; on x -> o when a.x; }\n"

/* Two that follow one another move together between both off and both on; one at a time they settle. A third that stands before them and
 * never rests while both are on keeps a search that begins there from its end, but none that begins with both off. */
static void what_ways_have_in_common_is_looked_at_once(void **state) {
    (void)state;
    static const char never[] =
        "automaton c { off o -> x when a.x && b.x; on x -> o when a.x && b.x; }\n" PAIR;
    static const char early[] =
        "automaton c { off o -> x when !a.x && !b.x; on x -> o when !a.x && !b.x; }\n" PAIR;
    int32_t every, once;
    assert_int_equal(judge(PAIR, true, &every), HBG_VERDICT_PROVED);
    assert_int_equal(judge(PAIR, false, &once), HBG_VERDICT_PROVED);
    assert_int_equal(judge(relay_chain(5, "store.q < 0"), true, &every), HBG_VERDICT_PROVED);
    assert_int_equal(judge(relay_chain(5, "store.q < 0"), false, &once), HBG_VERDICT_PROVED);
    assert_true(once < every);
    assert_int_equal(judge(never, true, &every), HBG_VERDICT_WITNESS);
    assert_int_equal(judge(never, false, &once), HBG_VERDICT_WITNESS);
    assert_int_equal(once, every); // what is found is found on every way
    assert_int_equal(judge(early, true, &every), HBG_VERDICT_WITNESS);
    assert_int_equal(judge(early, false, &once), HBG_VERDICT_WITNESS);
}

/* Relays that have nothing in common: each costs what one alone does. */
static void independent_groups_cost_the_same_each(void **state) {
    (void)state;
    enum { GROUPS = 12 };
    static char text[4096];
    fixture t;
    size_t used = 0;
    for (int i = 0; i < GROUPS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "C c%d(1); R r%d(1); 0 n%d; 1 j%d when a%d; n%d -> c%d; n%d -> j%d -> r%d;\n"
                                 "automaton a%d { off o -> x when c%d.q > 1; on x -> o when c%d.q < 0; }\n",
                                 i, i, i, i, i, i, i, i, i, i, i, i, i);
    examine(&t, text);
    assert_int_equal(t.result.group_count, GROUPS);
    for (int i = 0; i < GROUPS; i++) {
        assert_int_equal(t.result.groups[i].verdict, HBG_VERDICT_PROVED);
        assert_int_equal(t.result.groups[i].questions, t.result.groups[0].questions);
        assert_int_equal(t.result.groups[i].ways, t.result.groups[0].ways);
    }
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_many_combinations_those_reached_are_begun_in),
                                       cmocka_unit_test(what_ways_have_in_common_is_looked_at_once),
                                       cmocka_unit_test(independent_groups_cost_the_same_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
