/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elimination of linear loops. As long as there is a number to divide by, by Gauss and Jordan; the rest,
 * usually two or three rows, by Cramer's rule, so that the determinant is the only divisor: a coefficient
 * that is 0 somewhere, such as the cosine of a horizontal rod, excludes no case. */
#include <math.h>

#include "verify/loop_impl.h"

#define CRAMER 4 /* rows and columns of a determinant that is written out */

static formula *entry(exact_loop *loop, int32_t row, int32_t column) {
    return &loop->matrix[(size_t)row * (size_t)(loop->count + 1) + (size_t)column];
}

/* Coefficients: the residual at the unit vectors less that at 0. */
static void read_coefficients(exact_loop *loop) {
    formulas *f = &loop->proof->f;
    hbg_arena *arena = loop->proof->arena;
    int32_t n = loop->count;
    formula *point = HBG_NEW_ARRAY(arena, formula, n + 1);
    loop->matrix = HBG_NEW_ARRAY(arena, formula, (size_t)n * (size_t)(n + 1));
    for (int32_t i = 0; i < n; i++) point[i] = f->zero;
    for (int32_t row = 0; row < n; row++) {
        formula at_zero = hbg_verify_formula_replace(f, loop->residuals[row], n, loop->unknowns, point);
        for (int32_t column = 0; column < n; column++) {
            *entry(loop, row, column) = f->zero;
            if (!hbg_verify_formula_reads(f, loop->residuals[row], &loop->unknowns[column], 1)) continue;
            point[column] = f->one;
            formula there = hbg_verify_formula_replace(f, loop->residuals[row], n, loop->unknowns, point);
            *entry(loop, row, column) = hbg_verify_formula_subtract(f, there, at_zero);
            point[column] = f->zero;
        }
        *entry(loop, row, n) = hbg_verify_formula_negate(f, at_zero);
    }
}

/* ---- Gauss and Jordan -------------------------------------------------------------------------------------- */

/* Divides the row by its entry there, and eliminates that unknown from all others. */
static void eliminate(exact_loop *loop, int32_t pivot, int32_t column) {
    formulas *f = &loop->proof->f;
    formula by = *entry(loop, pivot, column);
    for (int32_t k = 0; k <= loop->count; k++)
        *entry(loop, pivot, k) = hbg_verify_formula_divide(f, *entry(loop, pivot, k), by);
    for (int32_t row = 0; row < loop->count; row++) {
        formula factor = *entry(loop, row, column);
        if (row == pivot || factor == f->zero) continue;
        for (int32_t k = 0; k <= loop->count; k++) {
            formula share = hbg_verify_formula_multiply(f, factor, *entry(loop, pivot, k));
            *entry(loop, row, k) = hbg_verify_formula_subtract(f, *entry(loop, row, k), share);
        }
    }
    loop->used[pivot] = true;
    loop->row_of[column] = pivot;
}

/* An entry of rows and columns not used yet: a number, or with `any` whatever is not 0 everywhere. */
static bool find_pivot(exact_loop *loop, bool any, int32_t *row, int32_t *column) {
    formulas *f = &loop->proof->f;
    for (*column = 0; *column < loop->count; ++*column) {
        if (loop->row_of[*column] != HBG_NONE) continue;
        for (*row = 0; *row < loop->count; ++*row) {
            formula at = *entry(loop, *row, *column);
            if (loop->used[*row] || at == f->zero) continue;
            if (any || hbg_verify_formula_is_number(f, at)) return true;
        }
    }
    return false;
}

static void require(exact_loop *loop, formula divisor) {
    formulas *f = &loop->proof->f;
    if (hbg_verify_formula_is_number(f, divisor) || hbg_verify_formula_sign(f, divisor) != 0) return;
    hbg_verify_group_require(loop->proof,
                             hbg_verify_formula_not(f, hbg_verify_formula_equal(f, divisor, f->zero)),
                             "a loop of equations may be singular");
}

/* ---- Cramer ------------------------------------------------------------------------------------------------ */

typedef struct {
    exact_loop *loop;
    int32_t rows[CRAMER], columns[CRAMER]; /* left over */
    int32_t count;
} remainder_of;

/* Of these rows, from one on, and the columns marked. */
static formula determinant(const remainder_of *of, const int32_t *columns, int32_t from, unsigned free) {
    formulas *f = &of->loop->proof->f;
    formula sum = from == of->count ? f->one : f->zero;
    bool minus = false;
    for (int32_t k = 0; k < of->count && from < of->count; k++) {
        if (!(free >> k & 1)) continue;
        formula at = *entry(of->loop, of->rows[from], columns[k]);
        if (at != f->zero) {
            formula minor = determinant(of, columns, from + 1, free & ~(1u << k));
            formula share = hbg_verify_formula_multiply(f, at, minor);
            sum = minus ? hbg_verify_formula_subtract(f, sum, share) : hbg_verify_formula_add(f, sum, share);
        }
        minus = !minus;
    }
    return sum;
}

/* Every remaining unknown is a quotient of determinants. */
static bool solve_remainder(const remainder_of *of, exact_value *values) {
    exact_loop *loop = of->loop;
    formulas *f = &loop->proof->f;
    unsigned all = (1u << of->count) - 1;
    int32_t columns[CRAMER];
    formula whole = determinant(of, of->columns, 0, all);
    if (whole == f->zero) return false;
    require(loop, whole);
    for (int32_t i = 0; i < of->count; i++) {
        memcpy(columns, of->columns, sizeof columns);
        columns[i] = loop->count; // what they sum to
        formula own = determinant(of, columns, 0, all);
        values[of->columns[i]] = (exact_value){.fin = hbg_verify_formula_divide(f, own, whole)};
    }
    return true;
}

/* ---- both -------------------------------------------------------------------------------------------------- */

static int32_t list_remainder(exact_loop *loop, remainder_of *of) {
    int32_t rows = 0, columns = 0;
    for (int32_t i = 0; i < loop->count; i++) {
        if (!loop->used[i] && rows++ < CRAMER) of->rows[rows - 1] = i;
        if (loop->row_of[i] == HBG_NONE && columns++ < CRAMER) of->columns[columns - 1] = i;
    }
    of->count = columns;
    return columns;
}

bool hbg_verify_loop_solve(exact_loop *loop, exact_value *values) {
    formulas *f = &loop->proof->f;
    remainder_of rest = {.loop = loop};
    int32_t row, column;
    read_coefficients(loop);
    loop->used = HBG_NEW_ARRAY(loop->proof->arena, bool, loop->count + 1);
    loop->row_of = HBG_NEW_ARRAY(loop->proof->arena, int32_t, loop->count + 1);
    for (int32_t i = 0; i < loop->count; i++) loop->row_of[i] = HBG_NONE;
    while (find_pivot(loop, false, &row, &column)) eliminate(loop, row, column);
    while (list_remainder(loop, &rest) > CRAMER) {
        if (!find_pivot(loop, true, &row, &column)) return false;
        require(loop, *entry(loop, row, column));
        eliminate(loop, row, column);
    }
    if (rest.count > 0 && !solve_remainder(&rest, values)) return false;
    for (int32_t i = 0; i < loop->count; i++) {
        if (loop->row_of[i] == HBG_NONE) continue;
        formula sum = *entry(loop, loop->row_of[i], loop->count);
        for (int32_t k = 0; k < rest.count; k++) {
            formula factor = *entry(loop, loop->row_of[i], rest.columns[k]);
            formula share = hbg_verify_formula_multiply(f, factor, values[rest.columns[k]].fin);
            sum = hbg_verify_formula_subtract(f, sum, share);
        }
        values[i] = (exact_value){.fin = sum};
    }
    return true;
}

/* ---- loops that are not linear ----------------------------------------------------------------------------- */

/* Solves a row that is linear in the unknown, with a number as coefficient, for it and substitutes it in the
 * others; `plain`: only if the row is linear in all unknowns, so that the solution stays linear. */
static bool substitute(exact_loop *loop, formula *rows, int32_t row, int32_t column, bool plain) {
    formulas *f = &loop->proof->f;
    formula unknown = loop->unknowns[column], zero = f->zero, one = f->one;
    hbg_pair_map known;
    if (!hbg_verify_formula_reads(f, rows[row], &unknown, 1)) return false;
    hbg_base_pair_map_init(&known, loop->proof->arena);
    if (plain && hbg_verify_loop_degree(f, rows[row], loop->unknowns, loop->count, &known) != 1) return false;
    hbg_base_pair_map_init(&known, loop->proof->arena);
    if (hbg_verify_loop_degree(f, rows[row], &unknown, 1, &known) != 1) return false;
    formula rest = hbg_verify_formula_replace(f, rows[row], 1, &unknown, &zero);
    formula factor =
        hbg_verify_formula_subtract(f, hbg_verify_formula_replace(f, rows[row], 1, &unknown, &one), rest);
    if (!hbg_verify_formula_is_number(f, factor) || factor == f->zero) return false;
    formula solved = hbg_verify_formula_divide(f, hbg_verify_formula_negate(f, rest), factor);
    for (int32_t i = 0; i < loop->count; i++) {
        if (i == row || !rows[i]) continue;
        hbg_base_pair_map_init(&known, loop->proof->arena);
        formula next = hbg_verify_formula_replace(f, rows[i], 1, &unknown, &solved);
        // a symbol for a function of it would keep it
        if (hbg_verify_loop_degree(f, next, &unknown, 1, &known) != 0) return false;
        rows[i] = next;
    }
    rows[row] = NULL;
    loop->solved[column] = solved;
    loop->order[loop->solved_count++] = column;
    return true;
}

static bool is_continuous(formulas *f, formula a, formula unknown);

/* A choice is continuous if its branches agree where it switches. */
static bool choice_is_continuous(formulas *f, formula condition, formula a, formula b, formula unknown) {
    if (!is_continuous(f, a, unknown) || !is_continuous(f, b, unknown)) return false;
    if (!hbg_verify_formula_reads(f, condition, &unknown, 1)) return true;
    if (hbg_verify_formula_kind(f, condition) == Z3_OP_NOT)
        condition = hbg_verify_formula_argument(f, condition, 0);
    Z3_decl_kind kind = hbg_verify_formula_kind(f, condition);
    if (kind != Z3_OP_LE && kind != Z3_OP_GE && kind != Z3_OP_LT && kind != Z3_OP_GT) return false;
    formula left = hbg_verify_formula_argument(f, condition, 0),
            right = hbg_verify_formula_argument(f, condition, 1);
    if (!is_continuous(f, left, unknown) || !is_continuous(f, right, unknown)) return false;
    formula edge = hbg_verify_formula_equal(f, left, right);
    formula jump = hbg_verify_formula_not(f, hbg_verify_formula_equal(f, a, b));
    return hbg_verify_formulas_check(f, hbg_verify_formula_and(f, edge, jump)) == ANSWER_NONE;
}

/* A factor that jumps, sign(u), may do so where the other factors are 0: sign(u)·u². */
static bool product_is_continuous(formulas *f, formula a, formula unknown) {
    unsigned count = hbg_verify_formula_argument_count(f, a), jumps = count;
    formula rest = f->one;
    for (unsigned i = 0; i < count; i++) {
        formula factor = hbg_verify_formula_argument(f, a, i);
        bool chooses = hbg_verify_formula_kind(f, factor) == Z3_OP_ITE && jumps == count;
        if (chooses && !is_continuous(f, factor, unknown))
            jumps = i;
        else
            rest = hbg_verify_formula_multiply(f, rest, factor);
    }
    if (jumps == count) {
        for (unsigned i = 0; i < count; i++)
            if (!is_continuous(f, hbg_verify_formula_argument(f, a, i), unknown)) return false;
        return true;
    }
    formula chosen = hbg_verify_formula_argument(f, a, jumps);
    return choice_is_continuous(
        f, hbg_verify_formula_argument(f, chosen, 0),
        hbg_verify_formula_multiply(f, hbg_verify_formula_argument(f, chosen, 1), rest),
        hbg_verify_formula_multiply(f, hbg_verify_formula_argument(f, chosen, 2), rest), unknown);
}

/* Polynomials in the unknown, piece by piece. */
static bool is_continuous(formulas *f, formula a, formula unknown) {
    if (a == unknown || !hbg_verify_formula_reads(f, a, &unknown, 1)) return true;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_ITE)
        return choice_is_continuous(f, hbg_verify_formula_argument(f, a, 0),
                                    hbg_verify_formula_argument(f, a, 1),
                                    hbg_verify_formula_argument(f, a, 2), unknown);
    if (kind == Z3_OP_MUL) return product_is_continuous(f, a, unknown);
    if (kind == Z3_OP_DIV || kind == Z3_OP_POWER) {
        formula second = hbg_verify_formula_argument(f, a, 1);
        double exponent = hbg_verify_formula_to_double(f, second);
        bool fits = kind == Z3_OP_DIV ? !hbg_verify_formula_reads(f, second, &unknown, 1) &&
                                            hbg_verify_formula_sign(f, second) != 0
                                      : exponent > 0 && exponent == floor(exponent);
        return fits && is_continuous(f, hbg_verify_formula_argument(f, a, 0), unknown);
    }
    if (kind != Z3_OP_ADD && kind != Z3_OP_SUB && kind != Z3_OP_UMINUS) return false;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++)
        if (!is_continuous(f, hbg_verify_formula_argument(f, a, i), unknown)) return false;
    return true;
}

/* A piecewise polynomial that is strictly monotone is unbounded in both directions, so it is 0 exactly
 * once. */
static bool has_one_zero(exact_loop *loop, formula law, formula unknown) {
    formulas *f = &loop->proof->f;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (!at->argument || !hbg_verify_formula_reads(f, law, &at->symbol, 1)) continue;
        if (hbg_verify_formula_reads(f, at->argument, loop->unknowns, loop->count)) return false;
        if (at->second && hbg_verify_formula_reads(f, at->second, loop->unknowns, loop->count)) return false;
    }
    if (!hbg_verify_formula_reads(f, law, &unknown, 1) || !is_continuous(f, law, unknown)) return false;
    formula other = hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "unknown'%d", f->fresh++));
    formula there = hbg_verify_formula_replace(f, law, 1, &unknown, &other);
    formula above = hbg_verify_formula_less(f, unknown, other);
    formula falls = hbg_verify_formula_and(f, above, hbg_verify_formula_less_equal(f, there, law));
    loop->law = law;
    loop->rises = 1;
    if (hbg_verify_formulas_check(f, falls) == ANSWER_NONE) return true;
    formula rises = hbg_verify_formula_and(f, above, hbg_verify_formula_less_equal(f, law, there));
    loop->rises = -1;
    return hbg_verify_formulas_check(f, rises) == ANSWER_NONE;
}

bool hbg_verify_loop_is_unique(exact_loop *loop) {
    int32_t n = loop->count;
    formula *rows = HBG_NEW_ARRAY(loop->proof->arena, formula, n + 1);
    loop->solved = HBG_NEW_ARRAY(loop->proof->arena, formula, n + 1);
    loop->order = HBG_NEW_ARRAY(loop->proof->arena, int32_t, n + 1);
    memcpy(rows, loop->residuals, (size_t)n * sizeof *rows);
    for (bool plain = true, again = true; (again || plain) && loop->solved_count < n - 1;) {
        plain = plain && again;
        again = false;
        for (int32_t column = 0; column < n && loop->solved_count < n - 1; column++)
            for (int32_t row = 0; row < n && loop->solved_count < n - 1 && !loop->solved[column]; row++)
                again |= rows[row] && substitute(loop, rows, row, column, plain);
    }
    if (loop->solved_count != n - 1) return false;
    loop->last = 0;
    while (loop->solved[loop->last]) loop->last++;
    for (int32_t i = 0; i < n; i++)
        if (rows[i]) return has_one_zero(loop, rows[i], loop->unknowns[loop->last]);
    return false;
}
