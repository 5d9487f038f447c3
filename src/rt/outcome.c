/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Other outcomes of a jump that is committed, with other coefficients than the chosen ones: the same mode is
 * computed again, at the middle and the ends of their intervals. The caller draws the conclusions. */
#include <string.h>

#include "rt/run_impl.h"

int32_t hbg_rt_outcome_points(int32_t choosers) {
    return 1 + 2 * choosers + choosers * (choosers - 1) / 2;
}

/* The coefficient of a junction of the set at a point. */
static double coefficient_at(const hbg_rt_outcome_set *set, int32_t number, int32_t point) {
    double low = set->low[number], high = set->high[number], middle = (low + high) / 2;
    int32_t count = set->count;
    if (point == 0) return middle;
    if (point <= 2 * count) return (point - 1) / 2 != number ? middle : point % 2 ? low : high;
    int32_t at = 1 + 2 * count;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = i + 1; j < count; j++)
            if (at++ == point) return i == number || j == number ? high : middle;
    return middle;
}

static hbg_rt_status read_point(hbg_rt_instance *run, double t, const double *x, double *x_plus,
                                double *supplied) {
    const hbg_rt_kept *kept = &run->image->instants.kept;
    hbg_rt_status status = hbg_rt_run_events(run, t, x);
    if (status != HBG_RT_OK) return status;
    memcpy(x_plus, x, (size_t)run->image->instants.counts.states * sizeof *x);
    for (int32_t n = 0; n < run->active_count; n++) {
        hbg_rt_range states = hbg_rt_active_island(run, n)->states;
        for (int32_t k = 0; k < states.count; k++) {
            int32_t i = hbg_rt_list(run, states)[k];
            x_plus[i] = run->r[run->at.event_register[kept->states[i].cell]];
        }
    }
    *supplied = hbg_rt_source_work(run);
    return HBG_RT_OK;
}

/* Junctions with a choice in the mode considered last. */
static void find_choosers(const hbg_rt_instance *run, hbg_rt_outcome_set *set) {
    const hbg_rt_rebounds *choices = run->at.bounce.choices;
    set->count = 0;
    for (int32_t i = 0; i < run->image->instants.counts.restitution; i++) {
        if (!run->at.bounce.chooses[i] || !choices->of[i].free) continue;
        if (set->count < HBG_RT_CHOOSERS) set->which[set->count] = i;
        set->count++;
    }
}

/* Coefficients that a junction of the set can have. */
static void find_ends(const hbg_rt_instance *run, hbg_rt_outcome_set *set, int32_t number) {
    const hbg_rt_rebounds *choices = run->at.bounce.choices;
    const hbg_rt_rebound *of = &choices->of[set->which[number]];
    bool energy = run->image->instants.kept.restitution[set->which[number]].energy;
    double plastic = energy ? choices->plastic[set->which[number]] : 0;
    set->low[number] = energy ? hbg_rt_coefficient_of_loss(of->high, plastic) : of->low;
    set->high[number] = energy ? hbg_rt_coefficient_of_loss(of->low, plastic) : of->high;
}

hbg_rt_status hbg_rt_note_outcomes(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                                   int32_t order) {
    const hbg_rt_rebounds *choices = run->by_hand ? NULL : run->at.bounce.choices;
    hbg_rt_outcomes *outcomes = choices ? choices->outcomes : NULL;
    if (!outcomes || outcomes->count == HBG_RT_OUTCOME_SETS) return HBG_RT_OK;
    hbg_rt_outcome_set *set = &outcomes->sets[outcomes->count];
    const hbg_rt_restitution *restitution = run->image->instants.kept.restitution;
    double kept[HBG_RT_CHOOSERS] = {0}, sum[HBG_RT_CHOOSERS] = {0};
    find_choosers(run, set);
    set->order = order;
    if (set->count > 0) outcomes->count++;
    if (set->count == 0 || set->count > HBG_RT_CHOOSERS) return HBG_RT_OK;
    for (int32_t k = 0; k < set->count; k++) {
        kept[k] = run->r[restitution[set->which[k]].reg];
        sum[k] = hbg_rt_bounce_sum(run, set->which[k]);
        set->chosen[k] = sum[k] != 0 ? kept[k] / sum[k] : 0;
        find_ends(run, set, k);
    }
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t point = 0; point < hbg_rt_outcome_points(set->count) && status == HBG_RT_OK; point++) {
        for (int32_t k = 0; k < set->count; k++)
            run->r[restitution[set->which[k]].reg] = coefficient_at(set, k, point) * sum[k];
        status = read_point(run, t, x, set->x_plus + point * run->image->instants.counts.states,
                            &set->supplied[point]);
    }
    if (status == HBG_RT_NO_MEMORY) return status;
    if (status != HBG_RT_OK) outcomes->count--; // a failure of another choice is not one of this run
    for (int32_t k = 0; k < set->count; k++) run->r[restitution[set->which[k]].reg] = kept[k];
    return hbg_rt_values_in(run, states, t, x);
}
