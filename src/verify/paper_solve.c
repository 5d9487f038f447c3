/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations and inequalities, solved as far as they are linear: an unknown that some equation has with a number as its factor is put into
 * all others. Numbers are fractions; nothing is rounded. */
#include <math.h>

#include "verify/paper_impl.h"

void hbg_verify_paper_unknown(paper_system *system, formula symbol) {
    HBG_PUSH(system->work->arena, system->unknowns, symbol);
    HBG_PUSH(system->work->arena, system->values, NULL);
}

void hbg_verify_paper_give(paper_system *system, const hbg_process_all *laws) {
    paper_work *work = system->work;
    formulas *f = &work->proof->f;
    for (int32_t i = 0; i < laws->count; i++) {
        const term_node node = work->made->process.terms.nodes.items[laws->items[i]];
        bool relation =
            node.op >= HBG_OP_EQUAL && node.op <= HBG_OP_GREATER_EQUAL && node.op != HBG_OP_NOT_EQUAL;
        if (!relation || hbg_verify_paper_is_truth(work, node.a)) continue; // a predicate
        formula difference = hbg_verify_formula_subtract(f, hbg_verify_paper_number(work, node.a),
                                                         hbg_verify_paper_number(work, node.b));
        if (node.op == HBG_OP_EQUAL)
            HBG_PUSH(work->arena, system->equations, difference);
        else if (node.op == HBG_OP_GREATER_EQUAL || node.op == HBG_OP_GREATER)
            HBG_PUSH(work->arena, system->bounds, difference);
        else
            HBG_PUSH(work->arena, system->bounds, hbg_verify_formula_negate(f, difference));
    }
}

bool hbg_verify_paper_linear(paper_work *work, formula a, formula symbol, formula *coefficient,
                             formula *rest) {
    formulas *f = &work->proof->f;
    if (!hbg_verify_formula_reads(f, a, &symbol, 1)) return false;
    formula factor = hbg_verify_paper_derivative(work, a, symbol);
    if (!factor || factor == f->zero || !hbg_verify_formula_is_number(f, factor)) return false;
    *coefficient = factor;
    *rest = hbg_verify_formula_replace(f, a, 1, &symbol, &f->zero);
    return true;
}

/* ---- solving --------------------------------------------------------------------------------------------------------------- */

/* Formulas with the unknowns that each of them reads, so that a large system is not searched again and
 * again. */
typedef struct {
    paper_formulas *all;
    HBG_VEC(paper_numbers) reads;
} tracked;

typedef struct {
    paper_system *system;
    hbg_pair_map number_of; /* Z3's number of a symbol -> unknown */
    tracked equations, bounds, values;
} solving;

static paper_numbers reads_of(solving *s, formula a) {
    return a ? hbg_verify_paper_leaves(s->system->work, a, &s->number_of) : (paper_numbers){0};
}

static bool reads(const paper_numbers *of, int32_t unknown) {
    for (int32_t i = 0; i < of->count; i++)
        if (of->items[i] == unknown) return true;
    return false;
}

static void track(solving *s, tracked *of, paper_formulas *all) {
    of->all = all;
    for (int32_t i = 0; i < all->count; i++)
        HBG_PUSH(s->system->work->arena, of->reads, reads_of(s, all->items[i]));
}

static void put_one(solving *s, tracked *into, int32_t unknown, formula value) {
    formulas *f = &s->system->work->proof->f;
    for (int32_t i = 0; i < into->all->count; i++) {
        if (!reads(&into->reads.items[i], unknown)) continue;
        into->all->items[i] = hbg_verify_formula_replace(f, into->all->items[i], 1,
                                                         &s->system->unknowns.items[unknown], &value);
        into->reads.items[i] = reads_of(s, into->all->items[i]);
    }
}

static bool solve_for(solving *s, int32_t unknown) {
    paper_system *system = s->system;
    formulas *f = &system->work->proof->f;
    formula symbol = system->unknowns.items[unknown], factor, rest;
    for (int32_t i = 0; i < system->equations.count; i++) {
        if (!reads(&s->equations.reads.items[i], unknown)) continue;
        if (!hbg_verify_paper_linear(system->work, system->equations.items[i], symbol, &factor, &rest))
            continue;
        formula value = hbg_verify_formula_negate(f, hbg_verify_formula_divide(f, rest, factor));
        size_t behind =
            (size_t)(--system->equations.count - i); // the others keep their order: elements before junctions
        memmove(system->equations.items + i, system->equations.items + i + 1,
                behind * sizeof *system->equations.items);
        memmove(s->equations.reads.items + i, s->equations.reads.items + i + 1,
                behind * sizeof *s->equations.reads.items);
        put_one(s, &s->equations, unknown, value);
        put_one(s, &s->bounds, unknown, value);
        put_one(s, &s->values, unknown, value);
        system->values.items[unknown] = value;
        s->values.reads.items[unknown] = reads_of(s, value);
        return true;
    }
    return false;
}

/* What has become 0 = 0 is removed; a number that is not 0 is a contradiction. */
static void clean(paper_system *system) {
    formulas *f = &system->work->proof->f;
    int32_t left = 0;
    for (int32_t i = 0; i < system->equations.count; i++) {
        formula own = system->equations.items[i];
        double number = hbg_verify_formula_to_double(f, own);
        if (!isnan(number) && number != 0) system->contradicts = true;
        if (own != f->zero && isnan(number)) system->equations.items[left++] = own;
    }
    system->equations.count = left;
    left = 0;
    for (int32_t i = 0; i < system->bounds.count; i++) {
        double number = hbg_verify_formula_to_double(f, system->bounds.items[i]);
        if (!isnan(number) && number < 0) system->contradicts = true;
        if (isnan(number)) system->bounds.items[left++] = system->bounds.items[i];
    }
    system->bounds.count = left;
}

void hbg_verify_paper_solve(paper_system *system) {
    paper_work *work = system->work;
    solving s = {.system = system};
    hbg_base_pair_map_init(&s.number_of, work->arena);
    for (int32_t i = 0; i < system->unknowns.count; i++)
        hbg_base_pair_map_add(&s.number_of,
                              (int32_t)Z3_get_ast_id(work->proof->f.z3, system->unknowns.items[i]), 0, i);
    track(&s, &s.equations, &system->equations);
    track(&s, &s.bounds, &system->bounds);
    track(&s, &s.values, &system->values);
    for (bool again = true; again && !hbg_verify_formulas_spent(&work->proof->f);) {
        again = false; // after another substitution it may be linear
        for (int32_t i = 0; i < system->unknowns.count && system->equations.count > 0; i++)
            if (!system->values.items[i] && solve_for(&s, i)) again = true;
    }
    clean(system);
}

formula hbg_verify_paper_put(const paper_system *system, formula a) {
    formulas *f = &system->work->proof->f;
    paper_formulas from = {0}, to = {0};
    for (int32_t i = 0; i < system->unknowns.count; i++)
        if (system->unknowns.items[i] == a) return system->values.items[i] ? system->values.items[i] : a;
    for (int32_t i = 0; i < system->unknowns.count; i++) {
        if (!system->values.items[i]) continue;
        HBG_PUSH(system->work->arena, from, system->unknowns.items[i]);
        HBG_PUSH(system->work->arena, to, system->values.items[i]);
    }
    return hbg_verify_formula_replace(f, a, from.count, from.items, to.items);
}

/* ---- inequalities ------------------------------------------------------------------------------------------------------------ */

bool hbg_verify_paper_project(paper_system *system, formula symbol) {
    paper_work *work = system->work;
    formulas *f = &work->proof->f;
    paper_formulas lower = {0}, upper = {0}, other = {0};
    for (int32_t i = 0; i < system->equations.count; i++)
        if (hbg_verify_formula_reads(f, system->equations.items[i], &symbol, 1)) return false;
    for (int32_t i = 0; i < system->bounds.count; i++) {
        formula own = system->bounds.items[i], factor, rest;
        if (!hbg_verify_formula_reads(f, own, &symbol, 1)) {
            HBG_PUSH(work->arena, other, own);
            continue;
        }
        if (!hbg_verify_paper_linear(work, own, symbol, &factor, &rest)) return false;
        bool below = hbg_verify_formula_to_double(f, factor) > 0; // symbol + rest/factor >= 0
        formula limit =
            hbg_verify_formula_divide(f, rest, below ? factor : hbg_verify_formula_negate(f, factor));
        HBG_PUSH(work->arena, *(below ? &lower : &upper), limit);
    }
    for (int32_t i = 0; i < lower.count; i++)
        for (int32_t k = 0; k < upper.count; k++)
            HBG_PUSH(work->arena, other, hbg_verify_formula_add(f, lower.items[i], upper.items[k]));
    system->bounds = other;
    clean(system);
    return true;
}
