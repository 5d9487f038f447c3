/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values in other states, on small models whose answer is known by hand. */
#include "consistency_impl.h"

/* Joined, bodies of 1 and 2 kg have a third of the momentum per kg, so that the pulse between them has the area (2·p1 - p2)/3. However
 * it is asked for, joining is not to be taken back where it is above 0.5. */
static void the_pulse_of_another_state_is_what_it_is_there(void **state) {
    static const char *const guards[] = {"impulse(in(k.x, s.e)) > 0.3",
                                         "in(k.x, impulse(s.e)) > 0.3",
                                         "impulse(2*in(k.x, s.e) + 1) > 0.6",
                                         "finite(in(k.x, s.e)) >= 0 && impulse(in(k.x, s.e)) > 0.3",
                                         "impulse(w) > 0.3",
                                         "impulse(in(k.x, v)) > 0.3",
                                         "impulse(in(k.x, der(a.f))) < -0.3"};
    (void)state;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
        char text[640];
        fixture t;
        snprintf(text, sizeof text,
                 "I l1(1); I l2(2); 1 a; 1 b; a -> l1; b -> l2; 0 s when k; a -> s -> b;\n"
                 "signal w = in(k.x, s.e); signal v = s.e;\n"
                 "automaton k { off o -> x when %s; on x -> o when impulse(s.e) > 0.5; }\n",
                 guards[i]);
        const hbg_group_result *group = examine(&t, text);
        assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
        assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
        assert_string_equal(group->findings[0].region[0], "2*l1.p > l2.p + 1.5");
        assert_string_equal(group->phases[0].words[0], "2*l1.p > l2.p + 0.9");
        end(&t);
    }
}

/* Two junctions that are off stop the same flow: equal parasites say what each of them contributes (semantics, section 3a), so that what one
 * of them throws back has a value in both states. A run diverges from i1.p = -1.5 in `o` and from c4.q = 3 in `x`, not from -1.2 and 1. */
static void a_rebound_of_what_parasites_share_has_a_value(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(
        &t, "0 j0; 1 j1 when a; 1 j2 when a restitution 1; I i1(1); C c3(1); C c4(1); I i2(2); R r(1);\n"
            "j0 -> i2; j0 -> r; j0 -> i1; j0 -> j1; j1 -> c3; TF t(-1); j1 -> t -> j2; j2 -> c4;\n"
            "automaton a { off o -> x when in(a.x, j2.f) <= 0; on x -> o when pre(j2.f) <= -2; }\n");
    assert_int_equal(group->undefined_count, 0);
    assert_int_equal(group->finding_count, 2);
    assert_int_equal(group->findings[0].steps[0].states[0], 1);
    assert_string_equal(group->findings[0].region[0], "c3.q + i1.p + 0.5*i2.p + 2 <= c4.q");
    assert_int_equal(group->findings[1].steps[0].states[0], 0);
    assert_string_equal(group->findings[1].region[0], "c3.q + i1.p + 0.5*i2.p + 1.33333 <= c4.q");
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_pulse_of_another_state_is_what_it_is_there),
                                       cmocka_unit_test(a_rebound_of_what_parasites_share_has_a_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
