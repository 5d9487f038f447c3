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

/* Register code: `op` on the registers of its arguments to register d. Operators of the model's table, and these. */
enum {
    CODE_SOLVE = TERM_RATE + 1, /* argument 0: loop */
    CODE_DEFAULT,               /* d = argument 0, unless parameter number 2 was overridden */
    CODE_COPY                   /* d = argument 0 */
};

/* The column `branch` of the list of operators: on what an operator switches while time flows. */
typedef enum {
    BRANCH_NONE,
    BRANCH_BELOW, /* of a relation: whether the first is less, or greater, than the second */
    BRANCH_ABOVE,
    BRANCH_LESSER, /* of min and max: whether it is the first */
    BRANCH_GREATER,
    BRANCH_ABSOLUTE, /* whether the argument is positive */
    BRANCH_SIGN,     /* the sign itself */
    BRANCH_FLOOR,    /* the whole number below, or above; whole multiples; the piece of a table */
    BRANCH_CEIL,
    BRANCH_REMAINDER,
    BRANCH_TABLE
} branch_kind;
extern const uint8_t hbg_eqn_branch_kinds[CODE_COPY + 1]; /* by op; stage.c */
static inline branch_kind hbg_eqn_branch_kind(int op) {
    return (branch_kind)hbg_eqn_branch_kinds[op];
}

typedef hbg_rt_instruction instruction;

typedef struct native_host_tag native_host;
typedef int (*native_program)(double *r, hbg_rt_instance *run, const native_host *host,
                              const instruction *code);

/* A loop of an image as its users see it. */
typedef struct {
    int32_t number, count, entry_count;
    const int32_t *reg, *residual, *name, *area; /* by unknown */
    const hbg_rt_entry *entries;
    const int32_t *start, *row, *entry_of; /* of a sparse one */
    int32_t body;
    bool linear, is_sparse, is_constant;
} loop;
loop hbg_eqn_loop(const hbg_rt_image *image, int32_t number);

/* Where a readout leaves its values. */
static inline const int32_t *hbg_eqn_registers(const hbg_rt_image *image, const hbg_rt_readout *of) {
    return hbg_rt_ints(image, of->reg.first);
}

#endif
