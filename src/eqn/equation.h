/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a model, and the sorted equations of a mode, from which proofs and code are made. */
#ifndef HBG_EQN_EQUATION_H
#define HBG_EQN_EQUATION_H

#include "eqn/eqn.h"
#include "term/term.h"

typedef HBG_VEC(int32_t) int32_map; /* HBG_NONE: no entry */

/* ---- variables ---------------------------------------------------------------------------------------- */

/* Every variable of a model has a number; each layer repeats the numbers for another view of it. */
typedef enum {
    LAYER_VALUE,   /* the finite value */
    LAYER_RATE,    /* its derivative in time */
    LAYER_RATE2,   /* its second derivative */
    LAYER_TANGENT, /* derivative along the seeds, and time if requested; those of rates in the next layers */
    LAYER_TANGENT_RATE,
    LAYER_TANGENT_RATE2,
    LAYER_AREA, /* area at an instant */
    LAYER_COUNT
} variable_layer;

/* Numbers of the value layer, in this order: kind, how many. */
#define VARIABLE_LIST(X)                                                                                     \
    X(EFFORT, bonds.count)                                                                                   \
    X(FLOW, bonds.count)                                                                                     \
    X(SIGNAL, signals.count) /* value of a signal, held value of a sample or sensor */                       \
    X(GIVEN, signals.count)  /* input: whether an action has set it */                                       \
    X(INPUT, signals.count)  /* input: what an action has set it to */                                       \
    X(PARAM, params.count)                                                                                   \
    X(AUTOMATON, automata.count) /* index of its state */

typedef enum {
#define X(id, count) VARIABLE_##id,
    VARIABLE_LIST(X)
#undef X
        VARIABLE_PRE,   /* by expression pre(…) or der(…): its argument at the last commit */
    VARIABLE_DER,       /* by the same, der(…) only: the rate; its area is the jump of the argument */
    VARIABLE_IN,        /* by in_info: its value in the other state */
    VARIABLE_BOUNCE,    /* by element, restitution: ε·Σ⁻ while its junction is newly on */
    VARIABLE_ON,        /* by place: whether a junction that needs no reassignment is on */
    VARIABLE_UNDEFINED, /* by element, junctions off the other way: their common variable then, NaN */
    VARIABLE_STATE,     /* q, p, integrators */
    VARIABLE_OLD,       /* a state before a jump */
    VARIABLE_START,     /* a state as declared */
    VARIABLE_SEED,      /* by state: direction of tangents */
    VARIABLE_OPEN, /* undetermined, NaN: shares of a balance between bonds whose zeros off junctions repeat */
    VARIABLE_PARASITE, /* by place in clusters: value given by its parasite; see limit_equation.c */
    VARIABLE_CONFLICT, /* by the same: its unbounded part, times η */
    VARIABLE_LIVE,     /* 1; 0 while left limits are recorded, before anything jumps */
    VARIABLE_TICK,     /* by signal, if any has a clock: its new value, for others that tick with it */
    VARIABLE_TIME,
    VARIABLE_KIND_COUNT
} variable_kind;

/* The owner of a state: a port of a storage, or an integrator. */
typedef struct {
    int32_t element, port; /* element HBG_NONE: an integrator */
    int32_t signal;
} state_info;

/* ---- equations of a mode ------------------------------------------------------------------------------ */

typedef enum { EQUATION_NONE, EQUATION_KNOWN, EQUATION_ASSIGN, EQUATION_IMPLICIT } equation_kind;

typedef struct {
    equation_kind kind;
    hbg_term term; /* assign: the variable is this; implicit: this is 0 */
} equation;

/* A term that is not linear in a pulse: the area must be 0 while the term is used. */
typedef struct {
    int32_t area; /* variable of the area layer; then, in a mode, its register */
    hbg_term term;
} pulse_check;

/* How the equations treat a storage that causality makes dependent; see tie.c. */
typedef struct {
    hbg_term tie; /* its input, in terms of outputs of elements; HBG_NONE: by its junction */
    bool is_free; /* it is a state anyway: its input determines its rate */
} tie_info;

/* The purpose of the equations, which decides what is known. */
typedef enum {
    PURPOSE_FIELD, /* states are known */
    PURPOSE_JUMP,  /* states before the jump are known, states after it are not */
    PURPOSE_START, /* declared energies */
    PURPOSE_COUNT
} purpose;

typedef struct {
    hbg_eqn *eqn;
    hbg_arena *arena; /* scratch */
    const hbg_causal_assignment *assignment;
    purpose purpose;
    equation *equations;              /* by variable of all layers; kind NONE until requested */
    int32_map made;                   /* those that are not NONE */
    bool plain;                       /* junctions are on or off as they are in this mode: no selects */
    bool *on;                         /* by place: the mode, once needed; see limit_equation.c */
    const struct limit_mode **limits; /* with `on`, by cluster: its local mode; NULL: not found */
    bool no_limits;                   /* no place that these equations involve is reversed */
    bool in_any_mode;                 /* equations read everything they may read in some mode */
    bool *may_pulse;                  /* by variable of the value layer, for jumps */
    int32_map pulsing;                /* variables that may pulse */
    bool can_jump;                    /* some storage is dependent, for jumps */
    bool *is_still;                   /* by variable of all layers: known to be 0; for tangents, or NULL */
    bool along_time;                  /* tangents are along time as well as the seeds */
    HBG_VEC(pulse_check) checks;      /* of jumps */
    const char *refused;              /* a part without equations, or NULL */
    tie_info *dependences;            /* by state; NULL: nothing of this kind */
    bool *tied_parts;                 /* by part of the structure: its causality decides the dependences */
    bool may_be_unread; /* a part without equations counts as undetermined: perhaps no mode reads it */
} equations;

/* One thing to compute: an assignment, or a loop. */
typedef struct {
    int32_t first, count; /* in sorted.variables */
    bool is_loop;
} sorted_block;

typedef struct {
    int32_t *variables;
    int32_t variable_count;
    sorted_block *blocks;
    int32_t block_count;
    int32_t *component;     /* by place in `variables`: its block */
    int32_t *start, *heads; /* by place in `variables`: places it reads, except those already computed */
} sorted_equations;

void hbg_eqn_equations_init(equations *all, hbg_arena *arena, hbg_eqn *eqn,
                            const hbg_causal_assignment *assignment, purpose purpose);
void hbg_eqn_equations_end(equations *all); /* leaves the working memory clear */
/* The equation of a variable; the pointer is valid until the next call. */
const equation *hbg_eqn_equations_get(equations *all, int32_t variable);
/* The equation of a variable that an element or a junction defines on a bond; the rate of a state. */
equation hbg_eqn_equations_element(equations *all, int32_t element, int32_t port, hbg_variable asked);
equation hbg_eqn_equations_junction(equations *all, int32_t junction, int32_t bond, hbg_variable asked);
hbg_term hbg_eqn_equations_rate_term(equations *all, int32_t state);
/* Σ ∂term/∂w · (w in the layer). */
hbg_term hbg_eqn_equations_layer(equations *all, hbg_term term, variable_layer layer);
bool hbg_eqn_equations_is_dependent(const equations *all, int32_t state);
/* Sorts everything needed for the targets and not done yet. `done` has HBG_NONE, by variable of all layers,
 * for variables not yet computed; NULL: none are. */
void hbg_eqn_equations_sort(equations *all, const int32_t *targets, int32_t target_count, const int32_t *done,
                            sorted_equations *sorted);

#endif
