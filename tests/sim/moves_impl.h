/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The times at which the first automaton of a model moved in a run, from its events. */
#ifndef HBG_TESTS_MOVES_IMPL_H
#define HBG_TESTS_MOVES_IMPL_H

#include "sim/sim.h"

enum { MOST_MOVES = 256 };

typedef struct {
    double times[MOST_MOVES];
    int count;
} moves;

static inline void take_moves(void *context, const hbg_sim_event *event) {
    moves *of = context;
    for (int32_t i = 0; i < event->visit_count && of->count < MOST_MOVES; i++)
        if (event->visits[i].before[0] != event->visits[i].states[0]) of->times[of->count++] = event->t;
}

#endif
