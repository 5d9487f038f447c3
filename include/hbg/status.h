/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Status codes of every operation that can fail, and the ends of proofs and runs: one list each, with their
 * texts. */
#ifndef HBG_STATUS_H
#define HBG_STATUS_H

/* name, value, text. Negative is failure; a wrong model is a special failure: read the diagnostics. */
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

/* The text of a status; never NULL, even if the number is not a status. */
const char *hbg_status_text(hbg_status status);

/* The answer of a proof. name, its word, exit code of the command that asked for the proof. An answer not yet
 * set is zero, so zero means undecided. */
#define HBG_ANSWER_LIST(X)                                                                                   \
    X(NOT_DECIDED, "not decided", 4)                                                                         \
    X(PROVED, "proved", 0)                                                                                   \
    X(VIOLATED, "violated", 1)

typedef enum {
#define HBG_ANSWER_ENUM(name, text, code) HBG_##name,
    HBG_ANSWER_LIST(HBG_ANSWER_ENUM)
#undef HBG_ANSWER_ENUM
} hbg_answer;

/* The word, and the exit code. */
const char *hbg_answer_text(hbg_answer answer);
int hbg_answer_exit(hbg_answer answer);

/* The end of a run. name, its word, exit code; for an interrupted one that of Ctrl-C, unless the command
 * knows of another signal */
#define HBG_RUN_END_LIST(X)                                                                                  \
    X(FINISHED, "finished", 0)                                                                               \
    X(NOT_FINISHED, "not finished", 3)                                                                       \
    X(INTERRUPTED, "interrupted", 130)

typedef enum {
#define HBG_RUN_END_ENUM(name, text, code) HBG_RUN_##name,
    HBG_RUN_END_LIST(HBG_RUN_END_ENUM)
#undef HBG_RUN_END_ENUM
} hbg_run_end;

const char *hbg_run_end_text(hbg_run_end end);
int hbg_run_end_exit(hbg_run_end end);

#if defined(__GNUC__)
#define HBG_MUST_CHECK __attribute__((warn_unused_result))
#else
#define HBG_MUST_CHECK
#endif

/* Returns a failure to the caller. */
#define HBG_TRY(call)                                                                                        \
    do {                                                                                                     \
        hbg_status hbg_try_ = (call);                                                                        \
        if (hbg_try_ != HBG_OK) return hbg_try_;                                                             \
    } while (0)

#endif
