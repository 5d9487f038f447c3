/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a system has, by number and by name: everything a caller needs to know of it before it runs. It does
 * not change. */
#ifndef HBG_RT_DESCRIPTION_H
#define HBG_RT_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name; /* as in the model: "coil.p" */
    const char *unit; /* "Wb"; "" for a pure number, NULL if unknown */
    bool is_bool;
} hbg_rt_variable;

/* A line of the ledger (semantics, section 7). */
typedef enum {
    HBG_RT_SUPPLIED,   /* by an independent source: out of it */
    HBG_RT_DISSIPATED, /* in an R: into it */
    HBG_RT_MODULATED   /* work of modulating a C or I: into it */
} hbg_rt_power_kind;

typedef struct {
    const char *name; /* of the element */
    hbg_rt_power_kind kind;
} hbg_rt_power;

/* A time-driven update: a sample, a sensor. */
typedef struct {
    const char *name;
    double period; /* s, positive; first at t = 0 */
} hbg_rt_clock;

/* An automaton and its states, for logs. */
typedef struct {
    const char *name;
    const char *const *states;
    int32_t state_count;
    double every; /* s, sample period; 0: none */
} hbg_rt_automaton;

/* States are the energies q and p of all storages, one for each port, followed by the integrators of the
 * model; dependent storages are included. */
typedef struct {
    const char *name;

    int32_t state_count;
    const hbg_rt_variable *states;
    int32_t output_count; /* values that the run was asked to record */
    const hbg_rt_variable *outputs;
    int32_t input_count;
    const hbg_rt_variable *inputs;
    int32_t param_count;
    const hbg_rt_variable *params;
    int32_t clock_count;
    const hbg_rt_clock *clocks;
    int32_t root_count; /* located relations */
    int32_t idle_roots; /* of these, relations that move only if the run moves parameters (hbg_rt_set_line) */
    int32_t guard_first; /* roots from this number on belong to guards: positive while nothing happens */
    int32_t power_count;
    const hbg_rt_power *powers;
    int32_t storage_count; /* elements that store energy */
    const hbg_rt_variable *storages;
    int32_t bond_count;
    const hbg_rt_variable *bonds; /* names, for logs */
    int32_t automaton_count;
    const hbg_rt_automaton *automata;
    const int32_t *start_states; /* by automaton */
    bool has_events;             /* transitions can be taken: instants need a search (hbg_rt_instant) */
} hbg_rt_description;

#endif
