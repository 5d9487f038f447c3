/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Regions of energies and inputs in words: alternatives, each a conjunction of inequalities. Part of
 * src/verify. */
#ifndef HBG_VERIFY_REGION_IMPL_H
#define HBG_VERIFY_REGION_IMPL_H

#include "verify/paths_impl.h"

/* Inequalities, truths and their negations that hold together. */
typedef HBG_VEC(formula) region_cube;

/* Inequalities of the formula that hold for the values found last and suffice for it to hold. */
void hbg_verify_region_cube(formulas *f, formula a, region_cube *cube);
/* Drops what is not needed for one of the regions to hold, where `known` holds. */
void hbg_verify_region_widen(formulas *f, formula known, formula region, region_cube *cube);

/* The formula with the branch taken in place of every choice in it, for the values found last; what decides
 * the choice goes into the cube. */
formula hbg_verify_region_chosen(formulas *f, formula a, region_cube *cube);

/* consistency_words.c: the name of a symbol. */
void hbg_verify_region_print(group_proof *proof, const region_cube *cube, hbg_buffer *out);
void hbg_verify_region_print_literal(group_proof *proof, formula literal, hbg_buffer *out);

/* Regions as alternatives, at most so many; none is part of another. */
typedef struct {
    region_cube *items;
    int32_t count;
    bool complete;
} region_cubes;
region_cubes hbg_verify_region_cubes(formulas *f, const path_region *regions, int32_t count, int32_t most);

typedef struct {
    const char **items;
    int32_t count;
    bool complete;
} region_words;
/* Where regions are, in words; at most so many alternatives. */
region_words hbg_verify_region_words(group_proof *proof, const path_region *regions, int32_t count,
                                     int32_t most);

/* consistency_witness.c: values of the model found last, for a finding. */
typedef struct {
    group_proof *proof;
    formula region; /* where it goes wrong */
    formula known;  /* and what is known about the instant */
    HBG_VEC(hbg_witness_value) values;
    HBG_VEC(formula) symbols; /* by value; NULL: it has none of its own */
} witness;
void hbg_verify_witness_read(witness *of);
/* The region where a run begins, at time 0, if it depends on time and that is known there; else no. */
formula hbg_verify_witness_at_start(group_proof *proof, formula region);

/* consistency_condition.c: a formula as a program on plain numbers, where a run begins. */
const hbg_condition *hbg_verify_condition_make(group_proof *proof, formula a);

#endif
