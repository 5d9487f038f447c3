/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Switched circuits, by hand and at random: ladders of resistors, capacitors, coils, ideal diodes and relays,
 * half of them at rest at the start. With any number of digits, and any method of variable step, they have
 * the same events. */
#include <stdarg.h>

#include "eqn/hybrid_trial_impl.h"

static const hbg_sim_solver solvers[] = {HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS, HBG_SIM_AUTO};
static const char *const names[] = {"erk", "bdf", "adams", "auto"};

/* ---- a run -------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_rt_status status;
    int events;   /* instants at which something was committed after the start */
    double first; /* of them */
} outcome;

static void count_event(void *context, const hbg_sim_event *event) {
    outcome *of = context;
    bool real = false;
    for (int32_t i = 0; i < event->visit_count; i++) real |= event->visits[i].kind != HBG_RT_MYTHICAL;
    if (!real || event->t <= 0) return;
    if (of->events++ == 0) of->first = event->t;
}

static outcome run_circuit(const char *text, double stop, hbg_sim_solver solver, double rtol) {
    static hybrid_model m;
    outcome of = {0};
    hbg_sim_options options = hbg_sim_options_default();
    model_open(&m, text);
    options.solver = solver;
    options.rtol = rtol;
    options.stop = stop;
    options.event = count_event;
    options.context = &of;
    options.step_limit = 100000;
    of.status = hbg_sim_run(&m.arena, m.system, m.run, &options, &m.result);
    if (of.status != HBG_RT_OK) print_error("%s\n", m.result.failure);
    model_close(&m);
    return of;
}

static void check_events(const char *text, double stop, int events) {
    for (double rtol = 1e-4; rtol > 1e-11; rtol /= 100)
        for (int s = 0; s < 4; s++) {
            outcome of = run_circuit(text, stop, solvers[s], rtol);
            if (of.status != HBG_RT_OK || of.events != events)
                fail_msg("%s, rtol %g: %d events, not %d, status %d\n%s", names[s], rtol, of.events, events,
                         (int)of.status, text);
        }
}

/* ---- by hand ------------------------------------------------------------------------------------------ */

/* A tank that fills a store through a throttle, and is filled by it through a check valve. Three times in 10
 * s the supply falls, and the throttle shuts when the valve opens, and three times it rises: the valve shuts
 * when the backflow ends, and the throttle opens a little later, since the level leaves equality with the
 * square of time. */
#define TANKS(stray)                                                                                         \
    "model M { Se supply(6*cos(2*time)); R line(0.5); C tank(2, e = 1); C store(0.5, e = -2);"               \
    "R throttle(0.3); 1 in_; 0 n; 0 m; 1 fill when a; 1 back when b; supply -> in_ -> n -> tank;"            \
    "in_ -> line; m -> store; n -> fill -> m; fill -> throttle; m -> back -> n;" stray                       \
    "automaton a { off shut -> open when n.e - m.e > 0; on open -> shut when fill.f < 0; }"                  \
    "automaton b { off shut -> open when m.e - n.e > 0; on open -> shut when back.f < 0; }"                  \
    "experiment e { stop 10; } }"

static void a_relation_begins_behind_an_instant_where_that_left_it(void **state) {
    (void)state;
    check_events(TANKS(""), 10, 9);
}

static void a_fast_state_beside_it_changes_nothing(void **state) {
    (void)state;
    const char *text =
        TANKS("R wire(1e-5); C stray(0.1); 1 tap; 0 far; n -> tap -> far; tap -> wire; far -> stray;");
    for (double rtol = 1e-4; rtol > 1e-11; rtol /= 100) {
        outcome of = run_circuit(text, 10, HBG_SIM_AUTO, rtol);
        assert_true(of.status == HBG_RT_OK && of.events == 9);
    }
}

/* Everything at rest: the voltage before the diode is t³/6 at first, or with more coils t⁹/9!, and for a
 * second it only rises. */
#define LADDER(more, at, load)                                                                               \
    "model M { Se s(1); 1 j; R r(1); 0 n0; C c0(1); s -> j -> n0 -> c0; j -> r;"                             \
    "1 k0; I l0(1); 0 n1; C c1(1); n0 -> k0 -> n1 -> c1; k0 -> l0;" more "1 d when diode; R rz(1); " load    \
    "automaton diode { off o -> c when " at " > 0; on c -> o when d.f < 0; } experiment e { stop 1; } }"
#define SECTION(i, before)                                                                                   \
    "1 k" i "; I l" i "(1); 0 m" i "; C d" i "(1); " before " -> k" i " -> m" i " -> d" i "; k" i " -> l" i  \
    ";"

static void what_rises_from_rest_opens_a_diode_once(void **state) {
    (void)state;
    check_events(LADDER("", "n1.e", "I ld(1); n1 -> d -> rz; d -> ld;"), 1, 1);
    check_events(LADDER(SECTION("1", "n1") SECTION("2", "m1") SECTION("3", "m2"), "m3.e - z.e",
                        "0 z; m3 -> d -> z -> rz;"),
                 1, 1);
}

/* The same if a switch at half a second wakes the chain. */
static void what_is_woken_on_the_way_opens_a_diode_once(void **state) {
    (void)state;
    check_events("model M { Se s(1); 1 j when on; R r(1); 0 n0; C c0(1); s -> j -> n0 -> c0; j -> r;"
                 "1 k0; I l0(1); 0 n1; C c1(1); n0 -> k0 -> n1 -> c1; k0 -> l0;" SECTION(
                     "1", "n1") "1 d when diode; I ld(1); R rz(1); m1 -> d -> rz; d -> ld;"
                                "automaton on { off o -> c when time >= 0.5; on c -> o when false; }"
                                "automaton diode { off o -> c when m1.e > 0; on c -> o when d.f < 0; }"
                                "experiment e { stop 1.5; } }",
                 1.5, 2);
}

/* A diode into a dependent capacitor whose guard is first evaluated when both voltages are 0, and which opens
 * when they are volts: the rest of their difference is then rounding. */
static void rounding_is_no_size_beside_nothing(void **state) {
    (void)state;
    const char *text =
        "model M { Se s(10*cos(5.6*time)); 1 j; R ri(0.102); s -> j; j -> ri; 0 n0; j -> n0; C c0(0.0818);"
        "n0 -> c0; 0 n1; 1 k1; n0 -> k1 -> n1; I l1(0.823); k1 -> l1; C c1(0.16); n1 -> c1; 0 n2; 1 k2;"
        "n1 -> k2 -> n2; I l2(0.964); k2 -> l2; R r2(0.209); k2 -> r2; C c2(1.21); n2 -> c2; R g2(6.03);"
        "n2 -> g2; 0 n3; 1 k3 when d3; n2 -> k3 -> n3; C c3(0.51); n3 -> c3; R g3(2.19); n3 -> g3;"
        "automaton d3 { off o -> c when n2.e - n3.e > 0; on c -> o when k3.f < 0; }"
        "experiment e { stop 3; } }";
    check_events(text, 3, 4);
}

/* A small circuit has early events: 1 pF over 1 Ω from a volt passes 0.5 V after ln 2 ps, also in a run of 1
 * ns. */
static void what_is_fast_has_its_events_early(void **state) {
    (void)state;
    const char *text = "model M { Se s(1); 1 j; R r(1); 0 n; C c(1e-12); s -> j -> n -> c; j -> r;"
                       "automaton a { off low -> high when c.e > 0.5; on high -> low when false; }"
                       "experiment e { stop 1e-9; } }";
    for (int s = 0; s < 4; s++) {
        outcome of = run_circuit(text, 1e-9, solvers[s], 1e-9);
        assert_true(of.status == HBG_RT_OK && of.events == 1);
        assert_true(fabs(of.first - log(2) * 1e-12) < 1e-18);
    }
}

/* A capacitor that fills through a diode for ever: its current tends to 0 and is soon less than the errors of
 * states. */
static void what_comes_to_equality_for_ever_does_not_cross_it(void **state) {
    (void)state;
    check_events(
        "model M { Se s(1); 1 j; R ri(0.354); s -> j; j -> ri; 0 n0; j -> n0; C c0(0.0238); n0 -> c0;"
        "R g0(2.53); n0 -> g0; 0 n1; 1 k1 when d1; n0 -> k1 -> n1; R r1(0.0776); k1 -> r1;"
        "C c1(0.0858, e = 0.24); n1 -> c1;"
        "automaton d1 { off o -> c when n0.e - n1.e > 0; on c -> o when k1.f < 0; }"
        "experiment e { stop 0.4; } }",
        0.4, 1);
}

/* ---- at random ---------------------------------------------------------------------------------------- */

typedef struct {
    test_random random;
    char text[4000];
    size_t used;
    bool rests;
} circuit;

static void say(circuit *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(circuit *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(c->text + c->used, sizeof c->text - c->used, format, arguments);
    va_end(arguments);
    assert_true(more >= 0 && c->used + (size_t)more < sizeof c->text);
    c->used += (size_t)more;
}

/* 10^low to 10^high. */
static double any(circuit *c, double low, double high) {
    return pow(10, low + (high - low) * random_below(&c->random, 1000) / 1000);
}

static void add_diode(circuit *c, int i) {
    bool back = random_chance(&c->random, 30);
    int from = back ? i : i - 1, to = back ? i - 1 : i;
    say(c, "automaton d%d { off o -> c when n%d.e - n%d.e > 0; on c -> o when k%d.f %c 0; }\n", i, from, to,
        i, back ? '>' : '<');
}

static void add_relay(circuit *c, int i) {
    double about = -3 + random_below(&c->random, 60) / 10.0;
    say(c, "automaton d%d { off o -> c when n0.e > %.4g; on c -> o when n0.e < %.4g; }\n", i, about + 1,
        about - 1);
}

/* From the node before to node i: a coil, a resistor, a diode followed by nothing, a resistor or a coil, or a
 * relay. */
static void add_link(circuit *c, int i) {
    enum { COIL, RESISTOR, DIODE, DIODE_RESISTOR, DIODE_COIL, RELAY, LINKS };
    int kind = random_below(&c->random, LINKS);
    bool switched = kind >= DIODE;
    say(c, "1 k%d", i);
    if (switched) say(c, " when d%d", i);
    say(c, "; n%d -> k%d -> n%d;\n", i - 1, i, i);
    if (kind == COIL || kind == DIODE_COIL) say(c, "I l%d(%.4g); k%d -> l%d; ", i, any(c, -1.5, 0.5), i, i);
    if (kind == RESISTOR || kind == DIODE_RESISTOR || kind == RELAY)
        say(c, "R r%d(%.4g); k%d -> r%d; ", i, any(c, -1, 0.5), i, i);
    if (kind == RELAY)
        add_relay(c, i);
    else if (switched)
        add_diode(c, i);
}

static void random_circuit(circuit *c, uint64_t seed) {
    *c = (circuit){.random = {seed}};
    c->rests = random_chance(&c->random, 50);
    int nodes = 2 + random_below(&c->random, 4);
    say(c, "model M { Se s(6*%s(%.4g*time)); 1 j; R ri(%.4g); s -> j; j -> ri; 0 n0; j -> n0;\n",
        random_chance(&c->random, 50) ? "sin" : "cos", any(c, 0, 0.9), any(c, -1, 0.3));
    for (int i = 0; i < nodes; i++) {
        if (i > 0) say(c, "0 n%d; ", i);
        if (i > 0) add_link(c, i);
        double e = c->rests ? 0 : random_below(&c->random, 120) / 10.0 - 6;
        say(c, "C c%d(%.4g, e = %.4g); n%d -> c%d; ", i, any(c, -2, 0.3), e, i, i);
        if (random_chance(&c->random, 60)) say(c, "R g%d(%.4g); n%d -> g%d; ", i, any(c, -0.5, 1), i, i);
    }
    say(c, "experiment e { stop 3; } }");
}

/* With few digits an event that nearly happens may or may not occur: then runs with more digits agree. */
static void all_methods_have_the_same_events(void **state) {
    (void)state;
    static circuit c;
    int circuits = getenv("HBG_SOAK") ? 400 : 12, events = 0, rested = 0;
    for (int i = 0; i < circuits; i++) {
        random_circuit(&c, (uint64_t)(870000 + i) * 1000003);
        outcome exact = run_circuit(c.text, 3, HBG_SIM_ERK, 1e-9);
        events += exact.events;
        rested += c.rests && exact.events > 0;
        for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100)
            for (int s = 0; s < 3; s++) {
                outcome of = run_circuit(c.text, 3, solvers[s], rtol);
                if (of.status != exact.status || of.events != exact.events)
                    fail_msg("circuit %d, %s, rtol %g: %d events, not %d, status %d, not %d\n%s", i, names[s],
                             rtol, of.events, exact.events, (int)of.status, (int)exact.status, c.text);
            }
    }
    print_message("%d circuits, %d of them wake from rest, %d events\n", circuits, rested, events);
    assert_true(events >= 3 * circuits && 4 * rested >= circuits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_relation_begins_behind_an_instant_where_that_left_it),
        cmocka_unit_test(a_fast_state_beside_it_changes_nothing),
        cmocka_unit_test(what_rises_from_rest_opens_a_diode_once),
        cmocka_unit_test(what_is_woken_on_the_way_opens_a_diode_once),
        cmocka_unit_test(rounding_is_no_size_beside_nothing),
        cmocka_unit_test(what_is_fast_has_its_events_early),
        cmocka_unit_test(what_comes_to_equality_for_ever_does_not_cross_it),
        cmocka_unit_test(all_methods_have_the_same_events),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
