/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The functions of FMI 3.0 as an importer sees them, written from the specification. Those the importer never calls have a place in the
 * list too, since an FMU has to have them. */
#ifndef TESTS_FMU_FMI3_H
#define TESTS_FMU_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*fmi3_log)(void *environment, int status, const char *category, const char *message);
typedef void (*fmi3_intermediate)(void *environment, double time, bool set_requested, bool get_allowed,
                                  bool step_finished, bool can_return_early, bool *return_requested,
                                  double *return_time);

// X(NAME, RESULT, (PARAMETERS)): status is an int, 0 OK to 4 fatal; a value reference is uint32_t
#define FMI3_VALUES(X, way, constant)                                                                        \
    X(way##Float32, int, (void *, const uint32_t *, size_t, constant float *, size_t))                       \
    X(way##Float64, int, (void *, const uint32_t *, size_t, constant double *, size_t))                      \
    X(way##Int8, int, (void *, const uint32_t *, size_t, constant int8_t *, size_t))                         \
    X(way##UInt8, int, (void *, const uint32_t *, size_t, constant uint8_t *, size_t))                       \
    X(way##Int16, int, (void *, const uint32_t *, size_t, constant int16_t *, size_t))                       \
    X(way##UInt16, int, (void *, const uint32_t *, size_t, constant uint16_t *, size_t))                     \
    X(way##Int32, int, (void *, const uint32_t *, size_t, constant int32_t *, size_t))                       \
    X(way##UInt32, int, (void *, const uint32_t *, size_t, constant uint32_t *, size_t))                     \
    X(way##Int64, int, (void *, const uint32_t *, size_t, constant int64_t *, size_t))                       \
    X(way##UInt64, int, (void *, const uint32_t *, size_t, constant uint64_t *, size_t))                     \
    X(way##Boolean, int, (void *, const uint32_t *, size_t, constant bool *, size_t))                        \
    X(way##String, int, (void *, const uint32_t *, size_t, const char *constant *, size_t))                  \
    X(way##Binary, int,                                                                                      \
      (void *, const uint32_t *, size_t, constant size_t *, const uint8_t *constant *, size_t))              \
    X(way##Clock, int, (void *, const uint32_t *, size_t, constant bool *))

#define FMI3_COMMON(X)                                                                                       \
    X(GetVersion, const char *, (void))                                                                      \
    X(SetDebugLogging, int, (void *, bool, size_t, const char *const *))                                     \
    X(InstantiateModelExchange, void *,                                                                      \
      (const char *, const char *, const char *, bool, bool, void *, fmi3_log))                              \
    X(InstantiateCoSimulation, void *,                                                                       \
      (const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t, void *,   \
       fmi3_log, fmi3_intermediate))                                                                         \
    X(InstantiateScheduledExecution, void *,                                                                 \
      (const char *, const char *, const char *, bool, bool, void *, fmi3_log, void (*)(void *),             \
       void (*)(void), void (*)(void)))                                                                      \
    X(FreeInstance, void, (void *))                                                                          \
    X(EnterInitializationMode, int, (void *, bool, double, double, bool, double))                            \
    X(ExitInitializationMode, int, (void *))                                                                 \
    X(EnterEventMode, int, (void *))                                                                         \
    X(Terminate, int, (void *))                                                                              \
    X(Reset, int, (void *))                                                                                  \
    X(GetNumberOfVariableDependencies, int, (void *, uint32_t, size_t *))                                    \
    X(GetVariableDependencies, int, (void *, uint32_t, size_t *, uint32_t *, size_t *, int *, size_t))       \
    X(GetFMUState, int, (void *, void **))                                                                   \
    X(SetFMUState, int, (void *, void *))                                                                    \
    X(FreeFMUState, int, (void *, void **))                                                                  \
    X(SerializedFMUStateSize, int, (void *, void *, size_t *))                                               \
    X(SerializeFMUState, int, (void *, void *, uint8_t *, size_t))                                           \
    X(DeserializeFMUState, int, (void *, const uint8_t *, size_t, void **))                                  \
    X(GetDirectionalDerivative, int,                                                                         \
      (void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t, double *,         \
       size_t))                                                                                              \
    X(GetAdjointDerivative, int,                                                                             \
      (void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t, double *,         \
       size_t))                                                                                              \
    X(EnterConfigurationMode, int, (void *))                                                                 \
    X(ExitConfigurationMode, int, (void *))                                                                  \
    X(EvaluateDiscreteStates, int, (void *))                                                                 \
    X(UpdateDiscreteStates, int, (void *, bool *, bool *, bool *, bool *, bool *, double *))

#define FMI3_CLOCKS(X)                                                                                       \
    X(GetIntervalDecimal, int, (void *, const uint32_t *, size_t, double *, int *))                          \
    X(GetIntervalFraction, int, (void *, const uint32_t *, size_t, uint64_t *, uint64_t *, int *))           \
    X(GetShiftDecimal, int, (void *, const uint32_t *, size_t, double *))                                    \
    X(GetShiftFraction, int, (void *, const uint32_t *, size_t, uint64_t *, uint64_t *))                     \
    X(SetIntervalDecimal, int, (void *, const uint32_t *, size_t, const double *))                           \
    X(SetIntervalFraction, int, (void *, const uint32_t *, size_t, const uint64_t *, const uint64_t *))      \
    X(SetShiftDecimal, int, (void *, const uint32_t *, size_t, const double *))                              \
    X(SetShiftFraction, int, (void *, const uint32_t *, size_t, const uint64_t *, const uint64_t *))         \
    X(ActivateModelPartition, int, (void *, uint32_t, double))

#define FMI3_EXCHANGE(X)                                                                                     \
    X(EnterContinuousTimeMode, int, (void *))                                                                \
    X(CompletedIntegratorStep, int, (void *, bool, bool *, bool *))                                          \
    X(SetTime, int, (void *, double))                                                                        \
    X(SetContinuousStates, int, (void *, const double *, size_t))                                            \
    X(GetContinuousStateDerivatives, int, (void *, double *, size_t))                                        \
    X(GetEventIndicators, int, (void *, double *, size_t))                                                   \
    X(GetContinuousStates, int, (void *, double *, size_t))                                                  \
    X(GetNominalsOfContinuousStates, int, (void *, double *, size_t))                                        \
    X(GetNumberOfEventIndicators, int, (void *, size_t *))                                                   \
    X(GetNumberOfContinuousStates, int, (void *, size_t *))

#define FMI3_COSIMULATION(X)                                                                                 \
    X(EnterStepMode, int, (void *))                                                                          \
    X(GetOutputDerivatives, int, (void *, const uint32_t *, size_t, const int32_t *, double *, size_t))      \
    X(DoStep, int, (void *, double, double, bool, bool *, bool *, bool *, double *))

#define FMI3_NOTHING
#define FMI3_FUNCTIONS(X)                                                                                    \
    FMI3_COMMON(X)                                                                                           \
    FMI3_VALUES(X, Get, FMI3_NOTHING)                                                                        \
    FMI3_VALUES(X, Set, const) FMI3_CLOCKS(X) FMI3_EXCHANGE(X) FMI3_COSIMULATION(X)

#define FMI3_POINTER(name, result, parameters) result(*name) parameters;
typedef struct {
    FMI3_FUNCTIONS(FMI3_POINTER)
} fmi3_functions;
#undef FMI3_POINTER

#endif
