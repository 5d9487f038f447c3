/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled code and the programs it replaces: which are printed, and in which order. */
#include <string.h>

#include "code/native_impl.h"

/* ---- programs ----------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_code *code;
    bool *seen; /* by program: local modes may share one */
    program_visitor visit;
    void *context;
} visiting;

static void visit_one(const visiting *v, int32_t program) {
    if (hbg_rt_program_at(&v->code->image, program).count == 0 || v->seen[program]) return;
    v->seen[program] = true;
    v->visit(v->context, program);
}

static void visit_readings(const visiting *v, const int32_t *codes) {
    for (int reading = 0; reading < READ_COUNT; reading++) visit_one(v, codes[reading]);
}

void hbg_code_native_each_program(hbg_code *code, program_visitor visit, void *context) {
    const hbg_rt_code *of = &code->image.code;
    const hbg_rt_pools *pool = &code->image.pool;
    const native_choice *chosen = hbg_code_choose_native(code);
    size_t programs = (size_t)pool->programs.count + 1;
    visiting v = {code, HBG_NEW_ARRAY(code->arena, bool, programs), visit, context};
    for (int32_t i = 0; i < pool->blocks.count; i++) // none if memory ran out before they were made
        visit_readings(&v, HBG_RT_AT(pool->blocks, i)->code);
    for (int32_t i = 0; i < pool->variants.count; i++)
        if (!chosen || chosen->variants[i]) visit_readings(&v, HBG_RT_AT(pool->variants, i)->code);
    for (int reading = 0; reading < READ_COUNT; reading++) visit_one(&v, of->finals[reading].code);
    visit_one(&v, of->energies.code);
    for (int32_t i = of->start_loops; i < pool->loops.count; i++)
        if (!chosen || chosen->loops[i]) visit_one(&v, HBG_RT_AT(pool->loops, i)->body);
    hbg_base_arena_release(code->arena, v.seen, programs);
}

typedef struct {
    hbg_code *code;
    const hbg_rt_native_table *table;
    hbg_rt_native_program *bound;
    int32_t count;
} binding;

static void count_program(void *context, int32_t program) {
    (void)program;
    ((binding *)context)->count++;
}

static void bind_program(void *context, int32_t program) {
    binding *b = context;
    b->bound[program] = b->table->programs[b->count++];
}

static void count_instructions(void *context, int32_t program) {
    binding *b = context;
    b->count += hbg_rt_program_at(&b->code->image, program).count;
}

int32_t hbg_code_size(hbg_code *code) {
    binding b = {.code = code};
    hbg_code_native_each_program(code, count_instructions, &b);
    return b.count;
}

const hbg_rt_native_table *hbg_code_native_table(const hbg_code *code) {
    return code->native.table;
}

bool hbg_code_use_native(hbg_code *code, const hbg_rt_native_options *options, const void *table) {
    int32_t programs = code->image.pool.programs.count;
    binding b = {.code = code, .table = table};
    hbg_code_native_each_program(code, count_program, &b);
    if (table && (b.table->version != HBG_RT_NATIVE_VERSION || b.table->program_count != b.count))
        return false;
    b.count = 0;
    code->native = (hbg_rt_native){0};
    if (table) {
        b.bound = HBG_NEW_ARRAY(code->arena, hbg_rt_native_program, programs + 1);
        hbg_code_native_each_program(code, bind_program, &b);
        code->native = (hbg_rt_native){table, *options, b.bound, programs};
    }
    return true;
}
