/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

#define CIRCUIT(i, guard)                                                                                    \
    "Se s" #i "(10); 1 a" #i "; R r" #i "(1); 0 n" #i "; C c" #i "(1); 1 d" #i " when w" #i "; R q" #i       \
    "(1);"                                                                                                   \
    "s" #i " -> a" #i " -> n" #i " -> c" #i "; a" #i " -> r" #i "; n" #i " -> d" #i " -> q" #i ";"           \
    "automaton w" #i " { off shut -> open when " guard "; on open -> shut when c" #i ".e < 1; } "

static int32_t islands_of(const char *text) {
    fixture f;
    fixture_begin(&f, text);
    int32_t count = f.eqn->islands.count;
    fixture_close(&f);
    return count;
}

static void circuits_that_share_nothing_are_islands(void **state) {
    (void)state;
    assert_int_equal(islands_of("model M { " CIRCUIT(1, "c1.e > 6") CIRCUIT(2, "c2.e > 7") "}"), 2);
}

/* Energies stand still while a mode is searched for: a guard on a storage elsewhere joins nothing. */
static void a_storage_that_never_jumps_is_calm(void **state) {
    (void)state;
    assert_int_equal(islands_of("model M { " CIRCUIT(1, "c1.e > 6") CIRCUIT(2, "c1.e > 7") "}"), 2);
}

static void a_guard_on_what_another_switches_joins(void **state) {
    (void)state;
    assert_int_equal(islands_of("model M { " CIRCUIT(1, "c1.e > 6") CIRCUIT(2, "q1.f > 7") "}"), 1);
    assert_int_equal(islands_of("model M { " CIRCUIT(1, "c1.e > 6") CIRCUIT(2, "w1.open") "}"), 1);
    assert_int_equal(islands_of("model M { " CIRCUIT(1, "c1.e > 6") CIRCUIT(2, "pre(q1.f) > 7") "}"), 1);
    assert_int_equal(islands_of("model M { " CIRCUIT(1, "c1.e > 6") CIRCUIT(2, "in(w1.open, q1.f) > 7") "}"),
                     1);
}

/* A pulse goes as far as storages that depend on one another. */
static void storages_that_jump_together_join(void **state) {
    (void)state;
    assert_int_equal(
        islands_of("model M { C a(1); C b(2); C d(3); 0 n; 0 m; 1 j when w; 1 k when v; n -> a;"
                   "m -> b; n -> j -> m; m -> k; k -> d;"
                   "automaton w { off open -> shut when a.e > 1; on shut -> open when a.e < 0; }"
                   "automaton v { off open -> shut when b.e > 1; on shut -> open when b.e < 0; } }"),
        1);
}

/* What happens in one of them is no business of the other. */
static void an_event_wakes_its_island_alone(void **state) {
    fixture f;
    int32_t next[2];
    (void)state;
    fixture_begin(&f, "model M { " CIRCUIT(1, "c1.e > 6") CIRCUIT(2, "c2.e > 7") "}");
    assert_fine(&f, hbg_rt_open(f.run, 0, f.x, true, NULL, 0));
    assert_int_equal(f.run->active_count, 2); // at the start everybody looks
    assert_fine(&f, hbg_rt_flow(f.run, f.run->states, 0, f.x));
    for (int32_t root = f.system->guard_first; root < f.system->root_count; root++) {
        char name[60];
        hbg_rt_indicator_name(f.run, root, name, sizeof name);
        bool first = strstr(name, "c1") != NULL;
        set_state(&f, "c1.q", 8);
        set_state(&f, "c2.q", 8);
        assert_fine(&f, hbg_rt_open(f.run, 1, f.x, false, &root, 1));
        assert_int_equal(f.run->active_count, 1);
        assert_fine(&f, hbg_rt_move(f.run, f.run->states, next, NULL));
        int32_t asleep = first ? 1 : 0;
        assert_int_equal(next[asleep], f.run->states[asleep]);
        assert_fine(&f, hbg_rt_flow(f.run, f.run->states, 1, f.x));
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circuits_that_share_nothing_are_islands),
        cmocka_unit_test(a_storage_that_never_jumps_is_calm),
        cmocka_unit_test(a_guard_on_what_another_switches_joins),
        cmocka_unit_test(storages_that_jump_together_join),
        cmocka_unit_test(an_event_wakes_its_island_alone),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
