/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the engine says of one mode of a switched network: energies after the jump, areas, finite values of every bond. The door of rt is
 * all that is used. */
#ifndef HBG_TESTS_EQN_LIMIT_ENGINE_IMPL_H
#define HBG_TESTS_EQN_LIMIT_ENGINE_IMPL_H

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

#include "code/code.h"
#include "lang/front_end_impl.h"
#include "limit_net_impl.h"

typedef struct {
    FRONT_END
    hbg_code *code;
    const hbg_rt_description *system;
    hbg_rt_instance *run;
    double *x, *y;
} limit_engine;

/* The answer for the start mode; not known where the engine refuses it, with its reason. */
typedef struct {
    bool known;
    hbg_rt_status status;
    double x_plus[LIMIT_NODES]; /* by node */
    double area[LIMIT_WIDTH], fin[LIMIT_WIDTH];
    char words[600];
} limit_answer;

/* A ring of gyrators that determines a storage which strokes make dependent: well posed, but refused. */
static inline bool is_known_gap(const char *words) {
    return strstr(words, "third derivative");
}

/* False: the model is refused. */
static inline bool limit_engine_open(limit_engine *m, const char *text, limit_answer *answer) {
    memset(m, 0, sizeof *m);
    front_end_open(m);
    assert_non_null(m->lang.units);
    hbg_model *model = hbg_lang_read_text(&m->lang, "test.hbg", text, strlen(text), NULL);
    if (!model) {
        answer->status = HBG_RT_NO_CAUSALITY;
        snprintf(answer->words, sizeof answer->words, "%s", m->diagnostics.items.items[0].text);
        return false;
    }
    model->scratch = &m->arena;
    model = hbg_model_sorted(&m->arena, model);
    const hbg_experiment *first = model->experiments.items;
    hbg_eqn_options options = {0, first->records.items, first->records.count, false, false};
    m->code = hbg_code_new(&m->arena, model, &options);
    if (!m->code) fail_msg("not compiled:\n%s", text);
    if (strlen(text) % 2) hbg_code_take_apart(m->code, 0); // every other one in pieces, however small
    m->system = hbg_code_system(m->code);
    m->run = hbg_code_run(m->code);
    assert_non_null(m->run);
    m->x = HBG_NEW_ARRAY(&m->arena, double, m->system->state_count + 1);
    m->y = HBG_NEW_ARRAY(&m->arena, double, m->system->output_count + 1);
    return true;
}

static inline void limit_engine_close(limit_engine *m) {
    if (m->run) hbg_rt_free(m->run);
    hbg_code_free(m->code);
    hbg_lang_units_free(m->lang.units);
    hbg_base_arena_fini(&m->scratch);
    hbg_base_arena_fini(&m->arena);
    assert_int_equal(m->memory.used, 0);
}

static inline int limit_find(const hbg_rt_variable *variables, int32_t count, const char *name) {
    for (int32_t i = 0; i < count; i++)
        if (strcmp(variables[i].name, name) == 0) return i;
    fail_msg("the system has no %s", name);
    return -1;
}

/* Goes to the start mode with the declared energies. */
static inline hbg_rt_status limit_engine_enter(limit_engine *m, const limit_net *n, limit_answer *answer) {
    const hbg_rt_description *system = m->system;
    double *before = HBG_NEW_ARRAY(&m->arena, double, system->state_count + 1);
    bool a_priori;
    char name[16];
    hbg_rt_status status = hbg_rt_declare(m->run, before);
    if (status == HBG_RT_OK) status = hbg_rt_enter(m->run, NULL);
    if (status == HBG_RT_OK) status = hbg_rt_open(m->run, 0, before, true, NULL, 0);
    if (status != HBG_RT_OK) return status;
    hbg_rt_open_search(m->run);
    status = hbg_rt_consider(m->run, system->start_states, 0, before, m->x, &a_priori);
    for (int i = 0; i < n->bond_count && status == HBG_RT_OK; i++) {
        snprintf(name, sizeof name, "b%d", i);
        hbg_rt_pulse(m->run, limit_find(system->bonds, system->bond_count, name), &answer->area[2 * i],
                     &answer->area[2 * i + 1]);
    }
    if (status == HBG_RT_OK) status = hbg_rt_commit(m->run, system->start_states, 0, m->x);
    if (status == HBG_RT_OK) status = hbg_rt_flow(m->run, system->start_states, 0, m->x);
    return status == HBG_RT_OK ? hbg_rt_outputs(m->run, 0, m->x, m->y) : status;
}

static inline void limit_engine_ask(const limit_net *n, const char *text, limit_answer *answer) {
    static limit_engine m;
    char name[16];
    memset(answer, 0, sizeof *answer);
    if (limit_engine_open(&m, text, answer)) {
        answer->status = limit_engine_enter(&m, n, answer);
        answer->known = answer->status == HBG_RT_OK;
        if (!answer->known) snprintf(answer->words, sizeof answer->words, "%s", hbg_rt_failed(m.run)->text);
        for (int i = 0; i < n->node_count && answer->known; i++) {
            if (!limit_is_storage(&n->nodes[i])) continue;
            snprintf(name, sizeof name, "n%d.%c", i, n->nodes[i].kind == LIMIT_C ? 'q' : 'p');
            answer->x_plus[i] = m.x[limit_find(m.system->states, m.system->state_count, name)];
        }
        for (int k = 0; k < 2 * n->bond_count && answer->known; k++) {
            snprintf(name, sizeof name, "b%d.%c", k / 2, k % 2 ? 'f' : 'e');
            answer->fin[k] = m.y[limit_find(m.system->outputs, m.system->output_count, name)];
        }
    }
    limit_engine_close(&m);
}

/* Whether the engine takes the ideal junction as a limit at all: it knows how two closed switches share a current. */
static inline bool limit_engine_shares(void) {
    limit_net n = {0};
    limit_answer answer;
    char memory[2000];
    graph_text text = {memory, 0, sizeof memory};
    int a = limit_add(&n, (limit_node){.kind = LIMIT_ZERO}),
        b = limit_add(&n, (limit_node){.kind = LIMIT_ZERO});
    for (int i = 0; i < 2; i++) {
        int contact = limit_add(&n, (limit_node){.kind = LIMIT_ONE, .controlled = true});
        limit_join(&n, a, contact);
        limit_join(&n, contact, b);
    }
    limit_join(&n, limit_add(&n, (limit_node){.kind = LIMIT_SE, .u = {{6, 1}}}), a);
    limit_join(&n, b, limit_add(&n, (limit_node){.kind = LIMIT_R}));
    text_limit_net(&text, &n, NULL);
    limit_engine_ask(&n, memory, &answer);
    return answer.known && fabs(answer.fin[1] - 3) < 1e-9;
}

#endif
