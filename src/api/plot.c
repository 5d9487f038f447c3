/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Plots: curves of a run, or of a results file, as SVG or PNG; one panel for each unit. CSV has no units: there names tell
 * what belongs together, or the user does. */
#include <string.h>

#include "api/plot_impl.h"

#define MOST_PANELS 8 /* by kind of name, for columns whose units are not known */
#define PNG_ZOOM    2 /* pixels a unit of the drawing, as in drawings of models */

hbg_status hbg_api_plot_figure(hbg_session *session, const hbg_draw_figure_spec *figure, bool png,
                               hbg_buffer *picture) {
    hbg_draw_figure(picture, figure);
    if (!png) return HBG_OK;
    hbg_buffer pixels;
    hbg_base_buffer_init(&pixels, &session->scratch);
    HBG_TRY(hbg_draw_png(picture->data, picture->size, PNG_ZOOM, &pixels, &session->reason));
    *picture = pixels;
    return HBG_OK;
}

hbg_status hbg_api_plot_picture(hbg_session *session, const char *title, const hbg_draw_series *series,
                                int32_t count, bool png, hbg_buffer *picture) {
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    hbg_draw_panel *panels;
    figure.title = title;
    figure.panel_count = hbg_draw_panels_by_unit(&session->scratch, series, count, &panels);
    figure.panels = panels;
    return hbg_api_plot_figure(session, &figure, png, picture);
}

/* ---- results files ------------------------------------------------------------------------------------ */

static hbg_status no_column(hbg_session *session, const hbg_sim_table *table, const char *wanted) {
    hbg_nearest nearest;
    hbg_buffer names;
    hbg_base_buffer_init(&names, &session->scratch);
    hbg_base_nearest_init(&nearest, wanted);
    for (int32_t i = 1; i < table->column_count; i++) {
        hbg_base_nearest_offer(&nearest, table->columns[i].name);
        if (i <= 12) hbg_base_buffer_print(&names, " `%s`", table->columns[i].name);
    }
    if (nearest.best)
        return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no column `%s`; did you mean `%s`?",
                                    wanted, nearest.best);
    return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no column `%s`; the file has%s%s", wanted,
                                names.data, table->column_count > 13 ? " and more" : "");
}

static void add_series(hbg_draw_series *series, const hbg_sim_table *table, int32_t column) {
    *series = (hbg_draw_series){.name = table->columns[column].name, .unit = table->columns[column].unit};
    series->x = table->values[0];
    series->y = table->values[column];
    series->count = table->row_count;
}

/* The next name of a list; a name may have commas inside brackets: `max(a, b)`. `*ends_panel`: a semicolon follows. */
static const char *next_name(hbg_arena *arena, const char **list, bool *ends_panel) {
    int depth = 0;
    const char *start = *list + strspn(*list, " "), *end = start;
    for (; *end && !((*end == ',' || *end == ';') && depth == 0); end++)
        depth += (*end == '(') - (*end == ')');
    *ends_panel = *end == ';';
    *list = *end ? end + 1 : end;
    while (end > start && end[-1] == ' ') end--;
    return hbg_base_arena_copy(arena, start, (size_t)(end - start));
}

/* Series and the panels they are in, as numbers from 0 that do not fall. */
typedef struct {
    hbg_draw_series *series;
    int32_t *panel;
    int32_t count, panel_count;
    bool chosen;      /* by the user */
    const char *over; /* what a sweep went over; NULL: time */
} selection;

static hbg_status choose(hbg_session *session, const hbg_sim_table *table, const char *columns,
                         selection *chosen) {
    bool ends_panel = false;
    for (int32_t i = 1; !columns && i < table->column_count; i++)
        if (!table->sweep || hbg_api_plot_is_of_output(table->columns[i].name))
            add_series(&chosen->series[chosen->count++], table, i);
    while (columns && *columns) {
        if (ends_panel) chosen->panel_count++;
        const char *name = next_name(&session->scratch, &columns, &ends_panel);
        int32_t column = 1;
        while (column < table->column_count && strcmp(table->columns[column].name, name) != 0) column++;
        if (column == table->column_count) return no_column(session, table, name);
        chosen->chosen = chosen->chosen || ends_panel;
        chosen->panel[chosen->count] = chosen->panel_count;
        add_series(&chosen->series[chosen->count++], table, column);
    }
    chosen->panel_count++;
    return HBG_OK;
}

/* ---- columns without units ------------------------------------------------------------------------------ */

/* A name without the numbers at the ends of its parts: `mass_1.p` and `mass_2.p` are of one kind, `mass.p`. */
static const char *kind_of(hbg_arena *arena, const char *name) {
    hbg_buffer kind;
    hbg_base_buffer_init(&kind, arena);
    for (const char *at = name; *at;) {
        size_t figures = strspn(at + (*at == '_'), "0123456789");
        const char *behind = at + (*at == '_') + figures;
        if (figures > 0 && at > name && at[-1] != '.' && (*behind == '.' || *behind == 0))
            at = behind;
        else
            hbg_base_buffer_char(&kind, *at++);
    }
    return kind.size > 0 ? kind.data : name;
}

static const char *ending_of(hbg_arena *arena, const char *name) {
    (void)arena;
    const char *point = strrchr(name, '.');
    return point ? point + 1 : "";
}

/* Where some have a unit, that is their kind; the others go by their names. */
static const char *kind_with_unit(hbg_arena *arena, const hbg_draw_series *series,
                                  const char *(*kind)(hbg_arena *arena, const char *name)) {
    return series->unit ? series->unit : kind(arena, series->name);
}

/* Puts series of one kind into one panel; returns how many there are. */
static int32_t group(hbg_session *session, selection *chosen, const char **labels,
                     const char *(*kind)(hbg_arena *arena, const char *name)) {
    int32_t count = 0;
    for (int32_t i = 0; i < chosen->count; i++) {
        const char *own = kind_with_unit(&session->scratch, &chosen->series[i], kind);
        int32_t panel = 0;
        while (panel < count && strcmp(labels[panel], own) != 0) panel++;
        if (panel == count) labels[count++] = own;
        chosen->panel[i] = panel;
    }
    return count;
}

static bool are_unknown(const selection *chosen) {
    for (int32_t i = 0; i < chosen->count; i++)
        if (!chosen->series[i].unit) return chosen->count > 1;
    return false;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* The unit all series of a panel have; NULL if they differ. */
static const char *unit_of(const hbg_draw_panel *panel) {
    const char *unit = panel->series_count > 0 ? panel->series[0].unit : NULL;
    for (int32_t i = 1; unit && i < panel->series_count; i++)
        if (!panel->series[i].unit || strcmp(panel->series[i].unit, unit) != 0) return NULL;
    return unit;
}

static hbg_draw_panel *make_panels(hbg_session *session, const selection *chosen, const char *const *labels) {
    hbg_draw_panel *panels = HBG_NEW_ARRAY(&session->scratch, hbg_draw_panel, chosen->panel_count + 1);
    hbg_draw_series *sorted = HBG_NEW_ARRAY(&session->scratch, hbg_draw_series, chosen->count + 1);
    int32_t place = 0;
    for (int32_t panel = 0; panel < chosen->panel_count; panel++) {
        panels[panel].series = &sorted[place];
        for (int32_t i = 0; i < chosen->count; i++) {
            if (chosen->panel[i] != panel) continue;
            sorted[place++] = chosen->series[i];
            panels[panel].series_count++;
        }
        panels[panel].unit = unit_of(&panels[panel]);
        if (labels && !panels[panel].unit)
            panels[panel].label =
                panels[panel].series_count == 1 ? panels[panel].series[0].name : labels[panel];
    }
    return panels;
}

static hbg_status draw(hbg_session *session, selection *chosen, const char *title, bool png,
                       hbg_buffer *picture) {
    const char **labels = HBG_NEW_ARRAY(&session->scratch, const char *, chosen->count + 1);
    bool unknown = !chosen->chosen && (chosen->over || are_unknown(chosen));
    if (!chosen->chosen && !unknown)
        return hbg_api_plot_picture(session, title, chosen->series, chosen->count, png, picture);
    if (unknown)
        chosen->panel_count = group(session, chosen, labels, chosen->over ? hbg_api_plot_output_of : kind_of);
    if (unknown && chosen->panel_count > MOST_PANELS)
        chosen->panel_count = group(session, chosen, labels, ending_of);
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    figure.title = title;
    if (chosen->over) {
        figure.x_label = chosen->over;
        figure.x_unit = NULL;
    }
    figure.panels = make_panels(session, chosen, unknown ? labels : NULL);
    figure.panel_count = chosen->panel_count;
    return hbg_api_plot_figure(session, &figure, png, picture);
}

/* Curves go over what only grows: several rows at one instant are a jump, but none lies before the one above it. */
static hbg_status check_time(hbg_session *session, const hbg_sim_table *table) {
    const double *time = table->values[0];
    for (int64_t i = 1; i < table->row_count; i++)
        if (time[i] < time[i - 1])
            return hbg_api_session_fail(
                session, HBG_BAD_ARGUMENT,
                "`%s` goes back from %.9g to %.9g in row %lld: sort the rows by the first column",
                table->columns[0].name, time[i - 1], time[i], (long long)i + 1);
    return HBG_OK;
}

static hbg_status plot(hbg_session *session, const char *path, const hbg_plot_options *options,
                       hbg_buffer *picture) {
    hbg_sim_table table;
    HBG_TRY(hbg_sim_table_read(&session->scratch, path, &table, &session->reason));
    if (table.column_count < 2)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "there is one column only: nothing to draw over it");
    if (table.sweep) hbg_api_plot_take_sweep(session, &table);
    HBG_TRY(check_time(session, &table));
    size_t most = (size_t)table.column_count + (options->columns ? strlen(options->columns) : 0) + 1;
    selection chosen = {.series = HBG_NEW_ARRAY(&session->scratch, hbg_draw_series, most),
                        .panel = HBG_NEW_ARRAY(&session->scratch, int32_t, most)};
    chosen.over = table.sweep ? table.columns[0].name : NULL;
    HBG_TRY(choose(session, &table, options->columns, &chosen));
    if (chosen.count == 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "nothing was recorded in these runs; --columns draws other columns");
    const char *slash = strrchr(path, '/'), *title = slash ? slash + 1 : path;
    return draw(session, &chosen, title, options->format == HBG_DRAW_PNG, picture);
}

hbg_status hbg_plot(hbg_session *session, const char *path, const hbg_plot_options *options,
                    hbg_text *picture) {
    *picture = (hbg_text){0};
    HBG_ENTER(session);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_status status = plot(session, path, options, &out);
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, picture);
    return hbg_api_session_leave(session, status);
}
