/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block diagram as JSON (docs/export.md, "Block diagram"). Blocks are numbered in an order in which they
 * can be computed. */
#include <math.h>

#include "emit/blocks_print_impl.h"

static void put_text(hbg_buffer *out, const char *text) {
    hbg_base_buffer_char(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            hbg_base_buffer_print(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            hbg_base_buffer_print(out, "\\u%04x", (unsigned)*c);
        else
            hbg_base_buffer_char(out, *c);
    }
    hbg_base_buffer_char(out, '"');
}

static void put_member(hbg_buffer *out, const char *key, const char *text) {
    hbg_base_buffer_print(out, ", \"%s\": ", key);
    put_text(out, text);
}

static void put_number(hbg_buffer *out, const char *key, double number) {
    hbg_base_buffer_print(out, ", \"%s\": ", key);
    hbg_emit_put_double(out, number);
}

static void put_ints(hbg_buffer *out, const char *key, const int32_t *items, int32_t count) {
    hbg_base_buffer_print(out, ", \"%s\": [", key);
    for (int32_t i = 0; i < count; i++) hbg_base_buffer_print(out, "%s%d", i > 0 ? ", " : "", (int)items[i]);
    hbg_base_buffer_char(out, ']');
}

static void put_doubles(hbg_buffer *out, const char *key, const double *items, int32_t count) {
    hbg_base_buffer_print(out, ", \"%s\": [", key);
    for (int32_t i = 0; i < count; i++) {
        if (i > 0) hbg_base_buffer_text(out, ", ");
        hbg_emit_put_double(out, items[i]);
    }
    hbg_base_buffer_char(out, ']');
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

static void put_source(const hbg_emit_blocks *d, const block *of, hbg_buffer *out) {
    source_course course = hbg_emit_blocks_course(d, of);
    put_member(out, "input", course.name);
    hbg_base_buffer_print(out, ", \"gives\": \"%s\"", course.given ? "whether it is set" : "its value");
    if (course.event) hbg_base_buffer_text(out, ", \"event\": true");
    put_doubles(out, "times", course.times, course.count);
    put_doubles(out, "values", course.values, course.count);
}

static void put_lookup(const hbg_emit_blocks *d, const block *of, hbg_buffer *out) {
    const hbg_model *model = d->of->eqn->model;
    const int32_t *table = hbg_emit_block_data(d, of);
    hbg_base_buffer_print(out, ", \"gives\": \"%s\"",
                          of->is_fact          ? "whether it is on"
                          : of->of == HBG_NONE ? "the local mode"
                                               : "its determining bond");
    if (of->name) put_member(out, "junction", of->name);
    hbg_base_buffer_text(out, ", \"sizes\": [");
    for (int32_t i = 0; i < of->in_count; i++) {
        const block *in = &d->blocks.items[hbg_emit_block_in(d, of)[i]];
        hbg_base_buffer_print(out, "%s%d", i > 0 ? ", " : "", (int)model->automata.items[in->of].state_count);
    }
    hbg_base_buffer_char(out, ']');
    put_ints(out, "table", table, of->data_count);
    if (of->is_fact || of->of == HBG_NONE) return;
    hbg_base_buffer_text(out, ", \"bonds\": {");
    bool any = false;
    for (int32_t i = 0; i < of->data_count; i++) {
        bool before = table[i] <= 0;
        hbg_buffer name;
        for (int32_t k = 0; k < i; k++) before |= table[k] == table[i];
        if (before) continue;
        hbg_base_buffer_init(&name, d->arena);
        hbg_model_path(model, (hbg_object){HBG_OBJECT_BOND, table[i] - 1}, &name);
        hbg_base_buffer_print(out, "%s\"%d\": ", any ? ", " : "", (int)table[i]);
        put_text(out, name.data);
        any = true;
    }
    hbg_base_buffer_char(out, '}');
}

static void put_signs(const hbg_emit_blocks *d, const block *of, const char *plus, const char *minus,
                      hbg_buffer *out) {
    hbg_base_buffer_print(out, ", \"%s\": \"", of->kind == BLOCK_SUM ? "signs" : "powers");
    for (int32_t i = 0; i < of->data_count; i++)
        hbg_base_buffer_text(out, hbg_emit_block_data(d, of)[i] > 0 ? plus : minus);
    hbg_base_buffer_char(out, '"');
}

static void put_details(const hbg_emit_blocks *d, const block *of, hbg_buffer *out) {
    const hbg_model *model = d->of->eqn->model;
    switch ((int)of->kind) {
    case BLOCK_CONSTANT: put_number(out, "value", of->number); break;
    case BLOCK_GAIN: put_number(out, "factor", of->number); break;
    case BLOCK_INTEGRATOR: put_number(out, "initial", of->number); break;
    case BLOCK_SOURCE: put_source(d, of, out); break;
    case BLOCK_AUTOMATON: hbg_base_buffer_print(out, ", \"automaton\": %d", (int)of->of); break;
    case BLOCK_SUM: put_signs(d, of, "+", "-", out); break;
    case BLOCK_PRODUCT: put_signs(d, of, "*", "/", out); break;
    case BLOCK_FUNCTION: put_member(out, "function", hbg_rt_operator_text((hbg_operator)of->of)); break;
    case BLOCK_TABLE: {
        const hbg_table *table = &model->tables.items[of->of];
        put_doubles(out, "x", table->x, table->count);
        put_doubles(out, "y", table->y, table->count);
        break;
    }
    case BLOCK_LOOKUP: put_lookup(d, of, out); break;
    case BLOCK_SWITCH: put_ints(out, "cases", hbg_emit_block_data(d, of), of->data_count); break;
    default: break;
    }
}

static void put_block(const hbg_emit_blocks *d, int32_t place, const int32_t *number, hbg_buffer *out) {
    const block *of = &d->blocks.items[d->order[place]];
    hbg_base_buffer_print(out, "%s\n    {\"id\": %d, \"kind\": \"%s\"", place > 0 ? "," : "", (int)place,
                          hbg_emit_block_kind_text(of->kind));
    if (of->name && of->kind != BLOCK_LOOKUP) put_member(out, "name", of->name);
    put_details(d, of, out);
    if (of->in_count > 0) {
        hbg_base_buffer_text(out, ", \"in\": [");
        for (int32_t i = 0; i < of->in_count; i++)
            hbg_base_buffer_print(out, "%s%d", i > 0 ? ", " : "", (int)number[hbg_emit_block_in(d, of)[i]]);
        hbg_base_buffer_char(out, ']');
    }
    hbg_base_buffer_char(out, '}');
}

/* ---- the rest ----------------------------------------------------------------------------------------- */

static void put_transitions(const hbg_emit_blocks *d, int32_t automaton, const int32_t *number,
                            hbg_buffer *out) {
    const hbg_eqn *eqn = d->of->eqn;
    const hbg_automaton *of = &eqn->model->automata.items[automaton];
    bool any = false;
    for (int32_t s = 0; s < of->state_count; s++) {
        const hbg_automaton_state *state = &eqn->model->states.items[of->first_state + s];
        for (int32_t i = 0; i < state->transition_count; i++) {
            int32_t t = state->first_transition + i;
            hbg_base_buffer_print(out, "%s\n        {\"from\": %d, \"to\": %d", any ? "," : "", (int)s,
                                  (int)eqn->model->transitions.items[t].target);
            if (d->guards[t] != HBG_NONE)
                hbg_base_buffer_print(out, ", \"guard\": %d", (int)number[d->guards[t]]);
            if (!isnan(eqn->guards[t].after)) put_number(out, "after", eqn->guards[t].after);
            hbg_base_buffer_char(out, '}');
            any = true;
        }
    }
}

static void put_automata(const hbg_emit_blocks *d, const int32_t *number, hbg_buffer *out) {
    const hbg_rt_description *system = d->of->system;
    hbg_base_buffer_text(out, "\n  ],\n  \"automata\": [");
    for (int32_t i = 0; i < system->automaton_count; i++) {
        const hbg_rt_automaton *of = &system->automata[i];
        hbg_base_buffer_print(out, "%s\n    {\"name\": ", i > 0 ? "," : "");
        put_text(out, of->name);
        hbg_base_buffer_text(out, ", \"states\": [");
        for (int32_t s = 0; s < of->state_count; s++) {
            if (s > 0) hbg_base_buffer_text(out, ", ");
            put_text(out, of->states[s]);
        }
        hbg_base_buffer_print(out, "], \"start\": %d, \"transitions\": [", (int)system->start_states[i]);
        put_transitions(d, i, number, out);
        hbg_base_buffer_text(out, "]}");
    }
}

static void put_junctions(const hbg_emit_blocks *d, hbg_buffer *out) {
    const hbg_eqn *eqn = d->of->eqn;
    const hbg_causal_structure *structure = eqn->structure;
    hbg_base_buffer_text(out, "\n  ],\n  \"junctions\": [");
    for (int32_t i = 0; i < structure->junction_count; i++) {
        hbg_buffer name;
        hbg_base_buffer_init(&name, d->arena);
        hbg_model_path(eqn->model, (hbg_object){HBG_OBJECT_ELEMENT, structure->place_element[i]}, &name);
        const char *how = eqn->varies.select[i]         ? "on or off"
                          : eqn->varies.place_steady[i] ? "fixed"
                                                        : "switched";
        hbg_base_buffer_print(out, "%s\n    {\"type\": %d, \"causality\": \"%s\"", i > 0 ? "," : "",
                              structure->is_zero[i] ? 0 : 1, how);
        put_member(out, "name", name.data);
        hbg_base_buffer_char(out, '}');
    }
}

static void put_outputs(const hbg_emit_blocks *d, const int32_t *number, hbg_buffer *out) {
    const hbg_rt_description *system = d->of->system;
    hbg_base_buffer_text(out, "\n  ],\n  \"outputs\": [");
    for (int32_t i = 0; i < d->of->columns; i++) {
        hbg_base_buffer_print(out, "%s\n    {\"block\": %d", i > 0 ? "," : "", (int)number[d->outputs[i]]);
        put_member(out, "name", system->outputs[i].name);
        if (system->outputs[i].unit) put_member(out, "unit", system->outputs[i].unit);
        hbg_base_buffer_char(out, '}');
    }
}

void hbg_emit_blocks_json(const hbg_emit_blocks *d, hbg_buffer *out) {
    const int32_t *number = hbg_emit_blocks_numbers(d);
    hbg_base_buffer_text(out, "{\n  \"format\": \"hbg block diagram\", \"version\": 1");
    put_member(out, "made_by", d->of->version);
    put_member(out, "model", d->of->model);
    if (d->of->experiment) put_member(out, "experiment", d->of->experiment);
    hbg_base_buffer_text(out, ",\n  \"run\": {\"method\": ");
    put_text(out, d->of->solver);
    put_number(out, "stop", d->of->stop);
    put_number(out, "step", d->of->step);
    if (d->of->every > 0) put_number(out, "every", d->of->every);
    hbg_base_buffer_text(out, "},\n  \"blocks\": [");
    for (int32_t i = 0; i < d->order_count; i++) put_block(d, i, number, out);
    put_automata(d, number, out);
    put_junctions(d, out);
    put_outputs(d, number, out);
    hbg_base_buffer_text(out, "\n  ]\n}\n");
}
