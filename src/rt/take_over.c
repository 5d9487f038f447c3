/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One compiled model for runs on many threads. What is made with the model never changes. Code of a local
 * mode is made by the first run that reaches it, under a lock, and published when it is complete; a run that
 * enters the mode later finds the code without a lock. With the code comes a mark: how far the pools had
 * grown then. A run that uses the code for the first time takes over everything up to there, with room for it
 * in its own arrays. No result of a run depends on what others have compiled: registers and numbers of
 * relations are only names, and relations of modes that the run has not been in do not count for it. */
#include <string.h>

#include "rt/run_impl.h"

/* ---- room for what was compiled ------------------------------------------------------------------------ */

/* Grows arrays of one length that belong to the run, all of them or none: `end` frees by length. */
typedef struct {
    void **place;
    size_t size;
} array;

enum { MOST_TOGETHER = 6 };

static bool grow(hbg_rt_instance *run, const array *arrays, int count, int32_t *length, int32_t wanted) {
    void *larger[MOST_TOGETHER] = {NULL};
    bool fine = true;
    assert(count <= MOST_TOGETHER);
    if (*length >= wanted) return true;
    for (int i = 0; i < count; i++) {
        larger[i] = hbg_rt_room_take(&run->room, 1, (size_t)wanted * arrays[i].size);
        fine = fine && larger[i];
    }
    for (int i = 0; i < count; i++) {
        void *out = fine ? *arrays[i].place : larger[i];
        size_t out_size = (size_t)(fine ? *length : wanted) * arrays[i].size;
        if (fine && out) memcpy(larger[i], out, out_size);
        if (fine) *arrays[i].place = larger[i];
        if (out) hbg_rt_room_return(&run->room, out);
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
static bool grow_located(hbg_rt_instance *run, int32_t count) {
    int32_t old = run->branches.located_capacity;
    if (!GROW(run, run->branches.located_capacity, count + 1, ARRAY(run->branches.branch),
              ARRAY(run->branches.root), ARRAY(run->branches.crossed), ARRAY(run->branches.side),
              ARRAY(run->branches.loose), ARRAY(run->branches.met)))
        return false;
    for (int32_t i = old; i < run->branches.located_capacity; i++) run->branches.root[i] = 1;
    return true;
}

static bool make_room(hbg_rt_instance *run, hbg_rt_mark mark) {
    int32_t room = mark.registers + mark.registers / 4; // later modes add more
    int32_t loops = mark.loops + mark.loops / 4;
    if (run->register_capacity < mark.registers && !GROW(run, run->register_capacity, room, ARRAY(run->r)))
        return false;
    if (run->loops.reach_capacity < mark.registers &&
        !GROW(run, run->loops.reach_capacity, room, ARRAY(run->loops.reach), ARRAY(run->loops.kept),
              ARRAY(run->loops.noted), ARRAY(run->loops.begun), ARRAY(run->loops.reached),
              ARRAY(run->loops.tried)))
        return false;
    if (run->loops.factored_capacity < mark.loops &&
        !GROW(run, run->loops.factored_capacity, loops, ARRAY(run->loops.factored)))
        return false;
    return grow_located(run, mark.located) &&
           GROW(run, run->loops.loop_capacity, mark.widest_loop + 1, ARRAY(run->loops.step),
                ARRAY(run->loops.origin), ARRAY(run->loops.pivot)) &&
           GROW(run, run->loops.entry_capacity, mark.most_entries, ARRAY(run->loops.entries));
}

/* What rates read may be planned otherwise than what they do not. */
void hbg_rt_meet(hbg_rt_instance *run, int32_t located, hbg_rt_reading reading) {
    uint8_t *met = &run->branches.met[located], bit = (uint8_t)(1 << reading);
    if (*met & bit) return;
    *met |= bit;
    run->branches.met_count[reading]++;
    uint8_t beside = (uint8_t)(*met & ~(1U << HBG_RT_FIELD));
    if (*met != beside) { // where the field does not follow its branch, what reads it has to
        run->branches.shared |= beside;
        run->branches.reads |= beside;
    }
    if (run->at.watch.plan.place) run->at.watch.plan.place[located] = 0;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* Everything that either has reached. */
static hbg_rt_mark join_marks(hbg_rt_mark a, hbg_rt_mark b) {
    return (hbg_rt_mark){larger(a.registers, b.registers),
                         larger(a.constants, b.constants),
                         larger(a.prologue, b.prologue),
                         larger(a.located, b.located),
                         larger(a.loops, b.loops),
                         larger(a.widest_loop, b.widest_loop),
                         larger(a.most_entries, b.most_entries)};
}

/* Unknowns of the widest loop with a dense matrix, among these. */
static int32_t widest_dense(const hbg_rt_image *image, int32_t first, int32_t end) {
    int32_t widest = 0;
    for (int32_t i = first; i < end; i++) {
        const hbg_rt_loop *of = HBG_RT_AT(image->pool.loops, i);
        if (!of->sparse) widest = larger(widest, of->count);
    }
    return widest;
}

hbg_rt_status hbg_rt_keep_up(hbg_rt_instance *run, const hbg_rt_mark *with) {
    hbg_rt_mark done = run->mark, mark = join_marks(done, *with);
    if (memcmp(&mark, &done, sizeof mark) == 0) return HBG_RT_OK;
    if (!make_room(run, mark) || !hbg_rt_make_dense(run, widest_dense(run->image, done.loops, mark.loops)))
        return HBG_RT_NO_MEMORY;
    run->mark = mark;
    for (int32_t i = done.constants; i < mark.constants; i++) {
        const hbg_rt_constant *constant = HBG_RT_AT(run->image->pool.constants, i);
        run->r[constant->reg] = constant->value;
    }
    return hbg_rt_run_prologue(run, done.prologue);
}
