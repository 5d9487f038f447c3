/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sliding along a surface that two fields drive a run to from both sides (Filippov): what an instance needs
 * for it, and when a run begins and ends sliding. */
#ifndef HBG_RT_SLIDE_IMPL_H
#define HBG_RT_SLIDE_IMPL_H

#include "rt/roots_impl.h"

/* One side of the surface: everything that differs between the two. */
typedef struct {
    int32_t *states;  /* by automaton */
    double *branch;   /* by relation inside laws */
    int8_t *sign;     /* by root: of its value on this side */
    int32_t *watched; /* by relation of guards: as instants leave them; so the next three */
    bool *truth;
    bool *by_area;
    uint8_t *muted;
    int32_t *exits; /* roots that were crossed where this side was left last */
    int32_t exit_count;
    double *rates;    /* of the states, where last computed */
    double *values;   /* outputs, powers or roots there */
    double slope;     /* of the surface's difference along these rates */
    double direction; /* its sign where the run began to slide */
} hbg_rt_slide_side;

typedef struct hbg_rt_slide {
    bool on, leaves; /* time advances along the surface; the step that was made ends there */
    hbg_rt_slide_side side[2];
    int32_t home;       /* the side that was committed last */
    int32_t noted;      /* instants in a row that led from one side to the other */
    int32_t root;       /* whose difference is the surface */
    double share;       /* of side 0 in the field */
    double offset;      /* the difference itself, where last computed */
    double pull;        /* 1/s: how fast it goes back to 0 */
    double longest;     /* s, of a trial for a slope */
    const double *size; /* by state */
    double *place;      /* a trial state */
    double *slack;      /* by root: how far past its branch it may be */
    double began;       /* the last time */
    int32_t vain;       /* times in a row that it got nowhere */
    char words[300];
} hbg_rt_slide;

/* slide.c: memory for an instance with this many roots of laws and of guards; lends it to the instance. NULL:
 * out of memory. */
hbg_rt_slide *hbg_rt_slide_new(hbg_rt_room *room, hbg_rt_instance *run, int32_t laws, int32_t roots);
/* An instant is over: the side it led to. */
void hbg_rt_slide_note(hbg_rt_slide *slide, hbg_rt_instance *run, const hbg_rt_roots *roots);
/* Takes one side: its mode and its branches. */
hbg_rt_status hbg_rt_slide_take(hbg_rt_slide *slide, hbg_rt_instance *run, int32_t side);
/* Both fields at t and x, the slopes along them, and the share for which the surface's difference stands
 * still. */
hbg_rt_status hbg_rt_slide_mix(hbg_rt_slide *slide, hbg_rt_instance *run, double t, const double *x);
/* The difference of the surface, by the root of a side, in the mode that is taken. */
hbg_rt_status hbg_rt_slide_difference(hbg_rt_instance *run, int32_t root, double t, const double *x,
                                      double *value);
/* Branches of the laws listed, at 0 here, a little away from the surface on each side; those that differ are
 * exits of both. */
hbg_rt_status hbg_rt_slide_clear(hbg_rt_slide *slide, hbg_rt_instance *run, double t, const double *x,
                                 double away, const int32_t *listed, int32_t count);
/* Roots of both sides into their values. */
hbg_rt_status hbg_rt_slide_roots(hbg_rt_slide *slide, hbg_rt_instance *run, double t, const double *x);

/* The instance no longer uses it; NULL does nothing. */
void hbg_rt_slide_end(hbg_rt_slide *slide, hbg_rt_instance *run);

#endif
