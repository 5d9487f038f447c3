/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The functions of FMI 2.0 as an importer sees them, written from the specification: one list, from which the table of pointers, the
 * loading and the check for missing names are made. */
#ifndef TESTS_FMU_FMI2_H
#define TESTS_FMU_FMI2_H

#include <stddef.h>

typedef struct {
    void (*log)(void *environment, const char *instance, int status, const char *category,
                const char *message, ...);
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} fmi2_callbacks;

typedef struct {
    int discrete_states_needed; // another iteration
    int terminate;
    int nominals_changed;
    int values_changed; // of the continuous states
    int next_time_defined;
    double next_time;
} fmi2_event_info;

// X(NAME, RESULT, (PARAMETERS)): status is an int, 0 OK to 5 pending; Boolean and Integer are int, a value reference is unsigned
#define FMI2_COMMON(X)                                                                                       \
    X(GetTypesPlatform, const char *, (void))                                                                \
    X(GetVersion, const char *, (void))                                                                      \
    X(SetDebugLogging, int, (void *, int, size_t, const char *const *))                                      \
    X(Instantiate, void *,                                                                                   \
      (const char *, int, const char *, const char *, const fmi2_callbacks *, int, int))                     \
    X(FreeInstance, void, (void *))                                                                          \
    X(SetupExperiment, int, (void *, int, double, double, int, double))                                      \
    X(EnterInitializationMode, int, (void *))                                                                \
    X(ExitInitializationMode, int, (void *))                                                                 \
    X(Terminate, int, (void *))                                                                              \
    X(Reset, int, (void *))                                                                                  \
    X(GetReal, int, (void *, const unsigned *, size_t, double *))                                            \
    X(GetInteger, int, (void *, const unsigned *, size_t, int *))                                            \
    X(GetBoolean, int, (void *, const unsigned *, size_t, int *))                                            \
    X(GetString, int, (void *, const unsigned *, size_t, const char **))                                     \
    X(SetReal, int, (void *, const unsigned *, size_t, const double *))                                      \
    X(SetInteger, int, (void *, const unsigned *, size_t, const int *))                                      \
    X(SetBoolean, int, (void *, const unsigned *, size_t, const int *))                                      \
    X(SetString, int, (void *, const unsigned *, size_t, const char *const *))                               \
    X(GetFMUstate, int, (void *, void **))                                                                   \
    X(SetFMUstate, int, (void *, void *))                                                                    \
    X(FreeFMUstate, int, (void *, void **))                                                                  \
    X(SerializedFMUstateSize, int, (void *, void *, size_t *))                                               \
    X(SerializeFMUstate, int, (void *, void *, char *, size_t))                                              \
    X(DeSerializeFMUstate, int, (void *, const char *, size_t, void **))                                     \
    X(GetDirectionalDerivative, int,                                                                         \
      (void *, const unsigned *, size_t, const unsigned *, size_t, const double *, double *))

#define FMI2_EXCHANGE(X)                                                                                     \
    X(EnterEventMode, int, (void *))                                                                         \
    X(NewDiscreteStates, int, (void *, fmi2_event_info *))                                                   \
    X(EnterContinuousTimeMode, int, (void *))                                                                \
    X(CompletedIntegratorStep, int, (void *, int, int *, int *))                                             \
    X(SetTime, int, (void *, double))                                                                        \
    X(SetContinuousStates, int, (void *, const double *, size_t))                                            \
    X(GetDerivatives, int, (void *, double *, size_t))                                                       \
    X(GetEventIndicators, int, (void *, double *, size_t))                                                   \
    X(GetContinuousStates, int, (void *, double *, size_t))                                                  \
    X(GetNominalsOfContinuousStates, int, (void *, double *, size_t))

#define FMI2_COSIMULATION(X)                                                                                 \
    X(SetRealInputDerivatives, int, (void *, const unsigned *, size_t, const int *, const double *))         \
    X(GetRealOutputDerivatives, int, (void *, const unsigned *, size_t, const int *, double *))              \
    X(DoStep, int, (void *, double, double, int))                                                            \
    X(CancelStep, int, (void *))                                                                             \
    X(GetStatus, int, (void *, int, int *))                                                                  \
    X(GetRealStatus, int, (void *, int, double *))                                                           \
    X(GetIntegerStatus, int, (void *, int, int *))                                                           \
    X(GetBooleanStatus, int, (void *, int, int *))                                                           \
    X(GetStringStatus, int, (void *, int, const char **))

#define FMI2_FUNCTIONS(X) FMI2_COMMON(X) FMI2_EXCHANGE(X) FMI2_COSIMULATION(X)

#define FMI2_POINTER(name, result, parameters) result(*name) parameters;
typedef struct {
    FMI2_FUNCTIONS(FMI2_POINTER)
} fmi2_functions;
#undef FMI2_POINTER

#endif
