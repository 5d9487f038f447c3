/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards into a restitution mode have to be strict in what its junction balances: flows at a 0-junction,
 * efforts at a 1-junction. With `<=` a contact at rest would collide endlessly. Positions are integrators and
 * may be compared with `<=`. */
#include <math.h>

#include "model/model_impl.h"

#define READS (HBG_EXPR_READS_FLOW | HBG_EXPR_READS_EFFORT)

/* ---- what expressions read ---------------------------------------------------------------------------- */

static uint8_t leaf_reads(const hbg_check *check, const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_FLOW:
    case HBG_OP_BOND_FLOW:
    case HBG_OP_MOMENTUM: return HBG_EXPR_READS_FLOW;
    case HBG_OP_EFFORT:
    case HBG_OP_BOND_EFFORT:
    case HBG_OP_DISPLACEMENT: return HBG_EXPR_READS_EFFORT;
    case HBG_OP_SIGNAL: {
        const hbg_signal *signal = node->a < 0 ? NULL : &check->model->signals.items[node->a];
        bool plain = signal && (signal->kind == HBG_SIGNAL_SIGNAL || signal->kind == HBG_SIGNAL_OUTPUT);
        return plain && signal->value >= 0 ? check->flags[signal->value] & READS : 0;
    }
    default: return 0;
    }
}

static bool update_reads(void *context, int32_t vertex) {
    hbg_check *check = context;
    if (vertex >= check->flow.first_net) return false;
    if (vertex >= check->flow.first_signal) return true; // continues at signals that name the signal
    if (vertex >= check->flow.first_param) return false;
    const hbg_expr_node *node = &check->model->exprs.items[vertex];
    uint8_t reads = leaf_reads(check, node);
    if (node->op != HBG_OP_DER) // an acceleration is no flow
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr argument = hbg_model_expr_argument(node, k);
            if (argument >= 0) reads |= check->flags[argument] & READS;
        }
    bool changed = (check->flags[vertex] | reads) != check->flags[vertex];
    check->flags[vertex] |= reads;
    return changed;
}

/* ---- guards ------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_check *check;
    int32_t junction;
    int32_t *visited;       /* by expression: junction + 1 of the last visit */
    HBG_VEC(int32_t) stack; /* twice the expression, plus 1 below an odd number of `!` */
} restitution_check;

static void report_guard(restitution_check *r, hbg_expr relation) {
    hbg_check *check = r->check;
    const hbg_expr_node *node = &check->model->exprs.items[relation];
    const hbg_element *junction = &check->model->elements.items[r->junction];
    if (!hbg_model_check_first(check, HBG_W_RESTITUTION, node->span)) return;
    const char *path = hbg_model_check_path(check, HBG_OBJECT_ELEMENT, r->junction);
    hbg_diagnostic *report =
        hbg_base_report(check->diagnostics, HBG_W_RESTITUTION, node->span,
                        "`%s` leads into the restitution of `%s` and is not strict: it holds "
                        "when nothing approaches any more",
                        hbg_model_check_expr(check, relation), path);
    hbg_base_report_note(check->diagnostics, report, junction->id.span,
                         "`%s` is declared with `restitution` here", path);
    if (node->op == HBG_OP_LESS_EQUAL || node->op == HBG_OP_GREATER_EQUAL)
        hbg_base_report_fix(check->diagnostics, report, "write `%s %s %s`",
                            hbg_model_check_expr(check, node->a), node->op == HBG_OP_LESS_EQUAL ? "<" : ">",
                            hbg_model_check_expr(check, node->b));
    else
        hbg_base_report_fix(check->diagnostics, report,
                            "under `!` a strict relation is not strict: write its opposite");
}

static bool is_loose(hbg_operator op, bool negated) {
    if (negated) return op == HBG_OP_LESS || op == HBG_OP_GREATER;
    return op == HBG_OP_LESS_EQUAL || op == HBG_OP_GREATER_EQUAL;
}

static void push(restitution_check *r, hbg_expr expr, bool negated) {
    if (expr >= 0) HBG_PUSH(r->check->scratch, r->stack, 2 * expr + negated);
}

/* All relations of a guard, through `&&`, `||` and `!`. */
static void check_guard(restitution_check *r, hbg_expr guard, uint8_t balanced) {
    const hbg_model *model = r->check->model;
    r->stack.count = 0;
    push(r, guard, false);
    while (r->stack.count > 0) {
        int32_t top = r->stack.items[--r->stack.count];
        hbg_expr expr = top / 2;
        bool negated = top % 2 != 0;
        if (r->visited[expr] == r->junction + 1) continue;
        r->visited[expr] = r->junction + 1;
        const hbg_expr_node *node = &model->exprs.items[expr];
        if (is_loose((hbg_operator)node->op, negated) && (r->check->flags[expr] & balanced))
            report_guard(r, expr);
        if (node->op == HBG_OP_NOT) push(r, node->a, !negated);
        if (node->op != HBG_OP_AND && node->op != HBG_OP_OR) continue;
        push(r, node->b, negated);
        push(r, node->a, negated);
    }
}

/* Transitions that bring the automaton from a state of the other kind into one with `on`, or into `state`. */
static void check_entries(restitution_check *r, int32_t automaton, int32_t state, bool on, uint8_t balanced) {
    const hbg_model *model = r->check->model;
    const hbg_automaton *a = &model->automata.items[automaton];
    for (int32_t s = 0; s < a->state_count; s++) {
        const hbg_automaton_state *from = &model->states.items[a->first_state + s];
        for (int32_t t = 0; t < from->transition_count; t++) {
            const hbg_transition *transition = &model->transitions.items[from->first_transition + t];
            if (transition->target < 0 || transition->target >= a->state_count) continue;
            bool target_on = model->states.items[a->first_state + transition->target].on;
            bool enters = state >= 0 ? transition->target == state : target_on == on && from->on != on;
            if (enters) check_guard(r, transition->guard, balanced);
        }
    }
}

#define CONTROL_LIMIT 64 /* automata named in one condition */

static void check_junction(restitution_check *r) {
    const hbg_model *model = r->check->model;
    const hbg_element *junction = &model->elements.items[r->junction];
    uint8_t balanced = junction->kind == HBG_KIND_ZERO ? HBG_EXPR_READS_FLOW : HBG_EXPR_READS_EFFORT;
    struct {
        hbg_expr expr;
        bool on;
    } stack[CONTROL_LIMIT];
    int depth = 0;
    stack[depth].expr = junction->control;
    stack[depth++].on = true;
    for (int steps = 0; depth > 0 && steps < 8 * CONTROL_LIMIT; steps++) {
        hbg_expr expr = stack[--depth].expr;
        bool on = stack[depth].on;
        const hbg_expr_node *node = expr < 0 ? NULL : &model->exprs.items[expr];
        if (!node) continue;
        if (node->op == HBG_OP_AUTOMATON && node->a >= 0) check_entries(r, node->a, HBG_NONE, on, balanced);
        if (node->op == HBG_OP_ACTIVE && node->a >= 0 && on) check_entries(r, node->a, node->b, on, balanced);
        bool joins = node->op == HBG_OP_AND || node->op == HBG_OP_OR;
        if ((!joins && node->op != HBG_OP_NOT) || depth + 2 > CONTROL_LIMIT) continue;
        stack[depth].expr = node->a;
        stack[depth++].on = node->op == HBG_OP_NOT ? !on : on;
        if (!joins) continue;
        stack[depth].expr = node->b;
        stack[depth++].on = on;
    }
}

/* Outside 0 to 1 bodies pass through each other, or the collision adds energy. If it is not constant, the run
 * judges it. */
static void check_coefficient(hbg_check *check, int32_t junction, hbg_expr expr) {
    hbg_span span = check->model->exprs.items[expr].span;
    double value;
    char text[HBG_DOUBLE_TEXT];
    if (!hbg_model_constant(check->model, expr, &value) || !isfinite(value) || hbg_model_bounces(value))
        return;
    if (!hbg_model_check_first(check, HBG_E_VALUE, span)) return;
    hbg_base_double_print(text, value);
    hbg_base_report(check->diagnostics, HBG_E_VALUE, span,
                    "the restitution of `%s` is %s, but has to be between 0 and 1: %s",
                    hbg_model_check_path(check, HBG_OBJECT_ELEMENT, junction), text,
                    value < 0 ? "below 0 bodies would pass through each other"
                              : "above 1 a collision would give energy");
}

/* Of a choice every branch counts. */
static void check_coefficients(hbg_check *check, int32_t junction) {
    const hbg_model *model = check->model;
    HBG_VEC(hbg_expr) open = {0};
    HBG_PUSH(check->scratch, open, model->elements.items[junction].restitution);
    while (open.count > 0) {
        hbg_expr expr = open.items[--open.count];
        if (expr < 0) continue; // it has been reported
        const hbg_expr_node *node = &model->exprs.items[expr];
        if (node->op != HBG_OP_SELECT) {
            check_coefficient(check, junction, expr);
            continue;
        }
        HBG_PUSH(check->scratch, open, node->c);
        HBG_PUSH(check->scratch, open, node->b);
    }
}

void hbg_model_check_restitution(hbg_check *check) {
    const hbg_model *model = check->model;
    restitution_check r = {.check = check};
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (element->ports != 0 || element->restitution < 0 || element->control < 0) continue;
        if (!hbg_model_loses_energy(model, i))
            check_coefficients(check, i); // of a choice the ends are checked
        if (!r.visited) {
            r.visited = HBG_NEW_ARRAY(check->scratch, int32_t, model->exprs.count + 1);
            hbg_model_flow_run(&check->flow, update_reads, check);
        }
        r.junction = i;
        check_junction(&r);
    }
}
