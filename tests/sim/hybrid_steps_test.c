/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One hybrid model, several ways to run it: solvers of variable step agree; fixed steps, which evaluate
 * guards once a step, converge to the same; and detailed models, with a stiff spring or a small resistance
 * instead of a collision or a switch, converge to the abstract ones as they get stiffer. */
#include "eqn/hybrid_trace_impl.h"
#include "support/soak.h"

/* ---- models by hand ----------------------------------------------------------------------------------- */

enum { CANNED_EVENTS = 64 };

typedef struct {
    double stop;
    hbg_rt_status status;
    double event[CANNED_EVENTS]; /* instants at which something was committed after the start */
    int events;
    double output[8]; /* at the end */
    int outputs;
    double lost, dissipated;
} canned;

static void canned_event(void *context, const hbg_sim_event *event) {
    canned *run = context;
    bool real = false;
    for (int32_t i = 0; i < event->visit_count; i++) real |= event->visits[i].kind != HBG_RT_MYTHICAL;
    if (real && event->t > 0 && run->events < CANNED_EVENTS) run->event[run->events++] = event->t;
}

static bool canned_row(void *context, double t, const double *outputs) {
    canned *run = context;
    (void)t;
    memcpy(run->output, outputs, (size_t)run->outputs * sizeof *outputs);
    return true;
}

/* The text has one `%s` for a number. */
static canned run_canned(const char *format, const char *number, double stop, hbg_sim_solver solver,
                         double step) {
    static hybrid_model m;
    char text[2000];
    canned run = {.stop = stop};
    hbg_sim_options options = hbg_sim_options_default();
    snprintf(text, sizeof text, format, number);
    model_open(&m, text);
    run.outputs = m.system->output_count;
    assert_true(run.outputs <= 8);
    options.solver = solver;
    options.step = step;
    options.rtol = step > 0 ? 0 : 1e-10;
    options.stop = stop;
    options.event = canned_event;
    options.row = canned_row;
    options.context = &run;
    run.status = hbg_sim_run(&m.arena, m.system, m.run, &options, &m.result);
    run.lost = m.result.lost_in_jumps;
    for (int32_t i = 0; i < m.system->power_count && run.status == HBG_RT_OK; i++)
        run.dissipated += m.system->powers[i].kind == HBG_RT_DISSIPATED ? m.result.work[i] : 0;
    if (run.status != HBG_RT_OK) print_error("%s\n", m.result.failure);
    model_close(&m);
    return run;
}

#define assert_within(found, expected, bound)                                                                \
    do {                                                                                                     \
        double found_ = (found), expected_ = (expected), bound_ = (bound);                                   \
        if (!(fabs(found_ - expected_) <= bound_))                                                           \
            fail_msg("%s is %.15g, not %.15g within %g", #found, found_, expected_, bound_);                 \
    } while (0)

/* A ball of 1 kg from 1 m, g = 10: it meets the ground after √(1/5) s with √20 m/s. */
#define BALL                                                                                                 \
    "model Ball { param k = %s; I m(1, p = 0); Se g(-10); 1 v; v -> m; g -> v; state y = 1 : der = m.f;"     \
    "Sf ground(0); 0 contact when touch restitution 1; v -> contact; ground -> contact;"                     \
    "automaton touch { off free -> hit when y <= 0 && m.f < 0; on hit -> free when m.f > 0; }"               \
    "experiment e { stop 1; record y, m.f; } }"
#define BALL_ON_SPRING                                                                                       \
    "model Ball { param k = %s; I m(1, p = 0); Se g(-10); C y(q = 1) : e = q < 0 ? k*q : 0; 1 v; v -> m; g " \
    "-> v;"                                                                                                  \
    "v -> y; experiment e { stop 1; record y.q, m.f; } }"

/* 2 kg with 3 m/s behind 1 kg with −1 m/s, 1 m between them: they meet after 1/4 s. */
#define PAIR(contact, automaton)                                                                             \
    "model Pair { param k = %s; I m1(2, f = 3); I m2(1, f = -1); 1 v1; 1 v2; v1 -> m1; v2 -> m2;"            \
    "state x1 = 0 : der = m1.f; state x2 = 1 : der = m2.f; " contact " v1 -> c -> v2; " automaton            \
    "experiment e { stop 1; record x1, x2, m1.f, m2.f; } }"
#define PAIR_BOUNCING                                                                                        \
    PAIR("0 c when touch restitution 1;",                                                                    \
         "automaton touch { off apart -> hit when x2 - x1 <= 0 && v1.f > v2.f;"                              \
         "on hit -> apart when v1.f < v2.f; }")
#define PAIR_ON_SPRING PAIR("0 c; C s(q = -1) : e = q > 0 ? k*q : 0; c -> s;", "")
#define PAIR_JOINED                                                                                          \
    PAIR("0 c when touch;",                                                                                  \
         "automaton touch { off apart -> joined when x2 - x1 <= 0; on joined -> apart when false; }")
#define PAIR_ON_DAMPER                                                                                       \
    PAIR("0 c when touch; R d(k); c -> d;",                                                                  \
         "automaton touch { off apart -> joined when x2 - x1 <= 0; on joined -> apart when false; }")

/* 3 C on 2 F, joined to 5 F after 1/2 s. */
#define CAPACITORS(between)                                                                                  \
    "model Charge { param k = %s; C a(2, q = 3); C b(5, q = 0); 0 na; 0 nb; 1 j when s; na -> a; nb -> b; "  \
    "na -> j -> nb;" between                                                                                 \
    "automaton s { off open -> shut when time >= 0.5; on shut -> open when false; }"                         \
    "experiment e { stop 1; record a.q, b.q; } }"

/* Current of a coil that a two-point controller keeps between 1 and 2: 10 V, 1 Ω, 1 H. */
#define CONTROLLER                                                                                           \
    "model Controller { param k = %s; I coil(1, p = 0); R r(1); Se s(10); 1 j; 1 on when sw; 0 n; on -> n; " \
    "n -> j; j -> coil; j -> r; s -> on;"                                                                    \
    "1 idle when !sw; Se zero(0); zero -> idle; idle -> n;"                                                  \
    "automaton sw { on up -> down when coil.f >= 2; off down -> up when coil.f <= 1; }"                      \
    "experiment e { stop 2; record coil.p; } }"

/* ---- fixed steps in the limit ------------------------------------------------------------------------- */

static void fixed_steps_find_an_event_within_a_step(void **state) {
    (void)state;
    double exact = sqrt(0.2);
    for (double h = 1.0 / 64; h > 1e-4; h /= 2) {
        canned run = run_canned(BALL, "1", 0.8, HBG_SIM_RK4, h);
        assert_int_equal(run.status, HBG_RT_OK);
        assert_true(run.events == 1);
        assert_true(run.event[0] >= exact - 1e-9 && run.event[0] <= exact + h * (1 + 1e-9));
        // late by d, it is faster by 10·d when it turns, and lower by 20^½·d: 2·√20·d too high at the end, up
        // to terms of d²
        double late = run.event[0] - exact, rest = 0.8 - exact;
        assert_within(run.output[1], sqrt(20) - 10 * rest + 20 * late, 1e-9);
        assert_within(run.output[0], sqrt(20) * rest - 5 * rest * rest, 40 * h);
    }
    canned run = run_canned(BALL, "1", 0.8, HBG_SIM_AUTO, 0);
    assert_within(run.event[0], exact, 1e-9);
    assert_within(run.output[1], sqrt(20) - 10 * (0.8 - exact), 1e-8);
}

static void fixed_steps_come_to_the_switching_of_variable_ones(void **state) {
    (void)state;
    canned exact = run_canned(CONTROLLER, "1", 2, HBG_SIM_AUTO, 0);
    assert_int_equal(exact.status, HBG_RT_OK);
    assert_true(exact.events >= 4);
    assert_within(exact.event[0], log(10.0 / 8), 1e-9);
    assert_within(exact.event[1], log(10.0 / 8) + log(2), 1e-9);
    assert_within(exact.event[2], log(10.0 / 8) + log(2) + log(9.0 / 8), 1e-9);
    for (double h = 1.0 / 256; h > 1e-4; h /= 2) {
        canned run = run_canned(CONTROLLER, "1", 2, HBG_SIM_RK4, h);
        assert_int_equal(run.events, exact.events);
        // each crossing is located late by at most a step, and the delay moves the next one by a few steps
        for (int i = 0; i < run.events; i++) assert_within(run.event[i], exact.event[i], 20 * h * (i + 1));
        assert_within(run.output[0], exact.output[0], 200 * h);
    }
}

/* ---- detailed models ---------------------------------------------------------------------------------- */

/* Each hundredfold stiffness brings the detailed model almost ten times closer: the difference is the half
 * period π·√(m/k). */
static void check_limit(const char *abstract, const char *detailed, int output, const char *const numbers[3],
                        double least, double most) {
    double expected = run_canned(abstract, "1", 0.75, HBG_SIM_AUTO, 0).output[output], error[3];
    for (int i = 0; i < 3; i++) {
        canned run = run_canned(detailed, numbers[i], 0.75, HBG_SIM_AUTO, 0);
        assert_int_equal(run.status, HBG_RT_OK);
        error[i] = fabs(run.output[output] - expected);
    }
    print_message("errors %g %g %g\n", error[0], error[1], error[2]);
    for (int i = 1; i < 3; i++)
        assert_true(error[i - 1] / error[i] > least && error[i - 1] / error[i] < most);
}

static const char *const stiffness[3] = {"1e4", "1e6", "1e8"};

static void a_ball_on_a_stiff_spring_comes_to_one_that_bounces_at_a_point(void **state) {
    (void)state;
    check_limit(BALL, BALL_ON_SPRING, 0, stiffness, 8, 13);
    check_limit(BALL, BALL_ON_SPRING, 1, stiffness, 8, 13);
}

static void bodies_with_a_stiff_spring_come_to_those_that_bounce(void **state) {
    (void)state;
    check_limit(PAIR_BOUNCING, PAIR_ON_SPRING, 0, stiffness, 8, 13);
    check_limit(PAIR_BOUNCING, PAIR_ON_SPRING, 1, stiffness, 8, 13);
    // momentum 5 and the energy stay: v1 = 1/3, v2 = 13/3
    assert_within(run_canned(PAIR_BOUNCING, "1", 0.75, HBG_SIM_AUTO, 0).output[2], 1.0 / 3, 1e-12);
    assert_within(run_canned(PAIR_ON_SPRING, "1e6", 0.75, HBG_SIM_AUTO, 0).output[2], 1.0 / 3, 1e-7);
}

static void bodies_with_a_strong_damper_come_to_those_that_are_joined(void **state) {
    (void)state;
    static const char *const dampers[3] = {"1e2", "1e3", "1e4"};
    // the time constant (2/3)/k times the velocity lost: first order in 1/k
    check_limit(PAIR_JOINED, PAIR_ON_DAMPER, 0, dampers, 9, 11);
    canned joined = run_canned(PAIR_JOINED, "1", 0.75, HBG_SIM_AUTO, 0),
           damped = run_canned(PAIR_ON_DAMPER, "1e3", 0.75, HBG_SIM_AUTO, 0);
    assert_within(joined.lost, 0.5 * 2 / 3 * 16, 1e-12); // ½·(m1·m2/(m1+m2))·Δv²
    assert_within(damped.dissipated, joined.lost, 1e-7);
}

static void capacitors_over_a_small_resistance_come_to_those_that_are_joined(void **state) {
    (void)state;
    canned joined = run_canned(CAPACITORS(""), "1", 1, HBG_SIM_AUTO, 0);
    assert_within(joined.output[0], 6.0 / 7, 1e-14);
    assert_within(joined.lost, 45.0 / 28, 1e-14); // q²·C₂/(2·C₁·(C₁+C₂))
    static const char *const small[3] = {"1e-2", "1e-4", "1e-6"};
    for (int i = 0; i < 3; i++) {
        canned run = run_canned(CAPACITORS("R r(k); j -> r;"), small[i], 1, HBG_SIM_AUTO, 0);
        assert_within(run.output[0], 6.0 / 7, 1e-9);
        assert_within(run.dissipated, joined.lost, 1e-7); // the loss does not depend on its mechanism
        assert_true(run.lost == 0);
    }
}

/* ---- random graphs ------------------------------------------------------------------------------------ */

static const hybrid_plan steps_plan = {
    .junctions = 4, .sources = 25, .cubes = 10, .fields = 15, .collisions = 20, .duals = 10};

static hbg_sim_options options_for(hbg_sim_solver solver, double step) {
    hbg_sim_options options = hbg_sim_options_default();
    options.solver = solver;
    options.step = step;
    options.rtol = step > 0 ? 0 : 1e-10;
    options.step_limit = 100000;
    return options;
}

static bool same_modes(const trace *a, const trace *b) {
    return a->changes == b->changes && a->status == b->status &&
           memcmp(a->mode, b->mode, (size_t)a->changes * sizeof *a->mode) == 0;
}

/* Largest differences of event times and, relative, of final states. */
static double difference(const hybrid *h, const trace *a, const trace *b) {
    double most = 0, size = 1;
    int states = net_state_count(&h->n);
    for (int i = 0; i < a->changes; i++) most = fmax(most, fabs(a->time[i] - b->time[i]));
    for (int i = 0; i < states; i++) size = fmax(size, fabs(a->final[i]));
    for (int i = 0; i < states; i++) most = fmax(most, fabs(a->final[i] - b->final[i]) / size);
    return most;
}

static void solvers_of_variable_step_agree(void **state) {
    (void)state;
    static hybrid h;
    trace runs[3];
    static const hbg_sim_solver solvers[] = {HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS};
    int graphs = many_trials(35, 100, 2000), changes = 0;
    for (int i = 0; i < 3; i++) trace_init(&runs[i]);
    for (int i = 0; i < graphs; i++) {
        test_random random = {(uint64_t)(970000 + i) * 1000003};
        random_hybrid(&h, &random, &steps_plan);
        for (int s = 0; s < 3; s++)
            run_with(&h, write_hybrid(&h, NULL), options_for(solvers[s], 0), &runs[s]);
        changes += runs[0].changes;
        for (int s = 1; s < 3; s++)
            if (!same_modes(&runs[0], &runs[s]) || difference(&h, &runs[0], &runs[s]) > 1e-6)
                fail_msg("graph %d runs otherwise with solver %d: difference %g\n%s", i, (int)solvers[s],
                         difference(&h, &runs[0], &runs[s]), write_hybrid(&h, NULL));
    }
    print_message("%d graphs, %d mode changes\n", graphs, changes);
    for (int i = 0; i < 3; i++) trace_fini(&runs[i]);
}

static void fixed_steps_come_to_variable_ones_on_random_graphs(void **state) {
    (void)state;
    static hybrid h;
    trace exact, fixed;
    double sum[3] = {0};
    int graphs = many_trials(30, 80, 1600), followed = 0, switched = 0;
    trace_init(&exact);
    trace_init(&fixed);
    for (int i = 0; i < graphs; i++) {
        test_random random = {(uint64_t)(980000 + i) * 1000003};
        double found[3];
        bool same = true;
        random_hybrid(&h, &random, &steps_plan);
        run_with(&h, write_hybrid(&h, NULL), options_for(HBG_SIM_ERK, 0), &exact);
        for (int k = 0; k < 3 && same; k++) {
            run_with(&h, write_hybrid(&h, NULL), options_for(HBG_SIM_RK4, ldexp(1, -9 - 2 * k)), &fixed);
            same = same_modes(&exact, &fixed);
            found[k] = difference(&h, &exact, &fixed);
        }
        followed += same;
        switched += same && exact.changes > 1;
        for (int k = 0; k < 3 && same; k++) sum[k] += found[k];
    }
    print_message("%d of %d graphs with the same modes, %d of them switch on the way; differences %g %g %g\n",
                  followed, graphs, switched, sum[0], sum[1], sum[2]);
    assert_true(10 * followed >= 8 * graphs && 5 * switched >= graphs);
    assert_true(sum[1] < sum[0] / 2 && sum[2] < sum[1] / 2); // a quarter of the step, first order
    trace_fini(&exact);
    trace_fini(&fixed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps_find_an_event_within_a_step),
        cmocka_unit_test(fixed_steps_come_to_the_switching_of_variable_ones),
        cmocka_unit_test(a_ball_on_a_stiff_spring_comes_to_one_that_bounces_at_a_point),
        cmocka_unit_test(bodies_with_a_stiff_spring_come_to_those_that_bounce),
        cmocka_unit_test(bodies_with_a_strong_damper_come_to_those_that_are_joined),
        cmocka_unit_test(capacitors_over_a_small_resistance_come_to_those_that_are_joined),
        cmocka_unit_test(solvers_of_variable_step_agree),
        cmocka_unit_test(fixed_steps_come_to_variable_ones_on_random_graphs),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
