/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Single modes: judged by src/causal, the part of the graph around a place, and what a harmless mode rules out
 * for the rest of the search. */
#include "verify/verify_impl.h"

bool hbg_verify_judge(hbg_verify_modes *modes) {
    modes->budget.judged++;
    hbg_causal_mode(modes->arena, modes->structure, modes->states, modes->on);
    modes->is_regular = hbg_causal_assign(modes->assignment, modes->on);
    return modes->is_regular || (modes->eqn && hbg_eqn_exact_is_valid(modes->eqn, modes->states));
}

/* ---- parts -----------------------------------------------------------------------------------------------
 */

static int32_t collect(hbg_verify_modes *modes, int32_t place, int32_t count) {
    if (modes->seen[place]) return count;
    modes->seen[place] = true;
    modes->queue[count] = place;
    return count + 1;
}

int32_t hbg_verify_part(hbg_verify_modes *modes, int32_t count, bool changing) {
    const hbg_causal_structure *structure = modes->structure;
    for (int32_t i = 0; i < count; i++) modes->seen[modes->queue[i]] = true;
    for (int32_t head = 0; head < count; head++) {
        int32_t place = modes->queue[head];
        if (!modes->on[place]) continue;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i], there = verify_place(structure, slot ^ 1);
            if (there == HBG_NONE || !modes->on[there]) continue;
            if (changing && verify_is_certain(modes, slot >> 1)) continue;
            count = collect(modes, there, count);
        }
    }
    return count;
}

void hbg_verify_part_end(hbg_verify_modes *modes, int32_t count) {
    for (int32_t i = 0; i < count; i++) modes->seen[modes->queue[i]] = false;
}

/* The clause under construction allows modes in which this place is switched otherwise. */
static void allow_switched(hbg_verify_modes *modes, int32_t place) {
    if (!modes->structure->controlled[place]) return;
    int32_t on = hbg_verify_on(modes, place);
    HBG_PUSH(modes->arena, modes->ways, modes->on[place] ? -on : on);
}

void hbg_verify_exclude_part(hbg_verify_modes *modes, const int32_t *places, int32_t count) {
    const hbg_causal_structure *structure = modes->structure;
    memcpy(modes->queue, places, (size_t)count * sizeof *places);
    int32_t all = hbg_verify_part(modes, count, false);
    modes->ways.count = 0;
    for (int32_t k = 0; k < all; k++) {
        int32_t place = modes->queue[k];
        allow_switched(modes, place);
        if (!modes->on[place]) continue;
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t there = verify_place(structure, structure->place_links[i] ^ 1);
            if (there != HBG_NONE && !modes->on[there]) allow_switched(modes, there);
        }
    }
    hbg_verify_part_end(modes, all);
    hbg_verify_clause(&modes->clauses, modes->ways.items, modes->ways.count);
}

/* ---- witnesses -------------------------------------------------------------------------------------------
 */

#define SIMPLIFY_WORK 20000000 /* places examined, roughly: beyond that a witness is reported as found */

void hbg_verify_simplify(hbg_verify_modes *modes, bool (*still)(hbg_verify_modes *modes, void *context),
                         void *context) {
    int64_t work = 0;
    for (int32_t i = 0; i < modes->structure->model->automata.count; i++) {
        int32_t state = modes->states[i];
        if (state == modes->always.start[i]) continue;
        work += modes->structure->link_count + modes->structure->model->exprs.count;
        if (work > SIMPLIFY_WORK) return;
        modes->states[i] = modes->always.start[i];
        if (!still(modes, context)) modes->states[i] = state;
    }
}
