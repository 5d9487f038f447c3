/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Findings on the ways of a search. The same fault met on several ways, from several states, is one finding
 * with several regions. */
#include "verify/paths_impl.h"

#define ENERGY_TRIALS 3 /* questions about energy that may stay unanswered before the rest is dropped */

static const struct {
    const char *word, *text;
    bool wrong;
} kinds[] = {
#define X(id, word, wrong, text) {word, text, wrong},
    HBG_FINDING_LIST(X)
#undef X
};

const char *hbg_verify_finding_word(hbg_finding_kind kind) {
    return kinds[kind].word;
}

const char *hbg_verify_finding_text(hbg_finding_kind kind) {
    return kinds[kind].text;
}

bool hbg_verify_finding_is_wrong(hbg_finding_kind kind) {
    return kinds[kind].wrong;
}

/* ---- one and the same -------------------------------------------------------------------------------------- */

static bool has_state(const path_explorer *e, const path_finding *of, const int32_t *states) {
    size_t size = (size_t)e->proof->model->automata.count * sizeof *states;
    for (int32_t i = of->back_to; i < of->step_count; i++)
        if (memcmp(of->steps[i].states, states, size) == 0) return true;
    return false;
}

/* Two cycles are the same if they go through the same states, wherever they were entered; other findings if
 * they end in the same state and concern the same thing. */
bool hbg_verify_paths_is_same(const path_explorer *e, const path_finding *of, const path_finding *other) {
    if (of->kind != other->kind || of->after_commit != other->after_commit) return false;
    if ((of->back_to == HBG_NONE) != (other->back_to == HBG_NONE)) return false;
    if (of->subject && (!other->subject || strcmp(of->subject, other->subject) != 0)) return false;
    size_t size = (size_t)e->proof->model->automata.count * sizeof *of->steps->states;
    if (of->back_to == HBG_NONE)
        return memcmp(of->steps[of->step_count - 1].states, other->steps[other->step_count - 1].states,
                      size) == 0;
    if (of->step_count - of->back_to != other->step_count - other->back_to) return false;
    for (int32_t i = other->back_to; i < other->step_count; i++)
        if (!has_state(e, of, other->steps[i].states)) return false;
    return true;
}

static formula conjunction(formulas *f, int32_t from, int32_t to, formula also) {
    formula all = also;
    for (int32_t i = to - 1; i >= from; i--)
        all = hbg_verify_formula_and(f, f->levels.asserted.items[i], all);
    return all;
}

static bool region_reads(formulas *f, path_region region, formula symbol) {
    return hbg_verify_formula_reads(f, region.condition, &symbol, 1) ||
           hbg_verify_formula_reads(f, region.known, &symbol, 1);
}

/* Sine or cosine of another angle that depends on the same variable, a multiple of it: their relation is not
 * known. */
static bool has_related(formulas *f, const exact_symbol *symbol, path_region region) {
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *other = &f->symbols.items[i];
        bool angle = other->op == HBG_OP_SIN || other->op == HBG_OP_COS;
        if (!angle || other->constant || other->argument == symbol->argument) continue;
        if (hbg_verify_formula_reads_argument(f, other->argument, symbol->argument) &&
            region_reads(f, region, other->symbol))
            return true;
    }
    return false;
}

/* Sine and cosine determine an angle that occurs nowhere else. */
static bool is_clear(formulas *f, const exact_symbol *symbol, path_region region) {
    if (symbol->constant) return true; // dependence on its digits is asked for it separately
    if (symbol->op != HBG_OP_SIN && symbol->op != HBG_OP_COS) return symbol->exact;
    if (hbg_verify_formula_reads_argument(f, region.condition, symbol->argument) ||
        has_related(f, symbol, region))
        return false;
    return symbol->bounded || !hbg_verify_formula_reads_argument(f, region.known, symbol->argument);
}

const char *hbg_verify_paths_unclear(formulas *f, path_region region, formula *pieces) {
    const char *text = NULL;
    *pieces = f->yes;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *symbol = &f->symbols.items[i];
        if (!region_reads(f, region, symbol->symbol)) continue;
        if (is_clear(f, symbol, region)) continue;
        if (!text) text = symbol->text;
        *pieces = *pieces && symbol->piece ? hbg_verify_formula_and(f, *pieces, symbol->piece) : NULL;
    }
    return text;
}

static const char *only_bounds(formulas *f, const char *text) {
    return hbg_base_arena_print(f->arena, "only bounds are known of `%s`", text);
}

/* The region of what was found on this way; where something is known only by bounds, the certain part. `why`
 * becomes the reason for uncertainty, or NULL. */
static path_region region_of(path_explorer *e, formula also, verify_answer confirmed, const char **why,
                             bool *partial) {
    formulas *f = &e->proof->f;
    formula pieces, all = conjunction(f, e->base, f->levels.asserted.count, also);
    path_region region = {conjunction(f, e->base, e->known, f->yes),
                          conjunction(f, e->known, f->levels.asserted.count, also), e->steps.items[0].states,
                          conjunction(f, e->base, e->given, f->yes)};
    const char *unclear = hbg_verify_paths_unclear(f, region, &pieces);
    *why = unclear ? only_bounds(f, unclear) : NULL;
    if (!unclear) *why = hbg_verify_clocks_doubt(e->proof, region.condition);
    if (!unclear && !*why && confirmed != ANSWER_FOUND) *why = hbg_verify_group_hangs_on(e->proof, all);
    *partial = *why != NULL;
    if (!unclear || !pieces) return region;
    formula certain = hbg_verify_formula_and(f, also, pieces);
    if (hbg_verify_formulas_check(f, certain) != ANSWER_FOUND) return region;
    if (!hbg_verify_formula_holds_here(f, hbg_verify_unknowns_eliminate(e->proof, all))) return region;
    if (!e->open) e->open = *why;
    *why = NULL;
    region.condition = conjunction(f, e->known, f->levels.asserted.count, certain);
    return region;
}

void hbg_verify_paths_report(path_explorer *e, hbg_finding_kind kind, int32_t back_to, bool after_commit,
                             formula also, const char *subject) {
    group_proof *proof = e->proof;
    formulas *f = &proof->f;
    if (also == f->no || (e->maps && !e->ends)) return;
    verify_answer answer = hbg_verify_formulas_check(f, also);
    if (answer == ANSWER_NONE) return;
    if (answer == ANSWER_UNKNOWN) {
        if (!e->open) e->open = f->account.why;
        return;
    }
    verify_answer confirmed =
        hbg_verify_group_confirm(proof, conjunction(f, e->base, f->levels.asserted.count, also));
    if (confirmed == ANSWER_NONE) return;
    path_finding found = {.kind = kind,
                          .steps = e->steps.items,
                          .step_count = e->steps.count,
                          .back_to = back_to,
                          .after_commit = after_commit,
                          .subject = subject};
    const char *unclear;
    path_region region = region_of(e, also, confirmed, &unclear, &found.partial);
    path_finding *kept = NULL;
    for (int32_t i = 0; i < e->findings.count && !kept; i++)
        if (hbg_verify_paths_is_same(e, &e->findings.items[i], &found)) kept = &e->findings.items[i];
    if (!kept) {
        found.steps = HBG_NEW_ARRAY(proof->arena, path_step, e->steps.count + 1);
        memcpy(found.steps, e->steps.items, (size_t)e->steps.count * sizeof *found.steps);
        found.unclear = unclear;
        HBG_PUSH(proof->arena, e->findings, found);
        kept = &e->findings.items[e->findings.count - 1];
    }
    kept->partial |= found.partial;
    if (kept->unclear && !unclear) { // a certain finding is reported with its way
        kept->regions.count = 0;
        kept->steps = HBG_NEW_ARRAY(proof->arena, path_step, e->steps.count + 1);
        memcpy(kept->steps, e->steps.items, (size_t)e->steps.count * sizeof *kept->steps);
        kept->step_count = e->steps.count;
        kept->back_to = back_to;
    }
    if (unclear && !kept->unclear && kept->regions.count > 0) return;
    if (!unclear) kept->unclear = NULL; // one certain way is enough
    for (int32_t i = 0; i < kept->regions.count; i++) {
        const path_region *other = &kept->regions.items[i];
        if (other->condition == region.condition && other->known == region.known &&
            other->start == region.start)
            return;
    }
    HBG_PUSH(proof->arena, kept->regions, region);
}

/* ---- guards that read what never was ----------------------------------------------------------------------- */

static bool is_relation(int op) {
    return op == HBG_OP_EQUAL || op == HBG_OP_NOT_EQUAL || (op >= HBG_OP_LESS && op <= HBG_OP_GREATER_EQUAL);
}

/* Storages that a relation names and that jumped in the mode under examination, where finite parts decided
 * it. */
static void suspect_relation(path_explorer *e, path_search *search, exact_scope *scope, int32_t transition,
                             hbg_exact_term relation, const formula *x_plus) {
    group_proof *proof = e->proof;
    formulas *f = &proof->f;
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, relation);
    // as part of its guard: where it has no value the guard did not read it
    exact_value a = hbg_verify_scope_evaluate_when(scope, node.a, f->no);
    exact_value b = hbg_verify_scope_evaluate_when(scope, node.b, f->no);
    formula by_finite = hbg_verify_formula_equal(f, a.area ? a.area : f->zero, b.area ? b.area : f->zero);
    if (a.open) by_finite = hbg_verify_formula_and(f, by_finite, hbg_verify_formula_not(f, a.open));
    if (b.open) by_finite = hbg_verify_formula_and(f, by_finite, hbg_verify_formula_not(f, b.open));
    exact_terms terms = hbg_verify_terms_below(proof, relation);
    for (int32_t i = 0; i < terms.count; i++) {
        hbg_exact_node at = hbg_eqn_exact_node(proof->eqn, terms.items[i]);
        const int32_t *named;
        if (at.op != HBG_EXACT_VARIABLE) continue;
        int32_t states = hbg_eqn_exact_named(proof->eqn, at.a, &named);
        for (int32_t k = 0; k < states; k++) {
            formula jumped = hbg_verify_formula_not(
                f, hbg_verify_formula_equal(f, x_plus[named[k]], search->past.x[named[k]]));
            formula when = hbg_verify_formula_and(f, jumped, by_finite);
            if (when != f->no)
                HBG_PUSH(proof->arena, search->suspects, (path_suspect){named[k], at.a, transition, when});
        }
    }
}

void hbg_verify_paths_suspect(path_explorer *e, path_search *search, exact_scope *scope,
                              const int32_t *taken) {
    group_proof *proof = e->proof;
    formula *x_plus = HBG_NEW_ARRAY(proof->arena, formula, proof->system->state_count + 1);
    hbg_verify_values_energies(proof, scope->values, scope->past, x_plus);
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        if (taken[i] == HBG_NONE) continue;
        hbg_exact_guard guard = hbg_eqn_exact_guard(proof->eqn, taken[i]);
        if (guard.condition == HBG_NONE) continue;
        exact_terms terms = hbg_verify_terms_below(proof, guard.condition);
        for (int32_t k = 0; k < terms.count; k++)
            if (is_relation(hbg_eqn_exact_node(proof->eqn, terms.items[k]).op))
                suspect_relation(e, search, scope, taken[i], terms.items[k], x_plus);
    }
}

/* Where a storage keeps its energy in the mode found: everywhere, or where time has advanced together with
 * its neighbours there. Equality by chance does not count. */
static formula is_kept(group_proof *proof, const path_search *search, formula behind, formula before) {
    formulas *f = &proof->f;
    if (behind == before) return f->yes;
    if (search->commits > 0 || proof->instant.flowed == f->yes) return f->no;
    formula differs = hbg_verify_formula_not(f, hbg_verify_formula_equal(f, behind, before));
    bool follows = hbg_verify_formulas_check(f, hbg_verify_formula_and(f, proof->instant.flowed, differs)) ==
                   ANSWER_NONE;
    return follows ? proof->instant.flowed : f->no;
}

/* The name that the guard uses: a variable has several names, and users do not know those of bonds. */
static const char *name_in_guard(group_proof *proof, const path_suspect *at) {
    const hbg_model *model = proof->model;
    HBG_VEC(hbg_expr) stack = {0};
    hbg_buffer name;
    hbg_base_buffer_init(&name, proof->arena);
    HBG_PUSH(proof->arena, stack, model->transitions.items[at->transition].guard);
    while (stack.count > 0) {
        hbg_expr expr = stack.items[--stack.count];
        const hbg_expr_node *node = &model->exprs.items[expr];
        hbg_exact_node term = hbg_eqn_exact_node(proof->eqn, hbg_eqn_exact_expression(proof->eqn, expr));
        if (term.op == HBG_EXACT_VARIABLE && term.a == at->variable) {
            hbg_model_print_expr(model, expr, &name);
            return name.data;
        }
        if (node->op == HBG_OP_SIGNAL && model->signals.items[node->a].kind == HBG_SIGNAL_SIGNAL)
            HBG_PUSH(proof->arena, stack, model->signals.items[node->a].value);
        for (int i = hbg_model_expr_arity(node) - 1; i >= 0; i--)
            HBG_PUSH(proof->arena, stack, hbg_model_expr_argument(node, i));
    }
    hbg_eqn_exact_name(proof->eqn, at->variable, &name);
    return name.data;
}

static void check_suspects(path_explorer *e, const path_search *search, const formula *x_plus) {
    group_proof *proof = e->proof;
    for (int32_t i = 0; i < search->suspects.count; i++) {
        const path_suspect *at = &search->suspects.items[i];
        formula kept = is_kept(proof, search, x_plus[at->state], search->past.x[at->state]);
        if (kept == proof->f.no) continue;
        hbg_verify_paths_report(e, HBG_FINDING_FORBIDDEN, HBG_NONE, search->commits > 0,
                                hbg_verify_formula_and(&proof->f, at->when, kept), name_in_guard(proof, at));
    }
}

/* ---- energy ------------------------------------------------------------------------------------------------ */

typedef struct {
    exact_scope scope;
    const formula *x;
} energy_scope;

static exact_value energy_variable(exact_scope *scope, int32_t variable) {
    const energy_scope *at = (const energy_scope *)scope; // the scope comes first in it
    group_proof *proof = scope->proof;
    hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, variable);
    if (of.role == HBG_EXACT_STATE && of.view == HBG_EXACT_VALUE)
        return (exact_value){.fin = at->x[of.index]};
    const exact_value *found = hbg_verify_values_find(scope->values, variable);
    if (found) return (exact_value){.fin = found->fin, .is_truth = found->is_truth};
    exact_value known = hbg_verify_known_value(proof, scope->past, scope->values->of, variable);
    return known.fin ? (exact_value){.fin = known.fin, .is_truth = known.is_truth}
                     : (exact_value){.fin = proof->f.zero};
}

static formula stored(group_proof *proof, const exact_values *values, const exact_past *past,
                      const formula *x, int32_t part) {
    energy_scope at = {.x = x};
    formula sum = proof->f.zero;
    hbg_verify_scope_init(&at.scope, proof, values, past, false);
    at.scope.variable = energy_variable;
    for (int32_t i = 0; i < proof->system->storage_count; i++) {
        if (hbg_eqn_storage_part(proof->eqn, i) != part) continue;
        exact_value energy = hbg_verify_scope_evaluate(&at.scope, hbg_eqn_exact_energy(proof->eqn, i));
        sum = hbg_verify_formula_add(&proof->f, sum, hbg_verify_value_number(proof, energy));
    }
    return sum;
}

static formula work(group_proof *proof, const exact_values *values, const exact_past *past, const formula *x,
                    int32_t part) {
    energy_scope at = {.x = x};
    formula sum = proof->f.zero;
    hbg_verify_scope_init(&at.scope, proof, values, past, false);
    at.scope.variable = energy_variable;
    for (int32_t i = 0; i < proof->of.power_count; i++) {
        if (hbg_eqn_power_part(proof->eqn, proof->of.powers[i]) != part) continue;
        exact_value done =
            hbg_verify_scope_evaluate(&at.scope, hbg_eqn_exact_work(proof->eqn, proof->of.powers[i]));
        sum = hbg_verify_formula_add(&proof->f, sum, hbg_verify_value_number(proof, done));
    }
    return sum;
}

/* What holds for all values is not asked again on every way. */
static bool is_harmless(path_explorer *e, formula loss) {
    formulas *f = &e->proof->f;
    for (int32_t i = 0; i < e->harmless.count; i++)
        if (e->harmless.items[i] == loss) return true;
    if (!hbg_verify_formula_is_square_sum(f, loss)) return false;
    HBG_PUSH(f->arena, e->harmless, loss);
    return true;
}

/* The share of the energies that may be missing: 0, but where a law is not a straight line its energy is an
 * integral, whose weights are rounded. */
static formula allowed_share(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *at = &model->elements.items[i];
        if ((at->kind == HBG_KIND_C || at->kind == HBG_KIND_I) && !hbg_eqn_is_linear(at))
            return hbg_verify_formula_double(&proof->f, 1e-9);
    }
    return proof->f.zero;
}

/* More energy than before plus what sources gave, in a part that bonds connect. */
static void check_part(path_explorer *e, const path_search *search, const exact_values *values,
                       const formula *x_plus, int32_t part) {
    group_proof *proof = e->proof;
    formulas *f = &proof->f;
    if (f->account.undecided > ENERGY_TRIALS && !e->open) e->open = f->account.why;
    if (f->account.undecided > ENERGY_TRIALS) return;
    formula before = stored(proof, values, &search->past, search->past.x, part);
    formula after = stored(proof, values, &search->past, x_plus, part);
    formula supplied = work(proof, values, &search->past, x_plus, part);
    formula share = allowed_share(proof);
    formula gain = hbg_verify_formula_subtract(f, hbg_verify_formula_subtract(f, after, before), supplied);
    formula scale = hbg_verify_formula_multiply(f, share, hbg_verify_formula_add(f, before, after));
    formula created = hbg_verify_formula_less(f, f->zero, gain);
    if (share != f->zero)
        created = hbg_verify_formula_and(f, created, hbg_verify_formula_less(f, scale, gain));
    if (created == f->no || is_harmless(e, hbg_verify_formula_subtract(f, scale, gain))) return;
    hbg_verify_paths_report(e, HBG_FINDING_ENERGY, HBG_NONE, search->commits > 0, created, NULL);
}

/* The part of a state that jumps, or HBG_NONE. */
static int32_t part_of(const group_proof *proof, const path_search *search, const formula *x_plus,
                       int32_t state) {
    bool jumps = x_plus[state] != search->past.x[state];
    return jumps ? hbg_eqn_state_part(proof->eqn, state) : HBG_NONE;
}

/* Each of these once. */
static void check_energy(path_explorer *e, const path_search *search, const exact_values *values,
                         const formula *x_plus) {
    const group_proof *proof = e->proof;
    for (int32_t i = 0; i < proof->of.state_count && !proof->of.shares_source; i++) {
        int32_t part = part_of(proof, search, x_plus, proof->of.states[i]);
        bool seen = part == HBG_NONE;
        for (int32_t k = 0; k < i && !seen; k++)
            seen = part_of(proof, search, x_plus, proof->of.states[k]) == part;
        if (!seen) check_part(e, search, values, x_plus, part);
    }
}

#define JUMPS 400 /* that are kept */

void hbg_verify_paths_note_jump(path_explorer *e, const path_search *search, const int32_t *states,
                                const formula *x_plus) {
    group_proof *proof = e->proof;
    bool moves = false;
    for (int32_t i = 0; i < proof->system->state_count; i++) moves |= x_plus[i] != search->past.x[i];
    if (!moves || search->commits > 0 || e->jumps.count == JUMPS) return;
    formula condition = conjunction(&proof->f, e->base, proof->f.levels.asserted.count, proof->f.yes);
    HBG_PUSH(proof->arena, e->jumps, (path_jump){search->start, states, condition, x_plus});
}

static void note_way(path_explorer *e, const path_search *search) {
    group_proof *proof = e->proof;
    int32_t count = proof->f.levels.asserted.count - e->base;
    path_way way = {.start = e->steps.items[0].states,
                    .states = search->start,
                    .condition_count = count,
                    .x_plus = search->past.x,
                    .pre = search->past.pre,
                    .drawn = search->past.drawn,
                    .stays = search->commits == 0};
    way.conditions = HBG_NEW_ARRAY(proof->arena, formula, count + 2);
    for (int32_t i = 0; i < count; i++) way.conditions[i] = proof->f.levels.asserted.items[e->base + i];
    if (search->moves != proof->f.no) // else a pinnacle is lost, and the run ends
        way.conditions[way.condition_count++] = hbg_verify_formula_not(&proof->f, search->moves);
    way.step_count = e->steps.count;
    way.steps = HBG_NEW_ARRAY(proof->arena, path_step, e->steps.count + 1);
    memcpy(way.steps, e->steps.items, (size_t)e->steps.count * sizeof *way.steps);
    way.moved = HBG_NEW_ARRAY(proof->arena, bool, proof->model->automata.count + 1);
    for (int32_t i = 0; i < e->steps.count; i++)
        for (int32_t k = 0; k < proof->of.automaton_count; k++)
            way.moved[proof->of.automata[k]] |= e->steps.items[i].taken[k] != HBG_NONE;
    HBG_PUSH(proof->arena, e->ways_found, way);
}

void hbg_verify_paths_note_flow(path_explorer *e, const path_search *search) {
    formulas *f = &e->proof->f;
    if (e->maps) note_way(e, search);
    if (!e->keeps_flows || e->flows.count == HBG_FLOWS) return;
    formula condition = conjunction(f, e->base, f->levels.asserted.count, f->yes);
    path_jump flow = {e->steps.items[0].states, search->start, condition, search->past.x};
    HBG_PUSH(e->proof->arena, e->flows, flow);
}

void hbg_verify_paths_check_commit(path_explorer *e, const path_search *search, const exact_values *values,
                                   const formula *x_plus) {
    if (e->maps) return;
    check_suspects(e, search, x_plus);
    check_energy(e, search, values, x_plus);
}
