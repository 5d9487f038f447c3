/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The contents of a point of the phase space: for a discrete state, whether it is left at once; for all of
 * them together, the result of an instant that begins there in one of them. */
#include <math.h>

#include "api/verify_plot_impl.h"

bool hbg_api_plot_is_departed(phase_plot *p, int32_t phase) {
    return hbg_verify_condition_holds(p->group->phases[phase].departed, &p->point);
}

static bool holds_somewhere(phase_plot *p, const hbg_finding *finding) {
    for (int32_t i = 0; i < finding->where_count; i++)
        if (hbg_verify_condition_holds(finding->where[i].where, &p->point)) return true;
    return false;
}

static plot_place place_of(const hbg_finding *finding) {
    if (!hbg_verify_finding_is_wrong(finding->kind)) return PLACE_EVOLVES;
    if (finding->kind != HBG_FINDING_CYCLE && finding->kind != HBG_FINDING_CHAIN) return PLACE_WRONG;
    return finding->after_commit ? PLACE_ENDLESS_LATER : PLACE_ENDLESS;
}

/* The worst finding there. */
static plot_place found_at(phase_plot *p) {
    static const int rank[PLACE_COUNT] = {
        [PLACE_ENDLESS] = 4, [PLACE_ENDLESS_LATER] = 3, [PLACE_WRONG] = 2, [PLACE_EVOLVES] = 1};
    plot_place worst = PLACE_FREE;
    for (int32_t i = 0; i < p->group->finding_count; i++) {
        const hbg_finding *finding = &p->group->findings[i];
        plot_place place = place_of(finding);
        if (rank[place] > rank[worst] && holds_somewhere(p, finding)) worst = place;
    }
    return worst;
}

static plot_place area_at(phase_plot *p, int32_t phase) {
    const hbg_phase *of = &p->group->phases[phase];
    if (hbg_verify_condition_value(of->allowed, &p->point) == 0) return PLACE_OUTSIDE;
    double departed = hbg_verify_condition_value(of->departed, &p->point);
    return isnan(departed) ? PLACE_OPEN : departed != 0 ? PLACE_DEPARTED : PLACE_FREE;
}

/* Of all discrete states together. */
static plot_place together_at(phase_plot *p) {
    int32_t count[PLACE_COUNT] = {0};
    plot_place found = found_at(p);
    if (found != PLACE_FREE) return found;
    for (int32_t i = 0; i < p->group->phase_count; i++) count[area_at(p, i)]++;
    if (count[PLACE_FREE] > 0) return PLACE_FREE;
    if (count[PLACE_OUTSIDE] == p->group->phase_count) return PLACE_OUTSIDE;
    return count[PLACE_OPEN] > 0 ? PLACE_OPEN : PLACE_NEVER;
}

static void note_kinds(phase_plot *p, plot_place place) {
    for (int32_t i = 0; i < p->group->finding_count; i++) {
        const hbg_finding *finding = &p->group->findings[i];
        if (place_of(finding) == place && !p->told[finding->kind] && holds_somewhere(p, finding))
            p->told[finding->kind] = true;
    }
}

plot_place hbg_api_plot_place_at(phase_plot *p) {
    plot_place place = p->phase == HBG_NONE ? together_at(p) : area_at(p, p->phase);
    p->seen[place] = true;
    if (place == PLACE_WRONG || place == PLACE_EVOLVES) note_kinds(p, place);
    return place;
}

uint64_t hbg_api_plot_look(phase_plot *p) {
    uint64_t number = (uint64_t)found_at(p);
    for (int32_t i = 0; i < p->group->phase_count; i++)
        number = number * 1099511628211u + (uint64_t)area_at(p, i);
    return number;
}
