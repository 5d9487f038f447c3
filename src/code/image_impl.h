/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declarations shared by the files that fill the arrays of rt/image.h. */
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

/* image_cells.c: makes cells for all left limits and requested variables; the cell of a variable, made on the
 * first call; finds the areas of all cells */
void hbg_code_image_make_cells(image_maker *maker);
int32_t hbg_code_image_cell(image_maker *maker, int32_t variable);
void hbg_code_image_find_areas(image_maker *maker);

/* image_judged.c: values of all terms judged at instants, with their pulses; then the number of a program for
 * the terms of a walk; and the comparison and truth of a relation */
void hbg_code_image_make_judged(image_maker *maker);
int32_t hbg_code_image_program(image_maker *maker, const hbg_term *terms, int32_t count);
void hbg_code_image_compared(image_maker *maker, hbg_term term, hbg_rt_relation *relation);
void hbg_code_image_end_judged(image_maker *maker);

/* image_plans.c: makes plans of relations that time alone decides; then the plan of a relation, or
 * HBG_NONE */
void hbg_code_image_make_plans(image_maker *maker);
int32_t hbg_code_image_plan(const image_maker *maker, hbg_term term);

/* image_guards.c */
void hbg_code_image_make_guards(image_maker *maker);

/* image_instants.c */
hbg_rt_range hbg_code_image_ints(image_maker *maker, const int32_map *list);

#endif
