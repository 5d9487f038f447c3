/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many switches of which few combinations are ever met. */
#include "consistency_impl.h"

/* Thirteen relays that close one after the other, at one instant, and open together: 8192 combinations, two of them reached. */
static const char *relay_chain(const char *last) {
    static char text[4096];
    size_t used =
        (size_t)snprintf(text, sizeof text,
                         "C store(1); R load(1); 0 node; 1 j when r0; node -> store; node -> j -> load;\n"
                         "automaton r0 { off o -> x when store.q > 1; on x -> o when store.q < 0; }\n");
    for (int i = 1; i < 13; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "automaton r%d { off o -> x when r%d.x && store.q > 1; on x -> o when %s; }\n",
                             i, i - 1, i == 12 ? last : "store.q < 0");
    return text;
}

static void of_many_combinations_those_reached_are_begun_in(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, relay_chain("store.q < 0"));
    assert_int_equal(group->of.automaton_count, 13);
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_int_equal(group->states, 2);
    end(&t);
    // where an experiment starts is begun in too, and what follows from there
    char text[4096];
    snprintf(text, sizeof text, "%s\nexperiment other { stop 1; set r3 = x; }\n", relay_chain("store.q < 0"));
    group = examine(&t, text);
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_true(group->states > 2 && group->states < 20);
    end(&t);
    group = examine(&t, relay_chain("store.q > 3")); // the last one chatters
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_many_combinations_those_reached_are_begun_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
