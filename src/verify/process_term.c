/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas as terms of a process, which outlive the prover and can be printed, read and computed. */
#include <math.h>

#include "verify/process_impl.h"

static hbg_term term_of(process_map *map, bool flows, formula a);

static hbg_term variable(process_map *map, int32_t number, hbg_process_view view) {
    return hbg_term_variable(&map->made->terms, number * HBG_PROCESS_VIEWS + (int32_t)view);
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

/* Something that there is some value for. */
static hbg_term hidden(process_map *map, bool flows, formula a, const char *name) {
    for (int32_t i = 0; i < map->symbols.count; i++)
        if (map->symbols.items[i] == a) return variable(map, i, flows ? HBG_PROCESS_NOW : HBG_PROCESS_NEW);
    HBG_PUSH(map->proof->arena, map->symbols, a);
    HBG_PUSH(map->proof->arena, map->before, a);
    HBG_PUSH(map->proof->arena, map->made->variables,
             (hbg_process_variable){.role = HBG_PROCESS_HIDDEN, .of = HBG_NONE, .name = name});
    return variable(map, map->symbols.count - 1, flows ? HBG_PROCESS_NOW : HBG_PROCESS_NEW);
}

static hbg_term function(process_map *map, bool flows, const exact_symbol *symbol) {
    hbg_terms *terms = &map->made->terms;
    if (symbol->op == HBG_OP_PI) return hbg_term_make(terms, HBG_OP_PI, 0, 0, 0);
    if (symbol->op >= HBG_OP_TABLE) return hidden(map, flows, symbol->symbol, symbol->text);
    hbg_term a = symbol->argument ? term_of(map, flows, symbol->argument) : 0;
    hbg_term b = symbol->second ? term_of(map, flows, symbol->second) : 0;
    return hbg_term_make(terms, symbol->op, a, b, 0);
}

/* Energies and times that a jump reads are those before it; external values exist on both sides. */
static hbg_term symbol(process_map *map, bool flows, formula a) {
    formulas *f = &map->proof->f;
    for (int32_t i = 0; i < map->symbols.count; i++) {
        if (map->made->variables.items[i].role == HBG_PROCESS_HIDDEN) continue;
        bool was = map->before.items[i] == a, now = map->symbols.items[i] == a;
        if (!was && !now) continue;
        return variable(map, i, flows ? HBG_PROCESS_NOW : was ? HBG_PROCESS_OLD : HBG_PROCESS_NEW);
    }
    const exact_symbol *known = hbg_verify_formula_symbol(f, a);
    if (known) return function(map, flows, known);
    const exact_unknown *unknown = hbg_verify_unknowns_find(map->proof, a);
    if (unknown) return hidden(map, flows, a, unknown->name);
    Z3_symbol name = Z3_get_decl_name(f->z3, Z3_get_app_decl(f->z3, Z3_to_app(f->z3, a)));
    const char *text = Z3_get_symbol_string(f->z3, name);
    return hidden(map, flows, a, hbg_base_arena_copy(map->proof->arena, text, strlen(text)));
}

/* ---- sums and products -------------------------------------------------------------------------------------------- */

/* A number times something; `rest` NULL: the number alone. */
typedef struct {
    double factor;
    formula rest;
} sum_part;
typedef HBG_VEC(sum_part) sum_parts;

static void read_part(process_map *map, formula a, double factor, sum_parts *into) {
    formulas *f = &map->proof->f;
    double number = hbg_verify_formula_to_double(f, a);
    if (!isnan(number)) {
        HBG_PUSH(f->arena, *into, (sum_part){factor * number, NULL});
        return;
    }
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    unsigned count = hbg_verify_formula_argument_count(f, a);
    if (kind == Z3_OP_ADD || kind == Z3_OP_SUB) {
        for (unsigned i = 0; i < count; i++)
            read_part(map, hbg_verify_formula_argument(f, a, i),
                      kind == Z3_OP_SUB && i > 0 ? -factor : factor, into);
    } else if (kind == Z3_OP_UMINUS) {
        read_part(map, hbg_verify_formula_argument(f, a, 0), -factor, into);
    } else if (kind == Z3_OP_MUL &&
               !isnan(hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, a, 0)))) {
        formula rest = hbg_verify_formula_argument(f, a, 1);
        for (unsigned i = 2; i < count; i++)
            rest = hbg_verify_formula_multiply(f, rest, hbg_verify_formula_argument(f, a, i));
        factor *= hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, a, 0));
        read_part(map, rest, factor, into);
    } else {
        HBG_PUSH(f->arena, *into, (sum_part){factor, a});
    }
}

static hbg_term part(process_map *map, bool flows, double size, formula rest) {
    hbg_terms *terms = &map->made->terms;
    if (!rest) return hbg_term_double(terms, size);
    hbg_term own = term_of(map, flows, rest);
    return size == 1 ? own : hbg_term_multiply(terms, hbg_term_double(terms, size), own);
}

/* Terms with this sign, or all, added up: numbers come last, except a positive term that must come first.
 * HBG_NONE: there are none. */
static hbg_term sum(process_map *map, bool flows, const sum_parts *parts, int sign) {
    hbg_terms *terms = &map->made->terms;
    hbg_term total = HBG_NONE;
    int32_t first = HBG_NONE;
    for (int32_t i = parts->count - 1; i >= 0 && sign == 0; i--)
        if (parts->items[i].factor > 0 &&
            (parts->items[i].rest || first == HBG_NONE || !parts->items[first].rest))
            first = i;
    if (first != HBG_NONE) total = part(map, flows, parts->items[first].factor, parts->items[first].rest);
    for (int numbers = 0; numbers < 2; numbers++)
        for (int32_t i = 0; i < parts->count; i++) {
            const sum_part *at = &parts->items[i];
            if (i == first || (at->rest == NULL) != numbers || at->factor == 0 || at->factor * sign < 0)
                continue;
            bool less = sign == 0 && at->factor < 0;
            hbg_term own = part(map, flows, fabs(at->factor), at->rest);
            if (total == HBG_NONE)
                total = less ? hbg_term_negate(terms, own) : own;
            else
                total = less ? hbg_term_subtract(terms, total, own) : hbg_term_add(terms, total, own);
        }
    return total;
}

static hbg_term whole_sum(process_map *map, bool flows, formula a) {
    sum_parts parts = {0};
    read_part(map, a, 1, &parts);
    hbg_term made = sum(map, flows, &parts, 0);
    return made == HBG_NONE ? hbg_term_integer(&map->made->terms, 0) : made;
}

/* Both sides of a relation: positive terms on the left, the others on the right, and the first factor is 1.
 * `turned`: the first term was negative and stands alone, so the sides are exchanged. */
static void sides(process_map *map, bool flows, formula difference, hbg_term *left, hbg_term *right,
                  bool *turned) {
    hbg_terms *terms = &map->made->terms;
    sum_parts parts = {0};
    int32_t first = HBG_NONE, own = 0, positive = 0;
    read_part(map, difference, 1, &parts);
    for (int32_t i = parts.count - 1; i >= 0; i--) {
        if (!parts.items[i].rest) continue;
        first = i;
        own++;
        positive += parts.items[i].factor > 0;
    }
    double scale = first == HBG_NONE ? 1 : fabs(parts.items[first].factor);
    *turned = own > 0 && positive == 0;
    if (*turned) scale = -scale;
    for (int32_t i = 0; i < parts.count; i++) parts.items[i].factor /= scale;
    double constant = 0;
    for (int32_t i = 0; i < parts.count && own == 1; i++)
        if (!parts.items[i].rest) constant += parts.items[i].factor;
    if (own == 1) { // against a number, whatever its sign
        *left = part(map, flows, parts.items[first].factor, parts.items[first].rest);
        *right = hbg_term_double(terms, constant == 0 ? 0 : -constant);
        return;
    }
    *left = sum(map, flows, &parts, 1);
    for (int32_t i = 0; i < parts.count; i++) parts.items[i].factor = -parts.items[i].factor;
    *right = sum(map, flows, &parts, 1);
    if (*left == HBG_NONE) *left = hbg_term_integer(terms, 0);
    if (*right == HBG_NONE) *right = hbg_term_integer(terms, 0);
}

/* ---- relations ---------------------------------------------------------------------------------------------------- */

static bool is_number_sort(formulas *f, formula a) {
    return Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, a)) == Z3_REAL_SORT;
}

/* Of two numbers, or of its negation; `closed`: it also holds where they are equal. */
static hbg_term relation(process_map *map, bool flows, formula a, bool positive, bool closed) {
    formulas *f = &map->proof->f;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    bool equal = kind == Z3_OP_EQ, turned;
    bool less = kind == Z3_OP_LE || kind == Z3_OP_LT, strict = kind == Z3_OP_LT || kind == Z3_OP_GT;
    hbg_term left, right;
    sides(map, flows,
          hbg_verify_formula_subtract(f, hbg_verify_formula_argument(f, a, 0),
                                      hbg_verify_formula_argument(f, a, 1)),
          &left, &right, &turned);
    if (equal)
        return hbg_term_make(&map->made->terms, positive ? HBG_OP_EQUAL : HBG_OP_NOT_EQUAL, left, right, 0);
    if (!positive) {
        less = !less;
        strict = !strict;
    }
    if (turned) less = !less;
    if (closed) strict = false;
    return hbg_term_make(&map->made->terms,
                         less     ? (strict ? HBG_OP_LESS : HBG_OP_LESS_EQUAL)
                         : strict ? HBG_OP_GREATER
                                  : HBG_OP_GREATER_EQUAL,
                         left, right, 0);
}

static bool is_relation(formulas *f, formula a) {
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_LE || kind == Z3_OP_LT || kind == Z3_OP_GE || kind == Z3_OP_GT) return true;
    return kind == Z3_OP_EQ && is_number_sort(f, hbg_verify_formula_argument(f, a, 0));
}

hbg_term hbg_verify_process_literal(process_map *map, bool flows, formula literal) {
    formulas *f = &map->proof->f;
    bool positive = true;
    while (hbg_verify_formula_kind(f, literal) == Z3_OP_NOT) {
        literal = hbg_verify_formula_argument(f, literal, 0);
        positive = !positive;
    }
    if (is_relation(f, literal)) return relation(map, flows, literal, positive, flows);
    hbg_term made = term_of(map, flows, literal);
    return positive ? made : hbg_term_make(&map->made->terms, HBG_OP_NOT, made, 0, 0);
}

/* ---- operators ---------------------------------------------------------------------------------------------------- */

/* A product, with powers for repeated factors. */
static hbg_term product(process_map *map, bool flows, formula a) {
    formulas *f = &map->proof->f;
    hbg_terms *terms = &map->made->terms;
    hbg_term made = HBG_NONE;
    unsigned count = hbg_verify_formula_argument_count(f, a);
    for (unsigned i = 0, times = 1; i < count; i += times) {
        formula factor = hbg_verify_formula_argument(f, a, i);
        for (times = 1; i + times < count && hbg_verify_formula_argument(f, a, i + times) == factor;) times++;
        hbg_term own = term_of(map, flows, factor);
        if (times > 1)
            own =
                hbg_term_make(terms, HBG_OP_POWER_OF, own, hbg_term_integer(terms, (int32_t)times), HBG_NONE);
        made = made == HBG_NONE ? own : hbg_term_make(terms, HBG_OP_MULTIPLY, made, own, 0);
    }
    return made;
}

static hbg_term fold(process_map *map, bool flows, formula a, int op) {
    formulas *f = &map->proof->f;
    hbg_term made = term_of(map, flows, hbg_verify_formula_argument(f, a, 0));
    for (unsigned i = 1; i < hbg_verify_formula_argument_count(f, a); i++)
        made = hbg_term_make(&map->made->terms, op, made,
                             term_of(map, flows, hbg_verify_formula_argument(f, a, i)), 0);
    return made;
}

static hbg_term operation(process_map *map, bool flows, formula a) {
    formulas *f = &map->proof->f;
    hbg_terms *terms = &map->made->terms;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, a);
    if (kind == Z3_OP_TRUE || kind == Z3_OP_FALSE) return hbg_term_integer(terms, kind == Z3_OP_TRUE);
    if (hbg_verify_formula_argument_count(f, a) == 0) return symbol(map, flows, a);
    if (is_relation(f, a)) return relation(map, flows, a, true, false);
    switch (kind) {
    case Z3_OP_ADD:
    case Z3_OP_SUB:
    case Z3_OP_UMINUS: return whole_sum(map, flows, a);
    case Z3_OP_MUL:
        return isnan(hbg_verify_formula_to_double(f, hbg_verify_formula_argument(f, a, 0)))
                   ? product(map, flows, a)
                   : whole_sum(map, flows, a);
    case Z3_OP_DIV: return fold(map, flows, a, HBG_OP_DIVIDE);
    case Z3_OP_POWER: return fold(map, flows, a, HBG_OP_POWER_OF);
    case Z3_OP_AND: return fold(map, flows, a, HBG_OP_AND);
    case Z3_OP_OR: return fold(map, flows, a, HBG_OP_OR);
    case Z3_OP_EQ: return fold(map, flows, a, HBG_OP_EQUAL);
    case Z3_OP_NOT:
        return is_relation(f, hbg_verify_formula_argument(f, a, 0))
                   ? relation(map, flows, hbg_verify_formula_argument(f, a, 0), false, false)
                   : hbg_term_make(terms, HBG_OP_NOT,
                                   term_of(map, flows, hbg_verify_formula_argument(f, a, 0)), 0, 0);
    case Z3_OP_ITE:
        return hbg_term_make(terms, HBG_OP_SELECT, term_of(map, flows, hbg_verify_formula_argument(f, a, 0)),
                             term_of(map, flows, hbg_verify_formula_argument(f, a, 1)),
                             term_of(map, flows, hbg_verify_formula_argument(f, a, 2)));
    default: return hidden(map, flows, a, "something");
    }
}

static hbg_term term_of(process_map *map, bool flows, formula a) {
    formulas *f = &map->proof->f;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a);
    int32_t found = hbg_base_pair_map_find(&map->made_of[flows], id, 0);
    if (found >= 0) return found;
    double number = hbg_verify_formula_to_double(f, a);
    hbg_term made = isnan(number) ? operation(map, flows, a) : hbg_term_double(&map->made->terms, number);
    hbg_base_pair_map_add(&map->made_of[flows], id, 0, made);
    return made;
}

hbg_term hbg_verify_process_term(process_map *map, bool flows, formula a) {
    return term_of(map, flows, a);
}
