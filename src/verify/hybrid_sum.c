/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas as numbers: sums over the variables of the automaton, and bounds on them. */
#include <math.h>

#include "verify/hybrid_impl.h"

/* The number that a formula without variables is, rounded; NaN if it has some. */
static double number_of(formulas *f, formula a) {
    if (hbg_verify_formula_is_number(f, a)) return hbg_verify_formula_to_double(f, a);
    if (!hbg_verify_formula_is_closed(f, a)) return NAN;
    interval between = hbg_verify_formula_enclose(f, a);
    if (!hbg_verify_interval_is_known(between)) return NAN;
    return 0.5 *
           (hbg_verify_formula_to_double(f, between.low) + hbg_verify_formula_to_double(f, between.high));
}

static bool add(const hybrid_map *map, formula a, double factor, hbg_hybrid_sum *sum);

/* Numbers times at most one formula that is not a number. */
static bool add_product(const hybrid_map *map, formula a, double factor, hbg_hybrid_sum *sum) {
    formulas *f = &map->proof->f;
    formula other = NULL;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
        formula part = hbg_verify_formula_argument(f, a, i);
        double number = number_of(f, part);
        if (isnan(number) && other) return false;
        if (isnan(number))
            other = part;
        else
            factor *= number;
    }
    return other ? add(map, other, factor, sum) : (sum->constant += factor, true);
}

static bool add_all(const hybrid_map *map, formula a, double factor, bool negates, hbg_hybrid_sum *sum) {
    formulas *f = &map->proof->f;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++)
        if (!add(map, hbg_verify_formula_argument(f, a, i), negates && i > 0 ? -factor : factor, sum))
            return false;
    return true;
}

static bool add(const hybrid_map *map, formula a, double factor, hbg_hybrid_sum *sum) {
    formulas *f = &map->proof->f;
    for (int32_t i = 0; i < map->made->variables.count; i++)
        if (a == map->symbols[i]) {
            sum->factors[i] += factor;
            return true;
        }
    double number = number_of(f, a);
    if (!isnan(number)) {
        sum->constant += factor * number;
        return true;
    }
    switch (hbg_verify_formula_kind(f, a)) {
    case Z3_OP_ADD: return add_all(map, a, factor, false, sum);
    case Z3_OP_SUB: return add_all(map, a, factor, true, sum);
    case Z3_OP_UMINUS: return add(map, hbg_verify_formula_argument(f, a, 0), -factor, sum);
    case Z3_OP_MUL: return add_product(map, a, factor, sum);
    case Z3_OP_DIV: {
        double divisor = number_of(f, hbg_verify_formula_argument(f, a, 1));
        return !isnan(divisor) && divisor != 0 &&
               add(map, hbg_verify_formula_argument(f, a, 0), factor / divisor, sum);
    }
    default: return false;
    }
}

bool hbg_verify_hybrid_sum(hybrid_map *map, formula a, hbg_hybrid_sum *sum) {
    *sum = (hbg_hybrid_sum){0, HBG_NEW_ARRAY(map->proof->arena, double, map->made->variables.count + 1)};
    return add(map, a, 1, sum);
}

double hbg_verify_hybrid_value(const hybrid_map *map, const hbg_hybrid_sum *sum, const double *values) {
    double total = sum->constant;
    for (int32_t i = 0; i < map->made->variables.count; i++)
        if (sum->factors[i] != 0) total += sum->factors[i] * values[i];
    return total;
}

/* The variable that comes first has the factor 1 or -1. */
static void scale(const hybrid_map *map, hbg_hybrid_bound *bound) {
    int32_t first = 0, count = map->made->variables.count;
    while (first < count && bound->sum.factors[first] == 0) first++;
    if (first == count) return;
    double by = bound->equal ? bound->sum.factors[first] : fabs(bound->sum.factors[first]);
    for (int32_t i = 0; i < count; i++)
        if (bound->sum.factors[i] != 0) bound->sum.factors[i] /= by;
    if (bound->sum.constant != 0) bound->sum.constant /= by;
}

bool hbg_verify_hybrid_bound(hybrid_map *map, formula literal, hbg_hybrid_bound *bound, formula *closed) {
    formulas *f = &map->proof->f;
    bool negated = false;
    while (hbg_verify_formula_kind(f, literal) == Z3_OP_NOT) {
        literal = hbg_verify_formula_argument(f, literal, 0);
        negated = !negated;
    }
    Z3_decl_kind kind = hbg_verify_formula_kind(f, literal);
    bool below = kind == Z3_OP_LE || kind == Z3_OP_LT, above = kind == Z3_OP_GE || kind == Z3_OP_GT;
    bool equal = kind == Z3_OP_EQ && !negated;
    if (!below && !above && !equal) return false;
    formula a = hbg_verify_formula_argument(f, literal, 0), b = hbg_verify_formula_argument(f, literal, 1);
    if (Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, a)) != Z3_REAL_SORT) return false;
    bool turned = !equal && above != negated;
    formula difference = turned ? hbg_verify_formula_subtract(f, b, a) : hbg_verify_formula_subtract(f, a, b);
    bound->equal = equal;
    if (!hbg_verify_hybrid_sum(map, difference, &bound->sum)) return false;
    scale(map, bound);
    *closed = equal ? hbg_verify_formula_equal(f, difference, f->zero)
                    : hbg_verify_formula_less_equal(f, difference, f->zero);
    return true;
}
