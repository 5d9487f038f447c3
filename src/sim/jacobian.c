/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The Jacobian of the field in a pattern that always has the diagonal, since every implicit method adds to it. */
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

/* The rows of column j with j itself among them; tells where the given ones and the diagonal go. */
static void lay_column(hbg_sim_jacobian *jacobian, hbg_rt_pattern pattern, int32_t j) {
    int32_t next = jacobian->start[j];
    bool has_diagonal = false;
    for (int32_t k = pattern.start[j]; k < pattern.start[j + 1]; k++) {
        if (!has_diagonal && pattern.row[k] >= j) {
            jacobian->diagonal[j] = next;
            has_diagonal = true;
            if (pattern.row[k] > j) jacobian->row[next++] = j;
        }
        jacobian->place[k] = next;
        jacobian->row[next++] = pattern.row[k];
    }
    if (!has_diagonal) {
        jacobian->diagonal[j] = next;
        jacobian->row[next++] = j;
    }
    jacobian->start[j + 1] = next;
}

void hbg_sim_jacobian_init(hbg_sim_jacobian *jacobian, hbg_arena *arena, hbg_rt_pattern pattern) {
    if (pattern.count < 0) hbg_memory_exhausted(arena->memory);
    int32_t n = pattern.count, given = n > 0 ? pattern.start[n] : 0;
    *jacobian = (hbg_sim_jacobian){.n = n, .given_count = given};
    jacobian->start = HBG_NEW_ARRAY(arena, int32_t, n + 1);
    jacobian->row = HBG_NEW_ARRAY(arena, int32_t, (size_t)given + n);
    jacobian->diagonal = HBG_NEW_ARRAY(arena, int32_t, n);
    jacobian->place = HBG_NEW_ARRAY(arena, int32_t, given);
    jacobian->given = HBG_NEW_ARRAY(arena, double, given);
    for (int32_t j = 0; j < n; j++) lay_column(jacobian, pattern, j);
    jacobian->nonzeros = jacobian->start[n];
    jacobian->values = HBG_NEW_ARRAY(arena, double, jacobian->nonzeros);
}

hbg_rt_status hbg_sim_jacobian_at(hbg_sim_field *field, double t, const double *x, double *values) {
    hbg_sim_jacobian *jacobian = &field->jacobian;
    field->jacobians++;
    hbg_rt_status status = field->system->jacobian(field->instance, t, x, jacobian->given);
    if (status != HBG_RT_OK) {
        field->status = status;
        return status;
    }
    memset(values, 0, (size_t)jacobian->nonzeros * sizeof *values);
    for (int32_t k = 0; k < jacobian->given_count; k++) values[jacobian->place[k]] = jacobian->given[k];
    return HBG_RT_OK;
}

/* The entry at (row, column), by bisection; 0 where the pattern has none. */
static double entry(const hbg_sim_jacobian *jacobian, const double *values, int32_t row, int32_t column) {
    int32_t low = jacobian->start[column], high = jacobian->start[column + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (jacobian->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < jacobian->start[column + 1] && jacobian->row[low] == row;
    return there ? values[low] : 0;
}

double hbg_sim_jacobian_pace(const hbg_sim_jacobian *jacobian, const double *values) {
    double pace = 0;
    for (int32_t j = 0; j < jacobian->n; j++) {
        pace = fmax(pace, fabs(values[jacobian->diagonal[j]]));
        for (int32_t k = jacobian->start[j]; k < jacobian->start[j + 1] && jacobian->row[k] < j; k++)
            pace = fmax(pace, sqrt(fabs(values[k]) * fabs(entry(jacobian, values, j, jacobian->row[k]))));
    }
    return pace;
}
