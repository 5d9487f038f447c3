/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Signals that are defined only by each other. A circle of signals is a loop, which a run solves. If each
 * of them is a number times the next one, plus a part that does not depend on the circle, and these factors
 * multiply to 1, as in `a = b; b = a`, nothing is left to solve: every value fulfils the loop, or none
 * does. */
#include <math.h>

#include "model/model_impl.h"
#include "rt/bands.h"

typedef struct {
    enum {
        OTHER,
        FREE,
        AFFINE
    } kind; /* not known; reads no signal of the instant; factor*signal + what is free */
    int32_t signal;
    double factor;
} form;

static const form other = {.kind = OTHER}, is_free = {.kind = FREE};

static bool is_defined(const hbg_signal *signal) {
    bool plain = signal->kind == HBG_SIGNAL_SIGNAL || signal->kind == HBG_SIGNAL_OUTPUT;
    return plain && signal->every == HBG_NONE && signal->value >= 0;
}

static form of_signal(const hbg_model *model, int32_t signal) {
    if (signal < 0 || model->signals.items[signal].kind == HBG_SIGNAL_SENSOR) return other;
    if (!is_defined(&model->signals.items[signal])) return is_free; // an input, a state, a sample
    return (form){AFFINE, signal, 1};
}

static form times(form a, double factor) {
    if (a.kind == AFFINE) a.factor *= factor;
    return a;
}

static form sum(form a, form b) {
    if (a.kind == OTHER || b.kind == OTHER) return other;
    if (a.kind == FREE || b.kind == FREE) return a.kind == FREE ? b : a;
    if (a.signal != b.signal) return other;
    a.factor += b.factor;
    return a;
}

/* Of an argument, which comes before its user; an unreadable one may be anything. */
static form argument(const form *forms, int32_t expr) {
    return expr >= 0 ? forms[expr] : other;
}

static form form_of(const hbg_model *model, const form *forms, int32_t expr) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    double value;
    if (hbg_model_constant(model, expr, &value)) return is_free;
    switch (node->op) {
    case HBG_OP_TIME:
    case HBG_OP_PRE:
    case HBG_OP_NUMBER:
    case HBG_OP_PARAM: return is_free;
    case HBG_OP_SIGNAL: return of_signal(model, node->a);
    case HBG_OP_NOT:
    case HBG_OP_NEGATE: return times(argument(forms, node->a), -1);
    case HBG_OP_ADD: return sum(argument(forms, node->a), argument(forms, node->b));
    case HBG_OP_SUBTRACT: return sum(argument(forms, node->a), times(argument(forms, node->b), -1));
    case HBG_OP_MULTIPLY:
        if (hbg_model_constant(model, node->a, &value)) return times(argument(forms, node->b), value);
        return hbg_model_constant(model, node->b, &value) ? times(argument(forms, node->a), value) : other;
    case HBG_OP_DIVIDE:
        return hbg_model_constant(model, node->b, &value) ? times(argument(forms, node->a), 1 / value)
                                                          : other;
    default: return other;
    }
}

/* For truths, a factor of -1, a `!`, leaves no solution. */
static bool is_empty(const hbg_model *model, int32_t signal, double product) {
    if (model->signals.items[signal].type == HBG_TYPE_BOOL) return true;
    return fabs(product - 1) <= HBG_RT_MEANT;
}

static void report(hbg_check *check, const form *next, int32_t first) {
    enum { MOST = 8 };
    const hbg_model *model = check->model;
    const hbg_signal *of = &model->signals.items[first];
    if (!hbg_model_check_first(check, HBG_E_CYCLE, of->id.span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_SIGNAL, first);
    bool alone = next[first].signal == first;
    hbg_diagnostic *report = hbg_base_report(
        check->diagnostics, HBG_E_CYCLE, of->id.span,
        "`%s` is defined by nothing but %s: nothing says what it is; define %s by something else, or "
        "write `pre(%s)` for what it was before an event",
        path, alone ? "itself" : "signals that are defined by it", alone ? "it" : "one of them", path);
    int shown = 0;
    for (int32_t at = next[first].signal; at != first && shown < MOST; at = next[at].signal, shown++)
        hbg_base_report_note(check->diagnostics, report, model->signals.items[at].id.span,
                             "`%s` is in the circle", hbg_model_check_path(check, HBG_OBJECT_SIGNAL, at));
}

/* Every signal leads to one other at most, so that a walk from it ends in a circle or nowhere. */
static void walk(hbg_check *check, const form *next, int32_t *met, int32_t first) {
    int32_t at = first;
    while (met[at] == 0 && next[at].kind == AFFINE) {
        met[at] = first + 1;
        at = next[at].signal;
    }
    if (met[at] != first + 1) return; // nowhere, or to an earlier walk
    double product = 1;
    int32_t start = at;
    do {
        product *= next[at].factor;
        at = next[at].signal;
    } while (at != start);
    if (is_empty(check->model, start, product)) report(check, next, start);
}

void hbg_model_check_signals(hbg_check *check) {
    const hbg_model *model = check->model;
    form *forms = HBG_NEW_ARRAY(check->scratch, form, model->exprs.count + 1);
    form *next = HBG_NEW_ARRAY(check->scratch, form, model->signals.count + 1);
    int32_t *met = HBG_NEW_ARRAY(check->scratch, int32_t, model->signals.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) forms[i] = form_of(model, forms, i);
    for (int32_t i = 0; i < model->signals.count; i++)
        next[i] = is_defined(&model->signals.items[i]) ? forms[model->signals.items[i].value] : other;
    for (int32_t i = 0; i < model->signals.count; i++) walk(check, next, met, i);
}
