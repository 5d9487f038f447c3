/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A condition on energies a moment before or after an instant. With d a difference and d' its rate along the
 * field, d + ε·d' is below 0 for small ε > 0 if d < 0, or d = 0 and d' < 0, or both are 0 and d'' < 0:
 * compared lexicographically. */
#include "verify/shift_impl.h"

static formula shift_value(time_shift *shift, formula a);
static formula shift_rate(time_shift *shift, formula a);

void hbg_verify_shift_init(time_shift *shift, group_proof *proof, bool later, const formula *rates) {
    *shift = (time_shift){.proof = proof, .later = later, .rates = rates, .certain = proof->f.yes};
    hbg_base_pair_map_init(&shift->values, proof->arena);
    hbg_base_pair_map_init(&shift->rate_of, proof->arena);
    hbg_base_pair_map_init(&shift->truths, proof->arena);
}

static bool find(time_shift *shift, const hbg_pair_map *map, formula a, formula *found) {
    int32_t place = hbg_base_pair_map_find(map, (int32_t)Z3_get_ast_id(shift->proof->f.z3, a), 0);
    if (place < 0) return false;
    if (shift->under_way.items[place] && map == &shift->truths) shift->certain = shift->proof->f.no;
    *found = shift->made.items[place];
    return true;
}

static formula keep(time_shift *shift, hbg_pair_map *map, formula a, formula made) {
    hbg_base_pair_map_add(map, (int32_t)Z3_get_ast_id(shift->proof->f.z3, a), 0, shift->made.count);
    HBG_PUSH(shift->proof->arena, shift->made, made);
    HBG_PUSH(shift->proof->arena, shift->under_way, false);
    return made;
}

/* Until it is known, it may be anything. */
static int32_t keep_place(time_shift *shift, hbg_pair_map *map, formula a, formula anything) {
    keep(shift, map, a, anything);
    shift->under_way.items[shift->made.count - 1] = true;
    return shift->made.count - 1;
}

static formula end_place(time_shift *shift, int32_t place, formula made) {
    shift->under_way.items[place] = false;
    return shift->made.items[place] = made;
}

static formula fresh(time_shift *shift) {
    formulas *f = &shift->proof->f;
    formula made = hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "rate'%d", f->fresh++));
    HBG_PUSH(f->arena, shift->anything, made);
    return made;
}

static formula either(time_shift *shift) {
    formulas *f = &shift->proof->f;
    return hbg_verify_formula_truth(f, hbg_base_arena_print(f->arena, "either'%d", f->fresh++));
}

/* ---- rates ------------------------------------------------------------------------------------------------- */

/* Energies move with the field; sine, cosine and roots with their arguments; everything else stands still,
 * except what is known only by bounds. */
static formula symbol_rate(time_shift *shift, formula a) {
    group_proof *proof = shift->proof;
    formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        if (proof->x[i] == a) return shift->rates[i] ? shift->rates[i] : fresh(shift);
    if (a == proof->time) return f->one;
    for (int32_t i = 0; i < proof->unknowns.count; i++)
        if (proof->unknowns.items[i].symbol == a) return fresh(shift); // it moves in an unknown way
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (at->symbol != a) continue;
        if (at->constant) return f->zero;
        if (!at->exact) return fresh(shift);
        formula inner = shift_rate(shift, at->argument), nowhere = hbg_verify_formula_equal(f, a, f->zero);
        if (at->op == HBG_OP_SQRT) // r² = a
            return hbg_verify_formula_choose(
                f, nowhere, fresh(shift), // at 0 it has none
                hbg_verify_formula_divide(f, inner, hbg_verify_formula_add(f, a, a)));
        if (at->op == HBG_OP_CBRT)
            return hbg_verify_formula_choose(
                f, nowhere, fresh(shift),
                hbg_verify_formula_divide(f, inner,
                                          hbg_verify_formula_multiply(f, hbg_verify_formula_integer(f, 3),
                                                                      hbg_verify_formula_multiply(f, a, a))));
        for (int32_t k = 0; k < f->symbols.count; k++) {
            const exact_symbol *other = &f->symbols.items[k];
            if (other->argument != at->argument || other->op == at->op) continue;
            if (at->op == HBG_OP_SIN && other->op == HBG_OP_COS)
                return hbg_verify_formula_multiply(f, other->symbol, inner);
            if (at->op == HBG_OP_COS && other->op == HBG_OP_SIN)
                return hbg_verify_formula_negate(f, hbg_verify_formula_multiply(f, other->symbol, inner));
        }
        return fresh(shift);
    }
    return f->zero;
}

static formula sum_rate(time_shift *shift, formula a) {
    formulas *f = &shift->proof->f;
    int32_t count = (int32_t)hbg_verify_formula_argument_count(f, a);
    formula *rates = HBG_NEW_ARRAY(f->arena, formula, count + 1);
    for (int32_t i = 0; i < count; i++)
        rates[i] = shift_rate(shift, hbg_verify_formula_argument(f, a, (unsigned)i));
    return hbg_verify_formula_sum(f, count, rates);
}

static formula product_rate(time_shift *shift, formula a) {
    formulas *f = &shift->proof->f;
    int32_t count = (int32_t)hbg_verify_formula_argument_count(f, a);
    formula *shares = HBG_NEW_ARRAY(f->arena, formula, count + 1);
    for (int32_t i = 0; i < count; i++) {
        shares[i] = shift_rate(shift, hbg_verify_formula_argument(f, a, (unsigned)i));
        for (int32_t k = 0; k < count && shares[i] != f->zero; k++)
            if (k != i)
                shares[i] = hbg_verify_formula_multiply(
                    f, shares[i], shift_value(shift, hbg_verify_formula_argument(f, a, (unsigned)k)));
    }
    return hbg_verify_formula_sum(f, count, shares);
}

static formula quotient_rate(time_shift *shift, formula a) {
    formulas *f = &shift->proof->f;
    formula up = shift_value(shift, hbg_verify_formula_argument(f, a, 0)),
            down = shift_value(shift, hbg_verify_formula_argument(f, a, 1));
    formula up_rate = shift_rate(shift, hbg_verify_formula_argument(f, a, 0)),
            down_rate = shift_rate(shift, hbg_verify_formula_argument(f, a, 1));
    formula top = hbg_verify_formula_subtract(f, hbg_verify_formula_multiply(f, up_rate, down),
                                              hbg_verify_formula_multiply(f, up, down_rate));
    return hbg_verify_formula_divide(f, top, hbg_verify_formula_multiply(f, down, down));
}

static formula power_rate(time_shift *shift, formula a) {
    formulas *f = &shift->proof->f;
    double exponent = hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, a, 1));
    formula base = shift_value(shift, hbg_verify_formula_argument(f, a, 0)),
            rate = shift_rate(shift, hbg_verify_formula_argument(f, a, 0));
    if (!(exponent >= 1 && exponent <= 32 && exponent == (int)exponent)) return fresh(shift);
    formula result = hbg_verify_formula_multiply(f, hbg_verify_formula_integer(f, (int64_t)exponent), rate);
    for (int i = 1; i < (int)exponent; i++) result = hbg_verify_formula_multiply(f, result, base);
    return result;
}

static formula make_rate(time_shift *shift, formula a) {
    formulas *f = &shift->proof->f;
    if (hbg_verify_formula_is_number(f, a)) return f->zero;
    if (hbg_verify_formulas_spent(f)) return fresh(shift); // polynomials may become very long
    switch (hbg_verify_formula_kind(f, a)) {
    case Z3_OP_ADD: return sum_rate(shift, a);
    case Z3_OP_SUB:
        return hbg_verify_formula_subtract(f, shift_rate(shift, hbg_verify_formula_argument(f, a, 0)),
                                           shift_rate(shift, hbg_verify_formula_argument(f, a, 1)));
    case Z3_OP_UMINUS:
        return hbg_verify_formula_negate(f, shift_rate(shift, hbg_verify_formula_argument(f, a, 0)));
    case Z3_OP_MUL: return product_rate(shift, a);
    case Z3_OP_DIV: return quotient_rate(shift, a);
    case Z3_OP_POWER: return power_rate(shift, a);
    case Z3_OP_ITE:
        return hbg_verify_formula_choose(f,
                                         hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 0)),
                                         shift_rate(shift, hbg_verify_formula_argument(f, a, 1)),
                                         shift_rate(shift, hbg_verify_formula_argument(f, a, 2)));
    default: return hbg_verify_formula_argument_count(f, a) == 0 ? symbol_rate(shift, a) : fresh(shift);
    }
}

/* A rate may depend on a relation between such rates, and so on: while under evaluation it may be
 * anything. */
static formula shift_rate(time_shift *shift, formula a) {
    formula found;
    if (find(shift, &shift->rate_of, a, &found)) return found;
    int32_t place = keep_place(shift, &shift->rate_of, a, fresh(shift));
    return end_place(shift, place, make_rate(shift, a));
}

/* ---- values ------------------------------------------------------------------------------------------------ */

/* The value now, on the side of every choice that is taken a moment later or earlier. */
static formula shift_value(time_shift *shift, formula a) {
    formulas *f = &shift->proof->f;
    formula found;
    if (hbg_verify_formula_is_number(f, a) || hbg_verify_formula_argument_count(f, a) == 0) return a;
    if (find(shift, &shift->values, a, &found)) return found;
    if (hbg_verify_formula_kind(f, a) == Z3_OP_ITE)
        return keep(
            shift, &shift->values, a,
            hbg_verify_formula_choose(f, hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 0)),
                                      shift_value(shift, hbg_verify_formula_argument(f, a, 1)),
                                      shift_value(shift, hbg_verify_formula_argument(f, a, 2))));
    unsigned count = hbg_verify_formula_argument_count(f, a);
    formula *from = HBG_NEW_ARRAY(f->arena, formula, count + 1),
            *to = HBG_NEW_ARRAY(f->arena, formula, count + 1);
    int32_t changed = 0;
    for (unsigned i = 0; i < count; i++) {
        formula inner = hbg_verify_formula_argument(f, a, i), now = shift_value(shift, inner);
        if (now == inner) continue;
        from[changed] = inner;
        to[changed++] = now;
    }
    return keep(shift, &shift->values, a, hbg_verify_formula_replace(f, a, changed, from, to));
}

/* ---- truths ------------------------------------------------------------------------------------------------ */

static bool is_anything(time_shift *shift, formula rate) {
    return hbg_verify_formula_reads(&shift->proof->f, rate, shift->anything.items, shift->anything.count);
}

/* A relation at equality is decided by its rate, or if that is 0, by the rate of the rate, as far as these
 * are known. */
static void need_certain(time_shift *shift, formula level, formula still, formula bend, formula rate,
                         formula second) {
    formulas *f = &shift->proof->f;
    formula doubtful = level;
    if (!is_anything(shift, rate)) doubtful = hbg_verify_formula_and(f, doubtful, still);
    if (doubtful != level && !is_anything(shift, second))
        doubtful = hbg_verify_formula_and(f, doubtful, bend);
    shift->certain = hbg_verify_formula_and(f, shift->certain, hbg_verify_formula_not(f, doubtful));
}

static formula shift_relation(time_shift *shift, formula a, Z3_decl_kind kind) {
    formulas *f = &shift->proof->f;
    formula left = hbg_verify_formula_argument(f, a, 0), right = hbg_verify_formula_argument(f, a, 1);
    if (kind == Z3_OP_GE || kind == Z3_OP_GT) {
        formula kept = left;
        left = right;
        right = kept;
    }
    formula d = hbg_verify_formula_subtract(f, shift_value(shift, left), shift_value(shift, right));
    formula rate = hbg_verify_formula_subtract(f, shift_rate(shift, left), shift_rate(shift, right));
    formula second = rate == f->zero ? f->zero : shift_rate(shift, rate);
    if (!shift->later) rate = hbg_verify_formula_negate(f, rate);
    bool strict = kind == Z3_OP_LT || kind == Z3_OP_GT;
    formula level = hbg_verify_formula_equal(f, d, f->zero),
            still = hbg_verify_formula_equal(f, rate, f->zero);
    if (rate == f->zero) {
        formula open = strict ? f->no : f->yes;
        if (kind == Z3_OP_EQ) return level;
        return hbg_verify_formula_or(f, hbg_verify_formula_less(f, d, f->zero),
                                     hbg_verify_formula_and(f, level, open));
    }
    formula open = either(shift), bend = hbg_verify_formula_equal(f, second, f->zero);
    need_certain(shift, level, still, bend, rate, second);
    open = hbg_verify_formula_and(f, bend, open);
    if (kind == Z3_OP_EQ) return hbg_verify_formula_and(f, level, hbg_verify_formula_and(f, still, open));
    open = hbg_verify_formula_or(f, hbg_verify_formula_less(f, second, f->zero), open);
    formula tips = hbg_verify_formula_or(f, hbg_verify_formula_less(f, rate, f->zero),
                                         hbg_verify_formula_and(f, still, open));
    return hbg_verify_formula_or(f, hbg_verify_formula_less(f, d, f->zero),
                                 hbg_verify_formula_and(f, level, tips));
}

static bool compares_numbers(formulas *f, formula a) {
    return Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, hbg_verify_formula_argument(f, a, 0))) == Z3_REAL_SORT;
}

static formula make_truth(time_shift *shift, formula a) {
    formulas *f = &shift->proof->f;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    unsigned count = hbg_verify_formula_argument_count(f, a);
    if (count == 0) return a;
    if ((kind == Z3_OP_EQ && compares_numbers(f, a)) || kind == Z3_OP_LE || kind == Z3_OP_GE ||
        kind == Z3_OP_LT || kind == Z3_OP_GT)
        return shift_relation(shift, a, kind);
    formula result = kind == Z3_OP_AND ? f->yes : f->no;
    switch (kind) {
    case Z3_OP_NOT:
        return hbg_verify_formula_not(f, hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 0)));
    case Z3_OP_AND:
        for (unsigned i = 0; i < count; i++)
            result = hbg_verify_formula_and(
                f, result, hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, i)));
        return result;
    case Z3_OP_OR:
        for (unsigned i = 0; i < count; i++)
            result = hbg_verify_formula_or(
                f, result, hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, i)));
        return result;
    case Z3_OP_ITE:
        return hbg_verify_formula_choose(f,
                                         hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 0)),
                                         hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 1)),
                                         hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 2)));
    case Z3_OP_EQ:
        return hbg_verify_formula_equal(f,
                                        hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 0)),
                                        hbg_verify_shift_truth(shift, hbg_verify_formula_argument(f, a, 1)));
    default: shift->certain = f->no; return either(shift);
    }
}

formula hbg_verify_shift_truth(time_shift *shift, formula a) {
    formula found;
    if (find(shift, &shift->truths, a, &found)) return found;
    int32_t place = keep_place(shift, &shift->truths, a, either(shift));
    return end_place(shift, place, make_truth(shift, a));
}
