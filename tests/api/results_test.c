/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as values: the numbers of the file, the instants of the log, the lines of the balance. */
#include "run_fixture_impl.h"

#include "hbg/simulation.h"

static const hbg_results *results_of(run_fixture f, const hbg_run_options *options) {
    const hbg_results *results;
    hbg_status status = hbg_run_results(f.session, f.model, options, &results);
    if (status != HBG_OK) fail_msg("%s", hbg_session_reason(f.session));
    assert_non_null(results);
    return results;
}

/* v = V·(1 − e^(−t/RC)), i = V/R·e^(−t/RC). */
static void columns_have_names_units_and_the_values_of_the_closed_form(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.rtol = 1e-9;
    const hbg_results *results = results_of(f, &options);
    assert_int_equal(results->end, HBG_RUN_FINISHED);
    assert_string_equal(results->reason, "");
    assert_int_equal(results->column_count, 3);
    assert_string_equal(results->columns[0].of.name, "time");
    assert_string_equal(results->columns[0].of.unit, "s");
    const hbg_column *v = hbg_results_find(results, "v"), *i = hbg_results_find(results, "i");
    assert_ptr_equal(v, &results->columns[1]);
    assert_string_equal(v->of.unit, "V");
    assert_string_equal(i->of.unit, "A");
    assert_null(hbg_results_find(results, "w"));
    assert_true(results->row_count > 5 && results->steps > 5 && results->solver[0]);
    for (int64_t row = 0; row < results->row_count; row++) {
        double t = results->columns[0].values[row], decay = exp(-t / 0.01);
        assert_true(fabs(v->values[row] - 10 * (1 - decay)) < 1e-6);
        assert_true(fabs(i->values[row] - 0.01 * decay) < 1e-9);
    }
    assert_true(results->columns[0].values[results->row_count - 1] == 0.05);
    hbg_results_free(f.session, results);
    hbg_session_free(f.session);
}

static void rows_are_those_of_the_file(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    const char *path = "rows.csv";
    options.files = &path;
    options.file_count = 1;
    const hbg_results *results = results_of(f, &options);
    FILE *file = fopen(path, "r");
    char line[400];
    assert_non_null(file);
    while (fgets(line, sizeof line, file) && !(line[0] >= '0' && line[0] <= '9')) continue;
    int64_t row = 0;
    do {
        char *at = line;
        for (int32_t i = 0; i < results->column_count; i++, at++)
            assert_true(strtod(at, &at) == results->columns[i].values[row]);
        row++;
    } while (fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(row, results->row_count);
    hbg_results_free(f.session, results);
    hbg_session_free(f.session);
}

/* The supply gives C·V², half of which is stored. */
static void the_ledger_balances(void **state) {
    (void)state;
    run_fixture f = fixture_load(CHARGING, NULL);
    hbg_run_options options = hbg_run_options_default();
    options.rtol = 1e-9;
    const hbg_results *results = results_of(f, &options);
    const hbg_ledger *ledger = results->ledger;
    double charged = 1 - exp(-5), supplied = 1e-5 * 100 * charged, stored = 0.5e-5 * 100 * charged * charged;
    assert_non_null(ledger);
    assert_int_equal(ledger->storage_count, 1);
    assert_string_equal(ledger->storages[0].element, "cap");
    assert_true(fabs(ledger->storages[0].after - stored) < 1e-9 && ledger->storages[0].before == 0);
    assert_int_equal(ledger->work_count, 2);
    for (int32_t i = 0; i < 2; i++) {
        bool source = ledger->works[i].kind == HBG_WORK_SUPPLIED;
        assert_string_equal(ledger->works[i].element, source ? "supply" : "series");
        assert_true(fabs(ledger->works[i].work - (source ? supplied : supplied - stored)) < 1e-9);
    }
    assert_true(fabs(ledger->supplied - supplied) < 1e-9 &&
                fabs(ledger->dissipated - (supplied - stored)) < 1e-9);
    assert_true(fabs(ledger->residual) < 1e-9 && ledger->scale > 1e-4);
    hbg_results_free(f.session, results);
    options.ledger = false;
    results = results_of(f, &options);
    assert_null(results->ledger);
    hbg_results_free(f.session, results);
    hbg_session_free(f.session);
}

/* Up to 1 in a second, down to -1 in two, and so on. */
#define SAW                                                                                                  \
    "model Saw { input real u = 1; state x = 0 : der = up ? u : -u; output y = x;\n"                         \
    "  automaton up { on rising -> falling when x >= 1; off falling -> rising when x <= -1; }\n"             \
    "  experiment e { stop 6 [s]; at 4 [s]: u = 1; } }\n"

static void events_have_their_times_modes_and_inputs(void **state) {
    (void)state;
    run_fixture f = fixture_load(SAW, NULL);
    hbg_run_options options = hbg_run_options_default();
    const hbg_results *results = results_of(f, &options);
    static const double times[] = {0, 1, 3, 4, 5};
    static const int32_t states[] = {0, 1, 0, 0, 1};
    assert_int_equal(results->automaton_count, 1);
    assert_string_equal(results->automata[0].name, "up");
    assert_string_equal(results->automata[0].states[1], "falling");
    assert_string_equal(results->inputs[0].name, "u");
    assert_int_equal(results->event_count, 5);
    for (int i = 0; i < 5; i++) {
        const hbg_event *event = &results->events[i];
        if (fabs(event->time - times[i]) > 1e-6) fail_msg("event %d at %.17g", i, event->time);
        assert_int_equal(event->input_count, i == 3);
        assert_null(event->verdict);
        assert_true(event->lost == 0);
        if (event->mode_count == 0) continue;
        const hbg_event_mode *last = &event->modes[event->mode_count - 1];
        assert_int_equal(last->kind, HBG_MODE_CONTINUOUS);
        assert_int_equal(last->states[0], states[i]);
    }
    assert_true(results->events[3].planned && !results->events[1].planned);
    hbg_results_free(f.session, results);
    hbg_session_free(f.session);
}

static void a_run_that_does_not_finish_keeps_what_there_is(void **state) {
    (void)state;
    run_fixture f = fixture_load(EXPLODING, NULL);
    hbg_run_options options = hbg_run_options_default();
    const hbg_results *results = results_of(f, &options);
    assert_int_equal(results->end, HBG_RUN_NOT_FINISHED);
    assert_non_null(strstr(results->reason, "at t = "));
    assert_true(results->row_count > 10);
    for (int64_t i = 0; i < results->row_count; i++)
        assert_true(results->columns[0].values[i] < 1.001 && results->columns[1].values[i] >= 1);
    hbg_results_free(f.session, results);
    options.experiment = "none";
    assert_int_equal(hbg_run_results(f.session, f.model, &options, &results), HBG_NOT_FOUND);
    assert_null(results);
    hbg_results_free(f.session, NULL);
    hbg_session_free(f.session);
}

static void memory_that_ends_is_a_status(void **state) {
    (void)state;
    int failures = 0;
    hbg_status status = HBG_NO_MEMORY;
    for (int64_t fail_at = 1; status != HBG_OK; fail_at += 1 + fail_at / 12, failures++) {
        hbg_session *session;
        hbg_model *model;
        const hbg_results *results = NULL;
        hbg_session_options limits = hbg_session_options_default();
        hbg_run_options options = hbg_run_options_default();
        limits.fail_at = fail_at;
        status = hbg_session_new(&limits, &session);
        if (status != HBG_OK) continue;
        options.engine = HBG_ENGINE_INTERPRETER;
        status = hbg_load_text(session, "model.hbg", SAW, strlen(SAW), NULL, &model);
        if (status == HBG_OK) status = hbg_run_results(session, model, &options, &results);
        assert_true(status == HBG_OK || status == HBG_NO_MEMORY);
        hbg_results_free(session, results);
        hbg_session_free(session);
    }
    assert_true(failures > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_have_names_units_and_the_values_of_the_closed_form),
        cmocka_unit_test(rows_are_those_of_the_file),
        cmocka_unit_test(the_ledger_balances),
        cmocka_unit_test(events_have_their_times_modes_and_inputs),
        cmocka_unit_test(a_run_that_does_not_finish_keeps_what_there_is),
        cmocka_unit_test(memory_that_ends_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
