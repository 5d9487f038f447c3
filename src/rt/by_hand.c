/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instances of systems written by hand. Such an instance has an empty image, so that all loops over islands,
 * restitution, waves or waits are empty; functions on an instance that compute something call the table
 * first, by the functions here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rt/run_impl.h"

static const hbg_rt_image nothing; /* no registers, no code, no automata */

hbg_rt_instance *hbg_rt_by_hand_new(const hbg_rt_by_hand *table, hbg_rt_memory memory) {
    hbg_rt_instance *run = memory.allocate(memory.context, sizeof *run);
    if (!run) return NULL;
    run->room.memory = memory;
    run->by_hand = table;
    run->system = table->description;
    run->image = &nothing;
    run->refused = run->doubted = run->at.unanswered = HBG_RT_NONE;
    run->branches.located_capacity = table->description->root_count;
    run->branches.branch = HBG_RT_TAKE(&run->room, double, run->branches.located_capacity);
    run->branches.root = HBG_RT_TAKE(&run->room, double, run->branches.located_capacity);
    if (!run->room.is_exhausted) return run;
    hbg_rt_room_end(&run->room);
    memory.release(memory.context, run, sizeof *run);
    return NULL;
}

/* ---- from outside, and states -------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_hand_set_param(hbg_rt_instance *run, int32_t param, double value) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->set_param ? of->set_param(of->self, param, value) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_set_input(hbg_rt_instance *run, int32_t input, double value) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->set_input ? of->set_input(of->self, input, value) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_declare(hbg_rt_instance *run, double *x) {
    const hbg_rt_by_hand *of = run->by_hand;
    for (int32_t i = 0; i < of->description->state_count; i++) x[i] = 0;
    return of->declare ? of->declare(of->self, x) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_jump(hbg_rt_instance *run, double t, const double *x, double *x_plus) {
    const hbg_rt_by_hand *of = run->by_hand;
    memmove(x_plus, x, (size_t)of->description->state_count * sizeof *x);
    return of->jump ? of->jump(of->self, t, x, x_plus) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_jump_work(hbg_rt_instance *run, double *work) {
    const hbg_rt_by_hand *of = run->by_hand;
    for (int32_t i = 0; i < of->description->power_count; i++) work[i] = 0;
    return of->jump_work ? of->jump_work(of->self, work) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_settle(hbg_rt_instance *run, double t, double *x) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->settle ? of->settle(of->self, t, x) : HBG_RT_OK;
}

/* ---- the field ---------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_hand_rates(hbg_rt_instance *run, double t, const double *x, double *dx) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->rates ? of->rates(of->self, t, x, dx) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_outputs(hbg_rt_instance *run, double t, const double *x, double *y) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->outputs ? of->outputs(of->self, t, x, y) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_powers(hbg_rt_instance *run, double t, const double *x, double *power) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->powers ? of->powers(of->self, t, x, power) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_energies(hbg_rt_instance *run, double t, const double *x, double *energy) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->energies ? of->energies(of->self, t, x, energy) : HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_jacobian(hbg_rt_instance *run, double t, const double *x, double *values) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->jacobian ? of->jacobian(of->self, t, x, values) : HBG_RT_OK;
}

/* ---- relations ---------------------------------------------------------------------------------------- */

hbg_rt_status hbg_rt_hand_indicators(hbg_rt_instance *run, double t, const double *x, double *g) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->relations ? of->relations(of->self, t, x, g) : HBG_RT_OK;
}

bool hbg_rt_by_hand_holds(hbg_rt_instance *run, int32_t relation, double t, const double *x) {
    if (run->located == LOCATED_FROZEN) return run->branches.branch[relation] != 0;
    return hbg_rt_hand_indicators(run, t, x, run->branches.root) == HBG_RT_OK &&
           run->branches.root[relation] > 0;
}

/* Crossed relations change sides, whatever their value at this point. */
hbg_rt_status hbg_rt_hand_freeze(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                                 int32_t count) {
    hbg_rt_status status = count > 0 ? HBG_RT_OK : hbg_rt_hand_indicators(run, t, x, run->branches.root);
    for (int32_t i = 0; i < count; i++)
        run->branches.branch[crossed[i]] = run->branches.branch[crossed[i]] == 0;
    for (int32_t k = 0; k < run->branches.located_capacity && count == 0; k++)
        run->branches.branch[k] = run->branches.root[k] > 0;
    run->located = LOCATED_FROZEN;
    return status;
}

hbg_rt_status hbg_rt_hand_freeze_anew(hbg_rt_instance *run, double t, const double *x, const int32_t *listed,
                                      int32_t count, int8_t *sides) {
    hbg_rt_status status = hbg_rt_hand_indicators(run, t, x, run->branches.root);
    for (int32_t i = 0; i < count && status == HBG_RT_OK; i++) {
        int32_t k = listed[i] < 0 ? ~listed[i] : listed[i];
        run->branches.branch[k] = listed[i] >= 0 && run->branches.root[k] > 0; // false at equality
        sides[k] = run->branches.branch[k] != 0 ? 1 : -1;
    }
    run->located = LOCATED_FROZEN;
    return status;
}

hbg_rt_status hbg_rt_hand_indicator_sizes(hbg_rt_instance *run, double *sizes, double *rounding) {
    for (int32_t k = 0; k < run->system->root_count; k++) sizes[k] = 0;
    for (int32_t k = 0; k < run->system->root_count && rounding; k++) rounding[k] = 0;
    return HBG_RT_OK;
}

void hbg_rt_hand_indicator_name(int32_t root, char *text, size_t size) {
    snprintf(text, size, "relation %d", (int)root);
}

/* ---- what time drives --------------------------------------------------------------------------------- */

double hbg_rt_hand_next_break(hbg_rt_instance *run, double t) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->next_break ? of->next_break(of->self, t) : INFINITY;
}

hbg_rt_status hbg_rt_hand_tick(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                               int32_t count) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->tick ? of->tick(of->self, t, x, clocks, count) : HBG_RT_OK;
}

bool hbg_rt_hand_stride(hbg_rt_instance *run, hbg_rt_stride *stride, hbg_rt_status *status) {
    const hbg_rt_by_hand *of = run->by_hand;
    return of->stride && of->stride(of->self, stride, status);
}

/* ---- instants ----------------------------------------------------------------------------------------- */

/* Without automata the mode does not change, and energies jump as the table says. */
hbg_rt_status hbg_rt_hand_consider(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                                   double *x_plus) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    run->at.resumed = false;
    if (!of || !of->consider) return hbg_rt_hand_jump(run, t, x, x_plus);
    return of->consider(run->by_hand->self, states, t, x, x_plus);
}

hbg_rt_status hbg_rt_hand_move(hbg_rt_instance *run, const int32_t *states, int32_t *next,
                               const bool *alone) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    int32_t count = run->system->automaton_count;
    memcpy(next, states, (size_t)count * sizeof *next);
    if (!of || !of->move) return HBG_RT_OK;
    hbg_rt_status status = of->move(run->by_hand->self, states, run->at.resumed, next);
    for (int32_t group = 0; group < count && alone; group++) {
        bool moved = false;
        for (int32_t i = 0; i < count && alone[group]; i++) {
            if ((of->groups ? of->groups[i] : 0) != group || next[i] == states[i]) continue;
            if (moved) next[i] = states[i];
            moved = true;
        }
    }
    return status;
}

hbg_rt_status hbg_rt_hand_commit(hbg_rt_instance *run, const int32_t *states, const double *x_plus) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    if (of && of->commit) of->commit(run->by_hand->self, states, x_plus);
    return HBG_RT_OK;
}

hbg_rt_status hbg_rt_hand_flow(hbg_rt_instance *run, const int32_t *states) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    if (of && of->flow) of->flow(run->by_hand->self, states);
    return HBG_RT_OK;
}

bool hbg_rt_hand_event_is_true(hbg_rt_instance *run) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    return of && of->event_is_true && of->event_is_true(run->by_hand->self);
}

bool hbg_rt_hand_held_back(hbg_rt_instance *run) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    return of && of->held_back && of->held_back(run->by_hand->self);
}

bool hbg_rt_hand_forbidden(hbg_rt_instance *run, char *text, size_t size) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    return of && of->forbidden && of->forbidden(run->by_hand->self, text, size);
}

/* The largest magnitudes of states are not recorded, so there is no band. */
bool hbg_rt_hand_same_states(hbg_rt_instance *run, const double *a, const double *b) {
    for (int32_t i = 0; i < run->system->state_count; i++)
        if (a[i] != b[i]) return false;
    return true;
}

void hbg_rt_hand_describe_move(hbg_rt_instance *run, int32_t group, char *text, size_t size) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    if (size > 0) text[0] = 0;
    if (of && of->describe_move) of->describe_move(run->by_hand->self, group, text, size);
}

const int32_t *hbg_rt_hand_groups(hbg_rt_instance *run) {
    return run->by_hand->events ? run->by_hand->events->groups : NULL;
}

hbg_rt_status hbg_rt_hand_look(hbg_rt_instance *run, double t, const double *x, hbg_rt_look *look) {
    const hbg_rt_by_hand_events *of = run->by_hand->events;
    look->moves = 0;
    look->end = HBG_RT_LOOK_SEARCH;
    return of && of->look ? of->look(run->by_hand->self, t, x, look) : HBG_RT_OK;
}
