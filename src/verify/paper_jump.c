/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Jumps as relations: pulses, works and energies after the jump in terms of open choices and of energies
 * before. Works that nothing decides are eliminated by Fourier–Motzkin, which leaves one inequality for each
 * connected set of junctions that switch. */
#include "verify/paper_impl.h"

static hbg_process_role role_of(const paper_work *work, int32_t variable) {
    return work->made->process.variables.items[variable].role;
}

/* ---- making one --------------------------------------------------------------------------------------------------------- */

/* Bond variables as the clauses on both sides have them. */
static formula without_bonds(paper_work *work, const paper_product *of, formula a) {
    formulas *f = &work->proof->f;
    paper_formulas from = {0}, to = {0};
    for (int32_t i = 0; i < work->map.symbols.count && work->has_bonds_in_jumps; i++) {
        if (role_of(work, i) != HBG_PROCESS_BOND) continue;
        formula now = work->map.symbols.items[i], was = work->map.before.items[i];
        HBG_PUSH(work->arena, from, now);
        HBG_PUSH(work->arena, to, hbg_verify_paper_put(&of->after->system, now));
        HBG_PUSH(work->arena, from, was);
        HBG_PUSH(work->arena, to,
                 hbg_verify_paper_before(work, hbg_verify_paper_put(&of->before->system, now)));
    }
    return hbg_verify_formula_replace(f, a, from.count, from.items, to.items);
}

static void give(paper_system *system, const paper_product *of, const hbg_process_all *laws) {
    paper_system own = {.work = system->work};
    hbg_verify_paper_give(&own, laws);
    for (int32_t i = 0; i < own.equations.count; i++)
        HBG_PUSH(system->work->arena, system->equations,
                 without_bonds(system->work, of, own.equations.items[i]));
    for (int32_t i = 0; i < own.bounds.count; i++)
        HBG_PUSH(system->work->arena, system->bounds, without_bonds(system->work, of, own.bounds.items[i]));
}

/* Equations and bounds as they are. */
static formula all_of(const paper_system *system) {
    formulas *f = &system->work->proof->f;
    formula all = system->contradicts ? f->no : f->yes;
    for (int32_t i = 0; i < system->equations.count; i++)
        all =
            hbg_verify_formula_and(f, all, hbg_verify_formula_equal(f, system->equations.items[i], f->zero));
    for (int32_t i = 0; i < system->bounds.count; i++)
        all = hbg_verify_formula_and(f, all,
                                     hbg_verify_formula_less_equal(f, f->zero, system->bounds.items[i]));
    return all;
}

static void list_unknowns(paper_system *system, hbg_process_role role) {
    paper_work *work = system->work;
    for (int32_t i = 0; i < work->map.symbols.count; i++)
        if (role_of(work, i) == role) hbg_verify_paper_unknown(system, work->map.symbols.items[i]);
}

/* A copy that can be changed. */
static paper_system copy_of(const paper_system *system) {
    paper_system made = {.work = system->work, .contradicts = system->contradicts};
    hbg_arena *arena = system->work->arena;
    for (int32_t i = 0; i < system->equations.count; i++)
        HBG_PUSH(arena, made.equations, system->equations.items[i]);
    for (int32_t i = 0; i < system->bounds.count; i++) HBG_PUSH(arena, made.bounds, system->bounds.items[i]);
    for (int32_t i = 0; i < system->unknowns.count; i++) {
        HBG_PUSH(arena, made.unknowns, system->unknowns.items[i]);
        HBG_PUSH(arena, made.values, system->values.items[i]);
    }
    return made;
}

/* Eliminates open pulses and works, except those of bonds that are kept; false: one could not. */
static bool project(paper_system *system, const bool *kept) {
    paper_work *work = system->work;
    bool all = true;
    for (int32_t i = 0; i < work->map.symbols.count; i++) {
        hbg_process_role role = role_of(work, i);
        int32_t of = work->made->process.variables.items[i].of;
        if (role != HBG_PROCESS_PULSE && role != HBG_PROCESS_WORK) continue;
        if (kept && kept[role == HBG_PROCESS_PULSE ? of / 2 : of]) continue;
        all = hbg_verify_paper_project(system, work->map.symbols.items[i]) && all;
    }
    return all;
}

static formula energies_of(const paper_system *system) {
    paper_work *work = system->work;
    formulas *f = &work->proof->f;
    formula all = all_of(system);
    for (int32_t i = 0; i < system->unknowns.count; i++) {
        int32_t variable = hbg_base_pair_map_find(
            &work->number_of, (int32_t)Z3_get_ast_id(f->z3, system->unknowns.items[i]), 0);
        if (role_of(work, variable) == HBG_PROCESS_ENERGY && system->values.items[i])
            all = hbg_verify_formula_and(
                f, all, hbg_verify_formula_equal(f, system->unknowns.items[i], system->values.items[i]));
    }
    return all;
}

paper_case hbg_verify_paper_case(paper_work *work, const paper_product *of) {
    paper_case made = {.system = {.work = work}};
    list_unknowns(&made.system, HBG_PROCESS_PULSE);
    list_unknowns(&made.system, HBG_PROCESS_WORK);
    give(&made.system, of, &work->jump);
    for (int32_t i = 0; i < of->count; i++)
        if (of->rows[i]) give(&made.system, of, &of->rows[i]->told.jump);
    made.raw = all_of(&made.system);
    hbg_verify_paper_solve(&made.system);
    made.pulses = copy_of(&made.system);
    list_unknowns(&made.system, HBG_PROCESS_ENERGY);
    hbg_verify_paper_solve(&made.system);
    made.residue = all_of(&made.system);
    paper_system apart = copy_of(&made.system);
    made.exact = project(&apart, NULL);
    made.energies = energies_of(&apart);
    return made;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------------------- */

static bool is_part(paper_work *work, const paper_case *own, const paper_jump *of, bool energies) {
    formulas *f = &work->proof->f;
    formula any = f->no;
    for (int32_t i = 0; i < of->cases.count; i++)
        any = hbg_verify_formula_or(f, any, energies ? of->cases.items[i].energies : of->cases.items[i].raw);
    formula given = energies ? own->energies : own->residue;
    formula left = hbg_verify_formula_and(
        f, hbg_verify_paper_put(&own->system, given),
        hbg_verify_formula_not(f, hbg_verify_formula_simplify(f, hbg_verify_paper_put(&own->system, any))));
    return hbg_verify_formulas_check(f, left) == ANSWER_NONE;
}

bool hbg_verify_paper_same_jump(paper_work *work, const paper_jump *a, const paper_jump *b, bool energies) {
    for (int32_t i = 0; i < a->cases.count; i++)
        if (!is_part(work, &a->cases.items[i], b, energies)) return false;
    for (int32_t i = 0; i < b->cases.count; i++)
        if (!is_part(work, &b->cases.items[i], a, energies)) return false;
    return true;
}

void hbg_verify_paper_drop_cases(paper_work *work, paper_jump *jump) {
    formulas *f = &work->proof->f;
    for (int32_t i = jump->cases.count - 1; i >= 0; i--) {
        bool needless = hbg_verify_formulas_check(f, jump->cases.items[i].residue) == ANSWER_NONE;
        for (int32_t k = 0; k < jump->cases.count && !needless; k++) {
            paper_jump other = {0};
            if (k == i) continue;
            HBG_PUSH(work->arena, other.cases, jump->cases.items[k]);
            needless = is_part(work, &jump->cases.items[i], &other, false);
        }
        if (needless) {
            for (int32_t k = i; k + 1 < jump->cases.count; k++)
                jump->cases.items[k] = jump->cases.items[k + 1];
            jump->cases.count--;
        }
    }
}

formula hbg_verify_paper_on_energies(paper_work *work, const paper_jump *jump) {
    formulas *f = &work->proof->f;
    formula any = f->no;
    for (int32_t i = 0; i < jump->cases.count; i++)
        any = hbg_verify_formula_or(f, any, jump->cases.items[i].energies);
    return any;
}

/* ---- telling it ---------------------------------------------------------------------------------------------------------------------- */

static bool is_told(const paper_work *work, int32_t variable) {
    int32_t of = work->made->process.variables.items[variable].of;
    switch (role_of(work, variable)) {
    case HBG_PROCESS_ENERGY: return true;
    case HBG_PROCESS_PULSE: return work->kept[of / 2];
    case HBG_PROCESS_WORK: return work->kept[of];
    default: return false;
    }
}

static hbg_term told(paper_work *work, formula left, formula right) {
    return hbg_term_make(&work->made->process.terms, HBG_OP_EQUAL,
                         hbg_verify_process_term(&work->map, false, left),
                         hbg_verify_process_term(&work->map, false, right), HBG_NONE);
}

/* Energies after the jump that those before decide alone. */
static paper_system decided(paper_work *work, const paper_system *system) {
    paper_system made = {.work = work};
    for (int32_t i = 0; i < work->map.symbols.count; i++) {
        formula symbol = work->map.symbols.items[i], value = hbg_verify_paper_put(system, symbol);
        bool open = role_of(work, i) != HBG_PROCESS_ENERGY || value == symbol;
        if (open) continue;
        paper_numbers reads = hbg_verify_paper_reads(work, value);
        for (int32_t k = 0; k < reads.count; k++)
            open = open || role_of(work, reads.items[k]) == HBG_PROCESS_ENERGY;
        if (open) continue;
        hbg_verify_paper_unknown(&made, symbol);
        made.values.items[made.values.count - 1] = value;
    }
    return made;
}

/* Pulses and works in terms of energies on both sides, as one would write them; then the relations between
 * these energies. */
static void tell_case(paper_work *work, const paper_case *own, hbg_paper_jump *jump) {
    formulas *f = &work->proof->f;
    hbg_paper_case made = {0};
    paper_system pulses = copy_of(&own->pulses), known = decided(work, &own->system);
    project(&pulses, work->kept);
    for (int32_t i = 0, count = work->map.symbols.count; i < count; i++) {
        bool energy = role_of(work, i) == HBG_PROCESS_ENERGY;
        formula symbol = work->map.symbols.items[i],
                value = hbg_verify_paper_put(energy ? &own->system : &pulses, symbol);
        if (!is_told(work, i)) continue;
        if (energy && value != work->map.before.items[i]) jump->moves = true;
        if (!energy) value = hbg_verify_paper_put(&known, value);
        if (value != symbol) HBG_PUSH(work->arena, made.equations, told(work, symbol, value));
    }
    for (int32_t i = 0; i < pulses.equations.count; i++)
        if (hbg_verify_paper_put(&own->system, pulses.equations.items[i]) != f->zero)
            HBG_PUSH(work->arena, made.equations,
                     hbg_verify_process_literal(
                         &work->map, false,
                         hbg_verify_paper_put(
                             &known, hbg_verify_formula_equal(f, pulses.equations.items[i], f->zero))));
    for (int32_t i = 0; i < pulses.bounds.count; i++) {
        formula bound = hbg_verify_formula_less_equal(f, f->zero, pulses.bounds.items[i]);
        if (hbg_verify_paper_put(&own->system, bound) == f->yes) continue;
        HBG_PUSH(work->arena, made.inequalities,
                 hbg_verify_process_literal(&work->map, false, hbg_verify_paper_put(&known, bound)));
        jump->loses = true;
    }
    HBG_PUSH(work->arena, jump->cases, made);
}

hbg_paper_jump hbg_verify_paper_tell_jump(paper_work *work, const paper_jump *jump) {
    hbg_paper_jump made = {.on_energies = HBG_NONE};
    for (int32_t i = 0; i < jump->cases.count; i++) tell_case(work, &jump->cases.items[i], &made);
    return made;
}
