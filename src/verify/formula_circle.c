/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials in sine and cosine of an angle, with s² written as 1 - c² wherever it comes up: equal ones
 * become one, and most denominators of a mechanism become plain numbers. */
#include "verify/formula_impl.h"

#define ROUNDS 24 /* the highest power of a sine, about twice */

void hbg_verify_formula_factors(formulas *f, formula_product *into, formula a) {
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    Z3_app app = Z3_to_app(f->z3, a);
    if (kind == Z3_OP_MUL) {
        for (unsigned i = 0; i < Z3_get_app_num_args(f->z3, app); i++)
            hbg_verify_formula_factors(f, into, Z3_get_app_arg(f->z3, app, i));
        return;
    }
    double power = kind == Z3_OP_POWER ? hbg_verify_formula_to_double(f, Z3_get_app_arg(f->z3, app, 1)) : 1;
    bool written_out = kind == Z3_OP_POWER && power >= 1 && power <= FORMULA_FACTORS && power == (int)power;
    for (int i = 0; i < (written_out ? (int)power : 1); i++) {
        if (into->count == FORMULA_FACTORS) {
            into->whole = false;
            return;
        }
        into->factors[into->count++] = written_out ? Z3_get_app_arg(f->z3, app, 0) : a;
    }
}

/* Takes a factor out twice; false if it does not occur twice. */
static bool take_two(formula_product *of, formula factor) {
    unsigned places[2], found = 0;
    for (unsigned i = 0; i < of->count && found < 2; i++)
        if (of->factors[i] == factor) places[found++] = i;
    if (found < 2) return false;
    of->factors[places[1]] = of->factors[--of->count];
    of->factors[places[0]] = of->factors[--of->count];
    return true;
}

static formula multiplied(formulas *f, const formula_product *of) {
    if (of->count == 0) return f->one;
    return of->count == 1 ? of->factors[0] : Z3_mk_mul(f->z3, of->count, of->factors);
}

typedef HBG_VEC(formula) formula_list;

/* Adds what the monomial becomes to the sum; true if it changed. */
static bool add_reduced(formulas *f, formula a, formula_list *sum) {
    formula_product all = {.whole = true};
    hbg_verify_formula_factors(f, &all, a);
    for (int32_t i = 0; i + 1 < f->symbols.count && all.whole; i++) {
        const exact_symbol *sine = &f->symbols.items[i], *cosine = sine + 1; // they come in pairs
        if (sine->op != HBG_OP_SIN || !take_two(&all, sine->symbol)) continue;
        if (all.count + 3 > FORMULA_FACTORS) break;
        HBG_PUSH(f->arena, *sum, multiplied(f, &all));
        all.factors[all.count++] = cosine->symbol;
        all.factors[all.count++] = cosine->symbol;
        all.factors[all.count++] = hbg_verify_formula_integer(f, -1);
        HBG_PUSH(f->arena, *sum, multiplied(f, &all));
        return true;
    }
    HBG_PUSH(f->arena, *sum, a);
    return false;
}

formula hbg_verify_formula_reduce(formulas *f, formula a) {
    bool changed = f->has_angles;
    for (int round = 0; round < ROUNDS && changed && !hbg_verify_formula_is_number(f, a); round++) {
        formula_list sum = {0};
        changed = false;
        if (hbg_verify_formula_kind(f, a) == Z3_OP_ADD)
            for (unsigned i = 0; i < Z3_get_app_num_args(f->z3, Z3_to_app(f->z3, a)); i++)
                changed |= add_reduced(f, Z3_get_app_arg(f->z3, Z3_to_app(f->z3, a), i), &sum);
        else
            changed = add_reduced(f, a, &sum);
        if (changed) a = hbg_verify_formula_sum(f, sum.count, sum.items);
    }
    return a;
}
