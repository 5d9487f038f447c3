/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the printers of a block diagram. */
#ifndef HBG_EMIT_BLOCKS_PRINT_IMPL_H
#define HBG_EMIT_BLOCKS_PRINT_IMPL_H

#include "emit/blocks_impl.h"
#include "rt/operator.h"

typedef struct { /* the values of a source: one from each time on; 0 before the first */
    const char *name;
    bool given; /* its values are whether the input is set */
    bool event; /* true only for the first pass of an instant */
    const double *times, *values;
    int32_t count;
} source_course;

/* blocks_print.c, in the arena of the diagram */
source_course hbg_emit_blocks_course(const hbg_emit_blocks *d, const block *of);
void hbg_emit_put_double(hbg_buffer *out, double number); /* the shortest text that reads back */
/* By block: its number in order; HBG_NONE: it is not used. */
const int32_t *hbg_emit_blocks_numbers(const hbg_emit_blocks *d);

#endif
