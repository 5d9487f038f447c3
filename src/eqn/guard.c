/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards of all transitions, prepared once: signals are written out, so that every comparison of real numbers
 * is visible; each becomes a relation whose difference is watched while time advances. */
#include <math.h>
#include <string.h>

#include "eqn/eqn_impl.h"

#define INLINE_LIMIT 64 /* depth of signals that read signals; a modulation loop stays as it is */

static bool is_formula(const hbg_signal *signal) {
    return signal->every == HBG_NONE && signal->kind != HBG_SIGNAL_STATE && signal->kind != HBG_SIGNAL_INPUT;
}

/* The signal that has this variable as its area, or HBG_NONE. */
static int32_t area_signal(const hbg_eqn *eqn, int32_t variable) {
    bool area = variable / eqn->base_count == LAYER_AREA && hbg_eqn_kind_of(eqn, variable) == VARIABLE_SIGNAL;
    return area ? variable % eqn->base_count - eqn->first[VARIABLE_SIGNAL] : HBG_NONE;
}

/* A signal that is a formula becomes the formula. */
static hbg_term write_out(void *context, int32_t variable) {
    hbg_eqn *eqn = context;
    int32_t area = area_signal(eqn, variable);
    if (area != HBG_NONE) return eqn->signal_area[area] > 0 ? eqn->signal_area[area] - 1 : HBG_NONE;
    if (variable >= eqn->base_count || hbg_eqn_kind_of(eqn, variable) != VARIABLE_SIGNAL) return HBG_NONE;
    int32_t index = variable - eqn->first[VARIABLE_SIGNAL];
    const hbg_signal *signal = &eqn->model->signals.items[index];
    if (signal->kind == HBG_SIGNAL_INPUT) {
        hbg_term given = hbg_eqn_var(eqn, VARIABLE_INPUT, index);
        if (signal->value == HBG_NONE) return given;
        return hbg_term_make(&eqn->terms, HBG_OP_SELECT, hbg_eqn_var(eqn, VARIABLE_GIVEN, index), given,
                             eqn->expr_term[signal->value]);
    }
    return is_formula(signal) ? eqn->expr_term[signal->value] : HBG_NONE;
}

static bool reads_in(hbg_eqn *eqn, hbg_term term) {
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, node->a) == VARIABLE_IN) return true;
    }
    return false;
}

static hbg_term written_out(hbg_eqn *eqn, hbg_term term);

static bool reads_signal(hbg_eqn *eqn, hbg_term term) {
    const hbg_terms *terms = &eqn->terms;
    hbg_term_walk_variables(&eqn->terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++)
        if (hbg_eqn_kind_of(eqn, terms->nodes.items[terms->walk.items[i]].a) == VARIABLE_SIGNAL) return true;
    return false;
}

/* Finds areas of signals that read values in other states. A pulse in another state is not in the equations
 * of this mode: the area of such a signal is that of its formula, also while time advances. Call it before
 * terms are substituted, since it walks terms. */
static void find_areas(hbg_eqn *eqn, hbg_term term) {
    HBG_VEC(int32_t) open = {0};
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        int32_t signal = node->op == TERM_VARIABLE ? area_signal(eqn, node->a) : HBG_NONE;
        if (signal == HBG_NONE || eqn->signal_area[signal] != 0) continue;
        eqn->signal_area[signal] = HBG_NONE; // it stays so in a loop
        if (is_formula(&eqn->model->signals.items[signal])) HBG_PUSH(&eqn->scratch, open, signal);
    }
    for (int32_t i = 0; i < open.count; i++) {
        hbg_expr value = eqn->model->signals.items[open.items[i]].value;
        hbg_term formula = written_out(eqn, eqn->expr_term[value]);
        hbg_term area = reads_in(eqn, formula) ? hbg_eqn_chain(eqn, formula, LAYER_AREA) : HBG_NONE;
        if (area != HBG_NONE) eqn->signal_area[open.items[i]] = area + 1;
    }
}

static hbg_term written_out(hbg_eqn *eqn, hbg_term term) {
    if (!reads_signal(eqn, term)) return term;
    for (int i = 0; i < INLINE_LIMIT; i++) {
        find_areas(eqn, term);
        hbg_term next = hbg_term_substitute(&eqn->terms, &eqn->scratch, term, write_out, eqn);
        if (next == term) break;
        term = next;
    }
    return term;
}

hbg_term hbg_eqn_written_out(hbg_eqn *eqn, hbg_term term) {
    return written_out(eqn, term);
}

static bool is_physical_kind(const hbg_eqn *eqn, int32_t variable) {
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    return kind == VARIABLE_EFFORT || kind == VARIABLE_FLOW || kind == VARIABLE_STATE || kind == VARIABLE_DER;
}

/* Whether physics decides a variable. A signal that remains when all are written out is given, or is defined
 * by itself and so by nothing else. */
bool hbg_eqn_is_physical(hbg_eqn *eqn, int32_t variable) {
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    int32_t base = variable % eqn->base_count, signal = base - eqn->first[VARIABLE_SIGNAL];
    if (kind != VARIABLE_SIGNAL) return is_physical_kind(eqn, variable);
    if (eqn->model->signals.items[signal].every != HBG_NONE) return false;
    hbg_term_walk(&eqn->terms, written_out(eqn, hbg_term_variable(&eqn->terms, base)));
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && is_physical_kind(eqn, node->a)) return true;
    }
    return false;
}

/* While time advances, the left limit of a value is the value itself. */
static hbg_term present(void *context, int32_t variable) {
    hbg_eqn *eqn = context;
    int32_t pre = variable - eqn->first[VARIABLE_PRE];
    return pre >= 0 && pre < eqn->pres.exprs.count ? eqn->pres.terms[pre] : HBG_NONE;
}

/* ---- values in other states --------------------------------------------------------------------------- */

static hbg_term value_in(hbg_eqn *eqn, in_info in) {
    if (eqn->terms.nodes.items[in.term].level < LEVEL_RUN) return in.term;
    for (int32_t i = 0; i < eqn->in.list.count; i++) {
        const in_info *other = &eqn->in.list.items[i];
        if (other->automaton == in.automaton && other->state == in.state && other->term == in.term)
            return hbg_eqn_var(eqn, VARIABLE_IN, i);
    }
    HBG_ASSERT(eqn->first[VARIABLE_IN] + eqn->in.list.count < eqn->first[VARIABLE_IN + 1]);
    HBG_PUSH(eqn->arena, eqn->in.list, in);
    return hbg_eqn_var(eqn, VARIABLE_IN, eqn->in.list.count - 1);
}

#define IN_DEPTH 32 /* depth of conditions inside in(…) */

/* in(s, a <= b && c) becomes in(s, a) <= in(s, b) && in(s, c): the relation is visible, watched and located
 * like any other. */
static hbg_term apart(hbg_eqn *eqn, in_info in, int depth) {
    term_node node = eqn->terms.nodes.items[in.term];
    in_info left = in, right = in;
    left.term = node.a;
    right.term = node.b;
    if (depth < IN_DEPTH && (node.op == HBG_OP_AND || node.op == HBG_OP_OR)) {
        hbg_term a = apart(eqn, left, depth + 1), b = apart(eqn, right, depth + 1);
        return hbg_term_make(&eqn->terms, node.op, a, b, HBG_NONE);
    }
    if (depth < IN_DEPTH && node.op == HBG_OP_NOT)
        return hbg_term_make(&eqn->terms, node.op, apart(eqn, left, depth + 1), HBG_NONE, HBG_NONE);
    if (node.op >= HBG_OP_LESS && node.op <= HBG_OP_GREATER_EQUAL) {
        hbg_term a = value_in(eqn, left), b = value_in(eqn, right);
        return hbg_term_make(&eqn->terms, node.op, a, b, HBG_NONE);
    }
    return value_in(eqn, in);
}

/* Called while notes of terms are in use: it must not walk terms. */
static hbg_term take_apart(void *context, int32_t variable) {
    hbg_eqn *eqn = context;
    int32_t index = variable - eqn->first[VARIABLE_IN];
    if (index < 0 || index >= eqn->in.exprs.count) return HBG_NONE;
    return apart(eqn, eqn->in.list.items[index], 0);
}

/* ---- relations ---------------------------------------------------------------------------------------- */

bool hbg_eqn_compares_numbers(const hbg_eqn *eqn, const term_node *node) {
    if (node->op >= HBG_OP_LESS && node->op <= HBG_OP_GREATER_EQUAL) return true;
    if (node->op != HBG_OP_EQUAL && node->op != HBG_OP_NOT_EQUAL) return false;
    const term_node *left = &eqn->terms.nodes.items[node->a]; // states of automata are compared exactly
    return !(left->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, left->a) == VARIABLE_AUTOMATON);
}

/* While time advances only values in other states, in(…), have areas. */
static int32_t area_of(const void *owner, int32_t variable) {
    const hbg_eqn *eqn = owner;
    bool pulses = variable < eqn->base_count && hbg_eqn_kind_of(eqn, variable) == VARIABLE_IN;
    return pulses ? variable + LAYER_AREA * eqn->base_count : HBG_NONE;
}

static int32_t relation_number(hbg_eqn *eqn, hbg_term term) {
    while (eqn->instants.relation_of_term.count <= term)
        HBG_PUSH(eqn->arena, eqn->instants.relation_of_term, HBG_NONE);
    if (eqn->instants.relation_of_term.items[term] != HBG_NONE)
        return eqn->instants.relation_of_term.items[term];
    term_node node = eqn->terms.nodes.items[term];
    hbg_term difference = hbg_term_subtract(&eqn->terms, node.a, node.b);
    difference = hbg_term_substitute(&eqn->terms, &eqn->scratch, difference, present, eqn);
    difference = written_out(eqn, difference);
    eqn->instants.relation_of_term.items[term] = eqn->relations.count;
    relation_info made = {
        .term = term, .op = node.op, .difference = difference, .written = HBG_NONE, .place = HBG_NONE};
    made.finite =
        hbg_term_parts(&eqn->terms, &eqn->scratch, (hbg_term_pulses){area_of, eqn}, difference, &made.area);
    HBG_PUSH(eqn->arena, eqn->relations, made);
    return eqn->relations.count - 1;
}

static void list_relations(hbg_eqn *eqn, guard_info *guard) {
    HBG_VEC(int32_t) found = {0}, ins = {0};
    hbg_term_walk(&eqn->terms, guard->condition);
    int32_t count = eqn->terms.walk.count;
    hbg_term *walk = HBG_NEW_ARRAY(eqn->arena, hbg_term, count + 1);
    memcpy(walk, eqn->terms.walk.items, (size_t)count * sizeof *walk);
    for (int32_t i = 0; i < count; i++) {
        const term_node *node = &eqn->terms.nodes.items[walk[i]];
        if (node->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, node->a) == VARIABLE_IN)
            HBG_PUSH(eqn->arena, ins, node->a % eqn->base_count - eqn->first[VARIABLE_IN]);
        if (hbg_eqn_compares_numbers(eqn, node) && node->level >= (eqn->may_move ? LEVEL_PARAM : LEVEL_RUN))
            HBG_PUSH(eqn->arena, found, relation_number(eqn, walk[i]));
    }
    guard->relations = found.items;
    guard->relation_count = found.count;
    guard->ins = ins.items;
    guard->in_count = ins.count;
    guard->walk = walk;
    guard->walk_count = count;
    if (guard->condition >= eqn->instants.term_count) eqn->instants.term_count = guard->condition + 1;
}

/* Polarity: a relation under an even number of negations enables when it is true. notes: ENABLES_TRUE seen
 * without negation, ENABLES_FALSE negated. */
static void find_polarity(hbg_eqn *eqn, guard_info *guard) {
    hbg_terms *terms = &eqn->terms;
    guard->enables = HBG_NEW_ARRAY(eqn->arena, uint8_t, guard->relation_count + 1);
    terms->notes.items[guard->condition] = ENABLES_TRUE;
    for (int32_t i = guard->walk_count - 1; i >= 0; i--) {
        const term_node *node = &terms->nodes.items[guard->walk[i]];
        int seen = terms->notes.items[guard->walk[i]];
        int32_t relation = guard->walk[i] < eqn->instants.relation_of_term.count
                               ? eqn->instants.relation_of_term.items[guard->walk[i]]
                               : HBG_NONE;
        terms->notes.items[guard->walk[i]] = 0;
        if (seen == 0) continue;
        for (int32_t k = 0; k < guard->relation_count && relation != HBG_NONE; k++)
            if (guard->relations[k] == relation) guard->enables[k] = (uint8_t)seen;
        int handed = node->op == HBG_OP_NOT                            ? (seen >> 1 | (seen & 1) << 1)
                     : node->op == HBG_OP_AND || node->op == HBG_OP_OR ? seen
                                                                       : 3;
        for (int k = 0; k < hbg_term_arity(node); k++)
            terms->notes.items[hbg_term_argument(node, k)] |= handed;
    }
}

/* ---- what instants read ------------------------------------------------------------------------------- */

static void list_variables(hbg_eqn *eqn, hbg_term term, bool *listed) {
    if (term == HBG_NONE) return;
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE || node->level < LEVEL_RUN || listed[node->a]) continue;
        listed[node->a] = true;
        HBG_PUSH(eqn->arena, eqn->instants.variables, node->a);
    }
}

/* Lists the variables that restitution reads: the sum of its junction, and its coefficient. */
static void list_restitution(hbg_eqn *eqn, bool *listed) {
    const hbg_model *model = eqn->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (element->ports != 0 || element->restitution == HBG_NONE) continue;
        HBG_PUSH(eqn->arena, eqn->instants.restitution, i);
        variable_kind summed = element->kind == HBG_KIND_ZERO ? VARIABLE_FLOW : VARIABLE_EFFORT;
        list_variables(eqn, eqn->expr_term[element->restitution], listed);
        for (int32_t k = model->incidence_start[i]; k < model->incidence_start[i + 1]; k++)
            list_variables(eqn, hbg_eqn_var(eqn, summed, model->incidence[k]), listed);
    }
}

/* ---- work of sources ---------------------------------------------------------------------------------- */

/* The term of a variable given from outside: time, inputs, and their rates; HBG_NONE if the system computes
 * it. */
static hbg_term outside(void *context, int32_t variable) {
    hbg_eqn *eqn = context;
    if (variable >= eqn->base_count || hbg_eqn_kind_of(eqn, variable) != VARIABLE_DER) return HBG_NONE;
    int32_t argument = eqn->model->exprs.items[eqn->pres.exprs.items[variable - eqn->first[VARIABLE_DER]]].a;
    return eqn->expr_term[argument];
}

/* A source is independent if its value reads nothing of the system: time, inputs and parameters alone. */
static bool is_independent(hbg_eqn *eqn, hbg_term value) {
    hbg_term full = written_out(eqn, value);
    for (int i = 0; i < 2; i++) // der(der(…)) at most
        full = written_out(eqn, hbg_term_substitute(&eqn->terms, &eqn->scratch, full, outside, eqn));
    hbg_term_walk(&eqn->terms, full);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE || node->level < LEVEL_RUN) continue;
        variable_kind kind = hbg_eqn_kind_of(eqn, node->a);
        if (kind != VARIABLE_TIME && kind != VARIABLE_INPUT && kind != VARIABLE_GIVEN) return false;
    }
    return true;
}

/* Whether an expression reads a der(…): such an integrator or source may jump wherever anything else does,
 * even if nothing switches. */
static bool passes_der(hbg_eqn *eqn, hbg_expr expr) {
    if (expr == HBG_NONE) return false;
    hbg_term_walk(&eqn->terms, written_out(eqn, eqn->expr_term[expr]));
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, node->a) == VARIABLE_DER) return true;
    }
    return false;
}

/* The variables of a source that pulses by itself. The other variable jumps with its pulse: during the pulse
 * it passes from its value before to its value after. */
pulse_source hbg_eqn_pulse_source(hbg_eqn *eqn, int32_t element) {
    const hbg_element *of = &eqn->model->elements.items[element];
    bool effort = of->kind == HBG_KIND_SE;
    hbg_term value = effort || of->kind == HBG_KIND_SF ? hbg_eqn_source_value(eqn, element) : HBG_NONE;
    pulse_source none = {HBG_NONE, HBG_NONE, 0};
    if (value == HBG_NONE || of->ports != 1 || !is_independent(eqn, value)) return none;
    if (!passes_der(eqn, eqn->model->entries.items[of->first_value])) return none;
    int32_t bond = hbg_eqn_bond_of(eqn->model, element, 1);
    int32_t e = eqn->first[VARIABLE_EFFORT] + bond, f = eqn->first[VARIABLE_FLOW] + bond;
    double sign = hbg_eqn_sign(eqn->model, element, 1, HBG_VARIABLE_EFFORT) *
                  hbg_eqn_sign(eqn->model, element, 1, HBG_VARIABLE_FLOW);
    return (pulse_source){effort ? e : f, effort ? f : e, sign};
}

/* The half of the work with the value after the pulse; the other half uses the value before: see
 * hbg_eqn_jump_work. */
static hbg_term half_of_pulse(hbg_eqn *eqn, const pulse_source *of) {
    hbg_term area = hbg_eqn_chain(eqn, hbg_term_variable(&eqn->terms, of->own), LAYER_AREA);
    hbg_term now = hbg_term_variable(&eqn->terms, of->other);
    hbg_term half = hbg_term_make(&eqn->terms, HBG_OP_DIVIDE, hbg_term_multiply(&eqn->terms, area, now),
                                  hbg_term_integer(&eqn->terms, 2), HBG_NONE);
    return of->sign < 0 ? hbg_term_negate(&eqn->terms, half) : half;
}

/* The work of a source in a jump: area times its own value; a source modulated by the system does no work of
 * its own. */
hbg_term hbg_eqn_jump_work(hbg_eqn *eqn, int32_t element) {
    hbg_element_kind kind = eqn->model->elements.items[element].kind;
    hbg_term value = hbg_eqn_source_value(eqn, element);
    if (value == HBG_NONE || !is_independent(eqn, value)) return hbg_term_integer(&eqn->terms, 0);
    hbg_variable other = kind == HBG_KIND_SE ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
    hbg_term area = hbg_eqn_chain(eqn, hbg_eqn_port(eqn, element, 1, other), LAYER_AREA);
    int32_t net = eqn->model->elements.items[element].net;
    bool thermal = net >= 0 && eqn->model->net_domain[net] == HBG_DOMAIN_THERMAL;
    hbg_term work = thermal ? area : hbg_term_multiply(&eqn->terms, value, area);
    pulse_source pulse = hbg_eqn_pulse_source(eqn, element);
    return pulse.own == HBG_NONE ? work : hbg_term_add(&eqn->terms, work, half_of_pulse(eqn, &pulse));
}

/* Lists the other variables of sources that pulse: their left limits are recorded. */
static void list_pulse_sources(hbg_eqn *eqn, bool *listed) {
    for (int32_t i = 0; i < eqn->model->elements.count; i++) {
        pulse_source of = hbg_eqn_pulse_source(eqn, i);
        if (of.own == HBG_NONE) continue;
        list_variables(eqn, hbg_term_variable(&eqn->terms, of.other), listed);
        list_variables(eqn, hbg_term_variable(&eqn->terms, of.own), listed);
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static hbg_term guard_term(hbg_eqn *eqn, hbg_expr expr, int32_t automaton, int32_t state) {
    hbg_term term = written_out(eqn, eqn->expr_term[expr]);
    term = hbg_term_substitute(&eqn->terms, &eqn->scratch, term, take_apart, eqn);
    return hbg_eqn_checked_in(eqn, term, automaton, state);
}

/* Notes relations of the guard itself as they were written: terms have signals written out, and names of
 * their own. */
static void note_written(hbg_eqn *eqn, hbg_expr guard, int32_t automaton, int32_t state) {
    HBG_VEC(hbg_expr) left = {0};
    HBG_PUSH(&eqn->scratch, left, guard);
    while (left.count > 0) {
        hbg_expr expr = left.items[--left.count];
        const hbg_expr_node *node = &eqn->model->exprs.items[expr];
        if (node->op == HBG_OP_AND || node->op == HBG_OP_OR) HBG_PUSH(&eqn->scratch, left, node->b);
        if (node->op == HBG_OP_AND || node->op == HBG_OP_OR || node->op == HBG_OP_NOT)
            HBG_PUSH(&eqn->scratch, left, node->a);
        if (node->op < HBG_OP_EQUAL || node->op > HBG_OP_GREATER_EQUAL) continue;
        hbg_term term = guard_term(eqn, expr, automaton, state);
        if (term >= eqn->instants.relation_of_term.count ||
            eqn->instants.relation_of_term.items[term] == HBG_NONE)
            continue;
        relation_info *of = &eqn->relations.items[eqn->instants.relation_of_term.items[term]];
        if (of->written == HBG_NONE) of->written = expr;
    }
}

static void make_guard(hbg_eqn *eqn, int32_t automaton, int32_t state, int32_t transition) {
    const hbg_transition *of = &eqn->model->transitions.items[transition];
    guard_info *guard = &eqn->guards[transition];
    *guard = (guard_info){.automaton = automaton, .state = state, .condition = HBG_NONE, .after = NAN};
    if (of->after != HBG_NONE) {
        hbg_model_constant(eqn->model, of->after, &guard->after);
        eqn->has_events = true;
    }
    if (of->guard == HBG_NONE) return;
    guard->condition = guard_term(eqn, of->guard, automaton, state);
    list_relations(eqn, guard);
    find_polarity(eqn, guard);
    note_written(eqn, of->guard, automaton, state);
    eqn->has_events |= !hbg_term_is_zero(&eqn->terms, guard->condition);
}

static void find_passed_ders(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    bool found = false;
    for (int32_t i = 0; i < model->signals.count && !found; i++)
        found = model->signals.items[i].kind == HBG_SIGNAL_STATE &&
                passes_der(eqn, model->signals.items[i].value);
    for (int32_t i = 0; i < model->elements.count && !found; i++) {
        const hbg_element *of = &model->elements.items[i];
        bool source = of->kind == HBG_KIND_SE || of->kind == HBG_KIND_SF;
        for (int32_t k = 0; k < of->value_count && source && !found; k++)
            found = passes_der(eqn, model->entries.items[of->first_value + k]);
    }
    eqn->has_events |= found;
}

static void find_ders_of_pre(hbg_eqn *eqn) {
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) {
        if (eqn->pres.der_terms[i] == HBG_NONE) continue;
        hbg_term_walk(&eqn->terms, eqn->pres.terms[i]);
        for (int32_t k = 0; k < eqn->terms.walk.count; k++) {
            const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[k]];
            eqn->pres.has_ders |= node->op == TERM_VARIABLE && hbg_eqn_kind_of(eqn, node->a) == VARIABLE_PRE;
        }
    }
}

/* Lists the variables of the value layer that a relation reads. */
static void list_read(hbg_eqn *eqn, relation_info *of) {
    int32_map found = {0};
    hbg_term_walk(&eqn->terms, of->term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->a < eqn->base_count) HBG_PUSH(eqn->arena, found, node->a);
    }
    of->variables = found.items;
    of->variable_count = found.count;
}

/* Whether a source that takes part in conflicts of the cluster changes while time advances. */
static bool has_moving_source(const hbg_eqn *eqn, const limit_cluster *of) {
    for (int32_t i = 0; i < of->elements.count; i++) {
        int32_t element = of->elements.items[i];
        if (hbg_eqn_limit_source(eqn, of, element) == HBG_NONE) continue;
        if (eqn->may_move || eqn->terms.nodes.items[hbg_eqn_source_value(eqn, element)].level == LEVEL_RUN)
            return true;
    }
    return false;
}

/* Watches conflicts: sources that agree in a real mode may diverge, and then an instant begins (semantics,
 * section 3a). No guard reads these relations. */
static void watch_conflicts(hbg_eqn *eqn) {
    for (int32_t i = 0; i < eqn->limits.clusters.count; i++) {
        const limit_cluster *of = &eqn->limits.clusters.items[i];
        for (int32_t k = 0; k < of->places.count && has_moving_source(eqn, of); k++) {
            hbg_term conflict = hbg_eqn_var(eqn, VARIABLE_CONFLICT, of->places.items[k]);
            hbg_term zero = hbg_term_integer(&eqn->terms, 0);
            hbg_term differs = hbg_term_make(&eqn->terms, HBG_OP_NOT_EQUAL, conflict, zero, HBG_NONE);
            int32_t number = relation_number(eqn, differs);
            eqn->relations.items[number].place = of->places.items[k];
            if (differs >= eqn->instants.term_count) eqn->instants.term_count = differs + 1;
        }
    }
}

term_walk hbg_eqn_walk_of(hbg_eqn *eqn, hbg_term term) {
    hbg_term_walk(&eqn->terms, term);
    term_walk walk = {HBG_NEW_ARRAY(eqn->arena, hbg_term, eqn->terms.walk.count + 1), eqn->terms.walk.count};
    memcpy(walk.terms, eqn->terms.walk.items, (size_t)walk.count * sizeof *walk.terms);
    if (term >= eqn->instants.term_count)
        eqn->instants.term_count = term + 1; // arguments have smaller numbers
    return walk;
}

bool hbg_eqn_has_cells(int op) {
    return op == HBG_OP_FLOOR || op == HBG_OP_CEIL || op == HBG_OP_REMAINDER || op == HBG_OP_TABLE ||
           op == TERM_SLOPE;
}

/* Makes the walks, in memory that all runs share, before there are any runs. */
static void keep_walks(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    eqn->pres.walks = HBG_NEW_ARRAY(eqn->arena, term_walk, eqn->pres.exprs.count + 1);
    eqn->in.walks = HBG_NEW_ARRAY(eqn->arena, term_walk, eqn->in.list.count + 1);
    eqn->instants.restitution_walks = HBG_NEW_ARRAY(eqn->arena, term_walk, model->elements.count + 1);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++)
        eqn->pres.walks[i] = hbg_eqn_walk_of(eqn, eqn->pres.terms[i]);
    for (int32_t i = 0; i < eqn->in.list.count; i++)
        eqn->in.walks[i] = hbg_eqn_walk_of(eqn, eqn->in.list.items[i].term);
    for (int32_t i = 0; i < eqn->instants.restitution.count; i++) {
        int32_t element = eqn->instants.restitution.items[i];
        eqn->instants.restitution_walks[element] =
            hbg_eqn_walk_of(eqn, eqn->expr_term[model->elements.items[element].restitution]);
    }
    for (int32_t i = 0; i < eqn->relations.count; i++) {
        relation_info *of = &eqn->relations.items[i];
        term_walk walk = hbg_eqn_walk_of(eqn, of->difference);
        of->walk = walk.terms;
        of->walk_count = walk.count;
        for (int32_t k = 0; k < walk.count; k++) {
            const term_node *node = &eqn->terms.nodes.items[walk.terms[k]];
            of->reads_relations |= hbg_eqn_compares_numbers(eqn, node);
            of->reads_cells |= hbg_eqn_has_cells(node->op);
        }
        list_read(eqn, of);
    }
}

static void list_timed(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        bool timed = of->every != HBG_NONE;
        for (int32_t k = 0; k < of->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[of->first_state + k];
            for (int32_t m = 0; m < state->transition_count; m++)
                timed |= !isnan(eqn->guards[state->first_transition + m].after);
        }
        if (timed) HBG_PUSH(eqn->arena, eqn->instants.timed, i);
    }
}

void hbg_eqn_find_guards(hbg_eqn *eqn) {
    const hbg_model *model = eqn->model;
    bool *listed = HBG_NEW_ARRAY(&eqn->scratch, bool, (size_t)eqn->base_count *LAYER_COUNT);
    eqn->pres.terms = HBG_NEW_ARRAY(eqn->arena, hbg_term, eqn->pres.exprs.count + 1);
    eqn->guards = HBG_NEW_ARRAY(eqn->arena, guard_info, model->transitions.count + 1);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++)
        eqn->pres.terms[i] = written_out(eqn, eqn->expr_term[model->exprs.items[eqn->pres.exprs.items[i]].a]);
    for (int32_t i = 0; i < eqn->in.exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[eqn->in.exprs.items[i]];
        HBG_PUSH(eqn->arena, eqn->in.list,
                 (in_info){node->b, node->c, written_out(eqn, eqn->expr_term[node->a])});
    }
    for (int32_t i = 0; i < model->automata.count; i++)
        for (int32_t k = 0; k < model->automata.items[i].state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[model->automata.items[i].first_state + k];
            for (int32_t m = 0; m < state->transition_count; m++)
                make_guard(eqn, i, k, state->first_transition + m);
        }
    for (int32_t i = 0; i < model->transitions.count; i++)
        list_variables(eqn, eqn->guards[i].condition, listed);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++) list_variables(eqn, eqn->pres.terms[i], listed);
    for (int32_t i = 0; i < eqn->in.list.count; i++) list_variables(eqn, eqn->in.list.items[i].term, listed);
    list_restitution(eqn, listed);
    list_pulse_sources(eqn, listed);
    find_passed_ders(eqn);
    find_ders_of_pre(eqn);
    watch_conflicts(eqn);
    keep_walks(eqn);
    list_timed(eqn);
    hbg_eqn_find_named(eqn);
    hbg_eqn_clear(eqn);
}
