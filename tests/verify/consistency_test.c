/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Consistency of switching, on small models whose answer is known by hand. */
#include <z3.h>

#include "consistency_impl.h"

static void hysteresis_is_consistent_and_overlap_is_not(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("store.q > 2", "store.q < 1"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_int_equal(group->real_mode, HBG_VERDICT_PROVED);
    assert_int_equal(group->overlap, HBG_VERDICT_WITNESS); // between 1 and 2 both are real
    end(&t);
    group = examine(&t, RELAY("store.q > 1", "store.q < 2"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->finding_count, 1);
    const hbg_finding *finding = &group->findings[0];
    assert_int_equal(finding->kind, HBG_FINDING_CYCLE);
    assert_int_equal(finding->region_count, 1);
    assert_string_equal(finding->region[0], "1 < store.q < 2");
    assert_true(finding->values[0].value > 1 && finding->values[0].value < 2);
    assert_int_equal(finding->step_count - finding->back_to, 3);
    assert_int_equal(group->real_mode, HBG_VERDICT_WITNESS);
    assert_string_equal(group->never_real[0], "1 < store.q < 2");
    end(&t);
}

/* f + f^3 = q rises with f, so that f < 0.5 is q < 0.5 + 0.125; no unknown of the loop is left in what is told. */
static void a_nonlinear_loop_is_told_in_energies(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, "C c(1); 0 n; n -> c; 1 j when d; R r : e = f + f^3; n -> j -> r;\n"
                    "automaton d { off b -> x when n.e > 0; on x -> b when j.f < 0.5; }\n");
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].region_count, 1);
    assert_string_equal(group->findings[0].region[0], "0 < c.q < 0.625");
    assert_string_equal(group->phases[1].words[0], "c.q < 0.625");
    assert_string_equal(group->never_real[0], "0 < c.q < 0.625");
    assert_int_equal(group->overlap, HBG_VERDICT_PROVED); // elsewhere one of the two is left
    for (int i = -20; i < 40; i++) {
        double q = (i + 0.5) / 20;
        hbg_point point = {.states = &q};
        assert_true(hbg_verify_condition_holds(group->phases[1].departed, &point) == (q < 0.625));
    }
    end(&t);
}

/* The condition as a program on numbers says the same as the words. */
static void the_region_holds_for_the_numbers_in_it(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("store.q > 1", "store.q < 2"));
    const hbg_finding_region *where = &group->findings[0].where[0];
    for (int i = 0; i < 40; i++) {
        double x = i / 10.0 + 0.05;
        hbg_point point = {.states = &x};
        assert_true(hbg_verify_condition_holds(where->where, &point) == (x > 1 && x < 2));
        assert_true(hbg_verify_condition_margin(where->where, &point) > 0.01);
    }
    assert_true(hbg_verify_condition_reads(where->where, HBG_POINT_STATE, 0));
    end(&t);
}

/* Pulses decide before finite values: a coil that is cut off turns on its diode whatever the drop. */
#define COIL(hold)                                                                                           \
    "param hold = " hold "; I coil(2); Se drop(-1); 0 node; 1 j when d; node -> coil; drop -> j -> node;\n"  \
    "automaton d { off blocking -> conducting when node.e <= -1; on conducting -> blocking when j.f < "      \
    "hold; }\n"

static void a_pulse_counts_more_than_any_drop(void **state) {
    (void)state;
    fixture t;
    assert_int_equal(examine(&t, COIL("0"))->verdict, HBG_VERDICT_PROVED);
    end(&t);
    const hbg_group_result *group = examine(&t, COIL("3"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_string_equal(group->findings[0].region[0], "0 < coil.p < 6");
    end(&t);
}

static void a_parameter_with_a_range_is_every_value_in_it(void **state) {
    (void)state;
    fixture t;
    assert_int_equal(examine(&t, COIL("3") "verify { range hold in [-1, 0]; }")->verdict, HBG_VERDICT_PROVED);
    end(&t);
    assert_int_equal(examine(&t, COIL("0") "verify { range hold in [0, 1]; }")->verdict, HBG_VERDICT_WITNESS);
    end(&t);
    assert_int_equal(examine(&t, COIL("3") "verify { range coil.p in [-5, 0]; }")->verdict,
                     HBG_VERDICT_PROVED);
    end(&t);
    assert_int_equal(examine(&t, COIL("3") "verify { assume coil.p <= 0 || coil.p >= 6; }")->verdict,
                     HBG_VERDICT_PROVED);
    end(&t);
}

/* Two circuits that share nothing but a source are two groups; a guard that reads the other's voltage joins them. */
static void what_cannot_influence_one_another_is_apart(void **state) {
    (void)state;
    fixture t;
#define PAIR(guard)                                                                                          \
    "Se s(1); 0 bus; s -> bus; 1 j when a; R r(1); C c(1); bus -> j; j -> r; j -> c;\n"                      \
    "1 k when b; R q(1); I l(1); 0 n; bus -> k -> n -> l; k -> q; input bool g = false;\n"                   \
    "automaton a { off o -> x when g; on x -> o when !g; }\n"                                                \
    "automaton b { off o -> x when " guard "; on x -> o when l.f > 5; }\n"
    examine(&t, PAIR("!g"));
    assert_int_equal(t.result.group_count, 2);
    end(&t);
    const hbg_group_result *group = examine(&t, PAIR("a.x"));
    assert_int_equal(t.result.group_count, 1);
    assert_int_equal(group->of.automaton_count, 2);
    assert_non_null(strstr(group->reasons, "a and b directly"));
    end(&t);
}

/* sin² + cos² = 1 is all that is known of an angle, and enough here: |cos θ| > 1 never holds. */
static void sine_and_cosine_of_an_angle_belong_together(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("sin(store.q)^2 > 0.5", "cos(store.q)^2 > 0.5"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
    group = examine(&t, RELAY("sin(store.q)^2 > 0.5", "cos(store.q)^2 > 0.4"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
}

/* cos 2θ = 2cos²θ - 1 and cos 3θ = 4cos³θ - 3cosθ: whole multiples of an angle are known by its sine and cosine. */
static void multiples_of_an_angle_are_known_by_the_angle(void **state) {
    (void)state;
    fixture t;
    // cos² < 0.1 is cos 2θ < -0.8, cos² > 0.1 overlaps with cos 2θ > 0.5, which is cos² > 0.75
    assert_int_equal(examine(&t, RELAY("cos(2*store.q) > 0.5", "cos(store.q)^2 < 0.1"))->verdict,
                     HBG_VERDICT_PROVED);
    end(&t);
    assert_int_equal(examine(&t, RELAY("cos(2*store.q) > 0.5", "cos(store.q)^2 < 0.75"))->verdict,
                     HBG_VERDICT_PROVED);
    end(&t);
    const hbg_group_result *group = examine(&t, RELAY("cos(2*store.q) > 0.5", "cos(store.q)^2 < 0.8"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
    assert_int_equal(
        examine(&t, RELAY("sin(-3*store.q) > 0", "sin(store.q)*(3 - 4*sin(store.q)^2) < 0"))->verdict,
        HBG_VERDICT_WITNESS); // sin 3θ = 3 sin θ - 4 sin³θ: one and the same
    end(&t);
    assert_int_equal(
        examine(&t, RELAY("sin(-3*store.q) > 0", "sin(store.q)*(3 - 4*sin(store.q)^2) > 0"))->verdict,
        HBG_VERDICT_PROVED);
    end(&t);
}

static void what_is_only_enclosed_is_not_decided_and_named(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("exp(store.q) > 2", "exp(store.q) < 3"));
    assert_int_equal(group->verdict, HBG_VERDICT_UNDECIDED);
    assert_string_equal(group->reason, "only bounds are known of `exp(store.q)`");
    end(&t);
    group = examine(&t, RELAY("exp(store.q) < 0", "exp(store.q) < 0")); // never: it is positive
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_int_equal(group->dead_count, 3); // the state and both guards
    end(&t);
}

/* The line that mends it, written into the model, mends it. */
static void a_repair_holds_when_it_is_written_down(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("store.q > 1", "store.q < 2"));
    assert_string_equal(group->findings[0].repair.condition, "pre(store.q) >= 2");
    const hbg_transition *of = &t.m.model->transitions.items[group->findings[0].repair.transition];
    assert_int_equal(of->target, 1); // on the way to closed
    end(&t);
    group = examine(&t, RELAY("store.q > 1 && pre(store.q) >= 2", "store.q < 2"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* Events come in the first pass only: the state a search begins in does not count where one leads away and back. */
static void an_event_may_lead_back_where_it_came_from(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(
        &t, "input event kick; C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"
            "automaton a { off open -> closed when kick; on closed -> open when store.q >= 0 || store.q < 0; "
            "}\n");
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* Of two enabled transitions the first in the text is taken: the other would lead back. */
static void the_first_of_two_enabled_transitions_wins(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, "C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"
                    "automaton a { off open { -> closed when store.q > 1; -> other when store.q > 2; }\n"
                    "  on closed; on other -> open when store.q > 2; }\n");
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_int_equal(group->dead_count, 2); // `other` and the way there; it can be started in
    end(&t);
}

/* A relay that follows an angle; on, it is left at once where the sine is small. */
#define ANGLE(on, off, assumed)                                                                              \
    "state theta = 0 : der = node.e; C store(1); R load(1); 0 node; 1 j when a; node -> store;\n"            \
    "node -> j -> load; automaton a { off open -> closed when " on "; on closed -> open when " off "; }\n"   \
    "verify { " assumed " }\n"

static void a_range_of_an_angle_bounds_its_sine(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, ANGLE("sin(theta) > 0.5", "sin(theta) < 0.6", ""));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
    group = examine(&t, ANGLE("sin(theta) > 0.5", "sin(theta) < 0.6", "range theta in [0, 0.5];"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED); // sin(0.5) = 0.479
    end(&t);
    group = examine(&t, ANGLE("sin(theta) > 0.5", "sin(theta) < 0.6", "range theta in [0, 0.6];"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS); // sin(0.6) = 0.565
    end(&t);
    group = examine(&t, ANGLE("sin(theta) > 1.5", "sin(theta) > 1.5", "")); // it is never
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* Sine and cosine do not say which turn it is. */
static void an_angle_that_is_read_itself_is_looked_at_where_its_sine_is_known(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, ANGLE("theta > 0.4 && sin(theta) > 0", "theta < 0.6", ""));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS); // 0.5 is one of these
    end(&t);
    group = examine(&t, ANGLE("theta > 0.1 && theta < 0.2 && sin(theta) < -0.5", "sin(theta) < 0", ""));
    assert_int_equal(group->verdict,
                     HBG_VERDICT_UNDECIDED); // it is never, but that takes more than s² + c² = 1
    end(&t);
}

/* ---- inputs, and modes without causality -------------------------------------------------------------------- */

/* A comparator that is turned on above 5 V and finds its current too large at once. */
#define COMPARATOR(assumed)                                                                                  \
    "input real u = 0; Se s(u); R r(1); 0 n; 1 j when a; C c(1); s -> n -> j -> r; j -> c;\n"                \
    "automaton a { off lo -> hi when n.e > 5; on hi -> lo when j.f > 2; }\nverify { " assumed " }\n"

static bool has_value(const hbg_finding *finding, const char *name) {
    for (int32_t i = 0; i < finding->value_count; i++)
        if (strcmp(finding->values[i].name, name) == 0) return true;
    return false;
}

static void an_input_stays_in_its_range_when_it_changes(void **state) {
    (void)state;
    fixture t;
    assert_int_equal(examine(&t, COMPARATOR(""))->verdict, HBG_VERDICT_WITNESS);
    end(&t);
    assert_int_equal(examine(&t, COMPARATOR("range u in [0, 4];"))->verdict, HBG_VERDICT_PROVED);
    end(&t);
    assert_int_equal(examine(&t, COMPARATOR("assume u <= 4;"))->verdict, HBG_VERDICT_PROVED);
    end(&t);
    assert_int_equal(examine(&t, COMPARATOR("range u in [0, 5.5];"))->verdict, HBG_VERDICT_WITNESS);
    end(&t);
}

static void values_found_name_an_input_before_and_after_and_the_time(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(
        &t, "input real u = 0; C store(1); R load(1); 0 node; 1 j when a; node -> store;\n"
            "node -> j -> load;\n"
            "automaton a { off open -> closed when u > pre(u) && time > 3; on closed -> open when u > "
            "pre(u); }");
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    const hbg_finding *finding = &group->findings[0];
    assert_true(has_value(finding, "u") && has_value(finding, "u before") && has_value(finding, "time"));
    end(&t);
}

/* Two voltage sources on one node: both contacts closed is a mode that can only be passed through. */
#define CONTACTS(start, first, second)                                                                       \
    "input bool a = true; Se s1(12); Se s2(14); R load(6); 0 n; 1 j1 when k1; 1 j2 when k2;\n"               \
    "s1 -> j1 -> n; s2 -> j2 -> n; n -> load;\n"                                                             \
    "automaton k1 { start " start "; on c -> o when !(" first "); off o -> c when " first "; }\n"            \
    "automaton k2 { off o -> c when " second "; on c -> o when !(" second "); }\n"

static void contacts_of_one_input_are_examined_together(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, CONTACTS("c", "a", "!a"));
    assert_int_equal(group->of.automaton_count, 2);
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED); // one opens as the other closes
    assert_int_equal(t.result.causality.verdict, HBG_VERDICT_PROVED);
    end(&t);
    group = examine(&t, CONTACTS("o", "a", "a")); // each of them is harmless while the other is at its start
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].kind, HBG_FINDING_SHORT_CIRCUIT);
    assert_int_equal(group->findings[0].reachable, HBG_VERDICT_WITNESS);
    end(&t);
}

/* What may be anything in between is a flaw only where a value of it is known. */
static void a_remainder_is_known_below_its_divisor(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, RELAY("time % 2 > 1", "time % 2 <= 1"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
    group = examine(&t, RELAY("time % 2 > 1", "time % 2 <= 1.5"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    end(&t);
    group = examine(&t, RELAY("time % 2 > 3", "time % 2 > 3")); // it is never
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* ---- what is judged on other values ------------------------------------------------------------------------- */

/* 1 N·s towards a body at rest, rebound 0.5: in contact the pulse would be 0.75 N·s, without the rebound 0.5 N·s. It comes to
 * none here: the charge is too small for that. */
#define REBOUND(read, on, off)                                                                               \
    "1 a; 1 b; I m1(1); I m2(1); 0 c when t restitution 0.5; a -> m1; b -> m2; a -> c -> b;\n"               \
    "C store(1); R load(1); 0 node; 1 j when s; node -> store; node -> j -> load;\n"                         \
    "automaton t { off free -> hit when store.q > 5 && a.f > b.f; on hit -> free when a.f < b.f; }\n"        \
    "automaton s { off open -> shut when " read " > " on "; on shut -> open when " read " < " off            \
    "; }\nverify { range m1.p in [1, 1]; range m2.p in [0, 0]; range store.q in [0, 1]; }\n"

static void a_state_asked_for_throws_back_when_it_is_entered(void **state) {
    (void)state;
    fixture t;
    assert_int_equal(examine(&t, REBOUND("impulse(in(t.hit, c.e))", "0.7", "0.8"))->verdict,
                     HBG_VERDICT_WITNESS);
    end(&t);
    assert_int_equal(examine(&t, REBOUND("impulse(in(t.hit, c.e))", "0.76", "0.9"))->verdict,
                     HBG_VERDICT_PROVED);
    end(&t);
}

/* A collision is judged on the values before and on its pulses, also where it is only asked for: the body at rest is at rest there. */
static void a_state_asked_for_has_the_values_before_its_collision(void **state) {
    (void)state;
    fixture t;
    assert_int_equal(examine(&t, REBOUND("in(t.hit, b.f)", "-0.1", "0.1"))->verdict, HBG_VERDICT_WITNESS);
    end(&t);
    assert_int_equal(examine(&t, REBOUND("in(t.hit, b.f)", "0.1", "0.2"))->verdict, HBG_VERDICT_PROVED);
    end(&t);
    assert_int_equal(examine(&t, REBOUND("in(t.hit, b.f)", "0.7", "0.8"))->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* A body of 1 kg hits one that a lock holds up to a pulse of 3 N·s. Locked, the pulse is 1.5·p, so that it breaks above p = 2 N·s; here it
 * catches again at once, and the search comes back. A lock that did not feel the collision would hold. */
static void a_lock_feels_a_collision(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(
        &t, "1 a; 1 b; I m1(1); I m2(1); 0 c when t restitution 0.5; a -> m1; b -> m2; a -> c -> b;\n"
            "0 g; 1 s when k; R r(1); b -> g; g -> s -> r;\n"
            "automaton t { off free -> hit when a.f > b.f; on hit -> free when a.f < b.f; }\n"
            "automaton k { off locked -> loose when abs(impulse(g.e)) > 3; on loose -> locked when t.hit; }\n"
            "verify { range m1.p in [0, 4]; range m2.p in [0, 0]; }\n");
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
    assert_string_equal(group->findings[0].region[0], "m1.p > 2");
    end(&t);
}

/* The valve has no value for a pressure below 0; where nobody asks for it that is no matter. */
static void a_value_elsewhere_counts_where_a_guard_asks_for_it(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, "C c(1); 0 n; n -> c; R r : f = sqrt(e); 1 j when k; n -> j -> r; C d(1); 0 m; m -> d;\n"
                    "R s(1); 1 l when a; m -> l -> s; input bool go = false;\n"
                    "automaton k { off o -> x when go && c.q > 0; on x -> o when !go; }\n"
                    "automaton a { off o -> x when c.q < -1 || c.q > 0 && in(k.x, j.f > 3) && !k.x;\n"
                    "              on x -> o when c.q < -1; }\nverify { assume c.q >= 0 || k.o; }\n");
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].kind, HBG_FINDING_CYCLE);
    end(&t);
}

/* In the valve's own state a guard does ask for it: what is below 0 is left out, and that is said. */
static void a_value_that_is_asked_for_and_is_not_there_is_told(void **state) {
    (void)state;
    fixture t;
#define VALVE(off)                                                                                           \
    "C c(1); 0 n; n -> c; R r : f = sqrt(e); 1 j when k; n -> j -> r;\n"                                     \
    "automaton k { off o -> x when c.q > 1; on x -> o when " off "; }\n"
    const hbg_group_result *group = examine(&t, VALVE("c.q < 0.5"));
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    assert_int_equal(group->undefined_count, 0);
    end(&t);
    group = examine(&t, VALVE("j.f < 0.5"));
    assert_int_equal(group->verdict, HBG_VERDICT_UNDECIDED);
    assert_int_equal(group->undefined_count, 1);
    assert_string_equal(group->undefined[0], "a root of what may be negative");
    end(&t);
    group = examine(&t, VALVE("j.f < 0.5") "verify { assume c.q >= 0; }");
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* It is over when pre is renewed behind the first pass. */
static void an_event_is_true_once(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(
        &t, "input event kick; C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"
            "automaton a { off open -> closed when kick;\n"
            "              on closed -> open when pre(store.q) >= 0 || pre(store.q) < 0; }\n");
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* Two capacitors that are joined all the time share their charge. Shorted, they would be empty; that is read, and the short is
 * opened again: they keep what they have, if time has flowed while they were joined, and what was read never was. */
static void what_is_joined_keeps_its_energy_where_time_has_flowed(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, "C c1(1); C c2(1); 0 n1 when s; 0 n2; 1 j; n1 -> c1; n1 -> j -> n2; n2 -> c2;\n"
                    "input bool go = false; automaton s { on up -> down when go;\n"
                    "    off down -> again when c1.q < 1; on again; }\nverify { range c1.q in [2, 3]; }\n");
    bool found = false;
    for (int32_t i = 0; i < group->finding_count; i++)
        found |= group->findings[i].kind == HBG_FINDING_FORBIDDEN;
    assert_true(found);
    end(&t);
}

/* One second is over before two are: the first transition in the text is not the first one taken. */
static void waits_of_one_state_end_one_after_the_other(void **state) {
    (void)state;
    fixture t;
#define WAITS(first, second)                                                                                 \
    "C store(1); R load(1); 0 node; 1 j when a; node -> store; node -> j -> load;\n"                         \
    "automaton a { off open { -> late after " first "; -> early after " second "; } on late;\n"              \
    "              on early -> open when store.q > 0; }\n"
    assert_int_equal(examine(&t, WAITS("2", "1"))->verdict, HBG_VERDICT_WITNESS);
    end(&t);
    const hbg_group_result *group = examine(&t, WAITS("1", "2")); // the one that is over first wins then, too
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED);
    end(&t);
}

/* ---- energy, and energies that change again ------------------------------------------------------------------- */

#define COLLISION(coefficient)                                                                               \
    "1 a; 1 b; I m1(1); I m2(3); 0 c when t restitution " coefficient "; a -> m1; b -> m2; a -> c -> b;\n"   \
    "automaton t { off free -> hit when a.f > b.f; on hit -> free when a.f < b.f; }\n"

/* A rebound of 1 gives back all there was, of more creates energy, however little. */
static void energy_is_exact(void **state) {
    (void)state;
    fixture t;
    assert_int_equal(examine(&t, COLLISION("1"))->verdict, HBG_VERDICT_PROVED);
    end(&t);
    const hbg_group_result *group = examine(&t, COLLISION("1.000000000001"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    assert_int_equal(group->findings[0].kind, HBG_FINDING_ENERGY);
    end(&t);
}

/* Closed, the first contact shares the charge of two capacitors; only when that has become real, pre tells of it and the second
 * contact follows at the same instant. Of what it joins the charges change again, unless they are equal by then. */
#define CONTACT_AFTER_CONTACT(second)                                                                        \
    "C c1(1); C c2(1); C c3(1); 0 n1; 0 n2; 0 n3; n1 -> c1; n2 -> c2; n3 -> c3; input bool go = false;\n"    \
    "1 j when a; n1 -> j -> n2; 1 k when " second "; n2 -> k -> n3;\n"                                       \
    "automaton a { off open -> first when go && c1.q > 2; on first -> both when pre(c1.q) < 1.5; on both; "  \
    "}\n"                                                                                                    \
    "automaton b { off never; on ever; }\n"                                                                  \
    "verify { range c1.q in [2.5, 2.5]; range c2.q in [0, 0]; }\n"

static const hbg_finding *temporal_of(const hbg_group_result *group) {
    for (int32_t i = 0; i < group->finding_count; i++)
        if (group->findings[i].kind == HBG_FINDING_TEMPORAL) return &group->findings[i];
    return NULL;
}

static void a_mode_that_persists_may_change_the_energies_again(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group = examine(&t, CONTACT_AFTER_CONTACT("a.both"));
    const hbg_finding *finding = temporal_of(group);
    assert_non_null(finding);
    assert_int_equal(group->verdict, HBG_VERDICT_PROVED); // it is told, but time diverges
    double x[3] = {2.5, 0, 0}, signals[8] = {1};
    hbg_point point = {.states = x, .signals = signals};
    const int32_t open[2] = {0};
    bool found = false, of_equal = false;
    for (int i = 0; i < 2; i++) {
        x[2] = i ? 1.25 : 0; // 1.25 is what the first two come to
        for (int32_t k = 0; k < finding->where_count; k++) {
            if (finding->where[k].start[0] != open[0]) continue;
            bool holds = hbg_verify_condition_holds(finding->where[k].where, &point);
            found |= i == 0 && holds;
            of_equal |= i == 1 && holds;
        }
    }
    assert_true(found && !of_equal);
    end(&t);
    assert_null(temporal_of(examine(&t, CONTACT_AFTER_CONTACT("b.ever")))); // the last mode joins nothing
    end(&t);
}

static const hbg_witness_value *value_of(const hbg_group_result *group, const char *name) {
    for (int32_t i = 0; i < group->findings[0].value_count; i++)
        if (strcmp(group->findings[0].values[i].name, name) == 0) return &group->findings[0].values[i];
    return NULL;
}

/* An angle that turns with time is told by the instant it is met at: in seconds, and not before a run begins. */
static void an_example_tells_time_in_seconds_and_inputs_in_their_units(void **state) {
    (void)state;
    fixture t;
    const hbg_group_result *group =
        examine(&t, RELAY("store.q > sin(4*pi*time)", "store.q < cos(4*pi*time)"));
    assert_int_equal(group->verdict, HBG_VERDICT_WITNESS);
    const hbg_witness_value *time = value_of(group, "time"), *charge = value_of(group, "store.q");
    assert_non_null(time);
    assert_string_equal(time->unit, "s");
    assert_true(time->value >= 0 && time->value <= 0.5); // one turn
    assert_true(charge->value > sin(4 * M_PI * time->value) && charge->value < cos(4 * M_PI * time->value));
    end(&t);
    group = examine(&t, "input limit [V] = 1 [V];\n" RELAY("node.e > limit", "node.e < 2*limit"));
    assert_string_equal(value_of(group, "limit")->unit, "V");
    end(&t);
}

/* An answer that nothing has set, as when the prover cannot even begin, knows nothing. */
static void nothing_known_is_the_zero_of_every_answer(void **state) {
    (void)state;
    hbg_group_result group = {0};
    hbg_verify_result question = {0};
    hbg_consistency_result result = {0};
    hbg_finding finding = {0};
    assert_int_equal(group.verdict, HBG_VERDICT_UNDECIDED);
    assert_int_equal(group.real_mode, HBG_VERDICT_UNDECIDED);
    assert_int_equal(group.overlap, HBG_VERDICT_UNDECIDED);
    assert_int_equal(question.verdict, HBG_VERDICT_UNDECIDED);
    assert_int_equal(result.verdict, HBG_VERDICT_UNDECIDED);
    assert_int_equal(finding.reachable, HBG_VERDICT_UNDECIDED);
}

/* What the prover says with so many megabytes more than it has to begin with: the truth, or that it does not know. */
static bool is_decided_within(int megabytes, const char *declarations, hbg_verdict truth) {
    fixture t;
    char limit[32];
    begin(&t, declarations);
    snprintf(limit, sizeof limit, "%d", (int)(Z3_get_estimated_alloc_size() >> 20) + megabytes);
    Z3_global_param_set("memory_max_size", limit);
    const hbg_group_result *group = ask_first(&t);
    Z3_global_param_set("memory_max_size", "0");
    bool decided = group->verdict != HBG_VERDICT_UNDECIDED;
    if (decided) {
        assert_int_equal(group->verdict, truth);
        assert_int_equal(group->real_mode, truth);
    } else {
        assert_int_equal(group->real_mode, HBG_VERDICT_UNDECIDED);
        assert_int_equal(group->overlap, HBG_VERDICT_UNDECIDED);
        assert_int_equal(group->finding_count, 0);
        assert_non_null(strstr(group->reason, "memory"));
    }
    end(&t);
    return decided;
}

/* The prover loses what it had begun to make when its memory ends: that is not ours to free. */
#if defined(__SANITIZE_ADDRESS__)
void __lsan_disable(void);
void __lsan_enable(void);
#else
#define __lsan_disable() ((void)0)
#define __lsan_enable()  ((void)0)
#endif

/* With less memory than it needs the prover proves nothing and refutes nothing; with enough it does. */
static void without_memory_nothing_is_proved(void **state) {
    (void)state;
    int undecided = 0;
    bool last = false;
    __lsan_disable();
    for (int megabytes = 15; megabytes < 24; megabytes++) {
        last = is_decided_within(megabytes, RELAY("store.q > 2", "store.q < 1"), HBG_VERDICT_PROVED);
        last &= is_decided_within(megabytes, RELAY("store.q > 1", "store.q < 2"), HBG_VERDICT_WITNESS);
        undecided += !last;
    }
    __lsan_enable();
    assert_true(undecided > 0 && last);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_is_the_zero_of_every_answer),
        cmocka_unit_test(without_memory_nothing_is_proved),
        cmocka_unit_test(hysteresis_is_consistent_and_overlap_is_not),
        cmocka_unit_test(the_region_holds_for_the_numbers_in_it),
        cmocka_unit_test(a_nonlinear_loop_is_told_in_energies),
        cmocka_unit_test(a_pulse_counts_more_than_any_drop),
        cmocka_unit_test(a_parameter_with_a_range_is_every_value_in_it),
        cmocka_unit_test(what_cannot_influence_one_another_is_apart),
        cmocka_unit_test(sine_and_cosine_of_an_angle_belong_together),
        cmocka_unit_test(multiples_of_an_angle_are_known_by_the_angle),
        cmocka_unit_test(what_is_only_enclosed_is_not_decided_and_named),
        cmocka_unit_test(a_repair_holds_when_it_is_written_down),
        cmocka_unit_test(the_first_of_two_enabled_transitions_wins),
        cmocka_unit_test(an_event_may_lead_back_where_it_came_from),
        cmocka_unit_test(a_range_of_an_angle_bounds_its_sine),
        cmocka_unit_test(an_angle_that_is_read_itself_is_looked_at_where_its_sine_is_known),
        cmocka_unit_test(an_input_stays_in_its_range_when_it_changes),
        cmocka_unit_test(values_found_name_an_input_before_and_after_and_the_time),
        cmocka_unit_test(contacts_of_one_input_are_examined_together),
        cmocka_unit_test(a_remainder_is_known_below_its_divisor),
        cmocka_unit_test(a_state_asked_for_throws_back_when_it_is_entered),
        cmocka_unit_test(a_state_asked_for_has_the_values_before_its_collision),
        cmocka_unit_test(a_lock_feels_a_collision),
        cmocka_unit_test(a_value_elsewhere_counts_where_a_guard_asks_for_it),
        cmocka_unit_test(a_value_that_is_asked_for_and_is_not_there_is_told),
        cmocka_unit_test(an_event_is_true_once),
        cmocka_unit_test(what_is_joined_keeps_its_energy_where_time_has_flowed),
        cmocka_unit_test(waits_of_one_state_end_one_after_the_other),
        cmocka_unit_test(energy_is_exact),
        cmocka_unit_test(a_mode_that_persists_may_change_the_energies_again),
        cmocka_unit_test(an_example_tells_time_in_seconds_and_inputs_in_their_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
