/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of phase space pictures share: the slice of the space that is shown, and the contents of its
 * points. */
#ifndef HBG_API_VERIFY_PLOT_IMPL_H
#define HBG_API_VERIFY_PLOT_IMPL_H

#include "api/verify_impl.h"

/* An energy variable, an input or held value, a parameter with a range, or time. */
typedef struct {
    hbg_point_part part;
    int32_t index;
    const char *name, *unit;
    bool is_truth, is_read; /* a condition of the group depends on it */
    bool is_set;            /* the user gives its value */
    bool has_range;
    double low, high; /* of the model */
    double nominal;   /* where a run would begin */
    double *value;    /* at the point under examination */
} plot_quantity;

/* The meaning of a place of the picture; the classes of its areas. */
typedef enum {
    PLACE_FREE,
    PLACE_DEPARTED, /* left at once */
    PLACE_NEVER,    /* by every mode */
    PLACE_ENDLESS,
    PLACE_ENDLESS_LATER, /* after a first real mode */
    PLACE_WRONG,
    PLACE_EVOLVES, /* temporal evolution of state */
    PLACE_OPEN,    /* cannot be computed */
    PLACE_OUTSIDE, /* of ranges and assumptions */
    PLACE_COUNT
} plot_place;

typedef struct {
    const verify_report *report;
    const hbg_group_result *group;
    HBG_VEC(plot_quantity) all;
    int32_t x, y; /* the axes, in `all` */
    hbg_draw_map map;
    double *states, *signals, *params;
    hbg_point point;
    int32_t phase; /* the discrete state under way; HBG_NONE: all of them together */
    bool seen[PLACE_COUNT];
    bool told[HBG_FINDING_COUNT]; /* kinds of findings that are in the picture */
    int32_t arrows;
    hbg_buffer *out;
} phase_plot;

/* verify_plot_slice.c */
/* Lists what a point is made of and takes the values asked for: "x=0.5" or "x=0.5,sw=true". */
hbg_status hbg_api_plot_slice_init(phase_plot *p, const verify_report *report, const char *axes,
                                   const char *const *at, int at_count);
/* The group that depends most on the axes; the rest of the point is given values. */
hbg_status hbg_api_plot_slice_choose(phase_plot *p, const char *axes);
void hbg_api_plot_set(phase_plot *p, double x, double y);
/* "x = 0 m, sw false": what is on no axis and matters */
const char *hbg_api_plot_slice_text(const phase_plot *p);

/* verify_plot_range.c: the ranges of both axes, into the map */
void hbg_api_plot_choose_ranges(phase_plot *p);

/* verify_plot_place.c: what is at the point that was set */
plot_place hbg_api_plot_place_at(phase_plot *p);
/* Everything that decides there, as a number: where it changes is a border. */
uint64_t hbg_api_plot_look(phase_plot *p);
bool hbg_api_plot_is_departed(phase_plot *p, int32_t phase);

/* verify_plot_jump.c: double arrows where no mode can stay */
void hbg_api_plot_put_jumps(phase_plot *p);

#endif
