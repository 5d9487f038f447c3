/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A search for crossings in one step, for the files roots*.c. */
#ifndef HBG_SIM_ROOTS_IMPL_H
#define HBG_SIM_ROOTS_IMPL_H

#include <float.h>
#include <math.h>

#include "sim/sim_impl.h"

typedef struct {
    hbg_sim_roots *roots;
    hbg_sim_field *field;
    hbg_sim_stepper *stepper;
    bool polish;    /* states are to be polished */
    double a, b;    /* the part of the step that is sampled */
    bool whole;     /* all samples of it are there */
    bool no_memory; /* to find out what is compared */
} hbg_sim_search;

/* Where the samples of an interval are, in quarters of it: not evenly, so that no frequency hides between them. */
extern const double hbg_sim_root_nodes[HBG_SIM_SAMPLES];

#define HBG_SIM_BAND 1e-10 /* of the largest value a root, or what contributes to it, has had */
/* Values within it count as 0. Every root is asked at every sample: these two are part of who asks. */
static inline double hbg_sim_root_band(const hbg_sim_roots *roots, int32_t k) {
    return HBG_SIM_BAND * roots->size[k];
}
/* Within it a root that has been clear of 0 comes back to it. What was clear where the interval began, by the band of then, did not
 * come there because the band has grown since. */
static inline double hbg_sim_root_equality(const hbg_sim_roots *roots, int32_t k) {
    double band = hbg_sim_root_band(roots, k), then = HBG_SIM_BAND * roots->size_before[k];
    double began = roots->side[k] * roots->sample[0][k];
    return began > then && began <= band ? then : band;
}
/* Negative where a root with this value is beyond its branch. */
static inline double hbg_sim_root_margin(const hbg_sim_roots *roots, int32_t k, double g) {
    if (roots->side[k] == 0) return fmax(hbg_sim_root_band(roots, k), roots->rest[k]) - fabs(g);
    double inside = roots->side[k] * g;
    return roots->armed[k] || roots->begun[k] ? inside : inside + hbg_sim_root_band(roots, k);
}
/* What rounding may add up to, at most. */
static inline double hbg_sim_root_rounding(const hbg_sim_roots *roots, int32_t k) {
    return HBG_SIM_ROUNDING * roots->size[k];
}
hbg_rt_status hbg_sim_root_values(hbg_sim_search *s, double t, double *g);
/* Whether a root is among those listed as crossed. */
bool hbg_sim_is_crossed(const hbg_sim_roots *roots, int32_t k);
double hbg_sim_root_sample_time(const hbg_sim_search *s, int i);

/* roots_size.c: what bands are shares of. */
/* What is infinite for a moment is no measure. */
static inline void hbg_sim_root_take_size(hbg_sim_roots *roots, int32_t k, double g) {
    double size = fabs(g);
    if (size > roots->size[k] && size <= DBL_MAX) roots->size[k] = size;
}
/* What changes of the states by their bands do to a root, at t and x where roots have the values g, counts as its own band. */
void hbg_sim_roots_shake(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x,
                         const double *g);
/* Takes, where there is reason to, the sizes of what is compared at t; whether it did. */
bool hbg_sim_root_asks_sides(hbg_sim_search *s, int32_t k, double t);
/* Whether a root with this margin at t is beyond its branch. A guard that comes from clear of 0 and is below it by no more than the
 * rounding of the states only touches it; what is equal but for rounding is on its branch. */
bool hbg_sim_root_is_beyond(hbg_sim_search *s, int32_t k, double t, double margin);
/* Sizes from the neighbourhood of a pole are forgotten behind it; the samples of the interval are there. */
void hbg_sim_roots_forget(hbg_sim_search *s);

/* roots_carry.c: branches beyond the roots crossed have been taken at t and x; what reads them takes its own anew. Values of the laws' roots
 * before that are in roots->now, those behind it in the last sample. */
hbg_rt_status hbg_sim_roots_carry(hbg_sim_roots *roots, hbg_sim_field *field, double t, const double *x);

/* roots_quartic.c: the quartic through five samples. */
typedef struct {
    double difference[HBG_SIM_SAMPLES]; /* Newton's, divided */
} hbg_sim_quartic;
hbg_sim_quartic hbg_sim_quartic_through(const double *f);
double hbg_sim_quartic_at(const hbg_sim_quartic *of, double place);
double hbg_sim_quartic_slope(const hbg_sim_quartic *of, double place);
/* Where it comes to 0 between a, where it is not negative, and b, where it is; somewhere between them if it does not do so. */
double hbg_sim_quartic_root(const hbg_sim_quartic *of, double a, double b);

/* roots_locate.c: shrinks [a, b], margin not negative at a and negative at b, to the resolution of time; *b is the end, and the values
 * there are in roots->before. */
hbg_rt_status hbg_sim_root_locate(hbg_sim_search *s, int32_t k, double a, double fa, double *b, double fb);
/* From where a root that is not armed leaves its band to where it crossed 0, if it has been on its side since a. */
hbg_rt_status hbg_sim_root_sharpen(hbg_sim_search *s, int32_t k, double a, double *b);

/* roots_pace.c: what five samples do not tell of how a root varies between them. */
double hbg_sim_root_error(const double *f);
/* Whether samples tell how roots vary in the interval; not: they are to be taken again in the part of it that is
 * left in s->b. */
bool hbg_sim_roots_resolved(hbg_sim_search *s);
/* The end of the interval that begins at s->a. */
double hbg_sim_roots_ahead(const hbg_sim_search *s);

/* roots_dip.c: what lies between samples. */
typedef struct {
    double when;  /* a time at which a root is beyond its branch that is on it at the samples around */
    double touch; /* where a guard only touches 0 */
    int32_t root; /* which */
    bool cusps;   /* tips of cusps have been found, which touch it: roots->tip has the first of each guard */
} hbg_sim_dip;
/* The first of each before `end`; what is not found is left as it is. */
hbg_rt_status hbg_sim_roots_dip(hbg_sim_search *s, double end, hbg_sim_dip *dip);

/* roots_touch.c: from about where a guard is lowest to just there, as far as numbers can tell it. */
hbg_rt_status hbg_sim_touch_time(hbg_sim_search *s, int32_t k, double *t);

/* roots_cusp.c: whether a guard that is lowest at t, where it has a cusp, touches 0 there. */
hbg_rt_status hbg_sim_roots_cusp(hbg_sim_search *s, int32_t k, double t, bool *touches);

#endif
