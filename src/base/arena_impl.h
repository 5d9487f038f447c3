/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the growing objects of this folder need of an arena beyond base.h. */
#ifndef HBG_ARENA_IMPL_H
#define HBG_ARENA_IMPL_H

#include "base/base.h"

/* Moves a growing piece of `old_size` bytes to a place of `new_size` bytes (more than before), or extends it
 * in place. The old place is invalid: builds with the address sanitizer report any use of it. */
void *hbg_base_arena_regrow(hbg_arena *arena, void *old, size_t old_size, size_t new_size);

#endif
