/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Plots: curves of a run, or of a results file, as SVG, PNG or PDF; one panel for each unit. CSV has no
 * units: there names show what belongs together, or the user says it. */
#include <string.h>

#include "api/plot_impl.h"

#define MOST_PANELS 8 /* by kind of name, for columns whose units are not known */
#define PNG_ZOOM    2 /* pixels per unit of the drawing, as in drawings of models */

hbg_status hbg_api_plot_convert(hbg_session *session, hbg_draw_format format, hbg_buffer *picture) {
    if (format == HBG_DRAW_SVG) return HBG_OK;
    hbg_buffer converted;
    hbg_base_buffer_init(&converted, &session->scratch);
    HBG_TRY(format == HBG_DRAW_PDF
                ? hbg_draw_pdf(picture->data, picture->size, &converted, &session->reason)
                : hbg_draw_png(picture->data, picture->size, PNG_ZOOM, &converted, &session->reason));
    *picture = converted;
    return HBG_OK;
}

hbg_status hbg_api_plot_figure(hbg_session *session, const hbg_draw_figure_spec *figure,
                               hbg_draw_format format, hbg_buffer *picture) {
    hbg_draw_figure(picture, figure);
    return hbg_api_plot_convert(session, format, picture);
}

/* ---- results files ------------------------------------------------------------------------------------ */

typedef struct {
    hbg_sim_table table;
    hbg_api_look look;
    int32_t over;     /* the column on the x axis, or HBG_NONE: the first, which never decreases */
    const char *name; /* of the file, without folder and ending */
} plotted_file;

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

/* A column over time, or over another column, and its file if there are several. */
static hbg_draw_series series_of(hbg_session *session, const plotted_file *file, int32_t column) {
    const hbg_sim_table *table = &file->table;
    hbg_draw_series series = {.name = table->columns[column].name, .unit = table->columns[column].unit};
    series.x = table->values[0];
    series.y = table->values[column];
    series.count = table->row_count;
    hbg_api_plot_crop(&session->scratch, &file->look, &series);
    if (file->over == HBG_NONE) return series;
    hbg_draw_series over = {.x = table->values[0], .y = table->values[file->over], .count = table->row_count};
    hbg_api_plot_crop(&session->scratch, &file->look, &over);
    series.x = over.y;
    series.style = HBG_DRAW_PATH;
    return series;
}

const char *hbg_api_plot_next_name(hbg_arena *arena, const char **list, bool *ends_panel) {
    int depth = 0;
    const char *start = *list + strspn(*list, " "), *end = start;
    for (; *end && !((*end == ',' || *end == ';') && depth == 0); end++)
        depth += (*end == '(') - (*end == ')');
    *ends_panel = *end == ';';
    *list = *end ? end + 1 : end;
    while (end > start && end[-1] == ' ') end--;
    return hbg_base_arena_copy(arena, start, (size_t)(end - start));
}

/* Series and the panels they are in, as numbers from 0 that do not decrease. */
typedef struct {
    hbg_draw_series *series;
    int32_t *panel;
    const char **files; /* by series: the file it is of; all NULL if there is one */
    int32_t count, panel_count;
    bool chosen;      /* by the user */
    const char *over; /* what is on the x axis; NULL: time */
    const char *over_unit;
    bool swept; /* columns are results of a sweep */
} selection;

static int32_t find_column(const hbg_sim_table *table, const char *name) {
    for (int32_t i = 1; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return i;
    return HBG_NONE;
}

static void add(hbg_session *session, const plotted_file *file, int32_t column, selection *chosen) {
    chosen->panel[chosen->count] = chosen->panel_count;
    chosen->files[chosen->count] = file->name;
    chosen->series[chosen->count++] = series_of(session, file, column);
}

static hbg_status choose(hbg_session *session, const plotted_file *file, const char *columns,
                         selection *chosen) {
    const hbg_sim_table *table = &file->table;
    bool ends_panel = false;
    chosen->panel_count = 0;
    for (int32_t i = 1; !columns && i < table->column_count; i++)
        if (i != file->over && (!table->sweep || hbg_api_plot_is_of_output(table->columns[i].name)))
            add(session, file, i, chosen);
    while (columns && *columns) {
        if (ends_panel) chosen->panel_count++;
        const char *name = hbg_api_plot_next_name(&session->scratch, &columns, &ends_panel);
        int32_t column = find_column(table, name);
        if (column == HBG_NONE) return no_column(session, table, name);
        chosen->chosen = chosen->chosen || ends_panel;
        add(session, file, column, chosen);
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

/* Where some have a unit, that is their kind; the others are grouped by their names. */
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

static hbg_draw_panel *make_panels(hbg_session *session, const selection *chosen, const char *const *labels,
                                   bool logarithmic) {
    hbg_draw_panel *panels = HBG_NEW_ARRAY(&session->scratch, hbg_draw_panel, chosen->panel_count + 1);
    hbg_draw_series *sorted = HBG_NEW_ARRAY(&session->scratch, hbg_draw_series, chosen->count + 1);
    int32_t place = 0;
    for (int32_t panel = 0; panel < chosen->panel_count; panel++) {
        panels[panel].series = &sorted[place];
        for (int32_t i = 0; i < chosen->count; i++) {
            if (chosen->panel[i] != panel) continue;
            sorted[place] = chosen->series[i];
            if (chosen->files[i])
                sorted[place].name =
                    hbg_base_arena_print(&session->scratch, "%s (%s)", sorted[place].name, chosen->files[i]);
            place++;
            panels[panel].series_count++;
        }
        panels[panel].unit = unit_of(&panels[panel]);
        panels[panel].logarithmic = logarithmic;
        if (labels && !panels[panel].unit)
            panels[panel].label = panels[panel].series_count == 1 && !chosen->files[0]
                                      ? panels[panel].series[0].name
                                      : labels[panel];
    }
    return panels;
}

/* Columns of one unit are in one panel; without units those whose names are alike. */
static hbg_draw_panel *group_panels(hbg_session *session, selection *chosen, bool logarithmic) {
    const char **labels = HBG_NEW_ARRAY(&session->scratch, const char *, chosen->count + 1);
    if (chosen->chosen) return make_panels(session, chosen, NULL, logarithmic);
    bool unknown = chosen->swept || are_unknown(chosen);
    chosen->panel_count = group(session, chosen, labels, chosen->swept ? hbg_api_plot_output_of : kind_of);
    if (unknown && chosen->panel_count > MOST_PANELS)
        chosen->panel_count = group(session, chosen, labels, ending_of);
    return make_panels(session, chosen, unknown ? labels : NULL, logarithmic);
}

static hbg_status draw(hbg_session *session, selection *chosen, const char *title, const hbg_api_look *look,
                       hbg_draw_format format, hbg_buffer *picture) {
    hbg_draw_figure_spec figure = hbg_draw_figure_default();
    figure.title = title;
    figure.x_logarithmic = look->log_x;
    if (chosen->over) {
        figure.x_label = chosen->over;
        figure.x_unit = chosen->over_unit;
    }
    figure.panels = group_panels(session, chosen, look->log_y);
    figure.panel_count = chosen->panel_count;
    return hbg_api_plot_figure(session, &figure, format, picture);
}

/* Curves need an x that only grows: several rows at one instant are a jump, but no row may go back. */
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

static bool is_model(const char *path) {
    size_t size = strlen(path);
    return size > 4 && (strcmp(path + size - 4, ".hbg") == 0 || strcmp(path + size - 4, ".hbi") == 0);
}

static hbg_status read_file(hbg_session *session, const char *path, const hbg_plot_look *look,
                            plotted_file *file) {
    hbg_sim_table *table = &file->table;
    file->over = HBG_NONE;
    if (is_model(path))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "this is a model, which has no results before it runs: "
                                    "`hbg run %s --plot plot.svg` runs it and draws them",
                                    path);
    HBG_TRY(hbg_sim_table_read(&session->scratch, path, table, &session->reason));
    if (table->column_count < 2)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "there is one column only: nothing to draw over it");
    if (table->sweep) hbg_api_plot_take_sweep(session, table);
    HBG_TRY(check_time(session, table));
    bool first = look->over && strcmp(look->over, table->columns[0].name) == 0; // it is the x axis anyway
    if (look->over && !first) file->over = find_column(table, look->over);
    return look->over && !first && file->over == HBG_NONE ? no_column(session, table, look->over) : HBG_OK;
}

static const char *name_of(hbg_session *session, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot > name ? hbg_base_arena_copy(&session->scratch, name, (size_t)(dot - name)) : name;
}

static void put_over(const plotted_file *file, selection *chosen) {
    const hbg_sim_table *table = &file->table;
    chosen->swept = table->sweep;
    if (file->over == HBG_NONE && !table->sweep) return;
    chosen->over = table->columns[file->over == HBG_NONE ? 0 : file->over].name;
    chosen->over_unit = file->over == HBG_NONE ? NULL : table->columns[file->over].unit;
}

static hbg_status plot(hbg_session *session, const char *path, const hbg_plot_options *options,
                       hbg_buffer *picture) {
    hbg_arena *arena = &session->scratch;
    int count = 1 + options->more_count;
    plotted_file *files = HBG_NEW_ARRAY(arena, plotted_file, count);
    size_t most = 1;
    if (options->as) return hbg_api_plot_runs(session, path, options, picture);
    for (int i = 0; i < count; i++) {
        const char *from = i == 0 ? path : options->more[i - 1];
        hbg_status status = read_file(session, from, &options->look, &files[i]);
        if (status != HBG_OK && i > 0 && status != HBG_NO_MEMORY) // the caller names only the first
            return hbg_api_session_fail(session, status, "%s: %s", from, session->reason);
        HBG_TRY(status);
        // of a sweep the window is in the swept variable, in any unit
        HBG_TRY(hbg_api_plot_read_look(session, &options->look, !files[i].table.sweep, &files[i].look));
        files[i].name = count > 1 ? name_of(session, from) : NULL;
        most += (size_t)files[i].table.column_count + (options->columns ? strlen(options->columns) : 0);
    }
    selection chosen = {.series = HBG_NEW_ARRAY(arena, hbg_draw_series, most),
                        .panel = HBG_NEW_ARRAY(arena, int32_t, most),
                        .files = HBG_NEW_ARRAY(arena, const char *, most)};
    put_over(&files[0], &chosen);
    for (int i = 0; i < count; i++) HBG_TRY(choose(session, &files[i], options->columns, &chosen));
    if (chosen.count == 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "nothing was recorded in these runs; --columns draws other columns");
    bool any = false;
    for (int32_t i = 0; i < chosen.count; i++) any = any || chosen.series[i].count > 0;
    if (!any && options->look.window)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "there are no rows in the window `%s`",
                                    options->look.window);
    const char *slash = strrchr(path, '/'), *title = slash ? slash + 1 : path;
    return draw(session, &chosen, count > 1 ? "" : title, &files[0].look, options->format, picture);
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
