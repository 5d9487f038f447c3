/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a discrete state is left at once: as the state a run begins in, or as a state that is entered,
 * with its jump, at an instant that begins in another one. The two differ where a law or a guard reads the
 * past, or a junction throws back: then a mode in which a run could begin may be one that is always left at
 * once. */
#include "verify/region_impl.h"

#define OPEN_JUNCTIONS 3 /* that may have been off in between: all combinations are judged */

/* Numbers of the past as they are where a run begins. */
formula hbg_verify_group_at_start(group_proof *proof, formula a) {
    int32_t most = proof->of.pre_count + 2 * proof->model->signals.count;
    formula *from = HBG_NEW_ARRAY(proof->arena, formula, most + 1),
            *to = HBG_NEW_ARRAY(proof->arena, formula, most + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < proof->of.pre_count; i++) {
        from[count] = proof->law_pre[proof->of.pres[i]];
        to[count++] = proof->f.zero;
    }
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        for (int held = 0; held < 2; held++) {
            const exact_value *was = held ? &proof->signals.held[1][i] : &proof->signals.input[1][i];
            if (!was->fin) continue;
            from[count] = was->fin;
            to[count++] = hbg_verify_group_outside(proof, held, false, i).fin;
        }
    return hbg_verify_formula_replace(&proof->f, a, count, from, to);
}

/* Also what holds of a junction in a state. */
static const bool *off_by_now(group_proof *proof, const bool *off, const int32_t *states) {
    bool *now = HBG_NEW_ARRAY(proof->arena, bool, proof->of.restitution_count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++)
        now[i] = off[i] || !hbg_verify_paths_is_on(proof, proof->of.restitution[i], states);
    return now;
}

/* Guards of a state, judged on its values or on those before. */
static formula enabled_guards(group_proof *proof, const path_search *search, const int32_t *states,
                              const exact_values *values, const bool *thrown) {
    formula any = proof->f.no;
    exact_scope considered, before;
    hbg_verify_scope_init(&considered, proof, values, &search->past, false);
    hbg_verify_scope_init(&before, proof, values, &search->past, true);
    before.struck = true;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        const hbg_automaton *of = &proof->model->automata.items[automaton];
        int32_t count = proof->model->states.items[of->first_state + states[automaton]].transition_count;
        formula *taken = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
        exact_scope *scope = thrown && thrown[automaton] ? &before : &considered;
        hbg_verify_paths_guards(proof, scope, search, automaton, states, taken);
        for (int32_t k = 0; k < count; k++) any = hbg_verify_formula_or(&proof->f, any, taken[k]);
    }
    return any;
}

static real_judgement judge(group_proof *proof, const int32_t *from, const int32_t *states, const bool *off) {
    formulas *f = &proof->f;
    path_search search = {.start = from};
    real_judgement made = {f->yes, f->no}; // a mode without causality cannot be kept
    const exact_state *state = hbg_verify_group_state(proof, states);
    if (!state->mode.valid) return made;
    proof->evaluation.keeps_choices = true; // it is examined together with what holds in other states
    hbg_verify_formulas_push(f);
    if (hbg_verify_paths_open(proof, from, &search.past)) {
        int32_t known = f->levels.asserted.count;
        const bool *thrown = NULL;
        search.past.first_pass = false;
        if (off) thrown = hbg_verify_paths_throw(proof, off, states, &search.past);
        hbg_verify_paths_ins(proof, states, &search.past, off ? off_by_now(proof, off, states) : NULL);
        const exact_values *values = hbg_verify_group_values(proof, state, &search.past);
        formula left = enabled_guards(proof, &search, states, values, thrown), needs = f->yes;
        if (values->far)
            left = hbg_verify_formula_or(f, left, values->far->shorted); // no run stays in such a mode
        for (int32_t i = known; i < f->levels.asserted.count; i++)       // what the values fulfil
            needs = hbg_verify_formula_and(f, needs, f->levels.asserted.items[i]);
        made.departed = hbg_verify_group_at_start(proof, hbg_verify_formula_and(f, needs, left));
        made.stays = hbg_verify_group_at_start(
            proof, hbg_verify_formula_and(f, needs, hbg_verify_formula_not(f, left)));
    }
    hbg_verify_formulas_pop(f);
    proof->evaluation.keeps_choices = false;
    return made;
}

bool hbg_verify_group_remembers(const group_proof *proof) {
    return proof->of.pre_count > 0 || proof->of.restitution_count > 0;
}

real_judgement hbg_verify_group_begun(group_proof *proof, const int32_t *states) {
    return judge(proof, states, states, NULL);
}

/* Junctions with restitution that are on in both states may have been off in between: then they bounce. */
static int32_t find_open(group_proof *proof, const int32_t *from, const int32_t *states, int32_t *open) {
    int32_t count = 0;
    for (int32_t i = 0; i < proof->of.restitution_count; i++) {
        int32_t junction = proof->of.restitution[i];
        if (!hbg_verify_paths_is_on(proof, junction, from) ||
            !hbg_verify_paths_is_on(proof, junction, states))
            continue;
        if (count == OPEN_JUNCTIONS) return HBG_NONE;
        open[count++] = i;
    }
    return count;
}

bool hbg_verify_group_entered(group_proof *proof, const int32_t *from, const int32_t *states,
                              real_judgement *made) {
    formulas *f = &proof->f;
    int32_t open[OPEN_JUNCTIONS], count = find_open(proof, from, states, open);
    bool *off = HBG_NEW_ARRAY(proof->arena, bool, proof->of.restitution_count + 1);
    if (count == HBG_NONE) return false;
    *made = (real_judgement){f->yes, f->no};
    for (int32_t choice = 0; choice < 1 << count; choice++) {
        for (int32_t i = 0; i < proof->of.restitution_count; i++)
            off[i] = !hbg_verify_paths_is_on(proof, proof->of.restitution[i], from);
        for (int32_t i = 0; i < count; i++) off[open[i]] = choice >> i & 1;
        real_judgement one = judge(proof, from, states, off);
        made->departed = hbg_verify_formula_and(f, made->departed, one.departed);
        made->stays = hbg_verify_formula_or(f, made->stays, one.stays);
    }
    return true;
}
