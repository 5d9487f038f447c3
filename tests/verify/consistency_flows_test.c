/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a further condition must not take away: leaving a state with energies it is entered with. On small models whose answer is known by
 * hand. */
#include "consistency_impl.h"

/* On the floor a body is with x <= 0, where it stands still: leaving it for x > 0 only would keep it there. Where something moves x
 * meanwhile, or the state is one that runs begin in, that mends it. */
static void a_repair_leaves_what_is_entered(void **state) {
    static const struct {
        const char *rate, *start;
        bool entered;
    } cases[] = {{"v.f", "", true}, {"1 + v.f", "", false}, {"v.f", "start h;", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[640];
        fixture t;
        snprintf(text, sizeof text,
                 "input real u = -9.8; 1 v; I m(1); v -> m; Se g(u); g -> v; Sf f0(0); 0 c when t;\n"
                 "f0 -> c -> v; state x = 1 : der = %s;\n"
                 "automaton t { %s off o -> h when x <= 0 && v.f <= 0; on h -> o when c.e <= 0; }\n",
                 cases[i].rate, cases[i].start);
        const hbg_group_result *group = examine(&t, text);
        assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
        assert_string_equal(group->findings[0].repair.condition,
                            cases[i].entered ? "!in(t.h, c.e <= 0)" : "pre(x) > 0");
        end(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_repair_leaves_what_is_entered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
