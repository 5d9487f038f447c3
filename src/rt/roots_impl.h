/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Located relations, and a search for crossings in one step, for the files roots*.c. */
#ifndef HBG_RT_ROOTS_IMPL_H
#define HBG_RT_ROOTS_IMPL_H

#include <float.h>
#include <math.h>

#include "rt/field.h"

/* ---- located relations -------------------------------------------------------------------------------- */

/* When the size of a root was last doubted. */
typedef struct {
    double value; /* magnitude it had then; 0: never */
    double size;  /* which was borne out */
    double apart; /* times that value, or a part of it, at which there is reason again: more each time */
} hbg_rt_doubt;

enum { HBG_RT_SAMPLES = 5 }; /* of each interval that is searched, its ends included */

/* course.c: the way of states through an interval of a step, and how what guards read goes on it. */
typedef struct {
    void (*state)(void *context, double t, double *x);
    void *context;
    double *x;         /* room for states */
    double a, b;       /* the interval */
    double step;       /* s, in which it is */
    const bool *rough; /* by guard: its samples show that they do not tell how it goes */
} hbg_rt_way;
typedef struct hbg_rt_course hbg_rt_course;
/* NULL: no memory. What is known of the code of guards is to be forgotten where a mode may have changed. */
hbg_rt_course *hbg_rt_course_new(hbg_rt_room *room, hbg_rt_instance *run);
void hbg_rt_course_forget(hbg_rt_course *of);
/* The end of the part of an interval in which five samples tell how guards go: b if they do so in all of it; *fast: the guard for which the
 * next parts are likely to be as short, or -1. */
hbg_rt_status hbg_rt_course_end(hbg_rt_course *of, const hbg_rt_way *way, double *end, int32_t *fast);

/* How closely roots are sampled. */
typedef struct {
    double longest;    /* interval in which the samples tell how roots vary; 0: not known */
    bool nervous;      /* a root was faster than the steps, not long ago */
    int32_t calm;      /* intervals since then that told well how roots vary */
    int32_t intervals; /* of this step so far */
    int32_t hurried;   /* a root that varies too fast to be followed; -1: none */
    int32_t doubted;   /* times in a row that crossings were none */
    int64_t cuts;      /* how often a step was cut there */
    bool cut;          /* the crossing that was none last is to cut the step */
} hbg_rt_pace;

typedef struct hbg_rt_roots {
    int32_t count;
    int32_t guard_first;            /* from here on guards: positive while nothing happens */
    double *sample[HBG_RT_SAMPLES]; /* values at times of the interval, by root */
    hbg_rt_pace pace;
    hbg_rt_course *course;
    double *now, *before; /* values at trial times */
    double *shaken;       /* likewise, at states changed a little */
    double *size;         /* largest magnitude so far */
    double *size_before;  /* where the interval began */
    double *reach;        /* by guard: how far it has been from 0 since it led to a collision last */
    double *clear;        /* how far since branches were taken last */
    double *sides, *told; /* size of what is compared: known; 0: not yet. And as told last */
    double *then;         /* by state: its size when that was asked */
    struct {
        double when;
        bool here; /* in this interval */
    } asked;
    hbg_rt_doubt *doubt; /* by root, that it still counts */
    int8_t *side;        /* sign on the branch taken; 0: not known, the value is 0 */
    bool *armed;         /* has been clear of 0 on its side */
    bool *was_armed;     /* where the interval began */
    double *wide;      /* guards that are not: so far beyond 0, or clear of it, they count; 0: by the band */
    double *lag;       /* guards: crossed where they are so far beyond 0, by rounding (roots_rounding.c) */
    double *excursion; /* guards crossed: how far beyond 0 in the interval */
    bool *begun;       /* guards: has been on its side by more than rounding */
    double *came; /* guards: its value near 0 where something planned happens; NAN: it has not come there */
    bool *beyond; /* its branch, where a crossing is looked for */
    int32_t *returns; /* times it came back without having been clear */
    int32_t *tries;   /* times it was crossed since somebody asked in vain whether it rests there */
    double *rest;     /* it rests, within so much of 0; 0: it does not; -1: it is left as it is */
    int32_t *crossed;
    int32_t *carried; /* roots beyond their branch because of what was crossed */
    int32_t crossed_count;
    bool touched;       /* they are guards that came to 0 and did not pass it */
    bool has_tips;      /* some of them have a cusp there, and count as at 0 */
    double *tip;        /* by guard: when; infinite: not */
    double *not_before; /* by guard: when it is asked again; infinite: at any time */
    bool *beside;       /* by guard crossed: came to 0 only, where others passed it */
    double *lost;       /* by guard: since when it is no number; NAN: it is one */
    double *x, *dx;     /* trial states */
} hbg_rt_roots;

/* NULL: no memory. */
hbg_rt_roots *hbg_rt_roots_new(hbg_rt_room *room, const hbg_rt_field *field);
/* Takes the branches that hold from t and x on. */
hbg_rt_status hbg_rt_roots_freeze(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x);
/* Likewise where something planned has happened: a guard that has come to 0 there and does not leave it crosses it behind the
 * instant, or turns. */
hbg_rt_status hbg_rt_roots_meet(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x);
/* The first crossing in the last step, behind a time at which the last values were taken and before *t; *found tells whether there is one,
 * then *t is where. */
hbg_rt_status hbg_rt_roots_find(hbg_rt_roots *roots, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                double from, bool *found, double *t);
/* Whether guards found to cross at t do so, or only the error of the step does; then they stay on their sides, and the search goes on
 * from there. */
hbg_rt_status hbg_rt_roots_confirm(hbg_rt_roots *roots, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                   double t, bool *crosses);
/* roots_join.c: those that are crossed where time alone changes something, added to what is crossed. */
hbg_rt_status hbg_rt_roots_join(hbg_rt_roots *roots, hbg_rt_field *field, hbg_rt_integrator *stepper,
                                double t, const double *x);
/* Takes the branches beyond the roots found. */
hbg_rt_status hbg_rt_roots_cross(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x);
/* Takes the guards as they are from now on; frozen: branches have just been taken, at t and x. */
hbg_rt_status hbg_rt_roots_refresh(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                   bool is_frozen);
/* Roots that have these values where time advances: those that are clear of 0 count again. */
void hbg_rt_roots_arm(hbg_rt_roots *roots, const double *g);
/* Guards that have changed by now, for methods that look once a step. */
hbg_rt_status hbg_rt_roots_sample(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x);
/* A root that switches back and forth on the spot; -1 if none does. */
int32_t hbg_rt_roots_chattering(const hbg_rt_roots *roots);
/* Lets relations inside laws that the run has come to rest at be at 0 as long as they stay there; *rests tells. */
hbg_rt_status hbg_rt_roots_rest(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                bool *rests);
/* Those that rest and have not left it do so with branches taken anew. */
void hbg_rt_roots_rest_again(hbg_rt_roots *roots, hbg_rt_field *field);
/* Lets the relations crossed be as they are from now on, if the field is the same on both their sides; *loose tells. */
hbg_rt_status hbg_rt_roots_loosen(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x,
                                  bool *loose);

/* ---- a search ----------------------------------------------------------------------------------------- */

typedef struct {
    hbg_rt_roots *roots;
    hbg_rt_field *field;
    hbg_rt_integrator *stepper;
    bool polish;    /* states are to be polished */
    double from;    /* where in the step it begins */
    double end;     /* and where it ends */
    double a, b;    /* the part of the step that is sampled */
    bool whole;     /* all samples of it are there */
    bool no_memory; /* to find out what is compared */
} hbg_rt_root_search;

/* Where the samples of an interval are, in quarters of it: not evenly, so that no frequency hides between them. */
extern const double hbg_rt_root_nodes[HBG_RT_SAMPLES];

/* Values within it count as 0. Every root is asked at every sample: these two are part of who asks. */
static inline double hbg_rt_root_band(const hbg_rt_roots *roots, int32_t k) {
    return HBG_RT_BAND * roots->size[k];
}
/* Within it a root that has been clear of 0 comes back to it. What was clear where the interval began, by the band of then, did not
 * come there because the band has grown since. */
static inline double hbg_rt_root_equality(const hbg_rt_roots *roots, int32_t k) {
    double band = hbg_rt_root_band(roots, k), then = HBG_RT_BAND * roots->size_before[k];
    double began = roots->side[k] * roots->sample[0][k];
    return began > then && began <= band ? then : band;
}
/* So far from 0 one that has not been clear of it comes to be so, or crosses it. */
static inline double hbg_rt_root_slack(const hbg_rt_roots *roots, int32_t k) {
    return fmax(hbg_rt_root_band(roots, k), roots->wide[k]);
}
/* Negative where a root with this value is beyond its branch. */
static inline double hbg_rt_root_margin(const hbg_rt_roots *roots, int32_t k, double g) {
    if (roots->side[k] == 0) return fmax(hbg_rt_root_band(roots, k), roots->rest[k]) - fabs(g);
    double inside = roots->side[k] * g;
    return inside + (roots->armed[k] || roots->begun[k] ? roots->lag[k] : hbg_rt_root_slack(roots, k));
}
/* What rounding may add up to, at most. */
static inline double hbg_rt_root_rounding(const hbg_rt_roots *roots, int32_t k) {
    return HBG_RT_VALUE_ROUNDING * roots->size[k];
}
hbg_rt_status hbg_rt_root_values(hbg_rt_root_search *s, double t, double *g);
/* Whether a root is among those listed as crossed. */
bool hbg_rt_root_is_crossed(const hbg_rt_roots *roots, int32_t k);
double hbg_rt_root_sample_time(const hbg_rt_root_search *s, int i);

/* roots_slope.c: how fast guards go at t and x, along time and dx; laws' roots are no number. `now` and `shaken` are used for it. */
hbg_rt_status hbg_rt_root_slopes(hbg_rt_root_search *s, double t, const double *x, const double *dx,
                                 double *slope);

/* roots_size.c: what bands are shares of. */
/* What is infinite for a moment is no measure. */
static inline void hbg_rt_root_take_size(hbg_rt_roots *roots, int32_t k, double g) {
    double size = fabs(g);
    if (size > roots->size[k] && size <= DBL_MAX) roots->size[k] = size;
}
/* What changes of the states by their bands do to a root, at t and x where roots have the values g, counts as its own band. */
void hbg_rt_roots_shake(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x, const double *g);
/* Takes, where there is reason to, the sizes of what is compared at t; whether it did. */
bool hbg_rt_root_asks_sides(hbg_rt_root_search *s, int32_t k, double t);
/* Whether a root with this margin at t is beyond its branch. A guard that comes from clear of 0 and is below it by no more than the
 * rounding of the states only touches it; what is equal but for rounding is on its branch. */
bool hbg_rt_root_is_beyond(hbg_rt_root_search *s, int32_t k, double t, double margin);
/* Sizes from the neighbourhood of a pole are forgotten behind it; the samples of the interval are there. */
void hbg_rt_roots_forget(hbg_rt_root_search *s);

/* roots_carry.c: branches beyond the roots crossed have been taken at t and x; what reads them takes its own anew. Values of the laws' roots
 * before that are in roots->now, those behind it in the last sample. */
hbg_rt_status hbg_rt_roots_carry(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x);

/* Relations aside, which nobody has followed for a while, take the branches they are on. */
hbg_rt_status hbg_rt_roots_take_aside(hbg_rt_roots *roots, hbg_rt_field *field, double t, const double *x);

/* roots_quartic.c: the quartic through five samples. */
typedef struct {
    double difference[HBG_RT_SAMPLES]; /* Newton's, divided */
} hbg_rt_quartic;
hbg_rt_quartic hbg_rt_quartic_through(const double *f);
double hbg_rt_quartic_at(const hbg_rt_quartic *of, double place);
double hbg_rt_quartic_slope(const hbg_rt_quartic *of, double place);
/* Where it comes to 0 between a, where it is not negative, and b, where it is; somewhere between them if it does not do so. */
double hbg_rt_quartic_root(const hbg_rt_quartic *of, double a, double b);

/* What five samples do not tell of how a root varies between them. */
double hbg_rt_root_error(const double *f);

/* roots_locate.c: shrinks [a, b], margin not negative at a and negative at b, to the resolution of time; *b is the end, and the values
 * there are in roots->before. */
hbg_rt_status hbg_rt_root_locate(hbg_rt_root_search *s, int32_t k, double a, double fa, double *b, double fb);
/* From where a root that is not armed leaves its band to where it crossed 0, if it has been on its side since a. */
hbg_rt_status hbg_rt_root_sharpen(hbg_rt_root_search *s, int32_t k, double a, double *b);

/* roots_company.c: adds the guards that cross together with those found at *t. Where rounding leaves the order open, *t becomes the time of
 * the last of them. Values there are in roots->before. */
hbg_rt_status hbg_rt_roots_company(hbg_rt_root_search *s, double *t);

/* roots_pace.c: whether samples tell how roots vary in the interval; not: they are to be taken again in the part of it that is
 * left in s->b. */
bool hbg_rt_roots_resolved(hbg_rt_root_search *s);
/* The end of the interval that begins at s->a. */
double hbg_rt_roots_ahead(const hbg_rt_root_search *s);

/* roots_dip.c: what lies between samples. */
typedef struct {
    double when;  /* a time at which a root is beyond its branch that is on it at the samples around */
    double touch; /* where a guard only touches 0 */
    int32_t root; /* which */
    bool cusps;   /* tips of cusps have been found, which touch it: roots->tip has the first of each guard */
} hbg_rt_dip;
/* The first of each before `end`; what is not found is left as it is. */
hbg_rt_status hbg_rt_roots_dip(hbg_rt_root_search *s, double end, hbg_rt_dip *dip);

/* roots_confirm.c: what is doubted, by the errors that states may have in this step. */
hbg_rt_status hbg_rt_roots_narrow(hbg_rt_root_search *s);

/* roots_rounding.c: whether one of the guards that cross at t does so by more than the rounding of loops; if not, they lag. The
 * state there is in roots->dx. */
hbg_rt_status hbg_rt_roots_exceed_rounding(hbg_rt_root_search *s, double t, bool *exceed);

/* roots_touch.c: from about where a guard is lowest to just there, as far as numbers can tell it. */
hbg_rt_status hbg_rt_touch_time(hbg_rt_root_search *s, int32_t k, double *t);

/* roots_cusp.c: whether a guard that is lowest at t, where it has a cusp, touches 0 there. */
hbg_rt_status hbg_rt_roots_cusp(hbg_rt_root_search *s, int32_t k, double t, bool *touches);

#endif
