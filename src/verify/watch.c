/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A thread that calls a question off when it has taken too long. It counts the computing time of the asking
 * thread, so that an answer does not depend on other work of the machine. Z3 has such a clock itself, but in
 * some releases starting and stopping it for many short questions hangs. */
#include <errno.h>
#include <signal.h>

#include "verify/watch_impl.h"

#define LOOK_NS 10000000 /* how often it looks */

static double used(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool hbg_verify_watch_goes_on(verify_watch *watch) {
    const verify_listener *listener = &watch->listener;
    if (!watch->stopped && listener->goes_on &&
        !listener->goes_on(listener->context, listener->group, listener->groups))
        watch->stopped = true;
    return !watch->stopped;
}

/* Watches while a question is under way, and sleeps in between. */
static void *watch_questions(void *context) {
    verify_watch *watch = context;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->ends) {
        struct timespec next;
        if (!watch->asked) {
            pthread_cond_wait(&watch->change, &watch->mutex);
            continue;
        }
        watch->late = watch->late || used(watch->clock) > watch->until;
        if (watch->late || !hbg_verify_watch_goes_on(watch)) Z3_interrupt(watch->asked);
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_nsec += LOOK_NS;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&watch->change, &watch->mutex, &next);
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

/* Signals go to the thread that started this. */
static bool start(verify_watch *watch) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&watch->thread, NULL, watch_questions, watch) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void hbg_verify_watch_init(verify_watch *watch) {
    *watch = (verify_watch){.asked = NULL};
    pthread_condattr_t monotonic; // the time of day may be set meanwhile
    pthread_mutex_init(&watch->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->change, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void hbg_verify_watch_fini(verify_watch *watch) {
    if (watch->runs) {
        pthread_mutex_lock(&watch->mutex);
        watch->ends = true;
        pthread_cond_signal(&watch->change);
        pthread_mutex_unlock(&watch->mutex);
        pthread_join(watch->thread, NULL);
    }
    pthread_cond_destroy(&watch->change);
    pthread_mutex_destroy(&watch->mutex);
}

Z3_lbool hbg_verify_watch_check(verify_watch *watch, Z3_context context, Z3_solver solver, int32_t limit_ms) {
    watch->late = false;
    if (limit_ms > 0 && !watch->runs) watch->runs = start(watch);
    if (limit_ms <= 0 || !watch->runs || pthread_getcpuclockid(pthread_self(), &watch->clock) != 0)
        return Z3_solver_check(context, solver);
    pthread_mutex_lock(&watch->mutex);
    watch->until = used(watch->clock) + 1e-3 * limit_ms;
    watch->asked = context;
    pthread_cond_signal(&watch->change);
    pthread_mutex_unlock(&watch->mutex);
    Z3_lbool answer = Z3_solver_check(context, solver);
    pthread_mutex_lock(&watch->mutex);
    watch->asked = NULL;
    pthread_mutex_unlock(&watch->mutex);
    return answer;
}
