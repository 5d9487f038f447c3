/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The published, weaker condition: for every distribution of energy some mode is real, that is, not left at
 * once (000, section 5; 002). It does not say that the search finds that mode; but its areas are what the
 * papers draw. A mode is judged as it is entered, with its jump, from the state the instant begins in; that
 * state itself is judged without a jump. */
#include "verify/region_impl.h"

#define TOLD_STATES    16 /* discrete states of a group whose areas are put into words */
#define TOLD_WORDS     6  /* alternatives of an area */
#define ENTERED_STATES 24 /* judged as entered from one another */
#define ENTERED_TOLD   4  /* of which that is reported */

/* While time advances: between the ticks of clocks, before any wait is over. */
static formula between_ticks(group_proof *proof, formula a) {
    int32_t most = proof->model->transitions.count + proof->timing.clocks.count, count = 0;
    formula *from = HBG_NEW_ARRAY(proof->arena, formula, most + 1),
            *to = HBG_NEW_ARRAY(proof->arena, formula, most + 1);
    for (int32_t i = 0; i < proof->model->transitions.count; i++)
        if (proof->timing.waited[i]) from[count++] = proof->timing.waited[i];
    for (int32_t i = 0; i < proof->timing.clocks.count; i++)
        from[count++] = proof->timing.clocks.items[i].ticks;
    for (int32_t i = 0; i < count; i++) to[i] = proof->f.no;
    return hbg_verify_formula_replace(&proof->f, a, count, from, to);
}

/* What is assumed about the group, as it is where a run begins in these states. */
static formula assumed(group_proof *proof, const int32_t *states) {
    formulas *f = &proof->f;
    exact_past past;
    formula all = f->yes;
    proof->evaluation.keeps_choices = true;
    hbg_verify_formulas_push(f);
    int32_t base = f->levels.asserted.count;
    if (hbg_verify_paths_open(proof, states, &past))
        for (int32_t i = base; i < f->levels.asserted.count; i++)
            all = hbg_verify_formula_and(f, all, f->levels.asserted.items[i]);
    hbg_verify_formulas_pop(f);
    proof->evaluation.keeps_choices = false;
    return hbg_verify_group_at_start(proof, all);
}

void hbg_verify_group_phases(group_proof *proof, int32_t *const *states, int32_t count,
                             hbg_group_result *result) {
    result->phases = HBG_NEW_ARRAY(proof->arena, hbg_phase, count + 1);
    proof->departed = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
    proof->allowed = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
    for (int32_t i = 0; i < count && hbg_verify_watch_goes_on(&proof->f.prover->watch); i++) {
        proof->departed[i] =
            hbg_verify_unknowns_eliminate(proof, hbg_verify_group_begun(proof, states[i]).departed);
        proof->allowed[i] = hbg_verify_unknowns_eliminate(proof, assumed(proof, states[i]));
        result->phases[i] = (hbg_phase){.states = states[i],
                                        .departed = hbg_verify_condition_make(proof, proof->departed[i]),
                                        .allowed = hbg_verify_condition_make(proof, proof->allowed[i])};
        result->phase_count = i + 1;
    }
}

/* Where the condition holds, together with what holds of the unknowns it reads. */
static path_region area_of(group_proof *proof, formula allowed, formula condition, const int32_t *start) {
    formulas *f = &proof->f;
    formula facts = hbg_verify_unknowns_facts(proof, hbg_verify_formula_and(f, allowed, condition));
    formula known = hbg_verify_formula_and(f, allowed, hbg_verify_group_at_start(proof, facts));
    return (path_region){known, condition, start, allowed};
}

/* Its guards in terms of energy. */
static void tell_areas(group_proof *proof, formula allowed, hbg_group_result *result) {
    for (int32_t i = 0; i < result->phase_count && result->phase_count <= TOLD_STATES; i++) {
        if (hbg_verify_formulas_spent(&proof->f)) return;
        path_region area = area_of(proof, allowed, proof->departed[i], result->phases[i].states);
        region_words words = hbg_verify_region_words(proof, &area, 1, TOLD_WORDS);
        result->phases[i].words = words.items;
        result->phases[i].word_count = words.count;
        result->phases[i].words_complete = words.complete;
    }
}

/* Whether some values fulfil this for certain: values supported only by bounds do not count. The region
 * becomes the part where it is certain. */
static verify_answer find_certain(group_proof *proof, path_region *region) {
    formulas *f = &proof->f;
    formula pieces;
    formula all = hbg_verify_formula_and(f, region->known, region->condition);
    verify_answer answer = hbg_verify_formulas_check(f, all);
    if (answer != ANSWER_FOUND) return answer;
    if (!hbg_verify_paths_unclear(f, *region, &pieces)) return hbg_verify_group_confirm(proof, all);
    if (!pieces) return ANSWER_UNKNOWN;
    region->condition = hbg_verify_formula_and(f, region->condition, pieces);
    answer = hbg_verify_formulas_check(f, hbg_verify_formula_and(f, region->known, region->condition));
    return answer == ANSWER_FOUND && hbg_verify_formula_holds_here(f, all) ? ANSWER_FOUND : ANSWER_UNKNOWN;
}

/* ---- as entered --------------------------------------------------------------------------------------------- */

/* The states of an instant that begins in one of them: when each is left at once. */
typedef struct {
    formula allowed;   /* an instant can begin there */
    formula *departed; /* by state */
    formula *stays;
    int32_t from; /* index of the state; HBG_NONE: it makes no difference */
} judged_row;

static bool judge_row(group_proof *proof, const hbg_group_result *result, int32_t from, judged_row *row) {
    int32_t count = result->phase_count;
    row->departed = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
    row->stays = HBG_NEW_ARRAY(proof->arena, formula, count + 1);
    row->from = from;
    for (int32_t i = 0; i < count; i++) {
        real_judgement made;
        const int32_t *states = result->phases[i].states;
        if (hbg_verify_formulas_spent(&proof->f))
            return false; // long formulas take time even without a question
        if (from == HBG_NONE || from == i)
            made = hbg_verify_group_begun(proof, states);
        else if (!hbg_verify_group_entered(proof, result->phases[from].states, states, &made))
            return false;
        row->departed[i] = between_ticks(proof, hbg_verify_unknowns_eliminate(proof, made.departed));
        row->stays[i] = between_ticks(proof, hbg_verify_unknowns_eliminate(proof, made.stays));
    }
    return true;
}

/* One row for all states, or, if it matters in which one an instant begins, one for each; count 0: there are
 * too many, or time has run out. */
static judged_row *judge_rows(group_proof *proof, const hbg_group_result *result, int32_t *count) {
    formulas *f = &proof->f;
    bool apart = hbg_verify_group_remembers(proof);
    int32_t total = result->phase_count;
    judged_row *rows = HBG_NEW_ARRAY(proof->arena, judged_row, total + 1);
    *count = 0;
    if (apart && total > ENTERED_STATES) return rows;
    for (int32_t i = 0; i < (apart ? total : 1); i++) {
        if (apart && !hbg_verify_group_state(proof, result->phases[i].states)->mode.valid) continue;
        judged_row *row = &rows[(*count)++];
        row->allowed = apart ? proof->allowed[i] : f->no;
        for (int32_t k = 0; k < total && !apart; k++)
            row->allowed = hbg_verify_formula_or(f, row->allowed, proof->allowed[k]);
        if (judge_row(proof, result, apart ? i : HBG_NONE, row)) continue;
        *count = 0;
        return rows;
    }
    return rows;
}

static formula never_real(formulas *f, const judged_row *row, int32_t count) {
    formula never = f->yes;
    for (int32_t i = 0; i < count; i++) never = hbg_verify_formula_and(f, never, row->departed[i]);
    return never;
}

/* Where a state is left that is entered from another one, in words: only if few would be reported. */
static void tell_entered(group_proof *proof, const judged_row *rows, int32_t count,
                         hbg_group_result *result) {
    int32_t total = result->phase_count;
    if (total > ENTERED_TOLD || !hbg_verify_group_remembers(proof)) return;
    for (int32_t k = 0; k < total; k++) {
        hbg_phase *phase = &result->phases[k];
        phase->entered = HBG_NEW_ARRAY(proof->arena, hbg_phase_entered, total + 1);
        for (int32_t i = 0; i < count; i++) {
            if (rows[i].from == k) continue;
            const int32_t *from = result->phases[rows[i].from].states;
            path_region area = area_of(proof, rows[i].allowed, rows[i].departed[k], from);
            region_words words = hbg_verify_region_words(proof, &area, 1, TOLD_WORDS);
            phase->entered[phase->entered_count++] =
                (hbg_phase_entered){from, words.items, words.count, words.complete};
        }
    }
}

/* Whether two states are both real, for an instant that begins in the same state. */
static hbg_verdict find_overlap(group_proof *proof, const judged_row *rows, int32_t count,
                                hbg_group_result *result) {
    int32_t total = result->phase_count;
    formulas *f = &proof->f;
    hbg_verdict found = HBG_VERDICT_PROVED;
    for (int32_t r = 0; r < count; r++)
        for (int32_t i = 0; i < total; i++)
            for (int32_t k = 0; k < i; k++) {
                formula both = hbg_verify_formula_and(f, rows[r].stays[i], rows[r].stays[k]);
                path_region region = area_of(proof, rows[r].allowed, both, NULL);
                verify_answer answer = find_certain(proof, &region);
                if (answer == ANSWER_FOUND && !proof->doubts.riddle) {
                    result->both.states[0] = result->phases[k].states;
                    result->both.states[1] = result->phases[i].states;
                    proof->both_known = region.known;
                    proof->both = region.condition;
                    return HBG_VERDICT_WITNESS;
                }
                if (answer != ANSWER_NONE) found = HBG_VERDICT_UNDECIDED;
            }
    return found;
}

/* Whether the regions hold at the same numbers. */
static bool are_same(group_proof *proof, const path_region *regions, int32_t count) {
    formulas *f = &proof->f;
    formula any = f->no;
    for (int32_t i = 0; i < count; i++) any = hbg_verify_formula_or(f, any, regions[i].condition);
    for (int32_t i = 0; i < count; i++) {
        formula other = hbg_verify_formula_and(f, any, hbg_verify_formula_not(f, regions[i].condition));
        if (hbg_verify_formulas_check(f, other) != ANSWER_NONE) return false;
    }
    return true;
}

/* Where no mode is real, in numbers and in words. */
static void tell_never(group_proof *proof, path_region *regions, const judged_row *rows, int32_t count,
                       hbg_group_result *result) {
    bool whole = true, found = false, unknown = false;
    int32_t told = 0;
    for (int32_t i = 0; i < count; i++) {
        formula never = regions[i].condition;
        verify_answer answer = find_certain(proof, &regions[i]);
        whole &= regions[i].condition == never && answer != ANSWER_UNKNOWN;
        found |= answer == ANSWER_FOUND;
        unknown |= answer == ANSWER_UNKNOWN;
        if (answer != ANSWER_FOUND) continue;
        result->never_real_from =
            told == 0 && rows[i].from != HBG_NONE ? result->phases[rows[i].from].states : NULL;
        regions[told++] = regions[i];
    }
    result->real_mode = found ? HBG_VERDICT_WITNESS : unknown ? HBG_VERDICT_UNDECIDED : HBG_VERDICT_PROVED;
    if (proof->doubts.riddle || (!found && proof->doubts.undefined.count > 0))
        result->real_mode = HBG_VERDICT_UNDECIDED;
    if (result->real_mode != HBG_VERDICT_WITNESS) return;
    result->never_real_from_some = told > 1 && (told < count || !are_same(proof, regions, told));
    region_words words = hbg_verify_region_words(proof, regions, told, TOLD_WORDS);
    result->never_real = words.items;
    result->never_real_count = words.count;
    result->never_real_complete = words.complete && whole;
}

void hbg_verify_group_real_modes(group_proof *proof, hbg_group_result *result) {
    formulas *f = &proof->f;
    int32_t total = result->phase_count, count;
    formula allowed = f->no;
    for (int32_t i = 0; i < total; i++) allowed = hbg_verify_formula_or(f, allowed, proof->allowed[i]);
    if (!proof->words.bare) tell_areas(proof, allowed, result);
    judged_row *rows = judge_rows(proof, result, &count);
    if (count == 0) return;
    path_region *regions = HBG_NEW_ARRAY(proof->arena, path_region, count + 1);
    result->never_where = HBG_NEW_ARRAY(proof->arena, hbg_finding_region, count + 1);
    for (int32_t i = 0; i < count; i++) {
        formula never = never_real(f, &rows[i], total);
        const int32_t *from = rows[i].from == HBG_NONE ? NULL : result->phases[rows[i].from].states;
        regions[i] = area_of(proof, rows[i].allowed, never, from);
        const hbg_condition *where =
            hbg_verify_condition_make(proof, hbg_verify_formula_and(f, rows[i].allowed, never));
        result->never_where[result->never_where_count++] = (hbg_finding_region){from, where};
    }
    if (proof->words.bare) return;
    tell_entered(proof, rows, count, result);
    tell_never(proof, regions, rows, count, result);
    result->overlap = find_overlap(proof, rows, count, result);
}

void hbg_verify_group_tell_overlap(group_proof *proof, hbg_group_result *result) {
    if (result->overlap != HBG_VERDICT_WITNESS) return;
    path_region region = {.known = proof->both_known, .condition = proof->both};
    region_words words = hbg_verify_region_words(proof, &region, 1, TOLD_WORDS);
    result->both.where = words.items;
    result->both.where_count = words.count;
    result->both.where_complete = words.complete;
}
