/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One compiled model for runs on many threads. What is made with the model never changes. Code of local modes is made by the
 * first run that gets there, under a lock, and published when it is complete; who meets it later finds it without one. Vectors
 * that grow by it leave their old items where they were, so that a run can go on with the ones it knows of; it catches up where it
 * takes code that may refer to newer ones, which the version tells. Nothing that a run computes depends on what others have
 * compiled: registers and numbers of relations are names only, and relations of modes it has not been in do not count for it. */
#include <string.h>

#include "eqn/instance_impl.h"

void hbg_eqn_lock(hbg_eqn *eqn) {
    pthread_mutex_lock(&eqn->lock);
}

void hbg_eqn_unlock(hbg_eqn *eqn) {
    pthread_mutex_unlock(&eqn->lock);
}

int64_t hbg_eqn_compiled(const hbg_eqn *eqn) {
    return eqn->compiled;
}

/* ---- room for what was compiled ------------------------------------------------------------------------- */

/* Grows arrays of one length that belong to the run, all of them or none: `end` gives back by length. */
typedef struct {
    void **place;
    size_t size;
} array;

enum { MOST_TOGETHER = 6 };

static bool grow(hbg_rt_instance *run, const array *arrays, int count, int32_t *length, int32_t wanted) {
    void *larger[MOST_TOGETHER] = {NULL};
    bool fine = true;
    HBG_ASSERT(count <= MOST_TOGETHER);
    if (*length >= wanted) return true;
    for (int i = 0; i < count; i++) {
        larger[i] = hbg_memory_alloc(run->memory, (size_t)wanted * arrays[i].size);
        fine = fine && larger[i];
    }
    for (int i = 0; i < count; i++) {
        void *out = fine ? *arrays[i].place : larger[i];
        size_t out_size = (size_t)(fine ? *length : wanted) * arrays[i].size;
        if (fine && out) memcpy(larger[i], out, out_size);
        if (fine) *arrays[i].place = larger[i];
        if (out) hbg_memory_free(run->memory, out, out_size);
    }
    if (fine) *length = wanted;
    return fine;
}

#define ARRAY(array)                                                                                         \
    { (void **)&(array), sizeof *(array) }
#define GROW(run, length, wanted, ...)                                                                       \
    grow((run), (const array[]){__VA_ARGS__}, (int)(sizeof((const array[]){__VA_ARGS__}) / sizeof(array)),   \
         &(length), (wanted))

/* Relations of modes that the run has not been in are far from changing sides. */
static bool grow_located(hbg_rt_instance *run) {
    int32_t old = run->located_capacity;
    if (!GROW(run, run->located_capacity, run->eqn->located.count + 1, ARRAY(run->branch), ARRAY(run->root),
              ARRAY(run->crossed), ARRAY(run->side), ARRAY(run->loose), ARRAY(run->met)))
        return false;
    for (int32_t i = old; i < run->located_capacity; i++) run->root[i] = 1;
    return true;
}

static bool make_room(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    int32_t room = eqn->register_count + eqn->register_count / 4; // modes to come bring more
    int32_t loops = eqn->loops.count + eqn->loops.count / 4;
    if (run->register_capacity < eqn->register_count &&
        !GROW(run, run->register_capacity, room, ARRAY(run->r)))
        return false;
    if (run->reach_capacity < eqn->register_count &&
        !GROW(run, run->reach_capacity, room, ARRAY(run->reach), ARRAY(run->kept)))
        return false;
    if (run->factored_capacity < eqn->loops.count &&
        !GROW(run, run->factored_capacity, loops, ARRAY(run->factored)))
        return false;
    return grow_located(run) &&
           GROW(run, run->loop_capacity, eqn->widest_loop + 1, ARRAY(run->step), ARRAY(run->origin),
                ARRAY(run->pivot)) &&
           GROW(run, run->entry_capacity, eqn->most_entries, ARRAY(run->entries));
}

void hbg_eqn_meet(hbg_rt_instance *run, int32_t located) {
    run->met_count += !run->met[located];
    run->met[located] = 1;
}

hbg_rt_status hbg_eqn_catch_up(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    if (!make_room(run)) return HBG_RT_NO_MEMORY;
    run->view = (compiled_view){.loops = eqn->loops.items,
                                .loop_count = eqn->loops.count,
                                .charges = eqn->charges.items,
                                .prologue = eqn->prologue.items,
                                .located_tables = eqn->located_tables.items,
                                .located_count = eqn->located.count};
    for (int32_t i = eqn->located_params; i < eqn->located_always; i++) hbg_eqn_meet(run, i);
    for (; run->constants_done < eqn->constant_register.count; run->constants_done++)
        run->r[eqn->constant_register.items[run->constants_done]] =
            eqn->constant_value.items[run->constants_done];
    run->seen = atomic_load_explicit(&eqn->version, memory_order_relaxed);
    int32_t done = run->prologue_done;
    run->prologue_done = eqn->prologue.count;
    return hbg_eqn_run_prologue(run, done);
}

hbg_rt_status hbg_eqn_keep_up(hbg_rt_instance *run) {
    hbg_eqn *eqn = run->eqn;
    if (atomic_load_explicit(&eqn->version, memory_order_acquire) == run->seen) return HBG_RT_OK;
    hbg_eqn_lock(eqn);
    hbg_rt_status status = hbg_eqn_catch_up(run);
    hbg_eqn_unlock(eqn);
    return status;
}

/* ---- compiling ------------------------------------------------------------------------------------------ */

/* Exhaustion comes back as a status; an outer guard stays what it was. The version moves before anything is published, so that
 * who finds it knows that there is more to catch up with. */
hbg_rt_status hbg_eqn_compile(hbg_rt_instance *run, void (*work)(hbg_rt_instance *run)) {
    hbg_eqn *eqn = run->eqn;
    hbg_memory *memory = eqn->arena->memory;
    jmp_buf guard;
    hbg_eqn_lock(eqn);
    jmp_buf *outer = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        memory->exhausted = outer;
        hbg_eqn_unlock(eqn);
        return HBG_RT_NO_MEMORY;
    }
    atomic_fetch_add_explicit(&eqn->version, 1, memory_order_release);
    work(run);
    memory->exhausted = outer;
    hbg_rt_status status = hbg_eqn_catch_up(run);
    hbg_eqn_unlock(eqn);
    return status;
}
