/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a run keeps for instants: one list of arrays with their sizes, and room for what compiling adds. */
#include <string.h>

#include "eqn/instance_impl.h"

/* One list of what is allocated, with its size. */
#define INSTANT_ARRAYS(X, eqn)                                                                               \
    X(left, (eqn)->event_variables.count)                                                                    \
    X(left_size, (eqn)->event_variables.count)                                                               \
    X(left_share, (eqn)->event_variables.count)                                                              \
    X(left_of, (eqn)->base_count *LAYER_COUNT)                                                               \
    X(pre_law, (eqn)->pre.count)                                                                             \
    X(pre_used, (eqn)->pre.count)                                                                            \
    X(pre_size, (eqn)->pre.count)                                                                            \
    X(fin_band, (eqn)->relations.count)                                                                      \
    X(area_band, (eqn)->relations.count)                                                                     \
    X(crossed, (eqn)->relations.count)                                                                       \
    X(seen, (eqn)->relations.count)                                                                          \
    X(across, (eqn)->instant_terms)                                                                          \
    X(near, (eqn)->relations.count)                                                                          \
    X(by_area, (eqn)->relations.count)                                                                       \
    X(entered_now, (eqn)->model->automata.count)                                                             \
    X(in_bounce, (eqn)->model->elements.count)                                                               \
    X(in_area, (eqn)->ins.count)                                                                             \
    X(truth, (eqn)->relations.count)                                                                         \
    X(watched, (eqn)->relations.count)                                                                       \
    X(watched_positive, (eqn)->relations.count)                                                              \
    X(watched_negative, (eqn)->relations.count)                                                              \
    X(watched_state, (eqn)->model->automata.count)                                                           \
    X(event_register, (eqn)->base_count *LAYER_COUNT)                                                        \
    X(work, (eqn)->system.power_count)                                                                       \
    X(changed, 3 * (eqn)->model->signals.count + 2 * (eqn)->model->params.count)                             \
    X(before, 3 * (eqn)->model->signals.count + 2 * (eqn)->model->params.count)                              \
    X(muted, (eqn)->relations.count)                                                                         \
    X(resting, (eqn)->model->elements.count)                                                                 \
    X(bounced, (eqn)->model->elements.count)                                                                 \
    X(bounces, (eqn)->model->elements.count)                                                                 \
    X(bounced_last, (eqn)->model->elements.count)                                                            \
    X(elastic, (eqn)->model->elements.count)                                                                 \
    X(bounce_at, (eqn)->model->elements.count)                                                               \
    X(bounce_before, (eqn)->model->elements.count)                                                           \
    X(off_earlier, (eqn)->model->elements.count)                                                             \
    X(came_from, (eqn)->model->automata.count)                                                               \
    X(suspect, (eqn)->state_count)                                                                           \
    X(settled, (eqn)->state_count)                                                                           \
    X(earlier, (eqn)->state_count)                                                                           \
    X(pre_earlier, (eqn)->pre.count)                                                                         \
    X(energy, 3 * (eqn)->system.storage_count)                                                               \
    X(state_size, (eqn)->state_count)                                                                        \
    X(told, (eqn)->model->automata.count)                                                                    \
    X(movers, (eqn)->model->automata.count)                                                                  \
    X(next, (eqn)->model->automata.count)                                                                    \
    X(step, longest_condition(eqn))

static int32_t longest_condition(const hbg_eqn *eqn) {
    int32_t longest = 0;
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        longest = longest > eqn->guards[i].walk_count ? longest : eqn->guards[i].walk_count;
    return longest;
}

bool hbg_eqn_instant_init(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
    bool fine = true;
#define X(name, count)                                                                                       \
    at->name = hbg_memory_alloc(run->memory, ((size_t)(count) + 1) * sizeof *at->name);                      \
    fine = fine && at->name;
    INSTANT_ARRAYS(X, eqn)
#undef X
    if (!fine) return false;
    at->unanswered = HBG_NONE;
    for (int32_t i = 0; i < eqn->base_count * LAYER_COUNT; i++)
        at->left_of[i] = at->event_register[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->model->automata.count; i++) at->watched_state[i] = HBG_NONE;
    for (int32_t i = 0; i < eqn->event_variables.count; i++) at->left_of[eqn->event_variables.items[i]] = i;
    return true;
}

void hbg_eqn_instant_fini(hbg_rt_instance *run) {
    const hbg_eqn *eqn = run->eqn;
    instant_data *at = &run->at;
#define X(name, count)                                                                                       \
    if (at->name) hbg_memory_free(run->memory, at->name, ((size_t)(count) + 1) * sizeof *at->name);
    INSTANT_ARRAYS(X, eqn)
#undef X
    size_t sizes = 2 * (size_t)at->size_capacity, values = (size_t)at->value_capacity;
    if (at->size) hbg_memory_free(run->memory, at->size, sizes * sizeof *at->size);
    if (at->values) hbg_memory_free(run->memory, at->values, values * sizeof *at->values);
    if (at->value_stamp) hbg_memory_free(run->memory, at->value_stamp, values * sizeof *at->value_stamp);
}

/* Room for registers that compiling has added, and for values. What is there stays: when somebody compiles must make no
 * difference. */
hbg_rt_status hbg_eqn_instant_room(hbg_rt_instance *run) {
    instant_data *at = &run->at;
    hbg_memory *memory = run->memory;
    if (at->size_capacity < run->register_capacity) {
        size_t old = (size_t)at->size_capacity * sizeof *at->size;
        double *size = hbg_memory_alloc(memory, 2 * (size_t)run->register_capacity * sizeof *size);
        if (!size) return HBG_RT_NO_MEMORY;
        if (at->size) memcpy(size, at->size, old);
        if (at->size) hbg_memory_free(memory, at->size, 2 * old);
        at->size = size;
        at->size_capacity = run->register_capacity;
    }
    size_t terms = (size_t)run->eqn->instant_terms + 1;
    at->value_capacity = (int32_t)terms;
    if (!at->values) at->values = hbg_memory_alloc(memory, terms * sizeof *at->values);
    if (!at->value_stamp) at->value_stamp = hbg_memory_alloc(memory, terms * sizeof *at->value_stamp);
    return at->values && at->value_stamp ? HBG_RT_OK : HBG_RT_NO_MEMORY;
}
