/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration over the limit on circuits whose course is known (semantics, section 9). */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "causal/graph_impl.h"
#include "limit_circuits_impl.h"
#include "limit_search_impl.h"
#include "support/soak.h"

static limit_circuit circuit;
static limit_trace trace;
static limit_values values;
static limit_net *const net = &circuit.n;

static void begin(void) {
    memset(&circuit, 0, sizeof circuit);
    rational_overflow = false;
}

static int add_switch(int a, int k, bool closed, bool command) {
    int made = circuit_switch(net, a, k, closed);
    circuit.device[made] = DEVICE_SWITCH;
    circuit.command[made] = command;
    return made;
}

static int add_diode(int a, int k, bool conducting) {
    int made = circuit_switch(net, a, k, conducting);
    circuit.device[made] = DEVICE_DIODE;
    return made;
}

static void go(void) {
    circuit_instant(&circuit, &trace, &values);
    assert_false(rational_overflow);
}

/* Whether the k-th mode visited has just these junctions on. */
static bool is_mode(int k, int count, const int *on) {
    uint64_t mode = 0;
    for (int i = 0; i < count; i++) mode |= UINT64_C(1) << on[i];
    return k < trace.count && trace.modes[k] == mode;
}

#define assert_mode(k, ...)                                                                                  \
    do {                                                                                                     \
        int on_[] = {__VA_ARGS__};                                                                           \
        assert_true(is_mode((k), (int)(sizeof on_ / sizeof *on_) - 1, on_));                                 \
    } while (0)
#define NONE (-1) /* ends the list */

static void assert_course(search_end end, int count) {
    assert_int_equal(trace.end, end);
    assert_int_equal(trace.count, count);
}

/* V = 10, R = 330 in the switch's loop, a coil at the node, a diode of 3/5 V from earth (002, Fig. 1). */
static void a_diode_takes_over_the_current_of_a_coil(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(net), plus = circuit_node(net), node = circuit_node(net);
    int series = circuit_node(net), cathode = circuit_node(net);
    circuit_source(net, LIMIT_SE, earth, plus, 10, 0);
    int manual = add_switch(plus, series, true, false);
    circuit_element(net, LIMIT_R, series, node, 330, 0);
    int coil = circuit_between(
        net, node, earth,
        (limit_node){.kind = LIMIT_I, .value = rational_of(1, 200), .x = rational_of(1, 9000)});
    int diode = add_diode(earth, cathode, false);
    circuit_between(net, cathode, node, (limit_node){.kind = LIMIT_SE, .u = {rational_of(-3, 5)}});
    go();
    assert_course(SEARCH_SETTLES, 3);
    assert_mode(0, manual, NONE);
    assert_mode(1, NONE); // the coil would stop: mythical
    assert_mode(2, diode, NONE);
    assert_false(trace.committed[1]);
    assert_true(rational_is(values.x_plus[coil], 1, 9000));
    assert_true(rational_is(values.rate[coil], -3, 5));
}

static int buck_switch, buck_diode, buck_coil, buck_capacitor;

/* 24 V; the coil has i, the capacitor 12 V. */
static void build_buck(bool closed, bool command, bool conducting, int i) {
    begin();
    int earth = circuit_earth(net), plus = circuit_node(net), node = circuit_node(net),
        out = circuit_node(net);
    circuit_source(net, LIMIT_SE, earth, plus, 24, 0);
    buck_switch = add_switch(plus, node, closed, command);
    buck_diode = add_diode(earth, node, conducting);
    buck_coil = circuit_element(net, LIMIT_I, node, out, 1, i);
    buck_capacitor = circuit_element(net, LIMIT_C, out, earth, 1, 12);
    circuit_element(net, LIMIT_R, out, earth, 5, 0);
    go();
}

static void a_buck_closes_onto_its_diode_and_nothing_jumps(void **state) {
    (void)state;
    build_buck(false, true, true, 2);
    assert_course(SEARCH_SETTLES, 3);
    assert_mode(0, buck_diode, NONE);
    assert_mode(1, buck_switch, buck_diode, NONE); // shorted
    assert_mode(2, buck_switch, NONE);
    assert_true(trace.committed[2] && !trace.fell_back);
    assert_true(rational_is(values.x_plus[buck_coil], 2, 1));
    assert_true(rational_is(values.x_plus[buck_capacitor], 12, 1));
}

static void a_buck_opens_and_its_diode_conducts(void **state) {
    (void)state;
    build_buck(true, false, false, 2);
    assert_course(SEARCH_SETTLES, 3);
    assert_mode(1, NONE);
    assert_mode(2, buck_diode, NONE);
    build_buck(true, false, false, 0); // without a current it does not
    assert_course(SEARCH_SETTLES, 2);
    assert_mode(1, NONE);
}

static int upper[3], lower[3], bridge_coil;

/* Six diodes on three sources in a star, a coil with 4 A behind them; bits of `on`: the upper diodes, then the lower ones. */
static void build_bridge(const int *u, const int *rates, unsigned on) {
    begin();
    int star = circuit_earth(net), plus = circuit_node(net), minus = circuit_node(net), phase[3];
    for (int i = 0; i < 3; i++) {
        phase[i] = circuit_node(net);
        circuit_source(net, LIMIT_SE, star, phase[i], u[i], rates[i]);
    }
    for (int i = 0; i < 3; i++) upper[i] = add_diode(phase[i], plus, on >> i & 1);
    for (int i = 0; i < 3; i++) lower[i] = add_diode(minus, phase[i], on >> (3 + i) & 1);
    bridge_coil = circuit_element(net, LIMIT_I, plus, minus, 1, 4);
    go();
}

/* Two of three phases cross below, and both of their diodes are on: the crossing was located. */
static void at_a_crossing_the_germ_blocks_the_outgoing_diode(void **state) {
    (void)state;
    build_bridge((int[]){2, -1, -1}, (int[]){1, 1, -2}, 1 | 16 | 32);
    assert_course(SEARCH_SETTLES, 2);
    assert_mode(0, upper[0], lower[1], lower[2], NONE);
    assert_mode(1, upper[0], lower[2], NONE);
    assert_true(rational_is(values.x_plus[bridge_coil], 4, 1));
    assert_true(rational_is(values.rate[bridge_coil], 3, 1));
}

/* From all six blocking, with a current in the coil. */
static void a_bridge_starts_by_its_pulse(void **state) {
    (void)state;
    build_bridge((int[]){2, -2, 0}, (int[]){1, 1, -2}, 0);
    assert_course(SEARCH_SETTLES, 4);
    assert_mode(1, upper[0], upper[1], upper[2], lower[0], lower[1], lower[2], NONE);
    assert_mode(2, upper[0], lower[1], lower[2], NONE); // u_c is 0 and falls
    assert_mode(3, upper[0], lower[1], NONE);
}

static void a_current_source_turns_a_diode_on(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(net), node = circuit_node(net), out = circuit_node(net);
    circuit_source(net, LIMIT_SF, earth, node, 3, 0);
    int contact = add_switch(node, earth, true, false), diode = add_diode(node, out, false);
    circuit_element(net, LIMIT_C, out, earth, 1, 7);
    go();
    assert_course(SEARCH_SETTLES, 3);
    assert_mode(0, contact, NONE);
    assert_mode(1, NONE);
    assert_mode(2, diode, NONE);
}

/* Half of the current each, and that is real. */
static void a_switch_closes_over_its_body_diode(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(net), node = circuit_node(net), plus = circuit_node(net);
    circuit_source(net, LIMIT_SE, earth, plus, 10, 0);
    int contact = add_switch(node, earth, false, true), diode = add_diode(earth, node, true);
    circuit_element(net, LIMIT_I, node, plus, 1, 2);
    go();
    assert_course(SEARCH_SETTLES, 2);
    assert_mode(1, contact, diode, NONE);
    assert_true(rational_is(values.fin[flow_through(net, diode)], 1, 1));
    assert_true(rational_is(values.fin[flow_through(net, contact)], -1, 1));
}

static void supplies_that_fight_are_a_short_circuit(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(net), a = circuit_node(net), b = circuit_node(net);
    circuit_source(net, LIMIT_SE, earth, a, 5, 0);
    circuit_source(net, LIMIT_SE, earth, b, 7, 0);
    int contact = add_switch(a, b, false, true);
    go();
    assert_course(SEARCH_SHORTED, 2);
    assert_mode(1, contact, NONE);
    begin(); // and a current that an opening switch leaves without a way
    earth = circuit_earth(net), a = circuit_node(net);
    circuit_source(net, LIMIT_SF, earth, a, 1, 0);
    add_switch(a, earth, true, false);
    go();
    assert_course(SEARCH_SHORTED, 2);
}

/* A second switch in the loop is told to open at the same instant: it does, although the first has closed onto the fight. */
static void commands_count_in_a_shorted_mode(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(net), a = circuit_node(net), b = circuit_node(net), c = circuit_node(net);
    circuit_source(net, LIMIT_SE, earth, a, 5, 0);
    circuit_source(net, LIMIT_SE, earth, c, 7, 0);
    int first = add_switch(a, b, true, true);
    add_switch(b, c, true, false);
    go(); // begins in the fight
    assert_course(SEARCH_SETTLES, 2);
    assert_mode(1, first, NONE);
}

/* Closing onto the conducting diode would empty the first capacitor through it; the diode blocks, and both share (000). */
static void capacitors_share_when_the_diode_has_blocked(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(net), a = circuit_node(net), b = circuit_node(net);
    int first = circuit_element(net, LIMIT_C, a, earth, 1, 6), contact = add_switch(a, b, false, true);
    int second = circuit_element(net, LIMIT_C, b, earth, 2, 0), diode = add_diode(earth, b, true);
    go();
    assert_course(SEARCH_SETTLES, 3);
    assert_mode(1, contact, diode, NONE);
    assert_mode(2, contact, NONE);
    assert_true(rational_is(values.x_plus[first], 2, 1));
    assert_true(rational_is(values.x_plus[second], 4, 1));
}

/* A current of -5 A through the diode b drives it off, which cuts the source. Without it the diode a goes off too, but b comes on again, by
 * what a lets through: together they go 1, 2, 1, … for ever. One at a time a goes first, and nothing is left that brings b back. */
static void what_cycles_together_ends_one_at_a_time(void **state) {
    (void)state;
    begin();
    int a = limit_add(net, (limit_node){.kind = LIMIT_ONE, .controlled = true}), node = circuit_node(net);
    int b = limit_add(net, (limit_node){.kind = LIMIT_ONE, .controlled = true});
    int tail = limit_add(net, (limit_node){.kind = LIMIT_ONE});
    int store = limit_add(net, (limit_node){.kind = LIMIT_C, .x = {1, 1}});
    int drive = limit_add(net, (limit_node){.kind = LIMIT_SF, .u = {{-5, 1}}});
    int loads[] = {node, a, tail};
    circuit.device[a] = circuit.device[b] = DEVICE_DIODE;
    limit_join(net, node, a);
    limit_join(net, node, b);
    limit_join(net, tail, b);
    limit_join(net, a, store);
    limit_join(net, drive, b);
    for (int i = 0; i < 3; i++)
        limit_join(net, loads[i],
                   limit_add(net, (limit_node){.kind = LIMIT_R, .value = {i == 2 ? 3 : 1, 1}}));
    go();
    assert_true(trace.fell_back);
    assert_course(SEARCH_SETTLES, 5);
    assert_mode(0, a, b, NONE);
    assert_mode(1, a, NONE);
    assert_mode(2, b, NONE);
    assert_mode(3, a, NONE);
    assert_mode(4, NONE);
    assert_int_equal(trace.together, 3);
}

/* ---- every state of a circuit ---------------------------------------------------------------------------- */

/* Any energies and any states of the diodes and switches, from one number. */
static void scatter(test_random *random) {
    for (int i = 0; i < net->node_count; i++) {
        net->nodes[i].x = rational_number(random_below(random, 13) - 6);
        net->nodes[i].off = net->nodes[i].controlled && random_chance(random, 50);
    }
}

/* Whatever the circuit was in, the instant ends in a mode that is real. */
static void assert_settles(void (*build)(void), int count) {
    for (int i = 0; i < count; i++) {
        test_random random = {4711 + (uint64_t)i};
        build();
        scatter(&random);
        circuit_instant(&circuit, &trace, &values);
        assert_false(rational_overflow);
        if (trace.end != SEARCH_SETTLES) fail_msg("state %d ends with %d", i, (int)trace.end);
    }
}

static void lay_bridge_on_one_source(void) {
    begin();
    int minus = circuit_earth(net), plus = circuit_node(net), a = circuit_node(net), b = circuit_node(net);
    circuit_source(net, LIMIT_SE, b, a, 0, 3);
    for (int i = 0; i < 2; i++) add_diode(i ? b : a, plus, false);
    for (int i = 0; i < 2; i++) add_diode(minus, i ? b : a, false);
    circuit_element(net, LIMIT_I, plus, minus, 1, 0);
}

static void lay_six_pulse_bridge(void) {
    begin();
    int star = circuit_earth(net), plus = circuit_node(net), minus = circuit_node(net);
    int u[] = {2, -1, -1}, rates[] = {1, 1, -2};
    for (int i = 0; i < 3; i++) {
        int phase = circuit_node(net);
        circuit_source(net, LIMIT_SE, star, phase, u[i], rates[i]);
        add_diode(phase, plus, false);
        add_diode(minus, phase, false);
    }
    circuit_element(net, LIMIT_I, plus, minus, 1, 0);
}

/* One pair of switches is told to be closed, or none. */
static void lay_h_bridge(bool forward, bool backward) {
    begin();
    int minus = circuit_earth(net), plus = circuit_node(net), a = circuit_node(net), b = circuit_node(net);
    circuit_source(net, LIMIT_SE, minus, plus, 10, 0);
    add_switch(plus, a, false, forward);
    add_switch(a, minus, false, backward);
    add_switch(plus, b, false, backward);
    add_switch(b, minus, false, forward);
    for (int i = 0; i < 2; i++) add_diode(i ? b : a, plus, false);
    for (int i = 0; i < 2; i++) add_diode(minus, i ? b : a, false);
    circuit_element(net, LIMIT_I, a, b, 1, 0);
}

static void lay_forward_h_bridge(void) {
    lay_h_bridge(true, false);
}

static void lay_dead_h_bridge(void) {
    lay_h_bridge(false, false);
}

/* Neutral-point-clamped, told to deliver 0. */
static void lay_three_level_leg(void) {
    begin();
    int middle = circuit_earth(net), plus = circuit_node(net), minus = circuit_node(net);
    int high = circuit_node(net), a = circuit_node(net), low = circuit_node(net);
    int chain[] = {plus, high, a, low, minus};
    circuit_source(net, LIMIT_SE, middle, plus, 5, 0);
    circuit_source(net, LIMIT_SE, minus, middle, 5, 0);
    for (int i = 0; i < 4; i++) add_switch(chain[i], chain[i + 1], false, i == 1 || i == 2);
    for (int i = 0; i < 4; i++) add_diode(chain[i + 1], chain[i], false);
    add_diode(middle, high, false);
    add_diode(low, middle, false);
    circuit_element(net, LIMIT_I, a, middle, 1, 0);
}

/* The core, a rectifier and a freewheeling diode before a coil, a winding that returns the core's energy to the supply. */
static void lay_forward_converter(void) {
    begin();
    int earth = circuit_earth(net), plus = circuit_node(net), primary = circuit_node(net);
    int secondary = circuit_node(net), third = circuit_node(net), node = circuit_node(net);
    int windings[] = {limit_add(net, (limit_node){.kind = LIMIT_TF, .value = {4, 1}}),
                      limit_add(net, (limit_node){.kind = LIMIT_TF, .value = {-1, 1}})};
    circuit_source(net, LIMIT_SE, earth, plus, 8, 0);
    add_switch(plus, primary, false, false);
    circuit_element(net, LIMIT_I, primary, earth, 3, 0);
    for (int i = 0; i < 2; i++) {
        limit_join(net, primary, windings[i]);
        limit_join(net, windings[i], i ? third : secondary);
    }
    add_diode(third, plus, false);
    add_diode(secondary, node, false);
    add_diode(earth, node, false);
    circuit_element(net, LIMIT_I, node, earth, 1, 0);
}

static void circuits_settle_from_any_energy_and_any_state(void **state) {
    (void)state;
    assert_settles(lay_bridge_on_one_source, trials(25, 100));
    assert_settles(lay_six_pulse_bridge, trials(25, 100));
    assert_settles(lay_forward_h_bridge, trials(25, 100));
    assert_settles(lay_dead_h_bridge, trials(25, 100));
    assert_settles(lay_three_level_leg, trials(25, 100));
    assert_settles(lay_forward_converter, trials(25, 100));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diode_takes_over_the_current_of_a_coil),
        cmocka_unit_test(a_buck_closes_onto_its_diode_and_nothing_jumps),
        cmocka_unit_test(a_buck_opens_and_its_diode_conducts),
        cmocka_unit_test(at_a_crossing_the_germ_blocks_the_outgoing_diode),
        cmocka_unit_test(a_bridge_starts_by_its_pulse),
        cmocka_unit_test(a_current_source_turns_a_diode_on),
        cmocka_unit_test(a_switch_closes_over_its_body_diode),
        cmocka_unit_test(supplies_that_fight_are_a_short_circuit),
        cmocka_unit_test(commands_count_in_a_shorted_mode),
        cmocka_unit_test(capacitors_share_when_the_diode_has_blocked),
        cmocka_unit_test(what_cycles_together_ends_one_at_a_time),
        cmocka_unit_test(circuits_settle_from_any_energy_and_any_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
