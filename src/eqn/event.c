/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The code of an instant in a mode: states after the jump, and finite part and area of everything guards read, from the
 * states before it (semantics, sections 2 and 4). */
#include <string.h>

#include "eqn/eqn_impl.h"

static bool reads_pulse(hbg_eqn *eqn, const bool *may_pulse, hbg_term term) {
    hbg_terms_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE) continue;
        if (node->a >= eqn->base_count || may_pulse[node->a]) return true;
    }
    return false;
}

/* Pulses come from the rates of dependent storages and go where equations read them. Blocks are in order, so one pass
 * finds all; the members of a loop pulse together. */
static bool *find_pulses(equations *all, const sorted_equations *sorted) {
    hbg_eqn *eqn = all->eqn;
    bool *may_pulse = HBG_NEW_ARRAY(all->arena, bool, eqn->base_count);
    for (int32_t i = 0; i < sorted->block_count; i++) {
        const sorted_block *block = &sorted->blocks[i];
        const int32_t *variables = sorted->variables + block->first;
        bool pulse = false;
        for (int32_t k = 0; k < block->count && !pulse; k++) {
            equation of = *hbg_equations_get(all, variables[k]);
            pulse = variables[k] < eqn->base_count && of.kind != EQUATION_KNOWN &&
                    reads_pulse(eqn, may_pulse, of.term);
        }
        for (int32_t k = 0; k < block->count && pulse; k++)
            if (variables[k] < eqn->base_count && hbg_eqn_kind_of(eqn, variables[k]) != VARIABLE_STATE)
                may_pulse[variables[k]] = true;
    }
    return may_pulse;
}

/* Variables of the value layer that events read, each with its area where it may pulse. */
static void list_targets(hbg_eqn *eqn, hbg_arena *scratch, const bool *may_pulse, int32_map *targets) {
    for (int32_t i = 0; i < eqn->state_count; i++)
        HBG_PUSH(scratch, *targets, eqn->first[VARIABLE_STATE] + i);
    for (int32_t i = 0; i < eqn->event_variables.count; i++) {
        int32_t variable = eqn->event_variables.items[i];
        HBG_PUSH(scratch, *targets, variable);
        if (may_pulse && variable < eqn->base_count && may_pulse[variable])
            HBG_PUSH(scratch, *targets, variable + LAYER_AREA * eqn->base_count);
    }
    for (int32_t i = 0; i < eqn->first[VARIABLE_FLOW + 1] && may_pulse;
         i++) // pulses of all bonds, for the log
        if (may_pulse[i]) HBG_PUSH(scratch, *targets, i + LAYER_AREA * eqn->base_count);
    for (int32_t k = 0; k < eqn->system.power_count; k++) {
        if (hbg_term_is_zero(&eqn->terms, eqn->work_terms[k])) continue;
        hbg_terms_walk(&eqn->terms, eqn->work_terms[k]);
        for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
            const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
            if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) HBG_PUSH(scratch, *targets, node->a);
        }
    }
}

/* Which variables pulse is found on the field's equations, for all that events ask for. */
static bool *pulses_of(hbg_eqn *eqn, field_code *field) {
    int32_map targets = {0};
    sorted_equations sorted;
    hbg_arena *scratch = field->all.arena;
    list_targets(eqn, scratch, NULL, &targets);
    for (int32_t i = 0; i < eqn->first[VARIABLE_FLOW + 1]; i++)
        HBG_PUSH(scratch, targets, i); // pulses of all bonds are told
    for (int32_t i = 0; i < eqn->state_count; i++)
        HBG_PUSH(scratch, targets, LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + i);
    int32_t kept = 0;
    for (int32_t i = 0; i < targets.count; i++) // areas are what is looked for
        if (targets.items[i] / eqn->base_count != LAYER_AREA)
            targets.items[kept++] = targets.items[i];
        else
            targets.items[kept++] = targets.items[i] % eqn->base_count;
    hbg_equations_sort(&field->all, targets.items, kept, NULL, &sorted);
    return find_pulses(&field->all, &sorted);
}

void hbg_eqn_make_event(hbg_eqn *eqn, compiled_mode *mode, field_code *field) {
    hbg_arena *scratch = field->all.arena;
    equations all;
    sorted_equations sorted;
    int32_map targets = {0};
    int32_t count = eqn->state_count;
    size_t variables = (size_t)eqn->base_count * LAYER_COUNT;
    hbg_equations_init(&all, scratch, eqn, mode->assignment, PURPOSE_JUMP);
    all.can_jump = mode->can_jump;
    all.may_pulse = pulses_of(eqn, field);
    list_targets(eqn, scratch, all.may_pulse, &targets);
    hbg_equations_sort(&all, targets.items, targets.count, NULL, &sorted);
    hbg_eqn_stage *stage = hbg_stage_new(scratch, eqn, 0, false);
    hbg_stage_add(stage, &all, &sorted);
    mode->event_work = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->system.power_count + 1);
    for (int32_t k = 0; k < eqn->system.power_count; k++)
        mode->event_work[k] = hbg_stage_term(stage, eqn->work_terms[k]);
    if (all.refused && !eqn->refused) eqn->refused = all.refused;
    mode->checks = HBG_NEW_ARRAY(eqn->arena, pulse_check, all.checks.count + 1);
    for (int32_t i = 0; i < all.checks.count; i++) {
        int32_t reg = stage->var_register[all.checks.items[i].area];
        if (reg != HBG_NONE) mode->checks[mode->check_count++] = (pulse_check){reg, all.checks.items[i].term};
    }
    mode->jump = (readout){hbg_stage_program(stage), HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1), count};
    for (int32_t i = 0; i < count; i++)
        mode->jump.reg[i] = stage->var_register[eqn->first[VARIABLE_STATE] + i];
    mode->event_register = HBG_NEW_ARRAY(eqn->arena, int32_t, variables);
    memcpy(mode->event_register, stage->var_register, variables * sizeof *mode->event_register);
}
