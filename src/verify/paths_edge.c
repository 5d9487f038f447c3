/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instants that begin on the edge of a strict relation. A run finds the crossing, and takes the relation as
 * crossed there though both sides are equal (semantics, section 5); proofs compare exactly, and look at what
 * is beyond. A hybrid automaton that contains all runs needs both. */
#include "verify/paths_impl.h"

void hbg_verify_paths_closed_guards(group_proof *proof, exact_scope *closed, const path_search *search,
                                    int32_t automaton, const int32_t *states, formula *taken) {
    proof->evaluation.closes = true;
    hbg_verify_paths_guards(proof, closed, search, automaton, states, taken);
    proof->evaluation.closes = false;
}

formula hbg_verify_paths_edge(group_proof *proof, exact_scope *scope, exact_scope *closed,
                              const path_search *search, const int32_t *states) {
    formulas *f = &proof->f;
    formula any = f->no;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        const hbg_automaton *of = &proof->model->automata.items[automaton];
        const hbg_automaton_state *state = &proof->model->states.items[of->first_state + states[automaton]];
        formula *exact = HBG_NEW_ARRAY(proof->arena, formula, state->transition_count + 1);
        formula *taken = HBG_NEW_ARRAY(proof->arena, formula, state->transition_count + 1);
        hbg_verify_paths_guards(proof, scope, search, automaton, states, exact);
        hbg_verify_paths_closed_guards(proof, closed, search, automaton, states, taken);
        for (int32_t k = 0; k < state->transition_count; k++)
            if (taken[k] != exact[k])
                any = hbg_verify_formula_or(
                    f, any, hbg_verify_formula_and(f, taken[k], hbg_verify_formula_not(f, exact[k])));
    }
    return any;
}
