/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The oracle of the limit on circuits whose answer is plain by hand (semantics, sections 3a and 9), each by both of its ways. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "limit_circuits_impl.h"
#include "limit_step_impl.h"

static limit_net net;
static limit_values values;

static void begin(void) {
    memset(&net, 0, sizeof net);
    rational_overflow = false;
}

/* Considers the mode and holds it against the implicit step. */
static void consider(void) {
    limit_consider(&net, &values);
    assert_false(rational_overflow);
    assert_true(values.unique && values.determined);
    const char *differs = limit_step_differs(&net, &values);
    if (differs) fail_msg("%s", differs);
    assert_false(rational_overflow);
}

#define assert_rational(found, top, bottom)                                                                  \
    do {                                                                                                     \
        rational found_ = (found);                                                                           \
        if (!rational_is(found_, top, bottom))                                                               \
            fail_msg("%s is %lld/%lld", #found, (long long)found_.up, (long long)found_.down);               \
    } while (0)

/* Supply 24 V, switch, diode from earth, coil of 1 H with 2 A, capacitor of 1 F with 12 V, load of 5. */
static int buck_switch, buck_diode, buck_node, buck_coil, buck_capacitor;

static void build_buck(bool closed, bool conducting) {
    begin();
    int earth = circuit_earth(&net), plus = circuit_node(&net), out = circuit_node(&net);
    buck_node = circuit_node(&net);
    circuit_source(&net, LIMIT_SE, earth, plus, 24, 0);
    buck_switch = circuit_switch(&net, plus, buck_node, closed);
    buck_diode = circuit_switch(&net, earth, buck_node, conducting);
    buck_coil = circuit_element(&net, LIMIT_I, buck_node, out, 1, 2);
    buck_capacitor = circuit_element(&net, LIMIT_C, out, earth, 1, 12);
    circuit_element(&net, LIMIT_R, out, earth, 5, 0);
    consider();
}

static void a_buck_that_closes_onto_its_diode_is_shorted(void **state) {
    (void)state;
    build_buck(true, true);
    assert_true(values.shorted);
    assert_rational(values.unb[0][flow_through(&net, buck_diode)], -12, 1);
    assert_rational(values.unb[0][flow_through(&net, buck_switch)], 12, 1);
    assert_rational(values.unb[1][flow_through(&net, buck_diode)], 0, 1);
    assert_rational(values.unb[0][potential_of(&net, buck_node)], 0, 1);
    assert_rational(values.fin[potential_of(&net, buck_node)], 12, 1); // between 24 and 0
    assert_rational(values.fin[flow_through(&net, buck_diode)], 1, 1); // half of the coil's 2 A
    assert_rational(values.x_plus[buck_coil], 2, 1);
    assert_rational(values.x_plus[buck_capacitor], 12, 1);
}

static void the_other_modes_of_a_buck_are_regular(void **state) {
    (void)state;
    build_buck(true, false);
    assert_false(values.shorted);
    assert_int_equal(values.floating, 0);
    assert_rational(values.fin[potential_of(&net, buck_node)], 24, 1);
    assert_rational(values.rate[buck_coil], 12, 1);
    assert_rational(values.rate[buck_capacitor], -2, 5); // 2 A less 12/5 A
    build_buck(false, true);
    assert_false(values.shorted);
    assert_rational(values.rate[buck_coil], -12, 1);
    assert_rational(values.fin[flow_through(&net, buck_diode)], 2, 1);
    build_buck(false, false); // the coil stops
    assert_false(values.shorted);
    assert_rational(values.area[potential_of(&net, buck_node)], -2, 1);
    assert_rational(values.x_plus[buck_coil], 0, 1);
    assert_rational(values.fin[potential_of(&net, buck_node)], 12, 1);
    assert_rational(values.rate[buck_capacitor], -12, 5);
}

static void parallel_switches_share_a_current(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(&net), plus = circuit_node(&net), node = circuit_node(&net), path[3];
    circuit_source(&net, LIMIT_SE, earth, plus, 12, 0);
    for (int i = 0; i < 3; i++) path[i] = circuit_switch(&net, plus, node, true);
    circuit_element(&net, LIMIT_R, node, earth, 2, 0);
    consider();
    assert_false(values.shorted);
    assert_int_equal(values.floating, 2);
    for (int i = 0; i < 3; i++) assert_rational(values.fin[flow_through(&net, path[i])], 2, 1);
}

/* 6 C on 1 F and nothing on 2 F become 2 V: 4 C pass, half through each switch. */
static void parallel_switches_share_a_pulse(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(&net), a = circuit_node(&net), b = circuit_node(&net);
    int first = circuit_element(&net, LIMIT_C, a, earth, 1, 6), path[2];
    for (int i = 0; i < 2; i++) path[i] = circuit_switch(&net, a, b, true);
    int second = circuit_element(&net, LIMIT_C, b, earth, 2, 0);
    consider();
    assert_false(values.shorted);
    for (int i = 0; i < 2; i++) assert_rational(values.area[flow_through(&net, path[i])], 2, 1);
    assert_rational(values.x_plus[first], 2, 1);
    assert_rational(values.x_plus[second], 4, 1);
}

static void a_node_between_open_switches_reads_the_mean(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(&net), plus = circuit_node(&net), node = circuit_node(&net);
    circuit_source(&net, LIMIT_SE, earth, plus, 10, 4);
    circuit_switch(&net, plus, node, false);
    int low = circuit_switch(&net, node, earth, false);
    circuit_switch(&net, node, earth, false);
    consider();
    assert_false(values.shorted);
    assert_rational(values.fin[potential_of(&net, node)], 10, 3); // one conductance up, two down
    assert_rational(values.fin[flow_through(&net, low)], 0, 1);
}

/* Joined by a switch, they do not fight yet: what is to come is the germ. */
static void two_supplies_that_agree_have_a_germ(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(&net), a = circuit_node(&net), b = circuit_node(&net);
    circuit_source(&net, LIMIT_SE, earth, a, 5, 3);
    circuit_source(&net, LIMIT_SE, earth, b, 5, -1);
    int joint = circuit_switch(&net, a, b, true);
    consider();
    assert_true(values.shorted);
    assert_rational(values.unb[0][flow_through(&net, joint)], 0, 1);
    assert_rational(values.unb[1][flow_through(&net, joint)], 4, 1);
    assert_rational(values.fin[flow_through(&net, joint)], 0, 1);
    assert_rational(values.fin[potential_of(&net, b)], 5, 1);
}

/* 3 A into a node with two open switches: 3/(2·eta) V. */
static void a_current_that_can_go_nowhere_is_an_unbounded_voltage(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(&net), node = circuit_node(&net), out = circuit_node(&net);
    circuit_source(&net, LIMIT_SF, earth, node, 3, 1);
    circuit_switch(&net, node, earth, false);
    int second = circuit_switch(&net, node, out, false);
    circuit_element(&net, LIMIT_C, out, earth, 1, 7);
    consider();
    assert_true(values.shorted);
    assert_rational(values.unb[0][potential_of(&net, node)], 3, 2);
    assert_rational(values.unb[1][potential_of(&net, node)], 1, 2);
    assert_rational(values.fin[flow_through(&net, second)], 3, 2); // eta times 3/(2·eta)
    assert_rational(values.fin[potential_of(&net, node)], 7, 2);   // half way to the capacitor
}

/* 12 V, a switch, 2 : 1, a switch, 2 V: 12 = eta·f + 2·(2 + eta·2·f). */
static void a_transformer_between_scales_the_fight(void **state) {
    (void)state;
    begin();
    int a = circuit_node(&net), supply = limit_add(&net, (limit_node){.kind = LIMIT_SE, .u = {{12, 1}}});
    int b = circuit_node(&net), c = circuit_node(&net);
    int battery = limit_add(&net, (limit_node){.kind = LIMIT_SE, .u = {{2, 1}}});
    int core = limit_add(&net, (limit_node){.kind = LIMIT_TF, .value = {2, 1}}), d = circuit_node(&net);
    limit_join(&net, supply, a);
    int primary = circuit_switch(&net, a, b, true);
    limit_join(&net, b, core);
    limit_join(&net, core, c);
    int secondary = circuit_switch(&net, c, d, true);
    limit_join(&net, battery, d);
    consider();
    assert_rational(values.unb[0][flow_through(&net, primary)], 8, 5);
    assert_rational(values.unb[0][flow_through(&net, secondary)], 16, 5);
    assert_rational(values.fin[potential_of(&net, c)], 26, 5); // 2 + 16/5
}

/* A current of 5 A behind a gyrator of 3 Ohm is a voltage of 15 V, against 12 V. */
static void a_gyrator_between_makes_a_flow_fight_an_effort(void **state) {
    (void)state;
    begin();
    int a = circuit_node(&net), supply = limit_add(&net, (limit_node){.kind = LIMIT_SE, .u = {{12, 1}}});
    int b = circuit_node(&net), gyrator = limit_add(&net, (limit_node){.kind = LIMIT_GY, .value = {3, 1}});
    int loop = limit_add(&net, (limit_node){.kind = LIMIT_ONE});
    int drive = limit_add(&net, (limit_node){.kind = LIMIT_SF, .u = {{5, 1}}});
    limit_join(&net, supply, a);
    int joint = circuit_switch(&net, a, b, true);
    limit_join(&net, b, gyrator);
    limit_join(&net, gyrator, loop);
    int driven = limit_join(&net, drive, loop);
    consider();
    assert_rational(values.unb[0][flow_through(&net, joint)], -3, 1);
    assert_rational(values.unb[0][2 * driven], 9, 1); // the drive holds against 3·3/eta
    assert_rational(values.fin[2 * driven + 1], 5, 1);
}

/* A switch of type 0: off, its effort is 0. A current source on it has its way, a voltage source is cut. */
static void sources_that_an_off_junction_cuts_carry_nothing(void **state) {
    (void)state;
    begin();
    int loop = limit_add(&net, (limit_node){.kind = LIMIT_ONE, .controlled = true, .off = true});
    int drive = limit_add(&net, (limit_node){.kind = LIMIT_SF, .u = {{5, 1}}});
    int load = limit_add(&net, (limit_node){.kind = LIMIT_R, .value = {2, 1}});
    int cut = limit_join(&net, drive, loop), other = limit_join(&net, loop, load);
    consider();
    assert_false(values.shorted);
    assert_rational(values.fin[2 * cut], 0, 1);
    assert_rational(values.fin[2 * cut + 1], 0, 1);
    assert_rational(values.fin[2 * other + 1], 0, 1);
}

/* Off the other way each side keeps its own effort: 2 V and 3 V, and no flow. Two supplies at one plain node never agree. */
static void dual_junctions_part_and_plain_conflicts_have_no_solution(void **state) {
    (void)state;
    for (int plain = 0; plain < 2; plain++) {
        begin();
        int node = limit_add(
            &net, (limit_node){.kind = LIMIT_ZERO, .controlled = !plain, .dual = true, .off = !plain});
        int a = limit_add(&net, (limit_node){.kind = LIMIT_SE, .u = {{2, 1}}});
        int b = limit_add(&net, (limit_node){.kind = LIMIT_SE, .u = {{3, 1}}});
        int first = limit_join(&net, a, node), second = limit_join(&net, b, node);
        limit_consider(&net, &values);
        assert_int_equal(values.unique, !plain);
        if (plain) return;
        assert_rational(values.fin[2 * first], 2, 1);
        assert_rational(values.fin[2 * second], 3, 1);
        assert_rational(values.fin[2 * second + 1], 0, 1);
    }
}

/* A capacitor of 2 F on a supply of 5 V that rises by 3 V/s: it jumps there, and takes 6 A. */
static void a_storage_on_a_supply_jumps_and_follows(void **state) {
    (void)state;
    begin();
    int earth = circuit_earth(&net), plus = circuit_node(&net), node = circuit_node(&net);
    circuit_source(&net, LIMIT_SE, earth, plus, 5, 3);
    int joint = circuit_switch(&net, plus, node, true);
    int store = circuit_element(&net, LIMIT_C, node, earth, 2, 4);
    consider();
    assert_false(values.shorted);
    assert_rational(values.x_plus[store], 10, 1);
    assert_rational(values.area[flow_through(&net, joint)], 6, 1);
    assert_rational(values.fin[flow_through(&net, joint)], 6, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buck_that_closes_onto_its_diode_is_shorted),
        cmocka_unit_test(the_other_modes_of_a_buck_are_regular),
        cmocka_unit_test(parallel_switches_share_a_current),
        cmocka_unit_test(parallel_switches_share_a_pulse),
        cmocka_unit_test(a_node_between_open_switches_reads_the_mean),
        cmocka_unit_test(two_supplies_that_agree_have_a_germ),
        cmocka_unit_test(a_current_that_can_go_nowhere_is_an_unbounded_voltage),
        cmocka_unit_test(a_transformer_between_scales_the_fight),
        cmocka_unit_test(a_gyrator_between_makes_a_flow_fight_an_effort),
        cmocka_unit_test(sources_that_an_off_junction_cuts_carry_nothing),
        cmocka_unit_test(dual_junctions_part_and_plain_conflicts_have_no_solution),
        cmocka_unit_test(a_storage_on_a_supply_jumps_and_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
