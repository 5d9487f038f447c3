/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_stats: statistics of the table of a sweep. How results spread, the worst runs, the yield against
 * limits; longer questions have separate files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/plot_impl.h"
#include "api/stats_impl.h"

hbg_stats_options hbg_stats_options_default(void) {
    return (hbg_stats_options){.count = 5, .threshold = 0.02};
}

/* ---- columns and rows ---------------------------------------------------------------------------------- */

int32_t hbg_api_stats_named(const hbg_sim_table *table, const char *name) {
    for (int32_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return i;
    return HBG_NONE;
}

hbg_status hbg_api_stats_column(hbg_session *session, const hbg_sim_table *table, const char *name,
                                int32_t *column) {
    char *spaced = hbg_base_arena_copy(&session->scratch, name, strlen(name));
    char *dot = strrchr(spaced, '.');
    if (dot) *dot = ' ';
    *column = hbg_api_stats_named(table, name);
    if (*column == HBG_NONE) *column = hbg_api_stats_named(table, spaced);
    bool words = *column >= table->column_count - 2 || (*column != HBG_NONE && strcmp(name, "fault") == 0);
    if (words) return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the column `%s` has no numbers", name);
    if (*column != HBG_NONE) return HBG_OK;
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, spaced);
    for (int32_t i = 0; i < table->column_count; i++)
        hbg_base_nearest_offer(&nearest, table->columns[i].name);
    return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no column `%s`%s%s%s", name,
                                nearest.best ? "; did you mean `" : "", nearest.best ? nearest.best : "",
                                nearest.best ? "`?" : "");
}

static bool is_whole(double value) {
    return value >= 0 && value < 1e18 && value == floor(value);
}

hbg_status hbg_api_stats_open(hbg_session *session, const char *path, hbg_stats_view *view) {
    hbg_sim_table *table = &view->of;
    view->session = session;
    view->path = path;
    HBG_TRY(hbg_sim_table_read(&session->scratch, path, table, &session->reason));
    int32_t seed = hbg_api_stats_named(table, "seed");
    if (!table->sweep || seed == HBG_NONE)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "it is no table of a sweep: `hbg sweep` makes one");
    for (int64_t i = 0; i < table->row_count; i++)
        if (!is_whole(table->values[0][i]) || !is_whole(table->values[seed][i]))
            return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                        "the number or the seed of the run in row %lld is no whole number",
                                        (long long)i + 1);
    view->params = HBG_NEW_ARRAY(&session->scratch, int32_t, table->column_count);
    view->results = HBG_NEW_ARRAY(&session->scratch, int32_t, table->column_count);
    view->rows = HBG_NEW_ARRAY(&session->scratch, int64_t, table->row_count + 1);
    for (int32_t i = 1; i < seed; i++)
        if (strcmp(table->columns[i].name, "fault") != 0) view->params[view->param_count++] = i;
    for (int32_t i = seed + 1; i < table->column_count - 2; i++)
        if (hbg_api_plot_is_of_output(table->columns[i].name)) view->results[view->result_count++] = i;
    for (int64_t i = 0; i < table->row_count; i++)
        if (table->finished[i]) view->rows[view->row_count++] = i;
    return HBG_OK;
}

/* ---- how results spread -------------------------------------------------------------------------------- */

static int64_t take_sorted(const hbg_stats_view *view, int32_t column, double *values) {
    int64_t count = 0;
    for (int64_t i = 0; i < view->row_count; i++) {
        values[count] = view->of.values[column][view->rows[i]];
        count += isfinite(values[count]);
    }
    hbg_base_sort_numbers(values, count);
    return count;
}

static void summarize(hbg_api_report *report, const hbg_stats_view *view) {
    static const double shares[] = {0, 0.05, 0.5, 0.95, 1};
    static const char *const keys[] = {"least", "q05", "median", "q95", "greatest"};
    double *values = HBG_NEW_ARRAY(&view->session->scratch, double, view->row_count + 1);
    hbg_api_report *list = hbg_api_list(report, "results");
    hbg_api_say(report, "mean ± deviation; least, 5 %%, median, 95 %%, greatest:\n");
    for (int32_t i = 0; i < view->result_count; i++) {
        const char *name = view->of.columns[view->results[i]].name;
        int64_t count = take_sorted(view, view->results[i], values);
        double mean = 0, squares = 0;
        for (int64_t k = 0; k < count; k++) mean += values[k] / (double)count;
        for (int64_t k = 0; k < count; k++) squares += (values[k] - mean) * (values[k] - mean);
        double deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
        hbg_api_report *of = hbg_api_object(list, NULL);
        hbg_api_text(of, "name", name);
        hbg_api_count(of, "runs", count);
        if (count == 0) continue;
        hbg_api_number(of, "mean", mean);
        hbg_api_number(of, "deviation", deviation);
        hbg_api_say(report, "  %s: %.5g ± %.3g;", name, mean, deviation);
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            double value = hbg_base_quantile(values, count, shares[k]);
            hbg_api_number(of, keys[k], value);
            hbg_api_say(report, "%s %.5g", k > 0 ? "," : "", value);
        }
        hbg_api_say(report, "\n");
    }
}

/* ---- worst cases ---------------------------------------------------------------------------------------- */

typedef struct {
    double value;
    int64_t row;
} place;

static int by_worst(const void *a, const void *b) {
    const place *one = a, *other = b;
    if (one->value != other->value) return one->value > other->value ? -1 : 1;
    return (one->row > other->row) - (one->row < other->row);
}

/* The options of `hbg run` that repeat the run. */
static const char *again(const hbg_stats_view *view, int64_t row) {
    char text[HBG_DOUBLE_TEXT];
    hbg_buffer out;
    hbg_base_buffer_init(&out, &view->session->scratch);
    for (int32_t k = 0; k < view->param_count; k++) {
        hbg_base_double_print(text, view->of.values[view->params[k]][row]);
        const hbg_sim_column *column = &view->of.columns[view->params[k]];
        if (column->unit)
            hbg_base_buffer_print(&out, "-p '%s=%s [%s]' ", column->name, text, column->unit);
        else
            hbg_base_buffer_print(&out, "-p %s=%s ", column->name, text);
    }
    if (view->of.faults[row] && view->of.faults[row][0])
        hbg_base_buffer_print(&out, "--fault '%s' ", view->of.faults[row]);
    hbg_base_buffer_print(&out, "--seed %.0f", view->of.values[hbg_api_stats_named(&view->of, "seed")][row]);
    return out.data;
}

static hbg_status tell_worst(hbg_api_report *report, const hbg_stats_view *view) {
    const hbg_stats_options *options = view->options;
    int32_t column;
    HBG_TRY(hbg_api_stats_column(view->session, &view->of, options->worst, &column));
    const char *name = view->of.columns[column].name, *ending = strrchr(name, ' ');
    bool least = ending && strcmp(ending, " min") == 0;
    place *places = HBG_NEW_ARRAY(&view->session->scratch, place, view->row_count + 1);
    int64_t count = 0;
    for (int64_t i = 0; i < view->row_count; i++) {
        double value = view->of.values[column][view->rows[i]];
        if (!isnan(value)) places[count++] = (place){least ? -value : value, view->rows[i]};
    }
    qsort(places, (size_t)count, sizeof *places, by_worst);
    hbg_api_report *list = hbg_api_list(report, "worst");
    hbg_api_say(report, "%s %s:\n", least ? "least" : "greatest", name);
    for (int64_t i = 0; i < count && i < options->count; i++) {
        int64_t row = places[i].row;
        hbg_api_report *of = hbg_api_object(list, NULL);
        hbg_api_count(of, "run", (int64_t)view->of.values[0][row]);
        hbg_api_number(of, "value", view->of.values[column][row]);
        hbg_api_text(of, "options", again(view, row));
        hbg_api_say(report, "  run %lld: %.6g, %s\n", (long long)view->of.values[0][row],
                    view->of.values[column][row], again(view, row));
    }
    return HBG_OK;
}

/* ---- yield ---------------------------------------------------------------------------------------------- */

typedef struct {
    int32_t column;
    bool below, strict;
    double bound;
    int64_t missed;
} limit;

/* The number of a text in the unit of a column: unchanged without a unit; else through SI, the unit of a
 * column without one. */
static hbg_status read_bound(hbg_session *session, const hbg_sim_column *column, const char *text,
                             double *bound) {
    hbg_dimension own, dimension = hbg_model_dimension_any;
    const char *reason = NULL;
    double zero = 0, one = 1;
    hbg_units *units = session->lang.units;
    hbg_arena *arena = &session->scratch;
    if (hbg_base_double_parse(text, strlen(text), bound) && !isnan(*bound)) return HBG_OK;
    if (!hbg_lang_quantity(units, arena, text, strlen(text), bound, &dimension, &reason))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "`%s`: %s", text, reason);
    if (!column->unit || !*column->unit) return HBG_OK;
    const char *nothing = hbg_base_arena_print(arena, "0 [%s]", column->unit),
               *single = hbg_base_arena_print(arena, "1 [%s]", column->unit);
    if (!hbg_lang_quantity(units, arena, nothing, strlen(nothing), &zero, &own, &reason) ||
        !hbg_lang_quantity(units, arena, single, strlen(single), &one, &own, &reason))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "the unit of `%s`, [%s]: %s", column->name,
                                    column->unit, reason);
    if (!hbg_model_dimension_agree(own, dimension))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "`%s` is in %s, and `%s` is not", column->name,
                                    column->unit, text);
    *bound = (*bound - zero) / (one - zero);
    return HBG_OK;
}

static hbg_status read_limit(const hbg_stats_view *view, const char *text, limit *of) {
    hbg_session *session = view->session;
    size_t size = strcspn(text, "<>"), from = 0;
    const char *at = text + size;
    *of = (limit){.below = *at == '<', .strict = *at && at[1] != '='};
    const char *number = *at ? at + (of->strict ? 1 : 2) : at;
    while (*number == ' ') number++;
    size_t length = strlen(number);
    while (length > 0 && number[length - 1] == ' ') length--;
    if (!*at || length == 0 || !strchr("+-.0123456789", *number))
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "`--limit %s` is no limit: write a column, <=, <, >= or >, and a number: `v max <= 5`", text);
    while (size > from && text[size - 1] == ' ') size--;
    while (from < size && text[from] == ' ') from++;
    HBG_TRY(hbg_api_stats_column(
        session, &view->of, hbg_base_arena_copy(&session->scratch, text + from, size - from), &of->column));
    return read_bound(session, &view->of.columns[of->column],
                      hbg_base_arena_copy(&session->scratch, number, length), &of->bound);
}

static bool holds(const limit *of, double value) {
    if (of->below) return of->strict ? value < of->bound : value <= of->bound;
    return of->strict ? value > of->bound : value >= of->bound;
}

/* Wilson's interval: it contains the share in 95 of 100 such samples. */
static void interval(double good, double count, double *low, double *high) {
    static const double z = 1.959963984540054;
    double share = good / count, scale = 1 + z * z / count;
    double centre = (share + z * z / (2 * count)) / scale;
    double half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale;
    *low = centre - half;
    *high = centre + half;
}

static hbg_status tell_yield(hbg_api_report *report, const hbg_stats_view *view) {
    const hbg_stats_options *options = view->options;
    limit *limits = HBG_NEW_ARRAY(&view->session->scratch, limit, options->limit_count + 1);
    int64_t good = 0, runs = view->of.row_count;
    for (int i = 0; i < options->limit_count; i++) HBG_TRY(read_limit(view, options->limits[i], &limits[i]));
    for (int64_t row = 0; row < runs; row++) {
        bool all = view->of.finished[row];
        for (int i = 0; i < options->limit_count && view->of.finished[row]; i++) {
            bool fine = holds(&limits[i], view->of.values[limits[i].column][row]);
            limits[i].missed += !fine;
            all = all && fine;
        }
        good += all;
    }
    if (runs == 0) return hbg_api_session_fail(view->session, HBG_BAD_ARGUMENT, "the table has no rows");
    double low, high;
    interval((double)good, (double)runs, &low, &high);
    hbg_api_report *of = hbg_api_object(report, "yield");
    hbg_api_count(of, "good", good);
    hbg_api_count(of, "runs", runs);
    hbg_api_number(of, "low", low);
    hbg_api_number(of, "high", high);
    hbg_api_report *list = hbg_api_list(of, "limits");
    hbg_api_say(report, "yield %.4g %% (%lld of %lld runs; with 95 %% confidence %.4g to %.4g %%)\n",
                100 * (double)good / (double)runs, (long long)good, (long long)runs, 100 * low, 100 * high);
    for (int i = 0; i < options->limit_count; i++) {
        hbg_api_report *one = hbg_api_object(list, NULL);
        hbg_api_text(one, "limit", options->limits[i]);
        hbg_api_count(one, "missed", limits[i].missed);
        hbg_api_say(report, "  %s: missed by %lld\n", options->limits[i], (long long)limits[i].missed);
    }
    return HBG_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static hbg_status answer(hbg_api_report *report, const hbg_stats_view *view) {
    const hbg_stats_options *options = view->options;
    int64_t lost = view->of.row_count - view->row_count;
    bool asked = options->worst || options->limit_count > 0 || options->correlate || options->sobol ||
                 options->signatures;
    hbg_api_count(report, "runs", view->of.row_count);
    hbg_api_count(report, "unfinished", lost);
    hbg_api_say(report, "%lld run%s; %lld did not get to the end\n", (long long)view->of.row_count,
                view->of.row_count == 1 ? "" : "s", (long long)lost);
    if (!asked) summarize(report, view);
    if (options->worst) HBG_TRY(tell_worst(report, view));
    if (options->limit_count > 0) HBG_TRY(tell_yield(report, view));
    if (options->correlate && view->param_count == 0)
        return hbg_api_session_fail(view->session, HBG_BAD_ARGUMENT,
                                    "no parameter was swept: there is nothing to correlate with");
    if (options->correlate) hbg_api_stats_correlate(report, view);
    if (options->sobol) HBG_TRY(hbg_api_stats_sobol(report, view));
    if (options->signatures) HBG_TRY(hbg_api_stats_signatures(report, view));
    return HBG_OK;
}

hbg_status hbg_stats(hbg_session *session, const char *path, const hbg_stats_options *options,
                     hbg_text *text) {
    hbg_stats_options used = options ? *options : hbg_stats_options_default();
    *text = (hbg_text){0};
    HBG_ENTER(session);
    hbg_stats_view *view = HBG_NEW(&session->scratch, hbg_stats_view);
    view->options = &used;
    hbg_status status = hbg_api_stats_open(session, path, view);
    hbg_api_report *report = hbg_api_report_new(session);
    if (status == HBG_OK) status = answer(report, view);
    if (status == HBG_OK) status = hbg_api_report_print(report, used.json, text);
    return hbg_api_session_leave(session, status);
}
