/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Choices: a junction whose restitution is an interval takes another value of it at each collision. Which one follows from the number
 * of the collision alone, so that a mode may be considered as often as the search likes, and only one that is committed counts. */
#include <math.h>
#include <string.h>

#include "rt/run_impl.h"
#include "rt/sensor.h"

int32_t hbg_rt_restitution_count(const hbg_rt_instance *run) {
    return run->by_hand ? 0 : run->image->instants.counts.restitution;
}

void hbg_rt_set_rebounds(hbg_rt_instance *run, hbg_rt_rebounds *choices) {
    int32_t count = hbg_rt_restitution_count(run);
    if (run->by_hand) return;
    run->at.bounce.choices = choices;
    if (choices) choices->order_count = 0;
    memset(run->at.bounce.choices_made, 0, (size_t)count * sizeof *run->at.bounce.choices_made);
}

int32_t hbg_rt_rebound_count(const hbg_rt_instance *run, int32_t restitution) {
    return run->at.bounce.choices_made[restitution];
}

double hbg_rt_rebound_value(const hbg_rt_rebound *choice, int32_t number, double otherwise) {
    if (number < choice->count) return isnan(choice->values[number]) ? otherwise : choice->values[number];
    double share;
    switch (choice->then) {
    case HBG_RT_CHOOSE_LEAST: return choice->low;
    case HBG_RT_CHOOSE_GREATEST: return choice->high;
    case HBG_RT_CHOOSE_RANDOM:
        share = hbg_rt_uniform(choice->seed, choice->key, (uint64_t)number);
        return fmin(choice->high, choice->low + share * (choice->high - choice->low));
    default: return otherwise;
    }
}

double hbg_rt_chosen_coefficient(const hbg_rt_instance *run, int32_t restitution, double otherwise) {
    const hbg_rt_rebound *choice = &run->at.bounce.choices->of[restitution];
    if (!choice->free) return otherwise;
    return hbg_rt_rebound_value(choice, run->at.bounce.choices_made[restitution], otherwise);
}

void hbg_rt_note_chosen(hbg_rt_instance *run) {
    hbg_rt_rebounds *choices = run->at.bounce.choices;
    for (int32_t i = 0; i < run->image->instants.counts.restitution; i++) {
        bool chose = run->at.bounce.chooses[i] && choices->of[i].free;
        run->at.bounce.chooses[i] = false;
        if (!chose) continue;
        run->at.bounce.choices_made[i]++;
        if (choices->order && choices->order_count < choices->order_room)
            choices->order[choices->order_count++] = i;
    }
}
