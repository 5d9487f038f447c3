/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model leaves open (docs/processes.md), as symbols: a parameter has one value, a restitution another one at each commit of an
 * instant, and so has a parameter that is chosen anew. What follows is proved for all of them. */
#include "verify/group_impl.h"

static formula constant(group_proof *proof, hbg_expr expr) {
    exact_past none = {.before = false};
    exact_values nothing = {.of = NULL};
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, &nothing, &none, false);
    return hbg_verify_value_number(
        proof, hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_expression(proof->eqn, expr)));
}

static void state(group_proof *proof, formula fact) {
    HBG_PUSH(proof->f.arena, proof->f.axioms.all, fact);
}

/* Between its ends; if a share λ is lost it is sqrt(1 - λ), which is expressed without a root. */
static void bound(group_proof *proof, const hbg_choice *choice, formula symbol) {
    formulas *f = &proof->f;
    formula low = constant(proof, choice->low), high = constant(proof, choice->high);
    if (choice->loss != HBG_LOSS_SHARE) {
        state(proof, hbg_verify_formula_less_equal(f, low, symbol));
        state(proof, hbg_verify_formula_less_equal(f, symbol, high));
        return;
    }
    formula square = hbg_verify_formula_multiply(f, symbol, symbol);
    state(proof, hbg_verify_formula_less_equal(f, f->zero, symbol));
    state(proof, hbg_verify_formula_less_equal(f, hbg_verify_formula_subtract(f, f->one, high), square));
    state(proof, hbg_verify_formula_less_equal(f, square, hbg_verify_formula_subtract(f, f->one, low)));
}

/* ---- parameters ------------------------------------------------------------------------------------------- */

static bool reads_drawn(const group_proof *proof, hbg_expr expr) {
    const hbg_expr_node *node = expr >= 0 ? &proof->model->exprs.items[expr] : NULL;
    if (!node) return false;
    if (node->op == HBG_OP_PARAM) return node->a >= 0 && proof->params.drawn[node->a];
    for (int i = 0; i < hbg_model_expr_arity(node); i++)
        if (reads_drawn(proof, hbg_model_expr_argument(node, i))) return true;
    return false;
}

/* Parameters that follow from others are drawn with them. */
static void mark_followers(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < model->params.count; i++) {
            if (proof->params.drawn[i] || proof->params.open[i] ||
                !reads_drawn(proof, model->params.items[i].value))
                continue;
            proof->params.drawn[i] = more = true;
        }
    }
}

static bool is_followed(const group_proof *proof, int32_t automaton) {
    if (automaton == HBG_NONE) return proof->of.automaton_count == proof->model->automata.count;
    for (int32_t i = 0; i < proof->of.automaton_count; i++)
        if (proof->of.automata[i] == automaton) return true;
    return false;
}

static void open_drawn(group_proof *proof, const hbg_choice *choice) {
    int32_t params = proof->model->params.count, param = choice->target.index;
    if (!proof->params.drawn) {
        proof->params.drawn = HBG_NEW_ARRAY(proof->arena, bool, params + 1);
        proof->params.before = HBG_NEW_ARRAY(proof->arena, formula, params + 1);
    }
    proof->params.drawn[param] = true;
    proof->forgets = false;
    if (is_followed(proof, choice->automaton)) return;
    proof->params.before[param] = hbg_verify_formula_real(
        &proof->f, hbg_base_arena_print(proof->arena, "%s before", proof->system->params[param].name));
    bound(proof, choice, proof->params.before[param]);
}

void hbg_verify_choices_of_params(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *choice = &model->choices.items[i];
        int32_t param = choice->target.index;
        if (choice->target.kind != HBG_OBJECT_PARAM || model->params.items[param].asked) continue;
        proof->params.open[param] = true;
        proof->params.value[param] =
            (exact_value){.fin = hbg_verify_formula_real(&proof->f, proof->system->params[param].name)};
        bound(proof, choice, proof->params.value[param].fin);
        if (choice->anew) open_drawn(proof, choice);
    }
    if (proof->params.drawn) mark_followers(proof);
}

/* ---- what is chosen at a commit ----------------------------------------------------------------------------- */

static formula chosen_at(group_proof *proof, const hbg_choice *choice, int32_t commit, const char *suffix) {
    for (int32_t i = 0; i < proof->chosen.count; i++) {
        const exact_choice *of = &proof->chosen.items[i];
        if (of->target.kind == choice->target.kind && of->target.index == choice->target.index &&
            of->commit == commit)
            return of->symbol;
    }
    hbg_buffer name;
    hbg_base_buffer_init(&name, proof->arena);
    hbg_model_path(proof->model, choice->target, &name);
    hbg_base_buffer_text(&name, suffix);
    exact_choice made = {choice->target, commit, hbg_verify_formula_real(&proof->f, name.data), name.data};
    HBG_PUSH(proof->arena, proof->chosen, made);
    bound(proof, choice, made.symbol);
    return made.symbol;
}

formula hbg_verify_choices_coefficient(group_proof *proof, int32_t junction, int32_t commit) {
    const hbg_choice *choice = hbg_model_choice_of(proof->model, (hbg_object){HBG_OBJECT_ELEMENT, junction});
    if (!proof->chooses || !choice) return NULL;
    const char *suffix = commit > 0 ? hbg_base_arena_print(proof->arena, "'%d", (int)commit + 1) : "";
    return chosen_at(proof, choice, commit, suffix);
}

static bool has_moved(const group_proof *proof, int32_t automaton, const int32_t *start,
                      const int32_t *states) {
    if (automaton != HBG_NONE) return start[automaton] != states[automaton];
    for (int32_t i = 0; i < proof->of.automaton_count; i++)
        if (start[proof->of.automata[i]] != states[proof->of.automata[i]]) return true;
    return false;
}

void hbg_verify_choices_draw(group_proof *proof, const int32_t *start, const int32_t *states,
                             const exact_past *begun, exact_past *past) {
    const hbg_model *model = proof->model;
    if (!proof->params.drawn) return;
    past->drawn = HBG_NEW_ARRAY(proof->arena, formula, model->params.count + 1);
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *choice = &model->choices.items[i];
        int32_t param = choice->target.index;
        if (!choice->anew || !proof->params.open[param]) continue;
        if (!has_moved(proof, choice->automaton, start, states))
            past->drawn[param] = begun->drawn ? begun->drawn[param] : NULL;
        else
            past->drawn[param] = chosen_at(proof, choice, begun->commit,
                                           hbg_base_arena_print(proof->arena, "'%d", (int)begun->commit + 1));
    }
}

static formula drawn_in(const group_proof *proof, const exact_past *past, int32_t param) {
    return past->drawn && past->drawn[param] ? past->drawn[param] : proof->params.value[param].fin;
}

formula hbg_verify_choices_same(group_proof *proof, const exact_past *a, const exact_past *b) {
    formula same = proof->f.yes;
    for (int32_t i = 0; proof->params.drawn && i < proof->model->params.count; i++)
        if (proof->params.open[i] && proof->params.drawn[i])
            same = hbg_verify_formula_and(
                &proof->f, same,
                hbg_verify_formula_equal(&proof->f, drawn_in(proof, a, i), drawn_in(proof, b, i)));
    return same;
}

/* ---- losses ------------------------------------------------------------------------------------------------- */

/* A number ε that is not below 0, with ε²·plastic = plastic - energy, or 0 where less would be left. */
formula hbg_verify_choices_after_loss(group_proof *proof, formula energy, formula plastic) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->losses.count; i++)
        if (proof->losses.items[i].energy == energy && proof->losses.items[i].plastic == plastic)
            return proof->losses.items[i].coefficient;
    const char *name = hbg_base_arena_print(proof->arena, "restitution'%d", (int)f->fresh++);
    formula made = hbg_verify_formula_real(f, name);
    formula square = hbg_verify_formula_multiply(f, made, made);
    formula left = hbg_verify_formula_subtract(f, plastic, energy);
    state(proof, hbg_verify_formula_less_equal(f, f->zero, made));
    state(proof, hbg_verify_formula_less_equal(f, made, f->one));
    state(proof, hbg_verify_formula_choose(
                     f, hbg_verify_formula_less(f, energy, plastic),
                     hbg_verify_formula_equal(f, hbg_verify_formula_multiply(f, square, plastic), left),
                     hbg_verify_formula_equal(f, made, f->zero)));
    exact_loss loss = {energy, plastic, made};
    HBG_PUSH(proof->arena, proof->losses, loss);
    return made;
}

/* ---- without a decision ------------------------------------------------------------------------------------- */

static formula usual(group_proof *proof, hbg_object target) {
    const hbg_model *model = proof->model;
    return constant(proof, target.kind == HBG_OBJECT_PARAM ? model->params.items[target.index].value
                                                           : model->elements.items[target.index].restitution);
}

formula hbg_verify_choices_default(group_proof *proof, formula a) {
    int32_t count = proof->chosen.count;
    if (count == 0) return a;
    formula *from = HBG_NEW_ARRAY(proof->arena, formula, count),
            *to = HBG_NEW_ARRAY(proof->arena, formula, count);
    for (int32_t i = 0; i < count; i++) {
        from[i] = proof->chosen.items[i].symbol;
        to[i] = usual(proof, proof->chosen.items[i].target);
    }
    return hbg_verify_formula_replace(&proof->f, a, count, from, to);
}
