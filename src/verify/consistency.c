/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether the switching of a model is consistent (semantics, section 8): group by group, from every discrete state, over all
 * energies and inputs. */
#include <math.h>

#include "verify/prover_impl.h"
#include "verify/region_impl.h"
#include "verify/verify_impl.h"

#define COMMIT_LIMIT   32      /* commits of an instant that are followed */
#define QUESTION_LIMIT 1000000 /* for one group */
#define TELL_LIMIT     20000   /* and for wording the findings */
#define REGION_LIMIT   8       /* alternatives that are reported */

/* ---- symbols of a group ------------------------------------------------------------------------------------ */

/* A given number replaces the range of a parameter. */
static bool is_asked(const hbg_model *model, const hbg_range *range) {
    const hbg_expr_node *node = &model->exprs.items[range->value];
    return node->op == HBG_OP_PARAM && model->params.items[node->a].asked;
}

/* A range of a parameter makes it a symbol; every range is an assumption. */
static void read_ranges(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < model->ranges.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[model->ranges.items[i].value];
        if (node->op == HBG_OP_PARAM && !is_asked(model, &model->ranges.items[i]))
            proof->params.open[node->a] = true;
    }
}

/* A state whose range is a point is a number from the outset. */
static void fix_states(group_proof *proof) {
    const hbg_model *model = proof->model;
    exact_past none = {.before = false};
    exact_values nothing = {.of = NULL};
    for (int32_t i = 0; i < model->ranges.count; i++) {
        const hbg_range *range = &model->ranges.items[i];
        int32_t state = hbg_verify_group_state_of(proof, range->value);
        double low, high;
        if (state == HBG_NONE || !hbg_model_constant(model, range->low, &low) ||
            !hbg_model_constant(model, range->high, &high) || low != high)
            continue;
        exact_scope scope;
        hbg_verify_scope_init(&scope, proof, &nothing, &none, false);
        exact_value value =
            hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_expression(proof->eqn, range->low));
        proof->x[state] = hbg_verify_value_number(proof, value);
    }
}

static void assume(group_proof *proof, hbg_exact_term term) {
    if (!hbg_eqn_exact_belongs(proof->eqn, proof->number, term)) return; // about another group
    proof->assumptions[proof->assumption_count++] = term;
}

static void read_assumptions(group_proof *proof) {
    const hbg_model *model = proof->model;
    proof->assumptions =
        HBG_NEW_ARRAY(proof->arena, hbg_exact_term, 2 * model->ranges.count + model->assumptions.count + 1);
    for (int32_t i = 0; i < model->ranges.count; i++) {
        const hbg_range *range = &model->ranges.items[i];
        if (is_asked(model, range)) continue;
        assume(proof, hbg_eqn_exact_compare(proof->eqn, HBG_OP_LESS_EQUAL, range->low, range->value));
        assume(proof, hbg_eqn_exact_compare(proof->eqn, HBG_OP_LESS_EQUAL, range->value, range->high));
    }
    for (int32_t i = 0; i < model->assumptions.count; i++)
        assume(proof, hbg_eqn_exact_expression(proof->eqn, model->assumptions.items[i]));
}

/* What is checked of its jumps. */
static void read_always(group_proof *proof) {
    const hbg_model *model = proof->model;
    proof->always = HBG_NEW_ARRAY(proof->arena, int32_t, model->always.count + 1);
    for (int32_t i = 0; i < model->always.count; i++) {
        const hbg_always *of = &model->always.items[i];
        hbg_exact_term term =
            hbg_eqn_exact_expression(proof->eqn, of->junction == HBG_NONE ? of->value : of->pulse);
        if (!hbg_eqn_exact_belongs(proof->eqn, proof->number, term)) continue;
        proof->always[proof->always_count++] = i;
        HBG_PUSH(proof->arena, proof->asked, term);
    }
}

/* Waits of one state: each has its own symbol, and an automaton that has waited long has also waited for
 * less. */
static void make_state_waits(group_proof *proof, const char *name, const hbg_automaton_state *state) {
    formulas *f = &proof->f;
    const char *own = hbg_base_names_get(proof->model->names, state->name);
    int32_t first = state->first_transition, end = first + state->transition_count, count = 0;
    for (int32_t i = first; i < end; i++) count += !isnan(hbg_eqn_exact_guard(proof->eqn, i).after);
    for (int32_t i = first; i < end; i++) {
        double after = hbg_eqn_exact_guard(proof->eqn, i).after;
        if (isnan(after)) continue;
        proof->timing.waited[i] = hbg_verify_formula_truth(
            f, count == 1
                   ? hbg_base_arena_print(proof->arena, "%s has waited in %s", name, own)
                   : hbg_base_arena_print(proof->arena, "%s has waited %.15g s in %s", name, after, own));
        for (int32_t k = first; k < i; k++) {
            double other = hbg_eqn_exact_guard(proof->eqn, k).after;
            if (isnan(other) || other == after) continue;
            formula longer = proof->timing.waited[other > after ? k : i];
            formula shorter = proof->timing.waited[other > after ? i : k];
            HBG_PUSH(f->arena, f->axioms.all,
                     hbg_verify_formula_or(f, hbg_verify_formula_not(f, longer), shorter));
        }
    }
}

static void make_waits(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        const hbg_automaton *of = &model->automata.items[automaton];
        const char *name = proof->system->automata[automaton].name;
        for (int32_t k = 0; k < of->state_count; k++)
            make_state_waits(proof, name, &model->states.items[of->first_state + k]);
    }
}

static void make_symbols(group_proof *proof) {
    const hbg_model *model = proof->model;
    hbg_arena *arena = proof->arena;
    int32_t pres = 0;
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        pres = proof->of.pres[i] >= pres ? proof->of.pres[i] + 1 : pres;
    proof->x = HBG_NEW_ARRAY(arena, formula, proof->system->state_count + 1);
    for (int32_t i = 0; i < proof->system->state_count; i++)
        proof->x[i] = hbg_verify_formula_real(&proof->f, proof->system->states[i].name);
    for (int before = 0; before < 2; before++) {
        proof->signals.input[before] = HBG_NEW_ARRAY(arena, exact_value, model->signals.count + 1);
        proof->signals.held[before] = HBG_NEW_ARRAY(arena, exact_value, model->signals.count + 1);
        proof->signals.given[before] = HBG_NEW_ARRAY(arena, exact_value, model->signals.count + 1);
    }
    proof->params.value = HBG_NEW_ARRAY(arena, exact_value, model->params.count + 1);
    proof->params.level = HBG_NEW_ARRAY(arena, formula_level, model->params.count + 1);
    proof->params.open = HBG_NEW_ARRAY(arena, bool, model->params.count + 1);
    proof->law_pre = HBG_NEW_ARRAY(arena, formula, pres + 1);
    for (int32_t i = 0; i < pres; i++)
        proof->law_pre[i] = hbg_verify_formula_real(&proof->f, hbg_base_arena_print(arena, "before'%d", i));
    proof->timing.tick = HBG_NEW_ARRAY(arena, formula, model->automata.count + 1);
    proof->timing.waited = HBG_NEW_ARRAY(arena, formula, model->transitions.count + 1);
    hbg_base_pair_map_init(&proof->left_of, arena);
    hbg_base_pair_map_init(&proof->state_of, arena);
    for (int32_t i = 0; i < proof->of.variable_count; i++)
        hbg_base_pair_map_add(&proof->left_of, proof->of.variables[i], 0, i);
    make_waits(proof);
}

/* What holds in every state: clocks and samples by the values that are fixed now, and the assumptions. */
void hbg_verify_group_ask(group_proof *proof) {
    hbg_verify_clocks_make(proof);
    for (int32_t i = 0; i < proof->assumption_count; i++)
        HBG_PUSH(proof->arena, proof->asked, proof->assumptions[i]);
    hbg_verify_clocks_ask(proof);
}

/* ---- findings ---------------------------------------------------------------------------------------------- */

static bool find_values(group_proof *proof, formula region) {
    return hbg_verify_formulas_check(&proof->f, region) == ANSWER_FOUND &&
           hbg_verify_group_confirm(proof, region) == ANSWER_FOUND;
}

/* Where it is, in words, and whether it is met while time advances. */
static void explain(path_explorer *e, const path_finding *of, hbg_finding *told) {
    group_proof *proof = e->proof;
    static const hbg_verdict verdicts[] = {[ANSWER_NONE] = HBG_VERDICT_PROVED,
                                           [ANSWER_FOUND] = HBG_VERDICT_WITNESS,
                                           [ANSWER_UNKNOWN] = HBG_VERDICT_UNDECIDED};
    const path_region *own = &of->regions.items[0]; // the steps reported are those of the first
    witness found = {.proof = proof, .region = own->condition, .known = own->known};
    formula all = hbg_verify_formula_and(&proof->f, own->known, own->condition);
    if (find_values(proof, hbg_verify_witness_at_start(proof, all)) || find_values(proof, all))
        hbg_verify_witness_read(&found);
    region_words words = hbg_verify_region_words(proof, of->regions.items, of->regions.count, REGION_LIMIT);
    told->reachable =
        verdicts[hbg_verify_paths_reach(proof, of->regions.items, of->regions.count, &told->reached_from)];
    if (told->reachable == HBG_VERDICT_UNDECIDED) told->reach_reason = proof->f.account.why;
    bool mendable = of->kind != HBG_FINDING_LIMIT; // no condition on a transition is meant to
    if (!e->mended && mendable) told->repair = hbg_verify_group_repair(e, of, e->starts, e->start_count);
    e->mended |= told->repair.condition != NULL; // it mends all of the group
    told->values = found.values.items;
    told->value_count = found.values.count;
    told->region = words.items;
    told->region_count = words.count;
    told->region_complete = words.complete && !of->partial && !e->open && !e->cut;
    if (told->region_complete || told->reachable != HBG_VERDICT_PROVED) return;
    told->reachable = HBG_VERDICT_UNDECIDED; // what is not known of the region may be within reach
    told->reach_reason = "not all of the region is known";
}

static hbg_finding tell_finding(path_explorer *e, const path_finding *of) {
    group_proof *proof = e->proof;
    hbg_finding told = {.kind = of->kind,
                        .step_count = of->step_count,
                        .back_to = of->back_to,
                        .subject = of->subject,
                        .after_commit = of->after_commit,
                        .reachable = HBG_VERDICT_UNDECIDED};
    told.steps = HBG_NEW_ARRAY(proof->arena, hbg_witness_step, of->step_count + 1);
    for (int32_t i = 0; i < of->step_count; i++)
        told.steps[i] = (hbg_witness_step){of->steps[i].states, of->steps[i].taken, of->steps[i].committed};
    told.where = HBG_NEW_ARRAY(proof->arena, hbg_finding_region, of->regions.count + 1);
    told.where_count = of->regions.count;
    for (int32_t i = 0; i < of->regions.count; i++) {
        const path_region *at = &of->regions.items[i];
        formula all = hbg_verify_formula_and(&proof->f, at->given, at->condition);
        told.where[i] = (hbg_finding_region){at->start, hbg_verify_condition_make(proof, all)};
    }
    hbg_verify_formulas_allow(&proof->f, proof->words.seconds);
    if (!proof->words.bare) explain(e, of, &told);
    return told;
}

static void tell_findings(path_explorer *e, hbg_group_result *result) {
    group_proof *proof = e->proof;
    result->findings = HBG_NEW_ARRAY(proof->arena, hbg_finding, e->findings.count + 1);
    for (int32_t i = 0; i < e->findings.count; i++) {
        const path_finding *of = &e->findings.items[i];
        if (of->unclear && hbg_verify_finding_is_wrong(of->kind) && !e->open) e->open = of->unclear;
    }
    for (int32_t i = 0; i < e->findings.count; i++)
        for (int32_t k = 0; k < e->findings.items[i].regions.count; k++) {
            path_region *at = &e->findings.items[i].regions.items[k];
            at->known = hbg_verify_unknowns_eliminate(proof, at->known);
            at->condition = hbg_verify_unknowns_eliminate(proof, at->condition);
            formula all = hbg_verify_formula_and(&proof->f, at->known, at->condition);
            at->known = hbg_verify_formula_and(&proof->f, at->known, hbg_verify_unknowns_facts(proof, all));
        }
    // errors of the first search come first: the rest often follows from them
    for (int rank = 0; rank < 3; rank++)
        for (int32_t i = 0; i < e->findings.count; i++) {
            const path_finding *of = &e->findings.items[i];
            int own = !hbg_verify_finding_is_wrong(of->kind) ? 2 : of->after_commit;
            if (own == rank && !of->unclear) result->findings[result->finding_count++] = tell_finding(e, of);
        }
}

static void tell_jumps(path_explorer *e, hbg_group_result *result) {
    group_proof *proof = e->proof;
    int32_t total = proof->system->state_count;
    result->jumps = HBG_NEW_ARRAY(proof->arena, hbg_phase_jump, e->jumps.count + 1);
    for (int32_t i = 0; i < e->jumps.count; i++) {
        const path_jump *at = &e->jumps.items[i];
        const hbg_condition **to = HBG_NEW_ARRAY(proof->arena, const hbg_condition *, total + 1);
        for (int32_t k = 0; k < total; k++)
            if (at->x_plus[k] != proof->x[k]) to[k] = hbg_verify_condition_make(proof, at->x_plus[k]);
        result->jumps[result->jump_count++] =
            (hbg_phase_jump){at->start, at->states, hbg_verify_condition_make(proof, at->condition), to};
    }
}

/* Where every search ends, some mode is real: the two proofs are made in different ways, so each must confirm
 * the other. */
static void agree(const path_explorer *e, hbg_group_result *result) {
    if (e->begun == 0) { // everything holds of the empty set
        result->real_mode = HBG_VERDICT_UNDECIDED;
        result->never_real_count = 0;
    }
    if (result->verdict != HBG_VERDICT_PROVED) return;
    if (result->real_mode == HBG_VERDICT_UNDECIDED) result->real_mode = HBG_VERDICT_PROVED;
    if (result->real_mode == HBG_VERDICT_PROVED) return;
    result->verdict = HBG_VERDICT_UNDECIDED;
    result->reason = "every search was found to end, but in no real mode: one of the two is wrong";
}

/* What the prover made without memory may stand for something else: no conclusion counts. */
static void forget(hbg_group_result *result) {
    result->verdict = result->real_mode = result->overlap = HBG_VERDICT_UNDECIDED;
    result->finding_count = result->dead_count = result->jump_count = 0;
    result->phase_count = result->never_real_count = result->never_where_count = 0;
    result->never_real_from = NULL;
    result->never_real_from_some = false;
}

static void conclude(path_explorer *e, hbg_group_result *result) {
    bool wrong = false;
    for (int32_t i = 0; i < result->finding_count; i++)
        wrong |= hbg_verify_finding_is_wrong(result->findings[i].kind);
    const char *left_out =
        e->proof->doubts.undefined.count == 0
            ? NULL
            : hbg_base_arena_print(e->proof->arena, "where an expression has no value (%s) is left out",
                                   e->proof->doubts.undefined.items[0]);
    const char *failure = hbg_verify_formulas_failure(&e->proof->f);
    result->reason = e->proof->f.account.no_memory ? failure
                     : e->proof->doubts.impossible ? e->proof->doubts.impossible
                     : e->proof->doubts.riddle     ? e->proof->doubts.riddle
                     : e->open                     ? e->open
                     : failure                     ? failure
                                                   : left_out;
    result->verdict = wrong            ? HBG_VERDICT_WITNESS
                      : result->reason ? HBG_VERDICT_UNDECIDED
                                       : HBG_VERDICT_PROVED;
    agree(e, result);
    if (e->proof->f.account.no_memory) forget(result);
    result->undefined = e->proof->doubts.undefined.items;
    result->undefined_count = e->proof->doubts.undefined.count;
    result->nearby = e->proof->doubts.nearby.items;
    result->nearby_count = e->proof->doubts.nearby.count;
    result->questions = e->proof->f.account.questions;
    result->seconds = e->proof->f.account.seconds;
    result->longest = e->proof->f.account.longest;
    result->ways = e->ways;
    result->longest_chain = e->longest_chain;
}

/* ---- all groups -------------------------------------------------------------------------------------------- */

static void list_dead(path_explorer *e, const bool *can_be, hbg_group_result *result) {
    group_proof *proof = e->proof;
    const hbg_model *model = proof->model;
    HBG_VEC(hbg_dead_end) dead = {0};
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        const hbg_automaton *of = &model->automata.items[automaton];
        for (int32_t k = 0; k < of->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[of->first_state + k];
            if (k != of->start && !e->entered[of->first_state + k])
                HBG_PUSH(proof->arena, dead, (hbg_dead_end){automaton, k, HBG_NONE});
            for (int32_t m = 0; m < state->transition_count && can_be[of->first_state + k]; m++)
                if (!e->fired[state->first_transition + m])
                    HBG_PUSH(proof->arena, dead, (hbg_dead_end){automaton, k, state->first_transition + m});
        }
    }
    result->dead = dead.items;
    result->dead_count = dead.count;
}

typedef struct { /* what is asked about */
    hbg_arena *arena;
    hbg_verify_prover *prover;
    hbg_eqn *eqn;
    const hbg_model *model;
    const hbg_verify_options *options;
    const bool *can_be;
    int32_t groups;
} whole_model;

/* Places among the automata of the group, as the source has them. */
static void order_automata(group_proof *proof) {
    const int32_t *automata = proof->of.automata;
    proof->by_source = HBG_NEW_ARRAY(proof->arena, int32_t, proof->of.automaton_count + 1);
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t at = i;
        for (; at > 0; at--) {
            if (hbg_eqn_source_order(proof->model, automata[proof->by_source[at - 1]], automata[i]) < 0)
                break;
            proof->by_source[at] = proof->by_source[at - 1];
        }
        proof->by_source[at] = i;
    }
}

group_proof *hbg_verify_group_begin(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                                    const hbg_model *model, const hbg_verify_options *options,
                                    int32_t number) {
    group_proof *proof = HBG_NEW(arena, group_proof);
    if (!hbg_verify_formulas_begin(&proof->f, prover, arena, options)) return NULL;
    proof->f.limits.questions = QUESTION_LIMIT;
    hbg_verify_formulas_allow(&proof->f, 1e-3 * options->group_ms);
    proof->eqn = eqn;
    proof->model = model;
    proof->system = hbg_eqn_outline_of(eqn);
    proof->structure = hbg_eqn_exact_structure(eqn);
    proof->arena = arena;
    proof->number = number;
    proof->words.bare = options->bare;
    proof->words.jumps = options->jumps;
    proof->extra.guard = HBG_NONE;
    proof->of = hbg_eqn_exact_group(eqn, number);
    order_automata(proof);
    proof->forgets = proof->of.pre_count == 0 && proof->of.in_count == 0 && proof->of.restitution_count == 0;
    make_symbols(proof);
    proof->plainly = options->plainly;
    return proof;
}

static hbg_group_result examine(const whole_model *of, int32_t number, int32_t position) {
    hbg_arena *arena = of->arena;
    hbg_eqn *eqn = of->eqn;
    const hbg_model *model = of->model;
    hbg_group_result result = {.of = hbg_eqn_exact_group(eqn, number), .verdict = HBG_VERDICT_UNDECIDED};
    hbg_buffer reasons;
    hbg_base_buffer_init(&reasons, arena);
    hbg_eqn_exact_reasons(eqn, number, &reasons);
    result.reasons = reasons.data;
    group_proof *proof = hbg_verify_group_begin(arena, of->prover, eqn, model, of->options, number);
    if (!proof) {
        result.reason = "there is no memory for the prover";
        return result;
    }
    of->prover->watch.listener.group = position;
    of->prover->watch.listener.groups = of->groups;
    proof->chooses = true;
    hbg_verify_choices_of_params(proof);
    read_ranges(proof);
    fix_states(proof);
    read_assumptions(proof);
    read_always(proof);
    hbg_verify_group_ask(proof);
    proof->passes = !proof->plainly && proof->forgets && proof->timing.clocks.count == 0 &&
                    !hbg_verify_paths_assume_computed(proof);
    path_explorer explorer = {.proof = proof, .commit_limit = COMMIT_LIMIT};
    explorer.entered = HBG_NEW_ARRAY(arena, bool, model->states.count + 1);
    explorer.fired = HBG_NEW_ARRAY(arena, bool, model->transitions.count + 1);
    hbg_verify_group_explore(&explorer, of->can_be, &result);
    proof->f.limits.questions = proof->f.account.questions + TELL_LIMIT; // what was found can be reported
    proof->words.seconds = 0.5e-3 * of->options->group_ms / (explorer.findings.count + 1);
    tell_findings(&explorer, &result);
    tell_jumps(&explorer, &result);
    hbg_verify_group_tell_overlap(proof, &result);
    if (!explorer.open && !explorer.cut && !proof->doubts.impossible)
        list_dead(&explorer, of->can_be, &result);
    conclude(&explorer, &result);
    hbg_verify_formulas_end(&proof->f);
    return result;
}

/* Judges a group in its own memory, which is given back: arrays by state or automaton of the model, kept for
 * each group, would grow with the square of their number. */
static hbg_group_result examine_apart(const whole_model *of, int32_t number, int32_t position) {
    hbg_arena *own = &of->prover->group;
    whole_model apart = *of;
    hbg_base_arena_fini(own); // one that was interrupted may have left something behind
    hbg_base_arena_init(own, of->arena->memory);
    apart.arena = own;
    hbg_group_result result = examine(&apart, number, position);
    of->options->each(of->options->listener, &result);
    hbg_base_arena_fini(own);
    hbg_base_arena_init(own, of->arena->memory);
    return (hbg_group_result){.of = result.of,
                              .verdict = result.verdict,
                              .states = result.states,
                              .ways = result.ways,
                              .questions = result.questions,
                              .longest_chain = result.longest_chain,
                              .seconds = result.seconds,
                              .longest = result.longest};
}

static hbg_verdict worse(hbg_verdict a, hbg_verdict b) {
    if (a == HBG_VERDICT_WITNESS || b == HBG_VERDICT_WITNESS) return HBG_VERDICT_WITNESS;
    return a == HBG_VERDICT_UNDECIDED || b == HBG_VERDICT_UNDECIDED ? HBG_VERDICT_UNDECIDED
                                                                    : HBG_VERDICT_PROVED;
}

/* Switches that sources in conflict join decide together whether there is a conflict. */
static const int32_t *join_clusters(hbg_arena *arena, const hbg_eqn *eqn, const int32_t *contested) {
    const hbg_causal_structure *structure = hbg_eqn_exact_structure(eqn);
    int32_t places = structure->place_count, *joined = HBG_NEW_ARRAY(arena, int32_t, places + 1);
    for (int32_t i = 0; i < places; i++) joined[i] = contested ? contested[i] : HBG_NONE;
    for (int32_t i = 0; i < places; i++) {
        int32_t cluster = hbg_eqn_exact_cluster(eqn, i), was = joined[i];
        if (cluster == HBG_NONE) continue;
        int32_t label = structure->region_count + cluster;
        for (int32_t k = 0; k < places && was != HBG_NONE; k++)
            if (joined[k] == was) joined[k] = label;
        joined[i] = label;
    }
    return joined;
}

hbg_consistency_result hbg_verify_consistency(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                                              const hbg_model *sorted, const hbg_verify_options *options) {
    hbg_consistency_result result = {.verdict = HBG_VERDICT_PROVED};
    hbg_verify_options limits = options ? *options : hbg_verify_options_default();
    hbg_verify_modes *modes = hbg_verify_modes_new(arena, prover, hbg_eqn_exact_structure(eqn), &limits);
    prover->watch.listener = (verify_listener){limits.progress, limits.context, 0, 1};
    hbg_verify_modes_as_limits(modes, eqn);
    result.causality = hbg_verify_causality(modes);
    const int32_t *contested = NULL;
    if (result.causality.verdict != HBG_VERDICT_PROVED) contested = hbg_verify_contested(modes);
    contested = join_clusters(arena, eqn, contested);
    if (!hbg_eqn_exact_open(eqn, contested)) { // not even the start mode has one
        result.verdict = HBG_VERDICT_WITNESS;
        return result;
    }
    bool *can_be = HBG_NEW_ARRAY(arena, bool, sorted->states.count + 1);
    hbg_verify_group_possible(arena, sorted, can_be);
    result.groups = HBG_NEW_ARRAY(arena, hbg_group_result, hbg_eqn_exact_group_count(eqn) + 1);
    whole_model of = {arena, prover, eqn, sorted, &limits, can_be, 0};
    for (int32_t i = 0; i < hbg_eqn_exact_group_count(eqn); i++)
        of.groups += hbg_eqn_exact_group(eqn, i).automaton_count > 0;
    for (int32_t i = 0; i < hbg_eqn_exact_group_count(eqn); i++) {
        if (hbg_eqn_exact_group(eqn, i).automaton_count == 0) continue;
        hbg_group_result *own = &result.groups[result.group_count];
        *own = limits.each ? examine_apart(&of, i, result.group_count) : examine(&of, i, result.group_count);
        result.group_count++;
        result.verdict = worse(result.verdict, own->verdict);
        if (prover->watch.stopped && own->verdict == HBG_VERDICT_UNDECIDED) break; // the others would be, too
    }
    prover->watch.listener = (verify_listener){0};
    result.interrupted = prover->watch.stopped;
    return result;
}
