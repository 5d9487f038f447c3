/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Graph algorithms on index arrays. A graph of n nodes is given by `start` (n+1 entries) and `heads`: the
 * arcs of node i lead to heads[start[i]] … heads[start[i+1]-1]. The meaning of a node is up to the caller.
 * */
#ifndef HBG_GRAPH_H
#define HBG_GRAPH_H

#include "base/base.h"

/* Strong components (Tarjan): numbers them in `component` so that arcs between components lead from higher
 * numbers to lower ones, and returns their number. */
int32_t hbg_graph_strong_components(hbg_arena *arena, int32_t count, const int32_t *start,
                                    const int32_t *heads, int32_t *component);

#endif
