/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A loaded FMU and its instances, in one form for FMI 2.0 and 3.0. An instance knows the mode it is in, as the specification's state machine
 * has it, and refuses to be driven out of order: a call that is out of place is a mistake of the importer. Every status that is not OK is
 * reported unless the caller asks for it. */
#ifndef TESTS_FMU_UNIT_H
#define TESTS_FMU_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "fmu/description.h"
#include "fmu/fmi2.h"
#include "fmu/fmi3.h"

typedef struct {
    void *handle;
    fmi2_functions two;
    fmi3_functions three;
    int version;
} fmu_library;

// every function of FMI VERSION is loaded; false: some are not, which is reported
bool fmu_library_init(fmu_library *library, const char *path, int version, fmu_report *report);
void fmu_library_fini(fmu_library *library);

enum { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL };

typedef enum {
    FMU_INSTANTIATED,
    FMU_INITIALIZING,
    FMU_EVENT_MODE,
    FMU_CONTINUOUS_MODE,
    FMU_STEP_MODE,
    FMU_TERMINATED,
    FMU_BROKEN // a call failed that should not
} fmu_mode;

typedef struct {
    bool exchange;         // model exchange, or co-simulation
    bool event_mode;       // co-simulation of FMI 3: the importer handles events
    bool early;            // co-simulation of FMI 3: steps may return early
    const char *resources; // as the importer hands it in
    const char *name, *token;
} fmu_settings;

typedef struct {
    const fmu_library *library;
    const fmu_description *description;
    fmu_report *report;
    fmu_settings settings;
    void *instance;
    fmu_mode mode;
    int states, indicators;
    double early_at; // ask for an early return at the first intermediate update past this time
    int messages;    // logged
    char last_message[512];
    fmi2_callbacks callbacks;
} fmu_unit;

typedef struct {
    bool again, terminate, nominals_changed, values_changed, next_defined;
    double next;
} fmu_update;

typedef struct {
    bool event, terminate, early;
    double reached;
} fmu_step;

// false: the FMU gives no instance. fini frees it.
bool fmu_unit_init(fmu_unit *unit, const fmu_library *library, const fmu_description *description,
                   const fmu_settings *settings, fmu_report *report);
void fmu_unit_fini(fmu_unit *unit);

// true for OK; otherwise reports under the state machine what call failed, and the instance counts as broken
bool fmu_must(fmu_unit *unit, int status, const char *call);

int fmu_enter_initialization(fmu_unit *unit, double start, double stop, double tolerance);
int fmu_exit_initialization(fmu_unit *unit);
int fmu_enter_event_mode(fmu_unit *unit);
int fmu_update_states(fmu_unit *unit, fmu_update *update);
int fmu_enter_continuous_mode(fmu_unit *unit);
int fmu_enter_step_mode(fmu_unit *unit);
int fmu_completed_step(fmu_unit *unit, bool *event, bool *terminate);
int fmu_do_step(fmu_unit *unit, double time, double step, fmu_step *result);
int fmu_terminate(fmu_unit *unit);
int fmu_reset(fmu_unit *unit);

int fmu_set_time(fmu_unit *unit, double time);
int fmu_set_states(fmu_unit *unit, const double *x);
int fmu_get_states(fmu_unit *unit, double *x);
int fmu_get_nominals(fmu_unit *unit, double *nominals);
int fmu_get_rates(fmu_unit *unit, double *rates);
int fmu_get_indicators(fmu_unit *unit, double *indicators);

// any type as a number: integers, enumerations and booleans exactly; strings and binaries are 0
int fmu_get_value(fmu_unit *unit, const fmu_variable *variable, double *value);
int fmu_set_value(fmu_unit *unit, const fmu_variable *variable, double value);
int fmu_get_reals(fmu_unit *unit, const unsigned *references, size_t count, double *values);
int fmu_directional(fmu_unit *unit, unsigned unknown, unsigned known, double *sensitivity);

int fmu_get_state(fmu_unit *unit, void **state);
int fmu_set_state(fmu_unit *unit, void *state, fmu_mode mode); // and the mode it was got in
int fmu_free_state(fmu_unit *unit, void **state);
int fmu_serialize(fmu_unit *unit, void *state, unsigned char **bytes, size_t *size); // bytes to be freed
int fmu_deserialize(fmu_unit *unit, const unsigned char *bytes, size_t size, void **state);

const fmu_interface *fmu_interface_of(const fmu_unit *unit);

#endif
