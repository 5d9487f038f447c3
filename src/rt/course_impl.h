/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How values that guards read vary between the samples of an interval (course.c), for the search for
 * crossings. */
#ifndef HBG_RT_COURSE_IMPL_H
#define HBG_RT_COURSE_IMPL_H

#include "rt/roots_impl.h"
#include "rt/run_impl.h"

/* Bounds of a value. */
typedef struct {
    double low, high;
} hbg_rt_span;

/* enclose.c: bounds of an operator's values for arguments within these. */
hbg_rt_span hbg_rt_enclose(const hbg_rt_instance *run, const hbg_rt_instruction *of, const hbg_rt_span *a);

/* course_follow.c: where, in quarters of an interval, samples stop following an operator; `place` 4: they
 * follow it to the end. */
typedef struct hbg_rt_unfollowed {
    double place;  /* the interval has to end there */
    double border; /* or where the switching value is this; NAN: not */
    bool jumps;    /* there */
} hbg_rt_unfollowed;

struct hbg_rt_course {
    hbg_rt_instance *run;
    hbg_rt_room *room;
    const hbg_rt_instruction **code; /* needed by guards of the present mode, in order */
    struct hbg_rt_unfollowed *why;   /* by instruction: why samples do not follow it */
    int32_t count, capacity;
    int32_t *inputs; /* registers read before they are written */
    int32_t input_count;
    double *lane[HBG_RT_SAMPLES]; /* registers, by sample */
    hbg_rt_span *span;            /* by register: its bounds, if samples do not follow */
    int32_t *cause;  /* by register: the first instruction it depends on that is not followed; -1: none */
    int32_t *needed; /* by register: scratch; the present stamp if needed */
    int32_t stamp;
    int32_t registers;
    bool is_known; /* the code */
    bool is_wild;  /* samples may not follow some operators */
};

hbg_rt_unfollowed hbg_rt_follow(const hbg_rt_instance *run, const hbg_rt_instruction *of,
                                double *const *lanes, bool is_short);
/* Whether an operator may be of this kind; what it switches on, from its registers. */
bool hbg_rt_may_be_wild(const hbg_rt_instance *run, const hbg_rt_instruction *of);
double hbg_rt_switched(const hbg_rt_instruction *of, const double *r);
/* Bounds of the curve through five samples. */
hbg_rt_span hbg_rt_span_of(const double *f);

#endif
