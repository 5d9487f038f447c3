/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a polynomial of second degree is nowhere negative, decided by completing squares: if every storage
 * is linear, the energy that a jump loses is such a polynomial, and this is faster than any search. */
#include "verify/formula_impl.h"

#define SQUARES 40 /* symbols of a polynomial */

typedef struct {
    formulas *f;
    formula symbols[SQUARES];
    int32_t count;
    formula matrix[SQUARES + 1][SQUARES + 1]; /* of symbols and, first, 1; symmetric */
} quadratic;

/* The row of a symbol, from 1; 0 if there is no room. */
static int32_t row_of(quadratic *q, formula symbol) {
    for (int32_t i = 0; i < q->count; i++)
        if (q->symbols[i] == symbol) return i + 1;
    if (q->count == SQUARES) return 0;
    q->symbols[q->count++] = symbol;
    for (int32_t i = 0; i <= q->count; i++) q->matrix[i][q->count] = q->matrix[q->count][i] = q->f->zero;
    return q->count;
}

static void add_entry(quadratic *q, int32_t row, int32_t column, formula factor) {
    formulas *f = q->f;
    if (row != column) factor = hbg_verify_formula_divide(f, factor, hbg_verify_formula_integer(f, 2));
    q->matrix[row][column] = hbg_verify_formula_add(f, q->matrix[row][column], factor);
    if (row != column) q->matrix[column][row] = q->matrix[row][column];
}

typedef struct { /* a number times at most two symbols */
    formula factor;
    int32_t rows[2], degree;
} monomial;

static bool read_factors(quadratic *q, formula a, monomial *into) {
    formulas *f = q->f;
    if (hbg_verify_formula_is_number(f, a)) {
        into->factor = hbg_verify_formula_multiply(f, into->factor, a);
        return true;
    }
    Z3_app app = Z3_to_app(f->z3, a);
    unsigned count = Z3_get_app_num_args(f->z3, app);
    bool square = hbg_verify_formula_kind(f, a) == Z3_OP_POWER &&
                  hbg_verify_formula_to_double(f, Z3_get_app_arg(f->z3, app, 1)) == 2;
    if (square || hbg_verify_formula_kind(f, a) == Z3_OP_MUL) { // x² has two arguments, x and 2
        for (unsigned i = 0; i < count; i++)
            if (!read_factors(q, Z3_get_app_arg(f->z3, app, square ? 0 : i), into)) return false;
        return true;
    }
    if (count > 0 || into->degree == 2) return false;
    into->rows[into->degree] = row_of(q, a);
    return into->rows[into->degree++] != 0;
}

static bool read_monomial(quadratic *q, formula a) {
    monomial one = {.factor = q->f->one};
    if (!read_factors(q, a, &one)) return false;
    add_entry(q, one.rows[0], one.rows[1], one.factor);
    return true;
}

static bool read_polynomial(quadratic *q, formula a) {
    formulas *f = q->f;
    if (hbg_verify_formula_is_number(f, a) || hbg_verify_formula_kind(f, a) != Z3_OP_ADD)
        return read_monomial(q, a);
    for (unsigned i = 0; i < Z3_get_app_num_args(f->z3, Z3_to_app(f->z3, a)); i++)
        if (!read_monomial(q, Z3_get_app_arg(f->z3, Z3_to_app(f->z3, a), i))) return false;
    return true;
}

static bool is_positive(formulas *f, formula a) {
    return hbg_verify_formula_less(f, f->zero, a) == f->yes;
}

/* Squares of sines are written as 1 - c²: if that leaves a negative square, write the cosine instead. */
static bool turn_back(quadratic *q) {
    formulas *f = q->f;
    for (int32_t i = 0; i + 1 < f->symbols.count; i++) {
        const exact_symbol *sine = &f->symbols.items[i], *cosine = sine + 1;
        if (sine->op != HBG_OP_SIN || cosine->op != HBG_OP_COS || sine->argument != cosine->argument)
            continue;
        int32_t own = row_of(q, cosine->symbol), other = row_of(q, sine->symbol);
        if (own == 0 || other == 0) return false; // no room
        formula square = q->matrix[own][own];
        if (!is_positive(f, hbg_verify_formula_negate(f, square))) continue;
        add_entry(q, 0, 0, square);
        add_entry(q, other, other, hbg_verify_formula_negate(f, square));
        q->matrix[own][own] = f->zero;
    }
    return true;
}

/* Symmetric elimination: every pivot is positive, or 0 with zeros beside it. */
bool hbg_verify_formula_is_square_sum(formulas *f, formula a) {
    quadratic *q = HBG_NEW(f->arena, quadratic);
    q->f = f;
    q->matrix[0][0] = f->zero;
    if (!read_polynomial(q, hbg_verify_formula_simplify(f, a)) || !turn_back(q)) return false;
    bool done[SQUARES + 1] = {false};
    for (int32_t step = 0; step <= q->count; step++) {
        int32_t pivot = 0;
        while (pivot <= q->count && (done[pivot] || !is_positive(f, q->matrix[pivot][pivot]))) pivot++;
        if (pivot > q->count) break;
        done[pivot] = true;
        for (int32_t i = 0; i <= q->count; i++) {
            if (done[i] || q->matrix[i][pivot] == f->zero) continue;
            formula share = hbg_verify_formula_divide(f, q->matrix[i][pivot], q->matrix[pivot][pivot]);
            for (int32_t k = 0; k <= q->count; k++)
                if (!done[k])
                    q->matrix[i][k] = hbg_verify_formula_subtract(
                        f, q->matrix[i][k], hbg_verify_formula_multiply(f, share, q->matrix[pivot][k]));
        }
    }
    for (int32_t i = 0; i <= q->count; i++)
        for (int32_t k = 0; k <= q->count; k++)
            if (!done[i] && !done[k] && q->matrix[i][k] != f->zero) return false;
    return true;
}
