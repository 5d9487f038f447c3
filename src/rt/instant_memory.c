/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory of a run for instants: one list of arrays with their lengths, and room for registers that compiling
 * adds. */
#include <math.h>
#include <string.h>

#include "rt/door_impl.h"

/* Arrays with their lengths: those of every run, and those allocated once the islands are known. */
#define INSTANT_ARRAYS(X, of)                                                                                \
    X(limits.pre_law, (of)->counts.pres)                                                                     \
    X(limits.pre_used, (of)->counts.pres)                                                                    \
    X(limits.pre_size, (of)->counts.pres)                                                                    \
    X(limits.pre_earlier, (of)->counts.pres)                                                                 \
    X(fin_band, (of)->counts.relations)                                                                      \
    X(area_band, (of)->counts.relations)                                                                     \
    X(crossed, (of)->counts.relations)                                                                       \
    X(seen, (of)->counts.relations)                                                                          \
    X(near, (of)->counts.relations)                                                                          \
    X(watch.by_area, (of)->counts.relations)                                                                 \
    X(watch.truth, (of)->counts.relations)                                                                   \
    X(watch.watched, (of)->counts.relations)                                                                 \
    X(watch.watched_positive, (of)->counts.relations)                                                        \
    X(watch.watched_negative, (of)->counts.relations)                                                        \
    X(watch.muted, (of)->counts.relations)                                                                   \
    X(watch.plan.turn, (of)->counts.relations)                                                               \
    X(watch.plan.at_border, (of)->counts.relations)                                                          \
    X(watch.plan.law_turn, run->image->code.located_limit)                                                   \
    X(watch.watched_state, (of)->counts.automata)                                                            \
    X(entered_now, (of)->counts.automata)                                                                    \
    X(came_from, (of)->counts.automata)                                                                      \
    X(answers.opened, (of)->counts.automata)                                                                 \
    X(answers.answered, (of)->counts.discretes)                                                              \
    X(look.movers, (of)->counts.automata)                                                                    \
    X(look.next, (of)->counts.automata)                                                                      \
    X(in_area, (of)->counts.ins)                                                                             \
    X(bounce.in_bounce, (of)->counts.restitution)                                                            \
    X(bounce.resting, (of)->counts.restitution)                                                              \
    X(bounce.bounced, (of)->counts.restitution)                                                              \
    X(bounce.bounces, (of)->counts.restitution)                                                              \
    X(bounce.bounced_last, (of)->counts.restitution)                                                         \
    X(bounce.elastic, (of)->counts.restitution)                                                              \
    X(bounce.bounce_times, (of)->counts.restitution)                                                         \
    X(bounce.off_earlier, (of)->counts.restitution)                                                          \
    X(bounce.chooses, (of)->counts.restitution)                                                              \
    X(bounce.choices_made, (of)->counts.restitution)                                                         \
    X(suspect, (of)->counts.states)                                                                          \
    X(settled, (of)->counts.states)                                                                          \
    X(limits.earlier, (of)->counts.states)                                                                   \
    X(state_size, (of)->counts.states)                                                                       \
    X(work, (of)->counts.powers)                                                                             \
    X(energy, 7 * (of)->counts.storages)                                                                     \
    X(change.changed, (of)->outside.most_held)                                                               \
    X(change.before, (of)->outside.most_held)                                                                \
    X(look.step, (of)->counts.longest_condition)

#define FITTED_ARRAYS(X, of)                                                                                 \
    X(limits.left, (of)->values.left_count)                                                                  \
    X(limits.left_size, (of)->values.left_count)                                                             \
    X(limits.left_share, (of)->values.left_count)                                                            \
    X(event_register, (of)->values.cell_count)                                                               \
    X(far.cell, (of)->values.cell_count)                                                                     \
    X(far.shorted, (of)->kept.island_count)                                                                  \
    X(across, (of)->counts.borders)

/* Arrays for judging are computed from the others at each instant. */
#define JUDGED_ARRAYS(X, of)                                                                                 \
    X(far.laid, (of)->kept.island_count)                                                                     \
    X(judged.j, (of)->counts.beginnings)                                                                     \
    X(judged.size, (of)->counts.beginnings)                                                                  \
    X(judged.known, (of)->counts.beginnings)                                                                 \
    X(judged.changed, (of)->counts.beginnings)                                                               \
    X(judged.decided, (of)->counts.beginnings)                                                               \
    X(judged.settled, (of)->counts.judged)                                                                   \
    X(judged.loads, (of)->counts.judged)                                                                     \
    X(words.told, (of)->counts.automata)                                                                     \
    X(watch.plan.value, (of)->counts.plan_steps)                                                             \
    X(watch.plan.ahead, (of)->counts.relations)                                                              \
    X(watch.plan.kind, (of)->counts.plan_steps)                                                              \
    X(watch.plan.place, run->image->code.located_limit)

#define ALLOCATE(name, count)                                                                                \
    at->name = hbg_rt_room_take(&run->room, 1, ((size_t)(count) + 1) * sizeof *at->name);                    \
    fine = fine && at->name;
#define FREE(name, count)                                                                                    \
    if (at->name) hbg_rt_room_return(&run->room, at->name);

bool hbg_rt_instant_init(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    bool fine = true;
    INSTANT_ARRAYS(ALLOCATE, &run->image->instants)
    if (!fine) return false;
    at->unanswered = at->undefined = HBG_RT_NONE;
    for (int32_t i = 0; i < run->image->instants.counts.automata; i++)
        at->watch.watched_state[i] = HBG_RT_NONE;
    return true;
}

/* If memory runs out, nothing is kept: the next attempt allocates everything again. */
static void free_fitted(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    FITTED_ARRAYS(FREE, &run->image->instants)
    JUDGED_ARRAYS(FREE, &run->image->instants)
#define X(name, count) at->name = NULL;
    FITTED_ARRAYS(X, &run->image->instants)
    JUDGED_ARRAYS(X, &run->image->instants)
#undef X
}

/* Whether two islands request the same cell; overwrites `island_of`. */
static bool shares_cells(const hbg_rt_instance *run, int32_t *island_of) {
    const hbg_rt_instants *instants = &run->image->instants;
    bool shares = false;
    for (int32_t i = 0; i < instants->kept.island_count; i++) {
        hbg_rt_range asked = instants->kept.islands[i].asked;
        for (int32_t k = 0; k < asked.count; k++) {
            int32_t *island = &island_of[hbg_rt_list(run, asked)[k]];
            shares |= *island != HBG_RT_NONE && *island != i;
            *island = i;
        }
    }
    return shares;
}

hbg_rt_status hbg_rt_instant_fit(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    bool fine = true;
    if (at->event_register) return HBG_RT_OK;
    FITTED_ARRAYS(ALLOCATE, &run->image->instants)
    JUDGED_ARRAYS(ALLOCATE, &run->image->instants)
    if (!fine) free_fitted(run);
    for (int32_t i = 0; fine && i < run->image->instants.values.cell_count; i++)
        at->event_register[i] = HBG_RT_NONE;
    at->far.shares = fine && shares_cells(run, at->event_register);
    for (int32_t i = 0; fine && i < run->image->instants.values.cell_count; i++)
        at->event_register[i] = HBG_RT_NONE;
    for (int32_t i = 0; fine && i < run->image->instants.values.cell_count; i++)
        at->far.cell[i] = HBG_RT_USUAL;
    for (int32_t i = 0; fine && i < run->image->instants.counts.relations; i++)
        if (run->image->instants.guards.relations[i].always)
            at->watch.watched[i] = at->watch.watched_positive[i] = 1;
    for (int32_t i = 0; fine && i < run->image->instants.counts.beginnings; i++) {
        at->judged.j[i] = run->image->instants.values.beginnings[i];
        at->judged.size[i] = fabs(at->judged.j[i]);
    }
    return fine ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}

/* Makes room for registers that compiling has added, and keeps their sizes: the time of compiling must make
 * no difference. */
hbg_rt_status hbg_rt_instant_room(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    if (at->size_capacity >= run->register_capacity) return HBG_RT_OK;
    size_t old = (size_t)at->size_capacity * sizeof *at->size;
    double *size = hbg_rt_room_take(&run->room, 1, 2 * (size_t)run->register_capacity * sizeof *size);
    if (!size) return HBG_RT_NO_MEMORY;
    double *answer =
        hbg_rt_room_take(&run->room, 2 * HBG_RT_PROBES, (size_t)run->register_capacity * sizeof *answer);
    int32_t *stamp = hbg_rt_room_take(&run->room, 1, (size_t)run->register_capacity * sizeof *stamp);
    if (!answer || !stamp) {
        hbg_rt_room_return(&run->room, size);
        if (answer) hbg_rt_room_return(&run->room, answer);
        return HBG_RT_NO_MEMORY;
    }
    if (run->loops.answer) hbg_rt_room_return(&run->room, run->loops.answer);
    if (run->loops.stamp) hbg_rt_room_return(&run->room, run->loops.stamp);
    run->loops.answer = answer;
    run->loops.stamp = stamp;
    run->loops.probe = 0;
    if (at->size) memcpy(size, at->size, old);
    if (at->size) hbg_rt_room_return(&run->room, at->size);
    at->size = size;
    at->size_capacity = run->register_capacity;
    return HBG_RT_OK;
}

void hbg_rt_instant_keep(hbg_rt_instance *run, hbg_rt_archive *archive) {
    instant_data *at = &run->at;
#define X(name, count) HBG_RT_KEEP_ARRAY(archive, at->name, count);
    INSTANT_ARRAYS(X, &run->image->instants)
    FITTED_ARRAYS(X, &run->image->instants)
#undef X
    HBG_RT_KEEP(archive, at->watch.plan.on);
    HBG_RT_KEEP(archive, at->watch.plan.t);
    if (archive->from) hbg_rt_keep_judged(run, false); // bands are those of the saved run
    for (int32_t i = 0; archive->from && at->far.laid && i < run->island_count; i++) at->far.laid[i] = NULL;
    bool is_measured = at->size != NULL; // in a run with instants
    HBG_RT_KEEP(archive, is_measured);
    bool has_room = !archive->from || hbg_rt_instant_room(run) == HBG_RT_OK;
    if (is_measured && has_room) HBG_RT_KEEP_ARRAY(archive, at->size, run->mark.registers);
}
