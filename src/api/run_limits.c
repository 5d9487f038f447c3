/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests that no machine can fulfil: a tolerance finer than the digits of a number, steps, rows or samples
 * so close to one another that the run would never end, waves faster than time resolves. Each report gives
 * the nearest value that works. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/run_impl.h"

static const double most_in_a_run = 1e9; /* rows, steps, samples: more would take days and fill a disk */
static const double most_times = 0x1p52; /* that a double distinguishes up to its value, evenly spread */

/* ---- tolerances --------------------------------------------------------------------------------------- */

static hbg_status check_tolerances(hbg_session *session, const hbg_run_options *options) {
    double rtol = options->rtol, atol = options->atol;
    if (!(rtol >= 0 && rtol < HBG_RTOL_MOST))
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the relative tolerance, --rtol, is %g, but has to be more than 0 and less than 1: "
            "1e-6 is usual",
            rtol);
    if (rtol > 0 && rtol < HBG_RTOL_LEAST)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the relative tolerance, --rtol, is %g, but numbers have 16 digits: %g is the least "
            "that can be asked for",
            rtol, HBG_RTOL_LEAST);
    if (!(atol >= 0) || !isfinite(atol))
        return hbg_api_session_fail(
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
        hbg_base_report(&session->diagnostics, HBG_E_VALUE, model->exprs.items[pace->time].span,
                        "%s is %g s, which makes %.3g %s in a run of %g s: more than %g", pace->what, time,
                        stop / time, pace->things, stop, most_in_a_run);
    hbg_base_report_fix(&session->diagnostics, report, "%g s is the least that works",
                        rounded_up(stop / most_in_a_run));
    return false;
}

static const char *period_of(hbg_session *session, hbg_object object) {
    return hbg_base_arena_print(&session->scratch, "the period of `%s`",
                                hbg_api_text_path(session, session->run->model, object));
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

/* ---- waves -------------------------------------------------------------------------------------------- */

/* The values of expressions over time and parameters alone, at the start and at the stop; NAN: not known. */
typedef struct {
    const hbg_model *model;
    double *start, *stop; /* by expression */
} course;

/* Of the column `period` in the list of operators: the length of the period. */
#define LENGTH_none   0
#define LENGTH_turn   6.283185307179586
#define LENGTH_one    1
#define LENGTH_second -1 /* that of the second argument */

static double length_of(uint16_t op, double second) {
    static const double lengths[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = LENGTH_##period,
        HBG_OPERATOR_LIST(X)
#undef X
    };
    double length = op < HBG_OP_COUNT ? lengths[op] : 0;
    return length < 0 ? fabs(second) : length;
}

/* The expression a signal stands for, if that is all it is. */
static hbg_expr meaning_of(const hbg_model *model, const hbg_expr_node *node) {
    if (node->op != HBG_OP_SIGNAL || node->a < 0) return HBG_NONE;
    const hbg_signal *signal = &model->signals.items[node->a];
    bool plain = signal->kind == HBG_SIGNAL_SIGNAL || signal->kind == HBG_SIGNAL_OUTPUT;
    return plain ? signal->value : HBG_NONE;
}

static double value_at(const course *c, hbg_expr expr, const double *known, double t) {
    const hbg_expr_node *node = &c->model->exprs.items[expr];
    hbg_expr meaning = meaning_of(c->model, node);
    double value;
    if (node->op == HBG_OP_TIME) return t;
    if (meaning != HBG_NONE) return known[meaning];
    if (hbg_model_constant(c->model, expr, &value)) return value;
    int arity = node->op == HBG_OP_PARAM ? 0 : hbg_model_expr_arity(node);
    const hbg_expr arguments[] = {node->a, node->b, node->c};
    for (int i = 0; i < arity && i < 3; i++)
        if (isnan(known[arguments[i]])) return NAN;
    return arity > 0 ? hbg_model_value_again(node, known, NULL, NAN) : NAN;
}

enum { MOST_PASSES = 100 }; /* of signals: a longer chain in the wrong order is not followed */

/* Repeated for signals that are defined after they are read, until nothing new is known. */
static void follow(course *c, double stop) {
    int32_t count = c->model->exprs.count;
    for (int32_t i = 0; i < count; i++) c->start[i] = c->stop[i] = NAN;
    bool news = true;
    for (int pass = 0; news && pass < MOST_PASSES; pass++) {
        news = false;
        for (int32_t i = 0; i < count; i++) {
            if (!isnan(c->stop[i])) continue;
            c->start[i] = value_at(c, i, c->start, 0);
            c->stop[i] = value_at(c, i, c->stop, stop);
            news = news || !isnan(c->stop[i]);
        }
    }
}

static bool has_waves(const hbg_model *model) {
    for (int32_t i = 0; i < model->exprs.count; i++)
        if (length_of(model->exprs.items[i].op, 1) > 0) return true;
    return false;
}

static void refuse_wave(hbg_session *session, hbg_expr expr, double periods, double stop) {
    const hbg_model *model = session->run->model;
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    hbg_model_print_expr(model, expr, &text);
    hbg_diagnostic *report = hbg_base_report(
        &session->diagnostics, HBG_E_VALUE, model->exprs.items[expr].span,
        "`%s` repeats %.3g times in a run of %g s, but a number tells only %.2g instants of it "
        "apart: the run would never end",
        text.data, periods, stop, most_times);
    hbg_base_report_fix(&session->diagnostics, report, "a stop before %.3g s, or a lower frequency",
                        stop * (most_times / periods));
}

/* Where a phase makes a whole turn from one time to the next, values computed from it are arbitrary, and so
 * are its events. */
static bool can_follow(hbg_session *session, double stop) {
    const hbg_model *model = session->run->model;
    int32_t count = model->exprs.count;
    if (!(stop > 0) || !has_waves(model)) return true;
    course c = {model, HBG_NEW_ARRAY(&session->scratch, double, count),
                HBG_NEW_ARRAY(&session->scratch, double, count)};
    bool fine = true;
    follow(&c, stop);
    for (int32_t i = 0; i < count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        if (!(length_of(node->op, 1) > 0)) continue;
        bool second = hbg_model_expr_arity(node) > 1;
        double length = length_of(node->op, second ? c.stop[node->b] : 0);
        double periods = fabs(c.stop[node->a] - c.start[node->a]) / length;
        if (!(periods > most_times) || !isfinite(periods)) continue;
        refuse_wave(session, i, periods, stop);
        fine = false;
    }
    return fine;
}

hbg_status hbg_api_run_check_limits(hbg_session *session, const hbg_run_options *options,
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
    fine = can_follow(session, stop) && fine;
    return fine ? HBG_OK : HBG_BAD_MODEL;
}
