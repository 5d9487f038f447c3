/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The moves: a place without a determining link finds one, a place with too many gives one up, a storage in
 * derivative causality becomes integral. Each reduces to vertices that lose their partner and search for
 * another (blossom.c). By Berge's theorem no assignment exists where no path exists. The places and storages
 * that can have partners at once are the independent sets of a matroid, so improving one storage after the
 * other, each once, leaves as few derivative ones as possible, and those of least worth (preference.c). */
#include "causal/causal_impl.h"

/* The place gives up a determining link; a vertex that loses its partner by that finds another for `least`.
 * If necessary, the place at the other end of the link is left without one. */
static bool give_up(hbg_causal_assignment *assignment, int32_t slot, int least) {
    const hbg_causal_structure *structure = assignment->structure;
    int32_t link = slot >> 1, there = causal_place(structure, slot ^ 1);
    if (assignment->relaxed && assignment->relaxed[link]) {
        hbg_causal_set(assignment, slot, 0);
        return true;
    }
    if (there == HBG_NONE) {
        if (hbg_causal_gain(assignment, slot ^ 1) < (least > GAIN_LOSS ? least : GAIN_LOSS)) return false;
        hbg_causal_set(assignment, slot, 0);
        return true;
    }
    if (!hbg_causal_passable(assignment, link)) return false;
    if (structure->link_vertex[link] != HBG_NONE)
        return hbg_causal_find_partner(assignment, structure->link_vertex[link], least);
    hbg_causal_set(assignment, slot, 0);
    if (assignment->count[there] > 0 || least <= GAIN_DEFICIT) return true;
    assignment->rigid[link] = true;
    bool found = hbg_causal_find_partner(assignment, there, least);
    assignment->rigid[link] = false;
    if (!found) hbg_causal_set(assignment, slot, 1);
    return found;
}

/* A place with more than one determining link gives up all but one, the cheapest first. False if it still has
 * more. */
static bool relieve(hbg_causal_assignment *assignment, int32_t place, int least) {
    const hbg_causal_structure *structure = assignment->structure;
    for (int gain = GAIN_ZERO; gain >= least; gain--)
        for (int32_t i = structure->place_start[place]; i < structure->place_start[place + 1]; i++) {
            int32_t slot = structure->place_links[i];
            if (assignment->count[place] <= 1) return true;
            if (assignment->mark[slot]) give_up(assignment, slot, gain);
        }
    return assignment->count[place] <= 1;
}

bool hbg_causal_alternate(hbg_causal_assignment *assignment, int32_t place, int least) {
    if (assignment->count[place] > 1) return relieve(assignment, place, least);
    return hbg_causal_find_partner(assignment, place, least);
}

/* The storage at a place turns integral if the place finds another balance for `least`. */
static bool turn_integral(hbg_causal_assignment *assignment, int32_t slot, int least) {
    int32_t place = causal_place(assignment->structure, slot ^ 1), link = slot >> 1;
    if (place == HBG_NONE || !assignment->on[place] || assignment->rigid[link]) return false;
    uint8_t old = assignment->mark[slot ^ 1];
    hbg_causal_set(assignment, slot ^ 1, !old);
    if (assignment->count[place] == 1) return true;
    bool found;
    if (old) { // it determined its place, which needs another link now
        assignment->rigid[link] = true;
        found = hbg_causal_find_partner(assignment, place, least);
        assignment->rigid[link] = false;
    } else { // two links determine the place now: the other one goes
        int32_t other = (int32_t)((uint32_t)assignment->determining[place] - (uint32_t)(slot ^ 1));
        found = assignment->count[place] == 2 && give_up(assignment, other, least);
    }
    if (!found) hbg_causal_set(assignment, slot ^ 1, old);
    return found;
}

bool hbg_causal_improve(hbg_causal_assignment *assignment, int32_t slot) {
    assignment->worth_limit = causal_worth(assignment->structure, slot >> 1);
    bool improved = turn_integral(assignment, slot, GAIN_LOSS);
    assignment->worth_limit = INT32_MAX;
    return improved;
}
