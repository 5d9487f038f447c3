/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The size of a value: the magnitude of its largest contribution. Its rounding errors, and hence the band in
 * which values count as equal (semantics, section 5), are a share of it. A contribution is a coefficient
 * times an energy or a source; a sum keeps the largest, a product scales it. While time advances, sizes are
 * computed for the differences whose signs are watched. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

/* Unknowns of a loop depend on their residuals through the inverse of the Jacobian. */
static void measure(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count, bool plain);

static void measure_loop(hbg_rt_instance *run, const hbg_rt_loop_view *of, bool plain) {
    double *size = run->at.size;
    size_t n = (size_t)of->count;
    hbg_rt_program body = hbg_rt_program_at(run->image, of->body);
    for (int32_t i = 0; i < of->count; i++)
        size[of->reg[i]] = 0; // first the contributions from outside the loop
    measure(run, body.code, body.count, plain);
    if (of->is_sparse ||
        run->loops.dense_capacity < of->count) { // too many solves: sizes are those of the unknowns' values
        double largest = 0;
        for (int32_t i = 0; i < of->count; i++) largest = fmax(largest, fabs(run->r[of->reg[i]]));
        for (int32_t i = 0; i < of->count; i++)
            size[of->reg[i]] = fmax(fabs(run->r[of->reg[i]]), HBG_RT_LOOP_SHARE * largest);
        measure(run, body.code, body.count, plain);
        return;
    }
    memset(run->loops.matrix, 0, n * n * sizeof *run->loops.matrix);
    for (int32_t i = 0; i < of->entry_count; i++)
        run->loops.matrix[(size_t)of->entries[i].row * n + (size_t)of->entries[i].column] =
            run->r[of->entries[i].reg];
    for (int32_t i = 0; i < of->count; i++) run->loops.origin[i] = 0;
    if (hbg_rt_lu_factor(of->count, run->loops.matrix, run->loops.pivot, NULL))
        for (int32_t k = 0; k < of->count; k++) {
            memset(run->loops.step, 0, n * sizeof *run->loops.step);
            run->loops.step[k] = size[of->residual[k]];
            hbg_rt_lu_solve(of->count, run->loops.matrix, run->loops.pivot, run->loops.step);
            for (int32_t i = 0; i < of->count; i++)
                run->loops.origin[i] = fmax(run->loops.origin[i], fabs(run->loops.step[i]));
        }
    for (int32_t i = 0; i < of->count; i++)
        size[of->reg[i]] = fmax(run->loops.origin[i], fabs(run->r[of->reg[i]]));
    measure(run, body.code, body.count, plain);
}

/* The column `size` of the list of operators: size_… returns the largest contribution to the value that an
 * instruction left in register d. Plain: the contribution of a denominator or an argument counts for no more
 * than the value itself, however near a pole or the tip of a cusp is. Sizes of compared values are plain, at
 * instants and while time advances, so that a relation has one band. */
typedef struct {
    const double *r, *size;
    int op;
    int32_t d, a, b, c; /* registers: of the result, of the arguments */
    bool plain;
} measured;

static double size_none(measured of) {
    assert(false && "an operator in code");
    return fabs(of.r[of.d]);
}

static double size_value(measured of) {
    return fabs(of.r[of.d]);
}

static double size_first(measured of) {
    return of.size[of.a];
}

static double size_larger(measured of) {
    return hbg_rt_larger(of.size[of.a], of.size[of.b]);
}

static double size_product(measured of) {
    return hbg_rt_larger(fabs(of.r[of.a]) * of.size[of.b], fabs(of.r[of.b]) * of.size[of.a]);
}

static double size_quotient(measured of) {
    const double *r = of.r, *size = of.size;
    double divisor = of.plain ? 0 : fabs(r[of.d]) * size[of.b] / fabs(r[of.b]);
    return fmax(size[of.a] / fabs(r[of.b]), divisor);
}

static double size_chosen(measured of) {
    return of.r[of.a] != 0 ? of.size[of.b] : of.size[of.c];
}

static double size_rounded(measured of) {
    return hbg_rt_larger(fabs(of.r[of.d]),
                         of.size[of.a]); // the error is that of the dividend, or of the rounded number
}

static double moved_by(measured of, double step) {
    return hbg_rt_evaluate((hbg_operator)of.op, of.r[of.a] + step, of.b < 0 ? 0 : of.r[of.b], 0);
}

/* The share of an argument in a function, by a difference as wide as the rounding of its contribution would
 * have to be to matter. Plain: the value; where it passes through 0 or touches it, the lesser of the values a
 * little to both sides. A pole has large values on one side only. */
static double size_function(measured of) {
    double widest = fmax(of.size[of.a], fabs(of.r[of.a])), result = fabs(of.r[of.d]);
    if (!(widest > 0) || of.c >= 0) return result;
    if (of.plain) {
        double step = HBG_RT_SIZE_BESIDE * widest;
        return fmax(result, fmin(fabs(moved_by(of, step)), fabs(moved_by(of, -step))));
    }
    double share = fabs(moved_by(of, HBG_RT_SIZE_STEP * widest) - of.r[of.d]) / HBG_RT_SIZE_STEP;
    return isfinite(share) ? fmax(result, share) : result;
}

typedef double (*size_function_of)(measured of);

static const size_function_of sizes_of[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c_text)                                                                                            \
    [HBG_OP_##id] = size_##size,
    HBG_OPERATOR_LIST(X)
#undef X
};

static double measure_one(measured of) {
    if (of.op < HBG_OP_COUNT) return sizes_of[of.op](of);
    switch (of.op) {
    case HBG_RT_OP_COPY: return size_first(of);
    case HBG_RT_OP_DEFAULT:
    case HBG_RT_OP_SLOPE:
    case HBG_RT_OP_CHARGE: return size_value(of);
    default: return size_none(of);
    }
}

static double finite_size(measured of) {
    double found = measure_one(of);
    return isfinite(found) ? found : fabs(of.r[of.d]);
}

double hbg_rt_size_of(const double *r, const double *size, int op, int32_t d, const int32_t *argument) {
    return finite_size((measured){r, size, op, d, argument[0], argument[1], argument[2], true});
}

static void measure(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count, bool plain) {
    double *size = run->at.size;
    for (int32_t i = 0; i < count; i++) {
        if (code[i].op == HBG_RT_OP_SOLVE) {
            hbg_rt_loop_view of = hbg_rt_loop_at(run->image, code[i].argument[0]);
            measure_loop(run, &of, plain);
            continue;
        }
        const int32_t *argument = code[i].argument;
        size[code[i].d] = finite_size(
            (measured){run->r, size, code[i].op, code[i].d, argument[0], argument[1], argument[2], plain});
    }
}

void hbg_rt_measure_code(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count) {
    hbg_rt_program of = {code, count};
    measure(run, code, count, false);
    if (hbg_rt_has_loops(of)) hbg_rt_take_answers(run, of, false);
}

/* ---- roots -------------------------------------------------------------------------------------------- */

static void keep_larger(double *size, double found) {
    if (found > *size && isfinite(found)) *size = found;
}

/* Sizes of the values compared by relations inside laws. Cells of tables and of whole numbers have no
 * differences. */
static void size_located(const hbg_rt_instance *run, hbg_rt_program of, hbg_rt_reading reading,
                         double *sizes) {
    const double *size = run->at.size;
    for (int32_t i = 0; i < of.count; i++) {
        const hbg_rt_instruction *at = &of.code[i];
        hbg_rt_branch kind = hbg_rt_branch_of(at->op);
        bool two =
            kind == BRANCH_BELOW || kind == BRANCH_ABOVE || kind == BRANCH_LESSER || kind == BRANCH_GREATER;
        if (at->op == HBG_RT_OP_SOLVE)
            size_located(run, hbg_rt_program_at(run->image, hbg_rt_loop_at(run->image, at->argument[0]).body),
                         reading, sizes);
        if (at->located == HBG_RT_NONE || !(two || kind == BRANCH_ABSOLUTE || kind == BRANCH_SIGN)) continue;
        if ((int)reading < HBG_RT_LOCATING && !(hbg_rt_located_in(run, at->located) & 1U << reading))
            continue;
        keep_larger(&sizes[at->located], size[at->argument[0]]);
        if (two) keep_larger(&sizes[at->located], size[at->argument[1]]);
    }
}

/* Sizes of the values that code starts from. */
static void size_known(const hbg_rt_instance *run) {
    double *size = run->at.size;
    for (int32_t i = 0; i < run->register_capacity; i++) size[i] = fabs(run->r[i]);
    for (int32_t i = 0; i < run->image->instants.counts.ins; i++)
        keep_larger(&size[run->image->instants.kept.ins[i].fin], run->in_values[i].fin_size);
}

/* The code of a segment; after the last segment, the code of the reading itself. */
static hbg_rt_program program_of(const hbg_rt_instance *run, int32_t number, hbg_rt_reading reading) {
    if (number == run->variants.segment_count)
        return hbg_rt_program_at(run->image, run->image->code.finals[reading].code);
    const hbg_rt_block *block = HBG_RT_AT(run->image->pool.blocks, number);
    return hbg_rt_program_at(run->image, block->choice >= 0 ? run->variants.variant[number]->code[reading]
                                                            : block->code[reading]);
}

/* Interprets the code: compiled code may leave out registers that nothing reads later, and all are needed
 * here. */
static hbg_rt_status measure_reading(hbg_rt_instance *run, hbg_rt_reading reading, double *sizes,
                                     bool *loops) {
    *loops = false;
    size_known(run);
    for (int32_t i = 0; i <= run->variants.segment_count; i++) {
        hbg_rt_program of = program_of(run, i, reading);
        hbg_rt_status status = hbg_rt_execute(run, of.code, of.count);
        if (status != HBG_RT_OK) return status;
        measure(run, of.code, of.count, true);
        bool begins = !*loops && hbg_rt_has_loops(of);
        *loops |= begins; // values computed from them may cancel too
        if (begins) hbg_rt_forget_answers(run);
        if (*loops) hbg_rt_take_answers(run, of, true);
        size_located(run, of, reading, sizes);
    }
    return HBG_RT_OK;
}

/* Keeps these sizes, and raises the bands of relations whose sides are equal up to rounding. Loops, which
 * WATCH repeats if it reads them, may leave more rounding than a share of the values compared. */
static void follow_bands(hbg_rt_instance *run, double *sizes, double *rounding, bool loops) {
    for (int32_t k = 0; k < run->image->instants.counts.relations; k++) {
        int32_t reg = run->image->instants.guards.relations[k].watch;
        double size = run->at.size[reg];
        double error = loops ? hbg_rt_error_of(run, reg) : 0;
        double likely = loops ? HBG_RT_LIKELY_ROUNDING * hbg_rt_rounding_seen(run, reg) : 0;
        bool exceeds = likely > HBG_RT_LAG * hbg_rt_response_of(run, reg);
        if (rounding) rounding[k] = exceeds ? likely : 0;
        size = fmax(size, error / HBG_RT_BAND);
        if (!run->at.watch.watched[k] || !isfinite(size)) continue;
        sizes[k] = fmax(size, DBL_MIN);
        if (fabs(run->r[reg]) <= HBG_RT_ROUNDING * size) keep_larger(&run->at.fin_band[k], size);
    }
}

/* Leaves the sizes that instants use unchanged: works in the second half of the array. */
hbg_rt_status hbg_rt_indicator_sizes(hbg_rt_instance *run, double t, const double *x, double *sizes,
                                     double *rounding) {
    if (run->by_hand) return hbg_rt_hand_indicator_sizes(run, sizes, rounding);
    instant_data *at = &run->at;
    int32_t guards = run->image->code.located_limit; // come after the relations of laws
    for (int32_t i = 0; i < run->system->root_count; i++) sizes[i] = 0;
    for (int32_t i = 0; i < run->system->root_count && rounding; i++) rounding[i] = 0;
    hbg_rt_status status = hbg_rt_run_reading(run, t, x, HBG_RT_WATCH);
    if (status == HBG_RT_OK) status = hbg_rt_instant_room(run);
    if (status != HBG_RT_OK) return status;
    double *kept = at->size;
    at->size = kept + at->size_capacity;
    bool loops;
    for (int r = HBG_RT_LOCATING - 1; r >= HBG_RT_FIELD && status == HBG_RT_OK; r--)
        if (r == HBG_RT_FIELD || hbg_rt_locates(run, (hbg_rt_reading)r))
            status = measure_reading(run, (hbg_rt_reading)r, sizes, &loops);
    if (status == HBG_RT_OK) status = measure_reading(run, HBG_RT_WATCH, sizes, &loops);
    if (status == HBG_RT_OK && run->image->instants.has_events)
        follow_bands(run, sizes + guards, rounding ? rounding + guards : NULL, loops);
    at->size = kept;
    return status;
}

/* ---- loops of the present mode ------------------------------------------------------------------------- */

static bool reading_has_loops(const hbg_rt_instance *run, hbg_rt_reading reading) {
    for (int32_t i = 0; i <= run->variants.segment_count; i++)
        if (hbg_rt_has_loops(program_of(run, i, reading))) return true;
    return false;
}

bool hbg_rt_solves_loops(hbg_rt_instance *run) {
    if (run->by_hand || run->mark.loops == 0 || hbg_rt_ready_blocks(run) != HBG_RT_OK) return false;
    return reading_has_loops(run, HBG_RT_FIELD) || reading_has_loops(run, HBG_RT_WATCH);
}

/* ---- rates -------------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_rate_errors(hbg_rt_instance *run, double t, const double *x, double *errors) {
    for (int32_t i = 0; i < run->system->state_count; i++) errors[i] = 0;
    if (run->by_hand || !run->image->instants.has_events || run->mark.loops == 0) return HBG_RT_OK;
    bool loops = false;
    hbg_rt_status status = hbg_rt_run_field(run, t, x);
    if (status == HBG_RT_OK) status = hbg_rt_instant_room(run);
    for (int32_t i = 0; i <= run->variants.segment_count && status == HBG_RT_OK; i++) {
        hbg_rt_program of = program_of(run, i, HBG_RT_FIELD);
        bool begins = !loops && hbg_rt_has_loops(of);
        loops |= begins;
        if (begins) hbg_rt_forget_answers(run);
        if (loops) status = hbg_rt_execute(run, of.code, of.count);
        if (loops && status == HBG_RT_OK) hbg_rt_take_errors(run, of);
    }
    if (status != HBG_RT_OK || !loops) return status;
    const hbg_rt_readout *field = &run->image->code.finals[HBG_RT_FIELD];
    const int32_t *reg = hbg_rt_readout_registers(run->image, field);
    for (int32_t i = 0; i < field->reg.count; i++)
        errors[i] = HBG_RT_VALUE_ROUNDING * hbg_rt_rounding_seen(run, reg[i]);
    return HBG_RT_OK;
}
