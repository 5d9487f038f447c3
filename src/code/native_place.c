/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs as C statements at one place of a stride: states and time have the names they have there, every
 * value is a variable of its own, and a select by a junction is a mask. */
#include <math.h>
#include <string.h>

#include "code/native_impl.h"

const char *hbg_code_native_operand(stride_text *text, int32_t reg) {
    if (reg < 0) return text->lanes ? "K(0)" : "0";
    if (text->name[reg]) return text->name[reg];
    if (text->lanes && text->read_at[reg] == 0) {
        HBG_PUSH(text->out->arena, text->read, reg);
        text->read_at[reg] = text->read.count;
    }
    if (text->lanes)
        return hbg_base_arena_print(text->out->arena, text->device ? "R_%d" : "R[%d]",
                                    (int)text->read_at[reg] - 1);
    return hbg_base_arena_print(text->out->arena, "r[%d]", (int)reg);
}

/* ---- programs ----------------------------------------------------------------------------------------- */

/* Whether all arguments are registers; those of loops, tables and integrals over laws are not. */
static bool is_plain(const instruction *code) {
    return (code->op < HBG_OP_COUNT && code->op != HBG_OP_TABLE) || code->op == CODE_COPY;
}

/* Whether a register may change because the run moves parameters. */
static bool may_move(const stride_text *text, int32_t reg) {
    const hbg_rt_pools *pool = &text->code->image.pool;
    for (int32_t i = 0; i < pool->prologue.count && text->options->lines; i++)
        if (HBG_RT_AT(pool->prologue, i)->d == reg) return true;
    return false;
}

const char *hbg_code_native_value(stride_text *text, const hbg_rt_readout *of, int32_t index) {
    return hbg_code_native_operand(text, hbg_rt_readout_registers(&text->code->image, of)[index]);
}

/* The mask of a register that selects: a branch on a junction that toggles often would be mispredicted, and a
 * constant one need not be evaluated in every step. HBG_NONE: it is computed in the step. */
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

/* Prints a select by a mask. A value that is already 0 without the mask is taken as it is; junctions often
 * come in pairs. */
static bool print_select(stride_text *text, const instruction *at, operand_text of) {
    int32_t mask = at->op == HBG_OP_SELECT ? mask_of(text, at->argument[0]) : HBG_NONE;
    text->kept[at->d] = HBG_NONE;
    if (mask == HBG_NONE) return false;
    bool or_zero = is_zero(text->code, at->argument[2]);
    if (or_zero && text->kept[at->argument[1]] == mask)
        hbg_base_buffer_text(text->out, of.b);
    else if (or_zero)
        hbg_base_buffer_print(text->out, "keep(m%d, %s)", (int)mask, of.b);
    else
        hbg_base_buffer_print(text->out, "join(keep(m%d, %s), drop(m%d, %s))", (int)mask, of.b, (int)mask,
                              of.c);
    if (or_zero) text->kept[at->d] = mask;
    return true;
}

/* Whether an instruction can be printed; notes the reason if not. */
static bool can_stand(stride_text *text, const instruction *at) {
    const char *library = text->device ? hbg_code_native_library_function(at->op) : NULL;
    if (!is_plain(at)) text->why = "it has equations to be solved together, or tables";
    if (library)
        text->why = hbg_base_arena_print(
            text->out->arena, "`%s` is a function of the C library, whose bits nobody else has", library);
    return is_plain(at) && !library;
}

static void print_code(stride_text *text, int32_t program) {
    hbg_rt_program code = hbg_rt_program_at(&text->code->image, program);
    for (int32_t i = 0; i < code.count && text->fine; i++) {
        const instruction *at = &code.code[i];
        text->fine = can_stand(text, at);
        if (!text->fine) return;
        operand_text of = {hbg_code_native_operand(text, at->argument[0]),
                           hbg_code_native_operand(text, at->argument[1]),
                           hbg_code_native_operand(text, at->argument[2]), text->lanes, false};
        of.plain = hbg_code_native_take_grain(text, at);
        hbg_base_buffer_print(text->out, "        const %s v%d = ", text->type, (int)text->values);
        if (!print_select(text, at, of)) text->fine = hbg_code_native_expression(at, of, text->out);
        hbg_base_buffer_text(text->out, ";\n");
        text->name[at->d] = hbg_base_arena_print(text->out->arena, "v%d", (int)text->values++);
        text->calls += hbg_code_native_is_elementary(at->op);
        if (text->values > LONGEST_STRIDE) text->why = "a step has too many operations";
        text->fine = text->fine && text->values <= LONGEST_STRIDE;
    }
}

void hbg_code_native_print_reading(stride_text *text, reading_kind reading) {
    const hbg_code *code = text->code;
    for (int32_t i = 0; i < code->image.pool.blocks.count; i++)
        print_code(text, HBG_RT_AT(code->image.pool.blocks, i)->code[reading]);
    print_code(text, code->image.code.finals[reading].code);
}

/* Begins a place: names the registers of states and time, and forgets values computed elsewhere. */
void hbg_code_native_begin_place(stride_text *text, const char *state, const char *time) {
    const hbg_code *code = text->code;
    const hbg_rt_layout *layout = &code->image.layout;
    const hbg_rt_calm *calm = &code->image.instants.calm;
    memset(text->name, 0, (size_t)code->image.code.mark.registers * sizeof *text->name);
    for (int32_t i = 0; i < layout->state.count; i++)
        text->name[hbg_rt_ints(&code->image, layout->state.first)[i]] =
            hbg_base_arena_print(text->out->arena, "%s%d", state, (int)i);
    text->name[layout->time] = time;
    hbg_code_native_begin_grains(text);
    if (text->options->lines && !(text->at && strcmp(text->at, time) == 0))
        hbg_base_buffer_print(text->out,
                              "        if (a->follow && a->follow(a->run, %s)) { end = 2; break; }\n", time);
    text->at = time;
    for (int32_t i = 0; i < code->image.pool.constants.count; i++) {
        const hbg_rt_constant *constant = HBG_RT_AT(code->image.pool.constants, i);
        if (isfinite(constant->value))
            text->name[constant->reg] =
                hbg_base_arena_print(text->out->arena, text->lanes ? "K(%a)" : "(%a)", constant->value);
    }
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t automaton = hbg_code_native_calm(code, calm->automata)[n], count;
        const int32_t *places = hbg_code_native_places(code, automaton, &count);
        text->name[code->image.instants.switching.automata[automaton].reg] =
            hbg_base_arena_print(text->out->arena, text->lanes ? "AS_NUMBER(s%d)" : "(double)s%d", (int)n);
        for (int32_t k = 0; k < count; k++) {
            int32_t reg = hbg_code_native_on_register(code, places[k]);
            text->name[reg] = hbg_base_arena_print(
                text->out->arena, text->lanes ? "keep(m%d, K(1))" : "keep(m%d, 1)", (int)text->mask[reg]);
        }
    }
}

/* ---- junctions of calm automata ----------------------------------------------------------------------- */

int32_t hbg_code_native_on_register(const hbg_code *code, int32_t place) {
    return code->image.instants.places.places[place].reg;
}

const int32_t *hbg_code_native_places(const hbg_code *code, int32_t automaton, int32_t *count) {
    const hbg_rt_switching *switching = &code->image.instants.switching;
    *count = switching->automata[automaton].places.count;
    return switching->controlled + switching->automata[automaton].places.first;
}

const int32_t *hbg_code_native_calm(const hbg_code *code, hbg_rt_range of) {
    return code->image.instants.ints + of.first;
}

/* Whether two junctions that only this automaton switches are on in the same of its states. */
static bool switch_together(const hbg_code *code, int32_t automaton, int32_t a, int32_t b, int32_t *states) {
    const hbg_rt_instants *instants = &code->image.instants;
    for (int32_t i = 0; i < instants->counts.automata; i++) {
        int32_t count;
        const int32_t *places = hbg_code_native_places(code, i, &count);
        for (int32_t k = 0; k < count && i != automaton; k++)
            if (places[k] == a || places[k] == b) return false;
    }
    int32_t before = states[automaton];
    bool same = true;
    for (int32_t s = 0; s < instants->switching.automata[automaton].states.count && same; s++) {
        states[automaton] = s;
        same = hbg_rt_place_is_on(&code->image, a, states) == hbg_rt_place_is_on(&code->image, b, states);
    }
    states[automaton] = before;
    return same;
}

/* Names a mask for each junction of a calm automaton; those that switch together share one. */
void hbg_code_native_name_masks(stride_text *text, hbg_arena *scratch) {
    const hbg_code *code = text->code;
    const hbg_rt_instants *instants = &code->image.instants;
    int32_t *states = HBG_NEW_ARRAY(scratch, int32_t, instants->counts.automata + 1);
    for (int32_t i = 0; i < instants->counts.automata; i++) states[i] = instants->switching.automata[i].start;
    for (int32_t n = 0; n < instants->calm.automata.count; n++) {
        int32_t automaton = hbg_code_native_calm(code, instants->calm.automata)[n], count;
        const int32_t *places = hbg_code_native_places(code, automaton, &count);
        for (int32_t k = 0; k < count; k++) {
            int32_t first = 0;
            while (first < k && !switch_together(code, automaton, places[first], places[k], states)) first++;
            text->mask[hbg_code_native_on_register(code, places[k])] =
                hbg_code_native_on_register(code, places[first]);
        }
    }
}
