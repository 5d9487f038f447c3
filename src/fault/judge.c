/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the faults of a schedule make of elements, before the run: each value that hangs on a place is worked out at every moment at
 * which something is set, and on the way to the next where faults creep. The check of a model has looked at each fault with the
 * values as declared; here are those of one run, of a sweep say, and all its faults together. Values that hang on more than
 * parameters and time are not known here. */
#include <math.h>
#include <string.h>

#include "fault/fault_impl.h"

enum { BETWEEN = 15 }; /* places looked at between two moments */

/* What hangs on the places, found once for a plan: of very many faults a run has few, and pays for these. */
struct hbg_fault_judge {
    int32_t *slot;    /* by expression: its number below, or HBG_NONE */
    int32_t *hanging; /* expressions that hang on a place, and time, each behind its parts */
    int32_t hanging_count;
    int32_t *elements; /* C, I and R with such a value */
    int32_t element_count;
    bool is_timed; /* some of them read time */
};

typedef struct {
    const hbg_model *model;
    const struct hbg_fault_judge *of;
    const double *params; /* that count: with faults, or as the run has them without */
    double *faulty;
    double *values;  /* by hanging expression */
    double *nominal; /* by element listed: without faults, at the time in question */
} judge;

/* ---- what hangs on the places ---------------------------------------------------------------------------- */

static bool can_mind(const hbg_model *model, const bool *hangs, int32_t index) {
    const hbg_element *element = &model->elements.items[index];
    if (element->value_count != 1) return false;
    if (element->kind != HBG_KIND_C && element->kind != HBG_KIND_I && element->kind != HBG_KIND_R)
        return false;
    hbg_expr entry = model->entries.items[element->first_value];
    return entry >= 0 && hangs[entry];
}

/* Sorted models have every expression behind its parts, and what follows a faulty parameter is written out. */
static void list_hanging(const hbg_model *model, const bool *is_place, bool *hangs, bool *timed,
                         struct hbg_fault_judge *of) {
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        const hbg_expr arguments[] = {node->a, node->b, node->c};
        hangs[i] = node->op == HBG_OP_PARAM && node->a >= 0 && is_place[node->a];
        timed[i] = node->op == HBG_OP_TIME;
        for (int k = 0; k < hbg_operator_info_get((hbg_operator)node->op)->arity; k++) {
            hangs[i] |= arguments[k] >= 0 && hangs[arguments[k]];
            timed[i] |= arguments[k] >= 0 && timed[arguments[k]];
        }
        of->is_timed |= hangs[i] && timed[i];
        of->slot[i] = hangs[i] || timed[i] ? of->hanging_count : HBG_NONE;
        if (hangs[i] || timed[i]) of->hanging[of->hanging_count++] = i;
    }
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static double part(const judge *j, hbg_expr expr) {
    if (expr < 0) return 0;
    return j->of->slot[expr] == HBG_NONE ? j->model->expr_values[expr] : j->values[j->of->slot[expr]];
}

static double value_again(const judge *j, const hbg_expr_node *node) {
    if (node->op == HBG_OP_PARAM) return j->params[node->a];
    int arity = node->op > HBG_OP_AUTOMATON ? hbg_operator_info_get((hbg_operator)node->op)->arity : 0;
    if (arity == 0 || node->op >= HBG_OP_TABLE) return NAN;
    return hbg_operator_evaluate((hbg_operator)node->op, part(j, node->a), arity > 1 ? part(j, node->b) : 0,
                                 arity > 2 ? part(j, node->c) : 0);
}

static void evaluate(const judge *j, double time) {
    for (int32_t i = 0; i < j->of->hanging_count; i++) {
        const hbg_expr_node *node = &j->model->exprs.items[j->of->hanging[i]];
        j->values[i] = node->op == HBG_OP_TIME ? time : value_again(j, node);
    }
}

static double value_of(const judge *j, int32_t number) {
    const hbg_element *element = &j->model->elements.items[j->of->elements[number]];
    return part(j, j->model->entries.items[element->first_value]);
}

static void find_nominal(judge *j, double time) {
    j->params = j->model->param_values;
    evaluate(j, time);
    for (int32_t i = 0; i < j->of->element_count; i++) j->nominal[i] = value_of(j, i);
}

/* One that cannot have what the faults make of it at this time, or HBG_NONE; what is impossible without them is not theirs. */
static int32_t find_minding(judge *j, double time, double *value) {
    if (j->of->is_timed) find_nominal(j, time);
    j->params = j->faulty;
    evaluate(j, time);
    for (int32_t i = 0; i < j->of->element_count; i++) {
        int32_t element = j->of->elements[i];
        *value = value_of(j, i);
        if (isnan(*value) || hbg_element_minds(j->model, element, j->nominal[i], j->nominal[i])) continue;
        if (hbg_element_minds(j->model, element, j->nominal[i], *value)) return element;
    }
    return HBG_NONE;
}

/* From one moment up to the next. */
static bool look(judge *j, double from, double to, hbg_fault_finding *found) {
    int steps = j->of->is_timed && to > from ? BETWEEN + 1 : 0;
    for (int i = 0; i <= steps; i++) {
        found->time = i == 0 ? from : i == steps ? to : from + (to - from) * i / steps;
        found->element = find_minding(j, found->time, &found->value);
        if (found->element != HBG_NONE) return true;
    }
    return false;
}

static void open(hbg_arena *arena, const hbg_fault_plan *plan, judge *j) {
    const hbg_model *model = plan->model;
    size_t params = (size_t)model->params.count;
    *j = (judge){.model = model, .of = plan->judge};
    j->faulty = HBG_NEW_ARRAY(arena, double, params + 1);
    j->values = HBG_NEW_ARRAY(arena, double, j->of->hanging_count + 1);
    j->nominal = HBG_NEW_ARRAY(arena, double, j->of->element_count + 1);
    memcpy(j->faulty, model->param_values, params * sizeof *j->faulty);
    find_nominal(j, 0);
}

static void list_unknown(hbg_arena *arena, hbg_fault_plan *plan) {
    judge j;
    open(arena, plan, &j);
    plan->unknown = HBG_NEW_ARRAY(arena, int32_t, j.of->element_count + 1);
    for (int32_t i = 0; i < j.of->element_count; i++)
        if (isnan(j.nominal[i])) plan->unknown[plan->unknown_count++] = j.of->elements[i];
}

void hbg_fault_judge_new(hbg_arena *arena, hbg_fault_plan *plan) {
    const hbg_model *model = plan->model;
    struct hbg_fault_judge *of = HBG_NEW(arena, struct hbg_fault_judge);
    bool *is_place = HBG_NEW_ARRAY(arena, bool, model->params.count + 1);
    bool *hangs = HBG_NEW_ARRAY(arena, bool, 2 * ((size_t)model->exprs.count + 1));
    of->slot = HBG_NEW_ARRAY(arena, int32_t, model->exprs.count + 1);
    of->hanging = HBG_NEW_ARRAY(arena, int32_t, model->exprs.count + 1);
    of->elements = HBG_NEW_ARRAY(arena, int32_t, model->elements.count + 1);
    for (int32_t i = 0; i < plan->fault_count * PLACE_COUNT; i++)
        if (plan->places[i] != HBG_NONE) is_place[plan->places[i]] = true;
    list_hanging(model, is_place, hangs, hangs + model->exprs.count + 1, of);
    for (int32_t i = 0; i < model->elements.count; i++)
        if (can_mind(model, hangs, i)) of->elements[of->element_count++] = i;
    plan->judge = of;
    list_unknown(arena, plan);
}

bool hbg_fault_find_refused(hbg_arena *arena, const hbg_fault_plan *plan, const hbg_fault_schedule *schedule,
                            double stop, hbg_fault_finding *found) {
    const hbg_sim_override *overrides = schedule->overrides;
    int32_t count = schedule->override_count, first = 0;
    while (first < count && overrides[first].kind != HBG_SIM_SET_PARAM) first++;
    if (first == count) return false;
    judge j;
    open(arena, plan, &j);
    found->fault = HBG_NONE;
    for (int32_t i = first; i < count; i++) {
        bool last = i + 1 == count || overrides[i + 1].time > overrides[i].time;
        if (overrides[i].kind == HBG_SIM_SET_PARAM) {
            j.faulty[overrides[i].index] = overrides[i].value;
            if (overrides[i].cause >= 0 && !hbg_fault_ends(overrides[i].cause))
                found->fault = hbg_fault_of_cause(overrides[i].cause);
        }
        if (last && look(&j, overrides[i].time, i + 1 < count ? overrides[i + 1].time : stop, found))
            return true;
    }
    return false;
}
