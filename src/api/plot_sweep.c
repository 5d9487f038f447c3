/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The table of a sweep as a plot: over the swept parameter, if there is one, else over the number of the run.
 * Texts have no curve. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/plot_impl.h"

static int32_t find(const hbg_sim_table *table, const char *name) {
    for (int32_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return i;
    return HBG_NONE;
}

static bool is_number(const hbg_sim_table *table, int32_t column) {
    const char *name = table->columns[column].name;
    return strcmp(name, "fault") != 0 && strcmp(name, "verdict") != 0 && strcmp(name, "reason") != 0;
}

/* The swept columns are between the number of the run and the seed. */
static int32_t swept_column(const hbg_sim_table *table) {
    int32_t seed = find(table, "seed");
    return seed == 2 && is_number(table, 1) ? 1 : 0;
}

typedef struct {
    double x;
    int64_t row;
} place;

static int by_x(const void *a, const void *b) {
    const place *first = a, *second = b;
    if (first->x != second->x) return first->x < second->x ? -1 : 1;
    return (first->row > second->row) - (first->row < second->row);
}

static void sort_rows(hbg_session *session, hbg_sim_table *table, int32_t by) {
    place *places = HBG_NEW_ARRAY(&session->scratch, place, table->row_count + 1);
    double *sorted = HBG_NEW_ARRAY(&session->scratch, double, table->row_count + 1);
    for (int64_t i = 0; i < table->row_count; i++) places[i] = (place){table->values[by][i], i};
    qsort(places, (size_t)table->row_count, sizeof *places, by_x);
    for (int32_t k = 0; k < table->column_count; k++) {
        for (int64_t i = 0; i < table->row_count; i++) sorted[i] = table->values[k][places[i].row];
        memcpy(table->values[k], sorted, (size_t)table->row_count * sizeof *sorted);
    }
}

void hbg_api_plot_take_sweep(hbg_session *session, hbg_sim_table *table) {
    int32_t x = swept_column(table), count = 1;
    sort_rows(session, table, x);
    hbg_sim_column *columns = HBG_NEW_ARRAY(&session->scratch, hbg_sim_column, table->column_count + 1);
    double **values = HBG_NEW_ARRAY(&session->scratch, double *, table->column_count + 1);
    columns[0] = table->columns[x];
    values[0] = table->values[x];
    for (int32_t i = 0; i < table->column_count; i++) {
        if (i == x || !is_number(table, i)) continue;
        columns[count] = table->columns[i];
        values[count++] = table->values[i];
    }
    table->columns = columns;
    table->values = values;
    table->column_count = count;
}

bool hbg_api_plot_is_of_output(const char *name) {
    static const char *const endings[] = {" final", " min", " max", " mean"};
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (size > length && strcmp(name + size - length, endings[i]) == 0) return true;
    }
    return false;
}

const char *hbg_api_plot_output_of(hbg_arena *arena, const char *name) {
    const char *blank = strrchr(name, ' ');
    return hbg_api_plot_is_of_output(name) ? hbg_base_arena_copy(arena, name, (size_t)(blank - name)) : name;
}
