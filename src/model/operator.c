/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The operator table, made from HBG_OPERATOR_LIST, and what each operator does to plain numbers. */
#include <math.h>
#include <string.h>

#include "model/model.h"

static const hbg_operator_info operators[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, c)                                                      \
    [HBG_OP_##id] = {text, arity, precedence, HBG_TYPES_##types, HBG_UNITS_##units, c},
    HBG_OPERATOR_LIST(X)
#undef X
};

const hbg_operator_info *hbg_operator_info_get(hbg_operator op) {
    HBG_ASSERT((unsigned)op < HBG_OP_COUNT);
    return &operators[op];
}

hbg_operator hbg_operator_find_function(const char *text, size_t size) {
    for (int op = 0; op < HBG_OP_COUNT; op++) {
        const hbg_operator_info *info = &operators[op];
        bool is_function = info->precedence == 0;
        if (is_function && strlen(info->text) == size && memcmp(info->text, text, size) == 0) return op;
    }
    return HBG_OP_COUNT;
}

static double sign(double a) {
    return a > 0 ? 1 : a < 0 ? -1 : a;
}

/* Operators with precedence; functions come after. */
static double evaluate_operator(hbg_operator op, double a, double b, double c) {
    switch (op) {
    case HBG_OP_OR: return a != 0 || b != 0;
    case HBG_OP_AND: return a != 0 && b != 0;
    case HBG_OP_EQUAL: return a == b;
    case HBG_OP_NOT_EQUAL: return a != b;
    case HBG_OP_LESS: return a < b;
    case HBG_OP_LESS_EQUAL: return a <= b;
    case HBG_OP_GREATER: return a > b;
    case HBG_OP_GREATER_EQUAL: return a >= b;
    case HBG_OP_ADD: return a + b;
    case HBG_OP_SUBTRACT: return a - b;
    case HBG_OP_MULTIPLY: return a * b;
    case HBG_OP_DIVIDE: return a / b;
    case HBG_OP_REMAINDER: return hbg_remainder(a, b);
    case HBG_OP_NEGATE: return -a;
    case HBG_OP_NOT: return a == 0;
    case HBG_OP_POWER_OF: return hbg_pow(a, b);
    case HBG_OP_SELECT: return a != 0 ? b : c;
    default: HBG_ASSERT(!"an operator on numbers"); return NAN;
    }
}

static double evaluate_function(hbg_operator op, double a, double b) {
    switch (op) {
    case HBG_OP_SIN: return hbg_sin(a);
    case HBG_OP_COS: return hbg_cos(a);
    case HBG_OP_TAN: return tan(a);
    case HBG_OP_ASIN: return asin(a);
    case HBG_OP_ACOS: return acos(a);
    case HBG_OP_ATAN: return atan(a);
    case HBG_OP_ATAN2: return atan2(a, b);
    case HBG_OP_SINH: return sinh(a);
    case HBG_OP_COSH: return cosh(a);
    case HBG_OP_TANH: return tanh(a);
    case HBG_OP_EXP: return hbg_exp(a);
    case HBG_OP_LOG: return hbg_log(a);
    case HBG_OP_LOG10: return log10(a);
    case HBG_OP_SQRT: return sqrt(a);
    case HBG_OP_CBRT: return cbrt(a);
    case HBG_OP_POW: return hbg_pow(a, b);
    case HBG_OP_ABS: return fabs(a);
    case HBG_OP_MIN: return fmin(a, b);
    case HBG_OP_MAX: return fmax(a, b);
    case HBG_OP_SIGN: return sign(a);
    case HBG_OP_FLOOR: return floor(a);
    case HBG_OP_CEIL: return ceil(a);
    case HBG_OP_HYPOT: return hypot(a, b);
    case HBG_OP_PRE:
    case HBG_OP_FINITE: return a; // a plain number is its own left limit and finite part
    case HBG_OP_IMPULSE: return 0;
    default: HBG_ASSERT(!"a function on numbers"); return NAN;
    }
}

double hbg_operator_evaluate(hbg_operator op, double a, double b, double c) {
    HBG_ASSERT((unsigned)op < HBG_OP_COUNT);
    return operators[op].precedence > 0 ? evaluate_operator(op, a, b, c) : evaluate_function(op, a, b);
}
