/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many fixed steps in one call, and what is kept of outputs during them. */
#ifndef HBG_RT_STRIDE_H
#define HBG_RT_STRIDE_H

#include "rt/grid.h"
#include "rt/step.h"

/* The cubic through states and rates at both ends of a step; at the end itself it is the state there. */
typedef struct {
    double begin, end; /* s */
    const double *x0, *dx0, *x1, *dx1;
} hbg_rt_curve;
void hbg_rt_curve_at(const hbg_rt_curve *curve, int32_t count, double t, double *x);

/* What is kept of outputs from step to step, for the first `count` of them. */
typedef struct {
    int32_t count;
    double *last, *low, *high;
    double *area; /* by the trapezoidal rule */
} hbg_rt_extent;
/* Outputs at the end of a step of this many seconds. */
void hbg_rt_extent_step(const hbg_rt_extent *extent, double width, const double *outputs);

/* ---- many fixed steps --------------------------------------------------------------------------------- */

typedef enum {
    HBG_RT_STRIDE_DONE,   /* all steps; the guards at the end have not been evaluated */
    HBG_RT_STRIDE_SEARCH, /* at its end an instant needs a search, or a closer look */
    HBG_RT_STRIDE_FAILED  /* the next step has no finite end: it was not made */
} hbg_rt_stride_end;

/* Where outputs are needed: inside a step, or at its end if the time is that of its end to the last bit. */
typedef struct {
    int64_t step; /* of the stride, from 0 */
    double time;  /* s */
} hbg_rt_row;

/* Steps of an explicit method between two planned instants; guards are evaluated at the beginning of each. */
struct hbg_rt_stride {
    const hbg_rt_stepper *stepper;
    hbg_rt_grid grid;       /* of its steps */
    double first;           /* the stride begins at this multiple of it */
    int64_t count;          /* steps at most */
    bool looked;            /* the guards at its beginning have been evaluated */
    double *x;              /* in and out */
    int32_t *states;        /* likewise */
    const hbg_rt_row *rows; /* in order; all within its steps */
    int32_t row_count;
    const hbg_rt_extent *extent; /* in and out: with the outputs at the start. NULL: none */
    /* out */
    double *outputs;  /* by row: output_count each */
    int32_t row_done; /* rows of the steps done */
    hbg_rt_stride_end end;
    int64_t done;    /* steps */
    int64_t commits; /* looks at which automata moved */
    int64_t moves;   /* and how many of them moved */
    double *work;    /* in and out, by power line, J: adds that of all steps; NULL: none */
};

/* Doubles of scratch after those of the step. */
size_t hbg_rt_stride_scratch(const hbg_rt_stepper *stepper);
hbg_rt_status hbg_rt_stride_run(hbg_rt_stride *stride);

#endif
