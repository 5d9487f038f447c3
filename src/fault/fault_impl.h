/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of src/fault: the places of a value that can be faulty. */
#ifndef HBG_FAULT_IMPL_H
#define HBG_FAULT_IMPL_H

#include "fault/fault.h"

/* The further parameters of a value: identifier, the part after the star in its name, value without a
 * fault. */
#define PLACE_LIST(X)                                                                                        \
    X(SCALE, "scale", 1)                                                                                     \
    X(BIAS, "bias", 0)

typedef enum {
#define X(id, text, nominal) PLACE_##id,
    PLACE_LIST(X)
#undef X
        PLACE_COUNT
} place;

/* Whether a fault acts on a value, by places of the model; others on automata and sampled sensors. */
bool hbg_fault_on_value(const hbg_model *model, const hbg_fault *fault);
/* Whether it grows with time. */
bool hbg_fault_creeps(const hbg_fault *fault);
/* judge.c: what depends on the places of a plan */
void hbg_fault_judge_new(hbg_arena *arena, hbg_fault_plan *plan);
/* watch.c: the elements that the run has to watch, with these parameters `moved`, to which those moved by
 * `-p` or a sweep are added; by element, whether it `bends` and is known before the run */
void hbg_fault_watch_new(hbg_arena *arena, hbg_fault_plan *plan, const hbg_passives *passives, bool *moved,
                         bool *bends);
/* Whether the fault needs the place. */
bool hbg_fault_needs(const hbg_fault *fault, place place);
_Static_assert(PLACE_COUNT == HBG_FAULT_PLACES, "the plan has a parameter for each place");

#endif
