/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sobol's indices: which share of the variance of a result comes from a parameter by itself (first), and
 * which would disappear if it were known (total). From a plan of two independent draws A and B in each group,
 * and A with one parameter of B after the other: the first by Saltelli et al. (Computer Physics
 * Communications 181, 2010), the total by Jansen (Computer Physics Communications 117, 1999). */
#include <math.h>

#include "api/stats_impl.h"

/* Mean and its standard error, of numbers that arrive one by one. */
typedef struct {
    double sum, squares;
    int64_t count;
} gauge;

static void add(gauge *g, double value) {
    g->sum += value;
    g->squares += value * value;
    g->count++;
}

static double mean_of(const gauge *g) {
    return g->sum / (double)g->count;
}

static double error_of(const gauge *g) {
    double n = (double)g->count, mean = g->sum / n, spread = g->squares / n - mean * mean;
    return n > 1 && spread > 0 ? sqrt(spread / (n - 1)) : 0;
}

void hbg_api_stats_sobol_of(const double *values, int64_t samples, int32_t params, hbg_stats_sobol *indices) {
    int32_t size = params + 2;
    double sum = 0, variance = 0;
    for (int64_t s = 0; s < samples; s++) sum += values[s * size] + values[s * size + 1];
    double mean = sum / (2 * (double)samples);
    for (int64_t s = 0; s < samples; s++) {
        double a = values[s * size] - mean, b = values[s * size + 1] - mean;
        variance += (a * a + b * b) / (2 * (double)samples);
    }
    for (int32_t i = 0; i < params; i++) {
        gauge first = {0}, total = {0};
        for (int64_t s = 0; s < samples; s++) {
            const double *group = values + s * size;
            double a = group[0] - mean, b = group[1] - mean, mixed = group[2 + i] - mean;
            add(&first, b * (mixed - a));
            add(&total, (a - mixed) * (a - mixed) / 2);
        }
        bool varies = variance > 0;
        indices[i] = (hbg_stats_sobol){
            varies ? mean_of(&first) / variance : NAN, varies ? mean_of(&total) / variance : NAN,
            varies ? error_of(&first) / variance : NAN, varies ? error_of(&total) / variance : NAN};
    }
}

/* Whether the rows are those of `--plan sobol`. */
static bool is_plan(const hbg_stats_view *view) {
    int64_t size = view->param_count + 2;
    if (view->param_count == 0 || view->of.row_count == 0 || view->of.row_count % size != 0) return false;
    for (int64_t row = 0; row < view->of.row_count; row++) {
        int64_t start = row / size * size, in = row % size;
        for (int32_t k = 0; k < view->param_count && in >= 2; k++) {
            const double *values = view->of.values[view->params[k]];
            if (values[row] != values[start + (k == in - 2)]) return false;
        }
    }
    return true;
}

/* Values of the groups of which all runs got to their end; returns how many. */
static int64_t take_groups(const hbg_stats_view *view, int32_t column, double *values) {
    int64_t size = view->param_count + 2, samples = 0;
    for (int64_t start = 0; start < view->of.row_count; start += size) {
        bool whole = true;
        for (int64_t k = 0; k < size; k++) {
            values[samples * size + k] = view->of.values[column][start + k];
            whole = whole && view->of.finished[start + k] && isfinite(values[samples * size + k]);
        }
        samples += whole;
    }
    return samples;
}

hbg_status hbg_api_stats_sobol(hbg_api_report *report, const hbg_stats_view *view) {
    hbg_session *session = view->session;
    if (!is_plan(view))
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "`%s` was not made by such a plan: write `hbg sweep … --plan sobol --runs N`", view->path);
    double *values = HBG_NEW_ARRAY(&session->scratch, double, view->of.row_count + 1);
    hbg_stats_sobol *indices = HBG_NEW_ARRAY(&session->scratch, hbg_stats_sobol, view->param_count + 1);
    hbg_api_report *list = hbg_api_list(report, "sobol");
    hbg_api_say(report, "Sobol indices, first and total, with standard errors:\n");
    for (int32_t i = 0; i < view->result_count; i++) {
        const char *result = view->of.columns[view->results[i]].name;
        int64_t samples = take_groups(view, view->results[i], values);
        hbg_api_report *of = hbg_api_object(list, NULL);
        hbg_api_text(of, "result", result);
        hbg_api_count(of, "samples", samples);
        hbg_api_report *by = hbg_api_list(of, "parameters");
        hbg_api_say(report, "  %s, %lld sample%s\n", result, (long long)samples, samples == 1 ? "" : "s");
        if (samples > 0) hbg_api_stats_sobol_of(values, samples, view->param_count, indices);
        for (int32_t k = 0; k < view->param_count && samples > 0; k++) {
            const hbg_stats_sobol *index = &indices[k];
            const char *param = view->of.columns[view->params[k]].name;
            hbg_api_report *one = hbg_api_object(by, NULL);
            hbg_api_text(one, "parameter", param);
            hbg_api_number(one, "first", index->first);
            hbg_api_number(one, "first_error", index->first_error);
            hbg_api_number(one, "total", index->total);
            hbg_api_number(one, "total_error", index->total_error);
            if (isnan(index->first))
                hbg_api_say(report, "    %s: the result does not vary\n", param);
            else
                hbg_api_say(report, "    %s: %.3f ± %.3f, %.3f ± %.3f\n", param, index->first,
                            index->first_error, index->total, index->total_error);
        }
    }
    return HBG_OK;
}
