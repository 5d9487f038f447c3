/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * converter_cvode RTOL: the boost converter written by hand for CVODE (Adams, functional iteration): a start anew for every position of
 * the switch, and where its root finding says that the diode turns. Prints `final CURRENT VOLTAGE` and `cpu SECONDS` of the run. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static const double vin = 100, inductance = 1e-3, capacitance = 100e-6, resistance = 20, half = 25e-6;
enum { COUNT = 400 };

typedef struct {
    int closed, conducting;
} position;

static int rates(double t, N_Vector state, N_Vector rate, void *data) {
    const position *at = data;
    const double *x = NV_DATA_S(state);
    double *dx = NV_DATA_S(rate);
    int feeds = !at->closed && at->conducting;
    (void)t;
    dx[0] = at->closed ? vin / inductance : feeds ? (vin - x[1]) / inductance : 0;
    dx[1] = ((feeds ? x[0] : 0) - x[1] / resistance) / capacitance;
    return 0;
}

/* The current of a diode that conducts, and what a blocking one has in forward direction. */
static int turn(double t, N_Vector state, double *root, void *data) {
    const position *at = data;
    const double *x = NV_DATA_S(state);
    (void)t;
    root[0] = at->closed ? 1 : at->conducting ? x[0] : x[1] - vin;
    return 0;
}

/* One position of the switch, from the time reached to `end`. */
static int advance(void *solver, position *at, N_Vector state, double *t, double end) {
    double *x = NV_DATA_S(state);
    int status = CV_SUCCESS;
    at->conducting = x[0] > 0 || x[1] < vin;
    while (*t < end && status >= 0) {
        status = CVodeReInit(solver, *t, state);
        if (status == CV_SUCCESS) status = CVodeSetStopTime(solver, end);
        if (status == CV_SUCCESS) status = CVode(solver, end, state, t, CV_NORMAL);
        if (status != CV_ROOT_RETURN) break;
        if (at->conducting) x[0] = 0;
        at->conducting = !at->conducting;
    }
    return status;
}

int main(int count, char **arguments) {
    double tolerance = count > 1 ? atof(arguments[1]) : 1e-6, t = 0;
    position at = {0, 0};
    SUNContext context;
    clock_t start = clock();
    if (SUNContext_Create(NULL, &context) != 0) return 1;
    N_Vector state = N_VNew_Serial(2, context);
    N_VConst(0, state);
    void *solver = CVodeCreate(CV_ADAMS, context);
    int status = CVodeInit(solver, rates, 0, state);
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(state, 0, context);
    if (status == CV_SUCCESS) status = CVodeSStolerances(solver, tolerance, tolerance);
    if (status == CV_SUCCESS) status = CVodeSetNonlinearSolver(solver, iteration);
    if (status == CV_SUCCESS) status = CVodeSetUserData(solver, &at);
    if (status == CV_SUCCESS) status = CVodeRootInit(solver, 1, turn);
    for (int k = 0; k < COUNT && status >= 0; k++) {
        at.closed = k % 2 == 0;
        status = advance(solver, &at, state, &t, (k + 1) * half);
    }
    if (status < 0) return 1;
    printf("cpu %.6f\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    printf("final %.17g %.17g\n", NV_DATA_S(state)[0], NV_DATA_S(state)[1]);
    return 0;
}
