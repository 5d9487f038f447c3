/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The table of a sweep as a picture of all its runs: how results spread, results over parameters, parallel coordinates. Runs that
 * did not get to their end are left out, as in `hbg stats`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/plot_impl.h"
#include "api/stats_impl.h"

enum { MOST_MAPS = 64, MOST_AXES = 24 };

typedef struct {
    const hbg_stats_view *view;
    const hbg_plot_options *options;
    const char *title;
} runs_plot;

typedef struct {
    hbg_draw_variable *of;
    int32_t count;
} variables;

static hbg_status fail(const runs_plot *p, const char *text) {
    return hbg_api_session_fail(p->view->session, HBG_BAD_ARGUMENT, "%s", text);
}

static void add(const runs_plot *p, int32_t column, variables *list) {
    const hbg_stats_view *view = p->view;
    double *values = HBG_NEW_ARRAY(&view->session->scratch, double, view->row_count + 1);
    for (int64_t i = 0; i < view->row_count; i++) values[i] = view->of.values[column][view->rows[i]];
    list->of[list->count++] =
        (hbg_draw_variable){view->of.columns[column].name, view->of.columns[column].unit, values};
}

static bool is_last_value(const char *name) {
    size_t size = strlen(name);
    return size > 6 && strcmp(name + size - 6, " final") == 0;
}

/* The requested columns, or results: of everything recorded only the last value if there is less room. */
static hbg_status take_results(const runs_plot *p, bool all, variables *list) {
    const hbg_stats_view *view = p->view;
    const char *names = p->options->columns;
    size_t most = names ? strlen(names) + 1 : (size_t)view->result_count + 1;
    *list = (variables){.of = HBG_NEW_ARRAY(&view->session->scratch, hbg_draw_variable,
                                            most + (size_t)view->param_count + 1)};
    for (int32_t i = 0; !names && i < view->result_count; i++)
        if (all || is_last_value(view->of.columns[view->results[i]].name)) add(p, view->results[i], list);
    while (names && *names) {
        bool ends_panel;
        int32_t column;
        const char *name = hbg_api_plot_next_name(&view->session->scratch, &names, &ends_panel);
        HBG_TRY(hbg_api_stats_column(view->session, &view->of, name, &column));
        add(p, column, list);
    }
    if (list->count > 0) return HBG_OK;
    return fail(p, "nothing was recorded in these runs; --columns draws other columns");
}

static hbg_status take_parameters(const runs_plot *p, variables *list) {
    const hbg_stats_view *view = p->view;
    const char *over = p->options->look.over;
    int32_t column;
    *list = (variables){
        .of = HBG_NEW_ARRAY(&view->session->scratch, hbg_draw_variable, (size_t)view->param_count + 1)};
    for (int32_t i = 0; !over && i < view->param_count; i++) add(p, view->params[i], list);
    if (over) {
        HBG_TRY(hbg_api_stats_column(view->session, &view->of, over, &column));
        add(p, column, list);
    }
    if (list->count > 0) return HBG_OK;
    return fail(p, "no parameter was swept; --over draws over another column");
}

static hbg_status draw_histograms(const runs_plot *p, hbg_buffer *out) {
    variables results;
    HBG_TRY(take_results(p, true, &results));
    if (results.count > MOST_MAPS) return fail(p, "there are more than 64 columns: choose some by --columns");
    hbg_draw_histograms(out, p->title, results.of, results.count, p->view->row_count);
    return HBG_OK;
}

static hbg_status draw_scatter(const runs_plot *p, hbg_buffer *out) {
    variables results, parameters;
    hbg_arena *arena = &p->view->session->scratch;
    int64_t runs = p->view->row_count;
    HBG_TRY(take_results(p, false, &results));
    HBG_TRY(take_parameters(p, &parameters));
    if ((int64_t)results.count * parameters.count > MOST_MAPS)
        return fail(
            p, "there are more than 64 pairs: choose columns by --columns, and by --over the one below them");
    const char **notes = HBG_NEW_ARRAY(arena, const char *, results.count *parameters.count);
    for (int32_t row = 0; row < results.count; row++) {
        for (int32_t column = 0; column < parameters.count; column++) {
            double rank =
                hbg_api_stats_spearman(arena, parameters.of[column].values, results.of[row].values, runs);
            if (isfinite(rank))
                notes[row * parameters.count + column] =
                    hbg_base_arena_print(arena, "rank correlation %.3f", rank);
        }
    }
    hbg_draw_scatter(out, p->title, parameters.of, parameters.count, results.of, results.count, runs, notes);
    return HBG_OK;
}

static hbg_status draw_parallel(const runs_plot *p, hbg_buffer *out) {
    variables results, all;
    HBG_TRY(take_results(p, false, &results));
    HBG_TRY(take_parameters(p, &all));
    int32_t count = all.count + results.count;
    if (count > MOST_AXES) return fail(p, "there are more than 24 axes: choose columns by --columns");
    hbg_draw_variable *axes = HBG_NEW_ARRAY(&p->view->session->scratch, hbg_draw_variable, count);
    memcpy(axes, all.of, (size_t)all.count * sizeof *axes);
    memcpy(axes + all.count, results.of, (size_t)results.count * sizeof *axes);
    hbg_draw_parallel(out, p->title, axes, count, p->view->row_count);
    return HBG_OK;
}

static const struct {
    const char *name;
    hbg_status (*draw)(const runs_plot *p, hbg_buffer *out);
} kinds[] = {{"histogram", draw_histograms}, {"scatter", draw_scatter}, {"parallel", draw_parallel}};

static hbg_status check(hbg_session *session, const hbg_plot_options *options) {
    if (options->more_count > 0)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "--as draws one table; there are %d",
                                    1 + options->more_count);
    if (options->look.window || options->look.log)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "--as takes neither --window nor --log");
    if (options->look.over && strcmp(options->as, kinds[0].name) == 0)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "a histogram is drawn over the values themselves, and takes no --over; --columns says whose");
    return HBG_OK;
}

hbg_status hbg_api_plot_runs(hbg_session *session, const char *path, const hbg_plot_options *options,
                             hbg_buffer *picture) {
    size_t kind = 0, count = sizeof kinds / sizeof *kinds;
    while (kind < count && strcmp(kinds[kind].name, options->as) != 0) kind++;
    if (kind == count)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "`--as %s` is no picture of runs: histogram, scatter or parallel",
                                    options->as);
    HBG_TRY(check(session, options));
    hbg_stats_view *view = HBG_NEW(&session->scratch, hbg_stats_view);
    HBG_TRY(hbg_api_stats_open(session, path, view));
    const char *slash = strrchr(path, '/');
    runs_plot p = {.view = view, .options = options, .title = slash ? slash + 1 : path};
    if (view->row_count == 0) return fail(&p, "no run of the table got to its end");
    HBG_TRY(kinds[kind].draw(&p, picture));
    return hbg_api_plot_convert(session, options->format, picture);
}
