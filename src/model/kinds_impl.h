/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lists of the theory, each once: element kinds, power and energy variables, domains, signal kinds, fault
 * kinds, solvers; and the rules that the list of operators (src/rt) names. Enums, parser, checker, printer and manual read
 * these lists. Part of model.h. */
#ifndef HBG_MODEL_KINDS_H
#define HBG_MODEL_KINDS_H

#include "rt/operator.h"

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
    HBG_EFFECT_ADDS,  /* its value to what is there */
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
