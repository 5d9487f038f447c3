/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms: expression graphs in which equal terms are one term, simplified only where no value changes. Numbers
 * are exact decimals, so a proof about a term holds for the model as written. */
#include <stdlib.h>
#include <string.h>

#include "term/term.h"

void hbg_term_init(hbg_terms *terms, hbg_arena *arena, int32_t first_param, int32_t end_param) {
    memset(terms, 0, sizeof *terms);
    terms->arena = arena;
    terms->first_param = first_param;
    terms->end_param = end_param;
}

void *hbg_term_grow(hbg_terms *terms, void *items, int32_t *capacity, size_t size) {
    int32_t old = *capacity;
    if (!terms->is_shared || old == 0 || old > INT32_MAX / 2)
        return hbg_base_vec_grow(terms->arena, items, old, capacity, size);
    void *grown = hbg_base_arena_alloc_array(terms->arena, (size_t)old * 2, size);
    memcpy(grown, items, (size_t)old * size);
    *capacity = old * 2;
    return grown;
}

/* ---- hashing ------------------------------------------------------------------------------------------ */

static uint32_t mix(uint32_t hash, uint32_t value) {
    hash = (hash ^ value) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

static uint32_t hash_node(const term_node *node) {
    return mix(mix(mix(mix(17, node->op), (uint32_t)node->a), (uint32_t)node->b), (uint32_t)node->c);
}

static uint32_t hash_number(hbg_decimal value) {
    uint32_t hash = mix(mix(29, value.negative), (uint32_t)value.exponent);
    for (const char *digit = value.digits; *digit; digit++) hash = mix(hash, (uint8_t)*digit);
    return hash;
}

static int32_t *new_slots(hbg_terms *terms, int32_t count) {
    int32_t *slots = HBG_NEW_ARRAY(terms->arena, int32_t, count);
    for (int32_t i = 0; i < count; i++) slots[i] = HBG_NONE;
    return slots;
}

static void enter(int32_t *slots, int32_t slot_count, uint32_t hash, int32_t item) {
    uint32_t mask = (uint32_t)slot_count - 1, i = hash & mask;
    while (slots[i] != HBG_NONE) i = (i + 1) & mask;
    slots[i] = item;
}

static void grow_nodes(hbg_terms *terms) {
    int32_t count = terms->slot_count ? 2 * terms->slot_count : 256;
    int32_t *slots = new_slots(terms, count);
    for (int32_t i = 0; i < terms->nodes.count; i++)
        enter(slots, count, hash_node(&terms->nodes.items[i]), i);
    hbg_base_arena_release(terms->arena, terms->slots, (size_t)terms->slot_count * sizeof *slots);
    terms->slots = slots;
    terms->slot_count = count;
}

static void grow_numbers(hbg_terms *terms) {
    int32_t count = terms->number_slot_count ? 2 * terms->number_slot_count : 64;
    int32_t *slots = new_slots(terms, count);
    for (int32_t i = 0; i < terms->numbers.count; i++)
        enter(slots, count, hash_number(terms->numbers.items[i]), i);
    terms->number_slots = slots;
    terms->number_slot_count = count;
}

static bool same_node(const term_node *a, const term_node *b) {
    return a->op == b->op && a->a == b->a && a->b == b->b && a->c == b->c;
}

static hbg_term intern(hbg_terms *terms, term_node node) {
    if (2 * terms->nodes.count >= terms->slot_count) grow_nodes(terms);
    uint32_t mask = (uint32_t)terms->slot_count - 1, i = hash_node(&node) & mask;
    for (; terms->slots[i] != HBG_NONE; i = (i + 1) & mask)
        if (same_node(&terms->nodes.items[terms->slots[i]], &node)) return terms->slots[i];
    terms->slots[i] = terms->nodes.count;
    HBG_TERMS_PUSH(terms, terms->nodes, node);
    HBG_PUSH(terms->arena, terms->marks, 0);
    HBG_PUSH(terms->arena, terms->notes, 0);
    return terms->nodes.count - 1;
}

/* ---- leaves ------------------------------------------------------------------------------------------- */

static bool same_number(hbg_decimal a, hbg_decimal b) {
    return a.negative == b.negative && a.exponent == b.exponent && strcmp(a.digits, b.digits) == 0;
}

hbg_term hbg_term_rounded(hbg_terms *terms, hbg_decimal value, hbg_term exact) {
    if (strcmp(value.digits, "0") == 0) value.negative = false;
    if (2 * terms->numbers.count >= terms->number_slot_count) grow_numbers(terms);
    uint32_t mask = (uint32_t)terms->number_slot_count - 1, i = hash_number(value) & mask;
    for (; terms->number_slots[i] != HBG_NONE; i = (i + 1) & mask)
        if (same_number(terms->numbers.items[terms->number_slots[i]], value)) break;
    if (terms->number_slots[i] == HBG_NONE) {
        terms->number_slots[i] = terms->numbers.count;
        HBG_TERMS_PUSH(terms, terms->numbers, value);
    }
    return intern(terms, (term_node){HBG_OP_NUMBER, LEVEL_NUMBER, terms->number_slots[i], exact, HBG_NONE});
}

hbg_term hbg_term_number(hbg_terms *terms, hbg_decimal value) {
    return hbg_term_rounded(terms, value, HBG_NONE);
}

hbg_term hbg_term_double(hbg_terms *terms, double value) {
    return hbg_term_number(terms, hbg_base_decimal_of_double(terms->arena, value));
}

hbg_term hbg_term_variable(hbg_terms *terms, int32_t variable) {
    int32_t value = terms->to_rate > 0 && variable >= terms->to_rate ? variable - terms->to_rate : variable;
    bool param = value >= terms->first_param && value < terms->end_param;
    return intern(terms,
                  (term_node){TERM_VARIABLE, param ? LEVEL_PARAM : LEVEL_RUN, variable, HBG_NONE, HBG_NONE});
}

static bool is_number(const hbg_terms *terms, hbg_term a, const char *digits, bool negative) {
    const term_node *node = &terms->nodes.items[a];
    if (node->op != HBG_OP_NUMBER || node->b != HBG_NONE) return false;
    const hbg_decimal *value = &terms->numbers.items[node->a];
    return value->exponent == 0 && value->negative == negative && strcmp(value->digits, digits) == 0;
}

bool hbg_term_is_zero(const hbg_terms *terms, hbg_term a) {
    return is_number(terms, a, "0", false);
}

bool hbg_term_is_one(const hbg_terms *terms, hbg_term a) {
    return is_number(terms, a, "1", false);
}

/* ---- operators ---------------------------------------------------------------------------------------- */

int hbg_term_arity(const term_node *node) {
    if (node->op == TERM_VARIABLE) return 0;
    bool one = node->op == TERM_SLOPE || node->op == TERM_CHARGE || node->op == TERM_RATE;
    return one ? 1 : hbg_model_operator_info_get((hbg_operator)node->op)->arity;
}

hbg_term hbg_term_negate(hbg_terms *terms, hbg_term a) {
    const term_node *node = &terms->nodes.items[a];
    if (node->op == HBG_OP_NUMBER) {
        hbg_decimal value = terms->numbers.items[node->a];
        value.negative = !value.negative;
        hbg_term exact = node->b == HBG_NONE ? HBG_NONE : hbg_term_negate(terms, node->b);
        return hbg_term_rounded(terms, value, exact);
    }
    if (node->op == HBG_OP_NEGATE) return node->a;
    return intern(terms, (term_node){HBG_OP_NEGATE, node->level, a, HBG_NONE, HBG_NONE});
}

static uint8_t level_of(const hbg_terms *terms, const term_node *node) {
    uint8_t level = LEVEL_NUMBER;
    for (int i = 0; i < hbg_term_arity(node); i++) {
        uint8_t part = terms->nodes.items[hbg_term_argument(node, i)].level;
        if (part > level) level = part;
    }
    return level;
}

static hbg_term plain(hbg_terms *terms, int op, hbg_term a, hbg_term b, hbg_term c) {
    term_node node = {(uint16_t)op, LEVEL_NUMBER, a, b, c};
    node.level = level_of(terms, &node);
    if (op == TERM_RATE) node.level = LEVEL_PARAM; // code must not depend on whether it is a number
    return intern(terms, node);
}

hbg_term hbg_term_add(hbg_terms *terms, hbg_term a, hbg_term b) {
    if (hbg_term_is_zero(terms, a)) return b;
    if (hbg_term_is_zero(terms, b)) return a;
    if (terms->nodes.items[b].op == HBG_OP_NEGATE)
        return hbg_term_subtract(terms, a, terms->nodes.items[b].a);
    if (terms->nodes.items[a].op == HBG_OP_NEGATE)
        return hbg_term_subtract(terms, b, terms->nodes.items[a].a);
    return plain(terms, HBG_OP_ADD, a, b, HBG_NONE);
}

hbg_term hbg_term_subtract(hbg_terms *terms, hbg_term a, hbg_term b) {
    if (hbg_term_is_zero(terms, b)) return a;
    if (hbg_term_is_zero(terms, a)) return hbg_term_negate(terms, b);
    if (a == b) return hbg_term_integer(terms, 0);
    if (terms->nodes.items[b].op == HBG_OP_NEGATE) return hbg_term_add(terms, a, terms->nodes.items[b].a);
    return plain(terms, HBG_OP_SUBTRACT, a, b, HBG_NONE);
}

hbg_term hbg_term_multiply(hbg_terms *terms, hbg_term a, hbg_term b) {
    if (hbg_term_is_zero(terms, a)) return a;
    if (hbg_term_is_zero(terms, b)) return b;
    if (hbg_term_is_one(terms, a)) return b;
    if (hbg_term_is_one(terms, b)) return a;
    if (is_number(terms, a, "1", true)) return hbg_term_negate(terms, b);
    if (is_number(terms, b, "1", true)) return hbg_term_negate(terms, a);
    const term_node *left = &terms->nodes.items[a], *right = &terms->nodes.items[b];
    if (left->op == HBG_OP_NEGATE) return hbg_term_negate(terms, hbg_term_multiply(terms, left->a, b));
    if (right->op == HBG_OP_NEGATE) return hbg_term_negate(terms, hbg_term_multiply(terms, a, right->a));
    return plain(terms, HBG_OP_MULTIPLY, a, b, HBG_NONE);
}

hbg_term hbg_term_divide(hbg_terms *terms, hbg_term a, hbg_term b) {
    if (hbg_term_is_zero(terms, a) || hbg_term_is_one(terms, b)) return a;
    if (is_number(terms, b, "1", true)) return hbg_term_negate(terms, a);
    if (terms->nodes.items[a].op == HBG_OP_NEGATE)
        return hbg_term_negate(terms, hbg_term_divide(terms, terms->nodes.items[a].a, b));
    return plain(terms, HBG_OP_DIVIDE, a, b, HBG_NONE);
}

/* Digits of small numbers are shared. */
hbg_term hbg_term_integer(hbg_terms *terms, int32_t value) {
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    if (value <= -10 || value >= 10) return hbg_term_double(terms, value);
    hbg_term *made = &terms->small[value + 9];
    if (*made == 0) *made = hbg_term_number(terms, (hbg_decimal){digits[abs(value)], 0, value < 0}) + 1;
    return *made - 1;
}

hbg_term hbg_term_make(hbg_terms *terms, int op, hbg_term a, hbg_term b, hbg_term c) {
    switch (op) {
    case HBG_OP_ADD: return hbg_term_add(terms, a, b);
    case HBG_OP_SUBTRACT: return hbg_term_subtract(terms, a, b);
    case HBG_OP_MULTIPLY: return hbg_term_multiply(terms, a, b);
    case HBG_OP_DIVIDE: return hbg_term_divide(terms, a, b);
    case HBG_OP_NEGATE: return hbg_term_negate(terms, a);
    case HBG_OP_POW: return hbg_term_make(terms, HBG_OP_POWER_OF, a, b, c); // one operator, two spellings
    case HBG_OP_POWER_OF: return hbg_term_is_one(terms, b) ? a : plain(terms, op, a, b, HBG_NONE);
    case HBG_OP_FINITE: // it has no pulse; if its argument has none, it is the argument
        return terms->nodes.items[a].level < LEVEL_RUN || terms->nodes.items[a].op == HBG_OP_FINITE
                   ? a
                   : plain(terms, op, a, HBG_NONE, HBG_NONE);
    case HBG_OP_SELECT:
        if (b == c || hbg_term_is_one(terms, a)) return b;
        return hbg_term_is_zero(terms, a) ? c : plain(terms, op, a, b, c);
    default: return plain(terms, op, a, b, c);
    }
}

/* ---- walks -------------------------------------------------------------------------------------------- */

static hbg_term argument_of(const term_node *node, int i) {
    return i == 0 ? node->a : i == 1 ? node->b : node->c;
}

/* The stack holds terms whose arguments still have to be listed; a term is listed when it is reached
 * again. */
void hbg_term_walk(hbg_terms *terms, hbg_term root) {
    int32_t open = ++terms->mark, listed = ++terms->mark;
    terms->walk.count = terms->stack.count = 0;
    HBG_PUSH(terms->arena, terms->stack, root);
    while (terms->stack.count > 0) {
        hbg_term term = terms->stack.items[terms->stack.count - 1];
        const term_node *node = &terms->nodes.items[term];
        if (terms->marks.items[term] == listed) {
            terms->stack.count--;
        } else if (terms->marks.items[term] == open) {
            terms->stack.count--;
            terms->marks.items[term] = listed;
            HBG_PUSH(terms->arena, terms->walk, term);
        } else {
            terms->marks.items[term] = open;
            for (int i = hbg_term_arity(node) - 1; i >= 0; i--)
                if (terms->marks.items[argument_of(node, i)] < open)
                    HBG_PUSH(terms->arena, terms->stack, argument_of(node, i));
        }
    }
}

void hbg_term_walk_variables(hbg_terms *terms, hbg_term root) {
    int32_t seen = ++terms->mark;
    terms->walk.count = terms->stack.count = 0;
    HBG_PUSH(terms->arena, terms->stack, root);
    while (terms->stack.count > 0) {
        hbg_term term = terms->stack.items[--terms->stack.count];
        const term_node *node = &terms->nodes.items[term];
        if (terms->marks.items[term] == seen || node->level != LEVEL_RUN) continue;
        terms->marks.items[term] = seen;
        if (node->op == TERM_VARIABLE) HBG_PUSH(terms->arena, terms->walk, term);
        for (int i = hbg_term_arity(node) - 1; i >= 0; i--)
            HBG_PUSH(terms->arena, terms->stack, argument_of(node, i));
    }
}

/* notes: the term's image plus 1 */
hbg_term hbg_term_substitute(hbg_terms *terms, hbg_arena *scratch, hbg_term root,
                             hbg_term (*replace)(void *context, int32_t variable), void *context) {
    hbg_term_walk(terms, root);
    int32_t count = terms->walk.count;
    hbg_term *walk = HBG_NEW_ARRAY(scratch, hbg_term, count);
    memcpy(walk, terms->walk.items, (size_t)count * sizeof *walk);
    for (int32_t i = 0; i < count; i++) {
        term_node node = terms->nodes.items[walk[i]];
        hbg_term arguments[3] = {node.a, node.b, node.c}, image = walk[i];
        bool changed = false;
        for (int k = 0; k < hbg_term_arity(&node); k++) {
            changed |= terms->notes.items[arguments[k]] - 1 != arguments[k];
            arguments[k] = terms->notes.items[arguments[k]] - 1;
        }
        hbg_term other = node.op == TERM_VARIABLE ? replace(context, node.a) : HBG_NONE;
        if (changed) image = hbg_term_make(terms, node.op, arguments[0], arguments[1], arguments[2]);
        terms->notes.items[walk[i]] = (other != HBG_NONE ? other : image) + 1;
    }
    hbg_term found = terms->notes.items[root] - 1;
    for (int32_t i = 0; i < count; i++) terms->notes.items[walk[i]] = 0;
    hbg_base_arena_release(scratch, walk, (size_t)count * sizeof *walk);
    return found;
}

hbg_term hbg_term_replace_one(void *context, int32_t variable) {
    const hbg_replacement *with = context;
    return variable == with->variable ? with->by : HBG_NONE;
}
