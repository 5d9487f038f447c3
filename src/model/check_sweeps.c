/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps: axes with values, of parameters that a run can still change. Periods and waits are built into the
 * compiled model that all runs of a sweep share, so parameters that decide them cannot be swept. The numbers
 * of an axis may follow another one. */
#include <math.h>
#include <string.h>

#include "model/model_impl.h"

static const double most_points = 1e9; /* of one grid */

static bool number(const hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis,
                   int32_t index, double *value) {
    return index < axis->count &&
           hbg_model_constant(check->model, experiment->settings.items[axis->first + index].value, value);
}

static hbg_span place(const hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis,
                      int32_t index) {
    if (index >= axis->count) return axis->span;
    const hbg_setting *setting = &experiment->settings.items[axis->first + index];
    return hbg_model_check_span(check, setting->value, setting->span);
}

static void check_grid(hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis) {
    double from, to, step;
    if (!number(check, experiment, axis, 0, &from) || !number(check, experiment, axis, 1, &to) ||
        !number(check, experiment, axis, 2, &step))
        return;
    hbg_span span = place(check, experiment, axis, 2);
    if (!(step > 0)) {
        if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return;
        hbg_diagnostic *report =
            hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "the step of a grid has to be positive");
        hbg_base_report_fix(check->diagnostics, report, "a grid that goes down has its larger end first");
    } else if (fabs(to - from) / step > most_points && hbg_model_check_first(check, HBG_E_VALUE, span)) {
        hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "this grid has more than %g values",
                        most_points);
    }
}

static void check_draw(hbg_check *check, const hbg_experiment *experiment, const hbg_axis *axis) {
    double first, second;
    if (!number(check, experiment, axis, 0, &first)) return;
    hbg_span span = place(check, experiment, axis, axis->count - 1);
    const char *wrong = NULL, *fix = NULL;
    if (axis->kind == HBG_AXIS_LOGNORMAL && !(first > 0)) {
        wrong = "the median of a lognormal distribution has to be positive";
    } else if (axis->kind == HBG_AXIS_NORMAL && number(check, experiment, axis, 1, &second) &&
               !(second > 0)) {
        wrong = "the deviation of a normal distribution has to be positive";
    } else if (axis->kind == HBG_AXIS_UNIFORM && number(check, experiment, axis, 1, &second) &&
               !(first < second)) {
        wrong = "the lower end of a uniform distribution has to be below the upper one";
        fix = "write the smaller number first";
    }
    if (!wrong || !hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    hbg_diagnostic *report = hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "%s", wrong);
    if (fix) hbg_base_report_fix(check->diagnostics, report, "%s", fix);
}

/* ---- what cannot be swept ----------------------------------------------------------------------------- */

static bool hangs(const bool *hanging, hbg_expr expr) {
    return expr >= 0 && hanging[expr];
}

/* What a parameter that decides something built in is wanted for: to be swept, or to be chosen by a run. */
typedef struct {
    hbg_check *check;
    int32_t param;
    hbg_span span;
    bool chosen;
} built_in;

static void report_built_in(const built_in *of, hbg_object_kind kind, int32_t index, const char *what) {
    hbg_check *check = of->check;
    if (!hbg_model_check_first(check, HBG_E_EXPERIMENT, of->span)) return;
    const char *param = hbg_model_check_path(check, HBG_OBJECT_PARAM, of->param);
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_EXPERIMENT, of->span,
        "`%s` cannot be %s: it decides %s of `%s`, which all runs of a compiled model have in common", param,
        of->chosen ? "chosen by a run" : "swept", what, hbg_model_check_path(check, kind, index));
    const hbg_identity *id = hbg_model_identity(check->model, (hbg_object){kind, index});
    if (id) hbg_base_report_note(check->diagnostics, report, id->span, "that is declared here");
    bool waits = strcmp(what, "a wait") == 0;
    hbg_base_report_fix(
        check->diagnostics, report, "give `%s` one value, `-p %s=…`, in a %s for each%s", param, param,
        of->chosen ? "run" : "sweep",
        waits ? "; or let guards look at the time, `when time%Ts < D*Ts`, which can be given anew" : "");
}

static void check_built_in(const built_in *of) {
    hbg_check *check = of->check;
    const hbg_model *model = check->model;
    const bool *hanging = hbg_model_check_hanging(check, of->param, NULL);
    for (int32_t i = 0; i < model->signals.count; i++)
        if (hangs(hanging, model->signals.items[i].every))
            report_built_in(of, HBG_OBJECT_SIGNAL, i, "the period");
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        bool every = hangs(hanging, automaton->every), waits = false;
        for (int32_t k = 0; k < automaton->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[automaton->first_state + k];
            for (int32_t t = 0; t < state->transition_count; t++)
                waits |= hangs(hanging, model->transitions.items[state->first_transition + t].after);
        }
        if (every || waits) report_built_in(of, HBG_OBJECT_AUTOMATON, i, every ? "the period" : "a wait");
    }
    for (int32_t i = 0; of->chosen && i < model->choices.count; i++) {
        const hbg_choice *choice = &model->choices.items[i];
        if (hangs(hanging, choice->low) || hangs(hanging, choice->high))
            report_built_in(of, choice->target.kind, choice->target.index, "the interval");
    }
}

void hbg_model_check_chosen(hbg_check *check, int32_t param, hbg_span span) {
    check_built_in(&(built_in){check, param, span, true});
}

/* ---- axes that follow others -------------------------------------------------------------------------- */

/* What is still to be examined. */
typedef struct {
    hbg_arena *arena;
    bool *seen; /* by expression */
    HBG_VEC(hbg_expr) exprs;
} reading;

static void look_into(reading *r, hbg_expr expr) {
    if (expr < 0 || r->seen[expr]) return;
    r->seen[expr] = true;
    HBG_PUSH(r->arena, r->exprs, expr);
}

static int32_t axis_of(const hbg_experiment *experiment, int32_t param) {
    for (int32_t i = 0; i < experiment->axes.count; i++)
        if (experiment->axes.items[i].param == param) return i;
    return HBG_NONE;
}

static bool has_numbers_only(const hbg_model *model, const hbg_experiment *experiment, const hbg_axis *axis) {
    bool only = axis->spread < 0 || model->exprs.items[axis->spread].op == HBG_OP_NUMBER;
    for (int32_t i = 0; i < axis->count && only; i++) {
        hbg_expr value = experiment->settings.items[axis->first + i].value;
        only = value < 0 || model->exprs.items[value].op == HBG_OP_NUMBER;
    }
    return only;
}

/* The parameter itself has, in its own numbers, its value without the sweep. */
void hbg_model_axis_reads(hbg_arena *arena, const hbg_model *model, const hbg_experiment *experiment,
                          int32_t axis, bool *reads) {
    const hbg_axis *of = &experiment->axes.items[axis];
    reading r = {.arena = arena};
    for (int32_t i = 0; i < experiment->axes.count; i++) reads[i] = false;
    if (has_numbers_only(model, experiment, of)) return;
    r.seen = HBG_NEW_ARRAY(arena, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < of->count; i++) look_into(&r, experiment->settings.items[of->first + i].value);
    look_into(&r, of->spread);
    while (r.exprs.count > 0) {
        const hbg_expr_node *node = &model->exprs.items[r.exprs.items[--r.exprs.count]];
        for (int k = 0; k < hbg_model_expr_arity(node); k++) look_into(&r, hbg_model_expr_argument(node, k));
        if (node->op != HBG_OP_PARAM || node->a < 0) continue;
        int32_t other = axis_of(experiment, node->a);
        if (other == HBG_NONE || other == axis)
            look_into(&r, model->params.items[node->a].value);
        else
            reads[other] = true;
    }
}

/* Found once: a list may have very many numbers. */
bool hbg_model_check_axis_follows(hbg_check *check, const hbg_experiment *experiment, int32_t axis) {
    int32_t count = experiment->axes.count;
    if (!check->following) {
        bool *reads = HBG_NEW_ARRAY(check->scratch, bool, count + 1);
        check->following = HBG_NEW_ARRAY(check->scratch, bool, count + 1);
        for (int32_t i = 0; i < count; i++) {
            hbg_model_axis_reads(check->scratch, check->model, experiment, i, reads);
            for (int32_t k = 0; k < count; k++) check->following[i] = check->following[i] || reads[k];
        }
    }
    return check->following[axis];
}

bool hbg_model_check_number_follows(hbg_check *check, const hbg_experiment *experiment, int32_t setting) {
    for (int32_t i = 0; i < experiment->axes.count; i++) {
        const hbg_axis *axis = &experiment->axes.items[i];
        if (setting < axis->first || setting >= axis->first + axis->count) continue;
        return hbg_model_check_axis_follows(check, experiment, i);
    }
    return false;
}

static const char *axis_name(hbg_check *check, const hbg_experiment *experiment, int32_t axis) {
    return hbg_model_check_path(check, HBG_OBJECT_PARAM, experiment->axes.items[axis].param);
}

/* A grid has as many values as its ends and its step determine: their number would differ from run to run. */
static void check_steady(hbg_check *check, const hbg_experiment *experiment, int32_t axis,
                         const bool *reads) {
    const hbg_axis *of = &experiment->axes.items[axis];
    for (int32_t i = 0; i < experiment->axes.count; i++) {
        if (of->kind != HBG_AXIS_GRID || !reads[i] ||
            !hbg_model_check_first(check, HBG_E_EXPERIMENT, of->span))
            continue;
        const char *name = axis_name(check, experiment, axis), *other = axis_name(check, experiment, i);
        hbg_diagnostic *report = hbg_base_report(
            check->diagnostics, HBG_E_EXPERIMENT, of->span,
            "the grid of `%s` follows `%s`, which is swept too: it would differ from run to run", name,
            other);
        hbg_base_report_fix(
            check->diagnostics, report,
            "a list can follow it, `%s=0.5*%s,%s`, and so can one value, `%s=0.5*%s`, or a distribution",
            name, other, other, name, other);
    }
}

/* Axes one after the other, each after those it follows; the rest forms a circle. */
static void check_circle(hbg_check *check, const hbg_experiment *experiment, const bool *reads) {
    int32_t count = experiment->axes.count, left = count;
    bool *placed = HBG_NEW_ARRAY(check->scratch, bool, count + 1);
    int32_t *follows = HBG_NEW_ARRAY(check->scratch, int32_t, count + 1); // one that is not placed
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < count; i++) {
            if (placed[i]) continue;
            follows[i] = HBG_NONE;
            for (int32_t k = 0; k < count && follows[i] == HBG_NONE; k++)
                if (reads[i * count + k] && !placed[k]) follows[i] = k;
            if (follows[i] != HBG_NONE) continue;
            placed[i] = more = true;
            left--;
        }
    }
    if (left == 0) return;
    int32_t axis = 0;
    while (placed[axis]) axis++;
    for (int32_t i = 0; i < count; i++) axis = follows[axis]; // from a tail into the circle
    const hbg_axis *of = &experiment->axes.items[axis];
    if (hbg_model_check_first(check, HBG_E_CYCLE, of->span))
        hbg_base_report(check->diagnostics, HBG_E_CYCLE, of->span,
                        "the values of `%s` follow those of `%s`, and these follow `%s` again",
                        axis_name(check, experiment, axis), axis_name(check, experiment, follows[axis]),
                        axis_name(check, experiment, axis));
}

static void check_following(hbg_check *check, const hbg_experiment *experiment) {
    int32_t count = experiment->axes.count;
    if (count < 2) return;
    bool *reads = HBG_NEW_ARRAY(check->scratch, bool, (size_t)count *(size_t)count);
    for (int32_t i = 0; i < count; i++) {
        hbg_model_axis_reads(check->scratch, check->model, experiment, i, reads + (size_t)i * (size_t)count);
        check_steady(check, experiment, i, reads + (size_t)i * (size_t)count);
    }
    check_circle(check, experiment, reads);
}

void hbg_model_check_sweeps(hbg_check *check, const hbg_experiment *experiment) {
    check_following(check, experiment);
    for (int32_t i = 0; i < experiment->axes.count; i++) {
        const hbg_axis *axis = &experiment->axes.items[i];
        if (axis->kind == HBG_AXIS_GRID) check_grid(check, experiment, axis);
        if (axis->kind > HBG_AXIS_LIST && !hbg_model_check_axis_follows(check, experiment, i))
            check_draw(check, experiment, axis);
        check_built_in(&(built_in){check, axis->param, axis->span, false});
    }
}
