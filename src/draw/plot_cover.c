/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lines that lie on one another: the one painted first would be hidden. It is painted wider, so that it shows
 * on both sides of the one above it. */
#include "draw/plot_impl.h"

#include <math.h>

#define LOOKS       64  /* places at which two lines are compared */
#define MANY        6   /* of them: then they lie on one another for some time */
#define SAME        1.2 /* px */
#define MOST_SERIES 24  /* more could not be followed */
#define MOST_WIDER  3

/* The value of a line at x, NAN outside. Samples out of order give any value. */
static double value_at(const hbg_draw_series *series, double x) {
    int64_t low = -1, high = series->count; /* the last sample at or before x is in [low, high) */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (series->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    if (low < 0) return NAN;
    bool level = series->style == HBG_DRAW_STEPS || series->x[low] == x;
    if (high == series->count || level) return level ? series->y[low] : NAN;
    double share = (x - series->x[low]) / (series->x[high] - series->x[low]);
    return series->y[low] + share * (series->y[high] - series->y[low]);
}

static double place_at(const hbg_draw_plot *plot, const hbg_draw_plot_panel *panel, int32_t series,
                       int look) {
    double share = (look + 0.5) / LOOKS, low = plot->x.low, high = plot->x.high;
    double x =
        hbg_draw_axis_has_decades(&plot->x) ? low * pow(high / low, share) : low + share * (high - low);
    double y = value_at(&panel->panel->series[series], x);
    return hbg_draw_axis_place(&panel->axis, hbg_draw_axis_clean(&panel->axis, y));
}

void hbg_draw_cover_find(const hbg_draw_plot *plot, hbg_draw_plot_panel *panel) {
    int32_t count = panel->panel->series_count;
    if (count < 2 || count > MOST_SERIES || plot->x.empty || panel->axis.empty) return;
    double(*places)[LOOKS] = (double(*)[LOOKS])HBG_NEW_ARRAY(plot->arena, double, count *LOOKS);
    for (int32_t i = 0; i < count; i++)
        for (int look = 0; look < LOOKS; look++) places[i][look] = place_at(plot, panel, i, look);
    for (int32_t i = count - 2; i >= 0; i--) {
        if (panel->panel->series[i].style == HBG_DRAW_POINTS) continue;
        for (int32_t above = i + 1; above < count; above++) {
            int same = 0;
            for (int look = 0; look < LOOKS; look++)
                same += fabs(places[i][look] - places[above][look]) < SAME;
            if (same >= MANY && panel->wider[i] <= panel->wider[above])
                panel->wider[i] = panel->wider[above] + 1;
        }
        if (panel->wider[i] > MOST_WIDER) panel->wider[i] = MOST_WIDER;
    }
}
