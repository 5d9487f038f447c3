/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many runs on threads. A worker takes the next run as long as there is a slot for its result; results are
 * delivered in order by the worker that finds the next one ready. One mutex guards shared data, and is held
 * only briefly: a run is long compared to that, and results may go to a pipe that accepts nothing for hours.
 * The calling thread watches. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "sim/lanes_impl.h"

#define PAUSE_NS 50000000 /* between two checks of the calling thread */

typedef struct {
    const hbg_sim_ensemble *of;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a result was delivered, or all has ended */
    int64_t next;           /* run to begin */
    int64_t delivered;
    bool delivering;  /* a worker is delivering, without the mutex */
    bool *ready;      /* by slot */
    int32_t working;  /* threads that have not ended */
    bool stopping;    /* under the mutex */
    atomic_bool stop; /* the same for runs, which only read it; a delay does no harm */
} crew;

typedef struct {
    crew *crew;
    int32_t number;
    hbg_sim_lane *lane; /* NULL: it has a thread of its own */
} worker;

/* A thread with a worker, or with as many as there are lanes. */
typedef struct {
    crew *crew;
    worker *workers;
    void **contexts;    /* the same, one by one */
    hbg_sim_gang *gang; /* NULL: one */
    pthread_t thread;
} team;

static void set_stop(crew *c) {
    c->stopping = true;
    atomic_store_explicit(&c->stop, true, memory_order_relaxed);
}

/* Whether the next result is ready; *slot is its place. */
static bool is_next_ready(const crew *c, int32_t *slot) {
    *slot = (int32_t)(c->delivered % c->of->slots);
    return c->ready[*slot] && c->delivered < c->next;
}

static void deliver(crew *c) {
    const hbg_sim_ensemble *of = c->of;
    int32_t slot;
    bool fine = true;
    if (c->delivering) return;
    c->delivering = true;
    while (fine && is_next_ready(c, &slot)) {
        int64_t run = c->delivered;
        c->ready[slot] = false;
        pthread_mutex_unlock(&c->mutex);
        fine = of->deliver(of->context, slot, run);
        pthread_mutex_lock(&c->mutex);
        if (fine)
            c->delivered++;
        else
            set_stop(c);
    }
    c->delivering = !fine; // nothing after a lost result
}

/* Waits for something to change, with the mutex. */
static void await(worker *own) {
    crew *c = own->crew;
    if (!own->lane) {
        pthread_cond_wait(&c->changed, &c->mutex);
        return;
    }
    pthread_mutex_unlock(&c->mutex);
    hbg_sim_lane_wait(own->lane);
    pthread_mutex_lock(&c->mutex);
}

static void work(void *context) {
    worker *own = context;
    crew *c = own->crew;
    const hbg_sim_ensemble *of = c->of;
    pthread_mutex_lock(&c->mutex);
    while (!c->stopping && c->next < of->count) {
        if (c->next >= c->delivered + of->slots) {
            await(own);
            continue;
        }
        int64_t run = c->next++;
        int32_t slot = (int32_t)(run % of->slots);
        pthread_mutex_unlock(&c->mutex);
        bool fine = of->work(of->context, own->number, slot, run, &c->stop);
        pthread_mutex_lock(&c->mutex);
        c->ready[slot] = fine;
        if (!fine) set_stop(c);
        deliver(c);
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->mutex);
}

/* All lanes of a thread wait: so does the thread, unless their results are ready. */
static void rest(void *context) {
    crew *c = ((team *)context)->crew;
    pthread_mutex_lock(&c->mutex);
    if (!c->stopping && c->next < c->of->count && c->next >= c->delivered + c->of->slots)
        pthread_cond_wait(&c->changed, &c->mutex);
    pthread_mutex_unlock(&c->mutex);
}

static void *live(void *context) {
    team *own = context;
    crew *c = own->crew;
    for (int32_t i = 0; own->gang && i < c->of->lanes; i++) own->contexts[i] = &own->workers[i];
    bool side_by_side = own->gang && hbg_sim_gang_run(own->gang, work, own->contexts, rest, own);
    if (!side_by_side) own->workers[0].lane = NULL;
    if (!side_by_side && own->gang) c->of->lane[own->workers[0].number] = NULL;
    if (!side_by_side) work(&own->workers[0]);
    pthread_mutex_lock(&c->mutex);
    c->working--;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

/* Watches until all workers have ended. */
static void watch(crew *c) {
    const hbg_sim_ensemble *of = c->of;
    pthread_mutex_lock(&c->mutex);
    while (c->working > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += PAUSE_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        int late = 0;
        while (c->working > 0 && late != ETIMEDOUT)
            late = pthread_cond_timedwait(&c->changed, &c->mutex, &until);
        int64_t delivered = c->delivered;
        bool asked = of->progress != NULL && !c->stopping;
        pthread_mutex_unlock(&c->mutex);
        bool goes_on = !asked || of->progress(of->context, delivered);
        pthread_mutex_lock(&c->mutex);
        if (!goes_on) set_stop(c);
    }
    pthread_mutex_unlock(&c->mutex);
}

static void make_team(hbg_arena *arena, crew *c, int32_t number, team *own) {
    const hbg_sim_ensemble *of = c->of;
    int32_t lanes = of->lanes > 1 ? of->lanes : 1;
    *own = (team){.crew = c, .workers = HBG_NEW_ARRAY(arena, worker, lanes)};
    own->contexts = HBG_NEW_ARRAY(arena, void *, lanes);
    if (lanes > 1) own->gang = hbg_sim_gang_new(arena, of->table, of->device, lanes);
    for (int32_t i = 0; i < lanes; i++) {
        own->workers[i] = (worker){.crew = c, .number = number * lanes + i};
        if (!own->gang) continue;
        own->workers[i].lane = hbg_sim_gang_lane(own->gang, i);
        of->lane[number * lanes + i] = own->workers[i].lane;
    }
}

static int32_t start(crew *c, team *teams) {
    int32_t made = 0;
    for (; made < c->of->threads; made++) {
        team *own = &teams[made];
        pthread_mutex_lock(&c->mutex);
        c->working++;
        pthread_mutex_unlock(&c->mutex);
        if (pthread_create(&own->thread, NULL, live, own) == 0) continue;
        pthread_mutex_lock(&c->mutex);
        c->working--;
        pthread_mutex_unlock(&c->mutex);
        break;
    }
    return made;
}

int64_t hbg_sim_ensemble_run(hbg_arena *arena, const hbg_sim_ensemble *ensemble) {
    crew c = {.of = ensemble, .next = ensemble->first, .delivered = ensemble->first};
    team *teams = HBG_NEW_ARRAY(arena, team, ensemble->threads);
    pthread_condattr_t monotonic;
    c.ready = HBG_NEW_ARRAY(arena, bool, ensemble->slots);
    if (pthread_condattr_init(&monotonic) != 0) return -1;
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    bool made = pthread_mutex_init(&c.mutex, NULL) == 0;
    if (made && pthread_cond_init(&c.changed, &monotonic) != 0) {
        pthread_mutex_destroy(&c.mutex);
        made = false;
    }
    pthread_condattr_destroy(&monotonic);
    if (!made) return -1;
    for (int32_t i = 0; i < ensemble->threads; i++) make_team(arena, &c, i, &teams[i]);
    int32_t threads = start(&c, teams);
    watch(&c);
    for (int32_t i = 0; i < threads; i++) pthread_join(teams[i].thread, NULL);
    for (int32_t i = 0; i < ensemble->threads; i++)
        if (teams[i].gang) hbg_sim_gang_end(teams[i].gang);
    pthread_cond_destroy(&c.changed);
    pthread_mutex_destroy(&c.mutex);
    return threads > 0 ? c.delivered : -1;
}
