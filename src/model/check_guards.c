/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards of one state that can hold together. A guard is read as a conjunction of conditions, each "this
 * expression lies in this interval". Two guards about the same expressions overlap if no interval pair is
 * disjoint; a later one whose intervals all lie inside an earlier one's can never be taken. Anything else is
 * ignored: this finds slips, it proves nothing. */
#include <math.h>

#include "model/model_impl.h"

#define CONDITIONS  16   /* of one guard; longer ones are not compared */
#define TRANSITIONS 64   /* of one state that are compared with each other */
#define SAME_STEPS  2000 /* nodes visited to find two expressions the same */

typedef struct {
    hbg_expr expr;        /* what is compared */
    hbg_expr with;        /* the other side if it is not constant: the interval is of the difference */
    double low, high;     /* of a boolean: 1, 1 when it has to hold and 0, 0 when not */
    bool low_in, high_in; /* whether the ends belong to the interval */
} condition;

typedef struct {
    condition items[CONDITIONS];
    int count;
    bool readable;
} conjunction;

/* ---- reading guards ----------------------------------------------------------------------------------- */

typedef struct {
    hbg_expr a, b;
} expr_pair;

#define SAME_DEPTH 64

/* Compares two nodes without their arguments, which go onto the stack. */
static bool same_node(const hbg_model *model, expr_pair nodes, expr_pair *stack, int *depth) {
    const hbg_expr_node *a = &model->exprs.items[nodes.a], *b = &model->exprs.items[nodes.b];
    int arity = hbg_model_expr_arity(a);
    if (a->op != b->op || *depth + arity > SAME_DEPTH) return false;
    if (a->op == HBG_OP_NUMBER) {
        const hbg_literal *literals = model->literals.items;
        return a->a >= 0 && b->a >= 0 &&
               hbg_base_decimal_compare(literals[a->a].value, literals[b->a].value) == 0;
    }
    const int32_t fields_a[] = {a->a, a->b, a->c}, fields_b[] = {b->a, b->b, b->c};
    for (int n = arity; n < 3; n++)
        if (fields_a[n] != fields_b[n]) return false;
    for (int n = 0; n < arity; n++) stack[(*depth)++] = (expr_pair){fields_a[n], fields_b[n]};
    return true;
}

/* Whether two expressions are the same in structure. */
static bool same_expr(const hbg_model *model, hbg_expr first, hbg_expr second) {
    expr_pair stack[SAME_DEPTH] = {{first, second}};
    int depth = 1;
    for (int steps = 0; depth > 0; steps++) {
        expr_pair next = stack[--depth];
        if (next.a == next.b) continue;
        if (next.a < 0 || next.b < 0 || steps > SAME_STEPS) return false;
        if (!same_node(model, next, stack, &depth)) return false;
    }
    return true;
}

static hbg_operator mirrored(hbg_operator op) {
    switch (op) {
    case HBG_OP_LESS: return HBG_OP_GREATER;
    case HBG_OP_LESS_EQUAL: return HBG_OP_GREATER_EQUAL;
    case HBG_OP_GREATER: return HBG_OP_LESS;
    case HBG_OP_GREATER_EQUAL: return HBG_OP_LESS_EQUAL;
    default: return op;
    }
}

static hbg_operator negated(hbg_operator op) {
    switch (op) {
    case HBG_OP_LESS: return HBG_OP_GREATER_EQUAL;
    case HBG_OP_LESS_EQUAL: return HBG_OP_GREATER;
    case HBG_OP_GREATER: return HBG_OP_LESS_EQUAL;
    case HBG_OP_GREATER_EQUAL: return HBG_OP_LESS;
    default: return HBG_OP_COUNT; // not (x == c) is not an interval
    }
}

/* `expr op bound` as an interval. */
static condition interval(hbg_expr expr, hbg_expr with, hbg_operator op, double bound) {
    condition c = {expr, with, -INFINITY, INFINITY, false, false};
    bool below = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL || op == HBG_OP_EQUAL;
    bool above = op == HBG_OP_GREATER || op == HBG_OP_GREATER_EQUAL || op == HBG_OP_EQUAL;
    bool strict = op == HBG_OP_LESS || op == HBG_OP_GREATER;
    if (below) {
        c.high = bound;
        c.high_in = !strict;
    }
    if (above) {
        c.low = bound;
        c.low_in = !strict;
    }
    return c;
}

/* A relation between numbers. False for anything else, and for `!=`. */
static bool read_relation(const hbg_model *model, hbg_expr expr, bool holds, condition *result) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    hbg_operator op = (hbg_operator)node->op;
    bool relation = (op >= HBG_OP_LESS && op <= HBG_OP_GREATER_EQUAL) || op == HBG_OP_EQUAL;
    if (!relation || node->a < 0 || node->b < 0 || model->expr_type[node->a] != HBG_TYPE_REAL) return false;
    if (!holds) op = negated(op);
    if (op == HBG_OP_COUNT) return false;
    hbg_expr left = node->a, right = node->b;
    double bound;
    if (hbg_model_constant(model, left, &bound)) {
        hbg_expr swapped = left;
        left = right;
        right = swapped;
        op = mirrored(op);
    }
    bool constant = hbg_model_constant(model, right, &bound);
    while (constant && model->exprs.items[left].op == HBG_OP_NEGATE && model->exprs.items[left].a >= 0) {
        left = model->exprs.items[left].a;
        bound = -bound;
        op = mirrored(op);
    }
    *result = interval(left, constant ? HBG_NONE : right, op, constant ? bound : 0);
    return true;
}

static bool same_subject(const hbg_model *model, const condition *a, const condition *b) {
    bool both = (a->with < 0) == (b->with < 0);
    return both && same_expr(model, a->expr, b->expr) && (a->with < 0 || same_expr(model, a->with, b->with));
}

/* Narrows the condition on the same subject, or adds one. */
static void add_condition(const hbg_model *model, conjunction *guard, condition next) {
    for (int i = 0; i < guard->count; i++) {
        condition *own = &guard->items[i];
        if (!same_subject(model, own, &next)) continue;
        if (next.low > own->low || (next.low == own->low && !next.low_in)) {
            own->low = next.low;
            own->low_in = next.low_in;
        }
        if (next.high < own->high || (next.high == own->high && !next.high_in)) {
            own->high = next.high;
            own->high_in = next.high_in;
        }
        return;
    }
    if (guard->count == CONDITIONS)
        guard->readable = false;
    else
        guard->items[guard->count++] = next;
}

static void read_guard(const hbg_model *model, hbg_expr expr, conjunction *guard) {
    hbg_expr stack[CONDITIONS];
    int depth = 0;
    *guard = (conjunction){.readable = expr >= 0};
    if (expr >= 0) stack[depth++] = expr;
    while (depth > 0 && guard->readable) {
        hbg_expr next = stack[--depth];
        bool holds = true;
        while (next >= 0 && model->exprs.items[next].op == HBG_OP_NOT) {
            next = model->exprs.items[next].a;
            holds = !holds;
        }
        const hbg_expr_node *node = next < 0 ? NULL : &model->exprs.items[next];
        condition found;
        if (!node || (node->op == HBG_OP_AND && holds && depth + 2 > CONDITIONS)) {
            guard->readable = false;
        } else if (node->op == HBG_OP_AND && holds) {
            stack[depth++] = node->b;
            stack[depth++] = node->a;
        } else if (read_relation(model, next, holds, &found)) {
            add_condition(model, guard, found);
        } else {
            add_condition(model, guard, (condition){next, HBG_NONE, holds, holds, true, true});
        }
    }
}

/* ---- comparing guards --------------------------------------------------------------------------------- */

static bool is_empty(const condition *c) {
    return c->low > c->high || (c->low == c->high && !(c->low_in && c->high_in));
}

static bool intersect(const condition *a, const condition *b) {
    condition c = *a;
    if (b->low > c.low || (b->low == c.low && !b->low_in)) {
        c.low = b->low;
        c.low_in = b->low_in;
    }
    if (b->high < c.high || (b->high == c.high && !b->high_in)) {
        c.high = b->high;
        c.high_in = b->high_in;
    }
    return !is_empty(&c);
}

static bool is_inside(const condition *inner, const condition *outer) {
    bool low = inner->low > outer->low || (inner->low == outer->low && (outer->low_in || !inner->low_in));
    bool high =
        inner->high < outer->high || (inner->high == outer->high && (outer->high_in || !inner->high_in));
    return low && high;
}

static const condition *find_subject(const hbg_model *model, const conjunction *guard,
                                     const condition *like) {
    for (int i = 0; i < guard->count; i++)
        if (same_subject(model, &guard->items[i], like)) return &guard->items[i];
    return NULL;
}

typedef enum { APART, OVERLAP, IMPLIED } relation;

/* The position of a later guard relative to an earlier one. */
static relation compare(const hbg_model *model, const conjunction *earlier, const conjunction *later) {
    bool implied = true, same_subjects = earlier->count == later->count;
    for (int i = 0; i < earlier->count; i++) {
        const condition *other = find_subject(model, later, &earlier->items[i]);
        if (is_empty(&earlier->items[i]) || (other && is_empty(other))) return APART;
        if (other && !intersect(&earlier->items[i], other)) return APART;
        implied = implied && other && is_inside(other, &earlier->items[i]);
        same_subjects = same_subjects && other;
    }
    if (implied) return IMPLIED;
    return same_subjects ? OVERLAP : APART;
}

/* ---- reports ------------------------------------------------------------------------------------------ */

static void report_pair(hbg_check *check, int32_t automaton, relation how, const hbg_transition *earlier,
                        const hbg_transition *later) {
    bool shadowed = how == IMPLIED;
    hbg_diagnostic_id id = shadowed ? HBG_W_LATER : HBG_W_OVERLAP;
    hbg_span span = hbg_model_check_span(check, later->guard, later->span);
    if (!hbg_model_check_first(check, id, span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_AUTOMATON, automaton);
    const char *first = hbg_model_check_expr(check, earlier->guard),
               *second = hbg_model_check_expr(check, later->guard);
    hbg_diagnostic *report =
        shadowed
            ? hbg_base_report(
                  check->diagnostics, id, span,
                  "this transition of `%s` is never taken: whenever `%s` holds, `%s` does, and comes first",
                  path, second, first)
            : hbg_base_report(check->diagnostics, id, span, "guards `%s` and `%s` of `%s` can hold together",
                              first, second, path);
    hbg_base_report_note(check->diagnostics, report,
                         hbg_model_check_span(check, earlier->guard, earlier->span),
                         "`%s` is the earlier one%s", first, shadowed ? "" : ": where both hold, it wins");
}

static void check_state(hbg_check *check, int32_t automaton, const hbg_automaton_state *state,
                        conjunction *guards) {
    const hbg_model *model = check->model;
    const hbg_transition *transitions = &model->transitions.items[state->first_transition];
    int count = state->transition_count > TRANSITIONS ? TRANSITIONS : state->transition_count;
    for (int i = 0; i < count; i++) {
        read_guard(model, transitions[i].guard, &guards[i]);
        for (int k = 0; k < i; k++) {
            if (!guards[i].readable || !guards[k].readable || transitions[k].after >= 0) continue;
            relation how = compare(model, &guards[k], &guards[i]);
            if (how == APART || (how == OVERLAP && transitions[i].after >= 0)) continue;
            report_pair(check, automaton, how, &transitions[k], &transitions[i]);
            break; // one reason is enough
        }
    }
}

void hbg_model_check_guards(hbg_check *check) {
    const hbg_model *model = check->model;
    conjunction *guards = NULL;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        for (int32_t s = 0; s < automaton->state_count; s++) {
            const hbg_automaton_state *state = &model->states.items[automaton->first_state + s];
            if (state->transition_count < 2) continue;
            if (!guards) guards = HBG_NEW_ARRAY(check->scratch, conjunction, TRANSITIONS);
            check_state(check, i, state, guards);
        }
    }
}
