/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ways through an instant as transitions of a hybrid automaton. Part of src/verify. */
#ifndef HBG_VERIFY_HYBRID_IMPL_H
#define HBG_VERIFY_HYBRID_IMPL_H

#include "verify/paths_impl.h"
#include "verify/region_impl.h"

/* External events at an instant: the phase changes, clocks tick. */
typedef struct {
    int32_t before, now; /* phases */
    uint32_t ticks;      /* a bit for each clock, then one for each saw */
} hybrid_instant;

/* A convex part of a region. */
typedef struct {
    hbg_hybrid_region bounds;
    formula closed;       /* all of them */
    formula *values;      /* of the terms in question, in it */
    hbg_hybrid_sum *sums; /* the same as numbers */
} hybrid_piece;
typedef HBG_VEC(hybrid_piece) hybrid_pieces;

/* A remainder of time, such as `time % T`. What the proof knows of its symbol does not hold where it
 * restarts, at the period and at 0 at once: the automaton has its own symbol for it. */
typedef struct {
    formula remainder, own;
    formula rate, period, start;
} hybrid_saw;

typedef struct {
    group_proof *proof;
    path_map ways;
    const hbg_hybrid_request *request;
    hbg_hybrid *made;
    formula *symbols; /* by variable */
    HBG_VEC(hybrid_saw) saws;
    formula known; /* what holds for them everywhere */
} hybrid_map;

/* hybrid.c: there will be none; the first reason counts */
void hbg_verify_hybrid_refuse(hybrid_map *map, hbg_span place, const char *format, ...) HBG_PRINTF(3, 4);

/* hybrid_saw.c: adds those that something depends on, or refuses a remainder that is no saw. Time is a
 * variable already. */
void hbg_verify_hybrid_saws(hybrid_map *map);
/* Whether these can restart at one time. */
bool hbg_verify_hybrid_saws_meet(hybrid_map *map, uint32_t ticks);

/* hybrid_sum.c: a formula as a sum over the variables; false if it is not one. */
bool hbg_verify_hybrid_sum(hybrid_map *map, formula a, hbg_hybrid_sum *sum);
/* An inequality or equation as a bound, closed; `closed` becomes the same as a formula. */
bool hbg_verify_hybrid_bound(hybrid_map *map, formula literal, hbg_hybrid_bound *bound, formula *closed);
double hbg_verify_hybrid_value(const hybrid_map *map, const hbg_hybrid_sum *sum, const double *values);

/* hybrid_instant.c: a formula with external values substituted */
formula hbg_verify_hybrid_at(hybrid_map *map, hybrid_instant instant, formula a);
/* A way at such an instant: where it is taken, and the values of the variables at its end, by variable.
 * False: nowhere. */
bool hbg_verify_hybrid_way(hybrid_map *map, hybrid_instant instant, const path_way *way, formula *region,
                           formula *ends);
/* Clocks that can tick together. */
bool hbg_verify_hybrid_can_tick(hybrid_map *map, uint32_t ticks);

/* hybrid_piece.c: a region as convex pieces, in each of which the terms are affine; where `known` holds.
 * False: refused. */
typedef struct {
    const char *what; /* the region is of, in words */
    const int32_t *states;
    const formula *terms;
    int32_t term_count;
} hybrid_terms;
bool hbg_verify_hybrid_pieces(hybrid_map *map, formula known, formula region, const hybrid_terms *of,
                              hybrid_pieces *pieces);

/* hybrid_join.c: locations and transitions from where time begins to flow */
void hbg_verify_hybrid_join(hybrid_map *map);

#endif
