/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a run is asked for that no machine can do: a tolerance finer than the digits of a number, steps, rows or samples so
 * close to one another that the run would never end. Each is told with the nearest value that works. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/run_impl.h"
#include "rt/bands.h"

_Static_assert(HBG_RTOL_USUAL == HBG_RT_RTOL, "the engine has the tolerance that is told");

static const double most_in_a_run = 1e9; /* rows, steps, samples: more would take days and fill a disk */

/* ---- tolerances --------------------------------------------------------------------------------------- */

static hbg_status check_tolerances(hbg_session *session, const hbg_run_options *options) {
    double rtol = options->rtol, atol = options->atol;
    if (!(rtol >= 0 && rtol < HBG_RTOL_MOST))
        return hbg_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the relative tolerance, --rtol, is %g, but has to be more than 0 and less than 1: "
            "1e-6 is usual",
            rtol);
    if (rtol > 0 && rtol < HBG_RTOL_LEAST)
        return hbg_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the relative tolerance, --rtol, is %g, but numbers have 16 digits: %g is the least "
            "that can be asked for",
            rtol, HBG_RTOL_LEAST);
    if (!(atol >= 0) || !isfinite(atol))
        return hbg_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the absolute tolerance, --atol, is %g, but has to be 0 or more: leave it out, and it "
            "follows from the size of each state",
            atol);
    return HBG_OK;
}

/* ---- times -------------------------------------------------------------------------------------------- */

typedef struct {
    const char *what;   /* "the time between rows, --every," */
    const char *things; /* "rows" */
    hbg_expr time;
} pace;

/* At least so much, with three digits. */
static double rounded_up(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.2e", value);
    double rounded = strtod(text, NULL);
    if (rounded >= value) return rounded;
    snprintf(text, sizeof text, "%.2e", value * 1.01);
    return strtod(text, NULL);
}

static bool can_keep(hbg_session *session, double stop, const pace *pace) {
    const hbg_model *model = session->run->model;
    double time;
    if (pace->time == HBG_NONE || !hbg_model_constant(model, pace->time, &time)) return true;
    if (!(time > 0) || stop / time <= most_in_a_run) return true;
    hbg_diagnostic *report =
        hbg_report(&session->diagnostics, HBG_E_VALUE, model->exprs.items[pace->time].span,
                   "%s is %g s, which makes %.3g %s in a run of %g s: more than %g", pace->what, time,
                   stop / time, pace->things, stop, most_in_a_run);
    hbg_report_fix(&session->diagnostics, report, "%g s is the least that works",
                   rounded_up(stop / most_in_a_run));
    return false;
}

static const char *period_of(hbg_session *session, hbg_object object) {
    return hbg_arena_print(&session->scratch, "the period of `%s`",
                           hbg_text_path(session, session->run->model, object));
}

static bool can_sample(hbg_session *session, double stop) {
    const hbg_model *model = session->run->model;
    bool fine = true;
    for (int32_t i = 0; i < model->signals.count; i++) {
        if (model->signals.items[i].every == HBG_NONE) continue;
        pace pace = {period_of(session, (hbg_object){HBG_OBJECT_SIGNAL, i}), "samples",
                     model->signals.items[i].every};
        fine = can_keep(session, stop, &pace) && fine;
    }
    for (int32_t i = 0; i < model->automata.count; i++) {
        if (model->automata.items[i].every == HBG_NONE) continue;
        pace pace = {period_of(session, (hbg_object){HBG_OBJECT_AUTOMATON, i}), "samples",
                     model->automata.items[i].every};
        fine = can_keep(session, stop, &pace) && fine;
    }
    return fine;
}

hbg_status hbg_run_check_limits(hbg_session *session, const hbg_run_options *options,
                                const hbg_experiment *asked, const hbg_experiment *said, double stop) {
    bool own_step = asked->step != HBG_NONE, own_rows = asked->record_every != HBG_NONE;
    pace step = {own_step ? "the step, --step," : "the step of the solver", "steps",
                 own_step ? asked->step : said->step};
    pace rows = {own_rows ? "the time between rows, --every," : "the time between rows", "rows",
                 own_rows ? asked->record_every : said->record_every};
    HBG_TRY(check_tolerances(session, options));
    bool fine = can_keep(session, stop, &step);
    fine = can_keep(session, stop, &rows) && fine;
    fine = can_sample(session, stop) && fine;
    return fine ? HBG_OK : HBG_BAD_MODEL;
}
