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

typedef struct {
    const hbg_model *model;
    double *params, *exprs;
    bool *hangs; /* by expression: on a place */
    double *nominal;
    const int32_t *rates; /* parameters of places that make time count */
    int32_t rate_count;
} judge;

static bool can_mind(const hbg_model *model, const bool *hangs, int32_t index) {
    const hbg_element *element = &model->elements.items[index];
    if (element->value_count != 1) return false;
    if (element->kind != HBG_KIND_C && element->kind != HBG_KIND_I && element->kind != HBG_KIND_R)
        return false;
    hbg_expr entry = model->entries.items[element->first_value];
    return entry >= 0 && hangs[entry];
}

/* Sorted models have every expression behind its parts, and what follows a faulty parameter is written out. */
static void find_hanging(const judge *j, const bool *is_place) {
    const hbg_model *model = j->model;
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        const hbg_expr arguments[] = {node->a, node->b, node->c};
        j->hangs[i] = node->op == HBG_OP_PARAM && node->a >= 0 && is_place[node->a];
        for (int k = 0; k < hbg_operator_info_get((hbg_operator)node->op)->arity; k++)
            j->hangs[i] |= arguments[k] >= 0 && j->hangs[arguments[k]];
    }
}

static void evaluate(const judge *j, double time) {
    const hbg_model *model = j->model;
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        if (node->op == HBG_OP_TIME)
            j->exprs[i] = time;
        else if (j->hangs[i])
            j->exprs[i] = hbg_model_value_again(node, j->exprs, j->params, NAN);
    }
}

static double value_of(const judge *j, int32_t element) {
    return j->exprs[j->model->entries.items[j->model->elements.items[element].first_value]];
}

/* One that cannot have what it has at this time, or HBG_NONE. */
static int32_t find_minding(const judge *j, double time) {
    evaluate(j, time);
    for (int32_t i = 0; i < j->model->elements.count; i++) {
        if (!can_mind(j->model, j->hangs, i) || isnan(value_of(j, i))) continue;
        if (hbg_element_minds(j->model, i, j->nominal[i], value_of(j, i))) return i;
    }
    return HBG_NONE;
}

static bool creeps(const judge *j) {
    for (int32_t i = 0; i < j->rate_count; i++)
        if (j->params[j->rates[i]] != 0) return true;
    return false;
}

/* From one moment up to the next. */
static bool look(const judge *j, double from, double to, hbg_fault_finding *found) {
    int steps = creeps(j) && to > from ? BETWEEN + 1 : 0;
    for (int i = 0; i <= steps; i++) {
        found->time = i == 0 ? from : i == steps ? to : from + (to - from) * i / steps;
        found->element = find_minding(j, found->time);
        if (found->element == HBG_NONE) continue;
        found->value = value_of(j, found->element);
        return true;
    }
    return false;
}

static void open(hbg_arena *arena, const hbg_fault_plan *plan, judge *j) {
    const hbg_model *model = plan->model;
    size_t params = (size_t)model->params.count, exprs = (size_t)model->exprs.count;
    int32_t count = plan->fault_count * PLACE_COUNT;
    bool *is_place = HBG_NEW_ARRAY(arena, bool, params + 1);
    int32_t *rates = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    *j = (judge){.model = model, .rates = rates};
    j->params = HBG_NEW_ARRAY(arena, double, params + 1);
    j->exprs = HBG_NEW_ARRAY(arena, double, exprs + 1);
    j->hangs = HBG_NEW_ARRAY(arena, bool, exprs + 1);
    j->nominal = HBG_NEW_ARRAY(arena, double, model->elements.count + 1);
    memcpy(j->params, model->param_values, params * sizeof *j->params);
    memcpy(j->exprs, model->expr_values, exprs * sizeof *j->exprs);
    for (int32_t i = 0; i < count; i++) {
        if (plan->places[i] == HBG_NONE) continue;
        is_place[plan->places[i]] = true;
        bool rate = i % PLACE_COUNT == PLACE_SCALE_RATE || i % PLACE_COUNT == PLACE_BIAS_RATE;
        if (rate) rates[j->rate_count++] = plan->places[i];
    }
    find_hanging(j, is_place);
    evaluate(j, 0);
    for (int32_t i = 0; i < model->elements.count; i++)
        if (can_mind(model, j->hangs, i)) j->nominal[i] = value_of(j, i);
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
            j.params[overrides[i].index] = overrides[i].value;
            if (overrides[i].cause >= 0 && !hbg_fault_ends(overrides[i].cause))
                found->fault = hbg_fault_of_cause(overrides[i].cause);
        }
        if (last && look(&j, overrides[i].time, i + 1 < count ? overrides[i + 1].time : stop, found))
            return true;
    }
    return false;
}
