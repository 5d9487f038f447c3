/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Questions that are called off after some time. Part of src/verify. */
#ifndef HBG_VERIFY_WATCH_IMPL_H
#define HBG_VERIFY_WATCH_IMPL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <z3.h>

/* Called for every question, and now and then during one; false: all further ones are called off. It is
 * called by the asking thread, or by the watching one while the other waits for an answer, never by both at
 * once. */
typedef struct {
    bool (*goes_on)(void *context, int32_t group, int32_t groups); /* or NULL */
    void *context;
    int32_t group, groups;
} verify_listener;

#define VERIFY_STOPPED "it was interrupted" /* in words */

typedef struct {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t change; /* a question begins, or it is to end */
    Z3_context asked;      /* under way; NULL: none */
    clockid_t clock;       /* computing time of the asking thread */
    double until;          /* on it, in seconds */
    bool runs, ends;       /* the thread */
    bool late;             /* the last question was called off */
    verify_listener listener;
    bool stopped; /* by the listener */
} verify_watch;

void hbg_verify_watch_init(verify_watch *watch);
void hbg_verify_watch_fini(verify_watch *watch);
/* Asks the listener whether there are to be further questions. */
bool hbg_verify_watch_goes_on(verify_watch *watch);
/* Asks the solver, for at most so much computing time; 0: any. */
Z3_lbool hbg_verify_watch_check(verify_watch *watch, Z3_context context, Z3_solver solver, int32_t limit_ms);

#endif
