/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values of operators on plain numbers: the column `value` of the list. Booleans are 0 and 1. */
#include <assert.h>
#include <math.h>

#include "rt/operator.h"

static_assert(HBG_OP_OR == HBG_OP_AUTOMATON + 1, "leaves come first");
static_assert(HBG_OP_COUNT == HBG_OP_TABLE + 6,
              "functions of numbers come before tables and values at events");

#define VALUE(name, expression)                                                                              \
    static inline double value_##name(double a, double b, double c) {                                        \
        (void)a, (void)b, (void)c;                                                                           \
        return expression;                                                                                   \
    }

VALUE(pi, 3.14159265358979323846)
VALUE(or, a != 0 || b != 0)
VALUE(and, a != 0 && b != 0)
VALUE(not, a == 0)
VALUE(equal, a == b)
VALUE(not_equal, a != b)
VALUE(less, a < b)
VALUE(less_equal, a <= b)
VALUE(greater, a > b)
VALUE(greater_equal, a >= b)
VALUE(add, a + b)
VALUE(subtract, a - b)
VALUE(multiply, a *b)
VALUE(divide, a / b)
VALUE(remainder, hbg_rt_remainder(a, b))
VALUE(negate, -a)
VALUE(power, hbg_rt_pow(a, b))
VALUE(select, a != 0 ? b : c)
VALUE(sin, hbg_rt_sin(a))
VALUE(cos, hbg_rt_cos(a))
VALUE(tan, tan(a))
VALUE(asin, asin(a))
VALUE(acos, acos(a))
VALUE(atan, atan(a))
VALUE(atan2, atan2(a, b))
VALUE(sinh, sinh(a))
VALUE(cosh, cosh(a))
VALUE(tanh, tanh(a))
VALUE(exp, hbg_rt_exp(a))
VALUE(log, hbg_rt_ln(a))
VALUE(log10, log10(a))
VALUE(sqrt, sqrt(a))
VALUE(cbrt, cbrt(a))
VALUE(abs, fabs(a))
/* Of a number and NaN it is the number. Where branches are frozen, and in compiled code, it is the second
 * one: a < b ? a : b. */
VALUE(min, fmin(a, b))
VALUE(max, fmax(a, b))
VALUE(sign, a > 0 ? 1 : a < 0 ? -1 : a)
VALUE(floor, floor(a))
VALUE(ceil, ceil(a))
VALUE(hypot, hypot(a, b))
VALUE(itself, a) /* a plain number is its own left limit and finite part */
VALUE(nothing, 0)

static double value_none(double a, double b, double c) {
    (void)a, (void)b, (void)c;
    assert(false && "an operator on numbers");
    return NAN;
}

typedef double (*value_function)(double a, double b, double c);

static const value_function values[HBG_OP_COUNT] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = value_##value,
    HBG_OPERATOR_LIST(X)
#undef X
};

double hbg_rt_evaluate(hbg_operator op, double a, double b, double c) {
    return op < HBG_OP_COUNT ? values[op](a, b, c) : value_none(a, b, c);
}

const char *hbg_rt_operator_text(hbg_operator op) {
    static const char *const texts[] = {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    [HBG_OP_##id] = text,
        HBG_OPERATOR_LIST(X)
#undef X
    };
    return texts[op];
}

bool hbg_rt_at_equality(int op) {
    return op == HBG_OP_LESS_EQUAL || op == HBG_OP_GREATER_EQUAL || op == HBG_OP_EQUAL;
}

bool hbg_rt_is_equality(int op) {
    return op == HBG_OP_EQUAL || op == HBG_OP_NOT_EQUAL;
}
