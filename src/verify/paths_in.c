/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values in other states: in(…) is the value that the same energies would give, jump and rebound included
 * (semantics, section 5). A missing value is no fault until a guard reads it: the condition for its existence
 * is kept with it. */
#include "verify/paths_impl.h"

int32_t hbg_verify_paths_in_room(const group_proof *proof) {
    int32_t room = 1;
    for (int32_t i = 0; i < proof->of.in_count; i++)
        room = proof->of.ins[i] >= room ? proof->of.ins[i] + 1 : room;
    return room;
}

/* What a junction loses where it does not bounce: half of the pulse times what it balances. */
static formula plastic_loss(group_proof *proof, const hbg_exact_bounce *of, formula sum,
                            const exact_state *state, const exact_past *past) {
    exact_past without = *past;
    exact_scope scope;
    without.bounce = HBG_NEW_ARRAY(proof->arena, formula, proof->of.restitution_count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++) without.bounce[i] = proof->f.zero;
    const exact_values *values = hbg_verify_group_values(proof, state, &without);
    if (!values) return proof->f.zero;
    hbg_verify_scope_init(&scope, proof, values, &without, false);
    formula pulse = hbg_verify_value_number(proof, hbg_verify_scope_evaluate(&scope, of->pulse));
    return hbg_verify_formula_multiply(&proof->f, hbg_verify_formula_double(&proof->f, 0.5),
                                       hbg_verify_formula_multiply(&proof->f, pulse, sum));
}

formula hbg_verify_paths_bounce(group_proof *proof, int32_t junction, const exact_state *state,
                                const exact_past *past) {
    hbg_exact_bounce of = hbg_eqn_exact_bounce(proof->eqn, junction);
    const exact_values none = {.of = state};
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, &none, past, true);
    formula sum = hbg_verify_value_number(proof, hbg_verify_scope_evaluate(&scope, of.sum));
    formula coefficient = hbg_verify_choices_coefficient(proof, junction, past->commit);
    if (!coefficient)
        coefficient = hbg_verify_value_number(proof, hbg_verify_scope_evaluate(&scope, of.coefficient));
    if (hbg_model_loses_energy(proof->model, junction))
        coefficient =
            hbg_verify_choices_after_loss(proof, coefficient, plastic_loss(proof, &of, sum, state, past));
    return hbg_verify_formula_multiply(&proof->f, coefficient, sum);
}

bool hbg_verify_paths_is_on(const group_proof *proof, int32_t junction, const int32_t *states) {
    return hbg_causal_place_mode(proof->structure, proof->structure->element_place[junction], states);
}

/* Junctions with restitution that are on and were off earlier in this search bounce. */
const bool *hbg_verify_paths_throw(group_proof *proof, const bool *off, const int32_t *states,
                                   exact_past *past) {
    bool *thrown = HBG_NEW_ARRAY(proof->arena, bool, proof->model->automata.count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++) {
        int32_t junction = proof->of.restitution[i];
        past->bounce[i] = proof->f.zero;
        if (!hbg_verify_paths_is_on(proof, junction, states) || !off[i]) continue;
        past->bounce[i] =
            hbg_verify_paths_bounce(proof, junction, hbg_verify_group_state(proof, states), past);
        for (int32_t k = 0; k < proof->of.automaton_count; k++)
            thrown[proof->of.automata[k]] |=
                hbg_eqn_exact_throws(proof->eqn, junction, proof->of.automata[k]);
    }
    return thrown;
}

/* Junctions that are off in a state do not read theirs. */
static void set_bounces(group_proof *proof, const int32_t *states, exact_past *there, const bool *off) {
    const exact_state *state = hbg_verify_group_state(proof, states);
    there->bounce = HBG_NEW_ARRAY(proof->arena, formula, proof->of.restitution_count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++)
        there->bounce[i] =
            off[i] ? hbg_verify_paths_bounce(proof, proof->of.restitution[i], state, there) : proof->f.zero;
}

/* Junctions that are off in a state. */
static const bool *find_off(const group_proof *proof, const int32_t *states) {
    bool *off = HBG_NEW_ARRAY(proof->arena, bool, proof->of.restitution_count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++)
        off[i] = !hbg_verify_paths_is_on(proof, proof->of.restitution[i], states);
    return off;
}

/* A state is a collision for the automata judged together with it if these junctions were off. */
static bool is_struck(const group_proof *proof, const int32_t *states, const bool *off, int32_t automaton) {
    for (int32_t i = 0; i < proof->of.restitution_count; i++)
        if (off[i] && hbg_eqn_exact_throws(proof->eqn, proof->of.restitution[i], automaton) &&
            hbg_verify_paths_is_on(proof, proof->of.restitution[i], states))
            return true;
    return false;
}

/* The value in a state, and where it has none. In a collision it is the value before, with the pulses
 * there. */
static exact_value value_in(group_proof *proof, const int32_t *states, const exact_past *there,
                            hbg_exact_term term, bool struck) {
    const exact_values *values = hbg_verify_group_values(proof, hbg_verify_group_state(proof, states), there);
    if (!values) {
        proof->evaluation.collected = proof->f.no;
        proof->evaluation.collected_text = "in(…) of a state without a valid causal assignment";
        return (exact_value){.fin = proof->f.zero};
    }
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, there, struck);
    scope.struck = struck;
    return hbg_verify_scope_evaluate(&scope, term);
}

void hbg_verify_paths_ins(group_proof *proof, const int32_t *states, exact_past *past, const bool *off) {
    if (proof->of.in_count == 0) return;
    size_t count = (size_t)proof->model->automata.count;
    int32_t *changed = HBG_NEW_ARRAY(proof->arena, int32_t, count + 1);
    exact_past there = *past; // of what is read in another state nothing is known yet
    past->in = HBG_NEW_ARRAY(proof->arena, exact_value, hbg_verify_paths_in_room(proof));
    past->in_defined = HBG_NEW_ARRAY(proof->arena, formula, hbg_verify_paths_in_room(proof));
    past->in_undefined = HBG_NEW_ARRAY(proof->arena, const char *, hbg_verify_paths_in_room(proof));
    if (!off) off = find_off(proof, states);
    set_bounces(proof, states, &there, off);
    for (int32_t i = 0; i < proof->of.in_count; i++) {
        int32_t number = proof->of.ins[i];
        hbg_exact_in in = hbg_eqn_exact_in(proof->eqn, number);
        memcpy(changed, states, count * sizeof *changed);
        changed[in.automaton] = in.state;
        proof->evaluation.collects = true;
        proof->evaluation.collected = proof->f.yes;
        proof->evaluation.collected_text = NULL;
        past->in[number] =
            value_in(proof, changed, &there, in.term, is_struck(proof, changed, off, in.automaton));
        proof->evaluation.collects = false;
        past->in_defined[number] =
            proof->evaluation.collected == proof->f.yes ? NULL : proof->evaluation.collected;
        past->in_undefined[number] = proof->evaluation.collected_text;
    }
}
