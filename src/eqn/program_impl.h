/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a model, and programs on registers: what both engines run. */
#ifndef HBG_EQN_PROGRAM_IMPL_H
#define HBG_EQN_PROGRAM_IMPL_H

#include "eqn/eqn.h"
#include "rt/image.h"
#include "term/term.h"

/* ---- variables ---------------------------------------------------------------------------------------- */

/* Every variable of a model has a number; each layer repeats the numbers for another view of it. */
typedef enum {
    LAYER_VALUE,   /* the finite value */
    LAYER_RATE,    /* its derivative in time */
    LAYER_RATE2,   /* and the second one */
    LAYER_TANGENT, /* derivative along the seeds; that of rates in the layers behind */
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
    VARIABLE_LIVE, /* 1, but 0 while left limits are taken: nothing has jumped there */
    VARIABLE_TICK, /* by signal, if any has a clock: what that takes at this instant, for others that tick with it */
    VARIABLE_TIME,
    VARIABLE_KIND_COUNT
} variable_kind;

/* What a state is: a port of a storage, or an integrator. */
typedef struct {
    int32_t element, port; /* element HBG_NONE: an integrator */
    int32_t signal;
} state_info;

/* ---- programs ----------------------------------------------------------------------------------------- */

typedef HBG_VEC(int32_t) int32_map; /* HBG_NONE where there is nothing */

/* Register code has the operators of terms and three more. */
#define CODE_SOLVE   HBG_RT_OP_SOLVE
#define CODE_DEFAULT HBG_RT_OP_DEFAULT
#define CODE_COPY    HBG_RT_OP_COPY
typedef hbg_rt_instruction instruction;

#endif
