/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files that fill the arrays of rt/image.h share. */
#ifndef HBG_CODE_IMAGE_IMPL_H
#define HBG_CODE_IMAGE_IMPL_H

#include "code/code_impl.h"

typedef struct {
    hbg_code *code;
    hbg_rt_instants *to;
    int32_t *cell_of; /* by variable of all layers, or HBG_NONE */
    int32_t *node_of; /* by term that instants evaluate, or HBG_NONE */
    HBG_VEC(hbg_rt_cell) cells;
    HBG_VEC(hbg_rt_node) nodes;
    int32_map walks, ints;
} image_maker;

/* image_values.c: cells of all that is read or asked for, and nodes of all that is evaluated; a walk as a range of nodes */
void hbg_code_image_make_values(image_maker *maker);
int32_t hbg_code_image_cell(image_maker *maker, int32_t variable); /* made on the first call for a variable */
hbg_rt_range hbg_code_image_walk(image_maker *maker, const hbg_term *terms, int32_t count);
void hbg_code_image_make_plans(image_maker *maker);
void hbg_code_image_end_values(image_maker *maker);

/* image_guards.c */
void hbg_code_image_make_guards(image_maker *maker);

/* image_instants.c */
hbg_rt_range hbg_code_image_ints(image_maker *maker, const int32_map *list);

#endif
