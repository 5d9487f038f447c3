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
    formula *matrix;    /* count rows of count + 1: coefficients, and their right sides */
    int32_t *row_of;    /* by unknown: the row that was solved for it, or HBG_NONE */
    bool *used;         /* by row */
    /* of one that is not linear and has one solution: each unknown by those solved for later, except `last`,
     * at which `law` is 0 */
    formula *solved;
    int32_t *order, solved_count; /* unknowns in the order they were solved for */
    int32_t last;
    formula law;
    int rises; /* 1: the law rises with it, -1: it falls */
} exact_loop;

/* consistency_loop.c: the unknowns as formulas; false if the loop does not determine them. Where a
 * determinant is 0 they have no values: it is required to be nonzero. */
bool hbg_verify_loop_solve(exact_loop *loop, exact_value *values);
/* Whether a loop that is not linear is known to have exactly one solution everywhere: a law that is
 * continuous and strictly monotone. */
bool hbg_verify_loop_is_unique(exact_loop *loop);

/* consistency_unknown.c: remembers the unknowns of a loop that is not linear, and their names in the state.
 * `unique`: also what was found about its solution. */
void hbg_verify_unknowns_note(exact_loop *loop, const exact_state *of, const hbg_exact_equation *equations,
                              bool unique);

/* consistency_modes.c: how the formula depends on the unknowns: 0 not at all, 1 linearly, 2 otherwise. `known` remembers. */
int hbg_verify_loop_degree(formulas *f, formula a, const formula *unknowns, int32_t count,
                           hbg_pair_map *known);

#endif
