/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The equations of a mode, one for each variable, made on request. Causality decides which element defines a
 * variable: effort arrives at the end of a bond with the causal stroke; the effort is defined by the element
 * at the other end, and the flow by the element at the stroke.
 *
 * Layers follow from the value equations by the chain rule: v = g(w) gives v' = Σ ∂g/∂w · w', and the same
 * for areas and tangents. A storage in derivative causality has the state x = Φ⁻¹(z), and its flow (effort of
 * an I) is x'. So index reduction consists of nothing but the rates of the variables on which z depends
 * (semantics, section 3). */
#include <string.h>

#include "eqn/eqn_impl.h"

/* Drops the equations kept, which are those without ties. */
static void drop_kept(hbg_eqn *eqn) {
    working_memory *work = &eqn->work;
    for (int32_t i = 0; i < work->kept.count; i++)
        work->equations[PURPOSE_FIELD][work->kept.items[i]] = (equation){EQUATION_NONE, HBG_NONE};
    work->kept.count = 0;
}

void hbg_eqn_equations_init(equations *all, hbg_arena *arena, hbg_eqn *eqn,
                            const hbg_causal_assignment *assignment, purpose purpose) {
    memset(all, 0, sizeof *all);
    all->eqn = eqn;
    all->arena = arena;
    all->assignment = assignment;
    all->purpose = purpose;
    all->equations = hbg_eqn_work_equations(eqn, purpose);
    all->may_pulse = purpose == PURPOSE_JUMP ? eqn->work.may_pulse : NULL;
    if (!eqn->is_doubted) return;
    drop_kept(eqn);
    hbg_eqn_find_ties(all);
}

/* Whether the equation is the same in every mode, and for all tangents. */
static bool is_lasting(const hbg_eqn *eqn, int32_t variable) {
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    bool plain =
        kind == VARIABLE_EFFORT || kind == VARIABLE_FLOW || kind == VARIABLE_SIGNAL || kind == VARIABLE_STATE;
    return plain && variable / eqn->base_count <= LAYER_RATE2 && !hbg_eqn_varies(eqn, variable);
}

/* Keeps the equations of the field that are the same in every mode, so that they need not be made again. */
void hbg_eqn_equations_end(equations *all) {
    hbg_eqn *eqn = all->eqn;
    bool keeps = all->purpose == PURPOSE_FIELD && !all->plain && !all->refused && !eqn->is_doubted;
    for (int32_t i = 0; i < all->made.count; i++) {
        int32_t variable = all->made.items[i];
        if (keeps && is_lasting(eqn, variable))
            HBG_PUSH(&eqn->work.arena, eqn->work.kept, variable);
        else
            all->equations[variable] = (equation){EQUATION_NONE, HBG_NONE};
    }
    for (int32_t i = 0; i < all->pulsing.count; i++) all->may_pulse[all->pulsing.items[i]] = false;
    all->made.count = all->pulsing.count = 0;
}

static equation assign(hbg_term term) {
    return (equation){EQUATION_ASSIGN, term};
}

static equation assign_zero(equations *all) {
    return assign(hbg_term_integer(&all->eqn->terms, 0));
}

/* ---- junctions ---------------------------------------------------------------------------------------- */

static const hbg_element *element_of(const equations *all, int32_t element) {
    return &all->eqn->model->elements.items[element];
}

/* +1 where the bond points into the junction. */
static int sign_at(const hbg_model *model, int32_t junction, int32_t bond) {
    return model->bonds.items[bond].to.element == junction ? 1 : -1;
}

/* The summed variable of the bond that determines a junction: Σ ±v = 0 solved for it. */
static hbg_term balance(equations *all, int32_t junction, int32_t bond, variable_kind summed) {
    hbg_eqn *eqn = all->eqn;
    const hbg_model *model = eqn->model;
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    int own = sign_at(model, junction, bond);
    for (int32_t i = model->incidence_start[junction]; i < model->incidence_start[junction + 1]; i++) {
        int32_t other = model->incidence[i];
        if (other == bond) continue;
        hbg_term share = hbg_eqn_var(eqn, summed, other);
        bool same = sign_at(model, junction, other) == own;
        sum = same ? hbg_term_subtract(&eqn->terms, sum, share) : hbg_term_add(&eqn->terms, sum, share);
    }
    return sum;
}

/* The equation of a junction that needs no reassignment: 0 while it is off. */
static equation selected(equations *all, int32_t place, equation of) {
    hbg_eqn *eqn = all->eqn;
    if (all->plain || !eqn->varies.select[place] || of.kind != EQUATION_ASSIGN) return of;
    hbg_term on = hbg_eqn_var(eqn, VARIABLE_ON, place), zero = hbg_term_integer(&eqn->terms, 0);
    return assign(hbg_term_make(&eqn->terms, HBG_OP_SELECT, on, of.term, zero));
}

/* At a junction that is off the other way, the summed variable of a bond is 0, except for what leaks; or the
 * parasite at a bond sets the variable that would be common. */
static equation set_of_bond(equations *all, int32_t place, int32_t bond, bool common) {
    int32_t gate = hbg_causal_gate_at(all->eqn->structure, place, bond);
    if (common && gate != HBG_NONE) return assign(hbg_eqn_var(all->eqn, VARIABLE_PARASITE, gate));
    return assign(hbg_eqn_equations_leak(all, place, bond));
}

/* A junction that is off sets its own variable to 0, or to what leaks; what a source that it cuts gets back
 * is 0 too. A floating one reads 0. The parasite of one that is on may set it instead. */
static equation set_variable(equations *all, int32_t place, int32_t bond, bool common) {
    bool dual = element_of(all, all->eqn->structure->place_element[place])->dual_off;
    if (hbg_causal_is_floating(all->assignment, place)) return assign_zero(all);
    if (dual && !hbg_causal_is_on(all->assignment, place)) return set_of_bond(all, place, bond, common);
    if (!common) return assign_zero(all);
    if (!hbg_causal_is_on(all->assignment, place)) return assign(hbg_eqn_equations_drop(all, place));
    return assign(hbg_eqn_var(all->eqn, VARIABLE_PARASITE, place));
}

/* The sum of a junction: 0, except for what is lost in it. */
static hbg_term sum_of_place(equations *all, int32_t place) {
    if (hbg_causal_is_on(all->assignment, place)) return hbg_eqn_equations_drop(all, place);
    return hbg_eqn_var(all->eqn, VARIABLE_PARASITE, place);
}

static equation junction_equation(equations *all, int32_t junction, int32_t bond, hbg_variable asked) {
    const hbg_causal_structure *structure = all->eqn->structure;
    int32_t place = structure->element_place[junction];
    bool zero_junction = element_of(all, junction)->kind == HBG_KIND_ZERO;
    bool reversed = hbg_causal_is_reversed(all->assignment, place);
    hbg_variable common = zero_junction ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    if (hbg_causal_is_on(all->assignment, place) == reversed ||
        hbg_causal_is_floating(all->assignment, place))
        return set_variable(all, place, bond, asked == common);
    int32_t determining = hbg_causal_determining_bond(all->assignment, place);
    variable_kind kind = asked == HBG_VARIABLE_EFFORT ? VARIABLE_EFFORT : VARIABLE_FLOW;
    if (asked != common) {
        hbg_term sum = balance(all, junction, bond, kind), rest = sum_of_place(all, place);
        bool in = sign_at(all->eqn->model, junction, bond) > 0;
        sum = in ? hbg_term_add(&all->eqn->terms, sum, rest) : hbg_term_subtract(&all->eqn->terms, sum, rest);
        if (all->purpose == PURPOSE_JUMP && element_of(all, junction)->restitution != HBG_NONE) {
            // Σ⁺ = −ε·Σ⁻ on entry (semantics, section 4)
            hbg_term bounce = hbg_eqn_var(all->eqn, VARIABLE_BOUNCE, junction);
            sum = in ? hbg_term_subtract(&all->eqn->terms, sum, bounce)
                     : hbg_term_add(&all->eqn->terms, sum, bounce);
        }
        return selected(all, place, assign(sum));
    }
    return selected(all, place, assign(hbg_eqn_var(all->eqn, kind, determining)));
}

equation hbg_eqn_equations_junction(equations *all, int32_t junction, int32_t bond, hbg_variable asked) {
    return junction_equation(all, junction, bond, asked);
}

/* ---- elements ----------------------------------------------------------------------------------------- */

static equation two_port_equation(equations *all, int32_t element, int32_t port, hbg_variable asked) {
    hbg_eqn *eqn = all->eqn;
    hbg_terms *terms = &eqn->terms;
    hbg_term modulus = hbg_eqn_value(eqn, element);
    bool gyrator = element_of(all, element)->kind == HBG_KIND_GY;
    bool effort = asked == HBG_VARIABLE_EFFORT;
    hbg_variable other = effort != gyrator ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    hbg_term input = hbg_eqn_port(eqn, element, 3 - port, other);
    // TF: e1 = n·e2, f2 = n·f1; GY: e1 = r·f2, e2 = r·f1
    bool times = gyrator ? effort : effort == (port == 1);
    return assign(times ? hbg_term_multiply(terms, modulus, input) : hbg_term_divide(terms, input, modulus));
}

static bool all_integral(const equations *all, int32_t element) {
    for (int32_t port = 1; port <= element_of(all, element)->ports; port++)
        if (hbg_causal_is_derivative(all->assignment, element, port)) return false;
    return true;
}

static int32_t rate_variable(const hbg_eqn *eqn, int32_t state) {
    return LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + state;
}

/* The equation of a storage that is a state anyway: its input has to equal the value of its law, which
 * determines its rate. */
static equation free_rate(equations *all, int32_t element, int32_t port, hbg_variable output) {
    hbg_eqn *eqn = all->eqn;
    equation law = hbg_eqn_storage_output(eqn, element, port, all_integral(all, element));
    hbg_term given = hbg_eqn_port(eqn, element, port, output);
    if (law.kind == EQUATION_ASSIGN) law.term = hbg_term_subtract(&eqn->terms, given, law.term);
    return (equation){EQUATION_IMPLICIT, law.term};
}

static equation storage_equation(equations *all, int32_t element, int32_t port, hbg_variable asked) {
    hbg_variable output =
        element_of(all, element)->kind == HBG_KIND_C ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW;
    if (asked == output) return hbg_eqn_storage_output(all->eqn, element, port, all_integral(all, element));
    int32_t state = all->eqn->element_state[element] + port - 1;
    if (all->dependences && all->dependences[state].is_free) return free_rate(all, element, port, output);
    return assign(hbg_term_variable(&all->eqn->terms, rate_variable(all->eqn, state)));
}

static bool is_cut(const equations *all, int32_t link) {
    int32_t place = hbg_causal_cutting_place(all->eqn->structure, link);
    return place != HBG_NONE && !hbg_causal_is_on(all->assignment, place);
}

static equation one_port_equation(equations *all, int32_t element, int32_t port, hbg_variable asked) {
    hbg_eqn *eqn = all->eqn;
    switch (element_of(all, element)->kind) {
    case HBG_KIND_SE:
    case HBG_KIND_SF: return assign(hbg_eqn_source_value(eqn, element));
    case HBG_KIND_R: return hbg_eqn_resistor(eqn, element, port, asked);
    default: return storage_equation(all, element, port, asked);
    }
}

/* An element defines its own variable; that of the bond may have the other sign. An implicit equation holds
 * for both. */
static equation element_equation(equations *all, int32_t element, int32_t port, hbg_variable asked) {
    hbg_element_kind kind = element_of(all, element)->kind;
    bool two_port = kind == HBG_KIND_TF || kind == HBG_KIND_GY;
    equation own = two_port ? two_port_equation(all, element, port, asked)
                            : one_port_equation(all, element, port, asked);
    if (own.kind == EQUATION_ASSIGN && hbg_eqn_sign(all->eqn->model, element, port, asked) < 0)
        own.term = hbg_term_negate(&all->eqn->terms, own.term);
    return own;
}

equation hbg_eqn_equations_element(equations *all, int32_t element, int32_t port, hbg_variable asked) {
    return element_equation(all, element, port, asked);
}

static bool is_source(const equations *all, int32_t element) {
    hbg_element_kind kind = element_of(all, element)->kind;
    return kind == HBG_KIND_SE || kind == HBG_KIND_SF;
}

/* Where a zero is set twice, the variable that the junction would give back is undetermined: a balance splits
 * between those that set it. */
static bool is_open(const equations *all, int32_t junction, int32_t link, hbg_variable asked) {
    const hbg_causal_structure *structure = all->eqn->structure;
    int32_t place = structure->element_place[junction];
    bool sets_effort = structure->is_zero[place];
    if (!hbg_causal_is_repeated(all->assignment, link) || hbg_causal_is_floating(all->assignment, place))
        return false;
    if (!hbg_causal_is_on(all->assignment, place))
        sets_effort = sets_effort != element_of(all, junction)->dual_off;
    return sets_effort != (asked == HBG_VARIABLE_EFFORT);
}

/* The term of the variable if it is the input of a storage that is tied to others (tie.c); HBG_NONE
 * otherwise. */
static hbg_term tied(const equations *all, const hbg_bond *bond, hbg_variable asked) {
    for (int i = 0; i < 2; i++) {
        const hbg_bond_end *end = i ? &bond->to : &bond->from;
        int32_t state = all->eqn->element_state[end->element];
        if (state == HBG_NONE) continue;
        bool capacitor = element_of(all, end->element)->kind == HBG_KIND_C;
        if (asked != (capacitor ? HBG_VARIABLE_EFFORT : HBG_VARIABLE_FLOW)) continue;
        return all->dependences[state + (end->port > 0 ? end->port - 1 : 0)].tie;
    }
    return HBG_NONE;
}

static equation bond_equation(equations *all, int32_t bond, hbg_variable asked) {
    const hbg_bond *of = &all->eqn->model->bonds.items[bond];
    int32_t link = all->eqn->structure->bond_link[bond];
    if (link == HBG_NONE) return assign_zero(all); // a ring of transformers alone
    const hbg_bond_end *ends[] = {&of->from, &of->to};
    if (is_cut(all, link)) return assign_zero(all); // it carries no power
    hbg_term tie = all->dependences ? tied(all, of, asked) : HBG_NONE;
    if (tie != HBG_NONE) return assign(tie);
    int stroke = hbg_causal_stroke(all->assignment, bond);
    const hbg_bond_end *by = asked == HBG_VARIABLE_EFFORT ? ends[1 - stroke] : ends[stroke];
    if (all->eqn->structure->element_place[by->element] != HBG_NONE) {
        if (!is_open(all, by->element, link, asked)) return junction_equation(all, by->element, bond, asked);
        return assign(hbg_eqn_var(all->eqn, VARIABLE_OPEN, 0));
    }
    if (hbg_causal_is_repeated(all->assignment, link) && is_source(all, by->element)) return assign_zero(all);
    equation given = element_equation(all, by->element, by->port, asked);
    int32_t cutting =
        is_source(all, by->element) ? hbg_causal_cutting_place(all->eqn->structure, link) : HBG_NONE;
    return cutting == HBG_NONE ? given : selected(all, cutting, given);
}

/* ---- states and signals ------------------------------------------------------------------------------- */

bool hbg_eqn_equations_is_dependent(const equations *all, int32_t state) {
    const state_info *info = &all->eqn->states[state];
    if (info->element == HBG_NONE || (all->dependences && all->dependences[state].is_free)) return false;
    return hbg_causal_is_derivative(all->assignment, info->element, info->port);
}

/* The rate of a state. */
static hbg_term rate_term(equations *all, int32_t state) {
    const state_info *info = &all->eqn->states[state];
    if (info->element == HBG_NONE)
        return all->eqn->expr_term[all->eqn->model->signals.items[info->signal].value];
    hbg_variable input =
        element_of(all, info->element)->kind == HBG_KIND_C ? HBG_VARIABLE_FLOW : HBG_VARIABLE_EFFORT;
    return hbg_eqn_port(all->eqn, info->element, info->port, input);
}

hbg_term hbg_eqn_equations_rate_term(equations *all, int32_t state) {
    return rate_term(all, state);
}

static equation state_equation(equations *all, int32_t state) {
    hbg_eqn *eqn = all->eqn;
    const state_info *info = &eqn->states[state];
    if (hbg_eqn_equations_is_dependent(all, state))
        return hbg_eqn_storage_state(eqn, info->element, info->port);
    switch (all->purpose) {
    case PURPOSE_START: return assign(hbg_eqn_var(eqn, VARIABLE_START, state));
    case PURPOSE_JUMP: {
        hbg_term area = hbg_eqn_equations_layer(all, rate_term(all, state), LAYER_AREA);
        return assign(hbg_term_add(&eqn->terms, hbg_eqn_var(eqn, VARIABLE_OLD, state), area));
    }
    default: return (equation){EQUATION_KNOWN, HBG_NONE};
    }
}

static equation signal_equation(equations *all, int32_t signal) {
    hbg_eqn *eqn = all->eqn;
    const hbg_signal *of = &eqn->model->signals.items[signal];
    if (of->every != HBG_NONE) return (equation){EQUATION_KNOWN, HBG_NONE}; // held between ticks
    switch (of->kind) {
    case HBG_SIGNAL_INPUT: {
        hbg_term given = hbg_eqn_var(eqn, VARIABLE_INPUT, signal);
        if (of->value == HBG_NONE) return assign(given);
        hbg_term is_given = hbg_eqn_var(eqn, VARIABLE_GIVEN, signal);
        return assign(hbg_term_make(&eqn->terms, HBG_OP_SELECT, is_given, given, eqn->expr_term[of->value]));
    }
    default: return assign(eqn->expr_term[of->value]);
    }
}

static equation value_equation(equations *all, int32_t variable) {
    variable_kind kind = hbg_eqn_kind_of(all->eqn, variable);
    int32_t index = variable - all->eqn->first[kind];
    switch (kind) {
    case VARIABLE_EFFORT: return bond_equation(all, index, HBG_VARIABLE_EFFORT);
    case VARIABLE_FLOW: return bond_equation(all, index, HBG_VARIABLE_FLOW);
    case VARIABLE_SIGNAL: return signal_equation(all, index);
    case VARIABLE_STATE: return state_equation(all, index);
    case VARIABLE_START: return hbg_eqn_start_equation(all, index);
    case VARIABLE_DER: return assign(all->eqn->pres.der_terms[index]);
    case VARIABLE_PARASITE: return hbg_eqn_parasite(all, index);
    case VARIABLE_CONFLICT: return hbg_eqn_conflict(all, index);
    default: return (equation){EQUATION_KNOWN, HBG_NONE};
    }
}

/* ---- layers ------------------------------------------------------------------------------------------- */

/* x' has the area of the jump; other areas are variables of their own where there can be a pulse. */
static hbg_term area_of(equations *all, int32_t variable) {
    hbg_eqn *eqn = all->eqn;
    int32_t state = variable % eqn->base_count - eqn->first[VARIABLE_STATE];
    if (variable < eqn->base_count) {
        if (!all->may_pulse || !all->may_pulse[variable]) return HBG_NONE;
        return hbg_term_variable(&eqn->terms, variable + LAYER_AREA * eqn->base_count);
    }
    bool of_state =
        variable / eqn->base_count == LAYER_RATE && hbg_eqn_kind_of(eqn, variable) == VARIABLE_STATE;
    if (!all->can_jump) return HBG_NONE; // nothing jumps, so no rate pulses
    if (!of_state) {
        all->refused = "the pulse of a derivative";
        return HBG_NONE;
    }
    return hbg_term_subtract(&eqn->terms, hbg_eqn_var(eqn, VARIABLE_STATE, state),
                             hbg_eqn_var(eqn, VARIABLE_OLD, state));
}

/* Whether a variable changes while time advances in a mode. */
static bool moves(equations *all, int32_t variable) {
    variable_kind kind = hbg_eqn_kind_of(all->eqn, variable);
    if (kind == VARIABLE_SIGNAL) return hbg_eqn_equations_get(all, variable)->kind != EQUATION_KNOWN;
    return kind == VARIABLE_EFFORT || kind == VARIABLE_FLOW || kind == VARIABLE_STATE ||
           kind == VARIABLE_DER || kind == VARIABLE_PARASITE || kind == VARIABLE_CONFLICT;
}

/* Whether a layer has derivatives along time. */
static bool goes_with_time(const equations *all, variable_layer layer) {
    return layer == LAYER_RATE || (layer == LAYER_TANGENT && all->along_time);
}

/* The view of a variable in a layer: a term, or HBG_NONE for 0. */
static hbg_term layer_of(equations *all, int32_t variable, variable_layer layer) {
    hbg_eqn *eqn = all->eqn;
    if (variable / eqn->base_count == LAYER_AREA) return HBG_NONE; // a number at a point
    if (variable == eqn->first[VARIABLE_OPEN])
        return layer == LAYER_TANGENT ? HBG_NONE : hbg_term_variable(&eqn->terms, variable);
    if (layer == LAYER_AREA) return area_of(all, variable);
    if (layer == LAYER_RATE && variable / eqn->base_count >= LAYER_RATE2) {
        if (!all->refused) all->refused = "a third derivative";
        return all->may_be_unread ? hbg_eqn_var(eqn, VARIABLE_OPEN, 0) : HBG_NONE;
    }
    if (variable == eqn->first[VARIABLE_TIME] && goes_with_time(all, layer))
        return hbg_term_integer(&eqn->terms, 1);
    if (!moves(all, variable)) return HBG_NONE;
    int32_t shifted = variable + (int32_t)layer * eqn->base_count; // tangents of rates are in the next layers
    if (all->is_still && all->is_still[shifted]) return HBG_NONE;
    return hbg_term_variable(&eqn->terms, shifted);
}

/* Notes that the term is not linear in the pulse of a variable, if its partial derivative there may pulse as
 * well. */
static void check_linear(equations *all, hbg_term term, const gradient_entry *part) {
    hbg_eqn *eqn = all->eqn;
    if (part->variable >= eqn->base_count) return;
    hbg_term_walk(&eqn->terms, part->partial);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE || node->a >= eqn->base_count || !all->may_pulse[node->a]) continue;
        HBG_PUSH(all->arena, all->checks, (pulse_check){part->variable + LAYER_AREA * eqn->base_count, term});
        return;
    }
}

static hbg_term chain(equations *all, hbg_term term, variable_layer layer) {
    hbg_terms *terms = &all->eqn->terms;
    gradient parts = {0};
    hbg_term sum = hbg_term_integer(terms, 0);
    terms->stop_at_finite = layer == LAYER_AREA;
    if (goes_with_time(all, layer))
        hbg_eqn_gradient_in_time(all->eqn, all->arena, term, &parts);
    else
        hbg_term_gradient(terms, all->arena, term, &parts);
    terms->stop_at_finite = false;
    for (int32_t i = 0; i < parts.count; i++) {
        if (parts.items[i].variable == HBG_NONE) {
            sum = hbg_term_add(terms, sum, hbg_eqn_rate_share(all->eqn, &parts.items[i]));
            continue;
        }
        hbg_term part = layer_of(all, parts.items[i].variable, layer);
        if (part != HBG_NONE && layer == LAYER_AREA) check_linear(all, term, &parts.items[i]);
        if (part != HBG_NONE)
            sum = hbg_term_add(terms, sum, hbg_term_multiply(terms, parts.items[i].partial, part));
    }
    return sum;
}

enum {
    NESTED = 64
}; /* depth to which areas are followed operator by operator; below it terms are differentiated */

static bool pulses(const equations *all, hbg_term term) {
    const hbg_eqn *eqn = all->eqn;
    hbg_term_walk(&all->eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count && all->may_pulse; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && (node->a >= eqn->base_count || all->may_pulse[node->a])) return true;
    }
    return false;
}

/* Whether a term has operators whose area is not by slopes of finite parts but by the order of values: |y|
 * has |area|, min and max the area of one argument. */
static bool orders(const equations *all, hbg_term term) {
    hbg_term_walk(&all->eqn->terms, term);
    for (int32_t i = 0; i < all->eqn->terms.walk.count; i++) {
        if (hbg_term_orders(all->eqn->terms.nodes.items[all->eqn->terms.walk.items[i]].op)) return true;
    }
    return false;
}

/* The area of a term: by the rules of pulses, argument by argument, if orders of values take part; anything
 * else is differentiated, and checked. */
static hbg_term area_term(equations *all, hbg_term term, int depth) {
    hbg_terms *terms = &all->eqn->terms;
    const term_node node = terms->nodes.items[term];
    hbg_term areas[3] = {HBG_NONE, HBG_NONE, HBG_NONE}, area;
    if (depth > NESTED || !orders(all, term) || !pulses(all, term)) return chain(all, term, LAYER_AREA);
    for (int i = 0; i < hbg_term_arity(&node); i++) {
        hbg_term part = hbg_term_argument(&node, i);
        if (pulses(all, part)) areas[i] = area_term(all, part, depth + 1);
    }
    if (!hbg_term_area(terms, term, areas, &area)) return chain(all, term, LAYER_AREA);
    return area == HBG_NONE ? hbg_term_integer(terms, 0) : area;
}

hbg_term hbg_eqn_equations_layer(equations *all, hbg_term term, variable_layer layer) {
    return layer == LAYER_AREA ? area_term(all, term, 0) : chain(all, term, layer);
}

/* Layers of known variables: states have their rate and their seed; time moves. */
static equation known_layer(equations *all, int32_t base, variable_layer layer) {
    hbg_eqn *eqn = all->eqn;
    int32_t state = base - eqn->first[VARIABLE_STATE];
    bool is_state = hbg_eqn_kind_of(eqn, base) == VARIABLE_STATE;
    if (is_state && layer == LAYER_RATE) return assign(rate_term(all, state));
    if (is_state && layer == LAYER_TANGENT) return assign(hbg_eqn_var(eqn, VARIABLE_SEED, state));
    if (layer == LAYER_RATE && base == eqn->first[VARIABLE_TIME])
        return assign(hbg_term_integer(&eqn->terms, 1));
    return assign_zero(all);
}

/* der(y) has the jump of y as its area (semantics, section 2); if y pulses, that has no meaning. */
static equation jump_of_argument(equations *all, int32_t index) {
    hbg_eqn *eqn = all->eqn;
    hbg_terms *terms = &eqn->terms;
    hbg_term after = eqn->pres.terms[index];
    gradient parts = {0};
    if (!all->can_jump) return assign_zero(all);
    terms->stop_at_finite = true;
    hbg_term_gradient(terms, all->arena, after, &parts);
    terms->stop_at_finite = false;
    for (int32_t i = 0; i < parts.count; i++) {
        int32_t read = parts.items[i].variable;
        if (read < eqn->base_count && all->may_pulse[read])
            HBG_PUSH(
                all->arena, all->checks,
                (pulse_check){read + LAYER_AREA * eqn->base_count, hbg_eqn_var(eqn, VARIABLE_DER, index)});
    }
    hbg_term jump = hbg_term_subtract(terms, after, hbg_eqn_var(eqn, VARIABLE_PRE, index));
    return assign(hbg_term_multiply(terms, hbg_eqn_var(eqn, VARIABLE_LIVE, 0), jump));
}

static equation layer_equation(equations *all, int32_t variable) {
    hbg_eqn *eqn = all->eqn;
    int32_t base = variable % eqn->base_count;
    variable_layer own = (variable_layer)(variable / eqn->base_count);
    variable_layer step = own == LAYER_RATE2                       ? LAYER_RATE
                          : own == LAYER_AREA || own == LAYER_RATE ? own
                                                                   : LAYER_TANGENT;
    bool state = hbg_eqn_kind_of(eqn, base) == VARIABLE_STATE;
    if (own == LAYER_AREA && state) return assign_zero(all);
    if (own == LAYER_AREA && hbg_eqn_kind_of(eqn, base) == VARIABLE_IN)
        return (equation){EQUATION_KNOWN, HBG_NONE}; // the value found in the other state
    if (own == LAYER_AREA && hbg_eqn_kind_of(eqn, base) == VARIABLE_DER)
        return jump_of_argument(all, base - eqn->first[VARIABLE_DER]);
    if (own == LAYER_RATE && state && !hbg_eqn_equations_is_dependent(all, base - eqn->first[VARIABLE_STATE]))
        return known_layer(all, base, own); // even if a jump computes the state
    equation below = *hbg_eqn_equations_get(all, variable - (int32_t)step * eqn->base_count);
    if (below.kind == EQUATION_KNOWN) return known_layer(all, base, own);
    below.term = hbg_eqn_equations_layer(all, below.term, step);
    if (hbg_term_is_zero(&eqn->terms, below.term)) below.kind = EQUATION_ASSIGN;
    return below;
}

const equation *hbg_eqn_equations_get(equations *all, int32_t variable) {
    equation *found = &all->equations[variable];
    if (found->kind == EQUATION_NONE) {
        equation made =
            variable < all->eqn->base_count ? value_equation(all, variable) : layer_equation(all, variable);
        *found = made;
        HBG_PUSH(all->arena, all->made, variable);
    }
    return found;
}
