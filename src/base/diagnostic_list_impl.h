/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every diagnostic of hbg about a model: identifier, stable code, severity, name (warnings), summary for the
 * manual. A code is never used again for something else. Part of base.h. */
#ifndef HBG_DIAGNOSTIC_LIST_H
#define HBG_DIAGNOSTIC_LIST_H

#define HBG_DIAGNOSTIC_LIST(X)                                                                               \
    /* files */                                                                                              \
    X(E_FILE, "E0001", HBG_ERROR, "", "a file cannot be read")                                               \
    X(E_IMPORT_CYCLE, "E0002", HBG_ERROR, "", "files import each other in a circle")                         \
    X(E_TABLE, "E0003", HBG_ERROR, "", "a malformed table file")                                             \
    X(E_TOO_LARGE, "E0004", HBG_ERROR, "", "the model grows beyond a limit")                                 \
    /* characters and words */                                                                               \
    X(E_CHARACTER, "E0101", HBG_ERROR, "", "a character the language does not know")                         \
    X(E_NUMBER, "E0102", HBG_ERROR, "", "a malformed number")                                                \
    X(E_STRING, "E0103", HBG_ERROR, "", "a text without its closing quote")                                  \
    X(E_COMMENT, "E0104", HBG_ERROR, "", "a comment without its end")                                        \
    X(E_UTF8, "E0105", HBG_ERROR, "", "a file that is not UTF-8 text")                                       \
    /* syntax */                                                                                             \
    X(E_SYNTAX, "E0201", HBG_ERROR, "", "something else was expected here")                                  \
    X(E_NESTING, "E0202", HBG_ERROR, "", "nested too deeply")                                                \
    X(E_RESERVED, "E0203", HBG_ERROR, "", "a word of the language used as a name")                           \
    X(E_TWICE, "E0204", HBG_ERROR, "", "something allowed once occurs twice")                                \
    /* names */                                                                                              \
    X(E_UNKNOWN, "E0301", HBG_ERROR, "", "an unknown name")                                                  \
    X(E_DUPLICATE, "E0302", HBG_ERROR, "", "a name declared twice")                                          \
    X(E_NOT_A, "E0303", HBG_ERROR, "", "a name of another kind of thing than is needed")                     \
    X(E_ARGUMENT, "E0304", HBG_ERROR, "",                                                                    \
      "an argument that does not fit its component, element or function")                                    \
    X(E_RECURSION, "E0305", HBG_ERROR, "", "a component or function that contains itself")                   \
    X(E_NO_MODEL, "E0306", HBG_ERROR, "", "a file without a model")                                          \
    X(E_UNASSIGNED, "E0307", HBG_ERROR, "", "an input or parameter that nothing gives a value")              \
    /* types, units, domains */                                                                              \
    X(E_TYPE, "E0401", HBG_ERROR, "", "a boolean where a number is needed, or the reverse")                  \
    X(E_UNIT_UNKNOWN, "E0402", HBG_ERROR, "", "a unit that does not exist")                                  \
    X(E_UNIT, "E0403", HBG_ERROR, "", "units that do not agree")                                             \
    X(E_DOMAIN, "E0404", HBG_ERROR, "", "different physical domains joined by a bond")                       \
    X(E_NOT_CONSTANT, "E0405", HBG_ERROR, "", "a constant is needed")                                        \
    X(E_VALUE, "E0406", HBG_ERROR, "", "a value out of its range")                                           \
    X(E_CYCLE, "E0407", HBG_ERROR, "", "parameters, samples or signals defined only by each other")          \
    X(E_EXPRESSION, "E0408", HBG_ERROR, "", "an expression that is not allowed in this place")               \
    /* structure */                                                                                          \
    X(E_PORT, "E0501", HBG_ERROR, "", "a port that does not exist, or has more than one bond")               \
    X(E_UNBONDED, "E0502", HBG_ERROR, "", "an element or port without its bond")                             \
    X(E_DIRECTION, "E0503", HBG_ERROR, "", "half arrows that contradict each other")                         \
    X(E_BOND, "E0504", HBG_ERROR, "",                                                                        \
      "a bond that joins a thing to itself or to something that takes no bond")                              \
    X(E_LAW, "E0505", HBG_ERROR, "", "a law the element cannot have, or lacks")                              \
    X(E_JUNCTION, "E0506", HBG_ERROR, "", "a switching junction declared in a way that has no meaning")      \
    X(E_AUTOMATON, "E0507", HBG_ERROR, "", "an automaton that cannot work")                                  \
    X(E_EXPERIMENT, "E0508", HBG_ERROR, "", "an experiment or fault that cannot be carried out")             \
    /* causality */                                                                                          \
    X(E_CAUSALITY, "E0601", HBG_ERROR, "", "the start mode has no valid causal assignment")                  \
    /* exports */                                                                                            \
    X(E_AFFINE, "E0901", HBG_ERROR, "", "a model that cannot be exported as an affine hybrid automaton")     \
    /* warnings */                                                                                           \
    X(W_ZERO_RESISTOR, "W0701", HBG_WARNING, "zero-resistor", "a resistor of value 0")                       \
    X(W_EMPTY_FUNCTION, "W0702", HBG_WARNING, "empty-function", "a function without a body")                 \
    X(W_OPEN_PORT, "W0703", HBG_WARNING, "open-port", "an energy port left open")                            \
    X(W_UNUSED_PARAMETER, "W0704", HBG_WARNING, "unused-parameter", "a parameter never used")                \
    X(W_OVERLAP, "W0705", HBG_WARNING, "overlapping-guards", "guards of one state that can hold together")   \
    X(W_ALTERNATE, "W0706", HBG_WARNING, "not-alternating", "a transition between two on or two off states") \
    X(W_RESTITUTION, "W0707", HBG_WARNING, "restitution-not-strict",                                         \
      "a guard into a restitution mode that is not strict")                                                  \
    X(W_PURE, "W0708", HBG_WARNING, "unit-argument", "a function of a pure number applied to a quantity")    \
    X(W_UNREACHABLE, "W0709", HBG_WARNING, "unreachable-state", "an automaton state no transition leads to") \
    X(W_LONELY, "W0710", HBG_WARNING, "lonely-junction", "a junction with fewer than two bonds")             \
    X(W_UNUSED_AUTOMATON, "W0711", HBG_WARNING, "unused-automaton", "an automaton nothing refers to")        \
    X(W_LATER, "W0712", HBG_WARNING, "shadowed-transition",                                                  \
      "a transition that an earlier one always precedes")                                                    \
    X(W_NEGATIVE_RESISTOR, "W0713", HBG_WARNING, "negative-resistor", "a resistor of negative value")        \
    X(W_SCALE, "W0714", HBG_WARNING, "temperature-scale",                                                    \
      "a temperature in a scale with a zero of its own where that is not meant")                             \
    X(W_FLOATING, "W0715", HBG_WARNING, "floating-part",                                                     \
      "a part without a ground: nothing determines its efforts")                                             \
    X(W_SHORTED, "W0716", HBG_WARNING, "shorted-start",                                                      \
      "a start mode in which sources are in conflict and no guard is enabled")                               \
    X(W_SHARED, "W0717", HBG_WARNING, "shared-value",                                                        \
      "a guard or output that reads what only the ratio of parasites decides")                               \
    X(W_BARE, "W0718", HBG_WARNING, "bare-number", "a number without a unit where one is known")             \
    X(W_OUTSIDE, "W0719", HBG_WARNING, "outside-interval",                                                   \
      "a value outside of the interval that a parameter is declared with")                                   \
    /* notes: correct, but worth knowing */                                                                  \
    X(N_START, "N0801", HBG_NOTE, "", "a start mode that the first search leaves: sources are in conflict")

#endif
