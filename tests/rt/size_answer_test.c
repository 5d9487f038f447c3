/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bands of what cancels in loops: a bridge of four diodes with 1 mΩ each, whose only way to ground is a leak. No current takes it, so
 * that its resistance, from 1e3 to 1e12 Ω, is of no concern to anything: the diodes switch where the source is at twice their drop. */
#include "rt/known_roots_impl.h"
#include "support/soak.h"

enum { TEXT = 4000 };

/* With the drop as a source and the resistance in a junction of its own, or with nothing but the resistance. */
static int write_diode(char *text, size_t size, int i, bool has_drop) {
    static const char *const ends[][2] = {{"a", "plus"}, {"b", "plus"}, {"minus", "a"}, {"minus", "b"}};
    const char *from = ends[i][0], *to = ends[i][1];
    if (has_drop)
        return snprintf(
            text, size,
            "1 s%d; 0 m%d; 1 d%d when c%d; R r%d(1e-3); Se v%d(-drop); %s -> s%d -> m%d; s%d -> r%d;"
            "an%d: m%d -> d%d; ca%d: d%d -> %s; v%d -> d%d;",
            i, i, i, i, i, i, from, i, i, i, i, i, i, i, i, i, to, i, i);
    return snprintf(text, size, "1 d%d when c%d; R r%d(1e-3); an%d: %s -> d%d; ca%d: d%d -> %s; d%d -> r%d;",
                    i, i, i, i, from, i, i, i, to, i, i);
}

static void write_bridge(char *text, double drop, const char *leaky, double leak) {
    int used =
        snprintf(text, TEXT,
                 "model M { param drop = %g; Se mains(20*sin(100*pi*time)); 1 supply; 0 a; 0 b; 0 plus;"
                 "0 minus; 1 out; R load(5); R leak(%g); mains -> supply; b -> supply -> a;"
                 "plus -> out -> load; out -> minus; %s -> leak;",
                 drop, leak, leaky);
    for (int i = 0; i < 4; i++) {
        used += write_diode(text + used, (size_t)(TEXT - used), i, drop > 0);
        used +=
            snprintf(text + used, (size_t)(TEXT - used),
                     "automaton c%d { off o -> n when an%d.e - ca%d.e > drop; on n -> o when d%d.f < 0; }", i,
                     i, i, i);
    }
    used += snprintf(text + used, (size_t)(TEXT - used), "}");
    assert_true(used < TEXT);
}

/* At all solvers and tolerances, and at one so loose that it hardly is one: no state decides when. */
static void assert_switches(double drop, const char *leaky, const double *times) {
    char text[TEXT];
    for (int decades = 3; decades <= 12; decades += trials(9, 1)) {
        write_bridge(text, drop, leaky, pow(10, decades));
        assert_moves(text, 0.038, 0, times, 4, 0, 1e-9);
        for (int s = 0; s < SOLVERS; s++) {
            fixture f;
            moves told;
            fixture_open(&f, text);
            run_model(&f, solvers[s], 1e-3, 0.038, 0, &told);
            assert_int_equal(told.count, 4);
            for (int i = 0; i < 4; i++) assert_true(fabs(told.times[i] - times[i]) <= 1e-9);
            fixture_close(&f);
        }
    }
}

/* A size that goes by sums and products alone lets the leak have a voltage of 1e9 times what there is, and the diodes a current of 1e12
 * times that. */
static void a_leak_beside_a_small_resistance_is_of_no_concern(void **state) {
    const double half = asin(1.4 / 20) / (100 * acos(-1));
    const double times[] = {half, 0.01 - half, 0.02 + half, 0.03 - half};
    (void)state;
    assert_switches(0.7, "b", times);
}

/* Without a drop the other two diodes take over at once. */
static void diodes_take_over_from_one_another_whatever_the_leak(void **state) {
    const double times[] = {0, 0.01, 0.02, 0.03};
    (void)state;
    assert_switches(0, "minus", times);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_leak_beside_a_small_resistance_is_of_no_concern),
        cmocka_unit_test(diodes_take_over_from_one_another_whatever_the_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
