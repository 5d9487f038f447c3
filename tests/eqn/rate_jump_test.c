/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * der(y) where y jumps: its pulse has the area of what y jumps by (semantics, section 2), whatever y is and whyever it jumps.
 * Every number is derived by hand: an integrator of der(y) stays at y, a guard on it compares areas first. */
#include "hybrid_trial_impl.h"

enum { RATE_STATES = 16 };

typedef struct {
    hbg_rt_status status;
    const char *name[RATE_STATES];
    double state[RATE_STATES];
    int state_count;
    int32_t states[HYBRID_AUTOMATA]; /* of automata, at the end */
    char failure[sizeof((hbg_sim_result *)0)->failure];
    hybrid_model m;
} rate_run;

static bool rate_row(void *context, double t, const double *outputs) {
    (void)context, (void)t, (void)outputs;
    return true;
}

static void rate_event(void *context, const hbg_sim_event *event) {
    rate_run *run = context;
    for (int32_t i = 0; i < event->visit_count; i++)
        for (int k = 0; k < run->m.system->automaton_count; k++) run->states[k] = event->visits[i].states[k];
}

/* 2 s; at 1 s the input named gets its value, unless it is NULL. */
static void run_rates(rate_run *run, const char *text, const char *input, double value, bool fixed) {
    hbg_sim_action action = {1, 0, value};
    hbg_sim_options options = hbg_sim_options_default();
    memset(run, 0, sizeof *run);
    model_open(&run->m, text);
    if (input) {
        action.input = find_name(run->m.system->inputs, run->m.system->input_count, input);
        options.actions = &action;
        options.action_count = 1;
    }
    options.stop = 2;
    options.rtol = 1e-10;
    options.row = rate_row;
    options.event = rate_event;
    options.context = run;
    if (fixed) {
        options.solver = HBG_SIM_RK4;
        options.step = 1.0 / 64;
    }
    run->status = hbg_sim_run(&run->m.arena, run->m.system, run->m.run, &options, &run->m.result);
    snprintf(run->failure, sizeof run->failure, "%s", run->m.result.failure);
    run->state_count = run->m.system->state_count;
    assert_true(run->state_count <= RATE_STATES);
}

static double at_end(const rate_run *run, const char *name) {
    for (int32_t i = 0; i < run->m.system->state_count; i++)
        if (strcmp(run->m.system->states[i].name, name) == 0) return run->m.result.state[i];
    fail_msg("no state %s", name);
    return NAN;
}

static int state_at_end(const rate_run *run, const char *name) {
    for (int32_t i = 0; i < run->m.system->automaton_count; i++)
        if (strcmp(run->m.system->automata[i].name, name) == 0) return run->states[i];
    fail_msg("no automaton %s", name);
    return -1;
}

#define assert_ends(run, name, expected)                                                                     \
    do {                                                                                                     \
        double found_ = at_end(run, name), expected_ = (expected);                                           \
        if (fabs(found_ - expected_) > 1e-9 * fmax(1, fabs(expected_)))                                      \
            fail_msg("%s ends at %.15g, not %.15g", name, found_, expected_);                                \
    } while (0)
#define assert_ok(run)                                                                                       \
    do {                                                                                                     \
        if ((run)->status != HBG_RT_OK) fail_msg("%s", (run)->failure);                                      \
    } while (0)

/* 4 C on 1 F joined to an empty 3 F: 1 V on both, so that the voltage of the first jumps by −3 V and 3 C flow. */
#define JOINED                                                                                               \
    "input bool sw = false; C c1(1, q = 4); C c2(3); 0 n1; 0 n2; 1 j when k; n1 -> c1; n1 -> j -> n2 -> c2;" \
    "automaton k { off open -> closed when sw; on closed -> open when !sw; }"
#define END " experiment e { stop 2; record c1.q; } }"

static void integrators_of_rates_stay_at_what_they_follow(void **state) {
    (void)state;
    static rate_run run;
    for (int fixed = 0; fixed < 2; fixed++) {
        run_rates(&run,
                  "model M { " JOINED "signal slope = der(c1.e); signal level = k.closed ? 7 : 2;"
                  "state e = 4 : der = der(c1.e); state q = 4 : der = der(c1.q);"
                  "state twice = 8 : der = 2*slope; state square = 16 : der = der(c1.e^2);"
                  "state steps = 2 : der = der(level);" END,
                  "sw", 1, fixed);
        assert_ok(&run);
        assert_ends(&run, "c1.q", 1);
        assert_ends(&run, "e", 1);
        assert_ends(&run, "q", 1);
        assert_ends(&run, "twice", 2);
        assert_ends(&run, "square", 1);
        assert_ends(&run, "steps", 7);
        model_close(&run.m);
    }
}

/* The area of der(c1.e) is −3 V: below any number, and between −3.1 and −2.9 as `impulse`. No current flows once they are joined:
 * the finite part is 0. */
static void guards_on_rates_compare_areas_first(void **state) {
    (void)state;
    static rate_run run;
    run_rates(&run,
              "model M { " JOINED "automaton a { off no -> yes when der(c1.e) < -1000; on yes; }"
              "automaton b { off no -> yes when impulse(der(c1.e)) < -2.9 && impulse(der(c1.e)) > -3.1;"
              "on yes -> late when impulse(der(c1.e)) >= 0; off late; }"
              "automaton c { off no -> yes when finite(der(c1.e)) < -1e-6; on yes; }"
              "automaton d { off no -> yes when -der(c1.e) < 1000 && k.closed; on yes; }" END,
              "sw", 1, false);
    assert_ok(&run);
    assert_int_equal(state_at_end(&run, "a"), 1);
    assert_int_equal(state_at_end(&run, "b"), 2); // pulses are over behind the commit
    assert_int_equal(state_at_end(&run, "c"), 0);
    assert_int_equal(state_at_end(&run, "d"), 1); // once time flows the rate is 0
    model_close(&run.m);
}

/* With 2 Ω at the node, from 4 V: v = 4·exp(−1/2) V at 1 s, then v/4 with a time constant of 8 s. The finite part is v⁺' there, and its
 * integral leaves the jump out. */
static void finite_parts_of_rates_leave_the_jump_out(void **state) {
    (void)state;
    static rate_run run;
    double before = 4 * exp(-0.5), behind = before / 4, end = behind * exp(-1.0 / 8);
    run_rates(&run,
              "model M { " JOINED "R r(2); n1 -> r; state f = 4 : der = finite(der(c1.e));"
              "state e = 4 : der = der(c1.e);" END,
              "sw", 1, false);
    assert_ok(&run);
    assert_ends(&run, "e", end);
    assert_ends(&run, "f", before + (end - behind));
    model_close(&run.m);
}

/* An input jumps from 1 V to 5 V, and nothing switches. The charge stays, the current of the resistor follows the input. */
static void rates_of_inputs_pulse_where_these_jump(void **state) {
    (void)state;
    static rate_run run;
    double q = 2 + 8 * (1 - exp(-0.5)); // from 2 C on 2 F towards 10 C through 1 Ω
    run_rates(&run,
              "model M { input real u = 1; Se s(u); C c1(2, q = 2); R r(1); 1 j; s -> j; j -> r; j -> c1;"
              "state v = 1 : der = der(u); state e = 1 : der = der(c1.e); state i = 0 : der = der(r.f);" END,
              "u", 5, false);
    assert_ok(&run);
    assert_ends(&run, "c1.q", q);
    assert_ends(&run, "v", 5);
    assert_ends(&run, "e", q / 2);
    assert_ends(&run, "i", 5 - q / 2);
    model_close(&run.m);
}

/* A sample that takes the time every half second is a staircase, and so is the integral of its rate. */
static void rates_of_samples_pulse_at_every_tick(void **state) {
    (void)state;
    static rate_run run;
    run_rates(&run,
              "model M { C c1(1); R r(1); 0 n; n -> c1; n -> r; sample u every 0.5 = time;"
              "state v = 0 : der = der(u); state w = 0 : der = 3*der(u) + der(time);" END,
              NULL, 0, false);
    assert_ok(&run);
    assert_ends(&run, "v", 2);
    assert_ends(&run, "w", 8);
    model_close(&run.m);
}

/* 1 kg at 3 m/s hits 2 kg at rest, ε = 1/2: the common velocity is 1 m/s, and they part with −1/2 · 3 m/s: 0 and 1.5 m/s. An
 * accelerometer on the first sees −3 m/s. */
static void an_accelerometer_sees_the_blow(void **state) {
    (void)state;
    static rate_run run;
    run_rates(&run,
              "model M { I m1(1, f = 3); I m2(2); 1 v1; 1 v2; v1 -> m1; v2 -> m2; input event kick;"
              "0 k when touch restitution 0.5; v1 -> k -> v2; C c1(1); R r(1); 0 n; n -> c1; n -> r;"
              "automaton touch { off apart -> hit when kick; on hit -> apart when v1.f <= v2.f; }"
              "state seen = 3 : der = der(m1.f); state blow = 0 : der = impulse(der(m1.f));"
              "state push = 0 : der = m2.e - der(2*m2.f);" END,
              "kick", 1, false);
    assert_ok(&run);
    assert_ends(&run, "m1.p", 0);
    assert_ends(&run, "m2.p", 3);
    assert_ends(&run, "seen", 0);
    assert_ends(&run, "blow", 0); // an area is a finite number at a point: it leaves nothing behind
    assert_ends(&run, "push", 0);
    model_close(&run.m);
}

/* At the start energies jump from what was declared, all else is what it is behind that jump (semantics, section 6). */
static void at_the_start_only_energies_have_jumped(void **state) {
    (void)state;
    static rate_run run;
    run_rates(&run,
              "model M { C c1(1, q = 4); C c2(3); 0 n; n -> c1; n -> c2; state q = 4 : der = der(c1.q);"
              "state e = 0 : der = der(c1.e);"
              "automaton a { off no -> yes when impulse(der(c1.q)) < -2.9; on yes; }" END,
              NULL, 0, false);
    assert_ok(&run);
    assert_ends(&run, "q", 1);
    assert_ends(&run, "e", 0);
    assert_int_equal(state_at_end(&run, "a"), 1);
    model_close(&run.m);
}

/* Joined, the first would fall to a quarter of what it has: the guard is decided by that area while time flows too, as soon as there
 * is a charge at all. */
static void rates_in_another_state_have_the_jump_into_it(void **state) {
    (void)state;
    static rate_run run;
    run_rates(
        &run,
        "model M { Se s(1); R r(1); C c1(1); C c2(3); 0 n1; 0 n2; 1 i; s -> i; i -> r; i -> n1 -> c1;"
        "1 j when k; n1 -> j -> n2 -> c2;"
        "automaton k { off open -> closed when in(k.closed, impulse(der(c1.e))) < -0.3; on closed; }" END,
        NULL, 0, false);
    assert_ok(&run);
    // 3/4·(1 − exp(−t)) = 0.3 at t = ln(5/3), where 0.4 V become 0.1 V; then 4 s of time constant
    assert_ends(&run, "c1.q", 1 - 0.9 * exp(-(2 - log(5.0 / 3)) / 4));
    model_close(&run.m);
}

/* The rate of a pulse is none: 3 C have flown at once. */
static void the_rate_of_a_pulse_is_refused_where_there_is_one(void **state) {
    (void)state;
    static rate_run run;
    run_rates(&run, "model M { " JOINED "state d = 0 : der = der(c1.f);" END, "sw", 1, false);
    assert_int_equal(run.status, HBG_RT_UNDEFINED);
    assert_non_null(strstr(run.failure, "der(c1.f)"));
    model_close(&run.m);
    run_rates(&run, "model M { " JOINED "state d = 0 : der = der(der(c1.e));" END, "sw", 1, false);
    assert_int_equal(run.status, HBG_RT_UNDEFINED);
    assert_non_null(strstr(run.failure, "der(der(c1.e))"));
    model_close(&run.m);
    run_rates(&run, "model M { " JOINED "state d = 0 : der = der(c1.f) + der(der(c1.e));" END, "sw", 0,
              false);
    assert_ok(&run);
    assert_ends(&run, "d", 0);
    model_close(&run.m);
}

/* The blow of −3 m/s counts as 3 by abs, as the lesser and the greater of two, and as half of it; a square of it has no meaning. */
static void integrators_of_magnitudes_jump_by_areas_in_their_order(void **state) {
    (void)state;
    static rate_run run;
    run_rates(&run,
              "model M { " JOINED "state a = 0 : der = abs(c1.f); state b = 0 : der = 0.5*abs(der(c1.e)) + 1;"
              "state lesser = 0 : der = min(c1.f, c2.f); state greater = 0 : der = -max(2*c1.f, -c2.f)/2;"
              "state bounded = 0 : der = max(c1.f, 1);" END,
              "sw", 1, false);
    assert_ok(&run);
    assert_ends(&run, "a", 3);
    assert_ends(&run, "b", 1.5 + 2);
    assert_ends(&run, "lesser", -3);
    assert_ends(&run, "greater", 1.5); // areas −6 and −3: the greater is −3
    assert_ends(&run, "bounded", 2);   // a pulse of −3 is less than any number
    model_close(&run.m);
    run_rates(&run, "model M { " JOINED "state s = 0 : der = abs(c1.f)*c2.f;" END, "sw", 1, false);
    assert_int_equal(run.status, HBG_RT_UNDEFINED);
    model_close(&run.m);
}

/* A level that a branch takes from 2 to 5 (and, for a ramp, by 3 on the way) has a rate with the area of 3 there, whether the branch hangs
 * on time or on a state, and whether it holds at equality or not. The integral stays at the level. */
static void a_signal_that_a_branch_makes_jump_has_its_area(void **state) {
    static const char *const branches[] = {"time < 1", "time <= 1", "c.q < 1", "c.q <= 1", "!(time >= 1)"};
    static rate_run run;
    (void)state;
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "model M { state w = 0 : der = 1; signal u = %s ? 2 + w : 5 + w; state Q = 2 : der = der(u); "
            "C c(1); R r(1); "
            "1 j; Se s(u);"
            "s -> j -> c; j -> r; state before = 0 : der = pre(u) > 0 ? 0 : 1;"
            "automaton a { off l -> h when impulse(der(u)) > 2.9 && impulse(der(u)) < 3.1; on h; }"
            "output o = a.h; experiment e { stop 2; record c.q; } }",
            branches[i]);
        run_rates(&run, text, NULL, 0, false);
        assert_ok(&run);
        assert_ends(&run, "Q", 7);
        assert_int_equal(state_at_end(&run, "a"), 1);
        model_close(&run.m);
    }
}

/* A blow of 3 N·s on 2 kg that move with v goes from v to v + 1.5 m/s: work 3·(v + 0.75) J, all of which is in the mass. Turned round,
 * and as a blow of flow on a capacitor, the same. */
static void a_source_that_pulses_by_itself_does_its_work(void **state) {
    static rate_run run;
    static const char *const models[] = {"model M { input real u = 0; I m(2, p = 4); Se s(der(u)); 1 j; s -> "
                                         "j -> m; experiment e { stop 2; record m.p; } }",
                                         "model M { input real u = 0; I m(2, p = 4); Se s(-der(u)); 1 j; j "
                                         "-> s; j -> m; experiment e { stop 2; record m.p; } }",
                                         "model M { input real u = 0; C m(2, q = 4); Sf s(der(u)); 0 j; s -> "
                                         "j -> m; experiment e { stop 2; record m.q; } }"};
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        run_rates(&run, models[i], "u", 3, false);
        assert_ok(&run);
        double end = run.m.result.state[0], sign = end > 4 ? 1 : -1; // turned round it pushes the other way
        assert_true(fabs(end - (4 + sign * 3)) < 1e-9);
        assert_true(fabs(run.m.result.work[0] - (end * end - 16) / 4) < 1e-9);
        assert_true(fabs(run.m.result.lost_in_jumps) < 1e-9 && fabs(run.m.result.residual) < 1e-9);
        model_close(&run.m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrators_of_rates_stay_at_what_they_follow),
        cmocka_unit_test(guards_on_rates_compare_areas_first),
        cmocka_unit_test(finite_parts_of_rates_leave_the_jump_out),
        cmocka_unit_test(rates_of_inputs_pulse_where_these_jump),
        cmocka_unit_test(rates_of_samples_pulse_at_every_tick),
        cmocka_unit_test(an_accelerometer_sees_the_blow),
        cmocka_unit_test(at_the_start_only_energies_have_jumped),
        cmocka_unit_test(rates_in_another_state_have_the_jump_into_it),
        cmocka_unit_test(the_rate_of_a_pulse_is_refused_where_there_is_one),
        cmocka_unit_test(integrators_of_magnitudes_jump_by_areas_in_their_order),
        cmocka_unit_test(a_signal_that_a_branch_makes_jump_has_its_area),
        cmocka_unit_test(a_source_that_pulses_by_itself_does_its_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
