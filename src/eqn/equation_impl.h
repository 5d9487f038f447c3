/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations of a mode, sorted, and the stages that make code of them. */
#ifndef HBG_EQN_EQUATION_IMPL_H
#define HBG_EQN_EQUATION_IMPL_H

#include "eqn/program_impl.h"

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
    equation *equations;         /* by variable of all layers; kind NONE until asked for */
    int32_map made;              /* those that are not NONE */
    bool plain;                  /* junctions are on or off as they are in this mode: no selects */
    bool in_any_mode;            /* what is read is what may be read in some mode */
    bool *may_pulse;             /* by variable of the value layer, for jumps */
    int32_map pulsing;           /* those that may */
    bool can_jump;               /* some storage is dependent, for jumps */
    bool *is_still;              /* by variable of all layers: known to be 0; for tangents, or NULL */
    HBG_VEC(pulse_check) checks; /* of jumps */
    const char *refused;         /* what no equation can be made of, or NULL */
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

void hbg_equations_init(equations *all, hbg_arena *arena, hbg_eqn *eqn,
                        const hbg_causal_assignment *assignment, purpose purpose);
void hbg_equations_end(equations *all); /* leaves the working memory clean */
/* The equation of a variable; the pointer serves until the next call. */
const equation *hbg_equations_get(equations *all, int32_t variable);
/* What an element or a junction gives on a bond; what a state is the integral of. */
equation hbg_equations_element(equations *all, int32_t element, int32_t port, hbg_variable asked);
equation hbg_equations_junction(equations *all, int32_t junction, int32_t bond, hbg_variable asked);
hbg_term hbg_equations_rate_term(equations *all, int32_t state);
/* Σ ∂term/∂w · (w in the layer). */
hbg_term hbg_equations_layer(equations *all, hbg_term term, variable_layer layer);
bool hbg_equations_is_dependent(const equations *all, int32_t state);

/* ---- code under construction -------------------------------------------------------------------------- */

/* register.c: what runs while time flows; parameters, what is computed from them, the start */
typedef enum { SIDE_FLOW, SIDE_PARAM, SIDE_COUNT } register_side;

/* A stage is code that runs in one go, or behind an earlier part of the same stage. */
typedef struct hbg_code_stage {
    hbg_eqn *eqn;
    hbg_arena *arena;
    hbg_arena *own;        /* of its maps, which may be used again */
    int32_t *var_register; /* by variable of all layers: where it is, or HBG_NONE */
    int32_map var_term;    /* by variable: what it was computed from, or HBG_NONE */
    int32_map term_register;
    register_side side; /* of its registers */
    int32_map *pool;    /* its registers */
    int32_t temps;      /* used so far */
    bool locate;        /* relations met are located */
    bool direct;        /* no relation is located, also where it is elsewhere */
    int32_map *
        located; /* relations that it locates, or may use beside those that are located in every mode; NULL: none */
    HBG_VEC(instruction) code;
    HBG_VEC(instruction) body; /* of the loop under construction */
    int32_t loop;              /* under construction, or HBG_NONE */
    int32_map loop_registers;  /* by register: the last loop it depended on the unknowns of */
    HBG_VEC(hbg_term) stack;
    HBG_VEC(hbg_term) set_terms;
    HBG_VEC(int32_t) set_variables;
} hbg_code_stage;

typedef struct {
    int32_t terms, variables, temps;
    bool locate;
} stage_mark;

/* Everything needed for the targets and not done yet, in order. `done` has HBG_NONE, by variable of all layers, for what is not there
 * already; NULL: nothing is. */
void hbg_equations_sort(equations *all, const int32_t *targets, int32_t target_count, const int32_t *done,
                        sorted_equations *sorted);

/* Its registers come from `temps`, from the first on. */
hbg_code_stage *hbg_code_stage_new(hbg_arena *arena, hbg_eqn *eqn, int32_map *temps, bool locate);
void hbg_code_stage_end(hbg_code_stage *stage);
void hbg_code_stage_export(hbg_code_stage *stage, int32_t variable); /* leaves it in its home */
void hbg_code_stage_component(hbg_code_stage *stage, equations *all, const sorted_equations *sorted,
                              int32_t number);
int32_t hbg_code_stage_term(hbg_code_stage *stage, hbg_term root);       /* its register */
void hbg_code_stage_number_branch(hbg_code_stage *stage, hbg_term term); /* among those that are located */
void hbg_code_stage_set(hbg_code_stage *stage, int32_t variable, int32_t reg);
void hbg_code_stage_assign(hbg_code_stage *stage, int32_t variable, hbg_term term);
void hbg_code_stage_add(hbg_code_stage *stage, equations *all, const sorted_equations *sorted);
void hbg_code_stage_loop(hbg_code_stage *stage, equations *all, const int32_t *variables, int32_t count);
void hbg_code_stage_mark_loop(hbg_code_stage *stage, int32_t reg);
bool hbg_code_stage_in_loop(const hbg_code_stage *stage, int32_t reg);
stage_mark hbg_code_stage_mark(hbg_code_stage *stage); /* begins new code */
void hbg_code_stage_rollback(hbg_code_stage *stage, stage_mark mark);
int32_t hbg_code_stage_program(hbg_code_stage *stage); /* its number */

#endif
