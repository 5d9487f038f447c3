/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The functions of an FMU, independent of the version of the interface: an instance with its phases, its
 * variables by reference, event mode, steps of co-simulation, saved states. The functions of FMI 2.0 and FMI
 * 3.0 are thin wrappers of it (src/emit/fmu). It ships with exported models and needs only the engine.
 *
 * A call that fails gives the reason in the log; then its instance can only be read, reset and freed. */
#ifndef HBG_FMU_H
#define HBG_FMU_H

#include "rt/ship.h"

/* ---- variables ----------------------------------------------------------------------------------------- */

/* References are numbered class by class in this order; within a class in the order of the description of the
 * system. Identifier, meaning. */
#define HBG_FMU_CLASS_LIST(X)                                                                                \
    X(TIME, "time")                                                                                          \
    X(STATE, "energy of a storage, or an integrator")                                                        \
    X(RATE, "its rate")                                                                                      \
    X(OUTPUT, "what is recorded")                                                                            \
    X(INPUT, "input of the model")                                                                           \
    X(PARAM, "parameter")                                                                                    \
    X(MODE, "state of an automaton, from 1 on")                                                              \
    X(HOLD, "state that an automaton is held in, from 1 on; 0: it is free")                                  \
    X(EFFORT_AREA, "area of the effort of a bond at the last instant")                                       \
    X(FLOW_AREA, "area of its flow")                                                                         \
    X(COMMITS, "how many modes have become real")                                                            \
    X(VERDICT, "what is wrong with the switching, from 1 on")                                                \
    X(INDICATOR, "event indicator")

typedef enum {
#define X(id, text) HBG_FMU_##id,
    HBG_FMU_CLASS_LIST(X)
#undef X
        HBG_FMU_CLASS_COUNT
} hbg_fmu_class;

typedef enum { HBG_FMU_REAL, HBG_FMU_WHOLE, HBG_FMU_TRUTH } hbg_fmu_type; /* enumerations are whole numbers */

typedef struct {
    uint32_t
        first[HBG_FMU_CLASS_COUNT + 1]; /* reference of the first of a class; of the class after the last */
} hbg_fmu_layout;

hbg_fmu_layout hbg_fmu_layout_of(const hbg_rt_description *system);
/* The class of a reference, and its number in it; HBG_FMU_CLASS_COUNT: there is none. */
hbg_fmu_class hbg_fmu_find(const hbg_fmu_layout *layout, uint32_t reference, int32_t *index);
hbg_fmu_type hbg_fmu_type_of(const hbg_rt_description *system, hbg_fmu_class class, int32_t index);

/* ---- instances ----------------------------------------------------------------------------------------- */

enum { HBG_FMU_EVENT = -2 }; /* an input that is true only at an instant */

typedef struct {
    hbg_rt_shipped shipped;     /* its options are those of co-simulation */
    const char *token;          /* by which importers check that description and code belong together */
    const double *input_starts; /* by input: its value if nothing reads it and it was not set */
    const int32_t *read_by;     /* by input: the output that reads it; -1: none does, HBG_FMU_EVENT */
    /* By area of an effort, of a flow, and by state: a number for its unit, less than group_count. */
    const int32_t *groups;
    int32_t group_count;
    const double *nominals; /* by state: its approximate size; more than 0 */
} hbg_fmu_model;

typedef enum { HBG_FMU_EXCHANGE, HBG_FMU_STEPS } hbg_fmu_kind; /* model exchange, co-simulation */

typedef enum { HBG_FMU_FINE, HBG_FMU_WARNING, HBG_FMU_ERROR } hbg_fmu_level;

typedef struct {
    hbg_fmu_kind kind;
    bool event_mode;   /* of co-simulation: the importer enters event mode */
    bool early_return; /* and steps may end at events */
    bool log_events;
    void (*log)(void *context, hbg_fmu_level level, const char *text);
    void *log_context;
    hbg_rt_memory memory;
} hbg_fmu_options;

typedef struct hbg_fmu_instance hbg_fmu_instance;

/* NULL: there is no memory; the log says so. */
hbg_fmu_instance *hbg_fmu_new(const hbg_fmu_model *model, const hbg_fmu_options *options);
void hbg_fmu_free(hbg_fmu_instance *instance); /* may be NULL */
/* Before initialisation: the relative tolerance of a method of variable step, in model exchange that of the
 * importer. */
bool hbg_fmu_set_tolerance(hbg_fmu_instance *instance, double tolerance);
void hbg_fmu_log_events(hbg_fmu_instance *instance, bool on);

/* Phases; each call is allowed in some of them. */
typedef enum {
    HBG_FMU_MADE = 1,
    HBG_FMU_INITIALIZING = 2,
    HBG_FMU_AT_EVENT = 4,
    HBG_FMU_CONTINUOUS = 8,
    HBG_FMU_STEPPING = 16,
    HBG_FMU_TERMINATED = 32,
    HBG_FMU_FAILED = 64
} hbg_fmu_phase;
enum {
    HBG_FMU_RUNNING = HBG_FMU_AT_EVENT | HBG_FMU_CONTINUOUS | HBG_FMU_STEPPING,
    HBG_FMU_READABLE = HBG_FMU_INITIALIZING | HBG_FMU_RUNNING | HBG_FMU_TERMINATED | HBG_FMU_FAILED,
    HBG_FMU_ANY = 127
};
/* Whether the instance is in one of these phases. If not, the log reports it with the name of the call. NULL
 * as the instance is in no phase. */
bool hbg_fmu_allows(hbg_fmu_instance *instance, const char *call, int phases);
hbg_fmu_kind hbg_fmu_kind_of(const hbg_fmu_instance *instance);
/* Text for the log; false, so that it can be returned. */
bool hbg_fmu_fail(hbg_fmu_instance *instance, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A call that returns false has failed. */
bool hbg_fmu_enter_initialization(hbg_fmu_instance *instance, double start, bool has_stop, double stop);
bool hbg_fmu_exit_initialization(hbg_fmu_instance *instance);
void hbg_fmu_terminate(hbg_fmu_instance *instance);
bool hbg_fmu_reset(hbg_fmu_instance *instance);

/* ---- values -------------------------------------------------------------------------------------------- */

/* Truths are 0 and 1. */
bool hbg_fmu_get(hbg_fmu_instance *instance, hbg_fmu_type type, const uint32_t *references, size_t count,
                 double *values);
bool hbg_fmu_set(hbg_fmu_instance *instance, hbg_fmu_type type, const uint32_t *references, size_t count,
                 const double *values);

/* ---- model exchange ------------------------------------------------------------------------------------ */

int32_t hbg_fmu_state_count(const hbg_fmu_instance *instance);
int32_t hbg_fmu_indicator_count(const hbg_fmu_instance *instance);
/* How many indicators the description has. */
int32_t hbg_fmu_indicators_of(const hbg_rt_description *system, const hbg_rt_options *options);
bool hbg_fmu_set_time(hbg_fmu_instance *instance, double t);
bool hbg_fmu_set_states(hbg_fmu_instance *instance, const double *x);
bool hbg_fmu_get_states(hbg_fmu_instance *instance, double *x);
bool hbg_fmu_get_nominals(hbg_fmu_instance *instance, double *nominals);
bool hbg_fmu_get_rates(hbg_fmu_instance *instance, double *rates);
/* Positive on the present branch, never 0 after an instant: a change of sign is an event. */
bool hbg_fmu_get_indicators(hbg_fmu_instance *instance, double *indicators);
/* The importer has ended a step; *event: energies have drifted, and event mode corrects them. */
bool hbg_fmu_completed_step(hbg_fmu_instance *instance, bool *event);
bool hbg_fmu_enter_events(hbg_fmu_instance *instance);
bool hbg_fmu_enter_continuous(hbg_fmu_instance *instance);

typedef struct {
    bool again; /* one mode has become real, and it is left at once */
    bool nominals_changed, states_changed;
    bool has_next;
    double next; /* s: the next instant known in advance */
} hbg_fmu_update;
/* Continues the instant to the next mode that becomes real. */
bool hbg_fmu_update_discrete(hbg_fmu_instance *instance, hbg_fmu_update *update);

/* ---- co-simulation ------------------------------------------------------------------------------------- */

typedef struct {
    bool event; /* the importer has to enter event mode */
    bool early;
    double last; /* s: the time reached */
} hbg_fmu_step_end;
bool hbg_fmu_do_step(hbg_fmu_instance *instance, double t, double step, hbg_fmu_step_end *end);
bool hbg_fmu_enter_steps(hbg_fmu_instance *instance); /* from event mode */

/* ---- derivatives, saved states ------------------------------------------------------------------------- */

/* For each unknown Σ ∂unknown/∂known·seed, in the present mode. Unknowns: rates, outputs; knowns: states. */
bool hbg_fmu_derivative(hbg_fmu_instance *instance, const uint32_t *unknowns, size_t unknown_count,
                        const uint32_t *knowns, size_t known_count, const double *seed, double *result);

/* A whole instance as bytes; returns their number. At most `size` are written. 0: it cannot be saved, and the
 * log says why. */
size_t hbg_fmu_save(hbg_fmu_instance *instance, void *bytes, size_t size);
bool hbg_fmu_restore(hbg_fmu_instance *instance, const void *bytes, size_t size);
/* The same in memory of the instance: *kept is NULL, or such memory, which is freed. */
typedef struct hbg_fmu_kept hbg_fmu_kept;
bool hbg_fmu_keep(hbg_fmu_instance *instance, hbg_fmu_kept **kept);
bool hbg_fmu_keep_bytes(hbg_fmu_instance *instance, const void *bytes, size_t size, hbg_fmu_kept **kept);
const void *hbg_fmu_kept_bytes(const hbg_fmu_kept *kept, size_t *size);
void hbg_fmu_drop(hbg_fmu_instance *instance, hbg_fmu_kept **kept); /* *kept may be NULL */

#endif
