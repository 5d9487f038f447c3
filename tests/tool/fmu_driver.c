/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The smallest importer of FMI 2.0 that shows whether an FMU runs: driver LIBRARY GUID me|cs STEP STOP
 * REFERENCE... prints rows of real variables at every step. Model exchange steps by the classical Runge-Kutta
 * method and locates events by bisection. Compiled by export_fmu_test.sh with the header that the FMU
 * ships. */
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2.h"

enum { MOST = 200 };

#define FUNCTIONS(X)                                                                                         \
    X(fmi2Instantiate)                                                                                       \
    X(fmi2SetupExperiment)                                                                                   \
    X(fmi2EnterInitializationMode)                                                                           \
    X(fmi2ExitInitializationMode)                                                                            \
    X(fmi2GetReal)                                                                                           \
    X(fmi2DoStep)                                                                                            \
    X(fmi2EnterEventMode)                                                                                    \
    X(fmi2NewDiscreteStates)                                                                                 \
    X(fmi2EnterContinuousTimeMode)                                                                           \
    X(fmi2CompletedIntegratorStep)                                                                           \
    X(fmi2SetTime)                                                                                           \
    X(fmi2SetContinuousStates)                                                                               \
    X(fmi2GetContinuousStates)                                                                               \
    X(fmi2GetDerivatives)                                                                                    \
    X(fmi2GetEventIndicators)                                                                                \
    X(fmi2Terminate)                                                                                         \
    X(fmi2FreeInstance)

typedef struct {
#define X(name) __typeof__(&name) name;
    FUNCTIONS(X)
#undef X
    fmi2Component c;
    size_t states, indicators;
    double t, x[MOST], z[MOST], next;
    long events;
} importer;

static void check(fmi2Status status, const char *what) {
    if (status <= fmi2Warning) return;
    fprintf(stderr, "%s: %d\n", what, (int)status);
    exit(3);
}
#define CALL(f, function, ...) check((f)->function((f)->c, __VA_ARGS__), #function)

static void tell(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                 fmi2String category, fmi2String message, ...) {
    va_list values;
    (void)environment, (void)status;
    fprintf(stderr, "%s, %s: ", name, category);
    va_start(values, message);
    vfprintf(stderr, message, values);
    va_end(values);
    fputc('\n', stderr);
}

static void print_row(importer *f, const unsigned *references, size_t count) {
    double values[MOST];
    CALL(f, fmi2GetReal, references, count, values);
    printf("%.17g", f->t);
    for (size_t i = 0; i < count; i++) printf(",%.17g", values[i]);
    putchar('\n');
}

/* ---- model exchange ------------------------------------------------------------------------------------ */

static void rates(importer *f, double t, const double *x, double *dx) {
    CALL(f, fmi2SetTime, t);
    if (f->states > 0) CALL(f, fmi2SetContinuousStates, x, f->states);
    if (f->states > 0) CALL(f, fmi2GetDerivatives, dx, f->states);
}

static void step(importer *f, double h, double *x) {
    double k[4][MOST], at[MOST];
    for (int s = 0; s < 4; s++) {
        double share = s == 0 ? 0 : s == 3 ? 1 : 0.5;
        for (size_t i = 0; i < f->states; i++) at[i] = f->x[i] + (s > 0 ? share * h * k[s - 1][i] : 0);
        rates(f, f->t + share * h, at, k[s]);
    }
    for (size_t i = 0; i < f->states; i++)
        x[i] = f->x[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* Whether an indicator has another sign after a step of h; the instance is then at its end. */
static int crosses(importer *f, double h, double *x) {
    double z[MOST];
    int found = 0;
    step(f, h, x);
    CALL(f, fmi2SetTime, f->t + h);
    if (f->states > 0) CALL(f, fmi2SetContinuousStates, x, f->states);
    if (f->indicators > 0) CALL(f, fmi2GetEventIndicators, z, f->indicators);
    for (size_t k = 0; k < f->indicators; k++) found |= (z[k] > 0) != (f->z[k] > 0);
    return found;
}

static void update(importer *f) {
    fmi2EventInfo info = {.newDiscreteStatesNeeded = fmi2True};
    while (info.newDiscreteStatesNeeded) CALL(f, fmi2NewDiscreteStates, &info);
    check(f->fmi2EnterContinuousTimeMode(f->c), "fmi2EnterContinuousTimeMode");
    if (f->states > 0) CALL(f, fmi2GetContinuousStates, f->x, f->states);
    if (f->indicators > 0) CALL(f, fmi2GetEventIndicators, f->z, f->indicators);
    f->next = info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
}

static void exchange_step(importer *f, double to) {
    while (f->t < to) {
        double x[MOST], end = fmin(to, f->next), h = end - f->t, low = 0;
        int crossed = crosses(f, h, x);
        for (int i = 0; i < 60 && crossed && h - low > 1e-15 * end; i++) {
            double middle = (low + h) / 2;
            if (crosses(f, middle, x))
                h = middle;
            else
                low = middle;
        }
        if (crossed) (void)crosses(f, h, x);
        memcpy(f->x, x, f->states * sizeof *x);
        f->t = crossed ? f->t + h : end;
        fmi2Boolean wanted, terminate;
        CALL(f, fmi2CompletedIntegratorStep, fmi2True, &wanted, &terminate);
        if (!crossed && !wanted && f->t < f->next) {
            if (f->indicators > 0) CALL(f, fmi2GetEventIndicators, f->z, f->indicators);
            continue;
        }
        check(f->fmi2EnterEventMode(f->c), "fmi2EnterEventMode");
        f->events++;
        update(f);
    }
}

int main(int count, char **arguments) {
    importer f = {0};
    unsigned references[MOST];
    fmi2CallbackFunctions callbacks = {tell, calloc, free, NULL, NULL};
    if (count < 8) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
#define X(name) *(void **)&f.name = dlsym(library, #name);
    FUNCTIONS(X)
#undef X
    int steps = strcmp(arguments[3], "cs") == 0;
    double h = atof(arguments[4]), stop = atof(arguments[5]);
    f.states = (size_t)atoi(arguments[6]);
    f.indicators = (size_t)atoi(arguments[7]);
    size_t asked = (size_t)(count - 8);
    for (size_t i = 0; i < asked && i < MOST; i++) references[i] = (unsigned)atoi(arguments[i + 8]);
    f.c = f.fmi2Instantiate("one", steps ? fmi2CoSimulation : fmi2ModelExchange, arguments[2], NULL,
                            &callbacks, fmi2False, fmi2False);
    if (!f.c) return 2;
    CALL(&f, fmi2SetupExperiment, fmi2False, 0, 0, fmi2True, stop);
    check(f.fmi2EnterInitializationMode(f.c), "fmi2EnterInitializationMode");
    check(f.fmi2ExitInitializationMode(f.c), "fmi2ExitInitializationMode");
    if (!steps) update(&f);
    print_row(&f, references, asked);
    for (long i = 1; f.t < stop * (1 - 1e-12); i++) {
        double to = (double)i * h > stop * (1 - 1e-9) ? stop : (double)i * h;
        if (steps) CALL(&f, fmi2DoStep, f.t, to - f.t, fmi2True);
        if (!steps) exchange_step(&f, to);
        f.t = to;
        print_row(&f, references, asked);
    }
    fprintf(stderr, "events %ld\n", f.events);
    check(f.fmi2Terminate(f.c), "fmi2Terminate");
    f.fmi2FreeInstance(f.c);
    return dlclose(library);
}
