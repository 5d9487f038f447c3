/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the fixed-step methods, and by the search for its visited states. */
#ifndef HBG_RT_IMPL_H
#define HBG_RT_IMPL_H

#include "rt/search.h"
#include "rt/stride.h"

/* ---- discrete states visited by a search --------------------------------------------------------------- */

typedef struct {
    int32_t automaton, from; /* the state it left */
} hbg_rt_moved;

typedef struct {
    uint64_t sum;
    int32_t group, moves; /* of the journal, up to then */
} hbg_rt_met;

typedef struct {
    int32_t automata;
    const int32_t *groups; /* by automaton: the first of its group; NULL: all are one */
    bool start_counts;     /* the state the search begins in has been visited */
    hbg_rt_moved *moves;   /* the journal of moves */
    int32_t move_count, room;
    uint64_t *sum;   /* by group: of its moves; 0 at the start of the search */
    hbg_rt_met *met; /* states that groups have reached */
    int32_t met_count;
    int32_t *slots; /* a hash table: 1 + the index in `met`; 0: free */
    uint32_t mask;
    int32_t *then;         /* by automaton, scratch */
    bool *elsewhere;       /* by group, scratch */
    int32_t *kept;         /* states at one pass, once the journal is full */
    int64_t power, length; /* passes until others are kept, and since then */
} hbg_rt_visited;

size_t hbg_rt_visited_scratch(int32_t automata);
/* In scratch of that size, aligned for double. */
void hbg_rt_visited_init(hbg_rt_visited *of, int32_t automata, void *scratch);
void hbg_rt_visited_begin(hbg_rt_visited *of, const int32_t *groups, bool start_counts);
/* A pass led from one to the other: the first group that is back in an earlier state, and all of them in
 * `back`; -1: none. */
int32_t hbg_rt_visited_add(hbg_rt_visited *of, const int32_t *before, const int32_t *now, bool *back);
/* Only the present states of a group count as visited. */
void hbg_rt_visited_forget(hbg_rt_visited *of, int32_t group, const int32_t *now);

/* instant_far.c: the verdict on a shorted mode in which no guard is enabled, with the reason in words. */
hbg_rt_verdict hbg_rt_conflict(const hbg_rt_instance *run, char *text, size_t size);

size_t hbg_rt_trapezoidal_scratch(const hbg_rt_stepper *stepper);
hbg_rt_status hbg_rt_trapezoidal_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x,
                                      double *dx);

/* An explicit step without its last rates: its end goes to the first state of the scratch. `dx` are the rates
 * at (t, x). */
hbg_rt_status hbg_rt_explicit_stages(const hbg_rt_stepper *stepper, double t, double t_end, const double *x,
                                     const double *dx);

#endif
