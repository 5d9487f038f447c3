/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The machine of a Scilab script: a block that acts only at events. It holds inputs, states of automata and
 * what follows from them, evaluates guards at the end of each step, goes through the search of an instant
 * event by event, all at one time, and keeps rows. */
#include <math.h>
#include <stdlib.h>

#include "emit/blocks_xcos_impl.h"

/* ---- outputs and inputs ------------------------------------------------------------------------------- */

static void add_input(xcos_script *x, int32_t block_number) {
    x->machine_in[x->machine_inputs++] = x->number[block_number];
}

void hbg_emit_xcos_plan_machine(xcos_script *x) {
    const hbg_emit_blocks *d = x->d;
    const hbg_model *model = d->of->eqn->model;
    x->port_of = HBG_NEW_ARRAY(d->arena, int32_t, d->order_count + 1);
    x->selector_port = HBG_NEW_ARRAY(d->arena, int32_t, d->order_count + 1);
    for (int32_t i = 0; i < d->order_count; i++) {
        block_kind kind = d->blocks.items[d->order[i]].kind;
        bool held =
            kind == BLOCK_SOURCE || kind == BLOCK_AUTOMATON || kind == BLOCK_INSTANT || kind == BLOCK_LOOKUP;
        if (held) x->port_of[i] = ++x->port_count;
        if (kind == BLOCK_SWITCH) x->selector_port[i] = ++x->port_count;
    }
    if (x->port_count == 0) x->port_count = 1; // a block without outputs would not run
    x->machine_in = HBG_NEW_ARRAY(d->arena, int32_t, model->transitions.count + d->of->columns + 1);
    x->guard_input = HBG_NEW_ARRAY(d->arena, int32_t, model->transitions.count + 1);
    for (int32_t i = 0; i < model->transitions.count; i++) {
        if (d->guards[i] == HBG_NONE) continue;
        add_input(x, d->guards[i]);
        x->guard_input[i] = x->machine_inputs;
    }
    x->guard_count = x->machine_inputs;
    for (int32_t i = 0; i < d->of->columns; i++) add_input(x, d->outputs[i]);
}

/* ---- its data ----------------------------------------------------------------------------------------- */

static void put_transitions(const xcos_script *x) {
    const hbg_emit_blocks *d = x->d;
    const hbg_eqn *eqn = d->of->eqn;
    const hbg_model *model = eqn->model;
    hbg_base_buffer_text(
        x->out,
        "    // automaton, from, to, guard among the inputs (0: none), wait in s\n    m.transitions = [");
    for (int32_t a = 0; a < model->automata.count; a++)
        for (int32_t s = 0; s < model->automata.items[a].state_count; s++) {
            const hbg_automaton_state *state = &model->states.items[model->automata.items[a].first_state + s];
            for (int32_t i = 0; i < state->transition_count; i++) {
                int32_t t = state->first_transition + i;
                hbg_base_buffer_print(x->out, "\n        %d %d %d %d ", (int)a + 1, (int)s,
                                      (int)model->transitions.items[t].target, (int)x->guard_input[t]);
                hbg_emit_put_double(x->out, isnan(eqn->guards[t].after) ? 0 : eqn->guards[t].after);
            }
        }
    hbg_base_buffer_text(x->out, "];\n    m.states = ");
    hbg_emit_scilab_ints(x->out, d->of->system->start_states, model->automata.count);
    hbg_base_buffer_text(x->out, ";\n");
}

static int by_number(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Instants known in advance: changes of inputs, and kinks of tables over time. */
static void put_planned(const xcos_script *x) {
    const hbg_emit_blocks *d = x->d;
    const hbg_model *model = d->of->eqn->model;
    HBG_VEC(double) times = {0};
    HBG_PUSH(d->arena, times, -1); // Scilab computes nothing with an empty list
    for (int32_t i = 0; i < d->of->action_count; i++) HBG_PUSH(d->arena, times, d->of->actions[i].time);
    for (int32_t i = 0; i < d->order_count; i++) {
        const block *of = &d->blocks.items[d->order[i]];
        if (of->kind != BLOCK_TABLE || d->blocks.items[hbg_emit_block_in(d, of)[0]].kind != BLOCK_TIME)
            continue;
        const hbg_table *table = &model->tables.items[of->of];
        for (int32_t k = 0; k < table->count; k++) HBG_PUSH(d->arena, times, table->x[k]);
    }
    if (times.count > 1) qsort(times.items, (size_t)times.count, sizeof *times.items, by_number);
    hbg_base_buffer_text(x->out, "    m.planned = ");
    hbg_emit_scilab_numbers(x->out, times.items, times.count);
    hbg_base_buffer_text(x->out, ";\n");
}

/* ---- its outputs -------------------------------------------------------------------------------------- */

static void put_source(const xcos_script *x, const block *of) {
    source_course course = hbg_emit_blocks_course(x->d, of);
    if (course.count == 0) {
        hbg_base_buffer_char(x->out, '0');
        return;
    }
    hbg_base_buffer_text(x->out, course.event ? "hbg_event(m, " : "hbg_held(m, ");
    hbg_emit_scilab_numbers(x->out, course.times, course.count);
    hbg_base_buffer_text(x->out, ", ");
    hbg_emit_scilab_numbers(x->out, course.values, course.count);
    hbg_base_buffer_char(x->out, ')');
}

/* By the states of automata, with the first varying fastest. */
static void put_lookup(const xcos_script *x, const block *of, const int32_t *table) {
    const hbg_emit_blocks *d = x->d;
    int32_t stride = 1;
    hbg_base_buffer_text(x->out, "hbg_lookup(");
    hbg_emit_scilab_ints(x->out, table, of->data_count);
    hbg_base_buffer_text(x->out, ", 1");
    for (int32_t i = 0; i < of->in_count; i++) {
        int32_t automaton = d->blocks.items[hbg_emit_block_in(d, of)[i]].of;
        hbg_base_buffer_print(x->out, " + %d * m.states(%d)", (int)stride, (int)automaton + 1);
        stride *= d->of->eqn->model->automata.items[automaton].state_count;
    }
    hbg_base_buffer_char(x->out, ')');
}

/* Which input of a switch: 0 if the mode has no valid causality, and the run has to end. */
static void put_selector(const xcos_script *x, const block *of) {
    const hbg_emit_blocks *d = x->d;
    const block *by = &d->blocks.items[hbg_emit_block_in(d, of)[0]];
    const int32_t *cases = hbg_emit_block_data(d, of);
    if (by->kind == BLOCK_INSTANT) {
        hbg_base_buffer_text(x->out, "1 + m.instant");
        return;
    }
    const int32_t *values = hbg_emit_block_data(d, by);
    int32_t *table = HBG_NEW_ARRAY(d->arena, int32_t, by->data_count + 1);
    for (int32_t i = 0; i < by->data_count; i++)
        for (int32_t k = 0; k < of->data_count; k++)
            if (values[i] == cases[k]) table[i] = k + 1;
    put_lookup(x, by, table);
}

static void put_outputs(const xcos_script *x) {
    const hbg_emit_blocks *d = x->d;
    hbg_base_buffer_print(x->out, "function y = %s_outputs(m)\n    y = zeros(%d, 1);\n", d->of->name,
                          (int)x->port_count);
    for (int32_t i = 0; i < d->order_count; i++) {
        const block *of = &d->blocks.items[d->order[i]];
        if (x->port_of[i] == 0 && x->selector_port[i] == 0) continue;
        hbg_base_buffer_print(x->out, "    y(%d) = ", (int)(x->port_of[i] + x->selector_port[i]));
        if (of->kind == BLOCK_SOURCE) put_source(x, of);
        if (of->kind == BLOCK_AUTOMATON) hbg_base_buffer_print(x->out, "m.states(%d)", (int)of->of + 1);
        if (of->kind == BLOCK_INSTANT) hbg_base_buffer_text(x->out, "m.instant");
        if (of->kind == BLOCK_LOOKUP) put_lookup(x, of, hbg_emit_block_data(d, of));
        if (of->kind == BLOCK_SWITCH) put_selector(x, of);
        hbg_base_buffer_text(x->out, ";\n");
    }
    hbg_base_buffer_text(x->out, "endfunction\n\n");
}

void hbg_emit_xcos_machine(xcos_script *x) {
    const hbg_emit_blocks_of *of = x->d->of;
    hbg_base_buffer_print(x->out, "function m = %s_start()\n", of->name);
    put_transitions(x);
    put_planned(x);
    hbg_base_buffer_print(x->out,
                          "    m.guards = %d;\n    m.outputs = %d;\n    m.step = ", (int)x->guard_count,
                          (int)of->columns);
    hbg_emit_put_double(x->out, of->step);
    hbg_base_buffer_text(x->out, ";\n    m.stop = ");
    hbg_emit_put_double(x->out, of->stop);
    hbg_base_buffer_text(x->out, ";\n    m.every = ");
    hbg_emit_put_double(x->out, of->every);
    hbg_base_buffer_text(x->out, ";\n    m = hbg_begin(m);\nendfunction\n\n");
    put_outputs(x);
    hbg_base_buffer_print(x->out,
                          "function block = %s_machine(block, flag)\n"
                          "    global hbg_m;\n"
                          "    if flag == 1 then\n"
                          "        y = %s_outputs(hbg_m);\n"
                          "        for k = 1:%d, block.outptr(k) = y(k); end\n"
                          "    elseif flag == 3 then\n"
                          "        u = zeros(%d, 1);\n"
                          "        for k = 1:%d, u(k) = block.inptr(k); end\n"
                          "        [hbg_m, later] = hbg_act(hbg_m, u, scicos_time());\n"
                          "        block.evout = later;\n"
                          "    end\n"
                          "endfunction\n",
                          of->name, of->name, (int)x->port_count, (int)x->machine_inputs,
                          (int)x->machine_inputs);
}
