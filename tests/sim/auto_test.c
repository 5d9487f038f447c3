/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What `auto` selects and reports: stiff, not stiff, event-dense, stiff later, many states, none. */
#include "rt/field_bench_impl.h"

/* Two decays of the rates given by parameters. */
static void decays(hand *h, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = -h->r->parameter[0] * x[0];
    dx[1] = -h->r->parameter[1] * x[1];
}

static void decays_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)t, (void)x;
    dense[0] = -h->r->parameter[0];
    dense[3] = -h->r->parameter[1];
}

static void run_auto(trial *t, const recipe *r, double stop) {
    trial_init(t, r, HBG_SIM_AUTO, stop);
    t->options.record_every = 2 * stop;
    trial_run(t);
    assert_int_equal(t->status, HBG_RT_OK);
}

static void far_apart_time_constants_are_stiff(void **state) {
    (void)state;
    const recipe r = {
        .n = 2, .start = {1, 1}, .rates = decays, .jacobian = decays_jacobian, .parameter = {1e6, 1e-3}};
    trial t;
    run_auto(&t, &r, 5000);
    assert_string_equal(t.result.solver, "bdf, dense");
    assert_string_equal(t.result.why, "stiff: time constants from 1 µs to 1 ks");
    assert_near(t.result.state[1], exp(-5), 1e-6);
    trial_fini(&t);
}

static void the_same_over_a_short_run_is_not(void **state) {
    (void)state;
    const recipe r = {
        .n = 2, .start = {1, 1}, .rates = decays, .jacobian = decays_jacobian, .parameter = {1e6, 1e-3}};
    trial t;
    run_auto(&t, &r, 1e-4);
    assert_string_equal(t.result.solver, "erk");
    assert_string_equal(t.result.why, "not stiff: nothing is faster than 1 µs in a run of 100 µs");
    trial_fini(&t);
}

static void undamped(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t;
    dx[0] = 1000 * x[1];
    dx[1] = -1000 * x[0];
}

static void undamped_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)t, (void)x;
    dense[1] = 1000;
    dense[2] = -1000;
}

static void what_swings_without_end_is_not_stiff(void **state) {
    (void)state;
    const recipe r = {.n = 2, .start = {1, 0}, .rates = undamped, .jacobian = undamped_jacobian};
    trial t;
    run_auto(&t, &r, 10);
    assert_string_equal(t.result.solver, "erk");
    assert_near(t.result.state[0], cos(1e4), 1e-3);
    trial_fini(&t);
}

static void many_ticks_want_cheap_restarts(void **state) {
    (void)state;
    const recipe r = {.n = 2,
                      .start = {1, 1},
                      .rates = decays,
                      .jacobian = decays_jacobian,
                      .parameter = {1e4, 1},
                      .clock_count = 1,
                      .clocks = {{"control", 1e-3}}};
    trial t;
    run_auto(&t, &r, 1);
    assert_string_equal(t.result.solver, "erk");
    assert_string_equal(t.result.why, "1000 instants known in advance: restarts have to be cheap");
    assert_near(t.result.state[1], exp(-1), 1e-6);
    trial_fini(&t);
}

/* Rate 1 + 10⁶·t: slow at the start */
static void hardening(hand *h, double t, const double *x, double *dx) {
    (void)h;
    dx[0] = -(1 + 1e6 * t) * (x[0] - cos(t));
}

static void hardening_jacobian(hand *h, double t, const double *x, double *dense) {
    (void)h, (void)x;
    dense[0] = -(1 + 1e6 * t);
}

static void what_becomes_stiff_changes_over(void **state) {
    (void)state;
    const recipe r = {.n = 1, .start = {1}, .rates = hardening, .jacobian = hardening_jacobian};
    trial t;
    run_auto(&t, &r, 10);
    assert_string_equal(t.result.solver, "bdf, dense");
    assert_true(strncmp(t.result.why, "not stiff at the start, stiff from ", 35) == 0);
    assert_true(t.result.steps < 5000);
    assert_near(t.result.state[0], cos(10), 1e-5);
    trial_fini(&t);
}

/* A mass of 1 kg falls from 1 m onto a viscous floor: 10⁶ N·s/m below 0, a decay of 1 µs that did not exist
 * before. */
static void fall(hand *h, double t, const double *x, double *dx) {
    dx[0] = x[1];
    dx[1] = -9.81 - (holds(h, 0, t, x) ? 0 : 1e6 * x[1]);
}

static void fall_jacobian(hand *h, double t, const double *x, double *dense) {
    dense[1] = 1;
    dense[3] = holds(h, 0, t, x) ? 0 : -1e6;
}

static void height(hand *h, double t, const double *x, double *g) {
    (void)h, (void)t;
    g[0] = x[0];
}

static void a_contact_that_is_stiff_changes_over(void **state) {
    (void)state;
    const recipe r = {.n = 2,
                      .start = {1, 0},
                      .rates = fall,
                      .jacobian = fall_jacobian,
                      .relations = height,
                      .relation_count = 1};
    double hit = sqrt(2 / 9.81), speed = -sqrt(2 * 9.81), last = -9.81 / 1e6;
    trial t;
    run_auto(&t, &r, 20);
    assert_string_equal(t.result.solver, "bdf, dense");
    assert_non_null(strstr(t.result.why, "not stiff at the start, stiff from 45"));
    assert_true(t.result.steps < 1000);
    assert_near(t.result.state[0], last * (20 - hit) + (speed - last) / 1e6, 1e-8);
    trial_fini(&t);
}

static void nothing_happens(hand *h, double t, const double *x, double *dx) {
    (void)h, (void)t, (void)x;
    dx[0] = 1;
    dx[1] = 0;
}

static void what_only_moves_on_is_said_so(void **state) {
    (void)state;
    const recipe r = {.n = 2, .start = {1, 0}, .rates = nothing_happens};
    trial t;
    run_auto(&t, &r, 1);
    assert_string_equal(t.result.why, "not stiff: nothing swings or decays at the start");
    trial_fini(&t);
}

/* ---- many states ------------------------------------------------------------------------------------- */

enum { CELLS = 1000 };

typedef struct {
    int32_t start[CELLS + 1], row[3 * CELLS];
} pattern;

/* An LC line in units a million apart, matched at its end; a and b are 1/C and 1/L. */
static void line(hand *h, double t, const double *x, double *dx) {
    const double a = 1e6, b = 1;
    int n = h->r->n;
    (void)t;
    for (int i = 0; i < n; i += 2) {
        dx[i] = (i > 0 ? a * x[i - 1] : 0) - a * x[i + 1];
        dx[i + 1] = b * x[i] - (i + 2 < n ? b * x[i + 2] : 1e-3 * a * x[i + 1]);
    }
}

static void line_values(hand *h, double t, const double *x, double *values) {
    int32_t n = h->r->n, k = 0;
    (void)t, (void)x;
    for (int32_t j = 0; j < n; j++) {
        if (j > 0) values[k++] = j % 2 == 0 ? -1 : -1e6;
        if (j == n - 1) values[k++] = -1e3;
        if (j < n - 1) values[k++] = j % 2 == 0 ? 1 : 1e6;
    }
}

static void line_pattern(int32_t n, pattern *p) {
    int32_t k = 0;
    for (int32_t j = 0; j < n; j++) {
        p->start[j] = k;
        if (j > 0) p->row[k++] = j - 1;
        if (j == n - 1) p->row[k++] = j;
        if (j < n - 1) p->row[k++] = j + 1;
    }
    p->start[n] = k;
}

static void nothing(hand *h, double *x) {
    memset(x, 0, (size_t)h->r->n * sizeof *x);
    x[0] = 1;
}

/* Its eigenvalues fill ±2i/√(LC): 2000 rad/s, whatever the units */
static void the_pace_of_a_long_line_is_found_in_any_units(void **state) {
    (void)state;
    static pattern p;
    line_pattern(CELLS, &p);
    const recipe r = {.n = CELLS,
                      .start_at = nothing,
                      .rates = line,
                      .jacobian_values = line_values,
                      .pattern = {CELLS, p.start, p.row}};
    field_bench b;
    double *x = calloc(CELLS, sizeof *x);
    assert_non_null(x);
    field_bench_init(&b, &r, 0, 1, 0);
    hbg_sim_spectrum spectrum;
    assert_int_equal(hbg_sim_spectrum_at(&b.arena, &b.field, 0, x, &spectrum), HBG_RT_OK);
    assert_near(spectrum.fastest, 2000, 20);
    field_bench_fini(&b);
    free(x);
}

/* An RC ladder of 400 cells, driven at one end and open at the other. */
enum { LADDER = 400 };

static void ladder(hand *h, double t, const double *x, double *dx) {
    (void)t;
    for (int i = 0; i < h->r->n; i++)
        dx[i] = (i > 0 ? x[i - 1] : 0) - x[i] - (i + 1 < h->r->n ? x[i] - x[i + 1] : 0);
}

static void ladder_values(hand *h, double t, const double *x, double *values) {
    int32_t n = h->r->n, k = 0;
    (void)t, (void)x;
    for (int32_t j = 0; j < n; j++) {
        if (j > 0) values[k++] = 1;
        values[k++] = j + 1 < n ? -2 : -1;
        if (j + 1 < n) values[k++] = 1;
    }
}

/* Its slowest eigenvalue is −4·sin²(π/(4·n + 2)), a time constant of 65 ks; its fastest is close to −4. */
static void the_slowest_decay_of_a_long_ladder_is_found(void **state) {
    (void)state;
    static pattern p;
    for (int32_t j = 0, k = 0; j < LADDER; p.start[++j] = k) {
        if (j > 0) p.row[k++] = j - 1;
        p.row[k++] = j;
        if (j + 1 < LADDER) p.row[k++] = j + 1;
    }
    const recipe r = {.n = LADDER,
                      .start_at = nothing,
                      .rates = ladder,
                      .jacobian_values = ladder_values,
                      .pattern = {LADDER, p.start, p.row}};
    field_bench b;
    static double x[LADDER];
    hbg_sim_spectrum spectrum;
    field_bench_init(&b, &r, 0, 1, 0);
    assert_int_equal(hbg_sim_spectrum_at(&b.arena, &b.field, 0, x, &spectrum), HBG_RT_OK);
    assert_near(spectrum.fastest_decay, 4, 0.01);
    double half = sin(acos(-1) / (4 * LADDER + 2)), slowest = 4 * half * half;
    assert_near(hbg_sim_spectrum_slowest(&b.arena, &b.field, 0, x, &spectrum), slowest, 1e-6 * slowest);
    field_bench_fini(&b);
    trial t;
    run_auto(&t, &r, 3e6);
    assert_non_null(strstr(t.result.why, "time constants from 250 ms to 65 ks"));
    trial_fini(&t);
}

/* An undamped line of 60 states, smooth: the multistep method is worthwhile with ten digits, but not with
 * six, nor with two states. */
static void adams_is_for_many_states_and_digits(void **state) {
    (void)state;
    static pattern p;
    line_pattern(60, &p);
    const recipe r = {.n = 60,
                      .start_at = nothing,
                      .rates = line,
                      .jacobian_values = line_values,
                      .pattern = {60, p.start, p.row}};
    const recipe few = {.n = 2, .start = {1, 0}, .rates = undamped, .jacobian = undamped_jacobian};
    for (int i = 0; i < 3; i++) {
        trial t;
        trial_init(&t, i < 2 ? &r : &few, HBG_SIM_AUTO, 0.01);
        t.options.rtol = i == 1 ? 1e-6 : 1e-10;
        trial_run(&t);
        assert_int_equal(t.status, HBG_RT_OK);
        assert_string_equal(t.result.solver, i == 0 ? "adams" : "erk");
        if (i == 0) assert_true(strncmp(t.result.why, "smooth, 60 states, many digits; ", 32) == 0);
        trial_fini(&t);
    }
}

/* ---- words ------------------------------------------------------------------------------------------- */

static void durations_are_printed_with_prefixes(void **state) {
    (void)state;
    const struct {
        double seconds;
        const char *text;
    } cases[] = {{1, "1 s"},     {0.012, "12 ms"},    {1500, "1.5 ks"},  {1e-6, "1 µs"},    {0.9999, "1 s"},
                 {999, "999 s"}, {2.5e-13, "250 fs"}, {1e20, "1e+20 s"}, {1e-30, "1e-30 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        hbg_sim_duration_print(text, sizeof text, cases[i].seconds);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_apart_time_constants_are_stiff),
        cmocka_unit_test(the_same_over_a_short_run_is_not),
        cmocka_unit_test(what_swings_without_end_is_not_stiff),
        cmocka_unit_test(many_ticks_want_cheap_restarts),
        cmocka_unit_test(what_becomes_stiff_changes_over),
        cmocka_unit_test(a_contact_that_is_stiff_changes_over),
        cmocka_unit_test(what_only_moves_on_is_said_so),
        cmocka_unit_test(adams_is_for_many_states_and_digits),
        cmocka_unit_test(the_pace_of_a_long_line_is_found_in_any_units),
        cmocka_unit_test(the_slowest_decay_of_a_long_ladder_is_found),
        cmocka_unit_test(durations_are_printed_with_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
