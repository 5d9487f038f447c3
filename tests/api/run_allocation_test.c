/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of a run may fail: the call says so, nothing leaks, the session stays of use. */
#include "api/api_impl.h"
#include "api/run_allocation_impl.h"
#include "api/run_fixture_impl.h"

/* Storages that depend on one another, a nonlinear law, a loop, samples, a table over time: much to allocate. */
static const char model[] =
    "model Rich { param R1 = 2; input real u = 1; Se s(u); R r(R1); R law : e = f + f^3; C a(1, q = 1); C "
    "b(2);\n"
    "  I coil(1); 1 j; 0 n; 1 k; s -> j -> r; j -> n; n -> a; n -> b; n -> k; k -> law; k -> coil;\n"
    "  state x = 0 : der = a.e; sample y every 0.05 = x; output o = a.e, p = y;\n"
    "  sensor z = x every 0.05 noise(0, 1);\n"
    "  experiment e { stop 0.2; set R1 = 3, coil.p = 1; at 0.1: u = 2; record o, coil.p; plot o;\n"
    "    fault at 0.1: R1 abrupt 1; fault at 0.1 until 0.15: a incipient 1; fault at 0.1: z bias 1; } }\n";

static int take(hbg_session *session, hbg_status status, hbg_text *text) {
    bool out = status == HBG_NO_MEMORY || status == HBG_CANNOT_WRITE;
    if (!out && status != HBG_OK) fail_msg("%d: %s", status, hbg_session_reason(session));
    if (status == HBG_OK) hbg_text_free(session, text);
    return out;
}

static int run(hbg_session *session, const hbg_model *of, const char *solver, bool json) {
    const char *const files[] = {"run_allocation.csv"};
    hbg_run_options options = hbg_run_options_default();
    hbg_run_end end;
    hbg_text text;
    options.solver = solver;
    options.json = json;
    options.files = files;
    options.file_count = 1;
    options.plot = json ? "run_allocation.svg" : NULL;
    return take(session, hbg_run(session, of, &options, &end, &text), &text);
}

/* Uses all there is to use; returns how many calls ran out of memory. */
static int use(hbg_session *session) {
    hbg_model *of;
    hbg_text text;
    bool flag;
    hbg_load_options load = {.records = "o, 2*coil.f", .every = "0.01"};
    hbg_status status = hbg_load_text(session, "rich.hbg", model, strlen(model), &load, &of);
    if (status == HBG_NO_MEMORY) return 1;
    assert_int_equal(status, HBG_OK);
    hbg_equations_options equations = {0};
    hbg_linearize_options linearize = {.json = true};
    hbg_steady_options steady = {0};
    int failed = run(session, of, "bdf", true);
    failed += run(session, of, "erk", false);
    failed += take(session, hbg_equations(session, of, &equations, &flag, &text), &text);
    failed += take(session, hbg_linearize(session, of, &linearize, &text), &text);
    failed += take(session, hbg_bode(session, of, &linearize, "u", HBG_DRAW_SVG, &text), &text);
    failed += take(session, hbg_steady(session, of, &steady, &flag, &text), &text);
    return failed;
}

static void runs_survive_every_failure(void **state) {
    (void)state;
    survives_every_failure(use);
    remove("run_allocation.csv");
    remove("run_allocation.csv.partial");
    remove("run_allocation.svg");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_survive_every_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
