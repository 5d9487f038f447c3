/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"

/* ---- operators ---------------------------------------------------------------------------------------- */

/* x is an integrator, so nothing is computed before the run. */
static void every_operator_has_its_value(void **state) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"x + y", -1.8},
        {"x - y", 3.2},
        {"x*y", 0.7 * -2.5},
        {"x/y", 0.7 / -2.5},
        {"-x", -0.7},
        {"x^3", 0},
        {"y^2", 6.25},
        {"pow(2, x)", 0},
        {"x % 0.3", 0},
        {"y % 1", -0.5},
        {"sin(x)", 0},
        {"cos(x)", 0},
        {"tan(x)", 0},
        {"asin(x)", 0},
        {"acos(x)", 0},
        {"atan(x)", 0},
        {"atan2(x, y)", 0},
        {"sinh(x)", 0},
        {"cosh(x)", 0},
        {"tanh(x)", 0},
        {"exp(x)", 0},
        {"log(x)", 0},
        {"log10(x)", 0},
        {"sqrt(x)", 0},
        {"cbrt(y)", 0},
        {"hypot(x, y)", 0},
        {"abs(y)", 2.5},
        {"min(x, y)", -2.5},
        {"max(x, y)", 0.7},
        {"sign(y)", -1},
        {"sign(x - x)", 0},
        {"floor(y)", -3},
        {"ceil(y)", -2},
        {"ceil(x)", 1},
        {"x > y ? 3 : 4", 3},
        {"x <= y ? 3 : 4", 4},
        {"x == y ? 3 : 4", 4},
        {"x != y ? 3 : 4", 3},
        {"x < y || y < 0 ? 3 : 4", 3},
        {"x < y && y < 0 ? 3 : 4", 4},
        {"!(x < y) ? 3 : 4", 3},
        {"pi*x", 0},
    };
    const double x = 0.7, y = -2.5;
    const double by_library[] = {x * x * x, pow(2, x), fmod(x, 0.3), sin(x),  cos(x),      tan(x),  asin(x),
                                 acos(x),   atan(x),   atan2(x, y),  sinh(x), cosh(x),     tanh(x), exp(x),
                                 log(x),    log10(x),  sqrt(x),      cbrt(y), hypot(x, y), M_PI * x};
    int next = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        fixture f;
        snprintf(text, sizeof text,
                 "model M { state x = 0.7 : der = 0; state y = -2.5 : der = 0; signal s = %s;"
                 "experiment e { stop 1; record s; } }",
                 cases[i].text);
        fixture_begin(&f, text);
        bool library = cases[i].value == 0 && strcmp(cases[i].text, "sign(x - x)") != 0;
        double expected = library ? by_library[next++] : cases[i].value;
        if (!is_near(output_of(&f, "s"), expected, 4e-16))
            fail_msg("%s is %.17g, not %.17g", cases[i].text, f.y[0], expected);
        fixture_close(&f);
    }
    assert_int_equal(next, sizeof by_library / sizeof *by_library);
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static void write_table(void) {
    FILE *file = fopen("table.csv", "w");
    assert_non_null(file);
    fputs("t,v\n0,1\n1,3\n1,10\n2,12\n4,0\n", file); // a jump at 1
    fclose(file);
}

static void tables_are_linear_between_points_and_held_outside(void **state) {
    static const double points[][2] = {{-5, 1},   {0, 1},  {0.5, 2}, {0.999, 2.998}, {1, 10},
                                       {1.5, 11}, {2, 12}, {3, 6},   {4, 0},         {9, 0}};
    fixture f;
    (void)state;
    write_table();
    fixture_begin(&f, "model M { state x = 0 : der = 0; signal s = table(\"table.csv\", \"v\", x); "
                      "experiment e { stop 1; record s; } }");
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        set_state(&f, "x", points[i][0]);
        assert_close(output_of(&f, "s"), points[i][1]);
    }
    fixture_close(&f);
}

static void a_table_has_the_slope_of_its_interval(void **state) {
    static const double slopes[][2] = {{-5, 0}, {0.5, 2}, {1, 2}, {1.5, 2}, {3, -6}, {9, 0}};
    fixture f;
    (void)state;
    write_table();
    fixture_begin(&f, "model M { Se s(table(\"table.csv\", \"v\")); C c(3); s -> c; }");
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++)
        assert_close(rate_at(&f, "c.q", slopes[i][0]), 3 * slopes[i][1]);
    fixture_close(&f);
}

/* ---- located relations -------------------------------------------------------------------------------- */

/* x' = the law of x; one relation, root 0. */
static void open_law(fixture *f, const char *law, double x) {
    char text[300];
    snprintf(text, sizeof text, "model M { state x = 0 : der = %s; }", law);
    fixture_begin(f, text);
    assert_int_equal(f->code->image.pool.located.count, 1);
    set_state(f, "x", x);
}

static double law_at(fixture *f, double x) {
    set_state(f, "x", x);
    return rate_of(f, "x");
}

static double root_at(fixture *f, double x) {
    double g[64];
    assert_true(f->system->root_count <= 64);
    set_state(f, "x", x);
    assert_fine(f, hbg_rt_indicators(f->run, 0, f->x, g));
    return g[0];
}

static void freeze(fixture *f, double x, bool crossed) {
    const int32_t first = 0;
    set_state(f, "x", x);
    assert_fine(f, hbg_rt_freeze(f->run, 0, f->x, &first, crossed));
}

static void a_frozen_operator_stays_on_its_branch_until_crossed(void **state) {
    static const struct {
        const char *law;
        double inside, border, beyond; /* points */
        double kept, crossed;          /* value at `beyond` on the old branch, and on the new one */
    } cases[] = {
        {"abs(x)", 1, 0, -2, -2, 2},          {"abs(x)", -1, 0, 2, -2, 2},
        {"min(x, 3)", 2, 3, 5, 5, 3},         {"max(3, x)", 2, 3, 5, 3, 5},
        {"x < 3 ? 10 : 20", 2, 3, 5, 10, 20}, {"x >= 3 ? 10 : 20", 4, 3, 1, 10, 20},
        {"sign(x)", 1, 0, -2, 1, -1},         {"floor(x)", 2.5, 3, 3.5, 2, 3},
        {"floor(x)", 2.5, 2, 1.5, 2, 1},      {"ceil(x)", 2.5, 3, 3.5, 3, 4},
        {"x % 2", 3.5, 4, 4.5, 2.5, 0.5},     {"x % 2", -1.5, -2, -2.5, -2.5, -0.5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        open_law(&f, cases[i].law, cases[i].inside);
        double direct = law_at(&f, cases[i].beyond);
        freeze(&f, cases[i].inside, false);
        double before = root_at(&f, cases[i].inside), after = root_at(&f, cases[i].beyond);
        if (!(before * after < 0)) fail_msg("%s: roots %g and %g", cases[i].law, before, after);
        assert_tiny(root_at(&f, cases[i].border), 1e-15);
        assert_close(law_at(&f, cases[i].beyond), cases[i].kept);
        freeze(&f, cases[i].border, true);
        assert_close(law_at(&f, cases[i].beyond), cases[i].crossed);
        hbg_rt_thaw(f.run);
        assert_exact(law_at(&f, cases[i].beyond), direct);
        assert_close(direct, cases[i].crossed);
        fixture_close(&f);
    }
}

/* (0,1) (1,3) (1,10) (2,12) (4,0) */
static void a_frozen_table_goes_from_interval_to_interval(void **state) {
    fixture f;
    (void)state;
    write_table();
    open_law(&f, "table(\"table.csv\", \"v\", x)", 0.5);
    freeze(&f, 0.5, false);
    double inside = root_at(&f, 0.5);
    assert_true(inside * root_at(&f, 1.5) < 0 && inside * root_at(&f, -0.5) < 0);
    assert_close(law_at(&f, 1.5), 4);           // the first line continues
    freeze(&f, 1, true);                        // over the jump in one go
    assert_true(inside * root_at(&f, 1.5) < 0); // the point beyond is inside now, with the same sign
    assert_close(law_at(&f, 1.5), 11);
    assert_close(law_at(&f, 0.5), 9);
    freeze(&f, 1, true); // and back
    assert_close(law_at(&f, 0.5), 2);
    freeze(&f, 0, true);
    assert_close(law_at(&f, -3), 1);
    assert_true(root_at(&f, -3) * root_at(&f, 0.1) < 0 && inside * root_at(&f, -3) < 0);
    freeze(&f, 3, false);
    freeze(&f, 4, true);
    assert_close(law_at(&f, 7), 0);
    fixture_close(&f);
}

/* x·(x > 0 ? 1 : −1) + abs(x) have one border; each keeps its own relation, and both are crossed there. */
static void relations_are_located_one_by_one(void **state) {
    fixture f;
    const int32_t both[] = {0, 1};
    (void)state;
    fixture_begin(&f, "model M { state x = 1 : der = (x > 0 ? 10 : 20) + abs(x - 2); }");
    assert_int_equal(f.code->image.pool.located.count, 2);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    assert_close(law_at(&f, -1), 13);
    set_state(&f, "x", 0);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, both, 2));
    assert_close(law_at(&f, -1), 20 - 3); // abs on the side of +, its present branch
    fixture_close(&f);
}

/* Inside a loop the branch is that of the solution: 4 = f + |f| at 2; frozen there, −4 gives −2. */
static void a_branch_inside_a_loop_is_frozen_too(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { state x = 4 : der = r.f; Se s(1*x); R r : e = 2*f + abs(f); s -> r; }");
    freeze(&f, 3, false);
    assert_close(law_at(&f, -3), -1);
    freeze(&f, 0, true);
    assert_close(law_at(&f, -3), -3);
    hbg_rt_thaw(f.run);
    assert_close(law_at(&f, -3), -3);
    assert_close(law_at(&f, 3), 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_its_value),
        cmocka_unit_test(tables_are_linear_between_points_and_held_outside),
        cmocka_unit_test(a_table_has_the_slope_of_its_interval),
        cmocka_unit_test(a_frozen_operator_stays_on_its_branch_until_crossed),
        cmocka_unit_test(a_frozen_table_goes_from_interval_to_interval),
        cmocka_unit_test(relations_are_located_one_by_one),
        cmocka_unit_test(a_branch_inside_a_loop_is_frozen_too),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
