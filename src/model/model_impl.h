/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of src/model share: quantities of a domain, the state of a check, the graph along which
 * types, units and values spread, and the places where expressions stand. */
#ifndef HBG_MODEL_IMPL_H
#define HBG_MODEL_IMPL_H

#include "model/model.h"

/* ---- dimensions and domains --------------------------------------------------------------------------- */

hbg_dimension hbg_model_dimension_watt(void);
bool hbg_model_dimension_is_pure(hbg_dimension a); /* known to be a pure number */

const char *hbg_model_quantity_name(hbg_quantity quantity); /* "a resistance" */

/* ---- objects ------------------------------------------------------------------------------------------ */

/* Kind and index of an object in one number, for the symbol table; how many there are of a kind. */
int32_t hbg_model_object_code(hbg_object object);
hbg_object hbg_model_object_of_code(int32_t code);
int32_t hbg_model_object_count(const hbg_model *model, hbg_object_kind kind);

/* ---- text --------------------------------------------------------------------------------------------- */

/* Like hbg_model_print_expr, but parts beyond about `limit` bytes or nested too deeply become `…`. */
void hbg_model_print_expr_short(const hbg_model *model, hbg_expr expr, size_t limit, hbg_buffer *buffer);

/* ---- a check in progress ------------------------------------------------------------------------------ */

/* Marks of an expression. */
enum {
    HBG_EXPR_VARIES = 1,        /* not constant: reads more than literals and parameters */
    HBG_EXPR_NOT_LITERAL = 2,   /* reads a parameter, or varies */
    HBG_EXPR_NOT_CONTROL = 4,   /* not a boolean over automaton states */
    HBG_EXPR_BROKEN = 8,        /* a part of it was not understood and has been reported */
    HBG_EXPR_VALUED = 16,       /* expr_values holds its value */
    HBG_EXPR_READS_FLOW = 32,   /* directly or through plain signals, not through integrators */
    HBG_EXPR_READS_EFFORT = 64, /* likewise */
    HBG_EXPR_DEMANDED = 128     /* its unit was demanded by what it is compared with */
};

/* The dependency graph: expressions, parameters, signals, nets and facts about nets are the vertices,
 * numbered in this order. Types, values and units spread along its edges until nothing changes; each vertex
 * changes a bounded number of times, so the work is linear in the model. */
typedef struct {
    int32_t first_param, first_signal, first_net, first_fact, vertex_count;
    int32_t *start, *target; /* edges by their source */
    int32_t *queue;          /* ring of vertex_count entries */
    int32_t head, waiting;
    bool *queued;
} hbg_flow;

/* One known fact about the domain of nets; its meaning follows from the object (fact.c). */
typedef enum {
    HBG_FACT_PORT,
    HBG_FACT_VALUE,
    HBG_FACT_LAW,
    HBG_FACT_INITIAL,
    HBG_FACT_MOMENTUM
} hbg_fact_kind;
typedef struct {
    hbg_fact_kind kind;
    int32_t object; /* port, or element */
    int32_t item;   /* entry or binding, counted from the element's first */
} hbg_fact;

#define HBG_CHECK_TEXTS 12

typedef struct {
    hbg_model *model;
    hbg_diagnostics *diagnostics;
    hbg_arena *scratch;
    hbg_pair_map reported; /* place and code: components repeat their mistakes in every instance */
    hbg_buffer texts[HBG_CHECK_TEXTS];
    int next_text;
    uint8_t *flags; /* by expression */
    hbg_flow flow;
    HBG_VEC(hbg_fact) facts;
    bool bonds_lost; /* the front end reported errors that may have lost bonds: no reports of missing ones */
    bool had_errors; /* of the front end: the cause of missing objects may be reported already */
    bool asked;      /* `-p` gives some parameter its value */
    const bool
        *swept; /* by expression: depends on what a sweep varies, and its runs check it; NULL: nothing does */
    bool *following; /* by axis of the sweep: follows another; NULL before it is asked for */
    int32_t *hangs_on,
        *parts; /* by element: a junction that a one-port has; by scope: how many elements; NULL before they are asked for */
} hbg_check;

/* Empty, with its texts. */
void hbg_model_check_init(hbg_check *check, hbg_model *model, hbg_diagnostics *diagnostics,
                          hbg_arena *scratch);

/* Texts for messages. Each lasts until HBG_CHECK_TEXTS more were made. */
const char *hbg_model_check_path(hbg_check *check, hbg_object_kind kind, int32_t index);
const char *hbg_model_check_expr(hbg_check *check, hbg_expr expr);
const char *hbg_model_check_unit(hbg_check *check, hbg_dimension dimension);
hbg_buffer *hbg_model_check_text(hbg_check *check); /* empty, to be filled */
/* The expression's own place, or `otherwise` if it has none. */
hbg_span hbg_model_check_span(const hbg_check *check, hbg_expr expr, hbg_span otherwise);
/* The origin of a value: through parameters that only pass it on, to that value. */
hbg_expr hbg_model_check_source(const hbg_check *check, hbg_expr expr);
hbg_span hbg_model_check_bond_span(const hbg_check *check, int32_t bond);
/* "an effort source", "a C": with the article that fits. */
const char *hbg_model_check_article(hbg_check *check, const char *word);
/* False if this was reported for this place before. To be called before every report. */
bool hbg_model_check_first(hbg_check *check, hbg_diagnostic_id id, hbg_span span);

/* Marks of expressions (mark.c). */
void hbg_model_check_marks(hbg_check *check);
/* The first part of an expression that carries this mark itself, not through its parts. */
hbg_expr hbg_model_check_offender(const hbg_check *check, hbg_expr expr, uint8_t mark);

/* passes, in this order */
void hbg_model_check_structure(hbg_check *check);   /* incidence, ports, bond names, nets */
void hbg_model_check_laws(hbg_check *check);        /* values, laws, initial values, junctions */
void hbg_model_check_types(hbg_check *check);       /* expr_type, signal types; constants where needed */
void hbg_model_check_constants(hbg_check *check);   /* expr_values, param_values; their ranges */
void hbg_model_check_units(hbg_check *check);       /* domains of nets, expr_dimension */
void hbg_model_check_experiments(hbg_check *check); /* settings, actions, faults */
void hbg_model_check_automata(hbg_check *check);
void hbg_model_check_guards(hbg_check *check);      /* overlaps */
void hbg_model_check_samples(hbg_check *check);     /* circles at a tick */
void hbg_model_check_signals(hbg_check *check);     /* signals defined by nothing but each other */
void hbg_model_check_ins(hbg_check *check);         /* in(…) inside in(…) */
void hbg_model_check_restitution(hbg_check *check); /* strict guards */
void hbg_model_check_choices(hbg_check *check);     /* intervals */
/* A value given to a parameter outside of its declared interval. */
void hbg_model_check_outside(hbg_check *check, int32_t param, double value, hbg_span span);
void hbg_model_check_unused(hbg_check *check);

/* ---- other values of parameters (what_if.c) ---- */

typedef struct {               /* what depends on a parameter */
    HBG_VEC(hbg_expr) exprs;   /* constants, each after its parts */
    HBG_VEC(int32_t) params;   /* that follow it */
    HBG_VEC(int32_t) elements; /* C, I and R that read one of them */
    double *nominal;           /* of these elements, HBG_PASSIVE_DRAWS each; NULL before it is needed */
    bool has_effect;           /* while time advances */
    bool asked, meets; /* another parameter with faults depends on it, or it on one: computed on first use */
    HBG_VEC(int32_t) junctions; /* whose restitution depends on it */
} hbg_what_if_group;

typedef struct {
    hbg_check *check;
    bool *is_set;           /* by parameter: the experiment does */
    double *params, *exprs; /* values in the experiment */
    hbg_pair_map numbers;   /* (0, parameter) -> group */
    HBG_VEC(hbg_what_if_group) groups;
    hbg_passives passives;
    double *room;          /* NULL before it is needed; of the passives */
    bool *faulty;          /* by parameter: has faults in the experiment; NULL before first use */
    bool looked, any_lost; /* whether the values there make anything impossible: computed on first use */
} hbg_what_if;

/* As the experiment has it, or (NULL) the model. */
void hbg_model_what_if_init(hbg_what_if *w, hbg_check *check, const hbg_experiment *experiment);
double hbg_model_what_if_nominal(const hbg_what_if *w, int32_t param);
/* Whether an element becomes invalid if the parameter has this value. */
bool hbg_model_what_if_param(hbg_what_if *w, int32_t param, double value, hbg_lost *lost);
/* Whether an element is invalid because of the parameter's value in the experiment, compared with these
 * values of all expressions. */
bool hbg_model_what_if_as_it_is(hbg_what_if *w, int32_t param, const double *declared, hbg_lost *lost);
/* NULL if something has been reported there. */
hbg_diagnostic *hbg_model_what_if_report(hbg_what_if *w, int32_t param, const hbg_lost *lost, hbg_span span);
/* Whether a fault of another parameter in the experiment changes this one too, or this one changes that: the
 * effect on elements depends on both. */
bool hbg_model_what_if_meets(hbg_what_if *w, int32_t param, const hbg_experiment *experiment);
/* Gives a parameter a value permanently. */
void hbg_model_what_if_set(hbg_what_if *w, int32_t param, double value);
/* Whether anything that a fault can change reads the parameter. */
bool hbg_model_what_if_has_effect(hbg_what_if *w, int32_t param);
/* By expression: whether its value depends on a parameter, through any others except those that are set. */
bool *hbg_model_check_hanging(hbg_check *check, int32_t param, const bool *is_set);

/* check_sweeps.c: reports what is built into a compiled model and depends on a parameter that a run may
 * choose. */
void hbg_model_check_chosen(hbg_check *check, int32_t param, hbg_span span);

/* lost.c: why a matrix is not positive definite */
const char *hbg_model_lost_matrix_text(hbg_arena *arena, const hbg_lost *lost, hbg_element_kind kind);

/* check_times.c: when it stops, or HBG_NONE */
hbg_expr hbg_model_check_stop_of(const hbg_check *check, const hbg_experiment *experiment);
/* Whether its values matter: of several experiments one may be chosen, and `-p` is meant for that one. */
bool hbg_model_check_concerns(const hbg_check *check, const hbg_experiment *experiment);
/* Reports a fault that begins after the end of its experiment, or ends before it begins. */
void hbg_model_check_fault_times(hbg_check *check, const hbg_experiment *experiment, const hbg_fault *fault);
/* Reports a time after the end of the experiment. */
void hbg_model_check_before_stop(hbg_check *check, const hbg_experiment *experiment, hbg_expr time,
                                 hbg_span span, const char *what);
void hbg_model_check_faults(hbg_check *check, hbg_what_if *w, const hbg_experiment *experiment);
/* check_faults_together.c: the combined effect of the faults of one value in a run up to `stop`. */
void hbg_model_check_faults_together(hbg_what_if *w, const hbg_experiment *experiment, double stop);
void hbg_model_check_sweeps(hbg_check *check, const hbg_experiment *experiment);
/* Whether the numbers of an axis are determined in its runs, since they follow another one; of a setting,
 * whether it is one of them. */
bool hbg_model_check_axis_follows(hbg_check *check, const hbg_experiment *experiment, int32_t axis);
bool hbg_model_check_number_follows(hbg_check *check, const hbg_experiment *experiment, int32_t setting);
/* A value given to an element, at the start or by a fault, against what its kind allows. */
void hbg_model_check_element_value(hbg_check *check, int32_t element, double value, hbg_span span);

/* ---- spreading ---------------------------------------------------------------------------------------- */

void hbg_model_flow_build(hbg_check *check);
void hbg_model_flow_push(hbg_flow *flow, int32_t vertex);
void hbg_model_flow_push_dependents(hbg_flow *flow, int32_t vertex);
/* Updates every vertex once, then whatever depends on one that changed (update said true), until none does.
 */
void hbg_model_flow_run(hbg_flow *flow, bool (*update)(void *context, int32_t vertex), void *context);

/* ---- facts -------------------------------------------------------------------------------------------- */

void hbg_model_facts_build(hbg_check *check);
/* The one or two nets a fact is about; else HBG_NONE. */
void hbg_model_fact_nets(const hbg_check *check, const hbg_fact *fact, int32_t nets[2]);
hbg_expr hbg_model_fact_expr(const hbg_check *check, const hbg_fact *fact); /* HBG_NONE for declared ports */
/* The net of an element's port (0 at a junction), or HBG_NONE. */
int32_t hbg_model_net(const hbg_model *model, int32_t element, int32_t port);
/* The net an observable reads, or HBG_NONE. */
int32_t hbg_model_expr_net(const hbg_model *model, const hbg_expr_node *node);

/* ---- sites: every place where an expression stands ---------------------------------------------------- */

typedef enum { HBG_WANT_REAL, HBG_WANT_BOOL, HBG_WANT_OWN, HBG_WANT_ANY } hbg_site_type;
typedef enum { HBG_BOUND_NONE, HBG_BOUND_POSITIVE, HBG_BOUND_NOT_NEGATIVE } hbg_site_bound;

/* identifier, text, type (OWN: of the signal it belongs to), constant, a time, bound */
#define HBG_SITE_LIST(X)                                                                                     \
    X(PARAM, "parameter", REAL, true, false, NONE)                                                           \
    X(VALUE, "the value of", REAL, false, false, NONE)                                                       \
    X(LAW, "the law of", REAL, false, false, NONE)                                                           \
    X(INITIAL, "the initial value of", REAL, true, false, NONE)                                              \
    X(CONTROL, "the condition of", BOOL, false, false, NONE)                                                 \
    X(RESTITUTION, "the restitution of", REAL, false, false, NONE)                                           \
    X(CHOICE, "an end of the interval of", REAL, true, false, NONE)                                          \
    X(GUARD, "a guard of", BOOL, false, false, NONE)                                                         \
    X(AFTER, "an `after` of", REAL, true, true, POSITIVE)                                                    \
    X(AUTOMATON_EVERY, "the period of", REAL, true, true, POSITIVE)                                          \
    X(SIGNAL, "the value of", OWN, false, false, NONE)                                                       \
    X(STATE_INITIAL, "the initial value of", REAL, true, false, NONE)                                        \
    X(SIGNAL_EVERY, "the period of", REAL, true, true, POSITIVE)                                             \
    X(NOISE_MEAN, "the mean noise of", REAL, true, false, NONE)                                              \
    X(NOISE_VARIANCE, "the noise variance of", REAL, true, false, NOT_NEGATIVE)                              \
    X(STOP, "the stop time of", REAL, true, true, NOT_NEGATIVE)                                              \
    X(STEP, "the step of", REAL, true, true, POSITIVE)                                                       \
    X(RECORD_EVERY, "the record period of", REAL, true, true, POSITIVE)                                      \
    X(SETTING, "a setting of", REAL, true, false, NONE)                                                      \
    X(SPREAD, "a spread in", REAL, true, false, POSITIVE)                                                    \
    X(ACTION_TIME, "the time of an action in", REAL, true, true, NOT_NEGATIVE)                               \
    X(ACTION_VALUE, "a new value of", OWN, true, false, NONE)                                                \
    X(FAULT_AT, "the time of a fault in", REAL, true, true, NOT_NEGATIVE)                                    \
    X(FAULT_UNTIL, "the end of a fault in", REAL, true, true, NOT_NEGATIVE)                                  \
    X(FAULT_VALUE, "the size of a fault in", REAL, true, false, NONE)                                        \
    X(FAULT_VARIANCE, "the noise variance of a fault in", REAL, true, false, NOT_NEGATIVE)                   \
    X(RANGE_VALUE, "a range in", REAL, false, false, NONE)                                                   \
    X(RANGE_BOUND, "a bound of a range in", REAL, true, false, NONE)                                         \
    X(ALWAYS, "what always holds in", BOOL, false, false, NONE)                                              \
    X(LOSS, "the bound of a loss in", REAL, true, false, NOT_NEGATIVE)                                       \
    X(ASSUMPTION, "an assumption in", BOOL, false, false, NONE)                                              \
    X(RECORD, "what is recorded in", ANY, false, false, NONE)

typedef enum {
#define X(id, text, type, constant, time, bound) HBG_SITE_##id,
    HBG_SITE_LIST(X)
#undef X
        HBG_SITE_COUNT
} hbg_site_kind;

typedef struct {
    const char *text;
    hbg_site_type type;
    bool constant, time;
    hbg_site_bound bound;
} hbg_site_info;

typedef struct {
    hbg_site_kind kind;
    hbg_object owner;   /* what follows the text; HBG_OBJECT_NONE in experiments */
    int32_t experiment; /* HBG_NONE outside */
    int32_t item;       /* index of the entry, binding, transition, action or fault */
    hbg_expr expr;      /* never HBG_NONE */
    hbg_span span;      /* of the owner, for expressions without a place */
} hbg_site;

const hbg_site_info *hbg_model_site_info_get(hbg_site_kind kind);
void hbg_model_sites_each(hbg_check *check, void (*visit)(hbg_check *check, const hbg_site *site));
const char *hbg_model_site_text(hbg_check *check, const hbg_site *site); /* "the initial value of `coil`" */
/* Reports a value outside the range its place allows (check_constants.c). */
void hbg_model_check_site_value(hbg_check *check, const hbg_site *site);

#endif
