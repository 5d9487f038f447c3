/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A memory with an arena for each test, checked to be empty afterwards, and numbers that look random and are
 * the same in every run. */
#ifndef HBG_BASE_FIXTURE_IMPL_H
#define HBG_BASE_FIXTURE_IMPL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    uint64_t random;
} fixture;

static inline int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (f == NULL) return -1;
    hbg_base_arena_init(&f->arena, &f->memory);
    f->random = 0x243f6a8885a308d3U;
    *state = f;
    return 0;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    hbg_base_arena_fini(&f->arena);
    size_t left = f->memory.used;
    free(f);
    return left == 0 ? 0 : -1;
}

static inline uint64_t next_random(fixture *f) {
    f->random ^= f->random << 13;
    f->random ^= f->random >> 7;
    f->random ^= f->random << 17;
    return f->random;
}

static inline int random_below(fixture *f, int bound) {
    return (int)((next_random(f) >> 16) % (uint64_t)bound);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
