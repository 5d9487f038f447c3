/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The heater behind FMI 2.0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2.h" // the importer's declarations
#include "tiny.h"

#define SHOWN     __attribute__((visibility("default")))
#define FAIL      3
#define IN(modes) (((modes) >> of->now.mode & 1) != 0)
#define REQUIRE(modes)                                                                                       \
    if (!IN(modes)) return refuse(of, __func__)

static int refuse(tiny *of, const char *what) {
    const fmi2_callbacks *callbacks = of->own;
    if (callbacks && callbacks->log)
        callbacks->log(callbacks->environment, of->name, FAIL, DEFECT == NAMELESS ? NULL : "logStatusError",
                       "%s is refused", what);
    return FAIL;
}

// prototypes for what is visible
#define DECLARE(name, result, parameters) SHOWN result fmi2##name parameters;
FMI2_FUNCTIONS(DECLARE)

#if DEFECT == 1 // HELPER
SHOWN int tiny_helper(void);
int tiny_helper(void) {
    return 1;
}
#endif

const char *fmi2GetTypesPlatform(void) {
    return "default";
}
const char *fmi2GetVersion(void) {
    return "2.0";
}
int fmi2SetDebugLogging(void *c, int on, size_t count, const char *const *categories) {
    (void)c, (void)on, (void)count, (void)categories;
    return 0;
}

void *fmi2Instantiate(const char *name, int type, const char *token, const char *resources,
                      const fmi2_callbacks *callbacks, int visible, int logging) {
    (void)visible, (void)logging;
    if (strcmp(token, TINY_TOKEN) != 0 && DEFECT != ANY_TOKEN) return NULL;
    if (DEFECT == PICKY && (!resources || strncmp(resources, "file:///", 8) != 0)) return NULL;
    tiny *of = calloc(1, sizeof *of);
    of->name = strdup(name);
    of->own = malloc(sizeof *callbacks);
    memcpy(of->own, callbacks, sizeof *callbacks);
    of->now.cosimulation = type == 1;
    tiny_start(of);
    return of;
}

void fmi2FreeInstance(void *c) {
    tiny *of = c;
    if (!of) return;
    if (DEFECT != LEAK) free(of->name);
    free(of->own);
    free(of);
}

int fmi2SetupExperiment(void *c, int tolerant, double tolerance, double start, int stops, double stop) {
    tiny *of = c;
    (void)tolerant, (void)tolerance, (void)stops, (void)stop;
    REQUIRE(1u << TINY_INSTANTIATED);
    tiny_initialize(of, start);
    return 0;
}

int fmi2EnterInitializationMode(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_INSTANTIATED);
    of->now.mode = TINY_INITIALIZING;
    return 0;
}

int fmi2ExitInitializationMode(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_INITIALIZING);
    of->now.mode = of->now.cosimulation ? TINY_STEPS : TINY_EVENTS;
    return 0;
}

int fmi2Terminate(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS | 1u << TINY_CONTINUOUS | 1u << TINY_STEPS);
    of->now.mode = TINY_TERMINATED;
    return 0;
}

int fmi2Reset(void *c) {
    tiny *of = c;
    if (DEFECT == NO_RESET) {
        of->now.mode = TINY_INSTANTIATED;
        return 0;
    }
    tiny_start(of);
    return 0;
}

#define GETTER(function, c_type, allowed)                                                                    \
    int function(void *c, const unsigned *references, size_t count, c_type *values) {                        \
        tiny *of = c;                                                                                        \
        for (size_t i = 0; i < count; i++) {                                                                 \
            double value;                                                                                    \
            bool counted = references[i] == TINY_HEATING || references[i] == TINY_TICKS;                     \
            if (references[i] <= TINY_PRODUCT && counted != (allowed)) return refuse(of, #function);         \
            if (!tiny_get(of, references[i], &value)) return refuse(of, #function);                          \
            values[i] = (c_type)value;                                                                       \
        }                                                                                                    \
        return 0;                                                                                            \
    }
GETTER(fmi2GetReal, double, false)
GETTER(fmi2GetInteger, int, true)

int fmi2SetReal(void *c, const unsigned *references, size_t count, const double *values) {
    tiny *of = c;
    for (size_t i = 0; i < count; i++)
        if (!tiny_set(of, references[i], values[i])) return refuse(of, "fmi2SetReal");
    return 0;
}

#define NONE(function, parameters)                                                                           \
    int function parameters {                                                                                \
        return refuse(of, #function);                                                                        \
    }
#define UNUSED __attribute__((unused))
NONE(fmi2SetInteger, (void *of, UNUSED const unsigned *r, UNUSED size_t n, UNUSED const int *v))
NONE(fmi2GetBoolean, (void *of, UNUSED const unsigned *r, UNUSED size_t n, UNUSED int *v))
NONE(fmi2SetBoolean, (void *of, UNUSED const unsigned *r, UNUSED size_t n, UNUSED const int *v))
NONE(fmi2GetString, (void *of, UNUSED const unsigned *r, UNUSED size_t n, UNUSED const char **v))
NONE(fmi2SetString, (void *of, UNUSED const unsigned *r, UNUSED size_t n, UNUSED const char *const *v))
NONE(fmi2SetRealInputDerivatives,
     (void *of, UNUSED const unsigned *r, UNUSED size_t n, UNUSED const int *o, UNUSED const double *v))
NONE(fmi2GetRealOutputDerivatives,
     (void *of, UNUSED const unsigned *r, UNUSED size_t n, UNUSED const int *o, UNUSED double *v))
NONE(fmi2CancelStep, (void *of))
NONE(fmi2GetStatus, (void *of, UNUSED int kind, UNUSED int *v))
NONE(fmi2GetRealStatus, (void *of, UNUSED int kind, UNUSED double *v))
NONE(fmi2GetIntegerStatus, (void *of, UNUSED int kind, UNUSED int *v))
NONE(fmi2GetBooleanStatus, (void *of, UNUSED int kind, UNUSED int *v))
NONE(fmi2GetStringStatus, (void *of, UNUSED int kind, UNUSED const char **v))

int fmi2GetFMUstate(void *c, void **state) {
    tiny *of = c;
    if (!*state) *state = malloc(sizeof(tiny_state));
    memcpy(*state, &of->now, sizeof of->now);
    return 0;
}

int fmi2SetFMUstate(void *c, void *state) {
    tiny *of = c;
    tiny_state before = of->now;
    memcpy(&of->now, state, sizeof of->now);
    if (DEFECT == FORGETFUL) of->now.next = before.next, of->now.heating = before.heating;
    return 0;
}

int fmi2FreeFMUstate(void *c, void **state) {
    (void)c;
    free(*state);
    *state = NULL;
    return 0;
}

int fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) {
    (void)c;
    *size = tiny_pack(state, NULL);
    return 0;
}

int fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size) {
    if (size < tiny_pack(state, NULL)) return refuse(c, "fmi2SerializeFMUstate");
    tiny_pack(state, (unsigned char *)bytes);
    return 0;
}

int fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state) {
    tiny_state one = {0};
    if (!tiny_unpack(&one, (const unsigned char *)bytes, size)) return refuse(c, "fmi2DeSerializeFMUstate");
    *state = malloc(sizeof one);
    memcpy(*state, &one, sizeof one);
    return 0;
}

#if DEFECT != 28 // MISSING
int fmi2GetDirectionalDerivative(void *c, const unsigned *unknowns, size_t unknown_count,
                                 const unsigned *knowns, size_t known_count, const double *seed,
                                 double *sensitivity) {
    tiny *of = c;
    if (unknown_count != 1 || known_count != 1 || knowns[0] != TINY_X || unknowns[0] != TINY_RATE)
        return refuse(of, "fmi2GetDirectionalDerivative");
    sensitivity[0] = -of->now.k * seed[0] * (DEFECT == WRONG_SLOPE ? 2 : 1);
    return 0;
}
#endif

int fmi2EnterEventMode(void *c) {
    tiny *of = c;
    if (DEFECT != UNINVITED) REQUIRE(1u << TINY_CONTINUOUS);
    of->now.mode = TINY_EVENTS;
    return 0;
}

int fmi2NewDiscreteStates(void *c, fmi2_event_info *info) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS);
    bool again = tiny_event_due(of) ? tiny_update(of) : DEFECT == ENDLESS;
    if (DEFECT == ALWAYS_CHANGED) of->now.changed = true;
    *info = (fmi2_event_info){again, 0, 0, of->now.changed, 1, of->now.next};
    return 0;
}

int fmi2EnterContinuousTimeMode(void *c) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS);
    of->now.changed = false;
    of->now.mode = TINY_CONTINUOUS;
    return 0;
}

int fmi2CompletedIntegratorStep(void *c, int no_set, int *event, int *terminate) {
    tiny *of = c;
    (void)no_set;
    REQUIRE(1u << TINY_CONTINUOUS);
    *event = *terminate = 0;
    return 0;
}

int fmi2SetTime(void *c, double time) {
    tiny *of = c;
    REQUIRE(1u << TINY_EVENTS | 1u << TINY_CONTINUOUS);
    of->now.t = time;
    return 0;
}

int fmi2SetContinuousStates(void *c, const double *x, size_t count) {
    tiny *of = c;
    if (count != 1) return refuse(of, "fmi2SetContinuousStates");
    REQUIRE(1u << TINY_CONTINUOUS);
    int mode = of->now.mode;
    of->now.mode = TINY_INITIALIZING; // where tiny_set takes x
    tiny_set(of, TINY_X, x[0]);
    of->now.mode = mode;
    return 0;
}

#define LIST(function, value)                                                                                \
    int function(void *c, double *values, size_t count) {                                                    \
        tiny *of = c;                                                                                        \
        if (count != 1) return refuse(of, #function);                                                        \
        if (DEFECT != EAGER) REQUIRE(1u << TINY_EVENTS | 1u << TINY_CONTINUOUS);                             \
        values[0] = value;                                                                                   \
        return 0;                                                                                            \
    }
static double x_of(tiny *of) {
    double x;
    tiny_get(of, TINY_X, &x);
    return x;
}
LIST(fmi2GetDerivatives, tiny_rate(of))
LIST(fmi2GetEventIndicators, tiny_indicator(of))
LIST(fmi2GetContinuousStates, x_of(of))
LIST(fmi2GetNominalsOfContinuousStates, 1.0)

int fmi2DoStep(void *c, double time, double step, int no_set) {
    tiny *of = c;
    (void)no_set;
    if (DEFECT != EAGER) REQUIRE(1u << TINY_STEPS);
    if (!(step > 0)) return refuse(of, "fmi2DoStep");
    if (DEFECT == EXACT_POINTS && time != of->now.t) return refuse(of, "fmi2DoStep");
    tiny_step(of, time, step, false);
    return 0;
}
