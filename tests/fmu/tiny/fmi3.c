/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The heater behind FMI 3.0. Co-simulation has an event mode and steps that return early at events. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3.h" // the importer's declarations
#include "tiny.h"

#define SHOWN     __attribute__((visibility("default")))
#define FAIL      3
#define UNUSED    __attribute__((unused))
#define IN(modes) (((modes) >> of->now.mode & 1) != 0)
#define REQUIRE(modes)                                                                                       \
    if (!IN(modes)) return refuse(of, __func__)

static int refuse(void *c, const char *what) {
    tiny *of = c;
    fmi3_log log;
    memcpy(&log, &of->log, sizeof log);
    if (log) log(of->environment, FAIL, DEFECT == NAMELESS ? NULL : "logStatusError", what);
    return FAIL;
}

#define DECLARE(name, result, parameters) SHOWN result fmi3##name parameters;
FMI3_FUNCTIONS(DECLARE)

#if DEFECT == 1 // HELPER
SHOWN int tiny_helper(void);
int tiny_helper(void) {
    return 1;
}
#endif

const char *fmi3GetVersion(void) {
    return "3.0";
}
int fmi3SetDebugLogging(UNUSED void *c, UNUSED bool on, UNUSED size_t n,
                        UNUSED const char *const *categories) {
    return 0;
}

static void *make(const char *name, const char *token, const char *resources, void *environment,
                  fmi3_log log) {
    if (strcmp(token, TINY_TOKEN) != 0 && DEFECT != ANY_TOKEN) return NULL;
    if (DEFECT == PICKY && (!resources || strchr(resources, '%'))) return NULL;
    tiny *of = calloc(1, sizeof *of);
    of->name = strdup(name);
    of->environment = environment;
    memcpy(&of->log, &log, sizeof log);
    return of;
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources,
                                   UNUSED bool visible, UNUSED bool logging, void *environment,
                                   fmi3_log log) {
    tiny *of = make(name, token, resources, environment, log);
    if (of) tiny_start(of);
    return of;
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                  UNUSED bool visible, UNUSED bool logging, bool event_mode, bool early,
                                  UNUSED const uint32_t *required, UNUSED size_t count, void *environment,
                                  fmi3_log log, UNUSED fmi3_intermediate update) {
    tiny *of = make(name, token, resources, environment, log);
    if (!of) return NULL;
    of->now.cosimulation = true;
    of->now.event_mode = event_mode;
    of->now.early = early || DEFECT == EARLY;
    tiny_start(of);
    return of;
}

void *fmi3InstantiateScheduledExecution(UNUSED const char *name, UNUSED const char *token,
                                        UNUSED const char *resources, UNUSED bool visible,
                                        UNUSED bool logging, UNUSED void *environment, UNUSED fmi3_log log,
                                        UNUSED void (*clock)(void *), UNUSED void (*lock)(void),
                                        UNUSED void (*unlock)(void)) {
    return NULL;
}

void fmi3FreeInstance(void *c) {
    tiny *of = c;
    if (of && DEFECT != LEAK) free(of->name);
    free(of);
}

int fmi3EnterInitializationMode(void *c, UNUSED bool tolerant, UNUSED double tolerance, double start,
                                UNUSED bool stops, UNUSED double stop) {
    tiny *of = c;
    REQUIRE(1u << TINY_INSTANTIATED);
    tiny_initialize(of, start);
    of->now.mode = TINY_INITIALIZING;
    return 0;
}

int fmi3ExitInitializationMode(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_INITIALIZING);
    of->now.mode = of->now.cosimulation && !of->now.event_mode ? TINY_STEPS : TINY_EVENTS;
    return 0;
}

int fmi3EnterEventMode(void *c) {
    tiny *of = c;
    bool agreed = of->now.mode == TINY_CONTINUOUS || (of->now.mode == TINY_STEPS && of->now.event_mode);
    if (!agreed && DEFECT != UNINVITED) return refuse(of, "fmi3EnterEventMode");
    of->now.mode = TINY_EVENTS;
    return 0;
}

int fmi3Terminate(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS | 1u << TINY_CONTINUOUS | 1u << TINY_STEPS);
    of->now.mode = TINY_TERMINATED;
    return 0;
}

int fmi3Reset(void *c) {
    tiny *of = c;
    of->now.mode = TINY_INSTANTIATED;
    if (DEFECT != NO_RESET) tiny_start(of);
    return 0;
}

static bool wrong_type(unsigned reference, int kind) { // 0 real, 1 Int32, 2 Int64
    int own = reference == TINY_HEATING ? 2 : reference == TINY_TICKS ? 1 : 0;
    return reference <= TINY_PRODUCT && own != kind;
}

#define GETTER(function, c_type, kind)                                                                       \
    int function(void *c, const uint32_t *references, size_t count, c_type *values, size_t value_count) {    \
        tiny *of = c;                                                                                        \
        if (count != value_count) return refuse(of, #function);                                              \
        for (size_t i = 0; i < count; i++) {                                                                 \
            double value;                                                                                    \
            if (wrong_type(references[i], kind) || !tiny_get(of, references[i], &value))                     \
                return refuse(of, #function);                                                                \
            values[i] = (c_type)value;                                                                       \
        }                                                                                                    \
        return 0;                                                                                            \
    }
GETTER(fmi3GetFloat64, double, 0)
GETTER(fmi3GetInt32, int32_t, 1)
GETTER(fmi3GetInt64, int64_t, 2)

int fmi3SetFloat64(void *c, const uint32_t *references, size_t count, const double *values, UNUSED size_t n) {
    tiny *of = c;
    for (size_t i = 0; i < count; i++)
        if (!tiny_set(of, references[i], values[i])) return refuse(of, "fmi3SetFloat64");
    return 0;
}

#define NONE(function, ...)                                                                                  \
    int function(void *c, __VA_ARGS__) {                                                                     \
        return refuse(c, #function);                                                                         \
    }
#define VALUES(type) UNUSED const uint32_t *r, UNUSED size_t n, UNUSED type *v, UNUSED size_t m
NONE(fmi3GetFloat32, VALUES(float))
NONE(fmi3GetInt8, VALUES(int8_t))
NONE(fmi3GetUInt8, VALUES(uint8_t))
NONE(fmi3GetInt16, VALUES(int16_t))
NONE(fmi3GetUInt16, VALUES(uint16_t))
NONE(fmi3GetUInt32, VALUES(uint32_t))
NONE(fmi3GetUInt64, VALUES(uint64_t))
NONE(fmi3GetBoolean, VALUES(bool))
NONE(fmi3GetString, VALUES(const char *))
NONE(fmi3GetBinary, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED size_t *s, UNUSED const uint8_t **v,
     UNUSED size_t m)
NONE(fmi3GetClock, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED bool *v)
NONE(fmi3SetFloat32, VALUES(const float))
NONE(fmi3SetInt8, VALUES(const int8_t))
NONE(fmi3SetUInt8, VALUES(const uint8_t))
NONE(fmi3SetInt16, VALUES(const int16_t))
NONE(fmi3SetUInt16, VALUES(const uint16_t))
NONE(fmi3SetInt32, VALUES(const int32_t))
NONE(fmi3SetUInt32, VALUES(const uint32_t))
NONE(fmi3SetInt64, VALUES(const int64_t))
NONE(fmi3SetUInt64, VALUES(const uint64_t))
NONE(fmi3SetBoolean, VALUES(const bool))
NONE(fmi3SetString, VALUES(const char *const))
NONE(fmi3SetBinary, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED const size_t *s,
     UNUSED const uint8_t *const *v, UNUSED size_t m)
NONE(fmi3SetClock, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED const bool *v)
NONE(fmi3GetNumberOfVariableDependencies, UNUSED uint32_t r, UNUSED size_t *n)
NONE(fmi3GetVariableDependencies, UNUSED uint32_t r, UNUSED size_t *a, UNUSED uint32_t *b, UNUSED size_t *d,
     UNUSED int *e, UNUSED size_t n)
#if DEFECT != 28 // MISSING
NONE(fmi3GetAdjointDerivative, UNUSED const uint32_t *a, UNUSED size_t n, UNUSED const uint32_t *b,
     UNUSED size_t m, UNUSED const double *d, UNUSED size_t k, UNUSED double *e, UNUSED size_t l)
#endif
NONE(fmi3GetIntervalDecimal, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED double *v, UNUSED int *q)
NONE(fmi3GetIntervalFraction, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED uint64_t *a,
     UNUSED uint64_t *b, UNUSED int *q)
NONE(fmi3GetShiftDecimal, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED double *v)
NONE(fmi3GetShiftFraction, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED uint64_t *a, UNUSED uint64_t *b)
NONE(fmi3SetIntervalDecimal, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED const double *v)
NONE(fmi3SetIntervalFraction, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED const uint64_t *a,
     UNUSED const uint64_t *b)
NONE(fmi3SetShiftDecimal, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED const double *v)
NONE(fmi3SetShiftFraction, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED const uint64_t *a,
     UNUSED const uint64_t *b)
NONE(fmi3ActivateModelPartition, UNUSED uint32_t r, UNUSED double t)
NONE(fmi3GetOutputDerivatives, UNUSED const uint32_t *r, UNUSED size_t n, UNUSED const int32_t *o,
     UNUSED double *v, UNUSED size_t m)

int fmi3EnterConfigurationMode(void *c) {
    return refuse(c, "fmi3EnterConfigurationMode");
}
int fmi3ExitConfigurationMode(void *c) {
    return refuse(c, "fmi3ExitConfigurationMode");
}
int fmi3EvaluateDiscreteStates(UNUSED void *c) {
    return 0;
}

int fmi3GetFMUState(void *c, void **state) {
    tiny *of = c;
    if (!*state) *state = malloc(sizeof(tiny_state));
    memcpy(*state, &of->now, sizeof of->now);
    return 0;
}

int fmi3SetFMUState(void *c, void *state) {
    tiny *of = c;
    tiny_state before = of->now;
    memcpy(&of->now, state, sizeof of->now);
    if (DEFECT == FORGETFUL) of->now.next = before.next, of->now.heating = before.heating;
    return 0;
}

int fmi3FreeFMUState(UNUSED void *c, void **state) {
    free(*state);
    *state = NULL;
    return 0;
}

int fmi3SerializedFMUStateSize(UNUSED void *c, void *state, size_t *size) {
    *size = tiny_pack(state, NULL);
    return 0;
}

int fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size) {
    if (size < tiny_pack(state, NULL)) return refuse(c, "fmi3SerializeFMUState");
    tiny_pack(state, bytes);
    return 0;
}

int fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state) {
    tiny_state one = {0};
    if (!tiny_unpack(&one, bytes, size)) return refuse(c, "fmi3DeserializeFMUState");
    *state = malloc(sizeof one);
    memcpy(*state, &one, sizeof one);
    return 0;
}

int fmi3GetDirectionalDerivative(void *c, const uint32_t *unknowns, size_t unknown_count,
                                 const uint32_t *knowns, size_t known_count, const double *seed,
                                 UNUSED size_t n, double *sensitivity, UNUSED size_t m) {
    tiny *of = c;
    if (unknown_count != 1 || known_count != 1 || knowns[0] != TINY_X || unknowns[0] != TINY_RATE)
        return refuse(of, "fmi3GetDirectionalDerivative");
    sensitivity[0] = -of->now.k * seed[0] * (DEFECT == WRONG_SLOPE ? 2 : 1);
    return 0;
}

int fmi3UpdateDiscreteStates(void *c, bool *again, bool *terminate, bool *nominals, bool *values,
                             bool *next_defined, double *next) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS);
    *again = tiny_event_due(of) ? tiny_update(of) : DEFECT == ENDLESS;
    if (DEFECT == ALWAYS_CHANGED) of->now.changed = true;
    *terminate = *nominals = false;
    *values = of->now.changed;
    *next_defined = true;
    *next = of->now.next;
    return 0;
}

int fmi3EnterContinuousTimeMode(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS);
    of->now.changed = false;
    of->now.mode = TINY_CONTINUOUS;
    return 0;
}

int fmi3EnterStepMode(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS);
    of->now.changed = false;
    of->now.mode = TINY_STEPS;
    return 0;
}

int fmi3CompletedIntegratorStep(void *c, UNUSED bool no_set, bool *event, bool *terminate) {
    tiny *of = c;
    REQUIRE(1u << TINY_CONTINUOUS);
    *event = *terminate = false;
    return 0;
}

int fmi3SetTime(void *c, double time) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS | 1u << TINY_CONTINUOUS);
    of->now.t = time;
    return 0;
}

int fmi3SetContinuousStates(void *c, const double *x, size_t count) {
    tiny *of = c;
    if (count != 1) return refuse(of, "fmi3SetContinuousStates");
    REQUIRE(1u << TINY_CONTINUOUS);
    int mode = of->now.mode;
    of->now.mode = TINY_INITIALIZING; // where tiny_set takes x
    tiny_set(of, TINY_X, x[0]);
    of->now.mode = mode;
    return 0;
}

static double x_of(tiny *of) {
    double x;
    tiny_get(of, TINY_X, &x);
    return x;
}

#define LIST(function, value)                                                                                \
    int function(void *c, double *values, size_t count) {                                                    \
        tiny *of = c;                                                                                        \
        if (count != 1) return refuse(of, #function);                                                        \
        if (DEFECT != EAGER) REQUIRE(1u << TINY_EVENTS | 1u << TINY_CONTINUOUS);                             \
        values[0] = value;                                                                                   \
        return 0;                                                                                            \
    }
LIST(fmi3GetContinuousStateDerivatives, tiny_rate(of))
LIST(fmi3GetEventIndicators, tiny_indicator(of))
LIST(fmi3GetContinuousStates, x_of(of))
LIST(fmi3GetNominalsOfContinuousStates, 1.0)

int fmi3GetNumberOfEventIndicators(UNUSED void *c, size_t *count) {
    *count = 1;
    return 0;
}
int fmi3GetNumberOfContinuousStates(UNUSED void *c, size_t *count) {
    *count = 1;
    return 0;
}

int fmi3DoStep(void *c, double time, double step, UNUSED bool no_set, bool *event, bool *terminate,
               bool *early, double *reached) {
    tiny *of = c;
    if (DEFECT != EAGER) REQUIRE(1u << TINY_STEPS);
    if (!(step > 0)) return refuse(of, "fmi3DoStep");
    if (DEFECT == EXACT_POINTS && time != of->now.t) return refuse(of, "fmi3DoStep");
    bool stops = of->now.early && (of->now.event_mode || DEFECT == EARLY);
    *event = tiny_step(of, time, step, stops) && of->now.event_mode;
    *terminate = false;
    *early = stops && of->now.t < time + step - 1e-12;
    *reached = of->now.t;
    return 0;
}
