/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files that judge elements share: the values or laws of an element as a list of steps. */
#ifndef HBG_MODEL_PASSIVE_IMPL_H
#define HBG_MODEL_PASSIVE_IMPL_H

#include "model/model_impl.h"

/* A number of a step; below 0 a constant, which is looked up: ~expression. */
typedef int32_t passive_value;

typedef struct {
    int32_t op;               /* of hbg_operator; PASSIVE_LEAF: the slot in part[0] */
    bool is_bool;             /* leaves */
    passive_value part[3];    /* behind these */
    int32_t leaf, leaf_index; /* leaves: operator and its reference, so that one variable has one slot */
    int32_t leaf_port;
} passive_step;

#define PASSIVE_LEAF HBG_OP_COUNT

typedef struct { /* a law: which variable it computes from which */
    passive_value root;
    int32_t slot; /* of its argument, or HBG_NONE: it reads none */
    char given, argument;
} passive_law;

struct hbg_passive {
    hbg_element_kind kind;
    int32_t ports;
    passive_step *steps;
    int32_t step_count, slot_count;
    passive_value *entries; /* of the matrix; NULL: it has laws */
    passive_law *laws;
    int32_t law_count;
    int32_t other_count; /* slots that are not an argument of a law: modulation */
    bool *is_argument;   /* by slot */
};

#endif
