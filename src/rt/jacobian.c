/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The Jacobian of the field in a pattern that always has the diagonal, since every implicit method adds to
 * it. Modes have different patterns: one that holds all of them grows while modes are entered for the first
 * time, and then stays, so that a matrix made for it and its analysis can be reused. Entries that a mode does
 * not have are 0. */
#include <math.h>
#include <string.h>

#include "rt/field.h"

/* ---- the pattern -------------------------------------------------------------------------------------- */

/* Sorted rows of column j into `to`: the present ones, the given ones, and j itself. Returns how many. */
static int32_t merge_column(const hbg_rt_jacobian_matrix *old, hbg_rt_pattern pattern, int32_t j,
                            int32_t *to) {
    int32_t a = old->n > 0 ? old->start[j] : 0, a_end = old->n > 0 ? old->start[j + 1] : 0;
    int32_t b = pattern.start[j], b_end = pattern.start[j + 1], count = 0;
    bool has_diagonal = false;
    while (a < a_end || b < b_end || !has_diagonal) {
        int32_t next = has_diagonal ? INT32_MAX : j;
        if (a < a_end && old->row[a] < next) next = old->row[a];
        if (b < b_end && pattern.row[b] < next) next = pattern.row[b];
        if (a < a_end && old->row[a] == next) a++;
        if (b < b_end && pattern.row[b] == next) b++;
        has_diagonal = has_diagonal || next == j;
        to[count++] = next;
    }
    return count;
}

static void release(hbg_rt_jacobian_matrix *jacobian, hbg_rt_room *room) {
    void *const places[] = {jacobian->values, jacobian->given,    jacobian->place,
                            jacobian->row,    jacobian->diagonal, jacobian->start};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) hbg_rt_room_return(room, places[i]);
}

hbg_rt_status hbg_rt_jacobian_widen(hbg_rt_jacobian_matrix *jacobian, hbg_rt_room *room,
                                    hbg_rt_pattern pattern) {
    if (pattern.count < 0) return HBG_RT_NO_MEMORY;
    int32_t n = pattern.count, given = n > 0 ? pattern.start[n] : 0;
    hbg_rt_jacobian_matrix wide = {.n = n, .capacity = jacobian->nonzeros + given + n};
    size_t entries = (size_t)wide.capacity;
    wide.start = HBG_RT_TAKE(room, int32_t, n + 1);
    wide.diagonal = HBG_RT_TAKE(room, int32_t, n);
    wide.row = HBG_RT_TAKE(room, int32_t, entries);
    wide.place = HBG_RT_TAKE(room, int32_t, entries);
    wide.given = HBG_RT_TAKE(room, double, entries);
    wide.values = HBG_RT_TAKE(room, double, entries);
    if (room->is_exhausted) return HBG_RT_NO_MEMORY;
    for (int32_t j = 0; j < n; j++) {
        int32_t start = wide.start[j];
        wide.start[j + 1] = start + merge_column(jacobian, pattern, j, wide.row + start);
        wide.diagonal[j] = start;
        while (wide.row[wide.diagonal[j]] != j) wide.diagonal[j]++;
    }
    wide.nonzeros = wide.start[n];
    release(jacobian, room);
    *jacobian = wide;
    (void)hbg_rt_jacobian_take(jacobian, pattern);
    return HBG_RT_OK;
}

bool hbg_rt_jacobian_take(hbg_rt_jacobian_matrix *jacobian, hbg_rt_pattern pattern) {
    if (pattern.count != jacobian->n) return false;
    for (int32_t j = 0; j < jacobian->n; j++) {
        int32_t at = jacobian->start[j], end = jacobian->start[j + 1];
        for (int32_t k = pattern.start[j]; k < pattern.start[j + 1]; k++) {
            while (at < end && jacobian->row[at] < pattern.row[k]) at++;
            if (at == end || jacobian->row[at] != pattern.row[k]) return false;
            jacobian->place[k] = at;
        }
    }
    jacobian->given_count = jacobian->n > 0 ? pattern.start[jacobian->n] : 0;
    return true;
}

/* ---- values ------------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_jacobian_at(hbg_rt_field *field, double t, const double *x, double *values) {
    hbg_rt_jacobian_matrix *jacobian = &field->jacobian;
    field->jacobians++;
    hbg_rt_status status = hbg_rt_jacobian(field->instance, t, x, jacobian->given);
    if (status != HBG_RT_OK) {
        field->status = status;
        return status;
    }
    memset(values, 0, (size_t)jacobian->nonzeros * sizeof *values);
    for (int32_t k = 0; k < jacobian->given_count; k++) values[jacobian->place[k]] = jacobian->given[k];
    return HBG_RT_OK;
}

static bool has_all(const hbg_rt_jacobian_matrix *jacobian, const double *values) {
    double sum = 0;
    for (int32_t k = 0; k < jacobian->nonzeros; k++) sum += values[k] - values[k];
    return sum == 0;
}

hbg_rt_status hbg_rt_jacobian_near(hbg_rt_field *field, double t, const double *x, double *values) {
    static const double sides[] = {1, -1, 1e3, -1e3};
    hbg_rt_status status = hbg_rt_jacobian_at(field, t, x, values);
    for (int side = 0; side < 4 && status == HBG_RT_OK && !has_all(&field->jacobian, values); side++) {
        for (int32_t i = 0; i < field->n; i++)
            field->aside[i] = x[i] + sides[side] * hbg_rt_field_tolerance(field, i, fabs(x[i]));
        status = hbg_rt_jacobian_at(field, t, field->aside, values);
    }
    return status;
}

/* The entry at (row, column), by bisection; 0 if it is not in the pattern. */
static double entry(const hbg_rt_jacobian_matrix *jacobian, const double *values, int32_t row,
                    int32_t column) {
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

double hbg_rt_jacobian_pace(const hbg_rt_jacobian_matrix *jacobian, const double *values, double *each) {
    double pace = 0;
    for (int32_t j = 0; j < jacobian->n; j++) {
        double own = fabs(values[jacobian->diagonal[j]]);
        for (int32_t k = jacobian->start[j]; k < jacobian->start[j + 1] && jacobian->row[k] < j; k++) {
            int32_t i = jacobian->row[k];
            double pair = sqrt(fabs(values[k]) * fabs(entry(jacobian, values, j, i)));
            own = fmax(own, pair);
            if (each) each[i] = fmax(each[i], pair);
        }
        if (each) each[j] = own;
        pace = fmax(pace, own);
    }
    return pace;
}
