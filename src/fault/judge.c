/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Judges before the run whether the faults of a schedule make elements invalid: each element that depends on
 * a place is judged by itself, at every moment at which one of its places is set, and in between if faults
 * are incipient. The check of a model judges each fault with declared values; here they are those of one run,
 * for example of a sweep, with all its faults together. Values that depend on more than parameters and time
 * are not known here, unless that makes no difference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fault/fault_impl.h"

enum {
    BETWEEN = 15,
    CLOSELY = 1023,
    HALVINGS = 40
}; /* places judged between two moments, and bisections for the first */

/* What depends on the places, found once for a plan: a run has few of very many faults, and only these take
 * time. */
struct hbg_fault_judge {
    int32_t *slot;    /* by expression: its number below, or HBG_NONE */
    int32_t *hanging; /* expressions that depend on a place, and time, each after its parts */
    int32_t hanging_count;
    hbg_passives passives;
    int32_t *elements; /* C, I, R and restitutions that read such an expression */
    int32_t element_count;
    bool *bends; /* by element: it is nonlinear in incipient faults, and known before the run */
};

typedef struct {
    const hbg_model *model;
    const struct hbg_fault_judge *of;
    const hbg_sim_override *overrides;
    int32_t *first,
        *next;            /* by parameter and override: those that set the parameter, in order, or HBG_NONE */
    const double *params; /* in use: with faults, or those of the run without them */
    double *faulty;
    double *slopes; /* of the faulty ones, by parameter: the run moves them */
    double *values; /* by dependent expression */
    double *room;
    double nominal[HBG_PASSIVE_DRAWS]; /* of the element: without faults, at the time in question */
    /* the present element */
    int32_t element;
    int32_t *needed; /* dependent expressions it reads, by number, in order */
    int32_t needed_count;
    int32_t *owner; /* by dependent expression: element for which it is needed, plus 1 */
    hbg_expr *constants;
    HBG_VEC(int32_t) moments; /* overrides of its places, in order */
    bool is_timed;
} judge;

/* ---- dependent expressions ----------------------------------------------------------------------------- */

/* In sorted models every expression comes after its parts, and parameters that follow a faulty one are
 * written out. */
static void list_hanging(const hbg_model *model, const bool *is_place, bool *hangs, bool *timed,
                         struct hbg_fault_judge *of) {
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        hangs[i] = node->op == HBG_OP_PARAM && node->a >= 0 && is_place[node->a];
        timed[i] = node->op == HBG_OP_TIME;
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            hangs[i] |= part >= 0 && hangs[part];
            timed[i] |= part >= 0 && timed[part];
        }
        of->slot[i] = hangs[i] || timed[i] ? of->hanging_count : HBG_NONE;
        if (hangs[i] || timed[i]) of->hanging[of->hanging_count++] = i;
    }
}

/* The restitution of a junction; HBG_NONE: it has none. */
static hbg_expr restitution_of(const hbg_model *model, int32_t element) {
    const hbg_element *of = &model->elements.items[element];
    return of->ports == 0 && of->restitution >= 0 ? of->restitution : HBG_NONE;
}

/* ---- conditions of an element -------------------------------------------------------------------------- */

static void need(judge *j, hbg_expr expr) {
    int32_t slot = expr < 0 ? HBG_NONE : j->of->slot[expr];
    if (slot == HBG_NONE || j->owner[slot] == j->element + 1) return;
    j->owner[slot] = j->element + 1;
    j->needed[j->needed_count++] = slot;
}

static int by_number(const void *a, const void *b) {
    int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

static void add_moments(hbg_arena *arena, judge *j, int32_t param) {
    for (int32_t i = j->first[param]; i != HBG_NONE; i = j->next[i]) {
        HBG_PUSH(arena, j->moments, i);
        if (j->overrides[i].slope != 0) j->is_timed = true;
    }
}

static void turn_to(hbg_arena *arena, judge *j, int32_t element) {
    int32_t count = hbg_model_passive_constants(&j->of->passives, element, j->constants);
    hbg_expr restitution = restitution_of(j->model, element);
    if (restitution != HBG_NONE) j->constants[count++] = restitution;
    j->element = element;
    j->needed_count = j->moments.count = 0;
    j->is_timed = false;
    for (int32_t i = 0; i < count; i++) need(j, j->constants[i]);
    for (int32_t i = 0; i < j->needed_count; i++) { // further needed expressions are appended during the loop
        const hbg_expr_node *node = &j->model->exprs.items[j->of->hanging[j->needed[i]]];
        if (node->op == HBG_OP_TIME) j->is_timed = true;
        if (node->op == HBG_OP_PARAM) add_moments(arena, j, node->a);
        int arity = hbg_model_expr_arity(node);
        if (arity > 0) need(j, node->a);
        if (arity > 1) need(j, node->b);
        if (arity > 2) need(j, node->c);
    }
    qsort(j->needed, (size_t)j->needed_count, sizeof *j->needed, by_number);
    if (j->moments.count > 0)
        qsort(j->moments.items, (size_t)j->moments.count, sizeof *j->moments.items, by_number);
}

/* ---- values -------------------------------------------------------------------------------------------- */

static double part(const judge *j, hbg_expr expr) {
    if (expr < 0) return 0;
    return j->of->slot[expr] == HBG_NONE ? j->model->expr_values[expr] : j->values[j->of->slot[expr]];
}

static double value_again(const judge *j, const hbg_expr_node *node, double time) {
    if (node->op == HBG_OP_PARAM)
        return j->params[node->a] + (j->params == j->faulty ? j->slopes[node->a] * time : 0);
    int arity = node->op > HBG_OP_AUTOMATON ? hbg_model_expr_arity(node) : 0;
    if (arity == 0 || node->op >= HBG_OP_TABLE) return NAN;
    return hbg_rt_evaluate((hbg_operator)node->op, part(j, node->a), arity > 1 ? part(j, node->b) : 0,
                           arity > 2 ? part(j, node->c) : 0);
}

static void evaluate(const judge *j, double time) {
    for (int32_t i = 0; i < j->needed_count; i++) {
        int32_t slot = j->needed[i];
        const hbg_expr_node *node = &j->model->exprs.items[j->of->hanging[slot]];
        j->values[slot] = node->op == HBG_OP_TIME ? time : value_again(j, node, time);
    }
}

static double value_at(const void *context, hbg_expr expr) {
    return part(context, expr);
}

static void find_nominal(judge *j, double time) {
    hbg_expr restitution = restitution_of(j->model, j->element);
    j->params = j->model->param_values;
    evaluate(j, time);
    if (restitution != HBG_NONE)
        j->nominal[0] = part(j, restitution);
    else
        hbg_model_passive_nominal(&j->of->passives, j->element, j->room, value_at, j, j->nominal);
}

/* Whether faults make the element invalid at this time; if it is invalid without them, they are not to
 * blame. */
static bool is_lost(judge *j, double time, hbg_lost *lost) {
    if (j->is_timed) find_nominal(j, time);
    hbg_expr restitution = restitution_of(j->model, j->element);
    j->params = j->faulty;
    evaluate(j, time);
    if (restitution != HBG_NONE) {
        *lost = (hbg_lost){.kind = HBG_LOST_BOUNCE, .element = j->element, .row = HBG_NONE};
        lost->value = part(j, restitution);
        return hbg_model_bounces_by(j->model, j->element, j->nominal[0]) && !isnan(lost->value) &&
               !hbg_model_bounces_by(j->model, j->element, lost->value);
    }
    return hbg_model_passive_lost(&j->of->passives, j->element, j->room, value_at, j, j->nominal, lost);
}

/* ---- over time ----------------------------------------------------------------------------------------- */

/* The first time at which it is invalid, after one at which it was valid. */
static void narrow(judge *j, double fine, hbg_fault_finding *found) {
    hbg_lost lost;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = fine / 2 + found->time / 2;
        if (is_lost(j, middle, &lost))
            found->time = middle;
        else
            fine = middle;
    }
}

/* The value evaluated last; NAN: it has several values. */
static double value_now(const judge *j) {
    const hbg_element *of = &j->model->elements.items[j->element];
    return of->value_count == 1 ? part(j, j->model->entries.items[of->first_value]) : NAN;
}

/* The minimum of a value between two times. */
static double find_least(judge *j, double from, double to) {
    const double golden = 0.6180339887498949;
    hbg_lost ignored;
    for (int i = 0; i < 2 * HALVINGS; i++) {
        double low = to - golden * (to - from), high = from + golden * (to - from);
        (void)is_lost(j, low, &ignored);
        double value = value_now(j);
        (void)is_lost(j, high, &ignored);
        if (value < value_now(j))
            to = high;
        else
            from = low;
    }
    return from / 2 + to / 2;
}

/* Judges from one moment up to the next. A nonlinear element is judged at more places, and at a minimum
 * between two places. */
static bool look(judge *j, double from, double to, hbg_fault_finding *found) {
    bool bends = j->of->bends[j->element];
    int steps = !j->is_timed || !(to > from) ? 0 : (bends ? CLOSELY : BETWEEN) + 1;
    double before = NAN, last = NAN;
    for (int i = 0; i <= steps; i++) {
        double width = (to - from) / (steps > 0 ? steps : 1), fine = from + width * (i - 1);
        found->time = i == 0 ? from : i == steps ? to : from + width * i;
        bool lost = is_lost(j, found->time, &found->lost);
        double now = value_now(j);
        if (!lost && bends && last < before && last <= now) {
            found->time = find_least(j, fine - width, found->time);
            lost = is_lost(j, found->time, &found->lost);
            fine -= width;
        }
        if (lost && i > 0) narrow(j, fine, found);
        if (lost) return true;
        before = last;
        last = now;
    }
    return false;
}

/* Judges one element at all of its moments; restores the parameters. */
static bool follow(judge *j, double stop, hbg_fault_finding *found) {
    const int32_t *moments = j->moments.items;
    int32_t count = j->moments.count;
    bool any = false;
    found->fault = HBG_NONE;
    if (count > 0 && !j->is_timed) find_nominal(j, 0);
    for (int32_t i = 0; i < count && !any; i++) {
        const hbg_sim_override *at = &j->overrides[moments[i]];
        double next = i + 1 < count ? j->overrides[moments[i + 1]].time : stop;
        j->faulty[at->index] = at->value;
        j->slopes[at->index] = at->slope;
        if (at->cause >= 0 && !hbg_fault_ends(at->cause)) found->fault = hbg_fault_of_cause(at->cause);
        if (i + 1 == count || next > at->time) any = look(j, at->time, next, found);
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t param = j->overrides[moments[i]].index;
        j->faulty[param] = j->model->param_values[param];
        j->slopes[param] = 0;
    }
    return any;
}

static void begin(hbg_arena *arena, const hbg_fault_plan *plan, const hbg_fault_schedule *schedule,
                  judge *j) {
    const hbg_model *model = plan->model;
    size_t params = (size_t)model->params.count, hanging = (size_t)plan->judge->hanging_count;
    *j = (judge){.model = model, .of = plan->judge, .overrides = schedule->overrides};
    j->faulty = HBG_NEW_ARRAY(arena, double, params + 1);
    j->slopes = HBG_NEW_ARRAY(arena, double, params + 1);
    j->values = HBG_NEW_ARRAY(arena, double, hanging + 1);
    j->needed = HBG_NEW_ARRAY(arena, int32_t, hanging + 1);
    j->owner = HBG_NEW_ARRAY(arena, int32_t, hanging + 1);
    j->room = HBG_NEW_ARRAY(arena, double, hbg_model_passive_room(&j->of->passives));
    j->constants = HBG_NEW_ARRAY(arena, hbg_expr, HBG_PASSIVE_CONSTANTS);
    j->first = HBG_NEW_ARRAY(arena, int32_t, params + 1);
    j->next = HBG_NEW_ARRAY(arena, int32_t, schedule->override_count + 1);
    memcpy(j->faulty, model->param_values, params * sizeof *j->faulty);
    for (size_t i = 0; i < params; i++) j->first[i] = HBG_NONE;
    for (int32_t i = schedule->override_count - 1; i >= 0; i--) {
        const hbg_sim_override *override = &schedule->overrides[i];
        if (override->kind != HBG_RT_SET_PARAM) continue;
        j->next[i] = j->first[override->index];
        j->first[override->index] = i;
    }
}

bool hbg_fault_find_refused(hbg_arena *arena, const hbg_fault_plan *plan, const hbg_fault_schedule *schedule,
                            double stop, hbg_fault_finding *found) {
    bool sets = false, any = false;
    for (int32_t i = 0; i < schedule->override_count; i++)
        sets |= schedule->overrides[i].kind == HBG_RT_SET_PARAM;
    if (!sets) return false;
    judge j;
    begin(arena, plan, schedule, &j);
    for (int32_t i = 0; i < j.of->element_count; i++) {
        hbg_fault_finding own;
        turn_to(arena, &j, j.of->elements[i]);
        if (!follow(&j, stop, &own) || (any && own.time >= found->time)) continue;
        *found = own;
        any = true;
    }
    return any;
}

/* ---- judging a plan ------------------------------------------------------------------------------------ */

static bool bounces_by(const hbg_model *model, int32_t element, const bool *hangs) {
    hbg_expr restitution = restitution_of(model, element);
    return restitution != HBG_NONE && hangs[restitution];
}

void hbg_fault_judge_new(hbg_arena *arena, hbg_fault_plan *plan) {
    const hbg_model *model = plan->model;
    struct hbg_fault_judge *of = HBG_NEW(arena, struct hbg_fault_judge);
    bool *is_place = HBG_NEW_ARRAY(arena, bool, model->params.count + 1);
    bool *hangs = HBG_NEW_ARRAY(arena, bool, 2 * ((size_t)model->exprs.count + 1));
    of->slot = HBG_NEW_ARRAY(arena, int32_t, model->exprs.count + 1);
    of->hanging = HBG_NEW_ARRAY(arena, int32_t, model->exprs.count + 1);
    of->elements = HBG_NEW_ARRAY(arena, int32_t, model->elements.count + 1);
    of->bends = HBG_NEW_ARRAY(arena, bool, model->elements.count + 1);
    for (int32_t i = 0; i < plan->fault_count * PLACE_COUNT; i++)
        if (plan->places[i] != HBG_NONE) is_place[plan->places[i]] = true;
    list_hanging(model, is_place, hangs, hangs + model->exprs.count + 1, of);
    of->passives = hbg_model_passives_new(arena, model, true);
    for (int32_t i = 0; i < model->elements.count; i++)
        if (hbg_model_passive_hangs(&of->passives, i, hangs) || bounces_by(model, i, hangs))
            of->elements[of->element_count++] = i;
    plan->judge = of;
    hbg_fault_watch_new(arena, plan, &of->passives, is_place, of->bends);
}
