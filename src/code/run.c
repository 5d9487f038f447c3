/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of a compiled model: the engine's instances on its image, with the compiler as their provider. */
#include "code/code_impl.h"

static void *allocate(void *context, size_t size) {
    return hbg_base_memory_alloc(context, size);
}

static void release(void *context, void *block, size_t size) {
    hbg_base_memory_free(context, block, size);
}

hbg_rt_memory hbg_code_memory(hbg_memory *memory) {
    return (hbg_rt_memory){memory, allocate, release};
}

hbg_rt_instance *hbg_code_run_new(hbg_code *code, hbg_memory *memory) {
    hbg_rt_provider provider = hbg_code_provider(code);
    return hbg_rt_instance_new(&code->system, &code->image, &provider, &code->native,
                               hbg_code_memory(memory));
}

hbg_rt_instance *hbg_code_run(hbg_code *code) {
    return hbg_code_run_new(code, code->arena->memory);
}

void hbg_code_lock(hbg_code *code) {
    pthread_mutex_lock(&code->lock);
}

void hbg_code_unlock(hbg_code *code) {
    pthread_mutex_unlock(&code->lock);
}

int64_t hbg_code_compiled(const hbg_code *code) {
    return code->compiled;
}
