/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Stages, which make code from sorted equations. */
#ifndef HBG_CODE_STAGE_IMPL_H
#define HBG_CODE_STAGE_IMPL_H

#include "code/code.h"
#include "eqn/system.h"

/* Register code has the operators of terms and three more. */
#define CODE_SOLVE   HBG_RT_OP_SOLVE
#define CODE_DEFAULT HBG_RT_OP_DEFAULT
#define CODE_COPY    HBG_RT_OP_COPY
typedef hbg_rt_instruction instruction;

/* register.c: code that runs while time advances; parameters, values computed from them, and the start */
typedef enum { SIDE_FLOW, SIDE_PARAM, SIDE_COUNT } register_side;

/* A stage makes code that runs as a whole, or after an earlier part of the same stage. */
typedef struct hbg_code_stage {
    hbg_code *code;
    hbg_arena *arena;
    hbg_arena *own;        /* of its maps, which may be reused */
    int32_t *var_register; /* by variable of all layers: its register, or HBG_NONE */
    int32_map var_term;    /* by variable: the term it was computed from, or HBG_NONE */
    int32_map term_register;
    register_side side; /* side of its registers */
    int32_map *pool;    /* its registers */
    int32_t temps;      /* registers used so far */
    bool locate;        /* relations met are located */
    bool direct;        /* no relation is located, even if it is located elsewhere */
    int32_t reading;    /* the reading it is made for, if it locates */
    int32_map *located; /* by reading: relations that its block locates; NULL: none */
    HBG_VEC(instruction) instructions;
    HBG_VEC(instruction) body; /* of the loop under construction */
    int32_t loop;              /* under construction, or HBG_NONE */
    int32_map loop_registers;  /* by register: the last loop on whose unknowns it depended */
    HBG_VEC(hbg_term) stack;
    HBG_VEC(hbg_term) set_terms;
    HBG_VEC(int32_t) set_variables;
} hbg_code_stage;

typedef struct {
    int32_t terms, variables, temps;
    bool locate;
} stage_mark;

/* Its registers are taken from `temps`, from the first on. */
hbg_code_stage *hbg_code_stage_new(hbg_arena *arena, hbg_code *code, int32_map *temps, bool locate);
void hbg_code_stage_end(hbg_code_stage *stage);
void hbg_code_stage_export(hbg_code_stage *stage, int32_t variable); /* leaves it in its home */
void hbg_code_stage_component(hbg_code_stage *stage, equations *all, const sorted_equations *sorted,
                              int32_t number);
int32_t hbg_code_stage_term(hbg_code_stage *stage, hbg_term root);       /* its register */
void hbg_code_stage_number_branch(hbg_code_stage *stage, hbg_term term); /* numbers a located branch */
void hbg_code_stage_set(hbg_code_stage *stage, int32_t variable, int32_t reg);
void hbg_code_stage_assign(hbg_code_stage *stage, int32_t variable, hbg_term term);
void hbg_code_stage_add(hbg_code_stage *stage, equations *all, const sorted_equations *sorted);
void hbg_code_stage_loop(hbg_code_stage *stage, equations *all, const int32_t *variables, int32_t count);
void hbg_code_stage_mark_loop(hbg_code_stage *stage, int32_t reg);
bool hbg_code_stage_in_loop(const hbg_code_stage *stage, int32_t reg);
stage_mark hbg_code_stage_mark(hbg_code_stage *stage); /* begins new code */
void hbg_code_stage_rollback(hbg_code_stage *stage, stage_mark mark);
int32_t hbg_code_stage_program(hbg_code_stage *stage); /* its number */

bool hbg_code_has_branch(int op);

#endif
