/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constitutive laws in the direction that causality requires. A law given in the other direction, and the
 * matrix of a field, become implicit equations for the requested variable. */
#include "eqn/eqn_impl.h"

static const hbg_element *element_of(const hbg_eqn *eqn, int32_t element) {
    return &eqn->model->elements.items[element];
}

static equation assign(hbg_term term) {
    return (equation){EQUATION_ASSIGN, term};
}

/* Parameters of modulated elements are taken at finite parts (semantics, section 4). */
static hbg_term entry(hbg_eqn *eqn, int32_t element, int32_t row, int32_t column) {
    const hbg_element *of = element_of(eqn, element);
    hbg_term value = eqn->expr_term[eqn->model->entries.items[of->first_value + row * of->ports + column]];
    return value == HBG_NONE ? value : hbg_term_make(&eqn->terms, HBG_OP_FINITE, value, HBG_NONE, HBG_NONE);
}

hbg_term hbg_eqn_value(hbg_eqn *eqn, int32_t element) {
    return entry(eqn, element, 0, 0);
}

/* The value of a source, which may pulse. */
hbg_term hbg_eqn_source_value(const hbg_eqn *eqn, int32_t element) {
    return eqn->expr_term[eqn->model->entries.items[element_of(eqn, element)->first_value]];
}

/* The law written for a variable of a port; HBG_NONE if there is none. */
static hbg_term written(const hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable variable) {
    const hbg_element *of = element_of(eqn, element);
    for (int32_t i = 0; i < of->law_count; i++) {
        const hbg_binding *law = &eqn->model->bindings.items[of->first_law + i];
        if (law->variable == variable && law->port == port) return eqn->expr_term[law->value];
    }
    return HBG_NONE;
}

/* Row `port` of matrix · variables of all ports. */
static hbg_term row_sum(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable variable) {
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    for (int32_t k = 0; k < element_of(eqn, element)->ports; k++) {
        hbg_term share = hbg_term_multiply(&eqn->terms, entry(eqn, element, port - 1, k),
                                           hbg_eqn_port(eqn, element, k + 1, variable));
        sum = hbg_term_add(&eqn->terms, sum, share);
    }
    return sum;
}

/* ---- laws of one value -------------------------------------------------------------------------------- */

/* Both directions of a law y = law(v, x): y is the effort of an R, or the state of a C or I; x is the flow of
 * an R or an I, or the effort of a C. */
typedef hbg_term (*direction)(hbg_terms *terms, hbg_term value, hbg_term of);
typedef struct {
    direction forward, inverse; /* y of x, x of y */
} value_law;

static hbg_term linear(hbg_terms *terms, hbg_term value, hbg_term x) {
    return hbg_term_multiply(terms, value, x);
}

static hbg_term inverse_linear(hbg_terms *terms, hbg_term value, hbg_term y) {
    return hbg_term_divide(terms, y, value);
}

/* Sources, transformers, gyrators and junctions have equations of their own. */
static hbg_term no_law(hbg_terms *terms, hbg_term value, hbg_term of) {
    (void)terms, (void)value, (void)of;
    HBG_ASSERT(!"an R, C or I");
    return HBG_NONE;
}

static const value_law law_linear = {linear, inverse_linear};
static const value_law law_none = {no_law, no_law};

static const value_law *law_of(const hbg_element *element) {
    static const value_law *const laws[HBG_KIND_COUNT] = {
#define X(id, text, name, basic, ports, field, variables, quantity, law) [HBG_KIND_##id] = &law_##law,
        HBG_ELEMENT_LIST(X)
#undef X
    };
    return laws[element->form];
}

bool hbg_eqn_is_linear(const hbg_element *element) {
    return element->law_count == 0 && law_of(element) == &law_linear;
}

static hbg_term forward(hbg_eqn *eqn, int32_t element, hbg_term x) {
    return law_of(element_of(eqn, element))->forward(&eqn->terms, hbg_eqn_value(eqn, element), x);
}

static hbg_term inverse(hbg_eqn *eqn, int32_t element, hbg_term y) {
    return law_of(element_of(eqn, element))->inverse(&eqn->terms, hbg_eqn_value(eqn, element), y);
}

/* ---- resistors ---------------------------------------------------------------------------------------- */

static equation implicit(hbg_eqn *eqn, hbg_term left, hbg_term right) {
    return (equation){EQUATION_IMPLICIT, hbg_term_subtract(&eqn->terms, left, right)};
}

equation hbg_eqn_resistor(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable asked) {
    hbg_term effort = hbg_eqn_port(eqn, element, port, HBG_VARIABLE_EFFORT);
    hbg_term flow = hbg_eqn_port(eqn, element, port, HBG_VARIABLE_FLOW);
    bool wants_effort = asked == HBG_VARIABLE_EFFORT;
    if (element_of(eqn, element)->law_count > 0) {
        hbg_term law = written(eqn, element, port, asked);
        if (law != HBG_NONE) return assign(law);
        hbg_variable other = wants_effort ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
        return implicit(eqn, written(eqn, element, port, other), wants_effort ? flow : effort);
    }
    if (element_of(eqn, element)->ports == 1)
        return assign(wants_effort ? forward(eqn, element, flow) : inverse(eqn, element, effort));
    if (wants_effort) return assign(row_sum(eqn, element, port, HBG_VARIABLE_FLOW));
    return implicit(eqn, row_sum(eqn, element, port, HBG_VARIABLE_FLOW), effort);
}

/* ---- storages ----------------------------------------------------------------------------------------- */

static hbg_variable output_of(const hbg_eqn *eqn, int32_t element) {
    return element_of(eqn, element)->kind == HBG_KIND_C ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
}

static hbg_variable energy_variable(const hbg_eqn *eqn, int32_t element) {
    return element_of(eqn, element)->kind == HBG_KIND_C ? HBG_VARIABLE_DISPLACEMENT : HBG_VARIABLE_MOMENTUM;
}

static hbg_term state_of(hbg_eqn *eqn, int32_t element, int32_t port) {
    return hbg_eqn_var(eqn, VARIABLE_STATE, eqn->element_state[element] + port - 1);
}

/* The inverse of a 2×2 matrix, row `port`, times the states. */
static hbg_term inverse_of_two(hbg_eqn *eqn, int32_t element, int32_t port) {
    hbg_terms *terms = &eqn->terms;
    int32_t own = port - 1, other = 1 - own;
    hbg_term determinant = hbg_term_subtract(
        terms, hbg_term_multiply(terms, entry(eqn, element, 0, 0), entry(eqn, element, 1, 1)),
        hbg_term_multiply(terms, entry(eqn, element, 0, 1), entry(eqn, element, 1, 0)));
    hbg_term here = hbg_term_divide(terms, entry(eqn, element, other, other), determinant);
    hbg_term there = hbg_term_divide(terms, entry(eqn, element, own, other), determinant);
    return hbg_term_subtract(terms, hbg_term_multiply(terms, here, state_of(eqn, element, port)),
                             hbg_term_multiply(terms, there, state_of(eqn, element, other + 1)));
}

#define EXPLICIT_PORTS 16 /* the inverse of a larger matrix is not written out */

/* The same for larger matrices, by elimination. It needs no pivoting: the matrix of a storage is positive
 * definite. */
static hbg_term inverse_of_many(hbg_eqn *eqn, int32_t element, int32_t port) {
    hbg_terms *terms = &eqn->terms;
    hbg_term m[EXPLICIT_PORTS][EXPLICIT_PORTS + 1], z[EXPLICIT_PORTS];
    int32_t n = element_of(eqn, element)->ports;
    HBG_ASSERT(1 <= port && port <= n);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < n; k++) m[i][k] = entry(eqn, element, i, k);
        m[i][n] = state_of(eqn, element, i + 1);
    }
    for (int32_t p = 0; p < n; p++)
        for (int32_t i = p + 1; i < n; i++) {
            hbg_term factor = hbg_term_divide(terms, m[i][p], m[p][p]);
            for (int32_t k = p + 1; k <= n; k++)
                m[i][k] = hbg_term_subtract(terms, m[i][k], hbg_term_multiply(terms, factor, m[p][k]));
        }
    for (int32_t i = n - 1; i >= port - 1; i--) {
        z[i] = m[i][n];
        for (int32_t k = i + 1; k < n; k++)
            z[i] = hbg_term_subtract(terms, z[i], hbg_term_multiply(terms, m[i][k], z[k]));
        z[i] = hbg_term_divide(terms, z[i], m[i][i]);
    }
    return z[port - 1];
}

/* Φ of a port over the states; HBG_NONE if it is not explicit. */
hbg_term hbg_eqn_storage_law(hbg_eqn *eqn, int32_t element, int32_t port) {
    const hbg_element *of = element_of(eqn, element);
    if (of->law_count > 0) return written(eqn, element, port, output_of(eqn, element));
    if (of->ports == 1) return inverse(eqn, element, state_of(eqn, element, 1));
    if (of->ports > EXPLICIT_PORTS) return HBG_NONE;
    return of->ports == 2 ? inverse_of_two(eqn, element, port) : inverse_of_many(eqn, element, port);
}

/* Integral causality: effort of a C, flow of an I. The explicit form of a matrix requires integral causality
 * of all ports, and at most two; larger ones are solved with pivoting, as a loop. */
equation hbg_eqn_storage_output(hbg_eqn *eqn, int32_t element, int32_t port, bool all_integral) {
    const hbg_element *of = element_of(eqn, element);
    hbg_term state = state_of(eqn, element, port);
    if (of->law_count == 0 && of->ports > 1 && (!all_integral || of->ports > 2))
        return implicit(eqn, row_sum(eqn, element, port, output_of(eqn, element)), state);
    hbg_term law = hbg_eqn_storage_law(eqn, element, port);
    if (law != HBG_NONE) return assign(law);
    return implicit(eqn, written(eqn, element, port, energy_variable(eqn, element)), state);
}

/* Derivative causality: the state follows from effort or flow. */
equation hbg_eqn_storage_state(hbg_eqn *eqn, int32_t element, int32_t port) {
    const hbg_element *of = element_of(eqn, element);
    hbg_variable output = output_of(eqn, element);
    if (of->law_count == 0 && of->ports == 1)
        return assign(forward(eqn, element, hbg_eqn_port(eqn, element, port, output)));
    if (of->law_count == 0) return assign(row_sum(eqn, element, port, output));
    hbg_term state = written(eqn, element, port, energy_variable(eqn, element));
    if (state != HBG_NONE) return assign(state);
    return implicit(eqn, written(eqn, element, port, output), hbg_eqn_port(eqn, element, port, output));
}

/* The law of the element, or its rate by moving parameters. */
hbg_term hbg_eqn_charged(hbg_eqn *eqn, int32_t number) {
    int32_t count = eqn->model->elements.count;
    return number < count ? hbg_eqn_storage_law(eqn, number, 1) : eqn->readouts.law_rate[number - count];
}
