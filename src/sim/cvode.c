/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * CVODE of SUNDIALS as an integrator of runs: BDF with Newton's method, matrix dense for a few states and KLU
 * with the exact sparse Jacobian for more; Adams with fixed-point iteration. It makes single steps that stop
 * at the limit. Roots are located outside of it, on its interpolating polynomial, as for all integrators.
 *
 * Adams stays at order 5 or below unless very many digits are wanted: higher orders have such small regions
 * of stability that oscillating systems crawl. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sim/sim_impl.h"

enum {
    SHORT_STEPS = 50,
    WATCHED_STEPS = 50,
    FEW_FAILURES = 10,
    TINY_STEPS = 200,
    MANY_SWINGS = 40,
    YOUNG = 10
};

typedef struct {
    hbg_rt_integrator stepper;
    hbg_rt_field *field;
    SUNContext context;
    void *memory;
    N_Vector state, place; /* the end of the step; a wrapper whose data is set where needed */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver fixed_point;
    bool adams, sparse, begun;
    long failures;               /* of the iteration, when they were last counted */
    int watched;                 /* steps since then */
    int short_steps;             /* in a row, as short as the resolution of time */
    int tiny_steps, swings;      /* in a row: far shorter than the longest; reversing the one before */
    int32_t moved_state;         /* that moved farthest in the last such step */
    double moved;                /* and how far */
    double limit;                /* that CVODE knows */
    hbg_sim_sparse *sparse_part; /* to polish with, or NULL */
    double factored;             /* end of the step in which it was factored */
    double *at_start;            /* the correction where that step begins */
    int steps;                   /* since the last beginning */
    double *x, *x0;
} cvode;

/* ---- functions that CVODE calls ----------------------------------------------------------------------- */

/* Whether a shorter step may help. */
static int verdict(hbg_rt_status status) {
    if (status == HBG_RT_OK) return 0;
    return status == HBG_RT_NO_MEMORY || status == HBG_RT_INTERRUPTED ? -1 : 1;
}

static int rates(realtype t, N_Vector x, N_Vector dx, void *context) {
    cvode *c = context;
    return verdict(
        hbg_rt_field_rates(c->field, t, N_VGetArrayPointer_Serial(x), N_VGetArrayPointer_Serial(dx)));
}

static int weights(N_Vector x, N_Vector weight, void *context) {
    cvode *c = context;
    const double *value = N_VGetArrayPointer_Serial(x);
    double *w = N_VGetArrayPointer_Serial(weight);
    (void)CVodeGetCurrentStep(c->memory, &c->field->step);
    for (int32_t i = 0; i < c->field->n; i++) w[i] = 1 / hbg_rt_field_tolerance(c->field, i, fabs(value[i]));
    return 0;
}

static int jacobian_dense(realtype t, N_Vector x, N_Vector dx, SUNMatrix matrix, void *context, N_Vector a,
                          N_Vector b, N_Vector d) {
    cvode *c = context;
    const hbg_rt_jacobian_matrix *jacobian = &c->field->jacobian;
    (void)dx, (void)a, (void)b, (void)d;
    hbg_rt_status status = hbg_rt_jacobian_near(c->field, t, N_VGetArrayPointer_Serial(x), jacobian->values);
    for (int32_t j = 0; status == HBG_RT_OK && j < jacobian->n; j++) {
        double *column = SUNDenseMatrix_Column(matrix, j);
        for (int32_t k = jacobian->start[j]; k < jacobian->start[j + 1]; k++)
            column[jacobian->row[k]] = jacobian->values[k];
    }
    return verdict(status);
}

static int jacobian_sparse(realtype t, N_Vector x, N_Vector dx, SUNMatrix matrix, void *context, N_Vector a,
                           N_Vector b, N_Vector d) {
    cvode *c = context;
    const hbg_rt_jacobian_matrix *jacobian = &c->field->jacobian;
    (void)dx, (void)a, (void)b, (void)d;
    sunindextype *start = SUNSparseMatrix_IndexPointers(matrix), *row = SUNSparseMatrix_IndexValues(matrix);
    for (int32_t j = 0; j <= jacobian->n; j++) start[j] = jacobian->start[j];
    for (int32_t k = 0; k < jacobian->nonzeros; k++) row[k] = jacobian->row[k];
    return verdict(
        hbg_rt_jacobian_near(c->field, t, N_VGetArrayPointer_Serial(x), SUNSparseMatrix_Data(matrix)));
}

/* The library prints nothing by itself: errors are read from the flags. */
static void be_silent(int code, const char *module, const char *function,
                      char *message, /* NOLINT(readability-non-const-parameter): SUNDIALS wants it so */
                      void *context) {
    (void)code, (void)module, (void)function, (void)message, (void)context;
}

/* ---- one step ----------------------------------------------------------------------------------------- */

static void count_rejected(cvode *c) {
    long errors = 0, iterations = 0;
    CVodeGetNumErrTestFails(c->memory, &errors);
    CVodeGetNumStepSolveFails(c->memory, &iterations);
    c->field->rejected += errors + iterations;
}

static hbg_rt_status begin(hbg_rt_integrator *stepper, double t, const double *x) {
    cvode *c = (cvode *)stepper;
    memcpy(c->x, x, (size_t)c->field->n * sizeof *x);
    stepper->t0 = stepper->t1 = t;
    if (c->begun) count_rejected(c);
    c->begun = true;
    c->factored = -1;
    c->steps = 0;
    c->failures = 0;
    c->watched = 0;
    c->limit = -1;
    return CVodeReInit(c->memory, t, c->state) == CV_SUCCESS ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}

/* The state with the largest error in the attempt that failed. */
static void find_worst(cvode *c) {
    const double *x = c->x;
    double largest = -1;
    N_VSetArrayPointer_Serial(c->field->work[0], c->place);
    if (CVodeGetEstLocalErrors(c->memory, c->place) != CV_SUCCESS) return;
    for (int32_t i = 0; i < c->field->n; i++) {
        double ratio = fabs(c->field->work[0][i]) / hbg_rt_field_tolerance(c->field, i, fabs(x[i]));
        if (ratio > largest) {
            largest = ratio;
            c->field->worst = i;
        }
    }
}

static hbg_rt_status fail(cvode *c, int flag) {
    hbg_rt_field *field = c->field;
    find_worst(c);
    switch (flag) {
    case CV_SUCCESS: field->reason = "steps are as short as the resolution of time"; break;
    case CV_ERR_FAILURE: field->reason = "the error stayed too large in ever shorter steps"; break;
    case CV_CONV_FAILURE: field->reason = "Newton's method did not converge in ever shorter steps"; break;
    case CV_TOO_MUCH_ACC: field->reason = "the requested accuracy is beyond that of numbers"; break;
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: field->reason = "the linear system of a step has no solution"; break;
    case CV_REPTD_RHSFUNC_ERR:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_RHSFUNC_FAIL:
    case CV_UNREC_RHSFUNC_ERR: field->reason = "the rates could not be computed"; break;
    case CV_MEM_FAIL:
    case CV_MEM_NULL: return HBG_RT_NO_MEMORY;
    default: field->reason = "the integrator gave up"; break;
    }
    return HBG_RT_STEP_TOO_SMALL;
}

/* The limit is too close for a step of CVODE: an Euler step is exact to rounding. */
static hbg_rt_status creep(cvode *c, double limit) {
    double *dx = c->field->work[0], h = limit - c->stepper.t1;
    hbg_rt_status status = hbg_rt_field_rates(c->field, c->stepper.t1, c->x, dx);
    if (status != HBG_RT_OK) return status;
    memcpy(c->x0, c->x, (size_t)c->field->n * sizeof *c->x);
    for (int32_t i = 0; i < c->field->n; i++) c->x[i] += h * dx[i];
    return begin(&c->stepper, limit, c->x);
}

/* Fixed-point iteration that fails repeatedly limits the step, as stability does with explicit methods. */
static void notice_stiffness(cvode *c) {
    long failures = 0;
    if (!c->adams || ++c->watched < WATCHED_STEPS) return;
    CVodeGetNumStepSolveFails(c->memory, &failures);
    double h = c->stepper.t1 - c->stepper.t0;
    bool many = failures - c->failures >= FEW_FAILURES;
    if (many && h > 0 && hbg_rt_field_is_stiff(c->field, c->stepper.t1, 1 / h)) c->stepper.stiff = true;
    c->failures = failures;
    c->watched = 0;
}

/* The state that moved farthest in the step, as a share of its error tolerance, with its sign. */
static double farthest(cvode *c, int32_t *which) {
    double most = 0;
    for (int32_t i = 0; i < c->field->n; i++) {
        double moved = (c->x[i] - c->x0[i]) / hbg_rt_field_tolerance(c->field, i, fabs(c->x[i]));
        if (fabs(moved) > fabs(most)) most = moved, *which = i;
        c->x0[i] = c->x[i];
    }
    return most;
}

/* Where a law has no slope, as an orifice without flow, iterations that end as soon as the error allows let
 * the states oscillate about the point of rest endlessly, in very short steps. Iterations that go further
 * come to rest. */
static void notice_swing(cvode *c) {
    int32_t which = -1;
    if (c->adams || c->stepper.t1 - c->stepper.t0 >= HBG_RT_TINY_STEP * c->field->max_step) {
        c->tiny_steps = c->swings = 0;
        return;
    }
    double moved = farthest(c, &which);
    c->swings += which == c->moved_state && moved * c->moved < 0;
    c->moved_state = which;
    c->moved = moved;
    if (++c->tiny_steps < TINY_STEPS) return;
    if (c->swings >= MANY_SWINGS) CVodeSetNonlinConvCoef(c->memory, HBG_RT_ITERATIONS);
    c->tiny_steps = c->swings = 0;
}

static hbg_rt_status step(hbg_rt_integrator *stepper, double limit) {
    cvode *c = (cvode *)stepper;
    double t = stepper->t1;
    if (c->limit != limit) {
        if (CVodeSetStopTime(c->memory, limit) != CV_SUCCESS) return fail(c, CV_ILL_INPUT);
        c->limit = limit;
    }
    int flag = CVode(c->memory, limit, c->state, &t, CV_ONE_STEP);
    if (flag == CV_TOO_CLOSE) {
        double start = stepper->t1;
        hbg_rt_status status = creep(c, limit);
        stepper->t0 = start;
        return status;
    }
    if (flag < 0) return fail(c, flag);
    c->steps++;
    stepper->t0 = stepper->t1;
    stepper->t1 = flag == CV_TSTOP_RETURN ? limit : t;
    if (flag == CV_TSTOP_RETURN) c->limit = -1;
    bool is_short = stepper->t1 - stepper->t0 <= HBG_RT_SHORT_STEP * fabs(t) && stepper->t1 < limit;
    c->short_steps = is_short ? c->short_steps + 1 : 0;
    if (!is_short) c->field->status = HBG_RT_OK;
    notice_stiffness(c);
    notice_swing(c);
    return c->short_steps < SHORT_STEPS ? HBG_RT_OK : fail(c, CV_SUCCESS);
}

static void dense(hbg_rt_integrator *stepper, double t, double *x) {
    cvode *c = (cvode *)stepper;
    N_VSetArrayPointer_Serial(x, c->place);
    if (CVodeGetDky(c->memory, t, 0, c->place) != CV_SUCCESS)
        memcpy(x, c->x, (size_t)c->field->n * sizeof *x);
}

static void slope(hbg_rt_integrator *stepper, double t, double *dx) {
    cvode *c = (cvode *)stepper;
    N_VSetArrayPointer_Serial(dx, c->place);
    if (CVodeGetDky(c->memory, t, 1, c->place) != CV_SUCCESS)
        for (int32_t i = 0; i < c->field->n; i++) dx[i] = NAN;
}

/* h·(I − h·J)⁻¹·(f(x) − p') at a time of the last step, with the existing factors. */
static bool correction(cvode *c, double t, const double *x, double *into) {
    hbg_rt_field *field = c->field;
    double h = c->stepper.t1 - c->stepper.t0, *slope = field->work[1];
    N_VSetArrayPointer_Serial(slope, c->place);
    if (CVodeGetDky(c->memory, t, 1, c->place) != CV_SUCCESS ||
        hbg_rt_field_rates(field, t, x, into) != HBG_RT_OK)
        return false;
    for (int32_t i = 0; i < field->n; i++) into[i] = h * (into[i] - slope[i]);
    hbg_sim_sparse_solve(c->sparse_part, into);
    return true;
}

/* Prepares what polishing needs from the last step. */
static bool prepare_polish(cvode *c) {
    hbg_rt_integrator *stepper = &c->stepper;
    double h = stepper->t1 - stepper->t0, *x = c->field->work[2];
    if (c->factored == stepper->t1) return true;
    c->factored = -1;
    if (hbg_sim_sparse_factor(c->sparse_part, stepper->t1, stepper->x1, 1, h) != HBG_RT_OK) return false;
    dense(stepper, stepper->t0, x);
    if (!correction(c, stepper->t0, x, c->at_start)) return false;
    c->factored = stepper->t1;
    return true;
}

/* A state inside a step, p with the derivative p', is right to the tolerance. But the field multiplies the
 * error of a fast component with rate λ by λ. In p + h·(I − h·J)⁻¹·(f(p) − p') it follows p' as the field
 * requires. Slow components would be moved by as much as their error, and at once: after an instant a
 * relation that is exactly 0 could be moved to either side. The first steps begin where the instant left the
 * states, so the correction at their start is subtracted, fading over the step. Later steps begin where
 * Newton's iteration stopped: the error it left there must not be kept. */
static void polish(hbg_rt_integrator *stepper, double t, double *x) {
    cvode *c = (cvode *)stepper;
    hbg_rt_field *field = c->field;
    double h = stepper->t1 - stepper->t0, *change = field->work[0];
    hbg_rt_status before = field->status;
    if (t >= stepper->t1 || h <= 0) return; // the end is the result of Newton's method
    bool fine = prepare_polish(c) && correction(c, t, x, change);
    field->status = before; // without a correction x stays as it was
    double left = c->steps <= YOUNG ? (stepper->t1 - t) / h : 0;
    for (int32_t i = 0; i < field->n && fine; i++) x[i] += change[i] - left * c->at_start[i];
}

/* ---- making and ending -------------------------------------------------------------------------------- */

static void end(hbg_rt_integrator *stepper) {
    cvode *c = (cvode *)stepper;
    if (c->memory != NULL && c->begun) count_rejected(c);
    if (c->memory != NULL) CVodeFree(&c->memory);
    if (c->sparse_part != NULL) hbg_sim_sparse_end(c->sparse_part);
    if (c->fixed_point != NULL) SUNNonlinSolFree(c->fixed_point);
    if (c->linear != NULL) SUNLinSolFree(c->linear);
    if (c->matrix != NULL) SUNMatDestroy(c->matrix);
    if (c->state != NULL) N_VDestroy(c->state);
    if (c->place != NULL) N_VDestroy(c->place);
    if (c->context != NULL) SUNContext_Free(&c->context);
}

static bool make_solvers(cvode *c) {
    hbg_rt_field *field = c->field;
    if (c->adams) {
        c->fixed_point = SUNNonlinSol_FixedPoint(c->state, 0, c->context);
        return c->fixed_point != NULL && CVodeSetNonlinearSolver(c->memory, c->fixed_point) == CV_SUCCESS;
    }
    if (c->sparse)
        c->matrix = SUNSparseMatrix(field->n, field->n, field->jacobian.nonzeros, CSC_MAT, c->context);
    else
        c->matrix = SUNDenseMatrix(field->n, field->n, c->context);
    if (c->matrix == NULL) return false;
    c->linear = c->sparse ? SUNLinSol_KLU(c->state, c->matrix, c->context)
                          : SUNLinSol_Dense(c->state, c->matrix, c->context);
    return c->linear != NULL && CVodeSetLinearSolver(c->memory, c->linear, c->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(c->memory, c->sparse ? jacobian_sparse : jacobian_dense) == CV_SUCCESS;
}

static int largest_order(const cvode *c) {
    return c->adams && c->field->rtol < HBG_RT_HIGH_ORDER_RTOL ? 12 : 5;
}

/* An upper bound of what the library takes: some thirty vectors and a few copies of the matrix with its
 * factors. */
static size_t memory_of(const cvode *c) {
    size_t n = (size_t)c->field->n;
    size_t matrix = c->adams ? 0 : c->sparse ? 200 * (size_t)c->field->jacobian.nonzeros : 40 * n * n;
    return ((size_t)4 << 20) + 400 * n + matrix;
}

static bool make(cvode *c) {
    if (!hbg_sim_has_memory(memory_of(c))) return false;
    if (SUNContext_Create(NULL, &c->context) != 0) return false;
    c->state = N_VMake_Serial(c->field->n, c->x, c->context);
    c->place = N_VMake_Serial(c->field->n, c->x0, c->context);
    if (c->state == NULL || c->place == NULL) return false;
    c->memory = CVodeCreate(c->adams ? CV_ADAMS : CV_BDF, c->context);
    return c->memory != NULL && CVodeSetErrHandlerFn(c->memory, be_silent, NULL) == CV_SUCCESS &&
           CVodeInit(c->memory, rates, 0, c->state) == CV_SUCCESS &&
           CVodeSetUserData(c->memory, c) == CV_SUCCESS &&
           CVodeWFtolerances(c->memory, weights) == CV_SUCCESS && make_solvers(c) &&
           CVodeSetMaxNumSteps(c->memory, -1) == CV_SUCCESS &&
           CVodeSetMaxHnilWarns(c->memory, -1) == CV_SUCCESS &&
           CVodeSetMaxOrd(c->memory, largest_order(c)) == CV_SUCCESS &&
           CVodeSetMaxErrTestFails(c->memory, 20) == CV_SUCCESS &&
           CVodeSetMaxConvFails(c->memory, 20) == CV_SUCCESS &&
           CVodeSetMaxStep(c->memory, c->field->max_step) == CV_SUCCESS;
}

hbg_rt_integrator *hbg_sim_cvode_new(hbg_arena *arena, hbg_rt_field *field, bool adams) {
    cvode *c = HBG_NEW(arena, cvode);
    c->field = field;
    c->adams = adams;
    c->sparse = field->n > HBG_RT_DENSE_STATES;
    c->x = HBG_NEW_ARRAY(arena, double, field->n);
    c->x0 = HBG_NEW_ARRAY(arena, double, field->n);
    c->at_start = HBG_NEW_ARRAY(arena, double, field->n);
    c->stepper = (hbg_rt_integrator){.name = adams       ? "adams"
                                             : c->sparse ? "bdf, sparse"
                                                         : "bdf, dense",
                                     .implicit = true,
                                     .remembers = true,
                                     .x1 = c->x,
                                     .begin = begin,
                                     .step = step,
                                     .dense = dense,
                                     .slope = slope,
                                     .end = end};
    /* the last allocations from the arena */
    bool polishes = !adams && field->system->root_count > field->system->idle_roots;
    if (polishes) c->sparse_part = hbg_sim_sparse_new(arena, field);
    if (c->sparse_part != NULL) c->stepper.polish = polish;
    if ((!polishes || c->sparse_part != NULL) && make(c)) return &c->stepper;
    end(&c->stepper);
    return NULL;
}
