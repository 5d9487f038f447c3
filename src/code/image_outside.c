/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The arrays of rt/image.h that need no segments: values given from outside, automata with their transitions,
 * and the conditions of places as tests. */
#include <math.h>

#include "code/code_impl.h"

/* ---- from outside ------------------------------------------------------------------------------------- */

static int32_t home_of(const hbg_code *code, variable_kind kind, int32_t index) {
    return code->registers.home[code->eqn->first[kind] + index];
}

static void fill_inputs(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    const hbg_model *model = eqn->model;
    hbg_rt_outside *to = &code->image.instants.outside;
    hbg_rt_input *inputs = HBG_NEW_ARRAY(code->arena, hbg_rt_input, code->system.input_count + 1);
    hbg_rt_param *params = HBG_NEW_ARRAY(code->arena, hbg_rt_param, model->params.count + 1);
    for (int32_t i = 0; i < code->system.input_count; i++) {
        int32_t signal = eqn->readouts.input_signal[i];
        inputs[i] =
            (hbg_rt_input){home_of(code, VARIABLE_INPUT, signal), home_of(code, VARIABLE_GIVEN, signal),
                           model->signals.items[signal].type == HBG_TYPE_EVENT};
    }
    for (int32_t i = 0; i < model->params.count; i++)
        params[i] =
            (hbg_rt_param){model->param_values[i], home_of(code, VARIABLE_PARAM, i),
                           eqn->may_move ? home_of(code, VARIABLE_PARAM, i + eqn->terms.to_rate) : HBG_NONE};
    to->inputs = inputs;
    to->input_count = code->system.input_count;
    to->params = params;
    to->param_count = model->params.count;
    to->most_held = 3 * model->signals.count + 2 * model->params.count;
}

static void fill_clocks(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    hbg_rt_outside *to = &code->image.instants.outside;
    int32_t count = code->system.clock_count;
    hbg_rt_clock_data *clocks = HBG_NEW_ARRAY(code->arena, hbg_rt_clock_data, count + 1);
    for (int32_t i = 0; i < count; i++) {
        int32_t signal = eqn->ticks.signal[i];
        bool own = signal < 0; // of an automaton
        clocks[i] = (hbg_rt_clock_data){.held = own ? HBG_NONE : home_of(code, VARIABLE_SIGNAL, signal),
                                        .shown = own ? HBG_NONE : home_of(code, VARIABLE_TICK, signal),
                                        .level = eqn->ticks.level[i],
                                        .automaton = own ? -1 - signal : HBG_NONE};
    }
    to->clocks = clocks;
    to->clock_count = count;
    to->tick_pres = eqn->ticks.pres.items;
    to->tick_pre_count = eqn->ticks.pres.count;
    to->tick_levels = eqn->ticks.levels;
    to->ticks_read_pre = eqn->ticks.read_pre;
    to->live = home_of(code, VARIABLE_LIVE, 0);
    to->open = home_of(code, VARIABLE_OPEN, 0);
}

/* ---- automata ----------------------------------------------------------------------------------------- */

static void fill_transitions(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    const hbg_model *model = eqn->model;
    hbg_rt_transition *made = HBG_NEW_ARRAY(code->arena, hbg_rt_transition, model->transitions.count + 1);
    hbg_rt_discrete *discretes = HBG_NEW_ARRAY(code->arena, hbg_rt_discrete, model->states.count + 1);
    for (int32_t i = 0; i < model->transitions.count; i++)
        made[i] = (hbg_rt_transition){.automaton = eqn->guards[i].automaton,
                                      .state = eqn->guards[i].state,
                                      .target = model->transitions.items[i].target,
                                      .after = eqn->guards[i].after};
    for (int32_t i = 0; i < model->states.count; i++) {
        const hbg_automaton_state *of = &model->states.items[i];
        discretes[i] = (hbg_rt_discrete){{of->first_transition, of->transition_count}, of->on};
    }
    code->image.instants.switching.transitions = made;
    code->image.instants.switching.discretes = discretes;
    code->image.instants.counts.discretes = model->states.count;
}

static void fill_automata(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    const hbg_model *model = eqn->model;
    hbg_rt_switching *to = &code->image.instants.switching;
    int32_map controlled = {0};
    hbg_rt_automaton_data *made =
        HBG_NEW_ARRAY(code->arena, hbg_rt_automaton_data, model->automata.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        const int32_map *places = &eqn->automaton_places[i];
        made[i] = (hbg_rt_automaton_data){.states = {of->first_state, of->state_count},
                                          .every = code->system.automata[i].every,
                                          .reg = home_of(code, VARIABLE_AUTOMATON, i),
                                          .start = eqn->start.state[i],
                                          .places = {controlled.count, places->count}};
        for (int32_t k = 0; k < places->count; k++) HBG_PUSH(code->arena, controlled, places->items[k]);
        code->image.instants.counts.modes += places->count * of->state_count;
    }
    to->automata = made;
    to->controlled = controlled.items;
    code->image.instants.counts.controlled = controlled.count;
    to->timed = eqn->instants.timed.items;
}

/* ---- places ------------------------------------------------------------------------------------------- */

typedef HBG_VEC(hbg_rt_test) test_list;

/* Adds the tests of a condition. Returns the first test, or the result: `yes` follows if the condition holds,
 * `no` otherwise. */
static int32_t add_tests(hbg_eqn *eqn, test_list *tests, hbg_expr expr, int32_t yes, int32_t no) {
    const hbg_expr_node *node = &eqn->model->exprs.items[expr];
    switch (node->op) {
    case HBG_OP_TRUE: return yes;
    case HBG_OP_NOT: return add_tests(eqn, tests, node->a, no, yes);
    case HBG_OP_AND: return add_tests(eqn, tests, node->a, add_tests(eqn, tests, node->b, yes, no), no);
    case HBG_OP_OR: return add_tests(eqn, tests, node->a, yes, add_tests(eqn, tests, node->b, yes, no));
    case HBG_OP_ACTIVE:
    case HBG_OP_AUTOMATON:
        HBG_PUSH(eqn->arena, *tests,
                 (hbg_rt_test){node->a, node->op == HBG_OP_ACTIVE ? node->b : HBG_NONE, yes, no});
        return tests->count - 1;
    default: return no; // not part of a condition on automata
    }
}

static void fill_places(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    const hbg_causal_structure *structure = eqn->structure;
    hbg_rt_place *places = HBG_NEW_ARRAY(code->arena, hbg_rt_place, structure->place_count + 1);
    test_list tests = {0};
    for (int32_t i = 0; i < structure->place_count; i++) {
        int32_t element = structure->place_element[i];
        hbg_expr control = eqn->model->elements.items[element].control;
        int32_t variable = eqn->first[VARIABLE_UNDEFINED] + element;
        places[i] =
            (hbg_rt_place){.control = HBG_RT_PLACE_ON,
                           .region = eqn->structure->place_region[i],
                           .is_select = eqn->varies.select[i],
                           .reg = home_of(code, VARIABLE_ON, i),
                           .undefined = eqn->has_undefined ? code->registers.home[variable] : HBG_NONE,
                           .name = eqn->has_undefined ? variable : HBG_NONE,
                           .is_zero = structure->is_zero[i]};
        if (control != HBG_NONE)
            places[i].control = add_tests(eqn, &tests, control, HBG_RT_PLACE_ON, HBG_RT_PLACE_OFF);
    }
    code->image.instants.counts.tests = tests.count;
    code->image.instants.places = (hbg_rt_places){places, tests.items, structure->place_count};
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void count_all(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_t longest = 0;
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        longest = longest > eqn->guards[i].walk_count ? longest : eqn->guards[i].walk_count;
    code->image.instants.counts = (hbg_rt_instant_counts){.automata = eqn->model->automata.count,
                                                          .transitions = eqn->model->transitions.count,
                                                          .relations = eqn->relations.count,
                                                          .pres = eqn->pres.exprs.count,
                                                          .ins = eqn->in.list.count,
                                                          .restitution = eqn->instants.restitution.count,
                                                          .states = eqn->state_count,
                                                          .powers = code->system.power_count,
                                                          .storages = code->system.storage_count,
                                                          .bonds = eqn->model->bonds.count,
                                                          .timed = eqn->instants.timed.count,
                                                          .longest_condition = longest};
    code->image.instants.has_events = eqn->has_events;
    code->image.instants.has_open = eqn->has_open;
    code->image.instants.has_undefined = eqn->has_undefined;
    code->image.instants.has_ders_of_pre = eqn->pres.has_ders;
}

void hbg_code_image_outside(hbg_code *code) {
    count_all(code);
    fill_inputs(code);
    fill_clocks(code);
    fill_transitions(code);
    fill_automata(code);
    fill_places(code);
}
