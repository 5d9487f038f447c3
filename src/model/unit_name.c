/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of units where a dimension has several: a torque is not called an energy, though both are kg·m²/s².
 * The unit as written shows which name fits, else the domain. */
#include <ctype.h>
#include <string.h>

#include "model/model_impl.h"

#define SIXTH HBG_DIMENSION_DENOMINATOR

typedef enum { ENERGY, FREQUENCY, FLUX, ACTION, OTHER } ambiguous;

static ambiguous kind_of(hbg_dimension dimension) {
    static const int8_t exponents[OTHER][4] = {[ENERGY] = {2, 1, -2, 0},
                                               [FREQUENCY] = {0, 0, -1, 0},
                                               [FLUX] = {2, 1, -2, -1},
                                               [ACTION] = {2, 1, -1, 0}};
    for (int kind = 0; kind < OTHER && dimension.known; kind++) {
        bool equal = true;
        for (int i = 0; i < HBG_BASE_UNITS; i++)
            equal &= dimension.exponent[i] == (i < 4 ? SIXTH * exponents[kind][i] : 0);
        if (equal) return (ambiguous)kind;
    }
    return OTHER;
}

/* Whether a unit's text has this symbol as a factor, with a prefix perhaps: `N` in `mN.m/A`. */
static bool has_factor(const char *text, const char *symbol) {
    size_t size = strlen(symbol);
    while (*text) {
        size_t word = 0;
        while (isalpha((unsigned char)text[word])) word++;
        if (word >= size && word <= size + 2 && memcmp(text + word - size, symbol, size) == 0) return true;
        text += word > 0 ? word : 1;
    }
    return false;
}

const char *hbg_model_dimension_spoken(hbg_dimension dimension, const char *written) {
    ambiguous kind = kind_of(dimension);
    if (kind == OTHER || !written) return NULL;
    bool force = has_factor(written, "N") || has_factor(written, "Nm"), radian = has_factor(written, "rad");
    switch (kind) {
    case ENERGY: return force ? "N·m" : NULL;
    case FREQUENCY:
        return radian || has_factor(written, "rpm") || has_factor(written, "deg") ? "rad/s"
               : has_factor(written, "Hz")                                        ? "Hz"
                                                                                  : NULL;
    case FLUX: return force ? "N·m/A" : has_factor(written, "V") ? (radian ? "V·s/rad" : "V·s") : NULL;
    case ACTION: return has_factor(written, "J") ? "J·s" : NULL;
    default: return NULL;
    }
}

double hbg_model_displayed(const hbg_display *display, double value) {
    return display->unit ? value / display->scale - display->offset : value;
}

/* ---- of expressions ----------------------------------------------------------------------------------- */

enum { DEEP = 8 }; /* nested parts that are examined: a sum of sums doubles at each */

/* A count: a digit. Other bare numbers may be a quantity: 9.81*mass is no mass. */
static bool is_count(const hbg_model *model, hbg_expr expr) {
    const hbg_expr_node *node = expr < 0 ? NULL : &model->exprs.items[expr];
    if (!node || node->op != HBG_OP_NUMBER || node->a < 0) return false;
    const hbg_literal *literal = &model->literals.items[node->a];
    return !literal->dimension.known && literal->value.exponent == 0 && strlen(literal->value.digits) == 1;
}

/* Of `2*x` and `x/2` the x, else HBG_NONE. */
static hbg_expr multiple_of(const hbg_model *model, const hbg_expr_node *node) {
    bool product = node->op == HBG_OP_MULTIPLY, quotient = node->op == HBG_OP_DIVIDE;
    if ((product || quotient) && is_count(model, node->b)) return node->a;
    return product && is_count(model, node->a) ? node->b : HBG_NONE;
}

/* The dimension in which something is shown. Where the check leaves it open, since a bare factor may have
 * any, a multiple is shown in the unit of its other factor. */
static hbg_dimension shown(const hbg_model *model, hbg_expr expr, int depth) {
    if (expr < 0 || depth > DEEP) return hbg_model_dimension_any;
    const hbg_expr_node *node = &model->exprs.items[expr];
    if (model->expr_dimension[expr].known) return model->expr_dimension[expr];
    if (node->op == HBG_OP_PARAM && node->a >= 0)
        return shown(model, model->params.items[node->a].value, depth + 1);
    if (node->op == HBG_OP_SIGNAL && node->a >= 0) {
        const hbg_signal *signal = &model->signals.items[node->a];
        return shown(model, signal->kind == HBG_SIGNAL_STATE ? signal->initial : signal->value, depth + 1);
    }
    hbg_expr whole = multiple_of(model, node);
    if (whole != HBG_NONE) return shown(model, whole, depth + 1);
    if (node->op == HBG_OP_MULTIPLY || node->op == HBG_OP_DIVIDE) {
        hbg_dimension a = shown(model, node->a, depth + 1), b = shown(model, node->b, depth + 1);
        return node->op == HBG_OP_MULTIPLY ? hbg_model_dimension_multiply(a, b)
                                           : hbg_model_dimension_divide(a, b);
    }
    hbg_unit_rule rule = hbg_model_operator_info_get((hbg_operator)node->op)->unit_rule;
    if (rule != HBG_UNITS_SAME && rule != HBG_UNITS_SELECT) return hbg_model_dimension_any;
    hbg_dimension found = hbg_model_dimension_any;
    for (int i = rule == HBG_UNITS_SELECT ? 1 : 0; i < hbg_model_expr_arity(node) && !found.known; i++)
        found = shown(model, hbg_model_expr_argument(node, i), depth + 1);
    return found;
}

static const char *spoken(const hbg_model *model, hbg_expr expr, int depth);

static const char *spoken_leaf(const hbg_model *model, const hbg_expr_node *node, hbg_dimension dimension,
                               int depth) {
    if (node->op == HBG_OP_NUMBER)
        return node->a < 0 ? NULL
                           : hbg_model_dimension_spoken(dimension, model->literals.items[node->a].unit);
    if (node->op == HBG_OP_PARAM) {
        if (node->a < 0) return NULL;
        const hbg_param *param = &model->params.items[node->a];
        return param->unit ? hbg_model_dimension_spoken(dimension, param->unit)
                           : spoken(model, param->value, depth);
    }
    if (node->op == HBG_OP_SIGNAL) {
        if (node->a < 0) return NULL;
        const hbg_signal *signal = &model->signals.items[node->a];
        hbg_expr value = signal->kind == HBG_SIGNAL_STATE ? signal->initial : signal->value;
        return signal->unit ? hbg_model_dimension_spoken(dimension, signal->unit)
                            : spoken(model, value, depth);
    }
    int32_t net = hbg_model_expr_net(model, node);
    if (net < 0 || !model->net_domain || model->net_domain[net] != HBG_DOMAIN_ROTATIONAL) return NULL;
    bool effort = node->op == HBG_OP_EFFORT || node->op == HBG_OP_BOND_EFFORT;
    bool flow = node->op == HBG_OP_FLOW || node->op == HBG_OP_BOND_FLOW;
    return effort ? "N·m" : flow ? "rad/s" : NULL;
}

/* A torque constant, N·m/A, times a current is a torque. */
static const char *spoken_product(const hbg_model *model, const hbg_expr_node *node, hbg_dimension dimension,
                                  int depth) {
    for (int i = 0; i < 2; i++) {
        hbg_expr factor = i == 0 ? node->a : node->b;
        const char *unit = kind_of(shown(model, factor, 0)) == FLUX ? spoken(model, factor, depth + 1) : NULL;
        if (unit) return hbg_model_dimension_spoken(dimension, unit);
    }
    return NULL;
}

/* Of something with parts in the same unit, the first part with a unit name. */
static const char *spoken(const hbg_model *model, hbg_expr expr, int depth) {
    if (expr < 0 || depth > DEEP) return NULL;
    const hbg_expr_node *node = &model->exprs.items[expr];
    hbg_dimension dimension = shown(model, expr, 0);
    int arity = hbg_model_expr_arity(node);
    const char *found = NULL;
    if (kind_of(dimension) == OTHER) return NULL;
    if (arity == 0) return spoken_leaf(model, node, dimension, depth + 1);
    hbg_expr whole = multiple_of(model, node);
    if (whole != HBG_NONE) return spoken(model, whole, depth + 1);
    hbg_unit_rule rule = hbg_model_operator_info_get((hbg_operator)node->op)->unit_rule;
    if (rule == HBG_UNITS_MULTIPLY) return spoken_product(model, node, dimension, depth);
    if (rule != HBG_UNITS_SAME && rule != HBG_UNITS_SELECT) return NULL;
    for (int i = rule == HBG_UNITS_SELECT ? 1 : 0; i < arity && !found; i++)
        found = spoken(model, hbg_model_expr_argument(node, i), depth + 1);
    return found;
}

const char *hbg_model_spoken_unit(const hbg_model *model, hbg_expr expr) {
    return model->expr_dimension ? spoken(model, expr, 0) : NULL;
}

const char *hbg_model_dimension_unit(hbg_arena *arena, hbg_dimension dimension) {
    bool pure = dimension.known && memcmp(&dimension, &hbg_model_dimension_pure, sizeof dimension) == 0;
    if (!dimension.known || pure) return "";
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, arena);
    hbg_model_dimension_print(&buffer, dimension);
    return buffer.data;
}

const char *hbg_model_expr_unit(hbg_arena *arena, const hbg_model *model, hbg_expr expr) {
    const char *unit = hbg_model_spoken_unit(model, expr);
    return unit ? unit : hbg_model_dimension_unit(arena, shown(model, expr, 0));
}

const char *hbg_model_object_unit(hbg_arena *arena, const hbg_model *model, hbg_object object) {
    bool param = object.kind == HBG_OBJECT_PARAM;
    const hbg_param *a = param ? &model->params.items[object.index] : NULL;
    const hbg_signal *b = param ? NULL : &model->signals.items[object.index];
    hbg_dimension dimension = param ? a->dimension : b->dimension;
    const char *written = param ? a->unit : b->unit;
    hbg_expr value = param ? a->value : b->kind == HBG_SIGNAL_STATE ? b->initial : b->value;
    const char *unit = written      ? hbg_model_dimension_spoken(dimension, written)
                       : value >= 0 ? hbg_model_spoken_unit(model, value)
                                    : NULL;
    if (!unit && !dimension.known) dimension = shown(model, value, 0);
    return unit ? unit : hbg_model_dimension_unit(arena, dimension);
}
