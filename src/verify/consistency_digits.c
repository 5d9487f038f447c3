/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constants that are no fractions, sqrt(2) or cos(1), are known between bounds. What is impossible anywhere
 * within the bounds is impossible: a proof holds. A value found must hold for the constant itself, so for
 * every number within its bounds. Values that fulfil an inequality with some distance do so; where none do,
 * the answer depends on digits that are not known. */
#include <math.h>

#include "verify/region_impl.h"

/* Between the sides of an inequality, as a share of their contributions: readable values first. */
static const double distances[] = {1e-9, 1e-15, 1e-21};

#define EDGES 4 /* that are met exactly at the same time */

typedef struct {
    formulas *f;
    double distance;
    hbg_pair_map place; /* (Z3's number, positive) -> in `made` */
    HBG_VEC(formula) made;
} firm_walk;

/* ---- numbers ------------------------------------------------------------------------------------------------- */

/* The largest value that its parts can give it, with the values found last. */
static double size_of(formulas *f, formula a) {
    if (hbg_verify_formula_is_number(f, a)) return fabs(hbg_verify_formula_to_double(f, a));
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    unsigned count = hbg_verify_formula_argument_count(f, a);
    double size = kind == Z3_OP_MUL ? 1 : 0;
    if (kind == Z3_OP_ADD || kind == Z3_OP_SUB || kind == Z3_OP_UMINUS || kind == Z3_OP_MUL) {
        for (unsigned i = 0; i < count; i++) {
            double part = size_of(f, hbg_verify_formula_argument(f, a, i));
            size = kind == Z3_OP_MUL ? size * part : size + part;
        }
        return size;
    }
    formula value = hbg_verify_formula_in_model(f, a);
    size = value ? fabs(hbg_verify_formula_to_double(f, value)) : 0;
    return isfinite(size) ? size : 0;
}

/* ---- unknowns ------------------------------------------------------------------------------------------------ */

/* How close the two ends that enclose an unknown are to its value, as a share of it. */
static const double brackets[] = {1e-20, 1e-17, 1e-14, 1e-11};

/* The unknown of a loop moves with the constants in its law: it lies between two numbers at which the law has
 * different signs, whatever the constants are. */
static bool find_bracket(formulas *f, formula law, const exact_unknown *of, interval *between) {
    formula value = hbg_verify_formula_in_model(f, of->symbol);
    double about = value ? hbg_verify_formula_to_double(f, value) : NAN;
    if (!isfinite(about)) return false;
    if (!hbg_verify_formula_is_number(f, value)) value = hbg_verify_formula_double(f, about);
    for (size_t i = 0; i < sizeof brackets / sizeof *brackets; i++) {
        formula distance = hbg_verify_formula_double(f, brackets[i] * (fabs(about) + 1));
        formula low = hbg_verify_formula_subtract(f, value, distance),
                high = hbg_verify_formula_add(f, value, distance);
        formula at_low = hbg_verify_formula_replace(f, law, 1, &of->symbol, &low);
        formula at_high = hbg_verify_formula_replace(f, law, 1, &of->symbol, &high);
        *between = (interval){low, high};
        if (hbg_verify_formula_holds_here(
                f, hbg_verify_formula_less(f, of->rises > 0 ? at_low : at_high, f->zero)) &&
            hbg_verify_formula_holds_here(
                f, hbg_verify_formula_less(f, f->zero, of->rises > 0 ? at_high : at_low)))
            return true;
    }
    return false;
}

/* With the values found: it holds whatever the constants are, and the unknowns that move with them. */
static bool holds_wherever(group_proof *proof, formula a) {
    formulas *f = &proof->f;
    int32_t kept = f->symbols.count, most = proof->unknowns.count, count = 0;
    formula *from = HBG_NEW_ARRAY(f->arena, formula, most + 1);
    formula *to = HBG_NEW_ARRAY(f->arena, formula, most + 1);
    for (int32_t i = 0; i < most; i++) { // later loops read what earlier ones give
        const exact_unknown *of = &proof->unknowns.items[i];
        if (!of->law || !hbg_verify_formula_reads(f, a, &of->symbol, 1)) continue;
        formula law = hbg_verify_formula_replace(f, of->law, count, from, to);
        if (!hbg_verify_formula_hangs(f, law)) continue;
        exact_symbol between = {.op = HBG_OP_NUMBER, .constant = true, .hangs = true, .text = of->text};
        between.symbol = hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "between'%d", f->fresh++));
        between.constant = find_bracket(f, law, of, &between.between); // else nothing is known about it
        HBG_PUSH(f->arena, f->symbols, between);
        from[count] = of->symbol;
        to[count++] = between.symbol;
    }
    bool holds = hbg_verify_formula_holds_here(f, hbg_verify_formula_replace(f, a, count, from, to));
    f->symbols.count = kept;
    return holds;
}

/* ---- inequalities -------------------------------------------------------------------------------------------- */

static formula firm(firm_walk *walk, formula a, bool positive);

static formula firm_relation(firm_walk *walk, formula a, bool less, bool positive) {
    formulas *f = walk->f;
    formula low = hbg_verify_formula_argument(f, a, less ? 0 : 1),
            high = hbg_verify_formula_argument(f, a, less ? 1 : 0);
    double distance = walk->distance * (size_of(f, low) + size_of(f, high));
    if (!positive) {
        formula kept = low;
        low = high;
        high = kept;
    }
    return hbg_verify_formula_less_equal(
        f, hbg_verify_formula_add(f, low, hbg_verify_formula_double(f, distance)), high);
}

static formula firm_parts(firm_walk *walk, formula a, bool all, bool positive) {
    formulas *f = walk->f;
    formula made = all ? f->yes : f->no;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
        formula part = firm(walk, hbg_verify_formula_argument(f, a, i), positive);
        made = all ? hbg_verify_formula_and(f, made, part) : hbg_verify_formula_or(f, made, part);
    }
    return made;
}

static formula make_firm(firm_walk *walk, formula a, bool positive) {
    formulas *f = walk->f;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    switch (kind) {
    case Z3_OP_NOT: return firm(walk, hbg_verify_formula_argument(f, a, 0), !positive);
    case Z3_OP_AND:
    case Z3_OP_OR: return firm_parts(walk, a, (kind == Z3_OP_AND) == positive, positive);
    case Z3_OP_LE:
    case Z3_OP_LT:
    case Z3_OP_GE:
    case Z3_OP_GT:
        if (hbg_verify_formula_hangs(f, a))
            return firm_relation(walk, a, kind == Z3_OP_LE || kind == Z3_OP_LT, positive);
        break;
    default: break;
    }
    return positive ? a : hbg_verify_formula_not(f, a);
}

static formula firm(firm_walk *walk, formula a, bool positive) {
    formulas *f = walk->f;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(&walk->place, id, positive);
    if (found >= 0) return walk->made.items[found];
    formula made = make_firm(walk, a, positive);
    HBG_PUSH(f->arena, walk->made, made);
    hbg_base_pair_map_add(&walk->place, id, positive, walk->made.count - 1);
    return made;
}

static bool find_firm(group_proof *proof, formula found, formula plain, double distance) {
    firm_walk walk = {.f = &proof->f, .distance = distance};
    hbg_base_pair_map_init(&walk.place, proof->arena);
    return hbg_verify_formulas_check(&proof->f, firm(&walk, found, true)) == ANSWER_FOUND &&
           holds_wherever(proof, plain);
}

/* ---- edges --------------------------------------------------------------------------------------------------- */

/* An energy that is met exactly where an inequality changes sides, q = π, moves with the constant. */
static bool solve_for(group_proof *proof, formula apart, formula symbol, formula *solved) {
    formulas *f = &proof->f;
    formula zero = f->zero, one = f->one, two = hbg_verify_formula_integer(f, 2);
    if (hbg_verify_formula_is_number(f, symbol) || !hbg_verify_formula_reads(f, apart, &symbol, 1))
        return false;
    formula rest = hbg_verify_formula_replace(f, apart, 1, &symbol, &zero);
    formula factor =
        hbg_verify_formula_subtract(f, hbg_verify_formula_replace(f, apart, 1, &symbol, &one), rest);
    formula twice =
        hbg_verify_formula_subtract(f, hbg_verify_formula_replace(f, apart, 1, &symbol, &two), rest);
    if (!hbg_verify_formula_is_number(f, factor) || factor == f->zero) return false;
    if (twice != hbg_verify_formula_multiply(f, two, factor)) return false;
    *solved = hbg_verify_formula_divide(f, hbg_verify_formula_negate(f, rest), factor);
    return !hbg_verify_formula_reads(f, *solved, &symbol, 1);
}

static bool is_relation(formulas *f, formula a) {
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind != Z3_OP_LE && kind != Z3_OP_LT && kind != Z3_OP_GE && kind != Z3_OP_GT && kind != Z3_OP_EQ)
        return false;
    formula first = hbg_verify_formula_argument(f, a, 0);
    return Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, first)) == Z3_REAL_SORT;
}

static bool solve_relation(group_proof *proof, formula a, formula *symbol, formula *solved) {
    formulas *f = &proof->f;
    formula apart = hbg_verify_formula_subtract(f, hbg_verify_formula_argument(f, a, 0),
                                                hbg_verify_formula_argument(f, a, 1));
    if (hbg_verify_formula_in_model(f, apart) != f->zero || !hbg_verify_formula_hangs(f, apart)) return false;
    for (int32_t i = 0; i < proof->system->state_count; i++) {
        *symbol = proof->x[i];
        if (solve_for(proof, apart, *symbol, solved)) return true;
    }
    return false;
}

/* The first relation that the values found meet exactly, with an energy for which it can be solved. */
static bool find_edge(group_proof *proof, formula a, formula *symbol, formula *solved) {
    formulas *f = &proof->f;
    hbg_pair_map seen;
    HBG_VEC(formula) stack = {0};
    hbg_base_pair_map_init(&seen, proof->arena);
    HBG_PUSH(proof->arena, stack, a);
    while (stack.count > 0) {
        formula at = stack.items[--stack.count];
        int32_t id = (int32_t)Z3_get_ast_id(f->z3, at);
        if (hbg_verify_formula_is_number(f, at) || hbg_base_pair_map_find(&seen, id, 0) >= 0) continue;
        hbg_base_pair_map_add(&seen, id, 0, 1);
        if (is_relation(f, at) && solve_relation(proof, at, symbol, solved)) return true;
        for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, at) && !is_relation(f, at); i++)
            HBG_PUSH(proof->arena, stack, hbg_verify_formula_argument(f, at, i));
    }
    return false;
}

/* With energies on edges that move: it exists, whatever the constants are. */
static bool holds_on_edges(group_proof *proof, formula found) {
    formulas *f = &proof->f;
    formula symbol, solved;
    for (int i = 0; i < EDGES; i++) {
        if (!find_edge(proof, found, &symbol, &solved)) return false;
        found = hbg_verify_formula_replace(f, found, 1, &symbol, &solved);
        if (holds_wherever(proof, found)) return true;
    }
    return false;
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

verify_answer hbg_verify_group_confirm(group_proof *proof, formula found) {
    formulas *f = &proof->f;
    if (!hbg_verify_formula_hangs(f, found)) return ANSWER_FOUND;
    formula plain = hbg_verify_unknowns_eliminate(proof, found);
    if (holds_wherever(proof, plain) || holds_on_edges(proof, plain)) return ANSWER_FOUND;
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
        if (find_firm(proof, found, plain, distances[i])) return ANSWER_FOUND;
    bool exactly = f->exactly;
    f->exactly = true; // no fraction near a constant will do
    verify_answer answer = hbg_verify_formulas_check(f, found);
    f->exactly = exactly;
    if (answer != ANSWER_FOUND) return answer;
    bool holds = holds_wherever(proof, plain) || holds_on_edges(proof, plain);
    return holds ? ANSWER_FOUND : ANSWER_UNKNOWN;
}

const char *hbg_verify_group_hangs_on(group_proof *proof, formula found) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (at->hangs && hbg_verify_formula_reads(f, found, &at->symbol, 1))
            return hbg_base_arena_print(f->arena, "the answer hangs on the last digits of `%s`", at->text);
    }
    return "the prover gave up on a question about polynomials";
}
