/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strong components by Tarjan's algorithm, with an explicit stack, so only memory limits the depth, not the C
 * stack. */
#include "graph/graph.h"

typedef struct {
    const int32_t *start, *heads;
    int32_t *component;
    int32_t *number; /* order of discovery from 1; 0: not visited yet */
    int32_t *low;    /* lowest number known to be reachable */
    int32_t *next;   /* next arc to follow */
    int32_t *path;   /* nodes from the root to the present one */
    int32_t *open;   /* visited nodes without a component yet */
    int32_t path_count, open_count, met, components;
} tarjan;

static void enter(tarjan *t, int32_t node) {
    t->number[node] = t->low[node] = ++t->met;
    t->next[node] = t->start[node];
    t->path[t->path_count++] = node;
    t->open[t->open_count++] = node;
}

static void leave(tarjan *t, int32_t node) {
    t->path_count--;
    if (t->path_count > 0) {
        int32_t parent = t->path[t->path_count - 1];
        if (t->low[node] < t->low[parent]) t->low[parent] = t->low[node];
    }
    if (t->low[node] != t->number[node]) return;
    int32_t member;
    do {
        member = t->open[--t->open_count];
        t->component[member] = t->components;
    } while (member != node);
    t->components++;
}

static void search(tarjan *t, int32_t root) {
    enter(t, root);
    while (t->path_count > 0) {
        int32_t node = t->path[t->path_count - 1];
        if (t->next[node] == t->start[node + 1]) {
            leave(t, node);
            continue;
        }
        int32_t head = t->heads[t->next[node]++];
        if (t->number[head] == 0)
            enter(t, head);
        else if (t->component[head] < 0 && t->number[head] < t->low[node])
            t->low[node] = t->number[head];
    }
}

int32_t hbg_graph_strong_components(hbg_arena *arena, int32_t count, const int32_t *start,
                                    const int32_t *heads, int32_t *component) {
    tarjan t = {.start = start, .heads = heads, .component = component};
    t.number = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    t.low = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    t.next = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    t.path = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    t.open = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) component[i] = -1;
    for (int32_t i = 0; i < count; i++)
        if (t.number[i] == 0) search(&t, i);
    return t.components;
}
