/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What operators make of pulses in proofs, for all energies at once: joining three bodies makes two pulses, and a guard that never
 * holds of them never takes it back. */
#include "term/identities_impl.h"

#include "consistency_impl.h"

#define BODIES                                                                                               \
    "I l1(1); I l2(2); I l3(1); 1 a; 1 b; 1 c; a -> l1; b -> l2; c -> l3; Se push(4); push -> a;\n"          \
    "0 s when k; a -> s -> b; 0 r when k; b -> r -> c; signal y = s.e; signal z = r.e;\n"

static const hbg_group_result *join(fixture *t, const char *guard) {
    char text[1024];
    snprintf(text, sizeof text,
             BODIES "automaton k { off o -> x when a.f > b.f || a.f <= b.f; on x -> o when %s; }\n", guard);
    return examine(t, text);
}

static void what_holds_of_all_values_is_proved(void **state) {
    (void)state;
    for (int i = 0; i < IDENTITIES; i++) {
        fixture t;
        const hbg_group_result *group = join(&t, never[i]);
        if (group->verdict != HBG_VERDICT_PROVED || group->finding_count != 0)
            fail_msg("%s: verdict %d, %d findings", never[i], group->verdict, group->finding_count);
        end(&t);
    }
}

/* For some energies only. */
static void what_does_not_hold_is_found(void **state) {
    static const char *const sometimes[] = {"abs(y) != y", "min(y, z) == z && y != z", "impulse(abs(y)) > 1"};
    (void)state;
    for (size_t i = 0; i < sizeof sometimes / sizeof *sometimes; i++) {
        fixture t;
        assert_int_equal(join(&t, sometimes[i])->verdict, HBG_VERDICT_WITNESS);
        end(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_of_all_values_is_proved),
        cmocka_unit_test(what_does_not_hold_is_found),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
