/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Slopes of guards are those of calculus: along time and any direction of the states, through laws, loops and modes, on the side a relation
 * is on, and the same in compiled code. */
#include "code/compiled_impl.h"

typedef struct {
    fixture f;
    int32_t states[4];
    hbg_rt_search search;
    double g[40], slope[40];
} watcher;

/* At t = 0, with the first instant behind it. */
static void begin(watcher *w, const char *text, bool may_move) {
    memset(w, 0, sizeof *w);
    fixture_open_as(&w->f, text, may_move);
    const hbg_rt_description *system = w->f.system;
    assert_true(system->automaton_count <= 4 && system->root_count <= 40);
    assert_fine(&w->f, hbg_rt_declare(w->f.run, w->f.x));
    assert_fine(&w->f, hbg_rt_enter(w->f.run, NULL));
    memcpy(w->states, system->start_states, (size_t)system->automaton_count * sizeof *w->states);
    w->search = (hbg_rt_search){.system = system,
                                .instance = w->f.run,
                                .states = w->states,
                                .x = w->f.x,
                                .scratch = hbg_base_arena_alloc(&w->f.arena, hbg_rt_instant_scratch(system))};
    assert_fine(&w->f, hbg_rt_instant(&w->search, 0, true, NULL, 0));
}

/* Of the first guard. */
static double slope_at(watcher *w, double t, const double *dx) {
    assert_fine(&w->f, hbg_rt_guard_slopes(w->f.run, t, w->f.x, dx, w->slope));
    return w->slope[w->f.system->guard_first];
}

/* By values a little to both sides. */
static double difference_at(watcher *w, double t, const double *dx) {
    const double h = 1e-6;
    double x[8], before[40];
    int32_t n = w->f.system->state_count, first = w->f.system->guard_first;
    assert_true(n <= 8);
    for (int32_t i = 0; i < n; i++) x[i] = w->f.x[i] - h * dx[i];
    assert_fine(&w->f, hbg_rt_indicators(w->f.run, t - h, x, before));
    for (int32_t i = 0; i < n; i++) x[i] = w->f.x[i] + h * dx[i];
    assert_fine(&w->f, hbg_rt_indicators(w->f.run, t + h, x, w->g));
    return (w->g[first] - before[first]) / (2 * h);
}

#define GUARDED(more, guard) "model M { " more " automaton a { off o -> n when " guard "; on n; } }"

/* x = 2, y = 3 at 0; along (5, 7) and time; the guard is 1 − … on its side, or … − 1. */
static void slopes_are_derivatives(void **state) {
    static const struct {
        const char *guard;
        double t, slope;
    } cases[] = {
        {"x*y > 100", 1, -(5 * 3 + 2 * 7)}, // 100 − x·y
        {"x*time < -1", 2, 5 * 2 + 2},      // x·t + 1 while it does not hold
        {"x > 100 + sin(time)", 0, -5 + 1}, // 100 + sin t − x
        {"exp(-x)*y > 100", 1, 0},          // below
        {"abs(-x) > 100", 1, -5},           //
        {"min(x, y) > 100", 1, -5},         // the first is less
        {"max(x, y) > 100", 1, -7},         //
        {"floor(x) > 100", 1, 0},           //
        {"time % 3 + x > 100", 1, -6},      //
        {"sqrt(y + 1) > 100", 1, -7.0 / 4}, // 1/(2·√4)
    };
    const double dx[2] = {5, 7};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        watcher w;
        char text[300];
        snprintf(text, sizeof text, GUARDED("state x = 2 : der = y; state y = 3 : der = -x;", "%s"),
                 cases[i].guard);
        begin(&w, text, false);
        double wanted = i == 3 ? 5 * exp(-2) * 3 - exp(-2) * 7 : cases[i].slope;
        assert_near(slope_at(&w, cases[i].t, dx), wanted, 1e-13);
        fixture_close(&w.f);
    }
}

/* A guard reads a current in a loop: two resistors, one of them with a law that is no line, e = f + f³; then three that share a node. */
static void slopes_go_through_loops(void **state) {
    const double dx[2] = {1.5, -0.25};
    static const char *const models[] = {
        GUARDED("C c(1, q = 2); I l(2, p = 1); R r(3); R s : e = f + f^3; 1 j; 0 n; c -> j; j -> s; j -> n; "
                "n -> r; n -> l;",
                "s.f + r.e*time > 100"),
        GUARDED(
            "C c(1, q = 2); C d(0.5, q = 1); R r(3); R s(4); 1 j; 0 n; 1 k; c -> j; j -> r; j -> n; n -> s; "
            "n -> k; R u(2); k -> u; k -> d;",
            "s.f*d.e > 100"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        watcher w;
        begin(&w, models[i], false);
        for (int n = 0; n < 4; n++)
            assert_near(slope_at(&w, 0.3 * n, dx), difference_at(&w, 0.3 * n, dx), 1e-8);
        assert_true(fabs(w.slope[w.f.system->guard_first]) > 1e-3);
        fixture_close(&w.f);
    }
}

/* A junction off, then on: the current through r is (10 − q)/2 there, and the guard that leads back reads it. */
static void slopes_are_those_of_the_mode(void **state) {
    const double dx[1] = {3};
    watcher w;
    (void)state;
    begin(&w,
          "model M { Se s(10); R r(2); C c(1, q = 0); R load(5); 1 j when a; 0 n; s -> j; j -> r; j -> n; n "
          "-> c; "
          "n -> load; automaton a { off open -> shut when c.e > 1; on shut -> open when r.f < 0.5; } }",
          false);
    assert_near(slope_at(&w, 0, dx), -3, 1e-14); // 1 − q
    w.f.x[0] = 2;
    int32_t crossed = w.f.system->guard_first;
    assert_fine(&w.f, hbg_rt_instant(&w.search, 1, false, &crossed, 1));
    assert_int_equal(w.states[0], 1);
    (void)slope_at(&w, 1, dx);
    assert_near(w.slope[crossed + 1], -3.0 / 2, 1e-14); // (10 − q)/2 − 1/2
    assert_near(w.slope[crossed], 0, 0);                // watched by no guard here
    fixture_close(&w.f);
}

/* A parameter that the run moves: k·x with k = 2 + 0.5·t. */
static void a_parameter_that_moves_has_its_share(void **state) {
    const double dx[1] = {3};
    watcher w;
    (void)state;
    begin(&w, GUARDED("param k = 2; state x = 4 : der = 1;", "k*x > 100"), true);
    assert_near(slope_at(&w, 1, dx), -2 * 3, 1e-14);
    assert_fine(&w.f, hbg_rt_set_line(w.f.run, 0, 0, 2, 0.5));
    assert_near(slope_at(&w, 1, dx), -(2.5 * 3 + 0.5 * 4), 1e-14);
    fixture_close(&w.f);
}

/* What is found in another state has no program. */
static void a_value_in_another_state_has_no_slope(void **state) {
    const double dx[1] = {3};
    watcher w;
    (void)state;
    begin(&w,
          "model M { Se s(10); R r(2); C c(1, q = 0); 1 j when a; s -> j; j -> r; j -> c; automaton a { off "
          "open -> "
          "shut when in(a.shut, r.f) < 1; on shut; } }",
          false);
    assert_true(isnan(slope_at(&w, 0, dx)));
    fixture_close(&w.f);
}

static void compiled_slopes_have_the_same_bits(void **state) {
    const double dx[2] = {5, 7};
    watcher w;
    (void)state;
    begin(&w,
          GUARDED("state x = 2 : der = y; state y = 3 : der = -x;",
                  "exp(-x)*y + x^y/(time + 1) > 100 || min(x*y, y) > 50"),
          false);
    double first = slope_at(&w, 0.7, dx), second = w.slope[w.f.system->guard_first + 1];
    hbg_emit_library *library = use_compiled(&w.f, (hbg_rt_native_options){0});
    assert_true(slope_at(&w, 0.7, dx) == first && w.slope[w.f.system->guard_first + 1] == second);
    assert_true(isfinite(first) && first != 0);
    (void)hbg_code_use_native(w.f.code, NULL, NULL);
    hbg_emit_unload(library);
    fixture_close(&w.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_derivatives),
        cmocka_unit_test(slopes_go_through_loops),
        cmocka_unit_test(slopes_are_those_of_the_mode),
        cmocka_unit_test(a_parameter_that_moves_has_its_share),
        cmocka_unit_test(a_value_in_another_state_has_no_slope),
        cmocka_unit_test(compiled_slopes_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
