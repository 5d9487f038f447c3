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
        bool relation = node.op >= HBG_OP_EQUAL && node.op <= HBG_OP_GREATER_EQUAL && node.op != HBG_OP_NOT_EQUAL;
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

bool hbg_verify_paper_linear(paper_work *work, formula a, formula symbol, formula *coefficient, formula *rest) {
    formulas *f = &work->proof->f;
    if (!hbg_verify_formula_reads(f, a, &symbol, 1)) return false;
    formula factor = hbg_verify_paper_derivative(work, a, symbol);
    if (!factor || factor == f->zero || !hbg_verify_formula_is_number(f, factor)) return false;
    *coefficient = factor;
    *rest = hbg_verify_formula_replace(f, a, 1, &symbol, &f->zero);
    return true;
}

/* ---- solving --------------------------------------------------------------------------------------------------------------- */

static void put_one(formulas *f, paper_formulas *into, formula symbol, formula value) {
    for (int32_t i = 0; i < into->count; i++)
        if (into->items[i] && hbg_verify_formula_reads(f, into->items[i], &symbol, 1))
            into->items[i] = hbg_verify_formula_replace(f, into->items[i], 1, &symbol, &value);
}

static bool solve_for(paper_system *system, int32_t unknown) {
    formulas *f = &system->work->proof->f;
    formula symbol = system->unknowns.items[unknown], factor, rest;
    for (int32_t i = 0; i < system->equations.count; i++) {
        if (!hbg_verify_paper_linear(system->work, system->equations.items[i], symbol, &factor, &rest)) continue;
        formula value = hbg_verify_formula_negate(f, hbg_verify_formula_divide(f, rest, factor));
        system->equations.count--; // the others keep their order: what elements say counts before what junctions do
        memmove(system->equations.items + i, system->equations.items + i + 1,
                (size_t)(system->equations.count - i) * sizeof *system->equations.items);
        put_one(f, &system->equations, symbol, value);
        put_one(f, &system->bounds, symbol, value);
        put_one(f, &system->values, symbol, value);
        system->values.items[unknown] = value;
        return true;
    }
    return false;
}

/* What has come to 0 = 0 goes; a number that is not 0 is a contradiction. */
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
    for (bool again = true; again;) { // what comes to light by another one may be linear now
        again = false;
        for (int32_t i = 0; i < system->unknowns.count && system->equations.count > 0; i++)
            if (!system->values.items[i] && solve_for(system, i)) again = true;
    }
    clean(system);
}

formula hbg_verify_paper_put(const paper_system *system, formula a) {
    formulas *f = &system->work->proof->f;
    paper_formulas from = {0}, to = {0};
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
        formula limit = hbg_verify_formula_divide(f, rest, below ? factor : hbg_verify_formula_negate(f, factor));
        HBG_PUSH(work->arena, *(below ? &lower : &upper), limit);
    }
    for (int32_t i = 0; i < lower.count; i++)
        for (int32_t k = 0; k < upper.count; k++)
            HBG_PUSH(work->arena, other, hbg_verify_formula_add(f, lower.items[i], upper.items[k]));
    system->bounds = other;
    clean(system);
    return true;
}
