/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What operators make of values with pulses, fin + area·δ, and with unbounded parts (semantics, sections 2 and 3a): each part of a term
 * by the parts of its arguments. What is linear carries pulses; areas decide abs, min, max and relations first, finite parts only where
 * areas are equal; anything else of a pulse has no meaning. Guards at instants are compiled by these rules, and so are the differences
 * that are watched while time advances, areas in the equations of a jump, and the formulas of proofs. */
#include "term/term.h"

static const hbg_term_value none = HBG_TERM_NO_VALUE;

/* The column `pulse` of the list of operators: parts_… gives the parts of a term by those of its
 * arguments. */
typedef struct {
    const hbg_term_algebra *by;
    hbg_term term;
    int op;
    const hbg_term_value *a;
    bool constant[2];
} operands;

static hbg_term make(operands of, int op, hbg_term a, hbg_term b, hbg_term c) {
    return of.by->terms ? hbg_term_make(of.by->terms, op, a, b, c) : of.by->make(of.by->owner, op, a, b, c);
}

static hbg_term integer(operands of, int32_t value) {
    return of.by->terms ? hbg_term_integer(of.by->terms, value) : of.by->integer(of.by->owner, value);
}

static hbg_term or_zero(operands of, hbg_term part) {
    return part == HBG_NONE ? integer(of, 0) : part;
}

/* A part of both arguments; HBG_NONE if neither has it. */
static hbg_term both_parts(operands of, int op, hbg_term a, hbg_term b) {
    return a == HBG_NONE && b == HBG_NONE ? HBG_NONE : make(of, op, or_zero(of, a), or_zero(of, b), HBG_NONE);
}

static hbg_term either_open(operands of, hbg_term a, hbg_term b) {
    return a == HBG_NONE || a == b ? b : b == HBG_NONE ? a : make(of, HBG_OP_MAX, a, b, HBG_NONE);
}

/* The operator on finite parts. */
static hbg_term_value plain(operands of) {
    hbg_term_value made = none;
    made.fin = make(of, of.op, of.a[0].fin, of.a[1].fin, of.a[2].fin);
    return made;
}

static hbg_term_value linear(operands of, int op, hbg_term_value a, hbg_term_value b) {
    hbg_term_value made = {.fin = make(of, op, a.fin, b.fin, HBG_NONE),
                           .area = both_parts(of, op, a.area, b.area),
                           .open = either_open(of, a.open, b.open)};
    for (int k = 0; k < HBG_RT_ORDERS; k++) made.far[k] = both_parts(of, op, a.far[k], b.far[k]);
    return made;
}

static hbg_term negated_part(operands of, hbg_term part) {
    return part == HBG_NONE ? HBG_NONE : make(of, HBG_OP_NEGATE, part, HBG_NONE, HBG_NONE);
}

static hbg_term_value negated(operands of, hbg_term_value a) {
    hbg_term_value made = {negated_part(of, a.fin), negated_part(of, a.area), a.open, {0}};
    for (int k = 0; k < HBG_RT_ORDERS; k++) made.far[k] = negated_part(of, a.far[k]);
    return made;
}

/* The unbounded part of `a` times, or divided by, a parameter. */
static void scale_far(operands of, hbg_term_value a, hbg_term factor, hbg_term_value *made) {
    made->open = a.open;
    for (int k = 0; k < HBG_RT_ORDERS; k++)
        made->far[k] = a.far[k] == HBG_NONE ? HBG_NONE : make(of, of.op, a.far[k], factor, HBG_NONE);
}

/* An unbounded value times, or divided by, something other than a parameter: its derivatives are not known
 * here. */
static void leave_open(operands of, hbg_term_value a, hbg_term_value b, hbg_term_value *made) {
    made->open = either_open(of, a.open, b.open);
    a.area = b.area = HBG_NONE;
    if (made->open != HBG_NONE) of.by->refuse(of.by->owner, of.term, a, b);
}

/* It has no meaning if both pulse. */
static void refuse_pulses(operands of, hbg_term_value a, hbg_term_value b) {
    a.open = b.open = HBG_NONE;
    if (a.area != HBG_NONE && b.area != HBG_NONE) of.by->refuse(of.by->owner, of.term, a, b);
}

/* `condition` is a truth, or a number that is not 0 where it holds. If it is unknown whether it holds, the
 * choice is open. */
static hbg_term_value chosen(operands of, hbg_term condition, hbg_term_value a, hbg_term_value b) {
    hbg_term_value made = {.fin = make(of, HBG_OP_SELECT, condition, a.fin, b.fin), .area = HBG_NONE};
    hbg_term *to[] = {&made.area, &made.open, &made.far[0], &made.far[1], &made.far[2]};
    const hbg_term from[][2] = {
        {a.area, b.area}, {a.open, b.open}, {a.far[0], b.far[0]}, {a.far[1], b.far[1]}, {a.far[2], b.far[2]}};
    for (int i = 0; i < 2 + HBG_RT_ORDERS; i++) {
        bool there = from[i][0] != HBG_NONE || from[i][1] != HBG_NONE;
        *to[i] = there ? make(of, HBG_OP_SELECT, condition, or_zero(of, from[i][0]), or_zero(of, from[i][1]))
                       : HBG_NONE;
    }
    return made;
}

static hbg_term compare(operands of, int op, hbg_term_value a, hbg_term_value b) {
    return of.by->compare(of.by->owner, HBG_NONE, op, a, b);
}

static bool is_finite(hbg_term_value a) {
    return a.area == HBG_NONE && a.open == HBG_NONE;
}

static hbg_term_value number(operands of, int32_t value) {
    hbg_term_value made = none;
    made.fin = integer(of, value);
    return made;
}

/* ---- operators ---------------------------------------------------------------------------------------- */

static hbg_term_value parts_none(operands of) {
    HBG_ASSERT(!"an operator of terms");
    return plain(of);
}

/* Operators without pulses, or with a truth as the result. */
#define parts_number   plain
#define parts_both     plain
#define parts_either   plain
#define parts_negation plain

static hbg_term_value parts_sum(operands of) {
    return linear(of, HBG_OP_ADD, of.a[0], of.a[1]);
}

static hbg_term_value parts_difference(operands of) {
    return linear(of, HBG_OP_SUBTRACT, of.a[0], of.a[1]);
}

static hbg_term_value parts_opposite(operands of) {
    return negated(of, of.a[0]);
}

static hbg_term_value parts_product(operands of) {
    hbg_term_value a = of.a[0], b = of.a[1], made = plain(of);
    hbg_term one = a.area == HBG_NONE ? HBG_NONE : make(of, HBG_OP_MULTIPLY, a.area, b.fin, HBG_NONE);
    hbg_term other = b.area == HBG_NONE ? HBG_NONE : make(of, HBG_OP_MULTIPLY, a.fin, b.area, HBG_NONE);
    refuse_pulses(of, a, b);
    made.area = both_parts(of, HBG_OP_ADD, one, other);
    if (a.open != HBG_NONE && of.constant[1])
        scale_far(of, a, b.fin, &made);
    else if (b.open != HBG_NONE && of.constant[0])
        scale_far(of, b, a.fin, &made);
    else
        leave_open(of, a, b, &made);
    return made;
}

static hbg_term_value parts_quotient(operands of) {
    hbg_term_value a = of.a[0], b = of.a[1], made = plain(of);
    refuse_pulses(of, b, b);
    if (a.area != HBG_NONE) made.area = make(of, HBG_OP_DIVIDE, a.area, b.fin, HBG_NONE);
    if (a.open != HBG_NONE && of.constant[1])
        scale_far(of, a, b.fin, &made);
    else
        leave_open(of, a, b, &made);
    return made;
}

/* Where finite parts decide, areas are equal up to rounding. Areas still have their own branch: that of abs
 * does not jump below 0 there, which would be a crossing. */
static hbg_term_value parts_absolute(operands of) {
    if (is_finite(of.a[0])) return plain(of);
    hbg_term below = compare(of, HBG_OP_LESS, of.a[0], number(of, 0));
    hbg_term_value made = chosen(of, below, negated(of, of.a[0]), of.a[0]);
    if (made.area != HBG_NONE) made.area = make(of, HBG_OP_ABS, of.a[0].area, HBG_NONE, HBG_NONE);
    return made;
}

static hbg_term_value first_if(operands of, int order) {
    if (is_finite(of.a[0]) && is_finite(of.a[1])) return plain(of);
    hbg_term_value made = chosen(of, compare(of, order, of.a[0], of.a[1]), of.a[0], of.a[1]);
    made.area = both_parts(of, of.op, of.a[0].area, of.a[1].area);
    return made;
}

static hbg_term_value parts_lesser(operands of) {
    return first_if(of, HBG_OP_LESS_EQUAL);
}

static hbg_term_value parts_greater(operands of) {
    return first_if(of, HBG_OP_GREATER_EQUAL);
}

static hbg_term_value parts_sign(operands of) {
    hbg_term_value zero = number(of, 0), open = none;
    if (is_finite(of.a[0])) return plain(of);
    open.fin = of.a[0].open == HBG_NONE ? zero.fin : of.a[0].fin; // not a number where that is open
    open.open = of.a[0].open;
    return chosen(of, compare(of, HBG_OP_LESS, of.a[0], zero), number(of, -1),
                  chosen(of, compare(of, HBG_OP_GREATER, of.a[0], zero), number(of, 1), open));
}

static hbg_term_value parts_select(operands of) {
    hbg_term_value made = chosen(of, of.a[0].fin, of.a[1], of.a[2]);
    made.open = either_open(of, of.by->openness(of.by->owner, of.a[0]), made.open);
    return made;
}

static hbg_term_value parts_relation(operands of) {
    hbg_term_value made = none;
    made.fin = of.by->compare(of.by->owner, of.term, of.op, of.a[0], of.a[1]);
    return made;
}

static hbg_term_value parts_finite(operands of) {
    hbg_term_value made = none;
    made.fin = of.a[0].fin;
    made.open = of.a[0].open;
    return made;
}

/* Functions take only finite values. */
static hbg_term_value parts_refuse(operands of) {
    hbg_term_value made = plain(of);
    for (int i = 0; i < 3; i++) refuse_pulses(of, of.a[i], of.a[i]);
    leave_open(of, of.a[0], of.a[1], &made);
    if (made.open != HBG_NONE && of.by->nothing != HBG_NONE)
        made.fin = make(of, HBG_OP_SELECT, made.open, of.by->nothing, made.fin);
    return made;
}

static hbg_term_value (*const rules[HBG_OP_COUNT])(operands) = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = parts_##pulse,
    HBG_OPERATOR_LIST(X)
#undef X
};

hbg_term_value hbg_term_operate(const hbg_term_algebra *by, hbg_term_operation of) {
    operands own = {by, of.term, of.op, of.a, {of.constant[0], of.constant[1]}};
    if (of.op < HBG_OP_COUNT) return rules[of.op](own);
    return of.op == TERM_RATE ? parts_finite(own) : parts_refuse(own);
}

hbg_term_value hbg_term_apply(const hbg_term_algebra *by, const hbg_terms *from, hbg_term term,
                              const hbg_term_value *a) {
    const term_node node = from->nodes.items[term]; // `from` may be the terms under construction
    hbg_term_operation of = {.op = node.op, .term = term, .a = a};
    for (int i = 0; i < 2 && i < hbg_term_arity(&node); i++)
        of.constant[i] = from->nodes.items[hbg_term_argument(&node, i)].level < LEVEL_RUN;
    return hbg_term_operate(by, of);
}

bool hbg_term_orders(int op) {
    if (op >= HBG_OP_COUNT) return false;
    return rules[op] == parts_absolute || rules[op] == parts_lesser || rules[op] == parts_greater;
}

/* ---- while time advances --------------------------------------------------------------------------------- */

/* The variable that is its area; HBG_NONE: it has none, or is not a variable. */
static int32_t area_variable(hbg_term_pulses pulses, const term_node *node) {
    return node->op == TERM_VARIABLE ? pulses.area_of(pulses.owner, node->a) : HBG_NONE;
}

static hbg_term area_of(hbg_terms *terms, hbg_term_value of) {
    return of.area == HBG_NONE ? hbg_term_integer(terms, 0) : of.area;
}

/* While time advances areas have no rounding: they are compared exactly. */
static hbg_term compare_exactly(void *owner, hbg_term term, int op, hbg_term_value a, hbg_term_value b) {
    hbg_terms *terms = owner;
    hbg_term by_fin = hbg_term_make(terms, op, a.fin, b.fin, HBG_NONE);
    (void)term;
    if (a.area == HBG_NONE && b.area == HBG_NONE) return by_fin;
    hbg_term left = area_of(terms, a), right = area_of(terms, b);
    hbg_term equal = hbg_term_make(terms, HBG_OP_EQUAL, left, right, HBG_NONE);
    return hbg_term_make(terms, HBG_OP_SELECT, equal, by_fin,
                         hbg_term_make(terms, op, left, right, HBG_NONE));
}

/* Terms that are not linear in a pulse are refused at instants. */
static void refuse_nothing(void *owner, hbg_term term, hbg_term_value a, hbg_term_value b) {
    (void)owner, (void)term, (void)a, (void)b;
}

static hbg_term never_open(void *owner, hbg_term_value condition) {
    (void)owner, (void)condition;
    return HBG_NONE;
}

/* ---- areas of equations -------------------------------------------------------------------------------- */

static void note_refusal(void *owner, hbg_term term, hbg_term_value a, hbg_term_value b) {
    bool *refused = owner;
    (void)term, (void)a, (void)b;
    *refused = true;
}

/* Areas have separate orders. */
static hbg_term compare_nothing(void *owner, hbg_term term, int op, hbg_term_value a, hbg_term_value b) {
    (void)owner, (void)term, (void)op, (void)b;
    return a.fin;
}

bool hbg_term_area(hbg_terms *terms, hbg_term term, const hbg_term *areas, hbg_term *area) {
    bool refused = false;
    const hbg_term_algebra by = {.owner = &refused,
                                 .terms = terms,
                                 .compare = compare_nothing,
                                 .refuse = note_refusal,
                                 .openness = never_open,
                                 .nothing = HBG_NONE};
    const term_node node = terms->nodes.items[term];
    hbg_term_value a[3] = {none, none, none};
    for (int i = 0; i < 3; i++) a[i].fin = hbg_term_argument(&node, i); // b of a table is the table
    for (int i = 0; i < hbg_term_arity(&node); i++) a[i].area = areas[i];
    *area = hbg_term_apply(&by, terms, term, a).area;
    return !refused;
}

/* ---- all of a term while time advances ---------------------------------------------------------------------- */

static bool may_pulse(hbg_terms *terms, hbg_term_pulses pulses, hbg_term term) {
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++)
        if (area_variable(pulses, &terms->nodes.items[terms->walk.items[i]]) != HBG_NONE) return true;
    return false;
}

hbg_term hbg_term_parts(hbg_terms *terms, hbg_arena *scratch, hbg_term_pulses pulses, hbg_term term,
                        hbg_term *area) {
    const hbg_term_algebra by = {.owner = terms,
                                 .terms = terms,
                                 .compare = compare_exactly,
                                 .refuse = refuse_nothing,
                                 .openness = never_open,
                                 .nothing = HBG_NONE};
    *area = HBG_NONE;
    if (!may_pulse(terms, pulses, term)) return term;
    int32_t count = terms->walk.count;
    hbg_term *walk = HBG_NEW_ARRAY(scratch, hbg_term, count + 1);
    hbg_term_value *made =
        HBG_NEW_ARRAY(scratch, hbg_term_value, terms->nodes.count + 1); // by term below this one
    for (int32_t i = 0; i < count; i++) walk[i] = terms->walk.items[i];
    for (int32_t i = 0; i < count; i++) {
        term_node node = terms->nodes.items[walk[i]];
        hbg_term_value a[3] = {none, none, none}, *to = &made[walk[i]];
        int32_t own = area_variable(pulses, &node);
        bool pulsing = false;
        for (int k = 0; k < 3; k++) a[k].fin = hbg_term_argument(&node, k); // b of a table is the table
        for (int k = 0; k < hbg_term_arity(&node); k++) {
            hbg_term part = a[k].fin;
            a[k] = made[part];
            pulsing |= a[k].area != HBG_NONE || a[k].fin != part;
        }
        *to = none;
        to->fin = walk[i];
        if (own != HBG_NONE)
            to->area = hbg_term_variable(terms, own);
        else if (pulsing)
            *to = hbg_term_apply(&by, terms, walk[i], a);
    }
    *area = made[term].area;
    return made[term].fin;
}
