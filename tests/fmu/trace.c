/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a run recorded, and how far two of them are apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/course.h"

static bool recorded(const fmu_description *d, int i, bool all) {
    const fmu_variable *v = &d->variables[i];
    if (v->array || v->clocked || v->type == FMU_STRING || v->type == FMU_BINARY || v->type == FMU_CLOCK)
        return false;
    if (v->causality == FMU_INDEPENDENT || v->variability == FMU_CONSTANT) return false;
    if (all) return true;
    for (int k = 0; k < d->lists[FMU_RATES].count; k++) {
        int rate = d->lists[FMU_RATES].items[k].variable;
        if (rate >= 0 && d->variables[rate].derivative_of == i) return true;
    }
    return v->causality == FMU_OUTPUT || (v->causality == FMU_LOCAL && v->variability == FMU_DISCRETE);
}

void fmu_trace_init(fmu_trace *trace, const fmu_description *description, bool all) {
    memset(trace, 0, sizeof *trace);
    trace->variables = fmu_allocate((size_t)description->variable_count, sizeof *trace->variables);
    for (int i = 0; i < description->variable_count; i++)
        if (recorded(description, i, all)) trace->variables[trace->columns++] = i;
}

void fmu_trace_fini(fmu_trace *trace) {
    free(trace->variables);
    free(trace->rows);
    memset(trace, 0, sizeof *trace);
}

void fmu_trace_clear(fmu_trace *trace) {
    trace->count = trace->events = trace->updates = trace->changes = trace->earlies = 0;
}

void fmu_trace_add(fmu_trace *trace, fmu_unit *unit, double time) {
    size_t width = (size_t)trace->columns + 1;
    if (trace->count == trace->room) {
        trace->room = trace->room ? 2 * trace->room : 256;
        trace->rows = realloc(trace->rows, (size_t)trace->room * width * sizeof *trace->rows);
        if (!trace->rows) exit(2);
    }
    double *row = trace->rows + (size_t)trace->count++ * width;
    *row++ = time;
    for (int i = 0; i < trace->columns; i++) {
        const fmu_variable *variable = &unit->description->variables[trace->variables[i]];
        if (!fmu_must(unit, fmu_get_value(unit, variable, &row[i]), variable->name)) return;
    }
}

int fmu_trace_differs(const fmu_trace *a, const fmu_trace *b) {
    size_t width = (size_t)a->columns + 1;
    for (int i = 0; i < a->count && i < b->count; i++)
        if (memcmp(a->rows + (size_t)i * width, b->rows + (size_t)i * width, width * sizeof *a->rows) != 0)
            return i;
    return a->count == b->count ? -1 : a->count < b->count ? a->count : b->count;
}

double fmu_trace_apart(const fmu_trace *a, const fmu_trace *b, const fmu_description *description,
                       const char *except, int *column) {
    size_t width = (size_t)a->columns + 1;
    if (!a->count || !b->count) return INFINITY;
    const double *last_a = a->rows + (size_t)(a->count - 1) * width,
                 *last_b = b->rows + (size_t)(b->count - 1) * width;
    double worst = 0;
    for (size_t i = 0; i < width; i++) {
        const fmu_variable *v = i ? &description->variables[a->variables[i - 1]] : NULL;
        double most = 1e-12, off = fabs(last_a[i] - last_b[i]);
        if (v && v->type == FMU_REAL && v->variability == FMU_DISCRETE) continue;
        if (v && except && strcmp(v->name, except) == 0) continue;
        for (int row = 0; row < a->count; row++) most = fmax(most, fabs(a->rows[(size_t)row * width + i]));
        if (off > 0 && !(off / most <= worst)) {
            worst = off / most;
            *column = (int)i - 1;
        }
    }
    return worst;
}
