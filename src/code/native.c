/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled code and the programs it stands for: those that are printed, and in which order. */
#include <string.h>

#include "code/native_impl.h"

/* ---- programs ----------------------------------------------------------------------------------------- */

static void visit_one(const hbg_eqn *eqn, int32_t program, program_visitor visit, void *context) {
    if (hbg_rt_program_at(&eqn->image, program).count > 0) visit(context, program);
}

static void visit_readings(const hbg_eqn *eqn, const int32_t *codes, program_visitor visit, void *context) {
    for (int reading = 0; reading < READ_COUNT; reading++) visit_one(eqn, codes[reading], visit, context);
}

void hbg_code_native_each_program(hbg_eqn *eqn, program_visitor visit, void *context) {
    const hbg_rt_code *code = &eqn->image.code;
    const hbg_rt_pools *pool = &eqn->image.pool;
    for (int32_t i = 0; i < eqn->segments.count; i++) {
        const variant_table *variants = &eqn->segments.items[i].variants;
        visit_readings(eqn, HBG_RT_AT(pool->blocks, i)->code, visit, context);
        for (int32_t k = 0; k < variants->entries.count; k++)
            visit_readings(eqn, HBG_RT_AT(pool->variants, variants->entries.items[k].value)->code, visit,
                           context);
    }
    for (int reading = 0; reading < READ_COUNT; reading++)
        visit_one(eqn, code->finals[reading].code, visit, context);
    visit_one(eqn, code->energies.code, visit, context);
    for (int32_t i = code->start_loops; i < pool->loops.count; i++)
        visit_one(eqn, HBG_RT_AT(pool->loops, i)->body, visit, context);
}

typedef struct {
    hbg_eqn *eqn;
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
    b->count += hbg_rt_program_at(&b->eqn->image, program).count;
}

int32_t hbg_code_size(hbg_eqn *eqn) {
    binding b = {.eqn = eqn};
    hbg_code_native_each_program(eqn, count_instructions, &b);
    return b.count;
}

bool hbg_code_use_native(hbg_eqn *eqn, const hbg_rt_native_options *options, const void *table) {
    int32_t programs = eqn->image.pool.programs.count;
    binding b = {.eqn = eqn, .table = table};
    hbg_code_native_each_program(eqn, count_program, &b);
    if (table && (b.table->version != HBG_RT_NATIVE_VERSION || b.table->program_count != b.count))
        return false;
    b.count = 0;
    eqn->native = (hbg_rt_native){0};
    if (table) {
        b.bound = HBG_NEW_ARRAY(eqn->arena, hbg_rt_native_program, programs + 1);
        hbg_code_native_each_program(eqn, bind_program, &b);
        eqn->native = (hbg_rt_native){table, *options, b.bound, programs};
    }
    return true;
}
