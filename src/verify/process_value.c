/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms of a process with plain numbers. */
#include <math.h>

#include "rt/operator.h"
#include "verify/process_check_impl.h"

void hbg_verify_check_init(process_scope *scope, hbg_arena *arena, const hbg_process *of) {
    scope->arena = arena;
    scope->of = of;
    scope->sizes = HBG_NEW_ARRAY(arena, double, of->variables.count + 1);
    scope->values = HBG_NEW_ARRAY(arena, process_value, of->terms.nodes.count + 1);
    scope->stamps = HBG_NEW_ARRAY(arena, int32_t, of->terms.nodes.count + 1);
    scope->stamp = 0;
}

void hbg_verify_check_begin(process_scope *scope, const double *old, const double *now) {
    scope->old = old;
    scope->now = now;
    scope->stamp++;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

static process_value leaf(const process_scope *scope, const term_node *node) {
    if (node->op == HBG_OP_PI) return (process_value){3.14159265358979323846, 3.14159265358979323846};
    if (node->op == HBG_OP_NUMBER) {
        double value = hbg_base_decimal_to_double(scope->of->terms.numbers.items[node->a]);
        return (process_value){value, fabs(value)};
    }
    int32_t number = hbg_process_variable_of(node->a);
    bool old = hbg_process_view_of(node->a) == HBG_PROCESS_OLD;
    double value = old ? scope->old[number] : scope->now[number];
    return (process_value){value, scope->sizes[number]};
}

static double size_of(int op, const process_value *a, double value) {
    switch (op) {
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_MIN:
    case HBG_OP_MAX: return fmax(a[0].size, a[1].size);
    case HBG_OP_NEGATE:
    case HBG_OP_ABS: return a[0].size;
    case HBG_OP_MULTIPLY: return a[0].size * a[1].size;
    case HBG_OP_DIVIDE: return a[0].size / fabs(a[1].value);
    case HBG_OP_SELECT: return a[0].value != 0 ? a[1].size : a[2].size;
    case HBG_OP_SIN:
    case HBG_OP_COS: return 1; // of an oscillation: at its zeros as well
    default: return fabs(value);
    }
}

process_value hbg_verify_check_value(process_scope *scope, hbg_term term) {
    const term_node node = scope->of->terms.nodes.items[term];
    process_value a[3] = {{0, 0}, {0, 0}, {0, 0}}, made;
    if (scope->stamps[term] == scope->stamp) return scope->values[term];
    if (node.op == TERM_VARIABLE || node.op == HBG_OP_NUMBER || node.op == HBG_OP_PI) {
        made = leaf(scope, &node);
    } else {
        for (int i = 0; i < hbg_term_arity(&node); i++)
            a[i] = hbg_verify_check_value(scope, hbg_term_argument(&node, i));
        made.value = hbg_rt_evaluate((hbg_operator)node.op, a[0].value, a[1].value, a[2].value);
        if (scope->snaps && node.op == HBG_OP_REMAINDER && fabs(made.value - a[1].value) < 1e-9 * a[1].value)
            made.value = 0;
        made.size = size_of(node.op, a, made.value);
    }
    scope->stamps[term] = scope->stamp;
    scope->values[term] = made;
    return made;
}

/* ---- predicates ----------------------------------------------------------------------------------------------------- */

process_miss hbg_verify_check_worse(process_miss a, process_miss b) {
    if (isnan(a.by)) return b.by > 0 ? b : a; // a certain failure counts
    if (isnan(b.by)) return a.by > 0 ? a : b;
    return b.by > a.by ? b : a;
}

static process_miss better(process_miss a, process_miss b) {
    if (isnan(a.by)) return b.by == 0 ? b : a;
    if (isnan(b.by)) return a.by == 0 ? a : b;
    return b.by < a.by ? b : a;
}

/* How far a relation is from holding; it always holds where both sides are equal. */
static double distance(int op, bool positive, process_value a, process_value b) {
    double apart = a.value - b.value, size = fmax(a.size, b.size);
    if (isnan(apart)) return NAN;
    if (op == HBG_OP_EQUAL || op == HBG_OP_NOT_EQUAL)
        return (op == HBG_OP_EQUAL) == positive && size > 0 ? fabs(apart) / size : 0;
    bool less = (op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL) == positive;
    double over = less ? apart : -apart;
    return over > 0 ? over / size : 0;
}

static bool is_truth(const process_scope *scope, hbg_term term) {
    const term_node *node = &scope->of->terms.nodes.items[term];
    if (node->op == TERM_VARIABLE)
        return scope->of->variables.items[hbg_process_variable_of(node->a)].is_truth;
    return node->op >= HBG_OP_OR && node->op <= HBG_OP_GREATER_EQUAL;
}

static process_miss miss(process_scope *scope, hbg_term term, bool positive) {
    const term_node node = scope->of->terms.nodes.items[term];
    if (node.op == HBG_OP_NOT) return miss(scope, node.a, !positive);
    if (node.op == HBG_OP_SELECT)
        return miss(scope, hbg_verify_check_value(scope, node.a).value != 0 ? node.b : node.c, positive);
    if (node.op == HBG_OP_AND || node.op == HBG_OP_OR) {
        process_miss a = miss(scope, node.a, positive), b = miss(scope, node.b, positive);
        return (node.op == HBG_OP_AND) == positive ? hbg_verify_check_worse(a, b) : better(a, b);
    }
    bool relation = node.op >= HBG_OP_EQUAL && node.op <= HBG_OP_GREATER_EQUAL;
    if (relation && !is_truth(scope, node.a))
        return (process_miss){distance(node.op, positive, hbg_verify_check_value(scope, node.a),
                                       hbg_verify_check_value(scope, node.b)),
                              term};
    double value = hbg_verify_check_value(scope, term).value;
    return (process_miss){isnan(value) ? NAN : (value != 0) == positive ? 0 : INFINITY, term};
}

process_miss hbg_verify_check_term(process_scope *scope, hbg_term term) {
    return miss(scope, term, true);
}

process_miss hbg_verify_check_any(process_scope *scope, const hbg_process_any *any) {
    process_miss least = {any->complete ? INFINITY : NAN, HBG_NONE};
    for (int32_t i = 0; i < any->count; i++) {
        process_miss most = {0, HBG_NONE};
        for (int32_t k = 0; k < any->items[i].count; k++)
            most = hbg_verify_check_worse(most, miss(scope, any->items[i].items[k], true));
        least = i == 0 && any->complete ? most : better(least, most);
    }
    return least;
}
