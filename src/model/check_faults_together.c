/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Faults of one value add up: the sum has to be a value its element can take, for as long as they last.
 * Between the moments at which one begins or ends the sum is linear in time, so checking its ends suffices.
 * While a value is held the others wait; the held value is checked with the fault that holds it. */
#include <math.h>
#include <stdlib.h>

#include "model/model_impl.h"

enum { MOST_NOTES = 3 };

typedef struct {
    double time;
    bool ends;
    int32_t fault;
} moment;

typedef struct {
    hbg_check *check;
    hbg_what_if *what_if;
    const hbg_experiment *experiment;
    const hbg_fault **faults; /* that may be in force together */
    int32_t count;
    double stop;     /* s */
    moment *moments; /* of one target */
    int32_t made, begun;
} together;

static bool value_of(const hbg_check *check, hbg_expr expr, double *value) {
    return expr >= 0 && hbg_model_constant(check->model, expr, value);
}

static bool is_value(const hbg_fault *fault) {
    return (fault->target.kind == HBG_OBJECT_PARAM || fault->target.kind == HBG_OBJECT_ELEMENT) &&
           fault->target.index >= 0;
}

static int by_time(const void *a, const void *b) {
    const moment *one = a, *other = b;
    if (one->time != other->time) return one->time < other->time ? -1 : 1;
    if (one->ends != other->ends) return one->ends ? -1 : 1;
    return (one->fault > other->fault) - (one->fault < other->fault);
}

/* ---- one target ---------------------------------------------------------------------------------------- */

/* What faults in force add to the value: linear in time. */
typedef struct {
    double at_zero, slope;
    int32_t holders, adding;
} line;

static void add(const together *t, const hbg_fault *fault, double nominal, double sign, line *sum) {
    double value, at;
    if (hbg_model_fault_effect_of(fault) == HBG_EFFECT_HOLDS) {
        sum->holders += sign > 0 ? 1 : -1;
        return;
    }
    if (!value_of(t->check, fault->value, &value) || !value_of(t->check, fault->at, &at)) return;
    if (fault->relative) value *= nominal;
    sum->adding += sign > 0 ? 1 : -1;
    bool slope = hbg_model_fault_effect_of(fault) == HBG_EFFECT_GROWS;
    sum->at_zero += sign * (slope ? -value * at : value);
    if (slope) sum->slope += sign * value;
}

/* The value of a target without faults; not finite if it is not known. */
static double nominal_of(const together *t, hbg_object target) {
    const hbg_model *model = t->check->model;
    if (target.kind == HBG_OBJECT_PARAM) return hbg_model_what_if_nominal(t->what_if, target.index);
    hbg_expr entry = model->entries.items[model->elements.items[target.index].first_value];
    return entry >= 0 ? t->what_if->exprs[entry] : NAN;
}

/* Whether an element becomes invalid if the target has this value. */
static bool loses(const together *t, hbg_object target, double nominal, double value, hbg_lost *lost) {
    if (target.kind == HBG_OBJECT_PARAM)
        return hbg_model_what_if_param(t->what_if, target.index, value, lost);
    *lost = (hbg_lost){.kind = HBG_LOST_VALUE, .element = target.index, .value = value, .row = HBG_NONE};
    return hbg_model_element_minds(t->check->model, target.index, nominal, value);
}

static void report(const together *t, const hbg_fault *last, const hbg_lost *lost, double time) {
    hbg_check *check = t->check;
    char when[HBG_DOUBLE_TEXT];
    hbg_span span = hbg_model_check_span(check, last->value, last->span);
    if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    hbg_base_double_print(when, time);
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, lost->element);
    hbg_diagnostic *told =
        hbg_base_report(check->diagnostics, HBG_E_VALUE, span, "with the faults before it this makes %s",
                        hbg_model_lost_text(check->scratch, check->model, lost, path,
                                            hbg_base_arena_print(check->scratch, " at %s s", when)));
    for (int32_t i = 0, noted = 0; i < t->made && noted < MOST_NOTES; i++) {
        const hbg_fault *other = t->faults[t->moments[i].fault];
        if (other == last || t->moments[i].ends) continue;
        hbg_base_report_note(check->diagnostics, told, other->span, "another fault of it");
        noted++;
    }
    hbg_base_report_fix(check->diagnostics, told,
                        "faults of one value add up; end one before the next, or make them smaller");
}

/* Follows the moments of one target in order of time. */
static void follow(const together *t, const moment *moments, int32_t count, hbg_object target) {
    double nominal = nominal_of(t, target);
    if (!isfinite(nominal)) return;
    if (target.kind == HBG_OBJECT_PARAM && hbg_model_what_if_meets(t->what_if, target.index, t->experiment))
        return;
    line sum = {nominal, 0, 0, 0};
    const hbg_fault *last = NULL;
    for (int32_t i = 0; i < count; i++) {
        const hbg_fault *fault = t->faults[moments[i].fault];
        add(t, fault, nominal, moments[i].ends ? -1 : 1, &sum);
        if (!moments[i].ends) last = fault;
        double from = moments[i].time, to = i + 1 < count ? moments[i + 1].time : t->stop;
        if (sum.holders > 0 || sum.adding < 2 || !(to >= from)) continue; // one alone is checked by itself
        double when = from;
        hbg_lost lost;
        bool found = loses(t, target, nominal, sum.at_zero + sum.slope * from, &lost);
        if (!found && to > from) {
            when = to;
            found = loses(t, target, nominal, sum.at_zero + sum.slope * to, &lost);
        }
        if (!found) continue;
        HBG_ASSERT(last); // two are adding
        report(t, last, &lost, when);
        return;
    }
}

/* ---- all targets --------------------------------------------------------------------------------------- */

static bool same_target(const hbg_fault *one, const hbg_fault *other) {
    return one->target.kind == other->target.kind && one->target.index == other->target.index;
}

static void begin(together *t) {
    t->made = t->begun = 0;
}

/* A fault that is wrong by itself has been reported: the others are not to blame for it. */
static bool is_wrong_alone(const together *t, const hbg_fault *fault, double from, double to) {
    double nominal = nominal_of(t, fault->target);
    hbg_lost lost;
    if (!isfinite(nominal)) return false;
    line sum = {nominal, 0, 0, 0};
    add(t, fault, nominal, 1, &sum);
    return loses(t, fault->target, nominal, sum.at_zero + sum.slope * from, &lost) ||
           loses(t, fault->target, nominal, sum.at_zero + sum.slope * to, &lost);
}

/* The moments of a fault, if it comes into force at all. */
static void take(together *t, int32_t number) {
    const hbg_fault *fault = t->faults[number];
    double at, until = INFINITY;
    if (!value_of(t->check, fault->at, &at) || !(at <= t->stop)) return;
    if (value_of(t->check, fault->until, &until) && !(until > at)) return;
    if (is_wrong_alone(t, fault, at, fmin(until, t->stop))) return;
    t->begun++;
    t->moments[t->made++] = (moment){at, false, number};
    if (until <= t->stop) t->moments[t->made++] = (moment){until, true, number};
}

static void check_taken(together *t, hbg_object target) {
    if (t->begun < 2) return;
    qsort(t->moments, (size_t)t->made, sizeof *t->moments, by_time);
    follow(t, t->moments, t->made, target);
}

/* Those of each target in turn. */
static void check_all(together *t) {
    hbg_pair_map numbers;
    int32_t *next = HBG_NEW_ARRAY(t->check->scratch, int32_t, t->count + 1);
    int32_t *last = HBG_NEW_ARRAY(t->check->scratch, int32_t, t->count + 1);
    hbg_base_pair_map_init(&numbers, t->check->scratch);
    for (int32_t i = 0; i < t->count; i++) { // by its first fault, a target has a chain of them
        const hbg_fault *fault = t->faults[i];
        next[i] = HBG_NONE;
        if (!is_value(fault)) continue;
        int32_t first = hbg_base_pair_map_add(&numbers, (int32_t)fault->target.kind, fault->target.index, i);
        if (first != i) next[last[first]] = i;
        last[first] = i;
    }
    for (int32_t i = 0; i < t->count; i++) {
        const hbg_fault *fault = t->faults[i];
        if (!is_value(fault) ||
            hbg_base_pair_map_find(&numbers, (int32_t)fault->target.kind, fault->target.index) != i)
            continue;
        begin(t);
        for (int32_t k = i; k != HBG_NONE; k = next[k]) take(t, k);
        check_taken(t, fault->target);
    }
}

/* The last fault beside those that are in every run. */
static void check_last(together *t) {
    const hbg_fault *row = t->faults[t->count - 1];
    if (!is_value(row)) return;
    begin(t);
    for (int32_t i = 0; i < t->count; i++)
        if (same_target(t->faults[i], row)) take(t, i);
    check_taken(t, row->target);
}

void hbg_model_check_faults_together(hbg_what_if *w, const hbg_experiment *experiment, double stop) {
    hbg_check *check = w->check;
    const hbg_model *model = check->model;
    const hbg_experiment *joined = NULL;
    if (experiment->name == 0 && experiment->added_to >= 0)
        joined = &model->experiments.items[experiment->added_to];
    int32_t most = experiment->faults.count + (joined ? joined->faults.count : 0);
    if (most < 2 || experiment->faults.count == 0) return;
    together t = {.check = check, .what_if = w, .experiment = experiment, .stop = stop};
    t.faults = HBG_NEW_ARRAY(check->scratch, const hbg_fault *, most + 1);
    t.moments = HBG_NEW_ARRAY(check->scratch, moment, 2 * (size_t)most + 2);
    for (int32_t i = 0; joined && i < joined->faults.count; i++)
        t.faults[t.count++] = &joined->faults.items[i];
    for (int32_t i = 0; i < experiment->faults.count; i++)
        if (!experiment->faults_apart || !experiment->faults.items[i].from_table)
            t.faults[t.count++] = &experiment->faults.items[i];
    check_all(&t);
    int32_t always = t.count;
    for (int32_t i = 0; i < experiment->faults.count && experiment->faults_apart; i++) {
        if (!experiment->faults.items[i].from_table || always == 0) continue;
        t.faults[always] = &experiment->faults.items[i];
        t.count = always + 1;
        check_last(&t);
    }
}
