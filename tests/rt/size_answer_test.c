/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bands of terms that cancel in loops: a bridge of four diodes with 1 mΩ each, whose only way to ground is a
 * leak. It carries no current, so its resistance, from 1e3 to 1e12 Ω, does not matter: the diodes switch when
 * the source is at twice their drop. */
#include "rt/known_roots_impl.h"
#include "support/soak.h"

enum { TEXT = 4000 };

/* With the drop as a source and the resistance in a separate junction, or with the resistance alone. */
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

/* The load ends the text: elements, and bonds from out. */
static void write_bridge(char *text, double drop, const char *leaky, double leak, const char *load) {
    int used =
        snprintf(text, TEXT,
                 "model M { param drop = %g; Se mains(20*sin(100*pi*time)); 1 supply; 0 a; 0 b; 0 plus;"
                 "0 minus; 1 out; R leak(%g); mains -> supply; b -> supply -> a;"
                 "plus -> out; out -> minus; %s -> leak; %s",
                 drop, leak, leaky, load);
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

/* With all solvers and tolerances, and with a very loose one: no state decides the times. */
static void assert_switches(double drop, const char *leaky, const double *times) {
    char text[TEXT];
    for (int decades = 3; decades <= 12; decades += trials(9, 1)) {
        write_bridge(text, drop, leaky, pow(10, decades), "R load(5); out -> load;");
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

/* A size from sums and products alone would give the leak a voltage 1e9 times too large, and the diodes a
 * current 1e12 times that. */
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

/* When each of the diodes moved. */
enum { DIODES = 4 };
typedef struct {
    double times[DIODES][MOST_MOVES];
    int count[DIODES];
} record;

static void take_all(void *context, const hbg_sim_event *event) {
    record *of = context;
    if (event->visit_count == 0) return;
    const int32_t *before = event->visits[0].before,
                  *after = event->visits[event->visit_count - 1].states; // mythical modes do not last
    for (int k = 0; k < DIODES; k++)
        if (before[k] != after[k] && of->count[k] < MOST_MOVES) of->times[k][of->count[k]++] = event->t;
}

/* Nearly two periods, without a verdict. */
static void run_bridge(const char *text, hbg_sim_solver solver, double rtol, record *told) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    *told = (record){.count = {0}};
    fixture_open(&f, text);
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.rtol = rtol;
    options.stop = 0.03995;
    options.event = take_all;
    options.context = told;
    hbg_base_arena_init(&arena, &f.memory);
    hbg_rt_status status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
    if (status != HBG_RT_OK) fail_msg("%s, solver %d, rtol %g, of\n%s", result.failure, solver, rtol, text);
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
}

/* The diodes that lead the current in and out move four times in two periods, at once but for `apart`. */
static void assert_partners(const char *text, hbg_sim_solver solver, double rtol, double apart) {
    const int partners[] = {0, 3};
    record told;
    run_bridge(text, solver, rtol, &told);
    for (int k = 0; k < 2; k++)
        if (told.count[partners[k]] != 4)
            fail_msg("%d moves, solver %d, rtol %g, of\n%s", told.count[partners[k]], solver, rtol, text);
    for (int i = 0; i < 4; i++)
        if (!(fabs(told.times[0][i] - told.times[3][i]) <= apart))
            fail_msg("at %.17g and %.17g, solver %d, rtol %g, of\n%s", told.times[0][i], told.times[3][i],
                     solver, rtol, text);
}

/* A choke keeps its current while two diodes take over from the other two. The leak carries no current, so
 * the diodes that lead the current in and out carry the same and switch at once. Rounding of a conductance of
 * 1000 S beside a leak up to 1e8 Ohm is known as rounding: it ends no run, and up to 1e5 Ohm it separates no
 * events. */
static void diodes_before_a_choke_switch_in_pairs(void **state) {
    static const char *const loads[] = {"R load(5); I choke(0.01); out -> load; out -> choke;",
                                        "I choke(0.1); out -> choke;"};
    static const char *const leaky[] = {"b", "minus"};
    char text[TEXT];
    (void)state;
    for (int decades = 3; decades <= 8; decades += trials(2, 1))
        for (int i = 0; i < 4; i++)
            for (int s = 0; s < SOLVERS; s++)
                for (int r = 0; r < TOLERANCES; r += trials(2, 1)) {
                    write_bridge(text, 0.7, leaky[i % 2], pow(10, decades), loads[i / 2]);
                    assert_partners(text, solvers[s], tolerances[r], decades <= 5 ? 0 : 1e-12);
                }
}

/* When the source of 20 V and 50 Hz first has so many volts. */
static double rise_to(double volts) {
    return asin(volts / 20) / (100 * acos(-1));
}

static void assert_moves_at(const record *told, int diode, double on, double off, double late,
                            const char *text) {
    if (told->count[diode] != 4) fail_msg("%d moves of diode %d, of\n%s", told->count[diode], diode, text);
    for (int i = 0; i < 4; i++) {
        double expected = (i % 2 ? off : on) + 0.02 * (i / 2), error = told->times[diode][i] - expected;
        if (!(error >= -1e-9 && error <= 1e-9 + (i % 2 ? late : 0)))
            fail_msg("move %d of diode %d at %.17g, not %.17g, of\n%s", i, diode, told->times[diode][i],
                     expected, text);
    }
}

/* One side of the bridge is at ground: of two diodes the one at the source turns on first, at one drop, and a leak from the other end of
 * the source carries its current d/R and less until that end is a drop away from ground, too. A diode with 1 mOhm does not know a
 * current of 1e-8 A better than to 1e-12 A: it may turn off as late as that. */
static void a_diode_conducts_through_the_leak_alone(void **state) {
    const double drop = 0.7, load = 5, on = 1e-3;
    char text[TEXT];
    (void)state;
    for (int decades = 3; decades <= 8; decades++)
        for (int s = 0; s < SOLVERS; s++)
            for (int r = 0; r < TOLERANCES; r += trials(2, 1)) {
                double leak = pow(10, decades), late = 1e-11 * leak / (2000 * acos(-1));
                double first = rise_to(drop), up = rise_to(2 * drop + drop * (on + load) / leak),
                       down = rise_to(2 * drop + drop * on / leak);
                record told;
                write_bridge(text, drop, "b", leak, "R load(5); out -> load; Se earth(0); earth -> minus;");
                run_bridge(text, solvers[s], tolerances[r], &told);
                assert_moves_at(&told, 0, first, 0.01 - first, late, text);
                assert_moves_at(&told, 3, up, 0.01 - up, late, text);
                assert_moves_at(&told, 2, 0.01 + first, 0.02 - first, late, text);
                assert_moves_at(&told, 1, 0.01 + down, 0.02 - down, late, text);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_leak_beside_a_small_resistance_is_of_no_concern),
        cmocka_unit_test(diodes_take_over_from_one_another_whatever_the_leak),
        cmocka_unit_test(diodes_before_a_choke_switch_in_pairs),
        cmocka_unit_test(a_diode_conducts_through_the_leak_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
