/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Cycles with an odd number of gyrators. There an alternating path may meet a place in both its needs, and a
 * plain search can go wrong. The links that close such cycles are few (real models have none or one): each
 * way of holding them is tried, the rest is even, and the best is kept. */
#include "causal/causal_impl.h"

#define ODD_LIMIT 12 /* 2^12 tries; a model beyond that keeps the first assignment found */

typedef struct {
    int32_t bad, excused, derivative; /* in this order of weight */
} odd_result;

static bool is_better(odd_result a, odd_result b) {
    if (a.bad != b.bad) return a.bad < b.bad;
    if (a.excused != b.excused) return a.excused < b.excused;
    return a.derivative < b.derivative;
}

static void hold(hbg_causal_assignment *assignment, int32_t region, int32_t choice) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t first = structure->region_odd_start[region], end = structure->region_odd_start[region + 1];
    for (int32_t i = first; i < end && i < first + ODD_LIMIT; i++) {
        int32_t link = structure->odd_links[i];
        int32_t place = causal_place(structure, 2 * link), there = causal_place(structure, 2 * link + 1);
        // an off junction decides by itself
        if (assignment->on[place] && assignment->on[there])
            hbg_causal_set(assignment, 2 * link, (choice >> (i - first)) & 1);
        assignment->rigid[link] = true;
    }
}

static void release(hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int32_t i = structure->region_odd_start[region]; i < structure->region_odd_start[region + 1]; i++)
        assignment->rigid[structure->odd_links[i]] = false;
}

static void try(hbg_causal_assignment *assignment, int32_t region, int32_t choice) {
    hbg_causal_clear_region(assignment, region);
    hbg_causal_sequence(assignment, region);
    hold(assignment, region, choice);
    hbg_causal_settle(assignment, region);
    release(assignment, region);
}

void hbg_causal_assign_odd(hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t count = structure->region_odd_start[region + 1] - structure->region_odd_start[region];
    int32_t choices = 1 << (count > ODD_LIMIT ? ODD_LIMIT : count);
    odd_result best = {INT32_MAX, INT32_MAX, INT32_MAX};
    int32_t chosen = 0;
    for (int32_t choice = 0; choice < choices; choice++) {
        try(assignment, region, choice);
        odd_result now = {assignment->bad_in[region],
                          assignment->waived_in[region] + assignment->floating_in[region],
                          assignment->derivative_in[region]};
        if (!is_better(now, best)) continue;
        best = now;
        chosen = choice;
    }
    try(assignment, region, chosen);
}
