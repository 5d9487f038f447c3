/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas a moment earlier or later, while time advances. Part of src/verify. */
#ifndef HBG_VERIFY_SHIFT_IMPL_H
#define HBG_VERIFY_SHIFT_IMPL_H

#include "verify/group_impl.h"

typedef struct {
    group_proof *proof;
    bool later;                           /* a moment later, else earlier */
    const formula *rates;                 /* by state of the system; NULL: any */
    hbg_pair_map values, rate_of, truths; /* by Z3's number: in `made` */
    HBG_VEC(formula) made;
    HBG_VEC(formula) anything; /* rates that are unknown */
    HBG_VEC(bool) under_way;   /* by formula made: its present entry is not final, but anything */
    formula certain;           /* where nothing unknown decides */
} time_shift;

void hbg_verify_shift_init(time_shift *shift, group_proof *proof, bool later, const formula *rates);
/* Whether a condition on energies holds a moment later or earlier. If only a third derivative could tell,
 * either is possible; `certain` says where that does not matter. */
formula hbg_verify_shift_truth(time_shift *shift, formula a);

#endif
