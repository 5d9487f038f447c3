/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The handle of the theorem prover, for the files that call it. */
#ifndef HBG_VERIFY_PROVER_IMPL_H
#define HBG_VERIFY_PROVER_IMPL_H

#include <z3.h>

#include "verify/verify_impl.h"
#include "verify/watch_impl.h"

#define WHY_SIZE 80

struct hbg_verify_prover {
    hbg_memory *memory;
    Z3_context context; /* of clauses: its objects are counted */
    Z3_ast *variables;  /* by variable; NULL: not named yet */
    int32_t capacity;
    char why[WHY_SIZE]; /* the last search was not decided */
    verify_watch watch;

    /* of formulas: its terms last until it ends, so that no jump can lose one */
    Z3_context work; /* NULL: none */
    Z3_solver solver;
    hbg_arena group; /* the memory of one group, from which nothing is kept */
};

/* formula.c: ends the context of formulas, if there is one. */
void hbg_verify_end_work(hbg_verify_prover *prover);

#endif
