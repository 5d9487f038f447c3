/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Walks through modes of random graphs: each graph is assigned in one mode and then follows its automata, any
 * number of which move at once. */
#ifndef HBG_TESTS_CAUSAL_WALK_IMPL_H
#define HBG_TESTS_CAUSAL_WALK_IMPL_H

#include "fixture_impl.h"

typedef struct {
    int graphs, steps; /* steps: modes of each graph */
    uint64_t seed;
    int moving;        /* per cent of the automata that move at each step */
    bool integral;     /* refuse derivative causality */
    graph_shape least; /* numbers of things lie between these; per cents are those of `most` */
    graph_shape most;
} walk_plan;

/* Shares that make about half of the modes of a small graph interesting. */
#define WALK_SMALL                                                                                           \
    .sources = 25, .resistors = 25, .controlled = 45, .transformers = 10, .chained = 8, .shared = 30,        \
    .extra_links = 2, .junctions = 6, .elements = 6, .bare = 1

typedef struct {
    fixture *f;
    hbg_causal_assignment *assignment;
    const char *text;
    uint64_t seed; /* of the graph */
    int step;
    void *user;
} walk_visit;

static inline int walk_between(test_random *random, int least, int most) {
    return most > least ? least + random_below(random, most - least + 1) : least;
}

static inline graph_shape walk_shape(test_random *random, const walk_plan *plan) {
    graph_shape shape = plan->most;
    int least = plan->least.junctions > 0 ? plan->least.junctions : 1;
    shape.junctions = walk_between(random, least, plan->most.junctions);
    shape.extra_links = walk_between(random, plan->least.extra_links, plan->most.extra_links);
    shape.elements = walk_between(random, plan->least.elements, plan->most.elements);
    shape.bare = plan->most.bare > 0 && random_chance(random, 5) ? plan->most.bare : 0;
    return shape;
}

/* Makes the text of the plan's graph of that number. */
static inline const char *walk_text(const walk_plan *plan, int index, graph *g, test_random *random) {
    static char memory[1 << 20];
    graph_text text = {memory, 0, sizeof memory};
    random->state = plan->seed * 1000003 + (uint64_t)index * 7919;
    graph_shape shape = walk_shape(random, plan);
    random_graph(g, random, &shape);
    text_model(&text, g, NULL);
    return memory;
}

static inline void walk_modes(fixture *f, const walk_plan *plan, test_random *random, walk_visit *visit,
                              void (*look)(const walk_visit *visit)) {
    fixture_move(f, random, 100);
    visit->f = f;
    visit->assignment = fixture_assign(f);
    for (visit->step = 0; visit->step < plan->steps; visit->step++) {
        if (visit->step > 0) {
            fixture_move(f, random, plan->moving);
            fixture_switch(f, visit->assignment);
        }
        look(visit);
    }
}

/* Calls `look` in every mode visited. */
static inline void walk_graphs(const walk_plan *plan, void (*look)(const walk_visit *visit), void *user) {
    static graph g;
    for (int i = 0; i < plan->graphs; i++) {
        test_random random;
        fixture f;
        walk_visit visit = {.user = user, .text = walk_text(plan, i, &g, &random)};
        visit.seed = random.state;
        fixture_open(&f, visit.text, plan->integral);
        walk_modes(&f, plan, &random, &visit, look);
        fixture_close(&f);
    }
}

/* Says what a failure was found with. */
static inline void walk_fail(const walk_visit *visit, const char *what) {
    fixture_print(visit->f, visit->text);
    print_message("step %d: %s\n", visit->step, what);
    fail();
}

#define WALK_ASSERT(visit, condition)                                                                        \
    do {                                                                                                     \
        if (!(condition)) walk_fail((visit), #condition);                                                    \
    } while (0)

/* Links close a ring somewhere: its equations may make more storages dependent than strokes do (rings_test.c). */
static inline bool walk_closes_ring(const hbg_causal_structure *structure) {
    for (int32_t place = 0; place < structure->place_count; place++)
        if (structure->place_in_ring[place]) return true;
    return false;
}

/* Whether elements gave way to the equations of rings: there are more dependent storages then than strokes alone ask for. */
static inline bool walk_gave_way(const hbg_causal_assignment *assignment) {
    return assignment->rings.has_turned;
}

/* Whether the assignment makes use of a harmless case: a floating part or a zero that is repeated. */
static inline bool walk_is_excused(const hbg_causal_assignment *assignment) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t place = 0; place < structure->place_count; place++)
        if (hbg_causal_is_floating(assignment, place)) return true;
    for (int32_t link = 0; link < structure->link_count; link++)
        if (assignment->waived[link]) return true;
    return false;
}

/* A ring of places, each joined to the next by a link that hands the variable of one on to the other: it forces
 * a zero of its own, which is a matter of moduli and not of structure. */
static inline bool walk_has_ring(const hbg_causal_structure *structure) {
    int32_t leader[GRAPH_JUNCTIONS];
    for (int32_t i = 0; i < structure->place_count; i++) leader[i] = i;
    for (int32_t link = 0; link < structure->link_count; link++) {
        const hbg_causal_end *end = structure->links[link].end;
        int32_t a = end[0].place, b = end[1].place;
        if (a == HBG_NONE || b == HBG_NONE || causal_partner(structure, 2 * link, 1) == 1) continue;
        while (leader[a] != a) a = leader[a];
        while (leader[b] != b) b = leader[b];
        if (a == b) return true;
        leader[a] = b;
    }
    return false;
}

#endif
