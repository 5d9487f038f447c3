/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The variables of a process. In a proof ticks and waits are truths; a process has the times they follow
 * from. */
#include <math.h>

#include "verify/process_impl.h"

static const char *path_of(const process_map *map, hbg_object_kind kind, int32_t index) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, map->proof->arena);
    hbg_model_path(map->proof->model, (hbg_object){kind, index}, &text);
    return text.data;
}

static void add(process_map *map, formula symbol, formula before, hbg_process_variable variable) {
    HBG_PUSH(map->proof->arena, map->symbols, symbol);
    HBG_PUSH(map->proof->arena, map->before, before);
    HBG_PUSH(map->proof->arena, map->made->variables, variable);
}

static void put_in(process_map *map, formula symbol, formula at_jump, formula in_flow) {
    const formulas *f = &map->proof->f;
    if (!symbol || symbol == f->yes || symbol == f->no) return;
    HBG_PUSH(map->proof->arena, map->from, symbol);
    HBG_PUSH(map->proof->arena, map->to[0], at_jump);
    HBG_PUSH(map->proof->arena, map->to[1], in_flow);
}

/* ---- what comes from outside ---------------------------------------------------------------------------------- */

static void add_input(process_map *map, int32_t signal) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    const hbg_signal *of = &proof->model->signals.items[signal];
    formula now = proof->signals.input[0][signal].fin, was = proof->signals.input[1][signal].fin;
    bool event = of->type == HBG_TYPE_EVENT;
    for (int before = 0; before < 2; before++)
        put_in(map, proof->signals.given[before][signal].fin, f->yes, f->yes);
    if (!now && !was) return; // nobody reads it
    if (!now) now = hbg_verify_group_outside(proof, false, false, signal).fin;
    if (!was && !event) was = hbg_verify_group_outside(proof, false, true, signal).fin;
    add(map, now, was,
        (hbg_process_variable){.role = HBG_PROCESS_INPUT,
                               .of = signal,
                               .name = path_of(map, HBG_OBJECT_SIGNAL, signal),
                               .unit = hbg_verify_group_signal_unit(proof, signal),
                               .is_truth = of->type != HBG_TYPE_REAL,
                               .is_event = event});
    if (event) put_in(map, was, f->no, f->no);
    put_in(map, now, now, event ? f->no : was);
}

static void add_held(process_map *map, int32_t signal) {
    group_proof *proof = map->proof;
    if (!proof->signals.held[0][signal].fin && !proof->signals.held[1][signal].fin) return;
    formula now = hbg_verify_group_outside(proof, true, false, signal).fin;
    formula was = hbg_verify_group_outside(proof, true, true, signal).fin;
    add(map, now, was,
        (hbg_process_variable){.role = HBG_PROCESS_HELD,
                               .of = signal,
                               .name = path_of(map, HBG_OBJECT_SIGNAL, signal),
                               .is_truth = proof->model->signals.items[signal].type != HBG_TYPE_REAL});
    put_in(map, now, now, was);
}

/* A parameter that is chosen anew is held from one move to the next. */
static void add_drawn(process_map *map, int32_t param) {
    group_proof *proof = map->proof;
    formula was = proof->params.value[param].fin;
    const char *name = proof->system->params[param].name;
    formula now = hbg_verify_formula_real(&proof->f, hbg_base_arena_print(proof->arena, "%s now", name));
    add(map, now, was,
        (hbg_process_variable){.role = HBG_PROCESS_HELD,
                               .of = HBG_NONE,
                               .name = name,
                               .unit = proof->system->params[param].unit});
    map->drawn_now[param] = now;
}

/* ---- times ------------------------------------------------------------------------------------------------------ */

static void add_clock(process_map *map, int32_t clock) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    exact_clock *of = &proof->timing.clocks.items[clock];
    double period = hbg_verify_formula_to_double(f, of->period);
    const char *name = hbg_base_arena_print(proof->arena, "clock_%d", (int)clock + 1);
    formula since = hbg_verify_formula_real(f, hbg_base_arena_print(proof->arena, "clock'%d", (int)clock));
    add(map, since, since,
        (hbg_process_variable){
            .role = HBG_PROCESS_CLOCK, .of = clock, .name = name, .unit = "s", .period = period});
    put_in(map, of->ticks, hbg_verify_formula_less_equal(f, of->period, since), f->no);
}

/* Waits of the states of one automaton. */
static void add_wait(process_map *map, int32_t automaton) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    formula since = NULL;
    for (int32_t k = 0; k < of->state_count; k++) {
        const hbg_automaton_state *state = &proof->model->states.items[of->first_state + k];
        for (int32_t i = state->first_transition; i < state->first_transition + state->transition_count;
             i++) {
            if (!proof->timing.waited[i]) continue;
            double after = hbg_eqn_exact_guard(proof->eqn, i).after;
            if (!since)
                since =
                    hbg_verify_formula_real(f, hbg_base_arena_print(proof->arena, "wait'%d", (int)automaton));
            formula long_enough =
                hbg_verify_formula_less_equal(f, hbg_verify_formula_double(f, after), since);
            put_in(map, proof->timing.waited[i], long_enough, long_enough);
        }
    }
    if (!since) return;
    const char *name = path_of(map, HBG_OBJECT_AUTOMATON, automaton);
    add(map, since, since,
        (hbg_process_variable){.role = HBG_PROCESS_WAIT,
                               .of = automaton,
                               .name = hbg_base_arena_print(proof->arena, "wait_%s", name),
                               .unit = "s"});
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static void add_pre(process_map *map, int32_t pre) {
    group_proof *proof = map->proof;
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    hbg_base_buffer_text(&text, "pre(");
    hbg_eqn_exact_print(proof->eqn, hbg_eqn_exact_pre(proof->eqn, pre), &text);
    hbg_base_buffer_char(&text, ')');
    add(map, proof->law_pre[pre], proof->law_pre[pre],
        (hbg_process_variable){.role = HBG_PROCESS_PRE, .of = pre, .name = text.data});
}

void hbg_verify_process_variables(process_map *map) {
    group_proof *proof = map->proof;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        add(map, proof->x[i], proof->x[i],
            (hbg_process_variable){.role = HBG_PROCESS_ENERGY,
                                   .of = i,
                                   .name = proof->system->states[i].name,
                                   .unit = proof->system->states[i].unit});
    for (int32_t i = 0; i < proof->model->signals.count; i++) {
        if (proof->model->signals.items[i].kind == HBG_SIGNAL_INPUT) add_input(map, i);
        add_held(map, i);
    }
    map->drawn_now = HBG_NEW_ARRAY(proof->arena, formula, proof->model->params.count + 1);
    for (int32_t i = 0; proof->params.drawn && i < proof->model->params.count; i++)
        if (proof->params.drawn[i] && proof->params.open[i]) add_drawn(map, i);
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        if (hbg_verify_paths_map_reads(&map->ways, proof->law_pre[proof->of.pres[i]]))
            add_pre(map, proof->of.pres[i]);
    for (int32_t i = 0; i < proof->model->automata.count; i++) add_wait(map, i);
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) add_clock(map, i);
    if (proof->time)
        add(map, proof->time, proof->time,
            (hbg_process_variable){.role = HBG_PROCESS_TIME, .name = "time", .unit = "s"});
}

formula hbg_verify_process_at(process_map *map, bool flows, formula a) {
    return hbg_verify_formula_replace(&map->proof->f, a, map->from.count, map->from.items,
                                      map->to[flows].items);
}
