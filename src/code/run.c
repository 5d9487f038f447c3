/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of a compiled model: the engine's instances on its image, with the compiler as their provider. */
#include "eqn/eqn_impl.h"

static void *allocate(void *context, size_t size) {
    return hbg_memory_alloc(context, size);
}

static void release(void *context, void *block, size_t size) {
    hbg_memory_free(context, block, size);
}

hbg_rt_instance *hbg_code_run_new(hbg_eqn *eqn, hbg_memory *memory) {
    hbg_rt_provider provider = hbg_code_provider(eqn);
    return hbg_rt_instance_new(&eqn->system, &eqn->image, &provider, &eqn->native,
                               (hbg_rt_memory){memory, allocate, release});
}

static hbg_rt_instance *make(void *self) {
    hbg_eqn *eqn = self;
    return hbg_code_run_new(eqn, eqn->arena->memory);
}

void hbg_code_fill_functions(hbg_eqn *eqn) {
    hbg_rt_image_functions(&eqn->system);
    eqn->system.make = make;
}

void hbg_code_lock(hbg_eqn *eqn) {
    pthread_mutex_lock(&eqn->lock);
}

void hbg_code_unlock(hbg_eqn *eqn) {
    pthread_mutex_unlock(&eqn->lock);
}

int64_t hbg_code_compiled(const hbg_eqn *eqn) {
    return eqn->compiled;
}
