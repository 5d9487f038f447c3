/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How much a test does: little before every change, more in `make soak`. */
#ifndef HBG_TEST_SOAK_H
#define HBG_TEST_SOAK_H

#include <stdint.h>
#include <stdlib.h>

/* So many trials before every change, or what a test takes instead; `full` in a soak, and where a broken build has to be noticed. */
static inline int trials(int usual, int full) {
    return getenv("HBG_TEST_CASES") || getenv("HBG_SOAK") ? full : usual;
}

/* The same with still more in a soak. */
static inline int many_trials(int usual, int full, int soak) {
    return getenv("HBG_TEST_CASES") || !getenv("HBG_SOAK") ? trials(usual, full) : soak;
}

/* From one allocation that fails to the next: each in a soak, otherwise one of seven. */
static inline int64_t next_failure(void) {
    return trials(7, 1);
}

#endif
