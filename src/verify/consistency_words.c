/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inequalities as an engineer would write them: one variable alone against a number, or positive shares on both sides. */
#include <math.h>
#include <stdio.h>

#include "verify/region_impl.h"

#define FACTORS 6 /* of a product that is written out */

/* A number times a product of symbols. */
typedef struct {
    double factor;
    formula symbols[FACTORS];
    int count;
    formula other; /* what is no product of symbols, as a whole; or NULL */
} monomial;

typedef HBG_VEC(monomial) polynomial;

/* ---- reading ----------------------------------------------------------------------------------------------- */

static void read_product(formulas *f, formula a, monomial *into) {
    if (hbg_formula_is_number(f, a)) {
        into->factor *= hbg_formula_to_double(f, a);
        return;
    }
    Z3_app app = Z3_to_app(f->z3, a);
    unsigned arguments = Z3_get_app_num_args(f->z3, app);
    if (hbg_formula_kind(f, a) == Z3_OP_MUL) {
        for (unsigned i = 0; i < arguments; i++) read_product(f, Z3_get_app_arg(f->z3, app, i), into);
    } else if (hbg_formula_kind(f, a) == Z3_OP_UMINUS) {
        into->factor = -into->factor;
        read_product(f, Z3_get_app_arg(f->z3, app, 0), into);
    } else if (hbg_formula_kind(f, a) == Z3_OP_POWER &&
               hbg_formula_is_number(f, Z3_get_app_arg(f->z3, app, 1))) {
        double power = hbg_formula_to_double(f, Z3_get_app_arg(f->z3, app, 1));
        for (int i = 0; i < (int)power && i < FACTORS; i++)
            read_product(f, Z3_get_app_arg(f->z3, app, 0), into);
    } else if (arguments == 0 && into->count < FACTORS) {
        into->symbols[into->count++] = a;
    } else {
        into->other = a;
    }
}

static void read_sum(formulas *f, formula a, double factor, polynomial *into) {
    Z3_app app = Z3_to_app(f->z3, a);
    if (!hbg_formula_is_number(f, a) && hbg_formula_kind(f, a) == Z3_OP_ADD) {
        for (unsigned i = 0; i < Z3_get_app_num_args(f->z3, app); i++)
            read_sum(f, Z3_get_app_arg(f->z3, app, i), factor, into);
        return;
    }
    monomial one = {.factor = factor};
    read_product(f, a, &one);
    if (one.factor != 0) HBG_PUSH(f->arena, *into, one);
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

/* For reading, six digits; for writing into a model, all of them. */
static void put_number(const group_proof *proof, hbg_buffer *out, double value) {
    char text[HBG_DOUBLE_TEXT + 8];
    if (proof->as_pre)
        hbg_double_print(text, value == 0 ? 0.0 : value);
    else
        snprintf(text, sizeof text, "%.6g", value == 0 ? 0.0 : value);
    hbg_buffer_text(out, text);
}

static void put_symbol(group_proof *proof, formula a, hbg_buffer *out) {
    formulas *f = &proof->f;
    bool energy = false;
    for (int32_t i = 0; i < proof->system->state_count && proof->as_pre; i++) energy |= proof->x[i] == a;
    for (int32_t i = 0; i < f->symbols.count; i++)
        if (f->symbols.items[i].symbol == a) {
            hbg_buffer_text(out, f->symbols.items[i].text);
            return;
        }
    const exact_unknown *unknown = hbg_unknowns_find(proof, a);
    if (unknown) {
        hbg_buffer_text(out, unknown->text);
        return;
    }
    Z3_symbol name = Z3_get_decl_name(f->z3, Z3_get_app_decl(f->z3, Z3_to_app(f->z3, a)));
    hbg_buffer_print(out, energy ? "pre(%s)" : "%s", Z3_get_symbol_string(f->z3, name));
}

static bool is_constant(const monomial *of) {
    return of->count == 0 && !of->other;
}

static void put_monomial(group_proof *proof, const monomial *of, double factor, hbg_buffer *out) {
    bool bare = is_constant(of);
    if (factor != 1 || bare) put_number(proof, out, factor);
    if (factor != 1 && !bare) hbg_buffer_char(out, '*');
    for (int i = 0; i < of->count; i++) {
        int power = 1;
        bool before = false;
        for (int k = 0; k < i; k++) before |= of->symbols[k] == of->symbols[i];
        for (int k = i + 1; k < of->count; k++) power += of->symbols[k] == of->symbols[i];
        if (before) continue;
        if (i > 0) hbg_buffer_char(out, '*');
        put_symbol(proof, of->symbols[i], out);
        if (power > 1) hbg_buffer_print(out, "^%d", power);
    }
    if (of->other) hbg_buffer_text(out, of->count > 0 ? "*(…)" : "(…)");
}

/* The shares with one sign, on one side. */
static void put_side(group_proof *proof, const polynomial *sum, double sign, double scale, hbg_buffer *out) {
    bool any = false;
    for (int32_t i = 0; i < sum->count; i++) {
        double factor = sum->items[i].factor * sign / scale;
        if (factor <= 0) continue;
        if (any) hbg_buffer_text(out, " + ");
        put_monomial(proof, &sum->items[i], factor, out);
        any = true;
    }
    if (!any) hbg_buffer_char(out, '0');
}

static const char *unit_of(group_proof *proof, formula symbol) {
    for (int32_t i = 0; i < proof->system->state_count; i++)
        if (proof->x[i] == symbol) return proof->system->states[i].unit;
    return NULL;
}

/* The sum compared with 0: `relation` is <, <=, = or !=. */
static void put_comparison(group_proof *proof, polynomial *sum, const char *relation, hbg_buffer *out) {
    int32_t lead = HBG_NONE, variables = 0;
    double constant = 0;
    for (int32_t i = 0; i < sum->count; i++) {
        if (is_constant(&sum->items[i])) {
            constant += sum->items[i].factor;
        } else {
            variables++;
            if (lead == HBG_NONE) lead = i;
        }
    }
    if (lead == HBG_NONE) {
        hbg_buffer_print(out, "%g %s 0", constant, relation);
        return;
    }
    double factor = sum->items[lead].factor;
    const char *turned = strcmp(relation, "<") == 0 ? ">" : strcmp(relation, "<=") == 0 ? ">=" : relation;
    if (variables == 1) {
        put_monomial(proof, &sum->items[lead], 1, out);
        hbg_buffer_print(out, " %s ", factor > 0 ? relation : turned);
        put_number(proof, out, -constant / factor);
        const char *unit = sum->items[lead].count == 1 ? unit_of(proof, sum->items[lead].symbols[0]) : NULL;
        if (unit && unit[0] && constant != 0 && !proof->as_pre) hbg_buffer_print(out, " [%s]", unit);
        return;
    }
    // what leads stands on the left, with factor 1
    put_side(proof, sum, factor > 0 ? 1 : -1, fabs(factor), out);
    hbg_buffer_print(out, " %s ", factor > 0 ? relation : turned);
    put_side(proof, sum, factor > 0 ? -1 : 1, fabs(factor), out);
}

static void put_relation(group_proof *proof, formula a, bool positive, hbg_buffer *out) {
    formulas *f = &proof->f;
    Z3_app app = Z3_to_app(f->z3, a);
    Z3_decl_kind kind = hbg_formula_kind(f, a);
    polynomial sum = {0};
    bool turn = kind == Z3_OP_GE || kind == Z3_OP_GT, strict = kind == Z3_OP_LT || kind == Z3_OP_GT;
    if (!positive && kind != Z3_OP_EQ) {
        turn = !turn;
        strict = !strict;
    }
    read_sum(f, Z3_get_app_arg(f->z3, app, 0), turn ? -1 : 1, &sum);
    read_sum(f, Z3_get_app_arg(f->z3, app, 1), turn ? 1 : -1, &sum);
    const char *relation = kind == Z3_OP_EQ ? (positive ? "=" : "!=") : strict ? "<" : "<=";
    put_comparison(proof, &sum, relation, out);
}

void hbg_region_print_literal(group_proof *proof, formula literal, hbg_buffer *out) {
    formulas *f = &proof->f;
    bool positive = true;
    while (hbg_formula_kind(f, literal) == Z3_OP_NOT) {
        literal = Z3_get_app_arg(f->z3, Z3_to_app(f->z3, literal), 0);
        positive = !positive;
    }
    Z3_decl_kind kind = hbg_formula_kind(f, literal);
    if (kind == Z3_OP_LE || kind == Z3_OP_GE || kind == Z3_OP_LT || kind == Z3_OP_GT || kind == Z3_OP_EQ) {
        put_relation(proof, literal, positive, out);
    } else {
        if (!positive) hbg_buffer_text(out, "not ");
        put_symbol(proof, literal, out);
    }
}

/* Numbers that stood in laws before the instant are nobody's business. */
static bool is_hidden(group_proof *proof, formula literal) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        if (hbg_formula_reads(f, literal, &proof->law_pre[proof->of.pres[i]], 1)) return true;
    return false;
}

void hbg_region_print(group_proof *proof, const region_cube *cube, hbg_buffer *out) {
    bool any = false;
    for (int32_t i = 0; i < cube->count; i++) {
        if (is_hidden(proof, cube->items[i])) continue;
        if (any) hbg_buffer_text(out, ", ");
        hbg_region_print_literal(proof, cube->items[i], out);
        any = true;
    }
    if (!any) hbg_buffer_text(out, "everywhere");
}
