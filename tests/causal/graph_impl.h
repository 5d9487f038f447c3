/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random hybrid bond graphs for the tests of causality, as a list of parts that can be written in any order,
 * under any names, with the bonds of one-ports turned round and with transformers put into bonds: the same
 * graph each time. */
#ifndef HBG_TESTS_CAUSAL_GRAPH_IMPL_H
#define HBG_TESTS_CAUSAL_GRAPH_IMPL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* ---- random numbers ----------------------------------------------------------------------------------- */

typedef struct {
    uint64_t state;
} test_random;

static inline uint32_t random_next(test_random *random) { /* splitmix64 */
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static inline int random_below(test_random *random, int limit) {
    return (int)(random_next(random) % (uint32_t)limit);
}

static inline bool random_chance(test_random *random, int percent) {
    return random_below(random, 100) < percent;
}

/* ---- graphs ------------------------------------------------------------------------------------------- */

typedef struct {
    int junctions;     /* at least 1 */
    int extra_links;   /* beyond a tree */
    int elements;      /* one-ports */
    int sources;       /* per cent of them */
    int resistors;     /* per cent of them; the rest are storages */
    int controlled;    /* per cent of the junctions */
    int transformers;  /* per cent of the links between junctions */
    int gyrators;      /* per cent of the rest */
    int chained;       /* per cent of the one-ports that hang behind a transformer or gyrator */
    int shared;        /* per cent of the controlled junctions that share an automaton with another */
    int dual;          /* per cent of the controlled junctions */
    int bare;          /* pairs of one-ports joined without a junction */
    int varying;       /* per cent of the transformers and gyrators whose modulus varies */
    bool loops_scaled; /* links beyond the tree hold a transformer or a gyrator */
} graph_shape;

#define GRAPH_JUNCTIONS 400
#define GRAPH_LINKS     800
#define GRAPH_ELEMENTS  800

typedef struct {
    int kind;      /* 0 or 1 */
    int automaton; /* -1: not controlled */
    bool inverted, dual;
} graph_junction;

typedef struct {
    int from, to; /* junctions; an element's `to` is its junction, -1 for one of a bare pair */
    char through; /* 'T', 'G', or 0 for a plain bond */
    bool varying; /* its modulus is no constant */
} graph_link;

typedef struct {
    const char *kind;
    graph_link link;
    bool towards; /* the bond points at the junction */
} graph_element;

typedef struct {
    int junction_count, link_count, element_count;
    graph_junction junctions[GRAPH_JUNCTIONS];
    graph_link links[GRAPH_LINKS];
    graph_element elements[GRAPH_ELEMENTS]; /* bare ones in pairs */
} graph;

static inline char random_through(test_random *random, const graph_shape *shape) {
    if (random_chance(random, shape->transformers)) return 'T';
    return random_chance(random, shape->gyrators) ? 'G' : 0;
}

static inline graph_junction random_junction(test_random *random, const graph_shape *shape, int index) {
    graph_junction junction = {.kind = random_below(random, 2), .automaton = -1};
    if (!random_chance(random, shape->controlled)) return junction;
    junction.automaton =
        random_chance(random, shape->shared) && index > 0 ? random_below(random, index) : index;
    junction.inverted = random_chance(random, 10);
    junction.dual = random_chance(random, shape->dual);
    return junction;
}

static inline graph_element random_element(test_random *random, const graph_shape *shape, int junctions) {
    int draw = random_below(random, 100), which = random_below(random, 2);
    graph_element element = {.kind = which ? "C" : "I"};
    if (draw < shape->sources)
        element.kind = which ? "Se" : "Sf";
    else if (draw < shape->sources + shape->resistors)
        element.kind = "R";
    element.link = (graph_link){.from = -1, .to = junctions > 0 ? random_below(random, junctions) : -1};
    if (random_chance(random, shape->chained)) element.link.through = random_chance(random, 50) ? 'T' : 'G';
    element.towards = element.kind[0] == 'S' || random_chance(random, 20);
    return element;
}

/* A tree of junctions with some links added, and one-ports hung on at random. */
static inline void random_graph(graph *g, test_random *random, const graph_shape *shape) {
    g->junction_count = shape->junctions;
    g->link_count = g->element_count = 0;
    for (int i = 0; i < shape->junctions; i++) g->junctions[i] = random_junction(random, shape, i);
    for (int i = 1; i < shape->junctions; i++)
        g->links[g->link_count++] =
            (graph_link){random_below(random, i), i, random_through(random, shape), false};
    for (int i = 0; i < shape->extra_links; i++) {
        graph_link link = {random_below(random, shape->junctions), random_below(random, shape->junctions),
                           random_through(random, shape), false};
        if (!link.through && (shape->loops_scaled || link.from == link.to))
            link.through = random_chance(random, 50) ? 'T' : 'G';
        g->links[g->link_count++] = link;
    }
    for (int i = 0; i < shape->elements; i++)
        g->elements[g->element_count++] = random_element(random, shape, shape->junctions);
    for (int i = 0; i < 2 * shape->bare; i++) {
        g->elements[g->element_count++] = random_element(random, shape, 0);
    }
    for (int i = 0; shape->varying > 0 && i < g->link_count; i++)
        g->links[i].varying = random_chance(random, shape->varying);
    for (int i = 0; shape->varying > 0 && i < g->element_count; i++)
        g->elements[i].link.varying = random_chance(random, shape->varying);
}

/* ---- text --------------------------------------------------------------------------------------------- */

typedef struct {
    char *text;
    size_t size, capacity;
} graph_text;

/* How a graph is written. All zero: in order, as it stands. */
typedef struct {
    test_random *shuffle; /* NULL: declarations in order */
    test_random *turn;    /* NULL: bonds of one-ports point as drawn; else some are turned round */
    test_random *insert;  /* NULL: no transformers of ratio 1 put into bonds */
    bool rename;          /* other names, that sort otherwise */
} graph_writing;

__attribute__((format(printf, 2, 3))) static inline void text_add(graph_text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(out->text + out->size, out->capacity - out->size, format, arguments);
    va_end(arguments);
    HBG_ASSERT(written >= 0 && out->size + (size_t)written < out->capacity);
    out->size += (size_t)written;
}

/* The name of an object: 'a' automata, 'j' junctions, 'e' one-ports, 't' transformers, 'x' those put in. */
static inline const char *graph_name(char name[32], const graph_writing *writing, char letter, int index) {
    if (writing && writing->rename)
        snprintf(name, 32, "z%d_%c", 7919 - index, letter == 'e' ? 'b' : letter == 'j' ? 'y' : letter);
    else
        snprintf(name, 32, "%c%d", letter, index);
    return name;
}

/* A bond from one named thing to another, perhaps through a transformer of ratio 1. */
static inline void text_bond(graph_text *out, const graph_writing *writing, const char *from,
                             const char *to) {
    char name[32];
    if (writing && writing->insert && random_chance(writing->insert, 40)) {
        graph_name(name, writing, 'x', (int)out->size); // no two begin at one byte
        text_add(out, "TF %s(1); %s -> %s -> %s;\n", name, from, name, to);
    } else {
        text_add(out, "%s -> %s;\n", from, to);
    }
}

static inline void text_junction(graph_text *out, const graph *g, const graph_writing *writing, int index) {
    const graph_junction *junction = &g->junctions[index];
    char name[32];
    text_add(out, "%d %s", junction->kind, graph_name(name, writing, 'j', index));
    if (junction->automaton >= 0)
        text_add(out, " when %s%s", junction->inverted ? "!" : "",
                 graph_name(name, writing, 'a', junction->automaton));
    if (junction->automaton >= 0 && junction->dual)
        text_add(out, " off %s", junction->kind == 0 ? "flow" : "effort");
    text_add(out, ";\n");
}

/* The bonds of a link: one, or two with a transformer or gyrator between. */
static inline void text_through(graph_text *out, const graph_writing *writing, const char *from,
                                const char *to, const graph_link *link, int index) {
    char name[32];
    if (!link->through) {
        text_bond(out, writing, from, to);
        return;
    }
    graph_name(name, writing, 't', index);
    text_add(out, "%s %s(%s);\n", link->through == 'T' ? "TF" : "GY", name,
             link->varying ? "sin(time)" : "2");
    text_bond(out, writing, from, name);
    text_bond(out, writing, name, to);
}

static inline void text_link(graph_text *out, const graph *g, const graph_writing *writing, int index) {
    const graph_link *link = &g->links[index];
    char from[32], to[32];
    graph_name(from, writing, 'j', link->from);
    graph_name(to, writing, 'j', link->to);
    text_through(out, writing, from, to, link, index);
}

static inline void text_element(graph_text *out, const graph *g, const graph_writing *writing, int index) {
    const graph_element *element = &g->elements[index];
    char name[32], other[32];
    bool bare = element->link.to < 0;
    text_add(out, "%s %s(1);\n", element->kind, graph_name(name, writing, 'e', index));
    int first_bare = 0;
    while (first_bare < g->element_count && g->elements[first_bare].link.to >= 0) first_bare++;
    if (bare && (index - first_bare) % 2 == 1) return; // the first of the pair has the bond
    graph_name(other, writing, bare ? 'e' : 'j', bare ? index + 1 : element->link.to);
    bool towards = element->towards;
    if (writing && writing->turn && !element->link.through && random_chance(writing->turn, 50))
        towards = !towards;
    int through = g->link_count + index; // numbered behind those of the links
    text_through(out, writing, towards ? name : other, towards ? other : name, &element->link, through);
}

static inline void text_automaton(graph_text *out, const graph_writing *writing, int index) {
    char name[32];
    text_add(out, "automaton %s { on n -> f when false; off f -> n when false; }\n",
             graph_name(name, writing, 'a', index));
}

static inline void text_model(graph_text *out, const graph *g, const graph_writing *writing) {
    static int order[2 * GRAPH_JUNCTIONS + GRAPH_LINKS + GRAPH_ELEMENTS];
    int n = g->junction_count, count = 2 * n + g->link_count + g->element_count;
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; writing && writing->shuffle && i > 0; i--) {
        int k = random_below(writing->shuffle, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    out->size = 0;
    text_add(out, "model M {\n");
    for (int i = 0; i < count; i++) {
        int part = order[i];
        if (part < n)
            text_automaton(out, writing, part);
        else if (part < 2 * n)
            text_junction(out, g, writing, part - n);
        else if (part < 2 * n + g->link_count)
            text_link(out, g, writing, part - 2 * n);
        else
            text_element(out, g, writing, part - 2 * n - g->link_count);
    }
    text_add(out, "}\n");
}

#endif
