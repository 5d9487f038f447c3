/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs as C statements at one place of a stride: states and time are called as there, every value is a variable of its own,
 * and a select by a junction is a mask. */
#include <math.h>
#include <string.h>

#include "code/native_impl.h"

const char *hbg_code_native_operand(stride_text *text, int32_t reg) {
    if (reg < 0) return "0";
    if (text->name[reg]) return text->name[reg];
    return hbg_arena_print(text->out->arena, "r[%d]", (int)reg);
}

/* ---- programs ----------------------------------------------------------------------------------------- */

/* Loops, tables and integrals over laws have arguments that are no registers. */
static bool is_plain(const instruction *code) {
    return (code->op < HBG_OP_COUNT && code->op != HBG_OP_TABLE) || code->op == CODE_COPY;
}

/* What parameters decide does not stay as it is while the run moves them. */
static bool may_move(const stride_text *text, int32_t reg) {
    const int32_map *copies = &text->code->registers.copy;
    for (int32_t i = 0; i < copies->count && text->options->lines; i++)
        if (copies->items[i] == reg) return true;
    return false;
}

const char *hbg_code_native_value(stride_text *text, const hbg_rt_readout *of, int32_t index) {
    return hbg_code_native_operand(text, hbg_rt_readout_registers(&text->code->image, of)[index]);
}

/* The mask of a register that selects: who switches in every other step is no branch, and who stays as he is need not be asked
 * in every step. HBG_NONE: it is computed on the way. */
static int32_t mask_of(stride_text *text, int32_t reg) {
    if (may_move(text, reg)) return HBG_NONE;
    if (text->mask[reg] == HBG_NONE && !text->name[reg]) {
        text->mask[reg] = reg;
        HBG_PUSH(text->out->arena, text->held, reg);
    }
    return text->mask[reg];
}

static bool is_zero(const hbg_code *code, int32_t reg) {
    for (int32_t i = 0; i < code->image.pool.constants.count; i++) {
        const hbg_rt_constant *constant = HBG_RT_AT(code->image.pool.constants, i);
        if (constant->reg == reg) return constant->value == 0 && !signbit(constant->value);
    }
    return false;
}

/* A select by a mask. A value that is 0 without the mask already is taken as it is; junctions often come in pairs. */
static bool print_select(stride_text *text, const instruction *at, operand_text of) {
    int32_t mask = at->op == HBG_OP_SELECT ? mask_of(text, at->argument[0]) : HBG_NONE;
    text->kept[at->d] = HBG_NONE;
    if (mask == HBG_NONE) return false;
    bool or_zero = is_zero(text->code, at->argument[2]);
    if (or_zero && text->kept[at->argument[1]] == mask)
        hbg_buffer_text(text->out, of.b);
    else if (or_zero)
        hbg_buffer_print(text->out, "keep(m%d, %s)", (int)mask, of.b);
    else
        hbg_buffer_print(text->out, "join(keep(m%d, %s), drop(m%d, %s))", (int)mask, of.b, (int)mask, of.c);
    if (or_zero) text->kept[at->d] = mask;
    return true;
}

static void print_code(stride_text *text, int32_t program) {
    hbg_rt_program code = hbg_rt_program_at(&text->code->image, program);
    for (int32_t i = 0; i < code.count && text->fine; i++) {
        const instruction *at = &code.code[i];
        text->fine = is_plain(at);
        if (!text->fine) return;
        operand_text of = {hbg_code_native_operand(text, at->argument[0]),
                           hbg_code_native_operand(text, at->argument[1]),
                           hbg_code_native_operand(text, at->argument[2])};
        hbg_buffer_print(text->out, "        const double v%d = ", (int)text->values);
        if (!print_select(text, at, of)) text->fine = hbg_code_native_expression(at, of, text->out);
        hbg_buffer_text(text->out, ";\n");
        text->name[at->d] = hbg_arena_print(text->out->arena, "v%d", (int)text->values++);
        text->calls += hbg_code_native_is_elementary(at->op);
        text->fine = text->fine && text->values <= LONGEST_STRIDE;
    }
}

void hbg_code_native_print_reading(stride_text *text, reading_kind reading) {
    const hbg_code *code = text->code;
    for (int32_t i = 0; i < code->segments.count; i++)
        print_code(text, HBG_RT_AT(code->image.pool.blocks, i)->code[reading]);
    print_code(text, code->image.code.finals[reading].code);
}

/* Registers of states and time are called as at this place; what was computed elsewhere is forgotten. */
void hbg_code_native_begin_place(stride_text *text, const char *state, const char *time) {
    const hbg_code *code = text->code;
    const hbg_eqn *eqn = code->eqn;
    memset(text->name, 0, (size_t)code->image.code.mark.registers * sizeof *text->name);
    for (int32_t i = 0; i < eqn->state_count; i++)
        text->name[code->registers.home[eqn->first[VARIABLE_STATE] + i]] =
            hbg_arena_print(text->out->arena, "%s%d", state, (int)i);
    text->name[code->registers.home[eqn->first[VARIABLE_TIME]]] = time;
    if (text->options->lines && !(text->at && strcmp(text->at, time) == 0))
        hbg_buffer_print(text->out, "        if (a->follow && a->follow(a->run, %s)) { end = 2; break; }\n",
                         time);
    text->at = time;
    for (int32_t i = 0; i < code->image.pool.constants.count; i++) {
        const hbg_rt_constant *constant = HBG_RT_AT(code->image.pool.constants, i);
        if (isfinite(constant->value))
            text->name[constant->reg] = hbg_arena_print(text->out->arena, "(%a)", constant->value);
    }
    for (int32_t n = 0; n < code->calm.automata.count; n++) {
        int32_t automaton = code->calm.automata.items[n];
        const int32_map *places = &eqn->automaton_places[automaton];
        text->name[code->registers.home[eqn->first[VARIABLE_AUTOMATON] + automaton]] =
            hbg_arena_print(text->out->arena, "(double)s%d", (int)n);
        for (int32_t k = 0; k < places->count; k++) {
            int32_t reg = code->registers.home[eqn->first[VARIABLE_ON] + places->items[k]];
            text->name[reg] = hbg_arena_print(text->out->arena, "keep(m%d, 1)", (int)text->mask[reg]);
        }
    }
}

/* ---- junctions of calm automata ----------------------------------------------------------------------- */

int32_t hbg_code_native_on_register(const hbg_code *code, int32_t place) {
    return code->registers.home[code->eqn->first[VARIABLE_ON] + place];
}

/* Whether two junctions of an automaton, which nobody else has a say in, are on in the same of its states. */
static bool switch_together(hbg_eqn *eqn, int32_t automaton, int32_t a, int32_t b, int32_t *states) {
    for (int32_t i = 0; i < eqn->model->automata.count; i++)
        for (int32_t k = 0; k < eqn->automaton_places[i].count && i != automaton; k++)
            if (eqn->automaton_places[i].items[k] == a || eqn->automaton_places[i].items[k] == b)
                return false;
    int32_t before = states[automaton];
    bool same = true;
    for (int32_t s = 0; s < eqn->model->automata.items[automaton].state_count && same; s++) {
        states[automaton] = s;
        same = hbg_causal_place_mode(eqn->structure, a, states) ==
               hbg_causal_place_mode(eqn->structure, b, states);
    }
    states[automaton] = before;
    return same;
}

/* A mask for each junction of a calm automaton; those that switch together share one. */
void hbg_code_native_name_masks(stride_text *text, hbg_arena *scratch) {
    hbg_code *code = text->code;
    hbg_eqn *eqn = code->eqn;
    int32_t *states = HBG_NEW_ARRAY(scratch, int32_t, eqn->model->automata.count + 1);
    memcpy(states, eqn->start.state, (size_t)eqn->model->automata.count * sizeof *states);
    for (int32_t n = 0; n < code->calm.automata.count; n++) {
        int32_t automaton = code->calm.automata.items[n];
        const int32_map *places = &eqn->automaton_places[automaton];
        for (int32_t k = 0; k < places->count; k++) {
            int32_t first = 0;
            while (first < k &&
                   !switch_together(eqn, automaton, places->items[first], places->items[k], states))
                first++;
            text->mask[hbg_code_native_on_register(code, places->items[k])] =
                hbg_code_native_on_register(code, places->items[first]);
        }
    }
}
