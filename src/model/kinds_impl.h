/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lists of the theory, each once: element kinds, power and energy variables, domains, operators, signal
 * kinds, fault kinds, solvers. Enums, parser, checker, printer and manual read these lists. Part of model.h.
 */
#ifndef HBG_MODEL_KINDS_H
#define HBG_MODEL_KINDS_H

/* identifier, text in the language, name, ports (0: junction), may be a field, variables of laws and initial
 * values */
#define HBG_ELEMENT_LIST(X)                                                                                  \
    X(SE, "Se", "effort source", 1, false, "")                                                               \
    X(SF, "Sf", "flow source", 1, false, "")                                                                 \
    X(R, "R", "resistor", 1, true, "ef")                                                                     \
    X(C, "C", "capacitor", 1, true, "eq")                                                                    \
    X(I, "I", "inertia", 1, true, "fp")                                                                      \
    X(TF, "TF", "transformer", 2, false, "")                                                                 \
    X(GY, "GY", "gyrator", 2, false, "")                                                                     \
    X(ZERO, "0", "0-junction", 0, false, "")                                                                 \
    X(ONE, "1", "1-junction", 0, false, "")

typedef enum {
#define X(id, text, name, ports, field, variables) HBG_KIND_##id,
    HBG_ELEMENT_LIST(X)
#undef X
        HBG_KIND_COUNT
} hbg_element_kind;

/* identifier, letter */
#define HBG_VARIABLE_LIST(X) X(EFFORT, "e") X(FLOW, "f") X(DISPLACEMENT, "q") X(MOMENTUM, "p")

typedef enum {
#define X(id, text) HBG_VARIABLE_##id,
    HBG_VARIABLE_LIST(X)
#undef X
        HBG_VARIABLE_COUNT
} hbg_variable;

/* identifier, text, effort, flow: exponents of m kg s A K. Momentum is effort·s, displacement flow·s;
 * `p` says whether the domain has a momentum. */
#define HBG_DOMAIN_LIST(X)                                                                                   \
    X(ANY, "any", (0, 0, 0, 0, 0), (0, 0, 0, 0, 0), true)                                                    \
    X(ELECTRICAL, "electrical", (2, 1, -3, -1, 0), (0, 0, 0, 1, 0), true)                                    \
    X(TRANSLATIONAL, "translational", (1, 1, -2, 0, 0), (1, 0, -1, 0, 0), true)                              \
    X(ROTATIONAL, "rotational", (2, 1, -2, 0, 0), (0, 0, -1, 0, 0), true)                                    \
    X(HYDRAULIC, "hydraulic", (-1, 1, -2, 0, 0), (3, 0, -1, 0, 0), true)                                     \
    X(THERMAL, "thermal", (0, 0, 0, 0, 1), (2, 1, -3, 0, 0), false)                                          \
    X(MAGNETIC, "magnetic", (0, 0, 0, 1, 0), (2, 1, -3, -1, 0), false)

typedef enum {
#define X(id, text, effort, flow, p) HBG_DOMAIN_##id,
    HBG_DOMAIN_LIST(X)
#undef X
        HBG_DOMAIN_COUNT
} hbg_domain;

typedef enum {                    /* what types the arguments must have, and the result */
               HBG_TYPES_LEAF,    /* given by what the leaf refers to */
               HBG_TYPES_REAL,    /* reals -> real */
               HBG_TYPES_COMPARE, /* reals -> bool */
               HBG_TYPES_EQUAL,   /* two of one type -> bool */
               HBG_TYPES_BOOL,    /* bools -> bool */
               HBG_TYPES_SELECT,  /* bool, two of one type -> that type */
               HBG_TYPES_SAME     /* one of any type -> that type */
} hbg_type_rule;

typedef enum {                    /* what units the arguments must have, and the result */
               HBG_UNITS_LEAF,    /* given by what the leaf refers to */
               HBG_UNITS_NONE,    /* booleans: nothing to check */
               HBG_UNITS_SAME,    /* all arguments agree; the result is the same */
               HBG_UNITS_COMPARE, /* all arguments agree; the result is a boolean */
               HBG_UNITS_SELECT,  /* the second and third argument agree */
               HBG_UNITS_MULTIPLY,
               HBG_UNITS_DIVIDE,
               HBG_UNITS_POWER, /* literal exponent scales, other exponents need pure numbers */
               HBG_UNITS_ROOT2,
               HBG_UNITS_ROOT3,
               HBG_UNITS_PURE,  /* pure numbers -> a bare number; another unit is a warning */
               HBG_UNITS_RATIO, /* all arguments agree; the result is a bare number (atan2) */
               HBG_UNITS_DROP,  /* any -> bare number (sign) */
               HBG_UNITS_DER,   /* per second */
               HBG_UNITS_AREA   /* times second (impulse) */
} hbg_unit_rule;

/* identifier, text, arity, precedence, type rule, unit rule, C text. What a, b, c hold is said at the leaves;
 * everywhere else they are the argument expressions. Higher precedence binds tighter. */
#define HBG_OPERATOR_LIST(X)                                                                                 \
    /* leaves */                                                                                             \
    X(NUMBER, "number", 0, 100, LEAF, LEAF, "") /* a: model.literals */                                      \
    X(TRUE, "true", 0, 100, LEAF, NONE, "1")                                                                 \
    X(FALSE, "false", 0, 100, LEAF, NONE, "0")                                                               \
    X(PI, "pi", 0, 100, LEAF, LEAF, "")                                                                      \
    X(TIME, "time", 0, 100, LEAF, LEAF, "")                                                                  \
    X(PARAM, "param", 0, 100, LEAF, LEAF, "")      /* a: model.params */                                     \
    X(SIGNAL, "signal", 0, 100, LEAF, LEAF, "")    /* a: model.signals */                                    \
    X(EFFORT, "e", 0, 100, LEAF, LEAF, "")         /* a: model.elements, b: port from 1, 0 at a junction */  \
    X(FLOW, "f", 0, 100, LEAF, LEAF, "")           /* likewise */                                            \
    X(DISPLACEMENT, "q", 0, 100, LEAF, LEAF, "")   /* likewise */                                            \
    X(MOMENTUM, "p", 0, 100, LEAF, LEAF, "")       /* likewise */                                            \
    X(BOND_EFFORT, "e", 0, 100, LEAF, LEAF, "")    /* a: model.bonds */                                      \
    X(BOND_FLOW, "f", 0, 100, LEAF, LEAF, "")      /* a: model.bonds */                                      \
    X(ENERGY, "energy", 0, 100, LEAF, LEAF, "")    /* a: model.elements */                                   \
    X(POWER, "power", 0, 100, LEAF, LEAF, "")      /* a: model.elements, b: port; a bond is BOND_POWER */    \
    X(BOND_POWER, "power", 0, 100, LEAF, LEAF, "") /* a: model.bonds */                                      \
    X(ACTIVE, "active", 0, 100, LEAF, NONE, "")    /* a: model.automata, b: state within it */               \
    X(AUTOMATON, "automaton", 0, 100, LEAF, NONE,                                                            \
      "") /* a: model.automata: true while its state is an on state */                                       \
    /* operators */                                                                                          \
    X(OR, "||", 2, 2, BOOL, NONE, "||")                                                                      \
    X(AND, "&&", 2, 3, BOOL, NONE, "&&")                                                                     \
    X(EQUAL, "==", 2, 4, EQUAL, COMPARE, "==")                                                               \
    X(NOT_EQUAL, "!=", 2, 4, EQUAL, COMPARE, "!=")                                                           \
    X(LESS, "<", 2, 5, COMPARE, COMPARE, "<")                                                                \
    X(LESS_EQUAL, "<=", 2, 5, COMPARE, COMPARE, "<=")                                                        \
    X(GREATER, ">", 2, 5, COMPARE, COMPARE, ">")                                                             \
    X(GREATER_EQUAL, ">=", 2, 5, COMPARE, COMPARE, ">=")                                                     \
    X(ADD, "+", 2, 6, REAL, SAME, "+")                                                                       \
    X(SUBTRACT, "-", 2, 6, REAL, SAME, "-")                                                                  \
    X(MULTIPLY, "*", 2, 7, REAL, MULTIPLY, "*")                                                              \
    X(DIVIDE, "/", 2, 7, REAL, DIVIDE, "/")                                                                  \
    X(REMAINDER, "%", 2, 7, REAL, SAME, "fmod")                                                              \
    X(NEGATE, "-", 1, 8, REAL, SAME, "-")                                                                    \
    X(NOT, "!", 1, 8, BOOL, NONE, "!")                                                                       \
    X(POWER_OF, "^", 2, 9, REAL, POWER, "pow")                                                               \
    X(SELECT, "?:", 3, 1, SELECT, SELECT, "?:")                                                              \
    /* functions */                                                                                          \
    X(SIN, "sin", 1, 0, REAL, PURE, "sin")                                                                   \
    X(COS, "cos", 1, 0, REAL, PURE, "cos")                                                                   \
    X(TAN, "tan", 1, 0, REAL, PURE, "tan")                                                                   \
    X(ASIN, "asin", 1, 0, REAL, PURE, "asin")                                                                \
    X(ACOS, "acos", 1, 0, REAL, PURE, "acos")                                                                \
    X(ATAN, "atan", 1, 0, REAL, PURE, "atan")                                                                \
    X(ATAN2, "atan2", 2, 0, REAL, RATIO, "atan2")                                                            \
    X(SINH, "sinh", 1, 0, REAL, PURE, "sinh")                                                                \
    X(COSH, "cosh", 1, 0, REAL, PURE, "cosh")                                                                \
    X(TANH, "tanh", 1, 0, REAL, PURE, "tanh")                                                                \
    X(EXP, "exp", 1, 0, REAL, PURE, "exp")                                                                   \
    X(LOG, "log", 1, 0, REAL, PURE, "log")                                                                   \
    X(LOG10, "log10", 1, 0, REAL, PURE, "log10")                                                             \
    X(SQRT, "sqrt", 1, 0, REAL, ROOT2, "sqrt")                                                               \
    X(CBRT, "cbrt", 1, 0, REAL, ROOT3, "cbrt")                                                               \
    X(POW, "pow", 2, 0, REAL, POWER, "pow")                                                                  \
    X(ABS, "abs", 1, 0, REAL, SAME, "fabs")                                                                  \
    X(MIN, "min", 2, 0, REAL, SAME, "fmin")                                                                  \
    X(MAX, "max", 2, 0, REAL, SAME, "fmax")                                                                  \
    X(SIGN, "sign", 1, 0, REAL, DROP, "")                                                                    \
    X(FLOOR, "floor", 1, 0, REAL, SAME, "floor")                                                             \
    X(CEIL, "ceil", 1, 0, REAL, SAME, "ceil")                                                                \
    X(HYPOT, "hypot", 2, 0, REAL, SAME, "hypot")                                                             \
    X(TABLE, "table", 1, 0, LEAF, LEAF, "") /* a: argument, b: model.tables */                               \
    /* values at an event (semantics, sections 2 and 5) */                                                   \
    X(PRE, "pre", 1, 0, SAME, SAME, "")                                                                      \
    X(IMPULSE, "impulse", 1, 0, REAL, AREA, "")                                                              \
    X(FINITE, "finite", 1, 0, REAL, SAME, "")                                                                \
    X(DER, "der", 1, 0, REAL, DER, "")                                                                       \
    X(IN, "in", 1, 0, SAME, SAME, "") /* a: expression, b: automaton, c: state within it */

typedef enum {
#define X(id, text, arity, precedence, types, units, c) HBG_OP_##id,
    HBG_OPERATOR_LIST(X)
#undef X
        HBG_OP_COUNT
} hbg_operator;

/* identifier, keyword */
#define HBG_SIGNAL_LIST(X)                                                                                   \
    X(SIGNAL, "signal")                                                                                      \
    X(STATE, "state") X(SAMPLE, "sample") X(INPUT, "input") X(SENSOR, "sensor") X(OUTPUT, "output")

typedef enum {
#define X(id, text) HBG_SIGNAL_##id,
    HBG_SIGNAL_LIST(X)
#undef X
        HBG_SIGNAL_KIND_COUNT
} hbg_signal_kind;

/* identifier, keyword: on a parameter abrupt, incipient, stuck; on an automaton stuck; on a sensor bias,
 * drift, stuck, noise */
#define HBG_FAULT_LIST(X)                                                                                    \
    X(ABRUPT, "abrupt")                                                                                      \
    X(INCIPIENT, "incipient") X(STUCK, "stuck") X(BIAS, "bias") X(DRIFT, "drift") X(NOISE, "noise")

typedef enum {
#define X(id, text) HBG_FAULT_##id,
    HBG_FAULT_LIST(X)
#undef X
        HBG_FAULT_COUNT
} hbg_fault_kind;

/* identifier, keyword, fixed step */
#define HBG_SOLVER_LIST(X)                                                                                   \
    X(AUTO, "auto", false)                                                                                   \
    X(BDF, "bdf", false)                                                                                     \
    X(ADAMS, "adams", false)                                                                                 \
    X(ERK, "erk", false)                                                                                     \
    X(EULER, "euler", true)                                                                                  \
    X(HEUN, "heun", true) X(ODE3, "ode3", true) X(RK4, "rk4", true) X(TRAPEZOIDAL, "trapezoidal", true)

typedef enum {
#define X(id, text, fixed) HBG_SOLVER_##id,
    HBG_SOLVER_LIST(X)
#undef X
        HBG_SOLVER_COUNT
} hbg_solver;

#endif
