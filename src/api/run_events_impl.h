/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The events of a run as they come, each as a report: a line of JSON, a part of the story in words; and bands
 * of modes for the plot. The simulation calls in the middle of its work, so nothing jumps out of here: if
 * memory runs out, the run learns it at its next row. */
#ifndef HBG_API_RUN_EVENTS_IMPL_H
#define HBG_API_RUN_EVENTS_IMPL_H

#include "api/run_impl.h"

/* ---- events ------------------------------------------------------------------------------------------- */

typedef struct { /* from t on the automaton is in the state */
    double t;
    int32_t automaton, state;
} hbg_run_change;

typedef struct {
    double t, value;
    int32_t plot;
} hbg_run_pinnacle;

typedef struct {
    hbg_memory *memory;
    hbg_run_change *changes;
    int32_t count, capacity;
    hbg_run_pinnacle *pinnacles;
    int32_t pinnacle_count, pinnacle_capacity;
    bool too_many; /* no strips then: nothing could be seen in them */
    bool failed;
    bool begun;
    int32_t *first, *now; /* by automaton: states in which time advanced first, and advances now */
} hbg_run_bands;

typedef struct {      /* a table over time that has jumps */
    const char *name; /* of the input that follows it, or the table as it is written */
    const char *unit;
    int32_t input; /* that follows it unless something sets it, or HBG_NONE */
    int32_t table; /* of the model */
} hbg_run_course;

#define HBG_RUN_RANKS 4

typedef struct {
    const char *name; /* of the element at it, if that tells more */
    int32_t rank;     /* rank for naming a pulse, best first: at a storage, another one-port, named, other */
    double sign[2];   /* of effort and flow, as the element has them */
} hbg_run_bond;

typedef struct hbg_run_events {
    const hbg_run_state *state;
    const hbg_sim_options *sim;
    hbg_session *session;
    hbg_arena instant;   /* of the report of the instant at hand */
    hbg_arena kept;      /* of what follows */
    hbg_buffer story;    /* in words */
    hbg_buffer verdict;  /* the line of the last instant with a verdict */
    bool failed;         /* no memory */
    hbg_sim_lines *file; /* NULL: none wanted */
    const char *path;
    bool cannot_write;
    const hbg_run_listener *listener; /* NULL: there is no event log */
    int64_t count;
    int64_t explain;            /* instants reported in words; -1: all */
    const char **guards;        /* by transition: "sw && x > 0", "after 5 ms" */
    const bool *input_is_event; /* by input */
    double *input_start;        /* by input: its value while nothing sets it; NAN: not constant */
    hbg_run_bond *bonds;        /* by bond of the system */
    const char **relations;     /* by root: its form in a guard, or NULL */
    double *state_size;         /* by state: largest so far */
    const char **area_unit[2];  /* by bond: of areas of effort, of flow */
    int32_t *area_group[2];     /* by bond: those of one unit share a size */
    int32_t *state_group;       /* by state: the group of areas with its unit, or HBG_NONE */
    double *area_size;          /* by group */
    double *energy;             /* of losses: room */
    hbg_run_course *courses;    /* tables over time */
    int32_t course_count;
    hbg_run_bands bands;
} hbg_run_events;

/* Below this share of its size a difference is rounding. */
bool hbg_api_run_event_matters(double difference, double size);
/* Whether a state jumped in a mode; whether a bond pulsed. */
bool hbg_api_run_event_jumped(const hbg_run_events *events, const hbg_sim_visit *visit, int32_t state);
bool hbg_api_run_event_pulsed(const hbg_run_events *events, const hbg_sim_visit *visit, int side,
                              int32_t bond);
/* The automaton states before a visit: of the visit before it, or before the instant. */
const int32_t *hbg_api_run_event_before(const hbg_sim_event *event, int32_t visit);
/* Energy lost in the jump into a mode, 0 if it is rounding. */
double hbg_api_run_event_lost(hbg_run_events *events, const hbg_sim_visit *visit, double t);
/* Guards of the transitions from one state of an automaton to another. */
void hbg_api_run_event_guard(const hbg_run_events *events, hbg_buffer *out, int32_t automaton, int32_t from,
                             int32_t to);
/* The value an input has at t; NaN if it was not acted on. */
double hbg_api_run_event_input(const hbg_run_events *events, int32_t input, double t);
/* Whether that differs from the value before t; an event always does. */
bool hbg_api_run_event_input_changes(const hbg_run_events *events, int32_t input, double t);

/* What an override of the event is part of, reported once: a cause of hbg_fault_of_cause, or HBG_NONE. */
int32_t hbg_api_run_event_cause(const hbg_run_events *events, const hbg_sim_event *event, int32_t number);
/* "fault: bulb.R abrupt -30 [%]", "end of fault: …" */
void hbg_api_run_event_fault(const hbg_run_events *events, hbg_buffer *out, int32_t cause);
/* Whether the automaton is stuck at t. */
bool hbg_api_run_event_held(const hbg_run_events *events, int32_t automaton, double t);
/* Whether an automaton moved first at an instant known in advance, and none of the changed inputs is in its
 * guard. */
bool hbg_api_run_event_unexplained(hbg_run_events *events, const hbg_sim_event *event, int32_t automaton);

/* run_events_course.c: jumps of tables over time, causes like any change of an input. */
void hbg_api_run_events_prepare_courses(hbg_session *session, hbg_run_events *events);
/* Whether a course jumps at an instant; `*value` is its value after it. */
bool hbg_api_run_event_course(const hbg_run_events *events, const hbg_sim_event *event, int32_t course,
                              double *value);

/* run_events_names.c */
void hbg_api_run_events_prepare_names(hbg_session *session, hbg_run_events *events);
/* Area of a pulse with the sign it has for the element the bond is named after. */
double hbg_api_run_event_area(const hbg_run_events *events, const hbg_sim_visit *visit, int side,
                              int32_t bond);
/* A relation that was crossed, as it is written in the model. */
void hbg_api_run_event_relation(const hbg_run_events *events, hbg_buffer *out, const hbg_sim_event *event,
                                int32_t root);

/* run_explain.c: the report of an instant, as far as its fields or its words are needed. */
hbg_api_report *hbg_api_run_explain(hbg_run_events *events, const hbg_sim_event *event, bool fields,
                                    bool words);
/* run_events_text.c: six digits, with a prefix where the unit can have one: "-151.116 µWb". */
void hbg_api_run_put_quantity(hbg_buffer *out, double value, const char *unit);

/* run_outcomes.c: the other possible results of a jump, requested before the run; of a visit, into its
 * report; and the instant is reported. */
void hbg_api_run_outcomes_init(hbg_session *session, hbg_run_state *state);
void hbg_api_run_put_outcomes(hbg_run_events *events, const hbg_sim_event *event, const hbg_sim_visit *visit,
                              hbg_api_report *into);
void hbg_api_run_outcomes_read(const hbg_run_events *events);

/* run_bands.c */
void hbg_api_run_bands_init(hbg_session *session, hbg_run_bands *bands);
void hbg_api_run_bands_take(hbg_run_events *events, const hbg_sim_event *event);
void hbg_api_run_bands_free(hbg_run_bands *bands);

#endif
