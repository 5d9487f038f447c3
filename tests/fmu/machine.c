/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The state machine from the other side: calls out of place, unknown references and wrong sizes are refused with Error (or Discard), and the
 * instance can be freed afterwards. Each is tried on an instance of its own. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu/behaviour.h"

bool fmu_offers(const fmu_subject *subject, bool exchange) {
    return exchange ? subject->description->exchange.there : subject->description->cosimulation.there;
}

fmu_settings fmu_usual(const fmu_subject *subject, bool exchange) {
    return (fmu_settings){.exchange = exchange, .resources = subject->resources, .name = "one"};
}

typedef enum {
    FRESH,
    STARTED,
    RUNNING
} stage; // instantiated; in initialisation; in continuous time or between steps

static bool bring(const fmu_subject *subject, fmu_unit *unit, bool exchange, stage to) {
    fmu_settings settings = fmu_usual(subject, exchange);
    const fmu_plan *plan = &subject->plan;
    fmu_update update = {.again = true};
    if (!fmu_unit_init(unit, subject->library, subject->description, &settings, subject->report))
        return false;
    if (to == FRESH) return true;
    if (!fmu_must(unit, fmu_enter_initialization(unit, plan->start, plan->stop, plan->tolerance),
                  "EnterInitializationMode"))
        return false;
    if (to == STARTED) return true;
    if (!fmu_must(unit, fmu_exit_initialization(unit), "ExitInitializationMode")) return false;
    if (!exchange) return true;
    for (int i = 0; i < 100 && update.again; i++)
        if (!fmu_must(unit, fmu_update_states(unit, &update), "the update of discrete states")) return false;
    return !update.terminate && fmu_must(unit, fmu_enter_continuous_mode(unit), "EnterContinuousTimeMode");
}

typedef int attempt(fmu_unit *unit);

static const fmu_variable *first(const fmu_unit *unit, bool (*fits)(const fmu_variable *)) {
    for (int i = 0; i < unit->description->variable_count; i++)
        if (fits(&unit->description->variables[i])) return &unit->description->variables[i];
    return NULL;
}

static bool fixed_real(const fmu_variable *v) {
    return v->type == FMU_REAL && v->causality == FMU_PARAMETER && v->variability == FMU_FIXED && !v->array;
}

static bool computed_output(const fmu_variable *v) {
    return v->type == FMU_REAL && v->causality == FMU_OUTPUT && v->initial == FMU_CALCULATED && !v->array;
}

static int set_first(fmu_unit *unit, bool (*fits)(const fmu_variable *)) {
    const fmu_variable *v = first(unit, fits);
    return v ? fmu_set_value(unit, v, v->start ? strtod(v->start, NULL) : 0)
             : FMU_ERROR; // none: nothing to be refused
}

static int set_fixed(fmu_unit *unit) {
    return set_first(unit, fixed_real);
}

static int set_output(fmu_unit *unit) {
    return set_first(unit, computed_output);
}

static unsigned unused_reference(const fmu_unit *unit) {
    unsigned reference = 4000000000u;
    while (fmu_find_reference(unit->description, reference) >= 0) reference++;
    return reference;
}

static int get_unknown(fmu_unit *unit) {
    fmu_variable none = {.type = FMU_REAL, .reference = unused_reference(unit)};
    double value;
    return fmu_get_value(unit, &none, &value);
}

static int set_unknown(fmu_unit *unit) {
    fmu_variable none = {.type = FMU_REAL, .reference = unused_reference(unit)};
    return fmu_set_value(unit, &none, 0);
}

static int get_unknown_boolean(fmu_unit *unit) {
    fmu_variable none = {.type = FMU_BOOLEAN, .reference = unused_reference(unit)};
    double value;
    return fmu_get_value(unit, &none, &value);
}

static int step_early(fmu_unit *unit) {
    bool event, terminate, early;
    double reached;
    return unit->library->version == 2 ? unit->library->two.DoStep(unit->instance, 0, 1e-3, 1)
                                       : unit->library->three.DoStep(unit->instance, 0, 1e-3, true, &event,
                                                                     &terminate, &early, &reached);
}

static int step_backwards(fmu_unit *unit) {
    fmu_step result;
    return fmu_do_step(unit, unit->description->start, -1e-3, &result);
}

static int step_nowhere(fmu_unit *unit) {
    fmu_step result;
    return fmu_do_step(unit, unit->description->start, NAN, &result);
}

static int rates_early(fmu_unit *unit) {
    double *rates = fmu_allocate((size_t)unit->states + 1, sizeof *rates);
    int status =
        unit->library->version == 2
            ? unit->library->two.GetDerivatives(unit->instance, rates, (size_t)unit->states)
            : unit->library->three.GetContinuousStateDerivatives(unit->instance, rates, (size_t)unit->states);
    free(rates);
    return unit->states ? status : FMU_ERROR;
}

static int too_many_states(fmu_unit *unit) {
    unit->states++;
    double *x = fmu_allocate((size_t)unit->states, sizeof *x);
    int status = fmu_get_states(unit, x);
    unit->states--;
    free(x);
    return status;
}

static int too_many_indicators(fmu_unit *unit) {
    unit->indicators++;
    double *z = fmu_allocate((size_t)unit->indicators, sizeof *z);
    int status = fmu_get_indicators(unit, z);
    unit->indicators--;
    free(z);
    return status;
}

static int events_early(fmu_unit *unit) {
    return unit->library->version == 2 ? unit->library->two.EnterEventMode(unit->instance)
                                       : unit->library->three.EnterEventMode(unit->instance);
}

static int initialize_twice(fmu_unit *unit) {
    return unit->library->version == 2
               ? unit->library->two.EnterInitializationMode(unit->instance)
               : unit->library->three.EnterInitializationMode(unit->instance, false, 0, 0, false, 0);
}

static int exit_early(fmu_unit *unit) {
    return unit->library->version == 2 ? unit->library->two.ExitInitializationMode(unit->instance)
                                       : unit->library->three.ExitInitializationMode(unit->instance);
}

static int terminate_early(fmu_unit *unit) {
    return unit->library->version == 2 ? unit->library->two.Terminate(unit->instance)
                                       : unit->library->three.Terminate(unit->instance);
}

enum { EXCHANGE = 1, COSIMULATION = 2, BOTH = 3 };

static const struct {
    attempt *call;
    const char *what;
    stage at;
    int interfaces;
} attempts[] = {
    {set_fixed, "a fixed parameter set after initialisation", RUNNING, BOTH},
    {set_output, "a computed output that is set", RUNNING, BOTH},
    {get_unknown, "an unknown reference that is read", STARTED, BOTH},
    {set_unknown, "an unknown reference that is set", STARTED, BOTH},
    {get_unknown_boolean, "an unknown boolean that is read", STARTED, BOTH},
    {step_early, "a step before initialisation", FRESH, COSIMULATION},
    {step_early, "a step during initialisation", STARTED, COSIMULATION},
    {step_backwards, "a step backwards", RUNNING, COSIMULATION},
    {step_nowhere, "a step of NaN", RUNNING, COSIMULATION},
    {events_early, "event mode before initialisation", FRESH, BOTH},
    {events_early, "event mode that was not agreed on", RUNNING, COSIMULATION},
    {rates_early, "derivatives before initialisation", FRESH, EXCHANGE},
    {too_many_states, "one state too many", RUNNING, EXCHANGE},
    {too_many_indicators, "one indicator too many", RUNNING, EXCHANGE},
    {initialize_twice, "initialisation entered twice", STARTED, BOTH},
    {initialize_twice, "initialisation entered in the run", RUNNING, BOTH},
    {exit_early, "initialisation left before it is entered", FRESH, BOTH},
    {terminate_early, "the end before the beginning", FRESH, BOTH},
};

// a call that never comes back would say nothing
static void give_up(int signal) {
    static const char text[] = "rule 17 (state machine): a call out of place does not return\n";
    (void)signal;
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
    _exit(1);
}

static void try(const fmu_subject *subject, bool exchange, int number) {
    fmu_unit unit;
    if (bring(subject, &unit, exchange, attempts[number].at)) {
        alarm(20);
        int status = attempts[number].call(&unit);
        alarm(0);
        if (status != FMU_DISCARD && status != FMU_ERROR)
            fmu_violated(subject->report, FMU_MACHINE, "%s: %s gives %d, not Error",
                         exchange ? "model exchange" : "co-simulation", attempts[number].what, status);
    }
    fmu_unit_fini(&unit);
}

static void check_tokens(const fmu_subject *subject, bool exchange) {
    fmu_settings settings = fmu_usual(subject, exchange);
    fmu_unit unit;
    settings.token = "{no token}";
    if (fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report))
        fmu_violated(subject->report, FMU_MACHINE, "another token gives an instance");
    fmu_unit_fini(&unit);
    settings.token = NULL;
    settings.name = "";
    (void)fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report);
    fmu_unit_fini(&unit); // refused or not
    if (subject->library->version == 2)
        subject->library->two.FreeInstance(NULL);
    else
        subject->library->three.FreeInstance(NULL);
}

// what is not offered gives no instance
static void check_not_offered(const fmu_subject *subject) {
    for (int exchange = 0; exchange < 2; exchange++) {
        fmu_settings settings = fmu_usual(subject, exchange);
        fmu_unit unit;
        if (fmu_offers(subject, exchange)) continue;
        if (fmu_unit_init(&unit, subject->library, subject->description, &settings, subject->report))
            fmu_violated(subject->report, FMU_CAPABILITIES, "%s is not offered and gives an instance",
                         exchange ? "model exchange" : "co-simulation");
        fmu_unit_fini(&unit);
    }
    if (subject->library->version == 2) return;
    void *scheduled = subject->library->three.InstantiateScheduledExecution(
        "one", subject->description->token, subject->resources, false, false, NULL, NULL, NULL, NULL, NULL);
    if (!scheduled) return;
    fmu_violated(subject->report, FMU_CAPABILITIES,
                 "scheduled execution is not offered and gives an instance");
    subject->library->three.FreeInstance(scheduled);
}

// what the description says is what the instance begins with
static void check_starts(const fmu_subject *subject, bool exchange) {
    fmu_unit unit;
    if (bring(subject, &unit, exchange, STARTED))
        for (int i = 0; i < subject->description->variable_count; i++) {
            const fmu_variable *v = &subject->description->variables[i];
            if (!v->start || v->initial == FMU_APPROX || v->array || v->clocked) continue;
            if (v->type > FMU_BOOLEAN && v->type != FMU_ENUMERATION) continue;
            double wanted = strcmp(v->start, "true") == 0 ? 1 : strtod(v->start, NULL), found = NAN;
            if (!fmu_must(&unit, fmu_get_value(&unit, v, &found), v->name)) break;
            if (memcmp(&wanted, &found, sizeof found) != 0)
                fmu_violated(subject->report, FMU_VARIABLES, "`%s` begins with %.17g, and its start is %s",
                             v->name, found, v->start);
        }
    fmu_unit_fini(&unit);
}

void fmu_check_machine(const fmu_subject *subject) {
    signal(SIGALRM, give_up);
    check_not_offered(subject);
    for (int exchange = 0; exchange < 2; exchange++) {
        if (!fmu_offers(subject, exchange)) continue;
        check_tokens(subject, exchange);
        check_starts(subject, exchange);
        for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
            if (attempts[i].interfaces & (exchange ? EXCHANGE : COSIMULATION)) try(subject, exchange, (int)i);
    }
}
