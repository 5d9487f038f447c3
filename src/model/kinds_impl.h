/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lists of the theory, each once: elements, power and energy variables, domains, quantities, signal kinds, fault
 * kinds, solvers; and the rules that the list of operators (src/rt) names. Enums, parser, checker, printer and manual read
 * these lists. Part of model.h. */
#ifndef HBG_MODEL_KINDS_H
#define HBG_MODEL_KINDS_H

#include "rt/operator.h"

/* identifier, text in the language, name, basic kind, ports (0: junction), may be a field and have written
 * laws, variables of laws and initial values, quantity of its value, law. The nine kinds of the theory are
 * their own basic kinds. Any further line is a form of an R, C or I: causality, structure and energy treat it
 * as that, and its value enters by another law. Such a law gives no power and stores no negative energy while
 * the value is positive. Tokens are pasted, the last one as law_… in src/eqn/law.c: one that is missing or
 * misspelt does not compile. */
#define HBG_ELEMENT_LIST(X)                                                                                  \
    X(SE, "Se", "effort source", SE, 1, false, "", EFFORT, none)                                             \
    X(SF, "Sf", "flow source", SF, 1, false, "", FLOW, none)                                                 \
    X(R, "R", "resistor", R, 1, true, "ef", RESISTANCE, linear)                                              \
    X(C, "C", "capacitor", C, 1, true, "eq", CAPACITANCE, linear)                                            \
    X(I, "I", "inertia", I, 1, true, "fp", INERTANCE, linear)                                                \
    X(TF, "TF", "transformer", TF, 2, false, "", NONE, none)                                                 \
    X(GY, "GY", "gyrator", GY, 2, false, "", NONE, none)                                                     \
    X(ZERO, "0", "0-junction", ZERO, 0, false, "", NONE, none)                                               \
    X(ONE, "1", "1-junction", ONE, 0, false, "", NONE, none)

typedef enum {
#define X(id, text, name, basic, ports, field, variables, quantity, law) HBG_KIND_##id,
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

/* What a value in a net can be: identifier, name, exponents of e f q p, and its unit in each domain, electrical first, as an
 * engineer there writes it; NULL where the domain has no such thing. The first four are the variables, in their order. */
// clang-format off
#define HBG_QUANTITY_LIST(X) \
    X(EFFORT, "an effort", (1, 0, 0, 0), "V", "N", "N·m", "Pa", "K", "A") \
    X(FLOW, "a flow", (0, 1, 0, 0), "A", "m/s", "rad/s", "m^3/s", "W", "Wb/s") \
    X(DISPLACEMENT, "a displacement (q)", (0, 0, 1, 0), "C", "m", "rad", "m^3", "J", "Wb") \
    X(MOMENTUM, "a momentum (p)", (0, 0, 0, 1), "Wb", "N·s", "N·m·s", "Pa·s", NULL, NULL) \
    X(RESISTANCE, "a resistance", (1, -1, 0, 0), "Ohm", "N·s/m", "N·m·s/rad", "Pa·s/m^3", "K/W", "A/V") \
    X(CAPACITANCE, "a capacitance", (-1, 0, 1, 0), "F", "m/N", "rad/(N·m)", "m^3/Pa", "J/K", "H") \
    X(INERTANCE, "an inertance", (0, -1, 0, 1), "H", "kg", "kg·m^2", "Pa·s^2/m^3", NULL, NULL)
// clang-format on

typedef enum {
#define X(id, name, exponents, ...) HBG_QUANTITY_##id,
    HBG_QUANTITY_LIST(X)
#undef X
        HBG_QUANTITY_COUNT,
    HBG_QUANTITY_NONE = HBG_QUANTITY_COUNT /* the ratio of a TF or GY belongs to two nets */
} hbg_quantity;

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

/* identifier, keyword, what it does, and who can have it: values (parameters, elements with one value), automata, sensors */
#define HBG_FAULT_LIST(X)                                                                                    \
    X(ABRUPT, "abrupt", ADDS, true, false, false)                                                            \
    X(INCIPIENT, "incipient", GROWS, true, false, false)                                                     \
    X(STUCK, "stuck", HOLDS, true, true, true)                                                               \
    X(BIAS, "bias", ADDS, false, false, true)                                                                \
    X(DRIFT, "drift", GROWS, false, false, true)                                                             \
    X(NOISE, "noise", SHAKES, false, false, true)

typedef enum {
    HBG_EFFECT_ADDS,  /* adds its value */
    HBG_EFFECT_GROWS, /* likewise, as much in every second */
    HBG_EFFECT_HOLDS, /* in a value or a state; while it lasts others wait */
    HBG_EFFECT_SHAKES /* noise with a mean and a variance, of what is sampled */
} hbg_fault_effect;

typedef enum {
#define X(id, text, effect, value, automaton, sensor) HBG_FAULT_##id,
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
