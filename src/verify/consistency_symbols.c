/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Symbols for functions. A function of numbers alone, π or cos(1) or sqrt(2), is a constant: a symbol between
 * two close fractions, so that it is never taken for a fraction that other numbers may cancel. Roots also
 * have their law, which makes them exact. */
#include <math.h>
#include <stdlib.h>

#include "verify/group_impl.h"

#define BOUND_DIGITS  72    /* binary, of the bounds of a constant: more make polynomials slow */
#define SAMPLE_WITHIN 1e-15 /* relative: the fraction that is tried for a constant */

/* ---- symbols ----------------------------------------------------------------------------------------------- */

static const char *name_of(formulas *f, formula a) {
    Z3_func_decl declared = Z3_get_app_decl(f->z3, Z3_to_app(f->z3, a));
    return hbg_base_arena_print(f->arena, "%s",
                                Z3_get_symbol_string(f->z3, Z3_get_decl_name(f->z3, declared)));
}

/* A sum or product as it would be written. */
static void write(formulas *f, formula a, hbg_buffer *out) {
    bool product = hbg_verify_formula_kind(f, a) == Z3_OP_MUL;
    const exact_symbol *symbol = hbg_verify_formula_symbol(f, a);
    if (hbg_verify_formula_is_number(f, a)) {
        hbg_base_buffer_print(out, "%.15g", hbg_verify_formula_to_double(f, a));
    } else if (product || hbg_verify_formula_kind(f, a) == Z3_OP_ADD) {
        for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
            hbg_base_buffer_text(out, i == 0 ? "" : product ? "*" : " + ");
            write(f, hbg_verify_formula_argument(f, a, i), out);
        }
    } else {
        hbg_base_buffer_text(out, symbol ? symbol->text : name_of(f, a));
    }
}

static const char *text_of(group_proof *proof, int op, formula a, hbg_exact_term term) {
    formulas *f = &proof->f;
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    if (term == HBG_NONE) { // no expression names it
        hbg_base_buffer_print(&text, "%s(", hbg_model_operator_info_get((hbg_operator)op)->text);
        write(f, a, &text);
        hbg_base_buffer_char(&text, ')');
        return text.data;
    }
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, term);
    if (op != HBG_OP_SIN && op != HBG_OP_COS) {
        hbg_eqn_exact_print(proof->eqn, term, &text);
        return text.data;
    }
    hbg_base_buffer_print(&text, "%s(",
                          hbg_model_operator_info_get((hbg_operator)op)->text); // each stands for the other
    const exact_symbol *symbol = hbg_verify_formula_symbol(f, a);
    if (symbol)
        hbg_base_buffer_text(&text, symbol->text);
    else if (!hbg_verify_formula_is_number(f, a) &&
             hbg_verify_formula_is_name(f, a)) // the term has a multiple of the angle
        hbg_base_buffer_text(&text, name_of(f, a));
    else
        hbg_eqn_exact_print(proof->eqn, node.a, &text);
    hbg_base_buffer_char(&text, ')');
    return text.data;
}

/* The symbol for an operator on arguments, or NULL. */
static formula find_symbol(const formulas *f, int op, formula a, formula b) {
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (at->op == op && at->argument == a && at->second == b) return at->symbol;
    }
    return NULL;
}

formula hbg_verify_symbol_of(group_proof *proof, int op, formula a, formula b, hbg_exact_term term,
                             bool exact, bool *is_new) {
    formulas *f = &proof->f;
    formula found = find_symbol(f, op, a, b);
    *is_new = !found;
    if (found) return found;
    exact_symbol made = {.argument = a, .second = b, .op = op, .exact = exact};
    made.text = text_of(proof, op, a, term);
    made.symbol =
        hbg_verify_formula_real(f, hbg_base_arena_print(proof->arena, "%s'%d", made.text, f->fresh++));
    made.hangs = (a && hbg_verify_formula_hangs(f, a)) || (b && hbg_verify_formula_hangs(f, b));
    HBG_PUSH(f->arena, f->symbols, made);
    return made.symbol;
}

/* ---- fractions --------------------------------------------------------------------------------------------- */

/* The simplest fraction within a distance, by continued fractions. */
formula hbg_verify_symbol_fraction(formulas *f, double value, double within) {
    int64_t p[] = {0, 1}, q[] = {1, 0};
    double rest = value;
    if (!(fabs(value) > 1e-9 && fabs(value) < 1e9)) return hbg_verify_formula_double(f, value);
    for (int i = 0; i < 60; i++) {
        int64_t whole = (int64_t)floor(rest), p2 = whole * p[1] + p[0], q2 = whole * q[1] + q[0];
        p[0] = p[1], q[0] = q[1], p[1] = p2, q[1] = q2;
        if (fabs((double)p2 / (double)q2 - value) <= within || rest == floor(rest)) break;
        if (llabs(p2) > INT64_C(1) << 40 || llabs(q2) > INT64_C(1) << 40)
            return hbg_verify_formula_double(f, value);
        rest = 1 / (rest - floor(rest));
    }
    return hbg_verify_formula_divide(f, hbg_verify_formula_integer(f, p[1]),
                                     hbg_verify_formula_integer(f, q[1]));
}

/* ---- constants --------------------------------------------------------------------------------------------- */

static void add_bound(formulas *f, formula bound) {
    if (bound != f->yes) HBG_PUSH(f->arena, f->bounds.all, bound);
}

/* The symbol made last becomes a constant. */
static void make_constant(formulas *f, exact_symbol *symbol, interval between) {
    double about = hbg_verify_formula_to_double(f, between.low);
    between = hbg_verify_interval_shorten(f, between, BOUND_DIGITS);
    symbol->constant = symbol->hangs = true;
    symbol->between = between;
    symbol->sample =
        isfinite(about) ? hbg_verify_symbol_fraction(f, about, SAMPLE_WITHIN * fabs(about)) : between.low;
    add_bound(f, hbg_verify_formula_less_equal(f, between.low, symbol->symbol));
    add_bound(f, hbg_verify_formula_less_equal(f, symbol->symbol, between.high));
}

static interval enclose(formulas *f, formula a) {
    return a ? hbg_verify_formula_enclose(f, a) : (interval){NULL, NULL};
}

bool hbg_verify_symbol_constant(group_proof *proof, int op, formula a, formula b, hbg_exact_term term,
                                formula *made) {
    formulas *f = &proof->f;
    bool is_new;
    if ((a && !hbg_verify_formula_is_closed(f, a)) || (b && !hbg_verify_formula_is_closed(f, b)))
        return false;
    *made = find_symbol(f, op, a, b);
    if (*made) return hbg_verify_formula_symbol(f, *made)->constant; // -1 has no real root
    interval between = hbg_verify_interval_function(f, op, enclose(f, a), enclose(f, b));
    if (!hbg_verify_interval_is_known(between)) return false;
    *made = between.low;
    if (between.low == between.high) return true;
    *made = hbg_verify_symbol_of(proof, op, a, b, term, false, &is_new);
    if (is_new) make_constant(f, &f->symbols.items[f->symbols.count - 1], between);
    return true;
}

bool hbg_verify_symbol_root(group_proof *proof, int n, formula a, hbg_exact_term term, formula *made) {
    formulas *f = &proof->f;
    int op = n == 2 ? HBG_OP_SQRT : HBG_OP_CBRT;
    int32_t count = f->symbols.count;
    if (!hbg_verify_symbol_constant(proof, op, a, NULL, term, made)) return false;
    if (f->symbols.count == count) return true;
    formula power = *made;
    for (int i = 1; i < n; i++) power = hbg_verify_formula_multiply(f, power, *made);
    add_bound(f, hbg_verify_formula_equal(f, power, a));
    f->symbols.items[count].exact = hbg_verify_formula_is_number(f, a);
    return true;
}

/* ---- the circle -------------------------------------------------------------------------------------------- */

#define ANGLE_WITHIN 1e-10 /* of a number, the angle whose sine is taken */

/* Of an angle near the number, whose half has a rational tangent t: sine and cosine are rational, and s² + c²
 * = 1 exactly. */
formula hbg_verify_symbol_circle(formulas *f, int op, double angle) {
    double half = tan(remainder(angle, 6.283185307179586) / 2);
    if (fabs(half) > 1e6) return op == HBG_OP_SIN ? f->zero : hbg_verify_formula_integer(f, -1);
    formula t = hbg_verify_symbol_fraction(f, half, ANGLE_WITHIN),
            square = hbg_verify_formula_multiply(f, t, t);
    formula whole = hbg_verify_formula_add(f, f->one, square);
    formula part =
        op == HBG_OP_SIN ? hbg_verify_formula_add(f, t, t) : hbg_verify_formula_subtract(f, f->one, square);
    return hbg_verify_formula_divide(f, part, whole);
}

/* How many twelfths of π the angle is; -1 if it is not a whole number of them. */
static int twelfths(formulas *f, formula angle) {
    const exact_symbol *pi = NULL;
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (f->symbols.items[i].op == HBG_OP_PI) pi = &f->symbols.items[i];
    if (!pi || !hbg_verify_formula_reads(f, angle, &pi->symbol, 1)) return -1;
    formula twelve = hbg_verify_formula_integer(f, 12);
    formula times = hbg_verify_formula_replace(f, angle, 1, &pi->symbol, &twelve);
    double about = hbg_verify_formula_to_double(f, times);
    if (!(fabs(about) < 1e9) || times != hbg_verify_formula_integer(f, (int64_t)about)) return -1;
    formula same = hbg_verify_formula_divide(f, hbg_verify_formula_multiply(f, times, pi->symbol), twelve);
    if (same != angle) return -1; // no multiple of it
    return (int)((((int64_t)about % 24) + 24) % 24);
}

/* sin of so many twelfths of π: 0, 1/2, √2/2, √3/2 or 1; false for others. */
static bool known_sine(group_proof *proof, int of, formula *made) {
    formulas *f = &proof->f;
    int folded = of > 12 ? of - 12 : of; // sin(π + a) = -sin(a)
    if (folded > 6) folded = 12 - folded;
    if (folded % 2 && folded % 3) return false;
    formula two = hbg_verify_formula_integer(f, 2),
            square = hbg_verify_formula_integer(f, folded == 3 ? 2 : 3);
    formula sine = folded == 0 ? f->zero : folded == 6 ? f->one : hbg_verify_formula_divide(f, f->one, two);
    bool root = folded == 3 || folded == 4;
    if (root && !hbg_verify_symbol_root(proof, 2, square, HBG_NONE, &sine)) return false;
    if (root) sine = hbg_verify_formula_divide(f, sine, two);
    *made = of > 12 ? hbg_verify_formula_negate(f, sine) : sine;
    return true;
}

bool hbg_verify_symbol_known_angle(group_proof *proof, int op, formula angle, formula *made) {
    int of = twelfths(&proof->f, angle);
    return of >= 0 && known_sine(proof, op == HBG_OP_SIN ? of : (of + 6) % 24, made);
}

bool hbg_verify_symbol_angle(group_proof *proof, int op, formula angle, hbg_exact_term term, formula *made) {
    formulas *f = &proof->f;
    bool is_new;
    if (!hbg_verify_formula_is_closed(f, angle)) return false;
    if (hbg_verify_symbol_known_angle(proof, op, angle, made)) return true;
    *made = find_symbol(f, op, hbg_verify_formula_negate(f, angle), NULL); // sin(-a) is -sin(a)
    if (*made) {
        if (op == HBG_OP_SIN) *made = hbg_verify_formula_negate(f, *made);
        return true;
    }
    interval at = hbg_verify_formula_enclose(f, angle), none = {NULL, NULL};
    formula sine = hbg_verify_symbol_of(proof, HBG_OP_SIN, angle, NULL, term, false, &is_new);
    formula cosine = hbg_verify_symbol_of(proof, HBG_OP_COS, angle, NULL, term, false, &is_new);
    *made = op == HBG_OP_SIN ? sine : cosine;
    if (!is_new) return true;
    exact_symbol *last = &f->symbols.items[f->symbols.count - 1];
    make_constant(f, last - 1, hbg_verify_interval_function(f, HBG_OP_SIN, at, none));
    make_constant(f, last, hbg_verify_interval_function(f, HBG_OP_COS, at, none));
    double about = hbg_verify_interval_is_known(at) ? hbg_verify_formula_to_double(f, at.low) : 0;
    (last - 1)->sample = hbg_verify_symbol_circle(f, HBG_OP_SIN, about);
    last->sample = hbg_verify_symbol_circle(f, HBG_OP_COS, about);
    formula squares = hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, sine, sine),
                                             hbg_verify_formula_multiply(f, cosine, cosine));
    add_bound(f, hbg_verify_formula_equal(f, squares, f->one));
    f->has_angles = true;
    return true;
}
