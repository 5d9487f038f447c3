/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations that are solved together. They are ordered where possible; where they read each other in a
 * circle, some variables are torn (a greedy choice keeps them few), and the others follow from them. Unknowns
 * that are linear in their equations are eliminated one after the other, so no loop is left; the rest become
 * constraints, which the program that runs the diagram solves. */
#include <math.h>

#include "emit/blocks_impl.h"

enum { MOST_ELIMINATED = 8 }; /* unknowns: formulas grow with their number */

typedef struct {
    drafting *draft;
    hbg_arena *arena;
    const int32_t *variables;
    const equation *of;
    int32_t count;
    bool *torn, *done;
    int32_t *order; /* members that follow from others */
    int32_t order_count;
    int32_t *unknown; /* members that are torn */
    int32_t unknown_count;
    hbg_term *formula; /* by member: in terms of unknowns and known variables */
} solving;

/* ---- an order ----------------------------------------------------------------------------------------- */

static bool is_ready(const solving *s, int32_t member) {
    hbg_terms *terms = &s->draft->eqn->terms;
    hbg_term_walk(terms, s->of[member].term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        int32_t read = node->op == TERM_VARIABLE ? s->draft->member[node->a] - 1 : HBG_NONE;
        if (read >= 0 && !s->done[read] && !s->torn[read]) return false;
    }
    return true;
}

static bool take_ready(solving *s) {
    bool any = false;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->done[i] || s->torn[i] || s->of[i].kind != EQUATION_ASSIGN || !is_ready(s, i)) continue;
        s->order[s->order_count++] = i;
        s->done[i] = any = true;
    }
    return any;
}

/* The variable that most of the remaining equations read; an implicit equation leaves no choice. */
static int32_t best_tear(const solving *s) {
    hbg_terms *terms = &s->draft->eqn->terms;
    int32_t *readers = HBG_NEW_ARRAY(s->arena, int32_t, s->count + 1), best = HBG_NONE;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->done[i] || s->torn[i]) continue;
        if (s->of[i].kind == EQUATION_IMPLICIT) return i;
        hbg_term_walk(terms, s->of[i].term);
        for (int32_t k = 0; k < terms->walk.count; k++) {
            const term_node *node = &terms->nodes.items[terms->walk.items[k]];
            int32_t read = node->op == TERM_VARIABLE ? s->draft->member[node->a] - 1 : HBG_NONE;
            if (read >= 0 && !s->done[read] && !s->torn[read]) readers[read]++;
        }
    }
    for (int32_t i = 0; i < s->count; i++)
        if (!s->done[i] && !s->torn[i] && (best == HBG_NONE || readers[i] > readers[best])) best = i;
    return best;
}

static void choose(solving *s) {
    for (int32_t i = 0; i < s->count; i++) s->done[i] = s->of[i].kind < EQUATION_ASSIGN;
    for (;;) {
        while (take_ready(s)) {
        }
        int32_t member = best_tear(s);
        if (member == HBG_NONE) return;
        s->torn[member] = true;
        s->unknown[s->unknown_count++] = member;
    }
}

/* ---- elimination -------------------------------------------------------------------------------------- */

static hbg_term by_formula(void *context, int32_t variable) {
    const solving *s = context;
    int32_t member = s->draft->member[variable] - 1;
    return member >= 0 && !s->torn[member] ? s->formula[member] : HBG_NONE;
}

static bool reads_unknown(const solving *s, hbg_term term) {
    hbg_terms *terms = &s->draft->eqn->terms;
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        int32_t member = node->op == TERM_VARIABLE ? s->draft->member[node->a] - 1 : HBG_NONE;
        if (member >= 0 && s->torn[member]) return true;
    }
    return false;
}

/* The slope of a residual over an unknown, if it is constant; else HBG_NONE. */
static hbg_term slope_of(solving *s, hbg_term residual, int32_t variable) {
    hbg_terms *terms = &s->draft->eqn->terms;
    gradient parts = {0};
    hbg_term slope = HBG_NONE;
    hbg_term_gradient(terms, s->arena, residual, &parts);
    for (int32_t i = 0; i < parts.count; i++)
        if (parts.items[i].variable == variable) slope = parts.items[i].partial;
    if (slope == HBG_NONE || hbg_term_is_zero(terms, slope) || reads_unknown(s, slope)) return HBG_NONE;
    return slope;
}

static hbg_term without(const solving *s, hbg_term term, int32_t variable, hbg_term by) {
    hbg_replacement one = {variable, by};
    return hbg_term_substitute(&s->draft->eqn->terms, s->arena, term, hbg_term_replace_one, &one);
}

static bool is_arithmetic(int op) {
    return op == TERM_VARIABLE || op == HBG_OP_NUMBER || op == HBG_OP_ADD || op == HBG_OP_SUBTRACT ||
           op == HBG_OP_MULTIPLY || op == HBG_OP_DIVIDE || op == HBG_OP_NEGATE || op == HBG_OP_FINITE;
}

/* Derivatives ignore steps: an unknown may only be part of arithmetic and of the branches of a selection, not
 * of its condition. */
static bool is_arithmetical(const solving *s, hbg_term term) {
    hbg_terms *terms = &s->draft->eqn->terms;
    int32_map others = {0};
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        if (is_arithmetic(node->op)) continue;
        HBG_PUSH(s->arena, others, node->op == HBG_OP_SELECT ? node->a : terms->walk.items[i]);
    }
    for (int32_t i = 0; i < others.count; i++)
        if (reads_unknown(s, others.items[i])) return false;
    return true;
}

/* Unknown by unknown: −R(0)/R′ in terms of the remaining ones. False: some equation is not linear. */
static bool eliminate(solving *s) {
    hbg_terms *terms = &s->draft->eqn->terms;
    hbg_term residual[MOST_ELIMINATED] = {0};
    if (s->unknown_count == 0 || s->unknown_count > MOST_ELIMINATED) return false;
    for (int32_t i = 0; i < s->order_count; i++) {
        int32_t member = s->order[i];
        s->formula[member] = hbg_term_substitute(terms, s->arena, s->of[member].term, by_formula, s);
    }
    for (int32_t i = 0; i < s->unknown_count; i++) {
        const equation *of = &s->of[s->unknown[i]];
        residual[i] = hbg_term_substitute(terms, s->arena, of->term, by_formula, s);
        if (of->kind == EQUATION_ASSIGN)
            residual[i] =
                hbg_term_subtract(terms, residual[i], hbg_term_variable(terms, s->variables[s->unknown[i]]));
        if (!is_arithmetical(s, residual[i])) return false;
    }
    for (int32_t i = 0; i < s->unknown_count; i++) {
        int32_t variable = s->variables[s->unknown[i]];
        hbg_term slope = slope_of(s, residual[i], variable);
        if (slope == HBG_NONE) return false;
        hbg_term rest = without(s, residual[i], variable, hbg_term_integer(terms, 0));
        hbg_term solved = hbg_term_negate(terms, hbg_term_divide(terms, rest, slope));
        s->formula[s->unknown[i]] = solved;
        for (int32_t k = i + 1; k < s->unknown_count; k++)
            residual[k] = without(s, residual[k], variable, solved);
    }
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

static void put(const solving *s, int32_t member, hbg_term term) {
    hbg_emit_block_set(s->draft, s->variables[member], hbg_emit_block_of_term(s->draft, term));
}

/* The value of a constraint is patched in later; a state is best sought from its earlier value. */
static int32_t new_constraint(const solving *s, int32_t variable) {
    const hbg_eqn *eqn = s->draft->eqn;
    int32_t state = variable - eqn->first[VARIABLE_STATE], in[2] = {0, 0};
    bool guessed = variable < eqn->base_count && hbg_eqn_kind_of(eqn, variable) == VARIABLE_STATE;
    if (guessed) in[1] = s->draft->d->integrators[state];
    return hbg_emit_block(s->draft->d, (block){.kind = BLOCK_CONSTRAINT, .in_count = 1 + guessed}, in, NULL);
}

static void put_constraints(solving *s) {
    hbg_emit_blocks *d = s->draft->d;
    for (int32_t i = 0; i < s->unknown_count; i++) {
        int32_t variable = s->variables[s->unknown[i]];
        hbg_emit_block_set(s->draft, variable, new_constraint(s, variable));
    }
    for (int32_t i = 0; i < s->order_count; i++) put(s, s->order[i], s->of[s->order[i]].term);
    for (int32_t i = 0; i < s->unknown_count; i++) {
        const equation *of = &s->of[s->unknown[i]];
        int32_t own = s->draft->value[s->variables[s->unknown[i]]];
        int32_t residual = hbg_emit_block_of_term(s->draft, of->term);
        int32_t in[2] = {residual, own}, signs[2] = {1, -1};
        if (of->kind == EQUATION_ASSIGN)
            residual =
                hbg_emit_block(d, (block){.kind = BLOCK_SUM, .in_count = 2, .data_count = 2}, in, signs);
        d->ints.items[d->blocks.items[own].in] = residual;
    }
}

void hbg_emit_blocks_solve(drafting *draft, const int32_t *variables, const equation *of, int32_t count) {
    solving s = {.draft = draft, .arena = draft->arena, .variables = variables, .of = of, .count = count};
    s.torn = HBG_NEW_ARRAY(s.arena, bool, count + 1);
    s.done = HBG_NEW_ARRAY(s.arena, bool, count + 1);
    s.order = HBG_NEW_ARRAY(s.arena, int32_t, count + 1);
    s.unknown = HBG_NEW_ARRAY(s.arena, int32_t, count + 1);
    s.formula = HBG_NEW_ARRAY(s.arena, hbg_term, count + 1);
    for (int32_t i = 0; i < count; i++) {
        draft->member[variables[i]] = i + 1;
        s.formula[i] = HBG_NONE;
    }
    choose(&s);
    bool solved = eliminate(&s);
    for (int32_t i = 0; i < count; i++) draft->member[variables[i]] = 0;
    for (int32_t i = 0; i < count; i++)
        if (of[i].kind == EQUATION_KNOWN)
            hbg_emit_block_set(draft, variables[i], hbg_emit_block_known(draft, variables[i]));
    for (int32_t i = s.unknown_count - 1; i >= 0 && solved; i--)
        put(&s, s.unknown[i], s.formula[s.unknown[i]]);
    if (!solved) put_constraints(&s);
    for (int32_t i = 0; i < s.order_count && solved; i++) put(&s, s.order[i], of[s.order[i]].term);
}
