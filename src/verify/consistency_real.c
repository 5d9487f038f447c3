/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The published, weaker condition: for every distribution of energy some mode is real, that is, not left at once (000,
 * section 5; 002). It does not say that the search finds that mode; but its areas are what the papers draw. */
#include "verify/region_impl.h"

#define TOLD_STATES 16 /* discrete states of a group whose areas are put into words */
#define TOLD_WORDS  6  /* alternatives of an area */

/* Numbers of the past as they are where a run begins. */
static formula at_start(group_proof *proof, formula a) {
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
            const exact_value *was = held ? &proof->held[1][i] : &proof->input[1][i];
            if (!was->fin) continue;
            from[count] = was->fin;
            to[count++] = hbg_group_outside(proof, held, false, i).fin;
        }
    return hbg_formula_replace(&proof->f, a, count, from, to);
}

/* While time flows: between the ticks of clocks, before anything has waited long enough. */
static formula between_ticks(group_proof *proof, formula a) {
    int32_t most = proof->model->transitions.count + proof->model->automata.count, count = 0;
    formula *from = HBG_NEW_ARRAY(proof->arena, formula, most + 1),
            *to = HBG_NEW_ARRAY(proof->arena, formula, most + 1);
    for (int32_t i = 0; i < proof->model->transitions.count; i++)
        if (proof->waited[i]) from[count++] = proof->waited[i];
    for (int32_t i = 0; i < proof->model->automata.count; i++)
        if (proof->tick[i]) from[count++] = proof->tick[i];
    for (int32_t i = 0; i < count; i++) to[i] = proof->f.no;
    return hbg_formula_replace(&proof->f, a, count, from, to);
}

formula hbg_group_departed(group_proof *proof, const int32_t *states) {
    formulas *f = &proof->f;
    formula left = f->no;
    path_search search = {.start = states};
    proof->keeps_choices = true; // it is looked at together with what holds in other states
    hbg_formulas_push(f);
    if (!hbg_paths_open(proof, states, &search.past)) {
        hbg_formulas_pop(f);
        proof->keeps_choices = false;
        return f->yes; // a mode without causality is no place to stay
    }
    int32_t known = f->asserted.count;
    search.past.first_pass = false;
    hbg_paths_ins(proof, states, &search.past, NULL);
    const exact_values *values = hbg_group_values(proof, hbg_group_state(proof, states), &search.past);
    exact_scope scope;
    hbg_scope_init(&scope, proof, values, &search.past, false);
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        const hbg_automaton *of = &proof->model->automata.items[automaton];
        int32_t count = proof->model->states.items[of->first_state + states[automaton]].transition_count;
        formula *taken = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
        hbg_paths_guards(proof, &scope, &search, automaton, states, taken);
        for (int32_t k = 0; k < count; k++) left = hbg_formula_or(f, left, taken[k]);
    }
    for (int32_t i = known; i < f->asserted.count; i++) // what the values fulfil
        left = hbg_formula_and(f, f->asserted.items[i], left);
    hbg_formulas_pop(f);
    proof->keeps_choices = false;
    return at_start(proof, left);
}

/* What is assumed about the group, as it is where a run begins in these states. */
static formula assumed(group_proof *proof, const int32_t *states) {
    formulas *f = &proof->f;
    exact_past past;
    formula all = f->yes;
    proof->keeps_choices = true;
    hbg_formulas_push(f);
    int32_t base = f->asserted.count;
    if (hbg_paths_open(proof, states, &past))
        for (int32_t i = base; i < f->asserted.count; i++)
            all = hbg_formula_and(f, all, f->asserted.items[i]);
    hbg_formulas_pop(f);
    proof->keeps_choices = false;
    return at_start(proof, all);
}

void hbg_group_phases(group_proof *proof, int32_t *const *states, int32_t count, hbg_group_result *result) {
    result->phases = HBG_NEW_ARRAY(proof->arena, hbg_phase, count + 1);
    result->phase_count = count;
    proof->departed = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
    proof->allowed = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
    for (int32_t i = 0; i < count; i++) {
        proof->departed[i] = hbg_unknowns_eliminate(proof, hbg_group_departed(proof, states[i]));
        proof->allowed[i] = hbg_unknowns_eliminate(proof, assumed(proof, states[i]));
        result->phases[i] = (hbg_phase){.states = states[i],
                                        .departed = hbg_condition_make(proof, proof->departed[i]),
                                        .allowed = hbg_condition_make(proof, proof->allowed[i])};
    }
}

/* Its guards in terms of energy. */
static void tell_areas(group_proof *proof, formula allowed, hbg_group_result *result) {
    for (int32_t i = 0; i < result->phase_count && result->phase_count <= TOLD_STATES; i++) {
        path_region area = {allowed, proof->departed[i], result->phases[i].states, allowed};
        region_words words = hbg_region_words(proof, &area, 1, TOLD_WORDS);
        result->phases[i].words = words.items;
        result->phases[i].word_count = words.count;
        result->phases[i].words_complete = words.complete;
    }
}

/* Whether something fulfils this for certain: values that only bounds speak for are none. The region becomes where it is certain. */
static verify_answer find_certain(group_proof *proof, path_region *region) {
    formulas *f = &proof->f;
    formula pieces;
    verify_answer answer = hbg_formulas_check(f, hbg_formula_and(f, region->known, region->condition));
    if (answer != ANSWER_FOUND || !hbg_paths_unclear(f, *region, &pieces)) return answer;
    if (!pieces) return ANSWER_UNKNOWN;
    region->condition = hbg_formula_and(f, region->condition, pieces);
    answer = hbg_formulas_check(f, hbg_formula_and(f, region->known, region->condition));
    return answer == ANSWER_FOUND ? ANSWER_FOUND : ANSWER_UNKNOWN;
}

void hbg_group_real_modes(group_proof *proof, hbg_group_result *result) {
    formulas *f = &proof->f;
    formula never = f->yes, allowed = f->no;
    int32_t count = result->phase_count;
    formula *left = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
    if (proof->bare) return;
    for (int32_t i = 0; i < count; i++) {
        left[i] = between_ticks(proof, proof->departed[i]);
        never = hbg_formula_and(f, never, left[i]);
        allowed = hbg_formula_or(f, allowed, proof->allowed[i]);
    }
    tell_areas(proof, allowed, result);
    path_region region = {allowed, never, result->phases[0].states, allowed};
    verify_answer answer = find_certain(proof, &region);
    result->real_mode = answer == ANSWER_NONE    ? HBG_VERDICT_PROVED
                        : answer == ANSWER_FOUND ? HBG_VERDICT_WITNESS
                                                 : HBG_VERDICT_UNDECIDED;
    if (proof->riddle || (answer == ANSWER_NONE && proof->undefined.count > 0))
        result->real_mode = HBG_VERDICT_UNDECIDED;
    if (result->real_mode == HBG_VERDICT_WITNESS) {
        region_words words = hbg_region_words(proof, &region, 1, TOLD_WORDS);
        result->never_real = words.items;
        result->never_real_count = words.count;
        result->never_real_complete = words.complete && region.condition == never;
    }
    for (int32_t i = 0; i < count && !result->overlap; i++)
        for (int32_t k = 0; k < i && !result->overlap; k++) {
            formula both = hbg_formula_and(f, hbg_formula_not(f, left[i]), hbg_formula_not(f, left[k]));
            result->overlap = hbg_formulas_check(f, hbg_formula_and(f, allowed, both)) == ANSWER_FOUND;
        }
}
