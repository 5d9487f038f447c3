/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The one list of operators: an operator's line states its meaning, as tokens. Each folder pastes the columns
 * it needs to names of its functions or constants, so that a token that is missing, misspelt or without a
 * function does not compile there. Part of operator.h.
 *
 *   column      token                      pasted in
 *   types       what types it takes        src/model/kinds_impl.h, HBG_TYPES_…
 *   units       what becomes of units      src/model/kinds_impl.h, HBG_UNITS_…
 *   value       its value of numbers       src/rt/operator.c, value_…
 *   branch      where it has a kink        src/rt/image.h, BRANCH_…
 *   period      what repeats in it         src/eqn/wave.c, period_…
 *   slope       its derivative             src/term/derivative.c, slope_…
 *   pulse       what it does to pulses     src/term/pulse.c, parts_…
 *   size        what it is rounded by      src/rt/size.c, size_…
 *   enclosure   what proofs know of it     src/verify/formula_interval.c, interval_…;
 *                                          consistency_functions.c, enclose_…
 *   c           its text in C              src/code/native_text.c, C_…
 *
 * `none` is for operators that never get there. `zero` as a slope, `refuse` for pulses and `function` for
 * sizes are decisions: the derivative is 0 wherever it exists; a pulse in an argument has no meaning; an
 * argument counts by how much it moves the value. */
#ifndef HBG_RT_OPERATOR_LIST_IMPL_H
#define HBG_RT_OPERATOR_LIST_IMPL_H

/* identifier, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure, c.
 * Leaves state what a, b, c hold; everywhere else they are the argument expressions. Higher precedence binds
 * tighter; functions have 0, leaves 100. The four parts stay in this order, since ranges of operators are
 * compared. */
// clang-format off
#define HBG_OPERATOR_LIST(X) \
    /* leaves */ \
    X(NUMBER, "number", 0, 100, LEAF, LEAF, none, NONE, none, none, number, none, none, none) /* a: model.literals */ \
    X(TRUE, "true", 0, 100, LEAF, NONE, none, NONE, none, none, none, none, none, none) \
    X(FALSE, "false", 0, 100, LEAF, NONE, none, NONE, none, none, none, none, none, none) \
    X(PI, "pi", 0, 100, LEAF, LEAF, pi, NONE, none, none, refuse, value, pi, pi) \
    X(TIME, "time", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) \
    X(PARAM, "param", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) /* a: model.params */ \
    X(SIGNAL, "signal", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) /* a: model.signals */ \
    /* a: model.elements, b: port from 1, 0 at a junction */ \
    X(EFFORT, "e", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) \
    X(FLOW, "f", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) \
    X(DISPLACEMENT, "q", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) \
    X(MOMENTUM, "p", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) \
    X(BOND_EFFORT, "e", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) /* a: model.bonds */ \
    X(BOND_FLOW, "f", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) /* a: model.bonds */ \
    X(ENERGY, "energy", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) /* a: model.elements */ \
    /* a: model.elements, b: port; a bond is BOND_POWER, a: model.bonds */ \
    X(POWER, "power", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) \
    X(BOND_POWER, "power", 0, 100, LEAF, LEAF, none, NONE, none, none, none, none, none, none) \
    X(ACTIVE, "active", 0, 100, LEAF, NONE, none, NONE, none, none, none, none, none, none) /* a: model.automata, b: state within it */ \
    /* a: model.automata: true while its state is an on state */ \
    X(AUTOMATON, "automaton", 0, 100, LEAF, NONE, none, NONE, none, none, none, none, none, none) \
    /* operators */ \
    X(OR, "||", 2, 2, BOOL, NONE, or, NONE, none, zero, either, function, exact, either) \
    X(AND, "&&", 2, 3, BOOL, NONE, and, NONE, none, zero, both, function, exact, both) \
    X(EQUAL, "==", 2, 4, EQUAL, COMPARE, equal, NONE, none, zero, relation, function, exact, relation("==")) \
    X(NOT_EQUAL, "!=", 2, 4, EQUAL, COMPARE, not_equal, NONE, none, zero, relation, function, exact, relation("!=")) \
    X(LESS, "<", 2, 5, COMPARE, COMPARE, less, BELOW, none, zero, relation, function, exact, relation("<")) \
    X(LESS_EQUAL, "<=", 2, 5, COMPARE, COMPARE, less_equal, BELOW, none, zero, relation, function, exact, relation("<=")) \
    X(GREATER, ">", 2, 5, COMPARE, COMPARE, greater, ABOVE, none, zero, relation, function, exact, relation(">")) \
    X(GREATER_EQUAL, ">=", 2, 5, COMPARE, COMPARE, greater_equal, ABOVE, none, zero, relation, function, exact, relation(">=")) \
    X(ADD, "+", 2, 6, REAL, SAME, add, NONE, none, one, sum, larger, exact, infix("+")) \
    X(SUBTRACT, "-", 2, 6, REAL, SAME, subtract, NONE, none, difference, difference, larger, exact, infix("-")) \
    X(MULTIPLY, "*", 2, 7, REAL, MULTIPLY, multiply, NONE, none, product, product, product, exact, infix("*")) \
    X(DIVIDE, "/", 2, 7, REAL, DIVIDE, divide, NONE, none, quotient, quotient, quotient, exact, infix("/")) \
    X(REMAINDER, "%", 2, 7, REAL, SAME, remainder, REMAINDER, second, remainder, refuse, rounded, remainder, remainder) \
    X(NEGATE, "-", 1, 8, REAL, SAME, negate, NONE, none, minus_one, opposite, first, exact, opposite) \
    X(NOT, "!", 1, 8, BOOL, NONE, not, NONE, none, zero, negation, function, exact, negation) \
    X(POWER_OF, "^", 2, 9, REAL, POWER, power, NONE, none, power, refuse, function, power, ours("pow")) \
    X(SELECT, "?:", 3, 1, SELECT, SELECT, select, NONE, none, select, select, chosen, exact, select) \
    /* functions */ \
    X(SIN, "sin", 1, 0, REAL, PURE, sin, NONE, turn, sin, refuse, function, sin, ours("sin")) \
    X(COS, "cos", 1, 0, REAL, PURE, cos, NONE, turn, cos, refuse, function, cos, ours("cos")) \
    X(TAN, "tan", 1, 0, REAL, PURE, tan, NONE, turn, tan, refuse, function, tan, call("tan")) \
    X(ASIN, "asin", 1, 0, REAL, PURE, asin, NONE, none, asin, refuse, function, asin, call("asin")) \
    X(ACOS, "acos", 1, 0, REAL, PURE, acos, NONE, none, acos, refuse, function, acos, call("acos")) \
    X(ATAN, "atan", 1, 0, REAL, PURE, atan, NONE, none, atan, refuse, function, atan, call("atan")) \
    X(ATAN2, "atan2", 2, 0, REAL, RATIO, atan2, NONE, none, atan2, refuse, function, atan2, call("atan2")) \
    X(SINH, "sinh", 1, 0, REAL, PURE, sinh, NONE, none, sinh, refuse, function, sinh, call("sinh")) \
    X(COSH, "cosh", 1, 0, REAL, PURE, cosh, NONE, none, cosh, refuse, function, cosh, call("cosh")) \
    X(TANH, "tanh", 1, 0, REAL, PURE, tanh, NONE, none, tanh, refuse, function, tanh, call("tanh")) \
    X(EXP, "exp", 1, 0, REAL, PURE, exp, NONE, none, exp, refuse, function, exp, ours("exp")) \
    X(LOG, "log", 1, 0, REAL, PURE, log, NONE, none, log, refuse, function, log, ours("log")) \
    X(LOG10, "log10", 1, 0, REAL, PURE, log10, NONE, none, log10, refuse, function, log10, call("log10")) \
    X(SQRT, "sqrt", 1, 0, REAL, ROOT2, sqrt, NONE, none, sqrt, refuse, function, sqrt, sqrt) \
    X(CBRT, "cbrt", 1, 0, REAL, ROOT3, cbrt, NONE, none, cbrt, refuse, function, cbrt, call("cbrt")) \
    X(POW, "pow", 2, 0, REAL, POWER, power, NONE, none, power, refuse, function, power, ours("pow")) \
    X(ABS, "abs", 1, 0, REAL, SAME, abs, ABSOLUTE, none, abs, absolute, first, exact, absolute) \
    X(MIN, "min", 2, 0, REAL, SAME, min, LESSER, none, min, lesser, larger, exact, lesser) \
    X(MAX, "max", 2, 0, REAL, SAME, max, GREATER, none, max, greater, larger, exact, greater) \
    X(SIGN, "sign", 1, 0, REAL, DROP, sign, SIGN, none, zero, sign, function, exact, sign) \
    X(FLOOR, "floor", 1, 0, REAL, SAME, floor, FLOOR, one, zero, refuse, rounded, floor, call("floor")) \
    X(CEIL, "ceil", 1, 0, REAL, SAME, ceil, CEIL, one, zero, refuse, rounded, ceil, ceil) \
    X(HYPOT, "hypot", 2, 0, REAL, SAME, hypot, NONE, none, hypot, refuse, function, hypot, call("hypot")) \
    /* a: argument, b: model.tables; and values at an event (semantics, section 5) */ \
    X(TABLE, "table", 1, 0, LEAF, LEAF, none, TABLE, none, table, refuse, value, table, none) \
    X(PRE, "pre", 1, 0, SAME, SAME, itself, NONE, none, none, none, none, none, none) \
    X(IMPULSE, "impulse", 1, 0, REAL, AREA, nothing, NONE, none, none, none, none, none, none) \
    X(FINITE, "finite", 1, 0, REAL, SAME, itself, NONE, none, finite, finite, none, exact, none) \
    X(DER, "der", 1, 0, REAL, DER, none, NONE, none, none, none, none, none, none) \
    X(IN, "in", 1, 0, SAME, SAME, none, NONE, none, none, none, none, none, none) /* a: expression, b: automaton, c: state within it */
// clang-format on

typedef enum {
#define X(id, text, arity, precedence, types, units, value, branch, period, slope, pulse, size, enclosure,   \
          c)                                                                                                 \
    HBG_OP_##id,
    HBG_OPERATOR_LIST(X)
#undef X
        HBG_OP_COUNT
} hbg_operator;

#endif
