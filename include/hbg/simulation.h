/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs with values: results as arrays, events and energies as structs, and simulations that are stepped from
 * outside. docs/embedding.md has examples.
 *
 * Numbers are in SI units. The target of a pointer in a struct belongs to the object that returned it and
 * lives as long. Results and simulations are freed before the session of their model. A simulation belongs to
 * one thread at a time; several of them, of one model or of many, may advance in parallel once they are made.
 * Only hbg_simulation_stop may be called by another thread at any time. */
#ifndef HBG_SIMULATION_H
#define HBG_SIMULATION_H

#include "hbg/hbg.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- names --------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name; /* as in the model: "coil.p" */
    const char *unit; /* "Wb"; "" for a pure number, NULL if unknown */
    bool is_bool;     /* it is 0 or 1 */
} hbg_value_info;

typedef struct {
    const char *name;
    const char *const *states; /* their names */
    int32_t state_count;
} hbg_automaton_info;

/* ---- events -------------------------------------------------------------------------------------------- */

typedef enum {
    HBG_MODE_MYTHICAL,  /* gone through in the search: energies never were those of it */
    HBG_MODE_PINNACLE,  /* became real, and was left in the same instant */
    HBG_MODE_BOUNDARY,  /* likewise, after time had flowed into the surface it ends at */
    HBG_MODE_CONTINUOUS /* time advances in it */
} hbg_mode_kind;

typedef struct {
    hbg_mode_kind kind;
    const int32_t *states; /* by automaton: the number of its state */
    double lost;           /* J, in the jump into it */
} hbg_event_mode;

/* An instant at which something happened: automata moved, inputs changed, faults began or ended. The first is
 * the start. */
typedef struct {
    double time;                 /* s */
    bool planned;                /* known in advance: an action, a fault, a tick, the end of a wait */
    const hbg_event_mode *modes; /* visited, in order; none if nothing switched */
    int32_t mode_count;
    const int32_t *inputs; /* that were changed */
    int32_t input_count;
    double lost;         /* J, in all jumps of the instant */
    const char *verdict; /* "divergence", …: the switching is not consistent (docs/events.md); NULL: it is */
    const char *words;   /* the reason of the verdict; "" */
} hbg_event;

/* ---- energies ------------------------------------------------------------------------------------------ */

typedef enum {
    HBG_WORK_SUPPLIED,   /* by a source, counted out of it */
    HBG_WORK_DISSIPATED, /* in a resistor, counted into it */
    HBG_WORK_MODULATED   /* by modulating a storage, counted into it */
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
    double scale;    /* largest energy involved, as a reference for the residual */
} hbg_ledger;

/* ---- results ------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_value_info of;
    const double *values; /* by row */
} hbg_column;

typedef struct {
    hbg_run_end end;
    const char *reason; /* why it did not finish, or its warnings; "" */
    const char *solver; /* the one used */
    int64_t steps, rejected, evaluations;
    const hbg_column *columns; /* recorded variables, in order; the first is time, s */
    int32_t column_count;
    int64_t row_count;
    const hbg_event *events;
    int64_t event_count;
    const hbg_automaton_info *automata; /* whose states events list */
    int32_t automaton_count;
    const hbg_value_info *inputs; /* that events list */
    int32_t input_count;
    const hbg_ledger *ledger; /* NULL: not kept */
} hbg_results;

/* Runs a model like hbg_run, and keeps its rows, events and energies. HBG_OK: there was a run, and `end` says
 * how it ended. Files and pictures named in the options are also written. */
HBG_MUST_CHECK hbg_status hbg_run_results(hbg_session *session, const hbg_model *model,
                                          const hbg_run_options *options, const hbg_results **results);
void hbg_results_free(hbg_session *session, const hbg_results *results); /* NULL does nothing */
/* Finds a column by its name; NULL if no column has it. */
const hbg_column *hbg_results_find(const hbg_results *results, const char *name);

/* ---- simulations --------------------------------------------------------------------------------------- */

typedef struct hbg_simulation hbg_simulation;

typedef struct {
    const char *experiment; /* NULL: the first of the model, if it has one */
    /* "erk", with variable step, or a method with a fixed step. NULL: that of the experiment if it has a
     * fixed step, else "erk". */
    const char *solver;
    HBG_RUN_POLICY; /* rtol, atol, ledger, strict, zeno_rest, slides */
    uint64_t seed;  /* of the noise of sensors */
    double stop;    /* s: the latest time; 0: that of the experiment */
    /* s of real time that a call of hbg_simulation_advance may take: then it ends as interrupted, and the
     * next call continues. 0: no limit */
    double patience;
    /* Called at every instant while the simulation advances. What the event points to lasts for the call,
     * during which only hbg_simulation_stop may be called on the simulation. May be NULL. */
    void (*event)(void *context, const hbg_event *event);
    void *context;
} hbg_simulation_options;

hbg_simulation_options hbg_simulation_options_default(void);

/* Makes a simulation of a model, read from text or from an image, at the beginning of an experiment. NULL
 * options are the default ones. */
HBG_MUST_CHECK hbg_status hbg_simulation_new(hbg_session *session, const hbg_model *model,
                                             const hbg_simulation_options *options,
                                             hbg_simulation **simulation);
void hbg_simulation_free(hbg_simulation *simulation); /* NULL does nothing */

typedef enum {
    HBG_VALUES_STATES,    /* energies of the storages, and integrators */
    HBG_VALUES_RATES,     /* by state, per second */
    HBG_VALUES_OUTPUTS,   /* recorded by the experiment */
    HBG_VALUES_POWERS,    /* W, by line of the balance: a source, a resistor, a modulated storage */
    HBG_VALUES_WORK,      /* J, likewise, since the start; 0 without a ledger */
    HBG_VALUES_ENERGIES,  /* J, by storage */
    HBG_VALUES_MODES,     /* by automaton: the number of its state */
    HBG_VALUES_INPUTS,    /* can be set, not read */
    HBG_VALUES_PARAMETERS /* likewise */
} hbg_values;

/* Names of these values, by number. */
const hbg_value_info *hbg_simulation_names(const hbg_simulation *simulation, hbg_values of, int32_t *count);
/* The number of the value with this name; -1 if none has it. */
int32_t hbg_simulation_find(const hbg_simulation *simulation, hbg_values of, const char *name);
const hbg_automaton_info *hbg_simulation_automata(const hbg_simulation *simulation, int32_t *count);

/* Sets an input, or a parameter, from the present time on. Before the simulation begins initial values follow
 * a parameter, the times of the experiment do not; later it jumps at the present time, as by a fault. */
HBG_MUST_CHECK hbg_status hbg_simulation_set(hbg_simulation *simulation, hbg_values of, int32_t number,
                                             double value);
/* Advances to t, s, or to the stop if that is earlier; instants before it are located and reported. The first
 * call starts the simulation. HBG_OK: *end says whether it got there. A simulation that did not finish
 * advances no further until it is reset or restored; an interrupted one continues with the next call. */
HBG_MUST_CHECK hbg_status hbg_simulation_advance(hbg_simulation *simulation, double t, hbg_run_end *end);
double hbg_simulation_time(const hbg_simulation *simulation); /* s, the present time */
/* Reads the values at the present time, after the instant if there is one; one value for each name. Starts
 * the simulation if needed. */
HBG_MUST_CHECK hbg_status hbg_simulation_read(hbg_simulation *simulation, hbg_values of, double *values);

/* Everything that changes in a simulation, as bytes: returns how many, and writes at most `size`. 0: it
 * cannot be saved now, since it has not begun, or slides along a surface. */
size_t hbg_simulation_save(hbg_simulation *simulation, void *bytes, size_t size);
/* Continues from where it was saved, to the bit; the simulation may be another one of the same model with the
 * same options. HBG_BAD_ARGUMENT: the bytes belong to another model or other options. */
HBG_MUST_CHECK hbg_status hbg_simulation_restore(hbg_simulation *simulation, const void *bytes, size_t size);
/* Back to the beginning, with nothing set. */
HBG_MUST_CHECK hbg_status hbg_simulation_reset(hbg_simulation *simulation);
/* From any thread: the advance in progress ends as interrupted, or else the next one. */
void hbg_simulation_stop(hbg_simulation *simulation);
/* Why the last call failed, or the simulation did not finish, in words; "" if there is nothing to say. */
const char *hbg_simulation_reason(const hbg_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
