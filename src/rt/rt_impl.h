/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the fixed-step methods share with the implicit one among them. */
#ifndef HBG_RT_IMPL_H
#define HBG_RT_IMPL_H

#include "rt/search.h"
#include "rt/stride.h"

/* ---- discrete states that a search has been in ---------------------------------------------------------- */

typedef struct {
    int32_t automaton, from; /* the state it left */
} hbg_rt_moved;

typedef struct {
    uint64_t sum;
    int32_t group, moves; /* of the journal, until then */
} hbg_rt_met;

typedef struct {
    int32_t automata;
    const int32_t *groups; /* by automaton: the first of its group; NULL: all are one */
    bool start_counts;     /* the state the search begins in has been visited */
    hbg_rt_moved *moves;   /* the journal */
    int32_t move_count, room;
    uint64_t *sum;   /* by group: of its moves; 0 where the search began */
    hbg_rt_met *met; /* states that groups have come to */
    int32_t met_count;
    int32_t *slots; /* of a hash table: 1 + the number of what was met; 0: free */
    uint32_t mask;
    int32_t *then;         /* by automaton, scratch */
    bool *elsewhere;       /* by group, scratch */
    int32_t *kept;         /* states at one pass, where the journal is full */
    int64_t power, length; /* passes until others are kept, and since */
} hbg_rt_visited;

size_t hbg_rt_visited_scratch(int32_t automata);
/* In scratch of that size, aligned for double. */
void hbg_rt_visited_init(hbg_rt_visited *of, int32_t automata, void *scratch);
void hbg_rt_visited_begin(hbg_rt_visited *of, const int32_t *groups, bool start_counts);
/* A pass has led from one to the other: the first group that has come back to where it was, and all of them in `back`; -1: none has. */
int32_t hbg_rt_visited_add(hbg_rt_visited *of, const int32_t *before, const int32_t *now, bool *back);
/* Of the states of a group only the present one counts as visited. */
void hbg_rt_visited_forget(hbg_rt_visited *of, int32_t group, const int32_t *now);

/* instant_far.c: what is wrong with a shorted mode in which no guard is enabled, and with what, in words. */
hbg_rt_verdict hbg_rt_conflict(const hbg_rt_instance *run, char *text, size_t size);

size_t hbg_rt_trapezoidal_scratch(const hbg_rt_stepper *stepper);
hbg_rt_status hbg_rt_trapezoidal_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x,
                                      double *dx);

/* An explicit step without its last rates: the end goes to the scratch, whose first state it is. `dx` are the rates at (t, x). */
hbg_rt_status hbg_rt_explicit_stages(const hbg_rt_stepper *stepper, double t, double t_end, const double *x,
                                     const double *dx);

#endif
