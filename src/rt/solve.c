/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loops at run time: linear ones by one exact solve, others by Newton with the exact Jacobian. A step is
 * damped until the correction that would follow it, by the same factors, is smaller than the step itself
 * (Deuflhard's natural monotonicity test), which does not depend on the units of equations and unknowns. The
 * next search starts from the last solution; if that fails a few other starting points are tried, and a
 * single unknown is bracketed by the signs of its residual: that needs no slope, and some laws have none at
 * 0.
 *
 * While time advances a solution moves on without a jump. Where it would have to, at a fold of a law that is not monotone, there
 * is no solution next to the last one: that is a failure, and shorter steps only come nearer to it. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

hbg_rt_loop_view hbg_rt_loop_at(const hbg_rt_image *image, int32_t number) {
    const hbg_rt_loop *of = HBG_RT_AT(image->pool.loops, number);
    hbg_rt_loop_view view = {.number = number,
                             .count = of->count,
                             .entry_count = of->entries.count,
                             .reg = hbg_rt_ints(image, of->reg),
                             .residual = hbg_rt_ints(image, of->residual),
                             .name = hbg_rt_ints(image, of->name),
                             .area = hbg_rt_ints(image, of->area),
                             .entries = HBG_RT_AT(image->pool.entries, of->entries.first),
                             .body = of->body,
                             .linear = of->linear,
                             .is_sparse = of->sparse,
                             .is_constant = of->constant};
    if (!of->sparse) return view;
    view.start = hbg_rt_ints(image, of->start);
    view.row = hbg_rt_ints(image, of->row);
    view.entry_of = hbg_rt_ints(image, of->entry_of);
    return view;
}

#define NEWTON_LIMIT 60
#define HALVINGS     24

/* Computes residuals and Jacobian at the present unknowns. */
static hbg_rt_status run_body(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    return hbg_rt_run_program(run, of->body);
}

static bool is_finite(const hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    for (int32_t i = 0; i < of->count; i++)
        if (!isfinite(run->r[of->residual[i]])) return false;
    return true;
}

/* A law may have unbounded slope at 0, such as ∛q: rows with such a slope give no information on the
 * solution. */
static bool has_slopes(const hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    for (int32_t k = 0; k < of->entry_count; k++)
        if (!isfinite(run->r[of->entries[k].reg])) return false;
    return true;
}

/* Solved whatever the slopes are, even without one. */
static bool is_zero(const hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    for (int32_t i = 0; i < of->count; i++)
        if (run->r[of->residual[i]] != 0) return false;
    return true;
}

/* Whether no residual exceeds the rounding of the terms in its row. */
static bool is_rounding(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    double *terms = run->loops.step;
    memset(terms, 0, (size_t)of->count * sizeof *terms);
    for (int32_t k = 0; k < of->entry_count; k++)
        terms[of->entries[k].row] +=
            fabs(run->r[of->entries[k].reg] * run->r[of->reg[of->entries[k].column]]);
    for (int32_t i = 0; i < of->count; i++)
        if (!(fabs(run->r[of->residual[i]]) <= 4 * DBL_EPSILON * terms[i])) return false;
    return true;
}

/* A lent solver keeps the factors of each loop; those of a constant matrix are reused until a parameter
 * changes. */
static bool factor_sparse(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    int32_t key = of->number;
    if (of->is_constant && run->loops.factored[key] == run->loops.version) return true;
    for (int32_t i = 0; i < of->entry_count; i++)
        run->loops.entries[i] = run->r[of->entries[of->entry_of[i]].reg];
    bool fine = run->loops.lent->factor(run->loops.lent->context, key,
                                        (hbg_rt_pattern){of->count, of->start, of->row}, run->loops.entries);
    run->loops.factored[key] = fine ? run->loops.version : 0;
    return fine;
}

bool hbg_rt_make_dense(hbg_rt_instance *run, int32_t n) {
    size_t size = (size_t)n;
    if (run->loops.dense_capacity >= n) return true;
    if (run->loops.matrix) hbg_rt_room_return(&run->room, run->loops.matrix);
    run->loops.matrix = hbg_rt_room_take(&run->room, 1, size * size * sizeof *run->loops.matrix);
    run->loops.dense_capacity = run->loops.matrix ? n : 0;
    return run->loops.matrix != NULL;
}

/* HBG_RT_SINGULAR if there is no unique solution. */
static hbg_rt_status factor(hbg_rt_instance *run, const hbg_rt_loop_view *of, int32_t *column) {
    size_t n = (size_t)of->count;
    if (of->is_sparse && run->loops.lent) return factor_sparse(run, of) ? HBG_RT_OK : HBG_RT_SINGULAR;
    if (!hbg_rt_make_dense(run, of->count)) return HBG_RT_NO_MEMORY;
    memset(run->loops.matrix, 0, n * n * sizeof *run->loops.matrix);
    for (int32_t i = 0; i < of->entry_count; i++) {
        const hbg_rt_entry *entry = &of->entries[i];
        run->loops.matrix[(size_t)entry->row * n + (size_t)entry->column] = run->r[entry->reg];
    }
    return hbg_rt_lu_factor(of->count, run->loops.matrix, run->loops.pivot, column) ? HBG_RT_OK
                                                                                    : HBG_RT_SINGULAR;
}

/* The step from the residuals by the last factors, into run->loops.step. */
static void newton_step(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    double *step = run->loops.step;
    for (int32_t i = 0; i < of->count; i++) step[i] = -run->r[of->residual[i]];
    if (of->is_sparse && run->loops.lent)
        run->loops.lent->solve(run->loops.lent->context, of->number, step);
    else
        hbg_rt_lu_solve(of->count, run->loops.matrix, run->loops.pivot, step);
}

static void name_unknowns(hbg_rt_instance *run, const hbg_rt_loop_view *of, char *text, size_t size) {
    size_t used = strlen(text);
    for (int32_t i = 0; i < of->count && i < 4 && used + 1 < size; i++) {
        char name[96];
        hbg_rt_tell(run, HBG_RT_WORD_VARIABLE, of->name[i], name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%s`%s` = %.6g", i ? ", " : "", name,
                                 run->r[of->reg[i]]);
    }
    if (of->count > 4 && used + 1 < size)
        snprintf(text + used, size - used, " and %d more", (int)(of->count - 4));
}

static hbg_rt_status fail(hbg_rt_instance *run, const hbg_rt_loop_view *of, hbg_rt_status status,
                          const char *what) {
    hbg_rt_failure *failure = &run->failure;
    failure->status = status;
    snprintf(failure->text, sizeof failure->text, "%s: ", what);
    name_unknowns(run, of, failure->text, sizeof failure->text);
    return status;
}

static hbg_rt_status solve_linear(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    int32_t column;
    for (int32_t i = 0; i < of->count; i++) run->r[of->reg[i]] = 0;
    hbg_rt_status status = run_body(run, of);
    if (status != HBG_RT_OK) return status;
    status = factor(run, of, &column);
    if (status == HBG_RT_SINGULAR)
        return fail(run, of, status, "a linear loop has no unique solution; its variables are");
    if (status != HBG_RT_OK) return status;
    newton_step(run, of);
    for (int32_t i = 0; i < of->count; i++) run->r[of->reg[i]] = run->loops.step[i] + 0.0; // no -0
    return run_body(run, of);
}

/* The unknowns have moved from the origin by `part` of a step: the length of that step, and of the one in
 * run->loops.step, each unknown relative to the larger of its values before and now. */
typedef struct {
    double step, correction;
} step_sizes;

static step_sizes measure(const hbg_rt_instance *run, const hbg_rt_loop_view *of, double part) {
    step_sizes sizes = {0, 0};
    for (int32_t i = 0; i < of->count; i++) {
        double here = run->r[of->reg[i]], scale = fmax(fabs(run->loops.origin[i]), fabs(here)) + DBL_MIN;
        double step = fabs(here - run->loops.origin[i]) / part / scale,
               correction = fabs(run->loops.step[i]) / scale;
        if (!isfinite(step) || !isfinite(correction)) return (step_sizes){INFINITY, INFINITY};
        sizes.step = fmax(sizes.step, step);
        sizes.correction = fmax(sizes.correction, correction);
    }
    return sizes;
}

/* The length of the step of which all halves have been tried in vain, with the least size of an unknown a
 * millionth of its largest magnitude: as it passes 0 it cannot be judged by itself, since cancelling terms
 * leave their rounding. */
static double tried_in_vain(const hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    double size = 0;
    for (int32_t i = 0; i < of->count; i++) {
        double here = run->r[of->reg[i]], most = fmax(fabs(run->loops.origin[i]), fabs(here));
        double scale = fmax(most, HBG_RT_UNKNOWN_FLOOR * run->loops.reach[of->reg[i]]) + DBL_MIN;
        size = fmax(size, fabs(here - run->loops.origin[i]) / scale);
    }
    return ldexp(size, HALVINGS);
}

/* Takes the step in run->loops.step, or as much of it as comes closer to the solution; `size` is that of the
 * whole step. */
static hbg_rt_status take_step(hbg_rt_instance *run, const hbg_rt_loop_view *of, double *size, bool *nearer) {
    double part = 1;
    *nearer = false;
    for (int32_t i = 0; i < of->count; i++) {
        run->loops.origin[i] = run->r[of->reg[i]];
        run->r[of->reg[i]] += run->loops.step[i];
    }
    *size = measure(run, of, 1).step;
    for (int k = 0; k <= HALVINGS && !*nearer; k++) {
        for (int32_t i = 0; i < of->count && k > 0; i++)
            run->r[of->reg[i]] = run->loops.origin[i] + (run->r[of->reg[i]] - run->loops.origin[i]) / 2;
        part = k > 0 ? part / 2 : part;
        hbg_rt_status status = run_body(run, of);
        if (status != HBG_RT_OK) return status;
        if (!is_finite(run, of)) continue;
        newton_step(run, of);
        step_sizes sizes = measure(run, of, part);
        *nearer = isfinite(sizes.correction) && sizes.correction <= (1 - part / 4) * sizes.step;
    }
    return HBG_RT_OK;
}

/* A step that left the domain of the laws, however short, is taken back. */
static hbg_rt_status step_back(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    if (is_finite(run, of)) return HBG_RT_OK;
    for (int32_t i = 0; i < of->count; i++) run->r[of->reg[i]] = run->loops.origin[i];
    return run_body(run, of);
}

/* Newton from the present unknowns; the body has been run there. If it fails, `why` says what stopped it. */
static hbg_rt_status newton(hbg_rt_instance *run, const hbg_rt_loop_view *of, const char **why) {
    *why = "a nonlinear loop was not solved; Newton ended at";
    for (int k = 0; k < NEWTON_LIMIT && is_finite(run, of); k++) {
        int32_t column;
        double size;
        bool nearer;
        if (is_zero(run, of)) return HBG_RT_OK;
        bool sloped = has_slopes(run, of);
        if (sloped && is_rounding(run, of)) return HBG_RT_OK;
        hbg_rt_status status = sloped ? factor(run, of, &column) : HBG_RT_SINGULAR;
        if (status != HBG_RT_OK) {
            *why = "an algebraic loop is singular at";
            return status;
        }
        newton_step(run, of);
        status = take_step(run, of, &size, &nearer);
        if (status != HBG_RT_OK) return status;
        // only rounding is left
        if (size < HBG_RT_SOLVED || (size < HBG_RT_SOLVED_STILL && !nearer) ||
            (!nearer && tried_in_vain(run, of) < HBG_RT_SOLVED_STILL))
            return step_back(run, of);
    }
    return HBG_RT_NO_CONVERGENCE;
}

static void start_from(hbg_rt_instance *run, const hbg_rt_loop_view *of, const double *kept, double all) {
    for (int32_t i = 0; i < of->count; i++) run->r[of->reg[i]] = kept ? kept[of->reg[i]] : all;
}

/* Newton from the last solution, then from other starting points. */
static hbg_rt_status search(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    static const double guesses[] = {0, 1, -1, 0.001, -0.001, 1000, -1000};
    const char *why = "";
    hbg_rt_status first = HBG_RT_OK;
    for (size_t k = 0; k <= sizeof guesses / sizeof *guesses; k++) {
        if (k > 0) start_from(run, of, NULL, guesses[k - 1]);
        hbg_rt_status status = run_body(run, of);
        if (status == HBG_RT_OK) status = newton(run, of, &why);
        if (status != HBG_RT_SINGULAR && status != HBG_RT_NO_CONVERGENCE) return status;
        if (first == HBG_RT_OK) first = fail(run, of, status, why);
        if (k == 0 && of->count == 1) {
            start_from(run, of, run->loops.kept, 0);
            if (hbg_rt_solve_bracket(run, of)) return HBG_RT_OK;
        }
    }
    return first;
}

static hbg_rt_status fail_at_fold(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    hbg_rt_failure *failure = &run->failure;
    char before[160] = "";
    for (int32_t i = 0; i < of->count && i < 4; i++) {
        size_t used = strlen(before);
        snprintf(before + used, sizeof before - used, "%s%.6g", i ? ", " : "", run->loops.kept[of->reg[i]]);
    }
    (void)fail(
        run, of, HBG_RT_NO_CONVERGENCE,
        "a nonlinear loop comes to a fold, where its solution would jump: a law in it is not monotone, and "
        "no storage says how fast; it would go to");
    size_t used = strlen(failure->text);
    snprintf(failure->text + used, sizeof failure->text - used, " from %s", before);
    return HBG_RT_NO_CONVERGENCE;
}

/* A frozen branch may end where another one begins, such as √e at 0: a trial past the border has its solution
 * on the other branch. The crossing is located then, and the branch changed. */
static hbg_rt_status search_beyond(hbg_rt_instance *run, const hbg_rt_loop_view *of,
                                   hbg_rt_status otherwise) {
    hbg_rt_failure said = run->failure;
    start_from(run, of, run->loops.kept, 0);
    run->located = LOCATED_DIRECT;
    hbg_rt_status status = search(run, of);
    run->located = LOCATED_FROZEN;
    if (status == HBG_RT_OK) return status;
    run->failure = said;
    return otherwise;
}

/* Past its border a frozen branch may have solutions that no law has, f² + f³ = e for f·|f| + f³: a single
 * unknown is also sought with branches that follow the values. A solution within its branches counts, or else
 * the one closer to the last solution. */
static hbg_rt_status search_within(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    int32_t reg = of->reg[0];
    double kept = run->loops.kept[reg], frozen = run->r[reg];
    run->r[reg] = kept;
    run->located = LOCATED_DIRECT;
    hbg_rt_status status = search(run, of);
    if (status == HBG_RT_OK && hbg_rt_passed_fold(run, of)) status = HBG_RT_NO_CONVERGENCE;
    run->located = LOCATED_FROZEN;
    bool nearer = status == HBG_RT_OK && fabs(run->r[reg] - kept) < fabs(frozen - kept);
    bool within = status == HBG_RT_OK && hbg_rt_is_on_branches(run, of->body);
    if (within || nearer) return status;
    run->r[reg] = frozen;
    status = run_body(run, of);
    return status == HBG_RT_OK && hbg_rt_passed_fold(run, of) ? fail_at_fold(run, of) : status;
}

/* An area is the jump of an energy: relative to the energies, a thousandth of their band is 0. */
static void know_areas(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    hbg_rt_range states = run->image->layout.old;
    const int32_t *old = hbg_rt_ints(run->image, states.first);
    double energy = 0;
    for (int32_t i = 0; i < states.count; i++) energy = fmax(energy, fabs(run->r[old[i]]));
    for (int32_t i = 0; i < of->count; i++)
        if (of->area[i]) run->loops.reach[of->reg[i]] = fmax(run->loops.reach[of->reg[i]], 1e2 * energy);
}

static hbg_rt_status solve_nonlinear(hbg_rt_instance *run, const hbg_rt_loop_view *of) {
    hbg_rt_trial_note(run, of);
    know_areas(run, of);
    for (int32_t i = 0; i < of->count; i++) run->loops.kept[of->reg[i]] = run->r[of->reg[i]];
    hbg_rt_status status = search(run, of);
    bool failed = status == HBG_RT_SINGULAR || status == HBG_RT_NO_CONVERGENCE;
    if (failed && run->located == LOCATED_FROZEN)
        status = search_beyond(run, of, status);
    else if (status == HBG_RT_OK && run->located == LOCATED_FROZEN && of->count == 1 &&
             !hbg_rt_is_on_branches(run, of->body))
        status = search_within(run, of);
    else if (status == HBG_RT_OK && run->located == LOCATED_FROZEN && hbg_rt_passed_fold(run, of))
        status = fail_at_fold(run, of);
    if (status == HBG_RT_SINGULAR || status == HBG_RT_NO_CONVERGENCE) start_from(run, of, run->loops.kept, 0);
    for (int32_t i = 0; i < of->count && status == HBG_RT_OK; i++)
        run->loops.reach[of->reg[i]] = fmax(run->loops.reach[of->reg[i]], fabs(run->r[of->reg[i]]));
    return status;
}

hbg_rt_status hbg_rt_solve_loop(hbg_rt_instance *run, int32_t number) {
    hbg_rt_loop_view of = hbg_rt_loop_at(run->image, number);
    return of.linear ? solve_linear(run, &of) : solve_nonlinear(run, &of);
}
