/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How what guards read goes between the samples of an interval (course.c), for the search for crossings. */
#ifndef HBG_RT_COURSE_IMPL_H
#define HBG_RT_COURSE_IMPL_H

#include "rt/roots_impl.h"
#include "rt/run_impl.h"

/* Bounds of a value. */
typedef struct {
    double low, high;
} hbg_rt_span;

/* enclose.c: bounds of what an operator makes of arguments within these. */
hbg_rt_span hbg_rt_enclose(const hbg_rt_instance *run, const hbg_rt_instruction *of, const hbg_rt_span *a);

/* course_follow.c: where, in quarters of an interval, samples of an operator's arguments do not follow it any more; `place` 4: they do. */
typedef struct hbg_rt_unfollowed {
    double place;  /* the interval is to end there */
    double border; /* or where what switches is so much; NAN: not */
    bool jumps;    /* there */
} hbg_rt_unfollowed;

struct hbg_rt_course {
    hbg_rt_instance *run;
    hbg_rt_room *room;
    const hbg_rt_instruction **code; /* that guards of the present mode read, in order */
    struct hbg_rt_unfollowed *why;   /* by instruction: why samples do not follow it */
    int32_t count, capacity;
    int32_t *inputs; /* registers that it starts from */
    int32_t input_count;
    double *lane[HBG_RT_SAMPLES]; /* registers, by sample */
    hbg_rt_span *span;            /* by register: where it is, if samples do not tell */
    int32_t *cause;  /* by register: the first instruction it hangs on that samples do not follow; -1: none */
    int32_t *needed; /* by register: scratch; the present stamp if it is */
    int32_t stamp;
    int32_t registers;
    bool is_known; /* the code */
    bool is_wild;  /* there are operators that samples may not follow */
};

hbg_rt_unfollowed hbg_rt_follow(const hbg_rt_instance *run, const hbg_rt_instruction *of,
                                double *const *lanes, bool is_short);
/* Whether an operator may be of this kind; what it switches on, by its registers. */
bool hbg_rt_may_be_wild(const hbg_rt_instance *run, const hbg_rt_instruction *of);
double hbg_rt_switched(const hbg_rt_instruction *of, const double *r);
/* Bounds of what five samples go through. */
hbg_rt_span hbg_rt_span_of(const double *f);

#endif
