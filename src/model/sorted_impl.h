/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Copying the tables of a checked model with other numbers: all of it in the order of names (sorted.c), or a part of it
 * (parts.c). */
#ifndef HBG_MODEL_SORTED_IMPL_H
#define HBG_MODEL_SORTED_IMPL_H

#include "model/model_impl.h"

typedef struct {
    int32_t *old_of, *new_of;
    int32_t count;
} hbg_permutation;

typedef struct {
    hbg_arena *arena;
    const hbg_model *from;
    hbg_model *to;
    hbg_permutation kinds[HBG_OBJECT_SIGNAL + 1]; /* by object kind */
    int32_t *expr;                                /* new by old; HBG_NONE until needed */
    hbg_expr *old_expr;                           /* and the inverse; NULL: not wanted */
    int32_t *table;                               /* likewise */
    int32_t *net;                                 /* new by old */
    HBG_VEC(hbg_expr) waiting;
} hbg_sorter;

/* The new number of an expression; it and its parts are copied on first use. Parameters and signals that have
 * no number yet get one. */
hbg_expr hbg_model_sorter_expr(hbg_sorter *s, hbg_expr old);
hbg_setting hbg_model_sorter_setting(hbg_sorter *s, hbg_setting setting);
/* The objects that have numbers, also those numbered meanwhile. */
void hbg_model_sorter_params(hbg_sorter *s);
void hbg_model_sorter_elements(hbg_sorter *s);
void hbg_model_sorter_bonds(hbg_sorter *s);
void hbg_model_sorter_incidence(hbg_sorter *s); /* after elements and bonds */
void hbg_model_sorter_automata(hbg_sorter *s);
void hbg_model_sorter_signals(hbg_sorter *s);

#endif
