/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether what a run reads is affine in each mode, expression by expression, so that an expression that is
 * not can be named at its place. States of automata, parameters and inputs stand still while time advances; a
 * relation chooses between sides on each of which all is affine. */
#include "verify/verify.h"

enum { FIXED, AFFINE, OTHER }; /* degrees of an expression in what moves */

typedef struct {
    uint8_t degree;
    bool beyond_time; /* something other than time moves in it */
    const char *why;  /* of OTHER */
    hbg_expr where;   /* and the part of it that is to blame */
} expr_degree;

typedef struct {
    const hbg_model *model;
    hbg_arena *arena;
    expr_degree *of; /* by expression */
    bool *read;      /* by signal: a run reads it */
} affine_check;

/* ---- degrees --------------------------------------------------------------------------------------------------- */

static const expr_degree fixed = {FIXED, false, NULL, HBG_NONE}, moving = {AFFINE, true, NULL, HBG_NONE},
                         steady = {AFFINE, false, NULL, HBG_NONE};

static expr_degree worse(expr_degree a, expr_degree b) {
    expr_degree most = b.degree > a.degree ? b : a;
    most.beyond_time = a.beyond_time || b.beyond_time;
    return most;
}

static expr_degree other(hbg_expr where, const char *why) {
    return (expr_degree){OTHER, true, why, where};
}

static expr_degree signal_degree(const affine_check *c, int32_t signal) {
    const hbg_signal *of = &c->model->signals.items[signal];
    if (of->kind == HBG_SIGNAL_STATE || of->kind == HBG_SIGNAL_SAMPLE || of->kind == HBG_SIGNAL_SENSOR)
        return of->type == HBG_TYPE_REAL ? moving : fixed;
    return of->value == HBG_NONE ? fixed : c->of[of->value];
}

/* A node that names a value directly. */
static expr_degree leaf_degree(const affine_check *c, hbg_expr expr, const hbg_expr_node *node) {
    switch ((hbg_operator)node->op) {
    case HBG_OP_SIGNAL: return signal_degree(c, node->a);
    case HBG_OP_TIME: return steady;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM:
    case HBG_OP_BOND_EFFORT:
    case HBG_OP_BOND_FLOW: return moving;
    case HBG_OP_ENERGY: return other(expr, "an energy is a square");
    case HBG_OP_POWER:
    case HBG_OP_BOND_POWER: return other(expr, "a power is a product of what moves");
    default: return fixed;
    }
}

static expr_degree product_degree(hbg_expr expr, expr_degree a, expr_degree b) {
    if (a.degree == AFFINE && b.degree == AFFINE) return other(expr, "it multiplies two values that move");
    return worse(a, b);
}

static expr_degree quotient_degree(hbg_expr expr, expr_degree a, expr_degree b) {
    if (b.degree == AFFINE) return other(expr, "it divides by a value that moves");
    return worse(a, b);
}

/* A saw, which restarts at each period. */
static expr_degree remainder_degree(hbg_expr expr, expr_degree a, expr_degree b) {
    if (a.degree == AFFINE && a.beyond_time)
        return other(expr, "it is the remainder of a value that not time alone moves");
    if (b.degree == AFFINE) return other(expr, "it divides by a value that moves");
    return a.degree == AFFINE ? moving : worse(a, b);
}

static bool is_relation(int op) {
    return op == HBG_OP_EQUAL || op == HBG_OP_NOT_EQUAL || (op >= HBG_OP_LESS && op <= HBG_OP_GREATER_EQUAL);
}

static expr_degree node_degree(const affine_check *c, hbg_expr expr) {
    const hbg_expr_node *node = &c->model->exprs.items[expr];
    int arity = hbg_model_expr_arity(node);
    expr_degree a = arity > 0 ? c->of[node->a] : fixed, b = arity > 1 ? c->of[node->b] : fixed;
    expr_degree most = worse(a, b);
    if (arity == 0) return leaf_degree(c, expr, node);
    if (most.degree == OTHER) return most;
    if (is_relation(node->op)) return fixed; // it chooses
    switch ((hbg_operator)node->op) {
    case HBG_OP_OR:
    case HBG_OP_AND:
    case HBG_OP_NOT:
    case HBG_OP_SIGN: return fixed;
    case HBG_OP_SELECT: return worse(b, c->of[node->c]);
    case HBG_OP_MULTIPLY: return product_degree(expr, a, b);
    case HBG_OP_DIVIDE: return quotient_degree(expr, a, b);
    case HBG_OP_REMAINDER: return remainder_degree(expr, a, b);
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_NEGATE:
    case HBG_OP_ABS:
    case HBG_OP_MIN:
    case HBG_OP_MAX:
    case HBG_OP_PRE:
    case HBG_OP_IMPULSE:
    case HBG_OP_FINITE:
    case HBG_OP_DER:
    case HBG_OP_IN: return most;
    default: return most.degree == FIXED ? most : other(expr, "a function of what moves is no straight line");
    }
}

/* Expressions come after their arguments, but a signal may come before its expression. */
static void find_degrees(affine_check *c) {
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < c->model->exprs.count; i++) {
            expr_degree own = node_degree(c, i);
            bool worsens = own.degree > c->of[i].degree || (own.beyond_time && !c->of[i].beyond_time);
            more = more || worsens;
            if (worsens) c->of[i] = own;
        }
    }
}

/* ---- what is read ---------------------------------------------------------------------------------------------- */

static void mark(affine_check *c, hbg_expr root) {
    HBG_VEC(hbg_expr) stack = {0};
    if (root == HBG_NONE) return;
    HBG_PUSH(c->arena, stack, root);
    while (stack.count > 0) {
        const hbg_expr_node *node = &c->model->exprs.items[stack.items[--stack.count]];
        for (int i = 0; i < hbg_model_expr_arity(node); i++)
            HBG_PUSH(c->arena, stack, hbg_model_expr_argument(node, i));
        if (node->op != HBG_OP_SIGNAL || c->read[node->a]) continue;
        c->read[node->a] = true;
        if (c->model->signals.items[node->a].value != HBG_NONE)
            HBG_PUSH(c->arena, stack, c->model->signals.items[node->a].value);
    }
}

static void mark_all(affine_check *c) {
    const hbg_model *model = c->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *of = &model->elements.items[i];
        for (int32_t k = 0; k < of->value_count; k++) mark(c, model->entries.items[of->first_value + k]);
        for (int32_t k = 0; k < of->law_count; k++) mark(c, model->bindings.items[of->first_law + k].value);
    }
    for (int32_t i = 0; i < model->transitions.count; i++) mark(c, model->transitions.items[i].guard);
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_STATE) {
            c->read[i] = true;
            mark(c, model->signals.items[i].value);
        }
}

/* ---- where it is not affine ------------------------------------------------------------------------------------- */

/* Why an expression of at most this degree cannot stand here; NULL: it can. */
static const char *fault_of(const affine_check *c, hbg_expr expr, int most, const char *role,
                            hbg_span *place) {
    hbg_buffer text;
    if (expr == HBG_NONE || c->of[expr].degree <= most) return NULL;
    const expr_degree *of = &c->of[expr];
    hbg_expr where = of->degree == OTHER ? of->where : expr;
    *place = c->model->exprs.items[where].span;
    hbg_base_buffer_init(&text, c->arena);
    hbg_model_print_expr(c->model, where, &text);
    return hbg_base_arena_print(c->arena, "%s `%s` is not affine: %s", role, text.data,
                                of->degree == OTHER ? of->why
                                                    : "it moves, and multiplies an effort or a flow");
}

static const char *element_fault(const affine_check *c, const hbg_element *of, hbg_span *place) {
    bool source = of->kind == HBG_KIND_SE || of->kind == HBG_KIND_SF;
    const char *why = NULL;
    for (int32_t k = 0; k < of->value_count && !why; k++)
        why = fault_of(c, c->model->entries.items[of->first_value + k], source ? AFFINE : FIXED, "the value",
                       place);
    for (int32_t k = 0; k < of->law_count && !why; k++)
        why = fault_of(c, c->model->bindings.items[of->first_law + k].value, AFFINE, "the law", place);
    if (!why) why = fault_of(c, of->restitution, FIXED, "the restitution", place);
    return why;
}

const char *hbg_verify_not_affine(hbg_arena *arena, const hbg_model *sorted, hbg_span *place) {
    affine_check c = {.model = sorted, .arena = arena};
    const char *why = NULL;
    c.of = HBG_NEW_ARRAY(arena, expr_degree, sorted->exprs.count + 1);
    c.read = HBG_NEW_ARRAY(arena, bool, sorted->signals.count + 1);
    find_degrees(&c);
    mark_all(&c);
    for (int32_t i = 0; i < sorted->elements.count && !why; i++)
        why = element_fault(&c, &sorted->elements.items[i], place);
    for (int32_t i = 0; i < sorted->transitions.count && !why; i++)
        why = fault_of(&c, sorted->transitions.items[i].guard, AFFINE, "the guard", place);
    for (int32_t i = 0; i < sorted->signals.count && !why; i++)
        if (c.read[i]) why = fault_of(&c, sorted->signals.items[i].value, AFFINE, "the signal", place);
    return why;
}
