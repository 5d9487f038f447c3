/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of the model as terms. References to elements become efforts and flows of bonds; energies,
 * powers and derivatives are written out. */
#include "eqn/eqn_impl.h"

static hbg_term integer(hbg_eqn *eqn, int32_t value) {
    return hbg_term_integer(&eqn->terms, value);
}

/* ---- energy ------------------------------------------------------------------------------------------- */

/* Gauss–Legendre on [0, 1] with 8 points: exact for laws that are polynomials up to degree 15. */
static const double gauss_node[] = {0.01985507175123188, 0.10166676129318664, 0.2372337950418355,
                                    0.4082826787521751,  0.5917173212478249,  0.7627662049581645,
                                    0.8983332387068134,  0.9801449282487681};
static const double gauss_weight[] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363,
                                      0.18134189168918100, 0.18134189168918100, 0.15685332293894363,
                                      0.11119051722668724, 0.05061426814518813};

typedef struct {
    hbg_eqn *eqn;
    int32_t element;
    hbg_term fraction;
} ray;

/* Replaces a state of the storage by a fraction of it. */
static hbg_term along_ray(void *context, int32_t variable) {
    ray *on = context;
    hbg_eqn *eqn = on->eqn;
    int32_t state = variable - eqn->first[VARIABLE_STATE];
    if (state < 0 || state >= eqn->state_count || eqn->states[state].element != on->element) return HBG_NONE;
    return hbg_term_multiply(&eqn->terms, on->fraction, hbg_term_variable(&eqn->terms, variable));
}

/* Whether an operator keeps a law a polynomial. */
static bool is_polynomial(const hbg_terms *terms, const term_node *node) {
    switch (node->op) {
    case TERM_VARIABLE:
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_MULTIPLY:
    case HBG_OP_NEGATE:
    case HBG_OP_FINITE: return true;
    case HBG_OP_DIVIDE: return terms->nodes.items[node->b].level < LEVEL_RUN;
    case HBG_OP_POWER_OF: {
        const term_node *exponent = &terms->nodes.items[node->b];
        if (exponent->op != HBG_OP_NUMBER) return false;
        double power = hbg_base_decimal_to_double(terms->numbers.items[exponent->a]);
        return power >= 0 && power <= 15 && power == (int)power;
    }
    default: return node->level < LEVEL_RUN;
    }
}

/* Whether the run has to integrate a law: it is not a polynomial, and reads only its own state. */
static bool needs_charge(hbg_eqn *eqn, int32_t element, hbg_term law) {
    bool polynomial = true;
    hbg_term_walk(&eqn->terms, law);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        bool other = node->op == TERM_VARIABLE && node->level == LEVEL_RUN &&
                     node->a != eqn->first[VARIABLE_STATE] + eqn->element_state[element];
        if (other) return false;
        polynomial = polynomial && is_polynomial(&eqn->terms, node);
    }
    return !polynomial && eqn->model->elements.items[element].ports == 1;
}

static hbg_term law_of_element(void *owner, int32_t number) {
    return hbg_eqn_charged(owner, number);
}

/* H(x) = ∫ Σ xᵢ·Φᵢ(s·x) ds from 0 to 1, the work of charging the storage along a straight line. */
static hbg_term energy_of_law(hbg_eqn *eqn, int32_t element) {
    hbg_terms *terms = &eqn->terms;
    hbg_term sum = integer(eqn, 0);
    const hbg_element *of = &eqn->model->elements.items[element];
    for (int32_t port = 1; port <= of->ports; port++) {
        hbg_term law = hbg_eqn_storage_law(eqn, element, port), mean = integer(eqn, 0);
        if (law == HBG_NONE) return HBG_NONE;
        if (needs_charge(eqn, element, law)) {
            hbg_term state = hbg_eqn_var(eqn, VARIABLE_STATE, eqn->element_state[element]);
            return hbg_term_make(terms, TERM_CHARGE, state, element, HBG_NONE);
        }
        for (size_t i = 0; i < sizeof gauss_node / sizeof *gauss_node; i++) {
            ray on = {eqn, element, hbg_term_double(terms, gauss_node[i])};
            hbg_term value = hbg_term_substitute(terms, &eqn->scratch, law, along_ray, &on);
            mean = hbg_term_add(terms, mean,
                                hbg_term_multiply(terms, hbg_term_double(terms, gauss_weight[i]), value));
        }
        hbg_term state = hbg_eqn_var(eqn, VARIABLE_STATE, eqn->element_state[element] + port - 1);
        sum = hbg_term_add(terms, sum, hbg_term_multiply(terms, state, mean));
    }
    return sum;
}

/* ½ xᵀz holds for every linear storage. Fields too large for an explicit law take their efforts or flows from
 * the bonds. */
static hbg_term energy_of_matrix(hbg_eqn *eqn, int32_t element) {
    hbg_terms *terms = &eqn->terms;
    const hbg_element *of = &eqn->model->elements.items[element];
    hbg_variable output = of->kind == HBG_KIND_C ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    hbg_term sum = integer(eqn, 0);
    for (int32_t port = 1; port <= of->ports; port++) {
        hbg_term state = hbg_eqn_var(eqn, VARIABLE_STATE, eqn->element_state[element] + port - 1);
        hbg_term other = hbg_eqn_storage_law(eqn, element, port);
        if (other == HBG_NONE) other = hbg_eqn_port(eqn, element, port, output);
        sum = hbg_term_add(terms, sum, hbg_term_multiply(terms, state, other));
    }
    return hbg_term_divide(terms, sum, integer(eqn, 2));
}

static bool is_thermal(const hbg_eqn *eqn, int32_t element) {
    int32_t net = eqn->model->elements.items[element].net;
    return net >= 0 && eqn->model->net_domain[net] == HBG_DOMAIN_THERMAL;
}

hbg_term hbg_eqn_energy(hbg_eqn *eqn, int32_t element) {
    hbg_terms *terms = &eqn->terms;
    const hbg_element *of = &eqn->model->elements.items[element];
    int32_t first = eqn->element_state[element];
    if (is_thermal(eqn, element)) { // heat is energy
        hbg_term sum = integer(eqn, 0);
        for (int32_t k = 0; k < of->ports; k++)
            sum = hbg_term_add(terms, sum, hbg_eqn_var(eqn, VARIABLE_STATE, first + k));
        return sum;
    }
    return hbg_eqn_is_linear(of) ? energy_of_matrix(eqn, element) : energy_of_law(eqn, element);
}

/* Power into R, C, I and out of sources; of a thermal bond it is the flow itself. */
hbg_term hbg_eqn_power(hbg_eqn *eqn, int32_t element, int32_t port) {
    hbg_term flow = hbg_eqn_port(eqn, element, port, HBG_VARIABLE_FLOW);
    if (is_thermal(eqn, element)) return flow;
    return hbg_term_multiply(&eqn->terms, hbg_eqn_port(eqn, element, port, HBG_VARIABLE_EFFORT), flow);
}

static hbg_term bond_power(hbg_eqn *eqn, int32_t bond) {
    hbg_term flow = hbg_eqn_var(eqn, VARIABLE_FLOW, bond);
    int32_t net = eqn->model->bonds.items[bond].net;
    if (net >= 0 && eqn->model->net_domain[net] == HBG_DOMAIN_THERMAL) return flow;
    return hbg_term_multiply(&eqn->terms, hbg_eqn_var(eqn, VARIABLE_EFFORT, bond), flow);
}

/* ---- leaves ------------------------------------------------------------------------------------------- */

static hbg_term active(hbg_eqn *eqn, int32_t automaton, int32_t state) {
    return hbg_term_make(&eqn->terms, HBG_OP_EQUAL, hbg_eqn_var(eqn, VARIABLE_AUTOMATON, automaton),
                         integer(eqn, state), HBG_NONE);
}

static hbg_term in_on_state(hbg_eqn *eqn, int32_t automaton) {
    const hbg_automaton *of = &eqn->model->automata.items[automaton];
    hbg_term any = integer(eqn, 0);
    for (int32_t i = 0; i < of->state_count; i++) {
        if (!eqn->model->states.items[of->first_state + i].on) continue;
        hbg_term one = active(eqn, automaton, i);
        any = hbg_term_is_zero(&eqn->terms, any) ? one
                                                 : hbg_term_make(&eqn->terms, HBG_OP_OR, any, one, HBG_NONE);
    }
    return any;
}

static hbg_term signal_term(hbg_eqn *eqn, int32_t signal) {
    if (eqn->signal_state[signal] != HBG_NONE)
        return hbg_eqn_var(eqn, VARIABLE_STATE, eqn->signal_state[signal]);
    return hbg_eqn_var(eqn, VARIABLE_SIGNAL, signal);
}

static hbg_term storage_state(hbg_eqn *eqn, int32_t element, int32_t port) {
    return hbg_eqn_var(eqn, VARIABLE_STATE, eqn->element_state[element] + (port > 0 ? port - 1 : 0));
}

static void translate_below(hbg_eqn *eqn, hbg_expr root);

/* Effort or flow of a port, or the common variable of a junction. */
static hbg_term port_term(hbg_eqn *eqn, const hbg_expr_node *node, hbg_variable asked) {
    const hbg_element *of = &eqn->model->elements.items[node->a];
    if (!hbg_eqn_may_be_undefined(eqn, node->a)) return hbg_eqn_port(eqn, node->a, node->b, asked);
    translate_below(eqn, of->control);
    return hbg_eqn_common(eqn, node->a, asked, eqn->expr_term[of->control]);
}

static hbg_term literal(hbg_eqn *eqn, const hbg_literal *of) {
    hbg_terms *terms = &eqn->terms;
    if (!of->exact) return hbg_term_number(terms, of->value);
    hbg_term pi = hbg_term_make(terms, HBG_OP_PI, HBG_NONE, HBG_NONE, HBG_NONE);
    hbg_term above = hbg_term_number(terms, of->exact->times),
             below = hbg_term_number(terms, of->exact->divisor);
    for (int i = 0; i < of->exact->pi_power; i++) above = hbg_term_multiply(terms, above, pi);
    for (int i = 0; i > of->exact->pi_power; i--) below = hbg_term_multiply(terms, below, pi);
    return hbg_term_rounded(terms, of->value, hbg_term_divide(terms, above, below));
}

static hbg_term leaf(hbg_eqn *eqn, const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_NUMBER: return literal(eqn, &eqn->model->literals.items[node->a]);
    case HBG_OP_TRUE: return integer(eqn, 1);
    case HBG_OP_FALSE: return integer(eqn, 0);
    case HBG_OP_TIME: return hbg_eqn_var(eqn, VARIABLE_TIME, 0);
    case HBG_OP_PARAM: return hbg_eqn_var(eqn, VARIABLE_PARAM, node->a);
    case HBG_OP_SIGNAL: return signal_term(eqn, node->a);
    case HBG_OP_EFFORT: return port_term(eqn, node, HBG_VARIABLE_EFFORT);
    case HBG_OP_FLOW: return port_term(eqn, node, HBG_VARIABLE_FLOW);
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM: return storage_state(eqn, node->a, node->b);
    case HBG_OP_BOND_EFFORT: return hbg_eqn_var(eqn, VARIABLE_EFFORT, node->a);
    case HBG_OP_BOND_FLOW: return hbg_eqn_var(eqn, VARIABLE_FLOW, node->a);
    case HBG_OP_BOND_POWER: return bond_power(eqn, node->a);
    case HBG_OP_POWER: return hbg_eqn_power(eqn, node->a, node->b > 0 ? node->b : 1);
    case HBG_OP_ACTIVE: return active(eqn, node->a, node->b);
    case HBG_OP_AUTOMATON: return in_on_state(eqn, node->a);
    default: return hbg_term_make(&eqn->terms, node->op, HBG_NONE, HBG_NONE, HBG_NONE); // pi
    }
}

/* ---- operators ---------------------------------------------------------------------------------------- */

hbg_term hbg_eqn_chain(hbg_eqn *eqn, hbg_term term, variable_layer layer) {
    gradient parts = {0};
    hbg_term sum = integer(eqn, 0);
    eqn->terms.stop_at_finite = layer == LAYER_AREA;
    if (layer == LAYER_RATE)
        hbg_eqn_gradient_in_time(eqn, &eqn->scratch, term, &parts);
    else
        hbg_term_gradient(&eqn->terms, &eqn->scratch, term, &parts);
    eqn->terms.stop_at_finite = false;
    for (int32_t i = 0; i < parts.count; i++) {
        if (parts.items[i].variable == HBG_NONE) {
            sum = hbg_term_add(&eqn->terms, sum, hbg_eqn_rate_share(eqn, &parts.items[i]));
            continue;
        }
        int32_t of = parts.items[i].variable + (int32_t)layer * eqn->base_count;
        if (parts.items[i].variable / eqn->base_count == LAYER_AREA) continue; // a number at a point
        int32_t highest = layer == LAYER_RATE ? LAYER_RATE2 : LAYER_RATE;
        if (parts.items[i].variable / eqn->base_count >= highest) return HBG_NONE; // a third derivative
        hbg_term share =
            hbg_term_multiply(&eqn->terms, parts.items[i].partial, hbg_term_variable(&eqn->terms, of));
        sum = hbg_term_add(&eqn->terms, sum, share);
    }
    return sum;
}

/* The order of the highest derivative in a term. */
static int8_t order_of(hbg_eqn *eqn, hbg_term term) {
    int8_t highest = 0;
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        int32_t der = node->op == TERM_VARIABLE ? node->a - eqn->first[VARIABLE_DER] : HBG_NONE;
        if (der >= 0 && der < eqn->pres.exprs.count && eqn->pres.der_order[der] > highest)
            highest = eqn->pres.der_order[der];
    }
    return highest;
}

/* Makes a derivative as a variable of its own: at a jump it has an area, which the rates of the variables in
 * its argument do not have. */
static hbg_term derivative(hbg_eqn *eqn, hbg_expr expr, hbg_term argument) {
    int32_t index = eqn->pres.of_expr[expr];
    if (eqn->terms.nodes.items[argument].level < LEVEL_RUN) return hbg_eqn_rate_by_params(eqn, argument);
    eqn->pres.der_order[index] = (int8_t)(order_of(eqn, argument) + 1);
    if (eqn->pres.der_order[index] > 2) return HBG_NONE;
    eqn->pres.der_terms[index] = hbg_eqn_chain(eqn, argument, LAYER_RATE);
    return eqn->pres.der_terms[index] == HBG_NONE ? HBG_NONE : hbg_eqn_var(eqn, VARIABLE_DER, index);
}

static hbg_term event_value(hbg_eqn *eqn, hbg_expr expr, hbg_term argument) {
    switch (eqn->model->exprs.items[expr].op) {
    case HBG_OP_PRE: return hbg_eqn_var(eqn, VARIABLE_PRE, eqn->pres.of_expr[expr]);
    case HBG_OP_FINITE: return hbg_term_make(&eqn->terms, HBG_OP_FINITE, argument, HBG_NONE, HBG_NONE);
    case HBG_OP_IMPULSE: return hbg_eqn_chain(eqn, argument, LAYER_AREA);
    case HBG_OP_DER: return derivative(eqn, expr, argument);
    default: return hbg_eqn_var(eqn, VARIABLE_IN, eqn->in.of_expr[expr]);
    }
}

/* ---- all expressions ---------------------------------------------------------------------------------- */

enum { NOT_YET = -2, OPEN = -3 }; /* in expr_term while expressions are translated */

/* The expressions that an expression needs: its arguments, and for an energy everything that describes the
 * storage. */
typedef struct {
    hbg_expr arguments[3];
    int32_t argument_count;
    const hbg_binding *laws;
    int32_t law_count;
    const hbg_expr *entries;
    int32_t entry_count;
} expression_needs;

static expression_needs needs_of(const hbg_model *model, const hbg_expr_node *node) {
    expression_needs needs = {.arguments = {node->a, node->b, node->c}};
    needs.argument_count = hbg_model_expr_arity(node);
    if (node->op != HBG_OP_ENERGY) return needs;
    const hbg_element *of = &model->elements.items[node->a];
    needs.law_count = of->law_count;
    needs.entry_count = of->value_count;
    if (of->law_count > 0) needs.laws = model->bindings.items + of->first_law;
    if (of->value_count > 0) needs.entries = model->entries.items + of->first_value;
    return needs;
}

static hbg_expr need(const expression_needs *needs, int32_t i) {
    if (i < needs->argument_count) return needs->arguments[i];
    i -= needs->argument_count;
    HBG_ASSERT(i < needs->law_count ? needs->laws != NULL : needs->entries != NULL);
    return i < needs->law_count ? needs->laws[i].value : needs->entries[i - needs->law_count];
}

static int32_t need_count(const expression_needs *needs) {
    return needs->argument_count + needs->law_count + needs->entry_count;
}

/* HBG_NONE for third derivatives, and for an energy that is part of its own law. */
static hbg_term translate(hbg_eqn *eqn, hbg_expr expr, const expression_needs *needs) {
    const hbg_expr_node *node = &eqn->model->exprs.items[expr];
    hbg_term terms[3] = {HBG_NONE, HBG_NONE, HBG_NONE};
    for (int32_t i = 0; i < need_count(needs); i++) {
        hbg_term term = eqn->expr_term[need(needs, i)];
        if (term < 0) return HBG_NONE;
        if (i < needs->argument_count) terms[i] = term;
    }
    if (node->op == HBG_OP_ENERGY) return hbg_eqn_energy(eqn, node->a);
    if (node->op == HBG_OP_TABLE)
        return hbg_term_make(&eqn->terms, HBG_OP_TABLE, terms[0], node->b, HBG_NONE);
    if (node->op >= HBG_OP_PRE) return event_value(eqn, expr, terms[0]);
    if (needs->argument_count == 0) return leaf(eqn, node);
    return hbg_term_make(&eqn->terms, node->op, terms[0], terms[1], terms[2]);
}

/* Pushes the needs of an expression that have no term yet onto the stack; returns whether there are any. */
static bool open_needs(hbg_eqn *eqn, int32_map *stack, const expression_needs *needs) {
    int32_t before = stack->count;
    for (int32_t i = 0; i < need_count(needs); i++)
        if (eqn->expr_term[need(needs, i)] == NOT_YET) HBG_PUSH(&eqn->scratch, *stack, need(needs, i));
    return stack->count > before;
}

/* Translates the needs of an expression and then itself: the law of a storage may be declared after the
 * readers of its energy. */
static void translate_on(hbg_eqn *eqn, int32_map *stack, hbg_expr root) {
    HBG_PUSH(&eqn->scratch, *stack, root);
    while (stack->count > 0) {
        hbg_expr expr = stack->items[stack->count - 1];
        hbg_term *own = &eqn->expr_term[expr];
        expression_needs needs = needs_of(eqn->model, &eqn->model->exprs.items[expr]);
        if (*own == NOT_YET) {
            *own = OPEN;
            if (open_needs(eqn, stack, &needs)) continue;
        }
        stack->count--;
        if (*own == OPEN) *own = translate(eqn, expr, &needs);
    }
}

static void translate_below(hbg_eqn *eqn, hbg_expr root) {
    int32_map stack = {0};
    translate_on(eqn, &stack, root);
}

void hbg_eqn_translate(hbg_eqn *eqn) {
    int32_t count = eqn->model->exprs.count;
    int32_map stack = {0};
    eqn->terms.owner = eqn;
    eqn->terms.law_of_element = law_of_element;
    eqn->expr_term = HBG_NEW_ARRAY(eqn->arena, hbg_term, count + 1);
    for (int32_t i = 0; i < count; i++) eqn->expr_term[i] = NOT_YET;
    for (int32_t i = 0; i < count; i++)
        if (eqn->expr_term[i] == NOT_YET) translate_on(eqn, &stack, i);
    for (int32_t i = 0; i < count; i++) { // every expression has a term; starting a run checks `refused`
        if (eqn->expr_term[i] != HBG_NONE) continue;
        eqn->expr_term[i] = integer(eqn, 0);
        if (!eqn->refused) eqn->refused = "a third derivative, or an energy in a law of its own storage";
    }
}
