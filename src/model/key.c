/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Keys of a model: sorted models of one text with the same key compile to the same code, whatever values
 * their parameters have. The key of an expression depends on its content and not on its number. Values built
 * into code, periods and waits, are part of the key; those of parameters are not: a run can set them. */
#include <math.h>
#include <string.h>

#include "model/model.h"

/* The step of splitmix64 (S. Vigna). */
static uint64_t mix(uint64_t key, uint64_t more) {
    uint64_t z = key + more * 2 + UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t mix_int(uint64_t key, int32_t number) {
    return mix(key, (uint64_t)(uint32_t)number);
}

static uint64_t mix_number(uint64_t key, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return mix(key, bits);
}

static uint64_t mix_text(uint64_t key, const char *text) {
    if (!text) return mix(key, 1);
    for (; *text; text++) key = mix(key, (unsigned char)*text);
    return mix(key, 0);
}

static uint64_t mix_path(uint64_t key, const hbg_model *model, hbg_object object, hbg_buffer *text) {
    text->size = 0;
    hbg_model_path(model, object, text);
    return mix_text(key, text->data);
}

static uint64_t mix_dimension(uint64_t key, hbg_dimension dimension) {
    for (int i = 0; i < HBG_BASE_UNITS; i++) key = mix_int(key, dimension.exponent[i]);
    return mix_int(key, dimension.known);
}

/* ---- expressions -------------------------------------------------------------------------------------- */

static uint64_t table_key(const hbg_table *table) {
    uint64_t key = mix_text(mix_int(0, table->count), table->column);
    for (int32_t i = 0; i < table->count; i++) key = mix_number(mix_number(key, table->x[i]), table->y[i]);
    return mix_dimension(mix_dimension(key, table->dimension), table->argument_dimension);
}

static uint64_t literal_key(const hbg_literal *literal) {
    uint64_t key = mix_text(mix_int(2, literal->value.exponent), literal->value.digits);
    return mix_text(mix_int(key, literal->value.negative), literal->unit);
}

static uint64_t expr_key(const hbg_model *model, const hbg_expr_node *node, const uint64_t *keys,
                         const uint64_t *tables) {
    int32_t parts[3] = {node->a, node->b, node->c};
    int arity = hbg_model_expr_arity(node);
    uint64_t key = mix_int(3, node->op);
    for (int i = 0; i < 3; i++) {
        bool is_expr = i < arity && parts[i] >= 0;
        bool is_table = i == 1 && node->op == HBG_OP_TABLE && parts[i] >= 0;
        if (i == 0 && node->op == HBG_OP_NUMBER)
            key = mix(key, literal_key(&model->literals.items[node->a]));
        else
            key = is_expr    ? mix(key, keys[parts[i]])
                  : is_table ? mix(key, tables[parts[i]])
                             : mix_int(key, parts[i]);
    }
    return key;
}

uint64_t *hbg_model_expr_keys(hbg_arena *arena, const hbg_model *sorted) {
    uint64_t *keys = HBG_NEW_ARRAY(arena, uint64_t, sorted->exprs.count + 1);
    uint64_t *tables = HBG_NEW_ARRAY(arena, uint64_t, sorted->tables.count + 1);
    for (int32_t i = 0; i < sorted->tables.count; i++) tables[i] = table_key(&sorted->tables.items[i]);
    for (int32_t i = 0; i < sorted->exprs.count; i++) {
        uint64_t key = expr_key(sorted, &sorted->exprs.items[i], keys, tables);
        key = mix_dimension(key, sorted->expr_dimension[i]);
        keys[i] = mix_int(key, (int32_t)sorted->expr_type[i]);
    }
    return keys;
}

/* ---- objects ------------------------------------------------------------------------------------------ */

typedef struct {
    const hbg_model *model;
    const uint64_t *exprs;
    hbg_buffer text;
    uint64_t key;
} keyed;

static void put_int(keyed *k, int32_t number) {
    k->key = mix_int(k->key, number);
}

static void put_expr(keyed *k, hbg_expr expr) {
    k->key = expr < 0 ? mix_int(k->key, expr) : mix(k->key, k->exprs[expr]);
}

static void put_path(keyed *k, hbg_object_kind kind, int32_t index) {
    k->key = mix_path(k->key, k->model, (hbg_object){kind, index}, &k->text);
}

/* A time that is built into code. */
static void put_time(keyed *k, hbg_expr expr) {
    double value = NAN;
    bool known = expr >= 0 && hbg_model_constant(k->model, expr, &value);
    put_int(k, expr >= 0);
    if (known) k->key = mix_number(k->key, value);
}

static void put_params(keyed *k) {
    for (int32_t i = 0; i < k->model->params.count; i++) put_path(k, HBG_OBJECT_PARAM, i);
}

static void put_bindings(keyed *k, int32_t first, int32_t count) {
    put_int(k, count);
    for (int32_t i = first; i < first + count; i++) {
        const hbg_binding *binding = &k->model->bindings.items[i];
        put_int(k, (int32_t)binding->variable);
        put_int(k, binding->port);
        put_expr(k, binding->value);
    }
}

static void put_elements(keyed *k) {
    for (int32_t i = 0; i < k->model->elements.count; i++) {
        const hbg_element *of = &k->model->elements.items[i];
        put_path(k, HBG_OBJECT_ELEMENT, i);
        put_int(k, (int32_t)of->kind);
        put_int(k, of->ports);
        put_int(k, of->dual_off);
        put_int(k, of->net < 0 ? HBG_NONE : (int32_t)k->model->net_domain[of->net]);
        put_int(k, of->value_count);
        for (int32_t n = 0; n < of->value_count; n++)
            put_expr(k, k->model->entries.items[of->first_value + n]);
        put_bindings(k, of->first_law, of->law_count);
        put_bindings(k, of->first_initial, of->initial_count);
        put_expr(k, of->control);
        put_expr(k, of->restitution);
    }
    for (int32_t i = 0; i < k->model->bonds.count; i++) {
        const hbg_bond *bond = &k->model->bonds.items[i];
        put_path(k, HBG_OBJECT_BOND, i);
        put_int(k, bond->from.element);
        put_int(k, bond->from.port);
        put_int(k, bond->to.element);
        put_int(k, bond->to.port);
    }
}

static void put_automata(keyed *k) {
    const hbg_model *model = k->model;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        put_path(k, HBG_OBJECT_AUTOMATON, i);
        put_int(k, of->start);
        put_time(k, of->every);
        put_int(k, of->state_count);
        for (int32_t n = of->first_state; n < of->first_state + of->state_count; n++) {
            const hbg_automaton_state *state = &model->states.items[n];
            k->key = mix_text(k->key, hbg_base_names_get(model->names, state->name));
            put_int(k, state->on);
            put_int(k, state->transition_count);
            for (int32_t t = 0; t < state->transition_count; t++) {
                const hbg_transition *way = &model->transitions.items[state->first_transition + t];
                put_int(k, way->target);
                put_expr(k, way->guard);
                put_time(k, way->after);
            }
        }
    }
}

static void put_signals(keyed *k) {
    for (int32_t i = 0; i < k->model->signals.count; i++) {
        const hbg_signal *of = &k->model->signals.items[i];
        put_path(k, HBG_OBJECT_SIGNAL, i);
        put_int(k, (int32_t)of->kind);
        put_int(k, (int32_t)of->type);
        k->key = mix_text(mix_dimension(k->key, of->dimension), of->unit);
        put_expr(k, of->value);
        put_expr(k, of->initial);
        put_time(k, of->every);
    }
}

/* Energies that the experiment sets are part of the start code; parameters are set when a run is made. */
static void put_settings(keyed *k, int32_t experiment) {
    if (experiment == HBG_NONE) return;
    const hbg_experiment *of = &k->model->experiments.items[experiment];
    for (int32_t i = 0; i < of->settings.count; i++) {
        const hbg_setting *setting = &of->settings.items[i];
        put_int(k, (int32_t)setting->target.kind);
        put_int(k, setting->target.index);
        if (setting->target.kind != HBG_OBJECT_ELEMENT && setting->target.kind != HBG_OBJECT_SIGNAL) continue;
        put_int(k, (int32_t)setting->variable);
        put_int(k, setting->port);
        put_expr(k, setting->value);
    }
}

uint64_t hbg_model_key(hbg_arena *arena, const hbg_model *sorted, int32_t experiment, const uint64_t *exprs) {
    keyed k = {.model = sorted, .exprs = exprs, .key = 4};
    hbg_base_buffer_init(&k.text, arena);
    const int32_t counts[] = {sorted->params.count, sorted->elements.count, sorted->bonds.count,
                              sorted->automata.count, sorted->signals.count};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) put_int(&k, counts[i]);
    put_params(&k);
    put_elements(&k);
    put_automata(&k);
    put_signals(&k);
    put_settings(&k, experiment);
    return k.key;
}
