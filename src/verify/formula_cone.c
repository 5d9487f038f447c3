/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Relations that ask for the direction of an angle only. Where sine and cosine are compared with nothing but each other, s + √3·c < 0, what
 * holds for some (s, c) beside (0, 0) holds on the circle too: it may be made longer or shorter. A linear answer, with √3·c for a symbol, is then
 * the whole answer. Next to others each of the two has to have one factor wherever it occurs; alone against 0 it may have any. */
#include "verify/formula_impl.h"

typedef struct {
    int32_t terms, angles;
    formula argument;               /* of the angle */
    bool plain;                     /* all is linear, and without constants but in shares of an angle */
    bool level;                     /* nothing is added to these shares */
    formula symbols[2], factors[2]; /* shares of the angle */
} cone_sum;

/* A product: rational number, constants, at most one symbol. */
static void add_share(formulas *f, cone_sum *to, formula a) {
    formula_product all = {.whole = true};
    formula symbol = NULL, factor = f->one;
    hbg_verify_formula_factors(f, &all, a);
    to->plain = to->plain && all.whole;
    for (unsigned i = 0; i < all.count && to->plain; i++) {
        formula at = all.factors[i];
        const exact_symbol *of = hbg_verify_formula_symbol(f, at);
        if (hbg_verify_formula_is_number(f, at)) continue;
        to->plain = (of && of->constant) || (!symbol && hbg_verify_formula_is_name(f, at));
        if (of && of->constant)
            factor = hbg_verify_formula_multiply(f, factor, at);
        else
            symbol = at;
    }
    const exact_symbol *of = symbol ? hbg_verify_formula_symbol(f, symbol) : NULL;
    bool angle = of && (of->op == HBG_OP_SIN || of->op == HBG_OP_COS);
    to->terms++;
    if (!angle) {
        to->plain = to->plain && factor == f->one;
        to->level = to->level && a == f->zero;
        return;
    }
    to->plain = to->plain && to->angles < 2 && (to->angles == 0 || to->argument == of->argument);
    if (!to->plain) return;
    to->argument = of->argument;
    to->symbols[to->angles] = symbol;
    to->factors[to->angles++] = factor;
}

static void add_side(formulas *f, cone_sum *to, formula a) {
    if (hbg_verify_formula_kind(f, a) != Z3_OP_ADD) {
        add_share(f, to, a);
        return;
    }
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++)
        add_share(f, to, hbg_verify_formula_argument(f, a, i));
}

/* The factor that a symbol has next to others is the first it was met with. */
static bool has_its_factor(formulas *f, formula symbol, formula factor) {
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, symbol), own = (int32_t)Z3_get_ast_id(f->z3, factor);
    int32_t found = hbg_base_pair_map_find(&f->memo.factors, id, 0);
    if (found < 0) found = hbg_base_pair_map_add(&f->memo.factors, id, 0, own);
    return found == own;
}

static bool is_cone_relation(formulas *f, formula a) {
    cone_sum sum = {.plain = true, .level = true};
    for (unsigned i = 0; i < 2; i++) add_side(f, &sum, hbg_verify_formula_argument(f, a, i));
    if (!sum.plain || sum.angles == 0) return sum.plain;
    if (!sum.level) return false;
    for (int i = 0; i < sum.angles && sum.angles > 1; i++)
        if (!has_its_factor(f, sum.symbols[i], sum.factors[i])) return false;
    return true;
}

static bool is_cone(formulas *f, formula a) {
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (hbg_verify_formula_argument_count(f, a) == 0) return true;
    bool relation =
        kind == Z3_OP_EQ || kind == Z3_OP_LE || kind == Z3_OP_GE || kind == Z3_OP_LT || kind == Z3_OP_GT;
    Z3_sort sort = Z3_get_sort(f->z3, hbg_verify_formula_argument(f, a, 0));
    if (relation && Z3_get_sort_kind(f->z3, sort) == Z3_REAL_SORT) return is_cone_relation(f, a);
    if (!relation && kind != Z3_OP_AND && kind != Z3_OP_OR && kind != Z3_OP_NOT && kind != Z3_OP_ITE)
        return false;
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(f, a); i++)
        if (!hbg_verify_formula_is_cone(f, hbg_verify_formula_argument(f, a, i))) return false;
    return true;
}

bool hbg_verify_formula_is_cone(formulas *f, formula a) {
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(&f->memo.cones, id, 0);
    if (found < 0) found = hbg_base_pair_map_add(&f->memo.cones, id, 0, is_cone(f, a));
    return found > 0;
}

void hbg_verify_formula_is_circle(formulas *f, formula a) {
    hbg_base_pair_map_add(&f->memo.cones, (int32_t)Z3_get_ast_id(f->z3, a), 0, 1);
}
