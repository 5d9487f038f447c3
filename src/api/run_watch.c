/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements that faults, `-p` or a sweep act on and that the system modulates, or that change with time:
 * their values are not known before the run, so they are checked with every step, whatever rows are
 * recorded. An element that becomes invalid because of these changes ends the run. Its values with and
 * without them are further outputs, which are not recorded; all have the same form (fault/watch.c), so they
 * share their code. */
#include <math.h>
#include <string.h>

#include "api/run_impl.h"
#include "rt/bands.h"

/* ---- without what moves them ---------------------------------------------------------------------------- */

static void enlarge(hbg_session *session, hbg_model *model, int32_t more) {
    hbg_arena *arena = &session->scratch;
    size_t old = (size_t)model->exprs.count, count = old + (size_t)more + 1;
    hbg_dimension *dimension = HBG_NEW_ARRAY(arena, hbg_dimension, count);
    hbg_type *type = HBG_NEW_ARRAY(arena, hbg_type, count);
    double *values = HBG_NEW_ARRAY(arena, double, count);
    memcpy(dimension, model->expr_dimension, old * sizeof *dimension);
    memcpy(type, model->expr_type, old * sizeof *type);
    memcpy(values, model->expr_values, old * sizeof *values);
    model->expr_dimension = dimension;
    model->expr_type = type;
    model->expr_values = values;
}

/* An expression again, with the given substitutes for its parts; parameters have substitutes. */
static hbg_expr write(const hbg_fault_plan *plan, hbg_model *model, hbg_expr expr, const hbg_expr *written) {
    hbg_expr_node node = model->exprs.items[expr];
    int arity = hbg_model_expr_arity(&node);
    hbg_expr made;
    double value = NAN;
    if (node.op == HBG_OP_PARAM) {
        value = model->param_values[plan->nominal[node.a]];
        made = hbg_model_add_expr(model, HBG_OP_PARAM, plan->nominal[node.a], HBG_NONE, HBG_NONE, node.span);
    } else {
        if (arity > 0 && node.a >= 0) node.a = written[node.a];
        if (arity > 1 && node.b >= 0) node.b = written[node.b];
        if (arity > 2 && node.c >= 0) node.c = written[node.c];
        made = hbg_model_add_expr(model, (hbg_operator)node.op, node.a, node.b, node.c, node.span);
        if (!isnan(model->expr_values[expr]))
            value = hbg_model_value_again(&node, model->expr_values, model->param_values, NAN);
    }
    model->expr_dimension[made] = model->expr_dimension[expr];
    model->expr_type[made] = model->expr_type[expr];
    model->expr_values[made] = value;
    return made;
}

/* By expression its value without faults and requests, as far as the watched values need it. Sorted models
 * have every expression after its parts. */
static const hbg_expr *write_nominal(hbg_session *session, const hbg_run_state *state) {
    hbg_model *model = state->model;
    const hbg_fault_plan *plan = state->plan;
    int32_t count = model->exprs.count;
    bool *needed = HBG_NEW_ARRAY(&session->scratch, bool, count + 1);
    hbg_expr *written = HBG_NEW_ARRAY(&session->scratch, hbg_expr, count + 1);
    int32_t watched = 0;
    for (int32_t i = 0; i < plan->watched_count; i++) {
        const hbg_element *element = &model->elements.items[plan->watched[i].element];
        watched += element->value_count;
        for (int32_t k = 0; k < element->value_count; k++)
            needed[model->entries.items[element->first_value + k]] = true;
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        const hbg_expr_node *node = &model->exprs.items[i];
        for (int k = 0; needed[i] && k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            if (part >= 0) needed[part] = true;
        }
    }
    enlarge(session, model, count + 8 * watched + 2 * model->signals.count);
    for (int32_t i = 0; i < count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        bool moves = node->op == HBG_OP_PARAM && node->a >= 0 && plan->nominal[node->a] != node->a;
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            moves |= part >= 0 && written[part] != part;
        }
        written[i] = needed[i] && moves ? write(plan, model, i, written) : i;
    }
    return written;
}

/* ---- outputs --------------------------------------------------------------------------------------------- */

static hbg_expr describe(hbg_model *model, hbg_expr expr) {
    model->expr_dimension[expr] = hbg_model_dimension_any;
    model->expr_type[expr] = HBG_TYPE_REAL;
    model->expr_values[expr] = NAN;
    return expr;
}

#define NO_NUMBER 1e300 /* from here on, of either sign */

/* Clamped between two numbers, since it may be undefined, for example where the element is switched off, and
 * outputs must be numbers. */
static hbg_expr bounded(hbg_model *model, hbg_expr value, bool entry) {
    const hbg_decimal most = {"1", entry ? 300 : 0, false}, least_of_all = {"1", entry ? 300 : 0, true};
    const hbg_span none = {0, 0};
    hbg_expr low = describe(model, hbg_model_add_number(model, least_of_all, hbg_model_dimension_any, none));
    hbg_expr high = describe(model, hbg_model_add_number(model, most, hbg_model_dimension_any, none));
    model->expr_values[low] = entry ? -NO_NUMBER : -1;
    model->expr_values[high] = entry ? NO_NUMBER : 1;
    hbg_expr least = describe(model, hbg_model_add_expr(model, HBG_OP_MAX, value, low, HBG_NONE, none));
    return describe(model, hbg_model_add_expr(model, HBG_OP_MIN, least, high, HBG_NONE, none));
}

/* Each value, then its unchanged value, of which only the sign counts; of a matrix all entries, then the
 * unchanged ones. */
void hbg_api_run_watch(hbg_session *session, hbg_run_state *state, hbg_run_records *list) {
    hbg_model *model = state->model;
    state->watched_first = list->count;
    if (!state->plan || state->plan->watched_count == 0) return;
    const hbg_expr *nominal = write_nominal(session, state);
    for (int32_t i = 0; i < state->plan->watched_count; i++) {
        const hbg_element *element = &model->elements.items[state->plan->watched[i].element];
        const hbg_expr *entries = &model->entries.items[element->first_value];
        hbg_object object = {HBG_OBJECT_ELEMENT, state->plan->watched[i].element};
        const char *path = hbg_api_text_path(session, model, object);
        for (int32_t k = 0; k < element->value_count; k++)
            HBG_PUSH(&session->scratch, *list, (hbg_record){bounded(model, entries[k], true), path, NULL});
        path = hbg_base_arena_print(&session->scratch, "%s*nominal", path); // names contain no star
        for (int32_t k = 0; k < element->value_count; k++) {
            hbg_expr value = bounded(model, nominal[entries[k]], element->value_count > 1);
            HBG_PUSH(&session->scratch, *list, (hbg_record){value, path, NULL});
        }
    }
    state->watched_count = state->plan->watched_count;
}

/* ---- watching -------------------------------------------------------------------------------------------- */

/* A resistance that reaches 0 may seem to be below it by the error of the states. */
static bool is_lost(const hbg_run_rows *rows, int32_t number, double value) {
    const hbg_run_state *state = rows->state;
    int32_t element = state->plan->watched[number].element;
    bool resistance = state->model->elements.items[element].kind == HBG_KIND_R;
    if (resistance && isfinite(value) && value >= -rows->options->rtol * rows->largest[number]) return false;
    return hbg_model_element_minds(state->model, element, 0, value);
}

/* Whether all are numbers. If one is not and the element matters, its equations report that and end the
 * run. */
static bool are_numbers(const double *values, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (!(fabs(values[i]) < NO_NUMBER)) return false;
    return true;
}

static bool is_lost_by_run(hbg_run_rows *rows, int32_t number, const double *value, const double *nominal) {
    const hbg_run_state *state = rows->state;
    int32_t element = state->plan->watched[number].element;
    int32_t count = state->model->elements.items[element].value_count;
    hbg_lost ignored;
    if (!are_numbers(value, count)) return false;
    if (count == 1) {
        rows->largest[number] = fmax(rows->largest[number], fabs(value[0]));
        rows->refused_as = (hbg_lost){.kind = HBG_LOST_VALUE, .element = element, .value = value[0]};
        return !hbg_model_element_minds(state->model, element, 0, nominal[0]) &&
               is_lost(rows, number, value[0]);
    }
    double slack = rows->options->rtol > 0 ? rows->options->rtol : HBG_RT_RTOL;
    return hbg_model_element_minds_matrix(state->model, element, value, slack, rows->room,
                                          &rows->refused_as) &&
           !hbg_model_element_minds_matrix(state->model, element, nominal, slack, rows->room, &ignored);
}

bool hbg_api_run_watched_fine(hbg_run_rows *rows, const double *outputs) {
    const hbg_run_state *state = rows->state;
    const double *value = &outputs[state->watched_first];
    for (int32_t i = 0; i < state->watched_count && !rows->refused; i++) {
        int32_t count = state->model->elements.items[state->plan->watched[i].element].value_count;
        rows->refused = state->plan->watched[i].judged && is_lost_by_run(rows, i, value, value + count);
        value += 2 * count;
    }
    return !rows->refused;
}

bool hbg_api_run_watch_step(void *context, double t, const double *outputs, bool inside) {
    (void)t, (void)inside;
    return hbg_api_run_watched_fine(context, outputs);
}

const char *hbg_api_run_refused_text(hbg_session *session, const hbg_run_rows *rows) {
    const hbg_run_state *state = rows->state;
    const hbg_lost *as = &rows->refused_as;
    if (!rows->refused) return NULL;
    const char *by = state->plan->fault_count > 0 ? "faults" : "parameters";
    const char *path =
        hbg_api_text_path(session, state->model, (hbg_object){HBG_OBJECT_ELEMENT, as->element});
    if (as->kind != HBG_LOST_VALUE)
        return hbg_base_arena_print(&session->scratch, "the %s of this run make %s", by,
                                    hbg_model_lost_text(&session->scratch, state->model, as, path, ""));
    char value[HBG_DOUBLE_TEXT];
    hbg_base_double_print(value, as->value);
    return hbg_base_arena_print(
        &session->scratch, "the value of `%s` has become %s, with the %s of this run: it has to stay %s",
        path, value, by,
        state->model->elements.items[as->element].kind == HBG_KIND_R ? "0 or more" : "positive");
}
