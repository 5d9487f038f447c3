/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How large the largest contribution to a value is: what its rounding errors are a share of, and hence the band in which values
 * count as equal (semantics, section 5). A contribution is a coefficient times an energy or a source; sums keep the
 * largest, products scale it. While time flows the same is asked for the differences whose signs are watched. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "eqn/instance_impl.h"

/* Unknowns of a loop answer to their residuals through the inverse of the Jacobian. */
static void measure(hbg_rt_instance *run, const instruction *code, int32_t count, bool plain);

static void measure_loop(hbg_rt_instance *run, const loop *of, bool plain) {
    double *size = run->at.size;
    size_t n = (size_t)of->count;
    for (int32_t i = 0; i < of->count; i++) size[of->reg[i]] = 0; // what comes from outside
    measure(run, of->body.code, of->body.count, plain);
    if (of->is_sparse ||
        run->dense_capacity < of->count) { // too many solves: the unknowns speak for themselves
        double largest = 0;
        for (int32_t i = 0; i < of->count; i++) largest = fmax(largest, fabs(run->r[of->reg[i]]));
        for (int32_t i = 0; i < of->count; i++)
            size[of->reg[i]] = fmax(fabs(run->r[of->reg[i]]), 1e-3 * largest);
        measure(run, of->body.code, of->body.count, plain);
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
    measure(run, of->body.code, of->body.count, plain);
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

/* Plain: what a denominator or an argument contributes does not count for more than the value itself, however near a pole or the tip of
 * a cusp is. */
static double measure_one(const hbg_rt_instance *run, const instruction *at, bool plain) {
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
    case HBG_OP_DIVIDE: return fmax(size[a] / fabs(r[b]), plain ? 0 : fabs(r[at->d]) * size[b] / fabs(r[b]));
    case HBG_OP_SELECT: return r[a] != 0 ? size[b] : size[c];
    case HBG_OP_REMAINDER: return fmax(fabs(r[at->d]), size[a]); // it follows what is divided
    case HBG_OP_TABLE:
    case TERM_SLOPE:
    case TERM_CHARGE:
    case HBG_OP_PI: return fabs(r[at->d]);
    default: return plain ? fabs(r[at->d]) : through_function(run, at);
    }
}

static void measure(hbg_rt_instance *run, const instruction *code, int32_t count, bool plain) {
    double *size = run->at.size;
    for (int32_t i = 0; i < count; i++) {
        if (code[i].op == CODE_SOLVE) {
            measure_loop(run, &run->view.loops[code[i].argument[0]], plain);
            continue;
        }
        double found = measure_one(run, &code[i], plain);
        size[code[i].d] = isfinite(found) ? found : fabs(run->r[code[i].d]);
    }
}

void hbg_eqn_measure(hbg_rt_instance *run, const instruction *code, int32_t count) {
    measure(run, code, count, false);
}

/* ---- roots -------------------------------------------------------------------------------------------- */

static void keep_larger(double *size, double found) {
    if (found > *size && isfinite(found)) *size = found;
}

/* Of relations inside laws, what is compared. Cells of tables and of whole numbers are no differences. */
static void size_located(const hbg_rt_instance *run, const program *of, double *sizes) {
    const double *size = run->at.size;
    for (const instruction *at = of->code, *end = of->code + of->count; at < end; at++) {
        bool two = (at->op >= HBG_OP_LESS && at->op <= HBG_OP_GREATER_EQUAL) || at->op == HBG_OP_MIN ||
                   at->op == HBG_OP_MAX;
        if (at->op == CODE_SOLVE) size_located(run, &run->view.loops[at->argument[0]].body, sizes);
        if (at->located == HBG_NONE || !(two || at->op == HBG_OP_ABS || at->op == HBG_OP_SIGN)) continue;
        keep_larger(&sizes[at->located], size[at->argument[0]]);
        if (two) keep_larger(&sizes[at->located], size[at->argument[1]]);
    }
}

/* Compiled code may leave out registers that it has no use for behind it: here all are wanted. */
static hbg_rt_status run_and_measure(hbg_rt_instance *run, const program *of, double *sizes) {
    hbg_rt_status status = hbg_eqn_execute(run, of->code, of->count);
    if (status != HBG_RT_OK) return status;
    measure(run, of->code, of->count, true);
    size_located(run, of, sizes);
    return status;
}

/* What code starts from. */
static void size_known(const hbg_rt_instance *run) {
    double *size = run->at.size;
    for (int32_t i = 0; i < run->register_capacity; i++) size[i] = fabs(run->r[i]);
    for (int32_t i = 0; i < run->instants->counts.ins; i++)
        keep_larger(&size[run->instants->kept.ins[i].fin], run->in_values[i].fin_size);
}

static hbg_rt_status measure_reading(hbg_rt_instance *run, reading_kind reading, double *sizes) {
    const segment *segments = run->eqn->segments.items;
    hbg_rt_status status = HBG_RT_OK;
    size_known(run);
    for (int32_t i = 0; i < run->segment_count && status == HBG_RT_OK; i++) {
        const program *code =
            segments[i].varies ? &run->variant[i]->code[reading] : &segments[i].code[reading];
        status = run_and_measure(run, code, sizes);
    }
    return status == HBG_RT_OK ? run_and_measure(run, &run->eqn->finals[reading].code, sizes) : status;
}

/* Bands of relations whose sides are equal but for rounding follow these. */
static void follow_bands(hbg_rt_instance *run, double *sizes) {
    for (int32_t k = 0; k < run->instants->counts.relations; k++) {
        int32_t reg = run->instants->guards.relations[k].watch;
        double size = run->at.size[reg];
        if (!run->at.watched[k] || !isfinite(size)) continue;
        sizes[k] = fmax(size, DBL_MIN);
        if (fabs(run->r[reg]) <= HBG_RT_ROUNDING * size) keep_larger(&run->at.fin_band[k], size);
    }
}

/* Sizes of registers that instants go by stay as they are. */
static hbg_rt_status root_sizes(hbg_rt_instance *run, double t, const double *x, double *sizes) {
    instant_data *at = &run->at;
    for (int32_t i = 0; i < run->eqn->system.root_count; i++) sizes[i] = 0;
    hbg_rt_status status = hbg_eqn_read(run, t, x, READ_WATCH);
    if (status == HBG_RT_OK) status = hbg_eqn_instant_room(run);
    if (status != HBG_RT_OK) return status;
    double *kept = at->size;
    at->size = kept + at->size_capacity;
    status = measure_reading(run, READ_FIELD, sizes);
    if (status == HBG_RT_OK) status = measure_reading(run, READ_WATCH, sizes);
    if (status == HBG_RT_OK && run->instants->has_events) follow_bands(run, sizes + run->eqn->located_limit);
    at->size = kept;
    return status;
}

void hbg_eqn_size_functions(hbg_rt_system *system) {
    system->root_sizes = root_sizes;
}
