/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs with faults through the public header, against what can be computed by hand. */
#include "run_fixture_impl.h"

#include "rt/sensor.h"

/* A charge of 1 C that a resistor of 1 Ohm takes from a capacitor of 1 F: q = exp(-t) while nothing is wrong. */
#define DISCHARGE                                                                                            \
    "model D { param C1 = 1 [F], R1 = 1 [Ohm], R2 = R1, both = R2; C c(C1, q = 1 [C]); R r(%s); c -> r;\n"   \
    "  output q = c.q; experiment e { stop 3 [s]; %s } }\n"

/* A capacitor charged to 1 V over a relay: v = 1 - exp(-t) while it is closed. */
#define RELAY                                                                                                \
    "model Relay { input bool shut = true; Se s(1 [V]); R r(1 [Ohm]); C c(1 [F]); 1 j when relay;\n"         \
    "  s -> j -> r; j -> c; output v = c.e;\n"                                                               \
    "  automaton relay { on closed -> open when !shut; off open -> closed when shut; }\n"                    \
    "  experiment e { stop 3 [s]; %s } }\n"

typedef struct {
    const char *solver;
    double rtol;
    uint64_t seed;
    const char *file, *events;
    const char *const *faults;
    int fault_count;
} wishes;

/* What became of the run of a text with %s for the faults. */
static json_t *run_text(const char *text, wishes wish) {
    hbg_load_options load = {.faults = wish.faults, .fault_count = wish.fault_count};
    run_fixture f = fixture_load(text, &load);
    hbg_run_options options = hbg_run_options_default();
    const char *files[] = {wish.file};
    hbg_run_end end;
    hbg_text words;
    options.json = true;
    options.solver = wish.solver;
    options.rtol = wish.rtol > 0 ? wish.rtol : 1e-9;
    if (wish.seed > 0) options.seed = wish.seed;
    options.files = files;
    options.file_count = wish.file ? 1 : 0;
    options.events = wish.events;
    hbg_status status = hbg_run(f.session, f.model, &options, &end, &words);
    if (status != HBG_OK) fail_msg("%s", hbg_session_reason(f.session));
    assert_int_equal(end, HBG_RUN_FINISHED);
    json_t *json = read_json(&f, &words);
    fixture_free(&f);
    return json;
}

static void assert_close(double value, double expected, double share) {
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%.17g is not %.17g to %g", value, expected, share);
}

static void assert_balanced(json_t *json) {
    assert_true(fabs(ledger_of(json, "residual")) <= 1e-7 * ledger_of(json, "scale"));
}

/* The charge at 3 s with the resistor's value and the faults given. */
static void assert_charge(const char *value, const char *faults, double expected) {
    char text[1000];
    snprintf(text, sizeof text, DISCHARGE, value, faults);
    json_t *json = run_text(text, (wishes){0});
    assert_close(final_of(json, "q"), expected, 1e-7);
    assert_balanced(json);
    json_decref(json);
}

/* ---- parameters --------------------------------------------------------------------------------------- */

static void an_abrupt_fault_changes_the_value_at_its_time(void **state) {
    (void)state;
    double expected = exp(-1) * exp(-2 / 0.5);
    assert_charge("1 [Ohm]", "fault at 1 [s]: r.R abrupt -50 [%];", expected);
    assert_charge("1 [Ohm]", "fault at 1 [s]: r abrupt -0.5 [Ohm];", expected);
    assert_charge("R1", "fault at 1 [s]: R1 abrupt -50 [%];", expected);
    assert_charge("R1", "fault at 1 [s]: R1 abrupt -500 [mOhm];", expected);
    assert_charge("R1", "fault at 1 [s]: r.R abrupt -50 [%];", expected);
    assert_charge("2*R1 - R2", "fault at 1 [s]: r.value abrupt -50 [%];", expected);
}

/* R2 follows R1, and `both` R2. */
static void what_is_defined_by_a_faulty_parameter_follows_it(void **state) {
    (void)state;
    double expected = exp(-1) * exp(-2 / 0.5);
    assert_charge("R2", "fault at 1 [s]: R1 abrupt -50 [%];", expected);
    assert_charge("both", "fault at 1 [s]: R1 abrupt -50 [%];", expected);
    assert_charge("both", "fault at 1 [s]: R1 abrupt 100 [%]; fault at 1 [s]: R2 abrupt -1.5 [Ohm];",
                  expected);
    assert_charge("R2 + R1/1e9", "set R2 = 1 [Ohm]; fault at 1 [s]: R1 abrupt -50 [%];", exp(-3));
    assert_charge("R1 + both/1e9", "fault at 1 [s]: R2 abrupt -50 [%];", exp(-3)); // R1 does not
}

/* R = 1 + (t - 1): q' = -q/R, so that q = exp(-1)/R. */
static void an_incipient_fault_is_a_function_of_time(void **state) {
    (void)state;
    double expected = exp(-1) / 3;
    assert_charge("1 [Ohm]", "fault at 1 [s]: r.R incipient 1 [Ohm/s];", expected);
    assert_charge("1 [Ohm]", "fault at 1 [s]: r.R incipient 100 [%];", expected);
    assert_charge("R1", "fault at 1 [s]: R1 incipient 100 [%/s];", expected);
    assert_charge("both", "fault at 1 [s]: R1 incipient 1 [Ohm/s];", expected);
    // from 2 s on twice as steep: R = 2 + 2·(t - 2), q = exp(-1)/2·sqrt(2/R)
    assert_charge("1 [Ohm]",
                  "fault at 1 [s]: r.R incipient 1 [Ohm/s]; fault at 2 [s]: r.R incipient 1 [Ohm/s];",
                  exp(-1) / 2 * sqrt(0.5));
}

static void every_solver_follows_an_incipient_fault(void **state) {
    (void)state;
    static const char *const solvers[] = {"erk", "bdf", "adams", "rk4"};
    char text[1000];
    snprintf(text, sizeof text, DISCHARGE, "1 [Ohm]",
             "solver rk4 step 10 [ms]; fault at 1.0005 [s]: r.R incipient 1 [Ohm/s];");
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        json_t *json = run_text(text, (wishes){.solver = solvers[i]});
        assert_close(final_of(json, "q"), exp(-1.0005) / 2.9995, 1e-6);
        json_decref(json);
    }
}

static void a_fault_with_an_end_leaves_the_nominal_value(void **state) {
    (void)state;
    assert_charge("1 [Ohm]", "fault at 1 [s] until 2 [s]: r.R stuck 2 [Ohm];", exp(-2.5));
    assert_charge("R1", "fault at 1 [s] until 2 [s]: R1 abrupt 1 [Ohm];", exp(-2.5));
    assert_charge("1 [Ohm]", "fault at 1 [s] until 2 [s]: r.R incipient 1 [Ohm/s];", exp(-2) / 2);
}

/* Of two that hold a value the later wins, and the earlier is back when it ends; what adds up waits meanwhile. */
static void faults_on_one_value_work_together(void **state) {
    (void)state;
    assert_charge("1 [Ohm]",
                  "fault at 0 [s]: r.R stuck 2 [Ohm]; fault at 1 [s] until 2 [s]: r.R stuck 4 [Ohm];",
                  exp(-0.5 - 0.25 - 0.5));
    assert_charge("1 [Ohm]",
                  "fault at 0 [s]: r.R abrupt 1 [Ohm]; fault at 0 [s]: r.R abrupt 200 [%];"
                  "fault at 1 [s] until 2 [s]: r.R stuck 1 [Ohm];",
                  exp(-0.25 - 1 - 0.25));
}

/* ---- storages and the ledger -------------------------------------------------------------------------- */

/* At 1 s q = exp(-1); the capacitance doubles, and the charge stays. */
static void a_capacitance_that_jumps_keeps_its_charge_and_does_work(void **state) {
    (void)state;
    static const char *const faults[] = {"fault at 1 [s]: c.C abrupt 100 [%];",
                                         "fault at 1 [s]: C1 stuck 2 [F];"};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text, DISCHARGE, "1 [Ohm]", faults[i]);
        json_t *json = run_text(text, (wishes){0});
        assert_close(final_of(json, "q"), exp(-1 - 2 * 0.5), 1e-7);
        assert_close(ledger_of(json, "by_parameters"), exp(-2) / 4 - exp(-2) / 2, 1e-7);
        assert_true(ledger_of(json, "lost_in_jumps") == 0);
        assert_balanced(json);
        json_decref(json);
    }
}

/* C = t from 1 s on: q = exp(-1)/C, and the work of modulating is -∫ q²/(2C²) dC. */
static void a_capacitance_that_drifts_is_modulated(void **state) {
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, DISCHARGE, "1 [Ohm]", "fault at 1 [s]: c incipient 1 [F/s];");
    json_t *json = run_text(text, (wishes){0});
    assert_close(final_of(json, "q"), exp(-1) / 3, 1e-7);
    double modulated = 0;
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(json_object_get(json, "ledger"), "work"), i, line) {
        if (strcmp(json_string_value(json_object_get(line, "kind")), "modulated") == 0)
            modulated += json_number_value(json_object_get(line, "work"));
    }
    assert_close(modulated, -exp(-2) / 6 * (1 - 1.0 / 27), 1e-6);
    assert_balanced(json);
    json_decref(json);
}

/* 1 C on each of two capacitors of 1 F side by side; one of them becomes 3 F, and they share anew. */
static void dependent_storages_share_anew(void **state) {
    (void)state;
    json_t *json = run_text("model Two { C a(1 [F], q = 1 [C]); C b(1 [F], q = 1 [C]); 0 n; n -> a; n -> b;\n"
                            "  output qa = a.q, qb = b.q, v = a.e; experiment e { stop 2 [s];\n"
                            "  fault at 1 [s]: b.C abrupt 2 [F]; } }",
                            (wishes){0});
    assert_close(final_of(json, "qa"), 0.5, 1e-12);
    assert_close(final_of(json, "qb"), 1.5, 1e-12);
    assert_close(final_of(json, "v"), 0.5, 1e-12);
    assert_close(ledger_of(json, "by_parameters"), 1.0 / 6 - 0.5, 1e-12);
    assert_close(ledger_of(json, "lost_in_jumps"), 0.5 + 1.0 / 6 - 0.5, 1e-12);
    json_decref(json);
}

/* The same with time in it: q_b = C_b·v with C_b = t, C_a = 1: v = 2/(1 + t). */
static void dependent_storages_follow_a_drift(void **state) {
    (void)state;
    json_t *json = run_text("model Two { C a(1 [F], q = 1 [C]); C b(1 [F], q = 1 [C]); 0 n; n -> a; n -> b;\n"
                            "  output qa = a.q, i = b.f; experiment e { stop 3 [s];\n"
                            "  fault at 1 [s]: b.C incipient 1 [F/s]; } }",
                            (wishes){0});
    assert_close(final_of(json, "qa"), 2.0 / 4, 1e-8);
    assert_close(final_of(json, "i"), 2.0 / 16, 1e-7); // -q_a' = 2/(1 + t)²
    assert_balanced(json);
    json_decref(json);
}

/* ---- automata ----------------------------------------------------------------------------------------- */

static void assert_voltage(const char *sentences, double expected) {
    char text[1500];
    snprintf(text, sizeof text, RELAY, sentences);
    json_t *json = run_text(text, (wishes){0});
    assert_close(final_of(json, "v"), expected, 1e-7);
    json_decref(json);
}

static void a_stuck_relay_does_not_do_what_its_guards_say(void **state) {
    (void)state;
    assert_voltage("", 1 - exp(-3));
    assert_voltage("fault at 1 [s]: relay stuck off;", 1 - exp(-1));
    assert_voltage("fault at 1 [s] until 2 [s]: relay stuck off;", 1 - exp(-2));
    assert_voltage("fault at 1 [s] until 2 [s]: relay stuck open;", 1 - exp(-2));
    assert_voltage("at 1 [s]: shut = false; fault at 0.5 [s]: relay stuck on;", 1 - exp(-3));
    assert_voltage("at 1 [s]: shut = false; fault at 0.5 [s] until 2 [s]: relay stuck on;", 1 - exp(-2));
    assert_voltage("at 1 [s]: shut = false; fault at 2 [s]: relay stuck closed;", 1 - exp(-2));
    assert_voltage("fault at 0 [s] until 1 [s]: relay stuck off;", 1 - exp(-2));
}

/* Guards that would be crossed meanwhile are not taken, and are asked when the fault ends. */
static void a_located_guard_waits_for_the_end_of_the_fault(void **state) {
    (void)state;
    static const char *const model = "model Two { Se s(1 [V]); R r(1 [Ohm]); C c(1 [F]); 1 j when k; s -> j "
                                     "-> r; j -> c; output v = c.e;\n"
                                     "  automaton k { on up -> down when c.e > 0.5 [V]; off down; }\n"
                                     "  experiment e { stop 3 [s]; %s } }";
    char text[1000];
    snprintf(text, sizeof text, model, "");
    json_t *json = run_text(text, (wishes){0});
    assert_close(final_of(json, "v"), 0.5, 1e-9);
    json_decref(json);
    snprintf(text, sizeof text, model, "fault at 0.1 [s] until 2 [s]: k stuck on;");
    json = run_text(text, (wishes){0});
    assert_close(final_of(json, "v"), 1 - exp(-2), 1e-7);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json, "statistics"), "crossings")),
                     0);
    json_decref(json);
}

/* Another automaton, which has nothing to do with it, is looked at at that very instant. */
static void a_fault_is_noticed_beside_a_sample(void **state) {
    (void)state;
    static const char *const faults[] = {"k stuck off", "R1 abrupt -50 [%]"};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "model Two { param R1 = 1 [Ohm]; Se s(1 [V]); R r(R1); C c(1 [F]); 1 j when k; s -> j -> r;\n"
            "  j -> c; output v = c.e; automaton k { on up -> down when R1 < 0.7 [Ohm]; off down; }\n"
            "  automaton other every 1 [s] { on a -> b when time > 5 [s]; off b; } signal reads = other.a;\n"
            "  experiment e { stop 2.5 [s]; fault at 1 [s]: %s; } }",
            faults[i]);
        json_t *json = run_text(text, (wishes){0});
        assert_close(final_of(json, "v"), 1 - exp(-1), 1e-7); // the relay opens either way
        json_decref(json);
    }
}

static void an_automaton_without_transitions_can_be_stuck(void **state) {
    (void)state;
    json_t *json = run_text("model Two { Se s(1 [V]); R r(1 [Ohm]); C c(1 [F]); 1 j when k; s -> j -> r; j "
                            "-> c; output v = c.e;\n"
                            "  automaton k { on up; off down; }\n"
                            "  experiment e { stop 3 [s]; fault at 1 [s] until 2 [s]: k stuck off; } }",
                            (wishes){0});
    assert_close(final_of(json, "v"), 1 - exp(-1), 1e-7); // nothing leads back to `up`
    json_decref(json);
}

/* A stuck switch that joins two capacitors makes their charges jump, like any other mode. */
static void getting_stuck_is_an_instant_like_any_other(void **state) {
    (void)state;
    json_t *json = run_text(
        "model Two { input bool shut = false; C a(1 [F], q = 1 [C]); C b(1 [F]); 0 na; 0 nb; 1 j when k;\n"
        "  na -> a; nb -> b; na -> j -> nb; output qa = a.q, qb = b.q;\n"
        "  automaton k { off open -> closed when shut; on closed -> open when !shut; }\n"
        "  experiment e { stop 2 [s]; fault at 1 [s]: k stuck on; } }",
        (wishes){.events = "run_faults_events.json"});
    assert_close(final_of(json, "qa"), 0.5, 1e-12);
    assert_close(final_of(json, "qb"), 0.5, 1e-12);
    assert_close(ledger_of(json, "lost_in_jumps"), 0.25, 1e-12);
    json_decref(json);
    char line[2000] = "";
    FILE *file = fopen("run_faults_events.json", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
    }
    fclose(file);
    unlink("run_faults_events.json");
    assert_non_null(strstr(line, "\"t\":1,\"cause\":[\"fault: k stuck on\"]"));
    assert_non_null(strstr(line, "\"changed\":{\"k\":\"closed\"},\"kind\":\"continuous\""));
    assert_non_null(strstr(line, "\"energy_lost\":0.25"));
}

/* A guard on pre sees the value there was before the parameter jumped. */
static void pre_is_what_was_before_a_parameter_jumped(void **state) {
    (void)state;
    json_t *json = run_text(
        "model M { param R1 = 1 [Ohm]; Sf s(1 [A]); R r(R1); s -> r; output was = before;\n"
        "  signal before = k.second ? 1 : 0;\n"
        "  automaton k { on first -> second when r.e > 1.5 [V] && pre(r.e) < 1.5 [V]; off second; }\n"
        "  experiment e { stop 2 [s]; fault at 1 [s]: R1 abrupt 1 [Ohm]; } }",
        (wishes){0});
    assert_true(final_of(json, "was") == 1);
    json_decref(json);
}

/* ---- sensors ------------------------------------------------------------------------------------------ */

#define SENSORS                                                                                              \
    "model S { signal x = 4; sensor s = x every 0.1 [s]%s; sensor still = x; output y = s, z = still;\n"     \
    "  experiment e { stop 1 [s]; %s } }\n"

static double sensed(const char *noise, const char *faults, const char *name, uint64_t seed) {
    char text[1000];
    snprintf(text, sizeof text, SENSORS, noise, faults);
    json_t *json = run_text(text, (wishes){.seed = seed});
    double value = final_of(json, name);
    json_decref(json);
    return value;
}

static void sensors_are_biased_drift_and_get_stuck(void **state) {
    (void)state;
    static const char *const names[] = {"s", "still"};
    char text[400];
    for (int i = 0; i < 2; i++) {
        const char *output = i == 0 ? "y" : "z", *n = names[i];
        assert_true(sensed("", "", output, 1) == 4);
        snprintf(text, sizeof text, "fault at 0.35 [s]: %s bias 0.5;", n);
        assert_true(sensed("", text, output, 1) == 4.5);
        snprintf(text, sizeof text, "fault at 0.35 [s]: %s bias 25 [%%];", n);
        assert_true(sensed("", text, output, 1) == 5);
        snprintf(text, sizeof text, "fault at 0.5 [s]: %s drift 2;", n);
        assert_close(sensed("", text, output, 1), 5, 1e-14);
        snprintf(text, sizeof text, "fault at 0.5 [s]: %s drift -50 [%%/s];", n);
        assert_close(sensed("", text, output, 1), 3, 1e-14);
        snprintf(text, sizeof text, "fault at 0.5 [s]: %s stuck 9; fault at 0.6 [s]: %s bias 1;", n, n);
        assert_true(sensed("", text, output, 1) == 9);
        snprintf(text, sizeof text, "fault at 0.5 [s] until 0.95 [s]: %s stuck 9;", n);
        assert_true(sensed("", text, output, 1) == 4);
    }
}

static void a_fault_of_a_sampled_sensor_shows_at_its_next_sample(void **state) {
    (void)state;
    assert_true(sensed("", "fault at 1 [s]: s bias 1;", "y", 1) == 5);
    assert_true(sensed("", "fault at 0.95 [s]: s bias 1;", "y", 1) == 5);
    char text[1000];
    snprintf(text, sizeof text, SENSORS, "", "fault at 0.95 [s]: s bias 1;");
    hbg_load_options load = {.stop = "0.99"};
    run_fixture f = fixture_load(text, &load);
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text words;
    options.json = true;
    assert_int_equal(hbg_run(f.session, f.model, &options, &end, &words), HBG_OK);
    json_t *json = read_json(&f, &words);
    assert_true(final_of(json, "y") == 4);
    json_decref(json);
    fixture_free(&f);
}

/* Ten samples behind the first at 0: the last has number 10. */
static void noise_follows_from_seed_sensor_and_sample(void **state) {
    (void)state;
    uint64_t key = hbg_rt_sensor_key("s");
    assert_true(sensed(" noise(0.25, 4)", "", "y", 1) == 4 + 0.25 + 2 * hbg_rt_gauss(1, key, 10));
    assert_true(sensed(" noise(0.25, 4)", "", "y", 7) == 4 + 0.25 + 2 * hbg_rt_gauss(7, key, 10));
    assert_true(sensed("", "fault at 0.3 [s]: s noise(0, 9);", "y", 1) == 4 + 3 * hbg_rt_gauss(1, key, 10));
    assert_true(sensed(" noise(0, 1)", "fault at 0.3 [s]: s noise(0, 9);", "y", 1) ==
                4 + 3 * hbg_rt_gauss(1, key, 10));
    assert_true(sensed(" noise(0, 1)", "fault at 0.3 [s] until 0.9 [s]: s noise(0, 9);", "y", 1) ==
                4 + hbg_rt_gauss(1, key, 10));
    assert_true(sensed(" noise(0, 1)", "fault at 0.3 [s]: s bias 1;", "y", 1) ==
                4 + 1 + hbg_rt_gauss(1, key, 10));
}

/* ---- what is told ------------------------------------------------------------------------------------- */

static void the_command_line_adds_faults_to_those_of_the_experiment(void **state) {
    (void)state;
    static const char *const faults[] = {"at 1 [s] until 2 [s]: r.R abrupt 100 [%]",
                                         "fault at 2 [s]: r.R stuck 0.5 [Ohm];"};
    char text[1000];
    snprintf(text, sizeof text, DISCHARGE, "1 [Ohm]", "fault at 0 [s] until 1 [s]: r.R stuck 2 [Ohm];");
    json_t *json = run_text(text, (wishes){.faults = faults, .fault_count = 2, .seed = 12});
    assert_close(final_of(json, "q"), exp(-0.5 - 0.5 - 2), 1e-7);
    assert_int_equal(json_integer_value(json_object_get(json, "seed")), 12);
    json_t *list = json_object_get(json, "faults");
    assert_int_equal(json_array_size(list), 3);
    json_t *second = json_array_get(list, 1);
    assert_string_equal(json_string_value(json_object_get(second, "text")), "r.R abrupt 100 [%]");
    assert_string_equal(json_string_value(json_object_get(second, "target")), "r");
    assert_string_equal(json_string_value(json_object_get(second, "kind")), "abrupt");
    assert_true(json_number_value(json_object_get(second, "at")) == 1);
    assert_true(json_number_value(json_object_get(second, "until")) == 2);
    assert_true(json_is_null(json_object_get(json_array_get(list, 2), "until")));
    json_decref(json);
}

static void a_model_without_automata_logs_its_faults(void **state) {
    (void)state;
    char text[1000], lines[2000];
    snprintf(text, sizeof text, DISCHARGE, "1 [Ohm]", "fault at 1 [s] until 2 [s]: r.R abrupt 1 [Ohm];");
    json_decref(run_text(text, (wishes){.events = "run_faults_log.json"}));
    FILE *file = fopen("run_faults_log.json", "r");
    assert_non_null(file);
    size_t size = fread(lines, 1, sizeof lines - 1, file);
    fclose(file);
    unlink("run_faults_log.json");
    lines[size] = 0;
    const char *start = strstr(lines, "{\"t\":0,"), *begin = strstr(lines, "{\"t\":1,");
    const char *end = strstr(lines, "{\"t\":2,");
    assert_true(start == lines && begin && end);
    assert_non_null(strstr(begin, "\"cause\":[\"fault: r.R abrupt 1 [Ohm]\"]"));
    assert_non_null(strstr(end, "\"cause\":[\"end of fault: r.R abrupt 1 [Ohm]\"]"));
    assert_null(strstr(end + 1, "{\"t\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_abrupt_fault_changes_the_value_at_its_time),
        cmocka_unit_test(what_is_defined_by_a_faulty_parameter_follows_it),
        cmocka_unit_test(an_incipient_fault_is_a_function_of_time),
        cmocka_unit_test(every_solver_follows_an_incipient_fault),
        cmocka_unit_test(a_fault_with_an_end_leaves_the_nominal_value),
        cmocka_unit_test(faults_on_one_value_work_together),
        cmocka_unit_test(a_capacitance_that_jumps_keeps_its_charge_and_does_work),
        cmocka_unit_test(a_capacitance_that_drifts_is_modulated),
        cmocka_unit_test(dependent_storages_share_anew),
        cmocka_unit_test(dependent_storages_follow_a_drift),
        cmocka_unit_test(a_stuck_relay_does_not_do_what_its_guards_say),
        cmocka_unit_test(a_located_guard_waits_for_the_end_of_the_fault),
        cmocka_unit_test(a_fault_is_noticed_beside_a_sample),
        cmocka_unit_test(an_automaton_without_transitions_can_be_stuck),
        cmocka_unit_test(getting_stuck_is_an_instant_like_any_other),
        cmocka_unit_test(pre_is_what_was_before_a_parameter_jumped),
        cmocka_unit_test(sensors_are_biased_drift_and_get_stuck),
        cmocka_unit_test(a_fault_of_a_sampled_sensor_shows_at_its_next_sample),
        cmocka_unit_test(noise_follows_from_seed_sensor_and_sample),
        cmocka_unit_test(the_command_line_adds_faults_to_those_of_the_experiment),
        cmocka_unit_test(a_model_without_automata_logs_its_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
