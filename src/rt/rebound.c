/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Choices: a junction whose restitution is an interval takes another value of it at each collision, and a
 * drawn parameter another one whenever an automaton moves. The value follows from the number of the choice
 * alone, so the search may consider a mode any number of times, and only a committed one counts. */
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
    for (int32_t i = 0; choices && i < choices->drawn_count; i++) {
        hbg_rt_drawn *drawn = &choices->drawn[i];
        drawn->now = hbg_rt_rebound_value(&drawn->how, 0, drawn->usual);
        drawn->made = 1;
    }
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

static void note_order(hbg_rt_rebounds *choices, int32_t number) {
    if (choices->order && choices->order_count < choices->order_room)
        choices->order[choices->order_count++] = number;
}

void hbg_rt_note_chosen(hbg_rt_instance *run) {
    hbg_rt_rebounds *choices = run->at.bounce.choices;
    for (int32_t i = 0; i < run->image->instants.counts.restitution; i++) {
        bool chose = run->at.bounce.chooses[i] && choices->of[i].free;
        run->at.bounce.chooses[i] = false;
        if (!chose) continue;
        run->at.bounce.choices_made[i]++;
        note_order(choices, i);
    }
}

/* ---- parameters ---------------------------------------------------------------------------------------- */

bool hbg_rt_draws(const hbg_rt_instance *run) {
    return !run->by_hand && run->at.bounce.choices && run->at.bounce.choices->drawn_count > 0;
}

static bool is_drawn_anew(const hbg_rt_instance *run, const hbg_rt_drawn *drawn, const int32_t *states) {
    if (drawn->automaton != HBG_RT_NONE) return states[drawn->automaton] != run->states[drawn->automaton];
    for (int32_t i = 0; i < run->image->instants.counts.automata; i++)
        if (states[i] != run->states[i]) return true;
    return false;
}

hbg_rt_status hbg_rt_draw(hbg_rt_instance *run, const int32_t *states) {
    const hbg_rt_rebounds *choices = run->at.bounce.choices;
    bool changed = false;
    for (int32_t i = 0; i < choices->drawn_count; i++) {
        const hbg_rt_drawn *drawn = &choices->drawn[i];
        double *value = &run->r[run->image->instants.outside.params[drawn->param].value], before = *value;
        *value = is_drawn_anew(run, drawn, states)
                     ? hbg_rt_rebound_value(&drawn->how, drawn->made, drawn->usual)
                     : drawn->now;
        changed = changed || *value != before;
    }
    return changed ? hbg_rt_follow_params(run) : HBG_RT_OK;
}

void hbg_rt_note_drawn(hbg_rt_instance *run, const int32_t *states) {
    hbg_rt_rebounds *choices = run->at.bounce.choices;
    for (int32_t i = 0; i < choices->drawn_count; i++) {
        hbg_rt_drawn *drawn = &choices->drawn[i];
        if (!is_drawn_anew(run, drawn, states)) continue;
        drawn->now = hbg_rt_rebound_value(&drawn->how, drawn->made++, drawn->usual);
        note_order(choices, run->image->instants.counts.restitution + i);
    }
}
