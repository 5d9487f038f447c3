/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements that faults, `-p` or a sweep act on and that the system modulates, or that bend with time: what they will be is not known
 * before the run, so that it is looked at with every step, whatever rows are asked for. One that becomes something it cannot be, and
 * would not be without, ends the run. Both values are further outputs, which nobody records. */
#include <math.h>
#include <string.h>

#include "api/run_impl.h"

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

/* An expression once more, with what stands for its parts; a parameter that moves as the number it is declared with. */
static hbg_expr write(hbg_session *session, hbg_model *model, hbg_expr expr, const hbg_expr *written) {
    hbg_expr_node node = model->exprs.items[expr];
    int arity = hbg_expr_arity(&node);
    hbg_expr made;
    double value = NAN;
    if (node.op == HBG_OP_PARAM) {
        value = model->param_declared ? model->param_declared[node.a] : model->param_values[node.a];
        hbg_decimal number = hbg_decimal_of_double(&session->scratch, value);
        made = hbg_model_add_number(model, number, model->expr_dimension[expr], node.span);
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

/* By expression what it would be if nothing were wrong or asked for, as far as the watched values need it. Sorted models have every
 * expression behind its parts. */
static const hbg_expr *write_nominal(hbg_session *session, const hbg_run_state *state) {
    hbg_model *model = state->model;
    const hbg_fault_plan *plan = state->plan;
    int32_t count = model->exprs.count;
    bool *needed = HBG_NEW_ARRAY(&session->scratch, bool, count + 1);
    hbg_expr *written = HBG_NEW_ARRAY(&session->scratch, hbg_expr, count + 1);
    for (int32_t i = 0; i < plan->unknown_count; i++)
        needed[model->entries.items[model->elements.items[plan->unknown[i]].first_value]] = true;
    for (int32_t i = count - 1; i >= 0; i--) {
        const hbg_expr_node *node = &model->exprs.items[i];
        for (int k = 0; needed[i] && k < hbg_expr_arity(node); k++) {
            hbg_expr part = hbg_expr_argument(node, k);
            if (part >= 0) needed[part] = true;
        }
    }
    enlarge(session, model, count + 4 * plan->unknown_count + 2 * model->signals.count);
    for (int32_t i = 0; i < count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        bool moves = node->op == HBG_OP_PARAM && node->a >= 0 && plan->moved[node->a] &&
                     isfinite(model->param_values[node->a]);
        for (int k = 0; k < hbg_expr_arity(node); k++) {
            hbg_expr part = hbg_expr_argument(node, k);
            moves |= part >= 0 && written[part] != part;
        }
        written[i] = needed[i] && moves ? write(session, model, i, written) : i;
    }
    return written;
}

/* ---- outputs --------------------------------------------------------------------------------------------- */

static hbg_expr describe(hbg_model *model, hbg_expr expr) {
    model->expr_dimension[expr] = hbg_dimension_any;
    model->expr_type[expr] = HBG_TYPE_REAL;
    model->expr_values[expr] = NAN;
    return expr;
}

/* Between -1 and 1: of what would be, nothing but the sign counts, and it may be no number where there is one now. */
static hbg_expr bounded(hbg_model *model, hbg_expr value) {
    static const hbg_decimal one = {"1", 0, false}, minus_one = {"1", 0, true};
    const hbg_span none = {0, 0};
    hbg_expr low = describe(model, hbg_model_add_number(model, minus_one, hbg_dimension_any, none));
    hbg_expr high = describe(model, hbg_model_add_number(model, one, hbg_dimension_any, none));
    model->expr_values[low] = -1;
    model->expr_values[high] = 1;
    hbg_expr least = describe(model, hbg_model_add_expr(model, HBG_OP_MAX, value, low, HBG_NONE, none));
    return describe(model, hbg_model_add_expr(model, HBG_OP_MIN, least, high, HBG_NONE, none));
}

/* Each value, then the sign of what it would be. */
void hbg_run_watch(hbg_session *session, hbg_run_state *state, hbg_run_records *list) {
    const hbg_model *model = state->model;
    state->watched_first = list->count;
    if (!state->plan || state->plan->unknown_count == 0) return;
    const hbg_expr *nominal = write_nominal(session, state);
    for (int32_t i = 0; i < state->plan->unknown_count; i++) {
        int32_t element = state->plan->unknown[i];
        hbg_expr entry = model->entries.items[model->elements.items[element].first_value];
        const char *path = hbg_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, element});
        HBG_PUSH(&session->scratch, *list, (hbg_record){entry, path});
        path = hbg_arena_print(&session->scratch, "%s*nominal", path); // no name of the language has a star
        HBG_PUSH(&session->scratch, *list, (hbg_record){bounded(state->model, nominal[entry]), path});
    }
    state->watched_count = state->plan->unknown_count;
}

/* ---- watching -------------------------------------------------------------------------------------------- */

/* A resistance that comes to 0 may seem to be below it by what states may be wrong. */
static bool is_lost(const hbg_run_rows *rows, int32_t number, double value) {
    const hbg_run_state *state = rows->state;
    int32_t element = state->plan->unknown[number];
    bool resistance = state->model->elements.items[element].kind == HBG_KIND_R;
    if (resistance && isfinite(value) && value >= -rows->options->rtol * rows->largest[number]) return false;
    return hbg_element_minds(state->model, element, 0, value);
}

bool hbg_run_watched_fine(hbg_run_rows *rows, const double *outputs) {
    const hbg_run_state *state = rows->state;
    for (int32_t i = 0; i < state->watched_count; i++) {
        const double *value = &outputs[state->watched_first + 2 * i];
        rows->largest[i] = fmax(rows->largest[i], fabs(value[0]));
        bool by_itself = hbg_element_minds(state->model, state->plan->unknown[i], 0, value[1]);
        if (rows->refused != HBG_NONE || by_itself || !is_lost(rows, i, value[0])) continue;
        rows->refused = i;
        rows->refused_value = value[0];
    }
    return rows->refused == HBG_NONE;
}

bool hbg_run_watch_step(void *context, double t, const double *outputs, bool inside) {
    (void)t, (void)inside;
    return hbg_run_watched_fine(context, outputs);
}

const char *hbg_run_refused_text(hbg_session *session, const hbg_run_rows *rows) {
    const hbg_run_state *state = rows->state;
    if (rows->refused == HBG_NONE) return NULL;
    int32_t element = state->plan->unknown[rows->refused];
    char value[HBG_DOUBLE_TEXT];
    hbg_double_print(value, rows->refused_value);
    return hbg_arena_print(
        &session->scratch, "the value of `%s` has become %s, with the %s of this run: it has to stay %s",
        hbg_text_path(session, state->model, (hbg_object){HBG_OBJECT_ELEMENT, element}), value,
        state->plan->fault_count > 0 ? "faults" : "parameters",
        state->model->elements.items[element].kind == HBG_KIND_R ? "0 or more" : "positive");
}
