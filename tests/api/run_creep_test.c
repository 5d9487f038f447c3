/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs in which something creeps that is derived, stores, or decides a branch, against closed forms, with every kind of solver. */
#include "run_fixture_impl.h"

static json_t *run_text(const char *text, const char *solver, hbg_engine engine) {
    run_fixture f = fixture_load(text, NULL);
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text words;
    options.json = true;
    options.solver = solver;
    options.engine = engine;
    options.rtol = 1e-10;
    hbg_status status = hbg_run(f.session, f.model, &options, &end, &words);
    if (status != HBG_OK) fail_msg("%s", hbg_session_reason(f.session));
    assert_int_equal(end, HBG_RUN_FINISHED);
    json_t *json = read_json(&f, &words);
    fixture_free(&f);
    return json;
}

typedef struct {
    const char *name;
    double value;
} answer;

/* By solvers of all kinds: to their tolerance, and those of fixed steps to that of their order. */
static void assert_answers(const char *text, const answer *answers, int count, double fixed) {
    static const struct {
        const char *solver;
        hbg_engine engine;
    } ways[] = {{"erk", HBG_ENGINE_INTERPRETER},
                {"bdf", HBG_ENGINE_INTERPRETER},
                {"rk4", HBG_ENGINE_INTERPRETER},
                {"trapezoidal", HBG_ENGINE_INTERPRETER}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        json_t *json = run_text(text, ways[i].solver, ways[i].engine);
        double share = i < 2 ? 1e-6 : fixed;
        for (int k = 0; k < count; k++) {
            double value = final_of(json, answers[k].name), expected = answers[k].value;
            if (!(fabs(value - expected) <= share * fmax(1, fabs(expected))))
                fail_msg("%s: %s is %.12g, not %.12g", ways[i].solver, answers[k].name, value, expected);
        }
        if (!(fabs(ledger_of(json, "residual")) <= 10 * share * ledger_of(json, "scale")))
            fail_msg("%s: the balance lacks %g", ways[i].solver, ledger_of(json, "residual"));
        json_decref(json);
    }
}

/* C = 1 + t charged over 1 Ohm from 1 V: q' = 1 - q/(1 + t), q = (u - 1/u)/2 with u = 1 + t. */
static const char charged[] =
    "model M { param C1 = 1 [F]; Se s(1 [V]); R r(1 [Ohm]); C c(C1); 1 j; s -> j -> r; j -> c;\n"
    "  output q = c.q, e = c.e; experiment e { stop 3 [s]; solver rk4 step 1 [ms]; %s } }\n";

static void a_capacitance_that_creeps_is_charged(void **state) {
    static const char *const faults[] = {
        "fault at 0 [s]: C1 incipient 1 [F/s];", "fault at 0 [s]: c incipient 100 [%/s];",
        "fault at 0 [s]: c incipient 50 [%/s]; fault at 0 [s]: c incipient 0.5 [F/s];"};
    static const answer expected[] = {{"q", 1.875}, {"e", 1.875 / 4}};
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[700];
        snprintf(text, sizeof text, charged, faults[i]);
        assert_answers(text, expected, 2, 1e-6);
    }
}

/* ∫ -½·(q/C)²·C' dt = -½ ∫ ((1 - u⁻²)/2)² du from 1 to 4. */
static void its_work_is_by_modulation(void **state) {
    double u = 4, integral = (u + 2 / u - 1 / (3 * u * u * u) - (1 + 2 - 1 / 3.0)) / 4;
    char text[700];
    (void)state;
    snprintf(text, sizeof text, charged, "fault at 0 [s]: C1 incipient 1 [F/s];");
    json_t *json = run_text(text, "erk", HBG_ENGINE_INTERPRETER);
    size_t i;
    json_t *line;
    double work = NAN;
    json_array_foreach(json_object_get(json_object_get(json, "ledger"), "work"), i, line) {
        if (strcmp(json_string_value(json_object_get(line, "kind")), "modulated") != 0) continue;
        work = json_number_value(json_object_get(line, "work"));
    }
    assert_true(fabs(work + integral / 2) < 1e-7);
    json_decref(json);
}

/* Two side by side have the charge of one; the second, which creeps, has its share: (1/2 + t)·e. */
static void of_two_capacitances_one_creeps(void **state) {
    static const answer expected[] = {{"e", 1.875 / 4}, {"qb", 3.5 * 1.875 / 4}, {"qa", 0.5 * 1.875 / 4}};
    (void)state;
    assert_answers(
        "model M { Se s(1 [V]); R r(1 [Ohm]); C a(0.5 [F]); C b(0.5 [F]); 1 j; 0 n; s -> j -> r; j -> n;\n"
        "  n -> a; n -> b; output e = n.e, qa = a.q, qb = b.q;\n"
        "  experiment e { stop 3 [s]; solver rk4 step 1 [ms]; fault at 0 [s]: b incipient 1 [F/s]; } }\n",
        expected, 3, 1e-6);
}

/* x = exp(-t), a = 1 + t from 0 on: (a·x)' = -t·exp(-t). That of a alone is its slope while it creeps. */
static void a_product_that_creeps_is_derived(void **state) {
    const answer expected[] = {{"d", -3 * exp(-3)}, {"alone", 1}, {"before", 0}, {"second", 2 * exp(-3)}};
    (void)state;
    assert_answers(
        "model M { param a = 1, b = 2; state x = 1 : der = -x/(1 [s]); output d = der(a*x)*(1 [s]), alone = "
        "der(a)*(1 [s]), before = der(b)*(1 [s]), second = der(der(a*x))*(1 [s2]);\n"
        "  experiment e { stop 3 [s]; solver rk4 step 1 [ms]; fault at 0 [s]: a incipient 1 [1/s];\n"
        "  fault at 1 [s] until 2 [s]: b incipient 1 [1/s]; } }\n",
        expected, 4, 1e-6);
}

/* a = t passes b = 1 at 1 s; the parameter `most` follows it. Where 5 begins at 1.25 s a step that passes it by would be far off. */
static void a_branch_changes_where_parameters_cross(void **state) {
    static const answer expected[] = {{"y", 5}, {"z", 5 * 1.75}, {"w", 0 + 1 + 2}, {"late", 1}};
    const char *text =
        "model M { param a = 0, b = 1, most = max(a, b); state y = 0 : der = most/(1 [s]);\n"
        "  state z = 0 : der = (a > 1.25 ? 5 : 0)/(1 [s]); state w = 0 : der = floor(a)/(1 [s]);\n"
        "  automaton g { off low -> high when a > 2.5; on high -> low when b < 0; }\n"
        "  state late = 0 : der = (g ? 2 : 0)/(1 [s]); output o = y;\n"
        "  experiment e { stop 3 [s]; solver rk4 step 0.5 [ms]; record y, z, w, late;\n"
        "    fault at 0 [s]: a incipient 1 [1/s]; } }\n";
    (void)state;
    assert_answers(text, expected, 4, 3e-3); // who looks once a step finds it there
    json_t *json = run_text(text, "erk", HBG_ENGINE_INTERPRETER);
    json_t *statistics = json_object_get(json, "statistics");
    assert_int_equal(json_integer_value(json_object_get(statistics, "crossings")),
                     5); // 1 twice, 1.25, 2, 2.5
    json_decref(json);
}

/* A force that is limited both ways, with a limit that falls: its law has kinks, and a kink takes part in the work. */
static void a_law_with_kinks_creeps(void **state) {
    (void)state;
    json_t *json =
        run_text("model M { param k = 100 [N/m], most = 5 [N]; I mass(1 [kg]); 1 motion;\n"
                 "  C spring(q = 0.2 [m]) : e = min(max(k*q, -most), most);\n"
                 "  motion -> mass; motion -> spring; output x = spring.q;\n"
                 "  experiment e { stop 5 [s]; fault at 0.05 [s] until 0.4 [s]: most incipient -60 "
                 "[%/s]; } }\n",
                 "erk", HBG_ENGINE_INTERPRETER);
    assert_true(fabs(ledger_of(json, "residual")) <= 1e-8 * ledger_of(json, "scale"));
    json_decref(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capacitance_that_creeps_is_charged),
        cmocka_unit_test(its_work_is_by_modulation),
        cmocka_unit_test(of_two_capacitances_one_creeps),
        cmocka_unit_test(a_product_that_creeps_is_derived),
        cmocka_unit_test(a_branch_changes_where_parameters_cross),
        cmocka_unit_test(a_law_with_kinks_creeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
