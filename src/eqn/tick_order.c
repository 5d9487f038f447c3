/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The order in which samples and sensors take their values if several tick at one instant: one that reads
 * another, also through signals, comes after it and reads its new value. It does so in a separate variable
 * next to the held one: the values that drive the bond graph change all at once, when all are sampled. The
 * model has no circles of such readings except through pre(…), which reads values before the instant. */
#include "eqn/eqn_impl.h"

/* Replaces a held value that a clock reads by its new value. */
static hbg_term as_taken(void *context, int32_t variable) {
    hbg_eqn *eqn = context;
    if (variable >= eqn->base_count || hbg_eqn_kind_of(eqn, variable) != VARIABLE_SIGNAL) return HBG_NONE;
    int32_t signal = variable - eqn->first[VARIABLE_SIGNAL];
    bool held = eqn->model->signals.items[signal].every != HBG_NONE;
    return held ? hbg_eqn_var(eqn, VARIABLE_TICK, signal) : HBG_NONE;
}

/* Writes out only terms that read a new value: others stay the terms that equations share. */
static void read_taken(hbg_eqn *eqn, int32_t clock) {
    hbg_term whole = hbg_eqn_written_out(eqn, eqn->ticks.terms[clock]);
    hbg_term now = hbg_term_substitute(&eqn->terms, &eqn->scratch, whole, as_taken, eqn);
    if (now != whole) eqn->ticks.terms[clock] = now;
}

/* Puts a clock after all it reads; returns true if it moved. */
static bool put_behind(hbg_eqn *eqn, const int32_t *clock_of, int32_t clock) {
    int32_t before = eqn->ticks.level[clock];
    hbg_term_walk(&eqn->terms, eqn->ticks.terms[clock]);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE || node->a >= eqn->base_count) continue;
        if (hbg_eqn_kind_of(eqn, node->a) != VARIABLE_TICK) continue;
        int32_t read = clock_of[node->a - eqn->first[VARIABLE_TICK]];
        if (eqn->ticks.level[clock] <= eqn->ticks.level[read])
            eqn->ticks.level[clock] = eqn->ticks.level[read] + 1;
    }
    return eqn->ticks.level[clock] > before;
}

void hbg_eqn_order_ticks(hbg_eqn *eqn) {
    int32_t count = eqn->outline.clock_count;
    int32_t *clock_of = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->model->signals.count + 1);
    eqn->ticks.level = HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1);
    eqn->ticks.levels = 1;
    for (int32_t i = 0; i < count; i++) {
        if (eqn->ticks.signal[i] < 0) continue; // automata move when all values are sampled
        clock_of[eqn->ticks.signal[i]] = i;
        read_taken(eqn, i);
    }
    bool moved = count > 0;
    for (int32_t round = 0; moved && round < count; round++) { // no chain is longer
        moved = false;
        for (int32_t i = 0; i < count; i++) moved = put_behind(eqn, clock_of, i) || moved;
    }
    for (int32_t i = 0; i < count; i++)
        if (eqn->ticks.level[i] >= eqn->ticks.levels) eqn->ticks.levels = eqn->ticks.level[i] + 1;
}
