/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rates of terms that parameters alone decide, for runs that may move parameters along straight lines
 * (line.c). A parameter p has a rate p', which is a parameter as well: 0, or the slope of its line. A part T
 * of a term that depends on parameters alone has T' = Σ ∂T/∂p·p', and the derivative of a term that contains
 * T includes ∂/∂T·T'. For code T' is a value like any other that depends on parameters, whichever of them
 * move, if any: the code is the same for every parameter that may creep. */
#include "eqn/eqn_impl.h"

/* share·rate, but 0 if nothing moves, whatever the share: that of b in a^b is NaN where a is negative. */
static hbg_term where_it_moves(hbg_terms *terms, hbg_term share, hbg_term rate) {
    hbg_term zero = hbg_term_integer(terms, 0);
    hbg_term moves = hbg_term_make(terms, HBG_OP_NOT_EQUAL, rate, zero, HBG_NONE);
    return hbg_term_make(terms, HBG_OP_SELECT, moves, hbg_term_multiply(terms, share, rate), zero);
}

/* Whether a term is finite wherever its variables, and those of its parts that depend on parameters alone,
 * are finite. */
static bool is_finite(hbg_terms *terms, hbg_term term) {
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        bool plain = node->op == TERM_VARIABLE || node->op == HBG_OP_ADD || node->op == HBG_OP_SUBTRACT ||
                     node->op == HBG_OP_MULTIPLY || node->op == HBG_OP_NEGATE || node->op == HBG_OP_SELECT ||
                     node->op == HBG_OP_FINITE;
        bool divides = node->op == HBG_OP_DIVIDE && terms->nodes.items[node->b].level < LEVEL_RUN;
        if (node->level == LEVEL_RUN && !plain && !divides) return false;
    }
    return true;
}

/* T' of a part T. */
static hbg_term rate_of_part(hbg_eqn *eqn, hbg_term part) {
    hbg_terms *terms = &eqn->terms;
    gradient of = {0};
    hbg_term sum = hbg_term_integer(terms, 0);
    hbg_term_gradient_of_params(terms, &eqn->scratch, part, &of);
    for (int32_t i = 0; i < of.count; i++) {
        if (of.items[i].variable >= eqn->base_count) continue; // a rate, which is constant
        hbg_term rate = hbg_term_variable(terms, of.items[i].variable + terms->to_rate);
        bool number = terms->nodes.items[of.items[i].partial].level == LEVEL_NUMBER;
        hbg_term share = number ? hbg_term_multiply(terms, of.items[i].partial, rate)
                                : where_it_moves(terms, of.items[i].partial, rate);
        sum = hbg_term_add(terms, sum, share);
    }
    return hbg_term_make(terms, TERM_RATE, sum, part, HBG_NONE);
}

hbg_term hbg_eqn_rate_share(hbg_eqn *eqn, const gradient_entry *of) {
    hbg_terms *terms = &eqn->terms;
    hbg_term rate = rate_of_part(eqn, of->part);
    return is_finite(terms, of->partial) ? hbg_term_multiply(terms, of->partial, rate)
                                         : where_it_moves(terms, of->partial, rate);
}

void hbg_eqn_gradient_in_time(hbg_eqn *eqn, hbg_arena *scratch, hbg_term term, gradient *result) {
    if (eqn->may_move)
        hbg_term_gradient_of_parts(&eqn->terms, scratch, term, result);
    else
        hbg_term_gradient(&eqn->terms, scratch, term, result);
}

hbg_term hbg_eqn_rate_by_params(hbg_eqn *eqn, hbg_term term) {
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    gradient parts = {0};
    if (!eqn->may_move) return sum;
    hbg_term_gradient_of_parts(&eqn->terms, &eqn->scratch, term, &parts);
    for (int32_t i = 0; i < parts.count; i++)
        if (parts.items[i].variable == HBG_NONE)
            sum = hbg_term_add(&eqn->terms, sum, hbg_eqn_rate_share(eqn, &parts.items[i]));
    return sum;
}
