/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block diagram under construction: blocks, each with one output, and the modes of a model in terms of
 * blocks. */
#ifndef HBG_EMIT_BLOCKS_IMPL_H
#define HBG_EMIT_BLOCKS_IMPL_H

#include "emit/emit.h"
#include "eqn/system.h"

/* ---- the diagram -------------------------------------------------------------------------------------- */

#define BLOCK_LIST(X)                                                                                        \
    X(CONSTANT, "constant")                                                                                  \
    X(TIME, "time")                                                                                          \
    X(SOURCE, "source")         /* of: 2·input, plus 1 for whether it was given a value */                  \
    X(AUTOMATON, "automaton")   /* of: automaton; the number of its state */                                 \
    X(INSTANT, "instant")       /* 1 while modes are searched at an instant, 0 while time advances */        \
    X(INTEGRATOR, "integrator") /* of: state; inputs: its rate, the value it is reset to */                  \
    X(GAIN, "gain")                                                                                          \
    X(SUM, "sum")               /* data: a sign for each input */                                            \
    X(PRODUCT, "product")       /* data: 1 for a factor, -1 for a divisor */                                 \
    X(FUNCTION, "function")     /* of: operator */                                                           \
    X(TABLE, "table")           /* of: table of the model */                                                 \
    X(LOOKUP, "lookup")         /* by states of automata; of: place, or HBG_NONE: a local mode by number */  \
    X(SWITCH, "switch")         /* inputs: selector, then a value for each class of its values */            \
    X(CONSTRAINT, "constraint") /* its value makes the input 0; a further input is a guess of it */          \
    X(REFUSED, "refused")       /* cannot be in a diagram; the name says why */

typedef enum {
#define X(id, text) BLOCK_##id,
    BLOCK_LIST(X)
#undef X
        BLOCK_KIND_COUNT
} block_kind;

typedef struct {
    block_kind kind;
    int32_t of;
    double number;            /* of a constant, a gain; the initial value of an integrator */
    int32_t in, in_count;     /* in `ints`: blocks */
    int32_t data, data_count; /* in `ints` */
    const char *name;         /* of the model's variable; or NULL */
    bool is_fact;             /* of a lookup: whether a place is on, else its determining bond */
    bool used;
} block;

struct hbg_emit_blocks {
    hbg_arena *arena;
    const hbg_emit_blocks_of *of;
    HBG_VEC(block) blocks;
    int32_map ints;
    int32_t *slots; /* hash table: block + 1; 0: free */
    int32_t slot_count;
    int32_t *integrators; /* by state */
    int32_t *projected;   /* by state: after the jump into the present mode */
    int32_t *guards;      /* by transition: block; HBG_NONE: it only waits */
    int32_t *outputs;     /* by column */
    int32_t *order;       /* used blocks, each after those it reads now */
    int32_t order_count;
    bool resets; /* some integrator is reset */
};

/* blocks_net.c: a block with these inputs and data; an existing one if it is equal. */
int32_t hbg_emit_block(hbg_emit_blocks *d, block of, const int32_t *in, const int32_t *data);
int32_t hbg_emit_block_constant(hbg_emit_blocks *d, double number);
int32_t hbg_emit_block_refused(hbg_emit_blocks *d, const char *why);
/* Marks what rates, resets, guards and outputs need, and puts them in order. */
void hbg_emit_blocks_order(hbg_emit_blocks *d);
static inline const int32_t *hbg_emit_block_in(const hbg_emit_blocks *d, const block *of) {
    return d->ints.items + of->in;
}
static inline const int32_t *hbg_emit_block_data(const hbg_emit_blocks *d, const block *of) {
    return d->ints.items + of->data;
}
const char *hbg_emit_block_kind_text(block_kind kind);

/* ---- equations to blocks ------------------------------------------------------------------------------ */

typedef struct {
    hbg_emit_blocks *d;
    hbg_eqn *eqn;
    hbg_arena *arena;
    int32_t *value;  /* by variable of all layers: its block; HBG_NONE: none yet */
    int32_t *member; /* by variable of all layers: its number in the present group, plus 1; 0: not in it */
    int32_map block_of_term;
    int32_map stamp; /* by term: when it got its block */
    int32_t now;
    bool jumping; /* states are the values after a jump, to be computed */
} drafting;

/* blocks_term.c: the block of a term; the blocks of its variables have to be known. */
int32_t hbg_emit_block_of_term(drafting *draft, hbg_term term);
/* The block of a variable without an equation. */
int32_t hbg_emit_block_known(drafting *draft, int32_t variable);
void hbg_emit_block_set(drafting *draft, int32_t variable, int32_t made);

/* The equations of one local mode, and what identifies it. */
typedef struct {
    equation *of;         /* by member; kind NONE: nothing reads it in this mode */
    int32_t *determining; /* by place of the group: bond plus 1; 0: none */
    int32_t *made;        /* by member: its block */
    uint64_t *key;
} group_variant;

/* Variables that are computed together in some mode, and the automata that switch their dependences. */
typedef struct {
    int32_t *variables;
    int32_t count;
    bool varies;
    int32_map exports; /* variables that others read */
    fact_set facts;
    int32_map automata;
    int32_t modes;       /* of these automata */
    int32_t *variant_of; /* by mode: variant; HBG_NONE: it has no valid causal assignment */
    HBG_VEC(group_variant) variants;
} equation_group;
typedef HBG_VEC(equation_group) equation_groups;

/* blocks_loop.c: the blocks of variables with these equations, in an order that it finds. */
void hbg_emit_blocks_solve(drafting *draft, const int32_t *variables, const equation *of, int32_t count);

/* blocks_mode.c: the equations of the field in every local mode, in order. A reason, or NULL. */
const char *hbg_emit_blocks_collect(drafting *draft, const int32_map *targets, equation_groups *groups);
typedef struct { /* all modes of some automata */
    hbg_eqn *eqn;
    hbg_arena *arena;
    int32_t *states; /* by automaton: the present mode */
    bool *on;        /* by place */
    hbg_causal_assignment *assignment;
    bool valid;
    int32_t *there; /* by variable of all layers: HBG_NONE while it is to be computed */
} mode_walk;
void hbg_emit_modes_init(mode_walk *walk, drafting *draft);
/* Which automata switch these places, and how many modes they have; a reason if there are too many. */
const char *hbg_emit_modes_find(mode_walk *walk, const int32_map *places, int32_map *automata,
                                int32_t *count);
void hbg_emit_modes_enter(mode_walk *walk, const int32_map *automata, int32_t mode);
const char *hbg_emit_modes_words(mode_walk *walk, const int32_map *automata);
int32_t hbg_emit_modes_variant(mode_walk *walk, equation_group *group, bool *is_new);

/* blocks_switch.c: one block for a member of a group: a switch where modes differ. */
int32_t hbg_emit_blocks_merge(drafting *draft, const equation_group *group, int32_t member);
/* Whether a place is on, by the states of automata. */
int32_t hbg_emit_block_on(drafting *draft, int32_t place);

/* blocks_jump.c: the values that states are reset to. A reason, or NULL. */
const char *hbg_emit_blocks_jumps(drafting *draft);

#endif
