/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A choice by itself, in an image that has nothing else. */
#ifndef HBG_TESTS_CODE_CHOICES_IMPL_H
#define HBG_TESTS_CODE_CHOICES_IMPL_H

#include "code/code_impl.h"

enum { CHOICE_WORDS = 4 }; /* of a mode */

/* Its number; answers are by which of these places are on. */
static inline int32_t open_choice(hbg_code *code, hbg_arena *arena, const int32_t *places, int32_t count) {
    *code = (hbg_code){.arena = arena};
    code->mode.choice_key = HBG_NEW_ARRAY(arena, uint64_t, CHOICE_WORDS);
    hbg_rt_choice made = {{hbg_code_add_ints(code, places, count), count}};
    HBG_POOL_ADD(arena, code->image.pool.choices, made);
    (void)HBG_POOL_ROOM(arena, code->image.pool.lookups, 1);
    return HBG_POOL_LAST(code->image.pool.choices);
}

#endif
