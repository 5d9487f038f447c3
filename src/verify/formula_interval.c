/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers between two fractions, and functions of them. π, sine, exponential and logarithm by their series in
 * exact fractions, with the remainder of the series added to the bounds: nothing here depends on the accuracy
 * of a library. */
#include <math.h>
#include <stdlib.h>

#include "verify/formula_impl.h"

#define DIGITS      120 /* binary ones kept while computing; rounded outwards */
#define TERMS       200 /* of a series: never reached */
#define LARGEST     1e9 /* argument of a sine */
#define LARGEST_EXP 2000

static const interval nothing_known = {NULL, NULL};

bool hbg_verify_interval_is_known(interval a) {
    return a.low != NULL;
}

/* ---- bounds ------------------------------------------------------------------------------------------------ */

interval hbg_verify_interval_point(formula a) {
    return (interval){a, a};
}

static bool is_less(formulas *f, formula a, formula b) {
    return Z3_algebraic_lt(f->z3, a, b);
}

static formula smaller(formulas *f, formula a, formula b) {
    return is_less(f, b, a) ? b : a;
}

static formula larger(formulas *f, formula a, formula b) {
    return is_less(f, a, b) ? b : a;
}

/* The next fraction below with so many digits. */
static formula below_by(formulas *f, formula a, int digits) {
    double size = fabs(hbg_verify_formula_to_double(f, a));
    if (!(size > 1e-200 && size < 1e200)) return a;
    formula scale = hbg_verify_formula_double(f, ldexp(1, digits - ilogb(size)));
    return hbg_verify_formula_divide(f, hbg_verify_formula_whole(f, hbg_verify_formula_multiply(f, a, scale)),
                                     scale);
}

static formula below(formulas *f, formula a) {
    return below_by(f, a, DIGITS);
}

interval hbg_verify_interval_shorten(formulas *f, interval a, int digits) {
    formula high = below_by(f, hbg_verify_formula_negate(f, a.high), digits);
    return (interval){below_by(f, a.low, digits), hbg_verify_formula_negate(f, high)};
}

static formula above(formulas *f, formula a) {
    return hbg_verify_formula_negate(f, below(f, hbg_verify_formula_negate(f, a)));
}

static interval outward(formulas *f, formula low, formula high) {
    return (interval){below(f, low), above(f, high)};
}

/* ---- arithmetic -------------------------------------------------------------------------------------------- */

interval hbg_verify_interval_add(formulas *f, interval a, interval b) {
    if (!a.low || !b.low) return nothing_known;
    return (interval){hbg_verify_formula_add(f, a.low, b.low), hbg_verify_formula_add(f, a.high, b.high)};
}

interval hbg_verify_interval_negate(formulas *f, interval a) {
    if (!a.low) return a;
    return (interval){hbg_verify_formula_negate(f, a.high), hbg_verify_formula_negate(f, a.low)};
}

static interval subtract(formulas *f, interval a, interval b) {
    return hbg_verify_interval_add(f, a, hbg_verify_interval_negate(f, b));
}

interval hbg_verify_interval_multiply(formulas *f, interval a, interval b) {
    if (!a.low || !b.low) return nothing_known;
    formula first = hbg_verify_formula_multiply(f, a.low, b.low);
    if (a.low == a.high && b.low == b.high) return hbg_verify_interval_point(first);
    if (!is_less(f, a.low, f->zero) && !is_less(f, b.low, f->zero))
        return outward(f, first, hbg_verify_formula_multiply(f, a.high, b.high));
    interval made = hbg_verify_interval_point(first);
    const formula others[] = {hbg_verify_formula_multiply(f, a.low, b.high),
                              hbg_verify_formula_multiply(f, a.high, b.low),
                              hbg_verify_formula_multiply(f, a.high, b.high)};
    for (int i = 0; i < 3; i++) {
        made.low = smaller(f, made.low, others[i]);
        made.high = larger(f, made.high, others[i]);
    }
    return outward(f, made.low, made.high);
}

int hbg_verify_interval_sign(formulas *f, interval a) {
    if (!a.low) return 0;
    return is_less(f, f->zero, a.low) ? 1 : is_less(f, a.high, f->zero) ? -1 : 0;
}

interval hbg_verify_interval_divide(formulas *f, interval a, interval b) {
    if (hbg_verify_interval_sign(f, b) == 0) return nothing_known;
    if (b.low == b.high && a.low == a.high)
        return hbg_verify_interval_point(hbg_verify_formula_divide(f, a.low, b.low));
    interval inverse = {hbg_verify_formula_divide(f, f->one, b.high),
                        hbg_verify_formula_divide(f, f->one, b.low)};
    return hbg_verify_interval_multiply(f, a, inverse);
}

interval hbg_verify_interval_power(formulas *f, interval a, int exponent) {
    interval made = hbg_verify_interval_point(f->one);
    for (int i = 0; i < abs(exponent); i++) made = hbg_verify_interval_multiply(f, made, a);
    if (made.low && exponent % 2 == 0 && is_less(f, made.low, f->zero)) made.low = f->zero;
    return exponent < 0 ? hbg_verify_interval_divide(f, hbg_verify_interval_point(f->one), made) : made;
}

static interval by_number(formulas *f, interval a, int64_t number) {
    return hbg_verify_interval_divide(f, a, hbg_verify_interval_point(hbg_verify_formula_integer(f, number)));
}

static interval times_number(formulas *f, interval a, int64_t number) {
    return hbg_verify_interval_multiply(f, a,
                                        hbg_verify_interval_point(hbg_verify_formula_integer(f, number)));
}

/* Wider by a number on both sides. */
static interval widened(formulas *f, interval a, formula by) {
    return (interval){hbg_verify_formula_subtract(f, a.low, by), hbg_verify_formula_add(f, a.high, by)};
}

static formula size_of(formulas *f, interval a) {
    return larger(f, a.high, hbg_verify_formula_negate(f, a.low));
}

/* ---- roots ------------------------------------------------------------------------------------------------- */

/* g is not below the root if its power is not below the number; then the number divided by the other power of
 * g is not above it. */
static interval root_at(formulas *f, formula a, int n) {
    double about = hbg_verify_formula_to_double(f, a);
    if (a == f->zero || a == f->one) return hbg_verify_interval_point(a);
    if (!(about > 1e-200 && about < 1e200)) return nothing_known;
    formula g = hbg_verify_formula_double(f, n == 2 ? sqrt(about) : cbrt(about)), power;
    for (int i = 0; i < 4; i++) { // Newton doubles the digits
        power = n == 2 ? g : hbg_verify_formula_multiply(f, g, g);
        formula next = hbg_verify_formula_multiply(f, hbg_verify_formula_integer(f, n - 1), g);
        next = hbg_verify_formula_add(f, next, hbg_verify_formula_divide(f, a, power));
        g = above(f, hbg_verify_formula_divide(f, next, hbg_verify_formula_integer(f, n)));
    }
    power = n == 2 ? g : hbg_verify_formula_multiply(f, g, g);
    if (is_less(f, hbg_verify_formula_multiply(f, power, g), a)) return nothing_known;
    return (interval){below(f, hbg_verify_formula_divide(f, a, power)), g};
}

static interval odd_root_at(formulas *f, formula a) {
    if (!is_less(f, a, f->zero)) return root_at(f, a, 3);
    return hbg_verify_interval_negate(f, root_at(f, hbg_verify_formula_negate(f, a), 3));
}

static interval square_root_at(formulas *f, formula a) {
    return is_less(f, a, f->zero) ? nothing_known : root_at(f, a, 2);
}

/* ---- series ------------------------------------------------------------------------------------------------ */

/* z ± z³/3 + z⁵/5 ± …, with |z| at most 1/2: arctan, or artanh with every sign a plus. */
static interval odd_series(formulas *f, interval z, bool alternates) {
    interval square = hbg_verify_interval_multiply(f, z, z), power = z, sum = z;
    formula enough = hbg_verify_formula_double(f, ldexp(1, -DIGITS));
    if (alternates) square = hbg_verify_interval_negate(f, square);
    for (int64_t i = 3; i < TERMS && is_less(f, enough, size_of(f, power)); i += 2) {
        power = hbg_verify_interval_multiply(f, power, square);
        sum = hbg_verify_interval_add(f, sum, by_number(f, power, i));
    }
    sum = widened(f, sum, size_of(f, power)); // all following terms are at most a geometric series with ratio
                                              // 1/4
    return outward(f, sum.low, sum.high);
}

interval hbg_verify_interval_pi(formulas *f) { // Machin
    interval fifth = by_number(f, hbg_verify_interval_point(f->one), 5),
             other = by_number(f, hbg_verify_interval_point(f->one), 239);
    return subtract(f, times_number(f, odd_series(f, fifth, true), 16),
                    times_number(f, odd_series(f, other, true), 4));
}

static interval exp_at(formulas *f, formula a) {
    int halves = 0;
    double about = hbg_verify_formula_to_double(f, a);
    if (!(fabs(about) < LARGEST_EXP)) return nothing_known;
    if (about < 0)
        return hbg_verify_interval_divide(f, hbg_verify_interval_point(f->one),
                                          exp_at(f, hbg_verify_formula_negate(f, a)));
    while (ldexp(about, -halves) > 0.1) halves++;
    formula enough = hbg_verify_formula_double(f, ldexp(1, -DIGITS));
    formula share = hbg_verify_formula_divide(f, a, hbg_verify_formula_double(f, ldexp(1, halves)));
    interval x = outward(f, share, share), term = hbg_verify_interval_point(f->one), sum = term;
    for (int64_t i = 1; i < 40; i++) { // 0.1^40/40! is far below any digit
        term = by_number(f, hbg_verify_interval_multiply(f, term, x), i);
        sum = hbg_verify_interval_add(f, sum, term);
        if (!is_less(f, enough, term.high)) break;
    }
    sum.high = hbg_verify_formula_add(f, sum.high, term.high);
    for (int i = 0; i < halves; i++) {
        sum = outward(f, sum.low, sum.high);
        sum = hbg_verify_interval_multiply(f, sum, sum);
    }
    return sum;
}

/* log(m·2^e) = e·log 2 + 2·artanh((m - 1)/(m + 1)) */
static interval log_at(formulas *f, formula a) {
    double about = hbg_verify_formula_to_double(f, a);
    if (!(about > 1e-200 && about < 1e200)) return nothing_known;
    int e = ilogb(about * 1.41421356);
    formula m = hbg_verify_formula_divide(f, a, hbg_verify_formula_double(f, ldexp(1, e)));
    formula z = hbg_verify_formula_divide(f, hbg_verify_formula_subtract(f, m, f->one),
                                          hbg_verify_formula_add(f, m, f->one));
    interval third = by_number(f, hbg_verify_interval_point(f->one), 3);
    interval made = times_number(f, odd_series(f, outward(f, z, z), false), 2);
    if (z == f->zero) made = hbg_verify_interval_point(f->zero);
    if (e == 0) return made;
    return hbg_verify_interval_add(f, made, times_number(f, odd_series(f, third, false), 2 * (int64_t)e));
}

static interval atan_at(formulas *f, formula a) {
    if (a == f->zero) return hbg_verify_interval_point(a);
    if (is_less(f, a, f->zero))
        return hbg_verify_interval_negate(f, atan_at(f, hbg_verify_formula_negate(f, a)));
    if (is_less(f, f->one, a))
        return subtract(f, by_number(f, hbg_verify_interval_pi(f), 2),
                        atan_at(f, hbg_verify_formula_divide(f, f->one, a)));
    interval z = outward(f, a, a);
    for (int i = 0; i < 2; i++) { // tan of half the angle
        interval square = hbg_verify_interval_add(f, hbg_verify_interval_multiply(f, z, z),
                                                  hbg_verify_interval_point(f->one));
        interval root = {square_root_at(f, square.low).low, square_root_at(f, square.high).high};
        z = hbg_verify_interval_divide(f, z,
                                       hbg_verify_interval_add(f, root, hbg_verify_interval_point(f->one)));
    }
    return times_number(f, odd_series(f, z, true), 4);
}

/* Sine, or cosine, of a fraction of size below 1. */
static interval turn_series(formulas *f, formula a, bool cosine) {
    interval x = hbg_verify_interval_point(a),
             square = hbg_verify_interval_negate(f, hbg_verify_interval_multiply(f, x, x));
    interval term = cosine ? hbg_verify_interval_point(f->one) : x, sum = term;
    formula enough = hbg_verify_formula_double(f, ldexp(1, -DIGITS));
    for (int64_t i = cosine ? 1 : 2; i < 44 && is_less(f, enough, size_of(f, term));
         i += 2) { // 1/44! is far less
        term = by_number(f, hbg_verify_interval_multiply(f, term, square), i * (i + 1));
        term = outward(f, term.low, term.high);
        sum = hbg_verify_interval_add(f, sum, term);
    }
    return widened(f, sum, size_of(f, term));
}

/* Subtracts quarter turns from the angle; sine and cosine change by no more than the angle does. */
static interval turn(formulas *f, interval angle, bool cosine) {
    formula two = hbg_verify_formula_integer(f, 2);
    interval all = {hbg_verify_formula_integer(f, -1), f->one};
    if (!angle.low) return all;
    double about = hbg_verify_formula_to_double(f, angle.low);
    if (!(fabs(about) < LARGEST)) return all;
    int64_t quarters = llround(about / 1.5707963267948966);
    interval rest = angle;
    if (quarters != 0)
        rest = subtract(f, angle, by_number(f, times_number(f, hbg_verify_interval_pi(f), quarters), 2));
    formula middle =
        below(f, hbg_verify_formula_divide(f, hbg_verify_formula_add(f, rest.low, rest.high), two));
    formula radius = larger(f, hbg_verify_formula_subtract(f, rest.high, middle),
                            hbg_verify_formula_subtract(f, middle, rest.low));
    if (is_less(f, f->one, hbg_verify_formula_add(f, radius, size_of(f, hbg_verify_interval_point(middle)))))
        return all;
    int64_t quarter = ((quarters + cosine) % 4 + 4) % 4; // cos(a) = sin(a + a quarter turn)
    interval made = turn_series(f, middle, quarter % 2 == 1);
    made = widened(f, made, radius);
    if (quarter >= 2) made = hbg_verify_interval_negate(f, made);
    return (interval){larger(f, made.low, all.low), smaller(f, made.high, all.high)};
}

/* ---- functions --------------------------------------------------------------------------------------------- */

static interval sinh_at(formulas *f, formula a) {
    interval up = exp_at(f, a), down = exp_at(f, hbg_verify_formula_negate(f, a));
    return by_number(f, subtract(f, up, down), 2);
}

static interval cosh_at(formulas *f, formula a) {
    interval up = exp_at(f, a), down = exp_at(f, hbg_verify_formula_negate(f, a));
    return by_number(f, hbg_verify_interval_add(f, up, down), 2);
}

static interval tanh_at(formulas *f, formula a) {
    return hbg_verify_interval_divide(f, sinh_at(f, a), cosh_at(f, a));
}

static interval asin_at(formulas *f, formula a) {
    formula rest = hbg_verify_formula_subtract(f, f->one, hbg_verify_formula_multiply(f, a, a));
    if (is_less(f, rest, f->zero)) return nothing_known;
    if (a == f->zero) return hbg_verify_interval_point(a);
    if (rest == f->zero) {
        interval right = by_number(f, hbg_verify_interval_pi(f), 2);
        return is_less(f, a, f->zero) ? hbg_verify_interval_negate(f, right) : right;
    }
    interval tangent = hbg_verify_interval_divide(f, hbg_verify_interval_point(a), square_root_at(f, rest));
    if (!tangent.low) return tangent;
    return (interval){atan_at(f, tangent.low).low, atan_at(f, tangent.high).high};
}

static interval log10_at(formulas *f, formula a) {
    return hbg_verify_interval_divide(f, log_at(f, a), log_at(f, hbg_verify_formula_integer(f, 10)));
}

static interval floor_at(formulas *f, formula a) {
    return hbg_verify_interval_point(hbg_verify_formula_whole(f, a));
}

static interval ceil_at(formulas *f, formula a) {
    return hbg_verify_interval_negate(f, floor_at(f, hbg_verify_formula_negate(f, a)));
}

/* A nondecreasing function has its bounds at those of its argument. */
static interval rising(formulas *f, interval a, interval (*at)(formulas *f, formula a)) {
    interval low = at(f, a.low);
    if (a.low == a.high) return low;
    interval high = at(f, a.high);
    return low.low && high.low ? (interval){low.low, high.high} : nothing_known;
}

static interval arc_cosine(formulas *f, interval a) {
    if (a.low == f->one && a.high == f->one) return hbg_verify_interval_point(f->zero);
    return subtract(f, by_number(f, hbg_verify_interval_pi(f), 2), rising(f, a, asin_at));
}

static interval hyperbolic_cosine(formulas *f, interval a) {
    int sign = hbg_verify_interval_sign(f, a);
    if (sign < 0) return hyperbolic_cosine(f, hbg_verify_interval_negate(f, a));
    if (sign > 0 || a.low == a.high) return rising(f, a, cosh_at);
    return (interval){f->one, cosh_at(f, size_of(f, a)).high};
}

/* In the right half plane, or anywhere away from the axis at which the angle jumps. */
static interval direction(formulas *f, interval y, interval x) {
    int side = hbg_verify_interval_sign(f, x), up = hbg_verify_interval_sign(f, y);
    interval pi = hbg_verify_interval_pi(f);
    if (side > 0) return rising(f, hbg_verify_interval_divide(f, y, x), atan_at);
    if (up == 0) return side < 0 && y.low == f->zero && y.high == f->zero ? pi : nothing_known;
    interval right =
        by_number(f, up > 0 ? pi : hbg_verify_interval_negate(f, pi), 2); // atan2 = ±π/2 - atan(x/y)
    return subtract(f, right, rising(f, hbg_verify_interval_divide(f, x, y), atan_at));
}

static interval remainder_of(formulas *f, interval a, interval b) {
    if (a.low != a.high || b.low != b.high || b.low == f->zero) return nothing_known;
    formula times = hbg_verify_formula_divide(f, a.low, b.low);
    times = is_less(f, times, f->zero) ? ceil_at(f, times).low : floor_at(f, times).low;
    return hbg_verify_interval_point(
        hbg_verify_formula_subtract(f, a.low, hbg_verify_formula_multiply(f, times, b.low)));
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

/* The column `enclosure` of the list of operators: interval_… holds all values that the function has of the arguments. */
#define INTERVAL(name, expression)                                                                           \
    static interval interval_##name(formulas *f, interval a, interval b) {                                   \
        (void)f, (void)a, (void)b;                                                                           \
        return expression;                                                                                   \
    }

INTERVAL(none, nothing_known)
INTERVAL(exact, nothing_known) /* a function that is written out is no symbol */
INTERVAL(pi, hbg_verify_interval_pi(f))
INTERVAL(sin, turn(f, a, false))
INTERVAL(cos, turn(f, a, true))
INTERVAL(tan, nothing_known) /* it is a quotient of symbols */
INTERVAL(sqrt, rising(f, a, square_root_at))
INTERVAL(cbrt, rising(f, a, odd_root_at))
INTERVAL(exp, rising(f, a, exp_at))
INTERVAL(log, rising(f, a, log_at))
INTERVAL(log10, rising(f, a, log10_at))
INTERVAL(atan, rising(f, a, atan_at))
INTERVAL(asin, rising(f, a, asin_at))
INTERVAL(acos, arc_cosine(f, a))
INTERVAL(sinh, rising(f, a, sinh_at))
INTERVAL(cosh, hyperbolic_cosine(f, a))
INTERVAL(tanh, rising(f, a, tanh_at))
INTERVAL(floor, rising(f, a, floor_at))
INTERVAL(ceil, rising(f, a, ceil_at))
INTERVAL(hypot, nothing_known) /* it is a root of symbols */
INTERVAL(table, nothing_known)
INTERVAL(atan2, direction(f, a, b))
INTERVAL(remainder, remainder_of(f, a, b))

static interval interval_power(formulas *f, interval a, interval b) {
    interval exponent = hbg_verify_interval_multiply(f, rising(f, a, log_at), b);
    return exponent.low ? rising(f, exponent, exp_at) : exponent;
}

typedef interval (*interval_function)(formulas *f, interval a, interval b);

static const interval_function of_operators[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = interval_##enclosure,
    HBG_OPERATOR_LIST(X)
#undef X
};

interval hbg_verify_interval_function(formulas *f, int op, interval a, interval b) {
    bool known = op == HBG_OP_PI || a.low;
    if (op >= HBG_OP_COUNT || !known) return nothing_known;
    if (hbg_model_operator_info_get((hbg_operator)op)->arity == 2 && !b.low) return nothing_known;
    return of_operators[op](f, a, b);
}
