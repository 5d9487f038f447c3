/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What only outputs and powers read has its edges and kinks where it has them, with every method that locates and every tolerance: works
 * and means over time are closed forms. States do not notice. */
#include "rt/known_roots_impl.h"

#define SOURCE(value)                                                                                        \
    "model M { state x = 1 : der = v; state v = 0 : der = -x; Se s(" value                                   \
    "); R load(1); 1 loop; s -> loop -> load; experiment e { stop 1; record load.f; } }"
#define SIGNAL(value)                                                                                        \
    "model M { state x = 1 : der = v; state v = 0 : der = -x; signal y = " value                             \
    "; experiment e { stop 1; record y; } }"
#define TWO_PI 6.283185307179586

/* ---- a run -------------------------------------------------------------------------------------------- */

enum { MOST_ROWS = 4000 };

typedef struct {
    double times[MOST_ROWS], values[MOST_ROWS];
    int count;
} rows;

static bool take_row(void *context, double t, const double *outputs) {
    rows *to = context;
    assert_true(to->count < MOST_ROWS);
    to->times[to->count] = t;
    to->values[to->count++] = outputs[0];
    return true;
}

typedef struct {
    double work, mean, low, high, state[2];
    int64_t steps, rates, crossings;
} answer;

/* All of a run that may depend on where the first output jumps; rows are wanted or NULL. */
static answer run_to(const char *text, hbg_sim_solver solver, double rtol, double stop, rows *wanted) {
    fixture f;
    hbg_arena arena;
    hbg_sim_result result;
    hbg_rt_summary summary;
    fixture_open(&f, text);
    hbg_base_arena_init(&arena, &f.memory);
    hbg_sim_options options = hbg_sim_options_default();
    hbg_sim_summary_init(&arena, &summary, f.system->output_count);
    options.solver = solver;
    options.stop = stop;
    options.rtol = rtol;
    options.summary = wanted ? NULL : &summary;
    options.row = wanted ? take_row : NULL;
    options.context = wanted;
    hbg_rt_status status = hbg_sim_run(&arena, f.system, f.run, &options, &result);
    if (status != HBG_RT_OK) fail_msg("%s", result.failure);
    hbg_rt_summary_end(&summary);
    answer told = {.steps = result.steps, .rates = result.rates, .crossings = result.crossings};
    if (f.system->power_count > 0) told.work = result.work[0];
    if (!wanted) told.mean = summary.mean[0], told.low = summary.low[0], told.high = summary.high[0];
    for (int32_t i = 0; i < f.system->state_count && i < 2; i++) told.state[i] = result.state[i];
    hbg_base_arena_fini(&arena);
    fixture_close(&f);
    return told;
}

static void assert_within(double found, double wanted, double error, const char *what, const char *text) {
    if (!(fabs(found - wanted) <= error))
        fail_msg("%s is %.17g, not %.17g, of\n%s", what, found, wanted, text);
}

/* ---- works -------------------------------------------------------------------------------------------- */

/* Ohm's law: the work of a pulse of 1 V is the time it lasts. */
static void a_pulse_on_a_resistance_works_as_long_as_it_lasts(void **state) {
    static const char text[] =
        "model M { Se s(time % 1e-3 < 3e-4 ? 1 : 0); R load(1); 1 loop; s -> loop -> load;"
        " experiment e { stop 1; record load.f; } }";
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int r = 0; r < TOLERANCES; r++) {
            answer told = run_to(text, solvers[s], tolerances[r], 0.1, NULL);
            assert_within(told.work, 0.03, 1e-14, "the work", text);
            assert_within(told.mean, 0.3, 1e-13, "the mean", text);
        }
}

/* Time alone decides, with a state beside it that does not read it: squares of these, over a whole number of periods. */
static void works_of_functions_of_time_are_closed_forms(void **state) {
    static const struct {
        const char *text;
        double stop, work, error;
    } of[] = {
        {SOURCE("time % 0.5 < 0.1 ? 1 : 0"), 2, 0.4, 1e-13},
        {SOURCE("abs(sin(20*pi*time))"), 2, 1, 2e-6},
        {SOURCE("sin(20*pi*time) > 0.5 ? 1 : 0"), 2, 2 / 3.0, 1e-9},
        {SOURCE("floor(4*time)"), 1, (0 + 1 + 4 + 9) / 4.0, 1e-13},
        {SOURCE("max(time % 1 - 0.5, 0)*1 [V/s]"), 2, 2 * 0.125 / 3, 1e-13},
        {SOURCE("min(time % 1, 0.5)*1 [V/s]"), 2, 2 * (0.125 / 3 + 0.125), 1e-13},
        {SOURCE("sign(time % 1 - 0.25)"), 2, 2, 1e-13},
        {SOURCE("1 + sign(time % 1 - 0.25)"), 2, 2 * 0.75 * 4, 1e-13},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int s = 0; s < SOLVERS; s++)
            assert_within(run_to(of[i].text, solvers[s], 1e-6, of[i].stop, NULL).work, of[i].work,
                          of[i].error, "the work", of[i].text);
}

/* x = cos(t), v = −sin(t), over a period; the error is that of the states. max² and min² add up to 1 and take turns. */
static void works_of_functions_of_states_are_closed_forms(void **state) {
    const struct {
        const char *text;
        double work;
    } of[] = {
        {SOURCE("x > 0.5 ? 1 : 0"), TWO_PI / 3},
        {SOURCE("1 + sign(x)"), TWO_PI / 2 * 4},
        {SOURCE("x > 0 ? x : 0"), TWO_PI / 4},
        {SOURCE("max(x, v)"), TWO_PI / 2},
        {SOURCE("x + abs(x)"), TWO_PI},
        {SOURCE("floor(2*x + 0.5)"), 12 * acos(0.75) + 4 * acos(0.25)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int s = 0; s < SOLVERS; s++)
            for (int r = 1; r < TOLERANCES; r++)
                assert_within(run_to(of[i].text, solvers[s], tolerances[r], TWO_PI, NULL).work, of[i].work,
                              300 * tolerances[r] + 1e-7, "the work", of[i].text);
}

/* Nobody looks at outputs, which read the same relations as powers do. */
static void powers_are_located_by_themselves(void **state) {
    const struct {
        const char *text;
        double stop, work, error;
    } of[] = {
        {SOURCE("x > 0.5 ? 1 : 0"), TWO_PI, TWO_PI / 3, 3e-5},
        {SOURCE("time % 0.5 < 0.1 ? 1 : 0"), 2, 0.4, 1e-13},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int s = 0; s < SOLVERS; s++) {
            fixture f;
            hbg_arena arena;
            hbg_sim_result result;
            hbg_sim_options options = hbg_sim_options_default();
            fixture_open(&f, of[i].text);
            hbg_base_arena_init(&arena, &f.memory);
            options.solver = solvers[s];
            options.stop = of[i].stop;
            assert_int_equal(hbg_sim_run(&arena, f.system, f.run, &options, &result), HBG_RT_OK);
            assert_within(result.work[0], of[i].work, of[i].error, "the work", of[i].text);
            hbg_base_arena_fini(&arena);
            fixture_close(&f);
        }
}

/* ---- outputs ------------------------------------------------------------------------------------------ */

static void means_and_extremes_of_outputs_are_closed_forms(void **state) {
    const double lesser = acos(0.25);
    const struct {
        const char *text;
        double mean, low, high;
    } of[] = {
        {SIGNAL("x > 0.5 ? 1 : 0"), 1 / 3.0, 0, 1},
        {SIGNAL("abs(x)"), 4 / TWO_PI, 0, 1},
        {SIGNAL("max(x, v)"), 2 * sqrt(2) / TWO_PI, -sqrt(0.5), 1},
        {SIGNAL("min(x, 0.25)"), (0.5 * lesser - 2 * sin(lesser)) / TWO_PI, -1, 0.25},
        {SIGNAL("floor(2*x + 0.5)"), 0, -2, 2},
        {SIGNAL("x > 0.5 ? (v > 0 ? 3 : 1) : 0"), 2 / 3.0, 0, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int s = 0; s < SOLVERS; s++)
            for (int r = 1; r < TOLERANCES; r++) {
                answer told = run_to(of[i].text, solvers[s], tolerances[r], TWO_PI, NULL);
                double error = 300 * tolerances[r] + 1e-7;
                assert_within(told.mean, of[i].mean, error, "the mean", of[i].text);
                assert_within(told.low, of[i].low, error + 1e-3, "the least", of[i].text);
                assert_within(told.high, of[i].high, error + 1e-3, "the greatest", of[i].text);
            }
}

/* An edge has a row on either side, at the time that is known beforehand or where the state crosses. */
static void edges_of_outputs_have_a_row_on_either_side(void **state) {
    const struct {
        const char *text;
        double first, second, error;
    } of[] = {
        {SIGNAL("time % 1 < 0.3 ? 1 : 0"), 0.3, 1, 0},
        {SIGNAL("x > 0.5 ? 1 : 0"), TWO_PI / 6, TWO_PI * 5 / 6, 1e-6},
    };
    rows *told = malloc(sizeof *told);
    (void)state;
    assert_non_null(told);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int s = 0; s < SOLVERS; s++) {
            told->count = 0;
            (void)run_to(of[i].text, solvers[s], 1e-9, i == 0 ? 1.2 : 6, told);
            double edges[2];
            int found = 0;
            for (int k = 1; k < told->count; k++) {
                if (told->values[k] == told->values[k - 1]) continue;
                assert_true(told->times[k] == told->times[k - 1]);
                if (found < 2) edges[found] = told->times[k];
                found++;
            }
            assert_int_equal(found, 2);
            assert_within(edges[0], of[i].first, of[i].error, "the first edge", of[i].text);
            assert_within(edges[1], of[i].second, of[i].error, "the second edge", of[i].text);
        }
    free(told);
}

/* ---- what is not touched ------------------------------------------------------------------------------ */

#define LAWS     "model M { state x = 1 : der = v; state v = 0 : der = -x; signal y = "
#define RECORDED "; experiment e { stop 1; record y; } }"

/* Steps and states are those of a model without edges, to the last bit. */
static void states_do_not_notice(void **state) {
    static const char *const texts[] = {LAWS "x > 0.5 ? 1 : 0" RECORDED, LAWS "abs(v) + floor(10*x)" RECORDED,
                                        LAWS "(x > 0 ? x : 0) + max(x, 2*v)" RECORDED,
                                        LAWS "sign(x*v)" RECORDED};
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        answer plain = run_to(LAWS "x + v" RECORDED, solvers[s], 1e-6, 20, NULL);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            answer told = run_to(texts[i], solvers[s], 1e-6, 20, NULL);
            assert_int_equal(told.steps, plain.steps);
            assert_int_equal(told.crossings, 0);
            assert_memory_equal(told.state, plain.state, sizeof told.state);
        }
    }
}

static int32_t count_located(const char *text) {
    fixture f;
    fixture_begin(&f, text);
    int32_t count = hbg_code_image(f.code)->pool.located.count;
    fixture_close(&f);
    return count;
}

static void a_relation_is_located_once_and_only_where_it_is_read(void **state) {
    static const char *const head =
        "model M { state x = 1 : der = -x; signal y = x > 0.5 ? 1 : 0, z = x > 0.5 ? x : 0;";
    char text[400];
    (void)state;
    snprintf(text, sizeof text, "%s experiment e { stop 1; record y, z; } }", head);
    assert_int_equal(count_located(text), 1);
    snprintf(text, sizeof text, "%s experiment e { stop 1; record x; } }", head);
    assert_int_equal(count_located(text), 0);
}

/* A relation that a rate reads as well is the field's: there the run goes on with another law. */
static void what_a_rate_reads_is_not_aside(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f,
        "model M { state x = 1 : der = x > 0.5 ? -1 : -2; signal y = x > 0.5 ? 1 : 0, z = x > 0.25 ? 1 : 0;"
        " experiment e { stop 1; record y, z; } }");
    assert_int_equal(hbg_code_image(f.code)->pool.located.count, 2);
    assert_false(hbg_rt_is_aside(f.run, 0));
    assert_true(hbg_rt_is_aside(f.run, 1));
    hbg_rt_locate_aside(f.run, false, false);
    assert_false(hbg_rt_locates(f.run, HBG_RT_OUTPUTS));
    hbg_rt_locate_aside(f.run, true, false);
    assert_true(hbg_rt_locates(f.run, HBG_RT_OUTPUTS));
    assert_false(hbg_rt_locates(f.run, HBG_RT_POWERS));
    fixture_close(&f);
}

/* x = 1 − t down to 0.5, then −2(t − 0.5): y is 1 for half a second; z is 1 until x is 0.25, an eighth of a second later. */
static void edges_of_laws_and_of_outputs_go_together(void **state) {
    static const char text[] = "model M { state x = 1 : der = x > 0.5 ? -1 : -2; signal z = x > 0.25 ? 8 : 0;"
                               " experiment e { stop 1; record z; } }";
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        answer told = run_to(text, solvers[s], 1e-8, 1, NULL);
        assert_within(told.mean, 8 * 0.625, 1e-7, "the mean", text);
        assert_int_equal(told.crossings, 1);
    }
}

/* Where a mode changes outputs read what has jumped: the source of 2 V meets 1 Ω or 3 Ω. */
static void branches_follow_a_change_of_mode(void **state) {
    static const char text[] = "model M { Se s(2); 1 loop; R r(1); R more(2); 1 way when a; s -> loop -> r; "
                               "0 n; loop -> n; n -> way; Se z(0);"
                               " z -> way; n -> more; automaton a { off open -> shut after 0.25; on shut; }"
                               " signal y = r.f > 1 ? 1 : 0; experiment e { stop 1; record y; } }";
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        assert_within(run_to(text, solvers[s], 1e-6, 1, NULL).mean, 0.75, 1e-12, "the mean", text);
}

/* A sign that rounding turns at rest is told once and left alone: the run ends. */
static void a_sign_at_rest_ends_no_run(void **state) {
    static const char text[] = "model M { state x = 1 : der = -x; signal y = sign(x) + floor(1e9*x); "
                               "experiment e { stop 1; record y; } }";
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        assert_int_equal(run_to(text, solvers[s], 1e-6, 200, NULL).crossings, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulse_on_a_resistance_works_as_long_as_it_lasts),
        cmocka_unit_test(works_of_functions_of_time_are_closed_forms),
        cmocka_unit_test(works_of_functions_of_states_are_closed_forms),
        cmocka_unit_test(powers_are_located_by_themselves),
        cmocka_unit_test(means_and_extremes_of_outputs_are_closed_forms),
        cmocka_unit_test(edges_of_outputs_have_a_row_on_either_side),
        cmocka_unit_test(states_do_not_notice),
        cmocka_unit_test(a_relation_is_located_once_and_only_where_it_is_read),
        cmocka_unit_test(what_a_rate_reads_is_not_aside),
        cmocka_unit_test(edges_of_laws_and_of_outputs_go_together),
        cmocka_unit_test(branches_follow_a_change_of_mode),
        cmocka_unit_test(a_sign_at_rest_ends_no_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
