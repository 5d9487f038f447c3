/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A loop of linear equations with formulas as coefficients. Part of src/verify. */
#ifndef HBG_VERIFY_LOOP_IMPL_H
#define HBG_VERIFY_LOOP_IMPL_H

#include "verify/group_impl.h"

typedef struct {
    group_proof *proof;
    int32_t count;
    formula *unknowns;
    formula *residuals; /* each is 0, and linear in the unknowns */
    formula *matrix;    /* count rows of count + 1: coefficients, and what they have to sum to */
    int32_t *row_of;    /* by unknown: the row that was solved for it, or HBG_NONE */
    bool *used;         /* by row */
} exact_loop;

/* consistency_loop.c: the unknowns as formulas; false if the loop does not determine them. Where a determinant is 0 they have no
 * values, and that is required not to be. */
bool hbg_loop_solve(exact_loop *loop, exact_value *values);

#endif
