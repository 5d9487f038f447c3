/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Plots: curves of a run, or of a results file, as SVG or PNG; one panel for each unit. */
#include <string.h>

#include "api/run_impl.h"

#define MOST_PANELS 8 /* for columns whose units are not known */
#define PNG_ZOOM    2 /* pixels a unit of the drawing, as in drawings of models */

hbg_status hbg_plot_figure(hbg_session *session, const hbg_draw_figure_spec *figure, bool png,
                           hbg_buffer *picture) {
    hbg_draw_figure(picture, figure);
    if (!png) return HBG_OK;
    hbg_buffer pixels;
    hbg_buffer_init(&pixels, &session->scratch);
    HBG_TRY(hbg_draw_png(picture->data, picture->size, PNG_ZOOM, &pixels, &session->reason));
    *picture = pixels;
    return HBG_OK;
}

hbg_status hbg_plot_picture(hbg_session *session, const char *title, const hbg_draw_series *series,
                            int32_t count, bool png, hbg_buffer *picture) {
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    hbg_draw_panel *panels;
    figure.title = title;
    figure.panel_count = hbg_draw_panels_by_unit(&session->scratch, series, count, &panels);
    figure.panels = panels;
    return hbg_plot_figure(session, &figure, png, picture);
}

/* ---- results files ------------------------------------------------------------------------------------ */

static hbg_status no_column(hbg_session *session, const hbg_sim_table *table, const char *wanted) {
    hbg_nearest nearest;
    hbg_buffer names;
    hbg_buffer_init(&names, &session->scratch);
    hbg_nearest_init(&nearest, wanted);
    for (int32_t i = 1; i < table->column_count; i++) {
        hbg_nearest_offer(&nearest, table->columns[i].name);
        if (i <= 12) hbg_buffer_print(&names, " `%s`", table->columns[i].name);
    }
    if (nearest.best)
        return hbg_run_fail(session, HBG_NOT_FOUND, "there is no column `%s`; did you mean `%s`?", wanted,
                            nearest.best);
    return hbg_run_fail(session, HBG_NOT_FOUND, "there is no column `%s`; the file has%s%s", wanted,
                        names.data, table->column_count > 13 ? " and more" : "");
}

static void add_series(hbg_draw_series *series, const hbg_sim_table *table, int32_t column) {
    *series = (hbg_draw_series){.name = table->columns[column].name, .unit = table->columns[column].unit};
    series->x = table->values[0];
    series->y = table->values[column];
    series->count = table->row_count;
}

/* The next name of a list; a name may have commas inside brackets: `max(a, b)`. */
static const char *next_name(hbg_arena *arena, const char **list) {
    int depth = 0;
    const char *start = *list + strspn(*list, " "), *end = start;
    for (; *end && !(*end == ',' && depth == 0); end++) depth += (*end == '(') - (*end == ')');
    *list = *end ? end + 1 : end;
    while (end > start && end[-1] == ' ') end--;
    return hbg_arena_copy(arena, start, (size_t)(end - start));
}

static hbg_status choose(hbg_session *session, const hbg_sim_table *table, const char *columns,
                         hbg_draw_series *series, int32_t *count) {
    *count = 0;
    for (int32_t i = 1; !columns && i < table->column_count; i++) add_series(&series[(*count)++], table, i);
    while (columns && *columns) {
        const char *name = next_name(&session->scratch, &columns);
        int32_t column = 1;
        while (column < table->column_count && strcmp(table->columns[column].name, name) != 0) column++;
        if (column == table->column_count) return no_column(session, table, name);
        add_series(&series[(*count)++], table, column);
    }
    return HBG_OK;
}

/* Columns without a unit need not be of one kind: each gets a panel of its own, while there are few. */
static void separate(hbg_session *session, hbg_draw_figure_spec *figure, const hbg_draw_series *series,
                     int32_t count) {
    hbg_draw_panel *panels = HBG_NEW_ARRAY(&session->scratch, hbg_draw_panel, count + 1);
    for (int32_t i = 0; i < count; i++)
        panels[i] = (hbg_draw_panel){.label = series[i].name, .series = &series[i], .series_count = 1};
    figure->panels = panels;
    figure->panel_count = count;
}

static bool are_unknown(const hbg_draw_series *series, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (series[i].unit) return false;
    return count > 1 && count <= MOST_PANELS;
}

static hbg_status plot(hbg_session *session, const char *path, const hbg_plot_options *options,
                       hbg_buffer *picture) {
    hbg_sim_table table;
    HBG_TRY(hbg_sim_table_read(&session->scratch, path, &table, &session->reason));
    if (table.column_count < 2)
        return hbg_run_fail(session, HBG_BAD_ARGUMENT, "there is one column only: nothing to draw over it");
    size_t most = (size_t)table.column_count + (options->columns ? strlen(options->columns) : 0) + 1;
    hbg_draw_series *series = HBG_NEW_ARRAY(&session->scratch, hbg_draw_series, most);
    int32_t count;
    HBG_TRY(choose(session, &table, options->columns, series, &count));
    const char *slash = strrchr(path, '/'), *title = slash ? slash + 1 : path;
    bool png = options->format == HBG_DRAW_PNG;
    if (!are_unknown(series, count)) return hbg_plot_picture(session, title, series, count, png, picture);
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    figure.title = title;
    separate(session, &figure, series, count);
    return hbg_plot_figure(session, &figure, png, picture);
}

hbg_status hbg_plot(hbg_session *session, const char *path, const hbg_plot_options *options,
                    hbg_text *picture) {
    *picture = (hbg_text){0};
    HBG_ENTER(session);
    hbg_buffer out;
    hbg_buffer_init(&out, &session->scratch);
    hbg_status status = plot(session, path, options, &out);
    if (status == HBG_OK) status = hbg_text_of(session, out.data, out.size, picture);
    return hbg_session_leave(session, status);
}
