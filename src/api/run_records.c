/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a run records: its request, else that of the experiment, else the outputs of the model, else its
 * states; and what the experiment plots. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/run_impl.h"

#define SHOWN_NODES 4 /* of an expression that converts a value to another unit: two numbers, two operators */

/* ---- readers ------------------------------------------------------------------------------------------- */

/* An expression that reads a state. The copy belongs to the run: there is room for them all. */
static void add_reader(hbg_session *session, hbg_model *model, hbg_run_records *list, hbg_expr_node node,
                       hbg_dimension dimension) {
    hbg_expr expr =
        hbg_model_add_expr(model, (hbg_operator)node.op, node.a, node.b, HBG_NONE, (hbg_span){0, 0});
    model->expr_dimension[expr] = dimension;
    model->expr_type[expr] = HBG_TYPE_REAL;
    model->expr_values[expr] = NAN;
    HBG_PUSH(&session->scratch, *list, (hbg_record){expr, hbg_api_text_expr(session, model, expr), NULL});
}

static hbg_expr described(hbg_model *model, hbg_expr expr, double value) {
    model->expr_dimension[expr] = hbg_model_dimension_any;
    model->expr_type[expr] = HBG_TYPE_REAL;
    model->expr_values[expr] = value;
    return expr;
}

static hbg_expr number_of(hbg_session *session, hbg_model *model, double value) {
    hbg_decimal digits = hbg_base_decimal_of_double(&session->scratch, value);
    return described(model, hbg_model_add_number(model, digits, hbg_model_dimension_any, (hbg_span){0, 0}),
                     value);
}

/* An output with a unit is recorded in it. */
static void show_in_unit(hbg_session *session, hbg_model *model, hbg_record *record,
                         const hbg_display *display) {
    const hbg_span none = {0, 0};
    if (!display->unit) return;
    record->unit = display->unit;
    if (display->scale != 1) {
        hbg_expr scale = number_of(session, model, display->scale);
        record->value = described(
            model, hbg_model_add_expr(model, HBG_OP_DIVIDE, record->value, scale, HBG_NONE, none), NAN);
    }
    if (display->offset != 0) {
        hbg_expr offset = number_of(session, model, display->offset);
        record->value = described(
            model, hbg_model_add_expr(model, HBG_OP_SUBTRACT, record->value, offset, HBG_NONE, none), NAN);
    }
}

/* For expressions that read every state and every signal, and for conversions of units. */
static void make_room(hbg_session *session, hbg_model *model) {
    hbg_arena *arena = &session->scratch;
    int32_t more = model->signals.count * 2 + SHOWN_NODES * model->signals.count;
    for (int32_t i = 0; i < model->experiments.count; i++)
        more += SHOWN_NODES *
                (model->experiments.items[i].records.count + model->experiments.items[i].plots.count);
    for (int32_t i = 0; i < model->elements.count; i++) more += model->elements.items[i].ports;
    size_t count = (size_t)model->exprs.count;
    hbg_dimension *dimension = HBG_NEW_ARRAY(arena, hbg_dimension, count + (size_t)more + 1);
    hbg_type *type = HBG_NEW_ARRAY(arena, hbg_type, count + (size_t)more + 1);
    double *values = HBG_NEW_ARRAY(arena, double, count + (size_t)more + 1);
    memcpy(dimension, model->expr_dimension, count * sizeof *dimension);
    memcpy(type, model->expr_type, count * sizeof *type);
    memcpy(values, model->expr_values, count * sizeof *values);
    model->expr_dimension = dimension;
    model->expr_type = type;
    model->expr_values = values;
}

typedef struct {
    const char *path;
    int32_t element;
} placed_storage;

/* In the order of elements, by the letters of their paths, but with indices as numbers: c[2] comes before
 * c[10]. */
static int by_index(const void *a, const void *b) {
    const char *x = ((const placed_storage *)a)->path, *y = ((const placed_storage *)b)->path;
    size_t i = 0;
    while (x[i] && x[i] == y[i]) i++;
    size_t start = i;
    while (start > 0 && isdigit((unsigned char)x[start - 1])) start--;
    bool index = start > 0 && x[start - 1] == '[';
    long left = index ? strtol(x + start, NULL, 10) : 0, right = index ? strtol(y + start, NULL, 10) : 0;
    return left != right ? (left > right) - (left < right) : (unsigned char)x[i] - (unsigned char)y[i];
}

/* The elements of a model, those of arrays in the order of their indices. */
static placed_storage *in_order(hbg_session *session, const hbg_model *model) {
    placed_storage *order = HBG_NEW_ARRAY(&session->scratch, placed_storage, model->elements.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++)
        order[i] =
            (placed_storage){hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, i}), i};
    if (model->elements.count > 1) qsort(order, (size_t)model->elements.count, sizeof *order, by_index);
    return order;
}

static void record_states(hbg_session *session, hbg_model *model, hbg_run_records *list) {
    const placed_storage *order = in_order(session, model);
    for (int32_t k = 0; k < model->elements.count; k++) {
        int32_t i = order[k].element;
        const hbg_element *element = &model->elements.items[i];
        bool capacitor = element->kind == HBG_KIND_C;
        if (!capacitor && element->kind != HBG_KIND_I) continue;
        hbg_domain domain = element->net < 0 ? HBG_DOMAIN_ANY : model->net_domain[element->net];
        hbg_dimension dimension =
            hbg_model_domain_dimension(domain, capacitor ? HBG_VARIABLE_DISPLACEMENT : HBG_VARIABLE_MOMENTUM);
        for (int32_t port = 1; port <= element->ports; port++)
            add_reader(
                session, model, list,
                (hbg_expr_node){.op = capacitor ? HBG_OP_DISPLACEMENT : HBG_OP_MOMENTUM, .a = i, .b = port},
                dimension);
    }
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_STATE)
            add_reader(session, model, list, (hbg_expr_node){.op = HBG_OP_SIGNAL, .a = i, .b = HBG_NONE},
                       model->signals.items[i].dimension);
}

/* The values of the inputs at a point, which the simulation does not give. */
static void record_inputs(hbg_session *session, hbg_run_state *state, hbg_run_records *list) {
    hbg_model *model = state->model;
    int32_t input = 0;
    state->inputs = HBG_NEW_ARRAY(&session->scratch, int32_t, model->signals.count + 1);
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        if (signal->kind != HBG_SIGNAL_INPUT) continue;
        if (signal->type == HBG_TYPE_REAL) {
            state->inputs[state->input_count++] = input;
            add_reader(session, model, list, (hbg_expr_node){.op = HBG_OP_SIGNAL, .a = i, .b = HBG_NONE},
                       signal->dimension);
        }
        input++;
    }
}

/* All values that a run has in memory: states, inputs that last, samples. */
static void record_trace(hbg_session *session, hbg_model *model, hbg_run_records *list) {
    record_states(session, model, list);
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        bool wanted = signal->kind == HBG_SIGNAL_INPUT || signal->kind == HBG_SIGNAL_SAMPLE ||
                      signal->kind == HBG_SIGNAL_SENSOR;
        if (!wanted || signal->type == HBG_TYPE_EVENT) continue;
        add_reader(session, model, list, (hbg_expr_node){.op = HBG_OP_SIGNAL, .a = i, .b = HBG_NONE},
                   signal->dimension);
        model->expr_type[list->items[list->count - 1].value] = signal->type;
    }
}

/* ---- lists -------------------------------------------------------------------------------------------- */

/* In the unit of its output, if it is one. */
static hbg_record shown(hbg_session *session, hbg_model *model, hbg_record record) {
    const hbg_expr_node *node = &model->exprs.items[record.value];
    if (node->op == HBG_OP_SIGNAL && node->a >= 0)
        show_in_unit(session, model, &record, &model->signals.items[node->a].display);
    return record;
}

static void take(hbg_session *session, hbg_model *model, hbg_run_records *list, const hbg_records *records) {
    for (int32_t i = 0; i < records->count; i++) {
        hbg_record record = shown(session, model, records->items[i]);
        HBG_PUSH(&session->scratch, *list, record);
    }
}

/* In the order in which the model declares them. */
static void record_outputs(hbg_session *session, const hbg_model *declared, hbg_model *model,
                           hbg_run_records *list) {
    for (int32_t i = 0; i < declared->signals.count; i++) {
        const hbg_identity *id = &declared->signals.items[i].id;
        if (declared->signals.items[i].kind != HBG_SIGNAL_OUTPUT || id->scope != 0) continue;
        hbg_object output = hbg_model_find(model, 0, id->name);
        if (output.kind != HBG_OBJECT_SIGNAL || model->signals.items[output.index].value == HBG_NONE)
            continue;
        hbg_record record = {model->signals.items[output.index].value,
                             hbg_base_names_get(model->names, id->name), NULL};
        show_in_unit(session, model, &record, &model->signals.items[output.index].display);
        HBG_PUSH(&session->scratch, *list, record);
    }
}

/* The output that is this one; a new one if there is none. */
static int32_t find_output(hbg_session *session, hbg_model *model, hbg_run_records *list, hbg_record record) {
    for (int32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].label, record.label) == 0) return i;
    record = shown(session, model, record);
    HBG_PUSH(&session->scratch, *list, record);
    return list->count - 1;
}

/* What the experiment plots is recorded, too. */
static void record_plots(hbg_session *session, hbg_run_state *state, hbg_run_records *list) {
    if (state->experiment == HBG_NONE) return;
    const hbg_records *plots = &state->model->experiments.items[state->experiment].plots;
    for (int32_t i = 0; i < plots->count; i++)
        (void)find_output(session, state->model, list, plots->items[i]);
}

/* What the experiment plots, unless the caller requested something else; otherwise what is recorded. */
static void choose_plots(hbg_session *session, hbg_run_state *state, hbg_run_records *list, bool asked) {
    const hbg_experiment *experiment =
        state->experiment == HBG_NONE || asked ? NULL : &state->model->experiments.items[state->experiment];
    int32_t count = experiment ? experiment->plots.count : 0;
    state->plot_count = count > 0 ? count : list->count;
    state->plots = HBG_NEW_ARRAY(&session->scratch, int32_t, state->plot_count + 1);
    for (int32_t i = 0; i < state->plot_count; i++)
        state->plots[i] =
            count > 0 ? find_output(session, state->model, list, experiment->plots.items[i]) : i;
}

void hbg_api_run_choose_outputs(hbg_session *session, const hbg_model *declared, hbg_run_state *state,
                                const hbg_run_wish *wish) {
    hbg_model *model = state->model;
    hbg_run_records list = {0};
    make_room(session, model);
    if (wish->trace) {
        record_trace(session, model, &list);
        state->outputs = list.items;
        state->output_count = state->record_count = list.count;
        return;
    }
    if (state->request != HBG_NONE) {
        const hbg_experiment *request = &model->experiments.items[state->request];
        take(session, model, &list, &request->records);
    }
    bool asked = list.count > 0;
    if (!asked && state->experiment != HBG_NONE) {
        const hbg_experiment *experiment = &model->experiments.items[state->experiment];
        take(session, model, &list, &experiment->records);
    }
    if (list.count == 0) record_outputs(session, declared, model, &list);
    if (list.count == 0) record_states(session, model, &list);
    if (!asked) record_plots(session, state, &list);
    state->record_count = list.count;
    if (wish->plots) choose_plots(session, state, &list, asked);
    hbg_api_run_watch(session, state, &list);
    if (wish->inputs) record_inputs(session, state, &list);
    state->outputs = list.items;
    state->output_count = list.count;
}
