/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One random hybrid graph, compiled and run: what the run tells about its instants is kept in the numbers of the graph, so that
 * an oracle can follow it. The system of rt.h and runs of sim.h are all that is used. */
#ifndef HBG_TESTS_EQN_HYBRID_TRIAL_IMPL_H
#define HBG_TESTS_EQN_HYBRID_TRIAL_IMPL_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code.h"
#include "hybrid_guard_impl.h"
#include "hybrid_text_impl.h"
#include "lang/front_end_impl.h"
#include "sim/sim.h"

enum { HYBRID_TEXT = 1 << 16, HYBRID_VISITS = 64, HYBRID_EVENTS = 200 };

typedef struct {
    hbg_rt_mode_kind kind;
    int states[HYBRID_AUTOMATA];
    double x[NET_BONDS], x_plus[NET_BONDS];
    double effort[NET_BONDS], flow[NET_BONDS]; /* areas */
    double lost;
} logged_visit;

typedef struct {
    double t;
    bool at_start;
    logged_visit visits[HYBRID_VISITS];
    int count;
    double lost;
    hbg_rt_verdict verdict;
    char words[400];
    double x_left[NET_BONDS];
} logged_event;

/* Where the numbers of a graph are in the system. */
typedef struct {
    int state[NET_BONDS], bond[NET_BONDS], automaton[HYBRID_AUTOMATA], input[HYBRID_INPUTS];
} hybrid_places;

typedef struct {
    FRONT_END
    const hbg_model *model; /* sorted */
    hbg_code *code;
    hbg_eqn *eqn; /* what it was compiled from */
    const hbg_rt_description *system;
    hbg_rt_instance *run;
    hybrid_places places;
    hbg_rt_status status;
    hbg_sim_result result;
} hybrid_model;

/* ---- compiling ---------------------------------------------------------------------------------------- */

static inline int find_name(const hbg_rt_variable *variables, int32_t count, const char *name) {
    for (int32_t i = 0; i < count; i++)
        if (strcmp(variables[i].name, name) == 0) return i;
    fail_msg("the system has no %s", name);
    return -1;
}

static inline void find_places(hybrid_model *m, const hybrid *h) {
    const hbg_rt_description *system = m->system;
    char name[32];
    int count = 0;
    for (int i = 0; i < h->n.node_count; i++)
        for (int port = 1; node_is_storage(&h->n.nodes[i]) && port <= h->n.nodes[i].ports; port++) {
            graph_text text = {name, 0, sizeof name};
            text_port(&text, h, i, port, node_is(&h->n.nodes[i], "C") ? 'q' : 'p');
            m->places.state[count++] = find_name(system->states, system->state_count, name);
        }
    for (int i = 0; i < h->n.bond_count; i++) {
        snprintf(name, sizeof name, "b%d", i);
        m->places.bond[i] = find_name(system->bonds, system->bond_count, name);
    }
    for (int i = 0; i < HYBRID_INPUTS; i++)
        m->places.input[i] = find_name(system->inputs, system->input_count, hybrid_input_names[i]);
    for (int i = 0; i < h->automaton_count; i++) {
        snprintf(name, sizeof name, "a%d", i);
        int k = 0;
        while (k < system->automaton_count && strcmp(system->automata[k].name, name) != 0) k++;
        assert_true(k < system->automaton_count);
        m->places.automaton[i] = k;
    }
}

/* Reads and compiles a text. */
static inline void model_open(hybrid_model *m, const char *text) {
    memset(m, 0, sizeof *m);
    front_end_open(m);
    assert_non_null(m->lang.units);
    hbg_model *model = hbg_lang_read_text(&m->lang, "test.hbg", text, strlen(text), NULL);
    for (int32_t i = 0; i < m->diagnostics.items.count && !model; i++)
        print_error("%s\n", m->diagnostics.items.items[i].text);
    if (!model) fail_msg("no model:\n%s", text);
    model->scratch = &m->arena;
    m->model = model = hbg_model_sorted(&m->arena, model);
    const hbg_experiment *first = model->experiments.items;
    hbg_eqn_options options = {0, first->records.items, first->records.count, false, false};
    m->code = hbg_code_new(&m->arena, model, &options);
    if (!m->code) fail_msg("not compiled:\n%s", text);
    if (strlen(text) % 2) hbg_code_take_apart(m->code, 0); // every other one in pieces, however small
    m->eqn = hbg_code_equations(m->code);
    m->system = hbg_code_system(m->code);
    m->run = hbg_code_run(m->code);
    assert_non_null(m->run);
}

static inline void model_close(hybrid_model *m) {
    hbg_rt_free(m->run);
    hbg_code_free(m->code);
    hbg_lang_units_free(m->lang.units);
    hbg_base_arena_fini(&m->scratch);
    hbg_base_arena_fini(&m->arena);
    assert_int_equal(m->memory.used, 0);
}

/* ---- a run -------------------------------------------------------------------------------------------- */

static inline void take_event(const hybrid_model *m, const hybrid *h, const hbg_sim_event *event,
                              logged_event *log) {
    int states = net_state_count(&h->n);
    log->t = event->t;
    log->count = event->visit_count;
    log->lost = event->lost;
    log->verdict = event->verdict;
    snprintf(log->words, sizeof log->words, "%s", event->words);
    for (int i = 0; i < event->visit_count; i++) {
        const hbg_sim_visit *from = &event->visits[i];
        logged_visit *to = &log->visits[i];
        to->kind = from->kind;
        to->lost = from->lost;
        for (int k = 0; k < h->automaton_count; k++) to->states[k] = from->states[m->places.automaton[k]];
        for (int k = 0; k < states; k++) {
            to->x[k] = from->x[m->places.state[k]];
            to->x_plus[k] = from->x_plus[m->places.state[k]];
        }
        for (int k = 0; k < h->n.bond_count; k++) {
            to->effort[k] = from->effort[m->places.bond[k]];
            to->flow[k] = from->flow[m->places.bond[k]];
        }
    }
}

/* Runs the graph; options say how, and who listens. */
static inline void model_run(hybrid_model *m, const hybrid *h, hbg_sim_options options) {
    hbg_sim_action actions[HYBRID_ACTIONS];
    for (int i = 0; i < h->action_count; i++)
        actions[i] =
            (hbg_sim_action){h->actions[i].time, m->places.input[h->actions[i].input], h->actions[i].value};
    options.actions = actions;
    options.action_count = h->action_count;
    options.stop = h->stop;
    m->status = hbg_sim_run(&m->arena, m->system, m->run, &options, &m->result);
}

static inline const char *write_hybrid(const hybrid *h, test_random *shuffle) {
    static char memory[HYBRID_TEXT];
    graph_text text = {memory, 0, sizeof memory};
    text_hybrid(&text, h, shuffle);
    return memory;
}

#endif
