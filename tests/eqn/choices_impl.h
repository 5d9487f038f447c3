/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A choice by itself, in an image that has nothing else. */
#ifndef HBG_TESTS_EQN_CHOICES_IMPL_H
#define HBG_TESTS_EQN_CHOICES_IMPL_H

#include "eqn/eqn_impl.h"

enum { CHOICE_WORDS = 4 }; /* of a mode */

/* Its number; answers are by which of these places are on. */
static inline int32_t open_choice(hbg_eqn *eqn, hbg_arena *arena, const int32_t *places, int32_t count) {
    *eqn = (hbg_eqn){.arena = arena};
    eqn->choice_key = HBG_NEW_ARRAY(arena, uint64_t, CHOICE_WORDS);
    hbg_rt_choice made = {{hbg_eqn_add_ints(eqn, places, count), count}};
    HBG_POOL_ADD(arena, eqn->image.pool.choices, made);
    (void)HBG_POOL_ROOM(arena, eqn->image.pool.lookups, 1);
    return HBG_POOL_LAST(eqn->image.pool.choices);
}

#endif
