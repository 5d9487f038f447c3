/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random models, the same in every run: they load without an error; the order of statements says nothing;
 * renaming is only renaming; formatting keeps the meaning; and parts wrapped into components, one inside the
 * other, leave the same flat bond graph. Models are compared by their dumps, lines sorted. 500 models, or
 * 10000 in `make soak`. */
#define _GNU_SOURCE /* vasprintf */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hbg/hbg.h"

#define NODES    14 /* junctions */
#define EDGES    24
#define ELEMENTS 40
#define PARAMS   5
#define LINES    300 /* statements of one body */
#define LEVELS   3   /* the model, a component in it, a component in that */

/* ---- random numbers ----------------------------------------------------------------------------------- */

static uint64_t random_state;

static int below(int bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)((random_state >> 20) % (uint64_t)bound);
}

/* ---- graphs ------------------------------------------------------------------------------------------- */

typedef struct {
    int from, to;  /* junctions */
    char two_port; /* 'T' or 'G': a transformer or gyrator lies between; 'F': a field with a port at each */
    bool named;
} edge;

typedef struct {
    int junction, kind, value;
    bool reversed;
} element;

typedef struct {
    int node_count, edge_count, element_count;
    struct {
        bool one, controlled, inverted, dual;
        int level; /* which body it stands in when wrapped */
    } nodes[NODES];
    edge edges[EDGES];
    element elements[ELEMENTS];
} graph;

static bool are_joined(const graph *g, int a, int b) {
    for (int i = 0; i < g->edge_count; i++) {
        const edge *e = &g->edges[i];
        if ((e->from == a && e->to == b) || (e->from == b && e->to == a)) return true;
    }
    return a == b;
}

static void join(graph *g, int a, int b) {
    static const char kinds[] = {0, 0, 0, 0, 'T', 'G', 'F'};
    bool forward = below(2);
    g->edges[g->edge_count++] = (edge){forward ? a : b, forward ? b : a, kinds[below(7)], below(5) == 0};
}

/* A tree of junctions with a few more edges. A branch is one level deeper, and a branch of it another. */
static graph random_graph(void) {
    graph g = {.node_count = 2 + below(NODES - 2)};
    int deeper[LEVELS] = {0, 1 + below(g.node_count), 1 + below(g.node_count)};
    for (int i = 0; i < g.node_count; i++) {
        int parent = i == 0 ? 0 : below(i);
        g.nodes[i].one = below(2);
        g.nodes[i].controlled = below(3) == 0;
        g.nodes[i].inverted = below(2);
        g.nodes[i].dual = below(4) == 0;
        g.nodes[i].level = i == 0 ? 0 : g.nodes[parent].level;
        int next = g.nodes[i].level + 1;
        if (next < LEVELS && i >= deeper[next] && i > 0) g.nodes[i].level = next;
        if (i > 0) join(&g, parent, i);
    }
    for (int tries = below(8); tries > 0 && g.edge_count < EDGES; tries--) {
        int a = below(g.node_count), b = below(g.node_count);
        if (!are_joined(&g, a, b)) join(&g, a, b);
    }
    for (int i = 0; i < g.node_count; i++)
        for (int n = 1 + below(2); n > 0 && g.element_count < ELEMENTS; n--)
            g.elements[g.element_count++] = (element){i, below(9), below(PARAMS), below(3) == 0};
    return g;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

/* How a graph is written: wrapped or flat, with which names, in which order. */
typedef struct {
    bool wrapped, renamed, shuffled;
} style;

/* The statements of one body. */
typedef struct {
    char *lines[LINES];
    int count;
} body;

typedef struct {
    const graph *g;
    style s;
    body bodies[LEVELS];
} writer;

static void put(writer *w, int level, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(writer *w, int level, const char *format, ...) {
    body *b = &w->bodies[level];
    va_list arguments;
    va_start(arguments, format);
    assert_true(b->count < LINES && vasprintf(&b->lines[b->count++], format, arguments) >= 0);
    va_end(arguments);
}

static int level_of(const writer *w, int node) {
    return w->s.wrapped ? w->g->nodes[node].level : 0;
}

/* Names are a letter and a number; renamed ones are longer and in another order of the alphabet. */
typedef char name[24];

static const char *name_of(const writer *w, name out, char letter, int number) {
    if (w->s.renamed)
        snprintf(out, sizeof(name), "z%c_%d_x", (char)('z' - (letter - 'a')), 100 - number);
    else
        snprintf(out, sizeof(name), "%c%d", letter, number);
    return out;
}

/* A bond between ends in two bodies, through ports called after the edge where the bodies differ. */
static void put_bond(writer *w, int from_level, const char *from, int to_level, const char *to, int number,
                     const char *label) {
    name port;
    name_of(w, port, 'y', number);
    if (from_level == to_level) {
        put(w, from_level, "%s%s -> %s;", label, from, to);
        return;
    }
    int step = to_level > from_level ? 1 : -1;
    for (int level = from_level; level != to_level + step; level += step) {
        const char *inner = step > 0 ? "part." : "", *outer = step > 0 ? "" : "part.";
        if (level == from_level)
            put(w, level, "%s%s -> %s%s;", label, from, inner, port);
        else if (level == to_level)
            put(w, level, "%s%s -> %s;", outer, port, to);
        else
            put(w, level, "%s%s -> %s%s;", outer, port, inner, port);
        if (level > 0 && (step > 0 ? level != from_level : level != to_level))
            put(w, level, "port %s : any;", port);
    }
}

static void put_edge(writer *w, int index) {
    const edge *e = &w->g->edges[index];
    name from, to, between, label_name;
    char label[40] = "", first[40], second[40];
    name_of(w, from, 'j', e->from);
    name_of(w, to, 'j', e->to);
    name_of(w, between, 't', index);
    if (e->named) snprintf(label, sizeof label, "%s: ", name_of(w, label_name, 'b', index));
    int from_level = level_of(w, e->from), to_level = level_of(w, e->to);
    if (!e->two_port) {
        put_bond(w, from_level, from, to_level, to, index, label);
        return;
    }
    snprintf(first, sizeof first, "%s%s", between, e->two_port == 'F' ? "[1]" : "");
    snprintf(second, sizeof second, "%s%s", between, e->two_port == 'F' ? "[2]" : "");
    put(w, from_level, "%s%s -> %s;", label, from, first);
    if (e->two_port == 'F') {
        put(w, from_level, "I %s[2]([[3, 1], [1, 2]], p[1] = 1);", between);
        put_bond(w, to_level, to, from_level, second, index, "");
    } else {
        put(w, from_level, "%s %s(%d);", e->two_port == 'T' ? "TF" : "GY", between, index + 2);
        put_bond(w, from_level, second, to_level, to, index, "");
    }
}

static void put_node(writer *w, int index) {
    name node, automaton;
    name_of(w, node, 'j', index);
    name_of(w, automaton, 'k', index);
    int level = level_of(w, index);
    bool one = w->g->nodes[index].one;
    if (!w->g->nodes[index].controlled) {
        put(w, level, "%d %s;", one, node);
        return;
    }
    put(w, level, "%d %s when %s%s%s;", one, node, w->g->nodes[index].inverted ? "!" : "", automaton,
        !w->g->nodes[index].dual ? ""
        : one                    ? " off effort"
                                 : " off flow");
    put(w, level,
        "automaton %s { off open -> shut when %s.%c > %d; on shut { -> open when %s.%c < 0; -> open after "
        "%d; } }",
        automaton, node, one ? 'f' : 'e', index, node, one ? 'f' : 'e', index + 1);
}

static void put_element(writer *w, int index) {
    static const char *const forms[] = {
        "R %s(%s);",       "C %s(%s, q = 1);",       "I %s(%s);",        "Se %s(%s);",
        "Sf %s(2*%s);",    "R %s : e = %s*f + f^3;", "C %s : e = %s*q;", "I %s(f = 2) : f = p/%s;",
        "R %s : f = %s*e;"};
    const element *e = &w->g->elements[index];
    int level = level_of(w, e->junction);
    name element_name, param, node;
    name_of(w, element_name, 'e', index);
    name_of(w, node, 'j', e->junction);
    put(w, level, forms[e->kind], element_name, name_of(w, param, 'p', e->value));
    bool source = e->kind == 3 || e->kind == 4;
    if (source != e->reversed)
        put(w, level, "%s -> %s;", element_name, node);
    else
        put(w, level, "%s -> %s;", node, element_name);
}

static void put_signals(writer *w) {
    for (int i = 0; i < w->g->node_count; i++) {
        name signal, node;
        int level = level_of(w, i);
        put(w, 0, "signal %s = 2*%s%s.%c + %d;", name_of(w, signal, 's', i),
            level == 0   ? ""
            : level == 1 ? "part."
                         : "part.part.",
            name_of(w, node, 'j', i), w->g->nodes[i].one ? 'f' : 'e', i);
    }
}

static void shuffle(body *b) {
    for (int i = b->count - 1; i > 0; i--) {
        int other = below(i + 1);
        char *line = b->lines[i];
        b->lines[i] = b->lines[other];
        b->lines[other] = line;
    }
}

static void put_instance(writer *w, int level) {
    char arguments[200] = "";
    for (int i = 0; i < PARAMS; i++) {
        name param;
        name_of(w, param, 'p', i);
        size_t used = strlen(arguments);
        snprintf(arguments + used, sizeof arguments - used, "%s%s = %s", i ? ", " : "", param, param);
    }
    put(w, level, "Level%d part(%s);", level + 1, arguments);
}

static char *text_of(const graph *g, style s) {
    writer *w = calloc(1, sizeof *w);
    w->g = g;
    w->s = s;
    int levels = 1;
    for (int i = 0; i < g->node_count; i++)
        if (level_of(w, i) + 1 > levels) levels = level_of(w, i) + 1;
    for (int i = 0; i < PARAMS; i++) {
        name param;
        put(w, 0, "param %s = %d;", name_of(w, param, 'p', i), i + 1);
    }
    for (int i = 0; i < g->node_count; i++) put_node(w, i);
    for (int i = 0; i < g->edge_count; i++) put_edge(w, i);
    for (int i = 0; i < g->element_count; i++) put_element(w, i);
    put_signals(w);
    for (int level = 0; level + 1 < levels; level++) put_instance(w, level);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int level = 0; level < levels; level++) {
        if (s.shuffled) shuffle(&w->bodies[level]);
        fprintf(out, level == 0 ? "model Random {\n" : "component Level%d(", level);
        for (int i = 0; i < PARAMS && level > 0; i++) {
            name param;
            fprintf(out, "%s%s", i ? ", " : "", name_of(w, param, 'p', i));
        }
        if (level > 0) fprintf(out, ") {\n");
        for (int i = 0; i < w->bodies[level].count; i++) {
            fprintf(out, "    %s\n", w->bodies[level].lines[i]);
            free(w->bodies[level].lines[i]);
        }
        fprintf(out, "}\n");
    }
    fclose(out);
    free(w);
    return text;
}

/* ---- dumps -------------------------------------------------------------------------------------------- */

static char *dump_of(const char *text, bool formatted) {
    hbg_session *session;
    hbg_model *model;
    hbg_text dump, canonical = {0};
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    const char *data = text;
    if (formatted) {
        assert_int_equal(hbg_format(session, "random.hbg", text, strlen(text), &canonical), HBG_OK);
        data = canonical.data;
    }
    if (hbg_load_text(session, "random.hbg", data, strlen(data), NULL, &model) != HBG_OK) {
        hbg_text told;
        assert_int_equal(hbg_diagnostics_text(session, false, &told), HBG_OK);
        fail_msg("%s\n%s", text, told.data);
    }
    assert_int_equal(hbg_dump_text(session, model, &dump), HBG_OK);
    char *copy = strdup(dump.data);
    hbg_text_free(session, &dump);
    hbg_text_free(session, &canonical);
    hbg_session_free(session);
    return copy;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool starts(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

/* Cuts ` net 3` out of a line: nets are numbered as they are met. */
static void cut_net(char *line) {
    char *net = strstr(line, " net ");
    if (net)
        memmove(net, net + 5 + strspn(net + 5, "0123456789"),
                strlen(net + 5 + strspn(net + 5, "0123456789")) + 1);
}

/* Takes `part.` away, so that what lies inside is called as it was outside. */
static void cut_part(char *line) {
    for (char *at = line; (at = strstr(at, "part.")) != NULL;) memmove(at, at + 5, strlen(at + 5) + 1);
}

/* The lines of a dump in order of the alphabet, without what depends on order or wrapping. */
static char *essence(char *dump, bool wrapped) {
    char *lines[2000];
    int count = 0;
    for (char *line = strtok(dump, "\n"); line && count < 2000; line = strtok(NULL, "\n")) {
        if (starts(line, "net ")) continue;
        bool frame = starts(line, "param ") || starts(line, "port ") || starts(line, "scope ");
        if (wrapped && frame) continue;
        cut_net(line);
        if (wrapped) cut_part(line);
        lines[count++] = line;
    }
    assert_true(count < 2000);
    qsort(lines, (size_t)count, sizeof *lines, by_text);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < count; i++) fprintf(out, "%s\n", lines[i]);
    fclose(out);
    free(dump);
    return text;
}

/* The dump with every `zX_N_x` called by its first name again. */
static char *name_back(char *dump) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (const char *at = dump; *at;) {
        char letter;
        int number, length = 0;
        bool word = at > dump && (at[-1] == '_' || (at[-1] >= 'a' && at[-1] <= 'z'));
        if (!word && sscanf(at, "z%c_%d_x%n", &letter, &number, &length) == 2 && length > 0) {
            fprintf(out, "%c%d", 'z' - (letter - 'a'), 100 - number);
            at += length;
        } else {
            fputc(*at++, out);
        }
    }
    fclose(out);
    free(dump);
    return text;
}

/* ---- the properties ----------------------------------------------------------------------------------- */

static void expect_same(char *a, char *b, const char *text, const char *claim) {
    if (strcmp(a, b) != 0) fail_msg("%s\n%s\n--- is\n%s\n--- is not\n%s", claim, text, a, b);
    free(b);
}

static void check_graph(const graph *g) {
    char *plain = text_of(g, (style){0});
    char *exact = dump_of(plain, false);
    char *sorted = essence(strdup(exact), false);
    char *flat = essence(strdup(exact), true);

    char *shuffled = text_of(g, (style){.shuffled = true});
    expect_same(sorted, essence(dump_of(shuffled, false), false), shuffled,
                "the order of statements says nothing");
    expect_same(exact, dump_of(plain, true), plain, "formatting keeps the meaning");
    char *renamed = text_of(g, (style){.renamed = true});
    expect_same(exact, name_back(dump_of(renamed, false)), renamed, "renaming is only renaming");
    char *wrapped = text_of(g, (style){.wrapped = true, .shuffled = true});
    expect_same(flat, essence(dump_of(wrapped, false), true), wrapped, "wrapping leaves the flat graph");
    free(plain);
    free(exact);
    free(sorted);
    free(flat);
    free(shuffled);
    free(renamed);
    free(wrapped);
}

static void random_models_keep_their_meaning(void **state) {
    (void)state;
    int count = getenv("HBG_SOAK") ? 10000 : 500, deepest = 0;
    for (int i = 0; i < count; i++) {
        random_state = 0x9E3779B97F4A7C15U * (uint64_t)(i + 1);
        graph g = random_graph();
        for (int n = 0; n < g.node_count; n++) deepest += g.nodes[n].level == LEVELS - 1;
        check_graph(&g);
    }
    assert_true(deepest > count / 4); // the nesting is not idle
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_models_keep_their_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
