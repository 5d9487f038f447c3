/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rates of what parameters decide while the run moves them: derivatives and works are those of differences in time, code does not
 * say which of them moves, and branches of theirs are located. */
#include "code/compiled_impl.h"

static void begin(fixture *f, const char *text) {
    fixture_open_as(f, text, true);
    fixture_start(f);
}

static void set_line(fixture *f, const char *name, double value, double slope) {
    for (int32_t i = 0; i < f->system->param_count; i++)
        if (strcmp(f->system->params[i].name, name) == 0) {
            assert_fine(f, hbg_rt_set_line(f->run, i, 0, value, slope));
            return;
        }
    fail_msg("no parameter %s", name);
}

/* ---- derivatives ---------------------------------------------------------------------------------------- */

#define FUNCTIONS(X)                                                                                         \
    X("a*b*time")                                                                                            \
    X("a^b + time")                                                                                          \
    X("sqrt(a + time)/b")                                                                                    \
    X("sin(a*time) - cos(b)*time")                                                                           \
    X("max(a, b)*time + min(a*time, b)")                                                                     \
    X("(a > b ? a*a : b)*exp(-time)")                                                                        \
    X("twice*time + abs(b - a)")                                                                             \
    X("a*b")                                                                                                 \
    X("c*a + cosh(b*time)")                                                                                  \
    X("der(a*b*time)")

static double difference(fixture *f, const char *name, double t) {
    const double h = 1e-5;
    return (output_at(f, name, t + h) - output_at(f, name, t - h)) / (2 * h);
}

static void derivatives_are_those_of_differences(void **state) {
    static const char *const functions[] = {
#define X(text) text,
        FUNCTIONS(X)
#undef X
    };
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        fixture f;
        char text[400];
        snprintf(
            text, sizeof text,
            "model M { param a = 2, b = 3, c = 5, twice = 2*a; state z = 0 : der = 1; output o = %s, d = "
            "der(%s); experiment e { stop 1; record o, d; } }",
            functions[i], functions[i]);
        begin(&f, text);
        for (int k = 0; k < 4; k++) { // nothing, one, the other, both; `c` never
            set_line(&f, "a", 2, k & 1 ? 0.75 : 0);
            set_line(&f, "b", 3, k & 2 ? -0.5 : 0);
            for (int n = 1; n < 6; n++) {
                double t = 0.31 * n, d = output_at(&f, "d", t), expected = difference(&f, "o", t);
                if (fabs(d - expected) > 1e-7 * fmax(1, fabs(expected)))
                    fail_msg("%s at %g, %d: %.12g, differences give %.12g", functions[i], t, k, d, expected);
            }
        }
        fixture_close(&f);
    }
}

/* ∂(x^p)/∂p has log(x), of a negative x too; √p has no slope at 0. */
static void what_stays_adds_nothing_whatever_its_slope_is(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { param p = 2, q = 0; state z = 0 : der = 1; output d = der((z - 5)^p), s = "
              "der(sqrt(q)*z); experiment e { stop 1; record d, s; } }");
    set_state(&f, "z", 1);
    assert_exact(output_at(&f, "d", 1), -8);
    assert_exact(output_at(&f, "s", 1), 0);
    fixture_close(&f);
}

/* Two capacitors side by side: the flow of the second is (C2·e)', and the first is (C1 + C2)·e = q. */
static void dependent_storages_follow(void **state) {
    fixture f;
    (void)state;
    begin(&f, "model M { param C1 = 2, C2 = 1; Sf s(3); C a(C1, e = 4); C b(C2, e = 4); 0 n; s -> n; n -> a; "
              "n -> b; output e = n.e, fb = b.f, qb = b.q; experiment e { stop 1; record e, fb, qb; } }");
    set_line(&f, "C2", 1, 0.5);
    double t = 2, c2 = 2, e = 4, whole = 2 + c2; // e' = (3 - C2'·e)/(C1 + C2)
    set_state(&f, "a.q", 2 * e);
    set_state(&f, "b.q", c2 * e);
    double slope = (3 - 0.5 * e) / whole;
    assert_close(output_at(&f, "e", t), e);
    assert_close(output_at(&f, "fb", t), 0.5 * e + c2 * slope);
    assert_close(rate_at(&f, "a.q", t), 2 * slope);
    fixture_close(&f);
}

/* ---- work ----------------------------------------------------------------------------------------------- */

static double energy_at(fixture *f, double t) {
    double energies[4] = {0};
    assert_fine(f, hbg_rt_energies(f->run, t, f->x, energies));
    return energies[0];
}

static double modulation_at(fixture *f, double t) {
    double power[8] = {0}, sum = 0;
    assert_fine(f, hbg_rt_powers(f->run, t, f->x, power));
    for (int32_t i = 0; i < f->system->power_count; i++)
        if (f->system->powers[i].kind == HBG_RT_MODULATED) sum += power[i];
    return sum;
}

/* What a storage gains while its state stays is the work of whoever moves its parameters. */
static void work_is_what_energy_grows_by_while_the_state_stays(void **state) {
    static const struct {
        const char *element;
        int states;
    } cases[] = {
        {"C c(p); R r(1); c -> r;", 1},
        {"I c(p^2 + g); R r(1); c -> r;", 1},
        {"C c[2]([[p, g], [g, 2*p]]); R r(1); R w(1); c[1] -> r; c[2] -> w;", 2},
        {"I c[2]([[p, 0.5], [0.5, 2]]); R r(1); R w(1); c[1] -> r; c[2] -> w;", 2},
        {"C c : e = p*q + g*q^3; R r(1); c -> r;", 1},
        {"C c : e = sinh(p*q)/g; R r(1); c -> r;", 1}, // no polynomial: its integral is left to the run
        {"C c : e = p*cbrt(q/g); R r(1); c -> r;", 1}, // no slope where it begins
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double h = 1e-4;
        fixture f;
        char text[300];
        snprintf(text, sizeof text, "model M { param p = 2, g = 0.5; %s }", cases[i].element);
        begin(&f, text);
        for (int32_t k = 0; k < cases[i].states; k++) f.x[k] = 0.7 + k;
        assert_exact(modulation_at(&f, 1), 0);
        set_line(&f, "p", 2, 0.25);
        set_line(&f, "g", 0.5, 0.125);
        double expected = (energy_at(&f, 1 + h) - energy_at(&f, 1 - h)) / (2 * h);
        assert_true(expected != 0);
        assert_near(modulation_at(&f, 1), expected, 1e-6);
        fixture_close(&f);
    }
}

/* ---- one text ------------------------------------------------------------------------------------------- */

/* Two dependent storages: the compiled text does not say what their values are made of, and which parameter could move them. */
static void the_text_does_not_say_what_moves(void **state) {
    (void)state;
#define MODEL(params, value)                                                                                 \
    "model M { param " params "; Se s(1); R r(2); C a(" value                                                \
    "); C b(a0); 1 j; 0 n; s -> j; j -> r; j -> n; n -> a; n -> b;"                                          \
    "output o = der(n.e); experiment e { stop 1; record o; } }"
    static const char *const models[] = {
        MODEL("a0 = 2, c = 1", "c"), MODEL("a0 = 2, c = 3, g = 2", "c*g/7"),
        MODEL("a0 = 2, c = 3", "-(1 - c)"), MODEL("a0 = 2, c = 3", "floor(c)"), // which has no slope
    };
    const char *first = NULL;
    fixture f[4];
    for (int i = 0; i < 4; i++) {
        begin(&f[i], models[i]);
        const char *text = native_text(
            &f[i],
            (hbg_rt_native_options){.strides = true, .method = HBG_RT_RK4, .books = true, .lines = true});
        if (first && strcmp(text, first) != 0) fail_msg("%s is another text", models[i]);
        first = text;
    }
    for (int i = 0; i < 4; i++) fixture_close(&f[i]);
}

/* ---- branches ------------------------------------------------------------------------------------------- */

#define BRANCH                                                                                               \
    "model M { param a = 0, b = 1, c = 0; state x = 0 : der = max(a, b); state y = 0 : der = (c > 5 ? 1 : "  \
    "2); output m = max(a, b), d = der(max(a, b)*time); experiment e { stop 4; record m, d; } }"

static int32_t roots_near(fixture *f, double t, double *roots, int32_t *which) {
    int32_t count = 0;
    assert_fine(f, hbg_rt_indicators(f->run, t, f->x, roots));
    for (int32_t i = 0; i < f->system->root_count; i++)
        if (roots[i] != 1) {
            *which = i;
            count++;
        }
    return count;
}

/* a = t, and b = 1: between instants the branch stays what it was. */
static void a_branch_that_parameters_decide_is_located(void **state) {
    fixture f;
    double roots[64];
    int32_t which = -1;
    (void)state;
    begin(&f, BRANCH);
    assert_in_range(f.system->root_count, 2, 64);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    assert_int_equal(roots_near(&f, 0, roots, &which), 0); // nothing moves
    set_line(&f, "a", 0, 1);
    assert_fine(&f, hbg_rt_freeze(f.run, 0, f.x, NULL, 0));
    assert_int_equal(roots_near(&f, 0.5, roots, &which), 1); // not that of c, which stays
    assert_exact(roots[which], -0.5);
    assert_int_equal(roots_near(&f, 1.5, roots, &which), 1);
    assert_exact(roots[which], 0.5);
    assert_exact(output_at(&f, "m", 1.5), 1); // it has not been told that it was crossed
    assert_exact(output_at(&f, "d", 1.5), 1);
    assert_exact(output_at(&f, "d", 1), 1);
    assert_fine(&f, hbg_rt_freeze(f.run, 1, f.x, &which, 1));
    assert_exact(output_at(&f, "d", 1), 2); // at the same time on the other side: (t·t)'
    assert_exact(output_at(&f, "m", 1.5), 1.5);
    assert_exact(output_at(&f, "d", 1.5), 3); // (t·t)'
    assert_exact(rate_at(&f, "x", 1.25), 1.25);
    hbg_rt_thaw(f.run);
    assert_exact(output_at(&f, "m", 0.5), 1);
    assert_exact(output_at(&f, "m", 1.5), 1.5);
    set_line(&f, "a", 1, 0); // at equality, and stays there
    assert_fine(&f, hbg_rt_freeze(f.run, 2, f.x, NULL, 0));
    assert_int_equal(roots_near(&f, 3, roots, &which), 0);
    fixture_close(&f);
}

/* Without lines there is nothing to locate, and no derivative of a parameter. */
static void a_model_whose_parameters_stay_has_none_of_it(void **state) {
    fixture f;
    (void)state;
    fixture_begin(&f, BRANCH);
    assert_int_equal(f.system->root_count, 0);
    for (int32_t i = 0; i < f.eqn->terms.nodes.count; i++)
        assert_int_not_equal(f.eqn->terms.nodes.items[i].op, TERM_RATE);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(what_stays_adds_nothing_whatever_its_slope_is),
        cmocka_unit_test(dependent_storages_follow),
        cmocka_unit_test(work_is_what_energy_grows_by_while_the_state_stays),
        cmocka_unit_test(the_text_does_not_say_what_moves),
        cmocka_unit_test(a_branch_that_parameters_decide_is_located),
        cmocka_unit_test(a_model_whose_parameters_stay_has_none_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
