/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Coefficients of linear combinations: terms of ±1 and moduli. Whether a coefficient is 0 is decided by its
 * value modulo a prime, in which a random number replaces each modulus that is not a formula of numbers:
 * wrong with a probability of 1e-18 for each coefficient. */
#include "eqn/eqn_impl.h"

enum { NESTED = 32 }; /* depth of operators to which a modulus is followed */

static uint64_t value_of_term(const hbg_eqn *eqn, hbg_term term, int depth) {
    const term_node *node = &eqn->terms.nodes.items[term];
    uint64_t a, b;
    switch (depth > NESTED ? HBG_OP_COUNT : node->op) {
    case HBG_OP_NUMBER: return hbg_base_modular_decimal(eqn->terms.numbers.items[node->a]);
    case HBG_OP_FINITE: return value_of_term(eqn, node->a, depth + 1);
    case HBG_OP_NEGATE: return hbg_base_modular_negate(value_of_term(eqn, node->a, depth + 1));
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_MULTIPLY:
    case HBG_OP_DIVIDE:
        a = value_of_term(eqn, node->a, depth + 1);
        b = value_of_term(eqn, node->b, depth + 1);
        if (node->op == HBG_OP_ADD) return hbg_base_modular_add(a, b);
        if (node->op == HBG_OP_SUBTRACT) return hbg_base_modular_add(a, hbg_base_modular_negate(b));
        return hbg_base_modular_multiply(a, node->op == HBG_OP_DIVIDE ? hbg_base_modular_invert(b) : b);
    default: return hbg_base_modular_draw((uint32_t)term);
    }
}

uint64_t hbg_eqn_value_by_lot(const hbg_eqn *eqn, hbg_term term) {
    return value_of_term(eqn, term, 0);
}

enum { SMALL = 64 };

/* Makes a coefficient; small whole numbers are written as such, whatever their term. */
static coefficient made(hbg_eqn *eqn, uint64_t value, hbg_term term) {
    if (value <= SMALL) return (coefficient){value, hbg_term_integer(&eqn->terms, (int32_t)value)};
    if (hbg_base_modular_negate(value) <= SMALL)
        return (coefficient){value, hbg_term_integer(&eqn->terms, -(int32_t)hbg_base_modular_negate(value))};
    return (coefficient){value, term};
}

coefficient hbg_eqn_coefficient_whole(hbg_eqn *eqn, int32_t value) {
    return made(eqn, value < 0 ? hbg_base_modular_negate((uint64_t)-value) : (uint64_t)value, HBG_NONE);
}

coefficient hbg_eqn_coefficient_add(hbg_eqn *eqn, coefficient a, coefficient b) {
    return made(eqn, hbg_base_modular_add(a.value, b.value), hbg_term_add(&eqn->terms, a.term, b.term));
}

coefficient hbg_eqn_coefficient_multiply(hbg_eqn *eqn, coefficient a, coefficient b) {
    return made(eqn, hbg_base_modular_multiply(a.value, b.value),
                hbg_term_multiply(&eqn->terms, a.term, b.term));
}

/* −a/b */
coefficient hbg_eqn_coefficient_solve(hbg_eqn *eqn, coefficient a, coefficient b) {
    hbg_term term = hbg_term_negate(&eqn->terms, hbg_term_divide(&eqn->terms, a.term, b.term));
    return made(eqn,
                hbg_base_modular_negate(hbg_base_modular_multiply(a.value, hbg_base_modular_invert(b.value))),
                term);
}

coefficient hbg_eqn_coefficient_of(hbg_eqn *eqn, hbg_term term) {
    return made(eqn, hbg_eqn_value_by_lot(eqn, term), term);
}
