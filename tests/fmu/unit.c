/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instances and their modes: the calls that change a mode, each checked against the mode it is allowed in. */
#include "fmu/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_message(fmu_unit *unit, int status, const char *text) {
    unit->messages++;
    if (status >= FMU_WARNING || !unit->last_message[0])
        snprintf(unit->last_message, sizeof unit->last_message, "%s", text ? text : "NULL");
}

static void log_two(void *environment, const char *instance, int status, const char *category,
                    const char *message, ...) {
    fmu_unit *unit = environment;
    char text[512];
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message ? message : "NULL", arguments);
    va_end(arguments);
    if (!instance || !category || !message)
        fmu_violated(unit->report, FMU_MACHINE, "a message is logged without its instance, category or text");
    else if (strcmp(instance, unit->settings.name) != 0)
        fmu_violated(unit->report, FMU_MACHINE, "a message is logged for the instance `%s`", instance);
    take_message(unit, status, text);
}

static void log_three(void *environment, int status, const char *category, const char *message) {
    fmu_unit *unit = environment;
    if (!category || !message)
        fmu_violated(unit->report, FMU_MACHINE, "a message is logged without category or text");
    take_message(unit, status, message);
}

static void intermediate(void *environment, double time, bool set_requested, bool get_allowed,
                         bool step_finished, bool can_return_early, bool *return_requested,
                         double *return_time) {
    fmu_unit *unit = environment;
    (void)set_requested, (void)get_allowed, (void)step_finished;
    *return_requested = can_return_early && time > unit->early_at;
    *return_time = time;
}

const fmu_interface *fmu_interface_of(const fmu_unit *unit) {
    return unit->settings.exchange ? &unit->description->exchange : &unit->description->cosimulation;
}

static void instantiate(fmu_unit *unit) {
    const fmu_settings *s = &unit->settings;
    const fmi3_functions *three = &unit->library->three;
    if (unit->library->version == 2) {
        unit->callbacks =
            (fmi2_callbacks){.log = log_two, .allocate = calloc, .release = free, .environment = unit};
        unit->instance = unit->library->two.Instantiate(s->name, !s->exchange, s->token, s->resources,
                                                        &unit->callbacks, 0, 0);
    } else if (s->exchange) {
        unit->instance =
            three->InstantiateModelExchange(s->name, s->token, s->resources, false, false, unit, log_three);
    } else {
        unit->instance = three->InstantiateCoSimulation(
            s->name, s->token, s->resources, false, false, s->event_mode, s->early, NULL, 0, unit, log_three,
            unit->description->cosimulation.intermediate ? intermediate : NULL);
    }
}

bool fmu_unit_init(fmu_unit *unit, const fmu_library *library, const fmu_description *description,
                   const fmu_settings *settings, fmu_report *report) {
    memset(unit, 0, sizeof *unit);
    unit->library = library;
    unit->description = description;
    unit->report = report;
    unit->settings = *settings;
    unit->early_at = 1e300;
    if (!unit->settings.name) unit->settings.name = "one";
    if (!unit->settings.token) unit->settings.token = description->token;
    unit->states = description->lists[FMU_RATES].count;
    unit->indicators = description->indicators;
    instantiate(unit);
    unit->mode = FMU_INSTANTIATED;
    return unit->instance != NULL;
}

void fmu_unit_fini(fmu_unit *unit) {
    if (!unit->instance) return;
    if (unit->library->version == 2)
        unit->library->two.FreeInstance(unit->instance);
    else
        unit->library->three.FreeInstance(unit->instance);
    unit->instance = NULL;
}

bool fmu_must(fmu_unit *unit, int status, const char *call) {
    if (status == FMU_OK) return true;
    if (unit->mode != FMU_BROKEN)
        fmu_violated(unit->report, FMU_MACHINE, "%s gives %d, not OK%s%s", call, status,
                     unit->last_message[0] ? ": " : "", unit->last_message);
    unit->mode = FMU_BROKEN;
    return false;
}

// the importer's own discipline: the call belongs to one of these modes
static void expect(const fmu_unit *unit, unsigned modes, const char *call) {
    if (unit->mode == FMU_BROKEN || modes >> unit->mode & 1) return;
    fprintf(stderr, "importer: %s in mode %d\n", call, (int)unit->mode);
    abort();
}

#define IN(mode) (1u << (mode))

static int change(fmu_unit *unit, int status, fmu_mode mode) {
    if (status == FMU_OK || status == FMU_WARNING) unit->mode = mode;
    return status;
}

int fmu_enter_initialization(fmu_unit *unit, double start, double stop, double tolerance) {
    expect(unit, IN(FMU_INSTANTIATED), "EnterInitializationMode");
    int status;
    if (unit->library->version == 2) {
        const fmi2_functions *two = &unit->library->two;
        status = two->SetupExperiment(unit->instance, tolerance > 0, tolerance, start, stop > start, stop);
        if (status == FMU_OK) status = two->EnterInitializationMode(unit->instance);
    } else {
        status = unit->library->three.EnterInitializationMode(unit->instance, tolerance > 0, tolerance, start,
                                                              stop > start, stop);
    }
    return change(unit, status, FMU_INITIALIZING);
}

int fmu_exit_initialization(fmu_unit *unit) {
    expect(unit, IN(FMU_INITIALIZING), "ExitInitializationMode");
    bool events = unit->settings.exchange || unit->settings.event_mode;
    int status = unit->library->version == 2 ? unit->library->two.ExitInitializationMode(unit->instance)
                                             : unit->library->three.ExitInitializationMode(unit->instance);
    return change(unit, status, events ? FMU_EVENT_MODE : FMU_STEP_MODE);
}

int fmu_enter_event_mode(fmu_unit *unit) {
    expect(unit, IN(FMU_CONTINUOUS_MODE) | IN(FMU_STEP_MODE), "EnterEventMode");
    int status = unit->library->version == 2 ? unit->library->two.EnterEventMode(unit->instance)
                                             : unit->library->three.EnterEventMode(unit->instance);
    return change(unit, status, FMU_EVENT_MODE);
}

int fmu_update_states(fmu_unit *unit, fmu_update *update) {
    expect(unit, IN(FMU_EVENT_MODE), "UpdateDiscreteStates");
    memset(update, 0, sizeof *update);
    if (unit->library->version == 3)
        return unit->library->three.UpdateDiscreteStates(unit->instance, &update->again, &update->terminate,
                                                         &update->nominals_changed, &update->values_changed,
                                                         &update->next_defined, &update->next);
    fmi2_event_info info = {0};
    int status = unit->library->two.NewDiscreteStates(unit->instance, &info);
    *update = (fmu_update){info.discrete_states_needed, info.terminate,         info.nominals_changed,
                           info.values_changed,         info.next_time_defined, info.next_time};
    return status;
}

int fmu_enter_continuous_mode(fmu_unit *unit) {
    expect(unit, IN(FMU_EVENT_MODE), "EnterContinuousTimeMode");
    int status = unit->library->version == 2 ? unit->library->two.EnterContinuousTimeMode(unit->instance)
                                             : unit->library->three.EnterContinuousTimeMode(unit->instance);
    return change(unit, status, FMU_CONTINUOUS_MODE);
}

int fmu_enter_step_mode(fmu_unit *unit) {
    expect(unit, IN(FMU_EVENT_MODE), "EnterStepMode");
    return change(unit, unit->library->three.EnterStepMode(unit->instance), FMU_STEP_MODE);
}

int fmu_completed_step(fmu_unit *unit, bool *event, bool *terminate) {
    expect(unit, IN(FMU_CONTINUOUS_MODE), "CompletedIntegratorStep");
    *event = *terminate = false;
    if (unit->library->version == 3)
        return unit->library->three.CompletedIntegratorStep(unit->instance, true, event, terminate);
    int event_word = 0, terminate_word = 0;
    int status = unit->library->two.CompletedIntegratorStep(unit->instance, 1, &event_word, &terminate_word);
    *event = event_word;
    *terminate = terminate_word;
    return status;
}

int fmu_do_step(fmu_unit *unit, double time, double step, fmu_step *result) {
    expect(unit, IN(FMU_STEP_MODE), "DoStep");
    *result = (fmu_step){.reached = time + step};
    if (unit->library->version == 2) return unit->library->two.DoStep(unit->instance, time, step, 1);
    return unit->library->three.DoStep(unit->instance, time, step, true, &result->event, &result->terminate,
                                       &result->early, &result->reached);
}

int fmu_terminate(fmu_unit *unit) {
    expect(unit, IN(FMU_EVENT_MODE) | IN(FMU_CONTINUOUS_MODE) | IN(FMU_STEP_MODE), "Terminate");
    int status = unit->library->version == 2 ? unit->library->two.Terminate(unit->instance)
                                             : unit->library->three.Terminate(unit->instance);
    return change(unit, status, FMU_TERMINATED);
}

int fmu_reset(fmu_unit *unit) {
    int status = unit->library->version == 2 ? unit->library->two.Reset(unit->instance)
                                             : unit->library->three.Reset(unit->instance);
    if (status == FMU_OK) unit->mode = FMU_INSTANTIATED;
    return status;
}
