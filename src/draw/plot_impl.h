/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of plots: units with prefixes, axes with their ticks, curves of few points, and the
 * figure under construction. */
#ifndef HBG_DRAW_PLOT_IMPL_H
#define HBG_DRAW_PLOT_IMPL_H

#include "draw/draw.h"

/* ---- sizes of text, as in the style of figures ------------------------------------------------------ */

#define HBG_PLOT_SMALL   11.0 /* ticks, names of series, modes */
#define HBG_PLOT_HEADING 12.0 /* bold: label of a panel or strip */
#define HBG_PLOT_AXIS    12.0 /* label of the x axis */
#define HBG_PLOT_TITLE   15.0 /* bold */
#define HBG_PLOT_LINE    14.0 /* from one line of small text to the next */
#define HBG_PLOT_BELOW   6.0  /* from the baseline of a heading to its panel or strip */

#define HBG_PLOT_NAME_GAP 18.0 /* from a panel or strip to a name next to it */

/* ---- units ------------------------------------------------------------------------------------------ */

/* The power of ten, a multiple of three or 0, by which numbers up to `largest` of this unit are best divided;
 * 0 also if plain numbers read well. */
int hbg_draw_unit_exponent(const char *unit, double largest);
/* The unit for 10^exponent of the given one: "mV", "km/s", "10³ m²"; "" for plain numbers. */
const char *hbg_draw_unit_text(hbg_arena *arena, const char *unit, int exponent);
bool hbg_draw_unit_is_degree(const char *unit);
/* Appends 10 with an exponent in raised figures. */
void hbg_draw_power_of_ten(hbg_buffer *out, int exponent);

/* ---- axes ------------------------------------------------------------------------------------------- */

typedef struct {
    double value;
    const char *text; /* NULL: a line of the grid without a number */
} hbg_draw_tick;

/* Begin, include the visible values, settle, then set start and end, make ticks and query places. */
typedef struct {
    const char *unit;
    bool logarithmic;
    bool empty;            /* nothing was included: a frame without numbers */
    bool cut;              /* values that are too large to draw are at its end */
    double low, high;      /* the visible range; low > high while it is empty */
    double start, end;     /* px of low and high */
    int exponent;          /* numbers on the axis are (value - offset) / (10^exponent · per) */
    double per;            /* s in a minute, an hour or a day, if time is in these; else 1 */
    double offset;         /* a round number near values that hardly differ; else 0 */
    double zero, factor;   /* px = start + (value or its logarithm - zero) · factor */
    const char *unit_text; /* with the prefix, and the offset if there is one */
    HBG_VEC(hbg_draw_tick) ticks;
} hbg_draw_axis;

void hbg_draw_axis_begin(hbg_draw_axis *axis, const char *unit, bool logarithmic);
/* The value as an axis can show it: NAN for NaN (or, on a logarithmic axis, for a value that is not
 * positive), and clamped to prevent overflow later. */
double hbg_draw_axis_clean(const hbg_draw_axis *axis, double value);
void hbg_draw_axis_include(hbg_draw_axis *axis, double value);
/* Widens an empty range or one of a single value, adds `margin` of it at both ends, and zero if that is
 * near. */
void hbg_draw_axis_settle(hbg_draw_axis *axis, double margin);
bool hbg_draw_axis_has_decades(const hbg_draw_axis *axis);
/* Prefix and offset that suit the settled range. */
void hbg_draw_axis_scale(hbg_arena *arena, hbg_draw_axis *axis);
/* Round numbers such that neighbours have `gap` px between their texts: across if `horizontal`, else down. */
void hbg_draw_axis_make_ticks(hbg_arena *arena, hbg_draw_axis *axis, double gap, bool horizontal);
void hbg_draw_axis_span(hbg_draw_axis *axis, double start, double end);
double hbg_draw_axis_place(const hbg_draw_axis *axis, double value);

/* ---- curves ----------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_draw_axis *x, *y;
    hbg_draw_box box;
    hbg_draw_point last; /* out: px of the last sample, NAN if there was none */
    uint8_t *rings;      /* by cell: curves that have a ring there so far; NULL at first */
} hbg_draw_curve;

/* Appends the shapes of a series: at most a few points a column of pixels, with all extremes. `look` is the
 * class for its colour. */
void hbg_draw_curve_paint(hbg_buffer *out, hbg_draw_curve *curve, const hbg_draw_series *series,
                          const char *look);

/* ---- the figure under construction ------------------------------------------------------------------ */

typedef struct {
    const hbg_draw_panel *panel;
    hbg_draw_box box;      /* of the curves */
    double heading_bottom; /* of the first line above the box */
    int32_t legend_lines;  /* above the box, if names are not next to it */
    hbg_draw_axis axis;    /* y */
    const char **names;    /* of its series, as shown */
    hbg_draw_point *ends;  /* of its series: px of the last sample */
    int32_t *wider;        /* of its series: how many steps its line is wider because others lie on it */
} hbg_draw_plot_panel;

typedef struct {
    hbg_arena *arena;
    hbg_buffer *out;
    const hbg_draw_figure_spec *spec;
    double width, height; /* of the page */
    double left, right;   /* of every panel */
    bool beside;          /* names are to the right of the panels, else above each */
    double names_width;
    double strips_top;
    hbg_draw_axis x;
    hbg_draw_plot_panel *panels;
    int32_t panel_count; /* at least 1 */
} hbg_draw_plot;

/* The class of the n-th series: colours in turn, then the same colours dashed. */
const char *hbg_draw_plot_look(hbg_arena *arena, int32_t series);
/* Finds the lines of a panel that are painted wider. */
void hbg_draw_cover_find(const hbg_draw_plot *plot, hbg_draw_plot_panel *panel);

/* Decides whether names are next to the panels, and how much room they take. */
void hbg_draw_legend_choose(hbg_draw_plot *plot);
/* Least height of a panel with the names of its series next to it. */
double hbg_draw_legend_height(const hbg_draw_panel *panel);
int32_t hbg_draw_legend_lines(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel);
void hbg_draw_legend_paint(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel);

/* Heading of a panel, fitted to its width. */
const char *hbg_draw_plot_heading(const hbg_draw_plot *plot, const hbg_draw_plot_panel *panel);

double hbg_draw_strips_height(const hbg_draw_plot *plot);
/* Whether any strip needs the shades of the style. */
bool hbg_draw_strips_are_shaded(const hbg_draw_plot *plot);
void hbg_draw_strips_paint(hbg_draw_plot *plot);
/* Thin lines through all panels where a mode changes, if they are few enough to help. */
void hbg_draw_strips_paint_changes(hbg_draw_plot *plot);

#endif
