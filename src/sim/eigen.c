/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Eigenvalues of a dense matrix by LAPACK, which balances it first: states in different units do no harm.
 * Rows are passed as columns, since a matrix and its transpose have the same eigenvalues. */
#include <math.h>

#include <lapacke.h>

#include "sim/sim_impl.h"

bool hbg_sim_eigenvalues(hbg_arena *arena, int32_t n, double *matrix, double *real, double *imaginary) {
    if (n == 0) return true;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        if (!isfinite(matrix[i])) return false;
    double wanted = 0, none = 0;
    lapack_int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, matrix, n, real, imaginary, &none, 1,
                                         &none, 1, &wanted, -1);
    if (info != 0) return false;
    lapack_int size = (lapack_int)wanted;
    double *work = HBG_NEW_ARRAY(arena, double, size);
    info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, matrix, n, real, imaginary, &none, 1, &none, 1,
                              work, size);
    hbg_base_arena_release(arena, work, (size_t)size * sizeof *work);
    return info == 0;
}
