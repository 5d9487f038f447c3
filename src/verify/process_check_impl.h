/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms of a process computed with plain numbers, and by how much a predicate is violated. Part of
 * src/verify. */
#ifndef HBG_VERIFY_PROCESS_CHECK_IMPL_H
#define HBG_VERIFY_PROCESS_CHECK_IMPL_H

#include "verify/verify.h"

/* A value, and the largest contribution to it: errors are a share of that. */
typedef struct {
    double value, size;
} process_value;

/* By how much of its size a predicate is violated; 0: it holds, NaN: unknown. And the part that fails. */
typedef struct {
    double by;
    hbg_term term;
} process_miss;

typedef struct {
    hbg_arena *arena;
    const hbg_process *of;
    const double *old, *now; /* by variable */
    double *sizes;           /* by variable: the largest value in the run */
    process_value *values;   /* by term */
    int32_t *stamps, stamp;  /* those of this occasion */
    bool snaps;              /* a remainder that is almost whole has restarted: at an instant */
} process_scope;

/* process_value.c */
void hbg_verify_check_init(process_scope *scope, hbg_arena *arena, const hbg_process *of);
/* Other values: those before, and those now or after. */
void hbg_verify_check_begin(process_scope *scope, const double *old, const double *now);
process_value hbg_verify_check_value(process_scope *scope, hbg_term term);
process_miss hbg_verify_check_term(process_scope *scope, hbg_term term);
process_miss hbg_verify_check_any(process_scope *scope, const hbg_process_any *any);
process_miss hbg_verify_check_worse(process_miss a, process_miss b);

/* process_flow.c: values after so much time in a clause, from those given; false: not found with this
 * relative accuracy. */
bool hbg_verify_check_flow(process_scope *scope, const hbg_process_clause *clause, double time, double share,
                           double *values);

#endif
