/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "eqn/fixture_impl.h"

/* What else is read out has loops of the same kind behind it. */
static hbg_rt_loop_view first_loop(const fixture *f) {
    assert_true(f->code->image.pool.loops.count > 0);
    return hbg_rt_loop_at(&f->code->image, 0);
}

/* e = R·f with f = 1, −2, 3, −4, 5, −6 chosen, R diagonally dominant: the sources are R·f by hand (by whole numbers). */
static void fields_of_up_to_six_ports_are_inverted(void **state) {
    (void)state;
    for (int n = 1; n <= 6; n++) {
        char text[4096], record[256] = "";
        int size = snprintf(text, sizeof text, "model M { R r[%d]([", n);
        int sum[6] = {0}, flow[6] = {1, -2, 3, -4, 5, -6};
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                int entry = i == k ? 9 + i : (3 * i + 5 * k) % 4 - 1;
                sum[i] += entry * flow[k];
                const char *open = k == 0 ? i == 0 ? "[" : ", [" : ", ";
                size += snprintf(text + size, sizeof text - (size_t)size, "%s%d%s", open, entry,
                                 k == n - 1 ? "]" : "");
            }
        size += snprintf(text + size, sizeof text - (size_t)size, "]); ");
        for (int i = 0; i < n; i++) {
            size += snprintf(text + size, sizeof text - (size_t)size, "Se s%d(%d); s%d -> r[%d]; ", i, sum[i],
                             i, i + 1);
            snprintf(record + strlen(record), sizeof record - strlen(record), "%ss%d.f", i ? ", " : "", i);
        }
        snprintf(text + size, sizeof text - (size_t)size, "experiment e { stop 1; record %s; } }", record);
        if (n == 1) memcpy(strstr(text, "r[1]([[9]])"), "r   (   9 )", 11); // a resistor of its own
        if (n == 1) memcpy(strstr(text, "-> r[1]"), "-> r   ", 7);
        fixture f;
        fixture_begin(&f, text);
        for (int i = 0; i < n; i++) {
            char name[16];
            snprintf(name, sizeof name, "s%d.f", i);
            assert_near(output_of(&f, name), flow[i], 1e-13);
        }
        if (n > 1) assert_true(first_loop(&f).linear);
        fixture_close(&f);
    }
}

/* Two meshes: 10 = 2·a + 4·(a − b), 0 = 4·(b − a) + 6·b. Determinant 6·10 − 16 = 44: a = 100/44, b = 40/44. */
static void two_meshes_are_solved_as_one_loop(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(10); R r(2); R m(4); R t(6); 1 a; 1 b; 0 n; s -> a; a -> r; a -> n; n "
                      "-> m; n -> b; b -> t;"
                      "experiment e { stop 1; record a.f, b.f; } }");
    assert_close(output_of(&f, "a.f"), 100.0 / 44);
    assert_close(output_of(&f, "b.f"), 40.0 / 44);
    assert_true(first_loop(&f).linear);
    fixture_close(&f);
}

/* A ladder that ends in its own input resistance: R = r + 12·R/(12 + R) gives R = 4 for r = 1. */
static void begin_ladder(fixture *f, int sections) {
    char *text = malloc(200 * (size_t)sections + 300);
    assert_non_null(text);
    int size = sprintf(text, "model M { param r = 1, end = 4; Se s(8); 1 a0; s -> a0; ");
    for (int i = 0; i < sections; i++)
        size += sprintf(text + size,
                        "R r%d(r); R g%d(12); 0 n%d; 1 a%d; a%d -> r%d; a%d -> n%d; n%d -> g%d; n%d -> a%d; ",
                        i, i, i, i + 1, i, i, i, i, i, i, i, i + 1);
    sprintf(text + size, "R last(end); a%d -> last; experiment e { stop 1; record s.f, last.f; } }",
            sections);
    fixture_begin(f, text);
    free(text);
}

static void a_ladder_needs_few_unknowns(void **state) {
    fixture f;
    (void)state;
    begin_ladder(&f, 12);
    assert_close(output_of(&f, "s.f"), 2);
    assert_close(output_of(&f, "last.f"), 2 * pow(0.75, 12));
    assert_true(first_loop(&f).count <= 24); // some 70 variables read one another
    assert_false(first_loop(&f).is_sparse);
    fixture_close(&f);
}

/* ---- large loops -------------------------------------------------------------------------------------- */

typedef struct {
    int factored, solved;
    int32_t count, pivot[1000];
    double *matrix;
} dense_solver;

static bool factor_dense(void *context, int32_t key, hbg_rt_pattern pattern, const double *values) {
    dense_solver *solver = context;
    (void)key;
    assert_in_range(pattern.count, 1, 1000);
    size_t n = (size_t)pattern.count;
    solver->factored++;
    solver->count = pattern.count;
    memset(solver->matrix, 0, n * n * sizeof *solver->matrix);
    for (int32_t j = 0; j < pattern.count; j++)
        for (int32_t k = pattern.start[j]; k < pattern.start[j + 1]; k++) {
            assert_true(k == pattern.start[j] || pattern.row[k] > pattern.row[k - 1]);
            solver->matrix[(size_t)pattern.row[k] * n + (size_t)j] = values[k];
        }
    return hbg_rt_lu_factor(pattern.count, solver->matrix, solver->pivot, NULL);
}

static void solve_dense(void *context, int32_t key, double *b) {
    dense_solver *solver = context;
    (void)key;
    solver->solved++;
    hbg_rt_lu_solve(solver->count, solver->matrix, solver->pivot, b);
}

/* One factorization serves until a parameter changes. */
static void a_large_loop_is_sparse_and_factored_once(void **state) {
    fixture f;
    dense_solver solver = {.matrix = malloc(1000 * 1000 * sizeof(double))};
    const hbg_rt_solver lent = {&solver, factor_dense, solve_dense};
    (void)state;
    assert_non_null(solver.matrix);
    begin_ladder(&f, 60);
    hbg_rt_loop_view found = first_loop(&f);
    assert_true(found.is_sparse && found.linear && found.is_constant);
    assert_true(found.entry_count < 5 * found.count);
    assert_near(output_of(&f, "s.f"), 2, 1e-12); // a dense matrix does where nothing was lent
    hbg_rt_lend(f.run, &lent);
    for (int i = 0; i < 5; i++) assert_near(output_of(&f, "s.f"), 2, 1e-12);
    assert_near(output_of(&f, "last.f"), 2 * pow(0.75, 60), 1e-12);
    assert_int_equal(solver.factored, 1);
    assert_true(solver.solved >= 6);
    double r = 4.0 / 3, R = (r + sqrt(r * r + 48 * r)) / 2; // R² − r·R − 12·r = 0
    set_param(&f, "r", r);
    set_param(&f, "end", R);
    assert_near(output_of(&f, "s.f"), 8 / R, 1e-12);
    assert_true(solver.factored > 1);
    fixture_close(&f);
    free(solver.matrix);
}

/* From the far end, where a flow of 1 is chosen, back to the source that gives it. */
static void a_large_nonlinear_loop_is_solved(void **state) {
    fixture f;
    double flow = 1, effort = 4 * flow;
    char *text = malloc(30000);
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < 40; i++) {
        flow += effort / 1000;
        effort += flow + flow * flow * flow / 4;
    }
    int size = sprintf(text, "model M { Se s(%.17g); 1 a0; s -> a0; ", effort);
    for (int i = 0; i < 40; i++)
        size +=
            sprintf(text + size,
                    "R r%d : e = f + f^3/4; R g%d(1000); 0 n%d; 1 a%d; a%d -> r%d; a%d -> n%d; n%d -> g%d; "
                    "n%d -> a%d; ",
                    i, i, i, i + 1, i, i, i, i, i, i, i, i + 1);
    sprintf(text + size, "R last(4); a40 -> last; experiment e { stop 1; record s.f, last.f; } }");
    fixture_begin(&f, text);
    assert_true(first_loop(&f).is_sparse && !first_loop(&f).linear);
    assert_near(output_of(&f, "s.f"), flow, 1e-11);
    assert_near(output_of(&f, "last.f"), 1, 1e-11);
    fixture_close(&f);
    free(text);
}

/* ---- what is in a loop --------------------------------------------------------------------------------- */

static void a_nonlinear_law_makes_the_loop_nonlinear(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(12); R a : e = f + f^3; R b(1); 1 j; s -> j; j -> a; j -> b; "
                      "experiment e { stop 1; record j.f; } }");
    assert_close(output_of(&f, "j.f"), 2);
    assert_false(first_loop(&f).linear);
    fixture_close(&f);
}

/* A factor that the loop does not change is computed before it and leaves it linear. */
static void what_the_unknowns_do_not_reach_is_outside(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, "model M { Se s(12); R a(exp(c.q)*cos(c.q)); R b(1); 1 j; s -> j; j -> a; j -> b; C "
                      "c(1); R d(1); c -> d;"
                      "experiment e { stop 1; record j.f; } }");
    assert_close(output_of(&f, "j.f"), 6);
    hbg_rt_loop_view found = first_loop(&f);
    assert_true(found.linear);
    hbg_rt_program body = hbg_rt_program_at(&f.code->image, found.body);
    for (int32_t i = 0; i < body.count; i++)
        assert_true(body.code[i].op != HBG_OP_EXP && body.code[i].op != HBG_OP_COS);
    fixture_close(&f);
}

/* A relation on an unknown has no derivative, but the loop has to go round it: 12 = 0.5·f + 6 + f above f = 3. */
static void a_relation_on_an_unknown_is_part_of_the_loop(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { Se s(12); R a : e = 0.5*f + (f > 3 ? 6 : 0); R b(1); 1 j; s -> j; j -> a; j -> b;"
            "experiment e { stop 1; record j.f; } }");
    assert_false(first_loop(&f).linear);
    assert_close(output_of(&f, "j.f"), 4);
    fixture_close(&f);
}

/* The rates of dependent storages are a loop of their own: masses 2 and 3 joined by a modulus 2, f' = 10/(2 + 12). */
static void rates_of_dependent_storages_are_a_loop(void **state) {
    fixture f;
    (void)state;
    fixture_begin(
        &f, "model M { Se s(10); I a(2); TF t(2); I b(3); 1 j; 1 k; s -> j; j -> a; j -> t -> k; k -> b; }");
    assert_close(rate_of(&f, "a.p"), 20.0 / 14);
    assert_close(rate_of(&f, "b.p"), 3 * 2 * 10.0 / 14);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_up_to_six_ports_are_inverted),
        cmocka_unit_test(two_meshes_are_solved_as_one_loop),
        cmocka_unit_test(a_ladder_needs_few_unknowns),
        cmocka_unit_test(a_large_loop_is_sparse_and_factored_once),
        cmocka_unit_test(a_large_nonlinear_loop_is_solved),
        cmocka_unit_test(a_nonlinear_law_makes_the_loop_nonlinear),
        cmocka_unit_test(what_the_unknowns_do_not_reach_is_outside),
        cmocka_unit_test(a_relation_on_an_unknown_is_part_of_the_loop),
        cmocka_unit_test(rates_of_dependent_storages_are_a_loop),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
