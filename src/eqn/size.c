/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How large the largest contribution to a value is: what its rounding errors are a share of, and hence the band in which values
 * count as equal (semantics, section 5). A contribution is a coefficient times an energy or a source; sums keep the
 * largest, products scale it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* Unknowns of a loop answer to their residuals through the inverse of the Jacobian. */
static void measure_loop(hbg_rt_instance *run, const loop *of) {
    double *size = run->at.size;
    size_t n = (size_t)of->count;
    for (int32_t i = 0; i < of->count; i++) size[of->reg[i]] = 0; // what comes from outside
    hbg_eqn_measure(run, of->body.code, of->body.count);
    if (of->is_sparse ||
        run->dense_capacity < of->count) { // too many solves: the unknowns speak for themselves
        double largest = 0;
        for (int32_t i = 0; i < of->count; i++) largest = fmax(largest, fabs(run->r[of->reg[i]]));
        for (int32_t i = 0; i < of->count; i++)
            size[of->reg[i]] = fmax(fabs(run->r[of->reg[i]]), 1e-3 * largest);
        hbg_eqn_measure(run, of->body.code, of->body.count);
        return;
    }
    memset(run->matrix, 0, n * n * sizeof *run->matrix);
    for (int32_t i = 0; i < of->entry_count; i++)
        run->matrix[(size_t)of->entries[i].row * n + (size_t)of->entries[i].column] =
            run->r[of->entries[i].reg];
    for (int32_t i = 0; i < of->count; i++) run->origin[i] = 0;
    if (hbg_rt_lu_factor(of->count, run->matrix, run->pivot, NULL))
        for (int32_t k = 0; k < of->count; k++) {
            memset(run->step, 0, n * sizeof *run->step);
            run->step[k] = size[of->residual[k]];
            hbg_rt_lu_solve(of->count, run->matrix, run->pivot, run->step);
            for (int32_t i = 0; i < of->count; i++) run->origin[i] = fmax(run->origin[i], fabs(run->step[i]));
        }
    for (int32_t i = 0; i < of->count; i++) size[of->reg[i]] = fmax(run->origin[i], fabs(run->r[of->reg[i]]));
    hbg_eqn_measure(run, of->body.code, of->body.count);
}

/* The share of an argument in a smooth function, by a difference as wide as its contribution's rounding would have to be to
 * matter. */
static double through_function(const hbg_rt_instance *run, const instruction *at) {
    const double *r = run->r, *size = run->at.size;
    double a = r[at->argument[0]], b = at->argument[1] < 0 ? 0 : r[at->argument[1]], result = fabs(r[at->d]);
    double step = 1e-7 * fmax(size[at->argument[0]], fabs(a));
    if (step > 0 && at->op < HBG_OP_COUNT && at->argument[2] < 0) {
        double moved = hbg_operator_evaluate((hbg_operator)at->op, a + step, b, 0);
        double share = fabs(moved - r[at->d]) / 1e-7;
        if (isfinite(share)) result = fmax(result, share);
    }
    return result;
}

static double measure_one(const hbg_rt_instance *run, const instruction *at) {
    const double *r = run->r, *size = run->at.size;
    int32_t a = at->argument[0], b = at->argument[1], c = at->argument[2];
    switch (at->op) {
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT: return fmax(size[a], size[b]);
    case CODE_COPY:
    case HBG_OP_NEGATE:
    case HBG_OP_ABS: return size[a];
    case HBG_OP_MIN:
    case HBG_OP_MAX: return fmax(size[a], size[b]);
    case HBG_OP_MULTIPLY: return fmax(fabs(r[a]) * size[b], fabs(r[b]) * size[a]);
    case HBG_OP_DIVIDE: return fmax(size[a] / fabs(r[b]), fabs(r[at->d]) * size[b] / fabs(r[b]));
    case HBG_OP_SELECT: return r[a] != 0 ? size[b] : size[c];
    case HBG_OP_TABLE:
    case TERM_SLOPE:
    case TERM_CHARGE:
    case HBG_OP_PI: return fabs(r[at->d]);
    default: return through_function(run, at);
    }
}

void hbg_eqn_measure(hbg_rt_instance *run, const instruction *code, int32_t count) {
    double *size = run->at.size;
    for (int32_t i = 0; i < count; i++) {
        if (code[i].op == CODE_SOLVE) {
            measure_loop(run, &run->view.loops[code[i].argument[0]]);
            continue;
        }
        double found = measure_one(run, &code[i]);
        size[code[i].d] = isfinite(found) ? found : fabs(run->r[code[i].d]);
    }
}
