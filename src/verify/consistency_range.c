/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ranges that the model gives its states. */
#include "verify/group_impl.h"

int32_t hbg_verify_group_state_of(group_proof *proof, hbg_expr expr) {
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, hbg_eqn_exact_expression(proof->eqn, expr));
    if (node.op != HBG_EXACT_VARIABLE) return HBG_NONE;
    hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, node.a);
    return of.role == HBG_EXACT_STATE && of.view == HBG_EXACT_VALUE ? of.index : HBG_NONE;
}

bool hbg_verify_group_range(group_proof *proof, formula state, double *low, double *high) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < model->ranges.count; i++) {
        const hbg_range *range = &model->ranges.items[i];
        int32_t found = hbg_verify_group_state_of(proof, range->value);
        if (found != HBG_NONE && proof->x[found] == state && hbg_model_constant(model, range->low, low) &&
            hbg_model_constant(model, range->high, high))
            return true;
    }
    return false;
}
