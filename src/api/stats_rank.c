/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rank correlation of results with what was swept (Spearman): 1 if a result always rises with a parameter,
 * however bent the curve. */
#include <math.h>
#include <stdlib.h>

#include "api/stats_impl.h"

typedef struct {
    double value;
    int64_t row;
} entry;

static int by_value(const void *a, const void *b) {
    const entry *one = a, *other = b;
    return (one->value > other->value) - (one->value < other->value);
}

/* Twice the ranks less their mean: whole numbers, so that sums are exact as long as they fit. */
static double *ranks_of(hbg_arena *arena, const double *values, int64_t count) {
    entry *entries = HBG_NEW_ARRAY(arena, entry, count + 1);
    double *ranks = HBG_NEW_ARRAY(arena, double, count + 1);
    for (int64_t i = 0; i < count; i++) entries[i] = (entry){values[i], i};
    qsort(entries, (size_t)count, sizeof *entries, by_value);
    for (int64_t i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count && entries[next].value == entries[i].value) next++;
        for (int64_t k = i; k < next; k++) ranks[entries[k].row] = (double)(i + next - count);
    }
    return ranks;
}

double hbg_api_stats_spearman(hbg_arena *arena, const double *x, const double *y, int64_t count) {
    const double *a = ranks_of(arena, x, count), *b = ranks_of(arena, y, count);
    double ab = 0, aa = 0, bb = 0;
    for (int64_t i = 0; i < count; i++) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

/* Rows in which both are numbers. */
static double correlation(const hbg_stats_view *view, int32_t x, int32_t y) {
    hbg_arena *arena = &view->session->scratch;
    double *a = HBG_NEW_ARRAY(arena, double, view->row_count + 1);
    double *b = HBG_NEW_ARRAY(arena, double, view->row_count + 1);
    int64_t count = 0;
    for (int64_t i = 0; i < view->row_count; i++) {
        a[count] = view->of.values[x][view->rows[i]];
        b[count] = view->of.values[y][view->rows[i]];
        count += !isnan(a[count]) && !isnan(b[count]);
    }
    return hbg_api_stats_spearman(arena, a, b, count);
}

void hbg_api_stats_correlate(hbg_api_report *report, const hbg_stats_view *view) {
    hbg_api_report *list = hbg_api_list(report, "correlations");
    hbg_api_say(report, "rank correlation, -1 to 1:\n");
    for (int32_t i = 0; i < view->result_count; i++) {
        const char *result = view->of.columns[view->results[i]].name;
        hbg_api_report *of = hbg_api_object(list, NULL), *with = NULL;
        hbg_api_text(of, "result", result);
        with = hbg_api_object(of, "with");
        hbg_buffer *line = hbg_api_words(report);
        hbg_base_buffer_print(line, "  %s:", result);
        for (int32_t k = 0; k < view->param_count; k++) {
            const char *param = view->of.columns[view->params[k]].name;
            double value = correlation(view, view->params[k], view->results[i]);
            hbg_api_number(with, param, value);
            if (isnan(value))
                hbg_base_buffer_print(line, " %s none,", param);
            else
                hbg_base_buffer_print(line, " %s %.3f,", param, value);
        }
        line->data[line->size - 1] = '\n';
    }
}
