/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finds what rates and outputs depend on in a complete image. Registers take over the dependences of the
 * registers they read, through the code of every local mode, until nothing is added any more. So the result
 * holds in all modes, and may be more than that of one. */
#include "code/code.h"

enum { MOST_WORDS = 1 << 23 }; /* words of all sets together: 64 MiB */

/* A set of states and time for each register. */
typedef struct {
    const hbg_rt_image *image;
    int32_t words;    /* words of a set */
    uint64_t *any;    /* by register: its dependences */
    uint64_t *curved; /* those with a factor that changes between instants */
    int32_t *first;   /* by choice: its first answer */
    int32_t *next;    /* by answer: the next one of its choice */
    bool grows;       /* a set grew in this pass */
} flow;

static bool is_empty(const flow *of, int32_t reg) {
    for (int32_t i = 0; i < of->words; i++)
        if (of->any[(size_t)reg * (size_t)of->words + (size_t)i] != 0) return false;
    return true;
}

static void add(flow *of, int32_t to, int32_t from, bool curves) {
    uint64_t *any = of->any + (size_t)to * (size_t)of->words,
             *curved = of->curved + (size_t)to * (size_t)of->words;
    const uint64_t *more = of->any + (size_t)from * (size_t)of->words,
                   *bent = of->curved + (size_t)from * (size_t)of->words;
    for (int32_t i = 0; i < of->words; i++) {
        uint64_t both = any[i] | more[i], bends = curved[i] | (curves ? more[i] : bent[i]);
        of->grows |= both != any[i] || bends != curved[i];
        any[i] = both;
        curved[i] = bends;
    }
}

static void add_all(flow *of, const hbg_rt_instruction *at, int first, int end, bool curves) {
    for (int i = first; i < end; i++)
        if (at->argument[i] != HBG_RT_NONE) add(of, at->d, at->argument[i], curves);
}

static void follow(flow *of, int32_t program);

/* The law may read more than its state. */
static void follow_charge(flow *of, const hbg_rt_instruction *at) {
    const hbg_rt_charge *law = HBG_RT_AT(of->image->pool.charges, at->argument[1]);
    follow(of, law->code);
    add(of, at->d, law->law_reg, true);
    add(of, at->d, at->argument[0], true);
}

static void follow_one(flow *of, const hbg_rt_instruction *at) {
    const int32_t *arg = at->argument;
    switch (at->op) {
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_NEGATE: add_all(of, at, 0, 2, false); return;
    case HBG_OP_MULTIPLY: add_all(of, at, 0, 2, !is_empty(of, arg[0]) && !is_empty(of, arg[1])); return;
    case HBG_OP_DIVIDE: add_all(of, at, 0, 2, !is_empty(of, arg[1])); return;
    case HBG_OP_SELECT: add_all(of, at, 0, 3, !is_empty(of, arg[0])); return;
    case HBG_RT_OP_COPY:
    case HBG_RT_OP_DEFAULT: add(of, at->d, arg[0], false); return;
    case HBG_OP_TABLE:
    case HBG_RT_OP_SLOPE: add(of, at->d, arg[0], true); return;
    case HBG_RT_OP_CHARGE: follow_charge(of, at); return;
    default: add_all(of, at, 0, 3, true);
    }
}

/* Each unknown depends on everything that a residual depends on; by straight lines if the equations are
 * linear with constant factors. */
static void follow_loop(flow *of, int32_t number) {
    hbg_rt_loop_view loop = hbg_rt_loop_at(of->image, number);
    int32_t first = loop.reg[0];
    bool curves = !loop.linear;
    follow(of, loop.body);
    for (int32_t i = 0; i < loop.entry_count; i++) {
        curves |= !is_empty(of, loop.entries[i].reg);
        add(of, first, loop.entries[i].reg, true);
    }
    for (int32_t i = 0; i < loop.count; i++) add(of, first, loop.residual[i], curves);
    for (int32_t i = 1; i < loop.count; i++) add(of, loop.reg[i], first, false);
    follow(of, loop.body);
}

static void follow(flow *of, int32_t program) {
    hbg_rt_program code = hbg_rt_program_at(of->image, program);
    for (int32_t i = 0; i < code.count; i++) {
        if (code.code[i].op == HBG_RT_OP_SOLVE)
            follow_loop(of, code.code[i].argument[0]);
        else
            follow_one(of, &code.code[i]);
    }
}

/* ---- all modes ----------------------------------------------------------------------------------------- */

static void index_answers(flow *of, hbg_arena *arena) {
    const hbg_rt_pools *pool = &of->image->pool;
    of->first = HBG_NEW_ARRAY(arena, int32_t, pool->choices.count + 1);
    of->next = HBG_NEW_ARRAY(arena, int32_t, pool->answers.count + 1);
    for (int32_t i = 0; i < pool->choices.count; i++) of->first[i] = HBG_RT_NONE;
    for (int32_t i = pool->answers.count - 1; i >= 0; i--) {
        int32_t choice = HBG_RT_AT(pool->answers, i)->choice;
        of->next[i] = of->first[choice];
        of->first[choice] = i;
    }
}

static void follow_reading(flow *of, hbg_rt_reading reading) {
    const hbg_rt_pools *pool = &of->image->pool;
    for (int32_t b = 0; b < pool->blocks.count; b++) {
        const hbg_rt_block *block = HBG_RT_AT(pool->blocks, b);
        if (block->choice < 0) {
            follow(of, block->code[reading]);
            continue;
        }
        for (int32_t i = of->first[block->choice]; i >= 0; i = of->next[i]) {
            int32_t variant = HBG_RT_AT(pool->answers, i)->value;
            if (variant >= 0) follow(of, HBG_RT_AT(pool->variants, variant)->code[reading]);
        }
    }
    follow(of, of->image->code.finals[reading].code);
}

static void put(flow *of, int32_t reg, int32_t known) {
    of->any[(size_t)reg * (size_t)of->words + (size_t)(known / 64)] |= UINT64_C(1) << known % 64;
}

/* States and time depend on themselves. A value in another state of an automaton is computed by code of other
 * modes: it may depend on everything. */
static void begin(flow *of, int32_t knowns) {
    const hbg_rt_layout *layout = &of->image->layout;
    const int32_t *home = hbg_rt_ints(of->image, layout->state.first);
    for (int32_t i = 0; i < layout->state.count; i++) put(of, home[i], i);
    put(of, layout->time, knowns - 1);
    for (int32_t i = 0; i < of->image->instants.counts.ins; i++) {
        int32_t reg = of->image->instants.kept.ins[i].fin;
        for (int32_t k = 0; k < knowns; k++) put(of, reg, k);
        add(of, reg, reg, true);
    }
}

static hbg_code_dependence *read_kinds(const flow *of, hbg_arena *arena, hbg_rt_reading reading,
                                       int32_t knowns) {
    const hbg_rt_readout *readout = &of->image->code.finals[reading];
    const int32_t *reg = hbg_rt_readout_registers(of->image, readout);
    hbg_code_dependence *kinds =
        HBG_NEW_ARRAY(arena, hbg_code_dependence, (size_t)readout->reg.count * (size_t)knowns + 1);
    for (int32_t i = 0; i < readout->reg.count; i++)
        for (int32_t k = 0; k < knowns; k++) {
            size_t at = (size_t)reg[i] * (size_t)of->words + (size_t)(k / 64);
            bool is_any = of->any[at] >> k % 64 & 1, is_curved = of->curved[at] >> k % 64 & 1;
            kinds[(size_t)i * (size_t)knowns + (size_t)k] = is_curved ? HBG_CODE_CURVED
                                                            : is_any  ? HBG_CODE_STRAIGHT
                                                                      : HBG_CODE_INDEPENDENT;
        }
    return kinds;
}

bool hbg_code_depend(const hbg_rt_image *image, hbg_arena *arena, hbg_code_dependences *found) {
    int32_t knowns = image->layout.state.count + 1;
    flow of = {.image = image, .words = (knowns + 63) / 64};
    size_t words = (size_t)image->code.mark.registers * (size_t)of.words;
    *found = (hbg_code_dependences){.known_count = knowns};
    if (words > MOST_WORDS / 2) return false;
    of.any = HBG_NEW_ARRAY(arena, uint64_t, words + 1);
    of.curved = HBG_NEW_ARRAY(arena, uint64_t, words + 1);
    index_answers(&of, arena);
    begin(&of, knowns);
    do {
        of.grows = false;
        follow_reading(&of, HBG_RT_FIELD);
        follow_reading(&of, HBG_RT_OUTPUTS);
    } while (of.grows);
    found->rates = read_kinds(&of, arena, HBG_RT_FIELD, knowns);
    found->outputs = read_kinds(&of, arena, HBG_RT_OUTPUTS, knowns);
    return true;
}
