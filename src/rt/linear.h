/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sparse patterns, lent solvers, and small dense linear algebra. */
#ifndef HBG_RT_LINEAR_H
#define HBG_RT_LINEAR_H

#include "rt/rt.h"

/* A sparse linear solver lent to a run whose loops are large. A key stands for one loop and its pattern. */
typedef struct {
    void *context;
    bool (*factor)(void *context, int32_t key, hbg_rt_pattern pattern,
                   const double *values);                 /* false: singular */
    void (*solve)(void *context, int32_t key, double *b); /* in place */
} hbg_rt_solver;

/* LU with partial pivoting of the n×n matrix by rows, in place. False if it is singular to working precision,
 * and then `*column` (may be NULL) tells where. Rows are scaled by their largest entry when pivots are
 * chosen. */
bool hbg_rt_lu_factor(int32_t n, double *matrix, int32_t *pivot, int32_t *column);
void hbg_rt_lu_solve(int32_t n, const double *matrix, const int32_t *pivot, double *b);

#endif
