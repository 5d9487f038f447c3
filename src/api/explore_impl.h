/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Exploring what a model leaves open, by runs. The choices of a run have an order: its parameters first, then
 * its collisions as they come. A run takes one way of choosing until it changes to another, at a choice; the
 * last one lasts. So a run is given by its parent run, the choice at which it changes, and the new way. */
#ifndef HBG_API_EXPLORE_IMPL_H
#define HBG_API_EXPLORE_IMPL_H

#include "api/sweep_impl.h"

/* Ways of choosing; random ones come after these. */
enum { HBG_EXPLORE_DEFAULT, HBG_EXPLORE_LEAST, HBG_EXPLORE_GREATEST, HBG_EXPLORE_RANDOM };

typedef struct {
    int32_t from;     /* the run it was changed from; HBG_NONE: the first, which never changes */
    int32_t position; /* of the choice at which it changes; -1 for the first */
    int32_t way;
    int32_t made;   /* choices it made, as far as they are varied */
    int32_t *order; /* which junctions chose, of those choices that are not parameters */
} hbg_explore_run;

typedef struct {
    double value;
    int32_t run; /* HBG_NONE: no run got there */
} hbg_explore_end;

typedef struct {
    hbg_explore_end least, greatest;
} hbg_explore_range;

enum { HBG_EXPLORE_INSTANTS = 100, HBG_EXPLORE_STORIES = 1000, HBG_EXPLORE_STORY = 400 };

typedef struct { /* a sequence of modes */
    uint64_t hash;
    int64_t count; /* of runs */
    int32_t run;   /* the first of them */
    int64_t instants;
    const char *verdict;
    char *text;
} hbg_explore_story;

typedef struct {
    hbg_sweep_slot slot; /* first */
    int32_t *order;
    int32_t made;
    bool begun; /* with its own choices; a run may be refused before */
    int64_t instants;
    double *values;  /* by instant: its time, and what is recorded after it */
    double *outputs; /* room for all of them */
    double *low, *high;
    uint64_t hash;
    const char *verdict;
    char text[HBG_EXPLORE_STORY];
    size_t text_size;
} hbg_explore_slot;

typedef struct hbg_explore_state {
    const hbg_explore_options *options;
    hbg_sweep_options sweep;
    hbg_sweep_list list;
    hbg_sweep_crew crew;
    hbg_sweep_guide guide;
    hbg_run_choices *choices; /* what is left open: parameters and junctions */
    int32_t *params;          /* which of these are parameters */
    int32_t ways;
    int64_t most; /* runs */
    HBG_VEC(hbg_explore_run) runs;
    int64_t left_out; /* that did not fit */
    bool deeper;      /* some made more choices than were varied */
    hbg_explore_slot *slots;
    int32_t columns;                    /* time and what is recorded */
    int64_t *reached;                   /* by instant: runs that got there */
    hbg_explore_range *after, *overall; /* by instant and column; by output */
    hbg_explore_story *stories;
    int32_t story_count;
    int64_t other_stories; /* runs of stories beyond the most that are distinguished */
    int64_t unfinished;
    atomic_bool interrupted;
} hbg_explore_state;

/* The way that is in force at a choice of a run. */
int32_t hbg_api_explore_way(const hbg_explore_state *state, int32_t run, int32_t position);
/* The value that a way gives the n-th choice of something. */
double hbg_api_explore_value(const hbg_explore_state *state, const hbg_run_choice *choice, int32_t way,
                             int32_t number);
/* explore_report.c */
hbg_api_report *hbg_api_explore_report(hbg_session *session, const hbg_explore_state *state);

#endif
