/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A Scilab script under construction. */
#ifndef HBG_EMIT_BLOCKS_XCOS_IMPL_H
#define HBG_EMIT_BLOCKS_XCOS_IMPL_H

#include "emit/blocks_print_impl.h"

/* Arrays are by number of a block in order. */
typedef struct {
    const hbg_emit_blocks *d;
    hbg_buffer *out;
    const int32_t *number;  /* by block: its number in order */
    int32_t *port_of;       /* output of the machine in its place; 0: it is a separate block */
    int32_t *selector_port; /* of a switch: output of the machine that selects */
    int32_t port_count;
    int32_t *machine_in; /* numbers of blocks: guards, then recorded outputs */
    int32_t machine_inputs, guard_count;
    int32_t *guard_input;     /* by transition: which input of the machine, from 1; 0: it only waits */
    int32_t *constraint_port; /* of a constraint: output of the block that solves for it; 0: the first */
    int32_t *solver_of;       /* of a constraint: the first of those that are solved together */
} xcos_script;

void hbg_emit_scilab_string(hbg_buffer *out, const char *text);
void hbg_emit_scilab_comment(hbg_buffer *out, const char *text);
void hbg_emit_scilab_numbers(hbg_buffer *out, const double *items, int32_t count);
void hbg_emit_scilab_ints(hbg_buffer *out, const int32_t *items, int32_t count);
/* The format of an operator that is not a Scilab function of the same name; NULL: it is. */
const char *hbg_emit_scilab_function(int op);

/* The operation of the block EXPRESSION for an operator; 0: it has none. */
int hbg_emit_xcos_code(int op);

/* blocks_xcos_machine.c */
void hbg_emit_xcos_plan_machine(xcos_script *x);
void hbg_emit_xcos_machine(xcos_script *x);
/* blocks_xcos_solve.c */
void hbg_emit_xcos_plan_constraints(xcos_script *x);
void hbg_emit_xcos_functions(xcos_script *x);
void hbg_emit_xcos_constraint(xcos_script *x, int32_t place);
void hbg_emit_xcos_constraint_links(xcos_script *x,
                                    void (*link)(xcos_script *x, int32_t from, int32_t to, int32_t port));
/* blocks_xcos_library.c: the common part of every script */
void hbg_emit_xcos_library(const xcos_script *x);
void hbg_emit_xcos_run(const xcos_script *x);

#endif
