/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A compiled model from a file: a complete image with all its words, so that runs need no compiler. */
#include <string.h>

#include "code/code_impl.h"

hbg_code *hbg_code_reserve(hbg_arena *arena) {
    hbg_code *code = HBG_NEW(arena, hbg_code);
    code->arena = arena;
    hbg_base_arena_init(&code->work.arena, arena->memory);
    pthread_mutex_init(&code->lock, NULL);
    return code;
}

hbg_rt_loaded **hbg_code_loaded(hbg_code *code) {
    return &code->loaded;
}

void hbg_code_begin(hbg_code *code) {
    const hbg_rt_package *package = hbg_rt_loaded_package(code->loaded);
    memcpy(&code->image, package->image, sizeof code->image);
    code->system = *package->system;
}

/* ---- what is worth compiling -------------------------------------------------------------------------- */

enum { MOST_NATIVE = 4000 }; /* instructions of local modes to compile, except those of the start */

static void mark_loops(const hbg_code *code, int32_t program, bool *loops) {
    hbg_rt_program of = hbg_rt_program_at(&code->image, program);
    for (int32_t i = 0; i < of.count; i++) {
        int32_t loop = of.code[i].argument[0];
        if (of.code[i].op != HBG_RT_OP_SOLVE || loops[loop]) continue;
        loops[loop] = true;
        mark_loops(code, HBG_RT_AT(code->image.pool.loops, loop)->body, loops);
    }
}

static void mark_start_mode(const hbg_code *code, native_choice *of) {
    const hbg_rt_image *image = &code->image;
    const hbg_rt_instants *instants = &image->instants;
    uint64_t *mode = HBG_NEW_ARRAY(code->arena, uint64_t, 2 * (size_t)image->modes.words + 2);
    int32_t *states = HBG_NEW_ARRAY(code->arena, int32_t, instants->counts.automata + 1);
    for (int32_t i = 0; i < instants->counts.automata; i++) states[i] = instants->switching.automata[i].start;
    for (int32_t i = 0; i < instants->places.count; i++)
        if (instants->places.places[i].is_select || hbg_rt_place_is_on(image, i, states))
            mode[i >> 6] |= (uint64_t)1 << (i & 63);
    for (int32_t i = 0; i < image->pool.blocks.count; i++) {
        int32_t choice = HBG_RT_AT(image->pool.blocks, i)->choice;
        int32_t found =
            choice < 0 ? HBG_NONE : hbg_rt_choose(image, choice, mode, mode + image->modes.words + 1);
        if (found >= 0) of->variants[found] = true;
    }
}

/* All local modes of a complete image would be far too much for a compiler: only those of the start are
 * compiled, or all if they are few. */
const native_choice *hbg_code_choose_native(hbg_code *code) {
    const hbg_rt_pools *pool = &code->image.pool;
    if (!code->loaded || code->chosen.variants) return code->loaded ? &code->chosen : NULL;
    native_choice of = {HBG_NEW_ARRAY(code->arena, bool, pool->variants.count + 1),
                        HBG_NEW_ARRAY(code->arena, bool, pool->loops.count + 1)};
    int64_t size = 0;
    for (int32_t i = 0; i < pool->variants.count; i++)
        for (int k = 0; k < READ_COUNT; k++)
            size += hbg_rt_program_at(&code->image, HBG_RT_AT(pool->variants, i)->code[k]).count;
    for (int32_t i = 0; i < pool->variants.count; i++) of.variants[i] = size <= MOST_NATIVE;
    mark_start_mode(code, &of);
    for (int k = 0; k < READ_COUNT; k++) {
        for (int32_t i = 0; i < pool->blocks.count; i++)
            mark_loops(code, HBG_RT_AT(pool->blocks, i)->code[k], of.loops);
        for (int32_t i = 0; i < pool->variants.count; i++)
            if (of.variants[i]) mark_loops(code, HBG_RT_AT(pool->variants, i)->code[k], of.loops);
        mark_loops(code, code->image.code.finals[k].code, of.loops);
    }
    code->chosen = of;
    return &code->chosen;
}
