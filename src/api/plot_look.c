/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The look of a plot: the part of the x axis, logarithmic axes, the format by the ending of a file. */
#include <math.h>
#include <string.h>

#include "api/plot_impl.h"

/* ---- reading ------------------------------------------------------------------------------------------ */

static hbg_status read_end(hbg_session *session, const char *window, const char *text, size_t size,
                           bool over_time, double *value) {
    const char *reason;
    hbg_dimension dimension;
    if (strspn(text, " ") >= size) return HBG_OK; // that end is left out
    if (hbg_lang_quantity(session->lang.units, &session->scratch, text, size, value, &dimension, &reason) &&
        isfinite(*value)) {
        if (!over_time || hbg_model_dimension_agree(dimension, hbg_model_dimension_second())) return HBG_OK;
        reason = hbg_base_arena_print(&session->scratch, "`%.*s` is no time", (int)size, text);
    }
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                "the window `%s` cannot be read: %s; write two times, `1ms:3ms`", window,
                                reason);
}

static hbg_status read_window(hbg_session *session, const char *text, bool over_time, hbg_api_look *look) {
    if (!text) return HBG_OK;
    const char *colon = strchr(text, ':');
    if (!colon)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "the window `%s` has one end: write two times, `1ms:3ms`, `:3ms` or `1ms:`", text);
    HBG_TRY(read_end(session, text, text, (size_t)(colon - text), over_time, &look->from));
    HBG_TRY(read_end(session, text, colon + 1, strlen(colon + 1), over_time, &look->to));
    if (look->from < look->to) return HBG_OK;
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the window `%s` ends before it begins", text);
}

hbg_status hbg_api_plot_read_look(hbg_session *session, const hbg_plot_look *asked, bool over_time,
                                  hbg_api_look *look) {
    *look = (hbg_api_look){.from = -INFINITY, .to = INFINITY};
    const char *log = asked->log;
    if (log && strcmp(log, "x") != 0 && strcmp(log, "y") != 0 && strcmp(log, "xy") != 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "logarithmic axes are `x`, `y` or `xy`, not `%s`", log);
    look->log_x = log && strchr(log, 'x');
    look->log_y = log && strchr(log, 'y');
    return read_window(session, asked->window, over_time, look);
}

bool hbg_api_plot_format(const char *path, hbg_draw_format *format) {
    static const struct {
        const char *ending;
        hbg_draw_format format;
    } known[] = {{".svg", HBG_DRAW_SVG}, {".png", HBG_DRAW_PNG}, {".pdf", HBG_DRAW_PDF}};
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *format = known[i].format;
        if (size > 4 && strcmp(path + size - 4, known[i].ending) == 0) return true;
    }
    return false;
}

/* ---- a part of a curve --------------------------------------------------------------------------------- */

/* The value of the curve between two of its samples. */
static double between(const hbg_draw_series *of, int64_t before, double x) {
    double x0 = of->x[before], x1 = of->x[before + 1], y0 = of->y[before], y1 = of->y[before + 1];
    if (of->style == HBG_DRAW_STEPS || !(x1 > x0)) return y0;
    return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

void hbg_api_plot_crop(hbg_arena *arena, const hbg_api_look *look, hbg_draw_series *series) {
    if (look->from == -INFINITY && look->to == INFINITY) return;
    int64_t first = 0, end = series->count, count = 0;
    while (first < end && series->x[first] < look->from) first++;
    while (end > first && series->x[end - 1] > look->to) end--;
    double *x = HBG_NEW_ARRAY(arena, double, end - first + 2),
           *y = HBG_NEW_ARRAY(arena, double, end - first + 2);
    bool enters = first > 0 && first < series->count && (first == end || series->x[first] > look->from);
    if (enters) {
        x[count] = look->from;
        y[count++] = between(series, first - 1, look->from);
    }
    memcpy(x + count, series->x + first, (size_t)(end - first) * sizeof *x);
    memcpy(y + count, series->y + first, (size_t)(end - first) * sizeof *y);
    count += end - first;
    bool leaves = end > 0 && end < series->count && (end == first || series->x[end - 1] < look->to);
    if (leaves) {
        x[count] = look->to;
        y[count++] = between(series, end - 1, look->to);
    }
    series->x = x;
    series->y = y;
    series->count = count;
}
