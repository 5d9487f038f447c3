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
    HBG_VEC(hbg_rt_cell) cells;
    int32_map ints;
    struct judged_maker *judged;
} image_maker;

/* image_cells.c: cells of all that is left behind or asked for; one that is made on the first call for a variable; areas of them all */
void hbg_code_image_make_cells(image_maker *maker);
int32_t hbg_code_image_cell(image_maker *maker, int32_t variable);
void hbg_code_image_find_areas(image_maker *maker);

/* image_judged.c: values of all terms that instants judge, with their pulses; then a program of what a walk lists, its number; and
 * comparison and truth of a relation */
void hbg_code_image_make_judged(image_maker *maker);
int32_t hbg_code_image_program(image_maker *maker, const hbg_term *terms, int32_t count);
void hbg_code_image_compared(image_maker *maker, hbg_term term, hbg_rt_relation *relation);
void hbg_code_image_end_judged(image_maker *maker);

/* image_plans.c: what time alone decides; then the plan of a relation, or HBG_NONE */
void hbg_code_image_make_plans(image_maker *maker);
int32_t hbg_code_image_plan(const image_maker *maker, hbg_term term);

/* image_guards.c */
void hbg_code_image_make_guards(image_maker *maker);

/* image_instants.c */
hbg_rt_range hbg_code_image_ints(image_maker *maker, const int32_map *list);

#endif
