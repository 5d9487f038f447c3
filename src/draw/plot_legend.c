/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of series. Short names are to the right of the panel, each as close to the end of its line as the
 * others permit and joined to it; others are above the panel, one after the other. */
#include "draw/plot_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_WIDTH  440.0             /* of a page with names next to the panels */
#define MOST_SHARE   0.3               /* of the width, for names */
#define MOST_BESIDE  24                /* names next to one panel */
#define MOST_LINES   6                 /* of names above one panel */
#define LEADER       HBG_PLOT_NAME_GAP /* px from the panel to a name next to it, */
#define LEADER_START 3.0               /* crossed by a line from here */
#define LEADER_BEND  10.0              /* by way of here */
#define LEADER_END   15.0              /* to here */
#define MOST_BEND    40.0              /* unless it were steeper than this */
#define SWATCH       16.0              /* length of a sample of the line above a panel */
#define ENTRY_GAP    14.0
#define HALF_TEXT    4.0 /* from the middle of a line of text to its baseline */
#define MORE_ROOM    90.0
#define AT_THE_EDGE  1.5 /* px: a line that ends this close to the right is joined to its name */

/* ---- choosing a place ------------------------------------------------------------------------------ */

void hbg_draw_legend_choose(hbg_draw_plot *plot) {
    double widest = 0;
    for (int32_t i = 0; i < plot->panel_count; i++) {
        const hbg_draw_plot_panel *panel = &plot->panels[i];
        for (int32_t k = 0; k < panel->panel->series_count; k++)
            widest = fmax(widest, hbg_draw_text_width(panel->names[k], HBG_PLOT_SMALL, false));
    }
    for (int32_t i = 0; i < plot->spec->strip_count; i++) {
        const char *name = plot->spec->strips[i].name;
        widest = fmax(widest, hbg_draw_text_width(name ? name : "", HBG_PLOT_SMALL, false));
    }
    plot->names_width = LEADER + ceil(widest);
    plot->beside = plot->width >= LEAST_WIDTH && plot->names_width <= MOST_SHARE * plot->width;
}

double hbg_draw_legend_height(const hbg_draw_panel *panel) {
    return HBG_PLOT_LINE * (panel->series_count < MOST_BESIDE ? panel->series_count : MOST_BESIDE);
}

/* A piece of the line, or a dot if the series is drawn as dots. */
static void paint_swatch(hbg_draw_plot *plot, const hbg_draw_series *series, const char *look,
                         const hbg_draw_point *points, int32_t count) {
    if (series->style == HBG_DRAW_POINTS) {
        hbg_draw_point last = points[count - 1];
        hbg_draw_point middle = {(points[count - 2].x + last.x) / 2, last.y};
        hbg_draw_polyline(plot->out, hbg_base_arena_print(plot->arena, "dots %s", look),
                          (hbg_draw_point[]){middle, middle}, 2);
    } else
        hbg_draw_polyline(plot->out, hbg_base_arena_print(plot->arena, "curve %s", look), points, count);
}

/* ---- next to the plot ------------------------------------------------------------------------------ */

typedef struct {
    int32_t series;
    double wanted, given; /* px, middle of the name */
} end_label;

static int compare_labels(const void *a, const void *b) {
    const end_label *x = a, *y = b;
    if (x->wanted != y->wanted) return x->wanted < y->wanted ? -1 : 1;
    return x->series < y->series ? -1 : 1;
}

/* Labels in order, as close to their wanted places as their distance allows (least squares, by pooling
 * neighbours that push each other), then pushed inside. `starts` and `means` are scratch. */
static void spread(end_label *labels, int32_t count, double top, double bottom, hbg_arena *arena) {
    int32_t *starts = HBG_NEW_ARRAY(arena, int32_t, count + 1);
    double *means = HBG_NEW_ARRAY(arena, double, count + 1);
    int32_t pools = 0;
    for (int32_t i = 0; i < count; i++) {
        starts[pools] = i;
        means[pools] = labels[i].wanted - HBG_PLOT_LINE * i;
        pools++;
        for (; pools > 1 && means[pools - 1] < means[pools - 2]; pools--) {
            int32_t before = starts[pools - 1] - starts[pools - 2], after = i + 1 - starts[pools - 1];
            means[pools - 2] = (means[pools - 2] * before + means[pools - 1] * after) / (before + after);
        }
    }
    starts[pools] = count;
    for (int32_t pool = 0; pool < pools; pool++)
        for (int32_t i = starts[pool]; i < starts[pool + 1]; i++)
            labels[i].given = means[pool] + HBG_PLOT_LINE * i;
    for (int32_t i = count - 1; i >= 0; i--)
        labels[i].given = fmin(labels[i].given, bottom - HBG_PLOT_LINE * (count - 1 - i));
    for (int32_t i = 0; i < count; i++) labels[i].given = fmax(labels[i].given, top + HBG_PLOT_LINE * i);
}

static void paint_label(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel, const end_label *label) {
    double y = label->given;
    hbg_draw_point end = panel->ends[label->series];
    hbg_draw_point points[3] = {
        {plot->right + LEADER_START, end.y}, {plot->right + LEADER_BEND, y}, {plot->right + LEADER_END, y}};
    bool joined = end.x >= plot->right - AT_THE_EDGE && fabs(end.y - y) <= MOST_BEND;
    if (!joined) points[0] = (hbg_draw_point){plot->right + LEADER_START, y};
    const char *look = hbg_draw_plot_look(plot->arena, label->series);
    paint_swatch(plot, &panel->panel->series[label->series], look, points, 3);
    hbg_draw_text(plot->out, "small", (hbg_draw_point){plot->right + LEADER, y + HALF_TEXT}, HBG_DRAW_START,
                  panel->names[label->series]);
}

static void paint_beside(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel) {
    int32_t all = panel->panel->series_count, count = all <= MOST_BESIDE ? all : MOST_BESIDE - 1;
    double top = panel->box.top + HBG_PLOT_LINE / 2, bottom = panel->box.bottom - HBG_PLOT_LINE / 2;
    end_label *labels = HBG_NEW_ARRAY(plot->arena, end_label, count + 1);
    for (int32_t i = 0; i < count; i++) {
        double end = panel->ends[i].y;
        labels[i] = (end_label){i, isnan(end) ? panel->box.bottom : end, 0};
    }
    qsort(labels, (size_t)count, sizeof *labels, compare_labels);
    if (count < all) bottom -= HBG_PLOT_LINE;
    spread(labels, count, top, bottom, plot->arena);
    for (int32_t i = 0; i < count; i++) paint_label(plot, panel, &labels[i]);
    if (count < all)
        hbg_draw_text(plot->out, "small",
                      (hbg_draw_point){plot->right + LEADER, bottom + HBG_PLOT_LINE + HALF_TEXT},
                      HBG_DRAW_START, hbg_base_arena_print(plot->arena, "+ %d", all - count));
}

/* ---- above the plot -------------------------------------------------------------------------------- */

/* Goes along the lines of names, painting them or only counting. */
static int32_t flow(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel, bool paint) {
    const char *heading = hbg_draw_plot_heading(plot, panel);
    double x = plot->left;
    if (*heading) x += hbg_draw_text_width(heading, HBG_PLOT_HEADING, true) + ENTRY_GAP;
    int32_t line = 0, count = panel->panel->series_count;
    for (int32_t i = 0; i < count; i++) {
        const char *name = hbg_draw_text_fit(plot->arena, panel->names[i], HBG_PLOT_SMALL, false,
                                             plot->right - plot->left - SWATCH - 4 - MORE_ROOM);
        double width = SWATCH + 4 + hbg_draw_text_width(name, HBG_PLOT_SMALL, false);
        bool last_line = line == MOST_LINES - 1;
        double limit = plot->right - (last_line && i < count - 1 ? MORE_ROOM : 0);
        double y = panel->heading_bottom + line * HBG_PLOT_LINE - HBG_PLOT_BELOW;
        if (x + width > limit && last_line) {
            const char *more = hbg_base_arena_print(plot->arena, "+ %d", count - i);
            if (paint) hbg_draw_text(plot->out, "small", (hbg_draw_point){x, y}, HBG_DRAW_START, more);
            return line + 1;
        }
        if (x + width > limit && x > plot->left) {
            line++;
            x = plot->left;
            i--; /* again, on the next line */
            continue;
        }
        if (paint) {
            const char *look = hbg_draw_plot_look(plot->arena, i);
            hbg_draw_point points[] = {{x, y - HALF_TEXT}, {x + SWATCH, y - HALF_TEXT}};
            paint_swatch(plot, &panel->panel->series[i], look, points, 2);
            hbg_draw_text(plot->out, "small", (hbg_draw_point){x + SWATCH + 4, y}, HBG_DRAW_START, name);
        }
        x += width + ENTRY_GAP;
    }
    return line + 1;
}

int32_t hbg_draw_legend_lines(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel) {
    return plot->beside ? 1 : flow(plot, panel, false);
}

void hbg_draw_legend_paint(hbg_draw_plot *plot, const hbg_draw_plot_panel *panel) {
    if (plot->beside)
        paint_beside(plot, panel);
    else
        flow(plot, panel, true);
}
