/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model as it is shipped: the image as constants, its programs as functions, and how its experiment is run. An instance of it lives in
 * memory of the caller, which has a size that is known beforehand: nothing is allocated, and nothing but that memory is written to. */
#ifndef HBG_RT_SHIP_H
#define HBG_RT_SHIP_H

#include "rt/package.h"

typedef struct {
    const void *image; /* a package, from a multiple of 8 on */
    size_t image_size;
    const hbg_rt_native *native; /* its programs; NULL: they are interpreted */
    hbg_rt_options options;      /* as its experiment has them; memory and rows are the caller's */
} hbg_rt_shipped;

/* Bytes that an instance takes, with rows or without. `memory` is only used meanwhile. *size is 0 where the image cannot be run. */
hbg_rt_status hbg_rt_shipped_measure(const hbg_rt_shipped *model, hbg_rt_memory memory, size_t *size);

/* A run in the caller's memory, which nobody else touches while the run is used; what it is ends with the memory. HBG_RT_NO_MEMORY:
 * that is too small. The options may differ from those of the model in what takes no more memory: stop, step and tolerances. */
hbg_rt_status hbg_rt_shipped_init(const hbg_rt_shipped *model, const hbg_rt_options *options, void *memory,
                                  size_t size, hbg_rt_run **run);
/* What such a run is of. */
const hbg_rt_description *hbg_rt_run_description(const hbg_rt_run *run);

#endif
