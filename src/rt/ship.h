/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model as shipped: the image as constants, its programs as functions, and the options of its experiment.
 * An instance lives in memory of the caller, of a size known in advance: nothing is allocated, and only that
 * memory is written to. */
#ifndef HBG_RT_SHIP_H
#define HBG_RT_SHIP_H

#include "rt/package.h"

typedef struct {
    const void *image; /* a package, aligned to 8 */
    size_t image_size;
    const hbg_rt_native *native; /* its programs; NULL: interpreted */
    hbg_rt_options options;      /* those of its experiment; memory and rows are the caller's */
} hbg_rt_shipped;

/* Bytes that an instance needs, with rows or without. `memory` is used only during the call. *size is 0 if
 * the image cannot be run. */
hbg_rt_status hbg_rt_shipped_measure(const hbg_rt_shipped *model, hbg_rt_memory memory, size_t *size);

/* A run in the caller's memory, which only the run uses and which needs no release. HBG_RT_NO_MEMORY: it is
 * too small. The options may differ from those of the model where that needs no more memory: stop, step and
 * tolerances. */
hbg_rt_status hbg_rt_shipped_init(const hbg_rt_shipped *model, const hbg_rt_options *options, void *memory,
                                  size_t size, hbg_rt_run **run);
/* The description of the model of such a run. */
const hbg_rt_description *hbg_rt_run_description(const hbg_rt_run *run);

#endif
