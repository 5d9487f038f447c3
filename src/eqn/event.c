/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The sorted equations of an instant for an island: from the states before the instant, they give the states
 * after the jump, and the finite part and area of everything that guards read (semantics, sections 2 and
 * 4). */
#include "eqn/eqn_impl.h"

/* ---- which variables pulse in this mode --------------------------------------------------------------- */

static bool reads_pulse(hbg_eqn *eqn, const bool *may_pulse, hbg_term term) {
    hbg_term_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE) continue;
        if (node->a >= eqn->base_count || may_pulse[node->a] || node->a == eqn->first[VARIABLE_OPEN])
            return true;
    }
    return false;
}

/* Marks the variables that pulse. Pulses come from the rates of dependent storages, and spread to equations
 * that read them. Blocks are in order, so one pass finds all; the members of a loop pulse together. */
static void mark_pulses(equations *field, const sorted_equations *sorted, equations *jump) {
    hbg_eqn *eqn = field->eqn;
    for (int32_t i = 0; i < sorted->block_count; i++) {
        const sorted_block *block = &sorted->blocks[i];
        const int32_t *variables = sorted->variables + block->first;
        bool pulse = false;
        for (int32_t k = 0; k < block->count && !pulse; k++) {
            equation of = *hbg_eqn_equations_get(field, variables[k]);
            pulse = variables[k] < eqn->base_count && of.kind != EQUATION_KNOWN &&
                    (hbg_eqn_kind_of(eqn, variables[k]) == VARIABLE_DER ||
                     reads_pulse(eqn, jump->may_pulse, of.term));
        }
        for (int32_t k = 0; k < block->count && pulse; k++)
            if (variables[k] < eqn->base_count && hbg_eqn_kind_of(eqn, variables[k]) != VARIABLE_STATE) {
                jump->may_pulse[variables[k]] = true;
                HBG_PUSH(jump->arena, jump->pulsing, variables[k]);
            }
    }
}

/* Lists the variables that the work of a source in a jump reads. */
static void list_work(hbg_eqn *eqn, int32_t power, int32_map *targets) {
    hbg_term_walk(&eqn->terms, eqn->readouts.works[power]);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) HBG_PUSH(&eqn->scratch, *targets, node->a);
    }
}

/* Finds the variables that pulse, by the field's equations, for all that events need. */
static void find_pulses(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                        const int32_map *more, equations *jump) {
    int32_map targets = {0};
    for (int32_t i = 0; i < more->count; i++)
        HBG_PUSH(jump->arena, targets, more->items[i] % eqn->base_count);
    sorted_equations sorted;
    equations field;
    hbg_eqn_equations_init(&field, jump->arena, eqn, assignment, PURPOSE_FIELD);
    field.no_limits = jump->no_limits;
    for (int32_t i = 0; i < of->asked.count; i++) {
        bool area = of->asked.items[i] / eqn->base_count == LAYER_AREA;
        HBG_PUSH(jump->arena, targets, area ? of->asked.items[i] % eqn->base_count : of->asked.items[i]);
    }
    for (int32_t i = 0; i < of->powers.count; i++) list_work(eqn, of->powers.items[i], &targets);
    for (int32_t i = of->powers.count > 0 ? 0 : targets.count; i < targets.count; i++)
        if (targets.items[i] / eqn->base_count == LAYER_AREA) targets.items[i] %= eqn->base_count;
    for (int32_t i = 0; i < of->states.count; i++)
        HBG_PUSH(jump->arena, targets,
                 LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + of->states.items[i]);
    hbg_eqn_equations_sort(&field, targets.items, targets.count, NULL, &sorted);
    mark_pulses(&field, &sorted, jump);
    for (int32_t i = 0; of->piece && i < field.made.count; i++)
        HBG_PUSH(jump->arena, of->piece->decisive, field.made.items[i]);
    hbg_eqn_equations_end(&field);
}

/* ---- targets ------------------------------------------------------------------------------------------ */

static void list_targets(hbg_eqn *eqn, const island *of, const equations *all, int32_map *targets) {
    for (int32_t i = 0; i < of->asked.count; i++) {
        int32_t variable = of->asked.items[i];
        bool area = variable / eqn->base_count == LAYER_AREA;
        if (!area || all->may_pulse[variable % eqn->base_count]) HBG_PUSH(all->arena, *targets, variable);
    }
    for (int32_t k = 0; k < of->powers.count; k++) list_work(eqn, of->powers.items[k], targets);
}

/* Whether something may jump: a dependent storage; or an argument of der(…), for whatever reason. */
static bool can_jump(const island *of, const equations *all) {
    for (int32_t i = 0; i < of->states.count; i++)
        if (hbg_eqn_equations_is_dependent(all, of->states.items[i])) return true;
    for (int32_t i = 0; i < of->pres.count; i++)
        if (all->eqn->pres.der_terms[of->pres.items[i]] != HBG_NONE) return true;
    return false;
}

bool hbg_eqn_can_jump(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment) {
    return can_jump(of, &(equations){.eqn = eqn, .assignment = assignment});
}

static void sort_once(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                      const int32_map *more, equations *all, sorted_equations *sorted) {
    int32_map targets = {0};
    hbg_eqn_equations_init(all, &eqn->scratch, eqn, assignment, PURPOSE_JUMP);
    all->no_limits = of->piece != NULL;
    all->can_jump = of->piece ? of->piece->can_jump : can_jump(of, all);
    if (all->can_jump) find_pulses(eqn, of, assignment, more, all);
    list_targets(eqn, of, all, &targets);
    for (int32_t i = 0; i < more->count; i++) HBG_PUSH(all->arena, targets, more->items[i]);
    hbg_eqn_equations_sort(all, targets.items, targets.count, NULL, sorted);
    if (all->checks.count == 0) return;
    for (int32_t i = 0; i < all->checks.count; i++) HBG_PUSH(all->arena, targets, all->checks.items[i].area);
    hbg_eqn_equations_sort(all, targets.items, targets.count, NULL, sorted);
}

void hbg_eqn_sort_event(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                        const int32_map *more, equations *all, sorted_equations *sorted) {
    bool doubted = eqn->is_doubted;
    sort_once(eqn, of, assignment, more, all, sorted);
    if (!all->refused || doubted) return;
    hbg_eqn_equations_end(all);
    eqn->is_doubted = true;
    sort_once(eqn, of, assignment, more, all, sorted);
    eqn->is_doubted = false;
}

void hbg_eqn_sort_field(hbg_eqn *eqn, const hbg_causal_assignment *assignment, const int32_map *targets,
                        bool plain, equations *all, sorted_equations *sorted) {
    bool doubted = eqn->is_doubted;
    for (int again = 0; again < 2; again++) {
        hbg_eqn_equations_init(all, &eqn->scratch, eqn, assignment, PURPOSE_FIELD);
        all->plain = plain;
        hbg_eqn_equations_sort(all, targets->items, targets->count, NULL, sorted);
        if (!all->refused || eqn->is_doubted) break;
        hbg_eqn_equations_end(all);
        eqn->is_doubted = true;
    }
    eqn->is_doubted = doubted;
}
