/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs judged by a process. Points are computed by hand: a ball falls from 1.25 m with 10 m/s2, comes down at 0.5 s with 5 m/s and rebounds
 * with 0.8 of that. What is changed in them is noticed. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>

#include "support/soak.h"
#include "verify/consistency_impl.h"

#define TOLERANCE 1e-6
enum { POINTS = 6 };

static const char ball[] =
    "1 ball; I mass(1); Se gravity(-10); Sf floor(0); 0 contact when touch restitution 0.8;\n"
    "gravity -> ball -> mass; floor -> contact -> ball; state x = 1.25 : der = ball.f;\n"
    "automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when mass.p > "
    "0; }\n";

typedef struct {
    fixture t;
    hbg_process of;
    double values[POINTS][2]; /* mass.p, x */
    int32_t flying;
    hbg_process_point points[POINTS];
} course;

/* Declared; the start; in the air; down; up again; in the air. */
static void open_with(course *c, const char *text, const double *times, const double (*values)[2]) {
    jmp_buf guard;
    hbg_verify_options options = hbg_verify_options_default();
    hbg_process_request request = {.clause_limit = 10};
    begin(&c->t, text);
    if (HBG_GUARD(&c->t.m.memory, guard)) fail();
    c->of = hbg_verify_process(&c->t.m.arena, c->t.prover, c->t.m.eqn, c->t.m.model, &request, &options);
    HBG_GUARD_END(&c->t.m.memory);
    assert_null(c->of.reason);
    assert_int_equal(c->of.variables.count, 2);
    memcpy(c->values, values, sizeof c->values);
    c->flying = 0;
    for (int i = 0; i < POINTS; i++)
        c->points[i] = (hbg_process_point){times[i], c->values[i], &c->flying, i == 1 || i == 4};
}

static void open_course(course *c) {
    static const double times[POINTS] = {0, 0, 0.3, 0.5, 0.5, 0.7};
    static const double values[POINTS][2] = {{0, 1.25}, {0, 1.25}, {-3, 0.8}, {-5, 0}, {4, 0}, {2, 0.6}};
    open_with(c, ball, times, values);
}

static hbg_process_judgement judged(course *c) {
    jmp_buf guard;
    if (HBG_GUARD(&c->t.m.memory, guard)) fail();
    hbg_process_judgement made =
        hbg_verify_process_check(&c->t.m.arena, &c->of, c->points, POINTS, TOLERANCE);
    HBG_GUARD_END(&c->t.m.memory);
    return made;
}

static void a_run_is_accepted(void **state) {
    (void)state;
    course c;
    open_course(&c);
    hbg_process_judgement made = judged(&c);
    assert_int_equal(made.verdict, HBG_VERDICT_PROVED);
    assert_int_equal(made.flows, 3);
    assert_int_equal(made.instants, 2);
    assert_int_equal(made.unjudged, 0);
    assert_true(made.worst < 1e-12);
    end(&c.t);
}

static void refuses(course *c, const char *why, double t) {
    hbg_process_judgement made = judged(c);
    assert_int_equal(made.verdict, HBG_VERDICT_WITNESS);
    assert_string_equal(made.why, why);
    assert_true(made.t == t);
}

/* Less and more than 0.8 of the speed: momentum that is lost, energy that is gained. */
static void another_rebound_is_refused(void **state) {
    (void)state;
    static const double speeds[] = {3.9, 4.1, 5.5, -4};
    for (int i = 0; i < 4; i++) {
        course c;
        open_course(&c);
        c.values[4][0] = speeds[i];
        refuses(&c, "no alternative allows this jump", 0.5);
        end(&c.t);
    }
}

/* It goes on falling until 0.6 s, to 0.55 m below the floor. */
static void late_switching_is_refused(void **state) {
    (void)state;
    course c;
    open_course(&c);
    c.points[3].t = c.points[4].t = 0.6;
    c.values[3][0] = -6;
    c.values[3][1] = c.values[4][1] = -0.55;
    c.values[4][0] = 4.8;
    refuses(&c, "the mode should have been left", 0.6);
    end(&c.t);
}

static void a_wrong_mode_is_refused(void **state) {
    (void)state;
    course c;
    int32_t bouncing = 1;
    open_course(&c);
    c.points[4].states = c.points[5].states = &bouncing;
    refuses(&c, "no alternative allows this jump", 0.5);
    end(&c.t);
}

/* With 9.8 m/s2 it would be there with -2.94 kg m/s. */
static void another_field_is_refused(void **state) {
    (void)state;
    course c;
    open_course(&c);
    c.values[2][0] = -2.94;
    refuses(&c, "it flows otherwise", 0.3);
    end(&c.t);
}

/* The rebound located in two parts: one instant where these are apart by rounding, and two that are wrong where they are not. */
static void instants_a_band_apart_are_one(void **state) {
    (void)state;
    static const double apart[] = {1e-12, 1e-6};
    for (int i = 0; i < 2; i++) {
        course c;
        open_course(&c);
        double half[2] = {0, 0}, still[2] = {0, 0};
        hbg_process_point points[POINTS + 2];
        memcpy(points, c.points, 4 * sizeof *points);
        points[4] = (hbg_process_point){0.5, half, &c.flying, true};
        points[5] = (hbg_process_point){0.5 + apart[i], still, &c.flying, false};
        points[6] = c.points[4];
        points[6].t = 0.5 + apart[i];
        points[7] = c.points[5];
        points[7].t = 0.7 + apart[i];
        jmp_buf guard;
        if (HBG_GUARD(&c.t.m.memory, guard)) fail();
        hbg_process_judgement made =
            hbg_verify_process_check(&c.t.m.arena, &c.of, points, POINTS + 2, TOLERANCE);
        HBG_GUARD_END(&c.t.m.memory);
        assert_int_equal(made.verdict, i == 0 ? HBG_VERDICT_PROVED : HBG_VERDICT_WITNESS);
        end(&c.t);
    }
}

/* ---- random ones ------------------------------------------------------------------------------------------------ */

/* Masses, heights, accelerations and restitutions of their own. */
static double between(uint32_t *seed, double low, double high) {
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (*seed >> 8) / 16777216.0;
}

/* Falls from h for t1 = sqrt(2h/g), rebounds with eps of the speed, and is looked at halfway up to its top and to the ground. */
static void open_random(course *c, uint32_t seed) {
    char text[600];
    double m = between(&seed, 0.1, 5), h = between(&seed, 0.1, 3), g = between(&seed, 1, 20);
    double eps = between(&seed, 0.1, 0.95), down = sqrt(2 * h / g), speed = g * down, up = eps * speed;
    double half = down / 2, later = up / (2 * g);
    snprintf(text, sizeof text,
             "1 ball; I mass(%.17g); Se gravity(-%.17g*%.17g); Sf floor(0); 0 contact when touch restitution "
             "%.17g;\n"
             "gravity -> ball -> mass; floor -> contact -> ball; state x = %.17g : der = ball.f;\n"
             "automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when "
             "mass.p > 0; }\n",
             m, m, g, eps, h);
    double times[POINTS] = {0, 0, half, down, down, down + later};
    double values[POINTS][2] = {
        {0, h},          {0, h},      {-m * g * half, h - g * half * half / 2},
        {-m * speed, 0}, {m * up, 0}, {m * (up - g * later), up * later - g * later * later / 2}};
    open_with(c, text, times, values);
}

/* As it is; without a share of the momentum; with more energy than before; in the other mode; too late. */
static void random_runs_are_accepted_and_changed_ones_refused(void **state) {
    (void)state;
    int32_t bouncing = 1;
    for (uint32_t seed = 1; seed <= (uint32_t)trials(60, 3000); seed++) {
        course c;
        open_random(&c, seed);
        assert_int_equal(judged(&c).verdict, HBG_VERDICT_PROVED);
        double kept[POINTS][2];
        memcpy(kept, c.values, sizeof kept);
        for (int change = 0; change < 4; change++) {
            if (change == 0) c.values[4][0] *= 0.9;
            if (change == 1) c.values[4][0] = -1.05 * c.values[3][0];
            if (change == 2) c.points[4].states = &bouncing;
            if (change == 3) {
                double more = 0.1 * c.points[3].t, rate = c.values[3][0] / c.points[3].t;
                c.values[3][1] = c.values[4][1] = -0.21 * kept[0][1];
                c.values[3][0] += rate * more;
                c.points[3].t += more;
                c.points[4].t += more;
            }
            if (judged(&c).verdict != HBG_VERDICT_WITNESS)
                fail_msg("seed %u: change %d is accepted", seed, change);
            memcpy(c.values, kept, sizeof kept);
            c.points[4].states = &c.flying;
        }
        end(&c.t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_are_accepted_and_changed_ones_refused),
        cmocka_unit_test(a_run_is_accepted),
        cmocka_unit_test(another_rebound_is_refused),
        cmocka_unit_test(late_switching_is_refused),
        cmocka_unit_test(a_wrong_mode_is_refused),
        cmocka_unit_test(another_field_is_refused),
        cmocka_unit_test(instants_a_band_apart_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
