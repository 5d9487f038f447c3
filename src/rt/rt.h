/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The engine: runs compiled models. This folder needs the C library and nothing else, so that it can be shipped with emitted code. */
#ifndef HBG_RT_H
#define HBG_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- status ------------------------------------------------------------------------------------------- */

/* identifier, text */
#define HBG_RT_STATUS_LIST(X)                                                                                \
    X(OK, "fine")                                                                                            \
    X(NOT_FINITE, "a value is not a finite number")                                                          \
    X(SINGULAR, "a linear loop has no unique solution")                                                      \
    X(NO_CONVERGENCE, "a nonlinear loop was not solved")                                                     \
    X(NO_CAUSALITY, "the mode has no valid causal assignment")                                               \
    X(UNDEFINED, "a value that has no meaning is read")                                                      \
    X(STEP_TOO_SMALL, "the step became too small")                                                           \
    X(TOO_MANY_STEPS, "too many steps")                                                                      \
    X(INTERRUPTED, "interrupted")                                                                            \
    X(CANNOT_WRITE, "results cannot be written")                                                             \
    X(NO_MEMORY, "out of memory")                                                                            \
    X(BAD_OPTION, "an option is out of its range")                                                           \
    X(VERDICT, "the switching of the model is not consistent")                                               \
    X(NOT_THERE, "the image lacks what the mode needs")                                                      \
    X(BAD_IMAGE, "the bytes are no image that can be run")

typedef enum {
#define X(id, text) HBG_RT_##id,
    HBG_RT_STATUS_LIST(X)
#undef X
        HBG_RT_STATUS_COUNT
} hbg_rt_status;

const char *hbg_rt_status_text(hbg_rt_status status);

/* Where and why the last call on an instance failed. */
typedef struct {
    hbg_rt_status status;
    double time;
    char text[480]; /* in words: block, variables and their values */
    /* of a mode without causality: what would help, or NULL; and the states of its automata */
    const char *way_out;
    const int32_t *states;
} hbg_rt_failure;

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Two functions of the caller. What is allocated is zeroed and aligned for any object; NULL: there is none left. They are called when
 * something is made, and when a mode is visited for the first time. */
typedef struct {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
} hbg_rt_memory;

#endif
