/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * When a run begins to slide along a surface and when it ends, with every solver that locates relations, for
 * relations of guards and for those inside laws; and where it does not slide. */
#include "slide_fixture_impl.h"

static const double pi = 3.14159265358979323846;

/* A body at 1 m/s, pushed with 1 N against 2 N of friction: it stands from 1 s on, until the push, which
 * grows from 4 s on by 3 N/s, is more than that, at 4 + 1/3 s; then 3·(t − 13/3)²/2. */
#define FRICTION(law)                                                                                        \
    "model M { Se push(1 + (time > 4 ? 3*(time - 4) : 0)); I body(1, f = 1); 1 j; push -> j -> body; j -> "  \
    "table;" law " }"

static void friction_holds_a_body_until_it_is_pushed_harder(void **state) {
    static const char *const models[] = {
        FRICTION("R table : e = 2*sign(f);"),
        FRICTION("Se table(way.forth ? -2 : 2); automaton way { on forth -> back when j.f < 0; off back -> "
                 "forth when j.f > 0; }")};
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < SOLVERS; i++) {
            outcome end = run_model(models[m], sliding(solvers[i], 6));
            assert_int_equal(end.status, HBG_RT_OK);
            assert_near(end.x[0], 1.5 * (5.0 / 3) * (5.0 / 3), 1e-6);
            assert_int_equal(end.count, 4); // the push begins to grow in between
            assert_near(end.told[0], 1, 1e-7);
            assert_near(end.told[3], 13.0 / 3, 1e-7);
            assert_tiny(end.residual, 1e-8 * end.scale);
        }
}

/* ---- leaving ------------------------------------------------------------------------------------------ */

#define DRIVEN_LAW(a) "model M { state x = 0.1 : der = -sign(x) + " a "*sin(time); }"
#define DRIVEN_GUARD(a)                                                                                      \
    "model M { state x = 0.1 : der = (m.p ? -1 : 1) + " a "*sin(time);"                                      \
    "automaton m { on p -> n when x < 0; off n -> p when x > 0; } }"

/* x' = −1 + a·sin(t) from 0.1 on: where it comes to 0. */
static double arrival(double a) {
    double t = 0.1;
    for (int i = 0; i < 50; i++) t -= (0.1 - t + a * (1 - cos(t))) / (-1 + a * sin(t));
    return t;
}

/* With an amplitude of 2 the side ±1 lets go at sin(t) = 1/2. Then |x| = 2·(cos(π/6) − cos(t)) − (t − π/6),
 * which comes back to 0 where the force, sin(t) < −1/2, leads through it: after that friction has the other
 * sign. */
static double behind_leaving(double stop) {
    double back = 3.7, leave = pi / 6;
    for (int i = 0; i < 50; i++)
        back -= (2 * (cos(leave) - cos(back)) - (back - leave)) / (2 * sin(back) - 1);
    return (stop - back) + 2 * (cos(back) - cos(stop));
}

static void a_side_that_lets_go_is_left(void **state) {
    static const char *const models[] = {DRIVEN_LAW("2"), DRIVEN_GUARD("2"), DRIVEN_LAW("(-2)"),
                                         DRIVEN_GUARD("(-2)")};
    (void)state;
    for (int m = 0; m < 4; m++)
        for (int i = 0; i < SOLVERS; i++) {
            double sign = m < 2 ? 1 : -1;
            outcome end = run_model(models[m], sliding(solvers[i], 4));
            assert_int_equal(end.status, HBG_RT_OK);
            assert_int_equal(end.count, 2);
            assert_near(end.told[0], arrival(2 * sign), 1e-7);
            assert_near(end.told[1], pi / 6, 1e-6);
            assert_near(end.x[0], sign * behind_leaving(4), 1e-6);
        }
}

static void what_holds_on_both_sides_is_never_left(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < SOLVERS; i++) {
            outcome end = run_model(m ? DRIVEN_LAW("0.5") : DRIVEN_GUARD("0.5"), sliding(solvers[i], 20));
            assert_int_equal(end.status, HBG_RT_OK);
            assert_int_equal(end.count, 1);
            assert_near(end.told[0], arrival(0.5), 1e-7);
            assert_tiny(end.x[0], 1e-9);
        }
}

/* Other events interrupt it, on either side: here a second automaton, and a transition out of one of the two
 * states. */
static void other_events_are_found_on_the_way(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        outcome end = run_model(
            "model M { state x = 0.5 : der = (m.p ? -1 : m.n ? 1 : 0) + (s.b ? 0.5 : 0); state y = 0 : der = "
            "1;"
            "automaton m { on p -> n when x < 0; off n { -> p when x > 0; -> away when y > 2; } off away -> "
            "p when false; } automaton s { off a -> b when y > 1; on b -> a when false; } }",
            sliding(solvers[i], 4));
        assert_int_equal(end.status, HBG_RT_OK);
        // from 1/2 s on it slides, at 1 s begins to be pushed, and at 2 s is let go with 1/2
        assert_near(end.x[0], 1, 1e-6);
        assert_near(end.told[end.count - 1], 2, 1e-7);
    }
}

/* ---- surfaces ----------------------------------------------------------------------------------------- */

/* x slides from 1.25 s on, where the mean of its sign is 0.2, so that y falls by 0.98 from 0.875: both are 0
 * at 2.142857 s. */
static void where_surfaces_meet_the_run_ends(void **state) {
    static const char *const models[] = {
        "model M { state x = 1 : der = -sign(x) + 0.2*sign(y); state y = 2 : der = -sign(y) + 0.1*sign(x); }",
        "model M { state x = 1 : der = (a.p ? -1 : 1) + (b.p ? 0.2 : -0.2);"
        "state y = 2 : der = (b.p ? -1 : 1) + (a.p ? 0.1 : -0.1);"
        "automaton a { on p -> n when x < 0; off n -> p when x > 0; }"
        "automaton b { on p -> n when y < 0; off n -> p when y > 0; } }"};
    (void)state;
    for (int m = 0; m < 2; m++) {
        outcome end = run_model(models[m], sliding(HBG_SIM_ERK, 5));
        assert_int_equal(end.status, HBG_RT_VERDICT);
        assert_near(end.t, 1.25 + 0.875 / 0.98, 1e-4);
        assert_true(end.count > 0);
        assert_near(end.told[0], 1.25, 1e-7);
    }
}

/* ---- who slides --------------------------------------------------------------------------------------- */

static void nothing_slides_unless_asked(void **state) {
    (void)state;
    hbg_sim_options options = sliding(HBG_SIM_ERK, 4);
    options.slides = false;
    outcome end = run_model(DRIVEN_LAW("0.5"), options);
    assert_int_equal(end.status, HBG_RT_VERDICT);
    assert_int_equal(end.count, 0);
}

static void a_fixed_step_does_not_slide(void **state) {
    (void)state;
    hbg_sim_options options = sliding(HBG_SIM_RK4, 4);
    options.step = 1e-2;
    assert_int_equal(run_model(DRIVEN_LAW("0.5"), options).status, HBG_RT_BAD_OPTION);
}

/* A vessel that runs empty through an orifice comes to rest as it does without sliding. */
static void what_comes_to_rest_does_so(void **state) {
    (void)state;
    for (int slides = 0; slides < 2; slides++) {
        hbg_sim_options options = sliding(HBG_SIM_ERK, 4);
        options.slides = slides;
        outcome end = run_model("model M { state h = 1 : der = -sign(h)*sqrt(abs(h)); }", options);
        assert_int_equal(end.status, HBG_RT_OK);
        assert_tiny(end.x[0], 1e-9);
        assert_int_equal(end.count, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(friction_holds_a_body_until_it_is_pushed_harder),
                                       cmocka_unit_test(a_side_that_lets_go_is_left),
                                       cmocka_unit_test(what_holds_on_both_sides_is_never_left),
                                       cmocka_unit_test(other_events_are_found_on_the_way),
                                       cmocka_unit_test(where_surfaces_meet_the_run_ends),
                                       cmocka_unit_test(nothing_slides_unless_asked),
                                       cmocka_unit_test(a_fixed_step_does_not_slide),
                                       cmocka_unit_test(what_comes_to_rest_does_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
