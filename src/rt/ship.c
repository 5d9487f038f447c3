/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instances in memory of the caller: blocks are taken from front to back and never returned, so that the same
 * calls need the same number of bytes every time. Memory that a run might need later is allocated at once
 * (hbg_rt_options.reserves). */
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "rt/door_impl.h"
#include "rt/ship.h"

enum { ALIGNED = alignof(max_align_t) };

static size_t aligned(size_t size) {
    return (size + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* ---- memory of the caller ------------------------------------------------------------------------------ */

typedef struct {
    unsigned char *bytes;
    size_t size, used;
} slab;

static void *allocate(void *context, size_t size) {
    slab *from = context;
    size_t whole = aligned(size);
    if (whole < size || whole > from->size - from->used) return NULL;
    void *block = from->bytes + from->used;
    from->used += whole;
    return memset(block, 0, whole);
}

static void release(void *context, void *block, size_t size) {
    (void)context, (void)block, (void)size;
}

/* ---- how much of it ------------------------------------------------------------------------------------ */

typedef struct {
    hbg_rt_memory memory;
    size_t used;
} counter;

static void *count_and_allocate(void *context, size_t size) {
    counter *of = context;
    of->used += aligned(size);
    return of->memory.allocate(of->memory.context, size);
}

static void release_counted(void *context, void *block, size_t size) {
    const counter *of = context;
    of->memory.release(of->memory.context, block, size);
}

/* The widest loop counts even if a lent solver would take it: none is lent here. */
hbg_rt_status hbg_rt_reserve(hbg_rt_instance *instance) {
    const hbg_rt_image *image = instance->image;
    int32_t widest = 0;
    for (int32_t i = 0; i < image->pool.loops.count; i++) {
        int32_t count = HBG_RT_AT(image->pool.loops, i)->count;
        if (count > widest) widest = count;
    }
    hbg_rt_status status = hbg_rt_lines_room(instance);
    if (status == HBG_RT_OK) status = hbg_rt_instant_room(instance); // located relations of laws need it too
    if (status == HBG_RT_OK && !hbg_rt_make_dense(instance, widest)) status = HBG_RT_NO_MEMORY;
    return status;
}

static bool no_row(void *context, double t, const double *outputs) {
    (void)context, (void)t, (void)outputs;
    return true;
}

/* A start that ends with a verdict has not reached its integrator, which counts all the same. */
static void start_whole(hbg_rt_run *run) {
    if (hbg_rt_run_start(run) == HBG_RT_OK) return;
    if (hbg_rt_engine_choose(run->engine) == HBG_RT_OK) (void)hbg_rt_engine_stride_prepare(run->engine);
}

/* ---- instances ----------------------------------------------------------------------------------------- */

static hbg_rt_status make(const hbg_rt_shipped *model, const hbg_rt_options *options, hbg_rt_memory memory,
                          hbg_rt_loaded **loaded, hbg_rt_run **run) {
    char reason[200];
    hbg_rt_options used = *options;
    used.memory = memory;
    used.reserves = true;
    *run = NULL;
    hbg_rt_status status =
        hbg_rt_package_place(model->image, model->image_size, memory, loaded, reason, sizeof reason);
    if (status == HBG_RT_OK && model->native) hbg_rt_loaded_use(*loaded, model->native);
    return status == HBG_RT_OK ? hbg_rt_run_new(*loaded, &used, run) : status;
}

hbg_rt_status hbg_rt_shipped_measure(const hbg_rt_shipped *model, hbg_rt_memory memory, size_t *size) {
    counter of = {.memory = memory};
    hbg_rt_options options = model->options;
    hbg_rt_loaded *loaded;
    hbg_rt_run *run;
    options.row = no_row;
    *size = 0;
    hbg_rt_status status =
        make(model, &options, (hbg_rt_memory){&of, count_and_allocate, release_counted}, &loaded, &run);
    if (run) start_whole(run);
    hbg_rt_run_free(run);
    hbg_rt_loaded_free(loaded);
    if (status == HBG_RT_OK) *size = aligned(sizeof(slab)) + of.used + ALIGNED;
    return status;
}

hbg_rt_status hbg_rt_shipped_init(const hbg_rt_shipped *model, const hbg_rt_options *options, void *memory,
                                  size_t size, hbg_rt_run **run) {
    size_t skipped = ((uintptr_t)memory + ALIGNED - 1) / ALIGNED * ALIGNED - (uintptr_t)memory;
    size_t head = skipped + aligned(sizeof(slab));
    hbg_rt_loaded *loaded;
    *run = NULL;
    if (!memory || size < head) return HBG_RT_NO_MEMORY;
    slab *from = (slab *)(void *)((unsigned char *)memory + skipped);
    *from = (slab){(unsigned char *)memory + head, size - head, 0};
    return make(model, options, (hbg_rt_memory){from, allocate, release}, &loaded, run);
}

const hbg_rt_description *hbg_rt_run_description(const hbg_rt_run *run) {
    return run->system;
}
