/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Simulations that are stepped from outside. */
#include "run_fixture_impl.h"

#include <pthread.h>

#include "hbg/simulation.h"

/* Up to `top` at a rate u, down to -top, and so on: straight lines. */
#define SAW                                                                                                  \
    "model Saw { input real u = 1; param top = 1; state x = 0 : der = up ? u : -u; output y = 2*x;\n"        \
    "  automaton up { on rising -> falling when x >= top; off falling -> rising when x <= -top; }\n"         \
    "  experiment e { stop 20 [s]; } }\n"

static hbg_simulation *make(run_fixture f, const hbg_simulation_options *options) {
    hbg_simulation *simulation;
    hbg_status status = hbg_simulation_new(f.session, f.model, options, &simulation);
    if (status != HBG_OK) fail_msg("%s", hbg_session_reason(f.session));
    return simulation;
}

static double state_of(hbg_simulation *simulation) {
    double x;
    assert_int_equal(hbg_simulation_read(simulation, HBG_VALUES_STATES, &x), HBG_OK);
    return x;
}

static void advance(hbg_simulation *simulation, double t) {
    hbg_run_end end;
    assert_int_equal(hbg_simulation_advance(simulation, t, &end), HBG_OK);
    if (end != HBG_RUN_FINISHED) fail_msg("%s", hbg_simulation_reason(simulation));
    assert_true(hbg_simulation_time(simulation) == t);
}

typedef struct {
    double times[50];
    int32_t modes[50];
    int count;
} heard;

static void hear(void *context, const hbg_event *event) {
    heard *all = context;
    assert_true(all->count < 50);
    all->times[all->count] = event->time;
    all->modes[all->count++] = event->mode_count > 0 ? event->modes[event->mode_count - 1].states[0] : -1;
}

/* ---- claims ------------------------------------------------------------------------------------------- */

static void names_are_found(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_simulation *s = make(f, NULL);
    int32_t count;
    const hbg_value_info *outputs = hbg_simulation_names(s, HBG_VALUES_OUTPUTS, &count);
    assert_int_equal(count, 2);
    assert_string_equal(outputs[0].name, "v");
    assert_string_equal(outputs[0].unit, "V");
    assert_int_equal(hbg_simulation_find(s, HBG_VALUES_OUTPUTS, "i"), 1);
    assert_int_equal(hbg_simulation_find(s, HBG_VALUES_STATES, "cap.q"), 0);
    assert_int_equal(hbg_simulation_find(s, HBG_VALUES_ENERGIES, "cap"), 0);
    assert_true(hbg_simulation_find(s, HBG_VALUES_POWERS, "series") >= 0);
    assert_true(hbg_simulation_find(s, HBG_VALUES_PARAMETERS, "C1") >= 0);
    assert_int_equal(hbg_simulation_find(s, HBG_VALUES_INPUTS, "u"), -1);
    hbg_simulation_free(s);
    hbg_session_free(f.session);
}

/* The values of a capacitor that is charged; its energies balance at any time. */
static void values_are_those_of_the_closed_form(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_simulation_options options = hbg_simulation_options_default();
    options.rtol = 1e-10;
    hbg_simulation *s = make(f, &options);
    assert_int_equal(hbg_simulation_set(s, HBG_VALUES_PARAMETERS,
                                        hbg_simulation_find(s, HBG_VALUES_PARAMETERS, "R1"), 2000),
                     HBG_OK);
    for (double t = 0.01; t < 0.045; t += 0.01) {
        double outputs[2], rate, power[2], work[2], energy, decay = exp(-t / 0.02);
        advance(s, t);
        assert_int_equal(hbg_simulation_read(s, HBG_VALUES_OUTPUTS, outputs), HBG_OK);
        assert_int_equal(hbg_simulation_read(s, HBG_VALUES_RATES, &rate), HBG_OK);
        assert_int_equal(hbg_simulation_read(s, HBG_VALUES_POWERS, power), HBG_OK);
        assert_int_equal(hbg_simulation_read(s, HBG_VALUES_WORK, work), HBG_OK);
        assert_int_equal(hbg_simulation_read(s, HBG_VALUES_ENERGIES, &energy), HBG_OK);
        assert_true(fabs(outputs[0] - 10 * (1 - decay)) < 1e-7 && fabs(outputs[1] - 0.005 * decay) < 1e-10);
        assert_true(fabs(rate - outputs[1]) < 1e-12);
        int supply = hbg_simulation_find(s, HBG_VALUES_POWERS, "supply");
        assert_true(fabs(power[supply] - 10 * outputs[1]) < 1e-10);
        assert_true(fabs(work[supply] - work[1 - supply] - energy) < 1e-9);
    }
    hbg_simulation_free(s);
    hbg_session_free(f.session);
}

static void inputs_and_parameters_act_where_they_are_set(void **state) {
    (void)state;
    run_fixture f = fixture_load(SAW, NULL);
    hbg_simulation_options options = hbg_simulation_options_default();
    heard all = {.count = 0};
    options.event = hear;
    options.context = &all;
    hbg_simulation *s = make(f, &options);
    int32_t top = hbg_simulation_find(s, HBG_VALUES_PARAMETERS, "top");
    advance(s, 0.5);
    assert_true(fabs(state_of(s) - 0.5) < 1e-12);
    assert_int_equal(hbg_simulation_set(s, HBG_VALUES_INPUTS, 0, 2), HBG_OK); // 1 at 0.75, then down
    advance(s, 1);
    assert_true(fabs(state_of(s) - 0.5) < 1e-6);
    double mode;
    assert_int_equal(hbg_simulation_read(s, HBG_VALUES_MODES, &mode), HBG_OK);
    assert_true(mode == 1);
    assert_int_equal(hbg_simulation_set(s, HBG_VALUES_PARAMETERS, top, 0.25), HBG_OK); // -0.25 at 1.375
    advance(s, 1.5);
    assert_true(fabs(state_of(s) - 0) < 1e-6);
    static const double times[] = {0, 0.5, 0.75, 1.375};
    assert_int_equal(all.count, 4); // a parameter that nothing comes of at once is not told
    for (int i = 0; i < 4; i++)
        if (fabs(all.times[i] - times[i]) > 1e-6) fail_msg("event %d at %.17g", i, all.times[i]);
    assert_int_equal(all.modes[2], 1);
    assert_int_equal(all.modes[3], 0);
    hbg_simulation_free(s);
    hbg_session_free(f.session);
}

static void what_is_saved_goes_on_to_the_bit(void **state) {
    (void)state;
    run_fixture f = fixture_load(SAW, NULL);
    static const char *const solvers[] = {NULL, "rk4"};
    for (int i = 0; i < 2; i++) {
        hbg_load_options load = {.step = "1/8"};
        run_fixture with_step = fixture_load(SAW, &load);
        hbg_simulation_options options = hbg_simulation_options_default();
        options.solver = solvers[i];
        hbg_simulation *s = make(with_step, &options), *other = make(with_step, &options);
        assert_int_equal(hbg_simulation_save(s, NULL, 0), 0);
        advance(s, 2.25);
        size_t size = hbg_simulation_save(s, NULL, 0);
        void *bytes = malloc(size);
        assert_true(size > 0 && bytes);
        assert_int_equal(hbg_simulation_save(s, bytes, size), size);
        double at_save = state_of(s);
        advance(s, 7.3);
        double first = state_of(s);
        assert_int_equal(hbg_simulation_restore(s, bytes, size), HBG_OK);
        assert_true(hbg_simulation_time(s) == 2.25 && state_of(s) == at_save);
        advance(s, 7.3);
        assert_true(state_of(s) == first);
        assert_int_equal(hbg_simulation_restore(other, bytes, size), HBG_OK);
        advance(other, 7.3);
        assert_true(state_of(other) == first);
        ((char *)bytes)[size / 2] ^= 1;
        assert_int_equal(hbg_simulation_restore(other, bytes, size), HBG_BAD_ARGUMENT);
        assert_true(hbg_simulation_reason(other)[0] && state_of(other) == first);
        free(bytes);
        hbg_simulation_free(s);
        hbg_simulation_free(other);
        hbg_session_free(with_step.session);
    }
    hbg_session_free(f.session);
}

static void a_reset_forgets_what_was_set(void **state) {
    (void)state;
    run_fixture f = fixture_load(SAW, NULL);
    hbg_simulation *s = make(f, NULL), *fresh = make(f, NULL);
    assert_int_equal(hbg_simulation_set(s, HBG_VALUES_PARAMETERS, 0, 0.5), HBG_OK);
    assert_int_equal(hbg_simulation_set(s, HBG_VALUES_INPUTS, 0, 3), HBG_OK);
    advance(s, 3.3);
    assert_int_equal(hbg_simulation_reset(s), HBG_OK);
    assert_true(hbg_simulation_time(s) == 0);
    advance(s, 3.3);
    advance(fresh, 3.3);
    assert_true(state_of(s) == state_of(fresh));
    hbg_simulation_free(s);
    hbg_simulation_free(fresh);
    hbg_session_free(f.session);
}

static void *stop_soon(void *context) {
    usleep(20000);
    hbg_simulation_stop(context);
    return NULL;
}

static void another_thread_stops_it(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "1e6", .step = "1e-2"};
    run_fixture f = fixture_load(SAW, &load);
    hbg_simulation_options options = hbg_simulation_options_default();
    options.solver = "rk4";
    hbg_simulation *s = make(f, &options);
    pthread_t thread;
    hbg_run_end end;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, s), 0);
    assert_int_equal(hbg_simulation_advance(s, 1e6, &end), HBG_OK);
    pthread_join(thread, NULL);
    assert_int_equal(end, HBG_RUN_INTERRUPTED);
    double t = hbg_simulation_time(s);
    assert_true(t < 1e6);
    advance(s, t + 0.001); // it goes on
    hbg_simulation_stop(s);
    assert_int_equal(hbg_simulation_advance(s, 1e6, &end), HBG_OK); // so does one that comes before
    assert_int_equal(end, HBG_RUN_INTERRUPTED);
    hbg_simulation_free(s);
    hbg_session_free(f.session);
}

/* Calls that may take a moment only get there all the same, and to the same bits. */
static void a_call_ends_where_patience_does(void **state) {
    (void)state;
    hbg_load_options load = {.stop = "1e6", .step = "1e-2"};
    run_fixture f = fixture_load(SAW, &load);
    hbg_simulation_options options = hbg_simulation_options_default();
    options.solver = "rk4";
    hbg_simulation *whole = make(f, &options);
    options.patience = 0.002;
    hbg_simulation *s = make(f, &options);
    hbg_run_end end;
    assert_int_equal(hbg_simulation_advance(s, 1e6, &end), HBG_OK); // a hundred million steps
    assert_int_equal(end, HBG_RUN_INTERRUPTED);
    double reached = hbg_simulation_time(s), t = reached + 100;
    assert_true(reached < 1e6);
    while (end == HBG_RUN_INTERRUPTED) assert_int_equal(hbg_simulation_advance(s, t, &end), HBG_OK);
    assert_int_equal(end, HBG_RUN_FINISHED);
    advance(whole, t);
    assert_true(state_of(s) == state_of(whole));
    hbg_simulation_free(s);
    hbg_simulation_free(whole);
    hbg_session_free(f.session);
}

/* In `waits` a pulse has to be found that is a thousandth of a step long, in `done` there is nothing to find. A call that is ended in
 * `done` leaves what it knows of that guard, which is not that of the mode restored. */
/* A resistance reads |x| until it is switched off; from then on an output alone does, and its branch is not that of before. */
static void an_output_follows_a_kink_that_laws_have_left(void **state) {
    run_fixture f = fixture_load(
        "model M { state x = 1 : der = -1; Se s(1 [V]); 1 j when a; I l(1 [H]); R r : e = f*(1 + abs(x))*1 "
        "[Ohm];"
        "s -> j; j -> l; j -> r; automaton a { on p -> q when time > 0.2; off q; } output y = abs(x);"
        "experiment e { stop 2 [s]; } }",
        NULL);
    hbg_simulation_options options = hbg_simulation_options_default();
    (void)state;
    for (int ledger = 0; ledger < 2; ledger++) {
        double y;
        options.ledger = ledger;
        hbg_simulation *s = make(f, &options);
        for (double t = 0.5; t < 2; t += 0.5) {
            advance(s, t);
            assert_int_equal(hbg_simulation_read(s, HBG_VALUES_OUTPUTS, &y), HBG_OK);
            assert_true(fabs(y - fabs(1 - t)) < 1e-9);
        }
        hbg_simulation_free(s);
    }
    hbg_session_free(f.session);
}

static void a_restored_run_finds_the_events_of_its_mode(void **state) {
    (void)state;
    run_fixture f = fixture_load(
        "model Pulse { state s = 100 : der = 1; state x = 1 : der = v; state v = 0 : der = -x;\n"
        "  automaton a { off begins -> waits when s > 101;\n"
        "    on waits -> done when exp(-((s - 109.37)/0.002)^2) > 0.5; off done -> begins when s > 5e8; }\n"
        "  experiment e { stop 1e8 [s]; } }\n",
        NULL);
    hbg_simulation_options options = hbg_simulation_options_default();
    heard all = {.count = 0};
    hbg_run_end end;
    options.event = hear;
    options.context = &all;
    options.patience = 0.5;
    hbg_simulation *s = make(f, &options);
    advance(s, 3.05);
    size_t size = hbg_simulation_save(s, NULL, 0);
    void *saved = malloc(size);
    assert_int_equal(hbg_simulation_save(s, saved, size), size);
    advance(s, 30);
    assert_int_equal(hbg_simulation_advance(s, 1e7, &end), HBG_OK);
    assert_int_equal(end, HBG_RUN_INTERRUPTED);
    assert_int_equal(hbg_simulation_restore(s, saved, size), HBG_OK);
    free(saved);
    all.count = 0;
    advance(s, 30);
    assert_int_equal(all.count, 1);
    assert_near(all.times[0], 9.37 - 0.002 * sqrt(log(2)), 1e-9);
    hbg_simulation_free(s);
    hbg_session_free(f.session);
}

static void stop_itself(void *context, const hbg_event *event) {
    if (event->time > 0) hbg_simulation_stop(*(hbg_simulation **)context);
}

/* It ends behind the step, with the instant done, and goes on as if nothing had been. */
static void what_was_interrupted_goes_on_to_the_bit(void **state) {
    (void)state;
    run_fixture f = fixture_load(SAW, NULL);
    hbg_simulation_options options = hbg_simulation_options_default();
    hbg_simulation *s = NULL, *whole = make(f, NULL);
    hbg_run_end end = HBG_RUN_INTERRUPTED;
    int interrupted = 0;
    options.event = stop_itself;
    options.context = &s;
    s = make(f, &options);
    for (; end == HBG_RUN_INTERRUPTED; interrupted++)
        assert_int_equal(hbg_simulation_advance(s, 7.3, &end), HBG_OK);
    assert_int_equal(interrupted, 5); // at 1, 3, 5 and 7 s, and then not
    assert_int_equal(end, HBG_RUN_FINISHED);
    advance(whole, 7.3);
    assert_true(state_of(s) == state_of(whole));
    hbg_simulation_free(s);
    hbg_simulation_free(whole);
    hbg_session_free(f.session);
}

static void an_image_gives_the_bits_of_its_model(void **state) {
    (void)state;
    run_fixture f = fixture_load(SAW, NULL), g = fixture_load(SAW, NULL);
    hbg_run_options options = hbg_run_options_default();
    hbg_model *model;
    assert_int_equal(hbg_compile(g.session, g.model, &options, "saw.hbi"), HBG_OK);
    hbg_session_free(g.session);
    assert_int_equal(hbg_session_new(NULL, &g.session), HBG_OK);
    assert_int_equal(hbg_load_image(g.session, "saw.hbi", NULL, &model), HBG_OK);
    g.model = model;
    hbg_simulation *s = make(f, NULL), *other = make(g, NULL);
    for (double t = 0.7; t < 6; t += 0.7) {
        advance(s, t);
        advance(other, t);
        assert_true(state_of(s) == state_of(other));
    }
    hbg_simulation_free(s);
    hbg_simulation_free(other);
    hbg_session_free(f.session);
    hbg_session_free(g.session);
}

static void what_fails_says_why(void **state) {
    (void)state;
    run_fixture f = fixture_load(EXPLODING, NULL);
    hbg_simulation_options options = hbg_simulation_options_default();
    hbg_simulation *s;
    hbg_run_end end;
    double values[9];
    options.solver = "bdf";
    assert_int_equal(hbg_simulation_new(f.session, f.model, &options, &s), HBG_BAD_ARGUMENT);
    assert_non_null(strstr(hbg_session_reason(f.session), "not with `bdf`"));
    options.solver = NULL;
    options.experiment = "none";
    assert_int_equal(hbg_simulation_new(f.session, f.model, &options, &s), HBG_NOT_FOUND);
    assert_null(s);
    s = make(f, NULL);
    assert_int_equal(hbg_simulation_set(s, HBG_VALUES_INPUTS, 0, 1), HBG_BAD_ARGUMENT);
    assert_int_equal(hbg_simulation_set(s, HBG_VALUES_STATES, 0, 1), HBG_BAD_ARGUMENT);
    assert_int_equal(hbg_simulation_read(s, HBG_VALUES_INPUTS, values), HBG_BAD_ARGUMENT);
    advance(s, 0.5);
    assert_true(fabs(state_of(s) - 2) < 1e-4); // 1/(1 − t)
    assert_int_equal(hbg_simulation_advance(s, 0.2, &end), HBG_BAD_ARGUMENT);
    assert_non_null(strstr(hbg_simulation_reason(s), "does not go back"));
    for (int i = 0; i < 2; i++) { // and stays so
        assert_int_equal(hbg_simulation_advance(s, 1.5, &end), HBG_OK);
        assert_int_equal(end, HBG_RUN_NOT_FINISHED);
        assert_non_null(strstr(hbg_simulation_reason(s), "at t = "));
        assert_true(fabs(hbg_simulation_time(s) - 1) < 1e-3);
    }
    assert_int_equal(hbg_simulation_read(s, HBG_VALUES_STATES, values), HBG_BAD_ARGUMENT);
    assert_int_equal(hbg_simulation_reset(s), HBG_OK);
    advance(s, 0.5);
    hbg_simulation_free(s);
    hbg_simulation_free(NULL);
    hbg_session_free(f.session);
}

static void memory_that_ends_is_a_status(void **state) {
    (void)state;
    int failures = 0;
    hbg_status status = HBG_NO_MEMORY;
    for (int64_t fail_at = 1; status != HBG_OK; fail_at += 1 + fail_at / 10, failures++) {
        hbg_session *session;
        hbg_model *model;
        hbg_simulation *s = NULL;
        hbg_run_end end;
        hbg_session_options limits = hbg_session_options_default();
        limits.fail_at = fail_at;
        status = hbg_session_new(&limits, &session);
        if (status != HBG_OK) continue;
        status = hbg_load_text(session, "model.hbg", SAW, strlen(SAW), NULL, &model);
        if (status == HBG_OK) status = hbg_simulation_new(session, model, NULL, &s);
        if (status == HBG_OK) status = hbg_simulation_advance(s, 2, &end);
        assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
        hbg_simulation_free(s);
        hbg_session_free(session);
    }
    assert_true(failures > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(values_are_those_of_the_closed_form),
        cmocka_unit_test(inputs_and_parameters_act_where_they_are_set),
        cmocka_unit_test(what_is_saved_goes_on_to_the_bit),
        cmocka_unit_test(a_reset_forgets_what_was_set),
        cmocka_unit_test(another_thread_stops_it),
        cmocka_unit_test(a_call_ends_where_patience_does),
        cmocka_unit_test(an_output_follows_a_kink_that_laws_have_left),
        cmocka_unit_test(a_restored_run_finds_the_events_of_its_mode),
        cmocka_unit_test(what_was_interrupted_goes_on_to_the_bit),
        cmocka_unit_test(an_image_gives_the_bits_of_its_model),
        cmocka_unit_test(what_fails_says_why),
        cmocka_unit_test(memory_that_ends_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
