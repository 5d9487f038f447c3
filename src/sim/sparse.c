/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sparse systems with the matrix identity·I − scale·J, by KLU. The pattern is analysed once; numbers are
 * refactored in the pivot order found first, and from scratch if that order has become bad. */
#include <math.h>

#include <klu.h>

#include "sim/sim_impl.h"

struct hbg_sim_sparse {
    hbg_rt_field *field;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *values;
};

hbg_sim_sparse *hbg_sim_sparse_new(hbg_arena *arena, hbg_rt_field *field) {
    hbg_sim_sparse *sparse = HBG_NEW(arena, hbg_sim_sparse);
    sparse->field = field;
    sparse->values = HBG_NEW_ARRAY(arena, double, field->jacobian.nonzeros);
    klu_defaults(&sparse->common);
    sparse->symbolic = klu_analyze(field->n, field->jacobian.start, field->jacobian.row, &sparse->common);
    return sparse->symbolic != NULL ? sparse : NULL;
}

void hbg_sim_sparse_end(hbg_sim_sparse *sparse) {
    klu_free_numeric(&sparse->numeric, &sparse->common);
    klu_free_symbolic(&sparse->symbolic, &sparse->common);
}

/* Whether the factors in the old pivot order are as good as fresh ones. */
static bool refactor(hbg_sim_sparse *sparse) {
    const hbg_rt_jacobian_matrix *jacobian = &sparse->field->jacobian;
    if (sparse->numeric == NULL) return false;
    if (!klu_refactor(jacobian->start, jacobian->row, sparse->values, sparse->symbolic, sparse->numeric,
                      &sparse->common))
        return false;
    if (!klu_rcond(sparse->symbolic, sparse->numeric, &sparse->common)) return false;
    return sparse->common.status == KLU_OK && sparse->common.rcond > HBG_RT_CONDITION;
}

hbg_rt_status hbg_sim_sparse_factor(hbg_sim_sparse *sparse, double t, const double *x, double identity,
                                    double scale) {
    hbg_rt_jacobian_matrix *jacobian = &sparse->field->jacobian;
    hbg_rt_status status = hbg_rt_jacobian_at(sparse->field, t, x, sparse->values);
    if (status != HBG_RT_OK) return status;
    for (int32_t k = 0; k < jacobian->nonzeros; k++) {
        sparse->values[k] *= -scale;
        if (!isfinite(sparse->values[k])) return HBG_RT_NOT_FINITE;
    }
    for (int32_t j = 0; j < jacobian->n; j++) sparse->values[jacobian->diagonal[j]] += identity;
    if (refactor(sparse)) return HBG_RT_OK;
    klu_free_numeric(&sparse->numeric, &sparse->common);
    sparse->numeric =
        klu_factor(jacobian->start, jacobian->row, sparse->values, sparse->symbolic, &sparse->common);
    if (sparse->numeric != NULL && sparse->common.status == KLU_OK) return HBG_RT_OK;
    klu_free_numeric(&sparse->numeric, &sparse->common);
    return sparse->common.status == KLU_OUT_OF_MEMORY ? HBG_RT_NO_MEMORY : HBG_RT_SINGULAR;
}

void hbg_sim_sparse_solve(hbg_sim_sparse *sparse, double *b) {
    klu_solve(sparse->symbolic, sparse->numeric, sparse->field->n, 1, b, &sparse->common);
}
