/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations between quotients as relations between polynomials. The prover makes a symbol of every quotient,
 * which is its slowest case; so both sides are brought over one denominator, and the relation is multiplied
 * by it. Its sign is known, or it takes part as a factor. Denominators are not 0 where a quotient is used. */
#include "verify/formula_impl.h"

#define FACTORS 8 /* of a denominator */
#define CHOICES 6 /* nested in a relation, that are written out */

typedef struct {
    formula up;
    formula factors[FACTORS]; /* of the denominator */
    int powers[FACTORS];
    int count;
} fraction;

/* ---- fractions --------------------------------------------------------------------------------------------- */

static bool add_factor(formulas *f, fraction *of, formula factor, int power) {
    for (int i = 0; i < of->count; i++)
        if (of->factors[i] == factor) {
            of->powers[i] += power;
            return true;
        }
    if (hbg_verify_formula_is_number(f, factor)) {
        for (int i = 0; i < power; i++) of->up = hbg_verify_formula_divide(f, of->up, factor);
        return true;
    }
    if (of->count == FACTORS) return false;
    of->factors[of->count] = factor;
    of->powers[of->count++] = power;
    return true;
}

static int power_of(const fraction *of, formula factor) {
    for (int i = 0; i < of->count; i++)
        if (of->factors[i] == factor) return of->powers[i];
    return 0;
}

/* The numerator over the common denominator with the other one. */
static formula widened(formulas *f, const fraction *of, const fraction *other) {
    formula up = of->up;
    for (int i = 0; i < other->count; i++)
        for (int k = power_of(of, other->factors[i]); k < other->powers[i]; k++)
            up = hbg_verify_formula_multiply(f, up, other->factors[i]);
    return up;
}

static bool add(formulas *f, fraction *sum, const fraction *other) {
    formula up = hbg_verify_formula_add(f, widened(f, sum, other), widened(f, other, sum));
    for (int i = 0; i < other->count; i++) {
        int missing = other->powers[i] - power_of(sum, other->factors[i]);
        if (missing > 0 && !add_factor(f, sum, other->factors[i], missing)) return false;
    }
    sum->up = up;
    return true;
}

static bool multiply(formulas *f, fraction *product, const fraction *other) {
    product->up = hbg_verify_formula_multiply(f, product->up, other->up);
    for (int i = 0; i < other->count; i++)
        if (!add_factor(f, product, other->factors[i], other->powers[i])) return false;
    return true;
}

static bool divide(formulas *f, fraction *of, const fraction *by) {
    for (int i = 0; i < by->count; i++)
        for (int k = 0; k < by->powers[i]; k++)
            of->up = hbg_verify_formula_multiply(f, of->up, by->factors[i]);
    return by->up != f->zero && add_factor(f, of, by->up, 1);
}

/* Whether it divides by something other than a number. */
static bool has_quotient(formulas *f, formula a) {
    HBG_VEC(formula) stack = {0};
    HBG_PUSH(f->arena, stack, a);
    while (stack.count > 0) {
        formula at = stack.items[--stack.count];
        if (Z3_get_ast_kind(f->z3, at) != Z3_APP_AST) continue;
        int32_t id = (int32_t)Z3_get_ast_id(f->z3, at);
        if (hbg_base_pair_map_find(&f->memo.whole, id, 0) >= 0) continue;
        if (hbg_verify_formula_kind(f, at) == Z3_OP_DIV &&
            !hbg_verify_formula_is_number(f, hbg_verify_formula_argument(f, at, 1)))
            return true;
        for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, at); i++)
            HBG_PUSH(f->arena, stack, hbg_verify_formula_argument(f, at, i));
    }
    hbg_base_pair_map_add(&f->memo.whole, (int32_t)Z3_get_ast_id(f->z3, a), 0, 1);
    return false;
}

static bool read_fraction(formulas *f, formula a, fraction *result);

static bool read_power(formulas *f, formula a, fraction *result) {
    fraction base;
    double exponent = hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, a, 1));
    if (!(exponent >= 1 && exponent <= 16 && exponent == (int)exponent)) return false;
    if (!read_fraction(f, hbg_verify_formula_argument(f, a, 0), &base)) return false;
    *result = (fraction){.up = f->one};
    for (int i = 0; i < (int)exponent; i++)
        if (!multiply(f, result, &base)) return false;
    return true;
}

/* False if it is not a quotient of polynomials, or one with too many parts. */
static bool read_fraction(formulas *f, formula a, fraction *result) {
    fraction other;
    *result = (fraction){.up = a};
    if (!has_quotient(f, a)) return true;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_POWER) return read_power(f, a, result);
    if (kind != Z3_OP_ADD && kind != Z3_OP_SUB && kind != Z3_OP_MUL && kind != Z3_OP_DIV &&
        kind != Z3_OP_UMINUS)
        return false;
    if (!read_fraction(f, hbg_verify_formula_argument(f, a, 0), result)) return false;
    if (kind == Z3_OP_UMINUS) result->up = hbg_verify_formula_negate(f, result->up);
    for (unsigned i = 1; i < hbg_verify_formula_argument_count(f, a); i++) {
        if (!read_fraction(f, hbg_verify_formula_argument(f, a, i), &other)) return false;
        if (kind == Z3_OP_SUB) other.up = hbg_verify_formula_negate(f, other.up);
        bool done = kind == Z3_OP_MUL   ? multiply(f, result, &other)
                    : kind == Z3_OP_DIV ? divide(f, result, &other)
                                        : add(f, result, &other);
        if (!done) return false;
    }
    return true;
}

/* ---- relations --------------------------------------------------------------------------------------------- */

int hbg_verify_formula_sign(formulas *f, formula a) {
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(&f->memo.signs, id, 0);
    if (found >= 0) return found - 1;
    int sign = hbg_verify_formula_is_closed(f, a)
                   ? hbg_verify_interval_sign(f, hbg_verify_formula_enclose(f, a))
                   : 0;
    if (sign != 0) {
        hbg_base_pair_map_add(&f->memo.signs, id, 0, sign + 1);
        return sign;
    }
    if (hbg_verify_formulas_check_alone(f, hbg_verify_formula_less_equal(f, a, f->zero)) == ANSWER_NONE)
        sign = 1;
    else if (hbg_verify_formulas_check_alone(f, hbg_verify_formula_less_equal(f, f->zero, a)) == ANSWER_NONE)
        sign = -1;
    hbg_base_pair_map_add(&f->memo.signs, id, 0, sign + 1);
    return sign;
}

/* The numerator times the denominator, without positive factors and squares. */
static formula without_denominator(formulas *f, const fraction *of, bool equal) {
    formula up = of->up;
    for (int i = 0; i < of->count && !equal; i++) {
        if (of->powers[i] % 2 == 0) continue;
        int sign = hbg_verify_formula_sign(f, of->factors[i]);
        if (sign < 0) up = hbg_verify_formula_negate(f, up);
        if (sign == 0) up = hbg_verify_formula_multiply(f, up, of->factors[i]);
    }
    return up;
}

/* A choice between numbers, or NULL. */
static formula find_choice(formulas *f, formula a) {
    if (Z3_get_ast_kind(f->z3, a) != Z3_APP_AST || hbg_verify_formula_is_number(f, a)) return NULL;
    if (hbg_verify_formula_kind(f, a) == Z3_OP_ITE) return a;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++) {
        formula found = find_choice(f, hbg_verify_formula_argument(f, a, i));
        if (found) return found;
    }
    return NULL;
}

static formula plain(formulas *f, formula_relation relation, formula a) {
    switch (relation) {
    case RELATION_LESS: return hbg_verify_formula_simplify(f, Z3_mk_lt(f->z3, a, f->zero));
    case RELATION_LESS_EQUAL: return hbg_verify_formula_simplify(f, Z3_mk_le(f->z3, a, f->zero));
    default: return hbg_verify_formula_simplify(f, Z3_mk_eq(f->z3, a, f->zero));
    }
}

static formula relate(formulas *f, formula_relation relation, formula a, int depth) {
    fraction quotient;
    formula choice = depth < CHOICES && hbg_verify_formula_is_nonlinear(f, a) ? find_choice(f, a) : NULL;
    if (choice) {
        formula sides[2];
        for (unsigned i = 0; i < 2; i++) {
            formula side = hbg_verify_formula_argument(f, choice, i + 1);
            sides[i] = relate(f, relation, hbg_verify_formula_replace(f, a, 1, &choice, &side), depth + 1);
        }
        return hbg_verify_formula_choose(f, hbg_verify_formula_argument(f, choice, 0), sides[0], sides[1]);
    }
    if (!has_quotient(f, a) || !read_fraction(f, a, &quotient))
        return plain(f, relation, hbg_verify_formula_scaled(f, a));
    formula up = without_denominator(f, &quotient, relation == RELATION_EQUAL);
    return plain(f, relation, hbg_verify_formula_scaled(f, up));
}

formula hbg_verify_formula_relate(formulas *f, formula_relation relation, formula a, formula b) {
    return relate(f, relation, hbg_verify_formula_subtract(f, a, b), 0);
}

bool hbg_verify_formula_wants_care(formulas *f, formula a, formula b) {
    if (hbg_verify_formula_is_number(f, a) && hbg_verify_formula_is_number(f, b)) return false;
    return hbg_verify_formula_is_nonlinear(f, a) || hbg_verify_formula_is_nonlinear(f, b);
}
