/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Laws with a border at which a run comes to rest: h' = −√h from 1 is (1 − t/2)², empty at 2 s, and stays
 * empty. If the field jumps at the border, as with dry friction, the run ends with a reason. */
#include "eqn/fixture_impl.h"
#include "sim/sim.h"

static const hbg_sim_solver solvers[] = {HBG_SIM_ERK, HBG_SIM_BDF, HBG_SIM_ADAMS};
static const double tolerances[] = {1e-4, 1e-6};

typedef struct {
    double tolerance, empty; /* when it is */
    int rows;
} tank;

/* Outputs: level and flow out, which is √h. */
static bool look(void *context, double t, const double *y) {
    tank *of = context;
    double root = t < of->empty ? 1 - t / of->empty : 0, near = 300 * of->tolerance;
    of->rows++;
    if (fabs(y[0] - root * root) > near) fail_msg("level %.9g at %.9g s, not %.9g", y[0], t, root * root);
    if (fabs(y[1] - root) > 3 * sqrt(near)) fail_msg("flow %.9g at %.9g s, not %.9g", y[1], t, root);
    if (fabs(y[1] * fabs(y[1]) - y[0]) > near) fail_msg("flow %.9g at level %.9g", y[1], y[0]);
    return true;
}

static void assert_runs_empty(const char *text) {
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 2; r++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            tank of = {.tolerance = tolerances[r], .empty = 2};
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = solvers[s];
            options.rtol = tolerances[r];
            options.stop = 1.1 * of.empty;
            options.row = look;
            options.context = &of;
            fixture_open(&f, text);
            hbg_base_arena_init(&arena, &f.memory);
            hbg_rt_status status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
            if (status != HBG_RT_OK)
                fail_msg("%s; solver %d, rtol %g, of\n%s", result.failure, s, tolerances[r], text);
            assert_true(of.rows > 10);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

static void a_tank_runs_empty(void **state) {
    (void)state;
    assert_runs_empty("model M { state h = 1 : der = -sign(h)*sqrt(abs(h)); experiment e { stop 1; record h, "
                      "sign(h)*sqrt(abs(h)); } }");
}

/* Only the output leaves the domain of the root: the field is linear. */
static void outputs_are_as_they_are_beyond_a_border(void **state) {
    (void)state;
    assert_runs_empty("model M { state h = 1 : der = -sqrt(max(h, 0)); experiment e { stop 1; record h, "
                      "sqrt(max(h, 0)); } }");
}

/* ---- several vessels ---------------------------------------------------------------------------------- */

/* Runs a model of vessels with every method at every tolerance, in few steps; `look` gets its rows. */
static void assert_vessels(const char *text, double stop,
                           bool (*told)(void *context, double t, const double *y)) {
    const double all[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-10};
    for (int solver = HBG_SIM_AUTO; solver <= HBG_SIM_ERK; solver++)
        for (int r = 0; r < 5; r++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            tank of = {.tolerance = all[r], .empty = 2};
            hbg_sim_options options = hbg_sim_options_default();
            options.solver = (hbg_sim_solver)solver;
            options.rtol = all[r];
            options.stop = stop;
            options.step_limit = 2000;
            options.row = told;
            options.context = &of;
            fixture_open(&f, text);
            hbg_base_arena_init(&arena, &f.memory);
            hbg_rt_status status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
            if (status != HBG_RT_OK)
                fail_msg("%s; solver %d, rtol %g, of\n%s", result.failure, solver, all[r], text);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

/* The first of a row is independent of the others and empty at 2 s; all are empty at the end, and their
 * content went through the last. */
static bool look_at_row(void *context, double t, const double *y) {
    const tank *of = context;
    double root = t < of->empty ? 1 - t / of->empty : 0, near = 300 * of->tolerance;
    if (fabs(y[0] - root * root) > near) fail_msg("level %.9g at %.9g s, not %.9g", y[0], t, root * root);
    if (fabs(y[1] - 1.4) > near) fail_msg("%.9g in all at %.9g s", y[1], t);
    if (t > 8 && fabs(y[2]) > near) fail_msg("%.9g left at %.9g s", y[2], t);
    return true;
}

static void vessels_in_a_row_run_empty(void **state) {
    (void)state;
    assert_vessels("model M { signal f = sign(a)*sqrt(abs(a)); signal g = 0.7*sign(b)*sqrt(abs(b));"
                   " signal h = sign(c)*sqrt(abs(c)); state a = 1 : der = -f; state b = 0.3 : der = f - g;"
                   " state c = 0.1 : der = g - h; state z = 0 : der = h;"
                   " experiment e { stop 1; record a, a + b + c + z, a + b + c; } }",
                   10, look_at_row);
}

/* Each by itself, at different times. */
static void vessels_side_by_side_run_empty(void **state) {
    (void)state;
    assert_vessels("model M { signal f = sign(a)*sqrt(abs(a)); signal g = sign(b)*sqrt(abs(b));"
                   " state a = 1 : der = -f; state b = 0.4 : der = -g; state z = 0 : der = f + g;"
                   " experiment e { stop 1; record a, a + b + z, a + b; } }",
                   10, look_at_row);
}

/* d = a − b of two vessels that are joined falls as (√0.9 − 0.35·5/6·t)² until they are level, at 3.25 s.
 * Liquid filled into one from 10 s on flows over at once: d' = u/2 − 7/12·√d comes to (6/7·u)², 2 s long. */
static bool look_at_pair(void *context, double t, const double *y) {
    const tank *of = context;
    double k = 0.7 * 5 / 6, root = sqrt(0.9) - k / 2 * t, near = 300 * of->tolerance;
    double d = root > 0 ? root * root : 0;
    if (t > 10) return fabs(y[0]) <= 0.05 * 0.05 / k / k + near && fabs(y[1] - y[2]) <= near;
    if (fabs(y[0] - d) > near) fail_msg("difference %.9g at %.9g s, not %.9g", y[0], t, d);
    return true;
}

static void vessels_that_are_joined_become_level(void **state) {
    (void)state;
    assert_vessels(
        "model M { signal f = 0.7*sign(a - b)*sqrt(abs(a - b)); signal u = time > 10 && time < 12 ? 0.1 : 0;"
        " state a = 1 : der = (u - f)/2; state b = 0.1 : der = f/3; state z = 0 : der = u;"
        " sample s every 0.5 = a;"
        " experiment e { stop 1; record a - b, 2*a + 3*b, 2.3 + z, s; } }",
        20, look_at_pair);
}

/* ---- what jumps --------------------------------------------------------------------------------------- */

/* A block of 1 kg at 1 m/s, braked by 2 N of dry friction, would stand still from 0.5 s on: no branch of sign
 * permits that. */
static void where_the_field_jumps_the_run_ends(void **state) {
    (void)state;
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_sim_options options = hbg_sim_options_default();
    options.stop = 1;
    fixture_open(&f, "model M { state v = 1 : der = -2*sign(v); output w = v; }");
    hbg_base_arena_init(&arena, &f.memory);
    assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_VERDICT);
    assert_true(fabs(result.t - 0.5) < 1e-6);
    assert_non_null(strstr(result.failure, "sign(v)"));
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tank_runs_empty),
        cmocka_unit_test(outputs_are_as_they_are_beyond_a_border),
        cmocka_unit_test(vessels_in_a_row_run_empty),
        cmocka_unit_test(vessels_side_by_side_run_empty),
        cmocka_unit_test(vessels_that_are_joined_become_level),
        cmocka_unit_test(where_the_field_jumps_the_run_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
