/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reading a block diagram, and whether it is one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/block_diagram_impl.h"

typedef diagram_block block;
typedef diagram_transition transition;
typedef diagram_automaton automaton;

static int *ints_of(const json_t *list, int *count) {
    *count = (int)json_array_size(list);
    int *made = calloc((size_t)*count + 1, sizeof *made);
    for (int i = 0; i < *count; i++) made[i] = (int)json_integer_value(json_array_get(list, (size_t)i));
    return made;
}

static double *numbers_of(const json_t *list, int *count) {
    *count = (int)json_array_size(list);
    double *made = calloc((size_t)*count + 1, sizeof *made);
    for (int i = 0; i < *count; i++) made[i] = json_number_value(json_array_get(list, (size_t)i));
    return made;
}

static const json_t *first_of(const json_t *of, const char *a, const char *b) {
    const json_t *found = json_object_get(of, a);
    return found ? found : json_object_get(of, b);
}

static void read_block(block *into, const json_t *of) {
    const json_t *number = first_of(of, "value", "factor");
    into->of = of;
    into->kind = json_string_value(json_object_get(of, "kind"));
    into->function = json_string_value(json_object_get(of, "function"));
    into->signs = json_string_value(first_of(of, "signs", "powers"));
    into->number = json_number_value(number ? number : json_object_get(of, "initial"));
    into->in = ints_of(json_object_get(of, "in"), &into->in_count);
    into->ints = ints_of(first_of(of, "table", "cases"), &into->int_count);
    into->x = numbers_of(first_of(of, "x", "times"), &into->points);
    into->y = numbers_of(first_of(of, "y", "values"), &into->points);
    into->event = json_is_true(json_object_get(of, "event"));
}

static void read_automaton(automaton *into, const json_t *of) {
    const json_t *list = json_object_get(of, "transitions");
    into->count = (int)json_array_size(list);
    into->state = (int)json_integer_value(json_object_get(of, "start"));
    into->transitions = calloc((size_t)into->count + 1, sizeof *into->transitions);
    for (int i = 0; i < into->count; i++) {
        const json_t *at = json_array_get(list, (size_t)i);
        const json_t *guard = json_object_get(at, "guard"), *after = json_object_get(at, "after");
        into->transitions[i] = (transition){.from = (int)json_integer_value(json_object_get(at, "from")),
                                            .to = (int)json_integer_value(json_object_get(at, "to")),
                                            .guard = guard ? (int)json_integer_value(guard) : -1,
                                            .after = after ? json_number_value(after) : 0};
    }
}

/* Inputs that a kind has to have; -1: any number but none. */
static int inputs_of(const char *kind) {
    static const struct {
        const char *kind;
        int count;
    } known[] = {{"constant", 0},   {"time", 0},        {"source", 0},  {"automaton", 0}, {"instant", 0},
                 {"integrator", 2}, {"gain", 1},        {"sum", -1},    {"product", 2},   {"function", -1},
                 {"table", 1},      {"constraint", -1}, {"switch", -1}, {"lookup", -1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(kind, known[i].kind) == 0) return known[i].count;
    return -2;
}

/* Numbers of blocks that are there, as many as the kind has, and only what holds a value read from behind. */
static const char *find_fault(const hbg_test_diagram *d) {
    for (int i = 0; i < d->count; i++) {
        const block *of = &d->blocks[i];
        int count = of->kind ? inputs_of(of->kind) : -2;
        if (json_integer_value(json_object_get(of->of, "id")) != i)
            return "a block has another number than its place";
        if (count == -2) return "a kind of block is not known";
        if (count >= 0 ? of->in_count != count : of->in_count == 0)
            return "a block has other inputs than its kind";
        bool holds = strcmp(of->kind, "integrator") == 0 || strcmp(of->kind, "constraint") == 0;
        for (int k = 0; k < of->in_count; k++)
            if (of->in[k] < 0 || of->in[k] >= (holds ? d->count : i))
                return "a block reads one that is not before it";
        if (of->signs && (int)strlen(of->signs) != of->in_count)
            return "a sum or product has other signs than inputs";
        if (strcmp(of->kind, "switch") == 0 && of->int_count != of->in_count - 1)
            return "a switch has other cases than inputs";
    }
    for (int i = 0; i < d->output_count; i++)
        if (d->outputs[i] < 0 || d->outputs[i] >= d->count) return "an output is no block";
    return NULL;
}

static void read_lists(hbg_test_diagram *d, const json_t *blocks, const json_t *automata,
                       const json_t *outputs) {
    d->count = (int)json_array_size(blocks);
    d->blocks = calloc((size_t)d->count + 1, sizeof *d->blocks);
    d->integrators = calloc((size_t)d->count + 1, sizeof *d->integrators);
    for (int i = 0; i < d->count; i++) {
        read_block(&d->blocks[i], json_array_get(blocks, (size_t)i));
        if (d->blocks[i].kind && strcmp(d->blocks[i].kind, "integrator") == 0)
            d->integrators[d->integrator_count++] = i;
    }
    d->x = calloc((size_t)d->integrator_count + 1, sizeof *d->x);
    d->automaton_count = (int)json_array_size(automata);
    d->automata = calloc((size_t)d->automaton_count + 1, sizeof *d->automata);
    for (int i = 0; i < d->automaton_count; i++)
        read_automaton(&d->automata[i], json_array_get(automata, (size_t)i));
    d->output_count = (int)json_array_size(outputs);
    d->outputs = calloc((size_t)d->output_count + 1, sizeof *d->outputs);
    for (int i = 0; i < d->output_count; i++)
        d->outputs[i] = (int)json_integer_value(json_object_get(json_array_get(outputs, (size_t)i), "block"));
}

hbg_test_diagram *hbg_test_diagram_read(const char *text, char *why, size_t size) {
    json_error_t error;
    hbg_test_diagram *d = calloc(1, sizeof *d);
    d->json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    const json_t *run = json_object_get(d->json, "run");
    read_lists(d, json_object_get(d->json, "blocks"), json_object_get(d->json, "automata"),
               json_object_get(d->json, "outputs"));
    d->method = json_string_value(json_object_get(run, "method"));
    d->stop = json_number_value(json_object_get(run, "stop"));
    d->step = json_number_value(json_object_get(run, "step"));
    const char *fault = !d->json ? error.text : !d->method ? "it does not say how it is run" : find_fault(d);
    if (!fault) return d;
    snprintf(why, size, "%s", fault);
    hbg_test_diagram_free(d);
    return NULL;
}

void hbg_test_diagram_free(hbg_test_diagram *d) {
    if (!d) return;
    for (int i = 0; i < d->count; i++) {
        free(d->blocks[i].in);
        free(d->blocks[i].ints);
        free(d->blocks[i].x);
        free(d->blocks[i].y);
    }
    for (int i = 0; i < d->automaton_count; i++) free(d->automata[i].transitions);
    free(d->blocks);
    free(d->integrators);
    free(d->automata);
    free(d->outputs);
    free(d->x);
    json_decref(d->json);
    free(d);
}
