/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operators that are not arithmetic. Some have an algebraic definition and are exact: roots, whole powers, sine and cosine
 * of one angle as s, c with s² + c² = 1, tables with few points. Constants that are no fractions are taken as a fraction next to
 * them. Of all others only an enclosure is known: a proof that holds for the enclosure holds, but values found with it need not
 * exist. */
#include <math.h>
#include <stdlib.h>

#include "verify/group_impl.h"

#define TABLE_POINTS 64 /* of a table that is written out */
#define POWER_LIMIT  16 /* of whole powers that are written out */

static exact_value number(formula fin) {
    return (exact_value){fin, NULL, false};
}

/* ---- symbols ----------------------------------------------------------------------------------------------- */

static void add_axiom(group_proof *proof, formula axiom) {
    formulas *f = &proof->f;
    if (axiom == f->yes) return;
    HBG_PUSH(f->arena, f->axioms, axiom);
}

static void at_least(group_proof *proof, formula a, formula low) {
    add_axiom(proof, hbg_formula_less_equal(&proof->f, low, a));
}

static void between(group_proof *proof, formula a, double low, double high) {
    at_least(proof, a, hbg_formula_double(&proof->f, low));
    add_axiom(proof, hbg_formula_less_equal(&proof->f, a, hbg_formula_double(&proof->f, high)));
}

/* A state or an input, and what it is called. */
static bool is_name(formulas *f, formula a) {
    return hbg_formula_kind(f, a) == Z3_OP_UNINTERPRETED && hbg_formula_argument_count(f, a) == 0;
}

static const char *name_of(formulas *f, formula a) {
    Z3_func_decl declared = Z3_get_app_decl(f->z3, Z3_to_app(f->z3, a));
    return hbg_arena_print(f->arena, "%s", Z3_get_symbol_string(f->z3, Z3_get_decl_name(f->z3, declared)));
}

/* The symbol for an operator on arguments; *is_new if it has no axioms yet. */
static formula symbol_of(group_proof *proof, int op, formula a, formula b, hbg_exact_term term, bool exact,
                         bool *is_new) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (at->op == op && at->argument == a && at->second == b) {
            *is_new = false;
            return at->symbol;
        }
    }
    hbg_buffer text;
    hbg_buffer_init(&text, proof->arena);
    if (op == HBG_OP_SIN || op == HBG_OP_COS) { // each stands for the other too
        hbg_buffer_print(&text, "%s(", hbg_operator_info_get((hbg_operator)op)->text);
        if (is_name(f, a)) // the angle of which the term has a multiple
            hbg_buffer_text(&text, name_of(f, a));
        else
            hbg_eqn_exact_print(proof->eqn, hbg_eqn_exact_node(proof->eqn, term).a, &text);
        hbg_buffer_char(&text, ')');
    } else {
        hbg_eqn_exact_print(proof->eqn, term, &text);
    }
    formula symbol = hbg_formula_real(f, hbg_arena_print(proof->arena, "%s'%d", text.data, f->fresh++));
    exact_symbol made = {
        .symbol = symbol, .argument = a, .second = b, .op = op, .exact = exact, .text = text.data};
    HBG_PUSH(f->arena, f->symbols, made);
    *is_new = true;
    return symbol;
}

#define CONSTANT_WITHIN 1e-12 /* relative: a constant that is no fraction is taken as one this near */

/* The simplest fraction within a distance, by continued fractions. */
static formula simple_fraction(formulas *f, double value, double within) {
    int64_t p[] = {0, 1}, q[] = {1, 0};
    double rest = value;
    if (!(fabs(value) > 1e-9 && fabs(value) < 1e9)) return hbg_formula_double(f, value);
    for (int i = 0; i < 60; i++) {
        int64_t whole = (int64_t)floor(rest), p2 = whole * p[1] + p[0], q2 = whole * q[1] + q[0];
        p[0] = p[1], q[0] = q[1], p[1] = p2, q[1] = q2;
        if (fabs((double)p2 / (double)q2 - value) <= within || rest == floor(rest)) break;
        if (llabs(p2) > INT64_C(1) << 40 || llabs(q2) > INT64_C(1) << 40) return hbg_formula_double(f, value);
        rest = 1 / (rest - floor(rest));
    }
    return hbg_formula_divide(f, hbg_formula_integer(f, p[1]), hbg_formula_integer(f, q[1]));
}

static void note_rounded(group_proof *proof, hbg_exact_term term) {
    hbg_buffer text;
    hbg_buffer_init(&text, proof->arena);
    hbg_eqn_exact_print(proof->eqn, term, &text);
    hbg_group_note_rounded(proof, text.data);
}

/* A constant, π or a root or exponential of a number: as a fraction on one side of it, so that what is linear stays linear. */
static formula make_constant(group_proof *proof, double value, hbg_exact_term term) {
    if (value == floor(value) && fabs(value) < 1e15) return hbg_formula_double(&proof->f, value);
    note_rounded(proof, term);
    double near = CONSTANT_WITHIN * fabs(value) / 2;
    return simple_fraction(&proof->f, value + (proof->rounds_up ? 1 : -1) * 1.01 * near, near);
}

/* ---- algebraic ones ---------------------------------------------------------------------------------------- */

static formula power(group_proof *proof, formula a, int exponent) {
    formula result = proof->f.one;
    for (int i = 0; i < exponent; i++) result = hbg_formula_multiply(&proof->f, result, a);
    return result;
}

/* r with r^n = a; for even n, r >= 0 and a has to be so too. */
static formula root(group_proof *proof, formula a, int n, hbg_exact_term term) {
    formulas *f = &proof->f;
    bool is_new;
    if (a == f->zero || a == f->one) return a;
    double known = hbg_formula_is_number(f, a) ? hbg_formula_to_double(f, a) : NAN;
    if (isfinite(known) && (known > 0 || n % 2)) {
        double value = n == 2 ? sqrt(known) : cbrt(known);
        formula exact = simple_fraction(f, value, CONSTANT_WITHIN * value / 1000);
        return power(proof, exact, n) == a ? exact : make_constant(proof, value, term);
    }
    if (n % 2 == 0)
        hbg_value_require(proof, hbg_formula_less_equal(f, f->zero, a), "a root of what may be negative");
    formula symbol = symbol_of(proof, n == 2 ? HBG_OP_SQRT : HBG_OP_CBRT, a, NULL, term, true, &is_new);
    if (!is_new) return symbol;
    formula law = hbg_formula_equal(f, power(proof, symbol, n), a);
    if (n % 2 == 0) {
        at_least(proof, symbol, f->zero);
        law = hbg_formula_or(f, hbg_formula_less(f, a, f->zero), law);
    }
    add_axiom(proof, law);
    return symbol;
}

#define ANGLE_WITHIN 1e-10 /* of a number, the angle whose sine is taken */

/* Of a number: those of an angle next to it whose half has a rational tangent t. Then sine and cosine are
 * rational, s² + c² = 1 to the last digit, and what is linear stays linear. */
static formula rational_circle(group_proof *proof, int op, double angle) {
    formulas *f = &proof->f;
    double half = tan(remainder(angle, 6.283185307179586) / 2);
    if (fabs(half) > 1e6) return op == HBG_OP_SIN ? f->zero : hbg_formula_integer(f, -1);
    formula t = simple_fraction(f, half, ANGLE_WITHIN), square = hbg_formula_multiply(f, t, t);
    formula whole = hbg_formula_add(f, f->one, square);
    formula part = op == HBG_OP_SIN ? hbg_formula_add(f, t, t) : hbg_formula_subtract(f, f->one, square);
    return hbg_formula_divide(f, part, whole);
}

/* An angle in a range is on an arc, and that is one side of a line. */
static void bound_angle(group_proof *proof, exact_symbol *sine, exact_symbol *cosine) {
    formulas *f = &proof->f;
    double low, high;
    if (!hbg_group_range(proof, sine->argument, &low, &high)) return;
    sine->bounded = cosine->bounded = high - low > 6.2832; // all angles are in it
    if (!(high - low < 3.1)) return;
    double middle = (low + high) / 2, least = cos((high - low) / 2) - 1e-9;
    formula along =
        hbg_formula_add(f, hbg_formula_multiply(f, cosine->symbol, hbg_formula_double(f, cos(middle))),
                        hbg_formula_multiply(f, sine->symbol, hbg_formula_double(f, sin(middle))));
    at_least(proof, along, hbg_formula_double(f, least));
    sine->bounded = cosine->bounded = true;
}

/* A few angles with their sine and cosine: where the angle itself is of importance too, values are found there. */
static void know_angles(group_proof *proof, exact_symbol *sine, exact_symbol *cosine) {
    static const double angles[] = {0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2.5, -2.5};
    formulas *f = &proof->f;
    formula any = f->no;
    double low = -1e300, high = 1e300;
    int extra = hbg_group_range(proof, sine->argument, &low, &high);
    for (int i = 0; i < (int)(sizeof angles / sizeof *angles) + extra; i++) {
        double angle = i < (int)(sizeof angles / sizeof *angles) ? angles[i] : (low + high) / 2;
        if (angle < low || angle > high) continue;
        formula s = rational_circle(proof, HBG_OP_SIN, angle), c = rational_circle(proof, HBG_OP_COS, angle);
        formula here = hbg_formula_equal(f, sine->argument, hbg_formula_double(f, angle));
        here = hbg_formula_and(f, here, hbg_formula_equal(f, sine->symbol, s));
        any = hbg_formula_or(f, any, hbg_formula_and(f, here, hbg_formula_equal(f, cosine->symbol, c)));
    }
    sine->piece = cosine->piece = any;
}

#define MULTIPLE_LIMIT 8 /* of an angle, written out in sine and cosine of it */

/* How many times a state or input the angle is, where it is a whole multiple of one; 0: it is none. */
static int multiple_of(formulas *f, formula angle, formula *single) {
    if (hbg_formula_kind(f, angle) != Z3_OP_MUL || hbg_formula_argument_count(f, angle) != 2) return 0;
    double times = hbg_formula_to_double(f, hbg_formula_argument(f, angle, 0));
    *single = hbg_formula_argument(f, angle, 1);
    bool whole = is_name(f, *single) && fabs(times) <= MULTIPLE_LIMIT && times == floor(times);
    return whole ? (int)times : 0;
}

static formula circle(group_proof *proof, int op, formula angle, hbg_exact_term term);

/* sin(n·a) and cos(n·a) by those of a, one turn after another. */
static formula turned(group_proof *proof, int op, formula single, int times, hbg_exact_term term) {
    formulas *f = &proof->f;
    formula s = circle(proof, HBG_OP_SIN, single, term), c = circle(proof, HBG_OP_COS, single, term);
    formula sine = s, cosine = c;
    for (int i = 1; i < abs(times); i++) {
        formula next =
            hbg_formula_subtract(f, hbg_formula_multiply(f, cosine, c), hbg_formula_multiply(f, sine, s));
        sine = hbg_formula_add(f, hbg_formula_multiply(f, sine, c), hbg_formula_multiply(f, cosine, s));
        sine = hbg_formula_reduce(f, hbg_formula_simplify(f, sine));
        cosine = hbg_formula_reduce(f, hbg_formula_simplify(f, next));
    }
    if (op == HBG_OP_COS) return cosine;
    return times < 0 ? hbg_formula_negate(f, sine) : sine;
}

/* Sine and cosine of an angle come in pairs. */
static formula circle(group_proof *proof, int op, formula angle, hbg_exact_term term) {
    formulas *f = &proof->f;
    bool is_new;
    if (angle == f->zero) return op == HBG_OP_SIN ? f->zero : f->one;
    if (hbg_formula_is_number(f, angle)) {
        note_rounded(proof, term);
        return rational_circle(proof, op, hbg_formula_to_double(f, angle));
    }
    formula single;
    int times = multiple_of(f, angle, &single);
    if (abs(times) > 1) return turned(proof, op, single, times, term);
    formula opposite = hbg_formula_negate(f, angle);
    for (int32_t i = 0; i + 1 < f->symbols.count; i++) { // sin(-a) is -sin(a), cos(-a) is cos(a)
        const exact_symbol *at = &f->symbols.items[i];
        if (at->op == HBG_OP_SIN && at->argument == opposite)
            return op == HBG_OP_SIN ? hbg_formula_negate(f, at->symbol) : (at + 1)->symbol;
    }
    formula sine = symbol_of(proof, HBG_OP_SIN, angle, NULL, term, true, &is_new);
    formula cosine = symbol_of(proof, HBG_OP_COS, angle, NULL, term, true, &is_new);
    if (is_new) {
        formula squares = hbg_formula_add(f, power(proof, sine, 2), power(proof, cosine, 2));
        add_axiom(proof, hbg_formula_equal(f, squares, f->one));
        f->has_angles = true;
        exact_symbol *last = &f->symbols.items[f->symbols.count - 1];
        bound_angle(proof, last - 1, last);
        know_angles(proof, last - 1, last);
    }
    return op == HBG_OP_SIN ? sine : cosine;
}

/* Linear between points, held outside. Of two points with one x the second holds from there on. */
static formula table(group_proof *proof, const hbg_table *of, formula at) {
    formulas *f = &proof->f;
    formula result = hbg_formula_double(f, of->y[of->count - 1]);
    for (int32_t i = of->count - 2; i >= 0; i--) {
        formula x0 = hbg_formula_double(f, of->x[i]), x1 = hbg_formula_double(f, of->x[i + 1]);
        formula y0 = hbg_formula_double(f, of->y[i]), y1 = hbg_formula_double(f, of->y[i + 1]);
        if (x0 == x1) continue;
        formula slope =
            hbg_formula_divide(f, hbg_formula_subtract(f, y1, y0), hbg_formula_subtract(f, x1, x0));
        formula line =
            hbg_formula_add(f, y0, hbg_formula_multiply(f, slope, hbg_formula_subtract(f, at, x0)));
        result = hbg_formula_choose(f, hbg_formula_less(f, at, x1), line, result);
    }
    return hbg_formula_choose(f, hbg_formula_less(f, at, hbg_formula_double(f, of->x[0])),
                              hbg_formula_double(f, of->y[0]), result);
}

/* ---- enclosures -------------------------------------------------------------------------------------------- */

static const double half_pi = 1.5707963267948968; /* above π/2 */

/* What is known about a function everywhere; the first one met is what a group that stays undecided names. */
static void enclose(group_proof *proof, int op, formula symbol, formula argument) {
    formulas *f = &proof->f;
    switch (op) {
    case HBG_OP_EXP:
        add_axiom(proof, hbg_formula_less(f, f->zero, symbol));
        at_least(proof, symbol, hbg_formula_add(f, argument, f->one)); // it is convex
        break;
    case HBG_OP_COSH: at_least(proof, symbol, f->one); break;
    case HBG_OP_TANH: between(proof, symbol, -1, 1); break;
    case HBG_OP_ATAN:
    case HBG_OP_ASIN: between(proof, symbol, -half_pi, half_pi); break;
    case HBG_OP_ACOS: between(proof, symbol, 0, 2 * half_pi); break;
    case HBG_OP_ATAN2: between(proof, symbol, -2 * half_pi, 2 * half_pi); break;
    case HBG_OP_LOG: // it is concave
        add_axiom(proof, hbg_formula_less_equal(f, symbol, hbg_formula_subtract(f, argument, f->one)));
        break;
    case HBG_OP_FLOOR:
        add_axiom(proof, hbg_formula_less_equal(f, symbol, argument));
        add_axiom(proof, hbg_formula_less(f, argument, hbg_formula_add(f, symbol, f->one)));
        break;
    case HBG_OP_CEIL:
        at_least(proof, symbol, argument);
        add_axiom(proof, hbg_formula_less(f, symbol, hbg_formula_add(f, argument, f->one)));
        break;
    default: break;
    }
}

/* Below its divisor a remainder is what it is of; and its size is below that of the divisor. */
static void enclose_remainder(group_proof *proof, exact_symbol *of) {
    formulas *f = &proof->f;
    if (!hbg_formula_is_number(f, of->second)) return;
    formula divisor = of->second, a = of->argument, remainder = of->symbol;
    if (hbg_formula_less(f, divisor, f->zero) == f->yes) divisor = hbg_formula_negate(f, divisor);
    formula negative = hbg_formula_less(f, a, f->zero), below = hbg_formula_negate(f, divisor);
    formula up = hbg_formula_and(f, hbg_formula_less_equal(f, f->zero, remainder),
                                 hbg_formula_less(f, remainder, divisor));
    formula down = hbg_formula_and(f, hbg_formula_less_equal(f, remainder, f->zero),
                                   hbg_formula_less(f, below, remainder));
    add_axiom(proof, hbg_formula_choose(f, negative, down, up));
    formula small = hbg_formula_and(f, hbg_formula_less(f, a, divisor), hbg_formula_less(f, below, a));
    formula same = hbg_formula_equal(f, remainder, a);
    add_axiom(proof, hbg_formula_or(f, hbg_formula_not(f, small), same));
    of->piece = hbg_formula_and(f, small, same);
}

/* One argument at which the value is a fraction; whole numbers have it on either side, too. */
static void know_point(group_proof *proof, exact_symbol *of) {
    formulas *f = &proof->f;
    bool at_one = of->op == HBG_OP_LOG || of->op == HBG_OP_ACOS;
    formula at = at_one ? f->one : f->zero, value = f->zero;
    switch (of->op) {
    case HBG_OP_EXP:
    case HBG_OP_COSH: value = f->one; break;
    case HBG_OP_LOG:
    case HBG_OP_ACOS:
    case HBG_OP_SINH:
    case HBG_OP_TANH:
    case HBG_OP_ATAN:
    case HBG_OP_ASIN: break;
    case HBG_OP_REMAINDER: enclose_remainder(proof, of); return;
    case HBG_OP_FLOOR:
        of->piece = hbg_formula_and(f, hbg_formula_less_equal(f, f->zero, of->argument),
                                    hbg_formula_less(f, of->argument, f->one));
        break;
    case HBG_OP_CEIL:
        of->piece = hbg_formula_and(f, hbg_formula_less(f, f->zero, of->argument),
                                    hbg_formula_less_equal(f, of->argument, f->one));
        value = f->one;
        break;
    default: return;
    }
    if (!of->piece) of->piece = hbg_formula_equal(f, of->argument, at);
    of->piece = hbg_formula_and(f, of->piece, hbg_formula_equal(f, of->symbol, value));
}

static exact_value enclosed_function(group_proof *proof, const hbg_exact_node *node, const formula *a,
                                     hbg_exact_term term) {
    formulas *f = &proof->f;
    bool is_new, constant = node->op < HBG_EXACT_VARIABLE && node->op != HBG_OP_TABLE;
    double at[3] = {0};
    for (int i = 0; i < node->arity; i++) {
        constant = constant && hbg_formula_is_number(f, a[i]);
        if (constant) at[i] = hbg_formula_to_double(f, a[i]);
    }
    double value = constant ? hbg_operator_evaluate((hbg_operator)node->op, at[0], at[1], at[2]) : NAN;
    if (isfinite(value)) return number(make_constant(proof, value, term));
    formula second = node->arity > 1 ? a[1] : NULL;
    if (node->arity == 1 && node->op >= HBG_OP_TABLE) second = hbg_formula_integer(f, node->b);
    formula symbol = symbol_of(proof, node->op, a[0], second, term, false, &is_new);
    if (!is_new) return number(symbol);
    enclose(proof, node->op, symbol, a[0]);
    know_point(proof, &f->symbols.items[f->symbols.count - 1]);
    if (node->op == HBG_OP_TABLE) {
        const hbg_table *of = &proof->model->tables.items[node->b];
        double low = of->y[0], high = of->y[0];
        for (int32_t i = 1; i < of->count; i++) {
            low = fmin(low, of->y[i]);
            high = fmax(high, of->y[i]);
        }
        between(proof, symbol, low, high);
    }
    return number(symbol);
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

static bool small_whole(group_proof *proof, formula a, int *value) {
    if (!hbg_formula_is_number(&proof->f, a)) return false;
    double at = hbg_formula_to_double(&proof->f, a);
    *value = (int)fmax(-2 * POWER_LIMIT, fmin(2 * POWER_LIMIT, at));
    return *value == at && abs(*value) <= POWER_LIMIT;
}

static exact_value raised(group_proof *proof, const hbg_exact_node *node, const formula *a,
                          hbg_exact_term term) {
    formulas *f = &proof->f;
    int exponent;
    if (small_whole(proof, a[1], &exponent)) {
        formula result = power(proof, a[0], abs(exponent));
        if (exponent >= 0) return number(result);
        hbg_value_require(proof, hbg_formula_not(f, hbg_formula_equal(f, a[0], f->zero)),
                          "a power that divides by 0");
        return number(hbg_formula_divide(f, f->one, result));
    }
    formula twice = hbg_formula_multiply(f, a[1], hbg_formula_integer(f, 2));
    if (small_whole(proof, twice, &exponent) && exponent > 0)
        return number(power(proof, root(proof, a[0], 2, term), exponent));
    return enclosed_function(proof, node, a, term);
}

exact_value hbg_value_function(group_proof *proof, const hbg_exact_node *node, const exact_value *arguments,
                               hbg_exact_term term) {
    formulas *f = &proof->f;
    formula a[3] = {NULL};
    for (int i = 0; i < node->arity; i++) a[i] = hbg_value_number(proof, arguments[i]);
    switch (node->op) {
    case HBG_OP_PI: return number(make_constant(proof, 3.14159265358979323846, term));
    case HBG_OP_SIN:
    case HBG_OP_COS: return number(circle(proof, node->op, a[0], term));
    case HBG_OP_TAN: {
        formula cosine = circle(proof, HBG_OP_COS, a[0], term);
        hbg_value_require(proof, hbg_formula_not(f, hbg_formula_equal(f, cosine, f->zero)),
                          "a tangent of a right angle");
        return number(hbg_formula_divide(f, circle(proof, HBG_OP_SIN, a[0], term), cosine));
    }
    case HBG_OP_SQRT: return number(root(proof, a[0], 2, term));
    case HBG_OP_CBRT: return number(root(proof, a[0], 3, term));
    case HBG_OP_HYPOT:
        return number(root(proof, hbg_formula_add(f, power(proof, a[0], 2), power(proof, a[1], 2)), 2, term));
    case HBG_OP_POWER_OF:
    case HBG_OP_POW: return raised(proof, node, a, term);
    case HBG_OP_TABLE: {
        const hbg_table *of = &proof->model->tables.items[node->b];
        if (of->count <= TABLE_POINTS) return number(table(proof, of, a[0]));
        return enclosed_function(proof, node, a, term);
    }
    default: return enclosed_function(proof, node, a, term);
    }
}
