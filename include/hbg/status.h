/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Status codes of every operation that can fail, with their texts, in one list. */
#ifndef HBG_STATUS_H
#define HBG_STATUS_H

/* name, value, text. Negative is failure; a wrong model is a failure of its own kind: read the diagnostics.
 */
#define HBG_STATUS_LIST(X)                                                                                   \
    X(OK, 0, "fine")                                                                                         \
    X(BAD_MODEL, -1, "the model has errors; see the diagnostics")                                            \
    X(NO_MEMORY, -2, "out of memory, or over the memory limit of the session")                               \
    X(CANNOT_READ, -3, "a file cannot be read")                                                              \
    X(CANNOT_WRITE, -4, "a file cannot be written")                                                          \
    X(NOT_FOUND, -5, "no such object")                                                                       \
    X(BAD_ARGUMENT, -6, "an argument of the call is out of its range")                                       \
    X(NO_PROGRAM, -7, "a program that hbg calls is missing or failed")                                       \
    X(TOO_LARGE, -8, "the request is too large")                                                             \
    X(INTERNAL, -9, "internal error: please report it")

typedef enum {
#define HBG_STATUS_ENUM(name, value, text) HBG_##name = value,
    HBG_STATUS_LIST(HBG_STATUS_ENUM)
#undef HBG_STATUS_ENUM
} hbg_status;

/* The text of a status; never NULL, also for a number that is none. */
const char *hbg_status_text(hbg_status status);

#if defined(__GNUC__)
#define HBG_MUST_CHECK __attribute__((warn_unused_result))
#else
#define HBG_MUST_CHECK
#endif

/* Hands a failure on to the caller. */
#define HBG_TRY(call)                                                                                        \
    do {                                                                                                     \
        hbg_status hbg_try_ = (call);                                                                        \
        if (hbg_try_ != HBG_OK) return hbg_try_;                                                             \
    } while (0)

#endif
