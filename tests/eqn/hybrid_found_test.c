/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What random hybrid graphs have brought to light, each as the smallest model that shows it, with the answer derived by hand. */
#include "hybrid_trial_impl.h"

typedef struct {
    hbg_rt_status status;
    hbg_rt_verdict verdict;
    int states[HYBRID_AUTOMATA]; /* of the automata in order of their names, in the last mode committed */
    int automata, commits;
    double t; /* of the last commit */
    char failure[sizeof((hbg_sim_result *)0)->failure];
} found;

static void found_event(void *context, const hbg_sim_event *event) {
    found *run = context;
    for (int32_t i = 0; i < event->visit_count; i++) {
        if (event->visits[i].kind == HBG_RT_MYTHICAL) continue;
        for (int k = 0; k < run->automata; k++) run->states[k] = event->visits[i].states[k];
        run->commits++;
        run->t = event->t;
    }
}

static bool found_row(void *context, double t, const double *outputs) {
    (void)context, (void)t, (void)outputs;
    return true;
}

/* Runs for 2 s; at 1 s the inputs named get the values given, in pairs up to NULL. */
static found run_found(const char *text, ...) {
    static hybrid_model m;
    found run = {.automata = 0};
    hbg_sim_action actions[4];
    hbg_sim_options options = hbg_sim_options_default();
    va_list arguments;
    model_open(&m, text);
    run.automata = m.system->automaton_count;
    va_start(arguments, text);
    for (const char *name; (name = va_arg(arguments, const char *)) != NULL; options.action_count++)
        actions[options.action_count] = (hbg_sim_action){
            1, find_name(m.system->inputs, m.system->input_count, name), va_arg(arguments, double)};
    va_end(arguments);
    options.actions = actions;
    options.stop = 2;
    options.rtol = 1e-8;
    options.event = found_event;
    options.row = found_row;
    options.context = &run;
    run.status = hbg_sim_run(&m.arena, m.system, m.run, &options, &m.result);
    run.verdict = m.result.verdict;
    snprintf(run.failure, sizeof run.failure, "%s", m.result.failure);
    model_close(&m);
    return run;
}

#define EXPERIMENT "experiment e { stop 2; record c.q; } }"
#define SOURCE                                                                                               \
    "input real u = 1; input event kick; Se s(u); R r(1); C c(1, q = 0); 1 j; s -> j; j -> r; j -> c;"

/* pre is the left limit when the instant began (semantics, section 5): 1 V, and less than 1 A, until the source jumped to 5 V. */
static void pre_is_what_was_before_inputs_changed(void **state) {
    (void)state;
    found run = run_found(
        "model M { " SOURCE
        "automaton a { off low -> high when pre(s.e) < 2 && kick; on high -> low when false; }"
        "automaton b { off low -> high when pre(r.f) < 2 && kick; on high -> low when false; }" EXPERIMENT,
        "u", 5.0, "kick", 1.0, NULL);
    assert_int_equal(run.status, HBG_RT_OK);
    assert_int_equal(run.commits, 1);
    assert_int_equal(run.states[0], 1);
    assert_int_equal(run.states[1], 1);
}

/* And when time flows on it is 5 V: the guard holds from that instant on, and is not passed over. */
static void a_guard_on_pre_is_not_passed_over_when_an_input_jumps(void **state) {
    (void)state;
    found run =
        run_found("model M { " SOURCE
                  "automaton a { off low -> high when pre(s.e) > 2; on high -> low when false; }" EXPERIMENT,
                  "u", 5.0, "kick", 1.0, NULL);
    assert_int_equal(run.status, HBG_RT_OK);
    assert_int_equal(run.commits, 1);
    assert_true(run.t >= 1 && run.t < 1 + 1e-9);
}

/* The way back is taken if its guard holds with all in-band relations as not enabling (semantics, section 5). `b.low` is no
 * relation between values and holds: a comes back to a state it has been in. */
static void the_state_of_an_automaton_has_no_band(void **state) {
    (void)state;
    found run = run_found("model M { R r(1); C c(1, q = 1); 0 n; n -> r; n -> c;"
                          "automaton a { off low -> high when time > 0.5; on high -> low when b.low; }"
                          "automaton b { off low -> high when false; on high -> low when false; }" EXPERIMENT,
                          NULL);
    assert_int_equal(run.status, HBG_RT_VERDICT);
    assert_int_equal(run.verdict, HBG_RT_DIVERGENCE);
}

#define COLLISION(more)                                                                                      \
    "model M { I m1(1, f = 1); I m2(1, f = 0); 1 v1; 1 v2; v1 -> m1; v2 -> m2; C c(1, q = 0); R r(1); 0 n; " \
    "n -> c; n -> r;"                                                                                        \
    "0 k when touch restitution " more " v1 -> k -> v2; input event kick;"                                   \
    "automaton touch { off apart -> hit when v1.f > v2.f && kick; on hit -> apart when v1.f < v2.f - 2; }"   \
    "automaton witness { off no -> yes when v1.f < v2.f; on yes -> no when false; }" EXPERIMENT

/* A restitution mode exists at a point, and one still on in the next mode committed is a lost pinnacle (semantics, section 4).
 * Velocities 1 and 0 are exchanged; the witness moves, which is a commit; the contact stays. */
static void a_contact_that_bounced_and_is_kept_by_another_commit_is_lost(void **state) {
    (void)state;
    found run = run_found(COLLISION("1;"), "kick", 1.0, NULL);
    assert_int_equal(run.status, HBG_RT_VERDICT);
    assert_int_equal(run.verdict, HBG_RT_LOST_PINNACLE);
    assert_int_equal(run.commits, 2);
}

/* Without restitution it is no point: nothing is left of the approach, and the bodies may stay together. */
static void a_contact_without_restitution_may_stay(void **state) {
    (void)state;
    found run = run_found(COLLISION("0;"), "kick", 1.0, NULL);
    assert_int_equal(run.status, HBG_RT_OK);
    assert_int_equal(run.commits, 1);
    assert_int_equal(run.states[0], 1);
}

/* Two nodes are joined at the moment their efforts are equal: all areas are 0 but for rounding, and Newton has to see that. */
static void a_jump_of_nothing_is_found_where_a_storage_is_not_linear(void **state) {
    (void)state;
    found run =
        run_found("model M { 0 n0; 0 n1; GY n2(0.625); C n3(q = -0.25) : e = 2.875*q + 0.625*q^3;"
                  "R n4(2.25); R n5(1.25); C n6(1.5, q = -2.5); C n7(2.75, q = -2.25); 1 n8 when a0;"
                  "n0 -> n2 -> n1; n0 -> n3; n1 -> n4; n1 -> n5; n0 -> n6; n1 -> n7; n0 -> n8 -> n1;"
                  "automaton a0 { off s0 -> s1 when n0.e - n1.e > 0; on s1 -> s0 when n0.e - n1.e < 0; }"
                  "experiment e { stop 1.5; record n3.q, n3.e; } }",
                  NULL);
    if (run.status != HBG_RT_OK) fail_msg("%s", run.failure);
    assert_true(run.commits > 0);
}

/* Two capacitors always at one node, 3 C on 2 F and none on 1 F: 1 C flows over at the start, a pulse, which is more than 100 A
 * (semantics, section 2). The guard belongs to an automaton that has nothing to do with them. */
static void a_guard_sees_a_pulse_between_storages_that_always_depend(void **state) {
    (void)state;
    found run = run_found(
        "model M { C c(2, q = 3); C d(1, q = 0); 0 n; n -> c; n -> d; C e(1, q = 1); R r(1); 0 k; k -> e;"
        "1 j when a; k -> j -> r;"
        "automaton a { on s0 -> s1 when d.f > 100; off s1 -> s0 when false; }" EXPERIMENT,
        NULL);
    assert_int_equal(run.status, HBG_RT_OK);
    assert_int_equal(run.commits, 1);
    assert_int_equal(run.states[0], 1);
    assert_true(run.t == 0);
}

/* Bodies collide at the very instant at which a switch opens elsewhere: the coil there finds its diode as if it were alone. Judged on
 * what was before, as the collision is, the pulse that turns the diode on would not be seen. */
static void a_collision_elsewhere_hides_no_pulse(void **state) {
    (void)state;
    found run = run_found(
        "model M { I m1(1, f = 1); I m2(1, f = 0); 1 v1; 1 v2; v1 -> m1; v2 -> m2;"
        "0 k when touch restitution 1; v1 -> k -> v2; input event kick;"
        "automaton touch { off apart -> hit when v1.f > v2.f && kick; on hit -> apart when v1.f < v2.f; }"
        "I coil(1, p = 9); Se wire(0); Se drop(-0.6); 0 node; 1 j_sw when lever; 1 j_d when diode;"
        "wire -> j_sw -> node -> coil; drop -> j_d -> node;"
        "automaton lever { on closed -> open when kick; off open -> closed when false; }"
        "automaton diode { off no -> yes when node.e <= -0.6; on yes -> no when j_d.f < 0; }"
        "experiment e { stop 2; record coil.p; } }",
        "kick", 1.0, NULL);
    assert_int_equal(run.status, HBG_RT_OK);
    assert_int_equal(run.commits, 2);
    assert_int_equal(run.states[0], 1); // diode
    assert_int_equal(run.states[2], 0); // touch
}

/* A ball that comes to rest after infinitely many bounces, at 0.1*9 s; something else switches all the while. */
static void bounces_accumulate_whatever_else_switches(void **state) {
    (void)state;
    found run = run_found(
        "model M { I m(1); 1 v; Se g(-10); Sf floor(0); 0 k when touch restitution 0.8; g -> v -> m;"
        "floor -> k -> v; state x = 0.05 : der = v.f; automaton touch { off fly -> hit when x <= 0 && m.p < "
        "0;"
        "on hit -> fly when m.p > 0; }"
        "automaton other { off no -> yes when sin(50*time) > 0.5; off yes -> no when sin(50*time) < -0.5; }"
        "experiment e { stop 2; record m.p; } }",
        NULL);
    assert_int_equal(run.status, HBG_RT_VERDICT);
    assert_int_equal(run.verdict, HBG_RT_ZENO);
    assert_true(run.t > 0.89 && run.t < 0.9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pre_is_what_was_before_inputs_changed),
        cmocka_unit_test(a_guard_on_pre_is_not_passed_over_when_an_input_jumps),
        cmocka_unit_test(the_state_of_an_automaton_has_no_band),
        cmocka_unit_test(a_contact_that_bounced_and_is_kept_by_another_commit_is_lost),
        cmocka_unit_test(a_contact_without_restitution_may_stay),
        cmocka_unit_test(a_jump_of_nothing_is_found_where_a_storage_is_not_linear),
        cmocka_unit_test(a_guard_sees_a_pulse_between_storages_that_always_depend),
        cmocka_unit_test(a_collision_elsewhere_hides_no_pulse),
        cmocka_unit_test(bounces_accumulate_whatever_else_switches),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
