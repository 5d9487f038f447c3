/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a model, and the equations of a mode, sorted: what proofs and code are made of. */
#ifndef HBG_EQN_EQUATION_H
#define HBG_EQN_EQUATION_H

#include "eqn/eqn.h"
#include "term/term.h"

typedef HBG_VEC(int32_t) int32_map; /* HBG_NONE where there is nothing */

/* ---- variables ---------------------------------------------------------------------------------------- */

/* Every variable of a model has a number; each layer repeats the numbers for another view of it. */
typedef enum {
    LAYER_VALUE,   /* the finite value */
    LAYER_RATE,    /* its derivative in time */
    LAYER_RATE2,   /* and the second one */
    LAYER_TANGENT, /* derivative along the seeds, and time if asked for; that of rates in the layers behind */
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
        VARIABLE_PRE, /* by expression pre(…) or der(…): what its argument was at the last commit */
    VARIABLE_DER,     /* by the same, der(…) only: the rate; its area is what the argument jumps by */
    VARIABLE_IN,      /* by in_info: its value in the other state */
    VARIABLE_BOUNCE,  /* by element, restitution: ε·Σ⁻ while its junction is newly on */
    VARIABLE_ON,      /* by place: whether a junction that needs no reassignment is on */
    VARIABLE_UNDEFINED, /* by element, junctions off the other way: what their common variable is then, no number */
    VARIABLE_STATE, /* q, p, integrators */
    VARIABLE_OLD,   /* a state before a jump */
    VARIABLE_START, /* a state as declared */
    VARIABLE_SEED,  /* by state: direction of tangents */
    VARIABLE_OPEN, /* what nothing determines: how a balance splits between bonds whose zeros off junctions repeat; no number */
    VARIABLE_PARASITE, /* by place, where clusters are: what the parasite of a reversed junction gives; see limit_equation.c */
    VARIABLE_CONFLICT, /* by the same: the unbounded part of that, times η */
    VARIABLE_LIVE,     /* 1, but 0 while left limits are taken: nothing has jumped there */
    VARIABLE_TICK, /* by signal, if any has a clock: what that takes at this instant, for others that tick with it */
    VARIABLE_TIME,
    VARIABLE_KIND_COUNT
} variable_kind;

/* What a state is: a port of a storage, or an integrator. */
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

/* A term that is not linear in a pulse: the area has to be 0 while the term is used. */
typedef struct {
    int32_t area; /* variable of the area layer; then, in a mode, its register */
    hbg_term term;
} pulse_check;

/* What a storage that causality makes dependent is to the equations; see tie.c. */
typedef struct {
    hbg_term tie; /* what it is given, in terms of what elements give; HBG_NONE: as its junction says */
    bool is_free; /* it is a state all the same: what it is given determines its rate */
} tie_info;

/* What is being computed, which decides what is known. */
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
    equation *equations; /* by variable of all layers; kind NONE until asked for */
    int32_map made;      /* those that are not NONE */
    bool plain;          /* junctions are on or off as they are in this mode: no selects */
    bool *on;            /* by place: the mode, once something asks for it; see limit_equation.c */
    const struct limit_mode **limits; /* with it, by cluster: its local mode; NULL: not found */
    bool no_limits;                   /* no place is reversed that these equations have to do with */
    bool in_any_mode;                 /* what is read is what may be read in some mode */
    bool *may_pulse;                  /* by variable of the value layer, for jumps */
    int32_map pulsing;                /* those that may */
    bool can_jump;                    /* some storage is dependent, for jumps */
    bool *is_still;                   /* by variable of all layers: known to be 0; for tangents, or NULL */
    bool along_time;                  /* tangents go with time as well as along the seeds */
    HBG_VEC(pulse_check) checks;      /* of jumps */
    const char *refused;              /* what no equation can be made of, or NULL */
    tie_info *dependences;            /* by state; NULL: nothing of this kind */
    bool *tied_parts;                 /* by part of the structure: causality there decides that */
    bool may_be_unread;               /* what cannot be made is undetermined: others may read it in no mode */
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
    int32_t *component; /* by place in `variables`: its block */
    int32_t *start,
        *heads; /* by place in `variables`: places of what it reads, those that are there already left out */
} sorted_equations;

void hbg_eqn_equations_init(equations *all, hbg_arena *arena, hbg_eqn *eqn,
                            const hbg_causal_assignment *assignment, purpose purpose);
void hbg_eqn_equations_end(equations *all); /* leaves the working memory clean */
/* The equation of a variable; the pointer serves until the next call. */
const equation *hbg_eqn_equations_get(equations *all, int32_t variable);
/* What an element or a junction gives on a bond; what a state is the integral of. */
equation hbg_eqn_equations_element(equations *all, int32_t element, int32_t port, hbg_variable asked);
equation hbg_eqn_equations_junction(equations *all, int32_t junction, int32_t bond, hbg_variable asked);
hbg_term hbg_eqn_equations_rate_term(equations *all, int32_t state);
/* Σ ∂term/∂w · (w in the layer). */
hbg_term hbg_eqn_equations_layer(equations *all, hbg_term term, variable_layer layer);
bool hbg_eqn_equations_is_dependent(const equations *all, int32_t state);
/* Everything needed for the targets and not done yet, in order. `done` has HBG_NONE, by variable of all layers, for what is not there
 * already; NULL: nothing is. */
void hbg_eqn_equations_sort(equations *all, const int32_t *targets, int32_t target_count, const int32_t *done,
                            sorted_equations *sorted);

#endif
