/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Between which numbers the value of a formula is. Constants that are no fractions, π or cos(1), are known
 * between bounds only, and functions are computed anew from their arguments: what holds by these bounds holds
 * for the constants themselves. */
#include "verify/formula_impl.h"

#define ROOT_DIGITS 40 /* decimal, of a root of a polynomial */

typedef enum { HOLDS_PERHAPS, HOLDS_NOT, HOLDS } certainty;

typedef struct {
    formulas *f;
    formula of;          /* what is taken as a whole; NULL: no values are substituted */
    bool exact;          /* the values found fulfil all that is known of roots */
    hbg_pair_map at;     /* Z3's number -> in `made` */
    hbg_pair_map truths; /* likewise -> certainty */
    HBG_VEC(interval) made;
} enclosure;

const exact_symbol *hbg_verify_formula_symbol(const formulas *f, formula a) {
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (f->symbols.items[i].symbol == a) return &f->symbols.items[i];
    return NULL;
}

/* ---- constants --------------------------------------------------------------------------------------------- */

typedef HBG_VEC(formula) formula_stack;

/* What a formula reads besides numbers and constants; *chooses if some condition decides its value. */
static formula_stack open_leaves(formulas *f, formula a, bool *chooses) {
    formula_stack stack = {0}, open = {0};
    hbg_pair_map seen;
    hbg_base_pair_map_init(&seen, f->arena);
    HBG_PUSH(f->arena, stack, a);
    *chooses = false;
    while (stack.count > 0) {
        formula at = stack.items[--stack.count];
        int32_t id = (int32_t)Z3_get_ast_id(f->z3, at);
        if (hbg_verify_formula_is_number(f, at) || hbg_base_pair_map_find(&seen, id, 0) >= 0) continue;
        hbg_base_pair_map_add(&seen, id, 0, 1);
        unsigned count = hbg_verify_formula_argument_count(f, at);
        const exact_symbol *symbol = count == 0 ? hbg_verify_formula_symbol(f, at) : NULL;
        if (count == 0 && !(symbol && symbol->constant)) HBG_PUSH(f->arena, open, at);
        *chooses = *chooses || hbg_verify_formula_kind(f, at) == Z3_OP_ITE;
        for (unsigned i = 0; i < count; i++) HBG_PUSH(f->arena, stack, hbg_verify_formula_argument(f, at, i));
    }
    return open;
}

bool hbg_verify_formula_is_closed(formulas *f, formula a) {
    bool chooses;
    return open_leaves(f, a, &chooses).count == 0 && !chooses;
}

bool hbg_verify_formula_hangs(formulas *f, formula a) {
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (f->symbols.items[i].hangs && hbg_verify_formula_reads(f, a, &f->symbols.items[i].symbol, 1))
            return true;
    return false;
}

bool hbg_verify_formula_reads_argument(formulas *f, formula a, formula argument) {
    bool chooses;
    formula_stack open = open_leaves(f, argument, &chooses);
    return open.count > 0 && hbg_verify_formula_reads(f, a, open.items, open.count);
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

static interval enclose(enclosure *e, formula a);
static certainty judge(enclosure *e, formula a);

static interval found_value(enclosure *e, formula a) {
    formulas *f = e->f;
    formula value = e->of ? hbg_verify_formula_in_model(f, a) : NULL;
    if (value && hbg_verify_formula_is_number(f, value)) return hbg_verify_interval_point(value);
    if (!value || !Z3_is_algebraic_number(f->z3, value)) return (interval){NULL, NULL};
    return (interval){Z3_get_algebraic_number_lower(f->z3, value, ROOT_DIGITS),
                      Z3_get_algebraic_number_upper(f->z3, value, ROOT_DIGITS)};
}

static interval enclose_symbol(enclosure *e, formula a) {
    const exact_symbol *symbol = hbg_verify_formula_symbol(e->f, a);
    if (!symbol) return found_value(e, a);
    if (symbol->constant) return symbol->between;
    if (!e->of || !symbol->argument) return (interval){NULL, NULL}; // an unknown of a loop may be another one
    bool angle = symbol->op == HBG_OP_SIN || symbol->op == HBG_OP_COS;
    if (angle && !hbg_verify_formula_reads_argument(e->f, e->of, symbol->argument)) return found_value(e, a);
    interval second = symbol->second ? enclose(e, symbol->second) : (interval){NULL, NULL};
    return hbg_verify_interval_function(e->f, symbol->op, enclose(e, symbol->argument), second);
}

static interval enclose_parts(enclosure *e, formula a, Z3_decl_kind kind) {
    formulas *f = e->f;
    interval made = enclose(e, hbg_verify_formula_argument(f, a, 0));
    for (unsigned i = 1; i < hbg_verify_formula_argument_count(f, a); i++) {
        interval next = enclose(e, hbg_verify_formula_argument(f, a, i));
        made = kind == Z3_OP_MUL   ? hbg_verify_interval_multiply(f, made, next)
               : kind == Z3_OP_DIV ? hbg_verify_interval_divide(f, made, next)
               : kind == Z3_OP_SUB ? hbg_verify_interval_add(f, made, hbg_verify_interval_negate(f, next))
                                   : hbg_verify_interval_add(f, made, next);
    }
    return made;
}

static interval enclose_power(enclosure *e, formula a) {
    formulas *f = e->f;
    double exponent = hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, a, 1));
    if (!(exponent >= -64 && exponent <= 64 && exponent == (int)exponent)) return (interval){NULL, NULL};
    return hbg_verify_interval_power(f, enclose(e, hbg_verify_formula_argument(f, a, 0)), (int)exponent);
}

static interval make_enclosure(enclosure *e, formula a) {
    formulas *f = e->f;
    if (hbg_verify_formula_is_number(f, a)) return hbg_verify_interval_point(a);
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (hbg_verify_formula_argument_count(f, a) == 0) return enclose_symbol(e, a);
    switch (kind) {
    case Z3_OP_ADD:
    case Z3_OP_SUB:
    case Z3_OP_MUL:
    case Z3_OP_DIV: return enclose_parts(e, a, kind);
    case Z3_OP_UMINUS: return hbg_verify_interval_negate(f, enclose(e, hbg_verify_formula_argument(f, a, 0)));
    case Z3_OP_POWER: return enclose_power(e, a);
    case Z3_OP_ITE: {
        certainty first = e->of ? judge(e, hbg_verify_formula_argument(f, a, 0)) : HOLDS_PERHAPS;
        if (first == HOLDS_PERHAPS) return (interval){NULL, NULL};
        return enclose(e, hbg_verify_formula_argument(f, a, first == HOLDS ? 1 : 2));
    }
    default: return (interval){NULL, NULL};
    }
}

static interval enclose(enclosure *e, formula a) {
    formulas *f = e->f;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), known;
    if (!e->of) { // of constants, permanently
        known = hbg_base_pair_map_find(&f->memo.enclosed, id, 0);
        if (known >= 0) return f->memo.enclosures.items[known];
        interval made = make_enclosure(e, a);
        hbg_base_pair_map_add(&f->memo.enclosed, id, 0, f->memo.enclosures.count);
        HBG_PUSH(f->arena, f->memo.enclosures, made);
        return made;
    }
    known = hbg_base_pair_map_find(&e->at, id, 0);
    if (known >= 0) return e->made.items[known];
    interval made = make_enclosure(e, a);
    hbg_base_pair_map_add(&e->at, id, 0, e->made.count);
    HBG_PUSH(e->f->arena, e->made, made);
    return made;
}

interval hbg_verify_formula_enclose(formulas *f, formula a) {
    enclosure e = {.f = f};
    hbg_base_pair_map_init(&e.at, f->arena);
    hbg_base_pair_map_init(&e.truths, f->arena);
    return enclose(&e, a);
}

/* ---- truths ------------------------------------------------------------------------------------------------ */

/* The values found exist exactly: those of roots, and of angles that are known by sine and cosine, but not
 * those known only by bounds. */
static bool is_exact(enclosure *e, formula a) {
    const formulas *f = e->f;
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (!hbg_verify_formula_reads(e->f, a, &at->symbol, 1)) continue;
        bool angle = at->op == HBG_OP_SIN || at->op == HBG_OP_COS;
        if (at->constant ? !at->exact || !e->exact : !at->exact) return false;
        if (angle && !at->constant && hbg_verify_formula_reads_argument(e->f, e->of, at->argument))
            return false;
        if (!angle && !at->constant && !is_exact(e, at->argument)) return false;
    }
    return true;
}

static certainty by_values(enclosure *e, formula a) {
    formula value = hbg_verify_formula_in_model(e->f, a);
    Z3_lbool truth = value ? Z3_get_bool_value(e->f->z3, value) : Z3_L_UNDEF;
    return truth == Z3_L_TRUE ? HOLDS : truth == Z3_L_FALSE ? HOLDS_NOT : HOLDS_PERHAPS;
}

/* a - b against 0. */
static certainty judge_relation(enclosure *e, formula a, Z3_decl_kind kind) {
    formulas *f = e->f;
    if (is_exact(e, a)) return by_values(e, a);
    interval apart = enclose(e, hbg_verify_formula_subtract(f, hbg_verify_formula_argument(f, a, 0),
                                                            hbg_verify_formula_argument(f, a, 1)));
    int sign = hbg_verify_interval_sign(f, apart);
    bool zero = apart.low == f->zero && apart.high == f->zero;
    if (sign == 0 && !zero) return HOLDS_PERHAPS;
    switch (kind) {
    case Z3_OP_LT: return sign < 0 ? HOLDS : HOLDS_NOT;
    case Z3_OP_LE: return sign <= 0 ? HOLDS : HOLDS_NOT;
    case Z3_OP_GT: return sign > 0 ? HOLDS : HOLDS_NOT;
    case Z3_OP_GE: return sign >= 0 ? HOLDS : HOLDS_NOT;
    default: return zero ? HOLDS : HOLDS_NOT;
    }
}

static certainty negation(certainty a) {
    return a == HOLDS ? HOLDS_NOT : a == HOLDS_NOT ? HOLDS : HOLDS_PERHAPS;
}

static certainty judge_parts(enclosure *e, formula a, bool all) {
    certainty decides = all ? HOLDS_NOT : HOLDS, made = negation(decides);
    for (unsigned i = 0; i < hbg_verify_formula_argument_count(e->f, a); i++) {
        certainty part = judge(e, hbg_verify_formula_argument(e->f, a, i));
        if (part == decides) return decides;
        if (part == HOLDS_PERHAPS) made = HOLDS_PERHAPS;
    }
    return made;
}

static certainty judge_choice(enclosure *e, formula a) {
    certainty first = judge(e, hbg_verify_formula_argument(e->f, a, 0));
    if (first == HOLDS_PERHAPS) return first;
    return judge(e, hbg_verify_formula_argument(e->f, a, first == HOLDS ? 1 : 2));
}

static certainty make_judgement(enclosure *e, formula a) {
    formulas *f = e->f;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    switch (kind) {
    case Z3_OP_AND:
    case Z3_OP_OR: return judge_parts(e, a, kind == Z3_OP_AND);
    case Z3_OP_NOT: return negation(judge(e, hbg_verify_formula_argument(f, a, 0)));
    case Z3_OP_ITE: return judge_choice(e, a);
    case Z3_OP_EQ: {
        formula left = hbg_verify_formula_argument(f, a, 0), right = hbg_verify_formula_argument(f, a, 1);
        if (Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, left)) != Z3_BOOL_SORT)
            return judge_relation(e, a, kind);
        certainty first = judge(e, left), second = judge(e, right);
        if (first == HOLDS_PERHAPS || second == HOLDS_PERHAPS) return HOLDS_PERHAPS;
        return first == second ? HOLDS : HOLDS_NOT;
    }
    case Z3_OP_LT:
    case Z3_OP_LE:
    case Z3_OP_GT:
    case Z3_OP_GE: return judge_relation(e, a, kind);
    default: return is_exact(e, a) ? by_values(e, a) : HOLDS_PERHAPS;
    }
}

static certainty judge(enclosure *e, formula a) {
    int32_t id = (int32_t)Z3_get_ast_id(e->f->z3, a), known = hbg_base_pair_map_find(&e->truths, id, 0);
    if (known >= 0) return (certainty)known;
    certainty made = make_judgement(e, a);
    hbg_base_pair_map_add(&e->truths, id, 0, (int32_t)made);
    return made;
}

bool hbg_verify_formula_holds_here(formulas *f, formula a) {
    enclosure e = {.f = f, .of = a, .exact = true};
    hbg_base_pair_map_init(&e.at, f->arena);
    hbg_base_pair_map_init(&e.truths, f->arena);
    if (!f->models[0]) return false;
    for (int32_t i = 0; i < f->bounds.all.count && e.exact; i++)
        e.exact = by_values(&e, f->bounds.all.items[i]) == HOLDS;
    return judge(&e, a) == HOLDS;
}
