/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ways through an instant as alternatives of a process. Part of src/verify. */
#ifndef HBG_VERIFY_PROCESS_IMPL_H
#define HBG_VERIFY_PROCESS_IMPL_H

#include "verify/paths_impl.h"
#include "verify/region_impl.h"

typedef HBG_VEC(formula) process_formulas;

typedef struct {
    group_proof *proof;
    hbg_process *made;
    path_map ways;
    process_formulas symbols; /* by variable */
    process_formulas before;  /* by variable: its symbol before the instant, if that is another; or NULL */
    process_formulas from, to[2]; /* substituted for symbols: at a jump, and while time advances */
    hbg_pair_map made_of[2];      /* (Z3's number, 0) -> term: at a jump, and while time advances */
    formula *drawn_now;           /* by parameter: its value after the instant, if it is chosen anew */
} process_map;

/* process_variable.c: the variables of the process, and replacements for ticks, waits and inputs. */
void hbg_verify_process_variables(process_map *map);
/* The formula with that substituted. */
formula hbg_verify_process_at(process_map *map, bool flows, formula a);

/* process_term.c: a formula as a term: at a jump over values before and after, or while time advances. */
hbg_term hbg_verify_process_term(process_map *map, bool flows, formula a);
/* An inequality, a truth or its negation, as one would write it; while time advances a strict relation is
 * closed. */
hbg_term hbg_verify_process_literal(process_map *map, bool flows, formula literal);

#endif
