/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs with values: results as arrays, events and energies as structs, and simulations that are stepped from outside. docs/embedding.md
 * has examples.
 *
 * Numbers are in SI units. What a struct points to belongs to what it was asked of and lives as long. Results and simulations are given back
 * before the session of their model is. A simulation belongs to one thread at a time; several of them, of one model or of many, may go on side by
 * side once they are made. hbg_simulation_stop alone may be called by another thread at any time. */
#ifndef HBG_SIMULATION_H
#define HBG_SIMULATION_H

#include "hbg/hbg.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what there is -------------------------------------------------------------------------------------- */

typedef struct {
    const char *name; /* as in the model: "coil.p" */
    const char *unit; /* "Wb"; "" for a pure number, NULL where it is not known */
    bool is_bool;     /* it is 0 or 1 */
} hbg_value_info;

typedef struct {
    const char *name;
    const char *const *states; /* their names */
    int32_t state_count;
} hbg_automaton_info;

/* ---- events --------------------------------------------------------------------------------------------- */

typedef enum {
    HBG_MODE_MYTHICAL,  /* gone through in the search: energies never were those of it */
    HBG_MODE_PINNACLE,  /* became real, and was left in the same instant */
    HBG_MODE_BOUNDARY,  /* likewise, after time had flowed into the surface it ends at */
    HBG_MODE_CONTINUOUS /* time flows in it */
} hbg_mode_kind;

typedef struct {
    hbg_mode_kind kind;
    const int32_t *states; /* by automaton: the number of its state */
    double lost;           /* J, in the jump into it */
} hbg_event_mode;

/* An instant at which something happened: automata moved, inputs were acted on, faults began or ended. The first is the start. */
typedef struct {
    double time;                 /* s */
    bool planned;                /* known in advance: an action, a fault, a tick, the end of a wait */
    const hbg_event_mode *modes; /* gone through, in order; none where nothing switched */
    int32_t mode_count;
    const int32_t *inputs; /* acted on */
    int32_t input_count;
    double lost;         /* J, in all jumps of the instant */
    const char *verdict; /* "divergence", …: the switching is not consistent (docs/events.md); NULL: it is */
    const char *words;   /* of the verdict: why; "" */
} hbg_event;

/* ---- energies ------------------------------------------------------------------------------------------- */

typedef enum {
    HBG_WORK_SUPPLIED,   /* by a source: out of it */
    HBG_WORK_DISSIPATED, /* in a resistor: into it */
    HBG_WORK_MODULATED   /* of modulating a storage: into it */
} hbg_work_kind;

typedef struct {
    const char *element;
    hbg_work_kind kind;
    double work; /* J, over the run */
} hbg_work_line;

typedef struct {
    const char *element;
    double before, after; /* J: declared, and at the end */
} hbg_storage_line;

/* The energy balance of a run, J. */
typedef struct {
    const hbg_work_line *works;
    int32_t work_count;
    const hbg_storage_line *storages;
    int32_t storage_count;
    double stored_before, stored_after, supplied, dissipated, by_modulation, by_parameters, lost_in_jumps;
    double residual; /* what the balance lacks */
    double scale;    /* the largest energy that took part, to judge the residual by */
} hbg_ledger;

/* ---- results -------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_value_info of;
    const double *values; /* by row */
} hbg_column;

typedef struct {
    hbg_run_end end;
    const char *reason; /* why it did not finish, or what to be warned of; "" */
    const char *solver; /* that was used */
    int64_t steps, rejected, evaluations;
    const hbg_column *columns; /* what was recorded, in order; the first is time, s */
    int32_t column_count;
    int64_t row_count;
    const hbg_event *events;
    int64_t event_count;
    const hbg_automaton_info *automata; /* of which events tell the states */
    int32_t automaton_count;
    const hbg_value_info *inputs; /* which events name */
    int32_t input_count;
    const hbg_ledger *ledger; /* NULL: it was not kept */
} hbg_results;

/* Runs a model as hbg_run does, and keeps its rows, events and energies. HBG_OK: there was a run, and `end` says how it ended. Files and pictures
 * that the options name are written too. */
HBG_MUST_CHECK hbg_status hbg_run_results(hbg_session *session, const hbg_model *model,
                                          const hbg_run_options *options, const hbg_results **results);
void hbg_results_free(hbg_session *session, const hbg_results *results); /* NULL is fine */
/* Finds a column by its name; NULL if no column has it. */
const hbg_column *hbg_results_find(const hbg_results *results, const char *name);

/* ---- simulations ---------------------------------------------------------------------------------------- */

typedef struct hbg_simulation hbg_simulation;

typedef struct {
    const char *experiment; /* NULL: the first of the model, if it has any */
    /* "erk", which finds its own steps, or a method with a fixed step. NULL: that of the experiment if it has a fixed step, else "erk". */
    const char *solver;
    HBG_RUN_POLICY; /* rtol, atol, ledger, strict, zeno_rest, slides */
    uint64_t seed;  /* of the noise of sensors */
    double stop;    /* s: it goes no further; 0: as the experiment says */
    /* s by the clock that a call of hbg_simulation_advance may take: then it ends as interrupted, and the next call goes on. 0: until it is there */
    double patience;
    /* Told of every instant while the simulation advances. What the event points to lasts for the call, from which nothing may be asked of the
     * simulation but hbg_simulation_stop. May be NULL. */
    void (*event)(void *context, const hbg_event *event);
    void *context;
} hbg_simulation_options;

hbg_simulation_options hbg_simulation_options_default(void);

/* Makes a simulation of a model, read from text or from an image, at the beginning of an experiment. NULL options are the default ones. */
HBG_MUST_CHECK hbg_status hbg_simulation_new(hbg_session *session, const hbg_model *model,
                                             const hbg_simulation_options *options,
                                             hbg_simulation **simulation);
void hbg_simulation_free(hbg_simulation *simulation); /* NULL is fine */

typedef enum {
    HBG_VALUES_STATES,    /* energies of the storages, and integrators */
    HBG_VALUES_RATES,     /* by state, per second */
    HBG_VALUES_OUTPUTS,   /* what the experiment records */
    HBG_VALUES_POWERS,    /* W, by line of the balance: a source, a resistor, a storage that is modulated */
    HBG_VALUES_WORK,      /* J, likewise, since the start; 0 without a ledger */
    HBG_VALUES_ENERGIES,  /* J, by storage */
    HBG_VALUES_MODES,     /* by automaton: the number of its state */
    HBG_VALUES_INPUTS,    /* can be set, not read */
    HBG_VALUES_PARAMETERS /* likewise */
} hbg_values;

/* Names of these values, by number. */
const hbg_value_info *hbg_simulation_names(const hbg_simulation *simulation, hbg_values of, int32_t *count);
/* The number of the one with this name; -1 if none has it. */
int32_t hbg_simulation_find(const hbg_simulation *simulation, hbg_values of, const char *name);
const hbg_automaton_info *hbg_simulation_automata(const hbg_simulation *simulation, int32_t *count);

/* An input, or a parameter, has this value from now on. Before the simulation begins initial values follow a parameter, the times of the experiment
 * do not; later it jumps at the time where the simulation is, as by a fault. */
HBG_MUST_CHECK hbg_status hbg_simulation_set(hbg_simulation *simulation, hbg_values of, int32_t number,
                                             double value);
/* Goes on to t, s, or to the stop if that comes before; instants on the way are found and told. It begins with the first call. HBG_OK: *end says
 * whether it got there. One that did not finish goes no further until it is reset or restored; one that was interrupted goes on with the
 * next call. */
HBG_MUST_CHECK hbg_status hbg_simulation_advance(hbg_simulation *simulation, double t, hbg_run_end *end);
double hbg_simulation_time(const hbg_simulation *simulation); /* s, where it is */
/* Reads the values at the present time, after the instant if there is one; one value for each name. Starts the simulation if needed. */
HBG_MUST_CHECK hbg_status hbg_simulation_read(hbg_simulation *simulation, hbg_values of, double *values);

/* All that changes in a simulation, as bytes: how many they are, of which no more than `size` are written. 0: it cannot be saved now, since it has not
 * begun, or slides along a surface. */
size_t hbg_simulation_save(hbg_simulation *simulation, void *bytes, size_t size);
/* Goes on from where it was saved, to the bit; the simulation may be another one of the same model with the same options. HBG_BAD_ARGUMENT: the bytes
 * are not of such a one. */
HBG_MUST_CHECK hbg_status hbg_simulation_restore(hbg_simulation *simulation, const void *bytes, size_t size);
/* Back to the beginning, with nothing set. */
HBG_MUST_CHECK hbg_status hbg_simulation_reset(hbg_simulation *simulation);
/* By any thread: the advance that is under way ends as interrupted, or the next one does. */
void hbg_simulation_stop(hbg_simulation *simulation);
/* In words, why the last call failed, or the simulation did not finish; "" if there is nothing to say. */
const char *hbg_simulation_reason(const hbg_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
