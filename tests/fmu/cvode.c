/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * CVODE as an importer's integrator: BDF with a dense Jacobian by differences, and its search for roots of the event indicators. A model
 * without states gets one that rests, since CVODE needs one. */
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "fmu/course.h"

typedef struct {
    SUNContext context;
    void *solver;
    N_Vector y, tolerances;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    int count; // of states, at least 1
} integrator;

static int put(fmu_course *course, double t, N_Vector y) {
    int status = fmu_set_time(course->unit, t);
    return status == FMU_OK ? fmu_set_states(course->unit, N_VGetArrayPointer(y)) : status;
}

static int slope(double t, N_Vector y, N_Vector rates, void *data) {
    fmu_course *course = data;
    N_VConst(0, rates);
    if (put(course, t, y) != FMU_OK) return -1;
    return fmu_get_rates(course->unit, N_VGetArrayPointer(rates)) == FMU_OK ? 0 : -1;
}

static int roots(double t, N_Vector y, double *z, void *data) {
    fmu_course *course = data;
    if (put(course, t, y) != FMU_OK) return -1;
    return fmu_get_indicators(course->unit, z) == FMU_OK ? 0 : -1;
}

void *fmu_cvode_new(fmu_course *course) {
    integrator *of = fmu_allocate(1, sizeof *of);
    const fmu_plan *plan = course->plan;
    double relative = plan->tolerance > 0 ? plan->tolerance : 1e-6;
    of->count = course->unit->states ? course->unit->states : 1;
    if (SUNContext_Create(NULL, &of->context) != 0) exit(2);
    of->solver = CVodeCreate(CV_BDF, of->context);
    of->y = N_VNew_Serial(of->count, of->context);
    of->tolerances = N_VNew_Serial(of->count, of->context);
    of->matrix = SUNDenseMatrix(of->count, of->count, of->context);
    of->linear = SUNLinSol_Dense(of->y, of->matrix, of->context);
    if (!of->solver || !of->y || !of->tolerances || !of->matrix || !of->linear) exit(2);
    N_VConst(0, of->y);
    N_VConst(relative, of->tolerances);
    memcpy(N_VGetArrayPointer(of->y), course->x, (size_t)course->unit->states * sizeof *course->x);
    for (int i = 0; i < course->unit->states; i++)
        N_VGetArrayPointer(of->tolerances)[i] = relative * course->nominals[i];
    int failed =
        CVodeInit(of->solver, slope, course->time, of->y) ||
        CVodeSVtolerances(of->solver, relative, of->tolerances) ||
        CVodeSetLinearSolver(of->solver, of->linear, of->matrix) || CVodeSetUserData(of->solver, course) ||
        CVodeSetErrFile(of->solver, NULL) || CVodeSetMaxNumSteps(of->solver, 100000) ||
        (course->unit->indicators && CVodeRootInit(of->solver, course->unit->indicators, roots)) ||
        CVodeSetNoInactiveRootWarn(of->solver) || (!plan->sparing && CVodeSetMaxStep(of->solver, plan->step));
    if (failed) exit(2);
    return of;
}

void fmu_cvode_free(void *freed) {
    integrator *of = freed;
    if (!of) return;
    CVodeFree(&of->solver);
    SUNLinSolFree(of->linear);
    SUNMatDestroy(of->matrix);
    N_VDestroy(of->y);
    N_VDestroy(of->tolerances);
    SUNContext_Free(&of->context);
    free(of);
}

bool fmu_cvode_step(fmu_course *course, double limit, bool *root) {
    integrator *of = course->integrator;
    double reached = course->time;
    bool sparing = course->plan->sparing;
    if (!sparing) CVodeSetStopTime(of->solver, limit);
    int flag = CVode(of->solver, limit, of->y, &reached, sparing ? CV_NORMAL : CV_ONE_STEP);
    if (flag == CV_TOO_CLOSE) { // an event right at the limit
        reached = limit;
        flag = CV_SUCCESS;
    }
    if (flag < 0) {
        fmu_violated(course->unit->report, FMU_AGREEMENT, "CVODE gives up at %.9g s: %s", course->time,
                     CVodeGetReturnFlagName(flag));
        return false;
    }
    *root = flag == CV_ROOT_RETURN;
    course->time = reached;
    memcpy(course->x, N_VGetArrayPointer(of->y), (size_t)course->unit->states * sizeof *course->x);
    return true;
}

void fmu_cvode_restart(fmu_course *course) {
    integrator *of = course->integrator;
    memcpy(N_VGetArrayPointer(of->y), course->x, (size_t)course->unit->states * sizeof *course->x);
    CVodeReInit(of->solver, course->time, of->y);
}
