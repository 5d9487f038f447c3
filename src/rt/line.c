/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that the run moves: linear in time, for faults that grow. Before anything is evaluated at a time
 * they are set to their values there, and the part of the prologue that depends on them is computed again:
 * stages of a method, located relations and rows all see the moving parameter, and no other code has to know.
 * Their rates are the slopes, for code that differentiates them (rate.c). Values they decide stay on their
 * branches between instants, like those that the system decides: a crossing of a border is located. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"

bool hbg_rt_lines_init(hbg_rt_instance *run) {
    size_t size = ((size_t)run->image->instants.outside.param_count + 1) * sizeof(double);
    run->lines.value = hbg_rt_room_take(&run->room, 1, size);
    run->lines.slope = hbg_rt_room_take(&run->room, 1, size);
    run->lines.moving = hbg_rt_room_take(&run->room, 1, size);
    run->lines.at = NAN;
    run->lines.known = -1;
    return run->lines.value && run->lines.slope && run->lines.moving;
}

/* ---- what follows -------------------------------------------------------------------------------------- */

/* By register: whether it moves, whether any instruction of the prologue reads it, and whether one that
 * follows does. */
typedef struct {
    int32_t registers;
    bool *moves, *is_read, *is_needed;
} following;

/* What an instruction reads, if it matters: of a choice that does not change, the chosen argument. */
static int arguments_of(const hbg_rt_instance *run, const hbg_rt_instruction *code, const bool *moves,
                        int32_t *arguments) {
    bool chosen = code->op == HBG_OP_SELECT && !moves[code->argument[0]];
    if (chosen) {
        arguments[0] = code->argument[run->r[code->argument[0]] != 0 ? 1 : 2];
        return 1;
    }
    for (int i = 0; i < 3; i++) arguments[i] = code->argument[i];
    return 3;
}

static bool marked(const following *of, const bool *marks, int32_t reg) {
    return reg >= 0 && reg < of->registers && marks[reg];
}

static bool follows(const hbg_rt_instance *run, const following *of, const hbg_rt_instruction *code) {
    int32_t arguments[3];
    if (code->op == HBG_RT_OP_SOLVE) return true; // a loop does not list what it reads as arguments
    int count = arguments_of(run, code, of->moves, arguments);
    for (int i = 0; i < count; i++)
        if (marked(of, of->moves, arguments[i])) return true;
    return false;
}

/* Whether a value has readers outside the prologue: code of the field by a copy, a parameter's home, or
 * nothing at all. */
static bool is_wanted(const hbg_rt_instance *run, const following *of, const hbg_rt_instruction *code) {
    hbg_rt_range waves = run->image->code.waves;
    if (code->d < 0 || code->op == HBG_RT_OP_DEFAULT || hbg_rt_flow_number(code->d) != HBG_RT_NONE)
        return true;
    for (int32_t i = 0; i < waves.count; i++)
        if (hbg_rt_ints(run->image, waves.first)[i] == code->d) return true;
    return !of->is_read[code->d] || of->is_needed[code->d];
}

static void list_following(hbg_rt_instance *run, following *of) {
    param_lines *lines = &run->lines;
    int32_t arguments[3], kept;
    for (int32_t i = 0; i < lines->count; i++)
        of->moves[run->image->instants.outside.params[lines->moving[i]].value] = true;
    for (int32_t i = 0; i < run->mark.prologue; i++) {
        const hbg_rt_instruction *code = HBG_RT_AT(run->image->pool.prologue, i);
        for (int k = 0; k < 3; k++)
            if (code->argument[k] >= 0 && code->argument[k] < of->registers)
                of->is_read[code->argument[k]] = true;
        if (!follows(run, of, code)) continue;
        if (code->d >= 0) of->moves[code->d] = true;
        lines->code[lines->code_count++] = *code;
    }
    kept = lines->code_count;
    for (int32_t i = lines->code_count - 1; i >= 0; i--) { // those that are wanted, consecutively at the end
        hbg_rt_instruction code = lines->code[i];
        if (!is_wanted(run, of, &code)) continue;
        int count = arguments_of(run, &code, of->moves, arguments);
        for (int k = 0; k < count; k++)
            if (arguments[k] >= 0 && arguments[k] < of->registers) of->is_needed[arguments[k]] = true;
        lines->code[--kept] = code;
    }
    lines->code_count -= kept;
    memmove(lines->code, lines->code + kept, (size_t)lines->code_count * sizeof *lines->code);
}

/* A relation of parameters that do not move is far from changing sides. */
static void forget_roots(hbg_rt_instance *run) {
    for (int32_t i = 0; i < run->image->code.located_params && i < run->branches.located_capacity; i++)
        run->branches.root[i] = 1;
}

hbg_rt_status hbg_rt_lines_room(hbg_rt_instance *run) {
    param_lines *lines = &run->lines;
    int32_t marks = 3 * run->register_capacity + 1, count = run->mark.prologue + 1;
    if (lines->mark_capacity < marks) {
        hbg_rt_room_return(&run->room, lines->marks);
        lines->marks = HBG_RT_TAKE(&run->room, bool, marks);
        lines->mark_capacity = lines->marks ? marks : 0;
    }
    if (lines->code_capacity < count) {
        hbg_rt_room_return(&run->room, lines->code);
        lines->code = HBG_RT_TAKE(&run->room, hbg_rt_instruction, count);
        lines->code_capacity = lines->code ? count : 0;
        lines->code_count = 0;
    }
    return lines->marks && lines->code ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}

static hbg_rt_status list_code(hbg_rt_instance *run) {
    param_lines *lines = &run->lines;
    size_t registers = (size_t)run->register_capacity;
    hbg_rt_status status = hbg_rt_lines_room(run);
    if (status != HBG_RT_OK) return status;
    forget_roots(run);
    memset(lines->marks, 0, (size_t)lines->mark_capacity * sizeof *lines->marks);
    following of = {run->register_capacity, lines->marks, lines->marks + registers,
                    lines->marks + 2 * registers};
    lines->known = run->mark.prologue;
    lines->code_count = 0;
    list_following(run, &of);
    for (int32_t i = 0; i < lines->code_count; i++)
        if (lines->code[i].located != HBG_RT_NONE) hbg_rt_meet(run, lines->code[i].located, HBG_RT_FIELD);
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_follow_lines(hbg_rt_instance *run, double t) {
    param_lines *lines = &run->lines;
    bool listed = lines->known == run->mark.prologue;
    bool same = listed && t == lines->at && lines->use == run->located && run->located != LOCATED_RECORD;
    if (lines->wait || same) return HBG_RT_OK;
    hbg_rt_status status = listed ? HBG_RT_OK : list_code(run);
    if (status != HBG_RT_OK) return status;
    for (int32_t i = 0; i < lines->count; i++) {
        int32_t param = lines->moving[i];
        run->r[run->image->instants.outside.params[param].value] =
            lines->value[param] + lines->slope[param] * t;
    }
    run->loops.version++; // factors of constant loops belong to the old parameters
    lines->at = t;
    lines->use = run->located == LOCATED_RECORD ? LOCATED_FROZEN : run->located; // this is what is recorded
    return hbg_rt_execute(run, lines->code, lines->code_count);
}

hbg_rt_status hbg_rt_run_prologue(hbg_rt_instance *run, int32_t first) {
    located_use use = run->located;
    run->located = LOCATED_DIRECT;
    hbg_rt_status status = HBG_RT_OK;
    while (first < run->mark.prologue && status == HBG_RT_OK) { // chunk by chunk
        int32_t shift = run->image->pool.prologue.shift;
        int32_t end = hbg_rt_chunk_first(shift, hbg_rt_chunk_of(shift, first) + 1);
        if (end > run->mark.prologue) end = run->mark.prologue;
        status = hbg_rt_execute(run, HBG_RT_AT(run->image->pool.prologue, first), end - first);
        first = end;
    }
    run->located = use;
    run->lines.at = NAN; // moving values are set again, on their branches
    run->lines.known = -1;
    forget_roots(run);
    return status;
}
