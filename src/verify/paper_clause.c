/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The clause of a mode: bond variables and rates in terms of energies and of what comes from outside. What is
 * left between energies alone is a constraint; it holds while time advances, so its rate is 0, too, until
 * nothing new follows. The order is states less constraints. */
#include <math.h>

#include "verify/paper_impl.h"

static const hbg_process_variable *variable_of(const paper_work *work, int32_t variable) {
    return &work->made->process.variables.items[variable];
}

/* ---- rates ---------------------------------------------------------------------------------------------------------------- */

/* The rate of a formula over energies and external values; NULL: it is not known. Truths and held values
 * stand still. */
static formula rate_of(paper_work *work, formula a) {
    formulas *f = &work->proof->f;
    formula sum = f->zero;
    paper_numbers reads = hbg_verify_paper_reads(work, a);
    for (int32_t k = 0; k < reads.count; k++) {
        int32_t i = reads.items[k];
        const hbg_process_variable of = *variable_of(work, i);
        formula symbol = work->map.symbols.items[i];
        if (of.is_truth || of.role == HBG_PROCESS_HELD) continue;
        formula own = hbg_verify_paper_derivative(work, a, symbol);
        bool moves =
            of.role == HBG_PROCESS_ENERGY || of.role == HBG_PROCESS_INPUT || of.role == HBG_PROCESS_TIME;
        if (!own || !moves) return NULL;
        formula rate =
            of.role == HBG_PROCESS_TIME ? f->one : work->map.symbols.items[hbg_verify_paper_rate(work, i)];
        sum = hbg_verify_formula_add(f, sum, hbg_verify_formula_multiply(f, own, rate));
    }
    return sum;
}

/* ---- equations -------------------------------------------------------------------------------------------------------------- */

static void add_unknowns(paper_system *system, hbg_process_role role) {
    paper_work *work = system->work;
    for (int32_t i = 0; i < work->map.symbols.count; i++)
        if (variable_of(work, i)->role == role) hbg_verify_paper_unknown(system, work->map.symbols.items[i]);
}

static bool is_between_energies(const paper_system *system, formula a) {
    paper_numbers reads = hbg_verify_paper_reads(system->work, a);
    for (int32_t i = 0; i < reads.count; i++) {
        hbg_process_role role = variable_of(system->work, reads.items[i])->role;
        if (role == HBG_PROCESS_BOND || role == HBG_PROCESS_RATE) return false;
    }
    return true;
}

/* The energy that a constraint is solved for; without one it stays as an equation. */
static void settle(paper_system *system, paper_clause *clause, int32_t place) {
    paper_work *work = system->work;
    formulas *f = &work->proof->f;
    formula own = system->equations.items[place];
    formula rate = rate_of(work, own);
    bool reads_energy = false;
    int32_t before = system->unknowns.count;
    system->equations.items[place] = system->equations.items[--system->equations.count];
    for (int32_t i = work->map.symbols.count - 1; i >= 0; i--) {
        formula symbol = work->map.symbols.items[i];
        if (variable_of(work, i)->role != HBG_PROCESS_ENERGY || !hbg_verify_formula_reads(f, own, &symbol, 1))
            continue;
        reads_energy = true;
        formula factor, rest;
        if (!hbg_verify_paper_linear(work, own, symbol, &factor, &rest)) continue;
        paper_system one = {.work = work};
        HBG_PUSH(work->arena, one.equations, own);
        hbg_verify_paper_unknown(&one, symbol);
        hbg_verify_paper_solve(&one);
        hbg_verify_paper_unknown(system, symbol);
        system->values.items[before] = one.values.items[0];
        for (int32_t k = 0; k < system->equations.count; k++)
            system->equations.items[k] = hbg_verify_paper_put(&one, system->equations.items[k]);
        for (int32_t k = 0; k < before; k++)
            if (system->values.items[k])
                system->values.items[k] = hbg_verify_paper_put(&one, system->values.items[k]);
        break;
    }
    clause->order -= reads_energy;
    clause->hidden = hbg_verify_formula_and(f, clause->hidden, hbg_verify_formula_equal(f, own, f->zero));
    if (rate) {
        // twice: rates belong to what was substituted, and are known themselves
        HBG_PUSH(work->arena, system->equations,
                 hbg_verify_paper_put(system, hbg_verify_paper_put(system, rate)));
    }
}

static void solve(paper_work *work, paper_clause *clause) {
    paper_system *system = &clause->system;
    int32_t most = clause->order + 2;
    hbg_verify_paper_solve(system);
    for (int32_t i = 0; i < system->equations.count && most > 0 && !system->contradicts;) {
        if (!is_between_energies(system, system->equations.items[i])) {
            i++;
            continue;
        }
        settle(system, clause, i);
        hbg_verify_paper_solve(system);
        most--;
        i = 0;
    }
    for (int32_t i = 0; i < system->equations.count; i++) // what no unknown could be solved from
        clause->hidden = hbg_verify_formula_and(
            &work->proof->f, clause->hidden,
            hbg_verify_formula_equal(&work->proof->f, system->equations.items[i], work->proof->f.zero));
}

/* ---- predicates --------------------------------------------------------------------------------------------------------------- */

/* What switches is in these modes. */
static formula in_modes(paper_work *work, const paper_clause *clause, formula a) {
    formulas *f = &work->proof->f;
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *of = &work->switches.items[i];
        for (int32_t k = 0; k < of->modes && of->kind == PAPER_AUTOMATON; k++) {
            int32_t variable = work->at.discrete[work->model->automata.items[of->automaton].first_state + k];
            if (variable == HBG_NONE) continue;
            a = hbg_verify_formula_replace(f, a, 1, &work->map.symbols.items[variable],
                                           clause->modes[i] == k ? &f->yes : &f->no);
        }
    }
    return a;
}

/* Laws of the clause are equations; everything else there is a predicate. Every row that leads to the mode
 * has the same. */
static void read_rows(paper_work *work, paper_clause *clause) {
    formulas *f = &work->proof->f;
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *of = &work->switches.items[i];
        int32_t mode = hbg_verify_paper_mode_of(work, clause->modes, i);
        int32_t row = 0;
        while (row < of->rows.count && of->rows.items[row].after != mode) row++;
        if (row == of->rows.count) continue;
        const hbg_process_all *laws = &of->rows.items[row].told.clause;
        hbg_process_all equations = {0};
        for (int32_t k = 0; k < laws->count; k++) {
            bool law = k >= laws->count - of->rows.items[row].laws;
            if (law)
                HBG_PUSH(work->arena, equations, laws->items[k]);
            else
                clause->predicate = hbg_verify_formula_and(f, clause->predicate,
                                                           hbg_verify_paper_holds(work, laws->items[k]));
            clause->raw =
                hbg_verify_formula_and(f, clause->raw, hbg_verify_paper_holds(work, laws->items[k]));
        }
        hbg_verify_paper_give(&clause->system, &equations);
    }
}

/* ---- entry ---------------------------------------------------------------------------------------------------------------------- */

#define ORDERS 2 /* rates of an inequality that are examined */

/* Where a - b is not negative, and does not become so at once. */
static formula enters(paper_work *work, const paper_system *system, formula a, int orders, bool sure) {
    formulas *f = &work->proof->f;
    formula rate = rate_of(work, a);
    if (rate) rate = hbg_verify_paper_put(system, hbg_verify_paper_put(system, rate));
    formula positive = hbg_verify_formula_less(f, f->zero, a), none = hbg_verify_formula_equal(f, a, f->zero);
    if (rate == f->zero) return hbg_verify_formula_less_equal(f, f->zero, a);
    formula behind =
        orders == 0 || !rate ? (sure ? f->no : f->yes) : enters(work, system, rate, orders - 1, sure);
    return hbg_verify_formula_or(f, positive, hbg_verify_formula_and(f, none, behind));
}

static formula entry_of(paper_work *work, const paper_system *system, formula a, bool sure) {
    formulas *f = &work->proof->f;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_AND || kind == Z3_OP_OR) {
        formula all = kind == Z3_OP_AND ? f->yes : f->no;
        for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
            formula own = entry_of(work, system, hbg_verify_formula_argument(f, a, i), sure);
            all =
                kind == Z3_OP_AND ? hbg_verify_formula_and(f, all, own) : hbg_verify_formula_or(f, all, own);
        }
        return all;
    }
    bool below = kind == Z3_OP_LE, above = kind == Z3_OP_GE;
    if (!below && !above) return a;
    formula left = hbg_verify_formula_argument(f, a, 0), right = hbg_verify_formula_argument(f, a, 1);
    return enters(work, system,
                  below ? hbg_verify_formula_subtract(f, right, left)
                        : hbg_verify_formula_subtract(f, left, right),
                  ORDERS, sure);
}

void hbg_verify_paper_clause(paper_work *work, paper_clause *clause) {
    formulas *f = &work->proof->f;
    paper_system *system = &clause->system;
    system->work = work;
    clause->predicate = clause->hidden = clause->raw = f->yes;
    for (int32_t i = 0; i < work->map.symbols.count; i++) {
        hbg_process_role role = variable_of(work, i)->role;
        clause->order += role == HBG_PROCESS_ENERGY;
        if (role == HBG_PROCESS_INPUT && !variable_of(work, i)->is_truth) hbg_verify_paper_rate(work, i);
    }
    add_unknowns(system, HBG_PROCESS_BOND);
    add_unknowns(system, HBG_PROCESS_RATE);
    hbg_verify_paper_give(system, &work->clause);
    for (int32_t i = 0; i < work->clause.count; i++)
        clause->raw =
            hbg_verify_formula_and(f, clause->raw, hbg_verify_paper_holds(work, work->clause.items[i]));
    read_rows(work, clause);
    solve(work, clause);
    clause->raw = in_modes(work, clause, clause->raw);
    clause->predicate = hbg_verify_paper_put(system, in_modes(work, clause, clause->predicate));
    if (system->contradicts) clause->predicate = f->no;
    clause->entry = entry_of(work, system, clause->predicate, false);
    clause->entry_sure = entry_of(work, system, clause->predicate, true);
}

/* ---- telling it -------------------------------------------------------------------------------------------------------------------- */

#define CUBES 16 /* conjunctions of a predicate that are reported */

static hbg_term told_equation(paper_work *work, formula left, formula right) {
    hbg_terms *terms = &work->made->process.terms;
    return hbg_term_make(terms, HBG_OP_EQUAL, hbg_verify_process_term(&work->map, true, left),
                         hbg_verify_process_term(&work->map, true, right), HBG_NONE);
}

hbg_process_any hbg_verify_paper_told(paper_work *work, bool flows, formula known, formula a) {
    path_region region = {.known = known, .condition = a};
    region_cubes cubes = hbg_verify_region_cubes(&work->proof->f, &region, 1, CUBES);
    hbg_process_any made = {.count = cubes.count, .complete = cubes.complete};
    made.items = HBG_NEW_ARRAY(work->arena, hbg_process_all, cubes.count + 1);
    for (int32_t i = 0; i < cubes.count; i++)
        for (int32_t k = 0; k < cubes.items[i].count; k++)
            HBG_PUSH(work->arena, made.items[i],
                     hbg_verify_process_literal(&work->map, flows, cubes.items[i].items[k]));
    return made;
}

static bool is_told(const paper_work *work, int32_t variable) {
    const hbg_process_variable *of = variable_of(work, variable);
    if (of->role == HBG_PROCESS_RATE) return variable_of(work, of->of)->role == HBG_PROCESS_ENERGY;
    return of->role == HBG_PROCESS_BOND && work->kept[of->of / 2];
}

hbg_paper_clause hbg_verify_paper_tell_clause(paper_work *work, const paper_clause *clause) {
    formulas *f = &work->proof->f;
    const paper_system *system = &clause->system;
    hbg_paper_clause made = {.order = clause->order, .contradicts = system->contradicts};
    static const hbg_process_role roles[] = {HBG_PROCESS_RATE, HBG_PROCESS_BOND};
    for (int r = 0; r < 2; r++)
        for (int32_t i = 0, count = work->map.symbols.count; i < count; i++) {
            if (variable_of(work, i)->role != roles[r]) continue;
            formula symbol = work->map.symbols.items[i], value = hbg_verify_paper_put(system, symbol);
            if (value == symbol && roles[r] == HBG_PROCESS_BOND && !made.undecided)
                made.undecided = variable_of(work, i)->name;
            if (value != symbol && is_told(work, i))
                HBG_PUSH(work->arena, made.equations, told_equation(work, symbol, value));
        }
    for (int32_t i = 0; i < system->unknowns.count; i++) {
        formula symbol = system->unknowns.items[i];
        for (int32_t k = 0; k < work->map.symbols.count; k++)
            if (work->map.symbols.items[k] == symbol && variable_of(work, k)->role == HBG_PROCESS_ENERGY)
                HBG_PUSH(work->arena, made.constraints, told_equation(work, symbol, system->values.items[i]));
    }
    for (int32_t i = 0; i < system->equations.count; i++)
        HBG_PUSH(work->arena, made.constraints, told_equation(work, system->equations.items[i], f->zero));
    made.invariants = hbg_verify_paper_told(work, true, f->yes, clause->predicate);
    verify_answer sure =
        hbg_verify_formulas_check(f, hbg_verify_formula_and(f, clause->hidden, clause->entry_sure));
    verify_answer open =
        sure == ANSWER_FOUND
            ? sure
            : hbg_verify_formulas_check(f, hbg_verify_formula_and(f, clause->hidden, clause->entry));
    made.flows = sure == ANSWER_FOUND ? HBG_PROVED : open == ANSWER_NONE ? HBG_VIOLATED : HBG_NOT_DECIDED;
    return made;
}
