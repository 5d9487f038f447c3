/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block diagram as it is read, and while it is computed. */
#ifndef HBG_TEST_BLOCK_DIAGRAM_IMPL_H
#define HBG_TEST_BLOCK_DIAGRAM_IMPL_H

#include <jansson.h>
#include <stdbool.h>

#include "support/block_diagram.h"

enum { MOST_UNKNOWNS = 16, MOST_PASSES = 1000, MOST_DEPTH = 100000 };

typedef struct {
    const char *kind, *function, *signs;
    const json_t *of;
    double number;
    int *in, in_count;
    double *x, *y; /* of tables and sources */
    int points;
    int *ints, int_count; /* table of a lookup, cases of a switch */
    bool event;
    double value; /* of this evaluation */
    long stamp;
    double held;   /* of a source */
    double solved; /* of a constraint: its last value */
    long solved_at;
    int trial; /* of a constraint: it is being solved for */
} diagram_block;

typedef struct {
    int from, to, guard;
    double after;
} diagram_transition;

typedef struct {
    diagram_transition *transitions;
    int count, state, next;
    double entered;
} diagram_automaton;

struct hbg_test_diagram {
    json_t *json;
    diagram_block *blocks;
    int count;
    int *integrators, integrator_count;
    diagram_automaton *automata;
    int automaton_count;
    int *outputs, output_count;
    const char *method;
    double stop, step, t;
    double *x; /* by integrator */
    long stamp, epoch;
    bool searching, first_pass; /* of an instant */
    const char *wrong;
    int switchings, depth;
    int wanted[MOST_UNKNOWNS], wanted_count;
};

#endif
