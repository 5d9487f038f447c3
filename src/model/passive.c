/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values and laws of R, C and I as lists of steps, which can be computed for any variables and
 * parameters, to judge the effect of a fault or a setting on an element. What the system gives (variables,
 * states, inputs, tables) are leaves; constants are looked up, since they change. */
#include <string.h>

#include "model/passive_impl.h"

enum { MOST_STEPS = 512, MOST_PORTS = 64 }; /* larger ones are left to the run */

_Static_assert(HBG_PASSIVE_CONSTANTS >= 3 * MOST_STEPS + MOST_PORTS * MOST_PORTS + 2 * MOST_PORTS,
               "every part of a step, every entry and every law may be a constant");

typedef struct {
    hbg_arena *arena;
    const hbg_model *model;
    bool *fixed;    /* by expression: it reads parameters and numbers only (and time, where that is known) */
    int32_t *owner; /* by expression: element whose steps it is among, plus 1 */
    passive_value *step_of;
    HBG_VEC(passive_step) steps;
    HBG_VEC(hbg_expr) waiting;
    int32_t element, slots;
} builder;

/* ---- which expressions are constant ---------------------------------------------------------------------- */

static bool is_plain(const hbg_expr_node *node) {
    return node->op > HBG_OP_AUTOMATON && node->op < HBG_OP_TABLE;
}

static void find_fixed(builder *b, bool time_is_known) {
    for (int32_t i = 0; i < b->model->exprs.count; i++) { // parts come before what they are part of
        const hbg_expr_node *node = &b->model->exprs.items[i];
        bool leaf = node->op <= HBG_OP_PI || node->op == HBG_OP_PARAM;
        b->fixed[i] = leaf || (time_is_known && node->op == HBG_OP_TIME) || is_plain(node);
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            if (part < 0 || part >= i || !b->fixed[part]) b->fixed[i] = false;
        }
    }
}

/* ---- steps of one element -------------------------------------------------------------------------------- */

/* What an expression means: the value of a signal, the finite part of something finite. */
static hbg_expr behind(const builder *b, hbg_expr expr) {
    for (int depth = 0; expr >= 0 && depth < 64; depth++) {
        const hbg_expr_node *node = &b->model->exprs.items[expr];
        if (node->op == HBG_OP_FINITE) {
            expr = node->a;
            continue;
        }
        if (node->op != HBG_OP_SIGNAL || node->a < 0) return expr;
        const hbg_signal *signal = &b->model->signals.items[node->a];
        bool follows = signal->kind == HBG_SIGNAL_SIGNAL || signal->kind == HBG_SIGNAL_OUTPUT ||
                       (signal->kind == HBG_SIGNAL_SENSOR && signal->every == HBG_NONE);
        if (!follows || signal->value < 0) return expr;
        expr = signal->value;
    }
    return expr;
}

static bool is_known(const builder *b, hbg_expr expr) {
    return b->fixed[expr] || b->owner[expr] == b->element + 1;
}

static passive_value value_of(const builder *b, hbg_expr expr) {
    return b->fixed[expr] ? ~expr : b->step_of[expr];
}

static void add_leaf(builder *b, hbg_expr expr) {
    const hbg_expr_node *node = &b->model->exprs.items[expr];
    bool whole = hbg_model_expr_arity(node) > 0; // a table, a derivative: each separately
    passive_step step = {.op = PASSIVE_LEAF,
                         .leaf = node->op,
                         .leaf_index = whole ? expr : node->a,
                         .leaf_port = whole ? 0 : node->b,
                         .is_bool = b->model->expr_type && b->model->expr_type[expr] != HBG_TYPE_REAL};
    step.part[0] = HBG_NONE;
    for (int32_t i = 0; i < b->steps.count && step.part[0] == HBG_NONE; i++) {
        const passive_step *other = &b->steps.items[i];
        if (other->op == PASSIVE_LEAF && other->leaf == step.leaf && other->leaf_index == step.leaf_index &&
            other->leaf_port == step.leaf_port)
            step.part[0] = other->part[0];
    }
    if (step.part[0] == HBG_NONE) step.part[0] = b->slots++;
    b->step_of[expr] = b->steps.count;
    b->owner[expr] = b->element + 1;
    HBG_PUSH(b->arena, b->steps, step);
}

/* Enters a node whose parts are known; otherwise these go before it. */
static bool add_node(builder *b, hbg_expr expr) {
    const hbg_expr_node *node = &b->model->exprs.items[expr];
    passive_step step = {.op = node->op, .part = {HBG_NONE, HBG_NONE, HBG_NONE}};
    bool ready = true;
    for (int k = 0; k < hbg_model_expr_arity(node); k++) {
        hbg_expr part = behind(b, hbg_model_expr_argument(node, k));
        if (part < 0) return false;
        if (is_known(b, part))
            step.part[k] = value_of(b, part);
        else
            ready = false;
        if (!is_known(b, part)) HBG_PUSH(b->arena, b->waiting, part);
    }
    if (!ready) return b->waiting.count <= 2 * MOST_STEPS; // signals that read each other never do
    b->step_of[expr] = b->steps.count;
    b->owner[expr] = b->element + 1;
    HBG_PUSH(b->arena, b->steps, step);
    return true;
}

static bool add_expr(builder *b, hbg_expr root, passive_value *value) {
    root = behind(b, root);
    if (root < 0) return false;
    b->waiting.count = 0;
    if (!is_known(b, root)) HBG_PUSH(b->arena, b->waiting, root);
    while (b->waiting.count > 0) {
        hbg_expr expr = b->waiting.items[b->waiting.count - 1];
        if (b->steps.count >= MOST_STEPS) return false;
        if (!is_known(b, expr)) {
            if (!is_plain(&b->model->exprs.items[expr]))
                add_leaf(b, expr);
            else if (!add_node(b, expr))
                return false;
        }
        if (is_known(b, expr)) {
            // it may wait in several places; those above it have been entered
            while (b->waiting.count > 0 && is_known(b, b->waiting.items[b->waiting.count - 1]))
                b->waiting.count--;
        }
    }
    *value = value_of(b, root);
    return true;
}

/* ---- elements -------------------------------------------------------------------------------------------- */

static bool add_entries(builder *b, const hbg_element *of, hbg_passive *made) {
    made->entries = HBG_NEW_ARRAY(b->arena, passive_value, of->value_count + 1);
    for (int32_t i = 0; i < of->value_count; i++)
        if (!add_expr(b, b->model->entries.items[of->first_value + i], &made->entries[i])) return false;
    return true;
}

static hbg_variable argument_of(hbg_element_kind kind, hbg_variable given) {
    if (kind == HBG_KIND_C) return HBG_VARIABLE_DISPLACEMENT;
    if (kind == HBG_KIND_I) return HBG_VARIABLE_MOMENTUM;
    return given == HBG_VARIABLE_EFFORT ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
}

static int32_t slot_of(const builder *b, hbg_variable variable, int32_t port) {
    static const int32_t ops[] = {HBG_OP_EFFORT, HBG_OP_FLOW, HBG_OP_DISPLACEMENT, HBG_OP_MOMENTUM};
    for (int32_t i = 0; i < b->steps.count; i++) {
        const passive_step *step = &b->steps.items[i];
        if (step->op == PASSIVE_LEAF && step->leaf == ops[variable] && step->leaf_index == b->element &&
            step->leaf_port == port)
            return step->part[0];
    }
    return HBG_NONE;
}

static bool add_laws(builder *b, const hbg_element *of, hbg_passive *made) {
    made->laws = HBG_NEW_ARRAY(b->arena, passive_law, of->law_count + 1);
    made->law_count = of->law_count;
    for (int32_t i = 0; i < of->law_count; i++)
        if (!add_expr(b, b->model->bindings.items[of->first_law + i].value, &made->laws[i].root))
            return false;
    for (int32_t i = 0; i < of->law_count; i++) {
        const hbg_binding *law = &b->model->bindings.items[of->first_law + i];
        hbg_variable argument = argument_of(of->kind, law->variable);
        made->laws[i].slot = slot_of(b, argument, law->port);
        made->laws[i].given = hbg_model_variable_text(law->variable)[0];
        made->laws[i].argument = hbg_model_variable_text(argument)[0];
    }
    return true;
}

static void mark_arguments(builder *b, hbg_passive *made) {
    made->is_argument = HBG_NEW_ARRAY(b->arena, bool, b->slots + 1);
    for (int32_t i = 0; i < made->law_count; i++)
        if (made->laws[i].slot != HBG_NONE) made->is_argument[made->laws[i].slot] = true;
    for (int32_t i = 0; i < b->slots; i++) made->other_count += !made->is_argument[i];
}

static hbg_passive *build(builder *b, int32_t element) {
    const hbg_element *of = &b->model->elements.items[element];
    bool kind = of->kind == HBG_KIND_C || of->kind == HBG_KIND_I || of->kind == HBG_KIND_R;
    bool matrix = of->value_count > 0 && of->value_count == of->ports * of->ports;
    if (!kind || of->ports < 1 || of->ports > MOST_PORTS || matrix == (of->law_count > 0)) return NULL;
    hbg_passive *made = HBG_NEW(b->arena, hbg_passive);
    made->kind = of->kind;
    made->ports = of->ports;
    b->element = element;
    b->slots = 0;
    b->steps.count = 0;
    if (!(matrix ? add_entries(b, of, made) : add_laws(b, of, made))) return NULL;
    mark_arguments(b, made);
    made->slot_count = b->slots;
    made->step_count = b->steps.count;
    made->steps = HBG_NEW_ARRAY(b->arena, passive_step, b->steps.count + 1);
    if (b->steps.count > 0) memcpy(made->steps, b->steps.items, (size_t)b->steps.count * sizeof *made->steps);
    return made;
}

hbg_passives hbg_model_passives_new(hbg_arena *arena, const hbg_model *model, bool time_is_known) {
    builder b = {.arena = arena, .model = model};
    size_t exprs = (size_t)model->exprs.count + 1;
    b.fixed = HBG_NEW_ARRAY(arena, bool, exprs);
    b.owner = HBG_NEW_ARRAY(arena, int32_t, exprs);
    b.step_of = HBG_NEW_ARRAY(arena, passive_value, exprs);
    find_fixed(&b, time_is_known);
    hbg_passives all = {.count = model->elements.count};
    hbg_passive **of = HBG_NEW_ARRAY(arena, hbg_passive *, all.count + 1);
    for (int32_t i = 0; i < all.count; i++) of[i] = build(&b, i);
    all.of = (const hbg_passive *const *)of;
    return all;
}

/* ---- what it hangs on ------------------------------------------------------------------------------------ */

static void add_constant(passive_value value, hbg_expr *list, int32_t *count) {
    if (value < 0) list[(*count)++] = ~value;
}

int32_t hbg_model_passive_constants(const hbg_passives *all, int32_t element,
                                    hbg_expr list[HBG_PASSIVE_CONSTANTS]) {
    const hbg_passive *p = all->of[element];
    int32_t count = 0;
    for (int32_t i = 0; p && i < p->step_count; i++) {
        if (p->steps[i].op == PASSIVE_LEAF) continue;
        int arity = hbg_model_operator_info_get((hbg_operator)p->steps[i].op)->arity;
        for (int k = 0; k < arity; k++) add_constant(p->steps[i].part[k], list, &count);
    }
    for (int32_t i = 0; p && p->entries && i < p->ports * p->ports; i++)
        add_constant(p->entries[i], list, &count);
    for (int32_t i = 0; p && i < p->law_count; i++) add_constant(p->laws[i].root, list, &count);
    return count;
}

bool hbg_model_passive_hangs(const hbg_passives *all, int32_t element, const bool *hanging) {
    hbg_expr list[HBG_PASSIVE_CONSTANTS];
    int32_t count = hbg_model_passive_constants(all, element, list);
    for (int32_t i = 0; i < count; i++)
        if (hanging[list[i]]) return true;
    return false;
}

bool hbg_model_passive_is_modulated(const hbg_passives *all, int32_t element) {
    return all->of[element] && all->of[element]->other_count > 0;
}
