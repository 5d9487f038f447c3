/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event log: a line for each instant, with what changed and nothing else; files that are only ever complete; verdicts. */
#include "api/api_impl.h"
#include "api/run_events_fixture_impl.h"

static hbg_run_options logged(const char *experiment) {
    hbg_run_options options = hbg_run_options_default();
    options.experiment = experiment;
    options.rtol = 1e-10;
    options.events = "events.jsonl";
    return options;
}

static void run_logged(run_fixture *f, hbg_run_options options, hbg_run_end end) {
    hbg_text text = run_words(f, options, end);
    hbg_text_free(f->session, &text);
}

static void the_first_line_has_the_whole_discrete_state(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    run_logged(&f, logged("opening"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    const json_t *states = json_object_get(log.lines[0], "states");
    assert_int_equal(json_object_size(states), 2);
    assert_string_equal(json_string_value(json_object_get(states, "manual")), "closed");
    assert_string_equal(json_string_value(json_object_get(states, "diode")), "blocking");
    assert_near(number_of(log.lines[0], "t"), 0, 0);
    assert_null(json_object_get(log.lines[1], "states"));
    free_log(&log);
    fixture_free(&f);
}

static void a_mythical_mode_is_listed_with_the_jump_it_would_have_made(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    run_logged(&f, logged("opening"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_int_equal(log.count, 4); // start, opening, tap, the current is over
    assert_near(number_of(log.lines[1], "t"), 1, 0);
    assert_string_equal(json_string_value(json_array_get(json_object_get(log.lines[1], "cause"), 0)),
                        "sw = false");
    assert_int_equal(json_array_size(json_object_get(log.lines[1], "trace")), 2);
    assert_kind(&log, 1, 0, "mythical");
    assert_changed(&log, 1, 0, "manual", "open");
    const json_t *jump = json_object_get(json_object_get(mode_of(&log, 1, 0), "jump"), "coil.p");
    assert_near(json_number_value(json_array_get(jump, 0)), 12, 1e-12);
    assert_near(json_number_value(json_array_get(jump, 1)), 0, 1e-12);
    const json_t *pulse = json_object_get(json_object_get(mode_of(&log, 1, 0), "impulses"), "coil");
    assert_near(number_of(pulse, "e"), -12, 1e-12);
    assert_null(json_object_get(pulse, "f"));
    assert_near(number_of(log.lines[1], "energy_lost"), 0, 0);
    free_log(&log);
    fixture_free(&f);
}

static void only_what_changed_is_listed(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    run_logged(&f, logged("opening"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_kind(&log, 1, 1, "continuous");
    assert_changed(&log, 1, 1, "diode", "conducting");
    const json_t *real = mode_of(&log, 1, 1);
    assert_int_equal(json_object_size(json_object_get(real, "changed")), 1); // from the mythical mode on
    assert_int_equal(json_object_size(json_object_get(real, "jump")), 0);
    assert_int_equal(json_object_size(json_object_get(real, "impulses")), 0);
    assert_near(number_of(log.lines[3], "t"), 4, 1e-9);
    assert_int_equal(json_object_size(json_object_get(mode_of(&log, 3, 0), "jump")),
                     0); // rounding is no jump
    free_log(&log);
    fixture_free(&f);
}

static void an_event_input_is_a_cause_even_where_nothing_switches(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    run_logged(&f, logged("opening"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_near(number_of(log.lines[2], "t"), 2, 0);
    assert_string_equal(json_string_value(json_array_get(json_object_get(log.lines[2], "cause"), 0)), "tap");
    assert_int_equal(json_array_size(json_object_get(log.lines[2], "trace")), 0);
    free_log(&log);
    fixture_free(&f);
}

/* Two capacitors of 1 mF are joined, at 9.99 V and at 10·exp(−0.01) V: half of the capacity they have in series times the
 * square of the difference is lost, a share 4e-12 of the energy of a capacitor beside them; that does not matter. */
static void a_loss_that_is_small_beside_another_energy_is_told(void **state) {
    (void)state;
    run_fixture f = fixture_load(
        "model M { C big(1, e = 1000); R rb(1e6); 0 nb; nb -> big; nb -> rb; R r(1e5); n -> r;\n"
        "  C a(1e-3, e = 10); C b(1e-3, e = 9.99); 0 n; 0 m; 1 j when sw; n -> a; m -> b; n -> j -> m;\n"
        "  automaton sw { off open -> closed when time >= 1; on closed -> open when time < 0; }\n"
        "  experiment e { stop 2; record n.e; } }\n",
        NULL);
    run_logged(&f, logged("e"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    double apart = 9.99 - 10 * exp(-0.01);
    assert_near(number_of(log.lines[1], "energy_lost"), 0.5 * 0.5e-3 * apart * apart, 1e-11);
    free_log(&log);
    fixture_free(&f);
}

/* A capacitor that had 1000 V is joined at e⁻⁵·1000 V with one that has a thousandth less: 1e-7 of its energy now is a share
 * 5e-12 of what it once had. */
static void a_loss_that_is_small_beside_an_earlier_energy_is_told(void **state) {
    (void)state;
    run_fixture f = fixture_load(
        "model M { C a(1, e = 1000); C b(1, e = 0.999*1000*exp(-5)); 0 n; 0 m; 1 j when sw; n -> a; m -> b;\n"
        "  R r(1); n -> r; n -> j -> m;\n"
        "  automaton sw { off open -> closed when time >= 5; on closed -> open when time < 0; }\n"
        "  experiment e { stop 6; record n.e; } }\n",
        NULL);
    hbg_run_options options = logged("e");
    options.rtol = 1e-10;
    run_logged(&f, options, HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    double apart = exp(-5);
    assert_near(number_of(log.lines[1], "energy_lost"), 0.25 * apart * apart, 1e-8);
    free_log(&log);
    fixture_free(&f);
}

static void a_bounce_is_a_pinnacle_with_its_loss(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    run_logged(&f, logged("once"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_int_equal(log.count, 2);
    assert_near(number_of(log.lines[1], "t"), 0.5, 1e-9);
    assert_kind(&log, 1, 0, "pinnacle");
    assert_kind(&log, 1, 1, "continuous");
    const json_t *jump = json_object_get(json_object_get(mode_of(&log, 1, 0), "jump"), "mass.p");
    assert_near(json_number_value(json_array_get(jump, 0)), -10, 1e-8);
    assert_near(json_number_value(json_array_get(jump, 1)), 5, 1e-8);
    assert_near(number_of(log.lines[1], "energy_lost"), 25 - 6.25, 1e-8); // p²/2m before and after
    assert_string_equal(json_string_value(json_array_get(json_object_get(log.lines[1], "cause"), 0)),
                        "x <= 0");
    free_log(&log);
    fixture_free(&f);
}

/* ---- names -------------------------------------------------------------------------------------------- */

static const char *cause_of(const event_log *log, int line) {
    const json_t *cause = json_object_get(log->lines[line], "cause");
    assert_int_equal(json_array_size(cause), 1);
    return json_string_value(json_array_get(cause, 0));
}

static void a_cause_is_what_the_guard_says(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    run_logged(&f, logged("opening"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_string_equal(cause_of(&log, 3), "j_d.f < hold"); // and not the source at the junction
    free_log(&log);
    fixture_free(&f);
    // of two relations the one that was crossed
    f = fixture_load("model M { Se s(1 [V]); I coil(1 [H]); 1 j; s -> j -> coil;\n"
                     "automaton a { off low -> high when j.f >= 2 [A] && time > 1 [s]; on high; }\n"
                     "experiment e { stop 3 [s]; } }\n",
                     NULL);
    run_logged(&f, logged("e"), HBG_RUN_FINISHED);
    log = read_log("events.jsonl");
    assert_string_equal(cause_of(&log, 1), "j.f >= 2");
    free_log(&log);
    fixture_free(&f);
    // a signal stands for what it is
    f = fixture_load("model M { state x = 0 : der = 1; state y = 0 : der = 2; signal sum = x + y;\n"
                     "automaton a { off low -> high when sum >= 3 && x > 0; on high -> low when sum < 0; }\n"
                     "automaton b { off low -> high when sum >= 6; on high; }\n"
                     "experiment e { stop 3 [s]; } }\n",
                     NULL);
    run_logged(&f, logged("e"), HBG_RUN_FINISHED);
    log = read_log("events.jsonl");
    assert_string_equal(cause_of(&log, 1), "sum >= 3");
    assert_string_equal(cause_of(&log, 2), "sum >= 6");
    free_log(&log);
    fixture_free(&f);
}

/* Two masses whose bonds are drawn from them: their momenta still grow by the area of their efforts. */
static void a_pulse_has_the_name_and_the_sign_of_its_storage(void **state) {
    (void)state;
    run_fixture f = fixture_load("model Pair { 1 a; 1 b; I m_1(1 [kg], p = 2 [N.s]); I m_2(1 [kg]); 0 c when "
                                 "hit; m_1 -> a; m_2 -> b;\n"
                                 "a -> c -> b; state gap = 1 [m] : der = b.f - a.f; automaton hit { off no "
                                 "-> yes when gap <= 0; on yes; }\n"
                                 "experiment e { stop 1 [s]; } }\n",
                                 NULL);
    run_logged(&f, logged("e"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    const json_t *mode = mode_of(&log, 1, 0), *impulses = json_object_get(mode, "impulses");
    const char *const names[] = {"m_1", "m_2"}, *const states[] = {"m_1.p", "m_2.p"};
    const double grown[] = {-1, 1}; // 2 N·s shared
    for (int i = 0; i < 2; i++) {
        const json_t *jump = json_object_get(json_object_get(mode, "jump"), states[i]);
        double before = json_number_value(json_array_get(jump, 0)),
               after = json_number_value(json_array_get(jump, 1));
        assert_near(after - before, grown[i], 1e-9);
        assert_near(number_of(json_object_get(impulses, names[i]), "e"), grown[i], 1e-9);
    }
    assert_non_null(json_object_get(impulses, "a>c")); // between junctions a bond has its own name
    free_log(&log);
    fixture_free(&f);
}

/* ---- every field -------------------------------------------------------------------------------------- */

static void assert_keys(const json_t *object, const char *const *keys, size_t count) {
    assert_int_equal(json_object_size(object), count);
    for (size_t i = 0; i < count; i++)
        if (!json_object_get(object, keys[i])) fail_msg("no %s", keys[i]);
}

static void every_line_has_every_field_and_no_other(void **state) {
    (void)state;
    static const char *const first[] = {"t", "states", "cause", "trace", "energy_lost", "verdict"};
    static const char *const later[] = {"t", "cause", "trace", "energy_lost", "verdict"};
    static const char *const of_mode[] = {"changed", "kind", "jump", "impulses"};
    const char *const models[] = {FREEWHEELING, BOUNCING, CHAIN}, *const experiments[] = {"opening", "once",
                                                                                          "elastic"};
    for (int m = 0; m < 3; m++) {
        run_fixture f = fixture_load(models[m], NULL);
        run_logged(&f, logged(experiments[m]), HBG_RUN_FINISHED);
        event_log log = read_log("events.jsonl");
        assert_true(log.count > 1);
        for (int i = 0; i < log.count; i++) {
            if (i == 0) assert_keys(log.lines[i], first, 6);
            if (i > 0) assert_keys(log.lines[i], later, 5);
            assert_true(json_is_null(json_object_get(log.lines[i], "verdict")));
            for (size_t k = 0; k < json_array_size(json_object_get(log.lines[i], "trace")); k++)
                assert_keys(mode_of(&log, i, k), of_mode, 4);
        }
        free_log(&log);
        fixture_free(&f);
    }
}

static void a_mode_that_stands_but_is_left_at_once_is_a_boundary(void **state) {
    (void)state;
    run_fixture f = fixture_load(
        "model M { state x = 0 : der = 1;\n"
        "automaton a { off one -> two when x >= 1; on two -> three when pre(a.two); off three; }\n"
        "experiment e { stop 2 [s]; } }\n",
        NULL);
    run_logged(&f, logged("e"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_int_equal(json_array_size(json_object_get(log.lines[1], "trace")), 2);
    assert_kind(&log, 1, 0, "boundary");
    assert_changed(&log, 1, 0, "a", "two");
    assert_kind(&log, 1, 1, "continuous");
    assert_changed(&log, 1, 1, "a", "three");
    free_log(&log);
    fixture_free(&f);
}

/* Two pinnacles at one instant, and the lot as time flows on: 0.5 J from one body to the next, none lost. */
static void a_chain_of_collisions_is_a_trace_of_pinnacles(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHAIN, NULL);
    run_logged(&f, logged("elastic"), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    static const char *const hit[] = {"m_1.p", "m_2.p", "m_3.p"};
    assert_int_equal(log.count, 2);
    assert_int_equal(json_array_size(json_object_get(log.lines[1], "trace")), 3);
    for (int k = 0; k < 2; k++) {
        const json_t *jump = json_object_get(mode_of(&log, 1, (size_t)k), "jump");
        assert_kind(&log, 1, (size_t)k, "pinnacle");
        assert_int_equal(json_object_size(jump), 2);
        assert_near(json_number_value(json_array_get(json_object_get(jump, hit[k]), 1)), 0, 1e-9);
        assert_near(json_number_value(json_array_get(json_object_get(jump, hit[k + 1]), 1)), 1, 1e-9);
    }
    assert_changed(&log, 1, 1, "hit_ab", "no");
    assert_changed(&log, 1, 1, "hit_bc", "yes");
    assert_kind(&log, 1, 2, "continuous");
    assert_int_equal(json_object_size(json_object_get(mode_of(&log, 1, 2), "jump")), 0);
    assert_near(number_of(log.lines[1], "energy_lost"), 0, 1e-9);
    free_log(&log);
    fixture_free(&f);
}

/* ---- verdicts ----------------------------------------------------------------------------------------- */

static void a_verdict_ends_the_log_and_is_told_as_json(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    remove("events.jsonl");
    json_t *json = run_json(&f, logged("nowhere"), HBG_RUN_NOT_FINISHED);
    assert_string_equal(json_string_value(json_object_get(json, "verdict")), "divergence");
    const json_t *instant = json_object_get(json, "instant");
    assert_near(number_of(instant, "t"), 1, 0);
    assert_int_equal(json_array_size(json_object_get(instant, "trace")), 2);
    assert_says(json_string_value(json_object_get(instant, "words")),
                "6 < 9"); // what decided: 6 A do not hold
    assert_says(json_string_value(json_object_get(json, "failure")), "verdict divergence");
    json_decref(json);
    assert_int_not_equal(access("events.jsonl", F_OK), 0);
    event_log log = read_log("events.jsonl.partial");
    assert_string_equal(json_string_value(json_object_get(log.lines[1], "verdict")), "divergence");
    free_log(&log);
    remove("events.jsonl.partial");
    fixture_free(&f);
}

static void a_fine_run_has_no_verdict(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    hbg_run_options options = hbg_run_options_default();
    json_t *json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_true(json_is_null(json_object_get(json, "verdict")));
    assert_true(json_is_null(json_object_get(json, "instant")));
    assert_near(number_of(json_object_get(json, "warnings"), "count"), 0, 0);
    assert_string_equal(hbg_session_reason(f.session), "");
    json_decref(json);
    fixture_free(&f);
}

static void bounces_that_accumulate_end_the_run_or_come_to_rest(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.experiment = "always";
    json_t *json = run_json(&f, options, HBG_RUN_NOT_FINISHED);
    assert_string_equal(json_string_value(json_object_get(json, "verdict")), "zeno");
    json_decref(json);
    options.zeno_rest = true;
    json = run_json(&f, options, HBG_RUN_FINISHED);
    assert_near(final_value(json, "height"), 0, 1e-6);
    assert_near(final_value(json, "speed"), 0, 1e-9);
    json_decref(json);
    fixture_free(&f);
}

/* Two equal bodies meet a third with so little speed left that they stay together: the mode that lasts changes momenta
 * once more behind a rebound. */
static const char sticking[] =
    "model Row { 1 a; 1 b; 1 c; I m_a(1 [kg], p = 1 [N.s]); I m_b(1 [kg]); I m_c(1 [kg]);\n"
    "  0 ab when hit_ab restitution 0; 0 bc when hit_bc restitution pre(b.f - c.f) > 9 [m/s] ? 1 : 0;\n"
    "  a -> m_a; b -> m_b; c -> m_c; a -> ab -> b -> bc -> c;\n"
    "  state gap_ab = 1 [m] : der = b.f - a.f; state gap_bc = 0 [m] : der = c.f - b.f;\n"
    "  automaton hit_ab { off no -> yes when gap_ab <= 0 && a.f > b.f; on yes -> no when a.f < b.f; }\n"
    "  automaton hit_bc { off no -> yes when gap_bc <= 0 && pre(b.f) > pre(c.f); on yes -> no when b.f < "
    "c.f; }\n"
    "  output v = a.f; experiment e { stop 2 [s]; } }\n";

static void a_warning_is_told_once_and_strict_makes_it_an_end(void **state) {
    (void)state;
    run_fixture f = fixture_load(sticking, NULL);
    json_t *json = run_json(&f, logged("e"), HBG_RUN_FINISHED);
    assert_true(json_is_null(json_object_get(json, "verdict")));
    assert_near(number_of(json_object_get(json, "warnings"), "count"), 1, 0);
    assert_near(final_value(json, "v"), 1.0 / 3, 1e-9); // all of the momentum in all of the mass
    assert_says(hbg_session_reason(f.session), "changed the energies again");
    json_decref(json);
    hbg_run_options options = hbg_run_options_default();
    options.strict = true;
    json = run_json(&f, options, HBG_RUN_NOT_FINISHED);
    assert_string_equal(json_string_value(json_object_get(json, "verdict")), "temporal-evolution");
    json_decref(json);
    fixture_free(&f);
}

/* ---- models without automata -------------------------------------------------------------------------- */

static void a_model_without_automata_has_its_start(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "1 [s]"};
    run_fixture f = fixture_load(SHARING, &load);
    run_logged(&f, logged(NULL), HBG_RUN_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_int_equal(log.count, 1);
    assert_int_equal(json_object_size(json_object_get(log.lines[0], "states")), 0);
    const json_t *jump = json_object_get(json_object_get(mode_of(&log, 0, 0), "jump"), "b.q");
    assert_near(json_number_value(json_array_get(jump, 1)), 0.5e-3, 1e-15);
    assert_near(number_of(log.lines[0], "energy_lost"), 0.25e-3, 1e-15);
    free_log(&log);
    fixture_free(&f);
}

/* ---- files -------------------------------------------------------------------------------------------- */

static void a_log_that_cannot_be_made_is_refused_and_leaves_nothing(void **state) {
    (void)state;
    run_fixture f = fixture_load(BOUNCING, NULL);
    hbg_run_options options = logged("once");
    options.events = "no/such/folder/e.jsonl";
    expect_refusal(&f, &options, HBG_CANNOT_WRITE, "events cannot be written to `no/such/folder/e.jsonl`");
    const char *const files[] = {"same.csv"};
    options.files = files;
    options.file_count = 1;
    options.events = "same.csv";
    expect_refusal(&f, &options, HBG_BAD_ARGUMENT, "both to go to `same.csv`");
    const char *const bad[] = {"no/such/folder/rows.csv"};
    options.files = bad;
    options.events = "left.jsonl";
    expect_refusal(&f, &options, HBG_CANNOT_WRITE, "no/such/folder/rows.csv");
    assert_int_not_equal(access("left.jsonl", F_OK), 0);
    assert_int_not_equal(access("left.jsonl.partial", F_OK), 0);
    fixture_free(&f);
}

static void an_old_log_stays_until_the_new_is_complete(void **state) {
    (void)state;
    run_fixture f = fixture_load(FREEWHEELING, NULL);
    run_logged(&f, logged("opening"), HBG_RUN_FINISHED);
    run_logged(&f, logged("nowhere"), HBG_RUN_NOT_FINISHED);
    event_log log = read_log("events.jsonl");
    assert_int_equal(log.count, 4);
    free_log(&log);
    remove("events.jsonl.partial");
    fixture_free(&f);
}

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Whether the run got through; false: no memory. */
static bool try_run(hbg_session *session, const hbg_model *model) {
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    options.events = "events.jsonl";
    options.explain = -1;
    options.json = true;
    options.plot = "events.svg";
    hbg_status status = hbg_run(session, model, &options, &end, &text);
    if (status == HBG_OK) hbg_text_free(session, &text);
    if (status != HBG_OK && status != HBG_NO_MEMORY && status != HBG_CANNOT_WRITE)
        fail_msg("%s", hbg_session_reason(session));
    return status == HBG_OK && end == HBG_RUN_FINISHED;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    bool reached = true;
    for (int64_t n = 1; reached; n++) {
        hbg_session_options options = hbg_session_options_default();
        hbg_session *session;
        hbg_model *model;
        assert_int_equal(hbg_session_new(&options, &session), HBG_OK);
        assert_int_equal(hbg_load_text(session, "m.hbg", FREEWHEELING, strlen(FREEWHEELING), NULL, &model),
                         HBG_OK);
        session->memory.fail_at = session->memory.calls + n;
        bool through = try_run(session, model);
        reached = session->memory.calls >= session->memory.fail_at;
        if (through == reached) fail_msg("allocation %lld", (long long)n);
        session->memory.fail_at = 0;
        if (n % 16 == 0) assert_true(try_run(session, model));
        hbg_session_free(session);
    }
    remove("events.jsonl.partial");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_has_the_whole_discrete_state),
        cmocka_unit_test(a_mythical_mode_is_listed_with_the_jump_it_would_have_made),
        cmocka_unit_test(only_what_changed_is_listed),
        cmocka_unit_test(an_event_input_is_a_cause_even_where_nothing_switches),
        cmocka_unit_test(a_loss_that_is_small_beside_another_energy_is_told),
        cmocka_unit_test(a_loss_that_is_small_beside_an_earlier_energy_is_told),
        cmocka_unit_test(a_bounce_is_a_pinnacle_with_its_loss),
        cmocka_unit_test(a_cause_is_what_the_guard_says),
        cmocka_unit_test(a_pulse_has_the_name_and_the_sign_of_its_storage),
        cmocka_unit_test(every_line_has_every_field_and_no_other),
        cmocka_unit_test(a_mode_that_stands_but_is_left_at_once_is_a_boundary),
        cmocka_unit_test(a_chain_of_collisions_is_a_trace_of_pinnacles),
        cmocka_unit_test(a_verdict_ends_the_log_and_is_told_as_json),
        cmocka_unit_test(a_fine_run_has_no_verdict),
        cmocka_unit_test(bounces_that_accumulate_end_the_run_or_come_to_rest),
        cmocka_unit_test(a_warning_is_told_once_and_strict_makes_it_an_end),
        cmocka_unit_test(a_model_without_automata_has_its_start),
        cmocka_unit_test(a_log_that_cannot_be_made_is_refused_and_leaves_nothing),
        cmocka_unit_test(an_old_log_stays_until_the_new_is_complete),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
