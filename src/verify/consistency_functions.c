/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operators that are not arithmetic. Some have an algebraic definition and are exact: roots, whole powers,
 * sine and cosine of one angle as s, c with s² + c² = 1, tables with few points. Functions of numbers alone
 * are constants (consistency_symbols.c). Of all others only an enclosure is known: a proof that holds for the
 * enclosure is valid, but values found with it need not exist. */
#include <math.h>
#include <stdlib.h>

#include "verify/group_impl.h"

#define TABLE_POINTS 64 /* of a table that is written out */
#define POWER_LIMIT  16 /* of whole powers that are written out */

#define FRACTION_WITHIN 1e-15 /* relative: a root this close to a fraction may be it */

static exact_value number(formula fin) {
    return (exact_value){.fin = fin};
}

/* ---- axioms ------------------------------------------------------------------------------------------------ */

static void add_axiom(group_proof *proof, formula axiom) {
    formulas *f = &proof->f;
    if (axiom == f->yes) return;
    HBG_PUSH(f->arena, f->axioms.all, axiom);
}

static void at_least(group_proof *proof, formula a, formula low) {
    add_axiom(proof, hbg_verify_formula_less_equal(&proof->f, low, a));
}

static void between(group_proof *proof, formula a, double low, double high) {
    at_least(proof, a, hbg_verify_formula_double(&proof->f, low));
    add_axiom(proof, hbg_verify_formula_less_equal(&proof->f, a, hbg_verify_formula_double(&proof->f, high)));
}

/* ---- algebraic ones ---------------------------------------------------------------------------------------- */

static formula power(group_proof *proof, formula a, int exponent) {
    formula result = proof->f.one;
    for (int i = 0; i < exponent; i++) result = hbg_verify_formula_multiply(&proof->f, result, a);
    return result;
}

/* r with r^n = a; for even n, r >= 0 and a has to be so too. */
static formula root(group_proof *proof, formula a, int n, hbg_exact_term term) {
    formulas *f = &proof->f;
    bool is_new;
    if (a == f->zero || a == f->one) return a;
    double known = hbg_verify_formula_is_number(f, a) ? hbg_verify_formula_to_double(f, a) : NAN;
    if (isfinite(known) && (known > 0 || n % 2)) {
        double value = n == 2 ? sqrt(known) : cbrt(known);
        formula fraction = hbg_verify_symbol_fraction(f, value, FRACTION_WITHIN * fabs(value));
        if (power(proof, fraction, n) == a) return fraction;
    }
    formula constant;
    if (hbg_verify_symbol_root(proof, n, a, term, &constant)) return constant;
    if (n % 2 == 0)
        hbg_verify_value_require(proof, hbg_verify_formula_less_equal(f, f->zero, a),
                                 "a root of what may be negative");
    formula symbol =
        hbg_verify_symbol_of(proof, n == 2 ? HBG_OP_SQRT : HBG_OP_CBRT, a, NULL, term, true, &is_new);
    if (!is_new) return symbol;
    formula law = hbg_verify_formula_equal(f, power(proof, symbol, n), a);
    if (n % 2 == 0) {
        at_least(proof, symbol, f->zero);
        law = hbg_verify_formula_or(f, hbg_verify_formula_less(f, a, f->zero), law);
    }
    add_axiom(proof, law);
    return symbol;
}

/* An angle in a range is on an arc, which is one side of a line. */
static void bound_angle(group_proof *proof, exact_symbol *sine, exact_symbol *cosine) {
    formulas *f = &proof->f;
    double low, high;
    if (!hbg_verify_group_range(proof, sine->argument, &low, &high)) return;
    sine->bounded = cosine->bounded = high - low > 6.2832; // all angles are in it
    if (!(high - low < 3.1)) return;
    double middle = (low + high) / 2, least = cos((high - low) / 2) - 1e-9;
    formula along = hbg_verify_formula_add(
        f, hbg_verify_formula_multiply(f, cosine->symbol, hbg_verify_formula_double(f, cos(middle))),
        hbg_verify_formula_multiply(f, sine->symbol, hbg_verify_formula_double(f, sin(middle))));
    at_least(proof, along, hbg_verify_formula_double(f, least));
    sine->bounded = cosine->bounded = true;
}

/* A few angles with their sine and cosine: where the angle itself matters too, values are found there. */
static void know_angles(group_proof *proof, exact_symbol *sine, exact_symbol *cosine) {
    static const double angles[] = {0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2.5, -2.5};
    formulas *f = &proof->f;
    formula any = f->no;
    double low = -1e300, high = 1e300;
    int extra = hbg_verify_group_range(proof, sine->argument, &low, &high);
    for (int i = 0; i < (int)(sizeof angles / sizeof *angles) + extra; i++) {
        double angle = i < (int)(sizeof angles / sizeof *angles) ? angles[i] : (low + high) / 2;
        if (angle < low || angle > high) continue;
        formula s = hbg_verify_symbol_circle(f, HBG_OP_SIN, angle),
                c = hbg_verify_symbol_circle(f, HBG_OP_COS, angle);
        formula here = hbg_verify_formula_equal(f, sine->argument, hbg_verify_formula_double(f, angle));
        here = hbg_verify_formula_and(f, here, hbg_verify_formula_equal(f, sine->symbol, s));
        any = hbg_verify_formula_or(
            f, any, hbg_verify_formula_and(f, here, hbg_verify_formula_equal(f, cosine->symbol, c)));
    }
    sine->piece = cosine->piece = any;
}

#define MULTIPLE_LIMIT 8 /* of an angle, written out in its sine and cosine */

/* How many times a state or input the angle is, if it is a whole multiple of one; else 0. */
static int multiple_of(formulas *f, formula angle, formula *single) {
    *single = angle;
    if (hbg_verify_formula_kind(f, angle) != Z3_OP_MUL || hbg_verify_formula_argument_count(f, angle) != 2)
        return 0;
    double times = hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, angle, 0));
    *single = hbg_verify_formula_argument(f, angle, 1);
    bool whole =
        hbg_verify_formula_is_name(f, *single) && fabs(times) <= MULTIPLE_LIMIT && times == floor(times);
    return whole ? (int)times : 0;
}

static formula circle(group_proof *proof, int op, formula angle, hbg_exact_term term);

/* sin(n·a) and cos(n·a) from those of a, one multiple after another. */
static formula turned(group_proof *proof, int op, formula single, int times, hbg_exact_term term) {
    formulas *f = &proof->f;
    formula s = circle(proof, HBG_OP_SIN, single, term), c = circle(proof, HBG_OP_COS, single, term);
    formula sine = s, cosine = c;
    for (int i = 1; i < abs(times); i++) {
        formula next = hbg_verify_formula_subtract(f, hbg_verify_formula_multiply(f, cosine, c),
                                                   hbg_verify_formula_multiply(f, sine, s));
        sine = hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, sine, c),
                                      hbg_verify_formula_multiply(f, cosine, s));
        sine = hbg_verify_formula_reduce(f, hbg_verify_formula_simplify(f, sine));
        cosine = hbg_verify_formula_reduce(f, hbg_verify_formula_simplify(f, next));
    }
    if (op == HBG_OP_COS) return cosine;
    return times < 0 ? hbg_verify_formula_negate(f, sine) : sine;
}

/* An angle plus a number: the rest of the angle, and the number; false if its sine and cosine are not known
 * exactly. */
static bool split_angle(group_proof *proof, formula angle, formula *rest, formula *sine, formula *cosine) {
    formulas *f = &proof->f;
    formula shift = f->zero;
    if (hbg_verify_formula_kind(f, angle) != Z3_OP_ADD) return false;
    *rest = f->zero;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, angle); i++) {
        formula part = hbg_verify_formula_argument(f, angle, i);
        bool closed = hbg_verify_formula_is_closed(f, part);
        shift = closed ? hbg_verify_formula_add(f, shift, part) : shift;
        *rest = closed ? *rest : hbg_verify_formula_add(f, *rest, part);
    }
    return shift != f->zero && *rest != f->zero &&
           hbg_verify_symbol_known_angle(proof, HBG_OP_SIN, shift, sine) &&
           hbg_verify_symbol_known_angle(proof, HBG_OP_COS, shift, cosine);
}

/* Likewise, where the rest is replaced by an angle whose sine and cosine exist. */
static bool find_beside(group_proof *proof, formula angle, formula *rest, formula *sine, formula *cosine) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (at->op != HBG_OP_SIN || at->constant) continue;
        *rest = at->argument;
        formula shift = hbg_verify_formula_subtract(f, angle, *rest);
        if (shift != f->zero && hbg_verify_formula_is_closed(f, shift) &&
            hbg_verify_symbol_known_angle(proof, HBG_OP_SIN, shift, sine) &&
            hbg_verify_symbol_known_angle(proof, HBG_OP_COS, shift, cosine))
            return true;
    }
    return false;
}

/* sin(a + k) and cos(a + k) from those of a: so phases of one angle are recognised as related. */
static bool shifted(group_proof *proof, int op, formula angle, formula *made) {
    formulas *f = &proof->f;
    formula rest, sine, cosine;
    if (!split_angle(proof, angle, &rest, &sine, &cosine) &&
        !find_beside(proof, angle, &rest, &sine, &cosine))
        return false;
    formula s = circle(proof, HBG_OP_SIN, rest, HBG_NONE), c = circle(proof, HBG_OP_COS, rest, HBG_NONE);
    *made = op == HBG_OP_SIN ? hbg_verify_formula_add(f, hbg_verify_formula_multiply(f, s, cosine),
                                                      hbg_verify_formula_multiply(f, c, sine))
                             : hbg_verify_formula_subtract(f, hbg_verify_formula_multiply(f, c, cosine),
                                                           hbg_verify_formula_multiply(f, s, sine));
    return true;
}

/* A state whose range is a point stands for a nearby angle with rational sine and cosine, and this is
 * reported: a mechanism that is examined in one position stays linear. */
static bool is_fixed_state(group_proof *proof, formula angle, hbg_exact_term term) {
    if (term == HBG_NONE || !hbg_verify_formula_is_number(&proof->f, angle)) return false;
    hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, term), inner = {.op = HBG_OP_NUMBER};
    if (node.arity == 1) inner = hbg_eqn_exact_node(proof->eqn, node.a);
    if (inner.op != HBG_EXACT_VARIABLE) return false;
    hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, inner.a);
    if (of.role != HBG_EXACT_STATE || of.view != HBG_EXACT_VALUE || proof->x[of.index] != angle) return false;
    for (int32_t i = 0; i < proof->doubts.nearby.count; i++)
        if (proof->doubts.nearby.items[i] == proof->system->states[of.index].name) return true;
    HBG_PUSH(proof->arena, proof->doubts.nearby, proof->system->states[of.index].name);
    return true;
}

/* Sine and cosine of an angle come in pairs. */
static formula circle(group_proof *proof, int op, formula angle, hbg_exact_term term) {
    formulas *f = &proof->f;
    bool is_new;
    if (angle == f->zero) return op == HBG_OP_SIN ? f->zero : f->one;
    formula single, constant;
    if (is_fixed_state(proof, angle, term))
        return hbg_verify_symbol_circle(f, op, hbg_verify_formula_to_double(f, angle));
    if (hbg_verify_symbol_angle(proof, op, angle, term, &constant)) return constant;
    if (shifted(proof, op, angle, &constant)) return constant;
    int times = multiple_of(f, angle, &single);
    if (abs(times) > 1) return turned(proof, op, single, times, term);
    formula opposite = hbg_verify_formula_negate(f, angle);
    for (int32_t i = 0; i + 1 < f->symbols.count; i++) { // sin(-a) is -sin(a), cos(-a) is cos(a)
        const exact_symbol *at = &f->symbols.items[i];
        if (at->op == HBG_OP_SIN && at->argument == opposite)
            return op == HBG_OP_SIN ? hbg_verify_formula_negate(f, at->symbol) : (at + 1)->symbol;
    }
    formula sine = hbg_verify_symbol_of(proof, HBG_OP_SIN, angle, NULL, term, true, &is_new);
    formula cosine = hbg_verify_symbol_of(proof, HBG_OP_COS, angle, NULL, term, true, &is_new);
    if (is_new) {
        formula squares = hbg_verify_formula_add(f, power(proof, sine, 2), power(proof, cosine, 2));
        formula law = hbg_verify_formula_equal(f, squares, f->one);
        hbg_verify_formula_is_circle(f, law);
        add_axiom(proof, law);
        add_axiom(
            proof, // linear formulas know some of the circle
            hbg_verify_formula_or(f, hbg_verify_formula_not(f, hbg_verify_formula_equal(f, sine, f->zero)),
                                  hbg_verify_formula_not(f, hbg_verify_formula_equal(f, cosine, f->zero))));
        f->has_angles = f->has_free_angles = true;
        exact_symbol *last = &f->symbols.items[f->symbols.count - 1];
        bound_angle(proof, last - 1, last);
        know_angles(proof, last - 1, last);
    }
    return op == HBG_OP_SIN ? sine : cosine;
}

/* Linear between points, constant outside. Of two points with one x the second holds from there on. */
static formula table(group_proof *proof, const hbg_table *of, formula at) {
    formulas *f = &proof->f;
    formula result = hbg_verify_formula_double(f, of->y[of->count - 1]);
    for (int32_t i = of->count - 2; i >= 0; i--) {
        formula x0 = hbg_verify_formula_double(f, of->x[i]), x1 = hbg_verify_formula_double(f, of->x[i + 1]);
        formula y0 = hbg_verify_formula_double(f, of->y[i]), y1 = hbg_verify_formula_double(f, of->y[i + 1]);
        if (x0 == x1) continue;
        formula slope = hbg_verify_formula_divide(f, hbg_verify_formula_subtract(f, y1, y0),
                                                  hbg_verify_formula_subtract(f, x1, x0));
        formula line = hbg_verify_formula_add(
            f, y0, hbg_verify_formula_multiply(f, slope, hbg_verify_formula_subtract(f, at, x0)));
        result = hbg_verify_formula_choose(f, hbg_verify_formula_less(f, at, x1), line, result);
    }
    return hbg_verify_formula_choose(f,
                                     hbg_verify_formula_less(f, at, hbg_verify_formula_double(f, of->x[0])),
                                     hbg_verify_formula_double(f, of->y[0]), result);
}

/* ---- enclosures -------------------------------------------------------------------------------------------- */

static const double half_pi = 1.5707963267948968; /* above π/2 */

/* What proofs know about a function: the column `enclosure` of the list of operators. */
typedef struct {
    /* its value, exact or by an enclosed symbol */
    exact_value (*value)(group_proof *proof, const hbg_exact_node *node, const formula *a,
                         hbg_exact_term term);
    /* of the symbol: what holds everywhere, one argument at which the value is a fraction, where it has a
     * value */
    void (*axioms)(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument);
    void (*point)(group_proof *proof, exact_symbol *of);
    void (*domain)(group_proof *proof, formula a, formula second);
} enclosure;

static const enclosure *enclosure_of(int op);

static void no_axioms(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    (void)proof, (void)node, (void)symbol, (void)argument;
}

static void axioms_exp(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    formulas *f = &proof->f;
    (void)node;
    add_axiom(proof, hbg_verify_formula_less(f, f->zero, symbol));
    at_least(proof, symbol, hbg_verify_formula_add(f, argument, f->one)); // it is convex
}

static void axioms_log(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    formulas *f = &proof->f;
    (void)node; // it is concave
    add_axiom(proof,
              hbg_verify_formula_less_equal(f, symbol, hbg_verify_formula_subtract(f, argument, f->one)));
}

static void axioms_cosh(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    (void)node, (void)argument;
    at_least(proof, symbol, proof->f.one);
}

static void within_one(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    (void)node, (void)argument;
    between(proof, symbol, -1, 1);
}

static void within_half_turn(group_proof *proof, const hbg_exact_node *node, formula symbol,
                             formula argument) {
    (void)node, (void)argument;
    between(proof, symbol, -half_pi, half_pi);
}

static void within_turn(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    (void)node, (void)argument;
    between(proof, symbol, -2 * half_pi, 2 * half_pi);
}

static void axioms_acos(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    (void)node, (void)argument;
    between(proof, symbol, 0, 2 * half_pi);
}

static void axioms_floor(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    formulas *f = &proof->f;
    (void)node;
    add_axiom(proof, hbg_verify_formula_less_equal(f, symbol, argument));
    add_axiom(proof, hbg_verify_formula_less(f, argument, hbg_verify_formula_add(f, symbol, f->one)));
}

static void axioms_ceil(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    formulas *f = &proof->f;
    (void)node;
    at_least(proof, symbol, argument);
    add_axiom(proof, hbg_verify_formula_less(f, symbol, hbg_verify_formula_add(f, argument, f->one)));
}

static void axioms_table(group_proof *proof, const hbg_exact_node *node, formula symbol, formula argument) {
    const hbg_table *of = &proof->model->tables.items[node->b];
    double low = of->y[0], high = of->y[0];
    (void)argument;
    for (int32_t i = 1; i < of->count; i++) {
        low = fmin(low, of->y[i]);
        high = fmax(high, of->y[i]);
    }
    between(proof, symbol, low, high);
}

static void no_point(group_proof *proof, exact_symbol *of) {
    (void)proof, (void)of;
}

static void know_point(group_proof *proof, exact_symbol *of, formula at, formula value) {
    formulas *f = &proof->f;
    of->piece = hbg_verify_formula_equal(f, of->argument, at);
    of->piece = hbg_verify_formula_and(f, of->piece, hbg_verify_formula_equal(f, of->symbol, value));
}

static void zero_at_zero(group_proof *proof, exact_symbol *of) {
    know_point(proof, of, proof->f.zero, proof->f.zero);
}

static void one_at_zero(group_proof *proof, exact_symbol *of) {
    know_point(proof, of, proof->f.zero, proof->f.one);
}

static void zero_at_one(group_proof *proof, exact_symbol *of) {
    know_point(proof, of, proof->f.one, proof->f.zero);
}

/* Also the whole numbers on either side of a point. */
static void point_floor(group_proof *proof, exact_symbol *of) {
    formulas *f = &proof->f;
    of->piece = hbg_verify_formula_and(f, hbg_verify_formula_less_equal(f, f->zero, of->argument),
                                       hbg_verify_formula_less(f, of->argument, f->one));
    of->piece = hbg_verify_formula_and(f, of->piece, hbg_verify_formula_equal(f, of->symbol, f->zero));
}

static void point_ceil(group_proof *proof, exact_symbol *of) {
    formulas *f = &proof->f;
    of->piece = hbg_verify_formula_and(f, hbg_verify_formula_less(f, f->zero, of->argument),
                                       hbg_verify_formula_less_equal(f, of->argument, f->one));
    of->piece = hbg_verify_formula_and(f, of->piece, hbg_verify_formula_equal(f, of->symbol, f->one));
}

/* Remainders by one divisor, of arguments that differ by a number c of at least 0 and less than the divisor:
 * (a + c) % T is a % T + c, or less by T. So the prover sees that the two halves of a period exclude each
 * other. */
static void relate_remainders(group_proof *proof, const exact_symbol *of, const exact_symbol *other,
                              formula divisor) {
    formulas *f = &proof->f;
    formula apart = hbg_verify_formula_subtract(f, of->argument, other->argument);
    if (!hbg_verify_formula_is_number(f, apart)) return;
    double whole = floor(hbg_verify_formula_to_double(f, hbg_verify_formula_divide(f, apart, divisor)));
    if (!(fabs(whole) < 1e6)) return;
    formula times = hbg_verify_formula_integer(f, (int)whole);
    apart = hbg_verify_formula_subtract(f, apart, hbg_verify_formula_multiply(f, times, divisor));
    if (hbg_verify_formula_less(f, apart, divisor) != f->yes ||
        hbg_verify_formula_less_equal(f, f->zero, apart) != f->yes)
        return;
    formula above = hbg_verify_formula_add(f, other->symbol, apart);
    formula below = hbg_verify_formula_subtract(f, above, divisor);
    formula either = hbg_verify_formula_or(f, hbg_verify_formula_equal(f, of->symbol, above),
                                           hbg_verify_formula_equal(f, of->symbol, below));
    formula negative = hbg_verify_formula_or(f, hbg_verify_formula_less(f, of->argument, f->zero),
                                             hbg_verify_formula_less(f, other->argument, f->zero));
    add_axiom(proof, hbg_verify_formula_or(f, negative, either));
}

/* A remainder of a number below the divisor is that number; and its size is below that of the divisor. */
static void point_remainder(group_proof *proof, exact_symbol *of) {
    formulas *f = &proof->f;
    if (!hbg_verify_formula_is_number(f, of->second) || of->second == f->zero) return;
    formula divisor = of->second, a = of->argument, remainder = of->symbol;
    if (hbg_verify_formula_less(f, divisor, f->zero) == f->yes)
        divisor = hbg_verify_formula_negate(f, divisor);
    formula negative = hbg_verify_formula_less(f, a, f->zero), below = hbg_verify_formula_negate(f, divisor);
    formula up = hbg_verify_formula_and(f, hbg_verify_formula_less_equal(f, f->zero, remainder),
                                        hbg_verify_formula_less(f, remainder, divisor));
    formula down = hbg_verify_formula_and(f, hbg_verify_formula_less_equal(f, remainder, f->zero),
                                          hbg_verify_formula_less(f, below, remainder));
    add_axiom(proof, hbg_verify_formula_choose(f, negative, down, up));
    formula small = hbg_verify_formula_and(f, hbg_verify_formula_less(f, a, divisor),
                                           hbg_verify_formula_less(f, below, a));
    formula same = hbg_verify_formula_equal(f, remainder, a);
    add_axiom(proof, hbg_verify_formula_or(f, hbg_verify_formula_not(f, small), same));
    of->piece = hbg_verify_formula_and(f, small, same);
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *other = &f->symbols.items[i];
        if (other != of && other->op == HBG_OP_REMAINDER && other->second == of->second)
            relate_remainders(proof, of, other, divisor);
    }
}

/* Powers that are not written out. Whole powers exist on both sides of 0; for others the base may not be
 * negative. */
static void domain_power(group_proof *proof, formula base, formula exponent) {
    formulas *f = &proof->f;
    double at = hbg_verify_formula_is_number(f, exponent) ? hbg_verify_formula_to_double(f, exponent) : NAN;
    formula zero = hbg_verify_formula_equal(f, base, f->zero);
    if (at == floor(at) && at > 0) return;
    if (at == floor(at)) {
        hbg_verify_value_require(proof, hbg_verify_formula_not(f, zero), "a power that divides by 0");
        return;
    }
    formula rises = hbg_verify_formula_less(f, f->zero, exponent);
    hbg_verify_value_require(proof,
                             hbg_verify_formula_or(f, hbg_verify_formula_less(f, f->zero, base),
                                                   hbg_verify_formula_and(f, zero, rises)),
                             "a power that is not whole, of what may be negative");
}

static void everywhere(group_proof *proof, formula a, formula second) {
    (void)proof, (void)a, (void)second;
}

static void domain_log(group_proof *proof, formula a, formula second) {
    formulas *f = &proof->f;
    (void)second;
    hbg_verify_value_require(proof, hbg_verify_formula_less(f, f->zero, a),
                             "a logarithm of what may not be positive");
}

static void domain_arc(group_proof *proof, formula a, formula second) {
    formulas *f = &proof->f;
    formula above = hbg_verify_formula_less_equal(f, hbg_verify_formula_integer(f, -1), a);
    (void)second;
    hbg_verify_value_require(proof,
                             hbg_verify_formula_and(f, above, hbg_verify_formula_less_equal(f, a, f->one)),
                             "an angle whose sine or cosine may be beyond 1");
}

static void domain_remainder(group_proof *proof, formula a, formula second) {
    formulas *f = &proof->f;
    (void)a;
    hbg_verify_value_require(proof, hbg_verify_formula_not(f, hbg_verify_formula_equal(f, second, f->zero)),
                             "a remainder of a division by 0");
}

/* An undecided group names the first function met. */
static exact_value enclosed(group_proof *proof, const hbg_exact_node *node, const formula *a,
                            hbg_exact_term term) {
    formulas *f = &proof->f;
    bool is_new;
    const enclosure *of = enclosure_of(node->op);
    formula second = node->arity > 1 ? a[1] : NULL, constant;
    if (hbg_verify_symbol_constant(proof, node->op, a[0], second, term, &constant)) return number(constant);
    of->domain(proof, a[0], second);
    if (node->arity == 1 && node->op >= HBG_OP_TABLE) second = hbg_verify_formula_integer(f, node->b);
    formula symbol = hbg_verify_symbol_of(proof, node->op, a[0], second, term, false, &is_new);
    if (!is_new) return number(symbol);
    of->axioms(proof, node, symbol, a[0]);
    of->point(proof, &f->symbols.items[f->symbols.count - 1]);
    return number(symbol);
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

static bool small_whole(group_proof *proof, formula a, int *value) {
    if (!hbg_verify_formula_is_number(&proof->f, a)) return false;
    double at = hbg_verify_formula_to_double(&proof->f, a);
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
        hbg_verify_value_require(proof, hbg_verify_formula_not(f, hbg_verify_formula_equal(f, a[0], f->zero)),
                                 "a power that divides by 0");
        return number(hbg_verify_formula_divide(f, f->one, result));
    }
    formula twice = hbg_verify_formula_multiply(f, a[1], hbg_verify_formula_integer(f, 2));
    if (small_whole(proof, twice, &exponent) && exponent > 0)
        return number(power(proof, root(proof, a[0], 2, term), exponent));
    return enclosed(proof, node, a, term);
}

static exact_value sine(group_proof *proof, const hbg_exact_node *node, const formula *a,
                        hbg_exact_term term) {
    (void)node;
    return number(circle(proof, HBG_OP_SIN, a[0], term));
}

static exact_value cosine(group_proof *proof, const hbg_exact_node *node, const formula *a,
                          hbg_exact_term term) {
    (void)node;
    return number(circle(proof, HBG_OP_COS, a[0], term));
}

static exact_value tangent(group_proof *proof, const hbg_exact_node *node, const formula *a,
                           hbg_exact_term term) {
    formulas *f = &proof->f;
    formula below = circle(proof, HBG_OP_COS, a[0], term);
    (void)node;
    hbg_verify_value_require(proof, hbg_verify_formula_not(f, hbg_verify_formula_equal(f, below, f->zero)),
                             "a tangent of a right angle");
    return number(hbg_verify_formula_divide(f, circle(proof, HBG_OP_SIN, a[0], term), below));
}

static exact_value square_root(group_proof *proof, const hbg_exact_node *node, const formula *a,
                               hbg_exact_term term) {
    (void)node;
    return number(root(proof, a[0], 2, term));
}

static exact_value cube_root(group_proof *proof, const hbg_exact_node *node, const formula *a,
                             hbg_exact_term term) {
    (void)node;
    return number(root(proof, a[0], 3, term));
}

static exact_value hypotenuse(group_proof *proof, const hbg_exact_node *node, const formula *a,
                              hbg_exact_term term) {
    (void)node;
    formula squares = hbg_verify_formula_add(&proof->f, power(proof, a[0], 2), power(proof, a[1], 2));
    return number(root(proof, squares, 2, term));
}

static exact_value looked_up(group_proof *proof, const hbg_exact_node *node, const formula *a,
                             hbg_exact_term term) {
    const hbg_table *of = &proof->model->tables.items[node->b];
    if (of->count <= TABLE_POINTS || hbg_verify_formula_is_number(&proof->f, a[0]))
        return number(table(proof, of, a[0]));
    return enclosed(proof, node, a, term);
}

/* Arithmetic is in consistency_values.c. */
static exact_value not_here(group_proof *proof, const hbg_exact_node *node, const formula *a,
                            hbg_exact_term term) {
    HBG_ASSERT(!"a function");
    return enclosed(proof, node, a, term);
}

static const enclosure enclose_none = {not_here, no_axioms, no_point, everywhere};
static const enclosure enclose_exact = {not_here, no_axioms, no_point, everywhere};
static const enclosure enclose_unknown = {enclosed, no_axioms, no_point, everywhere};
static const enclosure enclose_pi = {enclosed, no_axioms, no_point, everywhere};
static const enclosure enclose_sin = {sine, no_axioms, no_point, everywhere};
static const enclosure enclose_cos = {cosine, no_axioms, no_point, everywhere};
static const enclosure enclose_tan = {tangent, no_axioms, no_point, everywhere};
static const enclosure enclose_asin = {enclosed, within_half_turn, zero_at_zero, domain_arc};
static const enclosure enclose_acos = {enclosed, axioms_acos, zero_at_one, domain_arc};
static const enclosure enclose_atan = {enclosed, within_half_turn, zero_at_zero, everywhere};
static const enclosure enclose_atan2 = {enclosed, within_turn, no_point, everywhere};
static const enclosure enclose_sinh = {enclosed, no_axioms, zero_at_zero, everywhere};
static const enclosure enclose_cosh = {enclosed, axioms_cosh, one_at_zero, everywhere};
static const enclosure enclose_tanh = {enclosed, within_one, zero_at_zero, everywhere};
static const enclosure enclose_exp = {enclosed, axioms_exp, one_at_zero, everywhere};
static const enclosure enclose_log = {enclosed, axioms_log, zero_at_one, domain_log};
static const enclosure enclose_log10 = {enclosed, no_axioms, no_point, domain_log};
static const enclosure enclose_sqrt = {square_root, no_axioms, no_point, everywhere};
static const enclosure enclose_cbrt = {cube_root, no_axioms, no_point, everywhere};
static const enclosure enclose_hypot = {hypotenuse, no_axioms, no_point, everywhere};
static const enclosure enclose_power = {raised, no_axioms, no_point, domain_power};
static const enclosure enclose_floor = {enclosed, axioms_floor, point_floor, everywhere};
static const enclosure enclose_ceil = {enclosed, axioms_ceil, point_ceil, everywhere};
static const enclosure enclose_remainder = {enclosed, no_axioms, point_remainder, domain_remainder};
static const enclosure enclose_table = {looked_up, axioms_table, no_point, everywhere};

static const enclosure *enclosure_of(int op) {
    static const enclosure *const all[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = &enclose_##enclosure,
        HBG_OPERATOR_LIST(X)
#undef X
    };
    return op < HBG_OP_COUNT ? all[op] : &enclose_unknown; // slopes of tables, energies by laws
}

exact_value hbg_verify_value_function(group_proof *proof, const hbg_exact_node *node,
                                      const exact_value *arguments, hbg_exact_term term) {
    formula a[3] = {NULL};
    for (int i = 0; i < node->arity; i++) a[i] = hbg_verify_value_number(proof, arguments[i]);
    return enclosure_of(node->op)->value(proof, node, a, term);
}
