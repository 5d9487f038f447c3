/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expressions as text the parser reads back to the same expression. Sums of a million terms are as deep as
 * they are long, so the way down is kept on an explicit stack. */
#include <string.h>

#include "model/model_impl.h"

#define SHALLOW          64                /* frames before the stack takes memory */
#define DEEPEST          40                /* levels a short text follows */
#define PRINT_LIMIT      ((size_t)1 << 26) /* bytes */
#define PRECEDENCE_UNARY 8
#define PRECEDENCE_POWER 9
#define PRECEDENCE_LEAF  100

typedef struct {
    hbg_expr expr;
    int16_t stage; /* arguments printed so far */
    bool parentheses;
} frame;

typedef struct {
    const hbg_model *model;
    hbg_buffer *out;
    size_t limit;    /* of the whole buffer */
    int32_t deepest; /* frames; 0 means any number */
    int64_t visits;  /* expressions begun */
    hbg_expr lowest; /* of them */
    frame *frames;
    int32_t count, capacity;
} printer;

static void push(printer *p, frame next) {
    if (p->count == p->capacity) {
        frame *grown = HBG_NEW_ARRAY(p->out->arena, frame, (size_t)p->capacity * 2);
        memcpy(grown, p->frames, sizeof(frame) * (size_t)p->count);
        p->frames = grown;
        p->capacity *= 2;
    }
    p->frames[p->count++] = next;
}

/* ---- precedence --------------------------------------------------------------------------------------- */

static int precedence(const hbg_model *model, hbg_expr expr) {
    if (expr < 0) return PRECEDENCE_LEAF;
    const hbg_expr_node *node = &model->exprs.items[expr];
    if (node->written != 0) return PRECEDENCE_LEAF;
    if (node->op == HBG_OP_NUMBER && node->a >= 0 && model->literals.items[node->a].value.negative)
        return PRECEDENCE_UNARY; // printed with its sign
    int own = hbg_model_operator_info_get((hbg_operator)node->op)->precedence;
    return own == 0 ? PRECEDENCE_LEAF : own; // a function brings its own parentheses
}

/* Whether argument `index` of an operator would be read differently without parentheses. */
static bool needs_parentheses(const hbg_model *model, const hbg_expr_node *node, int index) {
    hbg_expr argument = hbg_model_expr_argument(node, index);
    int inner = precedence(model, argument);
    int outer = hbg_model_operator_info_get((hbg_operator)node->op)->precedence;
    switch (node->op) {
    case HBG_OP_NEGATE:
    case HBG_OP_NOT: {
        bool signs_meet = node->op == HBG_OP_NEGATE && inner == PRECEDENCE_UNARY;
        return inner < outer || signs_meet;
    }
    case HBG_OP_POWER_OF: return index == 0 ? inner <= outer : inner < outer; // to the right
    case HBG_OP_SELECT: return index == 0 && inner <= outer;
    case HBG_OP_EQUAL:
    case HBG_OP_NOT_EQUAL:
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return inner <= outer;
    default: return outer > 0 && (index == 0 ? inner < outer : inner <= outer); // to the left
    }
}

/* ---- leaves ------------------------------------------------------------------------------------------- */

static void print_object(printer *p, hbg_object_kind kind, int32_t index) {
    hbg_model_path(p->model, (hbg_object){kind, index}, p->out);
}

/* `coil.f`, `winding[2].e` */
static void print_observable(printer *p, const hbg_expr_node *node) {
    print_object(p, HBG_OBJECT_ELEMENT, node->a);
    bool has_ports = node->a >= 0 && p->model->elements.items[node->a].ports > 1;
    if (has_ports && node->op != HBG_OP_ENERGY && node->b > 0)
        hbg_base_buffer_print(p->out, "[%d]", (int)node->b);
    hbg_base_buffer_print(p->out, ".%s", hbg_model_operator_info_get((hbg_operator)node->op)->text);
}

static void print_state(printer *p, int32_t automaton, int32_t state) {
    print_object(p, HBG_OBJECT_AUTOMATON, automaton);
    if (automaton < 0 || state < 0) return;
    const hbg_automaton *owner = &p->model->automata.items[automaton];
    if (state >= owner->state_count) return;
    hbg_name name = p->model->states.items[owner->first_state + state].name;
    hbg_base_buffer_print(p->out, ".%s", hbg_base_names_get(p->model->names, name));
}

/* A short text is for reading and shows the unit; a full one is parsed again, as a number in SI. */
static void print_number(printer *p, const hbg_expr_node *node) {
    if (node->a < 0) return;
    const hbg_literal *literal = &p->model->literals.items[node->a];
    hbg_base_decimal_print(p->out, literal->value);
    if (p->deepest == 0 || !literal->dimension.known || hbg_model_dimension_is_pure(literal->dimension))
        return;
    const char *unit = hbg_model_dimension_spoken(literal->dimension, literal->unit);
    hbg_base_buffer_text(p->out, " [");
    if (unit)
        hbg_base_buffer_text(p->out, unit);
    else
        hbg_model_dimension_print(p->out, literal->dimension);
    hbg_base_buffer_char(p->out, ']');
}

static void print_leaf(printer *p, const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_NUMBER: print_number(p, node); break;
    case HBG_OP_PARAM: print_object(p, HBG_OBJECT_PARAM, node->a); break;
    case HBG_OP_SIGNAL: print_object(p, HBG_OBJECT_SIGNAL, node->a); break;
    case HBG_OP_BOND_EFFORT:
    case HBG_OP_BOND_FLOW:
    case HBG_OP_BOND_POWER:
        print_object(p, HBG_OBJECT_BOND, node->a);
        hbg_base_buffer_print(p->out, ".%s", hbg_model_operator_info_get((hbg_operator)node->op)->text);
        break;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM:
    case HBG_OP_ENERGY:
    case HBG_OP_POWER: print_observable(p, node); break;
    case HBG_OP_ACTIVE: print_state(p, node->a, node->b); break;
    case HBG_OP_AUTOMATON: print_object(p, HBG_OBJECT_AUTOMATON, node->a); break;
    default: hbg_base_buffer_text(p->out, hbg_model_operator_info_get((hbg_operator)node->op)->text);
    }
}

/* ---- operators and functions -------------------------------------------------------------------------- */

static void print_text_argument(hbg_buffer *out, const char *text) {
    hbg_base_buffer_print(out, "\"%s\"", text ? text : "");
}

/* `table("file", "column")` is a function of time; another argument is written as a third. */
static bool is_table_of_time(const hbg_model *model, const hbg_expr_node *node) {
    return node->op == HBG_OP_TABLE && node->a >= 0 && model->exprs.items[node->a].op == HBG_OP_TIME;
}

/* Everything before argument 0. */
static void print_opening(printer *p, const hbg_expr_node *node) {
    const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)node->op);
    if (info->precedence > 0) {
        if (info->arity == 1) hbg_base_buffer_text(p->out, info->text);
        return;
    }
    hbg_base_buffer_print(p->out, "%s(", info->text);
    if (node->op == HBG_OP_IN) {
        print_state(p, node->b, node->c);
        hbg_base_buffer_text(p->out, ", ");
    }
    if (node->op == HBG_OP_TABLE && node->b >= 0) {
        const hbg_table *table = &p->model->tables.items[node->b];
        print_text_argument(p->out, table->file);
        hbg_base_buffer_text(p->out, ", ");
        print_text_argument(p->out, table->column);
        if (!is_table_of_time(p->model, node)) hbg_base_buffer_text(p->out, ", ");
    }
}

/* The text between argument `stage` and the one before it. */
static void print_separator(printer *p, const hbg_expr_node *node, int stage) {
    const hbg_operator_info *info = hbg_model_operator_info_get((hbg_operator)node->op);
    bool tight =
        info->precedence == PRECEDENCE_POWER || node->op == HBG_OP_MULTIPLY || node->op == HBG_OP_DIVIDE;
    if (info->precedence == 0)
        hbg_base_buffer_text(p->out, ", ");
    else if (node->op == HBG_OP_SELECT)
        hbg_base_buffer_text(p->out, stage == 1 ? " ? " : " : ");
    else
        hbg_base_buffer_print(p->out, tight ? "%s" : " %s ", info->text);
}

static void print_end(printer *p, const frame *top, const hbg_expr_node *node) {
    if (hbg_model_operator_info_get((hbg_operator)node->op)->precedence == 0)
        hbg_base_buffer_char(p->out, ')');
    if (top->parentheses) hbg_base_buffer_char(p->out, ')');
}

/* Prints the next piece of the expression on top of the stack; pushes the argument that comes next. */
static void step(printer *p) {
    frame *top = &p->frames[p->count - 1];
    const hbg_expr_node *node = top->expr >= 0 ? &p->model->exprs.items[top->expr] : NULL;
    bool too_deep = p->deepest && p->count > p->deepest;
    if (!node || too_deep) {
        hbg_base_buffer_text(p->out, node ? "…" : "?");
        p->count--;
        return;
    }
    if (node->written != 0) {
        hbg_base_buffer_text(p->out, hbg_base_names_get(p->model->names, node->written));
        p->count--;
        return;
    }
    int arity = hbg_model_expr_arity(node);
    int stage = top->stage++;
    if (stage == 0) {
        p->visits++;
        if (top->expr < p->lowest) p->lowest = top->expr;
    }
    if (stage == 0 && top->parentheses) hbg_base_buffer_char(p->out, '(');
    if (arity == 0) print_leaf(p, node);
    if (stage >= arity) {
        print_end(p, top, node);
        p->count--;
        return;
    }
    if (stage == 0)
        print_opening(p, node);
    else
        print_separator(p, node, stage);
    if (is_table_of_time(p->model, node)) return;
    push(p, (frame){hbg_model_expr_argument(node, stage), 0, needs_parentheses(p->model, node, stage)});
}

/* Shared parts are printed as often as they are used: sixty doublings would never end. A tree has no more
 * nodes than the numbers between its lowest and its root; some sharing is accepted. */
static bool is_overgrown(const printer *p, hbg_expr root) {
    return p->visits > 4 * ((int64_t)root - p->lowest) + 1000;
}

static void print(const hbg_model *model, hbg_expr expr, hbg_buffer *buffer, size_t limit, int32_t deepest) {
    frame shallow[SHALLOW];
    printer p = {model, buffer, buffer->size + limit, deepest, 0, expr, shallow, 0, SHALLOW};
    push(&p, (frame){expr, 0, false});
    while (p.count > 0 && buffer->size <= p.limit && !is_overgrown(&p, expr)) step(&p);
    if (p.count > 0) hbg_base_buffer_text(buffer, "…");
}

void hbg_model_print_expr(const hbg_model *model, hbg_expr expr, hbg_buffer *buffer) {
    print(model, expr, buffer, PRINT_LIMIT, 0);
}

void hbg_model_print_expr_short(const hbg_model *model, hbg_expr expr, size_t limit, hbg_buffer *buffer) {
    print(model, expr, buffer, limit, DEEPEST);
}
