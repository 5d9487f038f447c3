/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modes, compiled when first entered and kept: the field, the jump into it, and what is read out of it. */
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- the field ---------------------------------------------------------------------------------------- */

static int32_t rate_of(const hbg_eqn *eqn, int32_t state) {
    return LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + state;
}

void hbg_eqn_field(hbg_eqn *eqn, hbg_arena *scratch, const hbg_causal_assignment *assignment,
                   field_code *field) {
    hbg_equations_init(&field->all, scratch, eqn, assignment, PURPOSE_FIELD);
    int32_t *targets = HBG_NEW_ARRAY(scratch, int32_t, 2 * eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        targets[i] = rate_of(eqn, i);
        targets[eqn->state_count + i] = eqn->first[VARIABLE_STATE] + i;
    }
    hbg_equations_sort(&field->all, targets, 2 * eqn->state_count, NULL, &field->sorted);
    field->stage = hbg_stage_new(scratch, eqn, 0, true);
    hbg_stage_add(field->stage, &field->all, &field->sorted);
}

static int32_t *new_registers(hbg_eqn *eqn, int32_t count) {
    int32_t *reg = HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) reg[i] = HBG_NONE;
    return reg;
}

static void finish_field(hbg_eqn *eqn, compiled_mode *mode, field_code *field) {
    int32_t count = eqn->state_count;
    mode->field = (readout){hbg_stage_program(field->stage), new_registers(eqn, count), count};
    mode->registers = new_registers(eqn, eqn->base_count);
    memcpy(mode->registers, field->stage->var_register, (size_t)eqn->base_count * sizeof *mode->registers);
    mode->settled = (readout){{NULL, 0}, new_registers(eqn, count), count};
    for (int32_t i = 0; i < count; i++) {
        mode->field.reg[i] = field->stage->var_register[rate_of(eqn, i)];
        if (hbg_equations_is_dependent(&field->all, i)) {
            mode->settled.reg[i] = field->stage->var_register[eqn->first[VARIABLE_STATE] + i];
            mode->can_jump = true;
        }
    }
}

/* ---- readouts ----------------------------------------------------------------------------------------- */

static void list_variables(hbg_eqn *eqn, hbg_arena *scratch, hbg_term term, int32_map *targets) {
    hbg_terms_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) HBG_PUSH(scratch, *targets, node->a);
    }
}

static readout make_readout(field_code *field, const hbg_term *terms, int32_t count) {
    hbg_eqn *eqn = field->all.eqn;
    hbg_arena *scratch = field->all.arena;
    stage_mark mark = hbg_stage_mark(field->stage);
    readout made = {{NULL, 0}, new_registers(eqn, count), count};
    int32_map targets = {0};
    sorted_equations sorted;
    field->stage->locate = false;
    for (int32_t i = 0; i < count; i++) list_variables(eqn, scratch, terms[i], &targets);
    hbg_equations_sort(&field->all, targets.items, targets.count, field->stage, &sorted);
    hbg_stage_add(field->stage, &field->all, &sorted);
    for (int32_t i = 0; i < count; i++) made.reg[i] = hbg_stage_term(field->stage, terms[i]);
    made.code = hbg_stage_program(field->stage);
    hbg_stage_rollback(field->stage, mark);
    return made;
}

/* Energies of states as they are: a dependent storage that was not settled counts with what it holds. */
static readout make_energies(field_code *field) {
    hbg_eqn *eqn = field->all.eqn;
    field_code own = {.stage = hbg_stage_new(field->all.arena, eqn, 0, false)};
    hbg_equations_init(&own.all, field->all.arena, eqn, field->all.assignment, PURPOSE_ENERGY);
    return make_readout(&own, eqn->energy_terms, eqn->system.storage_count);
}

/* ---- guards while time flows -------------------------------------------------------------------------- */

static readout make_watch(field_code *field) {
    hbg_eqn *eqn = field->all.eqn;
    hbg_term *terms = HBG_NEW_ARRAY(field->all.arena, hbg_term, eqn->relations.count + 1);
    for (int32_t i = 0; i < eqn->relations.count; i++) terms[i] = eqn->relations.items[i].difference;
    return make_readout(field, terms, eqn->relations.count);
}

/* ---- compiling ---------------------------------------------------------------------------------------- */

static const char *explain_conflict(hbg_eqn *eqn, hbg_arena *scratch, const bool *on) {
    hbg_buffer text;
    hbg_buffer_init(&text, eqn->arena);
    hbg_causal_conflict_set conflict = hbg_causal_conflict(scratch, eqn->structure, on);
    hbg_buffer_text(&text, "the mode has no valid causal assignment; in conflict:");
    for (int32_t i = 0; i < conflict.count && i < 6; i++) {
        hbg_buffer_text(&text, i ? ", `" : " `");
        hbg_model_path(eqn->model, (hbg_object){HBG_OBJECT_BOND, conflict.bonds[i]}, &text);
        hbg_buffer_text(&text, "`");
    }
    return text.data;
}

static void compile(hbg_eqn *eqn, hbg_arena *scratch, compiled_mode *mode, const bool *on) {
    const hbg_rt_system *system = &eqn->system;
    field_code field;
    mode->assignment = hbg_causal_assignment_new(eqn->arena, eqn->structure);
    mode->valid = hbg_causal_assign(mode->assignment, on);
    if (!mode->valid) {
        mode->why = explain_conflict(eqn, scratch, on);
        return;
    }
    hbg_eqn_field(eqn, scratch, mode->assignment, &field);
    finish_field(eqn, mode, &field);
    mode->outputs = make_readout(&field, eqn->output_terms, system->output_count);
    mode->powers = make_readout(&field, eqn->power_terms, system->power_count);
    mode->energies = make_energies(&field);
    mode->ticks = make_readout(&field, eqn->tick_terms, system->clock_count);
    mode->watch = make_watch(&field);
    if (field.all.refused && !eqn->refused) eqn->refused = field.all.refused;
    hbg_eqn_make_event(eqn, mode, &field);
}

/* ---- modes seen before -------------------------------------------------------------------------------- */

static uint64_t hash_of(const uint8_t *on, int32_t count) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int32_t i = 0; i < count; i++) hash = (hash ^ on[i]) * 0x100000001B3u;
    return hash ^ hash >> 29;
}

static int32_t *find_slot(const hbg_eqn *eqn, const uint8_t *on) {
    int32_t places = eqn->structure->place_count;
    for (uint64_t i = hash_of(on, places);; i++) {
        int32_t *slot = &eqn->mode_slots[i & (uint64_t)(eqn->mode_slot_count - 1)];
        if (*slot == HBG_NONE || memcmp(eqn->modes.items[*slot]->on, on, (size_t)places) == 0) return slot;
    }
}

static void grow_slots(hbg_eqn *eqn) {
    eqn->mode_slot_count = eqn->mode_slot_count ? 2 * eqn->mode_slot_count : 16;
    eqn->mode_slots = HBG_NEW_ARRAY(eqn->arena, int32_t, eqn->mode_slot_count);
    for (int32_t i = 0; i < eqn->mode_slot_count; i++) eqn->mode_slots[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->modes.count; i++) *find_slot(eqn, eqn->modes.items[i]->on) = i;
}

compiled_mode *hbg_eqn_mode(hbg_eqn *eqn, const bool *on) {
    int32_t places = eqn->structure->place_count;
    if (2 * eqn->modes.count >= eqn->mode_slot_count) grow_slots(eqn);
    int32_t *slot = find_slot(eqn, (const uint8_t *)on);
    if (*slot != HBG_NONE) return eqn->modes.items[*slot];
    compiled_mode *mode = HBG_NEW(eqn->arena, compiled_mode);
    mode->on = HBG_NEW_ARRAY(eqn->arena, uint8_t, places + 1);
    memcpy(mode->on, on, (size_t)places);
    compile(eqn, &eqn->scratch, mode, on);
    hbg_eqn_clear(eqn);
    *slot = eqn->modes.count;
    HBG_PUSH(eqn->arena, eqn->modes, mode);
    return mode;
}
