/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A system written by hand in C: a short table of functions instead of an image. Its instances run in the
 * engine like those of compiled models. A function that is NULL means that the system has nothing for it to
 * compute.
 *
 * Parameters of such a system do not move along lines, its automata cannot be held, its clocks have no
 * sensors, and its relations are not loosened. */
#ifndef HBG_RT_BY_HAND_H
#define HBG_RT_BY_HAND_H

#include "rt/instance.h"

/* What automata do at an instant (semantics, sections 4 to 6). */
typedef struct {
    /* x⁺ of the mode of `states`, entered with x. */
    hbg_rt_status (*consider)(void *self, const int32_t *states, double t, const double *x, double *x_plus);
    /* Where automata go from `states`, whose x⁺ was computed last; or, if `committed`, which have become
     * real. */
    hbg_rt_status (*move)(void *self, const int32_t *states, bool committed, int32_t *next);
    void (*commit)(void *self, const int32_t *states, const double *x_plus); /* they have become real */
    void (*flow)(void *self, const int32_t *states); /* time advances in the mode committed */
    bool (*event_is_true)(void *self);
    bool (*held_back)(void *self);
    bool (*forbidden)(void *self, char *text, size_t size);
    void (*describe_move)(void *self, int32_t group, char *text, size_t size);
    const int32_t *groups; /* by automaton: the first of its group; NULL: one group */
    hbg_rt_status (*look)(void *self, double t, const double *x, hbg_rt_look *look); /* without a search */
} hbg_rt_by_hand_events;

typedef struct {
    const hbg_rt_description *description;
    void *self;                    /* the first argument of all functions */
    const hbg_rt_failure *failure; /* where functions say why they failed */

    hbg_rt_status (*set_param)(void *self, int32_t param, double value);
    hbg_rt_status (*set_input)(void *self, int32_t input, double value);
    hbg_rt_status (*declare)(void *self, double *x); /* NULL: all states are 0 */
    /* `x_plus` holds x on entry; dependent energies are replaced in place. */
    hbg_rt_status (*jump)(void *self, double t, const double *x, double *x_plus);
    hbg_rt_status (*jump_work)(void *self, double *work);
    hbg_rt_status (*settle)(void *self, double t, double *x);

    hbg_rt_status (*rates)(void *self, double t, const double *x, double *dx);
    hbg_rt_status (*outputs)(void *self, double t, const double *x, double *y);
    hbg_rt_status (*powers)(void *self, double t, const double *x, double *power);
    hbg_rt_status (*energies)(void *self, double t, const double *x, double *energy);
    hbg_rt_pattern pattern; /* of the Jacobian */
    hbg_rt_status (*jacobian)(void *self, double t, const double *x, double *values);

    /* By relation: positive if it holds. A field calls hbg_rt_by_hand_holds. */
    hbg_rt_status (*relations)(void *self, double t, const double *x, double *g);
    double (*next_break)(void *self, double t);
    hbg_rt_status (*tick)(void *self, double t, const double *x, const int32_t *clocks, int32_t count);
    bool (*stride)(void *self, hbg_rt_stride *stride, hbg_rt_status *status);
    const hbg_rt_by_hand_events *events;
} hbg_rt_by_hand;

/* Table and description outlive the instance. NULL: out of memory. */
hbg_rt_instance *hbg_rt_by_hand_new(const hbg_rt_by_hand *table, hbg_rt_memory memory);
/* Whether a relation holds: on the branch it keeps while relations are frozen, else by its value. */
bool hbg_rt_by_hand_holds(hbg_rt_instance *instance, int32_t relation, double t, const double *x);

#endif
