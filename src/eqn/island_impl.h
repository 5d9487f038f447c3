/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declarations shared by the files about islands: the map of variables that may be read at an instant. */
#ifndef HBG_EQN_ISLAND_IMPL_H
#define HBG_EQN_ISLAND_IMPL_H

#include "eqn/eqn_impl.h"

typedef struct {
    hbg_eqn *eqn;
    hbg_arena *arena;
    equations all;          /* of the field, in any mode */
    bool *pulses;           /* by variable of the value layer: in some mode */
    int32_t *number;        /* by variable of all layers: its node plus 1 */
    int32_map nodes;        /* variables met */
    int32_map start, heads; /* by node: nodes that it may read at an instant */
    bool *lively;           /* by node */
    int32_t *parent;        /* by node: for joining */
    int32_t *island_of;     /* by node that represents its group: island, or HBG_NONE */
    int32_map reads;
    const int32_t *contested; /* by place: equal numbers for automata that belong together; or NULL */
    bool whole;               /* all lively nodes belong together */
    void (*noted)(void *context, int32_t a, int32_t b); /* called for every join, or NULL */
    void *noting;
} island_map;

/* island_map.c: draws the graph of variables that may be read at an instant, and marks the lively ones; joins
 * lively ones that read one another, or a place that an automaton switches */
void hbg_eqn_island_draw_map(island_map *map, const hbg_causal_assignment *assignment);
void hbg_eqn_island_join_all(island_map *map);
int32_t hbg_eqn_island_find(island_map *map, int32_t node); /* the node that represents its group */
bool hbg_eqn_island_can_pulse(const island_map *map, int32_t variable);
bool hbg_eqn_island_state_jumps(island_map *map, int32_t state);
/* Adds variables read to map->reads: by a term; by a term that is evaluated with its pulses; for a
 * rebound. */
void hbg_eqn_island_read_term(island_map *map, hbg_term term);
void hbg_eqn_island_look_at_term(island_map *map, hbg_term term);
void hbg_eqn_island_read_bounce(island_map *map, int32_t junction);
/* island.c: makes islands of joined nodes, with their contents */
void hbg_eqn_island_make_room(hbg_eqn *eqn);
void hbg_eqn_island_fill_all(island_map *map);

#endif
